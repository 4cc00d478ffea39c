"""Change of control and assignment: what the deal itself sets off."""

from __future__ import annotations

import re
from typing import Any

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.base import Archetype, Clause, Hit, Values

_I = re.IGNORECASE
_STAKE = (
    r"(?:all or substantially all|substantially all|majority|controlling (?:interest|stock|share)|control(?:ling)? interest|"
    r"more than (?:fifty|50)|(?:fifty|50) ?(?:percent|per cent|%)|(?:beneficial|substantial) (?:ownership|interest|portion))"
)
_THING = r"(?:assets|stock|shares|voting|equity|interests?|ownership|securities|business)"
CONTROL = re.compile(
    r"chang\w* (?:of|in|to) (?:the |its |their |effective |beneficial |direct |indirect |legal |or |and )*(?:control|ownership|management|majority)|"
    r"change[- ]of[- ]control|changes? (?:of|in|to) [\w ’',]{0,50}\bcontrol\b|changes? in [\w ’']{0,40}(?:stock )?ownership|"
    rf"(?:acqui|transfer|sale|sell|sold|dispos|purchas|convey)\w*[^.;]{{0,100}}{_STAKE}[^.;]{{0,60}}{_THING}|"
    rf"{_STAKE}[^.;]{{0,80}}{_THING}[^.;]{{0,80}}(?:is|are|be|been|being|were|was) [^.;]{{0,30}}(?:acquir|sold|transferr|purchas|merged)|"
    r"(?:is|are|be|been|was) (?:directly or indirectly )?(?:acquired|controlled) by|acquires? control|control of [^.;]{2,50} (?:shall )?(?:pass|change)|"
    r"\b(?:merge[sd]?|merger|(?<!substantive )consolidat\w+|amalgamat\w+)\b[^.;]{0,60}(?:with|into|by|involving|of|to which)|acquisition of (?:the )?(?:Company|Licensee|Customer|Supplier)|"
    r"chang\w* [^.;]{0,30}(?:shareholders|stockholders|ownership structure)",
    _I,
)
_EFFECTS = re.compile(
    r"\bterminat\w*|\bcancel\w*|\bconsent|deemed[^.;]{0,40}(?:assign|transfer)|\baccelerat\w*|\bdefault\b|\bpay\b|payment|\bvest\w*|\bfee\b|"
    r"\bright to\b|\bnotice\b|\bnotify|\bapproval|\bbinding (?:up)?on|\bassign\w*|\boption to\b|\bwithhold|\bexercis|\bprovided\b|\bcontinue",
    _I,
)
_TERMINATION = (
    r"\b(?:may|shall have|has|have|entitled|entitle|right|option|elect|reserves)\b[^.;]{0,120}\b(?:terminat|cancel)\w*|"
    r"\bterminat(?:e|ed|ion|es)\b[^.;]{0,200}(?:if|upon|in the event|following|by reason of|as a result of|after|because|for)\b|"
    r"\bagreement\b[^.;]{0,60}\bterminate[sd]?\b|event of default|grounds? for (?:immediate )?termination"
)
_SOLVENT = re.compile(
    r"(?:other than|except|save)[^.;,]{0,80}(?:reconstruction|amalgamation|reorgani[sz]ation)(?: or (?:reconstruction|amalgamation|reorgani[sz]ation))?",
    _I,
)
_DEFINES = re.compile(r"^[^.]{0,60}[\"“”']?change (?:of|in) control[\"“”']?,? (?:shall |has the )?mean", _I)


def _any(text: str, *words: str) -> bool:
    """Whether one of the words is in the text: a cheap question before a dear one."""
    low = text.casefold()
    return any(word in low for word in words)


def _holder(clause: Clause) -> str:
    match = re.search(r"terminat|cancel", clause.full, _I)
    return words.actor(clause.full, match.start() if match else None)


