"""Nothing that documents or models wrote is markup, a link, a formula or a steering character in any rendering; shown with real programs."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from lxml import etree, html
from markdown_it import MarkdownIt
from rich.console import Console

from redwell.cli.progress import Progress
from redwell.diligence.deal import Deal
from redwell.diligence.deliver import write_report
from redwell.diligence.recheck import recheck, workbook_faults
from redwell.diligence.report import Basis, Cited, Entry, Exposure, Missing, NoneFound, Report, Row, Unread
from redwell.harness.types import Outcome, RunState
from redwell.journal.shown import shown, shown_json, shown_line
from redwell.room.formats import docx, pdf, xlsx
from redwell.room.room import Room, read_room
from redwell.room.types import Limits, Skipped

pytestmark = pytest.mark.xdist_group("hostile_outputs")

OWNED = "document.documentElement.setAttribute('data-owned','1')"
STEERING = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
CHROMIUM, OFFICE = shutil.which("chromium"), shutil.which("soffice")


@pytest.fixture(scope="module")
def beacon() -> Iterator[tuple[str, list[str]]]:
    """A server on this machine that nothing may ask; what was asked of it."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()


def payloads(url: str) -> list[str]:
    """What a document or a model may write; each holds a word by which it is found again."""
    return [
        f"<script>{OWNED};fetch('{url}/script')</script> word0",
        f'<img src="{url}/img" onerror="{OWNED}"> word1',
        f'</title></style></script><svg onload="{OWNED}"><image href="{url}/svg"/></svg> word2',
        f"\"'><a href=\"javascript:{OWNED}\" onclick='{OWNED}'>press</a> word3",
        f"[press]({url}/link) ![seen]({url}/image) <{url}/auto> {url}/bare www.evil.example word4",
        f'[press]: {url}/reference "title" word5',
        f'=HYPERLINK("{url}/formula","press") word6',
        f'=WEBSERVICE("{url}/service") word7',
        "=cmd|' /C calc'!A0 word8",
        "+SUM(1,1) word9", "-2+3 word10", "@SUM(1) word11",
        f'{{ HYPERLINK "{url}/field" }} {{ INCLUDEPICTURE "{url}/picture" }} word12',
        "{{ layout.title }} {% for x in y %} ${7*7} <%= 7*7 %> word13",
        "]]> &lt;script&gt;alert(1)&lt;/script&gt; &#x3c;b&#x3e; &copy word14",
        "_x003D_1+1 _x000D_ word15",
        "\x1b]0;owned\x07\x1b[2J\x1b[31m red \x9b2J word16",
        "invoice\u202etxt.exe \u2066isolated word17",
        "data:text/html,<script>1</script> file:///etc/passwd vbscript:x word18",
        "# heading word19", "> quote word20", "--- word21", "1. item word22", "```python word23", "~~~ word24",
    ]  # fmt: skip


@pytest.fixture(scope="module")
def files(beacon, tmp_path_factory) -> dict[str, bytes]:
    """Every rendering of a report in which each field holds each payload, over a room whose papers and file names do."""
    lines = payloads(beacon[0])
    folder = tmp_path_factory.mktemp("hostile")
    papers = folder / "papers"
    papers.mkdir()
    (papers / "all.txt").write_text("A letter.\n\n" + "\n\n".join(lines), encoding="utf-8")
    (papers / "<img src=x onerror=alert(1)> =1+1 [a](b)\n\x1b[2J\u202ecod.txt").write_text(
        "An innocent text of the room.", encoding="utf-8"
    )
    read_room(papers, folder / "store", jobs=1)
    room = Room.open(folder / "store")
    odd = next(document for document in room.documents() if document.path != "all.txt")
    cited = [_cited(room, room.document("all.txt").id, line.split("\x1b")[-1]) for line in lines]
    cited.append(_cited(room, odd.id, "An innocent text of the room."))
    loose = [*lines, "null \x00 half \ud800 none \ufffe word25"]
    entries = [
        Entry(
            f"F-{number:03d}", text, text, "Contracts", "High", "direct", (quote,), Exposure(1.0, 2.0, 3.0, text[:8], text, "", text), text,
            text, text, "kind", text, (text,),
        )
        for number, (text, quote) in enumerate(zip(loose, cited, strict=True), 1)
    ]  # fmt: skip
    report = Report(
        entries=entries,
        missing=[Missing(f"M-{n:03d}", text, text, text, "Tax", (cited[0],)) for n, text in enumerate(loose, 1)],
        none_found=[NoneFound(text, "Tax", text, text) for text in loose],
        rows=[Row(table, {text: text, "x": text}, (cited[n],)) for table in ("consents", "contracts") for n, text in enumerate(loose)],
        sections={"Contracts": "\n\n".join(loose)},
        summary="\n\n".join([*loose, *(f"- {text}" for text in loose)]),
        unread_because=" ".join(loose),
        salvaged=" ".join(loose),
    )  # fmt: skip
    account = room.accounting()
    account = type(account)(
        **{
            **{n: getattr(account, n) for n in account.__slots__},
            "not_read": tuple(Skipped(t, t, "unreadable") for t in loose),
        }
    )
    basis = Basis(
        room=loose[0], read_at="2026-03-02", accounting=account, coverage=0.9,
        unread=tuple(Unread(text, 1, 2, text) for text in loose), failures=tuple(loose), models={"root": loose[0]},
        usage=tuple({"role": "sub", "model": t, "calls": 1, "failed": 0, "input": 1, "output": 1, "cost": None} for t in loose),
        versions={"redwell": loose[1]},
        documents=tuple({"path": t, "id": "ab", "kind": t, "status": "read", "length": 1, "read": 1.0} for t in [*loose, odd.path]),
    )  # fmt: skip
    deal = Deal(target=" ".join(lines)[:300], buyer=lines[3], seller=lines[4])
    written = write_report(report, basis, deal, room, folder / "out")
    found = {path.name: path.read_bytes() for path in written}
    assert recheck(json.loads(found["report.json"]), room).faults == []
    return found


