"""Formulas over tensors: operators and functions that create operations.

A decomposition reads like the formula that it implements::

    def asinh(x: Expression) -> Expression:
        a = abs(x)
        return with_sign_of(x, log1p(a + a * a / (1 + sqrt(1 + a * a))))

Numbers become constants of the element type of the expression that they meet.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.bitcast_convert import BitcastConvert
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.dynamic_broadcast_in_dim import DynamicBroadcastInDim
from stablemate.dialects.stablehlo.elementwise import (
    Abs,
    Add,
    And,
    Divide,
    Floor,
    Multiply,
    Negate,
    Not,
    Or,
    Power,
    Remainder,
    RoundNearestEven,
    ShiftLeft,
    ShiftRightArithmetic,
    ShiftRightLogical,
    Sqrt,
    Subtract,
    Xor,
)
from stablemate.dialects.stablehlo.is_finite import IsFinite
from stablemate.dialects.stablehlo.select import Select
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation, Value
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import (
    F32,
    F64,
    I32,
    I64,
    Array,
    ComplexType,
    ElementType,
    IntegerType,
)
from stablemate.numerics.functions.arithmetic import dekker_product
from stablemate.numerics.functions.formats import F32 as F32_FORMAT
from stablemate.numerics.functions.formats import F64 as F64_FORMAT
from stablemate.numerics.functions.formats import FloatFormat
from stablemate.transforms.chlo.shapes import shape_of

Number: TypeAlias = "float | TensorExpression"


class Formula:
    """Where the operations of a formula go; all its tensors have one shape.

    Attributes:
        builder: Creates the operations.
        like: A value of that shape, an operand of the operation that is replaced.
    """

    def __init__(self, builder: Builder, like: Value[TensorType]) -> None:
        self.builder = builder
        self.like = like
        self.constants: dict[tuple[ElementType, bytes], TensorExpression] = {}
        self.shape: Value[TensorType] | None = None  # of ``like``, once a constant needs it

    def of(self, value: Value[TensorType]) -> TensorExpression:
        """A value as an expression."""
        return TensorExpression(self, value)

    @property
    def is_widened(self) -> bool:
        """Whether narrower floats than 64-bit ones are wanted: their last bits do not matter."""
        element = self.like.type.element_type
        return (element.element if isinstance(element, ComplexType) else element) != F64

    def create(self, cls: type[Operation], **fields: object) -> TensorExpression:
        """The single result of a new operation."""
        return TensorExpression(self, self.builder.create(cls, **fields).results[0])

    def constant(self, number: float, element: ElementType) -> TensorExpression:
        """A tensor filled with a number, rounded to the element type; integers wrap."""
        if isinstance(element, IntegerType):
            number = element.wrap(int(number))
        return self.fill(np.array([number]).astype(element.dtype), element)

    def fill(self, data: Array, element: ElementType) -> TensorExpression:
        """A tensor filled with one element; ``(1,)``."""
        key = (element, data.tobytes())
        if key not in self.constants:
            self.constants[key] = self.of(self.repeat(data, self.like.type.with_element(element)))
        return self.constants[key]

    def repeat(self, data: Array, result_type: TensorType) -> Value[TensorType]:
        """One element, repeated to a type of the shape that all tensors have."""
        if result_type.is_static:
            return literal(self.builder, result_type, data[: result_type.size])
        if self.shape is None:
            self.shape = shape_of(self.builder, self.like)
        return self.builder.create(
            DynamicBroadcastInDim,
            operand=literal(self.builder, result_type.with_shape(()), data),
            output_dimensions=self.shape,
            broadcast_dimensions=(),
            results=[result_type],
        ).results[0]


def literal(builder: Builder, tensor_type: TensorType, data: Array) -> Value[TensorType]:
    """A constant; one element fills the tensor."""
    return builder.create(Constant, value=dense_elements(tensor_type, data)).results[0]


class TensorExpression:
    """A tensor in a formula.

    Attributes:
        formula: The formula it belongs to.
        value: The tensor.
    """

    __slots__ = ("formula", "value")

    def __init__(self, formula: Formula, value: Value[TensorType]) -> None:
        self.formula = formula
        self.value = value

    @property
    def element(self) -> ElementType:
        """The element type of the tensor."""
        return self.value.type.element_type

    @property
    def is_double(self) -> bool:
        """Whether the elements are 64-bit floats."""
        return self.element == F64

    def constant(self, number: float) -> TensorExpression:
        """A number as an expression of the same type."""
        return self.formula.constant(number, self.element)

    def lift(self, other: Number) -> TensorExpression:
        """The other operand of an operation."""
        return other if isinstance(other, TensorExpression) else self.constant(other)

    def unary(self, cls: type[Operation], **fields: object) -> TensorExpression:
        """An operation on this expression."""
        return self.formula.create(cls, operand=self.value, **fields)

    def binary(self, cls: type[Operation], rhs: Number) -> TensorExpression:
        """An operation on this expression and another."""
        return self.formula.create(cls, lhs=self.value, rhs=self.lift(rhs).value)

    def compare(self, direction: ComparisonDirection, rhs: Number) -> TensorExpression:
        """A comparison with another expression."""
        return self.formula.create(
            Compare,
            lhs=self.value,
            rhs=self.lift(rhs).value,
            comparison_direction=direction,
        )

    def __add__(self, other: Number) -> TensorExpression:
        return self.binary(Add, other)

    def __radd__(self, other: float) -> TensorExpression:
        return self.lift(other) + self

    def __sub__(self, other: Number) -> TensorExpression:
        return self.binary(Subtract, other)

    def __rsub__(self, other: float) -> TensorExpression:
        return self.lift(other) - self

    def __mul__(self, other: Number) -> TensorExpression:
        return self.binary(Multiply, other)

    def __rmul__(self, other: float) -> TensorExpression:
        return self.lift(other) * self

    def __truediv__(self, other: Number) -> TensorExpression:
        return self.binary(Divide, other)

    def __rtruediv__(self, other: float) -> TensorExpression:
        return self.lift(other) / self

    def __mod__(self, other: Number) -> TensorExpression:
        return self.binary(Remainder, other)

    def __pow__(self, other: Number) -> TensorExpression:
        return self.binary(Power, other)

    def __neg__(self) -> TensorExpression:
        return self.unary(Negate)

    def __abs__(self) -> TensorExpression:
        return self.unary(Abs)

    def __and__(self, other: Number) -> TensorExpression:
        return self.binary(And, other)

    def __or__(self, other: Number) -> TensorExpression:
        return self.binary(Or, other)

    def __xor__(self, other: Number) -> TensorExpression:
        return self.binary(Xor, other)

    def __invert__(self) -> TensorExpression:
        return self.unary(Not)

    def __lshift__(self, other: Number) -> TensorExpression:
        return self.binary(ShiftLeft, other)

    def __rshift__(self, other: Number) -> TensorExpression:
        """A shift that brings in zeros."""
        return self.binary(ShiftRightLogical, other)

    def __lt__(self, other: Number) -> TensorExpression:
        return self.compare(ComparisonDirection.LT, other)

    def __le__(self, other: Number) -> TensorExpression:
        return self.compare(ComparisonDirection.LE, other)

    def __gt__(self, other: Number) -> TensorExpression:
        return self.compare(ComparisonDirection.GT, other)

    def __ge__(self, other: Number) -> TensorExpression:
        return self.compare(ComparisonDirection.GE, other)

    # The elementary operations of ``numerics.functions.number.Number``.

    @property
    def is_widened(self) -> bool:
        """Whether narrower floats than 64-bit ones are wanted: their last bits do not matter."""
        return self.formula.is_widened

    def less(self, other: Number) -> TensorExpression:
        """Where the elements are less."""
        return self < other

    def equals(self, other: Number) -> TensorExpression:
        """Where the elements are equal."""
        return self.compare(ComparisonDirection.EQ, other)

    def differs(self, other: Number) -> TensorExpression:
        """Where the elements are not equal."""
        return self.compare(ComparisonDirection.NE, other)

    def select(self, yes: TensorExpression, no: TensorExpression) -> TensorExpression:
        """One of two tensors, element by element."""
        return self.formula.create(Select, pred=self.value, on_true=yes.value, on_false=no.value)

    def rarely(self, rare: TensorExpression, usual: TensorExpression) -> TensorExpression:
        """The same: all elements are computed both ways."""
        return self.select(rare, usual)

    def sqrt(self) -> TensorExpression:
        """The square root, element by element."""
        return self.unary(Sqrt)

    def sqrt_and_slope(self) -> tuple[TensorExpression, TensorExpression]:
        """The square root, and half its inverse."""
        root = self.sqrt()
        return root, 0.5 / root

    def floor(self) -> TensorExpression:
        """The largest integers that are not greater."""
        return self.unary(Floor)

    def round_even(self) -> TensorExpression:
        """The nearest integers, of two the even one."""
        return self.unary(RoundNearestEven)

    def copysign(self, sign: TensorExpression) -> TensorExpression:
        """The magnitudes with the signs of other floats."""
        bit = self.format.sign
        return ((self.bits() & (bit - 1)) | (sign.bits() & bit)).from_bits()

    def multiply_add(self, factor: TensorExpression, addend: TensorExpression) -> TensorExpression:
        """``addend + factor * self``, rounded twice."""
        return addend + factor * self

    def two_product(self, factor: TensorExpression) -> tuple[TensorExpression, TensorExpression]:
        """The rounded product, and what is lost by rounding; both factors far from overflow."""
        return dekker_product(self, factor, 2.0 ** ((self.format.mantissa + 2) // 2) + 1.0)

    def residue(self, factor: TensorExpression, product: TensorExpression) -> TensorExpression:
        """``self * factor - product``, where the product is nearly that; 0 near overflow."""
        rounded, lost = self.two_product(factor)
        rest = (rounded - product) + lost
        is_finite = self.formula.create(IsFinite, x=rest.value)
        return is_finite.select(rest, rest.constant(0.0))

    @property
    def format(self) -> FloatFormat:
        """The format of the elements, or of floats of the width of integers: 32 or 64 bits."""
        return F64_FORMAT if self.element in (F64, I64) else F32_FORMAT

    def bits(self) -> TensorExpression:
        """The bits of floats, as integers."""
        return self.reinterpret(I64 if self.element == F64 else I32)

    def from_bits(self) -> TensorExpression:
        """The floats that have the bits of integers."""
        return self.reinterpret(F64 if self.element == I64 else F32)

    def reinterpret(self, element: ElementType) -> TensorExpression:
        """The same bits as elements of another type of the same width."""
        return self.unary(BitcastConvert, results=(self.value.type.with_element(element),))

    def shift_arithmetic(self, amount: int) -> TensorExpression:
        """Integers divided by a power of two, rounded down."""
        return self.binary(ShiftRightArithmetic, amount)

    def to_float(self) -> TensorExpression:
        """The values of integers as floats."""
        element = F64 if self.element == I64 else F32
        return self.unary(Convert, results=(self.value.type.with_element(element),))
