"""A GTK 3 text view that says when it has as many characters as the last line of standard input asks for.

Prints {"at_ms": …, "text": …} at that moment on the monotonic clock and empties itself.
"""
import json
import sys
import time

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

wanted = 0


def say(value):
    print(json.dumps(value), flush=True)


def on_changed(buffer):
    global wanted
    if wanted and buffer.get_char_count() >= wanted:
        at = time.clock_gettime(time.CLOCK_MONOTONIC) * 1e3
        wanted = 0
        say({"at_ms": at, "text": buffer.get_text(*buffer.get_bounds(), False)})


def on_line(stream, _condition, buffer):
    global wanted
    line = stream.readline()
    if not line:
        Gtk.main_quit()
        return False
    if line.strip() == "give up":
        wanted = 0
        say({"at_ms": None, "text": buffer.get_text(*buffer.get_bounds(), False)})
        return True
    wanted = 0
    buffer.set_text("")
    wanted = int(line)
    say({"ready": True})
    return True


view = Gtk.TextView(wrap_mode=Gtk.WrapMode.CHAR)
view.get_buffer().connect("changed", on_changed)
window = Gtk.Window(title="bench text", default_width=900, default_height=600)
window.add(view)
window.connect("destroy", Gtk.main_quit)
window.connect("map-event", lambda *_: say({"ready": True}))
window.show_all()
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, on_line, view.get_buffer())
Gtk.main()