def _cited(room: Room, document: str, quote: str) -> Cited:
    citation = room.check(quote, document)
    assert citation.holds, quote
    return Cited(citation, room.place(citation.spans[0]))


def test_every_rendering_is_made(files):
    assert set(files) == {
        "report.json",
        "report.md",
        "red-flags-report.md",
        "report.html",
        "report.docx",
        "report.xlsx",
    }


@pytest.mark.parametrize("name", ["report.json", "report.md", "report.html", "report.docx", "report.xlsx"])
def test_no_rendering_holds_a_character_that_steers(name, files):
    if name.endswith("x"):
        with zipfile.ZipFile(io.BytesIO(files[name])) as package:
            texts = [package.read(part).decode() for part in package.namelist() if part.endswith(".xml")]
    else:
        texts = [files[name].decode("utf-8")]
    for text in texts:
        assert STEERING.findall(text.replace("\r\n", "\n").replace("\r", "")) == []
    assert any(re.search(r"x1b\\?\]0;owned|u001b\]0;owned", text) for text in texts), "it is shown, not left out"


def test_json_keeps_what_was_written(files, beacon):
    titles = {entry["title"] for entry in json.loads(files["report.json"])["entries"]}
    assert set(payloads(beacon[0])) <= titles
    assert "null \x00 half \ud800 none \ufffe word25" in titles


def test_html_has_its_own_script_and_no_active_word_besides(files):
    page = html.fromstring(files["report.html"])
    assert len(page.xpath("//script")) == 1
    assert page.xpath("//img|//svg|//iframe|//object|//embed|//form|//base|//link|//image|//video") == []
    assert page.xpath("//@*[starts-with(name(),'on')]") == []
    assert {value for value in page.xpath("//@href") if not value.startswith("#")} == set()
    policy = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    assert "default-src 'none'" in policy
    assert re.search(r"script-src 'sha256-[A-Za-z0-9+/]{43}='", policy)
    assert "49" not in page.text_content().split("word13")[0][-40:], "no template is filled in"


@pytest.mark.skipif(not CHROMIUM, reason="needs Chromium")
def test_a_browser_runs_nothing_of_it_and_asks_nobody(files, beacon, tmp_path):
    url, asked = beacon
    bad = "".join(f"<p>{text}</p>" for text in payloads(url)).replace("\x00", "")
    (tmp_path / "control.html").write_text(f"<html><body>{bad}</body></html>", encoding="utf-8")
    (tmp_path / "report.html").write_bytes(files["report.html"])
    asked.clear()
    assert 'data-owned="1"' in _dom(tmp_path / "control.html", tmp_path)
    assert "/img" in asked, "the same words as markup do harm, so the check below can fail"
    asked.clear()
    shown_page = _dom(tmp_path / "report.html", tmp_path)
    assert "data-owned=" not in html.tostring(_without_text(html.fromstring(shown_page)), encoding="unicode")
    assert html.fromstring(shown_page).xpath("//@data-owned") == []
    assert asked == []
    assert "word0" in shown_page


def _without_text(page):
    for element in page.iter():
        element.text = element.tail = None
    return page


def _dom(path: Path, home: Path) -> str:
    done = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={home / 'profile'}", "--virtual-time-budget=3000", "--dump-dom", path.as_uri()],
        capture_output=True, text=True, timeout=90, check=False,
    )  # fmt: skip
    assert done.stdout, done.stderr
    return done.stdout


def test_markdown_renders_without_a_link_a_picture_or_markup(files):
    page = html.fromstring(
        MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(files["report.md"].decode())
    )
    assert page.xpath("//a|//img|//script|//svg|//code|//pre|//s") == []
    allowed = {
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "p",
        "em",
        "strong",
        "ul",
        "ol",
        "li",
        "blockquote",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "div",
    }
    assert {element.tag for element in page.iter()} <= allowed
    for number in range(26):
        assert f"word{number}" in page.text_content()


