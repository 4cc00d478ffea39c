"""The process of one cell: the cell comes as a line of JSON on stdin, what happens goes out as lines of JSON on stdout.

    {"told": "figures", "figures": {...}}   any number of times
    {"result": {...}}                       once, at the end

It ends at once when its stdin does, since whoever started it is gone then; what the journal has is safe. SIGINT ends the run in order.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import traceback
from dataclasses import asdict
from typing import Any, BinaryIO

from redwell.bench.cell import Cell, CellResult, carry_out
from redwell.bench.grading import GradingError
from redwell.bench.key import AnswerKeyError
from redwell.bench.tasks import TaskError
from redwell.bench.verdicts import VerdictError
from redwell.journal.journal import JournalError
from redwell.models.connect import ModelNameError
from redwell.models.local_files import LocalFileError
from redwell.models.prices import PricesError
from redwell.models.types import CallFailed
from redwell.room.room import RoomError
from redwell.sandbox.types import SandboxUnavailable

_PLAIN = (
    *(AnswerKeyError, CallFailed, GradingError, JournalError, LocalFileError, ModelNameError, PricesError),
    *(RoomError, SandboxUnavailable, TaskError, VerdictError),
)
"""Errors whose message is meant for people. Of any other the log has where it came from."""


def main() -> None:
    lines, words = os.fdopen(os.dup(0), "rb"), _Words(os.fdopen(os.dup(1), "wb"))
    # What anything else prints, or waits for, must not mix with what is told here.
    os.dup2(2, 1)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    cell = Cell(**json.loads(lines.readline()))
    threading.Thread(target=_end_with, args=(lines,), daemon=True).start()
    words.say({"result": asdict(asyncio.run(_one(cell, words)))})
    os._exit(0)  # what still runs in threads has nothing to tell


async def _one(cell: Cell, words: _Words) -> CellResult:
    task = asyncio.ensure_future(carry_out(cell, words.tell))
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, task.cancel)
    try:
        return await task
    except asyncio.CancelledError:
        # A run that is called off returns; this was the reading of a room or a judge's work, which go on from any moment.
        words.say({"result": asdict(CellResult("interrupted", "the run was interrupted"))})
        os._exit(0)
    except _PLAIN as error:
        return CellResult("failed", str(error))
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return CellResult("failed", f"{where}{error.strerror or error}")
    except Exception as error:
        traceback.print_exc()
        return CellResult("failed", f"a fault of Redwell's own: {type(error).__name__}: {error}")


def _end_with(lines: BinaryIO) -> None:
    """Waits for the end of stdin, and ends the process with it."""
    lines.read()
    os._exit(1)


class _Words:
    """Lines of JSON; any thread may say one."""

    def __init__(self, out: BinaryIO) -> None:
        self._out, self._lock = out, threading.Lock()

    def say(self, what: dict[str, Any]) -> None:
        with self._lock:
            self._out.write(json.dumps(what, default=str).encode() + b"\n")
            self._out.flush()

    def tell(self, kind: str, figures: dict[str, Any]) -> None:
        self.say({"told": kind, "figures": figures})


if __name__ == "__main__":
    main()
