"""Evaluates operations of CHLO by their decompositions, without rewriting a module.

Functions of floats that are narrower than 64 bits are computed in 64 bits, block by block, and
correctly rounded: results that are nearly half way between two numbers are computed again in many
digits.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from typing import Any, Final, cast

import numpy as np

from stablemate.diagnostics.errors import StablemateError
from stablemate.dialects.chlo.elementwise import Evaluator
from stablemate.dialects.stablehlo.double_double_functions import exact_by_digits
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Operation, Value
from stablemate.ir.definition import Op
from stablemate.ir.locations import UNKNOWN
from stablemate.ir.rewriter import Pattern, expansion_key
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.correct_rounding import ziv_rounding
from stablemate.numerics.correct_rounding.ziv_rounding import Function
from stablemate.numerics.elements import F64, Array, ElementType, FloatType
from stablemate.numerics.large_arrays import BLOCK, by_table, in_blocks
from stablemate.transforms.chlo.evaluation.rounding_errors import ERRORS
from stablemate.transforms.chlo.patterns import ElementwisePattern

FEW: Final = 64  # elements for whose number constants are prepared
SHARED: Final = 64  # functions of one name that are kept


def evaluator(pattern: Pattern) -> Evaluator:
    """Prepares operations by the operations that a pattern creates for them."""

    def prepare(operation: Op) -> Function:
        block = Block([operand.type for operand in operation.operands])
        result = pattern(copy_operation(operation, block), builder_at(block, operation))
        assert isinstance(result, Value)
        return function_of(block.arguments, block.operations, result)

    return prepare


def share_functions(evaluator: Evaluator) -> Evaluator:
    """Prepares operations; those of the same static types share a function.

    A function is kept without the text that its operation was read from.
    """
    functions: dict[Hashable, Callable[..., Any]] = {}

    def prepare(operation: Op) -> Function:
        types = [value.type for value in operation.operands]
        if not all(isinstance(tensor, TensorType) and tensor.is_static for tensor in types):
            return evaluator(operation)  # which may fail when it runs, and says where
        key = expansion_key(operation)
        function = functions.get(key)
        if function is None:
            model = cast("Op", operation.clone(Block(types).arguments, UNKNOWN, None))
            try:
                function = evaluator(model)
            except StablemateError:
                return evaluator(operation)  # which fails, too, and says where
            while len(functions) >= SHARED:
                functions.pop(next(iter(functions)), None)
            functions[key] = function
        return function

    return prepare


def rounding_evaluator(pattern: ElementwisePattern) -> Evaluator:
    """Prepares operations on any numbers, narrow floats with correctly rounded results."""
    usual = evaluator(pattern)

    def prepare(operation: Op) -> Function:
        element = operation.operands[0].type.element_type
        if not is_narrow(element):
            return usual(operation)
        return correctly_rounded(operation, pattern, element)

    return share_functions(prepare)


def is_narrow(element: ElementType) -> bool:
    """Whether it is a float of less than 64 bits."""
    return isinstance(element, FloatType) and element != F64


def correctly_rounded(operation: Op, pattern: ElementwisePattern, element: FloatType) -> Function:
    """The function of narrow floats that an operation computes."""
    name = operation.name.removeprefix("chlo.")
    errors = ERRORS[name]
    rounded = ziv_rounding.correctly_rounded(
        doubles_of(operation, pattern),
        exact_by_digits(name),
        element,
        errors.units,
        errors.further,
    )
    function = in_blocks(rounded, element.dtype)
    return by_table(function, element) if len(operation.operands) == 1 else function


def doubles_of(operation: Op, pattern: ElementwisePattern) -> Function:
    """The function of arrays of narrow floats, with 64-bit results that are not rounded yet.

    A formula has constants of the shape of its operands: they are prepared for arrays of few
    elements, and made anew for each block of larger ones.
    """

    @cache
    def of_shape(shape: tuple[int, ...]) -> Function:
        types = [operand.type.with_shape(shape) for operand in operation.operands]
        block = Block(types)
        result = pattern.unrounded_value(
            copy_operation(operation, block), builder_at(block, operation)
        )
        return function_of(block.arguments, block.operations, result)

    @cache
    def of_blocks() -> Function:
        return of_shape((DYNAMIC,))

    def of_arrays(*operands: Array) -> object:
        shape = np.shape(operands[0])
        if np.size(operands[0]) <= FEW:
            return of_shape(shape)(*operands)
        if np.size(operands[0]) == BLOCK:
            return of_shape((BLOCK,))(*map(np.ravel, operands)).reshape(shape)
        return of_blocks()(*map(np.ravel, operands)).reshape(shape)

    return of_arrays


def copy_operation(operation: Op, block: Block) -> Op:
    """The operation on the arguments of a block."""
    types = [result.type for result in operation.results]
    return type(operation)(block.arguments, types, operation.attributes, span=operation.span)


def builder_at(block: Block, operation: Op) -> Builder:
    """Creates operations in a block, at the location of an operation."""
    return Builder(block, operation.location, operation.span)


def function_of(
    arguments: Sequence[Value], operations: Sequence[Operation], result: Value
) -> Function:
    """The function from arguments to a result that operations with one result compute."""
    steps = [
        (operation.prepare(()), operation.operands, operation.results[0])
        for operation in operations
        if isinstance(operation, Op)
    ]
    last_uses = {value: i for i, (_, inputs, _) in enumerate(steps) for value in inputs}
    ends = [
        [value for value in {*inputs} if last_uses[value] == i]
        for i, (_, inputs, _) in enumerate(steps)
    ]

    def function(*operands: object) -> Any:
        values = dict(zip(arguments, operands, strict=True))
        for (step, inputs, output), dead in zip(steps, ends, strict=True):
            values[output] = step(*[values[value] for value in inputs])
            for value in dead:  # so that memory is used again while it is in the cache
                del values[value]
        return values[result]

    return function
