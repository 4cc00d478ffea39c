"""Tasks in the shape of LAB: a folder with `task.json` (instructions and rubric) and a room of documents.

A task comes from elsewhere and is not trusted: whatever it names must stay inside its tree, and its rubric must not lie among the
documents. Nothing but `BenchTask.for_agent` and the documents may reach an agent.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from redwell.bench.key import AnswerKeyError, read_key
from redwell.bench.runs import RUN
from redwell.harness.types import Task

TASK_FILE, KEY_FILE, DOCUMENTS = "task.json", "answer_key.json", "documents"
LARGEST = 32_000_000
"""Bytes of a task.json; the largest public rubric, of 1,114 criteria, has less than one million."""
_LONGEST_NAME = 200
_MOST_PROBLEMS = 40
"""Of one file that are told."""


class TaskError(Exception):
    """A task that cannot be used; every line of the message names the file and the field."""


@dataclass(frozen=True, slots=True)
class RubricLine:
    """One criterion. `deliverables` are the files that the judge may see, empty for all that the run delivered."""

    id: str
    title: str
    match_criteria: str
    deliverables: tuple[str, ...] = ()
    include_docx_redlines: bool = False


@dataclass(frozen=True, slots=True)
class BenchTask:
    """`id` is the folder's path in its tree. `documents` is the room's folder, which need not be there yet; `key` is the answer key of a
    generated task."""

    id: str
    folder: Path
    title: str
    instructions: str
    deliverables: tuple[str, ...]
    documents: Path
    criteria: tuple[RubricLine, ...]
    key: Path | None = None
    work_type: str = ""
    tags: tuple[str, ...] = ()

    def for_agent(self) -> Task:
        """All that a harness is given: no criterion, no title of one, no key."""
        return Task(self.id, self.instructions, self.deliverables)


def load_task(folder: Path, tree: Path | None = None) -> BenchTask:
    """The task of one folder. Its `docs_dir` may lead to any folder of `tree`, and without one only into its own folder.

    Raises TaskError with all problems of the file at once.
    """
    task, problems = _load(Path(folder), Path(tree or folder), {})
    if task is None:
        raise TaskError("\n".join(problems))
    return task


def load_tasks(tree: Path) -> list[BenchTask]:
    """All tasks of a tree, by id. Raises TaskError when one cannot be used, or there is none."""
    tasks, found = check(tree)
    if found:
        raise TaskError("\n".join(found))
    return tasks


def problems(tree: Path) -> list[str]:
    """What is wrong with the tasks of a tree, a line each; empty when all can be loaded."""
    try:
        return check(tree)[1]
    except TaskError as error:
        return str(error).split("\n")


def check(tree: Path, under: Path | None = None) -> tuple[list[BenchTask], list[str]]:
    """The tasks of a tree that can be used, and the problems of the others; with `under`, only those in that folder of the tree.

    Raises TaskError when there is no task at all.
    """
    tree = Path(tree)
    start = tree if under is None else Path(under)
    if not start.is_dir():
        raise TaskError(f"{start}: there is no such folder of tasks")
    tasks: list[BenchTask] = []
    found: list[str] = []
    rooms: dict[Path, _Files] = {}
    for folder in task_folders(start):
        task, wrong = _load(folder, tree, rooms)
        if task is not None and (fault := _key_fault(task)):
            task, wrong = None, [fault]
        found += wrong
        if task is not None:
            tasks.append(task)
    if not tasks and not found:
        raise TaskError(f"{start}: there is no {TASK_FILE} in this folder or below it")
    return tasks, found


def _key_fault(task: BenchTask) -> str:
    """Why the answer key of a task cannot be used; empty when it can, or there is none."""
    try:
        if task.key is not None:
            read_key(task.key)
    except AnswerKeyError as error:
        return str(error)
    return ""


def task_folders(tree: Path) -> Iterator[Path]:
    """Folders that hold a task.json, in the order of their names. Rooms are not searched, nor runs, nor what is hidden or a link."""
    for place, folders, files in os.walk(tree):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if TASK_FILE in files:
            if DOCUMENTS in folders:
                folders.remove(DOCUMENTS)
            yield Path(place)
        elif RUN in files:
            folders.clear()  # what an agent has written is no task


def _load(folder: Path, tree: Path, rooms: dict[Path, _Files]) -> tuple[BenchTask | None, list[str]]:
    path = folder / TASK_FILE
    try:
        read = _Task.model_validate(_json(path))
    except TaskError as error:
        return None, [str(error)]
    except ValidationError as error:
        wrong = error.errors()
        said = [f"{path}: {_place(one['loc'])}: {_plain(one['msg'])}" for one in wrong[:_MOST_PROBLEMS]]
        return None, said + ([f"{path}: and {len(wrong) - _MOST_PROBLEMS} more"] if len(wrong) > _MOST_PROBLEMS else [])
    said = [f"{path}: {line}" for line in _repeated(read)]
    documents, problem = _documents(folder, tree, read.docs_dir, rooms)
    if problem:
        said.append(f"{path}: {problem}")
    if said:
        return None, said
    named = folder.resolve().relative_to(tree.resolve()).as_posix() if _within(folder, tree) else "."
    if _odd(named) or _odd(folder.resolve().name):
        return None, [f"{path}: folder: its name is not UTF-8: rename it"]
    key = folder / KEY_FILE
    deliverables = read.deliverables or list(dict.fromkeys(name for one in read.criteria for name in one.deliverables))
    return (
        BenchTask(
            id=folder.resolve().name if named == "." else named,
            folder=folder,
            title=read.title,
            instructions=read.instructions,
            deliverables=tuple(deliverables),
            documents=documents,
            criteria=tuple(
                RubricLine(
                    one.id,
                    one.title,
                    one.match_criteria,
                    tuple(one.deliverables),
                    bool(one.evaluation_options and one.evaluation_options.include_docx_redlines),
                )
                for one in read.criteria
            ),
            key=key if key.is_file() and not key.is_symlink() else None,
            work_type=read.work_type or "",
            tags=tuple(read.tags or ()),
        ),
        [],
    )


# --- the file ---------------------------------------------------------------------------------------------------------------


def _whole(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("holds half of a character (a lone surrogate)") from None
    if not text.strip():
        raise ValueError("must not be empty")
    return text


def _file_names(given: Any) -> Any:
    """File names that stay in the folder that they are written to."""
    for name in given if isinstance(given, list) else ():
        if not isinstance(name, str):
            raise ValueError("must hold file names only")
        place = PurePosixPath(_whole(name))
        if place.is_absolute() or ".." in place.parts or "\\" in name or any(ord(sign) < 32 for sign in name):
            raise ValueError(f"{name!r} is not the name of a file in the output folder")
        if len(name.encode()) > _LONGEST_NAME:
            raise ValueError(f"a file name is longer than {_LONGEST_NAME} bytes")
    return given


class _Options(BaseModel):
    model_config = ConfigDict(strict=True)

    include_docx_redlines: bool = False


class _Criterion(BaseModel):
    model_config = ConfigDict(strict=True)

    id: Annotated[str, Field(max_length=200)]
    title: str
    match_criteria: str
    deliverables: list[str] = []
    evaluation_options: _Options | None = None
    weight: Any = None

    _texts = field_validator("id", "title", "match_criteria")(_whole)

    @field_validator("deliverables", mode="before")
    @classmethod
    def _names(cls, given: Any) -> Any:
        if not isinstance(given, list):
            raise ValueError("must be a list of file names")
        return _file_names(given)

    @field_validator("weight", mode="before")
    @classmethod
    def _unweighted(cls, given: Any) -> Any:
        raise ValueError("criteria have no weights: each is passed or failed; take it out")


class _Task(BaseModel):
    """What else the file holds is metadata that nobody here reads."""

    model_config = ConfigDict(strict=True)

    title: str
    instructions: str
    criteria: Annotated[list[_Criterion], Field(min_length=1)]
    deliverables: list[str] = []
    docs_dir: str | None = None
    work_type: str | None = None
    tags: list[str] | None = None

    _texts = field_validator("title", "instructions")(_whole)

    @field_validator("docs_dir", "work_type", "tags")
    @classmethod
    def _others(cls, given: Any) -> Any:
        for text in given if isinstance(given, list) else (given,):
            if text:
                _whole(text)
        return given

    @field_validator("deliverables", mode="before")
    @classmethod
    def _names(cls, given: Any) -> Any:
        """A map of name to file, as LAB writes it, or a list of files."""
        if given is None:
            return []
        if isinstance(given, dict):
            given = list(given.values())
        if not isinstance(given, list):
            raise ValueError("must be a map of names to files, or a list of files")
        return list(dict.fromkeys(_file_names(given)))


def _json(path: Path) -> Any:
    """The file's content. It is opened so that a pipe cannot block, and links are not followed."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        with os.fdopen(handle, "rb") as file:
            about = os.fstat(handle)
            if not stat.S_ISREG(about.st_mode):
                raise TaskError(f"{path}: file: must be a regular file")
            if about.st_size > LARGEST:
                raise TaskError(f"{path}: file: is larger than {LARGEST // 1_000_000} MB, which no task needs")
            content = file.read(LARGEST + 1)
    except FileNotFoundError:
        raise TaskError(f"{path}: file: there is no {TASK_FILE} here; name the folder of a task") from None
    except OSError as error:
        said = "is a link; put the file itself there" if path.is_symlink() else f"cannot be read: {error.strerror}"
        raise TaskError(f"{path}: file: {said}") from None
    try:
        return json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise TaskError(f"{path}: file: is not UTF-8 text") from None
    except RecursionError:
        raise TaskError(f"{path}: file: its brackets are nested too deeply") from None
    except json.JSONDecodeError as error:
        raise TaskError(f"{path}: file: is not valid JSON: {error}") from None
    except ValueError:
        raise TaskError(f"{path}: file: holds a number of thousands of digits") from None


