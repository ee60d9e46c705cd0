"""The record of all calls: every attempt is there before it acts, nothing can be changed unseen, and answers have an end."""
import contextlib
import ctypes
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import time

from support import xlib
from support.desk import APPS, FULL, HANDRAIL, wait_until

from security.harness import CALL_PATIENCE, PATIENCE, SEED, row
from security.rows_support import Owner, audit_files, audit_folder, clip, files_with, records

AT = [400, 380]
BESIDE = "300x200+800+400"
THERE = [950, 500]
SECRET = "canary-9a3e-recorded"
FLAGS = "clipboard_read = true\nclipboard_write = true\nsystem_keys = true\n"


class Log:
    """A copy of a real log with its key, to be tampered with."""

    def __init__(self, s):
        self.s = s
        self.original = sample(s)
        self.place = s.home.folder / "tampered"
        shutil.rmtree(self.place, ignore_errors=True)
        shutil.copytree(self.original, self.place)
        self.file = next((self.place / "handrail" / "audit").glob("*.jsonl"))

    def lines(self):
        return self.file.read_bytes().splitlines(True)

    def verify(self):
        """The owner's check: whether it finds the log whole, and what it says."""
        done = self.s.home.run("audit", "verify", env={"XDG_STATE_HOME": str(self.place)}, timeout=60)
        return done.returncode == 0, done.stdout + done.stderr

    def found(self, what):
        whole, told = self.verify()
        assert not whole, f"{what} was not found: {told}"
        return told

    @classmethod
    def twin(cls, s, t):
        with t.twin("a log that nobody touched"):
            whole, told = cls(s).verify()
            assert whole, told


def sample(s):
    """The state folder of a server that did all kinds of things; made once."""
    place = s.home.folder / "sample"
    if place.exists():
        return place
    s.default()
    s.serve(env={"XDG_STATE_HOME": str(place)}, config=FLAGS)
    s.look()
    for number in range(500 if FULL else 20):
        s.focus(s.actor)
        s.act("mouse_move", {"coordinate": [300 + number % 100, 300]})
        s.call("cursor_position")
        s.call("left_click", {"coordinate": [1200, 40]})
    s.act("type", {"text": "words"})
    s.act("write_clipboard", {"text": "words"})
    s.end_server()
    return place


@row("U01", "any bit of the log is flipped", bold=True, few=12, many=3000)
def flipped(s, t):
    log = Log(s)
    whole = log.file.read_bytes()
    t.proof(log.verify()[0] and whole.count(b"\n") > 100, "a whole log of many records")
    dice = random.Random(SEED)
    ends = [0, len(whole) - 1, len(whole) - 2, whole.index(b"\n"), whole.index(b'"hash"') + 9, whole.rindex(b'"prev"') + 9,
            whole.index(b'"time"') + 12, whole.rindex(b'"signature"') + 14]
    for trial in t:
        place = ends[t.number] if t.number < len(ends) else dice.randrange(len(whole))
        bit = dice.randrange(8)
        with trial:
            changed = bytearray(whole)
            changed[place] ^= 1 << bit
            log.file.write_bytes(changed)
            log.found(f"bit {bit} of byte {place} ({whole[max(0, place - 20):place + 5]!r})")
    Log.twin(s, t)


