"""Listens for requests, until the process is told to stop."""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final

import uvicorn

from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.diagnostics.file_errors import reason
from stablemate.serving.application import InferenceServer
from stablemate.serving.connections import connection_class
from stablemate.serving.limits import BatchOptions, ServingLimits
from stablemate.serving.metrics import ServingMetrics
from stablemate.serving.process_memory import prepare_for_long_life
from stablemate.serving.scheduler import RequestScheduler
from stablemate.serving.served_model import ServedModel

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
BACKLOG: Final = 512  # connections that the system accepts before the server does


def serve(
    models: Sequence[ServedModel], host: str, port: int, limits: ServingLimits,
    batches: BatchOptions, announce: Callable[[str], None],
) -> None:  # fmt: skip
    """Serves models until the process gets SIGINT or SIGTERM.

    Args:
        models: The models, with different names.
        host: The address to listen at.
        port: The port; 0 for one that is free.
        limits: What clients may use.
        batches: How requests are joined.
        announce: Is told the address, once the server listens.

    Raises:
        ArgumentValueError: The address cannot be listened at.
        StablemateError: A model cannot be compiled.
    """
    prepare_for_long_life()
    listener = listening_socket(host, port)
    server = ModelServer(models, limits, batches)
    announce(url_of(listener))
    asyncio.run(server.serve([listener]))
    if server.failure is not None:
        raise server.failure


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        ArgumentValueError: The address is in use, unknown or not allowed.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        why = reason(OSError(error.errno, (error.strerror or "").partition(" (")[0]))
        raise ArgumentValueError(f"cannot listen at {host}:{port}: {why}") from error


def url_of(listener: socket.socket) -> str:
    """The address of a socket that listens."""
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


class ModelServer(uvicorn.Server):
    """A server that ends with success when it is told to stop; running requests end first.

    Attributes:
        failure: Why a model could not be compiled; the server ends then.
        inference: What answers requests.
    """

    def __init__(
        self, models: Sequence[ServedModel], limits: ServingLimits, batches: BatchOptions
    ) -> None:
        self.models = models
        self.batches = batches
        self.failure: BaseException | None = None
        self.executor = ThreadPoolExecutor(len(models), "stablemate-serve")
        metrics = ServingMetrics()
        schedulers = {
            model.name: RequestScheduler(model, batches, limits.queue, self.executor, metrics)
            for model in models
        }
        self.inference = InferenceServer(schedulers, limits, metrics, self.prepare, self.fail)
        connections = connection_class(limits, lambda why: metrics.failures.labels(why).inc())
        super().__init__(
            uvicorn.Config(
                self.inference.application(), http=connections, ws="none", lifespan="on",
                log_config=None, log_level="critical", access_log=False, server_header=False,
                timeout_keep_alive=max(int(limits.idle_seconds), 1),
                timeout_graceful_shutdown=max(int(limits.stop_seconds), 1),
                backlog=BACKLOG,
            )
        )  # fmt: skip
        metrics.observe(
            "connections", "Open connections.", lambda: len(self.server_state.connections)
        )

    def prepare(self) -> None:
        """Compiles every model for the sizes of its batches."""
        for model in self.models:
            model.warm_up(self.batches.rows)

    def fail(self, error: BaseException) -> None:
        """Ends the server: a model could not be compiled."""
        self.failure = error
        self.stop()

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Takes the signals that stop the server; outside of the main thread there are none."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            loop.add_signal_handler(number, self.stop)
        try:
            yield
        finally:
            for number in SIGNALS:
                loop.remove_signal_handler(number)

    def stop(self) -> None:
        """Stops: what runs ends, what is new is refused; a second time what runs is dropped."""
        self.inference.is_stopping = True
        self.force_exit = self.should_exit
        self.should_exit = True
