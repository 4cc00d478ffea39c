"""The text of documents in a prompt: fenced with a tag that the text cannot contain, its hidden stretches marked.

A fenced text looks like this (the tag is made from the content, so it is the same whenever the same slices are sent):

    ⟪3f9c2a7b begin: 1 document⟫
    ⟪3f9c2a7b document 1: "contracts/msa.docx", id 8b1f03c2a9d4, characters 0 to 24 of 24⟫
    Either party may assign.
    ⟪3f9c2a7b end of document 1⟫
    ⟪3f9c2a7b end⟫

Nothing inside is escaped, so a quote copied from it is a quote of the document; `unfence` gives back exactly what went in.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

TAG_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Slice:
    """A stretch of one document in a prompt. `number` is how the prompt calls the document, from 1; `start` is where `text`
    begins in the document of `total` code points; `hidden` are the stretches of `text` (offsets into it) that a reader of the
    original would not see. `name` says which text it is, wholly and in a way that no document can know of itself (the SHA-256 of its bytes
    with the place in it); the tag is then made from that, which is quicker than from the text."""

    number: int
    document: str
    path: str
    start: int
    text: str
    total: int
    hidden: tuple[tuple[int, int], ...] = ()
    name: str = field(default="", compare=False)

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def fence(slices: Sequence[Slice]) -> str:
    """One fenced text of all slices, in order. Stretches in `hidden` must be ordered, not empty and not overlap."""
    return "".join(fence_parts(slices))


def fence_parts(slices: Sequence[Slice]) -> list[str]:
    """What `fence` joins, for whoever puts more after it: long texts are then copied once. A slice without hidden stretches is a part of its
    own, the very string that was given."""
    tag = _tag(slices)
    parts = [f"⟪{tag} begin: {len(slices)} document{'' if len(slices) == 1 else 's'}⟫\n"]
    for piece in slices:
        parts.append(
            f"⟪{tag} document {piece.number}: {quoted(piece.path)}, id {_quoted_id(piece.document)}, "
            f"characters {piece.start} to {piece.end} of {piece.total}⟫\n"
        )
        parts.extend(_marked(piece, tag))
        parts.append(f"\n⟪{tag} end of document {piece.number}⟫\n")
    parts.append(f"⟪{tag} end⟫")
    return parts


def marked_output(title: str, sections: Sequence[tuple[str, str]]) -> str:
    """What a cell printed, between lines with a tag that is not in it, so that no output can pass for the harness's own words.
    `sections` are (name, text)."""
    texts = [text for _, text in sections]
    tag = unused_tag("\0".join(texts), texts)
    body = "".join(f"⟪{tag} {name}⟫\n{text.rstrip()}\n" for name, text in sections)
    return f"⟪{tag} {title}⟫\n{body}⟪{tag} end⟫"


def quoted(name: str) -> str:
    """A name from outside as JSON has it, on one line: whatever is no plain letter is an escape, so that it draws nothing."""
    written = json.dumps(name, ensure_ascii=False)
    if written.isprintable():
        return written
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in written)


def unfence(text: str) -> list[Slice]:
    """The slices of a text that `fence` made, wherever it stands in `text`. Raises ValueError when there is none, or it is cut."""
    return split(text)[0]


def split(text: str) -> tuple[list[Slice], str]:
    """The slices, and what follows the fenced text (in a sub-agent's request: the question)."""
    opening = re.search(rf"⟪([0-9a-f]{{{TAG_DIGITS}}}) begin: (\d+) documents?⟫\n", text)
    if opening is None:
        raise ValueError("there is no fenced text here")
    tag, count = opening.group(1), int(opening.group(2))
    head = re.compile(
        rf'⟪{tag} document (\d+): ("(?:[^"\\]|\\.)*"), id ("(?:[^"\\]|\\.)*"|[0-9a-f]+), characters (\d+) to (\d+) of (\d+)⟫\n'
    )
    slices = []
    position = opening.end()
    for _ in range(count):
        header = head.match(text, position)
        if header is None:
            raise ValueError("the fenced text is damaged: a document's header is missing")
        number = int(header.group(1))
        closing = f"\n⟪{tag} end of document {number}⟫\n"
        end = text.find(closing, header.end())
        if end < 0:
            raise ValueError(f"the fenced text is cut within document {number}")
        shown, hidden = _unmarked(text[header.end() : end], tag)
        identity = header.group(3)
        slices.append(
            Slice(
                number=number,
                document=json.loads(identity) if identity.startswith('"') else identity,
                path=json.loads(header.group(2)),
                start=int(header.group(4)),
                text=shown,
                total=int(header.group(6)),
                hidden=hidden,
            )
        )
        position = end + len(closing)
    ending = f"⟪{tag} end⟫"
    if not text.startswith(ending, position):
        raise ValueError("the fenced text is cut after its last document")
    return slices, text[position + len(ending) :]


def _tag(slices: Sequence[Slice]) -> str:
    """The first digits of a hash of the content that stand after no bracket in it: no document can know or write its own tag."""
    made_from: list[str] = []
    shown: list[str] = []
    for piece in slices:
        about = [str(piece.number), piece.document, piece.path, str(piece.start), str(piece.total)]
        made_from += [*about, piece.name or piece.text]
        shown += [*about, piece.text]
    return unused_tag("\0".join(made_from), shown)


def unused_tag(text: str, shown: Sequence[str]) -> str:
    """A tag made from the text that stands after no bracket in what is shown."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass"))
    tag = digest.hexdigest()[:TAG_DIGITS]
    # A tag without its bracket opens and closes nothing, and the bracket is found, or not, in a thirtieth of the time.
    while any("⟪" in part and f"⟪{tag}" in part for part in shown):
        digest.update(b".")
        tag = digest.hexdigest()[:TAG_DIGITS]
    return tag


def _quoted_id(identity: str) -> str:
    return identity if re.fullmatch(r"[0-9a-f]+", identity) else quoted(identity)


def _marked(piece: Slice, tag: str) -> Iterator[str]:
    if not piece.hidden:
        yield piece.text
        return
    position = 0
    for start, end in piece.hidden:
        yield piece.text[position:start]
        yield f"⟪{tag} hidden⟫{piece.text[start:end]}⟪{tag} visible⟫"
        position = end
    yield piece.text[position:]


def _unmarked(text: str, tag: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    shown: list[str] = []
    hidden: list[tuple[int, int]] = []
    length = 0
    for index, part in enumerate(re.split(rf"⟪{tag} (?:hidden|visible)⟫", text)):
        if index % 2:
            hidden.append((length, length + len(part)))
        shown.append(part)
        length += len(part)
    return "".join(shown), tuple(hidden)
