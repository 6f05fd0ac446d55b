"""Computes the layouts of results whose shapes are not written.

Source: XLA, ``ShapeInference``: where the shape is that of an operand, so is the layout.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from stablemate.xla.shape import Shape

UNARY: Final = (
    *("abs", "ceil", "floor", "round-nearest-afz", "round-nearest-even", "sign", "negate", "not"),
    *("popcnt", "count-leading-zeros", "is-finite", "real", "imag", "cbrt", "cosine", "sine"),
    *("tan", "tanh", "exponential", "exponential-minus-one", "log", "log-plus-one", "logistic"),
    *("rsqrt", "sqrt", "acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "sinh", "erf"),
)
BINARY: Final = (
    *("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "power"),
    *("atan2", "and", "or", "xor", "shift-left", "shift-right-arithmetic", "complex"),
    *("shift-right-logical", "mulhi", "compare"),
)
OTHERS: Final = (
    *("select", "reverse", "fft", "sort", "scatter", "batch-norm-training", "select-and-scatter"),
    *("batch-norm-inference", "batch-norm-grad", "set-dimension-size", "cholesky"),
)
# The operands, from this one on, whose layouts the results have.
FIRST_OPERAND: Final = {
    **dict.fromkeys((*UNARY, *BINARY, *OTHERS), 0),
    **dict.fromkeys(("clamp", "triangular-solve"), 1),
}


def with_layouts(
    opcode: str, shape: Shape, operands: Sequence[Shape], attributes: Mapping[str, Any]
) -> Shape:
    """Returns an inferred shape with the layout that XLA gives it."""
    if opcode == "transpose":
        return transposed_layout(shape, operands[0], attributes["dimensions"])
    first = FIRST_OPERAND.get(opcode)
    if first is None:
        return shape
    if shape.is_tuple:
        pairs = zip(shape.elements, operands[first:], strict=False)
        return Shape.tuple_of([with_layout_of(element, operand) for element, operand in pairs])
    return with_layout_of(shape, operands[first])


def with_layout_of(shape: Shape, operand: Shape) -> Shape:
    """Returns the shape with the layout of an operand of the same dimensions."""
    same = shape.is_array and shape.dimensions == operand.dimensions
    return replace(shape, layout=operand.layout) if same else shape


def transposed_layout(shape: Shape, operand: Shape, dimensions: Sequence[int]) -> Shape:
    """Returns the shape with the layout in which the transpose moves no element."""
    if operand.layout is None:
        return shape
    place = {dimension: i for i, dimension in enumerate(dimensions)}
    order = tuple(place[dimension] for dimension in operand.layout.minor_to_major)
    return replace(shape, layout=replace(operand.layout, minor_to_major=order))
