"""The one tool `computer_use` on real apps, in the background: the apps' own logs say what became of it, and another
window keeps the focus, the pointer and the front all the while."""
import unittest

from support.desk import APPS, Desk, wait_until
from support.one_tool import OneTool

TOOLKITS = [name for name in ("gtk3", "gtk4", "qt5") if (APPS / f"widgets_{name}").exists()]


class Universal(OneTool, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desk = Desk("--size", "1280x800")
        cls.addClassCleanup(cls.desk.stop)
        cls.client = cls.desk.mcp(surface="universal")

    def open(self, toolkit):
        """The widgets, and above them an editor that the person types into."""
        widgets = self.desk.open(f"widgets_{toolkit}", geometry="500x700+20+40", title=f"widgets {toolkit}",
                                 takes_orders=True)
        self.addCleanup(widgets.stop)
        person = self.desk.open("editor_gtk3", geometry="500x500+60+120", title=f"person {toolkit}").wait_focus()
        self.addCleanup(person.stop)
        wait_until(lambda: len(self.capture(widgets, mode="ax").structured["elements"]) > 8, what="the elements")
        return widgets, person

    def capture(self, app, **arguments):
        return self.use("capture", window_id=app.window, **arguments)

    def number(self, app, name=None, role=None):
        """Of the element of that name or role in a fresh capture."""
        rows = self.capture(app, mode="ax").structured["elements"]
        found = [row for row in rows if name in (None, row.get("name")) and role in (None, row["role"])]
        self.assertTrue(found, f"no {role} {name} in {rows}")
        return found[0]["n"]

    def did(self, app, what, to=None):
        def done(events):
            return [e for e in events if e["event"] == "did" and e["what"] == what and to in (None, e["to"])]
        return app.log.wait(done, what=f"{what} {to}")

    def test_acts_in_the_background(self):
        for toolkit in TOOLKITS:
            with self.subTest(toolkit):
                app, _ = self.open(toolkit)
                before = self.person_state()
                reply = self.use("click", element=self.number(app, "Button 2"))
                self.did(app, "press", "Button 2")
                self.assertEqual(reply.structured["route"], "accessibility")
                self.assertEqual(reply.structured["delivery"], "background")
                if toolkit != "gtk4":  # see test_hands
                    reply = self.use("click", element=self.number(app, "Check"))
                    self.did(app, "check", True)
                    self.assertEqual(reply.structured["effect"], "confirmed", reply)
                reply = self.use("set_value", element=self.number(app, "Entry"), value="Grüße 東京")
                self.did(app, "entry", "Grüße 東京")
                self.assertEqual(reply.structured["effect"], "confirmed", reply)
                self.assertIn("value_readback", reply.structured["evidence"])
                reply = self.use("set_value", element=self.number(app, "Slider"), value="42")
                self.did(app, "slider", 42)
                self.assertEqual(reply.structured["effect"], "confirmed", reply)
                if toolkit == "gtk3":  # see test_hands
                    reply = self.use("set_value", element=self.number(app, role="combo box"), value="Green")
                    self.did(app, "combo", "Green")
                    self.assertEqual(reply.structured["effect"], "confirmed", reply)
                self.assertEqual(self.person_state(), before)

    def test_refuses_what_is_not_there_any_more(self):
        for toolkit in TOOLKITS:
            with self.subTest(toolkit):
                app, _ = self.open(toolkit)
                gone = self.number(app, "Button 1")
                app.order("name 1 Renamed")
                wait_until(lambda: self.call("click", element=gone, dry_run=True).error
                           .get("code") == "target_stale", what="the new name")
                self.assertEqual(self.refused("click", element=gone)["code"], "target_stale")
                gone = self.number(app, "Button 2")
                app.stop()
                self.assertEqual(self.refused("click", element=gone)["code"], "target_stale")
                self.assertEqual([e for e in app.log.events("did") if e["what"] == "press"], [])
                self.assertEqual(self.refused("click", element=9999)["code"], "argument_invalid")

    def test_verifies_and_waits(self):
        app, _ = self.open("gtk3")
        entry = self.number(app, "Entry")
        self.use("set_value", element=entry, value="first")
        expect = [{"is": "value", "element": entry, "value": "first"}, {"is": "text", "text": "first"},
                  {"is": "element", "name": "Button 0", "role": "push button"}, {"is": "window", "name": app.title}]
        self.assertEqual(self.use("verify_state", expect=expect).structured["state"], "satisfied")
        expect[0]["value"] = "second"
        reply = self.use("verify_state", expect=expect)
        self.assertEqual(reply.structured["state"], "unsatisfied")
        self.assertEqual([row["truth"] for row in reply.structured["rows"]],
                         ["unsatisfied", "satisfied", "satisfied", "satisfied"])
        self.assertEqual(self.use("wait_for", text="first").structured["state"], "satisfied")
        self.assertEqual(self.refused("wait_for", text="never", timeout_seconds=0.5)["code"], "timeout")

    def test_shows_marks_and_what_came_of_an_act(self):
        app, _ = self.open("gtk3")
        reply = self.capture(app)
        self.assertEqual(len(reply.images), 1)
        self.assertLess(len(reply.text) / 4, 1200)
        self.assertIn("push button 'Button 0' @ (", reply.text)
        reply = self.use("click", element=self.number(app, "Check"), capture_after=True)
        self.assertTrue(reply.structured["settled"]["changed"])
        self.assertEqual(len(reply.images), 1)
        checked = [row for row in reply.structured["capture"]["elements"] if row.get("name") == "Check"]
        self.assertIn("checked", checked[0]["states"])

    def test_says_that_a_dialog_came(self):
        """The app answers the press only when the dialog is closed."""
        for toolkit in ("gtk3", "qt5"):
            with self.subTest(toolkit):
                app, _ = self.open(toolkit)
                before = self.person_state()
                reply = self.use("click", element=self.number(app, "Ask"))
                self.assertNotEqual(reply.structured["effect"], "suspected_noop", reply)
                self.did(app, "asked")
                after = wait_until(lambda: len(self.person_state()["windows"]) > len(before["windows"])
                                   and self.person_state(), what="the dialog")
                self.assertEqual((after["focus"], after["pointer"]), (before["focus"], before["pointer"]))
                app.stop()

    def test_aims_only_at_what_is_meant(self):
        self.open("gtk3")
        self.assertEqual(self.refused("capture", app="no such app")["code"], "not_found")
        self.assertEqual(self.refused("capture", window_id=77)["code"], "target_stale")

    def test_has_a_prompt_with_the_rules(self):
        prompts = self.client.result("prompts/list")["prompts"]
        self.assertEqual([prompt["name"] for prompt in prompts], ["operate_desktop"])
        told = self.client.result("prompts/get", {"name": "operate_desktop"})
        self.assertIn("Verify after every change", told["messages"][0]["content"]["text"])


if __name__ == "__main__":
    unittest.main()
