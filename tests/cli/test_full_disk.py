"""A disk that fills up, at whatever point: a sentence and exit code 3, never a traceback, and what was kept can be used."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.task_trees import lease_task
from cli.in_process import redwell


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 4 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    if os.geteuid() != 0:
        pytest.skip("making a small file system takes the superuser")
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "none", str(place)], capture_output=True, check=False
    )
    if made.returncode != 0:
        pytest.skip("no file system can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    for number in range(6):
        clauses = "\n\n".join(
            f"{n}. Clause {n * 7919 % 10007} is about w{n * 31 % 977} x{n * 17 % 3001}." for n in range(1500)
        )
        lease = "1. Tenant shall not assign this Lease without the prior written consent of Landlord."
        (folder / f"lease-{number}.txt").write_text(f"LEASE {number}\n\n{lease}\n\n{clauses}\n", encoding="utf-8")
    return folder


def resize(disk: Path, size: str) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", str(disk)], check=True)


@pytest.mark.parametrize("kilobytes", [64, 256, 900, 1300, 1600])
def test_a_full_disk_ends_the_reading_with_a_sentence_and_it_can_be_done_again(
    disk: Path, papers: Path, kilobytes: int
) -> None:
    resize(disk, f"{kilobytes}k")
    arguments = ("room", "read", papers, "--store", disk / "store", "-q", "--jobs", 1)
    done = redwell(*arguments)
    assert "Traceback" not in done.stderr
    if done.returncode == 0:
        pytest.skip(f"the store of this version takes less than {kilobytes} KB")
    assert done.returncode == 3, done.stderr
    assert "disk is full" in done.stderr
    resize(disk, "32m")
    assert redwell(*arguments).returncode == 0
    assert redwell("room", "search", disk / "store", '"prior written consent"').returncode == 0


def test_a_disk_that_fills_up_during_the_run_ends_it_with_a_sentence_and_it_can_be_gone_on_with(
    disk: Path, papers: Path, tmp_path: Path
) -> None:
    store, out = tmp_path / "store", disk / "out"
    assert redwell("room", "read", papers, "--store", store, "-q", "--jobs", 1).returncode == 0
    codes = []
    for size in ("32k", "150k", "500k"):
        resize(disk, size)
        done = (
            redwell("diligence", store, "--out", out, "-q")
            if not (out / "run.json").exists()
            else redwell("resume", out, "-q")
        )
        assert "Traceback" not in done.stderr
        codes.append(done.returncode)
        if done.returncode != 0:
            assert any(words in done.stderr for words in ("full", "No space left", "the disk refused"))
    # Whether it is already full for the run's folder or fills up in the run, it is the disk's fault.
    assert codes[0] == 3
    assert set(codes) <= {0, 3}
    resize(disk, "32m")
    done = (
        redwell("resume", out, "-q") if (out / "run.json").exists() else redwell("diligence", store, "--out", out, "-q")
    )
    assert done.returncode == 0, done.stderr
    assert redwell("report", "check", out).returncode == 0


def test_a_matrix_whose_disk_fills_up_ends_with_a_sentence_and_is_gone_on_with(disk: Path, tmp_path: Path) -> None:
    task = lease_task(tmp_path / "tree" / "leases")
    arguments = ("bench", "run", task, "--out", disk / "out", "--harness", "map-reduce")
    for kilobytes in (40, 350):
        resize(disk, f"{kilobytes}k")
        done = redwell(*arguments)
        assert done.returncode == 3, done.stdout
        assert "disk is full" in done.stdout or "No space left" in done.stdout + done.stderr
        assert "Traceback" not in done.stdout + done.stderr
    resize(disk, "32m")
    assert redwell(*arguments).returncode == 0
    assert redwell("bench", "list", disk / "out", "--json").stdout.count('"submitted"') == 1
