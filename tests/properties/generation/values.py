"""Arrays to run programs on: easy, hard and hostile values of every element type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import ml_dtypes
import numpy as np

from stablemate.ir.types import TensorType
from stablemate.numerics.elements import (
    Array,
    ComplexType,
    ElementType,
    FloatType,
    IntegerType,
    QuantizedType,
)
from tests.properties.generation.choices import Choices

# Styles of arrays, from simple to hostile, and how often they are chosen.
STYLES: Final = (
    ("small", 20),
    ("constant", 10),
    ("moderate", 10),
    ("halves", 10),
    ("spread", 15),
    ("special", 20),
    ("bits", 10),
    ("edges", 5),
)
BOOLEAN_SHARES: Final = {"constant": 1.1, "moderate": 0.9, "halves": 0.1}  # of true
HARD_SHARE: Final = 0.3  # of the elements in styles that mix
SMALL_RANGE: Final = 100.0  # formats that end below have smaller small numbers


def array_of(choices: Choices, tensor: TensorType, kind: str = "any") -> Array:
    """An array of a static type.

    Args:
        choices: What decides.
        tensor: Its type.
        kind: ``any`` values; ``moderate`` ones, neither huge nor tiny nor special; ``small``
            integers, whose sums and products are exact.
    """
    if tensor.size == 0:
        return np.zeros(tensor.shape, tensor.element_type.dtype)
    style = choices.weighted(STYLES) if kind == "any" else kind
    rng = choices.generator()
    return elements(rng, tensor.element_type, tensor.size, style).reshape(tensor.shape)


def elements(rng: np.random.Generator, element: ElementType, size: int, style: str) -> Array:
    """So many elements in one style."""
    match element:
        case IntegerType(is_boolean=True):
            return rng.random(size) < BOOLEAN_SHARES.get(style, 0.5)
        case IntegerType():
            return INTEGER_STYLES[style](rng, element, size)
        case FloatType():
            return FLOAT_STYLES[style](rng, element, size)
        case ComplexType():
            real, imaginary = (
                FLOAT_STYLES[part](rng, element.element, size)
                for part in (style, style if rng.random() < 0.8 else "small")
            )
            joined = np.empty(size, element.dtype)
            joined.real, joined.imag = real, imaginary
            return joined
        case QuantizedType():
            low, high = int(element.storage_min), int(element.storage_max)
            return rng.integers(low, high, size, np.int64, endpoint=True).astype(element.dtype)
        case _:
            raise TypeError(f"no arrays of {element}")


# ---- integers


def wrapped(values: Any, element: IntegerType) -> Array:
    """Integers cut down to a type."""
    array = np.asarray(values, np.int64)
    if element.width < 8:
        return array.astype(np.uint8 if element.is_unsigned else np.int8).astype(element.dtype)
    return array.astype(element.dtype)


def small_integers(rng: np.random.Generator, element: IntegerType, size: int) -> Array:
    """From -3 to 5, or from 0."""
    low, high = (0, 6) if element.is_unsigned else (-3, 6)
    low, high = max(low, element.minimum), min(high, element.maximum + 1)
    return wrapped(rng.integers(low, high, size), element)


def any_integers(rng: np.random.Generator, element: IntegerType, size: int) -> Array:
    """All bits random."""
    return wrapped(rng.integers(-(1 << 63), (1 << 63) - 1, size), element)


def edge_integers(rng: np.random.Generator, element: IntegerType, size: int) -> Array:
    """The ends of the range, zero, and powers of two and their neighbors."""
    powers = 1 << rng.integers(0, element.width, size)
    palette = np.array(
        [0, 1, -1, element.minimum, wrap64(element.maximum), wrap64(element.maximum - 1)], np.int64
    )
    edges = rng.choice(palette, size)
    return wrapped(np.where(rng.random(size) < 0.7, edges, powers), element)


def wrap64(value: int) -> int:
    """An unsigned 64-bit integer as a signed one of the same bits."""
    return value - (1 << 64) if value >= 1 << 63 else value


def constant_integers(rng: np.random.Generator, element: IntegerType, size: int) -> Array:
    """One integer everywhere."""
    return np.repeat(small_integers(rng, element, 1), size)


def mixed_integers(rng: np.random.Generator, element: IntegerType, size: int) -> Array:
    """Small ones, some of them replaced by ends of the range."""
    hard = rng.random(size) < HARD_SHARE
    parts = edge_integers(rng, element, size), small_integers(rng, element, size)
    return np.where(hard, *(part.astype(wide_dtype(element)) for part in parts)).astype(
        element.dtype
    )


def wide_dtype(element: IntegerType) -> np.dtype[Any]:
    """A type of NumPy's own that holds the elements."""
    return element.dtype if element.width >= 8 else np.dtype(np.int8)


