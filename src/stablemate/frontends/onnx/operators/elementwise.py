"""Functions of corresponding elements: arithmetic, comparison, rounding, bits, activations.

Source: ONNX, Operator Schemas.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from math import inf, pi, sqrt
from typing import Final

import numpy as np

from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.element_types import STRING, element_of
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.onnx.text_tensors import Texts, TextTensor
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions.floating_point import (
    fraction_and_exponent,
    to_compute_type,
)
from stablemate.frontends.tensor_functions.random_numbers import uniform
from stablemate.frontends.tensor_functions.tensor import (
    Tensor,
    broadcast_together,
    constant,
    scalar,
)
from stablemate.numerics.elements import (
    BOOLEAN,
    F32,
    I32,
    SIMPLE_ELEMENTS,
    UI8,
    Array,
    ElementType,
    FloatType,
    IntegerType,
    float_info,
)

Function = Callable[[Tensor], Tensor]
E8M0: Final = SIMPLE_ELEMENTS["f8E8M0FNU"]
E8M0_BIAS: Final = 127
E8M0_LARGEST: Final = 254
E8M0_NAN: Final = 255
SATURATING: Final = frozenset(
    SIMPLE_ELEMENTS[name] for name in ("f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ")
)

# Functions of one float, computed in 32 bits if it is narrower.
UNARY: Final[dict[str, Function]] = {
    "Acos": f.acos, "Acosh": f.acosh, "Asin": f.asin, "Asinh": f.asinh, "Atan": f.atan,
    "Atanh": f.atanh, "Cos": f.cos, "Cosh": f.cosh, "Erf": f.erf, "Exp": f.exp, "Log": f.log,
    "Reciprocal": f.reciprocal, "Sigmoid": f.logistic, "Sin": f.sin, "Sinh": f.sinh,
    "Sqrt": f.sqrt, "Tan": f.tan, "Tanh": f.tanh,
    "Softplus": lambda x: f.maximum(x, 0) + f.log1p(f.exp(-abs(x))),
    "Softsign": lambda x: x / (abs(x) + 1),
    "HardSwish": lambda x: x * f.clamp(0, x / 6 + 0.5, 1),
    "Mish": lambda x: x * f.tanh(f.maximum(x, 0) + f.log1p(f.exp(-abs(x)))),
}  # fmt: skip


def register_unary(name: str, function: Function) -> None:
    """Registers a function of one number."""

    @lowers(name)
    def lowering(call: Call, x: Tensor) -> Tensor:
        wide = x if x.is_float else x.convert(F32)
        return function(to_compute_type(wide)).convert(x.element)


for _name, _function in UNARY.items():
    register_unary(_name, _function)


def register_variadic(name: str, function: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Registers an operator that combines any number of tensors.

    Before version 7, the second of two is broadcast to the first one from an axis on.
    """

    @lowers(name, since=7 if name in BROADCAST_FROM_AXIS else 1)
    def lowering(call: Call, *operands: Tensor) -> Tensor:
        return reduce(function, operands)

    if name in BROADCAST_FROM_AXIS:

        @lowers(name, until=6)
        def old_lowering(
            call: Call, x: Tensor, y: Tensor, *, axis: int | None = None, broadcast: int = 0,
            consumed_inputs: object = None,
        ) -> Tensor:  # fmt: skip
            return function(x, y if axis is None else from_axis(x, y, axis))


BROADCAST_FROM_AXIS: Final = frozenset(
    {"Add", "Sub", "Mul", "Div", "And", "Or", "Xor", "Less", "Greater"}
)


def from_axis(x: Tensor, y: Tensor, axis: int) -> Tensor:
    """A tensor repeated to the shape of another, to whose dimensions from an axis its own fit."""
    at = x.dimension(axis)
    return y.broadcast(x.shape, range(at, at + y.rank))


for _name, _binary in {
    "Add": Tensor.__add__, "Sub": Tensor.__sub__, "Mul": Tensor.__mul__, "Div": Tensor.__truediv__,
    "Sum": Tensor.__add__, "Max": f.maximum, "Min": f.minimum, "BitwiseAnd": Tensor.__and__,
    "BitwiseOr": Tensor.__or__, "BitwiseXor": Tensor.__xor__, "And": Tensor.__and__,
    "Or": Tensor.__or__, "Xor": Tensor.__xor__, "Less": Tensor.__lt__,
    "LessOrEqual": Tensor.__le__, "Greater": Tensor.__gt__, "GreaterOrEqual": Tensor.__ge__,
}.items():  # fmt: skip
    register_variadic(_name, _binary)


