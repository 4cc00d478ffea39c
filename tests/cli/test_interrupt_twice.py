"""The first Ctrl-C stops in order and says so; the second ends the process at once, whatever it is doing."""

from __future__ import annotations

import signal
import subprocess
import sys

# A run that, once stopped, takes a minute over its report, and does so without giving the event loop a turn.
SLOW = """
import asyncio, time
from redwell.cli.interrupt import stop_on_signals

async def run():
    try:
        print("begun", flush=True)
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        print("writing", flush=True)
        time.sleep({seconds})
        print("written", flush=True)

async def main():
    task = asyncio.ensure_future(run())
    stop_on_signals(task)
    await task

asyncio.run(main())
"""


def start(seconds: float) -> subprocess.Popen[str]:
    code = SLOW.format(seconds=seconds)
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", code], stdout=pipe, stderr=pipe, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "writing\n"
    return process


def test_the_first_stops_in_order_and_says_so() -> None:
    output, errors = (process := start(0)).communicate(timeout=30)
    assert (process.returncode, output) == (0, "written\n")
    assert "stopping; what was found is kept" in errors


def test_the_second_ends_the_process_at_once() -> None:
    process = start(600)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=30)
    assert (process.returncode, output) == (130, "")
    assert "Traceback" not in errors
