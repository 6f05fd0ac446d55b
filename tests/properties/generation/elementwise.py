"""Steps that append elementwise operations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from stablemate.dialects.stablehlo.attributes import ComparisonDirection, ComparisonType
from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import (
    BOOLEAN,
    COMPLEX64,
    COMPLEX128,
    I2,
    I4,
    ComplexType,
    ElementType,
    FloatType,
    IntegerType,
)
from tests.properties.generation.program_builder import (
    ALL_ELEMENTS,
    COMPLEXES,
    FLOATS,
    INTEGERS,
    MAXIMUM_RANK,
    SIGNED,
    WIDE_FLOATS,
    Draft,
    Tensor,
)

Elements = tuple[ElementType, ...]

BITS: Final[Elements] = (BOOLEAN, *INTEGERS)
NUMBERS: Final[Elements] = (*INTEGERS, *FLOATS, *COMPLEXES)
SIGNED_NUMBERS: Final[Elements] = (*SIGNED, I4, I2, *FLOATS, *COMPLEXES)
FUNCTIONS: Final[Elements] = (*FLOATS, *COMPLEXES)

UNARY: Final[Mapping[str, Elements]] = {
    "abs": SIGNED_NUMBERS,
    "negate": NUMBERS,
    "sign": SIGNED_NUMBERS,
    "not": BITS,
    "popcnt": INTEGERS,
    "count_leading_zeros": INTEGERS,
    "ceil": FLOATS,
    "floor": FLOATS,
    "round_nearest_afz": FLOATS,
    "round_nearest_even": FLOATS,
    "is_finite": FLOATS,
    "sqrt": FUNCTIONS,
    "rsqrt": FUNCTIONS,
    "cbrt": FUNCTIONS,
    "exponential": FUNCTIONS,
    "exponential_minus_one": FUNCTIONS,
    "log": FUNCTIONS,
    "log_plus_one": FUNCTIONS,
    "logistic": FUNCTIONS,
    "sine": FUNCTIONS,
    "cosine": FUNCTIONS,
    "tan": FUNCTIONS,
    "tanh": FUNCTIONS,
}
BINARY: Final[Mapping[str, Elements]] = {
    "add": ALL_ELEMENTS,
    "subtract": NUMBERS,
    "multiply": ALL_ELEMENTS,
    "divide": NUMBERS,
    "remainder": (*INTEGERS, *FLOATS),
    "maximum": ALL_ELEMENTS,
    "minimum": ALL_ELEMENTS,
    "power": NUMBERS,
    "atan2": FUNCTIONS,
    "and": BITS,
    "or": BITS,
    "xor": BITS,
    "shift_left": INTEGERS,
    "shift_right_arithmetic": INTEGERS,
    "shift_right_logical": INTEGERS,
}

# What regions and private functions use: every executor gives the same bits, also where it fuses.
EXACT_NUMBERS: Final[Elements] = (*(e for e in INTEGERS if e.width >= 8), *WIDE_FLOATS)
EXACT_INTEGERS: Final[Elements] = tuple(e for e in INTEGERS if e.width >= 8)
EXACT_UNARY: Final[Mapping[str, Elements]] = {
    "negate": EXACT_NUMBERS,
    "abs": (*SIGNED, *WIDE_FLOATS),
    "not": (BOOLEAN, *EXACT_INTEGERS),
    "popcnt": EXACT_INTEGERS,
    "floor": WIDE_FLOATS,
    "is_finite": WIDE_FLOATS,
}
EXACT_BINARY: Final[Mapping[str, Elements]] = {
    "add": (BOOLEAN, *EXACT_NUMBERS, *COMPLEXES),
    "subtract": EXACT_NUMBERS,
    "multiply": (BOOLEAN, *EXACT_INTEGERS),
    "maximum": (BOOLEAN, *EXACT_INTEGERS),
    "minimum": (BOOLEAN, *EXACT_INTEGERS),
    "and": (BOOLEAN, *EXACT_INTEGERS),
    "or": (BOOLEAN, *EXACT_INTEGERS),
    "xor": (BOOLEAN, *EXACT_INTEGERS),
}

ORDERED: Final = tuple(ComparisonDirection)
EQUALITIES: Final = (ComparisonDirection.EQ, ComparisonDirection.NE)


def unary(draft: Draft) -> None:
    """An operation of one operand."""
    table = EXACT_UNARY if draft.is_nested else UNARY
    name = draft.choices.of(tuple(table))
    draft.emit(name, operand=draft.operand(table[name])) if name != "is_finite" else draft.emit(
        name, x=draft.operand(table[name])
    )


def binary(draft: Draft) -> None:
    """An operation of two operands."""
    table = EXACT_BINARY if draft.is_nested else BINARY
    name = draft.choices.of(tuple(table))
    lhs = draft.operand(table[name])
    draft.emit(name, lhs=lhs, rhs=draft.like(lhs.type))


def compare(draft: Draft) -> None:
    """A comparison; floats by number or in their total order."""
    lhs = draft.operand(ALL_ELEMENTS)
    rhs = draft.like(lhs.type)
    append_comparison(draft, lhs, rhs)


def append_comparison(draft: Draft, lhs: Tensor, rhs: Tensor) -> Tensor:
    """Compares two tensors of one type."""
    element = lhs.type.element_type
    directions = EQUALITIES if isinstance(element, ComplexType) else ORDERED
    result = draft.emit(
        "compare",
        lhs=lhs,
        rhs=rhs,
        comparison_direction=draft.choices.of(directions),
        compare_type=draft.choices.of(comparison_types(element)),
    )
    return result.results[0]


def comparison_types(element: ElementType) -> Sequence[ComparisonType | None]:
    """What may be said of a comparison of such elements."""
    match element:
        case IntegerType():
            mode = ComparisonType.UNSIGNED if element.is_unsigned else ComparisonType.SIGNED
            return (None, mode)
        case FloatType():
            return (None, ComparisonType.FLOAT, ComparisonType.TOTALORDER)
        case _:
            return (None, ComparisonType.FLOAT)


def select(draft: Draft) -> None:
    """A selection by a tensor or a scalar of booleans."""
    on_true = draft.operand(ALL_ELEMENTS)
    shape = () if draft.choices.chance(30) else on_true.type.shape
    pred = draft.like(tensor(BOOLEAN, *shape))
    draft.emit("select", pred=pred, on_true=on_true, on_false=draft.like(on_true.type))


def clamp(draft: Draft) -> None:
    """A clamp between tensors or scalars."""
    elements = (
        EXACT_INTEGERS
        if draft.is_nested
        else tuple(element for element in ALL_ELEMENTS if element not in COMPLEXES)
    )
    operand = draft.operand(elements)
    ends = [
        draft.like(tensor(operand.type.element_type) if draft.choices.chance(50) else operand.type)
        for _ in range(2)
    ]
    draft.emit("clamp", min=ends[0], operand=operand, max=ends[1])


def convert(draft: Draft) -> None:
    """A conversion between any two element types."""
    exact = (BOOLEAN, *EXACT_NUMBERS)
    elements = exact if draft.is_nested else ALL_ELEMENTS
    operand = draft.operand(elements)
    target = draft.element(elements)
    draft.emit("convert", operand=operand, results=[operand.type.with_element(target)])


def bitcast_convert(draft: Draft) -> None:
    """The same bits as another type, in a last dimension more or less where widths differ."""
    elements = tuple(all_element for all_element in ALL_ELEMENTS if all_element != BOOLEAN)
    operand = draft.operand(elements)
    source = operand.type.element_type
    targets = [element for element in elements if bitcast_shape(operand.type, element) is not None]
    same_kind = [
        e for e in targets if isinstance(e, ComplexType) == isinstance(source, ComplexType)
    ]
    target = draft.element(same_kind)
    shape = bitcast_shape(operand.type, target)
    assert shape is not None
    draft.emit("bitcast_convert", operand=operand, results=[tensor(target, *shape)])


def bitcast_shape(operand: TensorType, target: ElementType) -> tuple[int, ...] | None:
    """The shape of the bits of a tensor as another type; None if they do not divide."""
    old, new = operand.element_type.bits, target.bits
    if old == new:
        return operand.shape
    if old > new:
        return (
            (*operand.shape, old // new) if old % new == 0 and operand.rank < MAXIMUM_RANK else None
        )
    fits = bool(operand.shape) and operand.shape[-1] * old == new
    return operand.shape[:-1] if fits else None


def reduce_precision(draft: Draft) -> None:
    """Rounding to fewer bits."""
    operand = draft.operand(FLOATS)
    draft.emit(
        "reduce_precision",
        operand=operand,
        exponent_bits=draft.choices.of((5, 8, 2, 1, 3, 11, 15)),
        mantissa_bits=draft.choices.of((10, 7, 3, 0, 1, 23, 52)),
    )


def complex_parts(draft: Draft) -> None:
    """A complex tensor of two real ones, or a part of one."""
    name = draft.choices.of(("complex", "real", "imag"))
    if name == "complex":
        lhs = draft.operand(WIDE_FLOATS)
        draft.emit("complex", lhs=lhs, rhs=draft.like(lhs.type))
    else:
        elements = (COMPLEX64, COMPLEX128, *(() if draft.is_nested else FLOATS))
        draft.emit(name, operand=draft.operand(elements))


STEPS: Final = (
    (unary, 30),
    (binary, 40),
    (compare, 10),
    (select, 8),
    (convert, 12),
    (clamp, 5),
    (bitcast_convert, 6),
    (reduce_precision, 4),
    (complex_parts, 6),
)
EXACT_STEPS: Final = (
    (binary, 30),
    (unary, 10),
    (compare, 10),
    (select, 8),
    (convert, 4),
    (clamp, 3),
    (complex_parts, 2),
)
