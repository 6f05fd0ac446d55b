"""Formulas over tensors: operators and functions that create operations.

A decomposition reads like the formula that it implements::

    def asinh(x: Expression) -> Expression:
        a = abs(x)
        return with_sign_of(x, log1p(a + a * a / (1 + sqrt(1 + a * a))))

Numbers become constants of the element type of the expression that they meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, cast

import numpy as np

from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.bitcast_convert import BitcastConvert
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.complex import Complex, Imag, Real
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.dynamic_broadcast_in_dim import DynamicBroadcastInDim
from stablemate.dialects.stablehlo.elementwise import (
    Abs,
    Add,
    And,
    Atan2,
    Ceil,
    Cosine,
    Divide,
    Exponential,
    ExponentialMinusOne,
    Floor,
    Log,
    LogPlusOne,
    Maximum,
    Minimum,
    Multiply,
    Negate,
    Not,
    Or,
    Power,
    Remainder,
    RoundNearestEven,
    ShiftRightLogical,
    Sign,
    Sine,
    Sqrt,
    Subtract,
    Tan,
    Tanh,
    Xor,
)
from stablemate.dialects.stablehlo.is_finite import IsFinite
from stablemate.dialects.stablehlo.select import Select
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation, Value
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import (
    F64,
    ElementType,
    FloatType,
    IntegerType,
)
from stablemate.transforms.chlo.shapes import shape_of

Number: TypeAlias = "float | Expression"


class Formula:
    """Where the operations of a formula go; all its tensors have one shape.

    Attributes:
        builder: Creates the operations.
        like: A value of that shape, an operand of the operation that is replaced.
    """

    def __init__(self, builder: Builder, like: Value[TensorType]) -> None:
        self.builder = builder
        self.like = like
        self.constants: dict[tuple[ElementType, bytes], Expression] = {}

    def of(self, value: Value[TensorType]) -> Expression:
        """A value as an expression."""
        return Expression(self, value)

    @property
    def is_widened(self) -> bool:
        """Whether floats narrower than 64 bits are wanted: last bits of wider ones do not matter."""
        return self.like.type.element_type != F64

    def create(self, cls: type[Operation], **fields: Any) -> Expression:
        """The single result of a new operation."""
        return Expression(self, self.builder.create(cls, **fields).results[0])

    def constant(self, number: float, element: ElementType) -> Expression:
        """A tensor filled with a number, rounded to the element type; integers wrap."""
        if isinstance(element, IntegerType):
            number = element.wrap(int(number))
        data = np.array([number], np.float64 if isinstance(element, FloatType) else None)
        data = data.astype(element.dtype)
        key = (element, data.tobytes())
        if key not in self.constants:
            self.constants[key] = self.of(filled(self.builder, self.like, element, data))
        return self.constants[key]


def filled(
    builder: Builder, like: Value[TensorType], element: ElementType, data: Any
) -> Value[TensorType]:
    """A tensor of the shape of a value, filled with one element; ``data`` has shape ``(1,)``."""
    wanted = like.type.with_element(element)
    if wanted.is_static:
        return constant(builder, wanted, data)
    scalar = constant(builder, TensorType((), element), data)
    return builder.create(
        DynamicBroadcastInDim,
        operand=scalar,
        output_dimensions=shape_of(builder, like),
        broadcast_dimensions=(),
        results=(wanted,),
    ).results[0]


def constant(builder: Builder, tensor_type: TensorType, data: Any) -> Value[TensorType]:
    """A literal; one element fills the tensor."""
    return builder.create(Constant, value=dense_elements(tensor_type, data)).results[0]


class Expression:
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
        """The element type."""
        return self.value.type.element_type

    @property
    def is_double(self) -> bool:
        """Whether the elements are 64-bit floats."""
        return self.element == F64

    def constant(self, number: float) -> Expression:
        """A number as an expression of the same type."""
        return self.formula.constant(number, self.element)

    def lifted(self, other: Number) -> Expression:
        """The other operand of an operation."""
        return other if isinstance(other, Expression) else self.constant(other)

    def unary(self, cls: type[Operation], **fields: Any) -> Expression:
        """An operation on this expression."""
        return self.formula.create(cls, operand=self.value, **fields)

    def binary(self, cls: type[Operation], rhs: Number) -> Expression:
        """An operation on this expression and another."""
        return self.formula.create(cls, lhs=self.value, rhs=self.lifted(rhs).value)

    def compared(self, direction: ComparisonDirection, rhs: Number) -> Expression:
        """A comparison with another expression."""
        return self.formula.create(
            Compare,
            lhs=self.value,
            rhs=self.lifted(rhs).value,
            comparison_direction=direction,
        )

    def __add__(self, other: Number) -> Expression:
        return self.binary(Add, other)

    def __radd__(self, other: float) -> Expression:
        return self.lifted(other) + self

    def __sub__(self, other: Number) -> Expression:
        return self.binary(Subtract, other)

    def __rsub__(self, other: float) -> Expression:
        return self.lifted(other) - self

    def __mul__(self, other: Number) -> Expression:
        return self.binary(Multiply, other)

    def __rmul__(self, other: float) -> Expression:
        return self.lifted(other) * self

    def __truediv__(self, other: Number) -> Expression:
        return self.binary(Divide, other)

    def __rtruediv__(self, other: float) -> Expression:
        return self.lifted(other) / self

    def __mod__(self, other: Number) -> Expression:
        return self.binary(Remainder, other)

    def __pow__(self, other: Number) -> Expression:
        return self.binary(Power, other)

    def __neg__(self) -> Expression:
        return self.unary(Negate)

    def __abs__(self) -> Expression:
        return self.unary(Abs)

    def __and__(self, other: Number) -> Expression:
        return self.binary(And, other)

    def __or__(self, other: Number) -> Expression:
        return self.binary(Or, other)

    def __xor__(self, other: Number) -> Expression:
        return self.binary(Xor, other)

    def __invert__(self) -> Expression:
        return self.unary(Not)

    def __rshift__(self, other: Number) -> Expression:
        """A shift that brings in zeros."""
        return self.binary(ShiftRightLogical, other)

    def __lt__(self, other: Number) -> Expression:
        return self.compared(ComparisonDirection.LT, other)

    def __le__(self, other: Number) -> Expression:
        return self.compared(ComparisonDirection.LE, other)

    def __gt__(self, other: Number) -> Expression:
        return self.compared(ComparisonDirection.GT, other)

    def __ge__(self, other: Number) -> Expression:
        return self.compared(ComparisonDirection.GE, other)

    def equals(self, other: Number) -> Expression:
        """Where the elements are equal."""
        return self.compared(ComparisonDirection.EQ, other)

    def differs(self, other: Number) -> Expression:
        """Where the elements are not equal."""
        return self.compared(ComparisonDirection.NE, other)


# ---- functions of one expression


def sqrt(x: Expression) -> Expression:
    """The square root."""
    return x.unary(Sqrt)


def exp(x: Expression) -> Expression:
    """e^x."""
    return x.unary(Exponential)


def expm1(x: Expression) -> Expression:
    """e^x - 1."""
    return x.unary(ExponentialMinusOne)


def log(x: Expression) -> Expression:
    """The natural logarithm."""
    return x.unary(Log)


def log1p(x: Expression) -> Expression:
    """log(1 + x)."""
    return x.unary(LogPlusOne)


def sin(x: Expression) -> Expression:
    """The sine."""
    return x.unary(Sine)


def cos(x: Expression) -> Expression:
    """The cosine."""
    return x.unary(Cosine)


def tan(x: Expression) -> Expression:
    """The tangent."""
    return x.unary(Tan)


def tanh(x: Expression) -> Expression:
    """The hyperbolic tangent."""
    return x.unary(Tanh)


def floor(x: Expression) -> Expression:
    """The largest integer that is not greater."""
    return x.unary(Floor)


def ceil(x: Expression) -> Expression:
    """The smallest integer that is not less."""
    return x.unary(Ceil)


def nearest_integer(x: Expression) -> Expression:
    """The nearest integer, of two the even one."""
    return x.unary(RoundNearestEven)


def sign(x: Expression) -> Expression:
    """-1 or 1; zeros and NaN for themselves."""
    return x.unary(Sign)


def is_finite(x: Expression) -> Expression:
    """Whether an element is neither infinite nor NaN."""
    return x.formula.create(IsFinite, x=x.value)


def is_nan(x: Expression) -> Expression:
    """Whether an element is NaN."""
    return x.differs(x)


def convert(x: Expression, element: ElementType) -> Expression:
    """The elements as another type; the expression itself if it is of that type."""
    if x.element == element:
        return x
    return x.unary(Convert, results=(x.value.type.with_element(element),))


def bits_as(x: Expression, element: ElementType) -> Expression:
    """The same bits as elements of another type of the same width."""
    if x.element == element:
        return x
    return x.unary(BitcastConvert, results=(x.value.type.with_element(element),))


def real(z: Expression) -> Expression:
    """The real part."""
    return z.unary(Real)


def imag(z: Expression) -> Expression:
    """The imaginary part."""
    return z.unary(Imag)


# ---- functions of several expressions


def where(condition: Expression, on_true: Number, on_false: Number) -> Expression:
    """One of two expressions, element by element; one of them may be a number."""
    if isinstance(on_true, Expression):
        chosen, other = on_true, on_true.lifted(on_false)
    else:
        other = cast(Expression, on_false)
        chosen = other.lifted(on_true)
    return condition.formula.create(
        Select, pred=condition.value, on_true=chosen.value, on_false=other.value
    )


def maximum(x: Expression, y: Number) -> Expression:
    """The larger one; NaN if one is NaN."""
    return x.binary(Maximum, y)


def minimum(x: Expression, y: Number) -> Expression:
    """The smaller one; NaN if one is NaN."""
    return x.binary(Minimum, y)


def atan2(y: Expression, x: Number) -> Expression:
    """The angle of the point (x, y)."""
    return y.binary(Atan2, x)


def complex_of(a: Expression, b: Expression) -> Expression:
    """a + ib."""
    return a.binary(Complex, b)


# ---- what formulas are built from


def polynomial(x: Expression, coefficients: Sequence[float]) -> Expression:
    """``c0 + c1 x + c2 x^2 + ...``, by Horner's rule."""
    *lower, last = coefficients
    result: Number = last
    for coefficient in reversed(lower):
        result = coefficient + x * result
    return x.lifted(result)


