"""Evaluates operations of CHLO by their decompositions, without rewriting a module."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from stablemate.dialects.chlo.elementwise import Evaluator
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Operation, Value
from stablemate.ir.definition import Op
from stablemate.ir.rewriter import Pattern


def evaluator(pattern: Pattern) -> Evaluator:
    """Prepares operations by the operations that a pattern creates for them."""

    def prepared(operation: Op) -> Callable[..., Any]:
        block = Block([operand.type for operand in operation.operands])
        copy = type(operation)(
            block.arguments,
            [result.type for result in operation.results],
            operation.attributes,
            span=operation.span,
        )
        result = pattern(copy, Builder(block, operation.location, operation.span))
        assert isinstance(result, Value)
        return function_of(block.arguments, block.operations, result)

    return prepared


def function_of(
    arguments: Sequence[Value[Any]], operations: Sequence[Operation], result: Value[Any]
) -> Callable[..., Any]:
    """The function from arguments to a result that operations with one result compute."""
    steps = [
        (operation.prepare(()), operation.operands, operation.results[0])
        for operation in operations
        if isinstance(operation, Op)
    ]

    def function(*operands: Any) -> Any:
        values = dict(zip(arguments, operands, strict=True))
        for step, inputs, output in steps:
            values[output] = step(*[values[value] for value in inputs])
        return values[result]

    return function
