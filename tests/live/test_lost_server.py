"""An X server that dies, comes back or stops answering under a running Handrail."""
import signal
import time
import unittest

from support.desk import PlainX, most_seconds, trials

MOST_SECONDS = most_seconds(3.0)
# Calls that need the desktop.
CALLS = [("screenshot", {}), ("cursor_position", {}), ("left_click", {"coordinate": [100, 100]}),
         ("mouse_move", {"coordinate": [50, 50]}), ("type", {"text": "aé"}), ("key", {"text": "a"}),
         ("scroll", {"coordinate": [9, 9], "scroll_direction": "down", "scroll_amount": 2}), ("read_clipboard", {}),
         ("write_clipboard", {"text": "x"}), ("zoom", {"region": [0, 0, 50, 50]}),
         ("left_click_drag", {"start_coordinate": [10, 10], "coordinate": [90, 90]}), ("left_mouse_down", {}),
         ("left_mouse_up", {}), ("hold_key", {"text": "a", "duration": 0.05}), ("switch_display", {"display": 0})]


def timed(client, tool, arguments):
    began = time.monotonic()
    reply = client.call(tool, arguments)
    return reply, time.monotonic() - began


class LostServer(unittest.TestCase):
    def setUp(self):
        self.x = PlainX()
        self.addCleanup(self.x.stop)
        self.client = self.x.mcp()
        self.addCleanup(lambda: self.client.close(check=False))
        self.client.do("screenshot")

    def check_works(self):
        probe = self.x.open("probe_x11", geometry="300x200+100+100")
        self.client.do("screenshot")
        self.client.do("left_click", {"coordinate": [150, 160]})
        press = probe.log.wait_count("press", 1)[0]
        self.assertEqual((press["root_x"], press["root_y"]), (150, 160))
        self.client.do("write_clipboard", {"text": "back again"})
        self.assertEqual(self.x.oracle("clip_x11", "read", "UTF8_STRING"), "back again")
        self.assertEqual((self.x.idle_state()["pressed"], self.x.idle_state()["buttons"]), ([], 0))

    def test_killed_and_back(self):
        for round_ in range(trials(2, 20)):
            self.x.kill()
            slowest = 0
            for tool, arguments in CALLS:
                reply, took = timed(self.client, tool, arguments)
                slowest = max(slowest, took)
                self.assertTrue(reply.is_error, f"{tool}: {reply}")
                self.assertEqual(reply.error["code"], "backend_lost", f"{tool}: {reply}")
                self.assertTrue(reply.error["hint"], tool)
                self.assertLess(took, MOST_SECONDS, tool)
            print(f"round {round_}: {len(CALLS)} calls without a server, slowest {slowest * 1000:.0f} ms")
            self.assertTrue(self.x.start())
            self.check_works()

    def test_calls_that_need_no_desktop_go_on(self):
        self.x.kill()
        self.assertFalse(self.client.call("list_granted_applications").is_error)
        self.assertFalse(self.client.call("wait", {"duration": 0.05}).is_error)

    def test_server_that_comes_later(self):
        """A display that is down when the program starts."""
        self.x.kill()
        with self.x.mcp() as client:
            self.assertEqual(client.call("screenshot").error["code"], "backend_lost")
            self.assertTrue(self.x.start())
            client.do("screenshot")

    def test_killed_in_the_middle(self):
        for tool, arguments in (("hold_key", {"text": "a", "duration": 20}), ("type", {"text": "añ" * 3000}),
                                ("left_click_drag", {"start_coordinate": [10, 10], "coordinate": [1200, 700],
                                                     "path": [[1200, 10], [10, 700]] * 20})):
            probe = self.x.open("probe_x11", "--motion", geometry="1280x800+0+0")
            self.client.do("screenshot")
            self.client.do("left_click", {"coordinate": [600, 400]})
            probe.forget()
            number = self.client.start_call(tool, arguments)
            probe.log.wait(lambda events: len(events) > 0, what=f"the start of {tool}")
            self.x.kill()
            began = time.monotonic()
            reply = self.client.finish_call(number, tool)
            self.assertLess(time.monotonic() - began, MOST_SECONDS, tool)
            self.assertEqual(reply.error.get("code"), "backend_lost", f"{tool}: {reply}")
            self.assertNotEqual(reply.error["side_effects"], "none", tool)
            self.assertTrue(self.x.start())
            self.client.do("screenshot")
            self.assertEqual(self.x.idle_state()["pressed"], [])


class StoppedServer(unittest.TestCase):
    def test_every_call_answers_in_time(self):
        with PlainX() as x, x.mcp() as client:
            probe = x.open("probe_x11", geometry="1280x800+0+0")
            client.do("screenshot")
            slowest = 0
            for tool, arguments in CALLS:
                probe.forget()
                x.server.send_signal(signal.SIGSTOP)
                try:
                    reply, took = timed(client, tool, arguments)
                finally:
                    x.server.send_signal(signal.SIGCONT)
                slowest = max(slowest, took)
                self.assertLess(took, MOST_SECONDS, f"{tool}: {reply}")
                if reply.is_error:
                    self.assertIn(reply.error["code"], ("timeout", "backend_lost"), f"{tool}: {reply}")
                client.do("screenshot")
                acted = probe.received("press", "key")
                if acted:
                    self.assertTrue(not reply.is_error or reply.error["side_effects"] != "none",
                                    f"{tool} acted when the server went on, but said: {reply}")
            client.call("left_mouse_up")
            state = x.idle_state()
            self.assertEqual((state["pressed"], state["buttons"]), ([], 0))
            print(f"{len(CALLS)} calls with a stopped server, slowest {slowest * 1000:.0f} ms")


if __name__ == "__main__":
    unittest.main()
