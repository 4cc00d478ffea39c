"""The package for verifiers: its loss with tensors by hand, and with verifiers installed its own evaluator over a real room."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from char_policy import block, policy
from servers.scripted import Received, Scripted, status, use_tool

from redwell.bench.generate.room import generate
from redwell.bench.verdicts import Verdict, VerdictSet, read_set, write_set
from redwell.diligence.playbook import next_cell
from redwell.models.types import Message, ToolCall

PACKAGE = Path(__file__).parents[2] / "integrations" / "verifiers"
WHY = "verifiers is not installed: make test-verifiers"


# --- the loss -----------------------------------------------------------------------------------------------------------------


def loss() -> Any:
    """The module as a file: the package beside it needs verifiers, and the loss does not."""
    spec = importlib.util.spec_from_file_location("redwell_rooms_loss", PACKAGE / "redwell_rooms" / "loss.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.gspo_loss


def inputs(new: list[float], sampled: list[float], advantage: float, mask: list[bool]) -> Any:
    torch = pytest.importorskip("torch", reason="the train extra is not installed: make test-train")
    return SimpleNamespace(
        trainer_logprobs=torch.tensor(new, dtype=torch.float64, requires_grad=True),
        inference_logprobs=torch.tensor(sampled, dtype=torch.float64),
        ref_logprobs=None,
        advantages=torch.full((len(new),), advantage, dtype=torch.float64),
        loss_mask=torch.tensor(mask),
        loss_weights=None,
    )


def test_a_sequence_within_the_band_has_the_gradient_of_its_advantage() -> None:
    """By hand: s = exp(mean of 1e-4 and 3e-4) = exp(2e-4), the loss -2 s, and d/dlogp of each of the two trained tokens -2 s / 2."""
    given = inputs([-1.0, -2.0 + 1e-4, -3.0 + 3e-4], [-1.5, -2.0, -3.0], 2.0, [False, True, True])
    found = loss()(given)
    found.loss.backward()
    s = 2.718281828459045**2e-4
    assert float(found.loss.detach()) == pytest.approx(-2 * s, rel=1e-9)
    assert given.trainer_logprobs.grad.tolist() == pytest.approx([0.0, -s, -s], rel=1e-9)
    assert float(found.metrics["gspo/clipped"]) == float(found.metrics["gspo/masked"]) == 0.0
    assert all(value.dim() == 0 for value in found.metrics.values())


def test_a_sequence_that_has_moved_too_far_up_is_clipped() -> None:
    given = inputs([-1.0, -2.0], [-1.1, -2.1], 1.0, [True, True])
    found = loss()(given)
    found.loss.backward()
    assert float(found.loss.detach()) == pytest.approx(-1.0004)
    assert given.trainer_logprobs.grad.tolist() == [0.0, 0.0]
    assert float(found.metrics["gspo/clipped"]) == 1.0


def test_a_masked_token_stays_in_the_denominator() -> None:
    """The second token is three times as likely as when it was sampled; the first gives its half and no more."""
    kept = inputs([-1.0, -2.0], [-1.0, -2.0], 1.0, [True, True])
    masked = inputs([-1.0, -2.0], [-1.0 + 1.0986, -2.0 - 1.0986], 1.0, [True, True])
    for given in (kept, masked):
        loss()(given).loss.backward()
    assert kept.trainer_logprobs.grad.tolist() == pytest.approx([-0.5, -0.5])
    assert masked.trainer_logprobs.grad.tolist() == pytest.approx([0.0, 0.0])
    one = inputs([-1.0, -2.0], [-1.0 - 2e-4 + 1.0986, -2.0 - 1.0986], 1.0, [True, True])
    found = loss()(one, mask_low=0.2)
    found.loss.backward()
    assert one.trainer_logprobs.grad.tolist() == pytest.approx([-0.5, 0.0], abs=1e-3)
    assert float(found.metrics["gspo/masked"]) == 0.5


def test_the_length_makes_up_for_what_the_sum_is_divided_by() -> None:
    given = [inputs([-1.0] * size, [-1.0] * size, 1.0, [True] * size) for size in (2, 4)]
    losses = [float(loss()(one, length=3.0).loss.detach()) for one in given]
    assert sum(losses) / 6 == pytest.approx(-1.0)
    assert losses[0] == losses[1]


def test_a_sequence_without_a_trained_token_adds_nothing() -> None:
    given = inputs([-1.0, -2.0], [-1.0, -2.0], 1.0, [False, False])
    found = loss()(given)
    found.loss.backward()
    assert float(found.loss.detach()) == 0.0
    assert given.trainer_logprobs.grad.tolist() == [0.0, 0.0]


# --- the evaluator ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def package() -> Any:
    """verifiers' own evaluator, with the package beside it."""
    pytest.importorskip("verifiers.v1", reason=WHY)
    sys.path.insert(0, str(PACKAGE))
    from verifiers.v1.cli.eval.runner import run_eval
    from verifiers.v1.configs.cli.eval import EvalConfig

    def evaluate(base: Path, server: Scripted, task: Path, **harness: Any) -> list[Any]:
        config = {
            "model": "root",
            "push": False,
            "rich": None,
            "output_dir": base / "out",
            "client": {"base_url": server.url, "api_key_var": "NOT_SET_ANYWHERE"},
            "env": {
                "taskset": {"id": "redwell-rooms", "tasks": [str(task)], "folder": base / "tasks"},
                "agent": {"harness": {"id": "redwell-rooms", "runs": base / "runs", **harness}},
            },
        }
        return asyncio.run(run_eval(EvalConfig.model_validate(config)))

    return evaluate


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verifiers") / "room"
    generate(folder, preset="desk", seed=3, split="train", documents=10)
    return folder


