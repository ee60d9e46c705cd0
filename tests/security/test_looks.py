"""Places out of pictures that do not hold any more: of another size, of another client, of a page that changed."""
import contextlib
import ctypes

from support import xlib
from support.desk import Desk, wait_until

from security import server_support as sup
from security.harness import CALL_PATIENCE, PATIENCE, Player, row
from security.person import Hand

AT = [400, 380]
BESIDE = "300x200+800+400"
THERE = [950, 500]


class Elsewhere:
    """Where a player runs when it is not on the stage."""

    def __init__(self, env):
        self.env = env

    def settle(self, window):
        """The whole desktop ends with the row."""


class Resources(ctypes.Structure):
    """The beginning of an XRRScreenResources."""
    _fields_ = [("timestamp", ctypes.c_ulong), ("configured", ctypes.c_ulong), ("ncrtc", ctypes.c_int),
                ("crtcs", ctypes.POINTER(ctypes.c_ulong))]


def resize(env, width, height):
    """Another resolution, as a person or another program sets it."""
    randr = ctypes.CDLL("libXrandr.so.2")
    randr.XRRGetScreenResources.restype = ctypes.POINTER(Resources)
    with xlib._display(env) as (x11, display):
        x11.XDefaultRootWindow.restype = ctypes.c_ulong
        root = ctypes.c_ulong(x11.XDefaultRootWindow(display))
        found = randr.XRRGetScreenResources(display, root)
        for crtc in found.contents.crtcs[:found.contents.ncrtc]:
            randr.XRRSetCrtcConfig(display, found, ctypes.c_ulong(crtc), ctypes.c_ulong(0), 0, 0, ctypes.c_ulong(0), 1,
                                   None, 0)
        randr.XRRSetScreenSize(display, root, width, height, width // 4, height // 4)


def size_of(desk):
    root = desk.state()["root"]
    return root["width"], root["height"]


@row("T21", "places of a picture from before the resolution changed", few=3, many=50)
def resolution(s, t):
    s.default()
    sizes = ((1000, 700), (1200, 720), (900, 640))
    with Desk(name="resized") as desk, desk.mcp("--grant", f"{s.actor_path}:full") as client:
        log = s.new_log("resized")
        argv = [str(s.actor_path), "--log", str(log.path), "--override-redirect", "--geometry", "600x400+100+100"]
        with Player(Elsewhere({**desk.home.env, **desk.env}), argv, log) as app:
            Hand(desk.env).click(*AT)
            app.wait("release")
            t.proof(app.received("press"), "a press on the app")
            for trial in t:
                client.do("screenshot", timeout=CALL_PATIENCE)
                wanted = sizes[t.number % len(sizes)]
                resize(desk.env, *wanted)
                wait_until(lambda: size_of(desk) == wanted, PATIENCE, "the other resolution")
                app.forget()
                with trial:
                    for tool in ("left_click", "mouse_move", "right_click"):
                        reply = client.call(tool, {"coordinate": AT}, timeout=CALL_PATIENCE)
                        assert reply.error.get("gate") in ("stale_look", "stale_pixels"), f"{tool}: {reply}"
                    assert not app.received("press", "release", "motion", "enter"), f"the app got {app.received()}"
                with t.twin("a click by a picture of the new size"):
                    client.do("screenshot", timeout=CALL_PATIENCE)
                    app.forget()
                    client.do("left_click", {"coordinate": AT}, timeout=CALL_PATIENCE)
                    app.wait("activated")


@row("T23", "places of another client's picture", few=2, many=50)
def others_picture(s, t):
    s.default()
    s.prove_click(t, s.actor, AT)
    s.end_server()
    for trial in t:
        with contextlib.ExitStack() as closing:
            seeing, blind, late = (closing.enter_context(sup.second(s)) for _ in range(3))
            late.do("screenshot", timeout=CALL_PATIENCE)
            s.actor.tell(f"color {('cc2222', '22cc22')[t.number % 2]}")
            s.hand.move(5, 795)
            seeing.do("screenshot", timeout=CALL_PATIENCE)
            s.watch.mark()
            s.actor.forget()
            with trial:
                # One has seen nothing, the other has seen what is not there any more; the third's picture helps neither.
                for client, what in ((blind, "without a picture"), (late, "with an old picture")):
                    for tool in ("left_click", "double_click", "mouse_move"):
                        reply = sup.call(client, tool, {"coordinate": AT})
                        assert reply.error.get("code") == "target_stale", f"{tool} {what}: {reply}"
                    # The desktop is the next one's.
                    client.close(check=False)
                s.quiet("a place of another client's picture")
                assert not s.actor.received("press", "motion", "enter"), "the app got the pointer"
            sup.kill(blind)
            sup.kill(late)
            with t.twin("the client that has the picture"):
                reply = sup.call(seeing, "left_click", {"coordinate": AT})
                assert not reply.is_error, reply
                s.actor.wait("activated")
    s.actor.tell("color 3366cc")


@row("T26", "a page changes what a click means, and no pixel", few=2, many=20)
def swapped_link(s, t):
    """What a click means inside an app is the app's own; for the apps where strangers decide that, no click is given."""
    s.default()
    path = s.app("actor_x11", "chromium")
    s.install("chromium", str(path))
    with s.play(path, geometry=BESIDE, title="page") as page:
        s.window_titled("page")
        s.prove_click(t, page, THERE)
        for words in (("--grant", f"{s.actor_path}:full"),
                      ("--grant", f"{s.actor_path}:full", "--grant", f"{path}:read")):
            s.serve(*words)
            s.call("request_access", {"apps": [{"app": "chromium", "tier": "full"}], "reason": "To follow a link."})
            for trial in t:
                s.look()
                before = s.hand.pixel(*THERE)
                # What it will do at the next click is another thing now; nothing shows it.
                page.tell("raise")
                page.forget()
                with trial:
                    assert s.hand.pixel(*THERE) == before, "no pixel may change"
                    for tool in ("left_click", "double_click", "middle_click", "mouse_move"):
                        s.refused(tool, {"coordinate": THERE}, "tier", "target_granted")
                    assert not page.received("press", "enter", "motion"), "the page got the pointer"
    with t.twin("a click on an app that may be clicked"):
        s.default()
        s.act("left_click", {"coordinate": AT})
        s.actor.wait("activated")
