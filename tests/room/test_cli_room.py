"""`redwell room`: what the verbs print, and how they end."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from redwell.cli.room import room_app


def redwell(*arguments: object) -> tuple[int, str, str]:
    """Exit code, output and errors of a verb."""
    output, errors = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors),
        pytest.raises(SystemExit) as ended,
    ):
        room_app([str(argument) for argument in arguments], prog_name="redwell room")
    return ended.value.code or 0, output.getvalue(), errors.getvalue()  # type: ignore[return-value]


def test_the_verbs_run_in_a_process_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The lease.")
    code = "from redwell.cli.room import room_app; room_app()"
    run = subprocess.run(
        [sys.executable, "-c", code, "read", str(tmp_path), "--store", str(tmp_path / "store"), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert json.loads(run.stdout)["read"] == 1


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("deal") / "Data Room"
    (folder / "1 Contracts").mkdir(parents=True)
    (folder / "1 Contracts" / "msa.txt").write_text(
        "8.2 Change of Control.\n\nEither party may terminate upon a Change of Control."
    )
    (folder / "evil \x1b[31m.txt").write_text("Plain words before it. " * 40 + "Red \x1b]0;title\x07 \u202e text.")
    (folder / "Thumbs.db").write_bytes(b"x")
    (folder / "noise.bin").write_bytes(bytes(range(256)) * 4)
    code, _, errors = redwell("read", folder, "--quiet")
    assert (code, errors) == (0, "")
    return folder


def test_the_store_stands_beside_the_room_by_default_and_is_found_by_the_rooms_name(room: Path) -> None:
    store = room.parent / ".redwell" / "Data Room"
    assert (store / "room.sqlite").is_file()
    assert redwell("status", room) == redwell("status", store)


def test_reading_says_what_was_found(room: Path, tmp_path: Path) -> None:
    code, output, _ = redwell("read", room, "--store", tmp_path / "store", "--jobs", 1)
    assert code == 0
    assert [line.split() for line in output.splitlines()[:5]] == [
        ["4", "found"],
        ["2", "read"],
        ["0", "partly", "read"],
        ["1", "unreadable"],
        ["1", "skipped"],
    ]
    code, output, _ = redwell("read", room, "--store", tmp_path / "store", "--json")
    account = json.loads(output)
    assert (code, account["found"], account["reconciles"], account["store"]) == (0, 4, True, str(tmp_path / "store"))


def test_status_lists_every_file_that_was_not_read_with_its_reason(room: Path) -> None:
    code, output, _ = redwell("status", room)
    assert code == 0
    assert "unreadable  noise.bin: " in output
    assert "skipped     Thumbs.db: a folder's own settings" in output
    account = json.loads(redwell("status", room, "--json")[1])
    assert {one["path"] for one in account["not_read"]} == {"noise.bin", "Thumbs.db"}
    assert account["kinds"]["txt"] == 2


def test_search_shows_where_and_what(room: Path) -> None:
    code, output, _ = redwell("search", room, '"change of control" AND terminate')
    assert code == 0
    assert output.startswith("1 Contracts/msa.txt  [")
    assert "Either party may terminate" in output
    hit = json.loads(redwell("search", room, "terminate", "--json")[1])[0]
    assert (hit["path"], hit["span"]["view"]) == ("1 Contracts/msa.txt", "final")
    assert redwell("search", room, "unicorn") == (1, "", "Nothing was found.\n")
    assert redwell("search", room, "unicorn", "--json") == (1, "[]\n", "")


def test_search_by_date_says_how_many_documents_bear_none(room: Path) -> None:
    code, output, errors = redwell("search", room, "terminate", "--after", "1990")
    assert (code, output) == (1, "")
    assert errors == "2 documents carry no date and were left out.\nNothing was found.\n"
    one = redwell("search", room, "terminate", "--before", "2030", "--folder", "1 Contracts")[2]
    assert one.startswith("1 document carries no date and was left out.\n")
    assert redwell("search", room, "terminate", "--after", "1990", "--json") == (1, "[]\n", "")


def test_grep_shows_each_match_and_says_when_it_stopped(room: Path) -> None:
    code, output, errors = redwell("grep", room, "change of control", "--folder", "1 Contracts", "--limit", 1)
    assert (code, output.count("msa.txt")) == (0, 1)
    assert "stopped at 1" in errors
    assert redwell("grep", room, "CHANGE", "--case") == (1, "", "Nothing matches.\n")


def test_show_prints_a_document_whole_or_by_units(room: Path) -> None:
    code, output, _ = redwell("show", room, "msa.txt")
    assert code == 0
    assert output.startswith("8.2 Change of Control.")
    units = json.loads(redwell("show", room, "msa.txt", "--json")[1])["units"]
    assert [unit["text"] for unit in units][-1].endswith("Change of Control.")
    code, output, _ = redwell("show", room, "msa.txt", "--units", "--from", len(units) - 1)
    assert output.splitlines()[0].split()[0] == str(len(units) - 1)
    assert redwell("show", room, "noise.bin")[0] == 1


def test_nothing_from_a_room_can_steer_the_terminal(room: Path) -> None:
    for arguments in (("show", room, "evil"), ("status", room), ("search", room, "red"), ("grep", room, "red")):
        if arguments[0] == "show":
            path = json.loads(redwell("search", room, "red", "--json")[1])[0]["path"]
            arguments = ("show", room, path)
        _, output, errors = redwell(*arguments)
        assert output
        assert not {"\x1b", "\x07", "\u202e"} & set(output + errors)


def test_documents_that_were_not_read_yet_are_told_how_they_are_read_and_searched(tmp_path: Path) -> None:
    papers, archive = tmp_path / "data room", tmp_path / "room.zip"
    papers.mkdir()
    (papers / "lease.txt").write_text("The rent is due.")
    with zipfile.ZipFile(archive, "w") as file:
        file.write(papers / "lease.txt", "lease.txt")
    for place, named in ((papers, f"'{papers}'"), (archive, str(archive))):
        for verb in (
            ("search", place, "rent"),
            ("grep", place, "rent"),
            ("status", place),
            ("show", place, "lease.txt"),
        ):
            code, _, errors = redwell(*verb)
            assert (code, f"{place} has not been read yet" in errors) == (2, True)
            assert f"`redwell room read {named}` reads it" in errors
            assert f"`redwell room search {named} WORDS`" in errors
            assert "--store" not in errors
        assert redwell("read", place, "-q")[0] == 0
        assert "The rent is due." in redwell("search", place, "rent")[1]
    # What is no room of documents: a folder with nothing in it, with stores alone, and a store that has lost its database.
    lost = tmp_path / ".redwell" / "data room"
    (tmp_path / "empty").mkdir()
    for place in (tmp_path / "empty", tmp_path / ".redwell"):
        assert f"There is no room in {place}. Make one with" in redwell("search", place, "rent")[2]
    (lost / "room.sqlite").unlink()
    assert f"There is no room in {lost}" in redwell("search", lost, "rent")[2]


def test_a_store_is_not_made_among_documents(tmp_path: Path) -> None:
    room, link = tmp_path / "room", tmp_path / "link"
    (room / "leases").mkdir(parents=True)
    (room / "leases" / "lease.txt").write_text("The rent is due.")
    link.symlink_to(room)
    for path, store in ((room, room), (link, room), (room, link), (room / "leases" / "..", room)):
        code, _, errors = redwell("read", path, "--store", store)
        assert (code, f"{store} is the room itself" in errors, "Name another folder with --store" in errors) == (
            2,
            True,
            True,
        )
    for path, store in ((room, room / "leases"), (room / "leases" / "lease.txt", room / "leases"), (room, tmp_path)):
        code, _, errors = redwell("read", path, "--store", store)
        assert (code, f"{store} holds other files" in errors, "--store" in errors) == (2, True, True)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["lease.txt", "leases", "link", "room"]


@pytest.mark.parametrize("by_link", [False, True])
def test_a_store_in_a_folder_of_its_own_inside_the_room_is_no_part_of_the_room(tmp_path: Path, by_link: bool) -> None:
    room, path = tmp_path / "room", tmp_path / "link" if by_link else tmp_path / "room"
    room.mkdir()
    (room / "lease.txt").write_text("The rent is due.")
    (tmp_path / "link").symlink_to(room)
    for _ in range(2):
        assert redwell("read", path, "--store", path / "store", "-q")[0] == 0
        assert json.loads(redwell("status", path / "store", "--json")[1])["found"] == 1
    assert redwell("read", path, "-q")[0] == 0
    assert "store/: a store of Redwell, not a part of the room" in redwell("status", path)[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("read", "missing"), "missing: there is no such folder, archive or file"),
        (("read", ".", "--ocr", "maybe"), "--ocr is auto or off"),
        (("status", "missing"), "There is no room in missing"),
        (("search", "ROOM", '"open'), "never closed"),
        (("search", "ROOM", "x", "--after", "soon"), "'soon' is not a date"),
        (("search", "ROOM", "x", "--flag", "nonsense"), "There is no flag 'nonsense'. The flags are hidden, deleted"),
        (("search", "ROOM", "x", "--kind", "docx"), "of the kind 'docx'. The kinds in it are"),
        (("search", "ROOM", "x", "--folder", "contracts"), "under the folder 'contracts'. Near it: '1 Contracts'."),
        (("grep", "ROOM", "(a"), "not a regular expression"),
        (("show", "ROOM", "nda.txt"), "There is no document 'nda.txt' in this room."),
        (("show", "ROOM", "msa.txt", "--view", "marked"), "has no marked text"),
        (("show", "ROOM", "msa.txt", "--view", "clean"), "--view is final, original or marked"),
    ],
)
def test_bad_input_is_one_plain_sentence_and_exit_code_2(
    room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, output, errors = redwell(*(room if each == "ROOM" else each for each in arguments))
    assert (code, output) == (2, "")
    assert message in errors
    assert errors.count("\n") == 1


def test_a_room_of_which_nothing_can_be_read_ends_with_1(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "empty.txt").touch()
    assert redwell("read", tmp_path / "room", "-q") == (1, "", "")


def test_a_place_that_cannot_be_written_is_said(room: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    code, _, errors = redwell("read", room, "--store", tmp_path / "file" / "store")
    assert code == 2
    assert "Name another with --store" in errors
