"""Calls of the models' own computer tools, one at a time from the command line."""
import json
import unittest

from support.desk import Desk


class Native(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desk = Desk("--size", "1280x800")
        cls.addClassCleanup(cls.desk.stop)
        cls.probe = cls.desk.open("probe_x11", "--color", "3366cc", geometry="400x300+100+100")

    def run_as(self, vendor, call, *words):
        return self.desk.home.run("do", "--desktop", self.desk.name, "--as", vendor, json.dumps(call), *words)

    def test_clicks_where_each_model_means(self):
        x, y, _, _ = self.probe.content()
        aim = (x + 40, y + 60)
        for vendor, call in (("anthropic", {"action": "right_click", "coordinate": list(aim)}),
                             ("openai", {"type": "click", "button": "right", "x": aim[0], "y": aim[1]}),
                             ("gemini", {"name": "right_click", "args": {"x": aim[0] / 1.28, "y": aim[1] / 0.8}})):
            with self.subTest(vendor):
                self.probe.forget()
                done = self.run_as(vendor, call)
                self.assertEqual(done.returncode, 0, done.stderr)
                press = self.probe.log.wait_count("press", 1)[0]
                self.assertEqual((press["button"], press["root_x"], press["root_y"]), (3, *aim))

    def test_a_dry_run_sends_nothing(self):
        x, y, _, _ = self.probe.content()
        self.probe.forget()
        done = self.run_as("anthropic", {"action": "left_click", "coordinate": [x + 5, y + 5]}, "--dry-run", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(json.loads(done.stdout)["dry_run"])
        self.assertEqual(self.probe.received("press"), [])

    def test_runs_a_batch(self):
        x, y, _, _ = self.probe.content()
        self.probe.forget()
        done = self.run_as("openai", {"type": "computer_call", "actions": [
            {"type": "move", "x": x + 10, "y": y + 10}, {"type": "click", "button": "left", "x": x + 20, "y": y + 30}]})
        self.assertEqual(done.returncode, 0, done.stderr)
        press = self.probe.log.wait_count("press", 1)[0]
        self.assertEqual((press["root_x"], press["root_y"]), (x + 20, y + 30))

    def test_says_what_is_understood(self):
        done = self.run_as("anthropic", {"action": "left_clik"})
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("left_click", done.stderr)
        self.assertIn("anthropic, openai or gemini", self.run_as("acme", {}).stderr)
        declared = self.desk.home.json("schema", "--for", "anthropic", "--size", "1280x800")
        self.assertEqual(declared["tools"][0]["display_width_px"], 1280)


if __name__ == "__main__":
    unittest.main()
