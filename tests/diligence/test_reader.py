"""The model `reader`: what it answers to the harness's requests, how it behaves under load, and on real contracts."""

from __future__ import annotations

import asyncio
import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from papers import REVENUE, contract

from redwell.diligence.archetypes.summary import question
from redwell.diligence.reader import INLINE, MAX_SAME, Reader, answer, read_text
from redwell.harness.fence import Slice, fence
from redwell.models.types import CallFailed, Completion, Message, Request, Usage
from redwell.room.quotes import check

BODY = "12.3 If Provider undergoes a Change of Control, Customer may terminate this Agreement immediately upon written notice."


def slices(*texts: str) -> list[Slice]:
    return [Slice(n, f"{n:012x}", f"contracts/{n}.txt", 0, text, len(text)) for n, text in enumerate(texts, 1)]


def complete(texts: list[Slice], asked: str, reader: Reader | None = None) -> Completion:
    async def run() -> Completion:
        model = reader or Reader(jobs=1)
        try:
            messages = (Message("system", "rules"), Message("user", fence(texts) + "\n\nQuestion:\n" + asked))
            return await model.complete(Request(messages))
        finally:
            await model.close()

    return asyncio.run(run())


def test_the_answer_is_json_of_findings_and_costs_nothing() -> None:
    completion = complete(slices(contract(BODY), REVENUE), question())
    found = json.loads(completion.text)["findings"]
    assert completion.usage == Usage(0, 0, 0)
    assert {"change_of_control_termination", "fact:document", "fact:revenue"} <= {each["kind"] for each in found}
    assert {quote["document"] for each in found for quote in each["quotes"]} == {1, 2}


def test_it_answers_the_same_every_time_inline_or_in_a_worker() -> None:
    long = contract(BODY + "\n\nThe parties met. " * 1_200)
    assert len(long) > INLINE
    here = json.dumps(answer(slices(long), question()), ensure_ascii=False)
    assert complete(slices(long), question()).text == here
    assert complete(slices(long), question()).text == here


def test_the_event_loop_goes_on_while_a_worker_reads() -> None:
    long = contract((BODY + "\n\n") * 900)

    async def run() -> int:
        model = Reader(jobs=1)
        request = Request((Message("user", fence(slices(long)) + "\n\nQuestion:\n" + question()),))
        await model.complete(request)  # starts the worker
        turns = 0
        task = asyncio.ensure_future(model.complete(request))
        while not task.done():
            await asyncio.sleep(0.002)
            turns += 1
        await model.close()
        return turns

    assert asyncio.run(run()) > 5  # a loop that stands still while it is read takes two


def test_a_request_without_documents_is_refused() -> None:
    async def run() -> None:
        await Reader(jobs=1).complete(Request((Message("user", "What is the law?"),)))

    with pytest.raises(CallFailed) as failure:
        asyncio.run(run())
    assert failure.value.kind == "rejected"


def test_an_archetype_that_is_named_is_all_that_is_looked_for() -> None:
    found = answer(
        slices(contract(BODY + "\n\n13.1 Neither party may assign this Agreement without consent.")),
        "kind anti_assignment only",
    )
    assert {each["kind"] for each in found["findings"]} == {"anti_assignment"}


def test_a_free_question_is_turned_to_archetypes_and_passages() -> None:
    texts = slices(
        contract(BODY + "\n\n14.1 The parties shall meet each spring in Rotterdam to settle the delivery plan.")
    )
    asked = answer(texts, "Who may terminate the contract on a change of control?")
    assert "change_of_control_termination" in {each["kind"] for each in asked["findings"]}
    (passage,) = answer(texts, "Where do the parties meet to settle the delivery plan?")["findings"][:1]
    assert passage["kind"] == "passage"
    assert "Rotterdam" in passage["quotes"][0]["text"]


def test_nothing_near_the_question_is_an_empty_answer() -> None:
    assert answer(slices(contract("1. Services are rendered.")), "asbestos in the basement ceiling")["findings"] == []


