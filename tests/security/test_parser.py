"""Protocol input: whatever comes in, it is answered, nothing reaches the desktop, and the server goes on."""
import json
import pathlib
import subprocess

from support.bad_requests import BadRequests
from support.desk import FULL, trials, wait_until

from security import json_texts
from security.harness import CALL_PATIENCE, PATIENCE, SEED, row

AT = [400, 380]


def good_click(s, t):
    """The server is alive and the next good call works."""
    with t.twin("a good call afterwards"):
        s.look()
        s.actor.forget()
        s.act("left_click", {"coordinate": AT})
        s.actor.wait("activated")


def scene(s, t):
    s.default()
    s.prove_any(t)


def send_raw(s, line, label):
    """One raw line; returns what was answered to it."""
    s.watch.mark()
    before = len(s.client.messages)
    s.client.send_bytes(line + b"\n")
    number = s.client.start("ping")
    s.client.answer(number, CALL_PATIENCE)

    def answers():
        return [m for m in s.client.messages[before:] if "method" not in m and m.get("id") != number]
    wait_until(answers, PATIENCE, f"an answer to {label[:200]}")
    s.quiet(label)
    return answers()


def refused_answer(answers, label):
    """Every answer is an error, of the protocol or of the tool."""
    assert answers, f"{label}: no answer"
    for message in answers:
        is_error = "error" in message or message.get("result", {}).get("isError")
        assert is_error, f"{label}: taken: {str(message)[:300]}"


def tool_line(name, arguments, number="1"):
    """The text of a call with raw JSON for its arguments."""
    return (f'{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":{{"name":{json.dumps(name)},'
            f'"arguments":{arguments}}}}}').encode()


@row("P01", "a line without end", few=1)
def endless_line(s, t):
    scene(s, t)
    for size, trial in t.over([trials(64, 1024)]):
        with trial:
            s.watch.mark()
            count = len(s.client.messages)
            for _ in range(size):
                s.client.send_bytes(b"x" * (1 << 20))
            s.client.send_bytes(b"\n")
            s.client.wait_for(lambda: len(s.client.messages) > count, 120, "an answer to the endless line")
            assert "error" in s.client.messages[-1], s.client.messages[-1]
            peak = pathlib.Path(f"/proc/{s.client.process.pid}/status").read_text().split("VmHWM:")[1].split()[0]
            assert int(peak) < 2_000_000, f"the server grew to {peak} kB"
            s.quiet("an endless line")
    good_click(s, t)


@row("P02", "nesting without end", few=1)
def deep(s, t):
    scene(s, t)
    depth = 100_000
    for (opening, closing), trial in t.over([(b"[", b"]"), (b'{"a":', b"}"), (b'[{"a":', b"}]")]):
        nest = opening * depth + b"1" + closing * depth
        with trial:
            refused_answer(send_raw(s, nest, "nesting"), "nesting")
            refused_answer(send_raw(s, tool_line("type", "MARK").replace(b"MARK", b'{"text":' + nest + b"}"), "nesting"),
                           "nesting in arguments")
    good_click(s, t)


@row("P03", "JSON that every parser must take or refuse", few=1)
def json_suite(s, t):
    """All 318 texts when everything is asked for, else a third of each kind. A text that must be refused
    stands in a call that would type a letter."""
    scene(s, t)

    def call(text, number="1"):
        return tool_line("type", '{"text":"a"}', number).replace(b'}}}', b'},"_meta":{"x":' + text + b"}}}")

    def ping(text):
        return b'{"jsonrpc":"2.0","id":"ok","method":"ping","params":{"_meta":{"x":' + text + b"}}}"

    with t.twin("the call with a good text"):
        s.focus(s.actor)
        s.client.send_bytes(call(b"[1]", '"good"') + b"\n")
        s.actor.wait("key_release")
        s.client.answer("good", CALL_PATIENCE)
    for text, trial in t.over(json_texts.some(json_texts.REJECT, FULL) + json_texts.DUPLICATES):
        with trial:
            label = f"the JSON text {text[:80]!r}"
            s.focus(s.actor)
            refused_answer(send_raw(s, call(text), label), label)
    for text in json_texts.some(json_texts.ACCEPT, FULL):
        with t.twin(f"the JSON text {text!r}"):
            answers = send_raw(s, ping(text), repr(text))
            assert answers and "result" in answers[-1], f"{text!r}: {answers}"
    for text, trial in t.over(json_texts.some(json_texts.EITHER, FULL)):
        with trial:
            assert send_raw(s, ping(text), f"the JSON text {text[:80]!r}"), f"{text[:80]!r}: no answer"
    good_click(s, t)


