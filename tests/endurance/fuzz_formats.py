"""Mutations that know a format: PDF objects and streams, compound files, mail, HTML, tables of text, RTF; and which ones each kind suffers."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Sequence
from random import Random

from endurance.fuzz_mutators import GENERIC, LARGEST, NUMBERS, WIDE_EDGES, Mutator, digits, flip, mutated, words
from endurance.fuzz_office import package

from redwell.room.formats import ole
from redwell.room.types import Limits

# --- PDF -----------------------------------------------------------------------------------------------------------------------

_PDF_TOKENS = (
    *(
        b"obj",
        b"endobj",
        b"stream\n",
        b"endstream",
        b"xref",
        b"trailer",
        b"startxref",
        b"%%EOF",
        b"<<",
        b">>",
        b"[",
        b"]",
        b"(",
        b")",
    ),
    *(
        b"/Length 0",
        b"/Length 999999999",
        b"/Filter /FlateDecode",
        b"/Filter [/FlateDecode /FlateDecode]",
        b"/Filter /LZWDecode",
    ),
    *(
        b"/Filter /ASCII85Decode",
        b"/Filter /RunLengthDecode",
        b"/Filter /DCTDecode",
        b"/Filter /JBIG2Decode",
        b"/Filter /JPXDecode",
    ),
    *(
        b"/DecodeParms << /Predictor 15 /Columns 1000000 >>",
        b"/Kids [2 0 R]",
        b"/Parent 2 0 R",
        b"/Contents [4 0 R 4 0 R]",
        b"1 0 R",
    ),
    *(
        b"/MediaBox [0 0 1e30 1e30]",
        b"/MediaBox [0 0 0 0]",
        b"/Rotate 45",
        b"/UserUnit 1e9",
        b"/Type /ObjStm",
        b"/Type /XRef",
        b"/W [9 9 9]",
    ),
    *(
        b" Tj ",
        b" TJ ",
        b" Tf ",
        b" 1e9 0 0 1e9 0 0 cm ",
        b" q ",
        b" Q ",
        b" BT ",
        b" ET ",
        b" 3 Tr ",
        b" Do ",
        b" 0 0 0 0 0 0 Tm ",
        b" BI ID EI ",
    ),
    *(
        b" NaN 0 Td ",
        b" 0 Tz ",
        b" -1e30 Tc ",
        b"/Encrypt << /Filter /Standard /V 5 /R 6 >>",
        b"/ToUnicode 4 0 R",
        b"\0",
        b"\xff\xfe",
    ),
)
_NUMBER = re.compile(rb"\d+")
_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)


def _pdf_reference(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """A reference to an object made one to another object, often to itself or a parent."""
    found = list(re.finditer(rb"(\d+) 0 R", data))
    if not found:
        return data
    match = random.choice(found)
    other = random.choice(found)[1] if random.random() < 0.8 else random.choice(NUMBERS)
    return data[: match.start(1)] + other + data[match.end(1) :]


def _pdf_stream(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """What a stream holds, mutated unpacked and packed again, its stated length left as it was or not."""
    found = list(_STREAM.finditer(data))
    if not found:
        return data
    match = random.choice(found)
    try:
        inside, packed = zlib.decompressobj().decompress(match[1], LARGEST), True
    except zlib.error:
        inside, packed = match[1], False
    changed = mutated(random, inside, [inside], (*GENERIC, digits, words(_PDF_TOKENS), words(_PDF_TOKENS)))
    if random.random() < 0.1:
        changed = changed * random.choice((2, 50, 400))
    changed = changed[:LARGEST]
    made = zlib.compress(changed) if packed else changed
    return data[: match.start(1)] + made + data[match.end(1) :]


def _pdf_nest(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    opening, closing = random.choice(
        ((b"[", b"]"), (b"<<", b">>"), (b"<< /A ", b" >>"), (b"(", b")"), (b"q ", b"Q "), (b"BT ", b"ET "))
    )
    times = random.choice((10, 500, 5_000, 100_000))
    at = random.randrange(len(data) + 1)
    return (data[:at] + opening * times + closing * times + data[at:])[:LARGEST]


def _pdf_table(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """The table of places, or where it stands, put wrong."""
    at = data.rfind(random.choice((b"xref", b"startxref", b"trailer")))
    if at < 0:
        return data
    return data[:at] + digits(random, data[at:], others) if random.random() < 0.7 else data[:at]


# --- compound files ------------------------------------------------------------------------------------------------------------


def _ole_number(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """A number of the header, of the allocation table or of the directory at an edge, or pointing back, so that chains run in circles."""
    if len(data) < 1_024:
        return flip(random, data, others)
    out = bytearray(data)
    header = (24, 26, 28, 30, 32, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80)
    first_table = struct.unpack_from("<I", data, 76)[0]
    first_directory = struct.unpack_from("<I", data, 48)[0]
    for _ in range(random.choice((1, 1, 2, 4))):
        place = random.random()
        sector = random.randrange(len(data) // 512)
        if place < 0.3:
            at = random.choice(header)
        elif place < 0.65:
            at = (first_table + 1) * 512 + 4 * random.randrange(128)
        else:
            at = (
                (first_directory + 1) * 512
                + 128 * random.randrange(8)
                + random.choice((0, 64, 66, 67, 68, 72, 76, 116, 120, 124))
            )
        if at + 4 <= len(out):
            out[at : at + 4] = struct.pack("<I", random.choice((*WIDE_EDGES, sector, sector, sector)))
    return bytes(out)


def _ole_streams(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """The streams of a compound file, one mutated, one gone, one under another's name, written again as a whole file."""
    try:
        tree = ole.CompoundFile(data, Limits()).root.tree()
    except Exception:  # already broken by an earlier mutation
        return flip(random, data, others)

    def spoil(folder: dict[str, object]) -> None:
        for _ in range(random.choice((1, 1, 3))):
            if not folder:
                return
            name = random.choice(sorted(folder))
            value = folder[name]
            if isinstance(value, dict):
                spoil(value)
                if random.random() < 0.1:
                    folder[name] = {"x": dict(value)}
            elif isinstance(value, bytes):
                if random.random() < 0.15:
                    folder[random.choice((name[:-1] + "F", name[:-4] + "001E", "__substg1.0_1013001F", "x"))] = value
                elif random.random() < 0.1:
                    del folder[name]
                else:
                    folder[name] = mutated(random, value, [value], GENERIC)[:100_000]

    spoil(tree)  # type: ignore[arg-type]
    try:
        return ole.write(tree)
    except (ValueError, struct.error):
        return data


