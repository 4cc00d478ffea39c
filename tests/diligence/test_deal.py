"""The deal file: what it may say, and how it is told what is wrong with it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from redwell.diligence.deal import Deal, DealError, read_deal


def written(folder: Path, text: str) -> Path:
    path = folder / "deal.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_full_deal_file(tmp_path: Path) -> None:
    deal = read_deal(
        written(
            tmp_path,
            'target = "Larkfield Instruments, Inc."\naliases = ["Larkfield"]\nbuyer = "Wrenmoor Holdings plc"\nstructure = "share purchase"\n'
            'price = 120_000_000\nmateriality = 250_000\ncurrency = "usd"\nfocus = ["ip"]\n[dates]\nas_of = 2026-03-02\n',
        )
    )
    assert deal.price == 120_000_000
    assert deal.dates.as_of == date(2026, 3, 2)
    assert deal.assumptions == ()
    assert deal.describe().splitlines()[0] == "target: Larkfield Instruments, Inc."
    assert "price: USD 120,000,000" in deal.describe()


def test_no_file_is_an_empty_deal_that_says_what_is_assumed() -> None:
    deal = read_deal(None)
    assert deal == Deal()
    assert deal.describe() == ""
    assert len(deal.assumptions) == 5
    assert deal.assumptions[0] == (
        "No target was named; where the documents name one party most often, it is taken as the target."
    )
    assert not any("deal file" in text for text in deal.assumptions)


def test_the_deal_survives_json() -> None:
    deal = Deal(target="Acme", price=5, dates={"closing": "2026-05-29"})
    assert Deal.model_validate(deal.model_dump(mode="json")) == deal


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("price = -5\n", "price: input should be greater than 0"),
        ('structure = "gift"\n', 'structure: there is no such structure; write one of "merger"'),
        ("prize = 5\n", "prize: there is no such field; the fields are target"),
        (
            "[dates]\nsigned = 2026-01-01\n",
            "dates.signed: there is no such field; the fields are signing, closing, as_of",
        ),
        ('[dates]\nclosing = "soon"\n', "dates.closing:"),
        ('currency = "dollars"\n', "currency:"),
        ("target = \n", "not valid TOML"),
    ],
)
def test_mistakes_name_the_file_and_the_field(tmp_path: Path, text: str, told: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(DealError) as error:
        read_deal(path)
    assert told in str(error.value)
    assert str(path) in str(error.value)


def test_a_file_that_is_not_there_or_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(DealError, match="there is no such deal file"):
        read_deal(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(DealError, match="cannot be read: it is not UTF-8 text"):
        read_deal(tmp_path / "binary.toml")
    with pytest.raises(DealError, match="cannot be read"):
        read_deal(tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            'structure = "takeover"',
            'structure: there is no such structure; write one of "merger", "share purchase", "asset purchase"',
        ),
        ('[dates]\nsigning = "soon"', "dates.signing: write a date as YYYY-MM-DD"),
        ('[dates]\nclosing = "31.03.2026"', "dates.closing: write a date as YYYY-MM-DD"),
        ("[dates]\nclosing = 2026-03-31T10:00:00", "dates.closing: write a date as YYYY-MM-DD"),
        ('currency = "euro"', "currency: write the three letters"),
        ('aliases = "Acme"', "aliases: write a list of texts"),
    ],
)
def test_a_field_that_cannot_be_used_is_told_with_what_it_may_hold(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "deal.toml"
    file.write_text(text)
    with pytest.raises(DealError) as refusal:
        read_deal(file)
    assert said in str(refusal.value)


def test_a_file_that_is_no_deal_file_is_refused_by_its_size_and_its_depth(tmp_path: Path) -> None:
    path = tmp_path / "deal.toml"
    path.write_text("a." * 30_000)
    with pytest.raises(DealError, match="larger than 50 kB, which is more than a deal file holds"):
        read_deal(path)
    path.write_text("focus = " + "[" * 3_000)
    with pytest.raises(DealError, match="nested too deeply"):
        read_deal(path)
    path.write_text("price = " + "9" * 5_000)
    with pytest.raises(DealError, match="holds a number of thousands of digits"):
        read_deal(path)
