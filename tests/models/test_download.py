"""Downloads from a real server on loopback: whole, broken off and gone on with, redirected, refused, and wrong."""

import fcntl
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from redwell.models.download import download
from redwell.models.local_files import LocalFileError, LocalModel, known

BODY = bytes(range(256)) * 5_000


class Files(ThreadingHTTPServer):
    """Serves BODY. `cuts` are the lengths after which the next answers break off; `ranges` False ignores Range."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.body = BODY
        self.cuts: list[int] = []
        self.ranges = True
        self.status = 0
        self.asked: list[str | None] = []

    def url(self, path: str = "/model.gguf") -> str:
        return f"http://127.0.0.1:{self.server_address[1]}{path}"


class _Handler(BaseHTTPRequestHandler):
    server: Files

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/model.gguf")
            self.end_headers()
            return
        self.server.asked.append(wanted)
        if self.server.status:
            self.send_error(self.server.status)
            return
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and self.server.ranges else 0
        body = self.server.body[start:]
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(self.server.body) - 1}/{len(self.server.body)}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        cut = self.server.cuts.pop(0) if self.server.cuts else len(body)
        self.wfile.write(body[:cut])
        if cut < len(body):
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def server() -> Iterator[Files]:
    with Files() as made:
        threading.Thread(target=made.serve_forever, daemon=True).start()
        yield made
        made.shutdown()


@pytest.fixture
def entry(server: Files) -> LocalModel:
    small = known("smollm2-135m")
    return replace(small, file="model.gguf", url=server.url(), size=len(BODY), sha256=sha256(BODY).hexdigest())


def test_a_whole_file_is_there_only_when_it_is_checked(server: Files, entry: LocalModel, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    path = download(entry, tmp_path / "kept", lambda have, whole: told.append((have, whole)))
    assert path == tmp_path / "kept" / "model.gguf"
    assert path.read_bytes() == BODY
    assert told[-1] == (len(BODY), len(BODY))
    assert [each.name for each in path.parent.iterdir()] == ["model.gguf"]


def test_a_broken_connection_is_gone_on_with_where_it_stopped(server: Files, entry: LocalModel, tmp_path: Path) -> None:
    server.cuts = [300_000, 500_000]
    assert download(entry, tmp_path).read_bytes() == BODY
    assert server.asked == [None, "bytes=300000-", "bytes=800000-"]


def test_what_an_earlier_download_brought_is_not_asked_for_again(
    server: Files, entry: LocalModel, tmp_path: Path
) -> None:
    (tmp_path / "model.gguf.part").write_bytes(BODY[:1_000_000])
    assert download(entry, tmp_path).read_bytes() == BODY
    assert server.asked == ["bytes=1000000-"]


def test_a_server_without_ranges_sends_it_all_again(server: Files, entry: LocalModel, tmp_path: Path) -> None:
    server.ranges = False
    (tmp_path / "model.gguf.part").write_bytes(b"something else" * 10)
    assert download(entry, tmp_path).read_bytes() == BODY
    server.cuts = [700_000]
    (tmp_path / "model.gguf").unlink()
    assert download(entry, tmp_path).read_bytes() == BODY


def test_a_part_that_is_longer_than_the_file_is_begun_anew(server: Files, entry: LocalModel, tmp_path: Path) -> None:
    (tmp_path / "model.gguf.part").write_bytes(BODY + b"more")
    assert download(entry, tmp_path).read_bytes() == BODY


def test_a_redirect_is_followed(server: Files, entry: LocalModel, tmp_path: Path) -> None:
    assert download(replace(entry, url=server.url("/moved")), tmp_path).read_bytes() == BODY


def test_a_connection_that_never_brings_more_ends_and_keeps_what_came(
    server: Files, entry: LocalModel, tmp_path: Path
) -> None:
    server.cuts = [400_000] + [0] * 20
    with pytest.raises(
        LocalFileError, match=r"stopped after 400,000 of 1,280,000 bytes .* `redwell models get smollm2-135m` goes on"
    ):
        download(entry, tmp_path)
    assert (tmp_path / "model.gguf.part").read_bytes() == BODY[:400_000]
    server.cuts = []
    assert download(entry, tmp_path).read_bytes() == BODY


def _altered(server: Files) -> None:
    server.body = BODY[:-1] + b"\x00"


def _longer(server: Files) -> None:
    server.body = BODY + b"more"


def _refused(server: Files) -> None:
    server.status = 404


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_altered, "its SHA-256 is not"),
        (_longer, "sends more than the 1,280,000 bytes"),
        (_refused, r"was refused by the server \(404\)"),
    ],
)
def test_what_is_not_the_file_is_never_put_in_its_place(
    server: Files, entry: LocalModel, tmp_path: Path, change: Callable[[Files], None], said: str
) -> None:
    change(server)
    with pytest.raises(LocalFileError, match=said):
        download(entry, tmp_path)
    assert not (tmp_path / "model.gguf").exists()


def test_an_altered_file_is_deleted_so_that_the_next_attempt_begins_anew(
    server: Files, entry: LocalModel, tmp_path: Path
) -> None:
    _altered(server)
    with pytest.raises(LocalFileError, match="It was deleted"):
        download(entry, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_without_a_connection_the_reason_is_said(entry: LocalModel, tmp_path: Path) -> None:
    with pytest.raises(LocalFileError, match="stopped after 0 of 1,280,000 bytes"):
        download(replace(entry, url="http://127.0.0.1:9/model.gguf"), tmp_path)


def test_a_full_disk_is_said_before_anything_is_asked(server: Files, entry: LocalModel, tmp_path: Path) -> None:
    with pytest.raises(LocalFileError, match=r"needs 1,125,899,907 MB .* name another folder in REDWELL_MODELS"):
        download(replace(entry, size=1 << 50), tmp_path)
    assert server.asked == []


def test_two_downloads_of_one_file_do_not_meet(server: Files, entry: LocalModel, tmp_path: Path) -> None:

    with (tmp_path / "model.gguf.part").open("ab") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(LocalFileError, match="is being downloaded by another process"):
            download(entry, tmp_path)
