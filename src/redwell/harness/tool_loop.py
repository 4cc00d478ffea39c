"""The tool-loop harness: a model with seven tools over a workspace, turn after turn, until it stops."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any

from redwell.harness.course import WRITING_SECONDS, Done, answered, conduct, deliverables, report_tokens, write
from redwell.harness.replay import Past, completion
from redwell.harness.root import HOPELESS, with_note
from redwell.harness.shared import Shared
from redwell.harness.subagent import Hidden, prompt
from redwell.harness.told import pack, spans_held, unpack
from redwell.harness.tools import TOOLS, Tools, opened_names
from redwell.harness.types import Application, Outcome, Progress, Settings, Task
from redwell.harness.workspace import OUTPUT, Workspace
from redwell.journal.journal import Journal
from redwell.models.budget import Budget
from redwell.models.retries import Policy
from redwell.models.tokens import estimate_request
from redwell.models.types import CallFailed, Completion, FailureKind, Message, Model, Request, Role, ToolCall
from redwell.room.room import Room
from redwell.sandbox import shell

_TOLD: dict[FailureKind, str] = {
    "truncated": "Your last reply was cut off and thrown away. Write shorter ones; a long file can be written in parts, with write and edit.",
    "empty": "Your last reply was empty. Call a tool, or finish.",
    "malformed": "Your last reply could not be read. Call the tools by their names, with a JSON object each.",
}
_TRIES = 3
FULL = "the conversation had grown as long as the model's context"


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
    """Ends when the model calls `finish` or no tool, after `settings.tool_turns`, or when the conversation no longer fits: nothing is left
    out of it. What lies in the workspace's `output` is delivered. Raises SandboxUnavailable where no walls for the shell hold."""
    backend = shell.choose(settings.sandbox)
    workspace = Workspace(journal.folder / "workspace", room)
    workspace.prepare(workspace.texts)
    output = journal.folder / OUTPUT

    async def work(shared: Shared) -> Done:
        done = await _Loop(shared, workspace, backend).work()
        return delivered(shared, workspace, done)

    outcome = await conduct(
        work,
        task,
        room,
        models,
        journal,
        budget,
        application,
        settings,
        progress,
        policy,
        lambda: workspace.deliver(output),
    )
    if outcome.status != "interrupted":
        workspace.remove()
    return outcome


def delivered(shared: Shared, workspace: Workspace, done: Done) -> Done:
    """What was left in the workspace's `output`; else what the model said last, which is in `done.text`."""
    folder = shared.journal.folder / OUTPUT
    files = workspace.deliver(folder)
    wanted = {*shared.task.deliverables, *deliverables(shared.task)}
    if any(file.relative_to(folder).as_posix() in wanted for file in files):
        return Done(files=tuple(files), reason=done.reason, turns=done.turns)
    texts = [file for file in files if file.suffix.lower() in (".md", ".txt")]
    if len(texts) == 1:
        said = texts[0].read_text(encoding="utf-8", errors="replace")
        reason = (
            done.reason or f"the deliverable was written as {texts[0].name}, and not under the name that was asked for"
        )
        return Done(files=(*files, *write(folder, shared.task, said)), reason=reason, turns=done.turns)
    reason = done.reason or "the model ended the work without writing the deliverable"
    if done.text and done.text.strip():
        reason += "; this is what it said last"
        return Done(files=(*files, *write(folder, shared.task, answered(done.text))), reason=reason, turns=done.turns)
    return Done(files=tuple(files), reason=reason, turns=done.turns)


