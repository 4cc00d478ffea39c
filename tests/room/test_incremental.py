"""Reading again: only what is new or changed is parsed, what went away is remembered, and documents inside documents follow."""

from __future__ import annotations

import io
import os
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

from redwell.room import paths
from redwell.room.room import Room, RoomError, read_room
from redwell.room.store import Writer
from redwell.room.types import Accounting, Limits
from redwell.room.wire import Reading


def write(path: Path, words: str, *, ago: float = 100) -> None:
    """A file whose time stamp is old enough to be trusted."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(words)
    stamp = time.time() - ago
    os.utime(path, (stamp, stamp))


def zipped(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


class Reader:
    """Reads a room and notes how many files were parsed."""

    def __init__(self, tmp_path: Path) -> None:
        self.room, self.store = tmp_path / "room", tmp_path / "store"
        self.room.mkdir()
        self.parsed = 0

    def __call__(self, **options: Any) -> Accounting:
        def tell(event: dict[str, Any]) -> None:
            self.parsed = event["parsed"]

        account = read_room(self.room, self.store, progress=tell, **options)
        assert account.reconciles
        return account

    def paths(self) -> list[tuple[str, ...]]:
        with Room.open(self.store) as room:
            return [document.paths for document in room.documents()]


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    return Reader(tmp_path)


def test_a_second_reading_parses_only_what_is_new_or_changed(reader: Reader) -> None:
    for i in range(5):
        write(reader.room / f"{i}.txt", f"Agreement {i}.")
    first = reader()
    assert (reader.parsed, first.read) == (5, 5)
    assert reader() == first
    assert reader.parsed == 0
    write(reader.room / "2.txt", "Amended agreement.", ago=50)
    write(reader.room / "new.txt", "A new one.")
    assert reader().read == 6
    assert reader.parsed == 2
    with Room.open(reader.store) as room:
        assert room.text("2.txt") == "Amended agreement."
        assert [hit.path for hit in room.search("amended")] == ["2.txt"]
        assert {hit.path for hit in room.search("agreement")} == {"0.txt", "1.txt", "2.txt", "3.txt", "4.txt"}


def test_a_change_that_keeps_size_and_time_is_seen_while_the_file_is_young(reader: Reader) -> None:
    write(reader.room / "a.txt", "Rent is 10.", ago=0)
    stamp = (reader.room / "a.txt").stat().st_mtime_ns
    reader()
    with open(reader.room / "a.txt", "r+") as file:
        file.write("Rent is 99.")
    os.utime(reader.room / "a.txt", ns=(stamp, stamp))
    reader()
    with Room.open(reader.store) as room:
        assert room.text("a.txt") == "Rent is 99."


def test_what_went_away_is_kept_and_marked_and_can_come_back(reader: Reader) -> None:
    write(reader.room / "stays.txt", "The agreement that stays.")
    write(reader.room / "goes.txt", "The agreement that goes.")
    reader()
    with Room.open(reader.store) as room:
        gone, identity = room.document("goes.txt"), room.id
    (reader.room / "goes.txt").unlink()
    assert reader().found == 1
    with Room.open(reader.store) as room:
        assert [document.path for document in room.documents()] == ["stays.txt"]
        assert room.document(gone.id).removed
        assert room.document(gone.id).path == "goes.txt"
        assert room.text(gone.id) == "The agreement that goes."
        assert [hit.path for hit in room.search("agreement")] == ["stays.txt"]
        assert [match.path for match in room.grep("agreement")] == ["stays.txt"]
        assert not room.check("The agreement that goes").holds
        assert room.id != identity
    write(reader.room / "goes.txt", "The agreement that goes.")
    assert reader().found == 2
    assert reader.parsed == 0
    with Room.open(reader.store) as room:
        assert room.id == identity
        assert len(room.search("agreement")) == 2


def test_the_same_bytes_at_two_paths_are_one_document_and_the_same_name_twice_is_two(reader: Reader) -> None:
    write(reader.room / "a" / "lease.txt", "One lease.")
    write(reader.room / "b" / "lease.txt", "Another lease.")
    write(reader.room / "copy of lease.txt", "One lease.")
    account = reader()
    assert (account.found, account.read, account.documents) == (3, 3, 2)
    assert reader.paths() == [("a/lease.txt", "copy of lease.txt"), ("b/lease.txt",)]


def test_a_document_is_called_by_a_path_that_is_not_named_a_copy(reader: Reader) -> None:
    write(reader.room / "a" / "lease (copy).txt", "One lease.")
    write(reader.room / "b" / "lease.txt", "One lease.")
    reader()
    assert reader.paths() == [("b/lease.txt", "a/lease (copy).txt")]


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("a/lease (copy).docx", True),
        ("Copy of lease.docx", True),
        ("lease - Copy.docx", True),
        ("lease (1).pdf", True),
        ("copy/lease.docx", False),
        ("copyright licence.docx", False),
        ("lease (2024).docx", False),
    ],
)
def test_names_of_copies(path: str, named: bool) -> None:
    assert paths.named_copy(path) is named


def test_a_file_that_only_moved_is_not_parsed_again(reader: Reader) -> None:
    write(reader.room / "a.txt", "The lease.")
    reader()
    (reader.room / "a.txt").rename(reader.room / "b.txt")
    reader()
    assert reader.parsed == 0
    assert reader.paths() == [("b.txt",)]


def test_documents_inside_documents_have_paths_through_them(reader: Reader) -> None:
    inner = zipped({"deep/lease.txt": b"The lease.", "Thumbs.db": b"x", "empty.txt": b""})
    data = zipped({"inner.zip": inner, "note.txt": b"A note."})
    (reader.room / "outer.zip").write_bytes(data)
    (reader.room / "copy").mkdir()
    (reader.room / "copy" / "outer.zip").write_bytes(data)
    account = reader()
    assert reader.parsed == 4
    assert (account.found, account.skipped) == (12, 4)
    assert ("copy/outer.zip!/inner.zip!/deep/lease.txt", "outer.zip!/inner.zip!/deep/lease.txt") in reader.paths()
    with Room.open(reader.store) as room:
        lease = room.document("outer.zip!/inner.zip!/deep/lease.txt")
        assert lease.parent == room.document("outer.zip!/inner.zip").id
        assert room.document(lease.parent or "").parent == room.document("outer.zip").id
        assert [hit.path for hit in room.search("lease", folder="outer.zip")] == [lease.path]
        assert "lease.txt" in room.tree()
    assert reader() == account
    (reader.room / "copy" / "outer.zip").unlink()
    assert reader().found == 6
    assert ("outer.zip!/inner.zip!/deep/lease.txt",) in reader.paths()


def test_a_member_whose_own_reading_was_lost_is_read_again_through_its_archive(reader: Reader) -> None:
    (reader.room / "outer.zip").write_bytes(zipped({"inner.zip": zipped({"lease.txt": b"The lease."})}))
    os.utime(reader.room / "outer.zip", (1e9, 1e9))
    whole = reader()
    writer = Writer(reader.store)
    key = writer.database.execute("SELECT key FROM documents WHERE path LIKE '%lease.txt'").fetchone()
    for table, column in (("documents", "key"), ("text_rows", "document"), ("unit_rows", "document")):
        writer.database.execute(f"DELETE FROM {table} WHERE {column} = ?", key)
    writer.flush()
    writer.close(finished=True)
    assert reader() == whole
    assert reader.parsed == 3


def test_what_was_not_read_is_tried_again_when_the_means_have_changed(reader: Reader) -> None:
    write(reader.room / "a.bin", "\0\1\2\3 no document at all \xff" * 50)
    assert reader(ocr="off").unreadable == 1
    reader(ocr="off")
    assert reader.parsed == 0
    reader(ocr="auto")
    assert reader.parsed == 1


def test_archives_inside_archives_end_at_the_limit(reader: Reader) -> None:
    data = b"The innermost words."
    for depth in range(12):
        data = zipped({f"{depth}.zip" if depth else "a.txt": data})
    (reader.room / "deep.zip").write_bytes(data)
    account = reader(limits=Limits(archive_depth=8))
    assert [one.reason for one in account.not_read] == ["nested deeper than 8 files inside one another"]
    assert account.found == 10


def test_archives_that_unfold_without_end_are_cut_off(reader: Reader) -> None:
    level = [zipped({"a.txt": b"words %d" % i}) for i in range(10)]
    for depth in range(2):
        level = [
            zipped({f"{i}.zip": data for i, data in enumerate(level)}) + bytes(depth * 10 + copy) for copy in range(10)
        ]
    (reader.room / "bomb.zip").write_bytes(zipped({f"{i}.zip": data for i, data in enumerate(level)}))
    account = reader(limits=Limits(entries=25))
    assert any("too many or too large" in one.reason for one in account.not_read)
    assert reader.parsed <= 26


def test_an_archive_that_holds_itself_has_an_end(tmp_path: Path) -> None:
    writer = Writer(tmp_path)
    itself = "a" * 64
    writer.add(
        itself, 10, "", Reading("zip", "read"), [("again.zip", itself, "read", ""), ("more.zip", itself, "read", "")]
    )
    writer.files([("quine.zip", 10, 1, 1, itself, "read", "")])
    writer.flush()
    found = list(paths.expand(writer.database))
    writer.close(finished=True)
    assert len(found) <= paths.PATHS_PER_FILE + 10
    assert any("too many times" in place.reason for place in found)
    assert max(len(place.path) for place in found) < 1_000


def test_progress_tells_stages_and_totals(reader: Reader) -> None:
    for i in range(3):
        write(reader.room / f"{i}.txt", "twelve chars")
    events: list[dict[str, Any]] = []
    read_room(reader.room, reader.store, progress=events.append, jobs=1)
    assert [event["stage"] for event in events if event["stage"] != "reading"] == ["indexing", "done"]
    last = events[-1]
    assert (last["found"], last["files"], last["parsed"], last["characters"]) == (3, 3, 1, 12)


def test_a_store_of_one_room_refuses_another_but_follows_a_room_that_moved(reader: Reader, tmp_path: Path) -> None:
    write(reader.room / "a.txt", "The lease.")
    reader()
    (tmp_path / "other").mkdir()
    with pytest.raises(RoomError, match="is of another room"):
        read_room(tmp_path / "other", reader.store)
    moved = reader.room.rename(tmp_path / "moved")
    assert read_room(moved, reader.store).found == 1
