"""Disks that are full, read-only or failing, files that change while they are read, clocks that jump, descriptors that run out."""

from __future__ import annotations

import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cli import in_process
from cli.in_process import Done
from servers.scripted import Received, Scripted, use_tool

LEASE = "Tenant shall not assign this Lease without the prior written consent of Landlord."
CLOCK = """
import itertools, time
_real, _count = time.time, itertools.count()
time.time = lambda: _real() + {ahead} + (0, 3e8, -3e8)[next(_count) // 5 % 3]
"""


pytestmark = pytest.mark.xdist_group("disks_and_clocks")


def redwell(*arguments: object, descriptors: int | None = None, **environment: str) -> Done:
    """In a process of its own only where that is limited, or begins in another way."""
    if descriptors is None and not environment:
        return in_process.redwell(*arguments)

    def limit() -> None:
        if descriptors is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

    done = subprocess.run(
        [sys.executable, "-m", "redwell", *map(str, arguments)],
        capture_output=True, text=True, timeout=180, check=False, preexec_fn=limit, env={**os.environ, **environment},
    )  # fmt: skip
    assert "Traceback" not in done.stderr + done.stdout, done.stderr
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("papers") / "leases"
    folder.mkdir()
    for number in range(3):
        (folder / f"lease-{number}.txt").write_text(
            f"LEASE {number}\n\n1. {LEASE}\n\n2. The rent is $12,{number}00 a month.\n"
        )
    return folder


