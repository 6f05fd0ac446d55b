"""Selections by the status of a factorization are removed, or become part of the routine."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from tests.compiler.lapack_calls import tensor

DTYPES: Final = {
    "s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128,
}  # fmt: skip
NAN: Final = {
    "s": "0x7FC00000", "d": "0x7FF8000000000000", "c": "(0x7FC00000,0x7FC00000)",
    "z": "(0x7FF8000000000000,0x7FF8000000000000)",
}  # fmt: skip
ZERO: Final = {"s": "0.0", "d": "0.0", "c": "(0.0,0.0)", "z": "(0.0,0.0)"}
BATCH: Final = 19
ORDER: Final = 4
FAILED: Final = (3, 7)


def definite(letter: str, shape: tuple[int, ...] = (BATCH,)) -> Any:
    """Positive definite matrices, but for two of them."""
    dtype = DTYPES[letter]
    parts = np.random.default_rng(0).standard_normal((2, *shape, ORDER, ORDER))
    a = parts[0] + (1j * parts[1] if dtype in (np.complex64, np.complex128) else 0)
    a = a @ np.conj(np.swapaxes(a, -1, -2)) + np.eye(ORDER)
    flat = a.reshape(-1, ORDER, ORDER)
    flat[FAILED[0], 2, 2] = -1
    flat[FAILED[1]] = np.nan
    return a.astype(dtype)


def cholesky(
    letter: str, uplo: str = "L", direction: str = "GE", shape: tuple[int, ...] = (BATCH,),
    nan: str = "", second_use: bool = False,
) -> str:  # fmt: skip
    """JAX's program: the factor, NaN if the factorization fails, in one triangle."""
    a, info = tensor((*shape, ORDER, ORDER), DTYPES[letter]), tensor(shape, np.int32)
    flat, mask = tensor((ORDER, ORDER), np.int32), f"tensor<{ORDER}x{ORDER}xi1>"
    size = "x".join(map(str, shape))
    few, many, masks = (f"tensor<{size}{rest}xi1>" for rest in ("", "x1x1", f"x{ORDER}x{ORDER}"))
    dimensions = ", ".join(map(str, range(len(shape))))
    every = ", ".join(map(str, range(len(shape) + 2)))
    element = a.rsplit("x", 1)[1] if letter in "sd" else a[a.index("complex") :]
    one = f"tensor<{element}"
    result = "%r#0" if second_use else "%masked"
    return f"""func.func @main(%a: {a}) -> ({a}, {info}, {a}) {{
      %r:2 = stablehlo.custom_call @lapack_{letter}potrf_ffi(%a)
        {{api_version = 4 : i32, backend_config = {{uplo = {ord(uplo)} : ui8}}}}
        : ({a}) -> ({a}, {info})
      %c = stablehlo.constant dense<0> : tensor<i32>
      %zeros = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> {info}
      %ok = stablehlo.compare EQ, %r#1, %zeros, SIGNED : ({info}, {info}) -> {few}
      %some = stablehlo.broadcast_in_dim %ok, dims = [{dimensions}] : ({few}) -> {many}
      %nan = stablehlo.constant dense<{nan or NAN[letter]}> : {one}
      %nans = stablehlo.broadcast_in_dim %nan, dims = [] : ({one}) -> {a}
      %all = stablehlo.broadcast_in_dim %some, dims = [{every}] : ({many}) -> {masks}
      %marked = stablehlo.select %all, %r#0, %nans : {masks}, {a}
      %rows = stablehlo.iota dim = 0 : {flat}
      %columns = stablehlo.iota dim = 1 : {flat}
      %triangle = stablehlo.compare {direction}, %rows, %columns, SIGNED
        : ({flat}, {flat}) -> {mask}
      %m = stablehlo.broadcast_in_dim %triangle, dims = [{len(shape)}, {len(shape) + 1}]
        : ({mask}) -> {masks}
      %z = stablehlo.constant dense<{ZERO[letter]}> : {one}
      %zero = stablehlo.broadcast_in_dim %z, dims = [] : ({one}) -> {a}
      %masked = stablehlo.select %m, %marked, %zero : {masks}, {a}
      return %masked, %r#1, {result} : {a}, {info}, {a}
    }}"""


