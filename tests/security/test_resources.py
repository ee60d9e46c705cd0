"""Whatever runs out, fails or jumps: descriptors, system calls, memory, connections, the clock. The server answers or ends;
nothing stays down, nothing is done without a record, and the off switch works."""
import contextlib
import errno
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import socket
import threading

from support.desk import APPS, FULL, gone, wait_until

from security import server_support as sup
from security.harness import CALL_PATIENCE, PATIENCE, SEED, row
from security.scene import LENT

AT = [400, 380]
HOUR, YEARS = 3600, 10 * 365 * 86400
BROKEN = ("AddressSanitizer", "runtime error", "terminate called", "LeakSanitizer")


def preloaded(s, shim, **more):
    """The environment of a program that a shim is loaded into."""
    options = ":".join(filter(None, [s.home.env.get("ASAN_OPTIONS"), "verify_asan_link_order=0"]))
    return {"LD_PRELOAD": str(APPS / "preload" / shim), "ASAN_OPTIONS": options, **more}


def click_twin(s, t, what="a click on the granted app"):
    with t.twin(what):
        s.default()
        s.act("left_click", {"coordinate": AT})
        s.actor.wait("activated")


def all_up(s, what):
    """The server lets go, or the guardian does."""
    def is_idle():
        state = s.desk.idle_state()
        return (state["pressed"], state["buttons"]) == ([], 0)
    wait_until(is_idle, sup.RESTORE_PATIENCE, f"all keys and buttons up after {what}")


# Kind of the call, error, and how many calls to try in a short run. EINTR means no more than: once again.
FAULTS = (("open", errno.EROFS, 12), ("open", errno.EMFILE, 12), ("read", errno.EIO, 20), ("read", errno.EINTR, 20),
          ("write", errno.ENOSPC, 8), ("write", errno.EIO, 8), ("write", errno.EINTR, 8), ("short", 0, 8),
          ("sync", errno.EIO, 4), ("truncate", errno.EIO, 3), ("rename", errno.EROFS, 3), ("poll", errno.EINTR, 20))


def faults():
    """Every call until one run has none to fail any more; in a short run one of each of some kinds, by the seed."""
    dice = random.Random(SEED)
    for kind, error, most in FAULTS if FULL else dice.sample(FAULTS, 7):
        yield from ((kind, error, number) for number in (range(1, 60) if FULL else [dice.randrange(1, most + 1)]))


@row("R11", "system calls fail: EIO, EROFS, EMFILE, ENOSPC, EINTR, short writes; no descriptor is left", few=2, many=20)
def failing_calls(s, t):
    s.default()
    s.prove_any(t)
    s.end_server()
    done_kinds, count = set(), 0
    for (kind, error, number), trial in t.over(faults()):
        if (kind, error) in done_kinds:
            continue
        with trial:
            failed = failing_run(s, kind, error, number)
        count += failed
        if not failed:
            done_kinds.add((kind, error))
    t.proof(count > 0, "no call failed")
    t.note(f"{count} calls failed")
    no_descriptors(s, t)
    click_twin(s, t)


def failing_run(s, kind, error, number):
    """One click with a log of its own, in which that call fails. Whether it did."""
    what = f"{kind} {number} with {errno.errorcode.get(error, 'half of it')}"
    state = s.home.folder / f"failing-{kind}-{error}-{number}"
    happened = state / "happened"
    own = {"XDG_STATE_HOME": str(state)}
    state.mkdir()

    def click(**more):
        s.focus(s.actor)
        s.hand.move(5, 795)
        return s.home.run("do", "click", "--desktop", s.desk.name, "--grant", f"{s.actor_path}:full", "--at",
                          f"{AT[0]},{AT[1]}", start_new_session=True, env={**own, **more})
    try:
        assert click().returncode == 0, "a click before anything failed"
        s.watch.mark()
        before = len(log_of(state))
        done = click(**preloaded(s, "failing_calls.so", FIXTURE_FAULT=f"{kind} {error} {number}",
                                 FIXTURE_FAULT_LOG=str(happened)))
        assert done.returncode >= 0, f"{what}: killed by signal {-done.returncode}: {done.stderr[-800:]}"
        assert not [sign for sign in BROKEN if sign in done.stderr], f"{what}: {done.stderr[-2000:]}"
        all_up(s, what)
        acted = s.watch.events(s.actor.pid, ("press",))
        written = [r for r in log_of(state)[before:] if r["kind"] == "call" and r["action"] == "click"]
        assert len(acted) <= len(written), f"{what}: a press without a record"
        assert acted or done.returncode != 0, f"{what}: told as done, and nothing came: {done.stdout}"
        after = click()
        assert after.returncode == 0, f"a click after {what}: {after.stderr}"
        verified = s.home.run("audit", "verify", env=own)
        # Half of the head is found out and told.
        told = kind == "short" and "head of the log was missing or damaged" in verified.stdout
        assert verified.returncode == 0 or told, f"{what} broke the log: {verified.stdout}{verified.stderr}"
        return happened.exists()
    finally:
        shutil.rmtree(state)


