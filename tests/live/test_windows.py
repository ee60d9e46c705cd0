"""Windows and workspaces under three window managers and under none. What became of each act is read from the X server
by a program that shares no code with Handrail, and by xprop."""
import re
import subprocess
import unittest

from security.harness import ManagedX
from support.desk import Desk, PlainX, fixture_grants, wait_until
from support.one_action import OneAction


class WindowActs(OneAction):
    keeps_focus = True  # when a window is raised

    def frame(self, app):
        frame = app.row()["frame"]
        return [frame["x"], frame["y"], frame["width"], frame["height"]]

    def viewable(self, app):
        return "IsViewable" in self.desk.outside("xwininfo", "-id", str(app.window))

    def prop(self, window, name):
        return self.desk.outside("xprop", "-id", str(window), name)

    def root(self, name):
        return self.desk.outside("xprop", "-root", name)

    def stack(self):
        return [window["id"] for window in self.desk.state()["windows"]]

    def test_set_frame_is_read_back(self):
        answer = self.act("set_frame", window=self.below.window, to=[140, 90], width=420, height=330)
        self.assertEqual(answer["effect"], "confirmed", answer)
        self.assertEqual(answer["window"]["area"], [140, 90, 420, 330])
        self.assertEqual(self.frame(self.below), [140, 90, 420, 330])
        before = self.frame(self.below)
        code, dry = self.run_action("set_frame", dry_run=True, window=self.below.window, to=[1, 1], width=50, height=50)
        self.assertEqual((code, dry["dry_run"], self.frame(self.below)), (0, True, before))

    def test_raise_leaves_the_focus(self):
        for app, place in ((self.below, [200, 150]), (self.above, [230, 170])):
            self.act("set_frame", window=app.window, to=place, width=350, height=260)
        self.act("focus_window", window=self.above.window)
        wait_until(lambda: self.stack()[-1] == self.above.window, what="the other on top")
        focus = self.desk.state()["focus"]
        answer = self.act("raise_window", window=self.below.window)
        self.assertEqual(self.stack()[-1], self.below.window)
        # Where the window manager moves the focus all the same, it is told; but it may do so later.
        kept = self.desk.state()["focus"] == focus
        if self.keeps_focus:
            self.assertEqual((answer["effect"], kept), ("confirmed", True), answer)
        else:
            self.assertIn(answer["effect"], ("confirmed", "partial"), answer)

    def test_minimised_comes_back(self):
        self.act("minimise_window", window=self.below.window)
        wait_until(lambda: not self.viewable(self.below), what="it to be gone")
        answer = self.act("restore_window", window=self.below.window)
        self.assertEqual((answer["effect"], answer["window"]["state"]), ("confirmed", "normal"))
        wait_until(lambda: self.viewable(self.below), what="it to be back")

    def test_a_window_that_is_not_there(self):
        for action, params in (("set_frame", {"to": [0, 0], "width": 9, "height": 9}), ("raise_window", {}),
                               ("restore_window", {}), ("maximise_window", {}), ("send_to_workspace", {"workspace": 0})):
            error = self.refusal(action, window=7, **params)
            self.assertIn(error["code"], ("not_found", "target_stale"), (action, error))


