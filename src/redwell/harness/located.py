"""Finds the room's text in what a model is told, where nobody noted which it was: what a cell printed, what a command wrote.

The rule: a stretch of `LEAST` characters or more that stands word for word in a document's final text is text of the room, to its whole
length. Where several documents hold it, it counts for the one that holds the longest stretch around it, and of equals for the first by path.
Shorter stretches, and such as hold hardly a letter, count for nothing.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from dataclasses import dataclass

from redwell.harness.told import Held
from redwell.room.room import Room
from redwell.room.types import Span

BLOCK = 32
"""Of every document each 32nd place is known; so of 63 characters in a row at least one whole block is found."""
LEAST = 64
LETTERS = 20
"""In a stretch, letters and figures: a line of dashes is nobody's text."""
MOST_PLACES = 64
"""Where one block stands that are looked at."""
_BITS, _ORDINALS = (1 << 38) - 1, 26
"""A key is 38 bits of a block's hash and its number, which is enough for two thousand million characters."""
_SHELVES = 6
"""Bits of a key that say on which shelf it lies: sorted one at a time, they take up little memory meanwhile."""
_TEXTS = 64


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    document: str
    at: int


class Located:
    """An index of a room's texts, made when something is first looked for in it. It takes a byte for each four characters of the room."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._documents: list[str] = []
        self._first: list[int] = []
        self._shelves = [array("Q") for _ in range(1 << _SHELVES)]
        self._made = False

    def find(self, text: str) -> list[Held]:
        """Where in `text` which stretches of the room stand, in order and apart from each other."""
        if len(text) < LEAST:
            return []
        self._make()
        found: list[_Found] = []
        position, last = 0, len(text) - BLOCK
        while position <= last:
            best = self._longest(text, position)
            if best is None:
                position += 1
                continue
            found.append(best)
            position = max(position + 1, best.end - BLOCK + 1)
        return _apart(found)

    def _make(self) -> None:
        if self._made:
            return
        ordinal = 0
        for document in sorted((each for each in self._room.documents() if each.length), key=lambda each: each.path):
            text = self._room.text(document.id)
            self._documents.append(document.id)
            self._first.append(ordinal)
            for start in range(0, len(text) - BLOCK + 1, BLOCK):
                key = (hash(text[start : start + BLOCK]) & _BITS) << _ORDINALS | ordinal
                self._shelves[key >> 64 - _SHELVES].append(key)
                ordinal += 1
        self._shelves = [array("Q", sorted(shelf)) for shelf in self._shelves]
        self._made = True

    def _longest(self, text: str, position: int) -> _Found | None:
        key = (hash(text[position : position + BLOCK]) & _BITS) << _ORDINALS
        keys = self._shelves[key >> 64 - _SHELVES]
        low = bisect_left(keys, key)
        best: _Found | None = None
        for place in range(low, min(low + MOST_PLACES, len(keys))):
            if keys[place] >> _ORDINALS != key >> _ORDINALS:
                break
            ordinal = keys[place] & ((1 << _ORDINALS) - 1)
            number = bisect_right(self._first, ordinal) - 1
            identity = self._documents[number]
            one = _around(text, position, self._text(identity), (ordinal - self._first[number]) * BLOCK, identity)
            if one is not None and (best is None or one.end - one.start > best.end - best.start):
                best = one
        return best

    def _text(self, identity: str) -> str:
        if identity not in self._texts:
            self._texts[identity] = self._room.text(identity)
            while len(self._texts) > _TEXTS:
                self._texts.popitem(last=False)
        self._texts.move_to_end(identity)
        return self._texts[identity]


def _around(text: str, position: int, other: str, at: int, identity: str) -> _Found | None:
    """The longest stretch that both have around these places; None when the block there is not the same, or it is too short."""
    if not other.startswith(text[position : position + BLOCK], at):
        return None
    left = 0
    while left < position and left < at and text[position - left - 1] == other[at - left - 1]:
        left += 1
    end, most = BLOCK, min(len(text) - position, len(other) - at)
    while end < most and text[position + end] == other[at + end]:
        end += 1
    if left + end < LEAST or sum(map(str.isalnum, text[position - left : position + end])) < LETTERS:
        return None
    return _Found(position - left, position + end, identity, at - left)


def _apart(found: list[_Found]) -> list[Held]:
    """Without those that lie within a longer one; what two have in common goes to the first."""
    held: list[Held] = []
    kept: list[_Found] = []
    for one in sorted(found, key=lambda each: (each.start, -each.end)):
        if not kept or one.end > kept[-1].end:
            kept.append(one)
    position = 0
    for one in kept:
        cut = max(0, position - one.start)
        if one.end - one.start > cut:
            held.append((one.start + cut, Span(one.document, one.at + cut, one.at + one.end - one.start)))
            position = one.end
    return held
