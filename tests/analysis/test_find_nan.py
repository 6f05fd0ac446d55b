"""The first NaN, infinity, denormal or overflow: where it originates, or where it came from."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from tests.execution.test_observers import FAILING

BACKENDS: Final = ("interpreter", "cpu")
# Subtracts 1 in each iteration and takes the logarithm: line 3 has the logarithm.
PLANTED: Final = """
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.log %x : tensor<4xf32> loc("log"(callsite("model.py":12:3 at "train.py":40:1)))
  return %0 : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %c = stablehlo.constant dense<1.0> : tensor<4xf32>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<4xf32>
  %unused = stablehlo.negate %nan : tensor<4xf32>
  %r:3 = stablehlo.while(%i = %zero, %a = %x, %l = %c) : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %b = stablehlo.subtract %a, %c : tensor<4xf32>
    %u = func.call @f(%b) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %j, %b, %u : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  }
  return %r#2 : tensor<4xf32>
}"""


def planted(values: list[float], iterations: int, backend: str, **options: Any) -> Any:
    """What is found in the program on these values."""
    x, n = np.array(values, np.float32), np.int32(iterations)
    return sm.find_nan(sm.load(PLANTED, name="p.mlir"), x, n, backend=backend, **options)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_nan_in_a_loop_is_found_with_line_iteration_and_calls(backend: str) -> None:
    planted_value = planted([9, 3.5, 4.5, 9], 6, backend)
    assert planted_value
    finding = planted_value.finding
    assert (finding.kind, finding.event.place.name, finding.event.place.line) == (
        "nan",
        "stablehlo.log",
        3,
    )
    # 3.5 - 4 < 0 in the fourth iteration.
    assert finding.event.path == "@main > while body[3] > @f"
    assert (finding.event.occurrence, finding.index, finding.number) == (3, (1,), 1)
    assert finding.is_born
    (operand,) = finding.operands
    assert operand.element == "-0.5"
    assert operand.statistics[0].min == -0.5
    assert operand.statistics[0].max == 5.0
    assert operand.origin.text == "%b = stablehlo.subtract at p.mlir:18:10"
    text = str(planted_value)
    assert text.splitlines()[0] == "p.mlir:3:8: error: stablehlo.log: the first NaN"
    assert "note: location: log (model.py:12:3 called from train.py:40:1)" in text


@pytest.mark.parametrize("backend", BACKENDS)
def test_without_one_nothing_is_found(backend: str) -> None:
    """The constant is a NaN, but nothing is done with it."""
    planted_value = planted([9, 9, 9, 9], 6, backend)
    assert not planted_value
    assert str(planted_value) == "no NaN or infinity"
    np.testing.assert_allclose(planted_value.results, np.log(np.full(4, 3.0)), rtol=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_infinity_is_found_where_it_is_born(backend: str) -> None:
    finding = planted([9, 2, 9, 9], 6, backend).finding
    assert (finding.kind, finding.event.place.line, finding.event.path) == (
        "inf",
        3,
        "@main > while body[1] > @f",
    )
    assert not planted([9, 2, 9, 9], 2, backend, find="nan")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("value", "kind"), [(np.nan, "nan"), (np.inf, "inf")])
def test_what_an_argument_brings_is_passed_on(backend: str, value: float, kind: str) -> None:
    finding = planted([9, 9, value, 9], 6, backend).finding
    assert (finding.kind, finding.event.place.line, finding.index) == (kind, 18, (2,))
    assert not finding.is_born
    assert finding.origin == "passed on from argument 0 of @main"


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_a_constant_brings_is_passed_on(backend: str) -> None:
    text = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<2xf32>
  %p = stablehlo.compare LT, %x, %zero : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %1 = stablehlo.select %p, %0, %x : tensor<2xi1>, tensor<2xf32>
  return %1 : tensor<2xf32>
}"""
    module = sm.load(text)
    assert not sm.find_nan(module, np.ones(2, np.float32), backend=backend)
    finding = sm.find_nan(module, -np.ones(2, np.float32), backend=backend).finding
    assert finding is not None
    assert finding.event.place.name == "stablehlo.select"
    assert "passed on from %0 = stablehlo.broadcast_in_dim" in finding.origin


@pytest.mark.parametrize("backend", BACKENDS)
def test_minus_infinity_to_begin_with_is_none(backend: str) -> None:
    text = """
func.func @main(%x: tensor<3xf32>) -> tensor<f32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0]
    : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.maximum %low, %0 : tensor<f32>
  return %1 : tensor<f32>
}"""
    assert not sm.find_nan(sm.load(text), np.ones(3, np.float32), backend=backend)


