"""`redwell bench compare`: two runs, or two sets of runs, criterion by criterion."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redwell.cli.errors import Stop, plain_errors
from redwell.journal.shown import shown_json, shown_line

if TYPE_CHECKING:
    from redwell.bench.verdicts import VerdictSet

_ONLY = "Of a folder with several runs of a task: only those of this harness or model."


@plain_errors
def compare(
    before: Annotated[Path, typer.Argument(metavar="BEFORE", help="A run, or a folder of runs such as a matrix's.")],
    after: Annotated[Path, typer.Argument(metavar="AFTER", help="Another, or the same folder.")],
    only_before: Annotated[str, typer.Option("--before", help=_ONLY)] = "",
    only_after: Annotated[str, typer.Option("--after", help=_ONLY)] = "",
    judge: Annotated[
        str, typer.Option("--judge", help="Whose verdicts; if left out facts, or the one judge that all have.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compares graded runs of the same tasks: criteria that regressed, were fixed, are unchanged, and how likely that is by chance."""
    from redwell.bench.score import compare as one_pair
    from redwell.bench.score import compare_all
    from redwell.bench.verdicts import read_set
    from redwell.journal.counted import counted

    first, second = _chosen(before, only_before), _chosen(after, only_after)
    shared = [key for key in first if key in second]
    if not shared:
        raise Stop(f"{before} and {after} have no run of the same task and repeat")
    name = judge or _judge([first[key] for key in shared] + [second[key] for key in shared])
    pairs: list[tuple[VerdictSet, VerdictSet]] = [
        (read_set(first[key], name), read_set(second[key], name)) for key in shared
    ]
    if apart := next((pair for pair in pairs if pair[0].task != pair[1].task), None):
        raise Stop(
            f"the verdicts of {apart[0].task} and {apart[1].task} are of different tasks, whose criteria cannot be compared: grade the runs again with `redwell bench grade --again`"
        )
    whole = compare_all(pairs)
    rows = [
        {"task": task, "repeat": repeat, **asdict(one_pair(*pair))}
        for (task, repeat), pair in zip(shared, pairs, strict=True)
    ]
    if as_json:
        print(shown_json(json.dumps({"judge": name, **asdict(whole), "pairs": rows}, ensure_ascii=False)))
        return
    for row in rows:
        print(shown_line(_line(row)))
        for what in ("regressed", "fixed"):
            if row[what]:
                print(shown_line(f"  {what}: {', '.join(row[what])}"))
    share = whole.difference
    told = f"{name}: {whole.regressed} regressed, {whole.fixed} fixed, {whole.unchanged} unchanged, {whole.undecided} without a verdict"
    if share is not None:
        told += f"; pass rate {100 * share.value:+z.1f} points ({100 * share.low:+z.1f} to {100 * share.high:+z.1f})"
    chance = "less than 0.001" if whole.chance < 0.001 else f"{whole.chance:.3f}"
    print(shown_line(f"{told}; by chance alone {chance}"))
    if left := (len(first) - len(shared)) + (len(second) - len(shared)):
        print(
            f"{counted(left, 'run')} {'has no counterpart and was' if left == 1 else 'have no counterpart and were'} left out"
        )


def _line(row: dict[str, Any]) -> str:
    counts = ", ".join(f"{len(row[what])} {what}" for what in ("regressed", "fixed", "unchanged", "undecided"))
    return f"{row['task']} · {row['repeat']}: {counts}"


def _chosen(place: Path, only: str) -> dict[tuple[str, int], Path]:
    """The graded runs in a folder, by task and repeat."""
    from redwell.bench.runs import has_journal, runs_in
    from redwell.journal.journal import Journal

    if not place.is_dir():
        raise Stop(f"{place}: there is no such folder of runs")
    found: dict[tuple[str, int], Path] = {}
    there: set[str] = set()
    for run in filter(has_journal, runs_in(place)):
        with Journal.open(run, read_only=True) as journal:
            told = journal.configuration
        models = told.get("models")
        names = (told.get("harness"), *(models.values() if isinstance(models, dict) else ()))
        if not (run / "verdicts").is_dir():
            continue
        there |= {str(name) for name in names if name}
        if only and only not in names:
            continue
        repeat = told.get("repeat", 1)
        key = (str(told.get("task", "")), repeat if isinstance(repeat, int) else 1)
        if key in found:
            raise Stop(
                f"{found[key]} and {run} are both runs of {key[0]}: choose with --before and --after (a harness or a model), or name two runs"
            )
        found[key] = run
    if not found and there:
        raise Stop(f"{place}: holds no graded run of {only}; its graded runs are of {', '.join(sorted(there))}")
    if not found:
        raise Stop(f"{place}: holds no graded run; grade it with `redwell bench grade`")
    return found


def _judge(runs: list[Path]) -> str:
    from redwell.bench.verdicts import sets

    common = set.intersection(*(set(sets(run)) for run in runs))
    if "facts" in common:
        return "facts"
    if len(common) != 1:
        raise Stop(f"name the judge with --judge; verdicts that all runs have: {', '.join(sorted(common)) or 'none'}")
    return common.pop()
