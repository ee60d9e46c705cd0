"""What the agent sees: apps that are not granted, passwords and places must not be in pictures, lists, errors or files."""
import base64
import contextlib
import ctypes
import os
import pathlib
import stat

from support.desk import HANDRAIL, wait_until

from security.harness import CALL_PATIENCE, PATIENCE, row
from security.rows_support import CANARY, audit_folder, chunks, count_colour, files_with, screen_colour, segments

AT = [400, 380]
ACTOR = (0x33, 0x66, 0xCC)
BOX = (800, 400, 300, 200)
BESIDE = "300x200+800+400"
THERE = [950, 500]
SECRET = "canary-51d0-seen"
TYPED = "canary-0e77-typed"


def canary(s, kind="toplevel", geometry=BESIDE, **options):
    return s.play(s.app("canary_x11", "canary"), "--kind", kind, geometry=geometry, **options)


def prove_colour(s, t, colour=CANARY, box=BOX):
    """The screen really shows it, and it is found in a picture that shows it."""
    wait_until(lambda: screen_colour(s.desk.env, colour, box) >= 8, PATIENCE, "the colour on the screen")
    t.proof(screen_colour(s.desk.env, colour, box) >= 8, "the colour on the screen")


def pictures(s, box=BOX):
    """Every way in which this agent can get a picture of the place."""
    x, y, width, height = box
    yield "screenshot", s.act("screenshot")
    yield "screenshot as PNG", s.act("screenshot", {"format": "png"})
    yield "screenshot with the pointer", s.act("screenshot", {"show_cursor": True})
    yield "zoom", s.act("zoom", {"region": [x, y, x + width, y + height]})


def unseen(s, colour=CANARY, box=BOX):
    for what, reply in pictures(s, box):
        count = count_colour(reply.image, colour)
        assert count == 0, f"{count} pixels of it are in the {what}"


def seen_twin(s, t, what="the granted app is in the picture"):
    with t.twin(what):
        s.look()
        count = count_colour(s.act("screenshot").image, ACTOR, 25)
        assert count > 20_000, f"only {count} pixels of the granted app are there"


@row("O01", "an app that is not granted shows itself again all the time", few=6, many=500)
def remap(s, t):
    s.default()
    with canary(s) as app:
        prove_colour(s, t)
        unseen(s)
        app.stop()
    with canary(s, "remap"):
        wait_until(lambda: screen_colour(s.desk.env, CANARY, BOX) > 0, PATIENCE, "the colour on the screen")
        for trial in t:
            with trial:
                count = count_colour(s.act("screenshot").image, CANARY)
                assert count == 0, f"{count} pixels of it are in the picture"
        # At the place where it flickers as well as elsewhere.
        with t.twin("the granted app is in the picture all the same"):
            assert count_colour(s.act("screenshot").image, ACTOR, 25) > 20_000


@row("O02", "a notification with a one-time code", bold=True, few=3, many=100)
def toast(s, t):
    s.default()
    places = ("300x80+960+10", "300x100+250+250", "200x60+20+700")
    for trial in t:
        place = places[t.number % len(places)]
        size, x, y = place.replace("+", " ").split()
        box = (int(x), int(y), *map(int, size.split("x")))
        with canary(s, "toast", geometry=place, title=f"Your code is {SECRET}"):
            prove_colour(s, t, box=box)
            with trial:
                unseen(s, box=box)
    seen_twin(s, t)


@row("O03", "tooltip and menu of an app that is not granted, over one that is", few=1, many=20)
def popups(s, t):
    s.default()
    box = (250, 260, 200, 120)
    place = "200x120+250+260"
    for kind, trial in t.over(["tooltip", "menu"] * t.count):
        with canary(s, kind, geometry=place):
            prove_colour(s, t, box=box)
            with trial:
                unseen(s, box=box)
    own = s.play(s.actor_path, "--override-redirect", "--color", "%02x%02x%02x" % CANARY, geometry=place, title="own")
    with own, t.twin("a menu of the granted app is in the picture"):
        prove_colour(s, t, box=box)
        count = count_colour(s.act("screenshot").image, CANARY)
        assert count > 10_000, f"only {count} pixels of the menu are there"


