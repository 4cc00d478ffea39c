"""`redwell bench grade|audit`: verdicts on runs, by the answer key or by models, and how far a judge can be trusted."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redwell.cli.bench_table import money
from redwell.cli.errors import INCOMPLETE, INTERRUPTED, Stop, plain_errors
from redwell.cli.interrupt import stop_on_signals
from redwell.journal.shown import shown, shown_json, shown_line

if TYPE_CHECKING:
    from redwell.bench.audit import Audit
    from redwell.bench.key import Key
    from redwell.bench.tasks import BenchTask
    from redwell.bench.verdicts import VerdictSet

Runs = Annotated[list[Path], typer.Argument(metavar="RUN...", help="Runs, or folders of runs such as a matrix's.")]
TaskFolder = Annotated[
    Path | None, typer.Option("--task", help="The task of a run that is no cell of a matrix (a folder with task.json).")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@plain_errors
def grade(
    runs: Runs,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge",
            help="facts (if left out), or a model: openai:NAME, openai:NAME@URL, anthropic:NAME, local:NAME. May be repeated.",
        ),
    ] = None,
    task: TaskFolder = None,
    tree: Annotated[Path | None, typer.Option("--tree", help="The tree that the task belongs to.")] = None,
    batch: Annotated[
        int, typer.Option("--batch", min=1, max=100, help="Criteria that a model decides in one call.")
    ] = 1,
    majority: Annotated[
        bool, typer.Option("--majority", help="Put several judges together: what more of them say.")
    ] = False,
    both_agree: Annotated[
        bool, typer.Option("--both-agree", help="Put several judges together: what all of them say.")
    ] = False,
    lab_scoring: Annotated[
        bool, typer.Option("--lab-scoring", help="Count a criterion without a verdict as failed, as LAB does.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Judge anew; the verdicts that are there are kept aside.")
    ] = False,
    dollars: Annotated[
        float | None, typer.Option("--budget", min=0, help="Most US dollars of one judge on one run.")
    ] = None,
    calls: Annotated[int, typer.Option("--concurrency", min=1, max=256, help="Calls at one time.")] = 8,
    as_json: Json = False,
) -> None:
    """Grades runs that are finished. Nothing is run again; verdicts that are there stand, and a grading that was stopped goes on.

    Exit codes: 0 every criterion has a verdict; 1 some are unscored, or runs have not ended or have lost their files; 2 bad input; 130 interrupted.
    """
    from redwell.bench.grading import DeliverableGone

    if majority and both_agree:
        raise Stop("--majority and --both-agree are two ways to put judges together; give one")
    judges = list(dict.fromkeys(judge or ["facts"]))
    if (majority or both_agree) and len(judges) < 2:
        raise Stop("--majority and --both-agree need two judges or more: give --judge several times")
    how = "majority" if majority else "both-agree" if both_agree else ""
    rows: list[dict[str, Any]] = []
    sets: list[VerdictSet] = []
    ungraded = 0
    for run in _found(runs):
        if _is_under_way(run):
            print(
                f"redwell: {shown_line(str(run))} has not ended and is not graded: go on with its matrix",
                file=sys.stderr,
            )
            ungraded += 1
            continue
        its = _task(run, task, tree)
        try:
            graded = asyncio.run(_grade(run, its, judges, batch, again, dollars, calls, quiet=as_json))
        except DeliverableGone as error:
            print(f"redwell: {shown_line(str(error))}", file=sys.stderr)
            ungraded += 1
            continue
        made = _kept(run, its, graded, how, lab_scoring)
        sets += made
        rows += [_row(run, one, lab_scoring) for one in made]
        for row in rows[-len(made) :]:
            print(shown_json(json.dumps(row, ensure_ascii=False)) if as_json else shown_line(_line(row)))
    if not as_json and len({one.task for one in sets}) > 1:
        _totals(sets, lab_scoring)
    if ungraded or (not lab_scoring and any(row["unscored"] for row in rows)):
        raise SystemExit(INCOMPLETE)


@plain_errors
def audit(
    runs: Runs,
    judge: Annotated[str, typer.Option("--judge", help="The judge that is looked at.")],
    against: Annotated[
        str,
        typer.Option(
            "--against",
            help="Another judge of the same runs, or a CSV of hand verdicts (criterion, verdict; of several runs also run, the folder).",
        ),
    ],
    task: TaskFolder = None,
    tree: Annotated[Path | None, typer.Option("--tree", help="The tree that the task belongs to.")] = None,
    disagreements: Annotated[
        int, typer.Option("--disagreements", min=0, help="How many disagreements are listed.")
    ] = 20,
    as_json: Json = False,
) -> None:
    """Holds a judge's verdicts against another's: agreement and Cohen's kappa by kind of criterion, cost of a judged room, disagreements."""
    from redwell.bench.audit import AuditError, Pair, read_hand
    from redwell.bench.audit import audit as hold
    from redwell.bench.verdicts import read_set

    pairs = []
    try:
        tasks = {run: _task(run, task, tree) for run in _found(runs)}
        if against.endswith(".csv"):
            others = read_hand(Path(against), tasks)
        else:
            others = {run: read_set(run, against) for run in tasks}
        for run, second in others.items():
            pairs.append(Pair(str(run), tasks[run], read_set(run, judge), second, _key(tasks[run])))
        found = hold(pairs)
    except AuditError as error:
        raise Stop(str(error)) from None
    if as_json:
        print(shown_json(json.dumps(asdict(found), ensure_ascii=False)))
    else:
        _print_audit(found, disagreements)


