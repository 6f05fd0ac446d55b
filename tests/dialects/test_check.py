"""Checks that fail: the text of the error."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm
from stablemate.dialects.check import ulp_distance
from stablemate.numerics.elements import F32, F64, FloatType

E8M0 = FloatType("f8E8M0FNU")


def error_of(body: str) -> str:
    """The error of a failing program."""
    with pytest.raises(sm.EvaluationError) as caught:
        sm.load(f"func.func @main() {{\n{body}\nreturn }}").run()
    return str(caught.value)


def test_failed_check_lists_the_elements_that_differ() -> None:
    text = error_of(
        """%a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
check.expect_eq_const %a, dense<[[1, 0], [3, 0]]> : tensor<2x2xi8>"""
    )
    assert text == (
        "<text>:3:1: error: check.expect_eq_const: lhs = value\n"
        " 3 | check.expect_eq_const %a, dense<[[1, 0], [3, 0]]> : tensor<2x2xi8>\n"
        "   | ^^^^^^^^^^^^^^^^^^^^^ "
        "different = 2 of 4, [0, 1] = 2, expected 0, [1, 1] = 4, expected 0"
    )


def test_failed_check_lists_some_elements_only() -> None:
    text = error_of(
        """%a = stablehlo.constant dense<1> : tensor<100xi32>
check.expect_eq_const %a, dense<0> : tensor<100xi32>"""
    )
    assert "different = 100 of 100" in text
    assert text.count("expected") == 8


def test_nan_is_not_equal_but_almost_equal() -> None:
    nan = "%a = stablehlo.constant dense<0x7FC00000> : tensor<f32>\n"
    assert "different = 1 of 1" in error_of(nan + "check.expect_eq %a, %a : tensor<f32>")
    almost = nan + "check.expect_almost_eq %a, %a : tensor<f32>"
    sm.load(f"func.func @main() {{\n{almost}\nreturn }}").run()


def test_shapes_are_compared_when_the_program_runs() -> None:
    text = error_of(
        """%s = stablehlo.constant dense<3> : tensor<1xi32>
%a = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
check.expect_eq_const %a, dense<[0, 1]> : tensor<2xi32>"""
    )
    assert "the shapes are equal" in text
    assert "actual = (3,), expected = (2,)" in text


@pytest.mark.parametrize(
    ("a", "b", "element", "expected"),
    [
        (1.0, np.nextafter(np.float32(1), np.float32(2)), F32, 1),
        (0.0, -0.0, F32, 0),
        (1e-45, -1e-45, F32, 2),
        (np.nan, np.nan, F64, 0),
        (np.nan, 1.0, F64, 2**64 - 1),
        (np.nan, np.inf, F64, 2**64 - 1),
        (np.inf, np.finfo(np.float64).max, F64, 2**64 - 1),
        (1.0, 4.0, E8M0, 2),
    ],
)
def test_ulp_distance(a: float, b: float, element: FloatType, expected: int) -> None:
    x, y = (np.array(value).astype(element.dtype) for value in (a, b))
    assert int(ulp_distance(x, y, element)) == expected
