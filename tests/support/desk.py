"""Desktops for live tests, each with private folders of its own, and what is seen of them from outside: the logs of
fixture apps and the state that `desk_state` reads. Nothing here takes Handrail's word for anything."""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from support import xlib
from support.mcp_client import McpClient

HANDRAIL = os.environ["HANDRAIL"]
APPS = pathlib.Path(os.environ["HANDRAIL_APPS"])
FULL = os.environ.get("HANDRAIL_FULL") == "1"
# Displays of X servers that tests start themselves, from another place on in each process.
OWN_DISPLAYS = range(170, 230)
POLL = 0.005
# Sockets are made below it, and their names must be short.
SHORT = "/tmp"
# Until something that must happen has happened. Nothing is measured with it: a machine may be slow and busy.
PATIENCE = 30


def fixture_grants(tier="full"):
    """The owner's settings for tests that are not about access: every fixture app may be used, and the clipboard."""
    apps = [str(path) for path in sorted(APPS.iterdir()) if path.is_file() and os.access(path, os.X_OK)]
    apps.append("/usr/bin/xterm")
    rows = "".join(f'[[grants]]\napp = "{app}"\ntier = "{tier}"\n' for app in apps)
    return f"clipboard_read = true\nclipboard_write = true\nsystem_keys = true\n{rows}"


def trials(few, many):
    """How often to try: `many` when HANDRAIL_FULL=1 asks for numbers instead of a smoke test."""
    return many if FULL else few


def most_seconds(most):
    """A bound on time counts where all trials are asked for; else a slow machine only has to get there."""
    return most if FULL else 60


def wait_until(condition, timeout=PATIENCE, what="the condition"):
    """The first true value of `condition()`."""
    deadline = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what() if callable(what) else what} did not come true in {timeout} s")
        time.sleep(POLL)


def gone(pid):
    """The process has ended: no such process, or a zombie that nobody has read yet."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


class Home:
    """Private folders and a clean environment for a run of the program."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hrt-", dir=SHORT))
        for name in ("run", "data", "config", "home", "logs"):
            (self.folder / name).mkdir(mode=0o700)
        self.env = {
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8",
            "HOME": str(self.folder / "home"), "XDG_RUNTIME_DIR": str(self.folder / "run"),
            "XDG_DATA_HOME": str(self.folder / "data"), "XDG_CONFIG_HOME": str(self.folder / "config"),
        }
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
            if name in os.environ:
                self.env[name] = os.environ[name]
        self.write_config(fixture_grants())

    def write_config(self, text):
        path = self.folder / "config" / "handrail" / "config.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def run(self, *words, env=None, timeout=120, **options):
        """One run of the program to its end, without raising."""
        return subprocess.run([HANDRAIL, *map(str, words)], env={**self.env, **(env or {})}, capture_output=True,
                              text=True, timeout=timeout, **options)

    def json(self, *words):
        done = self.run(*words)
        if done.returncode != 0:
            raise AssertionError(f"handrail {' '.join(map(str, words))} failed: {done.stderr or done.stdout}")
        return json.loads(done.stdout)

    def mcp(self, *words, env=None, program=HANDRAIL, surface="classic", **options):
        command = [program, "mcp", "--surface", surface, *map(str, words)]
        return McpClient(command, {**self.env, **(env or {})}, **options)

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class EventLog:
    """The JSON lines that a fixture app writes."""

    def __init__(self, path):
        self.path = path
        self._seen = []
        self._offset = 0  # of the first byte that is not read yet
        self._start = 0  # events before it are of no interest any more

    def all(self):
        try:
            with open(self.path, "rb") as file:
                file.seek(self._offset)
                lines = file.read().rpartition(b"\n")[0]
        except FileNotFoundError:
            return []
        if lines:
            self._offset += len(lines) + 1
            self._seen += [json.loads(line) for line in lines.split(b"\n")]
        return self._seen

    def events(self, *kinds):
        return [e for e in self.all()[self._start:] if not kinds or e["event"] in kinds]

    def forget(self):
        self._start = len(self.all())

    def wait(self, condition, timeout=PATIENCE, what="the event"):
        """`condition` gets the list of events; its first true value is returned."""
        return wait_until(lambda: condition(self.events()), timeout,
                          lambda: f"{what() if callable(what) else what} (log: {self.events()[-12:]})")

    def wait_count(self, kind, count, timeout=PATIENCE):
        """At least `count` events of a kind; returns them."""
        self.wait(lambda events: sum(e["event"] == kind for e in events) >= count, timeout, f"{count} x {kind}")
        return self.events(kind)

    def text(self):
        texts = [e["text"] for e in self.all() if e["event"] == "text"]
        return texts[-1] if texts else ""


class App:
    """A fixture app that runs on a desktop."""

    def __init__(self, desk, pid, log, title):
        self.desk, self.pid, self.log, self.title = desk, pid, log, title
        self.window = log.wait_count("ready", 1, timeout=60)[0]["window"]

    def row(self):
        """What the window manager's list says of it."""
        return wait_until(lambda: next((w for w in self.desk.state()["windows"] if w["id"] == self.window), None),
                          what=f"the window of {self.title}")

    def content(self):
        row = self.row()["content"]
        return row["x"], row["y"], row["width"], row["height"]

    def wait_focus(self, timeout=PATIENCE):
        def focused(_):
            changes = [e for e in self.log.all() if e["event"] == "focus"]
            return changes and changes[-1]["in"]
        self.log.wait(focused, timeout, "the focus")
        return self

    def fence(self):
        """Everything that the X server has sent to this probe until now is in its log."""
        def fences():
            return sum(e["event"] == "client_message" and e["type"] == "_FIXTURE_FENCE" for e in self.log.all())
        before = fences()
        xlib.send_message(self.desk.env, self.window)
        wait_until(lambda: fences() > before, what=f"the fence of {self.title}")

    def forget(self):
        self.fence()
        self.log.forget()

    def received(self, *kinds):
        self.fence()
        return self.log.events(*kinds)

    def order(self, line):
        """To an app that was opened to take orders."""
        with open(self.orders, "w", encoding="utf-8") as orders:
            orders.write(line + "\n")

    def stop(self):
        try:
            os.kill(self.pid, signal.SIGTERM)
        except ProcessLookupError:
            return
        wait_until(lambda: gone(self.pid), what=f"the end of {self.title}")


