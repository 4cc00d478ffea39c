"""Rows from which other trainers begin rollouts of their own: one for each task, with the messages that its root is first asked with.

A rubric is in none of them: what is to be reached is named by the task, and judged by whoever plays it in the room.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from redwell.journal.trajectory import Exchange
from redwell.train.export.sft_jsonl import wire_message, wire_tool
from redwell.train.types import Rollout

Trainer = Literal["verl", "skyrl", "trl", "nemo-gym"]
NAME = "redwell"
"""What the other side calls our tasks: data source, environment, agent."""


def prompt_row(trainer: Trainer, rollout: Rollout, asked: Sequence[Exchange], number: int) -> dict[str, Any]:
    """The row of a rollout's task; `number` counts the rows. `asked` are the rollout's calls, at least one."""
    first = asked[0]
    messages = [wire_message(message, "strings", {}) for message in first.asked]
    return _ROWS[trainer](rollout.task, messages, first.tools, number)


def _verl(task: str, messages: list[dict[str, Any]], tools: list[dict[str, Any]], number: int) -> dict[str, Any]:
    return {
        "data_source": NAME,
        "prompt": messages,
        "ability": "diligence",
        "reward_model": {"style": "rule", "ground_truth": task},
        "extra_info": {"index": number, "task": task, "tools": [wire_tool(tool) for tool in tools]},
    }


def _skyrl(task: str, messages: list[dict[str, Any]], tools: list[dict[str, Any]], number: int) -> dict[str, Any]:
    return {
        "data_source": NAME,
        "prompt": messages,
        "env_class": NAME,
        "reward_spec": {"method": "rule", "ground_truth": task},
        "extra_info": {"index": number, "task": task, "tools": [wire_tool(tool) for tool in tools]},
    }


def _trl(task: str, messages: list[dict[str, Any]], tools: list[dict[str, Any]], number: int) -> dict[str, Any]:
    return {"prompt": messages, "task": task}


def _nemo_gym(task: str, messages: list[dict[str, Any]], tools: list[dict[str, Any]], number: int) -> dict[str, Any]:
    """In the words of OpenAI's Responses API."""
    asked: dict[str, Any] = {"input": [{"type": "message", **message} for message in messages]}
    if tools:
        asked["tools"] = [{"type": "function", "strict": False, **tool} for tool in tools]
    return {
        "responses_create_params": asked,
        "agent_ref": {"type": "responses_api_agents", "name": NAME},
        "task": task,
    }


_ROWS: dict[Trainer, Callable[[str, list[dict[str, Any]], list[dict[str, Any]], int], dict[str, Any]]] = {
    "verl": _verl,
    "skyrl": _skyrl,
    "trl": _trl,
    "nemo-gym": _nemo_gym,
}