async def _grade(
    run: Path,
    task: BenchTask,
    judges: list[str],
    batch: int,
    again: bool,
    dollars: float | None,
    calls: int,
    *,
    quiet: bool,
) -> list[VerdictSet]:
    from redwell.bench.grading import FACTS, Options, grade_run
    from redwell.diligence.naming import EMBEDDED, resolve
    from redwell.models.budget import Budget
    from redwell.models.prices import load_prices

    working = asyncio.current_task()
    if working is not None:
        stop_on_signals(working)
    made = []
    for name in judges:
        if name in EMBEDDED.values():
            raise Stop(f"--judge {name}: {name} writes reports and cannot judge them; give facts or a language model")
        if name != FACTS:
            load_prices().require([name], dollars)
        model = None if name == FACTS else resolve(name, "judge")
        try:
            with _bar(f"{run.name} · {name}", len(task.criteria), quiet=quiet) as progress:
                made.append(
                    await grade_run(
                        run,
                        task,
                        name,
                        model=model,
                        budget=Budget(dollars=dollars, concurrency=calls),
                        options=Options(batch, again),
                        progress=progress,
                    )
                )
        except asyncio.CancelledError:
            raise Stop(
                "interrupted; the answers that came are kept, and the same command goes on", INTERRUPTED
            ) from None
        finally:
            if model is not None:
                await model.close()
    return made


