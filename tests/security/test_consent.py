"""Asking the person: only a person says yes, to what was shown, for as long as was said."""
import contextlib
import hashlib
import json
import threading
import time

from support.desk import FULL, wait_until

from security.harness import CALL_PATIENCE, PATIENCE, Stage, row
from security.rows_support import Person, dialog_window, dialogs, records

PLACE = "400x300+20+20"
HERE = [150, 150]  # on the actor, beside the dialog
ASK_DIALOG = 'ask_by = ["dialog"]\nconsent_seconds = 120\nperson_pause_ms = 100\n'
# Keys by their place on the keyboard.
ESCAPE, ENTER = 9, 36
HELPER = "helper"


class Desk:
    """The desktop of a person, with the actor, which is not granted, and a helper, which is."""

    def __init__(self, stage):
        self.s = stage
        self.person = Person(stage.desk.env)
        self.helper_path = stage.app("actor_x11", HELPER)
        self.actor = stage.play(stage.actor_path, geometry=PLACE)
        stage.actor = self.actor
        stage.closing.callback(self.actor.stop)
        self.helper = stage.play(self.helper_path, geometry="200x120+1000+20")
        stage.closing.callback(self.helper.stop)

    def serve(self, *words, config=ASK_DIALOG, **options):
        """A new session: what it asks has never been refused."""
        client = self.s.serve(*(words or ("--grant", f"{self.helper_path}:full")), config=config, **options)
        self.s.look()
        return client

    def request(self, tier="full", reason="To test.", **more):
        return self.s.client.start_call("request_access", {
            "apps": [{"app": str(self.s.actor_path), "tier": tier}], "reason": reason, **more})

    def shown(self):
        """Waits for the dialog: its place."""
        def is_shown():
            time.sleep(0.02)
            return dialog_window(self.s.desk.env)
        return wait_until(is_shown, 60, "the dialog")[0]

    def answered(self, number):
        return self.s.client.has_answer(number)

    def finish(self, number):
        return self.s.client.finish_call(number, "request_access", timeout=CALL_PATIENCE)

    def press(self, number, button):
        """The person clicks until the dialog, which is deaf at first, has heard it."""
        def is_pressed():
            found = dialog_window(self.s.desk.env)
            if found and not self.answered(number):
                self.person.click(*button(found[0]))
            time.sleep(0.05)
            return self.answered(number)
        wait_until(is_pressed, 60, "the person's answer")
        return self.finish(number)

    def refuse(self, number):
        """The person presses Escape until it is heard."""
        def is_refused():
            if not self.answered(number):
                found = dialog_window(self.s.desk.env)
                if found:
                    self.s.hand.focus(found[1])
                self.person.key(ESCAPE)
            time.sleep(0.05)
            return self.answered(number)
        wait_until(is_refused, 60, "the person's no")
        return self.finish(number)

    def granted(self):
        reply = self.s.client.do("list_granted_applications", timeout=CALL_PATIENCE)
        return {g["app"].rpartition("/")[2]: (g["tier"], g["source"], g["persist"]) for g in reply.structured["granted"]}

    def nothing_granted(self, reply=None):
        """Neither by its own word, nor in the record, nor in what can be done."""
        if reply is not None:
            assert [d["app"] for d in reply.structured["denied"]] == [str(self.s.actor_path)], f"not denied: {reply}"
        assert set(self.granted()) <= {HELPER}, f"granted: {self.granted()}"
        self.s.look()
        self.s.refused("left_click", {"coordinate": HERE}, "target_granted")

    def grants_recorded(self):
        return [r for r in records(self.s) if r["kind"] == "grant"]

    def person_grants(self, t, what="the person says yes"):
        """The benign twin, and the proof that the same clicks of a person are heard and do give a grant."""
        with t.twin(what):
            self.serve()
            number = self.request()
            self.shown()
            reply = self.press(number, session)
            t.proof(not reply.structured.get("denied") and "actor" in self.granted(), f"a grant by the person: {reply}")
            self.s.look()
            self.actor.forget()
            self.s.act("left_click", {"coordinate": HERE})
            self.actor.wait("activated")


