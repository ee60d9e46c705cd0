"""Keys and shortcuts: combinations that an agent does not get, however they are spelled or put together."""
import itertools
import time

from support import xlib
from support.desk import most_seconds, wait_until

from security.harness import CALL_PATIENCE, PATIENCE, row
from security.person import ALT_MASK

BESIDE = "300x200+800+400"
THERE = [950, 500]
SUPER = ("super", "meta", "cmd", "command", "win", "windows", "mod4", "Super_L", "Super_R", "SUPER", "Hyper_L")
ALT = ("alt", "option", "Alt_L", "Alt_R", "ALT", "mod1")
CTRL = ("ctrl", "control", "Control_L", "Control_R", "CTRL")
# What a combination becomes when a client reads it: Alt and Tab at once, Control and q at once.
MOD1, CONTROL = 8, 4


def key_twin(s, t, text="ctrl+s"):
    with t.twin(f"the key {text}"):
        s.focus(s.actor)
        s.actor.forget()
        s.act("key", {"text": text})
        wait_until(lambda: s.actor.received("key_release"), PATIENCE, "the key")


def refuse_keys(s, t, chords):
    """Each chord is refused, by the gate or as no key at all, and nobody receives anything."""
    s.default()
    s.prove_any(t)
    for chord, trial in t.over(chords):
        with trial:
            s.rejected("key", {"text": chord})
    s.idle()


def chords_seen(s, keycode, mask):
    """Presses of a key while the modifier was down, as the app saw them."""
    return [e for e in s.actor.received("key") if e["keycode"] == keycode and e["state"] & mask]


@row("K01", "every alias of a modifier with every blocked key", few=1)
def aliases(s, t):
    chords = [f"{m}+{k}" for m, k in itertools.product(SUPER, ("d", "l", "Tab", "D"))]
    chords += list(SUPER[:8])
    chords += [f"{m}+{k}" for m, k in itertools.product(ALT, ("F4", "Tab", "F2", "space", "f4"))]
    chords += [f"{c}+{a}+{k}" for c, a, k in itertools.product(CTRL[:3], ALT[:3], ("t", "l", "Delete", "BackSpace", "F1"))]
    chords += [f"{c}+{k}" for c, k in itertools.product(CTRL, ("q", "Escape", "Q"))]
    refuse_keys(s, t, chords)
    key_twin(s, t)


@row("K02", "keysyms by number and by Unicode", few=1)
def by_number(s, t):
    refuse_keys(s, t, ["0xffeb", "0xFFEC", "0xffeb+d", "alt+0xff09", "alt+0xffc1", "ctrl+0x71", "ctrl+U+0071",
                       "ctrl+U0071", "ctrl+XK_q", "XK_Super_L", "ctrl+alt+0xffff", "ctrl+alt+0xff08"])
    key_twin(s, t)


@row("K03", "keycodes", few=1)
def raw_codes(s, t):
    refuse_keys(s, t, ["133", "alt+23", "#133", "keycode133", "ctrl+24", "64+23", "-1", "999"])
    key_twin(s, t)


@row("K05", "a combination made of hold_key and key", bold=True, few=3, many=50)
def held(s, t):
    s.default()
    s.prove_any(t)
    tab, q = s.hand.keycode("Tab"), s.hand.keycode("q")
    s.hand.keys("Control_L", "q")
    s.actor.wait("key_release", 2)
    t.proof(chords_seen(s, q, CONTROL), "Control and q at once")
    combinations = [("alt", "Tab", tab, MOD1), ("ctrl", "q", q, CONTROL)]
    for trial in t:
        with trial:
            for modifier, key, code, mask in combinations:
                s.focus(s.actor)
                s.actor.forget()
                number = s.client.start_call("hold_key", {"text": modifier, "duration": 0.3})
                s.client.call("key", {"text": key}, timeout=CALL_PATIENCE)
                s.client.finish_call(number, "hold_key", timeout=CALL_PATIENCE)
                s.watch.fence()
                assert not chords_seen(s, code, mask), f"{modifier}+{key} came together"
                s.idle()
                s.refused("hold_key", {"text": f"{modifier}+{key}", "duration": 0.1}, "key_blocklist")
    with t.twin("a key that may be held"):
        s.actor.forget()
        s.act("hold_key", {"text": "shift+a", "duration": 0.05})
        s.actor.wait("key_release", 2)


