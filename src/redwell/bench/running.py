"""Carries a matrix out: begins it or goes on with it, keeps its budget, and knows at any time how every cell stands."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from redwell.bench import frozen
from redwell.bench.cell import Cell, CellResult, result_of, spent_by
from redwell.bench.executors import Executor
from redwell.bench.grading import FACTS, rubric_of
from redwell.bench.matrix import (
    FILE,
    TASKS,
    Matrix,
    MatrixError,
    cells_of,
    differences,
    freeze,
    generated_folders,
    read_matrix,
    tasks_of,
)
from redwell.bench.measures import write_atomically
from redwell.bench.pool import Pool
from redwell.bench.tasks import TASK_FILE
from redwell.bench.unreadable import why
from redwell.diligence.naming import EMBEDDED, resolve
from redwell.journal.counted import counted
from redwell.models.budget import Spent
from redwell.models.prices import load_prices
from redwell.models.types import Role
from redwell.sandbox.selftest import choose

LOCK = "lock"
STATE = "cells.json"
State = Literal["waiting", "running", "submitted", "salvaged", "failed", "interrupted", "not run"]
_OURS = (FILE, LOCK, STATE, TASKS, frozen.FILE, "rooms", "runs", "figures")
_WITHOUT_CODE = ("single-shot", "retrieval", "map-reduce")
"""Harnesses in which no program of a model's runs."""
_NOTHING = Spent(0.0, 0, 0, 0.0)


@dataclass(slots=True)
class Line:
    """How one cell stands. `before` is what it had used when this process began; `figures` are the newest that were told of it."""

    cell: Cell
    state: State = "waiting"
    reason: str = ""
    before: Spent = _NOTHING
    result: CellResult | None = None
    figures: dict[str, Any] = field(default_factory=dict)
    kept: bool = False
    """Finished by an earlier process."""

    @property
    def used(self) -> Spent:
        """What it has used so far, as far as is known."""
        if self.result is not None:
            return Spent(self.result.dollars, self.result.tokens, self.result.calls, self.result.seconds)
        told = self.figures
        return Spent(
            max(self.before.dollars, told.get("dollars", 0.0)),
            max(self.before.tokens, told.get("tokens", 0)),
            max(self.before.calls, told.get("calls", 0)),
            self.before.seconds,
        )


Changed = Callable[[str, Line | None, dict[str, Any]], None]
"""Called with what happened (`making`, `started`, `figures`, `reading`, `grading`, `ended`, `over`), the cell's line, and figures."""


def silent(kind: str, line: Line | None, figures: dict[str, Any]) -> None:
    """Tells nobody."""


def begin(matrix: Matrix, out: Path) -> None:
    """Freezes the matrix into OUT, or compares it with the one that is frozen there. Whoever calls this holds the lock of OUT.

    Raises MatrixError when OUT holds something else, or a matrix that differs in more than further cells; and, before anything is read or
    paid for, the errors of a model that cannot be had, a price that is not known, a sandbox that cannot be made.
    """
    file = out / FILE
    if file.exists():
        if told := differences(read_matrix(file), matrix):
            raise MatrixError(
                f"{out} holds another matrix; take these changes back, or name another folder with --out:\n"
                + "\n".join(told)
            )
    elif other := next((path.name for path in out.iterdir() if path.name not in _OURS and path.name[0] != "."), ""):
        raise MatrixError(
            f"{out} holds other files ({other}) and is not the folder of a matrix: name a new one with --out"
        )
    _check_models(matrix)
    write_atomically(file, freeze(matrix))


def _check_models(matrix: Matrix) -> None:
    judges = [judge for judge in matrix.judges if judge != FACTS]
    for judge in judges:
        if judge in EMBEDDED.values():
            raise MatrixError(f"judges: {judge} writes reports and cannot judge them; give facts or a language model")
    wanted: list[tuple[str, Role]] = [(name, "root") for name in matrix.roots]
    wanted += [(name, "sub") for name in matrix.subs] + [(name, "judge") for name in judges]
    names = [resolve(name, role).name for name, role in wanted]
    load_prices().require(names, matrix.budget.cell.dollars)
    for name, settings in matrix.harnesses.items():
        if name not in _WITHOUT_CODE:
            choose(str(settings.get("sandbox", "auto")))


