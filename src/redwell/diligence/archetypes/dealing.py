"""With whom, where and on what terms the business may deal: exclusivity, competition, best prices, first rights."""

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


_NON = re.compile(r"\bnon\W{0,3}exclusiv\w*", _I)
_WHO = (
    r"(?:distribut\w+|agen(?:t|cy)|supplier|provider|manufacturer|licen[cs]\w+|reseller|source|basis|dealer|sponsor\w*|vendor|representative|retailer|sub-?licen[cs]\w+|advisor|"
    r"marketer|operator|publisher|carrier|merchant|rights? (?:to|and licen|and privilege|of|in|under|hereunder|for)|privilege)"
)
_TRADE = (
    r"(?:market|sell|resell|distribut|suppl|licen|promot|manufactur|provid|use|commerciali[sz]|exploit|offer|develop|purchas|import|operat|represent|advertis|sponsor|publish|solicit|commission|"
    r"exhibit|broadcast|perform|make|produc|refer)\w*"
)
_ADVERBS = r"(?:[, ]{1,2}\(?[\w’'-]+\)?){0,12}?,?"
_EXCLUSIVE = re.compile(
    rf"\b(?:grants?|granted|appoints?|appointed|designates?|engages?|retains?|licen[cs]es?|awards?)\b[^.;]{{0,180}}?\bexclusive\b{_ADVERBS} {_WHO}|"
    rf"\b(?:has|have|had|retains?|receives?|enjoys?)\b[^.;]{{0,60}}\bexclusive\b{_ADVERBS} (?:rights?|licen[cs]e|privilege)[^.;]{{0,40}}\b(?:to|of|for)\b[^.;]{{0,40}}\b{_TRADE}|"
    rf"\b(?:is|are|be|become|as|remain)\b[^.;]{{0,30}}\b(?:the|an|its|their|his|our)?\b[^.;]{{0,30}}\bexclusive\b(?:,? [\w’-]+){{0,4}}? (?:distribut\w+|agent|supplier|provider|manufacturer|licen[cs]ee|reseller|source|dealer|sponsor|vendor|representative|operator|publisher|carrier|financial advisor)|"
    r"\bon an exclusive basis|\b(?:deal|work|contract|partner)s? exclusively (?:with|through)|\bexclusive (?:supply|purchas\w+)\b|"
    r"\b(?:purchase|buy|sell|supply|source|obtain|distribute|market|promote|provide|procure|order|offer)s?\b[^.;]{0,70}\bexclusively (?:from|through|to|by|with|via)\b|"
    r"\bexclusively (?:purchase|buy|sell|supply|source|obtain|distribute|market|promote|provide|procure)\b|"
    r"\bexclusive (?:branding|advertis\w+|promotion\w*|marketing|sales?) rights?",
    _I,
)


_SOLE = re.compile(
    r"\b(?:as|be|is|its|the) sole (?:and exclusive )?(?:distribut\w+|supplier|provider|licensee|source|agent|reseller|vendor)\b|\brequirements\b[^.;]{0,60}(?:exclusively|solely|only) from|"
    r"\b(?:shall|will|agrees? to|must)\b[^.;]{0,40}\b(?:purchas|buy|obtain|sourc|order|procur|suppl)\w*[^.;]{0,80}(?:all|100 ?%|entire|total) (?:of )?(?:its|their|the)[^.;]{0,30}requirements",
    _I,
)


_DEALS_WITH_OTHERS = re.compile(
    r"(?:shall not|will not|agrees? (?:that it will )?not to|may not|neither|not permit|shall neither)[^.;]{0,160}\b(?:appoint|grant|licen[cs]e|sell|engage|authori[sz]e|purchase|supply|distribute|enter into|"
    r"contract with|market|promote|offer|provide|procure)\w*\b[^.;]{0,140}\b(?:any (?:other|third)|other (?:person|part|distribut|entit|supplier|dealer)|third part\w+|anyone|another)",
    _I,
)