class Managed(WindowActs):
    sizes_freely = False

    def test_maximise_and_restore(self):
        before = self.frame(self.below)
        answer = self.act("maximise_window", window=self.below.window)
        self.assertEqual((answer["effect"], answer["window"]["state"]), ("confirmed", "maximised"), answer)
        self.assertIn("_NET_WM_STATE_MAXIMIZED_VERT", self.prop(self.below.window, "_NET_WM_STATE"))
        self.assertGreater(self.frame(self.below)[2], 1000)
        moved = self.act("set_frame", window=self.below.window, to=[50, 60], width=300, height=200)
        if self.frame(self.below) != [50, 60, 300, 200]:
            self.assertIn(moved["effect"], ("partial", "suspected_noop"), moved)
            self.assertEqual(moved["window"]["area"], self.frame(self.below))
        answer = self.act("restore_window", window=self.below.window)
        self.assertEqual(answer["window"]["state"], "normal", answer)
        self.assertNotIn("MAXIMIZED", self.prop(self.below.window, "_NET_WM_STATE"))
        self.act("set_frame", window=self.below.window, to=before[:2], width=before[2], height=before[3])

    def test_workspaces(self):
        listed = self.act("list_workspaces")["workspaces"]
        count = int(self.root("_NET_NUMBER_OF_DESKTOPS").split("=")[1])
        self.assertEqual([row["number"] for row in listed], list(range(count)))
        self.assertGreater(count, 1)
        self.assertEqual([row["current"] for row in listed].index(True), self.current())
        self.assertEqual(self.act("send_to_workspace", window=self.below.window, workspace=1)["effect"], "confirmed")
        self.assertIn("= 1", self.prop(self.below.window, "_NET_WM_DESKTOP"))
        self.assertEqual(self.act("switch_workspace", workspace=1)["effect"], "confirmed")
        self.assertEqual(self.current(), 1)
        wait_until(lambda: self.viewable(self.below) and not self.viewable(self.above), what="the other windows")
        self.act("send_to_workspace", window=self.below.window, workspace=-1)
        self.assertIn("4294967295", self.prop(self.below.window, "_NET_WM_DESKTOP"))
        self.act("send_to_workspace", window=self.below.window, workspace=0)
        self.act("switch_workspace", workspace=0)
        for action, params in (("switch_workspace", {}), ("send_to_workspace", {"window": self.below.window})):
            error = self.refusal(action, workspace=count, **params)
            self.assertEqual((error["code"], error["field"]), ("argument_invalid", "workspace"))
            self.assertIn(f"0 to {count - 1}", error["expected"])
        self.assertEqual(self.current(), 0)

    def current(self):
        return int(self.root("_NET_CURRENT_DESKTOP").split("=")[1])

    def test_a_size_that_the_app_does_not_take(self):
        # A terminal grows by whole characters.
        terminal = self.desk.launch(["/usr/bin/xterm", "-T", "steps", "-fn", "10x20", "-e", "sleep 600"])
        try:
            row = wait_until(lambda: next((w for w in self.desk.state()["windows"] if w["title"] == "steps"), None),
                             what="the terminal")
            answer = self.act("resize_window", window=row["id"], width=407, height=309)
            now = next(w for w in self.desk.state()["windows"] if w["id"] == row["id"])["frame"]
            # xfwm4 asks no app.
            taken = (now["width"], now["height"]) == (407, 309)
            self.assertIn(answer["effect"], ("confirmed",) if taken else ("partial", "suspected_noop"), answer)
            self.assertTrue(self.sizes_freely or not taken)
            self.assertEqual(answer["window"]["area"][2:], [now["width"], now["height"]])
        finally:
            subprocess.run(["kill", str(terminal)], check=False)


class Openbox(Managed, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desk = Desk()
        cls.addClassCleanup(cls.desk.stop)
        cls.below = cls.desk.open("probe_x11", geometry="400x300+100+100")
        cls.above = cls.desk.open("probe_x11", geometry="400x300+160+160")


class Xfwm4(Managed, unittest.TestCase):
    """A desktop of a person's, who agrees at the terminal."""
    answer = b"once\n"
    keeps_focus = False
    sizes_freely = True

    @classmethod
    def setUpClass(cls):
        cls.desk = ManagedX("xfwm4")
        cls.addClassCleanup(cls.desk.stop)
        cls.desk.home.write_config('ask_by = ["terminal"]\n' + fixture_grants())
        cls.where = cls.desk.display
        cls.below = cls.desk.open("probe_x11", geometry="400x300+100+100")
        cls.above = cls.desk.open("probe_x11", geometry="400x300+160+160")


class Alone(WindowActs, unittest.TestCase):
    """Without a window manager."""
    answer = b"once\n"

    @classmethod
    def setUpClass(cls):
        cls.desk = PlainX()
        cls.addClassCleanup(cls.desk.stop)
        cls.desk.home.write_config('ask_by = ["terminal"]\n' + fixture_grants())
        cls.where = cls.desk.display
        cls.below = cls.desk.open("probe_x11", geometry="400x300+100+100")
        cls.above = cls.desk.open("probe_x11", geometry="400x300+160+160")

    def frame(self, app):
        facts = self.desk.outside("xwininfo", "-id", str(app.window))
        names = ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")
        return [int(re.search(rf"{name}: +(-?\d+)", facts)[1]) for name in names]

    def stack(self):
        """Of the fixtures, lowest first."""
        ids = [int(word, 16) for word in re.findall(r"^ +(0x[0-9a-f]+)", self.desk.outside("xwininfo", "-root", "-children"), re.M)]
        return [window for window in reversed(ids) if window in (self.below.window, self.above.window)]

    def test_says_what_is_missing(self):
        for action, params in (("maximise_window", {"window": self.below.window}), ("list_workspaces", {}),
                               ("send_to_workspace", {"window": self.below.window, "workspace": 0}),
                               ("switch_workspace", {"workspace": 0})):
            error = self.refusal(action, **params)
            self.assertEqual(error["code"], "capability_unsupported", (action, error))
            self.assertIn("window manager", error["message"])

    def test_a_person_is_asked_before_a_window_comes_to_the_front(self):
        self.act("focus_window", window=self.above.window)
        before = self.stack()
        for action, params in (("raise_window", {"window": self.below.window}), ("switch_workspace", {"workspace": 0})):
            self.answer = b"no\n"
            error = self.refusal(action, **params)
            self.assertEqual((error["gate"], self.stack()), ("raise", before), error)
            self.assertIn(action, self.shown)
        self.answer = b"once\n"
        self.act("raise_window", window=self.below.window)
        self.assertEqual(self.stack()[-1], self.below.window)


if __name__ == "__main__":
    unittest.main()
