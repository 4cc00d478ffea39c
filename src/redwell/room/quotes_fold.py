"""The lossless fold: what may differ between a true quote and its source, and the way back to the source's code points.

Folded away, because typesetting and copying change them and meaning does not hang on them: the style of quotation marks,
dashes and spaces, runs of white space, ligatures, soft hyphens, zero-width characters, marks of direction, case, and whether
an accented letter is one code point or two. Never folded: digits, letters, signs, punctuation, superscripts, fractions.
NFKC is not used, since it turns 10² into 102.

A hyphen between letters is taken out of the text and remembered beside it. One at the end of a line may belong to the word or
only to the line (`non-` / `compete`), so it agrees with a hyphen and with none; one inside a line agrees with a hyphen only.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

HYPHEN = 1
"""A hyphen inside a line, between letters."""
LINE_END = 2
"""A hyphen at the end of a line, between letters: part of the word or not."""
DASH = 3
"""A long dash between letters: it agrees with a hyphen, and words end at it."""
KEPT = 4
"""A long dash that stays in the folded text, as a hyphen: noted, since words and numbers end at it."""

_SINGLE = "‘’‚‛′´`ʹʼˈ‹›＇"
_DOUBLE = "“”„‟″ʺ«»〝〞〟＂"
_HYPHENS = "‐‑‒–−﹣－⁃"
_DASHES = "—―⸺⸻﹘"
_SPACES = "\x85\xa0\u1680\u180e\u202f\u205f\u3000\u2028\u2029" + "".join(map(chr, range(0x2000, 0x200B)))
_SOFT_HYPHEN = "\xad"
_AT_LINE_END = "\xad\ufffe"
"""Hyphens that stand at the end of a line by their nature; U+FFFE is what PDFium writes for one."""
_MARKS = "-—" + _AT_LINE_END
_DROPPED = (
    "\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u200b\u200c\u200d\u200e\u200f"
    "\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069"
    "\u206a\u206b\u206c\u206d\u206e\u206f\ufe0e\ufe0f\ufeff"
)

_TABLE: dict[int, str] = {
    **{ord(c): "'" for c in _SINGLE},
    **{ord(c): '"' for c in _DOUBLE},
    **{ord(c): "-" for c in _HYPHENS},
    **{ord(c): "—" for c in _DASHES},
    **{ord(c): " " for c in _SPACES},
    **{ord(c): "\n" for c in "\x85\u2028\u2029"},
    ord("…"): "...",
}
_EXPANDING = "…" + "".join(
    chr(c) for c in (*range(0x80, 0x2000), *range(0xFB00, 0xFB18)) if len(chr(c).casefold()) != 1
)
_UNEVEN = re.compile(f"[{re.escape(_EXPANDING + _DROPPED + _SOFT_HYPHEN)}]")
_FOREIGN = re.compile(r"[\x21-\x7e]?[^\x00-\x7f]+")
_LINE_BREAK_FOLLOWS = re.compile(r"[^\S\r\n]*[\r\n]")
_LAYOUT = re.compile("[-—\xad\ufffe]\\s*|\\s[\\s\xad]+")
_PLAIN_LAYOUT = re.compile(r"[-—]\s*|\s\s+")
"""The same for a text without _AT_LINE_END, which most are: twice as fast."""
_RULING = re.compile(r"(?m)^[ \t]*(?:(?:[-=~][ \t]?){3,}|[\u2500-\u257f][\u2500-\u257f \t]{2,})$")
_FIRST_MARK = re.compile(r'"(?<!\d")')
_MAY_RULE = re.compile(r"[-=~\u2500-\u257f](?:[ \t]?[-=~]|[\u2500-\u257f \t])")
"""What every ruling holds; looked for first, since most texts have none."""
_PAGE_NUMBER = re.compile(r"[ \t]*[-–—][ \t]*\d{1,4}[ \t]*")
_WIDEST = 400
"""No printed line is wider, with the blanks that centre it."""
_SHORT = 16
_WHITE = dict.fromkeys((9, 10, 11, 12, 13, 28, 29, 30, 31), " ")


class _Map:
    """Where each code point of a rewritten text came from, as stretches: most of them run along with their source."""

    __slots__ = ("at", "even", "length", "source", "stop")

    def __init__(self) -> None:
        self.at = array("L")
        self.source = array("L")
        self.stop = array("L")
        self.even = bytearray()
        self.length = 0

    def add(self, width: int, source: int, stop: int, even: bool) -> None:
        """The next `width` code points stand for source[source:stop]: one for one when `even`, else as a whole."""
        if even and self.even and self.even[-1] and self.stop[-1] == source:
            self.stop[-1] = stop
        else:
            self.at.append(self.length)
            self.source.append(source)
            self.stop.append(stop)
            self.even.append(even)
        self.length += width

    def start(self, position: int) -> int:
        k = bisect_right(self.at, position) - 1
        return self.source[k] + (position - self.at[k] if self.even[k] else 0)

    def end(self, position: int) -> int:
        """The source position after the code point before `position`."""
        k = bisect_right(self.at, position - 1) - 1
        return self.source[k] + position - self.at[k] if self.even[k] else self.stop[k]

    def splits(self, position: int) -> bool:
        """Whether `position` lies inside what stands for one stretch of the source as a whole (the f|i of a ligature)."""
        if not 0 < position < self.length:
            return False
        k = bisect_right(self.at, position) - 1
        return not self.even[k] and position != self.at[k]


class _Rewrite:
    """A text being written anew, stretch by stretch, with the map back."""

    def __init__(self, text: str, *, lower: bool = False) -> None:
        self.text = text
        self.lower = lower
        self.pieces: list[str] = []
        self.map = _Map()
        self.done = 0

    def keep(self, until: int) -> None:
        if until > self.done:
            piece = self.text[self.done : until]
            self.even(piece.lower() if self.lower else piece, until)

    def even(self, piece: str, until: int) -> None:
        """`piece` stands for the text up to `until`, code point for code point."""
        self.map.add(len(piece), self.done, until, True)
        self.pieces.append(piece)
        self.done = until

    def put(self, piece: str, start: int, end: int) -> None:
        """`piece` (perhaps nothing) stands for text[start:end] as a whole."""
        self.keep(start)
        if piece:
            self.map.add(len(piece), start, end, False)
            self.pieces.append(piece)
        self.done = end

    def finish(self) -> str:
        self.keep(len(self.text))
        return "".join(self.pieces)


@dataclass(frozen=True, slots=True)
class Folded:
    """A text ready for exact matching. Made once by `fold`, used for any number of quotes.

    `source` is the text as given; `text` the folded one, without hyphens between letters; `hyphens` and `kinds` the folded positions
    before which such a hyphen stood, ascending, and what it was (HYPHEN, LINE_END, DASH; or KEPT). `skip` are the stretches of the source
    left out (page headers and footers); `apart` is then the same text folded without them, and None otherwise.
    """

    source: str
    text: str
    hyphens: Sequence[int]
    kinds: Sequence[int]
    maps: tuple[_Map, ...]
    skip: tuple[tuple[int, int], ...] = ()
    apart: Folded | None = None

    @property
    def size(self) -> int:
        """How many characters of folded text it holds."""
        return len(self.text) + (self.apart.size if self.apart is not None else 0)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The code points of the source that folded [start, end) stands for; end > start."""
        for back in self.maps:
            start, end = back.start(start), back.end(end)
        return start, end

    def splits(self, start: int, end: int) -> bool:
        """Whether folded [start, end) begins or ends inside one character of the source (a ligature, an ellipsis, a letter and its accent)."""
        for back in self.maps:
            if back.splits(start) or back.splits(end):
                return True
            start, end = back.start(start), back.end(end)
        return False

    def hyphen_at(self, position: int) -> int:
        """The kind of hyphen taken out before the folded position; 0 for none."""
        k = bisect_left(self.hyphens, position)
        return self.kinds[k] if k < len(self.hyphens) and self.hyphens[k] == position else 0

    def hyphens_within(self, start: int, end: int) -> dict[int, int]:
        """The hyphens taken out strictly between two folded positions, as offset from `start` to kind."""
        low, high = bisect_right(self.hyphens, start), bisect_left(self.hyphens, end)
        return {self.hyphens[k] - start: self.kinds[k] for k in range(low, high) if self.kinds[k] != KEPT}


