"""What a user sees while a run goes on: one live line, or JSON lines, or nothing; and the summary at the end."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from redwell.cli.console import plain_console
from redwell.cli.stores import listed, reports
from redwell.harness.types import Outcome
from redwell.journal.counted import counted
from redwell.journal.shown import shown, shown_line
from redwell.room.types import Accounting

STYLES = {"Critical": "bold red", "High": "yellow", "Medium": "blue", "Low": "dim"}


class Progress:
    def __init__(self, *, quiet: bool, as_json: bool) -> None:
        self.quiet, self.as_json = quiet, as_json
        self.console = plain_console()
        self.figures: dict[str, Any] = {}
        self.counts: Counter[str] = Counter()
        self.began = time.monotonic()
        self.live = not quiet and not as_json and self.console.is_terminal

    def shown(self) -> AbstractContextManager[None]:
        """While it lasts, there is a live view on a terminal."""
        return live_view(self.console, self._line, self.live)

    # --- what happens -------------------------------------------------------------------------------------------------------

    def reading(self, figures: dict[str, Any]) -> None:
        self._show("reading", figures)

    def read(self, account: Accounting) -> None:
        figures = {
            "found": account.found,
            "read": account.read,
            "partly_read": account.partly_read,
            "unreadable": account.unreadable,
            "skipped": account.skipped,
            "pages": account.pages,
            "characters": account.characters,
        }
        self._show("read", figures)
        self._say(
            f"Room: {counted(account.found, 'file')} found, {account.read:,} read, {account.partly_read:,} partly read, "
            f"{account.unreadable:,} unreadable, {account.skipped:,} skipped; {counted(account.characters, 'character')}"
        )

    def event(self, kind: str, figures: dict[str, Any]) -> None:
        """Called by the harness."""
        self.counts[kind] += 1
        self._show(kind, figures)
        if kind == "note" and figures.get("text"):
            self._say(str(figures["text"]))

    def done(self, outcome: Outcome, folder: Path) -> None:
        self._done(outcome, folder)
        if outcome.status == "interrupted":
            print(f"go on with: redwell resume {shlex.quote(str(folder))}", file=sys.stderr)

    def _done(self, outcome: Outcome, folder: Path) -> None:
        entries = _entries(folder)
        if self.as_json:
            self._print_json(
                "done",
                {
                    "status": outcome.status,
                    "reason": outcome.reason,
                    "turns": outcome.turns,
                    "files": [str(path) for path in reports(folder)],
                    "entries": dict(Counter(entry["severity"] for entry in entries)),
                    "seconds": round(time.monotonic() - self.began, 1),
                },
            )
            return
        if self.quiet:
            if outcome.status != "submitted" or outcome.state.unread or outcome.state.failures:
                print(f"redwell: {shown_line(_said(outcome))}", file=sys.stderr)
            return
        self.console.print()
        table = Table(box=None, pad_edge=False, header_style="bold", title_justify="left")
        for name in ("No.", "Severity", "Workstream", "Finding", "Exposure"):
            table.add_column(name, justify="right" if name == "Exposure" else "left", overflow="fold")
        for entry in entries[:12]:
            base = entry["exposure"]["base"]
            amount = f"{entry['exposure']['currency']} {base:,.0f}" if base is not None else "not quantified"
            severity = Text(entry["severity"], STYLES[entry["severity"]])
            table.add_row(entry["id"], severity, entry["workstream"], shown_line(entry["title"]), amount)
        if entries:
            self.console.print(table)
        if len(entries) > 12:
            self.console.print(f"and {len(entries) - 12} more in the register")
        self.console.print()
        files = reports(folder)
        for line in listed(files):
            self._say(line)
        if faults := [path for path in files if path.name == "not-rendered.txt"]:
            self.console.print(f"Not every rendering could be made: {faults[0]} says why", style="red", soft_wrap=True)
        self.console.print(f"{shown_line(_said(outcome))}. {self._figures()}", soft_wrap=True)

    def finished_before(self, folder: Path, files: list[Path]) -> None:
        """Says that there is nothing to go on with, and where the reports are."""
        if self.as_json:
            self._print_json("done", {"status": "submitted", "reason": "", "files": [str(path) for path in files]})
        self._say(f"{folder} is finished: its report was submitted. The files are:")
        for line in listed(files):
            self._say(line)

    # --- how it is shown ----------------------------------------------------------------------------------------------------

    def _show(self, kind: str, figures: dict[str, Any]) -> None:
        self.figures.update(figures)
        if self.as_json:
            self._print_json(kind, figures)

    def _say(self, text: str) -> None:
        if not self.quiet and not self.as_json:
            self.console.print(shown(text), soft_wrap=True)

    def _print_json(self, kind: str, figures: dict[str, Any]) -> None:
        print(
            json.dumps({"event": kind, "seconds": round(time.monotonic() - self.began, 2), **figures}, default=str),
            flush=True,
        )

    def _line(self) -> Group:
        spinner = "◐◓◑◒"[int(time.monotonic() * 4) % 4]
        return Group(Text(f"{spinner} {self._figures()}", overflow="ellipsis", no_wrap=True))

    def _figures(self) -> str:
        """What must not be cut off on a narrow terminal stands first."""
        shown = []
        if "coverage" in self.figures:
            shown.append(f"coverage {percent(self.figures['coverage'])}")
        cost = self.figures.get("cost", 0.0)
        shown.append("cost unknown" if cost is None else f"cost ${cost:,.2f}")
        shown.append(f"{time.monotonic() - self.began:.0f} s")
        for name in ("turn", "calls", "findings", "entries", "files", "pages"):
            if self.figures.get(name):
                shown.append(f"{name} {self.figures[name]:,}")
        return " · ".join(shown)


class Watch:
    """Passes on what the harness tells, and adds coverage, cost and the number of entries, which are views of the journal."""

    EVERY_SECONDS = 0.5

    def __init__(self, journal: Any, room: Any, tell: Callable[[str, dict[str, Any]], None]) -> None:
        self.journal, self.tell = journal, tell
        self.lengths = {document.id: document.length for document in room.documents()}
        self.entries = 0
        self.seen = 0
        self.looked = 0.0

    def __call__(self, kind: str, figures: dict[str, Any]) -> None:
        names = {"call": ("answered", "calls"), "finding": ("total", "findings")}
        known = {names[kind][1]: figures[names[kind][0]]} if kind in names else {}
        self.tell(kind, {**figures, **known})
        if kind in ("call", "entry", "turn") and time.monotonic() - self.looked > self.EVERY_SECONDS:
            self.look()

    def look(self) -> None:
        from redwell.journal.coverage import coverage
        from redwell.journal.usage import usage

        self.looked = time.monotonic()
        for event in self.journal.events("report.entry", after=self.seen):
            self.seen, self.entries = event.sequence, self.entries + 1
        spent = usage(self.journal)
        share = coverage(self.journal, self.lengths).share
        self.tell("figures", {"coverage": share, "cost": spent.cost, "calls": spent.calls, "entries": self.entries})


@contextmanager
def live_view(console: Console, view: Callable[[], RenderableType], wanted: bool) -> Iterator[None]:
    """While it lasts, the console shows what `view` gives, anew a few times in a second, and nothing of it afterwards; and all along where it is not
    wanted."""
    if not wanted:
        yield
        return
    with Live(get_renderable=view, console=console, refresh_per_second=4, transient=True):
        yield


def _said(outcome: Outcome) -> str:
    """How a run ended, in one line."""
    if outcome.status != "submitted":
        return f"Report incomplete ({outcome.status}): {outcome.reason}"
    if not outcome.state.unread and not outcome.state.failures:
        return "Report submitted"
    documents = len({span.document for span in outcome.state.unread})
    reasons = Counter(f"{failure.kind}: {failure.message}"[:160] for failure in outcome.state.failures)
    said = f"Report submitted, but {counted(documents, 'document was', 'documents were')} not read in full"
    if not documents:
        said = "Report submitted, but some questions were not answered"
    return said + "".join(f"; {count} × {reason}" for reason, count in reasons.most_common(3))


def percent(share: float) -> str:
    """A share as a figure that says 100 % only of all."""
    return "100%" if share >= 1 else f"{min(share * 100, 99.9):.1f}%"


def _entries(folder: Path) -> list[dict[str, Any]]:
    try:
        data = json.loads((folder / "output" / "report.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        print(f"redwell: report.json cannot be read back: {error}", file=sys.stderr)
        return []
    entries: list[dict[str, Any]] = data["entries"]
    return entries


def duration(seconds: float) -> str:
    """For people: seconds, minutes, or hours and minutes."""
    whole = round(seconds)
    if whole < 120:
        return f"{whole} s"
    return f"{whole // 60} min" if whole < 7200 else f"{whole // 3600} h {whole % 3600 // 60} min"
