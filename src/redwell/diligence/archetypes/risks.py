"""Disputes, privacy, property, environment, insurance, regulation, related parties: what stands in letters, reports and policies."""

from __future__ import annotations

import re
from collections.abc import Iterator

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.base import Archetype, Clause, Find, Hit, Issue, Values, rule
from redwell.diligence.archetypes.case import Case, bare
from redwell.diligence.archetypes.stakes import day_said, said, stake

_I = re.IGNORECASE


def _sum(clause: Clause) -> Values:
    sums = words.money(clause.text) or words.money(clause.context)
    return {"amount": max(sums)[0], "currency": max(sums)[1]} if sums else {}


def _event(*yes: str, no: tuple[str, ...] = ()) -> Find:
    """A rule whose hits name the largest sum in the sentence, or else in the paragraph."""
    return rule(*yes, no=no, values=_sum)


def _lease(clause: Clause) -> Hit | None:
    if clause.family != "lease":
        return None
    found = re.search(
        r"(?:shall not|may not|without)[^.;]{0,120}(?:assign|sublet|transfer)[^.;]{0,160}consent|(?:assign|sublet)[^.;]{0,160}(?:without|consent)|(?:transfer|sale)[^.;]{0,80}(?:stock|control|interests?)[^.;]{0,80}(?:deemed|constitute)",
        clause.text,
        _I,
    )
    if not found:
        return None
    values: Values = {}
    if re.search(
        r"(?:stock|control|ownership|interests?|merger)[^.;]{0,100}(?:deemed|constitute|considered)|deemed an assignment",
        clause.context,
        _I,
    ):
        values["control"] = True
    return Hit(values, found[0])


def _landlord(case: Case) -> Iterator[Issue]:
    """Leases that need a consent which is not in the room."""
    consents = case.family("consent", "waiver")
    for doc in case.family("lease"):
        found = list(case.of(doc, "lease_consent", "change_of_control_deemed_assignment"))
        reaches = [f for f in found if f.values.get("control") or f.kind != "lease_consent"]
        if not found or any(c in consents for c in case.with_same(doc)):
            continue
        if not reaches and case.deal.get("structure") != "asset purchase":
            continue
        case.use(*found)
        rent = next(
            (f for f in doc.findings if f.kind == "fact:amount" and "rent" in str(f.values.get("label", ""))), None
        )
        exposure: Values = {"not_quantified": "the rent is not stated in figures"}
        if rent is not None:
            monthly = bool(re.search(r"month", str(rent.values.get("label", "")) + rent.claim, _I))
            year = float(rent.values["amount"]) * (12 if monthly else 1)
            exposure = {
                "base": year,
                "currency": case.currency,
                "of": f"{case.counterparty(doc)}: lease",
                "formula": f"one year's rent as a measure of the cost of moving: {'12 x ' if monthly else ''}{case.money(float(rent.values['amount']))}",
            }
        yield Issue(
            "landlord_consent", f"No landlord's consent: {case.counterparty(doc)} ({doc.name})",
            f"The lease treats a change of control or transfer of shares as an assignment that needs the consent of {case.counterparty(doc)}. No consent or estoppel certificate is in the room." if reaches else f"The lease may not be assigned without the consent of {case.counterparty(doc)}; none is in the room.",
            [*(reaches or found)[:3], *([rent] if rent is not None else [])], searched=f"{len(case.docs)} documents for a consent, waiver or estoppel of {case.counterparty(doc)}", exposure=exposure,
        )  # fmt: skip


