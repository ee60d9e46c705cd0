"""Lines that no server may act on, from a seed. Each is broken JSON, broken JSON-RPC, or a call that the tool's own
inputSchema does not allow, judged here by a check of its own. Many carry arguments that would act if they were read
carelessly."""
import copy
import json
import random

from support import schema

DEEP = 20_000
ANSWERED, SILENT = 1, 0


class BadRequests:
    """`next()` gives (line, number of answers that must come)."""

    def __init__(self, seed, tools, wrap_params):
        self.pick = random.Random(seed)
        self.tools = list(tools.values())
        self.wrap = wrap_params
        self.count = 0
        self.kinds = [self.garbage, self.truncated, self.bad_utf8, self.deep, self.odd_number, self.repeated_key,
                      self.no_object, self.envelope, self.unknown_method, self.unknown_tool, self.bad_arguments,
                      self.bad_arguments, self.bad_arguments, self.bad_params, self.notification]

    def next(self):
        kind = self.pick.choice(self.kinds)
        line, answers = kind()
        assert b"\n" not in line
        return kind.__name__, line, answers

    # A good call to start from

    def example(self):
        tool = self.pick.choice(self.tools)
        arguments = self.pick.choice(tool["inputSchema"].get("examples") or [{}])
        return tool, copy.deepcopy(arguments)

    def call(self, name, arguments):
        self.count += 1
        return {"jsonrpc": "2.0", "id": f"bad-{self.count}", "method": "tools/call",
                "params": self.wrap({"name": name, "arguments": arguments})}

    def good(self):
        tool, arguments = self.example()
        return self.call(tool["name"], arguments)

    @staticmethod
    def line(message):
        return json.dumps(message, ensure_ascii=self_chance(message)).encode("utf-8", "surrogatepass")

    # Broken JSON

    def garbage(self):
        size = self.pick.choice([1, 3, 50, 2000])
        noise = bytes(self.pick.randrange(256) for _ in range(size)).replace(b"\n", b"?")
        return b"\x01" + noise, ANSWERED  # never blank, never JSON

    def truncated(self):
        line = self.line(self.good())
        return line[:self.pick.randrange(1, len(line))], ANSWERED

    def bad_utf8(self):
        line = self.line(self.call("type", {"text": "MARK"}))
        bad = self.pick.choice([b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"\xc0\xaf",
                                b"\xf4\x90\x80\x80"])
        return line.replace(b"MARK", b"a" + bad + b"b"), ANSWERED

    def deep(self):
        depth = self.pick.choice([200, 5000, DEEP])
        opening, closing = self.pick.choice([(b"[", b"]"), (b'{"a":', b"}")])
        nest = opening * depth + b"1" + closing * depth
        if self.pick.random() < 0.3:
            return nest, ANSWERED
        return self.line(self.call("type", {"text": "MARK"})).replace(b'"MARK"', nest), ANSWERED

    def odd_number(self):
        odd = self.pick.choice([b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e999", b"0x10", b"01", b"+1", b".5",
                                b"1.", b'"NaN"', b'"Infinity"', b'"1"', b"1e308", b"-1e308", b"9" * 400,
                                b"99999999999999999999"])
        tool, field = self.pick.choice([("left_click", "coordinate"), ("wait", "duration"), ("scroll", "scroll_amount"),
                                        ("key", "repeat"), ("hold_key", "duration"), ("switch_display", "display")])
        arguments = {"left_click": {"coordinate": ["MARK", 5]}, "wait": {"duration": "MARK"},
                     "scroll": {"coordinate": [5, 5], "scroll_direction": "down", "scroll_amount": "MARK"},
                     "key": {"text": "a", "repeat": "MARK"}, "hold_key": {"text": "a", "duration": "MARK"},
                     "switch_display": {"display": "MARK"}}[tool]
        return self.line(self.call(tool, arguments)).replace(b'"MARK"', odd), ANSWERED

    def repeated_key(self):
        line = self.line(self.good())
        key = self.pick.choice([b'"name":', b'"arguments":', b'"params":', b'"method":', b'"id":', b'"jsonrpc":'])
        twice = {b'"name":': b'"name": "type", ', b'"arguments":': b'"arguments": {}, ',
                 b'"params":': b'"params": {}, ', b'"method":': b'"method": "ping", ', b'"id":': b'"id": 1, ',
                 b'"jsonrpc":': b'"jsonrpc": "2.0", '}[key]
        return line.replace(key, twice + key, 1), ANSWERED

    # Broken JSON-RPC

    def no_object(self):
        lines = [b"1", b'"x"', b"null", b"true", b"[]", b"[1]", b"{}", b"-0", b"[[]]", b'[{"jsonrpc":"2.0"}]']
        return self.pick.choice(lines), ANSWERED

    def envelope(self):
        message = self.good()
        change = self.pick.choice(["version", "no version", "id", "method", "no method", "params", "array"])
        if change == "version":
            message["jsonrpc"] = self.pick.choice(["1.0", 2.0, None, "2.00", [], {}])
        elif change == "no version":
            del message["jsonrpc"]
        elif change == "id":
            message["id"] = self.pick.choice([None, 1.5, True, [], {}, [1], 1e300])
        elif change == "method":
            message["method"] = self.pick.choice([None, 1, [], {}, True])
        elif change == "no method":
            del message["method"]
        elif change == "params":
            message["params"] = self.pick.choice([[], [1], "x", 1, None, True, [message["params"]]])
        else:
            message = [message]
        return self.line(message), ANSWERED

    def unknown_method(self):
        message = self.good()
        message["method"] = self.pick.choice(["tools/Call", "tools/call ", "tool/call", "", "x" * 10_000,
                                              "resources/none", "tools/call\u0000", "shutdown", "日本",
                                              "completion/complete"])
        return self.line(message), ANSWERED

    def notification(self):
        """Nobody waits for the answer of a call without id, so it must not act either."""
        message = self.good()
        del message["id"]
        return self.line(message), SILENT

    # Calls that the tool does not allow

    def unknown_tool(self):
        message = self.good()
        name = message["params"]["name"]
        message["params"]["name"] = self.pick.choice([
            name.upper(), name + " ", " " + name, "", "left_clik", "x" * 5000, name + "\u0000", "../" + name, None, 1,
            [name], {"name": name}])
        return self.line(message), ANSWERED

    def bad_params(self):
        message = self.good()
        params = message["params"]
        change = self.pick.choice(["arguments", "no name", "empty"])
        if change == "arguments":
            params["arguments"] = self.pick.choice([None, [], [1], "x", 1, True, [params["arguments"]]])
        elif change == "no name":
            del params["name"]
        else:
            message["params"] = self.wrap({})
        return self.line(message), ANSWERED

    def bad_arguments(self):
        for _ in range(200):
            tool, arguments = self.example()
            changed = self.mutated(arguments)
            if isinstance(changed, dict) and any(schema.problems(changed, tool["inputSchema"])):
                return self.line(self.call(tool["name"], changed)), ANSWERED
        raise AssertionError("no mutation is invalid")

    ODD = [None, True, False, -1, 0, 1.5, -1e300, 10**25, "", "x", "NaN", "\u0000", "x" * 200_001, [], {}, [[]], [None],
           ["1", "2"], [1], [1, 2, 3], [1, None], [True, False], {"x": 1}, [[1, 2]] * 200, "\ud800"]

    def mutated(self, value):
        kind = self.pick.random()
        if isinstance(value, dict):
            changed = dict(value)
            if value and kind < 0.6:
                key = self.pick.choice(list(value))
                if kind < 0.15:
                    del changed[key]
                elif kind < 0.3:
                    changed[key + self.pick.choice(["x", " ", "_"])] = changed.pop(key)
                else:
                    changed[key] = self.mutated(value[key])
                return changed
            if kind < 0.85:
                key = self.pick.choice(["extra", "Text", "coordinate ", "x", "__proto__", "button"])
                changed[key] = self.pick.choice(self.ODD)
                return changed
        if isinstance(value, list) and value and kind < 0.5:
            changed = list(value)
            place = self.pick.randrange(len(changed))
            changed[place] = self.mutated(changed[place])
            return changed
        return self.pick.choice(self.ODD)


def self_chance(message):
    """Escaped or plain characters, either way the same message; lone surrogates only escaped."""
    text = json.dumps(message, ensure_ascii=False)
    return len(text) % 2 == 0 or any("\ud800" <= c <= "\udfff" for c in text)