def make_tasks(matrix: Matrix, out: Path, changed: Changed = silent) -> None:
    """Makes the generated tasks that are not there yet. One that was interrupted is gone on with. Raises MatrixError."""
    made = matrix.generated
    if made is None:
        return
    from redwell.bench.generate.filler_source import FillerError
    from redwell.bench.generate.plan import PlanError
    from redwell.bench.generate.room import GenerateError, generate

    for seed, folder in zip(made.seeds, generated_folders(matrix, out), strict=True):
        if (folder / TASK_FILE).is_file():
            continue
        part = folder.with_name(f".{folder.name}.part")
        part.parent.mkdir(parents=True, exist_ok=True)

        def tell(stage: str, done: int, of: int, name: str = folder.name) -> None:
            changed("making", None, {"task": name, "stage": stage, "done": done, "of": of})

        try:
            generate(part, preset=made.preset, seed=seed, split=made.split, documents=made.documents, progress=tell)
        except (GenerateError, PlanError, FillerError) as error:
            raise MatrixError(f"generated: {folder.name}: {error}") from None
        part.rename(folder)


def check_tasks(matrix: Matrix, out: Path) -> None:
    """Holds the tasks against what they were when the matrix began, and against its judges, before anything is paid for. Raises MatrixError."""
    tasks = [task for task, _ in tasks_of(matrix, out)]
    without = [task.id for task in tasks if task.key is None]
    if FACTS in matrix.judges and without:
        some = f"{len(without)} of {counted(len(tasks), 'task')} {'does' if len(without) == 1 else 'do'} not have"
        raise MatrixError(
            f"judges: facts needs an answer key, which {some} ({', '.join(without[:3])}): name a model as the judge (judges = [...], or --judge), or leave these tasks out"
        )
    frozen.hold(tasks, out)


def lines_of(matrix: Matrix, out: Path) -> list[Line]:
    """Every cell and how it stands, from what is in OUT. A cell that failed or was interrupted waits to be gone on with, and one that was
    judged by another rubric to be judged by this one."""
    lines = []
    tasks = tasks_of(matrix, out)
    rubrics = {task.id: rubric_of(task) for task, _ in tasks}
    for cell in cells_of(matrix, tasks, out):
        run = Path(cell.run)
        result = result_of(run)
        judged = result is not None and all(judge in result.judged for judge in cell.judges)
        if result is not None and cell.judges and result.rubric not in ("", rubrics[cell.task]):
            judged = False
        if result is not None and result.finished and judged:
            lines.append(Line(cell, result.status, result.reason, _NOTHING, result, kept=True))
        elif (run / "run.json").exists():
            lines.append(Line(cell, "waiting", result.reason if result else "", spent_by(run)))
        else:
            lines.append(Line(cell))
    return lines


async def run_cells(
    lines: Sequence[Line], matrix: Matrix, executor: Executor, changed: Changed = silent, *, out: Path
) -> bool:
    """Runs what waits, those that were begun before first; False when it was called off. A cell that fails stops no other.

    When the matrix's budget does not cover another cell, the others are told as not run.
    """
    pool = Pool(matrix.budget.matrix)
    for line in lines:
        pool.spend(line.used)
    waiting = sorted((line for line in lines if line.state == "waiting"), key=lambda line: line.before == _NOTHING)
    running: dict[asyncio.Task[CellResult], Line] = {}
    try:
        while waiting or running:
            while waiting and len(running) < matrix.concurrency:
                fitting, refusal = _next(waiting, pool)
                if fitting is None:
                    break
                waiting.remove(fitting)
                running[_start(fitting, executor, changed)] = fitting
            if not running:
                for line in waiting:
                    line.state, line.reason = "not run", refusal
                break
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                _end(running.pop(task), task, pool, changed)
                write_state(lines, out)
        return True
    except asyncio.CancelledError:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for task, line in running.items():
            _end(line, task, pool, changed)
        for line in waiting:
            line.state, line.reason = "not run", "the matrix was interrupted"
        return False
    finally:
        write_state(lines, out)
        changed("over", None, {})


