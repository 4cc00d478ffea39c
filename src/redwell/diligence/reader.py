"""The embedded sub-agent: a model that finds clauses and facts with rules and small statistics, and quotes them.

It costs nothing, needs no network and always answers the same. It does not reason.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import tempfile
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from multiprocessing.util import get_temp_dir
from typing import Any

import re2

from redwell.diligence import clauses, passages
from redwell.diligence.archetypes.addressed import ADDRESSES, VEILED, addressed
from redwell.diligence.archetypes.base import Clause
from redwell.diligence.archetypes.catalogue import ALL, BY_ID
from redwell.diligence.archetypes.families import PAPERS, family
from redwell.diligence.facts import facts
from redwell.harness.fence import Slice, split
from redwell.models.types import CallFailed, Completion, Request, Usage
from redwell.sandbox.short_paths import folder_for_sockets

INLINE = 12_000  # characters that are read at once in the event loop (some milliseconds); more goes to a worker
MAX_SAME = 12  # findings of one archetype in one stretch: the rest says the same again

SHORTEST = 12  # characters of a quote that can be found again

_NUMBERS = re.compile(r"\b\d{1,2}(?:\.\d{1,2})+\b|\. ?\d{1,3}(?= )")
_PAGES = re.compile(r"[A-Za-z)\]] \d{1,3} (?:Section |SECTION |ARTICLE |Article )?\d{1,2}\.\d{0,2}(?=[A-Z .])")
"""A page and the number of the next heading: more than one of them in a sentence make a list of contents."""
_SAYS = re.compile(
    r"\b(?:shall|will|may|must|is|are|was|were|be|been|has|have|had|can|cannot|not|agrees?|hereby|gives?|means|upon|if|pays?|requires?|grants?|continues?|renews?|expires?|"
    r"demands?|claims?|retains?|believe|reserves?|occurs?|\w{3,}ed)\b|[|:]\s",
    re.IGNORECASE,
)
_LINES = re.compile(r"\.(?:docx?|docm|pptx?|xlsx?|xlsm|odt|ods|odp|html?)$", re.IGNORECASE)
"""Files in which a line of the text is a paragraph and no wrapped line."""
_ADDRESSED = BY_ID["reviewer_instruction"]
"""Looked for in the whole text: such words keep to no sentence, and hide from a rule that reads one."""
_DIRECT = tuple(archetype for archetype in ALL if archetype.find is not None and archetype is not _ADDRESSED)


def _trigger_set() -> tuple[re2.Set, list[list[int]]]:
    """All triggers as one automaton, and for each the places in `_DIRECT` of the archetypes that it wakes."""
    triggers = list(dict.fromkeys(trigger for archetype in _DIRECT for trigger in archetype.triggers))
    automaton = re2.Set.SearchSet()
    for trigger in triggers:
        automaton.Add(re2.escape(trigger))
    automaton.Compile()
    return automaton, [
        [n for n, archetype in enumerate(_DIRECT) if trigger in archetype.triggers] for trigger in triggers
    ]


_AUTOMATON, _WAKES = _trigger_set()


def _woken(text: str, among: frozenset[int]) -> list[int]:
    """The places of the archetypes that a text is to be shown to."""
    hits = _AUTOMATON.Match(text.lower())
    return sorted(among.intersection(number for hit in hits for number in _WAKES[hit])) if hits else []


def _may_address() -> re2._Regexp:
    options = re2.Options()
    options.case_sensitive = False
    options.max_mem = 64 << 20
    return re2.compile(f"(?m){ADDRESSES}|{VEILED}", options)


_MAY_ADDRESS = _may_address()

FindingJson = dict[str, Any]


def read_text(
    text: str,
    *,
    number: int = 1,
    path: str = "",
    first: bool = True,
    last: bool = True,
    kinds: frozenset[str] | None = None,
    hidden: tuple[tuple[int, int], ...] = (),
) -> list[FindingJson]:
    """The findings of one stretch of a document, in order. `kinds` limits them to some archetypes and leaves facts out."""
    given, text = text, text.replace("\xa0", " ")  # so that no pattern need know of spaces that do not break
    found = clauses.paragraphs(text, wrapped=_LINES.search(path) is None)
    kind = family("", path)
    anchor = [quote for paragraph in found if len(quote := clauses.opening(paragraph.raw, 200)) >= SHORTEST][
        :1
    ]  # says which document
    findings: list[FindingJson] = []
    if kinds is None:
        for fact, claim, values, quotes in facts(text, found, path=path, first=first, last=last):
            if fact == "fact:document":
                kind = values["family"]
            findings.append(_finding(fact, claim, number, [q for q in quotes if len(q) >= SHORTEST] or anchor, values))
    findings += _issues(found, number, kind, kinds, hidden)
    if kinds is None or _ADDRESSED.id in kinds:
        findings += _addressing(text, number, hidden)
    if given != text:
        for quote in (quote for finding in findings for quote in finding["quotes"]):
            at = text.find(quote["text"])
            quote["text"] = given[at : at + len(quote["text"])] if at >= 0 else quote["text"]
    return findings


def _issues(
    found: list[clauses.Paragraph],
    number: int,
    kind: str,
    kinds: frozenset[str] | None,
    hidden: tuple[tuple[int, int], ...],
) -> list[FindingJson]:
    among = frozenset(n for n, archetype in enumerate(_DIRECT) if kinds is None or archetype.id in kinds)
    counts: dict[str, int] = {}
    findings = []
    for paragraph in found:
        if len(paragraph.raw) < SHORTEST or not (here := frozenset(_woken(paragraph.raw, among))):
            continue
        context = ""
        cuts = clauses.sentences(paragraph.raw)
        for start, end in cuts:
            sentence = paragraph.raw[start:end]
            shown = _woken(sentence, here) if len(cuts) > 1 else sorted(here)
            if not shown:
                continue
            context = context or clauses.clean(paragraph.raw)
            text = clauses.clean(sentence)
            if (len(text) < 90 and clauses.is_heading(text) and not _SAYS.search(text)) or (
                not paragraph.lead and clauses.names_only(text)
            ):
                continue  # a heading or a title: it names a topic and says nothing of it
            if (text.count(".") > 5 and len(_NUMBERS.findall(text)) > 5 and len(_SAYS.findall(text)) < 3) or (
                len(_PAGES.findall(text)) > 1
            ):
                continue  # a table of contents
            clause = Clause(text, context, clauses.clean(paragraph.lead), paragraph.heading, kind)
            for place in shown:
                archetype = _DIRECT[place]
                if archetype.event and kind in PAPERS:
                    continue
                assert archetype.find is not None
                if archetype.workstream == "Contracts" and " | " in text:
                    continue  # a row of a table speaks of a contract and is none
                hit = archetype.find(clause)
                if hit is None or counts.get(archetype.id, 0) >= MAX_SAME:
                    continue
                counts[archetype.id] = counts.get(archetype.id, 0) + 1
                at = paragraph.start + start
                values = {key: value for key, value in hit.values.items() if value not in ("", None)}
                if any(a < at + len(sentence) and at < b for a, b in hidden):
                    values["hidden"] = True
                if paragraph.heading:
                    values["heading"] = paragraph.heading[:80]
                quotes = [clauses.quote(sentence, hit.around)] + ([paragraph.lead] if paragraph.lead else [])
                findings.append(_finding(archetype.id, archetype.title, number, quotes, values))
    return findings


def _addressing(text: str, number: int, hidden: tuple[tuple[int, int], ...]) -> list[FindingJson]:
    """What a text says to whoever reviews it."""
    if not _MAY_ADDRESS.search(text):
        return []
    return [
        _finding(
            _ADDRESSED.id,
            _ADDRESSED.title,
            number,
            [text[start:end]],
            {"hidden": True} if any(a < end and start < b for a, b in hidden) else {},
        )
        for start, end in addressed(text)
        if end - start >= SHORTEST
    ]


def _finding(kind: str, claim: str, number: int, quotes: list[str], values: dict[str, Any]) -> FindingJson:
    return {
        "kind": kind,
        "claim": claim,
        "quotes": [{"document": number, "text": quote} for quote in quotes if quote],
        "values": values,
    }


def answer(slices: list[Slice], question: str) -> dict[str, Any]:
    """What a sub-agent says of the slices: findings of the archetypes that the question names, or of those its words point to, or the
    sentences that fit the question best."""
    named = frozenset(re.findall(r"[a-z][a-z0-9_]{3,}", question)) & BY_ID.keys()
    whole = len(named) * 2 > len(_DIRECT)  # the question names those alone that the reader looks for
    kinds = None if whole else named or passages.kinds(question)
    findings: list[FindingJson] = []
    for piece in slices:
        first, last = piece.start == 0, piece.end >= piece.total
        if whole or kinds:
            findings += read_text(
                piece.text,
                number=piece.number,
                path=piece.path,
                first=first,
                last=last,
                kinds=kinds,
                hidden=piece.hidden,
            )
        if whole:
            findings += hidden_findings(piece)
    if not whole and not named:
        findings += passages.best(slices, question, limit=8 - min(5, len(findings)))
    return {"findings": findings, "notes": "found by rules, without reasoning"}


def hidden_findings(piece: Slice) -> list[FindingJson]:
    """Text that a reader of the original would not see."""
    found = []
    for start, end in piece.hidden[:5]:
        text = piece.text[start:end].strip()
        if len(text) >= 20:
            found.append(
                _finding(
                    "hidden_text",
                    "Text that a reader of the document does not see",
                    piece.number,
                    [clauses.opening(text, 500)],
                    {},
                )
            )
    return found


def _work(slices: list[Slice], question: str) -> str:
    return json.dumps(answer(slices, question), ensure_ascii=False)


def _end_with_the_host() -> None:
    """For a worker: the pool's own would wait for work for ever when the process that gives it is killed."""
    host = parent_process()

    def watch() -> None:
        if host is not None:
            host.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _reachable() -> None:
    """Has the standard library make the folder of the sockets by which workers are started where their addresses are not too long."""
    usual = tempfile.tempdir
    tempfile.tempdir = folder_for_sockets()
    try:
        get_temp_dir()  # made once and kept until the process ends
    finally:
        tempfile.tempdir = usual


