"""Multiply-accumulate: the arithmetic of dots and convolutions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, Expressions
from stablemate.compiler.loops.statements import Reduce, Statement, Store
from stablemate.compiler.lowering.conversions import changed, converted
from stablemate.compiler.lowering.elements import element_type, represented
from stablemate.compiler.lowering.elementwise import category
from stablemate.compiler.lowering.representation import representation
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
        pairs: The operator that adds the products of two pairs of narrow factors, which an ``i32``
            holds; empty if factors stand alone.
    """

    register: str
    add: str
    multiply: str
    storage: str
    pairs: str = ""

    @property
    def scalar_factors(self) -> Sums:
        """The same arithmetic on scalar factors instead of pairs."""
        return replace(self, storage=self.register, pairs="") if self.pairs else self

    @property
    def factors(self) -> int:
        """How many factors an element holds."""
        return 2 if self.pairs else 1

    @property
    def register_type(self) -> str:
        """The type of registers that hold factors."""
        return self.storage if self.pairs else self.register

    def added(
        self, buffer: Buffer, place: Expression, lhs: Expression, rhs: Expression
    ) -> Statement:
        """Adds a product to a sum."""
        if not self.pairs:
            return Reduce(buffer, place, self.add, self.product(lhs, rhs), fused=True)
        table = place.table
        return Store(buffer, place, table.apply(self.pairs, table.load_at(buffer, place), lhs, rhs))

    def pair(self, lower: Expression, upper: Expression) -> Expression:
        """Two factors in an ``i32``."""
        return side_by_side(self.narrowed(lower), self.narrowed(upper))

    def narrowed(self, value: Expression) -> Expression:
        """A factor as one half of a pair in memory."""
        if self.pairs == "pair_of_i16":
            is_wide = value.operator == "sext" and value.operands[0].type == "i16"
            return value.operands[0] if is_wide else value.table.convert("trunc", value, "i16")
        return value.table.encode(value, "bf16")

    def product(self, lhs: Expression, rhs: Expression) -> Expression:
        """A product."""
        return lhs.table.apply(self.multiply, lhs, rhs)

    def zero(self, table: Expressions) -> Expression:
        """The value of an empty sum."""
        return table.bits(0, self.register)

    def factor(self, value: Expression, tensor: Tensor) -> Expression:
        """An element of an operand in the type of products."""
        kind = category(element_type(tensor))
        return value if value.type == self.register else changed(value, kind, kind, self.register)

    def stored(self, value: Expression) -> Expression:
        """A factor as memory holds it."""
        return value.table.convert("zext", value, "i8") if self.register == "i1" else value

    def loaded(self, value: Expression) -> Expression:
        """A factor that memory holds."""
        if self.register != "i1":
            return value
        return value.table.apply("ne", value, value.table.bits(0, "i8"))

    def rounded(self, value: Expression, tensor: Tensor) -> Expression:
        """A sum as an element of the result: rounded once."""
        element = element_type(tensor)
        return converted(value, category(element), element)

    def result(self, value: Expression, tensor: Tensor) -> Expression:
        """The same as memory holds it."""
        return represented(tensor).narrow(self.rounded(value, tensor))


def side_by_side(lower: Expression, upper: Expression) -> Expression:
    """Two halves as an ``i32``."""
    table = lower.table
    low, high = (table.convert("zext", half, "i32") for half in (lower, upper))
    return low | table.apply("shl", high, table.bits(16, "i32"))


def sums_of(node: Node) -> Sums | None:
    """The multiply-accumulate arithmetic of a dot or a convolution; None if no kernel has it."""
    elements = [element_type(operand) for operand in (*node.operands[:2], *node.results)]
    kinds = [representation(element) for element in elements]
    if not same_kind(*elements) or any(kind is None or kind.parts > 1 for kind in kinds):
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


def paired(node: Node, sums: Sums) -> Sums | None:
    """The same sums by pairs of narrow factors; None if factors are not narrow."""
    narrow = [narrow_kind(element_type(operand)) for operand in node.operands[:2]]
    if narrow[0] != narrow[1] or not narrow[0] or sums.register not in ("f32", "i32"):
        return None
    return replace(sums, storage="i32", pairs=narrow[0])


def narrow_kind(element: ElementType) -> str:
    """The operator on pairs for an element type; empty if there is none."""
    match element:
        case FloatType("bf16"):
            return "pair_of_bfloat16"
        case IntegerType(bits) if 1 < bits < 16 or (bits == 16 and not element.is_unsigned):
            return "pair_of_i16"
        case _:
            return ""


def float_sums(node: Node, left: ElementType, right: ElementType, result: FloatType) -> str:
    """The register type in which floats are accumulated; empty if they do not fit."""
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
