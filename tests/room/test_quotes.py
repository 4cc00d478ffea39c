"""Quotes are found through any change of typesetting, and never through a change of words."""

from __future__ import annotations

import random
import re
import unicodedata

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from redwell.room import quotes_fold
from redwell.room.quotes import GAP, check, find, fold, stepped_over
from redwell.room.types import Unit

LEASE = (
    "12.3 Assignment. Tenant shall assign this Lease without the prior written consent of Landlord, provided that the "
    "aggregate liability cap shall not exceed $5,000,000 in any contract year. Either party may terminate upon ninety (90) "
    "days\u2019 prior written notice. The indemni\ufb01cation obligations of the Seller shall survive for eigh-\nteen (18) months. "
    "Interest accrues at 1.5% per annum. Area of 10\u00b2 metres. Exhibit A. Either party may terminate upon ninety (90) days\u2019 "
    "prior written notice."
)


def found(text: str, quote: str) -> list[str]:
    return [text[start:end] for start, end in find(text, quote)]


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("Tenant shall assign this Lease", "Tenant shall assign this Lease"),
        ("upon ninety (90) days' prior written notice. The", "upon ninety (90) days\u2019 prior written notice. The"),
        ("The indemnification obligations", "The indemni\ufb01cation obligations"),
        ("shall survive for eighteen (18) months", "shall survive for eigh-\nteen (18) months"),
        ("shall survive for eigh-teen (18) months", "shall survive for eigh-\nteen (18) months"),
        ("aggregate  liability\n\tcap", "aggregate liability cap"),
        ("contract\u00a0year", "contract year"),
        ("TENANT SHALL ASSIGN", "Tenant shall assign"),
        ("not exceed $5,000,000 in any", "not exceed $5,000,000 in any"),
        ("1.5% per annum", "1.5% per annum"),
        ("10\u00b2 metres", "10\u00b2 metres"),
    ],
)
def test_a_true_quote_is_verified_at_its_place(quote: str, source: str) -> None:
    citation = check(LEASE, quote, document="d")
    assert citation.status == "verified"
    assert [LEASE[span.start : span.end] for span in citation.spans] == [source]


@pytest.mark.parametrize(
    ("quote", "difference"),
    [
        ("Tenant shall not assign this Lease", "Tenant shall [-not-] assign this Lease"),
        ("liability cap shall not exceed $500,000", "… cap shall not exceed [-$500,000-] {+$5,000,000+}"),
        ("may terminate upon thirty (30) days", "may terminate upon [-thirty (30)-] {+ninety (90)+} days\u2019"),
        ("Interest accrues at 15% per annum", "Interest accrues at [-15%-] {+1.5%+} per annum."),
        ("Area of 102 metres", "Area of [-102-] {+10\u00b2+} metres."),
        ("Tenant may assign this Lease", "Tenant [-may-] {+shall+} assign this Lease"),
        ("cap shall exceed $5,000,000 in any", "cap shall {+not+} exceed $5,000,000 in any"),
        ("shall survive for eight months", None),
    ],
)
def test_a_changed_quote_differs_and_the_difference_is_shown(quote: str, difference: str | None) -> None:
    citation = check(LEASE, quote, document="d")
    assert citation.status == "differs"
    assert not citation.spans
    assert not citation.holds
    assert citation.nearest is not None
    if difference is not None:
        assert citation.difference == difference


def test_a_fabricated_quote_is_unverified() -> None:
    for quote in (
        "Purchaser may withhold escrow",
        "Tenant shall assign this Lease in any contract year",
        "",
        " ... ",
        "§",
    ):
        citation = check(LEASE, quote)
        assert citation.status == "unverified", quote
        assert citation.nearest is None


def test_a_document_without_text_cannot_be_checked_against() -> None:
    for text in ("", " \n\n ", "\u200b", "— · —"):
        assert check(text, "Tenant shall assign").status == "uncheckable"


