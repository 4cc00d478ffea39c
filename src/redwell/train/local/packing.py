"""Which data of a step are computed together, and how they lie behind each other in one flat row without padding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from redwell.train.types import Datum, TrainingError


@dataclass(frozen=True, slots=True)
class Pack:
    """One micro-batch. `data` are numbers of the step's data in the order in which they lie, `lengths` how many tokens of each are computed."""

    data: tuple[int, ...]
    lengths: tuple[int, ...]

    @property
    def tokens(self) -> int:
        return sum(self.lengths)

    @property
    def runs(self) -> tuple[tuple[int, int], ...]:
        """(how many, length) of neighbours of the same length: these are one call of the attention."""
        found: list[tuple[int, int]] = []
        for length in self.lengths:
            if found and found[-1][1] == length:
                found[-1] = (found[-1][0] + 1, length)
            else:
                found.append((1, length))
        return tuple(found)


def computed(datum: Datum) -> int:
    """How many of its tokens go through the model: those before its last trained one. 0 when none is trained."""
    return max((number for number, trained in enumerate(datum.trained) if trained), default=0)


def check(data: Sequence[Datum], vocabulary: int, positions: int) -> None:
    """Raises TrainingError for a datum that this model cannot be trained on. `positions`: the most tokens of a sequence."""
    for number, datum in enumerate(data):
        what = f"datum {number} of the step"
        if not len(datum.ids) == len(datum.trained) == len(datum.sampled) == len(datum.old or datum.ids):
            raise TrainingError(f"{what}: ids, trained, sampled and old must have one entry for each token")
        if datum.trained and datum.trained[0]:
            raise TrainingError(f"{what}: its first token is marked as trained, and nothing stands before it")
        if len(datum.ids) > positions:
            raise TrainingError(
                f"{what} has {len(datum.ids):,} tokens, the model has room for {positions:,}: shorten what the root is shown"
            )
        if datum.ids and not (min(datum.ids) >= 0 and max(datum.ids) < vocabulary):
            raise TrainingError(
                f"{what} has a token that is not in the model's vocabulary of {vocabulary:,}: it was sampled from another model"
            )


def packs(data: Sequence[Datum], limit: int) -> list[Pack]:
    """Micro-batches of at most `limit` computed tokens; all data of a rollout are in one, which may for that be longer.

    First-fit decreasing over the rollouts. Data without a trained token are in none. The same data give the same packs.
    """
    rollouts: dict[int, list[int]] = {}
    lengths = [computed(datum) for datum in data]
    for number, datum in enumerate(data):
        if lengths[number]:
            rollouts.setdefault(datum.rollout, []).append(number)
    sizes = {rollout: sum(lengths[number] for number in numbers) for rollout, numbers in rollouts.items()}
    bins: list[list[int]] = []
    room: list[int] = []
    for rollout in sorted(rollouts, key=lambda rollout: (-sizes[rollout], rollout)):
        place = next((place for place, left in enumerate(room) if left >= sizes[rollout]), None)
        if place is None:
            bins.append([])
            room.append(limit)
            place = len(bins) - 1
        bins[place].extend(rollouts[rollout])
        room[place] -= sizes[rollout]
    # Longest first: neighbours of one length share a call of the attention.
    ordered = [sorted(numbers, key=lambda number: (-lengths[number], number)) for numbers in bins]
    return [Pack(tuple(numbers), tuple(lengths[number] for number in numbers)) for numbers in ordered]
