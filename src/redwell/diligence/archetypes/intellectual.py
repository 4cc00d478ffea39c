"""Intellectual property: who owns what the business sells, and what can be taken out of it."""

from __future__ import annotations

import re

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.base import Archetype, Clause, Hit, Values, rule

_I = re.IGNORECASE
_RIGHTS = r"(?:invention|intellectual property|work product|deliverable|patent|copyright|trademark|trade ?mark|know-how|right, title|rights, title|title (?:to|in|and)|ownership|developments?|improvements?|materials?|software|source code|technology|domain|works?\b)"
_OWN = r"(?:owned|property of|belong|vest\w*|own all|sole(?: and exclusive)? (?:owner|property)|exclusive(?: and sole)? (?:owner|property)|retain[^.;]{0,20}ownership|title[^.;]{0,40}vest)"
_MAKES_OVER = re.compile(
    rf"\b(?:hereby|does hereby|do hereby|shall|will|agrees? to|agree to|irrevocably|hereby irrevocably)\b[^.;]{{0,60}}\b(?:assign|transfer|convey)s?\b[^.;]{{0,160}}{_RIGHTS}|"
    rf"\bassigns?\b[^.;]{{0,40}}\b(?:to|all)\b[^.;]{{0,120}}(?:right, title|rights, title|{_RIGHTS})|work(?:s)?[- ](?:made[- ])?for[- ]hire|"
    rf"{_RIGHTS}[^.;]{{0,200}}\b(?:shall|will|is|are)\b[^.;]{{0,40}}\b(?:be )?(?:hereby )?(?:assigned|{_OWN})|(?:shall|will) (?:exclusively |solely )?own\b[^.;]{{0,160}}{_RIGHTS}",
    _I,
)
_RIGHT = re.compile(_RIGHTS, _I)
_MADE = re.compile(
    r"develop|creat|conceiv|invent|author|prepar|produc|deliver|made|reduc|result|improve|modif|deriv|work product|work(?:s)? (?:made )?for hire|arising|contribut|assign",
    _I,
)
_NOT_MADE = re.compile(
    r"\bno (?:provision|assignment|right|transfer)|assign or grant a licen|having an obligation to assign|assign the (?:responsib|work)|retains? all|remains? the (?:sole |exclusive )*property|nothing (?:herein|in this)|may not (?:be )?assign|shall not (?:be )?assign|neither party (?:may|shall) assign|consent of|assign this agreement|"
    r"assigns? (?:this|its rights under|his rights under)|successors and (?:permitted )?assigns|goods|title to the products? (?:shall )?pass|risk of loss|lease",
    _I,
)


def _ip_assignment(clause: Clause) -> Hit | None:
    text = clause.text
    found = _MAKES_OVER.search(text) if _MADE.search(text) and _RIGHT.search(text) else None
    if not found:
        return None
    if re.search(
        r"\b(?:contains? no|no provision|does not|shall not|without any)\b[^.;]{0,60}(?:assign|transfer|vest)", text, _I
    ):
        return None
    if _NOT_MADE.search(text) and not re.search(
        r"hereby (?:irrevocably )?assign|for[- ]hire|agrees? to assign|shall assign", text, _I
    ):
        return None
    return Hit({"bound": words.actor(text)}, found[0][:80])


_WEAK = re.compile(
    rf"\b(?:agrees? to|agree to|shall|will|undertakes? to|covenants? to|is obliged to)\s+(?:promptly |fully |then |thereafter |irrevocably )*assign\b[^.;]{{0,160}}{_RIGHTS}",
    _I,
)


def _agrees_to_assign(clause: Clause) -> Hit | None:
    text = clause.text
    found = _WEAK.search(text)
    if not found or not re.search(
        r"invention|work product|deliverable|conceiv|develop|improvement|intellectual property", text, _I
    ):
        return None
    if re.search(
        r"\bhereby (?:irrevocably )?(?:assign|transfer|convey)|does hereby assign|hereby .{0,20}assign",
        clause.context,
        _I,
    ) or re.search(r"shall not|will not assign|neither", text, _I):
        return None
    return Hit({"bound": words.actor(text)}, found[0])


