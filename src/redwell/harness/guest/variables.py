"""`variables`: what the cells of a session have made. Loaded last, so that it knows every name that the session began with."""

from __future__ import annotations

import sys
from types import ModuleType

from redwell.harness.guest.listing import Text, short

__all__ = ["variables"]

_TOOLS = [module for module in list(sys.modules.values()) if "host" in getattr(module, "__dict__", {})]
_GIVEN = {"HostError", *(name for module in _TOOLS for name in getattr(module, "__all__", ()))}


def variables(limit: int = 60) -> Text:
    """The variables that cells have made: name, type, size, a short look."""
    lines = []
    for name, value in list(vars(sys.modules["__main__"]).items()):
        if name.startswith("_") or name in _GIVEN or isinstance(value, ModuleType):
            continue
        size = f" of {len(value):,}" if isinstance(value, list | dict | set | tuple | str | bytes) else ""
        try:
            look = short(value, 100)
        except Exception as error:
            look = f"(no repr: {type(error).__name__})"
        lines.append(f"{name}: {type(value).__name__}{size} {look}")
    if len(lines) > limit:
        lines = [f"({len(lines) - limit} older ones left out)", *lines[-limit:]]
    return Text("\n".join(lines) or "none")
