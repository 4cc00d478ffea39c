"""`redwell models`: what there is, what getting one would mean, and that nothing is downloaded without a yes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path


def redwell(*arguments: object, kept: Path) -> subprocess.CompletedProcess[str]:
    # A proxy that nobody answers at: whatever tried to reach the publisher would fail and say so.
    nowhere = {"HTTPS_PROXY": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9"}
    return subprocess.run(
        [sys.executable, "-m", "redwell", *map(str, arguments)],
        capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL,
        env={**os.environ, "REDWELL_MODELS": str(kept), **nowhere},
    )  # fmt: skip


def test_the_catalogue_says_what_is_here(tmp_path: Path) -> None:
    told = json.loads(redwell("models", "list", "--json", kept=tmp_path).stdout)
    assert told["folder"] == str(tmp_path)
    assert [each["name"] for each in told["models"]] == ["qwen-coder-1.5b", "qwen-coder-0.5b", "smollm2-135m"]
    assert not any(each["here"] for each in told["models"])
    assert "local:qwen-coder-1.5b" in redwell("models", "list", kept=tmp_path).stdout


def test_getting_one_says_publisher_licence_size_and_place_first_and_waits_for_a_yes(tmp_path: Path) -> None:
    done = redwell("models", "get", "qwen-coder-1.5b", kept=tmp_path / "models")
    assert done.returncode == 2
    for words in (
        "Qwen",
        "Apache-2.0",
        "1,117,320,768 bytes",
        "https://huggingface.co/Qwen/",
        str(tmp_path / "models"),
        "cc324af070c2",
    ):
        assert words in done.stdout
    assert "nothing was downloaded" in done.stderr
    assert not (tmp_path / "models").exists()


def test_without_a_connection_a_download_ends_in_a_sentence(tmp_path: Path) -> None:
    done = redwell("models", "get", "smollm2-135m", "--yes", kept=tmp_path)
    assert done.returncode == 2
    assert "stopped after 0 of 98,362,432 bytes" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_run_with_a_model_that_is_not_here_is_refused_with_size_and_command(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "a.txt").write_text("Neither party may assign this Agreement.")
    out = tmp_path / "out"
    done = redwell("diligence", tmp_path / "papers", "--out", out, "--sub", "local:qwen-coder-1.5b", kept=tmp_path)
    assert done.returncode == 2
    assert "`redwell models get qwen-coder-1.5b` downloads 1,117 MB" in done.stderr
    assert not out.exists()


def test_another_file_is_not_added(tmp_path: Path) -> None:
    (tmp_path / "x.gguf").write_bytes(b"GGUF and more")
    done = redwell("models", "add", "smollm2-135m", tmp_path / "x.gguf", kept=tmp_path / "models")
    assert done.returncode == 2
    assert "it is not the same file" in done.stderr
