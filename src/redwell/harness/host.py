"""The host's side of a session: answers what its cells call, writes each answer down, and answers from the journal in a replay."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from typing import Any, cast

from redwell.harness.batches import Batch, Item, Result, span_json
from redwell.harness.handover import answered_findings, calls_in_flight, left_failures, unseen_results
from redwell.harness.replay import Past, PastCell, Recorded, finding, recorded
from redwell.harness.shared import Shared
from redwell.harness.subagent import Answer, schema
from redwell.harness.types import Failure
from redwell.journal.journal import JournalError
from redwell.room.errors import RoomError
from redwell.room.types import Hit, Span, View
from redwell.sandbox.types import HostRefusal, Json

Handler = Callable[..., Awaitable[Json]]

LINE_CHARS = 400
MAX_HITS, MAX_MATCHES = 10_000, 100_000
CELL_BYTES = 256 << 20
"""How much one cell's calls and their answers may take up in the journal: a cell that calls without end must not fill the disk."""
_PIECE = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]| +", re.DOTALL)
"""Of a regular expression: what is escaped, a class, or spaces outside both."""


@dataclass(slots=True)
class Cell:
    """The cell that runs. In a `replay` only recorded answers are given; a cell that goes on after them is live."""

    number: int
    past: PastCell | None = None
    replay: bool = False
    calls: int = 0
    bytes: int = 0


