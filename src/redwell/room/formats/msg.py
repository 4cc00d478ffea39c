"""MSG: a message as Outlook saves it, a compound file of properties ([MS-OXMSG]), read within limits."""

from __future__ import annotations

import codecs
import struct
from datetime import UTC, datetime, timedelta
from email import message_from_string
from email.header import decode_header, make_header
from email.utils import formataddr

from redwell.room.formats import ole
from redwell.room.formats.compressed_rtf import decompress, rtf_body
from redwell.room.formats.encoding import decode
from redwell.room.formats.mail import SHOWN, Body, Message, parsed_message
from redwell.room.formats.ole_objects import unwrapped
from redwell.room.types import Child, Limits, Parsed, Unreadable

_PROPERTIES = "__properties_version1.0"
_NAMES = "__nameid_version1.0"
_CODE_PAGES = {
    65001: "utf-8",
    20127: "ascii",
    28591: "cp1252",
    28605: "iso8859-15",
    50220: "iso2022_jp",
    51949: "euc_kr",
    20932: "euc_jp",
    54936: "gb18030",
    936: "gbk",
}
_EMBEDDED, _BY_REFERENCE = 5, (2, 3, 4, 7)
_SIGNATURES = ("application/pkcs7-signature", "application/x-pkcs7-signature")


def read(data: bytes, name: str, limits: Limits) -> Parsed:
    """Reads a message: units, children and metadata are the same as for EML.

    Raises:
        Unreadable: when it is no compound file, or has no message in it.
    """
    root = ole.CompoundFile(data, limits).root
    if _PROPERTIES not in root.streams:
        raise Unreadable("it is a compound file without a message in it")
    properties = _Properties(root, 32)
    message = Message(headers=_headers(properties, root))
    rtf = decompress(properties.binary(0x1009) or b"")
    _add_bodies(message, properties, rtf)
    for storage_name in sorted(root.storages):
        if storage_name.startswith("__attach_version1.0_#"):
            try:
                _attachment(message, root, root.storages[storage_name], limits)
            except (Unreadable, struct.error, ValueError) as error:
                reason = error.reason if isinstance(error, Unreadable) else "damaged"
                message.lost.append(f"an attachment cannot be taken out ({reason})")
    parsed = parsed_message("msg", message)
    message_class = properties.text(0x001A)
    if message_class and not message_class.startswith("IPM.Note"):
        parsed.metadata["class"] = message_class[:200]
    if "SMIME" in message_class.upper() and "MULTIPARTSIGNED" not in message_class.upper():
        parsed.status, parsed.reason = (
            "partly_read",
            "its content is encrypted or sealed (S/MIME); ask for a copy without that",
        )
    return parsed


