"""Programs of one operation on quantized tensors, and what they compute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from hypothesis import settings
from hypothesis import strategies as st

import stablemate as sm
from tests.properties.quantized.draws import SCALES, dtype_of
from tests.properties.quantized.formulas import Quantized

Array = npt.NDArray[Any]

SEEDS: Final = st.integers(0, 2**32 - 1)
SHAPES: Final = st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple)
GRANULARITIES: Final = ("tensor", "axis", "blocks")
FEW: Final = settings(max_examples=40, deadline=None)
DOT: Final = (
    "{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], "
    "rhs_contracting_dimensions = [0]>}"
)
# Scales with which sums of products of eight bits are exact in 32-bit floats.
SMALL: Final = tuple(2.0**exponent for exponent in range(-1, 2))


def tensor(shape: Sequence[int], element: object) -> str:
    """The text of a tensor type."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def program(operation: str, operands: Sequence[str], result: str, attributes: str = "") -> str:
    """A program of one operation."""
    arguments = ", ".join(f"%a{i}: {operand}" for i, operand in enumerate(operands))
    values = ", ".join(f"%a{i}" for i in range(len(operands)))
    return (
        f"func.func @main({arguments}) -> {result} {{\n"
        f'  %0 = "stablehlo.{operation}"({values}) {attributes} : '
        f"({', '.join(operands)}) -> {result}\n"
        f"  return %0 : {result}\n}}\n"
    )


def computed(text: str, *arrays: Array) -> Array:
    """What the program gives."""
    return np.asarray(sm.load(text).run(*arrays, backend="interpreter"))


def in_format(numbers: Array, name: str) -> Array:
    """Numbers that are exact in a format as floats of it."""
    return numbers.astype(np.float64).astype(dtype_of(name))


def same(actual: Array, expected: Array) -> None:
    """Arrays of one shape with equal elements."""
    assert actual.shape == expected.shape
    assert actual.astype(np.int64).tolist() == expected.astype(np.int64).tolist()


def siblings(draw: st.DrawFn, element: Quantized, number: int) -> list[Quantized]:
    """Types with the same baseline: other scales and zero points."""
    count = len(element.scales)
    scales = st.tuples(*[st.sampled_from(SCALES)] * count)
    zero_points = st.tuples(*[st.integers(element.low, element.high)] * count)
    return [
        replace(element, scales=draw(scales), zero_points=draw(zero_points)) for _ in range(number)
    ]


def per_tensor(element: Quantized) -> Quantized:
    """The type with the first scale for the whole tensor."""
    return replace(
        element,
        scales=element.scales[:1],
        zero_points=element.zero_points[:1],
        axis=None,
        blocks=(),
        grid=(),
    )


def accepts(text: str) -> bool:
    """Whether the program is valid."""
    return not sm.load(text).diagnostics()