_LICENCE_BARRED = re.compile(
    r"\bnon-?\s?(?:transferr?able|assignable)\b|\b(?:not|nor|without the right to)\b[^.;]{0,30}\btransferable|\blicen[cs]e\b[^.;]{0,160}\b(?:may not|shall not|not be|cannot)\b[^.;]{0,40}\b(?:transfer|assign|sublicen[cs])\w*|"
    r"\b(?:may not|shall not)\b[^.;]{0,60}\b(?:transfer|assign|sublicen[cs]e)\b[^.;]{0,80}\blicen[cs]e",
    _I,
)

_JOINT = (
    r"\bjoint(?:ly)?\b[^.;]{0,60}\b(?:own\w*|property|title|inventor\w*|develop\w*[^.;]{0,60}own\w*)|\bco-?own\w*|\bjoint (?:ownership|owners?)\b|(?:own|title|interest|vest)\w*[^.;]{0,60}\bjoint (?:intellectual|ip|invention|patent|property|work)|owned (?:equally|jointly) by|"
    r"(?:undivided|equal) (?:one-half |half )?(?:interest|ownership)[^.;]{0,60}|own (?:an )?equal"
)


def _grantor(text: str) -> str:
    """Who grants the licence; a licence that the target grants is no limit on it."""
    match = re.search(r"([A-Z][\w&.’'-]*(?: [A-Z][\w&.’'-]*){0,3}) (?:hereby |shall |agrees to )?grants?\b", text)
    return re.sub(r"^The ", "", match[1]) if match else ""


def _escrow_limb(clause: Clause) -> Hit | None:
    """The limb of a list of release events that names a change of control; the words that open the list stand before it."""
    found = re.search(r"change (?:of|in) control", clause.text, _I)
    if not found or re.search(r"means|shall mean|terminat", clause.text, _I):
        return None
    opens = re.search(
        r"releas\w*[^.]{0,160}(?:source (?:code|material)|escrow|deposit)", f"{clause.lead} {clause.context}", _I
    )
    return Hit({"control": True, "names_control": True}, found[0]) if opens else None


