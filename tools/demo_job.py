#!/usr/bin/env python3
"""Plays a short real job on an embedded desktop through a real MCP connection and checks what came of it.

demo_job.py HANDRAIL DESKTOP PICTURES: the program, the name of a running embedded desktop, and the folder for the
screenshots. Every result is read back by another way than it went in: the saved file from disk, what was typed and
what was computed from the clipboard that the app itself filled.
"""
import base64
import itertools
import json
import pathlib
import queue
import subprocess
import sys
import threading
import time

EDITOR = "org.xfce.mousepad"
CALCULATOR = "galculator"
LINE = "héllo Ünïcödé 日本語 🎉 Привет العربية"
SUM, TOTAL = "12*34+56", "464"
PATIENCE = 15.0  # seconds for any one condition


class Failed(Exception):
    """A step did not hold; the text says what was expected and what was seen."""


class McpClient:
    """The client side of MCP over stdio, with the handshake that every client knows."""

    def __init__(self, command, log):
        self._log = open(log, "wb")
        self._server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log)
        self._ids = itertools.count(1)
        self._messages = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.log = log

    def _read(self):
        for line in self._server.stdout:
            self._messages.put(json.loads(line))
        self._messages.put(None)

    def _send(self, message):
        try:
            self._server.stdin.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
            self._server.stdin.flush()
        except BrokenPipeError:
            raise Failed(f"the server ended; its log is {self.log}") from None

    def request(self, method, params):
        wanted = next(self._ids)
        self._send({"jsonrpc": "2.0", "id": wanted, "method": method, "params": params})
        while True:
            try:
                message = self._messages.get(timeout=60)
            except queue.Empty:
                raise Failed(f"no answer to {method} within 60 s") from None
            if message is None:
                raise Failed(f"the server ended; its log is {self.log}")
            if message.get("id") != wanted:
                continue
            if "error" in message:
                raise Failed(f"{method}: {message['error']['message']}")
            return message["result"]

    def connect(self):
        hello = self.request("initialize", {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "demo job", "version": "1"}})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return hello

    def call(self, tool, **arguments):
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        if result.get("isError"):
            raise Failed(f"{tool}: " + " ".join(part.get("text", "") for part in result["content"]))
        return result

    def close(self):
        self._server.stdin.close()
        code = self._server.wait(timeout=10)
        self._log.close()
        return code


