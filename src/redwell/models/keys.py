"""Where the keys to model servers come from, and how they stay out of everything that is written."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Mapping

_VARIABLES = {
    "openai": ("REDWELL_OPENAI_KEY", "OPENAI_API_KEY"),
    "anthropic": ("REDWELL_ANTHROPIC_KEY", "ANTHROPIC_API_KEY"),
    "tinker": ("REDWELL_TINKER_KEY", "TINKER_API_KEY"),
}
_RING = "redwell"
HIDDEN = "[key]"


class Key:
    """A key that shows itself to nobody but `reveal`."""

    __slots__ = ("_secret",)

    def __init__(self, secret: str) -> None:
        self._secret = secret

    def reveal(self) -> str:
        return self._secret

    def hide_in(self, text: str) -> str:
        """The text without the key: servers like to repeat it in their error messages."""
        return text.replace(self._secret, HIDDEN) if len(self._secret) >= 8 else text

    def __repr__(self) -> str:
        return f"Key({HIDDEN})"

    __str__ = __repr__

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a key is never pickled")


def find_key(kind: str, *, own_only: bool = False, environment: Mapping[str, str] | None = None) -> Key | None:
    """The key for `openai`, `anthropic` or `tinker`: from the environment, else from the key ring (service `redwell`) when `keyring` is there.

    `own_only` leaves out the provider's own variable (OPENAI_API_KEY): it must not be sent to a server that is not the provider's
    over a connection that anyone can read. An `environment` that is given stands alone: the ring is then not asked.
    """
    values = os.environ if environment is None else environment
    names = _VARIABLES[kind][:1] if own_only else _VARIABLES[kind]
    for name in names:
        if secret := values.get(name, "").strip():
            return Key(secret)
    return _from_ring(kind) if environment is None else None


def variables(kind: str) -> tuple[str, ...]:
    """The environment variables that are looked at, first to last."""
    return _VARIABLES[kind]


def without_keys(environment: Iterable[tuple[str, str]]) -> dict[str, str]:
    """An environment from which everything that names a key, token, secret or password is taken out."""
    marks = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL")
    return {name: value for name, value in environment if not any(mark in name.upper() for mark in marks)}


def _from_ring(kind: str) -> Key | None:
    try:
        ring = importlib.import_module("keyring")
    except ImportError:
        return None
    try:
        secret = ring.get_password(_RING, kind)
    except Exception:  # a ring that is locked or has no backend is the same as no ring
        return None
    return Key(secret) if isinstance(secret, str) and secret else None
