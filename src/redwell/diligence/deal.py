"""The deal file: who buys what from whom, how, for how much, and what counts as material. All of it may be left out."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from redwell.models.toml_file import read_toml

Structure = Literal["", "merger", "share purchase", "asset purchase"]


LARGEST = 50_000
"""Bytes. A deal file is a page or two."""


class DealError(Exception):
    """A deal file that cannot be used; the message names the file, the field and what it should hold."""


class Dates(BaseModel):
    """`as_of` is the day that terms and deadlines are reckoned from; `signing` stands in for it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    signing: date | None = None
    closing: date | None = None
    as_of: date | None = None


class Deal(BaseModel):
    """`aliases` are other names under which documents speak of the target. `price` and `materiality` are whole sums in `currency`;
    severity is reckoned from them (2 % of the price Critical, 0.5 % High, the materiality threshold Medium). `focus` names what the
    client asked about."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    target: str = Field(default="", max_length=300)
    aliases: tuple[str, ...] = ()
    buyer: str = Field(default="", max_length=300)
    seller: str = Field(default="", max_length=300)
    structure: Structure = ""
    price: Annotated[float, Field(gt=0)] | None = None
    currency: str = Field(default="USD", pattern=r"^[A-Za-z]{3}$")
    materiality: Annotated[float, Field(gt=0)] | None = None
    dates: Dates = Dates()
    focus: tuple[str, ...] = ()

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What is assumed because nobody said it; true with and without a deal file."""
        said = []
        if not self.target:
            said.append(
                "No target was named; where the documents name one party most often, it is taken as the target."
            )
        if not self.structure:
            said.append(
                "The structure is not given: a share purchase or merger, in which control of the target changes, is assumed."
            )
        if not self.price:
            said.append(
                "The price is not given: severity follows the share of revenue concerned, or practice where that is not known."
            )
        if not self.materiality:
            said.append("No materiality threshold is given: 0.1 % of the price is used, where there is a price.")
        if not (self.dates.as_of or self.dates.signing):
            said.append(
                "No date is given: terms and deadlines are reckoned from the latest date that a document bears."
            )
        return tuple(said)

    def describe(self) -> str:
        """The deal in lines of `name: value`, only what is given."""
        lines = [
            f"{name}: {getattr(self, name)}"
            for name in ("target", "buyer", "seller", "structure")
            if getattr(self, name)
        ]
        if self.aliases:
            lines.append("the target is also called: " + ", ".join(self.aliases))
        if self.price:
            lines.append(f"price: {self.currency.upper()} {self.price:,.0f}")
        if self.materiality:
            lines.append(f"materiality threshold: {self.currency.upper()} {self.materiality:,.0f}")
        lines += [f"{name.replace('_', ' ')}: {day.isoformat()}" for name, day in self.dates if day]
        if self.focus:
            lines.append("focus: " + "; ".join(self.focus))
        return "\n".join(lines)


def read_deal(path: Path | None) -> Deal:
    """The deal of a TOML file; an empty one without a file. Raises DealError."""
    if path is None:
        return Deal()
    data = read_toml(path, "deal file", DealError, LARGEST)
    try:
        return Deal.model_validate(data)
    except ValidationError as error:
        raise DealError(
            "\n".join(_said(path, problem["loc"], problem["msg"], problem["type"]) for problem in error.errors())
        ) from None


def _said(path: Path, place: tuple[int | str, ...], message: str, kind: str) -> str:
    field = ".".join(str(part) for part in place) or "file"
    if kind == "extra_forbidden":
        known = ", ".join(Dates.model_fields if place[:1] == ("dates",) else Deal.model_fields)
        return f"{path}: {field}: there is no such field; the fields are {known}"
    if kind.startswith(("date_", "datetime_")):
        return f"{path}: {field}: write a date as YYYY-MM-DD, such as 2026-03-31"
    if kind == "literal_error":
        allowed = ", ".join(f'"{value}"' for value in get_args(Structure) if value)
        return f"{path}: {field}: there is no such structure; write one of {allowed}, or leave it out"
    if kind == "tuple_type":
        return f'{path}: {field}: write a list of texts, such as ["one", "another"]'
    if place == ("currency",) and kind == "string_pattern_mismatch":
        return f'{path}: {field}: write the three letters of a currency, such as "USD"'
    return f"{path}: {field}: {message[:1].lower()}{message[1:]}"
