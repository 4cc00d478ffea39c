"""What a folder is, judged by what lies in it: documents, a store, or the folder of a run."""

from __future__ import annotations

import os
import shlex
import stat
from pathlib import Path

from redwell.room.errors import RoomError

_A_RUN, _A_STORE = "the folder of a run of Redwell", "a store of Redwell"
_RUN, _STORE = ("run.json", "journal.sqlite"), ("room.sqlite", "text.bin")
_OF_A_STORE = ("room.sqlite", "room.lock", "text.bin")
"""Whatever of these is there, a store was begun in the folder."""


def made_here(folder: Path) -> str:
    """What a folder is that Redwell itself has written (a run, a store), or an empty string: such a folder is no evidence."""
    path = os.fsencode(folder)
    return _A_RUN if _is(path, _RUN) else _A_STORE if _is(path, _STORE) else ""


def refuse_made_here(root: Path) -> None:
    """Raises RoomError when what should be a room is a run's folder or a store."""
    if own := made_here(root):
        said = "It has been read already."
        if own != _A_STORE:
            said = f"The room that the run read is its store, {root / 'room'}."
        raise RoomError(f"{root} is {own}, not a room of documents. {said}")


def refuse_among_documents(root: Path, store: Path) -> None:
    """Raises RoomError when a room's store would be made among documents: in the room itself, or in a folder that holds other files.

    A folder of its own inside the room is fine: the store's files are no part of the room.
    """
    if same(root, store):
        raise RoomError(
            f"{store} is the room itself: its store would lie among the documents. Name another folder with --store, or leave --store out."
        )
    if (held := _document_in(store)) and not made_here(store):
        raise RoomError(
            f"{store} holds other files ({held}) and is not a store. Name an empty or new folder with --store, or leave --store out."
        )


def same(one: Path, other: Path) -> bool:
    """Whether two paths lead to one folder, also by way of links."""
    try:
        return one.is_dir() and os.path.samefile(one, other)
    except OSError:
        return False


def not_a_store(place: Path) -> str:
    """What is said where a store is looked for and there is none: how to read and search what stands there, or how to make a store."""
    named = shlex.quote(str(place))
    if place.is_file() or _document_in(place):
        return f"{place} has not been read yet: `redwell room read {named}` reads it, and then `redwell room search {named} WORDS` searches it."
    return f"There is no room in {place}. Make one with: redwell room read FOLDER --store {named}"


def _document_in(folder: Path) -> str:
    """The name of something in a folder that is no part of a store, a run or what programs hide there; empty when there is none."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return ""
    if any(name in _OF_A_STORE for name in names):
        return ""
    for name in names:
        if not name.startswith(".") and name != "lost+found" and not made_here(folder / name):
            return name
    return ""


def _is(folder: bytes, files: tuple[str, str]) -> bool:
    """Whether a folder holds both files, one of them a real database: names alone must not keep documents from being read."""
    try:
        for name in files:
            path = os.path.join(folder, os.fsencode(name))
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
            with os.fdopen(handle, "rb") as file:
                if not stat.S_ISREG(os.fstat(handle).st_mode):
                    return False
                if name.endswith(".sqlite") and file.read(16) != b"SQLite format 3\0":
                    return False
    except OSError:
        return False
    return True
