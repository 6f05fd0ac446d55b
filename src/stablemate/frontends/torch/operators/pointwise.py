"""Pointwise operators: arithmetic, comparison, rounding, bits, elementary functions.

Source: PyTorch, torch, "Pointwise Ops" and "Comparison Ops".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, isnan, log, pi
from typing import Final

import numpy as np

from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions.control import while_loop
from stablemate.frontends.tensor_functions.floating_point import computed_element
from stablemate.frontends.tensor_functions.reductions import any_over
from stablemate.frontends.tensor_functions.tensor import Tensor
from stablemate.frontends.torch.call import Call, Operand, is_number
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import BOOLEAN, ElementType, float_info

Function = Callable[[Tensor], Tensor]

# Functions of one number: integers are converted to floats, narrow floats computed in 32 bits.
UNARY_FLOAT: Final[dict[str, Function]] = {
    "acos": f.acos, "acosh": f.acosh, "asin": f.asin, "asinh": f.asinh, "atan": f.atan,
    "atanh": f.atanh, "cos": f.cos, "cosh": f.cosh, "erf": f.erf,
    "erfc": f.erfc, "erfinv": f.erf_inv, "exp": f.exp, "expm1": f.expm1, "lgamma": f.lgamma,
    "log": f.log, "log1p": f.log1p, "rsqrt": f.rsqrt, "sigmoid": f.logistic, "sin": f.sin,
    "sinh": f.sinh, "sqrt": f.sqrt, "tan": f.tan, "tanh": f.tanh, "reciprocal": f.reciprocal,
    "exp2": lambda x: f.exp(x * log(2)),
    "log2": lambda x: f.log(x) * (1 / log(2)),
    "log10": lambda x: f.log(x) * (1 / log(10)),
}  # fmt: skip


# What prims call these functions.
PRIMS: Final = {"erfinv": "erf_inv", "sigmoid": "logistic"}


def register_unary(
    function: Function, names: Sequence[str], element: ElementType | None = None
) -> None:
    """Registers a function of one float or complex number.

    Args:
        function: The function.
        names: The operators that it computes.
        element: The element type in which it is computed; by default that of the result, or
            float32 if that is narrower.
    """

    @lowers(*names)
    def lowering(call: Call, self: Tensor) -> Tensor:
        operand = self.convert(element) if element else call.to_compute_type(call.tensor(self))
        return function(operand).convert(call.element)


for _name, _function in UNARY_FLOAT.items():
    register_unary(_function, (_name, f"prims.{PRIMS.get(_name, _name)}"))


@lowers("add.Tensor", "add.Scalar", "prims.add")
def add(call: Call, self: Operand, other: Operand, alpha: Operand = 1) -> Tensor:
    """Self + alpha * other"""
    x, y = scaled_pair(call, self, other, alpha)
    return call.tensor(x + y)


@lowers("sub.Tensor", "sub.Scalar", "prims.sub")
def sub(call: Call, self: Operand, other: Operand, alpha: Operand = 1) -> Tensor:
    """Self - alpha * other"""
    x, y = scaled_pair(call, self, other, alpha)
    return call.tensor(x - y)


@lowers("rsub.Tensor", "rsub.Scalar")
def rsub(call: Call, self: Operand, other: Operand, alpha: Operand = 1) -> Tensor:
    """Other - alpha * self"""
    y, x = scaled_pair(call, other, self, alpha)
    return call.tensor(y - x)


def scaled_pair(call: Call, one: Operand, other: Operand, factor: Operand) -> tuple[Tensor, Tensor]:
    """The operands of a sum, the second one times a factor; the product is not rounded."""
    x, y = call.tensors(one, other)
    if is_number(factor, 1):
        return x, y
    return call.to_compute_type(x), call.to_compute_type(y) * call.to_compute_type(
        call.tensor(factor)
    )


def factors(call: Call, *operands: Operand) -> list[Tensor]:
    """The operands of a product or quotient; numbers beside narrow floats are not rounded.

    So are tensors without dimensions, as in PyTorch's functions for the CPU.
    """
    wide = computed_element(call.element)
    if wide == call.element or not any(is_inexact(call, operand) for operand in operands):
        return call.tensors(*operands)
    return [
        call.tensor(operand, wide)
        if is_scalar(operand)
        else call.tensor(operand).convert(wide)
        for operand in operands
    ]  # fmt: skip


def is_scalar(operand: Operand) -> bool:
    """Whether an operand is a number, or a tensor without dimensions."""
    return not isinstance(operand, Tensor) or operand.rank == 0


def is_inexact(call: Call, operand: Operand) -> bool:
    """Whether a number may have more digits than the element type of the result."""
    if isinstance(operand, int | float):
        return abs(operand) < inf and not is_exact(operand, call.element)
    return is_scalar(operand) and not (
        isinstance(operand, Tensor) and operand.element == call.element
    )


def is_exact(number: float, element: ElementType) -> bool:
    """Whether an element type has a finite number."""
    with np.errstate(over="ignore"):
        return float(np.float64(number).astype(element.dtype)) == float(number)


@lowers("addcmul")
def addcmul(
    call: Call, self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Operand = 1
) -> Tensor:
    """Self + value * tensor1 * tensor2; a value beside integers loses its fraction, as in C."""
    x, y, z = (call.to_compute_type(operand) for operand in call.tensors(self, tensor1, tensor2))
    if isinstance(value, float) and not (x.is_float or x.is_complex):
        value = int(value)
    return call.tensor(x + call.scale(y, value) * z)


@lowers("addcdiv")
def addcdiv(
    call: Call, self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Operand = 1
) -> Tensor:
    """Self + value * tensor1 / tensor2"""
    x, y, z = (call.to_compute_type(operand) for operand in call.tensors(self, tensor1, tensor2))
    return call.tensor(x + call.scale(y, value) / z)


@lowers("mul.Tensor", "mul.Scalar", "prims.mul")
def mul(call: Call, self: Operand, other: Operand) -> Tensor:
    """Self * other"""
    x, y = factors(call, self, other)
    return call.tensor(x * y)


@lowers("div.Tensor", "div.Scalar", "true_divide.Tensor")
def div(call: Call, self: Operand, other: Operand) -> Tensor:
    """Self / other, of integers in floats"""
    x, y = factors(call, self, other)
    return call.tensor(x / y)


@lowers("div.Tensor_mode", "div.Scalar_mode")
def div_mode(
    call: Call, self: Operand, other: Operand, *, rounding_mode: str | None = None
) -> Tensor:
    """Self / other, rounded down or towards zero"""
    x, y = factors(call, self, other)
    if rounding_mode == "floor":
        return floor_quotient(call, x, y)
    if rounding_mode is None or not x.is_float:
        return call.tensor(x / y)
    return call.tensor(f.trunc(call.to_compute_type(x) / call.to_compute_type(y)))


@lowers("floor_divide", "floor_divide.Scalar")
def floor_divide(call: Call, self: Operand, other: Operand) -> Tensor:
    """Self / other, rounded down"""
    return floor_quotient(call, *factors(call, self, other))


def floor_quotient(call: Call, x: Tensor, y: Tensor) -> Tensor:
    """A quotient, rounded down; of floats as Python's // has it, from the exact remainder."""
    if x.is_float:
        wide, divisor = call.to_compute_type(x), call.to_compute_type(y)
        rest = f.remainder(wide, divisor)
        has_other_sign = rest.differs(0) & (rest < 0).differs(divisor < 0)
        quotient = (wide - rest) / divisor - has_other_sign.convert(wide.element)
        whole = f.floor(quotient)
        whole = f.select(quotient - whole > 0.5, whole + 1, whole)
        of_zero = f.select(quotient.equals(0), 0.0 * (wide / divisor), whole)
        return call.tensor(f.select(divisor.equals(0), wide / divisor, of_zero))
    quotient = x / y
    if not x.is_integer or "ui" in str(x.element):
        return quotient
    rest = x - quotient * y
    is_inexact = rest.differs(0) & (rest < 0).differs(y < 0)
    return quotient - is_inexact.convert(x.element)


