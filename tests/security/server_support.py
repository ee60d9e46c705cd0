"""Servers from outside: their lock file, their control socket, other homes on the same display, a person's own
keyboard, and the whole desktop before and after. Nothing here takes Handrail's word for anything."""
import contextlib
import ctypes
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import time

from support import xlib
from support.desk import APPS, HANDRAIL, Home, gone, wait_until
from support.mcp_client import McpClient

from security.harness import CALL_PATIENCE, PATIENCE

DOWN = ("press", "key", "motion")
# Openbox has to put windows in order, a guardian to start: generous, as nothing is measured with it.
RESTORE_PATIENCE = 60


def runtime(s):
    return pathlib.Path(s.home.env["XDG_RUNTIME_DIR"]) / "handrail"


def state_folder(s):
    return pathlib.Path(s.home.env["HOME"]) / ".local/state/handrail"


def lock_file(s):
    return runtime(s) / f"lock-{s.env['DISPLAY'].partition('.')[0].lstrip(':')}"


def handrail(s, *words, check=True, **options):
    done = s.home.run(*words, **options)
    assert not check or done.returncode == 0, f"handrail {words}: {done.stdout} {done.stderr}"
    return done


def tell(s, pid, command, detail=""):
    """One word at the control socket of a server. Returns the moments before it was sent and after the answer."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as peer:
        peer.settimeout(PATIENCE)
        peer.connect(str(runtime(s) / f"control-{pid}.sock"))
        sent = time.monotonic()
        peer.send(json.dumps({"command": command, "detail": detail}).encode())
        answer = json.loads(peer.recv(65536))
        answered = time.monotonic()
    assert answer["ok"], f"{command}: {answer}"
    return sent, answered


def resume(s):
    handrail(s, "resume")


@contextlib.contextmanager
def second(s, *words, **options):
    """Another server of the same owner on the same desktop."""
    client = s.desk.mcp(*(words or ("--grant", f"{s.actor_path}:full")), **options)
    try:
        yield client
    finally:
        kill(client)


def kill(client):
    """However it is."""
    if client.process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(client.process.pid, signal.SIGCONT)
        client.process.kill()
    if not client.process.stdout.closed:
        client.wait_exit(PATIENCE, check=False)


@contextlib.contextmanager
def stranger(s, *words):
    """A server with another home on the same display."""
    home = Home()
    client = None
    try:
        home.write_config("")
        reach = {name: s.env[name] for name in ("DISPLAY", "XAUTHORITY") if name in s.env}
        client = home.mcp("--desktop", s.env["DISPLAY"], *(words or ("--grant", f"{s.actor_path}:full")), env=reach)
        yield client
    finally:
        if client is not None:
            kill(client)
        home.remove()


def call(client, tool, arguments=None):
    """Made again while only somebody's hand is in the way."""
    deadline = time.monotonic() + PATIENCE
    while True:
        reply = client.call(tool, arguments, timeout=CALL_PATIENCE)
        if reply.error.get("gate") != "person_active" or time.monotonic() > deadline:
            return reply


def acts(s, client, what="a server that may act"):
    """The server presses a key, and the actor gets it."""
    s.focus(s.actor)
    s.actor.forget()
    reply = call(client, "key", {"text": "b"})
    assert not reply.is_error, f"{what} was refused: {reply}"
    s.actor.wait("key_release")


def await_pause(s):
    """The test's own hand has been still for so long that the server may use the keyboard."""
    wait_until(lambda: not call(s.client, "key", {"text": "b"}).is_error, PATIENCE, "a pause of the person")
    s.actor.wait("key_release")
    s.actor.forget()


def kept_out(s, client, what="the second server"):
    """The server is refused by the lock, and nobody gets anything."""
    s.focus(s.actor)
    s.watch.mark()
    reply = call(client, "key", {"text": "b"})
    assert reply.is_error, f"{what} acted beside the holder: {reply}"
    assert reply.error.get("gate") == "desktop_lock", f"{what} was not refused by the lock: {reply}"
    s.quiet(what)
    return reply


def let_go(s):
    """The agent's server ends, so that nobody holds the desktop."""
    s.end_server()


def x_server(s):
    """The process of the display."""
    return s.desk.info["server"]["pid"]


@contextlib.contextmanager
def stopped(pid):
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def state_letter(pid):
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return "X"


def guardians(server):
    """The processes that guard a server: both sides of it, oldest first."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            words = (entry / "cmdline").read_bytes().split(b"\0")
            if words[1:2] == [b"guardian"] and watches(int(entry.name), server):
                found.append(int(entry.name))
    return sorted(found)


def watches(pid, server):
    """A guardian has a pidfd of the server."""
    for entry in pathlib.Path(f"/proc/{pid}/fdinfo").iterdir():
        # It opens and closes others meanwhile.
        with contextlib.suppress(OSError):
            found = re.search(r"^Pid:\s*(-?\d+)", entry.read_text(), re.MULTILINE)
            if found and int(found[1]) == server:
                return True
    return False


class AnsweringClient(McpClient):
    """A client whose person answers every question the same way."""

    def __init__(self, choice, command, env, **options):
        self.choice = choice
        super().__init__(command, env, **options)

    def params(self, params=None, progress=None):
        params = super().params(params, progress)
        return {**params, "capabilities": {"elicitation": {}}} if "capabilities" in params else params

    def _form_problem(self, message):
        if isinstance(message, dict) and message.get("method") == "elicitation/create":
            return None
        return super()._form_problem(message)

    def _take(self, line):
        super()._take(line)
        message = json.loads(line)
        if message.get("method") == "elicitation/create":
            self.send({"jsonrpc": "2.0", "id": message["id"],
                       "result": {"action": "accept", "content": {"choice": self.choice}}})


@contextlib.contextmanager
def with_consent(s, choice, **options):
    """A server on this display as on a person's own, with nothing granted and a person who answers."""
    command = [HANDRAIL, "mcp", "--surface", "classic", "--desktop", s.env["DISPLAY"]]
    reach = {name: s.env[name] for name in ("DISPLAY", "XAUTHORITY") if name in s.env}
    client = AnsweringClient(choice, command, {**s.home.env, **reach}, **options)
    try:
        yield client
    finally:
        kill(client)


