"""What a small model finds in words that rules have called by another kind is not said a second time."""

from typing import Any

import pytest

from redwell.diligence.local_reader import same_words


def finding(kind: str, text: str, document: int = 1) -> dict[str, Any]:
    return {"kind": kind, "claim": "c", "quotes": [{"document": document, "text": text}], "values": {}}


@pytest.mark.parametrize(
    ("by_rules", "same"),
    [
        (finding("prepayment_premium", "Borrower shall pay a\npremium of one percent."), True),
        (
            finding(
                "prepayment_premium", "4.1 Upon any prepayment Borrower shall pay a premium of one percent. Else none."
            ),
            True,
        ),
        (finding("prepayment_premium", "pay a premium"), True),
        (finding("fact:amount", "Borrower shall pay a premium of one percent."), False),
        (finding("prepayment_premium", "Borrower shall pay a premium of one percent.", document=2), False),
        (finding("lien", "Lender has a lien on all assets."), False),
    ],
)
def test_words_that_rules_have_named_are_known_again(by_rules: dict[str, Any], same: bool) -> None:
    assert (
        same_words(finding("change_of_control_payment", "Borrower shall pay a premium of one percent."), by_rules)
        is same
    )