# --- mail ----------------------------------------------------------------------------------------------------------------------

_MAIL_TOKENS = (
    *(
        b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n",
        b"--x--\r\n",
        b"Content-Type: message/rfc822\r\n\r\n",
        b"\r\n\r\n",
    ),
    *(
        b"Content-Transfer-Encoding: base64\r\n",
        b"Content-Transfer-Encoding: x-uuencode\r\n",
        b"Content-Transfer-Encoding: quoted-printable\r\n",
    ),
    *(
        b"Content-Type: text/html; charset=utf-7\r\n",
        b'Content-Type: text/plain; charset="nul\\0l"\r\n',
        b"charset=unicode_escape",
        b"charset=idna",
    ),
    *(
        b"charset=utf-16",
        b"charset=rot13",
        b"charset=punycode",
        b"charset=undefined",
        b"charset=mbcs",
        b"charset=zlib_codec",
        b"charset=hex",
    ),
    *(
        b"Content-Disposition: attachment; filename*0*=utf-8''a; filename*1=b\r\n",
        b"filename*=x''%ff%fe",
        b"=?utf-8?q?=ff?=",
        b"=?x?b?!!!?=",
    ),
    *(
        b"Content-Type: message/partial; number=1\r\n",
        b"Content-Type: message/delivery-status\r\n",
        b"Content-Type: application/ms-tnef\r\n",
    ),
    *(
        b'From: <@a,@b:c@d>, "x\r\n',
        b"To: a:b,c;\r\n",
        b"Date: Mon, 99 Feb 2024 99:99:99 +9999\r\n",
        b"Subject: " + b"=?utf-8?q?a?= " * 500 + b"\r\n",
    ),
    *(
        b"Content-Type: " + b"a/b;" * 5_000 + b"\r\n",
        b"X: " + b"(" * 5_000 + b"\r\n",
        b"To: " + b"a@b.c," * 5_000 + b"\r\n",
        b"To: " + b'"' * 3_001 + b"\r\n",
    ),
)