@lowers("fmod.Tensor", "fmod.Scalar", "prims.fmod")
def fmod(call: Call, self: Operand, other: Operand) -> Tensor:
    """The remainder with the sign of the dividend"""
    return f.remainder(*call.tensors(self, other))


@lowers("remainder.Tensor", "remainder.Scalar", "remainder.Scalar_Tensor", "prims.remainder")
def remainder(call: Call, self: Operand, other: Operand) -> Tensor:
    """The remainder with the sign of the divisor"""
    x, y = call.tensors(self, other)
    rest = f.remainder(x, y)
    is_other_sign = rest.differs(0) & (rest < 0).differs(y < 0)
    return f.select(is_other_sign, rest + y, rest)


@lowers(
    "pow.Tensor_Tensor", "pow.Tensor_Scalar", "pow.Scalar", "float_power.Tensor_Tensor",
    "float_power.Tensor_Scalar", "float_power.Scalar", "prims.pow",
)  # fmt: skip
def power(call: Call, self: Operand, exponent: Operand) -> Tensor:
    """Self to the power of exponent"""
    x = call.tensor(self)
    if isinstance(exponent, int | float) and exponent in SHORT_POWERS and not x.is_boolean:
        wide = call.to_compute_type(x)
        if x.is_integer and exponent not in (0, 1, 2, 3):
            return f.power(x, call.tensor(exponent))
        return SHORT_POWERS[exponent](wide).convert(call.element)
    base, y = (call.to_compute_type(operand) for operand in call.tensors(self, exponent))
    return f.power(base, y).convert(call.element)


