"""`redwell bench list|show|validate`: looks at tasks, runs and matrices."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redwell.cli.bench_table import money
from redwell.cli.console import plain_console
from redwell.cli.errors import BAD_INPUT, Stop, plain_errors
from redwell.cli.progress import percent
from redwell.journal.shown import shown, shown_json, shown_line

if TYPE_CHECKING:
    from redwell.bench.cell import CellResult
    from redwell.bench.running import Line
    from redwell.bench.tasks import BenchTask
    from redwell.journal.journal import Journal

_RUN_COLUMNS = ["run", "state", "coverage", "dollars", "seconds", "verdicts"]
_TASK_COLUMNS = ["task", "title", "type", "documents", "criteria", "key"]
_UNFINISHED = "not finished"
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@plain_errors
def list_(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A tree of tasks, or a folder of runs.")],
    as_json: Json = False,
) -> None:
    """Lists the runs of a folder such as a matrix's, and the tasks of a tree; where a folder holds both, both."""
    from redwell.bench.runs import runs_in
    from redwell.bench.tasks import load_tasks, task_folders

    if not folder.is_dir():
        raise Stop(f"{folder}: there is no such folder")
    runs = [_run_row(run, folder) for run in runs_in(folder)]
    if runs:
        _list(_RUN_COLUMNS, runs, as_json)
        if not any(task_folders(folder)):
            return
        if not as_json:
            print()
    _list(_TASK_COLUMNS, [_task_row(task) for task in load_tasks(folder)], as_json)


def _list(columns: list[str], rows: list[dict[str, Any]], as_json: bool) -> None:
    if not as_json:
        _table(columns, rows)
        return
    for row in rows:
        print(shown_json(json.dumps(row, ensure_ascii=False)))


@plain_errors
def show(
    what: Annotated[Path, typer.Argument(metavar="TASK|RUN|MATRIX", help="The folder of one of these.")],
    criteria: Annotated[bool, typer.Option("--criteria", help="Of a task: print its rubric, too.")] = False,
    tree: Annotated[Path | None, typer.Option("--tree", help="The tree that a task belongs to.")] = None,
    as_json: Json = False,
) -> None:
    """Shows a task, a cell's run or a matrix."""
    from redwell.bench.matrix import FILE
    from redwell.bench.tasks import TASK_FILE, load_task
    from redwell.cli.stores import is_run

    if (what / TASK_FILE).exists():
        told = _task(load_task(what, tree), criteria)
    elif is_run(what):
        told = _run(what)
    elif (what / FILE).is_file():
        told = _matrix(what)
    else:
        raise Stop(f"{what} is the folder of no task ({TASK_FILE}), run (run.json) or matrix ({FILE})")
    if as_json:
        print(shown_json(json.dumps(told, ensure_ascii=False, indent=1)))
        return
    _print(told)


@plain_errors
def validate(
    tree: Annotated[Path, typer.Argument(metavar="TREE", help="A folder with tasks in it, at any depth.")],
    as_json: Json = False,
) -> None:
    """Checks every task.json of a tree as LAB does, and its answer key, and tells all that is wrong with file and field. Exit code 2 when something is."""
    from redwell.bench.tasks import check
    from redwell.journal.counted import counted

    tasks, problems = check(tree)
    without = [task for task in tasks if not task.documents.is_dir()]
    if as_json:
        told = {"tasks": len(tasks), "criteria": sum(len(task.criteria) for task in tasks), "problems": problems}
        print(json.dumps(told | {"without_documents": [task.id for task in without]}))
    else:
        for problem in problems:
            print(shown_line(problem))
        criteria = sum(len(task.criteria) for task in tasks)
        print(f"valid tasks: {len(tasks):,}, with {counted(criteria, 'criterion', 'criteria')}")
        if problems:
            print(f"problems in other tasks: {len(problems):,}")
        if without:
            names = ", ".join(task.id for task in without[:3]) + (" and others" if len(without) > 3 else "")
            print(
                f"valid, but without documents here, so that they cannot be run: {len(without):,} ({shown_line(names)})"
            )
    if problems:
        raise SystemExit(BAD_INPUT)