_NOT_EXCLUSIVE = re.compile(
    r"(?:not|nor) (?:be |become |an? |create an )*exclusive|no (?:\w+ )?exclusiv\w+|exclusive (?:agreement|statement|expression|understanding|remed\w+|jurisdiction|venue|forum|property|ownership|owner|benefit|liab\w+|"
    r"right, title|obligation|warrant\w+|responsib\w+|control|discretion|authority|means|negotiat\w+|possession|line|trade area|territor\w+)|exclusive(?: and sole)? rights? (?:of ownership|and interests? in all|to (?:institute|prosecute|prepare|defend|"
    r"control|enforce|sue|bring|file|settle|determine|select|remove|replace|appoint|approve|decide|change the beneficiary|elect))|(?:owned|governed|resolved|brought|settled|belong\w*|vest\w*|lies?|subject|limited|heard|submitted|interpreted|"
    r"used or held for use)[^.;]{0,20} (?:only and )?exclusively|exclusively (?:owned|governed|that|to facilitate|for (?:use with|the (?:purpose|benefit))|in the (?:courts?|federal|state)|by the (?:laws?|courts?|terms))|exclusive of|"
    r"sole (?:and exclusive |and |or )*(?:discretion|remed\w+|property|owner\w*|cost|expense|responsib\w+|liabil\w+|risk|purpose|option|opinion|judg\w+|benefit|agreement|understanding|authority|obligation|use and|right to (?:select|remove|prosecute|control|prepare))",
    _I,
)


_NO_GRANT = re.compile(
    r"remed(?:y|ies) (?:will|shall|is|are)|assignment of all|for (?:clarity|the avoidance of doubt), any exclusive|(?:result|deriv|aris)\w+ exclusively|confidential|right, title,? and interest|jurisdiction|entire (?:agreement|understanding)|\bmeans\b|shall mean|third[- ]party beneficiar|may have entered into exclusive|does not (?:grant|create)|termination of exclusivity|"
    r"conflict with any exclusive|legal or equitable right|^\W*(?:\(?\w{1,3}[.)] ?)?(?:whereas\b|in the event (?:that )?\w+ (?:fails|terminat))|\b(?:wish(?:es)?|desires?) to (?:receive|grant|obtain|appoint|engage|be)|pursuant to which \w+ (?:acquired|granted|obtained)|"
    r"not be (?:interpreted|construed|deemed)|not (?:preclude|prevent|derogate|restrict|prohibit)|nothing (?:herein|in this)|(?:become|becomes|be) non\W{0,3}exclusive|press release|"
    r"exclusivity[^.;]{0,80}(?:cease|expire|terminate|end)\b|\bin lieu of\b|(?:cause|obtain from) (?:such|each|any|its) (?:\w+ )?(?:consultant|contractor|employee|third party)|represents and warrants that|counsel for any such|select counsel",
    _I,
)


_SAID_EXCLUSIVE = re.compile(r"exclusiv(?:ity|e (?:deal|suppl|sponsor|distribut|purchas|arrangement|right))", _I)


def _exclusivity(clause: Clause) -> Hit | None:
    """A promise to deal only with the other side. A word alone is none: it takes who grants, has or must deal, and with what."""
    found = _dealt_exclusively(clause)
    # What bars it comes last: it takes the longest, and few sentences come so far.
    return None if found is None or _NO_GRANT.search(clause.text) else Hit(_bound(clause), found[0][:80])


def _dealt_exclusively(clause: Clause) -> re.Match[str] | None:
    text = _NON.sub(" ", clause.text)
    low = text.casefold()
    if "exclusiv" in low or "requirements" in low or "sole " in low:
        rest = _NOT_EXCLUSIVE.sub(" ", text)
        low = rest.casefold()
        found = _EXCLUSIVE.search(rest) if "exclusiv" in low else None
        if not found and ("requirements" in low or "sole " in low):
            found = _SOLE.search(rest)
        if found:
            return found
    headed = f"{clause.heading} {clause.lead} {clause.context[:70]}"
    other = _DEALS_WITH_OTHERS.search(text) if _SAID_EXCLUSIVE.search(_NON.sub(" ", headed)) else None
    if other and not re.search(
        r"confidential|disclos|personal (?:data|information)|sublicen[cs]e|assign|subcontract|hire|employ|solicit|indemnif|unless the third party|audit|liab|infring",
        text,
        _I,
    ):
        return other
    return None


_COMPETE = re.compile(
    r"(?:shall not|will not|agrees? (?:that (?:it|he|she|they) (?:shall|will) )?not|may not|neither|not to|shall neither|cannot|refrain from|shall refrain|prohibit\w+ from|nor shall|without the (?:prior )?(?:written )?consent)"
    r"[^.;]{0,260}\b(?:compet\w+|(?:substantially )?similar (?:business|product|service|in (?:function|nature))|same (?:business|or similar)|engage in (?:any|the) (?:business|activit)|business (?:that|which) is (?:the same|similar))",
    _I,
)