@lowers("Equal", until=6)
def equal_from_axis(
    call: Call, x: Tensor, y: Tensor, *, axis: int | None = None, broadcast: int = 0
) -> Tensor:
    """Whether elements are equal, the second tensor broadcast from an axis on"""
    return x.equals(y if axis is None else from_axis(x, y, axis))


@lowers("Equal", since=7, strings="any")
def equal(call: Call, x: Tensor | Texts, y: Tensor | Texts) -> Tensor:
    """Whether elements are equal, with broadcasting; strings too"""
    one, other = (item if isinstance(item, Tensor) else call.text_numbers(item) for item in (x, y))
    return one.equals(other)


@lowers("Mean")
def mean(call: Call, *operands: Tensor) -> Tensor:
    """The sum of tensors divided by their number"""
    return reduce(Tensor.__add__, operands) / len(operands)


@lowers("Neg")
def neg(call: Call, x: Tensor) -> Tensor:
    """-x"""
    return -x


@lowers("Abs")
def absolute(call: Call, x: Tensor) -> Tensor:
    """The absolute value of each element"""
    return x if is_unsigned(x.element) else abs(x)


@lowers("Sign")
def sign(call: Call, x: Tensor) -> Tensor:
    """-1, 0 or 1"""
    return x.differs(0).convert(x.element) if is_unsigned(x.element) else f.sign(x)


@lowers("Not", "BitwiseNot")
def invert(call: Call, x: Tensor) -> Tensor:
    """Each integer with all bits inverted"""
    return ~x


@lowers("Ceil")
def ceil(call: Call, x: Tensor) -> Tensor:
    """Each element rounded up to an integer"""
    return f.ceil(x)


@lowers("Floor")
def floor(call: Call, x: Tensor) -> Tensor:
    """Each element rounded down to an integer"""
    return f.floor(x)


@lowers("Round")
def round_(call: Call, x: Tensor) -> Tensor:
    """Rounded to the nearest integer, halves to even ones"""
    return f.round_half_even(x)


@lowers("Relu")
def relu(call: Call, x: Tensor) -> Tensor:
    """max(x, 0)"""
    return f.maximum(x, 0)


@lowers("LeakyRelu")
def leaky_relu(call: Call, x: Tensor, *, alpha: float = 0.01) -> Tensor:
    """X, or alpha x if that is negative"""
    return f.select(x < 0, x * alpha, x)


@lowers("PRelu", until=6)
def prelu_by_channel(
    call: Call, x: Tensor, slope: Tensor, *, consumed_inputs: object = None
) -> Tensor:
    """X, or slope * x if that is negative, with a slope for each channel"""
    return prelu(call, x, from_axis(x, slope, 1) if slope.shape != (1,) else slope)


@lowers("PRelu", since=7)
def prelu(call: Call, x: Tensor, slope: Tensor) -> Tensor:
    """X, or slope * x if that is negative"""
    x, slope = broadcast_together(x, slope)  # both ways, as ONNX Runtime does
    return f.select(x < 0, x * slope, x)


@lowers("ThresholdedRelu")
def thresholded_relu(call: Call, x: Tensor, *, alpha: float = 1.0) -> Tensor:
    """X where it is greater than alpha, else 0"""
    return f.select(x > alpha, x, 0)


@lowers("Elu")
def elu(call: Call, x: Tensor, *, alpha: float = 1.0) -> Tensor:
    """X, or alpha (exp(x) - 1) if that is negative"""
    wide = to_compute_type(x)
    return f.select(wide < 0, f.expm1(wide) * alpha, wide).convert(x.element)


@lowers("Selu")
def selu(
    call: Call, x: Tensor, *, alpha: float = 1.6732631921768188, gamma: float = 1.0507010221481323
) -> Tensor:
    """Gamma times x, or times alpha (exp(x) - 1) if x is negative"""
    wide = to_compute_type(x)
    return (f.select(wide > 0, wide, f.expm1(wide) * alpha) * gamma).convert(x.element)


@lowers("Celu")
def celu(call: Call, x: Tensor, *, alpha: float = 1.0) -> Tensor:
    """max(x, 0) + min(0, alpha (exp(x / alpha) - 1))"""
    wide = to_compute_type(x)
    negative = f.minimum(f.expm1(wide / alpha) * alpha, 0)
    return (f.maximum(wide, 0) + negative).convert(x.element)


