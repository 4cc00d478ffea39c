"""Running text: what stands around the words that matter in a real paper. Our own, from a library of clauses with choices in them, or a user's.

Nothing in it is an issue by itself: no consent, exclusivity, commitment, claim or figure of the company's. A clause knows its topic, and is
left out where a paper must be silent on it.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Collection, Iterator, Sequence
from typing import Literal

from redwell.bench.generate.filler_library import (
    CODE_SLOT,
    CUSTOMER,
    SUPPLIER,
    THING_CAPITAL,
    THING_SLOT,
    Piece,
    library,
)
from redwell.bench.generate.filler_source import Source as Source
from redwell.bench.generate.filler_source import notices as notices
from redwell.bench.generate.papers import Block, Clause, Heading, Para

Of = Literal["contract", "policy", "report", "minutes", "letter", "accounts"]
Kind = Of | Literal["employment", "lease", "credit", "cover"]
"""What a contract is that lies among employment papers, leases, loans or insurance policies is a kind of its own."""
_CONTRACTS: dict[str, Kind] = {"9": "employment", "11": "lease", "4": "credit", "13": "cover"}
ROLES = (
    ("Supplier", "Customer"),
    ("Provider", "Client"),
    ("Contractor", "Principal"),
    ("Vendor", "Purchaser"),
    ("Seller", "Buyer"),
    ("Consultant", "Company"),
    ("Manufacturer", "Distributor"),
    ("Producer", "Trader"),
)
_NUMBERED = ("contract", "policy", "employment", "lease", "credit", "cover")


def suited(of: Of, folder: str) -> Kind:
    """The kind of running text for a paper in a folder ("9.1"): a contract there may be an employment agreement, a lease, a loan."""
    return _CONTRACTS.get(folder.split(".")[0], of) if of == "contract" else of


def paragraphs(
    rng: random.Random,
    of: Kind,
    characters: int,
    avoid: Collection[str] = (),
    parties: Sequence[str] = (),
    source: Source | None = None,
    used: set[str] | None = None,
) -> list[Block]:
    """About so many characters of running text, silent on the topics to avoid.

    Args:
        rng: decides everything.
        of: the kind of paper.
        characters: how long; at least one block comes back when it is positive.
        avoid: topics of `papers.Paper.avoid`.
        parties: the paper's; they decide how its two sides are called, the same in each stretch of the paper.
        source: texts of the user's to draw from instead.
        used: clauses that the paper has already; those drawn are added, so that none stands in it twice while there are others.
    """
    if characters <= 0:
        return []
    if source is not None and (of == "contract" or of in _CONTRACTS.values()):
        return source.stretch(rng, characters, frozenset(avoid))
    used = set() if used is None else used
    roles = ROLES[zlib.crc32("|".join(parties).encode()) % len(ROLES)]
    taken: list[tuple[int, list[Block]]] = []
    left = characters
    for rank, piece, thing in _drawn(rng, of, frozenset(avoid), used):
        made = _blocks(piece, rng, roles, thing, numbered=of in _NUMBERED)
        size = sum(map(_size, made))
        if taken and size > 2 * left:
            break
        taken.append((rank, made))
        left -= size
        if left <= 0:
            break
    taken.sort(key=lambda each: each[0])
    return [block for _, made in taken for block in made]


def _drawn(rng: random.Random, of: Kind, silent: frozenset[str], used: set[str]) -> Iterator[tuple[int, Piece, str]]:
    """(rank, piece, thing) without end: those that stand once first, in an order of chance, then those that speak of a thing, of one after another.

    The rank puts what was drawn into the order of the library, where definitions come before the law and a meeting is closed at its end; those
    that speak of a thing keep the order of drawing, in the place where the library has them."""
    found = library(of)
    once = [piece for piece in found.once if not piece.topics & silent]
    again = [piece for piece in found.again if not piece.topics & silent]
    things = list(found.things)
    rng.shuffle(once)
    rng.shuffle(again)
    rng.shuffle(things)
    middle = min((piece.rank for piece in found.again), default=0)
    turn = 0
    while once or again:
        if once and not (found.mixed and again and rng.random() < 0.3):
            piece = once.pop()
            if piece.group not in used:
                used.add(piece.group)
                yield piece.rank, piece, rng.choice(things)
        elif again:
            at, kind = divmod(turn, len(again))
            piece, thing = again[kind], things[(at + kind) % len(things)]
            turn += 1
            key = f"{piece.group}/{thing}"
            if key not in used or at >= len(things):
                used.add(key)
                yield middle, piece, thing
        else:  # a library without such pieces begins anew rather than end a long paper
            again = [piece for piece in found.once if not piece.topics & silent]


def _blocks(piece: Piece, rng: random.Random, roles: tuple[str, str], thing: str, *, numbered: bool) -> list[Block]:
    chance = rng.random
    lead = ""
    paragraphs_ = []
    for paragraph in piece.paragraphs:
        words = [line.say(chance) for line in paragraph if not line.optional or chance() < 0.6]
        if words and numbered:
            lead = next((text for text in words if text.endswith(":")), "")
            words = [text for text in words if text is not lead]
        if words:
            paragraphs_.append(" ".join(words))
    listed = [line.say(chance) for line in piece.listed if not line.optional or chance() < 0.6]
    if numbered and not lead:
        listed = []
    elif len(listed) > 3 and piece.loose:
        rng.shuffle(listed)
        del listed[max(3, len(listed) - rng.randrange(3)) :]
    heading = piece.headings[int(chance() * len(piece.headings))].say(chance) if piece.headings else ""
    code = f"{'ABDEKLMPQRTW'[int(chance() * 12)]}{int(chance() * 90 + 10)}-{int(chance() * 9000 + 1000)}"

    def final(text: str) -> str:
        text = text.replace(SUPPLIER, roles[0]).replace(CUSTOMER, roles[1])
        if THING_SLOT in text or THING_CAPITAL in text or CODE_SLOT in text:
            text = text.replace(THING_SLOT, thing).replace(THING_CAPITAL, thing[:1].upper() + thing[1:])
            text = text.replace(CODE_SLOT, code)
        return text

    if numbered:
        subs = tuple(map(final, _ended(listed)))
        return [Clause(final(heading), final(" ".join([*paragraphs_, lead] if lead else paragraphs_)), "", subs)]
    blocks: list[Block] = [Heading(final(heading))] if heading else []
    blocks += [Para(final(text)) for text in (*paragraphs_, *listed)]
    return blocks


def _ended(listed: list[str]) -> list[str]:
    """The items of a list with their stops: a semicolon after each but the last."""
    bare = [text.rstrip(";.") for text in listed]
    return [
        text + ("." if at == len(bare) - 1 else "; and" if at == len(bare) - 2 else ";") for at, text in enumerate(bare)
    ]


def _size(block: Block) -> int:
    if isinstance(block, Clause):
        return len(block.heading) + len(block.text) + sum(map(len, block.sub)) + 8
    return len(block.text) + 1 if isinstance(block, Heading | Para) else 0
