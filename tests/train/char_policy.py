"""A policy whose tokens are characters, for tests of what is captured: what the scripted server says as one, with ids, log-probabilities and versions."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from tests.servers.scripted import Answer, Received, raw

END = 3
"""The token that ends a turn; no text holds it."""
Reply = str | tuple[str, str] | Answer


def rendered(messages: Sequence[dict[str, Any]]) -> list[int]:
    """A conversation as this policy's template writes it, to the point where the next reply begins."""
    ids: list[int] = []
    for message in messages:
        ids += [ord(message["role"][0]), *map(ord, message["content"] or ""), END, 10]
    return [*ids, ord("a")]


def policy(replies: Sequence[Reply], version: int = 4) -> Callable[[Received], Answer]:
    """Gives the replies in turn, by the number of replies that stand in the conversation: a text, (text, finish reason), or a fault."""

    def script(received: Received) -> Answer:
        number = sum(message["role"] == "assistant" for message in received.messages)
        reply = replies[min(number, len(replies) - 1)]
        if isinstance(reply, Answer):
            return reply
        text, finish = (reply, "stop") if isinstance(reply, str) else reply
        ids = [*map(ord, text), *([END] if finish == "stop" else [])]
        prompt = rendered(received.messages)
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": text},
            "finish_reason": finish,
            "token_ids": ids,
            "policy_versions": [version] * len(ids),
            "logprobs": {"content": [{"token": "", "logprob": -one / 1000} for one in ids]},
        }
        used = {"prompt_tokens": len(prompt), "completion_tokens": len(ids), "total_tokens": len(prompt) + len(ids)}
        body = {"model": "policy", "choices": [choice], "prompt_token_ids": prompt, "usage": used}
        return raw(json.dumps(body).encode())

    return script


def block(code: str) -> str:
    return f"```python\n{code}\n```"
