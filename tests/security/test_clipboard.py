"""The clipboard: what a person copied must not come out of an app that may only be clicked, nor reach the agent when it
is a secret, nor get lost."""
import os
import pathlib
import random
import re
import signal
import struct
import zlib

from support.desk import wait_until

from security.harness import PATIENCE, SEED, row
from security.rows_support import Owner, clip, cut_buffer, files_with, pasted, set_cut_buffer

AT = [400, 380]
BESIDE = "300x200+800+400"
THERE = [950, 500]
SECRET = "canary-7c1f-copied"
FLAGS = "clipboard_read = true\nclipboard_write = true\n"
SELECTIONS = ("CLIPBOARD", "PRIMARY", "SECONDARY")


class Scene:
    """An app that pastes whatever it can at every click, and may only be clicked; beside it one that may be used in
    full."""

    def __init__(self, s, t, *words, tier="click", shown="paster"):
        self.s, self.t = s, t
        path = s.app("paster_x11", "paster")
        s.default()
        self.app = s.play(path, *words, geometry=BESIDE, title=shown)
        try:
            s.window_titled(shown)
            s.serve("--grant", f"{path}:{tier}", "--grant", f"{s.actor_path}:full", config=FLAGS)
            s.look()
        except BaseException:
            self.app.stop()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # The clipboard is the person's again before the next row.
        self.s.end_server()
        self.app.stop()

    def prove(self, selection="CLIPBOARD", text=SECRET):
        """A click of somebody else pastes the secret."""
        s = self.s
        self.app.forget()
        s.hand.click(*THERE)
        got = pasted(self.app)
        self.t.proof(got[selection] == text, f"the paste of {selection}: {got}")
        s.watch.mark()
        s.look()
        self.app.forget()

    def click(self):
        """The agent's click. What the app pasted; nothing when the click was refused before anything was sent."""
        s = self.s
        self.app.forget()
        s.watch.mark()
        reply = s.call("left_click", {"coordinate": THERE})
        if reply.error.get("gate") in ("stale_look", "stale_pixels"):
            s.look()
            reply = s.call("left_click", {"coordinate": THERE})
        if not reply.is_error:
            return reply, pasted(self.app)
        if s.watch.events(self.app.pid, ("press",)):
            return reply, pasted(self.app)
        return reply, {}

    def empty(self, got, what=""):
        leaked = {name: text for name, text in got.items() if text}
        assert not leaked, f"{what} the app that may only be clicked pasted {leaked}"

    def full_click(self):
        """The agent turns to an app that may be used in full: the person's clipboard is theirs again."""
        s = self.s
        s.look()
        s.actor.forget()
        s.act("left_click", {"coordinate": AT})
        s.actor.wait("activated")

    def back(self, text, selection="CLIPBOARD"):
        wait_until(lambda: clip(self.s, "read", "--selection", selection, "UTF8_STRING") == text.encode(), PATIENCE,
                   f"{text!r} in {selection}")


@row("C01", "text from the agent's clipboard comes out of an app that may only be clicked", few=3, many=50)
def click_paste(s, t):
    with Scene(s, t) as scene:
        with Owner(s, f"UTF8_STRING={SECRET}"):
            scene.prove()
        for trial in t:
            with trial:
                text = f"echo written {t.number}"
                s.act("write_clipboard", {"text": text})
                reply, got = scene.click()
                assert not reply.is_error, f"the click was refused: {reply.text}"
                scene.empty(got)
                scene.full_click()
                scene.back(text)
        with t.twin("what was written is on the clipboard"):
            s.act("write_clipboard", {"text": "plain words"})
            scene.back("plain words")


@row("C02", "PRIMARY by a middle click", bold=True, few=3, many=50)
def primary(s, t):
    with Scene(s, t) as scene, Owner(s, f"UTF8_STRING={SECRET}", selection="PRIMARY"):
        scene.prove("PRIMARY")
        for trial in t:
            with trial:
                scene.app.forget()
                s.refused("middle_click", {"coordinate": THERE}, "tier")
                assert not scene.app.received("pasted"), "the app pasted"
                reply, got = scene.click()
                assert not reply.is_error, f"the click was refused: {reply.text}"
                scene.empty(got)
                scene.full_click()
                scene.back(SECRET, "PRIMARY")
    with Scene(s, t, tier="full") as scene, Owner(s, f"UTF8_STRING={SECRET}", selection="PRIMARY"):
        with t.twin("a middle click in an app that may be used in full"):
            s.look()
            scene.app.forget()
            s.act("middle_click", {"coordinate": THERE})
            assert pasted(scene.app)["PRIMARY"] == SECRET


