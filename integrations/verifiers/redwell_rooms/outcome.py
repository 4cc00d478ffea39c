"""What a rollout came to, as the harness leaves it in the trace and the task reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel

if TYPE_CHECKING:
    import verifiers.v1 as vf

PLACE = "redwell"
"""Of the outcome in a trace's `info`."""


class Outcome(BaseModel):
    """`reward` is None exactly when the rollout is unscorable; `figures` are the parts of the reward, coverage, calls; `run` is its folder."""

    status: Literal["ok", "truncated", "unscorable"]
    reward: float | None
    why: str
    figures: dict[str, float]
    run: str

    @classmethod
    def of(cls, trace: vf.Trace) -> Outcome:
        """Raises ValueError when another harness has played the task."""
        if PLACE not in trace.info:
            raise ValueError("the rollout was not played by the harness redwell-rooms, which alone can grade it")
        return cls.model_validate(trace.info[PLACE])
