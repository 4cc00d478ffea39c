"""Tables as text (`a | b | c`): revenue by customer, registers, labelled sums; and whether their totals add up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from redwell.diligence.archetypes import words
from redwell.diligence.clauses import clean, opening

MAX_ROWS = 400  # of one table that are noted; a longer one is a ledger, not a schedule

_NUMBER = re.compile(
    r"^\(?[-–—−]?\s?(?:US\s?\$|USD\s?|EUR\s?|GBP\s?|[$€£])?\s?\(?[-–−]?(?P<figure>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s?(?P<scale>million|thousand|bn|mm|[kKmM])?\)?"
    r"\s?(?P<percent>%)?\)?(?:\s?/\s?(?:yr|year|mo|month))?$"
)
_TOTAL = re.compile(r"^(?:grand |sub-?)?total\b|\btotal\b.{0,30}$", re.IGNORECASE)
_NOT_SUMMED = re.compile(
    r"%|percent|price|rate|date|year|#|no\.?$|term|per |margin|ratio|multiple|strike|par value|authori[sz]ed",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Table:
    header: list[str]
    rows: list[tuple[list[str], str]]  # cells, and the line as it stands
    title: str


def number(cell: str) -> tuple[float, str] | None:
    """The cell's figure and what it counts: `%`, a currency, or nothing; None when it is no figure. Brackets mean below zero."""
    text = clean(cell).strip("~≈ *_")
    match = _NUMBER.match(text)
    if not match:
        return None
    value = float(match["figure"].replace(",", "")) * words._SCALES.get((match["scale"] or "").casefold(), 1.0)
    if text.startswith("(") or "$(" in text or re.match(r"^[-–—−]|^[$€£]\s?[-–−]", text):
        value = -value
    unit = (
        "%"
        if match["percent"]
        else (words.money("$1" if "$" in text else text[:4] + "1") or [(0, "")])[0][1]
        if re.search(r"[$€£]|USD|EUR|GBP", text)
        else ""
    )
    return value, unit


def split(line: str) -> list[str]:
    cells = (
        line.strip().strip("|").split("|")
        if line.strip().startswith("|")
        else re.split(r" \| |\t", " " + line.strip("\n") + " ")
    )
    return [clean(cell) for cell in cells]


def _tables(text: str) -> Iterator[Table]:
    title = ""
    block: list[tuple[list[str], str]] = []
    for line in text.split("\n"):
        if " | " in line or line.startswith("|") or line.count("\t") > 1:
            if not re.fullmatch(r"[\s|:-]+", line):
                block.append((split(line), line.strip()))
            continue
        if block:
            yield from _made(block, title)
            block = []
        if line.strip():
            title = clean(line)[:160]
    yield from _made(block, title)


def _made(block: list[tuple[list[str], str]], title: str) -> Iterator[Table]:
    if len(block) >= 2 and len(block) <= MAX_ROWS:
        yield Table(block[0][0], block[1:], title)


def tables(text: str) -> Iterator[tuple[str, str, dict[str, Any], list[str]]]:
    """`fact:revenue`, `fact:subprocessor`, `fact:register`, `fact:amount`, `fact:figure`, and the computed issue `table_total_differs`."""
    if " | " not in text and "\n|" not in text and "\t" not in text:
        return
    for table in _tables(text):
        header = " | ".join(table.header)
        if re.search(r"\b(?:customer|client|account|counterparty|payor|licensee)\b", header, re.IGNORECASE):
            yield from _revenue(table)
        if re.search(r"sub-?processor", header, re.IGNORECASE):
            yield from _register(table, "fact:subprocessor")
        elif re.search(
            r"\b(?:owner|holder|assignee|registrant|insured|landlord|secured party|lender|plaintiff|claimant|inventor|carrier|expir\w+|renewal|site|property|premises|employee|title|meeting|component|licen[cs]e|patent|policy|purchased|shortfall)\b",
            header,
            re.IGNORECASE,
        ):
            yield from _register(table, "fact:register")
        yield from _labelled(table)
        yield from _totals(table)


def _column(table: Table, pattern: str, *, numeric: bool = False) -> int | None:
    for index, name in enumerate(table.header):
        if re.search(pattern, name, re.IGNORECASE):
            figures = sum(bool(number(cells[index])) for cells, _ in table.rows if index < len(cells))
            if not numeric or figures * 2 > len(table.rows):
                return index
    return None


def _revenue(table: Table) -> Iterator[tuple[str, str, dict[str, Any], list[str]]]:
    who = _column(table, r"\b(?:customer|client|account|counterparty|payor|licensee)\b")
    amount = _column(
        table, r"\b(?:arr|revenue|recurring|billings|sales|fees?|acv|contract value|amount|fy\s?\d\d)\b", numeric=True
    )
    share = _column(table, r"%|share|percent", numeric=True)
    if who is None or amount is None:
        return
    label = table.header[amount]
    scale = (
        1e3
        if re.search(r"\(?\$?\s?(?:000s?|’000|'000|in thousands|k)\)?", label, re.IGNORECASE)
        else 1e6
        if re.search(r"in millions|\$m\b|\$mm", label, re.IGNORECASE)
        else 1.0
    )
    rows = []
    total = None
    for cells, line in table.rows:
        unnamed = who < len(cells) and not cells[who]
        if any(_TOTAL.search(cell) for cell in cells[:3]) or (unnamed and "total" in line.lower()):
            # Such a row may have lost its empty first cell, so that its figures stand a column further left.
            figures = [found[0] for cell in cells if "%" not in cell and (found := number(cell)) is not None]
            total = max(figures) * scale if figures else total
            continue
        if max(who, amount) >= len(cells) or (figure := number(cells[amount])) is None:
            continue
        name = cells[who] or next((cell for cell in cells if re.search(r"[A-Za-z]{3}", cell)), "")
        part = number(cells[share]) if share is not None and share < len(cells) else None
        rows.append((name, figure[0] * scale, figure[1] or currency_of(table), part, line))
    whole = total or sum(row[1] for row in rows)
    if whole <= 0 or len(rows) < 2:
        return
    for name, value, currency, stated, line in rows:
        values: dict[str, Any] = {
            "customer": name,
            "amount": value,
            "currency": currency,
            "measure": label,
            "total": whole,
        }
        values["share"] = round(_percent(stated, 100 * value / whole), 2)
        yield (
            "fact:revenue",
            f"{name}: {label} {words.show_money(value, currency)}, {values['share']} % of the total",
            values,
            [line],
        )


