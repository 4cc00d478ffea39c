"""Tables of `redwell bench`: a name in them is never broken, so that it can be copied. Where the screen is narrow, other columns make room
for it, and where that is not enough, it has a line of its own."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from redwell.cli.console import plain_console
from redwell.cli.progress import percent
from redwell.journal.shown import shown_line

_GAP = "  "
_SHORTENED = {"title": 20}
"""Columns that may be shortened, and to how many places at most."""
_LESS_IMPORTANT = ("seconds", "dollars", "type", "key")
"""In the order in which they are left out."""


def print_table(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Prints a line for each row, the first column of which names it, or two where the names are too long for one. What is left out is told
    below the table. The name of a column may have two lines. In a pipe everything has room."""
    console = plain_console()
    cells = {name: [shown_line(_cell(name, row[name])) for row in rows] for name in columns}
    heads = {name: [shown_line(line) for line in (name[:1].upper() + name[1:]).split("\n")] for name in columns}
    wide = {name: max(map(cell_len, [*heads[name], *cells[name]])) for name in columns}
    room = console.width if console.is_terminal or "COLUMNS" in os.environ else 1_000_000
    apart: list[str] = []
    shown = _that_fit(columns, wide, room)
    if _needed(shown, wide) > room:
        apart, shown = [columns[0]], _that_fit(columns[1:], wide, room - len(_GAP))
    left = room - len(_GAP) * len(apart) - _needed(shown, wide)
    for name in (one for one in shown if one in _SHORTENED):
        wide[name] = min(wide[name], _SHORTENED[name] + max(0, left))

    def put(told: Mapping[str, str], style: str = "") -> None:
        for name in apart:
            if told[name]:
                console.print(Text(told[name], style), soft_wrap=True)
        line = _GAP.join(_sized(told[name], wide[name], right=_is_figure(name)) for name in shown).rstrip()
        console.print(Text(_GAP * len(apart) + line, style), soft_wrap=True)

    deep = max(map(len, heads.values()))
    for at in range(deep):
        put({name: ([""] * (deep - len(head)) + head)[at] for name, head in heads.items()}, "bold")
    for at in range(len(rows)):
        put({name: column[at] for name, column in cells.items()})
    if gone := [name for name in columns if name not in (*apart, *shown)]:
        print(f"(left out for want of room: {', '.join(gone)}; --json has all)")


def _that_fit(columns: Sequence[str], wide: Mapping[str, int], room: int) -> list[str]:
    shown = list(columns)
    for name in _LESS_IMPORTANT:
        if name in shown and _needed(shown, wide) > room:
            shown.remove(name)
    return shown


def _needed(shown: Sequence[str], wide: Mapping[str, int]) -> int:
    return sum(min(wide[name], _SHORTENED.get(name, wide[name])) for name in shown) + len(_GAP) * (len(shown) - 1)


def _sized(text: str, size: int, *, right: bool) -> str:
    if cell_len(text) > size:
        return set_cell_size(text, size - 1) + "…"
    space = " " * (size - cell_len(text))
    return space + text if right else text + space


def _is_figure(name: str) -> bool:
    return name in ("documents", "criteria", "coverage", "dollars", "seconds") or name.startswith("passed")


def money(dollars: float) -> str:
    """An amount as every verb of `bench` says it: whole cents, and what is less than one with two more places."""
    return f"${dollars:,.4f}" if 0 < dollars < 0.01 else f"${dollars:,.2f}"


def _cell(name: str, value: Any) -> str:
    if value is None:
        return "–"
    if name == "dollars":
        return money(value)
    if name == "coverage":
        return percent(value)
    return f"{value:,}" if isinstance(value, int) else str(value)
