"""`handrail setup` on a session bus of the test's own: the bus is asked whether accessibility is on, never Handrail."""
import json
import os
import pathlib
import socket
import stat
import subprocess
import unittest

from support.browser import PageServer, chromium_words
from support.desk import PlainX, wait_until


def answers(path):
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path)) == 0


class Session(PlainX):
    """A display with a session bus, as a person has them; accessibility is off there."""

    def __init__(self):
        super().__init__()
        # What the session remembers stays in this process.
        self.home.env["GSETTINGS_BACKEND"] = "memory"
        self.home.env["XDG_STATE_HOME"] = str(self.home.folder / "state")
        path = self.home.folder / "run" / "bus"
        self.bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", f"--address=unix:path={path}"],
                                    env={**self.home.env, **self.env}, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL)
        wait_until(lambda: answers(path), what="the session bus")
        self.env["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={path}"
        self.record = self.home.folder / "state" / "handrail" / "accessibility.json"

    def handrail(self, *words):
        return self.home.run(*words, "--desktop", self.display, env=self.env)

    def setup(self, *words):
        done = self.handrail("setup", "--json", *words)
        if done.returncode != 0:
            raise AssertionError(f"setup failed: {done.stderr or done.stdout}")
        return json.loads(done.stdout)

    def ask(self, method, *words, bus=None, to="org.a11y.Bus", path="/org/a11y/bus"):
        return self.outside("dbus-send", f"--bus={bus or self.env['DBUS_SESSION_BUS_ADDRESS']}", "--print-reply",
                            f"--dest={to}", path, method, *words)

    def status(self, name):
        told = self.ask("org.freedesktop.DBus.Properties.Get", "string:org.a11y.Status", f"string:{name}")
        return told.split()[-1] == "true"

    def enable(self):
        self.ask("org.freedesktop.DBus.Properties.Set", "string:org.a11y.Status", "string:IsEnabled",
                 "variant:boolean:true")

    def names(self, bus=None):
        """Who is on a bus, without starting anybody."""
        return self.ask("org.freedesktop.DBus.ListNames", bus=bus, to="org.freedesktop.DBus",
                        path="/org/freedesktop/DBus")

    def stop(self):
        self.bus.terminate()
        self.bus.wait()
        super().stop()


class Setup(unittest.TestCase):
    def setUp(self):
        self.session = Session()
        self.addCleanup(self.session.stop)

    def check(self, name):
        told = json.loads(self.session.handrail("doctor", "--json").stdout)
        return next(row for row in told["checks"] if row["check"] == name)

    def test_switches_it_on_and_back(self):
        self.assertNotIn("org.a11y.Bus", self.session.names())
        for name in ("accessibility", "apps show their elements"):
            self.assertFalse(self.check(name)["ok"], name)
            self.assertIn("handrail setup", self.check(name)["fix"])
        self.assertNotIn("org.a11y.Bus", self.session.names(), "the doctor started it")

        told = self.session.setup()
        self.assertEqual((told["enabled"], told["was_enabled"], told["to_restore"]), (True, False, True))
        self.assertTrue(self.session.status("IsEnabled"))
        self.assertFalse(self.session.status("ScreenReaderEnabled"))
        self.assertIn("org.freedesktop.DBus", self.session.names(bus=told["bus"]))
        self.assertEqual(stat.S_IMODE(os.stat(self.session.record).st_mode), 0o600)
        for name in ("accessibility", "apps show their elements"):
            self.assertTrue(self.check(name)["ok"], name)

        told = self.session.setup()
        self.assertEqual((told["was_enabled"], told["to_restore"]), (True, True))
        self.assertEqual(self.session.setup("--restore"), {"restored": True, "enabled": False})
        self.assertFalse(self.session.status("IsEnabled"))
        self.assertFalse(self.session.record.exists())
        self.session.enable()
        self.assertEqual(self.session.setup("--restore"), {"restored": False})
        self.assertTrue(self.session.status("IsEnabled"))

    def test_leaves_what_was_on_as_it_was(self):
        self.session.enable()
        told = self.session.setup()
        self.assertEqual((told["was_enabled"], told["to_restore"]), (True, False))
        self.assertFalse(self.session.record.exists())
        self.assertEqual(self.session.setup("--restore"), {"restored": False})
        self.assertTrue(self.session.status("IsEnabled"))

    def test_says_what_apps_need(self):
        page = PageServer(self.session.home.folder / "logs")
        self.addCleanup(page.stop)
        plain = self.session.open("editor_gtk3", title="plain")
        bare = self.session.open("probe_x11", title="bare")
        self.session.launch(chromium_words(self.session.home.folder / "profile", page.url))
        page.log.wait_count("ready", 1, timeout=60)
        told = self.session.setup()
        apps = {pathlib.Path(row["program"]).name: row for row in told["apps"]}
        self.assertEqual(apps["editor_gtk3"]["pid"], plain.pid)
        self.assertTrue(apps["editor_gtk3"]["shows_elements"])
        self.assertNotIn("needs", apps["editor_gtk3"])
        self.assertEqual(apps["probe_x11"]["pid"], bare.pid)
        self.assertFalse(apps["probe_x11"]["shows_elements"])
        self.assertIn("restart it", apps["probe_x11"]["needs"])
        self.assertFalse(apps["chromium"]["shows_elements"])
        self.assertEqual(apps["chromium"]["flag"], "--force-renderer-accessibility")
        text = self.session.handrail("setup").stdout
        self.assertIn("start it with --force-renderer-accessibility", text)
        self.assertIn("`handrail setup --restore`", text)

    def test_refuses_without_a_session_bus(self):
        done = self.session.home.run("setup", "--desktop", self.session.display,
                                     env={"DBUS_SESSION_BUS_ADDRESS": ""})
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("session bus", done.stderr)

    def test_agents_are_told_the_fix(self):
        app = self.session.open("editor_gtk3", title="plain")
        with self.session.mcp(surface="universal", env={"DBUS_SESSION_BUS_ADDRESS": ""}) as client:
            client.do("computer_use", {"action": "capture", "window_id": app.window})
            reply = client.call("computer_use", {"action": "set_value", "element": 1, "value": "x"})
            self.assertTrue(reply.is_error)
            self.assertIn("handrail setup", reply.text)


if __name__ == "__main__":
    unittest.main()
