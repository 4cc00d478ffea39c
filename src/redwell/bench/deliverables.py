"""Which file of a run's output a judge reads for a deliverable that the task names, and its text.

Found by the exact name, else the only file with that extension, else the one whose name shares most words with it. What a run wrote is not
trusted: links are not followed, and anything but plain text is read behind the walls that documents of a room are read behind.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from redwell.bench.verdicts import Decision
from redwell.harness.fence import quoted
from redwell.room.reading import read_room
from redwell.room.room import Room, RoomError

OUTPUT = "output"
LARGEST = 8_000_000
"""Bytes of a deliverable that are read."""
_TEXT = (".md", ".markdown", ".txt", ".csv", ".json", ".html", ".htm")
_STOP = frozenset({"the", "of", "and", "a", "for", "to", "final", "draft", "copy"})
How = Literal["exact name", "only file with this extension", "similar name", "missing"]


@dataclass(frozen=True, slots=True)
class Deliverable:
    """`wanted` is the name in the task; `file` what was read for it, None when nothing was found. `problem` says why there is no text;
    `unreadable`: something was delivered, and it cannot be read."""

    wanted: str
    file: Path | None
    how: How
    text: str = ""
    problem: str = ""
    unreadable: bool = False


def nothing(deliverables: Sequence[Deliverable]) -> tuple[str, Decision]:
    """Why there is no text to judge, and what follows: what was not delivered fails, what cannot be read is unscored."""
    told = "; ".join(one.problem for one in deliverables if one.problem)
    unreadable = any(one.unreadable for one in deliverables)
    return told or "the run delivered nothing", "unscored" if unreadable else "fail"


def find(output: Path, wanted: str) -> tuple[Path | None, How]:
    """The file of the output folder that stands for a deliverable."""
    name, how = _chosen(names(output), wanted)
    return None if name is None else output / name, how


def lacking(output: Path, delivered: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """Of the files that a run has `delivered` (paths in its output), those that a judge would read for the `wanted` deliverables (without any,
    all) and that are not there any more."""
    told = [name for name in delivered if not any(part.startswith(".") for part in PurePosixPath(name).parts)]
    needed = [_chosen(told, one)[0] for one in wanted] if wanted else told
    there = set(names(output))
    return [name for name in dict.fromkeys(needed) if name is not None and name not in there]


def _chosen(paths: Sequence[str], wanted: str) -> tuple[str | None, How]:
    """Which of these paths stands for a deliverable."""
    files = [PurePosixPath(path) for path in paths]
    exact = next((file for file in files if file.as_posix() == wanted), None)
    exact = exact or next((file for file in files if file.name == Path(wanted).name), None)
    if exact is not None:
        return exact.as_posix(), "exact name"
    suffix = Path(wanted).suffix.lower()
    alike = [file for file in files if file.suffix.lower() == suffix]
    if len(alike) == 1:
        return alike[0].as_posix(), "only file with this extension"
    words = _words(wanted)
    ranked = sorted(
        ((len(words & _words(file.name)), file.suffix.lower() == suffix, file) for file in files),
        key=lambda one: (-one[0], not one[1], str(one[2])),
    )
    if ranked and ranked[0][0] and ranked[0][:2] not in [one[:2] for one in ranked[1:]]:
        return ranked[0][2].as_posix(), "similar name"
    return None, "missing"


def read(output: Path, wanted: Sequence[str], *, redlines: bool = False) -> list[Deliverable]:
    """The deliverables of these names; without any, every file of the output. `redlines`: tracked changes are shown (`[-deleted-]`,
    `[+inserted+]`), else taken as accepted."""
    if not wanted:
        return [
            _read(output, file.relative_to(output).as_posix(), file, "exact name", redlines) for file in _files(output)
        ]
    found = []
    for name in wanted:
        file, how = find(output, name)
        if file is None:
            there = ", ".join(map(quoted, names(output)[:10])) or "nothing"
            found.append(
                Deliverable(name, None, how, problem=f"there is no {name} among what the run delivered ({there})")
            )
        else:
            found.append(_read(output, name, file, how, redlines))
    return found


def digest(deliverables: Sequence[Deliverable]) -> str:
    """SHA-256 over the names and texts of what a judge reads."""
    total = hashlib.sha256()
    for one in deliverables:
        for part in (one.wanted, one.file.name if one.file else "", one.text):
            content = part.encode("utf-8", "surrogatepass")
            total.update(len(content).to_bytes(8, "big") + content)
    return total.hexdigest()


def _files(output: Path) -> list[Path]:
    """Regular files of the output, in order of their paths; no links, nothing hidden."""
    found = []
    for place, folders, names in os.walk(output):
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and not (Path(place) / name).is_symlink()
        )
        for name in sorted(names):
            file = Path(place) / name
            if not name.startswith(".") and stat.S_ISREG(file.lstat().st_mode):
                found.append(file)
    return found


def names(output: Path) -> list[str]:
    """The files of an output that judges look among, by their paths in it."""
    return [file.relative_to(output).as_posix() for file in _files(output)]


def _words(name: str) -> frozenset[str]:
    stem = Path(name).stem.lower()
    return frozenset(word for word in re.split(r"[^a-z0-9]+", stem) if word) - _STOP


def _read(output: Path, wanted: str, file: Path, how: How, redlines: bool) -> Deliverable:
    if file.stat().st_size > LARGEST:
        return Deliverable(
            wanted, file, how, problem=f"{file.name} is larger than {LARGEST // 1_000_000} MB, which no judge reads"
        )
    if file.suffix.lower() in _TEXT:
        text = file.read_bytes().decode("utf-8-sig", "replace")
        return Deliverable(wanted, file, how, text, "" if text.strip() else f"{file.name} is empty")
    text, problem = _behind_walls(file, redlines)
    return Deliverable(wanted, file, how, text, problem, bool(problem))


def _behind_walls(file: Path, redlines: bool) -> tuple[str, str]:
    """The text of an office file or PDF as Markdown (headings marked), and why there is none."""
    with tempfile.TemporaryDirectory(prefix="redwell-deliverable-") as place:
        folder, store = Path(place) / "files", Path(place) / "store"
        folder.mkdir()
        shutil.copyfile(file, folder / file.name, follow_symlinks=False)
        try:
            read_room(folder, store, jobs=1, ocr="off", engine="fts")
            with Room.open(store, engine="fts") as room:
                document = next(iter(room.documents()), None)
                if document is None or not document.length:
                    reason = document.reason if document is not None else "it is of no kind that can be read"
                    return "", f"{file.name} cannot be read: {reason or 'it holds no text'}"
                view: Literal["marked", "final"] = "marked" if redlines and "marked" in document.views else "final"
                text = room.text(document.id, view)
                lines = []
                for unit in room.units(document.id, view):
                    if "hidden" not in unit.flags:
                        lines.append(("## " if "heading" in unit.flags else "") + text[unit.start : unit.end].strip())
                return "\n\n".join(lines), ""
        except RoomError as error:
            return "", f"{file.name} cannot be read: {error}"
