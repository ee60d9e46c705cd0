"""The end of a turn: by itself after a while, by leaving, by giving the desktop back. Everything is as before then:
windows with their order and the focus, clipboards with every format, keys, buttons, keyboard map, lock."""
import contextlib
import ctypes
import json
import subprocess
import time

from support import xlib
from support.desk import HANDRAIL, gone, wait_until

from security.harness import CALL_PATIENCE, PATIENCE, row
from security import server_support as sup
from security.rows_support import Person, count_colour
from security.scene import AT, CLICKED, HIDE, LENT, Scene, prove_picture


@contextlib.contextmanager
def scene_of(s, t):
    with contextlib.ExitStack() as closing:
        scene = Scene(s, closing)
        prove_picture(s, t, scene)
        yield scene
        s.end_server()


def traces(s):
    """Hidden windows, lent keys, an empty clipboard."""
    for tool, arguments in (("left_click", {"coordinate": AT}), ("type", {"text": LENT[:8]}),
                            ("left_click", {"coordinate": CLICKED})):
        s.act(tool, arguments)


def free_for_others(s):
    with sup.second(s, "--grant", f"{s.actor_path}:full") as other:
        sup.acts(s, other, "another server after the end of the turn")


@row("L21", "an agent that falls silent", few=2, many=20)
def idle(s, t):
    with scene_of(s, t) as scene:
        for trial in t:
            with trial:
                client = scene.serve(config=HIDE + "idle_seconds = 2\n")
                traces(s)
                s.act("left_click", {"coordinate": AT})
                s.act("left_mouse_down")
                scene.back("the desktop of a silent agent")
                free_for_others(s)
                assert client.process.poll() is None
        with t.twin("the agent comes back"):
            s.look()
            s.act("left_click", {"coordinate": AT})
            s.actor.wait("activated")


@row("L25", "an agent that only looked and falls silent", few=1, many=20)
def idle_look(s, t):
    with scene_of(s, t) as scene:
        for trial in t:
            with trial:
                scene.serve(config=HIDE + "idle_seconds = 1\n")
                scene.back("the desktop after a look")
        with t.twin("the agent comes back"):
            s.look()
            s.act("left_click", {"coordinate": AT})


@row("L22", "an agent that leaves, also in the middle of its work", few=2, many=50)
def disconnected(s, t):
    with scene_of(s, t) as scene:
        for trial in t:
            with trial:
                client = scene.serve()
                traces(s)
                if t.number % 2:
                    s.act("left_click", {"coordinate": AT})
                    client.start_call("hold_key", {"text": "shift", "duration": 30})
                    wait_until(lambda: s.desk.idle_state()["pressed"], PATIENCE, "the key")
                client.process.stdin.close()
                wait_until(lambda: gone(client.process.pid), PATIENCE * 2, "the end of the server")
                client.wait_exit(PATIENCE, check=False)
                scene.back("the desktop after the agent has left")
                free_for_others(s)
        with t.twin("a new agent"):
            scene.serve()
            s.act("left_click", {"coordinate": AT})


@row("L23", "giving back what is one's own, and nobody else's", few=1, many=20)
def released(s, t):
    with scene_of(s, t) as scene:
        for trial in t:
            with trial:
                scene.serve()
                traces(s)
                away = sup.picture(s)["windows"]
                sup.handrail(s, "do", "release", "--desktop", s.desk.name, check=False)
                assert sup.picture(s)["windows"] == away, "another's release gave the windows back"
                with sup.second(s, "--grant", f"{s.actor_path}:full") as other:
                    sup.kept_out(s, other)
        with t.twin("release in the middle of a batch"):
            s.end_server()
            scene.serve()
            s.end_server()
            scene.back("the desktop before the batch")
            # Long enough to be seen from outside, on a slow machine too.
            steps = [{"action": "click", "params": {"at": AT}}, {"action": "click", "params": {"at": CLICKED}},
                     {"action": "wait", "params": {"duration": 4}}, {"action": "release"},
                     {"action": "wait", "params": {"duration": 60}}]
            log = s.home.folder / "logs" / "batch.txt"
            with open(log, "wb") as out:
                run = subprocess.Popen([HANDRAIL, "do", "batch", "--desktop", s.desk.name, "--grant",
                                        f"{s.actor_path}:full", "--grant", f"{scene.clicker}:click", "--steps",
                                        json.dumps(steps)], env=s.home.env, stdin=subprocess.DEVNULL, stdout=out,
                                       stderr=subprocess.STDOUT, start_new_session=True)
            try:
                wait_until(lambda: any(not shown for _, shown in sup.picture(s)["windows"]) or run.poll() is not None,
                           PATIENCE, "hidden windows")
                scene.back("the desktop after release")
                assert run.poll() is None, f"the batch has ended: {log.read_text()}"
                free_for_others(s)
            finally:
                s.end(run)


