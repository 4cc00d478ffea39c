"""ZIP, TAR and single compressed files: members as children, with every inflated byte counted.

What an archive may inflate to grows with its own size (a data room of scans is large and honest), never with what it states.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from typing import IO, Protocol

from redwell.room.formats.detect import detect
from redwell.room.formats.safezip import refuse_overlaps
from redwell.room.types import Child, Limits, Parsed, Unreadable

_CHUNK = 1 << 20
_RATIO_FLOOR = 4 << 20
_PARTS = re.compile(r"[/\\]+")
_CONTROLS = re.compile("[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
_BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,
    NotImplementedError,
    LookupError,
    OverflowError,
)


class _Stream(Protocol):
    def read(self, size: int, /) -> bytes: ...


@dataclass(slots=True)
class _Unpacking:
    """What one archive has given so far, and what it may still give."""

    limits: Limits
    packed: int
    children: list[Child] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    unopened: list[tuple[str, str]] = field(default_factory=list)
    total: int = 0
    used: set[str] = field(default_factory=set)

    @property
    def allowance(self) -> int:
        return min(
            max(self.limits.total_bytes, 2 * self.packed), max(self.limits.memory_bytes // 2, self.limits.total_bytes)
        )

    def take(self, stream: _Stream, packed: int) -> bytes:
        """A member's bytes, read until it ends or a limit is passed.

        Raises:
            Unreadable: at the limit.
        """
        pieces: list[bytes] = []
        size = 0
        while piece := stream.read(_CHUNK):
            size += len(piece)
            self.total += len(piece)
            if self.total > self.allowance:
                raise Unreadable(f"the archive inflates to more than {self.allowance >> 20:,} MB", all=True)
            if size > _RATIO_FLOOR and size > packed * self.limits.ratio:
                self.total -= size
                raise Unreadable(f"it inflates more than {self.limits.ratio} times over, as a zip bomb does")
            pieces.append(piece)
        return b"".join(pieces)

    def add(self, name: str, data: bytes) -> None:
        unique, number = name, 1
        while unique.lower() in self.used:
            number += 1
            stem, dot, extension = name.rpartition(".")
            unique = f"{stem} ({number}).{extension}" if dot and "/" not in extension else f"{name} ({number})"
        self.used.add(unique.lower())
        self.children.append(Child(unique, data))


def read(data: bytes, name: str, limits: Limits) -> Parsed:
    """Unpacks an archive. Members are children with safe names; those that cannot be unpacked are in `skipped` with the reason.

    Raises:
        Unreadable: when it is damaged so that nothing can be listed, or has too many members.
    """
    kind = detect(data, name)
    unpacking = _Unpacking(limits, len(data))
    if kind == "tar":
        _tar(data, unpacking)
    elif kind in ("gz", "bz2", "xz"):
        kind = _compressed(data, name, kind, unpacking)
    else:
        kind = "zip"
        _zip(data, unpacking)
    lost, count = len(unpacking.unopened), len(unpacking.children) + len(unpacking.skipped) + len(unpacking.unopened)
    parsed = Parsed(kind, {"final": []}, children=unpacking.children)
    parsed.skipped, parsed.unopened = unpacking.skipped, unpacking.unopened
    parsed.metadata["members"] = str(count)
    if lost:
        parsed.status, parsed.reason = "partly_read", f"{lost:,} of its {count:,} members could not be unpacked"
        if not unpacking.children:
            reasons = {reason for _, reason in unpacking.unopened}
            raise Unreadable(f"none of its members can be unpacked: {'; '.join(sorted(reasons)[:3])}")
    return parsed


def safe_path(name: str) -> str:
    """A member's path without roots, drives, steps upwards, control characters, or pieces longer than file systems take."""
    pieces = []
    for piece in _PARTS.split(_CONTROLS.sub("_", name)):
        piece = piece.strip()
        if piece in ("", ".", "..") or re.fullmatch(r"[A-Za-z]:", piece):
            continue
        piece = re.sub(r"^[A-Za-z]:", "", piece)
        if len(piece) > 200:
            stem, dot, extension = piece.rpartition(".")
            piece = f"{stem[:190]}.{extension[:9]}" if dot else piece[:200]
        pieces.append(piece)
    return "/".join(pieces) or "member"


