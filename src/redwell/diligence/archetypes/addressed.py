"""Words by which a document addresses whoever reads it for someone else: a reviewer, a program, a language model.

Standard library only: the same rules work in the embedded reader and, whatever a model answers, in the sandbox.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

MOST = 5  # stretches of one text: more say the same again
REACH = 300  # characters about a telling word
MAX_QUOTE, SHORTEST = 500, 12

_THINGS = r"(?:instruction|prompt|document|rule|finding|direction|context|guideline|task|question)s?"
_FLAWS = r"(?:issues?|findings?|risks?|problems?|red flags?|concerns?|exceptions?)"
LITERALS = (
    "ignore", "disregard", "forget", "overrid", "automated", "language model", "llm", "chatbot", "copilot", "reviewer", "reviewing", "assistant", " ai ", " ai,", " ai:", "ai s",
    "no issue", "no finding", "no risk", "no problem", "no red flag", "no concern", "no exception", "zero ", "nothing to report", "finding", "instructed to", "is clean", "free of",
    "not report", "not mention", "not flag", "not disclose", "not summari", "n't report", "n't mention", "n't flag", "never ", "system prompt", "new instruction", "you are ",
    "system:", "system message", "system note", "assistant:", "developer:", "<|", "inst]", "sys>>", "_of_turn>", "<system", "</system", "tool_", "function_call", "<invoke", "⟪",
    '"findings"', '"python"', '"role"', "submit()", "report.", "ask_many(", "dispatch(", "redwell",
)  # fmt: skip
"""A text without any of these, in any case, addresses no one: most texts are told by them, since looking for words is fast."""

_ADDRESSES = (
    rf"(?:ignore|disregard|forget|override)\b[^.;]{{0,60}}\b(?:previous|prior|above|other|all|any|earlier|preceding|your|these|the)\b[^.;]{{0,60}}\b{_THINGS}\b",
    r"\b(?:note|notice|message|instructions?|attention|reminder|request)\b[^.;]{0,30}\b(?:to|for)\b[^.;]{0,30}\b(?:automated|ai\b|llm|language model|reviewing (?:agent|model|software)|reviewers?|assistant|chatbot|bot\b)",
    r"\b(?:reviewers?|assistants?|language models?|(?:ai|automated|reviewing) (?:systems?|tools?|models?|agents?|assistants?)|ais?)\b[^.;]{0,60}\b(?:must|should|shall|are instructed to|is instructed to|are (?:asked|required) to)\b[^.;]{0,60}\b(?:not (?:report|mention|flag|disclose|list)|ignore|omit|skip|conclude|state|say|rate|classify|mark)",
    r"\b(?:do not|don't|never)\b[^.;]{0,30}\b(?:report|mention|flag|disclose|summari[sz]e)\b[^.;]{0,60}\b(?:this|these|any|the following|issue|document|clause)[^.;]{0,60}(?:in your|to the (?:user|buyer)|as (?:a |an )?(?:issue|risk|finding))",
    r"state that no (?:issues|risks|problems) (?:were|was|are)|\byou are (?:now )?(?:an? )?(?:ai\b|language model|helpful assistant)|\bsystem prompt\b|\bnew instructions? (?:for|to) (?:the |any )?(?:reader|reviewer|model|assistant|ai)\b",
    rf"(?:^|[.;:!,\n*>]\s*|\b(?:please|must|should|and|then|just|only|simply|to)\s+)(?:report|return|output|answer|respond with|conclude|list)\s+(?:that there (?:are|were) )?(?:no|zero)\s+(?:[a-z-]+ )?{_FLAWS}\b",
    rf"\b(?:this|the) (?:document|file|agreement|contract|folder|data room)\b[^.;]{{0,40}}\b(?:reviewed|checked|cleared|approved|verified|vetted)\b[^.;]{{0,30}}\b(?:clean|no {_FLAWS}|nothing to report|free of)\b",
    r"\b(?:add|insert|create|raise|fabricate|append)\s+(?:a|an|the|this|another|one more)\s+(?:[a-z]+ )?finding\b",
    r"(?:^|\n)\W{0,4}(?-i:SYSTEM|ASSISTANT|DEVELOPER|System|Assistant)(?: (?:prompt|message|note))?\s*:[^\n]{0,160}\b(?:you|your|ignore|report|findings?|answer|respond|output|reviewers?|approve|clean)\b",
    r"<\|[a-z_]{3,24}\|>|\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>|</?(?:system|tool_calls?|tool_use|function_calls?|invoke)(?: [^>]{0,40})?>",
    r"⟪\s*[0-9a-f]{6,}\s|\{\s*\"findings\"\s*:\s*\[|\"(?:tool_calls?|function_call)\"\s*:|\"name\"\s*:\s*\"python\"|\"role\"\s*:\s*\"(?:system|assistant|tool|developer)\"",
    r"\b(?:submit\(\)|report\.(?:add|none_found|unread|remove)\(|ask_many\(|dispatch\()",
    r"\bredwell\b[^.;\n]{0,40}\b(?:host|harness|frame|system|root|sub-agent|must|should|shall|ignore|report no)\b",
)  # fmt: skip
_TELLING = re.compile("|".join(map(re.escape, LITERALS)), re.IGNORECASE)
_TELLS = re.compile("|".join(_ADDRESSES), re.IGNORECASE)
ADDRESSES = "|".join(_ADDRESSES)
"""For RE2, in any case: only a text that this matches, or VEILED, is worth a closer look."""
VEILED = (
    r"\p{L}[\x{ad}\x{200b}-\x{200f}\x{202a}-\x{202e}\x{2060}-\x{2069}\x{feff}]+\p{L}|\p{Latin}[\p{Cyrillic}\p{Greek}]|[\p{Cyrillic}\p{Greek}]\p{Latin}"
    r"|[\x{ff21}-\x{ff3a}\x{ff41}-\x{ff5a}]{2}|[\x{e0020}-\x{e007f}]"
)
"""For RE2: letters that look like others, stand in the tags block, or have something without width between them."""
_EDGE = re.compile(r"[.;!?]\s|\n")
_WIDTHLESS = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_VEILS = re.compile(
    "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u0370-\u052f\uff01-\uff5e\U000e0020-\U000e007f]"
)
_LIKE = str.maketrans(
    "аеорсухіјѕԁһԛԝАВЕКМНОРСТУХІЈЅαορνΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeopcyxijsdhqwABEKMHOPCTYXIJSaopvABEZHIKMNOPTYX"
)


def addressed(text: str) -> list[tuple[int, int]]:
    """The stretches of a text that address its reader, as (start, end): whole sentences or lines, in order, at most MOST."""
    plain, places = _unveiled(text)
    lowered = plain.lower()
    if not any(word in lowered for word in LITERALS):
        return []
    found: list[tuple[int, int]] = []
    for word in _TELLING.finditer(plain):
        if found and word.end() <= found[-1][1]:
            continue
        last = found[-1][1] if found else 0
        match = _TELLS.search(plain, max(last, word.start() - REACH), min(len(plain), word.end() + REACH))
        if match is None:
            continue
        begin = match.start() + len(match[0]) - len(match[0].lstrip())
        found.append(_sentence(plain, begin, match.end(), last))
        if len(found) == MOST:
            break
    if places is None:
        return found
    return [(places[start], places[end - 1] + 1) for start, end in found]


def in_name(path: str) -> bool:
    """Whether a file's path addresses its reader: in names, dashes and underscores stand for spaces."""
    words = re.sub(r"[_\s-]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", path))
    return any(addressed(part) for part in (path, *re.split(r"[/!]", words)))


