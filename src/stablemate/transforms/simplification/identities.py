"""Removes operations that return an operand, or a component of one; all bits stay.

The rules see operations as steps, because the IR and the compiler's graph both have them. A value
is what either calls one; it has a type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.registry import rules_by_name
from stablemate.dialects.stablehlo.elementwise import LAWS
from stablemate.ir.attributes import DenseElementsAttribute
from stablemate.ir.shapes import surely_same_type
from stablemate.ir.traits import Laws
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import IntegerType


class TypedValue(Protocol):
    """The interface of a value of either kind for rules: its type."""

    @property
    def type(self) -> Any:
        """The type, a tensor type where the rule's operation takes tensors alone."""
        ...


ValueT = TypeVar("ValueT", bound=TypedValue)

CONSTANT: Final = "stablehlo.constant"


@dataclass(frozen=True, slots=True)
class IdentityStep(Generic[ValueT]):
    """An operation on values.

    Attributes:
        operation: What it does: its name and attributes; its own operands do not count.
        operands: What it takes.
        results: What it makes.
        maker: The step that makes a value; None if it is an argument.
    """

    operation: Any
    operands: Sequence[ValueT]
    results: Sequence[ValueT]
    maker: Callable[[ValueT], IdentityStep[ValueT] | None]

    def source(self, position: int, name: str) -> IdentityStep[ValueT] | None:
        """The defining step of an operand, if it has this name."""
        operation = self.maker(self.operands[position])
        return operation if operation is not None and operation.operation.name == name else None

    def splat(self, position: int) -> np.generic | None:
        """The element that all of an operand are equal to, if it is such a constant; else None."""
        constant_ = self.source(position, CONSTANT)
        literal = None if constant_ is None else constant_.operation.attributes.get("value")
        if isinstance(literal, DenseElementsAttribute) and literal.is_splat:
            element: np.generic = literal.data[0]
            return element
        return None


Identity: TypeAlias = Callable[[IdentityStep[Any]], Any]


def identity_of(step: IdentityStep[ValueT]) -> ValueT | None:
    """The value that has the bits and the type of the one result; None if no rule knows of any."""
    rule = RULES.get(step.operation.name)
    replacement: ValueT | None = None if rule is None else rule(step)
    return replacement if has_type_of_result(replacement, step) else None


def has_type_of_result(value: ValueT | None, step: IdentityStep[ValueT]) -> bool:
    """Whether there is a value, and of the type of the result."""
    return value is not None and surely_same_type(value.type, step.results[0].type)


def either(*rules: Identity) -> Identity:
    """The first rule that finds something."""

    def rule(step: IdentityStep[ValueT]) -> ValueT | None:
        candidates = (rule(step) for rule in rules)
        return next(
            (candidate for candidate in candidates if has_type_of_result(candidate, step)), None
        )

    return rule


def operand(step: IdentityStep[ValueT]) -> ValueT | None:
    """The operand, if it has the type of the result: nothing was moved or converted."""
    first = step.operands[0]
    return first if is_static(first) else None


def broadcast_in_dim(step: IdentityStep[ValueT]) -> ValueT | None:
    """A broadcast that leaves all dimensions where they are."""
    dimensions: Sequence[int] = step.operation.broadcast_dimensions
    return step.operands[0] if list(dimensions) == sorted(dimensions) else None


def identity_transpose(step: IdentityStep[ValueT]) -> ValueT | None:
    """A transpose that leaves all dimensions where they are."""
    order: Sequence[int] = step.operation.permutation
    return step.operands[0] if list(order) == sorted(order) else None


def undone_transpose(step: IdentityStep[ValueT]) -> ValueT | None:
    """The operand of a transpose whose transpose this is, if all dimensions are back in place."""
    inner = step.source(0, "stablehlo.transpose")
    if inner is None:
        return None
    order = [inner.operation.permutation[d] for d in step.operation.permutation]
    return inner.operands[0] if order == sorted(order) else None


def reverse(step: IdentityStep[ValueT]) -> ValueT | None:
    """A reversal of dimensions of one element."""
    shape, dimensions = step.operands[0].type.shape, step.operation.dimensions
    return step.operands[0] if all(shape[d] == 1 for d in dimensions) else None


def concatenate(step: IdentityStep[ValueT]) -> ValueT | None:
    """A concatenation of one tensor."""
    return step.operands[0] if len(step.operands) == 1 else None


def pad(step: IdentityStep[ValueT]) -> ValueT | None:
    """A padding by nothing: low and high amounts may be opposite elsewhere."""
    padding = step.operation
    amounts = (*padding.edge_padding_low, *padding.edge_padding_high, *padding.interior_padding)
    return None if any(amounts) else step.operands[0]


