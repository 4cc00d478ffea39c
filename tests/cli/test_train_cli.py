"""`redwell train`: what is wrong is told in a sentence with file, field and way out, and what was done is kept."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bench.task_trees import lease_task
from servers.scripted import Received, Scripted

from redwell.train.config import Recipe, RlRecipe, SftRecipe, read_recipe
from redwell.train.setup import checkpoint_in, freeze

RECIPE = """
method = "grpo"
steps = 2

[policy]
base = "{base}"
engine = "torch"
device = "cpu"
context = 4096

[rooms]
tasks = ["tasks/*"]
harness = {{ prompt = "short", max_turns = 2, root_tokens = 16 }}

[groups]
groups_per_step = 1
rollouts_per_group = 2
max_staleness = 0
over_sample = 1.0
rollouts_at_a_time = 2
patience = 1
"""

FAIL = json.dumps({"verdict": "fail", "reasoning": "It says nothing of it.", "passage": ""})
"""What the judge always says."""


def redwell(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "redwell", *map(str, arguments)],
        capture_output=True, text=True, timeout=180, check=False, env={**os.environ, **environment},
    )  # fmt: skip
    assert "Traceback" not in done.stderr + done.stdout, done.stderr
    return done


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    lease_task(tmp_path / "tasks" / "leases")
    path = tmp_path / "recipe.toml"
    path.write_text(RECIPE.format(base=tmp_path / "base"))
    return path


def changed(recipe: Path, was: str, now: str) -> Path:
    text = recipe.read_text()
    assert was in text
    recipe.write_text(text.replace(was, now))
    return recipe


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("patience = 1", "patince = 1", "recipe.toml: groups.patince: there is no such field: did you mean patience?"),
        ("patience = 1", "batch_size = 8", "groups.batch_size: there is no such field: is read in two ways elsewhere; write groups_per_step"),
        ("steps = 2", "steps = 2\nlearning_rate = 0.1", "learning_rate: there is no such field here: it belongs to optimizer.learning_rate"),
        ("rollouts_per_group = 2", "rollouts_per_group = 1", "groups.rollouts_per_group: must be greater than or equal to 2"),
        ('method = "grpo"', 'method = "ppo"', "recipe.toml: method: must be 'grpo' or 'gspo'"),
        ("max_turns = 2", "max_turn = 2", "no setting 'max_turn'"),
        ('tasks = ["tasks/*"]', "tasks = []", "recipe.toml: rooms: names no tasks"),
        ('tasks = ["tasks/*"]', 'generated = { preset = "desk", seeds = [1] }', "the wordings of `test` are kept for measuring"),
        ("steps = 2", "steps = ", "recipe.toml: not valid TOML"),
        ("steps = 2", "", "recipe.toml: steps: is missing"),
        ("steps = 2", f"steps = {'9' * 5000}", "recipe.toml: holds a number of thousands of digits"),
    ],
)  # fmt: skip
def test_a_wrong_key_or_value_is_told_with_file_field_and_the_right_one(
    was: str, now: str, told: str, recipe: Path, tmp_path: Path
) -> None:
    done = redwell("train", "rl", changed(recipe, was, now), "--out", tmp_path / "out")
    assert (done.returncode, told in done.stderr) == (2, True), done.stderr
    assert not (tmp_path / "out").exists()


def test_a_recipe_for_the_other_verb_is_told_in_one_line(recipe: Path, tmp_path: Path) -> None:
    done = redwell("train", "sft", recipe, "--out", tmp_path / "out")
    told = "recipe.toml: this is a recipe of another kind: give it to `redwell train rl`"
    assert (done.returncode, told in done.stderr, done.stderr.count("\n")) == (2, True, 1), done.stderr
    changed(recipe, 'method = "grpo"\nsteps = 2\n', "epochs = 2\n")
    recipe.write_text(recipe.read_text().partition("[groups]")[0])
    done = redwell("train", "rl", recipe, "--out", tmp_path / "out")
    assert (done.returncode, "give it to `redwell train sft`" in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize(
    ("name", "kind"), [("warm", SftRecipe), ("sft", SftRecipe), ("grpo", RlRecipe), ("gspo", RlRecipe)]
)
def test_the_recipes_of_the_examples_are_read_and_begin_from_the_warm_start(name: str, kind: type[Recipe]) -> None:
    root = Path(__file__).parents[2]
    recipe = read_recipe(root / "examples" / "train" / f"desk_{name}.toml", kind)
    assert recipe.policy.start == (None if name == "warm" else str(root / "out" / "warm"))


def test_weights_that_are_not_there_and_folders_that_hold_something_else_are_refused(
    recipe: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = redwell("train", "rl", recipe, "--out", out)
    assert (done.returncode, "policy.base" in done.stderr, "there is no such file" in done.stderr) == (2, True, True)
    remote = tmp_path / "remote.toml"
    remote.write_text(
        recipe.read_text().replace("[policy]", '[policy]\ntrainer = "tinker"\naddress = "http://127.0.0.1:1"')
    )
    done = redwell("train", "rl", remote, "--out", out)
    assert (done.returncode, "policy.tokenizer" in done.stderr, "there is no such file" in done.stderr) == (
        2,
        True,
        True,
    )
    assert os.listdir(out) == ["lock"]
    other = tmp_path / "other"
    other.mkdir()
    (other / "letter.txt").write_text("mine")
    done = redwell("train", "rl", recipe, "--out", other)
    assert (done.returncode, "holds other files (letter.txt)" in done.stderr) == (2, True), done.stderr
    freeze(read_recipe(recipe, RlRecipe), out)
    changed(recipe, "rollouts_per_group = 2", "rollouts_per_group = 4")
    done = redwell("train", "rl", recipe, "--out", out)
    assert (done.returncode, "groups.rollouts_per_group: was 2, is 4" in done.stderr) == (2, True), done.stderr


def test_a_judge_that_is_not_there_is_told_before_anything_is_begun(recipe: Path, tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()  # looked into only afterwards
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        judge = f"openai:judge@http://127.0.0.1:{taken.getsockname()[1]}/v1"
        changed(recipe, "[rooms]", f'[rooms]\njudge = "{judge}"')
        done = redwell("train", "rl", recipe, "--out", tmp_path / "out")
    assert (done.returncode, f"the judge {judge} does not answer (connection" in done.stderr) == (2, True), done.stderr


def test_serving_what_is_no_policy_is_refused(tmp_path: Path) -> None:
    done = redwell("train", "serve", tmp_path / "nothing")
    assert (done.returncode, "there is no such training, checkpoint" in done.stderr) == (2, True), done.stderr
    done = redwell("train", "serve", "local:nothing")
    assert (done.returncode, "nothing" in done.stderr, "smollm2-135m" in done.stderr) == (2, True, True), done.stderr
    (tmp_path / "matrix").mkdir()
    done = redwell("train", "serve", tmp_path / "matrix")
    assert (done.returncode, "is neither the folder of a training nor a checkpoint" in done.stderr) == (2, True)
    (tmp_path / "paper.gguf").write_text("no weights")
    done = redwell("train", "serve", tmp_path / "paper.gguf")
    assert (done.returncode, "is no GGUF file" in done.stderr) == (2, True), done.stderr
    (tmp_path / "training").mkdir()
    (tmp_path / "training" / "recipe.json").write_text("{}")
    done = redwell("train", "serve", tmp_path / "training")
    assert (done.returncode, "a training that has no checkpoint yet" in done.stderr) == (2, True), done.stderr


def test_the_folder_of_a_training_stands_for_its_newest_whole_checkpoint(tmp_path: Path) -> None:
    (tmp_path / "recipe.json").write_text("{}")
    for name, written in (("step-000002", True), ("step-000010", True), ("step-000012", False)):
        folder = tmp_path / "checkpoints" / name
        folder.mkdir(parents=True)
        if written:
            (folder / "redwell.json").write_text("{}")
    newest = tmp_path / "checkpoints" / "step-000010"
    assert checkpoint_in(tmp_path) == newest
    assert checkpoint_in(newest) == newest


# --- with weights -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    pytest.importorskip("torch", reason="the train extra is not installed: make test-train")
    from train.toy import write_policy

    return write_policy(tmp_path / "base", 0, max_position_embeddings=4096)


def test_a_fault_of_the_policy_is_told_before_anything_is_begun(recipe: Path, weights: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    faults = {
        f'base = "{weights}"': (f'base = "{weights}x"', "policy.base:", f"{weights}x: there is no such file or folder"),
        "[policy]": (f'[policy]\nstart = "{tmp_path}/old"', "policy.start:", "there is no such folder"),
        "context = 4096": ("context = 4097", "context = 4097: base has places for 4096 tokens", "write 4096 or less"),
        "context = 4096\n": (
            "context = 200\n",
            "policy.context: 200 tokens are too few",
            "16 (rooms.harness.root_tokens)",
        ),
    }
    with Scripted(lambda received: FAIL) as judge:
        good = changed(recipe, "[rooms]", f'[rooms]\njudge = "openai:judge@{judge.url}"').read_text()
        for was, (now, *told) in faults.items():
            recipe.write_text(good)
            done = redwell("train", "rl", changed(recipe, was, now), "--out", out)
            assert (done.returncode, [one for one in told if one not in done.stderr]) == (2, []), done.stderr
            assert os.listdir(out) == ["lock"]


def test_a_gpu_that_is_not_there_is_told_and_what_to_write_instead(recipe: Path, weights: Path, tmp_path: Path) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("this machine has a GPU")
    changed(recipe, 'device = "cpu"', 'device = "cuda"')
    with Scripted(lambda received: FAIL) as judge:
        changed(recipe, "[rooms]", f'[rooms]\njudge = "openai:judge@{judge.url}"')
        done = redwell("train", "rl", recipe, "--out", tmp_path / "out")
    assert (done.returncode, "finds no GPU" in done.stderr, "device = cpu" in done.stderr) == (2, True, True), (
        done.stderr
    )
    assert os.listdir(tmp_path / "out") == ["lock"]


def test_a_policy_that_never_reports_ends_training_with_a_checkpoint_and_its_rollouts_kept(
    recipe: Path, weights: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = redwell("train", "rl", recipe, "--out", out)
    assert (done.returncode, "has no answer key" in done.stderr) == (2, True), done.stderr
    with Scripted(lambda received: FAIL) as judge:  # another recipe, in the same folder: nothing was begun there
        changed(recipe, "[rooms]", f'[rooms]\njudge = "openai:judge@{judge.url}"')
        done = redwell("train", "rl", recipe, "--out", out, "--json")
    assert (done.returncode, "groups were dropped as flat" in done.stderr) == (3, True), done.stderr
    events: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    kinds = [event["event"] for event in events]
    assert kinds.index("serving") < kinds.index("saved") < kinds.index("rollout") < kinds.index("group")
    assert (out / "checkpoints" / "step-000000" / "adapter_model.safetensors").is_file()
    runs = sorted(path.parent.name for path in (out / "rollouts" / "00001").glob("*/journal.sqlite"))
    assert runs == ["0", "1"]
    assert (out / "curve.jsonl").read_text() == ""


def test_a_step_that_diverges_ends_training_and_is_made_again_from_the_same_rollouts(
    recipe: Path, weights: Path, tmp_path: Path
) -> None:
    """An adapter scaled so far up that what the first step moved gives gradients that are no numbers in the second."""
    out = tmp_path / "out"
    changed(recipe, 'engine = "torch"', 'engine = "torch"\nalpha = 1e15')
    changed(recipe, "patience = 1", "patience = 50\n\n[optimizer]\nlearning_rate = 0.1")
    chance = random.Random(0)

    def judged(received: Received) -> str:
        heading = re.search(r"^# (.+)$", received.user, re.MULTILINE)
        passed = heading is not None and chance.random() < 0.5
        passage = heading[1] if heading and passed else ""
        return json.dumps({"verdict": "pass" if passed else "fail", "reasoning": "It is so.", "passage": passage})

    with Scripted(judged) as judge:
        changed(recipe, "[rooms]", f'[rooms]\njudge = "openai:judge@{judge.url}"')
        done = redwell("train", "rl", recipe, "--out", out)
        assert done.returncode == 3, done.stderr
        assert re.search(r"step 2 has diverged: the (loss|norm of the gradient) is nan\.", done.stderr)
        assert "the weights of step 1 in" in done.stderr
        assert "Lower optimizer.learning_rate (it is 0.1)" in done.stderr
        kept = out / "checkpoints" / "step-000001" / "adapter_model.safetensors"
        from safetensors.torch import load_file

        assert all(bool(value.isfinite().all()) for value in load_file(kept).values())
        assert [json.loads(line)["step"] for line in (out / "curve.jsonl").read_text().splitlines()] == [1]
        asked = judge.count
        changed(recipe, "learning_rate = 0.1", "learning_rate = 0.01")
        again = redwell("train", "rl", recipe, "--out", out)
        assert (again.returncode, "step 2 has diverged" in again.stderr) == (3, True), again.stderr
        assert "(it is 0.01)" in again.stderr
        assert judge.count == asked + 1  # whether it is there at all


def test_a_loss_that_is_no_number_at_the_first_step_points_at_the_weights(
    recipe: Path, weights: Path, tmp_path: Path
) -> None:
    from safetensors.torch import load_file, save_file

    file = weights / "model.safetensors"
    values = load_file(file)
    values["model.norm.weight"][3] = float("nan")
    save_file(values, file, metadata={"format": "pt"})
    text = recipe.read_text().partition("[groups]")[0].replace('method = "grpo"\nsteps = 2\n', "")
    recipe.write_text(text + "[choice]\nrollouts_per_task = 0\ndemonstrations = 1\n")
    changed(recipe, "root_tokens = 16", "root_tokens = 300")
    with Scripted(lambda received: FAIL) as judge:
        changed(recipe, "[rooms]", f'[rooms]\njudge = "openai:judge@{judge.url}"')
        done = redwell("train", "sft", recipe, "--out", tmp_path / "out")
    assert (done.returncode, "step 1 has diverged: the loss is nan" in done.stderr) == (3, True), done.stderr
    assert "it is not the learning rate: look at policy.base" in done.stderr
    assert (tmp_path / "out" / "checkpoints" / "step-000000" / "adapter_model.safetensors").is_file()


def test_a_disk_that_is_full_ends_training_with_a_sentence_and_it_goes_on_when_there_is_room(
    recipe: Path, weights: Path, tmp_path: Path
) -> None:
    if os.geteuid() != 0:
        pytest.skip("making a small file system takes the superuser")
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=700k", "none", str(disk)]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("no file system can be mounted here")
    try:
        with Scripted(lambda received: FAIL) as judge:
            changed(recipe, "[rooms]", f'[rooms]\njudge = "openai:judge@{judge.url}"')
            done = redwell("train", "rl", recipe, "--out", disk / "out")
            assert done.returncode == 3, done.stderr
            assert any(words in done.stderr for words in ("No space left", "disk is full")), done.stderr
            subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
            done = redwell("train", "rl", recipe, "--out", disk / "out")
        assert (done.returncode, "groups were dropped as flat" in done.stderr) == (3, True), done.stderr
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_checkpoint_is_served_at_the_port_that_was_asked_for_until_it_is_interrupted(
    weights: Path, tmp_path: Path
) -> None:
    import httpx

    from redwell.train.local.trainer import LocalTrainer

    async def train() -> None:
        trainer = LocalTrainer(weights, tmp_path / "policy", device="cpu")
        await trainer.save(tmp_path / "checkpoint")
        await trainer.close()

    asyncio.run(train())
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    serve = ("train", "serve", tmp_path / "checkpoint", "--base", weights, "--context", "512", "--port", port, "--json")
    command = [sys.executable, "-W", "error::FutureWarning", "-m", "redwell", *map(str, serve)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline() or process.communicate(timeout=60)[1])
        assert told["url"] == f"http://127.0.0.1:{port}/v1"
        assert told["model"] == f"openai:policy@{told['url']}"
        body = {"model": "policy", "messages": [{"role": "user", "content": "w7 w8"}], "max_tokens": 4}
        answer = httpx.post(f"{told['url']}/chat/completions", json=body, timeout=60).json()
        assert answer["choices"][0]["finish_reason"] in ("stop", "length")
        again = redwell(*serve)
        assert (again.returncode, again.stdout) == (2, "")
        assert f"port {port} of this machine cannot be served at: another program has it" in again.stderr
        assert "name another with --port" in again.stderr
    finally:
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (130, "")
    assert errors == "redwell: stopping; the policy is served no longer (once more ends at once)\n"