def test_hidden_text_is_marked_in_what_is_found() -> None:
    text = f"Disclosure Schedule\n\n{BODY}\n"
    piece = Slice(1, "a" * 12, "schedule.txt", 0, text, len(text), hidden=((text.index("12.3"), len(text)),))
    found = answer([piece], question())["findings"]
    assert any(each["kind"] == "hidden_text" for each in found)
    assert all(each["values"].get("hidden") for each in found if each["kind"] == "change_of_control_termination")


def test_the_middle_of_a_document_says_nothing_of_the_whole() -> None:
    text = contract(BODY)
    piece = Slice(1, "a" * 12, "a.txt", 5_000, text, 50_000)
    assert "fact:document" not in {each["kind"] for each in answer([piece], question())["findings"]}


def test_the_same_clause_over_and_over_is_not_reported_without_end() -> None:
    found = read_text(contract((BODY + "\n\n") * 50), path="a.txt")
    assert sum(each["kind"] == "change_of_control_termination" for each in found) == MAX_SAME


def test_an_item_of_a_list_is_quoted_with_the_words_that_open_the_list() -> None:
    body = "Supplier may terminate this Agreement upon any of the following events:\n\n(a) a change of control of Customer;\n\n(b) a fire.\n"
    found = [
        each for each in read_text(contract(body), path="a.txt") if each["kind"] == "change_of_control_termination"
    ]
    assert [quote["text"] for quote in found[0]["quotes"]] == [
        "(a) a change of control of Customer;",
        "Supplier may terminate this Agreement upon any of the following events:",
    ]


def test_a_winding_up_but_for_a_solvent_merger_is_no_change_of_control() -> None:
    body = "Either party may terminate this Agreement if the other is liquidated other than for the purpose of a bona fide reconstruction or amalgamation."
    assert "change_of_control_termination" not in {each["kind"] for each in read_text(contract(body), path="a.txt")}


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=3_000))
def test_any_text_is_read_without_failing(text: str) -> None:
    for finding in read_text(text, path="a.txt"):
        assert all(quote["text"] in text for quote in finding["quotes"])


@pytest.mark.parametrize(
    "text",
    [
        "assign " * 60_000,
        "(" * 100_000 + "control",
        "a | " * 50_000 + "total | 1\n",
        "Change of Control shall not " * 9_000,
        "A" * 400_000,
        "$" * 100_000,
    ],
    ids=["words", "brackets", "cells", "clauses", "one word", "signs"],
)
def test_a_hostile_text_takes_no_longer_than_a_long_one(text: str) -> None:
    began = time.process_time()
    read_text(text, path="a.txt")
    assert time.process_time() - began < 6


def test_quotes_from_real_contracts_are_verified(shared) -> None:  # type: ignore[no-untyped-def]
    paths = sorted((shared / "data/cuad/txt").iterdir())[::40]
    assert len(paths) >= 9
    checked = held = 0
    for path in paths:
        text = path.read_text(encoding="utf-8", errors="replace")[:60_000]
        for finding in read_text(text, path=path.name):
            for quote in finding["quotes"]:
                checked += 1
                held += check(text, quote["text"], document=path.name).holds
    assert checked > 100
    assert held / checked > 0.995


def test_a_heading_is_no_evidence() -> None:
    text = "3. Most favored customer\n3.1 Supplier shall give Buyer terms no less favorable than those of any other customer.\n"
    quotes = [
        q["text"] for f in read_text(text, path="a.txt") if f["kind"] == "most_favored_nation" for q in f["quotes"]
    ]
    assert quotes == [text.split("\n")[1]]


def test_spaces_that_do_not_break_hide_nothing() -> None:
    text = "6.2 If Provider undergoes a Change of Control, Customer may terminate this Agreement upon notice.\n"
    kinds = {f["kind"] for f in read_text(text, path="a.txt")}
    assert "change_of_control_termination" in kinds
    assert {f["kind"] for f in read_text(text.replace(" ", "\xa0"), path="a.txt")} == kinds
