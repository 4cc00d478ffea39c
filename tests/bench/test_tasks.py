"""Tasks as LAB writes them are loaded as they are; what is wrong with one is told with file and field; none leads out of its tree."""

from __future__ import annotations

import json
import os
import re
import string
from pathlib import Path
from typing import Any

import pytest
from bench.task_trees import CRITERION, lease_task, task, write_task
from hypothesis import given, settings
from hypothesis import strategies as st

from redwell.bench.tasks import BenchTask, TaskError, check, load_task, load_tasks, problems


def test_a_diligence_task_of_lab_loads_as_it_is(shared: Path) -> None:
    (loaded,) = load_tasks(shared / "data" / "lab_format")
    assert loaded.id == "fixture_diligence"
    assert loaded.title == "Diligence Review: Prairie Aerostructures Holdings"
    assert loaded.deliverables == ("red-flags-report.md",)
    assert [line.id for line in loaded.criteria] == [f"C-{n:03}" for n in range(1, 7)]
    assert loaded.criteria[2].title == "Exclude TWA-MBD-TOL from Rhône-Aigle license"
    assert loaded.criteria[0].deliverables == ("red-flags-report.md",)
    assert loaded.key is None
    assert loaded.work_type == "review"
    assert len(loaded.tags) == 6


def test_a_folder_whose_name_is_no_text_is_refused(tmp_path: Path) -> None:
    write_task(tmp_path / os.fsdecode(b"caf\xe9"))
    write_task(tmp_path / "caf\u00e9")
    tasks, found = check(tmp_path)
    assert [one.id for one in tasks] == ["caf\u00e9"]
    [said] = found
    assert said.endswith("folder: its name is not UTF-8: rename it")


def test_firm_knowledge_tasks_share_the_documents_of_their_tree(shared: Path, tmp_path: Path) -> None:
    listed = json.loads((shared / "data" / "lab_format" / "firm-knowledge-tasks.json").read_text(encoding="utf-8"))
    tree = tmp_path / "firm-knowledge"
    (tree / "dms" / "matters" / "harrowgate-00001").mkdir(parents=True)
    (tree / "dms" / "matters" / "harrowgate-00001" / "memo.txt").write_text("A second request.")
    for one in listed["taskList"]:
        native = {"id": one["source_id"], "title": one["title"], "instructions": one["prompt"], "docs_dir": "../../dms"}
        native["criteria"] = [
            {name: line[name] for name in ("id", "title", "match_criteria")} for line in one["criteria"]
        ]
        folder = tree / "tasks" / one["source_id"]
        folder.mkdir(parents=True)
        (folder / "task.json").write_text(json.dumps(native), encoding="utf-8")
    loaded = load_tasks(tree)
    assert len(loaded) == listed["tasks"] == 250
    assert sum(len(one.criteria) for one in loaded) == listed["criteria_total"] == 2623
    assert {one.documents for one in loaded} == {(tree / "dms").resolve()}
    assert loaded[0].id == "tasks/001"
    assert loaded[0].deliverables == ()
    alone = load_task(tree / "tasks" / "001", tree)
    assert alone == loaded[0]
    with pytest.raises(TaskError, match=r"docs_dir: '\.\./\.\./dms' leads out of .*name the tree"):
        load_task(tree / "tasks" / "001")


def test_every_task_that_labs_inventory_lists_can_stand_in_a_tree(shared: Path, tmp_path: Path) -> None:
    """The inventory has no criteria: it shows the places, deliverables, kinds and tags of all 2,010 tasks."""
    listed = json.loads((shared / "data" / "lab_format" / "lab-corpus.json").read_text(encoding="utf-8"))
    for one in listed["taskList"]:
        names = one["deliverables"] or None
        deliverables = {name: name for name in names} if one["area"] != "contracts" and names else names
        write_task(
            tmp_path / one["area"] / one["slug"],
            title=one["title"],
            deliverables=deliverables,
            work_type=None if one["work_type"] in ("", "(none)") else one["work_type"],
            tags=one["tags"] or None,
        )
    loaded = load_tasks(tmp_path)
    assert len(loaded) == 2010 == listed["tasks"]
    assert len({one.id for one in loaded}) == 2010


