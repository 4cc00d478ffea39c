"""A due diligence run: the room, the models and the report tied together in one run folder. Starts one, or goes on with one."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import redwell
from redwell.diligence.application import Diligence
from redwell.diligence.deal import Deal
from redwell.diligence.prompt import guest_modules, root_prompt
from redwell.harness import rlm
from redwell.harness.types import Outcome, Progress, Settings, Task
from redwell.journal.journal import Journal
from redwell.models.budget import Budget
from redwell.models.retries import Policy
from redwell.models.types import Model, Role
from redwell.room.room import Room

INSTRUCTIONS = "Review the attached {target} data room and produce a red-flags report at `red-flags-report.md`."


def diligence_task(deal: Deal, instructions: str = "") -> Task:
    """The task as LAB words it, with the deal's own facts after it."""
    text = instructions or INSTRUCTIONS.format(target=deal.target or "target's")
    described = deal.describe()
    if not described:
        described = (
            "No deal file was given: take target, buyer and structure from the documents, and say what you assumed."
        )
    return Task("diligence", f"{text}\n\nThe deal:\n{described}", ("red-flags-report.md",))


def start(
    folder: Path,
    room: Room,
    name: str,
    deal: Deal,
    models: dict[Role, Model],
    settings: Settings,
    limits: dict[str, Any],
) -> Journal:
    """Makes the run folder over a room that has been read; `name` is what the report calls the room.

    Raises FileExistsError when the folder holds a run already.
    """
    return Journal.create(folder, frozen(folder, room.store, name, deal, models, settings, limits))


def frozen(
    folder: Path,
    store: Path,
    name: str,
    deal: Deal,
    models: dict[Role, Model],
    settings: Settings,
    limits: dict[str, Any],
    reading: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The configuration of a run in `folder`. `reading` says how the store is still to be made, so that a run can be gone on with that
    was interrupted while it read the room: `path`, `ocr` and `jobs`."""
    return {
        "kind": "diligence",
        "version": redwell.__version__,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "room": _place(store.resolve(), folder.resolve()),
        "room_name": name,
        "reading": reading,
        "deal": deal.model_dump(mode="json"),
        "models": {role: model.name for role, model in models.items()},
        "settings": asdict(settings),
        "budget": limits,
    }


def _place(store: Path, folder: Path) -> str:
    """Relative to the run's folder when the store is in it, so that the two can be moved together."""
    return str(store.relative_to(folder) if store.is_relative_to(folder) else store)


async def go(
    journal: Journal,
    room: Room,
    models: dict[Role, Model],
    budget: Budget,
    progress: Progress | None = None,
    *,
    policy: Policy | None = None,
) -> Outcome:
    """Runs what the journal's configuration says; a journal with events in it is gone on with, and nothing is paid for twice."""
    configuration = journal.configuration
    deal = Deal.model_validate(configuration["deal"])
    settings = Settings(**configuration["settings"])
    application = Diligence(
        room=room,
        journal=journal,
        deal=deal,
        task=diligence_task(deal),
        modules=guest_modules(deal),
        prompt=root_prompt(models["sub"].name, settings.depth, settings.prompt),
        reasons=models["root"].name != "playbook",
    )
    return await rlm.run(
        application.task, room, models, journal, budget, application, settings, progress, policy=policy
    )
