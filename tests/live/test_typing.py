"""Any text arrives exactly, whatever toolkit, keyboard layout and CapsLock, and the keyboard stays as it was."""
import os
import random
import signal
import unittest

from support import xlib
from support.desk import FULL, Desk, gone, wait_until

SAMPLE = "héllo Ünïcödé 日本語 🎉 Привет العربية"
EDITORS = ["editor_gtk3", "editor_gtk4", "editor_qt5", "editor_qt6", "xterm"]
LAYOUTS = [("us", 0), ("de", 0), ("us,ru", 0), ("us,ru", 1)]
RUNS = 5


def mixed_text(seed, length=1000):
    """Every kind of character in no order: shifted, dead-key, other scripts, beyond the basic plane."""
    pools = ["abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789 ",
             " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
             "äöüßéèêñçåøæœ€£§°µ", "αβγδεζηθλμπσφψω", "абвгдежзийклмнопрстуфхцчшщъыьэюя", "АБВГДЕЖЗ",
             "العربية", "שלום", "日本語東京中文字符漢", "한국어", "ひらがなカタカナ", "🎉😀🚀🌍👍🐧", "–—„“”«»…•→≠∞√"]
    pick = random.Random(seed)
    return "".join("\n" if pick.random() < 0.01 else pick.choice(pick.choice(pools)) for _ in range(length))


class Editor:
    """A toolkit's editor with the keyboard focus."""

    def __init__(self, desk, program):
        self.app = desk.open(program, geometry="700x500+200+150").wait_focus()

    def text(self):
        return self.app.log.text()

    def expected(self, text):
        return text

    def stop(self):
        self.app.stop()


class Terminal:
    """xterm with a program that writes down each byte it reads."""

    def __init__(self, desk, _):
        folder = desk.home.folder / "logs"
        self.path = folder / f"xterm-{os.urandom(4).hex()}"
        script = f"stty raw -echo; exec cat >{self.path}"
        self.pid = desk.launch(["xterm", "-u8", "-T", self.path.name, "-e", "sh", "-c", script])
        window = wait_until(lambda: next((w["id"] for w in desk.state()["windows"] if w["title"] == self.path.name), 0),
                            60, "the window of xterm")
        # Openbox names the window active a moment before it gives it the focus.
        wait_until(lambda: desk.state()["focus"] == window, what="the focus of xterm")
        wait_until(self.path.exists, what="the program in xterm")

    def text(self):
        return self.path.read_bytes().decode(errors="replace")

    def expected(self, text):
        return text.replace("\n", "\r")  # what the Return key sends

    def stop(self):
        os.kill(self.pid, signal.SIGTERM)
        wait_until(lambda: gone(self.pid), what="the end of xterm")


class Typing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desk = Desk()
        cls.addClassCleanup(cls.desk.stop)
        cls.client = cls.desk.mcp()

    def tearDown(self):
        xlib.set_caps_lock(self.desk, False)
        xlib.set_layout(self.desk, "us")

    def type_into(self, editor, text):
        """Number of characters that are wrong afterwards, and where it first differs."""
        had = editor.text()
        before = self.desk.idle_state()
        self.client.do("type", {"text": text}, timeout=300)
        self.assertEqual(self.desk.idle_state(), before, "the keyboard is the same before and after")
        wanted = had + editor.expected(text)
        try:
            wait_until(lambda: editor.text() == wanted, 60)
            return 0, ""
        except TimeoutError:
            got = editor.text()
            same = len(os.path.commonprefix([got, wanted]))
            wrong = sum(a != b for a, b in zip(got, wanted)) + abs(len(got) - len(wanted))
            return wrong, f"from {same}: got {got[same:same + 20]!r}, wanted {wanted[same:same + 20]!r}"

    def check(self, program, layout, group, caps, runs):
        xlib.set_layout(self.desk, layout, group)
        xlib.set_caps_lock(self.desk, caps)
        state = self.desk.state()["keyboard"]
        self.assertEqual((state["group"], bool(state["locked_modifiers"] & 2)), (group, caps), "the test's own setup")
        editor = (Terminal if program == "xterm" else Editor)(self.desk, program)
        try:
            lost = []
            for run in range(runs):
                for text in (SAMPLE, mixed_text(run)):
                    wrong, where = self.type_into(editor, text)
                    if wrong:
                        lost.append((run, wrong, where))
            name = f"{program} {layout} group {group} caps {'on' if caps else 'off'}"
            print(f"{name}: n={runs * 2} texts, {runs * (1000 + len(SAMPLE))} characters, {len(lost)} with losses")
            self.assertEqual(lost, [], name)
        finally:
            editor.stop()

    def test_every_toolkit(self):
        for program in EDITORS:
            with self.subTest(program):
                self.check(program, "us", 0, True, 1)

    def test_every_layout(self):
        for layout, group in LAYOUTS:
            with self.subTest(f"{layout} {group}"):
                self.check("editor_gtk3", layout, group, True, 1)
        self.check("editor_gtk3", "de", 0, False, 1)

    if FULL:
        def test_whole_matrix(self):
            for program in EDITORS:
                for layout, group in LAYOUTS:
                    for caps in (False, True):
                        with self.subTest(f"{program} {layout} {group} {caps}"):
                            self.check(program, layout, group, caps, RUNS)


if __name__ == "__main__":
    unittest.main()
