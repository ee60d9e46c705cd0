"""What every security test stands on: a desktop, a real `handrail mcp` on it, apps that may and may not be used, and
oracles outside Handrail. A row is a function that attacks; it must also prove its oracle and run a benign twin.

    @row("T02", "an overlay without pixels takes the click", bold=True, few=5, many=500)
    def input_only(s, t):
        with s.attacker("--input-only", "--override-redirect", geometry=OVER) as evil:
            s.prove_click(t, evil, AT)                 # the oracle notices a deliberate wrong click
            for trial in t:
                with trial:                            # an AssertionError in here is a failure of the row
                    s.refused("left_click", {"coordinate": AT}, "target_granted")
        with t.twin("the same click without the overlay"):
            s.act("left_click", {"coordinate": AT})    # refused here is a false refusal
"""
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import time

from support.desk import APPS, FULL, Desk, EventLog, PlainX, gone, wait_until
from support.mcp_client import ProtocolProblem

from security.person import Hand

PATIENCE = 30
# Under sanitizers on a busy machine a call may take seconds; no row measures time with it.
CALL_PATIENCE = 120
INPUT = ("press", "release", "key", "key_release")
# Fewer than all, to look at a change under every window manager.
MOST_TRIALS = int(os.environ.get("HANDRAIL_TRIALS", "1000000"))
SEED = int(os.environ.get("HANDRAIL_SEED", "7"))
# What a gate may answer only because somebody has just used the desktop; the call is made again.
PASSING = ("person_active",)
# Refusals that ask for a new look first.
STALE = ("stale_look", "stale_pixels")
# A press went to an app for which it was not meant: only the owner lets it go on.
SWITCHED_OFF = "Handrail has switched itself off"
ROWS = {}


class Row:
    def __init__(self, name, title, attack, bold, few, many, managers):
        self.name, self.title, self.attack, self.bold = name, title, attack, bold
        self.few, self.many, self.managers = few, many or few, managers
        self.family = attack.__module__.rpartition(".")[2].removeprefix("test_")

    def count(self):
        return min(self.many, MOST_TRIALS) if FULL else self.few


def row(name, title, bold=False, few=1, many=None, race=False):
    """Registers an attack. A race runs under every window manager when all trials are asked for."""
    def register(attack):
        if name in ROWS:
            raise AssertionError(f"{name} is registered twice")
        managers = ("openbox", "xfwm4", "none") if race and FULL else ("openbox",)
        ROWS[name] = Row(name, title, attack, bold, few, many, managers)
        return attack
    return register


class Trials:
    """Counts what a row did. `for trial in trials: with trial: …`"""

    def __init__(self, count):
        self.count = count
        self.done = self.proofs = self.twins = 0
        self.failures, self.false_refusals = [], []
        self.notes = []

    def __iter__(self):
        for number in range(self.count):
            self.number = number
            yield self._trial()

    @contextlib.contextmanager
    def _trial(self):
        self.done += 1
        try:
            yield self.number
        except (AssertionError, TimeoutError) as error:
            self.failures.append(f"trial {self.number}: {error}")

    def over(self, cases):
        """One trial for each case."""
        for number, case in enumerate(cases):
            self.number = number
            yield case, self._trial()

    @contextlib.contextmanager
    def twin(self, what):
        self.twins += 1
        try:
            yield
        except (AssertionError, TimeoutError) as error:
            self.false_refusals.append(f"{what}: {error}")

    def proof(self, is_noticed, what):
        if not is_noticed:
            raise AssertionError(f"the oracle is blind: {what}")
        self.proofs += 1

    def note(self, text):
        self.notes.append(text)

    def bound(self):
        """Of the rate of failures, at 95%, when there was none."""
        return min(1.0, 3 / self.done) if self.done else 1.0


def is_stopped(pid):
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "Tt"


