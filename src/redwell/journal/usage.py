"""What a run used: calls, tokens and dollars by role and model. A view of the journal."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from redwell.journal.journal import Journal

_OUTCOMES = ("call.retried", "call.completed", "call.failed")


@dataclass(frozen=True, slots=True)
class Tokens:
    """`input` includes `cached_input` and `cache_written`."""

    input: int = 0
    cached_input: int = 0
    output: int = 0
    cache_written: int = 0


@dataclass(frozen=True, slots=True)
class Use:
    """One role and model. `calls` were asked, of which `failed` got no answer and `open` have none yet; `requests` counts every
    attempt that was sent.

    Tokens and `known_cost` (US dollars) add up all attempts that told what they used, failed ones too; `unknown` counts the
    attempts that did not, and `cost` is None as soon as one attempt's cost is not known.
    """

    role: str
    model: str
    calls: int
    failed: int
    open: int
    requests: int
    tokens: Tokens
    cost: float | None
    known_cost: float
    unknown: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Used:
    """All of a run; `cost` is None when any part of it is not known."""

    lines: tuple[Use, ...]
    calls: int
    failed: int
    tokens: Tokens
    cost: float | None
    known_cost: float


def usage(journal: Journal) -> Used:
    """What was used up to the newest event; lines in the order root, sub, judge."""
    followed = _followed.get(journal)
    if followed is None:
        followed = _followed[journal] = _Following()
    tallies = followed.follow(journal)
    order = ("root", "sub", "judge")
    keys = sorted(tallies, key=lambda key: (order.index(key[0]) if key[0] in order else 9, key))
    lines = tuple(tallies[key].line(*key) for key in keys)
    tokens = Tokens(*(sum(getattr(line.tokens, name) for line in lines) for name in Tokens.__slots__))
    known = round(sum(line.known_cost for line in lines), 9)
    unknown = any(line.cost is None for line in lines)
    calls, failed = sum(line.calls for line in lines), sum(line.failed for line in lines)
    return Used(lines, calls, failed, tokens, None if unknown else known, known)


class _Following:
    """Follows a journal, so that asking again costs only what has happened since."""

    def __init__(self) -> None:
        self._after = 0
        self._tallies: dict[tuple[str, str], _Tally] = {}

    def follow(self, journal: Journal) -> dict[tuple[str, str], _Tally]:
        for event in journal.events(("call.sent", *_OUTCOMES), after=self._after):
            self._after = event.sequence
            data = event.data
            tally = self._tallies.setdefault((data["role"], data["model"]), _Tally())
            if event.kind == "call.sent":
                tally.requests += 1
                tally.become(data["call"], "open")
                continue
            tally.add(data["usage"], data["cost"])
            if event.kind == "call.completed":
                tally.seconds += data["seconds"]
            if event.kind != "call.retried":
                tally.become(data["call"], "answered" if event.kind == "call.completed" else "failed")
        return self._tallies


_followed: WeakKeyDictionary[Journal, _Following] = WeakKeyDictionary()


class _Tally:
    def __init__(self) -> None:
        self.state: dict[str, str] = {}
        self.states: Counter[str] = Counter()
        self.requests = 0
        self.counts = [0, 0, 0, 0]
        self.cost = 0.0
        self.unknown = 0
        self.unpriced = 0
        self.seconds = 0.0

    def become(self, call: str, state: str) -> None:
        """Notes the state that a call is in now."""
        if (before := self.state.get(call)) is not None:
            self.states[before] -= 1
        self.state[call] = state
        self.states[state] += 1

    def add(self, used: dict[str, int] | None, cost: float | None) -> None:
        if used is None:
            self.unknown += 1
        else:
            given = [used["input"], used["cached_input"], used["output"], used.get("cache_written", 0)]
            self.counts = [total + part for total, part in zip(self.counts, given, strict=True)]
        if cost is None:
            self.unpriced += 1
        else:
            self.cost += cost

    def line(self, role: str, model: str) -> Use:
        known = round(self.cost, 9)
        return Use(
            role=role,
            model=model,
            calls=len(self.state),
            failed=self.states["failed"],
            open=self.states["open"],
            requests=self.requests,
            tokens=Tokens(*self.counts),
            cost=None if self.unpriced else known,
            known_cost=known,
            unknown=self.unknown,
            seconds=round(self.seconds, 4),
        )
