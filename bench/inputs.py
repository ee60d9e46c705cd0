"""Clicks and typed text, timed until the app at the other end has them."""
import json
import os
import pathlib
import subprocess
import time

from mcp import handrail
from scene import PATIENCE, read_line

HERE = pathlib.Path(__file__).parent
RECEIVERS = {
    "terminal": ["xterm", "-u8", "-title", "bench text", "-e", "/usr/bin/python3", str(HERE / "terminal_reader.py")],
    "gtk": ["/usr/bin/python3", str(HERE / "text_window.py")],
}
# In lines, as people write: a text view lays out the whole paragraph again at every character of it.
TEXTS = {
    "ascii": ("The quick brown fox jumps over the lazy dog; 0123 (and) [more].\n" * 16)[:1000],
    "mixed": ("héllo wörld Ünïcode ñ € 日本語 한국어 Ελληνικά Русский 🎉✓ “q” ∑∫√\n" * 20)[:1000],
}


class Receiver:
    """An app that tells what was typed into it."""

    def __init__(self, desktop, command):
        self.desktop = desktop
        paths = [f"{desktop.folder.name}/{name}" for name in ("commands", "answers")]
        self.paths = paths
        for path in paths:
            os.mkfifo(path)
        self.process = desktop.start([*command, *paths])
        self.commands = open(paths[0], "wb", buffering=0)
        self.answers = open(paths[1], "rb", buffering=0)
        self.answer("ready")

    def answer(self, key, seconds=PATIENCE):
        """The next answer that has the key; a window may be mapped, and say so, more than once."""
        while (line := read_line(self.answers, seconds)) is not None:
            answer = json.loads(line)
            if key in answer:
                return answer
        return None

    def close(self):
        self.commands.close()
        self.desktop.stop(self.process)
        self.answers.close()
        for path in self.paths:
            os.unlink(path)

    def receive(self, text, send, seconds):
        """(milliseconds until the app has as many characters, whether they are the same)."""
        self.commands.write(f"{len(text)}\n".encode())
        self.answer("ready")
        start = now_ms()
        send()
        answer = self.answer("at_ms", seconds)
        if answer is None:
            self.commands.write(b"give up\n")
            answer = self.answer("at_ms")
        took = None if answer["at_ms"] is None else answer["at_ms"] - start
        # A terminal in raw mode gets Return as a carriage return.
        return took, answer["text"].replace("\r", "\n") == text


def now_ms():
    return time.clock_gettime(time.CLOCK_MONOTONIC) * 1e3


def next_event(stream, wanted, seconds=5):
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        line = read_line(stream, left)
        if line is None:
            break
        event = json.loads(line)
        if event.get("event") == wanted:
            return event
    raise RuntimeError(f"the receiver saw no {wanted}")


def place(desktop, title):
    """(window id, centre of the window on the screen)."""
    window = desktop.ask("xdotool", "search", "--name", f"^{title}$").split()[-1]
    facts = dict(line.split("=") for line in desktop.ask("xdotool", "getwindowgeometry", "--shell", window).split())
    return window, (int(facts["X"]) + int(facts["WIDTH"]) // 2, int(facts["Y"]) + int(facts["HEIGHT"]) // 2)


def in_picture(desktop, point, result):
    """A point of the screen in the pixels of the screenshot that `result` describes."""
    facts = result["structuredContent"]
    facts = facts.get("data", facts)
    return [point[0] * facts["width"] / desktop.size[0], point[1] * facts["height"] / desktop.size[1]]


def measure_clicks(results, desktop, programs, rounds):
    receiver = desktop.start([programs.receiver], stdout=-1)
    next_event(receiver.stdout, "map")
    desktop.settle()
    _, centre = place(desktop, "bench receiver")
    raw = desktop.start([programs.raw_click], stdin=-1, stdout=-1)
    with handrail(desktop, programs) as client:
        at = in_picture(desktop, centre, client.tool("screenshot")[1])
        for round_number in range(rounds + 2):
            wall, _ = client.tool("left_click", coordinate=at)
            seen = next_event(receiver.stdout, "press")["at_ms"] - client.sent_at_ms
            let_go = next_event(receiver.stdout, "release")["at_ms"] - client.sent_at_ms
            raw.stdin.write(f"{centre[0] - 3} {centre[1]}\n".encode())
            raw_start = float(read_line(raw.stdout))
            next_event(receiver.stdout, "press")
            raw_let_go = next_event(receiver.stdout, "release")["at_ms"] - raw_start
            other_start = now_ms()
            subprocess.run(["xdotool", "mousemove", str(centre[0] + 3), str(centre[1]), "click", "1"], env=desktop.env,
                           check=True)
            other_wall = now_ms() - other_start
            other_seen = next_event(receiver.stdout, "press")["at_ms"] - other_start
            next_event(receiver.stdout, "release")
            if round_number >= 2:
                results.add("click", "handrail wall", wall)
                results.add("click", "handrail seen", seen)
                results.add("click", "handrail whole", let_go)
                results.add("click", "raw whole", raw_let_go)
                results.add("click", "gates cost", let_go - raw_let_go)
                results.add("click", "xdotool wall", other_wall)
                results.add("click", "xdotool seen", other_seen)
            # Two clicks of one client within the double click time would be another thing to measure.
            time.sleep(0.05)
        tools = [tool["name"] for tool in client.call("tools/list", {})["tools"]]
        if "list_windows" in tools:
            for _ in range(rounds):
                results.add("windows", "handrail", client.tool("list_windows")[0])
    desktop.stop(raw)
    desktop.stop(receiver)


def xdotool_type(text):
    """One xdotool that types the lines; it has no line break of its own, so Return comes as a key."""
    command = ["xdotool"]
    for number, line in enumerate(text.split("\n")):
        command += ["key", "Return"] if number else []
        command += ["type", "--args", "1", line] if line else []
    return command


def measure_typing(results, make_desktop, programs, rounds):
    for place_name, command in RECEIVERS.items():
        for name, text in TEXTS.items():
            with make_desktop() as desktop:
                group = f"type {name} {place_name}"
                receiver = Receiver(desktop, command)
                window, centre = place(desktop, "bench text")
                desktop.ask("xdotool", "windowactivate", "--sync", window)
                desktop.settle()
                with handrail(desktop, programs) as client:
                    client.tool("left_click", coordinate=in_picture(desktop, centre, client.tool("screenshot")[1]))
                    for _ in range(rounds):
                        results.add_text(group, "handrail",
                                         *receiver.receive(text, lambda text=text: client.tool("type", text=text), 30))
                # Last, and on a desktop of its own: its keymap changes keep Openbox busy, and the focus
                # late, long after it has ended. At seven seconds a time, two are enough.
                for _ in range(min(2, rounds)):
                    typing = xdotool_type(text)
                    results.add_text(group, "xdotool", *receiver.receive(
                        text, lambda typing=typing: subprocess.run(typing, env=desktop.env, check=True), 5))
                receiver.close()