def command(s, action, *words):
    """The same agent by the command line."""
    return s.home.run("do", action, "--desktop", s.desk.name, "--grant", f"{s.actor_path}:full", *words, timeout=60)


@row("O05", "a picture of a window by its number", few=1)
def by_number(s, t):
    s.default()
    shot = s.home.folder / "shot.jpg"
    with canary(s) as app, canary(s, title="unmapped") as hidden:
        prove_colour(s, t)
        hidden.tell("unmap")
        root = s.desk.state().get("root", 0)
        for number, trial in t.over([n for n in (app.window, hidden.window, app.window + 1, root) if n]):
            with trial:
                shot.unlink(missing_ok=True)
                done = command(s, "screenshot", "--window", str(number), "--save", str(shot))
                if done.returncode == 0:
                    assert count_colour(shot.read_bytes(), CANARY) == 0, f"window {number} was captured"
                else:
                    assert not shot.exists() or not shot.read_bytes(), "there is a picture beside the refusal"
    with t.twin("the window of the granted app"):
        done = command(s, "screenshot", "--window", str(s.actor.window), "--save", str(shot))
        assert done.returncode == 0, done.stderr
        assert count_colour(shot.read_bytes(), ACTOR, 25) > 20_000


@row("O06", "a transparent granted window over an app that is not", few=2, many=20)
def glass(s, t):
    s.default()
    with canary(s) as app:
        prove_colour(s, t)
        for trial in t:
            with s.play(s.actor_path, "--argb", geometry="200x120+830+430", title=f"glass {t.number}"):
                s.window_titled(f"glass {t.number}")
                with trial:
                    unseen(s)
        app.stop()
    seen_twin(s, t)


@row("O08", "titles of apps that are not granted", few=1)
def titles(s, t):
    s.default()
    title = f"Diagnosis {SECRET}"
    with canary(s, title=title) as app:
        shown = s.window_titled(title)
        t.proof(SECRET in str(shown), "the title in the list of the window manager")
        s.focus(app)
        calls = [("left_click", {"coordinate": THERE}), ("right_click", {"coordinate": THERE}), ("type", {"text": "a"}),
                 ("key", {"text": "a"}), ("mouse_move", {"coordinate": THERE}), ("screenshot", {}),
                 ("zoom", {"region": [800, 400, 1100, 600]}), ("cursor_position", {}),
                 ("list_granted_applications", {}), ("open_application", {"app": title}),
                 ("left_click_drag", {"start_coordinate": AT, "coordinate": THERE})]
        s.look()
        for (tool, arguments), trial in t.over(calls):
            with trial:
                reply = s.call(tool, arguments)
                told = str({k: v for k, v in reply.result.items() if k != "content"}) + reply.text
                if tool == "open_application":
                    told = told.replace(title, "")
                assert SECRET not in told, f"{tool} tells the title: {told}"
        listed = command(s, "list_windows")
        for trial in t:
            with trial:
                assert listed.returncode == 0, listed.stderr
                assert SECRET not in listed.stdout + listed.stderr, "list_windows tells the title"
    with t.twin("the title of the granted app"):
        assert "'actor'" in listed.stdout, listed.stdout


def tree(*folders):
    """Names, sizes and times of everything below: a file that came and went changes the time of its folder."""
    found = {}
    for folder in folders:
        for path in (pathlib.Path(folder), *pathlib.Path(folder).rglob("*")):
            with contextlib.suppress(OSError):
                facts = path.lstat()
                found[str(path)] = (facts.st_mtime_ns, facts.st_size)
    return found


