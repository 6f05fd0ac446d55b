"""Errors at subnormal numbers: in the interpreter, in native code, and of decompositions."""

from __future__ import annotations

import re
from typing import Any, Final

import mpmath
import numpy as np
import pytest

import stablemate as sm
from stablemate.api.executables import interpreted_of
from stablemate.compiler.executable import CompiledExecutable
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from tests.compiler.variants import OLDER
from tools.accuracy.__main__ import PAGE, SECTION
from tools.accuracy.exact import CHLO, STABLEHLO
from tools.accuracy.functions import Case, element_of, exact_result
from tools.accuracy.histograms import errors
from tools.accuracy.measure import Format
from tools.accuracy.subnormals import (
    LEADING,
    NAMES,
    TYPES,
    WAYS,
    WIDE,
    Paired,
    Subnormals,
    magnitudes,
    ways_of,
)

BACKENDS: Final = ("cpu", "interpreter")
QUICK: Final = 20_011  # every so many numbers of f32, and pairs
ROW: Final = re.compile(r"^\| `(\w+)` \| (.*) \|$", re.MULTILINE)
STRIDES: Final = [QUICK, pytest.param(211, marks=pytest.mark.standard)]


@pytest.mark.parametrize("stride", STRIDES)
@pytest.mark.parametrize("element", TYPES)
@pytest.mark.parametrize("name", NAMES)
def test_no_error_is_larger_than_the_pages_allow(name: str, element: str, stride: int) -> None:
    function = Subnormals(name, element, stride)
    worst = {way: function.largest(way) for way in ways_of(name)}
    assert worst["interpreted"] is not None
    for way, found in worst.items():
        assert found is None or found[0] <= function.allowed(way), (way, found)


def on_sse2(text: str) -> CompiledExecutable:
    """A program as native code for processors that have only SSE2."""
    module = sm.load(text)
    function = interpreted_of(module, module.entry("main"), DEFAULT_LIMITS, native=True)
    return CompiledExecutable(function, OLDER["sse2"])


@pytest.mark.skipif("sse2" not in OLDER, reason="this is no x86 processor")
@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("name", NAMES)
def test_processors_without_fused_multiplication(name: str, element: str) -> None:
    function = Subnormals(name, element, QUICK)
    (operands,) = function.operands()
    (results,) = on_sse2(function.measured(operands[0].size).program).run(operands)
    off = errors(np.asarray(results), function.exact(operands), function.form)
    assert off.max() <= function.allowed("native"), [x[off.argmax()] for x in operands]


ANGLES: Final = np.array([
    (-6.3e-322, 3.26456313713e-313), (5e-324, 6.9559506197075e-310), (5e-324, 1.25e-293),
    (5e-324, 4.743179427373802e-184), (5e-324, 1.3939914129454047e-17), (3e-310, -7e-312),
    (2.871e-321, 1.1275e-320), (1e-320, 2.0**399), (2.0**-600, 2.0**401), (2.0**1023, 2.0**1022),
])  # fmt: skip


@pytest.mark.skipif("sse2" not in OLDER, reason="this is no x86 processor")
@pytest.mark.parametrize("compiled", [sm.compile, on_sse2])
def test_angles_of_points_with_tiny_coordinates(compiled: Any) -> None:
    """Of products that are split into halves, the halves' products may not underflow."""
    y, x = np.ascontiguousarray(ANGLES.T)
    text = Paired("atan2", "f64", len(x)).program
    function = compiled(text if compiled is on_sse2 else sm.load(text))
    results = function.run([y, x])[0] if compiled is on_sse2 else function(y, x)
    assert errors(np.asarray(results), np.arctan2(y, x, dtype=WIDE), Format(np.float64)).max() < 0.8


