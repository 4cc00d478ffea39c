"""Where a long text is cut. Standard library only: sandbox and host cut in the same places."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence

__all__: list[str] = []


def cuts(
    start: int, end: int, limit: int, starts: Sequence[int], read: Callable[[int, int], str]
) -> Iterator[tuple[int, int]]:
    """The stretch in pieces of at most `limit` characters: cut where a unit begins (`starts`, in order), else after a line or a word,
    else anywhere. `read` gives the text of a piece."""
    while start < end:
        stop = start + limit
        if stop >= end:
            stop = end
        else:
            index = bisect_right(starts, stop) - 1
            if index >= 0 and starts[index] > start:
                stop = starts[index]
            else:
                text = read(start, stop)
                half = len(text) // 2
                broken = text.rfind("\n", half)
                if broken < 0:
                    broken = text.rfind(" ", half)
                stop = start + broken + 1 if broken > 0 else stop
        yield start, stop
        start = stop
