"""Reading a zip that may be hostile: bytes are counted as they are inflated, and no stated size is believed.

The central directory is taken from the standard library; inflating is done here, chunk by chunk, so that a bomb is stopped
at the limit and not after it. Only the two methods that Office files use (stored, deflated) are inflated.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from io import BytesIO

from redwell.room.types import Limits, Unreadable

_CHUNK = 1 << 20
_DIRECTORY_ENTRY = b"PK\x01\x02"
_LOCAL_HEADER = struct.Struct("<4s5H3I2H")
BROKEN = (
    zipfile.BadZipFile,
    struct.error,
    ValueError,
    NotImplementedError,
    OSError,
    EOFError,
    RuntimeError,
    OverflowError,
    LookupError,
)
"""What the standard library raises for a zip that is damaged."""
RATIO_FLOOR = 4 << 20
"""A part that inflates to less than this is never refused for its ratio: short repetitive XML compresses well."""


class SafeZip:
    """A zip in memory, opened within limits.

    Args:
        data: the bytes of the file.
        limits: `entries`, `part_bytes`, `total_bytes` and `ratio` are applied.

    Raises:
        Unreadable: when it is no zip, is cut short, has too many entries or entries that share bytes.
    """

    def __init__(self, data: bytes, limits: Limits) -> None:
        self._data = memoryview(data)
        self._limits = limits
        self._total = 0
        self._counted: set[str] = set()
        self.problems: list[str] = []
        if data.count(_DIRECTORY_ENTRY) > limits.entries:
            raise Unreadable(f"it holds more than {limits.entries:,} entries, which no real file of this kind does")
        try:
            with zipfile.ZipFile(BytesIO(data)) as archive:
                infos = archive.infolist()
        except BROKEN as error:
            raise Unreadable("it is not a whole zip file (damaged, or cut short when it was copied)") from error
        if len(infos) > limits.entries:
            raise Unreadable(f"it holds more than {limits.entries:,} entries, which no real file of this kind does")
        refuse_overlaps(infos)
        self._infos: dict[str, zipfile.ZipInfo] = {}
        for info in infos:
            name = info.filename.replace("\\", "/").lstrip("/")
            if name in self._infos and not name.endswith("/"):
                self.problems.append(f"two parts are named {name}; the last one was read")
            self._infos[name] = info

    def names(self) -> list[str]:
        """Names of the entries that are not folders, with `/` between parts, in the order of the directory."""
        return [name for name in self._infos if not name.endswith("/")]

    def encrypted(self, name: str) -> bool:
        """Whether the entry of that name needs a password."""
        info = self._infos.get(name)
        return info is not None and bool(info.flag_bits & 1)

    def read(self, name: str) -> bytes:
        """The inflated bytes of an entry.

        Raises:
            KeyError: when there is no such entry.
            Unreadable: when it needs a password, is damaged, or passes a limit.
        """
        info = self._infos[name]
        if info.flag_bits & 1:
            raise Unreadable(f"its part {name} is protected with a password; ask for a copy without one")
        raw = self._raw(info)
        if info.compress_type == zipfile.ZIP_STORED:
            out = bytes(raw)
            self._count(name, len(out), len(raw), 0)
        elif info.compress_type == zipfile.ZIP_DEFLATED:
            out = self._inflate(name, raw)
        else:
            raise Unreadable(f"its part {name} is compressed in a way that this kind of file does not allow")
        self._counted.add(name)
        if zlib.crc32(out) != info.CRC:
            self.problems.append(f"the part {name} does not match its checksum; the file is damaged or was altered")
        return out

    def _raw(self, info: zipfile.ZipInfo) -> memoryview:
        start = info.header_offset
        try:
            header = _LOCAL_HEADER.unpack_from(self._data, start)
        except struct.error as error:
            raise Unreadable(f"its part {info.filename} is missing from the file (cut short)") from error
        begin = start + _LOCAL_HEADER.size + int(header[9]) + int(header[10])
        end = begin + info.compress_size
        if header[0] != b"PK\x03\x04" or start < 0 or end > len(self._data):
            raise Unreadable(f"its part {info.filename} is missing from the file (damaged or cut short)")
        return self._data[begin:end]

    def _inflate(self, name: str, raw: memoryview) -> bytes:
        inflater = zlib.decompressobj(-15)
        out: list[bytes] = []
        size = 0
        pending: bytes | memoryview = raw
        try:
            while not inflater.eof:
                chunk = inflater.decompress(pending, _CHUNK)
                pending = inflater.unconsumed_tail
                if not chunk and not pending:
                    break
                size += len(chunk)
                self._count(name, size, len(raw), len(chunk))
                out.append(chunk)
        except zlib.error as error:
            raise Unreadable(f"its part {name} is damaged and cannot be inflated") from error
        if not inflater.eof:
            raise Unreadable(f"its part {name} is cut short")
        return b"".join(out)

    def _count(self, name: str, size: int, packed: int, fresh: int) -> None:
        """Stops at the first limit passed. `fresh` bytes are new to the total unless this part was read before."""
        if name not in self._counted:
            self._total += fresh or size
        if size > self._limits.part_bytes:
            raise Unreadable(f"its part {name} inflates to more than {_megabytes(self._limits.part_bytes)}")
        if self._total > self._limits.total_bytes:
            raise Unreadable(f"its parts inflate to more than {_megabytes(self._limits.total_bytes)} together")
        if size > RATIO_FLOOR and size > packed * self._limits.ratio:
            raise Unreadable(f"its part {name} inflates more than {self._limits.ratio} times over, as a zip bomb does")


def _megabytes(count: int) -> str:
    return f"{count >> 20:,} MB" if count >= 1 << 20 else f"{count:,} bytes"


def refuse_overlaps(infos: list[zipfile.ZipInfo]) -> None:
    """Two entries over the same bytes are how a small file inflates to petabytes; no writer makes them.

    Raises:
        Unreadable: when there are such entries.
    """
    reach = -1
    for info in sorted(infos, key=lambda i: (i.header_offset, i.compress_size)):
        if info.header_offset < reach:
            raise Unreadable("its parts overlap each other, as in a zip bomb")
        reach = max(reach, info.header_offset + _LOCAL_HEADER.size + info.compress_size)
