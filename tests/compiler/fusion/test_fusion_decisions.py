"""Grouping: which operations share a kernel, in which order kernels are launched, and why not."""

from __future__ import annotations

import numpy as np
import pytest

from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.graph.graph import Node
from stablemate.compiler.plan.plan import LaunchStep, Plan
from tests.compiler.kernels.test_reductions import agrees, interpreted, numbers, same_bits, whole


def compiled(text: str) -> CompiledExecutable:
    """A program, compiled."""
    return CompiledExecutable(interpreted(text))


def plan_of(text: str) -> Plan:
    """Its plan."""
    return compiled(text).compilation().plan


def name_of(node: Node) -> str:
    """The name of an operation in its dialect."""
    return str(node.operation.name).split(".")[1]


def launched(text: str) -> list[list[str]]:
    """The operations of each launch."""
    return [
        [name for name in map(name_of, step.nodes) if name != "constant"]
        for step in plan_of(text).steps
        if isinstance(step, LaunchStep)
    ]


SIBLINGS = """
func.func @main(%x: tensor<40x30xf32>, %y: tensor<40x30xf32>)
    -> (tensor<40x30xf32>, tensor<40x30xf32>) {
  %0 = stablehlo.multiply %x, %y : tensor<40x30xf32>
  %1 = stablehlo.add %x, %y : tensor<40x30xf32>
  return %0, %1 : tensor<40x30xf32>, tensor<40x30xf32>
}"""


def test_results_of_the_same_elements_are_stored_together() -> None:
    assert launched(SIBLINGS) == [["multiply", "add"]]
    same_bits(SIBLINGS, numbers((40, 30), "f32"), numbers((40, 30), "f32") * 2)


BETWEEN = """
func.func @main(%x: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = stablehlo.tanh %x : tensor<16x16xf32>
  %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<16x16xf32>) -> tensor<16x16xf32>
  %2 = stablehlo.add %0, %1 : tensor<16x16xf32>
  return %0, %2 : tensor<16x16xf32>, tensor<16x16xf32>
}"""


def test_what_is_computed_between_keeps_kernels_apart() -> None:
    nodes = launched(BETWEEN)
    assert (nodes[0], nodes[-1]) == (["tanh"], ["add"])
    assert "is computed between" in compiled(BETWEEN).emit("fusion")
    same_bits(BETWEEN, numbers((16, 16), "f32"))


ELSEWHERE = """
func.func @main(%x: tensor<20x20xf32>) -> (tensor<20x20xf32>, tensor<20x20xf32>) {{
  %0 = stablehlo.exponential %x : tensor<20x20xf32>
  %1 = {} : (tensor<20x20xf32>) -> tensor<20x20xf32>
  %2 = stablehlo.add %0, %1 : tensor<20x20xf32>
  return %0, %2 : tensor<20x20xf32>, tensor<20x20xf32>
}}"""


@pytest.mark.parametrize(
    "moved", ["stablehlo.transpose %0, dims = [1, 0]", "stablehlo.reverse %0, dims = [1]"]
)
def test_an_element_at_another_place_is_loaded_from_memory(moved: str) -> None:
    text = ELSEWHERE.format(moved)
    if "reverse" in moved:
        text = text.replace(": (tensor<20x20xf32>) -> tensor", ": tensor")
    first, second = launched(text)
    assert first == ["exponential"]
    assert "add" in second
    same_bits(text, numbers((20, 20), "f32"))


STAGED = """
func.func @main(%x: tensor<5x{0}xf32>) -> tensor<5x{0}xf32> {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.tanh %x : tensor<5x{0}xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<5x{0}xf32>, tensor<f32>) -> tensor<5xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<5xf32>) -> tensor<5x{0}xf32>
  %3 = stablehlo.divide %0, %2 : tensor<5x{0}xf32>
  return %3 : tensor<5x{0}xf32>
}}"""


@pytest.mark.parametrize(("columns", "memory"), [(4096, "stack"), (4097, "argument")])
def test_half_of_the_nearest_cache_is_staged(columns: int, memory: str) -> None:
    text = STAGED.format(columns)
    (step,) = [step for step in plan_of(text).steps if isinstance(step, LaunchStep)]
    buffers = [*step.kernel.arguments, *step.kernel.locals]
    rows = [buffer for buffer in buffers if buffer.elements >= columns]
    assert [row.scope for row in rows].count("stack") == (memory == "stack")
    assert len(rows) == 3
    same_bits(text, numbers((5, columns), "f32"))


ASKING = """
func.func @main(%x: tensor<30xf32>) -> (tensor<30xf32>, tensor<30xf32>, tensor<30xui32>) {
  %low = stablehlo.constant dense<0.0> : tensor<f32>
  %high = stablehlo.constant dense<1.0> : tensor<f32>
  %shape = stablehlo.constant dense<30> : tensor<1xi64>
  %0 = stablehlo.exponential %x : tensor<30xf32>
  %1 = stablehlo.rng %low, %high, %shape, distribution = UNIFORM
    : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<30xf32>
  %2 = stablehlo.rng %low, %high, %shape, distribution = UNIFORM
    : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<30xf32>
  %3 = stablehlo.add %0, %2 : tensor<30xf32>
  %4 = stablehlo.subtract %0, %1 : tensor<30xf32>
  %5 = stablehlo.bitcast_convert %4 : (tensor<30xf32>) -> tensor<30xui32>
  return %3, %4, %5 : tensor<30xf32>, tensor<30xf32>, tensor<30xui32>
}"""


