"""Every archetype, in the order of the report's workstreams."""

from __future__ import annotations

from redwell.diligence.archetypes import concentration, control
from redwell.diligence.archetypes.base import Archetype

ALL: tuple[Archetype, ...] = (*control.ARCHETYPES, *concentration.ARCHETYPES)
BY_ID: dict[str, Archetype] = {archetype.id: archetype for archetype in ALL}
