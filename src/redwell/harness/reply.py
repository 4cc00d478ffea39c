"""What a root's reply asks to be run: native tool calls first, else fenced blocks, parsed strictly."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from redwell.models.types import Completion, Tool, ToolCall

PYTHON = Tool(
    name="python",
    description="Runs one cell of Python in the session and returns what it printed. Variables stay for later cells.",
    parameters={
        "type": "object",
        "properties": {"code": {"type": "string", "description": "the cell's source"}},
        "required": ["code"],
        "additionalProperties": False,
    },
)

NO_CODE = (
    "Your reply held no code, so nothing was run. Call the tool `python`, or put a cell in a block that opens with ```python and "
    "closes with ```. When the work is done, call submit() inside a cell: words in a reply end nothing."
)
CUT = "Your reply was cut off because it was too long, and nothing of it was run. Write shorter cells."
SHORT = "Nothing was run. Reply with code alone, in a block that opens with ```python."
"""For a root with little room, whatever was wrong with its reply."""

_OPENING = re.compile(r"^ {0,3}(?P<marks>`{3,}|~{3,})[ \t]*(?P<tag>[^\s`]*)[^`\n]*$")
_CODE_TAGS = {"python", "py", "python3", "repl"}
_TRIED = 1_000_000
"""How many characters of a reply are tried as Python, those of overlapping blocks counted again: more than any reply needs."""
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell that a reply asks for. `tool_call` is the id of the call that must be answered; `complaint` says why there is
    nothing to run in its place."""

    code: str = ""
    tool_call: str | None = None
    complaint: str = ""


def cells(completion: Completion, *, brief: bool = False) -> list[Cell]:
    """The cells that a reply asks for, in order. A single cell with a complaint when a reply without tool calls has no usable
    block, or was cut. `brief`: complaints in few words."""
    if completion.finish == "length":
        return [Cell(complaint=f"Cut off. {SHORT}" if brief else CUT)]
    if completion.tool_calls:
        return [_of_tool_call(call) for call in completion.tool_calls]
    blocks, complaint = fenced(_THOUGHT.sub("", completion.text))
    if not complaint and blocks:
        return [Cell(code=block) for block in blocks]
    return [Cell(complaint=SHORT if brief else complaint or NO_CODE)]


def _of_tool_call(call: ToolCall) -> Cell:
    if call.name != PYTHON.name:
        return Cell(
            tool_call=call.id, complaint=f"There is no tool {call.name!r}; the one tool is `python`. Nothing was run."
        )
    try:
        arguments = json.loads(call.arguments, strict=False)
    except (ValueError, RecursionError) as error:
        return Cell(
            tool_call=call.id, complaint=f"The arguments of the tool call are not JSON ({error}). Nothing was run."
        )
    code = arguments.get("code") if isinstance(arguments, dict) else None
    if not isinstance(code, str) or not code.strip():
        return Cell(tool_call=call.id, complaint='The tool `python` takes {"code": "..."}. Nothing was run.')
    return Cell(code=code, tool_call=call.id)


def fenced(text: str) -> tuple[list[str], str]:
    """The code of the fenced Python blocks in a text, or a complaint. Blocks with another tag are not code; blocks without a tag
    are, when no block is tagged as Python."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    tagged: list[str] = []
    untagged: list[str] = []
    position = 0
    left = _TRIED
    while position < len(lines):
        opening = _OPENING.match(lines[position])
        if opening is None:
            if re.match(r"^ {0,3}```(?:python|py)\b.*```\s*$", lines[position]):
                return [], (
                    f"The block on line {position + 1} of your reply opens and closes on one line; put the code on lines of its own. "
                    "Nothing was run."
                )
            position += 1
            continue
        tag = opening["tag"].lower().strip("{}.")
        is_code = tag in _CODE_TAGS
        python = is_code or not tag
        end, tried = _closing(lines, position, opening["marks"], left if python else 0)
        left -= tried
        if end is None:
            if is_code or not tag:
                return [], (
                    f"The block that opens on line {position + 1} of your reply is not closed (a line with {opening['marks']} alone), "
                    "so it may have been cut. Nothing was run."
                )
            break
        block = "\n".join(lines[position + 1 : end])
        if is_code:
            tagged.append(block)
        elif not tag:
            untagged.append(block)
        position = end + 1
    blocks = tagged or [block for block in untagged if _compiles(block)]
    return [block for block in blocks if block.strip()], ""


def _closing(lines: Sequence[str], opening: int, marks: str, most: int) -> tuple[int | None, int]:
    """The line that closes a block, and how many characters were tried as Python: of all lines that could close it, the first after which
    its content is Python, so that a fence inside a string does not cut a cell; the very first when none is, or `most` would be passed."""
    close = re.compile(rf"^ {{0,3}}{re.escape(marks[0])}{{{len(marks)},}}[ \t]*$")
    first, tried = None, 0
    for index in range(opening + 1, len(lines)):
        if not close.match(lines[index]):
            continue
        if first is None:
            first = index
        code = "\n".join(lines[opening + 1 : index])
        if tried + len(code) >= most:
            break
        tried += len(code) + 1
        if _compiles(code):
            return index, tried
    return first, tried


def _compiles(code: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