# --- what is told -----------------------------------------------------------------------------------------------------------


def _task_row(task: BenchTask) -> dict[str, Any]:
    return {
        "task": task.id,
        "title": task.title,
        "type": task.work_type,
        "documents": _count(task.documents),
        "criteria": len(task.criteria),
        "key": "yes" if task.key else "",
    }


def _task(task: BenchTask, criteria: bool) -> dict[str, Any]:
    told: dict[str, Any] = {
        **_task_row(task),
        "tags": list(task.tags),
        "folder": str(task.documents),
        "deliverables": list(task.deliverables),
        "instructions": task.instructions,
    }
    if criteria:
        told["rubric"] = [asdict(line) for line in task.criteria]
    return told


def _run_row(run: Path, folder: Path) -> dict[str, Any]:
    from redwell.bench.cell import ending_of
    from redwell.bench.verdicts import read_set, sets
    from redwell.journal.journal import JournalError

    fault, result = "", None
    try:
        result = ending_of(run, _lengths)
    except JournalError as error:
        fault = str(error)
    verdicts = []
    for judge in sets(run):
        held = read_set(run, judge)
        passed, failed = held.count("pass"), held.count("fail")
        verdicts.append(f"{held.judge} {passed}/{passed + failed}")
    return {
        "run": run.relative_to(folder).as_posix() if run != folder else run.name,
        "state": "its journal cannot be read" if fault else _state(run, result),
        "coverage": result.coverage if result else None,
        "dollars": round(result.dollars, 4) if result else None,
        "seconds": round(result.seconds, 1) if result else None,
        "verdicts": ", ".join(verdicts),
        "reason": result.reason if result else fault,
    }


def _state(run: Path, result: CellResult | None) -> str:
    """How a run stands, in the words of every listing."""
    from redwell.bench.runs import has_journal

    if not has_journal(run):
        return "its journal is missing"
    return result.status if result else _UNFINISHED


def _lengths(journal: Journal) -> dict[str, int]:
    """The characters of each document of a run's room, when its store is still where it was."""
    from redwell.cli.stores import store_of
    from redwell.room.room import Room, RoomError

    try:
        with Room.open(store_of(journal.folder, journal.configuration)) as room:
            return {document: length for document, _, _, length in room.sizes()}
    except (RoomError, Stop):
        return {}


def _run(run: Path) -> dict[str, Any]:
    from redwell.bench.cell import ending_of
    from redwell.bench.verdicts import read_set, sets
    from redwell.cli.stores import reports
    from redwell.journal.journal import Journal

    with Journal.open(run, read_only=True) as journal:
        configuration = journal.configuration
    result = ending_of(run, _lengths)
    names = ("task", "harness", "models", "repeat", "settings", "budget", "started")
    told = {name: configuration.get(name) for name in names if name in configuration}
    told |= asdict(result) if result else {"status": _UNFINISHED}
    told.pop("judged", None)  # the verdicts say the same in words
    told["verdicts"] = {judge: _counts(read_set(run, judge)) for judge in sets(run)}
    told["files"] = [str(path) for path in reports(run)]
    return told


def _counts(held: Any) -> dict[str, int]:
    return {outcome: held.count(outcome) for outcome in ("pass", "fail", "unscored")}


def _matrix(out: Path) -> dict[str, Any]:
    from redwell.bench.locks import InUse, held
    from redwell.bench.matrix import FILE, read_matrix
    from redwell.bench.running import LOCK, lines_of, standing

    matrix = read_matrix(out / FILE)
    lines = lines_of(matrix, out.resolve())
    now = standing(lines, 0.0)
    running = ""
    try:
        with held(out / LOCK):
            pass
    except InUse as error:
        running = str(error).partition(";")[0]
    except OSError:
        running = ""  # in a folder that cannot be written nothing runs
    by_group: dict[str, list[Line]] = {}
    for line in lines:
        by_group.setdefault(f"{line.cell.harness} · {line.cell.root} · {line.cell.sub}", []).append(line)
    groups = {name: _group(some) for name, some in by_group.items()}
    return {
        "tasks": len({line.cell.task for line in lines}),
        "cells": now.cells,
        "running": running,
        "states": _states(lines),
        "spent": asdict(now.spent),
        "coverage": now.coverage,
        "judges": list(matrix.judges),
        "groups": groups,
        "reasons": {line.cell.name: line.reason for line in lines if line.reason},
    }