def plays(received: Received) -> Any:
    """A careful root: the embedded playbook over what it is told."""
    messages = []
    for one in received.messages:
        calls = [
            ToolCall(c["id"], c["function"]["name"], c["function"]["arguments"]) for c in one.get("tool_calls") or ()
        ]
        messages.append(Message(one["role"], one["content"] or "", tuple(calls), one.get("tool_call_id")))
    return use_tool("python", {"code": next_cell(messages)})


def test_verifiers_evaluates_a_root_in_a_room(package: Any, task: Path, tmp_path: Path) -> None:
    with Scripted(plays) as server:
        ((trace,),) = [one.traces for one in package(tmp_path, server, task)]
        asked = list(server.requests)
    assert trace.ok, trace.errors
    run = tmp_path / "runs" / trace.id
    verdicts = read_set(run, "facts")
    share = verdicts.count("pass") / (verdicts.count("pass") + verdicts.count("fail"))
    assert trace.reward == share > 0
    assert trace.metrics["criteria"] == share
    assert trace.metrics["submitted"] == 1.0
    assert trace.metrics["coverage"] > 0.9
    assert trace.metrics["sub_calls"] >= 10
    # Only the root's calls went through verifiers, and all of them.
    assert len(trace.calls) == len(asked) == trace.num_turns
    (branch,) = trace.branches
    assert branch.messages[0].role == "system"
    assert [tool.name for tool in branch.tools] == ["python"]
    assert trace.task.key == "room"


def test_a_rollout_whose_endpoint_is_lost_is_an_error_and_no_zero(package: Any, task: Path, tmp_path: Path) -> None:
    with Scripted(lambda received: status(400, "this model is not here")) as server:
        ((trace,),) = [one.traces for one in package(tmp_path, server, task)]
    assert not trace.ok
    assert trace.errors
    assert trace.rewards.get("reward") is None


def test_the_key_of_a_rollout_is_written_nowhere(package: Any, task: Path, tmp_path: Path) -> None:
    secrets: set[str] = set()
    from redwell_rooms import RoomsHarness

    launch = RoomsHarness.launch

    async def watched(self: Any, ctx: Any, trace: Any, runtime: Any, endpoint: str, secret: str, *more: Any) -> Any:
        secrets.add(secret)
        return await launch(self, ctx, trace, runtime, endpoint, secret, *more)

    RoomsHarness.launch = watched
    try:
        with Scripted([use_tool("python", {"code": "import os\nprint(os.environ)\nsubmit()"})]) as server:
            package(tmp_path, server, task, settings={"max_turns": 1})
    finally:
        RoomsHarness.launch = launch
    (secret,) = secrets
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 5
    assert not [path for path in files if secret.encode() in path.read_bytes()]


def test_exported_traces_are_read_by_verifiers(package: Any, task: Path, tmp_path: Path) -> None:
    from redwell.bench.cell import Cell, carry_out
    from redwell.train.export.source import sources
    from redwell.train.export.write import export

    with Scripted(policy([block("print(1)"), block("submit()")])) as server:
        cell = Cell(
            task="room", folder=str(task), tree=str(task), harness="rlm", root=f"openai:policy@{server.url}", sub="reader", repeat=1,
            run=str(tmp_path / "runs" / "0"), store=str(tmp_path / "store"),
            settings={"prompt": "short", "capture": True, "root_temperature": 1.0, "max_turns": 3, "idle_turns": 2},
        )  # fmt: skip
        asyncio.run(carry_out(cell, lambda *told: None))
    write_set(Path(cell.run), VerdictSet("facts", "room", (Verdict("C-1", "pass"), Verdict("C-2", "fail"))))
    export([tmp_path / "runs"], "verifiers", tmp_path / "traces.jsonl")
    from verifiers.v1.trace import WireTrace
    from verifiers.v1.utils.trace_store import read_episodes

    (line,) = read_episodes(tmp_path, WireTrace)
    (trace,) = line.traces
    (rollout,) = [one.rollout for one in sources([tmp_path / "runs"])]
    assert trace.reward == rollout.reward == 0.5
    assert trace.ok
    assert len(trace.branches) == len(rollout.segments)
    for branch, segment in zip(trace.branches, rollout.segments, strict=True):
        assert tuple(branch.token_ids) == segment.ids
        assert tuple(branch.sampled_mask) == segment.trained
        assert tuple(branch.logprobs) == segment.logprobs
    assert json.loads((tmp_path / "traces.jsonl").read_text())["group"]["id"] == "room"
