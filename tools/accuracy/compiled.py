"""Writes docs/accuracy-compiled.md: the largest errors of native code, by function and type.

``python -m tools.accuracy.compiled`` measures for some minutes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

import stablemate as sm
from stablemate.api.executables import interpreted_of
from stablemate.cli.output.progress import progress
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.plan import Request
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from stablemate.diagnostics.progress import with_progress
from stablemate.numerics.elements import Array
from tools.accuracy.__main__ import measured, text_of
from tools.accuracy.exact import CHLO, STABLEHLO
from tools.accuracy.functions import ALLOWED, BINARY, REAL_ONLY, Case
from tools.spec_labels import ROOT

PAGE: Final = ROOT / "docs" / "accuracy-compiled.md"
TYPES: Final = ("f64", "f32", "f16", "bf16", "complex<f32>", "complex<f64>")
ALLOWED_SINGLES: Final = 1.0  # of f32 and what is computed in it, and what HIGHEST allows
INTRODUCTION: Final = """\
# Accuracy of native code

The largest errors of native code in units in the last place, measured by
`python -m tools.accuracy.compiled` at the same kinds of points as those of the
[interpreter](accuracy.md). Functions are computed by additions, multiplications, divisions and
square roots. The errors were measured on a processor with fused multiply-add; on other processors
they differ by fractions of a unit. An empty cell means that the interpreter computes the function,
with the errors of the interpreter.

* Functions of `f32` and of `complex<f32>` are within 1 unit in each part, those of `f64` within
  1.5, and those of `complex<f64>` within 2. Functions of one `f32` were measured at all 2^32
  floats; [histograms](accuracy-histograms.md) count the errors. Samples of millions of numbers of
  `complex<f64>` found no error above 1.9, and in `acos`, `acosh`, `asin`, `asinh`, `atan` and
  `atanh` none above 1.5. Narrow floats are computed in `f32` or `f64` and rounded once.
* Powers of `complex<f64>` are within 0.7 units. Where the angle `c arg(x) + d log(abs(x))` for the
  exponent `c + di` has terms above 2^42, or is so near to quarter turns that a part is below about
  2^-42 of the modulus, a function computes it in at least 256 binary digits: that takes
  microseconds a number, where others take less than 100 nanoseconds.
* `tan`, `atan2`, `acos`, `acosh`, `asin`, `asinh`, `atan`, `cosh`, `sinh`, `erfc`, `erf_inv`,
  `bessel_i1e` and what has no formula in `f32` are computed in `f64`, and so are all functions of
  `complex<f32>`.
* `sine` and `cosine` of a scalar `f32` of at most 6.4, `exponential` and `logistic` of at most 87,
  `tanh` of at most 9.1 and `log` of a positive number are computed in `f64` and rounded once. A
  scalar is a tensor of rank 0; its result may differ from that of the same number in a vector.
  Samples found errors of at most 0.55.
* With `HIGHEST` or a tolerance, functions of `f32` are computed in `f64`. Functions of `f64` whose
  native error may exceed one unit are computed by the interpreter.
* Dots and convolutions of floats add products in an order of their own, in `f32` (`f64` if an
  operand or the result is `f64`), and round the sum once to the type of the result. For k products
  the error is at most `gamma(k) = k u / (1 - k u)` times the sum of their absolute values, with
  `u = 2^-24` (`2^-53`); products of narrow floats are exact. If the processor has an instruction
  for pairs of `bf16`, dots of `bf16` use it, and dots and convolutions use tile registers (AMX);
  factors and intermediate sums that are smaller than `2^-126` then count as zero. Sums of
  integers are exact, modulo 2^bits.
* Attention is computed with an online softmax in `f32`, or `f64`. With n keys, b blocks of at
  least 128 keys and r the growth of the largest logit after the first block, the error of a result
  is at most `2 (n + 5 b + r + 92) u` times the weighted mean of the absolute values, besides what
  errors of logits cause; of the plain form it is `2 (n + 90) u`. `u` is `2^-53` for `f64`; for
  narrow floats it is still `2^-24`, and weights are not rounded to the narrow type.
"""


@dataclass(frozen=True)
class CompiledCase(Case):
    """A function for an element type, as native code."""

    def points(self, count: int = 600, seed: int = 0) -> Sequence[Array]:
        """Operands at which the function is hard; many where native code has errors of its own."""
        own = self.dialect == "stablehlo" and self.name not in BINARY
        plain = own and self.element in ("f32", "f64")
        return super().points(count if plain else 100, seed)

    @cached_property
    def executable(self) -> CompiledExecutable:
        """The function of as many points as there are."""
        program = sm.load(self.program(len(self.points()[0])))
        function = program.entry("main")
        return CompiledExecutable(interpreted_of(program, function, DEFAULT_LIMITS, native=True))

    @property
    def is_native(self) -> bool:
        """Whether native code computes all of it."""
        return not any(isinstance(step, Request) for step in self.executable.plan.steps)

    def results(self, operands: Sequence[Array]) -> Array:
        """What native code gives."""
        size = len(self.points()[0])
        padded = [np.concatenate([x, np.resize(x, size - len(x))]) for x in operands]
        return np.asarray(self.executable.run(padded)[0])[: len(operands[0])]

    @property
    def allowed(self) -> float:
        """The most units in the last place that a part may be off."""
        return ALLOWED_SINGLES if self.highest else ALLOWED.get(self.element, ALLOWED_SINGLES)


def cases() -> Iterator[CompiledCase]:
    """Everything that is measured."""
    for dialect, functions in (("stablehlo", STABLEHLO), ("chlo", CHLO)):
        for name in functions:
            for element in TYPES:
                if not element.startswith("complex") or name not in REAL_ONLY:
                    yield CompiledCase(dialect, name, element)
            if dialect == "stablehlo" and name not in BINARY:
                yield CompiledCase(dialect, name, "f64", highest=True)
                yield CompiledCase(dialect, name, "f32", highest=True)


def page() -> str:
    """The page."""
    by_key: dict[str, dict[str, float]] = {}
    with progress("measuring"):
        for case in with_progress([case for case in cases() if case.is_native], "case"):
            title = f"`{case.dialect}.{case.name}`" + ", HIGHEST" * case.highest
            by_key.setdefault(title, {})[case.element] = measured(case)
    lines = [INTRODUCTION, f"| function | {' | '.join(f'`{name}`' for name in TYPES)} |"]
    lines.append("|---" * (len(TYPES) + 1) + "|")
    for title, errors in by_key.items():
        lines.append(f"| {title} | {' | '.join(text_of(errors.get(name)) for name in TYPES)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
