"""Liability: carve-outs from caps, caps, and damages fixed in advance."""

from __future__ import annotations

import re

from redwell.diligence.archetypes.base import Archetype, Clause, Hit, Values, rule
from redwell.diligence.archetypes.commercial import priced

_I = re.IGNORECASE


_UNCAPPED = re.compile(
    r"\bliabilit\w+[^.;]{0,120}\b(?:unlimited|uncapped|without (?:limit|limitation)\b(?! on)|not (?:be )?(?:limited|capped)|no (?:limit|cap))|\bunlimited liabilit\w+|"
    r"\b(?:limitation|limit|cap|exclusion|limitations|exclusions|foregoing|section|disclaimer)s?\b[^.;]{0,120}\b(?:shall|will|do|does)\s+not\s+(?:apply|limit|be applicable|affect|restrict|extend)|"
    r"\b(?:except|other than|excluding|save|with the exception)\b[^;]{0,400}\b(?:neither|in no event|no event|not be (?:held )?liable|liabilit\w+|not exceed|no party|shall either|liable)\b|"
    r"\b(?:in no event|neither|liabilit\w+|not (?:be )?(?:held )?liable|not exceed)\b[^;]{0,500}\b(?:except|other than|unless|excluding|save|provided[,]? (?:however[,]? )?that)\b[^;]{0,300}",
    _I,
)


_BREACHES = re.compile(
    r"gross(?:ly)? negligen|wil?lful|intentional|fraud|indemnif|indemnity|confidential|bodily injury|personal injury|death|infring|third[- ]party claim|misconduct|breach of (?:section|article)|"
    r"(?:section|article|paragraph|clause)s? [\dA-Z]|unlimited|uncapped|damage to property",
    _I,
)


def _uncapped(clause: Clause) -> Hit | None:
    text = clause.text
    if not re.search(r"liab|damages", text, _I):
        return None
    found = _UNCAPPED.search(text)
    if (
        not found
        or not _BREACHES.search(text)
        or re.search(
            r"\b(?:shall|will|agrees? to|must) (?:\w+[, ]+){0,4}(?:indemnify|defend|hold harmless)|insurance", text, _I
        )
    ):
        return None
    if not re.search(
        r"consequential|indirect|special|incidental|exceed|limit|unlimited|uncapped|punitive|cap\b|lost profits|aggregate",
        text,
        _I,
    ):
        return None
    values: Values = {}
    if re.search(r"unlimited|uncapped|without limit\b|no limit", text, _I):
        values["outright"] = True
        values["bound"] = _liable(text)
    return Hit(values, found[0][:60])


def _liable(text: str) -> str:
    match = re.search(r"([A-Z][\w&.-]+)[’']s (?:\w+ )?liabilit", text) or re.search(
        r"liabilit\w+ of (?:the )?([A-Z][\w&.-]+)", text
    )
    return match[1] if match else ""


_CAP = re.compile(
    r"(?:liabilit\w+|liable|damages|obligations?|recover\w*)[^.;]{0,260}\b(?:exceed|limited to|capped|in excess of|limit(?:ed)? (?:of|to)|more than)\b|\b(?:in no event|neither|no party|not)\b[^.;]{0,200}"
    r"\bliable\b[^;]{0,260}\b(?:consequential|indirect|incidental|special|punitive|lost profits|loss of profits?)",
    _I,
)


def _liquidated(clause: Clause) -> Hit | None:
    text = clause.text
    found = re.search(
        r"liquidated damages|\bnot (?:as )?a penalty|service (?:level )?credits?\b|early termination (?:fee|charge)|termination fee|(?:late|delay) (?:delivery )?(?:penalt|damages)|"
        r"(?:credit|penalty|deduct\w*|rebate)[^.;]{0,80}\b(?:percent|%)[^.;]{0,80}(?:each|per|every|for)[^.;]{0,60}(?:day|week|hour|percentage|point|failure|month|delay)",
        text,
        _I,
    )
    if not found or re.search(
        r"no (?:early[- ])?termination (?:fee|charge|penalt)|without[^.;]{0,40}(?:termination fee|penalt)|nor[^.;]{0,30}liquidated|shall not be (?:construed|deemed)[^.;]{0,20}penalt",
        text,
        _I,
    ):
        return None
    return Hit(priced(clause), found[0])


ARCHETYPES = (
    Archetype(
        id="uncapped_liability",
        number=35,
        workstream="Contracts",
        title="Carve-outs from the limitation of liability",
        evidence="direct",
        severity="Low",
        why="For the heads carved out the agreed cap or exclusion does not hold: loss under them can exceed what the contract is worth.",
        next_step="Read the heads carved out against the claims history and the limits of the insurance programme.",
        protection="Representation that no claim under a carved-out head is known; insurance for those heads",
        question="Which heads of loss are carved out of a cap on or an exclusion of liability?",
        triggers=("liab", "limitation"),
        find=_uncapped,
        routine=True,
    ),
    Archetype(
        id="unlimited_liability",
        number=35,
        workstream="Contracts",
        title="Unlimited liability",
        evidence="direct",
        severity="Medium",
        why="One event under this contract can cost more than the contract, or the business, is worth.",
        next_step="Ask for the claims history under the contract and the policy that would answer; seek a cap of one to two years' fees.",
        protection="Amendment capping liability before closing, or a specific indemnity; insurance cover confirmed",
        question="Is a party's liability said to be unlimited?",
        triggers=("unlimited", "uncapped", "without limit", "no limit"),
        find=rule(
            r"\bliabilit\w+[^.;]{0,160}\b(?:unlimited|uncapped|without (?:any )?limit\b(?!ation)|not (?:be )?(?:subject to any )?(?:limited|capped)\b|no (?:limit|cap)\b)|\bunlimited (?:\w+ )?liabilit\w+",
            no=(r"unlimited liability company|shall not be unlimited|without limitation",),
            values=lambda c: {"bound": _liable(c.text)},
        ),
    ),
    Archetype(
        id="liability_cap",
        number=0,
        workstream="Contracts",
        title="Cap on liability",
        evidence="direct",
        severity="Low",
        why="It bounds what can be claimed from the target, or by it.",
        next_step="Note the caps of the material contracts.",
        question="Is liability capped or excluded, and at what?",
        triggers=("liab", "damages"),
        find=rule(_CAP.pattern, no=(r"insurance|coverage of|limits of liability of not less|tax liabilit",)),
        support=True,
    ),
    Archetype(
        id="liquidated_damages",
        number=36,
        workstream="Contracts",
        title="Liquidated damages, service credits or termination fee",
        evidence="direct",
        severity="Low",
        why="Sums fall due without proof of loss; credits that have accrued and were not booked lower the price.",
        next_step="Obtain the service-level and delivery record of the last twenty-four months, and what was credited or paid under it.",
        protection="Debt-like item for accrued credits and damages",
        question="Are liquidated damages, service credits or a termination fee agreed?",
        triggers=("liquidated", "penalty", "credit", "termination fee", "termination charge", "rebate", "deduct"),
        find=_liquidated,
        routine=True,
    ),
)
