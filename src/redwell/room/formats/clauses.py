"""Clause numbers of a text: the label each paragraph prints, and the full number by which a lawyer cites it.

`clauses` serves every format. Numbers that a format knows (computed from list numbering) are handed in; where it knows
none, numbers typed at the head of a paragraph are recognised, when the numbers around them confirm them. The citable number is
composed with the numbers above it: "(b)" under "8.2" is "8.2(b)". A number that does not contain the article or the exhibit
it stands in is cited with it: "Article IV, Section 1(a)", "Exhibit A, Section 3", "Recital B".

A paragraph without a number belongs to the section above it, up to an unnumbered heading, the signatures or an exhibit; text that
follows a list "(a), (b)" belongs to the section that holds the list, since nothing says that it belongs to its last item.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from redwell.room.formats.clause_numbers import Number, Reading, exhibit, is_contents, known, typed

_AHEAD = 300
_GAP = 3
_EXHIBIT_AFTER = 3
_NUMBERS = ("1.", "section", "1)")
_MAJOR = ("article", "exhibit", "recitals", "dotted", "section", "named", "word", "top", "1.", "I.")
"""Levels to which a paragraph without a number belongs; `top` is the 8 that "8.1" implies."""
_RECITALS = re.compile(
    r"(?:RECITALS?|BACKGROUND|WHEREAS|PREAMBLE|W\s*I\s*T\s*N\s*E\s*S\s*S\s*E\s*T\s*H)\b[\s:.]*$", re.IGNORECASE
)
_AGREED = re.compile(
    r"(?:NOW,? )?THEREFORE\b|IT IS (?:HEREBY )?AGREED|(?:The|THE) PARTIES (?:HEREBY )?AGREE", re.IGNORECASE
)
_SIGNATURES = re.compile(
    r"(?:IN WITNESS (?:WHEREOF|THEREOF)|EXECUTED (?:as a deed|by the parties)|SIGNED (?:by|for and on behalf)"
    r"|\[?\s*signature pages?\b|\[?\s*remainder of (?:this )?page|(?:SIGNATURES?|EXECUTION)\s*+:?+\s*+$)",
    re.IGNORECASE,
)
_SIGNED = re.compile(r"(?:/s/|By:\s|Signature\s*:|[\w ’']{1,40}:\s*_{5,})")
"""Lines of a signature block: they stand in no section, though what follows may go on (initials, a form to fill in)."""


@dataclass(frozen=True, slots=True)
class Line:
    """A paragraph as `clauses` sees it.

    `label` is its printed number where the format knows it, with `list` and `level` telling its siblings; `text` may begin with
    it. `heading` is a heading by its style. `apart` is for what carries no clause number of its own but stands in a section
    (a table row); `contents` for a line of a table of contents, which stands in none.
    """

    text: str
    label: str = ""
    list: str = ""
    level: int = 0
    heading: bool = False
    apart: bool = False
    contents: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """The printed number of a paragraph ("(b)") and the full one ("8.2(b)"); both empty where there is none."""

    label: str = ""
    section: str = ""


@dataclass(frozen=True, slots=True)
class _Frame:
    """A numbered level that is open: its style and value find its next sibling, its `cite` is its part of the full number."""

    style: str
    value: int
    cite: str
    values: tuple[int, ...] = ()
    key: tuple[str, int] | None = None


def clauses(lines: Sequence[Line]) -> list[Clause]:
    """The label and section of each line, in order."""
    reader = _Reader(lines)
    return [reader.next(index) for index in range(len(lines))]


def clauses_of_texts(texts: Sequence[str], labels: Sequence[str] = ()) -> list[Clause]:
    """As `clauses`, for plain paragraph texts; `labels`, when given, has the known label of each text, or ""."""
    known_labels = list(labels) + [""] * (len(texts) - len(labels))
    return clauses([Line(text, label) for text, label in zip(texts, known_labels, strict=True)])


@dataclass(slots=True)
class _Reader:
    lines: Sequence[Line]
    frames: list[_Frame] = field(default_factory=list)
    suspended: list[_Frame] = field(default_factory=list)
    numbers: list[Number | None] = field(default_factory=list)
    listed: frozenset[int] = frozenset()
    seen: int = 0
    inherit: bool = True
    by_article: bool = False
    """Whether sections bear the number of their article ("Article 7", "7.2"), so that one of another number stands in another article."""

    def __post_init__(self) -> None:
        self.lines = [
            replace(line, text=line.text.replace("\xa0", " ")) if "\xa0" in line.text else line for line in self.lines
        ]
        self.numbers = [_number(line) for line in self.lines]
        self.listed = _contents(self.lines, self.numbers)

    def next(self, index: int) -> Clause:
        line, number = self.lines[index], self.numbers[index]
        if line.contents or index in self.listed or (not line.label and is_contents(line.text)):
            return Clause()
        if line.label and (name := exhibit(line.label)):
            if not self._in_list(index):
                self._open_exhibit(name)
            return Clause(line.label, self._inherited())
        if number is not None and not line.apart and self._place(index, number, line):
            self.seen += 1
            self.inherit = True
            clause = Clause(number.label, section(self.frames))
            self._open_inline(line.text, self.frames[-1])
            return clause
        if line.label or line.apart:
            return Clause(line.label, self._inherited())
        self._unnumbered(index, line)
        return Clause("", self._inherited())

    def _inherited(self) -> str:
        if not self.inherit:
            return ""
        frames = list(self.frames)
        while frames and frames[-1].style not in _MAJOR:
            frames.pop()
        return section(frames)

    def _unnumbered(self, index: int, line: Line) -> None:
        """Titles and the signatures end what stands before them."""
        head = line.text.strip()
        if _SIGNATURES.match(head):
            self.frames, self.inherit = [], False
        elif _SIGNED.match(head):
            self.inherit = False
        elif self.frames and self.frames[0].style == "recitals" and _AGREED.match(head):
            self.frames, self.inherit = [], False
        elif _RECITALS.match(head) and self.seen == 0:
            self.frames, self.inherit = [_Frame("recitals", 0, "Recital")], False
        elif (name := exhibit(head)) and self.seen >= _EXHIBIT_AFTER and not self._in_list(index):
            self._open_exhibit(name)
        elif line.heading and head:
            self.inherit = any(frame.style == "exhibit" for frame in self.frames[-1:])

    def _open_exhibit(self, name: str) -> None:
        if not any(frame.style == "exhibit" for frame in self.frames):
            self.suspended = self.frames
        self.frames, self.inherit = [_Frame("exhibit", 0, name)], True

    def _in_list(self, index: int) -> bool:
        """Whether the neighbour of an exhibit's title is such a title, too: then both stand in a list of exhibits."""
        for step in (-1, 1):
            at = index + step
            while 0 <= at < len(self.lines) and not self.lines[at].text.strip():
                at += step
            if 0 <= at < len(self.lines) and (exhibit(self.lines[at].label) or exhibit(self.lines[at].text)):
                return True
        return False

    def _place(self, index: int, number: Number, line: Line) -> bool:
        """Opens the level of a number, closing those that it ends; False when nothing confirms a doubtful number."""
        key = (line.list, line.level) if line.label and line.list else None
        reading = number.readings[0]
        self._return_from_mention(reading)
        if reading.style == "article":
            self.frames = [frame for frame in self.frames if frame.style == "exhibit"][:1]
        elif reading.style in ("dotted", "named") and len(reading.values) > 1:
            if number.lower and not self._expected(reading):
                return False
            self._open_dotted(reading)
        else:
            found = self._find(index, number, key)
            if found is None:
                return False
            reading, keep = found
            self.frames = self.frames[:keep]
        self.frames.append(_Frame(reading.style, reading.value, number.cite, reading.values, key))
        for group in number.more:
            more = typed(f"({group})")
            if more is not None:
                self.frames.append(_Frame(more.readings[0].style, more.readings[0].value, more.cite))
        return True

    def _return_from_mention(self, reading: Reading) -> None:
        """Leaves an exhibit that was only listed: the first number after its title goes on where the text before it stopped."""
        if not self.suspended or len(self.frames) != 1 or self.frames[0].style != "exhibit" or not reading.values:
            return
        before = next((frame.values[0] for frame in self.suspended if frame.values), 0)
        if before and reading.values[0] >= 2 and reading.values[0] - before in (0, 1):
            self.frames = list(self.suspended)

    def _open_inline(self, text: str, frame: _Frame) -> None:
        """Opens "1.1" for what follows when it stands on the line of its heading: "1. DEFINITIONS 1.1 Terms. ..."."""
        if frame.style in _NUMBERS and re.search(rf"[\w.:] {frame.value}\.1\.?\s+[A-Z“\"]", text):
            self.frames.append(_Frame("dotted", 1, f"{frame.value}.1", (frame.value, 1)))

    def _expected(self, reading: Reading) -> bool:
        """Whether a dotted number follows on the open ones: the next sibling, or the first below."""
        *above, last = reading.values
        for frame in self.frames:
            if (
                frame.values
                and list(frame.values[:-1]) == above
                and frame.style == "dotted"
                and last - frame.value in (1, 2)
            ):
                return True
            if list(frame.values or (frame.value,)) == above and last == 1:
                return True
        return False

    def _open_dotted(self, reading: Reading) -> None:
        """Closes what does not contain a dotted number, and opens the top number that it names when nothing has yet."""
        frames = [frame for frame in self.frames if frame.style != "recitals"]
        article = next((frame for frame in frames if frame.style == "article"), None)
        if article is not None and len(reading.values) > 1:
            self.by_article = self.by_article or reading.values[0] == article.value
            if self.by_article and reading.values[0] != article.value:
                frames = frames[: frames.index(article)]
        if not frames and self.suspended:
            frames = self.suspended
        while frames and not self._contains(frames[-1], reading):
            frames = frames[:-1]
        if not frames or frames[-1].style in ("exhibit", "article"):
            top = reading.values[0]
            frames = [*frames, _Frame("top", top, str(top), (top,))]
        self.frames = frames

    @staticmethod
    def _contains(frame: _Frame, reading: Reading) -> bool:
        if frame.style in ("exhibit", "article"):
            return True
        above = frame.values or ((frame.value,) if frame.style in (*_NUMBERS, "top", "word", "named") else ())
        return 0 < len(above) < len(reading.values) and reading.values[: len(above)] == above

    def _find(self, index: int, number: Number, key: tuple[str, int] | None) -> tuple[Reading, int] | None:
        """How to read a number and how many open levels to keep below it."""
        by_list = self._find_by_list(index, number, key)
        if by_list is not None:
            return by_list
        nexts = [
            (reading, depth)
            for reading in number.readings
            for depth in range(len(self.frames) - 1, -1, -1)
            if _alike(self.frames[depth].style, reading.style) and reading.value == self.frames[depth].value + 1
        ]
        firsts = [reading for reading in number.readings if reading.value == 1]
        if nexts and firsts and self._comes_first(index, firsts[0], nexts[0][0]):
            nexts = []
        if nexts:
            return nexts[0]
        if firsts and (number.sure or key is not None or self._follows(index, firsts[0].style, 2)):
            return firsts[0], self._parent(index, firsts[0])
        return self._find_out_of_order(index, number, key)

    def _find_by_list(self, index: int, number: Number, key: tuple[str, int] | None) -> tuple[Reading, int] | None:
        """The place among the open levels of the same list, which list numbering makes certain."""
        if key is None:
            return None
        for depth in range(len(self.frames) - 1, -1, -1):
            frame = self.frames[depth]
            if frame.key == key:
                reading = next((r for r in number.readings if r.style == frame.style), number.readings[0])
                if reading.value == 1 and frame.value > 1 and self._nested_anew(index, frame, reading):
                    return reading, len(self.frames)
                return reading, depth
            if frame.key is not None and frame.key[0] == key[0] and frame.key[1] < key[1]:
                return self._first_or_any(number), depth + 1
        return None

    def _nested_anew(self, index: int, frame: _Frame, reading: Reading) -> bool:
        return False if frame.style in _MAJOR else self._follows(index, reading.style, frame.value + 1)

    @staticmethod
    def _first_or_any(number: Number) -> Reading:
        return next((reading for reading in number.readings if reading.value == 1), number.readings[0])

    def _find_out_of_order(self, index: int, number: Number, key: tuple[str, int] | None) -> tuple[Reading, int] | None:
        for reading in number.readings:
            for depth in range(len(self.frames) - 1, -1, -1):
                frame = self.frames[depth]
                if frame.style == reading.style and 0 < reading.value - frame.value <= _GAP:
                    return reading, depth
        begun = any(frame.style in (*_NUMBERS, "dotted") for frame in self.frames)
        first = number.readings[0]
        if first.style in _NUMBERS and number.sure and not begun and self._follows(index, first.style, first.value + 1):
            return first, self._major_depth(first)
        for second in number.readings:
            if second.value == 2 and self._begun_inline(index, second.style):
                return second, self._parent(index, second)
        reading = (
            number.readings[-1]
            if len(number.readings) > 1 and number.label.strip("().").isalpha()
            else number.readings[0]
        )
        if key is not None or reading.style == "section" or (reading.style.startswith("(") and number.sure):
            return reading, self._major_depth(reading)
        return None

    def _begun_inline(self, index: int, style: str) -> bool:
        """Whether a line shortly before holds the first number of a list in its midst, as in "You shall: A. find a site;".

        A style is named by its first number ("A.", "(i)"), so it is looked for as it is.
        """
        return any(f" {style} " in self.lines[at].text for at in range(max(index - 3, 0), index))

    def _major_depth(self, reading: Reading) -> int:
        """For a number that continues nothing: top numbers close all but article and exhibit, others stand under what is open."""
        for depth, frame in enumerate(self.frames):
            if frame.style == reading.style:
                return depth
        if reading.style in _NUMBERS:
            return sum(frame.style in ("article", "exhibit") for frame in self.frames)
        return len(self.frames)

    def _parent(self, index: int, reading: Reading) -> int:
        """How many levels stay open above the first number of a list."""
        for depth in range(len(self.frames) - 1, -1, -1):
            frame = self.frames[depth]
            if frame.style == reading.style:
                nested = reading.style in _NUMBERS and self._resumes(index, frame)
                return len(self.frames) if nested else depth
        if reading.style in _NUMBERS and self._is_recital(index, reading):
            return len(self.frames)
        if reading.style in _NUMBERS:
            if any(frame.style in (*_MAJOR[3:], "article") for frame in self.frames):
                return len(self.frames)
            return sum(frame.style == "exhibit" for frame in self.frames)
        numbered = any(frame.style in (*_NUMBERS, "top", "dotted") for frame in self.frames)
        if not self.lines[index].label and (reading.style == "I." or (reading.style == "A." and not numbered)):
            return sum(frame.style in ("exhibit", "recitals", "article", "I.") for frame in self.frames)
        return len(self.frames)

    def _is_recital(self, index: int, reading: Reading) -> bool:
        """Whether a 1 right below "WHEREAS:" begins numbered recitals: a sentence, and the text's own numbering begins later."""
        if not self.frames or self.frames[-1].style != "recitals":
            return False
        text = self.lines[index].text.strip()
        return (len(text) > 60 or text.endswith((".", ";", ","))) and self._follows(index, reading.style, 1)

    def _resumes(self, index: int, frame: _Frame) -> bool:
        """Whether an outer numbering goes on later, so that a number 1 begins a list inside it and not the text anew."""
        for later in self.numbers[index + 1 : index + 1 + _AHEAD]:
            for reading in later.readings if later is not None else ():
                if reading.style == frame.style:
                    if reading.value == frame.value + 1:
                        return True
                    if reading.value == 1:
                        return False
        return False

    def _follows(self, index: int, style: str, number: int) -> bool:
        return any(
            reading.style == style and reading.value == number
            for later in self.numbers[index + 1 : index + 1 + _AHEAD]
            if later is not None
            for reading in later.readings
        )

    def _comes_first(self, index: int, first: Reading, other: Reading) -> bool:
        """Whether the next number of the first reading's style comes before that of the other: (i) then (ii), not (j)."""
        for later in self.numbers[index + 1 : index + 1 + _AHEAD]:
            for reading in later.readings if later is not None else ():
                if reading.style == first.style and reading.value == first.value + 1:
                    return True
                if reading.style == other.style and reading.value == other.value + 1:
                    return False
        return False


