"""Finding the files of a room: every path is either a file to read or is listed with the reason why not.

No link is ever followed: a link inside the room points at something that is read where it stands, a link out of it is none of the
room's. A file is opened so that a pipe or device cannot block, and is read only when it is still the regular file that was found.
"""

from __future__ import annotations

import lzma
import os
import stat
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from redwell.room.errors import RoomError
from redwell.room.formats.safezip import BROKEN, refuse_overlaps
from redwell.room.places import made_here
from redwell.room.types import Limits, Skipped, Unreadable

SETTLED_SECONDS = 2.0
"""A file changed more recently than this may change again under the same time stamp; it is looked at again next time."""
_TRIES = 3
_UNFOLDED = 20
"""How many times its own size an archive that is a room may unfold to; one of less than 4 GB may always unfold to that."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file to read: its path in the room, what tells whether it changed, and how to get its bytes (raises Unreadable)."""

    path: str
    size: int
    mtime_ns: int
    inode: int
    read: Callable[[], bytes]


def walk(root: Path, limits: Limits, *, apart: Path | None = None) -> Iterator[Entry | Skipped]:
    """Everything in a folder, a single ZIP archive or a single file, in an order that only the names decide.

    `apart` is a folder that is no part of the room (its own store). Raises RoomError when the root itself cannot be opened.
    """
    try:
        kind = root.stat()
    except OSError as error:
        raise RoomError(f"{root} cannot be opened: {_plain(error)}.") from error
    if stat.S_ISDIR(kind.st_mode):
        base = os.fsencode(root.resolve())
        try:
            os.scandir(base).close()
        except OSError as error:
            raise RoomError(f"{root} cannot be opened: {_plain(error)}.") from error
        yield from _distinct(_folder(base, b"", limits, os.fsencode(apart.resolve()) if apart else None))
    elif stat.S_ISREG(kind.st_mode):
        found = root.resolve()
        if zipfile.is_zipfile(found) and found.suffix.lower() == ".zip":
            yield from _distinct(_archive(found, limits))
        else:
            yield _entry(os.fsencode(found), printable(os.fsencode(found.name)), found.lstat(), limits)
    else:
        raise RoomError(f"{root} is neither a folder nor a file.")


def ignored(name: str) -> str:
    """The reason for passing over a file by its name alone (what programs leave behind), or an empty string."""
    base = name.replace("\\", "/").rsplit("/", 1)[-1]
    folded = base.lower()
    if folded in ("thumbs.db", "ehthumbs.db", "desktop.ini", ".ds_store", ".localized", "icon\r"):
        return "a folder's own settings, not a document"
    if base.startswith("~$") or (folded.startswith(".~lock.") and folded.endswith("#")):
        return "an office program's lock file, not a document"
    if base.startswith("._") or "__MACOSX/" in name.replace("\\", "/"):
        return "a Macintosh's file attributes, not a document"
    return ""


def printable(name: bytes) -> str:
    """A file's name as text. Bytes that are no UTF-8 become `\\xNN`, so that the name can be shown, stored and found again."""
    return name.decode("utf-8", "backslashreplace")


def _distinct(entries: Iterator[Entry | Skipped]) -> Iterator[Entry | Skipped]:
    """Two names that print alike are told apart by a number."""
    seen: set[str] = set()
    for entry in entries:
        path, number = entry.path, 2
        while path in seen:
            path, number = f"{entry.path} ({number})", number + 1
        seen.add(path)
        if path != entry.path:
            entry = (
                Skipped(path, entry.reason, entry.status)
                if isinstance(entry, Skipped)
                else Entry(path, entry.size, entry.mtime_ns, entry.inode, entry.read)
            )
        yield entry


def _folder(base: bytes, under: bytes, limits: Limits, apart: bytes | None) -> Iterator[Entry | Skipped]:
    stack = [under]
    while stack:
        folder = stack.pop()
        here = os.path.join(base, folder) if folder else base
        try:
            with os.scandir(here) as listing:
                children = sorted(listing, key=lambda child: child.name)
        except OSError as error:
            yield Skipped(printable(folder) + "/", f"the folder cannot be opened: {_plain(error)}", "unreadable")
            continue
        folders: list[bytes] = []
        for child in children:
            path = folder + b"/" + child.name if folder else child.name
            shown = printable(path)
            try:
                found = child.stat(follow_symlinks=False)
            except OSError as error:
                yield Skipped(shown, _plain(error), "unreadable")
                continue
            if stat.S_ISDIR(found.st_mode):
                if apart is not None and child.path == apart:
                    continue
                if own := made_here(Path(os.fsdecode(child.path))):
                    yield Skipped(shown + "/", f"{own}, not a part of the room")
                    continue
                folders.append(path)
            elif reason := ignored(shown) or _not_a_file(base, child.path, found):
                yield Skipped(shown, reason)
            else:
                yield _entry(child.path, shown, found, limits)
        stack.extend(reversed(folders))


