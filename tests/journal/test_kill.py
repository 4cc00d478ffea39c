"""A process that is killed with SIGKILL in the middle of appending has lost nothing that was acknowledged to it."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from redwell.journal.journal import Journal

WRITER = """
import asyncio, os, sys
from pathlib import Path
from redwell.journal.journal import Journal

folder = Path(sys.argv[1])
journal = Journal.open(folder) if (folder / "run.json").exists() else Journal.create(folder, {})
start = journal.last

async def one(n):
    event = await journal.append_async("note", data={"n": n}, text=f"text {n} " * 40)
    os.write(1, f"{event.sequence} {n}\\n".encode())

async def main():
    n = start
    while True:
        await asyncio.gather(*(one(n + i) for i in range(20)))
        n += 20
        event = journal.append("note", data={"n": n}, text=f"text {n} " * 40)
        os.write(1, f"{event.sequence} {n}\\n".encode())
        n += 1

asyncio.run(main())
"""


@pytest.mark.parametrize("seed", range(6))
def test_everything_acknowledged_is_there_after_kill_9(tmp_path: Path, seed: int) -> None:
    random.seed(seed)
    acknowledged: dict[int, int] = {}
    for _ in range(2):  # killed, gone on with, and killed again
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path / "run")], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        for _ in range(random.randint(1, 400)):
            sequence, number = writer.stdout.readline().split()
            acknowledged[int(sequence)] = int(number)
        os.kill(writer.pid, signal.SIGKILL)
        rest, _ = writer.communicate()
        for line in rest.decode().splitlines(keepends=True):
            if line.endswith("\n"):
                acknowledged[int(line.split()[0])] = int(line.split()[1])
    with Journal.open(tmp_path / "run") as journal:
        kept = {event.sequence: event for event in journal.events()}
        assert list(kept) == list(range(1, len(kept) + 1))
        assert set(acknowledged) <= set(kept)
        for sequence, number in acknowledged.items():
            assert kept[sequence].data == {"n": number}
            assert journal.text(kept[sequence].blobs["text"]) == f"text {number} " * 40
