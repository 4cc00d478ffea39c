"""`redwell generate`: makes rooms with planted issues and a hidden answer key, and proves them."""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any

import typer

from redwell.cli.errors import INCOMPLETE, INTERRUPTED, Stop, plain_errors
from redwell.journal.shown import shown_line

generate_app = typer.Typer(
    help="Makes rooms with planted issues and a hidden answer key, and proves them.", no_args_is_help=True
)
SHOWN_PROBLEMS = 40

QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]


@generate_app.callback()
def _generate() -> None:
    """Makes rooms with planted issues and a hidden answer key, and proves them."""


@generate_app.command("room")
@plain_errors
def room(
    out: Annotated[Path, typer.Option("--out", metavar="TASK", help="The folder that becomes the task.")],
    preset: Annotated[
        str,
        typer.Option(
            "--preset", help="desk: 8-60 short documents; small: 60-200; full: 2,000-5,000 of the usual length."
        ),
    ] = "small",
    seed: Annotated[str, typer.Option("--seed", help="The same seed gives the same room, byte for byte.")] = "1",
    split: Annotated[
        str, typer.Option("--split", help="Whose wordings it uses: train, dev or test; they share none.")
    ] = "train",
    documents: Annotated[
        int | None,
        typer.Option("--documents", help="How many. Left out: 3,000 in full, else a number that the seed gives."),
    ] = None,
    with_pdf: Annotated[bool, typer.Option("--with-pdf", help="Some documents are PDF, a few of them scans.")] = False,
    filler: Annotated[
        Path | None,
        typer.Option("--filler", metavar="DIR", help="Take running text from the agreements there, with a notice."),
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Makes a room: task.json, documents/ and the hidden answer_key.json.

    What was begun and broken off is begun again by the same command. Exit codes: 0 made; 2 bad input; 3 the disk did not take it; 130 interrupted.
    """
    from redwell.bench.generate.filler_source import FillerError
    from redwell.bench.generate.plan import PlanError
    from redwell.bench.generate.room import GenerateError, generate

    began = time.monotonic()
    try:
        with Bar(quiet) as bar:
            key = generate(
                out,
                preset=preset,
                seed=seed,
                split=split,
                documents=documents,
                with_pdf=with_pdf,
                filler=filler,
                progress=bar.tell,
            )
    except (FillerError, GenerateError, PlanError) as error:
        raise Stop(str(error)) from None
    except KeyboardInterrupt:
        raise Stop("interrupted; the same command begins the room again", INTERRUPTED) from None
    if not quiet:
        issues = [issue for issue in key.issues if not issue.decoy]
        print(
            f"{shown_line(key.room)}: documents {bar.whole:,}, issues {len(issues):,}, decoys {len(key.issues) - len(issues):,}, "
            f"criteria {len(key.criteria):,}; made in {time.monotonic() - began:.1f} s"
        )
        print(f"Task: {shown_line(str(out))}   (answer_key.json is for graders only)")


@generate_app.command("verify")
@plain_errors
def verify(
    task: Annotated[Path, typer.Argument(metavar="TASK", help="The folder of a generated task.")],
    store: Annotated[
        Path | None,
        typer.Option("--store", help="Where the room's store is, or is to be kept; thrown away if left out."),
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Proves that every quote of the answer key stands in its document as read, and that what should be absent is.

    Exit codes: 0 all holds; 1 something does not; 2 bad input.
    """
    from redwell.bench.generate.room import GenerateError
    from redwell.bench.generate.verify import verify as proven
    from redwell.bench.key import read_key

    try:
        with Bar(quiet) as bar:
            problems = proven(task, store, progress=bar.tell)
    except GenerateError as error:
        raise Stop(str(error)) from None
    for problem in problems[:SHOWN_PROBLEMS]:
        print(shown_line(problem))
    if len(problems) > SHOWN_PROBLEMS:
        print(f"and {len(problems) - SHOWN_PROBLEMS:,} more")
    if problems:
        raise SystemExit(INCOMPLETE)
    if not quiet:
        key = read_key(task / "answer_key.json")
        quotes = sum(len(evidence.quotes) for issue in key.issues for evidence in issue.evidence)
        absences = sum(len(issue.absences) for issue in key.issues)
        print(f"All holds: {quotes:,} quotes stand in their documents, {absences:,} absences hold")


class Bar:
    """A progress bar on a terminal, nothing elsewhere."""

    def __init__(self, quiet: bool) -> None:
        self.quiet, self.whole = quiet, 0
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Bar:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True)
        if not self.quiet and console.is_terminal:
            self._bar = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                console=console,
                transient=True,
            )
            self._bar.start()
            self._task = self._bar.add_task("", total=None)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar:
            self._bar.stop()

    def tell(self, stage: str, done: int, whole: int) -> None:
        self.whole = whole
        if self._bar:
            self._bar.update(self._task, description=stage, completed=done, total=whole or None)
