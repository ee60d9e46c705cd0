"""window_app.py TITLE LOG: one window drawn by an interpreter, to see what a grant of the interpreter covers."""
import ctypes
import json
import os
import sys
import time

KEY_AND_BUTTON_MASK = 1 | 2 | 4 | 8
EXPOSURE_MASK = 1 << 15
NAMES = {2: "key", 3: "key_release", 4: "press", 5: "release", 12: "ready"}


def main():
    title, log = sys.argv[1], sys.argv[2]
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XDefaultRootWindow.restype = x11.XCreateSimpleWindow.restype = ctypes.c_ulong
    display = ctypes.c_void_p(x11.XOpenDisplay(None))
    window = ctypes.c_ulong(x11.XCreateSimpleWindow(display, ctypes.c_ulong(x11.XDefaultRootWindow(display)), 0, 0, 300,
                                                    200, 0, ctypes.c_ulong(0), ctypes.c_ulong(0x22AA66)))
    x11.XStoreName(display, window, title.encode())
    x11.XSelectInput(display, window, ctypes.c_long(KEY_AND_BUTTON_MASK | EXPOSURE_MASK))
    x11.XMapWindow(display, window)
    event = (ctypes.c_ubyte * 192)()
    while True:
        x11.XNextEvent(display, event)
        kind = int.from_bytes(bytes(event[0:4]), sys.byteorder)
        with open(log, "a", encoding="utf-8") as file:
            file.write(json.dumps({"event": NAMES.get(kind, str(kind)), "t": time.monotonic() * 1000,
                                   "window": window.value, "pid": os.getpid()}) + "\n")


if __name__ == "__main__":
    main()
