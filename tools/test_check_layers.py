#!/usr/bin/env python3
"""Proves that check_layers.py notices each kind of forbidden include, and nothing else."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parent / "check_layers.py"
LAYERS = "base :\nmodel : base  # values\nplatform/* : base model\nfront/* : base\napp : *\n"


class CheckLayers(unittest.TestCase):
    def check(self, files, layers=LAYERS):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "layers.txt").write_text(layers)
            for name, text in files.items():
                path = root / "src" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr

    def assert_clean(self, files):
        self.assertEqual(self.check(files), (0, ""))

    def assert_caught(self, files, words, layers=LAYERS):
        code, text = self.check(files, layers)
        self.assertEqual(code, 1)
        self.assertIn(words, text)

    def test_allowed_arrows_pass(self):
        self.assert_clean({"model/point.h": '#include <vector>\n#include "base/result.h"\n#include "model/rect.h"\n',
                           "platform/x11/screen.cpp": '#include "platform/x11/screen.h"\n#include "model/point.h"\n',
                           "app/main.cpp": '#include "platform/x11/screen.h"\n#include "front/mcp/server.h"\n'})

    def test_an_arrow_against_the_order_is_caught(self):
        self.assert_caught({"base/error.cpp": '#include "model/point.h"\n'},
                           'src/base/error.cpp: base may not include "model/point.h" (model)')

    def test_spaces_in_the_directive_hide_nothing(self):
        self.assert_caught({"base/error.cpp": '  #  include   "model/point.h"\n'}, "base may not include")

    def test_siblings_below_a_pattern_are_strangers(self):
        self.assert_caught({"platform/x11/screen.cpp": '#include "platform/sim/desk.h"\n'},
                           "platform/x11 may not include")

    def test_a_folder_without_a_line_is_caught(self):
        self.assert_caught({"extras/tool.cpp": "int x;\n"}, "has no line in layers.txt")

    def test_an_include_not_written_from_src_is_caught(self):
        self.assert_caught({"model/point.cpp": '#include "point.h"\n'}, "is not written from src/")

    def test_nothing_to_check_is_a_failure(self):
        self.assert_caught({}, "no files found")

    def test_a_broken_rule_is_a_failure(self):
        self.assert_caught({"base/a.h": "\n"}, "layers.txt:1", layers="base\n")


if __name__ == "__main__":
    unittest.main()
