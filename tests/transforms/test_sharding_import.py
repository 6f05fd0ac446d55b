# ruff: noqa: E501 programs and messages
"""Programs in the forms in which they are exported become programs of Shardy, and run."""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.execution.signature import is_tuple
from stablemate.transforms.passes import pass_named
from tests.sharded import annotated
from tests.sharded.programs import NAMES, exported

FORMS: Final = ("gspmd", "round_trip")
DIVERGENT: Final = "divergent_results"  # each process keeps what it has
UNREADABLE: Final = {("sort", "round_trip")}  # has an operation of the dialect mhlo

X: Final = np.array([1, -2, 3, 4], np.float32)
GSPMD: Final = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<2xf32>
  %2 = stablehlo.negate %1 : tensor<2xf32>
  %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<2xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
"""
SHARDY: Final = """\
module {
  sdy.mesh @mesh = <["axis_0"=2]>
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"axis_0"}]>] out_shardings=[<@mesh, [{"axis_0"}]>] manual_axes={"axis_0"} (%arg1: tensor<2xf32>) {
      %1 = stablehlo.negate %arg1 : tensor<2xf32>
      sdy.return %1 : tensor<2xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
"""


def imported(text: str) -> str:
    """The program in Shardy's form, as text."""
    return sm.Module(sm.load(text).shardy).to_text()


def leaves(results: Any) -> tuple[Any, ...]:
    """The results as a tuple."""
    return results if is_tuple(results) else (results,)


def check(ours: Any, theirs: Any, tolerance: float) -> None:
    """Compares results with those of JAX."""
    for own, other in zip(leaves(ours), theirs, strict=True):
        assert (own.shape, own.dtype) == (other.shape, other.dtype)
        wide = np.result_type(other.dtype, np.float64) if other.dtype.kind in "fc" else np.float64
        np.testing.assert_allclose(
            own.astype(wide), other.astype(wide), rtol=tolerance, atol=tolerance
        )


@pytest.mark.standard
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", NAMES)
def test_programs_of_shard_map_compute_what_jax_computes(name: str, form: str) -> None:
    program = exported()[name]
    module = sm.load(program.forms[form])
    sm.Module(module.shardy).verify()
    check(sm.run(module, *program.inputs), program.results, 1e-6)
    grid = sm.run_grid(module, tuple(program.inputs), partitions=program.devices)
    for results in grid[:1] if name == DIVERGENT else grid:
        check(results, program.results, 1e-6)


@pytest.mark.standard
@pytest.mark.parametrize("form", FORMS)
def test_programs_with_shardings_compute_what_jax_computes(form: str) -> None:
    for name, program in annotated.exported().items():
        if program.forms and (name, form) not in UNREADABLE:
            module = sm.load(program.forms[form])
            (results,) = sm.run_grid(
                module, tuple(program.inputs), 1, annotated.DEVICES, whole=True, partition=True
            )
            check(results, program.results, 2e-4)  # sums over devices are taken in another order


def test_shards_are_negated() -> None:
    assert imported(GSPMD) == SHARDY
    np.testing.assert_array_equal(sm.run(GSPMD, X), -X)
    for result in sm.run_grid(GSPMD, (X,), partitions=2):
        np.testing.assert_array_equal(result, -X)
    (whole,) = sm.run_grid(GSPMD, (X,), partitions=2, partition=True, whole=True)
    np.testing.assert_array_equal(whole, -X)
    assert sm.cost(sm.load(GSPMD)).functions["main"].flops == 2


# ---- operations between boundaries, in any order


def entering(result: str, operand: str, whole: int = 4, shard: int = 2) -> str:
    """Whole values become shards."""
    return (
        f"  {result} = stablehlo.custom_call @SPMDFullToShardShape({operand})"
        f' {{mhlo.sharding = "{{manual}}"}} : (tensor<{whole}xf32>) -> tensor<{shard}xf32>\n'
    )


def leaving(result: str, operand: str, whole: int = 4, shard: int = 2) -> str:
    """Shards become whole values."""
    return (
        f"  {result} = stablehlo.custom_call @SPMDShardToFullShape({operand})"
        f' {{mhlo.sharding = "{{devices=[2]<=[2]}}"}}'
        f" : (tensor<{shard}xf32>) -> tensor<{whole}xf32>\n"
    )


def shared(result: str, operand: str) -> str:
    """Whole values are divided."""
    return (
        f"  {result} = stablehlo.custom_call @Sharding({operand})"
        ' {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<4xf32>\n'
    )


HEAD: Final = """\
func.func @main(%x: tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<4xf32> {
"""
DEVICE: Final = """\
  %p = stablehlo.partition_id : tensor<ui32>
  %pf = stablehlo.convert %p : (tensor<ui32>) -> tensor<f32>
  %pb = stablehlo.broadcast_in_dim %pf, dims = [] : (tensor<f32>) -> tensor<2xf32>
"""
COUNTED: Final = """\
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %w:2 = stablehlo.while(%i = %i0, %v = START) : tensor<i32>, tensor<SIZExf32>
  cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %less = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
BODY    stablehlo.return %i1, %f : tensor<i32>, tensor<SIZExf32>
  }
"""


def loop(start: str, size: int, body: str) -> str:
    """A loop of three iterations on vectors, which makes ``%f`` of ``%v``."""
    return COUNTED.replace("START", start).replace("SIZE", str(size)).replace("BODY", body)


PLACES: Final = np.array([0, 0, 1, 1], np.float32)
PROGRAMS: Final[dict[str, tuple[str, Any]]] = {
    "shards are used again after whole values that depend on them": (
        entering("%a", "%x")
        + leaving("%b", "%a")
        + "  %c = stablehlo.negate %b : tensor<4xf32>\n"
        + shared("%c1", "%c")
        + entering("%d", "%c1")
        + "  %e = stablehlo.subtract %d, %a : tensor<2xf32>\n"
        + leaving("%r", "%e"),
        -2 * X,
    ),
    "so is one number of each device": (
        entering("%a", "%x")
        + "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
        + "  %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0]"
        + " : (tensor<2xf32>, tensor<f32>) -> tensor<f32>\n"
        + leaving("%b", "%a")
        + "  %c = stablehlo.negate %b : tensor<4xf32>\n"
        + shared("%c1", "%c")
        + entering("%d", "%c1")
        + "  %t = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2xf32>\n"
        + "  %e = stablehlo.add %d, %t : tensor<2xf32>\n"
        + leaving("%r", "%e"),
        X[[1, 0, 3, 2]],
    ),
    "what depends on the device alone is computed where shards are": (
        DEVICE
        + entering("%a", "%x")
        + "  %e = stablehlo.add %a, %pb : tensor<2xf32>\n"
        + leaving("%r", "%e"),
        X + PLACES,
    ),
    "no whole value becomes shards": (
        DEVICE + leaving("%f", "%pb") + "  %r = stablehlo.add %f, %x : tensor<4xf32>\n",
        X + PLACES,
    ),
    "a constant is used on shards and on whole values": (
        entering("%a", "%x")
        + "  %o = stablehlo.constant dense<2.0> : tensor<f32>\n"
        + "  %o1 = stablehlo.broadcast_in_dim %o, dims = [] : (tensor<f32>) -> tensor<2xf32>\n"
        + "  %o2 = stablehlo.broadcast_in_dim %o, dims = [] : (tensor<f32>) -> tensor<4xf32>\n"
        + "  %e = stablehlo.multiply %a, %o1 : tensor<2xf32>\n"
        + leaving("%f", "%e")
        + "  %r = stablehlo.multiply %f, %o2 : tensor<4xf32>\n",
        4 * X,
    ),
    "shards become whole values twice, with operations between": (
        entering("%a", "%x")
        + leaving("%b", "%a")
        + "  %c = stablehlo.add %b, %b : tensor<4xf32>\n"
        + "  %e = stablehlo.negate %a : tensor<2xf32>\n"
        + leaving("%f", "%e")
        + "  %r = stablehlo.subtract %f, %c : tensor<4xf32>\n",
        -3 * X,
    ),
    "in a loop": (
        loop(
            "%x",
            4,
            shared("%v1", "%v")
            + entering("%a", "%v1")
            + "  %e = stablehlo.add %a, %a : tensor<2xf32>\n"
            + leaving("%f", "%e"),
        )
        + "  %r = stablehlo.add %w#1, %w#1 : tensor<4xf32>\n",
        16 * X,
    ),
    "a loop on shards": (
        entering("%a", "%x")
        + loop("%a", 2, "  %f = stablehlo.add %v, %a : tensor<2xf32>\n")
        + leaving("%r", "%w#1"),
        4 * X,
    ),
    "with effects": (
        entering("%a", "%x")
        + "  stablehlo.custom_call @dce_sink(%a) {has_side_effect = true}"
        + " : (tensor<2xf32>) -> ()\n"
        + "  stablehlo.custom_call @dce_sink(%x) {has_side_effect = true}"
        + " : (tensor<4xf32>) -> ()\n"
        + leaving("%r", "%a"),
        X,
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_operations_between_boundaries(name: str) -> None:
    body, expected = PROGRAMS[name]
    module = sm.load(f"{HEAD}{body}  return %r : tensor<4xf32>\n}}\n")
    sm.Module(module.shardy).verify()
    np.testing.assert_array_equal(sm.run(module, X), expected)
    for result in sm.run_grid(module, (X,), partitions=2):
        np.testing.assert_array_equal(result, expected)
    (whole,) = sm.run_grid(module, (X,), partitions=2, partition=True, whole=True)
    np.testing.assert_array_equal(whole, expected)


def test_a_whole_value_that_shards_are_computed_with_is_the_same_on_all_devices() -> None:
    text = (
        HEAD.replace(") -> tensor", ", %k: tensor<2xf32>) -> tensor")
        + entering("%a", "%x")
        + "  %e = stablehlo.multiply %a, %k : tensor<2xf32>\n"
        + leaving("%r", "%e")
        + "  return %r : tensor<4xf32>\n}\n"
    )
    weights = np.array([2, 3], np.float32)
    np.testing.assert_array_equal(sm.run(text, X, weights), X * np.tile(weights, 2))


def test_shards_of_one_device_are_whole() -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.custom_call @SPMDFullToShardShape(%x) {mhlo.sharding = "{manual}"}
        : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    np.testing.assert_array_equal(sm.run(text, X), X)


# ---- meshes


def mesh_of(*shardings: str) -> str:
    """The mesh that is recovered from shardings of matrices, and what they become."""
    arguments = ", ".join(
        f'%{i}: tensor<64x64xf32> {{mhlo.sharding = "{sharding}"}}'
        for i, sharding in enumerate(shardings)
    )
    module = sm.opt(sm.load(f"func.func @main({arguments}) {{ return }}"), ["sdy-stablehlo-import"])
    text = module.to_text()
    mesh = text.split("@mesh = <")[1].split(">\n")[0]
    parts = text.split("sharding<@mesh, [")[1:]
    return "; ".join([mesh, *(re.split("]?>}[,)]", part)[0] for part in parts)])


@pytest.mark.parametrize(
    ("shardings", "expected"),
    [
        (["{devices=[2,1]<=[2]}"], '["axis_0"=2]; {"axis_0"}, {}'),
        (
            ["{devices=[8,1]<=[8]}", "{devices=[2,4]<=[8]}"],
            '["axis_0"=2, "axis_1"=4]; {"axis_0", "axis_1"}, {}; {"axis_0"}, {"axis_1"}',
        ),
        (
            ["{devices=[4,2]<=[2,4]T(1,0)}"],
            '["axis_0"=2, "axis_1"=4]; {"axis_1"}, {"axis_0"}',
        ),
        (
            ["{devices=[8,1]<=[2,2,2]T(2,0,1)}", "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"],
            '["axis_0"=2, "axis_1"=2, "axis_2"=2];'
            ' {"axis_2", "axis_0", "axis_1"}, {}; {"axis_0"}, {}',
        ),
        # The same in lists.
        (["{devices=[2,2]0,2,1,3}"], '["axis_0"=2, "axis_1"=2]; {"axis_1"}, {"axis_0"}'),
        # Orders that no strides have; devices with equal tiles are in any order.
        (
            ["{devices=[2,2]0,1,3,2}", "{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}"],
            '["axis_0"=2, "axis_1"=2], device_ids=[0, 1, 3, 2];'
            ' {"axis_0"}, {"axis_1"}; {"axis_0"}, {}',
        ),
        (
            ["{devices=[2,1,2]0,3,1,2 last_tile_dim_replicate}", "{devices=[1,4]0,3,1,2}"],
            '["axis_0"=2, "axis_1"=2], device_ids=[0, 3, 1, 2];'
            ' {"axis_0"}, {}; {}, {"axis_0", "axis_1"}',
        ),
        (["{devices=[4,1]3,1,0,2}"], '["axis_0"=4], device_ids=[3, 1, 0, 2]; {"axis_0"}, {}'),
        # Sums, shards and copies along the last dimensions.
        (
            ["{devices=[2,1,2,2]<=[8] last_tile_dims={unreduced, replicated}}"],
            '["axis_0"=2, "axis_1"=2, "axis_2"=2]; {"axis_0"}, {}], unreduced={"axis_1"}',
        ),
        (
            ["{devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated}}"],
            '["axis_0"=2, "axis_1"=2, "axis_2"=2]; {"axis_0"}, {}',
        ),
        # With names.
        (
            ["{mesh['x'=2,'y'=4], [{'y':(1)2}, {'x'}]}", "{devices=[8,1]<=[8]}"],
            '["axis_0"=2, "axis_1"=2, "axis_2"=2]; {"axis_1"}, {"axis_0"};'
            ' {"axis_0", "axis_1", "axis_2"}, {}',
        ),
        (
            ["{replicated}", "{devices=[2,3]<=[6]}"],
            '["axis_0"=2, "axis_1"=3]; {}, {}; {"axis_0"}, {"axis_1"}',
        ),
    ],
)
def test_the_mesh_is_recovered_from_the_devices(shardings: list[str], expected: str) -> None:
    assert mesh_of(*shardings) == expected


def test_shardings_of_single_devices_and_of_tuples() -> None:
    text = """
    func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %0:2 = stablehlo.custom_call @foo(%a)
        {mhlo.sharding = "{{maximal device=3}, {devices=[4]<=[4]}}"}
        : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
      return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
    }
    """
    shardy = sm.opt(sm.load(text), ["sdy-stablehlo-import"]).to_text()
    assert "sdy.mesh @mesh_of_device_3 = <[], device_ids=[3]>" in shardy
    assert '#sdy.sharding_per_value<[<@mesh_of_device_3, []>, <@mesh, [{"axis_0"}]>]>' in shardy


def test_alike_values_are_a_group() -> None:
    text = """
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{unknown shard_as 5}"}
        : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    """
    shardy = sm.opt(sm.load(text), ["sdy-stablehlo-import"]).to_text()
    assert "sdy.sharding_group %arg0 group_id=5 : tensor<4xf32>" in shardy


# ---- the round trip of Shardy

MESHES: Final = '"{mesh = #sdy.mesh<[\\22x\\22=2]>}"'
DIVIDED: Final = '"#sdy.sharding_per_value<[<@mesh, [{\\22x\\22}]>]>"'
AXES: Final = '"#sdy<manual_axes{\\22x\\22}>"'


def through_hlo(
    meshes: str = MESHES, shardings: str = DIVIDED, axes: str = AXES, shard: int = 2
) -> str:
    """A program that went through HLO."""
    return f"""\
module attributes {{mhlo.frontend_attributes = {{xla.sdy.meshes = {meshes}}}}} {{
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
    %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) {{mhlo.frontend_attributes = {{xla.sdy.in_shardings = {shardings}, xla.sdy.manual_axes = {axes}}}}} : (tensor<4xf32>) -> tensor<{shard}xf32>
    %1 = stablehlo.negate %0 : tensor<{shard}xf32>
    %2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%1) {{mhlo.frontend_attributes = {{xla.sdy.out_shardings = {shardings}, xla.sdy.manual_axes = {axes}}}}} : (tensor<{shard}xf32>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }}
}}
"""


def escaped(text: str) -> str:
    """A text with backslashes before its quotes, as older versions write it."""
    return text.replace("\\22", "\\\\\\22")


@pytest.mark.parametrize(
    "text",
    [
        through_hlo(),
        through_hlo(
            '{mesh = #sdy.mesh<["x"=2]>}',
            '#sdy.sharding_per_value<[<@mesh, [{"x"}]>]>',
            '#sdy<manual_axes{"x"}>',
        ),
        through_hlo(escaped(MESHES), escaped(DIVIDED), escaped(AXES)),
        through_hlo('{mesh = "#sdy.mesh<[\\22x\\22=2]>"}'),
        through_hlo(shardings='"#sdy.sharding_per_value<[<mesh<[\\22x\\22=2]>, [{\\22x\\22}]>]>"'),
    ],
    ids=["texts", "attributes", "escaped", "text of a mesh", "mesh in a sharding"],
)
def test_attributes_are_texts_or_not(text: str) -> None:
    module = sm.load(text)
    sm.Module(module.shardy).verify()
    np.testing.assert_array_equal(sm.run(module, X), -X)
    for result in sm.run_grid(module, (X,), partitions=2):
        np.testing.assert_array_equal(result, -X)


ANNOTATED: Final = """\
module attributes {mhlo.frontend_attributes = {keep = "1", xla.sdy.meshes = "{m = #sdy.mesh<[\\22x\\22=2]>}"}} {
  func.func @main(%x: tensor<4xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@m, [{\\22x\\22, ?}p1]>"}, mhlo.sharding = "{devices=[2]<=[2]}"}) -> (tensor<4xf32> {mhlo.sharding = "{replicated}"}) {
    %0 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%x) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.allowed_direction = "1 : i32"}} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.custom_call @xla.sdy.ShardingGroup(%0) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "3 : i64"}} : (tensor<4xf32>) -> tuple<>
    %2 = stablehlo.custom_call @f(%0) {mhlo.frontend_attributes = {other = "2", xla.sdy.sharding = "#sdy.sharding_per_value<[<@m, [{?}]>]>", xla.sdy.sharding_rule = "#sdy.op_sharding_rule<([i])->([i]) {i=4}, custom>"}, mhlo.sharding = "{replicated}"} : (tensor<4xf32>) -> tensor<4xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@m, [{}]>]>"}, mhlo.sharding = "{replicated}"} : (tensor<4xf32>) -> tensor<4xf32>
    %4 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%3) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@m, [{\\22x\\22}]>]>"}} : (tensor<4xf32>) -> tensor<4xf32>
    return %4 : tensor<4xf32>
  }
}
"""
ANNOTATED_IN_SHARDY: Final = """\
module attributes {mhlo.frontend_attributes = {keep = "1"}} {
  sdy.mesh @m = <["x"=2]>
  func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}p1]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
    %0 = sdy.propagation_barrier %arg0 allowed_direction=FORWARD : tensor<4xf32>
    sdy.sharding_group %0 group_id=3 : tensor<4xf32>
    %1 = stablehlo.custom_call @f(%0) {mhlo.frontend_attributes = {other = "2"}, sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4}, custom>} : (tensor<4xf32>) -> tensor<4xf32>
    %2 = sdy.sharding_constraint %1 <@m, [{}]> : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
"""


def test_annotations_of_the_round_trip() -> None:
    module = sm.opt(sm.load(ANNOTATED), ["sdy-round-trip-import"])
    assert module.to_text() == ANNOTATED_IN_SHARDY


def test_arguments_of_a_tuple_keep_the_shardings_of_hlo() -> None:
    """XLA writes no attributes of Shardy on the elements of a tuple."""
    text = """
    module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{m = #sdy.mesh<[\\22x\\22=2, \\22y\\22=4]>}"}} {
      func.func @main(%a: tensor<8x16xf32> {mhlo.sharding = "{devices=[4,2]<=[2,4]T(1,0)}"},
                      %b: tensor<8x16xf32> {mhlo.sharding = "{replicated}"},
                      %c: tensor<8x16xf32> {mhlo.sharding = "{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}"}) {
        return
      }
    }"""
    shardy = sm.opt(sm.load(text), ["sdy-round-trip-import"]).to_text()
    head = '(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {"x"}]>}, '
    assert f"{head}%arg1: tensor<8x16xf32>, %arg2: tensor<8x16xf32>)" in shardy


def test_a_tuple_of_results_becomes_several() -> None:
    text = through_hlo().replace(": (tensor<2xf32>) -> tensor<4xf32>", TUPLE)
    text = text.replace("return %2", "return %3")
    np.testing.assert_array_equal(sm.run(text, X), -X)


TUPLE: Final = """: (tensor<2xf32>) -> tuple<tensor<4xf32>>
    %3 = stablehlo.get_tuple_element %2[0] : (tuple<tensor<4xf32>>) -> tensor<4xf32>"""


# ---- passes


@pytest.mark.parametrize(
    ("name", "alias"),
    [
        ("sdy-round-trip-import", "xla-sdy-round-trip-import-pipeline"),
        ("sdy-stablehlo-import", "xla-sdy-stablehlo-import-pipeline"),
        ("sdy-stablehlo-import", "xla-sdy-mhlo-import-shardings"),
    ],
)
def test_the_passes_have_the_names_of_xla(name: str, alias: str) -> None:
    assert pass_named(alias) is pass_named(name)


def test_other_programs_are_themselves() -> None:
    module = sm.load(SHARDY)
    assert module.shardy is module.ir
    text = HEAD + "  return %x : tensor<4xf32>\n}\n"  # shardings alone change no value
    annotated_only = sm.load(text)
    assert annotated_only.shardy is annotated_only.ir


# ---- bad input


def divided_by(
    whole: str = "4",
    shard: str = "2",
    result: str = "4",
    before: str = "{devices=[2]<=[2]}",
    inside: str = "{manual}",
    after: str = "{devices=[2]<=[2]}",
) -> str:
    """A program in GSPMD's form."""
    return f"""\
func.func @main(%x: tensor<{whole}xf32>) -> tensor<{result}xf32> {{
  %0 = stablehlo.custom_call @Sharding(%x) {{mhlo.sharding = "{before}"}}
    : (tensor<{whole}xf32>) -> tensor<{whole}xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {{mhlo.sharding = "{inside}"}}
    : (tensor<{whole}xf32>) -> tensor<{shard}xf32>
  %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {{mhlo.sharding = "{after}"}}
    : (tensor<{shard}xf32>) -> tensor<{result}xf32>
  return %2 : tensor<{result}xf32>
}}
"""


def one_call(target: str, attributes: str, shard: str = "2", argument: str = "") -> str:
    """A program with one custom call."""
    return f"""\
func.func @main(%x: tensor<4xf32>{argument}) -> tensor<{shard}xf32> {{
  %0 = stablehlo.custom_call @{target}(%x) {{{attributes}}}
    : (tensor<4xf32>) -> tensor<{shard}xf32>
  return %0 : tensor<{shard}xf32>
}}
"""


BAD: Final[dict[str, tuple[str, str]]] = {
    "shards that do not divide": (
        divided_by(whole="5", result="5"),
        """\
p.mlir:4:8: error: stablehlo.custom_call @SPMDFullToShardShape: 2 devices do not divide dimension 0 of tensor<5xf32> evenly: pad it to 6
 4 |   %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"}
   |        ^^^^^^^^^^^^^^^^^^^^^ sharding = <@mesh, [{"axis_0"}]>, manual_axes = "axis_0"=2""",
    ),
    "shards of another size": (
        divided_by(shard="1"),
        """\
p.mlir:4:8: error: stablehlo.custom_call @SPMDFullToShardShape: a shard of tensor<4xf32> is tensor<2xf32> by the manual axes, not tensor<1xf32>
 4 |   %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"}
   |        ^^^^^^^^^^^^^^^^^^^^^ sharding = <@mesh, [{"axis_0"}]>, manual_axes = "axis_0"=2""",
    ),
    "whole values of another size": (
        divided_by(result="8"),
        """\
p.mlir:6:8: error: stablehlo.custom_call @SPMDShardToFullShape: a shard of tensor<8xf32> is tensor<4xf32> by the manual axes, not tensor<2xf32>
 6 |   %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = "{devices=[2]<=[2]}"}
   |        ^^^^^^^^^^^^^^^^^^^^^ sharding = <@mesh, [{"axis_0"}]>, manual_axes = "axis_0"=2""",
    ),
    "no text of a sharding": (
        divided_by(inside="{manul}"),
        """\
p.mlir:4:57: error: mhlo.sharding: this is no sharding: 'manul' is not a part of a sharding
 4 |   %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manul}"}
   |                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^ sharding = {manul}""",
    ),
    "another rank": (
        divided_by(before="{devices=[2,1]<=[2]}"),
        """\
p.mlir:2:45: error: mhlo.sharding: a sharding has as many dimensions as its tensor, the last ones of subgroups aside
 2 |   %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2,1]<=[2]}"}
   |                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ sharding = {devices=[2,1]<=[2]}, dimensions = 2, type = tensor<4xf32>""",
    ),
    "shards that are not manual": (
        divided_by(inside="{replicated}"),
        """\
p.mlir:4:57: error: mhlo.sharding: the sharding of shards says which devices are manual
 4 |   %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{replicated}"}
   |                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ sharding = {replicated}""",
    ),
    "no mesh in common": (
        divided_by("4x6", "2x2", "6x4", "{devices=[2,3]<=[6]}", after="{devices=[3,2]<=[6]}"),
        """\
p.mlir:6:57: error: mhlo.sharding: no mesh divides 6 devices as all shardings do: shardings divide 6 devices in ways that no mesh has
 6 |   %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = "{devices=[3,2]<=[6]}"}
   |                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ sharding = {devices=[3,2]<=[6]}
p.mlir:2:45: note: the other sharding
 2 |   %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2,3]<=[6]}"}
   |                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ sharding = {devices=[2,3]<=[6]}""",
    ),
    "other numbers of devices": (
        divided_by(after="{devices=[4]<=[4]}"),
        """\
p.mlir:2:45: error: mhlo.sharding: no mesh divides 4 devices as all shardings do: a sharding is about 2 devices, the program about 4
 2 |   %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2]<=[2]}"}
   |                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ sharding = {devices=[2]<=[2]}""",
    ),
    "too many devices": (
        divided_by(before="{devices=[8589934592]<=[8589934592]}"),
        """\
p.mlir:2:45: error: mhlo.sharding: a sharding is about 8589934592 devices: at most 4194304
 2 |   %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[8589934592]<=[8589934592]}"}
   |                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ sharding = {devices=[8589934592]<=[8589934592]}""",
    ),
    "shards that stay": (
        one_call(
            "SPMDFullToShardShape",
            'mhlo.sharding = "{manual}"',
            argument=' {mhlo.sharding = "{devices=[2]<=[2]}"}',
        ),
        """\
p.mlir:2:8: error: stablehlo.custom_call @SPMDFullToShardShape: shards leave as they are: no @SPMDShardToFullShape makes whole values of them
 2 |   %0 = stablehlo.custom_call @SPMDFullToShardShape(%x) {mhlo.sharding = "{manual}"}
   |        ^^^^^^^^^^^^^^^^^^^^^""",
    ),
    "whole values that were no shards": (
        one_call("SPMDShardToFullShape", 'mhlo.sharding = "{devices=[2]<=[2]}"', shard="8"),
        """\
p.mlir:2:8: error: stablehlo.custom_call @SPMDShardToFullShape: the operand is no shard: no @SPMDFullToShardShape is on the way to it
 2 |   %0 = stablehlo.custom_call @SPMDShardToFullShape(%x) {mhlo.sharding = "{devices=[2]<=[2]}"}
   |        ^^^^^^^^^^^^^^^^^^^^^""",
    ),
    "shards that stay behind an operation with effects": (
        one_call(
            "SPMDFullToShardShape",
            'mhlo.sharding = "{manual}"',
            argument=' {mhlo.sharding = "{devices=[2]<=[2]}"}',
        ).replace(
            "  return %0",
            "  stablehlo.custom_call @dce_sink(%x) {has_side_effect = true} : (tensor<4xf32>) -> ()\n"
            "  %1 = stablehlo.negate %0 : tensor<2xf32>\n  return %1",
        ),
        """\
p.mlir:2:8: error: stablehlo.custom_call @SPMDFullToShardShape: shards leave as they are: no @SPMDShardToFullShape makes whole values of them""",
    ),
    "shards of a value on one device": (
        divided_by(before="{maximal device=0}"),
        """\
p.mlir:4:8: error: stablehlo.custom_call @SPMDFullToShardShape: the mesh of the whole value has the axes along which shards are manual
 4 |   %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"}
   |        ^^^^^^^^^^^^^^^^^^^^^ sharding = <@mesh_of_device_0, []>, manual_axes = "axis_0\"""",
    ),
    "an operand without a sharding": (
        one_call("SPMDFullToShardShape", 'mhlo.sharding = "{manual}"'),
        """\
p.mlir:2:8: error: stablehlo.custom_call @SPMDFullToShardShape: the operand has no sharding: @Sharding says how devices share it
 2 |   %0 = stablehlo.custom_call @SPMDFullToShardShape(%x) {mhlo.sharding = "{manual}"}
   |        ^^^^^^^^^^^^^^^^^^^^^ operand = tensor<4xf32>, result = tensor<2xf32>""",
    ),
    "a boundary without a sharding": (
        one_call("SPMDFullToShardShape", 'backend_config = ""'),
        """\
p.mlir:2:8: error: stablehlo.custom_call @SPMDFullToShardShape: it has the attribute mhlo.sharding: how devices share its values
 2 |   %0 = stablehlo.custom_call @SPMDFullToShardShape(%x) {backend_config = ""}
   |        ^^^^^^^^^^^^^^^^^^^^^ operands = tensor<4xf32>, results = tensor<2xf32>""",
    ),
    "an unknown mesh": (
        one_call("Sharding", 'xla.sdy.sharding = "#sdy.sharding_per_value<[<@m, [{}]>]>"', "4"),
        """\
p.mlir:2:8: error: stablehlo.custom_call @Sharding: there is no mesh @m: xla.sdy.meshes of the module has none
 2 |   %0 = stablehlo.custom_call @Sharding(%x) {xla.sdy.sharding = "#sdy.sharding_per_value<[<@m, [{}]>]>"}
   |        ^^^^^^^^^^^^^^^^^^^^^ sharding = <@m, [{}]>""",
    ),
    "no text of shardings": (
        one_call("Sharding", 'xla.sdy.sharding = "#sdy.sharding_per_value<[<@m"', "4"),
        """\
p.mlir:2:8: error: stablehlo.custom_call @Sharding: xla.sdy.sharding is no list of shardings: the brackets of this attribute or type are not balanced
 2 |   %0 = stablehlo.custom_call @Sharding(%x) {xla.sdy.sharding = "#sdy.sharding_per_value<[<@m"}
   |        ^^^^^^^^^^^^^^^^^^^^^ text = #sdy.sharding_per_value<[<@m""",
    ),
    "a number in the place of shardings": (
        one_call("Sharding", "xla.sdy.sharding = 1 : i64", "4"),
        """\
p.mlir:2:8: error: stablehlo.custom_call @Sharding: xla.sdy.sharding is no list of shardings
 2 |   %0 = stablehlo.custom_call @Sharding(%x) {xla.sdy.sharding = 1 : i64}
   |        ^^^^^^^^^^^^^^^^^^^^^ text = 1 : i64""",
    ),
    "a boundary without manual axes": (
        one_call(
            "xla.sdy.GlobalToLocalShape",
            'xla.sdy.in_shardings = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x"}]>]>',
        ),
        """\
p.mlir:2:8: error: stablehlo.custom_call @xla.sdy.GlobalToLocalShape: it has the attribute xla.sdy.manual_axes: how devices share its values
 2 |   %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) {xla.sdy.in_shardings = #sdy.sharding_per_value<[<mesh<["x"...
   |        ^^^^^^^^^^^^^^^^^^^^^ operands = tensor<4xf32>, results = tensor<2xf32>""",
    ),
    "unknown manual axes": (
        through_hlo(axes='"#sdy<manual_axes{\\22y\\22}>"'),
        """\
p.mlir:3:65: error: stablehlo.custom_call @xla.sdy.GlobalToLocalShape: the mesh has no axis "y\"""",
    ),
    "an unknown axis": (
        through_hlo(shardings='"#sdy.sharding_per_value<[<@mesh, [{\\22y\\22}]>]>"'),
        """\
p.mlir:3:65: error: stablehlo.custom_call @xla.sdy.GlobalToLocalShape: the mesh has no axis "y\"""",
    ),
    "other shardings than values": (
        through_hlo(shardings='"#sdy.sharding_per_value<[]>"'),
        """\
p.mlir:3:65: error: stablehlo.custom_call @xla.sdy.GlobalToLocalShape: xla.sdy.in_shardings has a sharding for each value""",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_said_with_its_place(name: str) -> None:
    text, expected = BAD[name]
    module = sm.load(text, name="p.mlir")
    values = [np.zeros(argument.type.shape, np.float32) for argument in arguments(module)]
    for run in (
        lambda: sm.run(module, *values),
        lambda: module.partition(),
        lambda: sm.cost(module),
    ):
        with pytest.raises(sm.StablemateError) as raised:
            run()
        message = str(raised.value)
        assert (message if "\n" in expected else message.split("\n")[0]) == expected


def test_wrong_shardings_are_warnings_of_the_verifier() -> None:
    module = sm.load(divided_by(whole="5", result="5"), name="p.mlir")
    (warning,) = module.diagnostics()
    assert warning.severity == "warning"
    _, expected = BAD["shards that do not divide"]
    assert str(warning) == expected.replace("error:", "warning:")
    assert sm.load(GSPMD).diagnostics() == []
    module.verify()


def arguments(module: sm.Module) -> Any:
    """The arguments of its function."""
    return module.entry().own_signature.arguments
