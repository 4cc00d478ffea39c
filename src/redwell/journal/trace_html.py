"""The trace of a run as one self-contained HTML file: no network, searchable, drawn as it is opened."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from redwell.journal.journal import Journal, JournalError
from redwell.journal.shown import shown
from redwell.journal.trace import Node, tree
from redwell.journal.trace_texts import Texts, fitting
from redwell.journal.usage import usage

_FACTS = 5_000_000
"""Characters that the small values of all nodes (claims, quotes) may have together; when they have more, the longest are shortened."""
_LEAST_OF_A_FACT = 80
_DATA = "{{data}}"
_SAFE = (("<", "\\u003c"), (">", "\\u003e"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029"))
"""The only way out of a script element is "<"; the JSON means the same with it escaped."""


def write_trace(journal: Journal, path: Path, *, names: Mapping[str, str] | None = None) -> None:
    """Writes the file. `names` gives documents their names in place of their ids. Raises JournalError when it cannot be written."""
    beside = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.writelines(_pieces(journal, names or {}))
        os.replace(beside, path)
    except OSError as error:
        raise JournalError(f"{path} cannot be written: {error.strerror}") from None


def trace_html(journal: Journal, *, names: Mapping[str, str] | None = None) -> str:
    """The file's text. Whatever documents and models wrote stands in it as data, never as markup."""
    return "".join(_pieces(journal, names or {}))


def _pieces(journal: Journal, names: Mapping[str, str]) -> Iterator[str]:
    template = resources.files("redwell.journal").joinpath("trace.html").read_text(encoding="utf-8")
    before, _, after = template.partition(_DATA)
    yield before
    for piece in _data(journal, names):
        for letter, escape in _SAFE:
            piece = piece.replace(letter, escape)
        yield piece
    yield after


def _json(value: Any) -> str:
    return json.dumps(_shown(value), ensure_ascii=False, separators=(",", ":"))


def _shown(value: Any) -> Any:
    """The data with every text as it may be shown."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, dict):
        return {shown(str(name)): _shown(each) for name, each in value.items()}
    return [_shown(each) for each in value] if isinstance(value, list | tuple) else value


def _data(journal: Journal, names: Mapping[str, str]) -> Iterator[str]:
    """The page's data as JSON, piece by piece: a long run's is never held whole."""
    run = tree(journal)
    texts = Texts(journal)
    parents: dict[int, int] = {}
    documents: set[str] = set()
    for node in run.walk():
        parents |= {child.id: node.id for child in node.children}
        documents |= {span.document for span in node.spans}
        node.facts = _told(node.facts)
        if node.facts.get("claim") == node.title:
            del node.facts["claim"]
        texts.take(node)
    fact = max(_LEAST_OF_A_FACT, fitting((len(text) for node in run.walk() for text in _strings(node.facts)), _FACTS))
    used = usage(journal)
    head = {
        "created": journal.created,
        "configuration": journal.configuration,
        "versions": journal.versions,
        "usage": [
            {
                "role": line.role,
                "model": line.model,
                "calls": line.calls,
                "failed": line.failed,
                "requests": line.requests,
                "input": line.tokens.input,
                "cached": line.tokens.cached_input,
                "output": line.tokens.output,
                "cost": line.cost,
                "known": line.known_cost,
            }
            for line in used.lines
        ],
        "cost": used.cost,
        "names": {document: names[document] for document in sorted(documents) if document in names},
        "shortened": texts.shortened,
        "shortened_told": _shortened_told(texts.shortened),
    }
    yield _json(head)[:-1] + ',"nodes":['
    for number, node in enumerate(run.walk()):
        yield ("," if number else "") + _json(_node(node, parents.get(node.id), texts.of(node), fact))
    yield '],"texts":['
    for number, text in enumerate(texts.each()):
        yield ("," if number else "") + _json(text)
    yield "]}"


def _shortened_told(count: int) -> str:
    said = "1 long text is" if count == 1 else f"{count:,} long texts are"
    return f"{said} shortened; redwell run export RUN --call CALL prints a call in full" if count else ""


def _node(node: Node, parent: int | None, texts: list[tuple[str, int]], longest: int) -> dict[str, Any]:
    totals = node.totals
    sums = [
        totals.calls,
        totals.failed,
        totals.input,
        totals.cached_input,
        totals.output,
        round(totals.cost, 9),
        totals.unknown,
        totals.characters,
    ]
    entry: dict[str, Any] = {"id": node.id, "kind": node.kind, "title": node.title, "status": node.status}
    optional: dict[str, Any] = {
        "parent": parent,
        "whole": node.whole if node.whole != node.title else "",
        "agent": node.agent,
        "time": round(node.time, 3),
        "seconds": None if node.seconds is None else round(node.seconds, 3),
        "facts": _cut(node.facts, longest),
        "spans": [[span.document, span.start, span.end, span.view] for span in node.spans],
        "texts": texts,
        "sums": sums if any(sums) or node.kind == "run" else None,
    }
    entry |= {name: value for name, value in optional.items() if value not in (None, "", {}, [])}
    return entry


def _told(facts: dict[str, Any]) -> dict[str, Any]:
    """A node's facts with the citations of a report's entry as lines: its journal has them with all their addresses."""
    cited = facts.get("citations")
    if not isinstance(cited, list) or not all(isinstance(one, dict) for one in cited):
        return facts
    rest = {name: value for name, value in facts.items() if name != "citations"}
    return {**rest, "quotes": [f"{one.get('status')}: {one.get('quote')}{_at(one.get('place'))}" for one in cited]}


def _at(place: Any) -> str:
    return f" ({place.get('path')}, {place.get('unit')})" if isinstance(place, dict) else ""


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        inside: Iterable[Any] = value.values() if isinstance(value, dict) else value
        for each in inside:
            yield from _strings(each)


def _cut(value: Any, longest: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= longest else value[: longest - 1] + "…"
    if isinstance(value, dict):
        return {name: _cut(each, longest) for name, each in value.items()}
    return [_cut(each, longest) for each in value] if isinstance(value, list | tuple) else value
