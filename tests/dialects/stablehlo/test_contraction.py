"""Products of matrices in every layout and type, and both ways to multiply windows."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm
from stablemate.dialects.stablehlo import contraction
from stablemate.dialects.stablehlo.contraction import (
    matrix_products,
    same_kind,
    sum_dtype,
    to_element,
    window_products,
)
from stablemate.dialects.stablehlo.windows import WindowDimensions
from stablemate.numerics.elements import (
    BF16,
    BOOLEAN,
    COMPLEX64,
    F16,
    F32,
    F64,
    I4,
    I8,
    I32,
    I64,
    UI8,
    ElementType,
)


@pytest.mark.parametrize(
    ("result", "operand", "expected"),
    [
        (BOOLEAN, BOOLEAN, np.float32),
        (I4, I4, np.int32),
        (I8, I8, np.int8),
        (I32, I8, np.int32),
        (BF16, BF16, np.float32),
        (F16, F16, np.float32),
        (F64, F32, np.float64),
        (F32, F64, np.float64),
        (COMPLEX64, COMPLEX64, np.complex64),
    ],
)
def test_sums_are_formed_in(result: ElementType, operand: ElementType, expected: type) -> None:
    assert sum_dtype(result, operand, operand) == expected


def test_layouts_that_blas_cannot_read_give_the_same_product() -> None:
    x = np.arange(24.0, dtype=np.float32).reshape(2, 3, 4)
    y = np.arange(40.0, dtype=np.float32).reshape(2, 4, 5)
    expected = np.einsum("bij,bjk->bik", x, y)
    strided = np.repeat(x, 2, axis=2)[:, :, ::2]
    batch_last = np.moveaxis(np.ascontiguousarray(np.moveaxis(y, 0, 2)), 2, 0)
    for a in (x, strided, x.swapaxes(1, 2).copy().swapaxes(1, 2)):
        for b in (y, batch_last, y[:, ::-1][:, ::-1]):
            assert matrix_products(a, b, np.dtype(np.float32)).tolist() == expected.tolist()
    one = np.broadcast_to(np.float32(2), (2, 4, 5))
    assert (matrix_products(x, one, np.dtype(np.float32)) == 2 * x.sum(-1)[..., None]).all()


@pytest.mark.parametrize("element", [I8, I32, I64, UI8])
def test_integers_wrap_however_they_are_multiplied(element: ElementType) -> None:
    generator = np.random.default_rng(0)
    info = np.iinfo(element.dtype)
    x, y = (generator.integers(info.min, info.max, (5, 5), element.dtype) for _ in "xy")
    products = to_element(matrix_products(x, y, sum_dtype(element)), element)
    exact = [[sum(int(a) * int(b) for a, b in zip(r, c, strict=True)) for c in y.T] for r in x]
    modulus = 1 << 8 * element.dtype.itemsize
    assert all(
        (int(value) - number) % modulus == 0
        for row, numbers in zip(products, exact, strict=True)
        for value, number in zip(row, numbers, strict=True)
    )


@pytest.mark.parametrize("features", [1, 2])
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.float64])
def test_windows_are_multiplied_alike_at_once_and_position_by_position(
    monkeypatch: pytest.MonkeyPatch, features: int, dtype: type
) -> None:
    generator = np.random.default_rng(0)
    x = generator.integers(-99, 99, (2, 7, 6, 3, features)).astype(dtype)
    kernel = generator.integers(-99, 99, (3, 2, features, 3, 2)).astype(dtype)
    windows = WindowDimensions((3, 2), (2, 1), ((0, 0), (0, 0)), (1, 1), (1, 2))
    counts = windows.counts((7, 6))
    sums = np.dtype(np.int32 if dtype is not np.float64 else dtype)
    at_once = window_products(x, kernel, windows, counts, sums)
    assert at_once.shape == (2, *counts, 3, 2)
    view = windows.view(x, counts, 1).astype(sums)
    assert at_once.tolist() == np.einsum("bijklgc,klcgo->bijgo", view, kernel).tolist()
    monkeypatch.setattr(contraction, "GATHERED_ELEMENTS", 0)
    one_by_one = window_products(x, kernel, windows, counts, sums)
    assert one_by_one.tolist() == at_once.tolist()


def test_kinds() -> None:
    assert same_kind(F32, BF16)
    assert same_kind(I8, UI8, I64)
    assert not same_kind(BOOLEAN, I8)
    assert not same_kind(F32, COMPLEX64)


def test_sums_of_products_begin_with_zero() -> None:
    """So none of them is -0 (dot_general: ``reduce`` with 0), in an einsum of no sums either."""
    text = """
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %0 = stablehlo.einsum %x, %y, config = "a,b->ab"
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.dot_general %x, %y, contracting_dims = [] x []
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}"""
    x, y = np.array([-0.0, 1.0], np.float32), np.array([1.0, -0.0], np.float32)
    for result in sm.run(text, x, y, backend="interpreter"):
        assert result.tolist() == [[0, 0], [1, 0]]
        assert not np.signbit(result).any()
