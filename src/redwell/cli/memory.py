"""How the process asks the system for memory."""

from __future__ import annotations

import ctypes
import sys

_M_ARENA_MAX = -8  # glibc's malloc.h


def few_arenas() -> None:
    """Lets all threads share two of glibc's arenas: each of its own keeps what its thread has freed, so that a run of an hour grows
    by what its threads once held. Other systems and C libraries are left as they are."""
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(_M_ARENA_MAX, 2)
