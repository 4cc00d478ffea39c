"""Calls that no guest module would make, made by a cell that took the host's function: refused with a reason, and the run goes on."""

from pathlib import Path

import pytest

from redwell.harness import host as host_module
from redwell.room.room import Room
from tests.harness.support import Root, Sub, play

TAKE = "host = ask.__globals__['host']\n"


def tried(room: Room, folder: Path, *calls: str, **changes: object) -> list[str]:
    """What each call came to: `refused: ...` or `accepted: ...`; the run itself must go on to its end."""
    cell = TAKE + "".join(
        f"try:\n    print('accepted:', {call})\nexcept HostError as error:\n    print('refused:', str(error).splitlines()[0])\n"
        for call in calls
    )
    sub = Sub()
    played = play(room, folder, Root(cell, "submit()"), sub, **changes)
    assert played.outcome.status == "submitted", played.outcome
    assert sub.requests == []
    return played.outputs()[0].splitlines()


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ("host('search', query='rent', limit=10**30)", "the most is 10,000"),
        ("host('search', query='rent', limit=10**9)", "the most is 10,000"),
        ("host('search', query=['rent'])", "search"),
        ("host('search', query='rent', documents=7)", "search"),
        ("host('grep', pattern='.', limit=10**9)", "the most is 100,000"),
        ("host('grep', pattern='(' * 5000)", ""),
        ("host('show', handle=['out1'])", "wrong arguments"),
        ("host('show', handle='out1', start=10**4000)", "no output"),
        ("host('batch.results', batch='b1-0', after=0)", "there is no batch"),
        ("host('batch.results', batch={}, after='x')", "wrong arguments"),
        ("host('dispatch', questions=['q'], schemas=[None], calls=[[0, 0, [[10**40, 0, 5, 'final']]]])", ""),
        ("host('dispatch', questions=['q'], schemas=[None], calls=[['q', 0, []]])", ""),
        ("host('dispatch', questions=[1], schemas=[None], calls=[[0, 0, []]])", "a question or schema is not there"),
        ("host('dispatch', questions=['q'], schemas=[{'a': {'b': {}}}], calls=[[0, 0, []]])", ""),
        ("host('dispatch', questions=['q'], schemas=[None], calls=[[0, 0, []]], number=99)", ""),
        ("host('answer', findings=[{'claim': 'x', 'citations': [{'status': 'verified'}]}])", "the host has no call"),
        ("host('coverage', share=1.0)", "coverage takes"),
        ("host('budget', left=10**9)", "budget takes"),
        ("host('_record', cell=1)", "the host has no call"),
        ("host('__class__')", "the host has no call"),
        ("host('host.answered')", "the host has no call"),
    ],
)
def test_a_forged_call_is_refused_and_the_run_goes_on(room: Room, tmp_path: Path, call: str, why: str) -> None:
    (said,) = tried(room, tmp_path / "run", call)
    assert said.startswith("refused: ")
    assert why in said


def test_a_number_that_is_none_ends_only_the_session(room: Room, tmp_path: Path) -> None:
    forge = (
        "import os, stat\ndef is_socket(n):\n    try: return stat.S_ISSOCK(os.fstat(n).st_mode)\n    except OSError: return False\n"
        "n = next(filter(is_socket, range(3, 65536)))\n"
        'body = b\'{"kind":"call","name":"search","arguments":{"query":"x","limit":1e999}}\'\n'
        "os.write(n, len(body).to_bytes(4, 'big') + body)\nwhile True: pass"
    )
    played = play(room, tmp_path / "run", Root(forge, "print('here')", "submit()"))
    assert played.outputs()[1] == "here\n"
    assert played.outcome.status == "submitted"


def test_results_that_have_not_arrived_cannot_be_called_seen(room: Room, tmp_path: Path) -> None:
    forge = TAKE + (
        "batch = dispatch('Rent?', over=room.documents()[:1])\nbatch.wait() if hasattr(batch, 'wait') else None\n"
        "try:\n    host('batch.results', batch=batch.id, after=10**6)\nexcept HostError as error:\n    print(error)"
    )
    played = play(room, tmp_path / "run", Root(forge, "batch.results()\nsubmit()"))
    assert "results have arrived, not 1000000" in played.outputs()[0]


def test_a_cell_cannot_fill_the_disk_with_calls(room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_module, "CELL_BYTES", 50_000)
    said = tried(room, tmp_path / "run", *["host('nothing', text='x' * 30_000)"] * 4)
    assert ["more than" in line for line in said] == [False, False, True, True]
