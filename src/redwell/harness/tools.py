"""The seven tools of the tool loop: what each takes, what it does, and what the model is told of it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import re2

from redwell.harness.context import clip_ends
from redwell.harness.fence import marked_output, quoted
from redwell.harness.located import Located
from redwell.harness.subagent import Hidden
from redwell.harness.told import Told
from redwell.harness.workspace import DOCUMENTS, OUTPUT, NoFile, Workspace
from redwell.journal.coverage import merge
from redwell.models.types import Tool
from redwell.room.errors import QueryError, RoomError
from redwell.room.grep import Match, compile_pattern
from redwell.room.types import Document, Span
from redwell.sandbox import shell

READ_CHARS = 40_000
"""Of a document that one `read` gives."""
LINE_CHARS = 600
MOST_PASSAGES, MOST_NAMES = 60, 500
BASH_SECONDS = 60.0


def _tool(name: str, description: str, required: str, **properties: tuple[str, str]) -> Tool:
    described = {key: {"type": kind, "description": said} for key, (kind, said) in properties.items()}
    schema = {"type": "object", "properties": described, "required": required.split(), "additionalProperties": False}
    return Tool(name, description, schema)


TOOLS = (
    _tool(
        "bash",
        "Runs a command with bash in the workspace. No network; only output/ can be written. What it writes comes back.",
        "command",
        command=("string", "the command"),
    ),
    _tool(
        "read",
        "Gives the text of a document (documents/...) or of a file in output/.",
        "path",
        path=("string", "documents/... or output/..."),
        start=("integer", "the character to begin at [0]"),
        length=("integer", f"how many characters [{READ_CHARS}, the most]"),
    ),
    _tool(
        "write",
        "Writes a text file into output/; one that is there is replaced.",
        "path content",
        path=("string", "output/name, or a name"),
        content=("string", "the whole text"),
    ),
    _tool(
        "edit",
        "Replaces a stretch of a file in output/ that stands there once.",
        "path old new",
        path=("string", "output/name, or a name"),
        old=("string", "the words that are there"),
        new=("string", "the words in their place"),
    ),
    _tool(
        "glob",
        "Lists files by a pattern such as documents/**/*.docx, with their sizes.",
        "pattern",
        pattern=(
            "string",
            "* stands for any characters of a name, ** for any folders; a pattern without / is looked for in every folder",
        ),
        start=("integer", "how many to pass over [0]"),
    ),
    _tool(
        "grep",
        "Finds a regular expression in the documents' text, or in the files in output/, and gives the lines.",
        "pattern",
        pattern=("string", "a regular expression (RE2); a space in it stands for any white space; case is ignored"),
        path=("string", "a folder or a file to look in [documents]"),
        most=("integer", f"how many passages [{MOST_PASSAGES}]"),
    ),
    _tool(
        "finish", "Ends the work. What lies in output/ is delivered.", "", note=("string", "a word on what was done")
    ),
)


@dataclass(slots=True)
class Used:
    """What came of a call: what the model is told, and for the journal which documents it opened."""

    told: Told
    status: str = "ok"
    opened: tuple[str, ...] = ()
    dropped: int = 0
    finished: bool = False


@dataclass(slots=True)
class Tools:
    """The tools over one workspace. `backend` are the walls of the shell."""

    workspace: Workspace
    hidden: Hidden
    located: Located
    backend: str
    head: int
    tail: int
    seconds: float = BASH_SECONDS
    _tools: dict[str, Callable[..., Awaitable[Used]]] = field(init=False)

    def __post_init__(self) -> None:
        self._tools = {
            "bash": self._bash,
            "read": self._read,
            "write": self._write,
            "edit": self._edit,
            "glob": self._glob,
            "grep": self._grep,
            "finish": self._finish,
        }

    async def use(self, name: str, arguments: str) -> Used:
        """Carries out one call; what is wrong with it is told, never raised."""
        try:
            given = _arguments(name, arguments)
            return await self._tools[name](**given)
        except (NoFile, QueryError, RoomError) as error:
            return _failed(str(error))
        except OSError as error:
            return _failed(f"{name} did not work: {error.strerror or error}")

    async def _bash(self, command: str) -> Used:
        if "\0" in command or len(command.encode("utf-8", "replace")) > 100_000:
            raise NoFile("a command is a text of at most 100,000 bytes without a NUL")
        ran = await shell.run(command, self.workspace.place, self.backend, self.seconds)
        how = (
            f"ended with status {ran.status}"
            if ran.status is not None
            else f"was ended: it took longer than {self.seconds:g} seconds"
        )
        text = clip_ends(ran.output, self.head, self.tail)
        if ran.dropped:
            text += f"\n[{ran.dropped:,} more bytes were not kept]"
        content = marked_output(
            f"the command {how} after {ran.seconds:.1f} s", [("output", text)] if text.strip() else []
        )
        told = Told()
        held = await asyncio.to_thread(self.located.find, content)
        told.say(content)
        told.held += held
        return Used(
            told,
            "ok" if ran.status == 0 else "error",
            tuple(dict.fromkeys(span.document for _, span in held)),
            ran.dropped,
        )

    async def _read(self, path: str, start: int = 0, length: int = READ_CHARS) -> Used:
        told = Told()
        parts = self.workspace.where(path)
        if parts[:1] == (OUTPUT,):
            text = self.workspace.read(parts)
            told.say(_stretch(text, start, length))
            return Used(told)
        document = self.workspace.document(path)
        if not document.length:
            raise NoFile(f"{document.path} has no text: {document.reason or document.status.replace('_', ' ')}")
        start = max(0, start)
        end = min(document.length, start + max(1, min(length, READ_CHARS)))
        if start >= document.length:
            raise NoFile(f"{document.path} has {document.length:,} characters; there is nothing at {start:,}")
        told.documents([Span(document.id, start, end)], self.workspace.room, self.hidden)
        if end < document.length:
            told.say(f"\n[{document.length - end:,} more characters: read it again with start={end}]")
        return Used(told, opened=(document.id,))

    async def _write(self, path: str, content: str) -> Used:
        parts = self._writable(path)
        self.workspace.write(parts, content)
        return _said(f"{'/'.join(parts)} has been written: {len(content):,} characters.")

    async def _edit(self, path: str, old: str, new: str) -> Used:
        parts = self._writable(path)
        text = self.workspace.read(parts)
        count = text.count(old) if old else 0
        if count != 1:
            raise NoFile(f"the words stand in {'/'.join(parts)} {count} times; they must stand there just once")
        self.workspace.write(parts, text.replace(old, new))
        return _said(f"{'/'.join(parts)} has been changed.")

    async def _glob(self, pattern: str, start: int = 0) -> Used:
        shape = _shape(pattern)
        names = [
            (f"{DOCUMENTS}/{path}", f"{each.length:,} characters")
            for path, each in sorted(self.workspace.documents.items())
        ]
        names += [(f"{OUTPUT}/{path}", f"{size:,} bytes") for path, size in self.workspace.files()]
        found = [
            (name, size) for name, size in names if shape.fullmatch(name if "/" in pattern else name.rpartition("/")[2])
        ]
        start = max(0, start)
        shown = found[start : start + MOST_NAMES]
        lines = [f"{len(found):,} files" + (":" if shown else ".")]
        lines += [f"{quoted(name)} {size}" for name, size in shown]
        if start + len(shown) < len(found):
            lines.append(
                f"[{len(found) - start - len(shown):,} more: narrow the pattern, or start={start + len(shown)}]"
            )
        return _said("\n".join(lines))

    async def _grep(self, pattern: str, path: str = DOCUMENTS, most: int = MOST_PASSAGES) -> Used:
        parts = self.workspace.where(path)
        if parts[:1] == (OUTPUT,):
            return self._grep_output(pattern, parts)
        chosen = self._beneath(path, parts)
        flowing = re.sub(r"(?<!\\) +(?![*+?{])", r"\\s+", pattern)
        found: list[Match] = await asyncio.to_thread(self.workspace.room.grep, flowing, documents=chosen, limit=10_000)
        most = max(1, min(most, MOST_PASSAGES * 4))
        spans = self._lines(found, most)
        told = Told()
        count = f"{len(found):,} places" if len(found) < 10_000 else "10,000 places or more"
        told.say(f"{count} match." if not spans else f"{count} match; {len(spans)} passages:\n")
        if spans:
            told.documents(spans, self.workspace.room, self.hidden)
        return Used(told, opened=())

    def _beneath(self, path: str, parts: tuple[str, ...]) -> list[str] | None:
        """The ids of the documents in a folder, or of one; None for all."""
        if parts in ((), (DOCUMENTS,)):
            return None
        folder = "/".join(parts[1:] if parts[0] == DOCUMENTS else parts)
        inside = [each.id for name, each in self.workspace.documents.items() if name.startswith(f"{folder}/")]
        return inside or [self.workspace.document(path).id]

    def _lines(self, found: list[Match], most: int) -> list[Span]:
        """The lines in which the matches stand, merged, by path and place, at most so many."""
        room = self.workspace.room
        by_document: dict[str, list[tuple[int, int]]] = {}
        for match in found:
            span = match.span
            before = room.slice(Span(span.document, max(0, span.start - LINE_CHARS // 2), span.start))
            after = room.slice(Span(span.document, span.end, span.end + LINE_CHARS // 2))
            start = span.start - len(before) + before.rfind("\n") + 1
            end = span.end + (after.find("\n") if "\n" in after else len(after))
            held = by_document.setdefault(span.document, [])
            held[:] = merge([*held, (start, end)])
            if sum(map(len, by_document.values())) > most:
                held[:] = held[:-1]
                break
        return [Span(identity, start, end) for identity, held in by_document.items() for start, end in held]

    def _grep_output(self, pattern: str, parts: tuple[str, ...]) -> Used:
        wanted = compile_pattern(pattern, ignore_case=True)
        lines = []
        for path, _ in self.workspace.files():
            if parts[1:] and not f"{path}/".startswith("/".join(parts[1:]) + "/"):
                continue
            for number, line in enumerate(self.workspace.read((OUTPUT, *path.split("/"))).splitlines(), 1):
                if wanted.search(line):
                    lines.append(f"{OUTPUT}/{path}:{number}: {line[:LINE_CHARS]}")
        return _said("\n".join(lines[:MOST_PASSAGES]) or "No place matches.")

    async def _finish(self, note: str = "") -> Used:
        used = _said("The work is ended.")
        used.finished = True
        return used

    def _writable(self, path: str) -> tuple[str, ...]:
        parts = self.workspace.where(path, default=OUTPUT)
        if len(parts) < 2 or parts[0] != OUTPUT:
            raise NoFile(f"{path!r} cannot be written: only files in output/ can")
        return parts


def _arguments(name: str, arguments: str) -> dict[str, Any]:
    """The arguments of a call, each of the type that its tool wants. Raises NoFile, which is told to the model."""
    tool = next(each for each in TOOLS if each.name == name)
    properties, required = tool.parameters["properties"], tool.parameters["required"]
    try:
        given = json.loads(arguments or "{}", strict=False)
    except (ValueError, RecursionError) as error:
        raise NoFile(f"the arguments are not JSON ({error}); {name} takes {', '.join(properties)}") from None
    if not isinstance(given, dict) or set(given) - set(properties) or set(required) - set(given):
        raise NoFile(f"{name} takes {', '.join(properties)}; needed: {', '.join(required) or 'none'}")
    for key, value in list(given.items()):
        kind = properties[key]["type"]
        if value is None and key not in required:
            del given[key]
        elif kind == "integer" and isinstance(value, str | float) and re.fullmatch(r"\d{1,9}(?:\.0)?", str(value)):
            given[key] = int(float(value))
        elif not isinstance(value, str if kind == "string" else int) or isinstance(value, bool):
            raise NoFile(f"{name}: {key} is a {'text' if kind == 'string' else 'whole number'}")
    return given


def _shape(pattern: str) -> re2._Regexp:
    """A glob pattern as a regular expression over paths beneath the workspace; RE2 takes no longer for one that is made to take long."""
    text = pattern.strip().removeprefix(f"{shell.WORKSPACE}/").removeprefix("./")
    pieces = re.split(r"(\*\*/|\*\*|\*|\?)", text)
    meant = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    if len(text) > 1_000:
        raise NoFile("the pattern is longer than 1,000 characters")
    return re2.compile("(?i)" + "".join(meant.get(piece, re2.escape(piece)) for piece in pieces))


def _stretch(text: str, start: int, length: int) -> str:
    start = max(0, min(start, len(text)))
    end = min(len(text), start + max(1, min(length, READ_CHARS)))
    more = f"\n[{len(text) - end:,} more characters: read it again with start={end}]" if end < len(text) else ""
    return text[start:end] + more


def _said(text: str) -> Used:
    told = Told()
    told.say(text)
    return Used(told)


def _failed(text: str) -> Used:
    used = _said(f"Error: {text}")
    used.status = "error"
    return used


def opened_names(identities: tuple[str, ...], workspace: Workspace) -> list[str]:
    """The paths of documents that a call opened, for the journal."""
    known: dict[str, Document] = {each.id: each for each in workspace.documents.values()}
    return [known[identity].path for identity in identities if identity in known]