_NOT_COMPETE = re.compile(
    r"disparag|sub-?licens|may (?:not )?assign|maintained separate|shall be deemed not|competitive (?:bid|basis|prices?|terms)|competent|compete clause shall not|nothing [^.;]{0,60}(?:prevent|restrict|prohibit)|confidential|disclos\w+|solicit\w*|logos?|unfair competition|equitable relief|injuncti\w+|irreparable|violation of|acknowledges that|tracking",
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


_MFN = (
    r"most[- ]favou?red (?:nation|customer|licensee|pric|party|status|treatment)?|at least as favou?rable|not be (?:charged )?(?:a )?(?:higher|less favou?rable)[^.;]{0,80}(?:than|other)|\b(?:no|not) less favou?rable[^.;]{0,120}\b(?:than|to)\b[^.;]{0,80}(?:other|third|any|another)|(?:prices?|terms|rates?|fees|conditions|royalt\w+)[^.;]{0,100}"
    r"\b(?:more favou?rable|lower|better|as favou?rable)\b[^.;]{0,120}(?:other|third|any|another)[^.;]{0,30}(?:customers?|part\w+|person|licensee|client|distribut\w+|purchaser|buyer|entit|compan)|"
    r"(?:lowest|best) (?:price|rate|terms|fee)s?[^.;]{0,80}(?:charged|offered|given|granted|available|provided)[^.;]{0,60}(?:any|other|customer|third)|price protection|"
    r"(?:offers?|grants?|provides?|charges?|sells?|enters? into|licenses?)[^.;]{0,140}(?:more favou?rable|lower price|lower rate|better terms|lower royalt)[^.;]{0,200}(?:shall|will|must|entitle|offer|reduc|adjust|benefit)"
)


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
        next_step="Give the restricted names and periods to integration planning; check whether the buyer's recruiters are affiliates bound by it.",
        protection="Covenant to comply until it lapses; release if it reaches the buyer's group",
        question="Is soliciting or hiring the other side's staff restricted?",
        triggers=("solicit", "hire", "recruit", "entice", "employ"),
        find=rule(
            _solicit(_STAFF),
            no=(
                r"shall not be (?:deemed|considered)[^.;]{0,40}employ",
                r"\bnot (?:be |become |act as )?(?:an? )?(?:agent|employee) (?:or \w+ )?of the",
                r"for[- ]hire|right, title|reimburse|benefits|wages|nothing[^.;]{0,40}(?:prevent|prohibit|restrict)",
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
        protection="Release or carve-out for the buyer's existing customers",
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
                r"^[\W\d]*Most Favou?red \w+[\s\d.]*$|price protection (?:credits?|afforded)|subordination|loan agreement|lenders?\b|audit|books of account|free to (?:enter|negotiate)|lease back|initial public",
            ),
            values=_bound,
        ),
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
            no=(
                r"^[\W\d]*(?-i:[A-Z;,&\s]{8,})\d*\W*$|\bprepar\w+, file|(?:file|prosecut\w+|enforce|defend)\b[^.;]{0,40}(?:patent|copyright|suit)|none of the (?:shares|securities)|free (?:of|and clear)|duly authorized|not (?:be )?subject to any|counsel of its choosing|subscription rights|matching (?:contribution|funds)|match(?:es|ed|ing)? (?:the )?(?:specification|description|records)",
            ),
            where="full",
            values=_bound,
        ),
    ),
    Archetype(
        id="non_disparagement",
        number=0,
        workstream="Contracts",
        title="Covenant not to disparage",
        evidence="direct",
        severity="Low",
        why="It limits what the target may say, also in disputes.",
        next_step="Tell the buyer's communications and disputes teams; check pending disputes for statements that could breach it.",
        protection="Representation of compliance",
        question="Must a party not disparage the other?",
        triggers=("disparag", "derogat", "reflect adversely", "goodwill", "reputation"),
        find=rule(
            r"(?:shall not|will not|agrees? not|agree not|not to|refrain|neither|never|nor|avoid|not)\b[^.;]{0,200}\b(?:disparag\w+|derogatory|negative (?:posts|statements|remarks|comments)|harm(?:ful)?[^.;]{0,30}reputation|reflects? (?:adversely|unfavou?rably|badly)|bring[^.;]{0,30}disrepute|adverse\w* (?:affect|reflect)[^.;]{0,40}(?:reputation|goodwill)|injur\w+[^.;]{0,40}reputation|tarnish|ridicule)",
            no=(r"marks? in any manner|logos?",),
            values=_bound,
        ),
        routine=True,
    ),
)
