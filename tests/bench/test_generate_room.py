"""A generated room: the same bytes for the same seed, the published mix, LAB's shape, and a key that holds."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from bench.made_rooms import assembled, digest

from redwell.bench.facts import grade as facts
from redwell.bench.generate import plan
from redwell.bench.generate.assemble import Assembled
from redwell.bench.generate.filler_source import FillerError
from redwell.bench.generate.papers import FOLDERS, Change, Signatures, Table
from redwell.bench.generate.plan import PlanError
from redwell.bench.generate.room import UNFINISHED, GenerateError, generate
from redwell.bench.generate.room import _write as write_job
from redwell.bench.generate.verify import verify
from redwell.bench.key import read_key
from redwell.bench.tasks import load_task, problems

pytestmark = pytest.mark.xdist_group("generated-room")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A room that is large enough for several processes to write it."""
    out = tmp_path_factory.mktemp("generated") / "small"
    generate(out, preset="small", seed="11", split="train", documents=160, with_pdf=True)
    return out


@pytest.fixture(scope="module")
def full() -> Assembled:
    return assembled("full", "2", "test", 2000)


# --- the same room again


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    for name, seed in (("one", "5"), ("again", "5"), ("other", "6")):
        generate(tmp_path / name, preset="desk", seed=seed, split="dev")
    one, again, other = (digest(tmp_path / name) for name in ("one", "again", "other"))
    assert [(path, data) for path, (data, _) in one.items()] == [(path, data) for path, (data, _) in again.items()]
    documents = {path: both for path, both in one.items() if path.startswith("documents/")}
    assert documents == {path: both for path, both in again.items() if path.startswith("documents/")}
    assert not set(documents) & set(other)


def test_one_process_writes_what_several_write(small: Path, tmp_path: Path) -> None:
    room = assembled("small", "11", "train", 160, with_pdf=True)
    for job in room.jobs[::9]:
        for path in job.paths:
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        write_job(job, tmp_path)
    alone, together = digest(tmp_path), digest(small / "documents")
    assert alone == {path: together[path] for path in alone}
    assert len(together) == 160


# --- what it looks like


def test_it_has_the_shape_of_lab(small: Path) -> None:
    assert problems(small) == []
    task = load_task(small)
    key = read_key(small / "answer_key.json")
    assert (
        task.instructions
        == f"Review the attached {key.room} data room and produce a red-flags report at `red-flags-report.md`."
    )
    assert task.deliverables == ("red-flags-report.md",)
    assert [line.id for line in task.criteria] == [f"C-{n:03}" for n in range(1, len(key.criteria) + 1)]
    assert sorted(path.name for path in small.iterdir()) == ["answer_key.json", "documents", "task.json"]


def test_names_and_folders_are_those_of_the_rooms_of_the_benchmark(small: Path) -> None:
    paths = [Path(path) for path in digest(small / "documents")]
    assert len({str(path).lower() for path in paths}) == len(paths)
    for path in paths:
        assert path.parent.as_posix() in FOLDERS.values()
        assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*\.(docx|xlsx|eml|pptx|txt|pdf)", path.name)
        assert len(path.name) <= 72


def test_the_kinds_of_files_have_the_published_shares(full: Assembled) -> None:
    kinds = Counter(Path(path).suffix[1:] for job in full.jobs for path in job.paths)
    assert sum(kinds.values()) == 2000
    for kind, share in plan.MIX.items():
        assert kinds[kind] / 2000 == pytest.approx(share, abs=0.005), kind


def test_with_pdf_some_papers_are_pdf_and_no_evidence_is_in_a_scan(small: Path) -> None:
    room = assembled("small", "11", "train", 160, with_pdf=True)
    kinds = Counter(job.sheet.kind for job in room.jobs)
    assert kinds["pdf"] >= 10
    assert kinds["scan"] >= 1
    told = {evidence.document for issue in room.key.issues for evidence in issue.evidence}
    assert not {path for job in room.jobs if job.sheet.kind == "scan" for path in job.paths} & told


def test_a_room_uses_the_wordings_of_its_split_only() -> None:
    for split in plan.SPLITS:
        room = assembled("small", "8", split, 120)
        assert {issue.split for issue in room.key.issues} == {split}
        assert {issue.kind for issue in room.key.issues} == {"direct", "cross-document", "absence", "computed"}


def test_numbers_of_issues_decoys_and_criteria_are_those_of_the_preset() -> None:
    for preset, documents in (("desk", 8), ("desk", 60), ("small", 60), ("small", 200)):
        room = assembled(preset, "9", "train", documents)
        decoys = sum(issue.decoy for issue in room.key.issues)
        issues = len(room.key.issues) - decoys
        low, high = plan.PRESETS[preset].issues
        assert low <= issues <= high
        assert issues // 2 - 1 <= decoys <= issues // 2
        assert sum(len(job.paths) for job in room.jobs) == documents
        assert len({criterion.title for criterion in room.key.criteria}) == len(room.key.criteria)
        texts = json.dumps([(it.title, it.match_criteria) for it in room.key.criteria], ensure_ascii=False)
        assert not re.search(r"⟦|⟧|\{[§@]|\{file:|P\d+/", texts)


