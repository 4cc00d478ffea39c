"""The console that everything is printed on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def plain_console() -> Console:
    """A console on standard output that prints text as it stands, in tables too: rich would take `[local]` for a style and `:key:` for a
    picture, and paths, names of models and what documents say may hold both. What shall have a style is given as a rich `Text`."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)
