"""The passage nearest to a quote that is not there, and the difference in words. It locates and shows; it never verifies."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher

from redwell.room.quotes_fold import Folded, fold

NEAR = 0.6
"""The share of words, in order, that a passage must have in common with a quote to be called near it."""
_SHINGLE = 3
_HITS = 100
_WINDOWS = 3
_LONGEST = 4_000
"""A quote longer than this, in code points, is not searched for near passages."""
_CONTEXT = 4
_WORD = re.compile(r"\S*[^\W\d_][-‐\xad\ufffe]\s*\n\s*[^\W\d_]\S*|\S+")
_AROUND = re.compile(r"^[^\w$€£%]+|[^\w%]+$")


@dataclass(frozen=True, slots=True)
class _Words:
    """A text as words: as they are printed, folded, folded without the punctuation around them, and where they stand."""

    printed: list[str]
    folded: list[tuple[str, tuple[int, ...]]]
    bare: list[str]
    places: list[tuple[int, int]]


def nearest(folded: Folded, quote: str) -> tuple[int, int, str] | None:
    """The (start, end) in the source of the passage nearest to a quote, with the difference; None when nothing is near.

    Candidates are places with runs of three of the quote's words (two, in a short quote). The difference reads
    "[-the quote's words-] {+the passage's words+}", long equal stretches cut to a few words with an ellipsis.
    """
    if len(quote) > _LONGEST:
        return None
    wanted = _words(quote, 0)
    if not wanted.folded:
        return None
    best: tuple[float, int, int, str] | None = None
    for low, high in _windows(folded, quote):
        start, end = folded.span(low, high)
        passage = _words(_stepped(folded, start, end), start)
        found = _align(wanted, passage)
        if found is not None and (best is None or found[0] > best[0]):
            best = found
    return None if best is None or best[0] < NEAR else best[1:]


def _stepped(folded: Folded, start: int, end: int) -> str:
    """source[start:end] with what matching steps over blanked out, so that the words around it keep their places."""
    pieces, at = [], start
    for low, high in folded.skip[bisect_left(folded.skip, (start,)) :]:
        if low >= end:
            break
        high = min(high, end)
        pieces += [folded.source[at:low], "\n" * (high - low)]
        at = high
    return "".join(pieces) + folded.source[at:end]


def _words(text: str, offset: int) -> _Words:
    words = _Words([], [], [], [])
    for match in _WORD.finditer(text):
        folded = fold(match[0])
        words.printed.append("".join(match[0].split()))
        words.folded.append((folded.text, tuple(folded.hyphens)))
        words.bare.append(_AROUND.sub("", folded.text) or folded.text)
        words.places.append((offset + match.start(), offset + match.end()))
    return words


def _windows(folded: Folded, quote: str) -> list[tuple[int, int]]:
    """The few stretches of the folded text in which most of the quote's runs of words stand, best first."""
    needle = fold(quote).text.strip()
    words = list(_WORD.finditer(needle))
    for length in (_SHINGLE, 2) if len(words) > 2 else (2, 1):
        estimates: list[tuple[int, int]] = []
        for number, first in enumerate(words[: len(words) - length + 1]):
            run = needle[first.start() : words[number + length - 1].end()]
            at, hits = folded.text.find(run), 0
            while at >= 0 and hits < _HITS:
                estimates.append((at - first.start(), number))
                hits += 1
                at = folded.text.find(run, at + 1)
        if estimates:
            return _densest(estimates, len(needle), len(folded.text))
    return []


def _densest(estimates: list[tuple[int, int]], length: int, total: int) -> list[tuple[int, int]]:
    """Windows around the beginnings on which most runs agree. `estimates` are (beginning, number of the run)."""
    estimates.sort()
    slack = max(40, length // 2)
    scored = []
    counts: Counter[int] = Counter()
    high = 0
    for start, number in estimates:
        while high < len(estimates) and estimates[high][0] <= start + slack:
            counts[estimates[high][1]] += 1
            high += 1
        scored.append((-len(counts), start, estimates[high - 1][0]))
        counts[number] -= 1
        if not counts[number]:
            del counts[number]
    scored.sort()
    windows: list[tuple[int, int]] = []
    for _, start, last in scored:
        window = max(0, start - slack), min(total, last + length + slack)
        if all(window[1] <= a or b <= window[0] for a, b in windows) and window[0] < window[1]:
            windows.append(window)
        if len(windows) == _WINDOWS:
            break
    return windows


def _align(wanted: _Words, passage: _Words) -> tuple[float, int, int, str] | None:
    """How near the passage is, the part of it that answers to the quote, and the difference."""
    matcher = SequenceMatcher(None, wanted.bare, passage.bare, autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    if not blocks:
        return None
    # Words of the quote before its first match, and after its last, answer to as many of the passage's.
    first, last = blocks[0], blocks[-1]
    low = max(0, first.b - first.a)
    high = min(len(passage.bare), last.b + len(wanted.bare) - last.a)
    common = sum(block.size for block in blocks)
    share = common / max(len(wanted.bare), high - low)
    pieces: list[tuple[str, list[str], list[str]]] = []
    matcher.set_seq2(passage.bare[low:high])
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind != "equal":
            pieces.append(("differs", wanted.printed[a:b], passage.printed[low + c : low + d]))
            continue
        for mine, theirs in zip(range(a, b), range(low + c, low + d), strict=True):
            same = "equal" if _agree(wanted, mine, passage, theirs) else "differs"
            if not pieces or pieces[-1][0] != same:
                pieces.append((same, [], []))
            pieces[-1][1].append(wanted.printed[mine])
            pieces[-1][2].append(passage.printed[theirs])
    shown = []
    for number, (state, mine_words, their_words) in enumerate(pieces):
        if state == "equal":
            shown.append(_shortened(their_words, number == 0, number == len(pieces) - 1))
            continue
        if mine_words:
            shown.append(f"[-{' '.join(mine_words)}-]")
        if their_words:
            shown.append(f"{{+{' '.join(their_words)}+}}")
    return share, passage.places[low][0], passage.places[high - 1][1], " ".join(shown)


def _agree(wanted: _Words, mine: int, passage: _Words, theirs: int) -> bool:
    """Whether two words with the same letters are the same as printed; a quote may begin and end inside the punctuation."""
    (one, one_hyphens), (other, other_hyphens) = wanted.folded[mine], passage.folded[theirs]
    if mine == 0 and mine < len(wanted.bare) - 1:
        return other.endswith(one)
    if mine == len(wanted.bare) - 1:
        return one in other
    return one == other and one_hyphens == other_hyphens


def _shortened(words: list[str], first: bool, last: bool) -> str:
    """A stretch of equal words, cut to those beside a difference."""
    head = [] if first else words[:_CONTEXT]
    tail = [] if last else words[-_CONTEXT:]
    if len(head) + len(tail) >= len(words):
        return " ".join(words)
    return " ".join([*head, "…", *tail])
