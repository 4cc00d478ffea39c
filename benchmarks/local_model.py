"""The demo room with a small language model on this machine as sub-agent, beside the embedded reader.

    python benchmarks/local_model.py [--model qwen-coder-1.5b] [--write docs/results.md]

Nothing is downloaded: without the model's file it says the command that brings it. Every finding that the model worded goes to
out/local_model.jsonl with its passage. Whether one is right was judged by hand; the verdicts stand in benchmarks/local_model_verdicts.csv, by
document, kind and the first words of the quote, and precision is counted from them. A finding without a verdict is listed and counted in neither.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from results import section

from redwell.diligence.local_reader import SLICE_TOKENS
from redwell.journal.coverage import coverage
from redwell.journal.journal import Journal
from redwell.models import grammar
from redwell.models.connect import ModelNameError
from redwell.models.local import Local
from redwell.models.types import CallFailed, Message, Request
from redwell.room.room import Room

ROOT = Path(__file__).resolve().parents[1]
VERDICTS = ROOT / "benchmarks" / "local_model_verdicts.csv"
KEY = 60  # characters of a quote that name a finding


@dataclass
class Run:
    """One run of the room. `findings` are (path, finding as the sub-agent answered)."""

    seconds: float
    report: dict[str, Any]
    calls: int = 0
    tokens: Counter[str] = field(default_factory=Counter)
    findings: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    shown: float = 1.0
    failed: int = 0


def redwell(room: Path, out: Path, *more: str) -> Run:
    """Runs `redwell diligence` on the room and reads its journal. Raises CalledProcessError."""
    deal = ROOT / "examples" / "demo_deal.toml"
    given = ["--deal", str(deal)] if room == ROOT / "examples" / "demo_room" else []
    began = time.monotonic()
    subprocess.run(
        [
            sys.executable,
            "-m",
            "redwell",
            "diligence",
            str(room),
            "--out",
            str(out),
            "--fresh",
            "--quiet",
            *given,
            *more,
        ],
        check=True,
    )
    run = Run(time.monotonic() - began, json.loads((out / "output" / "report.json").read_text(encoding="utf-8")))
    with Journal.open(out, read_only=True) as journal:
        opened = Room.open(out / "room")
        paths = {document.id: document.path for document in opened.documents()}
        run.shown = coverage(journal, {document.id: document.length for document in opened.documents()}).shown
        spans: dict[str, list[str]] = {}
        for event in journal.events(("call.sent", "call.completed", "call.failed")):
            if event.kind == "call.sent":
                spans[event.data["call"]] = [paths[span[0]] for span in event.data["spans"]]
            elif event.data["role"] == "sub":
                run.calls += 1
                run.failed += event.kind == "call.failed"
                if event.kind == "call.completed":
                    run.tokens.update(event.data["usage"])
                    answer = json.loads(json.loads(journal.text(event.blobs["completion"]))["text"])
                    of = spans[event.data["call"]]
                    run.findings += [(of[each["quotes"][0]["document"] - 1], each) for each in answer["findings"]]
    return run


def said(run: Run, how: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The findings on which the model's word is `found`, `yes` or `no`."""
    return ((path, each) for path, each in run.findings if each.get("values", {}).get("language_model") == how)


def key(path: str, finding: dict[str, Any]) -> tuple[str, str, str]:
    return path, finding["kind"], " ".join(finding["quotes"][0]["text"].split())[:KEY]


def verdicts() -> dict[tuple[str, str, str], tuple[str, str]]:
    """(path, kind, beginning of the quote) -> (right, partly or wrong; why)."""
    if not VERDICTS.exists():
        return {}
    with VERDICTS.open(encoding="utf-8", newline="") as lines:
        return {
            (row["document"], row["kind"], row["quote"]): (row["verdict"], row["why"]) for row in csv.DictReader(lines)
        }


async def grammar_cost(model: Local) -> list[tuple[str, float, int]]:
    """(what, seconds, tokens) of one claim and quote over some 2,000 tokens of text, with the grammar and without; the text is read before."""
    text = ""
    for path in sorted((ROOT / "examples" / "demo_room").rglob("*.txt")) * 40:
        text += path.read_text(encoding="utf-8") + "\n\n"
        if len(text) > 8_000:
            break
    message = (
        Message("user", f"{text}\n\n---\nAnswer in JSON with a claim and a quote: what was paid in full, and when?"),
    )
    rows = []
    for what, rules in (("read", ""), ("without", ""), ("with", grammar.claim_and_quote(grammar.quotable(text)))):
        began = time.monotonic()
        request = Request(message, max_output_tokens=2 if what == "read" else 100, grammar=rules, seconds=600.0)
        try:
            usage = (await model.complete(request)).usage
        except CallFailed as failed:
            usage = failed.usage
        rows.append((what, time.monotonic() - began, usage.output if usage else 0))
    await model.close()
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="qwen-coder-1.5b")
    parser.add_argument("--room", type=Path, default=ROOT / "examples" / "demo_room")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "local_model")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    name = f"local:{given.model}"
    try:
        model = Local(name)
    except ModelNameError as error:
        raise SystemExit(str(error)) from None
    given.out.mkdir(parents=True, exist_ok=True)
    cost = asyncio.run(grammar_cost(model))
    reader = redwell(given.room, given.out / "reader")
    local = redwell(given.room, given.out / "local", "--sub", name)

    judged = verdicts()
    found = list(said(local, "found"))
    with (given.out.parent / "local_model.jsonl").open("w", encoding="utf-8") as file:
        for path, each in found:
            verdict, why = judged.get(key(path, each), ("", ""))
            line = {"document": path, **each, "key": key(path, each)[2], "verdict": verdict, "why": why}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    lines = report(given.model, reader, local, found, judged, cost)
    section("A local language model", lines, given.write)