ARCHETYPES = (
    Archetype(
        id="ip_assignment",
        number=0,
        workstream="IP",
        title="Ownership of intellectual property is assigned",
        evidence="direct",
        severity="Low",
        why="It settles who owns what was made under the contract.",
        next_step="Check that the assignments run to the target and not away from it.",
        question="Is ownership of intellectual property assigned, or made work for hire, and to whom?",
        triggers=("assign", "property of", "for hire", "for-hire", "owned", " own ", "vest", "title"),
        find=_ip_assignment,
        support=True,
    ),
    Archetype(
        id="agrees_to_assign",
        number=70,
        workstream="IP",
        title="“Agrees to assign” instead of a present assignment",
        evidence="direct",
        severity="High",
        why="A promise to assign passes no title; until it is kept the inventor is the owner and can assign to someone else first.",
        next_step="Obtain confirmatory present assignments from everyone who signed this wording.",
        protection="Closing condition (confirmatory assignments); IP representation",
        question="Does anyone only agree to assign inventions in future, without a present assignment (“hereby assigns”)?",
        triggers=("assign",),
        find=_agrees_to_assign,
    ),
    Archetype(
        id="joint_ownership",
        number=75,
        workstream="IP",
        title="Intellectual property is jointly owned",
        evidence="direct",
        severity="Medium",
        why="A co-owner can as a rule use and license the right without the other, so there is no exclusivity.",
        next_step="Establish what is jointly owned and whether a core product rests on it.",
        protection="Assignment or exclusive licence from the co-owner",
        question="Is any intellectual property owned jointly?",
        triggers=("joint", "co-own", "coown", "undivided", "equally"),
        find=rule(
            _JOINT,
            no=(
                r"\b(?:shall )?means?\b|co-?ownership (?:partnership|agreement)|usage reports",
                r"joint (?:venture|and several|stock|tenan|account|defen[cs]e|steering|committee)|jointly and severally",
                r"bank account|real property",
            ),
            values=lambda c: {"context": ""},
        ),
    ),
    Archetype(
        id="non_transferable_licence",
        number=74,
        workstream="IP",
        title="Licence that cannot be transferred",
        evidence="direct",
        severity="Low",
        why="An in-licence of the target may not pass in an asset deal or merger; under United States law a patent or copyright licence does not pass without consent even where nothing is said.",
        next_step="List the in-licences that products rest on and obtain the licensors' consents.",
        protection="Consent as closing condition; structure",
        question="Is a licence non-transferable or not assignable?",
        triggers=("transferable", "transferrable", "assignable", "licen"),
        find=rule(_LICENCE_BARRED.pattern, values=lambda c: {"holder": _grantor(c.text)}),
        routine=True,
    ),
    Archetype(
        id="source_code_escrow",
        number=45,
        workstream="IP",
        title="Source code is in escrow",
        evidence="direct",
        severity="Medium",
        why="On a release event, which may be the transaction itself, a customer gets the source code.",
        next_step="Read the release events; amend those that the transaction meets.",
        protection="Amendment before closing",
        question="Is source code in escrow or to be handed over, and upon which events?",
        triggers=("escrow", "source code", "change of control", "change in control"),
        find=lambda c: (
            _escrow_limb(c)
            or rule(
                r"releas\w*[^.]{0,200}source (?:code|material)[^.]{0,300}change (?:of|in) control|source (?:code|material)s?[^.;]{0,200}escrow|escrow[^.;]{0,200}source (?:code|material)|technology escrow|software escrow|escrow(?:ed)? (?:materials?|deposit)|release[^.;]{0,80}(?:deposited )?source code",
                where="full",
                values=lambda c: (
                    (
                        {"control": True}
                        if re.search(r"change (?:of|in) control|acquisition|merger", c.context + c.full, _I)
                        else {}
                    )
                    | (
                        {"names_control": True}
                        if re.search(r"change (?:of|in) control|acquisition|merger", c.full, _I)
                        else {}
                    )
                ),
            )(c)
        ),
    ),
    Archetype(
        id="covenant_not_to_sue",
        number=0,
        workstream="IP",
        title="Covenant not to sue or to challenge rights",
        evidence="direct",
        severity="Low",
        why="The target cannot enforce, or attack, the rights concerned.",
        next_step="List the rights concerned and check whether the buyer's group has, or plans, a claim that the covenant would bar.",
        protection="Carve-out for the buyer's own rights",
        question="Must a party not sue, or not contest the other's rights?",
        triggers=(
            "contest",
            "challenge",
            "not to sue",
            "attack",
            "dispute",
            "covenant",
            "release",
            "claim",
            "not sue",
            "question",
            "oppose",
        ),
        find=rule(
            r"covenants? not to sue|\b(?:shall not|will not|agrees? (?:that (?:it|he|she) (?:shall|will) )?not|may not|not to|neither|never)\b[^.;]{0,200}\b(?:contest|challenge|attack|dispute|oppose|question|impugn|sue\b|assert any (?:claim|right)|(?:apply|attempt|seek) (?:for|to) regist|bring any (?:claim|action|suit))\w*[^.;]{0,200}\b(?:right|title|validity|mark|patent|ownership|enforceab\w+|intellectual|interest|cop(?:y|ies)|name|claim|against|company)|"
            r"(?:hereby |forever |fully )+(?:releases?|discharges?)[^.;]{0,160}(?:claims?|causes? of action)|shall not have any claim",
            no=(
                r"jury|jurisdiction|venue|forum|indemnif\w+ (?:and|from)|consequential|settle\w*|represents|(?:license|covenants?)[^.;]{0,30}(?:or|\() ?covenants? not to sue",
                r"confidential information[^.;]{0,60}disclos|dispute resolution|question of law|reasonable question|challenge (?:the )?(?:tax|assessment)",
            ),
            values=lambda c: {"bound": words.actor(c.text)},
        ),
        routine=True,
    ),
    Archetype(
        id="copyleft",
        number=79,
        workstream="IP",
        title="Copyleft licence in a product",
        evidence="direct",
        severity="High",
        why="A copyleft licence can require that the product's own source code be offered to its users.",
        next_step="Have the use examined (linking, distribution, network access); replace the component or buy a commercial licence before closing.",
        protection="Closing condition (replacement or commercial licence); open-source representation",
        question="Which components are under GPL, AGPL, LGPL, SSPL or another copyleft licence, how are they used, are they shipped or offered over a network?",
        triggers=("gpl", "sspl", "copyleft", "general public licen"),
        find=rule(
            r"\b(?:A|L)?GPL(?:[- ]?v?\d(?:\.\d)?)?\b|\bSSPL\b|Affero|GNU (?:Lesser |Affero )?General Public|copyleft",
            no=(r"\b(?:no|not|none|without|prohibit\w*|shall not|any)\b[^.;|]{0,80}(?:GPL|copyleft|General Public)",),
        ),
    ),
    Archetype(
        id="infringement_claim",
        number=80,
        workstream="IP",
        title="Infringement is asserted against the target",
        evidence="direct",
        severity="High",
        why="Damages, an injunction or a royalty may follow for a product that is sold.",
        next_step="Obtain counsel's view on infringement and validity; check whether the claim is in the disclosure schedule.",
        protection="Specific indemnity; escrow",
        question="Does anyone claim that the target infringes their rights?",
        triggers=("infring", "cease and desist"),
        event=True,
        find=rule(
            r"(?:we|our client|counsel)[^.;]{0,120}\b(?:believe|assert|contend|allege|demand|put you on notice)\w*[^.;]{0,160}infring|\binfring\w+[^.;]{0,80}(?:claims? \d|U\.?S\.? patent|patent no)|cease and desist|"
            r"(?:alleg|assert|claim)\w* (?:that )?[^.;]{0,80}infring\w*[^.;]{0,60}(?:filed|complaint|lawsuit|letter|notice of)",
            no=(
                r"\bshall\b|\bindemnif|hereunder|third[- ]party claim|represents? and warrant|to (?:its|the) knowledge|has not received",
            ),
            values=lambda c: _sum(c),
        ),
    ),
    Archetype(
        id="government_rights",
        number=76,
        workstream="IP",
        title="Government or university rights in technology",
        evidence="direct",
        severity="Medium",
        why="Funding bodies keep licences or march-in rights; exclusivity and domestic-manufacture duties may follow.",
        next_step="Establish which products rest on the funded work and whether the duties were kept.",
        protection="Schedule exception; representation",
        question="Has a government or university rights in technology through funding?",
        triggers=("bayh", "march-in", "government", "u.s.c. 20", "federal funding", "university"),
        find=rule(
            r"march-in|Bayh-?Dole|35 U\.?S\.?C\.?[^.;]{0,10}20\d|\b(?:government|university|institut\w+|NIH|DARPA|BARDA)\b[^.;]{0,30}\b(?:retains?|reserves?|has|have|receives?|shall have|is granted)\b[^.;]{0,60}(?:licen[cs]e|rights? in|title to|unlimited rights|government purpose rights)[^.;]{0,80}(?:invention|patent|technolog|data|software|intellectual|discover|know-how|improvement|result)|"
            r"\b(?:invention|patent|technolog|software|research|development|project|work)\w*\b[^.;]{0,80}(?:was|were|is|are|been) (?:\w+ )?(?:funded|supported|financed)[^.;]{0,60}(?:government|federal|NIH|DARPA|university|Department of)",
            no=(
                r"governmental? (?:authority|approval|agency)[^.;]{0,30}(?:consent|permit|require)|laws? of|\btax|levied|assess|charges of|not (?:been )?(?:funded|supported)|\bno (?:government|federal|university)|export",
            ),
        ),
    ),
)


def _sum(clause: Clause) -> Values:
    sums = words.money(clause.context)
    return {"amount": max(sums)[0], "currency": max(sums)[1]} if sums else {}