class Job:
    def __init__(self, handrail, desktop, pictures):
        self.handrail, self.desktop, self.pictures = handrail, desktop, pictures
        self.client = McpClient([handrail, "mcp", "--desktop", desktop, "--surface", "classic"],
                                pictures / "server.log")
        self.shots = itertools.count(1)

    # One line for each step: its time, its name, what was seen.
    def step(self, name, run):
        start = time.monotonic()
        try:
            seen = run()
        except Failed as failure:
            print(f"   failed  {name:<22} {failure}", flush=True)
            raise
        print(f"{(time.monotonic() - start) * 1000:7.1f} ms  {name:<22} {seen}", flush=True)

    def until(self, what, read, holds):
        """Reads again and again until the condition holds; the answer that did."""
        deadline = time.monotonic() + PATIENCE
        while True:
            seen = read()
            if holds(seen):
                return seen
            if time.monotonic() > deadline:
                raise Failed(f"{what} within {PATIENCE:g} s; last seen: {seen!r}")
            time.sleep(0.01)

    def picture(self, tool, **arguments):
        content = self.client.call(tool, **arguments)["content"]
        return next(part["data"] for part in content if part["type"] == "image")

    def screenshot(self, name):
        path = self.pictures / f"{next(self.shots)}-{name}.png"
        path.write_bytes(base64.b64decode(self.picture("screenshot", format="png")))
        return path

    # The screen showed the same picture for a tenth of a second: what an agent would wait for before it goes on.
    def settle(self):
        since, last = time.monotonic(), None

        def still():
            nonlocal since, last
            image = self.picture("screenshot")
            if image != last:
                since, last = time.monotonic(), image
            return time.monotonic() - since > 0.1

        self.until("the screen came to rest", still, lambda rested: rested)

    def command(self, *arguments):
        done = subprocess.run([self.handrail, *arguments], capture_output=True, text=True, timeout=30)
        if done.returncode != 0:
            raise Failed(f"handrail {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout

    def windows(self):
        # Titles are told of granted apps only.
        grants = [word for app in (EDITOR, CALCULATOR) for word in ("--grant", f"{app}:read")]
        return json.loads(self.command("do", "list_windows", "--desktop", self.desktop, "--json", *grants))["windows"]

    def focused(self):
        return next((window["title"] for window in self.windows() if window["focused"]), "")

    def open(self, app):
        opened = self.client.call("open_application", app=app)["structuredContent"]
        if not opened.get("window"):
            raise Failed(f"{app} was started but showed no window")
        self.until(f"{app} has the keyboard",
                   self.windows, lambda all_: any(w["id"] == opened["window"] and w["focused"] for w in all_))
        return opened

    # What the app puts on the clipboard for ctrl+c. A marker is there before, so an app that copies nothing is noticed.
    def copy(self, *keys):
        marker = f"nothing copied yet {time.monotonic_ns()}"
        self.client.call("write_clipboard", text=marker)
        for chord in keys:
            self.client.call("key", text=chord)
        return self.until("the app copied something", lambda: self.client.call("read_clipboard")["structuredContent"],
                          lambda seen: seen.get("text", marker) != marker)["text"]

    def run(self):
        self.step("connect", self.connect)
        self.step("ask for access", self.ask_for_access)
        self.step("open the editor", self.open_editor)
        self.step("type a line", self.type_line)
        self.step("read the editor back", lambda: self.same(self.copy("ctrl+a", "ctrl+c"), LINE))
        self.step("look", lambda: self.screenshot("editor"))
        self.step("save as", self.open_save_dialog)
        self.step("look", lambda: self.screenshot("save-dialog"))
        self.step("read the file back", self.save)
        self.step("open the calculator", self.open_calculator)
        self.step("compute", self.compute)
        self.step("read the result back", lambda: self.same(self.copy("ctrl+c"), TOTAL))
        self.step("look", lambda: self.screenshot("calculator"))
        self.step("disconnect", self.disconnect)

    def connect(self):
        server = self.client.connect()
        tools = self.client.request("tools/list", {})["tools"]
        return f"Handrail {server['serverInfo']['version']}, MCP {server['protocolVersion']}, {len(tools)} tools"

    def ask_for_access(self):
        access = self.client.call(
            "request_access", apps=[{"app": EDITOR, "tier": "full"}, {"app": CALCULATOR, "tier": "full"}],
            reason="Write a line, save it, compute a sum.", clipboard_read=True, clipboard_write=True)
        granted = access["structuredContent"].get("granted", [])
        if len(granted) < 2:
            raise Failed(f"access to two apps was asked for, granted: {granted}")
        return ", ".join(f"{grant['app']} ({grant['tier']})" for grant in granted)

    def open_editor(self):
        opened = self.open(EDITOR)
        self.settle()
        if " - " not in self.focused():
            # A desktop that ended with unsaved work makes the editor ask first whether to restore it.
            self.client.call("key", text="Escape")
        title = self.until("the editor has a document", self.focused, lambda seen: " - " in seen)
        if not title.startswith("Untitled 1 "):
            # Something of an earlier run: leave it alone.
            self.client.call("key", text="ctrl+n")
            title = self.until("a new document is open", self.focused, lambda seen: seen and seen != title)
        self.settle()
        return f"window {opened['window']}, {title!r}"

    def type_line(self):
        self.client.call("type", text=LINE)
        return f"{len(LINE)} characters: {LINE}"

    def open_save_dialog(self):
        before = self.focused()
        self.client.call("key", text="ctrl+s")
        dialog = self.until("a dialog has the keyboard", self.focused, lambda title: title and title != before)
        self.settle()
        return f"dialog {dialog!r}"

    def save(self):
        desktops = json.loads(self.command("desktop", "list", "--json"))
        home = next(each["home"] for each in desktops if each["name"] == self.desktop)
        path = pathlib.Path(home) / f"note-{time.time_ns()}.txt"
        dialog = next(window for window in self.windows() if window["focused"])
        # The button in the corner is off while there is no name, and stays off for a moment after there is one.
        x, y, width, height = dialog["area"]
        corner = [x + width - 110, y + height - 60, x + width, y + height]
        button_off = self.picture("zoom", region=corner)
        self.client.call("type", text=path.name)
        self.until("the Save button comes on", lambda: self.picture("zoom", region=corner),
                   lambda seen: seen != button_off)
        self.client.call("key", text="Return")
        self.until("the dialog is gone", self.focused, lambda title: title and title != dialog["title"])
        text = self.until("the file is written", lambda: path.read_text() if path.exists() else None,
                          lambda seen: seen is not None and seen.strip())
        return f"{path}: {self.same(text.removesuffix(chr(10)), LINE)}"

    def open_calculator(self):
        opened = self.open(CALCULATOR)
        # Clears what an earlier run left.
        self.client.call("key", text="Escape")
        return f"window {opened['window']}, {self.focused()!r}"

    def compute(self):
        self.client.call("type", text=SUM)
        self.client.call("key", text="Return")
        return SUM

    def disconnect(self):
        code = self.client.close()
        if code != 0:
            raise Failed(f"the server ended with status {code}; its log is {self.client.log}")
        return "the server ended, the desktop stays"

    def same(self, seen, expected):
        if seen != expected:
            raise Failed(f"expected {expected!r}, read {seen!r}")
        return f"{seen}  (as expected)"


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    handrail, desktop, pictures = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    pictures.mkdir(parents=True, exist_ok=True)
    for old in pictures.glob("*.png"):
        old.unlink()
    start = time.monotonic()
    job = Job(handrail, desktop, pictures)
    try:
        job.run()
    except Failed:
        try:
            print(f"What the screen shows now: {job.screenshot('failure')}")
        except Exception:  # the connection itself may be what failed
            pass
        sys.exit("The job did not come through; the first line marked `failed` says what did not hold.")
    print(f"{(time.monotonic() - start) * 1000:7.1f} ms  in all; everything was read back as expected.")


if __name__ == "__main__":
    main()
