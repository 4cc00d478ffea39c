"""What figures are drawn from: one row for each run that was measured, with its verdicts where it was graded."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from redwell.bench.measures import AGAIN, FILE, read_measures
from redwell.bench.runs import runs_in
from redwell.bench.verdicts import VerdictSet, read_set, sets

H = TypeVar("H", bound=Hashable)
FACTS = "facts"
STATE = "cells.json"
_HARNESSES = (
    "rlm",
    "rlm-depth-2",
    "rlm-no-subagents",
    "map-reduce",
    "retrieval",
    "single-shot",
    "tool-loop",
    "coding-agent",
)


@dataclass(frozen=True, slots=True)
class Row:
    """One run. `rate` is passed / (passed + failed), None when it was not graded or nothing was scored; `measures` is RUN/measures.json."""

    run: Path
    measures: dict[str, Any]
    verdicts: VerdictSet | None

    def __getattr__(self, name: str) -> Any:
        try:
            return self.measures[name]
        except KeyError:
            raise AttributeError(f"{self.run / FILE} has no {name}: {AGAIN}") from None

    @property
    def rate(self) -> float | None:
        if self.verdicts is None:
            return None
        passed, failed = self.verdicts.count("pass"), self.verdicts.count("fail")
        return passed / (passed + failed) if passed + failed else None

    @property
    def unscored(self) -> int:
        return self.verdicts.count("unscored") if self.verdicts else 0

    def role(self, name: str) -> dict[str, Any]:
        """The part of a role: calls, failed, input, cached_input, output, cost."""
        none = {"calls": 0, "failed": 0, "input": 0, "cached_input": 0, "output": 0, "cost": 0.0}
        return dict(self.measures["roles"].get(name, none))

    @property
    def characters_sent(self) -> float:
        """Characters of the room that a model was sent, each once."""
        return float(self.measures["coverage"] * self.measures["characters"])


@dataclass(frozen=True, slots=True)
class Lost:
    """A run that ended without a report, or a cell that failed before it became a run: nothing of it could be graded."""

    task: str
    harness: str
    root: str


def lost(folder: Path, rows: Sequence[Row]) -> list[Lost]:
    """Those of a folder: the ones among its measured runs, and those that only the list of cells of a matrix knows."""
    found = [Lost(row.task, row.harness, row.root) for row in rows if row.rate is None and row.status == "failed"]
    known = {row.run.resolve() for row in rows}
    for file in sorted({folder / STATE, *folder.glob(f"*/{STATE}")}):
        for cell in _cells(file):
            if cell.get("state") == "failed" and (file.parent / str(cell.get("run"))).resolve() not in known:
                found.append(Lost(*(str(cell.get(name, "")) for name in ("task", "harness", "root"))))
    return found


def _cells(file: Path) -> list[dict[str, Any]]:
    """The list of cells beside a matrix; empty where there is none that can be read, since it is for people and nothing else is told by it."""
    try:
        found = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return []
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def gather(folder: Path, judge: str = "") -> list[Row]:
    """The measured runs under a folder, in order of task, harness, models and repeat. `judge` names the set of verdicts; without one it is `facts`
    where that is there, else the first by name."""
    found = []
    for run in runs_in(folder):
        measures = read_measures(run)
        if measures is None:
            continue
        names = sets(run)
        chosen = judge if judge else FACTS if FACTS in names else names[0] if names else ""
        found.append(Row(run, measures, read_set(run, chosen) if chosen and (names or judge) else None))
    return sorted(found, key=lambda row: (row.task, place(row.harness), row.root, row.sub, row.repeat))


def place(harness: str) -> tuple[int, str]:
    """Where a harness stands in every figure."""
    return (_HARNESSES.index(harness) if harness in _HARNESSES else len(_HARNESSES), harness)


def grouped(rows: Iterable[Row], of: Callable[[Row], H]) -> dict[H, list[Row]]:
    groups: dict[H, list[Row]] = defaultdict(list)
    for row in rows:
        groups[of(row)].append(row)
    return dict(groups)


def graded(rows: Iterable[Row]) -> list[Row]:
    return [row for row in rows if row.rate is not None]


def by_room(rows: Sequence[Row], of: Callable[[Row], float | None]) -> list[float]:
    """One number for each room: the mean over its runs, those without the number left out."""
    found = []
    for group in grouped(rows, lambda row: row.task).values():
        values = [value for row in group if (value := of(row)) is not None]
        if values:
            found.append(sum(values) / len(values))
    return found


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else math.nan


def correlation(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Pearson's; None for fewer than three pairs or when one side never changes."""
    if len(xs) < 3:
        return None
    mx, my = mean(xs), mean(ys)
    sx = math.sqrt(sum((x - mx) ** 2 for x in xs))
    sy = math.sqrt(sum((y - my) ** 2 for y in ys))
    if not sx or not sy:
        return None
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True)) / (sx * sy)


def short(model: str) -> str:
    """A model's name for a label: without its kind, its address and its publisher."""
    name = model.partition("@")[0]
    return name.partition(":")[2].rsplit("/", 1)[-1] or name


def label(row: Row, rows: Sequence[Row]) -> str:
    """What tells a run's kind apart from the others: its harness, and its models where the rows differ in them."""
    parts = [row.harness]
    if len({each.root for each in rows if each.harness == row.harness}) > 1:
        parts.append(short(row.root))
    if len({each.sub for each in rows if each.harness == row.harness}) > 1:
        parts.append(short(row.sub))
    return " · ".join(parts)


def read_curve(path: Path) -> list[dict[str, Any]]:
    """A training curve: JSON lines with `step` and figures. Raises ValueError naming the line."""
    found = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not UTF-8 text, and no curve of training") from None
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}: name a file of JSON lines") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            entry["step"] = float(entry["step"])
            for name in ("reward", "held_out"):
                float(entry.get(name) or 0.0)
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            raise ValueError(f"{path}: line {number} is not a JSON object with a step and figures") from None
        found.append(entry)
    return found
