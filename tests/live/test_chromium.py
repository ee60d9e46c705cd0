"""A web page in Chromium through the one tool `computer_use`, in the background: the page's own log, which its server
keeps, says what became of it, and another window keeps the focus, the pointer and the front all the while, with a
person who types into it."""
import pathlib
import unittest

from support.browser import PageServer, chromium_words, window_titled
from support.desk import Desk, fixture_grants, wait_until
from support.one_tool import TOOL, OneTool
from support.typist import Typist


class Chromium(OneTool, unittest.TestCase):
    typed = ""  # by the person, so far

    @classmethod
    def setUpClass(cls):
        cls.desk = Desk("--size", "1280x800")
        cls.addClassCleanup(cls.desk.stop)
        cls.desk.home.write_config(f'{fixture_grants()}[[grants]]\napp = "chromium"\ntier = "full"\n')
        cls.page = PageServer(cls.desk.home.folder / "logs")
        cls.addClassCleanup(cls.page.stop)
        cls.desk.launch(chromium_words(cls.desk.home.folder / "profile", cls.page.url,
                                       "--force-renderer-accessibility", "--window-size=700,780"))
        cls.page.log.wait_count("ready", 1, timeout=60)
        cls.window = window_titled(cls.desk, "widgets page")["id"]
        cls.person = cls.desk.open("editor_gtk3", geometry="500x500+160+120", title="person").wait_focus()
        wait_until(lambda: cls.desk.state()["active"] == cls.person.window, what="the person's window in front")
        cls.client = cls.desk.mcp(surface="universal")
        wait_until(lambda: any(row.get("name") == "File" for row in cls.rows()), what="the tree of the page")

    @classmethod
    def rows(cls):
        return cls.client.do(TOOL, {"action": "capture", "window_id": cls.window, "mode": "ax"}).structured["elements"]

    def setUp(self):
        self.page.log.forget()
        self.before = self.person_state()

    def tearDown(self):
        self.back()
        # Not a character more than what they typed themselves.
        self.assertEqual(self.person.log.text(), Chromium.typed)

    def back(self):
        """After an act in front all is as before; the window manager may say so a moment later."""
        wait_until(lambda: self.person_state() == self.before,
                   what=lambda: f"{self.before}, it is {self.person_state()}")

    def row(self, name, role=None):
        rows = self.rows()
        found = [row for row in rows if row.get("name") == name and role in (None, row["role"])]
        self.assertTrue(found, f"no {role} {name} in {rows}")
        return found[0]

    def did(self, what, to, reply):
        self.page.log.wait(lambda events: [e for e in events if e["event"] == "did" and e["what"] == what
                                           and e["to"] == to], what=f"{what} {to} after {reply}")

    def act(self, action, name, what, to, role=None, **arguments):
        """Acts on an element, and holds it to what the page says, with nothing else changed."""
        number = self.row(name, role)["n"]
        with Typist(self.desk) as typist:
            reply = self.use(action, element=number, **arguments)
            self.did(what, to, reply)
        self.assertEqual(reply.structured["route"], "accessibility")
        self.assertEqual(reply.structured["delivery"], "background")
        self.assertEqual(self.person_state(), self.before, f"{action} {name}")
        Chromium.typed += typist.typed
        wait_until(lambda: self.person.log.text() == Chromium.typed, what="all that the person typed")
        self.assertEqual(self.page.log.events("key"), [])
        return reply

    def act_and_read(self, *words, **arguments):
        """What has a state is not taken for done before it was read back."""
        reply = self.act(*words, **arguments)
        self.assertEqual(reply.structured["effect"], "confirmed", reply)
        self.assertIn("value_readback", reply.structured["evidence"])

    def test_presses_buttons(self):
        self.act("click", "Button 2", "press", "Button 2")
        x, y, width, height = self.row("Button 1")["box"]
        reply = self.use("click", coordinate=[x + width / 2, y + height / 2])
        self.did("press", "Button 1", reply)
        self.assertEqual(reply.structured["route"], "accessibility")

    def test_a_page_may_change_its_title(self):
        for _ in range(3):
            self.page.log.forget()
            self.act("click", "Count", "press", "Count")

    def test_switches_a_check_box(self):
        self.act_and_read("click", "Check", "check", True)
        self.act_and_read("click", "Check", "check", False)
        self.act_and_read("set_value", "Check", "check", True, value="on")

    def test_chooses_in_a_combo_box(self):
        self.act_and_read("set_value", "Colour", "combo", "Green", role="combo box", value="Green")
        row = self.row("Colour", "combo box")
        self.assertEqual(row["value"], "Green")
        for value, state in (("Green", "satisfied"), ("Red", "unsatisfied")):
            reply = self.use("verify_state", expect=[{"is": "value", "element": row["n"], "value": value}])
            self.assertEqual(reply.structured["state"], state, reply)
        error = self.refused("set_value", element=self.row("Colour", "combo box")["n"], value="Pink")
        self.assertEqual(error["code"], "argument_invalid")
        self.assertIn("`Blue`", error["message"])

    def test_moves_a_slider(self):
        self.act_and_read("set_value", "Slider", "slider", 42, value="42")

    def test_selects_rows(self):
        self.act_and_read("click", "Bee", "row", "Bee")
        self.act_and_read("click", "Large", "sizes", "Large")

    def test_expands_a_tree(self):
        self.act_and_read("click", "Branch", "tree", True, role="tree item")
        self.act("click", "Leaf", "leaf", "Leaf", role="tree item")
        self.act_and_read("set_value", "Branch", "tree", False, role="tree item", value="collapsed")

    def test_picks_in_a_menu(self):
        self.act_and_read("click", "File", "press", "File", role="push button")
        self.act("click", "Save", "menu", "Save", role="menu item")

    TEXTS = (("Entry", "entry", "Grüße 東京 🙂"), ("Entry", "entry", "other"), ("Entry", "entry", ""),
             ("Notes", "notes", "one\ntwo"))

    def test_types_beside_a_person(self):
        """With a keyboard of the agent's own: pages take text in no other way."""
        for name, what, text in self.TEXTS:
            with self.subTest(text), Typist(self.desk) as typist:
                reply = self.use("set_value", element=self.row(name, "entry")["n"], value=text)
            self.did(what, text, reply)
            self.assertEqual(reply.structured["effect"], "confirmed", reply)
            self.assertIn("value_readback", reply.structured["evidence"])
            self.assertEqual((reply.structured["route"], reply.structured["delivery"]), ("agent_seat", "background"))
            Chromium.typed += typist.typed
            wait_until(lambda: self.person.log.text() == Chromium.typed, what="all that the person typed")
            self.back()

    def test_types_in_front_when_asked(self):
        for name, what, text in self.TEXTS:
            with self.subTest(text):
                reply = self.use("set_value", element=self.row(name, "entry")["n"], value=text, delivery="foreground")
                self.did(what, text, reply)
                self.assertEqual(reply.structured["effect"], "confirmed", reply)
                self.assertIn("value_readback", reply.structured["evidence"])
                self.assertEqual(reply.structured["delivery"], "foreground")
                self.assertEqual(reply.structured["route"], "user_seat")
                self.back()
        error = self.refused("set_value", element=self.row("Entry", "entry")["n"], value="one\ntwo",
                             delivery="foreground")
        self.assertEqual(error["code"], "argument_invalid")

    def test_types_no_secrets(self):
        self.act("click", "Lock", "press", "Lock")
        wait_until(lambda: any(row["role"] == "password text" for row in self.rows()), what="the password field")
        for delivery in ("background", "foreground"):
            secret = self.row("Secret", "password text")["n"]
            self.refused("set_value", element=secret, value="hunter2", delivery=delivery)
            self.back()
        # Behind what comes now, whatever was done before is in the log.
        self.act("click", "Button 2", "press", "Button 2")
        self.assertEqual([e for e in self.page.log.events("did") if e["what"] == "secret"], [])
        self.page.log.forget()
        self.act("click", "Lock", "press", "Lock")