SHORT_POWERS: Final[dict[float, Function]] = {
    1: lambda x: x,
    2: f.square,
    3: lambda x: x * x * x,
    0.5: f.sqrt,
    -0.5: f.rsqrt,
    -1: f.reciprocal,
    -2: lambda x: 1 / (x * x),
}


@lowers("prims.cbrt")
def cbrt(call: Call, self: Tensor) -> Tensor:
    """The real cube root of each element"""
    return f.cbrt(call.to_compute_type(self)).convert(call.element)


@lowers("abs", "prims.abs")
def absolute(call: Call, self: Tensor) -> Tensor:
    """The absolute value of each element"""
    is_unsigned = self.is_boolean or str(self.element).startswith("ui")
    return self if is_unsigned else abs(self)


@lowers("neg", "prims.neg")
def neg(call: Call, self: Tensor) -> Tensor:
    """The negative of each element"""
    return -self


@lowers("sign", "sgn", "prims.sign")
def sign(call: Call, self: Tensor) -> Tensor:
    """-1, 0 or 1; 0 of NaN; of a complex number its direction"""
    if self.is_boolean or str(self.element).startswith("ui"):
        return self.differs(0).convert(self.element)
    if not self.is_float:
        return f.sign(self)
    return (self > 0).convert(self.element) - (self < 0).convert(self.element)


@lowers("signbit", "prims.signbit")
def signbit(call: Call, self: Tensor) -> Tensor:
    """Whether the sign is negative, also of zero and NaN"""
    if not self.is_float:
        return self < 0 if self.is_integer else self.differs(self)
    bits = f.bits_of(self)
    return f.shift_right_logical(bits, self.element.bits - 1).differs(0)


def register_rounding(name: str, function: Function) -> None:
    """Registers a function that rounds floats; integers are themselves."""

    @lowers(name, f"prims.{name}")
    def lowering(call: Call, self: Tensor) -> Tensor:
        return function(self) if self.is_float else self


for _name, _function in {
    "ceil": f.ceil, "floor": f.floor, "round": f.round_half_even, "trunc": f.trunc,
}.items():  # fmt: skip
    register_rounding(_name, _function)


@lowers("round.decimals")
def round_decimals(call: Call, self: Tensor, *, decimals: int = 0) -> Tensor:
    """Rounded to so many digits after the point"""
    if not self.is_float:
        return self
    x = call.to_compute_type(self)
    scale = 10.0 ** abs(decimals)
    rounded = (
        f.round_half_even(x * scale) / scale
        if decimals >= 0
        else (f.round_half_even(x / scale) * scale)
    )
    return rounded.convert(self.element)


@lowers("frac")
def frac(call: Call, self: Tensor) -> Tensor:
    """The part after the point"""
    return self - f.trunc(self)


