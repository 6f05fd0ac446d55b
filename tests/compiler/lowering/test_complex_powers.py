"""Powers of ``complex<f64>`` near roots of unity and with large angles, against mpmath."""

from __future__ import annotations

from typing import Any, Final

import mpmath
import numpy as np
import numpy.typing as npt
import pytest

import stablemate as sm
from stablemate.compiler.codegen.lane_functions.complex_powers import complex_power_functions
from stablemate.compiler.codegen.object_code import assemble
from stablemate.compiler.executable import CompiledExecutable
from tests.compiler.object_symbols import imported
from tests.compiler.plan_evaluation import difference
from tests.compiler.variants import RUNNABLE, Variant
from tests.machines import ARM, MACHINES
from tools.accuracy.functions import Case

Array = npt.NDArray[Any]
CASE: Final = Case("stablehlo", "power", "complex<f64>")
DIGITS: Final = 2600  # binary ones of the exact results
VARIANTS: Final = [
    *(Variant(machine="" if name == "host" else name) for name in RUNNABLE),
    Variant(check=True),
]
SCALARS: Final = """
func.func @main(%x: tensor<complex<f64>>, %y: tensor<complex<f64>>) -> tensor<9xcomplex<f64>> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<complex<f64>>) -> tensor<9xcomplex<f64>>
  %1 = stablehlo.broadcast_in_dim %y, dims = [] : (tensor<complex<f64>>) -> tensor<9xcomplex<f64>>
  %2 = stablehlo.power %0, %1 : tensor<9xcomplex<f64>>
  return %2 : tensor<9xcomplex<f64>>
}
"""


def near_roots_of_unity(generator: np.random.Generator, count: int) -> tuple[Array, Array]:
    """Bases whose angles are nearly rational parts of a turn, exponents that make turns of them."""
    order = generator.integers(1, 65, count)
    angle = np.pi / 2 * generator.integers(0, 4 * order) / order
    x = np.exp(1j * angle) * generator.choice([1.0, 1.25, 2.0, 0.3], count)
    x.real[::3] = np.nextafter(x.real[::3], 9)
    return x, order * generator.integers(1, 200, count) + 0j


def nearly_quarter_turns(generator: np.random.Generator, count: int) -> tuple[Array, Array]:
    """Exponents with imaginary parts that make up what the angle of the others lacks."""
    log = np.log(generator.normal(size=count) + 1j * generator.normal(size=count))
    c = generator.normal(size=count) * 8
    quarters = generator.integers(-40, 41, count) * (np.pi / 2)
    return np.exp(log), c + 1j * (quarters - c * log.imag) / log.real


def large_angles(generator: np.random.Generator, count: int) -> tuple[Array, Array]:
    """Angles of up to 2^500: of numbers near 1, of imaginary exponents, and of balanced terms."""
    x, y = np.ones(count, complex), np.zeros(count, complex)
    tiny = generator.uniform(-250, -1, count)
    x.imag, y.real = 2.0**tiny, 2.0 ** generator.uniform(0, 2 * -tiny)
    large = generator.normal(size=count) * 2.0 ** generator.integers(0, 200, count)
    x[1::3] = generator.uniform(0.1, 9, count)[1::3]
    y[1::3] = generator.normal(size=count)[1::3] + 1j * large[1::3]
    third = generator.normal(size=count) + 1j * generator.normal(size=count)
    x[2::3], log = third[2::3], np.log(third[2::3])
    d = generator.normal(size=len(log)) * 2.0 ** generator.integers(0, 57, len(log))
    y[2::3] = d * log.imag / log.real + 1j * d
    return x, y


def tiny_angles(generator: np.random.Generator, count: int) -> tuple[Array, Array]:
    """Angles down to 2^-900 that are differences of nearly equal terms."""
    x = generator.uniform(0.5, 9, count) + 1j * 2.0 ** generator.uniform(-500, -1, count)
    c = 2.0 ** generator.uniform(-400, 4, count)
    log = np.log(x)
    return x, c - 1j * c * (log.imag / log.real)


KINDS: Final = (near_roots_of_unity, nearly_quarter_turns, large_angles, tiny_angles)


