"""From a name to a client, where keys come from, and where they never go."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from redwell.models.connect import ModelNameError, connect, parse_name
from redwell.models.keys import Key, find_key, without_keys
from redwell.models.wire import is_loopback, is_private, plain, retry_after


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("openai:gpt-5", ("openai", "gpt-5", "")),
        ("openai:org/model@v2@http://127.0.0.1:8000/v1/", ("openai", "org/model@v2", "http://127.0.0.1:8000/v1")),
        ("anthropic:claude@https://gateway.firm.example", ("anthropic", "claude", "https://gateway.firm.example")),
        ("local:qwen-coder-1.5b", ("local", "qwen-coder-1.5b", "")),
        ("openai:x@http://[::1]:9/v1", ("openai", "x", "http://[::1]:9/v1")),
    ],
)
def test_names_in_their_parts(text: str, parts: tuple[str, str, str]) -> None:
    name = parse_name(text)
    assert (name.kind, name.name, name.url) == parts
    assert str(name) == text.rstrip("/")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "write KIND:NAME"),
        ("gpt-5", "write KIND:NAME"),
        ("openai:", "write KIND:NAME"),
        (":x", "write KIND:NAME"),
        ("openai:@http://127.0.0.1", "write KIND:NAME"),
        ("openai:x@ftp://host", "begins with http"),
        ("openai:x@localhost:8000", "begins with http"),
        ("openai:x@localhost:8000/v1", "begins with http"),
        ("anthropic:claude@10.0.0.5", "begins with http"),
        ("openai:x@", "begins with http"),
        ("openai:x@ http://localhost:8000", "begins with http"),
        ("openai:x@HTTP//localhost:8000", "begins with http"),
        ("openai:x@http://", "not the address of a server"),
        ("openai:x@http://host:99999/v1", "not the address of a server"),
        ("openai:x@http://[::1/v1", "not the address of a server"),
        ("openai:x@http://host/v1?key=abc", "not the address of a server"),
        ("openai:x@https://user:pass@host/v1", "a key does not belong into the address"),
    ],
)
def test_names_that_are_none(text: str, reason: str) -> None:
    with pytest.raises(ModelNameError, match=reason):
        parse_name(text)


def test_an_unknown_kind_and_a_missing_key_say_what_to_do() -> None:
    with pytest.raises(ModelNameError, match="no kind of model called 'gemini' here: use openai, anthropic or local"):
        connect("gemini:pro", environment={})
    with pytest.raises(ModelNameError, match="set REDWELL_OPENAI_KEY or OPENAI_API_KEY"):
        connect("openai:gpt-5", environment={})
    with pytest.raises(ModelNameError, match="REDWELL_ANTHROPIC_KEY or ANTHROPIC_API_KEY"):
        connect("anthropic:claude@https://gateway.firm.example", environment={"OPENAI_API_KEY": "sk-other"})


def test_a_server_on_this_machine_needs_no_key_and_does_not_get_the_providers() -> None:
    model = connect("openai:x@http://localhost:1234/v1", environment={"OPENAI_API_KEY": "sk-provider"})
    assert model.name == "openai:x@http://localhost:1234/v1"
    assert vars(model)["_key"] is None
    assert (
        vars(connect("openai:x@http://10.0.0.5:8000/v1", environment={"OPENAI_API_KEY": "sk-provider"}))["_key"] is None
    )
    own = connect("openai:x@http://10.0.0.5:8000/v1", environment={"REDWELL_OPENAI_KEY": "own"})
    assert vars(own)["_key"].reveal() == "own"


def test_keys_are_looked_for_in_order() -> None:
    both = {"REDWELL_OPENAI_KEY": " own ", "OPENAI_API_KEY": "provider"}
    assert (key := find_key("openai", environment=both)) is not None
    assert key.reveal() == "own"
    assert (key := find_key("openai", environment={"OPENAI_API_KEY": "provider"})) is not None
    assert key.reveal() == "provider"
    assert find_key("openai", environment={"OPENAI_API_KEY": "provider"}, own_only=True) is None
    assert find_key("anthropic", environment=both) is None


def test_a_key_ring_is_asked_when_the_environment_has_no_key(tmp_path: Path) -> None:
    (tmp_path / "keyring.py").write_text("def get_password(service, name):\n    return f'{service} keeps {name}'\n")
    script = (
        "from redwell.models.keys import find_key\nprint(find_key('anthropic').reveal(), find_key('openai').reveal())"
    )
    environment = {name: value for name, value in os.environ.items() if "KEY" not in name} | {"OPENAI_API_KEY": "set"}
    environment["PYTHONPATH"] = os.pathsep.join([str(tmp_path), environment.get("PYTHONPATH", "")])
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "redwell keeps anthropic set"


def test_a_key_hides_itself() -> None:
    key = Key("sk-live-0123456789")
    assert "sk-live" not in f"{key} {key!r} {[key]} { ({'key': key}) }"
    assert key.hide_in("Incorrect key sk-live-0123456789!") == "Incorrect key [key]!"
    assert plain("bad\x1b[31m key\r\nsk-live-0123456789", key) == "bad [31m key [key]"
    with pytest.raises(TypeError, match="never pickled"):
        pickle.dumps(key)


def test_an_environment_without_keys() -> None:
    given = {"OPENAI_API_KEY": "x", "HF_TOKEN": "x", "DB_PASSWORD": "x", "AWS_SECRET": "x", "PATH": "/bin", "LANG": "C"}
    assert without_keys(given.items()) == {"PATH": "/bin", "LANG": "C"}


def test_which_addresses_lead_to_this_machine_and_which_nobody_reads() -> None:
    assert all(
        is_loopback(f"http://{host}/v1")
        for host in ("127.0.0.1:8", "127.9.9.9", "localhost", "[::1]:80", "a.localhost")
    )
    assert not any(
        is_loopback(f"http://{host}/v1")
        for host in ("10.0.0.1", "example.com", "127.0.0.1.example.com", "localhost.example")
    )
    assert is_private("https://example.com")
    assert is_private("http://127.0.0.1:1")
    assert not is_private("http://10.0.0.1")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:30 GMT"}, 30.0),
        ({"retry-after": "Wed, 21 Oct 2026 07:27:00 GMT"}, 0.0),
    ],
)
def test_retry_after_in_all_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, now=1_792_567_680.0) == seconds


def test_the_sdks_are_imported_only_when_they_are_used() -> None:
    script = "import sys, redwell.models.connect, redwell.models.calls\nprint([m for m in ('openai', 'anthropic', 'httpx') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
