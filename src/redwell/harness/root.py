"""The turn loop: a model is asked, the cells of its reply are run, and it is told what came of them."""

from __future__ import annotations

import asyncio
import hashlib
import re
from dataclasses import dataclass, replace
from typing import Literal

from redwell.harness.context import KEPT_SHARE, Context, Turn, clip, first_line, fits
from redwell.harness.fence import marked_output
from redwell.harness.host import Host
from redwell.harness.replay import Past, PastCell, completion, load
from redwell.harness.reply import PYTHON, Cell, cells
from redwell.harness.shared import Shared
from redwell.harness.told import pack, spans_held, unpack
from redwell.harness.types import Settings
from redwell.models.types import CallFailed, Completion, FailureKind, Message, Request
from redwell.room.room import Room
from redwell.sandbox.session import Sandbox
from redwell.sandbox.types import CellResult, GuestModule, Policy

ERROR_CHARS = 4_000
OUTLINE_TOKENS = 4_000
VARIABLES_TOKENS = 3_000

_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")

HOPELESS: frozenset[FailureKind] = frozenset({"budget", "auth", "rejected", "cancelled", "internal"})
"""Failures of the root's own call after which asking again is of no use."""

_TOLD: dict[FailureKind, str] = {
    "truncated": (
        "Your last reply was cut off at {most:,} tokens and thrown away; nothing of it was run. Write shorter cells, and build long "
        "texts over several of them."
    ),
    "empty": "Your last reply was empty. Reply with a call of the tool `python`.",
    "malformed": "Your last reply could not be read. There is one tool, `python`, and it takes a JSON object with the string `code`.",
}

_Refused = tuple[tuple[str, ...], tuple[str, ...]]

Ending = Literal["done", "idle", "turns", "budget", "failing"]


@dataclass(frozen=True, slots=True)
class End:
    """How an agent's work ended. `reason` is for the report's first page; `done` when the work was handed in."""

    ending: Ending
    reason: str
    turns: int


@dataclass(frozen=True, slots=True)
class Brief:
    """What an agent is and is given."""

    name: str
    system: str
    task: str
    modules: tuple[GuestModule, ...]
    max_turns: int
    child: bool = False


