"""A person at the client's end says yes or no, through the public client libraries of both eras; and a dialog that no
program can answer. The desktop counts as a person's own: an X server that was there before, with no grants."""
import ctypes
import json
import pathlib
import shutil
import subprocess
import unittest

from support.desk import APPS, HANDRAIL, PlainX, wait_until

HERE = pathlib.Path(__file__).resolve().parent
NODE = shutil.which("node")
CLIENTS = ("consent_sdk.mjs", "consent_stateless.mjs")


class Consent(unittest.TestCase):
    def setUp(self):
        if NODE is None or not (HERE / "node_modules/@modelcontextprotocol/client").exists():
            raise AssertionError("Node.js or the clients are missing: `npm install` in tests/conformance (./test does it)")
        self.x = PlainX()
        self.addCleanup(self.x.stop)
        self.x.home.write_config("")
        self.probe = self.x.open("probe_x11", geometry="600x400+100+100")

    def play(self, script, answer):
        self.probe.forget()
        env = {**self.x.home.env, **self.x.env, "HANDRAIL_ANSWER": answer, "HANDRAIL_POINT": "400,300",
               "HANDRAIL_APP": str(APPS / "probe_x11")}
        done = subprocess.run([NODE, str(HERE / script), HANDRAIL, "mcp", "--surface", "classic", "--desktop", self.x.display],
                              env=env, cwd=HERE, timeout=300, capture_output=True, text=True, start_new_session=True)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        return json.loads(done.stdout)

    def test_a_yes_lets_the_click_through(self):
        for script in CLIENTS:
            seen = self.play(script, "session")
            self.assertEqual(len(seen["questions"]), 1, script)
            question = seen["questions"][0]
            self.assertIn(str(APPS / "probe_x11"), question["message"])
            self.assertIn("In the agent's words: “a test”", question["message"])
            self.assertEqual(question["requestedSchema"]["properties"]["choice"]["enum"],
                             ["deny", "once", "session", "always"])
            self.assertEqual([row["source"] for row in seen["granted"]], ["client"], seen)
            self.assertFalse(seen["refused"], seen)
            self.probe.log.wait_count("release", 1)

    def test_a_no_is_a_no(self):
        for script in CLIENTS:
            for answer in ("deny", "decline", "cancel", "forever"):
                seen = self.play(script, answer)
                self.assertEqual(len(seen["questions"]), 1, (script, answer))
                self.assertEqual(seen["granted"], [], (script, answer))
                self.assertTrue(seen["refused"], (script, answer, seen))
                self.assertEqual(self.probe.received("press", "release"), [], (script, answer))


class Dialog(unittest.TestCase):
    TITLE = "Handrail: an agent asks for access"

    def setUp(self):
        self.x = PlainX()
        self.addCleanup(self.x.stop)
        self.x.open("probe_x11", geometry="600x400+100+100")

    def place(self):
        """Where the dialog is, as the server says; nothing while there is none. No window manager puts it elsewhere."""
        xlib = ctypes.CDLL("libX11.so.6")
        xlib.XOpenDisplay.restype = ctypes.c_void_p
        xlib.XDefaultRootWindow.restype = ctypes.c_ulong
        display = ctypes.c_void_p(xlib.XOpenDisplay(self.x.display.encode()))
        # A window may go while it is looked at.
        ignore = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda *_: 0)
        xlib.XSetErrorHandler(ignore)
        word = ctypes.c_ulong
        root, parent, children, count = word(), word(), ctypes.POINTER(word)(), ctypes.c_uint()
        xlib.XQueryTree(display, word(xlib.XDefaultRootWindow(display)), ctypes.byref(root), ctypes.byref(parent),
                        ctypes.byref(children), ctypes.byref(count))
        found = None
        for i in range(count.value):
            window, name = word(children[i]), ctypes.c_char_p()
            if not xlib.XFetchName(display, window, ctypes.byref(name)) or name.value.decode() != self.TITLE:
                continue
            x, y = ctypes.c_int(), ctypes.c_int()
            width, height, border, depth = (ctypes.c_uint() for _ in range(4))
            if xlib.XGetGeometry(display, window, ctypes.byref(root), *map(ctypes.byref, (x, y, width, height, border, depth))):
                found = width.value, height.value, x.value, y.value
        xlib.XCloseDisplay(display)
        return found

    def fake_clicks(self, x, y, count):
        """What any program on the display can do."""
        xcb, xtest = ctypes.CDLL("libxcb.so.1"), ctypes.CDLL("libxcb-xtest.so.0")
        xcb.xcb_connect.restype = ctypes.c_void_p
        connection = ctypes.c_void_p(xcb.xcb_connect(self.x.display.encode(), None))
        press, release, motion = 4, 5, 6
        for _ in range(count):
            xtest.xcb_test_fake_input(connection, motion, 0, 0, 0, x, y, 0)
            xtest.xcb_test_fake_input(connection, press, 1, 0, 0, 0, 0, 0)
            xtest.xcb_test_fake_input(connection, release, 1, 0, 0, 0, 0, 0)
            xcb.xcb_flush(connection)
        wait_until(lambda: self.x.state()["pointer"]["x"] == x, what="the pointer")
        xcb.xcb_disconnect(connection)

    def test_programs_cannot_answer_it(self):
        self.x.home.write_config("consent_seconds = 20\n")
        ask = {"apps": [{"app": str(APPS / "probe_x11"), "tier": "full"}], "reason": "a test"}
        with self.x.mcp() as client:
            number = client.start_call("request_access", ask)
            width, height, left, top = wait_until(self.place, what="the dialog")
            always = left + width - 60, top + height - 32
            for _ in range(20):
                self.fake_clicks(*always, count=5)
            reply = client.finish_call(number, "request_access", timeout=120)
            self.assertEqual(reply.structured["granted"], [], reply)
            self.assertIn("did not answer in time", reply.text)
            wait_until(lambda: self.place() is None, what="the end of the dialog")
            self.assertEqual(client.do("list_granted_applications").structured["granted"], [])


if __name__ == "__main__":
    unittest.main()