@row("K06", "a modifier of one call is still down in the next", few=2, many=30)
def left_over(s, t):
    s.default()
    s.prove_any(t)
    tab, q = s.hand.keycode("Tab"), s.hand.keycode("q")
    s.hand.keys("Control_L", "q")
    s.actor.wait("key_release", 2)
    t.proof(chords_seen(s, q, CONTROL), "Control and q at once")

    def cancelled(modifier):
        number = s.client.start_call("hold_key", {"text": modifier, "duration": 30})
        s.actor.wait("key")
        s.client.cancel(number)

    def by_name(modifier):
        for tool in ("key_down", "keydown", "press_key", "left_key_down"):
            message = s.client.answer(s.client.start_call(tool, {"text": modifier}), CALL_PATIENCE)
            assert "error" in message, f"there is a {tool}: {message}"

    def clicked(modifier):
        s.look()
        s.call("left_click", {"coordinate": [400, 380], "text": modifier})

    def broken_batch(modifier):
        s.call("computer_batch", {"actions": [{"action": "hold_key", "text": modifier, "duration": 0.05},
                                              {"action": "open_application", "app": "nothing.of.that.name"}]})
    for trial in t:
        with trial:
            for begin in (cancelled, by_name, clicked, broken_batch):
                for modifier, key, code, mask in (("alt", "Tab", tab, MOD1), ("ctrl", "q", q, CONTROL)):
                    s.focus(s.actor)
                    s.actor.forget()
                    begin(modifier)
                    s.call("key", {"text": key})
                    assert not chords_seen(s, code, mask), f"{modifier}+{key} came together after {begin.__name__}"
                    s.idle()
    key_twin(s, t)


@row("K07", "two clients share a combination", few=2, many=20)
def two_clients(s, t):
    s.default()
    s.prove_any(t)
    tab = s.hand.keycode("Tab")
    for trial in t:
        with trial:
            s.actor.forget()
            with s.desk.mcp(*s.words) as second:
                number = s.client.start_call("hold_key", {"text": "alt", "duration": 0.5})
                second.call("key", {"text": "Tab"}, timeout=CALL_PATIENCE)
                s.client.finish_call(number, "hold_key", timeout=CALL_PATIENCE)
            s.watch.fence()
            assert not chords_seen(s, tab, MOD1), "Alt+Tab came together"
            s.idle()
    key_twin(s, t)


@row("K08", "a combination spread over the steps of a batch", few=2, many=20)
def batch(s, t):
    s.default()
    s.prove_any(t)
    tab = s.hand.keycode("Tab")
    for trial in t:
        with trial:
            s.actor.forget()
            s.call("computer_batch", {"actions": [{"action": "hold_key", "text": "alt", "duration": 0.2},
                                                  {"action": "key", "text": "Tab"}]})
            s.watch.fence()
            assert not chords_seen(s, tab, MOD1), "Alt+Tab came together"
            reply = s.call("computer_batch", {"actions": [{"action": "key", "text": "alt+Tab"},
                                                          {"action": "key", "text": "a"}]})
            assert reply.is_error, f"the batch went through: {reply.text}"
            s.idle()
    with t.twin("a batch of harmless keys"):
        s.focus(s.actor)
        s.act("computer_batch", {"actions": [{"action": "key", "text": "a"}, {"action": "key", "text": "shift+b"}]})


