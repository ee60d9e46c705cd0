"""Apps of other toolkits through the one tool `computer_use`: what they say about places holds for the pointer, and
what is pressed in the background is in the app's own log or file. With HANDRAIL_FULL=1 also Firefox and LibreOffice."""
import unittest

from support.browser import PageServer, firefox_words, window_titled
from support.desk import FULL, Desk, fixture_grants, wait_until
from support.one_tool import OneTool

PROGRAMS = ("/usr/lib/firefox-esr/firefox-esr", "/usr/lib/libreoffice/program/soffice.bin")
CENTRE = (0.4, 0.6)


class Toolkit(OneTool, unittest.TestCase):
    def setUp(self):
        self.desk = Desk("--size", "1280x800")
        self.addCleanup(self.desk.stop)
        grants = "".join(f'[[grants]]\napp = "{program}"\ntier = "full"\n' for program in PROGRAMS)
        self.desk.home.write_config(fixture_grants() + grants)
        self.client = self.desk.mcp(surface="universal")

    def capture(self, window, **arguments):
        return self.use("capture", window_id=window, mode="ax", max_elements=300, **arguments)

    def row(self, window, name, role):
        """Once the app has told of it: one that starts takes its time."""
        def found():
            rows = self.capture(window).structured["elements"]
            return next((row for row in rows if row.get("name") == name and row["role"] == role), None)
        return wait_until(found, 60, what=f"the {role} {name}")

    def person(self):
        """Works in a window of their own, in front of the app."""
        person = self.desk.open("editor_gtk3", geometry="300x200+900+500", title="person").wait_focus()
        wait_until(lambda: self.person_state()["active"] == person.window, what="the person's window in front")
        return self.person_state()

    def back(self, before):
        """After an act in front all is as before; the window manager may say so a moment later."""
        wait_until(lambda: self.person_state() == before, what=lambda: f"{before}, it is {self.person_state()}")


class Qt6(Toolkit):
    def test_acts_behind_and_in_front(self):
        app = self.desk.open("widgets_qt6", geometry="500x700+120+40", title="widgets qt6", takes_orders=True)
        row = self.row(app.window, "Button 2", "push button")
        before = self.person()

        def pressed(count):
            return lambda events: sum(e["event"] == "did" and e["what"] == "press" for e in events) == count
        reply = self.use("click", element=row["n"])
        app.log.wait(pressed(1), what=f"the press after {reply}")
        self.assertEqual(reply.structured["route"], "accessibility")
        self.assertEqual(self.person_state(), before)
        reply = self.use("click", element=self.row(app.window, "Button 2", "push button")["n"], delivery="foreground")
        app.log.wait(pressed(2), what=f"the press after {reply}")
        self.assertEqual(reply.structured["route"], "user_seat")


class Firefox(Toolkit):
    def test_acts_behind_and_in_front(self):
        page = PageServer(self.desk.home.folder / "logs")
        self.addCleanup(page.stop)
        self.desk.launch(firefox_words(self.desk.home.folder / "profile", page.url))
        page.log.wait_count("ready", 1, timeout=120)
        window = window_titled(self.desk, "widgets page")["id"]
        self.row(window, "File", "push button")
        before = self.person()

        def did(what, to, reply):
            page.log.wait(lambda events: [e for e in events if e["event"] == "did" and e["what"] == what
                                          and e["to"] == to], what=f"{what} {to} after {reply}")

        def act(action, name, role, **arguments):
            return self.use(action, element=self.row(window, name, role)["n"], **arguments)
        for action, name, role, what, to, arguments in (
                ("click", "Button 2", "push button", "press", "Button 2", {}),
                ("click", "Check", "check box", "check", True, {}),
                ("set_value", "Slider", "slider", "slider", 42, {"value": "42"}),
                ("click", "Bee", "list item", "row", "Bee", {}),
                ("click", "Large", "list item", "sizes", "Large", {}),
                ("click", "Branch", "tree item", "tree", True, {}),
                ("click", "File", "push button", "press", "File", {}),
                ("click", "Save", "menu item", "menu", "Save", {})):
            with self.subTest(name):
                reply = act(action, name, role, **arguments)
                did(what, to, reply)
                self.assertEqual(reply.structured["route"], "accessibility")
                self.assertEqual(self.person_state(), before)
        reply = act("set_value", "Entry", "entry", value="hello")
        self.assertEqual(reply.structured["effect"], "suspected_noop", reply)
        self.assertIn("foreground", reply.text)
        self.assertEqual(self.person_state(), before)
        reply = act("set_value", "Entry", "entry", value="Grüße", delivery="foreground")
        did("entry", "Grüße", reply)
        self.assertEqual(reply.structured["effect"], "confirmed", reply)
        self.back(before)
        reply = act("click", "Button 1", "push button", delivery="foreground")
        did("press", "Button 1", reply)
        at = page.log.events("pointer")[-1]
        self.assertEqual(at["on"], "Button 1")
        self.assertTrue(CENTRE[0] < at["x"] < CENTRE[1] and CENTRE[0] < at["y"] < CENTRE[1], at)


SHEET = """<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>
<table:table table:name="One"><table:table-row><table:table-cell office:value-type="string"><text:p>words</text:p>
</table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document>
"""


class LibreOffice(Toolkit):
    def test_presses_in_a_sheet_without_listing_it(self):
        folder = self.desk.home.folder
        sheet = folder / "sheet.fods"
        sheet.write_text(SHEET, encoding="utf-8")
        self.desk.launch(["/usr/bin/soffice", "--calc", "--norestore", "--nologo", "--nofirststartwizard",
                          f"-env:UserInstallation=file://{folder}/office", str(sheet)])
        window = window_titled(self.desk, "sheet.fods")["id"]
        self.row(window, "Bold", "toggle button")
        before = self.person()
        # It says that the cells are left out, once it has started.
        reply = wait_until(lambda: next((now for now in [self.capture(window)] if "make their rows" in now.text), None),
                           what="a tree without the cells")
        self.assertLess(len(reply.structured["elements"]), 300)
        # A picture asks for password fields; that must not go through the cells either.
        self.use("capture", window_id=window)
        self.assertIn("Bold", [row.get("name") for row in self.capture(window).structured["elements"]])

        def styles():
            """Of the cells themselves, as they are in the file."""
            text = sheet.read_text(encoding="utf-8")
            return text.partition("<office:automatic-styles>")[2].partition("</office:automatic-styles>")[0]
        for name, delivery, wanted in (("Bold", "background", 'fo:font-weight="bold"'),
                                       ("Italic", "foreground", 'fo:font-style="italic"')):
            with self.subTest(name):
                self.assertNotIn(wanted, styles())
                self.use("click", element=self.row(window, name, "toggle button")["n"], delivery=delivery)
                self.use("click", element=self.row(window, "Save", "push button")["n"])
                wait_until(lambda: wanted in styles(), what=f"{wanted} in the file")
                if delivery == "background":
                    self.assertEqual(self.person_state(), before)


if not FULL:
    # They are large, and installed for ./dev full only.
    del Firefox, LibreOffice


if __name__ == "__main__":
    unittest.main()
