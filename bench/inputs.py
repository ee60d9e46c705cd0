"""Clicks and typed text, timed until the app at the other end has them."""
import json
import pathlib
import subprocess
import time

from mcp import handrail
from scene import read_line

TEXT_WINDOW = str(pathlib.Path(__file__).with_name("text_window.py"))
ASCII = ("The quick brown fox jumps over the lazy dog; 0123456789 (and) [more] {of} <it>. " * 13)[:1000]
MIXED = ("héllo wörld Ünïcode ñ € 日本語 한국어 Ελληνικά Русский 🎉✓ naïve façade — “quotes” ∑∫√ " * 20)[:1000]


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
    with handrail(desktop, programs) as client:
        at = in_picture(desktop, centre, client.tool("screenshot")[1])
        for round_number in range(rounds + 2):
            start = now_ms()
            wall, _ = client.tool("left_click", coordinate=at)
            seen = next_event(receiver.stdout, "press")["at_ms"] - start
            next_event(receiver.stdout, "release")
            other_start = now_ms()
            subprocess.run(["xdotool", "mousemove", str(centre[0] + 3), str(centre[1]), "click", "1"], env=desktop.env,
                           check=True)
            other_wall = now_ms() - other_start
            other_seen = next_event(receiver.stdout, "press")["at_ms"] - other_start
            next_event(receiver.stdout, "release")
            if round_number >= 2:
                results.add("click", "handrail wall", wall)
                results.add("click", "handrail seen", seen)
                results.add("click", "xdotool wall", other_wall)
                results.add("click", "xdotool seen", other_seen)
            # Two clicks of one client within the double click time would be another thing to measure.
            time.sleep(0.05)
        tools = [tool["name"] for tool in client.call("tools/list", {})["tools"]]
        if "list_windows" in tools:
            for _ in range(rounds):
                results.add("windows", "handrail", client.tool("list_windows")[0])
    desktop.stop(receiver)


def typed(app, text, send, seconds):
    """(milliseconds until the app has all of the text, whether it is the same text)."""
    app.stdin.write(f"{len(text)}\n".encode())
    read_line(app.stdout)
    start = now_ms()
    send()
    line = read_line(app.stdout, seconds)
    if line is None:
        app.stdin.write(b"give up\n")
        line = read_line(app.stdout)
    answer = json.loads(line)
    took = None if answer["at_ms"] is None else answer["at_ms"] - start
    return took, answer["text"] == text


def measure_typing(results, desktop, programs, rounds):
    app = desktop.start(["/usr/bin/python3", TEXT_WINDOW], stdin=-1, stdout=-1)
    read_line(app.stdout)
    window, centre = place(desktop, "bench text")
    desktop.ask("xdotool", "windowactivate", "--sync", window)
    desktop.settle()
    with handrail(desktop, programs) as client:
        client.tool("left_click", coordinate=in_picture(desktop, centre, client.tool("screenshot")[1]))
        for name, text in (("ascii", ASCII), ("mixed", MIXED)):
            for round_number in range(rounds):
                took, right = typed(app, text, lambda text=text: client.tool("type", text=text), 30)
                results.add_text("type " + name, "handrail", took, right)
                if round_number >= 2:  # at seven seconds a time, two are enough
                    continue
                command = ["xdotool", "type", "--clearmodifiers", text]
                took, right = typed(app, text, lambda c=command: subprocess.run(c, env=desktop.env, check=True), 10)
                results.add_text("type " + name, "xdotool", took, right)
    desktop.stop(app)
