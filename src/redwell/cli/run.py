"""`redwell run show|trace|export`: looks at what a run did."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redwell.cli.console import plain_console
from redwell.cli.errors import Stop, plain_errors
from redwell.cli.progress import percent
from redwell.cli.stores import listed, reports, store_of
from redwell.journal.counted import counted
from redwell.journal.shown import shown_json, shown_line

if TYPE_CHECKING:
    from redwell.journal.journal import Journal
    from redwell.room.room import Room

run_app = typer.Typer(help="Shows what a run did, from its journal.", no_args_is_help=True)
Run = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]


@run_app.command("show")
@plain_errors
def show(run: Run, as_json: Annotated[bool, typer.Option("--json")] = False) -> None:
    """Prints what a run is, how far it came, what it read and what it cost."""
    from rich.table import Table

    from redwell.diligence.wording import resumed_line, sent_again_line
    from redwell.journal.coverage import coverage
    from redwell.journal.journal import Journal
    from redwell.journal.resumed import resumed
    from redwell.journal.usage import usage

    journal = Journal.open(run, read_only=True)
    configuration = journal.configuration
    last = None
    counts: dict[str, int] = {}
    for event in journal.events():
        counts[event.kind] = counts.get(event.kind, 0) + 1
        if event.kind == "run.finished":
            last = event
        elif event.kind == "run.resumed":
            last = None
    spent, gone_on = usage(journal), resumed(journal)
    status = last.data.get("status", "unknown") if last else "not finished"
    room = _room_of(journal)
    lengths = {document.id: document.length for document in room.documents()} if room else {}
    share = coverage(journal, lengths).share if room else None
    files = reports(run)
    if as_json:
        lines = [
            {
                "role": u.role,
                "model": u.model,
                "calls": u.calls,
                "failed": u.failed,
                "input": u.tokens.input,
                "output": u.tokens.output,
            }
            for u in spent.lines
        ]
        said = {"status": status, "reason": last.data.get("reason", "") if last else "", "configuration": configuration}
        said |= {
            "events": counts,
            "usage": lines,
            "cost": spent.cost,
            "coverage": share,
            "files": [str(path) for path in files],
        }
        said |= {"resumed": gone_on.times, "sent_again": [asdict(call) for call in gone_on.calls]}
        print(json.dumps(said))
        return
    console = plain_console()
    named = configuration.get("room_name") or configuration.get("room")
    console.print(f"{configuration.get('kind')} over {shown_line(str(named))}", soft_wrap=True)
    reason = last.data.get("reason") if last else ""
    console.print(
        f"started {configuration.get('started')}, {status}" + (f": {shown_line(reason)}" if reason else ""),
        soft_wrap=True,
    )
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("Role", "Model", "Calls", "Failed", "Tokens in", "Tokens out", "Cost"):
        table.add_column(name, justify="left" if name in ("Role", "Model") else "right")
    for line in spent.lines:
        cost = "unknown" if line.cost is None else f"${line.cost:,.4f}"
        figures = (f"{n:,}" for n in (line.calls, line.failed, line.tokens.input, line.tokens.output))
        table.add_row(line.role, shown_line(line.model), *figures, cost)
    console.print(table)
    turns, cells = counts.get("turn.finished", 0), counts.get("cell.finished", 0)
    console.print(
        f"{counted(turns, 'turn')}, {counted(cells, 'cell')}, {counted(counts.get('finding', 0), 'finding')}, "
        f"{counted(counts.get('report.entry', 0), 'entry', 'entries')}"
    )
    unknown = "coverage unknown: the room has not been read to its end, or its store is not where it was"
    console.print(unknown if share is None else f"{percent(share)} of the readable text read", soft_wrap=True)
    if gone_on.times:
        console.print(resumed_line(gone_on.times, len(gone_on.calls)), soft_wrap=True)
    for call in gone_on.calls:
        console.print(f"  {sent_again_line(asdict(call))}", soft_wrap=True)
    for told in listed(files):
        console.print(told, soft_wrap=True)


def _room_of(journal: Journal) -> Room | None:
    """The room that the run read, when its store is still where it was: names and texts are taken from it."""
    from redwell.room.room import Room, RoomError

    try:
        return Room.open(store_of(journal.folder, journal.configuration))
    except (RoomError, Stop):
        return None


@run_app.command("trace")
@plain_errors
def trace(
    run: Run,
    out: Annotated[Path | None, typer.Option("--out", help="The HTML file; RUN/output/trace.html if left out.")] = None,
) -> None:
    """Writes one self-contained HTML file: every turn, cell and call, what it cost and what it read."""
    from redwell.journal.journal import Journal
    from redwell.journal.trace_html import write_trace

    journal = Journal.open(run, read_only=True)
    path = out or run / "output" / "trace.html"
    room = _room_of(journal)
    names = {document.id: document.path for document in room.documents()} if room else {}
    write_trace(journal, path, names=names)
    print(path)


@run_app.command("export")
@plain_errors
def export(
    run: Run,
    agent: Annotated[
        str, typer.Option("--agent", help="Whose conversation: root, or a depth-2 child such as root.1.")
    ] = "root",
    what: Annotated[
        str, typer.Option("--what", help="messages (one agent's conversation) or events (the whole journal).")
    ] = "messages",
    call: Annotated[
        str | None, typer.Option("--call", help="One model call alone, in full: what was asked and the answer.")
    ] = None,
) -> None:
    """Prints a run as JSON lines."""
    from redwell.journal.journal import Journal
    from redwell.journal.trajectory import call_messages, messages

    journal = Journal.open(run, read_only=True)
    if call is not None:
        room = _room_of(journal)
        asked = list(call_messages(journal, call, texts=room.slice if room else None))
        if not asked:
            raise Stop(f"there is no call {call!r} in this run; the trace and --what events name them")
        for message in asked:
            print(shown_json(json.dumps(message, ensure_ascii=False)))
    elif what == "messages":
        agents = ["root", *dict.fromkeys(event.agent for event in journal.events("agent.started"))]
        if agent not in agents:
            raise Stop(f"there is no agent {agent!r} in this run; there is {', '.join(agents)}")
        room = _room_of(journal)
        for message in messages(journal, agent, texts=room.slice if room else None):
            print(shown_json(json.dumps(message, ensure_ascii=False)))
    elif what == "events":
        for event in journal.events():
            line = {
                "sequence": event.sequence,
                "time": event.time,
                "kind": event.kind,
                "agent": event.agent,
                **event.data,
            }
            print(shown_json(json.dumps({**line, "blobs": event.blobs}, ensure_ascii=False)))
    else:
        raise Stop(f"--what is messages or events, not {what!r}")
