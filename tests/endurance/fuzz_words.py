"""Strings without mercy for what reads strings in this process: searches, patterns, quotes, fences, replies, answers, deal files, journals.

Each target may refuse an input with its own error, and must neither raise another nor take longer than SECONDS.
"""

from __future__ import annotations

import itertools
import json
import re
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from endurance.fuzz_mutators import GENERIC, mutated, words

from redwell.diligence.deal import DealError, read_deal
from redwell.harness import fence, reply
from redwell.journal.database import JournalError
from redwell.journal.journal import Journal
from redwell.journal.trace import tree
from redwell.models.schema import Malformed, Misfit, read_answer
from redwell.models.types import Completion, ToolCall
from redwell.room import grep, query, quotes
from redwell.room.errors import QueryError
from redwell.room.words import Stems
from tests.journal.a_run import write_run

SECONDS = 5.0
"""For up to LONGEST characters, on a machine that does other work besides."""
LONGEST = 100_000
_PAGE = (
    "Section 8.2(b). Neither party may assign this “Agreement” – in whole or in part – without con-\nsent, not to be un- reasonably withheld … ﬁnally. "
    * 20
)
_SCHEMA = {
    "type": "object",
    "properties": {
        "findings": {"type": "array", "items": {"type": "object", "properties": {"quote": {"type": "string"}}}},
        "n": {"type": "number"},
    },
    "required": ["findings"],
}


class TooLong(Exception):
    """The target did not come back in time."""


@dataclass(frozen=True, slots=True)
class Target:
    """What reads a string, the errors by which it may refuse one, strings of its kind, and words of its language."""

    read: Callable[[str], object]
    refusals: tuple[type[Exception], ...]
    seeds: tuple[str, ...]
    tokens: tuple[str, ...]


def _search(text: str) -> None:
    node = query.parse(text[:3_000], Stems())
    query.holds(node, ["agreement", "term"], ["agreement", "term"])
    query.loose(node), query.wanted(node)


def _pattern(text: str) -> None:
    page = memoryview(_PAGE.encode())
    for match in itertools.islice(grep.compile_pattern(text, ignore_case=True).finditer(page), 1_000):
        grep.line_around(page, *match.span())


