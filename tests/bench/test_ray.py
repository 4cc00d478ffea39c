"""Cells on a real Ray cluster of two machines (two raylets beside the head's): one is lost in the middle of a cell, which goes on on the other
from its journal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bench.task_trees import lease_task, write_task
from endurance.chaos_runs import make_matter, script
from endurance.chaos_watch import committed, family
from servers.scripted import Answer, Received, Scripted

from redwell.bench.matrix import make_matrix
from redwell.bench.running import begin, lines_of, run_cells

MEMORY = 78_643_200  # the least that Ray takes for its store of objects
pytestmark = [pytest.mark.xdist_group("ray"), pytest.mark.slow]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """The head, which runs no cells, and two machines with a place for one cell each."""
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DISABLE_IMPORT_WARNING": "1"}
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    made = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 0, "object_store_memory": MEMORY, "include_dashboard": False},
    )
    made.machines = [made.add_node(num_cpus=1, object_store_memory=MEMORY) for _ in range(2)]
    before = os.environ.get("RAY_ADDRESS")
    os.environ["RAY_ADDRESS"] = made.address
    try:
        yield made
    finally:
        os.environ.pop("RAY_ADDRESS") if before is None else os.environ.update(RAY_ADDRESS=before)
        made.shutdown()


def lose(cluster: Any, machine: Any) -> None:
    """What a machine that is switched off takes along: the raylet and all that it had started, at once."""
    raylet = machine.all_processes["raylet"][0].process.pid
    for pid in (*family(raylet), raylet):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    cluster.remove_node(machine, allow_graceful=False)


def test_a_cell_whose_machine_is_lost_goes_on_elsewhere_from_its_journal(cluster: Any, tmp_path: Path) -> None:
    from redwell.bench.cluster import Cluster

    make_matter(write_task(tmp_path / "tree" / "leases") / "documents")
    lost = threading.Event()

    async def slow_once(received: Received) -> Answer:
        """The third answer of the sub-agents waits until a machine has been lost."""
        answer = script(received)
        if received.model == "sub" and sum(r.model == "sub" for r in server.requests) > 2:
            await asyncio.to_thread(lost.wait, 60)
        return answer

    with Scripted(slow_once) as server:
        models = {"roots": [f"openai:root@{server.url}"], "subs": [f"openai:sub@{server.url}"]}
        data = {
            "tasks": ["tree"],
            "harnesses": ["rlm"],
            "repeats": 2,
            "concurrency": 2,
            "executor": "ray",
            "ocr": "off",
        }
        matrix, out = make_matrix(data | models, tmp_path, "m"), tmp_path / "out"
        out.mkdir()
        begin(matrix, out)
        lines = lines_of(matrix, out)
        kept: set[str] = set()

        async def main() -> bool:
            executor = Cluster()
            work = asyncio.ensure_future(run_cells(lines, matrix, executor, out=out))
            try:
                # More than the ten of one cell, of which two are answered: both cells have questions out.
                while sum(request.model == "sub" for request in server.requests) < 11:
                    assert not work.done()
                    await asyncio.sleep(0.02)
                for line in lines:
                    kept.update(committed(Path(line.cell.run)))
                await asyncio.to_thread(lose, cluster, cluster.machines[0])
                lost.set()
                return await work
            finally:
                lost.set()
                await executor.close()

        assert asyncio.run(main())
        asked = Counter(request.key for request in server.requests)
    assert [line.state for line in lines] == ["submitted", "submitted"], [line.reason for line in lines]
    assert len(asked) == 2 * 16  # six of the root's and two questions over five leases, for each of the two cells
    assert len(kept) >= 4
    assert {asked[key] for key in kept} == {1}, "an answer that had arrived was asked for again"
    assert max(asked.values()) == 2, "what was out when the machine was lost was sent again under its key"


def test_without_ray_the_way_out_is_told(tmp_path: Path) -> None:
    lease_task(tmp_path / "a")
    (tmp_path / "ray.py").write_text("raise ImportError('no ray here')")
    command = [
        sys.executable,
        "-m",
        "redwell",
        "bench",
        "run",
        str(tmp_path / "a"),
        "--out",
        str(tmp_path / "out"),
        "--executor",
        "ray",
    ]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment)
    assert done.returncode == 2
    assert "ray is not installed: install Redwell with the extra `cluster`, or take the executor local" in done.stderr
    assert "Traceback" not in done.stderr
