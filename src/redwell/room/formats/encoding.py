"""Which encoding a text file is in, and its text.

Order: a byte order mark; UTF-16 seen by its zero bytes; UTF-8, which other encodings hardly ever satisfy by accident; then the
single-byte and East Asian code pages, of which the one is taken whose text looks most like words. Windows-1252 wins a tie: it is
what old Office programs wrote, and unlike Latin-1 it has a euro sign where real files have one (0x80).
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LATIN = ("cp1252", "mac_roman", "cp850", "cp1250")
_EAST_ASIAN = ("cp932", "gb18030", "euc_kr", "big5")
_CYRILLIC = ("cp1251", "koi8_r", "cp866")
_SEVEN_BIT = re.compile(r"iso-2022-(?:jp|kr)[a-z0-9_-]*|hz-gb-2312|hz|utf-7", re.IGNORECASE)
_SAMPLE = 200_000
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
_NOT_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_BREAKS = re.compile("\r\n|\r|\x85|\u2028|\u2029|\v")
_COMMON = frozenset("’‘“”–—…•§©®™°£€¢¥«»·½¼¾²³±×ªº¿¡\xa0¶†‡")
_COMMON_LETTERS = frozenset(
    "àâäáãåæçèéêëìíîïñòóôöõøœùúûüÿßÀÂÄÁÃÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÖÕØŒÙÚÛÜąćęłńśźżčďěňřšťůžőűĄĆĘŁŃŚŹŻČŘŠŽŐŰ"
)
_COMMON_HAN = frozenset(
    "的一是不了在人有我他这中大来上国个到说们为同公司合方本条约定甲乙年月日第書契約会社業務当事者條約雙方"
)


@dataclass(slots=True)
class Decoded:
    """Text, the name of the encoding it was in, and what was wrong with it. Line breaks are all `\\n`; form feeds are kept."""

    text: str
    encoding: str
    problems: list[str] = field(default_factory=list)


def decode(data: bytes, declared: str = "") -> Decoded:
    """The text of a file; never fails. `declared` is an encoding that the file itself names: it is used if it fits the bytes."""
    text, encoding, problems = _decode(data, declared)
    text = _BREAKS.sub("\n", text)
    if _CONTROLS.search(text):
        text, count = _CONTROLS.subn(" ", text)
        problems.append(f"{count} control characters were replaced with spaces")
    if "\ufffd" in text:
        problems.append(f"{text.count(chr(0xFFFD))} characters could not be decoded as {encoding}")
    return Decoded(text, encoding, problems)


def is_text(data: bytes) -> bool:
    """Whether bytes are text in some encoding, and not a program, a picture or another binary format."""
    sample = data[:_SAMPLE]
    if not sample:
        return False
    if any(sample.startswith(mark) for mark, _ in _MARKS) or _utf16_without_mark(sample):
        text = _decode(sample[: len(sample) & ~3] if len(sample) >= 4 else sample, "")[0]
        return bool(text) and len(_CONTROLS.findall(text)) + text.count("\ufffd") <= len(text) / 50
    return len(_NOT_TEXT.findall(sample)) <= len(sample) / 200


def _decode(data: bytes, declared: str) -> tuple[str, str, list[str]]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace"), encoding, []
    if _SEVEN_BIT.fullmatch(declared) and data.isascii() and (text := _strict(data, declared)) is not None:
        return text, codecs.lookup(declared).name, []
    if encoding := _utf16_without_mark(data[:_SAMPLE]):
        return data.decode(encoding, "replace"), encoding, []
    try:
        return data.decode("utf-8"), "ascii" if data.isascii() else "utf-8", []
    except UnicodeDecodeError as error:
        head = data[: error.start]
        if error.reason == "unexpected end of data" and not head.isascii():
            return head.decode("utf-8") + "\ufffd", "utf-8", ["the file is cut short in the middle of a character"]
        mostly = _mostly_utf8(data)
        if mostly is not None:
            return mostly, "utf-8", []
    if declared and (text := _strict(data, declared)) is not None:
        return text, codecs.lookup(declared).name, []
    return _guess(data)


def _utf16_without_mark(sample: bytes) -> str:
    """`utf-16-le` or `utf-16-be` when every second byte is mostly zero, as it is for Latin letters; else empty."""
    pairs = len(sample) // 2
    if pairs < 2:
        return ""
    even, odd = sample[0 : pairs * 2 : 2].count(0), sample[1 : pairs * 2 : 2].count(0)
    if odd > pairs * 0.4 and even < pairs * 0.02:
        return "utf-16-le"
    if even > pairs * 0.4 and odd < pairs * 0.02:
        return "utf-16-be"
    return ""


def _mostly_utf8(data: bytes) -> str | None:
    """UTF-8 with a few broken bytes: kept as UTF-8 when whole multi-byte characters far outnumber them."""
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    whole = sum(1 for c in text if c > "\x7f") - broken
    return text if whole >= 10 * broken else None


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        text = data.decode(encoding)
    except (UnicodeDecodeError, LookupError, ValueError):
        return None
    return None if any("\x80" <= c <= "\x9f" for c in text) else text


def _guess(data: bytes) -> tuple[str, str, list[str]]:
    sample = data[:_SAMPLE]
    high = sum(1 for byte in sample if byte >= 0x80)
    letters = sum(1 for byte in sample if 65 <= byte <= 90 or 97 <= byte <= 122)
    candidates: tuple[str, ...] = _LATIN
    if high > letters * 0.4 and high >= 8:
        candidates = _EAST_ASIAN + _CYRILLIC + _LATIN
    best: tuple[float, str, str] | None = None
    for encoding in candidates:
        text = _strict(data, encoding)
        if text is None:
            continue
        cost = _oddness(text[:_SAMPLE])
        if best is None or cost < best[0]:
            best = (cost, encoding, text)
    if best is not None:
        return best[2], best[1], []
    return data.decode("cp1252", "replace"), "cp1252", []


def _oddness(text: str) -> float:
    """How unlike real words the text's characters beyond ASCII look: 0 is clean, 1 for each odd one (a share of them all)."""
    odd = 0.0
    count = 0
    previous = " "
    for at, char in enumerate(text):
        if char > "\x7f":
            count += 1
            following = text[at + 1] if at + 1 < len(text) else " "
            odd += _oddity(char, previous, following)
        previous = char
    return odd / count if count else 0.0


def _oddity(char: str, previous: str, following: str) -> float:
    if "\u0400" <= char <= "\u045f":
        return 0.7 if char.isupper() and previous.isalpha() and previous.islower() else 0.05
    if "\u3040" <= char <= "\u30ff":
        return 0.0
    if "\uac00" <= char <= "\ud7a3":
        return 0.1
    if "\u4e00" <= char <= "\u9fff":
        return 0.1 if char in _COMMON_HAN else 0.4
    if "\u3000" <= char <= "\u303f" or "\uff01" <= char <= "\uff5e":
        return 0.1
    if char in _COMMON_LETTERS:
        beside = previous.isascii() and previous.isalpha(), following.isascii() and following.isalpha()
        if char.isupper() and previous.isalpha() and previous.islower():
            return 1.0
        return 0.0 if any(beside) or not (previous.isalpha() or following.isalpha()) else 0.6
    if char in _COMMON:
        inside = previous.isalpha() and following.isalpha() and char not in "’‘–—·\xa0"
        return 1.0 if inside else 0.0
    return 1.0
