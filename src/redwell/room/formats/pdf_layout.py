"""From a page's characters with boxes to its lines and paragraphs, in reading order.

PDFium's order is kept: it is that of the content, which runs down one column and then the next in most files. Three things are mended:
small pieces drawn apart from the line that they belong to (the "th" of 6th), columns that PDFium reads across, and gaps in a line
that part the cells of a table, which become tabs.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from redwell.room.formats.pdf_text import PageText

_LINE = re.compile(r"[^\n]+")
_SPACES = re.compile(r"(?<=\S)[ \t\u00a0]+(?=\S)")
_START = re.compile(
    r"\(?(?:[a-zA-Z]|[ivxlIVXL]{1,6}|\d{1,3}(?:\.\d{1,3})*)[.)](?:\s|$)|\d{1,3}(?:\.\d{1,3})+\s|[•●▪■◦‣·–—-]\s"
)
_NAMED = re.compile(
    r"(?:ARTICLE|Article|SECTION|Section|EXHIBIT|Exhibit|SCHEDULE|Schedule|ANNEX|Annex|APPENDIX|Appendix)\s+[\dA-Z]"
)
_LABEL = re.compile(r"\(?(?:[A-Za-z]|[ivxlIVXL]{1,6}|\d{1,3})[.)]|\d{1,3}(?:\.\d{1,3})*\.?|[•●▪■◦‣·–—-]")
_ENDS = re.compile(r"[.;:!?][)\]\"'”’]*$|(?:; |, )(?:and|or)$")
_GUTTER_LINES = 4
_GUTTER_WIDTH = 15
"""Both sides of a gutter hold this many characters a line on average; the cells of a table hold fewer."""
_SMALL = 4


@dataclass(slots=True)
class Line:
    """A line of a page: the stretches of the page's text that make it up, and its box."""

    parts: list[tuple[int, int]]
    text: str
    left: float
    bottom: float
    right: float
    top: float
    gaps: list[tuple[int, float, float]] = field(default_factory=list)

    @property
    def height(self) -> float:
        return self.top - self.bottom


@dataclass(slots=True)
class Paragraph:
    """Lines that run on, their text joined by line ends, and a box for each code point of it (see ParsedUnit)."""

    lines: list[Line]

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)

    def boxes(self, page: PageText) -> bytes:
        out = array("f")
        for number, line in enumerate(self.lines):
            if number:
                out.extend((0.0, 0.0, 0.0, 0.0))
            for start, end in line.parts:
                out.extend(page.boxes[4 * start : 4 * end])
        return out.tobytes()


def lines(page: PageText) -> list[Line]:
    """The lines that a reader of the page sees, in reading order."""
    found = []
    for match in _LINE.finditer(page.text):
        for start, end in _seen(match.start(), match.end(), page.hidden):
            line = _line(page, start, end)
            if line is not None:
                found.append(line)
    return _columns(page, _reattached(page, found))


def hidden(page: PageText) -> list[Line]:
    """The lines, or parts of lines, that a reader of the page cannot see."""
    found = []
    for start, end in page.hidden:
        for match in _LINE.finditer(page.text, start, end):
            line = _line(page, match.start(), match.end())
            if line is not None:
                found.append(line)
    return found


def paragraphs(found: list[Line]) -> list[Paragraph]:
    """Lines gathered into paragraphs."""
    if not found:
        return []
    step = _usual_step(found)
    out = [Paragraph([found[0]])]
    for number in range(1, len(found)):
        if _begins(found, number, out[-1], step):
            out.append(Paragraph([]))
        out[-1].lines.append(found[number])
    return out