def _percent(stated: tuple[float, str] | None, computed: float) -> float:
    """A share in percent: as stated, but 0.4 in a column of plain figures is 40 when the sums say so."""
    if stated is None:
        return computed
    figure, unit = stated
    plain = unit != "%" and abs(100 * figure - computed) < abs(figure - computed)
    return 100 * figure if plain else figure


def currency_of(table: Table) -> str:
    """The currency that the table's title or header names; US dollars when neither does."""
    said = " ".join((table.title, *table.header))
    found = re.search(r"€|£|\b(?:EUR|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|USD)\b", said)
    return {"€": "EUR", "£": "GBP"}.get(found[0], found[0]) if found else "USD"


def _register(table: Table, kind: str) -> Iterator[tuple[str, str, dict[str, Any], list[str]]]:
    for cells, line in table.rows[:120]:
        if len(cells) < 2 or len(line) < 12:
            continue
        row = {name: cell for name, cell in zip(table.header, cells, strict=False) if name and cell}
        yield kind, f"{table.title}: {line[:160]}", {"row": row, "table": table.title}, [opening(line, 900)]


_LABELS = re.compile(
    r"annual (?:\w+ )?fee|total contract value|purchase price|issue price|principal|base rent|annual rent|total arr|ending arr|enterprise value|"
    r"^arr$|net revenue|^revenue$|net debt|cash balance|reserve|accrual|deductible|limit of liability|retention bonus|severance|base salary",
    re.IGNORECASE,
)
_FIGURES = re.compile(
    r"ebitda|total debt|indebtedness|add-?back|options? (?:granted|outstanding|pool)|reserved|ratio|authori[sz]ed",
    re.IGNORECASE,
)


def _labelled(table: Table) -> Iterator[tuple[str, str, dict[str, Any], list[str]]]:
    """Rows that begin with a label that matters: `fact:amount` for sums of money, `fact:figure` for other counts."""
    for cells, line in [(table.header, " | ".join(table.header)), *table.rows]:
        if len(cells) < 2 or len(line) < 12:
            continue
        label = cells[0].casefold()
        if _LABELS.search(label) and len(cells) == 2 and (sums := words.money(cells[1])):
            yield (
                "fact:amount",
                f"{cells[0]}: {cells[1][:80]}",
                {"label": label, "amount": sums[0][0], "currency": sums[0][1]},
                [line],
            )
        elif _FIGURES.search(label):
            figures = [
                figure for cell in cells[1:] if (figure := number(cell)) and figure[1] != "%" and abs(figure[0]) >= 1
            ]
            if figures:
                yield (
                    "fact:figure",
                    f"{cells[0]}: {figures[0][0]:,.2f}",
                    {"label": label, "amount": figures[0][0], "table": table.title},
                    [line],
                )


def _totals(table: Table) -> Iterator[tuple[str, str, dict[str, Any], list[str]]]:
    """A total that its column does not add up to. Only for tables with one total, at the end, over three rows or more."""
    totals = [n for n, (cells, _) in enumerate(table.rows) if any(_TOTAL.search(cell) for cell in cells[:3])]
    if len(totals) != 1 or totals[0] < 3 or totals[0] < len(table.rows) - 2:
        return
    cells, line = table.rows[totals[0]]
    above = table.rows[: totals[0]]
    if len(cells) != len(table.header):
        return
    for index, name in enumerate(table.header):
        if index == 0 or _NOT_SUMMED.search(name) or (stated := number(cells[index])) is None:
            continue
        figures = [number(row[index]) for row, _ in above if len(row) == len(cells) and row[index].strip("—–- ")]
        if len(figures) < 3 or any(figure is None or figure[1] == "%" for figure in figures) or stated[1] == "%":
            continue
        computed = sum(figure[0] for figure in figures if figure)
        if any(re.search(r"subtotal|of which|thereof", row[0], re.IGNORECASE) for row, _ in above):
            continue
        difference = stated[0] - computed
        if abs(difference) > max(1.0, 0.001 * abs(stated[0])) and abs(difference) < abs(stated[0]):
            values = {
                "table": table.title, "column": name, "stated": stated[0], "computed": computed, "difference": difference,
                "unit": stated[1], "rows": len(figures),
            }  # fmt: skip
            claim = f"The total of “{name}” is stated as {cells[index]}, but its {len(figures)} rows add up to {computed:,.0f}"
            yield "table_total_differs", claim, values, [line, *(row for _, row in above[:12])]
