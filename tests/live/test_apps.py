"""Apps as a whole: opened with files and behind others, hidden and shown, closed with a dialog in the way. The apps' own
files and windows say what became of it."""
import os
import pathlib
import time
import unittest

from support.desk import Desk, fixture_grants, gone, most_seconds, wait_until
from support.one_action import OneAction

EDITOR = '[[grants]]\napp = "org.xfce.mousepad"\ntier = "full"\n'


class Apps(OneAction, unittest.TestCase):
    def setUp(self):
        self.desk = Desk()
        self.addCleanup(self.desk.stop)
        self.files = self.desk.home.folder / "granted"
        self.files.mkdir()
        self.desk.home.write_config('ask_by = ["terminal"]\n' + fixture_grants() + EDITOR +
                                    f'[files]\nallow = true\n[[files.roots]]\npath = "{self.files}"\n')

    def windows(self, part="Mousepad"):
        return [window for window in self.desk.state()["windows"] if part in window["title"]]

    def file(self, name, text):
        path = self.files / name
        path.write_text(text)
        return str(path)

    def test_opens_a_file(self):
        path = self.file("a b; touch x.txt", "words of the file")
        answer = self.act("open_app", app="org.xfce.mousepad", file=path)
        self.assertEqual(answer["effect"], "confirmed", answer)
        wait_until(lambda: self.windows("a b; touch x.txt"), what="the file in a title")
        # Once more, by its kind, in the app that runs by now.
        other = self.file("second.txt", "other words")
        self.act("open_app", file=other)
        wait_until(lambda: self.windows("second.txt"), what="the second file")
        self.assertFalse((self.desk.home.folder / "x").exists())

    def test_asks_before_other_files(self):
        path = self.desk.home.folder / "diary.txt"
        path.write_text("of nobody's business")
        for self.answer in (None, b"no\n"):
            error = self.refusal("open_app", app="org.xfce.mousepad", file=str(path))
            self.assertEqual(error["gate"], "approval", error)
        self.assertIn(str(path), self.shown)
        # A way through a granted folder is no way in.
        (self.files / "out").symlink_to(self.desk.home.folder)
        error = self.refusal("open_app", app="org.xfce.mousepad", file=str(self.files / "out" / "diary.txt"))
        self.assertEqual(error["gate"], "approval", error)
        self.assertEqual(self.windows("diary"), [])
        own = pathlib.Path(self.desk.home.env["XDG_CONFIG_HOME"]) / "handrail" / "config.toml"
        self.answer = b"once\n"
        self.assertEqual(self.refusal("open_app", app="org.xfce.mousepad", file=str(own))["gate"], "files")
        self.act("open_app", app="org.xfce.mousepad", file=str(path))
        wait_until(lambda: self.windows("diary"), what="the file in a title")
        self.answer = None

    def test_bad_files_open_nothing(self):
        folder = self.files
        os.symlink("/etc/passwd", folder / "link.txt")
        os.mkfifo(folder / "pipe.txt")
        self.file("evil.desktop", "[Desktop Entry]\nType=Application\nName=x\nExec=xterm\n")
        error = self.refusal("open_app", app="org.xfce.mousepad", file=str(folder / "link.txt"))
        self.assertEqual(error["gate"], "approval", "a link is no granted file")
        self.answer = b"once\n"
        self.mistaken("open_app", "file", app="org.xfce.mousepad", file=str(folder / "link.txt"))
        self.answer = None
        for path in ("relative.txt", str(folder), str(folder / "pipe.txt"), str(folder / "evil.desktop"), "--help"):
            self.mistaken("open_app", "file", app="org.xfce.mousepad", file=path)
        self.mistaken("open_app", "app")
        error = self.refusal("open_app", app="org.xfce.mousepad", file=str(folder / "none.txt"))
        self.assertEqual((error["code"], error["field"]), ("not_found", "file"))
        self.assertEqual(self.windows(), [])

    def test_opens_behind(self):
        person = self.desk.open("editor_gtk3", geometry="600x400+100+100").wait_focus()
        before = self.desk.state()
        answer = self.act("open_app", app="org.xfce.mousepad", behind=True)
        self.assertEqual(answer["effect"], "confirmed", answer)
        wait_until(self.windows, what="the editor")
        after = self.desk.state()
        self.assertEqual((after["focus"], after["active"]), (before["focus"], before["active"]))
        self.assertEqual(after["windows"][-1]["id"], person.window, "what was on top is there still")
        self.act("activate_app", app="mousepad")
        self.assertEqual(self.desk.state()["active"], person.window)
        self.act("activate_app", app="mousepad", **{"raise": True})
        wait_until(lambda: self.desk.state()["active"] == self.windows()[0]["id"], what="the editor in front")

    def test_hides_and_shows_all_windows(self):
        first = self.desk.open("probe_x11", geometry="300x200+50+60")
        other = self.desk.open("editor_gtk3", geometry="300x200+500+60").wait_focus()
        answer = self.act("hide_app", app="probe_x11")
        self.assertEqual(answer["effect"], "confirmed", answer)
        wait_until(lambda: not first.row()["viewable"], what="it to be hidden")
        self.assertTrue(other.row()["viewable"])
        self.act("unhide_app", app="probe_x11")
        wait_until(lambda: first.row()["viewable"], what="it to show again")

    def test_quits(self):
        app = self.desk.open("editor_gtk3", geometry="300x200+500+60").wait_focus()
        answer = self.act("quit_app", app="editor_gtk3")
        self.assertEqual((answer["effect"], answer["closed"], answer["windows_left"]), ("confirmed", True, 0), answer)
        wait_until(lambda: gone(app.pid), what="the end of the app")

    def test_tells_the_dialog_in_the_way(self):
        self.act("open_app", app="org.xfce.mousepad")
        wait_until(self.windows, what="the editor")
        self.act("type", text="not saved")
        wait_until(lambda: self.windows("*"), what="the mark of a changed text")
        began = time.monotonic()
        answer = self.act("quit_app", app="mousepad")
        self.assertLess(time.monotonic() - began, most_seconds(11))
        self.assertFalse(answer["closed"], answer)
        self.assertNotEqual(answer["effect"], "confirmed")
        self.assertTrue(any("Save" in button for button in answer["buttons"]), answer)
        self.assertTrue(self.windows("*"), "nothing was lost")
        pid = next(window for window in self.act("list_windows")["windows"] if "Mousepad" in window["title"])["pid"]
        forced = self.act("quit_app", app="mousepad", force=True)
        self.assertTrue(forced["closed"], forced)
        wait_until(lambda: gone(pid), what="the end of the editor")

    def test_only_what_is_granted(self):
        self.desk.home.write_config(fixture_grants("click"))
        app = self.desk.open("editor_gtk3", geometry="300x200+500+60").wait_focus()
        error = self.refusal("quit_app", app="editor_gtk3", force=True)
        self.assertEqual((error["code"], error["gate"]), ("access_denied", "tier"), error)
        error = self.refusal("open_app", app="org.xfce.mousepad", file=self.file("x.txt", "x"))
        self.assertEqual(error["code"], "access_denied", error)
        self.assertFalse(gone(app.pid))


if __name__ == "__main__":
    unittest.main()
