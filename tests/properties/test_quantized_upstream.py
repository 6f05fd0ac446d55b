"""Quantized operations against the reference interpreter.

Upstream computes in 32-bit floats with merged scales, and dots in integers, which it truncates
and does not clamp. It is asked where that agrees: scales are powers of two, results are in range.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle.client import Oracle
from tests.properties.quantized.draws import (
    POWERS_OF_TWO,
    quantized_types,
    stored_values,
)
from tests.properties.quantized.programs import BINARY, UNARY
from tests.properties.quantized.running import (
    DOT,
    FEW,
    SEEDS,
    SHAPES,
    SMALL,
    Array,
    computed,
    program,
    same,
    siblings,
    tensor,
)

# ---- what the reference interpreter computes

INEXACT: Final = {
    "cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic",
    "rsqrt", "sine", "sqrt", "tan", "tanh", "atan2", "power",
}  # fmt: skip
# It reads `u8` as if it were signed, and 32 bits as signed or, where types agree, without floats.
SOUND_STORAGE: Final = ("i2", "i4", "i8", "i16", "ui2", "ui4", "ui8", "ui16")


def reference(oracle: Oracle, text: str, *arrays: Array) -> Array:
    """What the upstream interpreter gives."""
    (result,) = oracle.reference(text, *arrays)
    return result


@pytest.mark.parametrize("name", [*UNARY, *BINARY])
@settings(max_examples=15, deadline=None)
@given(data=st.data(), shape=SHAPES, seed=SEEDS)
def test_elementwise_upstream(
    name: str, data: st.DataObject, shape: tuple[int, ...], seed: int, oracle: Oracle
) -> None:
    base = data.draw(quantized_types(storage=SOUND_STORAGE, expressed=("f32",)))
    *operands, result = siblings(data.draw, base, 3 if name in BINARY else 2)
    stored = [stored_values(operand, shape, seed + i) for i, operand in enumerate(operands)]
    text = program(name, [tensor(shape, operand) for operand in operands], tensor(shape, result))
    actual = computed(text, *stored).astype(np.int64)
    expected = reference(oracle, text, *stored).astype(np.int64)
    # Functions that are not exact differ in the last bit before the result is rounded.
    tolerance = (1 + np.abs(expected) * 2.0**-22) if name in INEXACT else 0
    assert np.all(np.abs(actual - expected) <= tolerance)


@settings(max_examples=60, deadline=None)
@given(
    data=st.data(),
    shape=SHAPES,
    source=st.sampled_from(["tensor", "axis"]),
    target=st.sampled_from(["tensor", "axis"]),
    seed=SEEDS,
)
def test_requantize_upstream(
    data: st.DataObject, shape: tuple[int, ...], source: str, target: str, seed: int, oracle: Oracle
) -> None:
    last = len(shape) - 1  # upstream broadcasts parameters along the last dimension only
    operand, result = (
        data.draw(
            quantized_types(
                shape,
                granularity=granularity,
                storage=("i4", "i8", "ui8"),
                expressed=("f32",),
                scales=POWERS_OF_TWO,
                axis=last,
            )
        )
        for granularity in (source, target)
    )
    stored = stored_values(operand, shape, seed)
    text = program("uniform_quantize", [tensor(shape, operand)], tensor(shape, result))
    same(computed(text, stored), reference(oracle, text, stored))
    text = program("uniform_dequantize", [tensor(shape, operand)], tensor(shape, "f32"))
    floats = computed(text, stored)
    assert floats.tolist() == reference(oracle, text, stored).tolist()
    text = program("uniform_quantize", [tensor(shape, "f32")], tensor(shape, result))
    same(computed(text, floats), reference(oracle, text, floats))


@FEW
@given(data=st.data(), seed=SEEDS)
def test_dot_general_upstream(data: st.DataObject, seed: int, oracle: Oracle) -> None:
    m, k, n = (data.draw(st.integers(1, 4)) for _ in range(3))
    small = quantized_types(storage=("i8",), expressed=("f32",), scales=SMALL)
    large = quantized_types(storage=("i8",), expressed=("f32",), scales=(1024.0, 2048.0))
    lhs, rhs, result = data.draw(small), data.draw(small), data.draw(large)
    rhs = replace(rhs, zero_points=(0,))  # C15
    result = replace(result, zero_points=(result.zero_points[0] // 2,))
    a, b = stored_values(lhs, (m, k), seed), stored_values(rhs, (k, n), seed + 1)
    operands = [tensor((m, k), lhs), tensor((k, n), rhs)]
    text = program("dot_general", operands, tensor((m, n), result), DOT)
    actual = computed(text, a, b).astype(np.int64)
    assert np.all(np.abs(actual - reference(oracle, text, a, b)) <= 2)  # it truncates two parts


@FEW
@given(data=st.data(), seed=SEEDS, granularity=st.sampled_from(["tensor", "axis"]))
def test_hybrid_dot_general_upstream(
    data: st.DataObject, seed: int, granularity: str, oracle: Oracle
) -> None:
    m, k, n = (data.draw(st.integers(1, 4)) for _ in range(3))
    rhs = data.draw(
        quantized_types(
            (k, n),
            granularity=granularity,
            storage=("i8",),
            expressed=("f32",),
            scales=SMALL,
            axis=1,
        )
    )
    rhs = replace(rhs, zero_points=(0,) * len(rhs.scales))  # C15
    floats = np.random.default_rng(seed).integers(-9, 9, (m, k)).astype(np.float32)
    stored = stored_values(rhs, (k, n), seed)
    operands = [tensor((m, k), "f32"), tensor((k, n), rhs)]
    text = program("dot_general", operands, tensor((m, n), "f32"), DOT)
    assert (
        computed(text, floats, stored).tolist() == reference(oracle, text, floats, stored).tolist()
    )
