"""Commercial clauses: volumes, ending and renewing, what is payable and what may be audited."""

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


def priced(clause: Clause) -> Values:
    """Who is bound, and the largest sum of the sentence."""
    found = _bound(clause)
    sums = words.money(clause.text)
    if sums:
        found["amount"], found["currency"] = max(sums)
    return found


_OUGHT = r"\b(?:shall|will|must|agrees?(?: to)?|commits?(?: to)?|guarantees?(?: to)?|undertakes? to|(?:is|are|be) (?:required|obligated|obliged|committed) to)\b"
_FLOOR = r"\b(?:a minimum|minimum of|minimum|at least|no(?:t)? (?:less|fewer) than)\b"
_MEASURE = r"(?:[$€£\d\[*]|US\$|percent|%|units?\b|tons?\b|dollars|products?\b|quantit|order|purchase|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|hundred|thousand|million)\b)"
_MINIMUM = re.compile(
    rf"{_OUGHT}[^.;]{{0,140}}\b(?:purchase|order|buy|pay|spend|sell|take|ship|provide|deliver|generate|expend|contribute|share|place|issue)s?\b[^.;]{{0,140}}{_FLOOR}[^.;]{{0,50}}?{_MEASURE}|"
    r"\b(?:annual|quarterly|monthly|yearly|guaranteed|aggregate|non-?refundable|recoupable) (?:\w+ )?minimum\b|"
    r"\bminimum (?:recoupable |annual |monthly |quarterly |yearly |net |guaranteed |aggregate |agreed )*(?:purchase|quantit\w+|commitment|volume|royalt\w+|guarantees?|payments?|sales|spend|revenues?|monthly fee|annual fee|fees?|orders? (?:volume|quantit\w+|requirement|obligation))\b|"
    r"\btake[- ]or[- ]pay|\bshortfall (?:payment|fee|amount)|\bdeficiency payment|"
    rf"{_OUGHT}[^.;]{{0,60}}\bbinding commitment[^.;]{{0,60}}\b(?:purchase|order)",
    _I,
)
_PERIODS = re.compile(
    r"(?:at least|no(?:t)? (?:less|fewer) than|a? ?minimum (?:period )?of|minimum)\s+(?:[\w-]+ ){0,2}\(?\d*\)? ?(?:consecutive |business |calendar |working )*(?:days?|months?|years?|weeks?|hours?|minutes|times|notice)\b|"
    r"\bat least,? (?:once|twice|quarterly|annually|monthly|weekly|daily|semi-?annually|every)\b|"
    r"\bat (?:a|the) minimum\b|\bas a minimum\b|(?:containing|include)[^.;]{0,20} at a minimum",
    _I,
)
_NOT_MINIMUM = re.compile(
    r"\b(?:no|not an?y?|without (?:any )?|nor any) (?:\w+ ){0,2}(?:minimum|commitment)|not (?:a|be|constitute|create)[^.;]{0,30}(?:commitment|obligat)|insur\w+|coverage|"
    r"minimum (?:information|standards?|qualif\w+|wage|age|rating|net worth|tender|denominations?|specifications?|price|invoice|resale|advertised|legal|bid|inventory|level|notif\w+|investment|distribution|amount of time|order size|number of (?:clips|directors|members))|"
    r"(?:neither|nor|no|not)\b[^.;]{0,120}\b(?:subject to|have|has|under) (?:any|an?) [^.;]{0,40}\bminimum|(?:returned|bounced|dishonou?red) (?:checks?|cheques?|items?)|late charge|remodel\w*|redecorat\w*|refurbish\w*|refurnish\w*|renovat\w*|committees?\b|in no event (?:will|shall) any failure|"
    r"uptime|availability|capital (?:ratio|adequacy)|quorum|\bshares\b|\b(?:shall )?means?\b|lead time|pixels|regulatory|full-?time|bonus|shelf life|scale|union\b|commercially reasonable efforts|(?:prior|advance) (?:written )?notice|prior to submission|letters of approach|invoices to|at least one purchase order|the excess|in excess of|reaches the minimum|will not be included|become responsible|to effect payment|fails? to (?:meet|secure|achieve|satisfy)|for purposes of this|distributions? (?:shall|to)",
    _I,
)


def _minimum(clause: Clause) -> Hit | None:
    text = _PERIODS.sub(" ", clause.text)
    found = _MINIMUM.search(text)
    if not found or _NOT_MINIMUM.search(text):
        return None
    if not re.search(rf"{_OUGHT}|\b(?:is|are) (?:due|payable)|\b(?:pay|pays|guaranteed)\b|take[- ]or[- ]pay", text, _I):
        return None
    values = priced(clause)
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


