"""From messages to tokens by the model's own chat template, and from one turn on to the next without tokenizing anything twice.

What a message contains never becomes a token of the template's: a document that spells `<|im_end|>` is read as those letters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from redwell.train.serving.vocabulary import Vocabulary, read_vocabulary, without_added
from redwell.train.types import TrainingError

Messages = Sequence[Mapping[str, Any]]

_GUARDS = "\ue0f3\ue0f4\ue0f5\U000f1a55\U0010fe37"
"""Characters without a meaning; one that no message contains is set into spelled-out tokens while the template is applied."""


class Renderer:
    """Turns messages into ids and ids into text. `stop_ids` are the ids that end a turn."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._words = vocabulary
        # Longest first: of two that begin alike, the longer is meant.
        names = sorted(vocabulary.added, key=len, reverse=True)
        self._added = re.compile("|".join(map(re.escape, names)) or r"(?!)")
        self._template = _compile(vocabulary.template)
        self.stop_ids = tuple(dict.fromkeys((*self._turn_end(), *vocabulary.ends)))
        if not self.stop_ids:
            raise TrainingError("the model names no token that ends a turn: its answers would never end")

    @classmethod
    def of(cls, path: Path) -> Renderer:
        """From a GGUF file or the folder of a model. Raises TrainingError."""
        return cls(read_vocabulary(path))

    @classmethod
    def made_of(cls, tokenizer: Any, template: str, **names: str) -> Renderer:
        """From a `tokenizers.Tokenizer`, a chat template and its variables (`bos_token=...`)."""
        added = {str(token.content): int(identity) for identity, token in tokenizer.get_added_tokens_decoder().items()}
        ends = [
            identity for name in ("eos_token",) if (identity := tokenizer.token_to_id(names.get(name, ""))) is not None
        ]
        return cls(Vocabulary(without_added(tokenizer), tokenizer, added, template, names, tuple(ends)))

    def render(self, messages: Messages, tools: Sequence[Mapping[str, Any]] = ()) -> list[int]:
        """The ids after which the next answer is sampled. Raises TrainingError for what the template refuses."""
        guard = _guard(messages, tools)
        return self._encode(self._text(messages, tools, guard, answer=True), guard)

    def continuation(
        self,
        before: Messages,
        answer_ids: Sequence[int],
        after: Messages,
        tools: Sequence[Mapping[str, Any]] = (),
    ) -> list[int] | None:
        """The ids that follow `answer_ids`, which were sampled after `before`, when `after` was said next; up to where the next answer begins.

        None where the template would not write the conversation so far as it was (it strips thinking, say): it must then be rendered anew.
        An answer that was cut gets the end of its turn, which is a token of the template's.
        """
        text = self.decode(answer_ids)
        answer = {"role": "assistant", "content": text}
        guard = _guard([*before, answer, *after], tools)
        start = self._text(before, tools, guard, answer=True)
        whole = self._text([*before, answer, *after], tools, guard, answer=True)
        if not whole.startswith(start):
            return None
        rest = whole[len(start) :]
        said = self._spelled(text, guard)
        for form in (said, said.strip()):  # a template that only trims has rewritten nothing that was meant
            if rest.startswith(form):
                ids = self._encode(rest[len(form) :], guard)
                # The token that ended the turn is there already, as it was sampled.
                return ids[1:] if answer_ids and ids[:1] == [answer_ids[-1]] and ids[0] in self.stop_ids else ids
        return None

    def encode(self, text: str) -> list[int]:
        """The ids of a text that nobody sampled (a demonstration); no word of it becomes a token of the template's."""
        return self._plain(text, "")

    def decode(self, ids: Sequence[int]) -> str:
        """The text of an answer, without the token that ended it. Tokens of the template's that were sampled are spelled out."""
        said = ids[:-1] if ids and ids[-1] in self.stop_ids else ids
        return str(self._words.whole.decode(list(said), skip_special_tokens=False))

    def _turn_end(self) -> list[int]:
        """The token that the template sets after an answer."""
        mark = "the answer"
        text = self._text(
            [{"role": "user", "content": "a"}, {"role": "assistant", "content": mark}], (), "", answer=False
        )
        _, found, rest = text.rpartition(mark)
        match = self._added.match(rest.lstrip()) if found else None
        return [self._words.added[match[0]]] if match else []

    def _text(self, messages: Messages, tools: Sequence[Mapping[str, Any]], guard: str, *, answer: bool) -> str:
        spelled = [{name: self._spelled(value, guard) for name, value in message.items()} for message in messages]
        try:
            return str(
                self._template.render(
                    messages=spelled,
                    tools=[self._spelled(dict(tool), guard) for tool in tools] or None,
                    documents=None,
                    add_generation_prompt=answer,
                    **self._words.names,
                )
            )
        except TrainingError:
            raise
        except Exception as error:  # a template is a program of the model's maker
            raise TrainingError(f"the chat template cannot write these messages: {error}") from None

    def _spelled(self, value: Any, guard: str) -> Any:
        """The same value with the guard set into each text that would pass for an added token."""
        if isinstance(value, str):
            return self._added.sub(lambda found: found[0][0] + guard + found[0][1:], value) if guard else value
        if isinstance(value, Mapping):
            return {self._spelled(name, guard): self._spelled(inner, guard) for name, inner in value.items()}
        return [self._spelled(inner, guard) for inner in value] if isinstance(value, list | tuple) else value

    def _encode(self, text: str, guard: str) -> list[int]:
        """Tokens of the template's by their names, what stands between them by the plain tokenizer."""
        ids: list[int] = []
        at = 0
        for found in self._added.finditer(text):
            ids += self._plain(text[at : found.start()], guard)
            ids.append(self._words.added[found[0]])
            at = found.end()
        return ids + self._plain(text[at:], guard)

    def _plain(self, text: str, guard: str) -> list[int]:
        if not text:
            return []
        text = text.replace(guard, "") if guard else text
        return list(self._words.plain.encode(text, add_special_tokens=False).ids)


def _guard(messages: Messages, tools: Sequence[Mapping[str, Any]]) -> str:
    said = json.dumps([list(map(dict, messages)), list(map(dict, tools))], ensure_ascii=False)
    for character in _GUARDS:
        if character not in said:
            return character
    raise TrainingError("the messages contain every character that could keep their text apart from the template's")


def _compile(source: str) -> Any:
    """The template as transformers compiles it: sandboxed, blocks trimmed, loop controls, JSON with all characters as they are."""
    import jinja2
    from jinja2.ext import loopcontrols
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    def refuse(reason: str) -> None:
        raise TrainingError(f"the chat template refuses these messages: {reason}")

    def as_json(value: Any, **given: Any) -> str:
        return json.dumps(value, **{"ensure_ascii": False, **given})

    room = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])
    room.filters["tojson"] = as_json
    room.globals["raise_exception"] = refuse
    try:
        return room.from_string(source)
    except jinja2.TemplateError as error:
        raise TrainingError(f"the model's chat template cannot be read: {error}") from None