def test_every_occurrence_is_returned() -> None:
    quote = "Either party may terminate upon ninety (90) days' prior written notice."
    assert len(check(LEASE, quote).spans) == 2
    assert len(set(check(LEASE, quote).spans)) == 2
    assert find("x y x y x", "x y x") == [(0, 5), (4, 9)]
    assert len(find("no " * 50_000, "no " * 20_000)) > 1


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("caps of $5,000,000 apply", "5,000"),
        ("caps of $5,000,000 apply", "000,000"),
        ("caps of $5,000,000 apply", "$5,000,"),
        ("at 1.5% a year", "5% a year"),
        ("at 1.5% a year", ".5% a year"),
        ("at $.50 a share", "50 a share"),
        ("room 115 of", "15 of"),
        ("room 115 of", "room 11"),
        ("a return of -5% a year", "5% a year"),
        ("a return of \u22125% a year", "5% a year"),
        ("between 30-60 days", "60 days"),
        ("between 30\u201360 days", "between 30"),
        ("the COVID-19 clause", "19 clause"),
        ("one half (1/2) of", "2) of"),
        ("area 10\u00b2 metres", "area 10"),
        ("a rate of 5½ percent", "a rate of 5"),
        ("Tenant may reassign this", "assign this"),
        ("Tenant may assignee", "may assign"),
        ("Landlord can't assign", "Landlord can"),
        ("Landlord can\u2019t assign", "t assign"),
        ("a non-exclusive licence", "exclusive licence"),
        ("a non\u2011exclusive licence", "exclusive licence"),
        ("a non-\nexclusive licence", "exclusive licence"),
        ("long-term debt", "long"),
        ("o\ufb03ce space", "of"),
        ("the Caf\u00e9 lease", "the Caf"),
        ("the Cafe\u0301 lease", "the Cafe"),
        ("x\u0302 is a mark", "x"),
        ("stra\u00dfe", "stras"),
        ("and so on\u2026 Next", "and so on."),
        ("grew 10\u00b3 times", "10 3"),
        ("½ of", "1/2 of"),
        ("① first", "1 first"),
        ("Œuvre", "OEuvre"),
        ("Tenant, shall", "Tenant shall"),
        ("the Company's", "the Companys"),
    ],
)
def test_words_numbers_and_signs_are_never_cut_or_changed(text: str, quote: str) -> None:
    assert find(text, quote) == []
    assert not check(text, quote).holds


@pytest.mark.parametrize(
    ("text", "quote", "source"),
    [
        ("the non-\ncompete clause", "non-compete clause", "non-\ncompete clause"),
        ("the non-\ncompete clause", "noncompete clause", "non-\ncompete clause"),
        ("the non-\ncompete clause", "non- compete clause", "non-\ncompete clause"),
        ("the non-\r\n  compete clause", "noncompete clause", "non-\r\n  compete clause"),
        ("the non\ufffecompete clause", "non-compete clause", "non\ufffecompete clause"),
        ("the non\ufffe\ncompete clause", "noncompete clause", "non\ufffe\ncompete clause"),
        ("the com\u00adpete clause", "compete clause", "com\u00adpete clause"),
        ("the com\u00ad\npete clause", "compete clause", "com\u00ad\npete clause"),
        ("a non-\ncompete of inter-\nest here", "non-compete of interest", "non-\ncompete of inter-\nest"),
        ("the non-compete clause", "non-\ncompete", "non-compete"),
        ("the years 2019-\n2020 only", "2019-2020 only", "2019-\n2020 only"),
        ("the Seller\u2014including", "Seller-including", "Seller\u2014including"),
        ("the Seller\u2014including its", "including its", "including its"),
        ("the Seller\u2014including its", "the Seller", "the Seller"),
        ("in 2019\u2014the year", "in 2019", "in 2019"),
        ("in May\u20142019 it", "2019 it", "2019 it"),
        ("(the \u201cCompany\u201d) shall", "(the 'Company') shall", "(the \u201cCompany\u201d) shall"),
        (
            "Soci\u00e9t\u00e9 G\u00e9n\u00e9rale",
            "Socie\u0301te\u0301 Ge\u0301ne\u0301rale",
            "Soci\u00e9t\u00e9 G\u00e9n\u00e9rale",
        ),
        ("Socie\u0301te\u0301 Ge", "soci\u00e9t\u00e9", "Socie\u0301te\u0301"),
        ("die Stra\u00dfe ist", "DIE STRASSE IST", "die Stra\u00dfe ist"),
        ("\u0130stanbul office", "i\u0307stanbul OFFICE", "\u0130stanbul office"),
        ("ΟΔΟΣ και", "οδος και", "ΟΔΟΣ και"),
        ("o\ufb03ce \ufb02oor", "office floor", "o\ufb03ce \ufb02oor"),
        ("and so on\u2026 Next", "and so on... Next", "and so on\u2026 Next"),
        ("\U0001f3e2 HQ \u2764\ufe0f lease", "HQ \u2764 lease", "HQ \u2764\ufe0f lease"),
        ("a\u200bb\u200fc d", "abc", "a\u200bb\u200fc"),
        ("甲方应当支付租金。", "应当支付", "应当支付"),
        ("계약을 체결", "계약", "계약"),
        ("thirty (30) days", "30", "30"),
        ("the 15, 20 and 25", "15", "15"),
        ("it is 5.", "it is 5", "it is 5"),
        ("Section 8.2.", "Section 8.2.", "Section 8.2."),
        ("the rule (a-b) and", "rule (a-b)", "rule (a-b)"),
    ],
)
def test_typesetting_is_folded(text: str, quote: str, source: str) -> None:
    assert found(text, quote) == [source]


