#!/usr/bin/env python3
"""check_contract.py HANDRAIL CONTRACT: fails when contract/ is not what the program exports now."""
import difflib
import pathlib
import subprocess
import sys
import tempfile


def texts(folder):
    return {path.name: path.read_text() for path in sorted(pathlib.Path(folder).iterdir()) if path.is_file()}


def main():
    handrail, contract = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([handrail, "schema", "--export", folder], check=True)
        exported = texts(folder)
    if not exported:
        sys.exit("handrail schema --export wrote nothing")
    committed = texts(contract)
    for name in sorted(exported.keys() | committed.keys()):
        old, new = committed.get(name, "").splitlines(), exported.get(name, "").splitlines()
        for line in difflib.unified_diff(old, new, f"contract/{name}", f"exported {name}", lineterm=""):
            print(line)
    if exported != committed:
        sys.exit("contract/ differs from what the program offers; run ./dev gen and review the change")
    print(f"{len(exported)} files of contract/ are as the program exports them")


if __name__ == "__main__":
    main()
