"""The server is killed at any moment of its work: what it had done to the desktop is undone. A desktop is compared with
itself before: keys, buttons, keyboard map, windows, their order, focus, clipboards with every format."""
import contextlib
import os
import random
import signal
import subprocess
import time

from support import xlib
from support.desk import APPS, wait_until

from security.harness import CALL_PATIENCE, PATIENCE, SEED, row
from security import server_support as sup
from security.scene import AT, CLICKED, LENT, Scene, prove_picture


@row("R01", "the server is killed with keys and buttons down", bold=True, few=3, many=500)
def killed(s, t):
    chance = random.Random(SEED)
    slowest = 0.0
    with contextlib.ExitStack() as closing:
        scene = Scene(s, closing)
        prove_picture(s, t, scene)
        scene.serve()
        with t.twin("the whole work, unharmed"):
            began = time.monotonic()
            for number, tool in scene.work():
                reply = s.client.finish_call(number, tool, CALL_PATIENCE)
                assert not reply.is_error, f"{tool}: {reply.text}"
            usual = time.monotonic() - began
        s.end_server()
        scene.back("the desktop after an orderly end")
        closing.enter_context(s.unwatched())
        for trial in t:
            with trial:
                client = scene.serve()
                scene.work()
                time.sleep(chance.random() * usual)
                client.process.kill()
                client.wait_exit(PATIENCE, check=False)
                slowest = max(slowest, scene.back("the desktop after a kill"))
    t.note(f"the whole work takes {usual:.2f} s; slowest restore {slowest:.2f} s")


@row("R04", "the guardian is killed while it restores", few=2, many=300)
def guardian_killed(s, t):
    chance = random.Random(SEED)
    slowest = 0.0
    with contextlib.ExitStack() as closing:
        scene = Scene(s, closing)
        prove_picture(s, t, scene)
        with s.unwatched():
            for trial in t:
                with trial:
                    client = scene.serve()
                    scene.work()
                    time.sleep(chance.random() * 2)
                    wait_until(lambda: len(sup.guardians(client.process.pid)) == 2, PATIENCE,
                               lambda: f"a guardian and its stand-in: {sup.guardians(client.process.pid)}")
                    guards = sup.guardians(client.process.pid)
                    client.process.kill()
                    time.sleep(chance.random() * 0.06)
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(guards[0], signal.SIGKILL)
                    client.wait_exit(PATIENCE, check=False)
                    slowest = max(slowest, scene.back("the desktop after the kill of both"))
        t.note(f"slowest restore {slowest:.2f} s")
        with t.twin("a server that lost its guardian goes on with the stand-in"):
            client = scene.serve()
            s.act("left_click", {"coordinate": AT})
            guard = sup.guardians(client.process.pid)[0]
            os.kill(guard, signal.SIGKILL)
            sup.wait_gone(guard)
            s.act("key", {"text": "b"})
            client.process.kill()
            client.wait_exit(PATIENCE, check=False)
            scene.back("the desktop after a kill")


@row("R02", "the server is killed while windows are hidden", bold=True, few=2, many=500)
def killed_hiding(s, t):
    chance = random.Random(SEED)
    with contextlib.ExitStack() as closing:
        scene = Scene(s, closing)
        prove_picture(s, t, scene)
        for trial in t:
            with trial:
                client = scene.serve()
                if t.number % 2:
                    # In the middle of hiding: another window has come.
                    with s.play(s.attacker_path, title="late", geometry="100x100+900+300") as late:
                        s.window_titled("late")
                        number = client.start_call("left_click", {"coordinate": AT})
                        time.sleep(chance.random() * 0.05)
                        client.process.kill()
                        client.wait_exit(PATIENCE, check=False)
                        wait_until(lambda: all(w["viewable"] for w in s.desk.state()["windows"]), sup.RESTORE_PATIENCE,
                                   f"every window after call {number}")
                        assert not late.process.poll()
                    s.focus(scene.person)
                    scene.before.pop("focus", None)
                else:
                    away = [w["title"] for w in s.desk.state()["windows"] if not w["viewable"]]
                    t.proof(len(away) >= 3, f"windows were not hidden: {away}")
                    client.process.kill()
                    client.wait_exit(PATIENCE, check=False)
                scene.back("the windows after a kill")
        with t.twin("hiding and an orderly end"):
            scene.serve()
            s.act("left_click", {"coordinate": AT})
            s.end_server()
            scene.back("the windows after the end")


