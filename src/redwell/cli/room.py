"""`redwell room`: reads a room into its store, and looks into it."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from redwell.cli.console import plain_console
from redwell.cli.errors import INCOMPLETE, Stop, plain_errors
from redwell.cli.stores import is_run, store_of
from redwell.journal.counted import counted
from redwell.journal.shown import shown, shown_line
from redwell.room.types import FLAGS

room_app = typer.Typer(help="Reads a room into its store, and looks into it.", no_args_is_help=True)

SHOWN_REASONS = 40

StoreArgument = Annotated[
    Path,
    typer.Argument(
        metavar="STORE", help="A store, the folder of a run, or the room that was read into the default store."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
DocumentOption = Annotated[
    list[str] | None,
    typer.Option("--document", "-d", help="Only this document: its id, path or name. May be repeated."),
]
FolderOption = Annotated[str | None, typer.Option("--folder", help="Only under this folder of the room.")]


@room_app.callback()
def _room() -> None:
    """Reads a room into its store, and looks into it."""


@room_app.command("read")
@plain_errors
def read(
    path: Annotated[Path, typer.Argument(metavar="ROOM", help="A folder, a ZIP archive or a single file.")],
    store: Annotated[
        Path | None, typer.Option("--store", help="Where the store is kept; .redwell/NAME beside the room if left out.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, help="Processes that read files; one for each CPU when left out.")
    ] = None,
    ocr: Annotated[str, typer.Option("--ocr", help="auto or off.")] = "auto",
    as_json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Reads a room; a second time, only what is new or has changed.

    Exit codes: 0 read; 1 nothing in it could be read; 2 bad input.
    """
    from redwell.room.reading import read_room

    if ocr not in ("auto", "off"):
        raise Stop(f"--ocr is auto or off, not {ocr!r}")
    if not path.exists():
        raise Stop(f"{path}: there is no such folder, archive or file")
    place = store or default_store(path)
    began = time.monotonic()
    with _Reporter(quiet=quiet or as_json) as reporter:
        account = read_room(path, place, jobs=jobs, ocr=cast(Any, ocr), progress=reporter.tell)
    if as_json:
        _print_json({"store": str(place), "seconds": round(time.monotonic() - began, 2), **_account(account)})
    elif not quiet:
        _print_account(account)
        _print(f"Store: {place}   ({time.monotonic() - began:.1f} s)")
    if not account.read and not account.partly_read:
        raise SystemExit(INCOMPLETE)


@room_app.command("status")
@plain_errors
def status(store: StoreArgument, as_json: JsonOption = False) -> None:
    """What was found, what was read, and each file that was not, with its reason."""
    with _open(store) as room:
        account = room.accounting()
        if as_json:
            kinds = Counter(document.kind for document in room.documents())
            _print_json({"store": str(room.store), "room": room.id, "kinds": dict(kinds), **_account(account)})
        else:
            _print_account(account, reasons=None)
    if not account.reconciles:
        raise SystemExit(INCOMPLETE)


@room_app.command("search")
@plain_errors
def search(
    store: StoreArgument,
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help='Words, "a phrase", "in order"~5, AND OR NOT, parentheses, prefix*.')
    ],
    k: Annotated[int, typer.Option("-k", "--top", min=1, help="How many.")] = 10,
    folder: FolderOption = None,
    kind: Annotated[str | None, typer.Option("--kind", help="Only documents of this kind: pdf, docx, xlsx ...")] = None,
    flag: Annotated[str | None, typer.Option("--flag", help=f"Only text with this flag: {', '.join(FLAGS)}.")] = None,
    after: Annotated[
        str | None,
        typer.Option(
            "--after",
            help="Only documents that their own metadata date on or after: 2023 or 2023-05-31. Those without a date are left out.",
        ),
    ] = None,
    before: Annotated[
        str | None, typer.Option("--before", help="Only documents dated on or before; as --after.")
    ] = None,
    document: DocumentOption = None,
    as_json: JsonOption = False,
) -> None:
    """The passages that fit best. Exit code 1 when there is none."""
    with _open(store) as room:
        hits = room.search(
            query, k=k, folder=folder, kind=kind, flag=flag, after=after, before=before, documents=document
        )
        if as_json:
            _print_json([asdict(hit) for hit in hits])
        for hit in [] if as_json else hits:
            _print(
                f"{shown_line(hit.path)}  [{_where(room, hit.span)}]  {hit.span.document[:8]}:{hit.span.start}-{hit.span.end}",
                style="bold",
            )
            _print(f"    {hit.text}")
        undated = room.undated(folder=folder, kind=kind, documents=document) if after or before else 0
    if undated and not as_json:
        said = "1 document carries no date and was" if undated == 1 else f"{undated:,} documents carry no date and were"
        print(f"{said} left out.", file=sys.stderr)
    if not hits:
        _none("Nothing was found.", as_json)


