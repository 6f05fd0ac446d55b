"""Connections that slow and hostile clients cannot hold: deadlines beside those of the server.

Source: RFC 9112 (HTTP/1.1), RFC 6585 (431).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from stablemate.serving.limits import ServingLimits

HEAD_BYTES: Final = 64 << 10  # of a request line with its headers


class GuardedConnection(HttpToolsProtocol):
    """A connection with deadlines for the head of a request and for reading the response.

    Attributes:
        limits: The limits.
        count: Is told why a connection was ended.
    """

    limits: ServingLimits
    count: Callable[[str], None]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Starts the connection, or ends it if there are too many."""
        assert isinstance(transport, asyncio.Transport)
        super().connection_made(transport)
        self.head_bytes = 0
        self.message_bytes = 0
        self.is_in_head = True
        self.unread = 0
        self.head_deadline: asyncio.TimerHandle | None = None
        self.read_watch: asyncio.TimerHandle | None = None
        if len(self.connections) > self.limits.connections:
            self.end(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections; try again later")
            return
        self.start_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancels the timers of a connection that has closed."""
        self.cancel_head_deadline()
        if self.read_watch is not None:
            self.read_watch.cancel()
        super().connection_lost(exc)

    # ---- the head of a request

    def start_head(self) -> None:
        """Begins to wait for a request."""
        self.is_in_head = True
        self.head_bytes = 0
        self.cancel_head_deadline()
        self.head_deadline = self.loop.call_later(self.limits.head_seconds, self.head_is_late)

    def cancel_head_deadline(self) -> None:
        """Ends waiting for a request."""
        if self.head_deadline is not None:
            self.head_deadline.cancel()
            self.head_deadline = None

    def head_is_late(self) -> None:
        """Ends a connection that has sent no request in time."""
        message = f"no request arrived in {self.limits.head_seconds:g} seconds"
        self.end(HTTPStatus.REQUEST_TIMEOUT, message)

    def data_received(self, data: bytes) -> None:
        """Takes bytes in: of a head only so many, of a body twice what it may have.

        The rest would be the frames of chunks, or trailers.
        """
        if self.transport.is_closing():
            return
        self.message_bytes += len(data)
        if self.is_in_head:
            self.head_bytes += len(data)
            if self.head_deadline is None:
                self.start_head()
        super().data_received(data)
        if self.is_in_head and self.head_bytes > HEAD_BYTES and not self.transport.is_closing():
            message = f"the head of a request has at most {HEAD_BYTES} bytes"
            self.end(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, message)
        if self.message_bytes > 2 * self.limits.body_bytes + HEAD_BYTES:
            self.count("too large")
            self.transport.abort()

    def on_headers_complete(self) -> None:
        """Cancels the deadline for headers, then lets uvicorn handle the request."""
        self.is_in_head = False
        self.cancel_head_deadline()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The next bytes are the head of another request."""
        self.is_in_head = True
        self.head_bytes = self.message_bytes = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Answers what is no HTTP."""
        self.end(HTTPStatus.BAD_REQUEST, "this is no request of HTTP")

    # ---- reading the response

    def pause_writing(self) -> None:
        """The client reads more slowly than the response is written."""
        super().pause_writing()
        self.watch_reading()

    def on_response_complete(self) -> None:
        """The response is written, if not yet read."""
        super().on_response_complete()
        if self.transport.get_write_buffer_size():
            self.watch_reading()

    def watch_reading(self) -> None:
        """Looks later whether the client has read something."""
        self.unread = self.transport.get_write_buffer_size()
        if self.read_watch is None:
            self.read_watch = self.loop.call_later(self.limits.stalled_seconds, self.check_reading)

    def check_reading(self) -> None:
        """Ends a connection whose client reads nothing."""
        self.read_watch = None
        left = self.transport.get_write_buffer_size()
        if left == 0:
            return
        if left >= self.unread:
            self.count("stalled")
            self.transport.abort()
            return
        self.watch_reading()

    def timeout_keep_alive_handler(self) -> None:
        """Ends a connection that is idle, unless the client still reads."""
        if self.transport.get_write_buffer_size() == 0:
            super().timeout_keep_alive_handler()

    def end(self, status: HTTPStatus, message: str) -> None:
        """Answers with an error and ends the connection."""
        self.count(status.phrase.lower())
        self.cancel_head_deadline()
        body = json.dumps({"error": message}).encode()
        head = (
            f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()
        self.watch_reading()


def connection_class(limits: ServingLimits, count: Callable[[str], None]) -> type[asyncio.Protocol]:
    """The class of connections with these limits.

    Args:
        limits: The limits.
        count: Is told why a connection was ended.
    """
    members: dict[str, object] = {"limits": limits, "count": staticmethod(count)}
    return type("LimitedConnection", (GuardedConnection,), members)
