"""What the clients of model servers have in common: reading answers within limits, and turning every fault into a typed failure."""

from __future__ import annotations

import asyncio
import email.utils
import ipaddress
import json
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

from redwell.models.bodies import bound_body
from redwell.models.keys import Key
from redwell.models.types import CallFailed, FailureKind, Request, Usage

_LARGEST_ANSWER = 32 << 20
_AROUND = 1 << 20  # bytes of an answer besides its tokens
_BYTES_PER_TOKEN = 512  # escaped, with its log-probability
_MOST_TOKENS = 1_000_000_000  # of one call; more is no count
_LONGEST_MESSAGE = 400
_CONTEXT_SIGNS = (
    "context_length",
    "context length",
    "maximum context",
    "context window",
    "prompt is too long",
    "too many tokens",
    "exceeds the available context",
    "input is too long",
)
_OUT_OF_MONEY = "insufficient_quota"
_HTTP_LIBRARIES = ("httpx", "httpcore", "h11", "anyio", "zlib")
ECHOES = ("idempotency-key", "x-client-request-id")
"""Answer headers in which some servers and gateways name the request that they answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A successful HTTP answer: its JSON object and its headers (names in small letters)."""

    body: dict[str, Any]
    headers: Mapping[str, str]


class Refused(Exception):
    """A 400 or 422: the request as it is was refused; the client may know a plainer way of asking."""

    def __init__(self, failure: CallFailed, said: str) -> None:
        super().__init__(failure.message)
        self.failure = failure
        self.said = said.lower()


def http_client(sdk: Any, url: str) -> Any:
    """What either SDK sends with: bodies are bounded, a proxy from the environment does not see what is meant for this machine, and a
    redirect does not take the key elsewhere."""
    return sdk.DefaultAsyncHttpxClient(
        follow_redirects=False, trust_env=not is_loopback(url), event_hooks={"response": [bound_body]}
    )


async def exchange(
    sdk: ModuleType,
    send: Callable[[dict[str, Any]], AbstractAsyncContextManager[Any]],
    body: dict[str, Any],
    *,
    name: str,
    key: Key | None,
    request: Request,
) -> Answer:
    """One request and its whole answer within its time, read up to what its tokens can take, and 32 MiB at most.

    `send` opens a streamed raw response of the SDK to a body. Raises CallFailed, or Refused.
    """
    seconds = request.seconds
    most = min(_LARGEST_ANSWER, _AROUND + _BYTES_PER_TOKEN * request.max_output_tokens)
    try:
        async with asyncio.timeout(seconds) as limit:
            try:
                headers, answered = await _answered(send(body), most)
            except UnicodeEncodeError:  # half a character in it; nothing was sent
                headers, answered = await _answered(send(sendable(body)), most)
    except TimeoutError:
        if limit.expired():
            raise CallFailed("timeout", f"{name} gave no answer within {seconds:g} seconds") from None
        raise CallFailed("timeout", f"{name} gave no answer in time") from None
    except sdk.APITimeoutError:
        raise CallFailed("timeout", f"{name} gave no answer in time") from None
    except sdk.APIStatusError as error:
        failure, said = _of_status(error, name, key)
        if error.status_code in (400, 422) and failure.kind == "rejected":
            raise Refused(failure, said) from None
        raise failure from None
    except sdk.APIConnectionError as error:
        cause = error.__cause__ or error
        raise CallFailed("connection", f"{name} could not be reached: {plain(cause, key)}") from None
    except CallFailed:
        raise
    except sdk.APIError as error:
        raise CallFailed("malformed", f"{name}: {plain(error, key)}") from None
    except Exception as error:
        # What breaks while the body is read comes from the HTTP library as it is.
        if not isinstance(error, OSError) and not type(error).__module__.startswith(_HTTP_LIBRARIES):
            raise
        kind: FailureKind = "timeout" if "Timeout" in type(error).__name__ else "connection"
        raise CallFailed(kind, f"the connection to {name} broke: {plain(error, key)}") from None
    for header in ECHOES:
        if request.key and headers.get(header, request.key) != request.key:
            raise CallFailed("malformed", f"{name} sent the answer to another request")
    return Answer(_object(answered, name), headers)


async def _answered(sent: AbstractAsyncContextManager[Any], most: int) -> tuple[dict[str, str], bytes]:
    async with sent as response:
        headers = {str(header).lower(): str(value) for header, value in response.headers.items()}
        return headers, await _read(response, most)


async def _read(response: Any, most: int) -> bytes:
    chunks: list[bytes] = []
    size = 0
    async for chunk in response.iter_bytes():
        size += len(chunk)
        if size > most:
            raise CallFailed("malformed", f"the answer is larger than {most >> 20} MiB")
        chunks.append(chunk)
    return b"".join(chunks)


