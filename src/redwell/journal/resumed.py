"""What interruptions did to a run: how often it was gone on with, and which calls were out then. A view of the journal."""

from __future__ import annotations

from dataclasses import dataclass

from redwell.journal.journal import Event, Journal

_OUTCOMES = ("call.retried", "call.completed", "call.failed")


@dataclass(frozen=True, slots=True)
class Repeated:
    """A call that was out when the run was interrupted. `key` is the idempotency key that all its requests carry.

    `times` is how often it was sent again; 0 when it was not asked for any more. What the server charged for a request whose answer
    never reached the journal is not known: no figure of the run contains it.
    """

    call: str
    agent: str
    role: str
    model: str
    purpose: str
    key: str
    times: int


@dataclass(frozen=True, slots=True)
class Resumed:
    """`times` the run was gone on with; `calls` in the order in which they were first out."""

    times: int
    calls: tuple[Repeated, ...]

    @property
    def again(self) -> tuple[Repeated, ...]:
        """The calls that were sent again."""
        return tuple(call for call in self.calls if call.times)


def resumed(journal: Journal) -> Resumed:
    """The interruptions up to the newest event, by kill or by Ctrl-C, and what they cost in repeated calls."""
    times = 0
    sent: dict[str, Event] = {}
    out: set[str] = set()  # calls whose last request has no outcome, or was called off
    cut: set[str] = set()  # those of them that were out when the run was last interrupted
    again: dict[str, int] = {}  # by call that an interruption cut off, how often it was sent since
    for event in journal.events(("run.resumed", "call.sent", *_OUTCOMES)):
        if event.kind == "run.resumed":
            times += 1
            cut = set(out)
            again |= {call: again.get(call, 0) for call in sent if call in cut}
            continue
        call = event.data["call"]
        if event.kind == "call.sent":
            if call in cut:
                again[call] += 1
                cut.discard(call)
            sent[call] = event
            out.add(call)
        elif event.kind != "call.failed" or event.data["failure"] != "cancelled":
            out.discard(call)
    return Resumed(times, tuple(_repeated(sent[call], count) for call, count in again.items()))


def _repeated(event: Event, times: int) -> Repeated:
    data = event.data
    return Repeated(data["call"], event.agent, data["role"], data["model"], data["purpose"], data["key"], times)
