"""`redwell models list|get|add`: the language models that can run on this machine, and their files. Nothing is downloaded unasked."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from redwell.cli.console import plain_console
from redwell.cli.errors import Stop, plain_errors

models_app = typer.Typer(
    help="Language models that run on this machine (local:NAME): which there are, and getting one.",
    no_args_is_help=True,
)
Name = Annotated[str, typer.Argument(metavar="NAME", help="A name of `redwell models list`.")]


@models_app.command("list")
@plain_errors
def show(as_json: Annotated[bool, typer.Option("--json")] = False) -> None:
    """Prints the catalogue: publisher, licence, size, memory, and which of them are on this machine."""
    from rich.table import Table

    from redwell.models.local_engine import memory
    from redwell.models.local_files import catalogue, folder, is_here

    kept = folder()
    entries = list(catalogue().values())
    if as_json:
        lines = [
            {
                "name": each.name,
                "publisher": each.publisher,
                "licence": each.licence,
                "size": each.size,
                "sha256": each.sha256,
                "url": each.url,
                "here": is_here(each, kept),
                "calibrated": each.yes is not None,
            }
            for each in entries
        ]
        print(json.dumps({"folder": str(kept), "models": lines}))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("Name", "", "Size", "Memory", "Publisher, licence", "What it is good for"):
        right = column in ("Size", "Memory")
        table.add_column(column, justify="right" if right else "left", no_wrap=right or column in ("Name", ""))
    for each in entries:
        table.add_row(
            f"local:{each.name}",
            "here" if is_here(each, kept) else "not here",
            f"{each.size / 1e6:,.0f} MB",
            f"{memory(each.size) / 1e9:.1f} GB",
            f"{each.publisher}, {each.licence}",
            each.about,
        )
    console = plain_console()
    console.print(table)
    console.print(f"Files are kept in {kept}. `redwell models get NAME` brings one.", soft_wrap=True)


@models_app.command("get")
@plain_errors
def get(
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before downloading.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but what is asked and errors.")] = False,
) -> None:
    """Says what would be downloaded and where it goes, asks, and downloads it from its publisher. A download that broke off is gone on with."""
    from redwell.models.download import download
    from redwell.models.local_files import digest, folder, is_here, known

    entry, kept = known(name), folder()
    target = kept / entry.file
    if is_here(entry, kept):
        if digest(target) != entry.sha256:
            raise Stop(f"{target} is damaged: delete it and run this command again")
        if not quiet:
            print(f"{name} is here already and whole: {target}")
        return
    print(
        f"{name}: {entry.about}\n  publisher  {entry.publisher}\n  licence    {entry.licence}\n  from       {entry.url}\n"
        f"  size       {entry.size:,} bytes ({entry.size / 1e6:,.0f} MB)\n  SHA-256    {entry.sha256}\n  goes to    {target}"
    )
    if not yes:
        if not sys.stdin.isatty():
            raise Stop(f"nothing was downloaded: `redwell models get {name} --yes` downloads it without asking")
        if not typer.confirm("Download it?"):
            raise Stop("nothing was downloaded")
    with _Progress(quiet) as told:
        path = download(entry, kept, told)
    if not quiet:
        print(f"{path}: whole, its SHA-256 is right. Use it as --sub local:{name}")


@models_app.command("add")
@plain_errors
def take(
    name: Name, file: Annotated[Path, typer.Argument(metavar="FILE", help="A GGUF file that you have already.")]
) -> None:
    """Takes a file that is on this machine already, if its SHA-256 is the catalogue's."""
    from redwell.models.local_files import add, known

    print(f"{add(known(name), file)}: whole, its SHA-256 is right. Use it as --sub local:{name}")


class _Progress:
    """A line with the megabytes that are here, on a terminal."""

    def __init__(self, quiet: bool) -> None:
        self._shown = not quiet and sys.stderr.isatty()

    def __enter__(self) -> _Progress:
        if self._shown:
            from rich.console import Console
            from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn

            columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
            self._bar = Progress(*columns, console=Console(stderr=True))
            self._task = self._bar.add_task("", total=None)
            self._bar.start()
        return self

    def __call__(self, have: int, whole: int) -> None:
        if self._shown:
            self._bar.update(self._task, completed=have, total=whole)

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._bar.stop()
