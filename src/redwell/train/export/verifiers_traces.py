"""Rollouts as verifiers keeps them in `traces.jsonl`: one JSON object a line, whose one trace is a graph of messages with the tokens each adds.

Version 1 of the trace, as of verifiers 0.4: the tokens along a path from a root to a leaf are those of one segment.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from redwell.journal.trajectory import Exchange
from redwell.train.export.source import continues
from redwell.train.types import Rollout, Turn

TRACE_VERSION = 1
VERIFIERS = "0.4.0"
"""The version whose form this is."""
PACKAGE = "redwell-rooms"
_FINISHES = {"stop": "stop", "length": "length", "tool_calls": "tool_calls"}


def trace_line(
    rollout: Rollout, asked: Sequence[Exchange], turns: Sequence[Turn], configuration: Mapping[str, Any], advantage: float | None = None
) -> dict[str, Any]:  # fmt: skip
    """A rollout as a line. Without `turns` (a run whose tokens were not captured) it has messages only. An unscorable rollout has no reward and
    an error, so that nobody takes it for one of reward 0."""
    nodes, calls = _graph(asked, {turn.call: turn for turn in turns}, advantage)
    identity = hashlib.sha256(f"{rollout.run}\n{rollout.id}".encode()).hexdigest()[:32]
    data = {"id": rollout.task, "name": rollout.task, "prompt": _opening(asked)}
    task = {"type": "RoomTask", "data": data, "key": rollout.task, "hash": _digest(data)}
    scored = rollout.reward is not None
    errors = [] if scored else [{"type": "TaskError", "message": rollout.why or "the rollout could not be scored"}]
    begun, ended = (asked[0].time, asked[-1].time) if asked else (0.0, 0.0)
    trace = {
        "version": TRACE_VERSION,
        "id": identity,
        "verifiers": {"version": VERIFIERS},
        "task": task,
        "agent": {
            "config": {"harness": {"id": PACKAGE}, "model": dict(configuration.get("models", {})).get("root")},
            "name": "agent",
            "trainable": True,
        },
        "tools": _tools(asked),
        "nodes": nodes,
        "calls": calls,
        "rewards": {"reward": {"score": rollout.reward, "weight": 1.0} if scored else None},
        "metrics": {**rollout.parts, "coverage": rollout.coverage, "submitted": float(rollout.submitted)},
        "info": {PACKAGE: {"rollout": rollout.id, "status": rollout.status, "why": rollout.why, "run": rollout.run}},
        "is_completed": True,
        "ok": scored,
        "stop_condition": "agent_completed" if scored else "task_error",
        "errors": errors,
        "timing": {"start": begun, "agent": {"start": begun, "end": ended}},
    }
    return {
        "id": identity,
        "env": {"id": PACKAGE},
        "task": task,
        "group": {"id": rollout.group},
        "ok": scored,
        "errors": [],
        "traces": [trace],
    }


def _graph(
    asked: Sequence[Exchange], turns: Mapping[str, Turn], advantage: float | None
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Nodes and calls. What a request adds to the tokens so far stands with the answer, since nothing says which message each token is of. A request that
    does not go on with the last one, in its messages or in its tokens, begins at a root of its own."""
    nodes: list[dict[str, Any]] = []
    calls: list[dict[str, Any]] = []
    so_far: list[dict[str, Any]] = []
    ids: list[int] = []
    parent: int | None = None
    for one in asked:
        if one.answer is None:
            continue
        turn = turns.get(one.call)
        goes_on = parent is not None and continues(so_far, one.asked)
        if turn is not None and list(turn.prompt_ids[: len(ids)]) != ids:
            goes_on = False
        if not goes_on:
            so_far, ids, parent = [], [], None
        names: dict[str, str] = {}
        for message in [*one.asked[len(so_far) :], one.answer]:
            node: dict[str, Any] = {"parent": parent, "message": _message(message, names), "timestamp": one.time}
            if parent is None:
                node["tools"] = _tools([one])
            parent = len(nodes)
            nodes.append(node)
        nodes[-1]["sampled"] = True
        if turn is not None:
            given = turn.prompt_ids[len(ids) :]
            nodes[-1] |= {
                "token_ids": [*given, *turn.ids],
                "mask": [False] * len(given) + [True] * len(turn.ids),
                "logprobs": list(turn.logprobs),
            }
            if advantage is not None:
                nodes[-1]["advantages"] = [advantage] * len(turn.ids)
            ids = [*turn.prompt_ids, *turn.ids]
        so_far = [*one.asked, one.answer]
        calls.append(_call(one, len(nodes) - 1))
    return nodes, calls


def _message(message: Mapping[str, Any], names: dict[str, str]) -> dict[str, Any]:
    line = {name: message[name] for name in ("role", "content", "tool_call_id") if name in message}
    if calls := message.get("tool_calls"):
        names.update({call["id"]: call["name"] for call in calls})
        line["tool_calls"] = [{"type": "function", **call} for call in calls]
    if (name := names.get(message.get("tool_call_id", ""))) is not None:
        line["name"] = name
    return line


def _call(one: Exchange, node: int) -> dict[str, Any]:
    usage = one.completion.get("usage")
    call: dict[str, Any] = {
        "node": node,
        "model": one.completion.get("model"),
        "endpoint": "/chat/completions",
        "finish_reason": _FINISHES.get(one.completion.get("finish", "")),
        "time": {"start": one.time - one.completion.get("seconds", 0.0), "end": one.time},
    }
    if usage:
        cached = usage["cached_input"]
        call["usage"] = {
            "prompt_tokens": usage["input"] - cached,
            "completion_tokens": usage["output"],
            "cached_input_tokens": cached,
        }
    return call


def _tools(asked: Sequence[Exchange]) -> list[dict[str, Any]]:
    return [{"type": "function", **tool} for tool in asked[0].tools] if asked else []


def _opening(asked: Sequence[Exchange]) -> str:
    """The task as the root was first asked, without its system prompt."""
    first = asked[0].asked if asked else []
    return "\n\n".join(str(message["content"]) for message in first if message["role"] == "user")


def _digest(data: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
