"""Sums of products: the arithmetic of dots and convolutions."""

from __future__ import annotations

from dataclasses import dataclass

from stablemate.compiler.graph import Node, Tensor
from stablemate.compiler.lowering.conversions import changed, converted
from stablemate.compiler.lowering.elements import element_type, represented
from stablemate.compiler.lowering.elementwise import category
from stablemate.compiler.lowering.representation import representation
from stablemate.compiler.nest.expressions import Expression, Expressions
from stablemate.dialects.stablehlo.attributes import DotAlgorithm
from stablemate.dialects.stablehlo.contraction import same_kind, sum_dtype
from stablemate.numerics.elements import F32, F64, ElementType, FloatType, IntegerType


@dataclass(frozen=True, slots=True)
class Sums:
    """How products of elements are formed and added up.

    Attributes:
        register: The type of products and sums.
        add: The monoid of sums.
        multiply: The operation of products.
        storage: What memory holds of an operand that is already of the type of products.
    """

    register: str
    add: str
    multiply: str
    storage: str

    def product(self, lhs: Expression, rhs: Expression) -> Expression:
        """A product."""
        return lhs.table.apply(self.multiply, lhs, rhs)

    def zero(self, table: Expressions) -> Expression:
        """The sum of nothing."""
        return table.bits(0, self.register)

    def factor(self, value: Expression, tensor: Tensor) -> Expression:
        """An element of an operand in the type of products."""
        kind = category(element_type(tensor))
        return value if value.type == self.register else changed(value, kind, kind, self.register)

    def stored(self, value: Expression) -> Expression:
        """A factor as memory holds it."""
        return value if self.storage == self.register else value.table.convert("zext", value, "i8")

    def loaded(self, value: Expression) -> Expression:
        """A factor that memory holds."""
        if self.storage == self.register:
            return value
        return value.table.apply("ne", value, value.table.bits(0, "i8"))

    def result(self, value: Expression, tensor: Tensor) -> Expression:
        """A sum as an element of the result, as memory holds it: rounded once."""
        kind = represented(tensor)
        of = category(element_type(tensor))
        return kind.narrow(converted(value, of, element_type(tensor)))


def sums_of(node: Node) -> Sums | None:
    """The arithmetic of a dot or a convolution; None if it is not known here."""
    elements = [element_type(each) for each in (*node.operands[:2], *node.results)]
    kinds = [representation(each) for each in elements]
    if not same_kind(*elements) or any(each is None or each.parts > 1 for each in kinds):
        return None
    left, right, result = elements
    match result:
        case IntegerType():
            register = kinds[2].register if kinds[2] is not None else ""
            if result.is_boolean:
                return Sums("i1", "or", "and", "i8")
            return Sums(register, "add", "mul", register)
        case FloatType():
            register = float_sums(node, left, right, result)
            return Sums(register, "fadd", "fmul", register) if register else None
        case _:
            return None


def float_sums(node: Node, left: ElementType, right: ElementType, result: FloatType) -> str:
    """The type of registers in which floats are added up; empty if they do not fit."""
    algorithm: DotAlgorithm | None = getattr(node.operation, "algorithm", None)
    if algorithm is None:
        return "f64" if sum_dtype(result, left, right).itemsize == 8 else "f32"
    return algorithm_sums(algorithm, left, right, result)


def algorithm_sums(
    algorithm: DotAlgorithm, left: ElementType, right: ElementType, result: FloatType
) -> str:
    """The type of sums of an algorithm that rounds no operand and multiplies once."""
    accumulation = algorithm.accumulation_type
    fits = keeps(algorithm.lhs_precision_type, left) and keeps(algorithm.rhs_precision_type, right)
    if algorithm.num_primitive_operations != 1 or not fits:
        return ""
    if accumulation == F64:
        return "f64"
    return "f32" if accumulation in (F32, result) else ""


def keeps(precision: object, element: ElementType) -> bool:
    """Whether rounding to a precision changes no element of a type."""
    is_narrow = isinstance(element, FloatType) and element.bits < F32.bits
    return precision in (element, F64) or (precision == F32 and is_narrow)