def _not_a_file(base: bytes, path: bytes, found: os.stat_result) -> str:
    mode = found.st_mode
    if stat.S_ISLNK(mode):
        return _link(base, path)
    if stat.S_ISFIFO(mode):
        return "a named pipe, not a file"
    if stat.S_ISSOCK(mode):
        return "a socket, not a file"
    if not stat.S_ISREG(mode):
        return "a device, not a file"
    return ""


def _link(base: bytes, path: bytes) -> str:
    try:
        target = Path(os.fsdecode(path)).resolve(strict=True)
    except FileNotFoundError:
        return "a link that points to nothing"
    except (OSError, RuntimeError):
        return "a link that leads back to itself"
    try:
        inside = target.relative_to(os.fsdecode(base))
    except ValueError:
        return "a link that leaves the room; it was not followed"
    if inside == Path():
        return "a link to the room itself"
    return f"a link to {printable(os.fsencode(inside))}, which is read where it stands"


def _entry(path: bytes, shown: str, found: os.stat_result, limits: Limits) -> Entry:
    settled = time.time() - found.st_mtime > SETTLED_SECONDS
    stamp = found.st_mtime_ns if settled else -1
    return Entry(shown, found.st_size, stamp, found.st_ino, lambda: _read(path, limits))


def _read(path: bytes, limits: Limits) -> bytes:
    """The file's bytes, all of one moment as far as its time stamp can tell."""
    for _ in range(_TRIES):
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        except FileNotFoundError as error:
            raise Unreadable("it went away while the room was read") from error
        except OSError as error:
            raise Unreadable(_plain(error)) from error
        with os.fdopen(handle, "rb", buffering=0) as file:
            before = os.fstat(handle)
            if not stat.S_ISREG(before.st_mode):
                raise Unreadable("it was replaced by something that is not a file while the room was read")
            if before.st_size > limits.file_bytes:
                raise Unreadable(f"it is larger than {limits.file_bytes >> 20:,} MB")
            try:
                data = file.read(before.st_size + 1) or b""
                while 0 < len(data) < before.st_size and (rest := file.read(before.st_size - len(data))):
                    data += rest
            except OSError as error:
                raise Unreadable(_plain(error)) from error
            after = os.fstat(handle)
        if len(data) == before.st_size == after.st_size and before.st_mtime_ns == after.st_mtime_ns:
            return data
    raise Unreadable("it kept changing while it was read")


def _archive(file: Path, limits: Limits) -> Iterator[Entry | Skipped]:
    """The members of a ZIP archive that is itself the room, one at a time; the archive is never unpacked to disk."""
    try:
        archive = zipfile.ZipFile(file)
        members = archive.infolist()
    except BROKEN as error:
        raise RoomError(f"{file} is damaged and cannot be opened as an archive.") from error
    try:
        refuse_overlaps(members)
    except Unreadable as error:
        raise RoomError(f"{file} cannot be opened as an archive: {error.reason}.") from error
    left = [max(4 << 30, _UNFOLDED * file.stat().st_size)]
    for member in members:
        path = "/".join(part for part in member.filename.replace("\\", "/").split("/") if part not in ("", ".", ".."))
        path = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace") or "member"
        if member.filename.endswith("/"):
            continue
        if reason := ignored(member.filename):
            yield Skipped(path, reason)
        elif stat.S_ISLNK(member.external_attr >> 16):
            yield Skipped(path, "a link; it was not followed")
        elif member.flag_bits & 1:
            yield Skipped(path, "protected with a password", "unreadable")
        else:
            stamp = int("".join(f"{part:02}" for part in member.date_time))
            yield Entry(path, member.file_size, stamp, member.CRC, _member_reader(archive, member, limits, left))


def _member_reader(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, limits: Limits, left: list[int]
) -> Callable[[], bytes]:
    """`left` holds one number: how many bytes the archive may still unfold to."""

    def read() -> bytes:
        ceiling = min(limits.file_bytes, max(limits.ratio * member.compress_size, 1 << 20))
        pieces: list[bytes] = []
        total = 0
        try:
            with archive.open(member) as stream:
                while piece := stream.read(1 << 20):
                    total += len(piece)
                    left[0] -= len(piece)
                    if left[0] < 0:
                        raise Unreadable("it stands after the point where the archive's limit was reached")
                    if total > ceiling:
                        raise Unreadable("it unfolds to far more than its packed size (a decompression bomb?)")
                    pieces.append(piece)
        except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError) as error:
            raise Unreadable("its data in the archive is damaged") from error
        except (NotImplementedError, RuntimeError, OSError, ValueError) as error:
            raise Unreadable("it is packed in a way that cannot be opened") from error
        return b"".join(pieces)

    return read


def _plain(error: OSError) -> str:
    return (error.strerror or "it cannot be opened").lower() if error.errno else "it cannot be opened"