def test_offsets_are_code_points_before_and_after_astral_characters() -> None:
    text = "\U0001f600\U0001f3e2 \u201cTenant\u201d\n\U0001d49e pays"
    assert find(text, '"tenant" \U0001d49e pays') == [(3, 18)]
    assert find(text, "Tenant") == [(4, 10)]


@pytest.mark.parametrize(
    "quote",
    [
        '"Tenant shall assign this Lease"',
        "\u201cTenant shall assign this Lease\u201d",
        "'Tenant shall assign this Lease'",
        "...Tenant shall assign this Lease",
        "Tenant shall assign this Lease...",
        "\u201c\u2026 Tenant shall assign this Lease \u2026\u201d",
        "[...] Tenant shall assign this Lease [\u2026]",
    ],
)
def test_the_writers_own_frame_does_not_count_against_a_quote(quote: str) -> None:
    citation = check(LEASE, quote)
    assert citation.status == "verified"
    assert [LEASE[span.start : span.end] for span in citation.spans] == ["Tenant shall assign this Lease"]


def test_an_apostrophe_within_a_quote_does_not_keep_its_quotation_marks_from_being_its_frame() -> None:
    assert check("upon the Landlord’s consent only", "'the Landlord's consent'").status == "verified"
    assert check("upon the Landlord’s consent only", "‘the Landlord’s consent’").status == "verified"


@pytest.mark.parametrize("dots", ["...", "\u2026", "[...]", ". . .", "[\u2026]", "....", "(...)"])
def test_an_abridged_quote_needs_its_pieces_in_order(dots: str) -> None:
    citation = check(LEASE, f"The indemnification obligations {dots} eighteen (18) months", document="d")
    assert citation.status == "abridged"
    assert citation.holds
    assert [LEASE[span.start : span.end] for span in citation.spans] == [
        "The indemni\ufb01cation obligations of the Seller shall survive for eigh-\nteen (18) months"
    ]
    assert not check(LEASE, f"eighteen (18) months {dots} The indemnification obligations").holds


def test_the_pieces_of_an_abridged_quote_stand_close_together() -> None:
    near = "The Buyer shall pay " + "x" * (GAP - 2) + " on the Closing Date"
    far = "The Buyer shall pay " + "x" * (GAP - 1) + " on the Closing Date"
    assert check(near, "The Buyer shall pay ... on the Closing Date").status == "abridged"
    assert not check(far, "The Buyer shall pay ... on the Closing Date").holds


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The Tenant shall not, without notice, assign the whole Lease", "The Tenant shall ... assign the whole Lease"),
        ("The Tenant shall in no event assign the whole Lease", "The Tenant shall ... assign the whole Lease"),
        (
            "The Tenant shall under the terms and conditions hereof not assign the Lease",
            "The Tenant shall ... assign the Lease",
        ),
        ("The Tenant shall, after notice, assign the whole Lease", "Tenant shall ... assign the whole Lease"),
        (
            "Tenant shall assign this Lease without the consent of Landlord",
            "Tenant shall assign this Lease ... consent of Landlord",
        ),
        ("The Tenant shall, after notice, assign the whole Lease", "The Tenant shall ... assign this whole Lease"),
    ],
)
def test_an_ellipsis_hides_no_negation_and_no_short_piece(text: str, quote: str) -> None:
    assert not check(text, quote).holds


def test_an_ellipsis_of_the_source_is_quoted_exactly() -> None:
    text = "Recitals ........ 5 and (a) the fee . . . (b) the costs"
    assert check(text, "Recitals ........ 5").status == "verified"
    assert check(text, "the fee . . . (b) the costs").status == "verified"