@row("C03", "Shift+Insert", few=3, many=50)
def shift_insert(s, t):
    with Scene(s, t) as scene, Owner(s, f"UTF8_STRING={SECRET}"):
        scene.prove()
        for chord, trial in t.over(["shift+Insert", "ctrl+v", "ctrl+shift+v", "shift+KP_Insert", "XF86Paste", "Insert"]):
            with trial:
                s.focus(scene.app)
                scene.app.forget()
                s.rejected("key", {"text": chord})
                assert not scene.app.received("pasted"), "the app pasted"
    with Scene(s, t, tier="full") as scene, Owner(s, f"UTF8_STRING={SECRET}"):
        with t.twin("the same in an app that may be used in full"):
            s.focus(scene.app)
            scene.app.forget()
            s.act("key", {"text": "shift+Insert"})
            assert pasted(scene.app)["CLIPBOARD"] == SECRET


@row("C04", "CUT_BUFFER0", bold=True, few=3, many=50)
def cut_buffers(s, t):
    with Scene(s, t) as scene:
        set_cut_buffer(s.desk.env, SECRET.encode())
        scene.prove("CUT_BUFFER0")
        for trial in t:
            with trial:
                for number in range(8):
                    set_cut_buffer(s.desk.env, f"{SECRET}-{number}".encode(), number)
                reply, got = scene.click()
                assert not reply.is_error, f"the click was refused: {reply.text}"
                scene.empty(got)
                left = [n for n in range(8) if cut_buffer(s.desk.env, n)]
                assert not left, f"cut buffers {left} are not empty"
                # Another program writes while it is guarded.
                set_cut_buffer(s.desk.env, b"late")
                reply, got = scene.click()
                assert not reply.is_error, f"the click was refused: {reply.text}"
                scene.empty(got)
                scene.full_click()
        with t.twin("what was there comes back"):
            set_cut_buffer(s.desk.env, SECRET.encode())
            reply, _ = scene.click()
            assert not reply.is_error, reply.text
            scene.full_click()
            wait_until(lambda: cut_buffer(s.desk.env) == SECRET.encode(), PATIENCE, "the cut buffer")
    set_cut_buffer(s.desk.env, b"")


@row("C05", "SECONDARY", few=3, many=50)
def secondary(s, t):
    with Scene(s, t) as scene, Owner(s, f"UTF8_STRING={SECRET}", selection="SECONDARY"):
        scene.prove("SECONDARY")
        for trial in t:
            with trial:
                reply, got = scene.click()
                assert not reply.is_error, f"the click was refused: {reply.text}"
                scene.empty(got)
                scene.full_click()
                scene.back(SECRET, "SECONDARY")
        with t.twin("a click while nothing is copied"):
            reply, _ = scene.click()
            assert not reply.is_error, reply.text


@row("C06", "a clipboard manager takes the clipboard back", few=4, many=500)
def manager(s, t):
    with Scene(s, t) as scene:
        with Owner(s, f"UTF8_STRING={SECRET}", words=("--again", 10**8)) as owner:
            scene.prove()
            for trial in t:
                with trial:
                    reply, got = scene.click()
                    scene.empty(got, reply.text)
            assert owner.log.events("lost"), "the manager was never asked to let go"
        with Owner(s, f"UTF8_STRING={SECRET}", words=("--again", 3)), t.twin("a manager that gives up"):
            reply, got = scene.click()
            assert not reply.is_error, f"the click was refused: {reply.text}"
            scene.empty(got)


@row("C07", "another owner between clear and paste", few=4, many=500)
def owner_race(s, t):
    dice = random.Random(SEED)
    with Scene(s, t) as scene:
        with Owner(s, f"UTF8_STRING={SECRET}"):
            scene.prove()
        refused = 0
        for trial in t:
            with Owner(s, f"UTF8_STRING={SECRET}", words=("--every", dice.choice((1, 2, 5)))):
                with trial:
                    reply, got = scene.click()
                    refused += reply.is_error
                    scene.empty(got, reply.text)
        t.note(f"{refused} clicks were refused while another program took the clipboard all the time")
        with t.twin("a click after the other program has ended"):
            scene.full_click()
            reply, _ = scene.click()
            assert not reply.is_error, reply.text


