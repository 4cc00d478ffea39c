"""The index of SQLite alone: used when tantivy is not there, and kept in step without being rebuilt."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from room_builder import build, let_others_in, text

from redwell.room.room import Room, read_room


def test_without_tantivy_the_same_search_runs_on_sqlite(tmp_path: Path) -> None:
    build(tmp_path, {"a.txt": text("A change of control."), "b.txt": text("Nothing of note.")}).close()
    code = (
        "import sys; sys.modules['tantivy'] = None\n"
        "import importlib.util as u; real = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'tantivy' else real(name, *a)\n"
        "from redwell.room.room import Room\n"
        "print([hit.path for hit in Room.open(sys.argv[1]).search('\"change of control\"')])"
    )
    run = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("['a.txt']\n", "")
    assert (tmp_path / "index" / "fts" / "fts.sqlite").is_file()


@pytest.mark.parametrize("engine", ["fts", "tantivy"])
def test_documents_that_come_and_go_are_followed(tmp_path: Path, engine: str) -> None:
    room = tmp_path / "room"
    room.mkdir()
    for i in range(4):
        (room / f"{i}.txt").write_text(f"Agreement number {i}.")
    read_room(room, tmp_path / "store", engine=engine)
    (room / "0.txt").unlink()
    (room / "1.txt").write_text("Amended agreement.")
    (room / "4.txt").write_text("Agreement number four.")
    read_room(room, tmp_path / "store", engine=engine)
    with Room.open(tmp_path / "store", engine=engine) as opened:
        assert sorted(hit.path for hit in opened.search("agreement")) == ["1.txt", "2.txt", "3.txt", "4.txt"]
        assert [hit.path for hit in opened.search("amended")] == ["1.txt"]


def test_rows_that_an_update_broke_off_are_not_doubled(tmp_path: Path) -> None:
    documents = {"a.txt": text("One agreement."), "b.txt": text("Two agreements.")}
    with build(tmp_path, documents, engine="fts") as room:
        assert len(room.search("agreement")) == 2
    (tmp_path / "index" / "fts.json").write_text('{"version": 1, "documents": [1]}')  # as before the second came
    with Room.open(tmp_path, engine="fts") as room:
        assert len(room.search("agreement")) == 2


@pytest.mark.parametrize("engine", ["fts", "tantivy"])
def test_a_store_that_cannot_be_written_is_searched_all_the_same(tmp_path: Path, engine: str) -> None:
    store = tmp_path / "store"
    build(store, {"a.txt": text("A change of control.")}, engine=engine).close()
    for indexed in (False, True):
        if indexed:
            with Room.open(store, engine=engine) as room:
                room.search("control")
        before = sorted(path.name for path in store.rglob("*"))
        code = (
            "import os, sys, tempfile, redwell.room.fts, redwell.room.tantivy_index\n"
            "from redwell.room.room import Room\n"
            "if os.geteuid() == 0: os.setgroups([]); os.setegid(65534); os.seteuid(65534)\n"
            "room = Room.open(sys.argv[1], engine=sys.argv[2])\n"
            "print(len(room.search('control')), len(room.grep('control')))\n"
        )
        for path in [store, *store.rglob("*")]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        let_others_in(tmp_path)
        run = subprocess.run(
            [sys.executable, "-c", code, str(store), engine], capture_output=True, text=True, check=False
        )
        for path in [store, *store.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
        assert (run.stdout, run.stderr) == ("1 1\n", "")
        assert sorted(path.name for path in store.rglob("*")) == before


def test_the_index_holds_no_text_of_its_own(tmp_path: Path) -> None:
    with build(tmp_path, {"a.txt": text("A peculiar indemnification.")}, engine="fts") as room:
        room.search("peculiar")
    database = sqlite3.connect(tmp_path / "index" / "fts" / "fts.sqlite")
    assert database.execute("SELECT stems, words FROM content").fetchall() == [(None, None)]
    database.close()
    assert os.path.getsize(tmp_path / "text.bin") == len("A peculiar indemnification.")
