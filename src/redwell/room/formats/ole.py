"""Compound files (OLE), the container of MSG and of the old Office formats: read within limits, and written.

Writing is needed for messages attached to messages: MSG keeps them as a folder of the outer file, and a document of its own needs
bytes of its own. Source of the layout: [MS-CFB], version 3.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

from redwell.room.types import Limits, Unreadable

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
Tree = Mapping[str, "bytes | Tree"]
"""A folder to write: streams are bytes, folders are mappings."""

_END, _FREE, _FAT, _NONE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD, 0xFFFFFFFF
_SECTOR, _MINI, _CUTOFF = 512, 64, 4096
_ENTRY = struct.Struct("<64sHBBIII16sI8s8sIQ")
_MAX_DEPTH = 40


@dataclass(slots=True)
class Storage:
    """A folder of a compound file. `streams` maps names to (first sector, size); `file.read(...)` gives the bytes."""

    name: str
    file: CompoundFile
    storages: dict[str, Storage] = field(default_factory=dict)
    streams: dict[str, tuple[int, int]] = field(default_factory=dict)

    def read(self, name: str) -> bytes | None:
        """The bytes of a stream, or None when there is none of that name.

        Raises:
            Unreadable: when it passes a limit.
        """
        where = self.streams.get(name)
        return None if where is None else self.file.bytes_at(*where)

    def tree(self) -> dict[str, bytes | Tree]:
        """Everything in this folder, for `write`."""
        out: dict[str, bytes | Tree] = {name: self.read(name) or b"" for name in self.streams}
        out.update({name: storage.tree() for name, storage in self.storages.items()})
        return out


class CompoundFile:
    """A compound file in memory. `root` is its top folder.

    Raises:
        Unreadable: when it is no compound file, or its directory cannot be followed.
    """

    def __init__(self, data: bytes, limits: Limits) -> None:
        self._data = data
        self._limits = limits
        self._total = 0
        if not data.startswith(MAGIC) or len(data) < 512:
            raise Unreadable("it is not a whole compound file (damaged, or cut short when it was copied)")
        shift, mini_shift = struct.unpack_from("<HH", data, 30)
        if shift not in (9, 12) or mini_shift != 6:
            raise Unreadable("its header is damaged")
        self._size = 1 << shift
        first_directory, self._cutoff = struct.unpack_from("<I4xI", data, 48)
        first_mini, _, first_extra, _ = struct.unpack_from("<IIII", data, 60)
        self._fat = self._read_fat(first_extra)
        entries = self._read_entries(first_directory)
        self.root = Storage("", self)
        self._mini_fat: list[int] = []
        self._mini_stream = b""
        if entries:
            packed = b"".join(self._sector(sector) for sector in self._chain(first_mini, self._fat))
            self._mini_fat = _integers(packed)
            self._mini_stream = self._long(entries[0][11], entries[0][12])
            self._follow(entries, entries[0][6], self.root, 0, set())

    def bytes_at(self, start: int, size: int) -> bytes:
        """The bytes of the stream that starts at this sector. A stream whose sectors end early is as long as they are."""
        if size < self._cutoff:
            pieces = []
            for mini in self._chain(start, self._mini_fat):
                pieces.append(self._mini_stream[mini * _MINI : (mini + 1) * _MINI])
            out = b"".join(pieces)[:size]
        else:
            out = self._long(start, size)
        self._total += len(out)
        if self._total > max(self._limits.total_bytes, 2 * len(self._data)):
            raise Unreadable("its streams are larger together than the file that holds them, as in an attack")
        return out

    def _long(self, start: int, size: int) -> bytes:
        if start in (_END, _FREE):
            return b""
        return b"".join(self._sector(sector) for sector in self._chain(start, self._fat))[:size]

    def _sector(self, number: int) -> bytes:
        start = (number + 1) * self._size
        return self._data[start : start + self._size]

    def _chain(self, start: int, table: list[int]) -> list[int]:
        """The sectors from `start` on; stops at the end, at a loop and at a sector that is not there."""
        out: list[int] = []
        seen: set[int] = set()
        while start < len(table) and start not in seen:
            seen.add(start)
            out.append(start)
            start = table[start]
        return out

    def _read_fat(self, extra: int) -> list[int]:
        sectors = list(struct.unpack_from("<109I", self._data, 76))
        seen: set[int] = set()
        while extra not in (_END, _FREE) and extra not in seen and (extra + 1) * self._size < len(self._data):
            seen.add(extra)
            block = _integers(self._sector(extra))
            if not block:
                break
            sectors.extend(block[:-1])
            extra = block[-1]
        present = len(self._data) // self._size + 1
        wanted = [sector for sector in dict.fromkeys(sectors) if sector < present]
        return _integers(b"".join(self._sector(sector).ljust(self._size, b"\xff") for sector in wanted))[:present]

    def _read_entries(
        self, first: int
    ) -> list[tuple[bytes, int, int, int, int, int, int, bytes, int, bytes, bytes, int, int]]:
        data = b"".join(self._sector(sector) for sector in self._chain(first, self._fat))
        count = len(data) // _ENTRY.size
        if count > 8 * self._limits.entries:
            raise Unreadable("it holds more entries than any real file of this kind does")
        return [_ENTRY.unpack_from(data, i * _ENTRY.size) for i in range(count)]

    def _follow(
        self,
        entries: list[tuple[bytes, int, int, int, int, int, int, bytes, int, bytes, bytes, int, int]],
        first: int,
        folder: Storage,
        depth: int,
        seen: set[int],
    ) -> None:
        """Walks the tree of names of one folder, and its folders."""
        pending = [first]
        found: list[int] = []
        while pending:
            at = pending.pop()
            if at >= len(entries) or at in seen:
                continue
            seen.add(at)
            found.append(at)
            pending.extend((entries[at][5], entries[at][4]))
        for at in sorted(found):
            raw, length, kind, _, _, _, child, *_, start, size = entries[at]
            name = raw[: max(0, min(length, 64) - 2)].decode("utf-16-le", "replace").rstrip("\0")
            if kind == 2:
                folder.streams[name] = (start, size & 0xFFFFFFFF if self._size == 512 else size)
            elif kind == 1 and depth < _MAX_DEPTH:
                inner = folder.storages[name] = Storage(name, self)
                self._follow(entries, child, inner, depth + 1, seen)


def _integers(data: bytes) -> list[int]:
    count = len(data) // 4
    return list(struct.unpack(f"<{count}I", data[: count * 4]))


def write(tree: Tree) -> bytes:
    """A compound file (version 3) of a tree of folders and streams. The same tree gives the same bytes."""
    entries: list[list[object]] = [["Root Entry", 5, _NONE, _NONE, _NONE, b""]]
    _add_entries(entries, 0, tree)
    mini = b""
    mini_fat: list[int] = []
    body: list[bytes] = []
    fat: list[int] = []
    placed: list[tuple[int, int]] = []
    for entry in entries:
        data = entry[5]
        assert isinstance(data, bytes)
        if not data:
            placed.append((_END, 0))
        elif len(data) < _CUTOFF:
            placed.append((len(mini_fat), len(data)))
            mini_fat.extend(_links(len(mini_fat), -(-len(data) // _MINI)))
            mini += data.ljust(-(-len(data) // _MINI) * _MINI, b"\0")
        else:
            placed.append((_append(body, fat, data), len(data)))
    placed[0] = (_append(body, fat, mini) if mini else _END, len(mini))
    first_mini_fat = _append(body, fat, _packed(mini_fat)) if mini_fat else _END
    directory = b"".join(_entry(entry, *where) for entry, where in zip(entries, placed, strict=True))
    first_directory = _append(body, fat, directory.ljust(-(-len(directory) // _SECTOR) * _SECTOR, b"\0"))
    return _assemble(body, fat, first_directory, first_mini_fat, len(mini_fat))


def _add_entries(entries: list[list[object]], parent: int, tree: Tree) -> None:
    """Children of one folder as a balanced tree of names, ordered as the format asks (by length, then in upper case)."""
    names = sorted(tree, key=lambda name: (len(name), name.upper()))
    numbers = {}
    for name in names:
        value = tree[name]
        numbers[name] = len(entries)
        entries.append(
            [
                name,
                2 if isinstance(value, bytes) else 1,
                _NONE,
                _NONE,
                _NONE,
                value if isinstance(value, bytes) else b"",
            ]
        )

    def balance(low: int, high: int) -> int:
        if low >= high:
            return _NONE
        middle = (low + high) // 2
        number = numbers[names[middle]]
        entries[number][2], entries[number][3] = balance(low, middle), balance(middle + 1, high)
        return number

    entries[parent][4] = balance(0, len(names))
    for name in names:
        value = tree[name]
        if not isinstance(value, bytes):
            _add_entries(entries, numbers[name], value)


def _links(start: int, count: int) -> list[int]:
    return [start + i + 1 for i in range(count - 1)] + [_END]


def _append(body: list[bytes], fat: list[int], data: bytes) -> int:
    start, count = len(fat), -(-len(data) // _SECTOR)
    fat.extend(_links(start, count))
    body.append(data.ljust(count * _SECTOR, b"\0"))
    return start


def _packed(numbers: list[int]) -> bytes:
    data = struct.pack(f"<{len(numbers)}I", *numbers)
    return data.ljust(-(-len(data) // _SECTOR) * _SECTOR, b"\xff")


def _entry(entry: list[object], start: int, size: int) -> bytes:
    name, kind, left, right, child, _ = entry
    raw = str(name)[:31].encode("utf-16-le") + b"\0\0"
    return _ENTRY.pack(
        raw, len(raw), kind, 1, left, right, child, b"", 0, b"", b"", start if size or kind == 2 else 0, size
    )


def _assemble(body: list[bytes], fat: list[int], directory: int, mini_fat: int, minis: int) -> bytes:
    per = _SECTOR // 4
    fat_sectors = extra_sectors = 0
    while True:
        needed = -(-(len(fat) + fat_sectors + extra_sectors) // per)
        extra = max(0, -(-(needed - 109) // (per - 1)))
        if (needed, extra) == (fat_sectors, extra_sectors):
            break
        fat_sectors, extra_sectors = needed, extra
    first_fat = len(fat)
    first_extra = first_fat + fat_sectors
    table = fat + [_FAT] * fat_sectors + [0xFFFFFFFC] * extra_sectors
    homes = list(range(first_fat, first_fat + fat_sectors))
    header = MAGIC + bytes(16) + struct.pack("<HHHHH6xII", 0x3E, 3, 0xFFFE, 9, 6, 0, fat_sectors)
    header += struct.pack(
        "<IIIIIII",
        directory,
        0,
        _CUTOFF,
        mini_fat,
        -(-minis // per),
        first_extra if extra_sectors else _END,
        extra_sectors,
    )
    header += struct.pack("<109I", *(homes[:109] + [_FREE] * (109 - len(homes[:109]))))
    extras = b""
    rest = homes[109:]
    for i in range(extra_sectors):
        chunk = rest[i * (per - 1) : (i + 1) * (per - 1)]
        chunk += [_FREE] * (per - 1 - len(chunk))
        extras += struct.pack(f"<{per}I", *chunk, first_extra + i + 1 if i + 1 < extra_sectors else _END)
    return header + b"".join(body) + _packed(table) + extras
