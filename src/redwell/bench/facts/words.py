"""Whether words are asserted in a sentence: stems and phrases, what negates them, and how a report says that something is not there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from redwell.bench.generate.recipe import ABSENT

_SIGNS = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′´`", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–−", "-"),
        **dict.fromkeys("\xa0\u2007\u2009\u202f\u200a_", " "),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\xad", " "),
    }
)
_JOINT = re.compile(r"(?<=[a-z])[-/](?=[a-z0-9])|(?<=[0-9])[-/](?=[a-z])")


def plain(text: str) -> str:
    """Lower case, straight quotation marks, hyphens and slashes beside letters as spaces, single spaces."""
    lowered = text.translate(_SIGNS).lower()
    return " ".join(_JOINT.sub(" ", lowered).split())


@lru_cache(maxsize=65_536)
def pattern(words: str, whole: bool = False) -> re.Pattern[str]:
    """Finds a stem or phrase from a word's beginning on; a name (`whole`) to a word's end."""
    body = r"\s+".join(map(re.escape, plain(words).split()))
    left = r"(?<![a-z0-9])" if body[:1].isalnum() else ""
    return re.compile(left + body + (r"(?![a-z0-9])" if whole and body[-1:].isalnum() else ""))


@lru_cache(maxsize=65_536)
def is_name(alternative: str) -> bool:
    """Whether it names somebody or something, so that it is looked for as a whole and not as a stem."""
    return any(sign.isupper() or sign.isdigit() for sign in alternative)


def mentions(text: str, alternatives: Iterable[str]) -> bool:
    return any(pattern(one, is_name(one)).search(text) for one in alternatives)


_ABSENT_SET = frozenset(ABSENT)
_MORE_ABSENT = re.compile(
    r"(?<![a-z0-9])(?:no\b[^.;:|]{1,110}?\b(?:was|were|is|are|has been|have been|could be|can be)\b(?: in| found| located| provided| included| produced| executed| obtained|"
    r" given| signed| on file| uploaded| available| seen| received| delivered| recorded| registered| released| filed| made| held)|"
    r"(?:not|never|n't|nowhere|cannot|yet to)\b(?: be| been| yet| also| otherwise| actually)*(?: find| found| locate| see| seen| include| uploaded| received| executed| signed|"
    r" provide| produced| obtain| given| delivered| recorded| registered| released| filed| on file| available| in the (?:data )?room| list| disclose| contain| show| mention| refer)|"
    r"(?:absence|lack) of|lacking|nowhere|does not (?:list|disclose|include|mention|show)|do not (?:list|disclose|include|mention)|undisclosed|unexecuted|unrecorded|unreleased|"
    r"(?:found|find|located?|saw|seen|identified|received?|holds?|contains?|includes?|shows?|has|have|had|is|was|were|are) no\b(?! (?:longer|later|more|less|doubt))|"
    r"remains? (?:open|to be obtained|unsigned|outstanding)|has yet to)"
)
_AVAILABLE = re.compile(
    r"(?<![a-z0-9])(?:no (?:executed|signed|countersigned|copy|written)|(?:not|never|n't)(?: yet)?(?: been)? (?:provided|found|located|obtained|produced|given|received|in the|seen|"
    r"included|listed|disclosed|uploaded|signed|executed)|no (?:[a-z']+ ){1,6}(?:is|was|has been|were|are) (?:in the|found|located|provided|obtained|given|produced|on file))"
)
"""Not there, which does not deny that it is needed."""
_NEEDED = re.compile(r"(?:consent|approv|waiver|permission|notice|sign.?off|agreement in writing)")
_BOUNDARY = re.compile(
    r"[;:.!?()|]|(?<=\s)- |,|\b(?:but|however|although|though|whereas|while|because|since|and|which|who|where|when|so that|unless|if|until|except)\b"
)
_NEGATOR = re.compile(
    r"\b(?:not|no|never|neither|nor|cannot|none|nothing|nobody|unlikely|hardly)\b(?!\.? ?\d)|n't\b|\bfree (?:of|from)\b(?! (?:charge|cost|rent))|\brul(?:e|es|ed|ing) out\b|"
    r"\bexclude[sd]? that\b|\bden(?:y|ies|ied) that\b|\brather than\b|\bwithout (?:any|risk|the risk|becoming|being)\b|\b(?:absence|lack) of\b"
)
_BEYOND = re.compile(
    r".*\b(?:was|were|is|are|has|had|have)\b [a-z]+ (?:[a-z]+ ){0,2}?(?:on|in|under|by|at|since|before|after|during)\b"
)
"""What stands behind "no match was paid on ..." is not what there is none of."""
_IDIOM = re.compile(
    r"\b(?:not only|no later than|not later than|no less than|not less than|no more than|not more than|no doubt|no matter|whether or not|if not|not least|not merely|not just)\b"
)
_DENIED = re.compile(
    r"[a-z' ]{0,40}?\b(?:is|are|was|were|be|been|does|do|did|has|have|will|would|can|could|may|might|should|need)(?: not|n't| never| no longer| neither)\b (?:[a-z]+ ){0,2}?"
    r"(?:requir|need|necessary|trigger|appl|possible|permit|at risk|at stake|affected|expect|likely|aris|exist|occur|happen|in question|threaten|owed|due|payable)"
)
_PARENTHESIS = re.compile(r"\b(not|never)(,)( [^,.;]{1,40})(,)")
_TAKEN_BACK = re.compile(
    r"\b(?:not the case|not true|not correct|not right|incorrect|untrue|wrong to say|false)\b(?: to say)? that\b[^;.]*$"
)
"""What follows, to the end of the sentence, is denied."""
_HYPOTHESIS = re.compile(r"\b(?:if|in case|in the event|assuming|should)\b[^,;.]*$")
_WHETHER = re.compile(r"\bwhether\b(?! or not)[^;.]*$")
_REACH = 9
"""Words between a negation and what it negates."""
_NEAR = 5
"""The same, where the negation must be of nothing else."""
_THERE = re.compile(
    r"\b(?:is|are|was|were|has been|have been)(?: now| already| duly| since)? (?:obtained|given|granted|signed|executed|countersigned|delivered|in the (?:data )?room|on file)\b"
)
_NOT_YET = re.compile(
    r"\b(?:draft|form|template|specimen|unsigned|should|must|to be|once|until|before|if|no|not|never)\b"
)


def is_absence(group: Iterable[str]) -> bool:
    """Whether a group of alternatives says that something is not there."""
    return sum(one in _ABSENT_SET for one in group) >= 3


def asserted(text: str, group: tuple[str, ...], *, under_absence: bool = False) -> bool:
    """Whether one of the alternatives stands in this sentence (as `plain` makes it) and is not negated.

    `under_absence`: another group says that it is not there, so that "no executed consent" does not take the consent away.
    """
    text = _PARENTHESIS.sub(r"\1 \3 ", text)
    if text.rstrip().endswith("?"):
        return False
    if is_absence(group):
        found: Iterable[re.Match[str]] = [match for one in group for match in pattern(one).finditer(text)]
        return any(_stands(text, match) for match in [*found, *_MORE_ABSENT.finditer(text)])
    for one in group:
        for match in pattern(one, is_name(one)).finditer(text):
            if under_absence:
                if not _needless(text, match):
                    return True
            elif not negated(text, match.start(), match.end()):
                return True
    return False


def denied(text: str, group: tuple[str, ...]) -> bool:
    """Whether a sentence says of one of the alternatives that it is not so. What is only asked, supposed or doubted is not denied, nor what
    stands far behind a negation, which may be of something else ("may not be assigned without consent")."""
    text = _PARENTHESIS.sub(r"\1 \3 ", text)
    if text.rstrip().endswith("?"):
        return False
    absence = is_absence(group)
    for match in (match for one in group for match in pattern(one, is_name(one)).finditer(text)):
        before = text[: match.start()]
        if _WHETHER.search(before) or _HYPOTHESIS.search(before):
            continue
        if _TAKEN_BACK.search(before):
            return True
        near = " ".join(_clause_before(text, match.start()).split()[-_NEAR:])
        if "without" in near.split():
            continue
        if absence:
            if _negations(near, []) % 2:
                return True
        elif negated(text, match.start(), match.end()) and (
            _negations(near, []) % 2 or _DENIED.match(_clause_after(text, match.end()))
        ):
            return True
    return absence and _THERE.search(text) is not None and _NOT_YET.search(text) is None


def takes_back(text: str, words: str) -> bool:
    """Whether words that take an assertion back stand in a sentence and hold: "executed consent" in "no executed consent" does not."""
    for match in pattern(words, is_name(words)).finditer(text):
        if _negations(_clause_before(text, match.start()), []) % 2 or _DENIED.match(_clause_after(text, match.end())):
            continue
        start, end = (
            match.start() - len(_clause_before(text, match.start())),
            match.end() + len(_clause_after(text, match.end())),
        )
        if not asserted(text[start:end], ABSENT):
            return True
    return False


def _stands(text: str, match: re.Match[str]) -> bool:
    """Whether a phrase of absence is itself not negated, and no hypothesis."""
    before = text[: match.start()]
    if _HYPOTHESIS.search(before) or _WHETHER.search(before) or _TAKEN_BACK.search(before):
        return False
    left = _clause_before(text, match.start())
    count = _negations(left, [])
    return count % 2 == 0


def negated(text: str, start: int, end: int) -> bool:
    """Whether what stands at this place of a sentence is denied, asked, or only supposed."""
    if _WHETHER.search(text[:start]) or _TAKEN_BACK.search(text[:start]):
        return True
    left = _clause_before(text, start)
    offset = start - len(left)
    ignored = [match.span() for match in _AVAILABLE.finditer(text)]
    needed = _NEEDED.match(text, start) is not None
    spans = [(a - offset, b - offset) for a, b in ignored]
    count = _negations(left, spans, skip_lack=needed)
    if count % 2 == 1:
        return True
    return _DENIED.match(_clause_after(text, end)) is not None


def _needless(text: str, match: re.Match[str]) -> bool:
    """`no consent is required`: what is not needed is not missing either."""
    return re.match(
        r"[a-z' ]{0,40}?\b(?:is|are|was|were|be)(?: not| no longer)? (?:requir|need|necessary)",
        _clause_after(text, match.end()),
    ) is not None and bool(
        re.search(
            r"\b(?:no|not|never|no longer)\b",
            _clause_before(text, match.start()) + text[match.start() : match.end() + 50],
        )
    )


def _clause_before(text: str, at: int) -> str:
    start = 0
    for boundary in _BOUNDARY.finditer(text, 0, at):
        start = boundary.end()
    return text[start:at]


def _clause_after(text: str, at: int) -> str:
    boundary = _BOUNDARY.search(text, at)
    # The rest of the word that a stem begins belongs to it.
    rest = text[at : boundary.start() if boundary else len(text)]
    return re.sub(r"^[a-z]+", "", rest)


def _negations(left: str, ignored: list[tuple[int, int]], *, skip_lack: bool = False) -> int:
    words = list(re.finditer(r"\S+", left))
    reach = words[-_REACH].start() if len(words) >= _REACH else 0
    idioms = [match.span() for match in _IDIOM.finditer(left)]
    count = 0
    for match in _NEGATOR.finditer(left, reach):
        if any(a <= match.start() < b for a, b in (*idioms, *ignored)):
            continue
        if skip_lack and match[0].endswith(" of"):
            continue
        if match[0] in ("no", "none") and _BEYOND.match(left, match.end()):
            continue
        count += 1
    return count


_MOOD = re.compile(
    r"\b(?:should|shall|must|recommend\w*|needs? to|ought|propos\w+|advis\w+|suggest\w*|require (?:that|the seller|seller)|before (?:closing|signing|completion)|prior to (?:closing|signing|completion)|"
    r"as a condition|closing condition|condition (?:of|to|precedent)|condition closing|conditions? precedent|is to|are to|to be|has to|have to|next step|action|protection|mitigat\w+|follow up|remed\w+|covenant|"
    r"at closing|pre closing|post closing|price (?:reduction|adjustment|chip)|specific indemnity|special indemnity|escrow|holdback|buyer(?:'s)? (?:will|to)|we would)\b"
)
_IMPERATIVE = re.compile(r"(?:^|[;:.|] |^\W+)(?:also |first |then |promptly |please )?")


def recommends(text: str, label: str, headings: Iterable[str], group: Iterable[str]) -> bool:
    """Whether a sentence says what to do: by its mood, by its label or heading, or by beginning with the verb."""
    if _MOOD.search(text) or _MOOD.search(label) or any(_MOOD.search(one) for one in headings):
        return True
    return any(re.search(_IMPERATIVE.pattern + re.escape(plain(one)), text) for one in group)
