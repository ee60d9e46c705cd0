"""Desktops to measure on: an Xvfb with Openbox and real windows, and the programs under test."""
import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import tempfile
import time

PATIENCE = 20  # seconds that anything here may take to come up


class Programs:
    """The built programs, found when they are used; stops with a clear word when one is missing."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def __getattr__(self, name):
        path = self.folder / (name if name == "handrail" else f"bench_{name}")
        if not path.exists():
            sys.exit(f"bench: {path} is not built; build the release preset first.")
        return str(path)


def end(process):
    """Ends a process that this run started, with everything in its group."""
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    for stream in (process.stdin, process.stdout):
        if stream:
            stream.close()


def read_line(stream, seconds=PATIENCE):
    """The next line of an unbuffered pipe, or None when none came in time."""
    line = b""
    until = time.monotonic() + seconds
    while not line.endswith(b"\n"):
        ready, _, _ = select.select([stream], [], [], max(0, until - time.monotonic()))
        if not ready:
            return None
        got = os.read(stream.fileno(), 1)
        if not got:
            return None
        line += got
    return line.decode()


class Desktop:
    """One Xvfb with a window manager; a context that leaves nothing behind."""

    def __init__(self, size):
        self.size = size
        self.processes = []
        self.folder = tempfile.TemporaryDirectory(prefix="handrail-bench-")
        self.env = {key: value for key, value in os.environ.items()
                    if key not in ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY")}

    def __enter__(self):
        read_end, write_end = os.pipe()
        self.start(["Xvfb", "-displayfd", str(write_end), "-screen", "0", f"{self.size[0]}x{self.size[1]}x24",
                    "-nolisten", "tcp"], pass_fds=[write_end])
        os.close(write_end)
        with os.fdopen(read_end, "rb", buffering=0) as numbers:
            number = read_line(numbers)
        if not number:
            sys.exit("bench: Xvfb did not start.")
        self.display = ":" + number.strip()
        # Nothing of the measured desktop may reach the user's own session or settings.
        self.env.update(DISPLAY=self.display, HOME=self.folder.name, XDG_CONFIG_HOME=self.folder.name + "/config",
                        XDG_RUNTIME_DIR=self.folder.name, GDK_BACKEND="x11", NO_AT_BRIDGE="1", LANG="C.UTF-8",
                        HANDRAIL_CONFIG=self.folder.name + "/handrail.toml")
        pathlib.Path(self.env["HANDRAIL_CONFIG"]).write_text(CONFIG)
        # Openbox announces itself before it takes care of windows; its start-up command runs after that.
        manager = self.start(["openbox", "--sm-disable", "--startup", "echo ready"], stdout=-1)
        if read_line(manager.stdout) is None:
            sys.exit("bench: Openbox did not start.")
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            end(process)
        self.folder.cleanup()

    def start(self, command, **options):
        options.setdefault("stdout", subprocess.DEVNULL)
        process = subprocess.Popen(command, env=self.env, stderr=subprocess.DEVNULL, start_new_session=True,
                                   bufsize=0, **options)
        self.processes.append(process)
        return process

    def stop(self, process):
        end(process)
        self.processes.remove(process)

    def ask(self, *command):
        return subprocess.run(command, env=self.env, capture_output=True, text=True, check=False).stdout

    def wait_for(self, condition, what):
        until = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > until:
                sys.exit(f"bench: {what} did not come up.")
            time.sleep(0.02)

    def windows(self):
        return set(re.findall("0x[0-9a-f]+", self.ask("xprop", "-root", "_NET_CLIENT_LIST")))

    def fill(self):
        """Real content: a terminal and an editor full of text, and a picture."""
        width, height = self.size
        before = self.windows()
        text = "/usr/share/common-licenses/GPL-3"
        picture = self.folder.name + "/picture.png"
        subprocess.run(["convert", "-seed", "1", "-size", f"{width * 2 // 5}x{height * 2 // 5}", "plasma:tan-navy",
                        "-blur", "0x1", picture], check=True)
        self.start(["xterm", "-fa", "DejaVu Sans Mono", "-fs", "10", "-geometry", "110x45+20+40", "-e", "sh", "-c",
                    f"head -n 200 {text}; exec sleep 100000"])
        self.start(["mousepad", "--disable-server", text])
        self.start(["display", "-geometry", f"+{width // 2}+{height // 2}", picture])
        self.wait_for(lambda: len(self.windows() - before) >= 3, "the windows")
        self.settle()

    def settle(self):
        """Until two pictures of the screen, a moment apart, are the same."""
        last = None
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            now = subprocess.run(["import", "-window", "root", "-depth", "8", "rgb:-"], env=self.env,
                                 capture_output=True, check=True).stdout
            if now == last:
                return
            last = now
            time.sleep(0.3)


CONFIG = """\
[[grants]]
app = "bench_receiver"
tier = "full"

[[grants]]
app = "xterm"
tier = "full"

[[grants]]
app = "text_window.py"
tier = "full"
"""
