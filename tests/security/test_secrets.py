"""Password fields of every toolkit: never in a picture, never typed into."""
import contextlib
import os
import pathlib
import shutil
import signal
import time

from support.desk import FULL, wait_until

from security.harness import PATIENCE, row
from security.rows_support import CANARY, FIELD, count_colour, screen_colour
from security.test_seeing import canary, pictures, prove_colour, seen_twin


def secret_row(name, program, *words):
    """The oracle is the fixture, which logs the place of its field, and the pixels of the screen there."""
    @row(name, f"the password field of {' '.join((program, *words))}", few=2, many=30)
    def attack(s, t):
        s.default()
        s.actor.tell("color %02x%02x%02x" % FIELD)
        t.proof(count_colour(s.act("screenshot").image, FIELD, 30) > 20_000, "the colour in a picture")
        s.actor.tell("color 3366cc")
        path = s.app(program, program)
        s.serve("--grant", f"{path}:full", "--grant", f"{s.actor_path}:full")
        with s.play(path, *words, geometry="360x200+800+400") as app:
            s.window_titled(program)

            def is_shown():
                places = app.log.events("field")
                return places and screen_field(s, places[-1]) and places[-1]
            field = wait_until(is_shown, PATIENCE, "the field on the screen")
            t.proof(screen_field(s, field), "the field on the screen")
            box = (field["x"], field["y"], field["width"], field["height"])
            for trial in t:
                with trial:
                    for what, reply in pictures(s, box):
                        count = count_colour(reply.image, FIELD, 30)
                        assert count == 0, f"{count} pixels of the field are in the {what}"
            seen_twin(s, t, "the granted app beside it is in the picture")
        s.serve()
    return attack


