"""Custom calls whose results are a tuple, as calls with several results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.dialects.stablehlo.get_tuple_element import GetTupleElement
from stablemate.dialects.stablehlo.tuple import Tuple
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Module, Operation, Value
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import TensorType, TupleType
from stablemate.transforms.sharding_import.boundaries import PARTNERS

SHARDING_GROUP: Final = "xla.sdy.ShardingGroup"
TARGETS: Final = (*PARTNERS, SHARDING_GROUP)


def with_single_results(module: Module) -> Module:
    """The module with several results in the place of tuples at boundaries."""
    operations = list(module.operation.walk())
    if not any(map(returns_tuple, operations)):
        return module
    taken_whole = {
        value
        for operation in operations
        if not isinstance(operation, GetTupleElement)
        for value in operation.operands
    }
    return module.with_operation(SingleResults(taken_whole).copy_operation(module.operation))


def returns_tuple(operation: Operation) -> bool:
    """Whether a boundary returns a tuple."""
    return (
        isinstance(operation, CustomCall)
        and operation.call_target_name in TARGETS
        and len(operation.results) == 1
        and isinstance(operation.results[0].type, TupleType)
    )


class SingleResults(Rewriting):
    """Copies a module with several results in the place of tuples at boundaries.

    Attributes:
        taken_whole: The values that other operations than ``get_tuple_element`` use.
        parts: The results in the place of each tuple.
    """

    def __init__(self, taken_whole: set[Value[TensorType]]) -> None:
        super().__init__({})
        self.taken_whole = taken_whole
        self.parts: dict[Value[TensorType], Sequence[Value[TensorType]]] = {}

    def place(self, operation: Operation, block: Block) -> None:
        """Copies an operation, or takes a result in the place of an element of a tuple."""
        if returns_tuple(operation):
            self.place_call(operation, block)
        elif isinstance(operation, GetTupleElement) and operation.operands[0] in self.parts:
            self.values[operation.results[0]] = self.parts[operation.operands[0]][operation.index]
        else:
            super().place(operation, block)

    def place_call(self, operation: Operation, block: Block) -> None:
        """Copies a boundary with a result for each element of its tuple."""
        (result,) = operation.results
        copy = self.copy_operation(operation)
        copy.set_result_types(result.type.types)
        block.append(copy)
        self.parts[result] = copy.results
        if result in self.taken_whole:
            builder = Builder(block, operation.location, operation.span)
            self.values[result] = builder.create(Tuple, val=copy.results).results[0]