IntegerStyle = Callable[[np.random.Generator, IntegerType, int], Array]
INTEGER_STYLES: Final[Mapping[str, IntegerStyle]] = {
    "small": small_integers,
    "moderate": small_integers,
    "constant": constant_integers,
    "halves": small_integers,
    "spread": mixed_integers,
    "special": mixed_integers,
    "edges": edge_integers,
    "bits": any_integers,
}


# ---- floats


def small_floats(rng: np.random.Generator, element: FloatType, size: int) -> Array:
    """Integers from -4 to 4; from -1 to 1 where products of larger ones overflow."""
    end = 1 if float(ml_dtypes.finfo(element.dtype).max) < SMALL_RANGE else 4
    return rng.integers(-end, end + 1, size).astype(np.float32).astype(element.dtype)


def moderate_floats(rng: np.random.Generator, element: FloatType, size: int) -> Array:
    """Numbers around one."""
    return (rng.choice([-1.0, 1.0], size) * rng.uniform(0.5, 2.5, size)).astype(element.dtype)


def spread_floats(rng: np.random.Generator, element: FloatType, size: int) -> Array:
    """Numbers of several magnitudes."""
    return (rng.normal(size=size) * 10.0 ** rng.integers(-3, 4, size)).astype(element.dtype)


def halves(rng: np.random.Generator, element: FloatType, size: int) -> Array:
    """Multiples of a half, where roundings tie."""
    return (rng.integers(-12, 13, size) / 2).astype(np.float32).astype(element.dtype)


def constant_floats(rng: np.random.Generator, element: FloatType, size: int) -> Array:
    """One number everywhere."""
    return np.repeat(halves(rng, element, 1), size)


def special_floats(rng: np.random.Generator, element: FloatType, size: int) -> Array:
    """NaN, infinities, zeros and the largest number among others."""
    return replaced(rng, spread_floats(rng, element, size), specials(element))


def denormal_floats(rng: np.random.Generator, element: FloatType, size: int) -> Array:
    """The same, with numbers below the normal ones."""
    info = ml_dtypes.finfo(element.dtype)
    tiny = [info.smallest_subnormal, info.smallest_normal, -info.smallest_subnormal]
    return replaced(rng, special_floats(rng, element, size), np.array(tiny, element.dtype))


def any_floats(rng: np.random.Generator, element: FloatType, size: int) -> Array:
    """All bits random; denormals are left to ``denormal_floats``."""
    bits = rng.integers(0, 1 << element.bits, size, np.uint64)
    values = bits.astype(f"u{element.dtype.itemsize}").view(element.dtype)
    smallest = float(ml_dtypes.finfo(element.dtype).smallest_normal)
    with np.errstate(invalid="ignore"):
        is_tiny = np.abs(values.astype(np.float64)) < smallest
    return np.where(is_tiny, np.zeros((), element.dtype), values)


def replaced(rng: np.random.Generator, values: Array, palette: Array) -> Array:
    """Some of the values replaced by those of a palette."""
    hard = rng.random(values.size) < HARD_SHARE
    chosen = palette[rng.integers(0, palette.size, values.size)]
    return np.where(hard, chosen, values)


def specials(element: FloatType) -> Array:
    """What the format has of NaN, infinities, zeros and ends."""
    largest = float(ml_dtypes.finfo(element.dtype).max)
    wanted = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, largest, -largest, 1.0, -1.0])
    with np.errstate(invalid="ignore"):
        return wanted.astype(element.dtype)


FloatStyle = Callable[[np.random.Generator, FloatType, int], Array]
FLOAT_STYLES: Final[Mapping[str, FloatStyle]] = {
    "small": small_floats,
    "moderate": moderate_floats,
    "constant": constant_floats,
    "halves": halves,
    "spread": spread_floats,
    "special": special_floats,
    "edges": denormal_floats,
    "bits": any_floats,
}
