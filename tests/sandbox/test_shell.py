"""The walls of a shell command, on each backend that holds on this machine; what it may not do is tried in test_tool_loop.py, too."""

from __future__ import annotations

import asyncio
import mmap
import os
from pathlib import Path

import pytest

from redwell.sandbox import bwrap, landlock, shell
from redwell.sandbox.types import SandboxUnavailable


def held() -> list[str]:
    found = []
    for name in ("bwrap", "landlock"):
        try:
            found.append(shell.choose(name))
        except SandboxUnavailable:
            continue
    return found


BACKENDS = held()


@pytest.fixture
def place(tmp_path: Path) -> shell.Place:
    made = shell.Place(tmp_path / "workspace", tmp_path / "workspace" / "output", tmp_path / "scratch")
    for folder in (made.folder, made.writable, made.scratch):
        folder.mkdir()
    (made.folder / "read.txt").write_text("to be read\n")
    return made


def run(command: str, place: shell.Place, backend: str, seconds: float = 20.0) -> shell.Ran:
    return asyncio.run(shell.run(command, place, backend, seconds))


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_command_reads_its_folder_and_writes_where_it_may(backend: str, place: shell.Place) -> None:
    ran = run(
        "cat read.txt; echo made > output/made.txt; cat <<< here; python3 -c 'print(6 * 7)' || true; false",
        place,
        backend,
    )
    assert ran.status == 1
    assert ran.output.startswith("to be read\nhere\n")
    assert (place.writable / "made.txt").read_text() == "made\n"


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_host_that_has_mapped_more_than_a_command_may_have_still_runs_commands(
    backend: str, place: shell.Place
) -> None:
    large = place.scratch / "large"
    large.touch()
    os.truncate(large, 3 * shell.MEMORY_BYTES)
    with large.open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ):
        # Several, since whether the last steps before exec need a new page of memory is chance.
        for _ in range(5):
            assert run("cat read.txt; ulimit -v", place, backend).output == f"to be read\n{shell.MEMORY_BYTES >> 10}\n"


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_a_command_leaves_behind_ends_with_it(backend: str, place: shell.Place) -> None:
    ran = run("sleep 9173 & nohup sleep 9173 & (setsid sleep 9173 &) ; echo $$ > output/pid; echo done", place, backend)
    assert ran.status == 0, "it is not waited for"
    assert "done" in ran.output
    again = run("pgrep -f 'sleep 917[3]' || echo none; ls /proc/[0-9]* 2>/dev/null | wc -l", place, backend)
    assert "none" in again.output
    mine = [
        number for number in os.listdir("/proc") if number.isdigit() and _command(number).startswith(b"sleep\0009173")
    ]
    assert mine == []


@pytest.mark.parametrize("backend", BACKENDS)
def test_time_memory_and_output_have_limits(backend: str, place: shell.Place) -> None:
    slow = run("echo begun; sleep 60", place, backend, 1.0)
    assert (slow.status, slow.output) == (None, "begun\n")
    loud = run("head -c 1000000 /dev/zero", place, backend)
    assert (len(loud.output), loud.dropped) == (shell.MOST_OUTPUT, 1_000_000 - shell.MOST_OUTPUT)
    large = run("head -c 300M /dev/zero > output/large; echo $?", place, backend)
    assert not large.output.startswith("0")
    assert (place.writable / "large").stat().st_size <= shell.FILE_BYTES


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_command_runs_no_program_that_gets_around_its_walls(backend: str, place: shell.Place) -> None:
    tried = "unshare -n true; mount -t tmpfs x /usr; ls /root /home; cat /etc/shadow; kill -9 1; echo x > /usr/new; echo over"
    ran = run(f"({tried}) 2>&1", place, backend)
    assert ran.output.rstrip().endswith("over")
    assert "root:" not in ran.output
    assert not Path("/usr/new").exists()


def test_a_machine_without_walls_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "_held", {})
    monkeypatch.setattr(bwrap, "executable", lambda: None)
    monkeypatch.setattr(landlock, "abi", lambda: 3)
    with pytest.raises(
        SandboxUnavailable, match=r"bubblewrap is not installed; landlock: this kernel's Landlock is of version 3"
    ):
        shell.choose()
    with pytest.raises(SandboxUnavailable, match="never run without walls"):
        shell.choose("unsafe-local")
    with pytest.raises(SandboxUnavailable, match="there is no such sandbox"):
        shell.choose("chroot")


def _command(number: str) -> bytes:
    try:
        return Path(f"/proc/{number}/cmdline").read_bytes()
    except OSError:
        return b""
