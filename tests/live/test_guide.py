"""The guide is true: every sample of every page runs as it stands there, and every setting is in the reference."""
import json
import pathlib
import unittest

from support.guide import Reader, SampleProblem, blocks_of, calls_of, fits

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs" / "guide").glob("*.md"))
# Blocks that nobody runs, in all pages together.
MOST_CONSOLE = 4


class Pages(unittest.TestCase):
    def follow(self, path):
        with Reader() as reader:
            ran = reader.follow(path.name, path.read_text())
        print(f"{path.name}: {ran} samples", flush=True)

    def test_there_are_pages_and_few_samples_that_nobody_runs(self):
        found = [block for path in PAGES for block in blocks_of(path.name, path.read_text())]
        self.assertGreaterEqual(len(PAGES), 11)
        self.assertGreaterEqual(sum(block.language in ("sh", "json", "toml") for block in found), 30)
        self.assertLessEqual(sum(block.language == "console" for block in found), MOST_CONSOLE)

    def test_the_session_of_the_readme(self):
        found = blocks_of("README.md", (ROOT / "README.md").read_text())
        calls = [block.text for block in found if block.language == "json"]
        self.assertEqual(len(calls), 1)
        with Reader() as reader:
            reader.follow("README.md", "```sh\nhandrail desktop start\n"
                          "handrail do open_app --app galculator --grant galculator\n```\n"
                          f"```json\n{calls[0]}\n```\n```text\n…satisfied. 1: satisfied (It has that value.)\n```\n"
                          "```sh\nhandrail desktop stop --all\n```\n")


def follow_page(path):
    return lambda self: self.follow(path)


for page in PAGES:
    setattr(Pages, f"test_page_{page.stem.replace('-', '_').lower()}", follow_page(page))


class TheCheckItself(unittest.TestCase):
    """A sample that is not so is found."""

    def problem(self, page):
        with Reader() as reader, self.assertRaises(SampleProblem) as caught:
            reader.follow("page.md", page)
        return str(caught.exception)

    def test_what_is_shown_is_compared(self):
        self.assertTrue(fits("a … c\n…\nend", "a b c\nmore\nand more\nend\n"))
        self.assertFalse(fits("a … c", "a b d"))
        self.assertFalse(fits("a", "a b"))
        with Reader() as reader:
            self.assertEqual(reader.follow("page.md", "```sh\nx=5\n```\n```sh\necho $x\n```\n```text\n5\n```\n"), 2)
        self.assertIn("this came:\n5", self.problem("```sh\necho 5\n```\n```text\n6\n```\n"))
        self.assertIn("nothing ran", self.problem("```text\n6\n```\n"))

    def test_a_command_that_fails_is_found(self):
        self.assertIn("false failed", self.problem("```sh\nfalse\necho after\n```\n"))
        self.assertIn("should fail", self.problem("```sh fails\necho 5\n```\n"))

    def test_settings_that_are_wrong_are_found(self):
        self.assertIn("no_such", self.problem('```toml\nno_such = "x"\n```\n'))

    def test_calls_are_told_apart_and_need_a_desktop(self):
        self.assertEqual(list(calls_of('{"a": 1}\n\n{"b":\n 2}')), [{"a": 1}, {"b": 2}])
        self.assertIn("one desktop should run", self.problem('```json\n{"action": "list_apps"}\n```\n'))

    def test_kinds_are_known(self):
        self.assertIn("not known", self.problem("```bash\nls\n```\n"))
        self.assertIn("has no end", self.problem("```sh\nls\n"))


class Reference(unittest.TestCase):
    def test_every_setting_is_there(self):
        page = (ROOT / "docs" / "reference" / "config.md").read_text()

        def settings(schema, prefix=""):
            for name, value in schema.get("properties", {}).items():
                yield prefix + name
                yield from settings(value, f"{prefix}{name}.")
                yield from settings(value.get("items", {}), f"{prefix}{name}[].")

        names = list(settings(json.loads((ROOT / "contract" / "config.schema.json").read_text())))
        self.assertGreater(len(names), 20)
        self.assertEqual([name for name in names if f"| `{name}` |" not in page], [])


if __name__ == "__main__":
    unittest.main()
