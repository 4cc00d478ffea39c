"""Which sentence of a report is about which issue of the answer key: by the names that stand in it, before it, or in its heading."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from redwell.bench.facts.markdown import Block, Parsed, Section, Sentence
from redwell.bench.facts.words import is_name, plain
from redwell.bench.key import Criterion

MOST_SUBJECTS = 6
"""A sentence that names more issues than this is a list, and says nothing of any of them."""
MOST_PARTS = 20
"""A sentence of more parts than this between commas, all of them short, is a row of words."""
MOST_WORDS = 300
"""Words of one entry; what is longer is cut into several."""


@dataclass(slots=True)
class Said:
    """A sentence with the issues that it names and those that it is about. `block` tells blocks apart, `at` its order in the report.
    `words_only`: it strings words together and asserts nothing. `own` is what counts of it, `words` the same without names of files."""

    sentence: Sentence
    block: Block
    section: int
    at: int
    named: frozenset[str]
    about: frozenset[str]
    words_only: bool = False

    @property
    def own(self) -> str:
        return "" if self.sentence.copied or self.words_only else self.sentence.own

    @property
    def words(self) -> str:
        return "" if self.sentence.copied or self.words_only else self.sentence.words


@dataclass(slots=True)
class Entry:
    """What one section says about one issue, `MOST_WORDS` at most. `heading` is the section's own when it is about that issue."""

    headings: tuple[str, ...]
    heading: str
    said: list[Said]
    listing: bool

    @property
    def text(self) -> str:
        return " . ".join([*self.headings, *(said.own for said in self.said)])

    @property
    def own_words(self) -> int:
        return sum(len(re.findall(r"[a-z]{2,}", said.own)) for said in self.said)


@dataclass(slots=True)
class Subjects:
    """The names of issues, and the report by issue. Issues without a name of their own are not in `names`."""

    names: dict[str, tuple[str, ...]]
    said: list[Said]
    sections: list[Section]
    by_issue: dict[str, list[Said]] = field(default_factory=dict)

    def entries(self, issue: str) -> list[Entry]:
        """The entries about an issue; all entries of the report when it has no name that could tell."""
        known = issue in self.names
        chosen = self.by_issue.get(issue, []) if known else self.said
        made: list[Entry] = []
        groups: dict[int, list[Said]] = defaultdict(list)
        for said in chosen:
            groups[said.section].append(said)
        for number, together in groups.items():
            section = self.sections[number]
            heading = section.headings[-1] if section.headings else ""
            if known and heading and not self._heads(issue, number, heading):
                heading = ""
            for part in _cut(together):
                made.append(Entry(section.headings, heading, part, section.listing))
        return made

    def _heads(self, issue: str, number: int, heading: str) -> bool:
        named = named_in(heading, self._finder, self._owners)
        if named:
            return issue in named
        return {one for said in self.said if said.section == number for one in said.about} <= {issue}

    _finder: re.Pattern[str] | None = None
    _owners: dict[str, frozenset[str]] = field(default_factory=dict)

    def naming(self, text: str) -> list[tuple[int, int, frozenset[str]]]:
        """Each name in a text: where it stands, and the issues whose it is."""
        return [(match.start(), match.end(), self._owners[match[0]]) for match in self._matches(text)]

    def _matches(self, text: str) -> list[re.Match[str]]:
        return list(self._finder.finditer(text)) if self._finder is not None else []


def subjects(report: Parsed, criteria: Iterable[Criterion], common: Sequence[str] = ()) -> Subjects:
    """Reads a report for the issues of these criteria. `common` are names that are everybody's (the target's)."""
    names = _names(criteria, common)
    owners: dict[str, set[str]] = defaultdict(set)
    for issue, own in names.items():
        for name in own:
            owners[plain(name)].add(issue)
    fixed = {name: frozenset(issues) for name, issues in owners.items()}
    finder = None
    if fixed:
        longest = sorted(fixed, key=len, reverse=True)
        finder = re.compile(r"(?<![a-z0-9])(?:" + "|".join(map(re.escape, longest)) + r")(?![a-z0-9])")
    found = Subjects(names, [], report.sections)
    found._finder, found._owners = finder, fixed
    for number, section in enumerate(report.sections):
        _read(found, number, section)
    by_issue: dict[str, list[Said]] = defaultdict(list)
    for said in found.said:
        for issue in said.about:
            by_issue[issue].append(said)
    found.by_issue = dict(by_issue)
    return found


