"""Who may grant what: the owner's file, a person at the terminal, and nobody else."""
import fcntl
import json
import os
import select
import subprocess
import termios
import time
import unittest

from support.desk import PATIENCE, Desk, PlainX, fixture_grants

ASK = {"apps": [{"app": "org.xfce.mousepad", "tier": "full"}], "reason": "To write\x1b[2Ja note.",
       "clipboard_write": True}


class Access(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.x = PlainX()
        cls.addClassCleanup(cls.x.stop)

    def setUp(self):
        self.x.home.write_config("")

    def grants(self, client):
        granted = client.do("list_granted_applications").structured["granted"]
        return [(g["app"], g["tier"], g["source"]) for g in granted]

    def test_without_a_person_the_answer_is_no(self):
        self.x.home.write_config('ask_by = ["client", "terminal"]\n')
        with self.x.mcp() as client:
            reply = client.call("request_access", ASK)
            self.assertEqual(reply.structured.get("granted", []), [])
            self.assertEqual([d["app"] for d in reply.structured["denied"]], ["org.xfce.mousepad"])
            self.assertFalse(reply.structured["clipboard_write"])
            self.assertEqual(self.grants(client), [])

    def test_the_owner_grants_in_the_file(self):
        self.x.home.write_config('ask_by = []\nclipboard_write = true\n[[grants]]\napp = "org.xfce.mousepad"\ntier = "click"\n')
        with self.x.mcp("--grant", "galculator:read") as client:
            both = [("org.xfce.mousepad", "click", "config"), ("galculator", "read", "config")]
            self.assertEqual(self.grants(client), both)
            less = client.do("request_access", {**ASK, "apps": [{"app": "org.xfce.mousepad", "tier": "read"}]})
            self.assertTrue(less.structured["clipboard_write"])
            self.assertFalse(less.structured.get("denied"))
            more = client.call("request_access", ASK)
            self.assertEqual([d["tier"] for d in more.structured["denied"]], ["full"], "the file grants click only")
            self.assertEqual(self.grants(client), both)

    def test_the_owner_denies_even_on_an_embedded_desktop(self):
        with Desk() as desk:
            desk.home.write_config('deny = ["org.xfce.mousepad"]\n')
            with desk.mcp() as client:
                reply = client.call("request_access", ASK)
                self.assertEqual([d["app"] for d in reply.structured["denied"]], ["org.xfce.mousepad"])

    def test_the_owner_takes_back_by_name(self):
        with Desk() as desk:
            run = desk.home.run
            desk.home.write_config("")
            with desk.mcp() as client:
                client.do("request_access", {**ASK, "clipboard_read": True})
                for word in ("mousepat", "org.xfce.mousepat"):
                    wrong = run("grants", "revoke", word)
                    self.assertEqual(wrong.returncode, 6, wrong.stdout)
                    self.assertIn("Did you mean `org.xfce.mousepad`?", wrong.stderr)
                self.assertEqual(run("grants", "revoke", "--flag", "clipboard_rede").returncode, 2)
                self.assertEqual(run("grants", "revoke", "--flag", "shell").returncode, 6, "it is not granted")
                self.assertEqual(run("grants", "revoke", "--flag", "clipboard_read").returncode, 0)
                left = client.do("list_granted_applications").structured
                self.assertEqual((left["clipboard_read"], left["clipboard_write"]), (False, True), "one flag only")
                self.assertEqual([g["app"] for g in left["granted"]], ["org.xfce.mousepad"])
                self.assertEqual(client.call("read_clipboard").error["gate"], "clipboard")
                self.assertEqual(run("grants", "revoke", "org.xfce.mousepad").returncode, 0)
                self.assertEqual(self.grants(client), [])
            told = [json.loads(line) for line in run("audit", "export").stdout.splitlines()
                    if json.loads(line)["kind"] == "grant"]
            self.assertEqual([record["flags"] for record in told], [["clipboard_read", "clipboard_write"]])

    def test_less_than_asked_is_granted_only(self):
        with Desk() as desk:
            desk.home.write_config("")
            with desk.mcp() as client:
                # A terminal can be clicked at, whatever is asked for.
                reply = client.call("request_access", {"apps": [{"app": "/usr/bin/xterm"}], "reason": "A test."})
                self.assertFalse(reply.structured.get("denied"), reply.text)
                granted, = reply.structured["granted"]
                self.assertEqual((granted["tier"], granted["asked"]), ("click", "full"))
                self.assertIn("click at most", granted["lowered"])
                self.assertEqual(reply.structured["effect"], "partial")
                listed, = client.do("list_granted_applications").structured["granted"]
                self.assertNotIn("asked", listed)

    def test_names_of_apps_that_there_are_not(self):
        with Desk() as desk, desk.mcp() as client:
            for word, told in (("Mousepat", "Did you mean Mousepad?"), ("qqqq", "such as org.xfce.mousepad.")):
                reply = client.call("request_access", {"apps": [{"app": word}], "reason": "A test."})
                self.assertIn(told, reply.structured["denied"][0]["reason"])
                self.assertNotIn("list_apps", reply.text)
                missing = client.call("open_application", {"app": word})
                self.assertIn(told, missing.text)
                self.assertNotIn("list_apps", missing.text)

    def test_the_owner_switches_off(self):
        probe = self.x.open("probe_x11", geometry="1280x800+0+0")
        for config, env in (("enabled = false\n", {}), ("", {"HANDRAIL_DISABLED": "1"})):
            self.x.home.write_config(config)
            with self.x.mcp(env=env) as client:
                for tool, arguments in (("screenshot", {}), ("left_click", {"coordinate": [5, 5]}),
                                        ("type", {"text": "a"})):
                    reply = client.call(tool, arguments)
                    self.assertEqual((reply.error["code"], reply.error["gate"], reply.effect),
                                     ("gate_refused", "kill_switch", "refused"))
        self.x.home.write_config(fixture_grants())
        with self.x.mcp() as client:
            client.do("screenshot")
            client.do("left_click", {"coordinate": [6, 6]})
        probe.log.wait_count("release", 1)
        self.assertEqual([e["root_x"] for e in probe.received("press")], [6])

    def test_a_broken_file_stops_the_program(self):
        for config, place in (("enabled = \n", "config.toml"), ("enabeld = true\n", "enabeld"),
                              ('[[grants]]\napp = "x"\ntier = "admin"\n', "tier"),
                              ('coordinates = "inches"\n', "coordinates")):
            self.x.home.write_config(config)
            done = self.x.home.run("mcp", "--desktop", self.x.display, stdin=subprocess.DEVNULL)
            self.assertEqual(done.returncode, 2, config)
            self.assertIn(place, done.stderr)
            self.assertEqual(done.stdout, "")

    def ask_person(self, answer):
        """A request with a terminal that shows a question and gives `answer`."""
        self.x.home.write_config('ask_by = ["terminal"]\n')
        person, terminal = os.openpty()

        def own_terminal():
            os.setsid()
            fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
        with self.x.mcp(start_new_session=False, preexec_fn=own_terminal) as client:
            number = client.start_call("request_access", ASK)
            shown = b""
            deadline = time.monotonic() + PATIENCE
            while b"denies:" not in shown and time.monotonic() < deadline:
                if select.select([person], [], [], 0.1)[0]:
                    shown += os.read(person, 4096)
            os.write(person, answer)
            reply = client.finish_call(number, "request_access")
            grants = self.grants(client)
        os.close(person)
        os.close(terminal)
        return shown.decode(), reply, grants

    def test_a_person_at_the_terminal_decides(self):
        shown, reply, grants = self.ask_person(b"session\n")
        self.assertIn("org.xfce.mousepad", shown)
        self.assertIn("clipboard", shown)
        self.assertNotIn("\x1b", shown, "the agent's words cannot paint on the terminal")
        self.assertEqual(grants, [("org.xfce.mousepad", "full", "terminal")])
        self.assertTrue(reply.structured["clipboard_write"])
        for answer in (b"no\n", b"\n", b"yes\n", b"sessions\n"):
            _, reply, grants = self.ask_person(answer)
            self.assertEqual(grants, [], answer)
            self.assertFalse(reply.structured["clipboard_write"])


if __name__ == "__main__":
    unittest.main()
