"""Rollouts in the forms of other trainers: what is written comes back as it was, and what a form cannot hold is told."""

from __future__ import annotations

import asyncio
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bench.task_trees import lease_task
from char_policy import block, policy
from hypothesis import given
from hypothesis import strategies as st
from servers.scripted import Scripted, use_tool
from typer.testing import CliRunner

from redwell.bench import verdicts
from redwell.bench.cell import Cell, carry_out
from redwell.bench.verdicts import Verdict, VerdictSet
from redwell.cli.app import app
from redwell.journal.journal import Journal
from redwell.journal.trajectory import exchanges
from redwell.train.advantages import advantages
from redwell.train.capture import segments
from redwell.train.config import RlRecipe, read_recipe
from redwell.train.export.sft_jsonl import messages_of
from redwell.train.export.source import Source, pieces, played, sources, turns
from redwell.train.export.tinker_datums import data_of, datum_line, datum_of
from redwell.train.export.verifiers_traces import trace_line
from redwell.train.export.write import FORMATS, export
from redwell.train.ledger import Ledger
from redwell.train.setup import freeze
from redwell.train.types import Datum, Rollout, Segment, TrainingError

pytestmark = pytest.mark.xdist_group("export")

LOOK = block("print(room.search('rent'))")
LONG = block("print('word ' * 900)")
END = block("submit()")
SHORT = {"prompt": "short", "capture": True, "root_temperature": 1.0, "salvage": False, "idle_turns": 2, "max_turns": 6}


def run(task: Path, out: Path, replies: Any, **settings: Any) -> Path:
    """A run of a cell whose root is scripted; it never finds its task."""
    with Scripted(replies) as server:
        cell = Cell(
            task=task.name, folder=str(task), tree=str(task), harness="rlm", root=f"openai:policy@{server.url}", sub="reader", repeat=1,
            run=str(out), store=str(task.parent / f"{task.name}.store"), settings=settings,
        )  # fmt: skip
        asyncio.run(carry_out(cell, lambda *told: None))
    return out


def graded(folder: Path, *outcomes: str) -> None:
    given_ = tuple(Verdict(f"C-{number}", outcome) for number, outcome in enumerate(outcomes))  # type: ignore[arg-type]
    verdicts.write_set(folder, VerdictSet("facts", "leases", given_))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A group of four rollouts: one scored 1, one 0.5, one without a verdict, and one whose history was compacted, scored 0."""
    base = tmp_path_factory.mktemp("export")
    task = lease_task(base / "leases")
    folder = base / "runs"
    graded(run(task, folder / "0", policy([LOOK, END]), **SHORT), "pass", "pass")
    graded(run(task, folder / "1", policy([("x = [", "length"), END]), **SHORT), "pass", "fail")
    run(task, folder / "2", policy([LOOK]), **SHORT)
    graded(
        run(task, folder / "3", policy([LONG, LONG, LONG, END]), **SHORT, context_tokens=1_500, output_head=4_000), "fail", "fail"
    )  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def with_tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run by tool calls, whose tokens were not captured."""
    base = tmp_path_factory.mktemp("tools")
    calls = [use_tool("python", {"code": "print(room.tree())"}), use_tool("python", {"code": "submit()"})]
    return run(lease_task(base / "leases"), base / "run", calls, idle_turns=2, max_turns=2)


def lines(folder: Path, format_: str, tmp_path: Path, **given: Any) -> list[dict[str, Any]]:
    export([folder], format_, tmp_path / "out.jsonl", **given)
    return [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]


# --- where rollouts come from -------------------------------------------------------------------------------------------------


def test_runs_of_one_task_are_a_group_with_its_advantages(runs: Path) -> None:
    found = sources([runs])
    assert [one.rollout.id for one in found] == ["leases/0", "leases/1", "leases/2", "leases/3"]
    assert [one.rollout.reward for one in found] == [1.0, 0.5, None, 0.0]
    assert [one.advantage for one in found] == advantages([1.0, 0.5, None, 0.0])
    assert found[2].rollout.status == "unscorable"
    assert all(one.rollout.trained_tokens for one in found)


def test_a_run_that_is_named_twice_counts_once(runs: Path) -> None:
    assert len(sources([runs, runs / "0", runs])) == 4


# --- conversations ------------------------------------------------------------------------------------------------------------


def test_conversations_come_back_as_they_were(runs: Path, with_tools: Path, tmp_path: Path) -> None:
    for folder in (runs / "0", with_tools):
        asked = played(folder).exchanges
        (line,) = lines(folder, "sft", tmp_path, arguments="strings")
        assert messages_of(line["messages"]) == [*asked[-1].asked, asked[-1].answer]
        (line,) = lines(folder, "sft", tmp_path, arguments="objects")
        found = messages_of(line["messages"])
        for message in (said := [*asked[-1].asked, asked[-1].answer]) and [*found, *said]:
            for call in message.get("tool_calls", ()):
                call["arguments"] = json.loads(call["arguments"])
        assert found == said


