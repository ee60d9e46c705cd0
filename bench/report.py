"""The numbers, the targets, and what is missed."""
import statistics

import elements
from trees import TREES


def median(values):
    return statistics.median(values)


def p95(values):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]


def typing_targets(where):
    for name, most_ms, least_ratio in (("ascii", 60, 100), ("mixed", 400, 15)):
        group = f"type {name} {where}"
        yield f"1,000 {name} characters into {where}, ms", lambda m, g=group: m(g, "handrail"), "<=", most_ms
        yield (f"1,000 {name} into {where}: times faster than xdotool",
               lambda m, g=group: m(g, "xdotool") / m(g, "handrail"), ">=", least_ratio)


def read_ratio(m, when):
    return m("reading 1080p", "tesseract --psm 11") / m("reading 1080p", f"handrail {when}")


def element_targets(app):
    group = f"elements {app}"
    yield f"find in {app}, warm, ms", lambda m: m(group, "handrail find"), "<=", 10
    for peer in ("pyatspi", "dogtail"):
        yield (f"find in {app}: times faster than {peer}",
               lambda m, p=peer: m(group, f"{p} find") / m(group, "handrail find"), ">=", 1)
    # A button of GTK 4 shows itself pressed for 250 ms before it acts.
    if app == "widgets_gtk4":
        yield (f"press in {app}, until it acts, ms more than by pyatspi",
               lambda m: m(group, "handrail press") - m(group, "pyatspi press"), "<=", 5)
    else:
        yield f"press in {app}, until it acts, ms", lambda m: m(group, "handrail press"), "<=", 5
    yield f"press and a picture of a quiet {app}, ms", lambda m: m(group, "handrail press and picture wall"), "<=", 500
    yield f"marks on a picture of {app}, ms on top", lambda m: m(group, "handrail marks"), "<=", 10


# (what it says, value from the medians, "<=" or ">=", target). A value of None was not measured.
TARGETS = [
    ("1080p screenshot / one-thread limit", lambda m: m("shot 1080p", "handrail") / m("shot 1080p", "limit"), "<=", 1.5),
    ("1080p: times faster than Pillow Lanczos in process",
     lambda m: m("shot 1080p", "pillow lanczos") / m("shot 1080p", "handrail"), ">=", 12),
    ("1080p: times faster than a fresh Python process",
     lambda m: m("shot 1080p", "python fresh") / m("shot 1080p", "handrail"), ">=", 25),
    ("1080p: times faster than scrot", lambda m: m("shot 1080p", "scrot") / m("shot 1080p", "handrail"), ">=", 4),
    ("4K screenshot / one-thread limit", lambda m: m("shot 4K", "handrail") / m("shot 4K", "limit"), "<=", 1.5),
    ("4K: times faster than Pillow Lanczos in process",
     lambda m: m("shot 4K", "pillow lanczos") / m("shot 4K", "handrail"), ">=", 18),
    ("PNG of the sized image, scaling included, ms", lambda m: m("shot 1080p", "limit png"), "<=", 8),
    ("click: receiver saw it after ms", lambda m: m("click", "handrail seen"), "<=", 3),
    ("a click through MCP and all gates: ms more than a raw XTEST click", lambda m: m("click", "gates cost"), "<=", 2),
    ("click: times less wall than xdotool", lambda m: m("click", "xdotool wall") / m("click", "handrail wall"), ">=", 30),
    *(row for where in ("terminal", "gtk") for row in typing_targets(where)),
    ("typed texts that arrived wrong", lambda m: m.wrong("handrail"), "<=", 0),
    ("window list, ms", lambda m: m("windows", "handrail"), "<=", 1),
    *((f"warm tree of {app}, ms", lambda m, g=f"tree {app}": m(g, "handrail warm"), "<=", 5) for app in TREES),
    *((f"whole tree of {app}: times faster than {peer}",
       lambda m, g=f"tree {app}", p=peer: m(g, f"{p} whole") / m(g, "handrail whole"), ">=", times)
      for peer, times in (("pyatspi", 10), ("libatspi", 7)) for app in TREES),
    *(row for app in elements.APPS for row in element_targets(app)),
    ("visible tree of a long page, cold, ms", lambda m: m("tree chromium", "handrail visible"), "<=", 80),
    ("visible tree of a long page: times faster than pyatspi's whole",
     lambda m: m("tree chromium", "pyatspi whole") / m("tree chromium", "handrail visible"), ">=", 60),
    ("start to first answer, ms", lambda m: m("start", "handrail"), "<=", 15),
    ("memory idle, MB", lambda m: m("memory MB", "handrail idle"), "<=", 25),
    ("memory after all screenshots, MB", lambda m: m("memory MB", "handrail after all shots"), "<=", 45),
    ("memory growth over the last nine tenths of them, MB",
     lambda m: m("memory MB", "handrail after all shots") - m("memory MB", "handrail after a tenth"), "<=", 2),
    ("text of a screen, cold: times faster than tesseract", lambda m: read_ratio(m, "cold"), ">=", 2),
    ("text after a small change: times faster than tesseract", lambda m: read_ratio(m, "changed"), ">=", 8),
    ("text of an unchanged screen, ms", lambda m: m("reading 1080p", "handrail unchanged"), "<=", 2),
    ("150 marks on a 1080p capture, ms", lambda m: m("marks", "handrail"), "<=", 10),
]


