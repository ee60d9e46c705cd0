"""Embedded desktops begin complete and end without a trace, however they end."""
import os
import pathlib
import pwd
import signal
import socket
import unittest

from support.desk import APPS, PATIENCE, Desk, Home, gone, wait_until


def processes_of(info):
    """Every process that carries the desktop's mark in its environment, and those that hold it together."""
    mark = f"HANDRAIL_DESKTOP={info['name']}/{info['id']}".encode()
    found = {info[part]["pid"] for part in ("supervisor", "keeper", "server") if not gone(info[part]["pid"])}
    for folder in pathlib.Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and mark in (folder / "environ").read_bytes().split(b"\0"):
                found.update(set() if gone(folder.name) else {int(folder.name)})
        except OSError:
            pass
    return found


def leftovers(info):
    number = info["display"].lstrip(":")
    paths = [f"/tmp/.X11-unix/X{number}", f"/tmp/.X{number}-lock", info["runtime_dir"]]
    return processes_of(info), [path for path in paths if pathlib.Path(path).exists()]


class Lifecycle(unittest.TestCase):
    def check_ends(self, info, timeout=PATIENCE):
        wait_until(lambda: leftovers(info) == (set(), []), timeout, lambda: f"the end of {leftovers(info)}")

    def test_start_is_complete(self):
        with Desk("--size", "1000x700") as desk:
            info = desk.info
            state = desk.state()
            self.assertEqual((state["root"]["width"], state["root"]["height"]), (1000, 700))
            self.assertEqual(state["window_manager"], "Openbox")
            for address in (info["bus_address"], info["accessibility_address"]):
                self.assertTrue(address.startswith("unix:path="), address)
                with socket.socket(socket.AF_UNIX) as bus:
                    bus.connect(address.split("=", 1)[1].split(",")[0])
            self.assertEqual(pathlib.Path(info["runtime_dir"]).stat().st_mode & 0o777, 0o700)
            self.assertTrue(info["runtime_dir"].startswith(desk.home.env["XDG_RUNTIME_DIR"]))
            self.assertTrue(info["home"].startswith(desk.home.env["XDG_DATA_HOME"]), "a home of its own")
            self.assertEqual([d["name"] for d in desk.home.json("desktop", "list", "--json")], ["live"])

    def test_needs_the_key_of_its_server(self):
        with Desk() as desk:
            desk.env = {"DISPLAY": desk.info["display"], "XAUTHORITY": "/dev/null"}
            with self.assertRaises(AssertionError, msg="a stranger cannot connect"):
                desk.state()

    def test_stop_ends_everything(self):
        desk = Desk()
        probe = desk.open("probe_x11")
        stubborn = desk.launch(["sh", "-c", "trap '' TERM HUP; setsid sleep 1000 & sleep 1000"])
        self.assertGreater(len(processes_of(desk.info)), 5)
        done = desk.home.run("desktop", "stop", desk.name)
        self.assertEqual(done.returncode, 0, done.stderr)
        # When the command returns nothing is left: no waiting here.
        self.assertEqual(leftovers(desk.info), (set(), []))
        self.assertTrue(gone(probe.pid) and gone(stubborn))
        self.assertEqual(desk.home.json("desktop", "list", "--json"), [])
        self.assertEqual(desk.home.run("desktop", "stop", desk.name).returncode, 6, "not found")
        desk.home.remove()

    def test_killed_parts_take_the_rest_with_them(self):
        for part in ("supervisor", "keeper", "server"):
            with self.subTest(part):
                desk = Desk()
                self.addCleanup(desk.home.remove)
                probe = desk.open("probe_x11")
                os.kill(desk.info[part]["pid"], signal.SIGKILL)
                self.check_ends(desk.info)
                self.assertTrue(gone(probe.pid))
                # The name is free again.
                desk.home.json("desktop", "start", "--name", desk.name, "--json")
                self.assertEqual(desk.home.run("desktop", "stop", desk.name).returncode, 0)

    def own_desktop(self, *words, **options):
        """A server with a desktop of its own."""
        home = Home()
        self.addCleanup(home.remove)
        client = home.mcp(*words, **options)
        client.do("screenshot")
        running = home.json("desktop", "list", "--json")
        self.assertEqual(len(running), 1)
        return home, client, running[0]

    def test_server_without_a_display_brings_its_own(self):
        home, client, info = self.own_desktop()
        client.do("request_access", {"apps": [{"app": "org.xfce.mousepad", "tier": "full"}], "reason": "A test."})
        client.do("open_application", {"app": "org.xfce.mousepad"})
        client.close()
        self.check_ends(info)
        self.assertEqual(home.json("desktop", "list", "--json"), [])

    def test_server_with_a_display_uses_it(self):
        with Desk() as desk:
            probe = desk.open("probe_x11", "--override-redirect", geometry="1280x800+0+0")
            env = {"DISPLAY": desk.info["display"], "XAUTHORITY": desk.info["xauthority"]}
            with desk.home.mcp(env=env) as client:
                client.do("screenshot")
                client.do("left_click", {"coordinate": [3, 4]})
                probe.log.wait_count("press", 1)
            with desk.home.mcp("--desktop", "embedded", env=env) as client:
                self.assertEqual(len(desk.home.json("desktop", "list", "--json")), 2, "told so, it brings its own")
                client.do("screenshot")

    def test_own_desktop_ends_with_a_killed_server(self):
        for how in (signal.SIGKILL, signal.SIGTERM):
            with self.subTest(how):
                _, client, info = self.own_desktop("--desktop", "embedded", "--size", "800x600")
                client.process.send_signal(how)
                client.wait_exit()
                self.check_ends(info)

    def test_own_desktop_comes_back(self):
        home, client, info = self.own_desktop("--desktop", "embedded")
        os.kill(info["supervisor"]["pid"], signal.SIGKILL)
        self.check_ends(info)
        replies = []

        def works():
            replies.append(client.call("screenshot"))
            return not replies[-1].is_error
        wait_until(works, what=lambda: f"a new desktop: {replies[-1]}")
        self.assertNotEqual(home.json("desktop", "list", "--json")[0]["id"], info["id"])
        client.close()

    def test_two_beside_each_other(self):
        with Desk(name="one") as one, Desk(name="two") as two:
            other, probe = (desk.open("probe_x11", "--override-redirect", geometry="1280x800+0+0")
                            for desk in (one, two))
            with one.mcp() as client:
                client.do("screenshot")
                client.do("left_click", {"coordinate": [10, 10]})
            with two.mcp() as client:
                client.do("screenshot")
                client.do("left_click", {"coordinate": [20, 20]})
            probe.log.wait_count("release", 1)
            self.assertEqual([(e["root_x"], e["root_y"]) for e in probe.received("press")], [(20, 20)])
            self.assertEqual([(e["root_x"], e["root_y"]) for e in other.received("press")], [(10, 10)])

    def test_which_of_several_is_asked(self):
        with Desk(name="one") as desk:
            desk.home.json("desktop", "start", "--name", "two", "--json")
            try:
                for words in (("do", "cursor_position"), ("desktop", "exec", "--", "true"), ("desktop", "stop")):
                    with self.subTest(words=words):
                        done = desk.home.run(*words)
                        self.assertEqual(done.returncode, 2, done.stderr)
                        for told in ("2 embedded desktops run: one, two.", "--desktop one"):
                            self.assertIn(told, done.stderr)
                        self.assertNotIn("No embedded desktop", done.stderr)
            finally:
                self.assertEqual(desk.home.run("desktop", "stop", "two").returncode, 0)

    def test_apps_from_the_start(self):
        with Desk("--app", "org.xfce.mousepad", "--app", f"{APPS}/probe_x11 --title 'from the start'") as desk:
            wait_until(lambda: {"from the start"} <= {w["title"] for w in desk.state()["windows"]} and
                       any(w["class"].lower() == "mousepad" for w in desk.state()["windows"]), what="both apps")

    def test_exec_waits_and_tells_the_end(self):
        with Desk() as desk:
            script = "echo $DISPLAY; exit 7"
            done = desk.home.run("desktop", "exec", "--name", desk.name, "--wait", "--", "sh", "-c", script)
            self.assertEqual((done.returncode, done.stdout.strip()), (7, desk.info["display"]))
            done = desk.home.run("desktop", "exec", "--wait", "--", "sh", "-c", "kill -9 $$")
            self.assertEqual(done.returncode, 137)
            done = desk.home.run("desktop", "exec", "--", "/no/such/program")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("/no/such/program", done.stderr)

    def test_needs_no_root(self):
        """When the tests run as root, one desktop is run as somebody else; otherwise all of them are."""
        desk = Home()
        self.addCleanup(desk.remove)
        options = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            for path in [desk.folder, *desk.folder.rglob("*")]:
                os.chown(path, nobody.pw_uid, nobody.pw_gid)
            options = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        started = desk.run("desktop", "start", "--name", "plain", "--json", **options)
        self.assertEqual(started.returncode, 0, started.stderr)
        with desk.mcp("--desktop", "plain", **options) as client:
            client.do("screenshot")
            client.do("request_access", {"apps": [{"app": "org.xfce.mousepad", "tier": "full"}], "reason": "A test."})
            client.do("write_clipboard", {"text": "not root"})
            client.do("open_application", {"app": "org.xfce.mousepad"})
            client.do("type", {"text": "日本"})
        stopped = desk.run("desktop", "stop", "plain", **options)
        self.assertEqual(stopped.returncode, 0, stopped.stderr)


if __name__ == "__main__":
    unittest.main()
