"""The retrieval harness: the passages that a search (BM25) finds for a list of queries, as many as fit, and one answer."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence

from redwell.harness.course import Done, conduct, one_call
from redwell.harness.shared import Shared
from redwell.harness.single_shot import FENCE_TOKENS, fitted_message, free_tokens, request_text, system_prompt
from redwell.harness.subagent import Hidden
from redwell.harness.types import Application, Outcome, Progress, Settings, Task
from redwell.journal.coverage import merge
from redwell.journal.journal import Journal
from redwell.models.budget import Budget
from redwell.models.retries import Policy
from redwell.models.tokens import estimate
from redwell.models.types import Model, Role
from redwell.room.room import Room
from redwell.room.types import Span

MOST_HITS = 60
"""Of one query."""
AROUND = 500
"""Characters on either side of a hit that go in with it, to the nearest lines."""
QUERY_WORDS = 60


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
    """The first hit of every query goes in, then the second of every query, and so on until the context is full; passages that touch
    become one. They stand in the request by path and place. The queries are the application's, or the task itself where it has none."""
    return await conduct(_work, task, room, models, journal, budget, application, settings, progress, policy)


async def _work(shared: Shared) -> Done:
    hidden = Hidden(shared.room)
    system, asked = system_prompt(shared, "retrieval"), request_text(shared)
    queries = [words for query in shared.application.queries if (words := plain(query))] or [
        plain(shared.task.instructions)
    ]
    hits = await asyncio.to_thread(_search, shared.room, queries)
    spans = fitted_passages(in_turn(hits), shared.room, free_tokens(shared, system, asked))
    message = fitted_message(shared, spans, system, asked, hidden)
    return await one_call(shared, message, system, purpose="the deliverable", call="root:report")


def plain(query: str) -> str:
    """A query as words alone, so that none of its signs is taken for one of the search's."""
    return " ".join(re.findall(r"[^\W_]+", query.lower())[:QUERY_WORDS])


def _search(room: Room, queries: Sequence[str]) -> list[list[Span]]:
    return [[hit.span for hit in room.search(query, k=MOST_HITS)] for query in queries if query]


def in_turn(lists: Sequence[Sequence[Span]]) -> Iterable[Span]:
    """The first of each list, then the second of each, and so on; each once."""
    seen: set[Span] = set()
    for rank in range(max(map(len, lists), default=0)):
        for each in lists:
            if rank < len(each) and each[rank] not in seen:
                seen.add(each[rank])
                yield each[rank]


def fitted_passages(hits: Iterable[Span], room: Room, tokens: int) -> list[Span]:
    """Passages around the hits, as many as fit, merged, by path and place."""
    taken: dict[str, list[tuple[int, int]]] = {}
    spent: dict[str, int] = {}
    for hit in hits:
        if hit.view != "final":
            continue
        passage = _around(hit, room)
        before = taken.get(hit.document, [])
        after = merge([*before, (passage.start, passage.end)])
        if after == before:
            continue
        path = estimate(room.document(hit.document).path) + FENCE_TOKENS
        needed = sum(estimate(room.slice(Span(hit.document, start, end))) + path for start, end in after)
        if sum(spent.values()) - spent.get(hit.document, 0) + needed > tokens:
            break
        taken[hit.document], spent[hit.document] = after, needed
    by_path = sorted(taken, key=lambda identity: room.document(identity).path)
    return [Span(identity, start, end) for identity in by_path for start, end in taken[identity]]


def _around(hit: Span, room: Room) -> Span:
    """The hit with what is around it, from the beginning of a line to the end of one."""
    before = room.slice(Span(hit.document, max(0, hit.start - AROUND), hit.start))
    after = room.slice(Span(hit.document, hit.end, hit.end + AROUND))
    start = hit.start - len(before)
    if start > 0:
        start += before.find("\n") + 1
    end = hit.end + len(after)
    if end < room.length(hit.document):
        end = hit.end + after.rfind("\n") if "\n" in after else end
    return Span(hit.document, start, max(end, hit.end))