def _untitled_sites(case: Case) -> Iterator[Issue]:
    for finding in case.kinds["fact:register"]:
        row = finding.values.get("row") or {}
        site = next(
            (str(row[n]) for n in row if re.search(r"\b(?:site|property|address|location|premises|facility)\b", n, _I)),
            "",
        )
        note = next(
            (
                str(v)
                for v in row.values()
                if re.search(
                    r"not (?:located|found|available|in (?:file|room))|missing|\bno (?:lease|deed)\b", str(v), _I
                )
            ),
            "",
        )
        if site and note and re.search(r"lease|title|deed|owned|document", " ".join(row), _I):
            yield Issue(
                "site_without_title", f"No lease or deed for {site}"[:180],
                f"The list of sites names {site} ({'; '.join(f'{k}: {v}' for k, v in row.items() if v != site)}), but no lease or deed for it is in the room.",
                [finding], searched=f"{len(case.docs)} documents for a lease, deed or title of {site}",
                exposure={"not_quantified": "cost of moving the operation; the rent of the site is not in the documents"},
            )  # fmt: skip


def _stale_assessment(case: Case) -> Iterator[Issue]:
    for doc in case.family("environmental"):
        if not doc.date or case.as_of is None or doc.fact is None:
            continue
        age = (case.as_of - words.dates(doc.date)[0]).days / 365.25
        if age > 1:
            found = case.of(doc, "environmental_condition")
            case.use(*found)
            shown = f" It reports: “{said(found[0])}”" if found else ""
            yield Issue(
                "stale_environmental_assessment", f"Environmental assessment of {doc.date[:4]}{' reports a condition and' if found else ''} is {age:.0f} year{'' if round(age) == 1 else 's'} old: {doc.name}"[:190],
                f"{doc.title or doc.name} is dated {day_said(doc.date)}.{shown} An assessment protects a buyer only when parts of it are no older than 180 days and all of it no older than a year (40 CFR 312.20); none later is in the room.",
                [doc.fact, *found[:2]], searched=f"{len(case.docs)} documents for a later assessment",
                exposure={"not_quantified": "cost of a new assessment and of dealing with what it finds are not known"},
            )  # fmt: skip


def _unnotified(case: Case) -> Iterator[Issue]:
    duties = list(case.kinds["breach_notice_duty"])
    for finding in list(case.left("security_incident")):
        doc = case.doc(finding)
        if id(finding) in case.used:
            continue
        silent = case.of(doc, "incident_silence")
        same = list(case.of(doc, "security_incident"))
        notices = [
            d
            for d in case.ordered()
            if d.id != doc.id
            and re.search(
                r"breach notif|notice of (?:data|security) (?:breach|incident)|notification to (?:the )?(?:supervisory|data protection|attorney general)",
                d.label,
                _I,
            )
        ]
        if notices and not silent:
            continue
        case.use(*same, *silent)
        count = re.search(
            r"([\d,]{3,})\s+(?:individuals|people|customers|records|data subjects|users|employees|persons|patients|accounts)",
            " ".join(c.quote for f in same for c in f.citations),
        )
        yield Issue(
            "incident_not_notified", f"Security incident without notice to authorities or customers: {doc.name}",
            f"“{said(finding)}” " + (f"The report says itself: “{said(silent[0])}” " if silent else "No notice to an authority or to customers is in the room. ")
            + ("Contracts with customers set a time for it." if duties else "The GDPR sets 72 hours for a notice to the authority (Article 33)."),
            [*same[:2], *silent[:2], *duties[:2]], searched=f"{len(case.docs)} documents for notices to authorities, customers or individuals", severity="High",
            exposure={"not_quantified": f"{count[1] if count else 'an unknown number of'} individuals; a fine of up to 2 % of turnover (GDPR Article 83(4)) and claims of customers"},
        )  # fmt: skip


def _processor(row: Values) -> str:
    """Who a line of a register names; empty when it names nobody."""
    names = (str(row[n]) for n in row if re.search(r"sub-?processor|name|vendor", n, _I))
    return next((name for name in names if len(name) > 2 and not name.isdigit()), "")


