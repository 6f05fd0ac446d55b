"""Limits on results whose sizes are values that operands hold.

The sizes of most results follow from types, and are checked when a function is prepared. Those of
``dynamic_pad`` and its like are known once the operands have arrived: the operation is asked for
its result types as if these operands were constants, before it computes anything.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from stablemate.diagnostics.errors import EvaluationError
from stablemate.diagnostics.limits import Limits
from stablemate.dialects.refinement import refined_types, size_positions
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.execution.allocation import excess_of, reject_oversized
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import create
from stablemate.ir.core import Operation, Value
from stablemate.ir.definition import Op
from stablemate.ir.types import TensorType, Type
from stablemate.ir.verifier import execution_errors
from stablemate.numerics.elements import Array

# Each saves the computation of a result's size, and holds a tuple.
ALLOWED_SIZES: Final = 64  # combinations of sizes that are remembered for one operation


def limited_by_values(
    operation: Operation, function: Callable[..., object], limits: Limits
) -> Callable[..., object]:
    """The function of an operation, which rejects operands that ask for results that are too large.

    Args:
        operation: The operation, with the types of its operands.
        function: Computes the results, or starts a process that does.
        limits: The limits of the run.
    """
    positions = size_positions(operation)
    is_open = any(
        isinstance(result.type, TensorType) and not result.type.is_static
        for result in operation.results
    )
    if not positions or not is_open or not isinstance(operation, Op):
        return function
    return LimitedByValues(operation, function, limits, positions)


class LimitedByValues:
    """A function that checks the sizes that some of its operands hold.

    Attributes:
        operation: The operation.
        function: Computes the results.
        limits: The limits of the run.
        positions: The operands that hold sizes.
        allowed: Bytes of such operands whose results may be allocated.
    """

    __slots__ = ("allowed", "function", "limits", "operation", "positions")

    def __init__(
        self,
        operation: Op,
        function: Callable[..., object],
        limits: Limits,
        positions: Sequence[int],
    ) -> None:
        self.operation = operation
        self.function = function
        self.limits = limits
        self.positions = positions
        self.allowed: set[tuple[bytes, ...]] = set()

    def __call__(self, *operands: object) -> object:
        """The results.

        Raises:
            LimitError: They may not be allocated.
            EvaluationError: They may not, and the sizes break a rule, too.
        """
        sizes = [np.asarray(operands[i]) for i in self.positions]
        key = tuple([array.tobytes() for array in sizes])
        if key not in self.allowed:
            self.reject_sizes(sizes)
            if len(self.allowed) >= ALLOWED_SIZES:
                self.allowed.clear()
            self.allowed.add(key)
        return self.function(*operands)

    def reject_sizes(self, sizes: Sequence[Array]) -> None:
        """Rejects sizes for which a result may not be allocated.

        Raises:
            LimitError: It may not.
            EvaluationError: It may not, and the sizes break a rule, too.
        """
        special = with_constants(self.operation, dict(zip(self.positions, sizes, strict=True)))
        types = refined_types(special)
        if not any(excess_of(value_type, self.limits.tensor_bytes) for value_type in types):
            return
        for broken in execution_errors(special):
            raise EvaluationError(broken)
        for value_type in types:
            reject_oversized(value_type, self.limits, self.operation)


def with_constants(operation: Op, constants: dict[int, Array]) -> Op:
    """The operation with constants as some of its operands; it is not listed in its block."""
    special = copy.copy(operation)
    special.operands = tuple(
        constant_like(operand, constants[i]) if i in constants else operand
        for i, operand in enumerate(operation.operands)
    )
    special.set_result_types([value.type for value in operation.results])
    return special


def constant_like(value: Value[TensorType], array: Array) -> Value[Type]:
    """A constant of the type of a value, in the shape that has arrived."""
    value_type = TensorType(array.shape, value.type.element_type)
    literal = dense_elements(value_type, array.reshape(-1))
    return create(Constant, value=literal, results=(value_type,)).results[0]
