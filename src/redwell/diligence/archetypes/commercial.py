"""Commercial clauses: what binds the business that is bought, and what it may have promised too much of."""

from __future__ import annotations

import re

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.base import Archetype, Clause, Hit, Values, rule

_I = re.IGNORECASE


def _bound(clause: Clause) -> Values:
    found: Values = {"bound": words.actor(clause.full)}
    if re.search(r"\baffiliates?\b|\bsubsidiar", clause.text, _I):
        found["affiliates"] = True
    return found


def _priced(clause: Clause) -> Values:
    found = _bound(clause)
    sums = words.money(clause.text)
    if sums:
        found["amount"], found["currency"] = max(sums)
    return found


# --- exclusivity and competition -----------------------------------------------------------------------------------------------

_WHO = (
    r"(?:distribut\w+|agen(?:t|cy)|supplier|provider|manufacturer|licen[cs]ee?s?|reseller|franchise\w*|source|basis|dealer|partner|sponsor\w*|vendor|representative|territor\w+|retailer|sub-?licen[cs]e|"
    r"marketer|operator|publisher|carrier|merchant|rights? (?:to|and licen|of|in|under|hereunder|for)|privilege|purchas\w+|use of)"
)
_EXCLUSIVE = re.compile(
    rf"\b(?:sole (?:and|or|&) )?exclusive\b(?:,? [\w’'-]+,?){{0,4}}? {_WHO}|"
    r"\b(?:grants?|granted|appoints?|licen[cs]es?)\b[^.;]{0,120}\b(?:sole and )?exclusive\b|\bon an exclusive basis|\bdeal exclusively|"
    r"(?:purchase|buy|sell|supply|source|obtain|distribute|market|promote|provide|procure|use|order|offer)\w*\b[^.;]{0,60}\bexclusively\b|\bexclusively (?:purchase|buy|sell|supply|source|obtain|distribute|market|promote|provide|procure|through|from|with)\b|"
    r"\bexclusivity\b[^.;]{0,60}\b(?:period|shall|will|obligation|right|term|during|commitment|expire)|exclusive(?:ly)? (?:during|for|within|in) the (?:term|territory|field|period)|\bexclusive (?:branding|advertis\w+|promotion\w*|sales?|marketing)",
    _I,
)
_SOLE = re.compile(
    r"\bsole (?:and exclusive )?(?:distribut\w+|supplier|provider|licensee|source|agent|reseller|vendor)\b|\brequirements\b[^.;]{0,60}(?:exclusively|solely|only) from|"
    r"(?:purchas|buy|obtain|sourc|order|procur|suppl)\w*[^.;]{0,80}(?:all|100 ?%|entire|total) (?:of )?(?:its|their|the)[^.;]{0,30}requirements",
    _I,
)
_DEALS_WITH_OTHERS = re.compile(
    r"(?:shall not|will not|agrees? not to|may not|neither|not permit|shall neither|nor)[^.;]{0,160}\b(?:appoint|grant|licen[cs]e|sell|engage|authori[sz]e|purchase|supply|distribute|solicit|enter into|"
    r"contract with|market|promote|offer|provide|procure)\w*\b[^.;]{0,140}\b(?:any (?:other|third)|other (?:person|part|distribut|entit|supplier|dealer)|third part\w+|anyone|another|franchise)",
    _I,
)
_NOT_EXCLUSIVE = re.compile(
    r"non[- –]?\s?exclusiv\w*|not (?:be |an? |create an )?exclusive|no exclusiv\w+|exclusive (?:agreement|statement|expression|understanding|remed\w+|jurisdiction|venue|forum|property|ownership|owner|benefit|liab\w+|"
    r"right, title|obligation|warrant\w+|responsib\w+|control|discretion|authority|means|negotiat\w+|possession)|exclusive rights? (?:of ownership|and interests? in all|to (?:institute|prosecute|defend|control|enforce|sue|bring|file|settle|determine|"
    r"approve|decide|change the beneficiary|elect))|(?:owned|governed|resolved|brought|settled|belong\w*|vest\w*|lies?|subject|limited|heard|submitted|interpreted|used or held for use)[^.;]{0,20} (?:only and )?exclusively|exclusively (?:owned|governed|that|"
    r"to facilitate|for (?:use with|the (?:purpose|benefit))|in the (?:courts?|federal|state)|by the (?:laws?|courts?|terms))|exclusive of|sole (?:and exclusive |and |or )*(?:discretion|remed\w+|property|owner\w*|cost|expense|responsib\w+|liabil\w+|"
    r"risk|purpose|option|opinion|judg\w+|benefit|agreement|understanding|authority|obligation|use and)",
    _I,
)
_NO_GRANT = re.compile(
    r"confidential|right, title,? and interest|jurisdiction|entire (?:agreement|understanding)|\bmeans\b|shall mean|third[- ]party beneficiar|may have entered into exclusive|does not (?:grant|create)|termination of exclusivity|"
    r"conflict with any exclusive|legal or equitable right",
    _I,
)


