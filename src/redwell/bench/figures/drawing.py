"""How every figure looks and is kept: SVG and PNG beside a CSV of its numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

INK, SOFT, LINE, PAPER = "#1d1f23", "#5d636e", "#d9dbe0", "#ffffff"
SERIES = ("#8c1d18", "#4b6584", "#b45309", "#3f7d58", "#6d5a8d", "#2a7f8e", "#a3822b", "#6b7280")
SHAPES = "os^DvPX*"
"""Of the points of a series, drawn hollow: equal points of several series are all seen."""
SEEN, UNSEEN = "#3f7d58", "#e7e3da"
WIDE = (8.6, 4.2)
"""Inches; 8.6 is the width of the page's column."""


class FiguresError(Exception):
    """Figures that cannot be drawn, with the way out."""


Cell = str | int | float | None


@dataclass(slots=True)
class Drawn:
    """One figure, or a table when `figure` is None. `caption` says what is shown and over how many runs; `header` and `table` are its numbers."""

    name: str
    title: str
    caption: str
    header: tuple[str, ...]
    table: list[tuple[Cell, ...]]
    figure: Any = None


@dataclass(frozen=True, slots=True)
class NotDrawn:
    """A figure that these runs do not have the numbers for, and which would be wanted."""

    title: str
    reason: str


def canvas(size: tuple[float, float] = WIDE, **options: Any) -> tuple[Any, Any]:
    """A figure and its axes in the house's style. Raises FiguresError without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        raise FiguresError("figures need matplotlib: pip install 'redwell[bench]'") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.rcParams.update(
        {
            "font.family": "DejaVu Sans",
            "font.size": 9,
            "axes.edgecolor": LINE,
            "axes.labelcolor": SOFT,
            "axes.titlelocation": "left",
            "axes.titlesize": 10,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.axisbelow": True,
            "axes.grid": True,
            "grid.color": "#eceae5",
            "grid.linewidth": 0.8,
            "text.color": INK,
            "xtick.color": SOFT,
            "ytick.color": SOFT,
            "xtick.labelcolor": INK,
            "ytick.labelcolor": INK,
            "legend.frameon": False,
            "legend.fontsize": 8,
            "figure.facecolor": PAPER,
            "text.parse_math": False,  # names come from outside, and a $ in one is no formula
            "svg.fonttype": "path",
            "svg.hashsalt": "redwell",
        }
    )
    figure, axes = pyplot.subplots(figsize=size, layout="constrained", **options)
    return figure, axes


LEAST_TOP = 0.05
"""How far an axis of shares reaches at least: then its ticks are whole per cents, also where all shares are 0."""


def percent_axis(axis: Any) -> None:
    """Shows shares as per cent, each with as many decimals as it has."""
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda share, _: f"{round(100 * share, 6):g}%"))


def share_axis(axes: Any, which: Literal["x", "y"], top: float) -> None:
    """An axis of shares: from 0 to a little more than `top`, with ticks at whole per cents, each once."""
    from matplotlib.ticker import MaxNLocator

    axis = axes.xaxis if which == "x" else axes.yaxis
    (axes.set_xlim if which == "x" else axes.set_ylim)(0, max(LEAST_TOP, min(1.0, top)))
    axis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 5, 10]))
    percent_axis(axis)


def count_axis(axis: Any) -> None:
    """An axis of counts: ticks at whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(nbins="auto", steps=[1, 2, 5, 10], integer=True, min_n_ticks=1))


def spread(labels: Sequence[tuple[float, float, str]], axes: Any, gap: float = 11.0) -> None:
    """Writes labels beside points and moves them apart where they would overlap, none below the axis. `gap` is in points."""
    figure = axes.figure
    figure.canvas.draw()
    scale = 72.0 / figure.dpi
    bottom = axes.bbox.y0 * scale + gap / 2
    placed: list[tuple[float, float]] = []
    for x, y, text in sorted(labels, key=lambda each: -each[1]):
        px, py = axes.transData.transform((x, y)) * scale
        off = 0.0
        step = -gap / 2
        while py + off < bottom or any(abs(py + off - qy) < gap and abs(px - qx) < 130 for qx, qy in placed):
            if py + off < bottom:  # there is no room below: the rest of the way is up
                step = gap / 2
            off += step
        placed.append((px, py + off))
        axes.annotate(
            text, (x, y), xytext=(7, off - 3), textcoords="offset points", fontsize=8, color=INK, annotation_clip=False
        )


def save(drawn: Drawn, out: Path) -> None:
    """Writes OUT/<name>.csv, and .svg and .png when there is a figure. The same numbers give the same SVG."""
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{drawn.name}.csv").write_text(as_csv(drawn), encoding="utf-8")
    if drawn.figure is not None:
        from matplotlib import pyplot

        drawn.figure.savefig(out / f"{drawn.name}.svg", metadata={"Date": None, "Creator": None})
        drawn.figure.savefig(out / f"{drawn.name}.png", dpi=160, metadata={"Software": None})
        pyplot.close(drawn.figure)


def as_csv(drawn: Drawn) -> str:
    """The numbers with a header line; what is not known is empty."""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(drawn.header)
    for line in drawn.table:
        writer.writerow(
            ["" if value is None else f"{value:.6g}" if isinstance(value, float) else value for value in line]
        )
    return made.getvalue()
