"""Cells on a Ray cluster (extra `cluster`): the runs go to a folder that all its machines share, a cell whose machine is lost is gone on with
elsewhere from its journal.

The cluster is the one that Ray finds (RAY_ADDRESS, or one that was started on this machine); without one, Ray starts here. Every machine needs
Redwell, the keys of the models in its environment, and OUT under the same path.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
from dataclasses import asdict
from typing import Any

from redwell.bench.cell import Cell, CellResult, Tell
from redwell.bench.matrix import MatrixError

MOST_MOVES = 5
"""How often a cell is begun on another machine because its own was lost."""


class Cluster:
    """An executor over Ray. Raises MatrixError when Ray is not installed or its cluster cannot be reached."""

    def __init__(self) -> None:
        # Told before Ray is imported: nothing is reported to its makers, and no dashboard is served.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        try:
            import ray
        except ImportError:
            raise MatrixError(
                "executor: ray is not installed: install Redwell with the extra `cluster`, or take the executor local"
            ) from None
        self._ray = ray
        self._ours = not ray.is_initialized()
        if self._ours:
            try:
                ray.init(
                    include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR, configure_logging=False
                )
            except (ConnectionError, OSError, RuntimeError, ValueError) as error:
                raise MatrixError(
                    f"executor: the Ray cluster cannot be reached: {str(error).splitlines()[0][:300]}; start one with "
                    "`ray start --head`, or take the executor local"
                ) from None
        self._remote = ray.remote(max_retries=MOST_MOVES, num_cpus=1)(_on_a_machine)

    async def carry_out(self, cell: Cell, tell: Tell) -> CellResult:
        """See `executors.Executor`."""
        task = self._remote.options(name=cell.name[:200]).remote(json.dumps(asdict(cell)))
        try:
            told: dict[str, Any] = json.loads(await task)
        except asyncio.CancelledError:
            self._ray.cancel(task)
            with contextlib.suppress(Exception):
                left: asyncio.Future[Any] = asyncio.wrap_future(task.future())
                return CellResult(**json.loads(await left))
            return CellResult("interrupted", "the run was interrupted")
        except self._ray.exceptions.RayError as error:
            said = str(error).strip().splitlines()
            return CellResult("failed", f"Ray gave the cell up: {said[0][:300] if said else type(error).__name__}")
        return CellResult(**told)

    async def close(self) -> None:
        if self._ours:
            await asyncio.to_thread(self._ray.shutdown)


def _on_a_machine(cell: str) -> str:
    """Carries a cell out on the machine that Ray chose, in a process of its own; takes and gives JSON."""
    from redwell.bench.executors import Local

    given = Cell(**json.loads(cell))

    async def main() -> CellResult:
        return await Local().carry_out(given, lambda kind, figures: None)

    return json.dumps(asdict(asyncio.run(main())))
