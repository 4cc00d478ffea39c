"""What is sent to a model, what comes back, and how a call can fail."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from redwell.room.types import Span

Role = Literal["root", "sub", "judge"]
FailureKind = Literal[
    "rate_limited",  # 429 after all retries
    "timeout",  # no answer in time
    "connection",  # could not connect, or the connection dropped
    "server",  # 5xx after all retries
    "auth",  # key missing or refused
    "rejected",  # any other 4xx: the request itself is wrong
    "context_length",  # the request does not fit the model
    "empty",  # an answer without text or tool calls
    "truncated",  # cut at the output limit
    "malformed",  # not the protocol's JSON, or not JSON where a schema was asked for
    "schema",  # JSON that does not fit the schema
    "unfounded",  # its quotes stand in none of the documents that it was given
    "budget",  # the budget could not cover it; nothing was sent
    "cancelled",
    "internal",  # a fault of ours
]


@dataclass(frozen=True, slots=True)
class ToolCall:
    id: str
    name: str
    arguments: str  # JSON text as the model wrote it


@dataclass(frozen=True, slots=True)
class Message:
    """`prefix` is how many characters at the start of `content` other requests repeat word for word (the documents, before the
    question): a server that caches prompts is told to cache up to there. `held` says where in `content` the text of which span stands
    word for word, in order, as far as whoever made the message knows.
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    prefix: int = 0
    held: tuple[tuple[int, Span], ...] = ()


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    description: str
    parameters: dict[str, Any]  # JSON schema


@dataclass(frozen=True, slots=True)
class Request:
    """`spans` are the addresses of the room's text that the messages contain: coverage is computed from them.

    `schema` asks for JSON of that shape; `grammar` (of llguidance) is what the answer must follow, at servers of llama.cpp only.
    `alternatives` asks for the log-probabilities of so many first tokens. `key` is the idempotency key: the same key is sent again when a call is repeated after
    a crash. `seconds` bounds one attempt.
    """

    messages: tuple[Message, ...]
    role: Role = "sub"
    tools: tuple[Tool, ...] = ()
    schema: dict[str, Any] | None = None
    max_output_tokens: int = 4096
    temperature: float | None = None
    seed: int | None = None
    spans: tuple[Span, ...] = ()
    key: str = ""
    seconds: float = 300.0
    want_token_ids: bool = False
    grammar: str = ""
    alternatives: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens. `input` includes `cached_input` (read from the server's prompt cache) and `cache_written` (put into it)."""

    input: int = 0
    cached_input: int = 0
    output: int = 0
    cache_written: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.cached_input + other.cached_input,
            self.output + other.output,
            self.cache_written + other.cache_written,
        )


@dataclass(frozen=True, slots=True)
class Completion:
    """`usage` is None when the server did not say (cost is then unknown, and the budget counts an estimate).

    `token_ids` and `logprobs` have one entry for each sampled token, `prompt_ids` are the tokens of the request as the server rendered it, and
    `versions` says which policy sampled each token, where it is a policy in training; each None where it was not asked for or the server does not
    tell. `alternatives` are the likeliest first tokens with their log-probabilities, when they were asked for. `read` are the parts of the
    request's spans that were really read, when that was not all of them, and `shown` those that a language model was shown, when rules read
    the rest: a program that picks what its model reads says so.
    """

    text: str
    model: str
    tool_calls: tuple[ToolCall, ...] = ()
    finish: str = "stop"
    usage: Usage | None = None
    seconds: float = 0.0
    token_ids: tuple[int, ...] | None = None
    logprobs: tuple[float, ...] | None = None
    prompt_ids: tuple[int, ...] | None = None
    versions: tuple[int, ...] | None = None
    detail: dict[str, Any] = field(default_factory=dict)
    alternatives: tuple[tuple[str, float], ...] = ()
    read: tuple[Span, ...] | None = None
    shown: tuple[Span, ...] | None = None


class CallFailed(Exception):
    """A model call that did not give an answer. `usage` is what was paid for all the same.

    `again` says that the client has learned how to ask and wants to be called once more at once; `lasting` that every other call of
    the model would fail in the same way (its key, its name, its quota). `sampled` is the answer of no use (empty, cut, malformed) as it came, when
    the request wanted its token ids: whoever trains on what was sampled needs it all, and asking again with its seed would bring the same.
    """

    def __init__(
        self,
        kind: FailureKind,
        message: str,
        *,
        retry_after: float | None = None,
        usage: Usage | None = None,
        attempts: int = 1,
        again: bool = False,
        lasting: bool = False,
        sampled: Completion | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.retry_after = retry_after
        self.usage = usage
        self.attempts = attempts
        self.again = again
        self.lasting = lasting
        self.sampled = sampled


class Model(Protocol):
    """Anything that completes a request. `name` is `kind:name` with an optional `@url`, as the user wrote it.

    One that can take only so many requests at once says so in an attribute `places`.
    """

    name: str

    async def complete(self, request: Request) -> Completion:
        """Raises CallFailed; never returns an empty or cut answer."""
        ...

    async def close(self) -> None: ...