def _exclusivity(clause: Clause) -> Hit | None:
    text = clause.text
    low = text.casefold()
    if "exclusiv" in low or "requirements" in low or "sole " in low:
        rest = _NOT_EXCLUSIVE.sub(" ", text)
        found = (_EXCLUSIVE.search(rest) if "exclusiv" in rest.casefold() else None) or _SOLE.search(rest)
        if found and not _NO_GRANT.search(text):
            return Hit(_bound(clause), found[0][:80])
    around = (clause.context + clause.heading).casefold()
    fitting = "exclusiv" in around or "in the territory" in around or "competi" in around
    other = _DEALS_WITH_OTHERS.search(text) if fitting else None
    if other and not re.search(
        r"confidential|disclos|personal (?:data|information)|sublicen[cs]e|assign|subcontract|hire|employ|solicit|indemnif|unless the third party|audit|liab",
        text,
        _I,
    ):
        return Hit(_bound(clause), other[0][:80])
    return None


_COMPETE = re.compile(
    r"(?:shall not|will not|agrees? (?:that (?:it|he|she|they) (?:shall|will) )?not|may not|neither|not to|shall neither|cannot|refrain from|shall refrain|prohibit\w+ from|nor shall|without the (?:prior )?(?:written )?consent)"
    r"[^.;]{0,260}\b(?:compet\w+|(?:substantially )?similar (?:business|product|service|in (?:function|nature))|same (?:business|or similar)|engage in (?:any|the) (?:business|activit)|business (?:that|which) is (?:the same|similar))",
    _I,
)
_NOT_COMPETE = re.compile(
    r"competitive (?:bid|basis|prices?|terms)|competent|compete clause shall not|nothing [^.;]{0,60}(?:prevent|restrict|prohibit)|confidential|disclos\w+|solicit\w*|logos?|unfair competition|equitable relief|injuncti\w+|irreparable|violation of|acknowledges that|tracking",
    _I,
)
_HEADED = re.compile(r"non-?\s?compet|covenant not to compete|restrictive covenant|competing (?:product|business)", _I)


def _non_compete(clause: Clause) -> Hit | None:
    text = clause.full
    found = _COMPETE.search(text)
    if not found:
        found = _HEADED.search(clause.heading + " " + clause.context[:60]) and re.search(
            r"(?:shall not|will not|agrees? not|may not|not to|neither)[^.;]{0,200}(?:engage|own|operate|manage|participate|sell|market|distribute|interest in)",
            text,
            _I,
        )
    if not found or _NOT_COMPETE.search(text):
        return None
    values = _bound(clause)
    if (count := words.months(text)) and count <= 240:
        values["months"] = count
    return Hit(values, found[0][:80])


def _solicit(whom: str) -> str:
    return (
        r"(?:shall not|will not|agrees? (?:that (?:it|he|she|they) (?:shall|will) )?not|may not|neither|not to|nor|refrain)[^.;]{0,300}\b(?:solicit|hire|hiring|recruit|entice|induce|divert|canvass)"
        rf"\w*\b[^.]{{0,160}}\b(?:{whom})"
    )


_STAFF = r"employees?\b|personnel|staff\b|officers?\b|individuals? (?:who|employed)|person (?:who|employed)|employ of"
_CLIENTS = r"customers?|clients?|accounts?|suppliers?|users?|subscribers?|merchants?|partners?|members"

