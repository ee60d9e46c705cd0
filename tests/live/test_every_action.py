"""Every action of the catalog on a real desktop, through each surface that has it and through the command line. A row is
told in the catalog's own words; the program says how a surface says that. What became of it is told by the apps, the
windows, the files and the processes themselves. An action without a row fails."""
import base64
import contextlib
import datetime
import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import time
import types
import unittest

from live.test_system import Service
from support import png
from support.desk import APPS, HANDRAIL, Desk, fixture_grants, gone, wait_until

CATALOG = json.loads(subprocess.run([HANDRAIL, "schema", "--actions"], capture_output=True, text=True,
                                    check=True).stdout)["actions"]
ROWS = {}
CLOCK = "org.example.Clock"
COMMAND_LINE = "command line"


class NotHere(Exception):
    """The surface has no way to say it."""


def row(*names):
    def keep(function):
        for name in names:
            ROWS[name] = function
        return function
    return keep


class Way:
    """Calls through one surface."""

    def __init__(self, desk, surface):
        self.surface, self.client = surface, desk.mcp(surface=surface)
        self.words = subprocess.Popen([HANDRAIL, "schema", "--surface", surface, "--express", "-"], text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def calls(self, action, params):
        self.words.stdin.write(json.dumps({"action": action, "params": params}) + "\n")
        self.words.stdin.flush()
        told = self.words.stdout.readline()
        if not told:
            raise AssertionError(self.words.stderr.read())
        return json.loads(told)

    def call(self, action, /, **params):
        ways = self.calls(action, params)
        if not ways:
            raise NotHere(action)
        return self.client.call(ways[0]["tool"], ways[0]["arguments"])

    def do(self, action, /, **params):
        reply = self.call(action, **params)
        if reply.is_error:
            raise AssertionError(f"{action} {params}: {reply}")
        return reply

    def end(self):
        if self.words.poll() is None:
            self.client.close()
            self.words.communicate()


class CommandLine:
    """Each call is a process of its own, so that numbers of elements and keys that are held do not outlive it."""

    def __init__(self, desk):
        self.desk, self.surface = desk, COMMAND_LINE

    def call(self, action, /, **params):
        done = self.desk.home.run("do", "--desktop", self.desk.name, action, "--json", "--params", json.dumps(params))
        try:
            told = json.loads(done.stdout)
        except ValueError:
            told = {"error": {"message": done.stderr}}
        return types.SimpleNamespace(is_error=done.returncode != 0, structured=told, text=done.stdout, images=[])

    do = Way.do

    def end(self):
        pass


def size_of(jpeg):
    """Width and height as the file says them."""
    at = 2
    while at < len(jpeg):
        kind, length = jpeg[at + 1], struct.unpack(">H", jpeg[at + 2:at + 4])[0]
        if kind in (0xC0, 0xC1, 0xC2):
            height, width = struct.unpack(">HH", jpeg[at + 5:at + 9])
            return width, height
        at += 2 + length
    raise ValueError("no size")


class EveryAction(unittest.TestCase):
    def setUp(self):
        self.desk = Desk("--screen", "1280x800", "--screen", "800x600", name="every")
        self.addCleanup(self.desk.stop)
        self.work = self.desk.home.folder / "work"
        self.work.mkdir()
        self.desk.home.write_config(
            fixture_grants() + '[[grants]]\napp = "org.xfce.mousepad"\ntier = "full"\n'
            f'[programs]\nallow = true\n[files]\nallow = true\n[[files.roots]]\npath = "{self.work}"\naccess = "write"\n')
        self.widgets = self.desk.open("widgets_gtk3", geometry="560x700+10+30", title="widgets", takes_orders=True)
        self.probe = self.desk.open("probe_x11", geometry="300x200+600+40", title="probe")
        self.editor = self.desk.open("editor_gtk3", geometry="300x200+600+300", title="words").wait_focus()
        self.clock = Service(self.desk, CLOCK)
        self.bell = Service(self.desk, "org.freedesktop.Notifications")

    # What rows use.

    def look(self):
        """From now on the surface's pixels are the desktop's points."""
        if self.way.surface == "universal":
            self.way.do("capture", app="screen", mode="vision")
        elif self.way.surface != COMMAND_LINE:
            self.way.do("screenshot")

    def did(self, what, to):
        self.widgets.log.wait(lambda events: any(e["event"] == "did" and (e["what"], e["to"]) == (what, to)
                                                 for e in events), what=f"{what} {to}")

    def number(self, name):
        if self.way.surface == COMMAND_LINE:
            raise NotHere(name)
        if self.way.surface == "universal":
            rows = self.way.do("capture", window_id=self.widgets.window, mode="ax").structured["elements"]
        else:
            rows = self.way.do("find_element", app="widgets_gtk3", name=name).structured["elements"]
        found = [row for row in rows if row.get("name") == name and row["role"] != "label"]
        return found[0].get("n", found[0].get("element"))

    def middle(self, app):
        x, y, width, height = app.content()
        return [x + width // 2, y + height // 2]

    def to_editor(self):
        self.look()
        self.way.do("click", at=self.middle(self.editor))
        wait_until(lambda: self.desk.state()["active"] == self.editor.window, what="the editor in front")

    def frame(self, app):
        frame = app.row()["frame"]
        return [frame["x"], frame["y"], frame["width"], frame["height"]]

    def shows(self, app):
        return "IsViewable" in self.desk.outside("xwininfo", "-id", str(app.window))

    def is_state(self, app, state):
        return state in self.desk.outside("xprop", "-id", str(app.window), "_NET_WM_STATE")

    def workspace(self):
        return int(re.search(r"= (\d+)", self.desk.outside("xprop", "-root", "_NET_CURRENT_DESKTOP"))[1])

    @contextlib.contextmanager
    def spare(self):
        """One more window that may be changed or closed."""
        app = self.desk.open("editor_gtk3", geometry="200x150+900+40", title="spare")
        try:
            yield app
        finally:
            if not gone(app.pid):
                os.kill(app.pid, signal.SIGKILL)
                wait_until(lambda: gone(app.pid), what="its end")

    def selection(self, mime):
        done = subprocess.run([str(APPS / "clip_x11"), "read", mime], env={**self.desk.home.env, **self.desk.env},
                              capture_output=True, timeout=60, check=False)
        return done.stdout

    # The test itself.

    def run_rows(self, way):
        self.way = way
        self.addCleanup(way.end)
        ran = set()
        for action in CATALOG:
            name = action["name"]
            with self.subTest(action=name, surface=way.surface):
                self.assertIn(name, ROWS, "an action without a row")
                if not self.has(way, action):
                    continue
                try:
                    ROWS[name](self)
                    ran.add(name)
                except NotHere:
                    self.assertEqual(way.surface, COMMAND_LINE, "the row says it in a way that the surface does not know")
        way.end()
        return ran

    def has(self, way, action):
        """Whether the surface can say any of its examples."""
        if way.surface == COMMAND_LINE:
            return True
        for example in action["examples"]:
            params = example["params"] if isinstance(example["params"], dict) else json.loads(example["params"])
            if way.calls(action["name"], params):
                return True
        return False

    def test_classic(self):
        self.assertGreater(len(self.run_rows(Way(self.desk, "classic"))), 15)

    def test_universal(self):
        self.assertGreater(len(self.run_rows(Way(self.desk, "universal"))), 15)

    def test_layered(self):
        self.assertGreater(len(self.run_rows(Way(self.desk, "layered"))), 30)

    def test_compact_and_command_line_have_all(self):
        names = {action["name"] for action in CATALOG}
        ran = self.run_rows(Way(self.desk, "compact"))
        # Its numbers are told by `ui` and `find_element`; steps of a batch are in the catalog's words.
        self.assertEqual(names - ran, {"capture", "batch"})
        ran |= self.run_rows(CommandLine(self.desk))
        self.assertEqual(names - ran, set())

    def test_rows_are_of_actions(self):
        self.assertEqual(set(ROWS), {action["name"] for action in CATALOG})


@row("request_access")
def _(t):
    reply = t.way.do("request_access", apps=[{"app": "galculator", "tier": "read"}], reason="To look.")
    kept = "".join(path.read_text() for path in t.desk.home.folder.rglob("audit/*.jsonl"))
    t.assertIn("galculator", json.dumps(reply.structured) + kept)


@row("list_grants")
def _(t):
    told = json.dumps(t.way.do("list_grants").structured)
    for app in (APPS / "widgets_gtk3", APPS / "probe_x11"):
        t.assertIn(app.name, told)


@row("screenshot")
def _(t):
    reply = t.way.do("screenshot")
    if t.way.surface == COMMAND_LINE:
        path = t.desk.home.folder / "shot.jpg"
        t.desk.home.run("do", "--desktop", t.desk.name, "screenshot", "--save", path)
        t.assertEqual(size_of(path.read_bytes()), (1280, 800))
        return
    t.assertEqual([size_of(base64.b64decode(image["data"])) for image in reply.images], [(1280, 800)])


@row("zoom")
def _(t):
    t.look()
    x, y, _, _ = t.probe.content()
    reply = t.way.do("zoom", region=[x, y, x + 100, y + 60])
    t.assertTrue(reply.images or t.way.surface == COMMAND_LINE)


@row("ocr")
def _(t):
    x, y, width, height = t.widgets.content()
    t.look()
    t.assertIn("Button", t.way.do("ocr", region=[x, y, x + width, y + height], basis="points").text)


@row("cursor_position")
def _(t):
    t.look()
    pointer = t.desk.state()["pointer"]
    told = json.dumps(t.way.do("cursor_position", basis="points").structured)
    t.assertIn(str(pointer["x"]), told)


@row("displays")
def _(t):
    told = json.dumps(t.way.do("displays").structured)
    for size in (1280, 800, 600):
        t.assertIn(str(size), told)


@row("click")
def _(t):
    t.look()
    t.probe.forget()
    at = t.middle(t.probe)
    t.way.do("click", at=at)
    press = t.probe.log.wait_count("press", 1)[0]
    t.assertEqual((press["button"], press["root_x"], press["root_y"]), (1, *at))


@row("drag")
def _(t):
    t.look()
    t.probe.forget()
    x, y = t.middle(t.probe)
    t.way.do("drag", **{"from": [x, y], "to": [x + 40, y + 30]})
    press = t.probe.log.wait_count("press", 1)[0]
    release = t.probe.log.wait_count("release", 1)[0]
    t.assertEqual([press["root_x"], press["root_y"]], [x, y])
    t.assertEqual([release["root_x"], release["root_y"]], [x + 40, y + 30])


@row("move")
def _(t):
    t.look()
    x, y = t.middle(t.probe)
    t.way.do("move", at=[x + 7, y + 9])
    pointer = t.desk.state()["pointer"]
    t.assertEqual((pointer["x"], pointer["y"]), (x + 7, y + 9))


@row("scroll")
def _(t):
    t.look()
    t.probe.forget()
    t.way.do("scroll", at=t.middle(t.probe), direction="down", amount=2)
    t.assertEqual([press["button"] for press in t.probe.log.wait_count("press", 2)], [5, 5])


@row("button_down", "button_up")
def _(t):
    t.look()
    t.way.do("move", at=t.middle(t.probe))
    t.way.do("button_down")
    if t.way.surface != COMMAND_LINE:
        t.assertTrue(t.desk.state()["pointer"]["buttons"])
        t.way.do("button_up")
    t.assertFalse(t.desk.state()["pointer"]["buttons"])


@row("type")
def _(t):
    if t.way.surface == "universal":
        raise NotHere("it types into an app")
    t.to_editor()
    t.way.do("type", text="Grüße 東京")
    t.editor.log.wait(lambda _: t.editor.log.text().endswith("Grüße 東京"))


@row("key")
def _(t):
    if t.way.surface == "universal":
        raise NotHere("it presses keys in an app")
    t.to_editor()
    t.way.do("key", keys="q")
    t.editor.log.wait(lambda _: t.editor.log.text().endswith("q"))


@row("hold_key")
def _(t):
    t.way.call("hold_key", keys="w", duration=0.05)
    t.to_editor()
    t.way.do("hold_key", keys="w", duration=0.05)
    t.editor.log.wait(lambda _: t.editor.log.text().endswith("w"))


@row("key_down", "key_up")
def _(t):
    if t.way.surface == COMMAND_LINE:
        raise NotHere("a command holds nothing after its end")
    t.to_editor()
    t.way.do("key_down", keys="shift")
    t.assertTrue(t.desk.state()["keyboard"]["pressed"])
    t.way.do("key_up", keys="shift")
    t.assertFalse(t.desk.state()["keyboard"]["pressed"])


@row("capture")
def _(t):
    reply = t.way.do("capture", app="widgets_gtk3")
    t.assertIn("Button 2", reply.text + json.dumps(reply.structured))


@row("find_element", "ui_tree")
def _(t):
    t.assertIn("Button 2", json.dumps(t.way.do("find_element", app="widgets_gtk3", name="Button 2").structured))
    tree = t.way.do("ui_tree", app="widgets_gtk3")
    t.assertTrue("Slider" in tree.text or tree.structured["elements"] > 20, tree)


@row("focus_app")
def _(t):
    t.way.do("focus_app", app="widgets_gtk3", raise_window=True)
    wait_until(lambda: t.desk.state()["active"] == t.widgets.window, what="the widgets in front")


@row("click_element")
def _(t):
    number = t.number("Button 2")
    t.widgets.log.forget()
    t.way.do("click_element", element=number)
    t.did("press", "Button 2")


@row("set_value")
def _(t):
    text = f"set by {t.way.surface} {time.monotonic()}"
    t.way.do("set_value", element=t.number("Entry"), value=text)
    t.did("entry", text)


@row("get_value")
def _(t):
    text = f"set by {t.way.surface} {time.monotonic()}"
    t.way.do("set_value", element=t.number("Entry"), value=text)
    t.did("entry", text)
    t.assertEqual(t.way.do("get_value", element=t.number("Entry")).structured["value"], text)


@row("drag_elements")
def _(t):
    t.way.do("set_value", element=t.number("Slider"), value="10")
    t.did("slider", 10)
    t.widgets.log.forget()
    number = t.number("Slider")
    t.way.do("drag_elements", **{"from": number, "to": number, "delivery": "foreground"})
    t.widgets.log.wait(lambda events: any(e["event"] == "did" and e["what"] == "slider" for e in events))


@row("perform_action")
def _(t):
    t.widgets.log.forget()
    t.way.do("perform_action", element=t.number("Button 1"), action="click")
    t.did("press", "Button 1")


@row("select_menu")
def _(t):
    t.widgets.log.forget()
    t.way.do("select_menu", app="widgets_gtk3", path=["File", "New"])
    t.did("menu", "_New")


@row("scroll_element")
def _(t):
    t.way.do("set_value", element=t.number("Slider"), value="20")
    t.did("slider", 20)
    t.widgets.log.forget()
    t.way.do("scroll_element", element=t.number("Slider"), direction="down", amount=1, delivery="foreground")
    t.widgets.log.wait(lambda events: any(e["event"] == "did" and e["what"] == "slider" for e in events))


@row("scroll_to")
def _(t):
    reply = t.way.call("scroll_to", element=t.number("Button 2"))
    # GTK 3 offers it for nothing that shows already.
    t.assertTrue(not reply.is_error or reply.structured["error"]["code"] == "capability_unsupported", reply)


@row("focus_element")
def _(t):
    t.way.do("focus_element", element=t.number("Entry"))
    wait_until(lambda: t.desk.state()["active"] == t.widgets.window, what="the focus")


@row("key_into")
def _(t):
    t.way.do("key_into", keys="z", app="editor_gtk3", delivery="foreground")
    t.editor.log.wait(lambda _: t.editor.log.text().endswith("z"))


@row("type_into")
def _(t):
    text = f"into {time.monotonic()}"
    t.way.do("type_into", text=text, element=t.number("Entry"))
    t.widgets.log.wait(lambda events: any(e["event"] == "did" and e["what"] == "entry" and e["to"].endswith(text)
                                          for e in events))


@row("element_at")
def _(t):
    t.way.do("ui_tree", app="widgets_gtk3")
    found = t.way.do("find_element", app="widgets_gtk3", name="Button 1", role="push button",
                     basis="points").structured["elements"][0]["box"]
    middle = [found[0] + found[2] / 2, found[1] + found[3] / 2]
    if t.way.surface == COMMAND_LINE:
        raise NotHere("the app that is looked at is forgotten")
    t.assertEqual(t.way.do("element_at", at=middle, basis="points").structured["name"], "Button 1")


@row("click_named", "type_named", "value_named")
def _(t):
    t.widgets.log.forget()
    t.way.do("click_named", app="widgets_gtk3", name="Button 0", role="push button")
    t.did("press", "Button 0")
    t.way.do("type_named", app="widgets_gtk3", name="Entry", text="named")
    t.widgets.log.wait(lambda events: any(e["event"] == "did" and e["what"] == "entry" and "named" in e["to"]
                                          for e in events))
    t.assertIn("named", t.way.do("value_named", app="widgets_gtk3", name="Entry").structured["value"])


@row("verify_state")
def _(t):
    reply = t.way.do("verify_state", expect=[{"is": "element", "name": "Button 2"}], app="widgets_gtk3")
    t.assertEqual(reply.structured["state"], "satisfied")
    reply = t.way.call("verify_state", expect=[{"is": "element", "name": "No such thing"}], app="widgets_gtk3")
    t.assertEqual(reply.structured["state"], "unsatisfied")


@row("wait_for")
def _(t):
    t.way.do("wait_for", name="Button 2", app="widgets_gtk3", timeout_seconds=5)
    began = time.monotonic()
    t.assertTrue(t.way.call("wait_for", name="No such thing", app="widgets_gtk3", timeout_seconds=0.5).is_error)
    t.assertGreater(time.monotonic() - began, 0.5)


@row("list_windows")
def _(t):
    told = {window["id"] for window in t.way.do("list_windows").structured["windows"]}
    t.assertEqual(told, {window["id"] for window in t.desk.state()["windows"]})


@row("focus_window")
def _(t):
    t.way.do("focus_window", window=t.probe.window)
    wait_until(lambda: t.desk.state()["active"] == t.probe.window, what="the probe in front")


@row("move_window", "resize_window", "set_frame")
def _(t):
    with t.spare() as app:
        t.way.do("move_window", window=app.window, to=[930, 120])
        t.assertEqual(t.frame(app)[:2], [930, 120])
        t.way.do("resize_window", window=app.window, width=260, height=220)
        t.assertEqual(t.frame(app)[2:], [260, 220])
        t.way.do("set_frame", window=app.window, to=[920, 100], width=240, height=200)
        t.assertEqual(t.frame(app), [920, 100, 240, 200])


@row("minimise_window", "restore_window", "maximise_window")
def _(t):
    with t.spare() as app:
        t.way.do("minimise_window", window=app.window)
        t.assertFalse(t.shows(app))
        t.way.do("restore_window", window=app.window)
        t.assertTrue(t.shows(app))
        t.way.do("maximise_window", window=app.window)
        t.assertTrue(t.is_state(app, "MAXIMIZED_VERT"))


@row("raise_window")
def _(t):
    with t.spare() as app:
        t.way.do("raise_window", window=t.probe.window)
        wait_until(lambda: t.desk.state()["windows"][-1]["id"] == t.probe.window, what="the probe on top")
        t.assertIn(app.window, [window["id"] for window in t.desk.state()["windows"]])


@row("list_workspaces", "switch_workspace")
def _(t):
    told = t.way.do("list_workspaces").structured["workspaces"]
    count = int(re.search(r"= (\d+)", t.desk.outside("xprop", "-root", "_NET_NUMBER_OF_DESKTOPS"))[1])
    t.assertEqual(len(told), count)
    t.way.do("switch_workspace", workspace=1)
    t.assertEqual(t.workspace(), 1)
    t.way.do("switch_workspace", workspace=0)
    t.assertEqual(t.workspace(), 0)


@row("send_to_workspace")
def _(t):
    with t.spare() as app:
        t.way.do("send_to_workspace", window=app.window, workspace=1)
        t.assertIn("= 1", t.desk.outside("xprop", "-id", str(app.window), "_NET_WM_DESKTOP"))


@row("close_window")
def _(t):
    with t.spare() as app:
        t.way.do("close_window", window=app.window)
        wait_until(lambda: app.window not in [w["id"] for w in t.desk.state()["windows"]], what="the end of the window")


def mousepads(t):
    return [window for window in t.desk.state()["windows"] if "ousepad" in window["title"]]


@row("open_app")
def _(t):
    # The universal tool opens apps behind what is in front, and no other way.
    t.way.do("open_app", app="org.xfce.mousepad", **({"behind": True} if t.way.surface == "universal" else {}))
    wait_until(lambda: mousepads(t), what="the editor")


@row("activate_app", "hide_app", "unhide_app")
def _(t):
    t.way.do("hide_app", app="probe_x11")
    t.assertFalse(t.shows(t.probe))
    t.way.do("unhide_app", app="probe_x11")
    wait_until(lambda: t.shows(t.probe), what="the probe")
    t.way.do("activate_app", app="probe_x11", **{"raise": True})
    wait_until(lambda: t.desk.state()["active"] == t.probe.window, what="the probe in front")


@row("quit_app")
def _(t):
    if not mousepads(t):
        t.desk.launch(["/usr/bin/mousepad"])
        wait_until(lambda: mousepads(t), what="the editor")
    t.way.do("quit_app", app="org.xfce.mousepad")
    wait_until(lambda: not mousepads(t), what="the end of the editor")


@row("list_apps")
def _(t):
    told = json.dumps(t.way.do("list_apps").structured)
    t.assertIn("mousepad", told)


@row("read_clipboard", "list_clipboard_formats")
def _(t):
    log = t.desk.home.folder / "logs" / f"own-{t.way.surface}.jsonl"
    pid = t.desk.launch([str(APPS / "clip_x11"), "own", "--log", str(log), "text/plain;charset=utf-8=outside"])
    wait_until(lambda: log.exists() and "owner" in log.read_text(), what="an owner")
    t.addCleanup(lambda: gone(pid) or os.kill(pid, 15))
    reply = t.way.do("read_clipboard")
    t.assertIn("outside", reply.text + json.dumps(reply.structured))
    if t.way.surface in ("compact", COMMAND_LINE):
        t.assertIn("text/plain", json.dumps(t.way.do("list_clipboard_formats").structured))


@row("write_clipboard")
def _(t):
    t.way.do("write_clipboard", text="from an agent")
    if t.way.surface != COMMAND_LINE:
        wait_until(lambda: t.selection("UTF8_STRING") == b"from an agent", what=lambda: t.selection("UTF8_STRING"))


@row("read_file", "file_info", "list_folder")
def _(t):
    (t.work / "given.txt").write_text("given by the test")
    t.assertIn("given by the test", t.way.do("read_file", path=str(t.work / "given.txt")).text)
    t.assertEqual(t.way.do("file_info", path=str(t.work / "given.txt")).structured["size"], 17)
    t.assertIn("given.txt", t.way.do("list_folder", path=str(t.work)).text)


@row("write_file", "move_file", "make_folder", "delete_file")
def _(t):
    path = t.work / f"{t.way.surface.replace(' ', '')}.txt"
    t.way.do("write_file", path=str(path), text="by an agent", mode="replace")
    t.assertEqual(path.read_text(), "by an agent")
    folder = t.work / f"folder-{t.way.surface.replace(' ', '')}"
    t.way.do("make_folder", path=str(folder))
    t.assertTrue(folder.is_dir())
    t.way.do("move_file", path=str(path), to=str(folder / "moved.txt"))
    t.assertEqual((folder / "moved.txt").read_text(), "by an agent")
    t.way.do("delete_file", path=str(folder), recursive=True)
    t.assertFalse(folder.exists())


@row("save_screenshot")
def _(t):
    path = t.work / f"{t.way.surface.replace(' ', '')}.png"
    t.way.do("save_screenshot", path=str(path), app="screen")
    picture = png.decode(path.read_bytes())
    t.assertEqual((picture.width, picture.height), (1280, 800))
    colours = {picture.pixel(x, y) for x in range(0, 1280, 8) for y in range(0, 800, 8)}
    t.assertGreater(len(colours), 3, "nothing is on it")


@row("shell", "exec", "run_script")
def _(t):
    out = t.work / "out"
    (t.work / "given.txt").write_text("given by the test")
    for action, params in (("shell", {"command": "echo one > out"}), ("exec", {"argv": ["cp", "given.txt", "out"]}),
                           ("run_script", {"language": "python", "script": "open('out', 'w').write('three')"})):
        out.unlink(missing_ok=True)
        t.way.do(action, cwd=str(t.work), **params)
        t.assertTrue(out.exists(), action)
    t.assertEqual(out.read_text(), "three")


@row("list_processes")
def _(t):
    rows = t.way.do("list_processes", most=1000).structured["processes"]
    t.assertIn(t.probe.pid, [each["pid"] for each in rows])


@row("environment")
def _(t):
    t.assertIn(t.desk.env["DISPLAY"], json.dumps(t.way.do("environment").structured))


@row("end_process")
def _(t):
    app = t.desk.open("probe_x11", geometry="200x150+900+300", title="ended")
    t.way.do("end_process", pid=app.pid)
    wait_until(lambda: gone(app.pid), what="its end")


@row("dbus_call")
def _(t):
    before = len(t.clock.calls("Echo"))
    asked = {"destination": CLOCK, "path": "/", "interface": CLOCK, "method": "Echo", "signature": "s",
             "arguments": '["now"]'}
    reply = t.way.call("dbus_call", **asked)
    # Nobody is there to agree, unless nothing on the desktop is anybody's.
    t.assertEqual(len(t.clock.calls("Echo")), before + (0 if reply.is_error else 1))
    if reply.is_error:
        t.assertEqual(reply.structured["error"]["gate"], "approval")


@row("list_app_actions", "app_action")
def _(t):
    if not mousepads(t):
        t.desk.launch(["/usr/bin/mousepad"])
        wait_until(lambda: mousepads(t), what="the editor")
    names = [each["name"] for each in t.way.do("list_app_actions", app="org.xfce.mousepad").structured["actions"]]
    new_window = next(name for name in names if name.endswith("file.new-window"))
    count = len(mousepads(t))
    t.way.do("app_action", app="org.xfce.mousepad", action=new_window)
    wait_until(lambda: len(mousepads(t)) == count + 1, what="one more window")
    for window in mousepads(t):
        if not gone(window["pid"]):
            os.kill(window["pid"], signal.SIGKILL)
    wait_until(lambda: not mousepads(t), what="their end")


@row("system_state")
def _(t):
    state = t.way.do("system_state").structured
    t.assertEqual(state["processors"], os.cpu_count())
    told = datetime.datetime.fromisoformat(state["time"])
    t.assertLess(abs(datetime.datetime.now().astimezone() - told), datetime.timedelta(seconds=60))


@row("notify", "list_notifications")
def _(t):
    before = len(t.bell.calls("Notify"))
    if t.way.surface != COMMAND_LINE:
        t.way.do("list_notifications")
    t.way.do("notify", title=f"Told by {t.way.surface}", text="words")
    t.assertIn(f"Told by {t.way.surface}", [call["title"] for call in t.bell.calls("Notify")[before:]])
    if t.way.surface != COMMAND_LINE:
        wait_until(lambda: f"Told by {t.way.surface}" in t.way.do("list_notifications").text, what="the notification")


@row("set_brightness", "lock_screen")
def _(t):
    # A desktop on no screen has neither.
    for action, params in (("set_brightness", {"percent": 50}), ("lock_screen", {})):
        reply = t.way.call(action, **params)
        t.assertEqual(reply.structured["error"]["code"], "capability_unsupported", action)


@row("check_permissions")
def _(t):
    t.assertIn("xtest", json.dumps(t.way.do("check_permissions").structured).lower())


@row("setup")
def _(t):
    t.way.do("setup")
    asked = subprocess.run(
        ["gdbus", "call", "--session", "--dest", "org.a11y.Bus", "--object-path", "/org/a11y/bus", "--method",
         "org.freedesktop.DBus.Properties.Get", "org.a11y.Status", "IsEnabled"],
        env={**t.desk.home.env, **t.desk.env}, capture_output=True, text=True, timeout=60, check=True)
    t.assertIn("true", asked.stdout)


@row("wait")
def _(t):
    began = time.monotonic()
    t.way.do("wait", duration=0.3)
    t.assertGreater(time.monotonic() - began, 0.3)


@row("switch_display")
def _(t):
    t.way.do("switch_display", display=1)
    t.way.do("switch_display", display=0)


@row("release")
def _(t):
    t.way.do("release")
    done = t.desk.home.run("do", "--desktop", t.desk.name, "move", "--at", ",".join(map(str, t.middle(t.probe))))
    t.assertEqual(done.returncode, 0, f"the desktop is free: {done.stderr}")


@row("batch")
def _(t):
    t.look()
    x, y = t.middle(t.probe)
    steps = [{"action": "move", "params": {"at": [x + 3, y + 4]}}, {"action": "wait", "params": {"duration": 0.01}}]
    t.way.do("batch", steps=steps)
    pointer = t.desk.state()["pointer"]
    t.assertEqual((pointer["x"], pointer["y"]), (x + 3, y + 4))


@row("audit")
def _(t):
    reply = t.way.do("audit", form="full", most=10)
    kept = "".join(path.read_text() for path in t.desk.home.folder.rglob("audit/*.jsonl"))
    t.assertGreaterEqual(kept.count('"kind":"call"'), reply.structured["calls"])
    if t.way.surface != COMMAND_LINE:
        t.assertIn("value_named", json.dumps(reply.structured))


if __name__ == "__main__":
    unittest.main()