@lowers("HardSigmoid")
def hard_sigmoid(call: Call, x: Tensor, *, alpha: float = 0.2, beta: float = 0.5) -> Tensor:
    """Alpha x + beta, from 0 to 1"""
    wide = to_compute_type(x)
    return f.clamp(0, wide * alpha + beta, 1).convert(x.element)


@lowers("Gelu")
def gelu(call: Call, x: Tensor, *, approximate: str = "none") -> Tensor:
    """X times the normal distribution function, or its approximation by a tangent"""
    wide = to_compute_type(x)
    if approximate == "tanh":
        inner = f.tanh((wide + wide * wide * wide * 0.044715) * sqrt(2 / pi))
        return (wide * (inner + 1) * 0.5).convert(x.element)
    return (wide * (f.erf(wide * sqrt(0.5)) + 1) * 0.5).convert(x.element)


@lowers("Swish")
def swish(call: Call, x: Tensor, *, alpha: float = 1.0) -> Tensor:
    """X sigmoid(alpha x)"""
    wide = to_compute_type(x)
    return (wide * f.logistic(wide * alpha)).convert(x.element)


@lowers("Shrink")
def shrink(call: Call, x: Tensor, *, bias: float = 0.0, lambd: float = 0.5) -> Tensor:
    """Moved towards zero by a bias; zero near zero"""
    wide = to_compute_type(x) if x.is_float else x.convert(F32)
    shrunk = f.select(wide > lambd, wide - bias, 0)
    return f.select(wide < -lambd, wide + bias, shrunk).convert(x.element)


@lowers("Pow")
def power(call: Call, x: Tensor, y: Tensor) -> Tensor:
    """X to the power of y"""
    exponent = call.array(y)
    if exponent is not None and exponent.size == 1 and exponent.item() in SHORT_POWERS:
        rank = max(x.rank, y.rank)
        base = x.broadcast_to((1,) * (rank - x.rank) + x.shape)
        return SHORT_POWERS[exponent.item()](base)
    if x.is_integer and y.is_integer:
        return f.power(x, y.convert(x.element))
    wide = x.element if isinstance(x.element, FloatType) and x.element.bits == 64 else F32
    return f.power(x.convert(wide), y.convert(wide)).convert(x.element)


SHORT_POWERS: Final[dict[float, Function]] = {1: lambda x: x, 2: f.square}


@lowers("Mod")
def mod(call: Call, x: Tensor, y: Tensor, *, fmod: int = 0) -> Tensor:
    """The remainder with the sign of the divisor; with fmod, that of the dividend"""
    rest = f.remainder(x, y)
    if fmod or is_unsigned(x.element):
        return rest
    other_sign = rest.differs(0) & (rest < 0).differs(y < 0)
    return f.select(other_sign, rest + y, rest)


@lowers("BitShift")
def bit_shift(call: Call, x: Tensor, y: Tensor, *, direction: str) -> Tensor:
    """X * 2^y, or x / 2^y rounded down"""
    if direction == "LEFT":
        return f.shift_left(x, y)
    shift = f.shift_right_logical if is_unsigned(x.element) else f.shift_right_arithmetic
    return shift(x, y)