# --- money -----------------------------------------------------------------------------------------------------------------------

_MINIMUM = re.compile(
    r"\bminimum\b[^.;]{0,60}\b(?:purchase|quantit\w+|order|commitment|volume|fee|royalt\w+|guarantee\w*|payment|amount|annual|sales|spend|requirement|number|units?|monthly|quarterly|of)\b|"
    r"\b(?:guaranteed?|annual|quarterly|monthly|yearly) minimum|\btake[- ]or[- ]pay|\bshortfall (?:payment|fee|amount)|\bdeficiency payment|"
    r"\b(?:purchase|order|buy|pay|pays|spend|ship|sell|take)\b[^.;]{0,60}\b(?:at least|no(?:t)? (?:less|fewer) than|a minimum of|minimum)\b[^.;]{0,60}(?:\$|\d|units?|percent|%|dollars|products?)|"
    r"\bcommit\w*\b[^.;]{0,50}\b(?:purchase|volume|minimum|spend|quantit\w+)",
    _I,
)
_NOT_MINIMUM = re.compile(
    r"insur\w+|coverage|polic(?:y|ies)|minimum (?:standards?|qualif\w+|wage|notice|age|rating|net worth|tender|denominations?|specifications?|price|resale|advertised|legal|bid)|"
    r"minimum of \w+ \(?\d*\)? ?(?:hours?|days?|months|years|weeks|business)|"
    r"uptime|availability|at least (?:\w+ )?\(?\d*\)? ?(?:days?|business days|months|hours|years|calendar)[’' ]|capital (?:ratio|adequacy)|minimum amount (?:of|permitted)[^.;]{0,20}law|quorum|shares",
    _I,
)


def _minimum(clause: Clause) -> Hit | None:
    found = _MINIMUM.search(clause.text)
    if not found:
        return None
    rest = _NOT_MINIMUM.search(clause.text)
    if rest and not re.search(
        r"minimum (?:purchase|royalt|guarantee|commitment|annual|order quantit|volume)|take[- ]or[- ]pay|shortfall",
        clause.text,
        _I,
    ):
        return None
    if not re.search(
        r"\b(?:shall|will|must|agree\w*|commit\w*|guarantee\w*|oblig\w+|requir\w+|is|are|undertak\w+|pay|pays)\b",
        clause.text,
        _I,
    ):
        return None
    values = _priced(clause)
    quantity = re.search(
        r"(?:at least|not less than|no less than|minimum of)\s+(?:[\w-]+ )?\(?(\d[\d,]{2,})\)?\s*(units|tons|metric tons|pieces|litres|liters|barrels|gallons)?",
        clause.text,
        _I,
    )
    if quantity:
        values["quantity"] = float(quantity[1].replace(",", ""))
    price = re.search(r"at (?:US)?\$\s?([\d.,]+)\s+per (?:unit|ton|piece|barrel|gallon)", clause.text, _I)
    if price:
        values["unit_price"] = float(price[1].rstrip(".,").replace(",", ""))
    return Hit(values, found[0])


_MFN = (
    r"most[- ]favou?red (?:nation|customer|licensee|pric|party|status|treatment)?|at least as favou?rable|not be (?:charged )?(?:a )?(?:higher|less favou?rable)[^.;]{0,80}(?:than|other)|\b(?:no|not) less favou?rable[^.;]{0,120}\b(?:than|to)\b[^.;]{0,80}(?:other|third|any|another)|(?:prices?|terms|rates?|fees|conditions|royalt\w+)[^.;]{0,100}"
    r"\b(?:more favou?rable|lower|better|as favou?rable)\b[^.;]{0,120}(?:other|third|any|another)[^.;]{0,30}(?:customers?|part\w+|person|licensee|client|distribut\w+|purchaser|buyer|entit|compan)|"
    r"(?:lowest|best) (?:price|rate|terms|fee)s?[^.;]{0,80}(?:charged|offered|given|granted|available|provided)[^.;]{0,60}(?:any|other|customer|third)|price protection|"
    r"(?:offers?|grants?|provides?|charges?|sells?|enters? into|licenses?)[^.;]{0,140}(?:more favou?rable|lower price|lower rate|better terms|lower royalt)[^.;]{0,200}(?:shall|will|must|entitle|offer|reduc|adjust|benefit)"
)

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
    return Hit(_priced(clause), found[0])


