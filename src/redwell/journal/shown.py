"""Text from outside as it may be shown: on a screen, on a page, in a prompt. Standard library only: it also runs in the sandbox."""

from __future__ import annotations

import re
import unicodedata

__all__: list[str] = []

_STEERS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Control characters (escape sequences begin with one), characters that turn the direction of what follows, letters that no font
shows, and halves of characters."""
_RETURNS = re.compile("\r\n?")


def shown(text: str) -> str:
    """The text with its lines, in which what would steer a terminal, turn the order of letters or break a file is an escape that can be
    read: `\\x1b`, `\\u202e`. Nothing that a reader would see is changed."""
    if text.isprintable():
        return text
    return _STEERS.sub(_escape, _RETURNS.sub("\n", text))


def shown_line(text: str) -> str:
    """A name for a screen or a prompt: as `shown`, and every character that has no width or begins a line is an escape, so that no
    name can draw lines."""
    if text.isprintable():
        return text
    return "".join(c if unicodedata.category(c) not in ("Cc", "Cf", "Zl", "Zp", "Cs") else _escaped(c) for c in text)


def _escape(match: re.Match[str]) -> str:
    return _escaped(match[0])


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def shortened(text: str, most: int) -> str:
    """Text on one line, cut at a word with an ellipsis when it is longer than `most` characters."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 2].rsplit(" ", 1)[0] + " …"


def shown_json(written: str) -> str:
    """JSON that was written with its letters as they are, and means the same: what steers a terminal, and what no file can hold, is an
    escape of JSON's own."""
    return _STEERS.sub(_json_escape, written)


def _json_escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
