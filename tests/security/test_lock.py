"""Who controls the desktop, and who stops it: the lock, the claim on the display, the off switch."""
import json
import os
import pathlib
import random
import signal
import subprocess
import time

from support.desk import FULL, HANDRAIL, gone, wait_until

from security.harness import CALL_PATIENCE, PATIENCE, SEED, row
from security import server_support as sup
from security.server_support import RESTORE_PATIENCE

AT = [350, 330]
FAR = [560, 460]
LONG = "".join(chr(97 + i % 26) for i in range(60000))
PATH = [[250 + 13 * i % 300, 260 + 7 * i % 200] for i in range(100)]
# Starts a long act; the log of the app tells that it goes on.
ACTS = {
    "type": ("type", {"text": LONG}, ("key",), 5),
    "drag": ("left_click_drag", {"start_coordinate": AT, "coordinate": FAR, "path": PATH}, ("press",), 1),
    "hold": ("hold_key", {"text": "a", "duration": 20}, ("key",), 1),
    "short hold": ("hold_key", {"text": "a", "duration": 3}, ("key",), 1),
    "batch": ("computer_batch",
              {"actions": [{"action": "key", "text": "a"}, {"action": "wait", "duration": 0.1}] * 3
               + [{"action": "key", "text": "a"}, {"action": "wait", "duration": 2}] * 7}, ("key",), 3),
}


def under_way(s, kind):
    tool, arguments, kinds, least = ACTS[kind]
    s.actor.forget()
    number = s.client.start_call(tool, arguments)
    wait_until(lambda: len(s.actor.log.events(*kinds)) >= least or s.client.has_answer(number), PATIENCE,
               f"the begin of {tool}")
    assert not s.client.has_answer(number), f"{tool} ended early: {s.client.finish_call(number, tool)}"
    return number, tool



EVENTS = ("press", "release", "key", "key_release", "motion")


