"""The first pictures of an app that has just started: once it shows, it goes on to show, hints included."""
import unittest

from support.desk import Desk, wait_until

APP = "galculator"
LOOKS = 12


class FirstLooks(unittest.TestCase):
    def test_an_app_with_a_hint_is_not_covered_again(self):
        desk = Desk("--size", "1280x800")
        self.addCleanup(desk.stop)
        with desk.mcp("--grant", f"{APP}:full") as client:
            client.do("open_application", {"app": APP})
            # The pointer rests in the middle, on a button, so that its hint comes half a second after the window.
            first = wait_until(lambda: self.clear(client.do("screenshot")), what="a clear picture")
            for _ in range(LOOKS):
                client.do("wait", {"duration": 0.1})
                now = client.do("screenshot")
                self.assertTrue(self.clear(now), now)
            self.assertTrue(first)

    def clear(self, reply):
        return "covered" not in reply.text


if __name__ == "__main__":
    unittest.main()