def in_metadata(metadata: dict[str, str]) -> dict[str, str]:
    """The entries of what a file says of itself that address its reader."""
    return {name: value for name, value in metadata.items() if addressed(value) or addressed(name)}


def _sentence(text: str, start: int, end: int, least: int) -> tuple[int, int]:
    """The sentence or line about a match, cut between words when it is long."""
    before = [edge.end() for edge in _EDGE.finditer(text, max(least, start - MAX_QUOTE // 2), start)]
    begin = before[-1] if before else max(least, start - MAX_QUOTE // 2)
    if not before and begin > least:
        begin = text.find(" ", begin, start) + 1 or start
    edge = _EDGE.search(text, end, min(len(text), end + MAX_QUOTE // 2))
    stop = edge.start() + 1 if edge else min(len(text), end + MAX_QUOTE // 2)
    if edge is None and stop < len(text):
        stop = max(end, text.rfind(" ", end, stop))
    if stop - begin < SHORTEST:
        begin, stop = max(least, begin - MAX_QUOTE // 4), min(len(text), stop + MAX_QUOTE // 4)
    while stop < len(text) and text[stop - 1].isalnum() and text[stop].isalnum():
        stop += 1  # a quote does not end within a word
    while begin > least and text[begin - 1].isalnum() and text[begin].isalnum():
        begin -= 1
    stretch = text[begin:stop]
    return begin + len(stretch) - len(stretch.lstrip()), begin + len(stretch.rstrip())


def _unveiled(text: str) -> tuple[str, Sequence[int] | None]:
    """The text as a reader sees or a program may take it: widthless characters gone, letters that look like Latin ones as those,
    tag characters as the letters they stand for; and for each character its place in the text given (None when it is the same)."""
    if text.isascii() or not _VEILS.search(text):
        return text, None
    kept: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text.translate(_LIKE)):
        if letter.isascii():
            pass
        elif _WIDTHLESS.match(letter):
            continue
        elif "\U000e0020" <= letter <= "\U000e007e":
            letter = chr(ord(letter) - 0xE0000)
        elif "\uff01" <= letter <= "\uff5e" or letter == "\xa0":
            letter = unicodedata.normalize("NFKC", letter)
        kept.append(letter)
        places.append(place)
    return "".join(kept), places
