"""Reads JPEG files by libturbojpeg."""
import ctypes

from support.png import Image

RGB = 0


def decode(data):
    library = ctypes.CDLL("libturbojpeg.so.0")
    library.tjInitDecompress.restype = ctypes.c_void_p
    library.tjGetErrorStr.restype = ctypes.c_char_p
    handle = ctypes.c_void_p(library.tjInitDecompress())
    size = ctypes.c_ulong(len(data))
    width, height, sampling, space = (ctypes.c_int() for _ in range(4))
    try:
        if library.tjDecompressHeader3(handle, data, size, *map(ctypes.byref, (width, height, sampling, space))) != 0:
            raise ValueError(library.tjGetErrorStr().decode())
        pixels = ctypes.create_string_buffer(width.value * height.value * 3)
        if library.tjDecompress2(handle, data, size, pixels, width.value, 0, height.value, RGB, 0) != 0:
            raise ValueError(library.tjGetErrorStr().decode())
    finally:
        library.tjDestroy(handle)
    stride = width.value * 3
    rows = [pixels.raw[y * stride:(y + 1) * stride] for y in range(height.value)]
    return Image(width.value, height.value, 3, rows)