def select(step: IdentityStep[ValueT]) -> ValueT | None:
    """A select between equal values, or by a constant."""
    _, yes, no = step.operands
    if yes is no:
        return yes
    splat = step.splat(0)
    return None if splat is None else (yes if splat else no)


def operand_of_involution(name: str) -> Identity:
    """The operand of an involution's operand, if both are the same operation."""

    def rule(step: IdentityStep[ValueT]) -> ValueT | None:
        inner = step.source(0, name)
        return None if inner is None else inner.operands[0]

    return rule


def complex_component(position: int) -> Identity:
    """The operand of ``complex`` that ``real`` or ``imag`` returns."""

    def rule(step: IdentityStep[ValueT]) -> ValueT | None:
        inner = step.source(0, "stablehlo.complex")
        return None if inner is None else inner.operands[position]

    return rule


def complex_(step: IdentityStep[ValueT]) -> ValueT | None:
    """The complex number whose parts these are."""
    real, imag = step.source(0, "stablehlo.real"), step.source(1, "stablehlo.imag")
    if real is None or imag is None or real.operands[0] is not imag.operands[0]:
        return None
    return real.operands[0]


def get_tuple_element(step: IdentityStep[ValueT]) -> ValueT | None:
    """The operand of ``tuple`` at this position."""
    tuple_ = step.source(0, "stablehlo.tuple")
    index: int = step.operation.index
    return None if tuple_ is None else tuple_.operands[index]


def neutral(number: int, sides: Sequence[int] = (0, 1)) -> Identity:
    """The other operand of integers, where one is a constant that changes nothing.

    Floats are left alone: ``x + 0`` is not x for -0, and x * 1 quiets a signaling NaN.
    """

    def rule(step: IdentityStep[ValueT]) -> ValueT | None:
        for side in sides:
            splat = step.splat(side)
            if splat is not None and is_integer(step.results[0]) and is_all(splat, number):
                return step.operands[1 - side]
        return None

    return rule


def absorbing_operand(number: int) -> Identity:
    """The constant operand, if it absorbs the other one: ``x * 0``, ``x & 0``, ``x | -1``."""

    def rule(step: IdentityStep[ValueT]) -> ValueT | None:
        for side, operand in enumerate(step.operands):
            splat = step.splat(side)
            if splat is not None and is_integer(operand) and is_all(splat, number):
                return operand
        return None

    return rule


def is_all(splat: Any, number: int) -> bool:
    """Whether an element is a number; -1 is the one with all bits set."""
    if number == -1:
        return bool(~splat == 0) if splat.dtype.kind != "b" else bool(splat)
    return int(splat) == number


def same_operands(step: IdentityStep[ValueT]) -> ValueT | None:
    """The operand, if both operands are the same integers."""
    first, second = step.operands
    return first if first is second and is_integer(first) else None


def dynamic_update_slice(step: IdentityStep[ValueT]) -> ValueT | None:
    """The update, where it is as large as what is updated: it cannot be shifted."""
    operand, update = step.operands[:2]
    return update if surely_same_type(update.type, operand.type) else None


def is_static(value: TypedValue) -> bool:
    """Whether a value is a tensor of known shape."""
    return isinstance(value.type, TensorType) and value.type.is_static


def is_integer(value: TypedValue) -> bool:
    """Whether a value is a tensor of integers or truth values."""
    return isinstance(value.type, TensorType) and isinstance(value.type.element_type, IntegerType)


def identity_by_laws(name: str, laws: Laws) -> Identity:
    """The rule that follows from the algebraic laws of an operation."""
    if laws.is_involution:
        return operand_of_involution(name)
    rules: list[Identity] = [same_operands] if laws.idempotent else []
    if laws.identity is not None:
        rules.append(neutral(laws.identity, (0, 1) if laws.is_monoid else (1,)))
    if laws.absorbing is not None:
        rules.append(absorbing_operand(laws.absorbing))
    return either(*rules) if len(rules) > 1 else rules[0]


RULES: Final[Mapping[str, Identity]] = {
    **{name: identity_by_laws(name, laws) for name, laws in LAWS.items()},
    **rules_by_name(
        "stablehlo",
        broadcast_in_dim,
        complex_,
        concatenate,
        dynamic_update_slice,
        get_tuple_element,
        pad,
        reverse,
        select,
    ),
    "stablehlo.bitcast_convert": operand,
    "stablehlo.convert": operand,
    "stablehlo.imag": complex_component(1),
    "stablehlo.real": complex_component(0),
    "stablehlo.reshape": operand,
    "stablehlo.slice": operand,
    "stablehlo.transpose": either(identity_transpose, undone_transpose),
}
