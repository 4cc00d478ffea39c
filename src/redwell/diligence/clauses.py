"""Cutting a stretch of text into paragraphs and sentences that keep their offsets, as a lawyer would read them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_SENTENCE = 4_000  # characters: a longer one is cut at a semicolon or space, so that no pattern meets unbounded text
MAX_PARAGRAPH = 20_000

_MARKER = re.compile(
    r"(?:\(?(?:[a-zA-Z]|[ivxIVX]{1,5}|\d{1,3})[.)]\s|(?:ARTICLE|Article|SECTION|Section|SCHEDULE|Schedule|EXHIBIT|Exhibit|ANNEX|Annex)\s|"
    r"\d{1,3}(?:\.\d{1,3})+\.?\s|[-*•|#>_=]|\*\*)"
)
_HEADING = re.compile(r"^[#\s*]*(?:(?:ARTICLE|Article|SECTION|Section)\s+\S+|\(?[\dA-Za-z]{1,4}(?:\.\d+)*[.)])?\s*")
_LISTED = re.compile(r"^[#>\s*_-]*\(?(?:[a-zA-Z]|[ivxIVX]{1,5}|\d{1,2})\)|^[#>\s*_-]*\(?(?:[a-z]|[ivx]{1,5})[.)]\s")
_END = re.compile(r"[.;!?][\"”’')*_]*\s+(?=[\"“‘'(*_]*(?:[A-Z(]|\d+\.\d))")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Inc|Co|Corp|Ltd|No|Nos|Sec|Art|Mr|Mrs|Ms|Dr|St|v|vs|e\.g|i\.e|U\.S|N\.V|B\.V|S\.A|L\.P|L\.L\.C|P\.C|cf|para|Jr|Sr|approx|Dep)"
    r"|\b[A-Z]|^\W*\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-zA-Z]|[ivxIVX]{1,5}))\.\W*$"
)
_EMPHASIS = re.compile(
    r"(?<![\[*])\*{2,3}(?=[^\s*\]])|(?<=[^\s*\[$.])\*{2,3}(?![*\]])|(?<=[\w.])\*\*(?=\s)|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)"
)
"""Marks of emphasis; `[***]`, by which filings leave something out, is none."""
_FURNITURE = re.compile(
    r"^[ \t]*(?:Source: [^\n]{3,140}, [^\n,]{2,20}, \d{1,2}/\d{1,2}/\d{4}|[-–—] ?\d{1,4} ?[-–—]|(?i:page) \d{1,4}(?: of \d{1,4})?|\d{1,4})[ \t]*$",
    re.MULTILINE,
)
"""Lines that stand between the lines of a text and are none of it: the source that a filing's copy names, page numbers."""


def clean(text: str) -> str:
    """Whitespace folded to single spaces; emphasis marks (`**`, `__`) and lines of page furniture dropped."""
    if "\n" in text:
        text = _FURNITURE.sub(" ", text)
    if "*" in text or "_" in text:
        text = _EMPHASIS.sub("", text)
    return " ".join(text.split())


@dataclass(slots=True)
class Paragraph:
    """`start`..`end` in the text given; `heading` is the nearest heading above; `lead` opens the list which it belongs to, as it
    stands."""

    start: int
    end: int
    raw: str
    heading: str = ""
    lead: str = ""


def _lines(text: str) -> Iterator[tuple[int, str]]:
    offset = 0
    for line in text.split("\n"):
        yield offset, line
        offset += len(line) + 1


def is_heading(line: str) -> bool:
    """Whether a line is a heading or title: short, its words capitalized, no sentence."""
    if len(line) > 90 or line.endswith((";", ",", ".”")) or line[:1] in "|>":
        return False
    if line.startswith("#"):
        return True
    words = _HEADING.sub("", line.strip("*_ ")).split()
    if not words or len(words) > 12:
        return False
    large = sum(word[:1].isupper() or word.lower() in _SMALL for word in words)
    return large == len(words) and words[0][:1].isupper() and not any(ch.isdigit() for ch in line[-3:])


