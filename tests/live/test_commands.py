"""Settings, completion in real shells, the manual page, and the live view."""
import csv
import io
import json
import os
import pathlib
import pty
import re
import subprocess
import threading
import unittest

from support.desk import HANDRAIL, Desk, Home, wait_until

BASH = r"""
source <(handrail completion bash)
COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_handrail handrail
printf '%s\n' "${COMPREPLY[@]}"
"""
FISH = "handrail completion fish | source; complete --do-complete $argv[1]"
# The function is called as the shell calls it; what it would offer is printed instead.
ZSH = r"""
_describe() { print -l -- ${found%%:*} }
_files() { :; }
compdef() { :; }
source <(handrail completion zsh)
words=("$@"); CURRENT=${#words}
_handrail
"""


class Commands(unittest.TestCase):
    def setUp(self):
        self.home = Home()
        self.addCleanup(self.home.remove)
        tools = self.home.folder / "bin"
        tools.mkdir()
        (tools / "handrail").symlink_to(pathlib.Path(HANDRAIL).resolve())
        self.env = {**self.home.env, "PATH": f"{tools}:{self.home.env['PATH']}"}

    def told(self, *words, code=0):
        done = self.home.run(*words)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def shell(self, *command):
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.stderr, "", command)
        return done.stdout.splitlines()

    def test_settings(self):
        path = pathlib.Path(self.told("config", "path").strip())
        self.assertEqual(path, self.home.folder / "config" / "handrail" / "config.toml")
        before = json.loads(self.told("config", "show", "--json"))
        self.assertIn("is fine", self.told("config", "check"))
        # What is shown can be read again, and says the same.
        path.write_text(self.told("config", "show"))
        self.assertEqual(json.loads(self.told("config", "show", "--json")), before)
        # The file to begin with changes nothing, and each of its lines can be taken as it is.
        path.write_text(self.told("config", "default"))
        self.assertIn("is fine", self.told("config", "check"))
        defaults = json.loads(self.told("config", "show", "--json"))
        lines = [line[2:] for line in path.read_text().splitlines() if line.startswith("# ")]
        settings = [line for line in lines if re.match(r"\[|[a-z_]+ = ", line)]
        self.assertGreater(len(settings), 30)
        path.write_text("\n".join(settings) + "\n")
        self.assertIn("is fine", self.told("config", "check"))
        os.remove(path)
        self.assertEqual(json.loads(self.told("config", "show", "--json")), defaults)
        path.write_text('person_pause_ms = "soon"\n')
        wrong = self.told("config", "check", code=2)
        self.assertIn(str(path), wrong)
        self.assertIn("person_pause_ms", wrong)
        self.assertIn("no file", self.told("config", "check", "/nowhere.toml", code=6))
        # What cannot work is told by every command alike, with file, setting and what would do.
        for text, setting, expected in (
                ('panic_chord = "ctrl+foo"', "panic_chord", "ctrl+alt+Escape"),
                ('[desktop]\nsize = "big"', "desktop.size", "1280x800"),
                ("region = [0, 0, 0, 5]", "region", "positive width"),
                ('[[files.roots]]\npath = "~/data"', "files.roots[0].path", "/home/me/work"),
                ('[files]\nroots = ["/x"]', "files.roots[0]", "[[files.roots]]"),
                ('[[grants]]\napp = "xterm"\ntier = full', "line 3", 'Text needs quotes: tier = "full"')):
            path.write_text(text + "\n")
            wrong = self.told("config", "check", code=2)
            for part in (str(path), setting, expected):
                self.assertIn(part, wrong)
            self.assertEqual(self.told("do", "list_windows", code=2), wrong)
        # What is hardly meant is a warning.
        path.write_text('deny = ["no.such.app", "xterm"]\n[[grants]]\napp = "xterm"\n'
                        '[[files.roots]]\npath = "/no/such"\n[[files.roots]]\npath = "/"\naccess = "write"\n')
        told = self.told("config", "check")
        for part in ("is fine.", "warning: `deny`: no installed app is called no.such.app.", "xterm is denied as well",
                     "there is no folder /no/such", "write access to /"):
            self.assertIn(part, told)
        self.assertIn('[[files.roots]]\npath = "/no/such"\naccess = "read"\n', self.told("config", "show"))
        self.assertIn('# [[files.roots]]\n# path = "/', self.told("config", "default"))
        self.assertIn("`show`", self.told("config", "shov", code=2))

    def test_words_that_nobody_expects_are_mistakes(self):
        for words in (("status", "foo"), ("resume", "foo"), ("desktop", "list", "foo"), ("audit", "verify", "foo"),
                      ("config", "show", "foo"), ("version", "foo"), ("man", "foo"), ("mcp", "foo"), ("schema", "foo"),
                      ("doctor", "foo"), ("watch", "foo"), ("setup", "foo"), ("desktop", "start", "first", "foo"),
                      ("guardian", "status", "foo"), ("completion", "bash", "foo"), ("grants", "list", "foo")):
            wrong = self.told(*words, code=2)
            self.assertIn("`foo`", wrong, words)
            self.assertIn(f"handrail {words[0]}", wrong, words)

    def test_mistakes_come_with_the_way_to_do_it(self):
        for words, hint in ((("screenshot",), "`handrail do screenshot`"), (("clik",), "`handrail do click`"),
                            (("grants", "add", "x"), "--grant"), (("config", "set", "x"), "config path"),
                            (("config", "edit"), "config path"), (("do", "--grnt", "x", "click"), "--grant"),
                            (("do", "click", "--params", "{at"), "single quotes")):
            self.assertIn(hint, self.told(*words, code=2), words)
        for words in (("do", "--help"), ("help", "do")):
            for option in ("--save", "--json", "--dry-run", "--params", "--grant", "--desktop"):
                self.assertIn(f"  {option} ", self.told(*words), words)
        self.assertEqual(self.told("help", "config", "show"), self.told("config", "show", "--help"))
        for command in ("man", "version"):
            self.assertTrue(self.told(command, "--help").startswith(f"handrail {command}: "))

    def test_mistakes_are_json_when_that_is_asked_for(self):
        for words, code, kind in ((("clik",), 2, "action_unknown"), (("click",), 2, "argument_invalid"),
                                  (("click", "--at", "1,1", "--desktop", "nobody"), 6, "not_found")):
            done = self.home.run("do", *words, "--json")
            self.assertEqual((done.returncode, done.stderr), (code, ""), words)
            self.assertEqual(json.loads(done.stdout)["error"]["code"], kind)

    def test_switch_says_what_is_so(self):
        self.assertEqual(self.told("resume"), "Handrail was on already.\n")
        self.told("stop", "lunch", "break")
        self.assertIn("(lunch break)", self.told("stop", "--reason", "another"))
        self.assertIn("(lunch break)", self.told("status"))
        self.assertIn("from now on may act", self.told("resume"))
        self.home.env["HANDRAIL_DISABLED"] = "1"
        self.assertIn("HANDRAIL_DISABLED is set", self.told("resume"))

    def test_a_desktop_that_cannot_be_found(self):
        self.assertNotIn("XDG_RUNTIME_DIR", self.told("do", "displays", "--name", "nobody", code=6))
        self.assertNotIn("desktop start", self.told("do", "displays", "--desktop", ":4242", code=8))
        env = {name: value for name, value in self.env.items() if name != "XDG_RUNTIME_DIR"}
        done = subprocess.run([HANDRAIL, "do", "displays", "--desktop", "nobody"], env=env, capture_output=True,
                              text=True, timeout=60, check=False)
        self.assertIn("XDG_RUNTIME_DIR, which is not set", done.stderr)

    def test_shells_complete(self):
        ways = {
            "bash": lambda *words: self.shell("bash", "-c", BASH, "bash", "handrail", *words),
            "zsh": lambda *words: self.shell("zsh", "-f", "-c", ZSH, "zsh", "handrail", *words),
            "fish": lambda *words: [line.split("\t")[0] for line in
                                    self.shell("fish", "--no-config", "-c", FISH, " ".join(("handrail", *words)))],
        }
        for shell, complete in ways.items():
            with self.subTest(shell):
                self.assertEqual(complete("conf"), ["config"])
                self.assertEqual(sorted(complete("con")), ["config"])
                self.assertEqual(sorted(complete("audit", "")), ["export", "follow", "show", "verify"])
                self.assertEqual(complete("do", "click_e"), ["click_element"])
                self.assertEqual(complete("do", "click", "--but"), ["--button"])
                self.assertIn("middle", complete("do", "click", "--button", ""))
                self.assertIn("universal", complete("mcp", "--surface", ""))

    def test_manual_page_is_sound(self):
        page = self.told("man")
        done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-z"], input=page, capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        actions = json.loads(self.told("schema", "--actions"))["actions"]
        for action in actions:
            self.assertIn(f"\\fB{action['name']}\\fR", page)

    def test_colours_are_for_terminals(self):
        def on_terminal(env):
            ours, theirs = pty.openpty()
            process = subprocess.Popen([HANDRAIL, "doktor"], env={**self.home.env, "TERM": "xterm", **env},
                                       stdout=theirs, stderr=theirs)
            os.close(theirs)
            text = b""
            while True:
                try:
                    part = os.read(ours, 4096)
                except OSError:
                    break
                if not part:
                    break
                text += part
            process.wait(30)
            os.close(ours)
            return text
        self.assertIn(b"\033[", on_terminal({}))
        self.assertNotIn(b"\033[", on_terminal({"NO_COLOR": "1"}))
        self.assertNotIn("\033[", self.told("doktor", code=2))


