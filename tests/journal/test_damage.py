"""Damage, a full disk, a wrong folder: a plain reason, never a traceback and never a wrong answer."""

import asyncio
import re
import resource
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from redwell.journal.journal import Journal, JournalError


async def _fill(journal: Journal) -> None:
    await asyncio.gather(*(journal.append_async("note", data={"n": n}, text=f"text {n} " * 50) for n in range(200)))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    with Journal.create(tmp_path / "run", {}) as journal:
        asyncio.run(_fill(journal))
    return tmp_path / "run"


def test_a_folder_without_a_run(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="holds no run"):
        Journal.open(tmp_path)
    with pytest.raises(JournalError, match="holds no run"):
        Journal.open(tmp_path / "nowhere", read_only=True)
    (tmp_path / "file").write_text("x")
    with pytest.raises(JournalError, match="not a folder"):
        Journal.open(tmp_path / "file")


@pytest.mark.parametrize("content", ["", "{", "[]", '{"configuration": 3}'])
def test_a_damaged_run_file(run: Path, content: str) -> None:
    (run / "run.json").write_text(content)
    with pytest.raises(JournalError, match=r"run\.json is damaged"):
        Journal.open(run)


def test_a_missing_journal(run: Path) -> None:
    (run / "journal.sqlite").unlink()
    with pytest.raises(JournalError, match="the journal is missing"):
        Journal.open(run)


@pytest.mark.parametrize("read_only", [True, False])
def test_a_file_that_is_no_journal(run: Path, read_only: bool) -> None:
    (run / "journal.sqlite").write_bytes(b"not a database at all, but long enough to have a header of sorts" * 40)
    with pytest.raises(JournalError, match="damaged or not a journal"):
        Journal.open(run, read_only=read_only)


def test_another_database(run: Path) -> None:
    (run / "journal.sqlite").unlink()
    with sqlite3.connect(run / "journal.sqlite") as database:
        database.execute("CREATE TABLE contacts (name TEXT)")
    with pytest.raises(JournalError, match="not a Redwell journal"):
        Journal.open(run, read_only=True)


def test_a_later_format_is_not_guessed_at(run: Path) -> None:
    with sqlite3.connect(run / "journal.sqlite") as database:
        database.execute("PRAGMA user_version = 99")
    with pytest.raises(JournalError, match="format 99"):
        Journal.open(run)


def test_overwritten_pages_are_noticed_before_anything_is_written(run: Path) -> None:
    path = run / "journal.sqlite"
    data = bytearray(path.read_bytes())
    data[8_192:20_480] = b"\xa5" * 12_288
    path.write_bytes(data)
    with pytest.raises(JournalError, match="damaged"):
        Journal.open(run)


def test_a_missing_event_is_noticed(run: Path) -> None:
    with sqlite3.connect(run / "journal.sqlite") as database:
        database.execute("DELETE FROM events WHERE sequence = 77")
    with pytest.raises(JournalError, match="1 of its 200 events are missing"):
        Journal.open(run)


def test_a_text_that_was_changed_is_not_given_out(run: Path) -> None:
    with sqlite3.connect(run / "journal.sqlite") as database:
        database.execute("UPDATE blobs SET deflated = 0, bytes = 'forged' WHERE rowid = 1")
    with Journal.open(run, read_only=True) as journal:
        first, *others = [event.blobs["text"] for event in journal.events()]
        with pytest.raises(JournalError, match="does not match its digest"):
            journal.text(first)
        assert all(journal.text(digest) for digest in others)


def test_an_unknown_digest_is_refused(run: Path) -> None:
    with Journal.open(run, read_only=True) as journal:
        with pytest.raises(JournalError, match="no text with the digest"):
            journal.blob("00" * 32)
        with pytest.raises(JournalError, match="not a SHA-256"):
            journal.blob("not hex")


FULL = """
import resource, signal, sys
from pathlib import Path
from redwell.journal.journal import Journal, JournalError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
journal = Journal.create(Path(sys.argv[1]), {})
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
acknowledged = 0
try:
    for number in range(2_000):
        journal.append("note", data={"n": number}, text=str(number) + "%x" % (7 ** 900 + number))
        acknowledged += 1
except JournalError as error:
    print(acknowledged, error, sep="|", flush=True)
import os
os._exit(0)
"""


def test_a_disk_that_will_take_no_more_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    assert resource.RLIMIT_FSIZE  # the limit stands in for the end of the disk: the write fails in the same place
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path / "run")], capture_output=True, text=True, check=True
    )
    count, _, message = done.stdout.strip().partition("|")
    assert "disk" in message
    assert "Traceback" not in done.stderr
    with Journal.open(tmp_path / "run") as journal:
        assert [event.data["n"] for event in journal.events()][: int(count)] == list(range(int(count)))
        assert 10 < int(count) < 2_000
        journal.append("note", data={"after": True})


@pytest.mark.parametrize("data", ['{"n":1},{"n":2}', "{", "[", '"]["'])
def test_an_event_that_is_not_one_value_is_named_whatever_the_events_beside_it_say(run: Path, data: str) -> None:
    with sqlite3.connect(run / "journal.sqlite") as database:
        database.execute("UPDATE events SET data = ? WHERE sequence = 7", (data,))
    with Journal.open(run, read_only=True) as journal:
        if data == '"]["':  # JSON, if not what an event holds
            assert [event.data for event in journal.events()][6] == "]["
        else:
            with pytest.raises(JournalError, match="damaged at event 7"):
                list(journal.events())


@pytest.mark.parametrize("read_only", [True, False])
def test_a_schema_that_is_no_text_is_damage(run: Path, read_only: bool) -> None:
    path = run / "journal.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = path.read_bytes()
    for place in (found.start() for found in re.finditer(rb"events|blobs", whole[:4096])):
        path.write_bytes(whole[:place] + b"\xfe\x8c" + whole[place + 2 :])
        try:
            with Journal.open(run, read_only=read_only) as journal:
                list(journal.events())
        except JournalError as error:
            assert "damaged" in str(error)  # noqa: PT017 - a change that does no harm is no fault
