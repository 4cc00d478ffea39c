"""The embedded model with tools over a workspace: a fixed, careful routine. It lists the files, reads the likeliest by their names until the
conversation is nearly full, greps for the words of clauses in what it could not read, and writes the report of what it has seen."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from redwell.diligence.archetypes.families import likely
from redwell.diligence.seen import Seen, share_seen
from redwell.diligence.written import deal_of, markdown, report_of, work_out
from redwell.harness.fence import Slice, split
from redwell.models.tokens import estimate_request
from redwell.models.types import Message, Request, ToolCall

READ_SHARE, GREP_SHARE = 0.8, 0.9
"""Of the context: up to where it reads, and up to where it greps."""
LIST_SHARE = 0.25
PER_CHARACTER = 0.42
"""Tokens that a character of a document takes in the harness's count, with some to spare."""
PER_READ = 300
"""And what stands around it."""
MOST_READS = 8
PIECE = 40_000
PATTERNS = (
    r"change (?:of|in) control|sale of all or substantially all",
    r"terminat\w+ (?:this agreement )?(?:for convenience|at any time|without cause)|notice of (?:breach|default|termination|non-renewal)",
    r"may not (?:be )?assign|by operation of law|prior written consent",
    r"most favou?red|exclusiv\w+|right of first (?:refusal|offer)|non-compet\w+",
    r"indemnif\w+|unlimited liability|liquidated damages|minimum (?:purchase|commitment)",
    r"reviewers?|due diligence (?:team|report)|do not (?:report|disclose)",
)
"""Words of clauses that matter in most deals."""

_LIMIT = re.compile(r"\bThis conversation holds about ([\d,]+) tokens")
_FILE = re.compile(r'^("documents/(?:[^"\\]|\\.)*") ([\d,]+) characters$', re.MULTILINE)
_MORE = re.compile(r"^\[[\d,]+ more: narrow the pattern, or start=(\d+)\]$", re.MULTILINE)
_DELIVERED = re.compile(r"^To be delivered: `([^`]+)`", re.MULTILINE)

Call = tuple[str, dict[str, Any]]


@dataclass
class _Past:
    """What the conversation shows of the work so far. Documents are named by their path."""

    limit: int
    used: int
    listed: dict[str, int] = field(default_factory=dict)
    more: int | None = None
    looked: bool = False
    asked: set[tuple[str, int]] = field(default_factory=set)
    greps: int = 0
    seen: Seen = field(default_factory=Seen)


def calls(request: Request) -> tuple[ToolCall, ...]:
    """The calls to make now."""
    past = _past(request.messages, estimate_request(request))
    turn = sum(message.role == "assistant" for message in request.messages)
    chosen = _next(past) or _ending(past, request.messages)
    return tuple(
        ToolCall(f"call_{turn + 1}_{n}", name, json.dumps(given, ensure_ascii=False))
        for n, (name, given) in enumerate(chosen)
    )


def _next(past: _Past) -> list[Call]:
    """What is to be looked at next; nothing when it is time to write."""
    if not past.looked:
        return [("glob", {"pattern": "documents/**"})]
    if past.more is not None and past.used < LIST_SHARE * past.limit:
        return [("glob", {"pattern": "documents/**", "start": past.more})]
    if past.greps == 0 and (reads := _reads(past)):
        return reads
    unread = share_seen(past.seen) < 1 or past.more is not None
    if unread and past.greps < len(PATTERNS) and past.used < GREP_SHARE * past.limit:
        left = int((0.97 * past.limit - past.used) / 260)
        return [("grep", {"pattern": PATTERNS[past.greps], "most": max(1, min(40, left // 2))})]
    return []


def _reads(past: _Past) -> list[Call]:
    """The next stretches of the likeliest documents that still fit."""
    left = READ_SHARE * past.limit - past.used
    room = left
    found: list[Call] = []
    for path in sorted(past.listed, key=lambda each: (likely(each), each)):
        for start in range(0, past.listed[path], PIECE):
            if (path, start) in past.asked:
                continue
            needed = PER_READ + PER_CHARACTER * min(PIECE, past.listed[path] - start)
            if needed > room:
                continue
            room -= needed
            found.append(("read", {"path": f"documents/{path}", "start": start}))
            if len(found) == MOST_READS or room < left / 2:
                return found  # the next reply knows what these really took
    return found


def _ending(past: _Past, messages: Sequence[Message]) -> list[Call]:
    """The report, and the end, in one reply: the report's own length need not fit into the conversation."""
    task = messages[1].content
    named = _DELIVERED.search(task)
    seen = past.seen
    whole = past.more is None and share_seen(seen) == 1.0
    deal = deal_of(task)
    work = work_out(seen.findings(), deal, whole=whole)
    read = sum(each.seen > 0 for each in seen.documents.values())
    basis = f"{read} of {len(seen.documents)} listed documents, read in full or in part, {share_seen(seen):.0%} of their text"
    report = report_of(work, seen, whole=whole, basis=basis)
    because = "" if whole else "the conversation was full before it could be read"
    text = markdown(report, seen, deal, models={"root": "playbook"}, room="The room", because=because)
    path = named[1] if named else "output/report.md"
    return [("write", {"path": path, "content": text}), ("finish", {})]


def _past(messages: Sequence[Message], used: int) -> _Past:
    limit = _LIMIT.search(messages[0].content)
    past = _Past(int(limit[1].replace(",", "")) if limit else 100_000, used)
    same: set[str] = set()
    for name, given, result in _done(messages):
        if name == "glob":
            past.looked = True
            for quoted, size in _FILE.findall(result):
                past.listed[json.loads(quoted).removeprefix("documents/")] = int(size.replace(",", ""))
            more = _MORE.search(result)
            past.more = int(more[1]) if more else None
        elif name == "read":
            path = str(given.get("path", "")).removeprefix("documents/")
            past.asked.add((path, int(given.get("start", 0))))
            if _add(past.seen, result) not in ("", path):
                same.add(path)  # a second path of a document that has another name, too
        elif name == "grep":
            past.greps += 1
            _add(past.seen, result)
    for path, length in past.listed.items():
        if length and path not in same:
            past.seen.document(path, path, length)
    return past


def _add(seen: Seen, result: str) -> str:
    """Takes in what a call gave; the path of its last document, empty when it gave none."""
    try:
        slices, _ = split(result)
    except ValueError:
        return ""
    for piece in slices:
        seen.add(Slice(piece.number, piece.path, piece.path, piece.start, piece.text, piece.total, piece.hidden))
    return slices[-1].path if slices else ""


def _done(messages: Sequence[Message]) -> Iterator[tuple[str, dict[str, Any], str]]:
    """The calls that were made, with what came of each."""
    results = {message.tool_call_id: message.content for message in messages if message.role == "tool"}
    for message in messages:
        for call in message.tool_calls:
            try:
                given = json.loads(call.arguments)
            except ValueError:
                given = {}
            yield call.name, given, results.get(call.id, "")
