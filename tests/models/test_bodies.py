"""However much a server sends, and however it is packed, little of it is held."""

import json
import subprocess
import sys

import pytest
from servers.faults import packed, zeros
from servers.scripted import Scripted, endless, raw

CALLER = """
import asyncio, json, resource, sys
from redwell.models.connect import connect
from redwell.models.types import CallFailed, Message, Request

async def main():
    model = connect(sys.argv[1], environment={})
    async def one(number):
        try:
            await model.complete(Request((Message("user", f"question {number}"),), max_output_tokens=8192, seconds=60))
            return "answered"
        except CallFailed as failure:
            return failure.kind
    first = await one(0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    kinds = [first, *await asyncio.gather(*(one(number) for number in range(1, 9)))]
    await model.close()
    print(json.dumps([sorted(set(kinds)), (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10]))

asyncio.run(main())
"""

HUGE = {
    "without end": (endless(b"0" * 65_536), "malformed"),
    "without end, an error": (endless(b"0" * 65_536, 500), "server"),
    "a bomb": (packed(zeros(128)), "malformed"),
    "a bomb in a bomb": (packed(zeros(128), 2), "malformed"),
    "too long": (raw(b'{"choices": "' + b"a" * (60 << 20) + b'"}'), "malformed"),
}


@pytest.mark.parametrize(("answer", "kind"), HUGE.values(), ids=HUGE.keys())
def test_huge_answers_take_little_memory_and_end(answer: object, kind: str) -> None:
    with Scripted(lambda received: answer) as server:
        done = subprocess.run(
            [sys.executable, "-c", CALLER, f"openai:x@{server.url}"],
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        assert server.endless_bytes < 9 * (64 << 20)
    kinds, mebibytes = json.loads(done.stdout)
    assert kinds == [kind]
    assert mebibytes < 9 * 2 * 6, "each held twice at the moment when it is put together"
