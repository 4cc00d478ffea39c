"""The verbs together."""

from __future__ import annotations

from typing import Annotated

import typer

import redwell
from redwell.cli.bench import bench_app
from redwell.cli.diligence import diligence, resume
from redwell.cli.doctor import doctor
from redwell.cli.generate import generate_app
from redwell.cli.local_models import models_app
from redwell.cli.report import report_app
from redwell.cli.room import room_app
from redwell.cli.run import run_app
from redwell.cli.train import train_app

app = typer.Typer(
    name="redwell",
    help="Reads a whole data room and writes a due diligence report in which every quote is checked against its source.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(room_app, name="room")
app.command()(diligence)
app.command()(resume)
app.add_typer(report_app, name="report")
app.add_typer(run_app, name="run")
app.add_typer(models_app, name="models")
app.add_typer(bench_app, name="bench")
app.add_typer(generate_app, name="generate")
app.add_typer(train_app, name="train")
app.command()(doctor)


def _version(asked: bool) -> None:
    if asked:
        print(f"redwell {redwell.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Reads a whole data room and writes a due diligence report in which every quote is checked against its source."""
