"""Transcendental functions in native code: within stated bounds of exact results."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stablemate as sm
from stablemate.compiler.config.target import Target
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.lowering.representation import representation
from stablemate.compiler.plan.plan import Request
from tests.compiler.variants import OLDER, RUNNABLE, largest_error_on_sse2
from tools.accuracy.compiled import CompiledCase, cases
from tools.accuracy.functions import BINARY, Case

Array = npt.NDArray[Any]
ALL: Final = list(cases())
NATIVE: Final = [
    case for case in ALL if case.dialect == "stablehlo" and case.element in ("f32", "f64")
]
# What the interpreter answers, with the reason.
REQUESTED: Final = dict.fromkeys(
    [
        f"stablehlo.{name} f64 HIGHEST"
        for name in ("exponential_minus_one", "logistic", "rsqrt", "tan", "tanh")
    ],
    "off by more than a unit",
)


@pytest.mark.parametrize("case", [case for case in ALL if case.dialect == "stablehlo"], ids=str)
def test_at_hard_points(case: CompiledCase) -> None:
    representation_result = representation(case.type) is not None
    assert case.is_native == (representation_result and str(case) not in REQUESTED)
    operands = case.points()
    step = max(len(operands[0]) // 150, 1)
    some = [np.ascontiguousarray(operand[::step]) for operand in operands]
    assert max(case.errors(some)) <= case.allowed


@st.composite
def draws(draw: st.DrawFn) -> tuple[CompiledCase, Array]:
    """A function and some operands, of any finite bits."""
    case = draw(st.sampled_from([case for case in NATIVE if case.name not in BINARY]))
    width = 64 if case.element == "f64" else 32
    numbers = st.floats(width=width, allow_nan=False, allow_infinity=False)
    moderate = st.floats(-8, 8, width=width)
    return case, np.array(draw(st.lists(numbers | moderate, min_size=3, max_size=3)), case.dtype)


@settings(max_examples=150, deadline=None)
@given(draws())
def test_anywhere(sample: tuple[CompiledCase, Array]) -> None:
    case, operand = sample
    assert max(case.errors([operand])) <= case.allowed


def executable(text: str, target: Target | None = None) -> CompiledExecutable:
    """A program as native code."""
    return CompiledExecutable(sm.load(text).executable("main", backend="interpreter"), target)  # type: ignore[arg-type]


SPECIAL: Final = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, 2.0, -3.0, 1e-40, -1e-40, 2.5]
UNARY: Final = sorted({case.name for case in NATIVE if case.name not in BINARY})


@pytest.mark.parametrize("target", RUNNABLE)
@pytest.mark.parametrize("element", ["f32", "f64"])
def test_special_values_are_those_of_the_interpreter(element: str, target: str) -> None:
    values = np.array(SPECIAL, "f4" if element == "f32" else "f8")
    size = len(values)
    tensor = f"tensor<{size}x{element}>"
    lines = [f'  %{name} = "stablehlo.{name}"(%x) : ({tensor}) -> {tensor}' for name in UNARY]
    names, types = ", ".join(f"%{name}" for name in UNARY), ", ".join([tensor] * len(UNARY))
    text = (
        f"func.func @main(%x: {tensor}) -> ({types}) {{\n" + "\n".join(lines)
        + f"\n  return {names} : {types}\n}}"
    )  # fmt: skip
    compiled = executable(text, RUNNABLE[target])
    for name, got, expected in zip(
        UNARY, compiled.run([values]), compiled.interpreted.run([values]), strict=True
    ):
        same = np.isclose(got, expected, rtol=1e-6, atol=0, equal_nan=True)
        signs = (np.signbit(got) == np.signbit(expected)) | np.isnan(got)
        assert (same & signs).all(), (name, values[~(same & signs)])


def test_tanh_of_large_numbers_is_one() -> None:
    # tanh(9.02) is 1 - 2.93e-8, and half the distance from 1 to the next f32 below is 2.98e-8.
    values = np.array([9.02, 10.0, 100.0, 1e30, np.inf], np.float32)
    text = """func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {
  %0 = stablehlo.tanh %x : tensor<5xf32>
  return %0 : tensor<5xf32>
}"""
    assert executable(text).run([values])[0].tolist() == [1.0] * 5
    assert executable(text).run([-values])[0].tolist() == [-1.0] * 5


@pytest.mark.parametrize("target", RUNNABLE)
@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("name", ["power", "atan2", "remainder"])
def test_pairs_of_special_values(name: str, element: str, target: str) -> None:
    dtype = "f4" if element == "f32" else "f8"
    x, y = (np.ravel(axis) for axis in np.meshgrid(*[np.array(SPECIAL, dtype)] * 2))
    tensor = f"tensor<{len(x)}x{element}>"
    text = (
        f"func.func @main(%x: {tensor}, %y: {tensor}) -> {tensor} {{\n"
        f"  %0 = stablehlo.{name} %x, %y : {tensor}\n  return %0 : {tensor}\n}}"
    )
    compiled = executable(text, RUNNABLE[target])
    (got,), (expected,) = compiled.run([x, y]), compiled.interpreted.run([x, y])
    same = np.isclose(got, expected, rtol=1e-6, atol=0, equal_nan=True)
    signs = (np.signbit(got) == np.signbit(expected)) | np.isnan(got)
    assert (same & signs).all(), list(zip(x[~same], y[~same], strict=True))


def remainders(element: str, target: str) -> CompiledExecutable:
    """The remainders of seven pairs."""
    return executable(
        f"func.func @main(%x: tensor<7x{element}>, %y: tensor<7x{element}>) -> tensor<7x{element}> "
        f"{{\n  %0 = stablehlo.remainder %x, %y : tensor<7x{element}>\n"
        f"  return %0 : tensor<7x{element}>\n}}",
        RUNNABLE[target],
    )


REMAINDERS: Final = {
    (element, target): remainders(element, target)
    for element in ("f32", "f64")
    for target in RUNNABLE
}


PAIRS: Final = {
    (name, element): executable(
        f"func.func @main(%x: tensor<7x{element}>, %y: tensor<7x{element}>) -> tensor<7x{element}> "
        f"{{\n  %0 = stablehlo.{name} %x, %y : tensor<7x{element}>\n"
        f"  return %0 : tensor<7x{element}>\n}}"
    )
    for name in ("atan2", "power")
    for element in ("f32", "f64")
}


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_pairs_anywhere(data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(list(PAIRS)))
    width, dtype = (32, "f4") if key[1] == "f32" else (64, "f8")
    numbers = st.floats(width=width) | st.floats(-8, 8, width=width)
    lists = st.lists(numbers, min_size=7, max_size=7)
    arguments = [np.array(data.draw(lists), dtype) for _ in range(2)]
    (got,) = PAIRS[key].run(arguments)
    expected = np.asarray(PAIRS[key].interpreted.run(arguments)[0])
    finite = np.isfinite(expected) & np.isfinite(got)
    one = np.where(finite, expected, 1).astype(dtype)
    error = np.abs(np.where(finite, got, 1).astype(np.longdouble) - one) / np.spacing(np.abs(one))
    assert error.max() <= 3  # two of ours, and that of NumPy's power
    assert np.array_equal(got[~finite], expected[~finite], equal_nan=True)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_remainders_are_exact(data: st.DataObject) -> None:
    element, target = key = data.draw(st.sampled_from(list(REMAINDERS)))
    numbers = st.floats(width=32 if element == "f32" else 64)
    lists = st.lists(numbers, min_size=7, max_size=7)
    x, y = (np.array(data.draw(lists), "f4" if element == "f32" else "f8") for _ in range(2))
    (got,) = REMAINDERS[key].run([x, y])
    with np.errstate(all="ignore"):
        expected = np.fmod(x, y)
    assert np.array_equal(got, expected, equal_nan=True), target
    assert np.array_equal(np.signbit(got) & ~np.isnan(x), np.signbit(expected) & ~np.isnan(x)) or (
        np.isnan(expected).any()
    )


@pytest.mark.parametrize(
    ("element", "exponent"),
    [
        *product(["i8", "i16", "i32", "i64", "ui8", "ui32", "ui64"], [None, 0, 1, 2, 3, 7]),
        *product(["i8", "i16", "i32", "i64"], [-1, -2]),
    ],
)
def test_integer_powers(element: str, exponent: int | None) -> None:
    dtype = np.dtype(f"{element.rstrip('0123456789')[0]}{int(element.strip('ui')) // 8}")
    info, random = np.iinfo(dtype), np.random.default_rng(0)
    wide = random.integers(info.min, info.max, 90, dtype, endpoint=True)
    base = np.concatenate([wide, random.integers(0, 5, 90).astype(dtype), [1, 0]]).astype(dtype)
    base[:5] = info.max if element[0] == "u" else -1
    tensor = f"tensor<{len(base)}x{element}>"
    constant = f"  %y = stablehlo.constant dense<{exponent}> : {tensor}\n"
    text = (
        f"func.func @main(%x: {tensor}{'' if exponent is not None else f', %y: {tensor}'}) -> "
        f"{tensor} {{\n{'' if exponent is None else constant}"
        f"  %0 = stablehlo.power %x, %y : {tensor}\n  return %0 : {tensor}\n}}"
    )
    compiled = executable(text)
    assert not any(isinstance(step, Request) for step in compiled.plan.steps)
    arguments = [base] if exponent is not None else [base, wide[random.integers(0, 90, len(base))]]
    (got,), (expected,) = compiled.run(arguments), compiled.interpreted.run(arguments)
    assert np.array_equal(got, expected)


@pytest.mark.parametrize("exponent", [0.0, 1.0, 2.0, 3.0, -1.0, 0.5, -0.5, 1.5, -1.5])
def test_constant_powers(exponent: float) -> None:
    values = np.array([*SPECIAL, 3.3, 1e-20, 1e20, 1e-30, 7e24, -3.0], "f4")
    tensor = f"tensor<{len(values)}xf32>"
    text = (
        f"func.func @main(%x: {tensor}) -> {tensor} {{\n"
        f"  %c = stablehlo.constant dense<{exponent:e}> : {tensor}\n"
        f"  %0 = stablehlo.power %x, %c : {tensor}\n  return %0 : {tensor}\n}}"
    )
    (got,) = executable(text).run([values])
    with np.errstate(all="ignore"):
        expected = np.power(values.astype("f8"), np.full(len(values), exponent)).astype("f4")
    same = np.isclose(got, expected, rtol=3e-7, atol=0, equal_nan=True)
    assert (same & ((np.signbit(got) == np.signbit(expected)) | np.isnan(got))).all()


def test_long_chains_compile() -> None:
    lines = [f"  %{i + 1} = stablehlo.sine %{i} : tensor<5xf64>" for i in range(40)]
    text = "\n".join(
        ["func.func @main(%0: tensor<5xf64>) -> tensor<5xf64> {", *lines,
         "  return %40 : tensor<5xf64>", "}"]
    )  # fmt: skip
    values = np.linspace(-3, 1e9, 5)
    compiled = executable(text)
    assert not any(isinstance(step, Request) for step in compiled.plan.steps)
    expected = values
    for _ in range(40):
        expected = np.sin(expected)
    np.testing.assert_allclose(compiled.run([values])[0], expected, rtol=1e-13)


@pytest.mark.skipif("sse2" not in OLDER, reason="this is no x86 processor")
@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("name", ["floor", "ceil", "round_nearest_even", "round_nearest_afz"])
def test_rounding_without_instructions(name: str, element: str) -> None:
    dtype = "f4" if element == "f32" else "f8"
    more = [0.49999997, -0.5, 1.5, 3.5, -2.5, 2.0**23 + 1, -(2.0**23) + 0.5, 1e30, -0.2]
    values = np.array([*SPECIAL, *more], dtype)
    tensor = f"tensor<{len(values)}x{element}>"
    text = (
        f"func.func @main(%x: {tensor}) -> {tensor} {{\n"
        f"  %0 = stablehlo.{name} %x : {tensor}\n  return %0 : {tensor}\n}}"
    )
    compiled = executable(text, OLDER["sse2"])
    (got,), (expected,) = compiled.run([values]), compiled.interpreted.run([values])
    integer = f"i{values.itemsize}"
    assert np.array_equal(got, expected, equal_nan=True)
    assert np.array_equal(np.signbit(got), np.signbit(np.asarray(expected)))
    assert np.asarray(got).view(integer).shape == values.shape


# Errors of 1.09 to 1.16 units where a product is rounded before it is added.
HARD_WITHOUT_FMA: Final = {
    "stablehlo.exponential": [37.77766418457031, 48.20812225341797, -16.2888240814209],
    "stablehlo.tanh": [0.9998114705085754, 0.9660156965255737, 0.9650192260742188],
    "stablehlo.logistic": [-15.639018058776855, -15.620091438293457, -5.200175],
    "chlo.erf": [1.0953996181488037, 1.0885921716690063, 0.0068509444],
}


@pytest.mark.skipif("sse2" not in OLDER, reason="this is no x86 processor")
@pytest.mark.parametrize("name", HARD_WITHOUT_FMA)
def test_singles_without_fused_multiplication(name: str) -> None:
    points = np.array(HARD_WITHOUT_FMA[name], np.float32)
    assert largest_error_on_sse2(Case(*name.split("."), "f32"), points) <= 1


@pytest.mark.skipif("avx2" not in OLDER, reason="this is no x86 processor")
@pytest.mark.parametrize("machine", OLDER)
def test_signs_of_doubles_that_are_rounded_twice(machine: str) -> None:
    text = """func.func @main(%x: tensor<f64>) -> tensor<f16> {
      %0 = stablehlo.tanh %x : tensor<f64>
      %1 = stablehlo.convert %0 : (tensor<f64>) -> tensor<f32>
      %2 = stablehlo.convert %1 : (tensor<f32>) -> tensor<f16>
      return %2 : tensor<f16>
    }"""
    compiled = executable(text, OLDER[machine])
    assert not any(isinstance(step, Request) for step in compiled.plan.steps)
    for x in (-0.5, 0.5, -0.0):
        (got,) = compiled.run([np.float64(x)])
        expected = np.float16(np.float32(np.tanh(x)))
        assert np.asarray(got).tobytes() == expected.tobytes()
