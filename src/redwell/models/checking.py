"""Whether a completion is an answer to its request."""

from __future__ import annotations

from dataclasses import replace

from redwell.models.schema import Malformed, Misfit, read_answer
from redwell.models.types import CallFailed, Completion, Request

_CHARACTERS_PER_TOKEN = 32  # no vocabulary has tokens that are longer than this on average
_MOST_TOOL_CALLS = 128  # at once; each would be run


def checked(completion: Completion, request: Request) -> Completion:
    """The completion if it is an answer to the request. Raises CallFailed: empty, truncated, malformed, schema."""
    usage = completion.usage
    if completion.finish == "length":
        raise CallFailed("truncated", f"the answer was cut at {request.max_output_tokens} tokens", usage=usage)
    if not completion.text.strip() and not completion.tool_calls:
        raise CallFailed("empty", "the answer has neither text nor a tool call", usage=usage)
    longest = request.max_output_tokens * _CHARACTERS_PER_TOKEN
    if len(completion.text) > longest or sum(len(call.arguments) for call in completion.tool_calls) > longest:
        raise CallFailed("malformed", "the answer is far longer than was asked for", usage=usage)
    if len(completion.tool_calls) > _MOST_TOOL_CALLS:
        raise CallFailed("malformed", f"the answer calls tools {len(completion.tool_calls)} times at once", usage=usage)
    names = {tool.name for tool in request.tools}
    for call in completion.tool_calls:
        if call.name not in names:
            raise CallFailed(
                "malformed", f"the answer calls {call.name[:60]!r}, which is not a tool of this request", usage=usage
            )
    if request.schema is None or completion.tool_calls:
        return completion
    try:
        _, text = read_answer(completion.text, request.schema)
    except Malformed as error:
        raise CallFailed("malformed", str(error), usage=usage) from None
    except Misfit as error:
        raise CallFailed("schema", str(error), usage=usage) from None
    if text == completion.text:
        return completion
    return replace(completion, text=text, detail=completion.detail | {"said": completion.text})