@row("U02", "the end of the log is cut off", few=1)
def cut(s, t):
    log = Log(s)
    whole = log.file.read_bytes()
    lines = log.lines()
    t.proof(log.verify()[0], "a whole log")
    cases = [("the last record", whole[:-len(lines[-1])]), ("two records", b"".join(lines[:-2])),
             ("half of the log", b"".join(lines[:len(lines) // 2])), ("a part of a record", whole[:-40]),
             ("the last newline", whole[:-1]), ("everything", b"")]
    for (what, left), trial in t.over(cases):
        with trial:
            log.file.write_bytes(left)
            log.found(f"the loss of {what}")
    Log.twin(s, t)


@row("U03", "records are deleted, moved, doubled and made up", few=1)
def rearranged(s, t):
    log = Log(s)
    lines = log.lines()
    t.proof(log.verify()[0], "a whole log")
    forged = json.loads(lines[20])
    forged["action"] = "nothing"
    body = {k: v for k, v in forged.items() if k != "hash"}
    forged["hash"] = hashlib.sha256(json.dumps(body, separators=(",", ":")).encode()).hexdigest()
    forged = json.dumps(forged, separators=(",", ":")).encode() + b"\n"
    cases = [("deleted", lines[:30] + lines[31:]), ("exchanged", [*lines[:30], lines[31], lines[30], *lines[32:]]),
             ("doubled", lines[:30] + [lines[30]] * 2 + lines[31:]), ("made up", lines[:30] + [forged] + lines[30:]),
             ("replaced", lines[:20] + [forged] + lines[21:]), ("an empty line", lines[:30] + [b"\n"] + lines[30:]),
             ("no record", lines[:30] + [b"hello\n"] + lines[30:])]
    for (what, left), trial in t.over(cases):
        with trial:
            log.file.write_bytes(b"".join(left))
            told = log.found(f"a record {what}")
            assert log.file.name in told and ("line" in told or "record" in told), f"no place is named: {told}"
    Log.twin(s, t)


def click_recorded(s, t):
    """A benign act, and its two records."""
    with t.twin("a click and its record"):
        s.default()
        before = len(records(s))
        s.act("left_click", {"coordinate": AT})
        s.actor.wait("activated")
        new = records(s)[before:]
        assert [r["action"] for r in new if r["kind"] == "call"][-1:] == ["click"], new


@row("U05", "the log is deleted while the server runs", few=1, many=10)
def deleted(s, t):
    for trial in t:
        place = s.home.folder / f"state-{t.number}"
        s.default()
        s.serve(env={"XDG_STATE_HOME": str(place)})
        s.look()
        s.act("left_click", {"coordinate": AT})
        file = next((place / "handrail" / "audit").glob("*.jsonl"))
        t.proof(file.stat().st_size > 0, "a log")
        with trial:
            if t.number % 2:
                shutil.rmtree(place / "handrail" / "audit")
            else:
                file.unlink()
            s.actor.forget()
            s.watch.mark()
            reply = s.call("left_click", {"coordinate": AT})
            acted = s.watch.events(s.actor.pid, ("press",))
            assert not (reply.is_error and acted), f"refused, but acted: {reply.text}"
            if acted:
                written = b"".join(f.read_bytes() for f in (place / "handrail" / "audit").glob("*.jsonl"))
                assert b'"action":"click"' in written, "the click is on no record"
            done = s.home.run("audit", "verify", env={"XDG_STATE_HOME": str(place)})
            assert done.returncode != 0, f"the loss was not found: {done.stdout}"
        s.end_server()
    click_recorded(s, t)


def let_go(s):
    """Nothing is down when the next trial begins, whoever held it."""
    for code in s.desk.idle_state()["pressed"]:
        with xlib._display(s.desk.env) as (_, display):
            s.hand.xtst.XTestFakeKeyEvent(display, code, 0, ctypes.c_ulong(0))


@row("U06", "the server is killed between act and record", bold=True, few=6, many=500)
def killed(s, t):
    dice = random.Random(SEED)
    acted = 0
    for trial in t:
        s.default()
        if t.number == 0:
            s.prove_any(t)
        s.actor.forget()
        text = f"killed{dice.randrange(10**9)}" * 3
        typing = s.client.start_call("type", {"text": text})
        if t.number % 2:
            wait_until(lambda: s.actor.received("key") or s.client.has_answer(typing), PATIENCE, "a key")
        else:
            time.sleep(dice.random() * 0.05)
        os.kill(s.client.process.pid, signal.SIGKILL)
        s.client.process.wait()
        s.watch.fence()
        with trial:
            digest = hashlib.sha256(text.encode()).hexdigest()[:16]
            intents = [r for r in records(s) if r["kind"] == "call" and r["action"] == "type"
                       and r["params"]["text"].get("sha256") == digest]
            if s.actor.received("key"):
                acted += 1
                assert len(intents) == 1, "keys were sent without a record"
            assert s.home.run("audit", "verify").returncode == 0, "a crash broke the log"
        let_go(s)
    t.proof(acted > 0, "no trial was killed after it had acted")
    t.note(f"{acted} of {t.done} were killed after the first key")
    click_recorded(s, t)


NAMES = ["a\nb", "a\r\nb", 'a"b', "a\\b", "\x1b[2J\x1b]0;x\x07", "{\"seq\":1}", "\u2028x\u2029", "\u202egpj.exe", "\x00a",
         "a\tb", "😀", "'; DROP", "\n{\"kind\":\"checkpoint\"}\n"]


@row("U07", "newlines, escapes and quotes in fields", few=1)
def fields(s, t):
    s.default()
    t.proof(len("{}\n{}\n".splitlines()) == 2, "a second line")
    for name, trial in t.over(NAMES):
        with trial:
            before = sum(len(f.read_bytes().split(b"\n")) - 1 for f in audit_files(s))
            with contextlib.suppress(AssertionError):
                s.call("open_application", {"app": name})
            with contextlib.suppress(AssertionError):
                s.call("request_access", {"apps": [{"app": name}], "reason": name})
            parsed = records(s)
            lines = sum(len(f.read_bytes().split(b"\n")) - 1 for f in audit_files(s))
            assert len(parsed) == lines and [r["seq"] for r in parsed] == list(range(1, lines + 1)), "not one record a line"
            told = [r for r in parsed[before:] if r["kind"] == "call" and r["action"] == "open_app"]
            assert not told or told[-1]["params"]["app"] == name, f"{name!r} became {told[-1]['params']['app']!r}"
    shown = s.home.run("audit", "show", "--all", "--last", "100")
    for trial in t:
        with trial:
            assert shown.returncode == 0, shown.stderr
            odd = {c for c in shown.stdout if (ord(c) < 32 and c != "\n") or c in "\u202e\u2028\u2029"}
            assert not odd, f"what is shown has {odd}"
            assert len(shown.stdout.splitlines()) == min(100, len(records(s))), "not one record a line"
    click_recorded(s, t)


@row("U08", "secret values in the record", few=2, many=20)
def secrets(s, t):
    s.default()
    s.serve(config=FLAGS)
    s.look()
    planted = audit_folder(s) / "planted"
    planted.write_text(SECRET)
    t.proof(files_with(audit_folder(s), SECRET.encode()) == [str(planted)], "a secret in a file")
    planted.unlink()
    for trial in t:
        with trial:
            s.focus(s.actor)
            secret = f"{SECRET}-{t.number}"
            s.act("type", {"text": secret})
            s.act("write_clipboard", {"text": secret})
            s.act("computer_batch", {"actions": [{"action": "type", "text": secret}]})
            s.call("request_access", {"apps": [{"app": "org.xfce.mousepad"}], "reason": secret})
            found = files_with(audit_folder(s).parent, SECRET.encode())
            assert not found, f"the secret is in {found}"
    with t.twin("its length and digest are on record"):
        told = [r for r in records(s) if r["kind"] == "call" and r["action"] == "type"][-1]["params"]["text"]
        secret = f"{SECRET}-{t.number}"
        assert told == {"bytes": len(secret), "sha256": hashlib.sha256(secret.encode()).hexdigest()[:16]}, told
    s.serve()


@row("U10", "many writers at once", few=1, many=10)
def writers(s, t):
    s.default()
    for trial in t:
        before = len(records(s))
        with trial:
            running = [subprocess.Popen([HANDRAIL, "do", "cursor_position", "--desktop", s.desk.name],
                                        env=s.home.env, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                       for _ in range(16 if FULL else 6)]
            for _ in range(10):
                s.call("cursor_position")
            for process in running:
                assert process.wait(CALL_PATIENCE) == 0, "a writer failed"
            parsed = records(s)
            assert [r["seq"] for r in parsed] == list(range(1, len(parsed) + 1)), "numbers are missing or double"
            new = [r for r in parsed[before:] if r["kind"] == "call" and r["action"] == "cursor_position"]
            assert len(new) == len(running) + 10, f"{len(new)} records of {len(running) + 10} calls"
            done = s.home.run("audit", "verify")
            assert done.returncode == 0, done.stdout
    t.proof(len({r.get("session") for r in records(s)}) > 4, "records of several sessions")
    click_recorded(s, t)


@row("U11", "the change of the day", few=1, many=5)
def another_day(s, t):
    s.default()
    shim = APPS / "preload" / "other_day.so"
    options = ":".join(filter(None, [s.home.env.get("ASAN_OPTIONS"), "verify_asan_link_order=0"]))
    for trial in t:
        place = s.home.folder / f"days-{t.number}"
        place.mkdir()

        def on_day(offset):
            env = {"XDG_STATE_HOME": str(place), "LD_PRELOAD": str(shim), "FIXTURE_DAYS": str(offset),
                   "ASAN_OPTIONS": options}
            done = s.home.run("do", "cursor_position", "--desktop", s.desk.name, env=env)
            assert done.returncode == 0, done.stderr

        def verify():
            done = s.home.run("audit", "verify", env={"XDG_STATE_HOME": str(place)})
            return done.returncode == 0, done.stdout + done.stderr
        for offset in (-2, -1, 0):
            on_day(offset)
        files = sorted((place / "handrail" / "audit").glob("*.jsonl"))
        t.proof(len(files) == 3, f"a file a day: {files}")
        with trial:
            parsed = [json.loads(line) for file in files for line in file.read_bytes().splitlines()]
            assert [r["seq"] for r in parsed] == list(range(1, len(parsed) + 1)), "the numbers do not go on"
            with t.twin("three days are one log"):
                whole, told = verify()
                assert whole, told
            kept = files[1].read_bytes()
            lines = kept.splitlines(True)
            for what, left in (("the last record of a day", b"".join(lines[:-1])),
                               ("the first record of a day", b"".join(lines[1:])), ("a whole day", None)):
                files[1].unlink() if left is None else files[1].write_bytes(left)
                assert not verify()[0], f"the loss of {what} was not found"
                files[1].write_bytes(kept)
                files[1].chmod(0o600)
            assert verify()[0], f"it is not whole again: {verify()[1]}"


UNREADABLE = [("left_click", {"coordinate": SECRET}), ("type", {"txt": SECRET}), ("type", {}),
              ("key", {"text": [SECRET]}), ("computer_batch", {"actions": [{"action": "type", "txt": SECRET}]}),
              ("no_such_tool", {"text": SECRET})]


@row("U12", "refused attempts are missing", few=1, many=10)
def refusals(s, t):
    s.default()
    with s.attacker(geometry=BESIDE) as evil:
        s.window_titled("attacker")
        s.prove_click(t, evil, THERE)
        # From here on nobody has just used the desktop: each call is made once.
        s.act("mouse_move", {"coordinate": AT})
        calls = [("left_click", {"coordinate": THERE}, "target_granted"),
                 ("mouse_move", {"coordinate": THERE}, "target_granted"),
                 ("key", {"text": "ctrl+alt+Delete"}, "key_blocklist"), ("read_clipboard", {}, "clipboard"),
                 ("write_clipboard", {"text": "a"}, "clipboard"), ("type", {"text": "rm -rf /\n"}, "text_rules"),
                 ("left_click", {"coordinate": AT}, None), ("cursor_position", {}, None), ("screenshot", {}, None)]
        for (tool, arguments, gate), trial in t.over(calls * t.count):
            s.focus(s.actor)
            s.look()
            before = len(records(s))
            with trial:
                reply = s.client.call(tool, arguments, timeout=CALL_PATIENCE)
                new = records(s)[before:]
                began = [r for r in new if r["kind"] == "call"]
                ended = [r for r in new if r["kind"] == "outcome"]
                assert len(began) == len(ended) == 1 and ended[0]["of"] == began[0]["seq"], f"{tool}: {new}"
                assert reply.error.get("gate") == gate, f"{tool}: {reply}"
                assert ended[0].get("gate") == gate, f"{tool}: the record says {ended[0]}"
    for (tool, arguments), trial in t.over(UNREADABLE * t.count):
        before = len(records(s))
        with trial:
            s.rejected(tool, arguments)
            new = records(s)[before:]
            assert [r["kind"] for r in new] == ["call", "outcome"] and new[1]["of"] == new[0]["seq"], f"{tool}: {new}"
            assert SECRET not in json.dumps(new), f"the secret is in {new}"
    for trial in t:
        before = len(records(s))
        with trial:
            # The one that waits in line is cancelled before its turn comes.
            first = s.client.start_call("wait", {"duration": 30})
            second = s.client.start_call("type", {"text": SECRET})
            s.client.notify("notifications/cancelled", {"requestId": second})
            wait_until(lambda: [r for r in records(s)[before:] if r.get("result") == "cancelled"], PATIENCE, "its record")
            s.client.notify("notifications/cancelled", {"requestId": first})
            wait_until(lambda: sum(r["kind"] == "outcome" for r in records(s)[before:]) == 2, PATIENCE, "both ends")
            new = records(s)[before:]
            assert sorted(r["action"] for r in new if r["kind"] == "call") == ["type", "wait"], new
            assert SECRET not in json.dumps(new), f"the secret is in {new}"
    click_recorded(s, t)


@row("U17", "long text is cut in the middle of a character", few=1)
def cut_text(s, t):
    s.default()
    s.serve(config=FLAGS)
    path = s.home.folder / "long"
    texts = ["字" * 20_000, "a" + "字" * 20_000, "ab" + "字" * 20_000, "x" * 15_999 + "😀" * 50, "é" * 50_000,
             "\"\\\n" * 20_000]
    for text, trial in t.over(texts):
        path.write_bytes(text.encode())
        with trial, Owner(s, f"UTF8_STRING=@{path}"):
            if not t.proofs:
                t.proof(clip(s, "read", "UTF8_STRING") == text.encode(), "the long text")
            # Whatever comes was read as UTF-8 and JSON by the client.
            reply = s.call("read_clipboard")
            assert not reply.is_error, reply.text
            got = reply.structured["text"]
            kept = got.rstrip("…")
            assert len(got.encode()) <= 16_100, f"{len(got.encode())} bytes"
            assert "\ufffd" not in got, "a character was cut"
            assert text.startswith(kept[:15_000]) and len(kept.encode()) > 10_000, "other text than was copied"
            assert str(len(text.encode())) in reply.text, f"it is not told how much is missing: {reply.text[:200]}"
    with t.twin("a text that fits"):
        path.write_text("字" * 1000)
        with Owner(s, f"UTF8_STRING=@{path}"):
            assert s.act("read_clipboard").structured["text"] == "字" * 1000
    s.serve()


@row("U18", "a cap on text is passed by many parts", few=1)
def many_parts(s, t):
    s.default()
    s.serve(config=FLAGS)
    path = s.home.folder / "parts"
    path.write_text("字x" * 20_000)
    with Owner(s, f"UTF8_STRING=@{path}"):
        t.proof(len(clip(s, "read", "UTF8_STRING")) == 80_000, "the long text")
        for count, trial in t.over([1, 2, 20]):
            with trial:
                reply = s.call("computer_batch", {"actions": [{"action": "read_clipboard"}] * count})
                assert not reply.is_error, reply.text[:300]
                # The text itself, and a line for each step.
                size = len(reply.text.encode()) + len(str(reply.structured))
                assert size < 16_000 + 1000 + 600 * count, f"{size} bytes for {count} steps"
                assert "\ufffd" not in reply.text, "a character was cut"
                assert "follow" in reply.text, "it is not told that something is missing"
        for count, trial in t.over([21, 1000]):
            with trial:
                s.rejected("computer_batch", {"actions": [{"action": "screenshot"}] * count})
    with t.twin("texts that fit come whole"), Owner(s, "UTF8_STRING=short words"):
        reply = s.act("computer_batch", {"actions": [{"action": "read_clipboard"}] * 3})
        assert reply.text.count("short words") >= 3, reply.text
    s.serve()
