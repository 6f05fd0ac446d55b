"""When two executors agree on an operation: exactly, or how far apart they may be, and why.

An executor is judged on one operation at a time, with equal operands (see ``modules``). Integers,
booleans, comparisons, moved elements, conversions and the operations that IEEE 754 rounds correctly
are equal bit for bit, any NaN for any other. What follows are the exceptions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import ml_dtypes
import numpy as np

from stablemate.ir.core import Operation
from stablemate.numerics.elements import (
    Array,
    ComplexType,
    ElementType,
    FloatType,
    IntegerType,
    QuantizedType,
)
from tests.properties.generation.operations import (
    ALGORITHMS,
    COMPOSED,
    FUNCTIONS,
    SUMS,
    base_name,
    combiner,
    element_of,
)

NATIVE: Final = ("fused", "unfused")  # what the compiler makes of a program
TOLERATED: Final = ("xla", "reference", *NATIVE)  # others give the same bits

# ---- exactly equal


def differs(ours: Array, theirs: Array) -> Array:
    """Where two arrays of one type and shape differ; any NaN equals any other."""
    if ours.dtype.kind == "c":
        return differs(np.real(ours), np.real(theirs)) | differs(np.imag(ours), np.imag(theirs))
    if ours.dtype.kind == "b" or not is_float(ours.dtype):
        return np.asarray(ours != theirs)
    bits = [np.ascontiguousarray(side).view(f"u{side.itemsize}") for side in (ours, theirs)]
    both_nan = np.isnan(wide(ours)) & np.isnan(wide(theirs))
    return np.asarray((bits[0] != bits[1]) & ~both_nan).reshape(ours.shape)


def is_float(dtype: np.dtype[Any]) -> bool:
    """Whether elements are floats, narrow ones included."""
    return dtype.kind == "f" or (dtype.kind == "V" and "float" in dtype.name)


def wide(values: Array) -> Array:
    """Floats in 64 bits."""
    with np.errstate(invalid="ignore"):  # signaling NaNs
        return values.astype(np.float64)


# ---- how far apart


@dataclass(frozen=True)
class Question:
    """Two answers to one operation.

    Attributes:
        executor: Who gave the other answer: ``xla`` or ``reference``.
        operation: The operation.
        index: Which of its results.
        operands: Arrays of its operands.
        ours: Our result.
        theirs: The other one.
        magnitude: The same operation on the sizes of its operands (``comparison.sizes``).
    """

    executor: str
    operation: Operation
    index: int
    operands: Sequence[Array]
    ours: Array
    theirs: Array
    magnitude: Callable[[], Array]

    @property
    def element(self) -> ElementType:
        """The element type of the result."""
        element = element_of(self.operation.results[self.index])
        assert element is not None
        return element


def disagreement(question: Question) -> str:
    """What is wrong between the two answers; empty if nothing."""
    ours, theirs = question.ours, question.theirs
    is_random = base_name(question.operation) == "rng_bit_generator"
    if is_random and theirs.dtype.name.startswith("uint") and theirs.itemsize == ours.itemsize:
        theirs = theirs.view(ours.dtype)  # XLA's random bits are unsigned whatever was asked for
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return f"{ours.dtype}{ours.shape} is not {theirs.dtype}{theirs.shape}"
    wrong = differs(ours, theirs)
    if not wrong.any():
        return ""
    if question.executor == "xla":
        wrong &= ~flushed(question)
    if question.executor in TOLERATED and wrong.any():
        wrong &= ~within(question)
    if not wrong.any():
        return ""
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    return (
        f"{int(wrong.sum())} of {wrong.size} differ, at {place} {ours[place]} from {theirs[place]}"
    )


def flushed(question: Question) -> Array:
    """Where both results are below the normal numbers or zero: XLA has no denormals on a CPU.

    In f8E8M0FNU, which has no zero, it gives NaN.
    """
    theirs = is_flushable(question.theirs, zero=True)
    if str(question.element) == "f8E8M0FNU":
        theirs |= np.isnan(wide(question.theirs))
    return is_flushable(question.ours, zero=True) & theirs


def is_flushable(values: Array, *, zero: bool = False) -> Array:
    """Which numbers a processor that flushes denormals takes for zero."""
    if values.dtype.kind == "c":
        return is_flushable(values.real, zero=zero) | is_flushable(values.imag, zero=zero)
    if not is_float(values.dtype):
        return np.zeros(values.shape, bool)
    smallest = 2.0**-1022 if values.dtype == np.float64 else 2.0**-126
    sizes = np.abs(wide(values))
    return np.asarray((sizes < smallest) & (zero | (sizes > 0)))


def within(question: Question) -> Array:
    """Where the results are as near as the operation promises."""
    name = base_name(question.operation)
    nothing = np.zeros(question.ours.shape, bool)
    if isinstance(question.element, IntegerType):
        return nothing
    if isinstance(question.element, QuantizedType):
        return next_to(question) if name in FUNCTIONS | SUMS else nothing
    if name in ALGORITHMS:
        spoiled = multiplied_nonfinite(question) if name == "fft" else nothing
        return near(question, ALGORITHM_ULPS, largest(question)) | spoiled
    if str(question.element) in INCOMPLETE:
        nothing = unrepresentable(question)
    if name in SUMS:
        return sums(question, name) | nothing
    if isinstance(question.element, ComplexType) or name == "abs":
        return complex_functions(question) if name in COMPLEX_FUNCTIONS else nothing
    if name in FUNCTIONS | COMPOSED:
        return functions(question, name) | nothing
    if name in ("maximum", "minimum") and question.executor not in NATIVE:
        return zeros(question)
    return nothing


def next_to(question: Question) -> Array:
    """Where stored integers are next to one another: a function in between was rounded."""
    ours, theirs = (their.astype(np.int64) for their in (question.ours, question.theirs))
    return np.asarray(np.abs(ours - theirs) <= 1)


SATURATING: Final = frozenset(("f4E2M1FN", "f6E2M3FN", "f6E3M2FN"))  # neither NaN nor infinity
INCOMPLETE: Final = SATURATING | {"f8E8M0FNU"}


def unrepresentable(question: Question) -> Array:
    """Where formats without NaN and infinity have something else, and executors not the same.

    f8E8M0FNU has powers of two only: zero and negative numbers are NaN, or the nearest number.
    """
    if str(question.element) not in INCOMPLETE:
        return np.zeros(question.ours.shape, bool)
    ours = wide(question.ours)
    largest_number = float(ml_dtypes.finfo(question.ours.dtype).max)
    return np.asarray(np.isnan(ours) | (ours == 0) | (np.abs(ours) == largest_number))


ALGORITHM_ULPS: Final = 200.0  # of the largest number: conditions are small, orders of sums differ


def unit(element: ElementType) -> float:
    """The distance between one and the next number."""
    part = element.element if isinstance(element, ComplexType) else element
    assert isinstance(part, FloatType)
    return float(2.0 ** (1 - part.precision))


def near(question: Question, units: float | Array, scale: Array) -> Array:
    """Where the distance is so many units of a scale; both NaN or infinite alike elsewhere."""
    ours, theirs = widest(question.ours), widest(question.theirs)
    with np.errstate(all="ignore"):
        return np.asarray(np.abs(ours - theirs) <= units * unit(question.element) * scale)


def widest(values: Array) -> Array:
    """The numbers in 64 bits a part."""
    with np.errstate(invalid="ignore"):
        return values.astype(np.complex128) if values.dtype.kind == "c" else wide(values)


def multiplied_nonfinite(question: Question) -> Array:
    """Where one is NaN, and a term is not finite: turning it multiplies its parts by zeros, or
    exchanges them.
    """
    finite = all(bool(np.isfinite(widest(x)).all()) for x in numbers(question.operands))
    is_nan = np.isnan(widest(question.ours)) | np.isnan(widest(question.theirs))
    return np.asarray(is_nan & (not finite))


def largest(question: Question) -> Array:
    """The largest number of the operands and the result."""
    arrays = [question.ours, *numbers(question.operands)]
    sizes = [np.abs(widest(x)) for x in arrays if x.size]
    return np.asarray(max((float(np.nanmax(x)) for x in sizes), default=0.0))


def zeros(question: Question) -> Array:
    """Where both are zeros: which one is the larger is not agreed on."""
    return np.asarray((wide(question.ours) == 0) & (wide(question.theirs) == 0))


# ---- functions

ULPS: Final[Mapping[tuple[str, str], float]] = {
    ("xla", "f64"): 8,
    ("xla", "f32"): 16,
    ("xla", "f16"): 2,
    ("reference", "f64"): 4,
    ("reference", "f32"): 1,
    **dict.fromkeys([(who, element) for who in NATIVE for element in ("f32", "f64")], 4),
}


COMPOSED_ULPS: Final = 32.0


def functions(question: Question, name: str) -> Array:
    """Functions of real numbers: so many units in the last place."""
    element = str(question.element)
    allowed = ULPS.get((question.executor, element), 1.0)
    if name in COMPOSED:
        allowed = max(allowed, COMPOSED_ULPS)
    if name == "logistic":  # they round the exponential, the sum and the quotient
        allowed = max(allowed, 4.0)
    ours, theirs = wide(question.ours), wide(question.theirs)
    info = ml_dtypes.finfo(question.ours.dtype)
    # Between their poles they have zeros, of which nobody knows all digits.
    least = 1.0 if name in ("digamma", "lgamma") else float(info.smallest_normal)
    scale = np.maximum(np.minimum(np.abs(ours), np.abs(theirs)), least)
    return near(question, allowed, scale)


# ---- complex numbers

COMPLEX_FUNCTIONS: Final = FUNCTIONS | COMPOSED | {"abs", "sign", "sqrt", "multiply", "divide"}
# By formulas that are exact to the last place of one.
AROUND_ONE: Final = COMPOSED | {"atan2", "exponential_minus_one", "log_plus_one", "sine"}
COMPLEX_ULPS: Final = 256.0  # a power has the error of its logarithm times the exponent
COMPLEX_RANGE: Final = (1e-3, 30.0)  # of the sizes of operands: beyond, the others lose digits


def complex_functions(question: Question) -> Array:
    """Complex arithmetic: relative to the modulus, for operands that are neither large nor small.

    Elsewhere the others lose all digits, or have other infinities and NaNs; points that are hard
    are compared with exact values in the tests of these functions.
    """
    low, high = COMPLEX_RANGE
    with np.errstate(all="ignore"):
        sizes = [np.abs(widest(x)) for x in question.operands]
        is_far = np.any([(x < low) | (x > high) | ~np.isfinite(x) for x in sizes], axis=0)
        least = 1.0 if base_name(question.operation) in AROUND_ONE else low
        scale = np.maximum(np.abs(widest(question.ours)), least)
        is_singular = ~np.isfinite(widest(question.ours))
    return is_far | is_singular | near(question, COMPLEX_ULPS, scale)


# ---- sums


def sums(question: Question, name: str) -> Array:
    """Sums and products of many terms, whose order is open."""
    combined = combiner(question.operation, question.index) if question.operation.regions else "add"
    count = terms(question, name)
    if combined == "multiply":
        return products(question, count)
    if combined in ("maximum", "minimum"):
        return zeros(question)
    if combined not in ("add", "subtract"):
        return np.zeros(question.ours.shape, bool)
    return added(question, count)


def added(question: Question, count: int) -> Array:
    """Sums: so many roundings of the sum of absolute values; none where all sums are exact.

    A sum may overflow on the way and come back, or meet an infinity of the other sign: we add in a
    wide type and round once, others round every step. The specification leaves that open, so it is
    accepted, but only where the absolute values of the terms add up to so much.
    """
    magnitude = np.abs(widest(question.magnitude()))
    limit = float(ml_dtypes.finfo(part_dtype(question.ours.dtype)).max)
    digits = 1 / unit(question.element)
    with np.errstate(all="ignore"):
        is_exact = all_integers(question) & (magnitude <= digits)
        may_overflow = ~(magnitude < limit / 4) & overflown(question)
        scale = np.where(np.isfinite(magnitude), magnitude, limit)
        is_near = near(question, count + 2.0, scale)
    same = widest(question.ours) == widest(question.theirs)  # but for the sign of zero
    return np.where(is_exact & ~may_overflow, same, is_near | may_overflow)


def overflown(question: Question) -> Array:
    """Where one is what an overflow leaves: no number, or anything in formats that saturate."""
    if str(question.element) in SATURATING:
        return np.ones(question.ours.shape, bool)
    both = (widest(question.ours), widest(question.theirs))
    return ~np.logical_and(*(np.isfinite(item) for item in both))


def products(question: Question, count: int) -> Array:
    """Products: so many roundings, unless what lies between may overflow or vanish."""
    sizes = [np.abs(widest(x)) for x in numbers(question.operands)]
    steep = any(bool(np.any(~np.isfinite(x) | (x > 64) | ((x < 1 / 64) & (x > 0)))) for x in sizes)
    if steep or part_dtype(question.ours.dtype).itemsize < 4:
        return np.ones(question.ours.shape, bool)
    return near(question, 4.0 * count + 2, np.abs(widest(question.ours)))


def part_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type of the parts of complex numbers; other types themselves."""
    return np.dtype(f"f{dtype.itemsize // 2}") if dtype.kind == "c" else dtype


