"""Limits of the server: memory, requests, time, slow clients; and how it stops."""

import gzip
import json
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from stablemate.serving.limits import BatchOptions, ServingLimits
from tests.serving.servers import (
    ROWS,
    Reply,
    RunningServer,
    gated,
    inputs,
    model_of,
    running,
    tensor,
)

X = inputs(tensor([[1.0, 2.0, 3.0]]))
SMALL = ServingLimits(
    body_bytes=1000, bodies_bytes=1500, connections=4, body_seconds=0.3, head_seconds=0.3,
    stalled_seconds=0.3,
)  # fmt: skip


def status(reply: Reply) -> tuple[int, str]:
    """The status, and what went wrong."""
    return reply.status, reply.json["error"]


def until(condition: Callable[[], bool]) -> None:
    """Waits for another thread."""
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def waiting(server: RunningServer) -> int:
    """How many requests wait."""
    return len(server.server.inference.schedulers["rows"].waiting)


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as result:
        yield result


def test_a_full_queue_refuses_with_429(pool: ThreadPoolExecutor) -> None:
    model, gate = gated()
    with running([model], ServingLimits(queue=1), BatchOptions(1)) as server:
        gate.is_closed = True
        first = pool.submit(server.infer, "rows", X)
        assert gate.entered.acquire(timeout=30)
        second = pool.submit(server.infer, "rows", X)
        until(lambda: waiting(server) == 1)
        third = server.infer("rows", X)
        assert status(third) == (429, "1 requests wait for rows; try again later")
        assert third.headers["retry-after"] == "1"
        gate.opened.release(2)
        assert (first.result().status, second.result().status) == (200, 200)


def test_too_many_requests_are_refused_with_503(pool: ThreadPoolExecutor) -> None:
    model, gate = gated()
    with running([model], ServingLimits(requests=1)) as server:
        gate.is_closed = True
        first = pool.submit(server.infer, "rows", X)
        assert gate.entered.acquire(timeout=30)
        assert status(server.infer("rows", X)) == (
            503, "1 requests are in progress; try again later",
        )  # fmt: skip
        assert server.get("/v2/health/ready").status == 200
        gate.opened.release()
        assert first.result().status == 200


def test_a_request_that_takes_too_long_gets_504_and_leaves_the_queue(
    pool: ThreadPoolExecutor,
) -> None:
    model, gate = gated()
    with running([model], ServingLimits(request_seconds=0.2)) as server:
        gate.is_closed = True
        late = (504, "rows gave no results in 0.2 seconds")
        first = pool.submit(server.infer, "rows", X)
        assert gate.entered.acquire(timeout=30)
        hasty = server.infer("rows", {**X, "parameters": {"timeout": 1000}})
        assert status(hasty) == (504, "rows gave no results in 0.001 seconds")
        assert status(server.infer("rows", X)) == late
        assert status(first.result()) == late
        assert waiting(server) == 0
        gate.opened.release()
        gate.is_closed = False
        assert server.infer("rows", X).status == 200


def test_a_request_whose_client_is_gone_leaves_the_queue(pool: ThreadPoolExecutor) -> None:
    model, gate = gated()
    with running([model]) as server:
        gate.is_closed = True
        first = pool.submit(server.infer, "rows", X)
        assert gate.entered.acquire(timeout=30)
        body = json.dumps(X).encode()
        with server.connect() as client:
            client.sendall(head("POST", len(body)) + body)
            until(lambda: waiting(server) == 1)
        until(lambda: waiting(server) == 0)
        gate.opened.release()
        assert first.result().status == 200
        assert gate.rows == [1]


def test_requests_are_joined_and_each_gets_its_own_rows(pool: ThreadPoolExecutor) -> None:
    model, gate = gated()
    with running([model], batches=BatchOptions(4)) as server:
        gate.is_closed = True
        first = pool.submit(server.infer, "rows", X)
        assert gate.entered.acquire(timeout=30)
        rows = [[[float(i)] * 3] * (1 + i % 2) for i in range(5)]
        rest: list[Future[Reply]] = []
        for number, row in enumerate(rows, 1):
            rest.append(pool.submit(server.infer, "rows", inputs(tensor(row))))
            until(lambda number=number: waiting(server) == number)  # type: ignore[misc]
        gate.opened.release(10)
        assert first.result().status == 200
        for row, reply in zip(rows, rest, strict=True):
            (output,) = reply.result().json["outputs"]
            assert output["shape"] == [len(row), 3]
            assert output["data"] == [element for line in row for element in line]
        assert gate.rows == [1, 4, 3]


def test_one_bad_request_of_a_batch_fails_alone(pool: ThreadPoolExecutor) -> None:
    model, gate = gated()
    with running([model]) as server:
        gate.is_closed = True
        first = pool.submit(server.infer, "rows", X)
        assert gate.entered.acquire(timeout=30)
        bad = pool.submit(server.infer, "rows", inputs(tensor([[-1.0, 0.0, 0.0]])))
        good = pool.submit(server.infer, "rows", X)
        until(lambda: waiting(server) == 2)
        gate.opened.release(10)
        assert (first.result().status, good.result().status) == (200, 200)
        assert status(bad.result()) == (400, "an element is negative")
        assert gate.rows == [1, 2, 1, 1]