def chebyshev(x: Expression, coefficients: Sequence[float]) -> Expression:
    """``c0 / 2 + c1 T1(x / 2) + c2 T2(x / 2) + ...``, by Clenshaw's recurrence."""
    before, last = x.constant(0.0), x.constant(0.0)
    for coefficient in reversed(coefficients[1:]):
        before, last = last, coefficient + (x * last - before)
    return 0.5 * coefficients[0] + (0.5 * x * last - before)


def total(terms: Sequence[Expression]) -> Expression:
    """The sum, first to last."""
    result = terms[0]
    for term in terms[1:]:
        result = result + term
    return result


def exact_sum(a: Expression, b: Expression) -> tuple[Expression, Expression]:
    """The rounded sum of two numbers, and what is lost by rounding.

    Source: Knuth, The Art of Computer Programming, volume 2, theorem 4.2.2 B.
    """
    rounded = a + b
    rest = rounded - a
    return rounded, (a - (rounded - rest)) + (b - rest)


def halves(a: Expression) -> tuple[Expression, Expression]:
    """Two numbers of half the precision whose sum is a; a is far from overflow.

    Source: Dekker, "A floating-point technique for extending the available precision", 1971.
    """
    element = cast(FloatType, a.element)
    scaled = a * float(2 ** ((element.precision + 1) // 2) + 1)
    high = scaled - (scaled - a)
    return high, a - high


def exact_product(a: Expression, b: Expression) -> tuple[Expression, Expression]:
    """The rounded product of two numbers, and what is lost by rounding; both far from overflow.

    Source: Dekker, "A floating-point technique for extending the available precision", 1971.
    """
    product = a * b
    a_high, a_low = halves(a)
    b_high, b_low = (a_high, a_low) if b is a else halves(b)
    rest = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return product, rest


def with_sign_of(x: Expression, magnitude: Expression) -> Expression:
    """The magnitude, negative where x is negative or -0; zero where x is zero."""
    return sign(x) * magnitude


def parts(z: Expression) -> tuple[Expression, Expression]:
    """Real and imaginary part."""
    return real(z), imag(z)


def modulus(a: Expression, b: Expression) -> Expression:
    """``sqrt(a^2 + b^2)``, without overflow in between."""
    return abs(complex_of(a, b))


def is_negative(x: Expression) -> Expression:
    """Whether the sign bit is set; of elements in 32 or 64 bits."""
    return bits_as(x, IntegerType(x.element.bits)) < 0

