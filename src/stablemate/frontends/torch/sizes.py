"""Symbolic sizes of PyTorch as those of programs.

A ``SymInt`` holds an expression of SymPy over symbols, each of which is the size of a dimension of
an argument, or an argument.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TypeGuard

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.frontends.tensor_functions.graph import WIDE, SizeLike, TensorGraph
from stablemate.frontends.torch import pytorch
from stablemate.frontends.torch.computed_sizes import COMPUTED, computed_number
from stablemate.frontends.torch.fx import (
    SymbolicNumber,
    SympyExpression,
    TorchSize,
    is_symbolic_number,
)
from stablemate.numerics.symbolic_sizes import Assumptions, SymbolicSize, typical_of

TYPICAL = 8  # of a symbol for which PyTorch has no example


class SizeTable:
    """The variables of a program by the names of PyTorch's symbols."""

    # Attributes: variables by the text of the expression that each stands for; of these the
    # expressions that are rounded or chosen.

    def __init__(self, assumptions: Assumptions) -> None:
        self.assumptions = assumptions
        self.variables: dict[str, SymbolicSize] = {}
        self.computed: dict[str, SympyExpression] = {}

    def size(self, value: TorchSize) -> SizeLike:
        """An ``int`` or ``SymInt`` as a size.

        Raises:
            UnsupportedError: Its expression is none that sizes have.
        """
        if isinstance(value, int):
            return value
        return self.size_of_expression(value.node.expr, value)

    def symbol(self, value: SymbolicNumber) -> SymbolicSize:
        """A ``SymInt`` that is a single symbol, or computed, as a size."""
        return self.variable(value.node.expr, value)

    def size_of_expression(self, expression: SympyExpression, value: SymbolicNumber) -> SizeLike:
        """An expression of SymPy as a size."""
        if expression.is_Integer:
            return int(expression)
        if expression.is_Symbol:
            return self.variable(expression, value)
        kind = type(expression).__name__
        if kind in COMPUTED:
            self.computed[str(expression)] = expression
            return self.variable(expression, value)
        operands = [self.size_of_expression(operand, value) for operand in expression.args]
        match kind, operands:
            case "Add", _:
                return sum(operands[1:], operands[0])
            case "Mul", _:
                return prod(operands[1:], start=operands[0])
            case "Pow" | "PowByNatural", [base, int(exponent)] if exponent >= 0:
                return prod([base] * exponent)
            case "FloorDiv" | "CleanDiv" | "IntTrueDiv", [dividend, divisor]:
                return dividend // divisor
            case "CeilDiv", [dividend, divisor]:
                return -(-dividend // divisor)
            case "Mod" | "PythonMod", [dividend, divisor]:
                return dividend % divisor
            case "Max" | "Min", _:
                return self.extreme(kind.lower(), operands)
            case "Identity", [operand]:
                return operand
            case _:
                raise UnsupportedError(
                    f"no size of a program is computed by {kind}, as in {expression}"
                )

    def variable(self, symbol: object, value: SymbolicNumber) -> SymbolicSize:
        """The variable of a symbol; its example in PyTorch is its typical value."""
        name = str(symbol)
        if name not in self.variables:
            hint = pytorch.example_of(value, symbol)
            typical = max(2, hint) if hint is not None else TYPICAL
            bounds = pytorch.bounds_of(value, symbol)
            self.variables[name] = self.assumptions.symbol(typical, *bounds)
        return self.variables[name]

    def extreme(self, function: str, operands: list[SizeLike]) -> SizeLike:
        """The largest or smallest of several sizes."""
        result = operands[0]
        for operand in operands[1:]:
            pair = typical_of(result), typical_of(operand)
            typical = max(pair) if function == "max" else min(pair)
            result = self.assumptions.result_of(function, (result, operand), typical)
        return result

    def is_computed(self, value: object) -> TypeGuard[SymbolicNumber]:
        """Whether a size of PyTorch is rounded or chosen."""
        return is_symbolic_number(value) and str(value.node.expr) in self.computed

    def are_known(self, graph: TensorGraph, values: Sequence[TorchSize]) -> bool:
        """Whether a graph can compute some numbers of PyTorch."""
        computed = dict(self.computed)
        try:
            sizes = [self.size(value) for value in values]
            for value in values:
                if not isinstance(value, int):
                    self.bind_computed(graph, value)
        except UnsupportedError:
            self.computed = computed
            return False
        return all(graph.is_known(size) for size in sizes)

    def bind_computed(self, graph: TensorGraph, value: SymbolicNumber) -> None:
        """Computes the sizes that are rounded or chosen, and that have no value in a graph yet."""
        for name, expression in list(self.computed.items()):
            if not graph.is_bound(self.variables[name]):
                number = computed_number(
                    graph, expression, lambda part: self.size_of_expression(part, value)
                )
                graph.bind(self.variables[name], number.convert(WIDE).value)
