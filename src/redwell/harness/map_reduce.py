"""The map-reduce harness: one fixed question over every slice of the room, then one request that writes the deliverable of the findings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from redwell.harness.batches import Batch, Item
from redwell.harness.course import Done, conduct, one_call
from redwell.harness.guest.cuts import cuts
from redwell.harness.listing import listed, tokens, worth_listing
from redwell.harness.shared import Shared
from redwell.harness.single_shot import free_tokens, request_text, system_prompt
from redwell.harness.subagent import prompt
from redwell.harness.told import Told, spans_held
from redwell.harness.types import Application, Finding, Outcome, Progress, Settings, Task
from redwell.journal.journal import Journal
from redwell.models.budget import Budget
from redwell.models.retries import Policy
from redwell.models.types import CallFailed, Message, Model, Request, Role
from redwell.room.room import Room
from redwell.room.types import Span

KEPT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "keep": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"finding": {"type": "integer"}, "claim": {"type": "string"}},
                "required": ["finding"],
            },
        }
    },
    "required": ["keep"],
}
"""What a step answers: the numbers of the findings that go on, the claim of each anew where it has to say more."""
STEP_TOKENS = 8_192


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
    """Every character of the room is in one sub-agent call, cut as `room.slices()` cuts it. Where the findings do not fit into one request,
    they are gone through in parts first, and each part says which of its findings go on."""
    return await conduct(_work, task, room, models, journal, budget, application, settings, progress, policy)


async def _work(shared: Shared) -> Done:
    question = shared.application.question
    items = [
        Item(n, "root", f"root:map-{n}", question, (span,))
        for n, span in enumerate(slices(shared.room, shared.settings.slice_chars))
    ]
    shared.pool.start(Batch("map", items))
    await shared.pool.settle()
    if shared.pool.fault is not None:
        raise shared.pool.fault
    if items and not shared.answered:
        failure = shared.failures[0]
        return Done(reason=f"no part of the room was read ({failure.kind}): {failure.message}")
    arrived = [finding for item in items for finding in getattr(item.result, "findings", ())]
    found = [(n, finding) for n, finding in enumerate(arrived, 1) if worth_listing(finding)]
    system, asked = system_prompt(shared, "reduce"), _unread(shared, len(items)) + request_text(shared)
    left = free_tokens(shared, system, asked)
    calls = 0
    if sum(tokens(finding) for _, finding in found) > left:
        found, calls = await _shorten(shared, found, left)
    told = Told()
    told.say(f"{len(found)} findings:\n" if found else "There are no findings.\n")
    listed(found, shared.room, told)
    told.say(asked)
    done = await one_call(shared, told.message(), system, purpose="the deliverable", call="root:report")
    return Done(done.text, done.files, done.reason, turns=calls + 1)


def slices(room: Room, size: int) -> Iterator[Span]:
    """The readable text of the room, each character once, by path."""
    for document in sorted((each for each in room.documents() if each.length), key=lambda each: each.path):
        starts = [unit.start for unit in room.units(document.id)] if document.length > size else []

        def read(start: int, end: int, identity: str = document.id) -> str:
            return room.slice(Span(identity, start, end))

        for start, end in cuts(0, document.length, size, starts, read):
            yield Span(document.id, start, end)


def _unread(shared: Shared, calls: int) -> str:
    """What the writer has to know of calls that failed."""
    failed = shared.open_failures()
    if not failed:
        return f"\nAll {calls} parts of the room were read.\n"
    names = list(
        dict.fromkeys(shared.room.document(span.document).path for failure in failed for span in failure.spans)
    )
    shown = "\n".join(f"- {json.dumps(name, ensure_ascii=False)}" for name in names[:40])
    more = f"\n- and {len(names) - 40} more" if len(names) > 40 else ""
    return f"\n{len(failed)} of {calls} parts of the room were not read, of these documents:\n{shown}{more}\n"


async def _shorten(
    shared: Shared, found: Sequence[tuple[int, Finding]], left: int
) -> tuple[list[tuple[int, Finding]], int]:
    """As many findings as fit into `left` tokens, picked by one request over each part of them; and how many requests that took."""
    system = prompt("reduce_step")
    asked = _step_text(shared, 0, 0)
    parts = _parts(found, free_tokens(shared, system, asked))
    share = left // len(parts)
    kept: list[tuple[int, Finding]] = []
    for place, part in enumerate(parts, 1):
        size = sum(tokens(finding) for _, finding in part)
        most = max(1, len(part) * share // max(1, size))
        kept += _within(await _step(shared, part, place, most, system), share)
    return kept, len(parts)


def _parts(found: Sequence[tuple[int, Finding]], most: int) -> list[list[tuple[int, Finding]]]:
    parts: list[list[tuple[int, Finding]]] = [[]]
    size = 0
    for each in found:
        needed = tokens(each[1])
        if parts[-1] and size + needed > most:
            parts.append([])
            size = 0
        parts[-1].append(each)
        size += needed
    return parts


def _within(found: Sequence[tuple[int, Finding]], most: int) -> list[tuple[int, Finding]]:
    kept = []
    for each in found:
        most -= tokens(each[1])
        if most < 0:
            break
        kept.append(each)
    return kept


def _step_text(shared: Shared, most: int, of: int) -> str:
    return f"\n\n# The task that they are for\n\n{shared.task.instructions}\n\nKeep at most {most} of these {of} findings.\n"


async def _step(
    shared: Shared, part: Sequence[tuple[int, Finding]], place: int, most: int, system: str
) -> list[tuple[int, Finding]]:
    """The findings of one part that go on, in the model's order; all of them, in theirs, when it gives no answer."""
    told = Told()
    listed(part, shared.room, told)
    told.say(_step_text(shared, most, len(part)))
    message = told.message()
    request = Request(
        messages=(Message("system", system), message),
        role="root",
        schema=KEPT,
        max_output_tokens=STEP_TOKENS,
        spans=spans_held((message,)),
    )
    try:
        completion = await shared.calls.call(
            request, agent="root", purpose=f"findings, part {place}", call_id=f"root:part-{place}"
        )
    except CallFailed as failure:
        text = f"part {place} of the findings was not looked through ({failure.kind}): its first ones go on as they are"
        await shared.journal.append_async("note", "root", {"text": text})
        return list(part)
    by_number = dict(part)
    kept: dict[int, Finding] = {}
    for each in json.loads(completion.text)["keep"]:
        number = each["finding"]
        if number in by_number and number not in kept:
            kept[number] = _claiming(by_number[number], each.get("claim"))
    return list(kept.items())[:most]


def _claiming(finding: Finding, claim: Any) -> Finding:
    if not isinstance(claim, str) or not claim.strip():
        return finding
    return Finding(
        finding.id, finding.kind, claim.strip(), finding.citations, finding.values, finding.document, finding.call
    )