class XDesk:
    """A desktop seen from outside: `env` reaches its X server, `home` holds logs and settings."""

    def __init__(self):
        self.home = Home()
        self.env = {}
        self._apps = 0

    def state(self):
        return json.loads(self.oracle("desk_state"))

    def oracle(self, program, *words, text=True):
        done = subprocess.run([APPS / program, *words], env={**self.home.env, **self.env}, capture_output=True,
                              text=text, timeout=60)
        if done.returncode != 0:
            raise AssertionError(f"{program} failed: {done.stderr}")
        return done.stdout

    def outside(self, *words):
        """A program of the system on this desktop, run to its end."""
        return subprocess.run(words, env={**self.home.env, **self.env}, check=True, capture_output=True, text=True,
                              timeout=60).stdout

    def idle_state(self):
        """What must be the same before and after: nothing held, same keyboard."""
        state = self.state()
        keyboard = state["keyboard"]
        return {"pressed": keyboard["pressed"], "buttons": state["pointer"]["buttons"], "map": keyboard["map"],
                "locked": keyboard["locked_modifiers"], "group": keyboard["group"]}

    def launch(self, argv):
        """Starts a program on the desktop; returns its process id."""
        raise NotImplementedError

    def open(self, program, *words, geometry=None, title=None, takes_orders=False):
        self._apps += 1
        title = title or f"{program} {self._apps}"
        log = EventLog(self.home.folder / "logs" / f"{self._apps}.jsonl")
        argv = [str(APPS / program), "--title", title, "--log", str(log.path), *words]
        if geometry:
            argv += ["--geometry", geometry]
        orders = None
        if takes_orders:
            orders = self.home.folder / "logs" / f"{self._apps}.orders"
            log.path.parent.mkdir(parents=True, exist_ok=True)
            os.mkfifo(orders)
            # Open for both ways it never comes to an end.
            argv = ["/bin/sh", "-c", f'exec "$0" "$@" <>{orders}', *argv]
        app = App(self, self.launch(argv), log, title)
        app.orders = orders
        return app

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Desk(XDesk):
    """An embedded desktop, started and stopped by the program's own commands."""

    def __init__(self, *words, name="live"):
        super().__init__()
        try:
            self.info = self.home.json("desktop", "start", "--name", name, "--json", *words)
        except BaseException:
            self.home.remove()
            raise
        self.name = name
        self.env = self.info["environment"]
        self._clients = []

    def launch(self, argv):
        return self.home.json("desktop", "exec", "--name", self.name, "--json", "--", *argv)["pid"]

    def mcp(self, *words, **options):
        client = self.home.mcp("--desktop", self.name, *words, **options)
        self._clients.append(client)
        return client

    def stop(self):
        for client in self._clients:
            if client.process.poll() is None:
                client.close(check=False)
        done = self.home.run("desktop", "stop", self.name)
        self.home.remove()
        gone = any(text in done.stderr for text in ("No embedded desktop", f"No desktop named {self.name}"))
        if done.returncode != 0 and not gone:
            raise AssertionError(f"the desktop did not stop: {done.stderr}")


class PlainX(XDesk):
    """An X server of the test's own, to be killed and stopped; no window manager."""

    def __init__(self, size="1280x800"):
        super().__init__()
        self.size = size
        self.number = None
        self._children = []
        first = os.getpid() % len(OWN_DISPLAYS)
        for number in (*OWN_DISPLAYS[first:], *OWN_DISPLAYS[:first]):
            if not self._is_served(number) and self.start(number):
                return
        self.home.remove()
        raise AssertionError(f"no free display in {OWN_DISPLAYS}")

    @property
    def display(self):
        return f":{self.number}"

    @staticmethod
    def _is_served(number):
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(f"/tmp/.X11-unix/X{number}") == 0

    def start(self, number=None):
        """False when the display is taken."""
        number = self.number if number is None else number
        ready, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", f":{number}", "-displayfd", str(write), "-screen", "0", f"{self.size}x24", "-nolisten", "tcp",
             "-noreset"], pass_fds=[write], env=self.home.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(ready) as answer:
            if answer.readline().strip() != str(number):
                self.server.wait(PATIENCE)
                return False
        self.number = number
        self.env = {"DISPLAY": self.display}
        return True

    def kill(self):
        self.server.kill()
        self.server.wait()
        self._remove_socket()

    def _remove_socket(self):
        """What a killed server leaves behind."""
        pathlib.Path(f"/tmp/.X11-unix/X{self.number}").unlink(missing_ok=True)

    def launch(self, argv):
        child = subprocess.Popen(argv, env={**self.home.env, **self.env}, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        self._children.append(child)
        return child.pid

    def mcp(self, *words, **options):
        return self.home.mcp("--desktop", self.display, *words, **options)

    def stop(self):
        for child in self._children:
            child.kill()
            child.wait()
        if self.server.poll() is None:
            self.server.send_signal(signal.SIGCONT)
            self.server.terminate()
            self.server.wait()
            self._remove_socket()
        self.home.remove()