class Reader:
    """The model `reader`. Large requests are read in `jobs` worker processes, started when first needed."""

    name = "reader"

    def __init__(self, jobs: int | None = None) -> None:
        self._jobs = jobs or max(
            1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        )
        self._pool: ProcessPoolExecutor | None = None

    async def complete(self, request: Request) -> Completion:
        """Raises CallFailed (`rejected`) for a request without fenced documents."""
        started = time.perf_counter()

        try:
            slices, rest = split(request.messages[-1].content if request.messages else "")
        except ValueError as error:
            raise CallFailed("rejected", f"the reader answers questions about fenced documents only: {error}") from None
        question = rest.partition('\n\nFill in "values"')[0]
        if sum(len(piece.text) for piece in slices) <= INLINE:
            text = _work(slices, question)
        else:
            text = await self._in_worker(slices, question)
        return Completion(text=text, model=self.name, usage=Usage(), seconds=time.perf_counter() - started)

    async def _in_worker(self, slices: list[Slice], question: str) -> str:
        if self._pool is None:
            _reachable()
            self._pool = ProcessPoolExecutor(
                self._jobs, mp_context=get_context("forkserver"), initializer=_end_with_the_host
            )
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, _work, slices, question)
        except BrokenProcessPool:
            await self.close()
            raise CallFailed("internal", "a worker process of the reader ended unexpectedly") from None

    async def close(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(pool.shutdown, True, cancel_futures=True)