class Opening(unittest.TestCase):
    """Chromium as an app of the desktop: it gets the flag that it needs, without anybody having asked for it."""

    def test_opens_it_with_what_it_needs(self):
        with Desk("--size", "1280x800", name="opening") as desk:
            desk.home.write_config(f'{fixture_grants()}[[grants]]\napp = "chromium"\ntier = "full"\n')
            page = PageServer(desk.home.folder / "logs")
            self.addCleanup(page.stop)
            words = chromium_words(desk.home.folder / "profile", page.url)
            self.assertNotIn("--force-renderer-accessibility", words)
            folder = pathlib.Path(desk.env["XDG_DATA_HOME"]) / "applications"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "page.desktop").write_text("[Desktop Entry]\nType=Application\nName=Page\n"
                                                 f"Exec={' '.join(words)}\n")
            with desk.mcp() as client:
                client.do("open_application", {"app": "page"})
            page.log.wait_count("ready", 1, timeout=60)
            window = window_titled(desk, "widgets page")
            # It rewrites them as one word.
            words = pathlib.Path(f"/proc/{window['pid']}/cmdline").read_bytes().replace(b"\0", b" ").split()
            self.assertIn(b"--force-renderer-accessibility", words)
            # The entry starts a script, and the window is another program's: both are the one app that was granted.
            with desk.mcp(surface="universal") as client:
                def names():
                    reply = client.do(TOOL, {"action": "capture", "window_id": window["id"], "mode": "ax"})
                    return [row.get("name") for row in reply.structured["elements"]]
                wait_until(lambda: "Button 2" in names(), what="the tree of the page")


class Asking(unittest.TestCase):
    """The app is installed as a script: what is granted is the program that the script starts."""

    def test_what_was_granted_can_be_used(self):
        with Desk("--size", "1280x800", name="asking") as desk:
            desk.home.write_config("")
            page = PageServer(desk.home.folder / "logs")
            self.addCleanup(page.stop)
            desk.launch(chromium_words(desk.home.folder / "profile", page.url, "--force-renderer-accessibility"))
            page.log.wait_count("ready", 1, timeout=60)
            window = window_titled(desk, "widgets page")
            with desk.mcp(surface="universal") as client:
                refused = client.call(TOOL, {"action": "capture", "app": "chromium"})
                self.assertEqual(refused.error["code"], "access_denied")
                self.assertIn("as the app `chromium`", refused.error["hint"])
                asked = {"action": "request_access", "reason": "To read.",
                         "apps": [{"app": "chromium", "tier": "read"}]}
                granted = client.do(TOOL, asked).structured["granted"]
                self.assertEqual([(row["app"], row["tier"]) for row in granted], [("chromium", "read")])
                seen = client.do(TOOL, {"action": "capture", "app": "chromium", "mode": "ax"}).structured
                self.assertEqual(seen["window"], window["id"])
                # Not the interpreter of the script, nor another script of it.
                shell = client.call(TOOL, {"action": "request_access", "reason": "To read.",
                                           "apps": [{"app": "/bin/sh", "tier": "read"}]})
                self.assertEqual([row["app"] for row in shell.structured.get("granted", [])], ["chromium"])


if __name__ == "__main__":
    unittest.main()