def launches(executable: Any) -> int:
    """How many kernels of the program itself run."""
    plan: str = executable.emit("plan")
    return sum(" launch " in line for line in plan.splitlines())


def assert_same(text: str, a: Any, kernels: int) -> None:
    """Asserts that kernels are left, and that results are the interpreter's but for rounding."""
    executable: Any = sm.compile(sm.load(text))
    assert launches(executable) == kernels
    found = [np.asarray(result) for result in executable(a)]
    expected = [np.asarray(result) for result in sm.run(sm.load(text), a)]
    tolerance = 1e-3 if a.dtype in (np.float32, np.complex64) else 1e-11
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, tolerance, tolerance)


@pytest.mark.parametrize("letter", DTYPES)
@pytest.mark.parametrize(("uplo", "direction"), [("L", "GE"), ("U", "LE")])
def test_cholesky_factors_need_no_selection(letter: str, uplo: str, direction: str) -> None:
    a = definite(letter)
    text = cholesky(letter, uplo, direction)
    assert_same(text, a, 0)
    factors, info, _ = (np.asarray(result) for result in sm.compile(sm.load(text))(a))
    assert sorted(np.flatnonzero(info)) == list(FAILED)
    triangle = (np.tril if uplo == "L" else np.triu)(np.ones((ORDER, ORDER), bool))
    quiet = np.full((), complex(np.nan, np.nan) if letter in "cz" else np.nan, a.dtype).tobytes()
    assert factors[FAILED[0]][triangle].tobytes() == quiet * int(triangle.sum())
    assert set(factors[:, ~triangle].tobytes()) == {0}  # positive zeros


def test_batches_of_two_dimensions() -> None:
    assert_same(cholesky("s", shape=(3, 8)), definite("s", (3, 8)), 0)


@pytest.mark.parametrize("direction", ["LE", "GT"])
def test_another_triangle_is_selected_by_a_kernel(direction: str) -> None:
    a = definite("s")
    a[FAILED[1]] = np.eye(ORDER)  # XLA's and LAPACK's other triangle are what the operand has
    assert_same(cholesky("s", "L", direction), a, 1)


def test_another_value_than_nan_is_selected_by_a_kernel() -> None:
    assert_same(cholesky("s", nan="7.0"), definite("s"), 1)


def test_factors_that_are_used_themselves_stay() -> None:
    text = cholesky("s", second_use=True)
    a = definite("s")
    a[FAILED[1]] = np.eye(ORDER)  # a factor of what is not a number may be any
    assert_same(text, a, 1)


def test_few_matrices_are_left_to_lapack() -> None:
    text = cholesky("s", shape=(2,))
    a = definite("s", (9,))[:2]
    assert_same(text, a, 1)


def test_a_status_that_is_never_negative_selects_nothing() -> None:
    a, info = tensor((BATCH, ORDER, ORDER), np.float32), tensor((BATCH,), np.int32)
    masks, few = f"tensor<{BATCH}x{ORDER}x{ORDER}xi1>", f"tensor<{BATCH}xi1>"

    def text(direction: str) -> str:
        return f"""func.func @main(%a: {a}) -> {a} {{
          %r:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a)
            {{api_version = 4 : i32, backend_config = {{}}}}
            : ({a}) -> ({a}, {tensor((BATCH, ORDER), np.int32)}, {info})
          %c = stablehlo.constant dense<0> : {info}
          %ok = stablehlo.compare {direction}, %r#2, %c, SIGNED : ({info}, {info}) -> {few}
          %all = stablehlo.broadcast_in_dim %ok, dims = [0] : ({few}) -> {masks}
          %nans = stablehlo.constant dense<0x7FC00000> : {a}
          %marked = stablehlo.select %all, %r#0, %nans : {masks}, {a}
          return %marked : {a}
        }}"""

    matrices = definite("s")
    matrices[FAILED[1]] = np.eye(ORDER)
    matrices[2, :, 0] = 0  # a pivot is zero, which is a positive status
    assert_same(text("GE"), matrices, 0)
    assert_same(text("EQ"), matrices, 1)
