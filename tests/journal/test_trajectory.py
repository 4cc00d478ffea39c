"""A conversation comes out as the model saw it, each message once, with the room's text put back where it stood."""

import asyncio
from pathlib import Path

from redwell.journal.journal import Journal
from redwell.journal.trajectory import messages, request_messages, request_tools
from redwell.models.budget import Budget
from redwell.models.calls import Calls
from redwell.models.types import Completion, Message, Request, Tool, ToolCall, Usage
from redwell.room.types import Span

ROOM = {"msa": "This Agreement may not be assigned. " * 40}
PYTHON = Tool("python", "Runs code.", {"type": "object"})


class Parrot:
    """Answers with a tool call that counts, or with a text that is told beforehand."""

    name = "playbook"

    def __init__(self) -> None:
        self.count = 0

    async def complete(self, request: Request) -> Completion:
        self.count += 1
        if request.role == "sub":
            return Completion("read", "parrot", usage=Usage())
        return Completion(
            "", "parrot", (ToolCall(f"t{self.count}", "python", f'{{"code": "{self.count}"}}'),), usage=Usage()
        )

    async def close(self) -> None:
        return None


def text_of(span: Span) -> str:
    return ROOM[span.document][span.start : span.end]


def converse(folder: Path) -> tuple[list[Message], Journal]:
    """Three turns of a root; before the third, all but the system message is left out."""

    async def go() -> tuple[list[Message], Journal]:
        journal = Journal.create(folder, {})
        calls = Calls(journal, Budget(), {"root": Parrot(), "sub": Parrot()}, texts=text_of)
        said = [Message("system", "You direct. " * 60), Message("user", "Read the room.")]
        for turn in range(1, 4):
            answer = await calls.call(Request(tuple(said), role="root", tools=(PYTHON,)), call_id=f"r{turn}")
            said.append(Message("assistant", answer.text, answer.tool_calls))
            said.append(Message("tool", f"output {turn}", tool_call_id=answer.tool_calls[0].id))
            if turn == 2:
                said = [said[0], Message("user", "The story so far.")]
        span = Span("msa", 36, 720)
        await calls.call(Request((Message("user", f"<<{text_of(span)}>> What?"),), spans=(span,)), call_id="s")
        return said, journal

    return asyncio.run(go())


def test_each_message_once_and_compaction_between(tmp_path: Path) -> None:
    _, journal = converse(tmp_path / "run")
    with journal:
        told = list(messages(journal))
    assert [(m["role"], m["content"].strip()[:16], m.get("left_out")) for m in told] == [
        ("system", "You direct. You ", None),
        ("user", "Read the room.", None),
        ("assistant", "", None),
        ("tool", "output 1", None),
        ("assistant", "", None),
        ("compaction", "", 4),
        ("user", "The story so far", None),
        ("assistant", "", None),
    ]
    assert told[2]["tool_calls"] == [{"id": "t1", "name": "python", "arguments": '{"code": "1"}'}]
    assert told[3]["tool_call_id"] == "t1"


def test_the_room_is_in_the_journal_by_address_only(tmp_path: Path) -> None:
    _, journal = converse(tmp_path / "run")
    with journal:
        sent = next(event for event in journal.events("call.sent") if event.data["call"] == "s")
        whole = b"".join(journal.blob(digest) for digest in sent.blobs.values())
        assert b"may not be assigned" not in whole
        plain = request_messages(journal, sent.blobs["request"])[0]["content"]
        restored = request_messages(journal, sent.blobs["request"], text_of)[0]["content"]
    assert plain == "<<⟦msa 36–720⟧>> What?"
    assert restored == f"<<{ROOM['msa'][36:720]}>> What?"


def test_the_tools_of_a_request_are_kept(tmp_path: Path) -> None:
    _, journal = converse(tmp_path / "run")
    with journal:
        sent = next(journal.events("call.sent"))
        assert request_tools(journal, sent.blobs["request"]) == [
            {"name": "python", "description": "Runs code.", "parameters": {"type": "object"}}
        ]
