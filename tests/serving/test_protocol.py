"""What the server says about itself, and requests with their results and errors."""

import gzip
import json
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from tests.serving.servers import (
    FIXED,
    ROWS,
    SUMS,
    RunningServer,
    inputs,
    model_of,
    running,
    tensor,
)
from tools.serve_load import is_ready, metric, running_server

X = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    models = [model_of(ROWS, "rows"), model_of(FIXED, "fixed"), model_of(SUMS, "sums")]
    with running(models) as result:
        yield result


def test_the_server_and_its_models_describe_themselves(server: RunningServer) -> None:
    assert server.get("/v2").json == {
        "name": "stablemate", "version": "0.1.0", "extensions": ["binary_tensor_data"],
    }  # fmt: skip
    assert server.get("/v2/health/live").json == {"live": True}
    assert server.get("/v2/health/ready").json == {"ready": True}
    expected = {
        "name": "rows",
        "versions": ["1"],
        "platform": "stablemate_mlir",
        "inputs": [{"name": "arg0", "datatype": "FP32", "shape": [-1, 3]}],
        "outputs": [{"name": "y", "datatype": "FP32", "shape": [-1, 3]}],
    }
    for path in ("/v2/models/rows", "/v2/models/rows/versions/1"):
        assert server.get(path).json == expected
        assert server.get(f"{path}/ready").json == {"ready": True}
    assert server.get("/v2/models/fixed").json["inputs"] == [
        {"name": "arg0", "datatype": "INT32", "shape": [-1, 2]},
        {"name": "arg1", "datatype": "INT32", "shape": [-1, 2]},
    ]
    assert server.get("/v2/models/sums").json["outputs"] == [
        {"name": "result0", "datatype": "FP64", "shape": [2]}
    ]


def test_elements_are_numbers_of_json(server: RunningServer) -> None:
    flat = {**tensor(X), "data": [1, 2, 3, 4, 5, 6]}
    for item in (tensor(X), flat):
        reply = server.infer("rows", inputs(item, id="a"))
        assert (reply.status, reply.headers["content-type"]) == (200, "application/json")
        assert reply.json == {
            "model_name": "rows",
            "model_version": "1",
            "outputs": [
                {"name": "y", "datatype": "FP32", "shape": [2, 3], "data": [2, 4, 6, 8, 10, 12]}
            ],
            "id": "a",
        }


def binary_request(array: Any, **rest: Any) -> tuple[bytes, str]:
    """A request with binary data, and the length of its JSON."""
    item = {
        "name": "arg0", "datatype": "FP32", "shape": list(array.shape),
        "parameters": {"binary_data_size": array.nbytes},
    }  # fmt: skip
    head = json.dumps(inputs(item, **rest)).encode()
    return head + array.tobytes(), str(len(head))


@pytest.mark.parametrize("all_outputs", [False, True])
def test_elements_are_bytes_behind_the_json(server: RunningServer, all_outputs: bool) -> None:
    x = np.array(X, np.float32)
    asked: dict[str, Any] = {"parameters": {"binary_data_output": True}}
    if not all_outputs:
        asked = {"outputs": [{"name": "y", "parameters": {"binary_data": True}}]}
    body, length = binary_request(x, **asked)
    reply = server.infer("rows", body, Inference_Header_Content_Length=length)
    assert (reply.status, reply.headers["content-type"]) == (200, "application/octet-stream")
    end = int(reply.headers["inference-header-content-length"])
    assert json.loads(reply.content[:end])["outputs"] == [
        {
            "name": "y", "datatype": "FP32", "shape": [2, 3],
            "parameters": {"binary_data_size": 24},
        }
    ]  # fmt: skip
    assert np.array_equal(np.frombuffer(reply.content[end:], np.float32).reshape(2, 3), x + x)


def test_bodies_may_be_compressed(server: RunningServer) -> None:
    body = json.dumps(inputs(tensor(X))).encode()
    for encoding, content in (("gzip", gzip.compress(body)), ("deflate", zlib.compress(body))):
        assert server.infer("rows", content, Content_Encoding=encoding).status == 200