@room_app.command("grep")
@plain_errors
def grep(
    store: StoreArgument,
    pattern: Annotated[str, typer.Argument(metavar="PATTERN", help="A regular expression (RE2).")],
    case: Annotated[bool, typer.Option("--case", "-c", help="Upper and lower case differ.")] = False,
    folder: FolderOption = None,
    document: DocumentOption = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="At most so many.")] = 1000,
    as_json: JsonOption = False,
) -> None:
    """Every match of a regular expression, by path. Exit code 1 when there is none."""
    with _open(store) as room:
        found = room.grep(pattern, ignore_case=not case, folder=folder, documents=document, limit=limit)
        if as_json:
            _print_json([asdict(match) for match in found])
        for match in [] if as_json else found:
            line = " ".join(match.line.split())
            _print(
                f"{shown_line(match.path)}  [{_where(room, match.span)}]  {match.span.document[:8]}:{match.span.start}-{match.span.end}",
                style="bold",
            )
            _print(f"    {line}")
    if not found:
        _none("Nothing matches.", as_json)
    if len(found) == limit and not as_json:
        print(f"There may be more: stopped at {limit} (--limit).", file=sys.stderr)


@room_app.command("show")
@plain_errors
def show(
    store: StoreArgument,
    document: Annotated[
        str, typer.Argument(metavar="DOCUMENT", help="Its id or the beginning of it, its path, or its name.")
    ],
    view: Annotated[str, typer.Option("--view", help="final, original or marked.")] = "final",
    units: Annotated[bool, typer.Option("--units", help="Unit by unit, with number, place and flags.")] = False,
    first: Annotated[int, typer.Option("--from", min=0, help="Begin at the unit with this number.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """The text of a document."""
    if view not in ("final", "original", "marked"):
        raise Stop(f"--view is final, original or marked, not {view!r}")
    with _open(store) as room:
        shown = room.document(document)
        text = room.text(shown.id, cast(Any, view))
        blocks = room.units(shown.id, cast(Any, view))[first:]
        if as_json:
            listed = [{**asdict(unit), "text": text[unit.start : unit.end]} for unit in blocks]
            _print_json({"document": asdict(shown), "view": view, "units": listed})
            return
        if not text:
            raise Stop(f"{shown.path} has no text: {shown.reason or 'nothing was read of it'}", INCOMPLETE)
        if not units:
            _print(text[blocks[0].start :] if blocks else "")
            return
        for unit in blocks:
            head = [f"{unit.ordinal}", unit.path, unit.section and f"Section {unit.section}", *unit.flags]
            _print("  ".join(part for part in head if part), style="bold")
            _print(text[unit.start : unit.end])


def default_store(path: Path) -> Path:
    """Where a room's store is kept when nobody says where: `.redwell/NAME` beside the room."""
    path = path.resolve()
    return path.parent / ".redwell" / (path.name or "room")


def _open(store: Path) -> Any:
    from redwell.room.room import Room

    if is_run(store):
        from redwell.journal.journal import Journal

        return Room.open(store_of(store, Journal.open(store, read_only=True).configuration))
    usual = default_store(store)
    return Room.open(usual if not (store / "room.sqlite").is_file() and (usual / "room.sqlite").is_file() else store)


def _where(room: Any, span: Any) -> str:
    place = room.place(span)
    parts = [f"Section {place.section}" if place.section else "", f"page {place.page}" if place.page else place.unit]
    return ", ".join(part for part in parts if part)


def _account(account: Any) -> dict[str, Any]:
    return {**asdict(account), "reconciles": account.reconciles}


def _print_account(account: Any, reasons: int | None = SHOWN_REASONS) -> None:
    for name in ("found", "read", "partly_read", "unreadable", "skipped"):
        _print(f"{getattr(account, name):>9,}  {name.replace('_', ' ')}")
    documents = "document" if account.documents == 1 else "different documents"
    _print(
        f"{account.documents:>9,}  {documents}, {counted(account.pages, 'page')}, {counted(account.characters, 'character')}"
    )
    listed = account.not_read[:reasons]
    if listed:
        _print("")
    for one in listed:
        _print(f"  {one.status.replace('_', ' '):11} {shown_line(one.path)}: {one.reason}")
    if len(listed) < len(account.not_read):
        _print(f"  and {len(account.not_read) - len(listed):,} more; see `redwell room status`")


def _print(text: str, style: str | None = None) -> None:
    """Prints text that comes from documents: what would steer a terminal is shown as an escape."""
    from rich.text import Text

    text = shown(text)
    console = plain_console()
    if console.is_terminal:
        console.print(Text(text, style or ""), soft_wrap=True)
    else:
        sys.stdout.write(
            text.encode(sys.stdout.encoding or "utf-8", "backslashreplace").decode(sys.stdout.encoding or "utf-8")
            + "\n"
        )


def _print_json(value: Any) -> None:
    print(json.dumps(value))


def _none(message: str, as_json: bool) -> None:
    if not as_json:
        print(message, file=sys.stderr)
    raise SystemExit(INCOMPLETE)


class _Reporter:
    """One live line while a room is read, on a terminal."""

    def __init__(self, *, quiet: bool) -> None:
        self._live: Any = None
        self._quiet = quiet

    def __enter__(self) -> _Reporter:
        from rich.console import Console
        from rich.live import Live

        console = Console(stderr=True)
        if not self._quiet and console.is_terminal:
            self._live = Live("", console=console, refresh_per_second=8, transient=True)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def tell(self, event: dict[str, Any]) -> None:
        if self._live is None:
            return
        from rich.text import Text

        pages = f", {event['pages']:,} pages" if event["pages"] else ""
        line = f"{event['stage']}: {event['files']:,} of {event['found']:,} found{pages}, {event['characters']:,} characters  {event['path']}"
        self._live.update(Text(shown_line(line), overflow="ellipsis", no_wrap=True))
