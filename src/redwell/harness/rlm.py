"""The RLM harness: a root writes Python in a sandbox over a room that it never sees, and has sub-agents do the reading."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, replace

from redwell.harness.batches import Item, Pool, Result
from redwell.harness.brief import child_brief, root_brief
from redwell.harness.course import note_end, opened
from redwell.harness.root import Agent, End, begin
from redwell.harness.shared import Shared, purpose, silent
from redwell.harness.types import Application, Failure, Outcome, Progress, RunStatus, Settings, Task
from redwell.journal.journal import Journal, JournalError
from redwell.models.budget import Budget
from redwell.models.calls import Calls
from redwell.models.retries import Policy
from redwell.models.types import FailureKind, Model, Role
from redwell.room.room import Room

MOST_AGENTS = 16
"""Sub-agents with sessions of their own at the same time."""


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
    """Does the task, or goes on with it when the journal already holds events: nothing that was answered is asked for again. `policy`
    is how long and how often a server that does not answer is tried.

    However the run ends, what was found is delivered: when the root does not submit, the application makes do with it and says so.
    Cancelling the task that runs this (Ctrl-C) ends the run in order and returns an Outcome with the status "interrupted".
    Raises SandboxUnavailable, and JournalError when the journal cannot be written. The models stay open.
    """
    history, resumed = opened(task, room, models, journal, settings)
    if resumed:
        application.recover(journal)
    past = history.of("root")
    assert past.started is not None
    session = begin(room, settings, past.started.time)
    try:
        shared = Shared(
            task=task,
            room=room,
            journal=journal,
            calls=Calls(journal, budget, models, policy=policy, texts=room.slice),
            budget=budget,
            application=application,
            settings=settings,
            history=history,
            progress=progress or silent,
        )
        # Twice as many as may be sent at once: the budget holds the rest back, and their requests are ready when a place is free.
        shared.pool = Pool(2 * budget.concurrency, MOST_AGENTS, lambda item: _carry_out(shared, item))
        root = Agent(shared, root_brief(shared), past, past.started.time, begun=session)
        status, end = await _work(shared, root)
    finally:
        await session.close()  # when the root has not come so far as to do it
    return _deliver(shared, status, end)


async def _work(shared: Shared, root: Agent) -> tuple[RunStatus, End]:
    """The root's work and what it leaves in flight. Always ends with nothing running."""
    try:
        end = await root.work()
        # What was sent is paid for: a root that stopped early does not make it worthless.
        await shared.pool.settle()
    except asyncio.CancelledError:
        await shared.pool.close()
        if (current := asyncio.current_task()) is not None:
            current.uncancel()
        return "interrupted", End("failing", "the run was interrupted", root.turn)
    except BaseException:
        await shared.pool.close()
        raise
    if shared.pool.fault is not None:
        raise shared.pool.fault
    if end.ending == "done":
        return "submitted", end
    read = shared.answered or (not shared.settings.depth and shared.share_read > 0)
    return ("salvaged" if read else "failed"), end


def _deliver(shared: Shared, status: RunStatus, end: End) -> Outcome:
    state = shared.state()
    if status != "submitted":
        shared.application.salvage(state if shared.settings.salvage else replace(state, findings=[]), end.reason)
    output = shared.journal.folder / "output"
    output.mkdir(parents=True, exist_ok=True)
    files = shared.application.deliver(state, output)
    note_end(shared, status, end.reason, end.turns, files)
    return Outcome(status, end.reason, tuple(files), end.turns, state)


async def _carry_out(shared: Shared, item: Item) -> Result:
    try:
        return await (_run_child(shared, item) if item.agent else shared.ask(item, item.owner))
    except JournalError:
        raise
    except Exception as error:
        # A fault of ours over one document must not cost the others.
        text = f"{type(error).__name__}: {error}"
        await shared.journal.append_async("note", item.owner, {"text": f"the call {item.call} failed within: {text}"})
        result = Failure("internal", text, item.spans, item.call, item.question)
        shared.note(item, result)
        return result


async def _run_child(shared: Shared, item: Item) -> Result:
    """A sub-agent with a session of its own, from the run's one budget and journal."""
    name = item.owner + "." + item.call.removeprefix(item.owner + ":")
    past = shared.history.of(name)
    if past.started is None:
        data = {
            "call": item.call,
            "question": item.question,
            "purpose": purpose(item.question),
            "spans": [asdict(span) for span in item.spans],
        }
        past.started = await shared.journal.append_async("agent.started", name, data)
    if past.finished is not None and past.finished.data["status"] != "answered":
        result: Result = _no_answer(item, past.finished.data["status"], past.finished.data["reason"])
        shared.note(item, result)
        return result
    agent = Agent(shared, child_brief(shared, name, item), past, past.started.time)
    end = await agent.work()
    answer = agent.host.answer if end.ending == "done" else None
    if answer is not None:
        result = answer
        data = {"status": "answered", "findings": [finding.id for finding in answer.findings], "notes": answer.notes}
    else:
        result = _no_answer(item, end.ending, end.reason)
        data = {"status": end.ending, "reason": end.reason}
    if past.finished is None:
        await shared.journal.append_async("agent.finished", name, {**data, "turns": end.turns})
    shared.note(item, result)
    return result


def _no_answer(item: Item, ending: str, reason: str) -> Failure:
    kind: FailureKind = "budget" if ending == "budget" else "empty"
    return Failure(kind, f"the sub-agent gave no answer: {reason}", item.spans, item.call, item.question)