@dataclass
class _Loop:
    """The conversation. Its past is gone through by the same loop as its present."""

    shared: Shared
    workspace: Workspace
    backend: str
    messages: list[Message] = field(default_factory=list)
    cells: int = 0

    def __post_init__(self) -> None:
        settings, room = self.shared.settings, self.shared.room
        hidden = Hidden(room)
        seconds = min(settings.cell_seconds, 60.0)
        self._tools = Tools(
            self.workspace,
            hidden,
            self.shared.located,
            self.backend,
            settings.output_head,
            settings.output_tail,
            seconds,
        )
        self._past: Past = self.shared.history.of("root")

    async def work(self) -> Done:
        shared, settings = self.shared, self.shared.settings
        self.messages = [Message("system", self._system()), Message("user", self._task())]
        said = ""
        for turn in range(1, settings.tool_turns + 1):
            if turn not in self._past.feedback:
                await shared.journal.append_async("turn.started", "root", {"turn": turn})
            try:
                reply = await self._reply(turn)
            except CallFailed as failure:
                if failure.kind == "context_length":
                    await self._note(turn, FULL)
                    return Done(
                        said, reason=f"{FULL}: the work ends with what had been written by then", turns=turn - 1
                    )
                what = "the budget is spent" if failure.kind == "budget" else f"the model failed ({failure.kind})"
                return Done(said, reason=f"{what}: {failure.message}", turns=turn - 1)
            said = reply.text if reply.text.strip() else said
            if not reply.tool_calls:
                return Done(said, turns=turn)
            if await self._use(turn, reply):
                return Done(said, turns=turn)
        return Done(said, reason=f"all {settings.tool_turns} turns were used", turns=settings.tool_turns)

    def _system(self) -> str:
        settings = self.shared.settings
        return prompt(
            "tool_loop",
            turns=str(settings.tool_turns),
            context_tokens=f"{settings.context_tokens:,}",
            seconds=f"{self._tools.seconds:g}",
            place=str(self.workspace.folder) if self.backend != "bwrap" else shell.WORKSPACE,
            writing=self.shared.application.writing.strip(),
        )

    def _task(self) -> str:
        task = self.shared.task
        named = ", ".join(f"`{OUTPUT}/{name}`" for name in deliverables(task))
        return f"{task.instructions}\n\nTo be delivered: {named}\n"

    async def _reply(self, turn: int) -> Completion:
        """The model's reply of this turn. Raises CallFailed."""
        told: FailureKind | None = None
        last: CallFailed | None = None
        calls = [f"root:turn-{turn}", *(f"root:turn-{turn}-{attempt}" for attempt in range(2, _TRIES + 1))]
        for call in calls:
            if (known := self._past.completions.get(call)) is not None:
                return completion(known, self.shared.journal)
        for call in calls:
            messages = with_note(tuple(self.messages), _TOLD.get(told) if told else None)
            request = Request(
                messages=messages,
                role="root",
                tools=TOOLS,
                max_output_tokens=report_tokens(self.shared.settings),
                spans=spans_held(messages),
                seconds=WRITING_SECONDS,
            )
            if (size := estimate_request(request)) > self.shared.settings.context_tokens:
                raise CallFailed("context_length", f"about {size:,} tokens")
            try:
                return await self.shared.calls.call(request, agent="root", purpose=f"turn {turn}", call_id=call)
            except CallFailed as failure:
                if failure.kind in HOPELESS or failure.kind == "context_length":
                    raise
                told, last = failure.kind, failure
        assert last is not None
        raise last

    async def _use(self, turn: int, reply: Completion) -> bool:
        """Carries out the calls of a reply, in order; whether one of them ended the work."""
        feedback: list[Message] = []
        finished = False
        for call in reply.tool_calls:
            if finished:
                feedback.append(Message("tool", "Not done, because the work is ended.", tool_call_id=call.id))
                continue
            message, finished = await self._one(turn, call)
            feedback.append(message)
        self.messages += [Message("assistant", reply.text, reply.tool_calls), *feedback]
        if turn not in self._past.feedback:
            await self.shared.journal.append_async("turn.finished", "root", {"turn": turn}, feedback=pack(feedback))
        self.shared.progress("turn", {"agent": "root", "turn": turn, "of": self.shared.settings.tool_turns})
        return finished

    async def _one(self, turn: int, call: ToolCall) -> tuple[Message, bool]:
        """One call as a cell of the journal; one that was carried out before the process ended is not again."""
        self.cells += 1
        number, journal = self.cells, self.shared.journal
        finished = call.name == "finish"
        past = self._past.cells.get(number)
        if past is not None and past.result is not None:
            (message,) = unpack(journal.text(past.blobs["message"]), self.shared.room)
            return message, finished and past.result.status == "ok"
        data: dict[str, Any] = {"cell": number, "turn": turn, "clock": 0.0, "tool": call.name}
        if past is None:
            await journal.append_async("cell.started", "root", data, code=_code(call))
        started = time.monotonic()
        used = await self._tools.use(call.name, call.arguments)
        message = used.told.message("tool", tool_call_id=call.id)
        data = {"cell": number, "status": used.status, "seconds": round(time.monotonic() - started, 4), "restored": []}
        data |= {"dropped": used.dropped, "tool": call.name, "opened": opened_names(used.opened, self.workspace)}
        output = message.content if not message.held else _addressed(message)
        await journal.append_async("cell.finished", "root", data, output=output, error="", message=pack([message]))
        self.shared.progress("cell", {"agent": "root", "cell": number, "status": used.status})
        return message, used.finished

    async def _note(self, turn: int, text: str) -> None:
        await self.shared.journal.append_async("note", "root", {"text": text, "turn": turn, "context_overflow": True})


def _code(call: ToolCall) -> str:
    """A call as it is shown in a trace."""
    try:
        given = json.loads(call.arguments or "{}", strict=False)
        taken = ", ".join(f"{name}={value!r}" for name, value in given.items())
    except (ValueError, AttributeError, RecursionError):
        taken = call.arguments
    return f"{call.name}({taken})"


def _addressed(message: Message) -> str:
    """What the model was told, for the trace, with addresses in place of the room's text: it is not kept a second time."""
    pieces = []
    position = 0
    for start, span in message.held:
        pieces += [message.content[position:start], f"⟦{span.document[:12]} {span.start}–{span.end}⟧"]
        position = start + len(span)
    return "".join([*pieces, message.content[position:]])
