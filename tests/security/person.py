"""Hands that are not Handrail's: input by XTEST on a connection of its own. Proves that an oracle notices a wrong event,
and plays the person or the program beside the agent."""
import ctypes

from support import xlib

ALT_MASK = 8
Z_PIXMAP = 2


class XImageHead(ctypes.Structure):
    """The beginning of an XImage."""
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("xoffset", ctypes.c_int),
                ("format", ctypes.c_int), ("data", ctypes.POINTER(ctypes.c_ubyte))]


# A window that is gone is an ordinary answer, not the end of the test.
_ignore = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda *_: 0)
ctypes.CDLL("libX11.so.6").XSetErrorHandler(_ignore)


class Hand:
    """Opens the display for each act, so that it never outlives a server."""

    def __init__(self, env):
        self.env = env
        self.xtst = ctypes.CDLL("libXtst.so.6")

    def click(self, x, y, button=1):
        with xlib._display(self.env) as (x11, display):
            self.xtst.XTestFakeMotionEvent(display, -1, int(x), int(y), ctypes.c_ulong(0))
            self.xtst.XTestFakeButtonEvent(display, button, 1, ctypes.c_ulong(0))
            self.xtst.XTestFakeButtonEvent(display, button, 0, ctypes.c_ulong(0))
            x11.XSync(display, 0)

    def move(self, x, y):
        with xlib._display(self.env) as (x11, display):
            self.xtst.XTestFakeMotionEvent(display, -1, int(x), int(y), ctypes.c_ulong(0))
            x11.XSync(display, 0)

    def keycode(self, name):
        with xlib._display(self.env) as (x11, display):
            x11.XStringToKeysym.restype = ctypes.c_ulong
            symbol = ctypes.c_ulong(x11.XStringToKeysym(name.encode()))
            return x11.XKeysymToKeycode(display, symbol) & 0xFF

    def empty_keys(self):
        """Keycodes that make nothing in any layout."""
        with xlib._display(self.env) as (x11, display):
            x11.XkbKeycodeToKeysym.restype = ctypes.c_ulong
            return {code for code in range(8, 256)
                    if not any(x11.XkbKeycodeToKeysym(display, code, group, level)
                               for group in range(4) for level in range(2))}

    def keys(self, *names):
        """Down in order, up in reverse order."""
        self.down(*names)
        self.up(*reversed(names))

    def down(self, *names):
        self._send(names, 1)

    def up(self, *names):
        self._send(names, 0)

    def _send(self, names, is_down):
        codes = [self.keycode(name) for name in names]
        with xlib._display(self.env) as (x11, display):
            for code in codes:
                self.xtst.XTestFakeKeyEvent(display, code, is_down, ctypes.c_ulong(0))
            x11.XSync(display, 0)

    def latch(self, mask):
        with xlib._display(self.env) as (x11, display):
            x11.XkbLatchModifiers(display, xlib.CORE_KEYBOARD, mask, mask)

    def unlatch(self):
        with xlib._display(self.env) as (x11, display):
            x11.XkbLatchModifiers(display, xlib.CORE_KEYBOARD, 0xFF, 0)
            x11.XkbLockModifiers(display, xlib.CORE_KEYBOARD, 0xFF, 0)

    def pixel(self, x, y):
        """(red, green, blue) as the screen really shows it."""
        with xlib._display(self.env) as (x11, display):
            x11.XDefaultRootWindow.restype = ctypes.c_ulong
            x11.XGetImage.restype = ctypes.POINTER(XImageHead)
            root = ctypes.c_ulong(x11.XDefaultRootWindow(display))
            image = x11.XGetImage(display, root, int(x), int(y), 1, 1, ctypes.c_ulong(0xFFFFFF), Z_PIXMAP)
            blue, green, red = bytes(image.contents.data[0:3])
            return red, green, blue

    def focus(self, window):
        """Gives a window the focus as a window manager would."""
        with xlib._display(self.env) as (x11, display):
            x11.XSetInputFocus(display, ctypes.c_ulong(window), 1, ctypes.c_ulong(0))