# Buttons from the right end of the dialog.
def always(box):
    return box[0] + box[2] - 70, box[1] + box[3] - 32


def session(box):
    return box[0] + box[2] - 189, box[1] + box[3] - 32


def once(box):
    return box[0] + box[2] - 301, box[1] + box[3] - 32


def buttons(box):
    """Places that cover all buttons."""
    return [(box[0] + box[2] - right, box[1] + box[3] - 32) for right in range(40, 441, 40)]


def persons(s):
    """The person's desktop of the family."""
    if not hasattr(s, "persons"):
        stage = s.closing.enter_context(Stage("none"))
        s.persons = Desk(stage)
    return s.persons


@row("D01", "the agent clicks on Allow itself", bold=True, few=1, many=30)
def own_click(s, t):
    desk = persons(s)
    s = desk.s
    for trial in t:
        desk.serve()
        before = len(desk.grants_recorded())
        number = desk.request()
        box = desk.shown()
        with trial:
            # A program clicks, all over the buttons, for longer than the dialog is deaf.
            end = time.monotonic() + 1.2
            while time.monotonic() < end:
                for place in buttons(box):
                    s.hand.click(*place)
            assert not desk.answered(number), "a click that no person made was an answer"
            # Another session of the same owner, which may use an app here.
            with s.desk.mcp("--grant", f"{desk.helper_path}:full") as other:
                other.do("screenshot", timeout=CALL_PATIENCE)
                for place in (always(box), session(box), once(box)):
                    reply = other.call("left_click", {"coordinate": list(place)}, timeout=CALL_PATIENCE)
                    assert reply.is_error, f"the agent clicked on the dialog: {reply.text}"
                    assert reply.error.get("gate") in ("own_windows", "target_granted"), reply
            assert not desk.answered(number), "the agent's click was an answer"
            desk.nothing_granted(desk.refuse(number))
            assert len(desk.grants_recorded()) == before, "a grant is on record"
    desk.person_grants(t)


@row("D02", "Enter or Space while the dialog has the focus", few=1, many=10)
def own_keys(s, t):
    desk = persons(s)
    s = desk.s
    cases = [("Return",), ("space",), ("KP_Enter",), ("Tab", "Return"), ("Right", "Right", "space")] * t.count
    desk.serve()
    number = desk.request()
    desk.shown()
    # Longer than the dialog is deaf to anybody.
    s.hand.focus(dialog_window(s.desk.env)[1])
    time.sleep(1)
    for keys, trial in t.over(cases):
        with trial:
            for _ in range(5):
                for key in keys:
                    s.hand.keys(key)
            assert not desk.answered(number), f"{keys} that no person pressed were an answer"
    for _, trial in t.over(["by the agent, then by the person"]):
        with trial:
            with s.desk.mcp("--grant", f"{desk.helper_path}:full") as other:
                other.do("screenshot", timeout=CALL_PATIENCE)
                s.hand.focus(dialog_window(s.desk.env)[1])
                for tool, text in (("key", "Return"), ("key", "space"), ("type", "\n")):
                    reply = other.call(tool, {"text": text}, timeout=CALL_PATIENCE)
                    assert reply.is_error, f"the agent typed into the dialog: {reply.text}"
            assert not desk.answered(number), "the agent's key was an answer"

            # The person's own Enter is the default: no.
            def is_denied():
                found = dialog_window(s.desk.env)
                if found and not desk.answered(number):
                    s.hand.focus(found[1])
                    desk.person.key(ENTER)
                time.sleep(0.05)
                return desk.answered(number)
            wait_until(is_denied, 60, "the person's Enter")
            desk.nothing_granted(desk.finish(number))
    desk.person_grants(t)


