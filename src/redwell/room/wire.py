"""How a worker's result crosses the pipe: a JSON header and raw bytes, checked field by field on arrival.

A worker has parsed hostile bytes and may have been taken over by them, so nothing it sends is trusted: no pickle, every length is
checked against what arrived, every string is cut to a sane size, and the units of a text must tile it exactly.
"""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import dataclass, field
from typing import Any, get_args

from redwell.journal.shown import shown_line
from redwell.room.types import Child, Parsed, ReadStatus, Source, View

VIEWS: tuple[View, ...] = get_args(View)
SOURCES: tuple[Source, ...] = get_args(Source)
STATUSES: tuple[ReadStatus, ...] = get_args(ReadStatus)
NAME_CHARACTERS = 4_000
REASON_CHARACTERS = 2_000
VALUE_CHARACTERS = 20_000
LIST_ITEMS = 100_000

UnitRow = tuple[int, int, str, str, str, Source, str]
"""start, end, path, label, section, source, flags joined with commas."""

_SURROGATE = re.compile("[\ud800-\udfff]")


class BadMessage(Exception):
    """What arrived is not a result; the worker that sent it is not to be believed any more."""


@dataclass(slots=True)
class Text:
    """One view of a document as the store keeps it: UTF-8, its length in code points, its units, boxes by unit ordinal."""

    utf8: bytes
    length: int
    units: list[UnitRow]
    boxes: list[tuple[int, bytes]] = field(default_factory=list)


@dataclass(slots=True)
class Reading:
    """A checked result: what `Parsed` says, with each view already joined into its canonical text."""

    kind: str
    status: ReadStatus
    reason: str = ""
    pages: int = 0
    texts: dict[View, Text] = field(default_factory=dict)
    children: list[Child] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    unopened: list[tuple[str, str]] = field(default_factory=list)
    metadata: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def unreadable(reason: str, kind: str = "unknown") -> Reading:
    """The result for a file of which nothing could be read."""
    return Reading(kind=kind, status="unreadable", reason=reason)


def pack_boxes(raw: bytes) -> bytes:
    """Compresses a unit's boxes; bytes of equal significance are put side by side first, which halves the result."""
    return zlib.compress(b"".join(raw[i::16] for i in range(16)), 6)


def unpack_boxes(packed: bytes, characters: int) -> bytes:
    """The boxes of `characters` code points (16 bytes each); raises ValueError when the packed bytes hold anything else."""
    size = 16 * characters
    inflater = zlib.decompressobj()
    try:
        planes = inflater.decompress(packed, size + 1)
    except zlib.error as error:
        raise ValueError("the boxes are damaged") from error
    if len(planes) != size:
        raise ValueError("the boxes do not fit the text")
    raw = bytearray(size)
    for i in range(16):
        raw[i::16] = planes[i * characters : (i + 1) * characters]
    return bytes(raw)


def clean(text: str) -> str:
    """Lone surrogates cannot be written as UTF-8; each becomes U+FFFD, so that no offset moves."""
    return _SURROGATE.sub("\ufffd", text) if not text.isascii() else text


def encode(parsed: Parsed) -> tuple[bytes, list[bytes]]:
    """The header and the body's pieces for one parsed file."""
    body: list[bytes] = []
    views: dict[str, Any] = {}
    for view, units in parsed.views.items():
        texts = [clean(unit.text) for unit in units]
        utf8 = "\n".join(texts).encode("utf-8")
        body.append(utf8)
        packed = [
            (i, pack_boxes(unit.boxes))
            for i, unit in enumerate(units)
            if unit.boxes and len(unit.boxes) == 16 * len(texts[i])
        ]
        body.extend(blob for _, blob in packed)
        views[view] = {
            "bytes": len(utf8),
            "units": [
                [len(text), unit.path, unit.label, unit.section, unit.source, ",".join(unit.flags)]
                for text, unit in zip(texts, units, strict=True)
            ],
            "boxes": [[i, len(blob)] for i, blob in packed],
        }
    body.extend(child.data for child in parsed.children)
    header = {
        "kind": parsed.kind,
        "status": parsed.status,
        "reason": parsed.reason,
        "pages": parsed.pages,
        "views": views,
        "children": [[child.name, len(child.data)] for child in parsed.children],
        "skipped": [list(pair) for pair in parsed.skipped],
        "unopened": [list(pair) for pair in parsed.unopened],
        "metadata": parsed.metadata,
        "problems": parsed.problems,
    }
    return json.dumps(header, separators=(",", ":")).encode("ascii"), body


