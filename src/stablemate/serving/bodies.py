"""Takes in the bodies of requests, within limits of size, memory and time."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import Final

from starlette.requests import Request

from stablemate.serving.errors import RequestError, bad_request
from stablemate.serving.limits import ServingLimits

# How zlib is told what to expect: gzip, and a stream with or without its header.
WINDOW_BITS: Final = {"gzip": zlib.MAX_WBITS | 16, "deflate": zlib.MAX_WBITS}
DRAINED_SECONDS: Final = 2.0  # for which the rest of a rejected body is read


class BodyMemory:
    """The memory that bodies take, of all requests together.

    Attributes:
        limits: The limits.
        used: The bytes that are taken.
    """

    def __init__(self, limits: ServingLimits) -> None:
        self.limits = limits
        self.used = 0

    @contextmanager
    def share(self) -> Generator[BodyShare]:
        """The share of one request, which ends with the block."""
        share = BodyShare(self)
        try:
            yield share
        finally:
            self.used -= share.bytes


class BodyShare:
    """The memory that one request takes."""

    def __init__(self, memory: BodyMemory) -> None:
        self.memory = memory
        self.bytes = 0

    def grow(self, count: int) -> None:
        """Takes more memory.

        Raises:
            RequestError: Requests together would take more than is allowed.
        """
        if self.memory.used + count > self.memory.limits.bodies_bytes:
            raise RequestError(
                HTTPStatus.SERVICE_UNAVAILABLE,
                f"the bodies of all requests take {self.memory.used} bytes; try again later",
                closes=True,
            )
        self.memory.used += count
        self.bytes += count


async def read_body(request: Request, limits: ServingLimits, share: BodyShare) -> memoryview[int]:
    """The body of a request, decompressed.

    Raises:
        RequestError: It is too large, too slow, or damaged.
        ClientDisconnect: The client is gone.
    """
    encoding = request.headers.get("content-encoding", "identity").lower()
    if encoding != "identity" and encoding not in WINDOW_BITS:
        raise RequestError(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            f"the encoding {encoding[:20]!r} is not supported; gzip and deflate are",
            closes=True,
        )
    try:
        async with asyncio.timeout(limits.body_seconds):
            body: bytes | bytearray = await received(request, limits, share)
    except TimeoutError:
        raise RequestError(
            HTTPStatus.REQUEST_TIMEOUT,
            f"the body did not arrive in {limits.body_seconds:g} seconds",
            closes=True,
        ) from None
    if encoding != "identity":
        body = decompress(body, encoding, limits, share)
    return memoryview(body)


async def received(request: Request, limits: ServingLimits, share: BodyShare) -> bytearray:
    """The bytes of a body."""
    chunks = request.stream()
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared[:19]) > limits.body_bytes:
        if request.headers.get("expect") is None:
            await drain(chunks)
        raise too_large(limits)
    body = bytearray()
    async for chunk in chunks:
        if len(body) + len(chunk) > limits.body_bytes:
            await drain(chunks)
            raise too_large(limits)
        share.grow(len(chunk))
        body += chunk
    return body


async def drain(chunks: AsyncIterator[bytes]) -> None:
    """Reads on for a moment: who still sends when a connection ends does not see the response."""
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAINED_SECONDS):
            async for _ in chunks:
                pass


def too_large(limits: ServingLimits) -> RequestError:
    """The error of a body that is too large."""
    return RequestError(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        f"the body of a request has at most {limits.body_bytes} bytes",
        closes=True,
    )


def decompress(
    body: bytes | bytearray, encoding: str, limits: ServingLimits, share: BodyShare
) -> bytes:
    """Decompresses a body.

    Raises:
        RequestError: It is damaged, or holds more than is allowed.
    """
    inflater = zlib.decompressobj(WINDOW_BITS[encoding])
    try:
        content = inflater.decompress(body, limits.body_bytes + 1)
    except zlib.error as error:
        raise bad_request(f"the body is no {encoding}: {error}") from None
    if len(content) > limits.body_bytes:
        raise too_large(limits)
    if not inflater.eof:
        raise bad_request(f"the body is no {encoding}: it ends early")
    share.grow(len(content))
    return content
