"""What callers hand in that is unusual: the same result or the same error as the interpreter's."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from tests.compiler.runtime.test_runtime import in_child

SQUARE: Final = """func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.multiply %a, %a : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}"""
VALUES: Final = np.array([[1, 2], [3, 4]], np.float32)
CONVOLUTION: Final = """func.func @main(
    %a: tensor<1x5x1xcomplex<f64>>, %b: tensor<3x1x1xcomplex<f64>>
) -> tensor<1x3x1xcomplex<f64>> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x5x1xcomplex<f64>>, tensor<3x1x1xcomplex<f64>>) -> tensor<1x3x1xcomplex<f64>>
  return %0 : tensor<1x3x1xcomplex<f64>>
}"""


class ArraySubclass(np.ndarray[Any, Any]):
    """Arrays with a multiplication of their own."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Nothing that anybody wants."""
        return NotImplemented


def outcomes(text: str, *arguments: Any) -> list[Any]:
    """The result or the error of each backend."""
    collected: list[Any] = []
    for backend in ("interpreter", "cpu"):
        try:
            collected.append(sm.load(text).run(*arguments, backend=backend))
        except sm.StablemateError as error:
            collected.append(f"{type(error).__name__}: {error}")
    return collected


SAME: Final[Mapping[str, Callable[[Any], Any]]] = {
    "matrix": lambda x: x.view(np.matrix),
    "subclass": lambda x: x.view(ArraySubclass),
    "unmasked": np.ma.array,
    "pickled": lambda x: pickle.loads(pickle.dumps(x)),
    "native order": lambda x: x.astype(x.dtype.newbyteorder("=")),
    "columns": np.asfortranarray,
    "strided": lambda x: np.repeat(x, 2, axis=0)[::2],
    "reversed": lambda x: x[::-1][::-1],
    "lists": lambda x: x.tolist(),
    "buffer": lambda x: memoryview(x),
    "read-only": lambda x: np.frombuffer(x.tobytes(), np.float32).reshape(2, 2),
}


@pytest.mark.parametrize("kind", SAME)
def test_what_holds_the_same_numbers_is_taken(kind: str) -> None:
    for result in outcomes(SQUARE, SAME[kind](VALUES.copy())):
        assert type(result) is np.ndarray
        np.testing.assert_array_equal(result, VALUES * VALUES)


OTHER: Final[Mapping[str, Callable[[Any], Any]]] = {
    "masked": lambda x: np.ma.array(x, mask=[[True, False], [False, False]]),
    "byte order": lambda x: x.astype(">f4"),
    "objects": lambda x: x.astype(object),
    "type": lambda x: x.astype(np.float64),
    "flat": lambda x: x.reshape(4),
    "rank": lambda x: x.reshape(1, 2, 2),
    "rows": lambda x: x[:1],
    "empty": lambda x: x[:0],
    "scalar": lambda x: x[0, 0],
    "none": lambda _: None,
    "text": lambda _: "a",
    "ragged": lambda _: [[1, 2], [3]],
    "texts": lambda _: np.array(["a", "b"]),
    "records": lambda x: np.rec.array(x.astype([("a", "f4")])),
}


@pytest.mark.parametrize("kind", OTHER)
def test_what_holds_something_else_is_refused(kind: str) -> None:
    first, second = outcomes(SQUARE, OTHER[kind](VALUES.copy()))
    assert isinstance(first, str)
    assert first == second


def test_element_types_that_were_pickled_are_those_of_numpy() -> None:
    random = np.random.default_rng(0)
    lhs, rhs = (random.random((n, 1, 1)) + 1j for n in (5, 3))
    plain = (lhs.reshape(1, 5, 1), rhs)
    pickled = pickle.loads(pickle.dumps(plain))
    assert pickled[0].dtype.isbuiltin != 1
    (expected, _), outcomes_result = outcomes(CONVOLUTION, *plain), outcomes(CONVOLUTION, *pickled)
    for item in outcomes_result:
        np.testing.assert_allclose(item, expected, rtol=1e-15)


@pytest.mark.parametrize("shape", ["", "0x", "3x0x", "1x1x1x1x1x1x1x"])
def test_scalars_and_empty_arrays(shape: str) -> None:
    text = SQUARE.replace("2x2x", shape)
    sizes = [int(part) for part in shape.split("x") if part]
    values = np.full(sizes, 3, np.float32)
    for result in outcomes(text, values):
        assert result.shape == values.shape
        np.testing.assert_array_equal(result, values * values)
    if not shape:
        for result in outcomes(text, 3.0):
            assert result == 9


def test_arrays_of_jax_are_taken() -> None:
    numpy = pytest.importorskip("jax.numpy")
    for result in outcomes(SQUARE, numpy.asarray(VALUES)):
        np.testing.assert_array_equal(result, VALUES * VALUES)


def test_arguments_may_be_one_array_and_parts_of_results() -> None:
    text = """func.func @main(%a: tensor<64xi32>, %b: tensor<64xi32>) -> tensor<64xi32> {
      %0 = stablehlo.reverse %a, dims = [0] : tensor<64xi32>
      %1 = stablehlo.add %0, %b : tensor<64xi32>
      return %1 : tensor<64xi32>
    }"""
    executable = sm.compile(sm.load(text), backend="cpu")
    values = np.arange(64, dtype=np.int32)
    for _ in range(5):
        expected = values[::-1] + values
        values = executable(values, values)
        np.testing.assert_array_equal(values, expected)
        part = values[::-1]
        np.testing.assert_array_equal(executable(part, part), part[::-1] + part)
        np.testing.assert_array_equal(values, expected)


def test_two_processes_fill_one_cache(tmp_path: Path) -> None:
    program = f"""
import numpy as np, stablemate as sm
executable = sm.compile(sm.load({SQUARE!r}), backend="cpu")
print(executable(np.full((2, 2), 3, np.float32)).sum())
"""
    environment = {
        **os.environ,
        "STABLEMATE_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": str(Path(sm.__file__).parents[1]),
    }
    command = [sys.executable, "-c", program]
    running = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    assert [process.communicate(timeout=120)[0] for process in running] == ["36.0\n"] * 3
    assert not [path for path in (tmp_path / "cache").iterdir() if path.name.startswith(".")]


def test_an_interrupt_stops_a_long_kernel() -> None:
    done = in_child(
        """
text = '''func.func @main(%a: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.while(%x = %a) : tensor<1024x1024xf32> cond {
    stablehlo.return %true : tensor<i1>
  } do {
    %1 = stablehlo.dot %x, %a : (tensor<1024x1024xf32>, tensor<1024x1024xf32>)
      -> tensor<1024x1024xf32>
    stablehlo.return %1 : tensor<1024x1024xf32>
  }
  return %0 : tensor<1024x1024xf32>
}'''
executable = compiled(text)
try:
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    executable(np.eye(1024, dtype=np.float32))
except KeyboardInterrupt:
    print("stopped")
other = compiled(text.replace("dense<true>", "dense<false>"))
values = np.random.default_rng(0).random((1024, 1024), np.float32)
assert np.array_equal(other(values), values)
assert np.array_equal(compiled(LARGE)(*operands()), expected(*operands()))
"""
    )
    assert (done.returncode, done.stdout) == (0, "stopped\n"), done.stderr
