"""One task done by text alone, by marks alone and by coordinates alone: the app's own log says that the same came of
it."""
import re
import unittest

from support.desk import Desk, wait_until
from support.one_tool import OneTool

WORDS = "Ada 東京"
DONE = {"press": "Button 3", "check": True, "entry": WORDS}


class Modes(OneTool, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desk = Desk("--size", "1280x1000")
        cls.addClassCleanup(cls.desk.stop)
        cls.client = cls.desk.mcp(surface="universal")

    def setUp(self):
        self.app = self.desk.open("widgets_gtk3", geometry="600x800+20+40", takes_orders=True)
        self.addCleanup(self.app.stop)
        person = self.desk.open("editor_gtk3", geometry="500x700+100+120").wait_focus()
        self.addCleanup(person.stop)
        wait_until(lambda: "'Slider'" in self.use("capture", window_id=self.app.window, mode="ax").text,
                   what="the elements")
        self.before = self.person_state()

    def check_done(self):
        """The last of each kind, and each press once."""
        def done():
            return {event["what"]: event["to"] for event in self.app.log.events("did")} == DONE
        wait_until(done, what=lambda: f"{DONE} in {self.app.log.events('did')}")
        for what in ("press", "check"):
            self.assertEqual(sum(event["what"] == what for event in self.app.log.events("did")), 1)
        wait_until(lambda: self.person_state() == self.before, what=lambda: f"{self.before}, but {self.person_state()}")

    def do_by_number(self, number):
        self.use("click", element=number("push button", "Button 3"))
        self.use("click", element=number("check box", "Check"))
        self.use("set_value", element=number("text", "Entry"), value=WORDS)
        self.check_done()

    def test_by_text_alone(self):
        def number(role, name):
            reply = self.use("capture", window_id=self.app.window, mode="ax")
            self.assertEqual(reply.images, [])
            return int(re.search(rf"^#(\d+) {role} '{name}' ", reply.text, re.MULTILINE).group(1))
        self.do_by_number(number)

    def test_by_marks_alone(self):
        reply = self.use("capture", window_id=self.app.window)
        self.assertEqual(len(reply.images), 1)
        marks = {(row["role"], row.get("name")): row["n"] for row in reply.structured["elements"]}
        self.do_by_number(lambda role, name: marks[role, name])

    def test_by_coordinates_alone(self):
        reply = self.use("capture", window_id=self.app.window, mode="vision")
        self.assertEqual((len(reply.images), reply.structured["elements"]), (1, []))
        frame = self.app.row()["frame"]
        # What a model sees in the picture, the app tells of itself here.
        self.app.order("where")
        self.app.log.wait_count("told", 1)
        places = {event["name"]: event for event in self.app.log.events("button")}

        def at(name):
            place = places[name]
            scale = reply.structured["width"] / frame["width"]
            return [round((place["x"] + place["width"] / 2 - frame["x"]) * scale),
                    round((place["y"] + place["height"] / 2 - frame["y"]) * scale)]
        self.use("click", coordinate=at("Button 3"))
        self.use("click", coordinate=at("Check"))
        self.use("click", coordinate=at("Entry"), delivery="foreground")
        self.use("key", keys="ctrl+a", delivery="foreground")
        self.use("type", text=WORDS, delivery="foreground")
        self.check_done()


if __name__ == "__main__":
    unittest.main()
