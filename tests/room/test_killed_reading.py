"""A reading that is killed keeps what it had read, however little that was."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from redwell.room.reading import read_room
from redwell.room.room import Room

SLOW = """
import time
from redwell.room.formats.read import read_file

def read(data, name, limits):
    time.sleep(0.4)
    return read_file(data, name, limits)
"""
READ = "import sys; from redwell.room.reading import read_room; read_room(sys.argv[1], sys.argv[2], jobs=1, reader=sys.argv[3])"


def kept(store: Path) -> dict[str, int]:
    """The documents that are in the store for good, with their numbers, which a second reading would change."""
    try:
        with closing(sqlite3.connect(f"{(store / 'room.sqlite').as_uri()}?mode=ro", uri=True)) as database:
            return dict(database.execute("SELECT id, key FROM documents"))
    except sqlite3.OperationalError:
        return {}


def test_a_few_slow_documents_survive_a_kill_and_are_not_read_again(tmp_path: Path) -> None:
    files, store, reader = tmp_path / "files", tmp_path / "store", tmp_path / "slow.py"
    files.mkdir()
    for number in range(8):
        (files / f"note-{number}.txt").write_text(f"Note {number} is about a consent.")
    reader.write_text(SLOW)
    process = subprocess.Popen([sys.executable, "-c", READ, str(files), str(store), f"{reader}:read"])
    deadline = time.monotonic() + 60
    while not kept(store):
        assert process.poll() is None, "the whole room was read before anything of it was kept"
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.kill()
    process.wait()
    before = kept(store)
    assert 0 < len(before) < 8
    assert read_room(files, store, jobs=1).read == 8
    after = kept(store)
    assert {identity: after[identity] for identity in before} == before
    with Room.open(store) as room:
        assert len(room.search("consent")) == 8


def test_a_store_that_was_finished_just_before_a_kill_is_whole_for_a_session_too(tmp_path: Path) -> None:
    """A session has the one SQLite file and nothing beside it."""
    files, store = tmp_path / "files", tmp_path / "store"
    files.mkdir()
    for number in range(3):
        (files / f"note-{number}.txt").write_text(f"Note {number} is about a consent.")
    code = (
        "import os, signal, sys; from redwell.room.reading import read_room; read_room(sys.argv[1], sys.argv[2], jobs=1, "
        "progress=lambda told: os.kill(os.getpid(), signal.SIGKILL) if told['stage'] == 'indexing' else None)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(files), str(store)], check=False).returncode == -9
    with Room.open(store) as room:
        assert len(room.documents()) == 3
        alone = f"{(store / 'room.sqlite').as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(alone, uri=True)) as database:
            assert database.execute("SELECT count(*) FROM documents").fetchone() == (3,)
        assert len(room.search("consent")) == 3
