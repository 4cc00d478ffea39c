"""Whether a model still answers: one that has stopped is not asked a thousand times more."""

from __future__ import annotations

import time
from dataclasses import dataclass

from redwell.models.retries import AGAIN_WITH_SAME_KEY, Policy
from redwell.models.types import CallFailed, FailureKind

_ALIVE: frozenset[FailureKind] = frozenset({"empty", "truncated", "schema", "unfounded", "context_length", "rejected"})
"""Failures by which a model shows that it is there."""


@dataclass(slots=True)
class _State:
    failed: int = 0  # calls in a row
    since: float = 0.0  # when the first of them ended
    given_up: CallFailed | None = None


class Health:
    """By model, the calls in a row that failed, after all their attempts, for a reason that is not their own.

    A model is given up for the rest of the process when `policy.enough` calls in a row were refused for what holds for every call
    (its key, its name, its quota), or when so many got no answer for `policy.patience` seconds.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._states: dict[str, _State] = {}

    def answered(self, model: str) -> None:
        """The model has answered."""
        self._states.pop(model, None)

    def failed(self, model: str, failure: CallFailed) -> None:
        """A call that was sent has ended in this failure."""
        if not failure.lasting and failure.kind not in AGAIN_WITH_SAME_KEY:
            if failure.kind in _ALIVE:
                self.answered(model)
            return
        state = self._states.setdefault(model, _State(since=time.monotonic()))
        state.failed += 1
        long_enough = failure.lasting or time.monotonic() - state.since >= self._policy.patience
        if state.given_up is None and state.failed >= self._policy.enough and long_enough:
            state.given_up = failure

    def refusal(self, model: str) -> CallFailed | None:
        """What a call of a model that was given up fails with, unsent; None when it may be sent."""
        state = self._states.get(model)
        if state is None or state.given_up is None:
            return None
        last = state.given_up
        return CallFailed(last.kind, f"not sent: {self._policy.enough} calls in a row had failed: {last.message}")
