"""`ask`, `ask_many`, `dispatch`: questions to sub-agents, which read what the root does not."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from redwell.harness.guest.constants import AGENTS, SLICE_CHARS
from redwell.harness.guest.findings import Failure, Finding, Findings, flat, result
from redwell.harness.guest.listing import Listing, named
from redwell.harness.guest.room import Span, cut, room, spans_of

if TYPE_CHECKING:

    class HostError(Exception): ...

    def host(name: str, **arguments: Any) -> Any: ...


__all__ = ["all_findings", "ask", "ask_many", "batches", "dispatch"]

Result = Findings | Failure


class _Call:  # no dataclass: importing those takes longer than all modules of a session
    def __init__(self, question: str, spans: list[Span], schema: Any, item: int) -> None:
        self.question = question
        self.spans = spans
        self.schema = schema
        self.item = item


class Batch:
    """Calls that run while cells go on, and between turns. `len(batch)`; `.done`; `.arrived` (how many); `.new()` (results since the
    last look); `.wait(n, seconds)` (the same after waiting for n more, or all); `.next(n)` and
    `.results()` (wait; in the order asked); `for result in batch` (as they arrive); `.findings` and `.failures` (of those that have arrived)."""

    def __init__(self, identity: str, calls: list[_Call]) -> None:
        self.id = identity
        self._calls = calls
        self._arrived: list[Result] = []
        self._order: list[int] = []
        self._looked = 0
        self._taken = 0

    def _fetch(self, wait: int = 0, seconds: float | None = None) -> None:
        """Takes over what has arrived; with `wait`, once there are that many results in all, or `seconds` have passed."""
        if len(self._arrived) == len(self._calls):
            return
        while True:
            answer = host("batch.results", batch=self.id, after=len(self._arrived), wait=wait, seconds=seconds)
            for given in answer["results"]:
                call = self._calls[given["index"]]
                self._order.append(given["index"])
                self._arrived.append(result(given, call.question, call.spans, call.schema, call.item))
            if not answer["more"]:
                return

    def _state(self) -> dict[str, int]:
        if len(self._arrived) == len(self._calls):
            failed = sum(isinstance(each, Failure) for each in self._arrived)
            return {"arrived": len(self._arrived), "failed": failed, "findings": len(flat(self._arrived))}
        found: dict[str, int] = host("batch.state", batch=self.id)
        return found

    @property
    def done(self) -> bool:
        return self._state()["arrived"] == len(self._calls)

    @property
    def arrived(self) -> int:
        return self._state()["arrived"]

    def new(self) -> Listing[Result]:
        """The results that arrived since the last look, without waiting."""
        self._fetch()
        found = self._arrived[self._looked :]
        self._looked = len(self._arrived)
        return named("results", found)

    def wait(self, n: int | None = None, seconds: float | None = None) -> Listing[Result]:
        """Waits until `n` more results are there (all of them when None), or `seconds` have passed; the results since the last look."""
        self._fetch(len(self) if n is None else min(len(self), self._looked + n), seconds)
        return self.new()

    def next(self, n: int) -> Listing[Result]:
        """The next `n` results in the order in which they were asked for; waits for them. Empty when all have been taken."""
        wanted = range(self._taken, min(self._taken + n, len(self)))
        while not set(wanted) <= set(self._order):
            self._fetch(len(self._arrived) + 1)
        by_index = dict(zip(self._order, self._arrived, strict=True))
        self._taken = wanted.stop
        return named("results", (by_index[index] for index in wanted))

    @property
    def left(self) -> int:
        """How many results `next` has not handed out yet."""
        return len(self) - self._taken

    def results(self) -> Listing[Result]:
        """All results, in the order in which they were asked for; waits for them."""
        self._fetch(len(self))
        self._looked = len(self._arrived)
        return named("results", (each for _, each in sorted(zip(self._order, self._arrived, strict=True), key=_first)))

    @property
    def findings(self) -> Listing[Finding]:
        self._fetch()
        return flat(self._arrived)

    @property
    def failures(self) -> Listing[Failure]:
        self._fetch()
        return named("failures", (each for each in self._arrived if isinstance(each, Failure)))

    def __iter__(self) -> Iterator[Result]:
        position = 0
        while position < len(self):
            if position == len(self._arrived):
                self._fetch(position + 1)
            position += 1
            self._looked = max(self._looked, position)
            yield self._arrived[position - 1]

    def __len__(self) -> int:
        return len(self._calls)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        state = self._state()
        failed = f", {state['failed']} of them failed" if state["failed"] else ""
        return f"<Batch {self.id}: {state['arrived']} of {len(self)} arrived{failed}, {state['findings']} findings>"


_batches: dict[str, Batch] = {}


def ask(question: str, over: Any = None, schema: Any = None, agent: bool = False) -> Result:
    """One question over one bounded stretch of the room; waits. Returns a list of findings, or a Failure. `schema` names values that
    each finding should hold, as {"amount": "number", "party": "string"}."""
    spans = _named_spans(over)
    size = sum(len(span) for span in spans)
    if size > SLICE_CHARS and not agent:
        raise HostError(
            f"{size:,} characters do not fit into one call (the most is {SLICE_CHARS:,}). Cut it: ask_many(question, over=...) or "
            "dispatch(question, over=...) makes slices itself, room.slices() and document.slices() give them to you."
        )
    return _send([_Call(_question(question), spans, schema, 0)], agent).results()[0]


def ask_many(items: Any, over: Any = None, schema: Any = None, agents: bool = False) -> Listing[Result]:
    """Many questions at once; waits for all. Takes what `dispatch` takes; returns results in the order asked."""
    return dispatch(items, over, schema, agents).results()


def dispatch(items: Any, over: Any = None, schema: Any = None, agents: bool = False) -> Batch:
    """Starts many calls and returns at once with a Batch. `items` is one question (cut over `over` into as many calls as needed), or a
    list of questions (each over `over`), of (question, over) pairs, of dicts with question, over, schema, or of failures to be
    asked again. An item that is larger than a slice becomes several calls; `result.item` says which item a result answers."""
    if isinstance(items, str | dict | Failure):
        items = [items]
    calls: list[_Call] = []
    for index, item in enumerate(_checked(items)):
        question, part, shape = _item(item, over, schema)
        spans = _named_spans(part)
        parts: Iterable[list[Span]] = [spans] if agents else cut(spans)
        calls += [_Call(question, list(each), shape, index) for each in parts]
    return _send(calls, agents)


def batches() -> Listing[Batch]:
    """Every batch so far, also those whose variable is gone."""
    for given in host("batches", known=list(_batches)):
        calls = [
            _Call(question, [Span(room.document(each[0]), *each[1:]) for each in spans], schema, index)
            for index, (question, schema, spans) in enumerate(given["calls"])
        ]
        _batches[given["batch"]] = Batch(given["batch"], calls)
    return named("batches", _batches.values())


def all_findings() -> Listing[Finding]:
    """The findings of every batch so far, of the calls that have been answered."""
    return named("findings", (each for batch in batches() for each in batch.findings))


def _send(calls: list[_Call], agents: bool) -> Batch:
    if agents and not AGENTS:
        raise HostError("sub-agents with a session of their own are not offered in this run; ask without agent=")
    questions: dict[str, int] = {}
    schemas: dict[str, int] = {}
    wanted = []
    for call in calls:
        question = questions.setdefault(call.question, len(questions))
        schema = schemas.setdefault(_encoded(call.schema), len(schemas))
        wanted.append([question, schema, [span.json() for span in call.spans]])
    answer = host(
        "dispatch",
        questions=list(questions),
        schemas=[json.loads(each) for each in schemas],
        calls=wanted,
        agents=agents,
    )
    batch = Batch(answer["batch"], calls)
    _batches[batch.id] = batch
    return batch


def _item(item: Any, over: Any, schema: Any) -> tuple[str, Any, Any]:
    if isinstance(item, str):
        return _question(item), over, schema
    if isinstance(item, Failure):
        return item.question, item.spans, schema or item.schema
    if isinstance(item, dict):
        unknown = set(item) - {"question", "over", "schema"}
        if unknown or "question" not in item:
            raise HostError(
                f"an item's dict has question, over and schema; this one has {', '.join(map(repr, item)) or 'nothing'}"
            )
        return _question(item["question"]), item.get("over", over), item.get("schema", schema)
    if isinstance(item, tuple | list) and len(item) == 2 and isinstance(item[0], str):
        return _question(item[0]), item[1], schema
    raise HostError(f"an item is a question, (question, over), a dict or a Failure, not {item!r:.200}")


def _checked(items: Any) -> list[Any]:
    if isinstance(items, Span) or not isinstance(items, Iterable):
        raise HostError(f"give a question with over=, or a list of items, not {items!r:.200}")
    found = list(items)
    if len(found) == 2 and isinstance(found[0], str) and not isinstance(found[1], str | dict | Failure | tuple):
        raise HostError("give a list of items: [(question, over)], or dispatch(question, over=...)")
    return found


def _named_spans(over: Any) -> list[Span]:
    if over is None:
        raise HostError("over= is missing: which documents, spans or slices should be read? over=room is all of them")
    spans = spans_of(over)
    if not spans:
        raise HostError(f"there is no readable text in {over!r:.200}")
    return spans


def _question(question: Any) -> str:
    if not isinstance(question, str) or not question.strip():
        raise HostError(f"a question is a text that is not empty, not {question!r:.200}")
    return question.strip()


def _encoded(schema: Any) -> str:
    try:
        return json.dumps(schema)
    except (TypeError, ValueError):
        raise HostError('schema= names the values wanted, such as {"amount": "number", "party": "text"}') from None


def _first(pair: tuple[int, Result]) -> int:
    return pair[0]
