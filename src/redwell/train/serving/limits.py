"""How much of an engine's context is left for an answer."""

from __future__ import annotations

from redwell.train.types import TrainingError


class PromptTooLong(TrainingError):
    """A prompt that leaves no room for an answer. Nothing is wrong with the engine."""


def room_for(prompt: int, most: int, context: int) -> int:
    """Tokens that may be sampled after a prompt of so many, at most `most`. Raises PromptTooLong without room for one."""
    if prompt >= context:
        raise PromptTooLong(f"the prompt has {prompt} tokens and the policy's context length is {context}")
    return max(1, min(most, context - prompt))
