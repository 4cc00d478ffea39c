"""The facts judge on reports of every shape, and on reports that only pretend."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace

import pytest
from planted import all_recipes, ideal, planted, statement

from redwell.bench.facts.grade import grade
from redwell.bench.generate.recipe import ABSENT
from redwell.bench.key import Check, Criterion, Evidence, Key, PlantedIssue, Style, Value
from redwell.bench.verdicts import Verdict

pytestmark = pytest.mark.xdist_group("facts_judge")

KESTREL, MERIDIAN, HARBOR = ("Kestrel Freight",), ("Meridian Tools",), ("Harbor Foods",)
CONSENT = ("consent", "approval")
OPEN = ("missing", "no executed", "not in the room", "outstanding", "not obtained")


def usd(amount: float) -> Value:
    return Value("money", amount, unit="USD", tolerance=0.005)


def issue(identity: str, slug: str, *documents: str, decoy: bool = False) -> PlantedIssue:
    evidence = tuple(
        Evidence(f"e{n}", name, "", (f"words that show the issue in {name}",)) for n, name in enumerate(documents, 1)
    )
    return PlantedIssue(identity, 23, slug, slug, "Contracts", "absence", "w", "train", decoy, "High", evidence)


CHECKS: dict[str, tuple[str, Style, Check]] = {
    "needs": ("K", "fact", Check((KESTREL,), (CONSENT, ("change of control", "ownership", "merger")))),
    "notice": ("K", "fact", Check((KESTREL,), (("notice",),), (Value("days", 60),))),
    "missing": ("K", "absence", Check((KESTREL,), (ABSENT, CONSENT))),
    "risk": ("K", "conclusion", Check((KESTREL,), (("terminat", "at risk", "cancel"),))),
    "sum": ("K", "exposure", Check((KESTREL,), (), (usd(4_200_000),))),
    "obtain": ("K", "recommendation", Check((KESTREL,), (("obtain", "condition", "seek"), CONSENT))),
    "papers": ("K", "sources", Check((KESTREL,), cites=("e1", "e2"))),
    "price": ("M", "fact", Check((MERIDIAN,), (("price", "discount"),), (Value("percent", 12.5),))),
    "price-sum": ("M", "exposure", Check((MERIDIAN,), (), (usd(1_900_000),))),
    "late": ("M", "fact", Check((MERIDIAN,), (("superseded", "amend"),), unless=("still in force",))),
    "decoy": ("H", "precision", Check((HARBOR, CONSENT), (OPEN,), unless=("executed consent", "has consented"), forbidden=True)),
    "top": ("", "report", Check((KESTREL, MERIDIAN), section="executive summary", at_least=2)),
}  # fmt: skip
KEY = Key(
    "room", "Northwind Instruments, Inc.", "1", "desk", "train",
    (
        issue("K", "consent", "6.1/master-services-agreement-kestrel-freight.docx", "6.5/amendment-no-2-kestrel-freight.docx"),
        issue("M", "price", "6.1/meridian-tools-supply-agreement.docx"),
        issue("H", "consent", "6.6/consent-letter-harbor-foods.docx", decoy=True),
    ),
    tuple(Criterion(name, name, f"PASS if {name}", style, about, check) for name, (about, style, check) in CHECKS.items()),
)  # fmt: skip
ROOM = {
    "6.1/master-services-agreement-kestrel-freight.docx": "If Northwind undergoes a Change of Control without the prior written consent of Kestrel Freight, Kestrel Freight may "
    "terminate this Agreement on sixty (60) days' notice. Fees for each contract year amount to $4,200,000 and are due in equal parts on the first day of each quarter.",
    "6.1/meridian-tools-supply-agreement.docx": "The discount of Meridian Tools is twelve and a half per cent (12.5%) of list price on all goods ordered in the year.",
}
ALL = set(CHECKS)


def passed(report: str) -> set[str]:
    return {one.criterion for one in grade(report, KEY.criteria, KEY, ROOM) if one.outcome == "pass"}


PROSE = """# Red flags

## Executive summary

The sale needs the consent of Kestrel Freight. Meridian Tools' prices were changed by a later amendment.

## Contracts

Under Section 14.2 of the Master Services Agreement - Kestrel Freight (as amended by Amendment No. 2 - Kestrel Freight), a change of control needs the consent of
Kestrel Freight, which may otherwise terminate on 60 days' notice. No executed consent has been provided. Annual revenue of $4.2 million is at stake. We
recommend obtaining the consent of Kestrel Freight before closing.

