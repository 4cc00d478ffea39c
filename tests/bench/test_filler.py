"""Running text: long, various, silent where it must be, and with nothing in it that a reader would stop at."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from redwell.bench.generate import filler
from redwell.bench.generate.filler import Kind, Of, Source, notices, paragraphs
from redwell.bench.generate.filler_library import SLOTS, library
from redwell.bench.generate.filler_source import FillerError
from redwell.bench.generate.papers import Block, Clause, Heading, Para
from redwell.diligence.archetypes.catalogue import BY_ID
from redwell.diligence.reader import read_text

KINDS: tuple[Kind, ...] = (*get_args(Of), "employment", "lease", "credit", "cover")
TOPICS = {
    "confidentiality": ("confiden", "secrecy", "in secret"),
    "insurance": ("insur",),
    "payment": ("undisputed",),
    "termination": ("good cause", "terminate an order"),
    "privacy": ("personal data",),
    "law": ("internal laws", "mediation"),
    "notices": ("registered mail", "overnight courier"),
    "assignment": ("successor",),
}


def text_of(blocks: list[Block]) -> str:
    out = []
    number = 0
    for block in blocks:
        if isinstance(block, Clause):
            number += 1
            out.append(f"{number}. {block.heading}. {block.text}")
            out += [f"({chr(97 + n)}) {sub}" for n, sub in enumerate(block.sub)]
        elif isinstance(block, Heading | Para):
            out.append(block.text)
    return "\n\n".join(out)


def drawn(of: Kind, seed: object, characters: int, avoid: tuple[str, ...] = (), **given: object) -> list[Block]:
    return paragraphs(random.Random(f"{of}/{seed}"), of, characters, avoid, (f"Alpha {seed}", "Beta"), **given)  # type: ignore[arg-type]


def is_issue(kind: str) -> bool:
    """Facts are none, nor are the kinds that are only evidence for checks across papers (a relief, a promise)."""
    return not kind.startswith("fact:") and not BY_ID[kind].support


@pytest.mark.parametrize("of", KINDS)
def test_the_embedded_reader_finds_no_issue_in_it(of: Kind):
    found = Counter(
        finding["kind"]
        for seed in range(3)
        for finding in read_text(text_of(drawn(of, seed, 64_000)), path=f"{of}.docx")
        if is_issue(finding["kind"])
    )
    assert not found


@pytest.mark.parametrize("of", KINDS)
@pytest.mark.parametrize("characters", [300, 5_000, 64_000])
def test_it_is_about_as_long_as_was_asked(of: Kind, characters: int):
    length = len(text_of(drawn(of, "length", characters)))
    assert 0.45 * characters < length < 1.25 * characters + 1_500


@pytest.mark.parametrize("of", KINDS)
def test_the_same_seed_gives_the_same_text_and_another_seed_another(of: Kind):
    assert drawn(of, 1, 8_000) == drawn(of, 1, 8_000)
    one, other = (set(text_of(drawn(of, seed, 20_000)).split("\n\n")) for seed in (1, 2))
    long = {text for text in one if len(text) > 120}
    assert len(long & other) <= 0.1 * len(long)


@pytest.mark.parametrize("of", KINDS)
def test_a_long_paper_hardly_repeats_itself(of: Kind):
    texts = [text for text in text_of(drawn(of, "again", 64_000)).split("\n\n") if len(text) > 120]
    assert len(set(texts)) > 0.97 * len(texts)


@pytest.mark.parametrize(("topic", "words"), TOPICS.items())
def test_it_is_silent_on_a_topic_to_avoid(topic: str, words: tuple[str, ...]):
    loud = "".join(text_of(drawn("contract", seed, 60_000)) for seed in range(4)).lower()
    silent = "".join(text_of(drawn("contract", seed, 60_000, (topic,))) for seed in range(4)).lower()
    assert any(word in loud for word in words)
    assert not any(word in silent for word in words)


def test_one_paper_has_each_clause_once_over_several_stretches():
    used: set[str] = set()
    rng = random.Random(3)
    stretches = [paragraphs(rng, "contract", 12_000, (), ("A", "B"), used=used) for _ in range(4)]
    firsts = Counter(
        block.text.split(":")[0][:60] for blocks in stretches for block in blocks if isinstance(block, Clause)
    )
    assert firsts.most_common(1)[0][1] == 1


def test_both_sides_are_called_the_same_in_each_stretch_of_a_paper():
    for parties in (("A", "B"), ("C", "D"), ("E", "F")):
        text = " ".join(text_of(paragraphs(random.Random(n), "contract", 9_000, (), parties)) for n in range(3))
        called = {role for pair in filler.ROLES for role in pair if re.search(rf"\b{role}\b", text)} - {"Contractor"}
        assert any(called <= set(pair) for pair in filler.ROLES)


@pytest.mark.parametrize("of", KINDS)
def test_no_slot_or_choice_is_left_open_and_no_risky_word_stands_in_it(of: Kind):
    text = text_of(drawn(of, "open", 300_000))
    assert not re.search(r"[\[\]<>|{}\x00-\x09\x0b-\x1f]|  |\.\.| [,.;]", text)
    risky = r"\b(?:consents?|exclusiv\w*|change of control|lien|lawsuit|most favou?red|ebitda|revenues?|uncapped|unlimited|exhibit|schedule [A-Z\d])\b"
    assert re.findall(risky, text, re.IGNORECASE) == []


def test_lists_follow_the_words_that_open_them():
    for block in drawn("contract", "lists", 60_000):
        assert isinstance(block, Clause)
        assert bool(block.sub) == block.text.endswith(":")
        assert not block.sub or block.sub[-1].endswith(".")


def test_every_topic_is_one_that_papers_know():
    known = {
        "assignment",
        "control",
        "term",
        "termination",
        "exclusivity",
        "pricing",
        "liability",
        "confidentiality",
        "ip",
        "insurance",
        "privacy",
        "employment",
        "payment",
        "law",
        "notices",
        "loose",
    }
    for of in KINDS:
        found = library(of)
        assert found.once or found.again
        for piece in (*found.once, *found.again):
            assert piece.topics <= known
            assert any(piece.paragraphs)
    assert all(SLOTS.values())


@pytest.mark.parametrize(
    ("of", "folder", "suits"),
    [
        ("contract", "9.1", "employment"),
        ("contract", "11.3", "lease"),
        ("contract", "4.1", "credit"),
        ("contract", "13.1", "cover"),
        ("contract", "6.1", "contract"),
        ("contract", "1.1", "contract"),
        ("minutes", "9.4", "minutes"),
    ],
)
def test_a_contract_speaks_of_what_its_folder_holds(of: Of, folder: str, suits: Kind):
    assert filler.suited(of, folder) == suits


def test_a_meeting_is_opened_first_and_closed_last():
    headings = [block.text for block in drawn("minutes", "order", 9_000) if isinstance(block, Heading)]
    assert headings[0] in ("Opening", "Opening and Quorum", "Call to Order")
    assert headings[-1] in ("Any Other Matter", "Other Matters")


def test_nothing_is_wanted_and_nothing_comes():
    assert drawn("contract", 0, 0) == []


def test_a_folder_without_a_licence_or_without_texts_is_refused(tmp_path: Path):
    with pytest.raises(FillerError, match="no such folder"):
        Source.open(tmp_path / "none")
    (tmp_path / "a.txt").write_text(
        "The parties shall keep the premises in good order and repair, ordinary wear and tear excepted, at all times."
    )
    with pytest.raises(FillerError, match="no licence file"):
        Source.open(tmp_path)
    (tmp_path / "LICENSE").write_text("Free to use.")
    source = Source.open(tmp_path)
    assert source.files == ("a.txt",)
    (tmp_path / "a.txt").write_text("Too short.")
    with pytest.raises(FillerError, match=r"no \.txt or \.docx in it"):
        Source.open(tmp_path)
    (tmp_path / "broken.docx").write_bytes(b"PK\x03\x04 no zip at all")
    with pytest.raises(FillerError, match=r"broken\.docx: it cannot be read: .+; take it out of the folder"):
        Source.open(tmp_path)


def test_a_folder_s_paragraphs_that_matter_are_passed_over(tmp_path: Path):
    kept = (
        "The parties shall keep the premises in good order and repair, ordinary wear and tear excepted, at all times."
    )
    insured = "Tenant shall insure its property on the premises against fire and other usual risks during the whole of the period."
    flagged = "Supplier shall not assign this Agreement to anyone without the other party agreeing to it in writing beforehand."
    (tmp_path / "LICENSE.txt").write_text("Creative Commons.")
    (tmp_path / "lease.txt").write_text(f"1. {kept}\n\n2. {insured}\n\n3. {flagged} {kept}\n")
    source = Source.open(tmp_path)
    assert source.texts == ((kept, insured),)
    blocks = paragraphs(random.Random(1), "contract", 300, ("insurance",), (), source)
    assert {block.text for block in blocks if isinstance(block, Para)} == {kept}
    assert "lease.txt" in notices(source)
    assert "Creative Commons." in notices(source)


SHARED = Path(__file__).parents[3] / "shared" / "data"


@pytest.mark.parametrize("name", ["edgar_agreements", "templates"])
def test_real_agreements_serve_as_running_text(name: str):
    folder = SHARED / name
    if not folder.is_dir():
        pytest.skip("the collection of real agreements is not beside the checkout")
    source = Source.open(folder)
    blocks = drawn("contract", name, 30_000, ("assignment", "termination"), source=source)
    text = text_of(blocks)
    assert len(text) > 25_000
    assert not re.search("terminat|assign", text, re.IGNORECASE)
    issues = [finding["kind"] for finding in read_text(text) if is_issue(finding["kind"])]
    assert issues == []
    assert "CC" in notices(source) or "Creative Commons" in notices(source)