def _next(waiting: Sequence[Line], pool: Pool) -> tuple[Line | None, str]:
    """The first cell that the pool covers, which is then set aside for; or none, and why."""
    refusal = ""
    for line in waiting:
        said = pool.reserve(line.cell.run, line.cell.caps, line.before)
        if not said:
            return line, ""
        refusal = refusal or said
    return None, refusal


def _start(line: Line, executor: Executor, changed: Changed) -> asyncio.Task[CellResult]:
    def tell(kind: str, figures: dict[str, Any]) -> None:
        line.figures.update(figures)
        changed(kind, line, figures)

    line.state, line.reason = "running", ""
    changed("started", line, {})
    return asyncio.ensure_future(executor.carry_out(line.cell, tell))


def _end(line: Line, task: asyncio.Task[CellResult], pool: Pool, changed: Changed) -> None:
    if task.cancelled():
        result = CellResult("interrupted", "the run was interrupted")
    elif (error := task.exception()) is not None:
        reason = why(error) if isinstance(error, OSError) else f"{type(error).__name__}: {error}"
        result = CellResult("failed", f"its process could not be run: {reason}")
    else:
        result = task.result()
    total = Spent(result.dollars, result.tokens, result.calls, result.seconds)
    if not result.finished:  # what a process that died or gave up has used, only its journal knows
        total = spent_by(Path(line.cell.run))
        result = CellResult(
            result.status, result.reason, total.dollars, total.tokens, total.calls, total.seconds, result.coverage
        )
    before = line.before
    used = Spent(
        max(0.0, total.dollars - before.dollars),
        max(0, total.tokens - before.tokens),
        max(0, total.calls - before.calls),
        max(0.0, total.seconds - before.seconds),
    )
    pool.settle(line.cell.run, used)
    line.state, line.reason, line.result = result.status, result.reason, result
    changed("ended", line, asdict(result))


def write_state(lines: Sequence[Line], out: Path) -> None:
    """OUT/cells.json: how every cell stands, for people and programs; nothing is gone on with from it."""
    told = []
    for line in lines:
        cell, used = line.cell, line.used
        told.append(
            {
                "task": cell.task,
                "harness": cell.harness,
                "root": cell.root,
                "sub": cell.sub,
                "repeat": cell.repeat,
                "run": os.path.relpath(cell.run, out),
                "state": line.state,
                "reason": line.reason,
                **asdict(used),
                "coverage": line.result.coverage if line.result else line.figures.get("coverage"),
                "judged": line.result.judged if line.result else {},
            }
        )
    write_atomically(out / STATE, json.dumps(told, ensure_ascii=False, indent=1) + "\n")


@dataclass(slots=True)
class Standing:
    """The matrix in numbers, at this moment. `left` is a guess of the seconds that are left, None before a cell has ended."""

    cells: int
    counts: Counter[str]
    spent: Spent
    coverage: float | None
    left: float | None


def standing(lines: Sequence[Line], began: float) -> Standing:
    """Adds the lines up; `began` is time.monotonic() of this process's beginning."""
    counts: Counter[str] = Counter(line.state for line in lines)
    used = [line.used for line in lines]
    spent = Spent(
        sum(one.dollars for one in used),
        sum(one.tokens for one in used),
        sum(one.calls for one in used),
        sum(one.seconds for one in used),
    )
    known = [
        share
        for line in lines
        if (share := line.result.coverage if line.result else line.figures.get("coverage")) is not None
    ]
    ended = sum(line.result is not None and not line.kept for line in lines)
    open_ones = counts["waiting"] + counts["running"]
    left = (time.monotonic() - began) / ended * open_ones if ended else None
    if open_ones == 0:
        left = 0.0
    return Standing(len(lines), counts, spent, sum(known) / len(known) if known else None, left)
