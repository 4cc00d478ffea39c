"""Every archetype. Checks run in this order, and what one has used the next leaves alone: the weightier come first."""

from __future__ import annotations

from redwell.diligence.archetypes import (
    agreements,
    commercial,
    concentration,
    control,
    copies,
    cover,
    crossing,
    dealing,
    debt,
    dossier,
    dossier_kinds,
    earnings,
    finance,
    integrity,
    intellectual,
    investors,
    liability,
    ownership,
    people,
    products,
    risks,
    signals,
    taxes,
    titles,
    workforce,
)
from redwell.diligence.archetypes.base import Archetype

ALL: tuple[Archetype, ...] = (
    *concentration.ARCHETYPES,
    *integrity.ARCHETYPES,
    *copies.ARCHETYPES,
    *crossing.ARCHETYPES,
    *signals.ARCHETYPES,
    *ownership.ARCHETYPES,
    *titles.ARCHETYPES,
    *agreements.ARCHETYPES,
    *products.ARCHETYPES,
    *investors.ARCHETYPES,
    *control.ARCHETYPES,
    *commercial.ARCHETYPES,
    *liability.ARCHETYPES,
    *dealing.ARCHETYPES,
    *intellectual.ARCHETYPES,
    *debt.ARCHETYPES,
    *earnings.ARCHETYPES,
    *taxes.ARCHETYPES,
    *workforce.ARCHETYPES,
    *cover.ARCHETYPES,
    *finance.ARCHETYPES,
    *people.ARCHETYPES,
    *risks.ARCHETYPES,
)
_KNOWN = frozenset(archetype.id for archetype in ALL)
ALL += tuple(dossier.archetype(each) for each in dossier_kinds.DOSSIERS if each.kind not in _KNOWN)
BY_ID: dict[str, Archetype] = {archetype.id: archetype for archetype in ALL}
EVENTS = frozenset(archetype.id for archetype in ALL if archetype.event)
