"""Quantized elements: the formulas of the specification, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from stablemate.numerics.elements import F32, I4, I8, I32, UI8, FloatType, QuantizedType
from stablemate.numerics.quantization import baseline, dequantize, quantize

PER_TENSOR = QuantizedType(I8, F32, (0.5,), (3,), -128, 127)
PER_AXIS = QuantizedType(I8, F32, (0.1, 0.5), (-30, -20), -128, 127, 0)
BLOCKS = QuantizedType(
    I8, F32, (0.5, 0.25), (0, 1), -128, 127, blocks=((0, 1), (1, 2)), block_shape=(1, 2)
)


def test_the_difference_to_the_zero_point_does_not_wrap() -> None:
    element = QuantizedType(I8, F32, (1.0,), (127,), -128, 127)
    assert dequantize(np.array([-128], np.int8), element).tolist() == [-255.0]


def test_slices_have_their_own_parameters() -> None:
    stored = np.array([10, 10], np.int8)
    assert dequantize(stored, PER_AXIS).tolist() == [4.0, 15.0]
    assert quantize(np.array([4, 15], np.float32), PER_AXIS).tolist() == [10, 10]


def test_blocks_have_their_own_parameters() -> None:
    stored = np.array([[2, 4, 2, 5]], np.int8)
    assert dequantize(stored, BLOCKS).tolist() == [[1.0, 2.0, 0.25, 1.0]]
    assert quantize(np.array([[1.0, 2.0, 0.25, 1.0]], np.float32), BLOCKS).tolist() == [
        [2, 4, 2, 5]
    ]


def test_ties_go_to_the_even_value_after_the_zero_point() -> None:
    values = np.array([0.25, 0.75, -0.25], np.float32)  # 3.5, 4.5 and 2.5 before rounding
    assert quantize(values, PER_TENSOR).tolist() == [4, 4, 2]


@pytest.mark.parametrize(
    ("element", "low", "high"),
    [
        (QuantizedType(UI8, F32, (1.0,), (128,), 0, 255), 0, 255),
        (QuantizedType(I4, F32, (1.0,), (0,), -8, 7), -8, 7),
        (QuantizedType(I8, F32, (1.0,), (0,), -10, 20), -10, 20),
        (
            QuantizedType(I32, F32, (1.0,), (0,), -(1 << 31), (1 << 31) - 1),
            -(1 << 31),
            (1 << 31) - 1,
        ),
    ],
)
def test_stored_values_stay_in_their_range(element: QuantizedType, low: int, high: int) -> None:
    stored = quantize(np.array([-np.inf, np.inf, -1e20, 1e20], np.float32), element)
    assert stored.dtype == element.dtype
    assert [int(value) for value in stored] == [low, high, low, high]


def test_every_step_is_rounded_to_the_expressed_type() -> None:
    element = QuantizedType(I32, FloatType("bf16"), (3.0,), (0,), -(1 << 31), (1 << 31) - 1)
    assert float(dequantize(np.int32(257), element)) == 768.0  # 257 rounds to 256


def test_the_baseline_forgets_scales_and_zero_points() -> None:
    other = QuantizedType(I8, F32, (0.25,), (0,), -128, 127)
    assert baseline(PER_TENSOR) == baseline(other)
    assert baseline(PER_AXIS) != baseline(other)
    assert baseline(F32) == F32
