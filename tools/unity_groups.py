#!/usr/bin/env python3
"""Finds which files of a layer, or of a test program, can be compiled together, and writes cmake/unity.cmake.

usage: tools/unity_groups.py BUILD_FOLDER

Compiling a few files as one saves most of the time that templates of the same headers take. Files whose own names
clash are kept apart. The groups are found by asking the compiler of a configured build without HANDRAIL_UNITY; run this
again when a group does not compile any more. A file in no group is compiled by itself."""
import collections
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST = 8  # files in a group: enough to save time, and few enough for all processors to have something to do


def targets(build):
    """The commands of each program and library, by target."""
    found = collections.defaultdict(dict)
    for row in json.loads((build / "compile_commands.json").read_text()):
        target = re.search(r" -o \S*CMakeFiles/(\w+)\.dir/", row["command"])
        file = pathlib.Path(row["file"])
        if target and re.fullmatch(r"handrail\w*|contract_rows|unit_(?!text_work)\w+", target[1]) and file.is_relative_to(ROOT) and "cmake_pch" not in file.name:
            found[target[1]][str(file.relative_to(ROOT))] = row
    return found


def clashes(files, rows):
    """Pairs of files that do not compile together; an error that names no second file clashes with all others."""
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as unit:
        unit.write("".join(f'#include "{ROOT / file}"\n' for file in files))
        unit.flush()
        words = shlex.split(rows[files[0]]["command"])
        words[words.index("-c") + 1] = unit.name
        at = words.index("-o")
        words[at:at + 2] = ["-fsyntax-only", "-fmax-errors=0"]
        done = subprocess.run(words, cwd=rows[files[0]]["directory"], capture_output=True, text=True)
    pairs, last = set(), None
    for line in done.stderr.splitlines():
        place = re.match(r"(\S+?):\d+:\d+: (error|note)", line)
        if not place:
            continue
        file = os.path.relpath(os.path.realpath(place[1]), ROOT)
        file = file if file in files else None
        if place[2] == "error":
            last = file
        elif last and file and file != last:
            pairs.add(frozenset((last, file)))
    if done.returncode != 0 and not pairs:
        bad = {os.path.relpath(os.path.realpath(name), ROOT) for name in re.findall(r"^(\S+?):\d+:\d+: error", done.stderr, re.M)}
        first = next((file for file in reversed(files) if file in bad), files[-1])
        pairs = {frozenset((first, file)) for file in files if file != first}
    return pairs


def coloured(files, apart):
    groups = []
    for file in files:
        for group in groups:
            if len(group) < MOST and not any(frozenset((file, other)) in apart for other in group):
                group.append(file)
                break
        else:
            groups.append([file])
    return groups


def grouped(rows):
    """Groups that compile. What clashes with a group leaves it, and is grouped with others that did."""
    left, apart, done = sorted(rows), set(), []
    apart |= clashes(left, rows)
    while len(left) > 1:
        out = []
        for group in coloured(left, apart):
            while len(group) > 1 and (found := clashes(group, rows)):
                apart |= found
                worst = collections.Counter(file for pair in found for file in pair).most_common(1)[0][0]
                group.remove(worst)
                out.append(worst)
            if len(group) > 1:
                done.append(group)
            else:
                out += group
        if len(out) == len(left):
            break
        left = out if len(out) < len(left) else []
    print(f"{len(rows)} files of {pathlib.Path(next(iter(rows))).parent}: {len(done)} groups, "
          f"{len(rows) - sum(map(len, done))} alone", file=sys.stderr, flush=True)
    return done


def main():
    found = targets(pathlib.Path(sys.argv[1]).resolve())
    found = {name: rows for name, rows in sorted(found.items()) if len(rows) > 2}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = dict(zip(found, pool.map(grouped, found.values())))
    lines = ["# Files that are compiled together with HANDRAIL_UNITY. Written by tools/unity_groups.py.\n"]
    for name, groups in results.items():
        for number, group in enumerate(groups, 1):
            lines.append(f"handrail_group({name} {number}\n  " + "\n  ".join(group) + ")\n")
    (ROOT / "cmake" / "unity.cmake").write_text("".join(lines))


if __name__ == "__main__":
    main()
