"""A report cut into what it asserts: sections with their headings, blocks (paragraphs, bullets, rows of tables, quotations) and sentences.

It takes the Markdown of any writer: registers in tables, lists, prose, our own report and a model's memo. What a reader of the rendered
page would not see (comments, struck-out words) is left out. What stands between quotation marks, or after `>`, is a quotation: the words of a
document and not the reporter's.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from redwell.bench.facts.words import plain

Kind = Literal["paragraph", "item", "row", "quotation"]
QUOTATION_WORDS = 5
"""Fewer words between quotation marks are a term ("Change of Control"), and the reporter's own."""
LARGEST = 4_000_000
"""Characters of a report that are read: several times what the longest reports have."""
LONGEST_WORD, LONGEST_SENTENCE = 300, 4_000
"""Characters; what is longer is no word or sentence of anybody's, and is cut, so that no report can keep the judge busy for hours."""

_HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_BOLD_LINE = re.compile(r"^\s*(?:\*\*|__)([^*_]{2,120}?)(?:\*\*|__)[:.]?\s*$")
_RULER = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_ITEM = re.compile(r"^(\s*)(?:[-*+•–]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+(.*)$")
_NUMBERED = re.compile(r"^\s*(?:\[\^?)?(\d{1,4})(?:[.)]|\]:?)\s+(.*)$")
_LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD}}}")
_LONG_SENTENCE = re.compile(rf".{{1,{LONGEST_SENTENCE}}}(?:\s|\Z)", re.DOTALL)
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_UNSEEN = re.compile(
    r"<!--.*?(?:-->|\Z)|~~[^~\n]{1,4000}~~|<(?:script|style)\b.*?(?:</(?:script|style)>|\Z)", re.DOTALL | re.I
)
_LINK = re.compile(r"!?\[([^\[\]\n]{0,400})\]\(([^()\s]{0,400})(?:\s+\"[^\"\n]{0,200}\")?\)")
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~&:])")
_EMPHASIS = re.compile(r"(?<![\w\\])(\*{1,3}|_{1,3})(?=\S)|(?<=[^\s\\])(\*{1,3}|_{1,3})(?!\w)|`+")
_LABEL = re.compile(r"^(?:\*\*|__)?([A-Z][\w /&'-]{2,40}?)(?:\*\*|__)?:(?:\*\*|__)?\s")
_QUOTED = re.compile(r"“([^“”]{1,6000})”|«([^«»]{1,6000})»|(?<![\w\"])\"([^\"\n]{1,6000})\"(?!\w)")
_FILE = re.compile(r"(?<![^\s|;,()\"“”])[^\s|;,()\"“”]+\.(?:docx?|xlsx?|pptx?|eml|msg|txt|pdf|csv|md|html?)\b", re.I)
_NO_CONTENT = frozenset(
    [
        "no",
        "no.",
        "#",
        "id",
        "ref",
        "title",
        "document",
        "file",
        "name",
        "party",
        "counterparty",
        "company",
        "date",
        "dated",
        "type",
        "kind",
        "workstream",
        "severity",
        "source",
        "sources",
        "finding",
        "issue",
        "description",
        "notes",
        "comment",
        "comments",
    ]
)
"""Headers of columns that say nothing of what stands under them; others do ("Consent: missing")."""
_END = re.compile(r"[.;!?][\"”')\]*_]*\s+(?=[\"“‘'(\[*_]*[A-Z\ue000])")
_ABBREVIATION = re.compile(
    r"(?:(?<![A-Za-z])(?:Inc|Co|Corp|Ltd|No|Nos|Sec|Art|Mr|Mrs|Ms|Dr|St|v|vs|e\.g|i\.e|U\.S|N\.V|B\.V|S\.A|L\.P|cf|para|Jr|Sr|approx|Cl|Ex|Sch|Amend|Bros)|(?<![A-Za-z])[A-Z]|^\W*\d{1,3})$"
)
_SOURCES = re.compile(r"\b(?:sources|references|footnotes|endnotes|citations|bibliography)\b", re.I)
_LISTING = re.compile(
    r"\b(?:sources|references|footnotes|endnotes|bibliography|(?:documents|files|materials) (?:reviewed|read|list|considered|examined)|"
    r"(?:list|index|inventory|schedule) of (?:documents|files|materials)|annex [a-z]: documents|contract summaries|what this report rests on)",
    re.I,
)


