"""Model calls as a run makes them: reserved, journaled, limited, repeated when that helps, and settled."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from redwell.journal.journal import Event, Journal, JournalError
from redwell.models.budget import Budget, Reservation
from redwell.models.checking import checked
from redwell.models.gate import Gate
from redwell.models.health import Health
from redwell.models.limiter import Limiter, Slot
from redwell.models.prices import Prices, load_prices
from redwell.models.record import (
    Record,
    Texts,
    read_completion,
    read_usage,
    record_completion,
    record_reading,
    record_request,
    record_usage,
)
from redwell.models.recovery import recover
from redwell.models.retries import (
    AGAIN_WITH_NEW_KEY,
    NOT_SERVED,
    RETELLINGS,
    SETTLED,
    Policy,
    key_for,
    may_try_again,
    wait_before,
)
from redwell.models.tokens import estimate_request
from redwell.models.types import CallFailed, Completion, Model, Request, Role, Usage

Check = Callable[[Completion], None]
"""Raises CallFailed when a completion is no answer for a reason that only the asker knows."""


@dataclass(slots=True)
class _Call:
    """One call under way: who asks what, and what its attempts came to."""

    id: str
    agent: str
    purpose: str
    request: Request
    model: Model
    key: str = ""
    record: Record | None = None
    attempt: int = 0
    transport: int = 0
    useless: int = 0
    retold: int = 0
    check: Check | None = None
    paid: Usage | None = field(default_factory=Usage)  # since the last event that tells of it; None is not known
    total: Usage | None = None
    started: float = field(default_factory=time.monotonic)


class Calls:
    """All model calls of one run, and of its children, go through one of these.

    `texts` gives the text of the room's spans, so that the journal keeps their addresses instead. On a journal that already has
    calls, `budget` is charged with what they cost, and a call whose answer is there is answered from it.
    """

    def __init__(
        self,
        journal: Journal,
        budget: Budget,
        models: Mapping[Role, Model],
        *,
        prices: Prices | None = None,
        policy: Policy | None = None,
        texts: Texts | None = None,
        limiter: Limiter | None = None,
    ) -> None:
        self._journal = journal
        self._budget = budget
        self._models = dict(models)
        self._prices = prices or load_prices()
        self._policy = policy or Policy()
        self._texts = texts
        self._limiter = limiter or Limiter(budget.concurrency)
        for each in models.values():
            if (places := getattr(each, "places", None)) is not None:
                self._limiter.narrow(endpoint(each.name), places)
        self._endpoints: dict[str, str] = {}
        self._health = Health(self._policy)
        self._ready = Gate(2 * budget.concurrency)
        past = recover(journal, budget)
        self._sent, self._settled = past.sent, past.settled
        self._open = [call for call in past.sent if call not in past.settled]
        self._numbers = itertools.count(1)
        self._in_flight = 0

    @property
    def in_flight(self) -> int:
        """Calls that were asked for and are not answered yet, waiting ones too."""
        return self._in_flight

    def unanswered(self) -> list[str]:
        """Calls that an earlier process sent and that have no answer in the journal; asked for again, they keep their key."""
        return [call for call in self._open if call not in self._settled]

    async def call(
        self,
        request: Request,
        *,
        agent: str = "root",
        purpose: str = "",
        call_id: str | None = None,
        check: Check | None = None,
    ) -> Completion:
        """The completion, once it is in the journal; with `schema`, its text is exactly the JSON object that fits it. What `check`
        refuses is asked once more, like any answer of no use.

        Raises CallFailed, with the usage of all attempts, once that is in the journal too. A call that is cancelled gives back what
        it reserved unless it may have been served.
        """
        model = self._models.get(request.role)
        if model is None:
            raise CallFailed("internal", f"no model is given for the role {request.role}")
        call = _Call(call_id or self._next_id(agent), agent, purpose, request, model, check=check)
        known = self._settled.get(call.id)
        if known is not None and self._sent[call.id].blobs["request"] == record_request(request, self._texts).digest:
            return self._from_journal(known)
        self._in_flight += 1
        try:
            return await self._attempts(call)
        finally:
            self._in_flight -= 1

    async def close(self) -> None:
        """Closes the models, each once."""
        for model in {id(model): model for model in self._models.values()}.values():
            await model.close()

    async def _attempts(self, call: _Call) -> Completion:
        model = call.model.name
        while True:
            try:
                completion = await self._attempt(call)
            except CallFailed as failure:
                if self._health.refusal(model) is not None or not await self._again(call, failure):
                    raise await self._fail(call, failure) from None
                continue
            except asyncio.CancelledError:
                self._cancelled(call)
                raise
            self._health.answered(model)
            data = self._data(call) | {
                "usage": record_usage(completion.usage),
                "cost": _cents(self._prices.cost(model, completion.usage)),
                "seconds": round(completion.seconds, 4),
                "finish": completion.finish,
                "attempt": call.attempt,
            }
            data |= record_reading(completion)
            event = await self._journal.append_async(
                "call.completed", call.agent, data, completion=record_completion(completion)
            )
            self._settled[call.id] = event
            return completion

    async def _attempt(self, call: _Call) -> Completion:
        """One request. Its reservation is settled whatever happens; raises CallFailed with the usage of this attempt alone.

        A request is written to the journal before it has its place in front of the server, so that a place is never idle for it.
        """
        first = call.request.role == "root"
        async with self._ready.through(first=first):
            reservation = await self._reserve(call, first)
            asked = False
            try:
                if (refusal := self._health.refusal(call.model.name)) is not None:
                    raise refusal
                record = self._prepare(call)
                call.attempt += 1
                seconds = min(call.request.seconds, self._policy.seconds)
                request = replace(call.request, key=key_for(call.key, call.useless), seconds=seconds)
                data = self._sent_data(call, request.key, reservation)
                self._sent[call.id] = await self._journal.append_async(
                    "call.sent", call.agent, data, parts=record.parts, request=record.body
                )
                left = self._budget.seconds_left()
                try:
                    async with (
                        _UNBOUNDED if left is None else asyncio.timeout(left),
                        self._limiter.slot(self._endpoint(call.model.name), first=first) as slot,
                        self._budget.place(first=first),
                    ):
                        asked = True
                        completion = await self._ask(call, request, slot)
                except TimeoutError:
                    if not asked:
                        raise self._budget.time_is_up() from None
                    raise CallFailed("timeout", "the time of the run was over before the answer came") from None
                self._settle(call, reservation, completion)
                return completion
            except CallFailed as failure:
                if asked:
                    self._settle_failure(call, reservation, failure)
                raise
            except asyncio.CancelledError:
                if asked:
                    call.paid = None
                    self._budget.settle(reservation)
                raise
            finally:
                self._budget.release(reservation)  # nothing, when it was settled

    async def _ask(self, call: _Call, request: Request, slot: Slot) -> Completion:
        """The model's answer, checked."""
        model = call.model
        started = time.monotonic()
        try:
            async with asyncio.timeout(request.seconds) as limit:
                completion = await model.complete(request)
        except TimeoutError:
            if not limit.expired():
                raise CallFailed("timeout", f"{model.name} gave no answer in time") from None
            raise CallFailed("timeout", f"no answer within {request.seconds:g} seconds") from None
        except CallFailed as failure:
            if failure.kind == "rate_limited":
                slot.throttle(failure.retry_after)
            raise
        except Exception as error:  # a fault in a client must end as a typed failure, not end the run
            raise CallFailed(
                "internal", f"the client of {model.name} failed: {type(error).__name__}: {error}"
            ) from None
        completion = replace(completion, seconds=time.monotonic() - started)
        try:
            completion = checked(completion, request)
        except CallFailed as failure:
            failure.sampled = completion if completion.token_ids else None
            raise
        if call.check is not None:
            try:
                call.check(completion)
            except CallFailed as failure:
                failure.usage = completion.usage
                raise
        return completion

    async def _reserve(self, call: _Call, first: bool) -> Reservation:
        if not self._budget.prices_matter:
            return await self._budget.reserve(first=first)
        tokens_in, tokens_out = estimate_request(call.request), call.request.max_output_tokens
        price = self._prices.of(call.model.name)
        dollars = price.most(tokens_in, tokens_out) if price else None
        return await self._budget.reserve(tokens=tokens_in + tokens_out, dollars=dollars, first=first)

    def _settle(self, call: _Call, reservation: Reservation, completion: Completion) -> None:
        call.paid = completion.usage
        if completion.usage is None:
            self._budget.settle(reservation)
        else:
            tokens = completion.usage.input + completion.usage.output
            self._budget.settle(
                reservation, tokens=tokens, dollars=self._prices.cost(call.model.name, completion.usage)
            )

    def _settle_failure(self, call: _Call, reservation: Reservation, failure: CallFailed) -> None:
        usage = failure.usage
        if usage is None and failure.kind in NOT_SERVED:
            usage = Usage()
        call.paid = usage
        if usage is None:
            self._budget.settle(reservation)  # it may have been served before it was lost
        else:
            call.total = usage + (call.total or Usage())
            dollars = self._prices.cost(call.model.name, usage)
            self._budget.settle(reservation, tokens=usage.input + usage.output, dollars=dollars)

    async def _again(self, call: _Call, failure: CallFailed) -> bool:
        """Whether there is to be another attempt; waits for its time and notes the failed one in the journal."""
        if failure.sampled is not None:
            return False
        if failure.again and call.retold < RETELLINGS:
            call.retold += 1
            await self._note_retry(call, failure, 0.0)
            return True
        if failure.kind in AGAIN_WITH_NEW_KEY:
            useless = call.useless + 1
            transport = call.transport
        else:
            useless, transport = call.useless, call.transport + 1
        if not may_try_again(self._policy, failure.kind, transport, useless):
            return False
        wait = wait_before(self._policy, call.key, transport + useless, failure.retry_after)
        if time.monotonic() - call.started + wait > self._policy.deadline:
            return False
        left = self._budget.remaining()["seconds"]
        if left is not None and wait >= left:
            return False
        call.useless, call.transport = useless, transport
        await self._note_retry(call, failure, wait)
        try:
            await asyncio.sleep(wait)
        except asyncio.CancelledError:
            self._cancelled(call)
            raise
        return True

    async def _note_retry(self, call: _Call, failure: CallFailed, wait: float) -> None:
        data = self._failure_data(call, failure) | {"wait": round(wait, 3)}
        await self._journal.append_async("call.retried", call.agent, data)

    async def _fail(self, call: _Call, failure: CallFailed) -> CallFailed:
        """Journals the end of the call. The event tells of the last attempt; earlier ones have events of their own."""
        if call.attempt:
            self._health.failed(call.model.name, failure)
        kept = {} if failure.sampled is None else {"sampled": record_completion(failure.sampled)}
        event = await self._journal.append_async("call.failed", call.agent, self._end_data(call, failure), **kept)
        if failure.kind in SETTLED and call.attempt:
            self._settled[call.id] = event
        attempts = max(call.attempt, 1)
        return CallFailed(
            failure.kind,
            failure.message,
            retry_after=failure.retry_after,
            usage=call.total,
            attempts=attempts,
            sampled=failure.sampled,
        )

    def _cancelled(self, call: _Call) -> None:
        # Synchronous on purpose: a task that is being cancelled must not wait where it can be cancelled once more.
        failure = CallFailed("cancelled", "the call was called off")
        data = self._end_data(call, failure)
        with contextlib.suppress(JournalError):
            self._journal.append("call.failed", call.agent, data)

    def _data(self, call: _Call) -> dict[str, Any]:
        return {"call": call.id, "role": call.request.role, "model": call.model.name}

    def _sent_data(self, call: _Call, key: str, reservation: Reservation) -> dict[str, Any]:
        reserved = (
            {"tokens": reservation.tokens, "dollars": reservation.dollars} if self._budget.prices_matter else None
        )
        attempt = {"key": key, "attempt": call.attempt, "reserved": reserved}
        return self._data(call) | attempt | _subject(call)

    def _end_data(self, call: _Call, failure: CallFailed) -> dict[str, Any]:
        """The end of a call; one that was never sent says itself what it was about."""
        data = self._failure_data(call, failure) | {"attempts": call.attempt}
        return data if call.attempt else data | _subject(call)

    def _failure_data(self, call: _Call, failure: CallFailed) -> dict[str, Any]:
        usage, call.paid = call.paid, Usage()
        cost = 0.0 if usage == Usage() else self._prices.cost(call.model.name, usage)
        return self._data(call) | {
            "failure": failure.kind,
            "message": failure.message,
            "attempt": call.attempt,
            "usage": record_usage(usage),
            "cost": _cents(cost),
        }

    def _endpoint(self, model: str) -> str:
        return self._endpoints.get(model) or self._endpoints.setdefault(model, endpoint(model))

    def _next_id(self, agent: str) -> str:
        while (call_id := f"{agent}/call-{next(self._numbers)}") in self._sent:
            continue
        return call_id

    def _prepare(self, call: _Call) -> Record:
        """The record and the key of a call, made when it is its turn: a thousand calls that wait must not cost a thousand requests.

        A call that was under way when an earlier process ended goes on with the key and the attempts that it had.
        """
        if call.record is not None:
            return call.record
        record = call.record = record_request(call.request, self._texts)
        call.key = call.request.key or _key(self._journal.id, call.id, record)
        sent = self._sent.get(call.id)
        if sent is not None and sent.blobs["request"] == record.digest:
            call.attempt = sent.data["attempt"]
            key = str(sent.data["key"])
            if key.startswith(call.key + "-") and (suffix := key[len(call.key) + 1 :]).isdigit():
                call.useless = int(suffix)
        return record

    def _from_journal(self, event: Event) -> Completion:
        if event.kind == "call.completed":
            return read_completion(self._journal.text(event.blobs["completion"]))
        kept = event.blobs.get("sampled")
        raise CallFailed(
            event.data["failure"],
            event.data["message"],
            usage=read_usage(event.data["usage"]),
            attempts=event.data["attempts"],
            sampled=read_completion(self._journal.text(kept)) if kept else None,
        )


_UNBOUNDED = contextlib.nullcontext()


def _subject(call: _Call) -> dict[str, Any]:
    spans = [[span.document, span.start, span.end, span.view] for span in call.request.spans]
    return {"spans": spans, "purpose": call.purpose}


def endpoint(model: str) -> str:
    """What shares a rate limit: the server's address, or the provider."""
    kind, _, rest = model.partition(":")
    return rest.partition("@")[2] or kind


def _key(run: str, call: str, record: Record) -> str:
    """An idempotency key that is the same for the same question of the same run, and for no other."""
    return hashlib.sha256(f"{run}/{call}/{record.digest}".encode()).hexdigest()[:32]


def _cents(cost: float | None) -> float | None:
    return None if cost is None else round(cost, 9)
