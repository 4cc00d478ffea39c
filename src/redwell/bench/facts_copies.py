"""What of a report was taken over from the room word for word without being marked as a quotation, and how much of the room it reproduces."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from redwell.bench.facts_markdown import Parsed, Sentence

STRETCH = 12
"""So many words in a row that also stand in the room in a row are a copy. Names, titles and dates alone do not get that long."""
MOSTLY = 0.7
"""The share of a sentence that must lie in such stretches."""

_WORD = re.compile(r"[a-z0-9]+")


def mark_copies(report: Parsed, texts: Iterable[str]) -> float:
    """Sets `copied` on the sentences of a report that stand in these texts of the room; returns the share of the texts' words which the report
    gives back in stretches, quoted or not. Reads each text once."""
    words, owners = _words(report)
    vocabulary: dict[str, int] = {}
    numbers = [vocabulary.setdefault(word, len(vocabulary)) for word in words]
    places: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for at in range(len(numbers) - STRETCH + 1):
        places[tuple(numbers[at : at + STRETCH])].append(at)
    found = bytearray(len(numbers))
    total = given_back = 0
    get = vocabulary.get
    for text in texts:
        run: list[int] = []
        last = -STRETCH
        at = -1
        for at, word in enumerate(_WORD.findall(text.lower())):
            number = get(word)
            if number is None:
                run.clear()
                continue
            run.append(number)
            if len(run) < STRETCH:
                continue
            if len(run) > 4096:
                del run[:-STRETCH]
            here = places.get(tuple(run[-STRETCH:]))
            if here is None:
                continue
            given_back += min(STRETCH, at - last)
            last = at
            for place in here:
                found[place] = 1
        total += at + 1
    _mark(found, owners)
    return given_back / total if total else 0.0


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


def _mark(found: bytearray, owners: list[Sentence | None]) -> None:
    covered = bytearray(len(owners))
    reach = 0
    for at, hit in enumerate(found):
        if hit:
            reach = at + STRETCH
        if at < reach:
            covered[at] = 1
    counts: dict[int, tuple[Sentence, int, int]] = {}
    for at, owner in enumerate(owners):
        if owner is not None:
            _, all_, copied = counts.get(id(owner), (owner, 0, 0))
            counts[id(owner)] = (owner, all_ + 1, copied + covered[at])
    for owner, all_, copied in counts.values():
        owner.copied = copied >= MOSTLY * all_ and copied > 0