class Results:
    def __init__(self):
        self.samples = {}  # group -> contender -> values
        self.texts = {}  # (group, contender) -> [right, wrong]

    def add(self, group, contender, value):
        self.samples.setdefault(group, {}).setdefault(contender, []).append(value)

    def add_text(self, group, contender, took, right):
        counts = self.texts.setdefault((group, contender), [0, 0])
        counts[0 if right else 1] += 1
        if took is not None:
            self.add(group, contender, took)

    def __call__(self, group, contender):
        return median(self.samples[group][contender])

    def wrong(self, contender):
        counts = [wrong for (_, who), (_, wrong) in self.texts.items() if who == contender]
        if not counts:
            raise KeyError(contender)
        return sum(counts)

    def judged(self):
        for text, value, relation, target in TARGETS:
            try:
                got = value(self)
            except KeyError:
                yield text, None, relation, target, None
                continue
            yield text, got, relation, target, got <= target if relation == "<=" else got >= target

    def print(self):
        for group, contenders in self.samples.items():
            print(f"\n{group:<28}{'median':>10}{'p95':>10}{'samples':>9}")
            for contender, values in contenders.items():
                print(f"  {contender:<26}{median(values):>10.2f}{p95(values):>10.2f}{len(values):>9}")
        for (group, contender), (right, wrong) in self.texts.items():
            print(f"\n{group}, {contender}: {right} texts arrived right, {wrong} wrong", end="")
        print(f"\n\n{'target':<60}{'measured':>10}{'':>4}{'wanted':>8}")
        missed = []
        for text, got, relation, target, met in self.judged():
            if got is None:
                print(f"{text:<60}{'-':>10} not measured")
                continue
            print(f"{text:<60}{got:>10.2f} {relation:>3}{target:>8}  {'met' if met else 'MISSED'}")
            if not met:
                missed.append(text)
        print("\nEvery measured target is met." if not missed else "\nMissed: " + "; ".join(missed) + ".")

    def as_json(self):
        return {"groups": {group: {contender: {"median": median(values), "p95": p95(values), "samples": len(values)}
                                   for contender, values in contenders.items()}
                           for group, contenders in self.samples.items()},
                "texts": [{"group": group, "contender": contender, "right": right, "wrong": wrong}
                          for (group, contender), (right, wrong) in self.texts.items()],
                "targets": [{"target": text, "measured": got, "relation": relation, "wanted": target, "met": met}
                            for text, got, relation, target, met in self.judged()]}
