"""EML: a message as it travels (RFC 5322, MIME), read with the standard library and kept in bounds."""

from __future__ import annotations

import email
import email.header
import email.policy
import re
from email.errors import MessageError
from email.message import Message as Part

from redwell.room.formats.encoding import decode
from redwell.room.formats.mail import SHOWN, Body, Message, parsed_message
from redwell.room.types import Child, Limits, Parsed, Unreadable

_MAX_PARTS = 2000
_MAX_DEPTH = 50
_MAX_HEADER = 20_000
_ENCODED = re.compile(r"=\?[A-Za-z0-9*._-]+\?[bqBQ]\?[^?\s]*\?=")
_EXTENSIONS = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "application/pdf": ".pdf",
    "text/html": ".html",
    "text/csv": ".csv",
    "text/rtf": ".rtf",
    "application/rtf": ".rtf",
    "application/zip": ".zip",
}
_SIGNATURES = frozenset(("application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature"))
_SEALED = frozenset(("application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted"))
_BROKEN = (MessageError, ValueError, LookupError, TypeError, AttributeError, AssertionError, UnicodeError)


def read(data: bytes, name: str, limits: Limits) -> Parsed:
    """Reads a message: header and body units; attachments, pictures in the text and attached messages are children.

    Raises:
        Unreadable: when it nests too deeply to be parsed.
    """
    if data.startswith(b"From "):  # the separator line of an mbox file
        data = data.partition(b"\n")[2]
    try:
        root = email.message_from_bytes(data, policy=email.policy.compat32)
    except RecursionError as error:
        raise Unreadable("its messages are nested in each other too deeply") from error
    except _BROKEN as error:
        raise Unreadable("it is not a message that can be parsed") from error
    message = Message(headers=_headers(root))
    try:
        _Walk(message).part(root, "part 1", 0)
    except RecursionError as error:
        raise Unreadable("its messages are nested in each other too deeply") from error
    return parsed_message("eml", message)


def _headers(root: Part) -> list[tuple[str, str]]:
    found = []
    try:
        raw = list(root.raw_items())
    except _BROKEN:
        return []
    for wanted in SHOWN:
        for name, value in raw:
            if str(name).lower() == wanted.lower():
                found.append((wanted, _header_text(root, str(name), str(value))))
                if wanted in ("Date", "Subject"):
                    break
    return found


def _header_text(root: Part, name: str, raw: str) -> str:
    """A header's value with its encoded words decoded; bytes that no encoding was given for are guessed."""
    unfolded = re.sub(r"\r?\n[ \t]+", " ", raw)
    if any("\udc80" <= char <= "\udcff" for char in unfolded):
        unfolded = decode(unfolded.encode("utf-8", "surrogateescape")).text
    if len(unfolded) > _MAX_HEADER or not _ENCODED.search(unfolded):
        return " ".join(unfolded.split())
    try:
        return " ".join(str(email.header.make_header(email.header.decode_header(unfolded))).split())
    except _BROKEN:
        return " ".join(unfolded.split())


class _Walk:
    """Goes through the parts of a message in order."""

    def __init__(self, message: Message) -> None:
        self._message = message
        self._count = 0

    def part(self, part: Part, where: str, depth: int) -> None:
        """Takes in a part and those inside it."""
        self._count += 1
        if self._count > _MAX_PARTS or depth > _MAX_DEPTH:
            reason = "it has more parts, or deeper ones, than a message has; those beyond were not read"
            if reason not in self._message.lost:
                self._message.lost.append(reason)
            return
        kind = _content_type(part)
        if kind in _SIGNATURES:
            self._message.skipped.append((_file_name(part) or where, "it is a digital signature"))
        elif kind in _SEALED:
            self._message.lost.append("its content is encrypted or sealed (S/MIME or PGP); ask for a copy without that")
            self._attach(part, where, kind)
        elif kind.startswith("multipart/") and part.is_multipart():
            self._multipart(part, where, depth, kind)
        elif kind == "message/rfc822" or (kind.startswith("message/") and part.is_multipart()):
            self._attach_message(part, where)
        elif kind == "text/calendar" and not _is_attached(part):
            self._message.invites.append((where, _text(part)))
        elif (
            kind.startswith("text/")
            and not _is_attached(part)
            and kind not in ("text/csv", "text/rtf", "text/x-vcard", "text/vcard")
        ):
            self._message.bodies.append(Body(where, _text(part), kind == "text/html"))
        else:
            self._attach(part, where, kind)

    def _multipart(self, part: Part, where: str, depth: int, kind: str) -> None:
        inner = [child for child in part.get_payload() if isinstance(child, Part)]
        if kind != "multipart/alternative":
            for number, child in enumerate(inner, start=1):
                self.part(child, f"{where}.{number}", depth + 1)
            return
        before = len(self._message.bodies)
        for number, child in enumerate(inner, start=1):
            self.part(child, f"{where}.{number}", depth + 1)
        made = self._message.bodies[before:]
        plain = next((body for body in made if not body.html), None)
        rich = next((body for body in made if body.html), None)
        if plain is not None and rich is not None and len(made) == 2 and plain.text.strip():
            rich.plain = plain
            self._message.bodies[before:] = [rich]

    def _attach(self, part: Part, where: str, kind: str) -> None:
        name = _file_name(part)
        try:
            data = part.get_payload(decode=True)
        except _BROKEN:
            data = None
        if not isinstance(data, bytes):
            self._message.lost.append(f"attachment {name or where} is encoded in a way that cannot be undone")
            return
        if not name:
            name = f"{'image' if kind.startswith('image/') else 'attachment'} {where.removeprefix('part ')}{_EXTENSIONS.get(kind, '')}"
        self._message.attachments.append(Child(name, data))

    def _attach_message(self, part: Part, where: str) -> None:
        payload = part.get_payload()
        inner = payload[0] if isinstance(payload, list) and payload else None
        if not isinstance(inner, Part):
            self._message.lost.append(f"the message attached at {where} cannot be taken out")
            return
        try:
            data = inner.as_bytes()
            subject = _header_text(inner, "Subject", str(dict(inner.raw_items()).get("Subject", "")))
        except (*_BROKEN, RecursionError):
            self._message.lost.append(f"the message attached at {where} cannot be taken out")
            return
        name = _file_name(part) or f"{subject[:100] or 'message'}.eml"
        self._message.attachments.append(Child(name if "." in name[-6:] else f"{name}.eml", data))


def _content_type(part: Part) -> str:
    try:
        return part.get_content_type()
    except _BROKEN:
        return "application/octet-stream"


def _is_attached(part: Part) -> bool:
    try:
        return part.get_content_disposition() == "attachment" or bool(
            part.get_filename() and not part.get_content_disposition()
        )
    except _BROKEN:
        return False


def _file_name(part: Part) -> str:
    try:
        name = part.get_filename() or ""
    except _BROKEN:
        return ""
    return _header_text(part, "", name) if name else ""


def _text(part: Part) -> str:
    """The words of a text part: in the charset it states if its bytes are that, else in the one that its bytes look like."""
    try:
        data = part.get_payload(decode=True)
    except _BROKEN:
        data = None
    if not isinstance(data, bytes):
        payload = part.get_payload()
        return payload if isinstance(payload, str) else ""
    try:
        charset = str(part.get_content_charset() or "")
    except _BROKEN:
        charset = ""
    return decode(data, charset).text
