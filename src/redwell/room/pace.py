"""How a reader that works page by page (OCR) says that it is getting on, so that its time-out counts from there.

`more(seconds)` asks that the current file may take `seconds` from now. It does nothing outside a worker.
"""

from __future__ import annotations

from collections.abc import Callable


def _nothing(seconds: float) -> None:
    return None


_ask: Callable[[float], None] = _nothing


def more(seconds: float) -> None:
    """Asks for this much time from now for the file that is being read. The reading process grants it within bounds."""
    _ask(seconds)


def listen(ask: Callable[[float], None]) -> None:
    """Sets who is asked; a worker does this once."""
    global _ask
    _ask = ask