# --- ending and renewing -----------------------------------------------------------------------------------------------------------

_MAY_END = re.compile(
    r"\b(?:may|can|right|entitled|option|ability|elect\w*|free|reserves?|shall have the right|permitted)\b[^.;]{0,90}\b(?:terminate|cancel|termination of)\b|"
    r"\b(?:agreement|contract|lease|term|engagement|services?|plan|it)\b[^.;]{0,50}\b(?:may|can|shall) (?:also |otherwise )?be (?:\w+ )?(?:terminated|cancell?ed)\b|\bterminable\b|\bterminates? this agreement\b|"
    r"\buntil (?:\w+ )?(?:terminated|cancell?ed)\b[^.;]{0,60}\bnotice|\bterminate\b[^.;]{0,60}\b(?:at the option of|by (?:either|any) party)",
    _I,
)
_FREELY = re.compile(
    r"for (?:its |their )?convenience|without (?:\w+ )?cause|for any (?:or no )?reason|with or without (?:cause|reason)|for no reason|without (?:any |giving |stating )?reason|"
    r"at any time|(?:at|in) (?:its|their|his|the) (?:sole |own |absolute |complete )*(?:discretion|option|election|convenience)|at will",
    _I,
)
_ON_NOTICE = re.compile(
    r"(?:upon|on|with|by|giving|at least|not less than|of)\b[^.;]{0,50}?\(?\d{1,3}\)?[’' )-]*(?:\w+ )?(?:day|month|week)s?[’']?[^.;]{0,40}\bnotice|notice[^.;]{0,40}\d{1,3}\)?[’' )-]*(?:\w+ )?(?:day|month|week)s?",
    _I,
)
_FOR_CAUSE = re.compile(
    r"\bif\b|in the event|event of default|\bbreach\w*\b|\bdefault\b|insolven|bankrupt|force majeure|upon the (?:occurrence|happening)|fail(?:s|ed|ure)\b|as a result of|because|for cause\b(?!, or)|"
    r"in accordance with (?:section|article|paragraph)|pursuant to (?:section|article|paragraph)|following (?:a|any|the) (?:change|breach|default|event)|non-?renew|not (?:to )?renew|unless (?:otherwise|earlier|sooner)",
    _I,
)
_NOT_FREE = re.compile(
    r"(?:neither|no) (?:party|right|termination)\b[^.;]{0,60}(?:terminat|for convenience)|(?:may|shall|can)(?: ?not| neither)\b[^.;]{0,50}terminat|not be (?:terminated|cancell?ed)|no right to terminate|"
    r"\b(?:upon|after|following|prior to|on|of|by reason of|from)\b (?:the )?(?:any )?(?:expir\w+ or (?:earlier )?)?terminat\w+[^.;]{0,60}(?:for any reason|for convenience|without cause|at any time)|survive",
    _I,
)


def _convenience(clause: Clause) -> Hit | None:
    text = clause.full
    right = _MAY_END.search(text)
    if not right or _NOT_FREE.search(text) or re.search(r"\b(?:employment|severance|good reason)\b", text, _I):
        return None
    freely, notice = _FREELY.search(text), _ON_NOTICE.search(text)
    strong = bool(freely and re.search(r"convenience|cause|reason", freely[0], _I))
    if not freely and not notice:
        return None
    if not strong and _FOR_CAUSE.search(text):
        return None
    if (
        strong
        and re.search(r"\bif\b[^.;]{0,80}(?:breach|default|insolven|fail)", text, _I)
        and not re.search(r"without cause|for convenience|no reason", text, _I)
    ):
        return None
    values: Values = {"holder": words.actor(text, right.end())}
    found = re.search(
        r"(?:upon|on|with|by giving|giving|at least|not less than|of|by)[^.;]{0,40}?((?:[\w-]+ )?\(?\d{1,3}\)?[- )]*(?:\w+ )?(?:days?|months?|weeks?))[’'s]*",
        text,
        _I,
    )
    if found and (count := words.days(found[1])):
        values["notice_days"] = count
    if re.search(
        r"shall (?:promptly )?refund|refund to|refund (?:all )?(?:any )?prepaid|pro[- ]?rata", clause.context, _I
    ) and re.search(r"refund|prepaid", clause.context, _I):
        values["refund"] = True
    return Hit(values, right[0])


