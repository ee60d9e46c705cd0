"""Somebody who types at the desk all the while, by XTEST and not by Handrail, into whatever has the focus."""
import ctypes
import itertools
import threading

from support import xlib

PATIENCE = 30
# Of somebody who types fast.
PAUSE = 0.02
LETTERS = "thequickbrownfoxjumpsoverthelazydog"


class Typist:
    """`with Typist(desk) as typist:` types until the end of the block; `typist.typed` is the whole of it."""

    def __init__(self, desk):
        self.desk = desk
        self.typed = ""
        self._begun = threading.Event()
        self._end = threading.Event()
        self._failed = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        self._begun.wait(PATIENCE)
        return self

    def __exit__(self, *_):
        self._end.set()
        self._thread.join()
        if self._failed:
            raise self._failed

    def _run(self):
        try:
            with xlib._display(self.desk.env) as (x11, display):
                self._type(x11, display)
        except Exception as failed:  # of a thread, told to who waits for it
            self._failed = failed
            self._begun.set()

    def _type(self, x11, display):
        xtst = ctypes.CDLL("libXtst.so.6")
        x11.XKeysymToKeycode.restype = ctypes.c_ubyte
        for letter in itertools.cycle(LETTERS):
            code = x11.XKeysymToKeycode(display, ctypes.c_ulong(ord(letter)))
            for down in (1, 0):
                xtst.XTestFakeKeyEvent(display, code, down, ctypes.c_ulong(0))
            x11.XSync(display, 0)
            self.typed += letter
            self._begun.set()
            if self._end.wait(PAUSE):
                return
