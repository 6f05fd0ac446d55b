"""cse: what is computed twice, once."""

from __future__ import annotations

from collections.abc import Hashable

from stablemate.dialects.stablehlo.reduce import Reduce
from stablemate.dialects.stablehlo.reducers import MONOID_NAMES, combiners
from stablemate.ir.attributes import ELIDED
from stablemate.ir.core import Block, Module, Operation, Region, Value
from stablemate.ir.definition import Op, RequestOp
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import Type
from stablemate.transforms.dead_code import MAY_NOT_END, without_dead_code


def cse(module: Module) -> Module:
    """The module in which no two operations in reach of each other compute the same.

    Operations with effects and those that ask the world count each for itself; so do those with
    regions, except reductions by monoids.
    """
    top = Merging().copy_operation(module.operation)
    merged = module.with_operation(top)
    return without_dead_code(merged)


class Merging(Rewriting):
    """Copies a module, equal operations once.

    Attributes:
        scopes: The available results by what computes them, one scope per region, innermost last.
    """

    def __init__(self) -> None:
        super().__init__({})
        self.scopes: list[dict[Hashable, tuple[Value[Type], ...]]] = []

    def copied_region(self, region: Region) -> Region:
        """Available expressions by scope: those of a region are known in it alone."""
        outer_scopes = self.scopes
        isolated = region.parent is not None and region.parent.definition.isolated
        self.scopes = [{}] if isolated else [*outer_scopes, {}]
        copy = super().copied_region(region)
        self.scopes = outer_scopes
        return copy

    def place(self, operation: Operation, block: Block) -> None:
        """Copies an operation, unless what it computes is known."""
        if not self.is_mergeable(operation):
            super().place(operation, block)
            return
        key = self.key(operation)
        for scope in self.scopes:
            if key in scope:
                self.values.update(zip(operation.results, scope[key], strict=True))
                return
        super().place(operation, block)
        self.scopes[-1][key] = tuple([self.values[value] for value in operation.results])

    def is_mergeable(self, operation: Operation) -> bool:
        """Whether an operation has equal results wherever its operands are equal."""
        return is_mergeable(operation)

    def key(self, operation: Operation) -> Hashable:
        """The key that equal operations share."""
        return (
            operation.name,
            tuple([self.values.get(value, value) for value in operation.operands]),
            frozenset(operation.attributes.items()),
            frozenset(operation.discardable.items()),
            tuple([value.type for value in operation.results]),
            tuple(map(combiners, operation.regions)),
        )


def is_mergeable(operation: Operation) -> bool:
    """Whether an operation has equal results wherever its operands are equal."""
    if not isinstance(operation, Op) or isinstance(operation, RequestOp):
        return False
    if operation.regions and not (isinstance(operation, Reduce) and has_monoids(operation)):
        return False
    if operation.definition.terminator or not operation.results or operation.name == MAY_NOT_END:
        return False
    if getattr(operation.attributes.get("value"), "key", "") == ELIDED:
        return False  # other values were left out in other places
    return not operation.has_effects and operation.name not in ("func.call",)


def has_monoids(operation: Operation) -> bool:
    """Whether the regions of an operation combine values by monoids, and do nothing else."""
    rows = [combiners(region) for region in operation.regions]
    return all(row and all(name in MONOID_NAMES for name in row) for row in rows)