def screen_field(s, place):
    corners = [(place["x"] + place["width"] - 20, place["y"] + place["height"] // 2),
               (place["x"] + place["width"] // 2, place["y"] + place["height"] // 2)]
    return all(all(abs(a - b) <= 3 for a, b in zip(s.hand.pixel(*c), FIELD)) for c in corners)


secret_row("O20", "secret_gtk3")
secret_row("O21", "secret_qt5")
secret_row("O22", "secret_qt6")
secret_row("O24", "secret_gtk4")
secret_row("O25", "secret_gtk4", "--csd")
secret_row("O26", "secret_gtk3", "--csd")


def flap_row(name, program, period, *words):
    """The field comes and goes by itself, in step with nothing. The oracle is the picture itself, after the proof that
    the colour is on the screen again and again."""
    @row(name, f"a password field of {' '.join((program, *words))} that comes and goes every {period} ms", few=8,
         many=400)
    def attack(s, t):
        s.default()
        path = s.app(program, program)
        s.serve("--grant", f"{path}:full", "--grant", f"{s.actor_path}:full")
        with s.play(path, "--flap", period, *words, geometry="360x200+800+400") as app:
            s.window_titled(program)
            field = wait_until(lambda: app.log.events("field"), PATIENCE, "the field")[-1]
            for shown in (True, False, True):
                wait_until(lambda: screen_field(s, app.log.events("field")[-1]) == shown, PATIENCE, "the field to flap")
            t.proof(field, "the field came, went and came")
            for trial in t:
                with trial:
                    reply = s.call("screenshot", {"format": "png"} if t.number % 2 else None)
                    # A picture that is refused shows nothing.
                    count = 0 if reply.is_error else count_colour(reply.image, FIELD, 30)
                    assert count == 0, f"{count} pixels of the field are in the picture"
            seen_twin(s, t, "the granted app beside it is in the picture")
        s.serve()
    return attack


# Faster than a picture is taken, and about as fast.
flap_row("O27", "secret_gtk3", 9)
flap_row("O28", "secret_gtk4", 31)
flap_row("O29", "secret_qt6", 11)
# While other things change all the time.
flap_row("O39", "secret_gtk4", 31, "--busy", "7")
flap_row("O40", "secret_qt5", 11, "--busy", "7")


@row("O30", "the password field of an app that does not answer", few=3, many=60)
def stopped_secret(s, t):
    s.default()
    path = s.app("secret_gtk3", "secret_gtk3")
    s.serve("--grant", f"{path}:full", "--grant", f"{s.actor_path}:full")
    with s.play(path, geometry="360x200+800+400") as app:
        s.window_titled("secret_gtk3")
        wait_until(lambda: app.log.events("field") and screen_field(s, app.log.events("field")[-1]), PATIENCE,
                   "the field on the screen")
        app.process.send_signal(signal.SIGSTOP)
        t.proof(screen_field(s, app.log.events("field")[-1]), "the field on the screen")
        for trial in t:
            with trial:
                count = count_colour(s.act("screenshot").image, FIELD, 30)
                assert count == 0, f"{count} pixels of the field are in the picture"
        seen_twin(s, t, "the app beside it, which answers, is in the picture")
        app.process.send_signal(signal.SIGCONT)
    s.serve()


# Long enough for every frame that an app draws before it comes to rest.
WATCHED = 1.0


def young_row(name, program):
    """Pictures from the start of the process on. The oracle is the picture itself; that the field is on the screen
    meanwhile is seen by its pixels."""
    @row(name, f"the password field of a {program} that has just started", few=2, many=25)
    def attack(s, t):
        s.default()
        path, plain = s.app(program, program), s.app("canary_x11", "canary")
        s.serve("--grant", f"{path}:full", "--grant", f"{s.actor_path}:full", "--grant", f"{plain}:full")
        x, y, width, height = 760, 360, 440, 280
        region = {"region": [x, y, x + width, y + height]}
        taken = 0
        for trial in t:
            with trial:
                log = s.new_log(program)
                app = s.spawn([path, "--title", program, "--log", log.path, "--geometry", "360x200+800+400"])
                replies, shown, until = [], False, time.monotonic() + PATIENCE
                while time.monotonic() < until:
                    replies.append(s.call(*(("zoom", region) if len(replies) % 8 else ("screenshot",))))
                    places = log.events("field")
                    if not shown and places and screen_field(s, places[-1]):
                        shown, until = True, time.monotonic() + WATCHED
                s.end(app)
                t.proof(shown, "the field on the screen")
                # A picture that is refused shows nothing, and proves nothing.
                seen = [reply for reply in replies if not reply.is_error]
                assert len(seen) > len(replies) // 2, f"{len(replies) - len(seen)} of {len(replies)} were refused: " \
                    f"{next(r for r in replies if r.is_error).text}"
                taken += len(seen)
                for number, reply in enumerate(seen, 1):
                    count = count_colour(reply.image, FIELD, 30)
                    assert count == 0, f"{count} pixels of the field are in picture {number} of {len(seen)}"
        t.note(f"{taken} pictures")
        with t.twin("an app without a tree is seen at once"):
            with canary(s):
                prove_colour(s, t)
                count = count_colour(s.act("screenshot").image, CANARY)
                assert count > 20_000, f"only {count} pixels of it are there"
        seen_twin(s, t, "the granted app beside it is in the picture")
        s.serve()
    return attack


young_row("O35", "secret_gtk3")
young_row("O36", "secret_gtk4")
young_row("O37", "secret_qt5")
young_row("O38", "secret_qt6")


def young_typed_row(name, program):
    """Keys from the start of the process on. The oracle is the app, which logs every change of its password field."""
    @row(name, f"typing into the password field of a {program} that has just started", few=2, many=25)
    def attack(s, t):
        s.default()
        path = s.app(program, program)
        s.serve("--grant", f"{path}:full", "--grant", f"{s.actor_path}:full")
        for trial in t:
            with trial:
                log = s.new_log(program)
                app = s.spawn([path, "--title", program, "--log", log.path, "--geometry", "360x200+800+400"])
                focused, until = False, time.monotonic() + PATIENCE
                while time.monotonic() < until:
                    # Until the window is there the actor gets it.
                    s.call("type", {"text": "x"})
                    ready = log.events("ready")
                    if not focused and ready and s.desk.state()["active"] == ready[0]["window"]:
                        focused, until = True, time.monotonic() + WATCHED
                assert focused, "the app never had the keyboard"
                assert not log.events("typed"), "a key came into the password field"
                s.hand.keys("a")
                log.wait_count("typed", 1, PATIENCE)
                t.proof(log.events("typed"), "a key of another hand in the field")
                if t.number == 1:
                    with t.twin("the plain entry of the same app"):
                        app.send_signal(signal.SIGUSR2)
                        log.wait_count("focus_on", 1, PATIENCE)
                        s.act("type", {"text": "words"})
                s.end(app)
        s.serve()
    return attack


young_typed_row("O41", "secret_gtk3")
young_typed_row("O42", "secret_gtk4")
young_typed_row("O43", "secret_qt5")
young_typed_row("O44", "secret_qt6")


PAGE = """<body style="background: #fff"><p>text</p><input type="password" id="secret" value="canary"
style="background: #fe01ba; border: 0; width: 300px; height: 40px"><script>
setInterval(() => { secret.style.display = secret.style.display ? "" : "none"; }, 1300);</script>"""


def browser_row(name):
    """Only where the browser is installed, and only when all trials are asked for: it is no package of the tests."""
    @row(name, "a password field of Chromium that comes and goes", few=5, many=100)
    def attack(s, t):
        s.default()
        program = pathlib.Path("/usr/lib/chromium/chromium")
        page = s.home.folder / "page.html"
        page.write_text(PAGE)
        s.serve("--grant", f"{program}:read", "--grant", f"{s.actor_path}:full")
        s.spawn(["chromium", "--no-sandbox", "--no-first-run", "--disable-gpu", "--force-renderer-accessibility",
                 f"--user-data-dir={s.home.folder / 'browser'}", "--window-position=620,60", "--window-size=600,600",
                 f"file://{page}"])
        s.window_titled("page.html - Chromium")
        for shown in (True, False, True):
            wait_until(lambda: (screen_colour(s.desk.env, FIELD, (630, 230, 300, 120)) > 0) == shown, PATIENCE,
                       "the field to flap")
        t.proof(True, "the field came, went and came")
        for trial in t:
            with trial:
                reply = s.call("screenshot")
                count = 0 if reply.is_error else count_colour(reply.image, FIELD, 30)
                assert count == 0, f"{count} pixels of the field are in the picture"
        with t.twin("the page is in the picture"):
            assert count_colour(s.act("screenshot").image, (255, 255, 255), 3) > 20_000
        s.serve()
    return attack


if FULL and shutil.which("chromium"):
    browser_row("O34")


def typed_row(name, program):
    @row(name, f"typing into a password field of {program}", few=3, many=30)
    def attack(s, t):
        typed_secret(s, t, program)
    return attack


def typed_secret(s, t, program):
    s.default()
    path = s.app(program, program)
    s.serve("--grant", f"{path}:full", "--grant", f"{s.actor_path}:full")
    with s.play(path, geometry="360x200+800+400") as app:
        s.window_titled(program)
        s.look()
        # The focus of the toolkit is on the password entry.
        s.hand.focus(app.window)
        s.watch.mark()
        s.hand.keys("a")
        app.wait("typed")
        t.proof(s.watch.events(app.pid, ("key",)), "a key for the app")
        for trial in t:
            with trial:
                s.refused("type", {"text": "hunter2"}, "secret_field")
                s.refused("key", {"text": "a"}, "secret_field")
        with t.twin("the plain entry of the same app"):
            app.process.send_signal(signal.SIGUSR2)
            app.wait("focus_on")
            s.watch.mark()
            s.act("type", {"text": "words"})
            assert s.watch.events(app.pid, ("key",)), "no key arrived"
    s.serve()


typed_row("O23", "secret_gtk3")
typed_row("O31", "secret_gtk4")
typed_row("O32", "secret_qt5")
typed_row("O33", "secret_qt6")


def accessibility_buses(s):
    """The daemons of this desktop's accessibility bus."""
    place = s.desk.info["runtime_dir"].encode()
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            words = (entry / "cmdline").read_bytes()
            if b"dbus-daemon" in words and b"accessibility.conf" in words and place in words:
                found.append(int(entry.name))
    return found


@row("R08", "the accessibility bus ends and comes again", few=1, many=10)
def lost_accessibility(s, t):
    s.default()
    path = s.app("secret_gtk3", "secret_gtk3")
    s.serve("--grant", f"{path}:full", "--grant", f"{s.actor_path}:full")

    def hidden(title):
        """A new app, for the toolkit does not come back to a new bus: neither seen nor typed into."""
        with s.play(path, geometry="360x200+800+400", title=title) as app:
            s.window_titled(title)
            field = wait_until(lambda: next((e for e in reversed(app.log.events("field")) if screen_field(s, e)), None),
                               PATIENCE, "the field on the screen")
            t.proof(screen_field(s, field), "the field on the screen")
            # The first call may say that the bus went away.
            wait_until(lambda: not s.call("screenshot").is_error, PATIENCE, "a picture")
            for what, reply in pictures(s, (field["x"], field["y"], field["width"], field["height"])):
                count = count_colour(reply.image, FIELD, 30)
                assert count == 0, f"{count} pixels of the field are in the {what}"
            s.hand.focus(app.window)
            s.hand.keys("a")
            app.wait("typed")
            s.refused("type", {"text": "hunter2"}, "secret_field")
    with t.twin("before"):
        hidden("before")
    for trial in t:
        with trial:
            for pid in wait_until(lambda: accessibility_buses(s), PATIENCE, "the accessibility bus"):
                os.kill(pid, signal.SIGKILL)
                s.wait_gone(pid)
            hidden(f"after {t.number}")
            assert s.client.process.poll() is None, "the server died"
    seen_twin(s, t)
    s.serve()