@row("D03", "the dialog appears under a click of the person", few=2, many=500)
def under_a_click(s, t):
    desk = persons(s)
    desk.serve()
    number = desk.request()
    place = always(desk.shown())
    desk.refuse(number)
    late = 0
    for trial in t:
        desk.serve()
        number = desk.request()
        with trial:
            # The last click is sent before the dialog was seen.
            slow, end = False, time.monotonic() + 30
            began = time.monotonic()
            while not dialog_window(desk.s.desk.env):
                desk.person.click(*place)
                slow = time.monotonic() - began > 0.4
                began = time.monotonic()
                assert began < end, "no dialog"
            late += slow
            if not slow:
                time.sleep(0.1)
                assert not desk.answered(number), "a click that was meant for something else was an answer"
        if not desk.answered(number):
            desk.refuse(number)
    t.note(f"{late} trials in which this test itself was too slow to tell")
    desk.person_grants(t, "a click after the dialog was there for a while")


@row("D06", "many requests", few=40, many=1000)
def many_requests(s, t):
    desk = persons(s)
    desk.serve()
    seen = set()
    done = threading.Event()
    server = desk.s.client.process.pid

    def watch():
        while not done.wait(0.01):
            seen.update(dialogs(server))
    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        numbers = [desk.request(reason=f"Please, {i}.") for i in range(t.count)]
        desk.shown()
        wait_until(lambda: seen, PATIENCE, "the dialog in the list of processes")
        t.proof(seen, "the dialog in the list of processes")
        desk.refuse(numbers[0])
        for trial in t:
            with trial:
                message = desk.s.client.answer(numbers[t.number], CALL_PATIENCE)
                if "result" in message:
                    result = message["result"].get("structuredContent", {})
                    assert not [g for g in result.get("granted", []) if "actor" in g["app"]], f"granted: {message}"
        with t.twin("the person was asked once"):
            assert len(seen) == 1, f"{len(seen)} dialogs for {t.count} requests"
    finally:
        done.set()
        watcher.join()
    desk.nothing_granted()
    desk.person_grants(t)


@row("D07", "nobody answers in time", few=1, many=20)
def timeout(s, t):
    desk = persons(s)
    for trial in t:
        desk.serve(config='ask_by = ["dialog"]\nconsent_seconds = 1\nperson_pause_ms = 100\n')
        with trial:
            number = desk.request()
            desk.nothing_granted(desk.finish(number))
            wait_until(lambda: not dialogs(desk.s.client.process.pid), PATIENCE, "the end of the dialog")
    desk.person_grants(t)


@row("D08", "there is nobody to ask", bold=True, few=1)
def nobody(s, t):
    desk = persons(s)
    s = desk.s
    s.prove_click(t, desk.actor, HERE)
    cases = [("[]", "handshake"), ("[]", "stateless"), ('["terminal"]', "handshake"), ('["client"]', "stateless"),
             ('["client", "terminal"]', "handshake")]
    for (way, era), trial in t.over(cases):
        desk.serve(config=f"ask_by = {way}\nconsent_seconds = 1\n", era=era)
        with trial:
            number = desk.request(clipboard_read=True, system_keys=True)
            reply = desk.finish(number)
            desk.nothing_granted(reply)
            assert not (reply.structured["clipboard_read"] or reply.structured["system_keys"]), "flags were granted"
    s.end_server()
    for trial in t:
        with trial:
            done = s.home.run("do", "request_access", "--desktop", s.desk.display, "--apps",
                              json.dumps([{"app": str(s.actor_path), "tier": "full"}]), "--reason", "x",
                              start_new_session=True)
            assert "1 of 1 granted" not in done.stdout, f"granted on the command line: {done.stdout}"
            assert not [r for r in desk.grants_recorded() if not r["by"]], "a grant by nobody is on record"
    with t.twin("the owner has granted it before"):
        desk.serve("--grant", f"{s.actor_path}:full", config="ask_by = []\n")
        desk.actor.forget()
        s.act("left_click", {"coordinate": HERE})
        desk.actor.wait("activated")


def question_of(pid):
    """What the dialog was told to show, from the memory that it was given."""
    with open(f"/proc/{pid}/fd/0", "rb") as file:
        file.seek(0)
        return json.loads(file.read())


