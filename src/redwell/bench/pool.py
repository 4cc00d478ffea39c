"""The budget of a whole matrix: what a cell may use at most is set aside before it starts, and settled when it has ended."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from redwell.bench.matrix import UNITS, MatrixCaps
from redwell.models.budget import Spent

_NANO = 1_000_000_000
"""Everything is counted in whole billionths, so that sums come back to exactly zero."""


@dataclass(slots=True)
class Pool:
    """`caps` of dollars, tokens, calls and seconds; None is no cap."""

    caps: MatrixCaps
    _spent: dict[str, int] = field(default_factory=lambda: dict.fromkeys(UNITS, 0))
    _held: dict[str, dict[str, int]] = field(default_factory=dict)

    def spend(self, spent: Spent) -> None:
        """Counts what was used by a cell that is not running."""
        for unit in UNITS:
            self._spent[unit] += _whole(getattr(spent, unit))

    def reserve(self, cell: str, caps: Mapping[str, Any], before: Spent) -> str:
        """Sets aside what a cell may still use of its own caps beside what it has used before; empty when that fits, else why it does not."""
        wanted = {unit: max(0, _whole(caps.get(unit) or 0.0) - _whole(getattr(before, unit))) for unit in UNITS}
        for unit in UNITS:
            cap = getattr(self.caps, unit)
            if cap is None:
                continue
            left = _whole(cap) - self._spent[unit] - sum(held[unit] for held in self._held.values())
            if wanted[unit] > left or left <= 0:
                most, rest, whole = (_said(unit, amount) for amount in (wanted[unit], max(0, left), _whole(cap)))
                return f"the matrix's budget does not cover another cell, which may use up to {most} {unit}: {rest} of {whole} are left"
        self._held[cell] = wanted
        return ""

    def settle(self, cell: str, used: Spent) -> None:
        """The cell has ended and has used this since it was reserved for."""
        self._held.pop(cell, None)
        self.spend(used)

    @property
    def spent(self) -> Spent:
        s = self._spent
        return Spent(s["dollars"] / _NANO, s["tokens"] // _NANO, s["calls"] // _NANO, s["seconds"] / _NANO)


def _whole(amount: float) -> int:
    return math.ceil(round(amount * _NANO, 3))


def _said(unit: str, amount: int) -> str:
    return f"{amount / _NANO:,.2f}" if unit == "dollars" else f"{amount / _NANO:,.0f}"
