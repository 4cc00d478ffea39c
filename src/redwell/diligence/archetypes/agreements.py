"""Contracts against what became of them: steps that move them, changes and side promises, open liability, warnings, rights to buy first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.base import Clause, Hit, Issue, unpointed
from redwell.diligence.archetypes.case import Case, Doc
from redwell.diligence.archetypes.links import Said, called, counter, in_hand, issue, links, named, relief, sums, yearly
from redwell.diligence.archetypes.ownership import _docs, notice
from redwell.diligence.archetypes.signals import support, worked_out
from redwell.diligence.archetypes.stakes import day_said, said

_I = re.IGNORECASE
_SENT = frozenset(["other", "side_letter", "amendment", "contract", "order", "waiver", "consent", "litigation"])


def _find(
    pattern: str, no: str = "", families: frozenset[str] | None = None, barred: frozenset[str] = frozenset()
) -> Any:
    wanted, bar = re.compile(pattern, _I), re.compile(no, _I) if no else None

    def find(clause: Clause) -> Hit | None:
        if (families is not None and clause.family not in families) or clause.family in barred:
            return None
        text = unpointed(clause.text)
        match = wanted.search(text)
        if not match or (bar and bar.search(text)):
            return None
        return Hit({"days": notice(clause.text)}, match[0].replace("·", "."))

    return find


_BY_LAW = r"\b(?:assign\w*|transfer\w*|pass(?:es)?|succession)\b[^.]{0,160}\b(?:operation of law|by law|the law itself|merger|universal succession|whether or not it survives)\b[^.]{0,200}\b(?:consent|void|unless|agree\w*|approv\w*|joined)|\b(?:operation of law|the law itself|by merger)\b[^.]{0,160}\b(?:void|without|unless|consent)\b"
_STEP = r"\bmerges? into\b|\bceases? to exist\b|\bis (?:dissolved|liquidated|split|wound up)\b|\bconvert(?:s|ed) into\b|\bcontribut(?:es|ed|ion)\b[^.;|]{0,60}\bcontract|\b(?:all|its) contracts\b|\bhive[- ]?down\b|\bcarve[- ]?(?:in|out) (?:of|to)\b|\btransfers? (?:all|its) (?:assets|business|undertaking)"
_REPLACED = r"\b(?:rather than|instead of|in place of|put in its place|in its place|in lieu of|is (?:hereby )?(?:replaced|reduced|lowered|changed|cut)|are (?:hereby )?(?:replaced|reduced|lowered|cut)|(?:reduced|lowered|cut|changed|amended) (?:to|from)|now reads?|from now on|henceforth|with effect from)\b"
_PROMISED = r"\bwe (?:will|shall|agree to|undertake to|promise to|are prepared to|hereby)\b[^.;]{0,60}\b(?:credit|refund|rebate|waive|reimburse|grant|give|pay back|not (?:invoice|charge|bill|enforce|apply))\b|\bwill not (?:invoice|charge|bill)\b|\byou (?:need|do|will) not (?:pay|owe)\b|\bbetween us\b|\bfree of charge\b[^.;]{0,60}\b(?:for you|as long)|\bwhatever the (?:price list|contract|agreement) says\b|\bneed not be changed for (?:that|this)\b"
_OPEN = r"\b(?:without|no) (?:any )?(?:limit\w*|cap)\b[^.;]{0,20}(?:of amount|in amount|as to amount|\.|$)|\bunlimited\b[^.;]{0,30}\bliab|\bliab[^.;]{0,60}\b(?:unlimited|uncapped|without (?:any )?limit)|\b(?:limit|limitation|cap|ceiling)\b[^.;]{0,40}\b(?:does|do|shall) not apply\b|\bwhatever (?:the|its|their) amount\b|\bin full and without limit\b"
_WARNED = r"\bnotice of (?:material )?(?:breach|default)\b|\bformal (?:warning|notice|reminder)\b|\bwe (?:hereby )?(?:give|serve) (?:you )?notice\b[^.;]{0,80}\b(?:breach|default|fail)|\bin (?:material )?(?:breach|default) of\b|\bput you in default\b|\bcall upon you to (?:cure|remedy)"
_CURE = r"\b(?:cure|remedy|put (?:it|them|this|that) right|make good|rectif\w+)\b"
_FIRST = r"\b(?:first refusal|first offer|right to match|pre-?emption right)\b|\bbefore\b[^.;]{0,100}\b(?:sells?|sale|disposes?|transfers?)\b[^.;]{0,100}\b(?:shall|must|will|has to|is to)\b[^.;]{0,40}\b(?:offer|present|submit|show|notify)|\b(?:shall|must|will) (?:first|have first) (?:be )?offer"
_OFFER = r"\b(?:offers?|bids?|proposes?|would pay|agrees? to (?:pay|sell|buy))\b[^.;]{0,80}\bfor\b[^.;]{0,80}|\bletter of intent\b|\bto be sold to\b|\bis (?:being )?sold to\b"
_SMALL = r"\b(?:small business|set[- ]aside|8\(a\)|HUBZone|size status|52\.219-28|represents? (?:itself|its size)|other than small|service-disabled|women-owned)\b"
_SECURES = r"\b(?:guarantee|guaranty|letter of credit|standby|surety bond|performance bond|L/C)\b[^.]{0,160}\b(?:default|terminate|suspend|shall|keep|maintain|at all times|secures?)|\b(?:secures?|keep|maintain|provide|procure)\b[^.]{0,80}\b(?:guarantee|guaranty|letter of credit|standby|bond)\b"
_FALLS = r"\b(?:guarantee|guaranty|letter of credit|line|standby|bond|L/?C\w*)\b[^.]{0,120}\b(?:terminates?|ends?|lapses?|expires?|cancel\w*|withdrawn|released|falls? away)\b[^.]{0,120}\b(?:ceases?|closing|subsidiary|sale|group|change|leaves?|sold)|\bcancelled at closing\b|\bends at closing\b"


def _one(case: Case, keys: Any, doc: Doc, pattern: str, *, own: bool = False) -> tuple[Said, re.Match[str]] | None:
    known = links(case)
    return next(known.said(([doc] if own else []) + known.related(keys, but=doc), pattern), None)


def _by_steps(case: Case) -> Iterator[Issue]:
    """A contract that the law may not move, and a step before closing that moves it."""
    known = links(case)
    for doc, finding in _docs(case, "law_assignment"):
        if re.search(
            r"\bsave that\b[^.]{0,80}\b(?:merger|group|common)|\bexcept\b[^.]{0,60}\b(?:affiliate|within the group|common ownership)|\bopen to either\b",
            said(finding),
            _I,
        ):
            continue
        keys = known.labels[doc.id] | known.keys(said(finding))
        step = next(
            (
                (it, m)
                for it, m in known.said(known.related(keys, but=doc), rf"{_STEP}|\|[^|]*\bcontract")
                if not it.doc.is_contract or "step" in it.doc.label.lower()
            ),
            None,
        )
        if step is None:
            continue
        case.use(*case.of(doc, "law_assignment", "anti_assignment"))
        if relief(
            case,
            known.keys(said(finding), doc=doc),
            doc,
            r"\bjoins? in\b|\bconsents? to\b|\bapproves?\b|\bagrees? to the transfer|\bwaive[sd]?\b|\bwill treat\b",
        ):
            continue
        worth, text = yearly(case, keys, doc), step[0].text
        other = counter(case, doc)
        cells = [c.strip() for c in text.split("|")]
        mover = (
            next(
                (c for c in cells if re.match(r"[A-Z]", c) and not re.search(r"closing", c, _I)),
                "the contracting company",
            )
            if len(cells) > 1
            else text
        )
        goes = [c for c in cells if re.match(r"[A-Z][\w’'-]+ [A-Z]", c)]
        how = f"from {goes[0]} to {goes[1]}" if len(goes) > 1 else f"({mover})"
        yield issue(
            case, "assignment_by_structure", "A step before closing moves a contract that needs consent", named(case, doc),
            f"The {named(case, doc)} forbids an assignment or transfer without consent, also one by operation of law or merger: “{said(finding)}” By the steps before closing ({called(step[0].doc)}: “{text}”) the agreement is transferred, contributed or passes by merger {how}. "
            f"The step would breach the agreement and be void unless consent is given: it requires consent of {other}." + (f" The agreement is worth {case.money(worth[0])} a year." if worth else ""),
            [finding, step[0].part, worth[1] if worth else None], amount=worth[0] if worth else None, formula="one year of the contract", of=f"{other}: revenue", wanting="the contract's value is not in the documents",
            severity=case.grade(worth[0]) if worth else "Medium", evidence="cross-document", searched=f"a consent of {other}", step=f"Change the step so that the contracting company survives, or obtain {other}'s consent before closing.", protection="Restructuring; closing condition (consent)",
        )  # fmt: skip


def _changed(case: Case) -> Iterator[Issue]:
    """A later paper gives another sum than the contract."""
    known = links(case)
    for doc, finding in _docs(case, "sum_replaced"):
        text, keys = said(finding), known.labels[doc.id]
        new = max(sums(text), default=0.0)
        if new < 10_000 or not in_hand(doc):
            continue
        before = []
        for other in known.related(keys, but=doc):
            if other.date and doc.date and other.date > doc.date:
                continue
            for line, _ in known.said([other], r"year|annual|annum|minimum|\||twelve months|price"):
                before += [
                    (amount, line)
                    for amount in sums(line.text)
                    if amount >= 10_000
                    and amount != new
                    and other.family not in ("disclosure_schedule", "revenue", "minutes")
                ]
        old = max(before, key=lambda each: each[0], default=None)
        if old is None or old[0] > 20 * new:
            continue
        case.use(finding)
        gap, other_side = abs(old[0] - new), counter(case, old[1].doc)
        about = named(case, old[1].doc)
        yield issue(
            case, "superseded_term", "The first terms were superseded", about,
            f"The yearly sum under the {about} was changed to {case.money(new)} instead of {case.money(old[0])} by {called(doc)}" + (f", dated {day_said(doc.date)}" if doc.date else "") + f": “{text}” "
            f"The difference is {case.money(gap)} a year. The figure by the first contract is out of date and " + ("overstated." if old[0] > new else "no longer right."),
            [old[1].part, finding], amount=gap, formula=f"{case.money(old[0])} less {case.money(new)}", of=f"{other_side}: changed terms", severity=case.grade(gap), evidence="cross-document",
            step=f"Use the current figure for {other_side} in the model, and correct the price and the disclosure for it.", protection="Price on the current terms; schedule correction",
        )  # fmt: skip


def _beside(case: Case) -> Iterator[Issue]:
    """A promise in a letter or mail beside the contract."""
    known = links(case)
    for doc, finding in _docs(case, "side_promise"):
        text, keys = said(finding), known.labels[doc.id]
        ended = re.search(r"\b(?:for the|until|through|to) [^.;]{0,40}\b(?:only|and no longer)\b", text, _I) and any(
            case.as_of and day < case.as_of for day in words.dates(text)
        )
        if ended or relief(
            case,
            keys,
            doc,
            r"\b(?:every|all|any) (?:letter|promise|understanding|side)\w*[^.;]{0,80}\b(?:cancelled|void|superseded|ended)|\bis all there is between\b|\bis (?:hereby )?(?:withdrawn|revoked|cancelled)\b",
        ):
            case.use(*case.of(doc, "side_promise"))
            continue
        docs = [d for d in known.related(keys, but=doc) if d.is_contract or d.family in ("order", "other")]
        if not docs:
            continue
        rate = re.search(r"(\d+(?:\.\d+)?) ?(?:%|per ?cent)", text)
        item = next(
            (
                it
                for d in docs
                for it in known.lines[d.id]
                if "|" in it.text
                and sums(it.text)
                and any(len(w) > 4 and w in text.lower() for w in re.findall(r"[a-z]+", it.text.lower()))
            ),
            None,
        )
        base = yearly(case, keys, docs[0])
        amount, formula, proof = 0.0, "", None
        if rate and base:
            amount, formula, proof = (
                round(base[0] * float(rate[1]) / 100),
                f"{rate[1]} % of {case.money(base[0])} a year",
                base[1],
            )
        elif item is not None:
            amount, formula, proof = max(sums(item.text)), f"the position of the order: “{item.text}”", item.part
        case.use(*case.of(doc, "side_promise"))
        other = counter(case, docs[0])
        yield issue(
            case, "side_letter", "A side letter changes the contract", named(case, docs[0]),
            f"A letter or message outside the {called(docs[0])} ({called(doc)}" + (f", dated {day_said(doc.date)}" if doc.date else "") + f") gives {other} an advantage: “{text}” "
            + (f"It costs {case.money(amount)} a year ({formula}). " if amount else "") + f"Revenue from {other} is lower than the contract shows, and the side letter binds the target although it is not disclosed.",
            [finding, proof], amount=amount or None, formula=formula, of=f"{other}: side letter", severity=case.grade(amount or None), evidence="computed" if amount else "direct",
            step=f"Have the side letter with {other} disclosed, take a representation that there are no others, and adjust the price and model for it.", protection="Disclosure; representation on side letters; price adjustment",
        )  # fmt: skip


def _unlimited(case: Case) -> Iterator[Issue]:
    known = links(case)
    for doc, finding in _docs(case, "open_liability"):
        text = said(finding)
        keys = known.labels[doc.id] | known.keys(text)
        capped = _one(
            case,
            keys,
            doc,
            r"\bliabilit\w+\b[^.]{0,160}\b(?:shall not exceed|ends? at|is limited to|capped at|not exceed|up to)\b",
        )
        if capped and in_hand(capped[0].doc) and re.search(r"amend|order|letter|variation", called(capped[0].doc), _I):
            case.use(*case.of(doc, "open_liability", "uncapped_liability", "unlimited_liability"))
            continue
        worth = yearly(case, keys, doc)
        if not worth:
            continue
        case.use(*case.of(doc, "open_liability", "uncapped_liability", "unlimited_liability"))
        other = counter(case, doc)
        yield issue(
            case, "unlimited_liability", "Liability of the target without a limit", named(case, doc),
            f"The target's liability under the {named(case, doc)} is unlimited in these respects: “{text}” {other} pays {case.money(worth[0])} a year, against which the open liability stands: "
            f"a single loss of {other} could far exceed the fees of the contract and the target's insurance.",
            [finding, worth[1]], wanting="the loss cannot be known; the yearly fees are the measure", severity="Medium", evidence="direct",
            step=f"Negotiate a cap with {other}, or take a specific indemnity, and check the insurance for it.", protection="Cap by amendment; specific indemnity; insurance",
        )  # fmt: skip


def _unanswered(case: Case) -> Iterator[Issue]:
    known = links(case)
    for doc, finding in _docs(case, "warned", "breach_notice"):
        if doc.is_contract:
            continue
        text, keys = said(finding), known.labels[doc.id]
        clause = next(
            (
                it
                for d in known.related(keys, but=doc)
                if d.is_contract or d.family in ("order", "other")
                for it, _ in known.said([d], rf"{_CURE}[^|]*\|?|\|[^|]*{_CURE}")
                if words.days(it.text)
            ),
            None,
        )
        answered = next(
            (
                it
                for d in known.related(keys, but=doc)
                if in_hand(d) and not d.is_contract and (not d.date or not doc.date or d.date >= doc.date)
                for it, _ in known.said(
                    [d],
                    r"\bcured\b|\bsettled\b|\bwithdr\w+|\baccepts?\b|\bwaive[sd]?\b|\bmakes? no claim\b|\bnothing is claimed\b|\bin reply to your notice\b|\bwe (?:have )?(?:dispute|reject|answer)",
                )
            ),
            None,
        )
        case.use(*case.of(doc, "warned", "breach_notice", "litigation_threat"))
        if answered is not None:
            continue
        if clause is None:
            case.used.difference_update(id(f) for f in case.of(doc, "breach_notice", "litigation_threat"))
            continue
        amounts = sums(text) or [a for it in known.lines[doc.id] for a in sums(it.text)]
        amount = max(amounts, default=0.0)
        days = words.days(clause.text) or 0
        given = _day(doc)
        last = given + timedelta(days=days) if given and days else None
        other = counter(case, clause.doc)
        yield issue(
            case, "breach_notice", "Notice of breach without a cure or an answer", named(case, clause.doc),
            f"{other} gave notice of breach of the {named(case, clause.doc)}" + (f" on {day_said(given)}" if given else "") + f": “{text}” The time to cure is {days} days (“{clause.text[:300]}”)" + (f" and the cure period ended on {day_said(last)}" if last else "")
            + f". There is no response to the notice and no cure in the data room. {other} may now terminate the agreement or sue for its claim" + (f" of {case.money(amount)}." if amount else "."),
            [finding, clause.part], amount=amount or None, formula="the sum that the notice claims", of=f"{other}: claim", severity="High", evidence="absence", searched=f"an answer to the notice of {other}, or a cure",
            step=f"Obtain a waiver, standstill or settlement with {other} before closing.", protection="Closing condition (waiver or settlement); specific indemnity",
        )  # fmt: skip


def _day(doc: Doc) -> Any:
    found = words.dates(doc.date)
    return found[0] if found else None


def _first_call(case: Case) -> Iterator[Issue]:
    known = links(case)
    for doc, finding in _docs(case, "offer_first", "first_refusal"):
        text = said(finding)
        thing = re.search(
            r"\b(?:sells?|sale of|disposes? of|transfers?|acquire|purchase|buy) (the [a-z][\w -]{2,40}?|[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*)(?= to\b|,| it\b| or\b|\.|;)",
            text,
        )
        if thing is None or thing[1].lower() in ("the same", "the company", "the shares"):
            continue
        name = re.sub(r"^the ", "", thing[1].lower())
        offer = next(
            (
                it
                for d in case.ordered()
                if d is not doc
                for it, _ in known.said([d], _OFFER)
                if name in it.text.lower() and sums(it.text)
            ),
            None,
        )
        if offer is None:
            continue
        case.use(*case.of(doc, "offer_first", "first_refusal"))
        if relief(
            case,
            known.labels[doc.id] | known.keys(text),
            doc,
            r"\bdeclines?\b|\bdeclined\b|\bwaive[sd]?\b|\bdoes not (?:wish|intend) to buy",
        ):
            continue
        amount, other, days = max(sums(offer.text)), counter(case, doc), notice(text)
        buyer = re.match(
            r"([A-Z][\w&’'.-]+(?: [A-Z][\w&’'.-]+)*?)(?:,? (?:Inc|GmbH|LLC|Corp|AG|Ltd)\b\.?)? (?:offers|bids|proposes|would)",
            offer.text,
        )
        yield issue(
            case, "first_refusal", "A right of first refusal stands against a planned sale", f"{named(case, doc)}, {thing[1]}",
            f"{other} holds a right of first refusal or first offer over {thing[1]}: “{text}” {thing[1][0].upper() + thing[1][1:]} is to be sold to {buyer[1] if buyer else 'a third person'} for {case.money(amount)} (“{said_part(offer)}”)"
            + (f"; {other} has {days} days to decide after the offer is shown to it" if days else "") + f". Without an offer to {other} the sale breaches its right: {other} could block it, match it or claim damages.",
            [finding, offer.part], amount=amount, formula="the price offered", of=f"{thing[1]}: sale", severity="High", evidence="cross-document", searched=f"a waiver of {other}",
            step=f"Offer {thing[1]} to {other} first, or obtain its waiver before the sale.", protection="Closing condition (waiver)",
        )  # fmt: skip


def said_part(line: Said) -> str:
    """The first words of a line."""
    return line.text[:300]


def _small(case: Case) -> Iterator[Issue]:
    known = links(case)
    done: set[str] = set()
    for doc, finding in _docs(case, "small_business"):
        text = f"{called(doc)} {said(finding)}"
        code = next(iter(re.findall(r"\b[A-Z]{1,5}-?\d{4,}[\w-]*", text)), "")
        if not code or code in done:
            continue
        done.add(code)
        lines = [
            it for d in case.ordered() for it in known.lines[d.id] if code in it.text or code.lower() in d.name.lower()
        ]
        if any(
            re.search(
                r"\bdissolved\b|\bwithout effect\b|\bwaive[sd]?\b|\bgraduat|\bremoved\b|\bnovation (?:agreement )?(?:is )?(?:signed|executed)",
                it.text,
                _I,
            )
            and in_hand(it.doc)
            for it in lines
        ):
            case.use(*case.of(doc, "small_business"))
            continue
        top = next(
            (
                (max(sums(it.text)), it)
                for it in lines
                if re.search(r"ceiling|maximum|not[- ]to[- ]exceed|total value", it.text, _I) and sums(it.text)
            ),
            None,
        )
        used = next(
            (
                (max(sums(it.text)), it)
                for it in lines
                if re.search(r"\bbill|invoiced|paid|obligated|ordered\b|\|", it.text, _I)
                and sums(it.text)
                and (top is None or it is not top[1])
            ),
            None,
        )
        case.use(*case.of(doc, "small_business"))
        left = top[0] - used[0] if top and used and top[0] > used[0] else 0.0
        yield issue(
            case, "government_set_aside", "Award that rests on small business status", f"{named(case, doc)}" if code in named(case, doc) else f"{code}, {named(case, doc)}",
            f"Award {code} was made on the basis of small business status (set-aside): “{said(finding)}” " + (f"Award {code} has a ceiling of {case.money(top[0])}" if top else "") + (f", of which {case.money(used[0])} has been billed; {case.money(left)} remains at risk. " if used and left else ". " if top else "")
            + f"Once a larger owner holds the target, award {code} may be ended, not extended and not ordered from, so that the rest is lost.",
            [finding, top[1].part if top else None, used[1].part if used else None], amount=left or None, formula="ceiling less what was billed" if left else "", of=f"{code}: remaining ceiling", severity="High", evidence="computed" if left else "direct",
            step=f"Talk with the contracting authority on award {code} before signing; seek a waiver or novation, or leave it out of the price.", protection="Novation plan; price without the award",
        )  # fmt: skip


def _fallen(case: Case) -> Iterator[Issue]:
    known = links(case)
    for doc, finding in _docs(case, "security_kept"):
        keys = known.labels[doc.id] | known.keys(said(finding))
        end = _one(
            case,
            keys,
            doc,
            rf"{_FALLS}|\|[^|]*(?:cancelled|ends|terminates|falls away|withdrawn)[^|]*closing|\|[^|]*\bline, cancelled",
        )
        if end is None or end[0].doc.family in ("disclosure_schedule",):
            continue
        case.use(*case.of(doc, "security_kept"))
        if relief(
            case,
            keys,
            doc,
            r"\bguarantees the same\b|\bin place of the old\b|\baccepts (?:it|the replacement|a replacement)|\breplacement\b[^.;]{0,60}\baccept|\bstays after closing\b|\bwaive[sd]?\b",
        ):
            continue
        text = said(finding)
        amounts = sums(text) or sums(end[0].text)
        amount, other = max(amounts, default=0.0), counter(case, doc)
        what = (
            "letter of credit"
            if re.search(r"letter of credit|L/?C\b|standby", text, _I)
            else "guarantee"
            if re.search(r"guarant", text, _I)
            else "bond"
        )
        yield issue(
            case, "guarantee_falls_away", f"A {what} falls away at closing", named(case, doc),
            f"The {named(case, doc)} requires a {what} of {case.money(amount)}: “{text}” The {what} ends, is cancelled or withdrawn when the target leaves the seller's group, at closing ({called(end[0].doc)}: “{said_part(end[0])}”). "
            f"Without a replacement {what} the target would be in default to {other}, which could stop, suspend or terminate. {case.money(amount)} must be replaced.",
            [finding, end[0].part], amount=amount or None, formula="the face amount", of=f"{other}: {what}", severity=case.grade(amount or None), evidence="cross-document", searched=f"a replacement accepted by {other}",
            step=f"The buyer replaces the {what} for {other} at closing.", protection="Replacement at closing; seller keeps the security until then",
        )  # fmt: skip


ARCHETYPES = (
    support("law_assignment", ("operation of law", "by law", "law itself", "merger", "universal succession"), _find(_BY_LAW, r"\bjury|governing law|required by law", barred=frozenset(["credit", "merger", "charter", "security"])), "IP", "Does a clause forbid a transfer by operation of law or merger?"),
    support("reorganisation_step", ("merges into", "ceases to exist", "cease to exist", "dissolved", "liquidated", "converted into", "converts into", "contribut", "contracts", "hive"), _find(_STEP, barred=frozenset(["merger", "charter", "credit", "contract", "policy"])), question="Steps before closing that merge, dissolve or empty a company"),
    support("sum_replaced", ("rather than", "instead of", "in place of", "in its place", "in lieu of", "replaced", "reduced", "lowered", "cut ", "changed", "amended", "now read", "from now on", "henceforth", "with effect from"), lambda c: _find(_REPLACED, r"interest|salary|rent\b|insur|premium|option|share", families=_SENT)(c) if sums(c.text) else None, "IP", "Which later paper replaces a sum, price or minimum?"),
    support("side_promise", ("we will", "we shall", "we agree", "we undertake", "we promise", "will not", "need not", "between us", "free of charge", "whatever the"), _find(_PROMISED, r"\bwarrant|\bdefect|reply within|call you|\byou can count", families=frozenset(["other", "side_letter"])), "IP", "What is promised in a letter or mail beside the contract?"),
    support("open_liability", ("without limit", "without any limit", "no limit", "unlimited", "uncapped", "not apply", "without cap", "no cap", "whatever the amount", "whatever its amount"), _find(_OPEN, r"\bnot unlimited|\bincluding without limitation\b(?![^.]{0,100}(?:amount|unlimited))|licen[cs]e|insur|\bindemnitor", families=frozenset(["contract", "order", "other", "amendment", "licence", "dpa"])), "IP", "Where is the target's liability without a limit?"),
    support("limit_of_liability", ("liab",), _find(r"\bliabilit\w+\b[^.]{0,160}\b(?:shall not exceed|ends? at|is limited to|capped at|not exceed|up to)\b", families=frozenset(["amendment", "order", "side_letter", "other"])), "IP", "Which later or prior-ranking paper caps the target's liability?"),
    support("warned", ("notice of", "formal ", "default", "breach"), _find(_WARNED, r"\bshall\b[^.;]{0,40}\bnotice|\bno notice\b|\bhas not received|\bif\b[^.;]{0,30}\b(?:party|breach)", families=frozenset(["other", "litigation"])), "IP", "Who gave notice of breach?"),
    support("time_to_cure", ("cure", "remedy", "put right", "put it right", "make good", "rectif"), _find(rf"{_CURE}[^.]{{0,80}}\bterminat|\bdays?\b[^.]{{0,60}}{_CURE}|{_CURE}[^.]{{0,60}}\bdays?\b", r"curable|policy", barred=frozenset(["credit", "merger", "lease"])), "IP", "How long is the time to cure? (values: days)"),
    support("offer_first", ("first refusal", "first offer", "right to match", "shall first", "must first", "will first", "first be offered", "shall present", "shall offer", "must offer", "shall submit", "is to offer"), _find(_FIRST, r"\bshares?\b|\bstockholder|\bemployee|goods|Deliverable|\bpremises\b", families=frozenset(["contract", "joint_venture", "licence", "side_letter", "other"])), "IP", "Who must be offered an asset first? (values: days)"),
    support("asset_offer", ("offers", "letter of intent", "bids ", "to be sold to", "sold to"), lambda c: _find(_OFFER, families=frozenset(["other", "merger", "minutes", "deck"]))(c) if sums(c.text) else None, question="Who offers how much for an asset?"),
    support("small_business", ("small business", "set-aside", "set aside", "hubzone", "size status", "52.219", "other than small", "service-disabled", "women-owned"), _find(_SMALL, r"\bsubcontract\w* plan|flow[- ]?down|supplier diversity"), "IP", "Which award rests on small business status?"),
    support("security_kept", ("guarant", "letter of credit", "standby", "bond"), lambda c: _find(_SECURES, r"\bguarantees? (?:that|the (?:accuracy|quality))|warrant", families=frozenset(["contract", "order", "other", "lease"]))(c) if sums(c.text) else None, "IP", "Which contract needs a guarantee or letter of credit?"),
    support("security_ends", ("terminates", "ends ", "lapses", "cancelled", "withdrawn", "released", "falls away"), _find(_FALLS), question="Which guarantee or letter of credit ends with the sale?"),
    worked_out("step_moves_contract", 26, "Contracts", "A step before closing moves a contract", "Without consent the transfer is void or a breach.", "Change the step or collect the consent.", "Restructuring; consent", _by_steps, "cross-document", quiet=True),
    worked_out("later_sum", 27, "Contracts", "A later paper gives another sum", "The model rests on a figure that no longer holds.", "Use the current term in the model.", "Price on current terms", _changed, "cross-document", quiet=True),
    worked_out("side_letter", 28, "Contracts", "A side letter changes the contract", "It binds and is not in the contract.", "Have it disclosed.", "Disclosure; representation", _beside, "computed"),
    worked_out("liability_open", 35, "Contracts", "Liability without a limit", "A loss can exceed what the contract brings.", "Negotiate a cap.", "Cap; indemnity; insurance", _unlimited, "direct", quiet=True),
    worked_out("notice_unanswered", 39, "Contracts", "A notice of breach stands unanswered", "The other side may terminate.", "Obtain a standstill.", "Closing condition (waiver)", _unanswered, "absence", quiet=True),
    worked_out("first_call", 41, "Contracts", "A first refusal stands against a sale", "The sale breaches the right.", "Obtain the waiver.", "Closing condition (waiver)", _first_call, "cross-document", quiet=True),
    worked_out("government_set_aside", 43, "Regulatory", "Award that rests on small business status", "A larger owner ends the ground of the award.", "Talk with the authority.", "Novation plan; price", _small, "computed"),
    worked_out("guarantee_falls_away", 44, "Contracts", "Security falls away at closing", "Without it the target is in default.", "Replace it at closing.", "Replacement at closing", _fallen, "cross-document"),
)  # fmt: skip