_OBJECT = r"(?:agreement|contract|lease|engagement|services?|arrangement|addendum|order form|statement of work|sow|plan|appointment|licen[cs]e agreement|term\b)"
_WHOLE = re.compile(
    rf"\b(?:terminat|cancel)\w*\b,?(?: \([^)]*\))*(?: or (?:reduce|cancel|suspend|terminate)[\w ]{{0,60}})? (?:[\w’'-]+ ){{0,8}}?(?:this|the|such|said|its|their|consultant[’']s|contractor[’']s|any)? ?(?:[\w’'-]+ ){{0,3}}?{_OBJECT}|"
    rf"\b(?:this|the|such|said|each) (?:[\w’'-]+ ){{0,3}}?{_OBJECT}\b[^.;]{{0,80}}\b(?:terminat|cancel)\w*|\b(?:it|they) may be (?:terminated|cancell?ed)|\bterminable\b|:[^.;]{{0,20}}may be terminated",
    _I,
)
"""What is ended must be the contract: a right to end a fund, a single order, a sub-licence or one obligation is another thing."""
_PART_ONLY = re.compile(
    r"\b(?:terminat|cancel)\w*\b (?:its|the|such|any|all|either|each|that)? ?(?:[\w’'-]+ ){0,2}(?:obligations?|fund\b|licen[cs]e to|sub-?servic\w+|sub-?contract\w*|purchase orders?|po[’']?s|orders?\b(?! form)|account|access|authori[sz]ation|development of|use of)|"
    r"\bwith cause\b(?!.{0,12}without)|for cause\b(?!, or| or)|at the expiration of its term|for a change of control|by (?:the )?(?:mutual )?(?:written )?agreement\.?$|option to terminate[^.;]{0,40}only be exercised|terminat\w* the (?:display|service)\b|by (?:the )?(?:mutual )?(?:written )?(?:agreement|consent) (?:in writing )?of (?:all |both )?(?:the )?parties|by mutual|sub-?servicer|assignment by either party|cancel, in whole or in part, (?:po|purchase)",
    _I,
)


def _convenience(clause: Clause) -> Hit | None:
    text = clause.full
    right = _MAY_END.search(text)
    if not right:
        return None
    freely, notice = _FREELY.search(text), _ON_NOTICE.search(text)
    if not freely and not notice:
        return None
    if not _WHOLE.search(text) or _PART_ONLY.search(text) or _NOT_FREE.search(text):
        return None
    if re.search(r"\b(?:employment|severance|good reason)\b", text, _I) or text.rstrip().endswith(":"):
        return None
    strong = bool(freely and re.search(r"convenience|cause|reason", freely[0], _I))
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


_AUDITS = re.compile(
    r"\b(?:right|rights|may|permit\w*|allow\w*|entitled|permission|privilege|opportunity)\b[^.;]{0,160}\b(?:audit|inspect|examin|verify|review and copy|review)\w*\b[^.;]{0,160}\b(?:books?|records?|accounts?|ledgers?|facilit\w+|premises|statements?|reports?|invoices|operations|process\w*|complian\w+)\b|"
    r"\b(?:books?|records?|accounts?)\b[^.;]{0,160}\b(?:available|open|subject)\b[^.;]{0,60}\b(?:inspect|audit|examin|review)\w*|"
    r"\bmay\b[^.;]{0,60}\baudit\b|\baudit rights?\b[^.;]{0,40}\b(?:shall|may|are|set forth)|\b(?:conduct|perform|make) an? (?:\w+ )?audit\b",
    _I,
)
_NOT_AUDITS = re.compile(
    r"audited financial|auditors? of|audit committee|audit report of|independent auditor.{0,20}consent|(?:regulator|governmental|supervisory|federal|regulatory authorit)\w*[^.;]{0,80}(?:inspect|examin|audit)|(?:inspect|examin|audit)\w*[^.;]{0,60}by (?:the )?(?:any )?(?:appropriate )?(?:regulator|governmental|supervisory|federal|FDA|auditors and regulatory)|"
    r"article 28|personal data|GDPR|audits? (?:may|shall) not|inspection of (?:components|goods|products)|pay (?:all )?(?:the )?cost|reveals?|discloses? (?:any|an?)\b|in the event (?:that )?(?:any |an )?(?:such )?audit|stockholder|own (?:internal|books)|may not be removed",
    _I,
)


def _audit(clause: Clause) -> Hit | None:
    """A right of the other side to look into the books; what an audit costs or brings to light, and a regulator's visit, are none."""
    if clause.family == "dpa":
        return None
    found = _AUDITS.search(clause.text)
    return None if not found or _NOT_AUDITS.search(clause.text) else Hit(_bound(clause), found[0][:80])


