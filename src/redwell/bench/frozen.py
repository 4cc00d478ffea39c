"""What the tasks of a matrix were when it began. Cells of before and after a change cannot be compared, so a task whose instructions or
documents have changed is refused; where only its rubric has, the verdicts are given anew."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from redwell.bench.matrix import MatrixError
from redwell.bench.measures import write_atomically
from redwell.bench.tasks import BenchTask
from redwell.bench.unreadable import why

FILE = "tasks.json"
_LARGEST = 1 << 30
"""Bytes of a document whose content is looked at; of larger ones, which no reader takes, the size tells."""


def hold(tasks: Iterable[BenchTask], out: Path) -> None:
    """Holds each task against what OUT/tasks.json says of it, and adds those that it does not know. Raises MatrixError naming every task that
    has changed, and what of it."""
    known = _known(out / FILE)
    told, now = [], dict(known)
    looked_at: dict[Path, tuple[str, str]] = {}  # tasks may share a room
    for task in tasks:
        was = known.get(task.id, {})
        if task.documents not in looked_at:
            looked_at[task.documents] = _documents(task.documents, was)
        documents, seen = looked_at[task.documents]
        given = _digest([task.instructions, *task.deliverables])
        now[task.id] = entry = {"instructions": given, "documents": documents, "seen": seen}
        changed = [what for what in ("instructions", "documents") if was.get(what) and was[what] != entry[what]]
        if changed:
            told.append(f"tasks: {task.folder}: its {' and '.join(changed)} have changed since this matrix began")
    if told:
        way = "put them back as they were, or name another folder with --out: cells of before and after cannot be compared"
        raise MatrixError("\n".join([*told, way]))
    if now != known:
        write_atomically(out / FILE, json.dumps(now, indent=1) + "\n")


def _known(file: Path) -> dict[str, dict[str, str]]:
    try:
        found = json.loads(file.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        found = why(error)
    if not isinstance(found, dict) or not all(isinstance(one, dict) for one in found.values()):
        raise MatrixError(
            f"{file}: does not say what the tasks were when this matrix began ({_short(found)}); put it back, or delete it when no task has changed"
        )
    return found


def _short(found: Any) -> str:
    return found if isinstance(found, str) and len(found) < 40 else "it holds something else"


def _documents(folder: Path, was: dict[str, str]) -> tuple[str, str]:
    """A digest of the documents, and one of their sizes and dates: as long as these stay, nothing is read to know that the documents have."""
    seen = _digest(f"{path}\0{about.st_size}\0{about.st_mtime_ns}" for path, _, about in _files(folder))
    if was.get("seen") == seen and was.get("documents"):
        return was["documents"], seen
    return _digest(f"{path}\0{_content(file, about.st_size)}" for path, file, about in _files(folder)), seen


def _files(folder: Path) -> Iterator[tuple[str, Path, os.stat_result]]:
    """Every regular file with its path in the room, in order; none where the folder is not there."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            file = Path(place) / name
            if file.is_file() and not file.is_symlink():
                yield file.relative_to(folder).as_posix(), file, file.stat()


def _content(file: Path, size: int) -> str:
    """A digest; the size of what cannot be read, which is for the reader of the room to say."""
    try:
        if size <= _LARGEST:
            with file.open("rb") as content:
                return hashlib.file_digest(content, "sha256").hexdigest()
    except OSError:
        pass
    return str(size)


def _digest(parts: Iterable[str]) -> str:
    """Empty when there is no part."""
    told, some = hashlib.sha256(), False
    for part in parts:
        some = True
        told.update(part.encode("utf-8", "surrogatepass") + b"\n")
    return told.hexdigest()[:32] if some else ""
