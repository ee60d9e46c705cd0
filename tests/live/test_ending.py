"""However and whenever it ends, Handrail leaves no key and no button down; a cancelled call stops at once."""
import json
import random
import signal
import subprocess
import time
import unittest

from support.desk import HANDRAIL, PATIENCE, Desk, most_seconds, trials

LONG_DRAG = {"start_coordinate": [100, 100], "coordinate": [900, 600], "path": [[900, 100], [100, 600]] * 10}
WORK = {
    "left_click_drag": LONG_DRAG,
    "hold_key": {"text": "ctrl+shift+a", "duration": 20},
    "type": {"text": "aÄ日🎉 " * 2000},
    "left_mouse_down": {},
}


class Ending(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desk = Desk()
        cls.addClassCleanup(cls.desk.stop)
        cls.probe = cls.desk.open("probe_x11", "--motion", geometry="1200x700+20+40")
        cls.probe.wait_focus()
        cls.idle = cls.desk.idle_state()

    def start_work(self, tool):
        """A client in the middle of something, seen by the probe to have begun."""
        client = self.desk.mcp()
        client.do("screenshot")
        client.do("mouse_move", {"coordinate": [500, 300]})
        self.probe.forget()
        number = client.start_call(tool, WORK[tool])
        if tool == "left_mouse_down":
            client.finish_call(number, tool)
        begun = ("press", "key")
        self.probe.log.wait(lambda events: any(e["event"] in begun for e in events), PATIENCE, f"the start of {tool}")
        return client, number

    def check_idle(self, what):
        self.assertEqual(self.desk.idle_state(), self.idle, what)

    def check_ending(self, tool, ending, pause):
        client, number = self.start_work(tool)
        time.sleep(pause)
        in_the_middle = not client.has_answer(number) or tool == "left_mouse_down"
        began = time.monotonic()
        if ending == "eof":
            took = client.close()
        else:
            client.process.send_signal(ending)
            took = client.wait_exit(began=began)
        self.check_idle(f"{tool} ended by {ending} after {pause:.3f} s")
        self.assertEqual(client.process.returncode, 0, client.stderr[-500:])
        return took, in_the_middle

    def test_end_in_the_middle(self):
        pick = random.Random(7)
        count = trials(20, 200)
        times, middle = [], 0
        for trial in range(count):
            tool = list(WORK)[trial % len(WORK)]
            ending = ("eof", signal.SIGTERM, signal.SIGINT, signal.SIGHUP)[trial // len(WORK) % 4]
            took, in_the_middle = self.check_ending(tool, ending, pick.uniform(0, 0.3))
            times.append(took)
            middle += in_the_middle
            self.assertLess(took, most_seconds(1.0), f"{tool} ended by {ending}")
        times.sort()
        print(f"n={count} endings, {middle} in the middle of work, exit median {times[count // 2] * 1000:.0f} ms, "
              f"slowest {times[-1] * 1000:.0f} ms, nothing left down")
        self.assertGreater(middle, count * 0.8, "the work must still be going on for this to mean anything")

    def test_end_with_answers_that_nobody_reads(self):
        """A client that stopped reading keeps neither the button down nor the program alive."""
        for ending in ("eof", signal.SIGTERM):
            process = subprocess.Popen([HANDRAIL, "mcp", "--surface", "classic", "--desktop", self.desk.name],
                                       env=self.desk.home.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.addCleanup(process.kill)

            def send(number, method, params):
                message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
                process.stdin.write(json.dumps(message).encode() + b"\n")
                process.stdin.flush()

            client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
            send(1, "initialize", client)
            send(2, "tools/call", {"name": "left_mouse_down"})
            process.stdout.readline()
            self.assertIn(b'"id":2', process.stdout.readline())
            self.assertNotEqual(self.desk.idle_state(), self.idle, "the button is down")
            for number in range(3, 30):
                send(number, "tools/list", {})
            began = time.monotonic()
            if ending == "eof":
                process.stdin.close()
            else:
                process.send_signal(ending)
            process.wait(PATIENCE)
            self.assertLess(time.monotonic() - began, most_seconds(3.0), ending)
            self.check_idle(f"ended by {ending} with unread answers")
            process.stdout.close()

    def test_end_while_idle(self):
        client = self.desk.mcp()
        client.do("screenshot")
        self.assertLess(client.close(), most_seconds(1.0))
        self.assertEqual(client.process.returncode, 0)

    def test_looks_are_answered_before_the_end(self):
        client = self.desk.mcp()
        number = client.start_call("screenshot")
        client.close()
        self.assertTrue(client.has_answer(number), "a picture that was asked for comes, although the input has ended")

    def test_cancelled_work_stops(self):
        for tool in ("left_click_drag", "hold_key", "type"):
            for _ in range(trials(2, 30)):
                client, number = self.start_work(tool)
                with client:
                    time.sleep(0.05)
                    self.assertFalse(client.has_answer(number), f"{tool} was over too early")
                    cancelled = time.monotonic() * 1000
                    client.cancel(number)
                    # The next call of the line runs when the cancelled one has let go of everything.
                    client.do("cursor_position")
                    client.do("mouse_move", {"coordinate": [500, 300]})
                    self.check_idle(f"{tool} cancelled")
                    late = [e["t"] - cancelled for e in self.probe.received("key", "press") if e["t"] > cancelled]
                    self.assertLess(max(late, default=0), most_seconds(0.15) * 1000, f"ms that {tool} went on")
                    self.assertFalse(client.has_answer(number), "a cancelled request is not answered")

    def test_cancelled_wait_ends(self):
        with self.desk.mcp() as client:
            number = client.start_call("wait", {"duration": 60})
            client.cancel(number)
            began = time.monotonic()
            client.do("screenshot")
            client.do("mouse_move", {"coordinate": [300, 300]})
            self.assertLess(time.monotonic() - began, most_seconds(2))


if __name__ == "__main__":
    unittest.main()
