"""Floats print as the oracle prints them, whatever their bits."""

import re
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from stablemate.numerics.elements import FLOAT_STORAGE, FloatType
from stablemate.numerics.float_text import format_floats
from tests.oracle.client import Oracle
from tests.oracle.elements import Array

PER_FAMILY = 150
PER_CONSTANT = 60  # MLIR prints constants of more than 100 elements as bytes


@pytest.mark.parametrize("element_type", FLOAT_STORAGE)
def test_floats_print_as_the_oracle_prints_them(element_type: str, oracle: Oracle) -> None:
    values = sample(FloatType(element_type).dtype)
    constants = [values[i : i + PER_CONSTANT] for i in range(0, values.size, PER_CONSTANT)]
    assert format_floats(values) == printed(oracle, constants, element_type)


def sample(dtype: np.dtype[Any]) -> Array:
    """Distinct values of a type: all that a narrow one has, else some of every kind."""
    width = ml_dtypes.finfo(dtype).bits
    unsigned = np.dtype(f"u{dtype.itemsize}")
    if width <= 8:
        return np.arange(1 << width, dtype=unsigned).view(dtype)
    rng = np.random.default_rng(width)
    patterns = rng.integers(0, 1 << width, PER_FAMILY, unsigned)
    shifts = rng.integers(0, width, PER_FAMILY, unsigned)
    decimals = rng.integers(1, 10**6, PER_FAMILY) * 10.0 ** rng.integers(-12, 6, PER_FAMILY)
    integers = rng.integers(0, 1 << 40, PER_FAMILY) >> rng.integers(0, 40, PER_FAMILY)
    with np.errstate(over="ignore"):
        numbers = np.concatenate([decimals, -integers.astype(np.float64)]).astype(dtype)
    families = [
        patterns,
        patterns >> shifts,  # small and subnormal
        patterns >> shifts << shifts,  # few significant bits
        numbers.view(unsigned),
        numbers.view(unsigned) + unsigned.type(1),  # next to a short decimal
    ]
    return np.unique(np.concatenate(families)).view(dtype)


def printed(oracle: Oracle, constants: list[Array], element_type: str) -> list[str]:
    """The texts of all elements; those of one constant are distinct."""
    source = "\n".join(
        f"%{i} = stablehlo.constant dense<[{hex_texts(values)}]> "
        f": tensor<{values.size}x{element_type}>"
        for i, values in enumerate(constants)
    )
    text = oracle.print(f"func.func @main() {{\n{source}\nreturn\n}}")
    bodies = re.findall(r"dense<(.*)> :", text)
    return [number for body in bodies for number in body.strip("[]").split(", ")]


def hex_texts(values: Array) -> str:
    """The bits of each value, as MLIR reads them."""
    digits = (ml_dtypes.finfo(values.dtype).bits + 3) // 4
    patterns = values.view(f"u{values.itemsize}").tolist()
    return ", ".join(f"0x{pattern:0{digits}X}" for pattern in patterns)
