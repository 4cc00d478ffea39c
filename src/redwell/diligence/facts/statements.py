"""What management says of the business, to be held against the documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from redwell.diligence.archetypes.families import CONTRACTS
from redwell.diligence.clauses import Paragraph, clean, quote, sentences

_TOPICS: tuple[tuple[str, str], ...] = (
    ("change_of_control", r"\bno\b[^.]{0,80}(?:change[- ]of[- ]control|customer-termination|termination)[^.]{0,80}(?:flagged|identified|exist|items|provisions|rights|triggered)"),
    ("concentration", r"concentration[^.]{0,120}(?:manageable|well-mitigated|mitigated|stable|limited|acceptable|low)|no (?:material|significant)[^.]{0,40}concentration"),
    ("litigation", r"\bno\b[^.]{0,40}(?:pending|threatened|material)[^.]{0,40}(?:litigation|claims?|proceedings?)[^.]{0,60}(?:pending|threatened|exist|against|known)?"),
    ("litigation", r"\bno\b[^.]{0,20}(?:action|suit|claim|litigation|proceeding|dispute)s?\b[^.]{0,120}(?:pending|threatened|against)"),
    ("incident", r"\bno\b[^.]{0,40}(?:security|data|privacy)[^.]{0,30}(?:incident|breach)"),
    ("ip", r"(?:all|each)[^.]{0,60}(?:employees|contractors|consultants)[^.]{0,80}(?:have )?(?:assigned|signed|executed)[^.]{0,80}(?:intellectual property|invention|ip\b|assign)"),
    ("liens", r"^(?:\W*[\d.()]*\s*)?none,? (?:other than|except)[^.]{0,60}(?:lien|security interest)|\bno liens?\b[^.]{0,60}(?:other than|except)"),
    ("minutes", r"minutes[^.]{0,160}(?:not been prepared|not (?:yet )?(?:been )?(?:signed|approved|prepared)|missing|not located)"),
    ("debt", r"\bno\b[^.]{0,30}(?:outstanding )?(?:indebtedness|debt|liens?|guarantees?)[^.]{0,30}(?:outstanding|exist)"),
)  # fmt: skip
_COMPILED = [(name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _TOPICS]
_WORDS = (
    "inutes",
    "None,",
    "none,",
    "no ",
    "No ",
    "*No ",
    "oncentration",
    "ll employees",
    "ll contractors",
    "ach employee",
)


def statements(found: list[Paragraph], family: str = "") -> Iterator[tuple[str, str, dict[str, Any], list[str]]]:
    """One `fact:statement` for each reassuring sentence, with its topic. A contract's representations are left out: they describe the party
    that gives them, which need not be the target."""
    if family in CONTRACTS - {"merger"}:
        return
    for paragraph in found:
        if not any(word in paragraph.raw for word in _WORDS):
            continue
        for start, end in sentences(paragraph.raw):
            raw = paragraph.raw[start:end]
            if not any(word in raw for word in _WORDS):
                continue
            text = clean(raw)
            for topic, pattern in _COMPILED:
                match = pattern.search(text)
                if match:
                    yield "fact:statement", text[:300], {"topic": topic}, [quote(raw, match[0])]
                    break
