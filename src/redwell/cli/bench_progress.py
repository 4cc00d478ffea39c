"""What a user sees while a matrix runs: one live view, or a line for each cell that ends, or JSON lines, or nothing."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections import deque
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from redwell.bench.running import Line, standing
from redwell.cli.bench_table import money
from redwell.cli.console import plain_console
from redwell.cli.progress import duration, live_view, percent
from redwell.journal.counted import counted
from redwell.journal.shown import shown_line

STYLES = {"submitted": "green", "salvaged": "yellow", "failed": "red", "interrupted": "yellow", "not run": "dim"}
_MOST_RUNNING, _MOST_ENDED = 12, 5


class Progress:
    def __init__(self, *, quiet: bool, as_json: bool) -> None:
        self.quiet, self.as_json = quiet, as_json
        self.console = plain_console()
        self.began = time.monotonic()
        self.lines: Sequence[Line] = ()
        self.newest: deque[Line] = deque(maxlen=_MOST_ENDED)
        self.making = self.made = ""
        self.live = not quiet and not as_json and self.console.is_terminal

    def shown(self) -> AbstractContextManager[None]:
        """While it lasts, there is a live view on a terminal."""
        return live_view(self.console, self._view, self.live)

    def begin(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        kept = sum(line.kept for line in lines)
        if self.as_json:
            self._json("began", cells=len(lines), finished=kept)
        elif not self.live and kept:
            self._say(f"{counted(len(lines), 'cell')}, {kept} of them finished before")

    def changed(self, kind: str, line: Line | None, figures: dict[str, Any]) -> None:
        """Called by the matrix."""
        if self.as_json:
            cell = {} if line is None else {"cell": _named(line)}
            self._json(kind, **cell, **figures, **(self._sums() if kind == "ended" else {}))
        elif kind == "ended" and line is not None:
            self.newest.append(line)
            if not self.live:
                done = sum(one.result is not None for one in self.lines)
                self._say(f"[{done}/{len(self.lines)}] {_told(line)}")
        elif kind == "making":
            if not self.live and self.making != figures["task"]:
                self._say(f"making {figures['task']}")
            self.making, self.made = figures["task"], f"{figures['stage']} {figures['done']:,} of {figures['of']:,}"

    def end(self, out: Path, whole: bool) -> None:
        """The result: how many cells ended how, and each that did not end with a report."""
        if self.as_json:
            states = [{"cell": _named(line), "state": line.state, "reason": line.reason} for line in self.lines]
            self._json("done", interrupted=not whole, cells=states, **self._sums())
        bad = [line for line in self.lines if line.state not in ("submitted", "waiting", "running")]
        again = any(line.state in ("failed", "interrupted", "not run", "waiting") for line in self.lines)
        hint = f"go on with: redwell bench run {shlex.quote(str(out))}"
        if self.as_json or self.quiet:
            for line in bad if self.quiet else ():
                print(f"redwell: {line.state}: {shown_line(_about(line))}", file=sys.stderr)
            return
        for line in bad:
            self.console.print(Text(f"{line.state}: {shown_line(_about(line))}", STYLES[line.state]), soft_wrap=True)
        self.console.print(Text(self._summary()), soft_wrap=True)
        self.console.print(f"Runs: {out}", soft_wrap=True)
        if again:
            print(hint, file=sys.stderr)

    # --- how it is shown ----------------------------------------------------------------------------------------------------

    def _say(self, text: str) -> None:
        if not self.quiet:
            self.console.print(shown_line(text), soft_wrap=True)

    def _json(self, event: str, **figures: Any) -> None:
        told = {"event": event, "seconds": round(time.monotonic() - self.began, 2), **figures}
        print(json.dumps(told, default=str), flush=True)

    def _sums(self) -> dict[str, Any]:
        now = standing(self.lines, self.began)
        return {"counts": dict(now.counts), "spent": asdict(now.spent), "left": now.left}

    def _summary(self) -> str:
        """What must not be cut off on a narrow terminal stands first."""
        now = standing(self.lines, self.began)
        parts = [counted(now.cells, "cell")]
        parts += [f"{now.counts[state]} {state}" for state in ("running", *STYLES, "waiting") if now.counts[state]]
        parts += [money(now.spent.dollars), counted(now.spent.tokens, "token"), counted(now.spent.calls, "call")]
        if now.coverage is not None:
            parts.append(f"coverage {percent(now.coverage)}")
        if now.left:
            parts.append(f"about {duration(now.left)} left")
        parts.append(duration(time.monotonic() - self.began))
        return " · ".join(parts)

    def _view(self) -> Group:
        if not self.lines:
            return Group(Text(f"making {self.making}: {self.made}" if self.making else "looking at the tasks"))
        table = Table(box=None, pad_edge=False, show_header=False)
        for justify in ("left", "left", "right", "right"):
            table.add_column(justify=justify, no_wrap=True)
        going = [line for line in self.lines if line.state == "running"]
        for line in (*self.newest, *going[:_MOST_RUNNING]):
            table.add_row(
                Text(line.state, STYLES.get(line.state, "bold")),
                Text(shown_line(line.cell.name), overflow="ellipsis"),
                _doing(line),
                money(line.used.dollars),
            )
        more = len(going) - _MOST_RUNNING
        return Group(
            table, *([Text(f"and {more} more")] if more > 0 else []), Text(self._summary(), overflow="ellipsis")
        )


def _doing(line: Line) -> str:
    """How far a cell is: its room's files, its coverage, its verdicts."""
    told = line.figures
    if line.result is None and "criteria" in told:
        return f"{told['graded']:,} of {counted(told['criteria'], 'criterion', 'criteria')}"
    share = line.result.coverage if line.result else told.get("coverage")
    if share is not None:
        return percent(share)
    return counted(told["files"], "file") if "files" in told else ""


def _named(line: Line) -> dict[str, Any]:
    cell = line.cell
    return {"task": cell.task, "harness": cell.harness, "root": cell.root, "sub": cell.sub, "repeat": cell.repeat}


def _about(line: Line) -> str:
    return line.cell.name + (f": {line.reason}" if line.reason else "")


def _told(line: Line) -> str:
    result = line.result
    parts = [f"{line.state}: {line.cell.name}"]
    if result is not None:
        if result.coverage is not None:
            parts.append(f"coverage {percent(result.coverage)}")
        parts += [money(result.dollars), duration(result.seconds)]
        for judge, (passed, failed, unscored) in result.judged.items():
            told = f"{judge} {passed}/{passed + failed}"
            parts.append(told + (f" ({unscored} unscored)" if unscored else ""))
    return " · ".join(parts) + (f": {line.reason}" if line.reason else "")