def test_a_request_waits_for_others_while_nothing_runs(pool: ThreadPoolExecutor) -> None:
    model, gate = gated()
    with running([model], batches=BatchOptions(2, delay_seconds=30)) as server:
        gate.is_closed = True
        gate.opened.release(2)
        replies = [pool.submit(server.infer, "rows", X) for _ in range(2)]
        assert [reply.result().status for reply in replies] == [200, 200]
        assert gate.rows == [2]


# ---- bodies and connections


def head(method: str, length: int | str, *lines: str) -> bytes:
    """The head of a request of inference."""
    kind = "Transfer-Encoding: chunked" if length == "chunked" else f"Content-Length: {length}"
    text = [f"{method} /v2/models/rows/infer HTTP/1.1", "Host: x", kind, *lines]
    return "\r\n".join([*text, "", ""]).encode()


def everything(client: socket.socket) -> bytes:
    """What a server sends until it ends the connection."""
    content = b""
    while data := client.recv(1 << 16):
        content += data
    return content


def reply_of(content: bytes) -> tuple[int, str]:
    """The status and error of a response."""
    first, _, body = content.partition(b"\r\n\r\n")
    return int(first.split()[1]), json.loads(body)["error"]


@pytest.fixture(scope="module")
def small() -> Iterator[RunningServer]:
    with running([model_of(ROWS, "rows")], SMALL) as server:
        yield server


LARGE = (413, "the body of a request has at most 1000 bytes")


def test_a_large_body_is_refused(small: RunningServer) -> None:
    assert status(small.infer("rows", b" " * 1001)) == LARGE
    assert status(small.infer("rows", b" " * 5000)) == LARGE
    assert status(small.infer("rows", gzip.compress(b" " * 1001), Content_Encoding="gzip")) == LARGE
    with small.connect() as client:
        client.sendall(head("POST", 10**18, "Expect: 100-continue"))
        assert reply_of(everything(client)) == LARGE
    with small.connect() as client:
        client.sendall(
            head("POST", "chunked") + (b"200\r\n" + b" " * 512 + b"\r\n") * 2 + b"0\r\n\r\n"
        )
        assert reply_of(everything(client)) == LARGE


def test_bodies_that_take_too_much_together_are_refused(small: RunningServer) -> None:
    with small.connect() as first, small.connect() as second:
        memory = small.server.inference.memory
        first.sendall(head("POST", 1000) + b" " * 900)
        until(lambda: memory.used == 900)
        second.sendall(head("POST", 1000) + b" " * 700)
        message = "the bodies of all requests take 900 bytes; try again later"
        assert reply_of(everything(second)) == (503, message)
    until(lambda: memory.used == 0)


def test_slow_clients_are_ended(small: RunningServer) -> None:
    with small.connect() as client:
        message = "no request arrived in 0.3 seconds"
        assert reply_of(everything(client)) == (408, message)
    with small.connect() as client:
        client.sendall(b"GET /v2 HT")
        assert reply_of(everything(client)) == (408, message)
    with small.connect() as client:
        client.sendall(head("POST", 100) + b"{")
        message = "the body did not arrive in 0.3 seconds"
        assert reply_of(everything(client)) == (408, message)


def test_what_is_no_http_is_answered(small: RunningServer) -> None:
    with small.connect() as client:
        client.sendall(b"\x16\x03\x01 hello\r\n\r\n")
        assert reply_of(everything(client)) == (400, "this is no request of HTTP")
    with small.connect() as client:
        client.sendall(b"GET /v2 HTTP/1.1\r\n" + b"X: " + b"a" * (65 << 10))
        assert reply_of(everything(client)) == (
            431, "the head of a request has at most 65536 bytes",
        )  # fmt: skip


def test_too_many_connections_are_refused(small: RunningServer) -> None:
    clients = [small.connect() for _ in range(4)]
    try:
        until(lambda: len(small.server.server_state.connections) == 4)
        with small.connect() as client:
            assert reply_of(everything(client)) == (503, "too many connections; try again later")
    finally:
        for client in clients:
            client.close()
    until(lambda: not small.server.server_state.connections)


def test_a_client_that_reads_nothing_is_ended() -> None:
    limits = ServingLimits(stalled_seconds=0.2)
    with running([model_of(ROWS, "rows")], limits) as server:
        body = json.dumps(inputs({**tensor([[1.5, 2.5, 3.5]]), "shape": [200_000, 3],
                                  "data": [1.25] * 600_000})).encode()  # fmt: skip
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", server.port))
        with client:
            client.sendall(head("POST", len(body)) + body)
            until(lambda: len(server.server.server_state.connections) == 1)
            until(lambda: not server.server.server_state.connections)
        metrics = server.get("/metrics").content.decode()
        assert 'stablemate_ended_connections_total{reason="stalled"} 1.0' in metrics


def test_requests_that_run_end_before_the_server_stops(pool: ThreadPoolExecutor) -> None:
    model, gate = gated()
    with running([model]) as server:
        gate.is_closed = True
        with server.connect() as idle:
            first = pool.submit(server.infer, "rows", X)
            assert gate.entered.acquire(timeout=30)
            server.stop()
            assert idle.recv(1) == b""  # an idle connection is ended
            until(lambda: refuses(server))
            gate.opened.release()
            assert first.result().status == 200
        server.thread.join(timeout=30)
        assert not server.thread.is_alive()


def refuses(server: RunningServer) -> bool:
    """Whether the server accepts no connection."""
    try:
        server.connect().close()
    except ConnectionRefusedError:
        return True
    return False
