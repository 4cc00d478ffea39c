"""What all agents of one run share: the room, the journal, the calls, the findings and failures, and the views of them."""

from __future__ import annotations

import asyncio
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace

from redwell.harness import subagent
from redwell.harness.batches import Item, Pool, Result
from redwell.harness.located import Located
from redwell.harness.replay import History
from redwell.harness.subagent import Answer, Hidden
from redwell.harness.types import Application, Failure, Finding, Progress, RunState, Settings, Task
from redwell.journal.coverage import Coverage, coverage, share_read
from redwell.journal.journal import Journal
from redwell.models.budget import Budget
from redwell.models.calls import Calls
from redwell.models.types import CallFailed, Completion, Message
from redwell.room.room import Room
from redwell.room.types import Span

PURPOSE_CHARS = 200


def silent(kind: str, figures: dict[str, object]) -> None:
    """The Progress of a run that nobody watches."""


@dataclass
class Shared:
    """`findings` by id; `failures` in the order in which they came, also those that were asked again since."""

    task: Task
    room: Room
    journal: Journal
    calls: Calls
    budget: Budget
    application: Application
    settings: Settings
    history: History
    progress: Progress = silent
    findings: dict[str, Finding] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    pool: Pool = field(init=False)
    answered: int = 0

    def __post_init__(self) -> None:
        self.findings = dict(self.history.findings)
        self.hidden = Hidden(self.room)
        self.located = Located(self.room)
        self.lengths = {identity: length for identity, _, _, length in self.room.sizes() if length}
        self._read_over: dict[tuple[str, str, str], list[Span]] = defaultdict(list)
        """What was read of a text (question, document, view)."""
        self._coverage: tuple[int, Coverage] | None = None

    # --- calls ----------------------------------------------------------------------------------------------------------------

    async def ask(self, item: Item, agent: str) -> Result:
        """Carries out one plain call. Its findings are in the journal before it returns; what fails is a Failure, never an exception
        of the call's own."""
        try:
            request = subagent.request(item.question, item.spans, self.room, self.hidden, item.values)
            read: list[Answer] = []

            def check(completion: Completion) -> None:
                read[:] = [subagent.read(completion.text, item.spans, self.room, item.call)]

            completion = await self.calls.call(
                request, agent=agent, purpose=purpose(item.question), call_id=item.call, check=check
            )
            if not read:  # an answer from the journal
                check(completion)
            (answer,) = read
        except CallFailed as failure:
            result: Result = Failure(failure.kind, failure.message, item.spans, item.call, item.question)
        else:
            await self.keep(answer.findings, agent)
            result = answer
        self.note(item, result)
        return result

    async def keep(self, findings: tuple[Finding, ...], agent: str) -> None:
        """Writes findings to the journal, each once."""
        new = [finding for finding in findings if finding.id not in self.findings]
        if not new:
            return
        self.findings.update({finding.id: finding for finding in new})
        await asyncio.gather(*(self.journal.append_async("finding", agent, asdict(finding)) for finding in new))
        for finding in new:
            self.progress("finding", {"kind": finding.kind, "claim": finding.claim, "total": len(self.findings)})

    def note(self, item: Item, result: Result) -> None:
        """Counts a result, live or from the journal."""
        if isinstance(result, Answer):
            self.answered += 1
            for span in item.spans:
                self._read_over[item.question, span.document, span.view].append(span)
        else:
            self.failures.append(result)
        self.progress(
            "call", {"answered": self.answered, "failed": len(self.failures), "in_flight": self.pool.in_flight}
        )

    def holding(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """The messages with a note of the room's text that stands in them."""
        return tuple(replace(message, held=tuple(self.located.find(message.content))) for message in messages)

    # --- views ----------------------------------------------------------------------------------------------------------------

    def open_failures(self) -> list[Failure]:
        """The failures whose question has not been answered over the same text since."""
        return [
            failure
            for failure in self.failures
            if not all(
                _covered(span, self._read_over.get((failure.question, span.document, span.view), ()))
                for span in failure.spans
            )
        ]

    def coverage(self) -> Coverage:
        """What was in calls with an answer; computed anew when an answer has arrived since."""
        # A root without sub-agents reads with calls of its own, which nobody counts here.
        known = self.answered if self.settings.depth else self.journal.last
        if self._coverage is None or self._coverage[0] != known:
            self._coverage = (known, coverage(self.journal, self.lengths))
        return self._coverage[1]

    @property
    def share_read(self) -> float:
        """How much of the readable text was in calls with an answer."""
        return share_read(self.journal, self.lengths)

    def state(self) -> RunState:
        return RunState(
            findings=list(self.findings.values()),
            failures=self.open_failures(),
            unread=list(self.coverage().unread),
            calls_in_flight=self.pool.in_flight,
            budget_spent=self.budget.exhausted,
        )


def purpose(question: str) -> str:
    """A question as the journal names a call's purpose: short, and the same only for the same question."""
    if len(question) <= PURPOSE_CHARS:
        return question
    digest = hashlib.sha256(question.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{question[: PURPOSE_CHARS - 12]} ...{digest}"


def _covered(span: Span, read: Iterable[Span]) -> bool:
    """Whether the spans in `read`, of the same text, hold every character of `span` together."""
    position = span.start
    for other in sorted(read, key=_start):
        if other.start <= position < other.end:
            position = other.end
    return position >= span.end


def _start(span: Span) -> int:
    return span.start