def _object(body: bytes, name: str) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        start = body[:60].decode("utf-8", "replace").strip()
        raise CallFailed("malformed", f"{name} did not answer with JSON but with {start!r}") from None
    if not isinstance(value, dict):
        raise CallFailed("malformed", f"{name} answered with JSON that is not an object")
    return value


def _of_status(error: Any, name: str, key: Key | None) -> tuple[CallFailed, str]:
    status: int = error.status_code
    try:
        text = error.response.text
    except Exception:  # the body of an error may never have come
        text = ""
    said = _message(text) or f"HTTP {status}"
    message = plain(f"{name} answered {status}: {said}", key)
    whole = (text + said).lower()
    kind: FailureKind
    if status in (401, 403):
        kind = "auth"
    elif status == 408:
        kind = "timeout"
    elif status == 429:
        kind = "rejected" if _OUT_OF_MONEY in whole else "rate_limited"
    elif status >= 500 or status == 409:
        kind = "server"
    elif status == 413 or any(sign in whole for sign in _CONTEXT_SIGNS):
        kind = "context_length"
    else:
        kind = "rejected"
    lasting = status in (401, 403, 404, 405) or 300 <= status < 400 or (status == 429 and kind == "rejected")
    return CallFailed(kind, message, retry_after=retry_after(error.response.headers), lasting=lasting), whole


def _message(text: str) -> str:
    """The sentence in an error answer: `error.message`, `message`, `detail`, or the text itself."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return " ".join(text.split())[:_LONGEST_MESSAGE]
    for name in ("error", "message", "detail"):
        inner = value.get(name) if isinstance(value, dict) else None
        if isinstance(inner, dict):
            inner = inner.get("message")
        if isinstance(inner, str) and inner:
            return inner
    return " ".join(text.split())[:_LONGEST_MESSAGE]


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds that an answer asks to wait (`retry-after-ms`, `retry-after` in seconds or as a date); None when it does not say.

    A date is counted from the server's own (`date`), because this machine's clock may be wrong; `now` stands in for a missing one.
    """
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        text = headers.get(name)
        if not text:
            continue
        try:
            seconds = float(text) / scale
        except ValueError:
            try:
                seconds = _date(text) - _server_time(headers, time.time() if now is None else now)
            except (TypeError, ValueError, OverflowError):
                continue
        if math.isfinite(seconds):
            return max(0.0, seconds)
    return None


def _server_time(headers: Mapping[str, str], now: float) -> float:
    try:
        return _date(headers.get("date", ""))
    except (TypeError, ValueError, OverflowError):
        return now


def _date(text: str) -> float:
    return email.utils.parsedate_to_datetime(text).timestamp()


def plain(error: object, key: Key | None = None) -> str:
    """A stranger's message in one line, without the key, without control characters, and not long."""
    text = str(error) or type(error).__name__
    text = key.hide_in(text) if key else text
    text = "".join(character if character.isprintable() else " " for character in " ".join(text.split()))
    return text if len(text) <= _LONGEST_MESSAGE else text[: _LONGEST_MESSAGE - 3] + "..."


def count(value: Any) -> int | None:
    """A number of tokens, if it is one and not absurd."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS else None


def sendable(value: Any) -> Any:
    """The same JSON with a question mark for each half of a character (a lone surrogate, from a model's broken escape), which no
    request can carry."""
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return value.encode("utf-8", "replace").decode("utf-8")
        return value
    if isinstance(value, dict):
        return {sendable(name): sendable(entry) for name, entry in value.items()}
    return [sendable(entry) for entry in value] if isinstance(value, list) else value


def make_usage(
    total_input: int | None, cached: int | None, output: int | None, written: int | None = 0
) -> Usage | None:
    """Usage if input and output are known; parts of the input never add up to more than the whole."""
    if total_input is None or output is None:
        return None
    cached_input = min(cached or 0, total_input)
    return Usage(total_input, cached_input, output, min(written or 0, total_input - cached_input))


def is_loopback(url: str) -> bool:
    """Whether a URL leads to this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_private(url: str) -> bool:
    """Whether nobody between here and the server can read what is sent: TLS, or no way between at all."""
    return urlsplit(url).scheme == "https" or is_loopback(url)


class LoopClient:
    """An SDK client for the event loop that is running: a connection pool must not be used from a loop that did not make it."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._client: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def get(self) -> Any:
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._client, self._loop = self._make(), loop
        return self._client

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            closing: Awaitable[None] = client.close()
            await closing
