"""A paper as a mail: headers, plain text, attachments. Written line by line, since the bytes must not depend on a clock or on chance."""

from __future__ import annotations

import binascii
from base64 import encodebytes
from collections.abc import Callable
from datetime import UTC, datetime, time
from email.header import Header
from email.utils import format_datetime

from redwell.bench.generate.laid import Laid
from redwell.bench.generate.parts import look
from redwell.bench.generate.render_txt import paragraphs

_OFFICE = "application/vnd.openxmlformats-officedocument"
_TYPES = {
    "docx": f"{_OFFICE}.wordprocessingml.document",
    "xlsx": f"{_OFFICE}.spreadsheetml.sheet",
    "pptx": f"{_OFFICE}.presentationml.presentation",
    "pdf": "application/pdf",
    "scan": "application/pdf",
    "txt": "text/plain; charset=utf-8",
    "eml": "message/rfc822",
}
_ENDED = "\r\n"


def render(laid: Laid, other: Callable[[Laid], bytes]) -> bytes:
    """The message's bytes; `other` renders what is attached. Without a day it has no date."""
    rng = look(laid, "eml")
    boundary = f"=_part_{rng.getrandbits(80):020x}"
    host = laid.sender.rpartition("@")[2].strip(" >") or "mail.example"
    headers = [("From", laid.sender), ("To", laid.to), ("Subject", laid.title)]
    if laid.day:
        sent = datetime.combine(laid.day, time(rng.randrange(7, 19), rng.randrange(60), rng.randrange(60)), UTC)
        headers.append(("Date", format_datetime(sent)))
    headers += [("Message-ID", f"<{rng.getrandbits(96):024x}@{host}>"), ("MIME-Version", "1.0")]
    if laid.status == "draft":
        headers.append(("X-Unsent", "1"))
    out = [f"{name}: {_header(name, value)}" for name, value in headers if value]
    body = _body(laid)
    if not laid.attached:
        return _ENDED.join([*out, *body, ""]).encode("ascii")
    out += [f'Content-Type: multipart/mixed; boundary="{boundary}"', "", f"--{boundary}", *body]
    for name, paper in laid.attached:
        out += [f"--{boundary}", *_attachment(name, _TYPES[paper.kind], other(paper))]
    return _ENDED.join([*out, f"--{boundary}--", ""]).encode("ascii")


def _header(name: str, value: str) -> str:
    value = " ".join(value.split())
    if value.isascii():
        return value if len(value) < 900 else value[:900]
    if name in ("From", "To"):  # an address stays as it is, the name before it is encoded
        person, mark, address = value.rpartition("<")
        if mark and address.isascii():
            return f"{Header(person.strip(), 'utf-8').encode(linesep=_ENDED)} <{address}"
    return Header(value, "utf-8", header_name=name).encode(linesep=_ENDED)


def _body(laid: Laid) -> list[str]:
    text = "\r\n\r\n".join(part.replace("\n", "\r\n") for part in paragraphs(laid.lines)) + "\r\n"
    coded = binascii.b2a_qp(text.encode("utf-8"), istext=True, header=False).decode("ascii")
    return [
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: quoted-printable",
        "",
        coded.replace("\r\n", "\n").replace("\n", _ENDED),
    ]


def _attachment(name: str, kind: str, data: bytes) -> list[str]:
    plain = (
        name.replace('"', "'") if name.isascii() else Header(name.replace('"', "'"), "utf-8", maxlinelen=1000).encode()
    )
    if kind == "message/rfc822":  # a message within a message is not encoded again
        return [
            f"Content-Type: {kind}",
            f'Content-Disposition: attachment; filename="{plain}"',
            "",
            data.decode("ascii").replace("\r\n", "\n").replace("\n", _ENDED),
        ]
    coded = encodebytes(data).decode("ascii").replace("\n", _ENDED)
    return [
        f'Content-Type: {kind}; name="{plain}"',
        "Content-Transfer-Encoding: base64",
        f'Content-Disposition: attachment; filename="{plain}"',
        "",
        coded,
    ]
