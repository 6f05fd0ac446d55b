"""Lowers quantized elements: the floats they represent, and the nearest ones to floats.

Operations that compute with quantized tensors are three in the graph (see ``decompose``); here are
the first and the last of them.

Source: StableHLO specification, "Quantization computations".
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stablemate.compiler.graph.graph import Node
from stablemate.compiler.loops.expressions import Expression, Expressions
from stablemate.compiler.loops.operators import BITS
from stablemate.compiler.lowering.conversions import convert_register
from stablemate.compiler.lowering.elements import (
    Index,
    KernelElements,
    element_type,
    lowers,
)
from stablemate.compiler.lowering.elementwise import Category, category
from stablemate.compiler.lowering.quotients import quotient_by
from stablemate.compiler.lowering.representation import Parts, representation_of
from stablemate.numerics.elements import F32, ElementType, QuantizedType
from stablemate.numerics.functions.arithmetic import at_least, at_most, is_nan, pick
from stablemate.numerics.quantization import exact_type
from stablemate.numerics.rounding import round_float


@lowers("stablehlo.uniform_dequantize")
def uniform_dequantize(elements: KernelElements, node: Node, index: Index) -> Parts:
    """``(operand - zero_point) * scale``."""
    (operand,) = node.operands
    (stored,) = elements.at(operand, index)
    return (dequantize_element(stored, quantized_type(element_type(operand)), index),)


@lowers("stablehlo.uniform_quantize")
def uniform_quantize(elements: KernelElements, node: Node, index: Index) -> Parts:
    """``round_nearest_even(clamp(storage_min, operand / scale + zero_point, storage_max))``."""
    (operand,), (result,) = node.operands, node.results
    (value,) = elements.at(operand, index)
    source = element_type(operand)
    if isinstance(source, QuantizedType):
        value = dequantize_element(value, source, index)
    return (nearest(value, quantized_type(element_type(result)), index),)


def quantized_type(element: ElementType) -> QuantizedType:
    """An element type that is quantized."""
    assert isinstance(element, QuantizedType)
    return element


def dequantize_element(stored: Expression, element: QuantizedType, index: Index) -> Expression:
    """The dequantized float of a stored value; difference and product are rounded."""
    exact, kind = exact_type(element.storage), representation_of(element.expressed)
    wide = integral_float(stored, element) if exact == F32 else None
    if wide is None:
        wide = convert_register(stored, category(element.storage), exact)
    of: Category = category(exact)
    zero_point = parameter(wide, element.zero_points, element, index)
    difference = convert_register(wide - zero_point, of, element.expressed)
    return kind.round(difference * scale(difference, element, index))


def nearest(value: Expression, element: QuantizedType, index: Index) -> Expression:
    """The stored value of a float, with every step rounded; NaN becomes zero."""
    kind = representation_of(element.expressed)
    scaled = kind.round(quotient(value, element, index))
    shift = in_floats(element.zero_points, element)
    moved = kind.round(scaled + parameter(value, shift, element, index))
    low, high = storage_limits(element)
    rounded = value.table.apply("rint", at_most(at_least(moved, low), high))
    return integer_of(pick(is_nan(rounded), 0.0, rounded), element)


def integer_of(number: Expression, element: QuantizedType) -> Expression:
    """A float that is an integer between the storage limits as a stored value.

    Limits that the expressed type rounds may be out of the range of the storage type.
    """
    register = representation_of(element.storage).register
    low, high = storage_limits(element)
    fits = element.storage_min <= low and high <= element.storage_max
    if not fits or BITS[register] >= BITS["i32"]:
        return convert_register(number, "float", element.storage)
    table = number.table
    return table.convert("trunc", table.convert("fptosi_in_range", number, "i32"), register)


def integral_float(stored: Expression, element: QuantizedType) -> Expression | None:
    """The stored value of a float as a float again; None if it was not made by ``nearest``."""
    if stored.operator != "trunc" or stored.operands[0].operator != "fptosi_in_range":
        return None
    (number,) = stored.operands[0].operands
    if number.type != "f32":
        return None
    low, high = storage_limits(element)
    table = number.table
    chosen = number.operands[2] if number.operator == "select" else number
    if chosen.operator != "rint":
        return None
    (clamped,) = chosen.operands
    inner = clamped.operands[2] if clamped.operator == "select" else clamped
    if inner.operator != "select" or number is not pick(is_nan(chosen), 0.0, chosen):
        return None
    if clamped is not at_most(at_least(inner.operands[2], low), high):
        return None
    return number + table.constant(0.0, "f32")  # the stored value has no negative zero


def quotient(value: Expression, element: QuantizedType, index: Index) -> Expression:
    """A float divided by the scale; rounded correctly, if it is not subnormal."""
    (first, *others) = in_floats(element.scales, element)
    if value.type != "f32" or any(other != first for other in others):
        return value / scale(value, element, index)
    return quotient_by(value, first)


def storage_limits(element: QuantizedType) -> Sequence[float]:
    """The smallest and the largest stored value as floats of the expressed type."""
    return in_floats((element.storage_min, element.storage_max), element)


def scale(like: Expression, element: QuantizedType, index: Index) -> Expression:
    """The scale of an element, as a float of the expressed type."""
    return parameter(like, in_floats(element.scales, element), element, index)


def in_floats(values: Sequence[float], element: QuantizedType) -> Sequence[float]:
    """Numbers rounded to the expressed type; numbers beyond its range become infinite."""
    with np.errstate(over="ignore"):
        rounded = round_float(np.array(values, np.float64), element.expressed)
    return [float(number) for number in rounded]


def parameter(
    like: Expression, values: Sequence[float], element: QuantizedType, index: Index
) -> Expression:
    """The one of several numbers that belongs to an element, of the type of an expression."""
    table = like.table
    if len(set(values)) == 1:
        return table.constant(values[0], like.type)
    place = table.number(place_of(table, element, index))
    coefficient = table.lookup(tuple(map(float, values)), place)
    if like.type == "f64":
        return coefficient
    return table.convert("fptrunc" if like.type == "f32" else "fptosi", coefficient, like.type)


def place_of(table: Expressions, element: QuantizedType, index: Index) -> Expression:
    """Which slice or block an element is in."""
    if element.quantization_dimension is not None:
        return index[element.quantization_dimension]
    sizes = dict(element.blocks)
    place = table.sum(0, ())
    for d, count in enumerate(element.block_shape):
        place = place * count
        if d in sizes:
            place = place + index[d] // sizes[d]
    return place
