"""Shape computations that fail: each error names the operation and its operands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablemate as sm

F32 = np.zeros((2, 3), np.float32)


def program(body: str, parameters: str) -> str:
    """A function without results, so that native code computes nothing."""
    return f"func.func @main({parameters}) {{\n{body}\nreturn\n}}"


def error(body: str, *arguments: Any, parameters: str = "", kind: Any = sm.EvaluationError) -> str:
    """The first line of the error of a function, after the position."""
    with pytest.raises(kind) as caught:
        sm.run(program(body, parameters), *arguments, backend="interpreter")
    return str(caught.value).splitlines()[0].partition("error: ")[2]


def values(body: str, *arguments: Any, parameters: str = "") -> dict[str, object]:
    """The facts of the error of a function."""
    with pytest.raises(sm.EvaluationError) as caught:
        sm.run(program(body, parameters), *arguments, backend="interpreter")
    return {name: str(value) for name, value in caught.value.diagnostics[0].values.items()}


# ---- arith


@pytest.mark.parametrize(
    "op", ["divsi", "divui", "ceildivsi", "ceildivui", "floordivsi", "remsi", "remui"]
)
@pytest.mark.parametrize("element", ["i1", "i4", "i32", "index"])
def test_division_by_zero(op: str, element: str) -> None:
    body = f"""
      %a = arith.constant dense<1> : tensor<2x{element}>
      %b = arith.constant dense<[1, 0]> : tensor<2x{element}>
      %0 = arith.{op} %a, %b : tensor<2x{element}>"""
    if element == "i1":
        body = body.replace("dense<1>", "dense<true>").replace("[1, 0]", "[true, false]")
    assert error(body) == f"arith.{op}: rhs is not zero"


def test_division_of_scalars_by_zero() -> None:
    body = "%0 = arith.divsi %a, %b : i32"
    arguments = np.int32(7), np.int32(0)
    assert values(body, *arguments, parameters="%a: i32, %b: i32") == {"lhs": "7", "rhs": "0"}


def test_operands_of_different_shapes() -> None:
    body = "%0 = arith.addf %a, %b : tensor<?xf32>"
    arguments = np.zeros(2, np.float32), np.zeros(1, np.float32)
    parameters = "%a: tensor<?xf32>, %b: tensor<?xf32>"
    facts = values(body, *arguments, parameters=parameters)
    assert facts == {"operands": "[tensor<2xf32>, tensor<1xf32>]"}


@pytest.mark.parametrize(
    "body",
    [
        "%0 = arith.addf %x, %x toward_zero : f32",
        "%0 = arith.truncf %x upward : f32 to f16",
        "%0 = arith.constant 1 : i7",
        "%c = arith.constant 1 : i7\n%0 = arith.addi %c, %c : i7",
        "%0 = arith.extf %x : f32 to f80",
    ],
)
def test_what_cannot_be_computed_is_reported(body: str) -> None:
    message = error(body, np.float32(1), parameters="%x: f32", kind=sm.UnsupportedError)
    assert "only to_nearest_even" in message or "no array holds elements of type" in message


# ---- tensor


def test_a_missing_dimension() -> None:
    body = """
      %c = arith.constant 2 : index
      %0 = tensor.dim %a, %c : tensor<?x3xf32>"""
    parameters = "%a: tensor<?x3xf32>"
    assert error(body, F32, parameters=parameters) == "tensor.dim: 0 <= index < rank(source)"
    assert values(body, F32, parameters=parameters) == {"index": "2", "source": "[2, 3]"}


@pytest.mark.parametrize("index", [-1, 2])
def test_a_missing_element(index: int) -> None:
    body = f"""
      %c = arith.constant {index} : index
      %d = arith.constant 0 : index
      %0 = tensor.extract %a[%c, %d] : tensor<2x3xf32>"""
    assert values(body, F32, parameters="%a: tensor<2x3xf32>") == {
        "indices": f"[{index}, 0]",
        "tensor": "[2, 3]",
    }


def test_a_cast_to_another_size() -> None:
    body = "%0 = tensor.cast %a : tensor<?x3xf32> to tensor<4x?xf32>"
    assert error(body, F32, parameters="%a: tensor<?x3xf32>").startswith("tensor.cast types: ")


def test_a_negative_size() -> None:
    body = """
      %c = arith.constant -3 : index
      %0 = tensor.empty(%c) : tensor<?xf32>"""
    assert error(body) == "tensor.empty dynamicSizes: 0 <= dynamicSizes"


# ---- shape

SHAPES = """
  %s = shape.const_shape [2, 3] : tensor<2xindex>
  %t = shape.const_shape [3, 3] : tensor<2xindex>
  %invalid = shape.const_shape [2] : !shape.shape
  %u = shape.broadcast %invalid, %t : !shape.shape, tensor<2xindex> -> !shape.shape
