"""The worker processes of the embedded reader end with the process that they work for."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from endurance.measure import descendants

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


def _living(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_a_host_that_is_killed(end: signal.Signals) -> None:
    host = subprocess.Popen([sys.executable, "-c", HOST], stdout=subprocess.PIPE)
    assert host.stdout is not None
    assert host.stdout.readline() == b"read\n"
    workers = descendants(host.pid)
    assert len(workers) >= 2  # the one that starts them, and one that has read
    os.kill(host.pid, end)
    host.wait()
    host.stdout.close()
    deadline = time.monotonic() + 20
    while (left := set(filter(_living, workers))) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert left == set()


def test_workers_are_reached_where_the_folder_for_temporary_files_has_a_long_name(tmp_path: Path) -> None:
    """A job of a cluster often has such a folder; an address of a socket has at most 107 bytes."""
    long = tmp_path / ("long" * 25)
    long.mkdir()
    host = subprocess.Popen(
        [sys.executable, "-c", HOST], stdout=subprocess.PIPE, env=os.environ | {"TMPDIR": str(long)}
    )
    assert host.stdout is not None
    assert host.stdout.readline() == b"read\n"
    host.kill()
    host.wait()
    host.stdout.close()