def report(
    model: str,
    reader: Run,
    local: Run,
    found: list[tuple[str, dict[str, Any]]],
    judged: dict[tuple[str, str, str], tuple[str, str]],
    cost: list[tuple[str, float, int]],
) -> list[str]:
    """The section's lines."""
    counts = Counter(judged[key(path, each)][0] for path, each in found if key(path, each) in judged)
    unjudged = len(found) - sum(counts.values())
    agreed, doubted = list(said(local, "yes")), list(said(local, "no"))
    issues = [each for _, each in reader.findings if not each["kind"].startswith("fact:")]
    (_, read_seconds, _), (_, free_seconds, free_tokens), (_, held_seconds, held_tokens) = cost
    right = f"{counts['right']} of {sum(counts.values())}" if counts else "not judged yet"
    rows = [
        ("time, s", f"{reader.seconds:.0f}", f"{local.seconds:.0f}"),
        ("calls of sub-agents, failed", f"{reader.calls}, {reader.failed}", f"{local.calls}, {local.failed}"),
        (
            "tokens in (of them from the cache), out",
            "0 (0), 0",
            f"{local.tokens['input']:,} ({local.tokens['cached_input']:,}), {local.tokens['output']:,}",
        ),
        ("dollars", "0", f"{local.report['basis']['cost']:.2f}"),
        ("text shown to a language model", "none", f"{local.shown:.1%}"),
        (
            "findings of issues by rules",
            f"{len(issues)}",
            f"{sum(e['values'].get('language_model') != 'found' for _, e in local.findings if not e['kind'].startswith('fact:'))}",
        ),
        ("findings besides by the model", "", f"{len(found)}"),
        ("entries in the register", f"{len(reader.report['entries'])}", f"{len(local.report['entries'])}"),
    ]
    return [
        f"Made by `make local` (`python benchmarks/local_model.py --model {model}`) on {os.cpu_count()} cores: the demo room with "
        f"`--sub local:{model}`, the playbook as root, beside the embedded default. The model is shown the passages in which words of a kind of issue "
        f"stand, at most {SLICE_TOKENS:,} tokens of a slice; `models get {model}` brings its file.",
        "",
        "| | embedded reader | with the model |",
        "|---|---:|---:|",
        *(f"| {' | '.join(row)} |" for row in rows),
        "",
        f"Of the {len(agreed) + len(doubted)} issues that rules found in passages that the model was shown, it says yes to {len(agreed)} and no to "
        f"{len(doubted)}; rules' findings stay either way. No to:",
        *(f"- {each['kind']} in {path}: “{_short(each)}”" for path, each in doubted),
        "",
        f"What it found besides, judged by hand against its passage: right {right}"
        + (f", partly right {counts['partly']}, wrong {counts['wrong']}" if counts else "")
        + (f"; {unjudged} have no verdict yet" if unjudged else "")
        + ". “Partly” is a quote that shows the issue under a claim that misstates it.",
        "",
        "| document | kind | claim | quote | verdict |",
        "|---|---|---|---|---|",
        *(_row(path, each, judged.get(key(path, each), ("not judged", ""))) for path, each in found),
        "",
        "Every quote is decoded under a grammar that has only the words of the passage, so all of them are verified; whether they carry the claim is "
        "another matter, and what the verdicts are about.",
        "",
        f"What the grammar costs, over a text of some 2,000 tokens (read in {read_seconds:.1f} s): {free_tokens} tokens without it in {free_seconds:.2f} s "
        f"({free_tokens / free_seconds:.1f} a second), {held_tokens} with it in {held_seconds:.2f} s ({held_tokens / held_seconds:.1f} a second, the making "
        "of the grammar included).",
    ]


def _row(path: str, finding: dict[str, Any], verdict: tuple[str, str]) -> str:
    cells = (
        path.rpartition("/")[2],
        finding["kind"],
        finding["claim"],
        f"“{_short(finding)}”",
        ": ".join(filter(None, verdict)),
    )
    return "| " + " | ".join(cell.replace("|", "/").replace("\n", " ") for cell in cells) + " |"


def _short(finding: dict[str, Any]) -> str:
    text = " ".join(finding["quotes"][0]["text"].split())
    return text if len(text) <= 160 else text[:157] + "..."


if __name__ == "__main__":
    main()