@pytest.mark.parametrize("count", [40, pytest.param(4000, marks=pytest.mark.standard)])
@pytest.mark.parametrize("element", ["f32", "f64", "bf16"])
@pytest.mark.parametrize("name", [name for name in LEADING if name in {**STABLEHLO, **CHLO}])
def test_leading_terms_are_exact(name: str, element: str, count: int) -> None:
    """They differ from the functions by less than a thousandth of a unit."""
    dtype = np.dtype(element_of(element).dtype)
    bits = magnitudes(dtype, 64)
    positive = bits[:: max(len(bits) // count, 1)].view(dtype)
    points = np.concatenate([positive, -positive])
    with np.errstate(all="ignore"):
        terms = LEADING[name](points.astype(WIDE))
    case = Case("chlo" if name in CHLO else "stablehlo", name, element)
    form = Format(dtype)
    for point, term in zip(points, terms, strict=True):
        exact = exactly(case, float(point))
        if exact is None:
            assert np.isnan(term), (point, term)
            continue
        with mpmath.workprec(200):
            off = abs(mpmath.mpf(str(term)) - exact) / form.unit(exact)
        assert off < 1e-3, (point, term, exact)


def exactly(case: Case, point: float) -> Any:
    """The exact result; None if there is no real number."""
    with mpmath.workprec(200):  # by recurrence, which is far quicker near poles
        x = mpmath.mpf(point)
        if case.name == "digamma":
            return mpmath.digamma(1 + x) - 1 / x
        if case.name == "lgamma":
            return mpmath.loggamma(1 + x) - mpmath.log(abs(x))
    real, imaginary = exact_result(case.dialect, case.name, np.float64(point))
    return None if real is None or imaginary else real


# Functions of f32, exact results rounded by mpmath with 60 digits.
HARD: Final = [
    ("lgamma", "0x1p-149", 103.278929903),
    ("lgamma", "-0x1p-149", 103.278929903),
    ("lgamma", "0x1.8p-148", 102.180317615),
    ("lgamma", "0x1.fffffcp-127", 87.3365448692),
    ("digamma", "0x1p-149", float("-inf")),
    ("digamma", "-0x1p-149", float("inf")),
    ("digamma", "0x1.fffffcp-127", -(2.0**126) * (1 + 2.0**-23)),
    ("erf", "0x1p-149", 2.0**-149),
    ("erf", "0x1.fffffcp-127", 1.32640318374e-38),
    ("erf_inv", "0x1.fffffcp-127", 1.04175477276e-38),
    ("bessel_i1e", "0x1.8p-148", 2.0**-148),
    ("bessel_i1e", "-0x1.fffffcp-127", -(2.0**-127)),
    ("cbrt", "0x1p-149", 2.0**-49 * 2.0 ** (-2 / 3)),
    ("rsqrt", "0x1p-149", 2.0**74.5),
    ("sqrt", "0x1.8p-148", 6.0**0.5 * 2.0**-75),
    ("log", "0x1p-149", -103.278929903),
    ("sinh", "-0x1.8p-148", -1.5 * 2.0**-148),
    ("tanh", "0x1.fffffcp-127", 2.0**-126 - 2.0**-149),
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("name", "operand", "exact"), HARD)
def test_hard_points(name: str, operand: str, exact: float, backend: str) -> None:
    case = Case("chlo" if name in CHLO else "stablehlo", name, "f32")
    for size in (1, 5):  # numbers of a vector, and of its rest
        x = np.full(size, float.fromhex(operand), np.float32)
        result = sm.run(case.program(size), x, backend=backend)
        np.testing.assert_array_max_ulp(result, np.full(size, exact, np.float32), 1)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["cosine", "exponential", "log", "logistic", "sine", "tanh"])
def test_scalars_are_computed_as_exactly(name: str, backend: str) -> None:
    """Native code has other formulas for tensors of rank 0."""
    text = (
        "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
        f"  %0 = stablehlo.{name} %a : tensor<f32>\n  return %0 : tensor<f32>\n}}"
    )
    function = sm.compile(sm.load(text), backend=backend)
    form = Format(np.float32)
    for x in magnitudes(np.dtype(np.float32), 1 << 18).view(np.float32):
        result: Any = function(x)
        (exact,) = LEADING[name](np.array([x], WIDE))
        assert form.error(float(result), mpmath.mpf(str(exact))) <= 0.55


def power_of_inverse(exponent: float, x: float) -> Any:
    """``x^-exponent``, which zeta is at subnormal numbers, but for a finite number of 1 or so."""
    return mpmath.sign(x) ** int(exponent) * abs(mpmath.mpf(x)) ** -mpmath.mpf(exponent)


@pytest.mark.standard
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("element", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("name", ["zeta", "polygamma"])
def test_powers_of_inverses(name: str, element: str, backend: str) -> None:
    """The first operand is small: of 1 and 2 results are finite for some numbers of f16 alone."""
    dtype = np.dtype(element_of(element).dtype)
    bits = magnitudes(dtype, max((1 << Format(dtype).digits) // 64, 1))
    x = np.concatenate([bits.view(dtype), -bits.view(dtype)])
    case, form = Case("chlo", name, element), Format(dtype)
    for order in (1, 2, 3, 5):
        first = np.full(len(x), order + (name == "zeta"), dtype)
        results = np.asarray(sm.run(case.program(len(x)), first, x, backend=backend))
        for result, point in zip(results, x, strict=True):
            with mpmath.workprec(200):
                exact = leading_term(name, order, float(point))
                assert form.error(float(result), exact) <= (1.5 if element == "f64" else 0.51)


def leading_term(name: str, order: int, x: float) -> Any:
    """zeta(order + 1, x), and polygamma(order, x), near zero."""
    value = power_of_inverse(order + 1, x) + mpmath.zeta(order + 1) - x * (order + 1)
    if name == "zeta":
        return value
    return (-1) ** (order + 1) * mpmath.factorial(order) * value


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("element", TYPES)
def test_an_exponent_that_is_infinite_and_a_number_below_zero(element: str, backend: str) -> None:
    """Powers of terms below 1 in magnitude have both signs, whatever 1 less the number is."""
    dtype = np.dtype(element_of(element).dtype)
    numbers = np.array([2.0**-24, 2.0**-10, 0.5, 2.5]).astype(dtype)
    q = -np.concatenate([numbers, magnitudes(dtype, 1 << 20)[:3].view(dtype)])
    text = Case("chlo", "zeta", element).program(len(q))
    results = np.asarray(sm.run(text, np.full_like(q, np.inf), q, backend=backend))
    assert np.isnan(results.astype(np.float64)).all()


TINY: Final = [
    (5e-324 + 5e-324j, -1e-323 + 1.2e-308j), (-2.3e-308 + 8.2e-307j, -5e-324 - 1e-323j),
    (1e-320 - 3e-321j, 1e-322 + 2e-322j), (3 - 4j, 1e-308 + 3e-324j), (1e-310 + 2e-310j, 3 - 4j),
    (1e308 + 1e308j, 3e-308 - 2.3e-308j), (2e-290 - 1e-310j, 7e-300 + 3e-322j),
]  # fmt: skip


@pytest.mark.parametrize("backend", BACKENDS)
def test_quotients_and_signs_of_complex_numbers_with_tiny_parts(backend: str) -> None:
    """Neither the product of a part with a ratio nor a modulus is rounded as a subnormal number."""
    x, y = np.ascontiguousarray(np.array(TINY).T)
    tensor = f"tensor<{len(x)}xcomplex<f64>>"
    text = (
        f"func.func @main(%a: {tensor}, %b: {tensor}) -> ({tensor}, {tensor}) {{\n"
        f"  %0 = stablehlo.divide %a, %b : {tensor}\n  %1 = stablehlo.sign %b : {tensor}\n"
        f"  return %0, %1 : {tensor}, {tensor}\n}}"
    )
    quotients, signs = sm.run(text, x, y, backend=backend)
    with mpmath.workprec(2400), np.errstate(over="ignore"):
        pairs = [(mpmath.mpc(complex(a)), mpmath.mpc(complex(b))) for a, b in TINY]
        assert largest_error(quotients, [a / b for a, b in pairs]) <= 2
        assert largest_error(signs, [b / abs(b) for _, b in pairs]) <= 1


def largest_error(results: Any, exact: list[Any]) -> float:
    """The largest error of a part, in units of the larger part; infinity is the largest float."""
    form = Format(np.float64)
    off = []
    for result, number in zip(results, exact, strict=True):
        unit = form.unit(max(abs(number.real), abs(number.imag)))
        for part, exact_part in ((result.real, number.real), (result.imag, number.imag)):
            clipped = min(abs(exact_part), form.largest) * mpmath.sign(exact_part)
            off.append(abs(min(max(part, -form.largest), form.largest) - clipped) / unit)
    return float(max(off))


def test_the_page_has_every_function_and_no_error_beyond_its_bound() -> None:
    rows = dict(ROW.findall(PAGE.read_text().partition(SECTION)[2]))
    assert tuple(rows) == NAMES
    for name, cells in rows.items():
        for element, cell in zip(TYPES, cells.split(" | "), strict=True):
            for way, text in zip(WAYS, cell.split(" / "), strict=False):
                assert float(text) <= Subnormals(name, element).allowed(way)
