"""A root at depth 0: it reads by printing, nothing in its session reads for it, and what it was shown is counted."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from redwell.models.types import Request
from redwell.room.room import Room
from tests.harness.support import Played, Root, make_room, play

TEXT = " ".join(f"Sentence number {number} of the agreement says something of its own." for number in range(400))


@pytest.fixture(scope="module")
def long_room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    return make_room(
        tmp_path_factory.mktemp("alone"), {"long.txt": TEXT, "other.txt": TEXT.replace("agreement", "licence")}
    )


def read(played: Played, room: Room) -> dict[str, list[tuple[int, int]]]:
    """By path, what the spans of answered requests come to; checked against what the root was really sent."""
    shown = "\n".join(message.content for request in played.root.requests for message in request.messages)
    found: dict[str, list[tuple[int, int]]] = {}
    for event in played.journal.events("call.sent"):
        for document, start, end, view in event.data["spans"]:
            path = room.document(document).path
            assert room.text(document, view)[start:end] in shown
            if (start, end) not in found.setdefault(path, []):
                found[path].append((start, end))
    return found


def test_there_is_no_way_to_ask(room: Room, tmp_path: Path) -> None:
    root = Root(
        "print([name for name in ('ask', 'ask_many', 'dispatch', 'batches') if name in globals()])",
        "import sys\nhost = next(m.__dict__['host'] for m in list(sys.modules.values()) if 'host' in getattr(m, '__dict__', {}))",
        "room.search.__globals__['host']('dispatch', questions=['q'], schemas=[], calls=[], agents=False)",
        "submit()",
    )
    played = play(room, tmp_path / "run", root, depth=0)
    assert played.outputs()[0].strip() == "[]"
    assert "there is no call" in "".join(played.outputs()) or "has no call 'dispatch'" in "".join(played.outputs())
    assert played.outcome.status == "submitted"
    told = root.requests[0].messages[0].content
    assert not any(word in told for word in ("dispatch", "ask(", "sub-agent"))
    assert "This conversation holds about 100,000 tokens." in told


def test_what_was_printed_counts_and_what_was_cut_off_does_not(long_room: Room, tmp_path: Path) -> None:
    look = "print(coverage().read)"
    root = Root(look, "print(room.document('long.txt').text)", look, "submit()")
    played = play(long_room, tmp_path / "run", root, depth=0, output_head=4_000, output_tail=2_000)
    length = long_room.document("long.txt").length
    (first, second) = read(played, long_room)["long.txt"]
    assert first[0] == 0
    assert 2_000 <= first[1] <= 4_000
    assert length - 2_000 <= second[0] <= length - 1_000
    assert second[1] == length
    assert played.outputs()[2].strip() == str(first[1] - first[0] + second[1] - second[0])
    assert "other.txt" not in read(played, long_room)


def test_what_a_compaction_leaves_out_is_in_no_later_request(long_room: Room, tmp_path: Path) -> None:
    cells = [f"print(room.document('long.txt')[{start}:{start + 4000}].text)" for start in range(0, 20_000, 4_000)]
    root = Root(*cells, "submit()")
    played = play(long_room, tmp_path / "run", root, depth=0, context_tokens=7_000)
    assert any(True for _ in played.journal.events("compaction"))
    last = list(played.journal.events("call.sent"))[-1].data["spans"]
    assert [0, 3_999] not in [span[1:3] for span in last]
    whole = list(read(played, long_room)["long.txt"])
    assert (0, 3_999) in whole, "the space at the end of what was printed was not shown"


def test_a_run_that_is_resumed_knows_what_its_root_was_shown(long_room: Room, tmp_path: Path) -> None:
    def stop(request: Request) -> Any:
        raise asyncio.CancelledError

    first = play(long_room, tmp_path / "run", Root("print(room.document('long.txt')[:900].text)", stop), depth=0)
    assert first.outcome.status == "interrupted"
    first.journal.close()
    root = Root("submit()")
    played = play(long_room, tmp_path / "run", root, depth=0, resume=True)
    assert played.outcome.status == "submitted"
    assert [(span.start, span.end) for span in root.requests[0].spans] == [(0, 900)]
    assert long_room.slice(root.requests[0].spans[0]) in root.requests[0].messages[-1].content


def test_a_root_that_stops_leaves_what_it_found(long_room: Room, tmp_path: Path) -> None:
    cell = "print(room.document('long.txt')[:900].text)\nmemo.add('one point')"
    played = play(long_room, tmp_path / "run", Root(cell, "say:Done.", "say:Done."), depth=0, idle_turns=2)
    assert played.outcome.status == "salvaged"
    assert "one point" in played.memo_text
