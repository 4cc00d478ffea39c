"""Finding files: everything in a room is either read or listed with its reason, and nothing outside is opened."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import socket
import stat
import zipfile
from pathlib import Path

import pytest
from room_builder import let_others_in

from redwell.journal.journal import Journal
from redwell.room.room import RoomError, read_room
from redwell.room.types import Limits, Skipped, Unreadable
from redwell.room.walk import Entry, _member_reader, walk


def found(root: Path, **options: object) -> dict[str, Entry | Skipped]:
    return {entry.path: entry for entry in walk(root, Limits(), **options)}  # type: ignore[arg-type]


def reason(entry: Entry | Skipped) -> str:
    assert isinstance(entry, Skipped)
    return entry.reason


def test_what_is_no_document_is_listed_with_its_reason(tmp_path: Path) -> None:
    room = tmp_path / "room"
    (room / "__MACOSX").mkdir(parents=True)
    for name in (
        "~$lease.docx",
        ".~lock.lease.odt#",
        "Thumbs.db",
        ".DS_Store",
        "desktop.ini",
        "__MACOSX/lease.docx",
        "._lease.docx",
    ):
        (room / name).write_bytes(b"x")
    (room / "lease.txt").write_text("words")
    os.mkfifo(room / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as bound:
        old = os.getcwd()
        os.chdir(room)  # a socket's path must be short
        bound.bind("socket.txt")
        os.chdir(old)
        entries = found(room)
    assert [path for path, entry in entries.items() if isinstance(entry, Entry)] == ["lease.txt"]
    assert len(entries) == 10
    assert "lock file" in reason(entries["~$lease.docx"])
    assert "lock file" in reason(entries[".~lock.lease.odt#"])
    assert reason(entries["pipe.txt"]) == "a named pipe, not a file"
    assert reason(entries["socket.txt"]) == "a socket, not a file"


def test_runs_and_stores_are_no_evidence_and_are_listed_in_one_line_each(tmp_path: Path) -> None:
    room = tmp_path / "room"
    (room / "contracts").mkdir(parents=True)
    (room / "contracts" / "lease.txt").write_text("words of the lease")
    read_room(room, room / "old store", jobs=1)
    Journal.create(room / "out", {"kind": "diligence"}).close()
    (room / "out" / "output" / "report.md").write_text("What an earlier run said.")
    # Names alone do not hide documents.
    (room / "papers").mkdir()
    for name in ("run.json", "journal.sqlite", "room.sqlite", "text.bin", "nda.txt"):
        (room / "papers" / name).write_text("words of the agreement")
    entries = found(room)
    assert reason(entries["out/"]) == "the folder of a run of Redwell, not a part of the room"
    assert reason(entries["old store/"]) == "a store of Redwell, not a part of the room"
    assert isinstance(entries["papers/nda.txt"], Entry)
    assert len(entries) == 2 + 5 + 1
    account = read_room(room, tmp_path / "store", jobs=1)
    assert account.reconciles
    assert account.skipped == 2


def test_a_run_or_a_store_is_not_read_as_a_room(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "lease.txt").write_text("words")
    read_room(tmp_path / "room", tmp_path / "out" / "room", jobs=1)
    Journal.create(tmp_path / "out", {"kind": "diligence"}).close()
    with pytest.raises(RoomError, match=r"is the folder of a run of Redwell, not a room.*its store, .*out/room"):
        read_room(tmp_path / "out", tmp_path / "other", jobs=1)
    with pytest.raises(RoomError, match="is a store of Redwell, not a room"):
        read_room(tmp_path / "out" / "room", tmp_path / "other", jobs=1)
    assert not (tmp_path / "other").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="making a device takes the superuser")
def test_a_device_is_never_opened(tmp_path: Path) -> None:
    try:
        os.mknod(tmp_path / "zero.txt", stat.S_IFCHR | 0o600, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("devices cannot be made here")
    assert reason(found(tmp_path)["zero.txt"]) == "a device, not a file"


def test_links_are_listed_and_never_followed(tmp_path: Path) -> None:
    room, outside = tmp_path / "room", tmp_path / "outside.txt"
    (room / "a").mkdir(parents=True)
    outside.write_text("secret")
    (room / "a" / "inside.txt").write_text("words")
    (room / "out.txt").symlink_to(outside)
    (room / "etc").symlink_to("/etc")
    (room / "again").symlink_to(room)
    (room / "alias.txt").symlink_to(room / "a" / "inside.txt")
    (room / "nothing.txt").symlink_to(room / "missing")
    (room / "ring").symlink_to(room / "ring")
    entries = found(room)
    assert set(entries) == {"a/inside.txt", "out.txt", "etc", "again", "alias.txt", "nothing.txt", "ring"}
    assert "leaves the room" in reason(entries["out.txt"])
    assert "leaves the room" in reason(entries["etc"])
    assert reason(entries["alias.txt"]) == "a link to a/inside.txt, which is read where it stands"
    assert "nothing" in reason(entries["nothing.txt"])
    assert "itself" in reason(entries["ring"])


def test_a_file_that_becomes_a_link_after_it_was_found_is_not_followed(tmp_path: Path) -> None:
    room, outside = tmp_path / "room", tmp_path / "outside.txt"
    room.mkdir()
    outside.write_text("secret")
    (room / "a.txt").write_text("words")
    entry = found(room)["a.txt"]
    (room / "a.txt").unlink()
    (room / "a.txt").symlink_to(outside)
    assert isinstance(entry, Entry)
    with pytest.raises(Unreadable):
        entry.read()


def test_a_file_that_goes_away_or_becomes_a_pipe_has_a_reason(tmp_path: Path) -> None:
    for name in ("gone", "pipe"):
        (tmp_path / name).write_text("words")
    gone, pipe = (entry for entry in found(tmp_path).values() if isinstance(entry, Entry))
    for name in ("gone", "pipe"):
        (tmp_path / name).unlink()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unreadable, match="went away"):
        gone.read()
    with pytest.raises(Unreadable, match="not a file"):
        pipe.read()


NAMES = (
    b"caf\xe9.txt",  # Latin-1
    "Société.txt".encode(),
    "Socie\u0301te\u0301.txt".encode(),
    b"Lease.txt",
    b"lease.txt",
    b"new\nline \x1b[31m.txt",
    b" space. ",
    b"Exhibit #3 \xe2\x80\x93 50% cap & co+.txt",
    ("約" * 83 + ".txt").encode(),  # 253 bytes
    b"-rf.txt",
)


def test_every_name_that_a_disk_allows_is_read_under_a_name_of_its_own(tmp_path: Path) -> None:
    room = os.fsencode(tmp_path / "room")
    os.mkdir(room)
    for i, name in enumerate(NAMES):
        with open(os.path.join(room, name), "wb") as file:
            file.write(b"Document number %d of the room." % i)
    account = read_room(tmp_path / "room", tmp_path / "store")
    assert (account.found, account.read) == (len(NAMES), len(NAMES))
    paths = set(found(tmp_path / "room"))
    assert {"caf\\xe9.txt", "Société.txt", "Socie\u0301te\u0301.txt", "Lease.txt", "lease.txt"} <= paths
    assert len(paths) == len(NAMES)


def test_names_that_print_alike_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "a\\xff.txt").write_text("one")
    with open(os.path.join(os.fsencode(tmp_path), b"a\xff.txt"), "w") as file:
        file.write("two")
    assert set(found(tmp_path)) == {"a\\xff.txt", "a\\xff.txt (2)"}


def _reasons_for_nobody(room: Path, answer: multiprocessing.connection.Connection) -> None:
    if os.geteuid() == 0:
        os.setgroups([])
        os.setegid(65534)
        os.seteuid(65534)
    reasons: dict[str, str] = {}
    for entry in walk(room, Limits()):
        if isinstance(entry, Skipped):
            reasons[entry.path] = f"{entry.status}: {entry.reason}"
            continue
        try:
            reasons[entry.path] = entry.read().decode()
        except Unreadable as error:
            reasons[entry.path] = error.reason
    answer.send(reasons)


def test_files_and_folders_without_permission_are_unreadable_with_that_reason(tmp_path: Path) -> None:
    let_others_in(tmp_path)
    room = tmp_path / "room"
    (room / "closed").mkdir(parents=True)
    (room / "closed" / "x.txt").write_text("x")
    (room / "open.txt").write_text("words")
    (room / "secret.txt").write_text("words too")
    (room / "secret.txt").chmod(0)
    (room / "closed").chmod(0)
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=_reasons_for_nobody, args=(room, theirs))
    process.start()
    theirs.close()
    reasons = ours.recv()
    process.join()
    (room / "closed").chmod(0o755)
    assert reasons == {
        "open.txt": "words",
        "secret.txt": "permission denied",
        "closed/": "unreadable: the folder cannot be opened: permission denied",
    }


def test_empty_files_are_skipped_with_that_reason(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    for name in ("a.txt", "b.pdf"):
        (tmp_path / "room" / name).touch()
    account = read_room(tmp_path / "room", tmp_path / "store")
    assert [one.reason for one in account.not_read] == ["the file is empty (0 bytes)"] * 2
    assert account.skipped == account.found == 2


def test_a_store_inside_the_room_is_no_part_of_it(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("words")
    first = read_room(tmp_path, tmp_path / "store")
    assert read_room(tmp_path, tmp_path / "store") == first
    assert first.found == 1


def test_a_single_file_is_a_room(tmp_path: Path) -> None:
    (tmp_path / "lease.txt").write_text("words")
    account = read_room(tmp_path / "lease.txt", tmp_path / "store")
    assert (account.found, account.read) == (1, 1)


def archive(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return path


def test_a_zip_archive_is_a_room_and_is_not_unpacked(tmp_path: Path) -> None:
    members = {
        "a/lease.txt": b"The lease.",
        "../../escape.txt": b"Words of a name that climbs.",
        "/root.txt": b"Words of an absolute name.",
        "__MACOSX/a/._lease.txt": b"x",
        "bomb.txt": b"0" * (64 << 20),
    }
    entries = found(archive(tmp_path / "room.zip", members))
    assert set(entries) == {"a/lease.txt", "escape.txt", "root.txt", "__MACOSX/a/._lease.txt", "bomb.txt"}
    account = read_room(tmp_path / "room.zip", tmp_path / "store")
    assert (account.found, account.read, account.unreadable, account.skipped) == (5, 3, 1, 1)
    assert any("bomb" in one.reason for one in account.not_read if one.path == "bomb.txt")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["room.zip", "store"]


def test_an_archive_unfolds_to_no_more_than_it_may(tmp_path: Path) -> None:
    path = archive(tmp_path / "room.zip", {"a.txt": b"first", "b.txt": b"second"})
    with zipfile.ZipFile(path) as opened:
        left = [8]
        first, second = (_member_reader(opened, member, Limits(), left) for member in opened.infolist())
        assert first() == b"first"
        with pytest.raises(Unreadable, match="after the point where the archive's limit was reached"):
            second()


def test_a_damaged_member_of_an_archive_costs_only_itself(tmp_path: Path) -> None:
    path = archive(tmp_path / "room.zip", {"a.txt": b"first words" * 50, "b.txt": b"second words" * 50})
    data = bytearray(path.read_bytes())
    data[data.index(b"a.txt") + 8] ^= 0xFF
    path.write_bytes(data)
    account = read_room(path, tmp_path / "store")
    assert (account.read, account.unreadable) == (1, 1)
    assert account.not_read[0].path == "a.txt"


def test_what_cannot_be_a_room_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RoomError, match="There is nothing at"):
        read_room(tmp_path / "missing", tmp_path / "store")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(RoomError, match="neither a folder nor a file"):
        read_room(tmp_path / "pipe", tmp_path / "store")
    (tmp_path / "file").write_text("x")
    with pytest.raises(RoomError, match="cannot be written"):
        read_room(tmp_path, tmp_path / "file" / "store")
