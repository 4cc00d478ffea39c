"""The coding-agent harness: any command-line agent, behind walls, over a copy of the room's files, with its model's server as the one address
that it can reach."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import subprocess
import time
from dataclasses import dataclass, replace
from pathlib import Path

from redwell.harness.course import Done, conduct, deliverables
from redwell.harness.forwarder import Forwarder
from redwell.harness.located import Located
from redwell.harness.shared import Shared
from redwell.harness.subagent import prompt
from redwell.harness.tool_loop import delivered
from redwell.harness.transcript import Transcript
from redwell.harness.types import Application, Outcome, Progress, Settings, Task
from redwell.harness.workspace import DOCUMENTS, OUTPUT, NoFile, Workspace
from redwell.journal.journal import Journal
from redwell.models.budget import Budget
from redwell.models.retries import Policy
from redwell.models.types import CallFailed, Completion, Message, Model, Request, Role
from redwell.room.room import Room
from redwell.room.types import Span
from redwell.sandbox import bridge, confine, launch, shell

PROMPT = "{prompt}"
DATA_BYTES, FILE_BYTES = 8 << 30, 1 << 30
MOST_TRANSCRIPT = 256 << 20
_KEPT_ERRORS = 4_000
_BATCH = 64_000
_HOME, _MODEL = "/home/agent", "/run/model"
_SOCKET = "socket"
_SLACK = 60.0
_CERTIFICATES = ("/etc/ssl", "/etc/ca-certificates", "/etc/pki", "/etc/crypto-policies")


async def run(
    task: Task,
    room: Room,
    models: dict[Role, Model],
    journal: Journal,
    budget: Budget,
    application: Application,
    settings: Settings,
    progress: Progress | None = None,
    *,
    policy: Policy | None = None,
) -> Outcome:
    """`settings.agent_command` is the agent's command line, split as a shell would, with {prompt} in it: one that prints its transcript as
    JSON lines, asks nobody anything, and has its web tools off, as in

        claude -p {prompt} --output-format stream-json --verbose --permission-mode bypassPermissions --disallowedTools WebFetch WebSearch

    `settings.agent_server` is the host:port of its model, to which it is led by HTTPS_PROXY and HTTP_PROXY; `settings.agent_key` names the
    one variable of this process that it is given. It is ended after `settings.agent_seconds`, and what it wrote is kept. The whole of it is
    one call of the role root; an agent that was under way when the process ended begins anew, with its earlier files in `output`.

    Raises SandboxUnavailable where bubblewrap's walls do not hold: no other keeps an agent to one address.
    """
    shell.choose("bwrap")
    workspace = Workspace(journal.folder / "workspace", room)
    output = journal.folder / OUTPUT
    patience = settings.agent_seconds + _SLACK
    policy = replace(policy or Policy(), attempts=1, useless=0, seconds=patience, deadline=2 * patience)
    agent = _Agent(models["root"].name, workspace, journal, settings)

    async def work(shared: Shared) -> Done:
        if problem := agent.problem():
            return Done(reason=problem, turns=0)
        try:
            await asyncio.to_thread(workspace.prepare, workspace.originals)
        except NoFile as error:
            return Done(reason=str(error), turns=0)
        return await _work(shared, agent)

    outcome = await conduct(
        work,
        task,
        room,
        {**models, "root": agent},
        journal,
        budget,
        application,
        settings,
        progress,
        policy,
        lambda: workspace.deliver(output),
    )
    if outcome.status != "interrupted":
        workspace.remove()
    return outcome


async def _work(shared: Shared, agent: _Agent) -> Done:
    text = prompt(
        "coding_agent",
        place=shell.WORKSPACE,
        instructions=shared.task.instructions,
        deliverables=", ".join(f"{OUTPUT}/{name}" for name in deliverables(shared.task)),
        writing=shared.application.writing.strip(),
    )
    agent.located = shared.located
    spans = tuple(Span(identity, 0, length) for identity, length in shared.lengths.items())
    seconds = shared.settings.agent_seconds + _SLACK
    request = Request((Message("user", text),), role="root", max_output_tokens=64_000, spans=spans, seconds=seconds)
    try:
        completion = await shared.calls.call(
            request, agent="root", purpose="the agent's whole work", call_id="root:agent"
        )
    except CallFailed as failure:
        return delivered(shared, agent.workspace, Done(reason=f"the agent failed ({failure.kind}): {failure.message}"))
    ended = str(completion.detail.get("ended", ""))
    return delivered(
        shared, agent.workspace, Done(completion.text, reason=ended, turns=int(completion.detail.get("lines", 1)))
    )


@dataclass
class _Agent:
    """The agent as a model that is asked once: its answer is what it said last, `read` what of the room stands in its transcript."""

    name: str
    workspace: Workspace
    journal: Journal
    settings: Settings
    located: Located | None = None

    def problem(self) -> str:
        """Why it cannot be run as it is set, in plain words; empty when it can."""
        try:
            words = shlex.split(self.settings.agent_command)
        except ValueError as error:
            return f"agent_command cannot be split into words: {error}"
        if not words:
            return "agent_command is empty: give the agent's command line, with {prompt} in it"
        if not any(PROMPT in word for word in words):
            return "agent_command has no {prompt}: the agent would not learn its task"
        if shutil.which(words[0]) is None:
            return f"agent_command: there is no program {words[0]!r} on this machine"
        if self.settings.agent_key and self.settings.agent_key not in os.environ:
            return f"agent_key: the variable {self.settings.agent_key} is not set"
        try:
            Forwarder(Path("/"), self.settings.agent_server)
        except ValueError as error:
            return f"agent_server: {error}: give the address of the agent's model, such as api.example.com:443"
        return ""

    async def complete(self, request: Request) -> Completion:
        """Raises CallFailed (`rejected`) when it cannot be started."""
        folder = self.workspace.place.scratch
        folder.mkdir(parents=True, exist_ok=True)
        names = {f"{DOCUMENTS}/{path}" for path, _ in self.workspace.room.files()}
        transcript = Transcript(names)
        started = time.monotonic()
        async with Forwarder(folder / _SOCKET, self.settings.agent_server) as forwarder:
            try:
                process = self._started(request.messages[0].content, folder)
            except (OSError, subprocess.SubprocessError) as error:
                raise CallFailed("rejected", f"the agent cannot be started: {error}") from None
            reading = asyncio.get_running_loop().run_in_executor(None, self._followed, process, transcript)
            late = False
            try:
                async with asyncio.timeout(self.settings.agent_seconds):
                    await shell.ended(process.pid)
            except TimeoutError:
                late = True
            finally:
                shell.end(process)
                await asyncio.shield(reading)
        ended = self._ended(process.returncode, late, folder)
        read = await asyncio.to_thread(self._read, transcript)
        await self._note(transcript, forwarder, ended)
        return Completion(
            text=transcript.said or "(the agent said nothing)",
            model=self.name,
            usage=transcript.usage,
            seconds=time.monotonic() - started,
            detail={"ended": ended, "lines": transcript.lines},
            read=read,
        )

    async def close(self) -> None:
        return None

    def _started(self, text: str, folder: Path) -> subprocess.Popen[bytes]:
        words = [word.replace(PROMPT, text) for word in shlex.split(self.settings.agent_command)]
        program = Path(shutil.which(words[0]) or words[0])
        proxy = f"http://127.0.0.1:{bridge.PORT}"
        environment = {
            "PATH": f"{program.parent}:/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "HOME": _HOME,
            "TMPDIR": "/tmp",
            **dict.fromkeys(
                ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"), proxy
            ),
        }
        if self.settings.agent_key:
            environment[self.settings.agent_key] = os.environ[self.settings.agent_key]
        known = folder / "passwd"
        known.write_text(f"agent:x:1000:1000::{_HOME}:/bin/bash\n", encoding="utf-8")
        more = [
            "--tmpfs",
            "/home",
            "--dir",
            _HOME,
            "--ro-bind",
            str(known),
            "/etc/passwd",
            "--ro-bind",
            str(folder),
            _MODEL,
        ]
        for path in (*_CERTIFICATES, *map(str, launch.interpreter_paths()), *map(str, _needed(program))):
            more += ["--ro-bind-try", path, path]
        source = Path(bridge.__file__).read_text(encoding="utf-8")
        inner = [str(launch.interpreter()), "-I", "-S", "-c", source, f"{_MODEL}/{_SOCKET}", str(program), *words[1:]]
        with (folder / "errors").open("wb") as errors:
            return subprocess.Popen(
                [*shell.walled(self.workspace.place, more=tuple(more)), *inner],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environment,
                start_new_session=True,
                preexec_fn=_limit,
            )

    def _followed(self, process: subprocess.Popen[bytes], transcript: Transcript) -> None:
        """Reads the transcript as it comes, and keeps it in the journal."""
        assert process.stdout is not None
        batch: list[str] = []
        size = total = 0
        with process.stdout as stream:
            for raw in iter(lambda: stream.readline(MOST_TRANSCRIPT), b""):
                total += len(raw)
                if total > MOST_TRANSCRIPT:
                    continue  # read on, so that it does not wait for us
                line = raw.decode("utf-8", "replace")
                transcript.take(line)
                batch.append(line)
                size += len(line)
                if size >= _BATCH:
                    self.journal.append("transcript", "root", {"lines": len(batch)}, text="".join(batch))
                    batch, size = [], 0
        if batch:
            self.journal.append("transcript", "root", {"lines": len(batch)}, text="".join(batch))

    def _read(self, transcript: Transcript) -> tuple[Span, ...]:
        assert self.located is not None
        return tuple(dict.fromkeys(span for text in transcript.texts for _, span in self.located.find(text)))

    async def _note(self, transcript: Transcript, forwarder: Forwarder, ended: str) -> None:
        opened = [name.removeprefix(f"{DOCUMENTS}/") for name in transcript.opened]
        refused = dict(forwarder.refused.most_common(20))
        text = f"the agent wrote {transcript.lines:,} lines and named {len(opened):,} documents to its tools"
        if refused:
            text += f"; it was refused {', '.join(refused)}"
        await self.journal.append_async(
            "note", "root", {"text": text, "opened": opened, "refused": refused, "ended": ended}
        )

    def _ended(self, status: int | None, late: bool, folder: Path) -> str:
        """What is wrong with how it ended; empty when nothing is."""
        if late:
            return f"the agent was ended after {self.settings.agent_seconds:g} seconds"
        if not status:
            return ""
        errors = (folder / "errors").read_bytes()[-_KEPT_ERRORS:].decode("utf-8", "replace").strip().splitlines()
        how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
        return f"the agent {how}" + (f": {errors[-1][:300]}" if errors else "")


def _needed(program: Path) -> list[Path]:
    """Where an agent's program lies, as far as that is not the system's: the package that it is part of, or its file alone."""
    found = [program]
    real = program.resolve()
    parts = real.parts
    if "node_modules" in parts:
        found.append(Path(*parts[: parts.index("node_modules") + 1]))
    elif real.parent not in (Path.home(), Path("/"), Path("/tmp")) and not real.is_relative_to("/usr"):
        found.append(real)
    return found


def _limit() -> None:
    """Runs between fork and exec. An agent's runtime maps far more memory than it uses, so its data are limited, and not its addresses."""
    for kind, most in (
        ("RLIMIT_FSIZE", FILE_BYTES),
        ("RLIMIT_CORE", 0),
        ("RLIMIT_DATA", DATA_BYTES),  # last: a host that holds more could not get a byte after it
    ):
        confine.set_limit(kind, most)
