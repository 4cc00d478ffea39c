"""Plain text as paragraphs: hard-wrapped lines are kept together, a line that is a paragraph stands alone, page furniture is flagged.

Files exported from filings come in three shapes, often mixed: wrapped at 60-130 columns with blank lines between paragraphs, one
line a paragraph, and one line for the whole document with runs of spaces where its lines were. Units never cut a word, and are
joined by a line break where a space stood, so a quote that crosses them is still found.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from redwell.room.types import ParsedUnit

_WRAP = 132
_CLAUSE_LENGTH = 800
_LONG = 1800
_LONGEST = 20_000
_NUMBER = r"(?:\d{1,3}(?:\.\d{1,3}){0,4}\.?|\([a-zA-Z]{1,2}\)|\([ivxlIVXL]{1,6}\)|\(\d{1,2}\)|[A-Z]\.|[ivxIVX]{1,5}\.|[a-z]\))"
_MARKER = re.compile(
    rf"\s*(?:(?:ARTICLE|Article|SECTION|Section|EXHIBIT|Exhibit|SCHEDULE|Schedule|ANNEX|Annex|APPENDIX|Appendix)\s+[\dIVXLA-H]|{_NUMBER}\s+\S|[-•●▪*·o]\s+\S)"
)
_HEADED = r"(?:ARTICLE|Article)\s+[\dIVX]+\b|(?:SECTION|Section)\s+\d+(?:\.\d+)*\.?\s+[\"“A-Z]"
_CLAUSE = re.compile(
    rf"(?<=[.;:,)\"”])\s{{2,}}+(?={_NUMBER}\s+[\"“A-Z(]|{_HEADED})"
    rf"|(?<!\s)\s{{3,}}+(?={_NUMBER}\s+(?:[A-Z][A-Za-z&-]|[\"“])|ARTICLE\s+[\dIVX]+\b)"
    r"|(?<=[.;])[\"”]?\s{3,}+(?=[\"“])"
    r"|(?<=[.;:])\s(?=\d{1,2}\.(?:\d{1,2}\.?)?\s[A-Z]|[a-z]\)\s[A-Z]|(?:ARTICLE|Article)\s(?:\d{1,2}|[IVX]{1,5})\.?\s[A-Z]{3})"
    r"|(?<=[A-Z]{3})\s(?=\d{1,2}\.1\.?\s[A-Z][a-z])"
)
_POINTS_ON = re.compile(
    r"(?:Sections?|Articles?|Clauses?|Exhibits?|Schedules?|Paragraphs?|Parts?|and|or|to|through|of|under|in|No\.?)\s*$",
    re.IGNORECASE,
)
_SENTENCE_GAP = re.compile(r"(?<=[.;:!?])[\"”)]?\s{2,}+(?=[\"“(]?[A-Z(])")
_SENTENCE = re.compile(r"(?<=[a-z\d)\"”][.;])\s+(?=[\"“(]?[A-Z(])")
_GAP = re.compile(r"\S(?: {3,}|\s*\t\s*)(?=\S)")
_PAGE = re.compile(
    r"(?:page\s+)?[-–—\[(]?\s*(?:page\s+)?(\d{1,4}|[ivxl]{1,6})\s*[-–—\])]?(?:\s*(?:of|/)\s*\d{1,4})?(?:\s+(\d{1,4}))?",
    re.IGNORECASE,
)
_NAMED_PAGE = re.compile(
    r"(?:page\s+\d{1,4}(?:\s+of\s+\d{1,4})?|[-–—]\s?\d{1,4}\s?[-–—]|\d{1,4}\s+of\s+\d{1,4}|[A-Z]{1,3}-\d{1,3})",
    re.IGNORECASE,
)
_SOURCE = re.compile(r"Source: .{2,80}, [\dA-Z/-]{2,12}, \d{1,2}/\d{1,2}/\d{4}")
_TAIL = re.compile(rf"(?<!\s)\s{{2,}}+((?:\d{{1,3}}\s{{2,}})?{_SOURCE.pattern})$")
_LONE_SOURCE = re.compile(rf"(?:\d{{1,3}}\s+)?{_SOURCE.pattern}")
_TAIL_NUMBER = re.compile(r"(?<!\s)\s{2,}+(\d{1,3})$")
_HEAD_NUMBER = re.compile(r"(\d{1,3})\s{6,}(?=\S)")
_HEAD_BEFORE_NUMBER = re.compile(
    r"(\d{1,3})\s+(?=(?:ARTICLE|Article|SECTION|Section|Annex|ANNEX|Exhibit|EXHIBIT)\s[\dIVXA-Z]|\d{1,2}\.\d{1,2}\.?\s|\([a-z]{1,4}\)\s)"
)
"""A page number before a clause number; it may be one page ahead of the last, whose own number may not be printed."""
_LETTERS = re.compile(r"[a-z]{3}")
_SIGNED = re.compile(r"by\b|name\b|title\b|date\b|its\b|_|-{3}|.*/s/")
_DIGITS = re.compile(r"\d+")


@dataclass(slots=True)
class _Block:
    lines: list[str]
    line: int
    blank_before: int
    new_page: bool
    blank_after: int = 0

    @property
    def text(self) -> str:
        return "\n".join(line.strip() for line in self.lines).strip()


def paragraph_units(text: str) -> list[ParsedUnit]:
    """The paragraphs of a plain text; a unit's path is the line where it starts (`line 45`, or `line 45, part 2` within a long line).

    Running headers, page numbers and the lines that filing services add are flagged `footer`.
    """
    blocks = _blocks(text)
    furniture = _furniture(blocks)
    wrapped = _is_wrapped(blocks)
    units: list[ParsedUnit] = []
    last_page = 0
    for index, block in enumerate(blocks):
        if index in furniture:
            units.append(ParsedUnit(block.text, f"line {block.line}", flags=("footer",)))
            last_page = _page_number(block.text, last_page)
            continue
        for line, piece in _pieces(block, wrapped):
            parts = _without_numbers(split_long(piece), last_page, index + 1 in furniture)
            for number, (part, is_footer) in enumerate(parts, start=1):
                path = f"line {line}" if number == 1 else f"line {line}, part {number}"
                units.append(ParsedUnit(part, path, flags=("footer",) if is_footer else ()))
                last_page = _page_number(part, last_page) if is_footer else last_page
    return units


def _page_number(furniture: str, last: int) -> int:
    """The page number in a piece of page furniture, or the one before it."""
    numbers = _DIGITS.findall(furniture.partition("Source:")[0])
    return int(numbers[-1][:4]) if numbers else last


def _without_numbers(texts: list[str], last_page: int, ends_page: bool) -> list[tuple[str, bool]]:
    """(text, is furniture): page numbers and source lines that run into a paragraph's first or last words taken apart from it."""
    parts = [(text, False) for text in texts]
    for pattern, ahead in ((_HEAD_NUMBER, 1), (_HEAD_BEFORE_NUMBER, 2)):
        head = pattern.match(parts[0][0])
        if head is not None and 0 <= int(head[1]) - last_page <= ahead:
            parts = [(head[1], True), (parts[0][0][head.end() :], False), *parts[1:]]
            break
    tail = _TAIL.search(parts[-1][0]) or (_TAIL_NUMBER.search(parts[-1][0]) if ends_page else None)
    if tail is not None:
        parts = [*parts[:-1], (parts[-1][0][: tail.start()], False), (tail[1], True)]
    parts = [(text, furniture or bool(_LONE_SOURCE.fullmatch(text))) for text, furniture in parts if text.strip()]
    if len(parts) > 1 and parts[-1][1] and re.fullmatch(r"\d{1,3}", parts[-2][0]):
        parts[-2] = (parts[-2][0], True)
    return parts


