"""A Tinker server over real HTTP on loopback, with a policy so small that every gradient can be known: a table of logits, one row for each last token.

    with TinkerStub(scale="sum") as server:
        trainer = TinkerTrainer(server.address, "table")

`scale` is how it makes one loss of the weighted log-probabilities: `sum` as it should; `weights` divides each sequence's by the sum of its weights
(as SkyRL's JAX backend does), `mean` by the number of sequences; `positive` takes weights below 0 for 0. `table` is the trained model's logits.
`wrong` gives other answers: a function of (path, body) to None (the right answer) or (status, bytes).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import torch

VOCABULARY = 64
Wrong = Callable[[str, dict[str, Any]], tuple[int, bytes] | None]


class _Model:
    def __init__(self) -> None:
        generator = torch.Generator().manual_seed(7)
        self.table = torch.randn(VOCABULARY, VOCABULARY, generator=generator, dtype=torch.float64, requires_grad=True)
        self.steps = 0
        self.data = 0

    def logprobs(self, datum: dict[str, Any]) -> torch.Tensor:
        (chunk,) = datum["model_input"]["chunks"]
        targets = torch.tensor(datum["loss_fn_inputs"]["target_tokens"]["data"])
        return torch.log_softmax(self.table[torch.tensor(chunk["tokens"])], -1).gather(-1, targets[:, None])[:, 0]


class TinkerStub:
    def __init__(self, *, scale: str = "sum", tells_norm: bool = True, wrong: Wrong | None = None) -> None:
        self.scale, self.tells_norm, self.wrong = scale, tells_norm, wrong
        self.models: dict[str, _Model] = {}
        self.saved: dict[str, torch.Tensor] = {}
        self.results: dict[str, Any] = {}
        self.asked: list[tuple[str, dict[str, Any], dict[str, str]]] = []
        self._lock = threading.Lock()
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                path = self.path.removeprefix("/api/v1/")
                with stub._lock:
                    stub.asked.append((path, body, dict(self.headers)))
                    given = stub.wrong(path, body) if stub.wrong else None
                    if given is None:
                        status, answer = stub._answer(path, body)
                        given = status, json.dumps(answer).encode()
                status, data = given
                if status == 0:  # hangs up
                    self.close_connection = True
                    return
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: Any) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> TinkerStub:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def count(self, path: str) -> int:
        return sum(asked == path for asked, _, _ in self.asked)

    @property
    def table(self) -> torch.Tensor:
        (model,) = self.models.values()
        return model.table

    def _answer(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        if path == "create_session":
            return 200, {"session_id": "session_1"}
        if path == "session_heartbeat":
            return 200, {"type": "session_heartbeat"}
        if path == "retrieve_future":
            return 200, self.results.pop(body["request_id"])
        number = str(len(self.asked))
        if path == "create_model":
            self.models[f"model_{number}"] = _Model()
            self.results[number] = {"model_id": f"model_{number}"}
        else:
            try:
                self.results[number] = getattr(self, "_" + path)(body)
            except KeyError as missing:
                return 404, {"detail": f"there is no {missing}"}
        return 200, {"request_id": number}

    def _unload_model(self, body: dict[str, Any]) -> Any:
        del self.models[body["model_id"]]
        return {"model_id": body["model_id"]}

    def _forward(self, body: dict[str, Any]) -> Any:
        model = self.models[body["model_id"]]
        return _passed([model.logprobs(datum) for datum in body["forward_input"]["data"]])

    def _forward_backward(self, body: dict[str, Any]) -> Any:
        model = self.models[body["model_id"]]
        given = body["forward_backward_input"]
        assert given["loss_fn"] == "cross_entropy"
        every = []
        for datum in given["data"]:
            logs = model.logprobs(datum)
            weights = torch.tensor(datum["loss_fn_inputs"]["weights"]["data"], dtype=torch.float64)
            if self.scale == "positive":
                weights = weights.clamp(min=0)
            loss = -(weights * logs).sum()
            if self.scale == "weights":
                loss = loss / weights.sum().clamp(min=1e-9)
            loss.backward()
            every.append(logs)
        model.data += len(every)
        return _passed(every)

    def _optim_step(self, body: dict[str, Any]) -> Any:
        model = self.models[body["model_id"]]
        slope = torch.zeros_like(model.table) if model.table.grad is None else model.table.grad
        if self.scale == "mean":
            slope = slope / max(model.data, 1)
        with torch.no_grad():
            model.table -= body["adam_params"]["learning_rate"] * slope
        model.table.grad, model.data = None, 0
        model.steps += 1
        return {"metrics": {"skyrl.ai/grad_norm": float(slope.norm())} if self.tells_norm else None}

    def _save_weights(self, body: dict[str, Any]) -> Any:
        return self._save(body, "weights")

    def _save_weights_for_sampler(self, body: dict[str, Any]) -> Any:
        return self._save(body, "sampler_weights")

    def _save(self, body: dict[str, Any], kind: str) -> Any:
        path = f"tinker://{body['model_id']}/{kind}/{body['path']}"
        self.saved[path] = self.models[body["model_id"]].table.detach().clone()
        return {"path": path}

    def _load_weights(self, body: dict[str, Any]) -> Any:
        with torch.no_grad():
            self.models[body["model_id"]].table.copy_(self.saved[body["path"]])
        return {"type": "load_weights"}

    def _asample(self, body: dict[str, Any]) -> Any:
        table, settings = self.saved[body["model_path"]], body["sampling_params"]
        generator = torch.Generator().manual_seed(settings["seed"])
        last = body["prompt"]["chunks"][0]["tokens"][-1]
        ids: list[int] = []
        logs: list[float] = []
        while len(ids) < settings["max_tokens"] and last not in (settings["stop"] or ()):
            chances = torch.softmax(table[last], -1)
            last = int(torch.multinomial(chances, 1, generator=generator))
            ids.append(last)
            logs.append(float(chances[last].log()))
        stopped = last in (settings["stop"] or ())
        return {"sequences": [{"tokens": ids, "logprobs": logs, "stop_reason": "stop" if stopped else "length"}]}


def _passed(every: list[torch.Tensor]) -> Any:
    found = [{"logprobs": {"data": logs.tolist(), "dtype": "float32", "shape": [len(logs)]}} for logs in every]
    return {"loss_fn_output_type": "scalar", "loss_fn_outputs": found, "metrics": {}}
