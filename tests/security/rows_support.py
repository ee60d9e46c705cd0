"""What some families need beyond the stage: a clipboard seen by others, pictures read by other decoders, and a person
whose hands are the X server's own devices."""
import contextlib
import ctypes
import json
import pathlib
import struct
import subprocess

from support import jpeg, xlib
from support.desk import APPS, wait_until
from support.png import Image

from security.harness import PATIENCE, Stage
from security.person import Hand

# The colour of `canary_x11`.
CANARY = (0xFE, 0x01, 0xFD)
# Of the password fields of the `secret_*` apps.
FIELD = (0xFE, 0x01, 0xBA)


# The clipboard

class Owner:
    """Somebody else's content of a selection."""

    def __init__(self, stage, *contents, selection="CLIPBOARD", words=()):
        self.stage, self.selection = stage, selection
        self.log = stage.new_log("owner")
        self.process = subprocess.Popen(
            [APPS / "clip_x11", "own", "--selection", selection, "--log", str(self.log.path), *map(str, words),
             *contents], env=stage.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        stage.closing.callback(self.stop)
        self.log.wait_count("owner", 1, timeout=60)

    def stop(self):
        Stage.end(self.process)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def clip(stage, *words):
    """What `clip_x11` prints; nothing when nobody offers it."""
    done = subprocess.run([APPS / "clip_x11", *words], env=stage.env, capture_output=True, timeout=60)
    return done.stdout if done.returncode == 0 else None


def set_cut_buffer(env, text, number=0):
    with xlib._display(env) as (x11, display):
        x11.XStoreBuffer(display, text, len(text), number)


def cut_buffer(env, number=0):
    with xlib._display(env) as (x11, display):
        x11.XFetchBuffer.restype = ctypes.c_void_p
        size = ctypes.c_int()
        kept = x11.XFetchBuffer(display, ctypes.byref(size), number)
        return ctypes.string_at(kept, size.value) if kept else b""


# Pictures

def decode(data):
    return jpeg.decode(data) if data[:2] == b"\xff\xd8" else decode_png(data)


def decode_png(data):
    spng = ctypes.CDLL("libspng.so.0")
    spng.spng_ctx_new.restype = ctypes.c_void_p
    context = ctypes.c_void_p(spng.spng_ctx_new(0))
    rgb8 = 4
    try:
        size = ctypes.c_size_t()
        if (spng.spng_set_png_buffer(context, data, ctypes.c_size_t(len(data))) != 0
                or spng.spng_decoded_image_size(context, rgb8, ctypes.byref(size)) != 0):
            raise ValueError("no PNG")
        pixels = ctypes.create_string_buffer(size.value)
        if spng.spng_decode_image(context, pixels, size, rgb8, 0) != 0:
            raise ValueError("a broken PNG")
    finally:
        spng.spng_ctx_free(context)
    width, height = struct.unpack(">II", data[16:24])
    stride = width * 3
    return Image(width, height, 3, [pixels.raw[y * stride:(y + 1) * stride] for y in range(height)])


def count_colour(data, colour, tolerance=40):
    """Pixels of a picture that have this colour, or nearly: JPEG keeps no colour exactly."""
    pixels = b"".join(bytes(row) for row in decode(data).rows)
    alike = None
    for channel, value in enumerate(colour):
        table = bytes(int(abs(v - value) <= tolerance) for v in range(256))
        mask = int.from_bytes(pixels[channel::3].translate(table), "big")
        alike = mask if alike is None else alike & mask
    return bin(alike).count("1")


def screen_colour(env, colour, box):
    """The same of what the screen really shows, at some points of a box: x, y, width, height."""
    hand = Hand(env)
    x, y, width, height = box
    places = [(x + width * i // 6, y + height * j // 4) for i in range(1, 6) for j in range(1, 4)]
    return sum(all(abs(a - b) <= 2 for a, b in zip(hand.pixel(*place), colour)) for place in places)


def chunks(png):
    at, kinds = 8, []
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        kinds.append(kind.decode())
        at += 12 + size
    return kinds


def segments(data):
    """Markers of a JPEG up to the picture itself."""
    at, markers = 2, []
    while at < len(data) and data[at] == 0xFF:
        markers.append(data[at + 1])
        if data[at + 1] == 0xDA:
            break
        at += 2 + struct.unpack(">H", data[at + 2:at + 4])[0]
    return markers


# Files

def files_with(folder, needle):
    """Files below a folder that hold these bytes."""
    found = []
    for path in pathlib.Path(folder).rglob("*"):
        with contextlib.suppress(OSError):
            if path.is_file() and not path.is_symlink() and needle in path.read_bytes():
                found.append(str(path))
    return found


def audit_folder(stage):
    return stage.home.folder / "home" / ".local" / "state" / "handrail" / "audit"


def audit_files(stage):
    return sorted(audit_folder(stage).glob("*.jsonl"))


def records(stage):
    return [json.loads(line) for path in audit_files(stage) for line in path.read_bytes().splitlines()]


# A person

class Person:
    """Mouse and keyboard that the X server has by itself and nobody drives: not XTEST's, as a person's are not."""

    def __init__(self, env):
        self.env = env
        self.xi = ctypes.CDLL("libXi.so.6")
        self.xtst = ctypes.CDLL("libXtst.so.6")
        self.xi.XListInputDevices.restype = ctypes.POINTER(DeviceInfo)
        self.xi.XOpenDevice.restype = ctypes.c_void_p

    @contextlib.contextmanager
    def _device(self, use):
        with xlib._display(self.env) as (x11, display):
            count = ctypes.c_int()
            listed = self.xi.XListInputDevices(display, ctypes.byref(count))
            names = [(listed[i].id, listed[i].name.decode(), listed[i].use) for i in range(count.value)]
            number = next(i for i, name, kind in names if kind == use and "XTEST" not in name)
            device = ctypes.c_void_p(self.xi.XOpenDevice(display, ctypes.c_ulong(number)))
            assert device.value, "the device cannot be opened"
            yield display, device
            x11.XSync(display, 0)

    def move(self, x, y):
        with self._device(EXTENSION_POINTER) as (display, device):
            for place in ((x - 1, y), (x, y)):
                axes = (ctypes.c_int * 2)(int(place[0]), int(place[1]))
                self.xtst.XTestFakeDeviceMotionEvent(display, device, 0, 0, axes, 2, ctypes.c_ulong(0))

    def click(self, x, y):
        self.move(x, y)
        with self._device(EXTENSION_POINTER) as (display, device):
            for down in (1, 0):
                self.xtst.XTestFakeDeviceButtonEvent(display, device, 1, down, None, 0, ctypes.c_ulong(0))

    def key(self, code):
        """By its place on the keyboard."""
        with self._device(EXTENSION_KEYBOARD) as (display, device):
            for down in (1, 0):
                self.xtst.XTestFakeDeviceKeyEvent(display, device, code, down, None, 0, ctypes.c_ulong(0))


EXTENSION_KEYBOARD = 3
EXTENSION_POINTER = 4


class DeviceInfo(ctypes.Structure):
    _fields_ = [("id", ctypes.c_ulong), ("type", ctypes.c_ulong), ("name", ctypes.c_char_p),
                ("num_classes", ctypes.c_int), ("use", ctypes.c_int), ("inputclassinfo", ctypes.c_void_p)]


def pasted(app, count=4):
    """What the app got when it pasted last: by selection, the cut buffer too."""
    wait_until(lambda: len(app.received("pasted")) >= count, PATIENCE, f"{count} pastes")
    return {e["from"]: e["text"] for e in app.received("pasted")}


# The dialog

def children(pid):
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(OSError):
            found += map(int, (task / "children").read_text().split())
    return found


def dialogs(server):
    """Processes of a server that show a question."""
    found = []
    for pid in children(server):
        with contextlib.suppress(OSError):
            if b"consent-dialog" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
    return found


class WindowFacts(ctypes.Structure):
    """The beginning of an XWindowAttributes; what follows is of no interest."""
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_int), ("width", ctypes.c_int), ("height", ctypes.c_int),
                ("border", ctypes.c_int), ("depth", ctypes.c_int), ("visual", ctypes.c_void_p),
                ("root", ctypes.c_ulong), ("kind", ctypes.c_int), ("gravity", ctypes.c_int * 2),
                ("backing", ctypes.c_int), ("planes", ctypes.c_ulong * 2), ("save_under", ctypes.c_int),
                ("colormap", ctypes.c_ulong), ("installed", ctypes.c_int), ("map_state", ctypes.c_int),
                ("rest", ctypes.c_byte * 200)]


def dialog_window(env):
    """Place of the window that asks, once it has been painted: x, y, width, height, and its number."""
    viewable = 2
    with xlib._display(env) as (x11, display):
        x11.XDefaultRootWindow.restype = x11.XInternAtom.restype = ctypes.c_ulong
        stamp = ctypes.c_ulong(x11.XInternAtom(display, b"_HANDRAIL_SHOWN", 0))
        root, parent = ctypes.c_ulong(), ctypes.c_ulong()
        listed, count = ctypes.POINTER(ctypes.c_ulong)(), ctypes.c_uint()
        x11.XQueryTree(display, ctypes.c_ulong(x11.XDefaultRootWindow(display)), ctypes.byref(root), ctypes.byref(parent),
                       ctypes.byref(listed), ctypes.byref(count))
        for window in listed[:count.value]:
            kind, form = ctypes.c_ulong(), ctypes.c_int()
            items, left, data = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_void_p()
            x11.XGetWindowProperty(display, ctypes.c_ulong(window), stamp, ctypes.c_long(0), ctypes.c_long(1), 0,
                                   ctypes.c_ulong(0), *map(ctypes.byref, (kind, form, items, left, data)))
            facts = WindowFacts()
            if kind.value and x11.XGetWindowAttributes(display, ctypes.c_ulong(window), ctypes.byref(facts)) \
                    and facts.map_state == viewable:
                return (facts.x, facts.y, facts.width, facts.height), window
    return None
