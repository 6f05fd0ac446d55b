"""Loads a server with requests and faults, checks every result, and reports how its memory grew.

``python -m tools.serve_load --seconds 3600 --clients 16 --seed 1`` starts ``stablemate serve`` in a
process of its own. Each client draws what it does next: requests in JSON and in bytes whose results
are compared, requests that are wrong, too large, cut off, sent slowly or not read, compressed bombs
and bytes that are no HTTP. It ends with 1 if a result is wrong, an answer is not the expected one,
the server ends, or its memory grows by more than ``--growth`` MiB after the first fifth of the
time.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Final

import numpy as np

PROGRAM: Final = """func.func @main(%x: tensor<?x32xf32>) -> tensor<?x8xf32> {
  %w = stablehlo.constant dense<0.125> : tensor<32x8xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<?x32xf32>, tensor<32x8xf32>) -> tensor<?x8xf32>
  %1 = stablehlo.tanh %0 : tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}"""
PATH: Final = "/v2/models/load/infer"
BUSY: Final = (429, 503, 504)  # what a server under load may answer
LENGTH: Final = "Inference-Header-Content-Length"
BODY_MIB: Final = 4
INTERVAL: Final = 30.0  # seconds between two looks at the memory
MEBIBYTE: Final = 1 << 20


@dataclass
class Report:
    """What happened.

    Attributes:
        outcomes: How often each kind of request had each outcome.
        findings: What should not have happened.
        memory: Seconds since the start, and the resident bytes of the server.
    """

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)

    def count(self, kind: str, status: int | str, expected: Sequence[int | str]) -> None:
        """Counts an outcome; one that is not expected is a finding."""
        self.outcomes[kind, str(status)] += 1
        if status not in expected:
            self.findings.append(f"{kind}: {status}, expected one of {list(expected)}")

    def growth(self) -> float:
        """How many MiB the memory grew after the first fifth of the time."""
        last = self.memory[-1][0]
        settled = [size for seconds, size in self.memory if seconds >= last / 5]
        return (settled[-1] - settled[0]) / MEBIBYTE


@dataclass
class LoadClient:
    """A client that draws what it does.

    Attributes:
        port: The port of the server.
        random: Where it draws from.
        report: What it reports to.
    """

    port: int
    random: random.Random
    report: Report

    def arrays(self) -> tuple[Any, Any]:
        """An argument and its result."""
        rows = self.random.choice([1, 1, 1, 2, 3, 8, 33])
        generator = np.random.default_rng(self.random.getrandbits(32))
        x = generator.standard_normal((rows, 32)).astype(np.float32)
        return x, np.tanh(x.astype(np.float64).sum(1, keepdims=True) / 8).repeat(8, 1)

    def post(self, body: bytes, **headers: str) -> tuple[int, Mapping[str, str], bytes]:
        """The response to a request."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            names = {name.replace("_", "-"): text for name, text in headers.items()}
            connection.request("POST", PATH, body, names)
            response = connection.getresponse()
            return response.status, dict(response.headers), response.read()
        finally:
            connection.close()

    def connect(self) -> socket.socket:
        """A connection, without a request."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=120)

    def check(self, kind: str, status: int, result: Any, expected: Any) -> None:
        """Counts a good request; its result must be right."""
        self.report.count(kind, status, (200, *BUSY))
        if status == 200 and not np.allclose(result, expected, rtol=1e-5, atol=1e-5):
            self.report.findings.append(f"{kind}: a wrong result")

    # ---- good requests

    def json_request(self) -> None:
        """A request in JSON."""
        x, expected = self.arrays()
        status, _, content = self.post(request_of(x))
        result = None
        if status == 200:
            result = np.array(json.loads(content)["outputs"][0]["data"]).reshape(expected.shape)
        self.check("json", status, result, expected)

    def binary_request(self) -> None:
        """A request in bytes."""
        x, expected = self.arrays()
        item = {
            "name": "arg0", "datatype": "FP32", "shape": list(x.shape),
            "parameters": {"binary_data_size": x.nbytes},
        }  # fmt: skip
        head = json.dumps({"inputs": [item], "parameters": {"binary_data_output": True}}).encode()
        status, headers, content = self.post(
            head + x.tobytes(), **{"Inference_Header_Content_Length": str(len(head))}
        )
        result = None
        if status == 200:
            lengths = {name.lower(): text for name, text in headers.items()}
            data = content[int(lengths[LENGTH.lower()]) :]
            result = np.frombuffer(data, np.float32).reshape(expected.shape)
        self.check("binary", status, result, expected)

    def burst(self) -> None:
        """Many requests at once."""
        threads = [
            threading.Thread(target=self.guarded, args=(self.json_request,)) for _ in range(24)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    # ---- faults

    def wrong_request(self) -> None:
        """A request that does not fit."""
        x, _ = self.arrays()
        wrong = self.random.choice([
            request_of(x, datatype="FP64"), request_of(x, shape=[3]), request_of(x, name="y"),
            request_of(x, data=["a"]), b"{", b"\xff\xfe", b"[" * 50_000, b"",
            request_of(x)[:-9],
        ])  # fmt: skip
        status, _, _ = self.post(wrong)
        self.report.count("wrong", status, (400, *BUSY))

    def bomb(self) -> None:
        """A small body that becomes a large one."""
        status, _, _ = self.post(
            gzip.compress(b" " * (BODY_MIB + 1) * MEBIBYTE, 1), Content_Encoding="gzip"
        )
        self.report.count("bomb", status, (413, *BUSY))

    def large_body(self) -> None:
        """A body that is larger than allowed."""
        try:
            status: int | str = self.post(b" " * (BODY_MIB * MEBIBYTE + 1))[0]
        except OSError:
            status = "ended"
        self.report.count("large", status, (413, "ended", *BUSY))

    def cut_off(self) -> None:
        """A body that the client does not send to its end."""
        with self.connect() as client:
            client.sendall(head_of(1000) + b"{" * self.random.randrange(900))
        self.report.count("cut off", "left", ("left",))

    def left_early(self) -> None:
        """A client that does not wait for its results."""
        x, _ = self.arrays()
        body = request_of(x)
        with self.connect() as client:
            client.sendall(head_of(len(body)) + body)
        self.report.count("left early", "left", ("left",))

    def slow_head(self) -> None:
        """A client that sends a head byte by byte, and gives up after a while."""
        with self.connect() as client:
            for byte in head_of(10)[: self.random.randrange(60)]:
                client.send(bytes([byte]))
                time.sleep(0.02)
        self.report.count("slow", "left", ("left",))

    def unread_response(self) -> None:
        """A client that asks for much, reads little, and leaves."""
        x = np.zeros((8000, 32), np.float32)
        body = request_of(x)
        with self.connect() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.sendall(head_of(len(body)) + body)
            client.recv(100)
            time.sleep(self.random.random())
        self.report.count("unread", "left", ("left",))

    def garbage(self) -> None:
        """Bytes that are no HTTP."""
        with self.connect() as client:
            client.sendall(self.random.randbytes(self.random.randrange(1, 5000)) + b"\r\n\r\n")
            client.shutdown(socket.SHUT_WR)
            content = client.recv(1000)
        status = content[9:12].decode("latin-1") or "ended"
        self.report.count("garbage", status, ("400", "ended"))

    def guarded(self, action: Callable[[], None]) -> None:
        """Acts; a connection that the server refuses or ends is counted."""
        try:
            action()
        except (OSError, HTTPException) as error:
            self.report.outcomes[action.__name__, type(error).__name__] += 1

    def run(self, end: float) -> None:
        """Acts until the time is up."""
        actions: Sequence[tuple[Callable[[], None], int]] = [
            (self.json_request, 40), (self.binary_request, 40), (self.burst, 2),
            (self.wrong_request, 10), (self.bomb, 1), (self.large_body, 1), (self.cut_off, 4),
            (self.left_early, 4), (self.slow_head, 1), (self.unread_response, 1),
            (self.garbage, 3),
        ]  # fmt: skip
        functions, weights = zip(*actions, strict=True)
        while time.monotonic() < end:
            self.guarded(self.random.choices(functions, weights)[0])


def request_of(x: Any, **changes: Any) -> bytes:
    """A request in JSON."""
    item = {"name": "arg0", "datatype": "FP32", "shape": list(x.shape), "data": x.ravel().tolist()}
    return json.dumps({"inputs": [{**item, **changes}]}).encode()


def head_of(length: int) -> bytes:
    """The head of a request."""
    return f"POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n".encode()


@contextmanager
def running_server() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server, and its port."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "load.mlir"
        path.write_text(PROGRAM)
        command = [
            sys.executable, "-m", "stablemate", "serve", str(path), "--port=0",
            f"--max-body={BODY_MIB}", "--queue=64",
        ]  # fmt: skip
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert process.stderr is not None
        try:
            port = None
            while port is None:
                line = process.stderr.readline()
                assert line, "the server ended"
                port = re.search(r"http://[\d.]+:(\d+)", line)
            yield process, int(port[1])
        finally:
            process.kill()
            process.wait()
            process.stderr.close()


def metric(port: int, name: str) -> float:
    """A metric of the server."""
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    return next(float(line.split()[-1]) for line in text.splitlines() if line.startswith(name))


def load(seconds: float, clients: int, seed: int) -> Report:
    """Loads a server."""
    report = Report()
    with running_server() as (process, port):
        while not is_ready(port):
            time.sleep(0.1)
        start = time.monotonic()
        threads = [
            threading.Thread(
                target=LoadClient(port, random.Random(f"{seed} {i}"), report).run,
                args=(start + seconds,),
            )
            for i in range(clients)
        ]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            watch(report, port, time.monotonic() - start)
            end = time.monotonic() + min(INTERVAL, seconds / 10)
            while time.monotonic() < end and any(thread.is_alive() for thread in threads):
                time.sleep(0.05)
        watch(report, port, time.monotonic() - start)
        process.send_signal(signal.SIGTERM)
        code = process.wait(60)
        if code != 0:
            report.findings.append(f"the server ended with {code}")
    return report


def is_ready(port: int) -> bool:
    """Whether the server takes requests."""
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", "/v2/health/ready")
    status = connection.getresponse().status
    connection.close()
    return status == 200


def watch(report: Report, port: int, seconds: float) -> None:
    """Notes the memory of the server, if it answers."""
    try:
        size = metric(port, "process_resident_memory_bytes")
    except OSError as error:  # too busy to answer
        report.outcomes["memory", type(error).__name__] += 1
        return
    report.memory.append((seconds, size))
    requests = sum(n for (_, status), n in report.outcomes.items() if status == "200")
    print(
        f"{seconds:6.0f} s: {size / MEBIBYTE:7.1f} MiB, {requests} requests answered, "
        f"{len(report.findings)} findings",
        flush=True,
    )


def main() -> int:
    """Loads a server, and prints the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--growth", type=float, default=32, help="MiB that are no growth")
    options = parser.parse_args()
    report = load(options.seconds, options.clients, options.seed)
    for (kind, outcome), count in sorted(report.outcomes.items()):
        print(f"{kind:16} {outcome:24} {count:8}")
    for finding, count in Counter(report.findings).most_common(20):
        print(f"finding: {finding} ({count} times)")
    growth = report.growth()
    print(f"memory grew by {growth:.1f} MiB after the first fifth of the time")
    return 1 if report.findings or growth > options.growth else 0


if __name__ == "__main__":
    sys.exit(main())
