"""A small language model on this machine as sub-agent: it is shown the passages that matter, and answers as every sub-agent does.

Such a model reads some hundred tokens a second, so a program in front of it picks what it reads. Every slice is read by the rules of the
embedded reader first, whose facts and findings stay. The passages in which words of a kind of issue stand go to the model, the likeliest
first, until the slice's tokens or its time are spent: one yes/no question for each kind, scored by log-probability, the passage before the
question so that it is read once. Where the answer is yes and the rules found nothing, the model words a finding and quotes the passage under a
grammar that has no other words; the finding stands when the quote by itself gets a yes too, and rules have not called the same words by another
kind. The completion says which spans the model was shown. A question of a root's own, which no rules can answer, is put to the nearest
passages, and nothing else counts as read.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from redwell.diligence import clauses
from redwell.diligence.archetypes.catalogue import ALL, BY_ID
from redwell.diligence.candidates import Candidate, Passage, asked, candidates, nearest
from redwell.diligence.reader import FindingJson, Reader
from redwell.harness.fence import Slice
from redwell.harness.subagent import parse
from redwell.models import grammar
from redwell.models.local import Local, probability
from redwell.models.tokens import estimate_request
from redwell.models.types import CallFailed, Completion, Message, Request, Usage
from redwell.room.types import Span

SLICE_TOKENS = 3_000
"""What the model reads and writes for one slice, tokens from its cache not counted: about half a minute on two cores."""
FREE_CHARACTERS = 9_000
"""What it is shown of a slice for a question that is not about the known kinds: about 2,300 tokens."""
MOST_FINDINGS = 4
SHARE_OF_TIME = 0.6
"""Of the time that a call may take, after which nothing new is asked: what is asked then still has time to be answered."""
SURE = 0.2
"""The calibrated probability from which on an answer is a yes: to miss an issue is worth four that a lawyer strikes out."""
SURE_WITHOUT = 0.5
"""The same for a model that was not calibrated, whose yes and no are weighed as they are."""
_MOST_CLAIM_TOKENS = 800
_MOST_ANSWER_TOKENS = 5_000
"""Rather more than the grammar lets through, so that no answer is cut off."""

DIRECT = frozenset(archetype.id for archetype in ALL if archetype.find is not None)
JUDGED = frozenset(archetype.id for archetype in ALL if archetype.find is not None and not archetype.support)
"""What the model is asked about: the rest is evidence that is of use only with the figures and names that rules take from it."""


def yes_or_no(passage: Passage, kind: str) -> tuple[Message, ...]:
    """The question whether a passage holds an issue of a kind."""
    return _about(
        passage,
        f"A lawyer looks for: {BY_ID[kind].title}. {asked(kind)}\nDoes the passage hold such a clause or fact? Answer Yes or No.",
    )


def _in_words(passage: Passage, kind: str) -> tuple[Message, ...]:
    return _about(
        passage,
        f"Subject: {BY_ID[kind].title}. {asked(kind)}\nThe passage answers this. Answer in JSON: the claim, one sentence that begins with a party "
        "and says what it may or must do, when, and how much; and the quote, the words of the passage that say it.",
    )


def _about(passage: Passage, question: str) -> tuple[Message, ...]:
    heading = f", under “{grammar.spoken(passage.heading)[:80]}”" if passage.heading else ""
    place = f"Passage from {grammar.spoken(passage.path.rpartition('/')[2])[:80]}{heading}:"
    return (Message("user", f"{place}\n\n{grammar.spoken(passage.text).strip()}\n\n---\n{question}"),)


@dataclass(slots=True)
class _Slice:
    """One request being answered: what may still be spent, and what the model was shown."""

    tokens: int
    most: int
    until: float
    end: float
    usage: Usage = field(default_factory=Usage)
    shown: list[Passage] = field(default_factory=list)

    def may_ask(self, message: tuple[Message, ...], output: int) -> bool:
        """Whether one more question fits into the slice's tokens, its time, and what the budget set aside for the call."""
        size = len(message[0].content) // 3 + output
        spent = self.usage.input - self.usage.cached_input + self.usage.output
        whole = self.usage.input + self.usage.output
        return spent < self.tokens and whole + size <= self.most and time.monotonic() < self.until

    @property
    def seconds(self) -> float:
        return max(1.0, self.end - time.monotonic())


