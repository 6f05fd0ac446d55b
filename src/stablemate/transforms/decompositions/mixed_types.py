"""Operations on mixed types, which upstream accepts and the specification does not describe.

Products of operands of different element types, or with a result of another type, are computed in
one type: that of the result if it holds the operands, else the wider one of the operands. The state
of a random number generator is converted to words of 64 bits and back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from stablemate.dialects.stablehlo.bitcast_convert import BitcastConvert
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation, Value
from stablemate.ir.rewriter import Pattern, Replacement
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import (
    ComplexType,
    ElementType,
    FloatType,
    IntegerType,
    QuantizedType,
)
from stablemate.transforms.decompositions.einsum import convert_elements

UI64: Final = IntegerType(64, "unsigned")


def kind_of(element: ElementType) -> int:
    """The place of an element type in the order boolean, integer, float, complex."""
    match element:
        case IntegerType():
            return 0 if element.is_boolean else 1
        case FloatType():
            return 2
        case ComplexType():
            return 3
        case _:
            return -1


def rank_of(element: ElementType) -> tuple[int, int]:
    """The place of an element type in the order of promotion: kind, then width."""
    return kind_of(element), element.bits


def element_of(value: Value[TensorType]) -> ElementType:
    """The element type of a tensor."""
    element: ElementType = value.type.element_type
    return element


def multiplied_in(operation: Operation) -> ElementType | None:
    """The type in which a product of mixed types is computed; None if no types are mixed."""
    lhs, rhs = element_of(operation.operands[0]), element_of(operation.operands[1])
    result = element_of(operation.results[0])
    elements = (lhs, rhs, result)
    if any(isinstance(element, QuantizedType) for element in elements):
        return None
    if lhs == rhs and (
        lhs == result or (kind_of(lhs) == kind_of(result) and lhs.bits <= result.bits)
    ):
        return None  # as the specification has it, or accumulated in a wider type
    if lhs != rhs and all(kind_of(x) == 2 and x.bits == 8 for x in (lhs, rhs)):
        return None  # E4M3 by E5M2 is multiplied as it is
    return max((lhs, rhs, result), key=rank_of)


def multiply(operation: Operation, builder: Builder) -> Replacement:
    """The product of operands that are converted to one type."""
    element = multiplied_in(operation)
    if element is None:
        return None
    operands = [convert_elements(builder, value, element) for value in operation.operands[:2]]
    declared = operation.results[0].type
    product = type(operation)(
        [*operands, *operation.operands[2:]],
        [declared.with_element(element)],
        operation.attributes,
        (),
        discardable=operation.discardable,
        location=operation.location,
        span=operation.span,
    )
    builder.block.append(product)
    return convert_elements(builder, product.results[0], declared.element_type)


def words_of(state: TensorType) -> int:
    """The number of words of 64 bits in a state; 0 if it cannot be made of such words."""
    if not state.is_static or not isinstance(state.element_type, IntegerType | FloatType):
        return 0
    size = math.prod(state.shape)
    return size // 2 if state.element_type.bits == 32 and size == 4 else size


def has_words(operation: Operation) -> bool:
    """Whether the state of a random number generator has as many words as its algorithm takes."""
    state = operation.operands[0].type
    sizes = (2,) if "THREE_FRY" in str(operation.attributes["rng_algorithm"]) else (2, 3)
    return words_of(state) in sizes


def generate_bits(operation: Operation, builder: Builder) -> Replacement:
    """Random bits of a state of 64-bit words."""
    (state,) = operation.operands
    declared = operation.results[0].type
    if state.type == declared and element_of(state) == UI64 and state.type.rank == 1:
        return None
    count = words_of(state.type)
    words = TensorType((count,), UI64)
    generator = type(operation)(
        [to_words(builder, state, count)],
        [words, operation.results[1].type],
        operation.attributes,
        (),
        discardable=operation.discardable,
        location=operation.location,
        span=operation.span,
    )
    builder.block.append(generator)
    after, output = generator.results
    return from_words(builder, after, declared), output


def to_words(builder: Builder, state: Value, count: int) -> Value[TensorType]:
    """A state as a vector of 64-bit words; four words of 32 bits are two of 64."""
    element, size = element_of(state), math.prod(state.type.shape)
    if size == count:
        flat = reshape_value(builder, state, TensorType((count,), element))
        return convert_elements(builder, flat, UI64)
    pairs = reshape_value(builder, state, TensorType((count, 2), element))
    return builder.create(
        BitcastConvert, operand=pairs, results=[TensorType((count,), UI64)]
    ).results[0]


def from_words(
    builder: Builder, words: Value[TensorType], declared: TensorType
) -> Value[TensorType]:
    """A vector of 64-bit words as a state of another type."""
    (count,) = words.type.shape
    if math.prod(declared.shape) == count:
        return reshape_value(
            builder, convert_elements(builder, words, declared.element_type), declared
        )
    halves_type = TensorType((count, 2), declared.element_type)
    pairs = builder.create(BitcastConvert, operand=words, results=[halves_type]).results[0]
    return reshape_value(builder, pairs, declared)


def reshape_value(
    builder: Builder, value: Value[TensorType], declared: TensorType
) -> Value[TensorType]:
    """A value in another shape."""
    if value.type == declared:
        return value
    return builder.create(Reshape, operand=value, results=[declared]).results[0]


PATTERNS: Final[Mapping[str, Pattern]] = {
    "stablehlo.convolution": multiply,
    "stablehlo.dot": multiply,
    "stablehlo.dot_general": multiply,
    "stablehlo.dynamic_conv": multiply,
    "stablehlo.rng_bit_generator": generate_bits,
}


def mixes_types(operation: Operation) -> bool:
    """Whether an operation is one that its pattern replaces."""
    if operation.name == "stablehlo.rng_bit_generator":
        state, after = operation.operands[0].type, operation.results[0].type
        is_plain: bool = state == after and state.element_type == UI64 and state.rank == 1
        return not is_plain
    return operation.name in PATTERNS and multiplied_in(operation) is not None
