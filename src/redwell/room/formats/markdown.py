"""Markdown as a reader sees it: headings, paragraphs, list items and table rows, without the marks that only style them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from redwell.room.formats.table_rows import SEPARATOR
from redwell.room.types import ParsedUnit

_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]+(.*))?")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r"[ \t]*(?:([-*+])|(\d{1,9}[.)]))[ \t]+(?=\S)")
_DELIMITER_ROW = re.compile(r"[ \t]*+\|?+[ \t]*+:?+-++:?+[ \t]*+(?:\|[ \t]*+:?+-++:?+[ \t]*+)*\|?+[ \t]*+")
_QUOTE = re.compile(r" {0,3}>[ \t]?")
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_CELL = re.compile(r"(?<!\\)\|")
_CODE = re.compile(r"(`+)(?!`)(.{1,2000}?)(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(
    r"!?\[([^\[\]]*)\]\(\s*<?([^()<>\s]*(?:\([^()\s]*\)[^()<>\s]*)?)>?(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)"
)
_STARS = re.compile(r"(?<!\*)\*{1,3}(?!\*)")
_UNDERSCORE = re.compile(r"(?<![\\\w])(_{1,2})(?=[^\s_])([^_]{1,2000}?)(?<=[^\s_\\])\1(?!\w)", re.DOTALL)
_STRIKE = re.compile(r"~~(?=\S)((?:[^~]|~(?!~)){1,2000}?)(?<=\S)~~")
_TAG = re.compile(
    r"</?(?:b|i|u|em|strong|sub|sup|span|small|mark|code|kbd|a|center|font|div|p|details|summary)\b[^<>]*>",
    re.IGNORECASE,
)
_BREAK = re.compile(r"<br\s*/?(?:>|\s*$)", re.IGNORECASE)
_LONGEST = 20_000
_REACH = 2_000
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


@dataclass(slots=True)
class _Scan:
    lines: list[str]
    units: list[ParsedUnit] = field(default_factory=list)
    paragraph: list[str] = field(default_factory=list)
    start: int = 0
    number: str = ""

    def flush(self) -> None:
        if self.paragraph:
            text = plain("\n".join(line.strip() for line in self.paragraph)).strip()
            if text:
                text = f"{self.number} {text}" if self.number else text
                self.add(text, self.start)
        self.paragraph, self.number = [], ""

    def add(self, text: str, line: int, label: str = "", flags: tuple[str, ...] = ()) -> None:
        self.units.append(ParsedUnit(text, f"line {line + 1}", label=label, flags=flags))


def markdown_units(text: str) -> tuple[list[ParsedUnit], dict[str, str]]:
    """The units of a Markdown text and what its front matter says; the path of a unit is its line (`line 12`).

    Emphasis, heading and bullet marks are left out; numbers of ordered items stay in the text; table rows are `a | b | c` with
    the header row as label; a link keeps its address after its words; comments are flagged `hidden`.
    """
    comments: list[ParsedUnit] = []
    lines = at = 0

    def blank(match: re.Match[str]) -> str:
        nonlocal lines, at
        lines += text.count("\n", at, match.start())
        at = match.start()
        if words := match[1].strip():
            comments.append(ParsedUnit(words, f"line {lines + 1}", flags=("hidden",)))
        return "\n" * match[0].count("\n")

    scan = _Scan(_COMMENT.sub(blank, text).split("\n"))
    position, metadata = _front_matter(scan)
    while position < len(scan.lines):
        position = _step(scan, position)
    scan.flush()
    units = sorted([*scan.units, *comments], key=lambda unit: int(unit.path[5:])) if comments else scan.units
    return units, metadata


def plain(text: str) -> str:
    """Inline Markdown without its marks. A starred redaction such as `[***]` is not emphasis and stays."""
    if len(text) > _LONGEST:
        return text
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match[2].strip())
        return f"\x00{len(kept) - 1}\x00"

    text = _CODE.sub(keep, text.replace("\x00", ""))
    text = _BREAK.sub("\n", text)
    text = _LINK.sub(_link, text)
    for _ in range(3):
        changed = _STRIKE.sub(r"\1", _UNDERSCORE.sub(r"\2", _without_stars(text)))
        if changed == text:
            break
        text = changed
    text = _ESCAPE.sub(r"\1", _TAG.sub("", text))
    return re.sub(r"\x00(\d+)\x00", lambda match: kept[int(match[1])], text)


def _without_stars(text: str) -> str:
    """The text without stars that stand around words, one to three on each side. One pass, however many begin and do not end."""
    runs = [(match.start(), match.end()) for match in _STARS.finditer(text)]
    ends: list[int | None] = [None] * len(runs)  # for each run the next that may close it
    closing: dict[int, int] = {}
    for number in range(len(runs) - 1, -1, -1):
        begin, end = runs[number]
        ends[number] = closing.get(end - begin)
        if begin and not text[begin - 1].isspace() and text[begin - 1] not in "\\[":
            closing[end - begin] = number
    kept: list[str] = []
    at = number = 0
    while number < len(runs):
        begin, end = runs[number]
        closer, after = ends[number], text[end : end + 1]
        opens = after and not after.isspace() and after != "]" and text[begin - 1 : begin] != "\\"
        if opens and closer is not None and runs[closer][0] - end <= _REACH:
            kept += text[at:begin], text[end : runs[closer][0]]
            at, number = runs[closer][1], closer
        number += 1
    return "".join(kept) + text[at:]


def _link(match: re.Match[str]) -> str:
    words, target = match[1].strip(), match[2].strip()
    if not target or target.startswith("#") or target in words:
        return words
    return f"{words} ({target})" if words else target


def _front_matter(scan: _Scan) -> tuple[int, dict[str, str]]:
    lines = scan.lines
    if not lines or lines[0].strip() != "---":
        return 0, {}
    end = next((i for i in range(1, min(len(lines), 200)) if lines[i].strip() in ("---", "...")), 0)
    if end < 2 or not re.match(r"\w[\w -]*:", lines[1]):
        return 0, {}
    scan.add("\n".join(lines[1:end]).strip("\n"), 1)
    title = next((line.split(":", 1)[1].strip(" \"'") for line in lines[1:end] if line.startswith("title:")), "")
    return end + 1, {"title": title} if title else {}


def _step(scan: _Scan, at: int) -> int:
    """Takes the line at `at` (or the block that starts there); returns the next line to look at."""
    lines = scan.lines
    line = _QUOTE.sub("", lines[at])
    while _QUOTE.match(line):
        line = _QUOTE.sub("", line, count=1)
    if not line.strip():
        scan.flush()
        return at + 1
    if fence := _FENCE.match(line):
        return _fenced(scan, at, fence[1])
    if heading := _HEADING.fullmatch(line):
        scan.flush()
        if words := plain(_unclosed(heading[1] or "")).strip():
            scan.add(words, at, flags=("heading",))
        return at + 1
    if scan.paragraph and not scan.number and _UNDERLINE.fullmatch(line) and len(line.strip()) >= 2:
        first = len(scan.units)
        scan.flush()
        for unit in scan.units[first:]:
            unit.flags = ("heading",)
        return at + 1
    if _RULE.fullmatch(line):
        scan.flush()
        return at + 1
    if (
        "|" in line
        and at + 1 < len(lines)
        and "-" in lines[at + 1]
        and _DELIMITER_ROW.fullmatch(_QUOTE.sub("", lines[at + 1]))
    ):
        scan.flush()
        return _table(scan, at)
    if item := _ITEM.match(line):
        scan.flush()
        scan.number = item[2] or ""
        line = line[item.end() :]
    if not scan.paragraph:
        scan.start = at
    scan.paragraph.append(line)
    return at + 1


def _unclosed(heading: str) -> str:
    """A heading's words without the marks that may close it, as in `## Fees ##`."""
    words = heading.rstrip(" \t")
    bare = words.rstrip("#")
    return bare if not bare or bare[-1] in " \t" else words


def _fenced(scan: _Scan, at: int, mark: str) -> int:
    scan.flush()
    end = at + 1
    while end < len(scan.lines) and not scan.lines[end].strip().startswith(mark):
        end += 1
    body = "\n".join(scan.lines[at + 1 : end]).strip("\n")
    if body.strip():
        scan.add(body, at + 1)
    return end + 1


def _table(scan: _Scan, at: int) -> int:
    names = _cells(scan.lines[at])
    header = SEPARATOR.join(names) if any(names) else ""
    if header:
        scan.add(header, at)
    at += 2
    while at < len(scan.lines) and "|" in scan.lines[at] and scan.lines[at].strip():
        cells = _cells(scan.lines[at])
        if any(cells):
            scan.add(SEPARATOR.join(cells), at, label=header)
        at += 1
    return at


def _cells(line: str) -> list[str]:
    line = _QUOTE.sub("", line).strip()
    line = line[1:] if line.startswith("|") else line
    line = line[:-1] if line.endswith("|") and not line.endswith("\\|") else line
    return [plain(cell.replace("\\|", "|").strip()).strip() for cell in _CELL.split(line)]
