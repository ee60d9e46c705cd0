"""Apps and services asked over the message bus. Their own logs and windows say what became of it."""
import json
import time
import unittest
import wave

from live.test_system import Service
from support.browser import chromium_words, window_titled
from support.desk import Desk, fixture_grants, most_seconds, wait_until
from support.one_action import OneAction

NAME = "org.example.Clock"
CALL = {"destination": NAME, "path": "/", "interface": "org.example.Clock"}


class BusCalls(OneAction, unittest.TestCase):
    answer = b"once\n"

    @classmethod
    def setUpClass(cls):
        cls.desk = Desk()
        cls.addClassCleanup(cls.desk.stop)
        cls.desk.home.write_config('ask_by = ["terminal"]\n' + fixture_grants())
        cls.service = Service(cls.desk, NAME)

    def test_a_person_agrees_to_each(self):
        answer = self.act("dbus_call", **CALL, method="Echo", signature="s", arguments='["grüße"]')
        self.assertEqual(json.loads(answer["answer"]), ["grüße"])
        for part in (NAME, "Echo", "grüße"):
            self.assertIn(part, self.shown)
        self.assertNotIn("[s]ession", self.shown, "one yes is for one call")
        count = len(self.service.calls("Echo"))
        for said in (b"no\n", b"session\n", None):
            self.answer = said
            error = self.refusal("dbus_call", **CALL, method="Echo", signature="s", arguments='["x"]')
            self.assertEqual(error["gate"], "approval", error)
        self.assertEqual(len(self.service.calls("Echo")), count)

    def test_some_are_never_called(self):
        self.answer = b"once\n"
        forbidden = [("org.freedesktop.systemd1", "org.freedesktop.systemd1.Manager", "StartTransientUnit"),
                     ("org.freedesktop.secrets", "org.freedesktop.Secret.Service", "OpenSession"),
                     (NAME, "org.freedesktop.Secret.Service", "GetSecrets"),
                     ("org.a11y.Bus", "org.freedesktop.DBus.Properties", "Set"),
                     ("org.freedesktop.DBus", "org.freedesktop.DBus", "UpdateActivationEnvironment"),
                     ("org.freedesktop.DBus", "org.freedesktop.DBus.Monitoring", "BecomeMonitor"),
                     ("org.freedesktop.portal.Desktop", "org.freedesktop.portal.RemoteDesktop", "CreateSession"),
                     ("org.freedesktop.login1", "org.freedesktop.login1.Manager", "PowerOff"),
                     ("ORG.freedesktop.SYSTEMD1", "org.freedesktop.systemd1.Manager", "Exit"),
                     ("org.gnome.Terminal", "org.gnome.Terminal.Factory0", "CreateInstance")]
        for destination, interface, method in forbidden:
            error = self.refusal("dbus_call", destination=destination, path="/", interface=interface, method=method)
            self.assertEqual(error.get("gate"), "services", (destination, method, error))
        self.assertEqual(self.service.calls("GetSecrets"), [])

    def test_bad_input_calls_nobody(self):
        before = len(self.service.log.events("call"))
        bad = [({"destination": ":1.1"}, "destination"), ({"destination": "no dots"}, "destination"),
               ({"path": "x"}, "path"), ({"method": "a b"}, "method"), ({"interface": "x"}, "interface"),
               ({"arguments": "{}"}, "arguments"), ({"arguments": "[1"}, "arguments"),
               ({"signature": "s", "arguments": "[5]"}, "arguments"), ({"signature": "((", "arguments": "[5]"}, "signature"),
               ({"signature": "y", "arguments": "[256]"}, "arguments"), ({"signature": "s"}, "arguments"),
               ({"arguments": '["x"]'}, "arguments")]
        for change, field in bad:
            self.mistaken("dbus_call", field, **{**CALL, "method": "Echo", **change})
        self.assertEqual(len(self.service.log.events("call")), before)

    def test_answers_come_in_time(self):
        for method, code in (("Never", "timeout"), ("Fail", "backend_error")):
            began = time.monotonic()
            error = self.refusal("dbus_call", **CALL, method=method)
            self.assertLess(time.monotonic() - began, most_seconds(3.5))
            self.assertEqual((error["code"], error["side_effects"]), (code, "possible"), error)
        error = self.refusal("dbus_call", **{**CALL, "destination": "org.example.Nobody"}, method="Echo")
        self.assertEqual(error["code"], "not_found", error)
        answer = self.act("dbus_call", **CALL, method="Many")
        self.assertLess(len(answer["answer"]), 16010)


