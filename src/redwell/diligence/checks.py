"""The guest modules that make `checks` in the sandbox: the archetypes' own source, and the deal."""

from __future__ import annotations

import json
from importlib.resources import files

from redwell.diligence.deal import Deal
from redwell.sandbox.types import GuestModule

MODULES = (
    "words", "families", "base", "addressed", "case", "stakes", "ends", "control", "commercial", "liability", "dealing", "intellectual", "concentration", "integrity", "copies", "crossing", "investors", "debt", "finance",
    "people", "risks", "links", "matters", "earnings", "taxes", "workforce", "cover", "signals", "ownership", "titles", "agreements", "products",
    "lexicon_more", "lexicon_relief", "lexicon_late", "lexicon", "dossier", "dossier_sums", "dossiers_company", "dossiers_contracts", "dossiers_money", "dossiers_rights", "dossiers_people", "dossiers_places", "dossier_kinds", "catalogue", "direct", "tables", "rows", "summary", "worked",
)  # fmt: skip
"""The archetypes' modules in an order in which each imports only earlier ones."""


def check_modules(deal: Deal) -> tuple[GuestModule, ...]:
    """`checks` and `deal` for the cells, with everything that they are made of."""
    package = files("redwell.diligence")
    names = [("archetypes", "archetypes/__init__.py")]
    names += [(f"archetypes.{name}", f"archetypes/{name}.py") for name in MODULES]
    modules = [
        GuestModule(f"redwell.diligence.{name}", package.joinpath(path).read_text(encoding="utf-8"))
        for name, path in names
    ]
    source = package.joinpath("guest", "checks.py").read_text(encoding="utf-8")
    given = json.dumps(deal.model_dump(mode="json", exclude_none=True))
    return (*modules, GuestModule("redwell.diligence.guest.checks", f"{source}\nDEAL = {given!r}\n_deal()\n"))
