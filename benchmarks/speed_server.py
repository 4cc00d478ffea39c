"""A server that answers every chat completion with the same text after so many seconds, and does as little else as it can.

    python benchmarks/speed_server.py 0.05 '{"findings": []}'

Prints its port; ends with its standard input.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys

LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)


def reply(text: str) -> bytes:
    body = json.dumps(
        {
            "id": "one",
            "model": "fake",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": 16_000, "completion_tokens": 10},
        }
    ).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body


async def serve(seconds: float, text: str) -> None:
    answer = reply(text)

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = LENGTH.search(head)
                await reader.readexactly(int(length[1]) if length else 0)
                await asyncio.sleep(seconds)
                writer.write(answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(accept, "127.0.0.1", 0, limit=1 << 20)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    os._exit(0)  # connections that wait for another request are nobody's concern


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1]), sys.argv[2]))
