"""`budget`, `coverage`, `show`, `submit`: what is left, what was read, the rest of a long output, the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from redwell.harness.guest.constants import CHILD, SUBAGENTS
from redwell.harness.guest.findings import Finding
from redwell.harness.guest.listing import Listing, Text, named
from redwell.harness.guest.room import Span, room

if TYPE_CHECKING:

    def host(name: str, **arguments: Any) -> Any: ...


__all__ = ["budget", "coverage", "help", "show", "answer" if CHILD else "submit"]


class Figures(dict[str, Any]):
    """A dict that prints one line per entry."""

    def __repr__(self) -> str:
        return "\n".join(f"{key}: {_figure(value)}" for key, value in self.items()) or "no limits"

    __str__ = __repr__


class Coverage:
    """`.share` (0 to 1) of the readable text that was in calls with an answer, `.read` and `.total` characters, `.unread` (spans,
    ready for dispatch(question, over=coverage().unread)), `.skimmed` (spans that rules have read and no language model was shown),
    `.documents` (not read in full)."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.share: float = given["share"]
        self.read: int = given["read"]
        self.total: int = given["total"]
        self.unread: Listing[Span] = named(
            "unread spans", (Span(room.document(d), s, e, v) for d, s, e, v in given["unread"])
        )
        self.skimmed: Listing[Span] = named(
            "skimmed spans", (Span(room.document(d), s, e, v) for d, s, e, v in given["skimmed"])
        )

    @property
    def documents(self) -> Listing[Any]:
        return named("documents not read in full", dict.fromkeys(span.document for span in self.unread))

    def __repr__(self) -> str:
        rest = f"; {self.documents!r}" if self.unread else ""
        if self.skimmed:
            rest = f", {sum(map(len, self.skimmed)):,} of them by rules only{rest}"
        return f"{self.share:.1%} of the readable text ({self.read:,} of {self.total:,} characters) was read{' by sub-agents' if SUBAGENTS else ''}{rest}"


def budget() -> Figures:
    """What is left of the run's budget, for all agents together."""
    return Figures(host("budget"))


def coverage() -> Coverage:
    """How much of the room's readable text was in calls that were answered, and which was not."""
    return Coverage(host("coverage"))


def show(handle: str, start: int = 0) -> None:
    """Prints the output behind a handle, from a character on."""
    print(host("show", handle=handle, start=start))


def help(thing: Any) -> None:
    """Prints how a function is called, or what an object has: help(dispatch), help(room), help(Finding)."""
    import inspect  # costly at the start of a session

    if inspect.isroutine(thing):
        print(_described(thing.__name__, thing))
        return
    kind = thing if inspect.isclass(thing) else type(thing)
    lines = [inspect.getdoc(kind) or kind.__name__]
    for name, method in inspect.getmembers(kind, inspect.isfunction):
        if not name.startswith("_"):
            lines.append(_described(f".{name}", method))
    print("\n\n".join(lines))


def submit() -> Text:
    """Ends the run. Refuses, with the reasons, while something is undisclosed."""
    return Text(host("submit"))


def answer(findings: Any = (), notes: str = "") -> Text:
    """Ends this session with what was found: findings as you got them, or dicts with claim, quotes [{"document", "text"}], and if
    wanted kind and values. `notes` is for what is not a finding."""
    if isinstance(findings, dict | Finding):
        findings = [findings]
    given = [each.json() if isinstance(each, Finding) else each for each in findings]
    return Text(host("answer", findings=given, notes=notes))


def _described(name: str, function: Any) -> str:
    import inspect

    try:
        taken = inspect.signature(function).parameters.values()
        call = ", ".join(str(each.replace(annotation=each.empty)) for each in taken if each.name != "self")
    except (TypeError, ValueError):
        call = "..."
    return f"{name}({call})\n    {' '.join((inspect.getdoc(function) or '').split())}".rstrip()


def _figure(value: Any) -> str:
    if value is None:
        return "unlimited"
    return f"{value:,.2f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
