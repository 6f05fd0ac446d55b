"""Operations that give back an operand, or what an operand was made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.transforms.simplification.rules import (
    Rule,
    either,
    is_integer,
    is_static,
    maker,
    splat_of,
)

Values = Sequence[Value[Any]]


def operand(operation: Any, _: Builder) -> Value[Any] | None:
    """The operand, if it has the type of the result: nothing was moved or converted."""
    first = operation.operands[0]
    return first if is_static(first) else None


def spread_nowhere(operation: Any, _: Builder) -> Value[Any] | None:
    """A broadcast that leaves all dimensions where they are."""
    dimensions: Sequence[int] = operation.broadcast_dimensions
    return operation.operand if list(dimensions) == sorted(dimensions) else None


def kept_order(operation: Any, _: Builder) -> Value[Any] | None:
    """A transpose that leaves all dimensions where they are."""
    order: Sequence[int] = operation.permutation
    return operation.operand if list(order) == sorted(order) else None


def reversed_nothing(operation: Any, _: Builder) -> Value[Any] | None:
    """A reversal of dimensions of one element."""
    shape = operation.operand.type.shape
    return operation.operand if all(shape[d] == 1 for d in operation.dimensions) else None


def first_of_one(operation: Any, _: Builder) -> Value[Any] | None:
    """A concatenation of one tensor."""
    return operation.inputs[0] if len(operation.inputs) == 1 else None


def nothing_padded(operation: Any, _: Builder) -> Value[Any] | None:
    """A padding by nothing."""
    amounts = (*operation.edge_padding_low, *operation.edge_padding_high)
    return None if any((*amounts, *operation.interior_padding)) else operation.operand


def chosen(operation: Any, _: Builder) -> Value[Any] | None:
    """A select between equal values, or by a constant."""
    which, yes, no = operation.operands
    if yes is no:
        found: Value[Any] = yes
        return found
    splat = splat_of(which)
    return None if splat is None else (yes if splat else no)


def undone(name: str) -> Rule:
    """What an operation that undoes itself is applied to."""

    def rule(operation: Any, _: Builder) -> Value[Any] | None:
        inner = maker(operation.operands[0], name)
        return None if inner is None else inner.operands[0]

    return rule


def part_of_complex(position: int) -> Rule:
    """The part that a complex number was made of."""

    def rule(operation: Any, _: Builder) -> Value[Any] | None:
        inner = maker(operation.operands[0], "stablehlo.complex")
        return None if inner is None else inner.operands[position]

    return rule


def complex_of_parts(operation: Any, _: Builder) -> Value[Any] | None:
    """The complex number whose parts these are."""
    real = maker(operation.operands[0], "stablehlo.real")
    imag = maker(operation.operands[1], "stablehlo.imag")
    if real is None or imag is None or real.operands[0] is not imag.operands[0]:
        return None
    whole: Value[Any] = real.operands[0]
    return whole


def element_of_tuple(operation: Any, _: Builder) -> Value[Any] | None:
    """The value that was put there."""
    made = maker(operation.operands[0], "stablehlo.tuple")
    return None if made is None else made.operands[operation.index]


def neutral(number: int, sides: Sequence[int] = (0, 1)) -> Rule:
    """The other operand of integers, where one is a constant that changes nothing.

    Floats are left alone: ``x + 0`` is not x for -0, and x * 1 quiets a signalling NaN.
    """

    def rule(operation: Any, _: Builder) -> Value[Any] | None:
        for side in sides:
            splat = splat_of(operation.operands[side])
            if splat is not None and is_integer(operation.results[0]) and is_all(splat, number):
                other: Value[Any] = operation.operands[1 - side]
                return other
        return None

    return rule


def absorbing(number: int) -> Rule:
    """The constant, where it is what integers become whatever the other one is."""

    def rule(operation: Any, _: Builder) -> Value[Any] | None:
        for each in operation.operands:
            splat = splat_of(each)
            if splat is not None and is_integer(each) and is_all(splat, number):
                found: Value[Any] = each
                return found
        return None

    return rule


def is_all(splat: Any, number: int) -> bool:
    """Whether an element is a number; -1 is the one with all bits set."""
    if number == -1:
        return bool(~splat == 0) if splat.dtype.kind != "b" else bool(splat)
    return int(splat) == number


def same_operands(operation: Any, _: Builder) -> Value[Any] | None:
    """The integer operand that stands on both sides."""
    first, second = operation.operands
    return first if first is second and is_integer(first) else None


def update_of_all(operation: Any, _: Builder) -> Value[Any] | None:
    """The update, where it is as large as what is updated: it cannot be shifted."""
    return operation.update if operation.update.type == operation.operand.type else None


def passed_barrier(operation: Any, _: Builder) -> Values | None:
    """Nothing, where a barrier holds back nothing."""
    return () if not operation.operands else None


RULES: Final[Mapping[str, Rule]] = {
    "stablehlo.add": neutral(0),
    "stablehlo.and": either(same_operands, neutral(-1), absorbing(0)),
    "stablehlo.bitcast_convert": operand,
    "stablehlo.broadcast_in_dim": spread_nowhere,
    "stablehlo.complex": complex_of_parts,
    "stablehlo.concatenate": first_of_one,
    "stablehlo.convert": operand,
    "stablehlo.divide": neutral(1, (1,)),
    "stablehlo.dynamic_update_slice": update_of_all,
    "stablehlo.get_tuple_element": element_of_tuple,
    "stablehlo.imag": part_of_complex(1),
    "stablehlo.maximum": same_operands,
    "stablehlo.minimum": same_operands,
    "stablehlo.multiply": either(neutral(1), absorbing(0)),
    "stablehlo.negate": undone("stablehlo.negate"),
    "stablehlo.not": undone("stablehlo.not"),
    "stablehlo.optimization_barrier": passed_barrier,
    "stablehlo.or": either(same_operands, neutral(0), absorbing(-1)),
    "stablehlo.pad": nothing_padded,
    "stablehlo.real": part_of_complex(0),
    "stablehlo.reshape": operand,
    "stablehlo.reverse": reversed_nothing,
    "stablehlo.select": chosen,
    "stablehlo.shift_left": neutral(0, (1,)),
    "stablehlo.shift_right_arithmetic": neutral(0, (1,)),
    "stablehlo.shift_right_logical": neutral(0, (1,)),
    "stablehlo.slice": operand,
    "stablehlo.subtract": neutral(0, (1,)),
    "stablehlo.transpose": kept_order,
    "stablehlo.xor": neutral(0),
}
