"""One fixed question over every slice, then one request that writes the deliverable of the findings."""

from __future__ import annotations

import asyncio
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from redwell.harness.listing import read_listing
from redwell.harness.map_reduce import KEPT, slices
from redwell.journal.usage import usage
from redwell.models.tokens import estimate_request
from redwell.models.types import CallFailed, Completion, Request, Usage
from redwell.room.room import Room
from tests.harness.harness_runs import over_http, run
from tests.harness.support import Memo, Root, Sub, make_room
from tests.servers.scripted import Received, say

QUESTION = Memo.question


class Chooser:
    """A root that keeps the last findings of a part and writes what it was given as the memo."""

    name = "played:root"

    def __init__(self) -> None:
        self.requests: list[Request] = []

    async def complete(self, request: Request) -> Completion:
        self.requests.append(request)
        listing = read_listing(request.messages[-1].content)
        if request.schema is KEPT:
            kept = [{"finding": each.number, "claim": f"again: {each.claim}"} for each in reversed(listing)]
            return Completion(json.dumps({"keep": [*kept, {"finding": 10_000}]}), self.name, usage=Usage(10, 0, 5))
        return Completion("\n".join(each.claim for each in listing) or "nothing", self.name, usage=Usage(10, 0, 5))

    async def close(self) -> None: ...


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Room:
    line = "The fee for the service numbered {0} is ${0}00 and is paid to the supplier at the end of the month.\n\n"
    files = {
        f"{name}.txt": "".join(line.format(n + start) for n in range(40))
        for start, name in ((1, "a"), (41, "b"), (81, "c"))
    }
    return make_room(tmp_path_factory.mktemp("many"), files)


def test_every_character_is_in_one_call_and_the_findings_reach_the_writer(room: Room, tmp_path: Path) -> None:
    root, sub = Root("say:# Memo"), Sub()
    ran = run("map-reduce", room, tmp_path / "run", {"root": root, "sub": sub})
    assert (ran.outcome.status, ran.output()) == ("submitted", "# Memo\n")
    assert sub.questions == [QUESTION] * 4
    assert ran.coverage.share == 1.0
    listing = read_listing(root.requests[0].messages[-1].content)
    assert [(each.claim, [quote.text for quote in each.quotes]) for each in listing] == [
        ("The rent is $12,000 a month.", ["The rent is $12,000 a month."]),
        ("The price is $500 a ton.", ["The price is $500 a ton."]),
    ]
    assert [(quote.path, quote.start) for each in listing for quote in each.quotes] == [
        ("contracts/lease.txt", 6),
        ("contracts/supply.txt", 58),
    ]
    assert "All 4 parts of the room were read." in root.requests[0].messages[-1].content
    assert [span.start for span in root.requests[0].spans] == [6, 58], "the words of the room that the request holds"
    assert [(line.role, line.calls) for line in usage(ran.journal).lines] == [("root", 1), ("sub", 4)]
    assert len(ran.outcome.state.findings) == 2


def test_slices_hold_each_character_once(many: Room) -> None:
    found = list(slices(many, 700))
    for document in many.documents():
        own = [span for span in found if span.document == document.id]
        assert own[0].start == 0
        assert own[-1].end == document.length
        assert all(one.end == other.start for one, other in itertools.pairwise(own))
        assert all(0 < len(span) <= 700 for span in own)


def test_findings_that_do_not_fit_are_chosen_from_in_parts(many: Room, tmp_path: Path) -> None:
    root = Chooser()
    ran = run(
        "map-reduce", many, tmp_path / "run", {"root": root, "sub": Sub()}, context_tokens=9_000, report_tokens=2_000
    )
    steps = [request for request in root.requests if request.schema is KEPT]
    assert len(steps) > 1
    assert ran.outcome.turns == len(steps) + 1
    assert estimate_request(root.requests[-1]) + root.requests[-1].max_output_tokens <= 9_000
    assert all(estimate_request(request) <= 9_000 for request in steps)
    shown = [each.number for request in steps for each in read_listing(request.messages[-1].content)]
    assert sorted(shown) == list(range(1, 121)), "every finding is looked at once"
    kept = list(read_listing(root.requests[-1].messages[-1].content))
    assert 0 < len(kept) < 120
    assert all(each.claim.startswith("again: ") for each in kept)
    assert all(quote.text in each.claim for each in kept for quote in each.quotes), (
        "a claim anew, its quotes as they were"
    )


def test_a_part_that_is_not_answered_goes_on_as_it_is(many: Room, tmp_path: Path) -> None:
    root = Root(*[CallFailed("rejected", "no")] * 20)
    ran = run(
        "map-reduce", many, tmp_path / "run", {"root": root, "sub": Sub()}, context_tokens=9_000, report_tokens=2_000
    )
    assert any("was not looked through" in data["text"] for data in ran.events("note"))
    assert ran.outcome.status == "failed"


def test_a_slice_that_failed_is_named_to_the_writer_and_unread(room: Room, tmp_path: Path) -> None:
    def read(pieces: list[Any], question: str) -> Any:
        return CallFailed("rejected", "too hot") if "note" in pieces[0].path else []

    root = Root("say:The memo.")
    ran = run("map-reduce", room, tmp_path / "run", {"root": root, "sub": Sub(read)})
    asked = root.requests[0].messages[-1].content
    assert "There are no findings." in asked
    assert '1 of 4 parts of the room were not read, of these documents:\n- "corporate/note.txt"' in asked
    assert "corporate/note.txt" not in ran.read()
    assert [failure.message for failure in ran.outcome.state.failures] == ["too hot"]


def test_a_room_of_which_nothing_was_read_is_no_deliverable(room: Room, tmp_path: Path) -> None:
    ran = run(
        "map-reduce", room, tmp_path / "run", {"root": Root(), "sub": Sub(lambda *_: CallFailed("auth", "no key"))}
    )
    assert ran.outcome.status == "failed"
    assert "no part of the room was read (auth): no key" in ran.outcome.reason


def test_what_was_answered_is_not_asked_again(room: Room, tmp_path: Path) -> None:
    def stop(request: Request) -> Any:
        raise asyncio.CancelledError

    first = run("map-reduce", room, tmp_path / "run", {"root": Root(stop), "sub": Sub()})
    assert first.outcome.status == "interrupted"
    first.journal.close()
    sub = Sub()
    second = run("map-reduce", room, tmp_path / "run", {"root": Root("say:The memo."), "sub": sub}, resume=True)
    assert (second.outcome.status, sub.requests) == ("submitted", [])
    assert len(second.outcome.state.findings) == 2


def test_it_works_over_a_real_server(room: Room, tmp_path: Path) -> None:
    def answer(received: Received) -> Any:
        return say('{"findings": []}') if received.schema else say("The memo.")

    from redwell.models.connect import connect
    from tests.servers.scripted import Scripted

    with Scripted(lambda received: say('{"findings": []}')) as server:
        ran = over_http("map-reduce", room, tmp_path / "run", answer, sub=connect(f"openai:any@{server.url}"))
    assert ran.outcome.status == "submitted"
    assert server.count == 4