_RENEWS = re.compile(
    r"(?:automatic\w*|thereafter)[^.;]{0,80}\b(?:renew\w*|extend\w*|continu\w*)|\b(?:renew\w*|extend\w*)\b[^.;]{0,60}\b(?:automatic\w*|successive|consecutive|additional|further|subsequent|year[- ]to[- ]year|annual\w*)|"
    r"\b(?:option|right|elect\w*|may)\b[^.;]{0,60}\b(?:to )?(?:renew|extend)\b|\brenewal (?:term|period)|successive (?:\w+ )?(?:\(?\d+\)?[- ])?(?:year|month)",
    _I,
)


def _renewal(clause: Clause) -> Hit | None:
    text = clause.text
    found = _RENEWS.search(text)
    if not found or not re.search(r"\b(?:term|agreement|contract|lease|year|month|period)\b", text, _I):
        return None
    if re.search(
        r"extend(?:s|ed)? (?:the time|credit|beyond)|renew(?:al)? of (?:insurance|the policy|registration)|warranty|patent term|letter of credit|domain",
        text,
        _I,
    ):
        return None
    values: Values = {}
    automatic = re.search(
        r"automatic|unless (?:either|terminated|a party|one|written notice|notice|it is|any|[A-Z]\w+ (?:gives|provides|notif))|thereafter",
        text,
        _I,
    )
    if automatic:
        values["renews"] = True
    notice = re.search(
        r"(?:at least|no(?:t)? (?:later|less|fewer|more)? ?(?:than|of)?|prior|within|upon|on)\s*((?:[\w-]+ )?\(?\d{1,3}\)?[- )]*(?:\w+ )?(?:days?|months?))[’'s]*[^.;]{0,60}(?:prior|before|notice|written|preced|end|expir)",
        text,
        _I,
    )
    if notice and (count := words.days(notice[1])):
        values["notice_days"] = count
    length = re.search(
        r"(?:successive|additional|further|renewal|consecutive|for)\b[^.;]{0,30}?((?:[\w-]+ )?\(?\d{0,2}\)?[- )]*(?:years?|months?))",
        text,
        _I,
    )
    if length and (count := words.months(length[1])):
        values["months"] = count
    return Hit(values, found[0])


_FIRST = (
    r"right of (?:exclusive |first )?negotiation|\bfirst right\b|right of first (?:refusal|offer|negotiation|notice|opportunity)|\brofr\b|\brofo\b|first (?:right|option|opportunity) (?:to|of)|right to match|matching right|"
    r"(?:first|prior) (?:offer|present)\w*[^.;]{0,80}(?:to|opportunity)|(?:right|option) to (?:purchase|acquire|match|negotiate)[^.;]{0,80}(?:before|prior to|same terms|third part|bona fide)|"
    r"(?:bona fide|third[- ]party) offer[^.;]{0,200}(?:notif|offer|match|right|option)|pre-?emptive right"
)

