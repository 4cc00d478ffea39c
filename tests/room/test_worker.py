"""Workers: what a hostile file does to its reader costs that file alone, within the limits, and says why."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from redwell.room.room import Room, RoomError, read_room
from redwell.room.types import Limits

HOSTILE = '''
"""A reader that does what the file says."""
import json, os, resource, signal, socket, subprocess, sys, time
from redwell.room import pace, programs
from redwell.room.types import Child, Parsed, ParsedUnit, Unreadable

kept = []

def send(data):
    for number in range(3, 4096):  # to the reading process, and to all else that there is
        try:
            os.write(number, data)
        except OSError:
            pass

def read(data, name, limits):
    what, _, rest = data.decode().partition(" ")
    if what == "spin":
        while True:
            pass
    if what == "sleep":
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))
        time.sleep(1000)
    if what == "allocate":
        whole = []
        while True:
            whole.append(bytes(8 << 20))
    if what == "keep":
        kept.append(bytes(150 << 20))
    if what == "abort":
        os.abort()
    if what == "leave":
        os._exit(3)
    if what == "lie":
        send(b"done" + (5).to_bytes(8, "little") + (0).to_bytes(8, "little") + b"[{}]!")
        time.sleep(1000)
    if what == "flood":
        send(b"done" + (1 << 60).to_bytes(8, "little") * 2)
        time.sleep(1000)
    if what == "raise":
        raise ZeroDivisionError("secret path /home/x")
    if what == "deep":
        read(data, name, limits) if False else (lambda f: f(f))(lambda f: f(f))
    if what == "refuse":
        raise Unreadable("it is protected with a password", kind="pdf")
    if what == "child":
        programs.call("tesseract", b"a picture", dots=300, seconds=1000.0)
    if what == "pages":
        for _ in range(4):
            pace.more(limits.ocr_seconds_per_page)
            time.sleep(0.7)
    if what == "state":
        rest = json.dumps({"environment": sorted(os.environ), "core": resource.getrlimit(resource.RLIMIT_CORE),
                           "open": [os.readlink(f"/proc/self/fd/{fd}") for fd in range(256) if os.path.lexists(f"/proc/self/fd/{fd}")],
                           "path": sys.path, "directory": os.getcwd()})
    return Parsed("txt", {"final": [ParsedUnit(rest, "p[0]")]})
'''


def read_hostile(
    tmp_path: Path, files: dict[str, str], seconds: float = 30.0, **options: object
) -> dict[str, tuple[str, str]]:
    """The status and reason of each file."""
    room = tmp_path / "room"
    room.mkdir()
    for name, words in files.items():
        (room / name).write_text(words)
    (tmp_path / "hostile.py").write_text(HOSTILE)
    limits = Limits(seconds=seconds, memory_bytes=400 << 20, ocr_seconds_per_page=seconds)
    read_room(room, tmp_path / "store", limits=limits, reader=f"{tmp_path / 'hostile.py'}:read", **options)  # type: ignore[arg-type]
    with Room.open(tmp_path / "store") as opened:
        assert opened.accounting().reconciles
        return {document.path: (document.status, document.reason) for document in opened.documents()}


def test_each_hostile_file_is_quarantined_with_its_reason_and_the_rest_is_read(tmp_path: Path) -> None:
    files = {
        "spin": "spin",
        "sleep": "sleep",
        "allocate": "allocate",
        "abort": "abort",
        "leave": "leave",
        "lie": "lie",
        "flood": "flood",
        "raise": "raise",
        "deep": "deep",
        "refuse": "refuse",
    }
    good = {f"{letter} good {name}": f"good {letter}{name}" for letter in "az" for name in files}
    result = read_hostile(tmp_path, files | good, seconds=5, jobs=2)
    assert {name: result.pop(name)[1] for name in files} == {
        "spin": "took more than 5 s",
        "sleep": "took more than 5 s",
        "allocate": "needed more than 400 MiB of memory",
        "abort": "the reader crashed on it (signal 6)",
        "leave": "the reader crashed on it (exit 3)",
        "lie": "the reader gave an answer that makes no sense",
        "flood": "its text is longer than can be kept",
        "raise": "the reader failed on it",
        "deep": "its parts are nested too deeply",
        "refuse": "it is protected with a password",
    }
    assert set(result) == set(good)
    assert set(result.values()) == {("read", "")}


def test_memory_that_earlier_files_keep_is_not_held_against_a_later_one(tmp_path: Path) -> None:
    result = read_hostile(tmp_path, {f"{i}": f"keep {i}" for i in range(6)}, jobs=1)
    assert set(result.values()) == {("read", "")}


def test_a_program_that_hangs_is_killed_with_the_reader_that_asked_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sleeper = "1000." + str(os.getpid())
    program = tmp_path / "programs" / "tesseract"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\n[ "$1" = --list-langs ] && exit 0\nsleep {sleeper}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    assert read_hostile(tmp_path, {"a": "child"}, seconds=3) == {"a": ("unreadable", "took more than 3 s")}
    alive = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if sleeper in (folder / "cmdline").read_text():
                alive.append(folder.name)
        except OSError:
            continue
    assert not alive


def test_a_reader_that_says_it_is_getting_on_may_take_longer(tmp_path: Path) -> None:
    assert read_hostile(tmp_path, {"a": "pages two"}, seconds=2) == {"a": ("read", "")}


def test_a_worker_has_no_keys_no_core_dumps_and_no_files_of_the_reading_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    read_hostile(tmp_path, {"a": "state"})
    with Room.open(tmp_path / "store") as room:
        state = json.loads(room.text("a"))
    assert set(state["environment"]) <= {
        "PATH",
        "LANG",
        "LC_CTYPE",
        "HOME",
        "TMPDIR",
        "TZ",
        "OMP_THREAD_LIMIT",
        "MALLOC_ARENA_MAX",
        "TESSDATA_PREFIX",
        "SSL_CERT_FILE",
    }
    assert state["core"] == [0, 0]
    assert not [name for name in state["open"] if "store" in name]
    assert "" not in state["path"]
    assert not Path(state["directory"]).exists()


def test_a_reader_that_cannot_be_loaded_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "a.txt").write_text("a")
    with pytest.raises(RoomError, match="cannot start"):
        read_room(tmp_path / "room", tmp_path / "store", reader="redwell.room.no_such_module:read")