_LETTERHEAD = re.compile(r"(?:From|To|Cc|Bcc|Date|Sent|Subject|Re|Attachments?):\s|Dear\s[^.;]{2,60}[,:]?$")
"""Lines of a letter's head: each stands by itself."""
_MODAL = re.compile(
    r"\b(?:shall|will|may|must|is|are|was|were|be|been|has|have|had|can|cannot|not|agrees?|hereby|means|if|pays?|requires?|grants?|continues?|renews?|expires?|terminates?)\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"^[#\s*]*(?:(?:ARTICLE|Article|SECTION|Section)\s+\S+|\(?[\dA-Z]{1,4}(?:\.\d+)*[.)]?)\s+(?=[A-Z])"
)
_ENTRIES = re.compile(r"(?<![.\w])\d{1,2}\.\d{1,2}\.? +[A-Z]")
"""Headings with their numbers; two on one line stand in a table of contents."""
_CONTENTS = re.compile(r"(?:\.{4,}|(?:\. ){4,}|_{4,}|\s{3,}|\t)\s*\d{1,4}$")


def names_only(text: str) -> bool:
    """Whether a sentence only names something: a heading ("3. Most favored customer"), a line of a table of contents, a letter's subject line
    or salutation. It says nothing, so it proves nothing."""
    text = text.strip()
    if (text[-1:].isdigit() and _CONTENTS.search(text[-80:])) or _LETTERHEAD.match(text):
        return True
    if len(text) < 300 and text[-1:] not in ".;," and len(_ENTRIES.findall(text)) > 1 and not _MODAL.search(text):
        return True
    if len(text) > 90 or text[-1:] in ".;,:|" or " | " in text or _MODAL.search(text):
        return False
    rest, numbered = _NUMBERED.subn("", text)
    return len(rest.split()) <= (9 if numbered else 5) and not re.search(r"[\d$€£%:;]", rest) and rest[:1].isupper()


_SMALL = {"of", "and", "the", "to", "in", "for", "on", "or", "by", "with", "a", "an", "upon", "from", "as", "at"}


def _continues(line: str, following: str) -> bool:
    """Whether a line break between the two is only a wrapped line."""
    if following[:1] in "|#>" or line[:1] in "|#" or " | " in line or " | " in following:
        return False
    if following.startswith(('("', "(“", "(the ")):
        return True  # a name and its short name stand in one sentence, also when the name ends in "Inc."
    if _MARKER.match(following) and not line.endswith((",", " of", " Section", " and", " or")):
        return False
    if _LETTERHEAD.match(line) or _LETTERHEAD.match(following):
        return False
    if following[:1].islower():
        return not line.endswith((".", ":"))
    return len(line) > 44 and line[-1:] not in ".:;!?" and not is_heading(following)


def paragraphs(text: str, *, wrapped: bool = True) -> list[Paragraph]:
    """The paragraphs of the text in order: wrapped lines joined, headings and list openings carried along.

    `wrapped` is False for formats in which a line is a paragraph (a word processor's, slides): then a line is joined to the next only
    where that one begins in lower case. A page number or source line between two lines of a paragraph lies within it.
    """
    found: list[Paragraph] = []
    start = end = -1
    last = ""
    blank = False
    between: list[tuple[int, int]] = []
    for offset, line in _lines(text):
        stripped = line.strip()
        if not stripped:
            blank = True
            continue
        place = (offset + len(line) - len(line.lstrip()), offset + len(line.rstrip()))
        if start >= 0 and stripped[0] in "S-–—Pp0123456789" and _FURNITURE.fullmatch(stripped):
            between.append(place)
            blank = True
            continue
        joins = last and end - start < MAX_PARAGRAPH and _continues(last, stripped)
        if joins and (blank or not wrapped):
            joins = stripped[:1].islower() and last[-1:] not in ".:;!?" and len(last) > 30
        if not joins:
            if start >= 0:
                found.append(Paragraph(start, end, text[start:end]))
            found += [Paragraph(a, b, text[a:b]) for a, b in between]
            start = place[0]
        between = []
        end = place[1]
        last, blank = stripped, False
    if start >= 0:
        found.append(Paragraph(start, end, text[start:end]))
    found += [Paragraph(a, b, text[a:b]) for a, b in between]
    _carry(found)
    return found


def _carry(found: list[Paragraph]) -> None:
    heading = lead = ""
    for paragraph in found:
        first = paragraph.raw[:100].strip()
        if len(first) < 100 and _FURNITURE.fullmatch(first):
            paragraph.heading = heading
            continue
        if len(paragraph.raw) <= 90 and is_heading(first):
            heading, lead = clean(first.lstrip("# ")), ""
        elif lead and not _LISTED.match(first):
            lead = ""
        paragraph.heading, paragraph.lead = heading, lead
        if paragraph.raw.rstrip().endswith((":", ":**", "—")) and len(paragraph.raw) < 1_500:
            lead = closing(paragraph.raw, 600)


def sentences(raw: str) -> list[tuple[int, int]]:
    """(start, end) of the sentences of a paragraph; a clause after a semicolon and a capital letter counts as one."""
    cuts: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(raw):
        if (
            not cuts
            and match.start() < 70
            and not re.search(r"\b(?:shall|will|may|is|are|has|have|agrees?|does)\b", raw[: match.start()])
        ):
            continue  # a run-in heading, "10.4 Termination for Convenience.", stays with its sentence
        if raw[match.start()] == "." and _ABBREVIATION.search(
            raw[max(start, match.start() - 14) : match.start()] + "."
        ):
            continue
        cuts += _pieces(raw, start, match.end() - len(match[0]) + len(match[0].rstrip()))
        start = match.end()
    return cuts + _pieces(raw, start, len(raw))


def _pieces(raw: str, start: int, end: int) -> list[tuple[int, int]]:
    """Cuts what is too long at a semicolon, a comma or a space."""
    cuts = []
    while end - start > MAX_SENTENCE:
        for stop in ("; ", ", ", " "):
            at = raw.rfind(stop, start + MAX_SENTENCE // 2, start + MAX_SENTENCE)
            if at > 0:
                break
        else:
            at = start + MAX_SENTENCE - 1
        cuts.append((start, at + 1))
        start = at + 1
    while start < end and raw[start].isspace():
        start += 1
    if start < end:
        cuts.append((start, end))
    return cuts


MAX_QUOTE = 700


def closing(raw: str, limit: int) -> str:
    """The last words of a text, whole words only."""
    raw = raw.strip()
    if "\n" in raw:
        raw = raw[max((match.end() for match in _FURNITURE.finditer(raw)), default=0) :].strip() or raw
    if len(raw) <= limit:
        return raw
    cut = raw[-limit:].partition(" ")[2].strip()
    begun = next((match.end() for match in _END.finditer(cut) if len(cut) - match.end() >= 60), 0)
    return cut[begun:]  # from the beginning of a sentence, where one begins in time


def opening(raw: str, limit: int) -> str:
    """The first words of a text, whole words only: a quote that is cut within a word is none."""
    raw = raw.strip()
    if len(raw) <= limit:
        return raw
    cut = max(raw.rfind(" ", 0, limit), raw.rfind("\n", 0, limit))
    return raw[: cut if cut > 0 else limit].strip()


def _undivided(raw: str, around: str) -> str:
    """The part of a text between lines of page furniture that holds `around`, else the longest: a quote does not run over a page's foot."""
    cuts = [match.span() for match in _FURNITURE.finditer(raw)] if "\n" in raw else []
    if not cuts:
        return raw
    edges = [0, *(edge for cut in cuts for edge in cut), len(raw)]
    parts = [raw[a:b].strip() for a, b in zip(edges[::2], edges[1::2], strict=True)]
    words = around.casefold().split()[:6]
    holding = [part for part in parts if words and " ".join(words) in " ".join(part.casefold().split())]
    return max(holding or parts, key=len)


def quote(raw: str, around: str = "") -> str:
    """The words to quote: the sentence as it stands, or, when that is long, the part about `around` cut at a clause's edge."""
    raw = _undivided(raw.strip(), around)
    if len(raw) <= MAX_QUOTE:
        return raw
    pieces = [re.escape(word) for word in around.split()[:12]]
    match = re.search(r"[\s*_]+".join(pieces), raw, re.IGNORECASE) if pieces else None
    middle = match.start() if match else 0
    start, end = max(0, middle - 300), min(len(raw), max(middle + 400, (match.end() if match else 0) + 60))
    end = min(end, start + MAX_QUOTE + 200)
    if start:
        edge = [m.end() for m in re.finditer(r"[;:,.)]\s+", raw[start:middle])]
        start += edge[0] if edge else (re.search(r"\s", raw[start:]) or _NONE).end()
    if end < len(raw):
        edge = [m.start() + 1 for m in re.finditer(r"[;,.]\s", raw[middle:end])]
        end = middle + edge[-1] if edge and edge[-1] > 40 else start + raw[start:end].rstrip().rfind(" ")
    return raw[start:end].strip()


class _None:
    def end(self) -> int:
        return 0


_NONE = _None()