class _Properties:
    """The properties of a message, recipient or attachment; `skip` is the length of their stream's header."""

    def __init__(self, storage: ole.Storage, skip: int) -> None:
        self._storage = storage
        self._fixed: dict[int, bytes] = {}
        stream = storage.read(_PROPERTIES) or b""
        for at in range(skip, len(stream) - 15, 16):
            self._fixed[struct.unpack_from("<H", stream, at + 2)[0]] = stream[at + 8 : at + 16]
        self._encoding = _encoding(self.integer(0x3FFD) or self.integer(0x3FDE))
        self.body_encoding = _encoding(self.integer(0x3FDE) or self.integer(0x3FFD))

    def integer(self, tag: int) -> int:
        value = self._fixed.get(tag)
        return 0 if value is None else int.from_bytes(value[:4], "little")

    def date(self, tag: int) -> str:
        value = int.from_bytes(self._fixed.get(tag, b""), "little")
        if not 0 < value < 1 << 62:
            return ""
        try:
            return (datetime(1601, 1, 1, tzinfo=UTC) + timedelta(seconds=value // 10_000_000)).isoformat()
        except OverflowError:
            return ""

    def binary(self, tag: int) -> bytes | None:
        return self._storage.read(f"__substg1.0_{tag:04X}0102")

    def text(self, tag: int, *, body: bool = False) -> str:
        wide = self._storage.read(f"__substg1.0_{tag:04X}001F")
        if wide is not None:
            return wide.decode("utf-16-le", "replace").rstrip("\0")
        narrow = self._storage.read(f"__substg1.0_{tag:04X}001E")
        if narrow is None:
            return ""
        return decode(narrow.rstrip(b"\0"), self.body_encoding if body else self._encoding).text


def _encoding(page: int) -> str:
    name = _CODE_PAGES.get(page, f"cp{page}")
    try:
        return codecs.lookup(name).name if page else ""
    except LookupError:
        return ""


def _headers(properties: _Properties, root: ole.Storage) -> list[tuple[str, str]]:
    """The headers as they travelled, when the message has them; what is missing is taken from its properties."""
    found: dict[str, str] = {}
    travelled = properties.text(0x007D)
    if travelled:
        for header, value in message_from_string(travelled).items():
            try:
                text = str(make_header(decode_header(str(value))))
            except (ValueError, LookupError, UnicodeError):
                text = str(value)
            found.setdefault(header.title(), " ".join(text.split()))
    recipients: dict[int, list[str]] = {}
    for name in sorted(root.storages):
        if name.startswith("__recip_version1.0_#"):
            recipient = _Properties(root.storages[name], 8)
            address = recipient.text(0x39FE) or recipient.text(0x3003)
            shown = recipient.text(0x3001) or recipient.text(0x5FF6)
            recipients.setdefault(recipient.integer(0x0C15) & 0xF, []).append(_person(shown, address))
    sender = _person(properties.text(0x0C1A), properties.text(0x5D01) or properties.text(0x0C1F))
    principal = _person(properties.text(0x0042), properties.text(0x5D02) or properties.text(0x0065))
    own = {
        "From": principal or sender,
        "Sender": sender if principal and sender != principal else "",
        "To": ", ".join(recipients.get(1, [])) or properties.text(0x0E04),
        "Cc": ", ".join(recipients.get(2, [])) or properties.text(0x0E03),
        "Bcc": ", ".join(recipients.get(3, [])) or properties.text(0x0E02),
        "Date": properties.date(0x0039) or properties.date(0x0E06),
        "Subject": properties.text(0x0037),
        "Importance": "high" if properties.integer(0x0017) == 2 else "",
    }
    return [(header, found.get(header) or own.get(header, "")) for header in SHOWN]


def _person(name: str, address: str) -> str:
    name, address = " ".join(name.split()), " ".join(address.split())
    if address.upper().startswith("/O="):  # an address inside one firm's Exchange, of use to nobody else
        address = ""
    if not address or name == address:
        return name or address
    return formataddr((name, address)) if name.isascii() and address.isascii() else f"{name} <{address}>".strip()


def _add_bodies(message: Message, properties: _Properties, rtf: bytes | None) -> None:
    plain = properties.text(0x1000, body=True)
    markup = properties.binary(0x1013)
    html = decode(markup, properties.body_encoding).text if markup else properties.text(0x1013, body=True)
    if not html.strip() and rtf:
        words, wrapped = rtf_body(rtf)
        if wrapped:
            html = words
        elif not plain.strip():
            plain = words
    if html.strip():
        told = Body("part 1", plain) if plain.strip() else None
        message.bodies.append(Body("part 1", html, html=True, plain=told))
    elif plain.strip():
        message.bodies.append(Body("part 1", plain))


def _attachment(message: Message, root: ole.Storage, storage: ole.Storage, limits: Limits) -> None:
    properties = _Properties(storage, 8)
    name = properties.text(0x3707) or properties.text(0x3704) or properties.text(0x3001)
    method = properties.integer(0x3705)
    inner = storage.storages.get("__substg1.0_3701000D")
    if properties.text(0x370E).lower() in _SIGNATURES:
        message.skipped.append((name or "signature", "it is a digital signature"))
    elif inner is not None and (method == _EMBEDDED or _PROPERTIES in inner.streams):
        subject = _Properties(inner, 24).text(0x0037)
        message.attachments.append(Child(_with_extension(name or subject or "message"), _as_file(root, inner)))
    elif inner is not None:
        message.attachments.append(unwrapped(name or "embedded object", ole.write(inner.tree()), limits))
    elif (data := properties.binary(0x3701)) is not None:
        message.attachments.append(Child(name + ("" if "." in name else properties.text(0x3703)), data))
    elif method in _BY_REFERENCE:
        where = properties.text(0x3708) or properties.text(0x3701) or "a place that the message does not give"
        message.lost.append(f"attachment {name} is only a link to {where}; ask for the file")
    else:
        message.lost.append(f"attachment {name or 'without a name'} holds no data")


def _with_extension(name: str) -> str:
    return name if name.lower().endswith(".msg") else f"{name[:120]}.msg"


def _as_file(root: ole.Storage, inner: ole.Storage) -> bytes:
    """A message attached to another as a file of its own: its properties' header is 8 bytes longer there."""
    tree = inner.tree()
    properties = tree.get(_PROPERTIES)
    if isinstance(properties, bytes):
        tree[_PROPERTIES] = properties[:24] + bytes(8) + properties[24:]
    if _NAMES in root.storages and _NAMES not in tree:
        tree[_NAMES] = root.storages[_NAMES].tree()
    return ole.write(tree)