def test_a_tight_chain_is_preferred_and_a_later_place_is_reached() -> None:
    text = "the first fee is due now. the first fee is due on signing and the second fee on closing."
    citation = check(text, "the first fee ... the second fee")
    assert [text[s.start : s.end] for s in citation.spans] == ["the first fee is due on signing and the second fee"]
    # The earliest second piece is too far from the third one; a later one is not.
    middle = "the middle part " + "y" * (GAP - 30) + " the middle part "
    text = "the first part " + middle + "z" * 300 + " the third part"
    assert check(text, "the first part ... the middle part ... the third part").status == "abridged"


def test_a_letter_whose_case_was_changed_is_an_abridgement_and_any_other_alteration_is_none() -> None:
    text = "provided that the Tenant shall pay rent"
    assert check(text, "[T]he Tenant shall pay rent").status == "abridged"
    assert check(text, "[t]he Tenant ... shall").status != "verified"
    for quote in (
        "[a]he Tenant shall pay",
        "the [Company] shall pay rent",
        "the Tenant[s] shall pay rent",
        "[the] Tenant shall pay",
    ):
        assert not check(text, quote).holds, quote
    assert check("see clause [T]he", "[T]he").status == "verified"


def test_a_sentence_that_crosses_a_page_break_is_verified_in_two_spans() -> None:
    text = (
        "MASTER SERVICES AGREEMENT\nThe Supplier shall not be liable for any indi-\nPage 1 of 3\n"
        "MASTER SERVICES AGREEMENT\nrect loss of profit. It may\nPage 2 of 3\n"
        "MASTER SERVICES AGREEMENT\nassign this Agreement.\nPage 3 of 3"
    )
    lines = re.finditer(r"MASTER SERVICES AGREEMENT|Page \d of 3", text)
    skip = [line.span() for line in lines]
    folded = fold(text, skip=skip)
    citation = check(folded, "liable for any indirect loss of profit. It may assign", document="d")
    assert citation.status == "verified"
    assert [text[s.start : s.end] for s in citation.spans] == [
        "liable for any indi-",
        "rect loss of profit. It may",
        "assign",
    ]
    assert not check(text, "liable for any indirect loss of profit").holds
    # What is stepped over can still be quoted, on its own and with its surroundings.
    assert len(check(folded, "Master Services Agreement").spans) == 3
    assert check(folded, "Page 2 of 3 MASTER SERVICES AGREEMENT assign").status == "verified"
    assert check(folded, "any direct loss of profit").status == "differs"


def test_a_sentence_is_found_across_the_footer_note_and_header_units_between_its_parts() -> None:
    parts = [
        ("The Supplier pays the con-", ()),
        ("[note] why?", ("comment",)),
        ("3", ("footer",)),
        ("MSA", ("header",)),
        ("tract price.", ()),
    ]
    text, units = "", []
    for number, (part, flags) in enumerate(parts):
        units.append(Unit("d", number, len(text), len(text) + len(part), "", flags=flags))
        text += part + "\n"
    citation = check(fold(text, skip=stepped_over(units)), "The Supplier pays the contract price.", document="d")
    assert citation.status == "verified"
    assert [text[s.start : s.end] for s in citation.spans] == ["The Supplier pays the con-", "tract price."]
    assert stepped_over(units, 27, 41) == [(0, 11), (12, 13)]


@pytest.mark.parametrize("ruling", ["---------", "  ---------- ---", "=====", "- - - - -", "───────"])
def test_a_line_that_only_underlines_words_is_stepped_over(ruling: str) -> None:
    text = f"2.2 Email Promotions. Intuit will place\n{ruling}\na graphic of 234x60 pixels."
    citation = check(text, "Intuit will place a graphic of 234x60 pixels")
    assert citation.status == "verified"
    assert [text[s.start : s.end] for s in citation.spans] == ["Intuit will place", "a graphic of 234x60 pixels"]
    assert not check("the fee is\n-5\npercent", "the fee is percent").holds
    assert not check("the sum of\n________\ndollars", "the sum of dollars").holds
    assert not check("shall pay\n* * *\nthe rent", "shall pay the rent").holds
    assert not check("the rate --- or\nits base", "the rate its base").holds


def test_the_nearest_of_several_passages_is_shown() -> None:
    text = (
        "The initial term is two (2) years from the Effective Date. " * 3
        + "Either party may terminate this Agreement for convenience on sixty (60) days' written notice. "
        + "Either party may terminate this Agreement for cause on ten (10) days' written notice."
    )
    citation = check(
        text, "Either party may terminate this Agreement for convenience on thirty (30) days' written notice."
    )
    assert citation.difference == "… Agreement for convenience on [-thirty (30)-] {+sixty (60)+} days' written notice."
    assert citation.nearest is not None
    passage = text[citation.nearest.start : citation.nearest.end]
    assert passage == "Either party may terminate this Agreement for convenience on sixty (60) days' written notice."


