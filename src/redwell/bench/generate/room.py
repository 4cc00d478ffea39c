"""Makes a room: `generate(out, preset=..., seed=..., split=...)` writes task.json, the documents and the hidden answer key."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from datetime import UTC, datetime, time
from multiprocessing import connection
from pathlib import Path

from redwell.bench.generate import plan
from redwell.bench.generate.assemble import Job, assemble
from redwell.bench.generate.filler import Source, notices
from redwell.bench.generate.plan import PlanError
from redwell.bench.generate.plants import catalogue
from redwell.bench.generate.render import render
from redwell.bench.key import Key, write_key

Progress = Callable[[str, int, int], None]
"""Told the stage ("planning", "writing"), how many are done and how many there are."""
UNFINISHED = "UNFINISHED.json"
"""Lies in the folder until everything is written, and says with what the room was begun."""
REPORT = "red-flags-report.md"
_FEW = 150
"""Rooms of fewer documents are written by this process alone: starting others would take longer."""
_AHEAD = 8
"""Jobs for each process that are waiting or under way."""


class GenerateError(Exception):
    """A room that cannot be made there; the message says why and what to do."""


def generate(
    out: Path,
    *,
    preset: str,
    seed: str | int,
    split: str,
    documents: int | None = None,
    with_pdf: bool = False,
    filler: Path | None = None,
    progress: Progress | None = None,
) -> Key:
    """Writes the room into `out`, which must not exist, be empty, or hold what an earlier call with the same arguments left unfinished.

    The same arguments give the same bytes, whatever the machine and the number of its processors. Raises GenerateError, PlanError or FillerError with a
    plain reason, OSError when the disk does not take it; what is then there says that it is not finished.
    """
    seed = str(seed).strip()
    if any("\ud800" <= sign <= "\udfff" for sign in seed):
        raise PlanError("the seed is not UTF-8 text; give a number or a word")
    count = plan.checked(preset, documents, str(seed))
    if not seed:
        raise PlanError("the seed is empty; give a number or a word")
    if split not in plan.SPLITS:
        raise PlanError(f"there is no split {split!r}; the splits are {', '.join(plan.SPLITS)}")
    source = Source.open(filler) if filler else None
    tell = progress or (lambda stage, done, whole: None)
    arguments = {
        "preset": preset,
        "seed": seed,
        "split": split,
        "documents": count,
        "with_pdf": with_pdf,
        "filler": str(filler or ""),
    }
    _begin(out, arguments)
    tell("planning", 0, count)
    choices = plan.choose(seed, split, preset, count, catalogue.recipes())
    room = assemble(seed, split, preset, count, choices, with_pdf=with_pdf, source=filler)
    files = sum(len(job.paths) for job in room.jobs)
    tell("writing", 0, files)
    folder = out / "documents"
    for path in sorted({str(Path(path).parent) for job in room.jobs for path in job.paths}):
        (folder / path).mkdir(parents=True, exist_ok=True)
    done = 0
    for written in _written(room.jobs, folder):
        done += written
        tell("writing", done, files)
    (out / "task.json").write_text(_task(room.key, room.world.sector), encoding="utf-8")
    write_key(room.key, out / "answer_key.json")
    if source:
        (out / "NOTICES.txt").write_text(notices(source), encoding="utf-8")
    (out / UNFINISHED).unlink()
    return room.key


def unfinished(folder: Path) -> bool:
    """Whether a room there was begun and not finished."""
    return (folder / UNFINISHED).is_file()


def _begin(out: Path, arguments: dict[str, object]) -> None:
    """Makes the folder, and clears what the same call left unfinished."""
    if out.exists() and not out.is_dir():
        raise GenerateError(f"{out} is a file; name a folder that does not exist yet with --out")
    if out.is_dir() and any(out.iterdir()):
        if not unfinished(out):
            raise GenerateError(f"{out} is not empty; name another folder with --out, or delete it first")
        begun = _begun(out / UNFINISHED)
        if begun != arguments:
            raise GenerateError(
                f"{out} holds a room that was begun with other arguments and not finished; delete it, or name another folder with --out"
            )
        shutil.rmtree(out / "documents", ignore_errors=True)
        for name in ("task.json", "answer_key.json", "NOTICES.txt"):
            (out / name).unlink(missing_ok=True)
    out.mkdir(parents=True, exist_ok=True)
    (out / UNFINISHED).write_text(json.dumps(arguments) + "\n", encoding="utf-8")


def _begun(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _task(key: Key, sector: str) -> str:
    task = {
        "title": f"Diligence Review: {key.target}",
        "work_type": "review",
        "tags": ["Mergers & Acquisitions", "due-diligence", "red-flags", "virtual-data-room", sector.replace(" ", "-")],
        "instructions": f"Review the attached {key.room} data room and produce a red-flags report at `{REPORT}`.",
        "deliverables": {REPORT: REPORT},
        "criteria": [
            {"id": it.id, "title": it.title, "match_criteria": it.match_criteria, "deliverables": [REPORT]}
            for it in key.criteria
        ],
    }
    return json.dumps(task, ensure_ascii=False, indent=1) + "\n"


# --- files


def _written(jobs: Sequence[Job], folder: Path) -> Iterator[int]:
    """Writes every file, and gives after each job how many files that were."""
    workers = min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, 8)
    if len(jobs) < _FEW or workers < 2:
        for job in jobs:
            yield _write(job, folder)
        return
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _end_with_the_host)
    try:
        waiting: set[Future[int]] = set()
        for job in jobs:
            if len(waiting) >= _AHEAD * workers:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield sum(future.result() for future in done)
            waiting.add(pool.submit(_write, job, folder))
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield sum(future.result() for future in done)
    except BrokenProcessPool:
        raise GenerateError(
            "a process that wrote documents was ended from outside, perhaps for want of memory; the same command begins again"
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _end_with_the_host() -> None:
    """In a process that writes: an interrupt is the host's to answer, and a host that is killed leaves none behind."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            connection.wait([parent.sentinel])
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _write(job: Job, folder: Path) -> int:
    """The file of a job at each of its paths, dated as the paper is."""
    data = render(job.laid())
    moment = datetime.combine(job.day, time(9), UTC).timestamp()
    for path in job.paths:
        place = folder / path
        place.write_bytes(data)
        os.utime(place, (moment, moment))
    return len(job.paths)
