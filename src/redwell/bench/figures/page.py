"""One HTML page that holds every figure and table of a folder of runs; it needs no other file and no network."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from pathlib import Path

from redwell.bench.figures.drawing import Cell, Drawn, NotDrawn

MANY = 8
"""Columns above which a table is set small and its names may be broken, so that all of it is seen."""
LONG_TABLE = 30
"""Lines of a table beneath a figure that the page shows; the CSV beside it has all."""

_STYLE = """
:root { --ink: #1d1f23; --soft: #5d636e; --line: #d9dbe0; --tint: #f6f5f2; --red: #8c1d18; }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: #fff; font: 16px/1.55 Georgia, "Times New Roman", serif; }
main { max-width: 60rem; margin: 0 auto; padding: 3rem 1.5rem 5rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .4rem; border-top: 5px solid var(--red); padding-top: 1.2rem; }
h2 { font-size: 1.25rem; margin: 0 0 .3rem; }
.meta, figcaption, .wanting, table, nav { font-family: system-ui, "Segoe UI", sans-serif; font-size: .86rem; color: var(--soft); }
nav { columns: 2 16rem; margin: 1.4rem 0 2.5rem; }
nav a { display: block; break-inside: avoid; color: var(--ink); text-decoration: none; padding: .1rem 0; } nav a:hover { text-decoration: underline; }
figure { margin: 0 0 3.2rem; padding-top: 1.4rem; border-top: 1px solid var(--line); break-inside: avoid; }
figure svg { max-width: 100%; height: auto; margin: .6rem 0; }
figcaption { margin-top: .2rem; }
details { margin-top: .6rem; } summary { font: .86rem system-ui, sans-serif; color: var(--soft); cursor: pointer; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin-top: .6rem; color: var(--ink); font-variant-numeric: tabular-nums; font-size: .8rem; line-height: 1.35; }
td:first-child { white-space: nowrap; }
th, td { padding: .28rem .6rem .28rem 0; text-align: left; border-bottom: 1px solid var(--line); vertical-align: bottom; }
td.n, th.n { text-align: right; }
th { color: var(--soft); font-weight: 600; }
.wanting li { margin: .2rem 0; }
.many table { font-size: .72rem; line-height: 1.3; } .many th, .many td { padding-right: .4rem; }
.many td:not(.n) { white-space: normal; overflow-wrap: anywhere; min-width: 6rem; }
@media print { details { display: none; } main { padding: 0; } .wide { overflow-x: visible; } tr { break-inside: avoid; } .many table { font-size: .58rem; } .many th, .many td { padding-right: .25rem; } .many td:not(.n) { min-width: 4.5rem; } }
"""


def page(drawn: Sequence[Drawn | NotDrawn], folder: Path, title: str, about: str) -> str:
    """The page's HTML; the SVG of each figure is taken from `folder`, where `drawing.save` put it."""
    figures = [each for each in drawn if isinstance(each, Drawn)]
    wanting = [each for each in drawn if isinstance(each, NotDrawn)]
    links = "".join(f'<a href="#{each.name}">{escape(each.title)}</a>' for each in figures)
    parts = "".join(_figure(each, folder) for each in figures)
    if wanting:
        lines = "".join(f"<li><b>{escape(each.title)}</b>: {escape(each.reason)}</li>" for each in wanting)
        parts += f'<section class="wanting"><h2>Not drawn</h2><ul>{lines}</ul></section>'
    made = datetime.now(UTC).strftime("%d %B %Y").lstrip("0")
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body><main><h1>{escape(title)}</h1>"
        f'<p class="meta">{escape(about)} Drawn on {made}.</p><nav>{links}</nav>{parts}</main></body></html>\n'
    )


def _figure(each: Drawn, folder: Path) -> str:
    table = _table(each)
    if each.figure is not None:
        svg = (folder / f"{each.name}.svg").read_text(encoding="utf-8")
        drawing = _apart(svg[svg.index("<svg") :], each.name)
        left = f" (the first {LONG_TABLE} of {len(each.table):,} lines)" if len(each.table) > LONG_TABLE else ""
        table = f"{drawing}<details><summary>The numbers{left}</summary>{table}</details>"
    files = f'<a href="{each.name}.csv">CSV</a>'
    if each.figure is not None:
        files += f' · <a href="{each.name}.svg">SVG</a> · <a href="{each.name}.png">PNG</a>'
    return f'<figure id="{each.name}"><h2>{escape(each.title)}</h2>{table}<figcaption>{escape(each.caption)} {files}</figcaption></figure>'


def _apart(svg: str, name: str) -> str:
    """The drawing with ids of its own: those of two drawings on one page must not meet."""
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', svg)
    svg = re.sub(r'(xlink:href|href)="#([^"]+)"', rf'\1="#{name}-\2"', svg)
    return re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)


def _table(each: Drawn) -> str:
    numeric = [all(isinstance(line[at], int | float | None) for line in each.table) for at in range(len(each.header))]
    head = "".join(
        f'<th class="n">{escape(n)}</th>' if num else f"<th>{escape(n)}</th>"
        for n, num in zip(each.header, numeric, strict=True)
    )
    lines = ""
    for line in each.table[:LONG_TABLE] if each.figure is not None else each.table:
        cells = (
            f'<td class="n">{shown(value, name)}</td>' if num else f"<td>{escape(shown(value, name))}</td>"
            for value, num, name in zip(line, numeric, each.header, strict=True)
        )
        lines += f"<tr>{''.join(cells)}</tr>"
    many = " many" if len(each.header) > MANY else ""
    return f'<div class="wide{many}"><table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>'


_SHARES = (
    "rate",
    "coverage",
    "passed",
    "share",
    "low",
    "high",
    "all-pass",
    "delegate",
    "wrote",
    "submitted",
    "hold",
    "difference",
)


def shown(value: Cell, column: str) -> str:
    """A number as a reader wants it: shares as per cent, by the column's name; a dash for what is not known."""
    if value is None or value != value:
        return "–"
    if isinstance(value, str):
        return value
    if isinstance(value, float) and any(word in column for word in _SHARES) and abs(value) <= 1.0:
        return f"{value:z.1%}"
    if isinstance(value, int) or float(value).is_integer():
        return f"{value:,.0f}"
    return f"{value:,.1f}" if abs(value) >= 100 else f"{value:.3g}"
