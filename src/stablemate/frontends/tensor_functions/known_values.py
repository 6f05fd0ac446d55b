"""Known values while a program is built: constants, and integers made of sizes.

Nothing is computed until it is asked for. Then the operations that a value comes from are
evaluated, on arrays of numbers by the definition of each operation; on arrays that hold symbolic
sizes as ``dialects.symbolic_evaluation`` does it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from stablemate.diagnostics.errors import StablemateError
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.reduce import Reduce
from stablemate.dialects.symbolic_evaluation import (
    evaluate_on_sizes,
    holds_sizes,
    object_array,
    reduce_sizes,
)
from stablemate.frontends.tensor_functions.tensor import Tensor
from stablemate.ir.core import BlockArgument, Operation, OpResult, Value
from stablemate.ir.definition import Op, unpack_results
from stablemate.ir.types import Type
from stablemate.numerics.elements import Array, FloatType, IntegerType
from stablemate.numerics.symbolic_sizes import SizeValueError

MOST_ELEMENTS: Final = 1 << 22  # of an array that is evaluated


class KnownValues:
    """The values of a program under construction that are known."""

    def __init__(self) -> None:
        self._arrays: dict[Value[Type], Array | None] = {}

    def array(self, x: Tensor) -> Array | None:
        """The elements of a tensor; of type object where some are sizes; None if unknown."""
        arrays = self._arrays
        pending: list[tuple[Value[Any], bool]] = [(x.value, False)]
        while pending:
            value, is_ready = pending.pop()
            if value in arrays:
                continue
            size = x.graph.size_of(value)
            if size is not None:
                arrays[value] = object_array([size], ())
            elif not isinstance(value, OpResult) or value.operation.definition.terminator:
                arrays[value] = None
            elif is_ready:
                self.evaluate(value.operation)
            else:
                pending.append((value, True))
                pending += [(operand, False) for operand in value.operation.operands]
        return arrays[x.value]

    def evaluate(self, operation: Operation) -> None:
        """Notes the results of an operation whose operands have been looked at."""
        operands = [self._arrays[operand] for operand in operation.operands]
        results: Sequence[Array | None] = [None] * len(operation.results)
        if all(operand is not None for operand in operands) and is_small(operation):
            known = [operand for operand in operands if operand is not None]
            try:
                with np.errstate(all="ignore"):
                    results = evaluate_operation(operation, known)
            except (StablemateError, SizeValueError, TypeError, ZeroDivisionError):
                pass  # it is unknown, and will be said when the program runs
        self._arrays.update(zip(operation.results, results, strict=True))

    def arguments_of(self, value: Value[Type]) -> list[BlockArgument[Type]]:
        """The arguments that a value depends on."""
        return [source for source in self.sources_of(value) if isinstance(source, BlockArgument)]

    def sources_of(self, value: Value[Type]) -> Iterator[Value[Type]]:
        """The values that a value depends on, itself among them."""
        seen, pending = {value}, [value]
        while pending:
            source = pending.pop()
            yield source
            if isinstance(source, OpResult):
                operands = [v for op in source.operation.walk() for v in op.operands]
                pending += [v for v in dict.fromkeys(operands) if v not in seen]
                seen.update(operands)


def is_small(operation: Operation) -> bool:
    """Whether the results have few enough elements to be evaluated."""
    return all(
        not value.type.is_static or value.type.size <= MOST_ELEMENTS for value in operation.results
    )


def evaluate_operation(operation: Operation, operands: Sequence[Array]) -> Sequence[Array | None]:
    """The results of an operation; None of those that cannot be evaluated."""
    assert isinstance(operation, Op)
    is_single = len(operation.results) == 1
    if is_single and any(operand.dtype == object for operand in operands):
        return [evaluated_sizes(operation, operands)]
    if is_single and isinstance(operation, Reduce):
        return [in_result_type(reduce_sizes(operation, operands), operation)]
    if operation.regions or any(operand.dtype == object for operand in operands):
        return [None] * len(operation.results)
    results = unpack_results(operation.evaluate(*operands), len(operation.results))
    return [np.asarray(result) for result in results]


def evaluated_sizes(operation: Op, operands: Sequence[Array]) -> Array | None:
    """The result of an operation on arrays of which some hold sizes.

    Floats that hold sizes are moved, selected and converted, if no size is rounded; they are not
    computed with.
    """
    if isinstance(operation, Convert) and not (is_integer(operation) or is_wide_float(operation)):
        return None
    if is_wide_float(operation) and not keeps_elements(operation):
        return None
    return in_result_type(evaluate_on_sizes(operation, operands), operation)


def in_result_type(values: Array | None, operation: Op) -> Array | None:
    """Values in the element type of the result, if none of them is a size."""
    if values is None or holds_sizes(values):
        return values
    return values.astype(operation.results[0].type.element_type.dtype)


def is_integer(operation: Op) -> bool:
    """Whether the result of an operation has integers that sizes fit in."""
    element = operation.results[0].type.element_type
    return isinstance(element, IntegerType) and element.width >= 32


def is_wide_float(operation: Op) -> bool:
    """Whether the result of an operation has floats that hold sizes without rounding."""
    element = operation.results[0].type.element_type
    return isinstance(element, FloatType) and element.bits >= 32


def keeps_elements(operation: Op) -> bool:
    """Whether the elements of a result are elements of the operands."""
    if isinstance(operation, Reduce):
        combining = operation.regions[0].block.operations[0]
        return isinstance(combining, Op) and keeps_elements(combining)
    is_kept = isinstance(operation, Convert) or operation.laws.idempotent
    return is_kept or bool(operation.moved_operands())