def register_comparison(name: str, function: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Registers a comparison of tensors, and of a tensor with a number."""

    @lowers(f"{name}.Tensor", f"{name}.Scalar", f"prims.{name}")
    def lowering(call: Call, self: Operand, other: Operand) -> Tensor:
        x, y = call.promote(self, other)
        return function(x, y)


for _name, _comparison in {
    "eq": Tensor.equals, "ne": Tensor.differs, "lt": Tensor.__lt__, "le": Tensor.__le__,
    "gt": Tensor.__gt__, "ge": Tensor.__ge__,
}.items():  # fmt: skip
    register_comparison(_name, _comparison)


@lowers("maximum", "prims.maximum")
def maximum(call: Call, self: Tensor, other: Tensor) -> Tensor:
    """The larger of two numbers; NaN if one is"""
    return f.maximum(*call.tensors(self, other))


@lowers("minimum", "prims.minimum")
def minimum(call: Call, self: Tensor, other: Tensor) -> Tensor:
    """The smaller of two numbers; NaN if one is"""
    return f.minimum(*call.tensors(self, other))


@lowers("fmax", "prims.fmax")
def fmax(call: Call, self: Tensor, other: Tensor) -> Tensor:
    """The larger of two numbers; the other one if one is NaN"""
    x, y = call.tensors(self, other)
    if not x.is_float:
        return f.maximum(x, y)
    return f.select(f.is_nan(x), y, f.select(f.is_nan(y), x, f.maximum(x, y)))


@lowers("fmin", "prims.fmin")
def fmin(call: Call, self: Tensor, other: Tensor) -> Tensor:
    """The smaller of two numbers; the other one if one is NaN"""
    x, y = call.tensors(self, other)
    if not x.is_float:
        return f.minimum(x, y)
    return f.select(f.is_nan(x), y, f.select(f.is_nan(y), x, f.minimum(x, y)))


@lowers("clamp", "clamp.Tensor", "clip", "clip.Tensor")
def clamp(call: Call, self: Tensor, min: Operand | None, max: Operand | None) -> Tensor:
    """Not less than min, then not greater than max"""
    x = call.tensor(self)
    if is_nan_number(min) or is_nan_number(max):
        return call.tensor(float("nan")).broadcast_to(call.shape)
    if min is not None:
        x = f.maximum(x, call.tensor(min))
    if max is not None:
        x = f.minimum(x, call.tensor(max))
    return x.broadcast_to(call.shape)


def is_nan_number(bound: Operand | None) -> bool:
    """Whether a bound is the number NaN."""
    return isinstance(bound, float) and isnan(bound)


@lowers("clamp_min", "clamp_min.Tensor")
def clamp_min(call: Call, self: Tensor, min: Operand) -> Tensor:
    """Each element, or the bound where that is greater"""
    return clamp(call, self, min, None)


@lowers("clamp_max", "clamp_max.Tensor")
def clamp_max(call: Call, self: Tensor, max: Operand) -> Tensor:
    """Each element, or the bound where that is less"""
    return clamp(call, self, None, max)


@lowers("prims.div")
def prims_div(call: Call, self: Operand, other: Operand) -> Tensor:
    """self / other; of integers rounded towards zero"""
    x, y = call.tensors(self, other)
    return x / y


@lowers("hypot", "prims.hypot")
def hypot(call: Call, self: Tensor, other: Tensor) -> Tensor:
    """sqrt(self^2 + other^2), without overflow"""
    x, y = (abs(call.to_compute_type(operand)) for operand in call.tensors(self, other))
    high, low = f.maximum(x, y), f.minimum(x, y)
    ratio = f.select(high.equals(0), 0, low / high)
    length = high * f.sqrt(1 + ratio * ratio)
    is_infinite = x.equals(inf) | y.equals(inf)
    return f.select(is_infinite, inf, f.select(x.equals(y), x * 2**0.5, length)).convert(
        call.element
    )


@lowers("where.self", "prims.where", "where.ScalarOther", "where.ScalarSelf", "where.Scalar")
def where(call: Call, condition: Tensor, self: Operand, other: Operand) -> Tensor:
    """Self where a condition is true, else other"""
    x, y = call.tensors(self, other)
    return f.select(condition.convert(BOOLEAN), x, y)


def register_logical(name: str, function: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Registers an operation on whether numbers are not zero."""

    @lowers(name)
    def lowering(call: Call, self: Tensor, other: Tensor) -> Tensor:
        return function(self.convert(BOOLEAN), other.convert(BOOLEAN))


for _name, _logical in {
    "logical_and": Tensor.__and__, "logical_or": Tensor.__or__, "logical_xor": Tensor.__xor__,
}.items():  # fmt: skip
    register_logical(_name, _logical)


@lowers("logical_not")
def logical_not(call: Call, self: Tensor) -> Tensor:
    """Whether a number is zero"""
    return self.equals(0)


def register_bitwise(name: str, function: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Registers an operation on bits."""

    @lowers(f"{name}.Tensor", f"{name}.Scalar", f"{name}.Scalar_Tensor", f"prims.{name}")
    def lowering(call: Call, self: Operand, other: Operand) -> Tensor:
        return function(*call.tensors(self, other))


for _name, _bitwise in {
    "bitwise_and": Tensor.__and__, "bitwise_or": Tensor.__or__, "bitwise_xor": Tensor.__xor__,
}.items():  # fmt: skip
    register_bitwise(_name, _bitwise)


@lowers("bitwise_not", "prims.bitwise_not")
def bitwise_not(call: Call, self: Tensor) -> Tensor:
    """Each integer with all bits inverted"""
    return ~self


@lowers(
    "bitwise_left_shift.Tensor", "bitwise_left_shift.Tensor_Scalar",
    "bitwise_left_shift.Scalar_Tensor", "__lshift__.Tensor", "__lshift__.Scalar",
    "prims.shift_left",
)  # fmt: skip
def left_shift(call: Call, self: Operand, other: Operand) -> Tensor:
    """Self * 2^other"""
    return f.shift_left(*call.tensors(self, other))


@lowers(
    "bitwise_right_shift.Tensor", "bitwise_right_shift.Tensor_Scalar",
    "bitwise_right_shift.Scalar_Tensor", "__rshift__.Tensor", "__rshift__.Scalar",
    "prims.shift_right_arithmetic",
)  # fmt: skip
def right_shift(call: Call, self: Operand, other: Operand) -> Tensor:
    """Self / 2^other, rounded down"""
    x, y = call.tensors(self, other)
    if str(x.element).startswith("ui"):
        return f.shift_right_logical(x, y)
    return f.shift_right_arithmetic(x, y)


@lowers("isnan")
def isnan_(call: Call, self: Tensor) -> Tensor:
    """Whether a number is NaN"""
    return self.differs(self)


@lowers("isinf")
def isinf(call: Call, self: Tensor) -> Tensor:
    """Whether a number is infinite"""
    if self.is_complex:
        return abs(f.real(self)).equals(inf) | abs(f.imag(self)).equals(inf)
    return abs(self).equals(inf) if self.is_float else self.differs(self)


@lowers("isfinite", "prims.isfinite")
def isfinite(call: Call, self: Tensor) -> Tensor:
    """Whether a number is neither infinite nor NaN"""
    if self.is_complex:
        return f.is_finite(f.real(self)) & f.is_finite(f.imag(self))
    return f.is_finite(self) if self.is_float else self.equals(self)


@lowers("nan_to_num")
def nan_to_num(
    call: Call, self: Tensor, nan: Operand | None = None, posinf: Operand | None = None,
    neginf: Operand | None = None,
) -> Tensor:  # fmt: skip
    """Numbers in the place of NaN and infinities; of complex numbers in that of each part."""
    if self.is_complex:
        parts = [nan_to_num(call, part(self), nan, posinf, neginf) for part in (f.real, f.imag)]
        return f.complex_from_parts(*parts)
    if not self.is_float:
        return self
    largest = float(float_info(self.element.dtype).max)
    edges = {
        inf: largest if posinf is None else posinf,
        -inf: -largest if neginf is None else neginf,
    }
    result = f.select(self.differs(self), call.tensor(nan or 0, self.element), self)
    for edge, number in edges.items():
        result = f.select(self.equals(edge), call.tensor(number, self.element), result)
    return result


@lowers("atan2", "prims.atan2")
def atan2(call: Call, self: Tensor, other: Tensor) -> Tensor:
    """The angle of the point (other, self)"""
    x, y = (call.to_compute_type(operand) for operand in call.tensors(self, other))
    return f.atan2(x, y).convert(call.element)


@lowers("copysign.Tensor", "copysign.Scalar")
def copysign(call: Call, self: Operand, other: Operand) -> Tensor:
    """The absolute value of self with the sign of other"""
    x, y = call.tensors(self, other)
    size = abs(x)
    return f.select(signbit(call, y), -size, size)


@lowers("nextafter", "prims.nextafter")
def nextafter(call: Call, self: Tensor, other: Tensor) -> Tensor:
    """The float next to self in the direction of other"""
    return f.next_after(*call.tensors(self, other))


@lowers("deg2rad")
def deg2rad(call: Call, self: Tensor) -> Tensor:
    """Angles in radians, of those in degrees"""
    return (call.to_compute_type(call.tensor(self)) * (pi / 180)).convert(call.element)


@lowers("rad2deg")
def rad2deg(call: Call, self: Tensor) -> Tensor:
    """Angles in degrees, of those in radians"""
    return (call.to_compute_type(call.tensor(self)) * (180 / pi)).convert(call.element)


@lowers("real", "view_as_real_part", "prims.real")
def real(call: Call, self: Tensor) -> Tensor:
    """The real parts of complex numbers"""
    return f.real(self)


@lowers("imag", "prims.imag")
def imag(call: Call, self: Tensor) -> Tensor:
    """The imaginary parts of complex numbers"""
    return f.imag(self)


@lowers(
    "conj", "_conj", "conj_physical", "_conj_physical", "resolve_conj", "_conj_copy", "prims.conj",
    "prims.conj_physical",
)  # fmt: skip
def conj(call: Call, self: Tensor) -> Tensor:
    """The complex conjugate of each element"""
    return f.conjugate(self)


@lowers("resolve_neg", "_neg_view", "_neg_view_copy")
def neg_view(call: Call, self: Tensor) -> Tensor:
    """The negative of each element, as a new tensor"""
    return -self if call.name.startswith("aten._neg_view") else self


@lowers("complex")
def complex_(call: Call, real: Tensor, imag: Tensor) -> Tensor:
    """Complex numbers with these parts"""
    if real.element != imag.element:
        call.refuse(f"the parts need one element type, not {real.element} and {imag.element}")
    return f.complex_from_parts(real, imag)


@lowers("gcd", "prims.gcd")
def gcd(call: Call, self: Operand, other: Operand) -> Tensor:
    """The greatest common divisor, by Euclid's algorithm"""
    one, two = (abs(x).broadcast_to(call.shape) for x in call.tensors(self, other))

    def goes_on(x: Tensor, y: Tensor) -> Tensor:
        return any_over(y.differs(0))

    def divide(x: Tensor, y: Tensor) -> list[Tensor]:
        is_over = y.equals(0)
        rest = f.remainder(x, f.select(is_over, 1, y))
        return [f.select(is_over, x, y), f.select(is_over, 0, rest)]

    return while_loop(goes_on, divide, [one, two])[0]


@lowers("polar")
def polar(call: Call, abs: Tensor, angle: Tensor) -> Tensor:
    """Complex numbers of this absolute value and angle"""
    return f.complex_from_parts(abs * f.cos(angle), abs * f.sin(angle))


@lowers("angle")
def angle(call: Call, self: Tensor) -> Tensor:
    """The angle of a complex number; 0 or pi of a real one"""
    if self.is_complex:
        return f.atan2(f.imag(self), f.real(self))
    x = call.tensor(self)
    return f.select(f.is_nan(x), x, f.select(x < 0, pi * (x / x), 0.0 * x))


@lowers("_to_copy", "prims.convert_element_type")
def to_copy(call: Call, self: Operand, _dtype: object = None) -> Tensor:
    """The elements as another type"""
    if isinstance(self, Tensor) and self.is_complex and not call.tensor(0).is_complex:
        return call.cast(f.real(self))
    return call.cast(self)


@lowers("prims.fma")
def multiply_add(call: Call, a: Operand, b: Operand, c: Operand) -> Tensor:
    """a b + c"""
    x, y, z = (call.to_compute_type(operand) for operand in call.tensors(a, b, c))
    return call.tensor(x * y + z)


@lowers(
    "clone", "alias", "detach", "lift_fresh_copy", "lift_fresh", "contiguous", "view_as",
    "prims.view_of", "detach_copy", "alias_copy", "prims.clone", "lift",
    "_lazy_clone", "prims.device_put", "prims.copy_strided",
)  # fmt: skip
def identity(call: Call, self: Tensor) -> Tensor:
    """The tensor as it is"""
    return self


@lowers("copy", "copy_", "prims.copy_to")
def copy(call: Call, self: Tensor, src: Tensor, *_: object) -> Tensor:
    """Src in the shape and type of self"""
    return call.cast(src).broadcast_to(call.shape)
