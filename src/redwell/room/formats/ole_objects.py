"""Files embedded in Office files, without the OLE wrapping that some of them carry."""

from __future__ import annotations

import struct

from redwell.room.formats import ole
from redwell.room.types import Child, Limits, Unreadable

_NATIVE = "\x01Ole10Native"
_INNER = (("Package", ".zip"), ("CONTENTS", ".pdf"), ("EmbeddedOdf", ".zip"))


def unwrapped(name: str, data: bytes, limits: Limits) -> Child:
    """The file inside an embedded object, under its own name when the object gives one; the object itself when it is none."""
    if not data.startswith(ole.MAGIC):
        return Child(name, data)
    try:
        root = ole.CompoundFile(data, limits).root
        native = root.read(_NATIVE)
        if native is not None:
            return _native(native) or Child(name, data)
        for stream, extension in _INNER:
            inner = root.read(stream)
            if inner is not None and inner[:4] in (b"PK\x03\x04", b"%PDF"):
                return Child(name.rsplit(".", 1)[0] + extension, inner)
    except (Unreadable, ValueError, LookupError, struct.error):
        return Child(name, data)
    return Child(name, data)


def _native(stream: bytes) -> Child | None:
    """Layout: size, flags, label, original path, two fields, length and a second path, then size and bytes."""
    try:
        label_end = stream.index(b"\0", 6)
        path_end = stream.index(b"\0", label_end + 1)
        (length,) = struct.unpack_from("<I", stream, path_end + 5)
        at = path_end + 9 + length
        (size,) = struct.unpack_from("<I", stream, at)
    except (ValueError, struct.error):
        return None
    label = stream[6:label_end].decode("cp1252", "replace").replace("\\", "/").rsplit("/", 1)[-1].strip()
    inner = stream[at + 4 : at + 4 + size]
    return Child(label or "embedded file", inner) if inner else None
