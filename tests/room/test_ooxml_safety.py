"""Hostile and broken Office files: refused with a plain reason or read in part, and never anything else."""

from __future__ import annotations

import io
import random
import struct
import zipfile
import zlib

import pytest

from redwell.room.formats.docx import read
from redwell.room.formats.ooxml import Package, resolve
from redwell.room.formats.safexml import parse_xml
from redwell.room.formats.safezip import SafeZip
from redwell.room.types import Limits, Parsed, Unreadable
from tests.room.docx_builder import (
    NAMESPACES,
    abstract,
    docx,
    ins,
    lvl,
    num,
    p,
    parts,
    r,
    tbl,
    tc,
    texts,
    tr,
    xml,
    zipped,
)


def reason(data: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(Unreadable) as caught:
        read(data, "x.docx", limits or Limits())
    return caught.value.reason


def attempt(data: bytes) -> Parsed | str:
    """What came of reading: the result, or the reason why there is none."""
    try:
        return read(data, "x.docx", Limits())
    except Unreadable as error:
        return error.reason


def with_main(text: str | bytes) -> bytes:
    return zipped(parts("") | {"word/document.xml": text})


XXE = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
LAUGHS = (
    "<!DOCTYPE d ["
    + '<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    + "]>"
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("attack", [XXE, LAUGHS, "<!DOCTYPE d SYSTEM 'http://127.0.0.1/x.dtd'>"])
def test_a_document_type_is_refused_in_any_encoding(encoding: str, attack: str):
    text = f'<?xml version="1.0" encoding="{encoding[:6]}"?><!-- c -->{attack}<w:document {NAMESPACES}>&i;</w:document>'
    assert "declares a document type" in reason(with_main(text.encode(encoding)))


@pytest.mark.parametrize(
    "data",
    [
        b'<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE d+AD4-<d/>',
        "<d/>".encode("utf-32"),
        "<d/>".encode("utf-32-be"),
        "<?xml version='1.0' encoding='cp037'?><d/>".encode("cp037"),
    ],
)
def test_encodings_in_which_an_attack_could_hide_are_refused(data: bytes):
    with pytest.raises(Unreadable, match="encoding"):
        parse_xml(data, "part.xml")


def test_a_document_type_in_a_side_part_costs_that_part_only():
    files = parts(p("Body.", '<w:r><w:footnoteReference w:id="1"/></w:r>'), footnotes=XXE)
    files["word/footnotes.xml"] = XXE + xml("footnotes", "")[55:]
    parsed = read(zipped(files), "x.docx", Limits())
    assert (texts(parsed), parsed.status) == (["Body."], "partly_read")
    assert "word/footnotes.xml declares a document type" in parsed.reason


def test_a_part_that_is_named_and_missing_is_told():
    files = parts(p("Body."), comments="", numbering="")
    files.pop("word/comments.xml")
    parsed = read(zipped(files), "x.docx", Limits())
    assert (texts(parsed), parsed.status) == (["Body."], "partly_read")
    assert parsed.reason == "its part word/comments.xml is named in the file, but missing from it"


def test_a_bomb_is_stopped_at_the_limit():
    bomb = zipped(parts("") | {"word/document.xml": b" " * (80 << 20)})
    assert len(bomb) < 200_000
    assert "inflates more than 200 times over" in reason(bomb)


def test_size_limits_count_what_is_inflated():
    noise = random.Random(7).randbytes(3 << 20).hex().encode()
    data = zipped(parts("") | {"word/document.xml": noise})
    assert "more than 4 MB" in reason(data, Limits(part_bytes=4 << 20))
    assert "together" in reason(data, Limits(total_bytes=5 << 20))


def test_stated_sizes_are_not_believed():
    data = bytearray(docx(p("x" * 5000)))
    for at in _directory_entries(data):
        struct.pack_into("<I", data, at + 24, 7)
    assert texts(read(bytes(data), "x.docx", Limits())) == ["x" * 5000]
    noise = random.Random(7).randbytes(3 << 20).hex().encode()
    lying = bytearray(zipped(parts("") | {"word/document.xml": noise}))
    for at in _directory_entries(lying):
        struct.pack_into("<I", lying, at + 24, 7)
    assert "more than 1 MB" in reason(bytes(lying), Limits(part_bytes=1 << 20))


def test_parts_that_share_bytes_are_refused():
    data = bytearray(docx(p("x")))
    first, second, *_ = _directory_entries(data)
    data[second + 42 : second + 46] = data[first + 42 : first + 46]
    assert "overlap" in reason(bytes(data))


def test_too_many_entries_are_refused():
    files = parts(p("x")) | {f"junk/{n}": b"" for n in range(300)}
    assert "more than 200 entries" in reason(zipped(files), Limits(entries=200))


def test_an_encrypted_part_says_password():
    data = bytearray(docx(p("x")))
    for at in _directory_entries(data):
        data[at + 8] |= 1
    assert "password" in reason(bytes(data))


def test_an_encrypted_office_file_says_password():
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500) + "EncryptedPackage".encode("utf-16-le") + bytes(500)
    assert reason(ole) == "it is protected with a password; ask for a copy without one"
    assert "old binary" in reason(ole[:400])


def test_two_parts_of_one_name_are_told():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in parts(p("first")).items():
            archive.writestr(name, data)
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("word/document.xml", parts(p("second"))["word/document.xml"])
    parsed = read(out.getvalue(), "x.docx", Limits())
    assert (texts(parsed), parsed.status) == (["second"], "partly_read")
    assert "two parts are named word/document.xml" in parsed.reason


def test_a_part_that_does_not_match_its_checksum_is_told():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in parts(p("eight (8)")).items():
            archive.writestr(name, data)
    parsed = read(out.getvalue().replace(b"eight (8)", b"eighty(8)"), "x.docx", Limits())
    assert (texts(parsed), parsed.status) == (["eighty(8)"], "partly_read")
    assert "checksum" in parsed.reason


@pytest.mark.parametrize("data", [b"", b"not a zip", b"PK\x03\x04 cut", b"%PDF-1.7"])
def test_what_is_no_zip_is_unreadable(data: bytes):
    assert "not a whole zip file" in reason(data)


def test_a_file_cut_short_is_unreadable():
    data = docx(p("x" * 100))
    for length in range(1, len(data) - 1, 97):
        assert reason(data[:length])


def test_a_zip_without_a_main_part_and_a_main_part_that_is_something_else():
    assert "without the main part" in reason(zipped({"a.txt": "x"}))
    assert "not a Word document" in reason(with_main("<other/>"))
    assert "not well-formed" in reason(with_main("<w:document"))


def test_text_before_damage_is_read_and_the_damage_told():
    whole = xml("document", f"<w:body>{p('Kept.')}{p('Also kept.')}")
    parsed = read(with_main(whole.replace("</w:document>", "<w:p><w:r><w:t>half")), "x.docx", Limits())
    assert texts(parsed)[:2] == ["Kept.", "Also kept."]
    assert parsed.status == "partly_read"
    assert "not well-formed" in parsed.reason


@pytest.mark.parametrize(
    ("tag", "depth"),
    [
        ("w:ins", 20_000),
        ("w:sdt", 3_000),
        ("w:smartTag", 3_000),
        ("w:tbl><w:tr><w:tc", 5_000),
        ("w:ins", 240),
        ("w:sdt", 120),
    ],
)
def test_deep_nesting_never_breaks_the_reader(tag: str, depth: int):
    closing = "".join(f"</{name.strip('<>')}>" for name in reversed(tag.split("><")))
    body = p("Before.") + f"<{tag}>" * depth + p(r("deep")) + closing * depth + p("After.")
    parsed = attempt(docx(body))
    if isinstance(parsed, str):
        assert "nested too deeply" in parsed
    else:
        assert texts(parsed)[0] == "Before."
        assert parsed.status == "partly_read" or "deep" in " ".join(texts(parsed))


def test_text_boxes_in_text_boxes_end():
    body = r("core")
    for _ in range(60):
        body = f"<w:r><w:pict><v:shape><v:textbox><w:txbxContent><w:p>{body}</w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r>"
    parsed = attempt(docx(f"<w:p>{r('Before.')}{body}</w:p>"))
    if isinstance(parsed, str):
        assert "nested too deeply" in parsed
    else:
        assert texts(parsed)[0] == "Before."


def test_absurd_numbers_are_shrugged_off():
    huge = "9" * 5000
    body = (
        p(
            "a",
            properties=f'<w:outlineLvl w:val="{huge}"/><w:numPr><w:ilvl w:val="{huge}"/><w:numId w:val="1"/></w:numPr>',
        )
        + p(r("b", f'<w:sz w:val="{huge}"/><w:color w:val="GGGGGG"/><w:sym w:char="FFFFFFFF"/>'))
        + '<w:p><w:r><w:sym w:font="x" w:char="110000"/><w:sym w:char="D800"/><w:sym w:char="zz"/><w:t>c</w:t></w:r></w:p>'
        + tbl(
            tr(tc("d", properties=f'<w:gridSpan w:val="{huge}"/>'), "e", properties='<w:gridBefore w:val="99999999"/>')
        )
    )
    numbering = abstract(0, lvl(0, "upperRoman", "%1.", start=999_999_999), lvl(1, "lowerLetter", "%2")) + num(1, 0)
    assert texts(read(docx(body, numbering=numbering), "x.docx", Limits())) == ["999999999. a", "b", "c", "d | e"]


def test_relationships_never_leave_the_package():
    assert resolve("word", "../../../../etc/passwd") == "etc/passwd"
    assert resolve("word", "/word/styles.xml") == "word/styles.xml"
    assert resolve("word", "media/a%20b.png#x") == "word/media/a b.png"
    files = parts(p("x"), more={"../../../../etc/passwd": ("header", "")})
    files["word/document.xml"] = xml(
        "document",
        f'<w:body>{p("x")}<w:sectPr><w:headerReference w:type="default" r:id="x-../../../../etc/passwd"/></w:sectPr></w:body>',
    )
    files.pop("word/../../../../etc/passwd")
    assert texts(read(zipped(files), "x.docx", Limits())) == ["x"]


def test_part_names_are_found_in_any_case_and_with_backslashes():
    package = Package(zipped({"WORD\\Document.xml": "<a/>"}), Limits())
    assert package.part("/word/document.xml") == b"<a/>"
    assert package.part("word/none.xml") is None


def test_the_directory_tells_names_and_folders_apart():
    archive = SafeZip(zipped({"a/": b"", "a/b.txt": b"text"}), Limits())
    assert archive.names() == ["a/b.txt"]
    assert archive.read("a/b.txt") == b"text"
    with pytest.raises(KeyError):
        archive.read("c")


def test_mutations_of_a_rich_file_never_raise_anything_but_unreadable():
    """Bytes changed in the zip, and in the XML inside it: 400 seeded mutations."""
    rich = parts(
        p("One ", ins("two"), num=(1, 0))
        + p('<w:r><w:footnoteReference w:id="1"/></w:r>', '<w:commentRangeStart w:id="1"/>', "three")
        + tbl(tr("a", tc(tbl(tr("b", "c"))))),
        numbering=abstract(0, lvl(0, "decimal", "%1.")) + num(1, 0),
        styles='<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="N"/><w:basedOn w:val="N"/></w:style>',
        footnotes=f'<w:footnote w:id="1">{p("note")}</w:footnote>',
        comments=f'<w:comment w:id="1" w:author="A">{p("said")}</w:comment>',
    )
    packed = zipped(rich)
    names = sorted(rich)
    chance = random.Random(20240301)
    outcomes = {"read": 0, "refused": 0}
    for turn in range(400):
        if turn % 2:
            data = bytearray(packed)
            for _ in range(chance.randint(1, 8)):
                data[chance.randrange(len(data))] = chance.randrange(256)
            mutated = bytes(data)
        else:
            name = chance.choice(names)
            text = str(rich[name])
            start = chance.randrange(len(text))
            end = min(len(text), start + chance.randint(1, 60))
            piece = chance.choice(["", "<", "w:val", '"', text[start:end] * 3, "</w:p>", "\x00", "&#0;", "-9"])
            mutated = zipped(rich | {name: text[:start] + piece + text[end:]})
        result = attempt(mutated)
        assert result
        outcomes["refused" if isinstance(result, str) else "read"] += 1
    assert min(outcomes.values()) > 20


def _directory_entries(data: bytes | bytearray) -> list[int]:
    found, at = [], data.find(b"PK\x01\x02")
    while at >= 0:
        found.append(at)
        at = data.find(b"PK\x01\x02", at + 1)
    return found


def test_inflating_stops_at_the_first_limit_and_not_after_the_last_byte():
    """A stream that would inflate to 8 GB is given up within the part limit."""
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = bytes(1 << 20)
    raw = b"".join(squeezer.compress(block) for _ in range(64)) + squeezer.flush(zlib.Z_FULL_FLUSH)
    again = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = again.compress(block) + again.flush(zlib.Z_FULL_FLUSH)
    raw += piece * 8000
    name = b"word/document.xml"
    local = struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0, 8, 0, 0, 0, len(raw), 100, len(name), 0) + name + raw
    entry = struct.pack("<4s6H3I5H2I", b"PK\x01\x02", 20, 20, 0, 8, 0, 0, 0, len(raw), 100, len(name), 0, 0, 0, 0, 0, 0)
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 1, 1, len(entry) + len(name), len(local), 0)
    limits = Limits(ratio=10**9)
    assert "more than 64 MB" in reason(local + entry + name + end, limits)