def test_a_program_of_fixed_rows_takes_fewer(server: RunningServer) -> None:
    x, y = [[5, 6]], [[1, 2]]
    for rows in (1, 3, 4):
        pair = tensor(x * rows, kind="INT32"), tensor(y * rows, "arg1", "INT32")
        (output,) = server.infer("fixed", inputs(*pair)).json["outputs"]
        assert (output["shape"], output["data"]) == ([rows, 2], [4, 4] * rows)
    pair = tensor(x * 5, kind="INT32"), tensor(y * 5, "arg1", "INT32")
    assert server.infer("fixed", inputs(*pair)).json == {
        "error": "the input arg0 has the shape [-1, 2] with at most 4 rows, not [5, 2]"
    }


def test_a_program_that_joins_rows_runs_as_it_is(server: RunningServer) -> None:
    (output,) = server.infer("sums", inputs(tensor([[1, 2], [3, 4]], kind="FP64"))).json["outputs"]
    assert output["data"] == [4.0, 6.0]


GOOD = tensor(X)
ERRORS: dict[str, tuple[Any, str]] = {
    "no JSON": (b"x", "the body is no JSON: Expecting value: line 1 column 1 (char 0)"),
    "no UTF-8": (
        b'"\xff"',
        "the body is no JSON: 'utf-8' codec can't decode byte 0xff in position 1: invalid start "
        "byte",
    ),
    "deep": (b"[" * 100_000, "the JSON is too deeply nested"),
    "no object": (b"[]", "the body is no object of JSON"),
    "no inputs": ({}, '"inputs" is a list of objects'),
    "inputs of numbers": ({"inputs": [1]}, '"inputs" is a list of objects'),
    "id": (inputs(GOOD, id=3), '"id" is a string'),
    "parameters": (inputs(GOOD, parameters=3), '"parameters" of the request is no object'),
    "no name": (inputs({**GOOD, "name": 4}), "an input has no name"),
    "other name": (
        inputs({**GOOD, "name": "arg1"}), "rows has no input 'arg1'; did you mean 'arg0'?"
    ),
    "strange name": (inputs({**GOOD, "name": "z"}), "rows has no input 'z'; there are: arg0"),
    "none": (inputs(), "rows needs the input arg0"),
    "twice": (inputs(GOOD, GOOD), "the input arg0 is given twice"),
    "type": (
        inputs({**GOOD, "datatype": "INT8"}), "the input arg0 has elements of FP32, not INT8"
    ),
    "rank": (
        inputs({**GOOD, "shape": [6]}), "the input arg0 has the shape [-1, 3], not [6]"
    ),
    "negative size": (
        inputs({**GOOD, "shape": [-2, 3]}), '"shape" of the input arg0 is a list of sizes'
    ),
    "boolean size": (
        inputs({**GOOD, "shape": [True, 3]}), '"shape" of the input arg0 is a list of sizes'
    ),
    "too few": (
        inputs({**GOOD, "data": [1, 2]}),
        "the input arg0 has a list of 2, but the shape [2, 3] has 6 elements",
    ),
    "ragged": (
        inputs({**GOOD, "data": [[1, 2, 3], [4]]}),
        "the input arg0 has lists that are not nested as the shape [2, 3] is",
    ),
    "strings": (
        inputs({**GOOD, "data": ["1"] * 6}),
        "the input arg0 has elements that are strings; expected integers or numbers",
    ),
    "booleans": (
        inputs({**GOOD, "data": [True] * 6}),
        "the input arg0 has elements that are booleans; expected integers or numbers",
    ),
    "null": (
        inputs({**GOOD, "data": None}), "the input arg0 has data that are null, not a list"
    ),
    "large": (
        inputs({**GOOD, "data": [10**400] * 6}),
        "the input arg0 has a number that float32 cannot hold",
    ),
    "huge shape": (
        inputs({**GOOD, "shape": [10**15, 3]}),
        "the input arg0 has a list of 2, but the shape [1000000000000000, 3] has "
        "3000000000000000 elements",
    ),
    "binary size": (
        inputs({**GOOD, "parameters": {"binary_data_size": "x"}}),
        '"binary_data_size" of the input arg0 is a number of bytes',
    ),
    "shared memory": (
        inputs({**GOOD, "parameters": {"shared_memory_region": "x"}}),
        'the parameter "shared_memory_region" of the input arg0 is not supported',
    ),
    "both": (
        inputs({**GOOD, "parameters": {"binary_data_size": 0}}),
        'the input arg0 has "data" and binary data',
    ),
    "output": (
        inputs(GOOD, outputs=[{"name": "x"}]), "rows has no output 'x'; there are: y"
    ),
    "classification": (
        inputs(GOOD, outputs=[{"name": "y", "parameters": {"classification": 3}}]),
        'the parameter "classification" of the output y is not supported',
    ),
    "timeout": (
        inputs(GOOD, parameters={"timeout": "x"}),
        'the parameter "timeout" is a number of microseconds',
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ERRORS)
def test_what_is_wrong_with_a_request_is_said(server: RunningServer, case: str) -> None:
    message, expected = ERRORS[case]
    reply = server.infer("rows", message)
    assert (reply.status, reply.json) == (400, {"error": expected})
    assert reply.headers["content-type"] == "application/json"


def test_binary_data_that_do_not_fit_are_rejected(server: RunningServer) -> None:
    body, length = binary_request(np.array(X, np.float32))
    cases = {
        "x": "Inference-Header-Content-Length is a number of bytes",
        "9999": f"Inference-Header-Content-Length is 9999, but the body has {len(body)} bytes",
    }
    for value, expected in cases.items():
        reply = server.infer("rows", body, Inference_Header_Content_Length=value)
        assert (reply.status, reply.json) == (400, {"error": expected})
    reply = server.infer("rows", body[:-4], Inference_Header_Content_Length=length)
    assert reply.json["error"] == (
        "the input arg0 has 20 bytes of binary data, but [2, 3] elements of 4 bytes are 24 bytes"
    )
    reply = server.infer("rows", body + b"1234", Inference_Header_Content_Length=length)
    assert reply.json["error"] == ("the body has 28 bytes of binary data, but the inputs name 24")


def test_damaged_and_unknown_encodings_are_rejected(server: RunningServer) -> None:
    cut = gzip.compress(json.dumps(inputs(tensor(X))).encode())[:-12]
    cases = {
        "gzip": (b"xyz", 400, "the body is no gzip: Error -3 while decompressing data: "
                 "incorrect header check"),
        "GZIP": (cut, 400, "the body is no gzip: it ends early"),
        "br": (b"x", 415, "the encoding 'br' is not supported; gzip and deflate are"),
    }  # fmt: skip
    for encoding, (body, status, message) in cases.items():
        reply = server.infer("rows", body, Content_Encoding=encoding)
        assert (reply.status, reply.json) == (status, {"error": message})


@pytest.mark.parametrize(
    ("method", "path", "status", "message"),
    [
        ("GET", "/", 404, "there is no path /"),
        ("GET", "/v2/models/x", 404, "no model is called 'x'; there are: rows, fixed, sums"),
        ("GET", "/v2/models/rows/versions/2", 404, "rows has the version 1, not '2'"),
        ("POST", "/v2/models/x/infer", 404, "no model is called 'x'; there are: rows, fixed, sums"),
        ("GET", "/v2/models/rows/infer", 405, "/v2/models/rows/infer does not take GET"),
        (
            "GET",
            "/v2/models/..%2f..%2fetc%2fpasswd",
            404,
            "there is no path /v2/models/../../etc/passwd",
        ),
    ],
)
def test_other_paths_are_refused(
    server: RunningServer, method: str, path: str, status: int, message: str
) -> None:
    reply = server.request(method, path, b"" if method == "POST" else None)
    assert (reply.status, reply.json) == (status, {"error": message})


def test_metrics_count_requests(server: RunningServer) -> None:
    def value(name: str) -> float:
        lines = server.get("/metrics").content.decode().splitlines()
        return float(next((x.split()[-1] for x in lines if x.startswith(name)), 0))

    names = [f'stablemate_requests_total{{model="sums",status="{n}"}}' for n in (200, 400)]
    before = [value(name) for name in names]
    server.infer("sums", inputs(tensor([[1, 2], [3, 4]], kind="FP64")))
    server.infer("sums", b"")
    assert [value(name) for name in names] == [n + 1 for n in before]
    assert value("process_resident_memory_bytes") > 1 << 20
    assert value('stablemate_run_seconds_count{model="sums"}') >= 1
    assert value("stablemate_connections ") >= 1


@pytest.mark.standard
def test_connections_that_ended_are_collected() -> None:
    """Each is a cycle, and the command line makes the collector of its process wait for long."""
    name = 'python_gc_collections_total{generation="0"}'
    with running_server() as (_, port):
        before = metric(port, name)
        for _ in range(3000):
            is_ready(port)
        assert metric(port, name) > before
