"""`redwell report check`: looks for every citation of a report in the store again, from nothing but the two."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from redwell.cli.errors import INCOMPLETE, Stop, plain_errors
from redwell.cli.stores import store_of
from redwell.journal.shown import shown

report_app = typer.Typer(help="Checks a report against its room.", no_args_is_help=True)


@report_app.callback()
def _report() -> None:
    """Checks a report against its room."""


@report_app.command("check")
@plain_errors
def check(
    out: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    store: Annotated[Path | None, typer.Option("--store", help="The room's store, when it has moved.")] = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Checks every citation of a run's report (output/report.json) against the store, and that the workbook (report.xlsx) still has each
    quote. Exit code 0 when all hold, 1 when one does not."""
    from redwell.diligence.recheck import recheck, workbook_faults
    from redwell.journal.journal import Journal
    from redwell.room.room import Room

    path = out / "output" / "report.json"
    if not path.is_file():
        raise Stop(f"{out} has no output/report.json: is it the folder of a finished run?")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise Stop(f"{path} is not JSON: {error}") from None
    journal = Journal.open(out, read_only=True)
    room = Room.open(store_of(out, journal.configuration, store))
    result = recheck(data, room)
    workbook = path.with_suffix(".xlsx")
    if result.citations and workbook.is_file():
        result.faults += workbook_faults(data, workbook.read_bytes())
    if as_json:
        print(
            json.dumps({"file": str(path), "citations": result.citations, "hold": result.hold, "faults": result.faults})
        )
    else:
        print(
            f"{path.relative_to(out)}: {result.citations} citations, {result.hold} hold"
            + ("" if result.faults else ": every quote is in its document")
        )
        for fault in result.faults:
            print(f"  {shown(fault)}")
    if result.faults:
        raise SystemExit(INCOMPLETE)
