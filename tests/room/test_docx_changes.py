"""Tracked changes: three texts from one file, each written down by hand."""

from __future__ import annotations

from tests.room.docx_builder import deleted, ins, mark, p, parse, r, tbl, tc, texts, tr


def test_a_file_without_changes_has_one_view():
    assert list(parse(p("Plain.")).views) == ["final"]


def test_inserted_and_deleted_words_give_three_texts():
    parsed = parse(p("Notice of ", deleted("thirty (30)"), ins("ten (10)"), " days."))
    assert texts(parsed) == ["Notice of ten (10) days."]
    assert texts(parsed, "original") == ["Notice of thirty (30) days."]
    marked = parsed.views["marked"]
    assert marked[0].text == "Notice of [-thirty (30)-][+ten (10)+] days."
    assert marked[0].flags == ("inserted", "deleted")
    assert parsed.views["final"][0].flags == ("inserted",)
    assert parsed.views["original"][0].flags == ("deleted",)


def test_each_change_is_told_with_author_date_place_and_words():
    parsed = parse(p("8.2 Notice of ", deleted("thirty (30)"), ins("ten (10)"), " days."))
    told = [unit for unit in parsed.views["marked"] if unit.path.startswith("change[")]
    assert [(unit.path, unit.text, unit.flags) for unit in told] == [
        ("change[1]", "[Deleted by Bob Ray, 2024-03-02, in Section 8.2] thirty (30)", ("deleted",)),
        ("change[2]", "[Inserted by Ann Lee, 2024-03-01, in Section 8.2] ten (10)", ("inserted",)),
    ]
    assert parsed.metadata["tracked_changes"] == "2 by Bob Ray, Ann Lee, 2024-03-01 to 2024-03-02"


def test_runs_of_one_change_share_one_pair_of_brackets():
    parsed = parse(p("a ", ins(r("b", "<w:b/>"), r("c"), "d"), " e"))
    assert texts(parsed, "marked")[0] == "a [+bcd+] e"


def test_text_inserted_by_one_and_deleted_by_another_is_in_neither_text():
    both = '<w:ins w:id="1" w:author="A" w:date="2024-01-01T00:00:00Z">' + deleted("gone", "B") + "</w:ins>"
    parsed = parse(p("left ", both, "right"))
    assert texts(parsed) == ["left right"]
    assert texts(parsed, "original") == ["left right"]
    assert texts(parsed, "marked")[0] == "left [+[-gone-]+]right"


def test_a_deleted_paragraph_mark_joins_two_paragraphs():
    parsed = parse(p("The Seller shall", properties=mark("del")) + p(" deliver the Shares.") + p("Next."))
    assert texts(parsed) == ["The Seller shall deliver the Shares.", "Next."]
    assert texts(parsed, "original") == ["The Seller shall", "deliver the Shares.", "Next."]
    assert texts(parsed, "marked")[:3] == ["The Seller shall[-¶-]", "deliver the Shares.", "Next."]


def test_an_inserted_paragraph_mark_splits_one_paragraph():
    parsed = parse(p("One sentence.", properties=mark("ins")) + p(" Two sentences."))
    assert texts(parsed) == ["One sentence.", "Two sentences."]
    assert texts(parsed, "original") == ["One sentence. Two sentences."]
    assert texts(parsed, "marked")[:2] == ["One sentence.[+¶+]", "Two sentences."]


def test_whole_paragraphs_come_and_go():
    parsed = parse(
        p("Kept.")
        + p(deleted("Gone."), properties=mark("del"))
        + p(ins("New."), properties=mark("ins"))
        + p("Also kept.")
    )
    assert texts(parsed) == ["Kept.", "New.", "Also kept."]
    assert texts(parsed, "original") == ["Kept.", "Gone.", "Also kept."]
    assert texts(parsed, "marked")[:4] == ["Kept.", "[-Gone.-]", "[+New.+]", "Also kept."]
    assert [unit.path for unit in parsed.views["final"]] == ["body/p[1]", "body/p[3]", "body/p[4]"]


