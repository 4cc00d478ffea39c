"""A model server that answers from a script: OpenAI's chat completions and Anthropic's messages, over real HTTP on loopback.

    with Scripted(["first answer", "second answer"]) as server:
        model = connect(f"openai:any@{server.url}")

A script is a list (answers in order; when it is used up the server answers 500 "the script is over") or a function of the request
(`Received`), plain or async. What it gives is a string (the text of an answer), an `Answer`, or a fault:

    say("text", usage=None)                  an answer; usage (input, cached, output), None leaves it out, default: characters / 4;
                                             anything but a tuple stands in the answer as it is, and counts for nothing
    use_tool("python", {"code": "1"})        an answer that calls a tool (arguments: a dict, or a string sent as it is)
    say("", finish="stop")                   an empty answer
    say("half an ans", finish="length")      a cut answer
    status(429, "slow down", {"Retry-After": "1"})    any HTTP error
    raw(b"not JSON")                         any body with status 200
    drop("before" | "during" | "after")      closes the connection before the answer, in the middle of it, or after all of it
    endless(b"piece", 200)                   an answer (chunked) that goes on for as long as somebody reads it
    hang(seconds)                            answers only after that long
    trickle("text", seconds)                 sends an answer byte by byte over that long
    in_turn(fault, fault, "answer")          the first for the first attempt with the same messages, and so on; the last stays

`server.requests` holds every request received, in order; `server.count`, `server.keys` (a Counter of idempotency keys),
`server.most_at_once`, `server.used` (input, cached and output tokens of all answers given) and `server.endless_bytes` are its books.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

DEFAULT = "default"


@dataclass(frozen=True)
class Received:
    """One request as it came in; `key` is its idempotency key, empty when it had none; `raw` its body as it was sent."""

    number: int
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    raw: bytes = b""

    @property
    def key(self) -> str:
        return self.headers.get("idempotency-key", "")

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.body.get("messages", []))

    @property
    def system(self) -> str:
        given = self.body.get("system")
        if given is not None:
            return _plain(given)
        return "\n".join(_plain(message["content"]) for message in self.messages if message["role"] == "system")

    @property
    def user(self) -> str:
        """The text of the last user message."""
        return next(
            (_plain(message["content"]) for message in reversed(self.messages) if message["role"] == "user"), ""
        )

    @property
    def schema(self) -> dict[str, Any] | None:
        wanted = self.body.get("response_format", {})
        return wanted.get("json_schema", {}).get("schema") if isinstance(wanted, dict) else None

    @property
    def question(self) -> str:
        """The same for every attempt with the same messages."""
        return json.dumps(self.messages, sort_keys=True)


@dataclass(frozen=True)
class Answer:
    """What the server does with one request; made by the functions below."""

    text: str = ""
    tool_calls: tuple[tuple[str, str], ...] = ()
    finish: str = "stop"
    usage: Any = DEFAULT
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    drop: str = ""
    delay: float = 0.0
    trickle: float = 0.0
    endless: bytes = b""
    extra: dict[str, Any] = field(default_factory=dict)


Script = Sequence[Any] | Callable[[Received], Any]


def say(text: str, *, finish: str = "stop", usage: Any = DEFAULT, **extra: Any) -> Answer:
    return Answer(text=text, finish=finish, usage=usage, extra=extra)


def use_tool(name: str, arguments: dict[str, Any] | str, *, text: str = "", usage: Any = DEFAULT) -> Answer:
    given = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return Answer(text=text, tool_calls=((name, given),), finish="tool_calls", usage=usage)


def status(code: int, message: str = "refused", headers: dict[str, str] | None = None) -> Answer:
    body = json.dumps({"error": {"message": message, "type": "scripted"}}).encode()
    return Answer(status=code, headers=headers or {}, body=body)


def raw(body: bytes, headers: dict[str, str] | None = None) -> Answer:
    return Answer(body=body, headers=headers or {})


def drop(when: str) -> Answer:
    return Answer(text="the answer that was dropped", drop=when)


def endless(piece: bytes, code: int = 200) -> Answer:
    return Answer(endless=piece, status=code)


def hang(seconds: float) -> Answer:
    return Answer(text="too late", delay=seconds)


def trickle(text: str, seconds: float) -> Answer:
    return Answer(text=text, trickle=seconds)


def in_turn(*answers: Any) -> Callable[[Received], Any]:
    """A script that counts attempts by their messages."""
    seen: Counter[str] = Counter()

    def script(received: Received) -> Any:
        seen[received.question] += 1
        return answers[min(seen[received.question], len(answers)) - 1]

    return script


class Scripted:
    """The server. Use as a context manager; `url` is what goes behind the @ of a model's name (`anthropic_url` for Anthropic).

    `latency` is seconds before each answer.
    """

    def __init__(self, script: Script, *, latency: float = 0.0) -> None:
        self._script = script
        self._latency = latency
        self._position = 0
        self._at_once = 0
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self.requests: list[Received] = []
        self.keys: Counter[str] = Counter()
        self.most_at_once = 0
        self.used = [0, 0, 0]
        self.endless_bytes = 0
        self.port = 0

    def __enter__(self) -> Scripted:
        self._thread.start()
        if not self._ready.wait(10):
            raise RuntimeError("the scripted server did not start")
        return self

    def __exit__(self, *_: object) -> None:
        if self._loop is not None and self._stop is not None:
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def anthropic_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def count(self) -> int:
        return len(self.requests)

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        tasks: set[asyncio.Task[None]] = set()

        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            if task is not None:
                tasks.add(task)
                task.add_done_callback(tasks.discard)
            try:
                while await self._one(reader, writer):
                    continue
            except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
                pass
            finally:
                writer.transport.abort()

        server = await asyncio.start_server(accept, "127.0.0.1", 0, limit=1 << 20)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its answer; False when the connection is to be closed."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        path = head[0].split(" ")[1]
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        received = Received(len(self.requests), path, headers, json.loads(body) if body else {}, body)
        self.requests.append(received)
        self.keys[received.key] += 1
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            answer = await self._answer(received)
            if self._latency + answer.delay:
                await asyncio.sleep(self._latency + answer.delay)
            return await self._send(writer, received, answer)
        finally:
            self._at_once -= 1

    async def _answer(self, received: Received) -> Answer:
        if callable(self._script):
            given = self._script(received)
            given = await given if inspect.isawaitable(given) else given
        elif self._position < len(self._script):
            given = self._script[self._position]
            self._position += 1
        else:
            given = status(500, "the script is over")
        if callable(given):
            given = given(received)
        return Answer(text=given) if isinstance(given, str) else given

    async def _send(self, writer: asyncio.StreamWriter, received: Received, answer: Answer) -> bool:
        if answer.drop == "before":
            return False
        if answer.endless:
            return await self._send_for_ever(writer, answer)
        if answer.body is None:
            body = self._completion(received, answer)
        else:
            body = answer.body
        lines = {"Content-Type": "application/json", "Content-Length": str(len(body)), **answer.headers}
        head = f"HTTP/1.1 {answer.status} Scripted\r\n" + "".join(
            f"{name}: {value}\r\n" for name, value in lines.items()
        )
        writer.write(head.encode() + b"\r\n")
        if answer.drop == "during":
            writer.write(body[: len(body) // 2])
            await writer.drain()
            return False
        if answer.trickle:
            for byte in body:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(answer.trickle / len(body))
        else:
            writer.write(body)
        await writer.drain()
        if answer.drop == "after":
            writer.close()  # what was written is still delivered
            await writer.wait_closed()
            return False
        return True

    async def _send_for_ever(self, writer: asyncio.StreamWriter, answer: Answer) -> bool:
        head = (
            f"HTTP/1.1 {answer.status} Scripted\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        writer.write(head.encode())
        while not writer.is_closing():
            writer.write(f"{len(answer.endless):x}\r\n".encode() + answer.endless + b"\r\n")
            self.endless_bytes += len(answer.endless)
            await writer.drain()
        return False

    def _completion(self, received: Received, answer: Answer) -> bytes:
        usage = answer.usage
        if usage == DEFAULT:
            said = len(answer.text) + sum(len(arguments) for _, arguments in answer.tool_calls)
            usage = (
                sum(len(_plain(message.get("content"))) for message in received.messages) // 4,
                0,
                max(1, said // 4),
            )
        if isinstance(usage, tuple):
            self.used = [total + part for total, part in zip(self.used, usage, strict=True)]
        if received.path.endswith("/messages"):
            return _anthropic(received, answer, usage)
        return _openai(received, answer, usage)


def _openai(received: Received, answer: Answer, usage: Any) -> bytes:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text}
    if answer.tool_calls:
        message["tool_calls"] = [
            {
                "id": f"call_{received.number}_{number}",
                "type": "function",
                "function": {"name": name, "arguments": arguments},
            }
            for number, (name, arguments) in enumerate(answer.tool_calls)
        ]
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": answer.finish}
    body: dict[str, Any] = {"id": f"scripted-{received.number}", "object": "chat.completion", "created": 0}
    body |= {"model": received.model, "choices": [choice]}
    if not isinstance(usage, tuple):
        body |= {} if usage is None else {"usage": usage}
    else:
        body["usage"] = {
            "prompt_tokens": usage[0],
            "completion_tokens": usage[2],
            "total_tokens": usage[0] + usage[2],
            "prompt_tokens_details": {"cached_tokens": usage[1]},
        }
    choice |= answer.extra
    return json.dumps(body).encode()


def _anthropic(received: Received, answer: Answer, usage: Any) -> bytes:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": answer.text}] if answer.text else []
    for number, (name, arguments) in enumerate(answer.tool_calls):
        block = {
            "type": "tool_use",
            "id": f"toolu_{received.number}_{number}",
            "name": name,
            "input": json.loads(arguments),
        }
        blocks.append(block)
    finishes = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use", "content_filter": "refusal"}
    body: dict[str, Any] = {
        "id": f"msg_{received.number}",
        "type": "message",
        "role": "assistant",
        "model": received.model,
    }
    body |= {"content": blocks, "stop_reason": finishes.get(answer.finish, answer.finish)}
    if not isinstance(usage, tuple):
        body |= {} if usage is None else {"usage": usage}
    else:
        body["usage"] = {
            "input_tokens": usage[0] - usage[1],
            "cache_read_input_tokens": usage[1],
            "cache_creation_input_tokens": 0,
            "output_tokens": usage[2],
        }
    body |= answer.extra
    return json.dumps(body).encode()


def _plain(content: Any) -> str:
    if isinstance(content, list):
        return "".join(
            str(block.get("text") or block.get("content") or "") for block in content if isinstance(block, dict)
        )
    return content if isinstance(content, str) else ""


def later(answer: Any, seconds: float) -> Answer:
    """The same answer after so many seconds."""
    given = Answer(text=answer) if isinstance(answer, str) else answer
    return replace(given, delay=seconds)
