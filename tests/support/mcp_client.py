"""An MCP client over the standard streams of a `handrail mcp`, for both eras of the protocol. It checks the form
of every message that comes, and the structured result of every tool against the tool's own outputSchema."""
import base64
import json
import subprocess
import threading
import time

from support import schema

HANDSHAKE = "2025-11-25"
STATELESS = "2026-07-28"
META = "io.modelcontextprotocol/"
# For an answer or an end that must come. Nothing is measured with it.
PATIENCE = 60


class ProtocolProblem(AssertionError):
    pass


class Reply:
    """The result of one tools/call."""

    def __init__(self, result):
        self.result = result
        self.is_error = result.get("isError", False)
        self.structured = result.get("structuredContent", {})
        self.text = "\n".join(c["text"] for c in result["content"] if c["type"] == "text")
        self.images = [c for c in result["content"] if c["type"] == "image"]

    @property
    def effect(self):
        return self.structured.get("effect")

    @property
    def error(self):
        return self.structured.get("error", {})

    @property
    def image(self):
        if len(self.images) != 1:
            raise AssertionError(f"{len(self.images)} pictures came with: {self.text}")
        return base64.b64decode(self.images[0]["data"], validate=True)

    def __repr__(self):
        return f"Reply(is_error={self.is_error}, text={self.text!r}, structured={self.structured})"