@dataclass(slots=True)
class Sentence:
    """`own` are the reporter's words, `quoted` what it quotes, both as `plain` makes them. `label` is the bullet's ("next step") or the
    table's header; `shown` the whole sentence as it stands; `words` are the own ones without names of files, which assert
    nothing. `copied` is set when these words were taken over from the room without being marked as a quotation."""

    own: str
    quoted: tuple[str, ...] = ()
    label: str = ""
    shown: str = ""
    words: str = ""
    copied: bool = False


@dataclass(slots=True)
class Block:
    """`level` is how deep a bullet is nested. `scale` is 1000 or 1000000 in a table in thousands or millions."""

    kind: Kind
    level: int
    sentences: list[Sentence]
    scale: float = 1.0


@dataclass(slots=True)
class Section:
    """`headings` are those above it, its own last. `listing`: a list of documents or sources, which asserts nothing."""

    headings: tuple[str, ...]
    blocks: list[Block] = field(default_factory=list)
    listing: bool = False


@dataclass(slots=True)
class Parsed:
    """`notes` are the numbered entries of the list of sources, by their number."""

    sections: list[Section]
    notes: dict[str, str]


def parse(markdown: str) -> Parsed:
    """Never raises: what is no Markdown is a paragraph."""
    text = _UNSEEN.sub(" ", markdown[:LARGEST].replace("\r\n", "\n").replace("\r", "\n"))
    text = _LONG_WORD.sub(r"\g<0> ", text)
    reader = _Reader()
    for line in text.split("\n"):
        reader.line(line)
    return reader.finish()


class _Reader:
    def __init__(self) -> None:
        self.sections = [Section(())]
        self.levels: list[tuple[int, str]] = []
        self.notes: dict[str, str] = {}
        self.kind: Kind = "paragraph"
        self.level = 0
        self.lines: list[str] = []
        self.header: list[str] = []
        self.rows: list[list[str]] = []
        self.scale = 1.0

    def line(self, line: str) -> None:
        if _FENCE.match(line) or not line.strip():
            self._flush()
        elif (heading := _HEADING.match(line)) is not None:
            self._heading(len(heading[1]), heading[2])
        elif (bold := _BOLD_LINE.match(line)) is not None and not self.lines and len(bold[1].split()) <= 14:
            self._heading(7, bold[1])
        elif line.lstrip().startswith("|") or (self.rows and "|" in line):
            self._row(line)
        elif line.lstrip().startswith(">"):
            self._more("quotation", 0, re.sub(r"^[\s>]+", "", line), anew=self.kind != "quotation")
        elif (item := _ITEM.match(line)) is not None:
            if _SOURCES.search(" ".join(self._headings())) and (note := _NUMBERED.match(line)) is not None:
                self.notes.setdefault(note[1], inline(note[2]))
            self._more("item", len(item[1].expandtabs(4)) // 2, item[2], anew=True)
        else:
            if (note := _NUMBERED.match(line)) is not None and line.lstrip().startswith("["):
                self.notes.setdefault(note[1], inline(note[2]))
            kind: Kind = self.kind if self.lines and self.kind in ("item", "paragraph") else "paragraph"
            self._more(kind, self.level if kind == "item" else 0, line, anew=not self.lines)

    def finish(self) -> Parsed:
        self._flush()
        return Parsed([section for section in self.sections if section.blocks or section.headings], self.notes)

    def _headings(self) -> tuple[str, ...]:
        return tuple(text for _, text in self.levels)

    def _heading(self, level: int, text: str) -> None:
        self._flush()
        while self.levels and self.levels[-1][0] >= level:
            self.levels.pop()
        self.levels.append((level, plain(inline(text))))
        headings = self._headings()
        self.sections.append(Section(headings, listing=any(_LISTING.search(one) for one in headings)))

    def _more(self, kind: Kind, level: int, text: str, *, anew: bool) -> None:
        if anew or self.rows:
            self._flush()
        self.kind, self.level = kind, level
        self.lines.append(text)

    def _flush(self) -> None:
        if self.rows:
            self._table()
        if self.lines:
            text = inline(" ".join(self.lines))
            made = list(_sentences(text, quotation=self.kind == "quotation"))
            if made:
                self.sections[-1].blocks.append(Block(self.kind, self.level, made))
            self.scale = _scale(text)
        self.lines, self.level = [], 0

    def _row(self, line: str) -> None:
        if self.lines:
            self._flush()
        self.rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))])

    def _table(self) -> None:
        rows, self.rows = self.rows, []
        ruled = next((at for at, row in enumerate(rows) if _RULER.match("|".join(row))), None)
        header = [plain(inline(cell)) for cell in rows[ruled - 1]] if ruled else []
        scale = max(self.scale, _scale(" ".join([*self._headings()[-1:], *header])))
        for at, row in enumerate(rows):
            if ruled is not None and at <= ruled:
                continue
            parts: list[str] = []
            words: list[str] = []
            quoted: list[str] = []
            for column, cell in enumerate(row):
                label = header[column] if column < len(header) else ""
                for sentence in _sentences(inline(cell), quotation=False):
                    quoted += sentence.quoted
                    if sentence.own.strip(" -.n/a"):
                        told = label and label not in _NO_CONTENT
                        parts.append(f"{label}: {sentence.own}" if told else sentence.own)
                        words.append(f"{label}: {sentence.words}" if told else sentence.words)
            if parts or quoted:
                made = Sentence(
                    "; ".join(parts), tuple(quoted), " / ".join(header), " | ".join(map(inline, row)), "; ".join(words)
                )
                self.sections[-1].blocks.append(Block("row", 0, [made], scale))