@pytest.mark.parametrize(
    ("deliverables", "names"),
    [
        ({"Memo": "memo.docx", "Tracker": "tracker.xlsx"}, ("memo.docx", "tracker.xlsx")),
        (["memo.docx", "memo.docx"], ("memo.docx",)),
        (None, ()),
        ({}, ()),
    ],
)
def test_deliverables_are_a_map_or_a_list_or_absent(tmp_path: Path, deliverables: Any, names: tuple[str, ...]) -> None:
    assert load_task(write_task(tmp_path / "t", deliverables=deliverables)).deliverables == names


def test_without_deliverables_of_its_own_a_task_wants_what_its_criteria_look_at(tmp_path: Path) -> None:
    criteria = [
        {**CRITERION, "deliverables": ["redline.docx"], "evaluation_options": {"include_docx_redlines": True}},
        {**CRITERION, "id": "C-002"},
    ]
    loaded = load_task(write_task(tmp_path / "t", deliverables=None, criteria=criteria))
    assert loaded.deliverables == ("redline.docx",)
    assert [line.include_docx_redlines for line in loaded.criteria] == [True, False]


def test_the_agent_is_given_no_word_of_the_rubric(tmp_path: Path) -> None:
    loaded = load_task(write_task(tmp_path / "t", title="TITLE-MARK"))
    given_ = loaded.for_agent()
    assert (given_.id, given_.instructions, given_.deliverables) == ("t", loaded.instructions, loaded.deliverables)
    assert "TITLE-MARK" not in repr(given_)
    assert "consent" not in repr(given_)


def test_all_problems_of_a_tree_are_told_at_once_with_file_and_field(tmp_path: Path) -> None:
    write_task(
        tmp_path / "one",
        title=" ",
        instructions=None,
        criteria=[
            {"id": "A", "title": "x", "weight": 2, "deliverables": {"a": "b"}},
            {"id": "B", "title": "x", "match_criteria": "PASS", "evaluation_options": {"include_docx_redlines": "yes"}},
            7,
        ],
        tags="due-diligence",
    )
    write_task(tmp_path / "two", criteria=[CRITERION, CRITERION], docs_dir="..")
    write_task(tmp_path / "three", criteria=[])
    (tmp_path / "four").mkdir()
    (tmp_path / "four" / "task.json").write_text('{"title": ')
    write_task(tmp_path / "good")
    said = [line.replace(str(tmp_path), "T") for line in problems(tmp_path)]
    assert said == [
        "T/four/task.json: file: is not valid JSON: Expecting value: line 1 column 11 (char 10)",
        "T/one/task.json: title: must not be empty",
        "T/one/task.json: instructions: is missing",
        "T/one/task.json: criteria[0].match_criteria: is missing",
        "T/one/task.json: criteria[0].deliverables: must be a list of file names",
        "T/one/task.json: criteria[0].weight: criteria have no weights: each is passed or failed; take it out",
        "T/one/task.json: criteria[1].evaluation_options.include_docx_redlines: must be a boolean",
        "T/one/task.json: criteria[2]: must be an object with fields",
        "T/one/task.json: tags: must be a list",
        "T/three/task.json: criteria: must not be empty",
        "T/two/task.json: criteria[1].id: 'C-001' is the id of criteria[0] already",
        "T/two/task.json: docs_dir: '..' holds the task itself, so that an agent would see the rubric",
    ]
    tasks, _ = check(tmp_path)
    assert [one.id for one in tasks] == ["good"]
    with pytest.raises(TaskError) as raised:
        load_tasks(tmp_path)
    assert str(raised.value).replace(str(tmp_path), "T").split("\n") == said


@pytest.mark.parametrize(
    ("docs_dir", "said"),
    [
        ("/etc", "must be a path relative to the task's folder"),
        ("../../../..", "leads out of"),
        ("../out", "leads out of"),
        ("../.git", "leads into a hidden folder"),
        (".", "holds the task itself"),
        ("../other", "holds task.json"),
        ("../keyed", "holds deep/answer_key.json"),
        ("../file.txt", "is not a folder"),
        ("a\nb", "must be a path relative"),
        ("x" * 300, "is longer than a path can be"),
    ],
)
def test_documents_are_nowhere_but_in_a_plain_folder_of_the_tree(
    tmp_path: Path, docs_dir: str, said: str | None
) -> None:
    tree, outside = tmp_path / "tree", tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("secret")
    write_task(tree / "t", docs_dir=docs_dir)
    write_task(tree / "other")
    (tree / ".git").mkdir()
    (tree / "keyed" / "deep").mkdir(parents=True)
    (tree / "keyed" / "deep" / "answer_key.json").write_text("{}")
    (tree / "file.txt").write_text("")
    (tree / "out").symlink_to(outside)
    with pytest.raises(TaskError, match=f"docs_dir: .*{said}"):
        load_task(tree / "t", tree)