def _subprocessors(case: Case) -> Iterator[Issue]:
    listed: dict[str, list[object]] = {}
    names_listed: set[str] = set()
    for finding in case.kinds["fact:subprocessor"]:
        doc = case.doc(finding)
        row = finding.values.get("row") or {}
        name = _processor(row)
        if name and doc.family in ("dpa", "contract", "order"):
            names_listed.add(bare(name))
            listed.setdefault(doc.id, []).append(finding)
    annex = next((case.docs[d] for d in listed if d in case.docs), None)
    claimed = []
    for finding in case.kinds["fact:subprocessor"]:
        doc = case.doc(finding)
        if doc.family in ("dpa", "contract", "order"):
            continue
        row = finding.values.get("row") or {}
        name = _processor(row)
        text = " | ".join(map(str, row.values()))
        absent = re.search(r"not listed|unlisted|not approved", text, _I)
        untransferred = re.search(
            r"(?:transfer mechanism:?\s*)?none|no (?:scc|standard contractual|dpa|adequacy|transfer)|sccs?: none",
            text,
            _I,
        ) and re.search(r"\bUSA?\b|United States|India|China|outside", text)
        if absent or untransferred:
            evidence = [
                finding,
                *(listed.get(annex.id, [])[:2] if annex else []),
                *list(case.kinds["subprocessor_duty"])[:1],
            ]
            faults = [
                words_
                for flag, words_ in (
                    (absent, "is not on the customer's approved list"),
                    (untransferred, "has no transfer mechanism for personal data that leaves the EEA"),
                )
                if flag
            ]
            row_of = case.row_of(annex) if annex else None
            exposure: Values = {
                "not_quantified": "fines of up to 4 % of turnover (GDPR Article 83(5)); turnover of the group is not in the documents"
            }
            if row_of is not None:
                exposure = {
                    "base": float(row_of.values["amount"]),
                    "currency": case.currency,
                    "of": stake(case, row_of),
                    "formula": f"a year of the customer's contract, which the breach puts at risk: {row_of.values['customer']} {case.money(float(row_of.values['amount']))}; fines come on top",
                }
                evidence.append(row_of)
            yield Issue(
                "subprocessor_gap", f"Sub-processor {name} " + ("is not approved" if absent else "has no transfer mechanism") + (" and has no transfer mechanism" if absent and untransferred else ""),
                f"The target's register shows that {name} handles personal data and {' and '.join(faults)}" + (f"; the list agreed with {case.counterparty(annex)} ({annex.name}) does not name it." if annex and bare(name) not in names_listed else "."),
                evidence, evidence="cross-document" if len({case.doc(f).id for f in evidence}) > 1 else "direct", severity="High", exposure=exposure, contingent=True,
            )  # fmt: skip
        elif (
            annex
            and re.search(r"\blisted\b", text, _I)
            and bare(name) not in names_listed
            and not re.search(r"partial|n/a", text, _I)
        ):
            claimed.append((name, finding))
    if annex and claimed:
        yield Issue(
            "register_contradicts_annex", f"The register calls sub-processors listed that {annex.name} does not name",
            f"The register says that {', '.join(name for name, _ in claimed)} are on the list agreed with {case.counterparty(annex)}. The list in {annex.name} names others: one of the two is wrong or out of date.",
            [*(f for _, f in claimed[:6]), *listed[annex.id][:6]], severity="Medium",
            exposure={"not_quantified": "a breach of the data processing agreement if the register is right about who is used"},
        )  # fmt: skip


def _claims_made(case: Case) -> Iterator[Issue]:
    tail = [d for d in case.ordered() if re.search(r"tail|run-?off|extended reporting", d.label, _I)]
    for doc in {case.doc(f).id: case.doc(f) for f in case.left("claims_made")}.values():
        found = case.of(doc, "claims_made", "insurance_control")
        case.use(*found)
        if tail:
            continue
        yield Issue(
            "no_tail_cover", f"Claims-made cover without a tail: {doc.title or doc.name}"[:190],
            f"{doc.title or doc.name} is a claims-made policy" + ("; on a change of control it covers earlier acts only and gives no extended reporting period" if any(f.kind == "insurance_control" for f in found) else "") + ". No tail policy or quotation is in the room; claims made after closing for earlier acts would not be insured.",
            found[:4], searched=f"{len(case.docs)} documents for a tail, run-off or extended reporting endorsement",
            exposure={"not_quantified": "the premium of a six-year tail, commonly two to three times the yearly premium; the premium is not in the documents"},
        )  # fmt: skip


