"""What a root's reply asks to be run."""

import json

import pytest

from redwell.harness.reply import NO_CODE, Cell, cells, fenced
from redwell.models.types import Completion, ToolCall


def said(text: str) -> list[Cell]:
    return cells(Completion(text, "m"))


def called(*calls: tuple[str, str], text: str = "") -> list[Cell]:
    return cells(Completion(text, "m", tuple(ToolCall(f"id{n}", name, args) for n, (name, args) in enumerate(calls))))


@pytest.mark.parametrize("tag", ["python", "py", "Python", "python3", "repl", ""])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_fenced_block_is_a_cell_whatever_its_tag_and_line_ends(tag: str, newline: str) -> None:
    text = newline.join(["Let me look.", f"```{tag}", "x = 1", "print(x)", "```", "Done."])
    assert said(text) == [Cell("x = 1\nprint(x)")]


def test_a_fence_inside_a_string_does_not_cut_the_cell() -> None:
    code = "report = '''# Title\n```\nquoted\n```\nend'''\nprint(report)"
    assert said(f"```python\n{code}\n```") == [Cell(code)]


def test_a_longer_fence_holds_a_shorter_one() -> None:
    code = "note = '''\n```\n'''"
    assert said(f"````python\n{code}\n````") == [Cell(code)]


def test_several_blocks_run_in_order() -> None:
    assert said("```python\na = 1\n```\nthen\n```py\nb = 2\n```") == [Cell("a = 1"), Cell("b = 2")]


def test_blocks_of_other_languages_are_not_run() -> None:
    assert said('```json\n{"a": 1}\n```') == [Cell(complaint=NO_CODE)]
    assert said("```text\nhello\n```\n```python\nx\n```") == [Cell("x")]


def test_a_block_without_a_tag_is_not_run_beside_one_that_has_it() -> None:
    assert said("```\noutput = 3\n```\n```python\nx\n```") == [Cell("x")]


def test_a_block_with_an_error_in_it_is_run_so_that_the_error_is_told() -> None:
    assert said("```python\nprint('a'\n```") == [Cell("print('a'")]


def test_an_unclosed_block_is_told_and_not_run() -> None:
    [cell] = said("Now:\n```python\nx = 1\nprint(x)")
    assert cell.code == ""
    assert "line 2" in cell.complaint
    assert "not closed" in cell.complaint


def test_a_block_on_one_line_is_told_and_not_run() -> None:
    [cell] = said("```python print(1)```")
    assert cell.code == ""
    assert "one line" in cell.complaint


@pytest.mark.parametrize(
    "text", ["I am done.", "submit()", "The final answer is FINAL(42).", "`print(1)`", "# submit()"]
)
def test_a_reply_without_code_is_told_so_and_ends_nothing(text: str) -> None:
    assert said(text) == [Cell(complaint=NO_CODE)]


def test_a_thought_is_not_run() -> None:
    assert said("<think>maybe\n```python\nsubmit()\n```\n</think>\n```python\nx = 1\n```") == [Cell("x = 1")]


def test_tool_calls_come_first_and_run_in_order() -> None:
    calls = called(("python", '{"code": "a = 1"}'), ("python", '{"code": "b = 2"}'), text="```python\nc = 3\n```")
    assert calls == [Cell("a = 1", "id0"), Cell("b = 2", "id1")]


def test_code_with_raw_newlines_in_its_json_is_taken() -> None:
    assert called(("python", '{"code": "a = 1\nb = 2"}')) == [Cell("a = 1\nb = 2", "id0")]


@pytest.mark.parametrize("arguments", ["print(1)", "[]", '{"source": "x"}', '{"code": 5}', '{"code": ""}', ""])
def test_arguments_that_are_not_the_tools_are_told_under_the_calls_id(arguments: str) -> None:
    [cell] = called(("python", arguments))
    assert cell.tool_call == "id0"
    assert cell.code == ""
    assert "Nothing was run" in cell.complaint


def test_another_tool_is_told() -> None:
    [cell] = called(("bash", json.dumps({"code": "ls"})))
    assert "no tool 'bash'" in cell.complaint


def test_many_fences_are_told_apart_quickly() -> None:
    text = "```python\n" + "x = (\n```\n" * 300
    blocks, complaint = fenced(text)
    assert blocks or complaint


def test_a_reply_of_nothing_but_fences_is_read_in_one_go() -> None:
    """Each of the fences could close each block: the trying must not grow with their square."""
    code, complaint = fenced("```python\n(\n" + "```\nwords and words\n" * 20_001)
    assert (code, complaint) == (["("], "")


def test_arguments_nested_beyond_measure_are_no_arguments() -> None:
    (cell,) = cells(Completion("", "m", tool_calls=(ToolCall("c1", "python", "[" * 100_000),)))
    assert cell.tool_call == "c1"
    assert cell.complaint.startswith("The arguments of the tool call are not JSON")
