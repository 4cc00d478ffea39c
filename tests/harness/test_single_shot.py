"""One request with as much of the room as fits, by path or by a search, and one answer that is the deliverable."""

from __future__ import annotations

from pathlib import Path

import pytest

from redwell.harness.fence import split
from redwell.harness.retrieval import in_turn, plain
from redwell.harness.single_shot import LEAST_CUT
from redwell.journal.usage import usage
from redwell.models.budget import Budget
from redwell.models.tokens import estimate_request
from redwell.models.types import CallFailed
from redwell.room.room import Room
from redwell.room.types import Span
from tests.harness.harness_runs import TASK, over_http, run
from tests.harness.support import Root, Sub, make_room
from tests.servers.scripted import say, status

WHOLE = {"contracts/lease.txt": [(0, 86)], "contracts/supply.txt": [(0, 82)], "corporate/minutes.txt": [(0, 50)], "corporate/note.txt": [(0, 41)]}  # fmt: skip


def paragraph(name: str, number: int) -> str:
    return f"Clause {name}{number} binds the buyer and the seller and each of their successors in every respect. " * 6


@pytest.fixture(scope="module")
def long_room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    files = {f"{name}.txt": "\n\n".join(paragraph(name, n) for n in range(12)) for name in "abcdef"}
    files["c.txt"] += "\n\nOn a change of control the lender may call the loan.\n"
    return make_room(tmp_path_factory.mktemp("long"), files)


def test_a_room_that_fits_is_sent_whole_and_the_answer_is_the_deliverable(room: Room, tmp_path: Path) -> None:
    ran = over_http("single-shot", room, tmp_path / "run", [say("```markdown\n# Memo\n\nOne point.\n```")], sub=Sub())
    assert (ran.outcome.status, ran.outcome.reason, ran.output()) == ("submitted", "", "# Memo\n\nOne point.\n")
    assert ran.read() == WHOLE
    (request,) = ran.requests
    slices, rest = split(request.user)
    assert [(piece.path, piece.text) for piece in slices] == [
        (document.path, room.text(document.id)) for document in room.documents()
    ]
    assert rest.startswith("\n\nThese are all 4 documents of the room, in full.\n\n# The task\n\n" + TASK.instructions)
    assert "`memo.md`" in rest
    assert "Write the memo as Markdown." in request.system
    assert usage(ran.journal).calls == 1


def test_what_does_not_fit_is_left_out_from_the_first_document_on_that_does_not(
    long_room: Room, tmp_path: Path
) -> None:
    root = Root("say:Done.")
    ran = run("single-shot", long_room, tmp_path / "run", {"root": root, "sub": Sub()}, context_tokens=10_000)
    slices, rest = split(root.requests[0].messages[-1].content)
    assert [piece.path for piece in slices] == ["a.txt", "b.txt", "c.txt", "d.txt"][: len(slices)]
    assert all(piece.text == long_room.text(long_room.document(piece.path).id) for piece in slices[:-1])
    cut = slices[-1]
    whole = long_room.text(long_room.document(cut.path).id)
    assert LEAST_CUT <= len(cut.text) < len(whole)
    assert whole.startswith(cut.text)
    assert cut.text.endswith("\n"), "cut after a line"
    assert f"text of {len(slices)} of the room's 6 documents; the rest is not here." in rest
    assert ran.read() == {piece.path: [(0, len(piece.text))] for piece in slices}
    request = root.requests[0]
    assert estimate_request(request) + request.max_output_tokens <= 10_000


@pytest.mark.parametrize("harness", ["single-shot", "retrieval"])
def test_a_context_too_small_for_any_document_is_said(harness: str, long_room: Room, tmp_path: Path) -> None:
    root = Root("say:Nothing was there to read.")
    ran = run(harness, long_room, tmp_path / "run", {"root": root, "sub": Sub()}, context_tokens=1_500)
    assert "(no text of the room fits)" in root.requests[0].messages[-1].content
    assert ran.read() == {}
    assert ran.output() == "Nothing was there to read.\n"


@pytest.mark.parametrize("harness", ["single-shot", "retrieval"])
def test_what_was_answered_is_not_asked_again(harness: str, room: Room, tmp_path: Path) -> None:
    first = run(harness, room, tmp_path / "run", {"root": Root(CallFailed("auth", "no key")), "sub": Sub()})
    assert (first.outcome.status, first.outcome.files) == ("failed", ())
    assert "no key" in first.outcome.reason
    first.journal.close()
    second = run(harness, room, tmp_path / "run", {"root": Root("say:The memo."), "sub": Sub()}, resume=True)
    assert (second.outcome.status, second.output()) == ("submitted", "The memo.\n")
    second.journal.close()
    root = Root()
    third = run(harness, room, tmp_path / "run", {"root": root, "sub": Sub()}, resume=True)
    assert (third.outcome.status, third.output(), root.requests) == ("submitted", "The memo.\n", [])


def test_an_answer_that_is_cut_is_no_deliverable(room: Room, tmp_path: Path) -> None:
    ran = over_http("single-shot", room, tmp_path / "run", lambda _: say("half an ans", finish="length"), sub=Sub())
    assert (ran.outcome.status, ran.outcome.files) == ("failed", ())
    assert "longer than the model may write at once" in ran.outcome.reason
    assert ran.coverage.read == 0


def test_a_server_that_is_down_for_a_moment_is_asked_again(room: Room, tmp_path: Path) -> None:
    ran = over_http("single-shot", room, tmp_path / "run", [status(503), say("The memo.")], sub=Sub())
    assert ran.outcome.status == "submitted"
    assert len(ran.requests) == 2


def test_a_spent_budget_is_said(room: Room, tmp_path: Path) -> None:
    ran = run("single-shot", room, tmp_path / "run", {"root": Root("say:x"), "sub": Sub()}, budget=Budget(tokens=10))
    assert ran.outcome.status == "failed"
    assert "the budget is spent" in ran.outcome.reason


def test_a_search_brings_the_passages_of_each_query(long_room: Room, tmp_path: Path) -> None:
    root = Root("say:The lender may call the loan.")
    ran = run("retrieval", long_room, tmp_path / "run", {"root": root, "sub": Sub()}, context_tokens=4_000)
    slices, rest = split(root.requests[0].messages[-1].content)
    assert any(piece.path == "c.txt" and "change of control the lender" in piece.text for piece in slices)
    assert slices == sorted(slices, key=lambda piece: (piece.path, piece.start))
    for piece in slices:
        assert long_room.text(long_room.document(piece.path).id)[piece.start : piece.end] == piece.text
    spans = {(piece.path, (piece.start, piece.end)) for piece in slices}
    assert {(path, stretch) for path, stretches in ran.read().items() for stretch in stretches} == spans
    assert "of the room's 6 documents; the rest is not here." in rest
    request = root.requests[0]
    assert estimate_request(request) + request.max_output_tokens <= 4_000


def test_queries_take_turns_and_their_signs_are_no_syntax() -> None:
    one, two, three = (Span("d", start, start + 1) for start in range(3))
    assert list(in_turn([[one, two], [one, three], []])) == [one, two, three]
    assert plain('Does (the) "buyer" AND NOT* seller~ pay?') == "does the buyer and not seller pay"
