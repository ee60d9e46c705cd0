"""Replies claim what was seen, and nothing more; what is done in the background leaves the person alone. The apps' own
logs say what became of each act."""
import unittest

from security.server_support import AnsweringClient
from support.desk import APPS, FULL, HANDRAIL, Desk, wait_until
from support.one_tool import OneTool
from support.typist import Typist

TOOLKITS = [name for name in ("gtk3", "gtk4", "qt5") if (APPS / f"widgets_{name}").exists()]


class Truth(OneTool, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desk = Desk("--size", "1280x1000")
        cls.addClassCleanup(cls.desk.stop)
        cls.client = cls.desk.mcp(surface="universal")

    def open(self, program, first, place="600x800+20+40"):
        """The app once it tells of its element `first`, and above it the editor that the person types into."""
        app = self.desk.open(program, geometry=place, title=f"{program} {self.id()}", takes_orders=True)
        self.addCleanup(app.stop)
        person = self.desk.open("editor_gtk3", geometry="500x300+700+600", title=f"person {self.id()}").wait_focus()
        self.addCleanup(person.stop)
        self.number(app, first)
        return app, person

    def number(self, app, name, role=None):
        """Of the element in a fresh capture, once it is there."""
        def found():
            rows = self.use("capture", window_id=app.window, mode="ax").structured["elements"]
            return next((row["n"] for row in rows if row.get("name") == name and role in (None, row["role"])), None)
        return wait_until(found, what=f"{role} {name}")

    def did(self, app, what):
        """What became of the widget, after everything that was asked for until now."""
        told = len(app.log.events("told"))
        app.order("tell")
        app.log.wait_count("told", told + 1)
        return [event["to"] for event in app.log.events("did") if event["what"] == what]

    def ordered(self, app, order):
        told = len(app.log.events("told"))
        app.order(order)
        app.log.wait_count("told", told + 1)

    def test_a_dead_button_is_never_confirmed(self):
        app, _ = self.open("quiet_gtk3", "Dead")
        for clock in (False, True):
            if clock:
                self.ordered(app, "clock")
            for delivery in ("background", "foreground"):
                with self.subTest(clock=clock, delivery=delivery):
                    reply = self.use("click", element=self.number(app, "Dead"), delivery=delivery)
                    self.assertIn(reply.effect, ("unverified", "suspected_noop"), reply)
        self.use("click", element=self.number(app, "Live"))
        self.assertEqual(self.did(app, "press"), ["Live"])

    def test_delivery_alone_confirms_nothing(self):
        app, _ = self.open("quiet_gtk3", "Dead")
        for arguments in ({"element": self.number(app, "Disabled")}, {"coordinate": [300, 500]}):
            reply = self.use("click", delivery="foreground", **arguments)
            self.assertEqual(reply.effect, "unverified", reply)
            self.assertIn("delivered", reply.structured["evidence"])
        self.assertEqual(len(app.log.events("press")), 2)

    def test_what_has_a_state_is_read_back_in_front(self):
        app, _ = self.open("widgets_gtk3", "Check")
        reply = self.use("click", element=self.number(app, "Check"), delivery="foreground")
        self.assertEqual(self.did(app, "check"), [True])
        self.assertEqual(reply.effect, "confirmed", reply)
        self.assertIn("value_readback", reply.structured["evidence"])

    def test_a_button_that_springs_back_is_pressed_each_time(self):
        app, _ = self.open("quiet_gtk3", "7")
        digit = self.number(app, "7")
        replies = [self.use("click", element=digit) for _ in range(4)]
        # On a slow machine it may be up again only after the reply, which then does not say so.
        sprung = sum("sprang back" in reply.text for reply in replies)
        self.assertIn(len(self.did(app, "digit")), (4,) if FULL or sprung == 4 else range(sprung, 5), replies)

    def test_errors_and_dry_runs_claim_nothing(self):
        app, _ = self.open("quiet_gtk3", "Live")
        reply = self.call("wait_for", text="never", timeout_seconds=0.1)
        self.assertTrue(reply.is_error)
        self.assertEqual((reply.effect, reply.structured.get("evidence", [])), ("refused", []), reply)
        for action, arguments in (("release", {}), ("focus_app", {"app": "quiet_gtk3"}),
                                  ("click", {"element": self.number(app, "Live")})):
            with self.subTest(action):
                reply = self.use(action, dry_run=True, **arguments)
                self.assertTrue(reply.structured["dry_run"])
                self.assertEqual((reply.effect, reply.structured.get("evidence", [])), ("unverified", []), reply)
        self.assertEqual(self.did(app, "press"), [])

    def test_says_what_to_do_instead(self):
        app, _ = self.open("widgets_gtk3", "File")
        error = self.refused("click", element=self.number(app, "File"))
        self.assertIn("Set its value", error["hint"])
        self.assertEqual(error["retry"], "fix_arguments")
        quiet, _ = self.open("quiet_gtk3", "Disabled")
        error = self.refused("click", element=self.number(quiet, "Disabled"))
        self.assertIn("disabled", error["message"])
        self.assertNotIn("foreground", error["hint"])
        self.assertEqual(error["retry"], "look_again")
        error = self.refused("right_click", element=self.number(quiet, "Live"))
        self.assertIn("foreground", error["hint"])
        self.assertEqual(error["retry"], "fix_arguments")

    def places(self, panel):
        """Of its buttons on the screen, by the app's own word."""
        panel.log.forget()
        self.ordered(panel, "tell")
        return {event["name"]: event["y"] for event in panel.log.events("button")}

    def test_scrolls_in_the_background(self):
        for toolkit in TOOLKITS:
            with self.subTest(toolkit):
                app, _ = self.open(f"panel_{toolkit}", "Button 1", "300x300+20+40")
                before = self.person_state()
                for arguments in ({"element": self.number(app, "Button 1")}, {"coordinate": [150, 250]}):
                    top = self.places(app)
                    reply = self.use("scroll", amount=1, **arguments)
                    self.assertEqual(self.person_state(), before)
                    # 4.8 does not tell where its scroll bars are: a wheel of the agent's own turns there.
                    route, effect = ("agent_seat", "unverified") if toolkit == "gtk4" else ("accessibility", "confirmed")
                    self.assertEqual((reply.structured["route"], reply.effect), (route, effect), reply)
                    wait_until(lambda: self.places(app)["Button 1"] < top["Button 1"], what="the column to move")
                if toolkit != "gtk4":
                    self.use("scroll", amount=50, **arguments)
                    self.assertEqual(self.use("scroll", amount=1, **arguments).effect, "suspected_noop")
                app.stop()

    def test_drags_and_turns_wheels(self):
        """Beside the person, or, when asked, with their own pointer, which goes back."""
        app, _ = self.open("widgets_gtk3", "Slider")
        before = self.person_state()
        slider, entry = self.number(app, "Slider"), self.number(app, "Entry")
        for delivery, route in (("background", "agent_seat"), ("foreground", "user_seat")):
            with self.subTest(delivery):
                app.log.forget()
                reply = self.use("drag", from_element=slider, to_element=entry, delivery=delivery)
                self.assertEqual((reply.structured["route"], reply.structured["delivery"]), (route, delivery), reply)
                wait_until(lambda: self.did(app, "slider"), what="the slider to move")
                wait_until(lambda: self.person_state() == before, what=lambda: f"{before}, but {self.person_state()}")
                app.log.forget()
                self.use("set_value", element=slider, value="50")
                reply = self.use("scroll", element=slider, direction="up", delivery=delivery)
                self.assertEqual(reply.structured["delivery"], delivery)
                wait_until(lambda: self.did(app, "slider")[1:], what="the slider to move again")
                wait_until(lambda: self.person_state() == before, what=lambda: f"{before}, but {self.person_state()}")

    def test_types_into_a_field_by_its_number(self):
        """And goes on there when no field is named."""
        for toolkit in TOOLKITS:
            with self.subTest(toolkit):
                app, person = self.open(f"widgets_{toolkit}", "Entry")
                before, text = self.person_state(), person.log.text()
                entry = self.number(app, "Entry", "text")
                with Typist(self.desk) as typist:
                    self.use("set_value", element=entry, value="one")
                    for words, where in ((" zwei ü", {"element": entry}), (" 三", {}), (" 🙂", {})):
                        reply = self.use("type", text=words, **where)
                        self.assertEqual((reply.effect, reply.structured["route"], reply.structured["delivery"]),
                                         ("confirmed", "accessibility", "background"), reply)
                wait_until(lambda: person.log.text() == text + typist.typed, what="all that the person typed")
                self.assertEqual(self.did(app, "entry")[-1], "one zwei ü 三 🙂")
                self.assertEqual(self.person_state(), before)
                self.assertEqual(app.log.events("key"), [])
                app.stop()

    def test_typing_nowhere_names_the_way(self):
        app, _ = self.open("widgets_gtk3", "Entry")
        self.number(app, "Entry")
        error = self.refused("type", text="x")
        self.assertIn("`element`", error["hint"])
        self.assertEqual(error["retry"], "fix_arguments")
        error = self.refused("type", text="x", element=self.number(app, "Button 2"))
        self.assertEqual((error["code"], error["field"]), ("argument_invalid", "element"))
        self.assertEqual(self.did(app, "entry"), [])

    def test_types_at_the_end_in_front(self):
        app, _ = self.open("widgets_gtk3", "Entry")
        before = self.person_state()
        reply = self.use("type", text=" more", element=self.number(app, "Entry"), delivery="foreground")
        self.assertEqual(reply.effect, "confirmed", reply)
        self.assertEqual(self.did(app, "entry")[-1], "some words more")
        wait_until(lambda: self.person_state() == before, what=lambda: f"{before}, but {self.person_state()}")

    def test_the_watch_begins_before_the_act(self):
        for toolkit in TOOLKITS:
            if toolkit == "gtk4":  # gives its check boxes no action
                continue
            with self.subTest(toolkit):
                app, _ = self.open(f"widgets_{toolkit}", "Check")
                for _ in range(3):
                    reply = self.use("click", element=self.number(app, "Check"), capture_after=True)
                    settled = reply.structured["settled"]
                    self.assertTrue(settled["changed"] and settled["still"], settled)
                app.stop()

    def test_what_moves_elsewhere_delays_nothing(self):
        quiet, _ = self.open("quiet_gtk3", "Live", "300x300+900+40")
        app, _ = self.open("widgets_gtk3", "Check")
        self.ordered(quiet, "clock")
        reply = self.use("click", element=self.number(app, "Check"), capture_after=True)
        self.assertTrue(reply.structured["settled"]["changed"], reply)
        self.assertTrue(reply.structured["settled"]["still"], reply)


class Consent(OneTool, unittest.TestCase):
    """The person is asked once, and what they say yes to is done once."""

    @classmethod
    def setUpClass(cls):
        cls.desk = Desk("--size", "1280x1000")
        cls.addClassCleanup(cls.desk.stop)

    def asked(self):
        return sum(message.get("method") == "elicitation/create" for message in self.client.messages)

    def test_a_password_is_asked_for_and_typed_once(self):
        self.client = AnsweringClient(
            "once", [HANDRAIL, "mcp", "--surface", "universal", "--desktop", self.desk.name], self.desk.home.env)
        self.addCleanup(lambda: self.client.close(check=False))
        app = self.desk.open("quiet_gtk3", geometry="300x400+20+40", takes_orders=True)
        self.addCleanup(app.stop)

        def secret():
            rows = self.use("capture", window_id=app.window, mode="ax").structured["elements"]
            return next((row["n"] for row in rows if row.get("name") == "Secret"), None)
        wait_until(secret, what="the field")
        error = self.refused("set_value", element=secret(), value="pass")
        self.assertEqual((error["code"], self.asked()), ("capability_unsupported", 0), error)
        self.assertIn("foreground", error["hint"])
        reply = self.use("set_value", element=secret(), value="pass", delivery="foreground")
        self.assertEqual((reply.effect, self.asked()), ("unverified", 1), reply)
        app.log.wait(lambda events: [e for e in events if e["event"] == "did" and e["to"] == "pass"], what="the word")
        self.assertEqual([e["to"] for e in app.log.events("did")], ["p", "pa", "pas", "pass"])


if __name__ == "__main__":
    unittest.main()