def arguments_row(name, title, cases):
    @row(name, title, few=1)
    def attack(s, t):
        scene(s, t)
        for (tool, arguments), trial in t.over(cases):
            with trial:
                label = f"{tool} {arguments[:120]}"
                refused_answer(send_raw(s, tool_line(tool, arguments), label), label)
        good_click(s, t)
    return attack


ODD = ["NaN", "Infinity", "1e999", "-1e999", '"12"', "null", "true", "[1]", "{}", '""', '"NaN"', "1e400"]
HUGE = ["-1", "2147483647", "2147483648", "-2147483649", "9007199254740993", "9223372036854775808",
        "18446744073709551616", "1e18", "-1e18"]
POINTS = (("left_click", '{{"coordinate":[{0},5]}}'), ("mouse_move", '{{"coordinate":[5,{0}]}}'),
          ("left_click_drag", '{{"start_coordinate":[300,300],"coordinate":[{0},{0}]}}'))

arguments_row("P05", "coordinates that are no numbers",
              [(tool, shape.format(odd)) for odd in ODD for tool, shape in POINTS])
arguments_row("P06", "coordinates out of every range",
              [(tool, shape.format(huge)) for huge in HUGE for tool, shape in POINTS])
arguments_row("P16", "amounts and durations out of range", [
    ("scroll", '{"coordinate":[400,380],"scroll_amount":-1}'), ("scroll", '{"coordinate":[400,380],"scroll_amount":1e300}'),
    ("scroll", '{"coordinate":[400,380],"scroll_amount":51}'), ("wait", '{"duration":1e300}'), ("wait", '{"duration":-1}'),
    ("hold_key", '{"text":"a","duration":1e9}'), ("hold_key", '{"text":"a","duration":-0.1}'), ("key", '{"text":"a","repeat":0}'),
    ("key", '{"text":"a","repeat":101}'), ("key", '{"text":"a","repeat":1.5}'), ("switch_display", '{"display":64}'),
    ("switch_display", '{"display":-1}')])


@row("P07", "normalised coordinates just outside", few=1)
def normalised(s, t):
    scene(s, t)
    s.serve("--grant", f"{s.actor_path}:full", config='coordinates = "normalized_0_1000"\n'
            if "normalized_0_1000" in bases(s) else f'coordinates = "{bases(s)[-1]}"\n')
    s.look()
    for value, trial in t.over(["1000.0000001", "-1e-9", "1e308", "100000", "-0.1"]):
        with trial:
            line = tool_line("left_click", f'{{"coordinate":[{value},5]}}')
            refused_answer(send_raw(s, line, value), value)
    s.serve("--grant", f"{s.actor_path}:full")
    good_click(s, t)


def bases(s):
    """Units that the program knows, from its own schema."""
    path = pathlib.Path(__file__).resolve().parents[2] / "contract" / "config.schema.json"
    return json.loads(path.read_text())["properties"]["coordinates"]["enum"]


