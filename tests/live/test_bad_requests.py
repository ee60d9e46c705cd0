"""Bad requests over stdio: each gets an answer or a protocol error, nothing reaches the desktop, and the next good
call works."""
import contextlib
import json
import os
import pathlib
import signal
import unittest

from support import xlib
from support.bad_requests import BadRequests
from support.desk import APPS, HANDRAIL, Desk, EventLog, trials, wait_until

PROGRAM = HANDRAIL
CHUNK = 50
QUIET = {"ready", "focus", "enter", "leave", "configure", "map", "visibility", "client_message"}


class BadRequestsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desk = Desk()
        cls.addClassCleanup(cls.desk.stop)
        cls.probe = cls.desk.open("probe_x11", "--motion", geometry="1200x700+20+40")
        cls.probe.wait_focus()
        cls.clipboard = EventLog(cls.desk.home.folder / "logs" / "clipboard.jsonl")
        owner = cls.desk.launch([str(APPS / "clip_x11"), "own", "--log", str(cls.clipboard.path), "UTF8_STRING=mine"])
        cls.addClassCleanup(os.kill, owner, signal.SIGTERM)
        cls.clipboard.wait_count("owner", 1)

    def setUp(self):
        xlib.put_pointer(self.desk, 400, 300)

    def look(self):
        """What a careless request would change."""
        state = self.desk.state()
        return {"pointer": state["pointer"], "keyboard": state["keyboard"], "windows": state["windows"],
                "focus": state["focus"]}

    def check_untouched(self, before):
        self.assertEqual(self.look(), before)
        self.assertEqual([e for e in self.probe.received() if e["event"] not in QUIET], [])
        self.assertEqual(self.clipboard.events("lost"), [])

    def check_good_call(self, client):
        """Also a fence: what was sent before this click has been logged before it."""
        client.do("screenshot")
        client.do("left_click", {"coordinate": [600, 400]})
        self.probe.log.wait_count("release", 1)
        seen = self.probe.log.events("press", "release", "key")
        self.assertEqual([(e["event"], e["root_x"], e["root_y"]) for e in seen],
                         [("press", 600, 400), ("release", 600, 400)])

    def send_chunk(self, client, bad, size):
        before = len(client.messages)
        lines = [bad.next() for _ in range(size)]
        client.send_bytes(b"".join(line + b"\n" for _, line, _ in lines))
        client.result("tools/list", timeout=300)
        wanted = sum(answers for _, _, answers in lines)
        # What is wrong only in the end, such as a point on no display, is answered in its own time.
        with contextlib.suppress(TimeoutError):
            wait_until(lambda: len(client.messages) - before > wanted, 60)
        got = [m for m in client.messages[before:] if "tools" not in m.get("result", {})]
        if len(got) != wanted:
            self.fail(f"{len(got)} answers to {wanted} requests: {self.explain(lines, got)}")
        by_id = {m["id"]: m for m in got if "id" in m}
        for kind, line, answers in lines:
            if b'"id": "bad-' not in line or not answers:
                continue
            answer = by_id.get(line.split(b'"id": "')[1].split(b'"')[0].decode())
            if answer is not None and "result" in answer:
                taken = f"{kind} was taken: {line[:300]} -> {str(answer)[:300]}"
                self.assertTrue(answer["result"].get("isError"), taken)
                error = answer["result"]["structuredContent"]["error"]
                self.assertTrue(error["hint"], line[:300])
                self.assertEqual(error["side_effects"], "none", line[:300])
        return wanted

    def run_against(self, era, seed, count):
        with self.desk.mcp(era=era, program=PROGRAM) as client:
            bad = BadRequests(seed, client.tools(), client.params)
            client.do("screenshot")
            before = self.look()
            self.probe.forget()
            answered = 0
            for _ in range(count // CHUNK):
                answered += self.send_chunk(client, bad, CHUNK)
            self.check_untouched(before)
            self.check_good_call(client)
            print(f"{era}: n={count // CHUNK * CHUNK} bad requests, {answered} answered, the rest are notifications")
            client.close()
            self.assertEqual(client.process.returncode, 0)
            self.check_stderr(client)

    def check_stderr(self, client):
        text = client.stderr.decode(errors="replace")
        for sign in ("AddressSanitizer", "runtime error", "LeakSanitizer", "terminate called"):
            self.assertNotIn(sign, text)

    def test_the_oracle_notices_a_touch(self):
        """The checks of this file fail when something does reach the desktop."""
        for touch in (lambda: xlib.put_pointer(self.desk, 401, 300), lambda: xlib.set_caps_lock(self.desk, True)):
            before = self.look()
            self.probe.forget()
            touch()
            with self.assertRaises(AssertionError):
                self.check_untouched(before)
        xlib.set_caps_lock(self.desk, False)

    def test_handshake_era(self):
        self.run_against("handshake", 1, trials(6000, 60_000))

    def test_stateless_era(self):
        self.run_against("stateless", 2, trials(4000, 40_000))

    def test_enormous_lines(self):
        with self.desk.mcp(program=PROGRAM) as client:
            before = self.look()
            self.probe.forget()
            piece = b"x" * (1 << 20)
            call = b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"type","arguments":{"text":"'
            for shape in (call, b""):
                count = len(client.messages)
                client.send_bytes(shape)
                for _ in range(100):
                    client.send_bytes(piece)
                client.send_bytes(b"\n")
                client.wait_for(lambda count=count: len(client.messages) > count, 300, "an answer to 100 MB")
                self.assertEqual(client.messages[-1]["error"]["code"], -32600)
            peak = pathlib.Path(f"/proc/{client.process.pid}/status").read_text().split("VmHWM:")[1].split()[0]
            limit = 500_000 if PROGRAM == HANDRAIL else 2_000_000
            self.assertLess(int(peak), limit, "kB: an endless line does not make the program grow")
            self.check_untouched(before)
            self.check_good_call(client)

    def test_long_but_allowed_line(self):
        """Below the limit of a message a text that is too long is refused by name."""
        with self.desk.mcp(program=PROGRAM) as client:
            before = self.look()
            self.probe.forget()
            reply = client.call("type", {"text": "y" * 8_000_000}, timeout=120)
            self.assertTrue(reply.is_error)
            self.assertEqual(reply.error["field"], "text")
            self.check_untouched(before)
            self.check_good_call(client)

    def test_errors_say_what_was_wrong(self):
        rows = [("left_click", {"coordinate": [1, 2, 3]}, "coordinate"), ("left_click", {}, "coordinate"),
                ("left_click", {"coordinate": [1, 2], "txt": "ctrl"}, "txt"), ("scroll", {"coordinate": [1, 1],
                 "scroll_direction": "dwon", "scroll_amount": 1}, "scroll_direction"),
                ("key", {"text": "ctrl+nokey"}, "text"),
                ("wait", {"duration": 61}, "duration"), ("zoom", {"region": [5, 5, 1, 1]}, "region"),
                ("switch_display", {"display": "1"}, "display"),
                ("left_click", {"coordinate": [1, 1], "text": "hyper"}, "text")]
        with self.desk.mcp(program=PROGRAM) as client:
            client.do("screenshot")
            for tool, arguments, field in rows:
                reply = client.call(tool, arguments)
                self.assertTrue(reply.is_error, (tool, arguments))
                self.assertEqual(reply.error["code"], "argument_invalid", (tool, arguments))
                self.assertTrue(reply.error["field"].startswith(field), (tool, arguments, reply.error))
                self.assertTrue(reply.error["hint"], (tool, arguments))
                self.assertIn(field, reply.text)

    @staticmethod
    def explain(lines, got):
        sent = [(kind, line[:200].decode(errors="replace")) for kind, line, _ in lines]
        return json.dumps({"sent": sent, "got": got})[:20000]


if __name__ == "__main__":
    unittest.main()
