"""How many of what, in words."""

from __future__ import annotations


def counted(number: int, one: str, several: str = "") -> str:
    """ "1 room", "2,000 rooms"; `several` where it is not the word with an s."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"
