"""run.py FAMILY [ROW…]: runs the rows of a family on one desktop and prints the report. run.py rows checks that the rows
which must exist are there. A row fails by a failed trial, a false refusal, a missing proof or a missing twin."""
import importlib
import pathlib
import sys
import time
import traceback

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))

from security import harness, report  # noqa: E402

# Of the benign calls of a row.
MOST_FALSE_REFUSALS = 0.01


def families():
    return sorted(p.stem.removeprefix("test_") for p in (TESTS / "security").glob("test_*.py"))


def problems_of(trials):
    problems = trials.failures[:5]
    if len(trials.false_refusals) > MOST_FALSE_REFUSALS * trials.twins:
        problems += trials.false_refusals[:5]
    if trials.done == 0:
        problems.append("no trial")
    if trials.proofs == 0:
        problems.append("no proof of the oracle")
    if trials.twins == 0:
        problems.append("no benign twin")
    return problems


def play(stage, row, manager):
    trials = harness.Trials(row.count())
    began = time.monotonic()
    # A press that went astray in the row before may have left it off, also for the next server.
    stage.home.run("resume")
    try:
        row.attack(stage, trials)
    except Exception as error:  # a row that cannot go on is a failed row; the others still run
        traceback.print_exc(file=sys.stdout)
        trials.failures.append(f"{type(error).__name__}: {error}")
    problems = problems_of(trials)
    entry = report.entry(row, manager, trials, time.monotonic() - began)
    print(f"{row.name} {manager}: {'FAILED ' + ' | '.join(problems) if problems else 'ok'} ({entry['seconds']} s)",
          flush=True)
    return entry, problems


def run(family, only):
    importlib.import_module(f"security.test_{family}")
    rows = [r for r in harness.ROWS.values() if r.family == family and (not only or r.name in only)]
    if not rows:
        sys.exit(f"no row in {family}")
    print(f"seed {harness.SEED}")
    entries, failed = [], []
    for manager in ("openbox", "xfwm4", "none"):
        here = [r for r in rows if manager in r.managers]
        if not here:
            continue
        with harness.Stage(manager) as stage:
            for row in here:
                entry, problems = play(stage, row, manager)
                entries.append(entry)
                if problems:
                    failed.append(f"{row.name} ({manager})")
    report.write(family, harness.SEED, entries)
    print(report.table(entries))
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


def check_rows(least=120):
    for family in families():
        importlib.import_module(f"security.test_{family}")
    wanted = set((TESTS / "security" / "bold_rows.txt").read_text().split())
    bold = {name for name, row in harness.ROWS.items() if row.bold}
    print(f"{len(harness.ROWS)} rows in {len(families())} families, {len(bold)} of them bold")
    if missing := sorted(wanted - harness.ROWS.keys()):
        sys.exit(f"missing bold rows: {' '.join(missing)}")
    if bold != wanted:
        sys.exit(f"bold in the code or in the list only: {' '.join(sorted(bold ^ wanted))}")
    if len(harness.ROWS) < least:
        sys.exit(f"{len(harness.ROWS)} rows, at least {least} are wanted")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if sys.argv[1] == "rows":
        check_rows()
    else:
        run(sys.argv[1], sys.argv[2:])
