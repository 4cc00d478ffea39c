"""Conversations for supervised fine-tuning: one JSON object a line with `messages` and `tools`, as TRL, prime-rl, open-instruct, OpenAI and Tinker take it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from redwell.journal.trajectory import Exchange
from redwell.train.export.source import Piece, pieces
from redwell.train.types import Rollout

Arguments = Literal["objects", "strings"]
"""How the arguments of a tool call are written: the templates of TRL and Transformers want objects, OpenAI's wire has JSON in a string."""


class NotSayable(Exception):
    """A conversation that the format has no words for; the message says why."""


def sft_lines(
    rollout: Rollout, asked: Sequence[Exchange], arguments: Arguments = "objects"
) -> Iterator[dict[str, Any]]:
    """A line for each conversation of the root. Where history was rewritten another line begins; what it repeats of the root's answers has
    `weight` 0, so that no answer is learned twice. Raises NotSayable when arguments are to be objects, and the root wrote none."""
    learned: set[str] = set()
    for piece in pieces(asked):
        yield {
            "messages": list(wire_messages(piece, arguments, learned)),
            "tools": [wire_tool(tool) for tool in piece.tools],
            "rollout": rollout.id,
            "task": rollout.task,
            "reward": rollout.reward,
        }


def wire_messages(piece: Piece, arguments: Arguments, learned: set[str]) -> Iterator[dict[str, Any]]:
    said = set(piece.said)
    names: dict[str, str] = {}
    for place, message in enumerate(piece.messages):
        line = wire_message(message, arguments, names)
        if message["role"] == "assistant":
            known = json.dumps(message, sort_keys=True)
            if place not in said and known in learned:
                line["weight"] = 0
            learned.add(known)
        yield line


def wire_message(message: Mapping[str, Any], arguments: Arguments, names: dict[str, str]) -> dict[str, Any]:
    """One message in OpenAI's words. `names` has the tools' names by call, and grows."""
    line: dict[str, Any] = {"role": message["role"], "content": message["content"]}
    if calls := message.get("tool_calls"):
        names.update({call["id"]: call["name"] for call in calls})
        line["tool_calls"] = [
            {
                "id": call["id"],
                "type": "function",
                "function": {"name": call["name"], "arguments": _written(call, arguments)},
            }
            for call in calls
        ]
    if (answered := message.get("tool_call_id")) is not None:
        line["tool_call_id"] = answered
        if answered in names:
            line["name"] = names[answered]
    return line


def wire_tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    wanted = {name: tool[name] for name in ("name", "description", "parameters")}
    return {"type": "function", "function": wanted}


def messages_of(lines: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The messages of a line as the journal has them, whatever form their arguments are in."""
    found = []
    for line in lines:
        message: dict[str, Any] = {"role": line["role"], "content": line["content"]}
        if "tool_calls" in line:
            message["tool_calls"] = [
                {"id": call["id"], "name": call["function"]["name"], "arguments": _read(call["function"]["arguments"])}
                for call in line["tool_calls"]
            ]
        if "tool_call_id" in line:
            message["tool_call_id"] = line["tool_call_id"]
        found.append(message)
    return found


def _written(call: Mapping[str, Any], arguments: Arguments) -> Any:
    if arguments == "strings":
        return call["arguments"]
    try:
        found = json.loads(call["arguments"])
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise NotSayable("a tool call of the root has arguments that are no JSON object; write them as strings")
    return found


def _read(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
