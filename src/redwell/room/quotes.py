"""Checking a quote against the text it is said to come from: exactly, after the lossless fold; never by similarity.

What counts:

- `verified`: the folded quote stands in the folded text, from a word's edge to a word's edge. One pair of quotation marks around the
  quote and an ellipsis before or after it are the writer's own and do not count against it. The sentence may run over a page
  break with a running header or page number in between; the citation then has a span for each side.
- `abridged`: the quote has an ellipsis (`...`, `…`, `. . .`, with or without brackets) inside it, each piece has at least
  PIECE_WORDS words, and the pieces stand in order with at most GAP code points left out between one and the next; what is left out
  neither begins nor ends with a negation. Also a quote exact but for the case of a first letter marked in brackets ("[T]enant").
- `differs`: not there, but a near passage is; `difference` shows it as "[-the quote's words-] {+the document's words+}".
- `unverified`: not there, and nothing near it. `uncheckable`: there is no text to check against.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from redwell.room.quotes_diff import nearest
from redwell.room.quotes_fold import DASH, KEPT, LINE_END, Folded, fold
from redwell.room.types import Citation, Span, Unit, View

__all__ = ["GAP", "PIECE_WORDS", "Folded", "check", "find", "fold", "stepped_over"]

GAP = 600
"""The most that an ellipsis may leave out, in code points of the document: about a hundred words."""
PIECE_WORDS = 3
"""The fewest words in a piece of an abridged quote. Two words before an ellipsis can be found anywhere."""

_BESIDE = frozenset({"header", "footer", "comment", "footnote", "endnote", "hidden"})

_ELLIPSIS = re.compile(r"\s*[\[(]?\s*(?:…|\.(?:\s?\.){2,}|\*\s\*\s\*)\s*[\])]?\s*")
_WIDE = re.compile(r"\s{2,}")
_CASE_MARK = re.compile(r"(?<!\w)\[([^\W\d_])\](?=[^\W\d_])")
_ENCLOSING = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“", "”": "”", "`": "`"}
_APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")
_NEGATION = re.compile(r"not|no|never|neither|nor|none|cannot|without|unless|except|excluding|\w+n't")
_NUMBER_JOINT = ".,/:'"
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]"
)


def find(text: str | Folded, quote: str) -> list[tuple[int, int]]:
    """Every place where a quote stands exactly (after the fold), as (start, end) in code points of the text, in order.

    Occurrences that overlap are all returned (those of a quote over 200 characters only where they overlap by less than half).
    When the text was folded with stretches to step over, an occurrence may run across one.
    """
    folded = text if isinstance(text, Folded) else fold(text)
    needle = fold(quote)
    places = {folded.span(start, end) for start, end in _places(folded, needle)}
    if folded.apart is not None:
        places.update(folded.apart.span(start, end) for start, end in _places(folded.apart, needle))
    return sorted(places)


def check(text: str | Folded, quote: str, *, document: str = "", view: View = "final", near: bool = True) -> Citation:
    """Check one quote against one text. See the module's docstring for what each status means.

    A citation's spans are all its occurrences, in order; an occurrence that runs over a page break gives one span for each side.
    Without `near`, no near passage is looked for where the quote does not stand: the status is then `unverified`.
    """
    folded = text if isinstance(text, Folded) else fold(text)
    if not any(map(str.isalnum, folded.text)):
        return Citation(quote, document, (), "uncheckable")
    streams = [folded] if folded.apart is None else [folded, folded.apart]
    plain = _without_frame(quote)
    wordings = [quote, plain] if plain != quote else [quote]
    if not any(map(str.isalnum, quote)):
        return Citation(quote, document, (), "unverified")
    for wording in wordings:
        places = find(folded, wording)
        if places:
            return Citation(quote, document, _spans(folded, places, document, view), "verified")
    lettered = _CASE_MARK.sub(r"\1", plain)
    pieces = [piece for piece in _ELLIPSIS.split(lettered) if piece.strip()]
    if lettered != plain or len(pieces) > 1:
        for stream in streams:
            places = _chains(stream, pieces)
            if places:
                return Citation(quote, document, _spans(folded, places, document, view), "abridged")
    found = nearest(streams[-1], " ".join(pieces) or plain) if near else None
    if found is None:
        return Citation(quote, document, (), "unverified")
    start, end, difference = found
    return Citation(quote, document, (), "differs", Span(document, start, end, view), difference)


def stepped_over(units: Iterable[Unit], start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """What stands between the parts of a running text, as stretches for `fold(..., skip=...)`: headers, footers, notes, hidden text.

    With `start` and `end`, of the text[start:end] alone, counted from its beginning.
    """
    found = []
    for unit in units:
        low, high = max(unit.start, start), unit.end if end is None else min(unit.end, end)
        if low < high and not _BESIDE.isdisjoint(unit.flags):
            found.append((low - start, high - start))
    return found


def _places(folded: Folded, needle: Folded) -> list[tuple[int, int]]:
    """Where the folded quote stands in the folded text, in folded positions, edges and hyphens checked."""
    word = needle.text
    lead = len(word) - len(word.lstrip())
    word = word.strip()
    if not any(map(str.isalnum, word)):
        return []
    wanted = needle.hyphens_within(lead, lead + len(word))
    step = 1 if len(word) <= 200 else len(word) // 2
    places = []
    start = folded.text.find(word)
    while start >= 0:
        end = start + len(word)
        if (
            not _cut(folded, start)
            and not _cut(folded, end)
            and _hyphens_agree(wanted, folded.hyphens_within(start, end))
            and not folded.splits(start, end)
        ):
            places.append((start, end))
        start = folded.text.find(word, start + step)
    return places


def _hyphens_agree(one: dict[int, int], other: dict[int, int]) -> bool:
    """Whether two readings of the same letters have their hyphens in the same places; one at a line's end may be there or not."""
    if one == other:
        return True
    return all(
        LINE_END in (one.get(at), other.get(at)) or (at in one and at in other) for at in one.keys() | other.keys()
    )


