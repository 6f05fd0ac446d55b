"""Shardy's attributes on operations of other dialects, and on arguments and results of functions.

Source: Shardy dialect, sharding, sharding_per_value, op_sharding_rule; what its verifier checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from stablemate.dialects.sdy.attributes import (
    OpShardingRule,
    TensorSharding,
    TensorShardingPerValue,
)
from stablemate.dialects.sdy.factors import FactorRules
from stablemate.dialects.sdy.propagation import PropagationEdges, PropagationRules
from stablemate.dialects.sdy.sharding import Sharding, names_axes
from stablemate.ir.attributes import ArrayAttribute
from stablemate.ir.core import Operation
from stablemate.ir.definition import Check, constraint, constraints_of, holds
from stablemate.ir.discardable import Broken, on_function_values, on_operations
from stablemate.ir.types import Attribute, NoneType, Type


@dataclass(frozen=True, slots=True)
class Annotation(Sharding):
    """Shardings that a program states in a discardable attribute."""

    at: Operation
    listed: Sequence[tuple[TensorSharding, Type]]

    @property
    def operation(self) -> Operation:
        """Where the attribute stands."""
        return self.at

    def shardings(self) -> Sequence[tuple[TensorSharding, Type]]:
        """Those of the attribute."""
        return self.listed


@dataclass(frozen=True, slots=True)
class ResultAnnotation(Annotation):
    """The shardings of the results of an operation.

    Attributes:
        attribute: The list, as it stands.
    """

    attribute: TensorShardingPerValue

    @constraint("count")
    def counts_fit(self) -> Check:
        """There is a sharding for each result"""
        count, results = len(self.attribute.shardings), len(self.at.results)
        fits = count == results or says_where(self.at, self.attribute)
        return holds(fits, shardings=count, results=results)


def says_where(operation: Operation, attribute: TensorShardingPerValue) -> bool:
    """Whether it has no results and only says where it runs."""
    shardings = attribute.shardings
    return not operation.results and len(shardings) == 1 and not names_axes(shardings[0])


def broken(rules: object) -> Iterator[Broken]:
    """Those of an object's constraints that do not hold."""
    for rule in constraints_of(type(rules)):
        violation = rule.check(rules)
        if violation is not None:
            yield Broken(rule.label, rule.formula, violation)


def other_kind(attribute: Attribute, expected: str) -> Iterator[Broken]:
    """The rule that says which attributes may bear a name."""
    violation = holds(False, attribute=attribute)
    assert violation is not None
    yield Broken("kind", f"It is a {expected}", violation)


@on_operations("sdy.sharding")
def sharding_of_results(operation: Operation, attribute: Attribute) -> Iterator[Broken]:
    """A sharding for each result."""
    if not isinstance(attribute, TensorShardingPerValue):
        return other_kind(attribute, "#sdy.sharding_per_value")
    types: list[Type] = [value.type for value in operation.results]
    if says_where(operation, attribute):
        types = [NoneType()]
    listed = list(zip(attribute.shardings, types, strict=False))
    return broken(ResultAnnotation(operation, listed, attribute))


@on_function_values("sdy.sharding")
def sharding_of_value(
    function: Operation, attribute: Attribute, value_type: Type
) -> Iterator[Broken]:
    """The sharding of an argument or a result."""
    if not isinstance(attribute, TensorSharding):
        return other_kind(attribute, "#sdy.sharding")
    return broken(Annotation(function, [(attribute, value_type)]))


@on_operations("sdy.sharding_rule")
def sharding_rule(operation: Operation, attribute: Attribute) -> Iterator[Broken]:
    """How an operation can be divided."""
    if not isinstance(attribute, OpShardingRule):
        return other_kind(attribute, "#sdy.op_sharding_rule")
    if operation.name.startswith("vhlo."):  # its types say their shapes once they are StableHLO's
        return iter(())
    return broken(FactorRules(operation, attribute))


@on_operations("sdy.propagation_edges")
def propagation_edges(operation: Operation, attribute: Attribute) -> Iterator[Broken]:
    """Where the shardings of an operation come from."""
    if not isinstance(attribute, PropagationEdges):
        return other_kind(attribute, "#sdy.propagation_edges")
    return broken(PropagationRules(operation, attribute))


def list_of_edges(operation: Operation, attribute: Attribute) -> Iterator[Broken]:
    """Where the shardings of each result, or of each argument of a block, come from."""
    items = attribute.items if isinstance(attribute, ArrayAttribute) else (attribute,)
    if all(isinstance(item, PropagationEdges) for item in items):
        return iter(())
    return other_kind(attribute, "list of #sdy.propagation_edges")


EDGE_LISTS: Final = ("sdy.result_propagation_edges", "sdy.block_arg_propagation_edges")
for _name in EDGE_LISTS:
    on_operations(_name)(list_of_edges)
