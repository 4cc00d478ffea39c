"""One door to all format readers: the kind is found by content, the reader is picked, and whatever goes wrong has a plain reason."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import cast

from redwell.room.formats.detect import detect
from redwell.room.types import Limits, Parsed, ParsedUnit, Unreadable

_READERS = {
    "pdf": "pdf",
    "image": "image",
    "docx": "docx",
    "xlsx": "xlsx",
    "pptx": "pptx",
    "msg": "msg",
    "eml": "eml",
    "html": "html",
    "csv": "text",
    "md": "text",
    "txt": "text",
    **dict.fromkeys(("doc", "xls", "ppt", "rtf", "odt", "ods", "odp", "xlsb", "wpd"), "legacy"),
    **dict.fromkeys(("zip", "tar", "gz", "bz2", "xz"), "archive"),
}
_NO_READER = {
    "office_encrypted": "it is protected with a password; ask for a copy without one",
    "7z": "it is a 7-Zip archive, which is not unpacked; ask for its files or for a zip",
    "rar": "it is a RAR archive, which is not unpacked; ask for its files or for a zip",
    "pst": "it is an Outlook mailbox (PST); export its messages as MSG or EML files",
    "tnef": "it is a winmail.dat, Outlook's wrapping of attachments; ask for the message to be sent again as MSG or plain mail",
    "iwork": "it is an Apple iWork file (Pages, Numbers, Keynote); ask for a PDF or Office copy",
    "media": "it is sound or film; ask for a transcript",
    "program": "it is a program, not a document",
    "database": "it is a database, not a document; ask for its tables as XLSX or CSV",
    "drawing": "it is an AutoCAD drawing; ask for a PDF copy",
    "ole": "it is a compound file of a kind that is not read (such as Publisher, Visio or Project); ask for a PDF copy",
    "unknown": "its content is of no kind that can be read; ask for a PDF copy",
}
_SKIPPED = {
    "empty": "it is empty (zero bytes)",
    "lock": "it is a program's own file (a lock, a folder's view or thumbnails), not a document",
}
_EXTENSIONS = {
    "pdf": "pdf",
    "docx": "docx docm dotx dotm",
    "xlsx": "xlsx xlsm xltx xltm",
    "pptx": "pptx pptm ppsx potx ppsm potm",
    "doc": "doc dot xml",
    "xls": "xls xlt xml",
    "ppt": "ppt pps pot",
    "rtf": "rtf",
    "msg": "msg oft",
    "html": "html htm xhtml",
}
_ALL_EXTENSIONS = frozenset(" ".join(_EXTENSIONS.values()).split())


def read_file(data: bytes, name: str, limits: Limits | None = None) -> Parsed:
    """Reads one file of any kind.

    Args:
        data: the file's bytes.
        name: its name or path in the room.
        limits: what it may cost.

    Returns:
        What the reader made of it; a program's own files and empty files come back with the status `skipped`.

    Raises:
        Unreadable: with the reason in plain words. No other exception leaves this function, except KeyboardInterrupt and SystemExit.
    """
    limits = limits or Limits()
    if len(data) > limits.file_bytes:
        raise Unreadable(f"it is larger than {limits.file_bytes >> 20:,} MB", kind="unknown")
    kind = detect(data, name)
    if kind in _SKIPPED:
        return Parsed(kind, status="skipped", reason=_SKIPPED[kind])
    if kind not in _READERS:
        raise Unreadable(_NO_READER.get(kind, _NO_READER["unknown"]), kind=kind)
    try:
        module = importlib.import_module(f"redwell.room.formats.{_READERS[kind]}")
        parsed = cast(Callable[[bytes, str, Limits], Parsed], module.read)(data, name, limits)
    except Unreadable as error:
        error.detail.setdefault("kind", kind)
        raise
    except MemoryError as error:
        raise Unreadable("it needs more memory to read than a file may use", kind=kind) from error
    except RecursionError as error:
        raise Unreadable("its parts are nested too deeply", kind=kind) from error
    except Exception as error:  # a reader's own fault must cost one file, never the room
        fault = type(error).__name__
        raise Unreadable("it is damaged in a way that its reader cannot handle", kind=kind, fault=fault) from error
    if note := _misnamed(name, kind):
        parsed.problems.insert(0, note)
    for units in parsed.views.values():
        _tell_apart(units)
    return parsed


def _tell_apart(units: list[ParsedUnit]) -> None:
    """Gives each unit of a text a path of its own: two sheets may bear one name, and one line of text may run over several pages."""
    last: dict[str, int] = {}
    for unit in units:
        path, part = unit.path, last.get(unit.path, 0) + 1
        if part > 1:
            while f"{path}, part {part}" in last:
                part += 1
            unit.path = f"{path}, part {part}"
            last[unit.path] = 1
        last[path] = part


def _misnamed(name: str, kind: str) -> str:
    base = name.replace("\\", "/").rsplit("/", 1)[-1]
    extension = base.rsplit(".", 1)[-1].lower() if "." in base else ""
    if extension not in _ALL_EXTENSIONS or extension in _EXTENSIONS.get(kind, "").split():
        return ""
    return f"its name ends in .{extension}, but its content is {kind.upper()}; it was read as what it is"
