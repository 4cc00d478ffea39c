"""How far the yes and no of a local model can be trusted: asked about passages of real contracts that lawyers have labelled.

    python benchmarks/calibrate_local.py ../shared/data/cuad qwen-coder-1.5b --passages 60 --out out/calibration [--write docs/results.md]

For each half of CUAD (the split of reader_on_cuad.py) it draws contracts and passages by a hash of their place, half of them with a labelled clause
that they may hold, and asks the very questions that `--sub local:NAME` asks (diligence/local_reader.py). A question is right when it is
answered yes and the passage overlaps a clause of that category. On the `dev` half it fits slope and offset of the logistic function (Platt),
corrected for the share of labelled passages among all candidates; on the `held_out` half, which nothing was fitted on, it measures. Scores are kept
in `--out`, so that a second call asks only what is new. The two constants stand in src/redwell/models/local_catalogue.toml.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reader_on_cuad import contracts, fold, half, places
from results import section

from redwell.diligence.candidates import Passage, candidates
from redwell.diligence.local_reader import SURE, yes_or_no
from redwell.harness.fence import Slice
from redwell.models.local import Local, probability
from redwell.models.local_files import Calibration, catalogue

KINDS = {
    "exclusivity": "Exclusivity",
    "non_compete": "Non-Compete",
    "most_favored_nation": "Most Favored Nation",
    "minimum_commitment": "Minimum Commitment",
    "uncapped_liability": "Uncapped Liability",
    "liability_cap": "Cap On Liability",
    "termination_for_convenience": "Termination For Convenience",
    "first_refusal": "Rofr/Rofo/Rofn",
    "ip_assignment": "Ip Ownership Assignment",
    "joint_ownership": "Joint Ip Ownership",
    "non_transferable_licence": "Non-Transferable License",
    "source_code_escrow": "Source Code Escrow",
    "liquidated_damages": "Liquidated Damages",
    "audit_right": "Audit Rights",
    "insurance_duty": "Insurance",
    "covenant_not_to_sue": "Covenant Not To Sue",
    "no_solicit_employees": "No-Solicit Of Employees",
    "no_solicit_customers": "No-Solicit Of Customers",
    "non_disparagement": "Non-Disparagement",
    "revenue_share": "Revenue/Profit Sharing",
    "price_restriction": "Price Restrictions",
    "anti_assignment": "Anti-Assignment",
    "auto_renewal": "Renewal Term",
    "third_party_beneficiary": "Third Party Beneficiary",
    "change_of_control_termination": "Change Of Control",
}
"""The kinds whose question asks what one category of CUAD labels."""
MOST_FROM_ONE = 2  # passages of one contract


@dataclass(frozen=True)
class Asked:
    contract: str
    passage: Passage
    labels: dict[str, bool]  # kind -> whether lawyers labelled such a clause in it


def drawn(name: str, start: int) -> str:
    return hashlib.sha256(f"{name}/{start}".encode()).hexdigest()


def pool(folder: Path, which: str) -> Iterator[Asked]:
    """Every candidate passage of the half, with the kinds to ask about and the lawyers' answers."""
    for name, text, labels in contracts(folder):
        if half(name) != which:
            continue
        folded, stood = fold(text)
        clauses = {
            kind: [(stood[a], stood[b - 1] + 1) for a, b, _ in places(folded, labels.get(category, []))]
            for kind, category in KINDS.items()
        }
        piece = Slice(1, "0" * 64, f"{name}.txt", 0, text, len(text))
        for candidate in candidates([piece], frozenset(KINDS)):
            passage = candidate.passage
            yield Asked(
                name,
                passage,
                {kind: any(_overlap(passage, clause) >= 40 for clause in clauses[kind]) for kind in candidate.kinds},
            )


def _overlap(passage: Passage, clause: tuple[int, int]) -> int:
    return min(passage.end, clause[1]) - max(passage.start, clause[0])


def draw(folder: Path, which: str, count: int) -> tuple[list[Asked], float]:
    """Passages to ask about, half of them with a clause, at most two from a contract; and the share of yes among all candidate questions."""
    every = list(pool(folder, which))
    answers = [label for each in every for label in each.labels.values()]
    taken: list[Asked] = []
    from_one: dict[tuple[str, bool], int] = {}
    with_clause = {True: 0, False: 0}
    for each in sorted(every, key=lambda asked: drawn(asked.contract, asked.passage.start)):
        has = any(each.labels.values())
        key = (each.contract, has)
        if with_clause[has] < count // 2 and from_one.get(key, 0) < MOST_FROM_ONE:
            from_one[key] = from_one.get(key, 0) + 1
            with_clause[has] += 1
            taken.append(each)
    return taken, sum(answers) / len(answers)