class AppActions(OneAction, unittest.TestCase):
    """What a real editor offers."""

    @classmethod
    def setUpClass(cls):
        cls.desk = Desk()
        cls.addClassCleanup(cls.desk.stop)
        cls.desk.home.write_config(fixture_grants() + '[[grants]]\napp = "org.xfce.mousepad"\ntier = "full"\n')

    def windows(self):
        return [window for window in self.desk.state()["windows"] if "Mousepad" in window["title"]]

    def test_lists_and_runs(self):
        self.act("open_app", app="org.xfce.mousepad")
        wait_until(lambda: len(self.windows()) == 1, what="the editor")
        rows = {row["name"]: row for row in self.act("list_app_actions", app="mousepad")["actions"]}
        self.assertIn("app.quit", rows)
        before = len(self.windows())
        new_window = next(name for name in rows if name.endswith("file.new-window"))
        answer = self.act("app_action", app="mousepad", action=new_window)
        self.assertEqual(answer["effect"], "unverified")
        wait_until(lambda: len(self.windows()) == before + 1, what="a second window")
        error = self.refusal("app_action", app="mousepad", action="app.no-such-thing")
        self.assertEqual(error["code"], "not_found")

    def test_only_of_granted_apps(self):
        self.desk.home.write_config(fixture_grants())
        try:
            self.desk.launch(["/usr/bin/mousepad"])
            wait_until(lambda: self.windows(), what="the editor")
            for action, params in (("list_app_actions", {}), ("app_action", {"action": "app.quit"})):
                self.assertEqual(self.refusal(action, app="mousepad", **params)["code"], "access_denied")
            self.assertTrue(self.windows())
        finally:
            self.desk.home.write_config(fixture_grants() + '[[grants]]\napp = "org.xfce.mousepad"\ntier = "full"\n')


SILENCE = 30  # seconds of it


class Player(OneAction, unittest.TestCase):
    """A real player: a browser with a page that plays, and says in its title whether it does."""

    @classmethod
    def setUpClass(cls):
        cls.desk = Desk()
        cls.addClassCleanup(cls.desk.stop)
        cls.desk.home.write_config(fixture_grants() + '[[grants]]\napp = "chromium"\ntier = "full"\n')
        folder = cls.desk.home.folder / "page"
        folder.mkdir()
        with wave.open(str(folder / "sound.wav"), "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(8000)
            sound.writeframes(bytes(2 * 8000 * SILENCE))
        page = folder / "page.html"
        page.write_text("<audio id=a src=sound.wav loop autoplay></audio><script>setInterval("
                        "() => document.title = a.paused ? 'it is paused' : 'it plays', 50)</script>")
        cls.desk.launch(chromium_words(cls.desk.home.folder / "profile", page.as_uri(),
                                       "--autoplay-policy=no-user-gesture-required"))
        window_titled(cls.desk, "it plays")

    def test_is_asked_to_pause_and_to_play(self):
        rows = wait_until(lambda: self.act("list_app_actions", app="chromium")["actions"], what="the player on the bus")
        self.assertIn("Pause", [row["name"] for row in rows])
        self.act("app_action", app="chromium", action="Pause")
        window_titled(self.desk, "it is paused")
        self.act("app_action", app="chromium", action="Play")
        window_titled(self.desk, "it plays")


if __name__ == "__main__":
    unittest.main()