def _quote(text: str) -> None:
    """As a quote of a page, as the page of a quote, and as both: a text is always found in itself."""
    page = quotes.fold(_PAGE)
    quotes.check(page, text)
    folded = quotes.fold(text)
    quotes.check(folded, "without consent, not to be unreasonably withheld")
    half = text[len(text) // 3 : len(text) // 3 + 300]
    for start, end in (*quotes.find(folded, half), *quotes.find(folded, text[:2_000])):
        assert 0 <= start < end <= len(text)


def _fenced(text: str) -> None:
    middle = len(text) // 2
    slices = [
        fence.Slice(1, "ab12", "a/b.txt", 0, text[:middle], middle),
        fence.Slice(2, text[:20], text[-30:], 5, text[middle:], len(text)),
    ]
    made = fence.fence(slices)
    assert fence.split(made + text) == (slices, text)
    fence.split(text)


def _replied(text: str) -> None:
    for cell in reply.cells(Completion(text, "m")):
        assert cell.code or cell.complaint
    reply.cells(Completion("", "m", tool_calls=(ToolCall("1", "python", text),)))


def _answered(text: str) -> None:
    read_answer(text, _SCHEMA)


def _deal(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deal.toml"
        path.write_text(text, "utf-8", "surrogatepass")
        read_deal(path)


TARGETS: dict[str, Target] = {
    "search": Target(
        _search,
        (QueryError,),
        ('change AND ("control of the"~5 OR assign*) NOT draft', '"a b c"~3', "“term”", "(a OR b) (c d)"),
        (
            "(",
            ")",
            '"',
            "“",
            "~",
            "~9",
            "*",
            " AND ",
            " OR ",
            " NOT ",
            "NOT NOT ",
            "((((",
            "\0",
            "ß",
            "İ",
            "a*",
            "~999999999999",
        ),
    ),
    "grep": Target(
        _pattern,
        (QueryError,),
        (r"(?i)assign[^\n]{0,200}without", r"\bterm(?:s|ination)?\b", r"[\w\s]+(?P<n>\d+)", r"(a+)+$", r"\p{L}{2,}"),
        (
            "(",
            ")",
            "[",
            "]",
            "[^",
            "{1000}",
            "{1000}{1000}",
            "(?=",
            "(?<!",
            "\\1",
            "\\Z",
            "\\s",
            "\\",
            "|",
            "(?P<",
            "*",
            "+",
            "?",
            "[[:x:]]",
            "\\x{110000}",
            "\0",
        ),
    ),
    "quotes": Target(
        _quote,
        (),
        (
            _PAGE[:300],
            "in whole ... in part",
            "* * *",
            "con-\nsent",
            "­soft ﬀ ﬃ İ ß ẞ \u0301\u0301",
            "“" * 50,
            "-\n" * 50,
        ),
        (
            "…",
            "...",
            " . . . ",
            "-\n",
            "- \n",
            "\u00ad",
            "\u200b",
            "\u0301",
            "\u202e",
            "ﬁ",
            "ſ",
            "K",
            "“",
            "'",
            "\n\n12\n\n",
            "[",
            "]",
            "a" * 5_000,
            "-" * 5_000,
            " " * 5_000,
            "\u0301" * 5_000,
            ". " * 5_000,
            "…" * 2_000,
        ),
    ),
    "fence": Target(
        _fenced,
        (ValueError,),
        (fence.fence([fence.Slice(1, "ab", "p", 0, "text", 4, ((1, 2),))]), "⟪00000000 begin: 1 document⟫\n"),
        (
            "⟪",
            "⟫",
            "⟪00000000 end⟫",
            "begin: 99999999 documents⟫\n",
            ' document 1: "a',
            '\\"',
            "hidden⟫",
            "visible⟫",
            "characters 9" + "9" * 5_000,
            "\n",
            '"' + "\\\\" * 2_000,
        ),
    ),
    "reply": Target(
        _replied,
        (),
        (
            "```python\nprint(1)\n```",
            "<think>x</think>\n~~~py\nx = '''\n```\n'''\n~~~",
            '{"code": "x = 1"}',
            "```\na\n```\n```json\n{}\n```",
        ),
        (
            "```",
            "~~~",
            "```python\n",
            "\n```\n",
            "<think>",
            "</think>",
            "'''\n",
            "(" * 300,
            "[" * 5_000,
            "\0",
            "\r",
            "````",
            "```python x```\n",
            "\\" * 99,
            "-" * 9_000,
            "{" * 9_000,
        ),
    ),
    "answer": Target(
        _answered,
        (Malformed, Misfit),
        ('{"findings": [{"quote": "a"}], "n": 1}', '```json\n{"findings": []}\n```', 'Here: {"findings": []} done'),
        (
            "{",
            "}",
            "[",
            "]",
            '"',
            "\\",
            ":",
            ",",
            "NaN",
            "1e999",
            "-0",
            "9" * 5_000,
            '{"a":' * 500,
            "[" * 20_000,
            "\\ud800",
            "\0",
            "```",
            "null",
            '{"findings": []}',
            '{"' * 5_000,
            "{ }" * 5_000,
        ),
    ),
    "deal": Target(
        _deal,
        (DealError,),
        ('target = "A"\nbuyer = "B"\nstructure = "merger"\nfocus = ["debt"]\n[dates]\nsigning = 2026-03-31\n',),
        (
            "[",
            "]",
            "=",
            '"',
            '"""',
            "'",
            "[[a]]",
            "a.b.c = 1\n",
            "2026-99-99",
            "inf",
            "nan",
            "0x" + "f" * 5_000,
            "9" * 5_000,
            "[" * 3_000,
            "{a=" * 1_000,
            "\\u0000",
            "a." * 3_000,
            "#",
            "\0",
            "\r",
            "= 1979-05-27T07:32:00Z\n",
        ),
    ),
}


def strings(name: str, seed: int, count: int, longest: int = LONGEST) -> Iterator[str]:
    """The target's own strings, each of its words up to `longest` characters over and over, and mutations of both."""
    target = TARGETS[name]
    yield from target.seeds
    for token in target.tokens:
        yield (token * longest)[:longest]
        yield ((token + "x ") * longest)[:longest]
    seeds = [text.encode("utf-8", "surrogatepass") for text in target.seeds]
    mutators = (*[words([token.encode() for token in target.tokens])] * 8, *GENERIC)
    for number in range(count):
        random = Random(f"{seed}:{name}:{number}")
        yield mutated(random, random.choice(seeds), seeds, mutators).decode("utf-8", "replace")[:longest]


def tried(name: str, text: str) -> str:
    """What is wrong with how the target took this string; nothing when all is well. Only in the main thread."""
    target = TARGETS[name]
    began = time.monotonic()
    usual = signal.signal(signal.SIGALRM, _alarm)
    signal.setitimer(signal.ITIMER_REAL, 4 * SECONDS)
    try:
        target.read(text)
    except target.refusals as refusal:
        if re.search(r"Traceback|object at 0x|\.py\b", str(refusal)) and not re.search(
            r"Traceback|object at 0x|\.py\b", text
        ):
            return f"a refusal in a programmer's words: {str(refusal)[:200]}"
    except (Exception, RecursionError, MemoryError) as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)
    seconds = time.monotonic() - began
    return f"took {seconds:.1f} s for {len(text):,} characters" if seconds > SECONDS else ""


def _alarm(number: int, frame: object) -> None:
    raise TooLong(f"more than {4 * SECONDS:g} s")


def damaged_journals(seed: int, count: int, folder: Path) -> Iterator[str]:
    """What is wrong with how damaged journals are taken: each opens and gives its tree, or says in words that it is damaged."""
    whole = folder / "whole"
    with Journal.create(whole, {"kind": "diligence"}) as journal:
        write_run(journal)
    for number in range(count):
        random = Random(f"{seed}:journal:{number}")
        copy = folder / "copy"
        shutil.copytree(whole, copy)
        victim = random.choice(sorted(path for path in copy.iterdir() if path.suffix in (".sqlite", ".json")))
        victim.write_bytes(mutated(random, victim.read_bytes(), [], GENERIC))
        try:
            with Journal.open(copy, read_only=True) as journal:
                tree(journal)
        except JournalError as error:
            if re.search(r"Traceback|object at|Error\(", str(error)):
                yield f"{number}: {error}"
        except Exception as error:
            yield f"{number}, {victim.name}: {type(error).__name__}: {str(error)[:200]}"
        shutil.rmtree(copy)


def faults(name: str, seed: int, count: int, longest: int = LONGEST) -> list[str]:
    """What is wrong with how a target takes its strings, with the string; a kind of fault is told once."""
    found: dict[str, str] = {}
    for text in strings(name, seed, count, longest):
        if wrong := tried(name, text):
            found.setdefault(
                re.sub(r"[\d.,]+", "#", wrong)[:60], f"{wrong}: {json.dumps(text[:80])} of {len(text):,} characters"
            )
    return list(found.values())