class Watch(unittest.TestCase):
    def test_shows_windows_focus_and_actions(self):
        desk = Desk()
        self.addCleanup(desk.stop)
        process = subprocess.Popen([HANDRAIL, "watch", "--desktop", desk.name, "--json"], env=desk.home.env,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        lines = []

        def take():
            for line in iter(process.stdout.readline, ""):
                lines.append(json.loads(line))
        reader = threading.Thread(target=take, daemon=True)
        reader.start()

        def seen(kind, text):
            return wait_until(lambda: any(line["kind"] == kind and text in line["text"] for line in list(lines)),
                              what=lambda: f"{kind} {text}, but {lines}")
        app = desk.open("editor_gtk3", geometry="400x300+100+100", title="watched").wait_focus()
        seen("opened", "watched")
        seen("focus", "watched")
        desk.home.run("do", "--desktop", desk.name, "move_window", "--window", app.window, "--to", "200,220")
        seen("placed", "watched")
        seen("action", "move_window")
        desk.home.run("do", "--desktop", desk.name, "key", "--keys", "ctrl+alt+Delete")
        seen("refused", "key")
        # A look is refused by a gate as well; what was open before is not told as news.
        desk.home.write_config("")
        desk.home.run("do", "--desktop", desk.name, "ui_tree", "--window", app.window)
        seen("refused", "access_denied by target_granted")
        told = [line for line in lines if line.get("action") == "ui_tree"][0]
        self.assertEqual(told["gate"], "target_granted")
        self.assertTrue(told["app"])
        later = subprocess.Popen([HANDRAIL, "watch", "--desktop", desk.name], env=desk.home.env,
                                 stdout=subprocess.PIPE, text=True)
        self.addCleanup(later.communicate)
        self.addCleanup(later.kill)
        self.assertRegex(later.stdout.readline(), "there +#.*watched")
        later.terminate()
        self.assertEqual(later.wait(30), 0)
        self.log_for_people(desk.home)
        app.stop()
        seen("closed", "watched")
        desk.home.run("desktop", "stop", desk.name)
        seen("ended", "has ended")
        self.assertEqual(process.wait(30), 0)

    def log_for_people(self, home):
        """Checkpoints are left out, outcomes name their action, refusals their gate; a spreadsheet has results."""
        shown = home.run("audit", "show").stdout
        self.assertNotIn(" checkpoint ", shown)
        self.assertIn(" outcome action=move_window ", shown)
        self.assertIn(" checkpoint ", home.run("audit", "show", "--all").stdout)
        refused = home.run("audit", "show", "--refused").stdout.splitlines()
        self.assertTrue(refused)
        for line in refused:
            self.assertRegex(line, " outcome action=.* gate=.* reason=")
        session = re.search("session=(session-[0-9a-f]+) action=ui_tree", shown)[1]
        kinds = [line.split()[2] for line in home.run("audit", "show", "--session", session).stdout.splitlines()]
        self.assertEqual(kinds, ["call", "outcome"])
        nobody = home.run("audit", "show", "--session", "session-0")
        self.assertEqual((nobody.returncode, nobody.stdout), (6, ""))
        self.assertIn("no session `session-0`", nobody.stderr)
        rows = csv.DictReader(io.StringIO(home.run("audit", "export", "--format", "csv").stdout))
        outcomes = [row for row in rows if row["kind"] == "outcome"]
        self.assertTrue(outcomes)
        self.assertTrue(all(row["outcome"] and row["action"] for row in outcomes), outcomes)


if __name__ == "__main__":
    unittest.main()
