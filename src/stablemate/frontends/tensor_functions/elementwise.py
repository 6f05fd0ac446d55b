"""Functions of corresponding elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from stablemate.dialects.chlo import elementwise as chlo
from stablemate.dialects.stablehlo import elementwise as stablehlo
from stablemate.dialects.stablehlo.bitcast_convert import BitcastConvert
from stablemate.dialects.stablehlo.clamp import Clamp
from stablemate.dialects.stablehlo.complex import Complex, Imag, Real
from stablemate.dialects.stablehlo.is_finite import IsFinite
from stablemate.dialects.stablehlo.select import Select
from stablemate.frontends.tensor_functions.tensor import (
    Tensor,
    TensorLike,
    binary,
    broadcast_shape,
    broadcast_together,
    emit,
    fill,
    real_part,
    unary,
)
from stablemate.ir.core import Operation
from stablemate.numerics.elements import (
    BOOLEAN,
    ComplexType,
    ElementType,
    FloatType,
    IntegerType,
)

Unary = Callable[[Tensor], Tensor]
Binary = Callable[[TensorLike, TensorLike], Tensor]


def unary_function(cls: type[Operation]) -> Unary:
    """The function that an operation of one operand computes."""

    def function(x: Tensor) -> Tensor:
        return unary(cls, x)

    return function


def binary_function(cls: type[Operation]) -> Binary:
    """The function that an operation of two operands computes."""

    def function(x: TensorLike, y: TensorLike) -> Tensor:
        return binary(cls, x, y)

    return function


cbrt: Final = unary_function(stablehlo.Cbrt)
ceil: Final = unary_function(stablehlo.Ceil)
cos: Final = unary_function(stablehlo.Cosine)
count_leading_zeros: Final = unary_function(stablehlo.CountLeadingZeros)
exp: Final = unary_function(stablehlo.Exponential)
expm1: Final = unary_function(stablehlo.ExponentialMinusOne)
floor: Final = unary_function(stablehlo.Floor)
log: Final = unary_function(stablehlo.Log)
log1p: Final = unary_function(stablehlo.LogPlusOne)
logistic: Final = unary_function(stablehlo.Logistic)
popcount: Final = unary_function(stablehlo.Popcnt)
round_half_away: Final = unary_function(stablehlo.RoundNearestAfz)
round_half_even: Final = unary_function(stablehlo.RoundNearestEven)
rsqrt: Final = unary_function(stablehlo.Rsqrt)
sign: Final = unary_function(stablehlo.Sign)
sin: Final = unary_function(stablehlo.Sine)
sqrt: Final = unary_function(stablehlo.Sqrt)
tan: Final = unary_function(stablehlo.Tan)
tanh: Final = unary_function(stablehlo.Tanh)

acos: Final = unary_function(chlo.Acos)
acosh: Final = unary_function(chlo.Acosh)
asin: Final = unary_function(chlo.Asin)
asinh: Final = unary_function(chlo.Asinh)
atan: Final = unary_function(chlo.Atan)
atanh: Final = unary_function(chlo.Atanh)
bessel_i1e: Final = unary_function(chlo.BesselI1e)
cosh: Final = unary_function(chlo.Cosh)
digamma: Final = unary_function(chlo.Digamma)
erf: Final = unary_function(chlo.Erf)
erf_inv: Final = unary_function(chlo.ErfInv)
erfc: Final = unary_function(chlo.Erfc)
lgamma: Final = unary_function(chlo.Lgamma)
sinh: Final = unary_function(chlo.Sinh)

atan2: Final = binary_function(stablehlo.Atan2)
maximum: Final = binary_function(stablehlo.Maximum)
minimum: Final = binary_function(stablehlo.Minimum)
power: Final = binary_function(stablehlo.Power)
remainder: Final = binary_function(stablehlo.Remainder)
shift_left: Final = binary_function(stablehlo.ShiftLeft)
shift_right_arithmetic: Final = binary_function(stablehlo.ShiftRightArithmetic)
shift_right_logical: Final = binary_function(stablehlo.ShiftRightLogical)


def named_binary_function(cls: type[Operation], first: str, second: str) -> Binary:
    """The function that an operation computes whose two operands have names of their own."""

    def function(x: TensorLike, y: TensorLike) -> Tensor:
        one, other = broadcast_together(x, y)
        operands = {first: one.value, second: other.value}
        return emit(one.graph, cls, one.shape, one.element, **operands)

    return function


next_after: Final = named_binary_function(chlo.NextAfter, "x", "y")
polygamma: Final = named_binary_function(chlo.Polygamma, "n", "x")
zeta: Final = named_binary_function(chlo.Zeta, "x", "q")


def select(condition: Tensor, on_true: TensorLike, on_false: TensorLike) -> Tensor:
    """Elements of one tensor where a condition is true, of another where it is not.

    One of the two is a tensor; all three are broadcast together.
    """
    x, y = broadcast_together(on_true, on_false)
    shape = broadcast_shape(condition.shape, x.shape)
    operands = [operand.broadcast_to(shape).value for operand in (condition, x, y)]
    pred, true, false = operands
    fields = {"pred": pred, "on_true": true, "on_false": false}
    return emit(x.graph, Select, shape, x.element, **fields)


def clamp(low: TensorLike, x: Tensor, high: TensorLike) -> Tensor:
    """The elements, but none less than a bound or greater than another; NaN stays."""
    bounds = [
        bound.broadcast_to(x.shape)
        if isinstance(bound, Tensor)
        else fill(x.graph, x.shape, bound, x.element)
        for bound in (low, high)
    ]
    fields = {"min": bounds[0].value, "operand": x.value, "max": bounds[1].value}
    return emit(x.graph, Clamp, x.shape, x.element, **fields)


def is_finite(x: Tensor) -> Tensor:
    """Where floats are neither infinite nor NaN."""
    return emit(x.graph, IsFinite, x.shape, BOOLEAN, x=x.value)


def is_nan(x: Tensor) -> Tensor:
    """Where elements are NaN, as booleans of the same shape."""
    return x.differs(x)


def trunc(x: Tensor) -> Tensor:
    """Floats rounded towards zero, in the same element type."""
    return select(x < 0, ceil(x), floor(x))


def square(x: Tensor) -> Tensor:
    """The product of each element with itself."""
    return x * x


def reciprocal(x: Tensor) -> Tensor:
    """1 / x."""
    return 1 / x


def complex_from_parts(real: TensorLike, imag: TensorLike) -> Tensor:
    """Complex numbers with these parts, floats of 32 or 64 bits."""
    x, y = broadcast_together(real, imag)
    assert isinstance(x.element, FloatType)
    element = ComplexType(x.element)
    return emit(x.graph, Complex, x.shape, element, lhs=x.value, rhs=y.value)


def real(x: Tensor) -> Tensor:
    """The real parts; floats are their own."""
    return unary(Real, x, real_part(x.element)) if x.is_complex else x


def imag(x: Tensor) -> Tensor:
    """The imaginary parts; those of floats are zero."""
    return unary(Imag, x, real_part(x.element))


def conjugate(x: Tensor) -> Tensor:
    """The complex conjugates; other numbers are their own."""
    return complex_from_parts(real(x), -imag(x)) if x.is_complex else x


def bitcast(x: Tensor, element: ElementType) -> Tensor:
    """The same bits as elements of a type of the same width."""
    if x.element == element:
        return x
    return emit(x.graph, BitcastConvert, x.shape, element, operand=x.value)


def bits_of(x: Tensor) -> Tensor:
    """The bits of elements as unsigned integers of the same width."""
    return bitcast(x, IntegerType(x.element.bits, "unsigned"))
