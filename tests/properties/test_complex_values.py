"""Zeros, infinities and NaN of complex functions: native code, interpreter, and upstream agree.

``docs/conformance.toml`` lists where the upstream interpreter has another value.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from tests.oracle.client import Oracle
from tests.oracle.elements import Array
from tools.accuracy.exact import CHLO

UNARY: Final = (
    *("abs", "cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one"),
    *("logistic", "negate", "rsqrt", "sign", "sine", "sqrt", "tan", "tanh"),
)
BINARY: Final = ("add", "multiply", "power", "subtract")
INVERSE: Final = ("acos", "acosh", "asin", "asinh")
PARTS: Final = (0.0, 0.5, 1.0, 2.5, 30.0, np.inf)
TYPES: Final = {"complex<f32>": np.complex64, "complex<f64>": np.complex128}
INFINITY, NAN = np.inf, np.nan
# Of infinity + NaN i and of NaN + infinity i, by C23, Annex G; signs that it leaves open are those
# of a positive NaN.
FAR: Final = {
    "acos": ((NAN, -INFINITY), (NAN, -INFINITY)),
    "acosh": ((INFINITY, NAN), (INFINITY, NAN)),
    "asin": ((NAN, INFINITY), (NAN, INFINITY)),
    "asinh": ((INFINITY, NAN), (INFINITY, NAN)),
    "atan": ((np.pi / 2, 0.0), (NAN, 0.0)),
    "atanh": ((0.0, NAN), (0.0, np.pi / 2)),
}


def nowhere(a: Array, _: Array) -> Array:
    """No operand."""
    return np.zeros(a.shape, bool)


# Where the upstream interpreter differs, by docs/conformance.toml: it adds 1 + 0i first, and so
# loses a -0; XLA has NaN in both parts of the others.
LISTED: Final[dict[str, Callable[[Array, Array], Array]]] = {
    "log_plus_one": lambda _, b: (b == 0) & np.signbit(b),
    "exponential_minus_one": lambda a, b: np.isinf(a) & ~np.isfinite(b),
    "tanh": lambda a, b: (a == 0) & ~np.isfinite(b),
    "tan": lambda a, b: (b == 0) & ~np.isfinite(a),
}


def numbers(dtype: Any) -> Array:
    """Complex numbers whose parts are zeros, infinities, NaN and numbers, of both signs."""
    parts = np.array([sign * part for part in PARTS for sign in (1, -1)] + [np.nan])
    real, imag = (axis.ravel() for axis in np.meshgrid(parts, parts, indexing="ij"))
    result = np.empty(real.size, dtype)
    result.real, result.imag = real, imag
    return result


def program(names: Sequence[str], element: str, size: int, operands: int) -> str:
    """A function that applies operations to the same operands."""
    tensor = f"tensor<{size}x{element}>"
    part = f"tensor<{size}x{element.removeprefix('complex<').removesuffix('>')}>"
    arguments = ["%a", "%b"][:operands]
    results = [part if name == "abs" else tensor for name in names]
    lines = [
        f'  %{i} = "{"chlo" if name in CHLO else "stablehlo"}.{name}"({", ".join(arguments)}) : '
        f"({', '.join([tensor] * operands)}) -> {result}"
        for i, (name, result) in enumerate(zip(names, results, strict=True))
    ]
    values = ", ".join(f"%{i}" for i in range(len(names)))
    return (
        f"func.func @main({', '.join(f'{name}: {tensor}' for name in arguments)}) -> "
        f"({', '.join(results)}) {{\n" + "\n".join(lines) + "\n"
        f"  return {values} : {', '.join(results)}\n}}\n"
    )


def kinds(result: Array) -> Array:
    """The class of each part: NaN, or its sign and whether it is zero, finite or infinite."""
    parts = [result.real, result.imag] if result.dtype.kind == "c" else [result]
    classes = [
        np.where(
            np.isnan(part),
            9,
            np.where(np.signbit(part), -1, 1) * (1 + (part != 0) + np.isinf(part)),
        )
        for part in parts
    ]
    return np.stack(classes, -1)


def run_here(text: str, *operands: Array) -> tuple[list[Array], list[Array]]:
    """The results of the interpreter and of native code."""
    module = sm.load(text)
    own: Any = module.run(*operands, backend="interpreter")
    native: Any = module.run(*operands)
    return list(own), list(native)


@pytest.mark.standard
@pytest.mark.parametrize("element", TYPES)
def test_functions_of_one_number(element: str, oracle: Oracle) -> None:
    operand = numbers(TYPES[element])
    text = program(UNARY, element, operand.size, 1)
    own, native = run_here(text, operand)
    theirs = oracle.reference(text, operand)
    for name, ours, compiled, expected in zip(UNARY, own, native, theirs, strict=True):
        np.testing.assert_array_equal(kinds(ours), kinds(compiled), name)
        is_listed = LISTED.get(name, nowhere)(operand.real, operand.imag)
        np.testing.assert_array_equal(kinds(ours)[~is_listed], kinds(expected)[~is_listed], name)


@pytest.mark.standard
@pytest.mark.parametrize("element", TYPES)
def test_functions_of_two_numbers(element: str, oracle: Oracle) -> None:
    every = numbers(TYPES[element])
    some = every[np.isin(np.abs(every.real), (0, 2.5, INFINITY)) | np.isnan(every.real)]
    operands = [np.repeat(some, every.size), np.tile(every, some.size)]
    text = program(BINARY, element, operands[0].size, 2)
    own, native = run_here(text, *operands)
    theirs = oracle.reference(text, *operands)
    for name, ours, compiled, expected in zip(BINARY, own, native, theirs, strict=True):
        np.testing.assert_array_equal(kinds(ours), kinds(compiled), name)
        if name != "power":
            np.testing.assert_array_equal(kinds(ours), kinds(expected), name)


@pytest.mark.parametrize("element", TYPES)
def test_inverse_functions_of_an_infinity_and_nan(element: str, oracle: Oracle) -> None:
    names = tuple(FAR)
    operand = np.array([complex(INFINITY, NAN), complex(NAN, INFINITY)], TYPES[element])
    text = program(names, element, operand.size, 1)
    own, native = run_here(text, operand)
    for name, ours, compiled, theirs in zip(
        names, own, native, oracle.reference(text, operand), strict=True
    ):
        np.testing.assert_array_equal(kinds(ours), kinds(compiled), name)
        if name in INVERSE:
            np.testing.assert_array_equal(kinds(ours), kinds(theirs), name)
        np.testing.assert_allclose(np.stack([ours.real, ours.imag], -1), FAR[name], 1e-6)


@pytest.mark.parametrize("element", TYPES)
def test_powers_on_the_axes_are_exact(element: str) -> None:
    base = np.array([2j, -2j, 2j, -2, 0.5j], TYPES[element])
    exponent = np.array([100, 3, -2, 5, 100], TYPES[element])
    own, native = run_here(program(("power", "power"), element, 5, 2), base, exponent)
    expected = np.array([2.0**100, 8j, -0.25, -32, 2.0**-100])
    for result in (own[0], native[0]):
        np.testing.assert_array_equal(result, expected)


# Of the parts of both operands, all combinations.
EDGES: Final = (0.0, 1.0, INFINITY)
# Whether the C++ code of the upstream interpreter fuses products and sums of complex quotients:
# where they cancel or underflow it has zeros of another sign, or tiny numbers, on this machine.
IS_FUSED: Final = platform.machine() in ("aarch64", "arm64")
SIZES: Final = {"complex<f32>": (1e-30, 1e30), "complex<f64>": (1e-200, 1e200)}


def edge_pairs(element: str) -> list[Array]:
    """Two operands: zeros, ones, infinities, tiny and huge numbers of both signs, NaN."""
    parts = [sign * part for part in (*EDGES, *SIZES[element]) for sign in (1.0, -1.0)]
    grid = np.array(list(product((*parts, NAN), repeat=4))).T
    operands = [np.empty(grid.shape[1], TYPES[element]) for _ in range(2)]
    for operand, (real, imag) in zip(operands, (grid[:2], grid[2:]), strict=True):
        operand.real, operand.imag = real, imag
    return operands


@pytest.mark.parametrize("element", TYPES)
def test_quotients_have_the_zeros_infinities_and_nan_of_the_reference(
    element: str, oracle: Oracle
) -> None:
    operands = edge_pairs(element)
    text = program(("divide",), element, operands[0].size, 2)
    module = sm.load(text)
    expected = kinds(oracle.reference(text, *operands)[0])
    own = kinds(np.asarray(module.run(*operands, backend="interpreter")))
    native = kinds(np.asarray(module.run(*operands)))
    np.testing.assert_array_equal(native, own)
    if IS_FUSED:
        is_plain = [np.isfinite(operand) & (operand != 0) for operand in operands]
        is_open = (is_plain[0] & is_plain[1])[:, None] & (np.abs(own) == 1)
        assert is_open.mean() < 0.1
        own, expected = own[~is_open], expected[~is_open]
    np.testing.assert_array_equal(own, expected)


def test_quotients_near_the_end_of_the_range() -> None:
    top = np.finfo(np.float64).max
    x = np.array([complex(top, top), complex(top, -top), complex(1, 1), complex(top, 5e-324)])
    y = np.array([complex(top, top), complex(top, top), complex(top, top), complex(2, 0)])
    expected = np.array([1, -1j, 1 / top, complex(top / 2, 0)])
    for result in run_here(program(("divide", "divide"), "complex<f64>", 4, 2), x, y):
        np.testing.assert_allclose(result[0], expected, rtol=1e-15)


def test_angles_have_the_zeros_of_the_reference(oracle: Oracle) -> None:
    operands = edge_pairs("complex<f64>")
    text = program(("atan2",), "complex<f64>", operands[0].size, 2)
    result = kinds(np.asarray(sm.run(text, *operands)))
    expected = kinds(oracle.reference(text, *operands)[0])
    both_zero = (np.abs(result) == 1) & (np.abs(expected) == 1)
    assert both_zero.sum() > 300
    np.testing.assert_array_equal(result[both_zero], expected[both_zero])


@pytest.mark.standard
@pytest.mark.parametrize("element", TYPES)
def test_angles_have_the_same_zeros_infinities_and_nan_natively(element: str) -> None:
    operands = edge_pairs(element)
    own, native = run_here(program(("atan2", "atan2"), element, operands[0].size, 2), *operands)
    np.testing.assert_array_equal(kinds(own[0]), kinds(native[0]))


@pytest.mark.standard
def test_angles_at_branch_points_and_on_the_cut(oracle: Oracle) -> None:
    parts = (0.0, 0.5, 1.0, 2.5, INFINITY)
    grid = np.array(list(product((*parts, *(-part for part in parts), NAN), repeat=4))).T
    operands = [np.empty(grid.shape[1], np.complex64) for _ in range(2)]
    for operand, (real, imag) in zip(operands, (grid[:2], grid[2:]), strict=True):
        operand.real, operand.imag = real, imag
    own, native = run_here(program(("atan2", "atan2"), "complex<f32>", grid.shape[1], 2), *operands)
    np.testing.assert_array_equal(kinds(own[0]), kinds(native[0]))
    x, y = operands
    finite = np.isfinite(grid).all(0) & (grid != 0).all(0)
    with np.errstate(invalid="ignore"):
        is_pole = finite & ((y == -1j * x) | (y == 1j * x))
        is_turned = finite & (grid[0] * grid[2] == -grid[1] * grid[3]) & ~is_pole
    chosen = is_pole | is_turned
    some = [np.ascontiguousarray(operand[chosen]) for operand in operands]
    text = program(("atan2",), "complex<f32>", int(chosen.sum()), 2)
    expected = kinds(oracle.reference(text, *some)[0])
    assert is_pole.sum() > 50
    assert is_turned.sum() > 40
    np.testing.assert_array_equal(kinds(native[0])[chosen], expected)


def test_powers_on_diagonals_are_exact() -> None:
    base = np.array([1 + 1j, 1 - 1j, 1 + 1j, 1 + 1j, 1 - 1j, -2 + 2j])
    exponent = np.array([2, 6, 4, -4, 4, 3], complex)
    expected = np.array([2j, 8j, complex(-4, 0), complex(-0.25, -0.0), complex(-4, -0.0), 16 + 16j])
    for element, dtype in TYPES.items():
        text = program(("power", "power"), element, base.size, 2)
        for result in run_here(text, base.astype(dtype), exponent.astype(dtype)):
            np.testing.assert_array_equal(result[0], expected)
            np.testing.assert_array_equal(np.signbit(result[0].real), np.signbit(expected.real))
            np.testing.assert_array_equal(np.signbit(result[0].imag), np.signbit(expected.imag))


@pytest.mark.parametrize("element", TYPES)
def test_powers_whose_angle_is_zero_have_its_sign(element: str, oracle: Oracle) -> None:
    tiny = SIZES[element][0]
    base = np.array([complex(tiny, 1), -1j, complex(0, 1), 1, complex(1, -0.0), -INFINITY + 1j])
    exponent = np.array([complex(-0.0, -tiny), complex(-0.0, -tiny), complex(0, tiny)] + [0j] * 3)
    exponent[3:5], exponent[5] = -tiny * 1j, 1
    operands = [base.astype(TYPES[element]), exponent.astype(TYPES[element])]
    text = program(("power", "power"), element, base.size, 2)
    own, native = run_here(text, *operands)
    expected = kinds(oracle.reference(text, *operands)[0])
    np.testing.assert_array_equal(kinds(own[0]), expected)
    np.testing.assert_array_equal(kinds(native[0]), expected)
