"""What a user may get wrong is told before anything is read or paid for, in a sentence that names the way out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from redwell.models.prices import PricesError, load_prices
from redwell.models.types import Usage


def redwell(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.endswith(("_API_KEY", "_PRICES"))}
    return subprocess.run(
        [sys.executable, "-m", "redwell", *map(str, arguments)],
        capture_output=True, text=True, timeout=120, check=False, env={**clean, **environment},
    )  # fmt: skip


def refused(done: subprocess.CompletedProcess[str], *said: str) -> None:
    """It ended as bad input does: exit code 2, and one short message that says all of this."""
    assert done.returncode == 2, done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    for words in said:
        assert words in done.stderr


@pytest.fixture
def room(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    text = "LEASE\n\n1. Tenant shall not assign this Lease without Landlord's prior written consent."
    (folder / "lease.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--root", "openai:x@localhost:8000"), "begins with http:// or https://"),
        (("--sub", "openai:x@10.0.0.5:8000/v1"), "begins with http:// or https://"),
        (("--sub", "playbook"), "playbook can only be used as --root"),
        (("--root", "reader"), "reader can only be used as --sub"),
    ],
)
def test_a_model_that_cannot_be_meant_is_refused_before_the_room_is_read(
    room: Path, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = redwell("diligence", room, "--out", tmp_path / "out", *arguments, OPENAI_API_KEY="sk-none")
    refused(done, said)
    assert not (tmp_path / "out").exists()


def test_a_budget_in_dollars_needs_the_price_of_every_model(room: Path, tmp_path: Path) -> None:
    model = "openai:qwen3@http://127.0.0.1:9/v1"
    arguments = ("diligence", room, "--out", tmp_path / "out", "--sub", model)
    refused(redwell(*arguments, "--budget", 20), model, "REDWELL_PRICES", "leave --budget out", "$20.00")
    assert not (tmp_path / "out").exists()


def test_the_line_that_the_refusal_gives_is_a_price_file(tmp_path: Path) -> None:
    model = "openai:qwen3@http://127.0.0.1:9/v1"
    with pytest.raises(PricesError) as refusal:
        load_prices({}).require([model, "reader"], 20)
    file = tmp_path / "prices.toml"
    file.write_text(str(refusal.value).splitlines()[1].strip())
    prices = load_prices({"REDWELL_PRICES": str(file)})
    prices.require([model, "reader", "openai:gpt-5-mini"], 20)
    assert prices.cost(model, Usage(input=1_000_000, output=1_000_000)) == 2.25
    load_prices({}).require([model], None)
