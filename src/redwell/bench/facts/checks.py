"""Whether a check of the answer key holds in a report, and if not, what is wanting."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from redwell.bench.facts.copies import Copied
from redwell.bench.facts.markdown import Parsed
from redwell.bench.facts.subjects import Entry, Said, Subjects
from redwell.bench.facts.values import figures, given
from redwell.bench.facts.words import asserted, denied, is_absence, is_name, mentions, plain, recommends, takes_back
from redwell.bench.key import Check, Criterion, Key, Style, Value

MOST_FIGURES = {"money": 20, "number": 40, "percent": 12, "days": 12, "date": 20}
"""Different figures of a kind that a report may give for one subject before they count as none. A ladder of two-digit sums meets any sum of a
tenfold range in forty steps; good reports give six sums and a dozen numbers at most."""
MOST_IN_SENTENCE = 12
QUOTED_WORDS = 400
"""Quoted words of one entry that count; nobody quotes pages."""
OWN_WORDS = 6
"""Words of its own that an entry needs, for what it quotes or cites to count."""
_SECTIONS = {
    "executive summary": ("executive summary", "summary", "key findings", "key issues", "top issues", "main findings", "headline", "overview of findings", "principal findings"),
    "missing": ("missing", "not provided", "unsigned", "outstanding documents", "gaps", "absent"),
    "consents": ("consent",),
}  # fmt: skip
"""What such a heading may be called instead."""
_GOES_ON = re.compile(
    r"^(?:none|neither|no such|it|its|this|that|these|those|they|such|the (?:same|consent|document|agreement|clause|provision)|however)\b"
)
_NOTE = re.compile(r"\[\^?(\d{1,4}(?:\s?[,;-]\s?\d{1,4})*)\]")
_BOUND = re.compile(r" ?\(|[a-z ]{0,24}\b(?:from|of|by|for|to|with|under|against|at) (?:the )?")
_NOT_WORD = re.compile(r"[^a-z0-9]+")


@dataclass(slots=True)
class Reading:
    """A report with its subjects, and what of it is copied."""

    subjects: Subjects
    parsed: Parsed
    key: Key
    copied: Copied = field(default_factory=Copied)
    _entries: dict[str, list[Entry]] = field(default_factory=dict)

    @property
    def has_words(self) -> bool:
        return any(said.own and not self.parsed.sections[said.section].listing for said in self.subjects.said)

    def entries(self, issue: str) -> list[Entry]:
        known = self._entries.get(issue)
        if known is None:
            known = self._entries[issue] = self.subjects.entries(issue)
        return known

    def names_issue(self, group: tuple[str, ...], issue: str) -> bool:
        """Whether a group of alternatives names an issue's subject, so that being about the issue is enough."""
        own = self.subjects.names.get(issue, ())
        return any(one in own for one in group)


def fault_of(reading: Reading, criterion: Criterion, *, within: bool = False) -> tuple[str, str]:
    """What is wanting for the criterion, empty when it holds; and the passage that decides. `within`: only entries about its issue count."""
    check = criterion.check
    if check.forbidden:
        return _forbidden(reading, check, criterion.issue)
    if check.cites:
        return _cited(reading, check, criterion.issue)
    if check.section or (check.at_least and not reading.subjects.names.get(criterion.issue)):
        return _under_heading(reading, check, criterion.style)
    best: tuple[int, str, str] | None = None
    # A subject that has no name but only words ("the earn-out") may be spoken of anywhere.
    named = within or not check.about or any(map(is_name, (one for group in check.about for one in group)))
    for entry in reading.entries(criterion.issue if named else ""):
        if entry.listing:
            continue
        step, fault, passage = _entry(reading, entry, check, criterion.issue, criterion.style)
        if not fault:
            return "", passage
        if best is None or step > best[0]:
            best = (step, fault, passage)
    if best is None:
        return "no assertion of the report is about this subject", ""
    return best[1], best[2]


