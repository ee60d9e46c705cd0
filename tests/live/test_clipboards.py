"""The clipboard as text, HTML, picture and files, against a program that owns and reads selections in plain X."""
import base64
import json
import os
import signal
import subprocess
import unittest

from support import png
from support.desk import APPS, HANDRAIL, Desk, EventLog, gone, wait_until
from support.one_action import OneAction

HTML = "<p>a <b>bold</b> &amp; quiet word</p>"


def picture():
    """A PNG of 3 by 2, by hand."""
    import struct
    import zlib
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes([200, 10 * y, 30] * 3) for y in range(2))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 3, 2, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Clipboards(OneAction, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desk = Desk()
        cls.addClassCleanup(cls.desk.stop)

    def own(self, *contents):
        log = EventLog(self.desk.home.folder / "logs" / f"{self.id()}.jsonl")
        pid = self.desk.launch([str(APPS / "clip_x11"), "own", "--log", str(log.path), *contents])
        log.wait_count("owner", 1)

        def stop():
            if not gone(pid):
                os.kill(pid, signal.SIGTERM)
                wait_until(lambda: gone(pid))
        self.addCleanup(stop)

    def hold(self, **params):
        """Writes and keeps it for some seconds, as a session does."""
        steps = [{"action": "write_clipboard", "params": params}, {"action": "wait", "params": {"duration": 20}}]
        process = subprocess.Popen([HANDRAIL, "do", "--desktop", self.desk.name, "batch", "--params",
                                    json.dumps({"steps": steps})], env=self.desk.home.env, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, start_new_session=True)

        def stop():
            process.terminate()
            process.communicate()
        self.addCleanup(stop)
        return process

    def offered(self, process, mime):
        def there():
            if process.poll() is not None:
                raise AssertionError(process.stderr.read())
            asked = subprocess.run([APPS / "clip_x11", "targets"], env={**self.desk.home.env, **self.desk.env},
                                   capture_output=True, text=True, timeout=60)
            return mime in asked.stdout.split("\n")
        wait_until(there, what=mime)
        return self.desk.oracle("clip_x11", "read", mime, text=False)

    def test_reads(self):
        path = self.desk.home.folder / "logs" / "picture.png"
        path.write_bytes(picture())
        self.own(f"text/html={HTML}", "UTF8_STRING=words", f"image/png=@{path}",
                 "text/uri-list=file:///tmp/a%20b\r\nfile:///tmp/c\r\n")
        self.assertEqual(self.act("read_clipboard", format="html")["text"], HTML)
        self.assertEqual(self.act("read_clipboard")["text"], "words")
        self.assertEqual(self.act("read_clipboard", format="files")["text"], "/tmp/a b\n/tmp/c\n")
        self.assertIn("image/png", self.act("list_clipboard_formats")["formats"])
        saved = self.desk.home.folder / "logs" / "out.png"
        done = self.desk.home.run("do", "--desktop", self.desk.name, "read_clipboard", "--params",
                                  '{"format": "image"}', "--save", saved)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(saved.read_bytes(), picture())
        self.assertEqual(png.decode(saved.read_bytes()).pixel(1, 1), (200, 10, 30))

    def test_says_what_is_not_there(self):
        self.own("UTF8_STRING=words")
        for kind in ("html", "image", "files"):
            self.assertTrue(self.act("read_clipboard", format=kind)["empty"], kind)

    def test_a_picture_that_is_none(self):
        self.own("image/png=no picture at all")
        self.assertEqual(self.refusal("read_clipboard", format="image")["code"], "protocol")

    def test_writes_html(self):
        process = self.hold(format="html", text=HTML)
        self.assertEqual(self.offered(process, "text/html").decode(), HTML)
        self.assertEqual(self.desk.oracle("clip_x11", "read", "UTF8_STRING"), "a bold & quiet word")

    def test_writes_a_picture(self):
        process = self.hold(format="image", image=base64.b64encode(picture()).decode())
        self.assertEqual(self.offered(process, "image/png"), picture())

    def test_writes_files(self):
        process = self.hold(format="files", files=["/tmp/a b", "/tmp/ü"])
        self.assertEqual(self.offered(process, "text/uri-list"), b"file:///tmp/a%20b\r\nfile:///tmp/%C3%BC\r\n")

    def test_bad_input_writes_nothing(self):
        self.own("UTF8_STRING=kept")
        for params, field in (({}, "text"), ({"format": "image"}, "image"), ({"format": "image", "image": "eA=="}, "image"),
                              ({"format": "files"}, "files"), ({"format": "files", "files": ["x"]}, "files"),
                              ({"format": "files", "files": ["/a\n/b"]}, "files"), ({"text": "x", "image": "eA=="}, "image")):
            self.mistaken("write_clipboard", field, **params)
        self.assertEqual(self.desk.oracle("clip_x11", "read", "UTF8_STRING"), "kept")


if __name__ == "__main__":
    unittest.main()