@row("L24", "the person is told when an agent comes and leaves", few=1, many=10)
def told(s, t):
    s.default()
    s.end_server()
    log = s.home.folder / "logs" / "bus.txt"
    with open(log, "wb") as out:
        monitor = subprocess.Popen(["dbus-monitor", "--session", "interface='org.freedesktop.Notifications'"],
                                   env=s.env, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL)
    try:
        def told_of(member):
            return log.read_text(errors="replace").count(f"member={member}")

        def send(member):
            subprocess.run(["dbus-send", "--session", "--type=method_call", "--dest=org.freedesktop.Notifications",
                            "/org/freedesktop/Notifications", f"org.freedesktop.Notifications.{member}"], env=s.env,
                           check=True, timeout=PATIENCE)

        def proven():
            send("Notify")
            return told_of("Notify")

        def notified():
            """Everything that was sent until now is counted."""
            before = told_of("Fence")
            send("Fence")
            wait_until(lambda: told_of("Fence") > before, PATIENCE, "the fence of the bus")
            return told_of("Notify")
        t.proof(wait_until(proven, PATIENCE, "a message on the bus"), "a notification")
        for trial in t:
            with trial:
                before = notified()
                with sup.on_own_desktop(s, "--grant", f"{s.actor_path}:full") as client:
                    sup.acts(s, client)
                    wait_until(lambda: notified() > before, PATIENCE, "the word that an agent is here")
                    before = notified()
                    client.close(timeout=PATIENCE * 2, check=False)
                wait_until(lambda: notified() > before, PATIENCE, "the word that the agent has left")
        with t.twin("nobody is told on a desktop of nobody's"):
            before = notified()
            s.default()
            sup.acts(s, s.client)
            s.end_server()
            assert notified() == before
    finally:
        s.end(monitor)


LONG = "abcdefghij" * 2000


@row("L26", "a person takes the mouse in the middle of typing", few=2, many=100)
def person_comes(s, t):
    s.default()
    s.prove_key(t, s.actor)
    person = Person(s.desk.env)
    for trial in t:
        # Until the person has paused for long enough.
        s.act("mouse_move", {"coordinate": [400, 380]})
        s.focus(s.actor)
        s.actor.forget()
        with trial:
            typing = s.client.start_call("type", {"text": LONG})
            # Not behind a fence, which would come after all of the keys.
            wait_until(lambda: s.actor.log.events("key") or s.client.has_answer(typing), PATIENCE, "a key")
            person.move(410, 390)
            reply = s.client.finish_call(typing, "type", CALL_PATIENCE)
            arrived = len(s.actor.received("key"))
            assert reply.error.get("gate") == "person_active", f"{arrived} keys arrived, and: {reply}"
            assert reply.error["side_effects"] == "partial", reply
            assert 0 < arrived < len(LONG), f"{arrived} keys arrived"
            assert not s.desk.idle_state()["pressed"], "a key is down"
    with t.twin("typing while nobody else does anything"):
        s.focus(s.actor)
        s.actor.forget()
        s.act("type", {"text": "abcdefghij"})
        wait_until(lambda: len(s.actor.received("key_release")) >= 10, PATIENCE, "10 keys")