@row("C10", "the owner never answers", few=2, many=50)
def silent_owner(s, t):
    with Scene(s, t) as scene, Owner(s, f"UTF8_STRING={SECRET}") as owner:
        scene.prove()
        t.proof(SECRET in s.act("read_clipboard").text + str(s.act("read_clipboard").structured), "what is read")
        owner.process.send_signal(signal.SIGSTOP)
        try:
            for trial in t:
                with trial:
                    reply = s.call("read_clipboard")
                    assert reply.is_error or SECRET not in str(reply.result), "read from an owner that is stopped"
                    # The first click may take the clipboard away or leave it; it must not hang nor paste.
                    _, got = scene.click()
                    scene.empty(got)
        finally:
            owner.process.send_signal(signal.SIGCONT)
    with t.twin("an owner that answers"), Owner(s, "UTF8_STRING=other words"):
        s.default()
        s.serve(config=FLAGS)
        reply = s.act("read_clipboard")
        assert "other words" in str(reply.result), reply


def png(width, height):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b""))


def memory(pid):
    return int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) * 1024


@row("C11", "a small picture on the clipboard that claims to be huge", few=2, many=10)
def image_bomb(s, t):
    bomb = s.home.folder / "bomb.png"
    bomb.write_bytes(png(50_000, 50_000))
    with Scene(s, t) as scene:
        with Owner(s, f"UTF8_STRING={SECRET}"):
            scene.prove()
        for trial in t:
            with trial, Owner(s, f"image/png=@{bomb}"):
                before = memory(s.client.process.pid)
                reply = s.call("read_clipboard")
                assert reply.is_error or not reply.images, "the picture was read"
                scene.click()
                scene.full_click()
                # Decoded it would be seven gigabytes.
                assert memory(s.client.process.pid) - before < 1 << 30, "the picture was decoded"
        with t.twin("a small picture stays on the clipboard"):
            bomb.write_bytes(png(10, 10))
            with Owner(s, f"image/png=@{bomb}"):
                reply, _ = scene.click()
                assert not reply.is_error, reply.text
                scene.full_click()
                wait_until(lambda: clip(s, "read", "image/png") == bomb.read_bytes(), PATIENCE, "the picture")


@row("C12", "control characters that end a bracketed paste", few=1)
def escapes(s, t):
    s.default()
    s.serve(config=FLAGS)
    raw = s.home.folder / "raw"
    raw.write_bytes(b"a\x1b[201~b")
    with Owner(s, f"UTF8_STRING=@{raw}"):
        t.proof(clip(s, "read", "UTF8_STRING") == raw.read_bytes(), "a control character on the clipboard")
    texts = ["a\x1b[201~echo b\n", "\x1b]0;title\x07", "a\x9b201~b", "a\x08\x08b", "a\x7fb", "a\rb", "\x00a", "a\x0fb\x0e",
             "\x1b[200~\x1b[201~", "a\u0085b", "\x1bPq\x1b\\", "a\x03b\x04"]
    for text, trial in t.over(texts):
        with trial:
            reply = s.call("write_clipboard", {"text": text})
            if reply.is_error:
                continue
            for target in ("UTF8_STRING", "STRING", "text/plain", "TEXT"):
                got = clip(s, "read", target) or b""
                text_got = got.decode("utf-8" if target != "STRING" else "latin-1", "replace")
                bad = [c for c in text_got if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160]
                assert not bad, f"{text!r} is {got!r} as {target}"
    with t.twin("tabs, lines and letters of all kinds stay"):
        text = "one\ttwo\nthree Grüße 你好"
        s.act("write_clipboard", {"text": text})
        assert clip(s, "read", "UTF8_STRING") == text.encode()


@row("C13", "a password manager's copy", few=3, many=20)
def password_hint(s, t):
    s.default()
    s.serve(config=FLAGS)
    hint = "x-kde-passwordManagerHint=secret"
    with Owner(s, f"UTF8_STRING={SECRET}"):
        t.proof(SECRET in str(s.act("read_clipboard").result), "what is read")
    with Owner(s, f"UTF8_STRING={SECRET}", f"text/plain={SECRET}", f"text/plain;charset=utf-8={SECRET}", hint):
        for trial in t:
            with trial:
                reply = s.call("read_clipboard")
                assert reply.is_error, f"the password was read: {reply.text}"
                assert SECRET not in str(reply.result), "the password is in the refusal"
    with t.twin("an ordinary copy"), Owner(s, "UTF8_STRING=words"):
        assert "words" in str(s.act("read_clipboard").result)