def _entry(reading: Reading, entry: Entry, check: Check, issue: str, style: Style) -> tuple[int, str, str]:
    """(how far the check got, what is wanting, the passage) in one entry."""
    quoted = _quoted(entry) if style == "fact" and not reading.copied.is_copy else []
    text = " . ".join([entry.text, *quoted])
    if not _about(reading, check, issue, text):
        return 0, "no assertion of the report names the subject: " + _shown(check.about), ""
    # The heading last: what stands below it is what the report says.
    sentences = [
        *(said.words for said in entry.said if said.words),
        *quoted,
        *([entry.heading] if entry.heading else []),
    ]
    where = _said(check.says, sentences, entry)
    if where is None:
        return 1, "of the subject it is not asserted: " + _shown(check.says), _passage(entry.said[:1])
    if (below := _denied_below(check.says, where, entry)) is not None:
        return 2, "a heading asserts it, and what stands below denies it", _passage([below])
    if style == "recommendation" and check.says and not _recommended(check, entry):
        return 2, "it is mentioned, and not recommended", _passage(entry.said[:1])
    for value in check.values:
        if (fault := _value(reading, entry, value, issue, quoted)) is not None:
            return 3, fault, _passage(entry.said[:1])
    taken = [one for one in sentences if _takes_back(one, check.unless)]
    if taken and (not where or all(one in taken or one == entry.heading for one in where)):
        return 4, "the assertion is taken back: " + taken[0][:160], taken[0]
    return 5, "", _passage([said for said in entry.said if said.words in where] or entry.said[:2])


def _about(reading: Reading, check: Check, issue: str, text: str) -> bool:
    held = [
        (reading.names_issue(group, issue) and _single(check, group)) or mentions(text, group) for group in check.about
    ]
    return sum(held) >= check.at_least if check.at_least else all(held)


def _single(check: Check, group: tuple[str, ...]) -> bool:
    """Whether it is the only group that holds names: only then does an entry about the issue name it for certain."""
    return sum(any(map(is_name, one)) for one in check.about) == 1 and any(map(is_name, group))


def _said(groups: tuple[tuple[str, ...], ...], sentences: list[str], entry: Entry) -> list[str] | None:
    """The sentences that assert all groups; None when one is missing. With an absence they must stand together."""
    if not groups:
        return []
    if any(map(is_absence, groups)):
        for text in _together(entry):
            if all(asserted(text, group, under_absence=not is_absence(group)) for group in groups):
                return [one for one in sentences if one and one in text] or [text]
        return None
    where: list[str] = []
    for group in groups:
        hit = next((one for one in sentences if asserted(one, group)), None)
        if hit is None:
            return None
        where.append(hit)
    return where


def _denied_below(groups: tuple[tuple[str, ...], ...], where: list[str], entry: Entry) -> Said | None:
    """The sentence that denies what nothing but the heading above it asserts."""
    if not entry.heading or entry.heading not in where:
        return None
    absent = any(map(is_absence, groups))
    alone = [
        group
        for group in groups
        if not any(asserted(said.words, group, under_absence=absent and not is_absence(group)) for said in entry.said)
    ]
    return next((said for said in entry.said if any(denied(said.words, group) for group in alone)), None)


def _together(entry: Entry) -> list[str]:
    """Sentences, and pairs of which the second goes on with the first ("None was found in the data room."), or with the heading; then the
    heading."""
    texts: list[str] = []
    before: Said | None = None
    for said in entry.said:
        own = said.words
        if not own:
            continue
        texts.append(own)
        goes_on = _GOES_ON.match(own) is not None
        if goes_on and before is not None and before.block is said.block and before.at == said.at - 1:
            texts.append(f"{before.words} . {own}")
        if goes_on and entry.heading:
            texts.append(f"{entry.heading} . {own}")
        before = said
    return [*texts, entry.heading] if entry.heading else texts


def _recommended(check: Check, entry: Entry) -> bool:
    stems = [one for group in check.says for one in group]
    for said in entry.said:
        if any(asserted(said.words, group) for group in check.says) and recommends(
            said.words, said.sentence.label, entry.headings, stems
        ):
            return True
    return False


