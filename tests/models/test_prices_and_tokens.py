"""Prices are dated and never guessed; estimates of tokens are on the high side."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.models.prices import PricesError, load_prices
from redwell.models.record import read_completion, record_completion, record_request
from redwell.models.tokens import estimate, estimate_request
from redwell.models.types import Completion, Message, Request, Tool, ToolCall, Usage
from redwell.room.types import Span


def test_cost_by_hand() -> None:
    price = load_prices({}).of("anthropic:claude-sonnet-4-5")
    assert price is not None
    # 1,000 plain at $3, 5,000 cached at $0.30, 2,000 written at $3.75 and 400 out at $15 a million
    assert price.cost(Usage(8_000, 5_000, 400, 2_000)) == pytest.approx(0.003 + 0.0015 + 0.0075 + 0.006)
    assert price.most(1_000, 100) == pytest.approx(1_000 * 3.75e-6 + 100 * 15e-6)
    assert price.as_of >= "2026"


def test_names_with_dates_addresses_and_strangers() -> None:
    prices = load_prices({})
    assert prices.of("openai:gpt-5-mini-2025-08-07") == prices.of("openai:gpt-5-mini") != prices.of("openai:gpt-5")
    assert prices.of("anthropic:claude-haiku-4-5-20251001") == prices.of("anthropic:claude-haiku-4-5")
    assert prices.of("openai:gpt-5-mini@http://127.0.0.1:8000/v1") is None
    assert prices.of("openai:gpt-5-pro") is None
    assert prices.of("unheard:of") is None


def test_what_runs_here_is_free_and_what_is_unknown_is_not() -> None:
    prices = load_prices({})
    assert (
        prices.cost("reader", None) == prices.cost("playbook", Usage(9, 0, 9)) == prices.cost("local:any", None) == 0.0
    )
    assert prices.cost("openai:gpt-5", None) is None
    assert prices.cost("openai:unheard-of", Usage(9, 0, 9)) is None


def test_a_users_own_file_comes_first(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        '[openai.prices]\n"gpt-5" = { input = 9, output = 90 }\n"x@http://10.0.0.5/v1" = { input = 1, cached = 0, output = 2 }\n'
    )
    prices = load_prices({"REDWELL_PRICES": str(own)})
    price = prices.of("openai:gpt-5")
    assert price is not None
    assert (price.input, price.cached, price.written, price.output) == (9, 9, 9, 90)
    assert prices.cost("openai:x@http://10.0.0.5/v1", Usage(1_000_000, 500_000, 0)) == 0.5
    assert prices.of("openai:gpt-5-mini") == load_prices({}).of("openai:gpt-5-mini")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("not toml [", "REDWELL_PRICES: .*own.toml: not valid TOML"),
        pytest.param("x = " + "[" * 100_000, "nested too deeply", id="nested"),
        pytest.param(f"x = {'9' * 5000}", "a number of thousands of digits", id="digits"),
        pytest.param("#" * 1_000_001, "larger than 1000 kB, which is more than a price file holds", id="large"),
        ("[openai]\nas_of = 'x'", r"\[openai\] has no prices"),
        ("[openai.prices]\nx = 3", "openai:x must be a table"),
        ("[openai.prices]\nx = { input = 1 }", "openai:x: output must be dollars"),
        ("[openai.prices]\nx = { input = -1, output = 1 }", "openai:x: input must be dollars"),
        ("[openai.prices]\nx = { input = true, output = 1 }", "openai:x: input must be dollars"),
    ],
)
def test_a_wrong_price_file_says_where(tmp_path: Path, text: str, reason: str) -> None:
    own = tmp_path / "own.toml"
    own.write_text(text)
    with pytest.raises(PricesError, match=reason):
        load_prices({"REDWELL_PRICES": str(own)})


def test_a_missing_price_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(PricesError, match=r"REDWELL_PRICES: .*none\.toml: there is no such price file"):
        load_prices({"REDWELL_PRICES": str(tmp_path / "none.toml")})


# The largest count of the vocabularies o200k, cl100k, Llama 3 and Qwen 3, counted once with a tokenizer.
COUNTED = [
    ("THE COMPANY SHALL INDEMNIFY AND HOLD HARMLESS THE PURCHASER FROM ANY AND ALL LIABILITIES. " * 200, 5_001),
    ("| 1,204.50 | (3,200) | 12/31/2023 | $45,000.00 |\n" * 300, 12_600),
    ("本协议由以下双方签订，甲方应当在收到通知后三十日内支付全部价款及利息。" * 200, 7_200),
    (
        "Der Geschäftsführer ist verpflichtet, die Gesellschafterversammlung über wesentliche Änderungen unverzüglich zu unterrichten. "
        * 100,
        3_801,
    ),
    ("Настоящий договор заключён между следующими сторонами и вступает в силу с даты подписания. " * 100, 4_201),
    ("😀🎉" * 1_000, 5_000),
]


@pytest.mark.parametrize(("text", "counted"), COUNTED)
def test_estimates_are_not_below_what_was_counted(text: str, counted: int) -> None:
    assert counted <= estimate(text) <= 2.5 * counted


@given(st.text(), st.text())
def test_estimates_add_up(one: str, two: str) -> None:
    assert estimate(one + two) <= estimate(one) + estimate(two)
    assert estimate(one + two) >= max(estimate(one), estimate(two))
    assert estimate("") == 0


def test_everything_in_a_request_counts() -> None:
    plain = Request((Message("user", "x" * 400),))
    with_tool = Request(plain.messages, tools=(Tool("python", "Runs code. " * 20, {"type": "object"}),))
    with_schema = Request(plain.messages, schema={"type": "object", "properties": {"name" * 20: {}}})
    assert estimate_request(plain) > 100
    assert estimate_request(with_tool) > estimate_request(plain) + 50
    assert estimate_request(with_schema) > estimate_request(plain) + 20


COMPLETIONS = st.builds(
    Completion,
    text=st.text(st.characters(codec="utf-8")),
    model=st.text(st.characters(codec="utf-8"), max_size=20),
    tool_calls=st.lists(
        st.builds(ToolCall, st.text(max_size=5), st.text(max_size=5), st.text(max_size=20)), max_size=3
    ).map(tuple),
    finish=st.sampled_from(["stop", "tool_calls", "unknown"]),
    usage=st.none() | st.builds(Usage, *[st.integers(0, 10**9)] * 4),
    seconds=st.integers(0, 10**6).map(lambda micro: micro / 1e6),
    token_ids=st.none() | st.lists(st.integers(0, 200_000), max_size=5).map(tuple),
    logprobs=st.none() | st.lists(st.floats(-50, 0), max_size=5).map(tuple),
    detail=st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5), max_size=2),
)


@given(COMPLETIONS)
def test_a_completion_comes_back_from_the_journal_as_it_was(completion: Completion) -> None:
    assert read_completion(record_completion(completion)) == completion


def test_spans_are_cut_out_where_they_stand_and_kept_where_they_do_not() -> None:
    room = "".join(f"Paragraph {number} of the lease. " for number in range(100))
    one, two, changed = Span("a", 0, 300), Span("a", 300, 700), Span("a", 700, 900)
    content = f"[1]{room[:300]}[2]{room[300:700]}[3]{room[700:900].upper()}?"
    record = record_request(
        Request((Message("user", content),), spans=(two, one, changed)), lambda s: room[s.start : s.end]
    )
    assert '{"span":["a",0,300,"final"]},{"text":"[2]"},{"span":["a",300,700,"final"]}' in record.body
    assert room[700:900].upper() in record.body + "".join(record.parts)
    assert room[10:200] not in record.body + "".join(record.parts)


def test_a_span_whose_beginning_stands_elsewhere_too_is_cut_out_where_all_of_it_stands() -> None:
    room = "The lessee shall pay the rent. " * 5 + "The lessor may end the lease."
    content = f"{room[:100]} (as above)\n{room}\nWhat is the rent?"
    record = record_request(Request((Message("user", content),), spans=(Span("a", 0, len(room)),)), lambda _: room)
    before, after = f"{room[:100]} (as above)\\n", "\\nWhat is the rent?"
    span = f'{{"span":["a",0,{len(room)},"final"]}}'
    assert f'[{{"text":"{before}"}},{span},{{"text":"{after}"}}]' in record.body


def test_the_same_question_has_the_same_record() -> None:
    request = Request((Message("system", "Rules " * 100), Message("user", "q")), key="one")
    same = Request(request.messages, key="two")
    assert record_request(request) == record_request(same)
    assert record_request(request).digest != record_request(Request(request.messages, temperature=0.5)).digest
