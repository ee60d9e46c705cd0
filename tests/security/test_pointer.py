"""Pointer target and time: who gets the click, the drag and the keys."""
import json
import random
import time

from support import png
from support.desk import Desk, wait_until

from security.harness import CALL_PATIENCE, PATIENCE, SEED, SWITCHED_OFF, Player, row
from security.person import Hand
from security.rows_support import records

# Inside the actor's window, 400x300+200+200.
AT = [400, 380]
OVER = "200x200+300+280"
# Beside it.
BESIDE = "300x200+800+400"
THERE = [950, 500]
NOT_GRANTED = ("target_granted", "stale_pixels", "stale_look")


def click_twin(s, t, at=None):
    """The granted app is clicked as soon as nothing is in the way."""
    with t.twin("a click on the granted app"):
        s.look()
        s.actor.forget()
        s.act("left_click", {"coordinate": at or AT})
        wait_until(lambda: s.actor.received("activated"), PATIENCE, "the click")


def key_twin(s, t):
    with t.twin("a key for the granted app"):
        s.focus(s.actor)
        s.actor.forget()
        s.act("key", {"text": "a"})
        wait_until(lambda: s.actor.received("key_release"), PATIENCE, "the key")


def untouched(evil):
    assert not evil.received(), f"the attacker received {evil.received()[:3]}"


def no_symbol(s, evil):
    """Nothing that means anything: no button, and no key that makes a symbol."""
    told = [e for e in evil.received() if e.get("keycode") not in s.hand.empty_keys()]
    assert not told, f"the attacker received {told[:3]}"


@row("T01", "a window pops up between picture and click", few=8, many=3000, race=True)
def popup(s, t):
    s.default()
    pick = random.Random(SEED)
    with s.attacker("--unmapped", "--override-redirect", geometry=OVER) as evil:
        evil.tell("map")
        s.prove_click(t, evil, AT)
        for trial in t:
            evil.tell("unmap")
            s.look()
            with trial:
                evil.start("map")
                time.sleep(pick.uniform(0, 0.05))  # the attack's own timing
                s.call("left_click", {"coordinate": AT})
                evil.tell("raise")
                assert not evil.received("activated"), "the window that popped up was clicked"
    click_twin(s, t)


def overlay(s, t, evil):
    s.prove_click(t, evil, AT)
    s.focus(s.actor)
    for trial in t:
        with trial:
            s.look()
            evil.forget()
            s.refused("left_click", {"coordinate": AT}, *NOT_GRANTED)
            untouched(evil)


@row("T02", "an InputOnly overlay has no pixels", bold=True, few=5, many=500)
def input_only(s, t):
    s.default()
    with s.attacker("--input-only", "--override-redirect", geometry=OVER) as evil:
        overlay(s, t, evil)
    click_twin(s, t)


@row("T03", "overlays that show what is below: clipped to nothing, without background, transparent", few=3, many=300)
def invisible(s, t):
    s.default()
    for kind in ("--shaped", "--bare", "--argb"):
        with s.attacker(kind, "--override-redirect", geometry=OVER) as evil:
            overlay(s, t, evil)
    click_twin(s, t)


@row("T05", "an overlay that comes and goes under the window manager's grab and replay", bold=True, few=60, many=3000,
     race=True)
