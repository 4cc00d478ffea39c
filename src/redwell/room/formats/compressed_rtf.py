"""The RTF bodies of Outlook messages: decompressed ([MS-OXRTFCP]), and the HTML or text that they carry ([MS-OXRTFEX])."""

from __future__ import annotations

import codecs
import re
import struct

_PREFIX = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes "
    b"New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
_WINDOW = 4096
_LIMIT = 64 << 20
_TOKEN = re.compile(
    rb"\\'([0-9A-Fa-f]{2})|\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)|[\r\n]+", re.DOTALL
)
_SKIPPED = frozenset(
    (
        *(
            b"fonttbl",
            b"colortbl",
            b"stylesheet",
            b"info",
            b"pict",
            b"object",
            b"header",
            b"footer",
            b"headerl",
            b"headerr",
        ),
        *(
            b"footerl",
            b"footerr",
            b"listtable",
            b"listoverridetable",
            b"generator",
            b"themedata",
            b"datastore",
            b"rsidtbl",
        ),
    )
)
_SIGNS = {
    b"par": "\n",
    b"line": "\n",
    b"sect": "\n",
    b"page": "\n",
    b"row": "\n",
    b"cell": " | ",
    b"tab": "\t",
    b"lquote": "‘",
    b"rquote": "’",
    b"ldblquote": "“",
    b"rdblquote": "”",
    b"bullet": "•",
    b"endash": "–",
    b"emdash": "—",
    b"emspace": " ",
    b"enspace": " ",
}


def decompress(data: bytes) -> bytes | None:
    """The RTF in a compressed body, or None when it is damaged."""
    if len(data) < 16:
        return None
    packed, size, kind = struct.unpack_from("<III", data, 0)
    body = data[16 : packed + 4]
    if kind == 0x414C454D:  # stored as it is
        return body[:size]
    if kind != 0x75465A4C or size > _LIMIT:
        return None
    window = bytearray(_PREFIX.ljust(_WINDOW, b" "))
    write = len(_PREFIX)
    out = bytearray()
    at = 0
    while at < len(body) and len(out) < size:
        control = body[at]
        at += 1
        for bit in range(8):
            if at >= len(body) or len(out) >= size:
                break
            if control >> bit & 1:
                if at + 1 >= len(body):
                    return bytes(out)
                reference = body[at] << 8 | body[at + 1]
                at += 2
                start, length = reference >> 4, (reference & 15) + 2
                if start == write % _WINDOW:
                    return bytes(out)
                for step in range(length):
                    byte = window[(start + step) % _WINDOW]
                    out.append(byte)
                    window[write % _WINDOW] = byte
                    write += 1
            else:
                out.append(body[at])
                window[write % _WINDOW] = body[at]
                write += 1
                at += 1
    return bytes(out)


def rtf_body(data: bytes) -> tuple[str, bool]:
    """The words of an RTF body, and whether they are HTML that was wrapped in it."""
    wrapped = b"\\fromhtml" in data[:4000]
    page = re.search(rb"\\ansicpg(\d{1,5})", data[:4000])
    encoding = f"cp{int(page[1])}" if page else "cp1252"
    try:
        codecs.lookup(encoding)
    except LookupError:
        encoding = "cp1252"
    out: list[str] = []
    raw = bytearray()
    # for each open group: (left out, inside an HTML tag, number of stand-in characters after \\u)
    stack: list[tuple[bool, bool, int]] = []
    skip, tag, stand_ins, starred, muted, due = False, False, 1, False, False, 0

    def flush() -> None:
        if raw:
            out.append(raw.decode(encoding, "replace"))
            raw.clear()

    for match in _TOKEN.finditer(data):
        code, word, number, symbol, brace, text = match.groups()
        if brace == b"{":
            stack.append((skip, tag, stand_ins))
        elif brace == b"}":
            skip, tag, stand_ins = stack.pop() if stack else (False, False, 1)
        elif symbol == b"*":
            starred = True
            continue
        elif word == b"htmltag":
            tag, skip = True, False
        elif word == b"htmlrtf":
            muted = number != b"0"
        elif word is not None and (starred or word in _SKIPPED):
            skip = True
        elif word == b"uc":
            stand_ins = min(int(number or 1), 10)
        elif not skip and not (wrapped and muted):
            if word == b"u" and number:
                flush()
                out.append(chr(int(number) % 65536))
                due = stand_ins
            elif word in _SIGNS:
                flush()
                out.append(_SIGNS[word])
            elif code is not None:
                if due:
                    due -= 1
                else:
                    raw.append(int(code, 16))
            elif symbol is not None:
                flush()
                out.append({b"~": " ", b"_": "-", b"-": ""}.get(symbol, symbol.decode("latin-1")))
            elif text is not None:
                raw.extend(text[due:])
                due = 0
        starred = False
    flush()
    joined = "".join(out).replace("\x00", "")
    return joined.encode("utf-16", "surrogatepass").decode("utf-16", "replace"), wrapped
