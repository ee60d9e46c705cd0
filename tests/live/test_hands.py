"""Each kind of act on a real app of each toolkit, while a person types into another window all the while: the app's own
log says what became of it, and nothing of the person's is touched. What a toolkit lets nobody do by accessibility is
done with a pointer of the agent's own, or, when asked for, with the person's in the foreground."""
import unittest

from support.desk import APPS, FULL, Desk, wait_until
from support.one_tool import OneTool
from support.typist import Typist

TOOLKITS = [name for name in ("gtk3", "gtk4", "qt5") if (APPS / f"widgets_{name}").exists()]


# As Qt numbers them.
KEYS = {16777234: "Left", 16777236: "Right"}


class Cell:
    """One act: on which element, by which call, and what the app logs of it. `hand`: accessibility has no way to it."""

    def __init__(self, kind, names, roles, did, value=None, hand=False):
        self.kind, self.names, self.roles, self.did, self.value, self.hand = kind, names, roles, did, value, hand


def cells(toolkit):
    gtk3, gtk4, qt = toolkit == "gtk3", toolkit == "gtk4", toolkit == "qt5"
    rows = ("list item", "table cell")
    menus = ("menu", "menu item")
    found = [
        Cell("press", "Button 2", ("push button",), ("press", "Button 2")),
        # GTK 4 gives its check boxes no action before 4.10.
        Cell("toggle", "Check", ("check box",), ("check", True), value="on", hand=gtk4),
        Cell("toggle by a click", "Check", ("check box",), ("check", False), hand=gtk4),
        Cell("set text", "Entry", ("text",), ("entry", "Grüße 東京"), value="Grüße 東京"),
        Cell("move a slider", "Slider", ("slider",), ("slider", 42), value="42"),
        Cell("select a list row", "Cat", ("list item",), ("row", "Cat")),
        # Trees of Qt let rows be selected, and nothing else.
        Cell("expand a tree", "Oak", rows, ("branch", True), value="expanded", hand=qt),
        Cell("select in a tree", "Oak leaf", rows, ("leaf", "Oak leaf")),
        Cell("collapse a tree", "Oak", rows, ("branch", False), value="collapsed", hand=qt),
        # Options of these show, and can be chosen, only while they are open.
        Cell("choose in a combo", {"gtk3": "Combo", "gtk4": "Drop", "qt5": "Red"}[toolkit], ("combo box",),
             ("drop" if gtk4 else "combo", "Green"), value="Green", hand=not gtk3),
        Cell("pick a menu item", "File", menus, ("menu", "&New" if qt else "_New"), value="win.new" if gtk4 else "New"),
    ]
    if gtk4:
        found = [cell for cell in found if cell.kind != "select in a tree"]
        found.append(Cell("pick by labels", "File", menus, ("menu", "_New"), value="New", hand=True))
        found.append(Cell("pick in a submenu", "File", menus, ("menu", "Second"), value="Recent > Second", hand=True))
    else:
        found.append(Cell("pick in a submenu", "File", menus, ("menu", "Second"), value="File > Recent > Second"))
    return found


class Hands(OneTool, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desk = Desk("--size", "1280x1000")
        cls.addClassCleanup(cls.desk.stop)
        cls.client = cls.desk.mcp(surface="universal")

    def open(self, toolkit):
        """The widgets, and above them the editor that the person types into."""
        app = self.desk.open(f"widgets_{toolkit}", geometry="600x800+20+40", title=f"widgets {toolkit}",
                             takes_orders=True)
        self.addCleanup(app.stop)
        person = self.desk.open("editor_gtk3", geometry="500x700+100+120", title=f"person {toolkit}").wait_focus()
        self.addCleanup(person.stop)
        wait_until(lambda: self.number(app, "Slider", ("slider",)), what="the elements")
        return app, person

    def number(self, app, name, roles):
        """Of the element in a fresh capture, once it is there."""
        def found():
            rows = self.use("capture", window_id=app.window, mode="ax").structured["elements"]
            return next((row["n"] for row in rows if row.get("name") == name and row["role"] in roles), None)
        return wait_until(found, what=f"{roles} {name}")

    def did(self, app):
        """What became of the widgets, after everything that was asked for until now."""
        told = len(app.log.events("told"))
        app.order("tell")
        app.log.wait_count("told", told + 1)
        return [(event["what"], event["to"]) for event in app.log.events("did")]

    def act(self, app, cell, **more):
        number = self.number(app, cell.names, cell.roles)
        if cell.value is None:
            return self.call("click", element=number, **more)
        return self.call("set_value", element=number, value=cell.value, **more)

    def check_background(self, app, person, cell):
        app.log.forget()
        before, text = self.person_state(), person.log.text()
        with Typist(self.desk) as typist:
            reply = self.act(app, cell)
            wait_until(lambda: cell.did in self.did(app), what=lambda: f"{cell.did} in {self.did(app)}, {reply}")
        wait_until(lambda: person.log.text() == text + typist.typed, what="all that the person typed")
        # Some window managers take the focus of the agent's own keyboard for the person's until they are told better.
        wait_until(lambda: self.person_state() == before, what=lambda: f"{before}, but {self.person_state()}")
        # A stray key would be missing above; this says the same of the other side. What is opened by hand takes the
        # agent's own focus, and trees the agent's own arrow keys.
        own = {"Right", "Left"} if cell.hand else set()
        stray = [e for e in app.log.events("key") if KEYS.get(e["keyval"]) not in own]
        self.assertEqual(stray + ([] if cell.hand else app.log.events("focus")), [])
        self.assertFalse(reply.is_error, reply)
        route = "agent_seat" if cell.hand else "accessibility"
        self.assertEqual((reply.structured["route"], reply.structured["delivery"]), (route, "background"))
        self.check_effect(cell, reply)

    def check_foreground(self, app, cell):
        before = self.person_state()
        reply = self.act(app, cell, delivery="foreground")
        self.assertFalse(reply.is_error, reply)
        wait_until(lambda: cell.did in self.did(app), what=lambda: f"{cell.did} in {self.did(app)}, {reply}")
        self.assertEqual(reply.structured["delivery"], "foreground")
        self.check_effect(cell, reply)
        wait_until(lambda: self.person_state() == before, what=lambda: f"{before}, but {self.person_state()}")

    def check_effect(self, cell, reply):
        """On a machine that is slow, an app may show what it did only after the reply. Buttons and items of menus have
        no state that says so: what shows elsewhere may have moved by itself, see test_truth."""
        stateless = cell.did[0] in ("press", "menu")
        late = () if FULL else ("suspected_noop",)
        maybe = ("unverified",) if stateless or not FULL else ()
        self.assertIn(reply.structured["effect"], ("confirmed", *maybe, *late), reply)

    def test_every_act_beside_a_person(self):
        for toolkit in TOOLKITS:
            app, person = self.open(toolkit)
            for cell in cells(toolkit):
                with self.subTest(toolkit=toolkit, act=cell.kind):
                    self.check_background(app, person, cell)
            app.stop()
            person.stop()

    def test_by_the_persons_hand_when_asked(self):
        for toolkit in TOOLKITS:
            if not any(cell.hand for cell in cells(toolkit)):
                continue
            app, person = self.open(toolkit)
            for cell in (cell for cell in cells(toolkit) if cell.hand):
                with self.subTest(toolkit=toolkit, act=cell.kind):
                    self.check_foreground(app, cell)
            app.stop()
            person.stop()


if __name__ == "__main__":
    unittest.main()
