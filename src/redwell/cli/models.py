"""Where the names of models meet: the embedded ones live in diligence, the others are connected to."""

from __future__ import annotations

from redwell.models.types import Model

EMBEDDED = ("playbook", "reader")


def resolve(name: str) -> Model:
    """A model by the name the user typed. Raises ModelNameError with the known kinds."""
    if name == "playbook":
        from redwell.diligence.playbook import Playbook

        return Playbook()
    if name == "reader":
        from redwell.diligence.reader import Reader

        return Reader()
    from redwell.models.connect import connect

    return connect(name)