def _seen(start: int, end: int, unseen: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The stretch without what is hidden in it."""
    parts = []
    for low, high in unseen:
        if low < end and high > start:
            parts.append((start, low))
            start = high
    parts.append((start, end))
    return [(low, high) for low, high in parts if low < high]


def _line(page: PageText, start: int, end: int) -> Line | None:
    text = page.text[start:end]
    start += len(text) - len(text.lstrip())
    text = text.strip()
    end = start + len(text)
    if not text:
        return None
    boxes = page.boxes
    first, last, middle = 4 * start, 4 * (end - 1), 4 * ((start + end) // 2)
    bottoms = [boxes[k + 1] for k in (first, middle, last) if boxes[k + 3] > boxes[k + 1]]
    tops = [boxes[k + 3] for k in (first, middle, last) if boxes[k + 3] > boxes[k + 1]]
    bottom, top = (min(bottoms), max(tops)) if tops else (0.0, 0.0)
    line = Line([(start, end)], text, boxes[first], bottom, boxes[last + 2], top)
    wide = 2 * max(4.0, line.height)
    for match in _SPACES.finditer(text):
        low, high = start + match.start(), start + match.end()
        left, right = boxes[4 * low - 2], boxes[4 * high]
        if right - left > wide and left > 0:
            line.gaps.append((match.start(), left, right))
            if match.end() - match.start() == 1 and not _LABEL.fullmatch(text, 0, match.start()):
                line.text = line.text[: match.start()] + "\t" + line.text[match.end() :]
    return line


def _reattached(page: PageText, found: list[Line]) -> list[Line]:
    """Put small pieces that were drawn apart (raised letters, numbers of notes) into the gap of the line at their height."""
    small = [line for line in found if len(line.text) <= _SMALL and " " not in line.text]
    if not small or len(small) == len(found):
        return found
    pieces = {id(line) for line in small}
    hosts = [line for line in found if id(line) not in pieces]
    at_height: dict[int, list[int]] = {}
    for number, line in enumerate(hosts):
        for band in _bands(line):
            at_height.setdefault(band, []).append(number)
    taken = set()
    for piece in small:
        near = sorted({number for band in _bands(piece) for number in at_height.get(band, ())})
        if any(_takes(page, hosts[number], piece) for number in near):
            taken.add(id(piece))
    return [line for line in found if id(line) not in taken]


def _bands(line: Line) -> range:
    """The strips of the page, a third of an inch high, that a line touches; far off the page all is one strip."""
    low, high = (int(min(24_000.0, max(-24.0, y)) // 24) for y in (line.bottom, line.top))
    return range(low, high + 1)


def _takes(page: PageText, line: Line, piece: Line) -> bool:
    """Take the piece into the line when there is room for it between two of its characters."""
    overlap = min(line.top, piece.top) - max(line.bottom, piece.bottom)
    if overlap < 0.4 * piece.height or piece.height >= 0.95 * line.height:
        return False
    if not line.left < piece.left < line.right or len(line.parts) != 1:
        return False
    start, end = line.parts[0]
    boxes = page.boxes
    for match in _SPACES.finditer(page.text, start, end):
        low, high = match.span()
        if boxes[4 * low - 2] - 1 <= piece.left and piece.right <= boxes[4 * high] + 1:
            apart = piece.left - boxes[4 * low - 2] > 0.2 * piece.height
            before = min(low + apart, high)
            after = before if before == high or high - low == 1 else before + 1 - apart
            text = line.text
            line.text = text[: before - start] + piece.text + text[after - start :]
            line.parts = [(start, before), *piece.parts, (after, end)]
            line.gaps = []
            return True
    return False


# --- columns ------------------------------------------------------------------------------------------------------------------


def _columns(page: PageText, found: list[Line]) -> list[Line]:
    """Read down the columns where PDFium read across them."""
    out: list[Line] = []
    at = 0
    while at < len(found):
        run, gutter = _gutter_run(found, at, page.width)
        if run:
            out.extend(_split(page, found[at : at + run], gutter))
            at += run
        else:
            out.append(found[at])
            at += 1
    return out


def _gutter_run(found: list[Line], at: int, width: float) -> tuple[int, float]:
    """How many lines from here have one gutter in common, and where it is; (0, 0.0) when they are no columns of prose."""
    if not found[at].gaps:
        return 0, 0.0
    _, low, high = min(found[at].gaps, key=lambda gap: abs((gap[1] + gap[2]) / 2 - width / 2))
    both = left_side = right_side = count = 0
    for line in found[at:]:
        crossing = [gap for gap in line.gaps if min(high, gap[2]) - max(low, gap[1]) >= 4]
        if crossing and (not count or line.top <= found[at + count - 1].top + 2):
            split = crossing[0]
            low, high = max(low, split[1]), min(high, split[2])
            both += 1
            left_side += split[0]
            right_side += len(line.text) - split[0] - 1
        elif not (line.right <= low + 1 or line.left >= high - 1) or line.top > found[at + count - 1].top + 2:
            break
        count += 1
    if both < _GUTTER_LINES or both * 2 < count or min(left_side, right_side) < _GUTTER_WIDTH * both:
        return 0, 0.0
    return count, (low + high) / 2


def _split(page: PageText, run: list[Line], gutter: float) -> list[Line]:
    left: list[Line] = []
    right: list[Line] = []
    for line in run:
        gap = next((gap for gap in line.gaps if gap[1] < gutter < gap[2]), None)
        if gap is None:
            (left if line.right < gutter else right).append(line)
            continue
        start, end = line.parts[0][0], line.parts[-1][1]
        for side, low, high in ((left, start, start + gap[0]), (right, start + gap[0], end)):
            piece = _line(page, low, high)
            if piece is not None:
                side.append(piece)
    return left + right


# --- paragraphs ---------------------------------------------------------------------------------------------------------------


def _usual_step(found: list[Line]) -> float:
    """The usual distance from one line's foot to the next one's."""
    steps = [
        above.bottom - below.bottom
        for above, below in pairwise(found)
        if 0 < above.bottom - below.bottom < 3 * max(above.height, below.height, 1)
    ]
    return median(steps) if steps else 0.0


def _begins(found: list[Line], number: int, paragraph: Paragraph, step: float) -> bool:
    """Whether a line begins a paragraph."""
    above, line = found[number - 1], found[number]
    height = max(above.height, line.height, 1.0)
    down = above.bottom - line.bottom
    if down < -0.5 * height:
        return True  # back up: another column, or something placed apart
    if down < 0.5 * height:
        if line.left > above.right and _LABEL.fullmatch(above.text):
            return False  # the text of a number drawn before it
        return line.left > above.right or line.right < above.left  # beside: a cell
    if len(paragraph.lines) > 1:
        own = paragraph.lines[-2].bottom - paragraph.lines[-1].bottom
        if down > 1.3 * own > 0:
            return True
    # Between single-spaced paragraphs the space is half a line or more; double-spaced text has its own usual step.
    if down > 1.35 * max(step, 0.9 * height) or down > 2.6 * height:
        return True
    if abs(above.height - line.height) > 0.2 * height and above.height and line.height:
        return True
    if "\t" in above.text and "\t" in line.text:
        return True  # rows of a table
    first = paragraph.lines[0]
    if len(paragraph.lines) > 1 and above.left - first.left > 0.8 * height and abs(line.left - first.left) < 3:
        return True  # out again to where a hanging paragraph began
    starts = bool(_START.match(line.text))
    if line.text[0].islower() and not starts:
        return False
    ended = bool(_ENDS.search(above.text[-12:]))
    room = _room_left(found, number)
    forced = room > 0.03
    indented = line.left - above.left > 0.8 * height
    if starts and abs(line.left - first.left) < 3 and _START.match(first.text):
        return True  # a sibling in a list
    if _NAMED.match(line.text):
        return ended or forced  # else it is a reference in the midst of a sentence
    if starts:
        return ended or forced or indented or abs(line.left - above.left) > 0.8 * height
    if indented and len(paragraph.lines) > 1:
        return ended or forced
    return forced and (ended or room > 0.25 or len(above.text) < 60)


def _room_left(found: list[Line], number: int) -> float:
    """How early the line above ended: the room left after the first word of this line had it stood there, in widths of the column."""
    above, line = found[number - 1], found[number]
    near = found[max(0, number - 6) : number + 6]
    margin = max(other.right for other in near)
    word = len(line.text.split(None, 1)[0])
    letter = (line.right - line.left) / max(1, len(line.text))
    width = max(1.0, margin - min(other.left for other in near))
    return (margin - above.right - (word + 1) * letter) / width
