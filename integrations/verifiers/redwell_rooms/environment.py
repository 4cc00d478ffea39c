"""One agent in one room. Its process runs on this machine unless the config says otherwise: the rooms are here, and the sandbox is Redwell's."""

from __future__ import annotations

import verifiers.v1 as vf
from verifiers.v1.runtimes import SubprocessConfig


class RoomsEnvConfig(vf.EnvConfig):
    agent: vf.AgentConfig = vf.AgentConfig(runtime=SubprocessConfig())


class RoomsEnv(vf.Env[RoomsEnvConfig]):
    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        await agents.agent.run(task)
