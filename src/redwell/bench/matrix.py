"""A matrix: tasks x harnesses x roots x sub-agents x repeats, written in one TOML file and frozen into the folder that its runs go to."""

from __future__ import annotations

import glob
import hashlib
import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator, model_validator

from redwell.bench.cell import Cell
from redwell.bench.harnesses import HARNESSES
from redwell.bench.tasks import TASK_FILE, BenchTask, TaskError, check, load_task
from redwell.harness.types import Settings
from redwell.models.toml_file import read_toml

FILE = "matrix.toml"
ROOMS, RUNS, TASKS = "rooms", "runs", "tasks"
LARGEST = 1_000_000
"""Bytes of the file of a matrix."""
UNITS = ("dollars", "tokens", "calls", "seconds")
Name = Annotated[str, Field(min_length=1, max_length=300, pattern=r"^[^\x00]*$")]
Money = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]
_MOST = 10**12
"""No setting of a harness, and no seed, is as large."""
_WIDEST = 60
"""Characters of one part of a cell's folder."""


class MatrixError(Exception):
    """A matrix that cannot be run as it is written; the message names file and field, and the way out."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class MatrixCaps(_Part):
    """Most of all cells together; `seconds` adds up the time of every cell. None is no cap."""

    dollars: Money | None = None
    tokens: Annotated[int, Field(ge=1)] | None = None
    calls: Annotated[int, Field(ge=1)] | None = None
    seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None


class CellCaps(MatrixCaps):
    """Most of one cell, its judges included; `concurrency` is of its model calls."""

    concurrency: Annotated[int, Field(ge=1, le=1024)] = 16


class Budgets(_Part):
    cell: CellCaps = CellCaps()
    matrix: MatrixCaps = MatrixCaps()


class Generated(_Part):
    """Tasks that are made first: one room for each seed."""

    preset: Literal["desk", "small", "full"]
    seeds: Annotated[tuple[Annotated[int, Field(gt=-_MOST, lt=_MOST)], ...], Field(min_length=1)]
    split: Literal["train", "dev", "test"] = "test"
    documents: Annotated[int, Field(ge=1)] | None = None

    @field_validator("seeds", mode="before")
    @classmethod
    def _seeds(cls, given: Any) -> Any:
        return tuple(given) if isinstance(given, list) else given


class Matrix(_Part):
    """`tasks` are folders of tasks, or trees of them, with `*`; relative to the file that names them, or to `tree` when it is given (a task
    may use documents elsewhere in its tree, and is called by its place in it)."""

    tasks: tuple[Name, ...] = ()
    tree: Name | None = None
    generated: Generated | None = None
    harnesses: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    roots: Annotated[tuple[Name, ...], Field(min_length=1)] = ("playbook",)
    subs: Annotated[tuple[Name, ...], Field(min_length=1)] = ("reader",)
    repeats: Annotated[int, Field(ge=1, le=10_000)] = 1
    judges: tuple[Name, ...] = ()
    ocr: Literal["auto", "off"] = "auto"
    budget: Budgets = Budgets()
    concurrency: Annotated[int, Field(ge=1, le=10_000)] = 2
    executor: Literal["local", "ray"] = "local"

    @field_validator("tasks", "roots", "subs", "judges", mode="before")
    @classmethod
    def _lists(cls, given: Any) -> Any:
        if isinstance(given, str):
            raise ValueError("must be a list, in square brackets")
        if isinstance(given, list):
            if repeated := [one for number, one in enumerate(given) if one in given[:number]]:
                raise ValueError(f"{repeated[0]!r} stands there twice")
            return tuple(given)
        return given

    @field_validator("harnesses", mode="before")
    @classmethod
    def _settings(cls, given: Any) -> Any:
        """A list of names, or a table of settings for each name."""
        if isinstance(given, list):
            given = (
                {name: {} for name in given if isinstance(name, str)}
                if all(isinstance(n, str) for n in given)
                else given
            )
        if isinstance(given, dict):
            for name, settings in given.items():
                if name not in HARNESSES:
                    raise ValueError(f"there is no harness {name!r}; there is {', '.join(HARNESSES)}")
                if isinstance(settings, dict):
                    _check_settings(name, settings)
        return given

    @model_validator(mode="after")
    def _whole(self) -> Matrix:
        if not self.tasks and self.generated is None:
            raise ValueError("names no tasks: give tasks = [...] or a table [generated]")
        for unit in UNITS:
            if getattr(self.budget.matrix, unit) is not None and getattr(self.budget.cell, unit) is None:
                raise ValueError(
                    f"budget.matrix.{unit} needs budget.cell.{unit}: the most that one cell may use is set aside before it starts"
                )
        return self


def _check_settings(harness: str, settings: dict[str, Any]) -> None:
    known = get_type_hints(Settings)
    for name, value in settings.items():
        if name not in known:
            raise ValueError(f"{harness} has no setting {name!r}; there is {', '.join(known)}")
        try:
            TypeAdapter(known[name]).validate_python(value, strict=True)
        except ValidationError as error:
            said = "; ".join(dict.fromkeys(one["msg"].replace("Input should be", "must be") for one in error.errors()))
            raise ValueError(f"{harness}.{name} {said[:200]}, not {str(value)[:200]!r}") from None
        if isinstance(value, int | float) and not 0 <= value < _MOST:
            raise ValueError(f"{harness}.{name} must be a number from 0 on, below {_MOST:,}, not {str(value)[:200]}")


def read_matrix(path: Path) -> Matrix:
    """The matrix of a TOML file, its paths made absolute. Raises MatrixError with all problems at once."""
    data = read_toml(path, "matrix", MatrixError, LARGEST)
    return make_matrix(data, path.parent, str(path))


def make_matrix(data: dict[str, Any], base: Path, said: str) -> Matrix:
    """The matrix of these values; relative paths are looked for from `base`, and `said` is what a problem is said of. Raises MatrixError."""
    try:
        matrix = Matrix.model_validate(data)
    except ValidationError as error:
        raise MatrixError("\n".join(_told(said, one) for one in error.errors())) from None
    tree = (base / matrix.tree).resolve() if matrix.tree is not None else None
    start = tree or base.resolve()
    tasks = tuple(os.path.normpath(start / one) for one in matrix.tasks)
    return matrix.model_copy(update={"tasks": tasks, "tree": str(tree) if tree else None})


def _told(said: str, problem: Any) -> str:
    place = ".".join(str(part) for part in problem["loc"])
    message = problem["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
    if problem["type"] == "extra_forbidden":
        message = "there is no such field"
    elif problem["type"] == "missing":
        message = "is missing"
    elif problem["type"] == "too_short":
        message = "must not be empty"
    elif problem["type"] == "string_pattern_mismatch":
        message = "holds a null character, which no name has"
    elif problem["type"] == "string_unicode":
        message = "the path is not UTF-8: rename it"
    return f"{said}: {place}: {message}" if place else f"{said}: {message}"


# --- the tasks and cells ----------------------------------------------------------------------------------------------------


def tasks_of(matrix: Matrix, out: Path) -> list[tuple[BenchTask, Path]]:
    """All tasks that the matrix names, each with its tree; generated ones are in OUT/tasks, where they have been made before. Raises
    MatrixError, TaskError."""
    found: list[tuple[BenchTask, Path]] = []
    for pattern in matrix.tasks:
        places = sorted(glob.glob(pattern)) if glob.has_magic(pattern) else [pattern]
        held = [Path(place) for place in places if Path(place).is_dir()]
        if not held:
            raise MatrixError(f"tasks: {pattern}: there is no such folder of a task, or of several")
        for place in held:
            found += _loaded(place, Path(matrix.tree) if matrix.tree else None)
    found += [(load_task(folder), folder) for folder in generated_folders(matrix, out)]
    known: dict[str, tuple[BenchTask, Path]] = {}
    for task, tree in found:
        other, _ = known.setdefault(task.id, (task, tree))
        if other.folder.resolve() != task.folder.resolve():
            raise MatrixError(
                f"tasks: {other.folder} and {task.folder} are both called {task.id}: name the tree that holds both with tree = ... (or --tree)"
            )
    return list(known.values())


def _loaded(place: Path, tree: Path | None) -> list[tuple[BenchTask, Path]]:
    if (place / TASK_FILE).exists():
        return [(load_task(place, tree), tree or place)]
    tasks, problems = check(tree or place, place)
    if problems:
        raise TaskError("\n".join(problems))
    return [(task, tree or place) for task in tasks]


def generated_folders(matrix: Matrix, out: Path) -> list[Path]:
    """Where the generated tasks belong, whether they are there or not."""
    made = matrix.generated
    if made is None:
        return []
    size = f"-{made.documents}" if made.documents else ""
    return [out / TASKS / f"{made.preset}{size}-{made.split}-{seed}" for seed in made.seeds]


def cells_of(matrix: Matrix, tasks: Iterable[tuple[BenchTask, Path]], out: Path) -> list[Cell]:
    """All cells, those of one task together."""
    caps = matrix.budget.cell.model_dump()
    cells = []
    for task, tree in tasks:
        for harness, settings in matrix.harnesses.items():
            for root in matrix.roots:
                for sub in matrix.subs:
                    for repeat in range(1, matrix.repeats + 1):
                        place = out / RUNS / slug(task.id) / slug(harness) / f"{slug(root)}--{slug(sub)}" / str(repeat)
                        cells.append(
                            Cell(
                                task=task.id,
                                folder=str(task.folder),
                                tree=str(tree),
                                harness=harness,
                                root=root,
                                sub=sub,
                                repeat=repeat,
                                run=str(place),
                                store=str(out / ROOMS / slug(task.id)),
                                settings={**settings, "seed": int(settings.get("seed", 0)) + repeat - 1},
                                caps=caps,
                                judges=matrix.judges,
                                ocr=matrix.ocr,
                            )
                        )
    return cells


def slug(name: str) -> str:
    """A name as that of a folder: what a folder cannot be called is a hyphen, and a few letters of a digest then keep names apart."""
    kept = re.sub(r"[^A-Za-z0-9._+-]+", "-", name).strip("-.")[:_WIDEST] or "x"
    if kept == name or re.fullmatch(r"(openai|anthropic|local):" + re.escape(kept.partition("-")[2]), name):
        return kept
    return f"{kept}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"


# --- frozen -----------------------------------------------------------------------------------------------------------------


def freeze(matrix: Matrix) -> str:
    """The matrix as TOML with every value told; `read_matrix` reads the same matrix back."""
    data = matrix.model_dump(mode="json", exclude_none=True)
    return "# Frozen when the matrix was first run; cells may be added.\n" + _toml(data)


def _toml(data: dict[str, Any], place: str = "") -> str:
    lines = [f"{_key(name)} = {_value(value)}" for name, value in data.items() if not isinstance(value, dict)]
    tables = [(f"{place}{_key(name)}", value) for name, value in data.items() if isinstance(value, dict)]
    text = "".join(line + "\n" for line in lines)
    return text + "".join(f"\n[{name}]\n{_toml(value, name + '.')}" for name, value in tables)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)


def _value(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, str):  # JSON's escapes are TOML's, but for the one letter that JSON lets stand
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)


def differences(frozen: Matrix, given: Matrix) -> list[str]:
    """What of a frozen matrix another one says differently, a line each. More cells (tasks, seeds, harnesses, models, repeats, judges) are no
    difference, nor what changes no cell: the budget of the matrix, `concurrency` and `executor`."""
    told = []
    for name in ("tasks", "roots", "subs", "judges"):
        gone = [one for one in getattr(frozen, name) if one not in getattr(given, name)]
        if gone:
            told.append(f"{name}: {', '.join(gone)} is no longer there")
    for name, settings in frozen.harnesses.items():
        if name not in given.harnesses:
            told.append(f"harnesses: {name} is no longer there")
        elif settings != given.harnesses[name]:
            told.append(f"harnesses.{name}: was {settings}, is {given.harnesses[name]}")
    if given.repeats < frozen.repeats:
        told.append(f"repeats: was {frozen.repeats}, is {given.repeats}")
    for name in ("tree", "ocr"):
        if getattr(frozen, name) != getattr(given, name):
            told.append(f"{name}: was {getattr(frozen, name)}, is {getattr(given, name)}")
    for name in CellCaps.model_fields:
        was, now = getattr(frozen.budget.cell, name), getattr(given.budget.cell, name)
        if was != now:
            told.append(f"budget.cell.{name}: was {was}, is {now}")
    return told + _generated_differences(frozen.generated, given.generated)


def _generated_differences(frozen: Generated | None, given: Generated | None) -> list[str]:
    if frozen is None:
        return []
    if given is None:
        return ["generated: is no longer there"]
    told = [
        f"generated.{name}: was {getattr(frozen, name)}, is {getattr(given, name)}"
        for name in ("preset", "split", "documents")
        if getattr(frozen, name) != getattr(given, name)
    ]
    gone = [str(seed) for seed in frozen.seeds if seed not in given.seeds]
    return told + ([f"generated.seeds: {', '.join(gone)} is no longer there"] if gone else [])
