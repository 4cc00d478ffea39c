"""What a document refers to: exhibits and schedules, other agreements by date, and which exhibits it holds itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.families import CONTRACTS
from redwell.diligence.clauses import Paragraph, clean, quote

_LABEL = r"(?:Exhibit|Schedule|Annex|Appendix|Attachment|EXHIBIT|SCHEDULE|ANNEX|APPENDIX|ATTACHMENT)"
_NUMBER = r"(?:[A-Z]{1,2}(?:-?\d{1,2})?|\d{1,2}(?:\.\d{1,2})*(?:\([a-z]\))?|[IVX]{1,4})"
_MENTION = re.compile(rf"\b(?P<label>{_LABEL})\s+[\"“]?(?P<number>{_NUMBER})\b[\"”]?(?=(?P<after>[^.;]{{0,80}}))")
_ATTACHED = re.compile(
    r"attached|annexed|set forth (?:in|on)|hereto|incorporated|as (?:described|specified|listed|set out) (?:in|on)|see ",
    re.IGNORECASE,
)
_HEADING = re.compile(rf"^[#\s*_|“\"]*(?P<label>{_LABEL})\s+[\"“]?(?P<number>{_NUMBER})\b(?P<after>.{{0,80}})")
_AGREEMENT = re.compile(
    r"(?P<title>Agreement and Plan of (?:Merger|Reorgani[sz]ation|Conversion|Liquidation)|(?:[A-Z][\w’'&-]*,? (?:and |of |for |the )?){1,7}(?:Agreement|Lease|Indenture|Contract|Addendum|Plan|Note|Guaranty|Letter))\b"
    r"(?P<middle>[^.;]{0,160}?)\b(?:dated|executed|entered into|made|effective)\b(?P<date>[^.;]{0,60})"
)
_DATED = re.compile(r"\b(?:dated|executed|entered\s+into|made|effective)\b[^.;]{0,60}\d")
"""What `_AGREEMENT` needs: asked first, because it is cheap."""
_NAMED = re.compile(
    r"\b(?:[Uu]nder|[Pp]ursuant to|[Ii]n accordance with|described in|set (?:out|forth) in|specified in|adopted|approved) (?:the |its |our |[A-Z]\w+[’']s )?"
    r"(?P<title>(?:\d{4} )?(?:[A-Z][a-z]+ (?:of |and |& )?){1,5}(?:Policy|Plan)|Statement of Work No\.? ?\d[\w-]*)(?![\w’'-])"
)
"""A policy, plan or statement of work that is called by its name."""
_BY_NAME = re.compile(r"\d{4} |(?:Equity|Stock|Option|Share|Bonus|Retention|Severance) |Statement of Work")
_FILE = re.compile(r"[\w-]{3,80}\.(?:pdf|docx?|xlsx?|pptx?|msg|eml)\b", re.IGNORECASE)


def references(
    text: str, found: list[Paragraph], family: str = ""
) -> Iterator[tuple[str, str, dict[str, Any], list[str]]]:
    """`fact:exhibits` (mentioned as attached, and held) and one `fact:reference` for each other agreement (`title` and `date`), file (`file`),
    and policy, plan or statement of work (`title` and `named`) that is referred to."""
    mentioned: dict[str, str] = {}
    held: set[str] = set()
    seen: set[str] = set()
    for paragraph in found:
        raw = paragraph.raw
        heading = _HEADING.match(raw)
        if (
            heading
            and (len(raw) < 200 or raw.lstrip().startswith("#") or "\n" in raw[:120])
            and not re.search(r"\.{4}|(?:\s{2,}|\t)\d+\s*$", heading["after"])
        ):
            held.add(_name(heading))
        if "xhibit" in raw or "chedule" in raw or "nnex" in raw or "ppendix" in raw or "ttachment" in raw:
            for match in _MENTION.finditer(raw):
                around = raw[max(0, match.start() - 60) : match.end("after")]
                name = _name(match)
                if (
                    name not in mentioned
                    and re.search(r"attached|annexed|hereto", around, re.IGNORECASE)
                    and (heading is None or match.start() > 20)
                ):
                    mentioned[name] = quote(_sentence(raw, match.start()), match[0][:60])
        if ("greement" in raw or "ease" in raw or "ontract" in raw or "ddendum" in raw) and _DATED.search(raw):
            for match in _AGREEMENT.finditer(clean(raw)) if len(raw) < 8_000 else ():
                dated = words.dates(match["date"])
                title = re.sub(r"(?<=\w)- (?=\w)", "-", match["title"])
                title = re.sub(
                    r"^(?:(?:The|This|That|Certain|An?|Each|Such|Any|Under|In|If|Whereas|WHEREAS) )+",
                    "",
                    title,
                ).strip()
                key = f"{title.casefold()} {dated[0] if dated else ''}"
                if (
                    dated
                    and key not in seen
                    and len(title) > 8
                    and len(seen) < 12
                    and not match["title"].startswith("This ")
                ):
                    seen.add(key)
                    yield (
                        "fact:reference",
                        f"refers to {title} of {dated[0].isoformat()}",
                        {"title": title, "date": dated[0].isoformat(), "middle": match["middle"].strip()[:120]},
                        [quote(raw, match["date"].strip()[:40] or title)],
                    )
        if "Policy" in raw or "Plan" in raw or "Statement of Work" in raw:
            for match in _NAMED.finditer(clean(raw)) if len(raw) < 8_000 else ():
                title = match["title"].rstrip(".")
                # In a contract "the Development Plan" is mostly one of its own exhibits; a plan with a year or for shares is not.
                if title.casefold() in seen or len(seen) >= 12 or (family in CONTRACTS and not _BY_NAME.match(title)):
                    continue
                if re.search(rf"(?m)^\W*(?:end of |exhibit \w+\W+)?{re.escape(title)}\b", text, re.IGNORECASE):
                    continue
                seen.add(title.casefold())
                yield (
                    "fact:reference",
                    f"refers to the {title}",
                    {"title": title, "named": True},
                    [quote(_sentence(raw, raw.find(title.split(" ", 1)[0])), title)],
                )
        if ".pdf" in raw or ".xls" in raw or ".doc" in raw or ".ppt" in raw:
            for match in _FILE.finditer(raw):
                if re.search(r"workbook|source file|file name", raw[: match.start()][-80:], re.IGNORECASE):
                    continue
                if match[0].casefold() not in seen and len(seen) < 24:
                    seen.add(match[0].casefold())
                    yield "fact:reference", f"refers to the file {match[0]}", {"file": match[0]}, [quote(raw, match[0])]
    if mentioned or held:
        named = [name for name in mentioned if name not in held]
        yield (
            "fact:exhibits",
            f"{len(mentioned)} exhibits are said to be attached; {len(held)} are in the text",
            {
                "mentioned": sorted(mentioned),
                "held": sorted(held),
                "quotes": {name: n for n, name in enumerate(named[:12])},
            },
            [mentioned[name] for name in named[:12]],
        )


def _name(match: re.Match[str]) -> str:
    return f"{match['label'].capitalize()} {match['number'].upper()}"


def _sentence(raw: str, at: int) -> str:
    start = max(raw.rfind(". ", 0, at) + 2, raw.rfind("\n\n", 0, at) + 2, 0) if at else 0
    end = raw.find(". ", at)
    return raw[start if start > 1 else 0 : end + 1 if end > 0 else len(raw)]