def test_a_documents_folder_that_is_a_link_out_of_the_tree_is_refused(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = write_task(tmp_path / "tree" / "t")
    (folder / "documents").symlink_to(outside)
    with pytest.raises(TaskError, match="documents: 'documents' leads out of"):
        load_task(folder, tmp_path / "tree")


def test_a_rubric_among_the_documents_is_refused(tmp_path: Path) -> None:
    folder = lease_task(tmp_path / "t")
    write_task(folder / "documents" / "copied")
    with pytest.raises(TaskError, match=r"documents: 'documents' holds copied/task\.json"):
        load_tasks(tmp_path)


def test_a_task_file_that_is_no_plain_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / "task.json")
    (tmp_path / "secret.json").write_text(json.dumps(task()))
    (tmp_path / "link").mkdir()
    (tmp_path / "link" / "task.json").symlink_to(tmp_path / "secret.json")
    (tmp_path / "big").mkdir()
    with (tmp_path / "big" / "task.json").open("wb") as file:
        file.truncate(40_000_000)
    said = [line.partition("file: ")[2] for line in problems(tmp_path)]
    assert said == [
        "is larger than 32 MB, which no task needs",
        "is a link; put the file itself there",
        "must be a regular file",
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[" * 200_000, "nested too deeply"),
        (b'{"title": ' + b"9" * 5000 + b"}", "a number of thousands of digits"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"null", "must be an object with fields"),
        (b'{"title": "\\ud800", "instructions": "x", "criteria": []}', "half of a character"),
    ],
)
def test_hostile_json_is_refused_with_a_reason(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "task.json").write_bytes(content)
    with pytest.raises(TaskError, match=said):
        load_task(tmp_path / "t")


def test_a_deliverable_stays_in_the_output_folder(tmp_path: Path) -> None:
    for name in ("../report.md", "/etc/report.md", "a\\b.md", "a\nb.md", "x" * 300):
        with pytest.raises(TaskError, match="deliverables: "):
            load_task(write_task(tmp_path / "t", deliverables=[name]))


def test_a_folder_without_tasks_is_told(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"there is no task\.json in this folder"):
        load_tasks(tmp_path)
    with pytest.raises(TaskError, match="there is no such folder of tasks"):
        load_tasks(tmp_path / "nowhere")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
_FIELDS = ("title", "instructions", "criteria", "deliverables", "docs_dir", "work_type", "tags")


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(st.sampled_from(_FIELDS), _JSON),
    st.lists(
        st.dictionaries(
            st.sampled_from(("id", "title", "match_criteria", "deliverables", "evaluation_options", "weight")), _JSON
        ),
        max_size=3,
    ),
)
def test_whatever_a_file_says_it_is_a_task_or_is_refused_in_plain_lines(
    tmp_path_factory: pytest.TempPathFactory, changes: dict[str, Any], criteria: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("any") / "t"
    folder.mkdir()
    content = {**task(), **changes}
    if "criteria" not in changes and criteria:
        content["criteria"] = criteria
    (folder / "task.json").write_text(json.dumps(content), encoding="utf-8")
    told = problems(folder)
    assert all(line.startswith(f"{folder}/task.json: ") and "input_value" not in line for line in told)
    if told:
        with pytest.raises(TaskError):
            load_task(folder)
    else:
        loaded = load_task(folder)
        assert isinstance(loaded, BenchTask)
        assert len({line.id for line in loaded.criteria}) == len(loaded.criteria) > 0
        assert all(set(name) - set(string.whitespace) for name in loaded.deliverables)


def test_a_rubric_or_key_among_the_documents_is_known_under_any_name(tmp_path: Path) -> None:
    task = lease_task(tmp_path / "task")
    (task / "answer_key.json").write_text('{"answers": 1}')
    assert load_task(task).key is not None
    for name, copied in (("Task.JSON", "lease"), ("old/notes.txt", "answer_key.json"), ("z.txt", "task.json")):
        place = task / "documents" / name
        place.parent.mkdir(exist_ok=True)
        place.write_bytes((task / copied).read_bytes() if copied != "lease" else b"x")
        with pytest.raises(TaskError, match=f"holds {re.escape(name)}, so that an agent would see"):
            load_task(task)
        place.unlink()
    (task / "documents" / "link.txt").symlink_to(task / "task.json")  # is not read
    load_task(task)
