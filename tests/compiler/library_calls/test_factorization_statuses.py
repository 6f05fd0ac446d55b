"""Selections by the status of a factorization are removed, or become part of the routine."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from tests.compiler.cholesky_programs import DTYPES, cholesky_text
from tests.compiler.lapack_calls import tensor

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


def cholesky(letter: str, uplo: str = "L", direction: str = "GE", **options: Any) -> str:
    """A program for definite matrices."""
    shape = options.pop("shape", (BATCH,))
    return cholesky_text(letter, ORDER, shape, uplo, direction, **options)


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
