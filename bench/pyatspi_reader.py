#!/usr/bin/python3
"""The whole tree of one process by pyatspi: role, name, states, extents. Prints one JSON line a round."""
import json
import sys
import time

import pyatspi


def visit(node, count=0, depth=0):
    node.getRoleName(), node.name, node.getState().getStates()
    try:
        node.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
    except NotImplementedError:
        pass
    count += 1
    if depth < 100 and not node.getState().contains(pyatspi.STATE_MANAGES_DESCENDANTS):
        for i in range(node.childCount):
            child = node.getChildAtIndex(i)
            if child is not None:
                count = visit(child, count, depth + 1)
    return count


pid, rounds = int(sys.argv[1]), int(sys.argv[2])
app = next(app for app in pyatspi.Registry.getDesktop(0) if app is not None and app.get_process_id() == pid)
for _ in range(rounds):
    app.clearCache()
    start = time.perf_counter()
    nodes = visit(app) - 1
    print(json.dumps({"nodes": nodes, "whole": (time.perf_counter() - start) * 1e3}), flush=True)
