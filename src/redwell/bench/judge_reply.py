"""Reading a judge's answer: pass, fail, or no clear verdict; never the one for the other.

The verdict is what the answer's JSON says under `verdict`, whole words only ("INCORRECT" is no "CORRECT"). Where an answer has none, has two that
differ, is cut or broken, or only repeats JSON that stands in the deliverable, there is no verdict, and the caller asks again or leaves the
criterion unscored. Prose without JSON counts only when it is nothing but the verdict, or ends in a line `Verdict: ...`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

_WORDS: dict[str, Literal["pass", "fail"]] = {
    "pass": "pass", "passed": "pass", "passes": "pass", "true": "pass", "yes": "pass", "correct": "pass", "met": "pass", "satisfied": "pass",
    "fail": "fail", "failed": "fail", "fails": "fail", "false": "fail", "no": "fail", "incorrect": "fail", "not met": "fail", "unmet": "fail",
    "not satisfied": "fail", "unsatisfied": "fail", "not correct": "fail",
}  # fmt: skip
_EDGES = re.compile(r"^[^a-z0-9]+|[^a-z0-9]+$")
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_OPEN_THOUGHT = re.compile(r"<(?:think|thinking|reasoning)>", re.IGNORECASE)
_LINE = re.compile(r"^\W*(?:final |my )?verdict\W*[:=]\W*([a-z ]{2,20}?)\W*$", re.IGNORECASE)
_OPPOSITE = {
    "pass": re.compile(r"\b(?:fails?|failed|incorrect|not met)\b", re.I),
    "fail": re.compile(r"\b(?:pass(?:es|ed)?|correct)\b", re.I),
}
_BEGINS = re.compile(r"\{\s*[\"}]|\[\s*\{")
_MOST_OBJECTS = 400
_DEEPEST = 40


@dataclass(frozen=True, slots=True)
class Reply:
    """`outcome` is None when there is no clear verdict; `problem` then says why."""

    outcome: Literal["pass", "fail"] | None
    reason: str = ""
    passage: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    """A verdict somewhere in an answer's JSON, with the criterion that it says it is about, "" for none."""

    criterion: str
    outcome: Literal["pass", "fail"] | None
    reason: str
    passage: str


class _Pairs(list[tuple[str, Any]]):
    """An object of JSON with its keys as they stand, so that one that is there twice is seen."""


def read_one(answer: str, deliverable: str = "") -> Reply:
    """The verdict of an answer on one criterion. JSON that stands word for word in `deliverable` is not the judge's."""
    text, problem = _said(answer)
    if problem:
        return Reply(None, problem=problem)
    found, rest, broken = _read(text, deliverable, many=False)
    if found:
        reply = _agreed(found)
        if reply.outcome is not None and _OPPOSITE[reply.outcome].search(rest):
            return Reply(None, reply.reason, reply.passage, "the answer goes on to say the opposite")
        return reply
    if broken or "{" in text:
        return Reply(None, problem="the answer's JSON is cut, broken, or has no verdict")
    return _prose(text)


def read_batch(answer: str, criteria: Sequence[str], deliverable: str = "") -> dict[str, Reply]:
    """A reply for each of these criteria; those that the answer leaves out, or decides in two ways, have no outcome."""
    text, problem = _said(answer)
    if problem:
        return {one: Reply(None, problem=problem) for one in criteria}
    found, _, broken = _read(text, deliverable, many=True)
    replies = {}
    for one in criteria:
        own = [each for each in found if _same(each.criterion, one)]
        left_out = (
            "the answer's JSON is cut or broken" if broken and not found else "the answer leaves this criterion out"
        )
        replies[one] = _agreed(own) if own else Reply(None, problem=left_out)
    return replies


def _said(answer: str) -> tuple[str, str]:
    """The answer without what a model thought aloud before it; and why there is none."""
    text = _THOUGHT.sub(" ", answer).strip()
    if _OPEN_THOUGHT.search(text):
        return "", "the answer was cut while the model was thinking"
    return text, "" if text else "the answer is empty"


