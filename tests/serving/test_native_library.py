"""Native libraries that are served: what ``build`` made, with and without an open batch."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

import stablemate as sm
from stablemate.cli import main
from stablemate.serving.served_library import served_library
from tests.deployment.native_libraries import digit_classifier, needs_cc
from tests.serving.servers import RunningServer, inputs, running, tensor

pytestmark = [needs_cc, pytest.mark.standard]
ADD = """func.func @main(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two libraries."""
    place = tmp_path_factory.mktemp("libraries")
    sm.build(ADD, place, name="sum", batch=4)
    sm.build(digit_classifier()[0], place, name="digits")
    return place


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[RunningServer]:
    models = [served_library(folder / f"lib{name}.so", name, 1) for name in ("sum", "digits")]
    with running(models) as result:
        yield result


def rows(count: int, value: float, number: int) -> dict[str, object]:
    """An input of so many rows."""
    return {
        "name": f"arg{number}", "datatype": "FP32", "shape": [count, 3],
        "data": [value] * (3 * count),
    }  # fmt: skip


def test_a_library_describes_itself(server: RunningServer) -> None:
    found = server.get("/v2/models/sum").json
    assert found["platform"] == "stablemate_native"
    assert [item["shape"] for item in found["inputs"]] == [[-1, 3], [-1, 3]]
    assert found["outputs"] == [{"name": "result0", "datatype": "FP32", "shape": [-1, 3]}]


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_each_batch_is_answered(server: RunningServer, count: int) -> None:
    reply = server.infer("sum", inputs(rows(count, 1.5, 0), rows(count, 2.0, 1)))
    (result,) = reply.json["outputs"]
    assert (result["shape"], result["data"]) == ([count, 3], [3.5] * (3 * count))


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ((5, 5), "the input arg0 has the shape [-1, 3], not [5, 3]"),
        ((0, 0), "the batch is 0, but may be 1 to 4"),
        ((2, 3), "open sizes are one batch, but are 2, 3"),
    ],
)
def test_another_batch_is_refused(
    server: RunningServer, counts: tuple[int, int], message: str
) -> None:
    reply = server.infer("sum", inputs(rows(counts[0], 1, 0), rows(counts[1], 1, 1)))
    assert (reply.status, reply.json["error"]) == (400, message)


def test_a_library_with_weights_gives_the_results_of_its_program(server: RunningServer) -> None:
    module, (digit,) = digit_classifier()
    reply = server.infer("digits", inputs(tensor(digit.tolist(), kind="FP32")))
    expected = sm.compile(module)(digit)
    found = np.array(reply.json["outputs"][0]["data"], np.float32).reshape(expected.shape)
    assert found.tobytes() == expected.tobytes()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sum.so", "is not named as `stablemate build` names it: libNAME.so"),
        ("libother.so", "was not made by `stablemate build`: it has no other_error"),
        ("libtext.so", "no library that this system loads"),
        ("libnone.so", "no such file"),
        ("libdigits.so", "cannot read the weights"),
    ],
)
def test_files_that_are_no_libraries_of_build(
    name: str, message: str, folder: Path, tmp_path: Path
) -> None:
    shutil.copy(folder / "libsum.so", tmp_path / "sum.so")
    shutil.copy(folder / "libsum.so", tmp_path / "libother.so")
    shutil.copy(folder / "libdigits.so", tmp_path)
    (tmp_path / "libtext.so").write_text("text")
    done = CliRunner().invoke(main, ["serve", str(tmp_path / name), "--port=0"])
    assert done.exit_code == 2, done.output
    assert message in done.stderr.lower() or message in done.stderr


def test_a_folder_serves_no_libraries(folder: Path) -> None:
    """Their code would run in the server: they are named."""
    done = CliRunner().invoke(main, ["serve", str(folder), "--port=0"])
    assert done.exit_code == 2
    assert "has no programs" in done.stderr
