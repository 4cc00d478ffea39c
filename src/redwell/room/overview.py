"""Finding a document by what people call it, choosing some of them, and the list of all."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence

from redwell.journal.shown import shown_line
from redwell.room.errors import QueryError, RoomError
from redwell.room.types import FLAGS, Accounting, Document

_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
DATED_BY = ("date", "sent", "signed", "created", "modified")
"""The metadata that dates a document; the first that is there counts."""
SHOWN_FOLDERS = 8


def resolve(name: str, documents: Mapping[str, Document]) -> Document:
    """The document meant by an id, the beginning of an id, a path or a file name. Raises RoomError listing near names."""
    if name in documents:
        return documents[name]
    present = [document for document in documents.values() if not document.removed]
    wanted = unicodedata.normalize("NFC", name).strip("/")
    tests = (
        lambda document: name in document.paths,
        lambda document: any(unicodedata.normalize("NFC", path) == wanted for path in document.paths),
        lambda document: len(name) >= 6 and document.id.startswith(name.lower()),
        lambda document: any(_ends(path, wanted) for path in document.paths),
        lambda document: any(_ends(path.casefold(), wanted.casefold()) for path in document.paths),
    )
    for test in tests:
        found = [document for document in present if test(document)]
        if len(found) == 1:
            return found[0]
        if found:
            raise RoomError(f"{name!r} could be any of: {_listed(found)}. Give the path or the id.")
    by_name = {document.name.casefold(): document for document in present}
    close = difflib.get_close_matches(wanted.rsplit("/", 1)[-1].casefold(), by_name, n=5, cutoff=0.5)
    hint = f" Near it: {_listed([by_name[one] for one in close])}." if close else ""
    raise RoomError(f"There is no document {name!r} in this room.{hint}")


def _ends(path: str, name: str) -> bool:
    path = unicodedata.normalize("NFC", path)
    return path == name or path.endswith("/" + name)


def _listed(documents: Sequence[Document]) -> str:
    shown = ", ".join(f"{shown_line(document.path)} ({document.id[:8]})" for document in documents[:8])
    return shown + (f" and {len(documents) - 8} more" if len(documents) > 8 else "")


def filtered(
    documents: Iterable[Document],
    *,
    folder: str | None = None,
    kind: str | None = None,
    after: str | None = None,
    before: str | None = None,
) -> list[Document]:
    """The documents that stand under `folder`, are of `kind`, and date themselves between `after` and `before`.

    A document without a date is left out when a date is asked for. Raises QueryError for a date that is none.
    """
    low, high = _day(after, last=False), _day(before, last=True)
    under = _folder(folder)
    kind = None if kind is None else _kind(kind)
    found = []
    for document in documents:
        if kind is not None and document.kind != kind:
            continue
        if under and not any(_under(path, under) for path in document.paths):
            continue
        if low or high:
            day = dated(document)
            if not day or (low and day < low) or (high and day > high):
                continue
        found.append(document)
    return found


def known_filters(documents: Collection[Document], *, folder: str | None, kind: str | None, flag: str | None) -> None:
    """Refuses a flag that there is not, and a kind or a folder that none of a room's documents has.

    Raises:
        QueryError: it names what there is instead.
    """
    if flag is not None and flag not in FLAGS:
        raise QueryError(f"There is no flag {flag!r}. The flags are {', '.join(FLAGS)}.")
    if kind is not None and not any(document.kind == _kind(kind) for document in documents):
        kinds = ", ".join(sorted({document.kind for document in documents})) or "none"
        raise QueryError(f"No document of this room is of the kind {kind!r}. The kinds in it are {kinds}.")
    under = _folder(folder)
    if under and not any(_under(path, under) for document in documents for path in document.paths):
        raise QueryError(
            f"No document of this room stands under the folder {under!r}.{_folders_near(under, documents)}"
        )


def _folders_near(under: str, documents: Collection[Document]) -> str:
    folders = {
        path[:at]: None
        for document in documents
        for path in document.paths
        for at, letter in enumerate(path)
        if letter == "/"
    }
    if not folders:
        return " It has no folders."
    low = under.casefold()
    near = [each for each in folders if low in each.casefold()]
    near += difflib.get_close_matches(under, folders, n=SHOWN_FOLDERS, cutoff=0.5)
    if near:
        return f" Near it: {', '.join(repr(each) for each in list(dict.fromkeys(near))[:SHOWN_FOLDERS])}."
    top = sorted({each.split("/")[0] for each in folders})
    more = f" and {len(top) - SHOWN_FOLDERS} more" if len(top) > SHOWN_FOLDERS else ""
    return f" Its folders are {', '.join(repr(each) for each in top[:SHOWN_FOLDERS])}{more}."


def _folder(folder: str | None) -> str:
    under = unicodedata.normalize("NFC", folder or "").strip("/").removeprefix("./")
    return "" if under == "." else under


def _kind(kind: str) -> str:
    return kind.strip().lower().lstrip(".")


def _under(path: str, folder: str) -> bool:
    path = unicodedata.normalize("NFC", path)
    return path == folder or path.startswith((folder + "/", folder + "!/"))


def dated(document: Document) -> str:
    """The document's own date as YYYY-MM-DD, or an empty string."""
    for name in DATED_BY:
        match = re.match(r"\d{4}-\d{2}-\d{2}", document.metadata.get(name, ""))
        if match:
            return match[0]
    return ""


def _day(date: str | None, *, last: bool) -> str:
    if date is None:
        return ""
    match = _DATE.fullmatch(date.strip())
    if match is None:
        raise QueryError(f"{date!r} is not a date. Write 2023, 2023-05 or 2023-05-31.")
    year, month, day = match.groups()
    return f"{year}-{int(month or (12 if last else 1)):02}-{int(day or (31 if last else 1)):02}"


def tree(documents: Sequence[Document], accounting: Accounting) -> str:
    """The folders and documents as an indented list."""
    lines = [
        f"{accounting.found:,} files: {accounting.read:,} read, {accounting.partly_read:,} partly read,"
        f" {accounting.unreadable:,} unreadable, {accounting.skipped:,} skipped;"
        f" {accounting.pages:,} pages, {accounting.characters:,} characters"
    ]
    entries: list[tuple[str, str]] = []
    for document in documents:
        size = f"{document.pages} p., " if document.pages else ""
        note = "" if document.status == "read" else f" [{document.status.replace('_', ' ')}: {document.reason}]"
        for i, path in enumerate(document.paths):
            same = f" = {shown_line(document.path)}" if i else ""
            entries.append((path, f"({document.id[:8]} {document.kind}, {size}{document.length:,} chars){same}{note}"))
    known = {path for path, _ in entries}
    entries += [(one.path, f"[{one.status}: {one.reason}]") for one in accounting.not_read if one.path not in known]
    folder: list[str] = []
    for path, about in sorted(entries, key=lambda entry: entry[0].split("/")):
        *parents, name = path.split("/")
        common = 0
        while common < min(len(parents), len(folder)) and parents[common] == folder[common]:
            common += 1
        lines.extend(f"{'  ' * depth}{shown_line(parents[depth])}/" for depth in range(common, len(parents)))
        folder = parents
        lines.append(f"{'  ' * len(parents)}{shown_line(name)} {about}")
    return "\n".join(lines)