The discount granted to Meridian Tools is now 12.5 per cent; the earlier price list was superseded. It costs some $1.9 million a year.

Harbor Foods has consented: its executed consent of 3 March 2025 is in the room.
"""

REGISTER = """# Red-flag register

## Executive summary
| No. | Issue |
|---|---|
| 1 | Kestrel Freight: consent |
| 2 | Meridian Tools: prices |

## Register (USD thousands)

| No. | Counterparty | Finding | Exposure | Recommended protection | Source |
|---|---|---|---:|---|---|
| R-1 | Kestrel Freight | Consent is needed on a change of control (60 days' notice); revenue at risk; executed consent missing | 4,200 | Obtain consent as a closing condition | master-services-agreement-kestrel-freight.docx, amendment-no-2-kestrel-freight.docx |
| R-2 | Meridian Tools | Discount of 12.5% under the later amendment | 1,900 | Use the current price | meridian-tools-supply-agreement.docx |
| R-3 | Harbor Foods | Executed consent in the room | - | None | consent-letter-harbor-foods.docx |
"""

OURS = """# Legal due diligence report: Northwind

## 1. Executive summary

| F-001 | High | **Kestrel Freight: consent to the merger is needed** \\[1\\] | $4.2M |
|---|---|---|---|
| F-002 | High | **Meridian Tools: later prices** \\[3\\] | $1.9M |

## 4. Findings by workstream

#### F-001 Kestrel Freight: consent to the merger is needed

**High** · Contracts · direct evidence

- **Finding:** The agreement falls to the other side's termination right unless it consents to the change of control.
- **Why it matters:** The consent is not in the data room.
- **Exposure:** $4.2M = one year of fees
- **Next step:** Obtain the consent as a closing condition.

> “Kestrel Freight may terminate this Agreement on sixty (60) days' notice.” (master-services-agreement-kestrel-freight.docx, Section 14.2) \\[1\\]
>
> “Amendment No. 2 is effective at once.” (amendment-no-2-kestrel-freight.docx, page 1) \\[2\\]
>

#### F-002 Meridian Tools: later prices

- **Finding:** The price list was superseded by an amendment: a discount of 12.5%.
- **Exposure:** $1.9M

## Sources

1. 6.1/master-services-agreement-kestrel-freight.docx, Section 14.2: “Kestrel Freight may terminate this Agreement on sixty (60) days' notice.”
2. 6.5/amendment-no-2-kestrel-freight.docx, page 1: “Amendment No. 2 is effective at once.”
"""

MEMO = """**MEMORANDUM**

**1. Executive summary**

Two points matter: Kestrel Freight (consent) and Meridian Tools (prices).

**2. Kestrel Freight**

The customer's approval is required before the ownership of the target changes [1], [2]. Notice is ninety... no: sixty (60) days.

We looked for that approval in every folder. None was found in the data room.

If it is not obtained:
1. the customer may cancel;
2. annual fees of USD 4,200,000 would be lost.

Next step
- Seek the approval before signing.

**3. Meridian Tools**

* The discount rose to 12.5 % when the agreement was amended.
  - This costs $1,900,000 a year.

**Sources**

[1] Master Services Agreement - Kestrel Freight
[2] Amendment No. 2 - Kestrel Freight
"""


@pytest.mark.parametrize("report", [PROSE, REGISTER, OURS, MEMO], ids=["prose", "register", "our own report", "memo"])
def test_a_good_report_passes_in_any_shape(report: str) -> None:
    assert passed(report) == ALL


@pytest.mark.parametrize(
    ("sentence", "criteria"),
    [
        ("Kestrel Freight must consent to a change of control.", {"needs", "decoy"}),
        ("Kestrel Freight need not consent to a change of control: no consent is required.", set()),
        ("Consent to a change of control is needed.", set()),
        ("Kestrel Freight and 60 days.", set()),
        ("Kestrel Freight may give notice of 60 days.", {"notice", "decoy"}),
        ("Kestrel Freight may give notice of 90 days.", set()),
        ("Meridian Tools may give notice of 60 days, Kestrel Freight may not.", set()),
        ("The consent of Kestrel Freight is not missing.", set()),
        ("The consent of Kestrel Freight is missing.", {"missing", "decoy"}),
        ("The approval of Kestrel Freight could not be located.", {"missing", "decoy"}),
        ("Kestrel Freight did consent. The schedules are missing.", set()),
        ("Kestrel Freight could not terminate.", set()),
        ("Kestrel Freight obtained our consent.", set()),
        ("We should obtain the consent of Kestrel Freight.", {"obtain", "decoy"}),
        ("Obtain the consent of Kestrel Freight.", {"obtain", "decoy"}),
        ("Kestrel Freight: $4,200,000.", {"sum", "decoy"}),
        ("Kestrel Freight pays $4,100,000, Meridian Tools $4,200,000.", set()),
        ("$4,200,000 comes from Kestrel Freight and $1,900,000 from Meridian Tools.", {"sum", "price-sum", "decoy"}),
        ("Kestrel Freight pays $1,900,000 and Meridian Tools pays $4,200,000.", set()),
        ("Kestrel Freight pays EUR 4,200,000.", set()),
        ("The price of Meridian Tools was amended and is still in force.", set()),
        ("The price of Meridian Tools was amended and is no longer still in force.", {"late", "decoy"}),
    ],
)
def test_single_sentences(sentence: str, criteria: set[str]) -> None:
    assert passed(f"# Report\n\n## Contracts\n\n{sentence}\n") == criteria


@pytest.mark.parametrize(
    ("heading", "below", "criteria"),
    [
        ("Kestrel Freight must consent to the change of control", "The agreement needs no consent of Kestrel Freight at all.", set()),
        ("Kestrel Freight must consent to the change of control", "Kestrel Freight has a clause of the usual kind in Section 14.", {"needs", "decoy"}),
        ("Kestrel Freight must consent to the change of control", "Without the consent of Kestrel Freight the merger must not close.", {"needs", "decoy"}),
        ("Kestrel Freight must consent to the change of control", "Whether Kestrel Freight has given its consent should be checked.", {"needs", "decoy"}),
        ("Kestrel Freight may terminate", "On our reading Kestrel Freight may not terminate for that reason.", set()),
        ("Kestrel Freight may terminate", "Kestrel Freight may not terminate before 2027. From then on Kestrel Freight may terminate.", {"risk", "decoy"}),
        ("Kestrel Freight: consent missing", "The consent of Kestrel Freight is not missing.", set()),
        ("Kestrel Freight: consent missing", "The consent of Kestrel Freight was signed on 3 March 2025 and is in the data room.", set()),
        ("Kestrel Freight: consent missing", "A form of consent is in the data room; Kestrel Freight is a customer.", {"missing", "decoy"}),
        ("Kestrel Freight: consent missing", "We looked for it in every folder. None was found in the data room.", {"missing", "decoy"}),
        ("Kestrel Freight: price was superseded", "Kestrel Freight is a customer.", set()),
        ("Meridian Tools: prices amended", "The old price of Meridian Tools is still in force.", set()),
    ],
)  # fmt: skip
def test_a_heading_asserts_nothing_that_is_denied_below_it(heading: str, below: str, criteria: set[str]) -> None:
    assert passed(f"# Report\n\n### {heading}\n\n{below}\n") == criteria


@pytest.mark.parametrize(
    ("sentence", "asserted"),
    [
        ("The consent of Harbor Foods is missing.", True),
        ("No executed consent of Harbor Foods is in the data room.", True),
        ("Harbor Foods: approval outstanding.", True),
        ("The consent of Harbor Foods is not missing.", False),
        ("The consent of Harbor Foods is in the room.", False),
        ("A draft of the consent of Harbor Foods is missing a date, but the executed consent is in the room.", False),
        ("Harbor Foods has consented; nothing is outstanding.", False),
        ("Check whether the consent of Harbor Foods is missing.", False),
        ("No executed consent is in the room for Kestrel Freight. Harbor Foods has consented.", False),
        ("Consents are missing from Kestrel Freight, Meridian Tools and Harbor Foods.", True),
    ],
)
def test_a_decoy_must_not_be_asserted(sentence: str, asserted: bool) -> None:
    found = passed(f"# Report\n\nKestrel Freight may terminate.\n\n## Harbor\n\n{sentence}\n")
    assert ("decoy" not in found) is asserted


def test_a_list_of_everybody_asserts_decoys_and_nothing_else() -> None:
    names = ["Alder Works", "Birch Lines", "Cedar Foods", "Dogwood Rail", "Elm Street Bank", "Fir Partners"]
    more = tuple(issue(f"X{n}", "other") for n, _ in enumerate(names))
    checks = tuple(
        Criterion(f"x{n}", "", "", "conclusion", f"X{n}", Check(((name,),), (("terminat",),)))
        for n, name in enumerate(names)
    )
    key = replace(KEY, issues=KEY.issues + more, criteria=KEY.criteria + checks)
    everybody = ", ".join(["Kestrel Freight", "Harbor Foods", *names])
    report = f"# Report\n\nThe consents of these are missing: {everybody}.\n\nAlder Works may terminate.\n"
    found = {one.criterion for one in grade(report, key.criteria, key, ROOM) if one.outcome == "pass"}
    assert found == {"x0"}


def test_decoys_left_alone_and_documents_cited_count_only_beside_a_finding() -> None:
    assert passed("# Report\n\nWe have read everything with care and found nothing of note in it.\n") == set()
    cited = "We refer to master-services-agreement-kestrel-freight.docx and amendment-no-2-kestrel-freight.docx on Kestrel Freight, which we have read."
    assert passed(f"# Report\n\n{cited}\n") == set()
    assert passed(f"# Report\n\n{cited} Kestrel Freight may terminate.\n") == {"risk", "papers", "decoy"}


def test_an_executive_summary_must_name_what_matters_under_its_own_heading() -> None:
    body = "Kestrel Freight may terminate. Meridian Tools was amended."
    assert "top" in passed(f"# Summary of key findings\n\n{body}\n")
    assert "top" not in passed(f"# Findings\n\n{body}\n")
    assert "top" not in passed("# Executive summary\n\nKestrel Freight may terminate.\n")


def test_a_card_that_names_its_subject_once_is_about_it() -> None:
    card = """#### F-006 A right to end the contract

- **Finding:** The agreement with Kestrel Freight (msa.docx) ends when ownership changes.
- **Why it matters:** The other side may terminate.
- **Exposure:** $4.2M
"""
    assert passed(card) == {"risk", "sum", "decoy"}
    listed = card.replace("**", "").replace("Finding: ", "").replace("Why it matters: ", "").replace("Exposure: ", "")
    assert passed(listed) == set()


def test_what_a_reader_of_the_page_does_not_see_is_not_asserted() -> None:
    hidden = "<!-- The consent of Kestrel Freight is missing. -->\n\n~~Kestrel Freight may terminate.~~\n\nKestrel Freight is a customer.\n"
    assert passed(hidden) == set()


def test_quotations_show_facts_and_not_conclusions() -> None:
    quote = "“Kestrel Freight may terminate this Agreement on sixty (60) days' notice; its consent to a Change of Control is missing; fees are $4,200,000.”"
    alone = f"# Report\n\n{quote}\n"
    introduced = f"# Report\n\nOn Kestrel Freight the agreement says this in its general part: {quote}\n"
    assert passed(alone) == set()
    assert passed(introduced) == {"needs", "notice", "decoy"}
    assert "missing" not in passed(introduced)


def test_the_words_of_the_room_without_quotation_marks_are_not_the_reporters() -> None:
    pasted = (
        "# Master Services Agreement - Kestrel Freight\n\n"
        + ROOM["6.1/master-services-agreement-kestrel-freight.docx"]
        + "\n"
    )
    assert passed(pasted) == set()
    own = "\nIn short, Kestrel Freight may terminate this contract when ownership passes, and fees of $4.2 million a year would go.\n"
    assert {"risk", "sum"} <= passed(pasted + own)


@pytest.mark.parametrize(
    "report",
    [
        "",
        "\n \n",
        "#",
        "|||\n|-|",
        "> ",
        "[",
        "```",
        "\x00\ud800",
        "|" * 5_000,
        "- " * 5_000,
        "**" * 5_000,
        "“" * 5_000,
        "1" * 50_000,
    ],
)
def test_no_text_is_too_odd(report: str) -> None:
    assert passed(report) == set()


def test_a_memo_in_a_lawyers_own_words_passes() -> None:
    recipes = {recipe.slug: recipe for recipe in all_recipes()}
    slugs = ("change_of_control_consent", "unreleased_lien", "reserve_below_estimate")
    key, _ = planted([(recipes[slug], recipes[slug].ways[3], False) for slug in slugs], "21", "test")
    customer, creditor, opponent = (
        next(name for one in key.criteria if one.issue == each.id for group in one.check.about for name in group)
        for each in key.issues
    )
    sums = [
        [value.amount for one in key.criteria if one.issue == each.id for value in one.check.values]
        for each in key.issues
    ]
    cited = ["; ".join(part.document.rsplit("/", 1)[-1] for part in each.evidence) for each in key.issues]
    reserve, estimate, gap = sums[2]
    memo = f"""# Project Falcon: red flag memo

## Commercial contracts

### {customer}

The papers give {customer} a veto: it has to sign off, that is approve, before ownership of the target passes ({cited[0]}). Despite a full search we have not seen any signed
approval. Should the deal complete regardless, the customer is entitled to cancel, and roughly ${sums[0][0]:,.0f} of yearly sales goes with it.

**Action:** make delivery of {customer}'s written approval a condition precedent to closing.

## Finance

| Topic | Finding | Amount (US$ thousands) | Proposed protection |
|---|---|---|---|
| {creditor} | Lien is still of record although the debt was repaid in full; we found no release ({cited[1]}) | {sums[1][0] / 1000:,.1f} | Release to be delivered at closing |
| {opponent}: reserve | Accrual covers a fraction only and is too low against counsel's estimate of up to {estimate / 1000:,.1f} ({cited[2]}) | {reserve / 1000:,.1f} reserved; shortfall {gap / 1000:,.1f} | Special indemnity backed by an escrow |
"""
    verdicts = grade(memo, key.criteria, key, {})
    assert [
        (one.match_criteria, verdict.reason)
        for one, verdict in zip(key.criteria, verdicts, strict=True)
        if verdict.outcome != "pass"
    ] == []


# --- reports that pretend, on a room of many plants


@pytest.fixture(scope="module")
def many() -> tuple[Key, dict[str, str]]:
    """One way of every fourth recipe, every third of them a decoy."""
    chosen = [
        (recipe, next(way for way in recipe.ways if way.split == "test"), n % 3 == 2)
        for n, recipe in enumerate(all_recipes()[::3])
    ]
    return planted(chosen[:24], "7", "test")


def _title(path: str) -> str:
    return path.rsplit("/", 1)[-1].rsplit(".", 1)[0].replace("-", " ")


def _counts(report: str, many: tuple[Key, dict[str, str]]) -> Counter[str]:
    key, texts = many
    verdicts: list[Verdict] = grade(report, key.criteria, key, texts)
    return Counter(one.style for one, verdict in zip(key.criteria, verdicts, strict=True) if verdict.outcome == "pass")


def _names(key: Key) -> list[str]:
    about = {name for one in key.criteria for group in one.check.about for name in group}
    return sorted(name for name in about if any(sign.isupper() for sign in name))


def _numbers(texts: dict[str, str]) -> list[str]:
    figures = {one for text in texts.values() for one in re.findall(r"[$€]?\d[\d,.]*\d(?: million)?%?", text)}
    days = {
        one
        for text in texts.values()
        for one in re.findall(r"[A-Z][a-z]+ \d{1,2}, \d{4}|\d{1,2} [A-Z][a-z]+ \d{4}", text)
    }
    return sorted(figures | days)


def test_a_shotgun_of_every_name_and_number_passes_nothing(many: tuple[Key, dict[str, str]]) -> None:
    key, texts = many
    names, numbers = _names(key), _numbers(texts)
    says = sorted({word for one in key.criteria for group in one.check.says for word in group})
    assert len(names) > 20
    assert len(numbers) > 60
    one_line = f"# Report\n\nNames: {', '.join(names)}.\n\nFigures: {', '.join(numbers)}."
    for_each = "\n\n".join(f"{name}: {', '.join(numbers)}." for name in names)
    by_eights = "\n\n".join(
        f"{name}: {', '.join(numbers[at : at + 8])}." for name in names for at in range(0, len(numbers), 8)
    )
    words = "\n\n".join(f"{name}: {', '.join(says)}." for name in names)
    both = "\n\n".join(f"{name}: {', '.join(says)}. {', '.join(numbers)}" for name in names)
    for report in (one_line, for_each, by_eights, words, both):
        assert _counts(report, many).total() == 0


def test_a_copy_of_the_room_passes_nothing(many: tuple[Key, dict[str, str]]) -> None:
    _, texts = many
    pasted = "\n\n".join(f"# {_title(path)}\n\n{text}" for path, text in texts.items())
    quoted = "\n\n".join(
        f"# {_title(path)}\n\n" + "\n>\n".join(f"> “{line}”" for line in text.split("\n") if line.strip())
        for path, text in texts.items()
    )
    introduced = quoted.replace(
        "\n\n>", "\n\nWe have read this document with care, and it says what follows here.\n\n>"
    )
    assert _counts(pasted, many).total() == 0
    assert _counts(quoted, many).total() == 0
    assert _counts(introduced, many).total() <= 3  # a word of an introduction may meet a heading


def _claims(key: Key) -> tuple[list[str], list[tuple[str, str]]]:
    """The names of subjects, and every statement of the rubric with its own subject's name."""
    subject = {
        one.id: next(
            (
                name
                for c in key.criteria
                if c.issue == one.id
                for group in c.check.about
                for name in group
                if name in _names(key)
            ),
            "",
        )
        for one in key.issues
    }
    said = [
        (subject[one.issue], statement(one.match_criteria))
        for one in key.criteria
        if subject.get(one.issue) and one.style not in ("precision", "sources")
    ]
    return [name for name in subject.values() if name], said


def _asserted_of(name: str, said: list[tuple[str, str]]) -> str:
    sentences = (re.sub(r"\$?\d[\d,.]*( million)?", "a sum", sentence.replace(other, name)) for other, sentence in said)
    return f"\n### {name}\n\n" + "\n".join(f"- {one}" for one in sentences) + "\n"


def test_a_report_that_asserts_every_issue_of_everybody_passes_nothing(many: tuple[Key, dict[str, str]]) -> None:
    names, said = _claims(many[0])
    assert _counts("# Report\n" + "".join(_asserted_of(name, said) for name in names), many).total() == 0


@pytest.mark.parametrize("share", [0.7, 0.5, 0.3, 0.2])
def test_nor_does_one_that_asserts_every_issue_of_some_or_some_issues_of_everybody(
    many: tuple[Key, dict[str, str]], share: float
) -> None:
    names, said = _claims(many[0])
    drawn = random.Random(1)
    of_some = "# Report\n" + "".join(_asserted_of(name, said) for name in names if drawn.random() < share)
    some_of_all = "# Report\n" + "".join(
        _asserted_of(name, [one for one in said if drawn.random() < share]) for name in names
    )
    assert _counts(of_some, many).total() == 0
    counts = _counts(some_of_all, many)
    assert counts.total() - counts["precision"] <= 0.03 * len(many[0].criteria)


@pytest.mark.parametrize("steps", [12, 20, 40])
@pytest.mark.parametrize("lowest", [200_000, 1_000_000])
def test_a_ladder_of_sums_that_meets_any_amount_passes_nothing(
    many: tuple[Key, dict[str, str]], steps: int, lowest: int
) -> None:
    sums = [lowest * 1.05**step for step in range(steps)]
    written = [
        f"${one / 1e6:.2g} million" if one >= 1e6 else f"${float(f'{one:.2g}'):,.0f}" for one in sums
    ]  # two digits each, as sums are rounded
    report = "# Report\n"
    for name in _claims(many[0])[0]:
        report += f"\n### {name}\n\n" + "\n\n".join(
            f"The amount that is at stake with {name} on the papers that we were shown could well come to "
            + " or perhaps rather about ".join(written[at : at + 6])
            + " if all that could go wrong in the matter went wrong in the end."
            for at in range(0, steps, 6)
        )
    assert _counts(report, many).total() == 0


def test_a_template_passes_nothing(many: tuple[Key, dict[str, str]]) -> None:
    template = """# Legal due diligence report

## Executive summary

Consents to the change of control are missing and must be obtained before closing. Key agreements may be terminated, and revenue is at risk.

## Contracts

No executed consents are in the data room. Exposure is $1,000,000 to $5,000,000. We recommend a specific indemnity and a special escrow.

## Missing documents

Several documents are missing, unsigned or outstanding.
"""
    assert _counts(template, many).total() == 0


def test_a_report_of_what_was_planted_passes_all_and_a_part_of_it_passes_its_part(
    many: tuple[Key, dict[str, str]],
) -> None:
    key, _ = many
    whole = ideal(key)
    verdicts = grade(whole, key.criteria, key, many[1])
    failed = [
        (one.match_criteria, verdict.reason)
        for one, verdict in zip(key.criteria, verdicts, strict=True)
        if verdict.outcome != "pass"
    ]
    assert len(failed) <= len(key.criteria) // 50, failed
    issues = [one.id for one in key.issues if not one.decoy]
    half = set(random.Random(1).sample(issues, len(issues) // 2))
    part = grade(ideal(key, half), key.criteria, key, many[1])
    found = {
        one.issue
        for one, verdict in zip(key.criteria, part, strict=True)
        if verdict.outcome == "pass" and one.style != "precision"
    }
    assert found <= half
    assert len(found) >= len(half) - 1
