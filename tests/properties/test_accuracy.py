"""Errors of transcendental functions against mpmath, at hard points and at any others."""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stablemate as sm
from stablemate.dialects.stablehlo.accuracy import bound
from tools.accuracy.__main__ import COLUMNS, PAGE
from tools.accuracy.functions import BINARY, Case, cases, element_of
from tools.accuracy.points import HARD_MULTIPLE_OF_HALF_PI

Array = npt.NDArray[Any]

ALL: Final = list(cases())
WIDE: Final = [case for case in ALL if case.element not in ("f8E5M2", "f8E4M3FN", "bf16")]
# Of these every finite pair of operands has an exact result that is quickly found.
SAMPLED: Final = [
    case
    for case in WIDE
    if case.name not in BINARY and case.name not in ("digamma", "lgamma", "erf_inv", "bessel_i1e")
]
ROW: Final = re.compile(r"^\| `(\w+)\.(\w+)`(, HIGHEST)? \| (.*) \|$", re.MULTILINE)


@pytest.mark.parametrize("case", ALL, ids=str)
def test_at_hard_points(case: Case) -> None:
    operands = case.points(count=8, seed=1)
    step = max(len(operands[0]) // 150, 1)
    some = [np.ascontiguousarray(operand[::step]) for operand in operands]
    assert max(case.errors(some)) <= case.allowed


@st.composite
def draws(draw: st.DrawFn) -> tuple[Case, Array]:
    """A function and some operands, of any finite bits."""
    case = draw(st.sampled_from(SAMPLED))
    width = 64 if case.element in ("f64", "complex<f64>") else 16 if case.element == "f16" else 32
    numbers = st.floats(width=width, allow_nan=False, allow_infinity=False)
    moderate = st.floats(-8, 8, width=width)
    count = 2 * (1 + case.is_complex)
    parts = draw(st.lists(numbers | moderate, min_size=count, max_size=count))
    part = np.zeros(1, case.dtype).real.dtype
    return case, np.array(parts, part).view(case.dtype)


@settings(max_examples=150, deadline=None)
@given(draws())
def test_anywhere(sample: tuple[Case, Array]) -> None:
    case, operand = sample
    assert max(case.errors([operand])) <= case.allowed


@pytest.mark.parametrize("name", ["sine", "cosine", "tan"])
@pytest.mark.parametrize("multiple", [1e22, HARD_MULTIPLE_OF_HALF_PI, 2.0**1023])
def test_large_angles_are_reduced_by_all_digits_of_pi(name: str, multiple: float) -> None:
    assert max(Case("stablehlo", name, "f64").errors([np.array([multiple, -multiple])])) <= 1


def test_polygamma_of_high_orders_and_near_overflow() -> None:
    n = np.array([92.0, 88, 129, 163, 162, 156, 106, 163, 34])
    x = np.array([503.72, 422.95, 863.86, 1388.97, 2373.75, 1664.82, 0.0564667, 0.8793245, 150.399])
    assert max(Case("chlo", "polygamma", "f64").errors([n, x])) <= 1


def test_the_page_has_every_function_and_no_error_beyond_its_bound() -> None:
    by_key = {
        Case(dialect, name, element, highest=bool(highest)): text
        for dialect, name, highest, cells in ROW.findall(PAGE.read_text())
        for element, text in zip(COLUMNS, cells.split(" | "), strict=True)
        if text.strip()
    }
    assert by_key.keys() == set(ALL)
    assert [str(case) for case, text in by_key.items() if float(text) > case.allowed] == []


# ---- result_accuracy


def with_tolerance(name: str, element: str, tolerance: str) -> str:
    """A program with a function and the accuracy that is asked for."""
    tensor = f"tensor<2x{element}>"
    mode = "mode = #stablehlo.result_accuracy_mode<TOLERANCE>"
    return (
        f"func.func @main(%a: {tensor}) -> {tensor} {{\n"
        f'  %0 = "stablehlo.{name}"(%a) {{result_accuracy ='
        f" #stablehlo.result_accuracy<{tolerance}, {mode}>}} : ({tensor}) -> {tensor}\n"
        f"  return %0 : {tensor}\n}}"
    )


@pytest.mark.parametrize("element", ["f64", "f32", "f16", "complex<f64>", "complex<f32>"])
def test_one_unit_can_always_be_had(element: str) -> None:
    values = np.array([0.3, 1.382436190839557]).astype(element_of(element).dtype)
    for name in {case.name for case in ALL if case.highest}:
        case = Case("stablehlo", name, element, highest=True)
        result = sm.run(with_tolerance(name, element, "ulps = 1"), values)
        assert max(case.error(result[i], [values[i]]) for i in range(2)) <= 1


@pytest.mark.parametrize(
    ("name", "element", "tolerance"),
    [
        ("exponential", "f64", "rtol = 1.000000e-17"),
        ("exponential", "f32", "rtol = 1.000000e-08"),
        ("exponential", "f32", "atol = 1.000000e+00"),  # of large results no error is that small
        ("tanh", "f64", "atol = 1.000000e-17"),
        ("tanh", "complex<f64>", "atol = 1.000000e-03"),  # has poles
        ("log", "f16", "rtol = 1.000000e-04"),
        ("sqrt", "f32", "atol = 0.000000e+00"),
    ],
)
def test_a_tolerance_that_cannot_be_met_is_an_error(
    name: str, element: str, tolerance: str
) -> None:
    values = np.ones(2, element_of(element).dtype)
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.run(with_tolerance(name, element, tolerance), values)
    text = str(caught.value)
    assert f"stablehlo.{name} result_accuracy: the tolerance cannot be met" in text
    key, value = tolerance.split(" = ")
    assert f"{key} = {float(value)}" in text
    assert f"element_type = {element}" in text
    assert "best = " in text


@pytest.mark.parametrize(
    ("name", "element", "tolerance"),
    [
        ("exponential", "f32", "rtol = 1.000000e-07"),
        ("tanh", "f32", "atol = 1.000000e-07"),
        ("sine", "f64", "atol = 1.000000e-15"),
        ("log", "f64", "atol = 1.000000e-12"),
        ("rsqrt", "f64", "ulps = 2"),
    ],
)
def test_a_tolerance_that_can_be_met_is_met(name: str, element: str, tolerance: str) -> None:
    values = np.ones(2, element_of(element).dtype)
    plain = f"func.func @main(%a: tensor<2x{element}>) -> tensor<2x{element}> {{\n"
    plain += f"  %0 = stablehlo.{name} %a : tensor<2x{element}>\n"
    plain += f"  return %0 : tensor<2x{element}>\n}}"
    actual = sm.run(with_tolerance(name, element, tolerance), values)
    np.testing.assert_array_equal(actual, sm.run(plain, values))


def test_the_highest_accuracy_is_within_one_unit_of_every_type() -> None:
    for case in ALL:
        if case.dialect == "stablehlo" and case.name not in BINARY:
            assert bound(case.name, case.type, highest=True) <= 1


def test_the_highest_accuracy_is_better_than_the_default() -> None:
    values = np.array([1.382436190839557, 0.33333333333333337])
    default, highest = (Case("stablehlo", "rsqrt", "f64", highest=h) for h in (False, True))
    assert max(default.errors([values])) > 1 >= 2 * max(highest.errors([values])) - 1e-9


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
@pytest.mark.parametrize("name", ["sinh", "cosh"])
def test_hyperbolic_functions_of_large_times_small_parts(name: str, backend: str) -> None:
    """The real part alone overflows; a factor that is denormal may make up for it, or not."""
    case = Case("chlo", name, "complex<f64>")
    large = [700.5, 709.782712893384, 720.0, 1000.0, 1420.0, 1e155]
    small = [5e-324, 1e-310, 2.2250738585072014e-308, 1e-300, 1e-20]
    points = np.array([complex(a, b) for a in large for b in small])
    results = sm.run(case.program(len(points)), points, backend=backend)
    errors = [case.error(result, [z]) for result, z in zip(results, points, strict=True)]
    assert max(errors) <= case.allowed
