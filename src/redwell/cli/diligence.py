"""`redwell diligence` and `redwell resume`: a room in, a report out; an interrupted run gone on with."""

from __future__ import annotations

import asyncio
import contextlib
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from redwell.cli.errors import FAILED, INCOMPLETE, INTERRUPTED, OK, Stop, plain_errors
from redwell.cli.interrupt import stop_on_signals
from redwell.cli.progress import Progress, Watch
from redwell.cli.stores import RUN_FILE, STORE_FILE, is_run, make_out, reports, store_of

_GO_ON = "interrupted; what was done is kept: `redwell resume {}` goes on"
CONNECTED = "openai:NAME, anthropic:NAME, openai:NAME@http://HOST (with port and path: a server of your own), or local:NAME (`redwell models list`)."


@plain_errors
def diligence(
    room: Annotated[
        Path,
        typer.Argument(metavar="ROOM", help="A folder or ZIP of documents, or a store made by `redwell room read`."),
    ],
    out: Annotated[Path, typer.Option("--out", help="The run's folder: journal, room store and reports.")],
    deal: Annotated[
        Path | None, typer.Option("--deal", help="A TOML file with parties, structure, price, materiality, dates.")
    ] = None,
    root: Annotated[str, typer.Option("--root", help=f"Model of the root: playbook, {CONNECTED}")] = "playbook",
    sub: Annotated[str, typer.Option("--sub", help=f"Model of the sub-agents: reader, {CONNECTED}")] = "reader",
    store: Annotated[
        Path | None, typer.Option("--store", help="Where the room's store is kept; OUT/room if left out.")
    ] = None,
    depth: Annotated[
        int, typer.Option("--depth", min=1, max=2, help="2 lets sub-agents have sandboxes of their own.")
    ] = 1,
    dollars: Annotated[
        float | None,
        typer.Option(
            "--budget",
            min=0,
            help="Most that the run may cost, in US dollars; every model needs a known price (REDWELL_PRICES names a file of yours).",
        ),
    ] = None,
    tokens: Annotated[int | None, typer.Option("--tokens", min=1, help="Most tokens, in and out.")] = None,
    calls: Annotated[int | None, typer.Option("--calls", min=1, help="Most model calls.")] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", min=1, help="Longest time.")] = None,
    concurrency: Annotated[int, typer.Option("--concurrency", min=1, max=1024, help="Calls at one time.")] = 16,
    turns: Annotated[int, typer.Option("--turns", min=1, help="Most turns of the root.")] = 60,
    ocr: Annotated[str, typer.Option("--ocr", help="auto or off.")] = "auto",
    jobs: Annotated[int | None, typer.Option("--jobs", min=1, help="Processes that read files.")] = None,
    unsafe_local: Annotated[
        bool, typer.Option("--unsafe-local", help="Run model-written code without walls. Only for code you trust.")
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Set an earlier run in OUT aside and start over.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print progress and the result as JSON lines.")] = False,
) -> None:
    """Reads the room and writes a cited due diligence report (HTML, Word, Excel, Markdown, JSON).

    Exit codes: 0 report submitted; 1 report written but incomplete, its first page says why; 2 bad input, nothing was done;
    3 no call was answered, so that nothing could be read (a report says so), or the disk failed; 130 interrupted.
    """

    from redwell.diligence import run
    from redwell.diligence.deal import read_deal
    from redwell.diligence.naming import resolve
    from redwell.harness.types import Settings
    from redwell.journal.journal import Journal
    from redwell.models.prices import load_prices
    from redwell.room.places import refuse_among_documents, same
    from redwell.sandbox.selftest import choose

    if ocr not in ("auto", "off"):
        raise Stop(f"--ocr is auto or off, not {ocr!r}")
    given = read_deal(deal)
    settings = Settings(depth=depth, max_turns=turns, sandbox="unsafe-local" if unsafe_local else "auto")
    choose(settings.sandbox)  # refuse before anything is read or paid for
    models: dict[Any, Any] = {"root": resolve(root, "root"), "sub": resolve(sub, "sub")}
    load_prices().require((model.name for model in models.values()), dollars)
    if not room.exists():
        raise Stop(f"{room}: there is no such folder, archive or store")
    if is_run(room):
        raise Stop(f"{room} is the folder of a run, not a room: the room that it read is its store, {room / 'room'}")
    is_read = (room / STORE_FILE).is_file()
    if same(room, out):
        raise Stop(
            f"{out} is the room itself: the run's files would lie among its documents. Name another folder with --out"
        )
    if store is not None and not is_read:
        refuse_among_documents(room, store)
    make_out(out, store)
    if (out / RUN_FILE).exists():
        if not fresh:
            raise Stop(
                f"{out} holds a run already: go on with it by `redwell resume {out}`, or start over with --fresh"
            )
        _set_aside(out)
    limits = {"dollars": dollars, "tokens": tokens, "calls": calls, "seconds": seconds, "concurrency": concurrency}
    place = room if is_read else store or out / "room"
    reading = None if is_read else {"path": str(room.resolve()), "ocr": ocr, "jobs": jobs}
    # The run is there before the room is read, so that `resume` can go on with the reading too.
    journal = Journal.create(out, run.frozen(out, place, room.resolve().name, given, models, settings, limits, reading))
    progress = Progress(quiet=quiet, as_json=as_json)
    with progress.shown():
        try:
            opened = _read(place, reading, progress)
        except KeyboardInterrupt:
            raise Stop(_GO_ON.format(out), INTERRUPTED) from None
        except BaseException:
            _undo(journal, out)
            raise
        outcome = _go(journal, opened, models, limits, progress)
    code = _finish(outcome, out, progress)
    if code != OK:
        raise SystemExit(code)


@plain_errors
def resume(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of an interrupted run.")],
    store: Annotated[Path | None, typer.Option("--store", help="The room's store, when it has moved.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q")] = False,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Goes on with a run where it was interrupted, also in the reading of its room. What was paid for is taken from its journal."""
    from redwell.diligence.naming import resolve
    from redwell.journal.journal import Journal
    from redwell.models.prices import load_prices
    from redwell.room.room import Room

    journal = Journal.open(folder)
    if journal.configuration.get("kind") == "bench":
        raise Stop(f"{folder} is a cell of a matrix: go on with the matrix by `redwell bench run` and its folder")
    if _is_finished(journal, folder):
        journal.close()
        progress = Progress(quiet=quiet, as_json=as_json)
        progress.finished_before(folder, reports(folder))
        return
    configuration = journal.configuration
    models: dict[Any, Any] = {role: resolve(name, role) for role, name in configuration["models"].items()}
    load_prices().require(configuration["models"].values(), configuration["budget"]["dollars"])
    begun = next(journal.events("run.started"), None)
    progress = Progress(quiet=quiet, as_json=as_json)
    with progress.shown():
        if begun is None and configuration.get("reading"):
            place = store or folder / configuration["room"]  # an absolute name stays what it is
            try:
                opened = _read(place, configuration["reading"], progress)
            except KeyboardInterrupt:
                raise Stop(_GO_ON.format(folder), INTERRUPTED) from None
        else:
            opened = Room.open(store_of(folder, configuration, store))
        if store is not None and begun is not None and begun.data["store"] != opened.id:
            raise Stop(f"{store} is not the store of this run's room, or the room has changed since")
        outcome = _go(journal, opened, models, configuration["budget"], progress)
    code = _finish(outcome, folder, progress)
    if code != OK:
        raise SystemExit(code)


def _is_finished(journal: Any, folder: Path) -> bool:
    """Whether the report was submitted and is there: nothing is left to go on with."""
    ends = [event.data.get("status") for event in journal.events("run.finished")]
    return ends[-1:] == ["submitted"] and (folder / "output" / "report.json").is_file()


def _read(store: Path, reading: dict[str, Any] | None, progress: Progress) -> Any:
    """The room in the store, which is read first unless it is there already (`reading` is None)."""
    from redwell.room.room import Room, read_room

    if reading is None:
        return Room.open(store)
    path = Path(reading["path"])
    account = read_room(path, store, ocr=reading["ocr"], jobs=reading["jobs"], progress=progress.reading)
    progress.read(account)
    if not account.found:
        raise Stop(f"{path} has no files")
    if not account.characters:
        raise Stop(
            f"{path}: none of its {account.found} files has readable text; `redwell room status {store}` gives each one's reason"
        )
    return Room.open(store)


def _undo(journal: Any, out: Path) -> None:
    """Takes away a run that could not begin, so that the same command can be given again."""
    journal.close()
    for path in (out / RUN_FILE, *out.glob("journal.sqlite*")):
        path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        (out / "output").rmdir()


def _go(journal: Any, room: Any, models: dict[Any, Any], limits: dict[str, Any], progress: Progress) -> Any:
    from redwell.diligence import run
    from redwell.models.budget import Budget

    async def main() -> Any:
        watch = Watch(journal, room, progress.event)
        task = asyncio.ensure_future(run.go(journal, room, models, Budget(**limits), watch))
        stop_on_signals(task)
        try:
            return await task
        finally:
            watch.look()
            for model in models.values():
                await model.close()

    try:
        return asyncio.run(main())
    except asyncio.CancelledError:
        return None
    finally:
        journal.close()


def _finish(outcome: Any, folder: Path, progress: Progress) -> int:
    if outcome is None:
        raise Stop(_GO_ON.format(folder), INTERRUPTED)
    progress.done(outcome, folder)
    if outcome.status == "submitted" and (outcome.state.unread or outcome.state.failures):
        return INCOMPLETE
    codes: dict[str, int] = {"submitted": OK, "salvaged": INCOMPLETE, "interrupted": INTERRUPTED, "failed": FAILED}
    return codes[outcome.status]


def _set_aside(out: Path) -> None:
    """Moves an earlier run's files into OUT/earlier/<time>; nothing that was paid for is deleted. Raises JournalError while it is in use."""
    from redwell.journal.journal import Journal, JournalError

    try:
        Journal.open(out).close()
    except JournalError as error:
        if "in use" in str(error):
            raise
    named = aside = out / "earlier" / time.strftime("%Y%m%d-%H%M%S")
    number = 2
    while aside.exists():  # within a second, or by a clock that was set back
        aside, number = named.with_name(f"{named.name}-{number}"), number + 1
    aside.mkdir(parents=True)
    ours = [path for path in out.iterdir() if path.name in ("output", "lock") or path.name.startswith("journal.sqlite")]
    # run.json last: a folder without it has no run, and what lies there is cleared away when one is made.
    for path in (*ours, out / RUN_FILE):
        path.rename(aside / path.name)