def test_markdown_has_no_address_that_a_viewer_makes_a_link_of(files):
    assert re.findall(r"(?<!\\)\b(?:https?|ftp|file)://|\bwww\.", files["report.md"].decode(), re.IGNORECASE) == []


def test_word_has_only_its_own_fields_links_and_parts(files):
    with zipfile.ZipFile(io.BytesIO(files["report.docx"])) as package:
        names = package.namelist()
        relations = b"".join(package.read(name) for name in names if name.endswith(".rels"))
        parts = [etree.fromstring(package.read(name)) for name in names if name.endswith(".xml")]
    assert b"TargetMode" not in relations
    assert b"http://127.0.0.1" not in relations
    fields = {element.text.split()[0] for part in parts for element in part.iter("{*}instrText")}
    assert fields == {"PAGE", "PAGEREF"}
    links = [link.attrib for part in parts for link in part.iter("{*}hyperlink")]
    assert {name.rsplit("}", 1)[-1] for link in links for name in link} == {"anchor"}
    parsed = docx.read(files["report.docx"], "report.docx", Limits())
    text = "\n".join(unit.text for unit in parsed.views["final"])
    for number in range(26):
        assert f"word{number}" in text


def test_the_workbook_has_no_formula_link_or_part_of_anyone_else(files):
    with zipfile.ZipFile(io.BytesIO(files["report.xlsx"])) as package:
        names = package.namelist()
        sheets = [etree.fromstring(package.read(name)) for name in names if name.startswith("xl/worksheets/sheet")]
        relations = b"".join(package.read(name) for name in names if name.endswith(".rels"))
    assert [
        element for sheet in sheets for element in sheet.iter("{*}f", "{*}hyperlink", "{*}drawing", "{*}oleObjects")
    ] == []
    assert b"TargetMode" not in relations
    assert not [name for name in names if re.search(r"externalLink|connection|query|vba|embedding|media", name)]
    parsed = xlsx.read(files["report.xlsx"], "report.xlsx", Limits())
    text = "\n".join(unit.text for unit in parsed.views["final"])
    assert "_x003D_1+1 _x000D_ word15" in text, "Excel's own escapes are not read out of a document's words"
    assert workbook_faults(json.loads(files["report.json"]), files["report.xlsx"]) == []


@pytest.mark.skipif(not OFFICE, reason="needs LibreOffice")
def test_an_office_program_opens_both_shows_the_words_and_asks_nobody(files, beacon, tmp_path):
    asked = beacon[1]
    asked.clear()
    for name, data in (("words.docx", files["report.docx"]), ("lists.xlsx", files["report.xlsx"])):
        (tmp_path / name).write_bytes(data)
    subprocess.run(
        [OFFICE, f"-env:UserInstallation=file://{tmp_path}/profile", "--headless", "--convert-to", "pdf", "--outdir", str(tmp_path), str(tmp_path / "words.docx"), str(tmp_path / "lists.xlsx")],
        capture_output=True, timeout=120, check=True,
    )  # fmt: skip
    for made in ("words.pdf", "lists.pdf"):
        parsed = pdf.read((tmp_path / made).read_bytes(), made, Limits())
        text = re.sub(r"\s+", "", "\n".join(unit.text for unit in parsed.views["final"]))
        assert '=HYPERLINK("http' in text
        assert "+SUM(1,1)word9" in text
        assert "word24" in text
    assert asked == []


def test_a_terminal_gets_no_escape_sequence_of_a_document_or_model(files, tmp_path, beacon):
    (tmp_path / "output").mkdir()
    (tmp_path / "output" / "report.json").write_bytes(files["report.json"])
    progress = Progress(quiet=False, as_json=False)
    out = io.StringIO()
    progress.console = Console(file=out, force_terminal=True, color_system=None, width=100, highlight=False)
    lines = payloads(beacon[0])
    for line in lines:
        progress.event("note", {"text": line})
    progress.done(Outcome("salvaged", " ".join(lines), (), 3, RunState()), tmp_path)
    assert "\\x1b]0;owned\\x07" in out.getvalue()
    assert STEERING.findall(out.getvalue()) == []


def test_what_is_shown_keeps_everything_that_can_be_seen():
    plain = "Geschäftsführer “quoted” — 東京 naïve\u00a0NBSP\tתודה\u200d\n"
    assert shown(plain) == plain
    assert shown("a\r\nb\rc") == "a\nb\nc"
    assert shown("\x1b[2J\u202e\ud800\U000e0041") == "\\x1b[2J\\u202e\\ud800\\U000e0041"
    assert shown_line("a\nb\u2028c\u200bd") == "a\\nb\\u2028c\\u200bd"
    assert (
        json.loads(shown_json(json.dumps("\x9b\u202e\ud800\U000e0041x", ensure_ascii=False)))
        == "\x9b\u202e\ud800\U000e0041x"
    )