@contextmanager
def _bar(what: str, total: int, *, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr while a judge works; nothing where nobody looks."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as progress:
        line = progress.add_task(shown_line(what), total=total)
        yield lambda done, of: progress.update(line, completed=done, total=of)


def _kept(run: Path, task: BenchTask, graded: list[VerdictSet], how: str, lab: bool) -> list[VerdictSet]:
    """Writes LAB's files of scores, and the set of several judges put together when that was asked for; returns what is shown."""
    from redwell.bench.score import write_lab
    from redwell.bench.verdicts import combine, read_set, sets, slug, write_set

    write_lab(run, task, graded, lab=lab)
    if not how:
        return graded
    together = combine(graded, "majority" if how == "majority" else "both-agree")
    if slug(together.judge) not in sets(run) or read_set(run, together.judge) != together:
        write_set(run, together)
    return [*graded, together]


def _found(given: list[Path]) -> Iterator[Path]:
    """Runs, in order."""
    from redwell.bench.runs import runs_in

    for place in given:
        if not place.is_dir():
            raise Stop(f"{place}: there is no such folder")
        runs = list(runs_in(place))
        if not runs:
            raise Stop(f"{place}: holds no run (a folder with run.json)")
        yield from runs


def _is_under_way(run: Path) -> bool:
    """Whether it is a cell of a matrix that runs, was interrupted or killed: what it has delivered by now says nothing of it."""
    from redwell.bench.cell import result_of

    if "task_folder" not in _configuration(run):
        return False
    result = result_of(run)
    return result is None or result.status == "interrupted"


def _configuration(run: Path) -> dict[str, Any]:
    from redwell.bench.runs import has_journal
    from redwell.journal.journal import Journal

    if not has_journal(run):
        return {}
    with Journal.open(run, read_only=True) as journal:
        return journal.configuration


def _task(run: Path, folder: Path | None, tree: Path | None) -> BenchTask:
    """The task of a run; one that is named must be that which the run was of."""
    from redwell.bench.cell import task_of
    from redwell.bench.tasks import load_task

    if folder is None:
        return task_of(run)
    task = load_task(folder, tree)
    of = str(_configuration(run).get("task", ""))
    if of and of.rsplit("/", 1)[-1] != task.id.rsplit("/", 1)[-1]:
        raise Stop(f"--task {folder}: {run} is a run of {of}, and this task is {task.id}")
    return task


def _key(task: BenchTask) -> Key | None:
    from redwell.bench.key import read_key

    return read_key(task.key) if task.key is not None else None


def _row(run: Path, one: VerdictSet, lab: bool) -> dict[str, Any]:
    from redwell.bench.score import share_of

    share = share_of(one, lab=lab)
    return {
        "run": str(run), "task": one.task, "judge": one.judge, "passed": share.passed, "failed": share.failed, "unscored": share.unscored,
        "rate": share.rate, "cost": one.cost, "input_tokens": one.input_tokens, "output_tokens": one.output_tokens, "seconds": one.seconds,
    }  # fmt: skip


def _line(row: dict[str, Any]) -> str:
    rate = "no verdict" if row["rate"] is None else f"{100 * row['rate']:.1f}%"
    cost = "cost not known" if row["cost"] is None else money(row["cost"])
    left = f", {row['unscored']} unscored" if row["unscored"] else ""
    return f"{row['run']} · {row['judge']}: {rate} ({row['passed']} of {row['passed'] + row['failed']}{left}), {cost}, {row['seconds']:.1f} s"


def _totals(sets: list[VerdictSet], lab: bool) -> None:
    from redwell.bench.score import scores
    from redwell.journal.counted import counted

    for judge in dict.fromkeys(one.judge for one in sets):
        total = scores([one for one in sets if one.judge == judge], lab=lab)
        if total.macro is None or total.pooled is None:
            continue
        macro, pooled = (
            f"{100 * one.value:.1f}% ({100 * one.low:.1f} to {100 * one.high:.1f})"
            for one in (total.macro, total.pooled)
        )
        print(
            shown(
                f"{judge}: macro {macro}, pooled {pooled}, all criteria passed in {100 * (total.all_pass or 0):.1f}% of {counted(total.runs, 'run')}"
            )
        )


def _print_audit(found: Audit, most: int) -> None:
    print(shown(f"{found.first} against {found.second}"))
    print(f"{'kind':16}{'judged':>8}{'agree':>9}{'kappa':>8}{'only 1st':>10}{'only 2nd':>10}{'unscored':>10}")
    for one in found.agreements:
        rate = "-" if one.rate is None else f"{100 * one.rate:.1f}%"
        kappa = "-" if one.kappa is None else f"{one.kappa:z.2f}"
        print(
            f"{one.kind:16}{one.judged:>8}{rate:>9}{kappa:>8}{one.only_first:>10}{one.only_second:>10}{one.unscored:>10}"
        )
    for judge, cost in found.costs.items():
        told = "cost not known" if cost is None else money(cost)
        print(shown(f"{judge}: {told} and {found.seconds[judge]:.1f} s for a judged room"))
    for apart in found.disagreements[:most]:
        print(shown(f"\n{apart.run} · {apart.criterion} {apart.title} ({apart.kind})"))
        for judge, verdict in ((found.first, apart.first), (found.second, apart.second)):
            reason = f": {verdict.reason[:400]}" if verdict.reason.strip() else ""
            print(shown(f"  {judge}: {verdict.outcome}{reason}"))
    if len(found.disagreements) > most:
        print(f"\nand {len(found.disagreements) - most} more; --json lists all")