@row("O10", "pictures in files", few=3, many=50)
def in_files(s, t):
    s.default()
    temporary = s.home.folder / "temporary"
    temporary.mkdir()
    s.serve(env={"TMPDIR": str(temporary), "TMP": str(temporary)})
    s.look()
    folders = (temporary, s.home.env["XDG_RUNTIME_DIR"], s.home.env["XDG_DATA_HOME"], s.home.folder / "config")
    before = tree(*folders)
    (temporary / "picture").write_bytes(b"x")
    (temporary / "picture").unlink()
    t.proof(tree(*folders) != before, "a file that came and went")
    for trial in t:
        before = tree(*folders)
        with trial:
            for _, reply in pictures(s):
                assert reply.image
            after = tree(*folders)
            changed = [p for p in {*before, *after} if before.get(p) != after.get(p)]
            assert not changed, f"files were written: {changed}"
    seen_twin(s, t)
    s.serve()


@row("O11", "the record keeps pictures or secrets", few=1, many=10)
def recorded(s, t):
    s.default()
    s.serve(config="clipboard_read = true\nclipboard_write = true\n")
    state = audit_folder(s).parent
    planted = state / "planted"
    planted.write_bytes(b"\xff\xd8\xff\xe0 " + TYPED.encode())
    t.proof(files_with(state, TYPED.encode()) == [str(planted)], "a secret in a file")
    t.proof(files_with(state, b"\xff\xd8\xff\xe0") == [str(planted)], "a picture in a file")
    planted.unlink()
    for trial in t:
        with trial:
            s.look()
            s.focus(s.actor)
            s.act("type", {"text": TYPED})
            s.act("write_clipboard", {"text": TYPED})
            assert TYPED in str(s.act("read_clipboard").result)
            reply = s.act("screenshot")
            for needle in (TYPED.encode(), b"\xff\xd8\xff\xe0", b"\x89PNG", base64.b64encode(TYPED.encode())[:16],
                           base64.b64encode(reply.image)[:60]):
                found = files_with(state, needle)
                assert not found, f"{needle[:20]!r} is in {found}"
    with t.twin("the calls themselves are on record"):
        assert files_with(audit_folder(s), b'"type"'), "no record of typing"
    s.serve()


def shared_segments():
    lines = pathlib.Path("/proc/sysvipc/shm").read_text().splitlines()
    names = lines[0].split()
    return [dict(zip(names, line.split())) for line in lines[1:]]


@row("O12", "memory shared with the X server is open to others", few=3, many=50)
def shared_memory(s, t):
    s.default()
    libc = ctypes.CDLL(None)
    own = libc.shmget(0, 4096, 0o1000 | 0o666)
    t.proof(any(int(r["cpid"]) == os.getpid() and int(r["perms"], 8) & 0o077 for r in shared_segments()),
            "a segment that is open to all")
    libc.shmctl(own, 0, None)
    server = s.client.process.pid
    for trial in t:
        with trial:
            number = s.client.start_call("screenshot")
            open_to_all = []
            while not s.client.has_answer(number):
                open_to_all += [r for r in shared_segments() if int(r["cpid"]) == server and int(r["perms"], 8) & 0o077]
            s.client.finish_call(number, "screenshot", timeout=CALL_PATIENCE)
            assert not open_to_all, f"others can attach to {open_to_all[0]}"
            for link in pathlib.Path(f"/proc/{server}/fd").iterdir():
                try:
                    target, facts = os.readlink(link), link.stat()
                except OSError:
                    continue
                if target.startswith("/dev/shm/"):
                    assert not stat.S_IMODE(facts.st_mode) & 0o077, f"{target} is open to others"
    seen_twin(s, t)


@row("O13", "the screen is locked", few=2, many=20)
def locked(s, t):
    s.default()
    with s.attacker("--override-redirect", "--color", "%02x%02x%02x" % CANARY, geometry="1280x800+0+0") as locker:
        locker.tell("focus")
        locker.tell("grab_keyboard")
        locker.tell("grab_pointer")
        prove_colour(s, t, box=(0, 0, 1280, 800))
        for trial in t:
            with trial:
                for what in ("jpeg", "png"):
                    reply = s.call("screenshot", {"format": what})
                    if reply.is_error:
                        continue
                    assert count_colour(reply.image, CANARY) == 0, "the locker is in the picture"
                    assert count_colour(reply.image, ACTOR, 25) == 0, "what is behind the locker is in the picture"
    seen_twin(s, t)


