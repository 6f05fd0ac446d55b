"""Propagation of shardings: what Shardy's rules give, by hand.

Source: Shardy, propagation; the same programs were compared with XLA's CPU client in
tests/pjrt/test_sharding_propagation.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import stablemate as sm
from stablemate.transforms.sdy_partition import partition_program

MESH = '["x"=4, "y"=2]'
# Arguments (shape and sharding), body, results: "shape -> expected sharding".
CASES: dict[str, tuple[Sequence[str], str, str, str]] = {
    "elementwise, forward": (
        ['8x8 {"x"}, {"y"}'], "%r = stablehlo.sine %0 : T8x8", "8x8", '[{"x"}, {"y"}]',
    ),
    "transpose": (
        ['8x8 {"x"}, {}'],
        "%r = stablehlo.transpose %0, dims = [1, 0] : (T8x8) -> T8x8",
        "8x8", '[{}, {"x"}]',
    ),
    "shards of a reversed dimension move": (
        ['8x8 {"x"}, {}'], "%r = stablehlo.reverse %0, dims = [0] : T8x8", "8x8", '[{"x"}, {}]',
    ),
    "a static slice": (
        ['8x8 {"y"}, {"x"}'],
        "%r = stablehlo.slice %0 [0:4, 0:8] : (T8x8) -> T4x8",
        "4x8", '[{"y"}, {"x"}]',
    ),
    "shards that would differ in size": (
        ['8x8 {"x"}, {}'],
        "%r = stablehlo.slice %0 [0:6, 0:8] : (T8x8) -> T6x8",
        "6x8", "[{}, {}]",
    ),
    "a slice at a place that is computed": (
        ['8x8 {"x"}, {"y"}', "i32 "],
        "%r = stablehlo.dynamic_slice %0, %1, %1, sizes = [4, 8] : (T8x8, Ti32, Ti32) -> T4x8",
        "4x8", '[{}, {"y"}]',
    ),
    "a dimension is split": (
        ['8x8 {"x"}, {}'],
        "%r = stablehlo.reshape %0 : (T8x8) -> T2x4x8",
        "2x4x8", "[{}, {}, {}]",  # "x":(1)2 and "x":(2)2, which are parts of an axis
    ),
    "dimensions are merged": (
        ['4x8 {"x"}, {"y"}'], "%r = stablehlo.reshape %0 : (T4x8) -> T32", "32", '[{"x", "y"}]',
    ),
    "dimensions are merged, the major one not used up": (
        ['8x8 {"x"}, {"y"}'], "%r = stablehlo.reshape %0 : (T8x8) -> T64", "64", '[{"x"}]',
    ),
    "rows and columns": (
        ['8x8 {"x"}, {}', '8x8 {}, {"y"}'],
        "%r = stablehlo.dot %0, %1 : (T8x8, T8x8) -> T8x8",
        "8x8", '[{"x"}, {"y"}]',
    ),
    "what is contracted does not remain": (
        ['8x8 {}, {"x"}', '8x8 {"x"}, {}'],
        "%r = stablehlo.dot %0, %1 : (T8x8, T8x8) -> T8x8",
        "8x8", "[{}, {}]",
    ),
    "operands that disagree within a dimension": (
        ['8x8 {"x"}, {}', '8x8 {"y"}, {}'], "%r = stablehlo.add %0, %1 : T8x8", "8x8", "[{}, {}]",
    ),
    "operands that agree on the first axis": (
        ['8x8 {"x"}, {}', '8x8 {"x", "y"}, {}'],
        "%r = stablehlo.add %0, %1 : T8x8",
        "8x8", '[{"x", "y"}, {}]',
    ),
    "one axis for two dimensions: that of more shards": (
        ['8x8 {}, {"x"}', '8x8 {"x", "y"}, {}'],
        "%r = stablehlo.add %0, %1 : T8x8",
        "8x8", '[{"x", "y"}, {}]',
    ),
    "constants share no sharding": (
        ['8 {"x"}'],
        """%c = stablehlo.constant dense<1.0> : T8
        %s = stablehlo.add %0, %c : T8
        %r = stablehlo.negate %c : T8""",
        "8", "[{}]",
    ),
    "an open dimension of a constraint": (
        ['8x8 {"x"}, {}'],
        "%r = sdy.sharding_constraint %0 <@mesh, [{?}, {\"y\"}]> : T8x8",
        "8x8", '[{"x"}, {"y"}]',
    ),
    "a closed dimension of a constraint": (
        ['8x8 {"x"}, {}'],
        "%r = sdy.sharding_constraint %0 <@mesh, [{}, {\"y\"}]> : T8x8",
        "8x8", '[{}, {"y"}]',
    ),
    "a constraint in a loop, backward to the state": (
        ['8x8 {"x"}, {"y"}'],
        """%r = stablehlo.while(%a = %0) : T8x8
        cond {
          %t = stablehlo.constant dense<false> : tensor<i1>
          stablehlo.return %t : tensor<i1>
        } do {
          %b = sdy.sharding_constraint %a <@mesh, [{"y"}, {}]> : T8x8
          stablehlo.return %b : T8x8
        }""",
        "8x8",
        '[{"y"}, {}]',
    ),
    "what a loop carries, where its body reads it twice": (
        ['8x8 {"x"}, {"y"}'],
        """%r = stablehlo.while(%a = %0) : T8x8
        cond {
          %t = stablehlo.constant dense<false> : tensor<i1>
          stablehlo.return %t : tensor<i1>
        } do {
          %d = stablehlo.add %a, %a : T8x8
          %b = sdy.sharding_constraint %d <@mesh, [{"y"}, {}]> : T8x8
          %e = stablehlo.add %a, %b : T8x8
          stablehlo.return %e : T8x8
        }""",
        "8x8",
        '[{"x"}, {"y"}]',
    ),
    "free axes of a manual computation": (
        ['8x8 {"x"}, {"y"}'],
        """%r = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x", ?}, {?}]>]
            out_shardings=[<@mesh, [{"x", ?}, {?}]>] manual_axes={"x"} (%a: T2x8) {
          %b = stablehlo.negate %a : T2x8
          sdy.return %b : T2x8
        } : (T8x8) -> T8x8""",
        "8x8", '[{"x"}, {"y"}]',
    ),
    "a sorted dimension": (
        ['8x8 {}, {"x"}'],
        """%r = "stablehlo.sort"(%0) <{dimension = 1 : i64}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        }) : (T8x8) -> T8x8""",
        "8x8", '[{}, {"x"}]',
    ),
}  # fmt: skip


def spelled(text: str) -> str:
    """``T8x8`` as ``tensor<8x8xf32>``."""
    words = text.replace("Ti32", "tensor<i32>").split("T")
    parts = [words[0]]
    for word in words[1:]:
        size = next((i for i, c in enumerate(word) if c not in "0123456789x"), len(word))
        parts.append(f"tensor<{word[:size]}xf32>{word[size:]}" if size else "T" + word)
    return "".join(parts)


def program(arguments: Sequence[str], body: str, result: str) -> str:
    """The text of a function with sharded arguments."""
    declared: list[str] = []
    for i, argument in enumerate(arguments):
        shape, _, sharding = argument.partition(" ")
        attribute = f"{{sdy.sharding = #sdy.sharding<@mesh, [{sharding}]>}}"
        declared.append(spelled(f"%{i}: T{shape} {attribute}"))
    text = f"""sdy.mesh @mesh = <{MESH}>
    func.func @main({", ".join(declared)}) -> T{result} {{
      {body}
      return %r : T{result}
    }}"""
    return spelled(text)


@pytest.mark.parametrize("name", CASES)
def test_results_have_the_propagated_sharding(name: str) -> None:
    arguments, body, result, expected = CASES[name]
    text = program(arguments, body, result)
    partition = partition_program(sm.load(text).ir, "main", gathers=True)
    (placement,) = partition.results
    assert str(placement) == expected


def test_arguments_without_a_sharding_get_one() -> None:
    text = """sdy.mesh @mesh = <["x"=4, "y"=2]>
    func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
        %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
      %r = stablehlo.dot %a, %b : (tensor<8x8xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
      return %r : tensor<8x6xf32>
    }"""
    partition = partition_program(sm.load(text).ir, "main", gathers=True)
    assert str(partition.arguments[1]) == '[{"x"}, {}]'


def test_constraints_of_hlo_are_propagated() -> None:
    # The sharding of the result is that of XLA in jaxlib 0.6.0 for jit's (v @ v) with this
    # constraint, transposed: PartitionSpec(None, "y") on a mesh of 4 x 2.
    text = """module attributes {mhlo.num_partitions = 8 : i32} {
    func.func @main(
        %a: tensor<16x16xf32> {mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"}
    ) -> tensor<16x16xf32> {
      %0 = stablehlo.dot %a, %a : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %1 = stablehlo.custom_call @Sharding(%0) {
        mhlo.sharding = "{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}"
      } : (tensor<16x16xf32>) -> tensor<16x16xf32>
      %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
      return %2 : tensor<16x16xf32>
    }
    }"""
    partition = partition_program(sm.load(text).ir, "main", gathers=True)
    assert partition.devices.sizes == {"axis_0": 4, "axis_1": 2}
    assert [str(placement) for placement in partition.results] == ['[{}, {"axis_1"}]']