def test_what_asks_the_world_stays_in_its_order() -> None:
    values = numbers((30,), "f32")
    for item, expected in zip(compiled(ASKING)(values), interpreted(ASKING)(values), strict=True):
        np.testing.assert_allclose(item, expected, rtol=1e-6)


LOOP = """
func.func @main(%x: tensor<6x40xf32>) -> (tensor<6x40xf32>, tensor<6xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %start = stablehlo.constant dense<0.0> : tensor<6xf32>
  %0:3 = stablehlo.while(%i = %zero, %a = %x, %b = %start)
    : tensor<i32>, tensor<6x40xf32>, tensor<6xf32>
   cond {
    %four = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.reduce(%a init: %none) applies stablehlo.maximum across dimensions = [1]
      : (tensor<6x40xf32>, tensor<f32>) -> tensor<6xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<6xf32>) -> tensor<6x40xf32>
    %4 = stablehlo.subtract %a, %3 : tensor<6x40xf32>
    %5 = stablehlo.abs %4 : tensor<6x40xf32>
    %6 = stablehlo.add %b, %2 : tensor<6xf32>
    stablehlo.return %1, %5, %6 : tensor<i32>, tensor<6x40xf32>, tensor<6xf32>
  }
  return %0#1, %0#2 : tensor<6x40xf32>, tensor<6xf32>
}"""


def test_loops_have_groups_of_their_own() -> None:
    assert any({"reduce", "abs"} <= set(nodes) for nodes in launched(LOOP))
    values = whole((6, 40), "f32")
    for one, other in zip(same_bits(LOOP, values), interpreted(LOOP)(values), strict=True):
        np.testing.assert_array_equal(one, other)


NOTHING = """
func.func @main(%x: tensor<2x2x20xf32>) -> (tensor<f32>, tensor<2x2x20xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
    : (tensor<2x2x20xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reduce(%x init: %one) applies stablehlo.add across dimensions = []
    : (tensor<2x2x20xf32>, tensor<f32>) -> tensor<2x2x20xf32>
  return %0, %1 : tensor<f32>, tensor<2x2x20xf32>
}"""


def test_a_fold_of_no_dimensions_is_alone() -> None:
    assert launched(NOTHING) == [["reduce"], ["reduce"]]
    agrees(NOTHING, whole((2, 2, 20), "f32"))


def test_the_text_of_fusion_names_groups() -> None:
    text = compiled(SIBLINGS).emit("fusion")
    assert text.count("group 0: full, phase 0") == 2


def joined_images(shape: str, channels: int, numbers: str) -> str:
    """A convolution of two images that are joined and activated, with layouts of its operands."""
    image = f"tensor<{shape}xf32>"
    joined = image.replace("x4x", "x8x") if channels == 1 else image.replace("x4xf32", "x8xf32")
    return f"""
func.func @main(%x: {image}, %y: {image}, %w: tensor<3x3x8x16xf32>) -> tensor<1x16x7x7xf32> {{
  %0 = stablehlo.concatenate %x, %y, dim = {channels} : ({image}, {image}) -> {joined}
  %1 = stablehlo.negate %0 : {joined}
  %2 = stablehlo.convolution(%1, %w)
    dim_numbers = [{numbers}]x[0, 1, i, o]->[b, f, 0, 1], window = {{}}
    {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
    : ({joined}, tensor<3x3x8x16xf32>) -> tensor<1x16x7x7xf32>
  return %2 : tensor<1x16x7x7xf32>
}}"""


def test_images_are_joined_before_a_convolution_changes_their_order() -> None:
    first, last = (
        joined_images("1x4x9x9", 1, "b, f, 0, 1"),
        joined_images("1x9x9x4", 3, "b, 0, 1, f"),
    )
    assert launched(first)[0] == ["concatenate", "negate"]
    assert "reordered by stablehlo.convolution" in compiled(first).emit("fusion")
    assert "reordered by stablehlo.convolution" not in compiled(last).emit("fusion")


# The second loop reads a result of the first one, whose other operand is a reshape.
CAPTURED = """
func.func @main(%keys: tensor<1x2xui32>, %n: tensor<f32>) -> tensor<f32> {
  %key = stablehlo.reshape %keys : (tensor<1x2xui32>) -> tensor<2xui32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %drawn:2 = stablehlo.while(%k = %key, %sum = %zero) : tensor<2xui32>, tensor<f32>
  cond {
    %c = stablehlo.compare LT, %sum, %n : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %next = stablehlo.add %sum, %one : tensor<f32>
    %k2 = stablehlo.add %k, %k : tensor<2xui32>
    stablehlo.return %k2, %next : tensor<2xui32>, tensor<f32>
  }
  %halves = stablehlo.while(%x = %n) : tensor<f32>
  cond {
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %c = stablehlo.compare GT, %x, %one : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %more = stablehlo.add %drawn#1, %one : tensor<f32>
    %y = stablehlo.divide %x, %more : tensor<f32>
    stablehlo.return %y : tensor<f32>
  }
  return %halves : tensor<f32>
}"""


def test_what_a_region_reads_from_outside_is_in_memory() -> None:
    agrees(CAPTURED, np.zeros((1, 2), np.uint32), np.float32(3))