def _zip(data: bytes, unpacking: _Unpacking) -> None:
    if data.count(b"PK\x01\x02") > 20 * unpacking.limits.entries:
        raise Unreadable(f"it holds more than {unpacking.limits.entries:,} members")
    try:
        archive = zipfile.ZipFile(BytesIO(data))
    except _BROKEN as error:
        raise Unreadable("it is not a whole zip file (damaged, or cut short when it was copied)") from error
    with archive:
        infos = [info for info in archive.infolist() if not info.filename.endswith("/")]
        if len(infos) > unpacking.limits.entries:
            raise Unreadable(f"it holds more than {unpacking.limits.entries:,} members")
        refuse_overlaps(infos)
        for number, info in enumerate(infos):
            name = safe_path(_zip_name(info))
            if stat.S_ISLNK(info.external_attr >> 16):
                unpacking.skipped.append((name, "it is a link to another file"))
            elif info.flag_bits & 1:
                unpacking.unopened.append((name, "it is protected with a password; ask for a copy without one"))
            elif not _member(unpacking, name, partial(archive.open, info), info.compress_size):
                for rest in infos[number + 1 :]:
                    reason = "it stands after the point where the archive's limit was reached"
                    unpacking.unopened.append((safe_path(_zip_name(rest)), reason))
                return


def _member(unpacking: _Unpacking, name: str, opener: Callable[[], IO[bytes]], packed: int) -> bool:
    """Unpacks one member; false when nothing more may be unpacked."""
    try:
        with opener() as stream:
            unpacking.add(name, unpacking.take(stream, packed))
    except Unreadable as error:
        unpacking.unopened.append((name, error.reason))
        return not error.detail.get("all")
    except _BROKEN:
        unpacking.unopened.append((name, "it is damaged, or compressed in a way that is not known"))
    return True


def _same(stream: IO[bytes]) -> IO[bytes]:
    return stream


def _zip_name(info: zipfile.ZipInfo) -> str:
    """The name as its maker wrote it: many write UTF-8 without saying so."""
    name = info.orig_filename if "\x00" not in info.orig_filename else info.filename
    if not info.flag_bits & 0x800:
        try:
            return name.encode("cp437").decode("utf-8")
        except (UnicodeEncodeError, UnicodeDecodeError):
            return name
    return name


def _tar(data: bytes, unpacking: _Unpacking) -> None:
    try:
        with tarfile.open(fileobj=BytesIO(data), mode="r:") as archive:
            for number, member in enumerate(archive):
                name = safe_path(member.name)
                if number >= unpacking.limits.entries:
                    reason = (
                        f"the archive holds more than {unpacking.limits.entries:,} members; those after were not read"
                    )
                    unpacking.unopened.append((name, reason))
                    return
                if member.isdir():
                    continue
                if not member.isreg() or member.issparse():
                    link = member.issym() or member.islnk()
                    reason = "it is a link to another file" if link else "it is a device or a special file"
                    unpacking.skipped.append((name, reason))
                    continue
                stream = archive.extractfile(member)
                if stream is None or not _member(unpacking, name, partial(_same, stream), max(member.size, 1)):
                    return
    except _BROKEN as error:
        if not unpacking.children:
            raise Unreadable("it is not a whole tar file (damaged, or cut short when it was copied)") from error
        unpacking.unopened.append(("the rest of the archive", "it is damaged, or cut short"))


def _opened(kind: str, packed: BytesIO) -> gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile:
    if kind == "gz":
        return gzip.GzipFile(fileobj=packed)
    return bz2.BZ2File(packed) if kind == "bz2" else lzma.LZMAFile(packed)


def _compressed(data: bytes, name: str, kind: str, unpacking: _Unpacking) -> str:
    packed = BytesIO(data)
    try:
        with _opened(kind, packed) as stream:
            inflated = unpacking.take(stream, len(data))
    except _BROKEN as error:
        raise Unreadable("it is damaged, or cut short when it was copied") from error
    if detect(inflated, "inner") == "tar":
        unpacking.total = 0
        _tar(inflated, unpacking)
        return "tar"
    base = safe_path(name).rsplit("/", 1)[-1]
    unpacking.add(re.sub(r"\.(?:gz|bz2|xz|tgz)$", "", base, flags=re.IGNORECASE) or "member", inflated)
    return kind
