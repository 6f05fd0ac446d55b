"""A loop whose body is one short launch is run by one record of the step table."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.runtime.native.step_table import (
    BACK_EDGE,
    RECORD_WORDS,
    REPEATED_LAUNCH,
)

LOOP = """
func.func @main(%n: tensor<i32>, %x: tensor<f32>) -> (tensor<i32>, tensor<f32>) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %r:2 = stablehlo.while(%i = %zero, %c = %x) : tensor<i32>, tensor<f32>
  cond {{
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    {body}
    stablehlo.return %j, %d : tensor<i32>, tensor<f32>
  }}
  return %r#0, %r#1 : tensor<i32>, tensor<f32>
}}
"""
SHORT = "%d = stablehlo.multiply %c, %half : tensor<f32>"
NESTED = """%s:2 = stablehlo.while(%k = %zero, %e = %c) : tensor<i32>, tensor<f32>
    cond {
      %q = stablehlo.compare LT, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %q : tensor<i1>
    } do {
      %l = stablehlo.add %k, %one : tensor<i32>
      %f = stablehlo.add %e, %half : tensor<f32>
      stablehlo.return %l, %f : tensor<i32>, tensor<f32>
    }
    %d = stablehlo.add %s#1, %half : tensor<f32>"""


def kinds(text: str) -> list[int]:
    """The kinds of the records of a program."""
    run: Any = sm.compile(sm.load(text))
    assert isinstance(run, CompiledExecutable)
    image = run.program.image
    return [int(word) for word in image.words[: RECORD_WORDS * image.steps : RECORD_WORDS]]


def test_the_back_edge_of_a_short_loop_launches_its_body() -> None:
    assert kinds(LOOP.format(body=SHORT)).count(REPEATED_LAUNCH) == 1
    nested = kinds(LOOP.format(body=NESTED))
    assert nested.count(REPEATED_LAUNCH) == nested.count(BACK_EDGE) == 1


@pytest.mark.parametrize("count", [-1, 0, 1, 2, 255, 256, 257, 100_000])
def test_number_of_iterations(count: int) -> None:
    run = sm.compile(sm.load(LOOP.format(body=SHORT.replace("multiply", "add"))))
    total, value = run(np.int32(count), np.float32(0))
    assert total == max(count, 0)
    assert value == max(count, 0) / 2


@pytest.mark.parametrize("count", [0, 1, 7, 600])
def test_a_loop_in_a_loop(count: int) -> None:
    run = sm.compile(sm.load(LOOP.format(body=NESTED)))
    total, value = run(np.int32(count), np.float32(0))
    assert (total, value) == (count, (count * (count - 1) // 2 + count) / 2)


STATES = {
    "scalars": ("tensor<i32>", "%t = stablehlo.add %s, %i : tensor<i32>"),
    "a vector": (
        "tensor<8xf32>",
        """%f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %b = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %m = stablehlo.multiply %s, %b : tensor<8xf32>
    %h = stablehlo.constant dense<0.25> : tensor<8xf32>
    %t = stablehlo.add %m, %h : tensor<8xf32>""",
    ),
    "a vector and its elements": (
        "tensor<6xi32>",
        """%e = stablehlo.slice %s [1:3] : (tensor<6xi32>) -> tensor<2xi32>
    %f = stablehlo.slice %s [0:4] : (tensor<6xi32>) -> tensor<4xi32>
    %g = stablehlo.concatenate %f, %e, dim = 0 : (tensor<4xi32>, tensor<2xi32>) -> tensor<6xi32>
    %t = stablehlo.add %s, %g : tensor<6xi32>""",
    ),
    "an updated element": (
        "tensor<50xi32>",
        """%c = stablehlo.constant dense<3> : tensor<1xi32>
    %e = stablehlo.dynamic_slice %s, %i, sizes = [1]
      : (tensor<50xi32>, tensor<i32>) -> tensor<1xi32>
    %f = stablehlo.multiply %e, %c : tensor<1xi32>
    %j1 = stablehlo.add %i, %one : tensor<i32>
    %t = stablehlo.dynamic_update_slice %s, %f, %j1
      : (tensor<50xi32>, tensor<1xi32>, tensor<i32>) -> tensor<50xi32>""",
    ),
    "an exchange": ("tensor<2xi8>", "%t = stablehlo.reverse %s, dims = [0] : tensor<2xi8>"),
    "complex numbers": (
        "tensor<3xcomplex<f32>>", "%t = stablehlo.multiply %s, %s : tensor<3xcomplex<f32>>"
    ),
    "narrow floats": ("tensor<3xbf16>", "%t = stablehlo.add %s, %s : tensor<3xbf16>"),
}  # fmt: skip
DTYPES: Any = {
    "i8": np.int8, "i32": np.int32, "f32": np.float32, "bf16": ml_dtypes.bfloat16,
    "c64": np.complex64,
}  # fmt: skip
CARRIED = """
func.func @main(%n: tensor<i32>, %x: {type}) -> (tensor<i32>, {type}) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, {type}
  cond {{
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    {body}
    stablehlo.return %j, %t : tensor<i32>, {type}
  }}
  return %r#0, %r#1 : tensor<i32>, {type}
}}
"""


def argument(value_type: str) -> Any:
    """Small numbers of a type."""
    head, _, rest = value_type.partition("complex<f32>")
    text = head.removeprefix("tensor<") + ("c64" if rest else "")
    *sizes, name = text.removesuffix(">").split("x")
    shape = [int(size) for size in sizes]
    dtype = np.dtype(DTYPES[name])
    numbers: Any = np.arange(1, 1 + np.prod(shape, dtype=int))
    return numbers.reshape(shape).astype(dtype)


@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize("count", [0, 1, 2, 49, 1000])
def test_carried_values(name: str, count: int) -> None:
    value_type, body = STATES[name]
    text = CARRIED.format(type=value_type, body=body)
    compiled: Any = sm.compile(sm.load(text))
    assert "} while " in compiled.emit("nest")
    x = argument(value_type)
    expected = sm.run(text, np.int32(count), x, backend="interpreter")
    for one, other in zip(compiled(np.int32(count), x), expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_scalars_are_carried_in_registers() -> None:
    compiled: Any = sm.compile(
        sm.load(CARRIED.format(type="tensor<i32>", body=STATES["scalars"][1]))
    )
    nest = compiled.emit("nest")
    body = nest[nest.index("for iteration") : nest.index("} while ")]
    stores = [line.split()[1] for line in body.splitlines() if "store" in line]
    assert stores
    assert all("r[" in store for store in stores)


def test_iterations_are_limited_one_by_one() -> None:
    module = sm.load(CARRIED.format(type="tensor<i32>", body=STATES["scalars"][1]))
    run = sm.compile(module, limits=sm.Limits(iterations=300))
    assert run(np.int32(300), np.int32(0))[0] == 300
    with pytest.raises(sm.LimitError):
        run(np.int32(301), np.int32(0))


def test_the_profile_counts_each_iteration() -> None:
    run = sm.compile(sm.load(LOOP.format(body=SHORT)))
    profile = sm.profile(run, np.int32(300), np.float32(1))
    assert 300 in {row.executions for row in profile.rows if row.kind == "kernel"}