def _whose(text: str) -> str:
    match = re.search(
        r"(?:control|ownership|acquisition|merger|consolidation|assets|stock|interests?) (?:of|in|by|with respect to|affecting) (?:the )?"
        r"((?:either|any|a|each|such|the other) party|[A-Z][\w&’'.-]*(?: [A-Z][\w&’'.-]*){0,3})",
        text,
    )
    return match[1].rstrip(".,") if match else ""


_EVENTS = (
    (
        "control",
        r"chang\w* (?:of|in|to) [^.;]{0,50}(?:control|ownership|management|shareholders|stockholders)|change[- ]of[- ]control|acquires? control|control of [^.;]{2,50} (?:shall )?(?:pass|change)|(?:acquired|controlled) by",
    ),
    (
        "shares",
        r"(?:stock|shares?|voting|equity|membership interests?|ownership interests?|beneficial ownership|controlling interest|ownership of (?:more|a majority))\b",
    ),
    ("merger", r"\bmerge[sd]?\b|\bmerger|consolidat\w+|amalgamat\w+"),
    (
        "assets",
        r"(?:all or )?substantially all (?:of )?(?:the |its |their |such party[’']s )*(?:\w+ )?(?:assets|business|property)|sale of (?:the |its |all )*(?:assets|business)|business to which this agreement",
    ),
)


def events(text: str) -> str:
    """Which events a clause names, of control, shares, merger and assets."""
    return " ".join(name for name, pattern in _EVENTS if re.search(pattern, text, _I))


def _control_values(clause: Clause) -> Values:
    text = clause.full
    found: Values = {"holder": _holder(clause), "of": _whose(text), "events": events(text)}
    window = re.search(
        r"terminat\w*[^.;]{0,160}\bwithin ([\w()\s-]{3,30}?(?:days|months|years))[^.;]{0,60}(?:following|after|of) [^.;]{0,60}(?:control|closing|notice|merger|acquisition|event|transaction|becom|receipt|such|effective)|"
        r"\bwithin ([\w()\s-]{3,30}?(?:days|months|years)) (?:following|after|of) [^.;]{0,60}(?:control|closing|merger|acquisition|such event|transaction|notice)[^.;]{0,120}terminat",
        text,
        _I,
    )
    if window and (count := words.days(window[1] or window[2])):
        found["window_days"] = count
    notice = re.search(
        r"(?:upon|on|with|by giving|giving|at least|not less than)[^.;]{0,30}?([\w()\s-]{3,30}?(?:days|months))[’'s]*[^.;]{0,30}notice",
        text,
        _I,
    )
    if notice and (count := words.days(notice[1])):
        found["notice_days"] = count
    if re.search(r"terminate[s]? automatically|automatic(?:ally)? terminat|shall automatic", clause.text, _I):
        found["automatic"] = True
    if re.search(r"competitor", text, _I):
        found["competitor_only"] = True
    if re.search(r"\brefund\b|prepaid", clause.context, _I):
        found["refund"] = True
    return found


_RIGHT = re.compile(
    r"\b(?:may|(?:shall|will) have|entitled|right|option|elect)\b(?! not\b)[^.;]{0,120}\b(?:terminat|cancel)\w*|\bterminat\w*[^.;]{0,40}\bat the option of",
    _I,
)
_AFTERWARDS = re.compile(
    r"^\W*(?:\(?\w{1,5}[.)] ?)?(?:[^.;:]{0,120}[.:] )?(?:upon|after|following|in the event of|in case of|on) (?:the |any )?(?:expiration or )?terminat\w+ (?:of|\(|by|pursuant|\[)"
    r"|\bif [\w ]{1,40} terminates? this (?:\w+ )?agreement\b|\beffects? of (?:expiration (?:or|and) )?terminat|\buntil the earlier",
    _I,
)
"""What follows a termination, not the right to it."""
_PART_ENDS = re.compile(
    r"\b(?:provisions? of|sections?|paragraphs?|restrictions?|standstill|covenants?|obligations?)\b[^.;]{0,100}\b(?:shall|will)\b[^.;]{0,30}\bterminate",
    _I,
)
"""Single clauses that end, such as a standstill, while the contract goes on."""