def decode(header: bytes, body: memoryview) -> Reading:
    """Checks and opens what `encode` made. Raises BadMessage for anything else."""
    try:
        return _decode(json.loads(header), body)
    except BadMessage:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise BadMessage(str(error)) from error


def _decode(head: dict[str, Any], body: memoryview) -> Reading:
    status = head["status"]
    if status not in STATUSES:
        raise BadMessage("unknown status")
    taken = 0

    def take(size: Any) -> memoryview:
        nonlocal taken
        if not isinstance(size, int) or size < 0 or taken + size > len(body):
            raise BadMessage("a length does not fit the message")
        taken += size
        return body[taken - size : taken]

    reading = Reading(
        kind=_line(head["kind"], 40), status=status, reason=_reason(head["reason"]), pages=_count(head["pages"])
    )
    for view, text in head["views"].items():
        if view not in VIEWS:
            raise BadMessage("unknown view")
        utf8 = bytes(take(text["bytes"]))
        units = _units(utf8.decode("utf-8"), text["units"])
        boxes = []
        for ordinal, size in text["boxes"]:
            if not isinstance(ordinal, int) or not 0 <= ordinal < len(units):
                raise BadMessage("boxes of a unit that does not exist")
            boxes.append((ordinal, bytes(take(size))))
        reading.texts[view] = Text(utf8, units[-1][1] if units else 0, units, boxes)
    for name, size in _few(head["children"]):
        reading.children.append(Child(_line(name), bytes(take(size))))
    reading.skipped = [(_line(name), _reason(reason)) for name, reason in _few(head["skipped"])]
    reading.unopened = [(_line(name), _reason(reason)) for name, reason in _few(head["unopened"])]
    reading.metadata = {_line(k, 200): _line(v, VALUE_CHARACTERS) for k, v in head["metadata"].items()}
    reading.problems = [_reason(problem) for problem in _few(head["problems"])]
    if taken != len(body):
        raise BadMessage("bytes are left over")
    return reading


def _units(text: str, rows: list[list[Any]]) -> list[UnitRow]:
    units: list[UnitRow] = []
    start, total = 0, len(text)
    for size, path, label, section, source, flags in rows:
        if source not in SOURCES or not isinstance(size, int) or size < 0:
            raise BadMessage("a unit is malformed")
        end = start + size
        if end > total or (end < total and text[end] != "\n"):
            raise BadMessage("the units do not tile the text")
        units.append((start, end, _line(path), _line(label, 200), _line(section, 200), source, _line(flags, 200)))
        start = end + 1
    if total != (units[-1][1] if units else 0):
        raise BadMessage("the units do not tile the text")
    return units


def _line(value: Any, limit: int = NAME_CHARACTERS) -> str:
    if not isinstance(value, str):
        raise BadMessage("a string is missing")
    value = value[:limit]
    return value if value.isascii() else clean(value)


def _reason(value: Any) -> str:
    """Words for a report, which may repeat what a file says: no control characters, and no longer than anyone reads."""
    text = shown_line(_line(value))
    return text if len(text) <= REASON_CHARACTERS else f"{text[: REASON_CHARACTERS - 1]}…"


def _count(value: Any) -> int:
    if not isinstance(value, int) or not 0 <= value < 1 << 40:
        raise BadMessage("a count is missing")
    return value


def _few(items: list[Any]) -> list[Any]:
    if not isinstance(items, list) or len(items) > LIST_ITEMS:
        raise BadMessage("a list is too long")
    return items