def inline(text: str) -> str:
    """Text without the marks of Markdown and HTML, on one line."""
    text = _LINK.sub(lambda match: f"{match[1]} ({match[2]})" if "/" in match[2] else match[1], text)
    text = re.sub(r"<br\s*/?>", " ", text, flags=re.I)
    text = _TAG.sub("", text)
    held = _ESCAPED.sub(lambda match: chr(0xE100 + ord(match[1])), text)
    held = _EMPHASIS.sub("", held)
    held = "".join(chr(ord(sign) - 0xE100) if 0xE100 <= ord(sign) < 0xE180 else sign for sign in held)
    return " ".join(html.unescape(held).split())


def _sentences(text: str, *, quotation: bool) -> Iterator[Sentence]:
    """The sentences of a block; a quotation is taken out of the sentence that introduces it."""
    quotes: list[str] = []
    whole: list[str] = []

    def take(match: re.Match[str]) -> str:
        words = next(part for part in match.groups() if part is not None)
        if len(words.split()) < QUOTATION_WORDS:
            return words
        quotes.append(plain(words))
        whole.append(words)
        return f"\ue000{len(quotes) - 1}\ue001"

    label = _LABEL.match(text + " ")
    rest = _QUOTED.sub(take, text)
    if quotation:
        yield Sentence("", (plain(text),), "", text)
        return
    for piece in _cut(rest):
        held = tuple(
            quotes[int(number)] for number in re.findall("\ue000(\\d+)\ue001", piece) if int(number) < len(quotes)
        )
        own = " ".join(re.sub("\ue000\\d+\ue001", "...", piece).split())
        if own or held:
            shown = re.sub("\ue000(\\d+)\ue001", lambda match: f"“{whole[int(match[1])]}”", piece)
            told = plain(label[1]) if label else ""
            yield Sentence(plain(own), held, told, " ".join(shown.split()), plain(_FILE.sub(" ", own)))


def _cut(text: str) -> Iterator[str]:
    """The sentences of a block. An abbreviation, an initial or a number before the stop ends none."""
    start = 0
    for match in _END.finditer(text):
        if match[0].startswith(".") and _ABBREVIATION.search(text[max(start, match.start() - 12) : match.start()]):
            continue
        yield from _pieces(text[start : match.end()].strip())
        start = match.end()
    yield from _pieces(text[start:].strip())


def _pieces(sentence: str) -> Iterator[str]:
    """A sentence as a whole, or cut between words when it is longer than any."""
    if len(sentence) <= LONGEST_SENTENCE:
        if sentence:
            yield sentence
        return
    for match in _LONG_SENTENCE.finditer(sentence):
        if piece := match[0].strip():
            yield piece


def _scale(text: str) -> float:
    """What figures are in: "USD thousands", "($000)", "in millions"."""
    if re.search(
        r"\bin thousands|\bthousands of|[$€£] ?'?000s?\b|\b(?:usd|eur|gbp) ?(?:k\b|'?000|thousands?\b)|[$€£] ?thousands?\b|\('?000s?\)",
        text,
        re.I,
    ):
        return 1e3
    return (
        1e6
        if re.search(
            r"\bin millions|\bmillions of|\b(?:usd|eur|gbp) ?(?:millions\b|mm?\b|mn\b)|[$€£] ?(?:millions\b|mm?\)|mn\))",
            text,
            re.I,
        )
        else 1.0
    )
