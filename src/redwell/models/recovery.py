"""What a journal tells of the calls of earlier processes."""

from __future__ import annotations

from dataclasses import dataclass, field

from redwell.journal.journal import Event, Journal
from redwell.models.budget import Budget
from redwell.models.record import read_usage
from redwell.models.retries import SETTLED

_KINDS = ("call.sent", "call.retried", "call.completed", "call.failed")


@dataclass(slots=True)
class Past:
    """By call: the newest `call.sent`, and the completion or lasting failure that answers it."""

    sent: dict[str, Event] = field(default_factory=dict)
    settled: dict[str, Event] = field(default_factory=dict)


def recover(journal: Journal, budget: Budget) -> Past:
    """Reads the calls of earlier processes and charges the budget with what they cost, once for a journal.

    An attempt whose cost nobody told, and one that was out when its process ended, counts with all that was reserved for it. The
    time of the run is the time between its events, without the pauses before it was resumed.
    """
    past = Past()
    out: dict[str, tuple[float, int]] = {}  # what attempts without an outcome had reserved
    dollars, tokens, calls, seconds, last = 0.0, 0, 0, 0.0, None
    for event in journal.events():
        if last is not None and event.kind != "run.resumed":
            seconds += max(0.0, event.time - last)  # a clock that was set back counts as nothing
        last = event.time
        if event.kind not in _KINDS:
            continue
        call, data = event.data["call"], event.data
        if event.kind == "call.sent":
            lost = out.get(call, (0.0, 0))
            dollars, tokens = dollars + lost[0], tokens + lost[1]
            reserved = data["reserved"] or {"dollars": 0.0, "tokens": 0}
            out[call] = (reserved["dollars"], reserved["tokens"])
            past.sent[call] = event
            past.settled.pop(call, None)
            calls += 1
            continue
        lasts = event.kind == "call.failed" and data["failure"] in SETTLED and data["attempts"] > 0
        if event.kind == "call.completed" or lasts:
            past.settled[call] = event
        held = out.pop(call, (0.0, 0))
        usage = read_usage(data["usage"])
        tokens += held[1] if usage is None else usage.input + usage.output
        dollars += held[0] if data["cost"] is None else data["cost"]
    dollars += sum(held[0] for held in out.values())
    tokens += sum(held[1] for held in out.values())
    if last is not None:
        budget.restore(journal.id, dollars=dollars, tokens=tokens, calls=calls, seconds=seconds)
    return past