UNARY: Final = """
func.func @main(%x: tensor<2x{0}>, %y: tensor<2x{0}>) -> tensor<2x{1}> {{
  %0 = {2} : {3}
  return %0 : tensor<2x{1}>
}}"""


def unary(source: str, result: str, operation: str, types: str, x: Any, y: Any, find: str) -> Any:
    """What is found in a program of one operation."""
    text = UNARY.format(source, result, operation, types)
    return sm.find_nan(sm.load(text), x, y, find=find, backend="interpreter").finding


def test_overflow() -> None:
    floats = np.array([1, 3e38], np.float32)
    same = "tensor<2xf32>"
    unary_result = unary("f32", "f32", "stablehlo.add %x, %y", same, floats, floats, "overflow")
    assert (unary_result.kind, unary_result.index) == ("overflow", (1,))
    zero = np.zeros(2, np.float32)
    assert unary("f32", "f32", "stablehlo.divide %x, %y", same, floats, zero, "overflow") is None
    convert = "(tensor<2xf32>) -> tensor<2xi8>"
    wide = np.array([1, 127.9], np.float32)
    assert unary("f32", "i8", "stablehlo.convert %x", convert, wide, wide, "overflow") is None
    wide = np.array([1, 128], np.float32)
    unary_result = unary("f32", "i8", "stablehlo.convert %x", convert, wide, wide, "overflow")
    assert unary_result.operands[0].element == "128.0"
    numbers = np.array([100, 100], np.int8)
    ints = "tensor<2xi8>"
    unary_result = unary("i8", "i8", "stablehlo.add %x, %y", ints, numbers, numbers, "overflow")
    assert unary_result.index == (0,)
    small = np.array([60, 63], np.int8)
    assert unary("i8", "i8", "stablehlo.add %x, %y", ints, small, small, "overflow") is None
    narrowed = "(tensor<2xui8>) -> tensor<2xi8>"
    large = np.array([1, 200], np.uint8)
    unary_result = unary("ui8", "i8", "stablehlo.convert %x", narrowed, large, large, "overflow")
    assert unary_result.index == (1,)


def test_denormals() -> None:
    one, small = np.ones(2, np.float32), np.array([1, 1e-39], np.float32)
    same = "tensor<2xf32>"
    unary_result = unary("f32", "f32", "stablehlo.multiply %x, %y", same, one, small, "denormal")
    assert (unary_result.kind, unary_result.index, unary_result.is_born) == (
        "denormal",
        (1,),
        False,
    )
    assert unary_result.origin == "passed on from argument 1 of @main"
    tiny = np.array([1, 2e-38], np.float32)
    half = np.full(2, 0.5, np.float32)
    unary_result = unary("f32", "f32", "stablehlo.multiply %x, %y", same, tiny, half, "denormal")
    assert (unary_result.index, unary_result.is_born) == ((1,), True)


def test_complex_numbers_by_parts() -> None:
    text = """
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.complex %x, %y : tensor<2xcomplex<f32>>
  %1 = stablehlo.add %0, %0 : tensor<2xcomplex<f32>>
  return %1 : tensor<2xcomplex<f32>>
}"""
    y = np.array([0, np.nan], np.float32)
    event = sm.find_nan(sm.load(text), np.ones(2, np.float32), y, backend="interpreter").finding
    assert event is not None
    assert (event.event.place.name, event.index) == ("stablehlo.complex", (1,))
    assert event.origin == "passed on from argument 1 of @main"


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_run_that_fails_before_says_so(backend: str) -> None:
    event = sm.find_nan(sm.load(FAILING), np.ones(2, np.float32), backend=backend)
    assert not event
    assert event.failure is not None
    assert "no NaN or infinity before the run failed in @main > while body[0]" in str(event)


def test_unknown_kinds_are_refused() -> None:
    with pytest.raises(sm.ArgumentError, match="known: nan, inf, denormal, overflow"):
        planted([1, 1, 1, 1], 1, "cpu", find="what")


def test_hlo() -> None:
    text = """HloModule m
ENTRY main {
  x = f32[2]{0} parameter(0)
  y = f32[2]{0} subtract(x, x)
  ROOT z = f32[2]{0} divide(y, y), metadata={op_name="jit(f)/div" source_file="f.py" source_line=7}
}
"""
    event = sm.find_nan(sm.load(text), np.ones(2, np.float32)).finding
    assert event is not None
    assert (event.event.place.line, event.is_born) == (5, True)
    assert "f.py:7" in event.event.place.origin


def test_processes() -> None:
    text = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.log %x : tensor<f32>
  return %0 : tensor<f32>
}"""
    event = sm.find_nan(sm.load(text), [np.float32(1), np.float32(-1)], grid=(1, 2)).finding
    assert event is not None
    assert event.event.process == (0, 1)
    assert "note: in process (0,1)" in str(event.diagnostic)