class Host:
    """Answers the calls of one agent's cells. `accepted` is the cell whose submit() or answer() ended its work."""

    def __init__(self, shared: Shared, agent: str, past: Past, *, child: bool = False) -> None:
        self._shared = shared
        self._agent = agent
        self._cell: Cell | None = None
        self._batches: dict[str, Batch] = {}
        self._outputs: dict[str, str] = {}
        self._acknowledged: set[str] = set()
        self._tools: dict[str, Handler] = {
            "search": self._search,
            "grep": self._grep,
            "dispatch": self._dispatch,
            "batch.results": self._results,
            "batch.state": self._state,
            "batches": self._list_batches,
            "budget": self._budget,
            "coverage": self._coverage,
            "show": self._show,
        }
        if not shared.settings.depth:
            for name in ("dispatch", "batch.results", "batch.state", "batches"):
                del self._tools[name]
        self._tools |= {"answer": self._answer} if child else {"submit": self._submit}
        self.accepted: int | None = None
        self.answer: Answer | None = None
        self.fault: BaseException | None = None
        self.diverged: list[int] = []
        self.live: list[
            tuple[str, str]
        ] = []  # what cells have called since the last turn, with the reason of a refusal
        self._recover(past)

    # --- cells ----------------------------------------------------------------------------------------------------------------

    def begin(self, number: int, past: PastCell | None = None, *, replay: bool = False) -> None:
        self._cell = Cell(number, past, replay)

    def end(self) -> None:
        self._cell = None

    def remember_output(self, number: int, blobs: dict[str, str]) -> None:
        """Makes a cell's output and error reachable for show()."""
        for name, prefix in (("output", "out"), ("error", "error")):
            if name in blobs:
                self._outputs[f"{prefix}{number}"] = blobs[name]

    def start_pending(self) -> None:
        """Starts the calls that an earlier process had not seen answered."""
        for batch in self._batches.values():
            self._shared.pool.start(batch)

    @property
    def not_looked_at(self) -> int:
        return sum(len(batch.arrived) - batch.delivered for batch in self._batches.values())

    async def handle(self, name: str, arguments: dict[str, Json]) -> Json:
        """Answers one call: from the journal where it has the answer, else live, and then the journal has it before the cell does."""
        cell = self._cell
        if cell is None:
            return await self._look(name, arguments)
        number = cell.calls
        cell.calls += 1
        if cell.past is not None and number in cell.past.answers:
            return self._replayed(recorded(cell.past.answers[number], self._shared.journal), name, cell)
        if cell.replay:
            self._diverge(cell)
            raise HostRefusal(f"{name} was not called at this point when the cell first ran")
        if self.accepted is not None:
            raise HostRefusal("the work has been handed in; nothing more is done")
        try:
            asked = _json(arguments)
        except RecursionError:
            raise HostRefusal(f"{name}: the arguments are nested too deeply") from None
        if cell.bytes > CELL_BYTES:
            raise HostRefusal(f"the calls of this cell hold more than {CELL_BYTES >> 20} MB: go on in another cell")
        try:
            answer = await self._perform(name, arguments, number)
        except HostRefusal as refusal:
            self.live.append((name, str(refusal)))
            await self._record(cell, number, name, True, asked, str(refusal))
            raise
        except Exception as error:
            # Not the cell's fault (a full disk, a damaged store): the run ends, and must not look like a refusal.
            self.fault = self.fault or error
            raise HostRefusal(f"{name}: the host could not answer this call") from error
        self.live.append((name, ""))
        await self._record(cell, number, name, False, asked, answer)
        if name == "dispatch":
            self._shared.pool.start(self._batches[answer["batch"]])
        return answer

    async def _perform(self, name: str, arguments: dict[str, Json], number: int) -> Json:
        application = self._shared.application
        if name.startswith(f"{application.name}.") and "submit" in self._tools:
            answer = await application.handle(name, arguments)
            self._shared.progress("entry", {"call": name})
            return answer
        tool = self._tools.get(name)
        if tool is None:
            raise HostRefusal(f"the host has no call {name!r}")
        try:
            bound = inspect.signature(tool).bind(**arguments)
        except TypeError as error:
            raise HostRefusal(f"{name} takes {', '.join(inspect.signature(tool).parameters)}: {error}") from None
        try:
            if name == "dispatch":
                return await self._dispatch(**arguments, number=number)
            return await tool(*bound.args, **bound.kwargs)
        except RoomError as error:
            raise HostRefusal(str(error)) from None
        except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
            raise HostRefusal(f"{name}: wrong arguments ({type(error).__name__}: {error})") from None

    async def _record(self, cell: Cell, number: int, name: str, refused: bool, arguments: str, answer: Json) -> None:
        given = _json(answer)
        cell.bytes += len(arguments) + len(given)
        try:
            await self._shared.journal.append_async(
                "host.answered",
                self._agent,
                {"cell": cell.number, "n": number, "name": name, "refused": refused},
                arguments=arguments,
                answer=given,
            )
        except JournalError as error:
            self.fault = self.fault or error
            raise HostRefusal("the journal could not be written; the run ends here") from None

    async def _look(self, name: str, arguments: dict[str, Json]) -> Json:
        """Outside a cell (when variables are listed) only what changes nothing is answered."""
        batch = arguments.get("batch")
        if name != "batch.state" or not isinstance(batch, str):
            raise HostRefusal("not while variables are listed")
        return await self._state(batch)

    # --- replay ---------------------------------------------------------------------------------------------------------------

    def _recover(self, past: Past) -> None:
        """Batches with the results that were handed over, in their order, and whether the work was handed in."""
        for cell in past.cells.values():
            self.remember_output(cell.number, cell.blobs)
            for number in sorted(cell.answers):
                event = cell.answers[number]
                if event.data["refused"] or event.data["name"] not in ("dispatch", "batch.results", "submit", "answer"):
                    continue
                found = recorded(event, self._shared.journal)
                if found.name == "dispatch":
                    self._register(cell.number, number, **found.arguments)
                elif found.name == "batch.results":
                    self._restore(self._batches[found.arguments["batch"]], found)
                else:
                    self.accepted = cell.number
                    if found.name == "answer":
                        self._take(cell.number, number, **found.arguments)

    def _restore(self, batch: Batch, found: Recorded) -> None:
        for given in found.answer["results"]:
            item = batch.items[given["index"]]
            if item.result is None:
                result = self._recorded_result(item, given)
                batch.arrive(item, result)
                self._shared.note(item, result)
        batch.delivered = max(batch.delivered, found.arguments["after"] + len(found.answer["results"]))

    def _recorded_result(self, item: Item, given: dict[str, Json]) -> Result:
        if given.get("failure"):
            failure = given["failure"]
            return Failure(failure["kind"], failure["message"], item.spans, item.call, item.question)
        return Answer(tuple(finding({**each, "call": item.call}) for each in given["findings"]), given["notes"])

    def _replayed(self, found: Recorded, name: str, cell: Cell) -> Json:
        if found.name != name:
            self._diverge(cell)
            raise HostRefusal(f"{name} was not called at this point when the cell first ran")
        if found.refused:
            raise HostRefusal(str(found.answer))
        return found.answer

    def _diverge(self, cell: Cell) -> None:
        if cell.number not in self.diverged:
            self.diverged.append(cell.number)

    # --- the room -------------------------------------------------------------------------------------------------------------

    async def _search(
        self,
        query: str,
        limit: int = 20,
        folder: str | None = None,
        kind: str | None = None,
        flag: str | None = None,
        after: str | None = None,
        before: str | None = None,
        documents: list[str] | None = None,
    ) -> Json:
        _at_most(limit, MAX_HITS)
        # A search over a large room takes long enough for calls in flight to notice, so it runs beside them.
        hits = await asyncio.to_thread(
            self._shared.room.search,
            query,
            k=limit,
            folder=folder,
            kind=kind,
            flag=flag,
            after=after,
            before=before,
            documents=documents,
        )
        return [_hit(hit) for hit in hits]

    async def _grep(
        self,
        pattern: str,
        ignore_case: bool = True,
        folder: str | None = None,
        documents: list[str] | None = None,
        limit: int = 1000,
    ) -> Json:
        _at_most(limit, MAX_MATCHES)
        found = await asyncio.to_thread(
            self._shared.room.grep,
            _flowing(pattern),
            ignore_case=ignore_case,
            folder=folder,
            documents=documents,
            limit=limit,
        )
        return [{**asdict(each.span), "text": self._line(each.span, each.line)} for each in found]

    def _line(self, span: Span, line: str) -> str:
        """The line of a match, or what is around it when the line is a page long."""
        if len(line) <= LINE_CHARS:
            return line
        around = (LINE_CHARS - min(len(span), LINE_CHARS)) // 2
        return self._shared.room.slice(Span(span.document, max(0, span.start - around), span.end + around, span.view))

    # --- calls ----------------------------------------------------------------------------------------------------------------

    async def _dispatch(
        self, questions: list[str], schemas: list[Json], calls: list[Any], agents: bool = False, number: int = 0
    ) -> Json:
        assert self._cell is not None
        if agents and self._shared.settings.depth < 2:
            raise HostRefusal("sub-agents with a session of their own are not offered in this run")
        if agents and "answer" in self._tools:
            raise HostRefusal("a sub-agent has no sub-agents with sessions of their own; ask without agent=")
        for values in schemas:
            schema(values)
        limit = None if agents else self._shared.settings.slice_chars
        for question, values, spans in calls:
            if not isinstance(questions[question], str) or (values is not None and not 0 <= values < len(schemas)):
                raise HostRefusal("dispatch: a question or schema is not there")
            self._check(spans, limit)
        return {"batch": self._register(self._cell.number, number, questions, schemas, calls, agents).id}

    def _register(
        self, cell: int, number: int, questions: list[str], schemas: list[Json], calls: list[Any], agents: bool = False
    ) -> Batch:
        items = [
            Item(
                index=index,
                owner=self._agent,
                call=f"{self._agent}:{cell}-{number}-{index}",
                question=questions[question],
                spans=tuple(Span(*span) for span in spans),
                values=schemas[values],
                agent=agents,
            )
            for index, (question, values, spans) in enumerate(calls)
        ]
        batch = Batch(f"b{cell}-{number}", items)
        self._batches[batch.id] = batch
        return batch

    def _check(self, spans: list[Any], limit: int | None) -> None:
        total = 0
        for identity, start, end, view in spans:
            document = self._shared.room.document(identity)
            if document.id != identity or view not in document.views:
                raise HostRefusal(f"{document.path} has no {view} text")
            length = document.length if view == "final" else self._shared.room.length(identity, cast(View, view))
            if not (type(start) is int and type(end) is int and 0 <= start < end <= length):
                raise HostRefusal(f"{document.path} has no characters {start} to {end}: it has {length:,}")
            total += end - start
        if not total:
            raise HostRefusal("a call needs text to read: over= names nothing")
        if limit is not None and total > limit:
            raise HostRefusal(
                f"{total:,} characters do not fit into one call (the most is {limit:,}): use slices(), or dispatch(question, over=...), "
                "which cuts by itself"
            )

    async def _results(self, batch: str, after: int = 0, wait: int = 0, seconds: float | None = None) -> Json:
        known = self._batch(batch)
        if wait > after:
            await known.wait(wait, seconds)
        return known.deliver(max(0, after))

    async def _state(self, batch: str) -> Json:
        return self._batch(batch).state()

    async def _list_batches(self, known: list[str]) -> Json:
        """The batches that the session does not know (any more), with what they asked."""
        return [
            {
                "batch": batch.id,
                "calls": [
                    [item.question, item.values, [span_json(span) for span in item.spans]] for item in batch.items
                ],
            }
            for batch in self._batches.values()
            if batch.id not in known
        ]

    def _batch(self, identity: str) -> Batch:
        if identity not in self._batches:
            raise HostRefusal(f"there is no batch {identity!r}")
        return self._batches[identity]

    # --- the session ----------------------------------------------------------------------------------------------------------

    async def _budget(self) -> Json:
        spent = self._shared.budget.spent
        left = self._shared.budget.remaining()
        return {
            **{f"{name} left": value for name, value in left.items()},
            "dollars spent": spent.dollars,
            "tokens spent": spent.tokens,
            "calls made": spent.calls,
            "calls in flight": self._shared.pool.in_flight,
        }

    async def _coverage(self) -> Json:
        found = self._shared.coverage()
        return {
            "share": found.share,
            "read": found.read,
            "total": found.total,
            "unread": [span_json(span) for span in found.unread],
            "skimmed": [span_json(span) for span in found.skimmed],
        }

    async def _show(self, handle: str, start: int = 0) -> Json:
        if handle not in self._outputs:
            known = ", ".join(list(self._outputs)[-6:]) or "none so far"
            raise HostRefusal(f"there is no output {handle!r}; the last ones are {known}")
        text = self._shared.journal.text(self._outputs[handle])
        start = max(0, min(start, len(text)))
        end = min(len(text), start + self._shared.settings.output_head - 200)
        rest = f"show({handle!r}, start={end}) goes on" if end < len(text) else "the end"
        return f"{text[start:end]}\n[characters {start:,} to {end:,} of {len(text):,}; {rest}]"

    async def _submit(self) -> Json:
        assert self._cell is not None
        reasons = calls_in_flight(self._batches.values()) + unseen_results(self._batches.values())
        failures = [failure for failure in self._shared.open_failures() if failure.call not in self._acknowledged]
        if failures:
            reasons.append(left_failures(failures, self._shared.room))
            self._acknowledged |= {failure.call for failure in failures}
        reasons += self._shared.application.refusals(self._shared.state())
        if reasons:
            raise HostRefusal("not submitted:\n- " + "\n- ".join(reasons))
        self.accepted = self._cell.number
        return "submitted: the run ends with this cell"

    async def _answer(self, findings: list[Any], notes: str = "") -> Json:
        assert self._cell is not None
        problems = calls_in_flight(self._batches.values()) or self._take(
            self._cell.number, self._cell.calls - 1, findings, notes
        )
        if problems or self.answer is None:
            raise HostRefusal("not answered:\n- " + "\n- ".join(problems))
        self.accepted = self._cell.number
        await self._shared.keep(self.answer.findings, self._agent)
        return "answered: this session ends with this cell"

    def _take(self, cell: int, number: int, findings: list[Any], notes: str = "") -> list[str]:
        found, problems = answered_findings(
            findings, self._shared.findings, self._shared.room, f"{self._agent}:{cell}-{number}"
        )
        self.answer = None if problems else Answer(found, str(notes))
        return problems


def _flowing(pattern: str) -> str:
    """The pattern with any white space for its spaces: a line may break between two words, and a space may be one that does not break."""

    def piece(match: re.Match[str]) -> str:
        if not match[0].startswith(" "):
            return match[0]
        return r"\s" * len(match[0]) if pattern[match.end() :].startswith(("*", "+", "?", "{")) else r"\s+"

    return _PIECE.sub(piece, pattern)


def _at_most(limit: int, most: int) -> None:
    if limit > most:
        raise HostRefusal(f"limit={limit:,} is too much: the most is {most:,}")


def _hit(hit: Hit) -> Json:
    return {**asdict(hit.span), "score": hit.score, "text": hit.text}


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
