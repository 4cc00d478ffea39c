"""The walls are tried before code runs behind them, and a missing one is noticed."""

import asyncio
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from redwell.sandbox import bwrap, landlock, launch, selftest
from redwell.sandbox.launch import Confinement
from redwell.sandbox.session import Sandbox
from redwell.sandbox.types import Policy, SandboxUnavailable
from tests.sandbox.sandbox_session import echo

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confined backends are Linux's")

COMMON = (
    *("RLIMIT_AS", "RLIMIT_CORE", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_NPROC", "RLIMIT_MEMLOCK", "RLIMIT_MSGQUEUE"),
    *("no_new_privs", "capabilities", "dumpable", "end with the host", "seccomp", "environment", "descriptors"),
)
NAMESPACES = tuple(f"{name} namespace" for name in ("user", "pid", "network", "ipc", "uts", "mount"))
LANDLOCK = ("Landlock files", "Landlock TCP", "Landlock scope")
WALLS = [
    *(("bwrap", wall) for wall in (*COMMON, *NAMESPACES, *LANDLOCK[:2])),
    *(("landlock", wall) for wall in (*COMMON, *LANDLOCK)),
]

# What goes through when a wall is left out: the attempt of the self-test that shows it.
SHOWN_BY = {
    "RLIMIT_AS": "is limited in memory",
    "seccomp": "reaches no other part of the kernel",
    "environment": "has nothing in its environment",
}


@pytest.fixture
def no_cache() -> None:
    selftest._held.clear()
    bwrap.executable.cache_clear()


def without(wall: str) -> Confinement:
    return Confinement(frozenset({wall}))


def needed(backend: str, wall: str) -> None:
    """Skips the test where this machine has no such backend or wall."""
    try:
        selftest.choose(backend)
    except SandboxUnavailable as missing:
        pytest.skip(str(missing))
    if wall not in launch.required(backend):  # type: ignore[arg-type]
        pytest.skip("this kernel's Landlock is too old for that wall")


def start(backend: str, confinement: Confinement) -> None:
    async def start_and_close() -> None:
        sandbox = await Sandbox._start(Policy(), (), echo, backend, confinement)  # type: ignore[arg-type]
        await sandbox.close()

    asyncio.run(start_and_close())


def test_every_wall_holds(backend: str) -> None:
    walls = selftest.check(backend)  # type: ignore[arg-type]
    assert [wall for wall in walls if not wall.holds] == []
    assert {"reads no file outside", "reaches no socket", "starts no process", "seccomp"} <= {
        wall.name for wall in walls
    }
    start(backend, Confinement())


def test_walls_are_tried_where_the_folder_for_temporary_files_has_a_long_name(
    backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("long" * 25)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    assert [wall for wall in selftest.probe(backend, Confinement()) if not wall.holds] == []  # type: ignore[arg-type]


@pytest.mark.parametrize(("backend", "wall"), WALLS)
def test_each_wall_left_out_is_named_at_every_start(backend: str, wall: str) -> None:
    needed(backend, wall)
    if (backend, wall) == ("bwrap", "no_new_privs"):
        start(backend, without(wall))  # bubblewrap sets it by itself, so that it stands all the same
        return
    with pytest.raises(SandboxUnavailable, match=f"without these walls: {wall}$|OSError: {wall} is not set"):
        start(backend, without(wall))


@pytest.mark.parametrize(("backend", "wall"), WALLS)
def test_each_wall_left_out_fails_the_self_test(backend: str, wall: str) -> None:
    needed(backend, wall)
    broken = {found.name: found.detail for found in selftest.probe(backend, without(wall)) if not found.holds}  # type: ignore[arg-type]
    if wall == "no_new_privs":
        assert broken == {} if backend == "bwrap" else "no_new_privs is not set" in broken[backend]
    else:
        assert {wall, SHOWN_BY.get(wall, wall)} <= set(broken)


def test_the_walls_tested_are_all_there_are(backend: str) -> None:
    assert set(launch.required(backend)) <= {wall for of, wall in WALLS if of == backend}  # type: ignore[arg-type]


def test_a_wall_that_only_one_side_saw_is_missing() -> None:
    everything = dict.fromkeys(launch.required("bwrap"), True)
    assert launch.missing("bwrap", everything, {}) == []
    assert launch.missing("bwrap", {**everything, "mount namespace": False}, {"mount namespace": True}) == [
        "mount namespace"
    ]
    assert launch.missing("bwrap", everything, {"ipc namespace": False}) == ["ipc namespace"]
    assert launch.missing("landlock", {}, {}) == list(launch.required("landlock"))


def test_without_landlock_the_landlock_backend_would_let_files_be_read(backend: str) -> None:
    if backend != "landlock":
        pytest.skip("bubblewrap hides the files as well")
    broken = {
        wall.name: wall.detail for wall in selftest.probe("landlock", without("Landlock files")) if not wall.holds
    }
    assert broken["reads no file outside"].startswith("read ")


def test_the_attempts_succeed_where_there_are_no_walls() -> None:
    broken = {wall.name for wall in selftest.probe("unsafe-local", Confinement()) if not wall.holds}
    assert {
        "reads no file outside",
        "writes no file",
        "reaches no socket",
        "starts no process",
        "signals no process",
    } <= broken


def test_the_self_test_is_made_once_per_process(backend: str) -> None:
    assert selftest.check(backend) is selftest.check(backend)  # type: ignore[arg-type]


def test_the_self_test_leaves_nothing_behind(backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = set(os.environ), set(os.listdir("/proc/self/fd"))
    selftest.probe(backend, Confinement())  # type: ignore[arg-type]
    assert (set(os.environ), set(os.listdir("/proc/self/fd"))) == before
    assert list(tmp_path.iterdir()) == []


def test_unsafe_local_is_used_only_when_named(no_cache: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert selftest.choose("unsafe-local") == "unsafe-local"
    monkeypatch.setattr(landlock, "abi", lambda: 0)
    monkeypatch.setenv("PATH", "/nowhere")
    try:
        with pytest.raises(SandboxUnavailable) as refused:
            selftest.choose("auto")
    finally:
        monkeypatch.undo()
        selftest._held.clear()
        bwrap.executable.cache_clear()
    message = str(refused.value)
    assert "bubblewrap is not installed" in message
    assert "this kernel has no Landlock" in message
    assert "--unsafe-local" in message


def test_a_bubblewrap_that_does_not_work_is_passed_over(
    no_cache: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    try:
        assert shutil.which("bwrap") == str(broken)
        assert selftest.check("bwrap") == [
            selftest.Wall("bwrap", False, "it does not start: bwrap: No permissions to create new namespace")
        ]
        if landlock.abi():
            assert selftest.choose("auto") == "landlock"
    finally:
        monkeypatch.undo()
        selftest._held.clear()
        bwrap.executable.cache_clear()


def test_a_backend_that_does_not_exist_is_refused_by_name() -> None:
    with pytest.raises(SandboxUnavailable, match="no sandbox backend docker"):
        selftest.choose("docker")


def test_a_readable_path_that_is_missing_is_named(any_backend: str, tmp_path: Path) -> None:
    policy = Policy(readable=(tmp_path / "gone",))
    with pytest.raises(SandboxUnavailable, match="gone cannot be shown in the sandbox: there is no such file"):
        asyncio.run(Sandbox.start(policy, (), echo, any_backend))
