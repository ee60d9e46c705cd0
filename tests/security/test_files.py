"""Files, programs and processes: only granted folders, never through a link; programs see nothing of the desktop. The
oracles are the files themselves, the processes of the kernel and programs outside Handrail."""
import base64
import itertools
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

from support.desk import FULL, HANDRAIL, PATIENCE, gone, most_seconds, wait_until

from security.harness import CALL_PATIENCE, row

CANARY = "canary-7d1f-do-not-read"
SECRET = "hunter2-do-not-inherit"


class Place:
    """A granted folder with a canary beside it, and the command line as the agent."""

    def __init__(self, stage, name, **settings):
        self.stage = stage
        stage.end_server()
        self.base = stage.home.folder / f"files-{name}"
        shutil.rmtree(self.base, ignore_errors=True)
        self.work = self.base / "work"
        self.work.mkdir(parents=True)
        self.canary = self.base / "canary"
        self.canary.write_text(CANARY)
        (self.work / "note").write_text("hello")
        self.configure(**settings)

    def configure(self, access="write", roots=None, grants="", files=True, programs=True, quota=100, network=False):
        rows = "".join(f'[[files.roots]]\npath = "{root}"\naccess = "{access}"\n' for root in roots or [self.work])
        self.stage.home.write_config(f"[programs]\nallow = {str(programs).lower()}\nnetwork = {str(network).lower()}\n[files]\nallow = {str(files).lower()}\n"
                                     f"write_quota_mb = {quota}\n{rows}{grants}")

    def do(self, action, before=(), server_env=None, timeout=CALL_PATIENCE, **params):
        """One action; its exit code, and what it says."""
        words = [*before, HANDRAIL, "do", "--desktop", self.stage.desk.name, action, "--json", "--params", json.dumps(params)]
        done = subprocess.run(words, env={**self.stage.home.env, **(server_env or {})}, capture_output=True, text=True,
                              timeout=timeout)
        try:
            told = json.loads(done.stdout)
        except ValueError:
            told = {"error": {"message": done.stderr}}
        told["exit"] = done.returncode
        return told

    def works(self, action, **params):
        told = self.do(action, **params)
        assert told["exit"] == 0, f"{action} {params} was refused: {told}"
        return told

    def refused(self, action, **params):
        before = self.tree()
        told = self.do(action, **params)
        assert told["exit"] != 0, f"{action} {params} was not refused: {told}"
        assert told["exit"] not in (70, -6, -11), f"{action} {params} broke: {told}"
        assert CANARY not in json.dumps(told) and base64.b64encode(CANARY.encode()).decode() not in json.dumps(told)
        self.intact()
        assert self.tree() == before, f"{action} {params} changed something"
        return told

    def intact(self):
        assert self.canary.read_text() == CANARY, "the canary was changed"

    def tree(self):
        """Every name below the base, with type and content."""
        found = {}
        for folder, names, files in os.walk(self.base):
            for name in [*names, *files]:
                path = pathlib.Path(folder, name)
                facts = path.lstat()
                small = path.is_file() and not path.is_symlink() and facts.st_size < 10000
                found[str(path)] = (facts.st_mode, facts.st_nlink, path.read_bytes() if small else None)
        return found

    def prove(self, t):
        """The oracle sees a canary that somebody else changes, and a file that is new."""
        before = self.tree()
        self.canary.write_text("changed")
        t.proof(self.tree() != before, "a changed canary")
        self.canary.write_text(CANARY)
        extra = self.base / "extra"
        extra.write_text("x")
        t.proof(self.tree() != before, "a new file")
        extra.unlink()

    def twin(self, t):
        with t.twin("an ordinary file is written, read and deleted"):
            self.works("write_file", path="twin", text="hello twin")
            assert (self.work / "twin").read_text() == "hello twin"
            assert self.works("read_file", path=str(self.work / "twin"))["text"] == "hello twin"
            self.works("delete_file", path="twin")
            assert not (self.work / "twin").exists()


def every_way(place, path):
    """No file action takes the path."""
    place.refused("read_file", path=path)
    place.refused("write_file", path=path, text="x", mode="replace")
    place.refused("write_file", path=path, text="x", mode="append")
    place.refused("delete_file", path=path, recursive=True)
    place.refused("move_file", path="note", to=path, replace=True)


