"""How many tokens a text takes, told cheaply and rather too high than too low."""

from __future__ import annotations

import json
from collections.abc import Iterable

from redwell.models.types import Message, Request

_SMALL = bytes(range(ord("a"), ord("z") + 1)) + b" "
_CAPITAL = bytes(range(ord("A"), ord("Z") + 1))
_HIGH = bytes(range(0x80, 0x100))
_PER_REQUEST = 48  # what a chat template puts around the messages
_PER_MESSAGE = 8  # role and separators
_PER_TOOL = 24


def estimate(text: str) -> int:
    """An upper estimate of the tokens of a text for any of the usual byte-pair vocabularies.

    Counts the UTF-8 bytes by class: four small letters or spaces to a token, two capitals, 1.6 bytes above ASCII, and one for
    each digit and punctuation mark (some vocabularies split numbers into digits). Compared with the vocabularies o200k,
    cl100k, Llama 3 and Qwen 3 on sixty contracts it lies 1.2 to 1.7 times above the largest count, and it covers tables of
    figures (1.0), JSON (1.1), Chinese, Japanese, Russian and Thai (1.6 to 2.4). Only random letters, as in base64, take more
    tokens than it says.
    """
    data = text.encode("utf-8", "surrogatepass")
    small = len(data) - len(data.translate(None, _SMALL))
    capital = len(data) - len(data.translate(None, _CAPITAL))
    high = 0 if text.isascii() else len(data) - len(data.translate(None, _HIGH))
    rest = len(data) - small - capital - high
    return int(small / 4 + capital / 2 + high / 1.6 + rest) + 1 if data else 0


def estimate_request(request: Request) -> int:
    """Input tokens of a request: its messages, tools and schema."""
    total = _PER_REQUEST + estimate_messages(request.messages)
    for tool in request.tools:
        total += _PER_TOOL + estimate(tool.name + tool.description + json.dumps(tool.parameters))
    if request.schema is not None:
        total += _PER_TOOL + estimate(json.dumps(request.schema))
    return total


def estimate_messages(messages: Iterable[Message]) -> int:
    total = 0
    for message in messages:
        total += _PER_MESSAGE + estimate(message.content)
        for call in message.tool_calls:
            total += _PER_MESSAGE + estimate(call.name + call.arguments)
    return total