def test_a_difference_in_punctuation_or_hyphens_alone_is_shown() -> None:
    assert (
        check("the tenant, shall pay rent", "the tenant shall pay rent").difference
        == "the [-tenant-] {+tenant,+} shall pay rent"
    )
    assert check("a strict non-compete clause here", "a strict noncompete clause").difference == (
        "a strict [-noncompete-] {+non-compete+} clause"
    )


def test_a_very_long_quote_is_checked_without_a_search_for_near_ones() -> None:
    text = " ".join(f"word{n}" for n in range(5_000))
    assert check(text, text).status == "verified"
    assert check(text, text + " more").status == "unverified"


def test_every_character_that_folds_to_several_is_known_to_be_uneven() -> None:
    for code in range(0x80, 0x110000):
        character = chr(code)
        if len(character.casefold()) != 1:
            assert quotes_fold._UNEVEN.search(character), hex(code)


# --- properties ---------------------------------------------------------------------------------------------------------------

WORDS = [
    "the",
    "Tenant",
    "shall",
    "assign",
    "this",
    "Lease",
    "without",
    "written",
    "consent",
    "of",
    "Landlord",
    "office",
    "flow",
    "affix",
    "waffle",
    "staff",
    "stipulated",
    "offset",
    "fine",
    "Société",
    "Straße",
    "naïve",
    "Zürich",
    "ﬁnancing",
    "İzmir",
    "Łódź",
    "ΣΟΦΟΣ",
    "don't",
    "Landlord's",
    "non-compete",
    "co-operate",
    "twenty-one",
    "Seller—Buyer",
    "$5,000,000",
    "1.5%",
    "(30)",
    "2019-2020",
    "10²",
    "½",
    "8.2(b)",
    "“Company”",
    "(the",
    "“Buyer”)",
    "🏢",
    "€40",
    "§12",
    "x̂y",
    "agreement;",
    "provided,",
    "however:",
    "any",
    "may",
    "must",
    "Компания",
    "договор",
    "甲方",
    "and/or",
    "A&B",
    "U.S.",
    "#7",
    "+3",
    "−4",
]
NEGATIONS = ("not", "never", "no")
SPACES = (" ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u2009", "\u3000", " \n ", "\u202f", "\n\n", " \u200b ")
ZERO_WIDTH = ("\u200b", "\u00ad", "\u200d", "\u2060", "\ufeff", "\u200e", "\u202c")
LIGATURES = {"ffi": "ﬃ", "ffl": "ﬄ", "ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ", "st": "ﬆ"}
STYLES = {"'": "'’‘ʼ", '"': '"“”„»', "“": '"“”«', "”": '"“”»', "-": "-‐‑–", "—": "—―-", "−": "-−–"}


def rewritten(word: str, chance: random.Random, *, divided: bool = True) -> str:
    """The same word as another typesetter would have it; `divided`: perhaps hyphenated at the end of a line."""
    if chance.random() < 0.3:
        for letters, ligature in LIGATURES.items():
            if letters in word and chance.random() < 0.7:
                word = word.replace(letters, ligature, 1)
    if chance.random() < 0.4:
        word = unicodedata.normalize(chance.choice(["NFC", "NFD"]), word)
    out = ""
    for number, letter in enumerate(word):
        character = letter
        after = word[number + 1 : number + 2]
        if character in STYLES:
            character = chance.choice(STYLES[character])
        elif chance.random() < 0.3:
            character = character.upper() if chance.random() < 0.5 else character.lower()
        out += character
        if after and chance.random() < 0.1:
            out += chance.choice(ZERO_WIDTH)
        if out[-1] in "-‐" and number and word[number - 1].isalnum() and after.isalnum() and chance.random() < 0.3:
            out += chance.choice(["\n", "\r\n", " \n  "])
        elif divided and letter.isalpha() and after.isalpha() and chance.random() < 0.05:
            out += chance.choice(["-\n", "\ufffe\n", "\u00ad\n", "\u2010\r\n"])
    return out


def rendered(words: list[str], chance: random.Random) -> tuple[str, list[tuple[int, int]]]:
    """A text made of the words, and where each of them stands."""
    text, places = "", []
    for number, word in enumerate(words):
        if number:
            text += chance.choice(SPACES) if chance.random() < 0.5 else " "
        printed = rewritten(word, chance)
        places.append((len(text), len(text) + len(printed)))
        text += printed
    return text, places


