"""What a command-line agent writes while it works, as JSON lines: what it says, what it used, which documents it opened."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

from redwell.models.types import Usage

MOST_DEPTH = 40
_LONGEST_PATH = 4_096


@dataclass(slots=True)
class Transcript:
    """Line by line. `names` are the documents' paths as the agent sees them; those that stand in what it told its tools are `opened`.

    Usage is that of the last line that sums up (`"type": "result"`), else the sum over lines that end a turn, else over messages, each
    message once with its last figures; None when no line tells any.
    """

    names: Collection[str]
    texts: list[str] = field(default_factory=list)
    opened: dict[str, None] = field(default_factory=dict)
    said: str = ""
    lines: int = 0
    _summed: Usage | None = None
    _turns: list[Usage] = field(default_factory=list)
    _messages: dict[str, Usage] = field(default_factory=dict)

    def take(self, line: str) -> None:
        if not line.strip():
            return
        self.lines += 1
        try:
            given = json.loads(line)
        except (ValueError, RecursionError):
            given = None
        if not isinstance(given, dict):
            self.texts.append(line)
            self.said = line.strip()
            return
        self._use(given)
        self.texts += _strings(given)
        for text in _asked(given):
            self.opened.update(dict.fromkeys(name for name in self.names if name in text))
        if said := _said(given):
            self.said = said

    @property
    def usage(self) -> Usage | None:
        if self._summed is not None:
            return self._summed
        found = self._turns or list(self._messages.values())
        return sum(found[1:], found[0]) if found else None

    def _use(self, given: dict[str, Any]) -> None:
        kind = str(given.get("type", ""))
        message = given.get("message")
        if kind == "result" and (used := _usage(given.get("usage"))) is not None:
            self._summed = used
        elif (used := _usage(given.get("usage"))) is not None:
            self._turns.append(used)
        elif isinstance(message, dict) and (used := _usage(message.get("usage"))) is not None:
            self._messages[str(message.get("id") or self.lines)] = used


def _usage(given: Any) -> Usage | None:
    """Tokens in either of the two ways in which servers tell them: with the cached input in the input, or beside it."""
    if not isinstance(given, dict):
        return None

    def count(name: str) -> int:
        value = given.get(name)
        return value if type(value) is int and value >= 0 else 0

    if "input_tokens" not in given and "output_tokens" not in given:
        return None
    beside, written = count("cache_read_input_tokens"), count("cache_creation_input_tokens")
    within = count("cached_input_tokens")
    return Usage(count("input_tokens") + beside + written, beside + within, count("output_tokens"), written)


def _strings(given: Any, depth: int = 0) -> Iterator[str]:
    """Every text in a line: what the model was shown stands there as it was shown."""
    if isinstance(given, str):
        yield given
    elif depth < MOST_DEPTH and isinstance(given, dict | list):
        for value in given.values() if isinstance(given, dict) else given:
            yield from _strings(value, depth + 1)


def _asked(given: Any, depth: int = 0) -> Iterator[str]:
    """The texts of what an agent told its tools: `input`, `arguments` or `command` of a call."""
    if depth >= MOST_DEPTH:
        return
    if isinstance(given, dict):
        for name, value in given.items():
            if name in ("input", "arguments", "command", "parameters"):
                yield from (text for text in _strings(value) if len(text) <= 16 * _LONGEST_PATH)
            else:
                yield from _asked(value, depth + 1)
    elif isinstance(given, list):
        for value in given:
            yield from _asked(value, depth + 1)


def _said(given: dict[str, Any]) -> str:
    """What the model says in a line, if it says something."""
    for found in (
        given.get("result"),
        given.get("text"),
        given.get("message"),
        given.get("item"),
        given.get("content"),
    ):
        if isinstance(found, str) and found.strip():
            return found
        if isinstance(found, dict) and (inner := _said(found)) and found.get("role", "assistant") == "assistant":
            return inner
        if isinstance(found, list):
            texts = [each["text"] for each in found if isinstance(each, dict) and isinstance(each.get("text"), str)]
            if texts:
                return "\n".join(texts)
    return ""
