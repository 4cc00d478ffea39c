"""Free questions: which archetypes the words of a question point to, and which sentences fit it best (BM25 within the slices)."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Any

from redwell.diligence import clauses
from redwell.diligence.archetypes.catalogue import ALL
from redwell.harness.fence import Slice

_STOP = frozenset(
    [
        "a",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "been",
        "being",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "for",
        "from",
        "had",
        "has",
        "have",
        "how",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "list",
        "me",
        "may",
        "more",
        "not",
        "of",
        "on",
        "or",
        "other",
        "our",
        "out",
        "over",
        "please",
        "quote",
        "shall",
        "should",
        "show",
        "so",
        "such",
        "tell",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "to",
        "under",
        "up",
        "was",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "whom",
        "why",
        "will",
        "with",
        "would",
        "you",
        "your",
        "all",
        "each",
        "every",
        "say",
        "says",
        "said",
        "about",
        "find",
        "does",
        "give",
        "given",
        "document",
        "documents",
        "agreement",
        "contract",
        "clause",
        "section",
        "text",
        "report",
        "return",
        "finding",
        "findings",
        "following",
        "whether",
        "also",
        "only",
        "between",
        "party",
        "parties",
        "one",
        "two",
    ]
)
K1, B = 1.2, 0.75
NEAR = 0.34  # share of a question's weight that a sentence must have to be worth showing


def stem(word: str) -> str:
    for ending in (
        "ations",
        "ation",
        "ments",
        "ment",
        "ings",
        "ing",
        "ions",
        "ion",
        "ies",
        "ers",
        "er",
        "ed",
        "es",
        "s",
        "al",
        "able",
        "e",
        "y",
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def terms(text: str) -> list[str]:
    return [
        stem(word)
        for word in re.findall(r"[a-z0-9][a-z0-9'’-]*", text.casefold())
        if word not in _STOP and len(word) > 1
    ]


_TITLES = [
    (archetype.id, frozenset(terms(archetype.title + " " + archetype.id.replace("_", " "))))
    for archetype in ALL
    if archetype.find
]


def kinds(question: str) -> frozenset[str]:
    """The archetypes that share at least two telling words with the question, or most of their title; at most six."""
    asked = set(terms(question))
    scored = sorted(
        ((len(asked & words) / math.sqrt(len(words)), len(asked & words), name) for name, words in _TITLES),
        reverse=True,
    )
    return frozenset(name for score, shared, name in scored[:6] if shared >= 2 and score >= 0.75 * scored[0][0])


def best(slices: list[Slice], question: str, *, limit: int) -> list[dict[str, Any]]:
    """The sentences that fit the question best, as findings of kind `passage`; none when nothing is near."""
    asked = list(dict.fromkeys(terms(question)))
    if not asked or limit <= 0:
        return []
    pool: list[tuple[int, str, Counter[str]]] = []
    for piece in slices:
        lower = piece.text.lower()
        if not any(term in lower for term in asked):
            continue
        for paragraph in clauses.paragraphs(piece.text):
            low = paragraph.raw.lower()
            if any(term in low for term in asked):
                for start, end in clauses.sentences(paragraph.raw):
                    raw = paragraph.raw[start:end]
                    if len(raw) >= 20:
                        pool.append((piece.number, raw, Counter(terms(raw))))
    if not pool:
        return []
    mean = sum(sum(words.values()) for _, _, words in pool) / len(pool)
    weight = {
        term: math.log(1 + (len(pool) - n + 0.5) / (n + 0.5))
        for term in asked
        for n in [sum(term in words for _, _, words in pool)]
    }
    whole = sum(weight.values()) or 1.0
    scored = []
    for order, (number, raw, words) in enumerate(pool):
        length = K1 * (1 - B + B * sum(words.values()) / mean)
        score = sum(weight[term] * words[term] * (K1 + 1) / (words[term] + length) for term in asked if term in words)
        share = sum(weight[term] for term in asked if term in words) / whole
        if share >= NEAR:
            scored.append((-score, order, number, raw))
    return [
        {
            "kind": "passage",
            "claim": f"The text says: {clauses.clean(raw)[:300]}",
            "quotes": [{"document": number, "text": clauses.quote(raw, question)}],
            "values": {"score": round(-score, 3)},
        }
        for score, _, number, raw in sorted(scored)[:limit]
    ]
