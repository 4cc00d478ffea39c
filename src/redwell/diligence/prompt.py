"""What due diligence adds to the root's prompt and to its sandbox."""

from __future__ import annotations

from importlib.resources import files

from redwell.diligence.checks import check_modules
from redwell.diligence.deal import Deal
from redwell.diligence.reader import Reader
from redwell.sandbox.types import GuestModule


def guest_modules(deal: Deal) -> tuple[GuestModule, ...]:
    """`deal`, `checks` and `report`, for the cells."""
    source = files("redwell.diligence").joinpath("guest", "report.py").read_text(encoding="utf-8")
    return (*check_modules(deal), GuestModule("redwell.diligence.guest.report", source))


def root_prompt(sub: str) -> str:
    """Its part of the root's system prompt; the deal itself is in the task. `sub` is the name of the sub-agents' model: what the
    embedded reader or a small model cannot do has to be known to who asks it."""
    own = "reader.md" if sub == Reader.name else "local.md" if sub.startswith("local:") else ""
    names = ("root.md", own) if own else ("root.md",)
    return "\n".join(files("redwell.diligence").joinpath("prompts", name).read_text(encoding="utf-8") for name in names)