@row("P08", "a key that stands twice", bold=True, few=1)
def duplicates(s, t):
    scene(s, t)
    call = tool_line("left_click", '{"coordinate":[400,380]}').decode()
    lines = [call.replace('"name":', '"name":"screenshot","name":'), call.replace('"arguments":', '"arguments":{},"arguments":'),
             call.replace('"method":', '"method":"ping","method":'), call.replace('"params":', '"params":{},"params":'),
             call.replace('"coordinate":', '"coordinate":[1,1],"coordinate":'), call.replace('"id":', '"id":7,"id":'),
             call.replace('"coordinate":', '"coordinat\\u0065":[1,1],"coordinate":'),
             call.replace('"coordinate":[400,380]', '"coordinate":[400,380],"dry_run":true,"dry_run":false')]
    for line, trial in t.over(lines):
        with trial:
            refused_answer(send_raw(s, line.encode(), line), line)
    good_click(s, t)


@row("P10", "odd ids and lists of requests", few=1)
def ids(s, t):
    scene(s, t)
    click = '{"coordinate":[400,380]}'
    lines = [tool_line("left_click", click, number) for number in ("null", "1.5", "[1]", "{}", "true", "1e300")]
    lines += [b"[" + tool_line("left_click", click) + b"]", b"[]", b"[[]]", b"[1]"]
    for line, trial in t.over(lines):
        with trial:
            refused_answer(send_raw(s, line, str(line)), str(line))
    good_click(s, t)


@row("P11", "the same ids from two clients", few=200, many=10_000)
def same_ids(s, t):
    scene(s, t)

    def start(client, who):
        """One call by hand, so that both count alike. Its answer names the key that was asked for."""
        client.send_bytes(tool_line("key", json.dumps({"text": f"nothing.{who}.{number}"}), number) + b"\n")

    def named(client):
        return str(client.answer(number, CALL_PATIENCE))
    with s.desk.mcp(*s.words) as first, s.desk.mcp(*s.words) as second:
        number = 1_000_000
        start(first, "first")
        t.proof("nothing.first" in named(first) and "nothing.second" not in named(first), "whose call was answered")
        for trial in t:
            number = 2_000_000 + t.number
            for client, who in ((first, "first"), (second, "second"))[::1 if t.number % 2 else -1]:
                start(client, who)
            with trial:
                for client, who, other in ((first, "first", "second"), (second, "second", "first")):
                    told = named(client)
                    assert f"nothing.{who}.{number}" in told, f"{who} got {told}"
                    assert f"nothing.{other}" not in told, f"{who} got an answer to {other}: {told}"
    good_click(s, t)


@row("P12", "one byte at a time, other line ends, a byte order mark", few=1)
def framing(s, t):
    scene(s, t)
    call = tool_line("left_click", '{"coordinate":[1e999,5]}')
    for shape, trial in t.over(["bytes", "bom", "nul", "two"]):
        with trial:
            if shape == "bytes":
                for i in range(len(call)):
                    s.client.send_bytes(call[i:i + 1])
                answers = send_raw(s, b"", shape)
            elif shape == "bom":
                answers = send_raw(s, b"\xef\xbb\xbf" + call, shape)
            elif shape == "nul":
                answers = send_raw(s, call + b"\x00", shape)
            else:
                answers = send_raw(s, call + call, shape)
            refused_answer(answers, shape)
    with t.twin("a good request in pieces, with CR LF"):
        number = s.client.new_id()
        line = json.dumps({"jsonrpc": "2.0", "id": number, "method": "ping", "params": {"_meta": {"x": "äöü€🎉"}}},
                          ensure_ascii=False).encode()
        for i in range(len(line)):
            s.client.send_bytes(line[i:i + 1])
        s.client.send_bytes(b"\r\n")
        assert "result" in s.client.answer(number, CALL_PATIENCE)


@row("P13", "the client goes away in the middle of a message", few=3, many=50)
def lost_client(s, t):
    scene(s, t)
    s.end_server()
    for trial in t:
        with trial:
            client = s.desk.mcp("--grant", f"{s.actor_path}:full")
            client.do("screenshot", timeout=CALL_PATIENCE)
            s.focus(s.actor)
            s.actor.forget()
            client.start_call("hold_key", {"text": "shift+a", "duration": 30})
            s.actor.wait("key")
            client.send_bytes(b'{"jsonrpc":"2.0","id":9,"meth')
            client.close(timeout=CALL_PATIENCE, check=False)
            s.idle()
    s.default()
    good_click(s, t)


