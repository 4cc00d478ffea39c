"""Ctrl-C: the first ends a run in order, the second ends the process at once."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import Any, NoReturn

from redwell.cli.errors import INTERRUPTED


def stop_on_signals(
    task: asyncio.Task[Any] | asyncio.Future[Any], saying: str = "stopping; what was found is kept"
) -> None:
    """From now on SIGINT and SIGTERM cancel the task, and say so on stderr; a second one ends the process with exit code 130."""
    loop = asyncio.get_running_loop()
    both = (signal.SIGINT, signal.SIGTERM)
    stopping = False

    def stop() -> None:
        nonlocal stopping
        if stopping:
            leave()
        stopping = True
        for number in both:
            # Not by way of the loop, which may be busy writing the report.
            loop.remove_signal_handler(number)
            signal.signal(number, leave)
        print(f"redwell: {saying} (once more ends at once)", file=sys.stderr, flush=True)
        task.cancel()

    for number in both:
        loop.add_signal_handler(number, stop)


def leave(*_: object) -> NoReturn:
    """Ends the process now. What the journal has is safe, and sandboxes end with the process that started them."""
    os._exit(INTERRUPTED)
