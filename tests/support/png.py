"""Reads PNG files of 8 bits a channel without interlacing, so that pixels are judged by code of its own."""
import struct
import zlib

CHANNELS = {0: 1, 2: 3, 6: 4}


class Image:
    def __init__(self, width, height, channels, rows):
        self.width, self.height, self.channels, self.rows = width, height, channels, rows

    def pixel(self, x, y):
        """(red, green, blue)"""
        at = int(x) * self.channels
        color = tuple(self.rows[int(y)][at:at + min(self.channels, 3)])
        return color if len(color) == 3 else color * 3


def decode(data):
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("no PNG")
    at, header, packed, palette = 8, None, b"", None
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] != zlib.crc32(kind + body):
            raise ValueError(f"the checksum of {kind} is wrong")
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        elif kind == b"PLTE":
            palette = body
        at += 12 + size
    width, height, depth, color, _, _, interlaced = header
    if depth != 8 or interlaced or (color not in CHANNELS and color != 3):
        raise ValueError(f"depth {depth}, colour type {color}, interlacing {interlaced}")
    channels = 1 if color == 3 else CHANNELS[color]
    rows = _rows(zlib.decompress(packed), width * channels, height, channels)
    if color == 3:
        rows = [b"".join(palette[3 * i:3 * i + 3] for i in row) for row in rows]
        channels = 3
    return Image(width, height, channels, rows)


def _rows(raw, stride, height, step):
    rows, before = [], bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        row = bytearray(raw[start + 1:start + 1 + stride])
        _unfilter(raw[start], row, before, step)
        rows.append(row)
        before = row
    return rows


def _unfilter(kind, row, before, step):
    if kind == 0:
        return
    for i in range(len(row)):
        left = row[i - step] if i >= step else 0
        above = before[i]
        corner = before[i - step] if i >= step else 0
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = above
        elif kind == 3:
            guess = (left + above) // 2
        else:
            estimate = left + above - corner
            guess = min((left, above, corner), key=lambda v: abs(estimate - v))
        row[i] = (row[i] + guess) & 0xFF