@row("P15", "cancelling what does not exist, or all the time", few=1)
def cancels(s, t):
    scene(s, t)
    for number, trial in t.over([999_999, "no such", s.client._next_id, None, 1.5, {}]):
        with trial:
            for _ in range(200):
                s.client.notify("notifications/cancelled", {"requestId": number})
            s.client.result("tools/list", timeout=CALL_PATIENCE)
            s.quiet("a cancellation")
    good_click(s, t)


@row("P17", "a batch in a batch, and far too many steps", few=1)
def batches(s, t):
    scene(s, t)
    click = {"action": "left_click", "coordinate": AT}
    for steps, trial in t.over([[{"action": "computer_batch", "actions": [click]}], [click] * 100_000, [click] * 1001, [],
                                [[click]], [None], [{"action": "left_click", "actions": [click]}]]):
        with trial:
            s.rejected("computer_batch", {"actions": steps})
    good_click(s, t)


@row("P18", "other names for a tool", bold=True, few=1)
def names(s, t):
    scene(s, t)
    odd = ["type_text_chars", " type", "type ", "Type", "TYPE", "type\u0000", "type\u200b", "../type", "computer.type",
           "mcp__handrail__type", "t\u0443pe", "\uff54ype", "type_text", "keyboard_type", "input.type", "tools/type", "", "typ",
           "type\n", "left_clik", "click"]
    for name, trial in t.over(odd):
        with trial:
            line = tool_line(name, '{"text":"secret","coordinate":[400,380]}')
            refused_answer(send_raw(s, line, repr(name)), repr(name))
            step = {"action": name, "text": "secret"}
            s.rejected("computer_batch", {"actions": [step]})
    for name, trial in t.over(["type ", "Type", "type_text_chars"]):
        with trial:
            s.watch.mark()
            done = s.home.run("do", name, "--desktop", getattr(s.desk, "name", "") or s.desk.display, "--text", "secret",
                              stdin=subprocess.DEVNULL)
            assert done.returncode != 0, f"the command line took {name!r}: {done.stdout}"
            s.quiet(repr(name))
    good_click(s, t)


@row("P20", "something else on standard output", few=1)
def pollution(s, t):
    scene(s, t)
    noisy = s.folder / "noisy"
    noisy.write_text(f"#!/bin/sh\necho not json\necho not json >&2\nexec {s.actor_path} --class noisy --pid $$ </dev/null\n")
    noisy.chmod(0o755)
    s.install("noisy", str(noisy))
    with s.serve() as client:
        for trial in t:
            with trial:
                client.call("request_access", {"apps": [{"app": "noisy"}], "reason": "Test."}, timeout=CALL_PATIENCE)
                client.call("open_application", {"app": "noisy"}, timeout=CALL_PATIENCE)
                client.check_pure()
        s.close_apps("noisy")
    t.proof(pure_check_works(client), "a line that is no JSON is noticed")
    s.client = None
    s.default()
    good_click(s, t)


def pure_check_works(client):
    count = len(client.impure)
    client._take(b"not json")
    noticed = len(client.impure) == count + 1
    del client.impure[count:]
    return noticed


@row("P23", "bad requests from a seed, all tools", few=600, many=60_000)
def fuzz(s, t):
    scene(s, t)
    bad = BadRequests(SEED, s.client.tools(), s.client.params)
    s.watch.mark()
    s.actor.forget()
    for _ in range(max(1, t.count // 50)):
        before = len(s.client.messages)
        lines = [bad.next() for _ in range(50)]
        s.client.send_bytes(b"".join(line + b"\n" for _, line, _ in lines))
        s.client.result("tools/list", timeout=120)
        for message in s.client.messages[before:]:
            if "result" in message and str(message.get("id", "")).startswith("bad-"):
                assert message["result"].get("isError"), f"taken: {str(message)[:300]}"
        t.done += 50
    s.quiet("a bad request")
    s.idle()
    good_click(s, t)
