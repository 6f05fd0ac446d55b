"""Elementwise operations, of StableHLO and CHLO."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import scipy.special

from benchmarks.op_cases.case import COMPLEX, FLOATS, INTEGERS, Case, Work, draw, tensor
from tests.oracle.elements import DTYPES

REALS: Final = (*FLOATS, *COMPLEX)
NUMBERS: Final = (*REALS, *INTEGERS)
BITS: Final = (*INTEGERS, "i1")
ALL: Final = (*NUMBERS, "i1")
CHLO_FLOATS: Final = ("f32", "f64", "f16", "bf16", "f8E4M3FN")


@dataclass(frozen=True)
class Row:
    """An operation, its formula, its element types, and the range of its operands."""

    name: str
    numpy: Callable[..., Any] | None
    elements: Sequence[str]
    low: float = -2
    high: float = 2
    operands: int = 1
    result: str | None = None

    def cases(self) -> Iterator[Case]:
        """One case per element type."""
        for element in self.elements:
            yield Case(self.name, element, lambda n, element=element: self.work(element, n))

    def work(self, element: str, n: int) -> Work:
        """On vectors of n elements."""
        low = max(self.low, 0) if element.startswith("ui") else self.low
        many = range(self.operands)
        arguments = [draw(element, n, low=low, high=self.high, seed=i) for i in many]
        result = self.result or element
        if self.name.split(".")[1] in ("abs", "real", "imag"):
            result = element.removeprefix("complex<").removesuffix(">")
        return Work(arguments, [tensor(result, n)], numpy=self.numpy)


def shlo(name: str, *rest: Any, **options: Any) -> Row:
    """A row of a StableHLO operation."""
    return Row(f"stablehlo.{name}", *rest, **options)


def pair(name: str, *rest: Any, **options: Any) -> Row:
    """A row of a StableHLO operation of two operands."""
    return Row(f"stablehlo.{name}", *rest, **options, operands=2)


def chlo(name: str, *rest: Any, **options: Any) -> Row:
    """A row of a CHLO operation."""
    return Row(f"chlo.{name}", *rest, **options)


def rounded_half_away(x: Any) -> Any:
    """The nearest integer, of two the one farther from zero."""
    return np.trunc(x + np.copysign(0.5, x))


def leading_zeros(x: Any) -> Any:
    """The number of zero bits above the highest one, by the logarithm."""
    bits = x.dtype.itemsize * 8
    return bits - 1 - np.floor(np.log2(np.maximum(x.view(f"u{x.dtype.itemsize}"), 1).astype("f8")))


def logistic(x: Any) -> Any:
    """1 / (1 + exp(-x))."""
    return 1 / (1 + np.exp(-x))


ROWS: Final = (
    shlo("abs", np.abs, (*REALS, "i8", "i32", "i64", "i4")),
    pair("add", np.add, ALL),
    pair("and", np.bitwise_and, BITS),
    pair("atan2", np.arctan2, FLOATS),
    pair("atan2", None, COMPLEX),
    shlo("cbrt", np.cbrt, FLOATS),
    shlo("cbrt", lambda x: x ** (1 / 3), COMPLEX),
    shlo("ceil", np.ceil, FLOATS),
    shlo("cosine", np.cos, REALS),
    shlo("count_leading_zeros", leading_zeros, ("i8", "i32", "i64", "ui32")),
    shlo("count_leading_zeros", None, ("i4",)),
    pair("divide", np.divide, REALS),
    pair("divide", np.floor_divide, INTEGERS, low=1, high=7),
    shlo("exponential", np.exp, REALS),
    shlo("exponential_minus_one", np.expm1, REALS),
    shlo("floor", np.floor, FLOATS),
    shlo("imag", lambda x: x.imag.copy(), COMPLEX),
    shlo("is_finite", np.isfinite, FLOATS, result="i1"),
    shlo("log", np.log, REALS, low=0.1),
    shlo("log_plus_one", np.log1p, REALS, low=-0.9),
    shlo("logistic", logistic, REALS),
    pair("maximum", np.maximum, ALL),
    pair("minimum", np.minimum, ALL),
    pair("multiply", np.multiply, ALL),
    shlo("negate", np.negative, NUMBERS),
    shlo("not", np.bitwise_not, BITS),
    pair("or", np.bitwise_or, BITS),
    shlo("popcnt", np.bitwise_count, ("i8", "i32", "i64", "ui32")),
    shlo("popcnt", None, ("i4",)),
    pair("power", np.power, (*REALS, *INTEGERS), low=0.1, high=3),
    shlo("real", lambda x: x.real.copy(), COMPLEX),
    pair("remainder", np.fmod, FLOATS, low=0.5, high=6),
    pair("remainder", np.remainder, INTEGERS, low=1, high=7),
    shlo("round_nearest_afz", rounded_half_away, FLOATS),
    shlo("round_nearest_even", np.rint, FLOATS),
    shlo("rsqrt", lambda x: 1 / np.sqrt(x), REALS, low=0.1),
    pair("shift_left", np.left_shift, INTEGERS, low=0, high=3),
    pair("shift_right_arithmetic", np.right_shift, INTEGERS, low=0, high=3),
    pair("shift_right_logical", np.right_shift, INTEGERS, low=0, high=3),
    shlo("sign", np.sign, (*FLOATS, "i8", "i32", "i64", "i4")),
    shlo("sign", lambda x: x / np.abs(x), COMPLEX),
    shlo("sine", np.sin, REALS),
    shlo("sqrt", np.sqrt, REALS, low=0.1),
    pair("subtract", np.subtract, NUMBERS),
    shlo("tan", np.tan, REALS),
    shlo("tanh", np.tanh, REALS),
    pair("xor", np.bitwise_xor, BITS),
    chlo("acos", np.arccos, (*CHLO_FLOATS, *COMPLEX), low=-0.9, high=0.9),
    chlo("acosh", np.arccosh, (*CHLO_FLOATS, *COMPLEX), low=1.1, high=9),
    chlo("asin", np.arcsin, (*CHLO_FLOATS, *COMPLEX), low=-0.9, high=0.9),
    chlo("asinh", np.arcsinh, (*CHLO_FLOATS, *COMPLEX)),
    chlo("atan", np.arctan, (*CHLO_FLOATS, *COMPLEX)),
    chlo("atanh", np.arctanh, (*CHLO_FLOATS, *COMPLEX), low=-0.9, high=0.9),
    chlo("bessel_i1e", scipy.special.i1e, CHLO_FLOATS),
    chlo("conj", np.conj, COMPLEX),
    chlo("cosh", np.cosh, (*CHLO_FLOATS, *COMPLEX)),
    chlo("digamma", scipy.special.digamma, CHLO_FLOATS, low=-4, high=4),
    chlo("erf", scipy.special.erf, CHLO_FLOATS),
    chlo("erf_inv", scipy.special.erfinv, CHLO_FLOATS, low=-0.99, high=0.99),
    chlo("erfc", scipy.special.erfc, CHLO_FLOATS),
    chlo("is_inf", np.isinf, CHLO_FLOATS, result="i1"),
    chlo("lgamma", scipy.special.gammaln, CHLO_FLOATS, low=-4, high=4),
    chlo("mulhi", None, ("i32", "i64", "ui32"), operands=2),
    chlo("next_after", np.nextafter, ("f32", "f64"), operands=2),
    chlo("polygamma", scipy.special.polygamma, ("f32", "f64"), low=1, high=4, operands=2),
    chlo("sinh", np.sinh, (*CHLO_FLOATS, *COMPLEX)),
    chlo("square", np.square, (*CHLO_FLOATS, *COMPLEX)),
    chlo("tan", np.tan, CHLO_FLOATS),
    chlo("zeta", scipy.special.zeta, ("f32", "f64"), low=1.2, high=9, operands=2),
)

CONVERTED: Final = ("f32", "f64", "bf16", "f8E4M3FN", "f4E2M1FN", "i4", "i8", "i32", "i64", "i1", "complex<f32>")  # fmt: skip
COMPARED: Final = {
    **dict.fromkeys(FLOATS, "FLOAT"),
    "complex<f32>": "FLOAT",
    **dict.fromkeys(INTEGERS, "SIGNED"),
    "ui32": "UNSIGNED",
    "i1": "UNSIGNED",
}
QUANTIZED: Final = "!quant.uniform<i8:f32, 0.05:3>"
QUANTIZED_UNARY: Final = ("abs", "negate", "tanh", "exponential", "logistic", "sine")
QUANTIZED_BINARY: Final = ("add", "multiply", "maximum", "subtract", "divide")


def convert(source: str, target: str) -> Case:
    """From one type to another."""
    dtype = DTYPES[target]

    def make(n: int) -> Work:
        return Work([draw(source, n)], [tensor(target, n)], numpy=lambda x: x.astype(dtype))

    return Case("stablehlo.convert", f"{source} to {target}", make)


def compare(element: str, order: str) -> Case:
    """Less than."""

    def make(n: int) -> Work:
        attributes = (
            "comparison_direction = #stablehlo<comparison_direction LT>, "
            f"compare_type = #stablehlo<comparison_type {order}>"
        )
        pair_ = [draw(element, n, seed=i) for i in range(2)]
        return Work(pair_, [tensor("i1", n)], attributes, numpy=np.less)

    return Case("stablehlo.compare", f"{element} {order}", make)


def reduce_precision(element: str) -> Case:
    """To five bits of exponent and two of mantissa."""

    def make(n: int) -> Work:
        attributes = "exponent_bits = 5 : i32, mantissa_bits = 2 : i32"
        narrow = DTYPES["f8E5M2"]
        return Work(
            [draw(element, n)],
            [tensor(element, n)],
            attributes,
            numpy=lambda x: x.astype(narrow).astype(x.dtype),
        )

    return Case("stablehlo.reduce_precision", element, make)


def select(element: str) -> Case:
    """By a predicate for each element."""

    def make(n: int) -> Work:
        operands = [draw("i1", n), draw(element, n), draw(element, n, seed=1)]
        return Work(operands, [tensor(element, n)], numpy=np.where)

    return Case("stablehlo.select", element, make)


def clamp(element: str) -> Case:
    """Between arrays."""

    def make(n: int) -> Work:
        low, x, high = (draw(element, n, seed=i) for i in range(3))
        return Work([low, x, high], [tensor(element, n)], numpy=lambda a, b, c: np.clip(b, a, c))

    return Case("stablehlo.clamp", element, make)


def make_complex(element: str) -> Case:
    """From two parts."""

    def make(n: int) -> Work:
        parts = [draw(element, n, seed=i) for i in range(2)]
        return Work(parts, [tensor(f"complex<{element}>", n)], numpy=lambda x, y: x + 1j * y)

    return Case("stablehlo.complex", element, make)


def bitcast(source: str, target: str) -> Case:
    """Of types of one width."""

    def make(n: int) -> Work:
        dtype = DTYPES[target]
        return Work([draw(source, n)], [tensor(target, n)], numpy=lambda x: x.view(dtype).copy())

    return Case("stablehlo.bitcast_convert", f"{source} to {target}", make)


def quantized(name: str, operands: int) -> Case:
    """By the rule dequantize, compute, quantize."""

    def make(n: int) -> Work:
        kind = tensor(QUANTIZED, n)
        values = [draw("i8", n, low=-99, high=99, seed=i) for i in range(operands)]
        formula = getattr(np, {"exponential": "exp", "sine": "sin"}.get(name, name), logistic)

        def numpy(*stored: Any) -> Any:
            reals = [(x.astype(np.float32) - 3) * np.float32(0.05) for x in stored]
            return np.clip(np.rint(formula(*reals) / np.float32(0.05)) + 3, -128, 127).astype("i1")

        return Work(values, [kind], numpy=numpy, types=[kind] * operands)

    return Case(f"stablehlo.{name}", "quantized i8", make)


def quantize(n: int) -> Work:
    """From floats."""
    return Work(
        [draw("f32", n)],
        [tensor(QUANTIZED, n)],
        numpy=lambda x: np.clip(np.rint(x / np.float32(0.05)) + 3, -128, 127).astype(np.int8),
    )


def dequantize(n: int) -> Work:
    """To floats."""
    return Work(
        [draw("i8", n, low=-99, high=99)],
        [tensor("f32", n)],
        numpy=lambda x: (x.astype(np.float32) - 3) * np.float32(0.05),
        types=[tensor(QUANTIZED, n)],
    )


CASES: Final[tuple[Case, ...]] = (
    *(case for row in ROWS for case in row.cases()),
    *(convert(source, target) for source in CONVERTED for target in CONVERTED if source != target),
    *(compare(element, order) for element, order in COMPARED.items()),
    *(compare(element, "TOTALORDER") for element in ("f32", "bf16", "f8E4M3FN")),
    *(reduce_precision(element) for element in FLOATS),
    *(
        select(element)
        for element in ("f32", "bf16", "f4E2M1FN", "i4", "i32", "complex<f32>", "i1")
    ),
    *(clamp(element) for element in ("f32", "bf16", "f8E4M3FN", "i4", "i32", "i1")),
    *(make_complex(element) for element in ("f32", "f64")),
    *(
        bitcast(*pair_)
        for pair_ in (("f32", "i32"), ("bf16", "f16"), ("f8E4M3FN", "i8"), ("i4", "f4E2M1FN"))
    ),
    *(quantized(name, 1) for name in QUANTIZED_UNARY),
    *(quantized(name, 2) for name in QUANTIZED_BINARY),
    Case("stablehlo.uniform_quantize", "f32 to i8", quantize),
    Case("stablehlo.uniform_dequantize", "i8 to f32", dequantize),
)
