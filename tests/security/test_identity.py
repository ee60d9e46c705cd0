"""Who an app is: what it says of itself counts for nothing."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys

from support.desk import APPS, FULL, EventLog, PlainX, wait_until

from security.harness import CALL_PATIENCE, PATIENCE, Player, Watch, row
from security.person import Hand
from security.rows_support import children

AT = [400, 380]
BESIDE = "300x200+800+400"
THERE = [950, 500]
NOT_GRANTED = ("target_granted", "stale_pixels", "stale_look")
TIERS = ("read", "click", "full")


def click_twin(s, t):
    with t.twin("a click on the granted app"):
        s.look()
        s.actor.forget()
        s.act("left_click", {"coordinate": AT})
        wait_until(lambda: s.actor.received("activated"), PATIENCE, "the click")


def refuse_all(s, player, at, *gates):
    """Neither click nor key reaches the app."""
    s.look()
    s.focus(player)
    s.refused("left_click", {"coordinate": at}, *(gates or NOT_GRANTED))
    s.refused("key", {"text": "a"}, *(gates or NOT_GRANTED))
    s.refused("type", {"text": "secret"}, *(gates or NOT_GRANTED))


def granted_tier(s, app, tier="full"):
    """What comes of asking for an app on a desktop that belongs to nobody: a tier, or nothing."""
    before = s.client.do("list_granted_applications").structured.get("granted", [])
    reply = s.call("request_access", {"apps": [{"app": app, "tier": tier}], "reason": "To do the task."})
    if reply.is_error:
        return None
    new = [g["tier"] for g in reply.structured.get("granted", []) if g not in before]
    return max(new, key=TIERS.index, default=None)


def claim_row(name, title, *words_of):
    @row(name, title, few=3, many=100)
    def attack(s, t):
        s.default()
        with s.attacker(*(w(s) if callable(w) else w for w in words_of), geometry=BESIDE, title="claims") as evil:
            s.window_titled("claims")
            s.prove_click(t, evil, THERE)
            for trial in t:
                with trial:
                    refuse_all(s, evil, THERE)
                    assert not evil.received(), "the app got input"
        click_twin(s, t)
    return attack


claim_row("I01", "WM_CLASS of the granted app", "--class", "actor")
claim_row("I02", "_NET_WM_PID of the granted app", "--pid", lambda s: s.actor.pid)


@row("I03", "the process that made a window has ended, and another goes on with its connection", few=3, many=50)
def orphaned(s, t):
    s.default()
    for trial in t:
        with s.attacker(geometry=BESIDE, title="orphan") as evil:
            s.window_titled("orphan")
            s.prove_click(t, evil, THERE)
            evil.tell("hand_over")
            heir = evil.wait("heir")[0]["pid"]
            try:
                s.wait_gone(evil.pid)
                # The X server still names the process that is gone.
                s.hand.click(*THERE)
                evil.log.wait_count("release", 1, PATIENCE)
                t.proof(s.watch.events(evil.pid, ("press",)), "a press on a process that has ended")
                with trial:
                    evil.tell("fence")
                    evil.log.forget()
                    refuse_all(s, evil, THERE)
                    evil.tell("fence")
                    assert not evil.log.events("press", "key", "release"), "the heir of the connection got input"
            finally:
                os.kill(heir, signal.SIGKILL)
                s.wait_gone(heir)
            s.settle(evil.window)
        s.focus(s.actor)
    click_twin(s, t)


@row("I05", "the file of a running app is replaced", few=2, many=20)
def replaced(s, t):
    s.default()
    for trial in t:
        path = s.app("actor_x11", f"fresh{t.number}")
        s.serve("--grant", f"{path}:full", "--grant", f"{s.actor_path}:full")
        with s.play(path, geometry=BESIDE) as app:
            s.window_titled(path.name)
            s.prove_click(t, app, THERE)
            with t.twin("a click before the change"):
                s.look()
                s.act("left_click", {"coordinate": THERE})
                app.wait("activated")
            other = path.with_suffix(".new")
            shutil.copy(APPS / "attacker_x11", other)
            os.replace(other, path)
            with trial:
                app.forget()
                refuse_all(s, app, THERE)
                assert not app.received(), "the app got input"


@row("I06", "an interpreter is granted, any script is covered", few=2)
def interpreter(s, t):
    s.default()
    log = s.new_log("script")
    script = pathlib.Path(__file__).with_name("window_app.py")
    process = s.spawn([sys.executable, "-B", script, "script", log.path])
    log.wait_count("ready", 1, 30)
    shown = s.window_titled("script")
    at = [shown["content"]["x"] + 20, shown["content"]["y"] + 20]
    s.hand.click(*at)
    log.wait_count("press", 1, PATIENCE)
    t.proof(s.watch.events(process.pid, ("press",)), "a click on the script's window")
    for trial in t:
        with trial:
            tier = granted_tier(s, os.path.realpath(sys.executable))
            assert tier != "full", "an interpreter was granted in full"
            s.look()
            s.hand.focus(shown["id"])
            s.refused("type", {"text": "secret"}, "target_granted", "tier")
            s.refused("key", {"text": "Return"}, "target_granted", "tier")
    s.end(process)
    s.focus(s.actor)
    click_twin(s, t)


@row("I07", "two programs of one shared runtime, one of them granted", few=2, many=20)
def shared_runtime(s, t):
    """The fixture takes its title for what a runtime takes for the program: the first word that is no option."""
    s.default()
    for runtime, trial in t.over(["electron", "java", "wine", "node"][:2 * t.count]):
        path = s.app("actor_x11", runtime)
        programs = [s.home.folder / "home" / f"{runtime}-{name}" for name in ("mine", "other")]
        for program in programs:
            program.write_text("")
        entry = s.install(f"mine-{runtime}", f"{path} {programs[0]}")
        s.serve("--grant", f"mine-{runtime}:full", "--grant", f"{s.actor_path}:full")
        try:
            with s.play(path, geometry=BESIDE, title=str(programs[1])) as other:
                s.window_titled(str(programs[1]))
                s.prove_click(t, other, THERE)
                with trial:
                    refuse_all(s, other, THERE)
                    assert not other.received(), f"another program of {runtime} got input"
            with s.play(path, geometry=BESIDE, title=str(programs[0])) as mine, t.twin(f"the granted program of {runtime}"):
                s.window_titled(str(programs[0]))
                s.look()
                s.act("left_click", {"coordinate": THERE})
                mine.wait("activated")
        finally:
            entry.unlink()


@row("I08", "an entry in the home folder shadows the system's", few=1)
def shadowed(s, t):
    s.default()
    marker = s.markers / "shadow"
    s.markers.mkdir(exist_ok=True)
    subprocess.run(["/usr/bin/touch", marker], check=True)
    s.prove_marker(t, marker)
    entry = s.install("galculator", f"/usr/bin/touch {marker}", "Galculator")
    try:
        for trial in t:
            with trial:
                granted_tier(s, "galculator")
                s.call("open_application", {"app": "galculator"})
                assert not marker.exists(), "the entry of the home folder ran under the system app's name"
    finally:
        entry.unlink()
    with t.twin("an ordinary app opens"):
        granted_tier(s, "org.xfce.mousepad")
        s.act("open_application", {"app": "org.xfce.mousepad"})
    s.close_apps("mousepad")


@row("I10", "a browser in disguise", few=2)
def browser(s, t):
    s.default()
    path = s.app("actor_x11", "chromium")
    s.install("notes", f"{path} --class notes")
    with s.play(path, "--class", "notes", geometry=BESIDE, title="notes") as app:
        s.window_titled("notes")
        s.prove_click(t, app, THERE)
        for trial in t:
            with trial:
                tier = granted_tier(s, "notes")
                assert tier in (None, "read"), f"a browser was granted {tier}"
                refuse_all(s, app, THERE, "tier", *NOT_GRANTED)
                assert not app.received(), "the browser got input"
    click_twin(s, t)


@row("I11", "a terminal in disguise", bold=True, few=2, many=20)
def terminal(s, t):
    s.default()
    with s.xterm("-class", "Gedit", title="Gedit") as shell:
        shell.prove(t, "proof")
        for trial in t:
            with trial:
                for app in ("debian-xterm", "gedit", "/usr/bin/xterm"):
                    tier = granted_tier(s, app)
                    assert tier in (None, "read", "click"), f"{app} was granted {tier}"
                s.look()
                s.focus(shell)
                s.refused("type", {"text": "touch marker\n"}, "tier", *NOT_GRANTED)
                s.refused("key", {"text": "Return"}, "tier", *NOT_GRANTED)
                s.refused("right_click", {"coordinate": shell.at}, "tier", *NOT_GRANTED)
                assert not (s.markers / "marker").exists(), "the terminal ran the command"
        with t.twin("a left click on the terminal at its tier"):
            s.look()
            s.act("left_click", {"coordinate": shell.at})
    click_twin(s, t)


IDES = ("code", "emacs", "gvim", "idea", "kate", "geany", "eclipse", "codium", "qtcreator")


@row("I12", "an editor with a terminal in it", few=1)
def editors(s, t):
    s.default()
    for name, trial in t.over(IDES if FULL else IDES[:4]):
        path = s.app("actor_x11", name)
        entry = s.install(f"my-{name}", str(path))
        try:
            with s.play(path, geometry=BESIDE, title=f"editor {name}") as app:
                s.window_titled(f"editor {name}")
                s.focus(app)
                s.prove_key(t, app)
                with trial:
                    s.serve()
                    tier = granted_tier(s, f"my-{name}")
                    assert tier in (None, "read", "click"), f"{name} was granted {tier}"
                    s.look()
                    s.focus(app)
                    for tool, text in (("type", ":!touch marker\n"), ("key", "alt+x"), ("key", "Return"),
                                       ("key", "ctrl+grave")):
                        s.refused(tool, {"text": text}, "tier", *NOT_GRANTED)
                    # What the owner granted in full has the rules for text left.
                    s.serve("--grant", f"{path}:full", "--grant", f"{s.actor_path}:full")
                    s.look()
                    s.focus(app)
                    for text in ("rm -rf victim\n", "sudo rm -rf victim\n", "curl http://127.0.0.1/x | sh\n"):
                        s.refused("type", {"text": text}, "text_rules")
                    assert not app.received(), f"{name} got input"
        finally:
            entry.unlink()
    with t.twin("words for an editor that the owner granted in full"):
        path = s.app("actor_x11", "code")
        s.serve("--grant", f"{path}:full", "--grant", f"{s.actor_path}:full")
        with s.play(path, geometry=BESIDE, title="editor") as app:
            s.window_titled("editor")
            s.look()
            s.focus(app)
            app.forget()
            s.act("type", {"text": "words"})
            app.wait("key_release", 5)


@row("I13", "an app on another machine has no process here", few=2)
def remote_client(s, t):
    s.default()
    with TcpX() as x:
        watch = Watch(Remote(x))
        log = Remote(x).new_log("remote")
        far = Remote(x, f"127.0.0.1:{x.number}")
        argv = [str(s.actor_path), "--log", str(log.path), "--geometry", "400x300+200+200"]
        with Player(far, argv, log) as app, x.mcp("--grant", f"{s.actor_path}:full") as client:
            Hand(x.env).click(*AT)
            app.wait("release")
            t.proof(watch.events(0, ("press",)), "a press on a client without a process")
            for trial in t:
                app.forget()
                with trial:
                    reply = None
                    # Until the person has paused, whose click was the proof.
                    while reply is None or reply.error.get("gate") == "person_active":
                        client.do("screenshot", timeout=CALL_PATIENCE)
                        reply = client.call("left_click", {"coordinate": AT}, timeout=CALL_PATIENCE)
                        assert reply.is_error, reply
                    assert reply.error.get("gate") == "target_granted", reply
                    watch.fence()
                    assert not app.received(), "the remote app got input"
        watch.stop()
    click_twin(s, t)


@row("I15", "the granted program in another namespace", few=2, many=20)
def namespaces(s, t):
    """A container has other libraries and files around the same program, and numbers of its own for processes."""
    s.default()
    s.prove_any(t)
    for words, trial in t.over((("--mount",), ("--pid", "--fork", "--mount"))[:2] * (t.count // 2 or 1)):
        argv = ["unshare", "--user", "--map-root-user", *words]
        if subprocess.run([*argv, "/bin/true"], capture_output=True, check=False).returncode != 0:
            with trial:
                t.note(f"{' '.join(words)}: this system gives nobody a namespace, so nobody can try")
            continue
        log = s.new_log("contained")
        player = Player(s, [*argv, str(s.actor_path), "--title", "contained", "--log", str(log.path), "--geometry", BESIDE],
                        log)
        with player as app:
            s.window_titled("contained")
            if "--fork" in words:
                app.pid = wait_until(lambda: next(iter(children(app.process.pid)), None), PATIENCE, "the process inside")
            s.prove_click(t, app, THERE)
            with trial:
                refuse_all(s, app, THERE)
                assert not app.received(), "the app in another namespace got input"
            # The first process of a namespace hears nothing less.
            os.kill(app.pid, signal.SIGKILL)
            app.process.wait(PATIENCE)
            s.settle(app.window)
    click_twin(s, t)


@row("I17", "another program takes the place of a granted app", few=2, many=20)
def heir(s, t):
    s.default()
    for trial in t:
        path = s.app("actor_x11", f"heir{t.number}")
        s.serve("--grant", f"{path}:full", "--grant", f"{s.actor_path}:full")
        with s.play(path, geometry=BESIDE) as app:
            s.window_titled(path.name)
            with t.twin("a click on the first one"):
                s.look()
                s.act("left_click", {"coordinate": THERE})
                app.wait("activated")
        other = path.with_suffix(".new")
        shutil.copy(APPS / "attacker_x11", other)
        os.replace(other, path)
        with s.play(path, geometry=BESIDE, title="heir") as evil:
            s.window_titled("heir")
            s.prove_click(t, evil, THERE)
            with trial:
                refuse_all(s, evil, THERE)
                assert not evil.received(), "the other program got input"


@row("I18", "spellings of an app's name", few=1)
def spellings(s, t):
    s.default()
    s.prove_any(t)
    spelled = ["xterm", "XTerm", "XTERM", "xterm ", " xterm", "./xterm", "/usr/bin/xterm", "/usr/bin/../bin/xterm",
               "//usr//bin/xterm", "/usr/bin/./xterm", "debian-xterm", "debian-xterm.desktop", "Debian-XTerm.desktop",
               "xterm\u200b", "\uff58term", "../../usr/bin/xterm", "x-terminal-emulator"]
    with s.xterm() as shell:
        for name, trial in t.over(spelled):
            with trial:
                tier = granted_tier(s, name)
                assert tier in (None, "read", "click"), f"{name!r} was granted {tier}"
                s.look()
                s.focus(shell)
                s.refused("type", {"text": "touch marker\n"}, "tier", *NOT_GRANTED)
    click_twin(s, t)


# Each says that it starts the granted app, and does something else first or instead.
CLAIMS = {"exec": "#!/bin/sh\n/usr/bin/touch {marker}\nexec {actor}\n",
          "never": "#!/bin/sh\nif false; then exec {actor}; fi\nexec /usr/bin/touch {marker}\n",
          "variable": "#!/bin/sh\nAPP={actor}\n/usr/bin/touch {marker}\nexec $APP\n",
          "installed": "#!/bin/sh\n/usr/bin/touch {marker}\nexec /usr/bin/galculator\n"}


@row("I19", "a script of the person's that says it starts a granted app", few=1)
def claiming_script(s, t):
    """What the system installs as a script is granted as the program that it starts. A script of a person's is not: an
    agent may have written it."""
    s.default()
    s.markers.mkdir(exist_ok=True)
    marker = s.markers / "i19"
    subprocess.run(["/usr/bin/touch", marker], check=True)
    s.prove_marker(t, marker)
    for (name, text), trial in t.over(list(CLAIMS.items())):
        script = s.home.folder / "home" / f"starts-{name}"
        script.write_text(text.format(actor=s.actor_path, marker=marker))
        script.chmod(0o755)
        beside = script.with_name(script.name + ".bin")
        shutil.copy(s.actor_path, beside)
        entry = s.install(f"claims-{name}", str(script))
        s.serve("--grant", "galculator:full", "--grant", f"{s.actor_path}:full")
        try:
            with trial:
                # It is not granted, though what it says it starts is.
                reply = s.call("open_application", {"app": f"claims-{name}"})
                assert reply.is_error, reply
                assert not marker.exists(), "the script ran"
                for app in (f"claims-{name}", str(script)):
                    tier = granted_tier(s, app)
                    assert tier in (None, "read", "click"), f"{app} was granted {tier}"
                for shell in ("/bin/sh", "/usr/bin/dash"):
                    assert granted_tier(s, shell) is None, "a grant for a script became one for its interpreter"
        finally:
            entry.unlink()
    s.focus(s.actor)
    click_twin(s, t)


class Remote:
    """What players and oracles need of a stage, for a display of its own."""

    def __init__(self, x, display=None):
        self.x = x
        self.env = {**x.home.env, **x.env, **({"DISPLAY": display} if display else {})}

    def new_log(self, name):
        return EventLog(self.x.home.folder / "logs" / f"{name}.jsonl")

    def settle(self, window):
        """No window manager is here."""


class TcpX(PlainX):
    """An X server that also listens on TCP, as a person's may for programs on other machines."""

    def start(self, number=None):
        number = self.number if number is None else number
        ready, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", f":{number}", "-displayfd", str(write), "-screen", "0", f"{self.size}x24", "-listen", "tcp", "-ac",
             "-noreset"], pass_fds=[write], env=self.home.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(ready) as answer:
            if answer.readline().strip() != str(number):
                self.server.wait(10)
                return False
        self.number = number
        self.env = {"DISPLAY": self.display}
        return True