def test_rooms_that_nobody_sized_differ_in_size_by_their_seed() -> None:
    sizes = [plan.checked("small", None, str(seed)) for seed in range(40)]
    assert sizes == [plan.checked("small", None, str(seed)) for seed in range(40)]
    assert len(set(sizes)) > 20
    assert 60 <= min(sizes) < 90 < 150 < max(sizes) <= 200
    assert plan.checked("full", None, "1") == 3000
    assert plan.checked("small", 77, "1") == 77


def test_a_full_room_is_planned_with_its_criteria_and_folders(full: Assembled) -> None:
    room = full
    assert 440 <= len(room.key.criteria) <= 1100
    folders = {str(Path(path).parent) for job in room.jobs for path in job.paths}
    assert 60 <= len(folders) <= 90
    assert 13 <= len({folder.split(".")[0] for folder in folders}) <= 21
    assert sum(len(job.paths) for job in room.jobs) == 2000
    assert sum(job.sheet.characters for job in room.jobs) / 2000 > 55_000


# --- the key holds


@pytest.mark.parametrize("split", plan.SPLITS)
def test_every_quote_stands_and_every_absence_holds(split: str, tmp_path: Path) -> None:
    generate(tmp_path / "task", preset="desk", seed=f"holds-{split}", split=split, documents=40)
    assert verify(tmp_path / "task") == []


