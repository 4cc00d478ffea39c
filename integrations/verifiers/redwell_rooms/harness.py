"""Redwell's own harness as verifiers runs it: a process of its own for each rollout, whose root is behind verifiers' endpoint and whose sub-agents are not."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import verifiers.v1 as vf
from pydantic import Field
from verifiers.v1.runtimes.subprocess import SubprocessRuntime

from redwell_rooms.outcome import PLACE, Outcome
from redwell_rooms.program import Work


class RoomsHarnessConfig(vf.HarnessConfig):
    """`sub` is the sub-agents' model as Redwell names it (`reader` needs no server), `judge` is `facts` or a model. `settings` are those of the rlm
    harness, `caps` those of a rollout's budget, `reward` the weights of its parts. `runs` is where runs are kept."""

    sub: str = "reader"
    judge: str = "facts"
    settings: dict[str, Any] = Field(default_factory=dict)
    caps: dict[str, Any] = Field(default_factory=dict)
    reward: dict[str, float] = Field(default_factory=dict)
    runs: Path = Path("outputs/redwell-runs")


class RoomsHarness(vf.Harness[RoomsHarnessConfig]):
    APPENDS_SYSTEM_PROMPT = False
    EXECUTES_CODE = False  # model-written code runs behind Redwell's own walls, never in the runtime
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """The secret goes to the process on its command line's standard input alone: neither a file nor an environment holds it."""
        if not isinstance(runtime, SubprocessRuntime):
            raise ValueError(
                "redwell-rooms runs on the machine that has the rooms: give --env.agent.runtime.type subprocess; its sandbox is its own"
            )
        folder, tree = getattr(data, "folder", ""), getattr(data, "tree", "")
        if not folder:
            raise ValueError("redwell-rooms plays tasks of the taskset redwell-rooms, and this one has no folder")
        runs = self.config.runs.resolve()
        work = Work(
            folder=folder,
            tree=tree,
            run=str(runs / trace.id),
            stores=str(runs / "stores"),
            model=ctx.model,
            url=endpoint,
            secret=secret,
            sub=self.config.sub,
            judge=self.config.judge,
            settings=self.config.settings,
            caps=self.config.caps,
            reward=self.config.reward,
        )
        process = await runtime.open_process([sys.executable, "-m", "redwell_rooms.program"], self.config.resolved_env)
        try:
            await process.write(work.model_dump_json().encode() + b"\n")
            out = b"".join([piece async for piece in process.stdout])
            said = b"".join([piece async for piece in process.stderr])
            code = await process.wait()
        except BaseException:
            await process.kill()
            raise
        if code == 0:
            trace.info[PLACE] = Outcome.model_validate(json.loads(out)).model_dump()
        return vf.ProgramResult(exit_code=code, stdout="", stderr=said.decode(errors="replace"))
