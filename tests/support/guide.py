"""The samples of a written page, run in order as a reader would: commands in one shell, tool calls through MCP,
settings as the config file, and what is shown of their output compared with what came."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from support.desk import HANDRAIL, PATIENCE, SHORT
from support.mcp_client import McpClient

FENCE = re.compile(r"^```(.*)$")
ANYTHING = "…"
# A page's blocks. `console` is for what cannot run here; blocks without a word are for reading.
LANGUAGES = {"sh": {"fails"}, "json": {"refused", "universal", "classic", "compact", "layered"}, "toml": set(),
             "text": set(), "console": set(), "": set()}
BLOCK_PATIENCE = 120


class SampleProblem(AssertionError):
    pass


class Block:
    def __init__(self, page, line, language, words, text):
        self.page, self.line, self.language, self.words, self.text = page, line, language, words, text

    def __str__(self):
        return f"{self.page}:{self.line}"

    def has(self, word):
        return word in self.words


def blocks_of(name, text):
    """The fenced blocks of a page, in order."""
    found, opened = [], None
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if not fence:
            if opened:
                opened[2].append(line)
        elif opened:
            language, *words = opened[1].split() or [""]
            if language not in LANGUAGES or not LANGUAGES[language].issuperset(words):
                raise SampleProblem(f"{name}:{opened[0]}: a block of a kind that is not known: {opened[1]}")
            found.append(Block(name, opened[0], language, words, "\n".join(opened[2])))
            opened = None
        else:
            opened = (number, fence[1].strip(), [])
    if opened:
        raise SampleProblem(f"{name}:{opened[0]}: the block has no end")
    return found


def fits(pattern, text):
    parts = [re.escape(part) for part in pattern.strip().split(ANYTHING)]
    return re.fullmatch("(?s:.*)".join(parts), text.strip()) is not None


def calls_of(text):
    """The JSON values of a block, one after the other."""
    decoder, place = json.JSONDecoder(), 0
    while text[place:].strip():
        place += len(text[place:]) - len(text[place:].lstrip())
        value, place = decoder.raw_decode(text, place)
        yield value


class Shell:
    """One bash that keeps its state from block to block, and notes every command that failed."""

    def __init__(self, folder, env):
        self.folder = folder
        self.process = subprocess.Popen(["bash", "--norc", "-s"], env=env, cwd=env["HOME"], stdin=subprocess.PIPE,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def run(self, commands):
        """The output and the commands that failed."""
        script, out, failed, done = (self.folder / name for name in ("block", "out", "failed", "done"))
        script.write_text(commands + "\n")
        failed.write_text("")
        os.mkfifo(done)
        self.process.stdin.write(
            f"set -E; trap 'echo \"$BASH_COMMAND\" >>{failed}' ERR\n"
            f"eval \"$(cat {script})\" >{out} 2>&1 </dev/null\n"
            f"trap - ERR; echo end >{done}\n".encode())
        self.process.stdin.flush()
        try:
            subprocess.run(["cat", done], check=True, timeout=BLOCK_PATIENCE, stdout=subprocess.DEVNULL)
        finally:
            done.unlink()
        return out.read_text(), failed.read_text().splitlines()

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Reader:
    """Somebody who follows one page, on a home of their own."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hrg-", dir=SHORT))
        for name in ("home", "run", "shell"):
            (self.folder / name).mkdir(mode=0o700)
        self.env = {"PATH": f"{pathlib.Path(HANDRAIL).parent}:/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8",
                    "LC_ALL": "C.UTF-8", "HOME": str(self.folder / "home"),
                    "XDG_RUNTIME_DIR": str(self.folder / "run")}
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
            if name in os.environ:
                self.env[name] = os.environ[name]
        self.shell = Shell(self.folder / "shell", self.env)
        self.client = None
        self.surface = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.leave()
            self.shell.close()
            self.handrail("desktop", "stop", "--all")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def handrail(self, *words, **env):
        return subprocess.run([HANDRAIL, *words], env={**self.env, **env}, capture_output=True, text=True,
                              timeout=BLOCK_PATIENCE)

    def desktops(self):
        """The names of the embedded desktops that run."""
        return [row["name"] for row in json.loads(self.handrail("desktop", "list", "--json").stdout)]

    def leave(self):
        """The client goes; the next calls are another session."""
        if self.client:
            self.client.close(check=False)
        self.client = None

    def follow(self, name, text):
        """Runs the page. Returns how many samples ran."""
        ran, output = 0, None
        for block in blocks_of(name, text):
            if block.language == "text":
                if output is None:
                    raise SampleProblem(f"{block}: output is shown, and nothing ran before it")
                if not fits(block.text, output):
                    raise SampleProblem(f"{block}: shown is\n{block.text}\nand this came:\n{output}")
                output = None
                continue
            run = {"sh": self.command, "json": self.call, "toml": self.set}.get(block.language)
            output = run(block) if run else None
            ran += run is not None
        self.leave()
        if self.desktops():
            raise SampleProblem(f"{name}: leaves desktops running: {self.desktops()}")
        return ran

    def command(self, block):
        self.leave()
        output, failed = self.shell.run(block.text)
        if block.has("fails") and not failed:
            raise SampleProblem(f"{block}: should fail, and did not:\n{output}")
        if failed and not block.has("fails"):
            raise SampleProblem(f"{block}: {failed[0]} failed:\n{output}")
        return output

    def set(self, block):
        """The settings are put where a reader puts them, and the program takes them."""
        self.leave()
        path = self.folder / "home" / ".config" / "handrail" / "config.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text + "\n")
        done = self.handrail("doctor", "--json", HANDRAIL_CONFIG=str(path))
        try:
            checks = {row["check"]: row for row in json.loads(done.stdout)["checks"]}
        except ValueError:
            raise SampleProblem(f"{block}: {done.stdout}{done.stderr}") from None
        found = checks["config file"]
        if not found["ok"] or found["found"] != str(path):
            raise SampleProblem(f"{block}: {found}")

    def call(self, block):
        surface = next((word for word in block.words if word != "refused"), "universal")
        if self.client is None or self.surface != surface:
            self.leave()
            self.client, self.surface = self.connect(block, surface), surface
        texts, look = [], ""
        for value in calls_of(block.text):
            # A reader puts the look of the capture before there.
            value = json.loads(json.dumps(value, ensure_ascii=False).replace(f"look-{ANYTHING}", look or "look-"))
            if "action" not in value:
                reply = self.client.call(value["name"], value.get("arguments", {}), BLOCK_PATIENCE)
            else:
                reply = self.client.call(next(iter(self.client.tools())), value, BLOCK_PATIENCE)
            if reply.is_error != block.has("refused"):
                raise SampleProblem(f"{block}: {json.dumps(value)} answered\n{reply.text}")
            look = reply.structured.get("look", look)
            texts.append(reply.text)
        return "\n".join(texts)

    def connect(self, block, surface):
        running = self.desktops()
        if len(running) != 1:
            raise SampleProblem(f"{block}: one desktop should run, and these do: {running}")
        return McpClient([HANDRAIL, "mcp", "--surface", surface, "--desktop", running[0]], self.env)
