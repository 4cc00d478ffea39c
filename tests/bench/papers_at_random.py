"""Laid papers at random, and what must be found of them in the text of their files."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from hypothesis import strategies as st

from redwell.bench.generate.laid import Laid, LaidKind, Line, Numbered, shown
from redwell.bench.generate.papers import Cell, Change, Heading, Para, Row, Sign, Signatures, Table

_WORDS = st.sampled_from(
    [
        "the",
        "supplier",
        "delivers",
        "goods",
        "&",
        "services",
        "within",
        "thirty",
        "(30)",
        "days",
        "of",
        "“Orders”",
        "–",
        "see",
        "Müller’s",
        "note",
        "<draft>",
        "a|b",
        "100%",
        "$1,200.50",
        "(x)",
        "7",
        "Reading,",
        "Ltd.",
        "non-binding",
        "e.g.",
        "“quoted”",
        "C:\\path",
        "O'Neil",
        "é",
        "ß",
        "½",
        "“a”",
        "...",
        ";",
        ":",
    ]
)
SENTENCES = st.lists(_WORDS, min_size=1, max_size=14).map(lambda words: f"Words {' '.join(words)} end.")
_NAMES = st.sampled_from(("Alpha, Inc.", "Béta GmbH", "Gamma & Sons", "Jane Roe", "José Núñez", "O’Hara"))
_DAYS = st.dates(date(1900, 3, 1), date(2099, 12, 31))
_CELLS: st.SearchStrategy[Cell] = st.one_of(
    SENTENCES,
    st.integers(-(10**12), 10**12),
    st.floats(-1e9, 1e9, allow_nan=False),
    _DAYS,
    st.none(),
)


@st.composite
def _tables(draw: st.DrawFn) -> Table:
    columns = draw(st.integers(1, 4))
    rows = draw(st.lists(st.lists(_CELLS, min_size=columns, max_size=columns), max_size=5))
    header = tuple(f"Column {n}" for n in range(columns))
    return Table(
        header,
        tuple(Row(tuple(row)) for row in rows),
        sheet=draw(st.sampled_from(("", "Terms", "Cap Table [a/b]", "A sheet's name that is much too long for it"))),
        hidden=draw(st.booleans()),
        caption=draw(st.sampled_from(("", "Table of things"))),
    )


_SIGNS = st.builds(
    Sign,
    _NAMES,
    st.one_of(st.just(""), _NAMES),
    st.sampled_from(("", "Director")),
    st.booleans(),
    st.one_of(st.none(), _DAYS),
)
_LINES: st.SearchStrategy[Line] = st.one_of(
    st.builds(Heading, SENTENCES),
    st.builds(Para, SENTENCES),
    st.builds(Change, SENTENCES.map(lambda s: s + " "), SENTENCES, SENTENCES, SENTENCES.map(lambda s: " " + s), _NAMES),
    _tables(),
    st.lists(_SIGNS, min_size=1, max_size=3).map(lambda lines: Signatures(tuple(lines))),
)
_CLAUSES = st.tuples(SENTENCES, SENTENCES, st.lists(SENTENCES, max_size=3), st.booleans())


@st.composite
def papers(draw: st.DrawFn, kind: LaidKind) -> Laid:
    """A paper of that kind; its clauses are numbered 1, 1.1, 1.2, 2 or oddly."""
    lines: list[Line] = []
    odd = draw(st.booleans())
    whole = part = 0
    for given in draw(st.lists(st.one_of(_LINES, _CLAUSES), min_size=1, max_size=7)):
        if not isinstance(given, tuple):
            lines.append(given)
            continue
        heading, text, subs, deep = given
        if deep and whole:
            part += 1
        else:
            whole, part = whole + 1, 0
        number = f"{whole + 11 * odd}" + (f".{part}" if part else "")
        lines.append(Numbered(number, heading, text, tuple((f"({chr(97 + n)})", s) for n, s in enumerate(subs))))
    return Laid(
        draw(SENTENCES),
        kind,
        draw(st.one_of(st.none(), _DAYS)),
        ("Alpha, Inc.", "Béta GmbH"),
        "Jo Clerk",
        tuple(lines),
        sender="Jürgen Öster <j.oester@alpha.example>" if kind == "eml" else "",
        to="b@beta.example" if kind == "eml" else "",
        status=draw(st.sampled_from(("", "draft", "form", "unsigned"))),
        look=draw(st.text("abc0123", max_size=4)),
    )


def texts(laid: Laid) -> Iterator[str]:
    """Every text that a reader of the paper sees in its final view; each cell as it is shown."""
    yield laid.title
    for line in laid.lines:
        match line:
            case Heading(text) | Para(text):
                yield text
            case Numbered():
                yield from (line.heading, line.text, *(text for _, text in line.sub))
            case Change():
                yield line.lead + line.after + line.tail
            case Table():
                yield from (*line.header, line.caption)
                yield from (text for row in line.rows for text in map(shown, row.cells))
            case Signatures():
                yield from (part for sign in line.lines for part in (sign.party, sign.name, sign.title))


def folded(text: str) -> str:
    """The text with single spaces."""
    return " ".join(text.split())
