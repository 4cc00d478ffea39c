"""Texts and lists that print themselves readably however long they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, SupportsIndex, TypeVar, overload

__all__: list[str] = []

T = TypeVar("T")
HEAD, TAIL, WIDTH = 30, 5, 260


class Text(str):
    """A string whose repr is itself, so that a trailing expression shows it as printed."""

    def __repr__(self) -> str:
        return str(self)


class Listing(list[T]):
    """A list that prints its length, its first items and its last ones, and of which kinds there are how many when that is not all of
    them; slices of it do the same. `note`, where there is one, is printed after them."""

    noun = "items"
    note = ""

    @overload
    def __getitem__(self, index: SupportsIndex) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Listing[T]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> T | Listing[T]:
        if isinstance(index, slice):
            return named(self.noun, list.__getitem__(self, index))
        return list.__getitem__(self, index)

    def __repr__(self) -> str:
        count = len(self)
        if not count:
            return f"no {self.noun}" + (f" ({self.note})" if self.note else "")
        shown = list(range(count)) if count <= HEAD + TAIL else [*range(HEAD), *range(count - TAIL, count)]
        width = len(str(count - 1))
        kinds = "" if len(shown) == count else kinds_of(self)
        lines = [f"{count:,} {self.noun if count != 1 else singular(self.noun)}{kinds}:"]
        for place, index in enumerate(shown):
            if place and index != shown[place - 1] + 1:
                lines.append(f"  ... {count - HEAD - TAIL:,} more, such as [{HEAD}:{min(count - TAIL, HEAD + HEAD)}]")
            lines.append(f"  [{index:>{width}}] {short(list.__getitem__(self, index))}")
        if self.note:
            lines.append(f"  ({self.note})")
        return "\n".join(lines)

    __str__ = __repr__


def named(noun: str, items: Iterable[T]) -> Listing[T]:
    """A Listing of `items` that calls them `noun`."""
    found: Listing[T] = Listing(items)
    found.noun = noun
    return found


def kinds_of(items: Iterable[Any], most: int = 40) -> str:
    kinds = Counter(kind for each in items if isinstance(kind := getattr(each, "kind", None), str))
    return " (" + ", ".join(f"{kind} {count:,}" for kind, count in kinds.most_common(most)) + ")" if kinds else ""


def singular(noun: str) -> str:
    first, _, rest = noun.partition(" ")
    one = first.removesuffix("es") if first.endswith("ches") else first.removesuffix("s")
    return f"{one} {rest}".strip()


def short(value: Any, width: int = WIDTH) -> str:
    """One line of a value's repr, or of its `brief` form where it has one, with its end cut off."""
    brief = getattr(value, "brief", None)
    text = " ".join((brief() if callable(brief) else repr(value)).split())
    return text if len(text) <= width else text[: width - 3] + "..."


def excerpt(text: str, width: int = 120) -> str:
    """One line of a text, its middle left out when it is long."""
    line = " ".join(text.split())
    if len(line) <= width:
        return line
    half = (width - 5) // 2
    return f"{line[:half]} ... {line[-half:]}"