def lead_rank(finding: Any) -> int:
    """Of several quotes of one right: 0 for words that hold both the event and the right, 1 for others, 2 for what follows."""
    quote = finding.citations[0].quote if finding.citations else ""
    if _AFTERWARDS.search(quote) or not CONTROL.search(quote):
        return 2
    return 0 if _RIGHT.search(quote) else 1


def _termination(clause: Clause) -> Hit | None:
    text = clause.full
    if not _any(text, "terminat", "cancel", "default"):
        return None
    control = CONTROL.search(_SOLVENT.sub(" ", text))
    if not control or _DEFINES.search(text):
        return None
    found = re.search(_TERMINATION, text, _I)
    if not found:
        return None
    if re.search(
        r"(?:shall|will|does) not\b[^.;]{0,40}(?:give|constitute|be deemed|entitle|permit)|not (?:be )?entitled? to terminate|no right[^.;]{0,30}terminate|"
        r"\bno (?:\w+ ){0,3}(?:change[- ]of[- ]control|customer-termination)",
        text,
        _I,
    ):
        return None
    if re.search(
        r"\b(?:employment|Executive|Employee|Participant|severance|Consulting Fee|Consultant[’']s engagement)\b", text
    ):
        return None
    if not _RIGHT.search(clause.text) and (
        _AFTERWARDS.search(clause.text) or _AFTERWARDS.search(text) or _PART_ENDS.search(clause.text)
    ):
        return None
    if clause.family in ("credit", "security", "guarantee") or re.search(
        r"(?:other than|except|excluding|unless)[^.;]{0,80}\b(?:in connection with|pursuant to|as (?:a )?result of|following) (?:a |any |the )?(?:change (?:of|in) control|merger|acquisition)",
        text,
        _I,
    ):
        return None
    return Hit(_control_values(clause), control[0])


_CONSENT = re.compile(r"\b(?:consent|approval|authori[sz]ation)\b", _I)
_EXCEPTED = re.compile(
    r"(?:except|provided|however|notwithstanding|unless|other than)\b[^.]{0,220}$|\bmay (?:freely |also )?(?:assign|transfer|terminate)\b[^.]{0,200}$|without (?:\S+ ){0,8}(?:consent|approval)[^.]{0,200}$|"
    r"(?:not|no) (?:be )?(?:required|needed|necessary)[^.]{0,120}$",
    _I,
)
_CONSENT_AFTER = re.compile(
    r"^[^.;]{0,160}\b(?:without|requires?|subject to|unless|only with|be conditional|needs?|absent)\b[^.;]{0,80}\b(?:consent|approval)|^[^.;]{0,60}(?:upon|with) the prior written consent|^[^;]{0,200}\bmay assign\b[^.;]{0,100}\bupon the prior written consent",
    _I,
)
_FORBIDDEN = re.compile(
    r"\b(?:shall not|may not|will not|neither|no (?:party|assignment|transfer|change)|not (?:be )?(?:assign|transfer|sell|permit)|nor)\b",
    _I,
)


def _control_consent(clause: Clause) -> Hit | None:
    text = clause.full
    if not _any(text, "consent", "approv", "authori"):
        return None
    control = CONTROL.search(text)
    if not control or _DEFINES.search(text) or not CONTROL.search(clause.text):
        return None  # where only the words that open the list name the event, the item is another thing
    start, end = control.span()
    before, after = text[max(0, start - 260) : start], text[end : end + 260]
    if _EXCEPTED.search(before):
        return None
    if not (_CONSENT_AFTER.search(after) or (_FORBIDDEN.search(before) and _CONSENT.search(text))):
        return None
    return Hit(_control_values(clause) | {"holder": ""}, control[0])


