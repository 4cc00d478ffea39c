"""What must be so of every answer of a worker, whatever the file was."""

from __future__ import annotations

import array
import math
import re
import unicodedata
from dataclasses import dataclass

from redwell.room.types import FLAGS, Limits
from redwell.room.wire import STATUSES, Reading, unpack_boxes

SLOW = 10.0
"""A file that takes longer than this many seconds, and a second for every 20,000 characters that come of it, costs more than it is large."""
MARGIN = 10.0
"""How much later than its limit a file may be answered: a worker is started, killed and replaced in that time."""
_OUTSIDE = ("rtf", "doc", "xls", "odt", "image", "scan")
_NOT_PLAIN = re.compile(
    r"Traceback|\b[A-Za-z]*(?:Error|Exception|Warning)\b|0x[0-9a-f]{6}|object at|<class|/tmp/|/usr/|/home/|site-packages|\.py\b|redwell\.|NoneType"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault: `what` is the same for the same fault, `detail` is one case of it."""

    what: str
    detail: str = ""


def findings(reading: Reading, kind: str, seconds: float, limits: Limits, own: str = "") -> list[Finding]:
    """Every fault that one answer shows. `own` is the file's text where it is known: words of its own may stand in a reason."""
    found: list[Finding] = []
    if reading.status not in STATUSES:
        found.append(Finding("status", reading.status))
    if fault := reading.metadata.get("fault"):
        found.append(Finding(f"internal fault {fault}", reading.reason))
    elif "the reader failed" in reading.reason or "its reader cannot handle" in reading.reason:
        found.append(Finding("internal fault", reading.reason))
    if "crashed" in reading.reason or "makes no sense" in reading.reason:
        found.append(Finding(reading.reason))
    if (
        reading.reason.startswith("took more than")
        or "needed more than" in reading.reason
        or "more memory" in reading.reason
    ):
        found.append(Finding("limit", reading.reason))
    elif seconds > SLOW + sum(text.length for text in reading.texts.values()) / 20_000 and kind not in _OUTSIDE:
        found.append(Finding("slow", f"{seconds:.1f} s"))
    if seconds > limits.seconds + MARGIN and kind not in _OUTSIDE:
        found.append(Finding("late", f"{seconds:.1f} s"))
    if reading.status != "read" and not reading.reason.strip():
        found.append(Finding("no reason", reading.status))
    told = [reading.reason, *reading.problems, *(reason for _, reason in (*reading.skipped, *reading.unopened))]
    for line in told:
        if (match := _NOT_PLAIN.search(line)) and match[0] not in own:
            found.append(Finding(f"not plain words: {match[0]}", line[:300]))
        if any(unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp") for letter in line):
            found.append(Finding("control characters in a reason", repr(line[:300])))
    if reading.status in ("read", "partly_read") and "final" not in reading.texts:
        found.append(Finding("no final text", reading.status))
    for view in reading.texts:
        found += _addresses(reading, view)
    return found


def _addresses(reading: Reading, view: str) -> list[Finding]:
    """The units tile the text, in order; each has a path of its own, known flags, and boxes that are numbers."""
    text = reading.texts[view]  # type: ignore[index]
    whole = text.utf8.decode("utf-8")
    found: list[Finding] = []
    if len(whole) != text.length:
        found.append(Finding("length", f"{len(whole)} is not {text.length}"))
    pieces = [whole[start:end] for start, end, *_ in text.units]
    if "\n".join(pieces) != whole:
        found.append(Finding("the units do not tile the text", view))
    paths: dict[str, int] = {}
    at = 0
    for start, end, path, label, _, _, flags in text.units:
        if not (at <= start <= end <= len(whole)):
            found.append(Finding("a unit out of order", f"{path}: {start} to {end}"))
        at = end
        paths[path] = paths.get(path, 0) + 1
        if not path.strip():
            found.append(Finding("a unit without a path", label))
        if flags and not set(flags.split(",")) <= set(FLAGS):
            found.append(Finding("unknown flag", flags))
    twice = [path for path, count in paths.items() if count > 1]
    if twice:
        found.append(Finding("two units of one path", f"{view}: {twice[:3]}"))
    for ordinal, packed in text.boxes:
        start, end = text.units[ordinal][:2]
        boxes = array.array("f")
        boxes.frombytes(unpack_boxes(packed, end - start))
        if not all(map(math.isfinite, boxes)):
            found.append(Finding("a box that is no number", text.units[ordinal][2]))
    return found
