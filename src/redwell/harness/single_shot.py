"""The single-shot harness: as much of the room as fits into one request, and one answer, which is the deliverable."""

from __future__ import annotations

from redwell.harness.course import Done, conduct, deliverables, one_call, report_tokens
from redwell.harness.shared import Shared
from redwell.harness.subagent import Hidden, prompt
from redwell.harness.told import Told
from redwell.harness.types import Application, Outcome, Progress, Settings, Task
from redwell.journal.journal import Journal
from redwell.models.budget import Budget
from redwell.models.retries import Policy
from redwell.models.tokens import estimate, estimate_request
from redwell.models.types import Message, Model, Request, Role
from redwell.room.room import Room
from redwell.room.types import Span

LEAST_CUT = 400
"""Characters of a document that is cut: less is not worth its fence."""
FENCE_TOKENS, MARK_TOKENS = 110, 40
"""What the fence of a document takes besides its path, and the marks of a hidden stretch."""


async def run(
    task: Task,
    room: Room,
    models: dict[Role, Model],
    journal: Journal,
    budget: Budget,
    application: Application,
    settings: Settings,
    progress: Progress | None = None,
    *,
    policy: Policy | None = None,
) -> Outcome:
    """The documents go in whole, in the order of their paths, until one does not fit; of that one the beginning goes in, and nothing after
    it."""
    return await conduct(_work, task, room, models, journal, budget, application, settings, progress, policy)


async def _work(shared: Shared) -> Done:
    hidden = Hidden(shared.room)
    system, asked = system_prompt(shared, "single"), request_text(shared)
    spans = fitted(shared.room, hidden, free_tokens(shared, system, asked))
    message = fitted_message(shared, spans, system, asked, hidden)
    return await one_call(shared, message, system, purpose="the deliverable", call="root:report")


def system_prompt(shared: Shared, name: str) -> str:
    return prompt(name, writing=shared.application.writing.strip())


def request_text(shared: Shared) -> str:
    """The task, as the end of the user's message: what stands before it is then the same for every task over a room."""
    named = ", ".join(f"`{name}`" for name in deliverables(shared.task))
    return f"\n\n# The task\n\n{shared.task.instructions}\n\nYour answer is saved as {named}, as it is.\n"


def free_tokens(shared: Shared, *texts: str) -> int:
    """The tokens of the context that are left for documents, after these texts and the answer."""
    request = Request(tuple(Message("user", text) for text in texts))
    settings = shared.settings
    return settings.context_tokens - report_tokens(settings) - estimate_request(request) - 2 * FENCE_TOKENS


def fitted(room: Room, hidden: Hidden, tokens: int) -> list[Span]:
    """The spans of as many documents as fit, by path, the last one cut."""
    spans: list[Span] = []
    for document in sorted((each for each in room.documents() if each.length), key=lambda each: each.path):
        whole = Span(document.id, 0, document.length)
        needed = tokens_of(whole, room, hidden)
        if needed > tokens:
            if (part := beginning(whole, room, tokens - (needed - estimate(room.slice(whole))))) is not None:
                spans.append(part)
            break
        spans.append(whole)
        tokens -= needed
    return spans


def tokens_of(span: Span, room: Room, hidden: Hidden) -> int:
    """What a span takes in a request, fence and marks too."""
    marks = MARK_TOKENS * len(hidden.within(span))
    return estimate(room.slice(span)) + estimate(room.document(span.document).path) + FENCE_TOKENS + marks


def beginning(span: Span, room: Room, tokens: int) -> Span | None:
    """As much of the beginning of a span as fits, cut after a line where one ends in its last half."""
    text = room.slice(Span(span.document, span.start, min(span.end, span.start + max(0, 6 * tokens)), span.view))
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimate(text[:middle]) <= tokens else (low, middle - 1)
    if low < len(text):
        low = text.rfind("\n", low // 2, low) + 1 or low
    return Span(span.document, span.start, span.start + low, span.view) if low >= LEAST_CUT else None


def fitted_message(shared: Shared, spans: list[Span], system: str, asked: str, hidden: Hidden) -> Message:
    """The documents, then the task. Where the estimate was short, the last documents are left out again."""
    while True:
        told = Told()
        if spans:
            told.documents(spans, shared.room, hidden)
        else:
            told.say("(no text of the room fits)")
        prefix = told.length
        told.say("\n\n" + _share(spans, shared.room) + asked)
        message = told.message(prefix=prefix)
        size = estimate_request(Request((Message("system", system), message)))
        if not spans or size + report_tokens(shared.settings) <= shared.settings.context_tokens:
            return message
        spans = spans[:-1]


def _share(spans: list[Span], room: Room) -> str:
    """How much of the room the request holds."""
    documents = [each for each in room.documents() if each.length]
    if sum(map(len, spans)) == sum(each.length for each in documents):
        return f"These are all {len(documents)} documents of the room, in full."
    held = len({span.document for span in spans})
    return f"This is text of {held} of the room's {len(documents)} documents; the rest is not here."
