"""What a user may get wrong is told before anything is read or paid for, in a sentence that names the way out."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from cli.in_process import Done, redwell

from redwell.models.prices import PricesError, load_prices
from redwell.models.types import Usage


def refused(done: Done, *said: str) -> None:
    """It ended as bad input does: exit code 2, and one short message that says all of this."""
    assert done.returncode == 2, done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    for words in said:
        assert words in done.stderr


@pytest.fixture
def room(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    text = "LEASE\n\n1. Tenant shall not assign this Lease without Landlord's prior written consent."
    (folder / "lease.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--root", "openai:x@localhost:8000"), "begins with http:// or https://"),
        (("--sub", "openai:x@10.0.0.5:8000/v1"), "begins with http:// or https://"),
        (("--sub", "playbook"), "playbook can only be used as --root"),
        (("--root", "reader"), "reader can only be used as --sub"),
    ],
)
def test_a_model_that_cannot_be_meant_is_refused_before_the_room_is_read(
    room: Path, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = redwell("diligence", room, "--out", tmp_path / "out", *arguments, OPENAI_API_KEY="sk-none")
    refused(done, said)
    assert not (tmp_path / "out").exists()


def test_a_budget_in_dollars_needs_the_price_of_every_model(room: Path, tmp_path: Path) -> None:
    model = "openai:qwen3@http://127.0.0.1:9/v1"
    arguments = ("diligence", room, "--out", tmp_path / "out", "--sub", model)
    refused(redwell(*arguments, "--budget", 20), model, "REDWELL_PRICES", "leave --budget out", "$20.00")
    assert not (tmp_path / "out").exists()


def test_the_line_that_the_refusal_gives_is_a_price_file(tmp_path: Path) -> None:
    model = "openai:qwen3@http://127.0.0.1:9/v1"
    with pytest.raises(PricesError) as refusal:
        load_prices({}).require([model, "reader"], 20)
    file = tmp_path / "prices.toml"
    file.write_text(str(refusal.value).splitlines()[1].strip())
    prices = load_prices({"REDWELL_PRICES": str(file)})
    prices.require([model, "reader", "openai:gpt-5-mini"], 20)
    assert prices.cost(model, Usage(input=1_000_000, output=1_000_000)) == 2.25
    load_prices({}).require([model], None)


def test_the_folder_of_a_run_is_not_read_as_a_room(room: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert redwell("diligence", room, "--out", out, "-q").returncode == 0
    refused(redwell("diligence", out, "--out", tmp_path / "other"), "is the folder of a run", str(out / "room"))
    assert not (tmp_path / "other").exists()


def test_a_folder_with_other_files_is_not_made_into_a_run(room: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine"
    out.mkdir()
    (out / "thesis.txt").write_text("words")
    refused(redwell("diligence", room, "--out", out), str(out), "thesis.txt", "--out")
    assert [path.name for path in out.iterdir()] == ["thesis.txt"]
    refused(redwell("diligence", room, "--out", out / "thesis.txt"), "is not a folder")


def test_a_room_that_holds_its_own_out_is_read_without_it(room: Path) -> None:
    assert redwell("diligence", room, "--out", room / "out", "-q").returncode == 0
    assert redwell("diligence", room, "--out", room / "out", "-q", "--fresh").returncode == 0
    account = json.loads(redwell("room", "status", room / "out" / "room", "--json").stdout)
    assert account["documents"] == 1, account


def test_an_out_or_a_store_that_is_the_room_itself_is_refused_and_leaves_the_room_as_it_is(
    room: Path, tmp_path: Path
) -> None:
    link, out, only_hidden = tmp_path / "link", tmp_path / "out", tmp_path / "hidden"
    link.symlink_to(room)
    only_hidden.mkdir()
    (only_hidden / ".lease.txt").write_text("LEASE")
    for one, other in ((room, room), (room, link), (link, room), (only_hidden, only_hidden)):
        refused(redwell("diligence", one, "--out", other, "-q"), f"{other} is the room itself", "--out")
        refused(
            redwell("diligence", one, "--out", out, "--store", other, "-q"), f"{other} is the room itself", "--store"
        )
    assert not out.exists()
    assert [path.name for path in room.iterdir()] == ["lease.txt"]
    assert [path.name for path in only_hidden.iterdir()] == [".lease.txt"]


def test_a_store_of_its_own_inside_the_room_is_left_out_of_it(room: Path, tmp_path: Path) -> None:
    store = room / "store"
    assert redwell("diligence", room, "--out", tmp_path / "out", "--store", store, "-q").returncode == 0
    assert json.loads(redwell("room", "status", store, "--json").stdout)["found"] == 1


def test_a_run_that_was_moved_is_checked_and_shown_with_its_own_store(room: Path, tmp_path: Path) -> None:
    out, moved, copied = tmp_path / "out", tmp_path / "moved", tmp_path / "copied"
    assert redwell("diligence", room, "--out", out, "-q").returncode == 0
    shutil.copytree(out, copied)
    out.rename(moved)
    for folder in (moved, copied):
        assert redwell("report", "check", folder).returncode == 0
        assert redwell("run", "trace", folder).returncode == 0
        assert redwell("resume", folder).returncode == 0
    (moved / "room").rename(tmp_path / "store")
    refused(redwell("report", "check", moved), "no room in")
    assert redwell("report", "check", moved, "--store", tmp_path / "store").returncode == 0
    assert redwell("resume", moved, "--store", tmp_path / "store").returncode == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_an_out_that_cannot_be_written_is_named(room: Path, tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o555)
    refused(redwell("diligence", room, "--out", tmp_path / "closed"), f"{tmp_path / 'closed'} cannot be written")


def test_an_out_that_cannot_be_made_is_named(room: Path) -> None:
    refused(redwell("diligence", room, "--out", "/proc/out"), "/proc/out cannot be made")


def test_a_room_without_files_is_told(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    refused(redwell("diligence", tmp_path / "papers", "--out", tmp_path / "out"), f"{tmp_path / 'papers'} has no files")


@pytest.mark.parametrize(
    ("verb", "said"),
    [
        (("diligence",), ("openai:NAME@http://HOST", "3 no call was answered", "--budget", "ROOM")),
        (("room", "read"), ("one for each",)),
        (("report", "check"), ("RUN",)),
    ],
)
def test_help_says_what_is_true(verb: tuple[str, ...], said: tuple[str, ...]) -> None:
    shown = redwell(*verb, "--help", COLUMNS="80")
    assert shown.returncode == 0
    for words in said:
        assert words in shown.stdout
    assert "files ." not in shown.stdout
    assert "{room}" not in shown.stdout


def test_a_run_without_an_answer_ends_with_3_and_says_why_even_when_quiet(room: Path, tmp_path: Path) -> None:
    nobody = "openai:x@http://127.0.0.1:9/v1"
    done = redwell("diligence", room, "--out", tmp_path / "out", "--root", nobody, "--calls", 1, "-q")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("redwell: Report incomplete (failed): ")
    assert done.stderr.count("\n") == 1
    assert (tmp_path / "out" / "output" / "report.md").is_file()
