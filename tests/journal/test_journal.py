"""The journal keeps what it was given, once, in order, for one writer and any number of readers."""

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redwell.journal.journal import Journal, JournalError

TEXTS = st.text(max_size=400) | st.binary(max_size=400)


def test_an_event_comes_back_as_it_was_given(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {"room": "atlas"}) as journal:
        given_event = journal.append(
            "note", "root.3", {"text": "Müller & Söhne", "n": 7}, body="Größe", raw=b"\x00\xff"
        )
        (event,) = journal.events()
        assert event == given_event
        assert (event.sequence, event.kind, event.agent, event.data) == (
            1,
            "note",
            "root.3",
            {"text": "Müller & Söhne", "n": 7},
        )
        assert journal.text(event.blobs["body"]) == "Größe"
        assert journal.blob(event.blobs["raw"]) == b"\x00\xff"


@settings(max_examples=15, deadline=None)
@given(st.lists(TEXTS, max_size=12))
def test_any_text_survives_closing_and_opening(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str | bytes]
) -> None:
    folder = tmp_path_factory.mktemp("any") / "run"
    with Journal.create(folder, {}) as journal:
        for text in texts:
            journal.append("note", text=text)
    with Journal.open(folder) as journal:
        kept = [journal.blob(event.blobs["text"]) for event in journal.events()]
    assert kept == [text.encode() if isinstance(text, str) else text for text in texts]


def test_a_text_is_stored_once_and_small(tmp_path: Path) -> None:
    text = "The Landlord's consent shall not be unreasonably withheld. " * 2_000
    with Journal.create(tmp_path / "run", {}) as journal:
        for _ in range(50):
            journal.append("note", text=text)
    with sqlite3.connect(tmp_path / "run" / "journal.sqlite") as database:
        assert database.execute("SELECT count(*), max(size) FROM blobs").fetchone() == (1, len(text))
    assert (tmp_path / "run" / "journal.sqlite").stat().st_size < len(text)


