"""Words as the search index knows them: folded to lower case without accents, and cut to their stems.

Index and query go through the same two functions, whatever the engine. This fold is for finding only; quotes have their own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_ASCII_WORD = re.compile(r"[a-z0-9]+")
_IDEOGRAPH = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_IDEOGRAPH}]|[^\W_{_IDEOGRAPH}]+")
_INSIDE = "\u0300-\u036f\xad\u200b-\u200f\u2060\ufeff"
_DROPPED = re.compile(rf"[{_INSIDE}]|\ufffe\s*")
_PLACED = re.compile(rf"[^\W_]+(?:[{_INSIDE}]+[^\W_]*|\ufffe\s*[^\W_]+)*")


def words(text: str) -> list[str]:
    """The words of a text in order, folded. A Chinese or Japanese character is a word by itself."""
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    folded = _DROPPED.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return _WORD.findall(unicodedata.normalize("NFC", folded))


def places(text: str) -> Iterator[tuple[int, int, list[str]]]:
    """(start, end, folded words) of each run of letters and digits, in code points of the text."""
    if text.isascii():
        for match in _ASCII_WORD.finditer(text.lower()):
            yield match.start(), match.end(), [match[0]]
        return
    for match in _PLACED.finditer(text):
        found = match[0]
        yield match.start(), match.end(), [found.lower()] if found.isascii() else words(found)


class Stems(dict[str, str]):
    """A cache: `stems[word]` is the word's stem."""

    def __missing__(self, word: str) -> str:
        if len(self) > 500_000:
            self.clear()
        self[word] = found = stem(word)
        return found


_VOWELS = "aeiou"
_STEP_2 = (
    ("ational", "ate"), ("ization", "ize"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("biliti", "ble"),
    ("tional", "tion"), ("aliti", "al"), ("iviti", "ive"), ("entli", "ent"), ("ousli", "ous"), ("ation", "ate"),
    ("alism", "al"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("abli", "able"), ("alli", "al"), ("ator", "ate"),
    ("logi", "log"), ("eli", "e"),
)  # fmt: skip
_STEP_3 = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ness", ""), ("ful", ""),
)  # fmt: skip
_STEP_4 = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ion", "ism", "ate", "iti", "ous", "ive", "ize",
    "al", "er", "ic", "ou",
)  # fmt: skip


def stem(word: str) -> str:
    """The stem of an English word (Porter, "An algorithm for suffix stripping", 1980); other words are left as they are."""
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    return _tail(_endings(_plural(word)))


def _measure(base: str) -> int:
    """How often vowels are followed by consonants."""
    kinds = "".join("c" if _consonant(base, i) else "v" for i in range(len(base)))
    return len(re.findall("v+c+", kinds))


def _consonant(word: str, i: int) -> bool:
    if word[i] in _VOWELS:
        return False
    return word[i] != "y" or i == 0 or not _consonant(word, i - 1)


def _has_vowel(base: str) -> bool:
    return any(not _consonant(base, i) for i in range(len(base)))


def _short(base: str) -> bool:
    """Ends consonant, vowel, consonant, the last not w, x or y: an e was probably cut off."""
    end = len(base) - 1
    return (
        end >= 2
        and _consonant(base, end)
        and not _consonant(base, end - 1)
        and _consonant(base, end - 2)
        and base[-1] not in "wxy"
    )


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        base = word.removesuffix(ending)
        if base != word and _has_vowel(base):
            if base.endswith(("at", "bl", "iz")):
                base += "e"
            elif len(base) > 1 and base[-1] == base[-2] and _consonant(base, len(base) - 1) and base[-1] not in "lsz":
                base = base[:-1]
            elif _measure(base) == 1 and _short(base):
                base += "e"
            word = base
            break
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    return word


def _endings(word: str) -> str:
    for table in (_STEP_2, _STEP_3):
        for ending, other in table:
            if word.endswith(ending):
                base = word[: -len(ending)]
                if _measure(base):
                    word = base + other
                break
    return word


def _tail(word: str) -> str:
    for ending in _STEP_4:
        if word.endswith(ending):
            base = word[: -len(ending)]
            if _measure(base) > 1 and (ending != "ion" or base.endswith(("s", "t"))):
                word = base
            break
    if word.endswith("e"):
        base = word[:-1]
        if _measure(base) > 1 or (_measure(base) == 1 and not _short(base)):
            word = base
    if word.endswith("ll") and _measure(word) > 1:
        word = word[:-1]
    return word
