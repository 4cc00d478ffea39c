"""What cells see when they print what the session has, and what they are told when they call it wrongly."""

from pathlib import Path

import pytest

from redwell.room.room import Room
from tests.harness.support import Root, make_room, play


def shown(room: Room, tmp_path: Path, *cells: str, **settings: object) -> list[str]:
    return play(room, tmp_path / "run", Root(*cells, "submit()"), **settings).outputs()


def test_a_finding_is_printed_with_the_words_of_its_quotes(room: Room, tmp_path: Path) -> None:
    [output, _] = shown(room, tmp_path, "print(ask('Which rents?', over='lease.txt')[0])")
    assert output == "amount: The rent is $12,000 a month.\n    lease.txt, line 3: 'The rent is $12,000 a month.'\n"


def test_a_document_is_its_path_in_a_text_and_more_as_a_value(room: Room, tmp_path: Path) -> None:
    [output, value, _] = shown(room, tmp_path, "print(room.document('lease.txt'))", "room.document('lease.txt')")
    assert output == "contracts/lease.txt\n"
    assert value.endswith("'contracts/lease.txt' txt, 86 characters>\n")


def test_a_match_stands_where_its_words_stand(room: Room, tmp_path: Path) -> None:
    [output, _] = shown(room, tmp_path, "print([hit.place for hit in room.grep(r'\\s+The rent')])")
    assert output == "['lease.txt, line 3']\n"


def test_a_long_list_says_which_kinds_it_holds(room: Room, tmp_path: Path) -> None:
    [output, _] = shown(room, tmp_path, "room.documents() * 20")
    assert "[...]" not in output
    found = "found = ask('Which amounts?', over=room)\ntype(found)(found * 20, '', [], '', 0)"
    [listed, _] = shown(room, tmp_path / "again", found)
    assert listed.startswith("40 findings (amount 40):\n")
    assert "30 more" not in listed
    assert "... 5 more, such as [30:35]\n" in listed


def test_results_are_listed_by_what_was_read_and_found(room: Room, tmp_path: Path) -> None:
    [output, _] = shown(room, tmp_path, "ask_many([('Which rents?', 'lease.txt'), ('Which rents?', 'note.txt')])")
    assert (
        output
        == "2 results:\n  [0] 1 finding in lease.txt (amount 1): The rent is $12,000 a month.\n  [1] no findings in note.txt\n"
    )


def test_help_says_how_things_are_called(room: Room, tmp_path: Path) -> None:
    [function, method, thing, _] = shown(room, tmp_path, "help(ask)", "help(room.search)", "help(room)")
    assert function.startswith("ask(question, over=None, schema=None, agent=False)\n    One question")
    assert method.startswith("search(query, limit=20, documents=None, **filters)\n    The best")
    assert thing.startswith("The room: `tree()`")
    assert "\n\n.grep(pattern, documents=None, **options)\n    Every match" in thing


def test_help_prints_wherever_it_stands_in_a_cell(room: Room, tmp_path: Path) -> None:
    [output, _] = shown(room, tmp_path, "help(ask)\nhelp(Finding)\nlast = 1")
    assert output.startswith("ask(question, over=None")
    assert "\n`.kind`, `.claim`, `.citations`" in output


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("consent of the Lender", ["consent\nof the\xa0Lender"]),
        ("the ?Lender", ["the\xa0Lender"]),
        ("[ x]Lender", []),
        (r"consent\ of", []),
        (r"\[consent  of", []),
    ],
)
def test_a_space_in_a_pattern_is_any_white_space(tmp_path: Path, pattern: str, found: list[str]) -> None:
    room = make_room(tmp_path, {"loan.txt": "The prior consent\nof the\xa0Lender is needed."})
    [output, _] = shown(room, tmp_path, f"[hit.text for hit in room.grep({pattern!r})]")
    assert output == f"{found}\n"


def test_documents_and_spans_sort_by_where_they_stand(room: Room, tmp_path: Path) -> None:
    cell = """print(*sorted(room.documents()[::-1])[:2])
print([hit.text for hit in sorted(room.grep("consent|rent|supplier")[::-1])])"""
    [output, _] = shown(room, tmp_path, cell)
    assert output == "contracts/lease.txt contracts/supply.txt\n['rent', 'consent', 'supplier']\n"


def test_a_wrong_argument_is_answered_with_the_right_ones(room: Room, tmp_path: Path) -> None:
    [output, _] = shown(room, tmp_path, "room.search('rent', top=3)")
    assert "search takes query, limit, folder, kind, flag, after, before, documents: got an unexpected" in output


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ("flag='hiden'", "There is no flag 'hiden'. The flags are hidden, deleted, inserted"),
        ("kind='pdf'", "No document of this room is of the kind 'pdf'. The kinds in it are txt."),
        (
            "folder='contract'",
            "No document of this room stands under the folder 'contract'. Near it: 'contracts', 'corporate'.",
        ),
    ],
)
def test_a_filter_that_nothing_has_is_answered_with_what_there_is(
    room: Room, tmp_path: Path, filters: str, message: str
) -> None:
    [output, _] = shown(room, tmp_path, f"room.search('rent', {filters})")
    assert f"HostError: {message}" in output


def test_a_search_by_date_says_how_many_documents_bear_none(tmp_path: Path) -> None:
    mail = "From: a@example.com\nTo: b@example.com\nDate: Mon, 2 Mar 2026 10:00:00 +0000\nSubject: Rent\n\nThe rent is due.\n"
    room = make_room(tmp_path, {"mail/one.eml": mail, "a.txt": "The rent.", "b.txt": "No rent."})
    cells = [
        f"room.search('rent', {filters})" for filters in ("after='2026'", "before='2020'", "after='2026', kind='eml'")
    ]
    [some, none, dated, _] = shown(room, tmp_path, *cells)
    assert "one.eml" in some
    assert some.endswith("\n  (2 documents carry no date and were left out)\n")
    assert none == "no hits (2 documents carry no date and were left out)\n"
    assert "left out" not in dated
    [one, _] = shown(room, tmp_path / "one", "room.search('rent', documents=['a.txt'], after='2020')")
    assert one == "no hits (1 document carries no date and was left out)\n"


def test_a_cell_that_will_not_stop_is_killed_after_its_grace(room: Room, tmp_path: Path) -> None:
    [output, _] = shown(room, tmp_path, "sum(range(10**12))", cell_seconds=0.2, grace_seconds=0.3)
    assert "went on for 0.3 s after its limit of 0.2 s" in output


def test_tracebacks_after_a_compaction_name_the_cell_that_the_root_knows(room: Room, tmp_path: Path) -> None:
    cells = ["print('word ' * 2000)"] * 8 + ["1 / 0"]
    outputs = shown(room, tmp_path, *cells, context_tokens=6_000)
    assert 'File "<cell 9>", line 1' in outputs[8]