def fold(text: str, *, skip: Iterable[tuple[int, int]] = ()) -> Folded:
    """Fold a text for matching.

    Matching may step over lines that are nothing but a ruling (`-----`), which plain text draws under a heading or a defined term, and over
    `skip`: stretches (start, end) in code points, such as page headers, footers and page
    numbers. The text is then folded with them (they can be quoted too) and, in `apart`, without them.
    """
    rulings = _RULING.finditer(text) if _MAY_RULE.search(text) else ()
    ranges = _merged([*skip, *(match.span() for match in rulings)])
    if not ranges:
        return _fold(text, text, ())
    stepped = _Rewrite(text)
    for start, end in ranges:
        # A line break stands for what was left out, so that a word hyphenated over the page break closes up.
        stepped.put("\n", start, end)
    apart = _fold(text, stepped.finish(), (stepped.map,), ranges)
    whole = _fold(text, text, ())
    return Folded(whole.source, whole.text, whole.hyphens, whole.kinds, whole.maps, ranges, apart)


def _merged(ranges: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        elif end > start:
            merged.append((start, end))
    return tuple(merged)


def _fold(source: str, text: str, maps: tuple[_Map, ...], skip: tuple[tuple[int, int], ...] = ()) -> Folded:
    if text.isascii():
        text = text.lower()
    else:
        characters = _Rewrite(text, lower=True)
        for match in _FOREIGN.finditer(text):
            start, end = match.span()
            folded = _even_run(match[0])
            if folded is not None:
                characters.keep(start)
                characters.even(folded, end)
            else:
                _uneven_run(characters, text, start, end)
        text = characters.finish()
        maps = (characters.map, *maps)
    text = _FIRST_MARK.sub("'", text)
    layout = _Rewrite(text)
    hyphens, kinds = array("L"), bytearray()
    pattern = _PLAIN_LAYOUT if not any(mark in text for mark in _AT_LINE_END) else _LAYOUT
    for match in pattern.finditer(text):
        start, end = match.span()
        mark = text[start]
        if mark not in _MARKS:
            layout.put(" ", start, end)
            continue
        before = text[start - 1] if start else " "
        after = text[end] if end < len(text) else " "
        layout.keep(start)
        if after.isalpha() and (before.isalpha() or _combines(before)):
            line_end = mark in _AT_LINE_END or "\n" in match[0] or "\r" in match[0]
            layout.done = end
            hyphens.append(layout.map.length)
            kinds.append(DASH if mark == "—" else LINE_END if line_end else HYPHEN)
            continue
        if mark == "—":
            hyphens.append(layout.map.length)
            kinds.append(KEPT)
        if mark == _SOFT_HYPHEN:
            layout.done = start + 1
        else:
            layout.even("-", start + 1)
        if before.isalnum() and after.isalnum() and not _closes_page_number(text, start):
            layout.done = end  # beside a digit a hyphen is a range or a sign and stays; only the line break goes
        elif end > start + 1:
            layout.put(" ", start + 1, end)
    return Folded(source, layout.finish().translate(_WHITE), hyphens, kinds, (layout.map, *maps), skip)


def _closes_page_number(text: str, at: int) -> bool:
    """Whether the hyphen at `at` ends a line like `-3-`: then what follows it begins anew and belongs to no range."""
    begin = (
        text.rfind("\n", max(0, at - _WIDEST), at) + 1
    )  # no further back: a line of a million hyphens is looked at from each
    return (begin > 0 or at <= _WIDEST) and _PAGE_NUMBER.fullmatch(text, begin, at) is not None


def _even_run(run: str) -> str | None:
    """The fold of a run of characters beyond ASCII when it is one code point for one, else None."""
    return _short_even_run(run) if len(run) <= _SHORT else _long_even_run(run)


def _long_even_run(run: str) -> str | None:
    if _UNEVEN.search(run) or not unicodedata.is_normalized("NFC", run):
        return None
    folded = run.casefold().translate(_TABLE)
    if len(folded) != len(run) or not unicodedata.is_normalized("NFC", folded):
        return None
    return folded


_short_even_run = lru_cache(maxsize=8192)(_long_even_run)


def _uneven_run(out: _Rewrite, text: str, start: int, end: int) -> None:
    """Fold text[start:end] character by character, a letter together with the marks that combine with it."""
    clusters: list[tuple[str, int, int]] = []
    for position in range(start, end):
        character = text[position]
        if character == _SOFT_HYPHEN:
            if not _LINE_BREAK_FOLLOWS.match(text, position + 1):
                continue
        elif character in _DROPPED:
            continue
        if clusters and _combines(character):
            letter, first, _ = clusters[-1]
            clusters[-1] = (letter + character, first, position + 1)
        else:
            clusters.append((character, position, position + 1))
    out.keep(start)
    for cluster, first, last in clusters:
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", cluster).casefold()).translate(_TABLE)
        out.done = first
        if len(folded) == 1 and last == first + 1:
            out.even(folded, last)
        else:
            out.put(folded, first, last)
    out.done = end


def _combines(character: str) -> bool:
    return unicodedata.category(character)[0] == "M" or "\u1161" <= character <= "\u11ff"
