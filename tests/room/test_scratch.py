"""What a killed reading has left in the folder for temporary files is removed by the next, and nothing else is."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from redwell.room import scratch
from redwell.room.scratch import Scratch

KEEPER = "import sys; from redwell.room.scratch import Scratch; made = Scratch.make(); (made.path / 'letter.txt').write_text('secret'); print(made.path, flush=True); sys.stdin.read()"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path


def aged(folder: Path) -> None:
    os.utime(folder, (0, 0))


def test_a_folder_whose_process_was_killed_is_removed_and_one_in_use_is_not(place: Path) -> None:
    keepers = [
        subprocess.Popen([sys.executable, "-c", KEEPER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    folders = [Path(keeper.stdout.readline().strip()) for keeper in keepers if keeper.stdout]
    keepers[0].send_signal(signal.SIGKILL)
    keepers[0].communicate()
    for folder in folders:
        aged(folder)
    mine = Scratch.make()
    assert not folders[0].exists()
    assert (folders[1] / "letter.txt").read_text() == "secret"
    mine.remove()
    keepers[1].communicate("")
    assert list(place.iterdir()) == [folders[1]]


def test_young_folders_links_and_folders_of_others_are_left_alone(place: Path) -> None:
    young, other, target = place / f"{scratch.PREFIX}young", place / "redwell-notes", place / "papers"
    for folder in (young, other, target):
        folder.mkdir()
    (place / f"{scratch.PREFIX}link").symlink_to(target)
    aged(other)
    aged(target)
    Scratch.make().remove()
    assert {path.name for path in place.iterdir()} == {young.name, other.name, target.name, f"{scratch.PREFIX}link"}