def split_long(text: str) -> list[str]:
    """A paragraph cut at its clauses, and when still very long at its sentences. Only white space is lost."""
    pieces = _cut([text.strip()], _CLAUSE, _CLAUSE_LENGTH)
    pieces = _cut(pieces, _SENTENCE_GAP, _LONG)
    out: list[str] = []
    for piece in pieces:
        out.extend(_packed(_cut([piece], _SENTENCE, 2 * _LONG)) if len(piece) > 2 * _LONG else [piece])
    return [part for piece in out for part in _hard_cut(piece)]


def _cut(pieces: list[str], boundary: re.Pattern[str], longer_than: int) -> list[str]:
    out: list[str] = []
    for piece in pieces:
        if len(piece) <= longer_than:
            out.append(piece)
            continue
        start = 0
        for match in boundary.finditer(piece):
            at = match.end()
            if piece[start:at].strip() and not _POINTS_ON.search(piece, max(0, match.start() - 14), match.start()):
                out.append(piece[start:at].strip())
                start = at
        if piece[start:].strip():
            out.append(piece[start:].strip())
    return out


def _packed(sentences: list[str]) -> list[str]:
    """Sentences put together again up to the length of a long paragraph."""
    out: list[str] = []
    for sentence in sentences:
        if out and len(out[-1]) + len(sentence) < _LONG:
            out[-1] = f"{out[-1]} {sentence}"
        else:
            out.append(sentence)
    return out


