"""Public MCP clients against Handrail: the inspector's command line and both client libraries."""
import json
import pathlib
import shutil
import subprocess
import unittest

from support.desk import HANDRAIL, Desk

HERE = pathlib.Path(__file__).resolve().parent
NODE = shutil.which("node")
INSPECTOR = HERE / "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
ERAS = ("modern", "legacy")


class Clients(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if NODE is None or not INSPECTOR.exists():
            raise AssertionError("Node.js or the clients are missing: `npm install` in tests/conformance (./test does it)")
        cls.desk = Desk()
        cls.addClassCleanup(cls.desk.stop)
        # An app of its own everywhere: the pointer moves over granted apps only.
        cls.desk.open("probe_x11", "--override-redirect", geometry="1280x800+0+0")
        cls.editor = cls.desk.open("editor_gtk3", geometry="500x300+600+300").wait_focus()

    def node(self, *words, env=None, timeout=300):
        return subprocess.run([NODE, *map(str, words)], env={**self.desk.home.env, **(env or {})}, cwd=HERE,
                              timeout=timeout, capture_output=True, text=True, start_new_session=True)

    def inspect(self, era, *words, surface=("--surface", "classic")):
        # It starts servers with an environment of its own.
        env = [word for name in self.desk.home.env if name.startswith("XDG_")
               for word in ("-e", f"{name}={self.desk.home.env[name]}")]
        done = self.node(INSPECTOR, "--cli", "--protocol-era", era, "--format", "json", *env, *words,
                         "--", HANDRAIL, "mcp", *surface, "--desktop", self.desk.name)
        self.assertEqual(done.returncode, 0, f"{era} {words}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
        return json.loads(done.stdout), done.stderr

    def call(self, era, tool, arguments):
        result, _ = self.inspect(era, "--method", "tools/call", "--tool-name", tool,
                                 "--tool-args-json", json.dumps(arguments))
        result = result.get("result", result)
        self.assertFalse(result.get("isError", False), result)
        return result

    def test_inspector_lists_tools_strictly(self):
        for era in ERAS:
            for surface, count in (((), 1), (("--surface", "classic"), 24)):
                listed, told = self.inspect(era, "--method", "tools/list", "--strict", surface=surface)
                tools = listed.get("result", listed)["tools"]
                self.assertEqual(len(tools), count)
                self.assertNotIn("warning", told.lower(), told)

    def test_inspector_calls_tools(self):
        for era in ERAS:
            self.assertTrue(any(part["type"] == "image" for part in self.call(era, "screenshot", {})["content"]))
            self.call(era, "write_clipboard", {"text": era})
            self.call(era, "computer_batch", {"actions": [{"action": "screenshot"},
                                                          {"action": "mouse_move", "coordinate": [77, 88]}]})
            pointer = self.desk.state()["pointer"]
            self.assertEqual((pointer["x"], pointer["y"]), (77, 88))

    def test_inspector_load(self):
        told, _ = self.inspect("modern", "--method", "tools/call", "--tool-name", "screenshot", "--load",
                               "--load-requests", "40", "--load-concurrency", "4")
        told = told["result"]
        print(f"screenshot under load: {told['latencyMs']} ms, {told['throughput']} a second")
        self.assertEqual((told["ok"], told["errors"], told["toolErrors"]), (40, 0, 0))

    def play(self, script, mode, protocol):
        self.editor.log.forget()
        before = self.editor.log.text()
        done = self.node(HERE / script, HANDRAIL, "mcp", "--surface", "classic", "--desktop", self.desk.name,
                         env={"HANDRAIL_MODE": mode})
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        seen = json.loads(done.stdout)
        self.assertEqual((seen["protocol"], len(seen["tools"])), (protocol, 24))
        self.assertEqual(seen["server"], "handrail")
        self.assertEqual(seen["picture"]["type"], "image/jpeg")
        self.assertEqual(seen["picture"]["bytes"], seen["picture"]["told"])
        self.assertEqual(seen["where"]["at"], [321, 123])
        self.assertEqual((seen["typed"], seen["wrong"], seen["unknown"]), (False, True, -32602))
        pointer = self.desk.state()["pointer"]
        self.assertEqual((pointer["x"], pointer["y"]), (321, 123))
        self.editor.log.wait(lambda _: self.editor.log.text() == before + "Grüße 東京 🎉", what="the text")

    def test_sdk_of_the_handshake_era(self):
        self.play("sdk_client.mjs", "", "2025-11-25")

    def test_client_of_the_stateless_era(self):
        self.play("stateless_client.mjs", "2026-07-28", "2026-07-28")
        self.play("stateless_client.mjs", "auto", "2026-07-28")
        self.play("stateless_client.mjs", "legacy", "2025-11-25")


if __name__ == "__main__":
    unittest.main()
