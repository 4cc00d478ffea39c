"""What an agent is told before its first turn, and the tools that its session begins with."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files

from redwell.harness.batches import Item, span_json
from redwell.harness.fence import quoted
from redwell.harness.root import Brief
from redwell.harness.shared import Shared
from redwell.harness.subagent import prompt
from redwell.harness.types import Settings, Task
from redwell.models.budget import Budget
from redwell.room.overview import DATED_BY
from redwell.room.room import Room
from redwell.room.types import Span
from redwell.sandbox.types import GuestModule

PACKAGE = "redwell.harness.guest"
SHOWN = "redwell.journal.shown"
MODULES = ("constants", "listing", "store", "cuts", "room", "findings", "ask", "session")
LAST_MODULE = "variables"
LISTED_FOLDERS = 40
CHILD_TURNS = 20


def root_brief(shared: Shared) -> Brief:
    """The root's: the harness's prompt with the application's part, the task, and an overview of the room."""
    system, task = root_texts(shared.settings, shared.task, shared.application.prompt, shared.budget, shared.room)
    return Brief(
        name="root",
        system=system,
        task=task,
        modules=modules(shared, application=True),
        max_turns=shared.settings.max_turns,
    )


def root_texts(
    settings: Settings, task: Task, application: str, budget: Budget, room: Room | None = None
) -> tuple[str, str]:
    """The two messages before the root's first turn: its system prompt, `application` being that of what it writes, and its task. Of a room that has
    not been read yet nothing is told."""
    if settings.prompt == "short":
        found = room.accounting() if room is not None else None
        return prompt("root_short", max_turns=str(settings.max_turns), application=application), prompt(
            "task_short",
            documents=f"{found.documents:,}" if found else "",
            characters=f"{found.characters:,}" if found else "",
            instructions=task.instructions,
        )
    wanted = "\n".join(f"- {name}" for name in task.deliverables)
    system = prompt(
        "root" if settings.depth else "root_alone",
        context_tokens=f"{settings.context_tokens:,}",
        cell_seconds=f"{settings.cell_seconds:g}",
        max_turns=str(settings.max_turns),
        slice_chars=f"{settings.slice_chars:,}",
        output_chars=f"{settings.output_head + settings.output_tail:,}",
        agents=prompt("agents") if settings.depth >= 2 else "",
        application=application,
    )
    return system, prompt(
        "task",
        deliverables=f"\nTo be delivered:\n{wanted}\n" if wanted else "",
        room=overview(room) if room is not None else "",
        budget=_budget(budget, alone=not settings.depth),
        instructions=task.instructions,
    )


def child_brief(shared: Shared, name: str, item: Item) -> Brief:
    """That of a sub-agent with a session of its own: one question over some spans."""
    settings = shared.settings
    turns = min(CHILD_TURNS, settings.max_turns)
    values = "" if item.values is None else f"\nEach finding should hold these values: {json.dumps(item.values)}\n"
    return Brief(
        name=name,
        system=prompt(
            "child",
            cell_seconds=f"{settings.cell_seconds:g}",
            max_turns=str(turns),
            slice_chars=f"{settings.slice_chars:,}",
        ),
        task=prompt("child_task", values=values, scope=_scope(item.spans, shared.room), question=item.question),
        modules=modules(shared, scope=item.spans),
        max_turns=turns,
        child=True,
    )


def modules(
    shared: Shared, *, application: bool = False, scope: Sequence[Span] | None = None
) -> tuple[GuestModule, ...]:
    """The guest modules of a session, in the order in which they import each other."""
    given = {
        "STORE": str(shared.room.store.resolve()),
        "SLICE_CHARS": shared.settings.slice_chars,
        "DATED_BY": DATED_BY,
        "SUBAGENTS": shared.settings.depth > 0,
        "AGENTS": shared.settings.depth >= 2 and scope is None,
        "CHILD": scope is not None,
        "SCOPE": [span_json(span) for span in scope or ()],
    }
    constants = _source("constants") + "".join(f"\n{name} = {value!r}" for name, value in given.items()) + "\n"
    names = [name for name in MODULES if name != "ask" or shared.settings.depth]
    own = [GuestModule(f"{PACKAGE}.{name}", constants if name == "constants" else _source(name)) for name in names]
    handed_in = list(shared.application.modules) if application else []
    shown = GuestModule(SHOWN, files("redwell.journal").joinpath("shown.py").read_text(encoding="utf-8"))
    return (shown, *own, *handed_in, GuestModule(f"{PACKAGE}.{LAST_MODULE}", _source(LAST_MODULE)))


def overview(room: Room) -> str:
    """What a room holds, short enough for a prompt however large the room is. Names are quoted: they come from outside."""
    found, documents = room.accounting(), list(room.sizes())
    kinds = Counter(kind for _, _, kind, _ in documents)
    lines = [
        f"{found.documents:,} documents, {found.characters:,} characters of text, {found.pages:,} pages. Kinds: "
        + (", ".join(f"{kind} {count:,}" for kind, count in kinds.most_common(12)) or "none"),
        f"Files found: {found.found:,}; read {found.read:,}, partly read {found.partly_read:,}, unreadable {found.unreadable:,}, "
        f"skipped {found.skipped:,}.",
    ]
    folders: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for _, path, _, length in documents:
        folder = path.rpartition("/")[0]
        folders[folder] += 1
        sizes[folder] += length
    for folder in sorted(folders)[:LISTED_FOLDERS]:
        lines.append(f"  {quoted(folder or '.')}: {folders[folder]:,} documents, {sizes[folder]:,} characters")
    if len(folders) > LISTED_FOLDERS:
        lines.append(f"  and {len(folders) - LISTED_FOLDERS:,} more folders: room.tree()")
    return "\n".join(lines)


def _scope(spans: Sequence[Span], room: Room) -> str:
    lines = [f"{sum(map(len, spans)):,} characters, in `scope`:"]
    for span in spans[:LISTED_FOLDERS]:
        lines.append(f"  {quoted(room.document(span.document).path)}, characters {span.start:,} to {span.end:,}")
    if len(spans) > LISTED_FOLDERS:
        lines.append(f"  and {len(spans) - LISTED_FOLDERS:,} more")
    return "\n".join(lines)


def _budget(budget: Budget, *, alone: bool) -> str:
    caps = [
        f"${budget.dollars:,.2f}" if budget.dollars is not None else "",
        f"{budget.tokens:,} tokens" if budget.tokens is not None else "",
        f"{budget.calls:,} calls" if budget.calls is not None else "",
        f"{budget.seconds:,.0f} seconds" if budget.seconds is not None else "",
    ]
    named = ", ".join(cap for cap in caps if cap) or "no caps"
    if alone:
        return f"{named}."
    return f"{named}, for you and all sub-agents together; {budget.concurrency} calls at the same time."


def _source(name: str) -> str:
    return files("redwell.harness").joinpath("guest", f"{name}.py").read_text(encoding="utf-8")
