"""What EML and MSG have in common: a message's headers and body as units, its attachments as children."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from redwell.room.formats.html import html_page
from redwell.room.formats.paragraphs import paragraph_units
from redwell.room.types import Child, Parsed, ParsedUnit, Unreadable

SHOWN = ("From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Date", "Subject", "Importance")
_WORD = re.compile(r"[^\W\d_]{3,}")
_ADDRESS = re.compile(r"https?:|www\.|@|<[^<>]{0,500}>")
_BRACKETED = re.compile(r"\[[^\]]{0,300}\]")
_UNSAFE = re.compile(r"[\x00-\x1f\x7f/\\]+")


@dataclass(slots=True)
class Body:
    """One text part of a message. `where` is the beginning of its units' paths; `plain` is a plain text sent along with HTML."""

    where: str
    text: str
    html: bool = False
    plain: Body | None = None


@dataclass(slots=True)
class Message:
    """A message as either reader gathers it. `lost` are reasons why it is partly read."""

    headers: list[tuple[str, str]] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    invites: list[tuple[str, str]] = field(default_factory=list)
    attachments: list[Child] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def parsed_message(kind: str, message: Message) -> Parsed:
    """The units, children and metadata of a message.

    Paths: `header/subject`, `part 1/line 3` or `part 1/block 3`, `part 2/invite`. Of a plain text and its HTML the HTML is read, as
    mail programs show it; a plain text that says something else is read too, with the flag `hidden`. Quoted replies stay in the text.
    """
    parsed = Parsed(kind, skipped=message.skipped, problems=message.problems)
    units = []
    for name, value in message.headers:
        if value.strip():
            flags = ("heading",) if name == "Subject" else ()
            units.append(ParsedUnit(f"{name}: {value.strip()}", f"header/{name.lower()}", flags=flags))
    for body in message.bodies:
        shown = _body_units(body, message)
        units.extend(shown)
        told = [] if body.plain is None else _body_units(body.plain, message)
        if _differs(told, shown):
            message.problems.append("its plain text says something that its formatted text does not; both were read")
            units.extend(ParsedUnit(unit.text, unit.path, flags=(*unit.flags, "hidden")) for unit in told)
    for where, text in message.invites:
        if lines := invite_text(text):
            units.append(ParsedUnit(lines, f"{where}/invite"))
    parsed.views["final"] = units
    parsed.children = _named(message.attachments)
    parsed.metadata = _metadata(message)
    if message.lost:
        parsed.status, parsed.reason = "partly_read", "; ".join(message.lost[:5])
    return parsed


def _body_units(body: Body, message: Message) -> list[ParsedUnit]:
    if not body.html:
        units = paragraph_units(body.text)
        for unit in units:
            unit.path = f"{body.where}/{unit.path}"
        return units
    try:
        page = html_page(body.text, f"{body.where}/")
    except Unreadable as error:
        message.lost.append(f"{body.where}: {error.reason}")
        return []
    if page.cut:
        message.lost.append(f"{body.where}: its elements are nested too deeply")
    return [unit for unit in page.views["final"] if not unit.path.endswith("/title")]


def _differs(plain: list[ParsedUnit], rich: list[ParsedUnit]) -> bool:
    """Whether the plain text has words, more than a few, that the visible HTML lacks."""
    said = Counter(_words(" ".join(unit.text for unit in rich if "hidden" not in unit.flags)))
    told = Counter(_words(" ".join(unit.text for unit in plain)))
    missing = told - said
    return sum(missing.values()) >= max(4, 0.1 * sum(told.values()))


def _words(text: str) -> list[str]:
    kept = " ".join(word for word in text.split() if not _ADDRESS.search(word))
    return [word.lower() for word in _WORD.findall(_BRACKETED.sub(" ", kept))]


def invite_text(text: str) -> str:
    """The lines of a calendar invitation that people read: what, when, where, who."""
    labels = {
        "METHOD": "Method",
        "SUMMARY": "Summary",
        "DTSTART": "Start",
        "DTEND": "End",
        "RRULE": "Repeats",
        "LOCATION": "Location",
        "ORGANIZER": "Organizer",
        "ATTENDEE": "Attendee",
        "STATUS": "Status",
        "DESCRIPTION": "Description",
    }
    lines = []
    inside: list[str] = []
    for line in re.sub(r"\r?\n[ \t]", "", text[:500_000]).splitlines():
        head, colon, value = line.partition(":")
        name = head.split(";")[0].upper()
        if name in ("BEGIN", "END") and colon:
            inside = [*inside, value.upper()] if name == "BEGIN" else inside[:-1]
        elif name in labels and colon and not {"VALARM", "STANDARD", "DAYLIGHT"} & set(inside[-1:]):
            who = re.search(r"CN=\"?([^\";:]+)", head)
            shown = value.strip().removeprefix("mailto:").removeprefix("MAILTO:")
            if name.startswith("DT"):
                shown = _when(shown)
            shown = f"{who[1]} <{shown}>" if who else shown
            shown = re.sub(r"\\[nN]", "\n", shown).replace("\\,", ",").replace("\\;", ";").replace("\\\\", "\\")
            if shown.strip():
                lines.append(f"{labels[name]}: {shown.strip()}")
    return "\n".join(lines[:500])


def _when(value: str) -> str:
    match = re.fullmatch(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?", value)
    if match is None:
        return value
    day = f"{match[1]}-{match[2]}-{match[3]}"
    return f"{day} {match[4]}:{match[5]}{' UTC' if match[6] else ''}" if match[4] else day


def _named(attachments: list[Child]) -> list[Child]:
    """Children with names that are safe, not empty and different from each other."""
    used: Counter[str] = Counter()
    out = []
    for number, child in enumerate(attachments, start=1):
        name = safe_name(child.name) or f"attachment {number}"
        used[name.lower()] += 1
        if used[name.lower()] > 1:
            stem, dot, extension = name.rpartition(".")
            name = f"{stem} ({used[name.lower()]}).{extension}" if dot and stem else f"{name} ({used[name.lower()]})"
        out.append(Child(name, child.data))
    return out


def safe_name(name: str) -> str:
    """A file name without folders, control characters or length beyond what file systems take."""
    name = re.split(r"[/\\]", name.rstrip("/\\ "))[-1]
    name = _UNSAFE.sub("_", name).strip(" .\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e")
    name = re.sub("[\u202a-\u202e\u2066-\u2069]", "", name)
    if len(name) > 150:
        stem, dot, extension = name.rpartition(".")
        name = f"{stem[:140]}.{extension[:9]}" if dot else name[:150]
    return name


def _metadata(message: Message) -> dict[str, str]:
    first: dict[str, str] = {}
    for name, value in message.headers:
        first.setdefault(name, value.strip())
    found = {key.lower(): first[key][:2000] for key in ("From", "To", "Cc", "Subject") if first.get(key)}
    sent = sent_date(first.get("Date", ""))
    if sent:
        found["sent"] = sent
    if message.attachments:
        found["attachments"] = str(len(message.attachments))
    return found


def sent_date(value: str) -> str:
    """A Date header as `2026-03-31T09:30:00+00:00`, or empty when it is none."""
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return ""
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.isoformat(timespec="seconds")
