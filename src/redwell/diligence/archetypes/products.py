"""Brands, code and licences that products rest on: marks that are gone, fees missed, copyleft shipped, licences too narrow, royalties too low."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.agreements import _find
from redwell.diligence.archetypes.base import Issue
from redwell.diligence.archetypes.case import Case
from redwell.diligence.archetypes.links import Said, called, counter, in_hand, issue, links, named, relief, sums
from redwell.diligence.archetypes.ownership import _docs
from redwell.diligence.archetypes.signals import support, worked_out
from redwell.diligence.archetypes.stakes import day_said, said
from redwell.diligence.archetypes.titles import codes_of

_I = re.IGNORECASE
_LICENCE_NAME = (
    r"\b(?:A|L)?GPL(?:[- ]?v?\d(?:\.\d)?)?(?:-only|-or-later)?\b|\bSSPL\b|\bAffero\b|\bGeneral Public Licen[cs]e\b"
)
_COMPONENT = re.compile(
    r"\b([a-z][a-z0-9]+(?:[-_][a-z0-9]+)*|[A-Z]?[a-z]+[A-Z]\w+)\b(?= ?(?:\(|\||,|is\b|comes\b|which\b|v?\d))"
)
_ENDED = r"\b(?:is|was|has been|were|been) (?:cancelled|abandoned|expunged|removed|surrendered|revoked|struck)\b|\b(?:registration|mark|permission|licen[cs]e)\b[^.;]{0,40}\b(?:lapsed|expired|ended|ends|expires|ceases)\b|\bmay use (?:it|the (?:mark|name|brand))\b[^.;]{0,40}\buntil\b|\b(?:use|right to use)\b[^.;]{0,60}\b(?:mark|name|brand)\b[^.;]{0,40}\b(?:until|ends|no longer than)\b"
_TERM = r"\bregistered\b[^.;]{0,60}\bfor (?:a term of )?(?:\w+ )?(?:\(?\d+\)? )?years\b|\b(?:annuity|maintenance fee|renewal fee|renewal|fee)\b[^.;]{0,80}\b(?:fell due|falls due|was due|is due|due (?:on|by)|payable by|open since|not paid|unpaid|missed)\b"
_UNPAID = r"\bnot (?:been )?paid\b|\bunpaid\b|\bfiled nothing\b|\bno instruction\b|\bmissed\b|\bhave not (?:renewed|filed|paid)|\bnothing (?:was |has been )?(?:filed|paid)\b|\bopen\b|\boverdue\b"
_NARROW = r"\blicen[cs]e\b[^.]{0,160}\b(?:only|solely|exclusively|limited to|restricted to|confined to)\b|\b(?:only|solely|limited to)\b[^.]{0,80}\b(?:field|site|plant|territory|licensed premises)\b|\|[^|]*\b(?:field|site|plant|territory)\b[^|]*\|"
_ROYALTY = r"\b(?:pays?|royalt\w+|due)\b[^.;]{0,60}[$€£] ?\d[\d,.]*[^.;]{0,20}\b(?:a|per|for each|each|for every|every)\b[^.;]{0,10}\b(?:units?|pieces?|copy|copies|item|device|sold)|\broyalt\w+\b"
_UNITS = r"\b(?:sold|made|manufactured|delivered|shipped)\b[^.;]{0,30}\b[\d,]{3,}\b[^.;]{0,20}\b(?:units?|pieces?|copies|items|devices)|\b[\d,]{3,} (?:units?|pieces?|copies)\b[^.;]{0,40}\b(?:sold|made|shipped)"


def _lines_with(case: Case, word: str) -> list[Said]:
    """What any document says of a name, its own title counting as said."""
    known, wanted = links(case), word.lower()
    found = []
    for doc in case.ordered():
        label = wanted in f"{doc.label} {called(doc)}".lower()
        found += [
            line
            for line in known.lines[doc.id]
            if wanted in line.text.lower() or (label and (len(known.lines[doc.id]) <= 12))
        ]
    return found


def _copyleft(case: Case) -> Iterator[Issue]:
    known = links(case)
    done: set[str] = set()
    found = [line for doc in case.ordered() if not doc.is_contract for line, _ in known.said([doc], _LICENCE_NAME)]
    for line in found:
        names = [
            m
            for m in _COMPONENT.findall(line.text)
            if len(m) >= 6
            and (m.lower() in line.doc.label.lower() or len(m) >= 9)
            and not re.search(r"licen[cs]e|version|affero|component|product|general|library$", m, _I)
        ]
        if not names or names[0] in done:
            continue
        name = names[0]
        done.add(name)
        lines = _lines_with(case, name)
        network = re.search(r"AGPL|Affero|SSPL", line.text)
        which = re.search(_LICENCE_NAME, line.text)
        case.use(*[f for it in lines for f in case.of(it.doc, "copyleft")])
        if any(
            in_hand(it.doc)
            and re.search(
                r"commercial (?:licen[cs]e|terms)\b[^.]{0,60}\b(?:in place|holds?|granted|without limit)|\bin place of the (?:A|L)?GPL|\boutside the (?:A|L)?GPL|\bhas paid for\b|\blicenses? it to\b|\bunit tests only|\btests? only\b|\bnot (?:been )?(?:shipped|distributed|modified|changed)\b|\bwithout it\b|\bour own people|\bemployees only|\bonly employees|\bno client has|\bnever left\b|\bask us for the source|\bsource (?:code )?(?:is|was) (?:published|offered)|\bpublished\b[^.]{0,30}\bsource",
                it.text,
                _I,
            )
            for it in lines
        ):
            continue
        cost = next(
            (
                (max(sums(it.text)), it)
                for it in lines
                if sums(it.text)
                and re.search(
                    r"doing without|change to another|replac|rewrit|offers?\b|quot|licen[cs]e|put at|at [$€£]|cost|asked for",
                    it.text,
                    _I,
                )
            ),
            None,
        )
        changed = next(
            (
                it
                for it in lines
                if re.search(
                    r"\b(?:patched|altered|modified|changed|forked|adapted|own version|own altered)\b", it.text, _I
                )
            ),
            None,
        )
        if network:
            users = next(
                (
                    (m, it)
                    for it in lines
                    if (
                        m := re.search(
                            r"(?:\b(?:customers?|clients?|users?|accounts?|outside)\b[^.]{0,60}?\b([\d,]{1,9})\b(?! ?%)|\b([\d,]{1,9})\b[^.]{0,20}\b(?:are )?(?:clients|customers|users|outside|external)\b)",
                            it.text,
                            _I,
                        )
                    )
                    and it is not line
                ),
                None,
            )
            if changed is None or users is None:
                continue
            count = users[0][1] or users[0][2]
            yield issue(
                case, "copyleft", "Network copyleft without a commercial licence", f"{name} ({which[0] if which else 'AGPL'})",
                f"{name} is under the {which[0] if which else 'AGPL'} (AGPL) and was modified by the target: “{changed.text[:300]}” {count} users outside the target reach {name} (“{users[1].text[:200]}”). "
                f"There is no commercial licence for {name} in the data room. The target must offer the source of its version of {name} to those users, or is in breach." + (f" A commercial licence costs {case.money(cost[0])}." if cost else ""),
                [line.part, users[1].part, cost[1].part if cost else None], amount=cost[0] if cost else None, formula="the fee of a commercial licence", of=f"{name}: licence", severity="High", evidence="absence", searched=f"a commercial licence for {name}",
                step=f"Buy a commercial licence for {name}, or replace it, before closing.", protection="Closing condition (commercial licence); open-source representation",
            )  # fmt: skip
            continue
        linked = next(
            (
                it
                for it in lines
                if re.search(
                    r"\blink|static|compil|built|build|image|embedded|contains?\b|\.a\b|\.so\b|part of", it.text, _I
                )
            ),
            None,
        )
        shipped = next(
            (
                it
                for d in {it.doc.id: it.doc for it in lines}.values()
                for it in known.lines[d.id]
                if re.search(r"\bdeliver|shipp?|customers?\b|distribut|released?\b|went out|sold", it.text, _I)
            ),
            None,
        )
        if linked is None or shipped is None:
            continue
        product = re.search(
            r"\b([A-Z][a-z]+ (?:Controller|Gateway|Suite|Server|Device|Firmware|Platform|App|Engine|Client|Router|Meter|Sensor)\b)",
            " ".join(f"{it.text} {called(it.doc)}" for it in lines),
        )
        goods = product[1] if product else "the product"
        yield issue(
            case, "copyleft_shipped", "Copyleft code is shipped in a product", f"{name} ({which[0] if which else 'GPL'}), {goods}",
            f"{name}, under {which[0] if which else 'the GPL'}, is linked into {goods} or built into it: “{linked.text[:300]}” {goods} with {name} is shipped and delivered to customers (“{shipped.text[:200]}”). "
            f"There is no offer of source code and no commercial licence for {name} in the data room. Because of {name} the target may have to disclose its own source code, or stops having the right to distribute." + (f" Replacing {name} would cost {case.money(cost[0])}." if cost else ""),
            [line.part, linked.part, shipped.part, cost[1].part if cost else None], amount=cost[0] if cost else None, formula="the estimate for doing without it", of=f"{name}: remedy", severity="High", evidence="absence", searched=f"an offer of source or a commercial licence for {name}",
            step=f"Replace or remove {name}, or buy a commercial licence, before closing.", protection="Closing condition (replacement or commercial licence); open-source representation",
        )  # fmt: skip


def _mark_gone(case: Case) -> Iterator[Issue]:
    known = links(case)
    for doc, finding in _docs(case, "mark_ended"):
        text = said(finding)
        mark = re.search(r"\b([A-Z]{5,})\b", re.sub(r"\b(?:UNSIGNED|DRAFT|NOTICE)\b", "", text) + " " + called(doc))
        around = " ".join(it.text for it in known.lines[doc.id])
        mark = mark or re.search(r"\bmark ([A-Z]{4,})\b", around)
        number = re.search(r"\b(?:Reg|Registration)\b\.? ?(?:No\.? ?)?\d[\d,]+", f"{text} {around}")
        if mark is None:
            continue
        lines = _lines_with(case, mark[1])
        case.use(*case.of(doc, "mark_ended"))
        if any(
            it.doc is not doc
            and in_hand(it.doc)
            and re.search(
                r"principal register|perpetual|registered again|new registration|reinstat|gives\b[^.]{0,60}\blicen[cs]e|licen[cs]e of\b[^.]{0,60}\b(?:granted|passes)|\brenewed\b",
                it.text,
                _I,
            )
            for it in lines
        ):
            continue
        days = words.dates(text) or words.dates(around)
        cost = next(
            (
                (max(sums(it.text)), it)
                for it in lines
                if sums(it.text) and re.search(r"\bname\b|rebrand|label|brand|renam|chang|put at|cost", it.text, _I)
            ),
            None,
        )
        used = next(
            (
                it
                for it in lines
                if it.doc is not doc
                and re.search(r"\||ordered|sell|sold|goods|carton|price|label|revenue", it.text, _I)
            ),
            None,
        )
        if used is None and cost is None:
            continue
        subject = f"{mark[1]} ({number[0]})" if number else mark[1]
        yield issue(
            case, "mark_abandoned", "A mark in use is no longer protected", subject,
            f"The mark {subject} was cancelled, abandoned or its permission ended" + (f" on {day_said(days[0])}" if days else "") + f": “{text}” There is no new registration and no licence for {mark[1]} in the data room. "
            f"{mark[1]} is not protected and may not be used without right, although goods are still sold under it" + (f" (“{used.text[:200]}”)" if used else "") + ": third parties may take it and the target may have to rebrand." + (f" Rebranding {mark[1]} would cost {case.money(cost[0])}." if cost else ""),
            [finding, used.part if used else None, cost[1].part if cost else None], amount=cost[0] if cost else None, formula="the estimate of a new name", of=f"{mark[1]}: rebranding", severity="Medium", evidence="absence", searched=f"a new registration or licence for {mark[1]}",
            step=f"File {mark[1]} anew, or obtain a licence, before closing.", protection="Refiling or licence as closing condition; price",
        )  # fmt: skip


def _later(day: date, years: int = 0, months: int = 0) -> date:
    total = day.month - 1 + months
    year, month = day.year + years + total // 12, total % 12 + 1
    for last in (day.day, 30, 29, 28):
        try:
            return date(year, month, last)
        except ValueError:
            continue
    return day


def _fee_missed(case: Case) -> Iterator[Issue]:
    known = links(case)
    for doc, finding in _docs(case, "right_term"):
        text = f"{said(finding)} {called(doc)}"
        number = re.search(r"\b(?:Reg\.?|US|EP|Registration No\.?) ?\d[\d,]{4,}", text)
        if number is None:
            continue
        tokens = codes_of(number[0])
        lines = [it for d in case.ordered() if tokens & codes_of(d.label) for it in known.lines[d.id]] + [
            it for d in case.ordered() for it in known.lines[d.id] if tokens & codes_of(it.text)
        ]
        state = next((it for it in lines if re.search(_UNPAID, it.text, _I)), None)
        paid = next(
            (
                it
                for it in lines
                if in_hand(it.doc)
                and re.search(
                    r"\b(?:has been|was|were) (?:paid|renewed)\b(?! late)|\brenewal (?:was )?(?:filed|granted|accepted)|\breceipt\b",
                    it.text,
                    _I,
                )
                and not re.search(r"\bnot\b", it.text)
            ),
            None,
        )
        days = words.dates(said(finding))
        if state is None or paid is not None or not days:
            continue
        span = re.search(r"(?:term of |for )(\w+|\d+)(?: \(\d+\))? years", said(finding), _I)
        count = words.months(f"{span[1]} years") if span else None
        due = _later(days[0], months=count) if count else days[-1]
        grace = next(
            (
                words.months(it.text)
                for it in lines
                if re.search(r"surcharge|grace|late fee|further|six months|more on payment", it.text, _I)
                and (words.months(re.sub(r"\b\w+ years\b", "", it.text)) or 0) in range(1, 13)
            ),
            None,
        )
        grace = 6 if grace is None and any(re.search(r"surcharge|grace", it.text, _I) for it in lines) else grace
        last = _later(due, months=grace) if grace else None
        case.use(*case.of(doc, "right_term"))
        yield issue(
            case, "annuity_missed", "A fee for a right was missed", number[0],
            f"The fee or renewal for {number[0]} fell due on {day_said(due)} and was not paid: “{state.text[:300]}” " + (f"The last day on which {number[0]} can be kept alive, with a surcharge, is {day_said(last)}. " if last else "")
            + f"{number[0]} lapses and is lost unless the fee and surcharge are paid in time.",
            [finding, state.part], wanting="the value of the right is not in the documents", severity="Medium", evidence="computed", searched=f"a receipt for {number[0]}",
            step=f"Pay the fee with the surcharge for {number[0]}" + (f" before {day_said(last)} and" if last else "") + " before closing.", protection="Payment before closing; covenant",
        )  # fmt: skip


def _too_narrow(case: Case) -> Iterator[Issue]:
    known = links(case)
    for doc, finding in _docs(case, "narrow_licence"):
        text, keys = said(finding), known.labels[doc.id] | known.keys(said(finding))
        limit = re.search(
            r"\b(?:plant|site|works|factory|premises|facility)\b[^.;|]{0,12} (?:in|at|of) ([A-Z]\w+)|\bfield\b[^|]{0,20}\| ?([^;|.]{3,60})|\b(?:only|solely|limited to|restricted to)\b[^.;|]{0,20}\b(?:in|for|to|at) (?:the )?([^.;|,]{3,60})",
            text,
            _I,
        )
        if limit is None:
            continue
        within = next(g for g in limit.groups() if g).strip()
        use = next(
            (
                (max(sums(it.text)), it)
                for d in known.related(keys, but=doc)
                if not d.is_contract
                for it in known.lines[d.id]
                if sums(it.text)
                and within.lower() not in it.text.lower().split("|")[0]
                and not re.search(r"\btotal\b", it.text, _I)
            ),
            None,
        )
        if use is None:
            continue
        case.use(*case.of(doc, "narrow_licence", "non_transferable_licence"))
        if relief(
            case,
            keys,
            doc,
            r"\bextend(?:s|ed)?\b[^.;]{0,60}\b(?:field|site|plant|licen[cs]e|territory|to)\b|\bconsents? to\b|\bapproves?\b|\bwaive[sd]?\b|\balso (?:at|in|for)\b",
        ):
            continue
        other = counter(case, doc)
        place = use[1].text.split("|")[0].strip() if "|" in use[1].text else use[1].text
        yield issue(
            case, "non_transferable_licence", "The licence does not cover what is done with it", named(case, doc),
            f"The {named(case, doc)} is limited to {within} (plant, site or field) only: “{text}” The target uses the technology of {other} for production or sales outside it, in {place} (“{use[1].text[:300]}”): {case.money(use[0])} a year. "
            f"This use is outside the licence and breaches it, with a risk of termination or infringement.",
            [finding, use[1].part], amount=use[0], formula="one year of sales outside the licence", of=f"{other}: sales outside the licence", severity="High", evidence="cross-document", searched=f"an extension by {other}",
            step=f"Obtain an extension, amendment or consent of {other} before closing, or an indemnity.", protection="Closing condition (licensor's consent); indemnity",
        )  # fmt: skip


def _underpaid(case: Case) -> Iterator[Issue]:
    known = links(case)
    for doc, finding in _docs(case, "royalty_rate"):
        text, keys = said(finding), known.labels[doc.id]
        own = f"{text} {' '.join(it.text for it in known.lines[doc.id])}"
        rate = re.search(
            r"[$€£] ?([\d,]+(?:\.\d+)?)\b[^.;|]{0,20}\b(?:a|per|for each|each|for every|every) (?:unit|piece|copy|item|device)",
            own,
            _I,
        )
        figures: Any = None
        for line, _ in known.said(known.related(keys, but=doc), _UNITS):
            count = re.search(r"\b(\d[\d,]{2,})\b (?:units?|pieces?|copies|items|devices)", line.text)
            if count and sums(line.text):
                figures = figures or (float(count[1].replace(",", "")), max(sums(line.text)), line)
        if rate is None or figures is None:
            continue
        owed = float(rate[1].replace(",", "")) * figures[0] - figures[1]
        if owed <= 0:
            continue
        case.use(*case.of(doc, "royalty_rate"))
        near = " ".join(it.text for it in known.lines[figures[2].doc.id])
        if relief(
            case, keys, doc, r"\breleases?\b[^.;]{0,80}\bfrom\b|\bsettle[ds]\b|\bnone is due\b|\bwaive[sd]?\b"
        ) or re.search(r"\bnone is due\b|\bpays (?:it|them) directly\b|\blicensed by\b[^.]{0,60}\bitself", near, _I):
            continue
        interest = re.search(r"(\d+(?:\.\d+)?) ?(?:%|per ?cent)(?= (?:a|per|each) (?:year|annum)|,? simple)", own, _I)
        span = words.months(" ".join(re.findall(r"[^.;]*\b(?:due|open|outstanding)\b[^.;]*", near))) or 0
        plus = owed * float(interest[1]) / 100 * span / 12 if interest and span else 0.0
        other = counter(case, doc)
        yield issue(
            case, "infringement_claim", "Royalties were underpaid", named(case, doc),
            f"Royalties to {other} under the {named(case, doc)} were underpaid by {case.money(owed)}: {figures[0]:,.0f} units at {case.money(float(rate[1].replace(',', '')))} less {case.money(figures[1])} paid (“{figures[2].text[:300]}”). "
            + (f"{other} may claim interest of {interest[1]} % a year; with {span / 12:g} years of it the claim is {case.money(owed + plus)}. " if interest else "") + f"{other} can claim the sum and may terminate the licence or sue for infringement.",
            [finding, figures[2].part], amount=round(owed + plus), formula=f"{figures[0]:,.0f} units x {rate[1]} - {figures[1]:,.0f}" + (f", plus {interest[1]} % for {span / 12:g} years" if plus and interest else ""), of=f"{other}: royalties", severity=case.grade(owed + plus, unknown="High"), evidence="computed",
            step=f"Take a specific indemnity, settle with {other}, or deduct the sum from the price.", protection="Specific indemnity; price deduction",
        )  # fmt: skip


ARCHETYPES = (
    support("mark_ended", ("cancelled", "abandoned", "expunged", "removed", "surrendered", "revoked", "lapsed", "may use", "permission", "right to use"), _find(_ENDED, r"\bshares?\b|\boption|\bpolicy\b|\bemploy|\bmeeting\b", families=frozenset(["other", "contract", "licence", "ip_register", "escrow", "merger"])), "IP", "Which mark in use was cancelled, or may be used no longer? (values: date)"),
    support("right_term", ("registered", "annuity", "maintenance fee", "renewal"), _find(_TERM, r"\binsur|\blease\b|\bsubscription|\boffice\b", barred=frozenset(["contract", "lease", "insurance"])), "IP", "When is a fee for a patent or mark due?"),
    support("fee_state", ("not paid", "unpaid", "filed nothing", "instruction", "missed", "surcharge", "grace"), _find(rf"{_UNPAID}|surcharge|grace period"), "IP", "Which fee was not paid?"),
    support("narrow_licence", ("licen", "field", "plant", "site"), _find(_NARROW, r"\bsoftware\b[^.]{0,40}\busers?\b|\bconfidential", families=frozenset(["licence", "contract", "other"])), "IP", "To which site, field or territory is an in-licence limited?"),
    support("royalty_rate", ("royalt", "pays", "unit"), _find(r"\broyalt\w+\b[^.]{0,80}[$€£] ?\d|[$€£] ?\d[\d,.]*[^.;|]{0,20}\b(?:a|per|for each|each|for every|every) (?:unit|piece|copy|device)s?\b[^.;|]{0,20}(?:sold|made)?", r"\bminimum\b|\bshall purchase\b|\bbuyer\b", families=frozenset(["licence", "contract", "other", "settlement"])), "IP", "What royalty is due on each unit?"),
    support("units_sold", ("units", "pieces", "copies", "devices"), lambda c: _find(_UNITS)(c) if sums(c.text) else None, question="How many units were sold under a licence, and what was paid?"),
    worked_out("copyleft_shipped", 78, "IP", "Copyleft code is shipped without an offer of source", "The target's own code may have to be disclosed.", "Replace it or buy a licence.", "Closing condition; representation", _copyleft, "absence"),
    worked_out("mark_abandoned", 77, "IP", "A mark in use is no longer protected", "Others may take the name.", "File anew.", "Refiling", _mark_gone, "absence"),
    worked_out("annuity_missed", 73, "IP", "A fee for a right was missed", "The right lapses.", "Pay before the last day.", "Payment before closing", _fee_missed, "computed"),
    worked_out("licence_too_narrow", 74, "IP", "A licence does not cover its use", "Use outside it is infringement.", "Obtain the extension.", "Licensor's consent", _too_narrow, "cross-document", quiet=True),
    worked_out("royalty_underpaid", 80, "IP", "Royalties were underpaid", "The sum is owed with interest.", "Settle or indemnify.", "Indemnity", _underpaid, "computed", quiet=True),
)  # fmt: skip