_TABLE_OF_CONTENTS = re.compile(
    r"\W*(?:TABLE OF CONTENTS?|Table of Contents?|CONTENTS|INDEX)\b[\s:.]*+(?:PAGE|Page|PARAGRAPH|Paragraph)?+\s*+$"
)
_TEXT_BEGINS = re.compile(
    r"WHEREAS|Whereas|RECITALS|BACKGROUND|WITNESSETH|NOW,? THEREFORE|This\b|THIS\b|BETWEEN|By and between|In this\b"
)
_ENTRY_LONGEST = 160
_LEAST_ENTRIES = 3


def _contents(lines: Sequence[Line], numbers: Sequence[Number | None]) -> frozenset[int]:
    """The lines of a table of contents that says so in its heading: up to where the text begins, or its first number comes again."""
    heading = next((n for n, line in enumerate(lines[:200]) if _TABLE_OF_CONTENTS.match(line.text)), None)
    if heading is None:
        return frozenset()
    entries: list[int] = []
    first: str | None = None
    for index in range(heading + 1, len(lines)):
        text, number = lines[index].text.strip(), numbers[index]
        if _TEXT_BEGINS.match(text) or (len(text) > _ENTRY_LONGEST and not is_contents(text)):
            break
        if number is not None:
            if number.label.casefold() == first:
                break
            first = first or number.label.casefold()
            entries.append(index)
    return frozenset(entries) if len(entries) >= _LEAST_ENTRIES else frozenset()