def test_tool_calls_are_written_in_openais_words(with_tools: Path, tmp_path: Path) -> None:
    (line,) = lines(with_tools, "sft", tmp_path)
    roles = [message["role"] for message in line["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "assistant"]
    call = line["messages"][2]["tool_calls"][0]
    assert call["type"] == "function"
    assert call["function"] == {"name": "python", "arguments": {"code": "print(room.tree())"}}
    assert line["messages"][3]["tool_call_id"] == call["id"]
    assert line["messages"][3]["name"] == "python"
    assert [tool["function"]["name"] for tool in line["tools"]] == ["python"]
    assert set(line["tools"][0]["function"]) == {"name", "description", "parameters"}
    (text,) = lines(with_tools, "sft", tmp_path, arguments="strings")
    assert text["messages"][2]["tool_calls"][0]["function"]["arguments"] == '{"code": "print(room.tree())"}'


def test_no_answer_is_learned_twice_after_a_compaction(runs: Path, tmp_path: Path) -> None:
    with Journal.open(runs / "3", read_only=True) as journal:
        answers = [one.answer["content"] for one in exchanges(journal) if one.answer]
    found = lines(runs / "3", "sft", tmp_path)
    assert len(found) > 1
    learned = [
        message["content"]
        for line in found
        for message in line["messages"]
        if message["role"] == "assistant" and message.get("weight") != 0
    ]
    assert learned == answers
    assert any(message.get("weight") == 0 for line in found[1:] for message in line["messages"])


def test_an_answer_that_was_cut_is_part_of_its_conversation(runs: Path, tmp_path: Path) -> None:
    (line,) = lines(runs / "1", "sft", tmp_path)
    assert next(m["content"] for m in line["messages"] if m["role"] == "assistant") == "x = ["
    assert line["reward"] == 0.5


def test_a_call_with_broken_arguments_is_left_out_where_objects_are_wanted(tmp_path: Path) -> None:
    task = lease_task(tmp_path / "leases")
    folder = run(
        task, tmp_path / "run", [use_tool("python", "{'code': 1"), use_tool("python", {"code": "1"})], max_turns=2
    )
    told = export([folder], "sft", tmp_path / "strings.jsonl", "strings")
    assert (told.lines, dict(told.left_out)) == (1, {})
    with pytest.raises(TrainingError, match="arguments that are no JSON object; write them as strings"):
        export([folder], "sft", tmp_path / "objects.jsonl", "objects")
    assert not (tmp_path / "objects.jsonl").exists()


# --- rows ---------------------------------------------------------------------------------------------------------------------


def test_a_task_is_one_row_that_tells_nothing_of_its_rubric(runs: Path, tmp_path: Path) -> None:
    (first,) = played(runs / "0").exchanges[:1]
    for format_ in ("verl", "skyrl", "trl", "nemo-gym"):
        (row,) = lines(runs, format_, tmp_path)
        prompt = row["responses_create_params"]["input"] if format_ == "nemo-gym" else row["prompt"]
        assert [(one["role"], one["content"]) for one in prompt] == [
            (one["role"], one["content"]) for one in first.asked
        ]
        assert "PASS if" not in json.dumps(row)
        assert "Consent" not in json.dumps(row)


def test_rows_have_the_fields_that_their_trainers_read(with_tools: Path, tmp_path: Path) -> None:
    (row,) = lines(with_tools, "verl", tmp_path)
    assert row["reward_model"] == {"style": "rule", "ground_truth": "leases"}
    assert (row["data_source"], row["extra_info"]["index"]) == ("redwell", 0)
    (row,) = lines(with_tools, "skyrl", tmp_path)
    assert (row["env_class"], row["reward_spec"]) == ("redwell", {"method": "rule", "ground_truth": "leases"})
    (row,) = lines(with_tools, "nemo-gym", tmp_path)
    assert row["agent_ref"] == {"type": "responses_api_agents", "name": "redwell"}
    (tool,) = row["responses_create_params"]["tools"]
    assert (tool["type"], tool["name"]) == ("function", "python")


# --- traces -------------------------------------------------------------------------------------------------------------------


def paths(trace: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The nodes from each root to its leaf."""
    inner = {node["parent"] for node in trace["nodes"]}
    found = []
    for leaf in range(len(trace["nodes"])):
        if leaf not in inner:
            path, at = [], leaf
            while at is not None:
                path.append(trace["nodes"][at])
                at = trace["nodes"][at]["parent"]
            found.append(path[::-1])
    return found


@pytest.mark.parametrize("number", ["0", "1", "3"])
def test_the_branches_of_a_trace_are_the_segments(runs: Path, number: str, tmp_path: Path) -> None:
    (line,) = lines(runs / number, "verifiers", tmp_path)
    (trace,) = line["traces"]
    made = segments(turns(runs / number))
    branches = paths(trace)
    assert len(branches) == len(made) == (1 if number != "3" else len(made))
    for path, segment in zip(branches, made, strict=True):
        assert tuple(one for node in path for one in node.get("token_ids", ())) == segment.ids
        assert tuple(one for node in path for one in node.get("mask", ())) == segment.trained
        sampled = [one for node in path for one in node.get("logprobs", ())]
        assert sampled == [one for one, trained in zip(segment.logprobs, segment.trained, strict=True) if trained]
    said = [node["message"]["content"] for node in trace["nodes"] if node.get("sampled")]
    assert said == [one.answer["content"] for one in played(runs / number).exchanges if one.answer]


def test_a_rollout_that_cannot_be_scored_has_no_reward_in_its_trace(runs: Path, tmp_path: Path) -> None:
    found = lines(runs, "verifiers", tmp_path)
    assert [
        line["traces"][0]["rewards"]["reward"] and line["traces"][0]["rewards"]["reward"]["score"] for line in found
    ] == [1.0, 0.5, None, 0.0]
    assert [line["ok"] for line in found] == [True, True, False, True]
    assert found[2]["traces"][0]["errors"] == [{"type": "TaskError", "message": "no judge has graded the run"}]
    assert {line["group"]["id"] for line in found} == {"leases"}
    wanted = advantages([1.0, 0.5, None, 0.0])
    for line, advantage in zip(found, wanted, strict=True):
        given_ = {one for node in line["traces"][0]["nodes"] for one in node.get("advantages", ())}
        assert given_ == (set() if advantage is None else {advantage})


def test_a_trace_of_tool_calls_has_messages_without_tokens(with_tools: Path, tmp_path: Path) -> None:
    (line,) = lines(with_tools, "verifiers", tmp_path)
    (trace,) = line["traces"]
    (path,) = paths(trace)
    assert [node["message"]["role"] for node in path] == ["system", "user", "assistant", "tool", "assistant"]
    assert not any("token_ids" in node for node in path)
    assert path[2]["message"]["tool_calls"][0]["name"] == "python"
    assert [call["node"] for call in trace["calls"]] == [2, 4]
    assert [tool["name"] for tool in path[0]["tools"]] == ["python"]


# --- data ---------------------------------------------------------------------------------------------------------------------


@st.composite
def rollouts(draw: st.DrawFn) -> Rollout:
    made = []
    for _ in range(draw(st.integers(1, 3))):
        size = draw(st.integers(2, 8))
        ids = draw(st.lists(st.integers(0, 200_000), min_size=size, max_size=size))
        trained = [False, *draw(st.lists(st.booleans(), min_size=size - 1, max_size=size - 1))]
        logs = [draw(st.floats(-50, 0)) if one else 0.0 for one in trained]
        numbers = tuple(0 if one else -1 for one in trained)
        made.append(Segment(tuple(ids), tuple(trained), tuple(logs), numbers, numbers))
    return Rollout("g/0", "t", "g", "ok", tuple(made), 1.0)


@given(rollouts(), st.floats(-5, 5))
def test_data_come_back_as_they_were(rollout: Rollout, advantage: float) -> None:
    data = data_of(rollout, advantage, 3)
    assert [datum_of(json.loads(json.dumps(datum_line(one, rollout)))) for one in data] == data
    assert sum(sum(one.trained) for one in data) == rollout.trained_tokens


def test_streams_of_a_datum_belong_to_the_tokens_that_are_predicted() -> None:
    """Written out by hand: the prompt 7 8, then 9 and 10 sampled, 11 from outside, 12 sampled."""
    trained = (False, False, True, True, False, True)
    datum = Datum((7, 8, 9, 10, 11, 12), trained, (0.0, 0.0, -0.5, -1.5, 0.0, -2.5), -2.0, 4, 9)
    line = datum_line(datum, Rollout("g/1", "t", "g", "ok", (), 0.25))
    assert line["model_input"]["chunks"] == [{"type": "encoded_text", "tokens": [7, 8, 9, 10, 11]}]
    streams = {name: one["data"] for name, one in line["loss_fn_inputs"].items()}
    assert streams == {
        "target_tokens": [8, 9, 10, 11, 12],
        "weights": [0.0, 1.0, 1.0, 0.0, 1.0],
        "logprobs": [0.0, -0.5, -1.5, 0.0, -2.5],
        "advantages": [0.0, -2.0, -2.0, 0.0, -2.0],
    }
    assert line["redwell"] == {
        "rollout": "g/1", "task": "t", "number": 4, "tokens": 9, "reward": 0.25, "advantage": -2.0
    }  # fmt: skip
    assert {one["dtype"] for name, one in line["loss_fn_inputs"].items() if name != "target_tokens"} == {"float32"}


def test_every_captured_token_of_scored_rollouts_is_in_the_data_once(runs: Path, tmp_path: Path) -> None:
    found = lines(runs, "tinker", tmp_path)
    for number, name in enumerate(("leases/0", "leases/1", "leases/3")):
        own = [datum_of(line) for line in found if line["redwell"]["rollout"] == name]
        said = [one for turn in turns(runs / name[-1]) for one in turn.ids]
        assert [i for datum in own for i, trained in zip(datum.ids, datum.trained, strict=True) if trained] == said
        assert {datum.rollout for datum in own} == {number}
        assert {datum.tokens for datum in own} == {len(said)}


# --- the verb -----------------------------------------------------------------------------------------------------------------


def verb(*arguments: Any) -> tuple[int, str]:
    found = CliRunner().invoke(app, ["train", "export", *map(str, arguments)])
    return found.exit_code, found.output


@pytest.mark.parametrize("format_", FORMATS)
def test_the_verb_writes_every_format(runs: Path, tmp_path: Path, format_: str) -> None:
    code, said = verb(runs, "--format", format_, "--out", tmp_path / "out.jsonl")
    assert code == 0, said
    written = (tmp_path / "out.jsonl").read_text().splitlines()
    assert f"{len(written)} lines of" in said
    assert ("left out 1: it is unscorable" in said) == (format_ == "tinker")
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


def test_the_verb_says_what_is_wrong(runs: Path, with_tools: Path, tmp_path: Path) -> None:
    for arguments, wanted in (
        ((tmp_path / "gone", "--out", tmp_path / "o"), "holds no rollout of a training and no run that has ended"),
        (
            (runs, "--format", "parquet", "--out", tmp_path / "o"),
            "--format is one of sft, verl, skyrl, trl, nemo-gym, verifiers, tinker",
        ),
        ((runs, "--arguments", "yaml", "--out", tmp_path / "o"), "--arguments is objects or strings"),
        ((with_tools, "--format", "tinker", "--out", tmp_path / "o"), "none of the rollouts can be exported as tinker"),
    ):
        code, said = verb(*arguments)
        assert code == 2
        assert wanted in said
    assert list(tmp_path.iterdir()) == []


def test_a_room_that_is_gone_is_told(tmp_path: Path) -> None:
    task = lease_task(tmp_path / "leases")
    folder = run(task, tmp_path / "run", policy([END]), **{**SHORT, "max_turns": 1})
    (tmp_path / "leases.store").rename(tmp_path / "elsewhere")
    with pytest.raises(TrainingError, match="the room that it read cannot be opened"):
        export([folder], "sft", tmp_path / "out.jsonl")


def test_a_conversation_that_is_still_out_is_not_part_of_a_piece(runs: Path) -> None:
    asked = list(played(runs / "0").exchanges)
    out = replace(asked[-1], answer=None)
    assert [len(piece.said) for piece in pieces([asked[0], out])] == [1]
    line = trace_line(sources([runs / "0"])[0].rollout, [asked[0], out], [], {})
    assert sum(bool(node.get("sampled")) for node in line["traces"][0]["nodes"]) == 1


def test_sources_of_a_run_know_its_folder(runs: Path) -> None:
    (one,) = sources([runs / "0"])
    assert isinstance(one, Source)
    assert one.run == runs / "0"


def test_rollouts_of_a_training_come_with_the_advantages_that_it_gives_them(runs: Path, tmp_path: Path) -> None:
    """A group that is still out counts with what has ended, and a run's folder is found in the training's."""
    training = tmp_path / "training"
    training.mkdir()
    freeze(read_recipe(Path(__file__).parents[2] / "examples" / "train" / "desk_grpo.toml", RlRecipe), training)
    shutil.copytree(runs, training / "rollouts" / "g1")
    account = Ledger(training / "ledger.sqlite")
    account.begin("g1", "leases", 4)
    for number, one in enumerate(sources([runs])[:3]):
        account.started("g1", number, 0)
        account.finished(replace(one.rollout, id=f"g1/{number}", group="g1", run=f"rollouts/g1/{number}"))
    account.close()
    found = sources([training])
    assert [one.rollout.id for one in found] == ["g1/0", "g1/1", "g1/2"]
    assert [one.advantage for one in found] == pytest.approx([*advantages([1.0, 0.5]), None])
    assert [one.run for one in found] == [training / "rollouts" / "g1" / str(number) for number in range(3)]
    assert [datum_of(line).rollout for line in lines(training, "tinker", tmp_path)] == [0, 1]