ARCHETYPES = (
    Archetype(
        id="minimum_commitment",
        number=34,
        workstream="Contracts",
        title="Minimum purchase or payment commitment",
        evidence="direct",
        severity="Medium",
        why="The commitment is payable whether or not the goods are needed.",
        next_step="Set actual purchases against the minimum for each contract year to date and forecast the shortfall to the end of the term.",
        protection="Debt-like item for accrued shortfalls; indemnity for those of periods before closing",
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
        id="termination_for_convenience",
        number=37,
        workstream="Contracts",
        title="Termination without cause",
        evidence="direct",
        severity="Medium",
        why="The contract can be ended without a reason; what it brings in is secured for the notice period only.",
        next_step="Model the revenue or supply as secured for the notice period only; seek a fixed term or a fee for early ending before signing.",
        protection="Earn-out or holdback tied to the contract being in force twelve months after closing",
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
        id="price_restriction",
        number=0,
        workstream="Contracts",
        title="Restriction on prices",
        evidence="direct",
        severity="Low",
        why="The target cannot raise its prices freely, which bears on the growth case.",
        next_step="Cap the price growth that the model assumes for this customer at the agreed limit.",
        protection="Price (growth case)",
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
        next_step="Recompute the last eight quarters of royalty or commission statements from the ledger and accrue any shortfall.",
        protection="Debt-like item for underpaid shares; indemnity for periods before closing",
        question="Is a royalty, commission or share of revenue or profit payable?",
        triggers=("royalt", "commission", "percent", "%", "share of", "revenue shar"),
        find=rule(
            r"(?:pay|paid|payable|remit|receive|entitled|equal|retain)\w*[^.;]{0,160}(?:percent|%)[^.;]{0,100}(?:revenue|sales|profit|proceeds|receipts|income|margin|royalt)|"
            r"(?:royalt\w+|commissions?|revenue shar\w+|profit shar\w+)[^.;]{0,140}(?:percent|%|equal to|per unit)|share (?:of|in) (?:the )?(?:net |gross )?(?:revenue|profit|proceeds)|split[^.;]{0,40}(?:revenue|profit|equally)",
            no=(
                r"interest at|per annum|late (?:fee|charge|payment)|audit|underpa|discrepan|ownership|voting|recurring revenue|\brepresenting (?:approximately|about)|accounts? for (?:approximately|about)",
            ),
            values=_bound,
        ),
        routine=True,
    ),
    Archetype(
        id="audit_right",
        number=80,
        workstream="Contracts",
        title="Right to audit books, records or operations",
        evidence="direct",
        severity="Low",
        why="An audit can bring back-payments with interest, and opens the target's books to a counterparty that may be a competitor of the buyer.",
        next_step="Ask for the reports of past audits and for any claim made on them; test the last royalty or fee statements against the ledger.",
        protection="Representation that no audit is pending; indemnity for underpayments before closing",
        question="May a party audit or inspect the other's books?",
        triggers=("audit", "inspect", "books and records", "examine", "records"),
        find=_audit,
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
        next_step="Compare the cover, limits and additional-insured wording required with the policies in force after closing.",
        protection="Covenant to keep the cover in force through closing",
        question="Must a party keep insurance, and of what kind?",
        triggers=("insur",),
        find=rule(
            r"(?:shall|will|must|agrees? to|required to|undertakes? to)\b[^.;]{0,140}\b(?:maintain|carry|obtain|procure|keep|provide|take out|have|effect|purchase|name|furnish)\w*\b[^.;]{0,140}\b(?:insurance|insured with|insured against)\b|\binsurance\b[^.;]{0,140}(?:shall|will|must)\b[^.;]{0,60}(?:name|be |maintain|cover|provide|include)|"
            r"(?:limits?|coverage) of (?:not|no) less than|additional insured|certificates? of insurance",
            no=(
                r"health insurance|life insurance benefits|group insurance|title insurance|unemployment insurance|deposit insurance|national insurance",
                r"\bFDIC\b|insured (?:deposits?|accounts?)|insurance (?:laws?|code|regulat\w+|commissioner)|directors?[’']?s?[’']? (?:and|&) officers?|\bD&O\b",
                r"(?:not include|exclu\w+)[^.;]{0,120}insurance[^.;]{0,60}(?:fees|charges|costs|taxes)|pric\w+[^.;]{0,80}(?:not include|exclu\w+)[^.;]{0,120}insurance|(?:freight|shipping|duties),? (?:and )?insurance[^.;]{0,60}(?:expenses|costs|charges|borne)",
            ),
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
        next_step="Establish who the third party is and what it could claim; ask whether it has ever asserted the right.",
        protection="Representation that no third party has asserted rights",
        question="May someone who is not a party enforce the contract?",
        triggers=("beneficiar",),
        find=rule(
            r"(?:is|are|be|intended|express|as)[^.;]{0,40}third[- ]?party beneficiar|third[- ]?party beneficiar\w+ (?:of|to|under|hereof|with)",
            no=(r"(?:no|not|without|nor|nothing)\b[^.;]{0,200}beneficiar",),
        ),
        routine=True,
    ),
)
