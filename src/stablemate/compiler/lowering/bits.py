"""Operations on the bits of elements: bitcast_convert, reduce_precision."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.graph import Node
from stablemate.compiler.lowering.elements import (
    Elements,
    Index,
    element_type,
    lowers,
    represented,
)
from stablemate.compiler.lowering.functions.arithmetic import (
    bits_of,
    float_of,
    is_nan,
    pick,
    shifted,
)
from stablemate.compiler.lowering.functions.formats import format_of
from stablemate.compiler.lowering.representation import Parts, Representation
from stablemate.compiler.nest.expressions import Expression
from stablemate.compiler.nest.operators import BITS
from stablemate.numerics.elements import ElementType, FloatType, IntegerType

WHOLE: Final = frozenset({"bf16", "f32", "f64"})  # of which registers keep all bits of NaNs
ALL_EXPONENT_BITS: Final = 11  # of f64


def is_whole(element: ElementType) -> bool:
    """Whether an element is whole bytes, all of which registers hold."""
    if isinstance(element, FloatType):
        return element.name in WHOLE
    return isinstance(element, IntegerType) and element.width >= 8


def on_whole(node: Node) -> bool:
    """Whether both element types are whole bytes."""
    return all(is_whole(element_type(each)) for each in (*node.operands, *node.results))


@lowers("stablehlo.bitcast_convert", admits=on_whole)
def bitcast_convert(elements: Elements, node: Node, index: Index) -> Parts:
    """The same bits; those of a wide element as several, or of several as one, the lowest first."""
    (operand,), (result,) = node.operands, node.results
    source, target = represented(operand), represented(result)
    few, many = sorted((BITS[source.storage], BITS[target.storage]))
    if BITS[source.storage] >= BITS[target.storage]:
        outer = index if few == many else index[:-1]
        bits = stored_bits(source, elements.at(operand, outer)[0])
        if few < many:
            table = elements.table
            amount = table.number(index[-1] * few)
            if bits.type != "i64":
                amount = table.convert("trunc", amount, bits.type)
            bits = table.convert("trunc", table.apply("lshr", bits, amount), f"i{few}")
        return (from_stored_bits(target, bits),)
    total: Expression | None = None
    for i in range(many // few):
        part = elements.at(operand, [*index, elements.constant(i)])[0]
        wide = elements.table.convert("zext", stored_bits(source, part), f"i{many}")
        moved = shifted("shl", wide, i * few)
        total = moved if total is None else total | moved
    assert total is not None
    return (from_stored_bits(target, total),)


def stored_bits(kind: Representation, value: Expression) -> Expression:
    """The bits that memory holds for a value, as an integer."""
    return value.table.convert("bitcast", kind.narrow(value), f"i{BITS[kind.storage]}")


def from_stored_bits(kind: Representation, bits: Expression) -> Expression:
    """The value for which memory holds these bits."""
    return kind.widen(bits.table.convert("bitcast", bits, kind.storage))


def on_wide_floats(node: Node) -> bool:
    """Whether it computes with floats that have the exponents of their registers."""
    element = element_type(node.operands[0])
    return isinstance(element, FloatType) and element.name in WHOLE


@lowers("stablehlo.reduce_precision", admits=on_wide_floats)
def reduce_precision(elements: Elements, node: Node, index: Index) -> Parts:
    """The nearest number that has fewer bits of exponent and mantissa, ties to even."""
    operation = node.operation
    (value,) = elements.at(node.operands[0], index)
    return (reduced(value, int(operation.exponent_bits), int(operation.mantissa_bits)),)


def reduced(value: Expression, exponent_bits: int, mantissa_bits: int) -> Expression:
    """See ``reduce_precision``; too large is infinity, below the normal numbers is zero."""
    fmt, table = format_of(value), value.table
    bits = bits_of(value)
    sign = bits & fmt.sign
    magnitude = rounded(bits ^ sign, fmt.mantissa - mantissa_bits)
    reach = (1 << min(exponent_bits, ALL_EXPONENT_BITS) - 1) - 1
    infinity = (2 * fmt.bias + 1) << fmt.mantissa
    beyond = min((fmt.bias + reach + 1) << fmt.mantissa, infinity)
    is_large = table.apply("sle", table.like(magnitude, beyond), magnitude)
    result = pick(is_large, infinity, magnitude)
    if reach < fmt.bias:
        least = (fmt.bias - reach + 1) << fmt.mantissa
        result = pick(table.apply("slt", magnitude, table.like(magnitude, least)), 0, result)
    without_nan = value if mantissa_bits else table.constant(float("inf"), value.type)
    return pick(is_nan(value), without_nan, float_of(result | sign))


def rounded(magnitude: Expression, dropped: int) -> Expression:
    """The bits of a number, rounded so that the last ones are zero; ties to even."""
    if dropped <= 0:
        return magnitude
    last = shifted("lshr", magnitude, dropped) & 1
    nearest = magnitude + last + ((1 << dropped - 1) - 1)
    return shifted("shl", shifted("lshr", nearest, dropped), dropped)
