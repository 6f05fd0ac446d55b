"""The metrics of the server, in the format of Prometheus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    ProcessCollector,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
SECONDS: Final = (1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1, 3, 10, 30)
ROWS: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class ServingMetrics:
    """The metrics of one server.

    Attributes:
        requests: Requests by model and status of the response.
        request_seconds: From the end of the body to the response.
        queue_seconds: How long requests waited.
        run_seconds: How long runs took.
        batch_rows: The rows, or requests, of each run.
        failures: Connections that the server has ended, by reason.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        by_model = ["model"]
        self.requests = Counter(
            "stablemate_requests", "Requests of inference, by status of the response.",
            ["model", "status"], registry=self.registry,
        )  # fmt: skip
        self.request_seconds = self.histogram(
            "request_seconds", "Seconds from the end of a request to its response.", SECONDS
        )
        self.queue_seconds = self.histogram(
            "queue_seconds", "Seconds that a request waited for its model.", SECONDS
        )
        self.run_seconds = self.histogram("run_seconds", "Seconds of a run of a model.", SECONDS)
        self.batch_rows = self.histogram("batch_rows", "Requests that one run answers.", ROWS)
        self.waiting = Gauge(
            "stablemate_waiting_requests", "Requests that wait for a model.", by_model,
            registry=self.registry,
        )  # fmt: skip
        self.failures = Counter(
            "stablemate_ended_connections", "Connections that the server ended, by reason.",
            ["reason"], registry=self.registry,
        )  # fmt: skip

    def histogram(self, name: str, text: str, buckets: tuple[float, ...]) -> Histogram:
        """A histogram for each model."""
        return Histogram(
            f"stablemate_{name}", text, ["model"], buckets=buckets, registry=self.registry
        )

    def observe(self, name: str, text: str, value: Callable[[], float]) -> None:
        """Adds a gauge whose value is asked for."""
        Gauge(f"stablemate_{name}", text, registry=self.registry).set_function(value)

    def text(self) -> bytes:
        """Formats all metrics in Prometheus's text format."""
        return generate_latest(self.registry)
