"""Regular expressions over the whole room with RE2: linear time, on the mapped bytes, current final texts only."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import re2

from redwell.room.errors import QueryError
from redwell.room.loading import Stored
from redwell.room.types import Document, Span

_SPACE = r"\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}"
_PIECE = re.compile(r"\\(?P<escaped>.)|(?P<open>\[\^?\]?)|(?P<close>\])|(?P<around>\(\?(?:<?[=!]|>|\())", re.DOTALL)
_MEMORY = 64 << 20
LINE = 240


SHARED_OUT = 8 << 20
"""Over so many bytes a regular expression runs in several threads."""
MOST_THREADS = 8


@dataclass(frozen=True, slots=True)
class Match:
    """A place that a pattern matches: its span, its document's path, the matched text, and the line (or lines) it stands in."""

    span: Span
    path: str
    text: str
    line: str


def compile_pattern(pattern: str, *, ignore_case: bool) -> re2._Regexp:
    """The pattern, ready to run over UTF-8. `^` and `$` match at lines; `\\s` takes the spaces beyond ASCII too.

    Raises QueryError in plain words for what is no pattern, for back-references and for look-around.
    """
    if not pattern:
        raise QueryError("The pattern is empty.")
    if "\0" in pattern or len(pattern) > 10_000:
        raise QueryError("The pattern is too long or holds a NUL character.")
    options = re2.Options()
    options.case_sensitive = not ignore_case
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        return re2.compile(f"(?m){_translated(pattern)}", options)
    except (re2.error, UnicodeEncodeError) as error:
        reason = error.args[0] if error.args else error
        reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise QueryError(f"The pattern {pattern!r} is not a regular expression: {reason}.") from error


def _translated(pattern: str) -> str:
    """RE2 writes some things differently from Python, and knows only ASCII spaces."""
    out: list[str] = []
    last = 0
    inside = False
    for match in _PIECE.finditer(pattern):
        out.append(pattern[last : match.start()])
        last = match.end()
        piece, escaped = match[0], match["escaped"]
        if match["around"] and not inside:
            raise QueryError(
                f"Look-around such as {piece!r} is not supported. Match more, and look at what is around each match."
            )
        if match["open"]:
            inside = True
        elif match["close"]:
            inside = False
        elif escaped and escaped in "123456789" and not inside:
            raise QueryError(f"A back-reference such as {piece!r} is not supported.")
        elif escaped == "Z":
            piece = r"\z"
        elif escaped == "s":
            piece = rf"\s{_SPACE}" if inside else rf"[\s{_SPACE}]"
        elif escaped == "S" and not inside:
            piece = rf"[^\s{_SPACE}]"
        out.append(piece)
    return "".join(out) + pattern[last:]


def line_around(text: memoryview, start: int, end: int) -> tuple[int, int]:
    """(start, end) in bytes of the line or lines around a match, at most about LINE bytes on each side and never inside a character."""
    low, high = max(0, start - LINE), min(len(text), end + LINE)
    while low < start and text[low] & 0xC0 == 0x80:
        low += 1
    while high > end and high < len(text) and text[high] & 0xC0 == 0x80:
        high -= 1
    left = bytes(text[low:start]).rfind(b"\n")
    right = bytes(text[end:high]).find(b"\n")
    return low + left + 1, high if right < 0 else end + right


def run(pattern: re2._Regexp, blob: memoryview, texts: Sequence[tuple[Document, Stored]], limit: int) -> list[Match]:
    """The first `limit` matches that are not empty in these texts of `text.bin`, in order."""
    parts = _shared_out(texts)
    if len(parts) == 1:
        return _first(pattern, blob, parts[0], limit)
    with ThreadPoolExecutor(len(parts)) as pool:  # RE2 lets go of the interpreter while it runs
        found = pool.map(lambda part: _first(pattern, blob, part, limit), parts)
        return [match for part in found for match in part][:limit]


def _shared_out(texts: Sequence[tuple[Document, Stored]]) -> list[list[tuple[Document, Stored]]]:
    """The texts in order, in as many parts of about the same size as there are processors; one when they are few."""
    whole = sum(stored.bytes for _, stored in texts)
    count = min(len(os.sched_getaffinity(0)), MOST_THREADS) if whole > SHARED_OUT else 1
    parts: list[list[tuple[Document, Stored]]] = [[] for _ in range(count)]
    done = 0
    for text in texts:
        parts[min(count - 1, done * count // max(1, whole))].append(text)
        done += text[1].bytes
    return parts


def _first(pattern: re2._Regexp, blob: memoryview, texts: Sequence[tuple[Document, Stored]], limit: int) -> list[Match]:
    """The first matches in these texts."""
    found: list[Match] = []
    for document, stored in texts:
        with blob[stored.offset : stored.offset + stored.bytes] as text:
            place = _Places(text, plain=stored.bytes == stored.length)
            for match in pattern.finditer(text):
                start, end = match.span()
                if start == end:
                    continue
                left, right = line_around(text, start, end)
                span = Span(document.id, place.of(start), place.of(end))
                found.append(Match(span, document.path, str(text[start:end], "utf-8"), str(text[left:right], "utf-8")))
                if len(found) >= limit:
                    return found
    return found


class _Places:
    """From bytes of a text to code points, for places that are asked for in order."""

    def __init__(self, text: memoryview, *, plain: bool) -> None:
        self._text, self._plain = text, plain
        self._byte = self._point = 0

    def of(self, byte: int) -> int:
        if self._plain:
            return byte
        self._point += len(str(self._text[self._byte : byte], "utf-8"))
        self._byte = byte
        return self._point


_ELLIPSIS = re.compile(r"\.(?:\s?\.){2,}|\*\s\*\s\*")
_WORD = re.compile(r"[^\W_]+")
_LIGATURE = re.compile(r"f[fil]+|s[st]+")
_LETTERS = {"s": rb"(?:s|\xc5\xbf)", "k": rb"(?:k|\xe2\x84\xaa)"}  # the long s and the Kelvin sign fold to them
_BETWEEN = rb"[^A-Za-z0-9]*"
_LIGATED = rb"[^A-EGHJKM-RU-Za-eghjkm-ru-z0-9]*"
_RUN = 40
_HALVED = 24


def telling(folded: str) -> re2._Regexp | None:
    """A pattern that every text matches in which a quote may stand, for picking the texts worth a closer look.

    `folded` is the quote after the fold of `quotes`. The pattern asks for a run of its letters and digits, with anything but those in
    between, and with ligatures in any form; of a longer run it asks for either half, since a page may end in the middle.
    None when the quote has no such run (it is in another script).
    """
    piece = max(_ELLIPSIS.split(folded), key=len)
    runs = [""]
    for word in _WORD.findall(piece):
        if word.isascii():
            runs[-1] += word
        elif runs[-1]:
            runs.append("")
    run = max(runs, key=len)
    if len(run) < 2:
        return None
    halves = [run] if len(run) < _HALVED else [run[: len(run) // 2][:_RUN], run[len(run) // 2 :][-_RUN:]]
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = _MEMORY
    return re2.compile(b"|".join(map(_skeleton, halves)), options)


def _skeleton(run: str) -> bytes:
    parts: list[bytes] = []
    at = 0
    for match in (*_LIGATURE.finditer(run), None):
        plain = run[at : match.start() if match else len(run)]
        parts.extend(_LETTERS.get(letter, letter.encode()) for letter in plain)
        if match:
            parts.append(_LIGATED)
            at = match.end()
    return _BETWEEN.join(parts)
