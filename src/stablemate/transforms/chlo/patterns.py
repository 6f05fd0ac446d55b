"""From formulas to patterns: element types, and results of the declared type."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace
from typing import TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation, OpResult, Value
from stablemate.ir.rewriter import Pattern, Replacement
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import F32, F64, ComplexType, ElementType, FloatType
from stablemate.transforms.chlo.arithmetic import convert
from stablemate.transforms.chlo.expressions import Formula, TensorExpression

Function: TypeAlias = Callable[..., TensorExpression]  # of one expression for each operand


@dataclass(frozen=True, slots=True)
class ElementwisePattern:
    """The pattern of an elementwise operation.

    Attributes:
        of_floats: The formula for floats; it sees elements of ``computed_in`` or 64-bit ones.
        of_complex: The formula for complex numbers, if there is one.
        computed_in: What narrower floats are converted to, and their results back from.
        singles_in: The same for ``f32`` itself; by default ``computed_in``.
        parts_in: The same for parts of complex numbers; by default their own type.
    """

    of_floats: Function
    of_complex: Function | None = None
    computed_in: FloatType = F32
    singles_in: FloatType | None = None
    parts_in: FloatType | None = None

    @property
    def in_doubles(self) -> ElementwisePattern:
        """The pattern that computes all numbers in 64 bits and rounds them once."""
        return replace(self, computed_in=F64, parts_in=F64)

    def __call__(self, operation: Operation, builder: Builder) -> Value[TensorType]:
        """The value that replaces an operation."""
        result = self.compute(operation, builder)
        element = operation.operands[0].type.element_type
        return with_declared_type(operation, convert(result, element), builder)

    def unrounded_value(self, operation: Operation, builder: Builder) -> Value[TensorType]:
        """The value of an operation in the element type in which it is computed."""
        return self.compute(operation, builder).value

    def compute(self, operation: Operation, builder: Builder) -> TensorExpression:
        """The result of the formula."""
        formula = Formula(builder, operation.operands[0])
        operands = [formula.of(value) for value in operation.operands]
        function, wide = self.implementation(operation, operands[0].element)
        return function(*[convert(x, wide) for x in operands])

    def implementation(
        self, operation: Operation, element: ElementType
    ) -> tuple[Function, ElementType]:
        """The formula for an element type, and the element type that it sees."""
        if not isinstance(element, ComplexType):
            return self.of_floats, self.float_of(element)
        if self.of_complex is None:
            message = f"{operation.name} of {element} has no decomposition"
            raise UnsupportedError(message, span=operation.span)
        return self.of_complex, ComplexType(self.parts_in) if self.parts_in else element

    def float_of(self, element: ElementType) -> FloatType:
        """The type in which functions of a float type are computed."""
        if element == F64:
            return F64
        if element == F32 and self.singles_in is not None:
            return self.singles_in
        return self.computed_in


def native(pattern: ElementwisePattern, elements: Container[ElementType]) -> Pattern:
    """The pattern for an executor that has the function of some element types itself.

    Operations on these stay. If ``f32`` is one of them, those on narrower floats become operations
    on ``f32``.
    """

    def rewrite(operation: Operation, builder: Builder) -> Replacement:
        operand = operation.operands[0]
        element = operand.type.element_type
        if element in elements:
            return None
        if element == F64 or isinstance(element, ComplexType) or F32 not in elements:
            return pattern(operation, builder)
        wide = convert(Formula(builder, operand).of(operand), F32)
        result = TensorExpression(
            wide.formula, builder.create(type(operation), operand=wide.value).results[0]
        )
        return with_declared_type(operation, convert(result, element), builder)

    return rewrite


def exact(function: Function) -> Pattern:
    """The pattern of an operation whose formula is right for every element type."""

    def rewrite(operation: Operation, builder: Builder) -> Value[TensorType]:
        formula = Formula(builder, operation.operands[0])
        result = function(*[formula.of(value) for value in operation.operands])
        return with_declared_type(operation, result, builder)

    return rewrite


def with_declared_type(
    operation: Operation, result: TensorExpression, builder: Builder
) -> Value[TensorType]:
    """The value of an expression, with the type that the replaced operation declares."""
    return retype_value(result.value, operation.results[0].type, builder)


def retype_value(
    value: Value[TensorType], declared_type: TensorType, builder: Builder
) -> Value[TensorType]:
    """The value with a type that differs from its own only in what it leaves open."""
    if value.type == declared_type:
        return value
    maker = value.operation if isinstance(value, OpResult) else None
    if maker is None or maker.parent is not builder.block:  # an operand, which others use too
        return builder.create(Convert, operand=value, results=[declared_type]).results[0]
    maker.set_result_types([declared_type])
    return maker.results[0]
