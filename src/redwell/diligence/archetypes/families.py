"""Which kind of document a text is, from its title and its first lines. Standard library only."""

from __future__ import annotations

import re
from functools import lru_cache

CONTRACTS = frozenset(
    [
        "contract",
        "amendment",
        "order",
        "lease",
        "credit",
        "guarantee",
        "security",
        "employment",
        "contractor",
        "invention_assignment",
        "dpa",
        "nda",
        "licence",
        "joint_venture",
        "escrow",
        "settlement",
        "merger",
        "side_letter",
        "waiver",
        "consent",
    ]
)
"""Families that bind parties to each other."""

PAPERS = (CONTRACTS - {"settlement", "consent", "waiver", "side_letter"}) | {"policy"}
"""Families whose words are covenants and rules, not reports of what happened."""

_TITLES: tuple[tuple[str, str], ...] = (
    ("amendment", r"\b(?:amendment|addendum no|supplement no|first amendment|amending agreement)\b|\bamendment (?:no|number|#)"),
    ("side_letter", r"\bside letter\b"),
    ("waiver", r"\bwaiver(?: letter| and consent)?\b"),
    ("consent", r"\b(?:consent (?:letter|to assignment|agreement)|landlord(?:'s)? consent|estoppel)\b"),
    ("payoff", r"\b(?:pay-?off letter|release of (?:lien|security)|ucc-?3|termination statement)\b"),
    ("dpa", r"\bdata (?:processing|protection) (?:agreement|addendum|annex)\b|\bbusiness associate agreement\b|standard contractual clauses"),
    ("subprocessors", r"\bsub-?processors?\b[^\n]{0,30}\b(?:register|list|inventory)\b"),
    ("invention_assignment", r"\b(?:invention[s]?|proprietary information)[\w ]{0,30}\bagreement\b|\bassignment of (?:inventions|patent|intellectual|trademark|copyright)"),
    ("contractor", r"\b(?:independent )?(?:contractor|consult(?:ing|ant)|consultancy) (?:services )?agreement\b|\bstatement of work\b"),
    ("employment", r"\b(?:employment|executive|severance|retention|change (?:of|in) control) (?:agreement|letter|plan)\b|\boffer letter\b|employment contract"),
    ("nda", r"\b(?:non-?disclosure|confidentiality) agreement\b|\bnda\b"),
    ("lease", r"\b(?:sub-?lease|lease(?: agreement)?|agreement of lease|tenancy)\b"),
    ("credit", r"\b(?:credit|loan|facility|note purchase) agreement\b|\bindenture\b|\bpromissory note\b|line of credit"),
    ("guarantee", r"\bguarant(?:y|ee)\b"),
    ("security", r"\b(?:security|pledge) agreement\b|\bdeed of trust\b|\bmortgage\b"),
    ("liens", r"\bucc\b|\blien search\b|financing statement"),
    ("escrow", r"\bescrow agreement\b"),
    ("settlement", r"\b(?:settlement agreement|consent (?:decree|order|judgment))\b"),
    ("merger", r"\b(?:merger agreement|agreement and plan of merger|(?:stock|share|asset|equity|securities) purchase agreement)\b"),
    ("disclosure_schedule", r"\bdisclosure schedules?\b|\bdisclosure letter\b"),
    ("joint_venture", r"\bjoint venture\b|\bshareholders[’']? agreement\b|\bstockholders[’']? agreement\b|\binvestors?[’']? rights agreement\b"),
    ("order", r"\b(?:order form|purchase order|work order|task order)\b"),
    ("financial_statements", r"\b(?:financial statements?|balance sheet|income statement|statement of operations|audit(?:or)?[’']?s? report)\b"),
    ("revenue", r"\b(?:arr|annual recurring revenue|revenue (?:schedule|bridge|by customer)|customer (?:list|revenue|concentration))\b"),
    ("cap_table", r"\bcap(?:italization|italisation)?[ _-]table\b|\bstock ledger\b|\bshare register\b|capitalization summary"),
    ("tax", r"\b(?:tax return|form 1120|form 1065|tax assessment|tax ruling|notice of (?:deficiency|assessment))\b"),
    ("insurance", r"\b(?:(?:liability|indemnity|umbrella|cyber|property|casualty|d&o|e&o|life|excess) (?:insurance )?policy|insurance (?:policy|policies|schedule|summary)|certificate of insurance|loss run|declarations page|policy declarations)\b"),
    ("minutes", r"\bminutes\b|\bwritten consent\b|\bresolutions?\b"),
    ("charter", r"\b(?:certificate|articles) of (?:incorporation|association|organization|formation)\b|\bby-?laws\b|operating agreement"),
    ("deck", r"\b(?:board (?:deck|of directors)|business review|management presentation|information memorandum|investor presentation|quarterly review)\b"),
    ("overview", r"\b(?:overview|memorandum|teaser)\b"),
    ("policy", r"\b(?:privacy (?:policy|notice)|code of conduct|security policy|handbook)\b"),
    ("litigation", r"\b(?:complaint|litigation|demand letter|cease and desist|docket|subpoena|arbitration demand)\b"),
    ("environmental", r"\b(?:phase i|phase ii|environmental site assessment|environmental report|notice of violation)\b"),
    ("licence", r"\blicen[cs]e\b[\w ]{0,20}\bagreement\b|\bsoftware licen[cs]e\b"),
    ("contract", r"\bagreement\b|\bcontract\b|\bterms (?:of service|and conditions)\b|\bmsa\b"),
    ("census", r"\b(?:census|headcount|employee list|payroll)\b"),
    ("ip_register", r"\b(?:patent|trademark|ip) (?:register|schedule|portfolio|docket|list)\b|\binventory of ip\b"),
)  # fmt: skip
_COMPILED = [(name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _TITLES]


def family(title: str, path: str) -> str:
    """The family of a document by its title, else by its file's name; `other` when neither says."""
    name = re.sub(r"[_\-.]+", " ", path.rsplit("/", 1)[-1])
    for source in (title, name):
        for label, pattern in _COMPILED:
            if source and pattern.search(source):
                return label
    return "other"


_LIKELY = (
    "disclosure_schedule", "merger", "cap_table", "credit", "revenue", "side_letter", "minutes", "amendment", "financial_statements", "litigation", "tax", "settlement",
    "employment", "contractor", "invention_assignment", "ip_register", "contract", "order", "licence", "lease", "joint_venture", "guarantee", "security", "liens", "payoff",
    "waiver", "consent", "environmental", "insurance", "dpa", "subprocessors", "charter", "escrow", "deck", "overview", "census", "nda", "policy",
)  # fmt: skip


@lru_cache(maxsize=16_384)
def likely(path: str) -> int:
    """A rank by the file's name alone: who cannot read everything begins with the lowest."""
    kind = family("", path)
    return _LIKELY.index(kind) if kind in _LIKELY else len(_LIKELY)
