"""Errors of requests, each with the status of HTTP that answers it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from stablemate.diagnostics.errors import (
    ArgumentError,
    EvaluationError,
    LimitError,
    StablemateError,
    VerifyError,
)

TRY_AGAIN: Final = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)


class RequestError(Exception):
    """A request that is not answered with results.

    Attributes:
        status: The status of the response.
        closes: Whether the connection ends with the response: the rest of the request is not read.
    """

    def __init__(self, status: HTTPStatus, message: str, *, closes: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.closes = closes


def bad_request(message: str) -> RequestError:
    """The error of a request that breaks the protocol or does not fit the model."""
    return RequestError(HTTPStatus.BAD_REQUEST, message)


def request_error(error: BaseException) -> RequestError:
    """Converts an exception of a program into an error of the request."""
    match error:
        case RequestError():
            return error
        case ArgumentError() | EvaluationError() | LimitError() | VerifyError():
            return bad_request(str(error))
        case StablemateError():
            return RequestError(HTTPStatus.INTERNAL_SERVER_ERROR, str(error))
        case MemoryError():
            return RequestError(HTTPStatus.SERVICE_UNAVAILABLE, "out of memory")
        case _:
            text = f"internal error: {type(error).__name__}: {error}"
            return RequestError(HTTPStatus.INTERNAL_SERVER_ERROR, text)
