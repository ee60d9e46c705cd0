"""Runs in a terminal and says when it has been given as many characters as asked for.

`terminal_reader.py COMMANDS ANSWERS` (two FIFOs). A number begins a text of that many characters; once
they are there, {"at_ms": …, "text": …} tells the moment on the monotonic clock. "give up" asks for what
there is. The terminal is in raw mode, so nothing but the terminal itself stands between.
"""
import codecs
import json
import os
import select
import sys
import time
import tty


def main():
    tty.setraw(0)
    commands = open(sys.argv[1], encoding="ascii", buffering=1)
    answers = open(sys.argv[2], "w", encoding="utf-8", buffering=1)
    text, wanted, decoder = "", 0, codecs.getincrementaldecoder("utf-8")("replace")

    def say(value):
        answers.write(json.dumps(value) + "\n")

    say({"ready": True})
    while True:
        ready, _, _ = select.select([0, commands], [], [])
        if 0 in ready:
            text += decoder.decode(os.read(0, 65536))
            if wanted and len(text) >= wanted:
                say({"at_ms": time.clock_gettime(time.CLOCK_MONOTONIC) * 1e3, "text": text})
                wanted = 0
        if commands in ready:
            line = commands.readline().strip()
            if not line:
                return
            if line == "give up":
                say({"at_ms": None, "text": text})
                wanted = 0
            else:
                text, wanted = "", int(line)
                say({"ready": True})


main()
