"""The policy's endpoint: chat completions as OpenAI words them, tokens in and tokens out underneath.

It remembers what it sampled. A conversation whose answers are its own is continued from the very ids, so what is trained on is
what the engine saw; any other is rendered anew.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from array import array
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from redwell.models.wire import sendable
from redwell.train.serving.http import HttpServer, Reply, refusal
from redwell.train.serving.limits import PromptTooLong
from redwell.train.serving.render import Renderer
from redwell.train.types import Engine, Sampled, TrainingError

_REMEMBERED = 20_000_000
"""Ids that are kept of conversations that may go on, four bytes each; the oldest are forgotten first."""
_ANSWER = 1024
_KEPT = ("role", "content", "tool_calls", "name", "tool_call_id")


class _Message(BaseModel):
    model_config = ConfigDict(extra="allow")
    role: str
    content: str | list[dict[str, Any]] | None = None


class _Asked(BaseModel):
    """What a request may say; what would change the distribution that is sampled from is refused."""

    model_config = ConfigDict(extra="ignore")
    messages: Annotated[list[_Message], Field(min_length=1)]
    tools: list[dict[str, Any]] = []
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    max_completion_tokens: Annotated[int, Field(ge=1)] | None = None
    temperature: Annotated[float, Field(ge=0, le=10)] | None = None
    seed: Annotated[int, Field(ge=0, lt=1 << 63)] | None = None
    logprobs: bool | None = None
    return_token_ids: bool | None = None
    n: Literal[1] | None = None
    stream: Literal[False] | None = None
    top_p: Annotated[float, Field(ge=1, le=1)] | None = None
    top_k: Literal[-1, 0] | None = None
    stop: None = None
    response_format: None = None
    grammar: None = None


class Gateway:
    """Serves an engine as `name`. `continued` and `rendered` count the requests that went on from captured ids and those that did not."""

    def __init__(self, engine: Engine, renderer: Renderer, name: str = "policy") -> None:
        self._engine = engine
        self._renderer = renderer
        self._name = name
        self._server = HttpServer(self._answer)
        self._memory = _Memory()
        self._number = 0
        self.continued = 0
        self.rendered = 0

    async def start(self, port: int = 0) -> str:
        """Returns the URL that a client is given, which ends in /v1. Raises TrainingError when the port is taken."""
        return await self._server.start(port) + "/v1"

    async def stop(self) -> None:
        """Ends what runs. The engine is its owner's to close."""
        await self._server.stop()

    async def _answer(self, method: str, path: str, body: Any) -> Reply:
        if (method, path) == ("POST", "/v1/chat/completions"):
            return await self._complete(body)
        if (method, path) == ("GET", "/v1/models"):
            return Reply(200, {"object": "list", "data": [{"id": self._name, "object": "model"}]})
        if (method, path) == ("GET", "/health"):
            return Reply(200, {"status": "ok"})
        return refusal(404, f"there is no {method} {path} here")

    async def _complete(self, body: Any) -> Reply:
        try:
            asked = _Asked.model_validate(sendable(body))
        except ValidationError as error:
            first = error.errors()[0]
            return refusal(400, f"{'.'.join(map(str, first['loc'])) or 'the body'}: {first['msg']}")
        messages = [_plain(message) for message in asked.messages]
        marks = _marks(messages, asked.tools)
        try:
            prompt = self._prompt(messages, marks, asked.tools)
        except TrainingError as error:
            return refusal(400, str(error))
        try:
            sampled = await self._engine.sample(
                prompt,
                max_tokens=asked.max_tokens or asked.max_completion_tokens or _ANSWER,
                stop=self._renderer.stop_ids,
                temperature=1.0 if asked.temperature is None else asked.temperature,
                seed=secrets.randbits(31) if asked.seed is None else asked.seed,
            )
        except PromptTooLong as error:
            return refusal(400, str(error), "context_length_exceeded")
        except TrainingError as error:
            return refusal(503, str(error))
        text = self._renderer.decode(sampled.ids)
        answer = {"role": "assistant", "content": text}
        self._memory.keep(_mark(marks[-1], answer), prompt, sampled.ids)
        return Reply(200, self._said(asked, prompt, sampled, answer))

    def _prompt(self, messages: list[dict[str, Any]], marks: list[bytes], tools: list[dict[str, Any]]) -> list[int]:
        """The captured ids and what was said since, where the conversation continues one; else the whole, rendered."""
        for last in range(len(messages) - 1, -1, -1):
            if messages[last]["role"] != "assistant":
                continue
            known = self._memory.find(marks[last + 1])
            if known is not None:
                prompt, answer = known
                since = self._renderer.continuation(messages[:last], answer, messages[last + 1 :], tools)
                if since is None:
                    break
                self.continued += 1
                return [*prompt, *answer, *since]
        self.rendered += 1
        return self._renderer.render(messages, tools)

    def _said(self, asked: _Asked, prompt: Sequence[int], sampled: Sampled, answer: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        choice: dict[str, Any] = {"index": 0, "message": answer, "finish_reason": sampled.finish, "logprobs": None}
        said: dict[str, Any] = {
            "id": f"{self._name}-{self._number}",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": self._name,
            "choices": [choice],
            "usage": {
                "prompt_tokens": len(prompt),
                "completion_tokens": len(sampled.ids),
                "total_tokens": len(prompt) + len(sampled.ids),
            },
        }
        if asked.logprobs:
            choice["logprobs"] = {
                "content": [
                    {"token": f"token_id:{identity}", "logprob": logprob, "bytes": None, "top_logprobs": []}
                    for identity, logprob in zip(sampled.ids, sampled.logprobs, strict=True)
                ]
            }
        if asked.return_token_ids:
            said["prompt_token_ids"] = list(prompt)
            choice["token_ids"] = list(sampled.ids)
            choice["policy_versions"] = list(sampled.versions)
        return said


class _Memory:
    """Conversations by a mark of all that was said, with the ids of the last answer and those that it was sampled after."""

    def __init__(self) -> None:
        self._ids: OrderedDict[bytes, tuple[array[int], array[int]]] = OrderedDict()
        self._size = 0

    def keep(self, mark: bytes, prompt: Sequence[int], answer: Sequence[int]) -> None:
        self._drop(mark)
        self._ids[mark] = (array("i", prompt), array("i", answer))
        self._size += len(prompt) + len(answer)
        while self._size > _REMEMBERED and len(self._ids) > 1:
            self._drop(next(iter(self._ids)))

    def find(self, mark: bytes) -> tuple[array[int], array[int]] | None:
        found = self._ids.get(mark)
        if found is not None:
            self._ids.move_to_end(mark)
        return found

    def _drop(self, mark: bytes) -> None:
        dropped = self._ids.pop(mark, None)
        self._size -= sum(map(len, dropped)) if dropped else 0


def _plain(message: _Message) -> dict[str, Any]:
    """The message with its text as one string, and nothing that no template reads."""
    given = message.model_dump()
    kept = {name: given[name] for name in _KEPT if given.get(name) is not None}
    if isinstance(message.content, list):
        kept["content"] = "".join(str(part.get("text") or "") for part in message.content)
    return {"content": "", **kept}


def _marks(messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]) -> list[bytes]:
    """A mark for each beginning of the conversation: none of its messages, the first, the first two, and so on."""
    marks = [hashlib.sha256(json.dumps(list(tools), sort_keys=True).encode()).digest()]
    for message in messages:
        marks.append(_mark(marks[-1], message))
    return marks


def _mark(before: bytes, message: Mapping[str, Any]) -> bytes:
    return hashlib.sha256(before + json.dumps(message, sort_keys=True).encode()).digest()
