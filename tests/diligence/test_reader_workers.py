"""The worker processes of the embedded reader end with the process that they work for."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

HOST = """
import asyncio, time
from redwell.diligence.reader import INLINE, Reader
from redwell.harness.fence import Slice, fence
from redwell.models.types import Message, Request

async def main():
    reader = Reader(2)
    text = "The supplier shall deliver the goods. " * (INLINE // 30)
    asked = fence([Slice(1, "a", "a.txt", 0, text, len(text))]) + "\\n\\nWhat is in it?"
    await reader.complete(Request((Message("user", asked),)))
    print("read", flush=True)
    time.sleep(600)

asyncio.run(main())
"""


def _parents() -> dict[int, int]:
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[0] != "Z":
                found[int(entry.name)] = int(fields[1])
    return found


def _below(top: int) -> set[int]:
    parents = _parents()
    found = {top}
    while more := {process for process, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {top}


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_a_host_that_is_killed(end: signal.Signals) -> None:
    host = subprocess.Popen([sys.executable, "-c", HOST], stdout=subprocess.PIPE)
    assert host.stdout is not None
    assert host.stdout.readline() == b"read\n"
    workers = _below(host.pid)
    assert len(workers) >= 2  # the one that starts them, and one that has read
    os.kill(host.pid, end)
    host.wait()
    host.stdout.close()
    deadline = time.monotonic() + 20
    while (left := workers & _parents().keys()) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert left == set()