def named_in(text: str, finder: re.Pattern[str] | None, owners: dict[str, frozenset[str]]) -> frozenset[str]:
    if finder is None or not text:
        return frozenset()
    return frozenset(issue for match in finder.finditer(text) for issue in owners[match[0]])


def _names(criteria: Iterable[Criterion], common: Sequence[str]) -> dict[str, tuple[str, ...]]:
    used: dict[str, set[str]] = defaultdict(set)
    for criterion in criteria:
        if criterion.issue:
            for group in criterion.check.about:
                # What stands beside a name is another name of the same, also in small letters (a module of software).
                named = any(map(is_name, group))
                for one in group:
                    if (is_name(one) or (named and len(one) > 4)) and not re.fullmatch(r"[A-Z]{2,5}|\d{1,4}%?", one):
                        used[one].add(criterion.issue)
    everybody = {plain(name) for name in common}
    names: dict[str, list[str]] = defaultdict(list)
    for name, issues in used.items():
        if len(issues) <= 2 and plain(name) not in everybody:
            for issue in issues:
                names[issue].append(name)
    return {issue: tuple(own) for issue, own in names.items()}


def _read(found: Subjects, number: int, section: Section) -> None:
    """Adds a section's sentences. One without a name is about what the one before it in its block is about, else the paragraph before, else
    what the heading names, else what the section's quotations show."""

    def names(text: str) -> frozenset[str]:
        return named_in(text, found._finder, found._owners)

    heads: frozenset[str] = frozenset()
    for heading in section.headings:
        heads = names(heading) or heads
    if not heads:
        sentences = [sentence for block in section.blocks for sentence in block.sentences]
        own = frozenset(one for sentence in sentences for one in names(sentence.own))
        quoted = frozenset(one for sentence in sentences for quote in sentence.quoted for one in names(quote))
        if not own and len(quoted) <= 3:
            heads = quoted
        elif own and _is_card(section) and len({names(sentence.own) for sentence in sentences} - {frozenset()}) == 1:
            heads = own
    before = heads
    levels: dict[int, frozenset[str]] = {}
    for block in section.blocks:
        carried = before
        if block.kind == "item":
            carried = next((levels[level] for level in sorted(levels, reverse=True) if level < block.level), before)
        elif block.kind == "row":
            carried = heads
        for sentence in block.sentences:
            named = names(sentence.own)
            if not named and sentence.quoted and not carried:
                named_quoted = names(" ".join(sentence.quoted))
                about = named_quoted if len(named_quoted) <= 3 else frozenset()
            else:
                about = named or carried
            if len(about) > MOST_SUBJECTS:
                about = frozenset()
            found.said.append(
                Said(sentence, block, number, len(found.said), named, about, _strings_words(sentence.own))
            )
            if named:
                carried = about
        if block.kind == "item":
            levels = {level: kept for level, kept in levels.items() if level < block.level} | {block.level: carried}
        elif block.kind == "paragraph":
            before, levels = carried, {}


def _is_card(section: Section) -> bool:
    """Whether a section is one finding set out in labelled lines ("Finding: ...", "Exposure: ...")."""
    labelled = sum(1 for block in section.blocks if block.kind == "item" and block.sentences[0].label)
    return labelled >= 2 and labelled * 2 >= sum(block.kind == "item" for block in section.blocks)


def _strings_words(text: str) -> bool:
    """Whether it is a long row of words between commas, three each at most on average."""
    parts = text.count(",") + 1
    return parts > MOST_PARTS and len(text.split()) <= 3 * parts


def _cut(said: list[Said]) -> list[list[Said]]:
    parts: list[list[Said]] = []
    words = 0
    for one in said:
        count = len(one.own.split())
        if not parts or words + count > MOST_WORDS:
            parts.append([])
            words = 0
        parts[-1].append(one)
        words += count
    return parts