def _deemed_assignment(clause: Clause) -> Hit | None:
    text = clause.full
    if not _any(text, "assign", "transfer"):
        return None
    if not CONTROL.search(text):
        return None
    deemed = re.search(
        r"(?:deemed|considered|constitute|treated as|regarded as)[^.;]{0,50}\b(?:assignment|transfer)|(?:assignment|transfer)[^.;]{0,60}\b(?:includ|mean)\w*[^.;]{0,120}(?:merger|control|operation of law)",
        text,
        _I,
    )
    if (
        not deemed
        or re.search(
            r"\bno (?:such |direct |indirect )*(?:change|merger|sale|transfer|assignment|delegation)", text, _I
        )
        or re.search(r"(?:not|neither)\b[^.;]{0,40}(?:be )?(?:deemed|considered|constitute|treated)", text, _I)
    ):
        return None
    return Hit(_control_values(clause) | {"holder": ""}, deemed[0])


def _control_payment(clause: Clause) -> Hit | None:
    text = clause.full
    control = re.search(
        r"change (?:of|in) (?:\w+ )?control|change[- ]of[- ]control|sale of the company|acquisition event|corporate transaction",
        text,
        _I,
    )
    if not control or _DEFINES.search(text):
        return None
    paid = re.search(
        r"(?:shall|will|must|agrees to|entitled to|obligated to|required to)[^.;]{0,120}\b(?:pay|payment|receive|fee|bonus|sum|premium|reprice|increase)\b|"
        r"(?:fee|bonus|premium|royalt\w+|price)[^.;]{0,80}(?:shall|will) (?:be )?(?:increase|payable|due|paid|adjust)",
        text,
        _I,
    )
    if not paid or re.search(
        r"\b(?:Executive|Employee|Participant|employment|Option|Award|Consulting Fee)\b|accrued but unpaid|shall not constitute|until the earlier of",
        text,
    ):
        return None
    values: Values = _control_values(clause) | {"holder": ""}
    sums = words.money(text)
    if sums:
        values["amount"], values["currency"] = max(sums)
    return Hit(values, control[0])


def _control_notice(clause: Clause) -> Hit | None:
    text = clause.full
    if not _any(text, "notif", "notice", "inform"):
        return None
    control = CONTROL.search(text)
    if not control or not re.search(r"\b(?:notify|notice|inform)\b", text, _I):
        return None
    if not re.search(
        r"change (?:of|in) (?:\w+ ){0,2}(?:control|ownership)|change[- ]of[- ]control", text, _I
    ) or re.search(r"terminat|consent", text, _I):
        return None
    return Hit(_control_values(clause) | {"holder": ""}, control[0])


_ASSIGN = re.compile(
    r"\b(?:neither|no|not|nor|never|non-?)\b[^.;]{0,140}?\b(?:assign\w*|transfer\w*|delegat\w+)|"
    r"\b(?:assign\w*|transfer\w*)\b[^.;]{0,200}?\b(?:only with|without|absent|subject to|requires?|unless|except with)\b[^.;]{0,60}\b(?:consent|approval|permission|agree)|"
    r"\b(?:assign\w*|transfer\w*)\b[^.;]{0,120}?\b(?:void|prohibited|null|invalid|not permitted|no effect)|"
    r"\bpersonal (?:to|in nature|and)\b[^.;]{0,60}(?:assign|transfer)|\bnon-?assignable",
    _I,
)
_ASSIGNED = re.compile(
    r"\b(?:this|the|such|any|its|their|his|all)\b[^.;]{0,60}\b(?:agreement|contract|rights?|obligations?|interests?|duties|lease|license|licence|franchise|part)\b",
    _I,
)


_PERMITS = re.compile(
    r"\b(?:may|shall have the right to|is entitled to|shall be (?:free|entitled|permitted) to|reserves? the right to)\b(?! not\b)[^.;]{0,80}\b(?:assign|transfer|delegate)\b",
    _I,
)
_FORBIDS = re.compile(
    r"\b(?:may not|shall not|will not|must not|cannot|neither|nor|no (?:party|right|assignment|transfer|such assignment|other assignment)|agrees? not to|not (?:be )?(?:assigned|assignable|transferred|transferable)|not assign|not transfer|non-?assignable|void|prohibited|"
    r"only (?:with|upon|after)|(?:requires?|subject to|upon|with) (?:the )?(?:prior )?(?:written )?(?:consent|approval))\b",
    _I,
)
"""Words that forbid; a sentence that only permits an assignment (“may assign ... without consent”) needs no one's consent."""


