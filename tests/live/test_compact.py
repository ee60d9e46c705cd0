"""The one tool `computer` on a real app: found by discover, seen, pressed and read back. The app's own log says what
became of it."""
import re
import unittest

from support.desk import Desk, wait_until

TOOL = "computer"


class Compact(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desk = Desk("--size", "1280x800")
        cls.addClassCleanup(cls.desk.stop)
        cls.client = cls.desk.mcp(surface="compact")
        cls.app = cls.desk.open("widgets_gtk3", geometry="500x700+20+40", title="widgets", takes_orders=True)
        cls.person = cls.desk.open("editor_gtk3", geometry="300x300+800+120", title="person").wait_focus()
        wait_until(lambda: "Button 2" in cls.client.call(TOOL, {"action": "ui", "window": cls.app.window}).text,
                   what="the elements")

    def call(self, action, **arguments):
        return self.client.call(TOOL, {"action": action, **arguments})

    def use(self, action, **arguments):
        return self.client.do(TOOL, {"action": action, **arguments})

    def refused(self, action, **arguments):
        reply = self.call(action, **arguments)
        self.assertTrue(reply.is_error, f"{action} {arguments}: {reply}")
        return reply.structured["error"]

    def number(self, name):
        """Of the element of that name, as the tree tells it."""
        text = self.use("ui", window=self.app.window).text
        found = re.search(rf"#(\d+) [a-z ]+ '{name}'", text)
        self.assertTrue(found, f"no {name} in {text}")
        return int(found[1])

    def did(self, what, to=None):
        return self.app.log.wait(
            lambda events: [e for e in events if e["event"] == "did" and e["what"] == what and to in (None, e["to"])],
            what=f"{what} {to}")

    def test_tells_of_itself(self):
        tools = self.client.result("tools/list")["tools"]
        self.assertEqual([tool["name"] for tool in tools], [TOOL])
        told = self.use("discover", category="ax").text
        self.assertIn("press(element: integer", told)
        self.assertIn("background", told)
        self.assertIn("list_windows()", self.use("discover", category="all").text)

    def test_sees_presses_and_reads_back(self):
        shot = self.use("screenshot")
        self.assertEqual(len(shot.images), 1)
        self.assertIn("the point of a pixel is (0 + px * 1, 0 + py * 1)", shot.text)
        state = self.desk.state()
        reply = self.use("press", element=self.number("Button 2"))
        self.did("press", "Button 2")
        self.assertEqual(reply.structured["delivery"], "background")
        entry = self.number("Entry")
        self.assertEqual(self.use("set_value", element=entry, value="Grüße 東京").structured["effect"], "confirmed")
        self.did("entry", "Grüße 東京")
        self.assertEqual(self.use("get_value", element=entry).structured["value"], "Grüße 東京")
        after = self.desk.state()
        self.assertEqual((after["focus"], after["pointer"]), (state["focus"], state["pointer"]))

    def test_finds_by_label_and_by_point(self):
        self.use("press_named", app="widgets_gtk3", name="Button 1", role="push button")
        self.did("press", "Button 1")
        found = self.use("find_element", app="widgets_gtk3", name="Button 0").structured["elements"][0]
        x, y, width, height = found["box"]
        there = self.use("element_at", at=[x + width / 2, y + height / 2]).structured
        self.assertEqual((there["found"], there["name"], there["box"]), (True, "Button 0", found["box"]))
        self.app.log.forget()
        self.use("press", element=there["element"])
        self.did("press", "Button 0")
        # A point of the same box, by hand.
        self.app.log.forget()
        self.use("click", at=[x + width / 2, y + height / 2], delivery="foreground")
        self.did("press", "Button 0")

    def test_holds_modifiers(self):
        row = self.person.content()
        self.use("click", at=[row[0] + 50, row[1] + 50])
        self.person.wait_focus()
        self.use("type", text="abc")
        self.person.log.wait(lambda _: self.person.log.text().endswith("abc"))
        self.use("key_down", keys="shift")
        self.addCleanup(self.call, "key_up", keys="shift")
        self.assertTrue(self.desk.state()["keyboard"]["pressed"])
        self.use("key_up", keys="shift")
        self.assertFalse(self.desk.state()["keyboard"]["pressed"])
        self.assertEqual(self.refused("key_down", keys="a")["field"], "keys")

    def test_a_held_key_is_part_of_what_follows(self):
        """What a chord may not do, it may not do in two calls either."""
        self.use("key_down", keys="ctrl+alt")
        self.addCleanup(self.call, "key_up", keys="ctrl+alt")
        self.assertEqual(self.refused("key", keys="Delete")["gate"], "key_blocklist")

    def test_dry_run_does_nothing(self):
        self.app.log.forget()
        reply = self.use("press", element=self.number("Button 2"), dry_run=True)
        self.assertTrue(reply.structured["dry_run"])
        self.use("press", element=self.number("Button 1"))
        self.did("press", "Button 1")
        pressed = [e["to"] for e in self.app.log.events("did") if e["what"] == "press"]
        self.assertEqual(pressed, ["Button 1"])

    def test_bad_input(self):
        self.assertEqual(self.refused("pres", element=3)["hint"], "Did you mean `press`?")
        self.assertEqual(self.refused("press")["field"], "element")
        self.assertEqual(self.refused("press", element="3")["field"], "element")
        self.assertEqual(self.refused("press", element=3, bogus=1)["field"], "bogus")
        error = self.refused("discover", category="mice")
        self.assertEqual(error["field"], "category")
        self.assertIn("keyboard", error["expected"])
        reply = self.client.call(TOOL, {})
        self.assertEqual(reply.structured["error"]["field"], "action")
        self.assertEqual(len(self.use("screenshot").images), 1)

    def test_tells_what_was_done(self):
        self.use("list_windows")
        rows = self.use("audit", mode="full", most=1000).structured["rows"]
        self.assertIn("list_windows", [row["action"] for row in rows])
        self.assertEqual(rows[-1]["result"], "confirmed")


class Several(unittest.TestCase):
    def test_serves_two_surfaces_as_one_list(self):
        with Desk("--size", "800x600", name="two") as desk:
            client = desk.mcp(surface="universal,compact")
            names = [tool["name"] for tool in client.result("tools/list")["tools"]]
            self.assertEqual(names, ["computer_use", "computer"])
            self.assertIn("windows", client.do("computer", {"action": "list_windows"}).structured)
            self.assertIn("windows", client.do("computer_use", {"action": "list_windows"}).structured)
            refused = desk.home.run("mcp", "--desktop", "two", "--surface", "classic,layered")
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn("both have a tool `screenshot`", refused.stderr)


if __name__ == "__main__":
    unittest.main()
