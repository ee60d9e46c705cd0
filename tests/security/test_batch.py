"""Batches: a step that is refused ends the batch, whichever gate refuses it and wherever it stands."""
from security.harness import row

AT = [400, 380]
BESIDE = "300x200+800+400"
THERE = [950, 500]
KEY = {"action": "key", "text": "a"}
MOVE = {"action": "mouse_move", "coordinate": [350, 350]}


def keys_of(s):
    """Keys that the granted app received since the mark."""
    return s.watch.events(s.actor.pid, ("key",))


@row("B01", "a batch goes on after a step where the screen has changed", few=2, many=50)
def stale_step(s, t):
    s.default()
    s.prove_any(t)
    click = {"action": "left_click", "coordinate": AT}
    for trial in t:
        s.look()
        s.focus(s.actor)
        s.actor.tell("color cc2222")
        try:
            with trial:
                for steps in ([click, KEY], [MOVE, click, KEY, KEY], [click, {"action": "type", "text": "abc"}]):
                    s.watch.mark()
                    reply = s.call("computer_batch", {"actions": steps})
                    assert reply.is_error, f"the batch was reported as done: {reply.text}"
                    assert not s.watch.events(s.actor.pid, ("press",)), "the click was made"
                    assert not keys_of(s), "the rest of the batch ran"
        finally:
            s.actor.tell("color 3366cc")
    twin(s, t)


@row("B02", "a batch goes on after a step that another gate refuses", few=1, many=20)
def refused_step(s, t):
    s.default()
    with s.attacker(geometry=BESIDE) as evil:
        s.window_titled("attacker")
        s.prove_click(t, evil, THERE)
        bad = [{"action": "left_click", "coordinate": THERE}, {"action": "key", "text": "ctrl+alt+Delete"},
               {"action": "type", "text": "; rm -rf /\n"}, {"action": "read_clipboard"},
               {"action": "write_clipboard", "text": "a"}, {"action": "open_application", "app": "nothing.of.that.name"},
               {"action": "left_click_drag", "start_coordinate": AT, "coordinate": THERE}]
        for step, trial in t.over(bad * t.count):
            s.look()
            s.focus(s.actor)
            evil.forget()
            with trial:
                for steps in ([step, KEY], [KEY, step, KEY]):
                    s.watch.mark()
                    reply = s.call("computer_batch", {"actions": steps})
                    assert reply.is_error, f"the batch was reported as done: {reply.text}"
                    assert len(keys_of(s)) <= steps.index(step), f"the rest ran after {step}"
                    assert not evil.received(), f"the attacker received {evil.received()[:3]}"
    twin(s, t)


def twin(s, t):
    with t.twin("a batch of steps that are all allowed"):
        s.default()
        s.act("computer_batch", {"actions": [{"action": "left_click", "coordinate": AT}, KEY, MOVE]})
        s.actor.wait("activated")
        s.actor.wait("key")
