"""Who may grant what: the owner's file, a person at the terminal, and nobody else."""
import fcntl
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
