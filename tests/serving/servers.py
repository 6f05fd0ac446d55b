"""Servers in a thread of the test, and requests that say every byte."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.client import HTTPConnection
from typing import Any

import numpy as np

import stablemate as sm
from stablemate.diagnostics.errors import EvaluationError
from stablemate.numerics.elements import Array
from stablemate.serving.limits import BatchOptions, ServingLimits
from stablemate.serving.served_model import ServedModel, served_model
from stablemate.serving.server import ModelServer, listening_socket

ROWS = """func.func @main(%x: tensor<?x3xf32>) -> (tensor<?x3xf32> {jax.result_info = "y"}) {
  %0 = stablehlo.add %x, %x : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}"""
FIXED = """func.func @main(%x: tensor<4x2xi32>, %y: tensor<4x2xi32>) -> tensor<4x2xi32> {
  %0 = stablehlo.subtract %x, %y : tensor<4x2xi32>
  return %0 : tensor<4x2xi32>
}"""
SUMS = """func.func @main(%x: tensor<2x2xf64>) -> tensor<2xf64> {
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<2x2xf64>, tensor<f64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}"""


@dataclass(frozen=True)
class Reply:
    """The response of a server."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def json(self) -> Any:
        """What it says in JSON."""
        return json.loads(self.content)


@dataclass(frozen=True)
class RunningServer:
    """A server that runs in another thread."""

    server: ModelServer
    port: int
    loop: asyncio.AbstractEventLoop
    thread: threading.Thread

    def request(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Reply:
        """Sends a request in a connection of its own."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            names = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, names)
            response = connection.getresponse()
            return Reply(response.status, dict(response.headers), response.read())
        finally:
            connection.close()

    def get(self, path: str) -> Reply:
        """Asks for a path."""
        return self.request("GET", path)

    def infer(self, model: str, message: Any, **headers: str) -> Reply:
        """Sends a request of inference."""
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        return self.request("POST", f"/v2/models/{model}/infer", body, **headers)

    def connect(self) -> socket.socket:
        """A connection, without a request."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def stop(self) -> None:
        """Tells it to stop, as a signal does."""
        self.loop.call_soon_threadsafe(self.server.stop)


@contextmanager
def running(
    models: Sequence[ServedModel], limits: ServingLimits | None = None,
    batches: BatchOptions | None = None,
) -> Iterator[RunningServer]:  # fmt: skip
    """Runs a server while the body runs."""
    listener = listening_socket("127.0.0.1", 0)
    server = ModelServer(models, limits or ServingLimits(), batches or BatchOptions())
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_until_complete, args=(server.serve([listener]),))
    thread.start()
    result = RunningServer(server, listener.getsockname()[1], loop, thread)
    try:
        while not server.inference.is_ready:
            threading.Event().wait(0.01)
        yield result
    finally:
        result.stop()
        thread.join()
        loop.close()


def model_of(text: str, name: str) -> ServedModel:
    """A model of a text."""
    return served_model(sm.parse(text), name)


class Gate:
    """An executable whose runs wait for the test, once it is closed.

    Attributes:
        entered: Released by each run.
        opened: Released by the test for each run that may end.
        rows: The rows of each run.
    """

    def __init__(self) -> None:
        self.is_closed = False
        self.entered = threading.Semaphore(0)
        self.opened = threading.Semaphore(0)
        self.rows: list[int] = []

    def __call__(self, *arrays: Array) -> Array:
        if self.is_closed:
            self.rows.append(len(arrays[0]))
            self.entered.release()
            assert self.opened.acquire(timeout=30)
        if (arrays[0] < 0).any():
            raise EvaluationError("an element is negative")
        return arrays[0]


def gated() -> tuple[ServedModel, Gate]:
    """A model whose runs wait for the test."""
    gate = Gate()
    executable: Any = gate
    return replace(model_of(ROWS, "rows"), executable=executable), gate


def tensor(array: Any, name: str = "arg0", kind: str = "FP32") -> dict[str, Any]:
    """An input of a request."""
    values = np.asarray(array)
    return {"name": name, "datatype": kind, "shape": list(values.shape), "data": values.tolist()}


def inputs(*tensors: dict[str, Any], **rest: Any) -> dict[str, Any]:
    """A request."""
    return {"inputs": list(tensors), **rest}