class LocalReader:
    """The model `local:...` in the role of a sub-agent. What is no question about fenced documents goes to the model as it is."""

    def __init__(self, model: Local) -> None:
        self.name = model.name
        self.places = model.places
        self._model = model
        self._rules = Reader()
        self._sure = SURE if model.yes else SURE_WITHOUT

    async def complete(self, request: Request) -> Completion:
        """Raises CallFailed when the model cannot be asked. A passage that it was not shown is no failure: `read` and `shown` leave it out."""
        try:
            slices, question = parse(request)
        except (ValueError, IndexError):
            return await self._model.complete(request)
        started = time.perf_counter()
        room = estimate_request(request) + request.max_output_tokens
        now = time.monotonic()
        state = _Slice(SLICE_TOKENS, room, now + SHARE_OF_TIME * request.seconds, now + 0.98 * request.seconds)
        named = DIRECT.intersection(re.findall(r"[a-z][a-z0-9_]{3,}", question))
        known = len(named) * 2 > len(
            DIRECT
        )  # the playbook's question; a root's own may well use a word that is a kind's name
        if known:
            found = await self._about_kinds(slices, named, request, state)
        else:
            found = await self._about_anything(slices, question, request, state)
        shown = _spans(state.shown, slices, request.spans)
        return Completion(
            text=json.dumps(found, ensure_ascii=False),
            model=self.name,
            usage=state.usage,
            seconds=time.perf_counter() - started,
            read=None if known else shown,
            shown=shown if known else None,
        )

    async def close(self) -> None:
        await self._rules.close()
        await self._model.close()

    async def _about_kinds(
        self, slices: list[Slice], kinds: frozenset[str], request: Request, state: _Slice
    ) -> dict[str, Any]:
        by_rules: list[FindingJson] = json.loads((await self._rules.complete(request)).text)["findings"]
        pieces = {piece.number: piece for piece in slices}
        own: list[FindingJson] = []
        left = await asyncio.to_thread(candidates, slices, kinds & JUDGED)
        asked_of = 0
        while left and state.may_ask(yes_or_no(left[0].passage, left[0].kinds[0]), 4):
            candidate = left.pop(0)
            asked_of += 1
            state.shown.append(candidate.passage)
            own += await self._judge(candidate, by_rules, pieces[candidate.passage.number], state)
        notes = f"found by rules in the whole text; {self.name} was shown {asked_of} of {asked_of + len(left)} passages that rules picked"
        return {"findings": by_rules + own, "notes": notes}

    async def _judge(
        self, candidate: Candidate, by_rules: list[FindingJson], piece: Slice, state: _Slice
    ) -> list[FindingJson]:
        """What the model finds in one passage. What the rules found in it is marked with its opinion."""
        passage, found = candidate.passage, []
        for kind in candidate.kinds:
            message = yes_or_no(passage, kind)
            if not state.may_ask(message, 4):
                break
            lean, usage = await self._model.lean(message, state.seconds)
            state.usage += usage
            says = probability(lean, self._model.yes)
            there = [each for each in by_rules if each["kind"] == kind and _stands_in(each, passage)]
            for each in there:
                each["values"] = each.get("values", {}) | {"language_model": "yes" if says >= self._sure else "no"}
            if says < self._sure or there:
                continue
            worded = await self._worded(passage, kind, state)
            if worded is not None and not any(same_words(worded, each) for each in by_rules):
                hidden = any(
                    a < passage.end and passage.start < b for a, b in piece.hidden
                )  # a part of it: the whole is then looked at with care
                worded["values"] = {"language_model": "found", "probability": round(says, 3)} | (
                    {"hidden": True} if hidden else {}
                )
                found.append(worded)
        return found

    async def _worded(self, passage: Passage, kind: str, state: _Slice) -> FindingJson | None:
        text = grammar.quotable(passage.text)
        message = _in_words(passage, kind)
        if not text.words or not state.may_ask(message, _MOST_CLAIM_TOKENS):
            return None
        said = await self._ask(message, grammar.claim_and_quote(text), _MOST_CLAIM_TOKENS, state)
        if said is None:
            return None
        try:
            words = text.source(said["quote"])
        except ValueError as error:
            raise CallFailed("malformed", f"{self.name} left the grammar: {error}", usage=state.usage) from None
        if clauses.names_only(clauses.clean(words)) or not await self._holds(replace(passage, text=words), kind, state):
            return None
        quote = {"document": passage.number, "text": words}
        return {"kind": kind, "claim": said["claim"].strip(), "quotes": [quote], "values": {}}

    async def _holds(self, quoted: Passage, kind: str, state: _Slice) -> bool:
        """Whether the words that were quoted get a yes without those around them: a passage may, and the words chosen from it not."""
        message = yes_or_no(quoted, kind)
        if not state.may_ask(message, 4):
            return False
        lean, usage = await self._model.lean(message, state.seconds)
        state.usage += usage
        return probability(lean, self._model.yes) >= self._sure

    async def _about_anything(
        self, slices: list[Slice], question: str, request: Request, state: _Slice
    ) -> dict[str, Any]:
        """A question of the root's own: the nearest passages, and one answer."""
        near = await asyncio.to_thread(nearest, slices, question, FREE_CHARACTERS)
        texts = [(passage.number, grammar.quotable(passage.text)) for passage in near]
        whole = sum(len(piece.text.strip()) for piece in slices)
        if not near:
            # Nothing but a few words: they are shown as they are.
            near = [Passage(piece.number, piece.path, 0, len(piece.text), piece.text) for piece in slices]
            texts = [(passage.number, grammar.quotable(passage.text)) for passage in near]
        texts = [(number, text) for number, text in texts if text.words]
        parts = [f"Document {passage.number}:\n{grammar.spoken(passage.text).strip()}" for passage in near]
        asked_for = (
            f"{question}\n\nAnswer with JSON: findings, each with a kind (one word), a claim (one sentence), the number of the document and the "
            "words of it that carry the claim. No findings when the documents hold no answer."
        )
        message = (Message("user", "\n\n".join(parts) + f"\n\n---\n{asked_for}"),)
        state.shown += near
        values = _values(request)
        said = await self._ask(message, grammar.answer(texts, MOST_FINDINGS, values), _MOST_ANSWER_TOKENS, state)
        if said is None:
            raise CallFailed("truncated", f"{self.name} did not come to an end", usage=state.usage)
        for finding in said["findings"]:
            for quote in finding["quotes"]:
                try:
                    quote["text"] = _source(texts, quote)
                except ValueError as error:
                    raise CallFailed("malformed", f"{self.name} left the grammar: {error}", usage=state.usage) from None
        shown = sum(len(passage.text) for passage in near)
        notes = (
            ""
            if shown >= whole * 0.95
            else f"{self.name} was shown the passages that share most words with the question"
        )
        return {"findings": _once(said["findings"]), "notes": notes}

    async def _ask(self, message: tuple[Message, ...], rules: str, tokens: int, state: _Slice) -> dict[str, Any] | None:
        """The JSON that a grammar lets through; None when it was cut off."""
        try:
            completion = await self._model.complete(
                Request(message, max_output_tokens=tokens, seconds=state.seconds, grammar=rules)
            )
        except CallFailed as failed:
            state.usage += failed.usage or Usage()
            if failed.kind == "truncated":
                return None
            raise
        state.usage += completion.usage or Usage()
        try:
            said: dict[str, Any] = json.loads(completion.text)
        except ValueError:
            # An engine that cannot read a grammar answers without one, and says so nowhere.
            raise CallFailed(
                "malformed", f"{self.name} left the grammar: its answer is no JSON", usage=state.usage
            ) from None
        return said


