"""Running text out of a folder of the user's: real agreements or forms, under a licence that lets them be passed on."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path

from redwell.bench.generate.papers import Block, Clause, Para
from redwell.diligence import reader
from redwell.room.formats.encoding import decode
from redwell.room.formats.read import read_file
from redwell.room.types import Unreadable

_LICENCES = re.compile(r"(?:licen[cs]e|copying|notice|terms)[\w.-]*|metadata\.ya?ml", re.IGNORECASE)
_TEXTS = (".txt", ".docx")
_NUMBER = re.compile(r"^(?:(?:ARTICLE|Article|SECTION|Section)\s+)?(?:\(?[\dA-Za-z]{1,4}(?:\.\d+)*[.)]\s*|[IVX]+\.\s+)")
_HEADED = re.compile(r"^([A-Z][A-Za-z ,/&’'-]{3,60})\.\s+(?=[A-Z])")
_FEWEST, _MOST = 80, 4_000  # characters of a paragraph that is taken
_WORDS = {
    "assignment": ("assign", "transfer", "successor"),
    "control": ("control", "merger", "merge", "acquisition", "ownership", "majority"),
    "term": ("initial term", "renew", "expire"),
    "termination": ("terminat", "cancel"),
    "exclusivity": ("exclusiv", "sole "),
    "pricing": ("price", "fee", "rate"),
    "liability": ("liab", "indemn", "damages"),
    "confidentiality": ("confiden", "secret"),
    "ip": ("intellectual", "patent", "copyright", "trademark", "licen"),
    "insurance": ("insur",),
    "privacy": ("personal data", "privacy"),
    "employment": ("employ", "severance", "salary"),
    "payment": ("payment", "pay ", "invoice"),
    "law": ("governed by", "governing law", "jurisdiction"),
    "notices": ("notice",),
}
_NEVER = re.compile(
    r"consent|approv|exclusiv|most favou?red|unlimited|lien|lawsuit|litigation|change (?:of|in) control|exhibit|schedule|annex|draft|"
    r"\$ ?\d|\bUSD\b|/s/|\bBy:|_{4}|\bEBITDA\b|\brevenue|in witness whereof|[\[\]{}]",
    re.IGNORECASE,
)
"""What running text never says, wherever it is from."""


class FillerError(Exception):
    """A folder of running text that cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Source:
    """Paragraphs of the user's that hold nothing an issue could be made of, with the files that they are from and their licence."""

    folder: Path
    texts: tuple[tuple[str, ...], ...]
    files: tuple[str, ...]
    licence: str

    @classmethod
    def open(cls, folder: Path) -> Source:
        """Reads every .txt and .docx below the folder. Raises FillerError when there is none, or no licence file (LICENSE, or the
        metadata.yaml of a form) with them."""
        if not folder.is_dir():
            raise FillerError(f"{folder}: no such folder; give one with agreements as .txt or .docx and their licence")
        found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
        licences = [path for path in found if _LICENCES.fullmatch(path.name)]
        if not licences:
            raise FillerError(
                f"{folder}: there is no licence file; put a LICENSE beside the texts, so that the room can say whose they are"
            )
        texts, files = [], []
        for path in found:
            if path.suffix.lower() not in _TEXTS or path in licences:
                continue
            kept = _benign(_text(path))
            if kept:
                texts.append(kept)
                files.append(path.relative_to(folder).as_posix())
        if not texts:
            raise FillerError(f"{folder}: no .txt or .docx in it holds a paragraph that can be used as running text")
        licence = "\n\n".join(
            f"{path.relative_to(folder).as_posix()}\n{decode(path.read_bytes()).text.strip()[:20_000]}"
            for path in licences
        )
        return cls(folder, tuple(texts), tuple(files), licence)

    def stretch(self, rng: random.Random, characters: int, silent: frozenset[str]) -> list[Block]:
        """About so many characters in a row out of one text, then of the next, without paragraphs that speak of a topic to avoid."""
        words = tuple(word for topic in silent for word in _WORDS.get(topic, (topic,)))
        blocks: list[Block] = []
        left = characters
        for _ in range(4 * len(self.texts) + 4):
            text = self.texts[rng.randrange(len(self.texts))]
            for paragraph in text[rng.randrange(len(text)) :]:
                low = paragraph.lower()
                if any(word in low for word in words):
                    continue
                blocks.append(_block(paragraph))
                left -= len(paragraph)
                if left <= 0:
                    return blocks
        return blocks


def notices(source: Source) -> str:
    """The text of a room's NOTICES.txt: which files its running text was drawn from, and their licence."""
    listed = "\n".join(f"- {name}" for name in source.files)
    return (
        "The running text of documents in this room was drawn from the files listed here. Paragraphs were taken out of their order and "
        f"numbered anew.\n\n{listed}\n\nLicence\n\n{source.licence}\n"
    )


def _text(path: Path) -> str:
    """The paragraphs of a file, with empty lines between them. Raises FillerError."""
    data = path.read_bytes()
    if path.suffix.lower() == ".txt":
        return decode(data).text
    try:
        return "\n\n".join(unit.text for unit in read_file(data, path.name).views["final"])
    except Unreadable as error:
        raise FillerError(f"{path}: it cannot be read: {error.reason}; take it out of the folder") from None


def _block(paragraph: str) -> Block:
    head = _HEADED.match(paragraph)
    return Clause(head[1], paragraph[head.end() :]) if head else Para(paragraph)


def _flagged(text: str) -> list[str]:
    """What the embedded reader quotes of a text for an issue."""
    return [
        quote["text"]
        for finding in reader.read_text(text, path="text.docx")
        if not finding["kind"].startswith("fact:")
        for quote in finding["quotes"]
    ]


def _benign(text: str) -> tuple[str, ...]:
    """The paragraphs of a text that say nothing which the embedded reader, or a lawyer, would stop at."""
    kept = []
    folded = [" ".join(quote.split()) for quote in _flagged(text)]
    for raw in re.split(r"\n\s*\n", text):
        whole = " ".join(raw.split())
        paragraph = _NUMBER.sub("", whole)
        if not _FEWEST <= len(paragraph) <= _MOST or not paragraph[:1].isupper() or paragraph[-1:] not in ".;":
            continue
        if _NEVER.search(paragraph) or sum(letter.isupper() for letter in paragraph) > len(paragraph) / 3:
            continue
        if any(quote in whole or whole in quote for quote in folded if quote):
            continue
        paragraph = paragraph.rstrip(";") + ("." if paragraph.endswith(";") else "")
        if not _flagged(f"1. {paragraph}"):  # as it will stand, away from what was around it
            kept.append(paragraph)
    return tuple(kept)