def _agreed(found: list[_Found]) -> Reply:
    outcomes = {one.outcome for one in found}
    first = found[0]
    if None in outcomes:
        unclear = next(one for one in found if one.outcome is None)
        return Reply(None, unclear.reason, unclear.passage, "the verdict is neither pass nor fail")
    if len(outcomes) > 1:
        return Reply(None, first.reason, first.passage, "the answer has two verdicts that differ")
    return Reply(first.outcome, first.reason, first.passage)


def _prose(text: str) -> Reply:
    if (whole := _word(text)) is not None:
        return Reply(whole)
    lines = [line for line in text.splitlines() if line.strip()]
    told = [match for line in lines if (match := _LINE.match(line))]
    last = _LINE.match(lines[-1])
    if last is None:
        return Reply(None, text[:2000], problem="the answer has no JSON and no verdict")
    outcomes = {_word(match[1]) for match in told}
    outcome = _word(last[1])
    if len(outcomes) > 1 or outcome is None:
        return Reply(None, text[:2000], problem="the answer has no clear verdict")
    return Reply(outcome, "\n".join(lines[:-1])[:2000])


def _word(value: Any) -> Literal["pass", "fail"] | None:
    if isinstance(value, bool):
        return "pass" if value else "fail"
    if not isinstance(value, str):
        return None
    return _WORDS.get(" ".join(_EDGES.sub("", value.strip().lower()).split()))


def _same(one: str, other: str) -> bool:
    return one.strip().casefold() == other.strip().casefold()


def _read(text: str, deliverable: str, *, many: bool) -> tuple[list[_Found], str, bool]:
    """(verdicts in the answer's JSON, the prose after the last of it, whether some JSON could not be read)."""
    found: list[_Found] = []
    rest, broken, at, count = text, False, 0, 0
    theirs = " ".join(deliverable.split())
    while (start := _next(text, at)) >= 0 and count < _MOST_OBJECTS:
        count += 1
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            # What is whole within a broken object may be quoted in it: nothing of it is the answer.
            return ([], text, True)
        if not theirs or " ".join(text[start:end].split()) not in theirs:
            found += _verdicts(value, "", 0, many)
        at, rest = end, text[end:]
    return found, rest, broken


def _next(text: str, at: int) -> int:
    """Where an object or a list of objects begins."""
    match = _BEGINS.search(text, at)
    return match.start() if match else -1


def _verdicts(value: Any, criterion: str, depth: int, many: bool) -> Iterator[_Found]:
    """The verdicts in a value. With `many`, an object may also map ids to verdicts, and one that has a verdict may hold others."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list) and not isinstance(value, _Pairs):
        for entry in value:
            yield from _verdicts(entry, criterion, depth + 1, many)
        return
    if not isinstance(value, _Pairs):
        return
    named: dict[str, list[Any]] = {}
    for key, entry in value:
        named.setdefault(key.strip().casefold(), []).append(entry)
    told = _first(named, "id", "criterion", "criterion_id") or criterion
    plain = [entry for entry in named.get("verdict", ()) if not isinstance(entry, list)]
    for entry in plain:
        yield _Found(told, _word(entry), _first(named, "reasoning", "reason"), _first(named, "passage", "quote"))
    if plain and not many:
        return
    for key, entry in value:
        if isinstance(entry, list):
            yield from _verdicts(entry, key if many and any(map(str.isdigit, key)) else told, depth + 1, many)
        elif many and not plain and any(map(str.isdigit, key)) and _word(entry):
            yield _Found(key, _word(entry), "", "")


def _first(named: dict[str, list[Any]], *keys: str) -> str:
    """The first text under one of these keys."""
    return next(
        (
            str(entry)
            for key in keys
            for entry in named.get(key, ())
            if isinstance(entry, str | int) and entry is not True
        ),
        "",
    )


def _no_constant(name: str) -> Any:
    raise ValueError(name)


_DECODER = json.JSONDecoder(object_pairs_hook=_Pairs, parse_constant=_no_constant, strict=False)
