"""Where cells are carried out: each in a process of its own, so that one that crashes or runs out of memory takes no other along."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from redwell.bench.cell import Cell, CellResult, Tell, result_of

LOG = "process.log"
_LONGEST_LINE = 1 << 20


class Executor(Protocol):
    """Carries out cells, any number at the same time."""

    async def carry_out(self, cell: Cell, tell: Tell) -> CellResult:
        """Never raises for a fault of the cell. Cancelling it ends the cell in order, with the status "interrupted"."""
        ...

    async def close(self) -> None: ...


class Local:
    """Processes on this machine. They end when this process does, however that ends."""

    async def carry_out(self, cell: Cell, tell: Tell) -> CellResult:
        run = Path(cell.run)
        run.mkdir(parents=True, exist_ok=True)
        with (run / LOG).open("wb") as log:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "redwell.bench.process"),
                stdin=asyncio.subprocess.PIPE,  # held open: its end tells the process that this one has ended
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                limit=_LONGEST_LINE,
                start_new_session=True,  # Ctrl-C is for this process alone, which passes it on
            )
        told: list[CellResult] = []
        called_off = False
        work = asyncio.ensure_future(_follow(process, cell, tell, told.append))
        try:
            await asyncio.shield(work)
        except asyncio.CancelledError:
            called_off = True
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGINT)
            await work
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        if (run / LOG).stat().st_size == 0:
            (run / LOG).unlink()
        if told:
            return told[-1]
        return (
            CellResult("interrupted", "the run was interrupted")
            if called_off
            else _without_a_word(run, process.returncode or 0)
        )

    async def close(self) -> None:
        return None


async def _follow(
    process: asyncio.subprocess.Process, cell: Cell, tell: Tell, ended: Callable[[CellResult], None]
) -> None:
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("the process of a cell has no pipes")
    with contextlib.suppress(ConnectionError):
        process.stdin.write(json.dumps(asdict(cell)).encode() + b"\n")
        await process.stdin.drain()
    async for line in process.stdout:
        said: dict[str, Any] = json.loads(line)
        if "result" in said:
            ended(CellResult(**said["result"]))
        else:
            tell(said["told"], said["figures"])
    await process.wait()


def _without_a_word(run: Path, code: int) -> CellResult:
    """The result of a process that ended before it could tell one."""
    written = result_of(run)
    if written is not None and written.finished and code == 0:
        return written
    if code < 0:
        with contextlib.suppress(ValueError):
            return CellResult("failed", f"the process of the cell was ended by {signal.Signals(-code).name}")
    said = (run / LOG).read_text(encoding="utf-8", errors="replace").strip() if (run / LOG).exists() else ""
    last = said.splitlines()[-1] if said else ""
    return CellResult("failed", f"the process of the cell ended with {code}" + (f": {last[:300]}" if last else ""))