ARCHETYPES = (
    Archetype(
        id="litigation_threat", number=102, workstream="Litigation", title="Claim or suit is threatened or pending", evidence="direct", severity="High",
        why="The claim stays with the target; if it is not on the disclosure schedule the buyer may not be protected.",
        next_step="Obtain counsel's assessment; check the disclosure schedule, the reserve and the insurance notice.", protection="Specific indemnity; escrow",
        question="Is a suit, claim, arbitration or investigation pending or threatened against the target, also in an email?",
        triggers=("litigation", "lawsuit", "commence", "legal action", "arbitration", "plaintiff", "complaint", "damages", "demand"),
        event=True, find=_event(
            r"\b(?:will|intends? to|shall|may) (?:be forced to )?(?:commence|initiate|file|pursue|bring|institute|seek)[^.;]{0,60}(?:litigation|lawsuit|suit|action|proceedings|arbitration|damages|legal)|(?:claim|seek)\w* damages[^.;]{0,80}(?:\$|€|£|estimate|of|in excess)|(?:demands?|demanding) (?:payment|that)[^.;]{0,100}(?:\$|€|£|\d)|(?:complaint|lawsuit|suit|action) (?:was|has been|is) (?:filed|pending|commenced)|plaintiffs?[^.;]{0,80}(?:alleg|seek)\w*",
            no=(r"\bno\b[^.;]{0,100}(?:pending|threatened|litigation|suit|action)|there (?:is|are) no|represents?|shall indemnif",),
        ),
    ),
    Archetype(
        id="breach_notice", number=39, workstream="Contracts", title="Notice of breach or default has been given", evidence="direct", severity="High",
        why="If the cure period lapses the other side may terminate and claim damages.",
        next_step="Find out whether it was answered and cured; obtain a standstill or waiver.", protection="Closing condition (waiver or cure); specific indemnity",
        question="Has either side given notice of breach, default or termination?",
        triggers=("notice of", "hereby notif", "hereby gives notice", "in default", "in breach", "in material breach"),
        event=True, find=_event(
            r"(?:hereby|this letter|this is)[^.;]{0,80}(?:notice|notif\w+)[^.;]{0,80}(?:breach|default|terminat)|notice of (?:material )?(?:breach|default|termination)\b|(?:you are|\w+ is) (?:now )?in (?:material )?(?:breach|default)",
            no=(r"\bshall\b[^.;]{0,40}(?:give|notif)|no notice of|waive[sd]? notice|has not received",),
        ),
    ),
    Archetype(
        id="non_renewal_notice", number=38, workstream="Contracts", title="Notice of non-renewal or reduction", evidence="direct", severity="Medium",
        why="The revenue is in the forecast and will not come.", next_step="Take it out of the forecast; ask for the reasons.", protection="Price",
        question="Has a customer given notice that it will not renew, or will buy less?", triggers=("not renew", "non-renewal", "not to renew", "downgrade", "reduce our", "will not be renewing"),
        event=True, find=_event(r"\b(?:will not|do not intend to|elect\w* not to|decided not to)[^.;]{0,20}renew|notice of (?:its )?(?:intent\w* not to renew|non-?renewal)|will not be renewing|(?:reduce|downgrade) (?:our|its) (?:subscription|order|volume|contract)", no=(r"\bunless\b|at least|prior to the",)),
    ),
    Archetype(
        id="consent_decree", number=99, workstream="Litigation", title="Consent decree, settlement or order with continuing duties", evidence="direct", severity="High",
        why="A missed duty brings stipulated penalties; some bind successors.", next_step="List the duties and check each against payment and compliance records.", protection="Closing condition (cure); indemnity",
        question="Is there a consent decree, settlement, order or injunction with duties that continue?", triggers=("consent decree", "consent order", "settlement agreement", "injunction", "stipulated penalt", "corporate integrity"),
        find=rule(r"consent (?:decree|order|judgment) (?:with|entered|dated|requires|of|in)|stipulated penalt|(?:entered into|under|pursuant to) (?:a|the) (?:settlement agreement|consent (?:decree|order))|corporate integrity agreement|permanent injunction (?:was|has|entered)", no=(r"\bno\b[^.;]{0,80}(?:decree|injunction|order)|\bany (?:settlement|injunction|consent decree)|shall not[^.;]{0,60}(?:settle|enter into)|without[^.;]{0,60}consent",), values=_sum),
    ),
    Archetype(
        id="security_incident", number=81, workstream="Privacy and cyber", title="Security incident or data breach", evidence="direct", severity="High",
        why="Duties to notify, fines and claims follow; a policy may exclude it.", next_step="Obtain the forensic report and the notices given; have counsel assess the duties to notify.", protection="Specific indemnity; insurance exclusion watch",
        question="Was there a security incident, unauthorised access or loss of personal data, and was it notified?",
        triggers=("unauthorized", "unauthorised", "breach", "incident", "ransomware", "exfiltrat", "compromis", "phishing"),
        event=True, find=_event(r"(?:unauthori[sz]ed (?:party|person|actor|access|third part)|attacker|threat actor|intruder)[^.;]{0,120}(?:access|obtain|exfiltrat|acquir|copied|encrypt)\w*|ransomware (?:attack|incident|event)|(?:data|security) (?:breach|incident)[^.;]{0,60}(?:occurred|affected|involv|was detected|impacted|exposed)|(?:exfiltrat|exposed|leaked|stolen)\w*[^.;]{0,80}(?:personal data|records|credentials)", no=(r"\bshall\b|\bmust\b|policy|procedure|in the event|if (?:a|any)|no (?:security|data|such|known)|prevent",)),
    ),
    Archetype(
        id="incident_silence", number=81, workstream="Privacy and cyber", title="Notice of an incident was not given", evidence="direct", severity="Medium",
        why="The times for notice have run.", next_step="Notify.", question="Does a document say that no notice of an incident was given?", triggers=("no notice", "not notified", "not been notified", "not been reported", "no notification"),
        find=rule(r"no (?:notice|notification)[^.;]{0,60}(?:given|made|sent|issued)|(?:not|never) (?:yet )?(?:been )?(?:notified|reported) (?:to|the)"), support=True,
    ),
    Archetype(
        id="breach_notice_duty", number=0, workstream="Privacy and cyber", title="Contract sets a time for notice of data breaches", evidence="direct", severity="Low",
        why="A late notice is a breach of the contract.", next_step="Hold against the incident log.", question="Within what time must a data breach be notified to the other side?", triggers=("data breach", "security incident", "security breach", "breach of personal data"),
        find=rule(r"(?:notify|inform)\b[^.;]{0,160}(?:data breach|security (?:incident|breach))|(?:data breach|security (?:incident|breach))[^.;]{0,160}(?:hours|notify|without undue delay)"), support=True,
    ),
    Archetype(
        id="subprocessor_duty", number=82, workstream="Privacy and cyber", title="Sub-processors and transfers need approval or a mechanism", evidence="direct", severity="Low",
        why="Each sub-processor that is not approved is a breach.", next_step="Hold the register of sub-processors against each agreement's list.", question="What must be done before a sub-processor is used or data leaves the EEA?", triggers=("sub-processor", "subprocessor", "standard contractual clauses"),
        find=rule(r"(?:shall not|prior|written authori[sz]ation|inform|ensure)[^.;]{0,200}(?:sub-?processor|standard contractual clauses)|sub-?processor[^.;]{0,200}(?:prior|written|authori[sz]|standard contractual clauses)"), support=True,
    ),
    Archetype(
        id="incident_not_notified", number=81, workstream="Privacy and cyber", title="Security incident was not notified", evidence="absence", severity="High",
        why="The times set by law and contract have run; silence adds to the fine.", next_step="Have counsel assess and make the notices before closing; ask for the insurer's position.", protection="Specific indemnity; R&W insurance exclusion watch",
        check=_unnotified,
    ),
    Archetype(
        id="subprocessor_gap", number=82, workstream="Privacy and cyber", title="Sub-processor without approval or transfer mechanism", evidence="cross-document", severity="High",
        why="It is a breach of the customer's agreement and of the GDPR (Articles 28 and 46).", next_step="Paper the transfer and notify the customer, or stop the flow, before closing.", protection="Closing condition (remediation); specific indemnity",
        check=_subprocessors,
    ),
    Archetype(
        id="register_contradicts_annex", number=82, workstream="Privacy and cyber", title="Register and agreed list of sub-processors differ", evidence="cross-document", severity="Medium",
        why="What was promised to customers and what is done are not the same.", next_step="Reconcile register and annex; update the annex by the agreed procedure.", protection="Representation; pre-closing covenant",
    ),
    Archetype(
        id="lease_consent", number=104, workstream="Real estate", title="Lease needs the landlord's consent", evidence="direct", severity="Medium",
        why="The site may be lost, or the landlord may ask a price.", next_step="Ask for the landlord's consent and an estoppel certificate.", protection="Closing condition (consent and estoppel)",
        question="Does a lease need the landlord's consent to assignment, subletting, transfer of shares or change of control? (values: control)", triggers=("assign", "sublet", "transfer"), find=_lease,
    ),
    Archetype(
        id="landlord_consent", number=104, workstream="Real estate", title="Landlord's consent is absent", evidence="absence", severity="Medium",
        why="The transaction breaks the lease without it.", next_step="Ask for the landlord's consent and an estoppel certificate.", protection="Closing condition (consent and estoppel)", check=_landlord,
    ),
    Archetype(
        id="site_without_title", number=106, workstream="Real estate", title="Operating site without lease or deed", evidence="absence", severity="Medium",
        why="The right to be there is not shown.", next_step="Obtain the lease or deed.", protection="Closing condition (proof of title)", check=_untitled_sites,
    ),
    Archetype(
        id="environmental_condition", number=113, workstream="Environmental", title="Contamination, tank or other environmental condition", evidence="direct", severity="Medium",
        why="The owner or operator answers for the clean-up.", next_step="Commission a Phase II investigation and a cost estimate.", protection="Environmental indemnity; escrow",
        question="Does a report show contamination, tanks, asbestos, recognised environmental conditions or missing closure records?", triggers=("contaminat", "storage tank", "asbestos", "recognized environmental", "remediation", "phase ii", "groundwater", "hazardous substance"),
        event=True, find=_event(r"(?:underground )?storage tanks?[^.;]{0,120}(?:identified|found|present|former|leak|closure|removed)|contaminat\w+[^.;]{0,80}(?:found|detected|identified|above|exceed|present)|recogni[sz]ed environmental condition|further investigation|phase ii[^.;]{0,60}(?:recommend|required)|asbestos[^.;]{0,60}(?:found|present|identified)", no=(r"\bno (?:evidence|recogni[sz]ed|contaminat|further investigation|underground)|not (?:identified|found|detected)",)),
    ),
    Archetype(
        id="stale_environmental_assessment", number=110, workstream="Environmental", title="Environmental assessment is out of date", evidence="computed", severity="Medium",
        why="An old assessment gives a buyer no defence and does not show the present state.", next_step="Commission a new Phase I, and a Phase II where the old report asks for one, before signing; ask for closure records.", protection="Closing condition (new assessment); environmental indemnity for what it finds", check=_stale_assessment,
    ),
    Archetype(
        id="violation_notice", number=114, workstream="Environmental", title="Notice of violation", evidence="direct", severity="High",
        why="Penalties run by the day.", next_step="Obtain the notice and the response; compute the statutory maximum.", protection="Specific indemnity",
        question="Has an environmental or safety authority given notice of a violation or started an enforcement action?", triggers=("notice of violation", "administrative order", "enforcement action", " epa ", "osha "),
        event=True, find=_event(r"notice of violation|administrative (?:consent )?order|(?:EPA|OSHA|Department of Environmental)[^.;]{0,80}(?:cited|citation|violation|enforcement|penalt)", no=(r"\bno (?:notice|violation|enforcement)|has not received",)),
    ),
    Archetype(
        id="claims_made", number=116, workstream="Insurance", title="Claims-made policy", evidence="direct", severity="Low",
        why="Claims after the policy ends are not covered.", next_step="Ask the broker for the premium of a six-year tail and put it into the transaction expenses.", protection="Closing deliverable (six-year tail)", question="Is a policy on a claims-made basis, and what happens to it on a change of control?", triggers=("claims-made", "claims made"),
        event=True, find=_event(r"claims[- ]made (?:policy|basis|form|coverage)|claims first made against", no=()),
    ),
    Archetype(
        id="insurance_control", number=116, workstream="Insurance", title="Policy goes into run-off on a change of control", evidence="direct", severity="Medium",
        why="Cover ends for acts after closing, and without a tail for claims made later.", next_step="Ask the broker for the premium of a six-year tail and put it into the transaction expenses.", protection="Closing deliverable (six-year tail)", question="Does a policy end or go into run-off on a change of control?", triggers=("acquires more than", "change in control", "change of control", "run-off", "runoff"),
        find=lambda c: _runoff(c),
    ),
    Archetype(
        id="no_tail_cover", number=116, workstream="Insurance", title="Claims-made cover without a tail", evidence="absence", severity="Medium",
        why="Directors' and other claims made after closing for acts before it are not insured.", next_step="Require a six-year tail as a covenant.", protection="Closing deliverable (tail policy)", check=_claims_made,
    ),
    Archetype(
        id="regulatory_violation", number=118, workstream="Regulatory", title="Licence, permit or filing is lapsed, overdue or in the wrong name", evidence="direct", severity="High",
        why="The business may not be operated without it.", next_step="Cure before closing; find out whether the authority must approve the change of control.", protection="Closing condition (approval or cure)",
        question="Is a licence, permit, registration or filing lapsed, overdue, in another's name or subject to approval of a change of control?", triggers=("permit", "licence", "license", "registration", "filing", "form 483", "warning letter"),
        event=True, find=_event(r"(?:permit|licen[cs]e|registration|certificate)s?\b[^.;|]{0,60}\b(?:has |had |is |was )?(?:expired|lapsed|revoked|suspended|not (?:been )?(?:renewed|transferred)|in the name of)|(?:filing|report)s? (?:is|are|was) overdue|Form (?:FDA )?483|warning letter (?:from|dated|issued)", no=(r"\bno (?:permit|licen)|shall|would|could|unless|if any|patent",)),
    ),
    Archetype(
        id="sanctions", number=122, workstream="Regulatory", title="Sanctioned or unscreened party", evidence="direct", severity="High",
        why="Each dealing is a breach, whatever its size.", next_step="Stop dealings; screen all payees; consider a voluntary disclosure.", protection="Specific indemnity; closing condition",
        question="Are there dealings with sanctioned parties or countries, or payees that were not screened?", triggers=("sanction", "ofac", " sdn ", "embargo", "iran ", "denied part"),
        event=True, find=_event(r"(?:OFAC|sanction\w*|SDN|denied part\w+)[^.;]{0,80}(?:match|hit|unscreened|not screened|violation|blocked|listed)|(?:shipment|payment|sale|customer)s?[^.;]{0,80}(?:Iran|Syria|North Korea|Crimea|Cuba)\b|not (?:been )?screened", no=(r"\bno (?:match|hit|sanction)|complian|shall|policy",)),
    ),
    Archetype(
        id="intermediary", number=124, workstream="Regulatory", title="Intermediary paid by success, or an improper payment", evidence="direct", severity="Medium",
        why="Payments through agents are where bribery is found; profit can be disgorged.", next_step="Obtain the due diligence file on the agent; test the payments.", protection="Specific indemnity; exit of the agent",
        question="Are there agents with unusual commissions, facilitation payments or payments to officials?", triggers=("facilitation payment", "success fee", "commission of", "government official", "consultant's commission", "bribe", "kickback"),
        event=True, find=_event(r"facilitation payments? (?:of|to|were|was)|(?:commission|success fee)s? of (?:1[5-9]|[2-9]\d) ?%|payments? to (?:a |an )?(?:government |public |foreign )?official|\bkickback|\bbribe", no=(r"shall not|prohibit|policy|no (?:payment|bribe)|training",)),
    ),
    Archetype(
        id="related_party", number=13, workstream="Related parties", title="Dealing with an insider or affiliate", evidence="direct", severity="Medium",
        why="Terms may not be at arm's length and may end, or change, at closing.", next_step="Compare with market terms; terminate or rewrite at closing.", protection="Closing deliverable (termination or arm's-length agreement)",
        question="Is there a contract, loan or payment with a director, officer, shareholder, family member or affiliate?", triggers=("related party", "related-party", "owned by the chief", "spouse", "brother", "officer and director", "owned by our", "controlled by the ceo", "shareholder loan", "loan to"),
        find=rule(r"related[- ]party (?:transaction|agreement|loan|contract|payable|receivable|lease)s?\b|(?:owned|controlled) by (?:the |our |its )?(?:chief executive|ceo|founder|president|director|officer|chairman|spouse)|(?:spouse|brother|sister|son|daughter|wife|husband|family member) of (?:the |our |its )?(?:chief|ceo|founder|president|director)|(?:loan|advance) (?:to|from) (?:the |our |a |an )?(?:director|officer|shareholder|founder|stockholder|CEO)", no=(r"\bno (?:related|loan)|shall not|may not|without[^.;]{0,30}approval|policy|committee|covenant|\bapprove (?:any|all)|except as contemplated|\bany related",), values=_sum),
    ),
    Archetype(
        id="antitrust_document", number=125, workstream="Regulatory", title="Words that an authority would read against the deal", evidence="direct", severity="Medium",
        why="Such words contradict the market story in a filing.", next_step="Bring to antitrust counsel before any filing.", protection="Counsel; covenant on conduct before closing",
        question="Do decks or emails speak of removing a competitor, raising prices after the deal, or dividing markets?", triggers=("competitor", "dominan", "market share", "raise price", "pricing power"),
        event=True, find=_event(r"(?:eliminat|remov|tak\w+ out|kill|crush|neutrali[sz])\w*[^.;]{0,60}(?:competitor|competition|rival)|(?:raise|increase) prices? (?:after|once|post)[^.;]{0,40}(?:clos|merg|acqui|deal)|(?:dominan\w+|monopol\w+)[^.;]{0,60}(?:market|position|pricing)", no=(r"non-?dominan|\bno\b[^.;]{0,30}monopol",)),
    ),
)  # fmt: skip


def _runoff(clause: Clause) -> Hit | None:
    if clause.family not in ("insurance", "other"):
        return None
    found = re.search(
        r"(?:acquires more than|change (?:in|of) control|merge[sd]?)[^;]{0,260}(?:coverage|insurance|policy)[^;]{0,120}(?:only|cease|terminate|continue|before)",
        clause.text,
        _I,
    )
    return Hit({}, found[0]) if found else None
