"""What the root has in its context: the task, its own turns, and what the harness told it; cut down when it grows too long."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from redwell.harness.fence import marked_output
from redwell.models.tokens import estimate, estimate_messages
from redwell.models.types import Message

KEPT_SHARE = 0.4
"""The share of `context_tokens` that the last turns may take after a compaction."""
LOGGED_TURNS = 60

_LEFT_OUT = """

# Earlier turns

To keep this conversation short, turns {first} to {last} have been left out of it. What they made is still in the session.

What was run then (first line of each cell):
{log}

{state}"""


@dataclass(frozen=True, slots=True)
class Turn:
    """One reply of the root and what came of it: `feedback` holds a message for each cell, or a single one."""

    number: int
    reply: Message
    feedback: tuple[Message, ...]
    log: tuple[str, ...] = ()


@dataclass(slots=True)
class Context:
    """The messages of a root. `left_out` stands for the turns that a compaction took away."""

    system: str
    task: str
    turns: list[Turn] = field(default_factory=list)
    left_out: str = ""
    log: list[str] = field(default_factory=list)

    def messages(self) -> tuple[Message, ...]:
        found = [Message("system", self.system), Message("user", self.task + self.left_out)]
        for turn in self.turns:
            found.append(turn.reply)
            found.extend(turn.feedback)
        return tuple(found)

    def tokens(self) -> int:
        """An upper estimate of the tokens of all messages."""
        return estimate_messages(self.messages())

    def add(self, turn: Turn) -> None:
        self.turns.append(turn)

    def kept(self, most: int) -> int:
        """How many of the last turns stay in a compaction: as many as fit into `most` tokens, and always the last."""
        total = 0
        for count, turn in enumerate(reversed(self.turns)):
            total += estimate_messages([turn.reply, *turn.feedback])
            if total > most and count:
                return count
        return len(self.turns)

    def compact(self, keep: int, variables: str, outline: str) -> str:
        """Leaves out all but the last `keep` turns; returns the text that stands for them. The task and the system prompt stay."""
        gone, self.turns = self.turns[: len(self.turns) - keep], self.turns[len(self.turns) - keep :]
        self.log += [line for turn in gone for line in turn.log]
        log = self.log[-LOGGED_TURNS:]
        if len(log) < len(self.log):
            log = [f"({len(self.log) - len(log)} earlier ones)", *log]
        self.left_out = _LEFT_OUT.format(
            first=1,
            last=gone[-1].number if gone else 0,
            log="\n".join(log) or "nothing",
            state=marked_output(
                "the session as it is",
                [
                    ("variables of the session", variables or "none"),
                    ("the deliverable so far", outline or "nothing yet"),
                ],
            ),
        )
        return self.left_out

    def restore(self, keep: int, left_out: str) -> None:
        """Applies a compaction that was recorded."""
        gone, self.turns = self.turns[: len(self.turns) - keep], self.turns[len(self.turns) - keep :]
        self.log += [line for turn in gone for line in turn.log]
        self.left_out = left_out


def clip(text: str, head: int, tail: int, handle: str) -> str:
    """The head and the tail of a long text, with its true length and the way to the rest."""
    return clip_ends(text, head, tail, lambda start: f": show({handle!r}, start={start})")


def clip_ends(text: str, head: int, tail: int, rest: Callable[[int], str] = lambda start: "") -> str:
    """The head and the tail of a long text, with its true length; `rest` says how to see what is between, from a character on."""
    if len(text) <= head + tail:
        return text
    start = text.rfind("\n", head // 2, head) + 1 or head
    end = text.find("\n", len(text) - tail, len(text) - tail // 2) + 1 or len(text) - tail
    left_out = f"characters {start:,} to {end:,} of {len(text):,} left out{rest(start)}"
    return f"{text[:start]}\n[... {left_out} ...]\n{text[end:]}"


def first_line(code: str) -> str:
    """The first line of a cell that says something, for the log of turns that were left out."""
    for line in code.splitlines():
        if line.strip():
            text = line.strip()
            return text if len(text) <= 160 else text[:157] + "..."
    return "(empty)"


def fits(text: str, tokens: int) -> str:
    """A text cut to about this many tokens."""
    while text and estimate(text) > tokens:
        text = text[: len(text) * 3 // 4] + "\n..."
    return text
