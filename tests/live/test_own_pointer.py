"""The pointer of the agent's own comes for an act and is gone after it, whatever becomes of who made it; the app that
it was on goes on, and nothing of the person's is different."""
import random
import time
import unittest

from support.desk import APPS, FULL, Desk, wait_until
from support.one_tool import TOOL, OneTool

KILLS = 60 if FULL else 4
ROUNDS = 20 if FULL else 2
PERSONS = ["Virtual core pointer", "Virtual core keyboard"]


@unittest.skipUnless((APPS / "widgets_gtk4").exists(), "GTK 4 is not here")
class OwnPointer(OneTool, unittest.TestCase):
    def setUp(self):
        self.desk = Desk("--size", "1280x1000")
        self.addCleanup(self.desk.stop)
        # A check box and a list of GTK 4 are nothing that accessibility could reach.
        self.app = self.desk.open("widgets_gtk4", geometry="600x800+20+40", title="widgets", takes_orders=True)
        self.person = self.desk.open("editor_gtk3", geometry="500x700+100+120", title="person").wait_focus()
        wait_until(lambda: self.desk.state()["active"] == self.person.window, what="the person's window in front")
        self.before = self.whole_state()

    def whole_state(self):
        state = self.desk.state()
        return {**self.person_state(), "masters": state["masters"], "cut": state["cut"]}

    def number(self, name):
        def found():
            rows = self.use("capture", window_id=self.app.window, mode="ax").structured["elements"]
            return next((row["n"] for row in rows if row.get("name") == name), None)
        return wait_until(found, what=name)

    def all_as_before(self):
        wait_until(lambda: self.whole_state() == self.before, what=lambda: f"{self.before}, but {self.whole_state()}")

    def told(self, what):
        count = len(self.app.log.events("told"))
        self.app.order("tell")
        self.app.log.wait_count("told", count + 1)
        return [event["to"] for event in self.app.log.events("did") if event["what"] == what]

    def test_is_gone_after_each_act(self):
        self.client = self.desk.mcp(surface="universal")
        self.assertEqual(self.before["masters"], PERSONS)
        for _ in range(ROUNDS):
            for value in ("Green", "Nothing", "Red"):
                reply = self.call("set_value", element=self.number("Drop"), value=value)
                self.assertEqual(reply.is_error, value == "Nothing", reply)
                self.assertNotEqual(self.desk.state()["masters"], PERSONS, "it should rest for a while")
                self.all_as_before()
        # GTK 4 asks about devices that it believes to be over a window when a list opens.
        reply = self.use("set_value", element=self.number("Drop"), value="Blue", delivery="foreground")
        self.assertEqual(self.told("drop")[-1], "Blue", reply)

    def test_its_maker_may_be_killed_at_any_moment(self):
        chance = random.Random(7)
        for _ in range(KILLS):
            self.client = self.desk.mcp(surface="universal")
            check = self.number("Check")
            self.client.tools()
            self.client.start_call(TOOL, {"action": "click", "element": check})
            time.sleep(chance.random() * 0.15)
            self.client.process.kill()
            self.client.wait_exit(30, check=False)
            self.all_as_before()
            self.told("check")  # it lives

    def test_a_list_that_is_open_lives_on_when_its_opener_is_killed(self):
        self.client = self.desk.mcp(surface="universal")
        drop = self.number("Drop")
        self.client.start_call(TOOL, {"action": "set_value", "element": drop, "value": "Nothing"})
        wait_until(lambda: self.desk.state()["masters"] != PERSONS, what="the agent's own pointer")
        time.sleep(1)
        self.client.process.kill()
        self.client.wait_exit(30, check=False)
        self.all_as_before()
        self.client = self.desk.mcp(surface="universal")
        for value in ("Green", "Blue"):
            self.use("set_value", element=self.number("Drop"), value=value, delivery="foreground")
        self.assertEqual(self.told("drop")[-1], "Blue")


if __name__ == "__main__":
    unittest.main()
