"""The trace of a run as one self-contained HTML file: no network, searchable, drawn as it is opened."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from redwell.journal.journal import Journal, JournalError
from redwell.journal.shown import shown
from redwell.journal.trace import Node, tree
from redwell.journal.trajectory import completion, request_messages
from redwell.journal.usage import usage

_HEAD, _TAIL = 30_000, 10_000  # characters of one text in the file; the whole is in the journal
_DATA = "{{data}}"


def write_trace(journal: Journal, path: Path, *, names: Mapping[str, str] | None = None) -> None:
    """Writes the file. `names` gives documents their names in place of their ids. Raises JournalError when it cannot be written."""
    html = trace_html(journal, names=names)
    beside = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(html.encode("utf-8", "replace"))
        os.replace(beside, path)
    except OSError as error:
        raise JournalError(f"{path} cannot be written: {error.strerror}") from None


def trace_html(journal: Journal, *, names: Mapping[str, str] | None = None) -> str:
    """The file's text. Whatever documents and models wrote stands in it as data, never as markup."""
    template = resources.files("redwell.journal").joinpath("trace.html").read_text(encoding="utf-8")
    data = json.dumps(_shown(_data(journal, names or {})), ensure_ascii=False, separators=(",", ":"))
    # The only way out of a script element is "<"; the JSON means the same with it escaped.
    data = (
        data.replace("<", "\\u003c").replace(">", "\\u003e").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    )
    before, _, after = template.partition(_DATA)
    return before + data + after


def _shown(value: Any) -> Any:
    """The data with every text as it may be shown."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, dict):
        return {shown(str(name)): _shown(each) for name, each in value.items()}
    return [_shown(each) for each in value] if isinstance(value, list | tuple) else value


def _data(journal: Journal, names: Mapping[str, str]) -> dict[str, Any]:
    run = tree(journal)
    texts = _Texts(journal)
    nodes: list[dict[str, Any]] = []
    parents: dict[int, int] = {}
    for node in run.walk():
        parents |= {child.id: node.id for child in node.children}
        nodes.append(_node(node, parents.get(node.id), texts))
    used = usage(journal)
    documents = {span.document for node in run.walk() for span in node.spans}
    return {
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
        "nodes": nodes,
        "texts": texts.kept,
    }


def _node(node: Node, parent: int | None, texts: _Texts) -> dict[str, Any]:
    totals = node.totals
    entry: dict[str, Any] = {"id": node.id, "kind": node.kind, "title": node.title, "status": node.status}
    optional: dict[str, Any] = {
        "parent": parent,
        "agent": node.agent,
        "time": round(node.time, 3),
        "seconds": None if node.seconds is None else round(node.seconds, 3),
        "facts": node.facts,
        "spans": [[span.document, span.start, span.end, span.view] for span in node.spans],
        "texts": texts.of(node),
        "sums": [
            totals.calls,
            totals.failed,
            totals.input,
            totals.cached_input,
            totals.output,
            round(totals.cost, 9),
            totals.unknown,
            totals.characters,
        ],
    }
    entry |= {name: value for name, value in optional.items() if value not in (None, "", {}, [])}
    return entry


class _Texts:
    """Each text once, shortened, by a number; nodes point at the numbers."""

    def __init__(self, journal: Journal) -> None:
        self.kept: list[str] = []
        self._journal = journal
        self._numbers: dict[str, int] = {}

    def of(self, node: Node) -> list[tuple[str, int]]:
        """Pairs of a label and a text's number."""
        shown: list[tuple[str, str]] = []
        for name, digest in node.texts.items():
            if name == "request":
                shown += self._asked(node, digest)
            elif name == "completion":
                shown += self._answered(digest)
            else:
                shown.append((name.replace("_", " ").capitalize(), self._journal.text(digest)))
        return [(label, self._number(text)) for label, text in shown if text.strip()]

    def _asked(self, node: Node, digest: str) -> list[tuple[str, str]]:
        messages = request_messages(self._journal, digest)
        if node.facts.get("role") == "root":
            # The turns before it are in the tree; only what was new to the model is shown here.
            node.facts["messages in context"] = len(messages)
            return [("Seen last", messages[-1]["content"])] if messages else []
        return [
            ("Rules" if message["role"] == "system" else "Asked", message["content"])
            for message in reversed(messages)
            if message["role"] in ("system", "user")
        ]

    def _answered(self, digest: str) -> list[tuple[str, str]]:
        kept = completion(self._journal, digest)
        calls = "\n\n".join(_tool_call(name, arguments) for _, name, arguments in kept.get("tool_calls", ()))
        return [("Answer", kept["text"]), ("Called", calls)]

    def _number(self, text: str) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self.kept)
            self.kept.append(_shortened(text))
        return self._numbers[text]


def _shortened(text: str) -> str:
    left_out = len(text) - _HEAD - _TAIL
    if left_out <= 0:
        return text
    return f"{text[:_HEAD]}\n\n… {left_out:,} characters are left out here …\n\n{text[-_TAIL:]}"


def _tool_call(name: str, arguments: str) -> str:
    """A call of the python tool reads best as its code."""
    try:
        value = json.loads(arguments)
    except ValueError:
        value = None
    if isinstance(value, dict) and len(value) == 1 and isinstance(value.get("code"), str):
        return str(value["code"])
    return f"{name}({arguments})"