def test_a_move_is_gone_here_and_stands_there():
    source = (
        '<w:moveFromRangeStart w:id="9" w:name="m"/>' + ins("Moved.", tag="moveFrom") + '<w:moveFromRangeEnd w:id="9"/>'
    )
    target = '<w:moveToRangeStart w:id="8" w:name="m"/>' + ins("Moved.", tag="moveTo") + '<w:moveToRangeEnd w:id="8"/>'
    parsed = parse(
        p(source, properties=mark("moveFrom")) + p("Between.") + p(target, properties=mark("moveTo")) + p("End.")
    )
    assert texts(parsed) == ["Between.", "Moved.", "End."]
    assert texts(parsed, "original") == ["Moved.", "Between.", "End."]
    marked = parsed.views["marked"]
    assert [unit.text for unit in marked[:4]] == ["[-Moved.-]", "Between.", "[+Moved.+]", "End."]
    assert marked[0].flags == ("deleted", "moved")
    assert marked[2].flags == ("inserted", "moved")
    assert marked[4].text == "[Moved away by Ann Lee, 2024-03-01, in body/p[1]] Moved."
    assert marked[5].text == "[Moved here by Ann Lee, 2024-03-01, in body/p[3]] Moved."


def test_table_rows_and_cells_are_inserted_and_deleted():
    row_in = '<w:ins w:id="1" w:author="Ann Lee" w:date="2024-03-01T10:00:00Z"/>'
    row_out = '<w:del w:id="2" w:author="Bob Ray" w:date="2024-03-02T10:00:00Z"/>'
    cell_out = '<w:cellDel w:id="3" w:author="Bob Ray" w:date="2024-03-02T10:00:00Z"/>'
    cell_in = '<w:cellIns w:id="4" w:author="Ann Lee" w:date="2024-03-01T10:00:00Z"/>'
    parsed = parse(
        tbl(
            tr("Base", "5%"),
            tr("Old", "6%", properties=row_out),
            tr("New", "7%", properties=row_in),
            tr("Cap", tc("1m", properties=cell_out), tc("2m", properties=cell_in)),
        )
    )
    assert texts(parsed) == ["Base | 5%", "New | 7%", "Cap | 2m"]
    assert texts(parsed, "original") == ["Base | 5%", "Old | 6%", "Cap | 1m"]
    assert texts(parsed, "marked")[:4] == [
        "Base | 5%",
        "[-Old-] | [-6%-]",
        "[+New+] | [+7%+]",
        "Cap | [-1m-] | [+2m+]",
    ]


def test_a_note_belongs_only_to_the_views_that_refer_to_it():
    footnotes = "".join(
        f'<w:footnote w:id="{n}"><w:p><w:r><w:t>Note {n}.</w:t></w:r></w:p></w:footnote>' for n in (2, 3)
    )
    gone = '<w:del w:id="1" w:author="A" w:date=""><w:r><w:footnoteReference w:id="2"/></w:r></w:del>'
    kept = '<w:r><w:footnoteReference w:id="3"/></w:r>'
    parsed = parse(p("Price", gone, " is", kept, " ten."), footnotes=footnotes)
    assert texts(parsed) == ["Price is ten.", '[Footnote 1 after "Price is"] Note 3.']
    assert texts(parsed, "original") == [
        "Price is ten.",
        '[Footnote 1 after "Price"] Note 2.',
        '[Footnote 2 after "Price is"] Note 3.',
    ]
    assert parsed.views["final"][1].path == "footnote[2]"


def test_numbering_that_a_tracked_change_gave_is_not_in_the_original():
    numbering = (
        '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
        '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )
    change = '<w:pPrChange w:id="1" w:author="A" w:date="2024-01-01T00:00:00Z"><w:pPr/></w:pPrChange>'
    parsed = parse(p("First", num=(1, 0), properties=change) + p("Second", num=(1, 0)), numbering=numbering)
    assert texts(parsed) == ["1. First", "2. Second"]
    assert texts(parsed, "original") == ["First", "1. Second"]


def test_a_deleted_last_paragraph_and_a_mark_before_a_table_lose_nothing():
    parsed = parse(p("Before", properties=mark("del")) + tbl(tr("a", "b")) + p(deleted("Last"), properties=mark("del")))
    assert texts(parsed) == ["Before", "a | b"]
    assert texts(parsed, "original") == ["Before", "a | b", "Last"]
