"""Start to the first answer, and memory, beside the smallest Python server that does the same."""
import pathlib
import time

from mcp import Client, handrail

SERVER = str(pathlib.Path(__file__).with_name("python_server.py"))


def measure(results, desktop, programs, starts, shots):
    desktop.fill()
    makers = {"handrail": lambda: handrail(desktop, programs),
              "python": lambda: Client(desktop, ["/usr/bin/python3", SERVER])}
    for _ in range(starts):
        for name, make in makers.items():
            start = time.perf_counter()
            with make():
                results.add("start", name, (time.perf_counter() - start) * 1e3)
    for name, make in makers.items():
        with make() as client:
            client.call("tools/list", {})
            results.add("memory MB", f"{name} idle", client.memory_mb())
            request = client.request("tools/call", {"name": "screenshot", "arguments": {}})
            count = shots if name == "handrail" else min(shots, 100)
            for done in range(1, count + 1):
                client.timed(request)
                if done == count // 10:
                    results.add("memory MB", f"{name} after a tenth", client.memory_mb())
            results.add("memory MB", f"{name} after all shots", client.memory_mb())
