"""What all harnesses have in common: how a run begins or goes on, and, where a model writes the deliverable itself, how it ends."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePath

from redwell.harness.batches import Item, Pool, Result
from redwell.harness.replay import History, load
from redwell.harness.shared import Shared, silent
from redwell.harness.told import spans_held
from redwell.harness.types import Application, Failure, Outcome, Progress, RunState, RunStatus, Settings, Task
from redwell.journal.coverage import coverage
from redwell.journal.journal import Event, Journal, JournalError
from redwell.models.budget import Budget
from redwell.models.calls import Calls
from redwell.models.retries import Policy
from redwell.models.types import CallFailed, FailureKind, Message, Model, Request, Role
from redwell.room.room import Room

UNNAMED = "report.md"
"""What the deliverable is called where the task names none."""

UNUSABLE: dict[FailureKind, str] = {
    "truncated": "the answer was longer than the model may write at once",
    "context_length": "what it was given does not fit into the model's context",
    "budget": "the budget is spent",
}


@dataclass(frozen=True, slots=True)
class Done:
    """What a harness came to. `text` is the deliverable, None where it lies in `files` already or there is none; `reason` says what is
    wrong with it, and nothing is where it is empty."""

    text: str | None = None
    files: tuple[Path, ...] = ()
    reason: str = ""
    turns: int = 1


Work = Callable[[Shared], Awaitable[Done]]


def opened(
    task: Task, room: Room, models: dict[Role, Model], journal: Journal, settings: Settings
) -> tuple[History, bool]:
    """The past of a run, with its start in it, and whether there was one before."""
    history = load(journal)
    past = history.of("root")
    if past.started is not None:
        journal.append("run.resumed")  # first: the time until here is a pause, and none of the run's
        return history, True
    named = {role: model.name for role, model in models.items()}
    data = {"task": asdict(task), "models": named, "settings": asdict(settings), "store": room.id}
    past.started = journal.append("run.started", "root", data)
    return history, False


async def conduct(
    work: Work,
    task: Task,
    room: Room,
    models: dict[Role, Model],
    journal: Journal,
    budget: Budget,
    application: Application,
    settings: Settings,
    progress: Progress | None,
    policy: Policy | None,
    kept: Callable[[], Sequence[Path]] = tuple,
) -> Outcome:
    """Runs `work` in a run folder, new or gone on with, and delivers what it came to. `kept` gives the files that are there when it is
    interrupted. Cancelling the task that runs this ends it in order, as in `rlm.run`. Raises JournalError."""
    history = load(journal)
    if (last := history.of("root").finished) is not None and last.data["status"] == "submitted":
        return _as_it_was(journal, room, history, last)
    history, _ = opened(task, room, models, journal, settings)
    shared = Shared(
        task=task,
        room=room,
        journal=journal,
        calls=Calls(journal, budget, models, policy=policy or PATIENT, texts=room.slice),
        budget=budget,
        application=application,
        settings=settings,
        history=history,
        progress=progress or silent,
    )
    shared.pool = Pool(2 * budget.concurrency, 1, lambda item: _ask(shared, item))
    status: RunStatus
    try:
        done = await work(shared)
        await shared.pool.settle()
    except asyncio.CancelledError:
        await shared.pool.close()
        if (current := asyncio.current_task()) is not None:
            current.uncancel()
        done, status = Done(files=tuple(kept()), reason="the run was interrupted", turns=0), "interrupted"
    except BaseException:
        await shared.pool.close()
        raise
    else:
        status = "submitted" if not done.reason else "salvaged" if done.text or done.files else "failed"
    files = done.files
    if done.text:
        files = tuple(write(shared.journal.folder / "output", task, done.text))
    note_end(shared, status, done.reason, done.turns, files)
    return Outcome(status, done.reason, files, done.turns, state(shared))


def _as_it_was(journal: Journal, room: Room, history: History, last: Event) -> Outcome:
    """How a run ended that had delivered: nothing of it is done again."""
    lengths = {identity: length for identity, _, _, length in room.sizes() if length}
    files = sorted(path for path in (journal.folder / "output").rglob("*") if path.is_file())
    found = RunState(findings=list(history.findings.values()), unread=list(coverage(journal, lengths).unread))
    return Outcome("submitted", "", tuple(files), last.data["turns"], found)


async def one_call(shared: Shared, message: Message, system: str, *, purpose: str, call: str) -> Done:
    """The deliverable as the answer to one request."""
    request = Request(
        messages=(Message("system", system), message),
        role="root",
        max_output_tokens=report_tokens(shared.settings),
        spans=spans_held((message,)),
        seconds=WRITING_SECONDS,
    )
    try:
        completion = await shared.calls.call(request, agent="root", purpose=purpose, call_id=call)
    except CallFailed as failure:
        return Done(reason=f"{UNUSABLE.get(failure.kind, f'the model failed ({failure.kind})')}: {failure.message}")
    return Done(text=answered(completion.text))


WRITING_SECONDS = 900.0
"""One attempt to write a whole report: tens of thousands of tokens take minutes."""
PATIENT = Policy(seconds=WRITING_SECONDS, deadline=3 * WRITING_SECONDS)


def report_tokens(settings: Settings) -> int:
    """How much a model may write at once where it writes the deliverable: a third of its context at most, so that there is room to read."""
    return max(1_024, min(settings.report_tokens, settings.context_tokens // 3))


def answered(text: str) -> str:
    """The deliverable in an answer: without a fence around all of it, which some models put there."""
    lines = text.strip().splitlines()
    if len(lines) > 2 and lines[0].strip() in ("```markdown", "```md", "```") and lines[-1].strip() == "```":
        lines = lines[1:-1]
    return "\n".join(lines).strip() + "\n"


def deliverables(task: Task) -> tuple[str, ...]:
    """The files to be written, as plain Markdown: a Word file that is asked for is delivered under its name as Markdown."""
    names = [PurePath(name).name for name in task.deliverables if PurePath(name).name] or [UNNAMED]
    return tuple(
        dict.fromkeys(name if name.endswith((".md", ".txt")) else PurePath(name).stem + ".md" for name in names)
    )


def write(output: Path, task: Task, text: str) -> list[Path]:
    """Writes every deliverable, each in one step, so that a crash leaves the old one or the new one."""
    output.mkdir(parents=True, exist_ok=True)
    written = []
    for name in deliverables(task):
        path, beside = output / name, output / f".{name}.part"
        beside.write_text(text, encoding="utf-8", errors="replace")
        os.replace(beside, path)
        written.append(path)
    return written


def note_end(shared: Shared, status: RunStatus, reason: str, turns: int, files: Sequence[Path]) -> None:
    """The last event of a run, with the delivered files by their paths in the output; one whose name is no text cannot be told."""
    output = shared.journal.folder / "output"
    names = [file.relative_to(output).as_posix() for file in files if file.is_relative_to(output)]
    told = [name for name in names if not any("\ud800" <= sign <= "\udfff" for sign in name)]
    shared.journal.append("run.finished", "root", {"status": status, "reason": reason, "turns": turns, "files": told})
    shared.progress("done", {"status": status, "reason": reason})


def state(shared: Shared) -> RunState:
    """What the run found and read, from its journal."""
    return RunState(
        findings=list(shared.findings.values()),
        failures=shared.open_failures(),
        unread=list(coverage(shared.journal, shared.lengths).unread),
        calls_in_flight=0,
        budget_spent=shared.budget.exhausted,
    )


async def _ask(shared: Shared, item: Item) -> Result:
    try:
        return await shared.ask(item, item.owner)
    except JournalError:
        raise
    except Exception as error:
        # A fault of ours over one slice must not cost the others.
        result = Failure("internal", f"{type(error).__name__}: {error}", item.spans, item.call, item.question)
        shared.note(item, result)
        return result