def _states(lines: list[Line]) -> dict[str, int]:
    """How many cells stand how: as `list` says it of their runs, and those without one wait."""
    from redwell.bench.cell import result_of

    runs = [Path(line.cell.run) for line in lines]
    return dict(
        Counter(
            _state(run, result_of(run)) if line.state == "waiting" and (run / "run.json").exists() else line.state
            for line, run in zip(lines, runs, strict=True)
        )
    )


def _group(lines: list[Line]) -> dict[str, Any]:
    """The cells of one harness and pair of models: how they stand, and their means. `passed` is, for each judge, the mean over tasks of the share
    of criteria that passed."""
    ended = [line.result for line in lines if line.result is not None]
    covered = [result.coverage for result in ended if result.coverage is not None]
    shares: dict[str, dict[str, list[float]]] = {}
    for line in lines:
        for judge, (passed, failed, _) in line.result.judged.items() if line.result else ():
            if passed + failed:
                shares.setdefault(judge, {}).setdefault(line.cell.task, []).append(passed / (passed + failed))
    return {
        "states": _states(lines),
        "coverage": _mean(covered),
        "dollars": round(sum(result.dollars for result in ended), 4),
        "seconds": _mean([result.seconds for result in ended]),
        "passed": {judge: _mean([_mean(each) or 0.0 for each in tasks.values()]) for judge, tasks in shares.items()},
    }


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _count(documents: Path) -> int | None:
    """Files in the folder of a task's documents; None when it is not there."""
    return sum(len(files) for _, _, files in os.walk(documents)) if documents.is_dir() else None


# --- how it is shown --------------------------------------------------------------------------------------------------------


def _table(columns: list[str], rows: list[dict[str, Any]]) -> None:
    from redwell.cli.bench_table import print_table

    print_table(columns, rows)
    for row in rows:
        if row.get("reason"):
            print(f"{shown_line(row['run'])}: {shown_line(row['reason'])}")


def _print(told: dict[str, Any]) -> None:
    console = plain_console()
    for name, value in told.items():
        if name == "rubric" and isinstance(value, list):  # of a task; a run has the digest of its rubric
            for line in value:
                print(f"\n{shown_line(line['id'])}  {shown_line(line['title'])}\n  {shown(line['match_criteria'])}")
            continue
        if value in ("", None, [], {}):
            continue
        if name == "groups":
            _groups(value)
            continue
        said = percent(value) if name == "coverage" else _plain(value, name) if isinstance(value, float) else value
        if isinstance(said, dict):
            apart = "; " if any(isinstance(one, dict) for one in said.values()) else ", "
            said = apart.join(f"{key}: {_plain(one, key)}" for key, one in said.items() if one not in (None, ""))
        elif isinstance(said, list):
            said = ", ".join(map(str, said))
        console.print(f"{name.replace('_', ' '):13} {shown(str(said))}", soft_wrap=True)


def _groups(groups: dict[str, dict[str, Any]]) -> None:
    """A line for each harness and pair of models."""
    judges = list(dict.fromkeys(judge for group in groups.values() for judge in group["passed"]))
    rows = []
    for name, group in groups.items():
        row = {
            "cells": name,
            "state": _plain(group["states"]),
            "coverage": group["coverage"],
            "dollars": group["dollars"],
        }
        row["seconds"] = None if group["seconds"] is None else round(group["seconds"], 1)
        for judge in judges:
            share = group["passed"].get(judge)
            row[f"passed, by\n{judge}"] = None if share is None else f"{share:.1%}"
        rows.append(row)
    print()
    _table(list(rows[0]), rows)


def _plain(value: Any, name: str = "") -> str:
    if name == "dollars" and value is not None:
        return money(value)
    if isinstance(value, dict):
        return ", ".join(f"{one} {name}" for name, one in value.items())
    return f"{value:,.4g}" if isinstance(value, float) else str(value)
