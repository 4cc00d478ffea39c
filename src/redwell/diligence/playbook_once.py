"""The embedded model where it has one answer: a report of the documents, or of the findings, that stand in the request."""

from __future__ import annotations

import json
import re

from redwell.diligence.archetypes.catalogue import BY_ID
from redwell.diligence.report import SEVERITIES
from redwell.diligence.seen import Seen
from redwell.diligence.written import deal_of, markdown, report_of, work_out
from redwell.harness.fence import split
from redwell.harness.listing import Listed, read_listing
from redwell.models.types import Request

_WHOLE = re.compile(
    r"^(?:These are all \d+ documents of the room, in full\.|All \d+ parts of the room were read\.)$", re.MULTILINE
)
_MOST = re.compile(r"^Keep at most (\d+) of these \d+ findings\.$", re.MULTILINE)
_UNSEEN = "not in front of the model"


def report(request: Request) -> str:
    """The deliverable, in Markdown."""
    asked = request.messages[-1].content
    seen = Seen()
    listing = read_listing(asked)
    if listing or asked.startswith("There are no findings."):
        tail = asked.rpartition("\n# The task\n")
        findings = seen.listed(listing)
        whole = _WHOLE.search(tail[0].rpartition("⟫\n")[2]) is not None
        models = {"root": "playbook", "sub": "reader"}
        basis = f"the findings of one reading of {'every part' if whole else 'most parts'} of the room, with the quotes that they carry"
    else:
        try:
            slices, rest = split(asked)
        except ValueError:
            slices, rest = [], asked
        for piece in slices:
            seen.add(piece)
        findings, whole = seen.findings(), _WHOLE.search(rest.partition("\n# The task\n")[0]) is not None
        tail = asked.rpartition("\n# The task\n")
        models = {"root": "playbook"}
        basis = f"the text of {len(seen.documents)} documents {'' if whole else 'or parts of documents '}that was read in one request"
    deal = deal_of(tail[2])
    work = work_out(findings, deal, whole=whole)
    room = "The room" if whole else "The part of the room that was in front of the model"
    return markdown(
        report_of(work, seen, whole=whole, basis=basis),
        seen,
        deal,
        models=models,
        room=room,
        because="" if whole else _UNSEEN,
    )


def kept(request: Request) -> str:
    """Which findings of a part go on: issues by severity, each with the fact that says what its document is, then the facts that sums and
    terms are taken from, then the rest; each in the order of the room."""
    asked = request.messages[-1].content
    said = _MOST.findall(asked)
    listing = read_listing(asked)
    papers = {path: each for each in listing if each.kind == "fact:document" and (path := _path(each))}
    chosen: dict[int, None] = {}
    for each in sorted(listing, key=_weight):
        chosen[each.number] = None
        if each.kind in BY_ID and (paper := papers.get(_path(each))) is not None:
            chosen[paper.number] = None
    return json.dumps({"keep": [{"finding": number} for number in list(chosen)[: int(said[-1]) if said else 1]]})


_FACTS = ("fact:revenue", "fact:amount", "fact:document", "fact:term", "fact:signatures")
"""Facts that say what a contract is worth, what it is, and whether it is in force."""


def _path(finding: Listed) -> str:
    return next((quote.path for quote in finding.quotes), str(finding.values.get("path", "")))


def _weight(finding: Listed) -> tuple[int, int]:
    archetype = BY_ID.get(finding.kind)
    if archetype is not None and not archetype.support and archetype.severity in SEVERITIES:
        return SEVERITIES.index(archetype.severity), finding.number
    if finding.kind in _FACTS:
        return 4 + _FACTS.index(finding.kind), finding.number
    return (10 if archetype is not None or finding.kind == "fact:note" else 9), finding.number
