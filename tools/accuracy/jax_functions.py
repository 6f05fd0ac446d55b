"""Applies JAX's special functions to subnormal numbers, on stablemate and on XLA.

``python -m tools.accuracy.jax_functions`` takes all subnormals of ``f32``, of both signs where the
function has both, and writes docs/accuracy-jax.md; ``--stride 61`` takes every 61st, and names of
functions select these, which are only printed. Each client runs in a process of its own, which is
replaced where a function takes more than ``--seconds`` of processor time.

Near zero a function is its leading term, but for a relative error far below that of ``f64``;
``tests/properties/test_jax_functions.py`` compares the leading terms with mpmath.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
from jax.scipy import special

import stablemate as sm
from stablemate.numerics.elements import Array
from tools.accuracy.__main__ import text_of
from tools.accuracy.histograms import errors
from tools.accuracy.measure import Format
from tools.accuracy.subnormals import magnitudes
from tools.spec_labels import ROOT

PAGE: Final = ROOT / "docs" / "accuracy-jax.md"
PLATFORMS: Final = ("stablemate", "cpu")
SAMPLE: Final = 100  # numbers for the interpreter
NEIGHBORS: Final = 1 << 12  # normal numbers of the smallest binade
SECONDS: Final = 100.0
EULER: Final = 0.57721566490153286061
SQRT_PI: Final = 1.7724538509055160273
GOOD: Final = 2.0  # units that a sum of a few roundings has
FORM: Final = Format(np.float32)
Function = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class SpecialFunction:
    """A function of one subnormal operand.

    Attributes:
        apply: The function in JAX.
        exact: The function in mpmath.
        leading: Its leading term at zero.
        is_signed: Whether it has negative operands.
    """

    apply: Function
    exact: Function
    leading: Function
    is_signed: bool = True


def positive(apply: Function, exact: Function, leading: Function) -> SpecialFunction:
    """A function of positive operands."""
    return SpecialFunction(apply, exact, leading, False)


def quantile(x: Any) -> Any:
    """The inverse of the normal distribution function, in ``f64``."""
    from scipy.special import ndtri

    return ndtri(x)


F = SpecialFunction
FUNCTIONS: Final[Mapping[str, SpecialFunction]] = {
    "bessel_jn(x, v=1)": F(
        lambda x: special.bessel_jn(x, v=1)[1], lambda x: mpmath.besselj(1, x), lambda x: x / 2
    ),
    "beta(x, 2)": F(lambda x: special.beta(x, 2.0), lambda x: mpmath.beta(x, 2), lambda x: 1 / x),
    "betainc(0.5, 2, x)": positive(
        lambda x: special.betainc(0.5, 2.0, x),
        lambda x: mpmath.betainc(0.5, 2, 0, x, regularized=True),
        lambda x: 1.5 * np.sqrt(x),
    ),
    "betainc(x, 2, 0.5)": positive(
        lambda x: special.betainc(x, 2.0, 0.5),
        lambda x: 1 - mpmath.betainc(2, x, 0, 0.5, regularized=True),
        np.ones_like,
    ),
    "betaln(x, 2)": positive(
        lambda x: special.betaln(x, 2.0),
        lambda x: mpmath.log(mpmath.beta(x, 2)),
        lambda x: -np.log(x),
    ),
    "boxcox(x, 0.5)": positive(
        lambda x: special.boxcox(x, 0.5),
        lambda x: 2 * (mpmath.sqrt(x) - 1),
        lambda x: 2 * (np.sqrt(x) - 1),
    ),
    "boxcox1p(x, 0.5)": F(
        lambda x: special.boxcox1p(x, 0.5), lambda x: 2 * (mpmath.sqrt(1 + x) - 1), lambda x: x
    ),
    "comb(5, x)": positive(
        lambda x: special.comb(5.0, x), lambda x: mpmath.binomial(5, x), np.ones_like
    ),
    "dawsn(x)": F(
        lambda x: special.dawsn(x),
        lambda x: mpmath.exp(-x * x) * mpmath.erfi(x) * mpmath.sqrt(mpmath.pi) / 2,
        lambda x: x,
    ),
    "digamma(x)": F(lambda x: special.digamma(x), mpmath.digamma, lambda x: -1 / x),
    "entr(x)": positive(
        lambda x: special.entr(x), lambda x: -x * mpmath.log(x), lambda x: -x * np.log(x)
    ),
    "erf(x)": F(lambda x: special.erf(x), mpmath.erf, lambda x: 2 / SQRT_PI * x),
    "erfc(x)": F(lambda x: special.erfc(x), mpmath.erfc, np.ones_like),
    "erfcx(x)": F(
        lambda x: special.erfcx(x), lambda x: mpmath.exp(x * x) * mpmath.erfc(x), np.ones_like
    ),
    "erfinv(x)": F(lambda x: special.erfinv(x), mpmath.erfinv, lambda x: SQRT_PI / 2 * x),
    "exp1(x)": positive(lambda x: special.exp1(x), mpmath.e1, lambda x: -EULER - np.log(x)),
    "expi(x)": F(lambda x: special.expi(x), mpmath.ei, lambda x: EULER + np.log(np.abs(x))),
    "expit(x)": F(
        lambda x: special.expit(x),
        lambda x: 1 / (1 + mpmath.exp(-x)),
        lambda x: np.full_like(x, 0.5),
    ),
    "expn(2, x)": positive(
        lambda x: special.expn(2, x), lambda x: mpmath.expint(2, x), np.ones_like
    ),
    "factorial(x)": positive(lambda x: special.factorial(x), mpmath.factorial, np.ones_like),
    "fresnel(x)[1]": F(lambda x: special.fresnel(x)[1], mpmath.fresnelc, lambda x: x),
    "gamma(x)": F(lambda x: special.gamma(x), mpmath.gamma, lambda x: 1 / x),
    "gammainc(0.5, x)": positive(
        lambda x: special.gammainc(0.5, x),
        lambda x: mpmath.gammainc(0.5, 0, x, regularized=True),
        lambda x: 2 / SQRT_PI * np.sqrt(x),
    ),
    "gammainc(x, 1)": positive(
        lambda x: special.gammainc(x, 1.0),
        lambda x: mpmath.gammainc(x, 0, 1, regularized=True),
        np.ones_like,
    ),
    "gammaincc(0.5, x)": positive(
        lambda x: special.gammaincc(0.5, x),
        lambda x: mpmath.gammainc(0.5, x, regularized=True),
        np.ones_like,
    ),
    "gammaincc(x, 1)": positive(
        lambda x: special.gammaincc(x, 1.0),
        lambda x: mpmath.gammainc(x, 1, regularized=True),
        lambda x: 0.21938393439552027368 * x,
    ),
    "gammaln(x)": F(
        lambda x: special.gammaln(x),
        lambda x: mpmath.log(abs(mpmath.gamma(x))),
        lambda x: -np.log(np.abs(x)),
    ),
    "gammasgn(x)": F(lambda x: special.gammasgn(x), mpmath.sign, np.sign),
    "hyp1f1(0.5, 2, x)": F(
        lambda x: special.hyp1f1(0.5, 2.0, x), lambda x: mpmath.hyp1f1(0.5, 2, x), np.ones_like
    ),
    "hyp2f1(0.5, 1, 2, x)": F(
        lambda x: special.hyp2f1(0.5, 1.0, 2.0, x),
        lambda x: mpmath.hyp2f1(0.5, 1, 2, x),
        np.ones_like,
    ),
    "i0(x)": F(lambda x: special.i0(x), lambda x: mpmath.besseli(0, x), np.ones_like),
    "i0e(x)": F(lambda x: special.i0e(x), lambda x: mpmath.besseli(0, x), np.ones_like),
    "i1(x)": F(lambda x: special.i1(x), lambda x: mpmath.besseli(1, x), lambda x: x / 2),
    "i1e(x)": F(lambda x: special.i1e(x), lambda x: mpmath.besseli(1, x), lambda x: x / 2),
    "kl_div(x, 2)": positive(
        lambda x: special.kl_div(x, 2.0),
        lambda x: x * mpmath.log(x / 2) - x + 2,
        lambda x: np.full_like(x, 2),
    ),
    "kl_div(2, x)": positive(
        lambda x: special.kl_div(2.0, x),
        lambda x: 2 * mpmath.log(2 / x) - 2 + x,
        lambda x: 2 * np.log(2 / x) - 2,
    ),
    "log_ndtr(x)": F(
        lambda x: special.log_ndtr(x),
        lambda x: mpmath.log(mpmath.ncdf(x)),
        lambda x: np.full_like(x, np.log(0.5)),
    ),
    "loggamma(x)": positive(lambda x: special.loggamma(x), mpmath.loggamma, lambda x: -np.log(x)),
    "logit(x)": positive(
        lambda x: special.logit(x), lambda x: mpmath.log(x) - mpmath.log(1 - x), np.log
    ),
    "logsumexp([x, 0])": F(
        lambda x: special.logsumexp(jnp.stack([x, 0 * x], axis=-1), axis=-1),
        lambda x: mpmath.log(mpmath.exp(x) + 1),
        lambda x: np.full_like(x, np.log(2)),
    ),
    "multigammaln(x, 1)": positive(
        lambda x: special.multigammaln(x, 1), mpmath.loggamma, lambda x: -np.log(x)
    ),
    "ndtr(x)": F(lambda x: special.ndtr(x), mpmath.ncdf, lambda x: np.full_like(x, 0.5)),
    "ndtri(x)": positive(
        lambda x: special.ndtri(x),
        lambda x: mpmath.findroot(
            lambda y: mpmath.log(mpmath.erfc(-y / mpmath.sqrt(2)) / 2) - mpmath.log(x),
            quantile(np.float64(x)),
        ),
        quantile,
    ),
    "owens_t(0.5, x)": F(
        lambda x: special.owens_t(0.5, x),
        lambda x: mpmath.exp(-0.125) * x / (2 * mpmath.pi),
        lambda x: np.exp(-0.125) / (2 * np.pi) * x,
    ),
    "owens_t(x, 0.5)": F(
        lambda x: special.owens_t(x, 0.5),
        lambda x: mpmath.atan(0.5) / (2 * mpmath.pi) + 0 * x,
        lambda x: np.full_like(x, np.arctan(0.5) / (2 * np.pi)),
    ),
    "poch(2, x)": F(lambda x: special.poch(2.0, x), lambda x: mpmath.rf(2, x), np.ones_like),
    "poch(x, 2)": positive(lambda x: special.poch(x, 2.0), lambda x: x * (x + 1), lambda x: x),
    "polygamma(1, x)": positive(
        lambda x: special.polygamma(1, x), lambda x: mpmath.polygamma(1, x), lambda x: 1 / x**2
    ),
    "rel_entr(2, x)": positive(
        lambda x: special.rel_entr(2.0, x),
        lambda x: 2 * mpmath.log(2 / x),
        lambda x: 2 * np.log(2 / x),
    ),
    "rel_entr(x, 2)": positive(
        lambda x: special.rel_entr(x, 2.0),
        lambda x: x * mpmath.log(x / 2),
        lambda x: x * np.log(x / 2),
    ),
    "sici(x)[0]": F(lambda x: special.sici(x)[0], mpmath.si, lambda x: x),
    "sici(x)[1]": positive(lambda x: special.sici(x)[1], mpmath.ci, lambda x: EULER + np.log(x)),
    "spence(x)": positive(
        lambda x: special.spence(x),
        lambda x: mpmath.polylog(2, 1 - x),
        lambda x: np.full_like(x, np.pi**2 / 6),
    ),
    "wofz(x).imag": F(
        lambda x: special.wofz(x + 0j).imag,
        lambda x: mpmath.im(mpmath.exp(-x * x) * mpmath.erfc(mpmath.mpc(0, -x))),
        lambda x: 2 / SQRT_PI * x,
    ),
    "xlog1py(2, x)": F(
        lambda x: special.xlog1py(2.0, x), lambda x: 2 * mpmath.log1p(x), lambda x: 2 * x
    ),
    "xlog1py(x, 2)": F(
        lambda x: special.xlog1py(x, 2.0), lambda x: x * mpmath.log(3), lambda x: x * np.log(3)
    ),
    "xlogy(2, x)": positive(
        lambda x: special.xlogy(2.0, x), lambda x: 2 * mpmath.log(x), lambda x: 2 * np.log(x)
    ),
    "xlogy(x, 2)": F(
        lambda x: special.xlogy(x, 2.0), lambda x: x * mpmath.log(2), lambda x: x * np.log(2)
    ),
    "zeta(1.001, x)": positive(
        lambda x: special.zeta(1.001, x),
        lambda x: x ** -np.float32(1.001).item() + mpmath.zeta(np.float32(1.001).item()),
        lambda x: x ** -np.float32(1.001).astype(np.float64),
    ),
}


def operands(name: str, stride: int) -> Array:
    """The subnormal numbers to which a function is applied, and the smallest normal ones."""
    numbers = magnitudes(np.dtype(np.float32), stride).view(np.float32)
    return signed(name, numbers)


def neighbors(name: str) -> Array:
    """Normal numbers of the smallest binade."""
    tiny = np.float32(np.finfo(np.float32).smallest_normal)
    return signed(name, tiny * np.linspace(1, 2, NEIGHBORS, dtype=np.float32))


def signed(name: str, numbers: Array) -> Array:
    """Numbers, and their negatives if a function has them."""
    return np.concatenate([numbers, -numbers]) if FUNCTIONS[name].is_signed else numbers


def largest(name: str, results: Any, numbers: Array) -> float:
    """The largest error of results."""
    with np.errstate(all="ignore"):
        exact = np.asarray(FUNCTIONS[name].leading(numbers.astype(np.float64)), np.float64)
        return float(np.max(errors(np.asarray(results), exact, FORM)))


def interpreted(name: str) -> float:
    """The largest error of the interpreter on the program of JAX, whose operations it rounds."""
    every = operands(name, 1 << 15)
    numbers = every[:: -(-every.size // SAMPLE)]
    text = jax.jit(FUNCTIONS[name].apply).lower(numbers).as_text()
    return largest(name, sm.run(sm.parse(text), numbers, backend="interpreter"), numbers)


def measurements(name: str, stride: int) -> Iterator[tuple[str, float]]:
    """What is measured of a function on the platform of this process, and the largest errors."""
    function = jax.jit(FUNCTIONS[name].apply)
    for what, numbers in (("neighbors", neighbors(name)), ("subnormals", operands(name, stride))):
        yield what, largest(name, function(numbers), numbers)
    if os.environ["JAX_PLATFORMS"] == PLATFORMS[0]:
        yield "interpreter", interpreted(name)


def work(names: Sequence[str], stride: int, seconds: float) -> None:
    """Measures functions in this process, which ends where one takes more processor time.

    It writes a line for each figure, and for the end of each function.
    """
    warnings.simplefilter("ignore")
    for name in names:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        for what, error in measurements(name, stride):
            print(json.dumps([name, what, error]), flush=True)
        print(json.dumps([name, "end", 0.0]), flush=True)


Errors = Mapping[tuple[str, str], float]  # by platform and what is measured
ENDLESS: Final = -1.0


def measured(platform: str, names: Sequence[str], options: argparse.Namespace) -> Iterator[Any]:
    """The figures of functions on a platform: name, what, error, or ``ENDLESS``."""
    rest = list(names)
    while rest:
        with child(platform, rest, options) as process:
            assert process.stdout is not None
            for line in process.stdout:
                name, what, error = json.loads(line)
                if what == "end":
                    rest.remove(name)
                else:
                    yield name, what, error
        if process.returncode not in (0, -signal.SIGPROF):
            raise SystemExit(f"{rest[0]} fails on {platform}")
        if rest:
            yield rest.pop(0), "subnormals", ENDLESS


def child(
    platform: str, names: Sequence[str], options: argparse.Namespace
) -> subprocess.Popen[str]:
    """A process that measures functions."""
    limits = [f"--stride={options.stride}", f"--seconds={options.seconds}"]
    command = ["-m", "tools.accuracy.jax_functions", "--work", *limits, *names]
    return subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, text=True, cwd=ROOT,
        env=os.environ | {"JAX_PLATFORMS": platform},
    )  # fmt: skip


def cell(error: float | None, seconds: float) -> str:
    """An error, as it stands in the table."""
    return f"no end in {seconds:.0f} s" if error == ENDLESS else text_of(error)


def cause(figures: Errors) -> str:
    """Whose the error of a function is."""
    own = figures.get(("stablemate", "subnormals"), ENDLESS)
    formula = max(
        figures.get(("stablemate", "interpreter"), 0.0), figures.get(("cpu", "neighbors"), 0.0)
    )
    if own == ENDLESS:
        return "JAX's loop" if figures.get(("cpu", "subnormals")) == ENDLESS else "own"
    return "" if own <= GOOD else "JAX's formula" if formula > GOOD else "own"


INTRODUCTION: Final = """\
# JAX's special functions at subnormal numbers

