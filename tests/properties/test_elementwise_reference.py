"""Elementwise operations against the upstream reference interpreter: values of every kind and type.

Left out is what upstream does not define or has wrong: division by integer zero, and formats that
lack infinities.
"""

from __future__ import annotations

from itertools import product
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pytest

import stablemate as sm
from stablemate.numerics.elements import COMPLEX64, COMPLEX128, SIMPLE_ELEMENTS, ElementType
from tests.oracle.client import Oracle

Array = npt.NDArray[Any]

INTEGERS: Final = (
    "i2",
    "i4",
    "i8",
    "i16",
    "i32",
    "i64",
    "ui2",
    "ui4",
    "ui8",
    "ui16",
    "ui32",
    "ui64",
)
FLOATS: Final = ("f8E3M4", "f8E4M3", "f8E5M2", "bf16", "f16", "f32", "f64")
BITWISE: Final = ("and", "or", "xor")
INTEGER_OPS: Final = (
    *BITWISE, "add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "power",
    "shift_left", "shift_right_arithmetic", "shift_right_logical",
    "not", "negate", "popcnt", "count_leading_zeros",
)  # fmt: skip
EXACT_OPS: Final = (
    "add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum",
    "abs", "negate", "sign", "sqrt",
)  # fmt: skip
ROUNDING_OPS: Final = ("ceil", "floor", "round_nearest_afz", "round_nearest_even")
TRANSCENDENTAL_OPS: Final = (
    "cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one", "rsqrt",
    "sine", "tan", "tanh", "atan2", "power",
)  # fmt: skip
BINARY: Final = {
    "add", "and", "atan2", "divide", "maximum", "minimum", "multiply", "or", "power", "remainder",
    "shift_left", "shift_right_arithmetic", "shift_right_logical", "subtract", "xor",
}  # fmt: skip
SPECIAL: Final = (
    0.0,
    -0.0,
    0.5,
    -0.5,
    1.0,
    -1.0,
    1.5,
    -2.5,
    3.0,
    1e-3,
    100.0,
    np.inf,
    -np.inf,
    np.nan,
)


def element_of(name: str) -> ElementType:
    """The element type of a name."""
    return {"complex<f32>": COMPLEX64, "complex<f64>": COMPLEX128}.get(name) or SIMPLE_ELEMENTS[
        name
    ]


def integers(name: str) -> Array:
    """All integers of a narrow type, else those near its ends, powers of two and zero."""
    element: Any = element_of(name)
    if element.width <= 4:
        values = list(range(element.minimum, element.maximum + 1))
    else:
        near = {0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 100}
        near |= {-value for value in near} | {element.minimum, element.maximum, element.maximum - 1}
        values = sorted(value for value in near if element.minimum <= value <= element.maximum)
    wide = np.array(values, np.int8 if element.width < 8 else element.dtype)
    return (
        wide.astype(np.uint8).astype(element.dtype)
        if name.startswith("ui")
        else wide.astype(element.dtype)
    )


def floats(name: str) -> Array:
    """Special numbers and random ones of all magnitudes."""
    rng = np.random.default_rng(0)
    values = np.concatenate([SPECIAL, rng.normal(size=40) * 10.0 ** rng.integers(-4, 5, 40)])
    with np.errstate(over="ignore"):
        return values.astype(np.float32).astype(element_of(name).dtype)


def both(oracle: Oracle, op: str, name: str, values: Array) -> tuple[Array, Array]:
    """The results of our interpreter and of the reference, for all (pairs of) values."""
    operands = [values]
    if op in BINARY:
        operands = [np.repeat(values, len(values)), np.tile(values, len(values))]
    if op in ("divide", "remainder") and name in INTEGERS:
        is_zero = operands[1].astype(np.int64) == 0
        operands = [operand[~is_zero] for operand in operands]
    tensor = f"tensor<{len(operands[0])}x{name}>"
    names = [f"%a{i}" for i in range(len(operands))]
    source = (
        f"func.func @main({', '.join(f'{name}: {tensor}' for name in names)}) -> {tensor} {{\n"
        f"  %0 = stablehlo.{op} {', '.join(names)} : {tensor}\n  return %0 : {tensor}\n}}"
    )
    return np.asarray(sm.load(source).run(*operands, backend="interpreter")), oracle.reference(
        source, *operands
    )[0]


def ordered_bits(values: Array) -> Array:
    """Integers in the order of floats; one for all NaNs."""
    bits = values.view(f"i{values.dtype.itemsize}")
    places = np.where(bits < 0, bits ^ np.iinfo(bits.dtype).max, bits).astype(object)
    places[np.isnan(values)] = 1 << 80
    return places


@pytest.mark.parametrize(("op", "name"), [*product(INTEGER_OPS, INTEGERS)])
def test_integers(oracle: Oracle, op: str, name: str) -> None:
    ours, reference = both(oracle, op, name, integers(name))
    assert ours.astype(np.int64).tolist() == reference.astype(np.int64).tolist()


@pytest.mark.parametrize(("op", "name"), [*product(EXACT_OPS, FLOATS)])
def test_floats_exactly(oracle: Oracle, op: str, name: str) -> None:
    ours, reference = both(oracle, op, name, floats(name))
    assert ordered_bits(ours).tolist() == ordered_bits(reference).tolist()


# Upstream rounds no number of f8E3M4 to an integer.
@pytest.mark.parametrize(("op", "name"), [*product(ROUNDING_OPS, FLOATS[1:])])
def test_roundings_exactly(oracle: Oracle, op: str, name: str) -> None:
    ours, reference = both(oracle, op, name, floats(name))
    assert ordered_bits(ours).tolist() == ordered_bits(reference).tolist()


@pytest.mark.parametrize(("op", "name"), [*product(TRANSCENDENTAL_OPS, FLOATS)])
def test_transcendental_functions_within_2_ulp(oracle: Oracle, op: str, name: str) -> None:
    ours, reference = both(oracle, op, name, floats(name))
    allowed = 2 if name == "f64" else 0  # the reference computes in f64 with other functions
    distance = np.abs(ordered_bits(ours) - ordered_bits(reference))
    assert max(distance.tolist()) <= allowed
