#!/usr/bin/env python3
"""check_documents.py ROOT: limits and links of the written documents."""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")
LIMITS = {"AGENTS.md": 119}
DECISION_LIMIT = 60
DECISION_PARTS = ["Context", "Decision", "Consequences", "What would change our mind"]


def documents(root):
    return sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md")])


def problems_of(root, path):
    name = path.relative_to(root).as_posix()
    text = path.read_text()
    lines = len(text.splitlines())
    limit = LIMITS.get(name)
    if name.startswith("docs/decisions/"):
        limit = DECISION_LIMIT
        for part in DECISION_PARTS:
            if f"## {part}\n" not in text:
                yield f"{name}: a decision has a part `## {part}`"
    if limit is not None and lines > limit:
        yield f"{name}: {lines} lines, at most {limit}"
    for target in LINK.findall(text):
        if "://" not in target and not (path.parent / target).exists():
            yield f"{name}: links to {target}, which is not there"


def main():
    root = pathlib.Path(sys.argv[1])
    found = documents(root)
    problems = [problem for path in found for problem in problems_of(root, path)]
    for problem in problems:
        print(problem)
    if problems or len(found) < 5:
        sys.exit(f"{len(problems)} problems in {len(found)} documents")
    print(f"{len(found)} documents are within their limits and their links lead somewhere")


if __name__ == "__main__":
    main()
