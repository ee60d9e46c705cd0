#!/usr/bin/env python3
"""check_contract.py HANDRAIL ROOT: fails when contract/ or docs/reference/ is not what the program exports now."""
import difflib
import pathlib
import subprocess
import sys
import tempfile

EXPORTS = {"contract": "--export", "docs/reference": "--docs"}


def texts(folder):
    return {path.name: path.read_text() for path in sorted(pathlib.Path(folder).iterdir()) if path.is_file()}


def check(handrail, root, folder, option):
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([handrail, "schema", option, place], check=True)
        exported = texts(place)
    if not exported:
        sys.exit(f"handrail schema {option} wrote nothing")
    committed = texts(root / folder)
    for name in sorted(exported.keys() | committed.keys()):
        old, new = committed.get(name, "").splitlines(), exported.get(name, "").splitlines()
        for line in difflib.unified_diff(old, new, f"{folder}/{name}", f"exported {name}", lineterm=""):
            print(line)
    print(f"{len(exported)} files for {folder}/")
    return exported == committed


def main():
    handrail, root = sys.argv[1], pathlib.Path(sys.argv[2])
    differing = [folder for folder, option in EXPORTS.items() if not check(handrail, root, folder, option)]
    if differing:
        sys.exit(f"{' and '.join(differing)} differ from what the program offers; run ./dev gen and review the change")


if __name__ == "__main__":
    main()
