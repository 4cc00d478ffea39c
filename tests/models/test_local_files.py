"""The catalogue of local models: what it says, what it refuses, and that nothing comes onto this machine unasked."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from redwell.diligence.naming import resolve
from redwell.models.connect import ModelNameError, connect
from redwell.models.local_files import LocalFileError, LocalModel, add, catalogue, find, folder, is_here, known

BODY = b"GGUF" + bytes(range(256)) * 40


def entry(body: bytes = BODY) -> LocalModel:
    return replace(known("smollm2-135m"), file="small.gguf", size=len(body), sha256=sha256(body).hexdigest())


def test_every_entry_says_where_it_comes_from_and_how_it_is_recognised() -> None:
    assert list(catalogue()) == ["qwen-coder-1.5b", "qwen-coder-0.5b", "smollm2-135m"]
    for each in catalogue().values():
        assert each.url.startswith("https://huggingface.co/")
        assert each.url.endswith(each.file)
        assert len(bytes.fromhex(each.sha256)) == 32
        assert each.licence == "Apache-2.0"
        assert each.size > 90_000_000
    assert catalogue()["qwen-coder-1.5b"].publisher == "Qwen"
    assert catalogue()["qwen-coder-1.5b"].size == 1_117_320_768


def test_a_model_that_is_not_here_is_named_with_its_size_and_the_command_and_not_downloaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDWELL_MODELS", str(tmp_path / "none"))
    for ask in (connect, lambda name: resolve(name, "sub")):
        with pytest.raises(
            ModelNameError,
            match=r"`redwell models get qwen-coder-1.5b` downloads 1,117 MB from its publisher \(Qwen, Apache-2.0\)",
        ):
            ask("local:qwen-coder-1.5b")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("local:", "there is no such model"),
        ("local:gpt-9", "use local:qwen-coder-1.5b, local:qwen-coder-0.5b, local:smollm2-135m, or local:/PATH"),
        ("local:/no/such/file.gguf", "cannot be read: No such file"),
        ("local:/tmp", "cannot be read: Is a directory"),
        ("local:/a@b/file.gguf", "must not contain @"),
    ],
)
def test_a_name_that_leads_nowhere_is_refused_in_words(name: str, said: str) -> None:
    with pytest.raises(ModelNameError, match=said):
        connect(name)


def test_the_folder_is_the_users_own_or_in_their_data() -> None:
    assert folder({"REDWELL_MODELS": "/srv/models"}) == Path("/srv/models")
    assert folder({"XDG_DATA_HOME": "/data"}) == Path("/data/redwell/models")
    assert folder({}) == Path.home() / ".local/share/redwell/models"


def test_a_file_of_ones_own_is_taken_when_it_is_the_right_one(tmp_path: Path) -> None:
    own, kept = tmp_path / "own.gguf", tmp_path / "kept"
    own.write_bytes(BODY)
    path = add(entry(), own, kept)
    assert path.read_bytes() == BODY
    assert is_here(entry(), kept)
    assert [each.name for each in kept.iterdir()] == ["small.gguf"]


@pytest.mark.parametrize("other", [BODY[:-1], BODY[:-1] + b"x"])
def test_another_file_is_not_taken(tmp_path: Path, other: bytes) -> None:
    own, kept = tmp_path / "own.gguf", tmp_path / "kept"
    own.write_bytes(other)
    with pytest.raises(LocalFileError, match=r"it is not the same file|it is damaged or another file"):
        add(entry(), own, kept)
    assert not list(kept.iterdir()) if kept.exists() else True
    assert own.read_bytes() == other


def test_any_other_gguf_file_is_named_by_its_path(tmp_path: Path) -> None:
    own = tmp_path / "own.gguf"
    own.write_bytes(BODY)
    assert find(f"local:{own}") == (own, None)
