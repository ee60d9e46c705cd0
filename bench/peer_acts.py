#!/usr/bin/python3
"""Finds elements of one process by their names and presses them in turn: peer_acts.py pyatspi|dogtail PID ROLE NAME…

A round begins with a line on standard input. Prints a JSON line a round: how long the search took, and when and how
long it was pressed.
"""
import json
import sys
import time

library, pid, role, names = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:]


def by_pyatspi():
    import pyatspi

    app = next(app for app in pyatspi.Registry.getDesktop(0) if app is not None and app.get_process_id() == pid)

    def find_it(name):
        return pyatspi.findDescendant(app, lambda node: node.name == name and node.getRoleName() == role)

    return find_it, lambda node: node.queryAction().doAction(0)


def by_dogtail():
    from dogtail.config import config

    config.logDebugToStdOut = config.logDebugToFile = config.checkForA11y = False
    from dogtail import tree

    app = next(app for app in tree.root.children if app.get_process_id() == pid)
    return (lambda name: app.child(name=name, roleName=role, retry=False),
            lambda node: next(iter(node.actions.values())).do())


find, press = {"pyatspi": by_pyatspi, "dogtail": by_dogtail}[library]()
for number, _ in enumerate(sys.stdin):
    start = time.monotonic()
    found = find(names[number % len(names)])
    pressing = time.monotonic()
    press(found)
    print(json.dumps({"find": (pressing - start) * 1e3, "at_ms": pressing * 1e3,
                      "press": (time.monotonic() - pressing) * 1e3}), flush=True)