def log_of(state):
    """The records below a state folder, in the order of their numbers; a line that is no record is left out."""
    found = []
    for path in (state / "handrail" / "audit").glob("*.jsonl"):
        for line in path.read_bytes().splitlines():
            with contextlib.suppress(ValueError):
                found.append(json.loads(line))
    return sorted(found, key=lambda r: r["seq"])


def no_descriptors(s, t):
    s.default()
    pid = s.client.process.pid
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    for trial in t:
        used = len(os.listdir(f"/proc/{pid}/fd"))
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (max(3, used - t.number % 3), before[1]))
        try:
            with trial:
                for tool, arguments in (("screenshot", {}), ("left_click", {"coordinate": AT}), ("type", {"text": "ab"}),
                                        ("open_application", {"app": "org.xfce.mousepad"}), ("read_clipboard", {})):
                    s.client.call(tool, arguments, timeout=CALL_PATIENCE)
                    assert not gone(pid), f"the server died: {s.client.stderr[-1500:].decode(errors='replace')}"
                s.idle()
        finally:
            resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
        s.close_apps("mousepad")


def address_space(pid):
    return int(re.search(r"VmSize:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) * 1024


@row("R12", "there is no memory left", few=3, many=60)
def no_memory(s, t):
    s.default()
    s.prove_any(t)
    hurt = ended = 0
    for trial in t:
        s.default()
        client = s.client
        s.act("mouse_move", {"coordinate": AT})
        s.act("left_mouse_down")
        with trial:
            assert s.desk.idle_state()["buttons"], "the button must be down"
            limit = address_space(client.process.pid) + (t.number * 7 % 20) * 256 * 1024
            resource.prlimit(client.process.pid, resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
            try:
                for tool, arguments in (("screenshot", {"format": "png"}), ("type", {"text": LENT}),
                                        ("mouse_move", {"coordinate": [420, 390]}), ("screenshot", {})):
                    hurt += client.call(tool, arguments, timeout=CALL_PATIENCE).is_error
            except (TimeoutError, BrokenPipeError, ValueError):
                wait_until(lambda: gone(client.process.pid), PATIENCE, "the end of a server that does not answer")
                ended += 1
        sup.kill(client)
        with trial_check(t):
            all_up(s, "a server without memory")
            assert s.home.run("audit", "verify").returncode == 0, "the log is broken"
    t.note(f"{hurt} calls failed, {ended} of {t.done} servers ended")
    click_twin(s, t)


def trial_check(t):
    """A check that belongs to the trial before: it can fail, and counts as none of its own."""
    t.done -= 1
    return t._trial()


@row("R13", "the clock jumps by hours and years", few=1, many=5)
def jumping_clock(s, t):
    s.default()
    s.prove_any(t)
    clock = s.home.folder / "clock"
    clock.write_text("0")
    state = s.home.folder / "jumping"
    env = preloaded(s, "other_day.so", FIXTURE_CLOCK=str(clock), XDG_STATE_HOME=str(state))
    s.serve(env=env, config="idle_seconds = 600\n")
    s.look()

    jumps = (HOUR, -HOUR, YEARS, 0, -YEARS, 0) * t.count
    for jump, trial in t.over(jumps):
        with trial:
            s.focus(s.actor)
            sup.await_pause(s)
            s.watch.mark()
            number = s.client.start_call("hold_key", {"text": "a", "duration": 1.5})
            s.actor.wait("key")
            clock.write_text(str(jump))
            reply = s.client.finish_call(number, "hold_key", timeout=CALL_PATIENCE)
            assert not reply.is_error, f"held over a jump of {jump} s: {reply}"
            events = s.watch.events(s.actor.pid, ("key", "key_release"))
            held = sup.server_time(events[-1]) - sup.server_time(events[0])
            assert 1.4 < held < 60, f"held for {held:.2f} s over a jump of {jump} s"
            s.look()
            s.act("left_click", {"coordinate": AT})
            s.idle()
    for trial in t:
        with trial:
            numbers = [r["seq"] for r in log_of(state)]
            assert numbers == list(range(1, len(numbers) + 1)), "the order of the log is not the order of its numbers"
            done = s.home.run("audit", "verify", env={"XDG_STATE_HOME": str(state)})
            assert done.returncode == 0, f"the log does not verify: {done.stdout}{done.stderr}"
    years = {r["time"][:4] for r in log_of(state) if "time" in r}
    t.proof(len(years) >= 3, f"the clock of the server jumped: {years}")
    s.end_server()
    click_twin(s, t)


@row("R21", "the kernel kills for memory", few=3, many=100)
def out_of_memory(s, t):
    """Whom the kernel would take is in its own list; what it does to that process is a SIGKILL."""
    s.default()
    s.prove_any(t)

    def score(pid):
        return int(pathlib.Path(f"/proc/{pid}/oom_score").read_text())
    for trial in t:
        s.default()
        client = s.client
        s.act("mouse_move", {"coordinate": AT})
        s.act("left_mouse_down")
        with trial:
            guards = wait_until(lambda: sup.guardians(client.process.pid), PATIENCE, "the guardian")
            # A pixel of the screen costs the server more than a guardian has in all.
            s.call("screenshot")
            worse = {pid: score(pid) for pid in guards if score(pid) > score(client.process.pid)}
            assert not worse, f"a guardian goes before the server ({score(client.process.pid)}): {worse}"
            assert s.desk.idle_state()["buttons"], "the button must be down"
            os.kill(client.process.pid, signal.SIGKILL)
            client.wait_exit(PATIENCE, check=False)
            all_up(s, "the kill")
    click_twin(s, t)


@contextlib.contextmanager
def flood(path, count, workers=3):
    """Connections without end to a socket: some stay and say nothing, others come and go or talk nonsense."""
    done = threading.Event()
    made = [0]

    def connect(kept, dice):
        peer = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            peer.setblocking(False)
            peer.connect(str(path))
            made[0] += 1
            if dice.random() < 0.3:
                peer.send(dice.choice((b"{", b"\0" * 100, b'{"command":"nothing"}', b"x" * 60_000)))
        except OSError:
            peer.close()
            done.wait(0.001)
            return
        if dice.random() < 0.5:
            peer.close()
            return
        kept.append(peer)
        if len(kept) > count:
            kept.pop(0).close()

    def work(number):
        dice, kept = random.Random(SEED + number), []
        while not done.is_set():
            connect(kept, dice)
        for peer in kept:
            peer.close()
    threads = [threading.Thread(target=work, args=(n,)) for n in range(workers)]
    for thread in threads:
        thread.start()
    try:
        wait_until(lambda: made[0] > count, PATIENCE, "connections")
        yield made
    finally:
        done.set()
        for thread in threads:
            thread.join()


@row("R22", "connections without end to the control socket", few=2, many=50)
def connections(s, t):
    s.default()
    s.prove_any(t)
    total = tries = 0

    def tried(command):
        nonlocal tries
        tries += 1
        return s.home.run(command).returncode == 0
    for trial in t:
        s.default()
        pid = s.client.process.pid
        path = sup.runtime(s) / f"control-{pid}.sock"
        with trial, flood(path, 100) as made:
            number = s.client.start_call("hold_key", {"text": "a", "duration": 60})
            s.actor.wait("key")
            # As a person does: again, when the command says that a server did not hear it.
            wait_until(lambda: tried("stop"), PATIENCE, "the stop")
            reply = s.client.finish_call(number, "hold_key", timeout=CALL_PATIENCE)
            assert reply.is_error, f"the stop did not come through: {reply.text}"
            s.idle()
            s.refused("key", {"text": "b"}, "kill_switch")
            assert not gone(pid), "the server died"
            used = len(os.listdir(f"/proc/{pid}/fd"))
            assert used < 400, f"{used} descriptors are open"
            total += made[0]
        wait_until(lambda: tried("resume"), PATIENCE, "the end of the stop")
    t.note(f"{total} connections, {tries} commands for {2 * t.done}")
    click_twin(s, t)
