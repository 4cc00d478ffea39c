"""Rooms that several tests of the generator look at."""

from __future__ import annotations

import hashlib
from pathlib import Path

from redwell.bench.generate import plan
from redwell.bench.generate.assemble import Assembled, assemble
from redwell.bench.generate.plants import catalogue
from redwell.bench.key import Split


def digest(folder: Path) -> dict[str, tuple[str, float]]:
    """For each file below the folder its hash and when it was last changed."""
    return {
        path.relative_to(folder).as_posix(): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def assembled(preset: str, seed: str, split: Split, documents: int, *, with_pdf: bool = False) -> Assembled:
    """A room that is not written."""
    choices = plan.choose(seed, split, preset, documents, catalogue.recipes())
    return assemble(seed, split, preset, documents, choices, with_pdf=with_pdf, source=None)
