"""Findings as they stand in a request: numbered, their quotes as the documents have them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from redwell.harness.fence import quoted, unused_tag
from redwell.harness.told import Told
from redwell.harness.types import Finding
from redwell.models.tokens import estimate
from redwell.room.room import Room
from redwell.room.types import Citation

MOST_QUOTES = 4
VALUE_CHARS = 600
"""Of the JSON of one value: what is longer says nothing to a reader."""
_OVERHEAD = 40
"""Tokens of the lines around a finding."""
_HEAD = re.compile(r'⟪([0-9a-f]{8}) finding (\d+): ("(?:[^"\\]|\\.)*")⟫\n')


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quote in a listing, where it stands."""

    path: str
    where: str
    start: int
    text: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A finding as a model reads it in a listing."""

    number: int
    kind: str
    claim: str
    values: dict[str, Any] = field(default_factory=dict)
    quotes: tuple[Quoted, ...] = ()


def listed(findings: Sequence[tuple[int, Finding]], room: Room, told: Told) -> None:
    """Adds numbered findings to a message. Quotes that do not hold are left out; a quote of which not a word is left out stands there as the
    document has it."""
    claims = [finding.claim for _, finding in findings]
    texts = [
        room.slice(span) for _, finding in findings for citation in _holding(finding) for span in citation.spans[:1]
    ]
    digest = hashlib.sha256("\0".join([*claims, *texts]).encode("utf-8", "surrogatepass")).hexdigest()
    tag = unused_tag(digest, [*claims, *texts])
    for number, finding in findings:
        values = {name: value for name, value in finding.values.items() if len(json.dumps(value)) <= VALUE_CHARS}
        told.say(f"⟪{tag} finding {number}: {quoted(finding.kind)}⟫\n{json.dumps(finding.claim, ensure_ascii=False)}\n")
        if values:
            told.say(f"⟪{tag} values⟫{json.dumps(values, ensure_ascii=False)}\n")
        for citation in _holding(finding)[:MOST_QUOTES]:
            span = citation.spans[0]
            place = room.place(span)
            told.say(f"⟪{tag} quote: {quoted(place.path)}, {quoted(place.where)}, character {span.start}⟫")
            if citation.status == "verified" and len(citation.spans) == 1:
                told.show(span, room)
            else:
                told.say(citation.quote)
            told.say("\n")
        told.say(f"⟪{tag} end of finding {number}⟫\n")


def tokens(finding: Finding) -> int:
    """About what a finding takes in a listing."""
    quotes = sum(estimate(citation.quote) + 3 * _OVERHEAD for citation in _holding(finding)[:MOST_QUOTES])
    values = sum(size for value in finding.values.values() if (size := len(json.dumps(value))) <= VALUE_CHARS)
    return estimate(finding.claim) + quotes + values // 2 + _OVERHEAD


def worth_listing(finding: Finding) -> bool:
    """Whether a finding is tied to words of the room, or says something of a document as a whole."""
    return bool(_holding(finding)) or (not finding.citations and bool(finding.document))


def read_listing(text: str) -> list[Listed]:
    """The findings of a message, for models that are programs."""
    found = []
    for head in _HEAD.finditer(text):
        tag, number = head[1], int(head[2])
        end = text.find(f"⟪{tag} end of finding {number}⟫", head.end())
        if end < 0:
            continue
        body = text[head.end() : end]
        claim, _, rest = body.partition("\n")
        values: dict[str, Any] = {}
        if rest.startswith(mark := f"⟪{tag} values⟫"):
            line, _, rest = rest[len(mark) :].partition("\n")
            values = json.loads(line)
        pieces = re.split(rf'⟪{tag} quote: ("(?:[^"\\]|\\.)*"), ("(?:[^"\\]|\\.)*"), character (\d+)⟫', rest)
        quotes = tuple(
            Quoted(json.loads(path), json.loads(where), int(start), words.removesuffix("\n"))
            for path, where, start, words in zip(*(iter(pieces[1:]),) * 4, strict=True)
        )
        found.append(Listed(number, json.loads(head[3]), json.loads(claim), values, quotes))
    return found


def _holding(finding: Finding) -> list[Citation]:
    return [citation for citation in finding.citations if citation.holds]
