"""What a call's request says of where its texts stand, and that the journal keeps the same of it as by searching for them."""

from dataclasses import replace
from pathlib import Path

from redwell.harness import subagent
from redwell.models.record import record_request
from redwell.room.room import Room
from redwell.room.types import Span
from tests.harness.support import make_room

LONG = "The lessee shall not assign this lease without consent. " * 4
FILES = {"a.txt": LONG + "\n\nIt is “signed” – twice.\n", "b.txt": f"ASCII alone.\n\n{LONG}\n", "c.txt": "Short.\n"}


def asked(room: Room, *spans: Span) -> tuple[subagent.Request, subagent.Request]:
    """The request, and the same without a word of where its texts stand."""
    request = subagent.request("Who may assign?", spans, room, subagent.Hidden(room))
    silent = tuple(replace(message, held=()) for message in request.messages)
    return request, replace(request, messages=silent)


def test_the_places_that_a_request_names_hold_the_texts_of_its_spans(tmp_path: Path) -> None:
    with make_room(tmp_path, FILES) as room:
        a, b, c = (room.document(name) for name in FILES)
        spans = (Span(a.id, 0, a.length), Span(a.id, 3, 90), Span(b.id, 14, b.length), Span(c.id, 0, c.length))
        request, silent = asked(room, *spans)
        message = request.messages[-1]
        assert [span for _, span in message.held] == list(spans)
        assert [message.content[at : at + len(span)] for at, span in message.held] == [room.slice(s) for s in spans]
        assert message.content[: message.prefix].endswith(" end⟫")
        recorded = record_request(request, room.slice)
        assert recorded == record_request(silent, room.slice)
        assert LONG not in recorded.body
        assert "Short." in recorded.body, "a text of a few words is kept as it is"


def test_a_span_that_goes_past_its_document_is_searched_for_instead(tmp_path: Path) -> None:
    with make_room(tmp_path, FILES) as room:
        b = room.document("b.txt")
        request, _ = asked(room, Span(b.id, 0, b.length + 5))
        assert request.messages[-1].held == ()
        assert LONG not in record_request(request, room.slice).body
