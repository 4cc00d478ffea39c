"""The room's text is found in what a model is told, by the rule that `located` states."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redwell.harness.located import BLOCK, LEAST, Located
from redwell.harness.subagent import Hidden
from redwell.harness.told import Told, pack, spans_held, unpack
from redwell.room.room import Room
from redwell.room.types import Span
from tests.harness.support import make_room

LONG = " ".join(f"Sentence number {number} says something that no other sentence says." for number in range(80))
COMMON = "This clause stands in both of these documents word for word, and it is rather longer than the least."


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    files = {
        "a.txt": f"Alpha begins here with words of its own that are long enough. {COMMON} Alpha ends.",
        "b.txt": f"Beta begins here, and has other words of its own, long enough too. {COMMON} Beta ends.",
        "long.txt": LONG,
        "short.txt": "Too short.",
    }
    return make_room(tmp_path_factory.mktemp("located"), files)


def found(room: Room, text: str) -> list[tuple[str, int, int, int]]:
    return [(room.document(span.document).path, at, span.start, span.end) for at, span in Located(room).find(text)]


@given(start=st.integers(0, 4_000), length=st.integers(LEAST, 900), before=st.text("☃❄", max_size=50))
@settings(max_examples=60, deadline=None)
def test_every_stretch_of_the_least_length_is_found_wherever_it_stands(
    room: Room, start: int, length: int, before: str
) -> None:
    text = room.text(room.document("long.txt").id)
    end = min(len(text), start + length)
    if end - start < LEAST:
        return
    assert (("long.txt", len(before), start, end)) in [
        (path, at, a, b) for path, at, a, b in found(room, f"{before}{text[start:end]}☃")
    ]


def test_shorter_stretches_and_what_is_no_text_of_the_room_count_for_nothing(room: Room) -> None:
    text = room.text(room.document("long.txt").id)
    assert found(room, text[100 : 100 + BLOCK]) == []
    assert (
        found(room, "Words that stand in no document of this room at all, however many of them there may be here.")
        == []
    )
    assert found(room, "-" * 500) == []


def test_common_words_count_for_the_document_around_them_else_for_the_first(room: Room) -> None:
    beta = room.text(room.document("b.txt").id)
    assert found(room, beta) == [("b.txt", 0, 0, len(beta))]
    at = room.text(room.document("a.txt").id).index(COMMON)
    assert found(room, f"«{COMMON}»") == [("a.txt", 1, at, at + len(COMMON))]


def test_a_prefix_on_each_line_does_not_hide_the_text(room: Room) -> None:
    text = room.text(room.document("long.txt").id)
    said = f"documents/long.txt:1:{text[:200]}\n  7\t{text[300:420]} ..."
    assert [(path, start, end) for path, _, start, end in found(room, said)] == [
        ("long.txt", 0, 200),
        ("long.txt", 300, 420),
    ]


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_what_is_held_stands_there_word_for_word_and_survives_the_journal(room: Room, data: st.DataObject) -> None:
    documents = [document for document in room.documents() if document.length]
    spans = []
    for document in data.draw(st.lists(st.sampled_from(documents), min_size=1, max_size=3)):
        start = data.draw(st.integers(0, document.length - 1))
        spans.append(Span(document.id, start, data.draw(st.integers(start + 1, document.length))))
    told = Told()
    told.say("before ⟪⟫ ")
    told.documents(spans, room, Hidden(room))
    told.say("\nafter")
    message = told.message("tool", tool_call_id="c1")
    for at, span in message.held:
        assert message.content[at : at + len(span)] == room.slice(span)
    assert set(spans_held((message,))) == set(spans)
    assert unpack(pack([message]), room) == (message,)
    assert not any(room.slice(span) in pack([message]) for span in spans if len(span) > 40)


def test_hidden_stretches_are_held_between_their_marks(tmp_path: Path) -> None:
    class Marked(Hidden):
        def within(self, span: Span) -> tuple[tuple[int, int], ...]:
            return ((3, 9), (20, 25))

    room = make_room(tmp_path)
    lease = room.document("lease.txt")
    told = Told()
    told.documents([Span(lease.id, 0, lease.length)], room, Marked(room))
    message = told.message()
    assert [(span.start, span.end) for _, span in message.held] == [(0, 3), (3, 9), (9, 20), (20, 25), (25, 86)]
    for at, span in message.held:
        assert message.content[at : at + len(span)] == room.slice(span)
