"""What a person does at the desk, by Xlib and not by Handrail: CapsLock, the active layout, the pointer's place."""
import contextlib
import ctypes
import os

CORE_KEYBOARD = 0x100
LOCK_MASK = 2


@contextlib.contextmanager
def _display(env):
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    # Xlib finds the key of the server by a variable of this process.
    before = os.environ.pop("XAUTHORITY", None)
    if "XAUTHORITY" in env:
        os.environ["XAUTHORITY"] = env["XAUTHORITY"]
    opened = x11.XOpenDisplay(env["DISPLAY"].encode())
    os.environ.pop("XAUTHORITY", None)
    if before is not None:
        os.environ["XAUTHORITY"] = before
    if not opened:
        raise AssertionError(f"no X server on {env['DISPLAY']}")
    display = ctypes.c_void_p(opened)
    # A grab or a key must not outlive what went wrong.
    try:
        yield x11, display
        x11.XSync(display, 0)
    finally:
        x11.XCloseDisplay(display)


def set_layout(desk, layout, group=0):
    desk.outside("setxkbmap", "-layout", layout)
    with _display(desk.env) as (x11, display):
        if not x11.XkbLockGroup(display, CORE_KEYBOARD, group):
            raise AssertionError("the X server has no keyboard extension")


def set_caps_lock(desk, on):
    with _display(desk.env) as (x11, display):
        if not x11.XkbLockModifiers(display, CORE_KEYBOARD, LOCK_MASK, LOCK_MASK if on else 0):
            raise AssertionError("the X server has no keyboard extension")


def put_pointer(desk, x, y):
    with _display(desk.env) as (x11, display):
        x11.XDefaultRootWindow.restype = ctypes.c_ulong
        root = ctypes.c_ulong(x11.XDefaultRootWindow(display))
        x11.XWarpPointer(display, 0, root, 0, 0, 0, 0, int(x), int(y))


class ClientMessage(ctypes.Structure):
    """As Xlib has it, with room for the largest event."""
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong),
                ("format", ctypes.c_int), ("data", ctypes.c_long * 5), ("rest", ctypes.c_long * 16)]


def send_message(env, window):
    """A message to the client that made a window. It comes after everything that the server has sent to it before."""
    client_message, word = 33, 32
    with _display(env) as (x11, display):
        x11.XSync(display, 0)
        x11.XInternAtom.restype = ctypes.c_ulong
        kind = x11.XInternAtom(display, b"_FIXTURE_FENCE", 0)
        event = ClientMessage(type=client_message, window=window, message_type=kind, format=word)
        x11.XSendEvent(display, ctypes.c_ulong(window), 0, ctypes.c_long(0), ctypes.byref(event))