_NO_ASSIGNMENT = re.compile(
    r"\b(?:no|nor|not|neither)\b[^.;]{0,200}\b(?:deemed|considered|constitute)\b[^.;]{0,30}\bassignment", _I
)
_OTHER_THING = re.compile(
    r"\btransfer\w*(?: or \w+| and \w+)?(?: of| to)? (?:any |such |the |all |its |their |user |\w+ to \w+ )*(?:materials?|information|data|employees?|records|regulatory|personnel|samples|know-how|technology)\b"
    r"|\b(?:shall|will) (?:promptly )?(?:transfer and assign|assign and transfer)\b",
    _I,
)
_THE_CONTRACT = re.compile(
    r"\b(?:assign(?:ed|able)?|delegat\w+)\b[^.;]{0,40}\b(?:this|its|their|his|any|the)\b[^.;]{0,40}\b(?:agreement|contract|rights?|obligations?|duties|interests?|lease|licen[cs]e)\b"
    r"|\b(?:agreement|contract|lease|rights?|obligations)\b[^.;]{0,80}\b(?:not|nor)\b[^.;]{0,20}\bbe (?:\w+ )?(?:assign|transferr)",
    _I,
)


def _anti_assignment(clause: Clause) -> Hit | None:
    text = clause.full
    found = _ASSIGN.search(text)
    if not found or not _ASSIGNED.search(text):
        return None
    if not re.search(
        r"assign|delegat|transfer(?:red|able|s)?\b[^.;]{0,80}(?:agreement|rights|contract|lease|franchise|obligations)|(?:agreement|rights|contract|lease|franchise|license)[^.;]{0,100}transfer",
        text,
        _I,
    ):
        return None
    if not re.search(
        r"consent|approv|permission|\bvoid|prohibited|not assign|not be assign|non-?assign|may not|shall not|shall neither|neither|nor|no (?:party|right|assign)|cannot",
        text,
        _I,
    ):
        return None
    if re.search(
        r"assign(?:s|ed|ment)?[^.;]{0,40}(?:all )?(?:right, )?title|invention|work(?:s)? (?:made )?for hire|moral rights|assigned to (?:work|perform)|representations? and warrant|has not (?:previously )?(?:assigned|transferred)",
        text,
        _I,
    ) and not re.search(r"assign this", text, _I):
        return None
    if re.search(
        r"personal data|personal information|transfer of (?:funds|title|shares|data)|assignment for the benefit of creditors",
        text,
        _I,
    ) and not re.search(r"\bassign\w* (?:this|its|any|all|the)", text, _I):
        return None
    context = clause.context
    if (_NO_ASSIGNMENT.search(text) or _OTHER_THING.search(text)) and not _THE_CONTRACT.search(text):
        return None
    if _PERMITS.search(text) and not _FORBIDS.search(text):
        return None
    values: Values = {"holder": "", "bound": words.actor(text, found.start() + 40)}
    if re.search(r"operation of law|by law", text, _I):
        values["operation_of_law"] = True
    if re.search(
        r"(?:except|provided|notwithstanding|other than|however|may (?!not\b)[^.;]{0,60}assign)[^.]{0,260}(?:merger|acquisition|successor|substantially all|change (?:of|in) control|reorgani[sz]ation|acquir)",
        context,
        _I,
    ):
        values["deal_exception"] = True
    if re.search(r"change (?:of|in) (?:\w+ )?control|merger|consolidation|acquisition of|voting", context, _I):
        values["speaks_of_control"] = True
    if re.search(r"not (?:to )?(?:be )?unreasonably (?:be )?(?:withh|delay|condition)", context, _I):
        values["reasonable"] = True
    return Hit(values, found[0])


