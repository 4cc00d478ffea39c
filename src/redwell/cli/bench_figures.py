"""`redwell bench figures`: every figure and table of a folder of runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from redwell.cli.errors import Stop, plain_errors


@plain_errors
def figures(
    runs: Annotated[Path, typer.Argument(metavar="RUNS", help="A folder of runs, such as that of a matrix.")],
    out: Annotated[Path | None, typer.Option("--out", help="Where they are written; RUNS/figures if left out.")] = None,
    judge: Annotated[
        str, typer.Option("--judge", help="Whose verdicts; facts, where there are some, if left out.")
    ] = "",
    before: Annotated[str, typer.Option("--before", help="The root before training.")] = "",
    after: Annotated[str, typer.Option("--after", help="The root after training.")] = "",
    curve: Annotated[
        list[Path] | None,
        typer.Option("--curve", help="A training curve: JSON lines with step and reward. May be repeated."),
    ] = None,
    title: Annotated[str, typer.Option("--title", help="The page's title.")] = "",
) -> None:
    """Draws the figures of the runs: SVG and PNG, the numbers of each as CSV, and one page, index.html."""
    from redwell.bench.figures.draw import draw
    from redwell.bench.figures.drawing import Drawn, FiguresError
    from redwell.bench.key import AnswerKeyError
    from redwell.bench.verdicts import VerdictError
    from redwell.journal.counted import counted

    if not runs.is_dir():
        raise Stop(f"{runs}: there is no such folder of runs")
    place = out or runs / "figures"
    try:
        made = draw(
            runs,
            place,
            judge=judge,
            before=before,
            after=after,
            curves=curve or (),
            title=title,
        )
    except (FiguresError, VerdictError, AnswerKeyError) as error:
        raise Stop(str(error)) from None
    for each in made:
        if not isinstance(each, Drawn):
            print(f"not drawn: {each.title}: {each.reason}")
    drawn = sum(isinstance(each, Drawn) for each in made)
    print(f"{counted(drawn, 'figure or table', 'figures and tables')}: {place / 'index.html'}")
