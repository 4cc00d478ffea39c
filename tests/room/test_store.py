"""The store: every character has an address, nothing is lost or doubled by a crash, and any number of processes may read."""

from __future__ import annotations

import os
import signal
import sqlite3
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from room_builder import build, content, text

from redwell.room import room as room_module
from redwell.room import wire
from redwell.room.room import Room, RoomError, read_room
from redwell.room.store import Writer
from redwell.room.types import Parsed, ParsedUnit, Span

DEMO = Path(__file__).resolve().parents[2] / "examples" / "demo_room"


def assert_addressed(room: Room) -> None:
    for document in room.documents():
        for view in document.views:
            whole = room.text(document.id, view)
            units = room.units(document.id, view)
            assert "\n".join(whole[unit.start : unit.end] for unit in units) == whole
            assert [unit.ordinal for unit in units] == list(range(len(units)))
            for unit in units:
                span = Span(document.id, unit.start, unit.end, view)
                assert room.slice(span) == whole[unit.start : unit.end]
                assert room.unit_at(span) == unit
        assert document.length == len(room.text(document.id))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.text(max_size=30), min_size=1, max_size=8), min_size=1, max_size=4))
def test_every_character_has_an_address(tmp_path_factory: pytest.TempPathFactory, documents: list[list[str]]) -> None:
    store = tmp_path_factory.mktemp("store")
    with build(store, {f"{i}.txt": text(*units) for i, units in enumerate(documents)}) as room:
        assert_addressed(room)
        for i, units in enumerate(documents):
            whole = room.text(f"{i}.txt")
            assert len(whole) == len("\n".join(units))
            for start, end in ((0, len(whole)), (len(whole) // 3, len(whole) // 2), (len(whole), len(whole) + 5)):
                assert room.slice(Span(room.document(f"{i}.txt").id, start, end)) == whole[start:end]


def test_every_document_of_the_demo_room_has_an_address_for_every_character(tmp_path: Path) -> None:
    account = read_room(DEMO, tmp_path / "store")
    assert account.reconciles
    assert account.read > 20
    with Room.open(tmp_path / "store") as room:
        assert_addressed(room)


def test_lone_surrogates_become_one_replacement_character_each(tmp_path: Path) -> None:
    with build(tmp_path, {"a.txt": text("a\ud800b", "\udfffc")}) as room:
        assert room.text("a.txt") == "a\ufffdb\n\ufffdc"


def test_views_have_texts_and_units_of_their_own(tmp_path: Path) -> None:
    parsed = Parsed(
        "docx",
        {
            "final": [ParsedUnit("Rent is 20.", "p[1]")],
            "marked": [
                ParsedUnit("Rent is 10.", "p[1]", flags=("deleted",)),
                ParsedUnit("Rent is 20.", "p[1]", flags=("inserted",)),
            ],
        },
    )
    with build(tmp_path, {"a.docx": parsed}) as room:
        assert room.document("a.docx").views == ("final", "marked")
        assert room.text("a.docx", "marked") == "Rent is 10.\nRent is 20."
        assert [unit.flags for unit in room.units("a.docx", "marked")] == [("deleted",), ("inserted",)]
        with pytest.raises(RoomError, match="no original text"):
            room.text("a.docx", "original")


def test_hidden_units_are_found_in_a_store_with_and_without_their_index(tmp_path: Path) -> None:
    hidden = ParsedUnit("Reviewers: ignore this.", "p[2]", flags=("footnote", "hidden"))
    documents = {"a.docx": text("Pay now.", hidden, "Thank you."), "b.docx": text("Nothing to see.")}
    with build(tmp_path, documents) as room:
        assert room.hidden("a.docx") == [(9, 32)]
        assert room.text("a.docx")[9:32] == "Reviewers: ignore this."
        assert room.hidden("b.docx") == room.hidden("a.docx", "marked") == []
    database = sqlite3.connect(tmp_path / "room.sqlite")
    database.execute("DROP INDEX hidden_units")
    database.close()
    with Room.open(tmp_path) as room:
        assert (room.hidden("a.docx"), room.hidden("b.docx")) == ([(9, 32)], [])


def test_a_quote_is_checked_against_the_final_text_first_and_then_the_others(tmp_path: Path) -> None:
    parsed = Parsed(
        "docx",
        {
            "final": [ParsedUnit("The rent is 20 pounds.", "p[1]")],
            "original": [ParsedUnit("The rent is 10 pounds.", "p[1]")],
        },
    )
    with build(tmp_path, {"a.docx": parsed, "b.txt": text("The fee is 30 pounds.")}) as room:
        now, before = room.check("rent is 20 pounds", "a.docx"), room.check("rent is 10 pounds", "a.docx")
        assert (now.status, now.spans[0].view) == ("verified", "final")
        assert (before.status, before.spans[0].view) == ("verified", "original")
        assert str(room.place(before.spans[0])) == "a.docx, p[1] (original text)"
        assert room.check("the fee is 30 pounds", "a.docx").holds is False
        anywhere = room.check("the fee is 30 pounds")
        assert (anywhere.status, anywhere.document) == ("verified", room.document("b.txt").id)
        assert room.check("The rent is 40 pounds").status == "differs"


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("final certification of indemnification", "the ﬁnal certi\u00adﬁcation of indemni-\nﬁcation"),
        ("the Seller’s “Material Adverse Effect”", 'the Seller\'s "Material\u00a0Adverse\nEffect"'),
        ("Straße zum Kelvin", "strasse zum \u212aelvin"),
        ("изменение контроля", "Изменение\u00a0контроля"),
        ("Société Générale", "Socie\u0301te\u0301 Ge\u0301ne\u0301rale"),
        ("no", "say No."),
        (
            "the said lessee … before the first day of the month",
            "the said lessee shall pay before the ﬁrst day of the month",
        ),
    ],
)
def test_a_quote_is_found_in_the_whole_room_however_it_is_typeset(tmp_path: Path, quote: str, source: str) -> None:
    with build(tmp_path, {"a.txt": text("Other words."), "b.txt": text(source)}) as room:
        found = room.check(quote)
        assert found.holds
        assert found.document == room.document("b.txt").id


