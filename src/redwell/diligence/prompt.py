"""What due diligence adds to the root's prompt and to its sandbox."""

from __future__ import annotations

from importlib.resources import files

from redwell.diligence.checks import check_modules
from redwell.diligence.deal import Deal
from redwell.sandbox.types import GuestModule


def guest_modules(deal: Deal) -> tuple[GuestModule, ...]:
    """`deal`, `checks` and `report`, for the cells."""
    source = files("redwell.diligence").joinpath("guest", "report.py").read_text(encoding="utf-8")
    return (*check_modules(deal), GuestModule("redwell.diligence.guest.report", source))


def root_prompt() -> str:
    """Its part of the root's system prompt; the deal itself is in the task."""
    return files("redwell.diligence").joinpath("prompts", "root.md").read_text(encoding="utf-8")