class McpClient:
    """Without a controlling terminal, so that nobody at the keyboard of the test is asked anything."""

    def __init__(self, command, env, era="handshake", revision=HANDSHAKE, **options):
        self.era = era
        options.setdefault("start_new_session", True)
        self.process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, bufsize=0, **options)
        self._changed = threading.Condition()
        self._write_lock = threading.Lock()
        self.messages = []  # in order of arrival
        self._answers = {}
        self.impure = []  # lines on stdout that are no message
        self.stderr = b""
        self.ended = False
        self._next_id = 0
        self._tools = None
        self._readers = [threading.Thread(target=f, daemon=True) for f in (self._read_stdout, self._read_stderr)]
        for reader in self._readers:
            reader.start()
        if era == "handshake":
            try:
                self._open(revision)
            except BaseException:
                self.process.kill()
                raise

    def _open(self, revision):
        self.opening = self.result("initialize", {
            "protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "handrail-tests", "version": "1"}})
        self.notify("notifications/initialized")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.close(check=kind is None)

    # Sending

    def send_bytes(self, data):
        with self._write_lock:
            view = memoryview(data)
            while view:
                view = view[self.process.stdin.write(view):]

    def send(self, message):
        self.send_bytes(json.dumps(message, ensure_ascii=False).encode() + b"\n")

    def notify(self, method, params=None):
        self.send({"jsonrpc": "2.0", "method": method, "params": params or {}})

    def new_id(self):
        self._next_id += 1
        return self._next_id

    def params(self, params=None, progress=None):
        params = dict(params or {})
        meta = dict(params.get("_meta", {}))
        if self.era == "stateless":
            meta.update({META + "protocolVersion": STATELESS, META + "clientCapabilities": {},
                         META + "clientInfo": {"name": "handrail-tests", "version": "1"}})
        if progress is not None:
            meta["progressToken"] = progress
        if meta:
            params["_meta"] = meta
        return params

    def start(self, method, params=None, progress=None):
        """Sends a request and returns its id."""
        number = self.new_id()
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": self.params(params, progress)})
        return number

    def start_call(self, tool, arguments=None, progress=None):
        return self.start("tools/call", {"name": tool, "arguments": arguments or {}}, progress)

    def cancel(self, number):
        self.notify("notifications/cancelled", {"requestId": number, "reason": "test"})

    # Receiving

    def wait_for(self, condition, timeout, what):
        """`condition()` is asked after every message; its first true value is returned."""
        deadline = time.monotonic() + timeout
        with self._changed:
            while True:
                value = condition()
                if value:
                    return value
                left = deadline - time.monotonic()
                if left <= 0 or self.ended:
                    state = f"exit {self.process.poll()}" if self.ended else "running"
                    raise TimeoutError(f"{what} did not come in {timeout} s ({state}); stderr: "
                                       f"{self.stderr[-2000:].decode(errors='replace')}")
                self._changed.wait(left)

    def answer(self, number, timeout=PATIENCE):
        return self.wait_for(lambda: self._answers.get(number), timeout, f"the answer to {number}")

    def has_answer(self, number):
        return number in self._answers

    def request(self, method, params=None, timeout=PATIENCE):
        return self.answer(self.start(method, params), timeout)

    def result(self, method, params=None, timeout=PATIENCE):
        message = self.request(method, params, timeout)
        if "result" not in message:
            raise ProtocolProblem(f"{method}: {message}")
        return message["result"]

    def tools(self):
        if self._tools is None:
            self._tools = {tool["name"]: tool for tool in self.result("tools/list")["tools"]}
        return self._tools

    def finish_call(self, number, tool, timeout=PATIENCE):
        message = self.answer(number, timeout)
        if "result" not in message:
            raise ProtocolProblem(f"{tool}: {message}")
        reply = Reply(message["result"])
        wrong = list(schema.problems(reply.structured, self.tools()[tool]["outputSchema"]))
        if wrong:
            raise ProtocolProblem(f"{tool} breaks its outputSchema: {wrong}")
        return reply

    def call(self, tool, arguments=None, timeout=PATIENCE):
        self.tools()
        return self.finish_call(self.start_call(tool, arguments), tool, timeout)

    def do(self, tool, arguments=None, timeout=PATIENCE):
        """A call that must not fail."""
        reply = self.call(tool, arguments, timeout)
        if reply.is_error:
            raise AssertionError(f"{tool} {arguments} failed: {reply}")
        return reply

    def notifications(self, method):
        return [m["params"] for m in self.messages if m.get("method") == method]

    # Ending

    def close(self, timeout=PATIENCE, check=True):
        """Ends the input and waits. Returns the seconds it took to exit."""
        began = time.monotonic()
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        return self.wait_exit(timeout, began, check)

    def wait_exit(self, timeout=PATIENCE, began=None, check=True):
        began = began or time.monotonic()
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"handrail did not exit in {timeout} s") from None
        took = time.monotonic() - began
        for reader in self._readers:
            reader.join(5)
        self.process.stdout.close()
        self.process.stderr.close()
        if check:
            self.check_pure()
        return took

    def check_pure(self):
        if self.impure:
            raise ProtocolProblem(f"{len(self.impure)} bad lines on standard output, first {self.impure[0]!r}")

    def _read_stderr(self):
        while chunk := self.process.stderr.read(65536):
            self.stderr = (self.stderr + chunk)[-1_000_000:]

    def _read_stdout(self):
        buffer = bytearray()
        while chunk := self.process.stdout.read(1 << 20):
            buffer += chunk
            *lines, rest = buffer.split(b"\n") if b"\n" in chunk else ([buffer])
            buffer = bytearray(rest)
            for line in lines:
                self._take(bytes(line))
        with self._changed:
            if buffer:
                self.impure.append(bytes(buffer[:200]))
            self.ended = True
            self._changed.notify_all()

    def _take(self, line):
        try:
            message = json.loads(line.decode("utf-8"))
            problem = self._form_problem(message)
        except ValueError as error:
            message, problem = None, str(error)
        with self._changed:
            if problem:
                self.impure.append((problem, line[:300]))
            else:
                for one in message if isinstance(message, list) else [message]:
                    self.messages.append(one)
                    if "method" not in one and "id" in one:
                        self._answers[one["id"]] = one
            self._changed.notify_all()

    def _form_problem(self, message):
        if isinstance(message, list):
            return next(filter(None, map(self._form_problem, message)), None)
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return "no JSON-RPC 2.0 message"
        if "method" in message:
            return None if "id" not in message else "the server asks a request"
        if ("result" in message) == ("error" in message):
            return "neither result nor error, or both"
        if "id" in message and (isinstance(message["id"], bool) or not isinstance(message["id"], (str, int))):
            return "the id is neither string nor integer"
        if "result" in message and "id" not in message:
            return "a result without id"
        if "error" in message:
            error = message["error"]
            good = isinstance(error.get("code"), int) and isinstance(error.get("message"), str) and error["message"]
            return None if good else "an error without code or message"
        if self.era == "stateless":
            result = message["result"]
            if "resultType" not in result or META + "serverInfo" not in result.get("_meta", {}):
                return "a stateless result without resultType or serverInfo"
        return None
