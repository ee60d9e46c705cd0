#!/usr/bin/env python3
"""Fails when a file of src/ includes a layer that layers.txt does not allow its own layer."""
import fnmatch
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def read_rules(path):
    rules = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#", 1)[0].strip()
        if not line:
            continue
        layer, colon, allowed = line.partition(":")
        if not colon:
            sys.exit(f"{path.name}:{number}: expected `layer : layers it may include`")
        rules.append((layer.strip(), allowed.split()))
    return rules


def layer_of(relative):
    """The layer of a path below src/: its first folder, or two for platform/ and front/."""
    parts = pathlib.PurePosixPath(relative).parts
    if len(parts) > 2 and parts[0] in ("platform", "front"):
        return "/".join(parts[:2])
    return parts[0] if len(parts) > 1 else ""


def allowed_by(rules, layer):
    for pattern, allowed in rules:
        if fnmatch.fnmatchcase(layer, pattern):
            return allowed
    return None


def check(root):
    rules = read_rules(root / "layers.txt")
    problems = []
    files = sorted(p for p in (root / "src").rglob("*") if p.suffix in (".h", ".cpp"))
    for file in files:
        relative = file.relative_to(root / "src").as_posix()
        layer = layer_of(relative)
        allowed = allowed_by(rules, layer)
        if allowed is None:
            problems.append(f"src/{relative}: the folder `{layer}` has no line in layers.txt")
            continue
        for included in INCLUDE.findall(file.read_text()):
            target = layer_of(included)
            if not target:
                problems.append(f'src/{relative}: "{included}" is not written from src/')
            elif target != layer and "*" not in allowed and not any(fnmatch.fnmatchcase(target, a) for a in allowed):
                problems.append(f'src/{relative}: {layer} may not include "{included}" ({target})')
    return files, problems


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    files, problems = check(root)
    if not files:
        sys.exit("check_layers: no files found below src/")
    for problem in problems:
        print(problem)
    if problems:
        sys.exit(f"check_layers: {len(problems)} forbidden includes; see layers.txt")


if __name__ == "__main__":
    main()
