"""Which failures are tried again, how often, and after how long."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from redwell.models.types import CallFailed, Completion, FailureKind, Model, Request

AGAIN_WITH_SAME_KEY: frozenset[FailureKind] = frozenset({"rate_limited", "timeout", "connection", "server"})
"""The request may not have been served: the same request is sent once more, under the same idempotency key."""

AGAIN_WITH_NEW_KEY: frozenset[FailureKind] = frozenset({"empty", "malformed", "schema", "unfounded"})
"""The request was served, with an answer of no use: a server that keeps answers by key would only repeat it."""

SETTLED: frozenset[FailureKind] = frozenset(
    {"rejected", "context_length", "empty", "truncated", "malformed", "schema", "unfounded"}
)
"""Asking again after a crash would bring the same: such a failure in the journal stands."""

NOT_SERVED: frozenset[FailureKind] = frozenset({"rate_limited", "server", "auth", "rejected", "context_length"})
"""The server refused the request before any token was made, so it costs nothing."""


RETELLINGS = 6
"""How often one call may be put otherwise for a server that does not take the first way of asking."""


@dataclass(frozen=True, slots=True)
class Policy:
    """`attempts` in all for requests that were not served; `useless` more for answers of no use; both within `deadline` seconds, and
    one attempt within `seconds`.

    Waits double from `base` up to `longest` seconds, each shortened at random by up to half, the same under the same `seed`. A model is
    given up when `enough` calls in a row failed, and nothing was answered for `patience` seconds.
    """

    attempts: int = 6
    useless: int = 1
    base: float = 0.5
    longest: float = 30.0
    deadline: float = 900.0
    seconds: float = 300.0
    enough: int = 8
    patience: float = 60.0
    seed: int = 0


async def complete_alone(model: Model, request: Request) -> Completion:
    """A call outside of a run: sent again only while the client learns how to ask. Raises CallFailed."""
    for _ in range(RETELLINGS):
        try:
            return await model.complete(request)
        except CallFailed as failure:
            if not failure.again:
                raise
    return await model.complete(request)


def may_try_again(policy: Policy, kind: FailureKind, transport: int, useless: int) -> bool:
    """`transport` and `useless` count the failures of each class so far, this one included."""
    if kind in AGAIN_WITH_SAME_KEY:
        return transport < policy.attempts
    return kind in AGAIN_WITH_NEW_KEY and useless <= policy.useless


def wait_before(policy: Policy, key: str, failures: int, retry_after: float | None) -> float:
    """Seconds before the next attempt after so many failures; never less than the server asked for."""
    digest = hashlib.sha256(f"{policy.seed}/{key}/{failures}".encode()).digest()
    share = int.from_bytes(digest[:8], "big") / 2**64
    wait = min(policy.longest, policy.base * 2.0 ** (failures - 1)) * (0.5 + share / 2)
    return wait if retry_after is None else max(retry_after, wait)


def key_for(key: str, useless: int) -> str:
    """The idempotency key after so many answers of no use."""
    return key if useless == 0 else f"{key}-{useless}"
