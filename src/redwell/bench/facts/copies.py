"""What of a report was taken over from the room word for word without being marked as a quotation, and how much of the room it reproduces."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from redwell.bench.facts.markdown import Parsed, Sentence

STRETCH = 12
"""So many words in a row that also stand in the room in a row are a copy. Names, titles and dates alone do not get that long."""
SHORT_STRETCH = 5
"""In a report that is a copy for the most part, so few are."""
MOSTLY = 0.7
"""The share of a sentence that must lie in such stretches."""
COPIED = 0.3
"""The share of a report's unquoted words in such stretches from which on it counts as a copy."""
REPRODUCED = 0.4
"""The share of the room's words that a report may give back before its quotations count for nothing."""

_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Copied:
    """`own` is the share of a report's unquoted words that stand in the room in stretches, `room` that of the room's words which it gives back,
    quoted or not."""

    own: float = 0.0
    room: float = 0.0

    @property
    def is_copy(self) -> bool:
        return self.own > COPIED or self.room > REPRODUCED


def mark_copies(report: Parsed, texts: Callable[[], Iterable[str]]) -> Copied:
    """Sets `copied` on the sentences of a report that stand in these texts of the room. Reads the texts once, and once more for a copy."""
    words, owners = _words(report)
    found, room = _look(words, texts(), STRETCH)
    covered = _covered(found, STRETCH)
    unquoted = [at for at, owner in enumerate(owners) if owner is not None]
    own = sum(covered[at] for at in unquoted) / len(unquoted) if unquoted else 0.0
    if own > COPIED:
        found, _ = _look(words, texts(), SHORT_STRETCH)
        covered = _covered(found, SHORT_STRETCH)
    _mark(covered, owners)
    return Copied(own, room)


def _look(words: list[str], texts: Iterable[str], stretch: int) -> tuple[bytearray, float]:
    """Where in these words stretches begin that stand in the texts, and the share of the texts' words in them."""
    vocabulary: dict[str, int] = {}
    numbers = [vocabulary.setdefault(word, len(vocabulary)) for word in words]
    places: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for at in range(len(numbers) - stretch + 1):
        places[tuple(numbers[at : at + stretch])].append(at)
    found = bytearray(len(numbers))
    total = given_back = 0
    get = vocabulary.get
    for text in texts:
        run: list[int] = []
        last = -stretch
        at = -1
        for at, word in enumerate(_WORD.findall(text.lower())):
            number = get(word)
            if number is None:
                run.clear()
                continue
            run.append(number)
            if len(run) < stretch:
                continue
            if len(run) > 4096:
                del run[:-stretch]
            here = places.get(tuple(run[-stretch:]))
            if here is None:
                continue
            given_back += min(stretch, at - last)
            last = at
            for place in here:
                found[place] = 1
        total += at + 1
    return found, given_back / total if total else 0.0


def _words(report: Parsed) -> tuple[list[str], list[Sentence | None]]:
    """The words of a report in order, each with the sentence whose own word it is, None in headings and quotations."""
    words: list[str] = []
    owners: list[Sentence | None] = []

    def add(text: str, owner: Sentence | None) -> None:
        new = _WORD.findall(text)
        words.extend(new)
        owners.extend([owner] * len(new))

    for section in report.sections:
        for heading in section.headings[-1:]:
            add(heading, None)
        for block in section.blocks:
            for sentence in block.sentences:
                add(sentence.own, sentence)
                for quote in sentence.quoted:
                    add(quote, None)
    return words, owners


def _covered(found: bytearray, stretch: int) -> bytearray:
    covered = bytearray(len(found))
    reach = 0
    for at, hit in enumerate(found):
        if hit:
            reach = at + stretch
        if at < reach:
            covered[at] = 1
    return covered


def _mark(covered: bytearray, owners: list[Sentence | None]) -> None:
    counts: dict[int, tuple[Sentence, int, int]] = {}
    for at, owner in enumerate(owners):
        if owner is not None:
            _, all_, copied = counts.get(id(owner), (owner, 0, 0))
            counts[id(owner)] = (owner, all_ + 1, copied + covered[at])
    for owner, all_, copied in counts.values():
        owner.copied = copied >= MOSTLY * all_ and copied > 0
