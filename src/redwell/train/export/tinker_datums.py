"""Sequences with their masks, log-probabilities and advantages: one JSON object a line, in the form of Tinker's `Datum`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from redwell.train.tinker_wire import wire_datum
from redwell.train.types import Datum, Rollout

META = "redwell"


def data_of(rollout: Rollout, advantage: float, number: int) -> list[Datum]:
    """The segments of a rollout, the `number`-th of its step, as data. Its advantage is on each, and its denominator is that of the whole rollout."""
    return [
        Datum(one.ids, one.trained, one.logprobs, advantage, number, rollout.trained_tokens)
        for one in rollout.segments
        if any(one.trained)
    ]


def datum_line(datum: Datum, rollout: Rollout) -> dict[str, Any]:
    """A datum as a line. Each stream has a value for each target token, which are all tokens but the first: `weights` is 1 where the root sampled it, else 0,
    and `advantages` is 0 there. Advantages are not divided by anything: `redwell.tokens` is what a mean over the whole rollout divides by."""
    weights = [1.0 if trained else 0.0 for trained in datum.trained]
    advantages = [datum.advantage if trained else 0.0 for trained in datum.trained]
    line = wire_datum(datum.ids, weights=weights, logprobs=datum.sampled, advantages=advantages)
    about = {
        "rollout": rollout.id,
        "task": rollout.task,
        "number": datum.rollout,
        "tokens": datum.tokens,
        "reward": rollout.reward,
        "advantage": datum.advantage,
    }
    return {**line, META: about}


def datum_of(line: Mapping[str, Any]) -> Datum:
    """The datum that `datum_line` wrote. The first token of a sequence, which nothing predicts, is never trained."""

    def values(name: str) -> Sequence[Any]:
        return list(line["loss_fn_inputs"][name]["data"])

    first = line["model_input"]["chunks"][0]["tokens"][0]
    trained = (False, *(weight != 0 for weight in values("weights")))
    about = line[META]
    return Datum(
        (first, *values("target_tokens")),
        trained,
        (0.0, *values("logprobs")),
        float(about["advantage"]),
        about["number"],
        about["tokens"],
    )
