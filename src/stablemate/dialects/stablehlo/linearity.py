"""In which operands operations are linear: what may be done to the terms of a sum.

The function of the sum is the sum of the function of the terms, so that unreduced values stay
unreduced. Operations that only move elements may be applied to terms of a maximum, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from stablemate.dialects.stablehlo.reducers import combiners
from stablemate.dialects.stablehlo.scatter import Scatter
from stablemate.ir.core import Operation
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import IntegerType

if TYPE_CHECKING:
    from stablemate.dialects.stablehlo.convert import Convert

Positions: TypeAlias = Sequence[int]
# The sets of operands in which an operation is linear, by the monoid of the terms.
Linearity: TypeAlias = Callable[[Any, str], Sequence[Positions]]


def moves(*operands: int) -> Linearity:
    """The linearity of an operation that moves elements of some operands, by default of all."""

    def positions(operation: Operation, monoid: str) -> Sequence[Positions]:
        return [operands or range(len(operation.operands))]

    return positions


def sums(*alternatives: Positions) -> Linearity:
    """The linearity of an operation that is linear in each of these sets of operands."""

    def positions(operation: Operation, monoid: str) -> Sequence[Positions]:
        return alternatives if monoid == "add" else ()

    return positions


def conversion(operation: Convert, monoid: str) -> Sequence[Positions]:
    """Conversions are linear, rounding aside, unless they drop fractions or signs."""
    source: TensorType = operation.operands[0].type
    target: TensorType = operation.results[0].type
    discrete = isinstance(target.element_type, IntegerType)
    if discrete and source.element_type != target.element_type:
        return ()
    return sums((0,))(operation, monoid)


def reduction(operation: Any, monoid: str) -> Sequence[Positions]:
    """Reductions by the monoid of the terms are linear in what they reduce."""
    count = len(operation.inputs)
    is_same = set(combiners(operation.body)) == {monoid}
    return [range(count)] if is_same else ()


def scattered_sum(operation: Scatter, monoid: str) -> Sequence[Positions]:
    """Sums of scattered updates are linear in the inputs and the updates together."""
    count = len(operation.inputs)
    if set(combiners(operation.update_computation)) != {monoid}:
        return ()
    return [(*range(count), *range(count + 1, 2 * count + 1))]


EITHER: Final = sums((0,), (1,))
LINEARITY: Final[Mapping[str, Linearity]] = {
    "stablehlo.add": sums((0, 1)),
    "stablehlo.broadcast_in_dim": moves(0),
    "stablehlo.complex": sums((0, 1)),
    "stablehlo.concatenate": moves(),
    "stablehlo.convert": conversion,
    "stablehlo.convolution": EITHER,
    "stablehlo.divide": sums((0,)),
    "stablehlo.dot": EITHER,
    "stablehlo.dot_general": EITHER,
    "stablehlo.dynamic_slice": moves(0),
    "stablehlo.dynamic_update_slice": moves(0, 1),
    "stablehlo.gather": moves(0),
    "stablehlo.imag": sums((0,)),
    "stablehlo.multiply": EITHER,
    "stablehlo.negate": sums((0,)),
    "stablehlo.pad": sums((0,)),
    "stablehlo.real": sums((0,)),
    "stablehlo.reduce": reduction,
    "stablehlo.reduce_window": reduction,
    "stablehlo.reshape": moves(0),
    "stablehlo.reverse": moves(0),
    "stablehlo.scatter": scattered_sum,
    "stablehlo.select": moves(1, 2),
    "stablehlo.slice": moves(0),
    "stablehlo.subtract": sums((0, 1)),
    "stablehlo.transpose": moves(0),
}


def zeros_of(operation: Any) -> Positions:
    """The operands that must be zero: each device would add them."""
    match operation.name:
        case "stablehlo.pad":
            return (1,)
        case "stablehlo.reduce" | "stablehlo.reduce_window":
            count = len(operation.inputs)
            return range(count, 2 * count)
        case _:
            return ()
