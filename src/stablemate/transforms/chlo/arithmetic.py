"""Functions of expressions: each creates one operation; below them what formulas are built from."""

from __future__ import annotations

from typing import Final

from stablemate.dialects.stablehlo.bitcast_convert import BitcastConvert
from stablemate.dialects.stablehlo.complex import Complex, Imag, Real
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.elementwise import (
    Atan2,
    Ceil,
    Cosine,
    Exponential,
    ExponentialMinusOne,
    Floor,
    Log,
    LogPlusOne,
    Maximum,
    Minimum,
    RoundNearestEven,
    Sign,
    Sine,
    Sqrt,
    Tan,
)
from stablemate.dialects.stablehlo.is_finite import IsFinite
from stablemate.numerics.elements import (
    ElementType,
    IntegerType,
)
from stablemate.numerics.functions.arithmetic import pick
from stablemate.numerics.functions.elementary import Elementary
from stablemate.transforms.chlo.expressions import Number, TensorExpression


def sqrt(x: TensorExpression) -> TensorExpression:
    """The square root of each element, as ``stablehlo.sqrt`` rounds it."""
    return x.unary(Sqrt)


def exp(x: TensorExpression) -> TensorExpression:
    """e^x."""
    return x.unary(Exponential)


def expm1(x: TensorExpression) -> TensorExpression:
    """e^x - 1."""
    return x.unary(ExponentialMinusOne)


def log(x: TensorExpression) -> TensorExpression:
    """``stablehlo.log``, the natural logarithm of each element."""
    return x.unary(Log)


def log1p(x: TensorExpression) -> TensorExpression:
    """log(1 + x)."""
    return x.unary(LogPlusOne)


def sin(x: TensorExpression) -> TensorExpression:
    """``stablehlo.sine`` of each element, in radians."""
    return x.unary(Sine)


def cos(x: TensorExpression) -> TensorExpression:
    """``stablehlo.cosine`` of each element, in radians."""
    return x.unary(Cosine)


def tan(x: TensorExpression) -> TensorExpression:
    """``stablehlo.tan`` of each element, in radians."""
    return x.unary(Tan)


def floor(x: TensorExpression) -> TensorExpression:
    """The largest integer that is not greater."""
    return x.unary(Floor)


def ceil(x: TensorExpression) -> TensorExpression:
    """The smallest integer that is not less."""
    return x.unary(Ceil)


def nearest_integer(x: TensorExpression) -> TensorExpression:
    """The nearest integer, of two the even one."""
    return x.unary(RoundNearestEven)


def sign(x: TensorExpression) -> TensorExpression:
    """-1 or 1; zeros and NaN for themselves."""
    return x.unary(Sign)


def is_finite(x: TensorExpression) -> TensorExpression:
    """Whether an element is neither infinite nor NaN."""
    return x.formula.create(IsFinite, x=x.value)


def is_nan(x: TensorExpression) -> TensorExpression:
    """Whether an element is NaN."""
    return x.differs(x)


def convert(x: TensorExpression, element: ElementType) -> TensorExpression:
    """The elements as another type; the expression itself if it is of that type."""
    if x.element == element:
        return x
    return x.unary(Convert, results=(x.value.type.with_element(element),))


def bits_as(x: TensorExpression, element: ElementType) -> TensorExpression:
    """The same bits as elements of another type of the same width."""
    if x.element == element:
        return x
    return x.unary(BitcastConvert, results=(x.value.type.with_element(element),))


def real(z: TensorExpression) -> TensorExpression:
    """``stablehlo.real``, the real part of each complex element."""
    return z.unary(Real)


def imag(z: TensorExpression) -> TensorExpression:
    """``stablehlo.imag``, the imaginary part of each complex element."""
    return z.unary(Imag)


def where(condition: TensorExpression, on_true: Number, on_false: Number) -> TensorExpression:
    """One of two expressions, element by element; one of them may be a number."""
    return pick(condition, on_true, on_false)


def maximum(x: TensorExpression, y: Number) -> TensorExpression:
    """The larger one; NaN if one is NaN."""
    return x.binary(Maximum, y)


def minimum(x: TensorExpression, y: Number) -> TensorExpression:
    """The smaller one; NaN if one is NaN."""
    return x.binary(Minimum, y)


def atan2(y: TensorExpression, x: Number) -> TensorExpression:
    """The angle of the point (x, y)."""
    return y.binary(Atan2, x)


def complex_of(a: TensorExpression, b: TensorExpression) -> TensorExpression:
    """Combines real and imaginary part to a + ib."""
    return a.binary(Complex, b)


def with_sign_of(x: TensorExpression, magnitude: TensorExpression) -> TensorExpression:
    """The magnitude, negative where x is negative or -0; zero where x is zero."""
    return sign(x) * magnitude


def real_and_imaginary(z: TensorExpression) -> tuple[TensorExpression, TensorExpression]:
    """Splits a complex number into its parts."""
    return real(z), imag(z)


def modulus(a: TensorExpression, b: TensorExpression) -> TensorExpression:
    """``sqrt(a^2 + b^2)``, without overflow in between."""
    return abs(complex_of(a, b))


def is_negative(x: TensorExpression) -> TensorExpression:
    """Whether the sign bit is set; of elements in 32 or 64 bits."""
    return bits_as(x, IntegerType(x.element.bits)) < 0


ELEMENTARY: Final[Elementary[TensorExpression]] = Elementary(
    log=log, power=TensorExpression.__pow__, tan=tan
)
