"""The command line: one action at a time, help, exit codes, doctor."""
import json
import shlex
import subprocess
import unittest

from support import png
from support.desk import HANDRAIL, PATIENCE, Desk, Home, PlainX, wait_until


class CommandLine(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desk = Desk("--screens", "2")
        cls.addClassCleanup(cls.desk.stop)
        cls.probe = cls.desk.open("probe_x11", "--color", "3366cc", geometry="400x300+100+100")
        cls.editor = cls.desk.open("editor_gtk3", geometry="400x300+700+100").wait_focus()

    def do(self, *words):
        done = self.desk.home.run("do", "--desktop", self.desk.name, *words)
        self.assertEqual(done.returncode, 0, f"{words}: {done.stderr}{done.stdout}")
        return done.stdout

    def test_actions(self):
        x, y, _, _ = self.probe.content()
        self.probe.forget()
        self.do("click", "--at", f"{x + 7},{y + 8}", "--button", "right", "--modifiers", "ctrl")
        press = self.probe.log.wait_count("press", 1)[0]
        self.assertEqual((press["button"], press["root_x"], press["root_y"], press["state"]), (3, x + 7, y + 8, 4))
        self.do("move", f"--at={x + 50},{y + 60}")
        pointer = self.desk.state()["pointer"]
        self.assertEqual((pointer["x"], pointer["y"]), (x + 50, y + 60))
        self.do("focus_window", "--window", self.editor.window)
        self.do("type", "--text", "Grüße 東京")
        self.editor.log.wait(lambda _: self.editor.log.text() == "Grüße 東京")

    def test_screenshot(self):
        path = self.desk.home.folder / "screen.png"
        said = self.do("screenshot", "--format", "png", "--save", path)
        self.assertIn(str(path), said)
        x, y, _, _ = self.probe.content()
        self.assertEqual(png.decode(path.read_bytes()).pixel(x + 20, y + 20), (0x33, 0x66, 0xCC))

    def test_desktops_are_named_in_any_way(self):
        name = self.desk.name
        for words in (("exec", name, "--wait", "--", "true"), ("exec", "--desktop", name, "--wait", "--", "true"),
                      ("exec", "--name", name, "--wait", "--", "true"), ("start", name, "--reuse"),
                      ("start", "--desktop", name, "--reuse")):
            done = self.desk.home.run("desktop", *words)
            self.assertEqual(done.returncode, 0, f"{words}: {done.stderr}")
        self.assertEqual(self.desk.home.run("desktop", "stop", "--name", "nobody").returncode, 6)
        with self.desk.mcp() as client:
            client.do("screenshot")
            told = self.desk.home.run("status").stdout
            self.assertRegex(told, rf"Process {client.process.pid} works on embedded desktop {name} on :\d+, as \S+\. "
                                   r"It may act, ")

    def test_json(self):
        listed = json.loads(self.do("list_windows", "--json"))
        truth = {w["id"]: w for w in self.desk.state()["windows"]}
        self.assertEqual({w["id"] for w in listed["windows"]}, set(truth))
        for window in listed["windows"]:
            frame = truth[window["id"]]["frame"]
            self.assertEqual(window["title"], truth[window["id"]]["title"])
            self.assertEqual(window["area"], [frame["x"], frame["y"], frame["width"], frame["height"]])
            self.assertIn(window["pid"], (self.probe.pid, self.editor.pid))

    def test_dry_run_does_nothing(self):
        before = self.desk.state()["pointer"]
        x, y, _, _ = self.probe.content()
        said = json.loads(self.do("move", "--at", f"{x + 3},{y + 3}", "--dry-run", "--json"))
        self.assertTrue(said["dry_run"])
        self.assertEqual(self.desk.state()["pointer"], before)

    def test_window_actions(self):
        window = self.probe.window
        self.do("move_window", "--window", window, "--to", "250,260")
        frame = self.probe.row()["frame"]
        self.assertEqual((frame["x"], frame["y"]), (250, 260))
        self.do("focus_window", "--window", window)
        self.assertEqual(self.desk.state()["active"], window)
        self.do("minimise_window", "--window", window)
        self.assertIn("_NET_WM_STATE_HIDDEN", self.probe.row()["states"])
        self.do("focus_window", "--window", window)
        self.assertTrue(self.probe.row()["viewable"])

    def test_exit_codes(self):
        rows = [(("do", "clik"), 2, "click"), (("do", "click"), 2, "at"), (("do", "click", "--at", "1"), 2, "at"),
                (("do", "click", "--att", "1,1"), 2, "--at"), (("frobnicate",), 2, "--help"), (("doo",), 2, "do"),
                (("do", "screenshot", "--window", "1", "--desktop", self.desk.name), 6, ""),
                (("do", "screenshot", "--desktop", "nobody"), 6, "nobody"),
                (("do", "screenshot", "--desktop", ":4242"), 8, ""),
                (("do", "screenshot", "--desktop", self.desk.name, "--save", "/no/such/x.jpg"), 9, "/no/such"),
                (("mcp", "--surface", "none"), 2, "classic"), (("mcp", "--log-level", "loud"), 2, "debug"),
                (("mcp", "--coordinates", "inches"), 2, "pixels"), (("desktop", "stop", "nobody"), 6, "nobody"),
                (("desktop", "start", "--size", "7"), 2, "1280x800"), (("desktop", "start", "--name", "../x"), 2, "")]
        for words, code, hint in rows:
            done = self.desk.home.run(*words, stdin=subprocess.DEVNULL)
            self.assertEqual(done.returncode, code, f"{words}: {done.stderr}")
            self.assertIn(hint, done.stderr, words)
            self.assertEqual(done.stdout, "", words)

    def test_help(self):
        actions = [a["name"] for a in json.loads(self.desk.home.run("schema", "--actions").stdout)["actions"]]
        self.assertGreater(len(actions), 20)
        pages = [("--help",), ("do", "--help"), ("mcp", "--help"), ("schema", "--help"), ("doctor", "--help"),
                 ("setup", "--help"),
                 ("desktop", "--help"), ("desktop", "start", "--help"), ("desktop", "exec", "--help")]
        for words in pages + [("do", action, "--help") for action in actions]:
            done = self.desk.home.run(*words)
            self.assertEqual((done.returncode, done.stderr), (0, ""), words)
            self.assertIn("xamples", done.stdout, words)
        overview = self.desk.home.run("do", "--help").stdout
        self.assertEqual([a for a in actions if f"  {a} " not in overview], [])
        self.assertRegex(self.desk.home.run("version").stdout, r"^handrail \d+\.\d+")

    def test_examples_in_help_can_be_run(self):
        """Every example line is taken by the program itself; nothing is done."""
        actions = [a["name"] for a in json.loads(self.desk.home.run("schema", "--actions").stdout)["actions"]]
        tried = 0
        for action in actions:
            page = self.desk.home.run("do", action, "--help").stdout
            page = page.split("Examples:\n")[1].split("\nWhich desktop:")[0]
            for example in page.split("  handrail do ")[1:]:
                words = shlex.split(example.split("\n  # ")[0])
                done = self.desk.home.run("do", *words, "--dry-run", "--desktop", self.desk.name)
                self.assertNotEqual(done.returncode, 2, f"{example}: {done.stderr}")
                tried += 1
        self.assertGreaterEqual(tried, len(actions))

    def test_doctor(self):
        done = self.desk.home.run("doctor", "--desktop", self.desk.name, "--json")
        told = json.loads(done.stdout)
        self.assertTrue(told["ok"], told)
        self.assertEqual(done.returncode, 0)
        self.assertGreater(len(told["checks"]), 8)
        self.assertIn("ok ", self.desk.home.run("doctor", "--desktop", self.desk.name).stdout)
        alone = Home()
        self.addCleanup(alone.remove)
        done = alone.run("doctor", "--desktop", ":4242")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("FAIL", done.stdout)
        self.assertIn("fix:", done.stdout)

    def test_guardians_of_this_runtime_folder(self):
        other = Home()
        self.addCleanup(other.remove)
        with self.desk.mcp() as client:
            client.do("screenshot")
            x, y, _, _ = self.probe.content()
            client.do("mouse_move", {"coordinate": [x + 3, y + 3]})
            server = client.process.pid
            own, = [g for g in self.desk.home.json("guardian", "status", "--json") if g["server_pid"] == server]
            self.assertEqual(own["folder"], f"{self.desk.home.env['XDG_RUNTIME_DIR']}/handrail")
            self.assertEqual(other.json("guardian", "status", "--json"), [])
            self.assertIn("with another folder", other.run("guardian", "status").stdout)

    def test_plain_display(self):
        with PlainX() as x:
            probe = x.open("probe_x11", geometry="300x200+10+10")
            done = x.home.run("do", "click", "--at", "20,30", env=x.env)
            self.assertEqual(done.returncode, 0, done.stderr)
            press = probe.log.wait_count("press", 1)[0]
            self.assertEqual((press["root_x"], press["root_y"]), (20, 30))

    def test_interrupt_lets_go(self):
        words = [HANDRAIL, "do", "--desktop", self.desk.name, "hold_key", "--keys", "shift+a", "--duration", "20"]
        with subprocess.Popen(words, env=self.desk.home.env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as held:
            wait_until(lambda: len(self.desk.state()["keyboard"]["pressed"]) == 2, what="two keys down")
            held.send_signal(2)
            held.wait(PATIENCE)
            self.assertEqual(held.returncode, 7)
        self.assertEqual(self.desk.idle_state()["pressed"], [])


if __name__ == "__main__":
    unittest.main()