class Player:
    """A fixture app that obeys lines on its standard input."""

    def __init__(self, stage, argv, log):
        self.stage, self.log = stage, log
        self.process = subprocess.Popen(argv, env=stage.env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        self.pid = self.process.pid
        self._commands = self._read = 0
        self._done = []  # the answers to commands, in order
        try:
            self.window = log.wait_count("ready", 1, timeout=60)[0]["window"]
        except BaseException:
            self.process.kill()
            raise

    def start(self, command):
        self._commands += 1
        self.process.stdin.write(command.encode() + b"\n")
        self.process.stdin.flush()

    def tell(self, command):
        """Returns when the X server has taken it."""
        self.start(command)
        wait_until(lambda: len(self._answers()) >= self._commands, PATIENCE, f"the end of {command}")
        assert self._answers()[self._commands - 1]["known"], f"the fixture does not know {command}"

    def _answers(self):
        fresh = self.log.all()[self._read:]
        self._read += len(fresh)
        self._done += [e for e in fresh if e["event"] == "done"]
        return self._done

    def fence(self):
        """Everything that the X server has sent to the app until now is in its log."""
        if self.process.poll() is None and not is_stopped(self.pid):
            # An app that ends meanwhile, or loses its server, has nothing more to tell.
            with contextlib.suppress(BrokenPipeError):
                self.start("fence")
                wait_until(lambda: len(self._answers()) >= self._commands or self.process.poll() is not None, PATIENCE,
                           "the fence of the app")

    def forget(self):
        self.fence()
        self.log.forget()

    def received(self, *kinds):
        self.fence()
        return self.log.events(*(kinds or INPUT))

    def wait(self, kind, count=1):
        return self.log.wait_count(kind, count, PATIENCE)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.stage.settle(self.window)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Terminal:
    """A terminal window: what its shell does is seen by the files in the marker folder."""

    def __init__(self, stage, process, shown):
        self.stage, self.process, self.window = stage, process, shown["id"]
        box = shown["content"]
        self.pid = process.pid
        self.at = [box["x"] + box["width"] // 2, box["y"] + box["height"] // 2]

    def prove(self, t, marker):
        """Somebody else types a command, and the marker appears."""
        stage = self.stage
        stage.focus(self)
        stage.watch.mark()
        for key in (*"touch", "space", *marker):
            stage.hand.keys(key)
        stage.hand.keys("Return")
        path = stage.markers / marker
        wait_until(path.exists, PATIENCE, f"the marker {path}")
        t.proof(stage.watch.events(self.pid, ("key",)), "keys for the terminal")
        path.unlink()
        stage.watch.mark()

    def stop(self):
        Stage.end(self.process)
        self.stage.settle(self.window)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Watch:
    """Which client received each input event, from the RECORD listener."""

    def __init__(self, stage):
        self.log = stage.new_log("watch")
        self.process = subprocess.Popen([APPS / "watch_events", "--log", str(self.log.path)], env=stage.env,
                                        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.log.wait_count("ready", 1, timeout=60)
        self._fences = 0

    def fence(self):
        """Everything that was delivered before now is in the log."""
        first = self._fences + 1
        start = len(self.log.all())
        sent = 0.0

        def has_come():
            nonlocal sent
            # A busy X server may lose a record, and so a fence.
            if time.monotonic() - sent > 2:
                sent = time.monotonic()
                self._fences += 1
                self.process.stdin.write(f"fence {self._fences}\n".encode())
                self.process.stdin.flush()
            return any(e["event"] == "fence" and e["number"] >= first for e in self.log.all()[start:])
        wait_until(has_come, PATIENCE, "the fence of the oracle")

    def mark(self):
        self.fence()
        self.log.forget()

    def events(self, pid=None, kinds=INPUT):
        """Since the mark; of every client when no pid is given."""
        self.fence()
        return [e for e in self.log.events(*kinds) if pid is None or e["pid"] == pid]

    def stop(self):
        self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class ManagedX(PlainX):
    """An X server of the test's own with a window manager, or with none."""

    def __init__(self, manager):
        super().__init__()
        if manager == "none":
            return
        try:
            if manager == "xfwm4":
                self.start_bus()
            self.launch([manager, "--compositor=off"] if manager == "xfwm4" else [manager, "--sm-disable"])
            wait_until(lambda: self.state()["window_manager"], 60, f"the start of {manager}")
        except BaseException:
            self.stop()
            raise


    def start_bus(self):
        """xfwm4 keeps its settings behind a session bus."""
        path = self.home.folder / "run" / "bus"
        self.launch(["dbus-daemon", "--session", "--nofork", f"--address=unix:path={path}"])
        wait_until(path.exists, 60, "the session bus")
        self.env = {**self.env, "DBUS_SESSION_BUS_ADDRESS": f"unix:path={path}"}


class Stage:
    """A desktop with the agent's server and the oracles. `grants` are APP:TIER of the fixture copies made by `app`."""

    def __init__(self, manager="openbox"):
        self.manager = manager
        self.desk = Desk(name="security") if manager == "openbox" else ManagedX(manager)
        self.closing = contextlib.ExitStack()
        self.closing.callback(self.desk.stop)
        try:
            self.home = self.desk.home
            self.env = {**self.home.env, **self.desk.env}
            self.logs = 0
            self.folder = self.home.folder / "apps"
            self.folder.mkdir()
            self.markers = self.home.folder / "markers"
            self.hand = Hand(self.desk.env)
            self.watch = Watch(self)
            self.closing.callback(lambda: self.watch.stop())
            self.client = None
            self.words = None
            self.actor_path = self.app("actor_x11", "actor")
            self.attacker_path = self.app("attacker_x11", "attacker")
            self.actor = None
        except BaseException:
            self.close()
            raise

    def close(self):
        self.end_server()
        self.closing.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @contextlib.contextmanager
    def unwatched(self):
        """Without the oracle. With two listeners of RECORD an X server 21.1 takes one buffer for both in the end,
        loses records and ends after some 145 ends of a listener that is at work."""
        self.watch.stop()
        try:
            yield
        finally:
            self.watch = Watch(self)

    def new_log(self, name):
        self.logs += 1
        return EventLog(self.home.folder / "logs" / f"{name}-{self.logs}.jsonl")

    # Apps

    def app(self, program, name):
        """A copy of a fixture under another name: another file, and so another app. Returns its path."""
        path = self.folder / name
        if not path.exists():
            shutil.copy(APPS / program, path)
        return path

    def play(self, path, *words, geometry="400x300+200+200", title=None):
        """Starts a fixture by its path, as the person would."""
        name = pathlib.Path(path).name
        log = self.new_log(name)
        argv = [str(path), "--title", title or name, "--log", str(log.path), *map(str, words)]
        if geometry:
            argv += ["--geometry", geometry]
        return Player(self, argv, log)

    def install(self, app, command, name=None):
        """A desktop entry in the home of the desktop, as a person or an app can write one."""
        folder = pathlib.Path(self.env["XDG_DATA_HOME"]) / "applications"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{app}.desktop"
        path.write_text(f"[Desktop Entry]\nType=Application\nName={name or app}\nExec={command}\n")
        return path

    def attacker(self, *words, **options):
        return self.play(self.attacker_path, *words, **options)

    def spawn(self, argv, **options):
        """Any program on the desktop; killed at the end."""
        process = subprocess.Popen(list(map(str, argv)), env=self.env, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
        self.closing.callback(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()

    def xterm(self, *words, title="terminal", program="/usr/bin/xterm", geometry="80x24+600+400", shell=("/bin/dash",)):
        """A real terminal in the marker folder. Its shell finds no program but `touch` and an `rm` that only leaves the
        marker `rm-ran`, so that a command which slips through harms nothing."""
        commands = self.home.folder / "commands"
        if not commands.exists():
            commands.mkdir()
            self.markers.mkdir(exist_ok=True)
            (commands / "touch").symlink_to("/usr/bin/touch")
            (commands / "rm").write_text(f"#!/bin/sh\n/usr/bin/touch {self.markers}/rm-ran\n")
            (commands / "rm").chmod(0o755)
        process = subprocess.Popen([program, "-T", title, "-geometry", geometry, *words, "-e", *shell], cwd=self.markers,
                                   env={**self.env, "PATH": str(commands)}, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.closing.callback(self.end, process)
        return Terminal(self, process, self.window_titled(title))

    def window_titled(self, title):
        return wait_until(lambda: next((w for w in self.desk.state()["windows"] if w["title"] == title), None), 60,
                          f"a window titled {title}")

    def settle(self, window):
        """The window manager has dealt with the end of a window: until then it moves the focus about."""
        def is_gone():
            state = self.desk.state()
            return window != state["focus"] and all(w["id"] != window for w in state["windows"])
        if self.manager == "openbox":
            with contextlib.suppress(TimeoutError, AssertionError):
                wait_until(is_gone, PATIENCE, f"the end of window {window}")
                # The last window's name may stay in the property for good.
                wait_until(lambda: self.desk.state()["active"] != window, 2, "another active window")

    def close_apps(self, wm_class):
        """Ends the apps of a class that an open_application brought, so that they cover nothing."""
        for shown in self.desk.state()["windows"]:
            if shown["class"].lower() == wm_class and shown["pid"] > 0:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(shown["pid"], signal.SIGTERM)
                self.wait_gone(shown["pid"])

    def focus(self, player):
        """The keyboard goes to this app, seen in the state of the X server."""
        def is_focused():
            if self.desk.state()["focus"] == player.window:
                return True
            self.hand.focus(player.window)
            return False
        wait_until(is_focused, PATIENCE, f"the focus of window {player.window}")

    def focus_app(self, player):
        """The keyboard goes into an app of a toolkit, which keeps the focus in a window of its own."""
        self.window_titled(player.process.args[2])
        given = 0.0

        def is_focused(_):
            nonlocal given
            if next((e["in"] for e in reversed(player.log.all()) if e["event"] == "focus"), False):
                return True
            # The window manager may give it to another one at the same moment.
            if time.monotonic() - given > 1:
                given = time.monotonic()
                self.hand.focus(player.window)
            return False
        player.log.wait(is_focused, PATIENCE, "the focus")

    # The agent

    def serve(self, *words, env=None, config=None, **options):
        """A new server for the agent, in place of the one before. Without words the actor is granted in full."""
        self.end_server()
        words = words or ("--grant", f"{self.actor_path}:full")
        self.words = words
        self.home.write_config(config or "")
        self.client = self.desk.mcp(*words, env=env, **options)
        return self.client

    def end_server(self):
        if self.client is not None and self.client.process.poll() is None:
            self.client.close(timeout=CALL_PATIENCE, check=False)
        self.client = None

    def default(self):
        """The usual scene: the actor in the middle, granted in full, a server with a fresh look."""
        if self.actor is None or self.actor.process.poll() is not None:
            self.actor = self.play(self.actor_path, geometry="400x300+200+200")
            self.closing.callback(self.actor.stop)
            # xfwm4 lists the first window when a second one comes.
            if self.manager == "openbox":
                self.window_titled("actor")
        granted = ("--grant", f"{self.actor_path}:full")
        if self.client is None or self.client.process.poll() is not None or self.words != granted:
            self.serve(*granted)
        self.focus(self.actor)
        self.look()
        self.watch.mark()
        self.actor.forget()
        return self.actor

    def look(self):
        """A picture, as every agent takes before it acts."""
        self.hand.move(5, 795)
        return self.client.do("screenshot", timeout=CALL_PATIENCE)

    def call(self, tool, arguments=None):
        """A call; made again when only a person's own hand was in the way."""
        deadline = time.monotonic() + PATIENCE
        while True:
            reply = self.client.call(tool, arguments, timeout=CALL_PATIENCE)
            if SWITCHED_OFF in reply.text:
                self.resume()
            if reply.error.get("gate") not in PASSING or time.monotonic() > deadline:
                return reply

    def resume(self):
        """The owner has seen that a press went astray, and lets the server go on."""
        done = self.home.run("resume")
        assert done.returncode == 0, done.stderr

    def act(self, tool, arguments=None):
        """A benign call: it must succeed. A stale look is renewed once."""
        reply = self.call(tool, arguments)
        if reply.is_error and reply.error.get("gate") in STALE:
            self.look()
            reply = self.call(tool, arguments)
        assert not reply.is_error, f"{tool} {arguments} was refused: {reply.text}"
        return reply

    def refused(self, tool, arguments=None, *gates, quiet=True, probes=False):
        """The call must be refused by one of the gates without any effect: no client receives any input. With `probes`
        one press of a key without a symbol is allowed, which asks who holds the keyboard."""
        if quiet:
            self.watch.mark()
        reply = self.call(tool, arguments)
        assert reply.is_error, f"{tool} {arguments} was not refused: {reply.text}"
        assert not gates or reply.error.get("gate") in gates, f"{tool}: not refused by {gates} but: {reply}"
        assert reply.error.get("side_effects", "none") == "none", f"{tool}: refused with side effects: {reply}"
        if quiet:
            self.quiet(f"{tool} {arguments}", probes)
        return reply

    def rejected(self, tool, arguments=None):
        """The call must come back as an error of any kind, protocol or tool, without any effect."""
        self.watch.mark()
        try:
            reply = self.call(tool, arguments)
        except ProtocolProblem as problem:
            assert "error" in str(problem), problem
        else:
            assert reply.is_error, f"{tool} {str(arguments)[:200]} was accepted: {reply.text}"
        self.quiet(f"{tool} {str(arguments)[:200]}")

    def quiet(self, what="nothing", probes=False):
        """No client received any input since the mark."""
        events = self.watch.events()
        if probes and sum(e["event"] == "key" for e in events) <= 1:
            events = [e for e in events if e["detail"] not in self.hand.empty_keys()]
        assert not events, f"{what} sent input: {events[:4]}"

    # Proofs

    def prove_click(self, t, player, at):
        """A click of somebody else on the app is told by the oracle and by the app itself."""
        self._prove(t, player, "press", "release", lambda: self.hand.click(*at))

    def prove_key(self, t, player, key="a"):
        """A key of somebody else to the app is told by the oracle and by the app itself."""
        self._prove(t, player, "key", "key_release", lambda: self.hand.keys(key))

    def _prove(self, t, player, down, up, act):
        for _ in range(3):
            self.watch.mark()
            player.forget()
            act()
            wait_until(lambda: player.received(down), PATIENCE, f"{down} in the log of the app")
            wait_until(lambda: player.received(up), PATIENCE, f"{up} in the log of the app")
            noticed = self.watch.events(player.pid, (down,))
            self.watch.mark()
            player.forget()
            if noticed:
                break
            # A busy X server may lose a record; twice in a row it is the oracle that is broken.
            t.note(f"the oracle missed a {down}")
        t.proof(noticed, f"a {down} on process {player.pid}")

    def prove_any(self, t):
        """The oracle that says `nobody got anything` does notice a click."""
        actor = self.actor
        self.focus(actor)
        self.prove_key(t, actor)

    def prove_marker(self, t, path):
        """The marker can be made and is seen."""
        path.touch()
        t.proof(path.exists(), f"the marker {path}")
        path.unlink()

    def idle(self):
        """Nothing is held down."""
        state = self.desk.idle_state()
        assert (state["pressed"], state["buttons"]) == ([], 0), f"still down: {state}"

    def wait_gone(self, pid):
        wait_until(lambda: gone(pid), PATIENCE, f"the end of process {pid}")