def test_all_occurrences_are_returned_and_near_puts_the_nearest_first(tmp_path: Path) -> None:
    with build(
        tmp_path,
        {
            "a.txt": text("Time is of the essence.", "x" * 50, "Time is of the essence."),
            "b.txt": text("time is of the essence"),
        },
    ) as room:
        first, second = room.units("a.txt")[0], room.units("a.txt")[2]
        assert len(room.check("time is of the essence").spans) == 3
        near = Span(first.document, second.start - 3, second.start - 1)
        spans = room.check("time is of the essence", "a.txt", near).spans
        assert [(span.start, span.end) for span in spans] == [(second.start, second.end - 1), (0, 22)]


def test_a_document_without_text_makes_a_quote_uncheckable(tmp_path: Path) -> None:
    with build(tmp_path, {"a.png": Parsed("image", status="unreadable", reason="no text"), "b.txt": text("b")}) as room:
        assert room.check("any words", "a.png").status == "uncheckable"


def test_boxes_come_back_as_one_box_for_each_line(tmp_path: Path) -> None:
    boxes = b"".join(
        struct.pack("<4f", *box)
        for box in [(10, 100, 15, 110), (15, 100, 20, 110), (0, 0, 0, 0), (10, 80, 16, 92), (16, 80, 22, 90)]
    )
    with build(tmp_path, {"a.pdf": text("front", ParsedUnit("ab\ncd", "page 2", boxes=boxes))}) as room:
        unit = room.units("a.pdf")[1]
        assert room.boxes(Span(unit.document, unit.start, unit.end)) == [(2, 10, 100, 20, 110), (2, 10, 80, 22, 92)]
        assert room.boxes(Span(unit.document, unit.start + 1, unit.start + 4)) == [
            (2, 15, 100, 20, 110),
            (2, 10, 80, 16, 92),
        ]
        assert room.boxes(Span(unit.document, 0, 5)) == []
        assert room.place(Span(unit.document, unit.start, unit.end)).page == 2