@row("L16", "stop in the middle of type, drag, hold and batch", bold=True, few=4, many=500)
def stop_now(s, t):
    s.default()
    s.client.tools()
    s.prove_any(t)
    chance = random.Random(SEED)
    by_socket, by_command, let_go_late, done_before = [], [], 0, 0
    for trial in t:
        kind = ("type", "drag", "hold", "batch")[t.number % 4]
        commanded = (t.number + t.number // 4) % 2
        with trial:
            s.focus(s.actor)
            s.look()
            s.watch.mark()
            number, tool = under_way(s, kind)
            time.sleep(chance.random() * 0.1)
            if commanded:
                sent = time.monotonic()
                sup.handrail(s, "stop")
                answered = time.monotonic()
            else:
                sent, answered = sup.tell(s, s.client.process.pid, "stop", "a test")
            reply = s.client.finish_call(number, tool, CALL_PATIENCE)
            events = s.watch.events(kinds=EVENTS)
            sup.resume(s)
            s.idle()
            late = [e for e in events if sup.server_time(e) > answered]
            wrong = [e for e in late if e["event"] in sup.DOWN]
            assert not wrong, f"{tool} went on after the answer: {len(wrong)} events, {wrong[:2]}"
            let_go_late += len(late)
            last = max(sup.server_time(e) for e in events)
            if not reply.is_error:
                # The command was slower than the typing.
                assert last <= answered, f"{tool} was told as done: {reply.text}"
                done_before += 1
                continue
            assert reply.error.get("gate") == "kill_switch" and "handrail resume" in reply.text, reply.text
            assert "a person called `handrail stop`" in reply.text or not commanded, reply.text
            (by_command if commanded else by_socket).append(max(0.0, (last - sent) * 1000))
    t.note(f"word at the socket to last event, ms: {sup.percentiles(by_socket)}")
    t.note(f"start of the command to last event, ms: {sup.percentiles(by_command)}")
    t.note(f"{let_go_late} keys and buttons were let go after the answer; {done_before} acts were done before it")
    assert done_before * 4 <= t.done, f"{done_before} of {t.done} acts were too short to be stopped"
    with t.twin("a key after resume"):
        sup.acts(s, s.client)


@row("L01", "the lock file is a link to a file of the person's", few=2, many=20)
def linked(s, t):
    s.default()
    sup.let_go(s)
    precious = s.home.folder / "precious"
    lock = sup.lock_file(s)
    for trial in t:
        kind = ("link", "hard")[t.number % 2]
        with trial:
            plant(precious, "keep me\n")
            lock.unlink(missing_ok=True)
            if kind == "link":
                lock.symlink_to(precious)
            else:
                lock.hardlink_to(precious)
            with sup.second(s) as client:
                s.focus(s.actor)
                s.watch.mark()
                reply = sup.call(client, "key", {"text": "b"})
                assert reply.is_error, f"a linked lock file was taken: {reply.text}"
                s.quiet("a call without a lock")
            assert precious.read_text() == "keep me\n", "the file behind the link was changed"
    lock.write_text("changed\n")
    t.proof(precious.read_text() != "keep me\n", "a change through the link")
    lock.unlink()
    with t.twin("an act without the link"), sup.second(s) as client:
        sup.acts(s, client)


def plant(path, text):
    path.write_text(text)
    path.chmod(0o600)


def foreign_holders():
    started = int(pathlib.Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
    boot = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    ours = {"sessionId": "old", "pid": os.getpid(), "started": started, "boot": boot, "acquiredAt": "then", "token": 3}
    return [ours, {**ours, "started": started - 1}, {**ours, "pid": 1}, {**ours, "boot": "another"},
            {**ours, "pid": 4000000}]


@row("L02", "a stale lock names a living process that is not its holder")
def reused_pid(s, t):
    s.default()
    s.prove_any(t)
    for holder, trial in t.over(foreign_holders() if FULL else foreign_holders()[:3]):
        with trial:
            sup.let_go(s)
            plant(sup.lock_file(s), json.dumps(holder) + "\n")
            with sup.second(s) as client:
                sup.acts(s, client, f"a server beside the stale lock {holder}")
    with t.twin("an act with a lock that nobody wrote"), sup.second(s) as client:
        sup.acts(s, client)


@row("L03", "a stopped holder wakes up after another took over", bold=True, few=2, many=200)
def resumed_holder(s, t):
    s.default()
    s.prove_any(t)
    sup.let_go(s)
    chance = random.Random(SEED)
    killed = 0
    for trial in t:
        with trial, sup.second(s) as holder:
            s.focus(s.actor)
            holder.tools()
            holder.do("screenshot", timeout=CALL_PATIENCE)
            s.watch.mark()
            tool, arguments, kinds, least = ACTS[("type", "short hold", "drag")[t.number % 3]]
            s.actor.forget()
            number = holder.start_call(tool, arguments)
            wait_until(lambda: len(s.actor.log.events(*kinds)) >= least or holder.has_answer(number), PATIENCE,
                       f"the begin of {tool}")
            time.sleep(chance.random() * 0.02)
            with sup.stopped(holder.process.pid):
                assert not holder.has_answer(number), f"{tool} ended early"
                with sup.second(s) as heir:
                    wait_until(lambda: not sup.call(heir, "key", {"text": "b"}).is_error, RESTORE_PATIENCE,
                               "the other server's turn")
                    s.watch.mark()
                    os.kill(holder.process.pid, signal.SIGCONT)
                    wait_until(lambda: holder.has_answer(number) or holder.process.poll() is not None, CALL_PATIENCE,
                               "the end of the old holder's act")
                    killed += holder.process.poll() is not None
                    events = s.watch.events(kinds=("press", "key", "motion"))
                    assert not events, f"the resumed holder sent {len(events)} events: {events[:3]}"
                    if holder.process.poll() is None:
                        sup.kept_out(s, holder, "the resumed holder")
            s.idle()
    t.note(f"{killed} holders were ended because they were stopped inside a grab of the server")
    with t.twin("a holder that was stopped for a moment goes on"), sup.second(s) as client:
        sup.acts(s, client)
        with sup.stopped(client.process.pid):
            wait_until(lambda: sup.state_letter(client.process.pid) == "T", PATIENCE, "the stop")
        sup.acts(s, client)


@row("L05", "the lock file is removed or replaced while it is held", few=4, many=100)
def removed(s, t):
    s.default()
    s.prove_any(t)
    lock = sup.lock_file(s)
    with sup.second(s) as other:
        for trial in t:
            kind = ("unlinked", "replaced", "moved", "folder")[t.number % 4]
            with trial:
                sup.acts(s, s.client)
                lock.unlink()
                if kind == "replaced":
                    plant(lock, "{}")
                elif kind == "moved":
                    draft = lock.with_suffix(".draft")
                    plant(draft, json.dumps(foreign_holders()[0]))
                    draft.rename(lock)
                elif kind == "folder":
                    lock.mkdir()
                s.focus(s.actor)
                s.watch.mark()
                reply = sup.call(other, "key", {"text": "b"})
                assert reply.is_error, f"two holders after the file was {kind}: {reply.text}"
                s.quiet("the second server")
                if kind == "folder":
                    lock.rmdir()
                sup.acts(s, s.client, "the holder")
    with t.twin("the holder acts on"):
        sup.acts(s, s.client)


@row("L06", "another home on the same display", few=2, many=20)
def other_home(s, t):
    s.default()
    s.prove_any(t)
    for trial in t:
        with trial, sup.stranger(s) as client:
            s.default()
            sup.acts(s, s.client)
            sup.kept_out(s, client, "a server of another home")
    with t.twin("the other home when the desktop is free"), sup.stranger(s) as client:
        sup.let_go(s)
        sup.acts(s, client)


HELD_KEYS = "abcdefghijklmnopqrstuvwxyz0123456789"


@row("L07", "many contenders at once", few=2, many=100)
def contenders(s, t):
    s.default()
    s.prove_any(t)
    sup.let_go(s)
    count = 30 if FULL else 4
    won = 0
    for trial in t:
        with trial:
            s.focus(s.actor)
            s.actor.forget()
            runs = [subprocess.Popen([HANDRAIL, "do", "hold_key", "--desktop", s.desk.name, "--grant",
                                      f"{s.actor_path}:full", "--keys", key, "--duration", "0.2"],
                                     env=s.home.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL, start_new_session=True) for key in HELD_KEYS[:count]]
            codes = [run.wait(RESTORE_PATIENCE * 4) for run in runs]
            won += codes.count(0)
            down = set()
            for event in s.actor.received("key", "key_release"):
                (down.add if event["event"] == "key" else down.discard)(event["keycode"])
                assert len(down) <= 1, f"two held keys at once: {down}"
            assert codes.count(0) >= 1, f"nobody got the desktop: {codes}"
    s.focus(s.actor)
    s.actor.forget()
    s.hand.down("a", "b")
    s.hand.up("a", "b")
    t.proof(len({e["keycode"] for e in s.actor.received("key")}) == 2, "two keys at once")
    t.note(f"{won} holders one after the other")
    with t.twin("one alone"), sup.second(s) as client:
        sup.acts(s, client)


@row("L08", "nonsense in the lock file", few=1)
def nonsense(s, t):
    s.default()
    s.prove_any(t)
    lock = sup.lock_file(s)
    numbers = [{"sessionId": "x", "pid": pid, "started": 1, "token": token}
               for pid, token in ((-1, 1), (0, 0), (1, -1), (2**31, 2**64), ("1", None))]
    contents = [b"", b"\0\xff\xfe" * 300, b"[" * 4000, b"{}", *(json.dumps(n).encode() for n in numbers), None]
    with sup.second(s) as other:
        sup.acts(s, s.client)
        for content, trial in t.over(contents):
            with trial:
                spoil(lock, content)
                sup.kept_out(s, other, f"the second server with {str(content)[:40]} in the file")
                sup.acts(s, s.client, "the holder")
    for content, trial in t.over(contents if FULL else contents[1::8]):
        with trial:
            sup.let_go(s)
            spoil(lock, content)
            with sup.second(s) as client:
                sup.acts(s, client, f"a server that finds {str(content)[:40]}")
    lock.unlink()
    with t.twin("an act with a new file"), sup.second(s) as client:
        sup.acts(s, client)


def spoil(lock, content):
    """None: a file of a gigabyte without blocks."""
    with open(lock, "r+b") as file:
        file.truncate(0)
        if content is None:
            file.truncate(2**30)
        else:
            file.write(content)


@row("L10", "a launched app outlives the server that held the lock", bold=True, few=2, many=50)
def inherited(s, t):
    s.default()
    s.prove_any(t)
    child = s.app("actor_x11", "child")
    log = s.new_log("child")
    s.install("child-app", f"{child} --title child --geometry 200x100+900+500 --log {log.path}")
    for trial in t:
        with trial:
            s.serve("--grant", f"{s.actor_path}:full", "--grant", "child-app:full")
            s.act("open_application", {"app": "child-app"})
            pid = log.wait_count("ready", t.number + 1, PATIENCE)[-1]["pid"]
            sup.acts(s, s.client)
            sup.kill(s.client)
            assert not gone(pid), "the app is gone"
            held = [os.readlink(f) for f in pathlib.Path(f"/proc/{pid}/fd").iterdir()]
            assert not [f for f in held if "handrail" in f], f"the app has {held}"
            with sup.second(s) as heir:
                sup.acts(s, heir, "a server after the death of the holder")
            assert not gone(pid), "the app is gone"
            os.kill(pid, signal.SIGTERM)
            s.wait_gone(pid)
    with t.twin("an act of a new server"):
        s.default()
        sup.acts(s, s.client)


@row("L11", "settings and grants are changed under a running server", few=1)
def widened(s, t):
    s.default()
    at = [900, 480]
    with s.attacker(geometry="200x150+800+400") as evil:
        s.window_titled("attacker")
        s.prove_click(t, evil, at)
        wider = f'[[grants]]\napp = "{s.attacker_path}"\ntier = "full"\n'
        store = sup.state_folder(s)
        forged = json.dumps({"counter": 2**40, "grants": [{"app": str(s.attacker_path), "tier": "full",
                                                           "persist": "always", "executable": str(s.attacker_path)}]})
        def config():
            s.home.write_config(wider)

        def grants():
            for name in ("grants.json", "grants", "state.json", "kept.json"):
                (store / name).write_text(forged)
                (store / name).chmod(0o600)
        for change, trial in t.over((config, grants)):
            with trial:
                change()
                sup.tell(s, s.client.process.pid, "reload-grants")
                s.look()
                s.refused("left_click", {"coordinate": at}, "target_granted", "tier")
        s.home.write_config("")
        for name in ("grants.json", "grants", "state.json", "kept.json"):
            (store / name).unlink(missing_ok=True)
        with t.twin("what was granted at the start"):
            sup.acts(s, s.client)
        with t.twin("the owner's settings at the next start"):
            s.serve("--grant", f"{s.actor_path}:full", config=wider)
            s.look()
            s.act("left_click", {"coordinate": at})
            evil.wait("activated")


def grant_always(s, app):
    with sup.with_consent(s, "always") as client:
        reply = client.do("request_access", {"apps": [{"app": str(app)}], "reason": "a test"}, timeout=CALL_PATIENCE)
        assert reply.structured["granted"], f"{reply}"


def kept_grants(s):
    """The executables that a new server may use, as its own list says; what it does is looked at besides."""
    with sup.with_consent(s, "deny") as client:
        reply = client.do("list_granted_applications", timeout=CALL_PATIENCE)
    return [grant["app"] for grant in reply.structured["granted"]]


def no_grant_left(s):
    """A new server must not act on the actor."""
    with sup.with_consent(s, "deny") as client:
        s.focus(s.actor)
        s.watch.mark()
        reply = sup.call(client, "key", {"text": "b"})
        assert reply.is_error and reply.error.get("gate") == "target_granted", f"acted by an old grant: {reply}"
        s.quiet("a server without a grant")


@row("L13", "an older state of the grants is put back", few=2, many=20)
def old_state(s, t):
    s.default()
    s.prove_any(t)
    sup.let_go(s)
    store = sup.state_folder(s) / "grants.json"
    for trial in t:
        with trial:
            grant_always(s, s.actor_path)
            old = store.read_bytes()
            with t.twin("a grant for good in the next server"), sup.with_consent(s, "deny") as client:
                sup.acts(s, client)
            sup.handrail(s, "grants", "revoke", "--all")
            no_grant_left(s)
            store.write_bytes(old)
            no_grant_left(s)
            sup.handrail(s, "grants", "revoke", "--all")


@row("L12", "killed while it writes the state", few=3, many=500)
def half_written(s, t):
    s.default()
    s.prove_any(t)
    sup.let_go(s)
    chance = random.Random(SEED)
    store = sup.state_folder(s) / "grants.json"
    grant_always(s, s.actor_path)
    with t.twin("the grant in the next server"), sup.with_consent(s, "deny") as client:
        sup.acts(s, client)
    began = time.monotonic()
    sup.handrail(s, "grants", "revoke", "--all")
    usual = time.monotonic() - began
    old = new = 0
    for trial in t:
        with trial:
            grant_always(s, s.actor_path)
            run = subprocess.Popen([HANDRAIL, "grants", "revoke", "--all"], env=s.home.env, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.random() * usual)
            run.kill()
            run.wait()
            json.loads(store.read_bytes())
            with sup.with_consent(s, "deny") as client:
                s.focus(s.actor)
                reply = sup.call(client, "key", {"text": "b"})
            assert not reply.is_error or reply.error.get("gate") == "target_granted", f"neither old nor new: {reply}"
            old += not reply.is_error
            new += reply.is_error
    t.note(f"the old state {old} times, the new one {new} times")
    sup.handrail(s, "grants", "revoke", "--all")


@row("L15", "the off switch is taken away from the agent's side", few=1)
def still_off(s, t):
    s.default()
    s.prove_any(t)
    marker = sup.state_folder(s) / "stopped"

    def unlinked():
        sup.handrail(s, "stop")
        assert marker.exists()
        marker.unlink()

    def emptied():
        sup.handrail(s, "stop")
        marker.write_text("")

    def started_again():
        sup.handrail(s, "stop")
        s.serve("--grant", f"{s.actor_path}:full")

    def by_settings():
        s.serve("--grant", f"{s.actor_path}:full", config="enabled = false\n")
        sup.tell(s, s.client.process.pid, "resume")

    def by_environment():
        s.serve("--grant", f"{s.actor_path}:full", env={"HANDRAIL_DISABLED": "1"})
        sup.tell(s, s.client.process.pid, "resume")
    for turn_off, trial in t.over((unlinked, emptied, started_again, by_settings, by_environment)):
        with trial:
            s.default()
            turn_off()
            s.focus(s.actor)
            for tool, arguments in (("key", {"text": "b"}), ("left_click", {"coordinate": AT}),
                                    ("type", {"text": "b"})):
                s.refused(tool, arguments, "kill_switch")
        sup.resume(s)
        s.end_server()
    with t.twin("a key after resume"):
        s.default()
        sup.acts(s, s.client)


@row("L17", "stop while the X server hangs", few=2, many=50)
def stuck_display(s, t):
    s.default()
    s.prove_any(t)
    display = sup.x_server(s)
    most = 0
    for trial in t:
        with trial:
            s.default()
            number, tool = under_way(s, "type")
            with sup.stopped(display):
                wait_until(lambda: sup.state_letter(display) == "T", PATIENCE, "the stop of the X server")
                sup.tell(s, s.client.process.pid, "stop")
                told = json.loads(sup.handrail(s, "status", "--json").stdout)["servers"]
                assert [one["status"]["stopped"] for one in told] == [True], f"not off: {told}"
                stopped_at = time.monotonic()
            s.client.finish_call(number, tool, CALL_PATIENCE)
            late = [e for e in s.watch.events(kinds=sup.DOWN) if sup.server_time(e) > stopped_at]
            # What was in the queue of the X server when it was stopped cannot be taken back: at most one portion.
            assert len(late) <= 128, f"{len(late)} events after the display went on"
            most = max(most, len(late))
            s.watch.mark()
            s.refused("key", {"text": "b"}, "kill_switch")
            s.idle()
        sup.resume(s)
    t.note(f"at most {most} events of the X server's own queue after it went on")
    with t.twin("a key after resume"):
        s.default()
        sup.acts(s, s.client)


@row("L18", "two servers with different rules on one display", few=2, many=50)
def two_rules(s, t):
    s.default()
    s.prove_any(t)
    sup.acts(s, s.client)
    with sup.second(s, "--grant", f"{s.actor_path}:full", "--grant", f"{s.attacker_path}:full") as wider, \
            sup.stranger(s, "--grant", f"{s.attacker_path}:full", "--grant", f"{s.actor_path}:full") as foreign:
        for trial in t:
            with trial:
                sup.acts(s, s.client)
                sup.kept_out(s, wider)
                sup.kept_out(s, foreign)
        with t.twin("the first server acts on"):
            sup.acts(s, s.client)
        with t.twin("the second one when the first has gone"):
            sup.let_go(s)
            sup.acts(s, wider)


@row("L20", "the panic chord on the person's own keyboard", few=2, many=100)
def panic(s, t):
    keyboard = sup.Keyboard(s)
    s.default()
    s.prove_any(t)
    took = []
    for trial in t:
        with trial:
            s.serve("--grant", f"{s.actor_path}:full", config="person_pause_ms = 0\n")
            s.focus(s.actor)
            s.look()
            s.watch.mark()
            number, tool = under_way(s, ("type", "hold", "drag")[t.number % 3])
            # By XTEST it is nobody's: the agent's own hands must not switch it off, or pretend to.
            began = time.monotonic()
            keyboard.chord("Control_L", "Alt_L", "Escape")
            reply = s.client.finish_call(number, tool, CALL_PATIENCE)
            assert reply.is_error, f"{tool} went on: {reply.text}"
            s.watch.mark()
            s.refused("key", {"text": "b"}, "kill_switch")
            s.idle()
            took.append((time.monotonic() - began) * 1000)
        sup.resume(s)
    t.note(f"chord to refusal, ms: {sup.percentiles(took)}")
    with t.twin("a key after resume, and the chord by XTEST is no panic"):
        s.default()
        s.hand.keys("Control_L", "Alt_L", "Escape")
        sup.acts(s, s.client)
