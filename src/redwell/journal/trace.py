"""A run as a tree: the root's turns, their cells, the host calls and sub-agent calls of each cell, with costs and what each read.

A view of the journal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from redwell.journal.journal import Event, Journal
from redwell.journal.shown import shortened
from redwell.journal.span import Span
from redwell.journal.trace_titles import task_sentence

_LONGEST_TITLE = 95  # characters


@dataclass(slots=True)
class Totals:
    """Sums over a node and everything below it. `cost` adds up what is known; `unknown` counts attempts whose cost is not."""

    calls: int = 0
    failed: int = 0
    input: int = 0
    cached_input: int = 0
    output: int = 0
    cost: float = 0.0
    unknown: int = 0
    characters: int = 0

    def add(self, other: Totals) -> None:
        for name in Totals.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(slots=True)
class Node:
    """One thing that a run did. `kind`: run, agent, turn, cell, call, host, finding, entry, compaction, note.

    `whole` is the title of the run before it was shortened. `status` is ok, failed or open (no end in the journal). `facts` are small values to show; `texts` names blobs by purpose;
    `spans` is the room's text that a call contained. `own` counts the node alone, `totals` the node and what is below it.
    """

    id: int
    kind: str
    title: str
    agent: str
    time: float
    whole: str = ""
    status: str = "ok"
    seconds: float | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    spans: list[Span] = field(default_factory=list)
    own: Totals = field(default_factory=Totals)
    totals: Totals = field(default_factory=Totals)
    children: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        """The node and all below it, parents first."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


def tree(journal: Journal) -> Node:
    """The run's node. The order of siblings is the order in which they began."""
    maker = _Maker(journal)
    for event in journal.events():
        maker.take(event)
    _sum(maker.run)
    return maker.run


