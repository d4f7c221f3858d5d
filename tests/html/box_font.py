"""A font in which every character is the same box, so that pages look alike whatever fonts a machine has."""
import struct

UNITS = 1000
WIDTH, ASCENT, DESCENT = 560, 800, 200
LAST = 0x2FFF   # the last character that it has
BOX, EMPTY = 1, 2


def table_of_characters():
    """Format 4 of cmap: the space is empty, all else is a box."""
    starts, ends = [0x20, 0x21, 0xFFFF], [0x20, LAST, 0xFFFF]
    deltas, count = [EMPTY - 0x20, 0, 1], len(starts)
    offsets = [0, 2 * (count - 1), 0]  # from its own place to the list of glyphs
    glyphs = [BOX] * (LAST - 0x21 + 1)
    body = b"".join(struct.pack(f">{count}H", *(number & 0xFFFF for number in numbers)) + pad for numbers, pad in
                    ((ends, b"\0\0"), (starts, b""), (deltas, b""), (offsets, b"")))
    body += struct.pack(f">{len(glyphs)}H", *glyphs)
    head = struct.pack(">HHHHHHH", 4, 14 + len(body), 0, 2 * count, 4, 1, 2 * count - 4)
    return struct.pack(">HHHHI", 0, 1, 3, 1, 12) + head + body


def box():
    """One contour of four points with full coordinates."""
    left, right, bottom, top = 60, WIDTH - 60, 0, 640
    head = struct.pack(">hhhhh", 1, left, bottom, right, top)
    steps_x, steps_y = (left, 0, right - left, 0), (bottom, top - bottom, 0, bottom - top)
    points = bytes([1, 1, 1, 1]) + struct.pack(">4h", *steps_x) + struct.pack(">4h", *steps_y)
    return head + struct.pack(">HH", 3, 0) + points


def names():
    texts = {1: "Boxes", 2: "Regular", 3: "Boxes", 4: "Boxes", 5: "Version 1.0", 6: "Boxes"}
    records, strings = b"", b""
    for number, text in texts.items():
        raw = text.encode("utf-16-be")
        records += struct.pack(">6H", 3, 1, 0x409, number, len(raw), len(strings))
        strings += raw
    return struct.pack(">HHH", 0, len(texts), 6 + len(records)) + records + strings


def font():
    glyph = box() + b"\0" * (-len(box()) % 4)
    count = 3
    tables = {
        b"OS/2": struct.pack(">HhHHHhhhhhhhhhhh10sIIII4sHHHhhhHHIIhhHHH", 4, WIDTH, 400, 5, 0, 300, 300, 0, 100, 300,
                             300, 0, 300, 50, 250, 0, bytes(10), 1, 0, 0, 0, b"NONE", 0x40, 0x20, LAST, ASCENT,
                             -DESCENT, 0, ASCENT, DESCENT, 1, 0, 500, 640, 0, 0x20, 1),
        b"cmap": table_of_characters(),
        b"glyf": glyph * 2,   # what is missing, and the box
        b"head": struct.pack(">IIIIHHQQhhhhHHhhh", 0x10000, 0x10000, 0, 0x5F0F3CF5, 0, UNITS, 0, 0, 60, 0, WIDTH - 60,
                             640, 0, 8, 2, 1, 0),
        b"hhea": struct.pack(">IhhhHhhhhhhhhhhhH", 0x10000, ASCENT, -DESCENT, 0, WIDTH, 60, 60, WIDTH - 60, 1, 0, 0,
                             0, 0, 0, 0, 0, count),
        b"hmtx": struct.pack(">HhHhHh", WIDTH, 60, WIDTH, 60, WIDTH, 0),
        b"loca": struct.pack(">4I", 0, len(glyph), 2 * len(glyph), 2 * len(glyph)),
        b"maxp": struct.pack(">I14H", 0x10000, count, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
        b"name": names(),
        b"post": struct.pack(">IIhhIIIII", 0x30000, 0, -100, 50, 1, 0, 0, 0, 0),
    }
    at = 12 + 16 * len(tables)
    directory, bodies = struct.pack(">IHHHH", 0x10000, len(tables), 128, 3, 16 * len(tables) - 128), b""
    for tag, body in tables.items():
        padded = body + b"\0" * (-len(body) % 4)
        total = sum(struct.unpack(f">{len(padded) // 4}I", padded)) & 0xFFFFFFFF
        directory += tag + struct.pack(">III", total, at + len(bodies), len(body))
        bodies += padded
    return directory + bodies