@row("C08", "the server is killed while it keeps the clipboard", few=2, many=100)
def killed_guarding(s, t):
    with contextlib.ExitStack() as closing:
        scene = Scene(s, closing)
        prove_picture(s, t, scene)
        for trial in t:
            with trial:
                client = scene.serve()
                s.act("left_click", {"coordinate": CLICKED})
                for clip in scene.clips:
                    assert set(clip.read().values()) == {None}, f"the clicked app could read {clip.read()}"
                client.process.kill()
                client.wait_exit(PATIENCE, check=False)
                scene.back("the clipboard after a kill")
        with t.twin("the clipboard after an orderly end"):
            scene.serve()
            s.act("left_click", {"coordinate": CLICKED})
            s.end_server()
            scene.back("the clipboard after the end")


@row("K15", "the server is killed while keys are lent", few=2, many=200)
def killed_lending(s, t):
    chance = random.Random(SEED)
    s.default()
    before = sup.picture(s)["map"]
    xlib.set_layout(s.desk, "de")
    t.proof(sup.picture(s)["map"] != before, "another keyboard map")
    xlib.set_layout(s.desk, "us")
    lent = 0
    for trial in t:
        with trial:
            s.default()
            s.client.tools()
            before = sup.picture(s)
            sup.await_pause(s)
            s.client.start_call("type", {"text": LENT * 10})
            s.actor.wait("key")
            time.sleep(chance.random() * 0.3)
            s.client.process.send_signal(signal.SIGSTOP)
            s.client.process.kill()
            s.client.wait_exit(PATIENCE, check=False)
            keys = [e["detail"] for e in s.watch.events(kinds=("key",))]
            lent += bool(keys)
            sup.wait_picture(s, before, what="the keyboard map after a kill")
    with t.twin("typing the same without a kill"):
        s.default()
        before = sup.picture(s)
        s.act("type", {"text": LENT})
        sup.wait_picture(s, before, what="the keyboard map after typing")


def display_answers(s, patience):
    run = subprocess.Popen([APPS / "desk_state"], env=s.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        return run.wait(patience) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        s.end(run)


@row("R03", "the server is stopped inside a grab of the display", few=4, many=300)
def stopped_in_grab(s, t):
    chance = random.Random(SEED)
    s.default()
    with xlib._display(s.env) as (x11, display):
        x11.XGrabServer(display)
        x11.XSync(display, 0)
        t.proof(not display_answers(s, 1), "a display that is grabbed")
        x11.XUngrabServer(display)
    ended = 0
    for trial in t:
        with trial:
            s.default()
            s.client.tools()
            sup.await_pause(s)
            number = s.client.start_call("type", {"text": "abc" * 5000})
            try:
                s.actor.wait("key")
            except TimeoutError:
                raise AssertionError(f"no key came: {s.client.finish_call(number, 'type', CALL_PATIENCE)}") from None
            time.sleep(chance.random() * 0.02)
            pid = s.client.process.pid
            with sup.stopped(pid):
                assert display_answers(s, sup.RESTORE_PATIENCE), "the display hangs with a stopped server"
                ended += s.client.process.poll() is not None
            if s.client.process.poll() is None:
                s.client.cancel(number)
                sup.kill(s.client)
            wait_until(lambda: s.desk.idle_state()["pressed"] == [], sup.RESTORE_PATIENCE, "all keys up")
    t.note(f"{ended} of {t.done} were inside a grab and were ended")
    with t.twin("typing after it"):
        s.default()
        sup.acts(s, s.client)
