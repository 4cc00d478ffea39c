"""Figures of reading and its cost: the room map, coverage and cost against the pass rate, calls against size, token shares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, sqrt
from pathlib import Path
from textwrap import fill
from typing import Any

from pydantic import TypeAdapter, ValidationError

from redwell.bench.figures.drawing import (
    LINE,
    SEEN,
    SERIES,
    SHAPES,
    SOFT,
    UNSEEN,
    Cell,
    Drawn,
    NotDrawn,
    canvas,
    count_axis,
    percent_axis,
    share_axis,
    spread,
)
from redwell.bench.figures.rows import Row, correlation, graded, grouped, label, mean, place
from redwell.bench.measures import AGAIN, READ_FILE
from redwell.journal.counted import counted
from redwell.journal.journal import JournalError

LEAST_SHARE = 1e-4
"""Where a run that read nothing stands on a logarithmic axis."""


def room_map(rows: Sequence[Row]) -> Drawn | NotDrawn:
    """Every document of one room as a square, folder by folder, coloured by how much of it a model was sent, for each harness."""
    title = "The room, and what was read of it"
    largest = max(rows, key=lambda row: (row.documents, row.task), default=None)
    if largest is None:
        return NotDrawn(title, "no run has been measured")
    shown: dict[str, Row] = {}
    for row in rows:
        if row.task == largest.task and (row.run / READ_FILE).is_file():
            shown.setdefault(label(row, rows), row)
    if not shown:
        return NotDrawn(
            title,
            f"no run of {largest.task} says which documents it read: measure the runs again: delete their cell.json, and go on with the matrix by `redwell bench run`",
        )
    names = sorted(shown, key=lambda name: place(shown[name].harness))[:9]
    shares = {name: _shares(shown[name].run / READ_FILE) for name in names}
    paths = sorted({path for each in shares.values() for path in each}, key=_natural)
    wide = ceil(sqrt(len(paths) * 1.6))
    high = ceil(len(paths) / wide)
    columns = min(3, len(names))
    lines = ceil(len(names) / columns)
    titles = {name: fill(f"{name}: {shown[name].coverage:.1%} of the text", 120 // columns) for name in names}
    deep = max(title.count("\n") for title in titles.values())
    figure, grid = canvas(
        (8.6, 0.5 + lines * (2.5 * high / wide * (8.6 / columns) / 2.5 + 0.35 + 0.14 * deep)),
        nrows=lines,
        ncols=columns,
        squeeze=False,
    )
    from matplotlib.colors import LinearSegmentedColormap

    ramp = LinearSegmentedColormap.from_list("read", [UNSEEN, SEEN], bad=(1, 1, 1, 0))
    for number, name in enumerate(names):
        axes = grid[number // columns][number % columns]
        values = [float(shares[name].get(path, 0.0)) for path in paths]
        cells = [values[at : at + wide] for at in range(0, len(values), wide)]
        cells[-1] += [float("nan")] * (wide - len(cells[-1]))
        axes.imshow(cells, cmap=ramp, vmin=0, vmax=1, interpolation="nearest")
        axes.set_xticks([x - 0.5 for x in range(wide + 1)], minor=True)
        axes.set_yticks([y - 0.5 for y in range(high + 1)], minor=True)
        axes.set_xticks([])
        axes.set_yticks([])
        axes.grid(visible=False)
        axes.grid(visible=True, which="minor", color="white", linewidth=max(0.1, 1.2 - len(paths) / 2500))
        axes.tick_params(which="both", length=0)
        for side in axes.spines.values():
            side.set_visible(False)
        axes.set_title(titles[name], fontsize=8.5)
    for number in range(len(names), lines * columns):
        grid[number // columns][number % columns].set_visible(False)
    table: list[tuple[Cell, ...]] = [(path, *(float(shares[name].get(path, 0.0)) for name in names)) for path in paths]
    return Drawn(
        "room_map",
        title,
        f"{largest.task}: {counted(len(paths), 'document')} in the order of the index, one square each; the greener, the more of its text was sent to a model "
        "(root or sub-agent).",
        ("document", *names),
        table,
        figure,
    )


def _shares(file: Path) -> dict[str, float]:
    """What `measure` wrote. Raises JournalError when the file is not that."""
    try:
        return TypeAdapter(dict[str, float]).validate_json(file.read_bytes())
    except (OSError, ValidationError):
        raise JournalError(f"{file} does not say which documents the run read: {AGAIN}") from None


def coverage_against_rate(rows: Sequence[Row]) -> Drawn | NotDrawn:
    """Coverage on a logarithmic axis against criteria passed, a point for each run."""
    title = "Coverage against criteria passed"
    rows = graded(rows)
    if not rows:
        return NotDrawn(title, "no run has been graded: `redwell bench grade`")
    figure, axes = canvas()
    _points(axes, rows, lambda row: max(LEAST_SHARE, row.coverage))
    axes.set_xscale("log")
    lowest = min(max(LEAST_SHARE, row.coverage) for row in rows)
    axes.set_xlim(min(lowest / 1.6, 0.06), 1.6)
    axes.xaxis.set_minor_formatter("")
    percent_axis(axes.xaxis)
    share_axis(axes, "y", 1.06 * max(row.rate or 0.0 for row in rows))
    axes.set_xlabel("share of the room's text that was sent to a model (logarithmic)")
    axes.set_ylabel("criteria passed")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    table: list[tuple[Cell, ...]] = [
        (row.task, label(row, rows), row.repeat, row.coverage, row.probe_coverage, row.rate) for row in rows
    ]
    probes, apart = sum(row.probes for row in rows), sum(row.probe_disagreements for row in rows)
    said = f"Coverage is exact, from the journal.{_proved(probes, apart)}"
    header = ("room", "series", "repeat", "coverage", "coverage by probes", "pass rate")
    return Drawn("coverage", title, f"Each point is a run. {said}", header, table, figure)


def _proved(probes: int, apart: int) -> str:
    """What the probes say of the coverage that the journal gives."""
    if not probes:
        return ""
    where = "every one was found if the journal says that it was sent, and not found if it says that it was not"
    if apart:
        where = f"for {apart:,} of them what was found is not what the journal says"
    looked = counted(probes, "stretch of ten words, drawn", "stretches of ten words, drawn")
    return f" To prove it, {looked} at random from the rooms, {'was' if probes == 1 else 'were'} looked for in all that the models were sent: {where}."


def cost_against_rate(rows: Sequence[Row]) -> Drawn | NotDrawn:
    """Cost of a room against criteria passed, with the line of what nothing beats."""
    title = "Cost against criteria passed"
    rows = graded(rows)
    priced = [row for row in rows if row.cost]
    if not priced:
        return NotDrawn(
            title,
            "no graded run cost money that is known: the embedded models are free, and a model of your own needs a price (REDWELL_PRICES)",
        )
    points = []
    for name, some in grouped(priced, lambda row: label(row, priced)).items():
        points.append((mean([row.cost for row in some]), mean([row.rate or 0.0 for row in some]), name, len(some)))
    points.sort()
    best = pareto([(cost, rate) for cost, rate, _, _ in points])
    figure, axes = canvas()
    axes.plot(
        [x for x, _ in best],
        [y for _, y in best],
        color=LINE,
        linewidth=1.6,
        zorder=2.5,
        label="nothing is cheaper and better",
    )
    axes.scatter([p[0] for p in points], [p[1] for p in points], s=42, color=SERIES[0], zorder=3, clip_on=False)
    axes.set_xscale("log")
    axes.margins(x=0.25)
    share_axis(axes, "y", 1.15 * max(rate for _, rate, _, _ in points))
    spread([(cost, rate, name) for cost, rate, name, _ in points], axes)
    axes.xaxis.set_major_formatter(_dollars)
    axes.xaxis.set_minor_formatter(_dollars)
    axes.set_xlabel("US dollars for a room, list prices with cached input (logarithmic)")
    axes.set_ylabel("criteria passed")
    axes.legend(loc="upper left", bbox_to_anchor=(0.0, 1.1))
    table: list[tuple[Cell, ...]] = [
        (name, count, cost, rate, "yes" if (cost, rate) in best else "no") for cost, rate, name, count in points
    ]
    left_out = len(rows) - len(priced)
    without = f" {counted(left_out, 'run')} without a known cost {'is' if left_out == 1 else 'are'} left out."
    said = without if left_out else ""
    header = ("series", "runs", "dollars a room", "pass rate", "on the line")
    return Drawn("cost", title, f"Means over runs.{said}", header, table, figure)


def _dollars(amount: float, _: object = None) -> str:
    """A label of the axis of costs: at 1, 2 and 5 times the powers of ten."""
    return f"${amount:g}" if f"{amount:e}"[0] in "125" else ""


def pareto(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Those of (cost, rate) that no other beats: none is at most as dear and at least as good, and differs. In order of cost."""
    best: list[tuple[float, float]] = []
    for cost, rate in sorted(set(points), key=lambda point: (point[0], -point[1])):
        if not best or rate > best[-1][1]:
            best.append((cost, rate))
    return best


