"""The embedded root: a model that writes the cells that a careful root would write, in a fixed order, and reacts to what comes back.

It is a function of the conversation alone: which step comes next is read from the first lines of the cells that were run (they stay in the
conversation, also after a compaction), and from the last cell's output. It does not reason, and the report says so.
"""

from __future__ import annotations

import asyncio
import json
import re
from importlib.resources import files

from redwell.diligence import playbook_alone, playbook_once, playbook_tools
from redwell.diligence.playbook_alone import RAISED
from redwell.models.types import Completion, Message, Request, ToolCall, Usage

STEPS = ("look", "dispatch", "harvest", "again", "checks", "tables", "none_found", "summary", "submit")
"""The playbook's steps; each is a cell in `playbook_cells/NAME.cell` whose first line is `# Step N of 9: ...`."""
MOST_HARVESTS = 24
MOST_SUBMITS = 4

_MARK = re.compile(r"^# Step (\d+) of \d+\b", re.MULTILINE)


def cell(name: str) -> str:
    """The source of a step's cell."""
    return (
        files("redwell.diligence").joinpath("playbook_cells", f"{name}.cell").read_text(encoding="utf-8").strip() + "\n"
    )


def next_cell(messages: tuple[Message, ...]) -> str:
    """The cell to run now, from the conversation so far."""
    ran = [int(number) for message in messages for number in _MARK.findall(_code_of(message))]
    if not ran:
        return cell(STEPS[0])
    last = STEPS[ran[-1] - 1] if ran[-1] <= len(STEPS) else STEPS[-1]
    output = "\n".join(m.content for m in _since_reply(messages))
    if (
        last == "harvest"
        and "still being read" in output
        and ran.count(ran[-1]) < MOST_HARVESTS
        and not RAISED.search(output)
    ):
        return cell("harvest")
    if last == "submit":
        return cell("disclose") if ran.count(ran[-1]) <= MOST_SUBMITS else cell("give_up")
    if RAISED.search(output) and _is_new(messages, last):
        return cell(f"{last}_again") if last in ("checks", "tables", "summary") else cell(STEPS[ran[-1]])
    return cell(STEPS[ran[-1]])


def _code_of(message: Message) -> str:
    """The code that a message holds: cells that were called, or the log of cells in the user's message after a compaction."""
    if message.role == "assistant":
        return "\n".join(_source(call) for call in message.tool_calls) or message.content
    return message.content if message.role == "user" else ""


def _source(call: ToolCall) -> str:
    try:
        return str(json.loads(call.arguments)["code"])
    except (ValueError, KeyError, TypeError):
        return ""


def _since_reply(messages: tuple[Message, ...]) -> list[Message]:
    """The messages after the last reply: what the last cell gave."""
    found: list[Message] = []
    for message in reversed(messages):
        if message.role == "assistant":
            break
        found.append(message)
    return found[::-1]


def _is_new(messages: tuple[Message, ...], step: str) -> bool:
    """Whether the last cell was the step itself, not what was run in its place after it failed."""
    for message in reversed(messages):
        if message.role == "assistant":
            return "in its place" not in _code_of(message).split("\n", 1)[0]
    return False


class Playbook:
    """The model `playbook`. What it plays is told by the request alone: the tools that are offered, and what stands in the conversation."""

    name = "playbook"

    async def complete(self, request: Request) -> Completion:
        """One native call of the tool `python`, or of those of a workspace; without tools, the deliverable."""
        if not request.tools:
            play = playbook_once.kept if request.schema is not None else playbook_once.report
            text = await asyncio.to_thread(play, request)
            return Completion(text=text, model=self.name, usage=Usage())
        if any(tool.name == "finish" for tool in request.tools):
            tool_calls = await asyncio.to_thread(playbook_tools.calls, request)
            return Completion("", self.name, tool_calls, "tool_calls", Usage())
        if playbook_alone.plays(request):
            codes = await asyncio.to_thread(playbook_alone.next_cells, request)
        else:
            codes = [next_cell(request.messages)]
        turn = sum(message.role == "assistant" for message in request.messages)
        tool_calls = tuple(
            ToolCall(
                f"cell_{turn + 1}" + (f"_{number}" if number else ""),
                "python",
                json.dumps({"code": code}, ensure_ascii=False),
            )
            for number, code in enumerate(codes)
        )
        return Completion("", self.name, tool_calls, "tool_calls", Usage())

    async def close(self) -> None:
        return None
