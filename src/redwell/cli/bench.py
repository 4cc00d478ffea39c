"""`redwell bench`: tasks with a rubric, run through harnesses and models, graded, compared and drawn."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redwell.cli.bench_compare import compare
from redwell.cli.bench_figures import figures
from redwell.cli.bench_grade import audit, grade
from redwell.cli.bench_show import list_, show, validate
from redwell.cli.errors import FAILED, INCOMPLETE, INTERRUPTED, Stop, plain_errors
from redwell.cli.interrupt import stop_on_signals

if TYPE_CHECKING:
    from redwell.bench.matrix import Matrix
    from redwell.bench.running import Line
    from redwell.cli.bench_progress import Progress

bench_app = typer.Typer(
    help="Measures agents: tasks with a rubric, harnesses and models side by side, verdicts, figures.",
    no_args_is_help=True,
)
bench_app.command("list")(list_)
bench_app.command("show")(show)
bench_app.command("validate")(validate)
for verb in (grade, audit, compare, figures):
    bench_app.command(verb.__name__)(verb)
_CELLS = "How many cells run at one time; 2 if left out."


@bench_app.command("run")
@plain_errors
def run(
    what: Annotated[
        list[Path],
        typer.Argument(
            metavar="MATRIX.toml|TASK...",
            help="A matrix; or tasks (or trees of them) for the short form; or the folder of a matrix, to go on with it.",
        ),
    ],
    out: Annotated[Path | None, typer.Option("--out", help="The matrix's folder: rooms, runs, figures.")] = None,
    harness: Annotated[
        list[str] | None, typer.Option("--harness", help="Short form: a harness; rlm if left out. May be repeated.")
    ] = None,
    root: Annotated[
        list[str] | None,
        typer.Option("--root", help="Short form: a root model; playbook if left out. May be repeated."),
    ] = None,
    sub: Annotated[
        list[str] | None,
        typer.Option("--sub", help="Short form: a sub-agent model; reader if left out. May be repeated."),
    ] = None,
    repeats: Annotated[
        int | None, typer.Option("--repeats", min=1, help="Short form: how often each cell is run; once if left out.")
    ] = None,
    judge: Annotated[
        list[str] | None, typer.Option("--judge", help="Short form: facts, or a model. May be repeated.")
    ] = None,
    tree: Annotated[
        Path | None, typer.Option("--tree", help="Short form: the tree that the tasks belong to and are named in.")
    ] = None,
    dollars: Annotated[
        float | None, typer.Option("--budget", min=0, help="Short form: most US dollars of one cell, judges included.")
    ] = None,
    total: Annotated[
        float | None, typer.Option("--total-budget", min=0, help="Short form: most US dollars of all cells together.")
    ] = None,
    tokens: Annotated[
        int | None, typer.Option("--tokens", min=1, help="Short form: most tokens of one cell, in and out.")
    ] = None,
    calls: Annotated[
        int | None, typer.Option("--calls", min=1, help="Short form: most model calls of one cell.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=1, help="Short form: longest time of one cell.")
    ] = None,
    turns: Annotated[int | None, typer.Option("--turns", min=1, help="Short form: most turns of the root.")] = None,
    cells: Annotated[int | None, typer.Option("--cells", min=1, help=_CELLS)] = None,
    executor: Annotated[
        str | None,
        typer.Option("--executor", help="local (processes of this machine) or ray (a Ray cluster); local if left out."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print progress and the result as JSON lines.")] = False,
) -> None:
    """Runs a matrix of tasks, harnesses, models and repeats. The same command goes on with one that was interrupted.

    Exit codes: 0 every cell submitted a report; 1 some did not, each with its reason; 2 bad input, nothing was done; 3 no cell ended
    with a report; 130 interrupted.
    """
    short = {
        "harnesses": harness,
        "roots": root,
        "subs": sub,
        "repeats": repeats,
        "judges": judge,
        "tree": tree,
        "dollars": dollars,
        "total": total,
        "tokens": tokens,
        "calls": calls,
        "seconds": seconds,
        "turns": turns,
    }
    matrix, place = _matrix(what, out, {name: value for name, value in short.items() if value is not None})
    changes: dict[str, Any] = {}
    if executor is not None:
        if executor not in ("local", "ray"):
            raise Stop(f"--executor is local or ray, not {executor!r}")
        changes["executor"] = executor
    if cells is not None:
        changes["concurrency"] = cells
    code = _run(matrix.model_copy(update=changes), place, quiet=quiet, as_json=as_json)
    if code:
        raise SystemExit(code)


def _matrix(what: list[Path], out: Path | None, short: dict[str, Any]) -> tuple[Matrix, Path]:
    from redwell.bench.matrix import FILE, make_matrix, read_matrix
    from redwell.bench.tasks import TASK_FILE

    first = what[0]
    is_file = first.suffix == ".toml" and not first.is_dir()
    goes_on = (first / FILE).is_file() and not (first / TASK_FILE).exists()
    if is_file or goes_on:
        if len(what) > 1:
            raise Stop(f"{first} is a matrix, which names its tasks itself; give it alone")
        if short:
            names = {"harnesses": "harness", "roots": "root", "subs": "sub", "judges": "judge", "dollars": "budget"}
            name = next(iter(short))
            raise Stop(
                f"--{names.get(name, name)} is for the short form: write it into {first if is_file else first / FILE}"
            )
        if out is None and not goes_on:
            raise Stop("name the matrix's folder with --out")
        return read_matrix(first if is_file else first / FILE), out or first
    if out is None:
        raise Stop("name the matrix's folder with --out")
    cell = {name: short[name] for name in ("dollars", "tokens", "calls", "seconds") if name in short}
    settings = {"max_turns": short["turns"]} if "turns" in short else {}
    data: dict[str, Any] = {
        "tasks": [str(path.resolve()) for path in what],
        "harnesses": dict.fromkeys(short.get("harnesses", ["rlm"]), settings),
        "budget": {"cell": cell, "matrix": {"dollars": short["total"]} if "total" in short else {}},
    }
    if "tree" in short:
        data["tree"] = str(short["tree"].resolve())
    data |= {name: short[name] for name in ("roots", "subs", "repeats", "judges") if name in short}
    return make_matrix(data, Path.cwd(), "bench run"), out


def _run(matrix: Matrix, out: Path, *, quiet: bool, as_json: bool) -> int:
    from redwell.bench import running
    from redwell.bench.locks import held
    from redwell.cli.bench_progress import Progress

    try:
        out.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise Stop(f"{out} is not a folder: name another with --out") from None
    out = out.resolve()
    with held(out / running.LOCK):
        running.begin(matrix, out)
        progress = Progress(quiet=quiet, as_json=as_json)
        with progress.shown():
            running.make_tasks(matrix, out, progress.changed)
            running.check_tasks(matrix, out)
            lines = running.lines_of(matrix, out)
            progress.begin(lines)
            whole = _go(matrix, lines, out, progress)
        progress.end(out, whole)
    if not whole:
        return INTERRUPTED
    if all(line.state == "submitted" for line in lines):
        return 0
    return INCOMPLETE if any(line.result is not None and line.result.finished for line in lines) else FAILED


def _go(matrix: Matrix, lines: list[Line], out: Path, progress: Progress) -> bool:
    from redwell.bench.running import run_cells

    async def main() -> bool:
        executor = _executor(matrix)
        task = asyncio.ensure_future(run_cells(lines, matrix, executor, progress.changed, out=out))
        stop_on_signals(task)
        try:
            return await task
        finally:
            await executor.close()

    return asyncio.run(main())


def _executor(matrix: Matrix) -> Any:
    if matrix.executor == "ray":
        from redwell.bench.cluster import Cluster

        return Cluster()
    from redwell.bench.executors import Local

    return Local()
