"""A room of every kind of file and of every attack: each file has its status and reason, the rest is read, and nothing gets out."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from redwell.room.formats import ocr
from redwell.room.formats.legacy import office_program
from redwell.room.room import Room, RoomError, read_room
from redwell.room.types import Accounting, Limits
from tests.room import docx_builder as word
from tests.room.dirty_room import (
    INSIDE,
    OUTSIDE,
    File,
    Inside,
    Special,
    deck,
    hidden_xlsx,
    hostile,
    lay_out,
    native_pdf,
    odd_names,
    ordinary,
    overlap_bomb,
    scans,
    specials,
)

pytestmark = pytest.mark.xdist_group("dirty_room")  # its rooms and runs are made once

LIMITS = Limits(seconds=90, memory_bytes=800 << 20)  # no file of the room takes as long, however busy the machine is
EVERY_SECOND = 900
"""Far above what the room takes; only what hangs gets there."""
LIBRARY_WORDS = re.compile(
    r"Traceback|File \"|line \d+, in |\b[A-Za-z]+(?:Error|Exception|Warning)\b|lxml|pdfium|PIL|zipfile|<class|0x[0-9a-f]{6}"
)


@dataclass
class Dirty:
    """The room after its first reading, and what had to come of each path."""

    place: Path
    room: Room
    account: Accounting
    seconds: float
    files: list[File]
    odd: list[Special]
    outside: bytes

    def expected(self) -> Iterator[File | Inside | Special]:
        yield from self.files
        yield from INSIDE
        yield from self.odd

    def found(self) -> dict[str, tuple[str, str]]:
        """The status and reason at each path."""
        found = {one.path: (str(one.status), one.reason) for one in self.account.not_read}
        for document in self.room.documents():
            if document.status == "read":
                found |= dict.fromkeys(document.paths, ("read", document.reason))
        return found


def shown(one: File | Inside | Special) -> str:
    return one.shown if isinstance(one, File) else one.path


@pytest.fixture(scope="module")
def dirty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dirty]:
    place = tmp_path_factory.mktemp("dirty")
    outside = place / "outside.txt"
    outside.write_text(OUTSIDE)
    files = [*ordinary(), *scans(bool(ocr.engine())), *hostile(outside), *odd_names()]
    odd = specials(outside)
    lay_out(place / "room", files, odd)
    closed = place / "room" / "closed.txt"
    closed.write_text("Nobody may read this.")
    closed.chmod(0)
    if os.geteuid() == 0:  # the superuser may read everything
        closed.unlink()
    else:
        odd.append(Special("closed.txt", lambda path: None, "permission denied", "unreadable"))
    before = outside.read_bytes()
    began = time.monotonic()
    account = read_room(place / "room", place / "store", limits=LIMITS)
    spent = time.monotonic() - began
    with Room.open(place / "store") as room:
        yield Dirty(place, room, account, spent, files, odd, before)


def test_the_totals_reconcile_and_no_path_is_passed_over(dirty: Dirty) -> None:
    account, found = dirty.account, dirty.found()
    assert account.reconciles
    assert set(found) == {shown(one) for one in dirty.expected()}
    assert account.found == len(found)
    wanted = Counter(one.status for one in dirty.expected())
    assert wanted == {
        "read": account.read,
        "partly_read": account.partly_read,
        "unreadable": account.unreadable,
        "skipped": account.skipped,
    }


def test_each_file_has_its_status_and_its_reason(dirty: Dirty) -> None:
    found = dirty.found()
    wrong = {
        shown(one): (found[shown(one)], one.status, one.reason)
        for one in dirty.expected()
        if found[shown(one)][0] != one.status
        or not re.search(one.reason, found[shown(one)][1])
        or bool(one.status == "read") == bool(found[shown(one)][1])
    }
    assert wrong == {}


def test_each_file_is_of_the_kind_that_its_content_is(dirty: Dirty) -> None:
    kinds = {path: document.kind for document in dirty.room.documents() for path in document.paths}
    wanted = {file.shown: file.kind for file in dirty.files if file.kind}
    assert {path: kinds[path] for path in wanted} == wanted


def test_every_word_of_the_good_files_is_read_beside_the_bad_ones(dirty: Dirty) -> None:
    lost = []
    for one in [*dirty.files, *INSIDE]:
        text = dirty.room.text(shown(one)) if one.words else ""
        lost += [(shown(one), words) for words in one.words if words not in text]
    assert lost == []


def test_no_reason_shows_what_only_a_programmer_reads(dirty: Dirty) -> None:
    said = [one.reason for one in dirty.account.not_read]
    said += [problem for document in dirty.room.documents() for problem in document.problems]
    assert [words for words in said if LIBRARY_WORDS.search(words) or str(dirty.place) in words] == []


def test_the_units_of_each_text_make_it_up(dirty: Dirty) -> None:
    for document in dirty.room.documents():
        for view in document.views if document.status in ("read", "partly_read") else ():
            text, units = dirty.room.text(document.id, view), dirty.room.units(document.id, view)
            assert "\n".join(text[unit.start : unit.end] for unit in units) == text, (document.path, view)
            assert [unit.ordinal for unit in units] == list(range(len(units)))


def test_nothing_outside_the_room_is_read_or_written(dirty: Dirty) -> None:
    assert b"MARKER-7F3A" not in (dirty.place / "store" / "text.bin").read_bytes()
    assert (dirty.place / "outside.txt").read_bytes() == dirty.outside
    assert sorted(path.name for path in dirty.place.iterdir()) == ["outside.txt", "room", "store"]
    assert not list(dirty.place.parent.glob("**/escaped.txt"))
    assert not Path("/etc/absolute.txt").exists()
    assert not dirty.room.grep("MARKER-7F3A")


def test_the_same_bytes_are_one_document_and_the_same_name_is_two(dirty: Dirty) -> None:
    assert dirty.room.document("same/twin.txt").paths == ("same/twin.txt", "again/copy of twin.txt")
    assert dirty.room.document("same/name.txt").id != dirty.room.document("again/name.txt").id
    nested = dirty.room.document("4 mail/chain.eml!/papers.zip!/side letter.txt")
    assert nested.parent == dirty.room.document("4 mail/chain.eml!/papers.zip").id


def test_changes_and_hidden_things_are_told_apart(dirty: Dirty) -> None:
    room = dirty.room
    redline = "2 agreements/redline.docx"
    assert room.text(redline) == "The cap is two million dollars.\nThe secret side letter."
    assert room.text(redline, "original") == "The cap is one million dollars.\nThe secret side letter."
    assert [unit.flags for unit in room.units(redline)] == [("inserted",), ("hidden",)]
    flags = {
        room.text(unit.document)[unit.start : unit.end]: unit.flags for unit in room.units("3 finance/rent roll.xlsx")
    }
    assert "hidden" not in flags["Meridian | 1200"]
    assert "hidden" in flags["Undisclosed rebate | 1200"]
    assert "hidden" in flags["Very hidden loan | 1200"]


def test_nothing_hangs(dirty: Dirty) -> None:
    assert dirty.seconds < EVERY_SECOND


def test_search_and_patterns_reach_all_that_was_read(dirty: Dirty) -> None:
    assert {hit.path for hit in dirty.room.search('"three archives deep"')} == {
        "5 other/three.zip!/two/inner.zip!/one.zip!/deed.txt"
    }
    assert len(dirty.room.grep(r"Odd name number \d+ of the room")) == len(odd_names())
    citation = dirty.room.check("The side letter in the zip in the mail.")
    assert citation.status == "verified"


def test_the_command_line_says_the_same(dirty: Dirty) -> None:
    def told(*verb: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "redwell", "room", *verb], capture_output=True, check=False, timeout=60
        )
        assert done.returncode == 0, done.stderr.decode()
        assert b"Traceback" not in done.stderr
        return done.stdout.decode()

    status: dict[str, Any] = json.loads(told("status", str(dirty.place / "store"), "--json"))
    for name in ("found", "read", "partly_read", "unreadable", "skipped", "characters", "pages"):
        assert status[name] == getattr(dirty.account, name), name
    listed = {(one["path"], one["status"], one["reason"]) for one in status["not_read"]}
    assert listed == {(one.path, one.status, one.reason) for one in dirty.account.not_read}
    plain = told("status", str(dirty.place / "store"))
    assert "\x1b[31m" not in plain
    assert "\u202e" not in plain


def test_a_second_reading_reads_nothing_again(dirty: Dirty) -> None:
    events: list[dict[str, Any]] = []
    again = read_room(dirty.place / "room", dirty.place / "store", limits=LIMITS, progress=events.append)
    assert again == dirty.account
    assert events[-1]["parsed"] == 0


def test_an_archive_that_is_the_room_is_read_as_its_folder_is(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "room.zip", "w") as archive:
        for file in ordinary():
            archive.writestr(file.shown, file.data)
    account = read_room(tmp_path / "room.zip", tmp_path / "store", limits=LIMITS)
    not_read = {one.path: one.status for one in account.not_read}
    assert not_read == {file.shown: file.status for file in ordinary() if file.status != "read"}
    assert account.reconciles


def test_an_archive_of_overlapping_members_is_no_room(tmp_path: Path) -> None:
    (tmp_path / "room.zip").write_bytes(overlap_bomb())
    with pytest.raises(RoomError, match="overlap each other, as in a zip bomb"):
        read_room(tmp_path / "room.zip", tmp_path / "store")


@pytest.mark.skipif(office_program() is None, reason="LibreOffice is not installed on this machine")
def test_old_formats_under_any_name_are_converted(tmp_path: Path) -> None:
    """A room of old files whose names say otherwise; LibreOffice makes them, so that they are real."""
    made, room = tmp_path / "made", tmp_path / "room"
    made.mkdir()
    room.mkdir()
    (made / "letter.docx").write_bytes(word.docx(word.p("The old letter names a price of 41 million.")))
    (made / "roll.xlsx").write_bytes(hidden_xlsx())
    (made / "deck.pptx").write_bytes(deck())
    for source, kind in (("letter.docx", "doc"), ("roll.xlsx", "xls"), ("deck.pptx", "ppt")):
        command = [str(office_program()), f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}", "--headless"]
        command += ["--convert-to", kind, "--outdir", str(made), str(made / source)]
        for _ in range(2):  # a new profile asks to be started again
            if not (made / source).with_suffix(f".{kind}").exists():
                subprocess.run(command, check=False, capture_output=True, timeout=120)
    (room / "letter.docx").write_bytes((made / "letter.doc").read_bytes())
    (room / "roll.pdf").write_bytes((made / "roll.xls").read_bytes())
    (room / "deck").write_bytes((made / "deck.ppt").read_bytes())
    (room / "rich.docx").write_bytes(b"{\\rtf1\\ansi The rent is \\'80 5,000.\\par}")
    (room / "good.pdf").write_bytes(native_pdf())
    account = read_room(room, tmp_path / "store", limits=Limits(seconds=120))
    assert (account.found, account.read) == (5, 5)
    with Room.open(tmp_path / "store") as opened:
        kinds = {document.path: document.kind for document in opened.documents()}
        assert kinds == {"letter.docx": "doc", "roll.pdf": "xls", "deck": "ppt", "rich.docx": "rtf", "good.pdf": "pdf"}
        words = {
            "letter.docx": "41 million",
            "roll.pdf": "Very hidden loan",
            "deck": "Churn doubled",
            "rich.docx": "€ 5,000",
        }
        for path, said in words.items():
            assert said in opened.text(path)
            assert {unit.source for unit in opened.units(path)} == {"converted"}
        assert "its content is RTF" in " ".join(opened.document("rich.docx").problems)
