"""The layered tools on a real app: seen, found by title and role, pressed, typed into and read back. The app's own log
says what became of it."""
import unittest

from support.desk import APPS, Desk, wait_until

TOOLKITS = [name for name in ("gtk4", "qt5", "qt6") if (APPS / f"widgets_{name}").exists()]


class Layered(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desk = Desk("--size", "1280x800")
        cls.addClassCleanup(cls.desk.stop)
        cls.client = cls.desk.mcp(surface="layered")
        cls.app = cls.desk.open("widgets_gtk3", geometry="500x700+20+40", title="widgets", takes_orders=True)
        cls.probe = cls.desk.open("probe_x11", "--color", "3366cc", geometry="300x200+700+100", title="probe")
        wait_until(lambda: "Button 2" in cls.client.call("ui", {"action": "get_tree", "app": "widgets_gtk3"}).text,
                   what="the elements")

    def use(self, tool, action=None, **arguments):
        return self.client.do(tool, {**({"action": action} if action else {}), **arguments})

    def refused(self, tool, **arguments):
        reply = self.client.call(tool, arguments)
        self.assertTrue(reply.is_error, f"{tool} {arguments}: {reply}")
        return reply.structured["error"]

    def did(self, what, to=None):
        return self.app.log.wait(
            lambda events: [e for e in events if e["event"] == "did" and e["what"] == what and to in (None, e["to"])],
            what=f"{what} {to}")

    def test_finds_presses_types_and_reads_back(self):
        self.assertEqual(len(self.use("screenshot").images), 1)
        reply = self.use("ui", "click", app="widgets_gtk3", title="Button 2", role="push button", settle_ms=500)
        self.did("press", "Button 2")
        self.assertEqual(reply.structured["delivery"], "background")
        self.assertLessEqual(reply.structured["settled"]["settled_ms"], 700)
        self.use("ui", "type", app="widgets_gtk3", title="Entry", role="text", text="Grüße")
        self.app.log.wait(lambda events: [e for e in events if e["event"] == "did" and e["what"] == "entry"
                                          and e["to"].endswith("Grüße")], what="the text")
        self.assertTrue(self.use("ui", "get_value", title="Entry", role="text").structured["value"].endswith("Grüße"))

    def test_finds_in_every_toolkit(self):
        for toolkit in TOOLKITS:
            with self.subTest(toolkit):
                app = self.desk.open(f"widgets_{toolkit}", geometry="400x600+560+150", title=f"more {toolkit}",
                                     takes_orders=True)
                self.addCleanup(app.stop)
                name = f"widgets_{toolkit}"
                wait_until(lambda: "Button 2" in self.client.call("ui", {"action": "get_tree", "app": name}).text,
                           what="the elements")
                self.use("ui", "click", app=name, title="Button 2")
                app.log.wait(lambda events: [e for e in events if e["event"] == "did" and e["what"] == "press"
                                             and e["to"] == "Button 2"], what="the press")

    def test_several_equal_ones_are_told_and_not_guessed(self):
        self.app.log.forget()
        error = self.refused("ui", action="click", app="widgets_gtk3", title="Button", role="push button")
        self.assertEqual(error["code"], "ambiguous")
        self.assertIn("Button 1", error["message"])
        self.assertEqual(self.refused("ui", action="click", title="No such label")["code"], "not_found")
        self.assertEqual([e for e in self.app.log.events("did") if e["what"] == "press"], [])

    def test_translates_pixels_of_a_picture(self):
        x, y, width, height = self.probe.content()
        aim = (x + 40, y + 60)
        shot = self.use("screenshot").structured
        for arguments in ({"x": aim[0], "y": aim[1]},
                          {"x": aim[0] * shot["width"] / 1280, "y": aim[1] * shot["height"] / 800,
                           "image_width": shot["width"], "image_height": shot["height"]},
                          # Somebody made it smaller on the way to the model.
                          {"x": aim[0] / 2, "y": aim[1] / 2, "image_width": 640, "image_height": 400}):
            with self.subTest(arguments):
                self.probe.forget()
                self.use("mouse", "click", **arguments)
                press = self.probe.log.wait_count("press", 1)[0]
                self.assertEqual((press["root_x"], press["root_y"]), aim)

    def test_numbers_by_marks(self):
        reply = self.use("screenshot", marks=True, app="widgets_gtk3")
        self.assertEqual(len(reply.images), 1)
        number = next(row["n"] for row in reply.structured["elements"] if row.get("name") == "Button 1")
        self.app.log.forget()
        self.use("ui", "click", element=number)
        self.did("press", "Button 1")

    def test_bad_input(self):
        self.assertEqual(self.refused("mouse", action="clik", x=1, y=2)["hint"], "Did you mean `click`?")
        self.assertEqual(self.refused("mouse", action="click", x=1)["field"], "y")
        self.assertEqual(self.refused("mouse", action="click", x="1", y=2)["field"], "x")
        self.assertEqual(self.refused("mouse", action="click", x=1, y=2, image_width=9)["field"], "image_height")
        self.assertEqual(self.refused("screenshot", bogus=1)["field"], "bogus")
        self.assertEqual(self.refused("ui", action="click")["field"], "title")
        self.assertEqual(self.refused("audit")["field"], "action")

    def test_tells_what_this_session_did(self):
        self.use("clipboard", "write", text="a secret to keep")
        self.assertEqual(self.use("clipboard", "read").structured["text"], "a secret to keep")
        reply = self.use("audit", "full", most=1000)
        self.assertIn("write_clipboard", [row["action"] for row in reply.structured["rows"]])
        self.assertNotIn("secret", reply.text + str(reply.structured))
        counts = self.use("audit", "summary").structured["counts"]
        self.assertTrue(any(row["action"] == "read_clipboard" and row["calls"] == 1 for row in counts))


if __name__ == "__main__":
    unittest.main()
