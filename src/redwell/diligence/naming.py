"""Where the names of models meet: the embedded ones live here, the others are connected to."""

from __future__ import annotations

from redwell.models.types import Model

EMBEDDED = {"root": "playbook", "sub": "reader"}


def resolve(name: str, role: str = "") -> Model:
    """A model by the name the user typed, for the role that it is to play (`root`, `sub`, or any). Raises ModelNameError."""
    if name in EMBEDDED.values():
        if role in EMBEDDED and name != EMBEDDED[role]:
            from redwell.models.connect import ModelNameError

            fits = next(other for other, embedded in EMBEDDED.items() if embedded == name)
            raise ModelNameError(
                f"--{role} {name}: {name} can only be used as --{fits}; "
                f"--{role} takes {EMBEDDED[role]}, openai:NAME[@http://HOST:PORT/v1], anthropic:NAME or local:NAME"
            )
        if name == "playbook":
            from redwell.diligence.playbook import Playbook

            return Playbook()
        from redwell.diligence.reader import Reader

        return Reader()
    from redwell.models.connect import connect

    model = connect(name)
    if role == "sub":
        from redwell.models.local import Local

        if isinstance(model, Local):
            # It reads a hundred tokens a second: as a sub-agent it is shown the passages that matter.
            from redwell.diligence.local_reader import LocalReader

            return LocalReader(model)
    return model