@pytest.fixture(scope="module")
def store(papers: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("stores") / "store"
    assert redwell("room", "read", papers, "--store", place, "-q", "--jobs", 1).returncode == 0
    return place


@pytest.fixture
def mounted() -> Iterator[Callable[..., None]]:
    """Mounts a file system on a folder: `mounted(place, "size=8k")`, or the folder itself without writing: `mounted(place)`."""
    if os.geteuid() != 0:
        pytest.skip("mounting takes the superuser")
    places: list[Path] = []

    def mount(place: Path, options: str = "") -> None:
        commands = [["mount", "-t", "tmpfs", "-o", options, "none", str(place)]]
        if not options:
            commands = [["mount", "--bind", str(place), str(place)], ["mount", "-o", "remount,ro,bind", str(place)]]
        for command in commands:
            if subprocess.run(command, capture_output=True, check=False).returncode != 0:
                pytest.skip("no file system can be mounted here")
            if place not in places:
                places.append(place)

    yield mount
    for place in places:
        subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.parametrize("out", ["out", "a/b/out"])
def test_a_disk_that_is_full_before_the_run_has_a_folder_is_the_disks_fault(
    out: str, papers: Path, tmp_path: Path, mounted: Callable[..., None]
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted(disk, "size=1m,nr_inodes=2")
    done = redwell("diligence", papers, "--out", disk / out, "-q")
    assert (done.returncode, "No space left" in done.stderr) == (3, True)
    assert str(disk / out) in done.stderr


def test_a_disk_that_fills_up_while_the_report_is_written_costs_nothing_that_was_found(
    store: Path, tmp_path: Path, mounted: Callable[..., None]
) -> None:
    out, other = tmp_path / "out", tmp_path / "other"
    (out / "output").mkdir(parents=True)
    mounted(out / "output", "size=8k")
    done = redwell("diligence", store, "--out", out, "-q")
    assert (done.returncode, "report.json: No space left" in done.stderr, "resume" in done.stderr) == (3, True, True)
    assert list((out / "output").iterdir()) == []
    subprocess.run(["mount", "-o", "remount,size=8m", str(out / "output")], check=True)
    assert redwell("resume", out, "-q").returncode == 0
    assert redwell("diligence", store, "--out", other, "-q").returncode == 0
    entries = [json.loads((each / "output" / "report.json").read_text())["entries"] for each in (out, other)]
    assert entries[0] == entries[1] != []


def test_a_store_that_cannot_be_written_is_read(
    papers: Path, store: Path, tmp_path: Path, mounted: Callable[..., None]
) -> None:
    place = tmp_path / "store"
    shutil.copytree(store, place)
    mounted(place)
    assert LEASE[:40] in redwell("room", "search", place, "consent").stdout
    assert redwell("diligence", place, "--out", tmp_path / "out", "-q").returncode == 0
    done = redwell("room", "read", papers, "--store", place, "-q")
    assert (done.returncode, "Read-only file system" in done.stderr, "--store" in done.stderr) == (2, True, True)


def test_a_run_that_cannot_be_written_is_shown_and_checked(
    store: Path, tmp_path: Path, mounted: Callable[..., None]
) -> None:
    out = tmp_path / "out"
    assert redwell("diligence", store, "--out", out, "-q").returncode == 0
    mounted(out)
    assert "submitted" in redwell("run", "show", out).stdout
    assert redwell("report", "check", out).returncode == 0
    for verb in (("resume", out), ("run", "trace", out), ("diligence", store, "--out", out, "--fresh")):
        done = redwell(*verb, "-q") if verb[0] != "run" else redwell(*verb)
        assert (done.returncode in (2, 3), "written" in done.stderr) == (True, True), done.stderr


def cut_text(store: Path) -> None:
    os.truncate(store / "text.bin", 100)


def overwrite_pages(store: Path) -> None:
    with (store / "room.sqlite").open("r+b") as file:
        for place in range(8_192, (store / "room.sqlite").stat().st_size, 4_096):
            file.seek(place)
            file.write(b"\xff" * 64)


@pytest.mark.parametrize("damage", [cut_text, overwrite_pages])
def test_a_damaged_store_is_never_taken_for_a_room_with_less_in_it(
    damage: Callable[[Path], None], store: Path, tmp_path: Path
) -> None:
    place = tmp_path / "store"
    shutil.copytree(store, place)
    damage(place)
    for verb in (("diligence", place, "--out", tmp_path / "out"), ("room", "search", place, "consent")):
        done = redwell(*verb)
        assert (done.returncode, "damaged" in done.stderr, "read the room again" in done.stderr) == (2, True, True)


def test_a_text_with_other_bytes_is_a_failure_and_not_read(store: Path, tmp_path: Path) -> None:
    place, out = tmp_path / "store", tmp_path / "out"
    shutil.copytree(store, place)
    with (place / "text.bin").open("r+b") as file:
        file.seek(20)
        file.write(b"\xff\xfe\xfd")
    assert redwell("diligence", place, "--out", out, "-q").returncode == 1
    basis = json.loads((out / "output" / "report.json").read_text())["basis"]
    assert basis["coverage"] < 1
    assert "is damaged" in basis["failed"][0]["message"]


@pytest.mark.parametrize("descriptors", [10, 24, 40])
def test_too_few_descriptors_end_in_a_sentence_and_cost_nothing(descriptors: int, papers: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = redwell("diligence", papers, "--out", out, "-q", "--jobs", 1, descriptors=descriptors)
    assert done.returncode in (0, 2, 3)
    assert (done.returncode == 0) is (done.stderr == "")
    assert done.stderr.count("\n") <= 2
    if done.returncode:
        again = ("resume", out) if (out / "run.json").exists() else ("diligence", papers, "--out", out)
        assert redwell(*again, "-q").returncode == 0
    assert redwell("report", "check", out).returncode == 0


def test_files_that_change_under_the_reading_are_read_whole_or_named(tmp_path: Path) -> None:
    folder, store = tmp_path / "room", tmp_path / "store"
    folder.mkdir()
    for number in range(60):
        (folder / f"calm-{number:02}.txt").write_text(f"Paper {number}. {LEASE}\n" * 40)
    stop = threading.Event()

    def disturb() -> None:
        grown, swapped, gone = folder / "grows.txt", folder / "swapped.txt", folder / "gone.txt"
        while not stop.is_set():
            with grown.open("a") as file:
                file.write(f"{LEASE}\n" * 50)
            for make in (
                lambda: swapped.write_text("a file\n"),
                swapped.mkdir,
                lambda: os.mkfifo(swapped),
                lambda: swapped.symlink_to("/etc"),
            ):
                make()
                gone.write_text("here\n")
                gone.unlink()
                swapped.rmdir() if swapped.is_dir() and not swapped.is_symlink() else swapped.unlink()

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        seen = [redwell("room", "read", folder, "--store", store, "-q", "--jobs", 2) for _ in range(2)]
    finally:
        stop.set()
        thread.join()
    assert [done.returncode for done in seen] == [0, 0], [done.stderr for done in seen]
    told = json.loads(redwell("room", "status", store, "--json").stdout)
    account = told.get("accounting", told)
    assert account["found"] == sum(account[name] for name in ("read", "partly_read", "unreadable", "skipped"))
    assert account["read"] >= 60
    for name in ("grows.txt", "swapped.txt", "gone.txt"):
        path = folder / name
        path.unlink(missing_ok=True) if not path.is_dir() else path.rmdir()
    (folder / "grows.txt").write_text(LEASE)
    assert redwell("room", "read", folder, "--store", store, "-q").returncode == 0
    again = json.loads(redwell("room", "status", store, "--json").stdout)
    again = again.get("accounting", again)
    assert (again["found"], again["read"]) == (61, 61)


CELLS = [
    "found = ask_many('Which clauses need a consent?', over=room)\nprint(found)",
    "c = [c for r in found for f in r for c in f.citations]\nreport.add(title='Consent', claim='Consent is needed.', citations=c, "
    "workstream='Real estate', severity='High', exposure={'not_quantified': 'no figure'}, next_step='Ask')",
]  # fmt: skip
END = (
    "for name in checks.workstreams:\n    report.none_found('other issues', name, rests_on='all')\n"
    "report.executive_summary('One consent is needed before the closing of this transaction.')\nsubmit()"
)


def test_a_clock_that_jumps_by_years_changes_no_budget_and_no_order(store: Path, tmp_path: Path) -> None:
    root: list[str] = [*CELLS]
    for name, ahead in (("now", 0), ("later", 10 * 365 * 86_400)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "sitecustomize.py").write_text(CLOCK.format(ahead=ahead))

    def script(received: Received) -> object:
        if received.model == "root":
            return use_tool("python", {"code": root.pop(0)}) if root else "I am done."
        quote = {"document": 1, "text": LEASE}
        return json.dumps(
            {"findings": [{"kind": "consent", "claim": "It needs a consent.", "quotes": [quote]}], "notes": ""}
        )

    out = tmp_path / "out"
    with Scripted(script) as server:
        models = ("--root", f"openai:root@{server.url}", "--sub", f"openai:sub@{server.url}")
        done = redwell(
            "diligence", store, "--out", out, *models, "--seconds", 600, "-q", PYTHONPATH=str(tmp_path / "now")
        )
        assert (done.returncode, "held no code" in done.stderr) == (1, True), done.stderr
        root.append(END)
        done = redwell("resume", out, "-q", PYTHONPATH=str(tmp_path / "later"))
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
    events = [json.loads(line) for line in redwell("run", "export", out, "--what", "events").stdout.splitlines()]
    begun = next(n for n, event in enumerate(events) if event["kind"] == "run.resumed")
    for part in (events[:begun], events[begun:]):
        times = [event["time"] for event in part]
        assert times == sorted(times)
        assert times[-1] - times[0] < 600
    assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))


@pytest.fixture(scope="module")
def stopped(store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that is not finished."""
    out = tmp_path_factory.mktemp("stopped") / "out"
    assert redwell("diligence", store, "--out", out, "--turns", 2, "-q").returncode == 1
    return out


def test_a_journal_that_another_program_holds_is_told_and_stays_whole(stopped: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(stopped, out)
    holder = sqlite3.connect(out / "journal.sqlite", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    done = redwell("resume", out, "-q")
    assert (done.returncode, "locked by another program" in done.stderr) == (3, True), done.stderr
    holder.execute("ROLLBACK")
    holder.close()
    assert redwell("resume", out, "-q").returncode == 1, "its turns are used up, and nothing else is wrong with it"


@pytest.mark.parametrize("share", [0.5, 0.99])
def test_a_journal_that_lost_its_end_is_not_gone_on_with(share: float, stopped: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(stopped, out)
    size = (out / "journal.sqlite").stat().st_size
    os.truncate(out / "journal.sqlite", int(size * share))
    done = redwell("resume", out, "-q")
    assert (done.returncode, "damaged" in done.stderr) == (2, True), done.stderr
    assert redwell("run", "show", out).returncode in (0, 2)


def test_two_runs_set_aside_in_one_second_are_both_kept(store: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (tmp_path / "clock").mkdir()
    (tmp_path / "clock" / "sitecustomize.py").write_text(
        "import time\n_shown = time.strftime\ntime.strftime = lambda form, *of: _shown(form, *(of or (time.gmtime(0),)))\n"
    )
    for _ in range(3):
        assert (
            redwell("diligence", store, "--out", out, "--fresh", "-q", PYTHONPATH=str(tmp_path / "clock")).returncode
            == 0
        )
    kept = sorted((out / "earlier").iterdir())
    assert [each.name for each in kept] == ["19700101-000000", "19700101-000000-2"]
    assert all((each / "output" / "report.html").is_file() for each in kept)
