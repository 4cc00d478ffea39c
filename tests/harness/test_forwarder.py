"""The one way out of a coding agent's walls leads to its model's server alone."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from pathlib import Path

import pytest

from redwell.harness.forwarder import Forwarder
from redwell.harness.transcript import Transcript
from redwell.models.types import Usage
from tests.servers.scripted import Scripted, say

BODY = b'{"model": "any", "messages": [{"role": "user", "content": "hello"}]}'


def exchange(folder: Path, server: str, sent: bytes) -> tuple[bytes, Counter[str]]:
    """What comes back for these bytes over the socket file."""

    async def go() -> tuple[bytes, Counter[str]]:
        async with Forwarder(folder / "socket", server) as forwarder:
            reader, writer = await asyncio.open_unix_connection(folder / "socket")
            writer.write(sent)
            answer = b""
            while data := await asyncio.wait_for(reader.read(65_536), 10):
                answer += data
                if b"the answer" in answer:
                    break
            writer.close()
        return answer, forwarder.refused

    return asyncio.run(go())


def post(target: str, host: str) -> bytes:
    head = (
        f"POST {target} HTTP/1.1\r\nHost: {host}\r\nProxy-Connection: keep-alive\r\nContent-Length: {len(BODY)}\r\n\r\n"
    )
    return head.encode() + BODY


def test_a_request_for_the_server_is_passed_on_with_its_path(tmp_path: Path) -> None:
    with Scripted([say("the answer")]) as server:
        host = server.url.removeprefix("http://").partition("/")[0]
        answer, refused = exchange(tmp_path, host, post(f"{server.url}/chat/completions", host))
        assert b"the answer" in answer
        assert [request.path for request in server.requests] == ["/v1/chat/completions"]
        assert "proxy-connection" not in server.requests[0].headers
        assert not refused


def test_a_folder_with_a_long_name_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The address of a socket has at most 107 bytes; the folder of a run among a matrix's has more."""
    long = tmp_path / ("long" * 25)
    long.mkdir()
    monkeypatch.chdir(long)

    async def go() -> bytes:
        async with Forwarder(long / "socket", "127.0.0.1:9"):
            reader, writer = await asyncio.open_unix_connection("socket")
            writer.write(b"nonsense\r\n\r\n")
            answer = await asyncio.wait_for(reader.read(65_536), 10)
            writer.close()
            return answer

    assert asyncio.run(go()).startswith(b"HTTP/1.1 400")
    assert list(long.iterdir()) == []


def test_a_tunnel_to_the_server_is_opened_and_to_no_other(tmp_path: Path) -> None:
    with Scripted([say("the answer")]) as server, socket.create_server(("127.0.0.1", 0)) as other:
        host = server.url.removeprefix("http://").partition("/")[0]
        opened = f"CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
        answer, _ = exchange(tmp_path, host, opened + post("/v1/chat/completions", host))
        assert answer.startswith(b"HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200")
        port = other.getsockname()[1]
        for target in (f"127.0.0.1:{port}", f"localhost:{host.rpartition(':')[2]}", "example.com:443", "nonsense"):
            answer, refused = exchange(tmp_path, host, f"CONNECT {target} HTTP/1.1\r\n\r\n".encode())
            assert answer.startswith(b"HTTP/1.1 403")
            assert refused.total() == 1
        other.settimeout(0.0)
        with pytest.raises(BlockingIOError):
            other.accept()


@pytest.mark.parametrize(
    "sent", [b"GET / HTTP/1.1\r\n\r\n", b"POST http://example.com/ HTTP/1.1\r\n\r\n", b"\x16\x03\x01 hello\r\n\r\n"]
)
def test_what_is_no_request_for_the_server_is_refused(sent: bytes, tmp_path: Path) -> None:
    answer, _ = exchange(tmp_path, "127.0.0.1:9", sent)
    assert answer.startswith((b"HTTP/1.1 403", b"HTTP/1.1 400"))


@pytest.mark.parametrize("server", ["", "api.example.com", ":443", "api.example.com:0", "api.example.com:https"])
def test_a_server_is_named_by_host_and_port(server: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is not host:port"):
        Forwarder(tmp_path / "socket", server)


def taken(*lines: str) -> Transcript:
    transcript = Transcript({"documents/a b/lease.docx", "documents/note.txt"})
    for line in lines:
        transcript.take(line)
    return transcript


def test_usage_and_reads_are_taken_from_lines_of_messages() -> None:
    found = taken(
        '{"type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"I read it."}],"usage":{"input_tokens":5,"cache_read_input_tokens":90,"cache_creation_input_tokens":5,"output_tokens":2}}}',
        '{"type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","input":{"file_path":"/workspace/documents/a b/lease.docx"}}],"usage":{"input_tokens":5,"cache_read_input_tokens":90,"cache_creation_input_tokens":5,"output_tokens":7}}}',
        '{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"documents/note.txt is only named here"}]}}',
    )
    assert found.usage == Usage(100, 90, 7, 5), "a message counts once, with its last figures"
    assert list(found.opened) == ["documents/a b/lease.docx"]
    assert found.said == "I read it."
    summed = taken('{"type":"result","result":"Done.","usage":{"input_tokens":1,"output_tokens":2}}')
    assert (summed.usage, summed.said) == (Usage(1, 0, 2), "Done.")


def test_usage_and_reads_are_taken_from_lines_of_turns() -> None:
    found = taken(
        '{"type":"item.completed","item":{"type":"command_execution","command":"cat documents/note.txt","aggregated_output":"NOTE"}}',
        '{"type":"item.completed","item":{"type":"agent_message","text":"All read."}}',
        '{"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":60,"output_tokens":10}}',
        '{"type":"turn.completed","usage":{"input_tokens":50,"cached_input_tokens":0,"output_tokens":5}}',
    )
    assert found.usage == Usage(150, 60, 15)
    assert list(found.opened) == ["documents/note.txt"]
    assert found.said == "All read."
    assert "NOTE" in found.texts


@pytest.mark.parametrize(
    "line",
    [
        "plain words",
        "[1, 2]",
        "{",
        "null",
        '{"usage": 7}',
        '{"message": {"usage": {"input_tokens": "x"}}}',
        "[" * 5_000,
    ],
)
def test_lines_of_any_kind_do_no_harm(line: str) -> None:
    found = taken(line, "", '{"text": "the end"}')
    assert found.said == "the end"