DUE = (
    "Establish before signing whether the transaction triggers the clause; obtain a written {} as a closing condition."
)

ARCHETYPES = (
    Archetype(
        id="change_of_control_termination",
        number=24,
        workstream="Contracts",
        title="Counterparty may terminate on a change of control",
        evidence="direct",
        severity="High",
        why="The transaction itself gives the counterparty a right to end the contract; the revenue or supply under it is not secured at closing.",
        next_step=DUE.format("waiver of the termination right"),
        protection="Closing condition (waiver); price holdback until the exercise window has lapsed",
        question="Who may terminate, or what terminates automatically, when control of a party changes or it merges or sells its business?",
        triggers=(
            "control",
            "merge",
            "consolidat",
            "ownership",
            "substantially all",
            "majority",
            "acquired by",
            "amalgamat",
        ),
        find=_termination,
    ),
    Archetype(
        id="change_of_control_consent",
        number=23,
        workstream="Contracts",
        title="Consent is needed for a change of control",
        evidence="direct",
        severity="Medium",
        why="Closing without the consent is a breach, or leaves the contract with the old owner.",
        next_step="Add the contract to the consents matrix; ask for the consent before signing or make it a closing condition.",
        protection="Closing condition (consent)",
        question="Does a change of control, merger or sale of substantially all assets need a party's consent?",
        triggers=("control", "merge", "consolidat", "substantially all", "majority", "ownership"),
        find=_control_consent,
        routine=True,
    ),
    Archetype(
        id="change_of_control_deemed_assignment",
        number=26,
        workstream="Contracts",
        title="Change of control or merger is deemed an assignment",
        evidence="direct",
        severity="Medium",
        why="The clause turns the event it names into an assignment that needs consent, although no one assigns anything.",
        next_step="Ask the counterparty for its written consent to the transaction before signing, or make it a closing condition.",
        protection="Closing condition (consent)",
        question="Is a change of control, merger or transfer of shares deemed to be an assignment?",
        triggers=("deemed", "constitute", "considered", "treated as", "regarded as", "operation of law"),
        find=_deemed_assignment,
        routine=True,
    ),
    Archetype(
        id="change_of_control_payment",
        number=25,
        workstream="Contracts",
        title="Payment, fee or repricing on a change of control",
        evidence="direct",
        severity="Medium",
        why="The transaction makes a sum payable or changes the price, which lowers what the buyer gets for its money.",
        next_step="Quantify the payment and put it into the funds flow or deduct it from the price.",
        protection="Price reduction or debt-like item",
        question="Is any fee, premium, bonus or change of price due on a change of control?",
        triggers=(
            "of control",
            "in control",
            "of-control",
            "sale of the company",
            "acquisition event",
            "corporate transaction",
        ),
        find=_control_payment,
    ),
    Archetype(
        id="change_of_control_notice",
        number=0,
        workstream="Contracts",
        title="Change of control must be notified",
        evidence="direct",
        severity="Low",
        why="A late notice is a breach and can open other remedies.",
        next_step="Put the notice, with its day, into the closing agenda.",
        protection="Closing deliverable (notice)",
        question="Must a change of control be notified?",
        triggers=("of control", "in control", "of-control", "ownership"),
        find=_control_notice,
        support=True,
    ),
    Archetype(
        id="anti_assignment",
        number=26,
        workstream="Contracts",
        title="Assignment needs the counterparty's consent",
        evidence="direct",
        severity="Low",
        why="In an asset deal, or a merger in which the target does not survive, the contract does not pass without consent.",
        next_step="Confirm that the structure leaves the contract with the target (no assignment, also by operation of law); otherwise ask for the consent now.",
        protection="Structure (share purchase or reverse triangular merger) or consent as closing condition",
        question="May the contract be assigned, also by operation of law, and what are the exceptions?",
        triggers=("assign", "transfer", "delegat"),
        find=_anti_assignment,
        routine=True,
    ),
)
