"""Draws every figure that a folder of runs has the numbers for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from redwell.bench.figures import reading, scores, training
from redwell.bench.figures.drawing import Drawn, FiguresError, NotDrawn, save
from redwell.bench.figures.page import page
from redwell.bench.figures.rows import Lost, Row, gather, grouped, lost, short
from redwell.bench.key import Key, read_key
from redwell.bench.runs import RUN
from redwell.bench.score import By
from redwell.bench.tasks import KEY_FILE
from redwell.journal.counted import counted

PARTS: dict[By, str] = {
    "kind": "Criteria passed, by kind of evidence",
    "style": "Criteria passed, by style of criterion",
    "workstream": "Criteria passed, by workstream",
    "archetype": "Criteria passed, by archetype",
}


def draw(
    runs: Path,
    out: Path,
    *,
    judge: str = "",
    before: str = "",
    after: str = "",
    curves: Sequence[Path] = (),
    title: str = "",
) -> list[Drawn | NotDrawn]:
    """Writes the figures, their numbers and `index.html` into `out`. `before` and `after` name the roots of the training figures, `curves` are
    JSON lines with `step` and `reward`. Figures by kind of criterion
    are drawn for tasks whose answer key is still where it was when they were measured.

    Raises FiguresError when there is no measured run, when none has a root that is named, or matplotlib is not installed.
    """
    rows = gather(runs, judge)
    if not rows:
        raise FiguresError(f"{runs} holds no run that has been measured: run a matrix with `redwell bench run` first")
    _check_roots(rows, before=before, after=after)
    figures = _figures(rows, lost(runs, rows), before, after, curves)
    for each in figures:
        if isinstance(each, Drawn):
            save(each, out)
    html = page(figures, out, title or "Benchmark runs", _about(rows))
    (out / "index.html").write_text(html, encoding="utf-8")
    return figures


def _check_roots(rows: Sequence[Row], **named: str) -> None:
    roots = sorted({row.root for row in rows})
    for option, name in named.items():
        if name and not any(name in (root, short(root)) for root in roots):
            raise FiguresError(f"--{option}: no run has the root {name}; there are: {', '.join(roots)}")


def _keys(rows: Sequence[Row]) -> dict[str, Key]:
    places = {row.task: place for row in rows if row.key and (place := _key_of(row)) is not None}
    return {task: read_key(place) for task, place in places.items()}


def _key_of(row: Row) -> Path | None:
    """Where a run's answer key is: where it was, or, when the matrix has been moved with its tasks, where the run says that its task is."""
    try:
        folder = json.loads((row.run / RUN).read_bytes())["configuration"]["task_folder"]
        moved = row.run / folder / KEY_FILE
    except (OSError, ValueError, KeyError, TypeError):
        moved = Path(row.key)
    return next((place for place in (moved, Path(row.key)) if place.is_file()), None)


def _figures(
    rows: Sequence[Row], without: Sequence[Lost], before: str, after: str, curves: Sequence[Path]
) -> list[Drawn | NotDrawn]:
    keys = _keys(rows)
    try:
        reward = training.reward_by_step(curves)
    except ValueError as error:
        raise FiguresError(str(error)) from None
    return [
        scores.harness_bars(rows, without),
        reading.room_map(rows),
        reading.coverage_against_rate(rows),
        reading.cost_against_rate(rows),
        scores.root_by_sub(rows),
        reading.token_shares(rows),
        training.behaviour_table(rows),
        reading.calls_against_size(rows),
        scores.depth_by_room(rows),
        scores.before_after(rows, before, after),
        reward,
        *(scores.by_part(rows, scores.parts_of(rows, keys, of), of, said) for of, said in PARTS.items()),
    ]


def _about(rows: Sequence[Row]) -> str:
    harnesses = len({row.harness for row in rows})
    roots = ", ".join(sorted({short(row.root) for row in rows if row.root}))
    subs = ", ".join(sorted({short(row.sub) for row in rows if row.sub})) or "none"
    rooms = counted(len(grouped(rows, lambda row: row.task)), "room")
    runs = f"{counted(len(rows), 'run')} of {counted(harnesses, 'harness', 'harnesses')} on {rooms}"
    unfinished = sum(row.status == "unfinished" for row in rows)
    going = f" {counted(unfinished, 'run')} {'has' if unfinished == 1 else 'have'} not finished." if unfinished else ""
    return f"{runs}. Roots: {roots}; sub-agents: {subs}.{going}"