def all_integers(question: Question) -> bool:
    """Whether all operands are integers, and not what stands for multiples of a scale."""
    if any(isinstance(element_of(x), QuantizedType) for x in question.operation.operands):
        return False
    with np.errstate(all="ignore"):
        floats = numbers(question.operands)
        return all(bool(np.all(widest(x) == np.round(widest(x)))) for x in floats)


def numbers(arrays: Sequence[Array]) -> list[Array]:
    """Those of the arrays that hold floats or complex numbers."""
    return [x for x in arrays if is_float(x.dtype) or x.dtype.kind == "c"]


def terms(question: Question, name: str) -> int:
    """How many terms a sum has at most."""
    operation, shapes = question.operation, [x.shape for x in question.operands]
    match name:
        case "reduce":
            dimensions = operation.attributes["dimensions"].values  # type: ignore[attr-defined]
            return int(np.prod([shapes[0][d] for d in dimensions])) + 1
        case "reduce_window":
            sizes = operation.attributes["window_dimensions"].values  # type: ignore[attr-defined]
            return int(np.prod(sizes)) + 1
        case "convolution":
            return int(np.prod(shapes[1])) + 1
        case "scatter" | "select_and_scatter":
            return max(int(np.prod(shape)) for shape in shapes[1:]) + 1
        case _:
            return min(int(np.prod(shape)) for shape in shapes) + 1
