"""Elements of regions: what is computed from scores, given an element of each argument."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expressions
from stablemate.compiler.lowering.elements import Index, KernelElements, represent_elements
from stablemate.compiler.lowering.functions.exponential import exponential_of_negative
from stablemate.compiler.lowering.representation import Parts

SPREADING: Final = (
    "stablehlo.broadcast_in_dim", "stablehlo.convert", "stablehlo.reshape", "stablehlo.transpose",
)  # fmt: skip


class RegionElements(KernelElements):
    """Elements of a region whose arguments have known elements at the index in question.

    Attributes:
        arguments: The element of each argument.
        exponentials: Exponentials of numbers that are not positive.
        totals: Sums of exponentials, at least one each; quotients by them are products with their
            reciprocals.
    """

    def __init__(
        self,
        table: Expressions,
        buffers: Mapping[Tensor, Buffer],
        arguments: Mapping[Tensor, Parts],
        exponentials: Tensor | None = None,
        totals: Collection[Tensor] = (),
    ) -> None:
        super().__init__(table, buffers)
        self.arguments = arguments
        self.exponentials = exponentials
        self.totals = totals

    def element_expression(self, tensor: Tensor, index: Index) -> Parts:
        """The element of an argument, or the expression of the operation of another value."""
        parts = self.arguments.get(tensor)
        if parts is not None:
            return parts
        if tensor is self.exponentials and tensor.node is not None:
            (value,) = self.at(tensor.node.operands[0], index)
            return (represent_elements(tensor).round(exponential_of_negative(value)),)
        if self.totals and self.is_quotient(tensor.node):
            assert tensor.node is not None
            (value,), (total,) = (self.at(operand, index) for operand in tensor.node.operands)
            reciprocal = self.table.constant(1.0, total.type) / total
            return (represent_elements(tensor).round(value * reciprocal),)
        return super().element_expression(tensor, index)

    def is_quotient(self, node: Node | None) -> bool:
        """Whether a node divides by sums of exponentials."""
        if node is None or node.operation.name != "stablehlo.divide":
            return False
        divisor = node.operands[1]
        while divisor not in self.totals:
            if divisor.node is None or divisor.node.operation.name not in SPREADING:
                return False
            divisor = divisor.node.operands[0]
        return True