@row("F01", "ways up: .., encoded, with other slashes", few=1)
def ways_up(s, t):
    place = Place(s, "f01")
    (place.work / "a").mkdir()
    place.prove(t)
    for path, trial in t.over(["../canary", "a/../../canary", f"{place.work}/../canary", "..%2fcanary", "%2e%2e/canary",
                               "..\\canary", "a/..\\..\\canary", "./../canary", "a/./../../canary", "....//canary",
                               "a//../../canary", "\u2025/canary", "..\u2215canary/x", "../work/../canary"]):
        with trial:
            place.refused("read_file", path=path)
            place.refused("move_file", path=path, to="mine")
            place.refused("delete_file", path=path)
            if not set(path) & set("%\u2025\u2215"):
                every_way(place, path)
    place.twin(t)


@row("F02", "absolute paths, ~ and $HOME", few=1)
def absolute(s, t):
    place = Place(s, "f02")
    secret = s.home.folder / "home" / "secret"
    secret.write_text(CANARY)
    place.prove(t)
    for path, trial in t.over([str(place.canary), str(secret), "~/secret", "~", "~root/secret", "$HOME/secret", "${HOME}/secret",
                               "$PWD/../canary", "/etc/passwd", "/etc/shadow", "//etc/passwd", "file:///etc/passwd", "/",
                               str(place.base)]):
        with trial:
            every_way(place, path)
            assert secret.read_text() == CANARY
    with t.twin("the absolute path of a granted file"):
        assert place.works("read_file", path=str(place.work / "note"))["text"] == "hello"


@row("F03", "links that lead out of the granted folder", few=1)
def links(s, t):
    place = Place(s, "f03")
    (place.work / "file").symlink_to(place.canary)
    (place.work / "folder").symlink_to(place.base)
    (place.work / "relative").symlink_to("../canary")
    (place.work / "dangling").symlink_to(place.base / "not-there")
    (place.work / "magic").symlink_to("/proc/self/cwd")
    place.prove(t)
    for path, trial in t.over(["file", "folder/canary", "relative", "folder", "folder/work/note", "magic/x"]):
        with trial:
            every_way(place, path)
            place.refused("list_folder", path=path)
    place.refused("write_file", path="dangling", text="x")
    assert not (place.base / "not-there").exists(), "a file was made through a link"
    place.twin(t)


SWAPPER = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
work, count = sys.argv[1].encode(), 0
pairs = [(work + b"/real", work + b"/bait"), (work + b"/plain", work + b"/hook")]
while True:
    for a, b in pairs:
        libc.renameat2(-100, a, -100, b, 2)
    count += 2
    if count % 100 == 0:
        os.pwrite(3, b"%12d" % count, 0)
