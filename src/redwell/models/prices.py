"""What tokens cost: dated list prices, which a user's own file overrides. What is not known stays unknown."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from redwell.models.toml_file import read_toml
from redwell.models.types import Usage

VARIABLE = "REDWELL_PRICES"
LARGEST = 1_000_000
"""Bytes of a price file."""
_MILLION = 1_000_000
_DATE = re.compile(r"-(?:20\d{6}|20\d\d-\d\d-\d\d)\Z")


class PricesError(Exception):
    """A price file that cannot be read, with the reason."""


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens. `written` is the price of input that the server puts into its prompt cache."""

    input: float
    cached: float
    output: float
    written: float
    as_of: str = ""

    def cost(self, usage: Usage) -> float:
        """Dollars for this usage."""
        plain = usage.input - usage.cached_input - usage.cache_written
        cached = usage.cached_input * self.cached + usage.cache_written * self.written
        return (plain * self.input + cached + usage.output * self.output) / _MILLION

    def most(self, input_tokens: int, output_tokens: int) -> float:
        """Dollars that such a call costs at most, whatever the cache does."""
        return (input_tokens * max(self.input, self.written) + output_tokens * self.output) / _MILLION


class Prices:
    """Prices by a model's full name (`kind:name`, with `@url` for one at an address of the user's own)."""

    def __init__(self, tables: list[Mapping[str, Mapping[str, Price]]]) -> None:
        self._tables = tables

    def of(self, model: str) -> Price | None:
        """None when nobody told the price. A dated release (`-2025-08-07`) has the price of its name without the date."""
        kind, _, rest = model.partition(":")
        name, _, url = rest.partition("@")
        names = [rest] if url else [name, _DATE.sub("", name), "*"]
        for table in self._tables:
            for one in names:
                if price := table.get(kind, {}).get(one):
                    return price
        return None

    def require(self, models: Iterable[str], dollars: float | None) -> None:
        """Raises PricesError, with the ways out, when dollars are capped and one of these models has no known price."""
        unknown = [model for model in dict.fromkeys(models) if self.of(model) is None]
        if dollars is None or not unknown:
            return
        kind, _, name = unknown[0].partition(":")
        raise PricesError(
            f"a budget of ${dollars:,.2f} cannot be kept, because the price of {' and of '.join(unknown)} is not known: name a "
            f"TOML file in {VARIABLE} that holds\n"
            f'  {kind}.prices."{name}" = {{ input = 0.25, output = 2.00 }}\n'
            "(US dollars for a million tokens, with the figures of your provider; 0 for a server of your own), or leave --budget out"
        )

    def cost(self, model: str, usage: Usage | None) -> float | None:
        """What this usage of a model cost in US dollars; None when its price or the usage is not known."""
        price = self.of(model)
        if price is None:
            return None
        if usage is None:
            return 0.0 if price.input == price.output == 0 else None
        return price.cost(usage)


def load_prices(environment: Mapping[str, str] | None = None) -> Prices:
    """The list prices, and before them those of the file that REDWELL_PRICES names. Raises PricesError."""
    own = (os.environ if environment is None else environment).get(VARIABLE, "")
    tables = [_list_prices()]
    if own:
        path = Path(own).expanduser()
        try:
            tables.insert(0, _table(read_toml(path, "price file", PricesError, LARGEST), str(path)))
        except PricesError as error:
            raise PricesError(f"{VARIABLE}: {error}") from None
    return Prices(tables)


@lru_cache(maxsize=1)
def _list_prices() -> Mapping[str, Mapping[str, Price]]:
    text = resources.files("redwell.models").joinpath("prices.toml").read_text(encoding="utf-8")
    return _table(tomllib.loads(text), "prices.toml")


def _table(kinds: Mapping[str, Any], name: str) -> dict[str, dict[str, Price]]:
    table: dict[str, dict[str, Price]] = {}
    for kind, section in kinds.items():
        entries = section.get("prices") if isinstance(section, dict) else None
        if not isinstance(entries, dict):
            raise PricesError(f"{name}: [{kind}] has no prices")
        as_of = str(section.get("as_of", ""))
        table[kind] = {model: _price(entry, as_of, f"{name}: {kind}:{model}") for model, entry in entries.items()}
    return table


def _price(entry: Any, as_of: str, where: str) -> Price:
    if not isinstance(entry, dict):
        raise PricesError(f"{where} must be a table with input and output")
    values: dict[str, float] = {}
    for name in ("input", "output", "cached", "written"):
        value = entry.get(name)
        if value is None and name in ("cached", "written"):
            value = entry.get("input")
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e6:
            raise PricesError(f"{where}: {name} must be dollars for a million tokens, not {value!r}")
        values[name] = float(value)
    return Price(values["input"], values["cached"], values["output"], values["written"], as_of)
