"""The search language: words (any of them, best first), "a phrase", "these words"~5 in order with at most five others between,
AND, OR, NOT in capitals, parentheses, and prefix*."""

from __future__ import annotations

import re
from dataclasses import dataclass

from redwell.room.errors import QueryError
from redwell.room.words import Stems, words

LONGEST = 2_000
DEEPEST = 20
SLACK = 100
_TOKEN = re.compile(
    r'\s*(?:(?P<open>\()|(?P<close>\))|["“”„](?P<phrase>[^"“”„]*)(?P<end>["“”„])?(?:~(?P<slack>\w*))?|(?P<word>[^\s()"“”„]+))'
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """Stems in order with at most `slack` others between; a single word is a phrase of one. `words` are as written, folded."""

    stems: tuple[str, ...]
    slack: int = 0


@dataclass(frozen=True, slots=True)
class Prefix:
    """Any word that begins like this."""

    start: str


@dataclass(frozen=True, slots=True)
class All:
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Any:
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Except:
    """What `part` finds without what any of `excluded` finds."""

    part: Node
    excluded: tuple[Node, ...]


Node = Phrase | Prefix | All | Any | Except


@dataclass(frozen=True, slots=True)
class _Not:
    part: Node


def parse(query: str, stems: Stems) -> Node:
    """The query as a tree. Raises QueryError with the place and the way to write it."""
    if len(query) > LONGEST:
        raise QueryError(f"The query is longer than {LONGEST:,} characters.")
    return _Parser(query, stems).whole()


def holds(node: Node, raw: list[str], stemmed: list[str]) -> bool:
    """Whether a passage with these words satisfies the query exactly, the order of proximity included."""
    match node:
        case Phrase():
            return _in_order(node.stems, node.slack, stemmed)
        case Prefix():
            return any(word.startswith(node.start) for word in raw)
        case All():
            return all(holds(part, raw, stemmed) for part in node.parts)
        case Any():
            return any(holds(part, raw, stemmed) for part in node.parts)
        case Except():
            return holds(node.part, raw, stemmed) and not any(holds(part, raw, stemmed) for part in node.excluded)


def loose(node: Node) -> bool:
    """Whether the tree has proximity in it, which an engine finds in any order and so has to be checked with `holds`."""
    match node:
        case Phrase():
            return node.slack > 0 and len(node.stems) > 1
        case Prefix():
            return False
        case Except():
            return loose(node.part) or any(map(loose, node.excluded))
        case All() | Any():
            return any(map(loose, node.parts))


def wanted(node: Node) -> tuple[frozenset[str], tuple[str, ...]]:
    """The stems and prefixes that a hit's text is marked by."""
    match node:
        case Phrase():
            return frozenset(node.stems), ()
        case Prefix():
            return frozenset(), (node.start,)
        case Except():
            return wanted(node.part)
        case All() | Any():
            found = [wanted(part) for part in node.parts]
            return frozenset().union(*(stems for stems, _ in found)), tuple(
                start for _, starts in found for start in starts
            )


def _in_order(wanted: tuple[str, ...], slack: int, stemmed: list[str]) -> bool:
    first = wanted[0]
    if len(wanted) == 1:
        return first in stemmed
    reach = len(wanted) + slack
    for start, word in enumerate(stemmed):
        if word == first:
            # Taking the earliest next word each time gives the shortest stretch from this start.
            at = start
            for other in wanted[1:]:
                try:
                    at = stemmed.index(other, at + 1, start + reach)
                except ValueError:
                    break
            else:
                return True
    return False


class _Parser:
    def __init__(self, query: str, stems: Stems) -> None:
        self.query = query
        self.stems = stems
        self.at = 0
        self.depth = 0

    def whole(self) -> Node:
        node = self._either(closing=False)
        if isinstance(node, _Not):
            raise QueryError("The query only says what to leave out (NOT). Say also what to look for.")
        return node

    def _peek(self) -> tuple[str, re.Match[str]] | None:
        while True:
            match = _TOKEN.match(self.query, self.at)
            if match is None:
                return None
            word = match["word"]
            if word is None or words(word):
                break
            self.at = match.end()  # a dash or an ampersand by itself asks for nothing
        if word in ("AND", "OR", "NOT"):
            return word, match
        kind = match.lastgroup or ""
        return ("phrase" if match["phrase"] is not None else kind), match

    def _either(self, *, closing: bool) -> Node | _Not:
        """Alternatives, side by side or joined by OR, up to the end or the closing parenthesis."""
        parts: list[Node] = []
        excluded: list[Node] = []
        expecting = ""
        while True:
            token = self._peek()
            if token is None or token[0] == "close":
                break
            if token[0] == "OR":
                if not parts or expecting:
                    raise QueryError(f"OR needs something before and after it (at character {self._place(token[1])}).")
                self.at, expecting = token[1].end(), "OR"
                continue
            part = self._both()
            if not isinstance(part, _Not):
                parts.append(part)
            elif expecting:
                raise QueryError(
                    "NOT cannot follow OR: it only takes away from what else is found. Put it after a space or AND."
                )
            else:
                excluded.append(part.part)
            expecting = ""
        if expecting:
            raise QueryError("OR needs something before and after it (at the end).")
        if token is None and closing:
            raise QueryError("A parenthesis is opened and never closed.")
        if token is not None and not closing:
            raise QueryError(f"A parenthesis is closed that was never opened (at character {self._place(token[1])}).")
        return self._join(Any, parts, excluded)

    def _both(self) -> Node | _Not:
        parts: list[Node] = []
        excluded: list[Node] = []
        while True:
            part = self._one()
            if isinstance(part, _Not):
                excluded.append(part.part)
            else:
                parts.append(part)
            token = self._peek()
            if token is None or token[0] != "AND":
                break
            self.at = token[1].end()
        if not parts and len(excluded) == 1:
            return _Not(excluded[0])
        return self._join(All, parts, excluded)

    def _join(self, kind: type[All] | type[Any], parts: list[Node], excluded: list[Node]) -> Node | _Not:
        if not parts:
            if excluded:
                return _Not(excluded[0] if len(excluded) == 1 else Any(tuple(excluded)))
            raise QueryError("The query has no words in it.")
        node = parts[0] if len(parts) == 1 else kind(tuple(parts))
        return Except(node, tuple(excluded)) if excluded else node

    def _one(self) -> Node | _Not:
        token = self._peek()
        if token is None or token[0] in ("close", "AND", "OR"):
            where = "the end" if token is None else f"character {self._place(token[1])}"
            raise QueryError(f"A word or phrase is missing at {where}.")
        kind, match = token
        self.at = match.end()
        if kind == "NOT":
            part = self._one()
            return part.part if isinstance(part, _Not) else _Not(part)
        if kind == "open":
            self.depth += 1
            if self.depth > DEEPEST:
                raise QueryError(f"The parentheses are nested more than {DEEPEST} deep.")
            node = self._either(closing=True)
            self.at = self._peek()[1].end()  # type: ignore[index]  # `_either` has seen the closing one
            self.depth -= 1
            return node
        if kind == "phrase":
            return self._phrase(match)
        return self._word(match)

    def _phrase(self, match: re.Match[str]) -> Phrase:
        if match["end"] is None:
            raise QueryError(f'The quotation mark at character {self._place(match)} is never closed; write "a phrase".')
        slack = match["slack"]
        if slack is not None and not (slack.isascii() and slack.isdigit() and int(slack) <= SLACK):
            raise QueryError(f'After "~" a number from 0 to {SLACK} is expected, as in "notice termination"~5.')
        found = words(match["phrase"])
        if not found:
            raise QueryError(f"The phrase at character {self._place(match)} has no words in it.")
        return Phrase(tuple(self.stems[word] for word in found), int(slack or 0))

    def _word(self, match: re.Match[str]) -> Node:
        text = match["word"]
        found = words(text)
        if not text.endswith("*"):
            return Phrase(tuple(self.stems[word] for word in found))
        if len(found[-1]) < 2:
            raise QueryError(f"{text!r} would match too much; write at least two letters before the asterisk.")
        prefix = Prefix(found[-1])
        return prefix if len(found) == 1 else All((Phrase(tuple(self.stems[word] for word in found[:-1])), prefix))

    def _place(self, match: re.Match[str]) -> int:
        return match.start() + len(match[0]) - len(match[0].lstrip()) + 1