@row("C15", "files copied in a file manager", few=2, many=20)
def copied_files(s, t):
    files = s.home.folder / "copied"
    files.write_text(f"copy\nfile://{s.home.folder}/victim")
    kind = "x-special/gnome-copied-files"
    content = files.read_text()
    with Scene(s, t, "--format", kind, shown="files") as scene, Owner(s, f"{kind}=@{files}", f"text/uri-list=@{files}"):
        scene.prove(text=content)
        for trial in t:
            with trial:
                reply, got = scene.click()
                assert not reply.is_error, f"the click was refused: {reply.text}"
                scene.empty(got)
                for chord in ("ctrl+v", "ctrl+x", "ctrl+c"):
                    s.focus(scene.app)
                    s.refused("key", {"text": chord}, "tier")
                scene.full_click()
        with t.twin("the person's files are still copied"):
            wait_until(lambda: clip(s, "read", kind) == content.encode(), PATIENCE, "the copied files")


@row("C17", "formats of the person's content get lost", few=2, many=50)
def formats(s, t):
    dice = random.Random(SEED)
    folder = s.home.folder / "formats"
    folder.mkdir(exist_ok=True)
    kinds = {"UTF8_STRING": 40, "text/plain;charset=utf-8": 40, "text/html": 3000, "text/rtf": 2000, "image/png": 700_000,
             "text/uri-list": 100, "application/x-own": 17}
    with Scene(s, t) as scene:
        with Owner(s, f"UTF8_STRING={SECRET}"):
            scene.prove()
            t.proof(clip(s, "read", "UTF8_STRING") != b"other", "other bytes")
        for trial in t:
            contents, words = {}, []
            for number, (kind, size) in enumerate(kinds.items()):
                contents[kind] = dice.randbytes(size) if "/" in kind and "text" not in kind else b"text %d " % number * 9
                (folder / str(number)).write_bytes(contents[kind])
                words.append(f"{kind}=@{folder}/{number}")
            with trial, Owner(s, *words):
                reply, got = scene.click()
                assert not reply.is_error, f"the click was refused: {reply.text}"
                scene.empty(got)
                scene.full_click()
                wait_until(lambda: set(contents) <= set((clip(s, "targets") or b"").decode().split("\n")), PATIENCE,
                           lambda: f"all formats; there are {clip(s, 'targets')}")
                for kind, content in contents.items():
                    got = clip(s, "read", kind)
                    assert got == content, f"{kind}: {len(got or b'')} bytes instead of {len(content)}"
        with t.twin("text alone"), Owner(s, "UTF8_STRING=plain words"):
            reply, _ = scene.click()
            assert not reply.is_error, reply.text
            scene.full_click()
            scene.back("plain words")


def open_files(pid):
    """Regular files on a disk that a process has open."""
    found = []
    for link in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = os.readlink(link)
            if target.startswith("/") and not target.startswith(("/memfd:", "/dev/", "/proc/")) and link.is_file():
                found.append(link)
        except OSError:
            continue
    return found


@row("C18", "the person's content is written to a disk", few=1, many=10)
def on_disk(s, t):
    marker = b"canary-18-" + str(SEED).encode() + b"-kept"
    planted = s.home.folder / "planted"
    planted.write_bytes(b"x" + marker)
    t.proof(files_with(s.home.folder, marker) == [str(planted)], "a file that holds it")
    planted.unlink()
    with Scene(s, t) as scene, Owner(s, f"UTF8_STRING={marker.decode()}"):
        logs = str(s.home.folder / "logs")
        for trial in t:
            with trial:
                reply, got = scene.click()
                assert not reply.is_error, f"the click was refused: {reply.text}"
                scene.empty(got)
                # The logs are those of the fixtures.
                found = [f for f in files_with(s.home.folder, marker) if not f.startswith(logs)]
                assert not found, f"on disk: {found}"
                guardians = s.home.json("guardian", "status", "--json")
                pids = [s.client.process.pid, *pids_in(guardians)]
                t.proof(len(pids) > 1, f"the guardian's process: {guardians}")
                for pid in pids:
                    held = [f for f in open_files(pid) if marker in f.read_bytes()]
                    assert not held, f"process {pid} has it open in {[os.readlink(f) for f in held]}"
                scene.full_click()
        with t.twin("it comes back"):
            scene.back(marker.decode())


def pids_in(value):
    if isinstance(value, dict):
        return [v for k, v in value.items() if k == "pid"] + [p for v in value.values() for p in pids_in(v)]
    return [p for v in value for p in pids_in(v)] if isinstance(value, list) else []