def calls_against_size(rows: Sequence[Row]) -> Drawn | NotDrawn:
    """Sub-agent calls against the size of the room."""
    title = "Sub-agent calls against the size of the room"
    rows = [row for row in rows if row.behaviour["sub_calls"]]
    if len({row.characters for row in rows}) < 2:
        return NotDrawn(title, "wants runs with sub-agents over rooms of more than one size")
    figure, axes = canvas()
    table: list[tuple[Cell, ...]] = []
    unit, many = (1e6, "millions") if max(row.characters for row in rows) >= 1e6 else (1e3, "thousands")
    for number, (name, some) in enumerate(_series(rows)):
        sizes, calls = [float(r.characters) for r in some], [float(r.behaviour["sub_calls"]) for r in some]
        together = correlation(sizes, calls)
        said = name if together is None else f"{name} (r = {together:.2f})"
        _scatter(axes, number, [size / unit for size in sizes], calls, said)
        table += [
            (row.task, name, row.repeat, row.documents, row.characters, row.behaviour["sub_calls"], together)
            for row in some
        ]
    axes.set_xlabel(f"characters of the room, {many}")
    axes.set_ylabel("sub-agent calls")
    axes.set_ylim(bottom=0)
    axes.set_xlim(left=0)
    count_axis(axes.yaxis)
    axes.legend(loc="upper left")
    header = ("room", "series", "repeat", "documents", "characters", "sub-agent calls", "correlation of the series")
    return Drawn("calls_by_size", title, "Each point is a run; r is Pearson's correlation.", header, table, figure)


