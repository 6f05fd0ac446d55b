"""Functions of corresponding elements: arithmetic, comparison, rounding, bits, activations.

Source: ONNX, Operator Schemas.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from math import inf, pi, sqrt
from typing import Any, Final

from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.element_types import element_of
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions.floating_point import computed
from stablemate.frontends.tensor_functions.tensor import Tensor, scalar
from stablemate.numerics.elements import BOOLEAN, F32, ElementType, FloatType, IntegerType

Function = Callable[[Tensor], Tensor]

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
        return function(computed(wide)).convert(x.element)


for _name, _function in UNARY.items():
    register_unary(_name, _function)


def register_variadic(name: str, function: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Registers an operator that combines any number of tensors."""

    @lowers(name)
    def lowering(call: Call, *operands: Tensor) -> Tensor:
        return reduce(function, operands)


for _name, _binary in {
    "Add": Tensor.__add__, "Sub": Tensor.__sub__, "Mul": Tensor.__mul__, "Div": Tensor.__truediv__,
    "Sum": Tensor.__add__, "Max": f.maximum, "Min": f.minimum, "BitwiseAnd": Tensor.__and__,
    "BitwiseOr": Tensor.__or__, "BitwiseXor": Tensor.__xor__, "And": Tensor.__and__,
    "Or": Tensor.__or__, "Xor": Tensor.__xor__, "Equal": Tensor.equals, "Less": Tensor.__lt__,
    "LessOrEqual": Tensor.__le__, "Greater": Tensor.__gt__, "GreaterOrEqual": Tensor.__ge__,
}.items():  # fmt: skip
    register_variadic(_name, _binary)


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
    """The absolute value"""
    return x if is_unsigned(x.element) else abs(x)


@lowers("Sign")
def sign(call: Call, x: Tensor) -> Tensor:
    """-1, 0 or 1"""
    return x.differs(0).convert(x.element) if is_unsigned(x.element) else f.sign(x)


@lowers("Not", "BitwiseNot")
def invert(call: Call, x: Tensor) -> Tensor:
    """All bits inverted"""
    return ~x


@lowers("Ceil")
def ceil(call: Call, x: Tensor) -> Tensor:
    """Rounded up"""
    return f.ceil(x)


@lowers("Floor")
def floor(call: Call, x: Tensor) -> Tensor:
    """Rounded down"""
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


@lowers("PRelu")
def prelu(call: Call, x: Tensor, slope: Tensor) -> Tensor:
    """X, or slope * x if that is negative"""
    return f.select(x < 0, x * slope.broadcast_to(x.shape), x)


@lowers("ThresholdedRelu")
def thresholded_relu(call: Call, x: Tensor, *, alpha: float = 1.0) -> Tensor:
    """X where it is greater than alpha, else 0"""
    return f.select(x > alpha, x, 0)


@lowers("Elu")
def elu(call: Call, x: Tensor, *, alpha: float = 1.0) -> Tensor:
    """X, or alpha (exp(x) - 1) if that is negative"""
    wide = computed(x)
    return f.select(wide < 0, f.expm1(wide) * alpha, wide).convert(x.element)


@lowers("Selu")
def selu(
    call: Call, x: Tensor, *, alpha: float = 1.6732631921768188, gamma: float = 1.0507010221481323
) -> Tensor:
    """Gamma times x, or times alpha (exp(x) - 1) if x is negative"""
    wide = computed(x)
    return (f.select(wide > 0, wide, f.expm1(wide) * alpha) * gamma).convert(x.element)


@lowers("Celu")
def celu(call: Call, x: Tensor, *, alpha: float = 1.0) -> Tensor:
    """max(x, 0) + min(0, alpha (exp(x / alpha) - 1))"""
    wide = computed(x)
    negative = f.minimum(f.expm1(wide / alpha) * alpha, 0)
    return (f.maximum(wide, 0) + negative).convert(x.element)


@lowers("HardSigmoid")
def hard_sigmoid(call: Call, x: Tensor, *, alpha: float = 0.2, beta: float = 0.5) -> Tensor:
    """Alpha x + beta, from 0 to 1"""
    wide = computed(x)
    return f.clamp(0, wide * alpha + beta, 1).convert(x.element)


@lowers("Gelu")
def gelu(call: Call, x: Tensor, *, approximate: str = "none") -> Tensor:
    """X times the normal distribution function, or its approximation by a tangent"""
    wide = computed(x)
    if approximate == "tanh":
        inner = f.tanh((wide + wide * wide * wide * 0.044715) * sqrt(2 / pi))
        return (wide * (inner + 1) * 0.5).convert(x.element)
    return (wide * (f.erf(wide * sqrt(0.5)) + 1) * 0.5).convert(x.element)


@lowers("Swish")
def swish(call: Call, x: Tensor, *, alpha: float = 1.0) -> Tensor:
    """X sigmoid(alpha x)"""
    wide = computed(x)
    return (wide * f.logistic(wide * alpha)).convert(x.element)


@lowers("Shrink")
def shrink(call: Call, x: Tensor, *, bias: float = 0.0, lambd: float = 0.5) -> Tensor:
    """Moved towards zero by a bias; zero near zero"""
    wide = computed(x) if x.is_float else x.convert(F32)
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
    return f.shift_left(x, y) if direction == "LEFT" else f.shift_right_logical(x, y)


@lowers("Where")
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
    wide = computed(x)
    if detect_negative and detect_positive:
        return abs(wide).equals(inf)
    if not detect_negative and not detect_positive:
        return wide.differs(wide) & wide.equals(wide)
    return wide.equals(inf if detect_positive else -inf)


@lowers("Cast")
def cast(call: Call, x: Tensor, *, to: int, saturate: int = 1, round_mode: str = "up") -> Tensor:
    """The elements as another type"""
    return converted(call, x, element_of(to, "the result"), saturate=bool(saturate))


@lowers("CastLike")
def cast_like(
    call: Call, x: Tensor, like: Tensor, *, saturate: int = 1, round_mode: str = "up"
) -> Tensor:
    """The elements as the type of another tensor"""
    return converted(call, x, like.element, saturate=bool(saturate))


def converted(call: Call, x: Any, element: ElementType, *, saturate: bool) -> Tensor:
    """The elements as another type."""
    if not isinstance(x, Tensor):
        call.refuse("strings are no numbers of a program")
    return x.convert(element)


@lowers("BitCast")
def bit_cast(call: Call, x: Tensor, *, to: int) -> Tensor:
    """The same bits as another type"""
    return f.bitcast(x, element_of(to, "the result"))


@lowers("Identity")
def identity(call: Call, x: Any) -> Any:
    """The input"""
    return x


@lowers("Dropout", until=11)
def dropout_by_attribute(call: Call, x: Tensor, *, ratio: float = 0.5) -> tuple[Tensor, Tensor]:
    """The input, and a mask of it as a whole"""
    return x, true_like(x)


@lowers("Dropout", since=12)
def dropout(
    call: Call, x: Tensor, ratio: Tensor | None = None, training: Tensor | None = None, *,
    seed: int = 0,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The input, and a mask of it as a whole, outside of training"""
    if training is not None and bool(call.needed_array(training, "training_mode").item()):
        call.refuse("training draws random numbers as no specification says")
    return x, true_like(x)


def true_like(x: Tensor) -> Tensor:
    """True for each element of a tensor."""
    return scalar(x.graph, True, BOOLEAN).broadcast_to(x.shape)


def is_unsigned(element: ElementType) -> bool:
    """Whether an element type has no negative numbers."""
    return isinstance(element, IntegerType) and element.is_unsigned
