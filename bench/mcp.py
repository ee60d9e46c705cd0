"""A client of an MCP server over stdio: one request line out, one answer line in."""
import json
import os
import pathlib
import shutil
import time

REVISION = "2025-06-18"


class Client:
    def __init__(self, desktop, command):
        self.desktop = desktop
        self.process = desktop.start(command, stdin=-1, stdout=-1)
        self.output = self.process.stdout.fileno()
        self.number = 0
        self.call("initialize", {"protocolVersion": REVISION, "capabilities": {},
                                 "clientInfo": {"name": "bench", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.desktop.stop(self.process)

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")

    def request(self, method, params):
        self.number += 1
        return json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}).encode() + b"\n"

    def timed(self, request):
        """(milliseconds from the request line to the full answer line, the answer as bytes)."""
        parts = []
        start = time.monotonic()
        self.sent_at_ms = start * 1e3
        self.process.stdin.write(request)
        while True:
            got = os.read(self.output, 1 << 20)
            if not got:
                raise RuntimeError("the server ended")
            parts.append(got)
            if got.endswith(b"\n"):
                return (time.monotonic() - start) * 1e3, b"".join(parts)

    def call(self, method, params):
        _, answer = self.timed(self.request(method, params))
        answer = json.loads(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def tool(self, name, **arguments):
        """(milliseconds, result) of one tool call; a refused one is an error."""
        took, answer = self.timed(self.request("tools/call", {"name": name, "arguments": arguments}))
        answer = json.loads(answer)
        if "error" in answer or answer["result"].get("isError"):
            raise RuntimeError(f"{name}: {json.dumps(answer)[:600]}")
        return took, answer["result"]

    def memory_mb(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            for line in status:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) / 1024
        return 0.0


def handrail(desktop, programs, *apps, surface="classic"):
    """The server with all its gates on; the owner grants the apps of the scenes, and these."""
    picture_viewer = os.path.realpath(shutil.which("display") or "/usr/bin/display")
    text_window = str(pathlib.Path(__file__).parent / "text_window.py")
    granted = [programs.receiver, "/usr/bin/xterm", "org.xfce.mousepad", picture_viewer, text_window, *apps]
    grants = [word for app in granted for word in ("--grant", f"{app}:full")]
    return Client(desktop, [programs.handrail, "mcp", "--desktop", desktop.display, "--surface", surface, *grants])