"""


@row("F04", "a link swapped in all the time", bold=True, few=2000, many=100000)
def swapped(s, t):
    place = Place(s, "f04")
    (place.work / "real").mkdir()
    (place.work / "real" / "canary").write_text("harmless")
    (place.work / "bait").symlink_to(place.base)
    (place.work / "plain").write_text("harmless")
    (place.work / "hook").symlink_to(place.canary)
    place.prove(t)
    counter = os.open(place.base / "count", os.O_RDWR | os.O_CREAT, 0o600)
    swapper = subprocess.Popen([sys.executable, "-c", f"import os; os.dup2({counter}, 3)\n" + SWAPPER, str(place.work)],
                               pass_fds=[counter])
    steps = [{"action": "read_file", "params": {"path": path}} for path in ("plain", "real/canary", "hook", "bait/canary")]
    steps += [{"action": "write_file", "params": {"path": path, "text": "harmless", "mode": "append"}}
              for path in ("plain", "real/canary")]
    steps += [{"action": "write_file", "params": {"path": "bait/made", "text": "x", "mode": "replace"}},
              {"action": "delete_file", "params": {"path": "bait/canary"}}]

    def swaps():
        return int(os.pread(counter, 12, 0).strip() or b"0")

    def rounds():
        least = 400 if FULL else 30
        for number in itertools.count():
            if swaps() >= t.count and number >= least:
                return
            yield number
    outcomes = {"done": 0, "refused": 0}
    try:
        for number, trial in t.over(rounds()):
            with trial:
                turn = number % len(steps)
                told = place.do("batch", steps=steps[turn:] + steps[:turn])
                assert CANARY not in json.dumps(told), f"the canary was read: {told}"
                place.intact()
                assert not (place.base / "made").exists(), "a file was made outside"
                for step in told.get("steps", []):
                    outcomes["done" if step["effect"] == "confirmed" else "refused"] += 1
    finally:
        swapper.kill()
        swapper.wait()
    t.note(f"{swaps()} swaps; {outcomes['done']} accesses were done and {outcomes['refused']} refused")
    assert outcomes["done"] and outcomes["refused"], f"the race was never met: {outcomes}"
    place.twin(t)


@row("F05", "a folder whose name starts like the granted one", few=1)
def prefix_twins(s, t):
    place = Place(s, "f05")
    for name in ("work-evil", "work2", "work.d", "workx"):
        (place.base / name).mkdir()
        (place.base / name / "canary").write_text(CANARY)
    place.prove(t)
    for path, trial in t.over([f"{place.work}-evil/canary", f"{place.work}2/canary", f"{place.work}.d/canary",
                               f"{place.work}x/canary", f"{place.work}-evil"]):
        with trial:
            every_way(place, path)
            place.refused("list_folder", path=str(pathlib.Path(path).parent))
    place.twin(t)


@row("F06", "a hard link to a file outside", few=1)
def hard_links(s, t):
    place = Place(s, "f06")
    os.link(place.canary, place.work / "hard")
    place.prove(t)
    for action, trial in t.over([("read_file", {}), ("write_file", {"text": "x", "mode": "replace"}),
                                 ("write_file", {"text": "x", "mode": "append"})]):
        with trial:
            place.refused(action[0], path="hard", **action[1])
    place.twin(t)


@row("F07", "the kernel's files, devices, pipes and sockets", few=1)
def special_files(s, t):
    place = Place(s, "f07")
    os.mkfifo(place.work / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place.work / "socket"))
        place.configure(roots=[place.work, "/proc", "/dev", "/sys"])
        t.proof(place.do("list_folder", path="/proc/self")["exit"] != 0 and pathlib.Path("/proc/self/environ").exists(),
                "the kernel's files are there")
        for path, trial in t.over(["pipe", "socket", "/proc/self/environ", "/proc/self/mem", "/proc/self/fd/0",
                                   "/proc/self/root/etc/passwd", "/proc/1/environ", "/proc/version", "/dev/zero", "/dev/null",
                                   "/dev/random", "/dev/stdin", "/sys/kernel/notes"]):
            with trial:
                began = time.monotonic()
                for action, more in (("read_file", {}), ("write_file", {"text": "x", "mode": "append"})):
                    told = place.do(action, path=path, **more)
                    assert told["exit"] != 0, f"{action} {path}: {told}"
                took = time.monotonic() - began
                assert took < most_seconds(4), f"{path} took {took:.1f} s"
    place.configure()
    place.twin(t)


@row("F08", "names with NUL, line breaks, 256 bytes or no UTF-8", few=1)
def bad_names(s, t):
    place = Place(s, "f08")
    place.prove(t)
    for name, trial in t.over(["a\0b", "note\0.txt", "a\nb", "a\rb", "a\x1b[2J", "a\x7fb", "x" * 256, "é" * 128, "\ud800", "",
                               " /x", "x" * 5000, "a/" * 3000 + "b"]):
        with trial:
            place.refused("write_file", path=name, text="x")
            place.refused("read_file", path=name)
    done = subprocess.run([HANDRAIL, "do", "--desktop", s.desk.name, "write_file", "--path", b"a\xff\xfe", "--text", "x"],
                          env=s.home.env, capture_output=True, timeout=CALL_PATIENCE)
    assert done.returncode != 0 and len(list(place.work.iterdir())) == 1, "a name that is no UTF-8 was taken"
    with t.twin("a long name and one with spaces and other letters"):
        for name in ("x" * 255, "ein Brief für Ω.txt"):
            place.works("write_file", path=name, text="x")
            assert (place.work / name).read_text() == "x"


@row("F09", "Handrail's own folders inside a granted one", few=1)
def own_folders(s, t):
    place = Place(s, "f09")
    home = s.home.folder
    place.configure(roots=[home])
    audit = home / "home" / ".local" / "state" / "handrail"
    config = home / "config" / "handrail" / "config.toml"
    t.proof(audit.is_dir() and config.is_file(), "they are there")
    log = next((audit / "audit").glob("*.jsonl"))
    for path, trial in t.over([audit, log, audit / "keys" / "audit.key", config, config.parent, home / "run" / "handrail",
                               audit / "stopped"]):
        with trial:
            before = config.read_text()
            for action, more in (("read_file", {}), ("list_folder", {}), ("delete_file", {"recursive": True}),
                                 ("write_file", {"text": "x", "mode": "replace"}), ("write_file", {"text": "x", "mode": "append"})):
                told = place.do(action, path=str(path), **more)
                assert told["exit"] != 0, f"{action} {path}: {told}"
            assert config.read_text() == before and log.exists()
    for path in (home / "home", home / "home" / ".local", home / "config", home):
        for action, more in (("delete_file", {"recursive": True}), ("move_file", {"to": str(place.work / "taken")})):
            told = place.do(action, path=str(path), **more)
            assert told["exit"] != 0 and path.exists(), f"{action} {path}: {told}"
    shown = place.do("shell", command=f"cat {log} {config} {audit}/keys/* 2>&1; mv {home}/home {home}/moved; ls {home}/run")
    assert "sha256" not in shown.get("stdout", "") and "[files]" not in shown.get("stdout", ""), f"read by a program: {shown}"
    assert (home / "home").is_dir() and log.exists(), "a program moved them"
    place.configure()
    place.twin(t)


@row("F10", "deleting nothing, everything, the granted folder, a mount, through a link", few=1)
def deleting(s, t):
    place = Place(s, "f10")
    (place.work / "tree").mkdir()
    (place.work / "tree" / "file").write_text("x")
    (place.work / "up").symlink_to(place.base)
    place.prove(t)
    for path, trial in t.over(["", ".", "/", "..", "./", "*", "tree/*", "tree/..", str(place.work), f"{place.work}/", str(place.base),
                               "up", "up/canary", "up/", "/tmp", str(s.home.folder)]):
        with trial:
            place.refused("delete_file", path=path, recursive=True)
            place.refused("delete_file", path=path)
    place.refused("delete_file", path="tree")
    (place.work / "mounted").mkdir()
    mount = ["unshare", "-rm", "sh", "-c", f"mount -t tmpfs tmpfs {place.work}/mounted && touch {place.work}/mounted/x && "
             f'"$@" ; e=$?; test -f {place.work}/mounted/x || exit 66; exit $e', "sh"]
    for path in ("mounted", "mounted/x"):
        told = place.do("delete_file", before=mount, path=path, recursive=True)
        assert told["exit"] not in (0, 66), f"deleted on a mount: {told}"
    with t.twin("a folder with what is in it"):
        place.works("delete_file", path="tree", recursive=True)
        assert not (place.work / "tree").exists()
        place.intact()


@row("F11", "filling the disk, and reading a terabyte", few=1)
def sizes(s, t):
    place = Place(s, "f11", quota=1)
    (place.work / "small").mkdir()
    with open(place.work / "sparse", "wb") as sparse:
        sparse.truncate(1 << 40)
    t.proof((place.work / "sparse").stat().st_size == 1 << 40, "a file of a terabyte")
    for case, trial in t.over(["quota", "disk", "sparse"]):
        with trial:
            if case == "quota":
                (place.work / "grow").write_text("")
                place.configure(quota=0)
                told = place.do("write_file", path="grow", text="x", mode="append")
                assert told["exit"] != 0 and (place.work / "grow").stat().st_size == 0, f"written beyond the quota: {told}"
                place.configure(quota=1)
            elif case == "disk":
                mount = ["unshare", "-rm", "sh", "-c", f"mount -t tmpfs -o size=16k tmpfs {place.work}/small && echo first > "
                         f'{place.work}/small/file && "$@"; e=$?; test "$(cat {place.work}/small/file)" = first || exit 66; '
                         f"test $(ls -A {place.work}/small | wc -l) = 1 || exit 67; exit $e", "sh"]
                for mode in ("replace", "append"):
                    told = place.do("write_file", before=mount, path="small/file", text="x" * 60000, mode=mode)
                    assert told["exit"] == 9, f"{mode}: {told}"
                    assert "no space" in told["error"]["message"], told
            else:
                began = time.monotonic()
                told = place.works("read_file", path="sparse", encoding="base64", offset=(1 << 40) - 10)
                assert told["bytes"] == 10 and told["left"] == 0
                told = place.works("read_file", path="sparse", length=16000)
                assert told["bytes"] == 16000 and time.monotonic() - began < most_seconds(4)
    place.twin(t)


@row("F21", "names out of an archive", few=1)
def archive_names(s, t):
    place = Place(s, "f21")
    place.prove(t)
    for name, trial in t.over(["../canary", "../../etc/cron.d/x", "/etc/cron.d/x", "a/../../canary", "C:\\x", "..\\..\\canary",
                               "a/b/../../../canary", f"{place.canary}", "~/.bashrc", "a/./../../canary"]):
        with trial:
            place.refused("write_file", path=name, text="x", mode="replace")
            place.refused("make_folder", path=name)
    # A link out of the archive first, then a file below it.
    (place.work / "link").symlink_to(place.base)
    place.refused("write_file", path="link/canary", text="x", mode="replace")
    with t.twin("an archive's ordinary files"):
        place.works("make_folder", path="docs")
        place.works("write_file", path="docs/readme.txt", text="hello")
        assert (place.work / "docs" / "readme.txt").read_text() == "hello"


@row("F15b", "loaders and search paths given to a program", few=1)
def steered_programs(s, t):
    place = Place(s, "f15b")
    marker = place.work / "loaded"
    fake = place.work / "ls"
    fake.write_text(f"#!/bin/sh\n/usr/bin/touch {marker}\n")
    fake.chmod(0o755)
    subprocess.run([fake], check=True)
    t.proof(marker.exists(), "a wrong program leaves its mark")
    marker.unlink()
    for name, trial in t.over(["PATH", "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "BASH_ENV", "ENV", "PYTHONPATH", "PYTHONSTARTUP",
                               "PERL5LIB", "PERL5OPT", "GTK_MODULES", "NODE_OPTIONS", "GCONV_PATH", "IFS", "DBUS_SESSION_BUS_ADDRESS",
                               "DISPLAY", "BASH_FUNC_ls%%", "GIT_SSH_COMMAND"]):
        with trial:
            assert place.do("exec", argv=["ls"], env=[f"{name}={place.work}"])["exit"] != 0, f"{name} was taken"
            # From the server's own environment, and from the folder that it runs in.
            told = place.do("shell", command="ls",
                            server_env={name: str(place.work)} if name.startswith(("GTK", "PERL", "PYTHON")) else None)
            assert told["exit"] == 0 and not marker.exists(), f"{name}: {told}"
    told = place.works("exec", argv=["python3", "-c", "import sys; print(sys.path[0])"])
    assert not marker.exists()
    with t.twin("an ordinary variable"):
        assert "GREETING=hi" in place.works("exec", argv=["env"], env=["GREETING=hi"])["stdout"]


@row("F16b", "secrets of the server in programs", few=1)
def program_secrets(s, t):
    place = Place(s, "f16b")
    secrets = {name: SECRET for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK",
                                         "HANDRAIL_TOKEN", "MY_PASSWORD")}
    done = subprocess.run(["env"], env=secrets, capture_output=True, text=True, check=True)
    t.proof(SECRET in done.stdout, "an environment that is inherited")
    secret = s.home.folder / "home" / "token"
    secret.write_text(SECRET)
    looks = ["env", "cat /proc/*/environ", f"cat {secret}", f"cat {place.canary}", "ls -l /proc/self/fd | cat",
             "cat /etc/shadow", "ls /run/user /tmp/.X11-unix", "cat /proc/1/cmdline", f"ls {s.home.folder}/run"]
    for command, trial in t.over(looks):
        with trial:
            told = place.do("shell", server_env=secrets, command=command)
            text = json.dumps(told)
            assert SECRET not in text and CANARY not in text and "root:$" not in text and "root:*" not in text, f"{command}: {told}"
            assert "handrail" not in told.get("stdout", "") or "cmdline" in command, f"{command}: {told}"
    with t.twin("a program sees granted files"):
        assert place.works("shell", command="cat note")["stdout"] == "hello"


@row("F16c", "sockets that lead out of the sandbox, and all memory", few=1)
def ways_out(s, t):
    place = Place(s, "f16c")
    # As tmux, agents for keys and desktops have them; with the network, names without a file can be reached as well.
    place.configure(network=True)
    names = [str(place.work / "agent.sock"), "\0handrail-f16c"]
    doors = []
    for name in names:
        door = socket.socket(socket.AF_UNIX)
        door.bind(name)
        door.listen(8)
        door.settimeout(0.2)
        doors.append(door)
    knock = "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1].replace('@', chr(0))); print('in')"
    hidden = "import ctypes; c = ctypes.CDLL(None); print('in' if c.syscall(41, (7 << 32) | 1, 1, 0) >= 0 else 'out')"
    ring = "import ctypes; c = ctypes.CDLL(None); print('in' if c.syscall(425, 8, bytes(256)) >= 0 else 'out')"

    # A pair of datagram sockets can be aimed at others.
    pair = "import socket; a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); print('in')"

    def knocked():
        came = 0
        for door in doors:
            try:
                door.accept()[0].close()
                came += 1
            except TimeoutError:
                pass
        return came

    try:
        for name in names:
            subprocess.run([sys.executable, "-c", knock, name.replace("\0", "@")], check=True, capture_output=True)
        t.proof(knocked() == 2, "a program outside comes in by both")
        trials = [[knock, name.replace("\0", "@")] for name in names] + [[hidden], [ring], [pair]]
        for words, trial in t.over(trials):
            with trial:
                told = place.works("exec", argv=["python3", "-c", *words])
                assert "in" not in told["stdout"].split(), f"{words}: {told}"
                assert knocked() == 0, f"{words} came in"
        told = place.works("exec", argv=["python3", "-c", "x = bytearray(5 << 30); print('got it')"])
        assert "got it" not in told["stdout"] and "MemoryError" in told["stderr"], f"more than 4 GB: {told}"
        with t.twin("sockets and memory of its own, and the network"):
            own = "import socket; a, b = socket.socketpair(); a.send(b'x'); n = socket.socket(); print(b.recv(1), len(bytearray(1 << 28)))"
            assert str(1 << 28) in place.works("exec", argv=["python3", "-c", own])["stdout"]
    finally:
        for door in doors:
            door.close()


@row("F17", "ending somebody else's process, or one that got its number", few=1)
def foreign_processes(s, t):
    place = Place(s, "f17")
    granted = os.path.realpath("/bin/sleep")
    foreign = shutil.copy("/bin/sleep", place.base / "foreign")
    place.configure(grants=f'[[grants]]\napp = "{granted}"\ntier = "full"\n')
    # On the desktop: a granted app, and one that is not; elsewhere: the granted one.
    mine, inside = s.desk.launch([granted, "1000"]), s.desk.launch([str(foreign), "1000"])
    elsewhere = subprocess.Popen([granted, "1000"])
    other = subprocess.Popen([foreign, "1000"])
    try:
        os.kill(other.pid, 0)
        proof = subprocess.Popen([foreign, "1000"])
        proof.terminate()
        t.proof(proof.wait(10) == -signal.SIGTERM, "a signal ends the fixture")
        for pid, trial in t.over([inside, elsewhere.pid, other.pid, s.watch.process.pid, 0, -1, -other.pid, 1 << 31]):
            with trial:
                told = place.do("end_process", pid=pid)
                assert told["exit"] != 0, f"{pid}: {told}"
                assert other.poll() is None and elsewhere.poll() is None, f"{pid} was ended"
                assert not gone(mine) and not gone(inside), f"{pid} was ended"
        # Programs in the sandbox do not reach it either.
        place.do("shell", command=f"kill -9 {other.pid}; true")
        assert other.poll() is None, "a program in the sandbox ended it"
        with t.twin("a process of a granted app"):
            place.works("end_process", pid=mine)
            wait_until(lambda: gone(mine), PATIENCE, "its end")
    finally:
        for process in (elsewhere, other):
            process.kill()
        for pid in (mine, inside):
            if not gone(pid):
                os.kill(pid, signal.SIGKILL)
            process.wait()
