"""Archives: every member handed on or named with its reason, and none that could harm the reader."""

from __future__ import annotations

import gzip
import io
import lzma
import random
import stat
import struct
import tarfile
import warnings
import zipfile

import pytest

from redwell.room.formats.archive import read, safe_path
from redwell.room.types import Limits, Parsed, Unreadable
from tests.room.dirty_room import overlap_bomb
from tests.room.office_files import zipped

LIMITS = Limits()


def parse(data: bytes, name: str = "x.zip", limits: Limits = LIMITS) -> Parsed:
    return read(data, name, limits)


def members(parsed: Parsed) -> list[tuple[str, bytes]]:
    return [(child.name, child.data) for child in parsed.children]


def tar(entries: list[tuple[tarfile.TarInfo, bytes]], mode: str = "w") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:  # type: ignore[call-overload]
        for info, data in entries:
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def test_members_are_children_in_order():
    parsed = parse(zipped({"b/lease.txt": "lease", "a.txt": "offer", "empty/": ""}))
    assert members(parsed) == [("b/lease.txt", b"lease"), ("a.txt", b"offer")]
    assert (parsed.kind, parsed.status, parsed.metadata["members"]) == ("zip", "read", "2")


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../../etc/passwd", "etc/passwd"),
        ("/etc/passwd", "etc/passwd"),
        ("C:\\Users\\ann\\lease.pdf", "Users/ann/lease.pdf"),
        ("C:lease.pdf", "lease.pdf"),
        ("a/./b//c", "a/b/c"),
        ("a\x00b\n.txt", "a_b_.txt"),
        ("..", "member"),
        ("Exhibit #3 – 50% cap.pdf", "Exhibit #3 – 50% cap.pdf"),
        ("x" * 300 + ".pdf", "x" * 190 + ".pdf"),
    ],
)
def test_paths_are_made_safe(name: str, safe: str):
    assert safe_path(name) == safe


def test_members_of_one_name_stay_apart():
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w") as archive:
        warnings.simplefilter("ignore")
        for words in ("first", "second"):
            archive.writestr("../lease.txt", words)
        archive.writestr("LEASE.TXT", "third")
    assert members(parse(out.getvalue())) == [
        ("lease.txt", b"first"),
        ("lease (2).txt", b"second"),
        ("LEASE (3).TXT", b"third"),
    ]


def test_links_and_locked_members_are_named():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("kept.txt", "kept")
        archive.writestr("locked.txt", "locked")
    data = bytearray(out.getvalue())
    entry = data.rindex(b"PK\x01\x02")
    data[entry + 8] |= 1  # the bit that says: encrypted
    parsed = parse(bytes(data))
    assert members(parsed) == [("kept.txt", b"kept")]
    assert parsed.skipped == [("link.txt", "it is a link to another file")]
    assert parsed.unopened == [("locked.txt", "it is protected with a password; ask for a copy without one")]
    assert (parsed.status, parsed.reason) == ("partly_read", "1 of its 3 members could not be unpacked")


def test_an_archive_of_locked_members_only_is_unreadable():
    data = bytearray(zipped({"a.txt": "a"}))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(Unreadable, match="protected with a password"):
        parse(bytes(data))


def test_a_bomb_is_named_and_the_rest_is_kept():
    parsed = parse(zipped({"bomb.txt": b"\0" * 30_000_000, "kept.txt": "kept"}))
    assert members(parsed) == [("kept.txt", b"kept")]
    assert parsed.unopened == [("bomb.txt", "it inflates more than 200 times over, as a zip bomb does")]


def test_members_that_share_bytes_are_refused():
    with pytest.raises(Unreadable, match="overlap each other, as in a zip bomb"):
        parse(overlap_bomb(50))


def test_the_total_is_counted_and_not_believed():
    entries = {f"{n}.bin": random.Random(n).randbytes(100_000) * 3 for n in range(8)}
    data = bytearray(zipped(entries))
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", 1)  # a stated size of one byte
    parsed = parse(bytes(data), limits=Limits(total_bytes=1_000_000, memory_bytes=2_000_000))
    assert sum(len(child.data) for child in parsed.children) <= 1_000_000
    assert any("limit" in reason or "inflates to more" in reason for _, reason in parsed.unopened)
    assert len(parsed.children) + len(parsed.unopened) == 8


def test_damaged_members_are_named():
    data = bytearray(zipped({"a.txt": "words " * 100, "b.txt": "kept"}))
    data[36:41] = b"\xff" * 5
    parsed = parse(bytes(data))
    assert members(parsed) == [("b.txt", b"kept")]
    assert parsed.unopened == [("a.txt", "it is damaged, or compressed in a way that is not known")]


def test_names_in_utf_8_without_the_mark_are_read():
    data = zipped({"Vertrag.txt": "x"}).replace(b"Vertrag.txt", "Vertäg.txt".encode())
    assert [child.name for child in parse(data).children] == ["Vertäg.txt"]


def test_too_many_members_are_refused():
    with pytest.raises(Unreadable, match="more than 10 members"):
        parse(zipped({f"{n}": "" for n in range(11)}), limits=Limits(entries=10))


def test_tar_members_are_children_and_links_and_devices_are_named():
    link = tarfile.TarInfo("link")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    pipe = tarfile.TarInfo("pipe")
    pipe.type = tarfile.FIFOTYPE
    data = tar([(tarfile.TarInfo("../a.txt"), b"offer"), (link, b""), (pipe, b"")])
    parsed = parse(data, "x.tar")
    assert members(parsed) == [("a.txt", b"offer")]
    assert parsed.skipped == [("link", "it is a link to another file"), ("pipe", "it is a device or a special file")]


@pytest.mark.parametrize("mode", ["w:gz", "w:bz2", "w:xz"])
def test_compressed_tars_are_unpacked(mode: str):
    parsed = parse(tar([(tarfile.TarInfo("a.txt"), b"offer")], mode), "x.tgz")
    assert (parsed.kind, members(parsed)) == ("tar", [("a.txt", b"offer")])


def test_a_single_compressed_file_is_one_child():
    assert members(parse(gzip.compress(b"offer"), "mail/offer.txt.gz")) == [("offer.txt", b"offer")]
    assert members(parse(lzma.compress(b"offer"), "offer.txt.xz")) == [("offer.txt", b"offer")]


def test_a_compressed_bomb_is_refused():
    with pytest.raises(Unreadable, match="as a zip bomb does"):
        parse(gzip.compress(b"\0" * 30_000_000), "x.gz")


def test_damaged_archives_are_read_in_part_or_refused():
    source = random.Random(13)
    info = tarfile.TarInfo("a.txt")
    samples = [
        zipped({"a/b.txt": "words " * 50, "c.txt": "more"}),
        tar([(info, b"words " * 200)]),
        gzip.compress(tar([(info, b"words " * 200)])),
    ]
    for whole in samples:
        for _ in range(150):
            data = bytearray(whole)
            for _ in range(source.randrange(1, 20)):
                data[source.randrange(len(data))] = source.randrange(256)
            try:
                assert parse(bytes(data)).status in ("read", "partly_read")
            except Unreadable:
                continue
