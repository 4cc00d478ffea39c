"""PDFium's functions called the cheapest way that ctypes has, for the few of them that are called some thousand times a page.

A function is called without declared argument types, so that nothing is converted: whole numbers go in as they are (C ints), pointers
as what `pointer` or `place` make of them once. That takes a third of the time of a declared call. Nothing is checked.
"""

from __future__ import annotations

import ctypes
from typing import Any


def ready(function: Any, result: Any = ctypes.c_int) -> Any:
    """A function of PDFium to be called with ints and what `pointer` and `place` give; its result as that ctypes type, or None.

    It keeps the interpreter's lock: each call takes less than letting go of the lock would.
    """
    return ctypes.PYFUNCTYPE(result)(ctypes.cast(function, ctypes.c_void_p).value or 0)


def pointer(handle: Any) -> Any:
    """A handle of PDFium, or its address, as an argument."""
    return ctypes.c_void_p.from_param(handle if isinstance(handle, int) else ctypes.cast(handle, ctypes.c_void_p).value)


def place(memory: Any, offset: int = 0) -> Any:
    """Where a function is to write, so many bytes into a ctypes object, as an argument; the object must be kept."""
    return ctypes.c_void_p.from_param(ctypes.addressof(memory) + offset)
