"""Whether a Tinker server adds up the losses that it is given, as Tinker's API has it, or divides them by something of its own.

Of the servers that speak the API not all do: SkyRL's JAX backend divides each sequence's loss by the sum of its weights, so that a loss and half
of it have the same gradient. Any loss that is sent as weights then loses its scale, its advantages and its denominators.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from typing import Any

from redwell.train.tinker_wire import wire_datum
from redwell.train.types import TrainingError

IDS = (3, 14, 15, 9, 26, 5, 3, 8)
"""Tokens that every vocabulary has; what they mean is of no interest."""
TOLERANCE = 0.05
"""Gradients are often summed in bfloat16."""

Measure = Callable[[list[dict[str, Any]]], Awaitable[float]]


def _same(weight: float, times: int = 1) -> list[dict[str, Any]]:
    return [wire_datum(IDS, weights=[weight] * len(IDS))] * times


async def check_scale(address: str, measure: Measure) -> None:
    """`measure` gives the norm of the gradient of a cross-entropy over data. Raises TrainingError when the norm of half the loss is not half, that
    of the same sequence twice not twice, or that of the loss with the other sign not the same."""
    whole = await measure(_same(1.0))
    if not (math.isfinite(whole) and whole > 0):
        raise TrainingError(
            f"{address}: the gradient of a loss that is none of 0 has the norm {whole}; this server does not train"
        )
    for what, sent, wanted in (
        ("half of a loss", _same(0.5), 0.5),
        ("the loss of a sequence that is there twice", _same(1.0, 2), 2.0),
        ("a loss with its sign turned", _same(-1.0), 1.0),
    ):
        found = await measure(sent) / whole
        if not abs(found - wanted) <= TOLERANCE * wanted:
            raise TrainingError(
                f"{address}: this server scales losses wrongly, and cannot be trained on: {what} has {found:.3g} times the gradient of the loss, "
                f"where it must be {wanted:g} times (some servers divide by the weights' sum or the number of sequences); use one that adds up what it "
                "is given, such as SkyRL's with FSDP or Megatron"
            )