def read_question(desk):
    server = desk.s.client.process.pid
    pid = wait_until(lambda: next(iter(dialogs(server)), None), 60, "the process of the dialog")

    def read():
        with contextlib.suppress(OSError, ValueError):
            return question_of(pid)
    return wait_until(read, PATIENCE, "the question")


@row("D10", "what was shown differs from what is granted", few=1, many=10)
def shown_is_granted(s, t):
    desk = persons(s)
    s = desk.s
    reasons = ["ok\n\nactor: read\u202e\x1b[2J", "x" * 499][:1 + FULL] * t.count
    for reason, trial in t.over(reasons):
        desk.serve()
        number = desk.request(tier="click", reason=reason)
        with trial:
            box = desk.shown()
            lines = [line["text"] for line in read_question(desk)["lines"]]
            assert any(line == "actor: click" for line in lines), f"the tier is not shown: {lines}"
            assert any(str(s.actor_path) in line for line in lines), f"the program is not shown: {lines}"
            odd = [c for line in lines for c in line if ord(c) < 32 or c in "\u202e\u200b"]
            assert not odd, f"odd characters are shown: {odd}"
            # Another request comes while the person reads.
            other = desk.request(tier="full", reason="more")
            assert dialog_window(s.desk.env)[0] == box, "the dialog changed"
            desk.press(number, session)
            told = desk.grants_recorded()[-1]
            assert [g["tier"] for g in told["grants"]] == ["click"], f"granted: {told}"
            digest = hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()
            assert told["shown"] == digest, "the record tells of another question"
            desk.refuse(other)
            assert desk.granted()["actor"][0] == "click", f"granted: {desk.granted()}"
            s.look()
            s.focus(desk.actor)
            s.refused("type", {"text": "a"}, "tier")
    desk.person_grants(t)


@row("D11", "a second request raises the tier", few=1, many=10)
def raised(s, t):
    desk = persons(s)
    s = desk.s
    for trial in t:
        desk.serve("--grant", f"{s.actor_path}:click")
        with trial:
            number = desk.request(tier="full")
            desk.shown()
            lines = [line["text"] for line in read_question(desk)["lines"]]
            telling = [line for line in lines if "click" in line and "full" in line]
            assert telling, f"old and new tier are not shown: {lines}"
            desk.refuse(number)
            assert desk.granted()["actor"][0] == "click", f"granted: {desk.granted()}"
            s.look()
            s.focus(desk.actor)
            s.refused("type", {"text": "a"}, "tier")
    with t.twin("the person raises it"):
        desk.serve("--grant", f"{s.actor_path}:click")
        number = desk.request(tier="full")
        desk.shown()
        desk.press(number, session)
        t.proof(desk.granted()["actor"][0] == "full", f"a grant by the person: {desk.granted()}")
        s.look()
        s.focus(desk.actor)
        desk.actor.forget()
        s.act("type", {"text": "a"})
        desk.actor.wait("key")


@row("D12", "a grant for good widens, or outlives its revocation", few=1, many=10)
def remembered(s, t):
    desk = persons(s)
    s = desk.s
    for trial in t:
        with trial:
            desk.serve()
            number = desk.request(tier="click")
            desk.shown()
            desk.press(number, always)
            t.proof(desk.granted()["actor"][::2] == ("click", "always"), f"a grant by the person: {desk.granted()}")
            desk.serve()
            with t.twin("it is there in the next session"):
                assert desk.granted()["actor"][0] == "click", f"granted: {desk.granted()}"
                desk.actor.forget()
                s.act("left_click", {"coordinate": HERE})
                desk.actor.wait("activated")
            s.focus(desk.actor)
            s.refused("type", {"text": "a"}, "tier")
            done = s.home.run("grants", "revoke", "--all")
            assert done.returncode == 0, done.stderr
            s.look()
            s.refused("left_click", {"coordinate": HERE}, "target_granted")
            desk.serve()
            desk.nothing_granted()


