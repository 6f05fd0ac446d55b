"""Shardy: how tensors are partitioned, and features that the pinned oracle does not support yet."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import stablemate as sm
from stablemate.dialects.sdy.attributes import AxisRef, Mesh, MeshAxis, OpShardingRule, SubAxis
from stablemate.dialects.sdy.axes import AxisRange, axis_range, overlap, overlapping_axes
from stablemate.dialects.sdy.tensor_partition import TensorPartition, device_groups
from stablemate.dialects.stablehlo.elementwise import Abs
from stablemate.ir.builder import create
from stablemate.ir.core import Value
from stablemate.ir.types import Attribute, TensorType
from stablemate.ir.verifier import diagnose
from stablemate.numerics.elements import F32

# ---- axes


@given(
    st.lists(
        st.builds(
            AxisRef,
            st.sampled_from("xy"),
            st.none() | st.builds(SubAxis, st.sampled_from([1, 2, 4, 8]), st.sampled_from([2, 4])),
        )
    )
)
def test_overlapping_axes_are_those_of_which_two_overlap(axes: list[AxisRef]) -> None:
    sizes = {"x": 32, "y": 1}
    parts = [(str(axis), axis_range(axis, sizes)) for axis in axes]
    pairs = ((a, b) for (a, p), (b, q) in combinations(parts, 2) if overlap(p, q))
    assert overlapping_axes(axes, sizes) == sorted({axis for pair in pairs for axis in pair})


# ---- shards


@st.composite
def divisions(draw: st.DrawFn) -> TensorPartition:
    """Axes of two or three factors each, some of which divide the dimensions of a tensor."""
    factors = st.lists(st.integers(1, 3), min_size=1, max_size=3)
    axes = draw(st.dictionaries(st.sampled_from("xyz"), factors, min_size=1))
    parts: list[AxisRange] = []
    for name, sizes in axes.items():
        starts = [math.prod(sizes[:i]) for i in range(len(sizes) + 1)]
        parts += [AxisRange(name, *pair) for pair in pairwise(starts)]
    chosen = draw(st.permutations(parts))[: draw(st.integers(0, len(parts)))]
    rank = draw(st.integers(1, 3))
    places = [draw(st.integers(0, rank - 1)) for _ in chosen]
    dimensions = [
        [part for part, place in zip(chosen, places, strict=True) if place == d]
        for d in range(rank)
    ]
    return TensorPartition({name: math.prod(sizes) for name, sizes in axes.items()}, dimensions)


@given(divisions(), st.data())
def test_shards_make_up_the_tensor(division: TensorPartition, data: st.DataObject) -> None:
    count = math.prod(division.sizes.values())
    shape = [2 * count for count in division.counts]
    tensor = np.arange(math.prod(shape)).reshape(shape)
    shards = [division.piece(tensor, member) for member in range(count)]
    for piece in shards:
        assert piece.shape == (2,) * len(shape)
    member = data.draw(st.integers(0, count - 1))
    np.testing.assert_array_equal(division.assemble(shards, member), tensor)


@given(divisions())
def test_a_member_keeps_its_own_shard(division: TensorPartition) -> None:
    count = math.prod(division.sizes.values())
    shards = [np.full((1,) * len(division.parts), member) for member in range(count)]
    for member in range(count):
        assert division.piece(division.assemble(shards, member), member) == member


def test_the_major_axis_varies_slowest() -> None:
    division = TensorPartition({"x": 2, "y": 3}, [[AxisRange("y", 1, 3), AxisRange("x", 1, 2)]])
    pieces = [division.piece(np.arange(6), member).item() for member in range(6)]
    assert pieces == [0, 2, 4, 1, 3, 5]


def test_groups_are_ordered_by_their_places() -> None:
    mesh = Mesh((MeshAxis("x", 2), MeshAxis("y", 2)), (3, 1, 2, 0))
    assert device_groups(mesh, ("x",)) == [(3, 2), (1, 0)]
    assert device_groups(mesh, ("y", "x")) == [(3, 1, 2, 0)]


# ---- what no text can express


def test_a_dimension_has_a_factor() -> None:
    value = Value(TensorType((1,), F32))
    rule = OpShardingRule((2,), operands=(((),),), results=(((0,),),))
    discardable: dict[str, Attribute] = {"sdy.sharding_rule": rule}
    operation = create(Abs, operand=value, discardable=discardable)
    (diagnostic,) = diagnose(operation)
    assert diagnostic.rule == "stablehlo.abs sdy.sharding_rule factors"
    assert diagnostic.message == "A dimension has a factor"


# ---- reductions other than sums

REDUCED = """sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%arg0: tensor<8xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{}}], unreduced={operand}{{"x"}}>}}) -> tensor<8xf32> {{
  %0 = sdy.{operation} %arg0 out_sharding=<@mesh, [{{{axes}}}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}}
"""  # noqa: E501
ALL_REDUCE = 'all_reduce {}{{"x"}}'
REDUCE_SCATTER = 'reduce_scatter {}[{{"x"}}]'


def reduced(operation: str, operand: str, reduction: str) -> str:
    """A program that reduces along an axis."""
    word = f"{reduction} " if reduction else ""
    axes = '"x"' if operation is REDUCE_SCATTER else ""
    return REDUCED.format(operand=operand, operation=operation.format(word), axes=axes)


@pytest.mark.parametrize("reduction", ["", "max", "min"])
@pytest.mark.parametrize("operation", [ALL_REDUCE, REDUCE_SCATTER])
def test_reductions_are_read_written_and_run(operation: str, reduction: str) -> None:
    module = sm.load(reduced(operation, reduction, reduction))
    text = str(module)
    assert f"sdy.{operation.format(reduction + ' ' if reduction else '')}" in text
    assert f'unreduced={reduction}{{"x"}}' in text
    for generic in (False, True):
        assert not module.difference(sm.load(module.to_text(generic=generic)))
    x = np.arange(8, dtype=np.float32)
    np.testing.assert_array_equal(module.run(x), x)


def test_a_sum_may_be_explicit() -> None:
    text = reduced(ALL_REDUCE, "sum", "sum")
    assert not sm.load(text).difference(sm.load(reduced(ALL_REDUCE, "", "")))


@pytest.mark.parametrize("operation", [ALL_REDUCE, REDUCE_SCATTER])
def test_unreduced_axes_are_combined_by_their_reduction(operation: str) -> None:
    (diagnostic,) = sm.load(reduced(operation, "max", "min")).diagnostics()
    assert diagnostic.rule.endswith("reduction_op")
    assert diagnostic.values == {"operand": "max", "reduction_op": "min"}


def test_new_unreduced_axes_are_sums() -> None:
    text = """sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %0 = sdy.replicated_to_unreduced {"x"} %a
    out_sharding=<@mesh, [{}], unreduced=max{"x"}> : tensor<8xf32>
  return
}"""
    (diagnostic,) = sm.load(text).diagnostics()
    assert diagnostic.rule == "sdy.replicated_to_unreduced out_sharding"
    assert diagnostic.values == {"reduction": "max"}


@pytest.mark.parametrize(("kind", "is_static"), [("vector<4xf32>", True), ("tensor<?xf32>", False)])
def test_edges_of_data_flow_have_sizes_that_are_known(kind: str, is_static: bool) -> None:
    # Shardy, verifiers of data_flow_edge: for types of any shape, also vectors.
    text = f"func.func @main(%a: {kind}) {{ %0 = sdy.func_data_flow_edge %a : {kind} return }}"
    rules = [diagnostic.rule for diagnostic in sm.load(text).diagnostics()]
    assert rules == ([] if is_static else ["sdy.func_data_flow_edge result"])
