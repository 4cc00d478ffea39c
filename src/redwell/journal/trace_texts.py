"""The texts that a trace shows: each once, and none so long that the file of a long run cannot be opened."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from redwell.journal.journal import Journal
from redwell.journal.trace import Node
from redwell.journal.trajectory import completion, request_messages

_HEAD, _TAIL = 30_000, 10_000  # characters of one text in the file; the whole is in the journal
_OWN, _OTHERS = 4_000_000, 8_000_000
"""Characters that the texts of root and its cells, and those of all other calls, may have together."""
_LEAST = 200


@dataclass(frozen=True, slots=True)
class _Kept:
    length: int
    own: bool
    packed: bytes  # head and tail of a long text, the whole of another


class Texts:
    """Each text once, by a number; nodes point at the numbers. First every node is taken, then the texts are asked for.

    A text has at most 40,000 characters. When there are so many that the file would be too large, the longest are shortened further.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._numbers: dict[bytes, int] = {}
        self._kept: list[_Kept] = []
        self._of: dict[int, list[tuple[str, int]]] = {}

    def take(self, node: Node) -> None:
        own = node.kind in ("run", "turn", "cell") or node.facts.get("role") == "root"
        labelled = [(label, self._number(text, own)) for label, text in self._shown(node) if text.strip()]
        if labelled:
            self._of[node.id] = labelled

    def of(self, node: Node) -> list[tuple[str, int]]:
        """Pairs of a label and a text's number."""
        return self._of.get(node.id, [])

    def each(self) -> Iterator[str]:
        """The texts as they are shown, in the order of their numbers."""
        longest = self._longest()
        for kept in self._kept:
            yield _shortened(kept, longest[kept.own])

    @property
    def shortened(self) -> int:
        """How many texts are not shown whole."""
        longest = self._longest()
        return sum(kept.length > longest[kept.own] for kept in self._kept)

    def _longest(self) -> dict[bool, int]:
        most = _HEAD + _TAIL
        return {
            own: max(_LEAST, min(most, fitting((min(k.length, most) for k in self._kept if k.own == own), budget)))
            for own, budget in ((True, _OWN), (False, _OTHERS))
        }

    def _number(self, text: str, own: bool) -> int:
        written = text.encode("utf-8", "surrogatepass")
        digest = hashlib.blake2b(written, digest_size=16).digest()
        if digest not in self._numbers:
            self._numbers[digest] = len(self._kept)
            if len(text) > _HEAD + _TAIL:
                written = (text[:_HEAD] + text[-_TAIL:]).encode("utf-8", "surrogatepass")
            self._kept.append(_Kept(len(text), own, zlib.compress(written, 1)))
        return self._numbers[digest]

    def _shown(self, node: Node) -> list[tuple[str, str]]:
        shown: list[tuple[str, str]] = []
        for name, digest in node.texts.items():
            if name == "request":
                shown += self._asked(node, digest)
            elif name == "completion":
                shown += self._answered(digest)
            else:
                shown.append((name.replace("_", " ").capitalize(), self._journal.text(digest)))
        return shown

    def _asked(self, node: Node, digest: str) -> list[tuple[str, str]]:
        messages = request_messages(self._journal, digest)
        if node.facts.get("role") == "root":
            # The turns before it are in the tree; only what was new to the model is shown here.
            node.facts["messages in context"] = len(messages)
            return [("Seen last", messages[-1]["content"])] if messages else []
        return [
            ("Rules" if message["role"] == "system" else "Asked", message["content"])
            for message in reversed(messages)
            if message["role"] in ("system", "user")
        ]

    def _answered(self, digest: str) -> list[tuple[str, str]]:
        kept = completion(self._journal, digest)
        calls = "\n\n".join(_tool_call(name, arguments) for _, name, arguments in kept.get("tool_calls", ()))
        return [("Answer", kept["text"]), ("Called", calls)]


def fitting(lengths: Iterable[int], budget: int) -> int:
    """The length to which texts must be cut to have `budget` characters together; that of the longest when they all fit."""
    ascending = sorted(lengths)
    for number, length in enumerate(ascending):
        share = budget // (len(ascending) - number)
        if length > share:
            return share
        budget -= length
    return ascending[-1] if ascending else 0


def _shortened(kept: _Kept, longest: int) -> str:
    text = zlib.decompress(kept.packed).decode("utf-8", "surrogatepass")
    if kept.length <= longest:
        return text
    tail = longest // 4
    return f"{text[: longest - tail]}\n\n… {kept.length - longest:,} characters are left out here …\n\n{text[-tail:]}"


def _tool_call(name: str, arguments: str) -> str:
    """A call of the python tool reads best as its code."""
    try:
        value = json.loads(arguments)
    except ValueError:
        value = None
    if isinstance(value, dict) and len(value) == 1 and isinstance(value.get("code"), str):
        return str(value["code"])
    return f"{name}({arguments})"
