"""How a run went about it: turns, delegation, when the report was written. A view of the journal."""

from __future__ import annotations

import re
from dataclasses import dataclass

from redwell.journal.journal import Event, Journal

_WRITES = ("report.entry", "report.missing", "report.section", "report.summary", "report.row", "report.changed")
_OUTCOMES = ("call.completed", "call.failed")
_ASKED = re.compile(r"root[:.](\d+)-")


@dataclass(frozen=True, slots=True)
class Behaviour:
    """`turns` of the root, of which `delegating` sent something to a sub-agent; `sub_calls` were answered or failed for good.

    `calls_per_delegating_turn` is None without one, `delegation_rate` is delegating / turns. Times are seconds of work since the run began, pauses
    between a stop and going on left out: `first_entry` and `last_entry` of the report (None when it was written at once at the end, by
    the root's own hand), `last_answer` of a sub-agent, `seconds` of all. `wrote_while_reading` says that something was in the report
    before the last sub-agent had answered.
    """

    turns: int
    delegating: int
    sub_calls: int
    calls_per_delegating_turn: float | None
    delegation_rate: float
    first_entry: float | None
    last_entry: float | None
    last_answer: float | None
    wrote_while_reading: bool
    seconds: float


def behaviour(journal: Journal) -> Behaviour:
    """Of a run, finished or not."""
    clock = _Clock()
    turns: set[int] = set()
    of_cell: dict[int, int] = {}
    delegating: set[int] = set()
    ended: set[str] = set()
    writes: list[float] = []
    answers: list[float] = []
    for event in journal.events():
        now = clock.at(event)
        if event.kind == "turn.started" and event.agent == "root":
            turns.add(event.data["turn"])
        elif event.kind == "cell.started" and event.agent == "root":
            of_cell[event.data["cell"]] = event.data["turn"]
        elif event.kind == "call.sent" and event.data["role"] == "sub":
            # A call may wait long for its place: it belongs to the turn whose cell asked for it, not to that in which it was sent.
            if (asked := _ASKED.match(event.data["call"])) and (turn := of_cell.get(int(asked[1]))):
                delegating.add(turn)
        elif event.kind in _OUTCOMES and event.data["role"] == "sub":
            ended.add(event.data["call"])
            answers.append(now)
        elif event.kind in _WRITES:
            writes.append(now)
    return Behaviour(
        turns=len(turns),
        delegating=len(delegating),
        sub_calls=len(ended),
        calls_per_delegating_turn=len(ended) / len(delegating) if delegating else None,
        delegation_rate=len(delegating) / len(turns) if turns else 0.0,
        first_entry=writes[0] if writes else None,
        last_entry=writes[-1] if writes else None,
        last_answer=answers[-1] if answers else None,
        wrote_while_reading=bool(writes and answers and writes[0] < answers[-1]),
        seconds=clock.worked,
    )


class _Clock:
    """Seconds that were worked: the time from a run's start or going on to its last event before a stop."""

    def __init__(self) -> None:
        self.worked = 0.0
        self._last: float | None = None

    def at(self, event: Event) -> float:
        if self._last is not None and event.kind != "run.resumed":
            self.worked += max(0.0, event.time - self._last)
        self._last = event.time
        return self.worked
