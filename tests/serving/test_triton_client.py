"""A public client of the protocol: several threads, both forms of data, compression, errors."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("tritonclient.http")

import tritonclient.http as triton
from tritonclient.utils import InferenceServerException

from tests.serving.servers import ROWS, RunningServer, model_of, running


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running([model_of(ROWS, "rows")]) as result:
        yield result


def infer(client: Any, x: Any, *, binary: bool = True, **options: Any) -> Any:
    """The result for an argument."""
    item = triton.InferInput("arg0", list(x.shape), "FP32")
    item.set_data_from_numpy(x, binary_data=binary)
    output = triton.InferRequestedOutput("y", binary_data=binary)
    return client.infer("rows", [item], outputs=[output], **options).as_numpy("y")


def test_it_reads_what_the_server_says(server: RunningServer) -> None:
    with triton.InferenceServerClient(f"127.0.0.1:{server.port}") as client:
        assert client.is_server_live()
        assert client.is_server_ready()
        assert client.is_model_ready("rows", "1")
        assert not client.is_model_ready("other")
        assert client.get_server_metadata()["extensions"] == ["binary_tensor_data"]
        assert client.get_model_metadata("rows")["inputs"][0]["shape"] == [-1, 3]


@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize("compression", [None, "gzip", "deflate"])
def test_it_gets_results(server: RunningServer, binary: bool, compression: str | None) -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    with triton.InferenceServerClient(f"127.0.0.1:{server.port}") as client:
        options = {
            "request_compression_algorithm": compression,
            "response_compression_algorithm": compression,
        }
        assert np.array_equal(infer(client, x, binary=binary, **options), x + x)


def test_it_shows_errors(server: RunningServer) -> None:
    expected = r"\[400\] the input arg0 has the shape \[-1, 3\], not \[2\]"
    with (
        triton.InferenceServerClient(f"127.0.0.1:{server.port}") as client,
        pytest.raises(InferenceServerException, match=expected),
    ):
        infer(client, np.zeros(2, np.float32))


def test_many_clients_get_the_results_of_single_calls(server: RunningServer) -> None:
    def ask(seed: int) -> bool:
        generator = np.random.default_rng(seed)
        with triton.InferenceServerClient(f"127.0.0.1:{server.port}") as client:
            for _ in range(20):
                rows = int(generator.integers(1, 9))
                x = generator.standard_normal((rows, 3)).astype(np.float32)
                if not np.array_equal(infer(client, x, binary=bool(seed % 2)), x + x):
                    return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(8)))
