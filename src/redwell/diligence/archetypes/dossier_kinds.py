"""Every kind of dossier, in the order in which of two that weigh the same the first is told. Standard library only."""

from __future__ import annotations

from redwell.diligence.archetypes import (
    dossiers_company,
    dossiers_contracts,
    dossiers_money,
    dossiers_people,
    dossiers_places,
    dossiers_rights,
)

DOSSIERS = (
    *dossiers_company.KINDS,
    *dossiers_contracts.KINDS,
    *dossiers_money.KINDS,
    *dossiers_rights.KINDS,
    *dossiers_people.KINDS,
    *dossiers_places.KINDS,
)
