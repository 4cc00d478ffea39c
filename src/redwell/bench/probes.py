"""Coverage measured from outside: short stretches of every document, looked for in whatever a model was sent.

It needs no addresses, so it also works for a harness of which there is nothing but a transcript. On runs of our own it must agree with the
coverage that the journal's spans give, probe by probe: `disagreements` lists those that do not.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from redwell.journal.coverage import Coverage
from redwell.journal.journal import Journal
from redwell.journal.span import Span
from redwell.journal.trajectory import request_messages
from redwell.room.room import Room

WORDS = 10
"""Words of a probe. Boilerplate repeats longer stretches than that, which is why only probes that stand once in the room are kept."""
EVERY = 2_500  # characters of a document for each probe
MOST = 12  # probes of one document
TRIES = 3  # stretches drawn for each probe that is wanted
_WORD = re.compile(r"[^\W_]+")
Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Probe:
    """A stretch of a document's final text; its words stand in this order nowhere else in the room."""

    span: Span
    words: Words


@dataclass(frozen=True, slots=True)
class Probed:
    """`share` of the probes that some text held; `documents` gives the share by document, those without a probe left out (all their words
    stand elsewhere too, or there are fewer than `WORDS` of them)."""

    share: float
    probes: int
    found: int
    documents: Mapping[str, float]


def draw(room: Room, seed: int = 0) -> list[Probe]:
    """Probes of every document that has the words for one: about one for each `EVERY` characters. The same for a room and a seed."""
    drawn: list[Probe] = []
    wanted: dict[str, int] = {}
    for document in room.documents():
        if not document.length:
            continue
        wanted[document.id] = min(MOST, max(1, document.length // EVERY))
        drawn += _of_document(document.id, room.text(document.id), wanted[document.id] * TRIES, seed)
    # Boilerplate is drawn again and again: what was drawn twice stands twice, and need not be looked for.
    often = Counter(probe.words for probe in drawn)
    drawn = [probe for probe in drawn if often[probe.words] == 1]
    times = Counter[int]()
    looked = _Looked(drawn)
    for document in room.documents():
        for number in looked.within(room.text(document.id)):
            times[number] += 1
            if times[number] == 2:
                looked.forget(number)
    kept: list[Probe] = []
    for number, probe in enumerate(drawn):
        if times[number] == 1 and wanted[probe.span.document] > 0:
            wanted[probe.span.document] -= 1
            kept.append(probe)
    return kept


def seen(probes: Sequence[Probe], texts: Iterable[str]) -> set[int]:
    """The places of the probes whose words stand in one of the texts; layout, punctuation and case do not matter."""
    looked = _Looked(probes)
    found: set[int] = set()
    for text in texts:
        found.update(looked.within(text))
    return found


def probed(probes: Sequence[Probe], found: Collection[int]) -> Probed:
    """The coverage that the probes show."""
    by_document: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for number, probe in enumerate(probes):
        counts = by_document[probe.span.document]
        counts[0] += number in found
        counts[1] += 1
    shares = {document: hit / every for document, (hit, every) in by_document.items()}
    return Probed(len(found) / len(probes) if probes else 1.0, len(probes), len(found), shares)


def disagreements(probes: Sequence[Probe], found: Collection[int], exact: Coverage) -> list[Probe]:
    """The probes that lie wholly in what the journal says was read and were not found, or wholly outside and were."""
    held: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for span in exact.spans:
        held[span.document].append((span.start, span.end))
    wrong = []
    for number, probe in enumerate(probes):
        start, end = probe.span.start, probe.span.end
        read = sum(max(0, min(end, b) - max(start, a)) for a, b in held.get(probe.span.document, ()))
        if (read == end - start and number not in found) or (read == 0 and number in found):
            wrong.append(probe)
    return wrong


def sent_texts(journal: Journal, room: Room) -> Iterator[str]:
    """Everything that any model of a run was sent: the messages of each request once, with the room's text put in."""
    told: set[str] = set()
    for event in journal.events("call.sent"):
        digest = event.blobs["request"]
        if digest in told:
            continue
        told.add(digest)
        for message in request_messages(journal, digest, room.slice):
            yield message["content"]
    for event in journal.events("transcript"):
        yield journal.text(event.blobs["text"])


def _of_document(document: str, text: str, most: int, seed: int) -> list[Probe]:
    places = [(match.start(), match.end()) for match in _WORD.finditer(text)]
    if len(places) < WORDS:
        return []
    rng = random.Random(f"{seed}/{document}")
    last = len(places) - WORDS
    starts = sorted(rng.sample(range(last + 1), min(most, last + 1)))
    rng.shuffle(starts)
    found = []
    for first in starts:
        start, end = places[first][0], places[first + WORDS - 1][1]
        words = tuple(text[a:b].lower() for a, b in places[first : first + WORDS])
        found.append(Probe(Span(document, start, end), words))
    return found


class _Looked:
    """Finds many probes in a text at the cost of one pass over its words: each is looked up by its longest word and the two that follow, since
    rooms say the same long words over and over."""

    def __init__(self, probes: Sequence[Probe]) -> None:
        self._probes = probes
        self._by_three: dict[Words, list[tuple[int, int]]] = defaultdict(list)
        for number, probe in enumerate(probes):
            at = _longest(probe.words)
            self._by_three[probe.words[at : at + 3]].append((at, number))
        self._first = {three[0] for three in self._by_three}

    def forget(self, number: int) -> None:
        """From the next look on this probe is not looked for."""
        words = self._probes[number].words
        at = _longest(words)
        self._by_three[words[at : at + 3]] = [one for one in self._by_three[words[at : at + 3]] if one[1] != number]

    def within(self, text: str) -> Iterator[int]:
        """The places of the probes that stand in it, once for each time."""
        words = _WORD.findall(text.lower())
        first = self._first
        for place in [place for place, word in enumerate(words) if word in first]:
            for at, number in self._by_three.get(tuple(words[place : place + 3]), ()):
                begin = place - at
                if begin >= 0 and tuple(words[begin : begin + WORDS]) == self._probes[number].words:
                    yield number


def _longest(words: Words) -> int:
    """The place of the longest word that two others follow."""
    return max(range(len(words) - 2), key=lambda place: (len(words[place]), -place))