def _repeated(read: _Task) -> list[str]:
    first: dict[str, int] = {}
    said = []
    for number, one in enumerate(read.criteria):
        if one.id in first:
            said.append(f"criteria[{number}].id: {one.id!r} is the id of criteria[{first[one.id]}] already")
        first.setdefault(one.id, number)
    return said


def _place(location: tuple[int | str, ...]) -> str:
    said = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return said.removeprefix(".") or "file"


def _plain(message: str) -> str:
    message = message.removeprefix("Value error, ").replace("Input should be", "must be")
    message = message.replace("Field required", "is missing").replace("a valid ", "a ").replace("dictionary", "map")
    if message.startswith("must be a map") or "instance of _" in message:
        message = "must be an object with fields"
    return message.replace("List should have at least 1 item after validation, not 0", "must not be empty")


def _odd(name: str) -> bool:
    """Whether a path has bytes that are no text, which nothing written of it could hold."""
    return any("\ud800" <= sign <= "\udfff" for sign in name)


# --- the documents ----------------------------------------------------------------------------------------------------------


def _documents(folder: Path, tree: Path, named: str | None, rooms: dict[Path, _Files]) -> tuple[Path, str]:
    """The folder of the documents and, when it may not be used, why not."""
    given = named or DOCUMENTS
    field = "docs_dir" if named else "documents"
    place = folder / given
    if PurePosixPath(given).is_absolute() or any(ord(sign) < 32 for sign in given):
        return place, f"{field}: {given!r} must be a path relative to the task's folder"
    if len(given.encode()) > 1000 or any(len(part.encode()) > 255 for part in PurePosixPath(given).parts):
        return place, f"{field}: is longer than a path can be"
    real, bound = place.resolve(), tree.resolve()
    if not real.is_relative_to(bound):
        way = (
            ""
            if bound != folder.resolve()
            else "; if the task belongs to a tree, name the tree with --tree (in a matrix: tree = ...)"
        )
        return place, f"{field}: {given!r} leads out of {tree}{way}"
    if any(part.startswith(".") for part in real.relative_to(bound).parts):
        return place, f"{field}: {given!r} leads into a hidden folder"
    if folder.resolve().is_relative_to(real):
        return place, f"{field}: {given!r} holds the task itself, so that an agent would see the rubric"
    if os.path.exists(real) and not os.path.isdir(real):
        return place, f"{field}: {given!r} is not a folder"
    if real not in rooms:
        rooms[real] = _files_in(real)
    if held := _rubric_in(folder, real, rooms[real]):
        return place, f"{field}: {given!r} holds {held}, so that an agent would see a rubric or an answer key"
    return real, ""


_Files = dict[int, list[Path]]
"""Files of a room by their size, under -1 those that are called as a rubric or key is."""


def _files_in(documents: Path) -> _Files:
    files: _Files = {}
    for place, _, names in os.walk(documents):
        for name in names:
            file = Path(place) / name
            if name.casefold() in (TASK_FILE, KEY_FILE):
                files.setdefault(-1, []).append(file)
            elif not file.is_symlink():  # which no reader of rooms follows
                files.setdefault(file.stat().st_size, []).append(file)
    return files


def _rubric_in(folder: Path, documents: Path, files: _Files) -> str:
    """A rubric or key among the documents, also under another name, by its path in them; empty when there is none."""
    found = files.get(-1, [])[:1]
    for own in (folder / TASK_FILE, folder / KEY_FILE):
        if not found and own.is_file():
            found = [one for one in files.get(own.stat().st_size, ()) if one.read_bytes() == own.read_bytes()][:1]
    return found[0].relative_to(documents).as_posix() if found else ""


def _within(path: Path, tree: Path) -> bool:
    return path.resolve().is_relative_to(tree.resolve())