@row("L27", "a person takes the mouse or the keyboard while a key is held", few=4, many=100)
def person_comes_to_a_held_key(s, t):
    s.default()
    s.prove_key(t, s.actor)
    person = Person(s.desk.env)
    slowest = 0.0
    for trial in t:
        s.act("mouse_move", {"coordinate": [400, 380]})
        s.focus(s.actor)
        s.actor.forget()
        # A modifier does not repeat, so nothing but the person ends it.
        held = ("a", "shift")[t.number % 2]
        with trial:
            holding = s.client.start_call("hold_key", {"text": held, "duration": 30})
            wait_until(lambda: s.actor.log.events("key") or s.client.has_answer(holding), PATIENCE, "the key")
            assert not s.client.has_answer(holding), s.client.finish_call(holding, "hold_key")
            came = time.monotonic()
            person.move(410 + t.number % 7, 390)
            reply = s.client.finish_call(holding, "hold_key", CALL_PATIENCE)
            slowest = max(slowest, time.monotonic() - came)
            assert reply.error.get("gate") == "person_active", reply
            assert reply.error["side_effects"] == "partial", reply
            assert "have been released" in reply.text, reply.text
            assert not s.desk.idle_state()["pressed"], "a key is down"
    t.note(f"from the person's first event to the answer {slowest * 1000:.0f} ms at most, of a hold of 30 s")
    with t.twin("a held key while nobody else does anything"):
        s.focus(s.actor)
        s.actor.forget()
        s.act("hold_key", {"text": "a", "duration": 0.2})
        wait_until(lambda: s.actor.received("key_release"), PATIENCE, "the release")


@row("L29", "a person comes while an earlier call has left a button down", few=2, many=100)
def person_comes_to_a_button(s, t):
    s.default()
    person = Person(s.desk.env)
    x, y = 400, 380
    for trial in t:
        s.act("mouse_move", {"coordinate": [x, y]})
        s.focus(s.actor)
        s.act("left_mouse_down")
        t.proof(s.desk.idle_state()["buttons"], "the button is down")
        with trial:
            person.move(x + 10 + t.number % 7, y + 10)
            wait_until(lambda: not s.desk.idle_state()["buttons"], PATIENCE, "the button to be let go of")
    with t.twin("a button that is held while nobody comes"):
        s.act("mouse_move", {"coordinate": [x, y]})
        s.act("left_mouse_down")
        assert s.desk.idle_state()["buttons"]
        s.act("left_mouse_up")
        assert not s.desk.idle_state()["buttons"]


HOST = 0xFE01BA


@contextlib.contextmanager
def host_terminal(s):
    """A window of this very process, which has started the server as a terminal would."""
    with xlib._display(s.desk.env) as (x11, display):
        x11.XDefaultRootWindow.restype = x11.XCreateSimpleWindow.restype = ctypes.c_ulong
        root = ctypes.c_ulong(x11.XDefaultRootWindow(display))
        window = ctypes.c_ulong(x11.XCreateSimpleWindow(display, root, 800, 500, 300, 200, 0, ctypes.c_ulong(0),
                                                        ctypes.c_ulong(HOST)))
        x11.XStoreName(display, window, b"host")
        x11.XMapWindow(display, window)
        x11.XSync(display, 0)
        s.window_titled("host")
        yield
        x11.XDestroyWindow(display, window)
    s.settle(window.value)


@row("L28", "hiding the others leaves the terminal that the agent runs in", few=1, many=20)
def host_stays(s, t):
    s.default()

    def shown(title):
        return next(w for w in s.desk.state()["windows"] if w["title"] == title)["viewable"]
    with host_terminal(s), s.attacker(title="private", geometry="300x200+800+100") as other:
        s.window_titled("private")
        other.tell("unmap")
        t.proof("private" not in {w["title"] for w in s.desk.state()["windows"] if w["viewable"]}, "a window away")
        other.tell("map")
        s.window_titled("private")
        for trial in t:
            s.serve("--grant", f"{s.actor_path}:full", config=HIDE)
            s.focus(s.actor)
            with trial:
                reply = s.act("screenshot")
                wait_until(lambda: not shown("private"), PATIENCE, "the private window away")
                assert shown("host"), "the host terminal was minimised"
                count = count_colour(reply.image, (HOST >> 16, HOST >> 8 & 255, HOST & 255), 30)
                assert count == 0, f"{count} pixels of the host terminal are in the picture"
            s.end_server()
            wait_until(lambda: shown("private"), PATIENCE, "the private window back")
    with t.twin("a key afterwards"):
        s.default()
        sup.acts(s, s.client)
