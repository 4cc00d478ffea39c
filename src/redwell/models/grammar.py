"""Grammars under which a model can only answer in a given JSON shape, and can only quote words that stand in the documents.

They are in llguidance's dialect of Lark. A quote is a run of whole words of one text, with single spaces between them (`substring_chunks`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

LONGEST_CLAIM = 240
SHORTEST_QUOTE, LONGEST_QUOTE = 24, 500
LONGEST_VALUE = 100
"""Characters. A text shorter than the shortest quote is quoted whole. Nothing is without a bound: a weak model comes to no end by itself."""
_LARGEST_LIST = 8

_HEAD = "%llguidance {}\n"


@dataclass(frozen=True, slots=True)
class Quotable:
    """A text that may be quoted: its words as the model says them, and where each stands in it."""

    text: str
    words: tuple[str, ...]
    places: tuple[tuple[int, int], ...]

    def source(self, quoted: str) -> str:
        """The quoted words as they stand in the text, line breaks, quotation marks and all. Raises ValueError when they do not."""
        wanted = tuple(quoted.split())
        for at in range(len(self.words) - len(wanted) + 1):
            if wanted and self.words[at : at + len(wanted)] == wanted:
                return self.text[self.places[at][0] : self.places[at + len(wanted) - 1][1]]
        raise ValueError("the words do not stand in the text")


def quotable(text: str) -> Quotable:
    """The text as its words."""
    words: list[str] = []
    places: list[tuple[int, int]] = []
    position = 0
    for word in text.split():
        at = text.index(word, position)
        position = at + len(word)
        words.append(spoken(word))
        places.append((at, position))
    return Quotable(text, tuple(words), tuple(places))


def spoken(text: str) -> str:
    """A text as it is shown to a model that is to quote from it: the two marks that end or bend a string in JSON are said otherwise.

    A small model ends its string where a quotation mark stands in the text, whatever the grammar would let it do.
    """
    return text.replace('"', "'").replace("\\", "/").encode("utf-8", "replace").decode()


def yes_or_no() -> str:
    """One word, so that the first token is the answer."""
    return _HEAD + 'start: "Yes" | "No"\n'


def claim_and_quote(text: Quotable) -> str:
    """{"claim": "...", "quote": "..."} with words of the text as the quote."""
    start = " ".join((_said('{"claim": '), "CLAIM", _said(', "quote": "'), "quote_0", _said('"}')))
    return f"{_HEAD}start: {start}\n{_claim()}{_quotes([text])}"


def answer(texts: Sequence[tuple[int, Quotable]], most: int, values: dict[str, Any] | None = None) -> str:
    """A sub-agent's whole answer: at most so many findings, each with one quote from a text, under the number of its document.

    `values` is the JSON schema of what each finding is to fill in; without it that stays empty.
    """
    heads = [_said(str(number) + ', "text": "') for number, _ in texts]
    quoted = " | ".join(f"{head} quote_{place}" for place, head in enumerate(heads))
    start, end, comma = _said('{"findings": ['), _said('], "notes": ""}'), _said(", ")
    finding = (
        _said('{"kind": '),
        "KIND",
        _said(', "claim": '),
        "CLAIM",
        _said(', "quotes": [{"document": '),
        "quoted",
        _said('"}], "values": '),
        "values",
        _said("}"),
    )
    lines = [
        f"start: {start} (finding{f' ({comma} finding){{0,{most - 1}}}' if most > 1 else ''})? {end}",
        f"finding: {' '.join(finding)}",
        f"quoted: {quoted}",
        *_values(values),
        'KIND: /"[a-z][a-z0-9_:]{2,40}"/',
    ]
    return _HEAD + "\n".join(lines) + "\n" + _claim() + _quotes([text for _, text in texts])


def _said(text: str) -> str:
    """A literal of the grammar."""
    return json.dumps(text)


def _values(schema: dict[str, Any] | None) -> list[str]:
    """The rule `values`. Named scalars are all said, in order, `null` where the text has none; any other schema is left to the engine, with
    bounds on its strings and lists."""
    if not schema:
        return [f"values: {_said('{}')}"]
    kinds = {name: _scalars(each) for name, each in schema["properties"].items()}
    if not all(kinds.values()):
        tight = {"x-guidance": {"whitespace_flexible": False}}
        return [f"values: %json {json.dumps(_bounded(schema) | tight)}"]
    parts = []
    for place, (name, accepted) in enumerate(kinds.items()):
        ways = " | ".join(_SCALARS[kind] for kind in accepted)
        parts.append(f"{_said((', ' if place else '{') + json.dumps(name) + ': ')} ({ways})")
    return [f"values: {' '.join(parts)} {_said('}')}", _TEXT, _NUMBER]


_SCALARS = {"string": "TEXT", "number": "NUMBER", "integer": "NUMBER", "boolean": '"true" | "false"', "null": '"null"'}
_TEXT = r'TEXT: /"[^"\\\x00-\x1f]{0,' + str(LONGEST_VALUE) + '}"/'
_NUMBER = r"NUMBER: /-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,4})?/"


def _scalars(schema: Any) -> list[str]:
    """The scalar types that a value may have; none when it may be something else."""
    each_of = schema.get("anyOf") if isinstance(schema, dict) else None
    if not isinstance(each_of, list):
        return []
    types = [str(each["type"]) for each in each_of if isinstance(each, dict) and set(each) == {"type"}]
    return types if len(types) == len(each_of) and all(kind in _SCALARS for kind in types) else []


def _bounded(schema: Any) -> Any:
    """The schema, in which every string and list has an end."""
    if isinstance(schema, list):
        return [_bounded(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    bounds = {"string": {"maxLength": LONGEST_VALUE}, "array": {"maxItems": _LARGEST_LIST}}
    kind = schema.get("type")
    inner = {name: _bounded(each) for name, each in schema.items()}
    return (bounds.get(kind, {}) if isinstance(kind, str) else {}) | inner


def _claim() -> str:
    return 'CLAIM: /"[^"\\\\\\x00-\\x1f]{12,' + str(LONGEST_CLAIM) + '}"/\n'


def _quotes(texts: Sequence[Quotable]) -> str:
    lines = []
    for place, text in enumerate(texts):
        # Control characters are the only ones left that JSON wants escaped.
        chunks = [piece for word in text.words for piece in (json.dumps(word, ensure_ascii=False)[1:-1], " ")][:-1]
        shortest = min(SHORTEST_QUOTE, sum(map(len, chunks)))
        lines += [
            f"quote_{place}: QUOTE_{place}",
            f"QUOTE_{place}: WORDS_{place} & /(?s:.{{{shortest},{LONGEST_QUOTE}}})/",
            f'WORDS_{place}: %regex {{"substring_chunks": {json.dumps(chunks)}}}',
        ]
    return "\n".join(lines) + "\n"
