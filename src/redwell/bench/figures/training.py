"""Figures and tables of training: reward and pass rate by step, and how runs go about it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from redwell.bench.figures.drawing import LEAST_TOP, SERIES, Cell, Drawn, NotDrawn, canvas, count_axis
from redwell.bench.figures.rows import Row, correlation, grouped, label, mean, place, read_curve

SMOOTH = 5  # steps of the running mean
WATCHED = {"held_out": ("held-out judge", ":"), "left_out": ("criteria left out", "--")}
"""Fields of a curve that watch the reward, drawn beside it: in words, and the style of the line."""


def reward_by_step(curves: Sequence[Path]) -> Drawn | NotDrawn:
    """The mean reward of each step, and its running mean, for each curve. Raises ValueError for a file that is none."""
    title = "Reward by step"
    given = [(path.parent.name if path.stem == "curve" else path.stem, read_curve(path)) for path in curves]
    given = [(name, [e for e in entries if isinstance(e.get("reward"), int | float)]) for name, entries in given]
    if not any(entries for _, entries in given):
        return NotDrawn(title, "no training curve was given: --curve FILE.jsonl")
    figure, axes = canvas()
    table: list[tuple[Cell, ...]] = []
    for number, (name, entries) in enumerate(given):
        steps, rewards = [e["step"] for e in entries], [float(e["reward"]) for e in entries]
        colour = SERIES[number % len(SERIES)]
        axes.plot(steps, rewards, color=colour, alpha=0.3, linewidth=1.0)
        axes.plot(steps, running(rewards, SMOOTH), color=colour, linewidth=1.9, label=name)
        for field, (words, style) in WATCHED.items():
            watched = [(e["step"], float(e[field])) for e in entries if isinstance(e.get(field), int | float)]
            if watched:
                axes.plot(
                    *zip(*watched, strict=True), color=colour, linestyle=style, linewidth=1.4, label=f"{name}, {words}"
                )
        table += [
            (name, e["step"], float(e["reward"]), *(e.get(field) for field in WATCHED), e.get("seconds"))
            for e in entries
        ]
    if all(float(value) >= 0 for line in table for value in line[2:5] if isinstance(value, int | float)):
        axes.set_ylim(0, max(LEAST_TOP, axes.get_ylim()[1]))
    count_axis(axes.xaxis)
    axes.set_xlabel("step")
    axes.set_ylabel("mean reward of the step's rollouts")
    axes.legend(loc="best")
    caption = f"Thin: each step. Thick: the mean of the last {SMOOTH} steps."
    return Drawn(
        "reward",
        title,
        caption,
        ("curve", "step", "reward", *(words for words, _ in WATCHED.values()), "seconds"),
        table,
        figure,
    )


def running(values: Sequence[float], width: int) -> list[float]:
    """The mean of each value and up to `width` - 1 before it."""
    return [mean(values[max(0, at - width + 1) : at + 1]) for at in range(len(values))]


def behaviour_table(rows: Sequence[Row]) -> Drawn | NotDrawn:
    """How runs of each kind go about it: the study's tables 1 and 2, a line for each series."""
    title = "How runs go about it"
    if not rows:
        return NotDrawn(title, "no run has been measured")
    groups = sorted(grouped(rows, lambda row: label(row, rows)).items(), key=lambda item: place(item[1][0].harness))
    table: list[tuple[Cell, ...]] = [(name, *_line(some)) for name, some in groups]
    header = (
        "series",
        "runs",
        "criteria passed",
        "document coverage",
        "text coverage",
        "sub-agent calls a room",
        "calls a delegating turn",
        "turns that delegate",
        "calls against size (r)",
        "wrote while reading",
        "submitted",
        "quotes that hold",
        "seconds a room",
    )
    return Drawn("behaviour", title, "Means over runs; a dash where there is nothing to measure.", header, table)


def _line(rows: Sequence[Row]) -> tuple[Cell, ...]:
    def over(values: list[float | None]) -> float | None:
        known = [value for value in values if value is not None]
        return mean(known) if known else None

    how: list[dict[str, Any]] = [row.behaviour for row in rows]
    quotes = sum(row.citations["quotes"] for row in rows)
    delegates = [row for row in rows if row.behaviour["sub_calls"]]
    sizes, calls = [float(r.characters) for r in delegates], [float(r.behaviour["sub_calls"]) for r in delegates]
    return (
        len(rows),
        over([row.rate for row in rows]),
        mean([row.document_coverage for row in rows]),
        mean([row.coverage for row in rows]),
        mean([each["sub_calls"] for each in how]),
        over([each["calls_per_delegating_turn"] for each in how]),
        over([each["delegation_rate"] if each["turns"] else None for each in how]),
        correlation(sizes, calls),
        mean([float(each["wrote_while_reading"]) for each in how]) if delegates else None,
        mean([float(row.status == "submitted") for row in rows]),
        sum(row.citations["verified"] for row in rows) / quotes if quotes else None,
        mean([each["seconds"] for each in how]),
    )
