"""Many updates of a small tensor: piece by piece, in memory of their own."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.api.executables import function_operations
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.plan import LaunchStep
from tests.compiler.plans import compilation, emitted
from tests.machines import ARM, MACHINES

COUNT = 1 << 16
BINS = 300


def program(element: str, operation: str, shape: str = f"{COUNT}", bins: int = BINS) -> str:
    """A scatter of single updates."""
    x, i, u = f"tensor<{bins}x{element}>", f"tensor<{shape}x1xi32>", f"tensor<{shape}x{element}>"
    vector = shape.count("x") + 1
    return f"""func.func @main(%x: {x}, %i: {i}, %u: {u}) -> {x} {{
  %0 = "stablehlo.scatter"(%x, %i, %u) <{{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = {vector}>
  }}> ({{
    ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
      %1 = stablehlo.{operation} %a, %b : tensor<{element}>
      stablehlo.return %1 : tensor<{element}>
  }}) : ({x}, {i}, {u}) -> {x}
  return %0 : {x}
}}"""


def compiled(text: str, **options: Any) -> CompiledExecutable:
    """The compiled program."""
    executable: Any = sm.compile(sm.load(text), backend="cpu", **options)
    assert isinstance(executable, CompiledExecutable)
    return executable


def kernels(executable: CompiledExecutable) -> list[str]:
    """The names of what is launched."""
    return [step.kernel.name for step in executable.plan.steps if isinstance(step, LaunchStep)]


# What NumPy makes one update after the other.
NUMPY: dict[str, Any] = {
    "add": np.add,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "xor": np.bitwise_xor,
    "multiply": np.multiply,
}


# No xor of floats, and no products, which overflow.
COMBINED: Final = [
    (operation, element)
    for operation in NUMPY
    for element in ("i32", "ui8", "f32")
    if element != "f32" or operation not in ("xor", "multiply")
]


@pytest.mark.parametrize(("operation", "element"), COMBINED)
@pytest.mark.parametrize("shape", [(COUNT,), (512, 128)])
def test_updates_by_pieces(operation: str, element: str, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(5)
    dtype = {"i32": np.int32, "ui8": np.uint8, "f32": np.float32}[element]
    x = rng.integers(0, 100, BINS).astype(dtype)
    i = rng.integers(-5, BINS + 5, (*shape, 1)).astype(np.int32)  # some fall outside
    u = rng.integers(0, 9, shape).astype(dtype)  # sums are exact
    executable = compiled(program(element, operation, "x".join(map(str, shape))))
    assert "k1_pieces" in kernels(executable)
    expected = x.copy()
    inside = (i[..., 0] >= 0) & (i[..., 0] < BINS)
    NUMPY[operation].at(expected, i[..., 0][inside], u[inside])
    np.testing.assert_array_equal(np.asarray(executable(x, i, u)), expected)


def test_sums_are_the_same_for_any_number_of_threads() -> None:
    rng = np.random.default_rng(6)
    x = rng.standard_normal(BINS).astype(np.float32)
    i = rng.integers(0, BINS, (COUNT, 1)).astype(np.int32)
    u = rng.standard_normal(COUNT).astype(np.float32)
    one, two = (
        np.asarray(compiled(program("f32", "add"), threads=threads)(x, i, u)) for threads in (1, 2)
    )
    np.testing.assert_array_equal(one, two)
    wide = x.astype(np.float64)
    np.add.at(wide, i[:, 0], u.astype(np.float64))
    # Sums of about COUNT / BINS numbers of size 1 in f32.
    np.testing.assert_allclose(one, wide, rtol=0, atol=COUNT / BINS * 2.0**-22)


def test_an_element_without_updates_keeps_its_bits() -> None:
    x = np.full(BINS, -0.0, np.float32)
    zeros = np.zeros((COUNT, 1), np.int32)
    result = np.asarray(compiled(program("f32", "add"))(x, zeros, np.ones(COUNT, np.float32)))
    assert result[0] == COUNT
    np.testing.assert_array_equal(result[1:].view(np.uint32), x[1:].view(np.uint32))


@pytest.mark.parametrize(
    ("shape", "bins"),
    [("4096", 10), (f"{COUNT}", COUNT), ("65537", BINS)],
    ids=["few", "wide", "prime"],
)
def test_other_updates_stay_together(shape: str, bins: int) -> None:
    assert "k1_pieces" not in kernels(compiled(program("f32", "add", shape, bins)))


def test_rows_are_updated_in_vectors_of_half_a_cache_line() -> None:
    """Rows begin anywhere, so that longer vectors cross cache lines."""
    text = """
func.func @main(%x: tensor<9x64xf32>, %i: tensor<5x1xi32>, %u: tensor<5x64xf32>)
    -> tensor<9x64xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) : (tensor<9x64xf32>, tensor<5x1xi32>, tensor<5x64xf32>) -> tensor<9x64xf32>
  return %0 : tensor<9x64xf32>
}"""
    functions = {f.symbol: f for f in function_operations(sm.load(text).ir)}
    code = compilation(functions, "main", MACHINES["avx512"]).kernel_functions.functions.values()
    (update,) = [kernel for kernel in code if "fadd" in kernel]
    assert "fadd <8 x float>" in update


def test_single_maxima_do_not_jump_on_x86() -> None:
    """LLVM's intrinsic of a single number does where a sign is set."""
    text, single = program("f32", "maximum"), "call float @llvm.maximum.f32"
    assert single not in emitted(text, MACHINES["avx2"], "llvm")
    assert single in emitted(text, ARM, "llvm")