@row("K10", "a latched modifier completes the combination", few=3, many=50)
def latched(s, t):
    s.default()
    s.prove_any(t)
    tab = s.hand.keycode("Tab")
    s.hand.latch(ALT_MASK)
    s.hand.keys("Tab")
    t.proof(s.watch.events(None, ("key",)), "Tab with a latched Alt")
    s.hand.unlatch()
    for trial in t:
        s.focus(s.actor)
        s.actor.forget()
        s.hand.latch(ALT_MASK)
        with trial:
            # Refused, or sent as the plain key that was asked for.
            s.call("key", {"text": "F4"})
            s.call("key", {"text": "Tab"})
            s.watch.fence()
            assert not chords_seen(s, tab, MOD1), "the app saw Alt+Tab"
            assert not chords_seen(s, s.hand.keycode("F4"), MOD1), "the app saw Alt+F4"
            assert s.desk.state()["focus"] == s.actor.window, "Alt+Tab switched the app"
            assert s.actor.process.poll() is None, "Alt+F4 closed the app"
        s.hand.unlatch()
    key_twin(s, t)


@row("K11", "a person holds a modifier while the agent taps", few=3, many=50)
def person_holds(s, t):
    s.default()
    s.prove_any(t)
    for trial in t:
        s.focus(s.actor)
        s.actor.forget()
        s.hand.down("Alt_L")
        try:
            with trial:
                reply = s.client.call("key", {"text": "F4"}, timeout=CALL_PATIENCE)
                assert reply.is_error, f"F4 went out under the person's Alt: {reply.text}"
                reply = s.client.call("type", {"text": "\t"}, timeout=CALL_PATIENCE)
                assert reply.is_error, f"Tab went out under the person's Alt: {reply.text}"
                assert s.actor.process.poll() is None, "Alt+F4 closed the app"
        finally:
            s.hand.up("Alt_L")
    key_twin(s, t)


@row("K12", "the blocked key under another layout's name", bold=True, few=1)
def layouts(s, t):
    s.default()
    s.prove_any(t)
    blocked = {s.hand.keycode(name) for name in ("q", "l", "d", "t", "Tab")}
    try:
        for group in (0, 1):
            xlib.set_layout(s.desk, "us,ru", group)
            # й stands on the key of q, д on l, в on d, е on t.
            for chord, trial in t.over(["ctrl+Cyrillic_shorti", "ctrl+й", "ctrl+q", "super+д", "super+в", "ctrl+alt+е",
                                        "ctrl+alt+Cyrillic_ie", "super+l", "ctrl+alt+t", "alt+Tab"]):
                with trial:
                    s.watch.mark()
                    s.call("key", {"text": chord})
                    # A letter on a spare key is another key; the one that the combination is made of must not come.
                    sent = [e for e in s.watch.events(None, ("key",)) if e["detail"] in blocked]
                    assert not sent, f"{chord} in group {group} sent {sent[0]}"
                    s.idle()
            key_twin(s, t, "ctrl+s")
    finally:
        xlib.set_layout(s.desk, "us", 0)


@row("K13", "keypad, console and media keys that do the same", few=1)
def equivalents(s, t):
    refuse_keys(s, t, ["ctrl+alt+KP_Delete", "ctrl+alt+Delete", "ctrl+alt+BackSpace", "XF86Switch_VT_1",
                       "XF86Switch_VT_12", "ctrl+alt+F1", "ctrl+alt+F12", "alt+Sys_Req", "alt+Print+b", "XF86PowerOff",
                       "XF86Sleep", "XF86LogOff", "XF86ScreenSaver", "XF86Launch1", "XF86Terminal",
                       "XF86Suspend", "XF86Hibernate", "shift+Delete", "shift+KP_Delete"])
    key_twin(s, t, "Return")


@row("K16", "the window menu and closing by mnemonic", few=1)
def mnemonics(s, t):
    refuse_keys(s, t, ["alt+space", "alt+F4"])
    assert s.actor.process.poll() is None, "the app was closed"
    key_twin(s, t, "alt+f")


