"""How the embedded reader fares on CUAD: precision and recall by category, on contracts whose labels the rules were not written from.

    python benchmarks/reader_on_cuad.py ../shared/data/cuad [--half dev|held_out] [--show CATEGORY] [--write docs/results.md]

Contracts are divided by a hash of their file name: rules were written while looking at the `dev` half only; the figures reported are those
of the `held_out` half. A span counts as found when a quote of the reader overlaps it (after whitespace is folded); a quote counts as
right when it overlaps a span. At the contract level, a category is present when it has any span.
"""

from __future__ import annotations

import argparse
import ast
import csv
import hashlib
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from results import section

from redwell.diligence.reader import read_text

CATEGORIES: dict[str, tuple[str, ...]] = {
    "Change Of Control": (
        "change_of_control_termination",
        "change_of_control_consent",
        "change_of_control_deemed_assignment",
        "change_of_control_payment",
        "change_of_control_notice",
    ),
    "Anti-Assignment": ("anti_assignment", "change_of_control_deemed_assignment"),
    "Exclusivity": ("exclusivity",),
    "Non-Compete": ("non_compete",),
    "Most Favored Nation": ("most_favored_nation",),
    "Minimum Commitment": ("minimum_commitment",),
    "Uncapped Liability": ("uncapped_liability",),
    "Cap On Liability": ("liability_cap",),
    "Termination For Convenience": ("termination_for_convenience",),
    "Rofr/Rofo/Rofn": ("first_refusal",),
    "Ip Ownership Assignment": ("ip_assignment", "agrees_to_assign"),
    "Joint Ip Ownership": ("joint_ownership",),
    "Non-Transferable License": ("non_transferable_licence",),
    "Source Code Escrow": ("source_code_escrow",),
    "Liquidated Damages": ("liquidated_damages",),
    "Audit Rights": ("audit_right",),
    "Insurance": ("insurance_duty",),
    "Covenant Not To Sue": ("covenant_not_to_sue",),
    "No-Solicit Of Employees": ("no_solicit_employees",),
    "No-Solicit Of Customers": ("no_solicit_customers",),
    "Non-Disparagement": ("non_disparagement",),
    "Revenue/Profit Sharing": ("revenue_share",),
    "Price Restrictions": ("price_restriction",),
    "Governing Law": ("fact:governing_law",),
    "Expiration Date": ("fact:term",),
    "Renewal Term": ("auto_renewal",),
    "Third Party Beneficiary": ("third_party_beneficiary",),
}


@dataclass
class Score:
    spans: int = 0
    spans_found: int = 0
    quotes: int = 0
    quotes_right: int = 0
    both: int = 0
    only_reader: int = 0
    only_label: int = 0
    missed: list[tuple[str, str]] = field(default_factory=list)
    false: list[tuple[str, str]] = field(default_factory=list)


def half(name: str) -> str:
    return "dev" if hashlib.sha256(name.encode()).digest()[0] % 2 == 0 else "held_out"


def contracts(folder: Path) -> Iterator[tuple[str, str, dict[str, list[str]]]]:
    """(name, text, category -> labelled spans) for the contracts that are both labelled and here as text."""
    texts = {path.stem.strip(): path for path in (folder / "txt").iterdir()}
    with (folder / "labels.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            path = texts.get(Path(row["Filename"]).stem.strip())
            if path is not None:
                labels = {name: ast.literal_eval(row[name]) if row[name] else [] for name in CATEGORIES}
                yield path.stem, path.read_text(encoding="utf-8", errors="replace"), labels


def fold(text: str) -> tuple[str, list[int]]:
    """The text without whitespace, and where each of its characters stood."""
    kept = [(char.lower(), at) for at, char in enumerate(text) if not char.isspace()]
    return "".join(char for char, _ in kept), [at for _, at in kept]


def places(folded: str, spans: list[str]) -> list[tuple[int, int, str]]:
    """Where the labelled spans stand in the folded text (pieces around `<omitted>` apart); those that are not verbatim there are left out."""
    found = []
    for span in spans:
        for piece in span.split("<omitted>"):
            wanted = re.sub(r"\s", "", piece).lower()
            at = folded.find(wanted) if len(wanted) >= 20 else -1
            if at >= 0:
                found.append((at, at + len(wanted), piece))
    return found


def measure(folder: Path, which: str) -> tuple[dict[str, Score], int, float, int]:
    scores = {name: Score() for name in CATEGORIES}
    count = characters = 0
    spent = 0.0
    for name, text, labels in contracts(folder):
        if half(name) != which:
            continue
        count, characters = count + 1, characters + len(text)
        started = time.process_time()
        findings = read_text(text)
        spent += time.process_time() - started
        folded, _ = fold(text)
        for category, kinds in CATEGORIES.items():
            score = scores[category]
            wanted = places(folded, labels[category])
            quoted = [quote for finding in findings if finding["kind"] in kinds for quote in finding["quotes"]]
            got = [where for quote in quoted for where in places(folded, [quote["text"]])]
            overlap = lambda a, b: a[0] < b[1] and b[0] < a[1]  # noqa: E731
            score.spans += len(wanted)
            score.quotes += len(got)
            for span in wanted:
                if any(overlap(span, quote) for quote in got):
                    score.spans_found += 1
                else:
                    score.missed.append((name, span[2]))
            for quote in got:
                if any(overlap(span, quote) for span in wanted):
                    score.quotes_right += 1
                else:
                    score.false.append((name, quote[2]))
            score.both += bool(wanted) and bool(got)
            score.only_reader += bool(got) and not labels[category]
            score.only_label += bool(wanted) and not got
    return scores, count, spent, characters


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:3.0f} %" if whole else "  n/a"


def table(scores: dict[str, Score]) -> list[str]:
    lines = [
        "| category | contracts with it | contract recall | contract precision | spans | span recall | quotes | quote precision |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, s in scores.items():
        lines.append(
            f"| {name} | {s.both + s.only_label} | {share(s.both, s.both + s.only_label)} | {share(s.both, s.both + s.only_reader)} "
            f"| {s.spans} | {share(s.spans_found, s.spans)} | {s.quotes} | {share(s.quotes_right, s.quotes)} |"
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=("dev", "held_out"), default="held_out")
    parser.add_argument("--show", help="print what was missed and what was wrong in a category (dev half only)")
    parser.add_argument("--limit", type=int, default=25)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    scores, count, spent, characters = measure(given.folder, "dev" if given.show else given.half)
    if given.show:
        print("MISSED")
        for name, text in scores[given.show].missed[: given.limit]:
            print(f"  [{name[:24]}] {' '.join(text.split())[:420]}")
        print("WRONG")
        for name, text in scores[given.show].false[: given.limit]:
            print(f"  [{name[:24]}] {' '.join(text.split())[:420]}")
        return
    lines = table(scores)
    print("\n".join(lines))
    speed = characters / 1e6 / spent
    note = f"{count} contracts of the {given.half} half, {characters / 1e6:.1f} million characters, {speed:.1f} MB/s on one core"
    print(note)
    if given.write:
        section("The embedded reader on CUAD", [f"Made by `make results`; {note}.", "", *lines], given.write)


if __name__ == "__main__":
    main()