"""


@pytest.mark.parametrize("op", ["cstr_broadcastable", "cstr_eq"])
def test_shapes_that_do_not_fit(op: str) -> None:
    body = f"{SHAPES} %0 = shape.{op} %s, %t : tensor<2xindex>, tensor<2xindex>"
    assert error(body).startswith(f"shape.{op}: the shapes ")
    assert values(body) == {"shapes": "[[2, 3], [3, 3]]"}


def test_a_broadcast_without_result() -> None:
    broadcast = "shape.broadcast %s, %t : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex>"
    expected = "shape.broadcast: shapes [2, 3], [3, 3] cannot be broadcast to one"
    assert error(f"{SHAPES} %0 = {broadcast}") == expected
    explained = broadcast.replace(" : ", ' {error = "why"} : ', 1)
    message = error(f"{SHAPES} %0 = {explained}")
    assert message == "shape.broadcast: why: shapes [2, 3], [3, 3] cannot be broadcast to one"


@pytest.mark.parametrize(
    "body",
    [
        "%0 = shape.to_extent_tensor %u : !shape.shape -> tensor<?xindex>",
        "%n = shape.num_elements %u : !shape.shape -> !shape.size\n"
        "%0 = shape.size_to_index %n : !shape.size",
        "%n = shape.rank %u : !shape.shape -> !shape.size\n"
        "%m = shape.mul %n, %n : !shape.size, !shape.size -> !shape.size\n"
        "%0 = shape.size_to_index %m : !shape.size",
        "%c = shape.const_size 1\n%0 = shape.reduce(%u, %c) : !shape.shape -> !shape.size {\n"
        "^bb0(%i: index, %d: !shape.size, %a: !shape.size): shape.yield %a : !shape.size }",
    ],
)
def test_an_invalid_shape_is_propagated_and_rejected(body: str) -> None:
    assert "shapes [2], [3, 3] cannot be broadcast to one" in error(f"{SHAPES} {body}")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "%c = arith.constant 2 : index\n%0 = shape.get_extent %s, %c : tensor<2xindex>, index "
            "-> index",
            "shape.get_extent: a shape of 2 dimensions has no dimension 2",
        ),
        (
            "%c = shape.const_size 0\n%z = shape.div %c, %c : !shape.size, !shape.size -> "
            "!shape.size\n%0 = shape.size_to_index %z : !shape.size",
            "shape.size_to_index: a size cannot be divided by zero",
        ),
        (
            "%c = arith.constant 3 : index\n%0:2 = \"shape.split_at\"(%s, %c) : (tensor<2xindex>, "
            "index) -> (tensor<?xindex>, tensor<?xindex>)",
            "shape.split_at: a shape of 2 dimensions has no place 3",
        ),
        (
            "%c = stablehlo.constant dense<[1, -1]> : tensor<2xi32>\n"
            "%0 = shape.value_as_shape %c : tensor<2xi32> -> tensor<2xindex>",
            "shape.value_as_shape: [1, -1] is no shape",
        ),
    ],
)  # fmt: skip
def test_invalid_sizes(body: str, expected: str) -> None:
    assert error(f"{SHAPES} {body}") == expected


def test_requirements_and_witnesses() -> None:
    required = 'arith.constant false\n%w = shape.cstr_require %p, "sizes differ"'
    assert error(f"%p = {required}") == "shape.cstr_require: sizes differ"
    body = """
      %w = shape.const_witness true
      %v = shape.const_witness false
      %a = shape.assuming_all %w, %v
      shape.assuming %a {
      }"""
    assert error(body) == "shape.assuming: the witness holds"
