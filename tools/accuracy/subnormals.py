"""Applies functions to subnormal numbers, and finds the largest errors.

``python -m tools.accuracy.subnormals`` takes all subnormals of ``f32``, ``f16`` and ``bf16`` and a
sample of each binade of those of ``f64``, of both signs, with their normal neighbors; functions of
two operands get all pairs of edge cases. It measures the interpreter, native code, and native code
of what the pass ``chlo-legalize-to-stablehlo`` writes, and writes the table of docs/accuracy.md.
``--stride 61`` takes every 61st number; names of functions select these, and are only printed.

Near zero a function is its leading term, but for a relative error of ``x log(x)`` at most: of
``f32`` and ``f64`` that is below 2^-118. Of ``f16`` the reference is computed in ``f64``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import ml_dtypes
import numpy as np

import stablemate as sm
from stablemate.numerics.elements import Array
from tools.accuracy.__main__ import PAGE, SECTION, text_of
from tools.accuracy.exact import CHLO
from tools.accuracy.functions import ALLOWED, Case, element_of
from tools.accuracy.histograms import errors
from tools.accuracy.measure import Format
from tools.accuracy.peers import Measured, Peer
from tools.accuracy.reference import Reference, reference_of

WAYS: Final = ("interpreted", "native", "legalized")
TYPES: Final = ("f32", "f64", "f16", "bf16")
CHUNK: Final = 1 << 18  # numbers at a time
DRAWN: Final = 256  # of each binade of f64
SEED: Final = 20261128
WIDE: Final = np.longdouble
SQRT_PI: Final = WIDE("1.772453850905516027298167483341145182798")
HALF_PI: Final = WIDE("1.570796326794896619231321691639751442099")
ROUNDED: Final = 0.5001  # the largest error of what is correctly rounded, and of the reference
SINGLES: Final = 1.0  # of f32 in native code, as docs/accuracy-compiled.md says


def constant(number: Any) -> Reference:
    """The leading term of a function that is not zero at zero."""
    return lambda x: np.full_like(x, number)


def proportional(slope: Any) -> Reference:
    """The leading term of a function that is zero at zero."""
    return lambda x: np.asarray(x * slope)


# The leading terms at zero.
LEADING: Final[Mapping[str, Reference]] = {
    "abs": np.abs,
    "cbrt": np.cbrt,
    "ceil": np.ceil,
    "cosine": constant(1),
    "exponential": constant(1),
    "exponential_minus_one": proportional(1),
    "floor": np.floor,
    "log": np.log,
    "log_plus_one": proportional(1),
    "logistic": constant(0.5),
    "negate": np.negative,
    "round_nearest_afz": lambda x: np.asarray(np.trunc(x)),
    "round_nearest_even": np.rint,
    "rsqrt": lambda x: np.asarray(1 / np.sqrt(x)),
    "sign": lambda x: np.asarray(np.copysign(1, x)),
    "sine": proportional(1),
    "sqrt": np.sqrt,
    "tanh": proportional(1),
    "acos": constant(HALF_PI),
    "acosh": constant(np.nan),
    "asin": proportional(1),
    "asinh": proportional(1),
    "atan": proportional(1),
    "atanh": proportional(1),
    "bessel_i1e": proportional(WIDE(0.5)),
    "cosh": constant(1),
    "digamma": lambda x: np.asarray(-1 / x),
    "erf": proportional(2 / SQRT_PI),
    "erf_inv": proportional(SQRT_PI / 2),
    "erfc": constant(1),
    "lgamma": lambda x: np.asarray(-np.log(np.abs(x))),
    "sinh": proportional(1),
    "square": np.square,
    "tan": proportional(1),
}
# Functions of two operands.
PAIRED: Final[Mapping[str, Reference]] = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "remainder": np.fmod,
    "atan2": np.arctan2,
    "power": np.power,
}
EXACT: Final[Mapping[str, Reference]] = {
    **{name: LEADING[name] for name in ("abs", "ceil", "floor", "negate", "sign")},
    **{name: LEADING[name] for name in ("round_nearest_afz", "round_nearest_even")},
}  # in every format


@dataclass(frozen=True)
class Subnormals:
    """A function of an element type near zero.

    Attributes:
        name: The operation.
        element: The element type.
        stride: From how many numbers one is taken.
    """

    name: str
    element: str
    stride: int = 1

    @cached_property
    def form(self) -> Format:
        """The format of the element type."""
        return Format(element_of(self.element).dtype)

    def operands(self) -> Iterator[Sequence[Array]]:
        """What the function is applied to."""
        dtype = np.dtype(element_of(self.element).dtype)
        if self.name in PAIRED:
            yield pairs(dtype, max(self.stride // 1000, 1))
            return
        bits = magnitudes(dtype, self.stride)
        for first in range(0, bits.size, CHUNK):
            positive = bits[first : first + CHUNK].view(dtype)
            yield [np.concatenate([positive, -positive])]

    def exact(self, operands: Sequence[Array]) -> Array:
        """The exact results, or what differs from them by much less than a unit."""
        wide = np.float64 if self.element == "f32" else WIDE
        with np.errstate(all="ignore"):
            return np.asarray(self.reference(*[x.astype(wide) for x in operands]), wide)

    @property
    def reference(self) -> Reference:
        """The function in a higher precision."""
        if self.name in PAIRED:
            return PAIRED[self.name]
        if self.element != "f16" or self.name in EXACT:
            return LEADING[self.name]
        return reference_of(self.name, np.float64)

    def measured(self, size: int) -> Measured:
        """The function of so many numbers."""
        case = Paired if self.name in PAIRED else Measured
        return case(self.name, self.element, size)

    def function(self, way: str, operands: Sequence[Array]) -> Peer | None:
        """How results are computed in a way; None if native code does not have the function."""
        measured = self.measured(operands[0].size)
        if way != "legalized":
            return getattr(measured, way)  # type: ignore[no-any-return]
        module = sm.opt(sm.load(measured.program), "chlo-legalize-to-stablehlo")
        return sm.compile(module, threads=1)

    def errors(self, way: str) -> Iterator[tuple[Array, Sequence[Array]]]:
        """The errors, with the operands, by parts."""
        function: Peer | None = None
        size = -1
        for operands in self.operands():
            if operands[0].size != size:
                size, function = operands[0].size, self.function(way, operands)
            if function is None:
                return
            results = np.asarray(function(*operands))
            yield errors(results, self.exact(operands), self.form), operands

    def largest(self, way: str) -> tuple[float, list[float]] | None:
        """The largest error, and its operands; None if native code does not have the function."""
        worst: tuple[float, list[float]] | None = None
        for off, operands in self.errors(way):
            i = int(np.argmax(off))
            if worst is None or off[i] > worst[0]:
                worst = float(off[i]), [float(x[i]) for x in operands]
        return worst

    def allowed(self, way: str) -> float:
        """The largest error that the pages allow."""
        if self.element == "f64":
            case = Case("stablehlo" if self.name in PAIRED else "chlo", self.name, self.element)
            return max(case.allowed, ALLOWED["f64"])
        return ROUNDED if way == "interpreted" else SINGLES


@dataclass(frozen=True)
class Paired(Measured):
    """A function of two operands."""

    @cached_property
    def program(self) -> str:
        """The program."""
        tensor = f"tensor<{self.size}x{self.element}>"
        return (
            f"func.func @main(%a: {tensor}, %b: {tensor}) -> {tensor} {{\n"
            f"  %0 = stablehlo.{self.name} %a, %b : {tensor}\n  return %0 : {tensor}\n}}"
        )


def magnitudes(dtype: np.dtype[Any], stride: int) -> Array:
    """The bits of subnormal numbers, of the smallest normal one, and of its successor."""
    digits = int(ml_dtypes.finfo(dtype).nmant)
    word = np.dtype(f"u{dtype.itemsize}")
    top = 1 << digits
    ends = [1, 2, 3, top // 2, top - 2, top - 1, top, top + 1]
    if digits < 32:
        every = np.arange(1, top + 2, stride, word)
        return every if stride == 1 else np.concatenate([every, np.array(ends, word)])
    generator = np.random.default_rng(SEED)
    count = max(DRAWN // stride, 2)
    drawn = [generator.integers(1 << k, 2 << k, count, np.uint64) for k in range(digits)]
    powers = [1 << k for k in range(digits)]
    return np.unique(np.concatenate([*drawn, np.array(ends + powers, np.uint64)])).astype(word)


def pairs(dtype: np.dtype[Any], stride: int) -> Sequence[Array]:
    """All pairs of edge cases, some of which are subnormal; or every so many pairs."""
    info = ml_dtypes.finfo(dtype)
    tiny, eps, top = float(info.smallest_normal), float(info.eps), float(info.max)
    bits = magnitudes(dtype, max((1 << int(info.nmant)) // 64, 1) if dtype.itemsize < 8 else DRAWN)
    small = bits.view(dtype).astype(np.float64)
    scales = [2 * tiny, tiny / eps, tiny**0.5, eps**2, eps / 2, eps, 0.5, 1 - eps / 2, 1, 1 + eps]
    others = [0, *scales, 1.5, 2, 3, 1 / eps, top**0.5, 1 / tiny, top / 2, top, np.inf]
    with np.errstate(over="ignore"):
        positive = np.concatenate([small, others]).astype(dtype)
    edges = np.concatenate([positive, -positive])
    lhs, rhs = (item.ravel()[::stride] for item in np.meshgrid(edges, edges))
    return [np.ascontiguousarray(lhs), np.ascontiguousarray(rhs)]


NAMES: Final = (*LEADING, *PAIRED)


def ways_of(name: str) -> Sequence[str]:
    """How results are computed; what a pass writes is another program only for CHLO."""
    return WAYS if name in CHLO else WAYS[:2]


def table(names: Sequence[str], stride: int) -> Mapping[str, Mapping[tuple[str, str], float]]:
    """The largest errors, by function, then by element type and way."""
    found: dict[str, dict[tuple[str, str], float]] = {}
    for name in names:
        for element in TYPES:
            for way in ways_of(name):
                worst = Subnormals(name, element, stride).largest(way)
                if worst is not None:
                    found.setdefault(name, {})[element, way] = worst[0]
                    print(f"{name} {element} {way}: {worst[0]:.4f} at {worst[1]}", flush=True)
    return found


INTRODUCTION: Final = f"""{SECTION}

