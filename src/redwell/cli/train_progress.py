"""What a user sees while a policy is trained: a live table of the newest steps, or a line for each step, or JSON lines, or nothing."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from redwell.cli.console import plain_console
from redwell.cli.progress import duration, live_view
from redwell.journal.shown import shown_line

_NEWEST = 10
_SILENCE = 30.0
"""Seconds after which a rollout or a group is told where there is no live view: so that a log shows that work goes on, and does not grow with each."""
_COLUMNS = (
    ("step", "step", "{:.0f}"),
    ("reward", "reward", "{:.3f}"),
    ("held_out", "held out", "{:.3f}"),
    ("left_out", "left out", "{:.3f}"),
    ("loss", "loss", "{:.4f}"),
    ("coverage", "coverage", "{:.0%}"),
    ("sub_calls", "calls", "{:.1f}"),
    ("tokens", "tokens", "{:,.0f}"),
    ("staleness", "stale", "{:.1f}"),
    ("clipped", "clipped", "{:.0%}"),
    ("masked", "masked", "{:.0%}"),
    ("seconds_sampling", "sampling", "{:.1f} s"),
    ("seconds_training", "training", "{:.1f} s"),
    ("seconds_judging", "judging", "{:.1f} s"),
    ("seconds_other", "other", "{:.1f} s"),
)
_SELDOM = ("held_out", "left_out", "seconds_judging", "coverage", "sub_calls")
"""Columns that are only shown when they say something."""


class Progress:
    """Called with what happens. `began` is None until something was begun."""

    def __init__(self, *, quiet: bool, as_json: bool, steps: int = 0) -> None:
        self.quiet, self.as_json, self.steps = quiet, as_json, steps
        self.console = plain_console()
        self.started = time.monotonic()
        self.began: float | None = None
        self.spoke = self.started
        self.newest: deque[dict[str, Any]] = deque(maxlen=_NEWEST)
        self.standing: dict[str, Any] = {}
        self.note = "getting ready"
        self.live = not quiet and not as_json and self.console.is_terminal

    @contextmanager
    def shown(self) -> Iterator[None]:
        """While it lasts, there is a live view on a terminal, and then the table of the newest steps."""
        try:
            with live_view(self.console, self._view, self.live):
                yield
        finally:
            if self.live and self.newest:
                self.console.print(self._table())

    def __call__(self, kind: str, figures: dict[str, Any]) -> None:
        if kind != "making" and self.began is None:
            self.began = time.monotonic()
        if self.as_json:
            print(
                json.dumps({"event": kind, "at": round(time.monotonic() - self.started, 2), **figures}, default=str),
                flush=True,
            )
            return
        self.standing.update({name: figures[name] for name in ("running", "groups", "ready") if name in figures})
        if kind == "step":
            self.steps = figures.get("steps", self.steps)
            self.newest.append(figures)
            if not self.live:
                self._say(_told(figures, self.steps))
        elif kind == "alarm":
            for alarm in figures["alarms"]:
                self._say(f"step {figures['step']}: {alarm}", "bold red")
        elif said := _said(kind, figures):
            changed, self.note = said != self.note, said
            seldom = kind in ("rollout", "group") and time.monotonic() - self.spoke < _SILENCE
            if not self.live and changed and not seldom:
                self._say(said)

    def end(self, out: Path, last: Path | None) -> None:
        """The result: the last checkpoint, or how to go on."""
        if self.as_json:
            self("done", {"interrupted": last is None, "checkpoint": str(last) if last else None})
        elif last is None:
            if not self.quiet:
                print(f"interrupted; go on with the same command and --out {shlex.quote(str(out))}", file=sys.stderr)
        else:
            self._say(f"Trained: {last}")
            self._say(f"serve it with: redwell train serve {shlex.quote(str(last))}")

    # --- how it is shown ----------------------------------------------------------------------------------------------------

    def _say(self, text: str, style: str = "") -> None:
        self.spoke = time.monotonic()
        if not self.quiet:
            self.console.print(Text(shown_line(text), style), soft_wrap=True)

    def _view(self) -> Group:
        parts = [f"{len(self.newest) and self.newest[-1]['step']} of {self.steps} steps"] if self.steps else []
        names = (("running", "rollouts running"), ("groups", "groups open"), ("ready", "groups ready"))
        parts += [f"{self.standing[name]} {word}" for name, word in names if name in self.standing]
        if self.newest and self.steps:
            mean = sum(one["seconds"] for one in self.newest) / len(self.newest)
            parts.append(f"about {duration(mean * (self.steps - self.newest[-1]['step']))} left")
        parts.append(duration(time.monotonic() - self.started))
        status = Text(" · ".join(parts), overflow="ellipsis")
        return Group(*([self._table()] if self.newest else []), Text(shown_line(self.note), "dim"), status)

    def _table(self) -> Table:
        table = Table(box=None, pad_edge=False, header_style="bold")
        known = [
            (name, title, form)
            for name, title, form in _COLUMNS
            if any(name in one for one in self.newest)
            and (name not in _SELDOM or any(one.get(name) for one in self.newest))
        ]
        for _, title, _ in known:
            table.add_column(title, justify="right", no_wrap=True)
        for one in self.newest:
            table.add_row(*(form.format(one[name]) if name in one else "" for name, _, form in known))
        return table


def _told(figures: dict[str, Any], steps: int) -> str:
    parts = [f"[{figures['step']}/{steps}]" if steps else f"[{figures['step']}]"]
    if "reward" in figures:
        parts.append(f"reward {figures['reward']:.3f}")
    parts += [f"loss {figures['loss']:.4f}", f"{figures.get('trained_tokens', 0):,} tokens"]
    seconds = [
        f"{name} {figures[f'seconds_{name}']:.1f}"
        for name in ("sampling", "training", "judging")
        if figures.get(f"seconds_{name}")
    ]
    return " · ".join([*parts, f"{figures['seconds']:.1f} s ({', '.join(seconds)})"])


def _said(kind: str, figures: dict[str, Any]) -> str:
    """One line about what happened; "" for what need not be said."""
    if kind == "making":
        return f"making {figures['task']}"
    if kind == "serving":
        return f"the policy is served at {figures['url']}"
    if kind == "rollout":
        scored = "unscorable" if figures["reward"] is None else f"reward {figures['reward']:.3f}"
        return f"rollout {figures['id']} of {figures['task']}: {scored}" + (
            f" ({figures['why']})" if figures["why"] else ""
        )
    if kind == "group":
        return f"group {figures['id']}: {figures['state']}"
    if kind == "saved":
        return f"saved after step {figures['step']}"
    if kind == "redone":
        return f"step {figures['step']} is made again from its rollouts"
    if kind == "chosen":
        left = ", ".join(f"{count} {why}" for why, count in figures["left_out"].items() if count)
        if not figures["of"]:
            return ""  # demonstrations only
        return f"rollouts that are learnt from: {figures['rollouts']} of {figures['of']}" + (
            f"; left out: {left}" if left else ""
        )
    if kind == "demonstrated":
        return f"demonstrations that are learnt from: {figures['rollouts']}"
    return ""
