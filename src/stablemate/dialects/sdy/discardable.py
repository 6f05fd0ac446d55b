"""Shardy's attributes on operations of other dialects, and on arguments and results of functions.

Source: Shardy dialect, sharding, sharding_per_value, op_sharding_rule; what its verifier checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.attributes import (
    OpShardingRule,
    TensorSharding,
    TensorShardingPerValue,
)
from stablemate.dialects.sdy.factors import FactorRules
from stablemate.dialects.sdy.propagation import PropagationEdges, PropagationRules
from stablemate.dialects.sdy.sharding import OperationSharding, names_axes
from stablemate.ir.attributes import ArrayAttribute
from stablemate.ir.core import Operation
from stablemate.ir.definition import Check, constraint, constraints_of, holds
from stablemate.ir.discardable import AttributeViolation, function_value_rule, operation_rule
from stablemate.ir.types import Attribute, NoneType, Type


@dataclass(frozen=True, slots=True)
class DiscardableShardings(OperationSharding):
    """Shardings in a discardable attribute."""

    at: Operation
    listed: Sequence[tuple[TensorSharding, Type]]

    @property
    def operation(self) -> Operation:
        """The operation with the attribute."""
        return self.at

    def shardings(self) -> Sequence[tuple[TensorSharding, Type]]:
        """The shardings that the attribute lists."""
        return self.listed


@dataclass(frozen=True, slots=True)
class ResultAnnotation(DiscardableShardings):
    """The shardings of the results of an operation.

    Attributes:
        attribute: The list of shardings.
    """

    attribute: TensorShardingPerValue

    @constraint("count")
    def counts_fit(self) -> Check:
        """There is a sharding for each result"""
        count, results = len(self.attribute.shardings), len(self.at.results)
        fits = count == results or is_placement_only(self.at, self.attribute)
        return holds(fits, shardings=count, results=results)


def is_placement_only(operation: Operation, attribute: TensorShardingPerValue) -> bool:
    """Whether it has no results, so that the sharding only determines where it runs."""
    shardings = attribute.shardings
    return not operation.results and len(shardings) == 1 and not names_axes(shardings[0])


def violations(rules: object) -> Iterator[AttributeViolation]:
    """The constraints of an object that do not hold."""
    for rule in constraints_of(type(rules)):
        violation = rule.check(rules)
        if violation is not None:
            yield AttributeViolation(rule.label, rule.formula, violation)


def wrong_kind(attribute: Attribute, expected: str) -> Iterator[AttributeViolation]:
    """The violation that an attribute of this name has the wrong kind."""
    violation = holds(False, attribute=attribute)
    assert violation is not None
    yield AttributeViolation("kind", f"It is a {expected}", violation)


@operation_rule("sdy.sharding")
def sharding_of_results(operation: Operation, attribute: Attribute) -> Iterator[AttributeViolation]:
    """A sharding for each result."""
    if not isinstance(attribute, TensorShardingPerValue):
        return wrong_kind(attribute, "#sdy.sharding_per_value")
    types: list[Type] = [value.type for value in operation.results]
    if is_placement_only(operation, attribute):
        types = [NoneType()]
    listed = list(zip(attribute.shardings, types, strict=False))
    return violations(ResultAnnotation(operation, listed, attribute))


@function_value_rule("sdy.sharding")
def sharding_of_value(
    function: Operation, attribute: Attribute, value_type: Type
) -> Iterator[AttributeViolation]:
    """The sharding of an argument or a result."""
    if not isinstance(attribute, TensorSharding):
        return wrong_kind(attribute, "#sdy.sharding")
    return violations(DiscardableShardings(function, [(attribute, value_type)]))


@operation_rule("sdy.sharding_rule")
def sharding_rule(operation: Operation, attribute: Attribute) -> Iterator[AttributeViolation]:
    """How an operation can be divided."""
    if not isinstance(attribute, OpShardingRule):
        return wrong_kind(attribute, "#sdy.op_sharding_rule")
    if operation.name.startswith("vhlo."):  # its types have shapes only once they are StableHLO's
        return iter(())
    return violations(FactorRules(operation, attribute))


@operation_rule("sdy.propagation_edges")
def propagation_edges(operation: Operation, attribute: Attribute) -> Iterator[AttributeViolation]:
    """Where the shardings of an operation come from."""
    if not isinstance(attribute, PropagationEdges):
        return wrong_kind(attribute, "#sdy.propagation_edges")
    return violations(PropagationRules(operation, attribute))


def list_of_edges(operation: Operation, attribute: Attribute) -> Iterator[AttributeViolation]:
    """Where the shardings of each result, or of each argument of a block, come from."""
    items = attribute.items if isinstance(attribute, ArrayAttribute) else (attribute,)
    if all(isinstance(item, PropagationEdges) for item in items):
        return iter(())
    return wrong_kind(attribute, "list of #sdy.propagation_edges")


EDGE_LISTS: Final = ("sdy.result_propagation_edges", "sdy.block_arg_propagation_edges")
for _name in EDGE_LISTS:
    operation_rule(_name)(list_of_edges)
