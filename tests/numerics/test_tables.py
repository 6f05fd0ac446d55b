"""Tables of a function's results for every byte agree with the function."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import stablemate as sm
from stablemate.numerics.elements import (
    BOOLEAN,
    FLOAT_STORAGE,
    I2,
    I4,
    I8,
    I32,
    UI4,
    UI8,
    Array,
    ElementType,
    FloatType,
)
from stablemate.numerics.rounding import conversion_by_formula, converter

FLOATS = [FloatType(name) for name in FLOAT_STORAGE]
MANY = 1024  # elements of a byte from which on a table is used
BYTES: Sequence[ElementType] = (I2, I4, I8, UI4, UI8, *(x for x in FLOATS if x.bits <= 8))
ALL: Sequence[ElementType] = (*FLOATS, I2, I4, I8, I32, UI4, UI8, BOOLEAN)


def every_value(element: ElementType) -> Array:
    """All values of a type, over and over, more than a table is made for."""
    bits = np.arange(2 * MANY, dtype=np.uint8) % np.uint16(1 << element.bits)
    return bits.astype(np.uint8).view(element.dtype)


@pytest.mark.parametrize("source", BYTES, ids=str)
@pytest.mark.parametrize("target", ALL, ids=str)
def test_conversion(source: ElementType, target: ElementType) -> None:
    values = every_value(source)
    with np.errstate(all="ignore"):
        expected = np.asarray(conversion_by_formula(source, target)(values))
        actual = np.asarray(converter(source, target)(values))
        every_second = np.asarray(converter(source, target)(np.tile(values, 2)[::2]))
    assert actual.dtype == expected.dtype
    assert actual.tobytes() == expected.tobytes()
    assert every_second.tobytes() == np.tile(expected, 2)[::2].tobytes()


@pytest.mark.parametrize("element", [x for x in FLOATS if x.bits <= 8], ids=str)
@pytest.mark.parametrize("name", ["abs", "negate", "sine", "round_nearest_afz", "sqrt"])
def test_unary_operation(name: str, element: FloatType) -> None:
    values = every_value(element)
    few = values[:256]

    def result(x: Array) -> Array:
        tensor = f"tensor<{x.size}x{element}>"
        text = f"""func.func @main(%x: {tensor}) -> {tensor} {{
          %0 = stablehlo.{name} %x : {tensor}
          return %0 : {tensor}
        }}"""
        return np.asarray(sm.run(text, x))

    assert result(values).tobytes() == np.tile(result(few), len(values) // 256).tobytes()


@pytest.mark.parametrize("element", [x for x in FLOATS if x.bits == 16], ids=str)
@pytest.mark.parametrize("name", ["tanh", "sign"])
def test_unary_operation_of_two_bytes(name: str, element: FloatType) -> None:
    values = np.arange(1 << 16, dtype=np.uint16).view(element.dtype)
    tensor = f"tensor<{{}}x{element}>"
    text = f"func.func @main(%x: T) -> T {{ %0 = stablehlo.{name} %x : T return %0 : T }}"
    few, many = (text.replace("T", tensor.format(size)) for size in (1 << 16, 1 << 18))
    expected = np.tile(np.asarray(sm.run(few, values)), 4)
    assert np.asarray(sm.run(many, np.tile(values, 4))).tobytes() == expected.tobytes()