@contextlib.contextmanager
def on_own_desktop(s, *words):
    """A server on this display as on a person's own."""
    names = ("DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS")
    client = s.home.mcp("--desktop", s.env["DISPLAY"], *words, env={name: s.env[name] for name in names})
    try:
        yield client
    finally:
        kill(client)


class DeviceInfo(ctypes.Structure):
    _fields_ = [("id", ctypes.c_ulong), ("type", ctypes.c_ulong), ("name", ctypes.c_char_p),
                ("num_classes", ctypes.c_int), ("use", ctypes.c_int), ("classes", ctypes.c_void_p)]


IS_EXTENSION_KEYBOARD = 3


class Keyboard:
    """A person's own keyboard: the device of the X server itself, whose events are not XTEST's."""

    def __init__(self, s):
        self.hand = s.hand
        self.env = s.desk.env
        self.xi = ctypes.CDLL("libXi.so.6")
        self.device = self._find()

    def _find(self):
        self.xi.XListInputDevices.restype = ctypes.POINTER(DeviceInfo)
        with xlib._display(self.env) as (_, display):
            count = ctypes.c_int()
            listed = self.xi.XListInputDevices(display, ctypes.byref(count))
            for device in listed[:count.value]:
                if device.use == IS_EXTENSION_KEYBOARD and b"XTEST" not in device.name:
                    return device.id
        raise AssertionError("the display has no keyboard of its own")

    def _send(self, codes, is_down):
        xi, xtst = self.xi, self.hand.xtst
        xi.XOpenDevice.restype = ctypes.c_void_p
        with xlib._display(self.env) as (x11, display):
            opened = ctypes.c_void_p(xi.XOpenDevice(display, ctypes.c_ulong(self.device)))
            assert opened, "the keyboard cannot be opened"
            for code in codes:
                xtst.XTestFakeDeviceKeyEvent(display, opened, code, is_down, None, 0, ctypes.c_ulong(0))
            x11.XSync(display, 0)
            xi.XCloseDevice(display, opened)

    def chord(self, *names):
        codes = [self.hand.keycode(name) for name in names]
        self._send(codes, 1)
        self._send(reversed(codes), 0)


class Clip:
    """The person's clipboard: an owner in plain X with several formats."""

    FORMATS = {"UTF8_STRING": "the person's text", "text/html": "<b>the person's</b>", "x-test/odd": "odd bytes"}

    def __init__(self, s, selection="CLIPBOARD"):
        self.s, self.selection = s, selection
        log = s.new_log("clip")
        self.process = subprocess.Popen(
            [APPS / "clip_x11", "own", "--selection", selection, "--log", str(log.path),
             *(f"{name}={text}" for name, text in self.FORMATS.items())],
            env=s.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        s.closing.callback(s.end, self.process)
        log.wait_count("owner", 1, PATIENCE)

    def read(self):
        """Every format that it should have, by a client of its own; None for what nobody answers."""
        found = {}
        for name in self.FORMATS:
            done = subprocess.run([APPS / "clip_x11", "read", "--selection", self.selection, name], env=self.s.env,
                                  capture_output=True, timeout=60)
            found[name] = done.stdout.decode() if done.returncode == 0 else None
        return found

    def is_whole(self):
        return self.read() == self.FORMATS


def picture(s):
    """What must be as before: keys, buttons, keyboard map, windows that show, their order, focus."""
    state = s.desk.state()
    keyboard = state["keyboard"]
    return {"pressed": keyboard["pressed"], "buttons": state["pointer"]["buttons"], "map": keyboard["map"],
            "locked": keyboard["locked_modifiers"], "group": keyboard["group"],
            "windows": [(w["id"], w["viewable"]) for w in state["windows"]], "focus": state["focus"]}


def wait_picture(s, wanted, clips=(), what="the desktop as before"):
    """Seconds until everything is back."""
    began = time.monotonic()

    def differences():
        now = picture(s)
        wrong = {name: (wanted[name], now[name]) for name in wanted if now[name] != wanted[name]}
        for clip in clips:
            if not wrong and not clip.is_whole():
                wrong[clip.selection] = clip.read()
        return wrong
    wait_until(lambda: not differences(), RESTORE_PATIENCE, lambda: f"{what} ({differences()})")
    return time.monotonic() - began


def server_time(event):
    """When the X server did it, in seconds of time.monotonic(), which is its clock too; it counts milliseconds in 32
    bits and rounds down."""
    now = time.monotonic() * 1000
    return (now - (int(now) - event["time"]) % 2**32) / 1000 - now % 1 / 1000


def percentiles(numbers):
    ordered = sorted(numbers) or [0.0]
    at = [ordered[min(len(ordered) - 1, int(len(ordered) * share))] for share in (0.5, 0.99)]
    return f"p50 {at[0]:.1f}, p99 {at[1]:.1f}, most {ordered[-1]:.1f}"


def wait_gone(pid):
    wait_until(lambda: gone(pid), PATIENCE, f"the end of process {pid}")
