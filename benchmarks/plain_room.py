"""A room of plain contracts of any size, made from a seed: what speed and load are measured on.

    python benchmarks/plain_room.py out/plain_room [--documents 5000] [--characters 64000] [--seed 0]

The papers are agreements of one group with its customers, suppliers, landlords and lenders: title, date, parties, definitions, numbered
clauses, schedules. Most of the text is ordinary running clauses; the clauses that a review looks for (change of control, assignment,
exclusivity, termination for convenience ...) stand in some of the papers only. Words are spread as in speech: few are common, most are
rare, and made-up names of goods, places and parties keep the text from repeating. Same seed, same bytes.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path

FOLDERS = 80
GROUP = ("Kestrel Instruments Limited", "Kestrel Instruments GmbH", "Kestrel Metrology Inc.", "Kestrel Service B.V.")
# Each stands in about one paper of a thousand, once: something to search for.
RARE = (
    "usufruct",
    "demurrage",
    "escheat",
    "lagan",
    "bottomry",
    "champerty",
    "emphyteusis",
    "replevin",
    "estovers",
    "tontine",
)
KINDS = (
    "Supply Agreement", "Master Services Agreement", "Lease Agreement", "Distribution Agreement", "Licence Agreement",
    "Maintenance Agreement", "Loan Agreement", "Framework Purchase Agreement", "Consulting Agreement", "Confidentiality Agreement",
    "Hosting Agreement", "Development Agreement",
)  # fmt: skip
ENDINGS = ("Limited", "GmbH", "Inc.", "B.V.", "LLC", "S.A.", "AG", "plc", "Oy", "S.r.l.")
LAWS = (
    "England and Wales",
    "the State of New York",
    "Germany",
    "the Netherlands",
    "the State of Delaware",
    "France",
    "Ireland",
)
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
NOUNS = (
    "delivery", "notice", "order", "invoice", "record", "report", "sample", "sensor", "site", "part", "tool", "service", "drawing",
    "inspection", "shipment", "schedule", "forecast", "meeting", "manual", "defect", "repair", "warehouse", "carrier", "permit",
    "insurance", "certificate", "premises", "machine", "batch", "test", "calibration", "engineer", "manager", "committee", "plan",
    "budget", "deposit", "rent", "storage", "software", "release", "server", "backup", "incident", "ticket", "response", "training",
    "visit", "audit", "register", "payment", "currency", "tax", "customs", "packing", "label", "pallet", "container", "route", "vehicle",
    "measure", "tolerance", "standard", "method", "protocol", "material", "alloy", "casting", "housing", "lens", "filter", "valve",
    "cable", "connector", "display", "battery", "gauge", "probe", "laser", "mirror", "bench", "workshop", "laboratory", "shift",
    "holiday", "overtime", "allowance", "quotation", "tender", "sample book", "price list", "rebate", "statement", "ledger", "account",
    "signature", "copy", "translation", "annex", "appendix", "amendment", "revision", "version", "draft", "comment", "question",
)  # fmt: skip
VERBS = (
    "deliver", "inspect", "record", "repair", "replace", "return", "review", "store", "test", "label", "pack", "ship", "prepare",
    "update", "document", "measure", "confirm", "check", "collect", "install", "maintain", "describe", "present", "translate", "archive",
)  # fmt: skip
MANNERS = (
    "promptly", "in writing", "with reasonable care", "at its own expense", "during business hours", "in good order", "without undue delay",
    "in the agreed form", "to the extent practicable", "as soon as reasonably possible", "once in each quarter",
)  # fmt: skip
# Slots: {a} and {b} the parties, {n} a noun, {v} a verb, {m} a manner, {x} a made-up name, {d} a number of days, {e} an amount,
# {t} a date, {s} a clause number, {p} a plan by name.
ORDINARY = (
    "{a} shall {v} each {n} and the related {n} {m}, and shall keep the {n} for the {x} line available for {d} days.",
    "Where a {n} concerns the {x} site, {b} shall {v} the {n} {m} and inform {a} of the result within {d} days.",
    "The {n} referred to in clause {s} shall {v} the {n} of the {x} series {m}.",
    "{b} shall {v} the {n}, the {n} and the {n} listed in {p} before {t}.",
    "If a {n} is late by more than {d} days, {a} may ask for a revised {n} and {b} shall {v} it {m}.",
    "The parties shall meet at {x} in each quarter to review the {n}, the {n} and any open {n} of the {x} programme.",
    "The price of each {x} {n} is {e} and is stated without tax; the {n} for {x} is charged at {e}.",
    "{a} shall pay each undisputed {n} within {d} days of receipt of a correct {n} quoting the {x} reference.",
    "No {n} is accepted until the {n} has passed the {x} test described in {p}.",
    "{b} shall keep a {n} of every {n} made at {x} and shall {v} that {n} on request.",
    "Each party bears its own costs of the {n}, save that the {n} for {x} is shared in equal parts up to {e}.",
    "The {n} may be changed by a written {n} signed by both parties; the {x} {n} of {t} is an example of such a change.",
    "A {n} sent by post to {x} is deemed received {d} days after posting.",
    "{a} and {b} shall each name a {n} manager for {x}, who shall {v} the {n} {m}.",
    "The {n} at {x} shall be kept at a temperature of between {d} and {d} degrees and {v} shall mean to {v} {m}.",
    "Any {n} found in the {x} {n} shall be marked, listed in the {n} and sent to {b} within {d} days.",
    "{b} shall {v} the {n} {m}; a delay caused by a {n} of {a} extends the time by the same number of days.",
    "For the {x} project the {n} of {t} applies in place of the {n} described in clause {s}.",
    "Words such as “{n}” and “{n}” in {p} have the meaning that the {x} handbook gives them.",
    "The warranty period of the {x} {n} is {d} months from the date on which the {n} was accepted.",
)
HEADINGS = (
    "Scope", "Orders", "Delivery", "Inspection", "Acceptance", "Prices", "Payment", "Records", "Reports", "Meetings", "Packing", "Storage",
    "Training", "Support", "Changes", "Quality", "Safety", "Spare Parts", "Tools", "Documents", "Sites", "Staff", "Forecasts", "Transport",
)  # fmt: skip
# (share of the papers in which it stands, heading, text)
SPECIAL = (
    (
        1.0,
        "Governing Law",
        "This Agreement is governed by the laws of {law}, and the courts of {law} have exclusive jurisdiction.",
    ),
    (
        0.9,
        "Term",
        "This Agreement takes effect on {t} and continues for {d} months, unless ended earlier under clause {s}.",
    ),
    (
        0.4,
        "Liability",
        "The total liability of either party under this Agreement is limited to {e} in each contract year.",
    ),
    (
        0.3,
        "Assignment",
        "Neither party may assign this Agreement without the prior written consent of the other party.",
    ),
    (
        0.2,
        "Renewal",
        "This Agreement renews automatically for successive periods of one year unless either party gives {d} days' notice.",
    ),
    (
        0.12,
        "Change of Control",
        "If there is a Change of Control of {a}, {b} may terminate this Agreement by {d} days' written notice.",
    ),
    (
        0.12,
        "Termination for Convenience",
        "{b} may terminate this Agreement for convenience at any time on {d} days' written notice.",
    ),
    (
        0.08,
        "Minimum Purchase",
        "{a} shall purchase from {b} in each contract year goods to a value of not less than {e}.",
    ),
    (
        0.06,
        "Exclusivity",
        "During the term {a} shall purchase all of its requirements of {x} parts exclusively from {b}.",
    ),
    (
        0.04,
        "Non-Competition",
        "During the term and for two years after it {a} shall not compete with the business of {b} in {x}.",
    ),
    (
        0.03,
        "Most Favoured Customer",
        "{a} shall give {b} prices no less favourable than those given to any other customer.",
    ),
    (0.03, "Unlimited Liability", "The liability of {a} for breach of clause {s} is not limited in amount."),
)
SYLLABLES = (
    "al", "bar", "cor", "dan", "el", "fer", "gor", "hal", "in", "jor", "kal", "lor", "mar", "nor", "or", "pel", "quin", "ros", "sel",
    "tor", "ul", "var", "wes", "yor", "zan", "ber", "dol", "fen", "gil", "hov", "len", "mil", "nev", "pol", "ran", "sten", "tam", "vik",
)  # fmt: skip
DRAWN = 4096


def write_room(folder: Path, documents: int = 5000, characters: int = 64_000, seed: int = 0) -> None:
    """Writes that many .txt files, each of that many characters or up to 250 fewer, into 80 numbered folders. The same
    arguments give the same bytes. A paper is written as soon as it is made, so memory does not grow with the room.

    Raises OSError when the folder cannot be written.
    """
    slots = _Slots(random.Random(seed))
    for number in range(documents):
        title, text = _paper(random.Random(f"{seed} {number}"), slots, characters)
        path = folder / f"{number % FOLDERS + 1:02d}" / f"{number + 1:05d} {title}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


class _Slots:
    """Endless streams of words for the slots, drawn many at a time: what makes a room of 320 MB a matter of seconds."""

    def __init__(self, rng: random.Random) -> None:
        names = sorted({"".join(rng.choices(SYLLABLES, k=rng.choice((2, 2, 3)))).title() for _ in range(24_000)})
        rng.shuffle(names)
        self.names = names
        self.n = _drawn(rng, NOUNS)
        self.v = _drawn(rng, VERBS)
        self.x = _drawn(rng, names)
        self.m = _drawn(rng, MANNERS)
        self.p = _drawn(
            rng, [f"Schedule {letter}" for letter in "ABCDEFGHJK"] + [f"the {name} Plan" for name in names[:400]]
        )
        self.d = _drawn(rng, [str(days) for days in (30, 14, 60, 10, 90, 5, 45, 20, 7, 120, 12, 24, 36, 180)])
        self.e = _streamed(lambda: f"{rng.choice(('EUR', 'USD', 'GBP'))} {rng.randrange(1, 5000) * 250:,}", rng)
        self.t = _streamed(lambda: f"{rng.randrange(1, 29)} {rng.choice(MONTHS)} {rng.randrange(2012, 2026)}", rng)
        self.s = _streamed(lambda: f"{rng.randrange(1, 40)}.{rng.randrange(1, 6)}", rng)


def _drawn(rng: random.Random, words: tuple[str, ...] | list[str]) -> Iterator[str]:
    """The n-th word comes up in proportion to 1/(n + 2)."""
    weights = list(accumulate(1 / (rank + 2) for rank in range(1, len(words) + 1)))
    while True:
        yield from rng.choices(words, cum_weights=weights, k=DRAWN)


def _streamed(make: Callable[[], str], rng: random.Random) -> Iterator[str]:
    made = [make() for _ in range(DRAWN)]
    while True:
        yield from rng.choices(made, k=DRAWN)


def _paper(rng: random.Random, slots: _Slots, characters: int) -> tuple[str, str]:
    """(title, text)"""
    kind = rng.choice(KINDS)
    ours = rng.choice(GROUP)
    theirs = f"{rng.choice(slots.names)} {rng.choice(('Works', 'Systems', 'Holding', 'Trading', 'Partners', 'Technik'))} {rng.choice(ENDINGS)}"
    short = {
        "a": rng.choice(("Kestrel", "the Company", "the Customer")),
        "b": rng.choice((theirs.split()[0], "the Supplier", "the Provider")),
    }
    opening = (
        f"{kind.upper()}\n\nThis {kind} (the “Agreement”) is made on {next(slots.t)} between\n\n(1) {ours} (“{short['a']}”); and\n\n"
        f"(2) {theirs} (“{short['b']}”).\n"
    )
    closing = f"\nSigned for and on behalf of {ours}\n\nSigned for and on behalf of {theirs}\n"
    special = [(heading, text) for share, heading, text in SPECIAL if rng.random() < share]
    if rng.random() < len(RARE) / 1000:
        special.append(
            ("Special Provisions", f"The right of {rng.choice(RARE)} of {{b}} in the {{x}} premises is not affected.")
        )
    # Of the 64,000 characters some 30 clauses are made; the special ones stand anywhere among them.
    places = sorted(rng.randrange(2, 32) for _ in special)
    rng.shuffle(special)
    parts, room, clause = [opening], characters - len(opening) - len(closing), 0
    while room > 0:
        clause += 1
        lines: list[tuple[str, str]] = []
        while places and places[0] <= clause:
            places.pop(0)
            lines.append(special.pop())
        heading = lines[0][0] if lines else HEADINGS[rng.randrange(len(HEADINGS))]
        made = f"\n{clause}. {heading}\n"
        drawn = [text for _, text in lines] + rng.choices(ORDINARY, k=rng.randrange(4, 16))
        for line, text in enumerate(drawn, 1):
            made += f"\n{clause}.{line} {_filled(text, slots, short)}\n"
            if len(made) > room:
                return f"{kind} - {theirs}", "".join([*parts, closing])
            parts.append(made)
            room -= len(made)
            made = ""
    return f"{kind} - {theirs}", "".join([*parts, closing])


def _filled(text: str, slots: _Slots, short: dict[str, str]) -> str:
    pieces = text.split("{")
    filled = [pieces[0]]
    law = ""
    for piece in pieces[1:]:
        slot, _, rest = piece.partition("}")
        if slot == "law":
            law = law or LAWS[len(next(slots.x)) % len(LAWS)]
            filled.append(law)
        else:
            word = short.get(slot) or next(getattr(slots, slot))
            if word[0] in "aeiouAEIOU" and filled[-1].endswith((" a ", "A ")):
                filled[-1] = filled[-1][:-1] + "n "
            filled.append(word)
        filled.append(rest)
    sentence = "".join(filled)
    return sentence[0].upper() + sentence[1:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, default=5000)
    parser.add_argument("--characters", type=int, default=64_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    began = time.monotonic()
    write_room(given.folder, given.documents, given.characters, given.seed)
    size = sum(file.stat().st_size for file in given.folder.rglob("*.txt"))
    print(f"{given.documents} documents, {size:,} bytes, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