@row("K17", "dead keys: what arrives is what was asked for", few=1)
def dead_keys(s, t):
    s.default()
    editor = s.app("editor_gtk3", "editor")
    s.serve("--grant", f"{s.actor_path}:full", "--grant", f"{editor}:full")
    try:
        s.desk.outside("setxkbmap", "-layout", "us", "-variant", "intl")
        with s.play(editor, geometry="400x200+700+100", title="editor") as app:
            s.focus_app(app)
            s.hand.keys("x")
            app.log.wait(lambda _: app.log.text() == "x", PATIENCE, "the character of another hand")
            t.proof(app.log.text() == "x", "the editor's text")
            for text, trial in t.over(["'a\"e`o^u~n", "é'x'", "it's \"so\" ~ ^ `"]):
                with trial:
                    before = app.log.text()
                    s.act("type", {"text": text})
                    app.log.wait(lambda _: app.log.text() == before + text, PATIENCE,
                                 f"{before + text!r}, the editor has {app.log.text()!r}")
            with t.twin("plain text"):
                before = app.log.text()
                s.act("type", {"text": "plain"})
                app.log.wait(lambda _: app.log.text() == before + "plain", PATIENCE, "the text")
    finally:
        s.desk.outside("setxkbmap", "-layout", "us")


@row("K18", "control characters in typed text", few=1)
def controls(s, t):
    s.default()
    s.prove_any(t)
    for character, trial in t.over(["\x1b", "\x03", "\x04", "\x00", "\x08", "\x7f", "\x1a", "\x0b", "\x9b", "\u0085"]):
        with trial:
            s.rejected("type", {"text": f"a{character}b"})
    with t.twin("text with a newline"):
        s.focus(s.actor)
        s.actor.forget()
        s.act("type", {"text": "one\ntwo"})
        s.actor.wait("key_release", 7)


@row("K20", "switch the app, then act", few=2, many=20)
def switch_then_act(s, t):
    s.default()
    with s.attacker(geometry=BESIDE) as evil:
        s.window_titled("attacker")
        s.focus(evil)
        s.prove_key(t, evil)
        for trial in t:
            with trial:
                s.focus(s.actor)
                s.refused("key", {"text": "alt+Tab"}, "key_blocklist")
                s.focus(evil)
                evil.forget()
                s.refused("key", {"text": "alt+Tab"}, "key_blocklist", "target_granted")
                s.refused("type", {"text": "secret"}, "target_granted")
                assert not evil.received(), "the other app got keys"
    key_twin(s, t)


@row("K21", "shortcuts that start something", few=1)
def launchers(s, t):
    refuse_keys(s, t, ["alt+F2", "ctrl+alt+t", "super", "ctrl+Escape", "Super_L"])
    key_twin(s, t)


@row("K22", "keys for a browser", few=1)
def browser_keys(s, t):
    s.default()
    path = s.app("actor_x11", "firefox")
    s.install("firefox", str(path))
    with s.play(path, geometry=BESIDE, title="page") as page:
        s.window_titled("page")
        s.focus(page)
        s.prove_key(t, page)
        s.call("request_access", {"apps": [{"app": "firefox", "tier": "full"}], "reason": "To read a page."})
        for chord, trial in t.over(["F12", "ctrl+shift+j", "ctrl+shift+i", "ctrl+u", "ctrl+l", "a"]):
            with trial:
                s.focus(page)
                s.refused("key", {"text": chord}, "tier", "target_granted")
    key_twin(s, t)


@row("K23", "a combination without end", few=1)
def endless(s, t):
    s.default()
    s.prove_any(t)
    for chord, trial in t.over(["+".join(["ctrl"] * 10_000), "+".join("abc" * 3000), "+" * 10_000, "ctrl+" * 60,
                                "a+" * 90 + "b"]):
        with trial:
            began = time.monotonic()
            s.rejected("key", {"text": chord})
            assert time.monotonic() - began < most_seconds(10), "it took too long to say no"
    key_twin(s, t)