def _stands_in(finding: FindingJson, passage: Passage) -> bool:
    """Whether the first quote of a finding by rules, or the beginning of it, stands in the passage."""
    quotes = finding["quotes"]
    if not quotes or quotes[0]["document"] != passage.number:
        return False
    return " ".join(quotes[0]["text"].split())[:60] in " ".join(passage.text.split())


def same_words(worded: FindingJson, by_rules: FindingJson) -> bool:
    """Whether rules found an issue in the words that the model quotes: a small model calls them by a second name, and is mostly wrong."""
    if by_rules["kind"].startswith("fact:"):
        return False
    own = worded["quotes"][0]
    mine = " ".join(own["text"].split())
    for quote in by_rules["quotes"]:
        theirs = " ".join(quote["text"].split())
        if quote["document"] == own["document"] and (mine in theirs or theirs in mine):
            return True
    return False


def _source(texts: list[tuple[int, grammar.Quotable]], quote: dict[str, Any]) -> str:
    """The quote as it stands in a passage of its document. Raises ValueError."""
    for number, text in texts:
        if number == quote["document"]:
            with suppress(ValueError):
                return text.source(quote["text"])
    raise ValueError("a quote stands in no passage of the document that it names")


def _once(findings: list[FindingJson]) -> list[FindingJson]:
    """Without those that say the same again of the same words: a small model repeats itself."""
    known: set[tuple[int, str]] = set()
    kept = []
    for finding in findings:
        quote = finding["quotes"][0]
        key = (quote["document"], quote["text"])
        if key not in known:
            known.add(key)
            kept.append(finding)
    return kept


def _values(request: Request) -> dict[str, Any] | None:
    """The schema of the values that the question asks for, if it does."""
    schema: Any = request.schema
    for name in ("properties", "findings", "items", "properties", "values"):
        schema = schema.get(name) if isinstance(schema, dict) else None
    return schema if isinstance(schema, dict) and schema.get("properties") else None


def _spans(shown: list[Passage], slices: list[Slice], spans: tuple[Span, ...]) -> tuple[Span, ...] | None:
    """The passages as spans of the room. A request's spans and its slices are the same, in the same order."""
    if len(spans) != len(slices):
        return None
    by_number = {piece.number: span for piece, span in zip(slices, spans, strict=True)}
    found = []
    for passage in sorted(shown, key=lambda each: (each.number, each.start)):
        span = by_number[passage.number]
        found.append(Span(span.document, span.start + passage.start, span.start + passage.end, span.view))
    return tuple(found)
