"""What a room of a preset plants: which recipes, in which ways, as issues or decoys; how many papers of which kind, how long."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from redwell.bench.generate import marks
from redwell.bench.generate.papers import FileKind, Hub
from redwell.bench.generate.recipe import Plant, Recipe, Way
from redwell.bench.generate.world import World, make_world
from redwell.bench.key import Split

HUBS: tuple[Hub, ...] = get_args(Hub)
MIX: dict[FileKind, float] = {"docx": 0.635, "xlsx": 0.234, "eml": 0.081, "pptx": 0.027, "txt": 0.023}
"""The share of each kind of file in the published rooms."""
SPLITS: tuple[Split, ...] = get_args(Split)


class PlanError(Exception):
    """A room that cannot be made as asked; the message says why and what would do."""


@dataclass(frozen=True, slots=True)
class Preset:
    """`documents`: fewest, usual, most. `issues`: fewest and most, of which there is one for each `papers_for_issue` documents; 0 where criteria
    decide: `criteria` are fewest and most. `plants`: the share of documents that plants and hubs may take."""

    documents: tuple[int, int, int]
    issues: tuple[int, int]
    papers_for_issue: float
    criteria: tuple[int, int]
    plants: float


_CORE: tuple[Hub, ...] = (
    "merger_agreement",
    "disclosure_schedule",
    "board_minutes",
    "minute_index",
    "cap_table",
    "contracts_register",
    "employee_census",
)
PRESETS: dict[str, Preset] = {
    "desk": Preset((8, 24, 60), (2, 8), 5, (0, 0), 0.9),
    "small": Preset((60, 120, 200), (12, 40), 5, (0, 0), 0.95),
    "full": Preset((2000, 3000, 5000), (0, 0), 0, (440, 1100), 0.6),
}
ROOM_CRITERIA = {"desk": 5, "small": 10, "full": 20}
"""Criteria of the report as a whole, at most."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One plant to be. `stream` names the random stream of its own."""

    recipe: Recipe
    way: Way
    decoy: bool
    stream: str

    def make(self, world: World) -> Plant:
        return self.way.make(world, world.rng(self.stream), self.decoy)


def checked(preset: str, documents: int | None, seed: str) -> int:
    """The number of documents of the room; when it is not given, the usual one of a full room, and of a smaller one the seed's, so that
    rooms differ in size. Raises PlanError."""
    if preset not in PRESETS:
        raise PlanError(f"there is no preset {preset!r}; the presets are {', '.join(PRESETS)}")
    least, usual, most = PRESETS[preset].documents
    wanted = documents
    if wanted is None:
        drawn = round(random.Random(f"{seed}/size").triangular(least, most, usual))
        wanted = usual if preset == "full" else drawn
    if not least <= wanted <= most:
        raise PlanError(f"a room of the preset {preset} has {least:,} to {most:,} documents, not {wanted:,}")
    return wanted