def test_the_larger_room_holds_too_and_its_store_can_be_used_again(small: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert verify(small, store) == []
    assert verify(small, store) == []


def test_verify_finds_what_was_changed(tmp_path: Path) -> None:
    task = tmp_path / "task"
    key = generate(task, preset="desk", seed="tampered", split="train", documents=40)
    lost = key.issues[0].evidence[0].document
    (task / "documents" / lost).write_text("Nothing of the kind.", encoding="utf-8")
    issue = next(issue for issue in key.issues if issue.absences)
    filled = task / "documents" / "extra.txt"
    filled.write_text(f"Here it is: {' and '.join(issue.absences[0].terms)}.", encoding="utf-8")
    found = verify(task)
    assert any(lost in problem for problem in found)
    assert any("extra.txt" in problem and issue.id in problem for problem in found)
    whole = json.loads((task / "answer_key.json").read_text(encoding="utf-8"))
    for terms in ([], [" "]):
        next(one for one in whole["issues"] if one["id"] == issue.id)["absences"][0]["terms"] = terms
        (task / "answer_key.json").write_text(json.dumps(whole), encoding="utf-8")
        assert any(f"{issue.id} ({issue.slug}): an absence says nothing" in problem for problem in verify(task))
    given = json.loads((task / "task.json").read_text(encoding="utf-8"))
    given["criteria"].pop()
    for content in (json.dumps(given), "[" * 100_000):
        (task / "task.json").write_text(content, encoding="utf-8")
        assert any(problem.startswith("task.json") for problem in verify(task))


# --- what can go wrong


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"preset": "huge"}, "there is no preset 'huge'; the presets are desk, small, full"),
        ({"split": "all"}, "there is no split 'all'; the splits are train, dev, test"),
        ({"seed": "  "}, "the seed is empty"),
        ({"seed": "\udcff"}, "the seed is not UTF-8 text"),
        ({"documents": 7}, "a room of the preset desk has 8 to 60 documents, not 7"),
        ({"documents": 61}, "a room of the preset desk has 8 to 60 documents, not 61"),
    ],
)
def test_what_cannot_be_made_is_said_plainly_and_leaves_nothing(
    arguments: dict[str, object], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(PlanError, match=re.escape(reason)):
        generate(tmp_path / "task", **{"preset": "desk", "seed": "1", "split": "train", **arguments})  # type: ignore[arg-type]
    assert not (tmp_path / "task").exists()


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(GenerateError, match="is not empty"):
        generate(tmp_path, preset="desk", seed="1", split="train")
    with pytest.raises(GenerateError, match="is a file"):
        generate(tmp_path / "mine.txt", preset="desk", seed="1", split="train")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_killed_generation_says_so_and_the_same_command_makes_the_room(small: Path, tmp_path: Path) -> None:
    task = tmp_path / "task"
    command = [
        sys.executable,
        "-m",
        "redwell",
        "generate",
        "room",
        "--preset",
        "small",
        "--seed",
        "11",
        "--documents",
        "160",
    ]
    command += ["--with-pdf", "--out", str(task)]
    begun = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while begun.poll() is None and time.monotonic() < deadline and not list(task.glob("documents/*/*/*.docx")):
        time.sleep(0.01)
    begun.send_signal(signal.SIGKILL)
    begun.communicate()
    assert (task / UNFINISHED).is_file()
    assert not (task / "answer_key.json").exists()
    with pytest.raises(GenerateError, match="not finished"):
        verify(task)
    with pytest.raises(GenerateError, match="other arguments"):
        generate(task, preset="small", seed="12", split="train", documents=160, with_pdf=True)
    again = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert again.returncode == 0, again.stderr
    assert "documents 160" in again.stdout
    assert digest(task / "documents") == digest(small / "documents")
    assert (task / "answer_key.json").read_bytes() == (small / "answer_key.json").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["room", "--preset", "huge", "--out", "task"], "no preset 'huge'"),
        (["room", "--split", "all", "--out", "task"], "no split 'all'"),
        (["room", "--preset", "desk", "--documents", "3", "--out", "task"], "8 to 60 documents"),
        (["room", "--preset", "desk", "--filler", "nowhere", "--out", "task"], "no such folder"),
        (["room", "--preset", "desk", "--out", "/proc/redwell/task"], "/proc"),
        (["verify", "nowhere"], "nowhere: there is no such folder"),
        (["verify", "."], ". is the folder of no generated task: it has no answer_key.json"),
        (["verify", sys.executable], "is a file; name a folder"),
        (["room", "--out", "."], "is not empty; name another folder with --out"),
    ],
)
def test_bad_input_on_the_command_line_gets_a_sentence(arguments: list[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    ended = subprocess.run(
        [sys.executable, "-m", "redwell", "generate", *arguments],
        capture_output=True, text=True, cwd=tmp_path, timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode in (2, 3)
    assert ended.stderr.startswith("redwell: ")
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr
    assert "Error" not in ended.stderr


def test_a_full_disk_ends_with_a_sentence_and_the_same_command_begins_again(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("making a small file system takes the superuser")
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "none", disk], check=False).returncode:
        pytest.skip("no file system can be mounted here")
    command = [sys.executable, "-m", "redwell", "generate", "room", "--preset", "desk", "--out", str(disk / "task")]
    try:
        full = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert full.returncode == 3
        assert "No space left on device" in full.stderr
        assert "Traceback" not in full.stderr
        assert (disk / "task" / UNFINISHED).is_file()
        subprocess.run(["mount", "-o", "remount,size=8m", disk], check=True)
        assert subprocess.run(command, capture_output=True, timeout=60, check=False).returncode == 0
        assert verify(disk / "task") == []
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def test_the_summary_the_missing_and_the_consents_are_asked_for_under_their_headings(full: Assembled) -> None:
    asked = {criterion.check.section: criterion for criterion in full.key.criteria if criterion.style == "report"}
    assert set(asked) == {"executive summary", "missing", "consents"}
    headings = {
        "executive summary": "Executive summary",
        "missing": "Missing, unsigned and unreadable documents",
        "consents": "Consents and approvals",
    }
    for section, criterion in asked.items():
        subject = criterion.check.about[0][0]
        said = f"# {headings[section]}\n\nWe could not find the paper that {subject} should have signed; it is the gravest point.\n"
        elsewhere = f"# Basis of this report\n\nWe could not find the paper that {subject} should have signed.\n"
        assert facts.holds(said, criterion, full.key)[0]
        assert not facts.holds(elsewhere, criterion, full.key)[0]


def test_everyday_papers_come_as_drafts_copies_later_versions_and_with_what_is_not_seen_at_once(
    full: Assembled,
) -> None:
    papers = [job for job in full.jobs if job.sheet.paper.id.startswith("everyday-")]
    assert any(len(job.paths) > 1 for job in papers)
    drafts = [job for job in papers if job.sheet.paper.status == "draft"]
    assert drafts
    for job in drafts:
        signed = [line for line in job.laid().lines if isinstance(line, Signatures)]
        assert signed
        assert not any(sign.signed or sign.name for line in signed for sign in line.lines)
        assert "-draft" in Path(job.paths[0]).name
    later = [job for job in papers if "(Conformed Copy)" in job.sheet.paper.title]
    # Some everyday papers share a title; the first of them is what a copy may follow.
    dated = sorted(((job.day, job.sheet.paper.title) for job in papers if not job.sheet.paper.status), reverse=True)
    titles = {title: day for day, title in dated}
    assert later
    assert all(job.day >= titles[job.sheet.paper.title.removesuffix(" (Conformed Copy)")] for job in later)
    assert any(isinstance(block, Change) for job in papers for block in job.sheet.paper.blocks)
    books = [job for job in papers if job.sheet.kind == "xlsx"]
    assert any(isinstance(line, Table) and line.hidden for job in books[:60] for line in job.laid().lines)


def test_running_text_of_a_users_own_is_named_in_a_notice(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    for number in range(3):
        words = "\n\n".join(
            f"The parties keep the premises of building {number}-{n} clean and tell the other side of the hours of work."
            for n in range(40)
        )
        (texts / f"form-{number}.txt").write_text(words, encoding="utf-8")
    with pytest.raises(FillerError, match="licence"):
        generate(tmp_path / "none", preset="desk", seed="1", split="train", filler=texts)
    assert not (tmp_path / "none").exists()
    (texts / "LICENSE").write_text("May be passed on freely.", encoding="utf-8")
    generate(tmp_path / "task", preset="desk", seed="1", split="train", filler=texts)
    notice = (tmp_path / "task" / "NOTICES.txt").read_text(encoding="utf-8")
    assert "form-2.txt" in notice
    assert "May be passed on freely." in notice
    assert verify(tmp_path / "task") == []
