"""The paths of the server, and what answers them.

Source: Open Inference Protocol, version 2, REST.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from time import monotonic
from typing import Any, Final, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import stablemate
from stablemate.numerics.elements import Array
from stablemate.serving.bodies import BodyMemory, read_body
from stablemate.serving.errors import TRY_AGAIN, RequestError, request_error
from stablemate.serving.limits import ServingLimits
from stablemate.serving.messages import (
    HEAD_LENGTH,
    InferenceRequest,
    InferenceResponse,
    error_message,
    read_request,
    response_of,
)
from stablemate.serving.metrics import CONTENT_TYPE, ServingMetrics
from stablemate.serving.scheduler import RequestScheduler

EXTENSIONS: Final = ("binary_tensor_data",)
DISCONNECTED: Final = 499  # what logs call a client that is gone; nobody reads the response
SMALL_BYTES: Final = 16 << 10  # bodies that are read at once, without a thread
RETRY_SECONDS: Final = "1"
T = TypeVar("T")


class InferenceServer:
    """The served models, and the requests that are being answered.

    Attributes:
        schedulers: The queue of each model, by name.
        limits: What clients may use.
        metrics: What is counted.
        in_progress: How many requests of inference are read or run.
        is_ready: Whether all models are compiled.
        is_stopping: Whether the server was told to stop.
    """

    def __init__(
        self, schedulers: Mapping[str, RequestScheduler], limits: ServingLimits,
        metrics: ServingMetrics, prepare: Callable[[], None],
        failed: Callable[[BaseException], None],
    ) -> None:  # fmt: skip
        self.schedulers = schedulers
        self.limits = limits
        self.metrics = metrics
        self.prepare = prepare
        self.failed = failed
        self.memory = BodyMemory(limits)
        self.in_progress = 0
        self.is_ready = False
        self.is_stopping = False
        metrics.observe(
            "requests_in_progress", "Requests that are read or run.", lambda: self.in_progress
        )

    def application(self) -> Starlette:
        """The application, to be served."""
        model = "/v2/models/{name}"
        routes = [
            Route("/v2", self.server_metadata),
            Route("/v2/health/live", self.live),
            Route("/v2/health/ready", self.ready),
            Route("/metrics", self.metric_text),
        ]
        for path in (model, f"{model}/versions/{{version}}"):
            routes += [
                Route(path, self.model_metadata),
                Route(f"{path}/ready", self.model_ready),
                Route(f"{path}/infer", self.infer, methods=["POST"]),
            ]
        handlers: Mapping[Any, Any] = {
            HTTPException: answer_unknown_path, RequestError: answer_error,
        }  # fmt: skip
        return Starlette(routes=routes, exception_handlers=handlers, lifespan=self.lifespan)

    @asynccontextmanager
    async def lifespan(self, application: Starlette) -> AsyncGenerator[None]:
        """Prepares the models while the server answers already, and runs their queues."""
        tasks = [asyncio.create_task(item.run()) for item in self.schedulers.values()]
        tasks.append(asyncio.create_task(self.become_ready()))
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def become_ready(self) -> None:
        """Compiles the models in a thread, then reports readiness."""
        try:
            await asyncio.to_thread(self.prepare)
        except Exception as error:  # the server ends with it
            self.failed(error)
        else:
            self.is_ready = True

    # ---- what clients ask about the server

    async def server_metadata(self, request: Request) -> Response:
        """The name of the server."""
        return JSONResponse(
            {
                "name": "stablemate",
                "version": stablemate.__version__,
                "extensions": list(EXTENSIONS),
            }
        )

    async def live(self, request: Request) -> Response:
        """Answers ``/v2/health/live``: the process handles requests."""
        return JSONResponse({"live": True})

    async def ready(self, request: Request) -> Response:
        """Whether requests of inference are taken."""
        return readiness(self.accepts)

    @property
    def accepts(self) -> bool:
        """Whether requests of inference are taken."""
        return self.is_ready and not self.is_stopping

    async def metric_text(self, request: Request) -> Response:
        """Answers ``/metrics`` in Prometheus's text format."""
        return Response(self.metrics.text(), media_type=CONTENT_TYPE)

    async def model_metadata(self, request: Request) -> Response:
        """The inputs and outputs of a model."""
        return JSONResponse(self.scheduler(request).model.metadata())

    async def model_ready(self, request: Request) -> Response:
        """Whether a model takes requests."""
        self.scheduler(request)
        return readiness(self.accepts)

    def scheduler(self, request: Request) -> RequestScheduler:
        """The queue of the model that a path names.

        Raises:
            RequestError: There is no such model or version.
        """
        name = str(request.path_params["name"])
        scheduler = self.schedulers.get(name)
        if scheduler is None:
            there_are = ", ".join(self.schedulers)
            message = f"no model is called {name[:100]!r}; there are: {there_are}"
            raise RequestError(HTTPStatus.NOT_FOUND, message)
        version = str(request.path_params.get("version", scheduler.model.version))
        if version != scheduler.model.version:
            message = f"{name} has the version {scheduler.model.version}, not {version[:20]!r}"
            raise RequestError(HTTPStatus.NOT_FOUND, message)
        return scheduler

    # ---- inference

    async def infer(self, request: Request) -> Response:
        """Answers ``/v2/models/NAME/infer``: runs the model and counts the request."""
        scheduler = self.scheduler(request)
        model = scheduler.model.name
        start = monotonic()
        try:
            response = await self.answer(request, scheduler)
        except ClientDisconnect:
            response = Response(status_code=DISCONNECTED)
        except RequestError as error:
            response = error_response(error)
        self.metrics.requests.labels(model, response.status_code).inc()
        self.metrics.request_seconds.labels(model).observe(monotonic() - start)
        return response

    async def answer(self, request: Request, scheduler: RequestScheduler) -> Response:
        """The response of a request.

        Raises:
            RequestError: It cannot be read, does not fit, or takes too long.
            ClientDisconnect: The client is gone.
        """
        self.require_capacity()
        self.in_progress += 1
        try:
            with self.memory.share() as share:
                body = await read_body(request, self.limits, share)
                response = await self.response(request, scheduler, body)
        finally:
            self.in_progress -= 1
        headers: dict[str, str] = {}
        if response.head_length is not None:
            headers[HEAD_LENGTH] = str(response.head_length)
        is_json = response.head_length is None
        media_type = "application/json" if is_json else "application/octet-stream"
        return Response(response.content, headers=headers, media_type=media_type)

    def require_capacity(self) -> None:
        """Refuses requests while the server starts, stops, or has too many.

        Raises:
            RequestError: It does.
        """
        unavailable = HTTPStatus.SERVICE_UNAVAILABLE
        if self.is_stopping:
            raise RequestError(unavailable, "the server stops", closes=True)
        if not self.is_ready:
            raise RequestError(unavailable, "the server is not ready yet", closes=True)
        if self.in_progress >= self.limits.requests:
            message = f"{self.in_progress} requests are in progress; try again later"
            raise RequestError(unavailable, message, closes=True)

    async def response(
        self, request: Request, scheduler: RequestScheduler, body: memoryview[int]
    ) -> InferenceResponse:
        """Reads a request, waits for its results and writes them."""
        length = request.headers.get(HEAD_LENGTH)
        model = scheduler.model
        asked = await in_thread_if_large(len(body), read_request, body, length, model)
        seconds = min(asked.seconds or self.limits.request_seconds, self.limits.request_seconds)
        results = await self.results(request, scheduler, asked, seconds)
        count = sum(array.nbytes for array in results)
        return await in_thread_if_large(count, response_of, asked, results, model)

    async def results(
        self, request: Request, scheduler: RequestScheduler, asked: InferenceRequest, seconds: float
    ) -> Sequence[Array]:
        """The results of a model, unless the client is gone or the time is up first."""
        run = asyncio.ensure_future(scheduler.results(asked.arrays))
        gone = asyncio.ensure_future(until_disconnected(request))
        try:
            await asyncio.wait((run, gone), timeout=seconds, return_when="FIRST_COMPLETED")
            if run.done():
                return run.result()
            if gone.done():
                raise ClientDisconnect
        except ClientDisconnect:
            raise
        except Exception as error:
            raise request_error(error) from error
        finally:
            for task in (run, gone):
                task.cancel()
            with suppress(BaseException):
                await asyncio.gather(run, gone, return_exceptions=True)
        message = f"{scheduler.model.name} gave no results in {seconds:g} seconds"
        raise RequestError(HTTPStatus.GATEWAY_TIMEOUT, message)


