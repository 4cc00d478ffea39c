"""What must be the same after kills as without them, counted at the server and read from what a user gets."""

from __future__ import annotations

import difflib
import json
import re
import sqlite3
import zipfile
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from endurance.chaos_watch import Seen

from redwell.diligence.wording import spoken
from redwell.room.room import Room

QUERIES = ("landlord", '"change of control"', "bank required", '"item 31"', "assign*")
LATE = 5.0
"""Seconds after which an answer that was delivered must be in the journal, however slow the disk."""

_DISCLOSED = re.compile(
    r"The run was interrupted and gone on with|sent again .{1,20} under the same key|: not sent again"
)


def books(seen: list[Seen], kept: list[set[str]], killed: list[float]) -> dict[str, int]:
    """What the server counted of one run. `kept` holds, for each kill, the keys whose answers were in the journal then; `killed` its time.

    lost: answers delivered so long before a kill that they must have been kept, or that the root had already gone on from, and were not;
    twice: requests for what had been kept; again: requests sent again after they were cut off; other bodies, other keys: requests sent
    again under the same key with other bytes, or with the same bytes under another key.
    """
    counts = Counter({"lost": 0, "twice": 0, "again": 0, "other bodies": 0, "other keys": 0, "in one life": 0})
    for life, (keys, time) in enumerate(zip(kept, killed, strict=True)):
        counts["twice"] += sum(each.life > life and each.key in keys for each in seen)
        for each in seen:
            if each.life == life and each.delivered is not None and each.key not in keys:
                gone_on = any(_follows(other, each) for other in seen if other.life == life)
                counts["lost"] += gone_on or time - each.delivered > LATE
    by_key: dict[str, list[Seen]] = {}
    by_body: dict[bytes, set[str]] = {}
    for each in seen:
        by_key.setdefault(each.key, []).append(each)
        by_body.setdefault(each.raw, set()).add(each.key)
    for requests in by_key.values():
        counts["again"] += len(requests) - 1
        counts["other bodies"] += len({each.raw for each in requests}) > 1
        counts["in one life"] += len(requests) - len({each.life for each in requests})
    counts["other keys"] += sum(len(keys) - 1 for keys in by_body.values())
    return dict(counts)


def _follows(other: Seen, each: Seen) -> bool:
    """Whether a request goes on from the answer to another of the same conversation."""
    if other.model != "root" or each.model != "root" or len(other.raw) <= len(each.raw):
        return False
    before, after = json.loads(each.raw)["messages"], json.loads(other.raw)["messages"]
    return len(after) > len(before) and bool(after[: len(before)] == before)


def told_of(seen: list[Seen], data: dict[str, Any]) -> list[str]:
    """What a report says wrongly about its calls: figures that are not the server's, or calls sent again that it does not list."""
    faults = []
    answered = {each.key: each for each in seen}
    for role in ("root", "sub"):
        mine = [each for each in answered.values() if each.model == role]
        expected = (len(mine), sum(each.usage[0] for each in mine), sum(each.usage[1] for each in mine))
        line = next((line for line in data["basis"]["usage"] if line["role"] == role), None)
        told = (line["calls"], line["input"], line["output"]) if line else (0, 0, 0)
        again = sum(call["times"] for call in data["basis"]["sent_again"] if call["role"] == role)
        if line and line["requests"] != line["calls"] + again:
            faults.append(f"{role}: {line['requests']} requests for {line['calls']} calls, of which {again} sent again")
        if told != expected:
            faults.append(f"{role}: the report counts {told} calls and tokens, the server {expected}")
    cost = sum(each.usage[0] + 2 * each.usage[1] for each in answered.values()) / 1e6
    if data["basis"]["cost"] is None or abs(data["basis"]["cost"] - cost) > 1e-8:
        faults.append(f"the report says ${data['basis']['cost']}, the server's count comes to ${cost}")
    listed = {call["key"]: call["times"] for call in data["basis"]["sent_again"]}
    for key, requests in Counter(each.key for each in seen).items():
        if requests > 1 and listed.get(key, 0) < requests - 1:
            faults.append(f"{key} was sent {requests} times and the report lists {listed.get(key, 0)} repetitions")
    return faults


def differences(out: Path, whole: Path) -> list[str]:
    """How the deliverables of a run differ from those of one that nothing happened to, beside the date and what tells of interruptions."""
    found = []
    mine, theirs = out / "output", whole / "output"
    names = sorted(path.name for path in theirs.iterdir())
    if names != sorted(path.name for path in mine.iterdir()):
        found.append(f"other files: {sorted(path.name for path in mine.iterdir())}")
    for name in names:
        if (mine / name).is_file():
            found += [f"{name}: {line}" for line in _compare(_parts(mine / name), _parts(theirs / name))]
    return found


