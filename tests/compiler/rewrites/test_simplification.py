"""Simplification: fewer operations, the same bits."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.config.target import host
from stablemate.compiler.graph.graph import Graph
from stablemate.interpreter.executable import InterpretedExecutable
from tests.compiler.plans import compilation
from tests.compiler.result_comparison import same_bits


def graph(text: str) -> Graph:
    """The simplified graph of a program."""
    executable = sm.load(text).executable(backend="interpreter")
    assert isinstance(executable, InterpretedExecutable)
    return compilation(executable.functions, "main", host()).graph


def names(text: str) -> list[str]:
    """What is left of a program."""
    return [node.operation.name.removeprefix("stablehlo.") for node in graph(text).nodes]


def program(body: str, element: str = "i32", other: str = "") -> str:
    """A function of a 3x3 tensor, which the body calls x, to one that it calls y."""
    x = f"tensor<3x3x{element}>"
    y = f"tensor<3x3x{other or element}>"
    body = body.replace("T", x).replace("U", y).replace("S", f"tensor<{element}>")
    return f"func.func @main(%x: {x}) -> {y} {{\n{body}\nreturn %y : {y} }}"


ZERO = "%k = stablehlo.constant dense<0> : T\n"
ONE = "%k = stablehlo.constant dense<1> : T\n"


@pytest.mark.parametrize(
    "body",
    [
        ZERO + "%y = stablehlo.add %x, %k : T",
        ZERO + "%y = stablehlo.subtract %x, %k : T",
        ZERO + "%y = stablehlo.or %k, %x : T",
        ZERO + "%y = stablehlo.xor %x, %k : T",
        ZERO + "%y = stablehlo.shift_left %x, %k : T",
        ONE + "%y = stablehlo.multiply %k, %x : T",
        ONE + "%y = stablehlo.divide %x, %k : T",
        "%y = stablehlo.and %x, %x : T",
        "%y = stablehlo.maximum %x, %x : T",
        "%n = stablehlo.not %x : T\n%y = stablehlo.not %n : T",
        "%n = stablehlo.negate %x : T\n%y = stablehlo.negate %n : T",
        "%y = stablehlo.transpose %x, dims = [0, 1] : (T) -> T",
        "%y = stablehlo.reshape %x : (T) -> T",
        "%y = stablehlo.convert %x : (T) -> T",
        "%y = stablehlo.slice %x [0:3, 0:3] : (T) -> T",
        "%y = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (T) -> T",
        "%y = stablehlo.concatenate %x, dim = 0 : (T) -> T",
        "%k = stablehlo.constant dense<7> : S\n"
        "%y = stablehlo.pad %x, %k, low = [0, 0], high = [0, 0], interior = [0, 0]"
        " : (T, S) -> T",
        "%p = stablehlo.constant dense<true> : tensor<i1>\n%n = stablehlo.not %x : T\n"
        "%y = stablehlo.select %p, %x, %n : tensor<i1>, T",
    ],
)
def test_what_an_operation_is_made_of(body: str) -> None:
    text = program(body)
    simplified = graph(text)
    assert simplified.results == simplified.arguments
    assert not simplified.nodes
    same_bits(text, np.arange(-4, 5, dtype=np.int32).reshape(3, 3))


@pytest.mark.parametrize(
    "body",
    [
        "%y = stablehlo.transpose %x, dims = [1, 0] : (T) -> T",
        "%y = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (T) -> T",
        "%k = stablehlo.constant dense<0.0> : T\n%y = stablehlo.add %x, %k : T",
        "%k = stablehlo.constant dense<0.0> : T\n%y = stablehlo.multiply %x, %k : T",
        "%k = stablehlo.constant dense<7.0> : S\n"
        "%y = stablehlo.pad %x, %k, low = [1, 0], high = [-1, 0], interior = [0, 0]"
        " : (T, S) -> T",
        "%y = stablehlo.reverse %x, dims = [0] : T",
    ],
)
def test_what_only_looks_as_if_it_changed_nothing(body: str) -> None:
    text = program(body, "f32")
    assert graph(text).results != graph(text).arguments
    x = np.array([[-0.0, 0.0, np.nan], [np.inf, 1, 2], [3, -4, -np.inf]], np.float32)
    same_bits(text, x)


def test_small_integers_are_evaluated() -> None:
    text = program(
        """%a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
        %b = stablehlo.constant dense<5> : tensor<3xi32>
        %c = stablehlo.multiply %a, %b : tensor<3xi32>
        %d = stablehlo.slice %c [1:2] : (tensor<3xi32>) -> tensor<1xi32>
        %e = stablehlo.reshape %d : (tensor<1xi32>) -> tensor<i32>
        %f = stablehlo.broadcast_in_dim %e, dims = [] : (tensor<i32>) -> T
        %y = stablehlo.add %x, %f : T"""
    )
    assert names(text) == ["constant", "add"]
    same_bits(text, np.arange(9, dtype=np.int32).reshape(3, 3))


def test_a_fold_that_fails_is_left_to_the_run() -> None:
    text = program(
        """%a = stablehlo.constant dense<1> : tensor<i32>
        %b = stablehlo.constant dense<0> : tensor<i32>
        %c = stablehlo.divide %a, %b : tensor<i32>
        %f = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> T
        %y = stablehlo.add %x, %f : T"""
    )
    same_bits(text, np.arange(9, dtype=np.int32).reshape(3, 3))


def test_equal_products_are_computed_once_and_unused_ones_never() -> None:
    dot = "= stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (T, T) -> T\n"
    text = program(
        f"%a {dot}%b {dot}%c = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0]"
        " : (T, T) -> T\n%y = stablehlo.subtract %a, %b : T",
        "f32",
    )
    assert names(text) == ["dot_general", "subtract"]
    same_bits(text, np.eye(3, dtype=np.float32))


def test_effects_and_loops_stay() -> None:
    text = program(
        """%s = stablehlo.while(%i = %x) : T cond {
          %t = stablehlo.constant dense<false> : tensor<i1>
          stablehlo.return %t : tensor<i1>
        } do { stablehlo.return %i : T }
        check.expect_eq %x, %x : T
        %y = stablehlo.add %x, %x : T"""
    )
    assert names(text) == ["while", "check.expect_eq", "add"]


def test_loops_compute_the_splats_that_they_read() -> None:
    text = program(
        """%n = stablehlo.constant dense<1.5> : S
        %k = stablehlo.broadcast_in_dim %n, dims = [] : (S) -> T
        %i = stablehlo.constant dense<0> : tensor<i32>
        %y, %e = stablehlo.while(%v = %x, %j = %i) : T, tensor<i32> cond {
          %l = stablehlo.constant dense<3> : tensor<i32>
          %p = stablehlo.compare NE, %j, %l : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        } do {
          %o = stablehlo.constant dense<1> : tensor<i32>
          %m = stablehlo.add %j, %o : tensor<i32>
          %w = stablehlo.multiply %v, %k : T
          stablehlo.return %w, %m : T, tensor<i32>
        }""",
        "f32",
    )
    assert "broadcast_in_dim" not in names(text)
    same_bits(text, np.eye(3, dtype=np.float32))
