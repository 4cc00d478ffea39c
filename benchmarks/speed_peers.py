"""One measurement of a peer, in a process of its own and in the peers' virtual environment; `speed.py` starts it. Prints one JSON object.

    out/peers/bin/python benchmarks/speed_peers.py PEER MEASURE '{"room": "out/plain_room", ...}'

Each peer is given its best case: the texts are in memory before the clock starts, nothing is written down, the model's client is a function
that returns a string, and concurrency is set to ours. `rlms` is measured as its `RLM` is put together (LocalREPL and LMHandler), `dspy` as its
`RLM` is with the LocalInterpreter, which is its only one that needs no other program.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

QUESTION = "Which clauses of this text restrict a change of control? Quote them."
ANSWER = '{"findings": [], "notes": "none"}'
CONCURRENCY = 64
ASKED = f"answers = llm_query_batched([{QUESTION!r} + chr(10) + text for text in context])\nassert len(answers) == len(context)"


def memory() -> float:
    """MB resident, of this process and those it has started."""
    total = 0.0
    for process in ["self", *_children()]:
        found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
        total += int(found[1]) / 1024 if found else 0.0
    return total


def _children() -> list[str]:
    return [
        child for thread in Path("/proc/self/task").iterdir() for child in (thread / "children").read_text().split()
    ]


def texts(given: dict[str, Any], number: int | None = None) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(Path(given["room"]).rglob("*.txt"))[:number]]


Cell = Callable[[str], Any]


def rlms(context: list[str], latency: float) -> Cell:
    """A session with the context in it; what is returned runs a cell."""
    from rlm.clients.base_lm import BaseLM
    from rlm.core.lm_handler import LMHandler
    from rlm.core.types import ModelUsageSummary, UsageSummary
    from rlm.environments.local_repl import LocalREPL

    class Fake(BaseLM):  # type: ignore[misc]
        def completion(self, prompt: Any) -> str:
            time.sleep(latency)
            return ANSWER

        async def acompletion(self, prompt: Any) -> str:
            if latency:
                await asyncio.sleep(latency)
            return ANSWER

        def get_last_usage(self) -> Any:
            return ModelUsageSummary(total_calls=1, total_input_tokens=16_000, total_output_tokens=10)

        def get_usage_summary(self) -> Any:
            return UsageSummary(model_usage_summaries={self.model_name: self.get_last_usage()})

    handler = LMHandler(Fake("fake"), batch_max_concurrent=CONCURRENCY)
    session = LocalREPL(handler.start(), context, depth=1)

    def cell(code: str) -> Any:
        result = session.execute_code(code)
        if result.stderr:
            raise SystemExit(f"rlms: {result.stderr}")
        return result.stdout

    return cell


def dspy(context: list[str], latency: float) -> Cell:
    import dspy as module
    from dspy.primitives.local_interpreter import LocalInterpreter

    def fake(prompt: str) -> list[str]:
        if latency:
            time.sleep(latency)
        return [ANSWER]

    program = module.RLM(
        "context, query -> answer", max_llm_calls=10**9, sub_lm=fake, interpreter_factory=LocalInterpreter
    )
    session = LocalInterpreter(tools=program._make_llm_tools(max_workers=CONCURRENCY))
    session.execute("print(len(context))", {"context": context})
    return lambda code: session.execute(code)


PEERS: dict[str, Callable[[list[str], float], Cell]] = {"rlms": rlms, "dspy": dspy}


def opening(make: Callable[[list[str], float], Cell], given: dict[str, Any]) -> dict[str, Any]:
    make(["a short text"], 0.0)  # imports are not what is measured
    context = texts(given)
    before, began = memory(), time.perf_counter()
    cell = make(context, 0.0)
    cell("print(len(context), context[-1][-40:])")
    return {"seconds": time.perf_counter() - began, "mb": memory() - before}


def calls(make: Callable[[list[str], float], Cell], given: dict[str, Any]) -> dict[str, Any]:
    cell = make(texts(given, given["calls"]), given.get("latency", 0.0))
    began = time.perf_counter()
    cell(ASKED)
    return {"seconds": time.perf_counter() - began}


MEASURES = {"open": opening, "calls": calls}


def main() -> None:
    peer, measure, given = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
    print(json.dumps(MEASURES[measure](PEERS[peer], given)), flush=True)
    os._exit(0)  # the peers leave threads and processes behind, which would keep this one from ending


if __name__ == "__main__":
    main()