def _value(reading: Reading, entry: Entry, value: Value, issue: str, quoted: list[str]) -> str | None:
    """Why a value is not given for this subject in an entry; None when it is."""
    sentences = [
        (said.own, said.block.scale, len(said.named) > 1) for said in entry.said if said.own and not _only_figures(said)
    ]
    sentences += [(one, 1.0, False) for one in quoted]
    if entry.heading:
        sentences.append((entry.heading, 1.0, False))
    for text, scale, several in sentences:
        if value.kind != "text" and len(figures(value.kind, text, scale)) > MOST_IN_SENTENCE:
            continue
        for start, end in given(value, text, scale):
            if several and not _owned(reading, text, start, end, issue):
                continue
            if _dumped(reading, value, issue):
                return f"more than {MOST_FIGURES[value.kind]} figures are given for this subject, so that none counts"
            return None
    return f"the value is not given for this subject: {_value_shown(value)}"


def _only_figures(said: Said) -> bool:
    """Whether a sentence lists figures and says next to nothing; rows of tables may hold more of them."""
    figures_ = len(re.findall(r"\S*\d\S*", said.own))
    most = 9 if said.block.kind == "row" else 5
    return figures_ >= most and 2 * figures_ >= len(re.findall(r"(?<![\w$€£])[a-z]{2,}", said.own))


def _owned(reading: Reading, text: str, start: int, end: int, issue: str) -> bool:
    """Whether a value is this issue's: that of the name before it, unless it is bound to the one behind ("$4 million from Kestrel")."""
    names = reading.subjects.naming(text)
    if not names:
        return True
    reach = []
    for a, b, owners in names:
        if b <= start:
            reach.append((start - b, owners))
        else:
            bound = _BOUND.fullmatch(text[end:a]) is not None
            reach.append((0 if bound else len(text) + a - end, owners))
    return issue in min(reach, key=lambda one: one[0])[1]


def _dumped(reading: Reading, value: Value, issue: str) -> bool:
    if value.kind == "text" or issue not in reading.subjects.names:
        return False
    seen = {
        (figure.amount, figure.text)
        for entry in reading.entries(issue)
        for said in entry.said
        for figure in figures(value.kind, said.own, said.block.scale)
    }
    return len(seen) > MOST_FIGURES[value.kind]


def _quoted(entry: Entry) -> list[str]:
    """What an entry quotes, when it says something of its own and does not quote by the page."""
    quotes = [quote for said in entry.said for quote in said.sentence.quoted]
    enough = entry.own_words + len(re.findall(r"[a-z]{2,}", entry.heading)) >= OWN_WORDS
    return quotes if enough and sum(len(quote.split()) for quote in quotes) <= QUOTED_WORDS else []


def _forbidden(reading: Reading, check: Check, issue: str) -> tuple[str, str]:
    """Holds when no sentence asserts it of the subject; an entry that says why it is no issue takes it back. A list of subjects, which asserts
    nothing that could pass, does assert what it must not."""
    absent = any(map(is_absence, check.says))
    for entry in reading.entries(issue):
        if entry.listing:
            continue
        whole = [said.words for said in entry.said]
        texts = _together(entry) if absent else [*([entry.heading] if entry.heading else []), *whole]
        for text in filter(None, texts):
            if _asserts(reading, check, issue, text, entry.headings) and not any(
                _takes_back(one, check.unless) for one in [*whole, entry.heading]
            ):
                return "the report asserts it of a decoy", text
    for said in reading.subjects.said:
        listed = issue in said.named and issue not in said.about and not reading.parsed.sections[said.section].listing
        if listed and _asserts(reading, check, issue, said.words, ()) and not _takes_back(said.words, check.unless):
            return "the report asserts it of a decoy, in a list", _passage([said])
    return "", ""


def _asserts(reading: Reading, check: Check, issue: str, text: str, headings: tuple[str, ...]) -> bool:
    return _about(reading, check, issue, " . ".join([*headings, text])) and not _denies(text, check.says)


def _denies(text: str, groups: tuple[tuple[str, ...], ...]) -> bool:
    """Whether a sentence fails to assert one of the groups."""
    absent = any(map(is_absence, groups))
    return not all(asserted(text, group, under_absence=absent and not is_absence(group)) for group in groups)


def _takes_back(text: str, unless: tuple[str, ...]) -> bool:
    return any(takes_back(text, one) for one in unless)


