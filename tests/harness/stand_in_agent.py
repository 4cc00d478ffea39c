"""A small command-line agent for tests: it asks a model's server over the proxy that it is told of, tries what it must not, reads two
documents, and writes a report. Its transcript is JSON lines, like those of the agents that it stands in for. Standard library only."""

import json
import os
import socket
import sys
import time
import urllib.request
from pathlib import Path

SYSTEM = ("/proc", "/dev", "/sys", "/usr", "/lib", "/lib64")


def tell(**line):
    print(json.dumps(line), flush=True)


def ask(url, question):
    body = json.dumps({"model": "any", "messages": [{"role": "user", "content": question}]}).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ.get('STAND_IN_KEY', '')}"}
    with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=20) as answer:
        found = json.load(answer)
    return found["choices"][0]["message"]["content"], found["usage"]


def attempt(what, call):
    """What came of something that must not work."""
    try:
        tell(type="attempt", what=what, came=str(call())[:200])
    except Exception as error:
        tell(type="attempt", what=what, refused=f"{type(error).__name__}: {error}"[:200])


def everything(folder, left_out=()):
    """Every file that can be seen, but for the system's and the kernel's."""
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if os.path.join(place, name) not in (*SYSTEM, *left_out)]
        yield from (Path(place) / name for name in names)


def main(url, other, secret, marker, mode, prompt):
    said, used = ask(url, prompt)
    message = {"id": "m1", "role": "assistant", "content": [{"type": "text", "text": said}]}
    tell(
        type="assistant",
        message={
            **message,
            "usage": {"input_tokens": used["prompt_tokens"], "output_tokens": used["completion_tokens"]},
        },
    )
    attempt("another host through the proxy", lambda: urllib.request.urlopen(f"http://{other}/", timeout=5).read())
    attempt(
        "another host past the proxy",
        lambda: socket.create_connection((other.split(":")[0], int(other.split(":")[1])), 5),
    )
    attempt("a file outside", lambda: Path(secret).read_text())
    attempt("a document written", lambda: Path("documents/new.txt").write_text("x"))
    attempt("a sibling of the run", lambda: os.listdir(".."))
    held = []
    for path in everything("/", () if mode == "well" else (sys.base_prefix,)):
        try:
            if marker.encode() in path.read_bytes():
                held.append(str(path))
        except OSError:
            continue
    tell(type="marker", files=held, environment=sorted(os.environ), home=os.listdir(os.environ["HOME"]))
    documents = sorted(path for path in Path("documents").rglob("*") if path.is_file())
    for path in documents[:2]:
        tell(
            type="assistant",
            message={
                "id": f"m{path}",
                "role": "assistant",
                "content": [{"type": "tool_use", "name": "Read", "input": {"file_path": str(path)}}],
            },
        )
        tell(
            type="user",
            message={"role": "user", "content": [{"type": "tool_result", "content": path.read_text(errors="replace")}]},
        )
    Path("output/red-flags-report.md").write_text(f"# Report\n\n{said}\n")
    if mode == "slow":
        time.sleep(60)
    if mode == "broken":
        print("it went wrong", file=sys.stderr)
        sys.exit(3)
    tell(
        type="result",
        result="The report is written.",
        usage={"input_tokens": 120, "cache_read_input_tokens": 30, "output_tokens": 40},
    )


main(*sys.argv[1:7])