async def ask(model: Local, asked: list[Asked], kept: Path) -> list[dict[str, object]]:
    """One line for each question: contract, place, kind, label, lean. What `kept` has is not asked again."""
    lines = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    known = {(line["contract"], line["start"], line["kind"]): line for line in lines}
    wanted = []
    with kept.open("a") as file:
        for number, each in enumerate(asked, 1):
            for kind, label in each.labels.items():
                key = (each.contract, each.passage.start, kind)
                if key not in known:
                    began = time.monotonic()
                    lean, usage = await model.lean(yes_or_no(each.passage, kind), 600.0)
                    known[key] = dict(zip(("contract", "start", "kind"), key, strict=True)) | {
                        "label": label,
                        "lean": lean,
                        "tokens": usage.input - usage.cached_input,
                        "seconds": round(time.monotonic() - began, 3),
                    }
                    file.write(json.dumps(known[key]) + "\n")
                    file.flush()
                wanted.append(known[key])
            print(f"{number} of {len(asked)} passages", flush=True)
    return wanted


def fit(pairs: list[tuple[float, bool]], share: float) -> Calibration:
    """Slope and offset by Newton's method on the log-likelihood (Platt's targets), the offset moved to the share of yes in the whole pool."""
    yes = sum(label for _, label in pairs)
    no = len(pairs) - yes
    target = {True: (yes + 1) / (yes + 2), False: 1 / (no + 2)}
    slope, offset = 0.5, 0.0
    for _ in range(100):
        g0 = g1 = 0.0
        h00 = h01 = h11 = 1e-9
        for lean, label in pairs:
            p = probability(lean, Calibration(slope, offset))
            error, weight = p - target[label], p * (1 - p)
            g0, g1 = g0 + error * lean, g1 + error
            h00, h01, h11 = h00 + weight * lean * lean, h01 + weight * lean, h11 + weight
        determinant = h00 * h11 - h01 * h01
        step0, step1 = (h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant
        slope, offset = slope - step0, offset - step1
        if abs(step0) + abs(step1) < 1e-9:
            break
    drawn_odds, odds = math.log(yes / no), math.log(share / (1 - share))
    return Calibration(round(slope, 4), round(offset + odds - drawn_odds, 4))


def auc(pairs: list[tuple[float, bool]]) -> float:
    """The chance that a question that is right leans further to yes than one that is wrong."""
    yes = [lean for lean, label in pairs if label]
    no = [lean for lean, label in pairs if not label]
    return sum((a > b) + 0.5 * (a == b) for a in yes for b in no) / (len(yes) * len(no))


def measured(pairs: list[tuple[float, bool]], calibration: Calibration, share: float) -> dict[str, float]:
    """AUC, and precision and recall of a yes; precision as it would be at the share of yes in the whole pool."""
    yes = [probability(lean, calibration) >= SURE for lean, label in pairs if label]
    no = [probability(lean, calibration) >= SURE for lean, label in pairs if not label]
    recall, false = sum(yes) / len(yes), sum(no) / len(no)
    hits = recall * share
    precision = hits / (hits + false * (1 - share)) if hits else 0.0
    return {
        "questions": len(pairs),
        "yes": len(yes),
        "auc": auc(pairs),
        "recall": recall,
        "false": false,
        "precision": precision,
        "share": share,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("model", choices=tuple(catalogue()))
    parser.add_argument("--passages", type=int, default=60, help="of each half")
    parser.add_argument("--half", choices=("dev", "held_out", "both"), default="both")
    parser.add_argument("--out", type=Path, default=Path("out/calibration"))
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    halves = ("dev", "held_out") if given.half == "both" else (given.half,)

    async def run() -> dict[str, tuple[list[tuple[float, bool]], float]]:
        model = Local(f"local:{given.model}")
        try:
            found = {}
            for which in halves:
                asked, share = draw(given.folder, which, given.passages)
                lines = await ask(model, asked, given.out / f"{given.model}-{which}.jsonl")
                found[which] = ([(float(line["lean"]), bool(line["label"])) for line in lines], share)  # type: ignore[arg-type]
            return found
        finally:
            await model.close()

    found = asyncio.run(run())
    calibration = catalogue()[given.model].yes
    if "dev" in found:
        fitted = fit(*found["dev"])
        print(f'["{given.model}".yes]\nslope = {fitted.slope}\noffset = {fitted.offset}')
        calibration = calibration or fitted
    rows = [(which, measured(pairs, calibration or Calibration(), share)) for which, (pairs, share) in found.items()]
    used = calibration or Calibration()
    lines = [
        f"Made by `python benchmarks/calibrate_local.py ../shared/data/cuad {given.model} --passages {given.passages}`. The questions are those of "
        "`--sub local:...`, about passages in which words of a kind of clause stand; they are right when lawyers labelled such a clause there. A "
        f"yes is a probability of at least {SURE} (to miss an issue is worth four that are struck out) with slope {used.slope} and offset {used.offset}, fitted "
        "on `dev` alone.",
        "",
        "| half | questions | right | AUC | recall of yes | yes to wrong questions | share right among all candidates | precision of yes |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
        *(
            f"| {which} | {m['questions']} | {m['yes']} | {m['auc']:.2f} | {m['recall']:.0%} | {m['false']:.1%} | {m['share']:.1%} | {m['precision']:.0%} |"
            for which, m in rows
        ),
        "",
        "Half of the passages were drawn because they hold a labelled clause; precision is what that recall and that rate of false yes come to at the "
        "share of right questions among all candidates.",
    ]
    section(f"Yes and no of local:{given.model}", lines, given.write)


if __name__ == "__main__":
    main()
