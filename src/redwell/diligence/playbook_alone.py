"""The embedded root where there are no sub-agents: it prints documents until the conversation is nearly full, finds what the reader's rules
find in the text that stands there, and puts that into the report."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from typing import Any

from redwell.diligence.archetypes import rows, summary
from redwell.diligence.seen import Seen, share_seen
from redwell.diligence.written import citations_of, deal_of, work_out
from redwell.harness.fence import Slice
from redwell.models.tokens import estimate_request
from redwell.models.types import Message, Request

ALONE = "You read by printing"
"""What the harness tells a root without sub-agents."""
READ_SHARE = 0.85
PER_CELL = 6_000
"""Tokens that a cell of reading may take in the harness's count."""
MOST_CELLS = 6
MOST_SUBMITS = 3
ISSUES_CHARS, ROWS_CHARS = 120_000, 50_000
"""Of a cell's source: one reply holds the whole report, since the texts may be gone from the conversation after it."""

RAISED = re.compile(r"^⟪[0-9a-f]{8} cell \d+ (?:raised|was interrupted|ended the session) after ")
"""How the harness begins to tell of a cell that did not end well; what a cell prints may say anything, since documents are in it."""
_LIMIT = re.compile(r"\bThis conversation holds about ([\d,]+) tokens")
_STEP = re.compile(r"^# Alone (\d) of 3\b", re.MULTILINE)


def plays(request: Request) -> bool:
    """Whether a request is that of a root without sub-agents."""
    return ALONE in request.messages[0].content


def next_cells(request: Request) -> list[str]:
    """The cells to run now, from the conversation so far."""
    messages = request.messages
    ran = [int(number) for message in messages for number in _STEP.findall(_code(message))]
    tag = _tag(messages)
    if 3 in ran:
        return [_cell("disclose") if ran.count(3) + _asked(messages, "disclose") <= MOST_SUBMITS else _cell("give_up")]
    if not ran:
        return [_cell("look"), _cell("alone_begin"), _read_on(tag)]
    seen, exhausted = _seen(messages, tag)
    limit = _LIMIT.search(messages[0].content)
    left = READ_SHARE * int(limit[1].replace(",", "") if limit else 100_000) - estimate_request(request)
    faulty = any(RAISED.search(message.content) for message in messages[-MOST_CELLS - 2 :] if message.role == "tool")
    if not exhausted and left > PER_CELL and not faulty:
        return [_read_on(tag)] * max(1, min(MOST_CELLS, int(left / 2 / PER_CELL)))
    return list(_ending(messages, seen, whole=exhausted))


def _cell(name: str) -> str:
    return (
        files("redwell.diligence").joinpath("playbook_cells", f"{name}.cell").read_text(encoding="utf-8").strip() + "\n"
    )


def _read_on(tag: str) -> str:
    return f'# Alone 2 of 3: read on\nmore("{tag}")\n'


def _ending(messages: Sequence[Message], seen: Seen, *, whole: bool) -> Iterator[str]:
    """The report as cells: the entries, then the tables and statements, then the summary and the end."""
    task = messages[1].content.partition("\n# The room\n")[0]
    work = work_out(seen.findings(), deal_of(task), whole=whole)
    numbered = [(f"@{place}@", issue) for place, issue in enumerate(work.issues)]
    issues = [{**issue, "citations": _cited(issue["citations"])} for issue in work.issues]
    kept = _within(issues, ISSUES_CHARS)
    yield (
        _cell("alone_add")
        + f"\nissues = {kept!r}\nfor place, issue in enumerate(issues):\n    add(place, issue)\nprint(len(entries), refused[:5])\n"
    )
    read = sum(each.seen > 0 for each in seen.documents.values())
    basis = f"{read} documents that the model read itself, {share_seen(seen):.0%} of their text, by rules for the known kinds"
    lines = [{**line, "citations": _cited(line["citations"])} for line in rows.rows(work.case, numbered)]
    gaps = [{**item, "citations": _cited(item["citations"])} for item in (rows.missing(work.case) if whole else ())]
    none = list(rows.none_found(work.case, basis))
    cells = [
        "# Alone 3 of 3: the tables, what is missing, and what was looked for and not found",
        f"for line in {_within(lines, ROWS_CHARS)!r}:\n    attempt(report.row, **line)",
        f"for item in {_within(gaps, ROWS_CHARS // 2)!r}:\n    attempt(report.missing, **item)",
        f"for statement in {none!r}:\n    attempt(report.none_found, **statement)",
        f"for workstream, text in {summary.sections(work.case, numbered)!r}.items():\n    attempt(report.section, workstream, said(text))",
        "print(len(refused), refused[:5])",
    ]
    yield "\n".join(cells) + "\n"
    target = work.case.target
    last = [
        "# Alone 3 of 3: the executive summary, and the end",
        *([f"attempt(report.deal, target={target!r})"] if target else []),
        f"attempt(report.executive_summary, said({summary.executive(work.case, numbered)!r}))",
        "if coverage().unread:",
        '    report.unread("the conversation was full before it could be read; the likeliest documents by their names were read first")',
        "print(report.check())",
        "print(submit())",
    ]
    yield "\n".join(last) + "\n"


def _cited(parts: Any) -> list[dict[str, Any]]:
    """The passages of an issue, once each, as the session takes them."""
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for citation in citations_of(parts):
        if citation.spans:
            start = citation.spans[0].start
            passage = {"document": citation.document, "quote": citation.quote, "start": start}
            found.setdefault((citation.document, start), passage)
    return list(found.values())


def _within(items: Iterable[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    kept = []
    for item in items:
        most -= len(repr(item))
        if most < 0:
            break
        kept.append(item)
    return kept


def _tag(messages: Sequence[Message]) -> str:
    """The mark around printed text: made from what no document knows, and the same in every turn."""
    known = messages[0].content + messages[1].content.partition("\n# Earlier turns\n")[0]
    return hashlib.sha256(known.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _seen(messages: Sequence[Message], tag: str) -> tuple[Seen, bool]:
    """The text that stands in the conversation, and whether nothing is left to print."""
    seen = Seen()
    shape = re.compile(rf'⟪{tag} ([0-9a-f]{{64}}) (\d+) (\d+) ("(?:[^"\\]|\\.)*")⟫\n(.*?)\n⟪{tag} end⟫', re.DOTALL)
    exhausted = False
    for message in messages:
        if message.role == "assistant":
            continue
        for identity, start, total, path, text in shape.findall(message.content):
            seen.add(Slice(1, identity, json.loads(path), int(start), text, int(total)))
        exhausted = exhausted or f"⟪{tag} all read⟫" in message.content
    return seen, exhausted


def _asked(messages: Sequence[Message], name: str) -> int:
    first = _cell(name).split("\n", 1)[0]
    return sum(_code(message).count(first) for message in messages)


def _code(message: Message) -> str:
    """The cells that a message holds, or the log of those that a compaction left out."""
    if message.role != "assistant":
        return message.content if message.role == "user" else ""
    return "\n".join(_source(call.arguments) for call in message.tool_calls)


def _source(arguments: str) -> str:
    try:
        return str(json.loads(arguments)["code"])
    except (ValueError, KeyError, TypeError):
        return ""