@settings(max_examples=60)
@given(st.binary(max_size=400).map(lambda raw: raw[: len(raw) // 16 * 16]))
def test_boxes_survive_packing(raw: bytes) -> None:
    assert wire.unpack_boxes(wire.pack_boxes(raw), len(raw) // 16) == raw
    with pytest.raises(ValueError):
        wire.unpack_boxes(wire.pack_boxes(raw), len(raw) // 16 + 1)


def test_documents_are_found_by_id_path_name_and_near_names_are_listed(tmp_path: Path) -> None:
    with build(
        tmp_path, {"x/Socie\u0301te\u0301.txt": text("a"), "y/lease.txt": text("b"), "z/lease.txt": text("c")}
    ) as room:
        found = room.document("Société.txt")
        assert found == room.document(found.id[:8]) == room.document("x/société.TXT".replace("x/", ""))
        with pytest.raises(RoomError, match=r"could be any of: y/lease\.txt .*z/lease\.txt"):
            room.document("lease.txt")
        with pytest.raises(RoomError, match=r"no document 'leese\.txt'.*lease\.txt"):
            room.document("leese.txt")


def test_a_guest_with_sqlite_alone_can_read_texts_and_units(tmp_path: Path) -> None:
    with build(tmp_path, {"ä.txt": text("Erste", "Zweite: ß")}):
        pass
    database = sqlite3.connect(f"file:{tmp_path}/room.sqlite?immutable=1", uri=True)
    document, offset, size, length = database.execute(
        "SELECT document, offset, bytes, length FROM texts WHERE view = 'final'"
    ).fetchone()
    blob = (tmp_path / "text.bin").read_bytes()[offset : offset + size].decode()
    assert (blob, length) == ("Erste\nZweite: ß", 15)
    rows = database.execute(
        'SELECT start, "end" FROM units WHERE document = ? ORDER BY ordinal', (document,)
    ).fetchall()
    assert [blob[start:end] for start, end in rows] == ["Erste", "Zweite: ß"]
    database.close()


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    writer = Writer(tmp_path)
    with pytest.raises(RoomError, match="Another process"):
        Writer(tmp_path)
    writer.close(finished=True)


def test_what_is_no_store_is_refused_in_plain_words(tmp_path: Path) -> None:
    with pytest.raises(RoomError, match="There is no room"):
        Room.open(tmp_path)
    (tmp_path / "room.sqlite").write_bytes(b"not a database at all" * 100)
    with pytest.raises(RoomError, match="damaged"):
        Room.open(tmp_path)
    with pytest.raises(RoomError, match="damaged"):
        Writer(tmp_path)


def test_many_processes_read_one_room_at_once(tmp_path: Path) -> None:
    with build(tmp_path, {f"{i}.txt": text(f"This agreement has number {i}.") for i in range(5)}) as room:
        room.search("agreement")
        code = (
            "import sys; from redwell.room.room import Room; room = Room.open(sys.argv[1]);"
            "print(len(room.search('agreement')), len(room.grep('number [0-9]')), room.check('has number 3').status)"
        )
        running = [
            subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
            for _ in range(3)
        ]
        assert [process.communicate()[0] for process in running] == ["5 5 verified\n"] * 3


READER = """
import time
from redwell.room.types import Parsed, ParsedUnit
def read(data, name, limits):
    return Parsed("txt", {"final": [ParsedUnit(line, f"line {i}") for i, line in enumerate(data.decode().split("\\n"))]})
def stop(data, name, limits):
    while name == "24.txt":
        time.sleep(1)
    return read(data, name, limits)
"""


def committed(store: Path) -> int:
    try:
        database = sqlite3.connect(f"file:{store}/room.sqlite?mode=ro", uri=True)
        count: int = database.execute("SELECT count(*) FROM documents").fetchone()[0]
        database.close()
        return count
    except sqlite3.OperationalError:
        return 0


def test_a_reading_that_is_killed_goes_on_to_the_same_store(tmp_path: Path) -> None:
    room = tmp_path / "room"
    room.mkdir()
    for i in range(30):
        line = f"File {i} of the room, long enough for the store to be committed in parts. "
        (room / f"{i:02}.txt").write_text(f"Agreement {i}\n" + "\n".join(f"{k}: {line * 70}" for k in range(80)))
    reader = tmp_path / "reader.py"
    reader.write_text(READER)
    code = "import sys; from redwell.room.room import read_room; read_room(sys.argv[1], sys.argv[2], jobs=2, reader=sys.argv[3])"
    process = subprocess.Popen([sys.executable, "-c", code, str(room), str(tmp_path / "killed"), f"{reader}:stop"])
    while not committed(tmp_path / "killed"):
        assert process.poll() is None
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    with pytest.raises(RoomError, match="has not finished"):
        Room.open(tmp_path / "killed")
    kept = committed(tmp_path / "killed")
    assert 0 < kept < 30
    with open(tmp_path / "killed" / "text.bin", "ab") as blob:
        blob.write(b"a tail that no row knows")

    parsed: list[int] = []
    read_room(room, tmp_path / "killed", reader=f"{reader}:read", progress=lambda event: parsed.append(event["parsed"]))
    read_room(room, tmp_path / "whole", reader=f"{reader}:read")
    assert parsed[-1] == 30 - kept
    assert content(tmp_path / "killed") == content(tmp_path / "whole")
    assert (tmp_path / "killed" / "text.bin").stat().st_size == (tmp_path / "whole" / "text.bin").stat().st_size


def test_folded_texts_are_kept_by_their_size_and_give_the_same_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "files").mkdir()
    for number in range(6):
        (tmp_path / "files" / f"{number}.txt").write_text(
            f"Lease {number} runs for {number + 3} years from its date.\n"
        )
    Room.read(tmp_path / "files", tmp_path / "store")
    monkeypatch.setattr(room_module, "FOLDED_CACHE", 100)
    with Room.open(tmp_path / "store") as room:
        for _ in range(2):
            for document in room.documents():
                number = int(document.name[0])
                assert room.check(f"runs for {number + 3} years", document.id).status == "verified"
                assert not room.check(f"runs for {number + 4} years", document.id).holds
        assert room._folded_size == sum(folded.size for folded in room._folded.values()) <= 100
        assert len(room._folded) == 2
