"""`redwell train export`: rollouts in the forms that other trainers read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from redwell.cli.errors import Stop, plain_errors


@plain_errors
def export(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN...", help="Runs, folders of runs, or the folders of trainings."),
    ],
    out: Annotated[Path, typer.Option("--out", help="The file to write: JSON, one object a line.")],
    format_: Annotated[
        str,
        typer.Option(
            "--format",
            help="sft (conversations); verl, skyrl, trl, nemo-gym (a row for each task); verifiers (traces); tinker (data with advantages).",
        ),
    ] = "sft",
    arguments: Annotated[
        str,
        typer.Option(
            "--arguments", help="sft: arguments of tool calls as objects (TRL, Transformers) or strings (OpenAI)."
        ),
    ] = "objects",
) -> None:
    """Writes rollouts for other trainers. A rollout that a format cannot hold is left out, and counted with the reason.

    Exit codes: 0 written; 2 bad input, nothing was written.
    """
    from redwell.train.export.write import export as write

    if arguments not in ("objects", "strings"):
        raise Stop(f"--arguments is objects or strings, not {arguments!r}")
    told = write(runs, format_, out, "objects" if arguments == "objects" else "strings")
    print(f"{out}: {told.lines} lines of {told.rollouts} rollouts as {format_}")
    for why, count in told.left_out.most_common():
        print(f"left out {count}: {why}")