class _Maker:
    """Puts each event where it belongs: by its agent, and within the agent by its turn and cell."""

    def __init__(self, journal: Journal) -> None:
        self.run = Node(0, "run", str(journal.configuration.get("kind", "run")), "", 0.0, status="open")
        self._agents: dict[str, Node] = {}
        self._turns: dict[str, Node] = {}
        self._cells: dict[tuple[str, Any], Node] = {}
        self._cell: dict[str, Node] = {}
        self._calls: dict[str, Node] = {}

    def take(self, event: Event) -> None:
        if self.run.time == 0.0:
            self.run.time = event.time
        self.run.seconds = max(0.0, event.time - self.run.time)
        family, _, what = event.kind.partition(".")
        match family:
            case "run":
                self._of_run(event, what)
            case "agent":
                self._of_agent(event, what)
            case "turn":
                self._of_turn(event, what)
            case "cell":
                self._of_cell(event, what)
            case "call":
                self._of_call(event, what)
            case "host":
                self._host(event)
            case "finding":
                self._finding(event)
            case "report":
                title = _first(event.data, "title", "topic", "workstream", "what", "reason")
                self._leaf(event, "entry", f"{what}: {title}" if title else what)
            case _:
                self._leaf(event, "compaction" if family == "compaction" else "note", _note_title(event))

    def _of_run(self, event: Event, what: str) -> None:
        if what == "started":
            self.run.facts |= event.data
            self.run.whole = task_sentence(event.data.get("task")) or self.run.title
            self.run.title = shortened(self.run.whole, _LONGEST_TITLE)
        elif what == "finished":
            self.run.facts |= event.data
            self.run.status = "ok" if event.data.get("status") == "submitted" else "failed"
        else:
            self._leaf(event, "note", "the run was resumed")

    def _of_agent(self, event: Event, what: str) -> None:
        node = self._agent(event.agent, event)
        node.facts |= {name: value for name, value in event.data.items() if name != "spans"}
        if what == "started":
            node.title = f"{event.agent}: {_short(event.data.get('question', 'a sub-agent'), _LONGEST_TITLE)}"
            node.spans = _spans(event.data.get("spans", []))
        else:
            node.status = "ok" if event.data.get("status") in ("answered", "done", "submitted") else "failed"
            node.seconds = max(0.0, event.time - node.time)

    def _of_turn(self, event: Event, what: str) -> None:
        number = event.data.get("turn")
        turn = self._turns.get(event.agent)
        if turn is None or turn.facts.get("turn") != number:
            turn = self._new(event, "turn", f"Turn {number}", self._agent(event.agent, event))
            self._turns[event.agent] = turn
            self._cell.pop(event.agent, None)
        turn.facts |= event.data
        turn.texts |= event.blobs
        if what == "finished":
            turn.status = "ok"
            turn.seconds = max(0.0, event.time - turn.time)
        else:
            turn.status = "open"

    def _of_cell(self, event: Event, what: str) -> None:
        key = (event.agent, event.data.get("cell"))
        cell = self._cells.get(key)
        if cell is None:
            cell = self._new(event, "cell", f"Cell {event.data.get('cell')}", self._turn(event))
            cell.status = "open"
            self._cells[key] = cell
        self._cell[event.agent] = cell
        cell.facts |= event.data
        cell.texts |= event.blobs
        if what == "finished":
            cell.status = "ok" if event.data.get("status") == "ok" else "failed"
            cell.seconds = event.data.get("seconds")

    def _of_call(self, event: Event, what: str) -> None:
        data = event.data
        node = self._calls.get(data["call"])
        if node is None:
            node = self._start_call(event)
        node.facts |= {
            name: value for name, value in data.items() if name not in ("spans", "reserved", "usage", "cost")
        }
        node.texts |= event.blobs
        if what == "sent":
            node.status = "open"
            return
        used = data["usage"] or {}
        node.own.input += used.get("input", 0)
        node.own.cached_input += used.get("cached_input", 0)
        node.own.output += used.get("output", 0)
        node.own.cost += data["cost"] or 0.0
        node.own.unknown += data["cost"] is None
        if what == "retried":
            node.facts.setdefault("tries", []).append(f"{data['failure']}: {data['message']}")
            return
        node.status = "ok" if what == "completed" else "failed"
        node.seconds = data.get("seconds", max(0.0, event.time - node.time))
        node.own.failed = int(what == "failed")
        node.own.characters = sum(len(span) for span in node.spans) if what == "completed" else 0
        if what == "completed":
            for name in ("failure", "message"):
                node.facts.pop(name, None)

    def _start_call(self, event: Event) -> Node:
        data = event.data
        if data["role"] == "root":
            node = self._new(event, "call", "The model's answer", self._turn(event))
        else:
            title = _short(data.get("purpose") or "a question", 120)
            node = self._new(event, "call", title, self._cell.get(event.agent) or self._turn(event))
        node.spans = _spans(data.get("spans", []))
        node.own.calls = 1
        self._calls[data["call"]] = node
        return node

    def _host(self, event: Event) -> None:
        parent = self._cells.get((event.agent, event.data.get("cell"))) or self._turn(event)
        node = self._new(event, "host", str(event.data.get("name", "host call")), parent)
        node.status = "failed" if event.data.get("refused") else "ok"
        node.facts = dict(event.data)
        node.texts = dict(event.blobs)

    def _finding(self, event: Event) -> None:
        parent = self._calls.get(str(event.data.get("call", ""))) or self._place(event)
        node = self._new(event, "finding", _short(event.data.get("claim", "a finding"), 140), parent)
        node.facts = {
            name: event.data.get(name) for name in ("id", "kind", "claim", "values", "document") if event.data.get(name)
        }
        citations = event.data.get("citations") or []
        node.facts["quotes"] = [
            f"{one.get('status')}: {one.get('quote')}" for one in citations if isinstance(one, dict)
        ]
        holds = all(one.get("status") in ("verified", "abridged") for one in citations if isinstance(one, dict))
        node.status = "ok" if holds else "failed"

    def _leaf(self, event: Event, kind: str, title: str) -> None:
        node = self._new(event, kind, title, self._place(event))
        node.facts = dict(event.data)
        node.texts = dict(event.blobs)

    def _place(self, event: Event) -> Node:
        return self._cell.get(event.agent) or self._turns.get(event.agent) or self._agents.get(event.agent) or self.run

    def _turn(self, event: Event) -> Node:
        return self._turns.get(event.agent) or self._agent(event.agent, event)

    def _agent(self, name: str, event: Event) -> Node:
        """The root is the run itself; another agent stands where its parent was when it began."""
        if name in ("root", ""):
            return self.run
        if name not in self._agents:
            parent = name.rpartition(".")[0] or "root"
            place = self._cell.get(parent) or self._turns.get(parent) or self._agents.get(parent) or self.run
            self._agents[name] = self._new(event, "agent", name, place)
            self._agents[name].status = "open"
        return self._agents[name]

    def _new(self, event: Event, kind: str, title: str, parent: Node) -> Node:
        node = Node(event.sequence, kind, title, event.agent, event.time)
        parent.children.append(node)
        return node


def _sum(run: Node) -> None:
    for node in reversed(list(run.walk())):
        node.totals.add(node.own)
        for child in node.children:
            node.totals.add(child.totals)


def _spans(given: list[Any]) -> list[Span]:
    """Spans as events carry them: [document, start, end, view], or the fields by name."""
    return [Span(**one) if isinstance(one, dict) else Span(*one) for one in given]


def _first(data: dict[str, Any], *names: str) -> str:
    return next((_short(data[name], 120) for name in names if data.get(name)), "")


def _note_title(event: Event) -> str:
    if event.kind == "compaction":
        return "The conversation was shortened"
    return _first(event.data, "text", "message") or event.kind


def _short(value: Any, longest: int) -> str:
    return shortened(str(value), longest)
