"""Screenshots: Handrail over MCP, the one-thread limit, Python, and the command line tools."""
import base64
import io
import json
import pathlib
import subprocess
import time

from mcp import handrail

PEER = str(pathlib.Path(__file__).with_name("pillow_peer.py"))


class Coprocess:
    """A program that answers each line with one line."""

    def __init__(self, desktop, command):
        self.process = desktop.start(command, stdin=-1, stdout=-1)
        self.lines = io.BufferedReader(self.process.stdout)

    def ask(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        return json.loads(self.lines.readline())


def check_picture(result):
    """A reply that is fast and wrong must not count."""
    images = [block for block in result["content"] if block["type"] == "image"]
    if len(images) != 1:
        raise RuntimeError(f"the screenshot has {len(images)} pictures")
    probe = subprocess.run(["identify", "-format", "%m %wx%h", "-"], input=base64.b64decode(images[0]["data"]),
                           capture_output=True, check=True).stdout.decode()
    if probe != "JPEG 1456x819":
        raise RuntimeError(f"the screenshot is {probe}")


def timed_command(desktop, command):
    start = time.perf_counter()
    subprocess.run(command, env=desktop.env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return (time.perf_counter() - start) * 1e3


def measure(results, desktop, programs, rounds):
    name = "4K" if desktop.size[1] == 2160 else "1080p"
    desktop.fill()
    file = desktop.folder.name + "/shot.jpg"
    tools = {"scrot": ["scrot", "-o", "-q", "75", file], "maim": ["maim", "-f", "jpg", file],
             "import": ["import", "-window", "root", "-quality", "75", file],
             "python fresh": ["/usr/bin/python3", PEER, "once"]}
    limit = Coprocess(desktop, [programs.limit])
    pillow = Coprocess(desktop, ["/usr/bin/python3", PEER])
    with handrail(desktop, programs) as client:
        check_picture(client.tool("screenshot")[1])
        for round_number in range(rounds + 2):
            sample = {}
            parts = limit.ask("shot")
            for part, value in parts.items():
                if part.endswith("bytes"):
                    results.add(f"bytes {name}", part, value)
                else:
                    sample["limit" if part == "total" else f"limit {part}"] = value
            sample["handrail"] = client.timed(client.request("tools/call", {"name": "screenshot", "arguments": {}}))[0]
            sample["handrail png"] = client.tool("screenshot", format="png")[0]
            sample["pillow lanczos"] = pillow.ask("lanczos")
            sample["pillow box"] = pillow.ask("box")
            # The slow ones need fewer samples for a steady median.
            if round_number % 4 == 2 or rounds < 10:
                sample.update({tool: timed_command(desktop, command) for tool, command in tools.items()})
            if round_number >= 2:  # the first two warm up caches and pages of everybody
                for contender, value in sample.items():
                    results.add(f"shot {name}", contender, value)
    desktop.stop(limit.process)
    desktop.stop(pillow.process)