def points(count: int, seed: int = 0) -> tuple[Array, Array]:
    """Bases and exponents of all kinds."""
    generator = np.random.default_rng(seed)
    columns = zip(*[kind(generator, count) for kind in KINDS], strict=True)
    x, y = (np.concatenate(column) for column in columns)
    return x, y


def largest_error(x: Array, y: Array, results: Array) -> float:
    """The largest error of a part that is finite, in units in the last place."""
    errors: list[float] = []
    with mpmath.workprec(DIGITS):
        for base, exponent, result in zip(x, y, results, strict=True):
            log = mpmath.mpc(exponent) * mpmath.log(mpmath.mpc(base))
            if abs(log.real) > 700:
                continue  # a part may overflow or underflow
            exact = mpmath.exp(log)
            for part, actual in ((exact.real, result.real), (exact.imag, result.imag)):
                unit = np.spacing(abs(float(part)))
                errors.append(float(abs(part - mpmath.mpf(actual)) / mpmath.mpf(unit)))
    assert len(errors) > len(x)
    return max(errors)


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_parts_are_within_a_unit(kind: Any, backend: str) -> None:
    x, y = kind(np.random.default_rng(5), 60)
    results = sm.run(CASE.program(len(x)), x, y, backend=backend)
    assert largest_error(x, y, results) <= 0.7


@pytest.mark.standard
def test_parts_of_many_powers_are_within_a_unit() -> None:
    x, y = points(600, 6)
    assert largest_error(x, y, sm.run(CASE.program(len(x)), x, y)) <= 0.7


def test_the_points_are_hard() -> None:
    for kind in (near_roots_of_unity, nearly_quarter_turns):
        x, y = kind(np.random.default_rng(5), 60)
        results = sm.run(CASE.program(len(x)), x, y, backend="interpreter")
        parts = np.abs([results.real, results.imag])
        assert np.count_nonzero((parts.min(0) < parts.max(0) * 2.0**-38) & (parts.min(0) > 0)) > 20
    x, y = large_angles(np.random.default_rng(5), 60)
    angles = np.abs(y.real * np.angle(x)) + np.abs(y.imag * np.log(np.abs(x)))
    assert np.count_nonzero(angles > 2.0**44) > 15


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_machine_has_the_same_accuracy(variant: Variant) -> None:
    x, y = points(8, 7)
    compiled = variant.compiled(sm.load(CASE.program(len(x))))
    (results,) = compiled.run([x, y])
    assert largest_error(x, y, results) <= 0.7


@pytest.mark.parametrize("fuse", [True, False], ids=["fused", "unfused"])
def test_powers_before_a_loop_are_computed_like_others(fuse: bool) -> None:
    x, y = points(8, 8)
    compiled = Variant(fuse=fuse).compiled(sm.load(SCALARS))
    rows: Any = [np.array(compiled.run([*pair])).reshape(9) for pair in zip(x, y, strict=True)]
    assert all((row == row[0]).all() for row in rows)
    assert largest_error(x, y, np.array(rows)[:, 0]) <= 0.7


def test_plans_have_the_powers_of_native_code() -> None:
    x, y = (column[::3] for column in points(3, 9))
    compiled = Variant().compiled(sm.load(CASE.program(len(x))))
    assert isinstance(compiled, CompiledExecutable)
    assert not difference(compiled, (x, y))


@pytest.mark.parametrize("machine", [*MACHINES, "aarch64"])
def test_the_function_imports_nothing(machine: str) -> None:
    target = MACHINES.get(machine, ARM)
    text = complex_power_functions("power").replace("internal void @power(", "void @power(")
    assert not list(imported(assemble(text, target)))


def test_one_lane_of_many_is_refined() -> None:
    x, y = np.full(64, 1.25 + 0.5j), np.full(64, 0.75 - 2j)
    usual = sm.run(CASE.program(64), x, y)
    x[37], y[37] = np.exp(1j * np.pi / 14), 7
    results = sm.run(CASE.program(64), x, y)
    assert largest_error(x, y, results) <= 0.7
    assert abs(results[37].real) < 1e-15 < 0.99 < results[37].imag
    np.testing.assert_array_equal(np.delete(results, 37), np.delete(usual, 37))