`python -m tools.accuracy.jax_functions` applies the functions of `jax.scipy.special` to
{numbers} of `f32`, and to the negative ones where they have values, on
stablemate and on XLA's CPU client. The table has the largest errors in units in the last place (of
the smallest subnormal number where the result is subnormal); *wrong* is a NaN, an infinity or a
zero where the result is a number, or the other way round.

XLA's code takes subnormal operands and results for zero. Two more columns show what JAX's formulas
lose by themselves: the interpreter, which rounds each operation of JAX's program correctly, at
{sample} of the numbers, and both clients at normal numbers of the smallest binade. Where the
interpreter or XLA is off there too, the cause is the formula: `gamma` is `exp(gammaln(x))`, and the
exponential of a rounded 88 is off by tens of units.
"""
COLUMNS: Final = (
    ("stablemate", "subnormals"), ("stablemate", "interpreter"), ("cpu", "subnormals"),
    ("stablemate", "neighbors"), ("cpu", "neighbors"),
)  # fmt: skip
TITLES: Final = (
    "function", "stablemate", "interpreter", "XLA", "stablemate, normal", "XLA, normal", "cause",
)  # fmt: skip


def page(found: Mapping[str, Errors], seconds: float, stride: int) -> str:
    """The page."""
    numbers = "all subnormal numbers" if stride == 1 else f"one of {stride} subnormal numbers"
    rows = [
        INTRODUCTION.format(numbers=numbers, sample=SAMPLE),
        f"| {' | '.join(TITLES)} |",
        "|---" * len(TITLES) + "|",
    ]
    for name, figures in found.items():
        cells = [cell(figures.get(column), seconds) for column in COLUMNS]
        rows.append(f"| `{name}` | {' | '.join(cells)} | {cause(figures)} |")
    return "\n".join(rows) + "\n"


def main(arguments: Sequence[str]) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.accuracy.jax_functions")
    parser.add_argument("names", nargs="*", default=list(FUNCTIONS), help=", ".join(FUNCTIONS))
    parser.add_argument("--stride", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.work:
        work(options.names, options.stride, options.seconds)
        return
    found: dict[str, dict[tuple[str, str], float]] = {name: {} for name in options.names}
    for platform in PLATFORMS:
        for name, what, error in measured(platform, options.names, options):
            found[name][platform, what] = error
            print(f"{platform} {name} {what}: {cell(error, options.seconds)}", flush=True)
    if options.names == list(FUNCTIONS):
        PAGE.write_text(page(found, options.seconds, options.stride))


if __name__ == "__main__":
    main(sys.argv[1:])