def choose(seed: str, split: Split, preset: str, documents: int, recipes: Sequence[Recipe]) -> list[Choice]:
    """About two issues for each decoy, of all four kinds of evidence, as many as the preset wants and the documents have room for.

    Each is tried in a world of its own first, to see how many papers it takes. Raises PlanError when there is not even room for the fewest.
    """
    wanted = PRESETS[preset]
    scratch = make_world(seed, split)
    rng = random.Random(f"{seed}/plan")
    fits = [recipe for recipe in recipes if any(way.split == split for way in recipe.ways)]
    if not fits:
        raise PlanError(f"no recipe has a way of the split {split}")
    issues, decoys = _turns(rng, fits, split), _turns(rng, fits[len(fits) // 2 :] + fits[: len(fits) // 2], split)
    done = _enough(preset, documents)
    room = documents * wanted.plants
    hubs: set[str] = set(base_hubs(documents))
    chosen: list[Choice] = []
    used: set[str] = set()
    counts = {False: 0, True: 0}
    criteria = papers = refused = 0
    while not done(counts[False], counts[True], criteria) and refused < 4 * len(fits) + 40:
        decoy = counts[True] < counts[False] // 2
        choice = next(decoys if decoy else issues)
        refused += 1
        if choice.recipe.once and choice.recipe.slug in used:
            continue
        choice = Choice(choice.recipe, choice.way, decoy, f"plant/{choice.stream}/{decoy}")
        plant = choice.make(scratch)
        size = sum(1 + len(paper.copies) for paper in plant.papers)
        needed = hubs | hubs_of(plant)
        left = room - papers - len(needed)
        if size > left or (wanted.issues[0] and size > max(2, 2 * left / max(1, wanted.issues[0] - counts[False]))):
            continue
        chosen.append(choice)
        hubs, papers, criteria, refused = needed, papers + size, criteria + len(plant.criteria), 0
        counts[decoy] += 1
        used.add(choice.recipe.slug)
    if counts[False] < max(1, wanted.issues[0]):
        raise PlanError(
            f"{documents} documents have no room for {max(1, wanted.issues[0])} issues and what belongs to them; ask for more"
        )
    return chosen


def base_hubs(documents: int) -> tuple[Hub, ...]:
    """Those that are there whatever is planted: all in a room of some size, none where each paper counts."""
    return HUBS if documents >= 100 else _CORE if documents >= 60 else ()


def hubs_of(plant: Plant) -> set[str]:
    """The hubs that must be there because the plant writes into them or points at them."""
    found: set[str] = {added.hub for added in plant.added} | {name for gap in plant.gaps for name in gap.despite}
    blocks = [block for paper in plant.papers for block in paper.blocks] + [added.block for added in plant.added]
    texts = [text for block in blocks for text in marks.texts(block)] + [draft.text for draft in plant.criteria]
    found |= {name for text in texts for _, name in marks.pointers(text)}
    return found & set(HUBS)


def _enough(preset: str, documents: int) -> Callable[[int, int, int], bool]:
    """Whether so many issues, decoys and criteria are what the preset wants for so many documents."""
    wanted = PRESETS[preset]
    if wanted.issues[0]:
        issues = min(wanted.issues[1], max(wanted.issues[0], round(documents / wanted.papers_for_issue)))
        return lambda found, decoys, criteria: found >= issues and decoys >= issues // 2
    least, _, most = wanted.documents
    low, high = wanted.criteria
    target = low + (high - low) * (documents - least) / (most - least)
    target = min(target + 12, high - 6) - ROOM_CRITERIA[preset]
    return lambda found, decoys, criteria: criteria >= target


def _turns(rng: random.Random, recipes: Sequence[Recipe], split: Split) -> Iterator[Choice]:
    """Recipes without end, each kind of evidence in turn and each recipe once before any comes again, then in another of its ways."""
    kinds: dict[str, list[Recipe]] = {}
    for recipe in rng.sample(recipes, len(recipes)):
        kinds.setdefault(recipe.kind, []).append(recipe)
    order = [
        recipe
        for turn in range(max(len(group) for group in kinds.values()))
        for group in kinds.values()
        for recipe in group[turn : turn + 1]
    ]
    first = {recipe.slug: rng.randrange(100) for recipe in order}
    turn = 0
    while True:
        for recipe in order:
            ways = [way for way in recipe.ways if way.split == split]
            way = ways[(first[recipe.slug] + turn) % len(ways)]
            yield Choice(recipe, way, False, f"{recipe.slug}/{turn}")
        turn += 1


# --- kinds and lengths


def kinds_left(documents: int, taken: Counter[str]) -> list[FileKind]:
    """The kinds that papers still to be made must have, so that the room comes as near to the mix as it can; the commonest first."""
    left = max(0, documents - sum(taken.values()))
    wanted = {kind: max(0.0, share * documents - taken[kind]) for kind, share in MIX.items()}
    whole = sum(wanted.values()) or 1.0
    shares = {kind: left * amount / whole for kind, amount in wanted.items()}
    counts = {kind: int(share) for kind, share in shares.items()}
    for kind in sorted(shares, key=lambda kind: counts[kind] - shares[kind])[: left - sum(counts.values())]:
        counts[kind] += 1
    return [kind for kind, count in counts.items() for _ in range(count)]


_MEANS = {
    "contract": 120_000,
    "report": 108_000,
    "policy": 100_000,
    "minutes": 44_000,
    "letter": 7_000,
    "accounts": 70_000,
}
_BOOK_MEANS = {"xlsx": 56_000, "eml": 4_000, "pptx": 6_000, "txt": 36_000, "scan": 4_000}
_SKEW = 0.6


def characters(preset: str, kind: str, of: str, rng: random.Random) -> int:
    """How long a paper should be: a few pages, or in a full room what real ones are, skewed, 64,000 characters on average.

    `of` is the kind of its running text, "" where it has none."""
    if preset == "desk":
        return rng.randrange(1000, 3000)
    if preset == "small":
        return rng.randrange(4000, 12_000) if kind not in ("eml", "pptx", "scan") else rng.randrange(1200, 3000)
    mean = _BOOK_MEANS.get(kind) or _MEANS.get(of, 4000)
    drawn = mean * math.exp(rng.gauss(0, _SKEW) - _SKEW**2 / 2)
    return round(min(6 * mean, max(mean / 5, drawn)))