`python -m tools.accuracy.subnormals` applies functions to all subnormal numbers of `f32`, `f16` and
`bf16` and to {DRAWN} of each binade of those of `f64`, of both signs, with the smallest normal
numbers, and functions of two operands to all pairs of edge cases. Each cell has the largest error
of the interpreter, of native code and, for functions of CHLO, of native code of what the pass
`chlo-legalize-to-stablehlo` writes, in units of the smallest subnormal number where the result is
subnormal. No result is a NaN, an infinity or zero in the place of a number, or a zero of the wrong
sign. (XLA's CPU code takes subnormal operands for zero.)

* `lgamma(2^-149)` of `f32` is 103.27893. jaxlib's expansion of `lgamma` multiplies the number by
  pi, which rounds to three times the number, and has 103.32505; XLA has infinity. Programs that
  JAX lowers for stablemate, and those of `sm.from_jax`, have the function and not the expansion;
  programs of `jax.export` have the expansion.
* `zeta` and `polygamma` of subnormal numbers are powers of their inverses and overflow, but for
  exponents near 1; `tests/properties/test_subnormals.py` compares them.
"""


def section(found: Mapping[str, Mapping[tuple[str, str], float]]) -> str:
    """The section of the page."""
    titles = [f"`{element}`" for element in TYPES]
    lines = [INTRODUCTION, f"| function | {' | '.join(titles)} |", "|---" * (len(titles) + 1) + "|"]
    for name, by_key in found.items():
        cells = [
            " / ".join(text_of(by_key[element, way]) for way in WAYS if (element, way) in by_key)
            for element in TYPES
        ]
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.accuracy.subnormals")
    parser.add_argument("names", nargs="*", default=NAMES, help=", ".join(NAMES))
    parser.add_argument("--stride", type=int, default=1)
    options = parser.parse_args(arguments)
    found = table(options.names, options.stride)
    if tuple(options.names) == NAMES:
        head = PAGE.read_text().partition(SECTION)[0]
        PAGE.write_text(head + section(found))


if __name__ == "__main__":
    main(sys.argv[1:])