def _alike(open_style: str, style: str) -> bool:
    return open_style == style or (open_style == "top" and style in _NUMBERS)


def _number(line: Line) -> Number | None:
    if line.contents:
        return None
    return known(line.label) if line.label else typed(line.text)


def section(frames: Sequence[_Frame]) -> str:
    """The full number of the open levels, as it is cited."""
    place, article, number = "", "", ""
    article_value = 0
    values: tuple[int, ...] = ()
    for frame in frames:
        if frame.style == "exhibit":
            place = frame.cite
        elif frame.style == "article":
            article, article_value = frame.cite, frame.value
        elif frame.style == "recitals":
            place = ""
        elif frame.style in ("dotted", "section", "named") or not number:
            number = (
                frame.cite
                if frame.style in ("dotted", "section", "named", "top", "1.", "1)", "word")
                else _bare(frame, frames)
            )
            values = frame.values
        else:
            number += frame.cite if frame.cite.startswith("(") else f"({frame.cite})"
    if article and len(values) > 1 and values[0] == article_value:
        article = ""
    if not number:
        return ", ".join(part for part in (place, article) if part)
    if frames[0].style == "recitals":
        return f"Recital {number}"
    if article and number.startswith("("):
        return ", ".join(part for part in (place, f"{article}{number}") if part)
    if place or article:
        return ", ".join(part for part in (place, article, f"Section {number}") if part)
    return number


def _bare(frame: _Frame, frames: Sequence[_Frame]) -> str:
    """A letter or roman numeral that heads the full number: without brackets when it was printed without, or is a recital."""
    if not frame.style.startswith("(") or frames[0].style == "recitals":
        return frame.cite.strip("()")
    return frame.cite
