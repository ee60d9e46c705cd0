#!/usr/bin/env python3
"""guide_pictures.py HANDRAIL [FOLDER]: takes the pictures of docs/guide anew, with Handrail itself on an embedded
desktop. Only the consent dialog, which Handrail keeps out of its own pictures, is photographed from outside, on an X
server that counts as a person's. ImageMagick must be installed."""
import json
import os
import pathlib
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST_BYTES = 150_000
PATIENCE = 30
SIZE = "860x560"


class Studio:
    def __init__(self, handrail):
        self.handrail = str(pathlib.Path(handrail).resolve())
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hrp-", dir="/tmp"))
        for name in ("home", "run"):
            (self.folder / name).mkdir(mode=0o700)
        self.env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(self.folder / "home"),
                    "XDG_RUNTIME_DIR": str(self.folder / "run")}

    def run(self, *words, **options):
        done = subprocess.run([self.handrail, *map(str, words)], env=self.env, capture_output=True, text=True,
                              timeout=120, **options)
        if done.returncode != 0:
            sys.exit(f"handrail {' '.join(map(str, words))}: {done.stderr or done.stdout}")
        return done.stdout

    def close(self):
        subprocess.run([self.handrail, "desktop", "stop", "--all"], env=self.env, capture_output=True, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


def until(condition, what):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(f"{what} did not come")
        time.sleep(0.02)


def steps(*rows):
    return json.dumps([{"action": action, "params": params} for action, params in rows])


def looks(studio, folder):
    """A capture with numbers, and the same desktop as somebody sees it who was granted one app."""
    both = ("--grant", "galculator", "--grant", "org.xfce.mousepad")
    studio.run("desktop", "start", "--name", "pictures", "--size", SIZE)
    studio.run("do", "open_app", "--app", "org.xfce.mousepad", *both)
    studio.run("do", "open_app", "--app", "galculator", *both)
    windows = json.loads(studio.run("do", "list_windows", "--json", *both))["windows"]
    place = {window["app"].lower(): window["id"] for window in windows}
    studio.run("do", "move_window", "--window", place["galculator"], "--to", "500,120", *both)
    studio.run("do", "move_window", "--window", place["mousepad"], "--to", "20,20", *both)
    studio.run("do", "batch", *both, "--steps", steps(
        ("focus_window", {"window": place["mousepad"]}),
        ("type", {"text": "Shopping: 3 × 7 apples\nGrüße aus 東京 🎉\n"}),
        ("focus_window", {"window": place["galculator"]}),
        ("type", {"text": "21"})))
    studio.run("do", "capture", "--app", "galculator", "--save", studio.folder / "marked.jpg", *both)
    subprocess.run(["convert", studio.folder / "marked.jpg", folder / "marked-capture.png"], check=True)
    studio.run("do", "screenshot", "--save", folder / "all-granted.png", *both)
    studio.run("do", "screenshot", "--save", folder / "one-granted.png", "--grant", "galculator:read")
    studio.run("desktop", "stop", "pictures")


def dialog(studio, folder):
    """What a person is asked on their own desktop."""
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", f"{SIZE}x24", "-nolisten", "tcp"],
                              pass_fds=[write], env=studio.env, stderr=subprocess.DEVNULL)
    os.close(write)
    if not select.select([read], [], [], PATIENCE)[0]:
        sys.exit("the X server did not come")
    env = {**studio.env, "DISPLAY": ":" + os.read(read, 16).decode().strip()}
    apps = json.dumps([{"app": "galculator", "tier": "full"}, {"app": "xterm", "tier": "full"}])
    asking = subprocess.Popen([studio.handrail, "do", "request_access", "--desktop", env["DISPLAY"], "--apps", apps,
                               "--reason", "To add the prices of your list."], env=env, start_new_session=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    picture = folder / "consent-dialog.png"

    def is_painted():
        subprocess.run(["import", "-window", "root", "-trim", "+repage", picture], env=env, check=False,
                       stderr=subprocess.DEVNULL)
        return picture.exists() and struct.unpack(">II", picture.read_bytes()[16:24])[0] > 200
    try:
        until(is_painted, "the dialog")
        # It is deaf at first and shows that; the picture is of the time after.
        time.sleep(1)
        is_painted()
    finally:
        asking.terminate()
        asking.wait(PATIENCE)
        server.terminate()
        server.wait(PATIENCE)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) == 3 else ROOT / "docs" / "guide" / "pictures")
    folder.mkdir(parents=True, exist_ok=True)
    studio = Studio(sys.argv[1])
    try:
        looks(studio, folder)
        dialog(studio, folder)
    finally:
        studio.close()
    for picture in sorted(folder.glob("*.png")):
        size = picture.stat().st_size
        print(f"{picture.name}: {size} bytes")
        if size > MOST_BYTES or picture.read_bytes()[:4] != b"\x89PNG":
            sys.exit(f"{picture.name} is no PNG of at most {MOST_BYTES} bytes")


if __name__ == "__main__":
    main()
