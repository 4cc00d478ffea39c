"""Investors' and owners' rights: who can block the deal, or sell to the company because of it."""

from __future__ import annotations

import re

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.base import Archetype, Clause, Hit, Values, rule

_I = re.IGNORECASE
_PAPERS = ("side_letter", "joint_venture", "charter", "cap_table")
_NEEDS = r"(?:protective provisions?|consent|approval|veto)\b[^.;|]{0,40}(?:\|[^.|]{0,80}|[^.;|]{0,40})\b(?:for|over|to|includ\w+)\b[^.|]{0,60}(?:change (?:of|in) control|merger|sale of (?:all|substantially))"


def _veto(clause: Clause) -> Hit | None:
    if clause.family not in _PAPERS:
        return None
    found = re.search(
        r"(?:shall not|may not|without)[^.;]{0,200}(?:consent|approval|vote)[^.;]{0,200}(?:merger|change (?:of|in) control|sale of (?:all|substantially)|consummate)|(?:merger|change (?:of|in) control|sale of all)[^.;]{0,200}(?:requires?|subject to|without)[^.;]{0,80}(?:consent|approval|vote)",
        clause.text,
        _I,
    )
    found = found or (re.search(_NEEDS, clause.text, _I) if " | " in clause.text else None)
    return Hit({}, found[0]) if found else None


def _put(clause: Clause) -> Hit | None:
    found = re.search(
        r"(?:investor|holder|shareholder|stockholder|member|partner)s?\b[^.;]{0,80}(?:may|right to|option to|entitled to)[^.;]{0,60}(?:require|cause|put|sell)[^.;]{0,80}(?:repurchase|redeem|purchase|buy|put)",
        clause.text,
        _I,
    )
    if not found or clause.family not in (*_PAPERS, "other"):
        return None
    values: Values = {}
    sums = words.money(clause.text)
    if sums:
        values["amount"], values["currency"] = max(sums)
    times = re.search(r"\(?(\d(?:\.\d+)?)\s?x\)?|\b(one|two|three) times", clause.text, _I)
    if times:
        values["times"] = float(times[1]) if times[1] else {"one": 1.0, "two": 2.0, "three": 3.0}[times[2].lower()]
    return Hit(values, found[0])


ARCHETYPES = (
    Archetype(
        id="investor_veto", number=9, workstream="Capitalization", title="Investor must consent to the transaction", evidence="direct", severity="High",
        why="The transaction needs a consent that is not in hand.", next_step="Obtain the consent and a termination of the right at closing.", protection="Closing condition (consent)",
        question="Has an investor or partner a veto over a merger, sale or change of control (side letter, shareholders' agreement, charter)?", triggers=("consent", "approval", "vote"), find=_veto,
    ),
    Archetype(
        id="investor_put", number=9, workstream="Capitalization", title="Investor may put its shares", evidence="direct", severity="High",
        why="The target must buy the shares back at a fixed price.", next_step="Quantify; obtain a waiver.", protection="Closing condition (waiver); debt-like item",
        question="May an investor or partner require that its shares be bought, or buy the target's (put, call)? (values: amount, times)", triggers=("repurchase", "redeem", "put option", "put right", "to purchase"), find=_put,
    ),
    Archetype(
        id="joint_venture_trigger", number=42, workstream="Corporate", title="Joint-venture partner may buy or block on a change of control", evidence="direct", severity="High",
        why="The interest in the venture may be lost, at a price below its value.", next_step="Read the price formula; obtain the partner's consent.", protection="Closing condition (consent); exclusion of the interest",
        question="Does a joint-venture or shareholders' agreement give a partner a call option, a buy-out or a veto on a change of control?", triggers=("change of control", "change in control", "controlling interest", "buy-out", "buyout", "buy out"),
        find=lambda c: rule(r"(?:change (?:of|in) control|controlling interest)[^.;]{0,260}(?:call option|option to (?:purchase|acquire|buy)|right to (?:purchase|acquire|buy)|buy-?out|compulsory|fair (?:market )?value)")(c) if c.family == "joint_venture" else None,
    ),
    Archetype(
        id="preemption", number=8, workstream="Capitalization", title="Pre-emption, drag or tag rights over the shares", evidence="direct", severity="Medium",
        why="A sale that ignores them can be undone.", next_step="Run the notices, or obtain waivers from every holder.", protection="Closing condition (waivers)",
        question="Do holders have pre-emption, drag-along, tag-along or co-sale rights over the shares?", triggers=("drag-along", "drag along", "tag-along", "tag along", "co-sale", "pre-emptive", "preemptive"),
        find=rule(r"\b(?:has|have|shall|may|entitled|exercise|offer|sell)\b[^.;]{0,120}\b(?:drag|tag)[- ]along|(?:drag|tag)[- ]along (?:notice|sale|right|shares)|right of co-sale|pre-?emptive rights?[^.;]{0,80}(?:shares|securities|holder|to (?:purchase|subscribe))", no=(r"\bno (?:pre-?emptive|drag|tag)|not (?:subject to|have|entitled)[^.;]{0,40}pre-?emptive|free of[^.;]{0,40}pre-?emptive",)),
    ),
)  # fmt: skip
