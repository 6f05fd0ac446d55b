"""The interface of simplification rules: a rule gets an operation and returns a simpler value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.optimization_barrier import OptimizationBarrier
from stablemate.ir.attributes import DenseElementsAttribute, dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation, OpResult, Value
from stablemate.ir.rewriter import Pattern, Replacement
from stablemate.ir.types import TensorType
from stablemate.transforms.simplification import identities
from stablemate.transforms.simplification.identities import CONSTANT, Identity, IdentityStep

Rule: TypeAlias = Callable[[Any, Builder], Replacement]


def keeping_type(rule: Rule, changes: list[Value[object]]) -> Pattern:
    """The rule as a pattern that leaves types as they are, and notes what it has changed."""

    def pattern(operation: Operation, builder: Builder) -> Replacement:
        replacement = rule(operation, builder)
        if not has_types(replacement, operation):
            return None
        changes.extend(operation.results)
        return replacement

    return pattern


def has_types(replacement: Replacement, operation: Operation) -> bool:
    """Whether a rule has found values of the types of the results."""
    if replacement is None:
        return False
    values = (replacement,) if isinstance(replacement, Value) else replacement
    return [value.type for value in values] == [result.type for result in operation.results]


def either(*rules: Rule) -> Rule:
    """The first rule that finds something."""

    def rule(operation: Operation, builder: Builder) -> Replacement:
        candidates: Iterator[Replacement] = (rule(operation, builder) for rule in rules)
        return next(
            (candidate for candidate in candidates if has_types(candidate, operation)), None
        )

    return rule


def maker(value: Value[TensorType], name: str) -> Any:
    """The defining operation of a value, if it has this name."""
    operation = value.operation if isinstance(value, OpResult) else None
    return operation if operation is not None and operation.name == name else None


def literal_of(value: Value[TensorType]) -> DenseElementsAttribute | None:
    """The literal of a constant; None if the value is none."""
    constant = maker(value, CONSTANT)
    literal = None if constant is None else constant.attributes.get("value")
    return literal if isinstance(literal, DenseElementsAttribute) else None


def splat_of(value: Value[TensorType]) -> Any:
    """The element that all elements of a constant are equal to; None if there is none."""
    literal = literal_of(value)
    return literal.data[0] if literal is not None and literal.data.size == 1 else None


def splat_constant(number: int, like: Value[TensorType], builder: Builder) -> Value[TensorType]:
    """A constant of the type of a value, all elements equal."""
    result_type: TensorType = like.type
    data = np.full(1, number, result_type.element_type.dtype)
    return builder.create(Constant, value=dense_elements(result_type, data)).results[0]


def step_of(operation: Operation) -> IdentityStep[Value[TensorType]]:
    """An operation of the IR as a step."""
    return IdentityStep(operation, operation.operands, operation.results, step_that_makes)


def step_that_makes(value: Value[TensorType]) -> IdentityStep[Value[TensorType]] | None:
    """The defining step of a value; None if it is an argument."""
    return step_of(value.operation) if isinstance(value, OpResult) else None


def rule_of(identity: Identity) -> Rule:
    """An identity as a rule."""

    def rule(operation: Operation, _: Builder) -> Replacement:
        replacement: Replacement = identity(step_of(operation))
        return replacement

    return rule


def passed_barrier(operation: OptimizationBarrier, _: Builder) -> Replacement:
    """Nothing, where a barrier holds back nothing."""
    return () if not operation.operands else None


IDENTITIES: Final[Mapping[str, Rule]] = {
    **{name: rule_of(identity) for name, identity in identities.RULES.items()},
    "stablehlo.optimization_barrier": passed_barrier,
}
