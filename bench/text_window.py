"""A GTK 3 text view that says when it has been given as many characters as asked for.

`text_window.py COMMANDS ANSWERS` (two FIFOs), with the same words as terminal_reader.py.
"""
import json
import sys
import time

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

commands = open(sys.argv[1], encoding="ascii", buffering=1)
answers = open(sys.argv[2], "w", encoding="utf-8", buffering=1)
wanted = 0


def say(value):
    answers.write(json.dumps(value) + "\n")


def tell(buffer, at_ms):
    global wanted
    wanted = 0
    say({"at_ms": at_ms, "text": buffer.get_text(*buffer.get_bounds(), False)})


def on_changed(buffer):
    if wanted and buffer.get_char_count() >= wanted:
        tell(buffer, time.clock_gettime(time.CLOCK_MONOTONIC) * 1e3)


def on_command(stream, _condition, buffer):
    global wanted
    line = stream.readline().strip()
    if not line:
        Gtk.main_quit()
        return False
    if line == "give up":
        tell(buffer, None)
    else:
        wanted = 0
        buffer.set_text("")
        wanted = int(line)
        say({"ready": True})
    return True


view = Gtk.TextView()
view.get_buffer().connect("changed", on_changed)
window = Gtk.Window(title="bench text", default_width=900, default_height=600)
window.add(view)
window.connect("destroy", Gtk.main_quit)
window.connect("map-event", lambda *_: say({"ready": True}))
window.show_all()
GLib.io_add_watch(commands, GLib.IO_IN | GLib.IO_HUP, on_command, view.get_buffer())
Gtk.main()
