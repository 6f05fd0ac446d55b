"""Operations on tensors whose sizes are known only at run time.

For every new combination of shapes the operation is specialized to the types at run time: its
constraints are checked as by the verifier, and its function is prepared for these types. So a
program with dynamic sizes obeys the same rules as a static one, with the same diagnostics.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

from stablemate.diagnostics.errors import EvaluationError
from stablemate.dialects.refinement import declared_types, refined_types
from stablemate.ir.core import Value
from stablemate.ir.definition import Op
from stablemate.ir.type_rules import broken_rule, rule_diagnostic
from stablemate.ir.types import TensorType, Type, UnrankedTensorType
from stablemate.ir.verifier import execution_errors

Function: TypeAlias = Callable[..., object]
Preparation: TypeAlias = Callable[[Op], Function]  # computes the results of an operation
Shape: TypeAlias = tuple[int, ...]

# Each saves its preparation when shapes return, and holds memory.
CACHED_SHAPES: Final = 64  # combinations of shapes whose functions are cached for one operation
BY_BOUNDS: Final = "stablehlo.set_dimension_size"  # computes with its declared bound
OBSERVERS: Final = ("check.", "interpreter.")  # handle shapes themselves


def prepared_by_shape(operation: Op, prepare: Preparation) -> Function:
    """The function of an operation for operands of any shapes.

    Args:
        operation: The operation, as declared.
        prepare: Prepares the function of an operation.
    """
    if operation.name == BY_BOUNDS or operation.name.startswith(OBSERVERS):
        return prepare(operation)
    positions = [i for i, value in enumerate(operation.operands) if has_unknown_shape(value.type)]
    return ShapeSpecialized(operation, prepare, positions) if positions else prepare(operation)


def has_unknown_shape(value_type: Type) -> bool:
    """Whether this is a tensor whose shape is not known."""
    if isinstance(value_type, TensorType):
        return not value_type.is_static
    return isinstance(value_type, UnrankedTensorType)


class ShapeSpecialized:
    """The function of an operation, which prepares itself for each combination of shapes.

    Attributes:
        operation: The operation, as declared.
        prepare: Prepares the function of an operation.
        positions: The operands whose shapes are not known.
        functions: The prepared functions, by the shapes of these operands.
    """

    __slots__ = ("functions", "operation", "positions", "prepare")

    def __init__(self, operation: Op, prepare: Preparation, positions: Sequence[int]) -> None:
        self.operation = operation
        self.prepare = prepare
        self.positions = positions
        self.functions: dict[tuple[Shape, ...], Function] = {}

    def __call__(self, *operands: Any) -> object:
        """The results for these operands.

        Raises:
            EvaluationError: Their shapes break a rule of the operation.
        """
        shapes = tuple([operands[i].shape for i in self.positions])
        function = self.functions.get(shapes)
        if function is None:
            function = self.prepare(specialize_operation(self.operation, self.positions, shapes))
            if len(self.functions) >= CACHED_SHAPES:
                self.functions.clear()
            self.functions[shapes] = function
        return function(*operands)


def specialize_operation(operation: Op, positions: Sequence[int], shapes: Sequence[Shape]) -> Op:
    """The operation with the types that operands of these shapes have.

    It shares everything else with the operation, and is not listed in its block.

    Raises:
        EvaluationError: The types break a rule.
    """
    special = copy.copy(operation)
    operands = list(operation.operands)
    for i, shape in zip(positions, shapes, strict=True):
        operands[i] = with_shape(operands[i], shape)
    special.operands = tuple(operands)
    special.set_result_types(declared_types(special))
    for broken in execution_errors(special):
        raise EvaluationError(broken)
    special.set_result_types(refined_types(special))
    for value in (*special.operands, *special.results):
        reject_invalid_type(value.type, operation)
    return special


def with_shape(value: Value[TensorType], shape: Shape) -> Value[TensorType]:
    """A copy of the value whose type has this shape; its definition is still visible to rules."""
    copied = copy.copy(value)
    copied.type = TensorType(shape, value.type.element_type)
    return copied


def reject_invalid_type(value_type: Type, operation: Op) -> None:
    """Rejects a type that breaks a rule of types.

    Raises:
        EvaluationError: It does, for example because it lacks a scale for some slice.
    """
    violated = broken_rule(value_type)
    if violated is not None:
        broken = rule_diagnostic(violated, operation.span)
        raise EvaluationError(replace(broken, rule=f"{operation.name} {broken.rule}"))
