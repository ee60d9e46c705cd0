#!/usr/bin/python3
"""The whole tree of one process by dogtail: role, name, states, extents. Prints one JSON line."""
import json
import sys
import time

from dogtail.config import config

config.logDebugToStdOut = config.logDebugToFile = False
config.checkForA11y = False
from dogtail import tree  # noqa: E402

pid = int(sys.argv[1])
app = next(app for app in tree.root.children if app.get_process_id() == pid)
start = time.perf_counter()
nodes = app.findChildren(lambda node: (node.roleName, node.name, node.showing, node.extents) and True, recursive=True)
print(json.dumps({"nodes": len(nodes), "whole": (time.perf_counter() - start) * 1e3}), flush=True)