@st.composite
def quotations(draw: st.DrawFn) -> tuple[list[str], int, int, random.Random]:
    words = draw(st.lists(st.sampled_from(WORDS), min_size=3, max_size=40))
    start = draw(st.integers(0, len(words) - 1))
    end = draw(st.integers(start + 1, len(words)))
    assume(any(map(str.isalnum, "".join(words[start:end]))))
    return words, start, end, random.Random(draw(st.integers(0, 2**32)))


@settings(max_examples=600, deadline=None)
@given(quotations())
def test_any_rewritten_quote_is_found_at_its_code_points(case: tuple[list[str], int, int, random.Random]) -> None:
    words, start, end, chance = case
    text, places = rendered(words, chance)
    # A hyphen that a line's end brought into the quote answers only to one in the text, so the quote's words are whole.
    quote = chance.choice(SPACES).join(rewritten(word, chance, divided=False) for word in words[start:end])
    assert (places[start][0], places[end - 1][1]) in find(text, quote)
    citation = check(text, quote, document="d")
    assert citation.status == "verified"
    assert all(span.document == "d" and 0 <= span.start < span.end <= len(text) for span in citation.spans)


@settings(max_examples=600, deadline=None)
@given(quotations(), st.sampled_from(["digit", "negation", "dropped", "swapped", "changed"]))
def test_no_changed_quote_is_verified(case: tuple[list[str], int, int, random.Random], change: str) -> None:
    words, start, end, chance = case
    text, _ = rendered(words, chance)
    quoted = words[start:end]
    at = chance.randrange(len(quoted))
    if change == "digit":
        digits = [(n, k) for n, word in enumerate(quoted) for k, c in enumerate(word) if c in "0123456789"]
        assume(digits)
        at, k = chance.choice(digits)
        digit = str((int(quoted[at][k]) + chance.randrange(1, 10)) % 10)
        quoted[at] = quoted[at][:k] + digit + quoted[at][k + 1 :]
    elif change == "negation":
        quoted.insert(at, chance.choice(NEGATIONS))
    elif change == "dropped":
        assume(0 < at < len(quoted) - 1)
        del quoted[at]
    elif change == "swapped":
        other = chance.randrange(len(quoted))
        quoted[at], quoted[other] = quoted[other], quoted[at]
    else:
        quoted[at] = chance.choice(WORDS)
    assume(plain(quoted) not in plain(words))
    quote, _ = rendered(quoted, chance)
    assert find(text, quote) == []
    assert check(text, quote).status != "verified"


def plain(words: list[str]) -> str:
    """Words as one string, without what the fold leaves open."""
    joined = unicodedata.normalize("NFC", " ".join(words).casefold())
    return joined.translate({**{ord(c): "-" for c in "—−"}, **{ord(c): "'" for c in '“”"'}, ord("ﬁ"): "fi"})


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=300))
def test_any_text_folds_and_its_own_words_are_found(text: str) -> None:
    folded = fold(text)
    assert fold(folded.text).text == folded.text or "-" in folded.text or '"' in folded.text
    for start in range(len(folded.text)):
        low, high = folded.span(start, start + 1)
        assert 0 <= low < high <= len(text)
    if any(map(str.isalnum, folded.text)):
        assert check(text, text).status == "verified"


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab1 .,-—\n\u00adé'\"", max_size=60), st.text(alphabet="ab1 .,-—\n\u00adé'\"", max_size=8))
def test_whatever_is_found_folds_to_the_quote(text: str, quote: str) -> None:
    for start, end in find(text, quote):
        piece = text[start:end]
        assert find(piece, quote) == [(0, len(piece))] or len(find(piece, quote)) >= 1
        assert fold(piece).text.replace("-", "").strip() == fold(quote).text.replace("-", "").strip()


def test_a_quote_may_begin_after_a_page_number_between_dashes() -> None:
    text = "The term ends on page\n-3-\n3.4 HDI's obligations are set out below."
    assert check(text, "3.4 HDI's obligations are set out below.").status == "verified"
    assert check(text, "-3-\n3.4 HDI's obligations").status == "verified"
    assert check(text, "4 HDI's obligations").status == "differs"


def test_a_range_broken_over_a_line_is_still_one() -> None:
    text = "See pages 3-\n4 of the plan."
    assert check(text, "pages 3-4 of the plan").status == "verified"
    assert check(text, "4 of the plan").status == "differs"
