"""What lawyers and companies call things: small vocabularies, one for each concept, and signs made of several of them in one sentence or row.

Standard library only. A sign such as `owner end !denied` holds of words in which each concept named stands and none after `!` does.
"""

from __future__ import annotations

import re
from functools import lru_cache

from redwell.diligence.archetypes import lexicon_late, lexicon_more, lexicon_relief

_I = re.IGNORECASE

WORDS: dict[str, str] = {
    # --- the deal and who owns whom
    "owner": r"change[- ](?:of|in)[- ](?:\w+ ){0,2}(?:control|ownership)|\btransfer of (?:\w+ ){0,3}(?:control|ownership|shares|stock|voting)|\b(?:acquir|gain|obtain|assum|tak|part|los)\w* (?:with )?(?:\w+ ){0,2}control\b|\b(?:under|of) (?:the )?(?:\w+ )?control of\b|\bcontrol (?:over|of) [^.;|]{1,40}(?:pass|shift|chang|mov)\w*|"
    r"\bnew (?:owner|holder|shareholder|stockholder|parent|proprietor|controlling)\w*|\b(?:another|different|other) (?:owner|parent|proprietor)\w*|\b(?:majority|more than half|over half|controlling (?:stake|interest)|(?:50|fifty|35|thirty-five|30|thirty|25) ?(?:%|per ?cent)\w*)\b[^.;|]{0,60}(?:shares?|stock|vot\w+|capital|equity|interests?|securities)|"
    r"\btake-?over\b|\btaken over\b|\bbuy-?out\b|\bceases? to be (?:a |an )?(?:\w+ )?(?:subsidiary|member|owned|controlled|held|under)|\bchanges? (?:of )?(?:hands|owners?(?:hip)?|proprietor|parent)\b|\bownership [^.;|]{0,40}(?:chang|pass|shift|transfer)\w*|\b(?:is|are|be|been|being|were|was) (?:acquired|bought|sold|purchased|merged|taken private)\b|"
    r"\bmerg(?:e|es|ed|er|ing)\b|\bsale of (?:the |all |its |our |substantially )*(?:company|business|shares|stock|assets|group|target|licensor|customer|supplier)\b|\bacquisition of (?:the )?\w+|\bacquired by\b|\bacquirer\b|\bsells? (?:the company|control|itself)\b|\bcomes? to (?:hold|own)\b|\bbecomes? (?:a|the|an) (?:\w+ )?(?:subsidiary|affiliate|part|owner|holder)\b|\bgets hold of\b|\bclosing of the (?:deal|sale|merger|transaction)",
    "deal": r"\bclosing\b|\bcompletion\b|\bthe (?:sale|deal|transaction|merger|acquisition)\b|\beffective time\b|\bsigning\b",
    "shares": r"\bshares?\b|\bstock\b|\bunits?\b|\bequity\b|\bcertificates?\b|\bsecurities\b|\bcommon\b|\bpreferred\b",
    "moved": r"\b(?:issu|transfer|exercis|repurchas|redeem|redempt|surrender|convert|conver|forfeit|subscri|allot|bought|purchas|sold|sells|assign|retir|grant)\w*|\bbuys? back\b",
    # --- rights and duties
    "end": r"\bterminat\w*|\bcancel\w*|\bexpir\w+|\blaps\w+|\bresci\w+|\b(?:comes?|came|bring|brings|brought) to an end|\bends?\b|\bended\b|\bending\b|\bwithdraw\w*|\bwalk away|\bleaves? (?:the|this)\b|\bquit\b|\bexit\b|\bdissolve[sd]?\b|\bcease[sd]?\b|\brevo[ck]\w+|\bdiscontinu\w+|\bput an end|\bset aside\b|\bdetermine (?:this|the)\b|\bfall(?:s|en)? away\b",
    "consent": r"\bconsent\w*|\bapprov\w+|\bpermission|\bpermit(?:s|ted)?\b|\bauthori[sz]\w+|\bagree(?:s|d|ment)?\b|\bassent\w*|\bsign(?:s|ed)?[- ]off\b|\bblessing\b|\bclear(?:s|ed|ance)\b|\bgo-ahead\b|\bjoined in\b|\bno[- ]objection\b|\bacceptance\b|\bsay-so\b",
    "needs": r"\bwithout\b|\bunless\b|\bonly (?:with|if|after|when|upon|on)\b|\brequir\w+|\bneed\w*|\bsubject to\b|\bprior\b|\bmust\b|\bnot (?:\w+ ){0,3}before\b|\bbefore ?hand\b|\bcondition\w*|\bfirst\b|\babsent\b|\bfailing\b",
    "denied": r"\bno (?:\w+ )?(?:right|consent|approval) (?:is|shall|to|of)\b|\bshall not (?:by itself )?(?:give|entitle|be deemed|constitute)\b|\bnot be (?:deemed|affected)\b|\bdoes not (?:give|entitle|require|terminate|end|affect|apply)\b|\bremains? unaffected\b|\bregardless of\b|\bneed not\b|\bfree to assign\b|\bmay freely\b|\bno consent\b|\bnot required\b",
    "assign": r"\bassign\w*|\btransfer\w*|\bdelegat\w+|\bpass(?:es|ed)? to\b|\bconvey\w*|\bnovat\w+|\bmake[sd]? over\b|\bsuccession\b",
    "law": r"\boperation of law\b|\bby law\b|\bthe law itself\b|\bmerg\w+|\bconsolidat\w+|\buniversal succession|\bconversion\b|\bsuccession\b",
    "pays": r"\bpay(?:s|able|ment|ments|ing)?\b|\bpaid\b|\bowe[sd]?\b|\bdue\b|\bfee\b|\bcharge[sd]?\b|\bprice[sd]?\b|\bcosts?\b|\brepa(?:y|id)\w*|\brefund\w*|\breimburs\w+|\bpremium\b|\bcompensat\w+|\bsurcharge|\bdiscount\w*|\brebate\w*|\broyalt\w+|\bsteps? up\b|\bincrease[sd]?\b",
    "year": r"\b(?:a|per|each|every|in a|for each|for every|in every|this|last|current) (?:contract |calendar |fiscal |financial )?(?:year|annum|twelve months)\b|\bannual\w*|\byearly\b|\btwelve months\b|\b12 months\b|\bper annum\b|\bp\.a\.|\brun[- ]rate\b|\bfor the year\b|\bof the year\b",
    "exclusive": r"\bexclusiv\w*|\bnon-?compet\w*|\bcompet(?:e|es|ing|itive|itor|itors)\b|\bonly (?:from|to|through|with|for)\b|\bsole(?:ly)? (?:from|to|through|supplier|source|distributor)\b|\bto (?:anyone|anybody|nobody|no one|no other)\b|\b(?:anyone|anybody|any one|nobody|no one) (?:but|else|other)\b|\brefrain\w*|\bsingle source\b|\bnot (?:\w+ ){0,4}(?:offer|sell|supply|market|deal|engage|trade|distribut|operat)\w*",
    "group": r"\baffiliate\w*|\bgroup\b|\bparent\b|\bsubsidiar\w+|\bowners?\b|\bshareholders?\b|\bunder common control\b|\bsuccessors?\b|\brelated (?:compan|entit)\w+|\bany company that\b",
    "best_price": r"\bmost[- ]favou?red|\bmfn\b|\bbest (?:price|terms|customer|rate)|\blowest (?:price|rate|net)|\bno (?:less|worse|higher|more)\b[^.;|]{0,30}(?:favou?rabl\w+|than)|\blower (?:price|rate|net)|\bcheaper\b|\bless than (?:\w+ ){0,4}(?:pays|price|charged)|\bprice (?:parity|protection|match)\w*|\bas low as\b|\bmore favou?rabl\w+|\bbetter (?:price|terms|rate|deal)|\bundercut\w*|\bsame (?:low )?price\b",
    "minimum": r"\bminim\w+|\bat least\b|\btake[- ]or[- ]pay\b|\b(?:not|no) (?:less|fewer) than\b|\bcommit\w*|\bfloor\b|\bundertak\w+ to (?:buy|order|take|purchase)|\bguarantee[sd]? (?:volume|quantity|purchase|offtake)|\bwhether or not (?:taken|ordered|used|it)|\bshortfall\b|\bbinding (?:volume|quantity|forecast)|\boff-?take\b|\bquota\b|\bdeficiency\b",
    "took": r"\b(?:took|taken|bought|purchased|received|ordered|accepted|delivered|used|drew|drawn|lifted|consumed|call(?:ed)? off|shipped|collected)\b|\bactual\w*|\bpurchases?\b|\bdeliver(?:y|ies)\b|\bintake\b|\bvolume\b",
    "liable": r"\bliab\w+|\bdamages?\b|\banswer(?:s|able)? for\b|\bresponsible\b|\bindemn\w+|\blosses\b|\bhold harmless\b|\bmake good\b",
    "nolimit": r"\bunlimited\b|\buncapped\b|\bwithout (?:any )?(?:limit\w*|cap|ceiling|regard)\b|\bno (?:limit\w*|cap|ceiling|maximum)\b|\bwhatever (?:the|its|their) (?:amount|sum|size|extent)\b|\b(?:limit\w*|cap|ceiling|exclusion|maximum)\b[^.;|]{0,60}\b(?:not|never|nothing)\b[^.;|]{0,20}\b(?:appl|limit|extend|affect|cover|restrict|hold)\w*|\bin full\b[^.;|]{0,30}\bwithout\b|\bnot (?:be )?(?:limited|capped)\b|\bup to any amount\b|\bto any amount\b",
    "credit": r"\bcredits?\b|\bliquidated\b|\bpenalt\w+|\bdeduct\w*|\babate\w*|\brefund\w*|\brebate\w*|\bset[- ]?off\b|\breduc\w+ (?:in|of) (?:the )?(?:fee|price|charge)",
    "level": r"\bavailab\w+|\buptime\b|\bservice[- ]levels?\b|\bSLA\b|\bdelay\w*|\blate\b|\bresponse time|\bon[- ]time\b|\bdowntime\b|\boutage\w*|\bfailure\w*|\bdefect rate|\bfill rate|\bper cent of (?:orders|deliveries)|\bbelow\b|\bmissed\b",
    "breach": r"\bbreach\w*|\bdefault\w*|\bfail(?:ed|ure|s|ing)?\b|\bnon-?performance|\bviolat\w+|\bnot (?:been )?(?:performed|delivered|met|kept)\b|\bdefective\b|\bdoes not work|\bdo not work",
    "warns": r"\bnotice\b|\bwarn\w*|\bdemand\w*|\bcall upon\b|\bremind\w*|\bformal\w*|\bput you\b|\bhereby\b|\bfinal\b|\breserve[sd]?\b|\bclaims?\b",
    "cure": r"\bcure\w*|\bremed\w+|\bput (?:it|them|this|that|things|matters) right\b|\bmake (?:it )?good\b|\brectif\w+|\bgrace\b|\bset (?:it )?right\b|\brepair\w*|\bcorrect\w*",
    "rebate": r"\brebates?\b|\btrue-?up\b|\bbonus\b|\b(?:volume|year-end|annual|quantity) (?:discount|refund|bonus|allowance)|\bmoney back\b|\bback on\b|\bkick-?back\b|\ballowance\b|\bretrospective\b|\bgets? (?:\w+ )?(?:\d+|[a-z]+) ?(?:%|per ?cent)|\bcredit note\b|\brefund\w*",
    "first": r"\bfirst (?:refusal|offer|negotiation|option|call|opportunity|right|look|chance)\b|\brofr\b|\brofo\b|\bpre-?empti\w+|\b(?:right|can|may|entitled) to match\b|\bmatch (?:any|the|an)\b|\bfirst (?:been |be )?(?:offer|present|propos|tender)\w*|\boffer\w* (?:\w+ ){0,5}first\b|\bbefore (?:\w+ ){0,6}(?:sell|sale|dispos|transfer)\w*[^.;|]{0,100}(?:offer|present|submit|notif|show|propos)\w*|\bpriority\b|\bon the same terms\b|\bsame (?:price|terms|conditions)\b[^.;|]{0,40}\bdays\b|\bprevail\w* over\b|\bstep in(?:to)? (?:at|the|on)\b",
    "offer": r"\boffer(?:s|ed)?\b|\bbids?\b|\bletter of intent\b|\bproposes?\b|\bindicative\b|\bheads of terms\b|\bterm sheet\b|\bwould (?:pay|buy|sell|sign)\b|\bto be sold\b|\bpurchase price\b|\bagreed to (?:buy|sell)\b|\bin talks\b|\bsale of\b",
    "call": r"\b(?:call|buy|purchase|acquire|take over|take up|redeem)\b[^.;|]{0,60}\b(?:interests?|shares?|stake|stock|part|half|holding)\b|\bcall option\b|\bbuy-?out\b|\boption (?:to|over)\b|\bforced sale\b|\bcompulsory\b",
    "partner": r"\bjoint venture\b|\bventure\b|\bpartner\w*|\bmembers?\b|\bshareholders?\b|\bco-?owner\w*|\bJV\b|\bconsortium\b",
    "small": r"\bsmall business\b|\bset[- ]aside\b|\b8\(a\)|\bHUBZone\b|\bsize (?:status|standard)\b|\b52\.219|\bdisadvantaged\b|\bservice-disabled\b|\b(?:women|woman|veteran|minority)-owned\b|\bSBA\b|\bsmall concern\b|\bnovat\w+|\brecertif\w+",
    "ceiling": r"\bceiling\b|\bmaximum\b|\bnot[- ]to[- ]exceed\b|\btotal value\b|\bfunded\b|\bobligated\b|\bbilled\b|\binvoiced\b|\bup to\b",
    "support": r"\bguarant\w+|\bletters? of credit\b|\bstandby\b|\b(?:surety|performance|bid) bond\b|\bL/?C\w*\d*\b|\bkeep-?well\b|\bcomfort letter\b|\bparent undertaking\b|\bsecurity deposit\b|\bbond\b",
    "code": r"\bsource[- ]?code\b|\bsource (?:material|file)s?\b|\bescrow\w*|\bdeposit(?:or|ed|s)?\b|\brepositor\w+|\bsoftware\b",
    "release": r"\brelease[sd]?\b|\bhand(?:s|ed)? over\b|\bdeliver(?:s|ed|y)?\b|\bobtain\w*|\bentitled?\b|\baccess\b|\breceive[sd]?\b|\bopen(?:s|ed)?\b|\byes\b|\bgiven\b",
    "default": r"\bevents? of default\b|\bdefault\b|\baccelerat\w+|\bdeclare\b[^.;|]{0,40}\bdue\b|\bdue and payable\b|\boffer to (?:purchase|repurchase)\b|\b101\b|\bput\b|\brepurchase\b|\brepay\w*|\bprepay\w*|\bmandator\w+|\bcall (?:in )?the (?:loan|notes|debt)|\bimmediately due\b|\bredeem\w*",
    "loan": r"\bloans?\b|\bnotes?\b|\bbonds?\b|\bdebt\b|\blenders?\b|\bborrower\b|\bfacilit(?:y|ies)\b|\bcredit agreement\b|\bprincipal\b|\bindenture\b|\bindebtedness\b|\bissuer\b|\btrustee\b|\brevolver\b|\bdebentures?\b|\bholders\b",
    "principal": r"\bprincipal\b|\boutstanding\b|\bbalance\b|\bowed\b|\bdrawn\b|\bface\b|\bnominal\b|\bremaining\b",
    "ratio": r"\bratio\b|\bleverage\b|\btimes (?:EBITDA|earnings)|\bmultiple\b|\bcoverage\b|\bnet worth\b|\bEBITDA\b|\bcovenant\w*|\bheadroom\b|\bcompliance certificate\b",
    "lien": r"\bliens?\b|\bmortgages?\b|\bsecurity interest\b|\bfinancing statement\b|\bUCC\b|\bdeed of trust\b|\bpledge[sd]?\b|\bencumbranc\w+|\bcharges? (?:on|over|of|in favou?r)\b|\bcollateral\b|\blis pendens\b|\bjudgment lien\b|\bhypothec\w*",
    "record": r"\bof record\b|\brecorded\b|\bregistered\b|\bon file\b|\bregist(?:er|ry|rar)\b|\bfiling\b|\bfiled\b|\bactive\b|\bopen\b|\bsearch\b|\binstrument\b|\bexception\b|\bstill\b",
    "paidoff": r"\bpaid (?:in full|off|out|by)\b|\bpay-?off\b|\brepaid\b|\bsatisf\w+|\bdischarg\w+|\bsettled\b|\bnothing (?:is )?(?:more )?ow(?:ed|ing)\b|\bzero balance\b|\bfully paid\b|\bclosed account\b|\bno (?:further )?(?:sum|amount|balance)\b",
    "debtlike": r"\bfactor\w*|\breceivables?\b|\brecourse\b|\bretention\b|\bdeferred (?:rent|consideration|compensation|revenue|purchase)\b|\bearn-?out\b|\badviser'?s? fee|\bsuccess fee|\bsale bonus|\baccrued\b|\bbuy back\b|\badvances?\b|\bfinance leases?\b|\bcustomer deposits?\b|\bdecommission\w*|\bseverance\b|\bstay bonus|\bpool\b|\bcommission\b|\bunpaid\b|\bdividend\w*",
    "guarantees": r"\bguarant\w+|\bsuret\w+|\bjoint(?:ly)? and several\w*|\bcomfort\b|\banswers? for\b|\bindemnif\w+|\bsecure[sd]? the (?:debt|obligation)|\bcontingent\b|\bco-?(?:maker|signer|obligor)\b|\bloan to\b|\badvance to\b|\bintercompany\b|\bdue from\b|\bowed by\b",
    "prepay": r"\bprepa(?:y|id)\w*|\bredeem\w*|\bredemption\b|\bmake-?whole\b|\bbreak\w*|\bearly (?:repayment|termination|redemption)\b|\bcall (?:protection|premium|price)\b|\bunwind\w*|\bclose[- ]?out\b|\bexit fee\b|\bswap\b|\bhedg\w+",
    "premium": r"\bpremium\b|\bmake-?whole\b|\bbreakage\b|\bbreak (?:cost|fee)s?\b|\bpenalt\w+|\bfee\b|\bmark-?to-?market\b|\bper ?cent\b|%|\bpercent\b",
    # --- what takes a point away
    "open": r"\b(?:not|no|never|neither|nor|nobody|none|without|unless|if|until|would|may|might|can|could|should|ask\w*|request\w*|refus\w+|denied|declin\w+ to|pending|propos\w+|draft|blank|form|yet|consider\w*|come back|look(?:ing)? (?:at|into))\b",
    "resolved": r"\bwaive[sd]\b|\bwaives\b|\b(?:hereby|has|have|irrevocably) (?:consent|approv|waiv|agree[ds]?|releas|confirm|accept|assign|transfer|conve)\w*|\bconsents to\b|\bapproves (?:the|this|of)\b|\breleases\b|\b(?:was|were|is|are|has been|have been|been) (?:duly |fully |since |now )?(?:waived|released|approved|cured|settled|withdrawn|dropped|corrected|amended|ratified|satisfied|discharged|paid(?: in full)?|executed|signed|recorded|renewed|extended|restored|reinstated|deleted|struck|superseded|terminated|cancelled|replaced|credited|filed|accepted|lifted|obtained|granted|dismissed|closed|notified|disclosed|remedied|repaid)\b|\bno longer (?:appl|in force|holds?|requir|need)\w*|\bdoes not apply\b|\bshall not apply\b|\bin place of\b|\bin full and final\b|\bpaid in full\b|\bceased to apply\b|\bgives? up\b|\bgave up\b|\bdeclines? to (?:buy|exercise)\b|\bwill not (?:call|exercise|enforce|claim|use)\b|\baccepts?\b|\baccepted\b|\bexcept(?:ed)?\b[^.;|]{0,30}\b(?:buyer|merger|transaction|acquisition)",
    "unsigned": r"\bunsigned\b|\bnot (?:yet )?(?:been )?(?:signed|executed|returned|countersigned)\b|\bdraft\b|\bform\b|\bfor signature\b|\bto be signed\b|\bsignature (?:page|status)\b|\bone signature\b|\bawait\w*",
}  # fmt: skip


_ALL = WORDS | lexicon_more.WORDS | lexicon_relief.WORDS | lexicon_late.WORDS


@lru_cache(maxsize=512)
def concept(name: str) -> re.Pattern[str]:
    """The words of a concept."""
    return re.compile(_ALL[name], _I)


@lru_cache(maxsize=1024)
def _parsed(sign: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    names = sign.split()
    return tuple(n for n in names if n[0] != "!"), tuple(n[1:] for n in names if n[0] == "!")


def holds(sign: str, text: str) -> bool:
    """Whether each concept of a sign stands in some words, and none that it bars."""
    wanted, barred = _parsed(sign)
    return all(_stands(name, text) for name in wanted) and not any(_stands(name, text) for name in barred)


@lru_cache(maxsize=100_000)
def _stands(name: str, text: str) -> bool:
    """Remembered: a hundred kinds ask of the same line."""
    return concept(name).search(text) is not None