class Agent:
    """One root, or one sub-agent with a session of its own. Its past is gone through by the same loop as its present: what the journal
    has is taken from there, the rest is done."""

    def __init__(
        self, shared: Shared, brief: Brief, past: Past, started: float, *, begun: Sandbox | None = None
    ) -> None:
        self._shared = shared
        self._brief = brief
        self._past = past
        self._short = shared.settings.prompt == "short" and not brief.child
        self._context = Context(brief.system, brief.task)
        self._sandbox: Sandbox | None = None
        self._begun = begun
        self._cells = 0
        self.turn = 0
        self._started = started
        self.host = Host(shared, brief.name, past, child=brief.child)

    async def work(self) -> End:
        """Runs turns until the work is handed in or cannot go on. Raises SandboxUnavailable, and JournalError when what was done could
        not be written down."""
        if self.host.accepted is not None:
            return End("done", "", self._past.turns)
        try:
            self._sandbox = await self._start()
            self.host.start_pending()
            return await self._loop()
        finally:
            if self._sandbox is not None:
                await self._sandbox.close()

    async def _loop(self) -> End:
        idle = 0
        refused: _Refused | None = None
        for turn in range(1, self._brief.max_turns + 1):
            self.turn = turn
            if turn not in self._past.feedback:
                await self._journal("turn.started", turn=turn)
            await self._compact_when_long(turn)
            try:
                reply = await self._reply(turn)
            except CallFailed as failure:
                ending: Ending = "budget" if failure.kind == "budget" else "failing"
                what = (
                    "the budget is spent"
                    if ending == "budget"
                    else f"the model that directs it failed ({failure.kind})"
                )
                return End(ending, f"{what}: {failure.message}", turn - 1)
            asked = cells(reply, brief=self._short)
            await self._run_turn(turn, reply, asked)
            if self.host.accepted is not None:
                return End("done", "", turn)
            before, refused = refused, self._only_refused(asked)
            again = refused is not None and refused == before
            # A run that is resumed gives its root a new chance.
            idle = idle + 1 if turn not in self._past.feedback and (again or all(c.complaint for c in asked)) else 0
            if idle >= self._shared.settings.idle_turns:
                what = "did nothing but hand in again what had been refused" if again else "held no code to run"
                return End("idle", f"the model that directs it stopped: {idle} replies in a row {what}", turn)
        return End("turns", f"all {self._brief.max_turns} turns were used without the work being handed in", self.turn)

    def _only_refused(self, asked: list[Cell]) -> _Refused | None:
        """The turn's code and the reasons, when all that it did was to hand in work that was refused; None when calls are still out,
        which may change the reasons by themselves."""
        calls = self.host.live
        self.host.live = []
        pool = self._shared.pool
        if not calls or pool.running or pool.waiting or any(name != "submit" or not reason for name, reason in calls):
            return None
        return tuple(cell.code for cell in asked), tuple(reason for _, reason in calls)

    # --- one turn -------------------------------------------------------------------------------------------------------------

    async def _reply(self, turn: int) -> Completion:
        """The model's reply of this turn; one of no use only where what was sampled is captured. Raises CallFailed when it cannot be had."""
        settings = self._shared.settings
        told: FailureKind | None = None
        last: CallFailed | None = None
        name = f"{self._brief.name}:turn-{turn}"
        calls = [name, *(f"{name}-{attempt}" for attempt in range(2, settings.idle_turns + 1))]
        for call in calls:
            if (known := self._past.completions.get(call)) is not None:
                return completion(known, self._shared.journal)
        for call in calls:
            note = _TOLD.get(told) if told else None
            messages = with_note(self._context.messages(), note and note.format(most=settings.root_tokens))
            captured = settings.capture and not self._brief.child
            request = Request(
                messages=messages,
                role="root",
                tools=() if self._short else (PYTHON,),
                max_output_tokens=settings.root_tokens,
                temperature=settings.root_temperature,
                seed=seed_of(settings.seed, call) if captured else None,
                spans=spans_held(messages),
                want_token_ids=captured,
            )
            try:
                return await self._shared.calls.call(
                    request, agent=self._brief.name, purpose=f"turn {turn}", call_id=call
                )
            except CallFailed as failure:
                if failure.sampled is not None:
                    # What a policy in training said stands in its conversation, so that its next turn continues this one.
                    return failure.sampled
                if failure.kind in HOPELESS:
                    raise
                if failure.kind == "context_length" and len(self._context.turns) > 1:
                    await self._compact(turn, len(self._context.turns) // 2)
                told, last = failure.kind, failure
        assert last is not None
        raise last

    async def _run_turn(self, turn: int, reply: Completion, asked: list[Cell]) -> None:
        contents: list[str] = []
        log: list[str] = []
        stopped = ""
        for cell in asked:
            if cell.complaint:
                contents.append(cell.complaint)
                continue
            if stopped:
                contents.append(f"Not run, because {stopped}.")
                continue
            number, result = await self._run_cell(turn, cell.code)
            contents.append(self._told(number, result))
            log.append(f"turn {turn}, cell {number}, {result.status}: {first_line(cell.code)}")
            if self.host.accepted is not None:
                stopped = "the work has been handed in"
            elif result.status != "ok":
                stopped = f"cell {number} before it did not end well"
        if (past := self._past.feedback.get(turn)) is not None:
            feedback = unpack(self._shared.journal.text(past.blobs["feedback"]), self._shared.room)
        else:
            feedback = _feedback(asked, contents, self._status())
            if not self._shared.settings.depth:
                feedback = await asyncio.to_thread(self._shared.holding, feedback)
            await self._shared.journal.append_async(
                "turn.finished", self._brief.name, {"turn": turn}, feedback=pack(feedback)
            )
        said = Message("assistant", reply.text, reply.tool_calls)
        self._context.add(Turn(turn, said, feedback, tuple(log)))
        self._shared.progress("turn", {"agent": self._brief.name, "turn": turn, "of": self._brief.max_turns})

    # --- cells ----------------------------------------------------------------------------------------------------------------

    async def _run_cell(self, turn: int, code: str) -> tuple[int, CellResult]:
        """Runs the next cell; one that ran before the process ended is only replayed."""
        self._cells += 1
        number = self._cells
        past = self._past.cells.get(number)
        if past is not None and past.result is not None:
            await self._replay(past)
            return number, past.result
        if past is None:
            event = await self._shared.journal.append_async(
                "cell.started",
                self._brief.name,
                {"cell": number, "turn": turn, "clock": self._clock(number)},
                code=code,
            )
            clock = float(event.data["clock"])
        else:
            clock = past.clock
        assert self._sandbox is not None
        self.host.begin(number, past)
        result = await self._sandbox.run(code, clock, number)
        self.host.end()
        if self.host.fault or self._shared.pool.fault:
            raise self.host.fault or self._shared.pool.fault  # type: ignore[misc]
        event = await self._shared.journal.append_async(
            "cell.finished",
            self._brief.name,
            {
                "cell": number,
                "status": result.status,
                "seconds": round(result.seconds, 4),
                "restored": list(result.restored),
                "dropped": result.dropped_chars,
            },
            output=result.output,
            error=result.error,
        )
        self.host.remember_output(number, event.blobs)
        self._shared.progress("cell", {"agent": self._brief.name, "cell": number, "status": result.status})
        if result.status == "killed" and self.host.accepted is None:
            await self._restore()
        return number, result

    async def _replay(self, past: PastCell) -> None:
        """Runs a recorded cell for its effect on the session, its calls answered from the journal. A cell that killed the session is
        left out."""
        assert past.result is not None
        assert self._sandbox is not None
        if past.result.status == "killed":
            return
        self.host.begin(past.number, past, replay=True)
        result = await self._sandbox.run(past.code, past.clock, past.number)
        self.host.end()
        if result.status != past.result.status or (
            result.status == "ok" and not _same(result.output, past.result.output)
        ):
            self.host.diverged.append(past.number)
        if result.status == "killed":
            await self._sandbox.close()
            self._sandbox = await self._start()

    async def _restore(self) -> None:
        """A fresh session in which every cell but those that killed one has been run again."""
        assert self._sandbox is not None
        await self._sandbox.close()
        self._sandbox = await self._start()
        for past in list(load(self._shared.journal).of(self._brief.name).cells.values()):
            if past.result is not None:
                await self._replay(past)

    async def _start(self) -> Sandbox:
        sandbox, self._begun = self._begun or begin(self._shared.room, self._shared.settings, self._started), None
        await sandbox.load(self._brief.modules, self.host.handle)
        return sandbox

    def _clock(self, number: int) -> float:
        # A minute to a cell: later cells see later times, and a replay sees the same ones.
        return self._started + 60.0 * number

    # --- what the model is told -----------------------------------------------------------------------------------------------

    def _told(self, number: int, result: CellResult) -> str:
        settings = self._shared.settings
        output = clip(result.output, settings.output_head, settings.output_tail, f"out{number}")
        if self._short:
            return told_shortly(result, output, settings.output_head)
        if result.dropped_chars:
            output += f"\n[{result.dropped_chars:,} more characters were printed and not kept]"
        sections = [("output", output)] if output.strip() else []
        if result.error:
            sections.append(("error", clip(result.error, ERROR_CHARS // 2, ERROR_CHARS // 2, f"error{number}")))
        how = {"ok": "ended", "error": "raised", "interrupted": "was interrupted", "killed": "ended the session"}[
            result.status
        ]
        told = marked_output(f"cell {number} {how} after {result.seconds:.1f} s", sections)
        if not sections:
            told += "\n(no output)"
        if result.status == "interrupted":
            told += (
                f"\nIt computed for longer than {settings.cell_seconds:g} seconds and was interrupted. Variables it had set are kept. Split the "
                "work into smaller cells."
            )
        if result.status == "killed":
            told += (
                "\nThe session was restored by running the earlier cells again; nothing that this cell set is there. "
                + ("Calls that it started go on: batches() lists them. " if settings.depth else "")
                + "Do not run the same code again."
            )
        if self.host.diverged:
            listed = ", ".join(map(str, sorted(set(self.host.diverged))))
            told += f"\nThese cells did not run quite as they had the first time, so check what they set: {listed}."
            self.host.diverged.clear()
        if result.restored:
            told += f"\nRestored, because these names belong to the session: {', '.join(result.restored)}."
        return told

    def _status(self) -> str:
        shared, pool = self._shared, self._shared.pool
        if self._short:
            outline = (shared.application.outline().splitlines() or ["empty"])[0]
            calls = f"{shared.answered} calls answered, {pool.in_flight} running"
            return f"[turn {self.turn} of {self._brief.max_turns}; {calls}; {shared.application.name}: {outline.partition(',')[0][:40]}]"
        parts = [f"turn {self.turn} of {self._brief.max_turns}"]
        if shared.settings.depth:
            open_failures = len(shared.open_failures())
            calls = f"calls: {pool.running} running, {pool.waiting} waiting, {shared.answered} answered"
            parts.append(calls + (f", {open_failures} failed and not asked again" if open_failures else ""))
            if self.host.not_looked_at:
                parts.append(f"{self.host.not_looked_at} results not looked at yet")
            parts.append(f"{len(shared.findings)} findings; {shared.share_read:.1%} of the text read")
        else:
            parts.append(f"{shared.share_read:.1%} of the text read before this turn")
        left = [_left(name, value) for name, value in shared.budget.remaining().items() if value is not None]
        parts.append("budget left: " + (", ".join(left) if left else "no limits"))
        if not self._brief.child:
            parts.append(
                f"{shared.application.name}: {(shared.application.outline().splitlines() or ['empty'])[0][:120]}"
            )
        return "[" + " | ".join(parts) + "]"

    # --- compaction -----------------------------------------------------------------------------------------------------------

    async def _compact_when_long(self, turn: int) -> None:
        if turn in self._past.compactions:
            for event in self._past.compactions[turn]:
                self._context.restore(event.data["keep"], self._shared.journal.text(event.blobs["left_out"]))
            return
        settings = self._shared.settings
        if len(self._context.turns) > 1 and self._context.tokens() > settings.context_tokens:
            await self._compact(turn, self._context.kept(int(settings.context_tokens * KEPT_SHARE)))

    async def _compact(self, turn: int, keep: int) -> None:
        keep = max(1, min(keep, len(self._context.turns) - 1))
        before = self._context.tokens()
        variables = fits(await self._variables(), VARIABLES_TOKENS)
        outline = "" if self._brief.child else fits(self._shared.application.outline(), OUTLINE_TOKENS)
        left_out = self._context.compact(keep, variables, outline)
        data = {"turn": turn, "keep": keep, "tokens_before": before, "tokens_after": self._context.tokens()}
        await self._shared.journal.append_async("compaction", self._brief.name, data, left_out=left_out)

    async def _variables(self) -> str:
        assert self._sandbox is not None
        result = await self._sandbox.run("variables()", self._clock(self._cells), 0)
        if result.status == "killed":
            await self._restore()
        return result.output if result.status == "ok" else "they could not be listed"

    async def _journal(self, kind: str, **data: object) -> None:
        await self._shared.journal.append_async(kind, self._brief.name, data)


def begin(room: Room, settings: Settings, started: float) -> Sandbox:
    """Begins a session over a room; it gets ready while its owner is prepared. Raises SandboxUnavailable."""
    store = room.store.resolve()
    policy = Policy(
        readable=(store / "text.bin", store / "room.sqlite"),
        soft_seconds=settings.cell_seconds,
        hard_seconds=settings.grace_seconds,
        seed=settings.seed,
        clock_start=started,
    )
    return Sandbox.begin(policy, settings.sandbox)


def seed_of(seed: int, call: str) -> int:
    """The seed of one call of a run with this seed: the same whenever the call is made again, and another for every other call."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{call}".encode()).digest()[:4], "big") >> 1


def told_shortly(result: CellResult, output: str, most: int) -> str:
    """What came of a cell, for a root with little room: each line of its output after a mark, so that none can pass for the harness's own."""
    lines = output.strip().splitlines()
    if result.error:
        told = result.error.strip().splitlines()
        frames = max((at for at, line in enumerate(told) if line.startswith("  ")), default=-1)
        lines += told[frames + 1 :]
    if result.status not in ("ok", "error"):
        lines.append(f"the cell was {result.status}")
    text = "\n".join(f"> {line}" for line in lines) or "> (no output)"
    return text if len(text) <= 2 * most else text[: 2 * most] + " ..."


def _feedback(asked: list[Cell], contents: list[str], status: str) -> tuple[Message, ...]:
    """A tool message for each tool call, else one message of the user; the status stands last."""
    if asked[0].tool_call is None:
        return (Message("user", "\n\n".join([*contents, status])),)
    contents[-1] += f"\n\n{status}"
    return tuple(Message("tool", text, tool_call_id=cell.tool_call) for cell, text in zip(asked, contents, strict=True))


def with_note(messages: tuple[Message, ...], note: str | None) -> tuple[Message, ...]:
    if note is None:
        return messages
    return (*messages[:-1], replace(messages[-1], content=f"{messages[-1].content}\n\n{note}"))


def _same(output: str, other: str) -> bool:
    """Whether two outputs are the same but for addresses in memory."""
    return output == other or _ADDRESS.sub("", output) == _ADDRESS.sub("", other)


def _left(name: str, value: float) -> str:
    return f"${value:,.2f}" if name == "dollars" else f"{value:,.0f} {name}"
