"""Whether rows depend on each other: by what a program does, and by running it."""

import re

import numpy as np
import pytest

import stablemate as sm
from stablemate.analysis.row_independence import rows_obstacle


def obstacle(text: str) -> str | None:
    """Why rows of a program may depend on each other."""
    module = sm.parse(text, name="p")
    module.verify()
    return rows_obstacle(module.ir, module.entry().operation)


def program(body: str, rows: str = "?") -> str:
    """A function of ``%x``, whose result is ``%r``."""
    kind = f"tensor<{rows}x4xf32>"
    body = re.sub(r"\bT\b", kind, body)
    return f"func.func @main(%x: {kind}) -> {kind} {{\n{body}\nreturn %r : {kind}\n}}"


INDEPENDENT = {
    "elementwise": "%r = stablehlo.tanh %x : T",
    "product": "%w = stablehlo.constant dense<2.0> : tensor<4x4xf32>\n"
    "%r = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] "
    ": (T, tensor<4x4xf32>) -> T",
    "features reversed": "%r = stablehlo.reverse %x, dims = [1] : T",
    "there and back": "%t = stablehlo.transpose %x, dims = [1, 0] : (T) -> tensor<4x8xf32>\n"
    "%r = stablehlo.transpose %t, dims = [1, 0] : (tensor<4x8xf32>) -> T",
    "merged": "%f = stablehlo.reshape %x : (T) -> tensor<32xf32>\n"
    "%n = stablehlo.negate %f : tensor<32xf32>\n"
    "%r = stablehlo.reshape %n : (tensor<32xf32>) -> T",
    "features numbered": "%i = stablehlo.iota dim = 1 : T\n%r = stablehlo.add %i, %x : T",
    "sum of a row": "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "%s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] "
    ": (T, tensor<f32>) -> tensor<8xf32>\n"
    "%r = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<8xf32>) -> T",
}  # fmt: skip
STATIC = ("there and back", "merged", "features numbered", "sum of a row")
DEPENDENT = {
    "reverse": ("%r = stablehlo.reverse %x, dims = [0] : T", "stablehlo.reverse at p:2:6"),
    "rows numbered": (
        "%i = stablehlo.iota dim = 0 : T\n%r = stablehlo.add %i, %x : T", "stablehlo.add at p:3:6",
    ),
    "sum of a column": (
        "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
        "%s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] "
        ": (T, tensor<f32>) -> tensor<4xf32>\n"
        "%r = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<4xf32>) -> T",
        "stablehlo.reduce at p:3:6",
    ),
    "one row written": (
        "%z = stablehlo.constant dense<0> : tensor<i32>\n"
        "%u = stablehlo.constant dense<0.0> : tensor<1x4xf32>\n"
        "%r = stablehlo.dynamic_update_slice %x, %u, %z, %z : "
        "(T, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> T",
        "stablehlo.dynamic_update_slice at p:4:6",
    ),
    "rows and features": (
        "%f = stablehlo.reshape %x : (T) -> tensor<4x8xf32>\n"
        "%r = stablehlo.reshape %f : (tensor<4x8xf32>) -> T",
        "stablehlo.reshape at p:2:6",
    ),
    "different rows": (
        '%c = stablehlo.constant dense<"0x' + "".join(f"{i:08x}" for i in range(32)) + '"> : T\n'
        "%r = stablehlo.add %c, %x : T", "stablehlo.add at p:3:6",
    ),
    "loop": (
        "%z = stablehlo.constant dense<0> : tensor<i32>\n"
        "%r, %n = stablehlo.while(%a = %x, %i = %z) : T, tensor<i32>\n"
        "cond { %c = stablehlo.compare LT, %i, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "stablehlo.return %c : tensor<i1> } do { stablehlo.return %a, %i : T, tensor<i32> }",
        "stablehlo.while at p:3:10",
    ),
    "random": (
        "%a = stablehlo.constant dense<0.0> : tensor<f32>\n"
        "%s = stablehlo.constant dense<[8, 4]> : tensor<2xi64>\n"
        "%u = stablehlo.rng %a, %a, %s, distribution = UNIFORM "
        ": (tensor<f32>, tensor<f32>, tensor<2xi64>) -> T\n%r = stablehlo.add %u, %x : T",
        "stablehlo.add at p:5:6",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", INDEPENDENT)
def test_rows_are_independent(name: str) -> None:
    text = program(INDEPENDENT[name], "8" if name in STATIC else "?")
    assert obstacle(text) is None
    x = np.random.default_rng(0).standard_normal((8, 4)).astype(np.float32)
    other = x.copy()
    other[1:] += 1
    module = sm.parse(text)
    assert np.array_equal(module.run(x)[0], module.run(other)[0])


@pytest.mark.parametrize("name", DEPENDENT)
def test_rows_may_depend_on_each_other(name: str) -> None:
    body, place = DEPENDENT[name]
    assert obstacle(program(body, "8")) == f"{place} may join rows"


def test_a_value_may_depend_on_the_number_of_rows() -> None:
    text = program(
        "%n = stablehlo.get_dimension_size %x, dim = 0 : (T) -> tensor<i32>\n"
        "%f = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>\n"
        "%m = chlo.broadcast_multiply %x, %f : (T, tensor<f32>) -> T\n"
        "%r = stablehlo.negate %m : T"
    )
    assert obstacle(text) == "a constant depends on the number of rows"


def test_arguments_and_results_have_rows() -> None:
    expected = "the first dimensions of arguments and results are no rows"
    for kinds in (("f32", "f32"), ("2xf32", "3xf32")):
        a, b = (f"tensor<{kind}>" for kind in kinds)
        text = f"func.func @main(%x: {a}, %y: {b}) -> {a} {{ return %x : {a} }}"
        assert obstacle(text) == expected
