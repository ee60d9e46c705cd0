"""run_tests.py MODULE…: runs unittest modules of the tests folder. Zero tests and skipped tests are failures."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))


def main():
    suite = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:])
    result = unittest.TextTestRunner(verbosity=2, stream=sys.stdout).run(suite)
    if result.testsRun == 0:
        sys.exit("no test was found")
    if result.skipped:
        sys.exit(f"{len(result.skipped)} tests were skipped")
    sys.exit(0 if result.wasSuccessful() else 1)


if __name__ == "__main__":
    main()