def test_events_can_be_asked_for_by_kind_and_from_a_point(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        for kind in ("run.started", "call.sent", "call.completed", "caller", "call.sent"):
            journal.append(kind)
        assert [event.sequence for event in journal.events("call.sent")] == [2, 5]
        assert [event.sequence for event in journal.events("call.")] == [2, 3, 5]
        assert [event.sequence for event in journal.events(("run.started", "caller"))] == [1, 4]
        assert [event.sequence for event in journal.events("call.", after=2)] == [3, 5]
        assert journal.last == 5


def test_more_events_than_a_page_come_in_order(tmp_path: Path) -> None:
    async def fill(journal: Journal) -> None:
        await asyncio.gather(*(journal.append_async("note", data={"n": n}) for n in range(1_203)))

    with Journal.create(tmp_path / "run", {}) as journal:
        asyncio.run(fill(journal))
        events = list(journal.events())
    assert [event.sequence for event in events] == list(range(1, 1_204))
    assert sorted(event.data["n"] for event in events) == list(range(1_203))


def test_callers_that_wait_together_share_commits(tmp_path: Path) -> None:
    async def fill(journal: Journal) -> None:
        await asyncio.gather(*(journal.append_async("note", text=f"text {n}") for n in range(1_000)))

    with Journal.create(tmp_path / "run", {}) as journal:
        before = (tmp_path / "run" / "journal.sqlite-wal").stat().st_size
        asyncio.run(fill(journal))
        grown = (tmp_path / "run" / "journal.sqlite-wal").stat().st_size - before
    # A commit of its own for each would write each touched page a thousand times: at least four pages of 4 KiB a commit.
    assert grown < 1_000 * 4 * 4_096 / 10


def test_threads_and_loops_append_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    async def from_a_loop(journal: Journal, name: str) -> None:
        await asyncio.gather(*(journal.append_async("note", name, {"n": n}, text=f"{name} {n}") for n in range(100)))

    def from_a_thread(journal: Journal, name: str) -> None:
        for n in range(100):
            journal.append("note", name, {"n": n}, text=f"{name} {n}")

    with Journal.create(tmp_path / "run", {}) as journal:
        threads = [threading.Thread(target=from_a_thread, args=(journal, f"thread {i}")) for i in range(3)]
        threads += [
            threading.Thread(target=lambda i=i: asyncio.run(from_a_loop(journal, f"loop {i}"))) for i in range(3)
        ]  # type: ignore[misc]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        events = list(journal.events())
        assert len(events) == 600
        assert len({(event.agent, event.data["n"]) for event in events}) == 600
        assert all(journal.text(event.blobs["text"]) == f"{event.agent} {event.data['n']}" for event in events)


def test_the_data_of_an_event_is_frozen_when_it_is_handed_over(tmp_path: Path) -> None:
    async def append(journal: Journal) -> None:
        data = {"n": 1}
        waiting = asyncio.create_task(journal.append_async("note", data=data))
        await asyncio.sleep(0)
        data["n"] = 2
        await waiting

    with Journal.create(tmp_path / "run", {}) as journal:
        asyncio.run(append(journal))
        assert [event.data for event in journal.events()] == [{"n": 1}]


@pytest.mark.parametrize("data", [{"x": float("nan")}, {"x": object()}, {"x": {1, 2}}])
def test_what_is_not_plain_json_is_refused_and_leaves_no_trace(tmp_path: Path, data: dict[str, object]) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        with pytest.raises(JournalError, match="plain JSON"):
            journal.append("note", data=data)
        journal.append("note", data={"x": 1})
        assert [event.data for event in journal.events()] == [{"x": 1}]


def test_a_broken_character_of_a_model_does_not_end_the_run(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        event = journal.append("note", data={"said": "half a pair: \ud83d"}, text="half a pair: \ud83d")
        assert journal.text(event.blobs["text"]) == "half a pair: \\ud83d"
        assert next(journal.events()).data == {"said": "half a pair: \ud83d"}


def test_the_configuration_is_frozen(tmp_path: Path) -> None:
    given_configuration = {"models": {"root": "playbook"}, "budget": {"dollars": None}}
    with Journal.create(tmp_path / "run", given_configuration) as journal:
        name = journal.id
    with Journal.open(tmp_path / "run", read_only=True) as journal:
        journal.configuration["models"] = "changed"
        assert journal.configuration == given_configuration
        assert journal.versions["python"] == sys.version.split()[0]
        assert (journal.id, len(name)) == (name, 32)
    assert json.loads((tmp_path / "run" / "run.json").read_text())["configuration"] == given_configuration


def test_a_folder_holds_one_run(tmp_path: Path) -> None:
    Journal.create(tmp_path / "run", {}).close()
    with pytest.raises(FileExistsError, match="holds a run already"):
        Journal.create(tmp_path / "run", {})
    Journal.open(tmp_path / "run").close()


def test_a_run_that_was_never_made_to_the_end_can_be_made_again(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        journal.append("note")
    (tmp_path / "run" / "run.json").unlink()
    with Journal.create(tmp_path / "run", {"second": True}) as journal:
        assert list(journal.events()) == []


def test_one_process_writes_and_the_other_is_told_which(tmp_path: Path) -> None:
    script = f"from redwell.journal.journal import Journal\nfrom pathlib import Path\nJournal.open(Path({str(tmp_path / 'run')!r}))"
    with Journal.create(tmp_path / "run", {}):
        other = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
        with pytest.raises(JournalError, match=f"in use by process {os.getpid()}"):
            Journal.open(tmp_path / "run")
    assert f"in use by process {os.getpid()}" in other.stderr
    Journal.open(tmp_path / "run").close()


def test_readers_see_what_was_committed_while_another_process_writes(tmp_path: Path) -> None:
    script = (
        "import sys\nfrom pathlib import Path\nfrom redwell.journal.journal import Journal\n"
        "journal = Journal.create(Path(sys.argv[1]), {})\n"
        "for n in range(300):\n    journal.append('note', data={'n': n}, text=f'text {n}')\n    print(n, flush=True)\n"
        "sys.stdin.read()\n"
    )
    folder = tmp_path / "run"
    writer = subprocess.Popen(
        [sys.executable, "-c", script, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    assert writer.stdin is not None
    try:
        writer.stdout.readline()
        with Journal.open(folder, read_only=True) as one, Journal.open(folder, read_only=True) as two:
            seen: list[int] = []
            for line in writer.stdout:
                reader = one if int(line) % 2 else two
                for event in reader.events(after=len(seen)):
                    seen.append(event.data["n"])
                    assert reader.text(event.blobs["text"]) == f"text {event.data['n']}"
                assert seen[: int(line) + 1] == list(range(int(line) + 1))
                if int(line) == 299:
                    break
            assert seen == list(range(300))
    finally:
        writer.stdin.close()
        writer.wait(10)
        writer.stdout.close()


def test_a_reader_does_not_write(tmp_path: Path) -> None:
    Journal.create(tmp_path / "run", {}).close()
    with (
        Journal.open(tmp_path / "run", read_only=True) as journal,
        pytest.raises(JournalError, match="opened to read only"),
    ):
        journal.append("note")


def test_a_closed_journal_says_so(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "run", {})
    journal.append("note")
    journal.close()
    journal.close()
    with pytest.raises(JournalError, match="closed"):
        journal.append("note")
    with pytest.raises(JournalError, match="closed"):
        list(journal.events())


def test_a_closed_run_is_one_file_and_can_be_read_from_a_disk_that_takes_no_writes(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        journal.append("note", text="kept")
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == [
        "journal.sqlite",
        "lock",
        "output",
        "run.json",
    ]
    (tmp_path / "run").chmod(0o555)
    try:
        with Journal.open(tmp_path / "run", read_only=True) as journal:
            assert [journal.text(event.blobs["text"]) for event in journal.events()] == ["kept"]
    finally:
        (tmp_path / "run").chmod(0o755)