def _under_heading(reading: Reading, check: Check, style: Style) -> tuple[str, str]:
    """A criterion of the report as a whole: so many of the groups are named in sentences under a heading, each with what is to be said."""
    wanted = _SECTIONS.get(plain(check.section), (check.section,))
    sections = {
        number
        for number, section in enumerate(reading.parsed.sections)
        if not check.section or mentions(" . ".join(section.headings), wanted)
    }
    if not sections:
        return f"the report has no section “{check.section}”", ""
    said = [one for one in reading.subjects.said if one.section in sections and one.own and len(one.named) <= 6]
    if not said:
        return f"the section “{check.section}” says nothing of its own", ""
    held = []
    for group in check.about:
        held.append(any(mentions(one.own, group) and not _denies_under(reading, one, check) for one in said))
    need = check.at_least or len(check.about)
    if sum(held) < need:
        return f"{sum(held)} of {len(held)} subjects are named there, and {need} are wanted", _passage(said[:1])
    if not check.about and check.says and all(_denies_under(reading, one, check) for one in said):
        return "it is not asserted there: " + _shown(check.says), _passage(said[:1])
    named = {issue for one in said for issue in one.named}
    if len(named) > max(3 * need, 12) and len(named) > 0.6 * len(reading.subjects.names):
        return f"the section names {len(named)} subjects, nearly all there are", _passage(said[:1])
    for value in check.values:
        if not any(True for one in said for _ in given(value, one.own, one.block.scale)):
            return f"the value is not given there: {_value_shown(value)}", _passage(said[:1])
    return "", _passage(said[:1])


def _denies_under(reading: Reading, said: Said, check: Check) -> bool:
    headings = reading.parsed.sections[said.section].headings
    return _denies(said.words, check.says) and _denies(" . ".join([*headings[-1:], said.words]), check.says)


def _cited(reading: Reading, check: Check, issue: str) -> tuple[str, str]:
    """Each document is named, or quoted, in entries about the subject that say something of their own."""
    planted = reading.key.issue(issue)
    wanted = {one.document: one.quotes for one in planted.evidence if one.name in check.cites} if planted else {}
    entries = [
        entry
        for entry in reading.entries(issue)
        if not entry.listing and entry.own_words >= OWN_WORDS and _about(reading, check, issue, entry.text)
    ]
    if not entries:
        return "no assertion of the report is about this subject", ""
    for document, quotes in wanted.items():
        if not any(_cites(reading, entry, document, quotes) for entry in entries):
            return f"the report does not cite {document} for it", ""
    return "", _passage(entries[0].said[:2])


def _cites(reading: Reading, entry: Entry, document: str, quotes: tuple[str, ...]) -> bool:
    name = PurePosixPath(document)
    stem = _NOT_WORD.sub(" ", plain(name.stem)).strip()
    words = [word for word in stem.split() if len(word) > 2 or word.isdigit()]
    # A file's name may name others; it is cited for what its block is about.
    blocks = {id(said.block): said.block for said in entry.said}
    for sentence in (one for block in blocks.values() for one in block.sentences):
        texts = [sentence.own, *sentence.quoted]
        for numbers in _NOTE.findall(" ".join(texts)):
            texts += [plain(reading.parsed.notes.get(number, "")) for number in re.findall(r"\d+", numbers)]
        for text in [*texts, *entry.headings]:
            flat = f" {_NOT_WORD.sub(' ', text)} "
            if (len(words) >= 2 and f" {stem}" in flat) or plain(name.name) in text:
                return True
            if len(words) >= 3 and set(words) <= set(flat.split()):
                return True
        for text in texts:
            flat = f" {_NOT_WORD.sub(' ', text)} "
            for quote in quotes:
                shown = _NOT_WORD.sub(" ", plain(quote)).strip()
                held = flat.strip()
                if len(shown.split()) >= 4 and (shown in held or (len(held.split()) >= 6 and held in shown)):
                    return True
    return False


def _passage(said: list[Said]) -> str:
    return " ".join(one.sentence.shown or one.sentence.own for one in said)[:600]


def _shown(groups: tuple[tuple[str, ...], ...]) -> str:
    return "; ".join(" / ".join(group[:6]) for group in groups)[:300]


def _value_shown(value: Value) -> str:
    if value.kind in ("date", "text"):
        return value.text
    return f"{value.amount:,.10g} {value.unit or value.kind}"