async def in_thread_if_large(count: int, function: Callable[..., T], *arguments: object) -> T:
    """Calls a function; in a thread if it takes long, so that other clients are answered."""
    if count <= SMALL_BYTES:
        return function(*arguments)
    return await asyncio.to_thread(function, *arguments)


async def until_disconnected(request: Request) -> None:
    """Waits until the client is gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def readiness(is_ready: bool) -> Response:
    """Says whether something is ready."""
    status = HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE
    return JSONResponse({"ready": is_ready}, status)


def error_response(error: RequestError) -> Response:
    """The response with an error."""
    headers = {"connection": "close"} if error.closes else {}
    if error.status in TRY_AGAIN:
        headers["retry-after"] = RETRY_SECONDS
    return Response(error_message(error), error.status, headers, "application/json")


async def answer_error(request: Request, error: Exception) -> Response:
    """Converts an exception to the protocol's error response."""
    return error_response(request_error(error))


async def answer_unknown_path(request: Request, error: Exception) -> Response:
    """Answers a request for a path or method that there is not."""
    assert isinstance(error, HTTPException)
    path = request.url.path[:100]
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        message = f"{path} does not take {request.method}"
    else:
        message = f"there is no path {path}"
    return error_response(RequestError(HTTPStatus(error.status_code), message))
