"""Two thousand calls (`make calls`: five thousand) and sixteen sub-agents with sessions of their own at once: every figure is what the server
counted."""

import sys

import pytest
from endurance.load import Load, load
from endurance.measure import MIB

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
    pytest.mark.xdist_group("load"),
]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Load:
    """The same on a quarter; it also starts what is started once in a process."""
    return load(tmp_path_factory.mktemp("small"), calls=500, children=2)


@pytest.fixture(scope="module")
def large(small: Load, tmp_path_factory: pytest.TempPathFactory) -> Load:
    return load(tmp_path_factory.mktemp("large"), calls=2_000, children=16)


@pytest.mark.slow
def test_output_accounts_and_coverage_are_exact(large: Load) -> None:
    assert large.faults == []
    # Of the clauses 0 to 2,399 five are answered at the second attempt; each child asks for its 25 and the whole; the rest are turns.
    assert large.requests == 2_000 + 5 + 16 * (25 + 1) + 16 * 2 + 4


@pytest.mark.slow
def test_nothing_is_left_of_it(large: Load) -> None:
    grown = {name: count for name, count in large.after.countable.items() if count > large.before.countable[name]}
    assert grown == {}


@pytest.mark.slow
def test_the_journal_grows_with_the_calls_and_the_sandbox_stays_small(small: Load, large: Load) -> None:
    assert large.journal_bytes / large.requests < 1.1 * small.journal_bytes / small.requests
    assert large.guest_memory < 128 * MIB