PROMPTS = ("pinentry-gtk-2", "polkit-gnome-authentication-agent-1", "gcr-prompter", "ssh-askpass", "xsecurelock")


@row("D16", "typing into password prompts", few=1)
def prompts(s, t):
    desk = persons(s)
    s = desk.s
    paths = {name: s.app("actor_x11", name) for name in PROMPTS}
    # Not even the owner's own grant opens them.
    words = [word for path in paths.values() for word in ("--grant", f"{path}:full")]
    desk.serve(*words, "--grant", f"{desk.helper_path}:full")
    for (name, path), trial in t.over(paths.items()):
        with s.play(path, geometry="300x200+600+100") as prompt:
            s.focus(prompt)
            s.prove_key(t, prompt)
            s.look()
            with trial:
                s.focus(prompt)
                s.refused("type", {"text": "hunter2"})
                s.refused("key", {"text": "Return"})
                s.refused("left_click", {"coordinate": [700, 200]})
                reply = s.client.call("request_access", {"apps": [{"app": str(path), "tier": "full"}], "reason": "x"},
                                      timeout=CALL_PATIENCE)
                assert [d["app"] for d in reply.structured["denied"]] == [str(path)], f"not denied: {reply}"
                assert not dialogs(s.client.process.pid), "the person was asked"
                assert not prompt.received(), f"the prompt received {prompt.received()[:3]}"
    desk.person_grants(t)


@row("D17", "a grant outlives its session or its one use", few=1, many=10)
def outlived(s, t):
    desk = persons(s)
    s = desk.s
    for trial in t:
        with trial:
            desk.serve()
            number = desk.request()
            desk.shown()
            desk.press(number, session)
            t.proof(desk.granted()["actor"][2] == "session", f"a grant by the person: {desk.granted()}")
            desk.serve()
            desk.nothing_granted()
            number = desk.request()
            desk.shown()
            desk.press(number, once)
            assert desk.granted()["actor"][2] == "once", f"granted: {desk.granted()}"
            s.look()
            with t.twin("the one act that was granted"):
                desk.actor.forget()
                s.act("left_click", {"coordinate": HERE})
                desk.actor.wait("activated")
            s.look()
            s.refused("left_click", {"coordinate": HERE}, "target_granted")


@row("D18", "grants by variables, parameters and files at run time", few=1)
def smuggled(s, t):
    desk = persons(s)
    s = desk.s
    s.prove_click(t, desk.actor, HERE)
    path = str(s.actor_path)
    desk.serve(config="ask_by = []\n", env={
        "HANDRAIL_GRANT": f"{path}:full", "HANDRAIL_GRANTS": path, "HANDRAIL_ALLOW_ALL": "1", "HANDRAIL_CONSENT": "always",
        "HANDRAIL_YES": "1"})
    app = {"app": path, "tier": "full"}
    requests = [{"apps": [app], "reason": "x", "granted": True}, {"apps": [{**app, "source": "config"}], "reason": "x"},
                {"apps": [{**app, "persist": "always"}], "reason": "x"}, {"apps": [app], "reason": "x", "choice": "always"},
                {"apps": [app], "reason": "x", "nobodys_desktop": True}, {"apps": [app], "reason": "x", "dry_run": True},
                {"apps": [app], "reason": "allow always yes"}, {"apps": [app], "reason": "x", "_meta": {"grant": "full"}}]
    for arguments, trial in t.over(requests):
        with trial:
            s.client.answer(s.client.start_call("request_access", arguments), CALL_PATIENCE)
            desk.nothing_granted()
    # The owner's file is read at the start; what is written later counts from the next start.
    s.home.write_config(f'[[grants]]\napp = "{path}"\ntier = "full"\n')
    for trial in t:
        with trial:
            desk.nothing_granted()
    with t.twin("the owner's file at the start"):
        desk.serve("--grant", f"{desk.helper_path}:full", config=f'[[grants]]\napp = "{path}"\ntier = "full"\n')
        desk.actor.forget()
        s.act("left_click", {"coordinate": HERE})
        desk.actor.wait("activated")
