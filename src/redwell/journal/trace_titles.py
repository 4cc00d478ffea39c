"""What a trace calls a run: the first sentence of its task, in plain words."""

from __future__ import annotations

import re
from typing import Any

_LOOKED_AT = 2_000  # characters of a paragraph
_HEADINGS = re.compile(r"(?m)^(#{1,6} .*)$")
_POINTS = re.compile(r"(?m)^(?=[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t])")
_LEADS = re.compile(r"(?m)^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,3}[.)])[ \t]+")
"""What makes a line of Markdown a heading, a quotation or a point of a list."""
_MARKS = (
    (re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)"), r"\1"),
    (re.compile(r"`+([^`]+)`+"), r"\1"),
    (re.compile(r"(?<!\w)(\*\*|__)(?=\S)([^*_]+)(?<=\S)\1(?!\w)"), r"\2"),
    (re.compile(r"(?<!\w)([*_])(?=\S)([^*_]+)(?<=\S)\1(?!\w)"), r"\2"),
)
_END = re.compile(r"[.!?]+[\"\u201d\u2019)\]]*(?=\s+[\"\u201c\u2018(\[]*[A-Z\d])")
_NO_END = re.compile(
    r"(?:\b[A-Z]|\b(?:Inc|Corp|Ltd|Co|Cos|LLC|plc|Bros|No|Nos|Mr|Mrs|Ms|Dr|St|vs|Art|Sec|Ex|e\.g|i\.e|cf))$"
)
"""What a full stop may follow within a sentence: the letter of a name, and short forms."""


def task_sentence(task: Any) -> str:
    """The first sentence of a task (its text, or an object with `instructions` or `id`) on one line, without marks of Markdown.

    A heading is passed over where words follow it. Empty when there are no words.
    """
    if isinstance(task, dict):
        task = task.get("instructions") or task.get("id") or ""
    text = _POINTS.sub("\n", _HEADINGS.sub(r"\n\1\n", str(task or "")))
    paragraphs = [part.strip() for part in re.split(r"\n[ \t]*\n", text) if part.strip()]
    words = [part for part in paragraphs if not _HEADINGS.match(part)]
    for part in (*words, *paragraphs):
        if sentence := _first(plain(part[:_LOOKED_AT])):
            return sentence
    return ""


def plain(text: str) -> str:
    """Markdown as its words alone, on one line."""
    text = _LEADS.sub("", text)
    for mark, words in _MARKS:
        text = mark.sub(words, text)
    return " ".join(text.split())


def _first(text: str) -> str:
    for end in _END.finditer(text):
        if end[0][0] != "." or not _NO_END.search(text[: end.start()]):
            return text[: end.end()]
    return text
