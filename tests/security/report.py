"""What came of the rows, for people and for programs: row, trials, failures, the bound at 95%."""
import json
import os
import pathlib


def folder():
    path = pathlib.Path(os.environ.get("HANDRAIL_REPORTS", "."))
    path.mkdir(parents=True, exist_ok=True)
    return path


def entry(row, manager, trials, seconds):
    return {"row": row.name, "title": row.title, "bold": row.bold, "family": row.family, "manager": manager,
            "trials": trials.done, "failures": len(trials.failures), "bound": round(trials.bound(), 5),
            "twins": trials.twins, "false_refusals": len(trials.false_refusals), "proofs": trials.proofs,
            "seconds": round(seconds, 2), "notes": trials.notes, "problems": (trials.failures +
                                                                              trials.false_refusals)[:5]}


def table(entries):
    lines = [f"{'row':<5}{'manager':<9}{'trials':>7}{'failed':>7}{'bound':>9}{'twins':>7}{'refused':>8}{'s':>7}  title"]
    for e in entries:
        bound = "-" if e["failures"] else f"{e['bound']:.4f}"
        lines.append(f"{e['row']:<5}{e['manager']:<9}{e['trials']:>7}{e['failures']:>7}{bound:>9}{e['twins']:>7}"
                     f"{e['false_refusals']:>8}{e['seconds']:>7.1f}  {e['title']}")
    return "\n".join(lines)


def write(family, seed, entries):
    where = folder()
    (where / f"{family}.json").write_text(json.dumps({"family": family, "seed": seed, "rows": entries}, indent=1))
    (where / f"{family}.txt").write_text(table(entries) + "\n")
