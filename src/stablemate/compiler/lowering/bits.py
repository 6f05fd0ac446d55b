"""Lowers operations on the bits of elements: bitcast_convert, reduce_precision."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.graph.graph import Node
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BITS
from stablemate.compiler.lowering.elements import (
    Index,
    KernelElements,
    element_type,
    lowers,
    represent_elements,
)
from stablemate.compiler.lowering.functions.arithmetic import shift_bits
from stablemate.compiler.lowering.representation import Parts, Representation, representation_of
from stablemate.numerics.elements import (
    F16,
    F32,
    ComplexType,
    FloatType,
    IntegerType,
    QuantizedType,
)
from stablemate.numerics.functions.arithmetic import pick

SCALE: Final = "f8E8M0FNU"
ALL_EXPONENT_BITS: Final = 11  # of f64


def has_plain_bits(node: Node) -> bool:
    """Whether elements are numbers of one part, all of whose bits are kept."""
    types = [element_type(operand) for operand in (*node.operands, *node.results)]
    return all(
        isinstance(value_type, FloatType | IntegerType | QuantizedType) for value_type in types
    )


@lowers("stablehlo.bitcast_convert", admits=has_plain_bits)
def bitcast_convert(elements: KernelElements, node: Node, index: Index) -> Parts:
    """The same bits; those of a wide element as several, or of several as one, the lowest first."""
    (operand,), (result,) = node.operands, node.results
    source, target = element_type(operand).bits, element_type(result).bits
    few, many = sorted((source, target))
    if source >= target:
        outer = index if few == many else index[:-1]
        bits = stored_bits(represent_elements(operand), elements.at(operand, outer)[0])
        if few < many:
            table = elements.table
            amount = table.number(index[-1] * few)
            if bits.type != "i64":
                amount = table.convert("trunc", amount, bits.type)
            bits = table.convert("trunc", table.apply("lshr", bits, amount), container(few))
        return (from_stored_bits(represent_elements(result), lowest(bits, few)),)
    total: Expression | None = None
    for i in range(many // few):
        part = elements.at(operand, [*index, elements.constant(i)])[0]
        bits = lowest(stored_bits(represent_elements(operand), part), few)
        moved = shift_bits("shl", elements.table.convert("zext", bits, container(many)), i * few)
        total = moved if total is None else total | moved
    assert total is not None
    return (from_stored_bits(represent_elements(result), total),)


def are_complex(node: Node) -> bool:
    """Whether elements are complex numbers."""
    types = [element_type(operand) for operand in (*node.operands, *node.results)]
    return all(isinstance(value_type, ComplexType) for value_type in types)


@lowers("stablehlo.bitcast_convert", admits=are_complex)
def bitcast_complex(elements: KernelElements, node: Node, index: Index) -> Parts:
    """The same bits: a part of 64 bits is the two parts of a number of 32-bit ones."""
    (operand,), (result,) = node.operands, node.results
    source, target = element_type(operand).bits, element_type(result).bits
    table = elements.table
    if source == target:
        return elements.at(operand, index)
    if source < target:
        words = [elements.at(operand, [*index, elements.constant(i)]) for i in range(2)]
        return tuple([f64_of_words(*pair) for pair in words])
    real, imag = elements.at(operand, index[:-1])
    is_real = table.apply("sle", index[-1], elements.constant(0))
    double_bits = table.convert("bitcast", pick(is_real, real, imag), "i64")
    high = table.apply("lshr", double_bits, table.bits(BITS["i32"], "i64"))
    return tuple(
        [
            table.convert("bitcast", table.convert("trunc", e, "i32"), "f32")
            for e in (double_bits, high)
        ]
    )


def f64_of_words(low: Expression, high: Expression) -> Expression:
    """An ``f64`` of the bits of two ``f32``."""
    table = low.table
    parts = [
        table.convert("zext", table.convert("bitcast", word, "i32"), "i64") for word in (low, high)
    ]
    double_bits = parts[0] | table.apply("shl", parts[1], table.bits(BITS["i32"], "i64"))
    return table.convert("bitcast", double_bits, "f64")


def container(bits: int) -> str:
    """The integers that hold so many bits."""
    return f"i{max(bits, BITS['i8'])}"


def lowest(value: Expression, bits: int) -> Expression:
    """The lowest bits of a value, and zeros above them."""
    return value if bits >= BITS[value.type] else value & ((1 << bits) - 1)


def stored_bits(kind: Representation, value: Expression) -> Expression:
    """The bits that memory holds for a value, as an integer."""
    return value.table.convert("bitcast", kind.narrow(value), f"i{BITS[kind.storage]}")


def from_stored_bits(kind: Representation, bits: Expression) -> Expression:
    """The value for which memory holds these bits."""
    return kind.widen(bits.table.convert("bitcast", bits, kind.storage))


def on_floats(node: Node) -> bool:
    """Whether it computes with floats."""
    return isinstance(element_type(node.operands[0]), FloatType)


@lowers("stablehlo.reduce_precision", admits=on_floats)
def reduce_precision(elements: KernelElements, node: Node, index: Index) -> Parts:
    """The nearest number that has fewer bits of exponent and mantissa, ties to even.

    Formats of a byte take the way over one that holds all their numbers.
    """
    operation, (result,) = node.operation, node.results
    element = element_type(result)
    assert isinstance(element, FloatType)
    (value,) = elements.at(node.operands[0], index)
    through = element if element.bits > BITS["i8"] else F32 if element.name == SCALE else F16
    kind = representation_of(through)
    bits = stored_bits(kind, value)
    fewer = reduce_float(bits, through, int(operation.exponent_bits), int(operation.mantissa_bits))
    return (represent_elements(result).round(from_stored_bits(kind, fewer)),)


def reduce_float(
    bits: Expression, element: FloatType, exponent_bits: int, mantissa_bits: int
) -> Expression:
    """See ``reduce_precision``; too large is infinity, below the normal numbers is zero."""
    table, stored = bits.table, element.precision - 1
    sign_bit = 1 << (element.bits - 1)
    bias = (1 << (element.bits - 1 - stored) - 1) - 1
    sign = bits & sign_bit
    magnitude = bits ^ sign
    nearest = round_bits(magnitude, stored - mantissa_bits)
    reach = (1 << min(exponent_bits, ALL_EXPONENT_BITS) - 1) - 1
    infinity = (2 * bias + 1) << stored
    result = nearest
    if reach < bias:
        beyond, least = (bias + reach + 1) << stored, (bias - reach + 1) << stored
        is_large = table.apply("ule", table.like(nearest, beyond), nearest)
        is_small = table.apply("ult", nearest, table.like(nearest, least))
        result = pick(is_large, infinity, pick(is_small, 0, nearest))
    is_nan = table.apply("ult", table.like(magnitude, infinity), magnitude)
    return pick(is_nan, bits if mantissa_bits else table.like(bits, infinity), result | sign)


def round_bits(magnitude: Expression, dropped: int) -> Expression:
    """The bits of a number, rounded so that the last ones are zero; ties to even."""
    if dropped <= 0:
        return magnitude
    last = shift_bits("lshr", magnitude, dropped) & 1
    nearest = magnitude + last + ((1 << dropped - 1) - 1)
    return shift_bits("shl", shift_bits("lshr", nearest, dropped), dropped)