def _mail_nest(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    times = random.choice((3, 50, 150, 1_000))
    if random.random() < 0.5:
        return (b"Content-Type: message/rfc822\r\n\r\n" * times + data)[:LARGEST]
    head = b"From: a@x.test\r\nTo: b@x.test\r\nSubject: s\r\nMIME-Version: 1.0\r\n"
    same = random.random() < 0.3
    for number in range(times):
        mark = b"same" if same else b"b%d" % number
        data = (
            b"Content-Type: multipart/mixed; boundary=%s\r\n\r\n--%s\r\n" % (mark, mark)
            + data
            + b"\r\n--%s--\r\n" % mark
        )
        if len(data) > LARGEST:
            break
    return head + data


# --- HTML ----------------------------------------------------------------------------------------------------------------------

_HTML_TOKENS = (
    *(
        b"<table>",
        b"</table>",
        b"<tr>",
        b"<td colspan=100000000>",
        b"<td rowspan=65535 colspan=1000>",
        b"<td rowspan=0>",
        b"<ol start=-1>",
    ),
    *(
        b"<ol start=99999999999999999999 type=i>",
        b"<li value=NaN>",
        b"<ol reversed type=I start=3999999>",
        b"<li>",
        b"<pre>",
        b"<script>",
    ),
    *(
        b"<!--",
        b"-->",
        b"<![CDATA[",
        b"<?xml version='1.0' encoding='utf-16'?>",
        b"<meta charset=utf-7>",
        b"<meta charset=x-unknown>",
    ),
    *(
        b"<style>*{display:none}",
        b"<style>" + b"a{b:c}" * 2_000 + b"</style>",
        b"<p style='" + b"color:#fff;" * 500 + b"'>",
        b"<base href='file:///'>",
    ),
    *(
        b"<svg><title>",
        b"<math>",
        b"<template>",
        b"<frameset>",
        b"<noscript>",
        b"<select><option>",
        b"<input value='x' hidden>",
        b"<textarea>",
    ),
    *(
        b"&#xD800;",
        b"&#0;",
        b"&#99999999999;",
        b"&nosuch;",
        b"\0",
        b"\xff\xfe",
        b"<p hidden>",
        b"<a name=x href='javascript:x'>",
        b"<br>" * 3_000,
    ),
    *(
        b"<b " + b"a=b " * 5_000 + b">",
        b"<b class='" + b"x " * 20_000 + b"'>",
        b"<img src='data:image/png;base64,AAAA' alt='" + b"y" * 50_000 + b"'>",
    ),
)


def _html_nest(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    tag = random.choice(
        (
            b"<div>",
            b"<b>",
            b"<ol><li>",
            b"<table><tr><td>",
            b"<ul>",
            b"<blockquote>",
            b"<font size=1>",
            b"<p>",
            b"<span style='color:#fff'>",
        )
    )
    at = random.randrange(len(data) + 1)
    return (data[:at] + tag * random.choice((10, 200, 260, 2_000, 50_000)) + data[at:])[:LARGEST]


# --- text ----------------------------------------------------------------------------------------------------------------------

_TEXT_TOKENS = (
    *(
        b"\0",
        b"\x1b[31m",
        b"\r",
        b"\r\n",
        b"\x0c",
        b"\x85",
        "\u2028\u202e\u200b\u00ad\ufeff".encode(),
        b"\xff\xfe",
        b"\xed\xa0\x80",
    ),
    *(
        b"(a)(i)(A)",
        b"1.1.1.1.1.1.1.1.1",
        b"ARTICLE MMMMMMMMMMMMCMXCIX",
        b"Section " + b"9" * 500,
        b"1." * 3_000,
        b"(" * 3_000,
        b" " * 30_000,
    ),
    *(
        b'"',
        b'""',
        b";",
        b"\t",
        b",,,,",
        b'"a\n' * 1_000,
        b"|" * 3_000,
        b"|---" * 500,
        b"> " * 2_000,
        b"#" * 200,
        b"```",
        b"- " * 2_000,
        b"[a](b" * 2_000,
    ),
    *(
        b"* " * 2_000,
        b"_" * 5_000,
        b"\\" * 3_000,
        b"<b>" * 2_000,
        b"&amp;" * 2_000,
        b"I. II. III. IV. ",
        b"a" * 100_000,
        b"\n" * 20_000,
        b"A\n" * 10_000,
    ),
)
_RTF_TOKENS = (
    b"{",
    b"}",
    b"\\'",
    b"\\u-1?",
    b"\\bin99999999 ",
    b"{\\*\\x ",
    b"\\par",
    b"\\trowd\\cellx1\\cell\\row",
    b"\\uc99",
    b"{" * 5_000,
    b"{\\object\\objdata ",
)


def _encoded(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    text = data.decode(random.choice(("utf-8", "utf-16", "cp1252")), "replace")
    return text.encode(
        random.choice(("utf-8-sig", "utf-16", "utf-16-be", "utf-32-be", "cp037", "utf-7", "shift_jis", "gb18030")),
        "replace",
    )


_TEXT: tuple[Mutator, ...] = (*GENERIC, words(_TEXT_TOKENS), words(_TEXT_TOKENS), words(_TEXT_TOKENS), _encoded)
_ZIPPED: tuple[Mutator, ...] = (*[package] * 12, *GENERIC)
_OLE: tuple[Mutator, ...] = (*[_ole_number] * 6, *[_ole_streams] * 8, *GENERIC)

_PDF: tuple[Mutator, ...] = (
    *[_pdf_reference] * 3,
    *[_pdf_stream] * 5,
    _pdf_nest,
    _pdf_table,
    *[words(_PDF_TOKENS)] * 3,
    digits,
    digits,
    *GENERIC,
)

MUTATORS: dict[str, tuple[Mutator, ...]] = {
    **dict.fromkeys(("docx", "xlsx", "pptx", "odt"), _ZIPPED),
    "pdf": _PDF,
    "scan": _PDF,
    **dict.fromkeys(("msg", "doc", "xls"), _OLE),
    "eml": (*[words(_MAIL_TOKENS)] * 5, _mail_nest, *GENERIC),
    "html": (*[words(_HTML_TOKENS)] * 5, _html_nest, _html_nest, _encoded, *GENERIC),
    **dict.fromkeys(("txt", "csv", "md"), _TEXT),
    "rtf": (*[words(_RTF_TOKENS)] * 4, *GENERIC),
    "zip": (package, package, *GENERIC),
}
"""What each kind suffers; those not named here only what any file can."""