def flapping(s, t):
    s.default()
    with s.attacker("--input-only", "--override-redirect", "--unmapped", geometry=OVER) as evil:
        evil.tell("map")
        s.prove_click(t, evil, AT)
        evil.tell("unmap")
        s.focus(s.actor)
        s.look()
        answers, presses = {}, 0
        for trial in t:
            third = max(1, t.count // 3)
            if t.number % third == 0:
                evil.tell("still")
                evil.tell(f"flap {(150, 500, 2000)[min(2, t.number // third)]} {SEED + t.number}")
            with trial:
                evil.forget()
                reply = s.call("left_click", {"coordinate": AT})
                said = reply.error.get("gate", reply.error.get("code")) if reply.is_error else "clicked"
                answers[said] = answers.get(said, 0) + 1
                if said in ("stale_look", "stale_pixels"):
                    s.look()
                assert not evil.received("activated"), f"the attacker was activated: {reply}"
                presses += len(evil.received("press"))
        evil.tell("still")
        evil.tell("unmap")
        t.note(f"answers {answers}; {presses} presses reached the attacker, 0 releases on it")
    s.look()
    for _ in range(t.count):
        with t.twin("a click without an attacker"):
            s.act("left_click", {"coordinate": AT})


@row("T06", "the focus is stolen in the middle of typing", bold=True, few=5, many=500)
def focus_thief(s, t):
    s.default()
    pick = random.Random(SEED)
    stolen = 0
    with s.attacker("--unmapped", "--override-redirect", geometry=BESIDE) as evil:
        evil.tell("steal")
        wait_until(lambda: s.desk.state()["focus"] == evil.window, PATIENCE, "the theft")
        s.prove_key(t, evil)
        for trial in t:
            evil.tell("unmap")
            s.focus(s.actor)
            s.watch.mark()
            evil.forget()
            s.actor.forget()
            with trial:
                evil.tell(f"steal_after {pick.randrange(1, 150)}")
                reply = s.call("type", {"text": "abcdefghij" * 20})
                evil.tell("raise")
                got = max(s.watch.events(evil.pid, ("key",)), evil.received("key"), key=len)
                stolen += bool(evil.received("stolen"))
                assert len(got) <= 1, f"the thief received {len(got)} keys"
                # By its own log: the listener of the X server may miss a part of a burst on a busy machine.
                arrived = len(s.actor.received("key"))
                if arrived < 200:
                    assert reply.is_error, f"{arrived} keys arrived, {len(got)} at the thief, and the reply says: {reply.text}"
        t.note(f"{stolen} thefts happened while typing")
        t.proof(stolen > 0, "no theft happened in time")
    with t.twin("the same text without a thief"):
        s.focus(s.actor)
        s.actor.forget()
        s.act("type", {"text": "abcdefghij" * 20})
        wait_until(lambda: len(s.actor.received("key_release")) >= 200, PATIENCE, "200 keys")


@row("T07", "another client holds the keyboard", few=3, many=100)
def keyboard_grab(s, t):
    s.default()
    with s.attacker(geometry=BESIDE) as evil:
        evil.tell("grab_keyboard")
        s.prove_key(t, evil)
        s.focus(s.actor)
        for trial in t:
            with trial:
                evil.forget()
                s.refused("type", {"text": "secret"}, "target_granted", probes=True)
                s.refused("key", {"text": "a"}, "target_granted", probes=True)
                no_symbol(s, evil)
        evil.tell("ungrab")
    key_twin(s, t)


@row("T08", "another client holds the pointer", few=3, many=100)
def pointer_grab(s, t):
    s.default()
    with s.attacker(geometry=BESIDE) as evil:
        evil.tell("grab_pointer")
        s.prove_click(t, evil, AT)
        for trial in t:
            with trial:
                s.look()
                evil.forget()
                reply = s.call("left_click", {"coordinate": AT})
                assert reply.is_error, f"a click into a grab was reported as done: {reply.text}"
                there = [(e["root_x"], e["root_y"]) for e in evil.received("release")]
                assert tuple(AT) not in there, "the press was not taken back"
        evil.tell("ungrab")
    s.idle()
    click_twin(s, t)


@row("T10", "_NET_ACTIVE_WINDOW names the granted app, the focus is elsewhere", bold=True, few=5, many=200)
def forged_active(s, t):
    s.default()
    with s.attacker(geometry=BESIDE) as evil:
        s.focus(evil)
        s.prove_key(t, evil)
        for trial in t:
            with trial:
                s.focus(evil)
                wait_until(lambda: forged(s, evil), PATIENCE, "the forged property")
                evil.forget()
                s.refused("key", {"text": "a"}, "target_granted")
                s.refused("type", {"text": "secret"}, "target_granted")
                untouched(evil)
    key_twin(s, t)


def forged(s, evil):
    """The window manager writes the property too, a moment after the focus."""
    evil.tell(f"forge_active {s.actor.window}")
    return s.desk.state()["active"] == s.actor.window and s.desk.state()["focus"] == evil.window


@row("T11", "a window leaves itself out of _NET_CLIENT_LIST", few=2, many=50)
def forged_list(s, t):
    s.default()
    with s.attacker("--color", "fe01fd", geometry=BESIDE) as evil:
        s.window_titled("attacker")
        s.prove_click(t, evil, THERE)
        t.proof(s.hand.pixel(*THERE) == (0xFE, 0x01, 0xFD), "the window is not on the screen")
        for trial in t:
            with trial:
                evil.tell("forge_clients")
                picture = png.decode(s.client.do("screenshot", {"format": "png"}, timeout=CALL_PATIENCE).image)
                assert picture.pixel(*THERE) != (0xFE, 0x01, 0xFD), "the picture shows the hidden window"
                s.refused("left_click", {"coordinate": THERE}, *NOT_GRANTED)
    with t.twin("the granted app is in the picture"):
        picture = png.decode(s.client.do("screenshot", {"format": "png"}, timeout=CALL_PATIENCE).image)
        assert picture.pixel(*AT) == (0x33, 0x66, 0xCC), f"the granted app looks like {picture.pixel(*AT)}"


@row("T12", "a dialog claims to belong to the granted app", few=3, many=100)
def transient(s, t):
    s.default()
    with s.attacker("--transient-for", s.actor.window, geometry=BESIDE) as evil:
        s.window_titled("attacker")
        s.prove_click(t, evil, THERE)
        for trial in t:
            with trial:
                s.look()
                s.refused("left_click", {"coordinate": THERE}, *NOT_GRANTED)
                untouched(evil)
    click_twin(s, t)


@row("T13", "a window moves into the granted app's window", few=3, many=100)
def reparented(s, t):
    s.default()
    with s.attacker("--override-redirect", "--unmapped", geometry="100x100+0+0") as evil:
        evil.tell(f"reparent {s.actor.window} 150 130")
        s.prove_click(t, evil, AT)
        for trial in t:
            with trial:
                s.look()
                s.refused("left_click", {"coordinate": AT}, *NOT_GRANTED)
                untouched(evil)
    click_twin(s, t)


@row("T15", "window frames and the desktop's menu", few=2, many=20)
def decorations(s, t):
    s.default()
    s.prove_any(t)
    frame = s.window_titled("actor")["frame"]
    close = [frame["x"] + frame["width"] - 10, frame["y"] + 10]
    for trial in t:
        with trial:
            s.look()
            s.refused("left_click", {"coordinate": close}, *NOT_GRANTED)
            s.refused("right_click", {"coordinate": [40, 600]}, *NOT_GRANTED, "tier")
            s.refused("middle_click", {"coordinate": [40, 600]}, *NOT_GRANTED, "tier")
            s.refused("scroll", {"coordinate": [40, 600], "scroll_direction": "down", "scroll_amount": 2},
                      *NOT_GRANTED)
            assert s.actor.process.poll() is None, "the app was closed"
    click_twin(s, t)


@row("T16", "a hot corner", few=2, many=50)
def corner(s, t):
    s.default()
    with s.attacker("--input-only", "--override-redirect", geometry="3x3+0+0") as evil:
        s.hand.move(1, 1)
        evil.wait("enter")
        t.proof(s.watch.events(evil.pid, ("enter",)), "the pointer in the corner")
        s.hand.move(5, 795)
        evil.wait("leave")
        for trial in t:
            with trial:
                evil.forget()
                s.refused("mouse_move", {"coordinate": [0, 0]}, *NOT_GRANTED)
                s.watch.fence()
                assert not evil.received("enter"), "the corner was reached"
    with t.twin("a move over the granted app"):
        s.actor.forget()
        s.act("mouse_move", {"coordinate": AT})
        s.actor.wait("enter")


@row("T17", "a drag from the granted app onto another", bold=True, few=3, many=100)
def drag(s, t):
    s.default()
    clicker = s.app("actor_x11", "clicker")
    s.serve("--grant", f"{s.actor_path}:full", "--grant", f"{clicker}:click")
    with s.attacker("--motion", geometry="200x150+850+500") as evil, \
            s.play(clicker, "--motion", geometry="200x150+850+150") as click_only:
        s.window_titled("clicker")
        s.window_titled("attacker")
        s.prove_click(t, evil, [950, 580])
        s.prove_click(t, click_only, [950, 230])
        for trial in t:
            with trial:
                s.look()
                for end, other in (([950, 580], evil), ([950, 230], click_only)):
                    other.forget()
                    s.refused("left_click_drag", {"start_coordinate": AT, "coordinate": end}, *NOT_GRANTED, "tier")
                    s.refused("left_click_drag", {"start_coordinate": end, "coordinate": AT}, *NOT_GRANTED, "tier")
                    untouched(other)
        with t.twin("a click on the app with the lower tier"):
            s.look()
            s.act("left_click", {"coordinate": [950, 230]})
            click_only.wait("activated")
    with t.twin("a drag inside the granted app"):
        s.look()
        s.actor.forget()
        s.act("left_click_drag", {"start_coordinate": AT, "coordinate": [450, 420]})
        s.actor.wait("release")


@row("T18", "a drag in pieces", few=3, many=100)
def drag_in_pieces(s, t):
    s.default()
    with s.attacker("--motion", geometry=BESIDE) as evil:
        s.window_titled("attacker")
        s.prove_click(t, evil, THERE)
        for trial in t:
            with trial:
                s.look()
                evil.forget()
                s.act("mouse_move", {"coordinate": AT})
                s.act("left_mouse_down")
                moved = s.call("mouse_move", {"coordinate": THERE})
                up = s.call("left_mouse_up")
                assert moved.is_error or up.is_error, f"dropped on another app: {moved.text} {up.text}"
                if up.is_error:
                    s.call("mouse_move", {"coordinate": AT})
                    s.call("left_mouse_up")
                s.idle()
                ends = [e for e in s.watch.events(kinds=("release",))
                        if e["root_x"] >= 800 and e["root_y"] >= 400]
                assert not ends, f"the button came up over the other app: {ends[0]}"
                s.watch.mark()
    with t.twin("a drag in pieces inside the granted app"):
        s.look()
        s.actor.forget()
        s.act("mouse_move", {"coordinate": AT})
        s.act("left_mouse_down")
        s.act("mouse_move", {"coordinate": [450, 420]})
        s.act("left_mouse_up")
        s.actor.wait("release")


@row("T20", "hovering over an app that is not granted", few=3, many=100)
def hover(s, t):
    s.default()
    with s.attacker("--motion", geometry=BESIDE) as evil:
        s.window_titled("attacker")
        s.hand.move(*THERE)
        evil.wait("motion")
        t.proof(s.watch.events(evil.pid, ("motion",)), "the pointer over the app")
        for trial in t:
            with trial:
                s.look()
                s.watch.mark()
                evil.forget()
                s.refused("mouse_move", {"coordinate": THERE}, *NOT_GRANTED)
                assert not evil.received("enter", "motion"), "the app saw the pointer"
    with t.twin("hovering over the granted app"):
        s.actor.forget()
        s.act("mouse_move", {"coordinate": AT})
        s.actor.wait("enter")


@row("T22", "places of a picture of another display", few=2, many=20)
def other_display(s, t):
    s.default()
    s.prove_any(t)
    with Desk("--screen", "800x600", "--screen", "640x480", name="two") as two, \
            two.mcp("--grant", f"{s.actor_path}:full") as client:
        # Both displays show the granted app, so that only the picture is wrong.
        log = s.new_log("two")
        argv = [str(s.actor_path), "--log", str(log.path), "--override-redirect", "--geometry", "1440x600+0+0"]
        with Player(Elsewhere({**two.home.env, **two.env}), argv, log) as app:
            Hand(two.env).click(300, 300)
            app.wait("release")
            t.proof(app.received("press"), "a press on the app")
            for trial in t:
                app.forget()
                with trial:
                    client.do("switch_display", {"display": 0}, timeout=CALL_PATIENCE)
                    client.do("screenshot", timeout=CALL_PATIENCE)
                    client.do("switch_display", {"display": 1}, timeout=CALL_PATIENCE)
                    reply = client.call("left_click", {"coordinate": [300, 300]}, timeout=CALL_PATIENCE)
                    assert reply.is_error, f"clicked by the picture of another display: {reply.text}"
                    assert not app.received(), "the app got the click"
            with t.twin("a click by a new picture"):
                client.do("screenshot", timeout=CALL_PATIENCE)
                client.do("left_click", {"coordinate": [300, 300]}, timeout=CALL_PATIENCE)
                app.wait("activated")


class Elsewhere:
    """Where a player runs when it is not on the stage."""

    def __init__(self, env):
        self.env = env

    def settle(self, window):
        """No window manager of ours is here."""


@row("T25", "the label changes, the pixels at the point do not", few=3, many=50)
def relabelled(s, t):
    s.default()
    s.prove_click(t, s.actor, AT)
    content = s.window_titled("actor")["content"]
    x, y = AT[0] - content["x"], AT[1] - content["y"]
    for trial in t:
        with trial:
            s.actor.tell("color 3366cc")
            s.look()
            before = s.hand.pixel(*AT)
            for box in ((x - 60, y - 60, 120, 54), (x - 60, y + 6, 120, 54), (x - 60, y - 60, 54, 120),
                        (x + 6, y - 60, 54, 120)):
                s.actor.tell("fill %d %d %d %d cc2222" % box)
            assert s.hand.pixel(*AT) == before, "the pixel at the point must stay"
            s.refused("left_click", {"coordinate": AT}, "stale_pixels", "stale_look")
    s.actor.tell("color 3366cc")
    click_twin(s, t)


@row("T27", "a window opens under the second half of a double click", few=5, many=200)
def second_click(s, t):
    s.default()
    with s.attacker("--unmapped", "--override-redirect", geometry=OVER) as evil:
        evil.tell("map")
        s.prove_click(t, evil, AT)
        sprung = 0
        for trial in t:
            evil.tell("unmap")
            s.look()
            evil.forget()
            with trial:
                evil.tell("on_press")
                s.call("double_click", {"coordinate": AT})
                evil.tell("raise")
                sprung += bool(evil.received("sprung"))
                assert not evil.received("activated"), "the second click hit the window that opened"
        t.proof(sprung > 0, "no window opened")
        t.note(f"{sprung} windows opened on the first press")
    s.idle()
    with t.twin("a double click without a surprise"):
        s.look()
        s.actor.forget()
        s.act("double_click", {"coordinate": AT})
        s.actor.wait("activated", 2)


@row("T28", "a batch that reaches an app which is not granted", few=2, many=50)
def batch(s, t):
    s.default()
    with s.attacker(geometry=BESIDE) as evil:
        s.window_titled("attacker")
        s.prove_click(t, evil, THERE)
        for trial in t:
            with trial:
                s.look()
                s.actor.forget()
                evil.forget()
                reply = s.call("computer_batch", {"actions": [
                    {"action": "left_click", "coordinate": AT}, {"action": "left_click", "coordinate": THERE},
                    {"action": "left_click", "coordinate": AT}]})
                assert reply.is_error, f"the batch was reported as done: {reply.text}"
                s.watch.fence()
                untouched(evil)
                assert len(s.watch.events(s.actor.pid, ("press",))) <= 1, "the rest of the batch ran"
                s.watch.mark()
    with t.twin("a batch inside the granted app"):
        s.look()
        s.act("computer_batch", {"actions": [{"action": "left_click", "coordinate": AT},
                                             {"action": "key", "text": "a"}]})


@row("T30", "a screen locker in front", few=2, many=50)
def locker(s, t):
    s.default()
    with s.attacker("--override-redirect", geometry="1280x800+0+0") as evil:
        evil.tell("focus")
        evil.tell("grab_keyboard")
        evil.tell("grab_pointer")
        s.prove_key(t, evil)
        for trial in t:
            with trial:
                evil.forget()
                for tool, arguments in (("type", {"text": "secret\n"}), ("key", {"text": "Return"}),
                                        ("left_click", {"coordinate": AT})):
                    s.refused(tool, arguments, *NOT_GRANTED, probes=True)
                no_symbol(s, evil)
    key_twin(s, t)


@row("T31", "places that are not on the screen", few=1)
def outside(s, t):
    s.default()
    s.prove_any(t)
    places = [[-1, 5], [5, -1], [1280, 5], [5, 800], [1e9, 5], [-1e9, -1e9], [2**31, 2**31], [1e18, 0]]
    for place, trial in t.over(places):
        with trial:
            s.rejected("mouse_move", {"coordinate": place})
            s.rejected("left_click", {"coordinate": place})
            s.rejected("left_click_drag", {"start_coordinate": AT, "coordinate": place})
    pointer = s.desk.state()["pointer"]
    assert 0 <= pointer["x"] < 1280 and 0 <= pointer["y"] < 800
    click_twin(s, t)


def stays_off(s, again):
    """As after `handrail stop`: a server that starts anew is off too."""
    told = json.loads(s.home.run("status", "--json").stdout)
    assert told["stopped"] and "a press went to" in told["reason"], f"no mark is left: {told}"
    if again:
        s.serve(*s.words)
        s.focus(s.actor)
        s.refused("key", {"text": "a"}, "kill_switch")


@row("T32", "a press that went elsewhere is not reported as done", few=60, many=3000, race=True)
def honest(s, t):
    s.default()
    with s.attacker("--input-only", "--override-redirect", "--unmapped", geometry=OVER) as evil:
        evil.tell("map")
        s.prove_click(t, evil, AT)
        evil.tell("unmap")
        s.focus(s.actor)
        s.look()
        evil.tell(f"flap 400 {SEED}")
        astray = 0
        for trial in t:
            with trial:
                evil.forget()
                reply = s.client.call("left_click", {"coordinate": AT}, timeout=CALL_PATIENCE)
                s.watch.fence()
                if reply.error.get("gate") in ("stale_look", "stale_pixels"):
                    s.look()
                if evil.received("press"):
                    astray += 1
                    assert reply.is_error, f"the attacker got the press, the agent was told: {reply.text}"
                    assert SWITCHED_OFF in reply.text, f"the session goes on: {reply.text}"
                    told = [r for r in records(s) if r["kind"] == "outcome"][-1]
                    assert told.get("delivered") == "elsewhere", f"the record says {told}"
                    s.refused("left_click", {"coordinate": AT}, "kill_switch")
                    stays_off(s, again=astray == 1)
                    s.resume()
        evil.tell("still")
        evil.tell("unmap")
        t.note(f"{astray} presses went astray")
    click_twin(s, t)


TOOLS = {
    "click": [("mouse_move", {"coordinate": THERE}), ("left_click", {"coordinate": THERE}),
              ("double_click", {"coordinate": THERE}),
              ("scroll", {"coordinate": THERE, "scroll_direction": "down", "scroll_amount": 1})],
    "full": [("right_click", {"coordinate": THERE}), ("middle_click", {"coordinate": THERE}),
             ("left_click", {"coordinate": THERE, "text": "ctrl"}),
             ("left_click_drag", {"start_coordinate": THERE, "coordinate": [960, 510]}), ("type", {"text": "a"}),
             ("key", {"text": "a"}), ("hold_key", {"text": "a", "duration": 0.02})],
}


@row("G6", "every tool at every tier that is too low for it", few=1)
def tiers(s, t):
    s.default()
    low = s.app("actor_x11", "low")
    with s.play(low, geometry=BESIDE) as app:
        s.window_titled("low")
        s.focus(app)
        s.prove_click(t, app, THERE)
        for tier, refused, allowed in (("read", ("click", "full"), ()), ("click", ("full",), ("click",)),
                                       ("full", (), ("click", "full"))):
            s.serve("--grant", f"{low}:{tier}", "--grant", f"{s.actor_path}:full")
            s.look()
            for (tool, arguments), trial in t.over([call for kind in refused for call in TOOLS[kind]]):
                with trial:
                    s.focus(app)
                    s.refused(tool, arguments, "tier")
            for tool, arguments in [call for kind in allowed for call in TOOLS[kind]]:
                with t.twin(f"{tool} at tier {tier}"):
                    s.focus(app)
                    s.act(tool, arguments)
