"""Regions that combine elements: reducers, selections, comparators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.dialects.stablehlo.attributes import ComparisonDirection, ComparisonType
from stablemate.ir.core import Region
from stablemate.ir.types import tensor
from stablemate.numerics.elements import (
    BOOLEAN,
    ComplexType,
    ElementType,
    FloatType,
    IntegerType,
    QuantizedType,
)
from tests.properties.generation.program_builder import Draft, Tensor

Combine: TypeAlias = Callable[[Draft, Sequence[Tensor], Sequence[Tensor]], Sequence[Tensor]]

EQ, GE, GT, LE, LT = (ComparisonDirection(name) for name in ("EQ", "GE", "GT", "LE", "LT"))


def monoids(element: ElementType) -> Sequence[str]:
    """Operations that are associative and commutative, rounding aside."""
    match element:
        case IntegerType():
            return ("add", "maximum", "minimum", "multiply", "and", "or", "xor")
        case QuantizedType():  # sums are rounded, and saturate: their order shows
            return ("maximum", "minimum")
        case ComplexType():
            return ("add", "multiply")
        case _:
            return ("add", "maximum", "minimum", "multiply")


def reducer(draft: Draft, elements: Sequence[ElementType]) -> Region:
    """A region that combines two groups of scalars of these types."""
    combine = (
        argument_of_extreme if is_ranked(elements) and draft.choices.chance(60) else each_alone
    )
    return region_of(draft, elements, combine)


def region_of(draft: Draft, elements: Sequence[ElementType], combine: Combine) -> Region:
    """The region of a function of two groups of scalars."""
    scalars = [tensor(element) for element in elements]
    n = len(scalars)
    return draft.region([*scalars, *scalars], lambda inner, a: combine(inner, a[:n], a[n:]))


def is_ranked(elements: Sequence[ElementType]) -> bool:
    """Whether these can be a value and its position."""
    return (
        len(elements) == 2
        and not isinstance(elements[0], ComplexType)
        and isinstance(elements[1], IntegerType)
    )


def each_alone(draft: Draft, lhs: Sequence[Tensor], rhs: Sequence[Tensor]) -> Sequence[Tensor]:
    """A monoid for each value, its operands in either order."""
    results = []
    for a, b in zip(lhs, rhs, strict=True):
        name = draft.choices.of(monoids(a.type.element_type))
        pair = (b, a) if draft.choices.chance(20) else (a, b)
        results.append(draft.emit(name, lhs=pair[0], rhs=pair[1]).results[0])
    return results


def argument_of_extreme(
    draft: Draft, lhs: Sequence[Tensor], rhs: Sequence[Tensor]
) -> Sequence[Tensor]:
    """The larger or smaller value with its position, of equal ones the smaller position."""
    direction = draft.choices.of((GT, LT))
    better = comparison(draft, lhs[0], rhs[0], direction)
    equal = comparison(draft, lhs[0], rhs[0], EQ)
    before = comparison(draft, lhs[1], rhs[1], LT)
    first = draft.emit("and", lhs=equal, rhs=before).results[0]
    selected = draft.emit("or", lhs=better, rhs=first).results[0]
    return [
        draft.emit("select", pred=selected, on_true=a, on_false=b).results[0]
        for a, b in zip(lhs, rhs, strict=True)
    ]


def comparison(
    draft: Draft,
    lhs: Tensor,
    rhs: Tensor,
    direction: ComparisonDirection,
    mode: ComparisonType | None = None,
) -> Tensor:
    """One comparison."""
    operation = draft.emit(
        "compare", lhs=lhs, rhs=rhs, comparison_direction=direction, compare_type=mode
    )
    return operation.results[0]


def identity(body: Region, index: int) -> Any:
    """What changes nothing when it is combined with another value; None if that is not known.

    For a value that is selected by its rank that is the worst one, at the last position.
    """
    element = body.block.arguments[index].type.element_type
    if isinstance(element, QuantizedType):
        return None
    integer = element if isinstance(element, IntegerType) else None
    low, high = (integer.minimum, integer.maximum) if integer else (-np.inf, np.inf)
    maker = getattr(body.block.terminator.operands[index], "operation", None)
    match maker and maker.name.partition(".")[2]:
        case "add" | "or" | "xor":
            return 0
        case "multiply":
            return 1
        case "and":
            return high if integer and integer.is_unsigned else -1
        case "maximum":
            return low
        case "minimum":
            return high
        case "select" if index == 0:
            directions = [
                operation
                for operation in body.block.operations
                if operation.name.endswith("compare")
            ]
            is_largest = directions[0].attributes["comparison_direction"].value is GT
            return low if is_largest else high
        case "select":
            return high
        case _:
            return None


def update(draft: Draft, elements: Sequence[ElementType]) -> Region:
    """A region for scatter: a reducer, the update itself, or a difference."""
    kind = draft.choices.weighted((("reduce", 50), ("replace", 35), ("subtract", 15)))
    if kind == "replace":
        return region_of(draft, elements, lambda inner, lhs, rhs: rhs)
    if kind == "subtract" and BOOLEAN not in elements:
        return region_of(draft, elements, differences)
    return reducer(draft, elements)


def differences(draft: Draft, lhs: Sequence[Tensor], rhs: Sequence[Tensor]) -> Sequence[Tensor]:
    """Lhs - rhs for each value."""
    return [draft.emit("subtract", lhs=a, rhs=b).results[0] for a, b in zip(lhs, rhs, strict=True)]


def selection(draft: Draft, element: ElementType) -> Region:
    """A region for select_and_scatter that prefers the larger or the smaller value."""
    direction = draft.choices.of((GE, GT, LE, LT))

    def choose(inner: Draft, arguments: Sequence[Any]) -> Sequence[Tensor]:
        return [comparison(inner, arguments[0], arguments[1], direction)]

    return draft.region([tensor(element)] * 2, choose)


# ---- comparators


@dataclass(frozen=True)
class Key:
    """One key of a comparator."""

    operand: int
    direction: ComparisonDirection
    mode: ComparisonType | None
    is_canonical: bool


SORTABLE_MODES: Final = (ComparisonType.TOTALORDER, None, ComparisonType.FLOAT)


def keys(draft: Draft, elements: Sequence[ElementType]) -> list[Key]:
    """Some of the operands, in the order in which they decide."""
    candidates = [i for i, element in enumerate(elements) if not isinstance(element, ComplexType)]
    count = draft.choices.integer(1, len(candidates))
    collected = []
    for operand in draft.choices.some(candidates, count):
        is_float = isinstance(elements[operand], FloatType)
        mode = draft.choices.of(SORTABLE_MODES) if is_float else None
        is_canonical = mode is ComparisonType.TOTALORDER and draft.choices.chance(30)
        collected.append(Key(operand, draft.choices.of((LT, GT)), mode, is_canonical))
    return collected


def comparator(draft: Draft, elements: Sequence[ElementType], order: Sequence[Key]) -> Region:
    """Whether the first of two rows comes before the second."""
    select_form = draft.choices.chance(50)

    def before(inner: Draft, arguments: Sequence[Any]) -> Sequence[Tensor]:
        result: Tensor | None = None
        for key in reversed(order):
            lhs, rhs = (
                canonical(inner, side) if key.is_canonical else side
                for side in arguments[2 * key.operand : 2 * key.operand + 2]
            )
            better = comparison(inner, lhs, rhs, key.direction, key.mode)
            if result is None:
                result = better
                continue
            equal = comparison(inner, lhs, rhs, EQ, key.mode)
            if select_form:
                emit_result = inner.emit("select", pred=equal, on_true=result, on_false=better)
            else:
                both = inner.emit("and", lhs=equal, rhs=result)
                emit_result = inner.emit("or", lhs=better, rhs=both.results[0])
            result = emit_result.results[0]
        assert result is not None
        return [result]

    return draft.region([tensor(e) for e in elements for _ in range(2)], before)


def canonical(draft: Draft, x: Tensor) -> Tensor:
    """The number with one zero and one NaN, as JAX writes it."""
    zero = draft.constant(x.type, np.zeros(()))
    nan = draft.constant(x.type, np.array(np.nan))
    is_zero = comparison(draft, x, zero, EQ)
    is_nan = draft.emit(
        "compare", lhs=x, rhs=x, comparison_direction=ComparisonDirection.NE
    ).results[0]
    plain = draft.emit("select", pred=is_zero, on_true=zero, on_false=x).results[0]
    return draft.emit("select", pred=is_nan, on_true=nan, on_false=plain).results[0]
