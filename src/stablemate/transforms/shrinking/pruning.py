"""Pruning: replaces operations by one of their operands or by zeros."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from stablemate.dialects.stablehlo.constant import Constant
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Module, Operation, OpResult, Value
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array, QuantizedType
from stablemate.transforms.outlining import is_constant


def prunable(module: Module) -> Iterator[Operation]:
    """The nested operations, without functions, that can be pruned."""
    for function in module.body.operations:
        for operation in function.walk():
            outer = operation.parent_operation()
            if outer not in (None, function) and can_give_way(operation):
                yield operation


def can_give_way(operation: Operation) -> bool:
    """Whether all results of an operation have substitutes."""
    is_kept = is_constant(operation) or operation.definition.terminator or operation.regions
    return not is_kept and all(substitute(result) is not None for result in operation.results)


def substitute(result: OpResult) -> Value | Array | None:
    """The substitute of a result: an operand of its type, or zeros; None if there is none."""
    for operand in result.operation.operands:
        if operand.type == result.type:
            return operand
    value_type = result.type
    is_plain = (
        isinstance(value_type, TensorType) and value_type.is_static and not value_type.encoding
    )
    if not is_plain or isinstance(value_type.element_type, QuantizedType):
        return None
    return np.broadcast_to(np.zeros((), value_type.element_type.dtype), value_type.shape)


def prune_operations(module: Module, dropped: set[Operation]) -> Module:
    """The module without some operations that can be pruned."""
    return module.with_operation(OperationPruning(dropped).copy_operation(module.operation))


class OperationPruning(Rewriting):
    """Copies a module and prunes operations."""

    def __init__(self, dropped: set[Operation]) -> None:
        super().__init__({})
        self.dropped = dropped

    def place(self, operation: Operation, block: Block) -> None:
        """Copies an operation unless it is pruned."""
        if operation not in self.dropped:
            super().place(operation, block)
            return
        for result in operation.results:
            replacement = substitute(result)
            if isinstance(replacement, Value):
                self.values[result] = self.values.get(replacement, replacement)
            else:
                assert replacement is not None
                literal = dense_elements(
                    result.type, replacement[(slice(0, 1),) * replacement.ndim]
                )
                constant = Builder(block).create(Constant, value=literal)
                self.values[result] = constant.results[0]
