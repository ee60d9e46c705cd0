"""Single actions of the catalog by the command line, for what no tool of the surfaces under test offers."""
import fcntl
import json
import os
import select
import subprocess
import termios
import time

from support.desk import HANDRAIL, PATIENCE


class OneAction:
    """For test cases that have `desk` and, when it is no embedded one, `where`. `answer` is what a person at the
    terminal says when they are asked; None: there is no terminal."""
    answer = None
    shown = ""  # of the last question

    def run_action(self, action, /, dry_run=False, env=None, **params):
        where = getattr(self, "where", None) or self.desk.name
        words = [HANDRAIL, "do", "--desktop", where, action, "--json", "--params", json.dumps(params)]
        if dry_run:
            words.append("--dry-run")
        env = {**self.desk.home.env, **(env or {})}
        person, terminal = os.openpty() if self.answer else (None, None)

        def own_terminal():
            os.setsid()
            if terminal is not None:
                fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
        with subprocess.Popen(words, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, preexec_fn=own_terminal) as process:
            if person is not None:
                self.shown = self.say(process, person)
            out, err = process.communicate(timeout=PATIENCE * 2)
        for end in (person, terminal):
            if end is not None:
                os.close(end)
        try:
            return process.returncode, json.loads(out)
        except ValueError:
            return process.returncode, {"stderr": err, "stdout": out}

    def say(self, process, person):
        """Answers a question when one comes; returns it."""
        shown = b""
        deadline = time.monotonic() + PATIENCE
        while process.poll() is None and time.monotonic() < deadline:
            if not select.select([person], [], [], 0.05)[0]:
                continue
            shown += os.read(person, 4096)
            if b"denies:" in shown:
                os.write(person, self.answer)
                break
        return shown.decode(errors="replace")

    def act(self, action, /, **params):
        """What was answered, when it worked."""
        code, answer = self.run_action(action, **params)
        self.assertEqual(code, 0, f"{action} {params}: {answer}")
        return answer

    def refusal(self, action, /, **params):
        code, answer = self.run_action(action, **params)
        self.assertNotEqual(code, 0, f"{action} {params}: {answer}")
        return answer["error"]

    def mistaken(self, action, field, /, **params):
        """Refused for one of its arguments, before or while it is judged."""
        code, answer = self.run_action(action, **params)
        self.assertEqual(code, 2, f"{action} {params}: {answer}")
        told = answer.get("error", {}).get("field") or answer.get("stderr", "")
        self.assertIn(field, told, f"{action} {params}: {answer}")