def _compare(mine: dict[str, list[str]], theirs: dict[str, list[str]]) -> Iterable[str]:
    if mine.keys() != theirs.keys():
        yield f"other parts: {sorted(mine.keys() ^ theirs.keys())}"
    for part in sorted(mine.keys() & theirs.keys()):
        if mine[part] == theirs[part]:
            continue
        for line in difflib.ndiff(theirs[part], mine[part]):
            if line[0] in "+-" and not (line[0] == "+" and _DISCLOSED.search(line)):
                yield f"{part} {line[:300]}"


def _parts(path: Path) -> dict[str, list[str]]:
    """A deliverable as lists of lines (of paragraphs, of rows), by part, without the date on which it was made."""
    if path.suffix == ".xlsx":
        return _rows(path)
    if path.suffix == ".docx":
        with zipfile.ZipFile(path) as archive:
            parts = {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}
        parts["docProps/core.xml"] = re.sub(r"\d{4}-\d\d-\d\dT[\d:]+Z", "", parts["docProps/core.xml"])
        return {name: re.split(r"(?<=</w:p>)", text) for name, text in parts.items()}
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        data = json.loads(text)
        data["basis"] |= {"resumed": 0, "sent_again": []}
        for line in data["basis"]["usage"]:
            line["requests"] = line["calls"]  # `told_of` holds the number against what is listed
        text = json.dumps(data, indent=1, sort_keys=True)
    return {"": [line for line in text.splitlines() if line.strip()]}


def _rows(path: Path) -> dict[str, list[str]]:
    """The rows of a workbook's sheets with what stands in their cells; heights and the numbers of cells and texts follow from that."""
    with zipfile.ZipFile(path) as archive:
        shared = re.findall(r"<si>(.*?)</si>", archive.read("xl/sharedStrings.xml").decode(), re.DOTALL)
        sheets = {
            name: archive.read(name).decode() for name in archive.namelist() if name.startswith("xl/worksheets/sheet")
        }
    rows = {}
    for name, xml in sheets.items():
        rows[name] = []
        for row in re.findall(r"<row [^>]*>(.*?)</row>", xml, re.DOTALL):
            cells = re.findall(r'<c r="([A-Z]+)\d+"([^>]*?)(?:/>|>(.*?)</c>)', row, re.DOTALL)
            rows[name].append(" | ".join(f"{at}: {_cell(how, what, shared)}" for at, how, what in cells if what))
    return rows


def _cell(how: str, what: str, shared: list[str]) -> str:
    number = re.search(r"<v>(\d+)</v>", what)
    return shared[int(number[1])] if 't="s"' in how and number else what


def dated(out: Path) -> str:
    """The date that a report bears, in words."""
    return spoken(json.loads((out / "output" / "report.json").read_text())["basis"]["read_at"])


# --- stores -----------------------------------------------------------------------------------------------------------------------


def store_facts(store: Path) -> dict[str, Any]:
    """All that a store says to whoever opens it: the account, every document with its texts and units, and what searches find."""
    with Room.open(store) as room:
        documents = {}
        for document in room.documents():
            texts = {view: room.text(document.id, view) for view in document.views}
            units = {view: room.units(document.id, view) for view in document.views}
            documents[document.id] = (asdict(document), texts, units)
        hits = {query: [(hit.path, asdict(hit.span)) for hit in room.search(query, k=10)] for query in QUERIES}
        return {"account": asdict(room.accounting()), "room": room.id, "documents": documents, "hits": hits}


def unlike(store: Path, whole: dict[str, Any]) -> list[str]:
    """Where a store differs from one that was read in one go."""
    facts = store_facts(store)
    found = [f"another {name}" for name in ("account", "room", "hits") if facts[name] != whole[name]]
    for identity in sorted(facts["documents"].keys() | whole["documents"].keys()):
        if facts["documents"].get(identity) != whole["documents"].get(identity):
            found.append(f"document {identity[:8]} differs")
    return found


def read_so_far(store: Path) -> dict[str, int]:
    """The documents whose reading is in the store for good, with the number that a second reading would change; those that hold
    documents which are not there yet are left out, since they must be opened again."""
    if not (store / "room.sqlite").exists():
        return {}
    query = (
        "SELECT id, key FROM documents WHERE id NOT IN (SELECT parent FROM members WHERE document IS NOT NULL AND document NOT IN "
        "(SELECT id FROM documents))"
    )
    try:
        with closing(sqlite3.connect(f"{(store / 'room.sqlite').as_uri()}?mode=ro", uri=True)) as database:
            return dict(database.execute(query))
    except sqlite3.OperationalError:  # killed before it had its tables
        return {}