@row("O15", "errors that tell paths and variables", few=1)
def errors(s, t):
    s.default()
    s.serve(env={"SERVICE_TOKEN": SECRET})
    environment = pathlib.Path(f"/proc/{s.client.process.pid}/environ").read_bytes()
    t.proof(SECRET.encode() in environment, "the variable of the server")
    own = s.home.env
    private = [SECRET, own["HOME"], own["XDG_RUNTIME_DIR"], own["XDG_CONFIG_HOME"], s.env["HOME"], HANDRAIL]
    calls = [("left_click", {"coordinate": "x"}), ("left_click", {"coordinate": [1e9, 5]}), ("left_click", {}),
             ("zoom", {"region": [5, 5, 1, 1]}), ("zoom", {"region": ["$SERVICE_TOKEN"] * 4}), ("key", {"text": "$HOME"}),
             ("key", {"text": "nokey"}), ("type", {"text": 7}), ("open_application", {"app": "$SERVICE_TOKEN"}),
             ("open_application", {"app": "~"}), ("open_application", {"app": "../../etc/passwd"}),
             ("open_application", {"app": "nothing.of.that.name"}), ("switch_display", {"display": 63}),
             ("screenshot", {"format": "bmp"}), ("scroll", {"coordinate": AT, "scroll_direction": "${HOME}"}),
             ("request_access", {"apps": [{"app": "$HOME"}], "reason": "${SERVICE_TOKEN}"}),
             ("request_access", {"apps": [], "reason": ""}), ("wait", {"duration": -1}), ("read_clipboard", {}),
             ("computer_batch", {"actions": [{"action": "nothing"}]}), ("write_clipboard", {"text": "x"})]
    for (tool, arguments), trial in t.over(calls):
        with trial:
            message = s.client.answer(s.client.start_call(tool, arguments), CALL_PATIENCE)
            for value in private:
                assert value not in str(message), f"{tool} {arguments} tells {value}: {message}"
    seen_twin(s, t)
    s.serve()


@row("O17", "pictures with metadata", few=2, many=10)
def metadata(s, t):
    s.default()
    t.proof(0xE1 in segments(b"\xff\xd8\xff\xe1\x00\x02\xff\xda\x00\x02"), "a picture with Exif")
    for trial in t:
        with trial:
            for what, reply in pictures(s):
                data = reply.image
                if data[:2] == b"\xff\xd8":
                    # JFIF, tables, frame, scan.
                    extra = [hex(m) for m in segments(data) if m not in (0xE0, 0xDB, 0xC0, 0xC2, 0xC4, 0xDD, 0xDA)]
                else:
                    extra = [c for c in chunks(data) if c not in ("IHDR", "PLTE", "tRNS", "IDAT", "IEND")]
                assert not extra, f"the {what} has {extra}"
                for needle in (s.home.env["HOME"], "handrail", os.uname().nodename):
                    assert needle.encode() not in data, f"the {what} tells {needle}"
    seen_twin(s, t)


@row("O18", "the pointer's place tells what is below it", few=2, many=20)
def pointer(s, t):
    s.default()
    title = f"Below {SECRET}"
    with canary(s, title=title) as app:
        s.window_titled(title)
        # The oracle sees who is there.
        s.prove_click(t, app, THERE)
        for trial in t:
            with trial:
                for place in (THERE, [810, 410]):
                    s.hand.move(*place)
                    reply = s.call("cursor_position")
                    assert reply.is_error and reply.error["code"] == "access_denied", f"{place}: {reply}"
                    told = str(reply.result)
                    assert SECRET not in told and "canary" not in told and "at" not in reply.structured, told
                for place in (AT, [640, 20]):
                    s.hand.move(*place)
                    assert s.act("cursor_position").structured["at"] == place
                s.refused("mouse_move", {"coordinate": THERE}, "target_granted")
    with t.twin("the place of the pointer over the granted app"):
        s.look()
        s.act("mouse_move", {"coordinate": AT})
        assert s.act("cursor_position").structured["at"] == AT