@lowers("Where", strings="moved")
def where(call: Call, condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """X where a condition is true, else y"""
    return f.select(condition, x, y)


@lowers("Clip", until=10)
def clip_by_attributes(
    call: Call,
    x: Tensor,
    *,
    min: float = -3.4028234663852886e38,
    max: float = 3.4028234663852886e38,
) -> Tensor:
    """Not less than min and not greater than max"""
    return f.minimum(f.maximum(x, min), max)


@lowers("Clip", since=11)
def clip(call: Call, x: Tensor, low: Tensor | None = None, high: Tensor | None = None) -> Tensor:
    """Not less than a bound, then not greater than another"""
    result = x if low is None else f.maximum(x, low)
    return result if high is None else f.minimum(result, high)


@lowers("IsNaN")
def is_nan(call: Call, x: Tensor) -> Tensor:
    """Whether a number is NaN"""
    return f.is_nan(x)


@lowers("IsInf")
def is_inf(call: Call, x: Tensor, *, detect_negative: int = 1, detect_positive: int = 1) -> Tensor:
    """Whether a number is infinite, of the signs that are asked for"""
    wide = to_compute_type(x)
    if detect_negative and detect_positive:
        return abs(wide).equals(inf)
    if not detect_negative and not detect_positive:
        return wide.differs(wide) & wide.equals(wide)
    return wide.equals(inf if detect_positive else -inf)


@lowers("Cast", strings="any")
def cast(
    call: Call, x: Tensor | Texts, *, to: int, saturate: int = 1, round_mode: str = "up"
) -> Tensor | Texts:
    """The elements as another type"""
    if to == STRING and not isinstance(x, Tensor):
        return x
    element = element_of(to, "the result")
    if isinstance(x, TextTensor):
        call.need(x.numbers, "the strings")
    if not isinstance(x, Tensor):
        return constant(call.graph, numbers_in(x).astype(element.dtype), element)
    return convert_elements(x, element, round_mode, saturates=bool(saturate))


def numbers_in(texts: Array) -> Array:
    """The numbers that strings state."""
    return np.array([float(text) for text in texts.reshape(-1)]).reshape(texts.shape)


@lowers("CastLike")
def cast_like(
    call: Call, x: Tensor, like: Tensor, *, saturate: int = 1, round_mode: str = "up"
) -> Tensor:
    """The elements as the type of another tensor"""
    return convert_elements(x, like.element, round_mode, saturates=bool(saturate))


def convert_elements(
    x: Tensor, element: ElementType, round_mode: str, *, saturates: bool
) -> Tensor:
    """The elements as another type; what is beyond a narrow float becomes the largest one."""
    if element == E8M0:
        return powers_of_two(x.convert(F32), round_mode, saturates=saturates)
    is_narrow = isinstance(element, IntegerType) and 1 < element.bits < 8
    if is_narrow and x.is_float:
        return x.convert(I32).convert(element)  # wrapped
    if element in SATURATING and saturates and x.is_float:
        limit = float(float_info(element.dtype).max)
        return f.clamp(-limit, to_compute_type(x), limit).convert(element)
    return x.convert(element)


def powers_of_two(x: Tensor, round_mode: str, *, saturates: bool) -> Tensor:
    """Positive floats rounded to powers of two, as exponents of 8 bits.

    Args:
        x: Floats of 32 bits, whose signs are lost.
        round_mode: ``up``, ``down`` or ``nearest``.
        saturates: Whether what is too large or small becomes the largest or smallest power.
    """
    size = abs(x)
    fraction, exponent = fraction_and_exponent(size)  # a fraction of 1/2 is a power itself
    least = {"up": fraction > 0.5, "nearest": fraction >= 0.75}.get(round_mode, fraction > 1)
    code = exponent - 1 + least.convert(exponent.element) + E8M0_BIAS
    inside = f.clamp(0, code, E8M0_LARGEST)
    result = f.select(size.equals(0), 0, f.select(size.equals(inf), E8M0_LARGEST, inside))
    lost = f.is_nan(x)
    if not saturates:
        lost = lost | size.equals(inf) | (code > E8M0_LARGEST) | (code < 0) | size.equals(0)
    return f.bitcast(f.select(lost, E8M0_NAN, result).convert(UI8), E8M0)


@lowers("BitCast")
def bit_cast(call: Call, x: Tensor, *, to: int) -> Tensor:
    """The same bits as another type"""
    element = element_of(to, "the result")
    if BOOLEAN in (x.element, element):
        return x.convert(element)
    return f.bitcast(x, element)


@lowers("Identity", strings="any")
def identity(call: Call, x: object) -> object:
    """The input as it is, of any kind"""
    return x


@lowers("Dropout", until=11)
def dropout_by_attribute(call: Call, x: Tensor, *, ratio: float = 0.5) -> tuple[Tensor, Tensor]:
    """The input, and a mask that ONNX leaves open; ONNX Runtime fills it with zeros"""
    element = BOOLEAN if call.version >= 10 else x.element
    return x, scalar(x.graph, 0, element).broadcast_to(x.shape)


@lowers("Dropout", since=12)
def dropout(
    call: Call, x: Tensor, ratio: Tensor | None = None, training: Tensor | None = None, *,
    seed: int = 0,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """In training elements that are zero with a probability, and which ones are not"""
    is_training = training is not None and call.needed_array(training, "training_mode").item()
    p = 0.5 if ratio is None else float(call.needed_array(ratio, "the ratio").item())
    if not is_training or p == 0:
        return x, true_like(x)
    wide = to_compute_type(x)
    kept = uniform(call.key(), call.stream, x.shape, F32) >= p
    return (f.select(kept, wide, 0) / (1 - p)).convert(x.element), kept


def true_like(x: Tensor) -> Tensor:
    """True for each element of a tensor."""
    return scalar(x.graph, True, BOOLEAN).broadcast_to(x.shape)


def is_unsigned(element: ElementType) -> bool:
    """Whether an element type has no negative numbers."""
    return isinstance(element, IntegerType) and element.is_unsigned
