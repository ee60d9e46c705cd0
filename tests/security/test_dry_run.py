"""The dry run: every tool that acts can be judged and told without doing anything, and without telling more."""
import base64
import contextlib

from support.desk import wait_until

from security.harness import CALL_PATIENCE, PATIENCE, row
from security.rows_support import CANARY, Owner, clip, count_colour, screen_colour

AT = [400, 380]
BESIDE = "300x200+800+400"
THERE = [950, 500]
BOX = (800, 400, 300, 200)
SECRET = "canary-9a3e-hidden"
FLAGS = "clipboard_read = true\nclipboard_write = true\nsystem_keys = true\n"


def dry_cases():
    return {
        "request_access": {"apps": [{"app": "org.xfce.mousepad"}], "reason": "x"},
        "left_click": {"coordinate": AT}, "double_click": {"coordinate": AT}, "triple_click": {"coordinate": AT},
        "right_click": {"coordinate": AT}, "middle_click": {"coordinate": AT}, "mouse_move": {"coordinate": [350, 350]},
        "left_click_drag": {"start_coordinate": AT, "coordinate": [300, 300]},
        "scroll": {"coordinate": AT, "scroll_direction": "down", "scroll_amount": 3}, "left_mouse_down": {},
        "left_mouse_up": {}, "type": {"text": "dry words"}, "key": {"text": "a"},
        "hold_key": {"text": "a", "duration": 0.05},
        "open_application": {"app": "org.xfce.mousepad"}, "switch_display": {"display": 0},
        "write_clipboard": {"text": "dry words"}, "wait": {"duration": 0.01},
        "computer_batch": {"actions": [{"action": "left_click", "coordinate": AT}, {"action": "type", "text": "x"}]},
    }


def surroundings(s):
    """Everything that an act could change, seen from outside."""
    state = s.desk.state()
    state.pop("keyboard", None)
    return {"state": state, "clipboard": clip(s, "read", "UTF8_STRING"), "keys": s.desk.idle_state(),
            "grants": sorted(g["app"] for g in s.client.do("list_granted_applications",
                                                           timeout=CALL_PATIENCE).structured["granted"])}


@row("U13", "a dry run acts", bold=True, few=1, many=10)
def dry_run(s, t):
    s.default()
    s.serve(config=FLAGS)
    s.focus(s.actor)
    s.look()
    s.prove_any(t)
    cases = dry_cases()
    able = {name for name, tool in s.client.tools().items() if "dry_run" in tool["inputSchema"].get("properties", {})}
    assert able <= set(cases), f"tools without a case: {able - set(cases)}"
    assert {"left_click", "type", "key", "write_clipboard", "open_application", "computer_batch"} <= able, able
    with Owner(s, "UTF8_STRING=the person's words"):
        for (tool, arguments), trial in t.over([c for c in cases.items() if c[0] in able] * t.count):
            with trial:
                before = surroundings(s)
                s.watch.mark()
                s.call(tool, {**arguments, "dry_run": True})
                s.quiet(f"a dry run of {tool}")
                after = surroundings(s)
                assert before == after, f"a dry run of {tool} changed {[k for k in before if before[k] != after[k]]}"
    with t.twin("the same without dry_run"):
        s.look()
        s.actor.forget()
        s.act("left_click", {"coordinate": AT, "dry_run": False})
        s.actor.wait("activated")
        assert s.act("left_click", {"coordinate": AT, "dry_run": True}).structured.get("dry_run") is True
    s.serve()


@row("U15", "a batch of which only a part is a dry run", few=1, many=10)
def dry_batch(s, t):
    s.default()
    s.prove_any(t)
    steps = [{"action": "left_click", "coordinate": AT}, {"action": "type", "text": "x"}, {"action": "key", "text": "a"},
             {"action": "mouse_move", "coordinate": [350, 350]}]
    cases = [steps, steps[:1], [{**step, "dry_run": False} for step in steps], [*steps, {"action": "screenshot"}],
             [{"action": "screenshot"}, *steps]]
    for actions, trial in t.over(cases * t.count):
        s.look()
        s.focus(s.actor)
        with trial:
            before = s.desk.state()["pointer"]
            s.watch.mark()
            with contextlib.suppress(AssertionError):
                s.client.call("computer_batch", {"actions": actions, "dry_run": True}, timeout=CALL_PATIENCE)
            s.quiet("a dry run of a batch")
            assert s.desk.state()["pointer"] == before, "the pointer moved"
    with t.twin("the batch itself"):
        s.look()
        s.focus(s.actor)
        s.actor.forget()
        s.act("computer_batch", {"actions": steps})
        s.actor.wait("activated")


@row("U16", "a dry run tells what is hidden", few=1, many=10)
def dry_look(s, t):
    s.default()
    title = f"Hidden {SECRET}"
    with s.play(s.app("canary_x11", "canary"), "--kind", "toplevel", geometry=BESIDE, title=title) as hidden:
        s.window_titled(title)
        wait_until(lambda: screen_colour(s.desk.env, CANARY, BOX) >= 8, PATIENCE, "the colour on the screen")
        t.proof(screen_colour(s.desk.env, CANARY, BOX) >= 8, "the colour on the screen")
        cases = [("left_click", {"coordinate": THERE}), ("right_click", {"coordinate": THERE}),
                 ("mouse_move", {"coordinate": THERE}), ("type", {"text": "a"}), ("key", {"text": "a"}),
                 ("left_click_drag", {"start_coordinate": AT, "coordinate": THERE}), ("left_click", {"coordinate": AT})]
        for (tool, arguments), trial in t.over(cases * t.count):
            s.look()
            s.focus(hidden if tool in ("type", "key") else s.actor)
            if arguments == {"coordinate": AT}:
                # A stale place comes back with a picture.
                s.actor.tell("color cc2222")
            with trial:
                reply = s.call(tool, {**arguments, "dry_run": True})
                assert SECRET not in reply.text + str(reply.structured), f"{tool} tells the title"
                for picture in reply.images:
                    assert count_colour(base64.b64decode(picture["data"]), CANARY) == 0, f"{tool} shows the app"
                if arguments != {"coordinate": AT}:
                    assert reply.is_error, f"{tool} would be allowed: {reply.text}"
            s.actor.tell("color 3366cc")
    with t.twin("a dry run on the granted app"):
        s.default()
        assert s.act("left_click", {"coordinate": AT, "dry_run": True}).structured.get("dry_run") is True
