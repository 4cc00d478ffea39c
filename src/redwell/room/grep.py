"""Regular expressions over the whole room with RE2: linear time, on the mapped bytes, current final texts only."""

from __future__ import annotations

import re
from collections.abc import Iterator

import re2

from redwell.room.errors import QueryError

_SPACE = r"\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}"
_PIECE = re.compile(r"\\(?P<escaped>.)|(?P<open>\[\^?\]?)|(?P<close>\])|(?P<around>\(\?(?:<?[=!]|>|\())", re.DOTALL)
_MEMORY = 64 << 20


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


def matches(pattern: re2._Regexp, text: memoryview) -> Iterator[tuple[int, int]]:
    """(start, end) in bytes of each match that is not empty."""
    for match in pattern.finditer(text):
        start, end = match.span()
        if start < end:
            yield start, end


_RISKY = re.compile(r"f[filj]|st|ss|[^a-z0-9]", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z0-9]+")
_BREAK = r"[^\pL\pN]{0,12}"


def telling(quote: str, count: int = 4) -> list[re2._Regexp]:
    """Patterns for the longest words of a quote, all of which any text that holds the quote must match.

    Between a word's letters there may be what a fold takes out (soft hyphens, hyphens at the line's end, marks). Words with letters that
    are written as one character somewhere (fi, ss ...) are not used; a quote of nothing else gives no pattern, and every text may hold it.
    """
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = _MEMORY
    usable = {word.lower() for word in _WORD.findall(quote) if len(word) > 2 and not _RISKY.search(word)}
    chosen = sorted(usable, key=lambda word: (-len(word), word))[:count]
    return [re2.compile(_BREAK.join(word), options) for word in chosen]