def _cut(folded: Folded, at: int) -> bool:
    """Whether a folded position lies inside a word or a number, so that nothing may be quoted from or up to it."""
    text = folded.text
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if unicodedata.category(after)[0] == "M":
        return True
    if before.isalnum() and after.isalnum():
        kind = folded.hyphen_at(at)
        if kind:
            return kind != DASH
        return not (_UNSPACED.match(before) or _UNSPACED.match(after))
    further_back = text[at - 2] if at > 1 else " "
    further_on = text[at + 1] if at + 1 < len(text) else " "
    if _joins(further_back, before, after) or _joins(before, after, further_on):
        return True
    # A sign or a decimal point belongs to its number, a range or a compound to both its ends.
    if after.isdigit() and (
        (before == "-" and folded.hyphen_at(at - 1) != KEPT) or (before == "." and not further_back.isalnum())
    ):
        return True
    return before.isdigit() and after == "-" and further_on.isalnum() and folded.hyphen_at(at) != KEPT


def _joins(left: str, joint: str, right: str) -> bool:
    """Whether three characters stand inside one number (1,000 or 1.5 or 1/2) or one word (can't)."""
    if joint == "'":
        return left.isalnum() and right.isalnum()
    return joint in _NUMBER_JOINT and left.isdigit() and right.isdigit()


def _without_frame(quote: str) -> str:
    """The quote without the writer's own frame: one pair of quotation marks around it, an ellipsis before or after it."""
    plain = _WIDE.sub(lambda match: "\n" if "\n" in match[0] else " ", quote).strip()
    for _ in range(2):
        for match in _ELLIPSIS.finditer(plain):
            if match.start() == 0:
                plain = plain[match.end() :]
            break
        *_, last = [None, *_ELLIPSIS.finditer(plain)]
        if last is not None and last.end() == len(plain):
            plain = plain[: last.start()]
        if (
            len(plain) > 2
            and _ENCLOSING.get(plain[0]) == plain[-1]
            and plain[-1] not in _APOSTROPHE.sub("", plain[1:-1])
        ):
            plain = plain[1:-1].strip()
    return plain


def _chains(folded: Folded, pieces: list[str]) -> list[tuple[int, int]]:
    """Where the pieces of an abridged quote stand in order and close together, as source (start, end) from first to last."""
    if not pieces or (len(pieces) > 1 and any(len(re.findall(r"\w+", piece)) < PIECE_WORDS for piece in pieces)):
        return []
    # The places of the piece at hand, in order, each with the latest beginning of a chain that ends there.
    chains = [(end, start) for start, end in _places(folded, fold(pieces[0]))]
    for piece in pieces[1:]:
        longer = []
        for start, end in _places(folded, fold(piece)):
            low, high = bisect_left(chains, (start - GAP,)), bisect_right(chains, (start + 1,))
            first = next((first for stop, first in reversed(chains[low:high]) if _may_omit(folded, stop, start)), None)
            if first is not None:
                longer.append((end, first))
        chains = longer
    return sorted({folded.span(first, end) for end, first in chains})


def _may_omit(folded: Folded, start: int, end: int) -> bool:
    """Whether an ellipsis may stand for folded [start, end)."""
    if not 0 <= end - start <= GAP:
        return False
    words = re.findall(r"[\w']+", folded.text[start:end])
    return not any(_NEGATION.fullmatch(word) for word in words[:3] + words[-3:])


def _spans(folded: Folded, places: list[tuple[int, int]], document: str, view: View) -> tuple[Span, ...]:
    """Places as spans, without the page furniture that they run across."""
    spans = []
    for start, end in places:
        at = start
        for low, high in folded.skip:
            if start < low and high < end:
                spans.append((at, low))
                at = high
        spans.append((at, end))
    trimmed = []
    for start, end in spans:
        piece = folded.source[start:end]
        start, end = start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip())
        if start < end:
            trimmed.append(Span(document, start, end, view))
    return tuple(trimmed)
