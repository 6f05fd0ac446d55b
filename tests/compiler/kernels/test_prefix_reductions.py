"""Windows that are prefixes or suffixes: one pass gives what reducing each window gives."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from tests.compiler.dynamic.test_data_indices import agrees, numbers

BODIES = {
    "add": "%r = stablehlo.add %a, %b : tensor<{type}>",
    "maximum": "%r = stablehlo.maximum %a, %b : tensor<{type}>",
    "xor": "%r = stablehlo.xor %a, %b : tensor<{type}>",
    "horner": """%t = stablehlo.add %a, %a : tensor<{type}>
    %r = stablehlo.add %t, %b : tensor<{type}>""",
    "logaddexp": """%m = stablehlo.maximum %a, %b : tensor<{type}>
    %d = stablehlo.subtract %a, %b : tensor<{type}>
    %nan = stablehlo.compare NE, %d, %d : (tensor<{type}>, tensor<{type}>) -> tensor<i1>
    %s = stablehlo.add %a, %b : tensor<{type}>
    %e = stablehlo.abs %d : tensor<{type}>
    %n = stablehlo.negate %e : tensor<{type}>
    %p = stablehlo.exponential %n : tensor<{type}>
    %l = stablehlo.log_plus_one %p : tensor<{type}>
    %t = stablehlo.add %m, %l : tensor<{type}>
    %r = stablehlo.select %nan, %s, %t : tensor<i1>, tensor<{type}>""",
}
MINUS_INFINITY = "0xFF800000"
PROGRAM = """
func.func @main(%x: tensor<{shape}x{type}>) -> tensor<{result}x{type}> {{
  %init = stablehlo.constant dense<{init}> : tensor<{type}>
  %0 = "stablehlo.reduce_window"(%x, %init) <{{
    window_dimensions = array<i64: {sizes}>,
    padding = dense<[{padding}]> : tensor<{rank}x2xi64>}}> ({{
  ^bb0(%a: tensor<{type}>, %b: tensor<{type}>):
    {body}
    stablehlo.return %r : tensor<{type}>
  }}) : (tensor<{shape}x{type}>, tensor<{type}>) -> tensor<{result}x{type}>
  return %0 : tensor<{result}x{type}>
}}"""
SHAPES = [((9,), 0), ((1, 40), 1), ((21, 33), 0), ((21, 33), 1), ((3, 5, 17), 1), ((2, 5, 19), 2)]


def program(
    body: str, element: str, init: str, shape: tuple[int, ...], dimension: int,
    size: int, padding: tuple[int, int],
) -> str:  # fmt: skip
    """Windows of a size along a dimension, with padding before and after."""
    sizes, ends, result = [1] * len(shape), [[0, 0] for _ in shape], list(shape)
    sizes[dimension], ends[dimension] = size, list(padding)
    result[dimension] += sum(padding) - size + 1
    return PROGRAM.format(
        shape="x".join(map(str, shape)), result="x".join(map(str, result)), type=element,
        init=init, sizes=", ".join(map(str, sizes)), rank=len(shape),
        padding=", ".join(map(str, ends)), body=BODIES[body].format(type=element),
    )  # fmt: skip


def passes(compiled: CompiledExecutable) -> bool:
    """Whether the windows are reduced by one pass: no kernel copies them with their padding."""
    return "_pad" not in compiled.emit("nest")


@pytest.mark.parametrize(("shape", "dimension"), SHAPES)
@pytest.mark.parametrize("kind", ["prefix", "suffix", "prefix before", "suffix after", "longer"])
@pytest.mark.parametrize(
    ("body", "init"), [("add", "0"), ("maximum", "2"), ("xor", "0"), ("horner", "0")]
)
def test_integers(shape: tuple[int, ...], dimension: int, kind: str, body: str, init: str) -> None:
    n = shape[dimension]
    size, padding = {
        "prefix": (n, (n - 1, 0)),
        "suffix": (n, (0, n - 1)),
        "prefix before": (n, (n, -1)),
        "suffix after": (n, (-1, n)),
        "longer": (n + 3, (n + 2, 0)),
    }[kind]
    text = program(body, "i32", init, shape, dimension, size, padding)
    agrees(text, numbers(n, shape, "int32"))


@pytest.mark.parametrize(("shape", "dimension"), SHAPES)
def test_prefixes_of_floats_have_the_bits_of_the_interpreter(
    shape: tuple[int, ...], dimension: int
) -> None:
    n = shape[dimension]
    text = program("horner", "f32", "0.0", shape, dimension, n, (n - 1, 0))
    assert passes(agrees(text, np.random.default_rng(n).standard_normal(shape).astype("f4")))


@pytest.mark.parametrize(("shape", "dimension"), SHAPES)
@pytest.mark.parametrize("suffix", [False, True])
def test_log_add_exp(shape: tuple[int, ...], dimension: int, suffix: bool) -> None:
    n = shape[dimension]
    padding = (0, n - 1) if suffix else (n - 1, 0)
    text = program("logaddexp", "f32", MINUS_INFINITY, shape, dimension, n, padding)
    x = np.random.default_rng(n).standard_normal(shape).astype("f4")
    turned = np.flip(x, dimension) if suffix else x
    expected = np.logaddexp.accumulate(turned.astype("f8"), axis=dimension)
    expected = np.flip(expected, dimension) if suffix else expected
    np.testing.assert_allclose(np.asarray(sm.run(text, x)), expected, 4e-6, 4e-6)


@pytest.mark.parametrize("kind", ["prefix", "suffix"])
def test_log_add_exp_of_rare_values(kind: str) -> None:
    x = np.array(
        [[-np.inf, 1, 2, -np.inf], [1, np.inf, 3, 4], [1, np.nan, 2, 0], [0, np.inf, -np.inf, 1]],
        np.float32,
    )
    padding = {"prefix": (3, 0), "suffix": (0, 3)}[kind]
    text = program("logaddexp", "f32", MINUS_INFINITY, (4, 4), 1, 4, padding)
    ordered = x if kind == "prefix" else x[:, ::-1]
    with np.errstate(all="ignore"):
        expected = np.logaddexp.accumulate(ordered.astype("f8"), axis=1).astype("f4")
    expected = expected if kind == "prefix" else expected[:, ::-1]
    np.testing.assert_allclose(np.asarray(sm.run(text, x)), expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("body", "init", "padding"),
    [
        ("horner", "1.0", (7, 0)),  # the initial values combined with themselves are 3.0
        ("horner", "0.0", (0, 7)),  # may not be reordered
        ("add", "0.5", (0, 7)),  # no unit: padding at the end changes a sum
    ],
)
def test_other_windows_are_reduced_one_by_one(
    body: str, init: str, padding: tuple[int, int]
) -> None:
    text = program(body, "f32", init, (4, 8), 1, 8, padding)
    x = np.random.default_rng(3).standard_normal((4, 8)).astype("f4")
    assert not passes(agrees(text, x))
