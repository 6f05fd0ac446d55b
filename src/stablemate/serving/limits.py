"""Limits on the resources that clients of a server may use."""

from __future__ import annotations

from typing import Final

from stablemate.deferred_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServingLimits:
    """Bounds of memory, requests and time.

    Attributes:
        body_bytes: The largest body of a request, after it is decompressed.
        bodies_bytes: How many bytes the bodies of all requests may take at the same time.
        requests: How many requests of inference are read or run at the same time.
        queue: How many requests may wait for a model.
        connections: How many clients may be connected.
        request_seconds: How long a request may wait and run after it has been read.
        body_seconds: How long a client may take to send a body.
        head_seconds: How long a client may take to send the head of a request.
        idle_seconds: How long a connection may be idle between requests.
        stalled_seconds: How long a client may read nothing of a response.
        stop_seconds: How long running requests may take after the server was told to stop.
    """

    body_bytes: int = 64 << 20
    bodies_bytes: int = 512 << 20
    requests: int = 256
    queue: int = 128
    connections: int = 1024
    request_seconds: float = 60.0
    body_seconds: float = 30.0
    head_seconds: float = 10.0
    idle_seconds: float = 60.0
    stalled_seconds: float = 30.0
    stop_seconds: float = 30.0


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """How requests of a model are joined.

    Attributes:
        rows: The most rows of a batch; 1 joins none.
        delay_seconds: How long a request waits for others while the model has nothing to run.
    """

    rows: int = 32
    delay_seconds: float = 0.0


DEFAULT_LIMITS: Final = ServingLimits()