ARCHETYPES = (
    Archetype(
        id="exclusivity",
        number=32,
        workstream="Contracts",
        title="Exclusive dealing",
        evidence="direct",
        severity="Medium",
        why="Exclusivity closes part of the market to the target, and to the buyer's group where affiliates are bound.",
        next_step="Map each exclusive field and territory against the buyer's business; ask for a carve-out for the buyer's group where it overlaps.",
        protection="Carve-out amendment before closing",
        question="Does a party promise to deal only with the other, in a field, product or territory?",
        triggers=("exclusiv", "sole ", "requirements", "any other", "third part", "grant franchises"),
        find=_exclusivity,
    ),
    Archetype(
        id="non_compete",
        number=32,
        workstream="Contracts",
        title="Covenant not to compete",
        evidence="direct",
        severity="Medium",
        why="A covenant that binds the target, and its affiliates after closing, may close businesses that the buyer has.",
        next_step="Establish who is bound, where and until when; compare with the buyer's business.",
        protection="Carve-out amendment or release before closing",
        question="Is a party restricted from competing or from a business, product or territory?",
        triggers=("compet", "similar business", "similar product", "engage in"),
        find=_non_compete,
    ),
    Archetype(
        id="no_solicit_employees",
        number=32,
        workstream="Contracts",
        title="Covenant not to solicit employees",
        evidence="direct",
        severity="Low",
        why="It limits hiring by the target and, where affiliates are bound, by the buyer.",
        next_step="Note for integration planning.",
        question="Is soliciting or hiring the other side's staff restricted?",
        triggers=("solicit", "hire", "recruit", "entice", "employ"),
        find=rule(
            _solicit(_STAFF),
            no=(
                r"shall not be (?:deemed|considered)[^.;]{0,40}employ",
                r"not[^.;]{0,20}(?:an? )?(?:agent|employee) of the",
                r"reimburse|benefits|wages|nothing[^.;]{0,40}(?:prevent|prohibit|restrict)",
            ),
            where="full",
            values=_bound,
        ),
        routine=True,
    ),
    Archetype(
        id="no_solicit_customers",
        number=32,
        workstream="Contracts",
        title="Covenant not to solicit customers",
        evidence="direct",
        severity="Low",
        why="It limits whom the target, and its affiliates after closing, may sell to.",
        next_step="Compare the protected customers with those of the buyer.",
        question="Is soliciting the other side's customers restricted?",
        triggers=("solicit", "divert", "entice", "interfere", "call on"),
        find=rule(_solicit(_CLIENTS), where="full", values=_bound),
        routine=True,
    ),
    Archetype(
        id="most_favored_nation",
        number=33,
        workstream="Contracts",
        title="Most favoured customer clause",
        evidence="direct",
        severity="Medium",
        why="A lower price to anyone else must be passed on; a past breach is a claim, and the buyer's own prices may count.",
        next_step="Test the prices of comparable customers against the clause; ask for the target's compliance file.",
        protection="Specific indemnity for past breaches",
        question="Is a party promised the best price or terms given to anyone?",
        triggers=(
            "favored",
            "favoured",
            "favorable",
            "favourable",
            "lowest price",
            "lower price",
            "best price",
            "price protection",
            "lowest rate",
            "better terms",
            "higher fee",
            "higher price",
        ),
        find=rule(
            _MFN,
            no=(
                r"confidential",
                r"standard of care",
                r"indemnif",
                r"benefits? plan|employee benefits",
                r"audit|books of account|free to (?:enter|negotiate)|lease back|initial public",
            ),
            values=_bound,
        ),
    ),
    Archetype(
        id="minimum_commitment",
        number=34,
        workstream="Contracts",
        title="Minimum purchase or payment commitment",
        evidence="direct",
        severity="Medium",
        why="The commitment is payable whether or not the goods are needed.",
        next_step="Compare with actual volumes; treat an expected shortfall as a debt-like item.",
        protection="Debt-like item for accrued shortfalls; renegotiation",
        question="Is there a minimum purchase, volume, payment or take-or-pay commitment?",
        triggers=(
            "minimum",
            "take-or-pay",
            "take or pay",
            "shortfall",
            "at least",
            "not less than",
            "no less than",
            "commitment",
            "deficiency",
        ),
        find=_minimum,
    ),
    Archetype(
        id="uncapped_liability",
        number=35,
        workstream="Contracts",
        title="Liability without a cap",
        evidence="direct",
        severity="Low",
        why="Loss under these heads is not limited by the contract.",
        next_step="Check claims history and insurance for the uncapped heads.",
        protection="Representation; insurance",
        question="Is a party's liability uncapped, in whole or for some heads of loss?",
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
        next_step="Negotiate a cap; check what insurance would pay.",
        protection="Insurance; cap by amendment before closing",
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
        next_step="Ask for the record of service levels and delays and what was credited or paid.",
        protection="Accrual as a debt-like item",
        question="Are liquidated damages, service credits or a termination fee agreed?",
        triggers=("liquidated", "penalty", "credit", "termination fee", "termination charge", "rebate", "deduct"),
        find=_liquidated,
        routine=True,
    ),
    Archetype(
        id="termination_for_convenience",
        number=37,
        workstream="Contracts",
        title="Termination without cause",
        evidence="direct",
        severity="Medium",
        why="The contract can be ended without a reason; what it brings in is secured for the notice period only.",
        next_step="Treat the revenue or supply as cancellable in the model.",
        protection="Price; earn-out on retention",
        question="Who may terminate without cause, on what notice, and what is refunded?",
        triggers=("terminat", "cancel"),
        find=_convenience,
    ),
    Archetype(
        id="auto_renewal",
        number=31,
        workstream="Contracts",
        title="Renewal and notice windows",
        evidence="direct",
        severity="Low",
        why="A missed window binds the target for another term, or loses it one.",
        next_step="Put the notice dates into the calendar.",
        question="How does the contract renew, and by when must notice be given?",
        triggers=("renew", "extend", "successive", "thereafter", "automatic"),
        find=_renewal,
        support=True,
    ),
    Archetype(
        id="first_refusal",
        number=41,
        workstream="Contracts",
        title="Right of first refusal, offer or negotiation",
        evidence="direct",
        severity="Medium",
        why="The right may be triggered by the transaction or block a later sale of the asset.",
        next_step="Establish what the right attaches to and whether the transaction sets it off; obtain a waiver.",
        protection="Waiver as closing condition",
        question="Does anyone have a right of first refusal, first offer, first negotiation or a right to match?",
        triggers=(
            "first refusal",
            "first offer",
            "first negotiation",
            "first right",
            "first option",
            "first opportunity",
            "rofr",
            "to match",
            "matching right",
            "right of negotiation",
            "right of exclusive negotiation",
            "bona fide",
            "pre-emptive",
            "preemptive",
            "first offer",
            "same terms",
        ),
        find=rule(
            _FIRST,
            no=(r"matching (?:contribution|funds)|match(?:es|ed|ing)? (?:the )?(?:specification|description|records)",),
            where="full",
            values=_bound,
        ),
    ),
    Archetype(
        id="price_restriction",
        number=0,
        workstream="Contracts",
        title="Restriction on prices",
        evidence="direct",
        severity="Low",
        why="The target cannot raise its prices freely, which bears on the growth case.",
        next_step="Reflect the limit in the model.",
        question="Is a party limited in raising or setting prices?",
        triggers=("increase", "raise", "price cap", "prices shall", "fees shall not"),
        find=rule(
            r"(?:shall|may|will) not (?:increase|raise|change|exceed)[^.;]{0,60}(?:price|fee|rate)s?\b|(?:price|fee|rate)s?\b[^.;]{0,80}(?:shall|may|will) not (?:be )?(?:increase|raise|exceed|changed)\w*[^.;]{0,80}|"
            r"(?:increase|adjust)\w*[^.;]{0,60}(?:price|fee|rate)s?[^.;]{0,80}(?:not|more than|exceed|no more)[^.;]{0,30}(?:percent|%|CPI|consumer price)",
            no=(r"interest rate|exchange rate|liabilit",),
            values=_bound,
        ),
        routine=True,
    ),
    Archetype(
        id="revenue_share",
        number=0,
        workstream="Contracts",
        title="Share of revenue or profit is payable",
        evidence="direct",
        severity="Low",
        why="Royalties and shares are a cost of the revenue, and past reports may be audited.",
        next_step="Check the statements against the books.",
        question="Is a royalty, commission or share of revenue or profit payable?",
        triggers=("royalt", "commission", "percent", "%", "share of", "revenue shar"),
        find=rule(
            r"(?:pay|paid|payable|remit|receive|entitled|equal|retain)\w*[^.;]{0,160}(?:percent|%)[^.;]{0,100}(?:revenue|sales|profit|proceeds|receipts|income|margin|royalt)|"
            r"(?:royalt\w+|commissions?|revenue shar\w+|profit shar\w+)[^.;]{0,140}(?:percent|%|equal to|per unit)|share (?:of|in) (?:the )?(?:net |gross )?(?:revenue|profit|proceeds)|split[^.;]{0,40}(?:revenue|profit|equally)",
            no=(r"interest at|per annum|late (?:fee|charge|payment)|audit|underpa|discrepan|ownership|voting",),
            values=_bound,
        ),
        routine=True,
    ),
    Archetype(
        id="audit_right",
        number=80,
        workstream="Contracts",
        title="Counterparty may audit the books",
        evidence="direct",
        severity="Low",
        why="An audit can bring back-payments with interest.",
        next_step="Ask for past audits and their results.",
        question="May a party audit or inspect the other's books?",
        triggers=("audit", "inspect", "books and records", "examine", "records"),
        find=rule(
            r"(?:right|may|permit|allow|entitled|access|available|shall)\b[^.;]{0,140}\b(?:audit|inspect|examin|review|verify)\w*\b[^.;]{0,140}\b(?:books?|records?|accounts?|facilit\w+|premises|complian\w+|report|statement|process|operations|invoices)|"
            r"\b(?:books?|records?|accounts?)\b[^.;]{0,140}\b(?:available|open|subject)\b[^.;]{0,60}\b(?:inspect|audit|examin|review)|\baudit\w*\b[^.;]{0,80}(?:right|once|notice|reveal|disclos|discrepan|cost)|access to[^.;]{0,60}(?:books|records)",
            no=(r"audited financial|auditors? of|audit committee|audit report of|independent auditor.{0,20}consent",),
            values=_bound,
        ),
        routine=True,
    ),
    Archetype(
        id="insurance_duty",
        number=0,
        workstream="Insurance",
        title="Contract requires insurance to be kept",
        evidence="direct",
        severity="Low",
        why="A lapse in cover is a breach of the contract as well.",
        next_step="Hold the required cover against the policies in the room.",
        question="Must a party keep insurance, and of what kind?",
        triggers=("insur",),
        find=rule(
            r"(?:shall|will|must|agrees? to|required to|undertakes? to)\b[^.;]{0,140}\b(?:maintain|carry|obtain|procure|keep|provide|take out|have|effect|purchase|name|furnish)\w*\b[^.;]{0,140}\binsur\w+|\binsurance\b[^.;]{0,140}(?:shall|will|must)\b[^.;]{0,60}(?:name|be |maintain|cover|provide|include)|"
            r"(?:limits?|coverage) of (?:not|no) less than|additional insured|certificates? of insurance",
            no=(
                r"health insurance|life insurance benefits|group insurance|title insurance|unemployment insurance|deposit insurance|national insurance",
            ),
            values=_bound,
        ),
        routine=True,
    ),
    Archetype(
        id="non_disparagement",
        number=0,
        workstream="Contracts",
        title="Covenant not to disparage",
        evidence="direct",
        severity="Low",
        why="It limits what the target may say, also in disputes.",
        next_step="Note.",
        question="Must a party not disparage the other?",
        triggers=("disparag", "derogat", "reflect adversely", "goodwill", "reputation"),
        find=rule(
            r"(?:shall not|will not|agrees? not|agree not|not to|refrain|neither|never|nor|avoid|not)\b[^.;]{0,200}\b(?:disparag\w+|derogatory|negative (?:posts|statements|remarks|comments)|harm(?:ful)?[^.;]{0,30}reputation|reflects? (?:adversely|unfavou?rably|badly)|bring[^.;]{0,30}disrepute|adverse\w* (?:affect|reflect)[^.;]{0,40}(?:reputation|goodwill)|injur\w+[^.;]{0,40}reputation|tarnish|ridicule)",
            no=(r"marks? in any manner|logos?",),
            values=_bound,
        ),
        routine=True,
    ),
    Archetype(
        id="third_party_beneficiary",
        number=0,
        workstream="Contracts",
        title="Third party may enforce the contract",
        evidence="direct",
        severity="Low",
        why="Someone who is no party can sue on the contract.",
        next_step="Note.",
        question="May someone who is not a party enforce the contract?",
        triggers=("beneficiar",),
        find=rule(
            r"(?:is|are|be|intended|express|as)[^.;]{0,40}third[- ]?party beneficiar|third[- ]?party beneficiar\w+ (?:of|to|under|hereof|with)",
            no=(r"(?:no|not|without|nor|nothing)\b[^.;]{0,200}beneficiar",),
        ),
        routine=True,
    ),
)
