"""From a run's journal to what is trained on: the root's calls as they were sampled, stitched into sequences by their token ids alone.

Nothing is tokenised again: a text that is turned into tokens a second time may come out as others than those that were sampled.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

from redwell.journal.journal import Event, Journal
from redwell.train.types import Segment, TrainingError, Turn

_KEPT = {"call.completed": "completion", "call.failed": "sampled"}
"""The blob in which an event holds what was sampled; of a failed call it is there when the answer was of no use and its ids were asked for."""


def turns(journal: Journal) -> list[Turn]:
    """The root's calls of a run in the order in which they were answered, empty, cut and unreadable answers too; those of sub-agents never.

    A server that does not say which policy sampled a token leaves -1 for its version. Raises TrainingError when a call of the root was
    answered without token ids, the ids of its prompt or log-probabilities: such a run cannot be trained on.
    """
    found = []
    for event in journal.events(tuple(_KEPT)):
        if event.agent == "root" and event.data["role"] == "root" and (kept := event.blobs.get(_KEPT[event.kind])):
            found.append(_turn(event, json.loads(journal.text(kept)), journal))
    return found


def _turn(event: Event, body: dict[str, Any], journal: Journal) -> Turn:
    ids, logprobs, prompt = (body.get(name) or () for name in ("token_ids", "logprobs", "prompt_ids"))
    versions = body.get("versions") or [-1] * len(ids)
    missing = [
        name
        for name, value in (("token ids", ids), ("prompt ids", prompt), ("log-probabilities", logprobs))
        if not value
    ]
    if missing:
        raise TrainingError(
            f"{journal.folder}: the call {event.data['call']} was answered without {' and '.join(missing)}, so the run cannot be trained on: "
            "serve the policy through `redwell train`, or with vLLM, and play with capture = true"
        )
    if not len(ids) == len(logprobs) == len(versions) or not all(map(math.isfinite, logprobs)):
        raise TrainingError(
            f"{journal.folder}: the call {event.data['call']} has {len(ids)} token ids, {len(logprobs)} log-probabilities and {len(versions)} "
            "versions, or one that is no number: the server that samples is at fault"
        )
    return Turn(event.data["call"], tuple(prompt), tuple(ids), tuple(logprobs), tuple(versions), body["finish"])


def segments(turns: Iterable[Turn]) -> list[Segment]:
    """The turns as sequences. A turn goes on with a sequence when its prompt begins with all tokens of it so far: what stands between (the
    template's marks, what the cells printed) is not trained on. Where history was rewritten, by a compaction or a template that strips
    thoughts, a new sequence begins with the whole prompt. Every sampled token stands in exactly one of them, once."""
    found: list[_Growing] = []
    for number, turn in enumerate(turns):
        if not found or turn.prompt_ids[: len(found[-1].ids)] != tuple(found[-1].ids):
            found.append(_Growing())
        found[-1].add(number, turn)
    return [one.segment() for one in found]


class _Growing:
    def __init__(self) -> None:
        self.ids: list[int] = []
        self.trained: list[bool] = []
        self.logprobs: list[float] = []
        self.versions: list[int] = []
        self.turns: list[int] = []

    def add(self, number: int, turn: Turn) -> None:
        given = turn.prompt_ids[len(self.ids) :]
        self.ids += [*given, *turn.ids]
        self.trained += [False] * len(given) + [True] * len(turn.ids)
        self.logprobs += [*[0.0] * len(given), *turn.logprobs]
        self.versions += [*[-1] * len(given), *turn.versions]
        self.turns += [-1] * len(given) + [number] * len(turn.ids)

    def segment(self) -> Segment:
        return Segment(
            tuple(self.ids), tuple(self.trained), tuple(self.logprobs), tuple(self.versions), tuple(self.turns)
        )
