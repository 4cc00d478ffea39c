"""What an archetype is made of: data, and one small function.

Standard library only: these modules also run inside the sandbox, where `checks` is made of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence, with what a lawyer would look at around it. All texts have whitespace folded and emphasis marks removed.

    `context` is the paragraph, `lead` the words that open the list which the sentence belongs to ("Upon any of the following, A may
    terminate:"), `heading` the clause's or chapter's heading, `family` the kind of document (see `words.family`).
    """

    text: str
    context: str = ""
    lead: str = ""
    heading: str = ""
    family: str = ""

    @property
    def full(self) -> str:
        """The sentence after the words that open its list."""
        return f"{self.lead} {self.text}" if self.lead else self.text


@dataclass(frozen=True, slots=True)
class Hit:
    """What `find` returns: figures and names, and the words to quote when the whole sentence is too long for that."""

    values: Values = field(default_factory=dict)
    around: str = ""


Find = Callable[[Clause], Hit | None]
Check = Callable[[Any], Iterable["Issue"]]


@dataclass(frozen=True, slots=True, eq=False)
class Archetype:
    """One kind of issue.

    `number` is its row in the catalogue of 127 (0: our own). `evidence` is direct, cross-document, absence or computed. `triggers`
    are lower-case literals: a sentence without any of them is never shown to `find`. `severity` is what an issue of this kind is
    worth when nothing is known of the deal; `check` may say otherwise. `routine` kinds are put together into one entry; `support` kinds are evidence for checks
    and tables and never an entry of their own. The words of an `event` mean something that
    happened in a letter or report; in a contract they are a covenant, so there they are passed over.
    """

    id: str
    number: int
    workstream: str
    title: str
    evidence: str
    severity: str
    why: str
    next_step: str
    protection: str = ""
    question: str = ""
    triggers: tuple[str, ...] = ()
    find: Find | None = None
    check: Check | None = None
    routine: bool = False
    support: bool = False
    event: bool = False


@dataclass(slots=True)
class Issue:
    """What `check` yields; becomes the arguments of `report.add`. `parts` are findings or citations. Texts left empty are the archetype's.

    `contingent` is money that nothing in the deal sets off: someone would have to act who need not."""

    kind: str
    title: str
    claim: str
    parts: Sequence[Any] = ()
    severity: str = ""
    exposure: Values = field(default_factory=dict)
    workstream: str = ""
    why: str = ""
    next_step: str = ""
    protection: str = ""
    searched: str = ""
    evidence: str = ""
    contingent: bool = False

    def __post_init__(self) -> None:
        self.claim, self.next_step, self.protection = map(one_stop, (self.claim, self.next_step, self.protection))


_STOPS = re.compile(r"“[^”]*”|(?<=[\w)])\.\.(?![.\w])")


def one_stop(text: str) -> str:
    """The text with one full stop where a name that ends in one ends a sentence ("N.V.."); quoted words stay as they are."""
    return _STOPS.sub(lambda match: "." if match[0] == ".." else match[0], text)


_POINT = re.compile(r"(?<=\d)\.(?=\d)")
"""A point within a number ends no sentence, so patterns that stop at one (`[^.;]`) must not see it."""


@lru_cache(maxsize=64)
def unpointed(text: str) -> str:
    """The text with a raised dot for each point within a number; one sentence is asked about by many rules in turn."""
    return _POINT.sub("·", text)


def rule(
    *yes: str, no: Sequence[str] = (), where: str = "text", values: Callable[[Clause], Values] | None = None
) -> Find:
    """A `find` that fires when one pattern of `yes` is in the sentence and none of `no` is.

    Patterns ignore case; ` ` stands for itself, gaps should be bounded (`.{0,80}`). `where` is `text`, `full` (with the list's opening
    words) or `context`. The words quoted are those around the match.
    """
    wanted = [re.compile(pattern, re.IGNORECASE) for pattern in yes]
    barred = [re.compile(pattern, re.IGNORECASE) for pattern in no]

    def find(clause: Clause) -> Hit | None:
        text = unpointed(getattr(clause, where))
        for pattern in wanted:
            match = pattern.search(text)
            if match:
                if any(bar.search(text) for bar in barred):
                    return None
                return Hit(values(clause) if values else {}, match.group(0).replace("·", "."))
        return None

    return find