def _hard_cut(piece: str) -> list[str]:
    out = []
    while len(piece) > _LONGEST:
        at = max(piece.rfind(" ", 0, _LONGEST), piece.rfind("\n", 0, _LONGEST))
        at = at if at > 0 else _LONGEST
        out.append(piece[:at].rstrip())
        piece = piece[at:].lstrip()
    return [*out, piece] if piece else out


def _blocks(text: str) -> list[_Block]:
    blocks: list[_Block] = []
    blank, new_page = 0, False
    open_block = False
    for number, line in enumerate(text.split("\n"), start=1):
        pages = line.split("\f")
        for index, part in enumerate(pages):
            if index:
                new_page, open_block = True, False
            if not part.strip():
                blank += index == 0
                open_block = False
            elif open_block:
                blocks[-1].lines.append(part.rstrip())
            else:
                if blocks:
                    blocks[-1].blank_after = blank + 9 * new_page
                blocks.append(_Block([part.rstrip()], number, blank, new_page))
                blank, new_page, open_block = 0, False, True
    if blocks:
        blocks[-1].blank_after = 9
    return blocks


def _is_wrapped(blocks: list[_Block]) -> bool:
    """Whether the file's paragraphs are broken into lines of bounded width."""
    lengths = sorted(len(line) for block in blocks for line in block.lines)
    return bool(lengths) and lengths[int(len(lengths) * 0.97)] <= _WRAP


def _pieces(block: _Block, wrapped: bool) -> list[tuple[int, str]]:
    """(line, text) of the paragraphs in a block of lines without a blank line between them."""
    lines = block.lines
    if len(lines) == 1:
        return [(block.line, block.text)]
    width = max(len(line) for line in lines)
    if sum(1 for line in lines if _GAP.search(line.strip())) * 5 >= len(lines) * 3:
        return [(block.line + i, line.strip()) for i, line in enumerate(lines)]  # a table: every line is a row
    if not wrapped and width > _WRAP:
        return [(block.line + i, line.strip()) for i, line in enumerate(lines)]
    out: list[tuple[int, list[str]]] = []
    for at, line in enumerate(lines):
        if at == 0 or _starts_paragraph(lines[at - 1], line, width):
            out.append((block.line + at, []))
        out[-1][1].append(line.strip())
    return [(line_number, "\n".join(part)) for line_number, part in out]


def _starts_paragraph(previous: str, line: str, width: int) -> bool:
    if not _MARKER.match(line):
        return False
    ended = previous.rstrip().endswith((".", ";", ":", ",", "and", "or", "”", '"'))
    full = len(previous) + len(line.split(maxsplit=1)[0]) + 1 > width
    return ended or not full


def _furniture(blocks: list[_Block]) -> set[int]:
    """Indexes of the blocks that are page numbers, running headers or a filing service's lines.

    A running header stands at the edge of a page, word for word (but for figures), three times and on a quarter of the pages.
    """
    found: set[int] = set()
    at_edge: dict[str, list[int]] = {}
    numbers: list[tuple[int, int]] = []
    sources = Counter(_DIGITS.sub("0", block.text) for block in blocks if _SOURCE.fullmatch(block.text))
    for index, block in enumerate(blocks):
        text = block.text
        if len(text) > 160 or len(block.lines) > 3:
            continue
        if sources[_DIGITS.sub("0", text)] or (
            _NAMED_PAGE.fullmatch(text) and not re.fullmatch(r"[A-Z]{1,3}-\d{1,3}", text)
        ):
            found.add(index)
        elif match := _PAGE.fullmatch(text):
            numbers.append((index, int(match[1]) if match[1].isdigit() else -1))
        if block.new_page or block.blank_before >= 4 or block.blank_after >= 4:
            at_edge.setdefault(_DIGITS.sub("0", " ".join(text.split())).lower(), []).append(index)
    breaks = sum(1 for block in blocks if block.new_page or block.blank_before >= 4)
    for text, same in at_edge.items():
        if len(same) >= max(3, breaks / 4) and _LETTERS.search(text) and not _SIGNED.match(text):
            found.update(same)
    found.update(_counting(numbers))
    return found


def _counting(numbers: list[tuple[int, int]]) -> set[int]:
    """Lone numbers that count upwards through the file, as page numbers do."""
    found: set[int] = set()
    rising = sum(1 for (_, a), (_, b) in pairwise(numbers) if 0 < b - a <= 2)
    if len(numbers) >= 3 and rising * 3 >= (len(numbers) - 1) * 2:
        found.update(index for index, _ in numbers)
    return found