def token_shares(rows: Sequence[Row]) -> Drawn | NotDrawn:
    """How much of all tokens went through the root."""
    title = "The root's share of tokens"
    rows = [row for row in rows if sum(part["input"] for part in row.roles.values())]
    if not rows:
        return NotDrawn(title, "no run used tokens: the embedded models count none")
    series = _series(rows)
    figure, axes = canvas((8.6, 1.3 + 0.5 * len(series)))
    table: list[tuple[Cell, ...]] = []
    for y, (name, some) in enumerate(series):
        shares = (mean([r.root_input_share for r in some]), mean([r.root_output_share for r in some]))
        for number, (share, what) in enumerate(zip(shares, ("input", "output"), strict=True)):
            at = y + (number - 0.5) * 0.36
            axes.barh(at, 1.0, 0.32, color=UNSEEN)
            axes.barh(at, share, 0.32, color=SERIES[number], label=f"root, {what}" if not y else "")
            axes.text(1.01, at, f"{share:.1%}", va="center", fontsize=8, color=SOFT)
        table.append((name, len(some), *shares, mean([sum(p["input"] for p in r.roles.values()) for r in some])))
    axes.set_yticks(range(len(series)), [name for name, _ in series])
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.set_xlim(0, 1.08)
    percent_axis(axes.xaxis)
    figure.legend(loc="outside lower center", ncols=2)
    header = ("series", "runs", "root's share of input", "root's share of output", "input tokens a run")
    return Drawn("token_shares", title, "Means over runs; the rest went through sub-agents.", header, table, figure)


def _points(axes: Any, rows: Sequence[Row], x: Callable[[Row], float]) -> None:
    for number, (name, some) in enumerate(_series(rows)):
        _scatter(axes, number, [x(row) for row in some], [row.rate for row in some], name)


def _scatter(axes: Any, number: int, xs: Sequence[float], ys: Sequence[float | None], said: str) -> None:
    """The points of one series, which hide none of another: each has its shape and its size, so that equal ones lie around each other."""
    at = number % len(SHAPES)
    color = SERIES[number % len(SERIES)]
    axes.scatter(
        xs, ys, s=22 + 20 * at, marker=SHAPES[at], facecolors="none", edgecolors=color, linewidths=1.2, label=said, zorder=3, clip_on=False
    )  # fmt: skip


def _series(rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    groups = grouped(rows, lambda row: label(row, rows))
    return sorted(groups.items(), key=lambda item: place(item[1][0].harness))


def _natural(path: str) -> list[tuple[int, str]]:
    """Sorts "2.0 ..." before "10.0 ..."."""
    parts: list[tuple[int, str]] = []
    for piece in path.split("/"):
        number = piece.partition(".")[0]
        parts.append((int(number) if number.isdigit() else 10**6, piece))
    return parts
