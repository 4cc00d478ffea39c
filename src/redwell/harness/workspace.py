"""The folder that a model with tools works in: the room's text as files, read-only, and a folder for what it writes.

The host follows no link and opens nothing but plain files here: whatever a command has put into the writable folder is not trusted.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from redwell.room.room import Room, RoomError
from redwell.room.types import Document
from redwell.sandbox.shell import WORKSPACE, Place

DOCUMENTS, OUTPUT = "documents", "output"
MOST_FILE = 8 << 20
"""Bytes of a file in the writable folder that are read, written or delivered as text."""
MOST_DELIVERED = 64 << 20
MOST_FILES = 2_000


class NoFile(Exception):
    """A path that leads to no file that may be used, with the reason in plain words."""


@dataclass(slots=True)
class Workspace:
    """`folder` is RUN/workspace. `documents` are the room's, by their path beneath `documents/`."""

    folder: Path
    room: Room
    documents: dict[str, Document] = field(default_factory=dict)

    @property
    def output(self) -> Path:
        return self.folder / OUTPUT

    @property
    def place(self) -> Place:
        return Place(self.folder, self.output, self.folder.with_name("scratch"))

    def prepare(self, fill: Callable[[Path], None]) -> None:
        """Has `documents` filled, unless it is there; what was written into `output` before stays."""
        if not self.output.is_dir():
            self._as_delivered()
        for folder in (self.folder, self.output, self.place.scratch):
            folder.mkdir(parents=True, exist_ok=True)
        self.documents = dict(_paths(self.room))
        done = self.folder / DOCUMENTS
        if done.is_dir():
            return
        making = self.folder.with_name("documents.part")
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir()
        fill(making)
        os.replace(making, done)

    def _as_delivered(self) -> None:
        """A run that had ended and is gone on with has its files again."""
        done = self.folder.with_name(OUTPUT)
        if done.is_dir():
            shutil.rmtree(making := self.folder.with_name("output.part"), ignore_errors=True)
            shutil.copytree(done, making)
            self.folder.mkdir(parents=True, exist_ok=True)
            os.replace(making, self.output)

    def texts(self, folder: Path) -> None:
        """The text of each document as a file of its name."""
        for path, document in self.documents.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            text = self.room.text(document.id) if document.length else ""
            file.write_text(text, encoding="utf-8", errors="replace", newline="")

    def originals(self, folder: Path) -> None:
        """A copy of each file that the room was read from, as it was then. Raises NoFile when one is gone or has changed since."""
        root = self.room.source
        for path, digest in self.room.files():
            target = folder / path
            if not target.resolve().is_relative_to(folder.resolve()):
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                shutil.copyfile(root / path if root.is_dir() else root, target)
                with target.open("rb") as file:
                    same = hashlib.file_digest(file, "sha256").hexdigest() == digest
            except OSError as error:
                raise NoFile(f"the room's files cannot be copied: {root / path}: {error.strerror}") from None
            if not same:
                raise NoFile(f"{root / path} is not the file that the room was read from: read the room again")

    def remove(self) -> None:
        """All of it but what was delivered."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.place.scratch, ignore_errors=True)

    # --- paths ----------------------------------------------------------------------------------------------------------------

    def where(self, path: str, *, default: str = "") -> tuple[str, ...]:
        """A path as its parts beneath the workspace; `default` is the folder of one that names none. Raises NoFile for one that leads out."""
        text = path.strip().removeprefix(WORKSPACE) if path.strip().startswith(f"{WORKSPACE}/") else path.strip()
        if text in ("", ".", "/", WORKSPACE):
            return ()
        parts = tuple(part for part in text.split("/") if part not in ("", "."))
        if ".." in parts or "\0" in text or (path.startswith("/") and not path.startswith(WORKSPACE)):
            raise NoFile(f"{path!r} is not in the workspace: paths begin with documents/ or output/")
        if default and parts[0] not in (DOCUMENTS, OUTPUT):
            return (default, *parts)
        return parts

    def document(self, path: str) -> Document:
        """The document at a path, or of that name or id when just one has it. Raises NoFile."""
        parts = self.where(path)
        known = self.documents.get("/".join(parts[1:] if parts[:1] == (DOCUMENTS,) else parts))
        if known is not None:
            return known
        try:
            return self.room.document(path.strip().removeprefix(f"{DOCUMENTS}/"))
        except RoomError as error:
            raise NoFile(str(error)) from None

    # --- files in the writable folder ------------------------------------------------------------------------------------------

    def read(self, parts: tuple[str, ...]) -> str:
        """The text of a file in `output`. Raises NoFile."""
        data = self._read(parts, MOST_FILE)
        return data.decode("utf-8", "replace")

    def write(self, parts: tuple[str, ...], text: str) -> None:
        """Makes or replaces a file in `output`, and the folders it is in. Raises NoFile."""
        data = text.encode("utf-8", "replace")
        if len(data) > MOST_FILE:
            raise NoFile(f"{len(data):,} bytes are too many for one file; the most is {MOST_FILE:,}")
        shown = "/".join(parts)
        try:
            folder = self._open_folder(parts[1:-1], make=True)
            try:
                beside = f".{parts[-1][:200]}.part"
                descriptor = os.open(
                    beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o644, dir_fd=folder
                )
                with os.fdopen(descriptor, "wb") as file:
                    file.write(data)
                os.replace(beside, parts[-1], src_dir_fd=folder, dst_dir_fd=folder)
            finally:
                os.close(folder)
        except OSError as error:
            raise NoFile(f"{shown} cannot be written: {error.strerror}") from None

    def files(self) -> Iterator[tuple[str, int]]:
        """The plain files in `output`, as (path beneath it, bytes), in order."""
        count = 0
        for folder, folders, names in os.walk(self.output, followlinks=False):
            folders.sort()
            for name in sorted(names):
                path = Path(folder) / name
                found = path.lstat()
                if stat.S_ISREG(found.st_mode) and not name.endswith(".part"):
                    count += 1
                    if count > MOST_FILES:
                        return
                    yield path.relative_to(self.output).as_posix(), found.st_size

    def deliver(self, target: Path) -> list[Path]:
        """Copies the plain files of `output` to `target`, as far as they are no larger than a deliverable is."""
        copied = []
        for path, size in self.files():
            if size > MOST_DELIVERED:
                continue
            try:
                data = self._read((OUTPUT, *path.split("/")), MOST_DELIVERED)
            except NoFile:
                continue
            file = target / path
            file.parent.mkdir(parents=True, exist_ok=True)
            beside = file.with_name(f".{file.name[:200]}.part")
            beside.write_bytes(data)
            os.replace(beside, file)
            copied.append(file)
        return copied

    def _read(self, parts: tuple[str, ...], most: int) -> bytes:
        shown = "/".join(parts)
        if parts[:1] != (OUTPUT,) or len(parts) < 2:
            raise NoFile(f"there is no file {shown!r}")
        try:
            folder = self._open_folder(parts[1:-1])
            try:
                descriptor = os.open(parts[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
            finally:
                os.close(folder)
            with os.fdopen(descriptor, "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise NoFile(f"{shown} is no plain file")
                return file.read(most)
        except OSError as error:
            raise NoFile(f"{shown} cannot be read: {error.strerror}") from None

    def _open_folder(self, parts: tuple[str, ...], *, make: bool = False) -> int:
        """A folder beneath `output`, reached without following a link. Raises OSError."""
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
        current = os.open(self.output, flags)
        for part in parts:
            try:
                if make and part not in os.listdir(current):
                    os.mkdir(part, 0o755, dir_fd=current)
                inner = os.open(part, flags, dir_fd=current)
            finally:
                os.close(current)
            current = inner
        return current


def _paths(room: Room) -> Iterator[tuple[str, Document]]:
    """Every path of every document as a path of plain parts, each once."""
    taken: set[str] = set()
    for document in room.documents():
        for path in document.paths:
            parts = [part for part in path.split("/") if part not in ("", ".", "..")]
            name = "/".join(_part(part) for part in parts) or document.id[:12]
            while name in taken:
                name += "~"
            taken.add(name)
            yield name, document


def _part(name: str) -> str:
    """A name that a file may have."""
    plain = re.sub(r"[\x00-\x1f\x7f]", "_", name.encode("utf-8", "replace").decode("utf-8"))
    while len(plain.encode()) > 240:
        plain = plain[:-1]
    return plain
