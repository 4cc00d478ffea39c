"""Writes a run into a journal as a harness would: turns, cells, sub-agent calls, failures, findings, a child with a session."""

from __future__ import annotations

import json
from typing import Any

from redwell.journal.journal import Journal

DOCUMENTS = {
    name: f"{number:02x}" * 32 for number, name in enumerate(("msa.docx", "lease.pdf", "loan.pdf", "plan.xlsx"), 1)
}
QUESTIONS = (
    "Does a change of control or an assignment need consent? Quote the clause and say who must consent.",
    "Which amounts are due on closing, and to whom?",
    "Is there an exclusivity or a non-compete that binds the group after closing?",
)
CODE = """# Everything that may need a consent, read in full
hits = room.search('"change of control" OR assignment', k=200)
contracts = [d for d in room.documents() if d.path.startswith("contracts/")]
batch = dispatch([(QUESTION, d) for d in contracts])
print(f"{len(contracts)} contracts, {len(hits)} passages")
for finding in batch.wait(60):
    report.add(title=finding.claim, citations=[finding], severity="High")
batch
"""


def write_run(journal: Journal, *, turns: int = 5, calls_per_cell: int = 40) -> None:
    """A run of so many turns, each with one cell and its calls; every eleventh call fails, every seventh has no known cost."""
    journal.append(
        "run.started", "root", {"task": {"id": "atlas", "instructions": "Buy-side due diligence on Project Atlas"}}
    )
    number = 0
    for turn in range(1, turns + 1):
        journal.append("turn.started", "root", {"turn": turn})
        call(
            journal,
            f"root:{turn}",
            role="root",
            purpose="",
            usage=(9_000 + 2_500 * turn, 8_000, 420),
            cost=0.021 * turn,
            answer=CODE,
        )
        journal.append("cell.started", "root", {"cell": turn, "turn": turn}, code=CODE)
        for position in range(calls_per_cell):
            number += 1
            name = list(DOCUMENTS)[number % 4]
            failed = number % 11 == 0
            call(
                journal,
                f"root:{turn}.{position}",
                spans=[[DOCUMENTS[name], 4_000 * turn, 4_000 * turn + 3_500, "final"]],
                purpose=QUESTIONS[number % 3],
                usage=None if failed else (12_400, 3_000, 310),
                cost=None if failed or number % 7 == 0 else 0.0031,
                failure="timeout" if failed else "",
                answer='{"findings": [{"claim": "Consent of the Landlord is needed"}], "notes": ""}',
            )
            if not failed and number % 5 == 0:
                quote = "shall not assign this Agreement without the prior written consent of the Landlord"
                citation = {
                    "quote": quote,
                    "status": "verified" if number % 25 else "differs",
                    "document": DOCUMENTS[name],
                }
                data = {
                    "id": f"f{number}",
                    "kind": "consent",
                    "claim": f"Section {number}.2 needs the Landlord's consent",
                }
                journal.append("finding", "root", data | {"citations": [citation], "call": f"root:{turn}.{position}"})
        journal.append(
            "host.answered",
            "root",
            {"cell": turn, "n": 1, "name": "report.add", "refused": turn == 3},
            arguments=json.dumps({"title": "Consent of the Landlord", "severity": "High"}),
            answer=json.dumps("F-001" if turn != 3 else "the quote is not in lease.pdf"),
        )
        status = {"cell": turn, "status": "error" if turn == 2 else "ok", "seconds": 41.5, "restored": []}
        output = (
            "118 contracts, 46 passages\n"
            if turn != 2
            else 'Traceback (most recent call last):\n  Cell 2, line 4\nKeyError: "x"\n'
        )
        journal.append("cell.finished", "root", status, output=output)
        journal.append("report.entry", "root", {"title": f"Consents to the sale, part {turn}", "severity": "High"})
        journal.append("turn.finished", "root", {"turn": turn}, feedback=output)
    child(journal)
    journal.append("compaction", "root", {"turn": turns, "keep": 2, "tokens_before": 98_000, "tokens_after": 21_000})
    journal.append("run.finished", "root", {"status": "submitted", "reason": "the root submitted", "turns": turns})


def child(journal: Journal) -> None:
    """A sub-agent with a session of its own, which reads one document."""
    question = "Reconcile the loan register with the loan agreements"
    journal.append("agent.started", "root.7", {"call": "root:7", "question": question, "spans": []})
    journal.append("turn.started", "root.7", {"turn": 1})
    call(journal, "root.7:1", agent="root.7", role="root", usage=(4_000, 0, 200), cost=0.01)
    journal.append("cell.started", "root.7", {"cell": 1, "turn": 1}, code="ask(QUESTION, over=SCOPE)")
    spans = [[DOCUMENTS["loan.pdf"], 0, 2_000, "final"]]
    call(journal, "root.7:1.1", agent="root.7", spans=spans, purpose=question, usage=(900, 0, 50), cost=0.001)
    journal.append("cell.finished", "root.7", {"cell": 1, "status": "ok", "seconds": 2.0}, output="[2 findings]")
    journal.append("turn.finished", "root.7", {"turn": 1})
    journal.append("agent.finished", "root.7", {"status": "answered", "turns": 1})


def call(
    journal: Journal,
    name: str,
    *,
    agent: str = "root",
    role: str = "sub",
    model: str = "",
    spans: list[list[Any]] | None = None,
    purpose: str = "",
    usage: tuple[int, int, int] | None = (100, 0, 10),
    cost: float | None = 0.001,
    failure: str = "",
    answer: str = "an answer",
    ended: bool = True,
) -> None:
    """One call as the model layer journals it: sent, and completed or failed."""
    data = {"call": name, "role": role, "model": model or ("openai:gpt-5" if role == "root" else "openai:gpt-5-mini")}
    asked = [
        {"role": "system", "content": [{"text": "You read documents and answer with findings."}]},
        {"role": "user", "content": [{"span": span} for span in spans or []] + [{"text": f"\nQuestion:\n{purpose}"}]},
    ]
    sent = {"key": name, "attempt": 1, "reserved": None, "spans": spans or [], "purpose": purpose}
    journal.append("call.sent", agent, data | sent, request=json.dumps({"messages": asked, "max_output_tokens": 4096}))
    if not ended:
        return
    used = None if usage is None else dict(zip(("input", "cached_input", "output"), usage, strict=True))
    if failure:
        told = {
            "failure": failure,
            "message": "no answer within 300 seconds",
            "attempts": 1,
            "usage": used,
            "cost": cost,
        }
        journal.append("call.failed", agent, data | told)
        return
    told = {"usage": used, "cost": cost, "seconds": 2.25, "finish": "stop"}
    kept: dict[str, Any] = {"text": answer, "model": data["model"], "finish": "stop", "seconds": 2.25}
    if role == "root":
        kept |= {"text": "", "tool_calls": [["t1", "python", json.dumps({"code": answer})]]}
    journal.append("call.completed", agent, data | told, completion=json.dumps(kept))
