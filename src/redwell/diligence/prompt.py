"""What due diligence adds to the root's prompt and to its sandbox."""

from __future__ import annotations

from collections import defaultdict
from importlib.resources import files
from itertools import zip_longest
from typing import Literal

from redwell.diligence.archetypes.catalogue import ALL
from redwell.diligence.checks import check_modules
from redwell.diligence.deal import Deal
from redwell.diligence.reader import Reader
from redwell.sandbox.types import GuestModule


def guest_modules(deal: Deal) -> tuple[GuestModule, ...]:
    """`deal`, `checks` and `report`, for the cells."""
    source = files("redwell.diligence").joinpath("guest", "report.py").read_text(encoding="utf-8")
    return (*check_modules(deal), GuestModule("redwell.diligence.guest.report", source))


def root_prompt(sub: str, depth: int = 1, size: Literal["full", "short"] = "full") -> str:
    """Its part of the root's system prompt; the deal itself is in the task. `sub` is the name of the sub-agents' model: what the
    embedded reader or a small model cannot do has to be known to who asks it. At depth 0 there are no sub-agents. `size` is
    `Settings.prompt`."""
    if size == "short":
        return _prompts("short.md").strip()
    if depth == 0:
        return _prompts("root.md", "alone.md")
    own = "reader.md" if sub == Reader.name else "local.md" if sub.startswith("local:") else ""
    return _prompts("root.md", "help.md", *((own,) if own else ()))


def writing() -> str:
    """How the report is to be written by a model that writes the file itself."""
    return _prompts("writing.md")


def queries() -> tuple[str, ...]:
    """What is searched for where nobody reads everything: the question of each known issue, a workstream at a time in turn, so that the first
    queries are about all of them."""
    by_workstream: dict[str, list[str]] = defaultdict(list)
    for archetype in ALL:
        if archetype.support or not (archetype.question or archetype.number == 0 or archetype.find):
            continue  # evidence for checks, and what is only reckoned of other kinds, ask for nothing of their own
        asked = archetype.question or archetype.title
        by_workstream[archetype.workstream].append(f"{archetype.title} {asked.partition(' (values:')[0]}")
    turns = zip_longest(*by_workstream.values())
    return tuple(query for turn in turns for query in turn if query is not None)


def _prompts(*names: str) -> str:
    return "\n".join(files("redwell.diligence").joinpath("prompts", name).read_text(encoding="utf-8") for name in names)
