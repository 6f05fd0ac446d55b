"""Collective operations as formulas: operands of all processes in, results of all processes out.

Expected values are those of the specification's examples, or by hand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.dialects.stablehlo.collectives import Collective
from stablemate.ir.grid import Grid

ADD = (lambda x, y: (x + y,),)  # the region of the programs below


def operation(text: str) -> Collective:
    """The collective operation of a program."""
    module = sm.load(text)
    assert module.diagnostics() == []
    return next(
        operation for operation in module.operation.walk() if isinstance(operation, Collective)
    )


def on_grid(text: str, grid: Grid, *operands: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The results of every process; each argument holds one operand of all processes."""
    op = operation(text)
    own = dict(zip(grid.processes, zip(*operands, strict=True), strict=True))
    results: list[tuple[Any, ...]] = []
    for process in grid.processes:
        group = op.group_of(process, grid)
        if group is None:
            outputs = op.evaluate_ungrouped([np.asarray(value) for value in own[process]])
        else:
            arrays = [[np.asarray(value) for value in own[member]] for member in group]
            outputs = op.evaluate_group(arrays, group.index(process), ADD)
        results.append(outputs if isinstance(outputs, tuple) else (outputs,))
    return results


def lists(results: list[tuple[Any, ...]]) -> list[list[Any]]:
    """The results as nested lists."""
    return [[array.tolist() for array in process] for process in results]


def program(types: str, results: str, name: str, attributes: str, region: str = "") -> str:
    """A function of one collective operation."""
    argument_types = re.split(r", (?=tensor)", types)
    arguments = ", ".join(
        f"%{i}: {argument_type}" for i, argument_type in enumerate(argument_types)
    )
    values = ", ".join(f"%{i}" for i in range(len(argument_types)))
    count = results.count("tensor")
    return f"""
      func.func @main({arguments}) {{
        %r:{count} = "stablehlo.{name}"({values}) <{{{attributes}}}> {region}
          : ({types}) -> ({results})
        return
      }}"""


def adding(element: str) -> str:
    """The region that adds."""
    return f"""({{
      ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
        %s = stablehlo.add %a, %b : tensor<{element}>
        stablehlo.return %s : tensor<{element}>
      }})"""


REPLICAS_01 = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
X_AXIS = (
    "replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = "
    '[<name = "x", size = 2>, <name = "y", size = 2>]>, axes = [#stablehlo.axis_ref<name = "x">]>'
)


def test_all_gather_concatenates_in_the_order_of_the_group() -> None:
    two = "tensor<2x2xi64>, tensor<2x2xi64>"
    four = "tensor<2x4xi64>, tensor<2x4xi64>"
    text = program(two, four, "all_gather", f"all_gather_dim = 1 : i64, {REPLICAS_01}")
    first = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
    second = [[[11, 12], [13, 14]], [[15, 16], [17, 18]]]
    both = [[[1, 2, 5, 6], [3, 4, 7, 8]], [[11, 12, 15, 16], [13, 14, 17, 18]]]
    assert lists(on_grid(text, Grid(2), first, second)) == [both, both]


def test_all_gather_with_a_channel_has_the_partitions_of_a_group_too() -> None:
    attributes = f"all_gather_dim = 0 : i64, {REPLICAS_01}, {CHANNEL}"
    text = program("tensor<1xi64>", "tensor<4xi64>", "all_gather", attributes)
    # (0, 0), (0, 1), (1, 0), (1, 1); replicas vary fastest within a group.
    results = lists(on_grid(text, Grid(2, 2), [[0], [1], [10], [11]]))
    assert results == [[[0, 10, 1, 11]]] * 4


def test_all_gather_along_a_mesh_axis() -> None:
    attributes = f"all_gather_dim = 0 : i64, {X_AXIS}, {CHANNEL}, use_global_device_ids"
    text = program("tensor<1xi64>", "tensor<2xi64>", "all_gather", attributes)
    results = lists(on_grid(text, Grid(1, 4), [[0], [1], [2], [3]]))
    assert results == [[[0, 2]], [[1, 3]], [[0, 2]], [[1, 3]]]


def test_all_reduce_combines_every_operand() -> None:
    four = "tensor<4xi64>, tensor<4xi64>"
    text = program(four, four, "all_reduce", REPLICAS_01, adding("i64"))
    first = [[1, 2, 3, 4], [5, 6, 7, 8]]
    second = [[9, 10, 11, 12], [13, 14, 15, 16]]
    both = [[6, 8, 10, 12], [22, 24, 26, 28]]
    assert lists(on_grid(text, Grid(2), first, second)) == [both, both]


def test_all_reduce_promotes_and_ignores_padding_ids() -> None:
    groups = "replica_groups = dense<[[0, 2], [1, -1]]> : tensor<2x2xi64>"
    text = program("tensor<1xi8>", "tensor<1xi32>", "all_reduce", groups, adding("i32"))
    operands = [np.array([100], np.int8), np.array([7], np.int8), np.array([100], np.int8)]
    results = on_grid(text, Grid(3), operands)
    assert lists(results) == [[[200]], [[7]], [[200]]]
    assert results[0][0].dtype == np.int32


def test_cross_replica_sum_adds() -> None:
    text = program("tensor<2xf32>", "tensor<2xf32>", "cross-replica-sum", REPLICAS_01)
    operands = [np.array([1, 2], np.float32), np.array([3, 4], np.float32)]
    assert lists(on_grid(text, Grid(2), operands)) == [[[4.0, 6.0]]] * 2


def test_all_to_all_exchanges_parts() -> None:
    attributes = (
        "split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, "
        + REPLICAS_01
    )
    two = "tensor<2x4xi64>, tensor<2x4xi64>"
    text = program(two, "tensor<4x2xi64>, tensor<4x2xi64>", "all_to_all", attributes)
    first = [[[1, 2, 3, 4], [5, 6, 7, 8]], [[9, 10, 11, 12], [13, 14, 15, 16]]]
    second = [[[17, 18, 19, 20], [21, 22, 23, 24]], [[25, 26, 27, 28], [29, 30, 31, 32]]]
    assert lists(on_grid(text, Grid(2), first, second)) == [
        [[[1, 2], [5, 6], [9, 10], [13, 14]], [[17, 18], [21, 22], [25, 26], [29, 30]]],
        [[[3, 4], [7, 8], [11, 12], [15, 16]], [[19, 20], [23, 24], [27, 28], [31, 32]]],
    ]


def test_collective_broadcast_sends_the_operand_of_the_first() -> None:
    groups = "replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>"
    text = program("tensor<1x2xi64>", "tensor<1x2xi64>", "collective_broadcast", groups)
    results = lists(on_grid(text, Grid(4), [[[1, 2]], [[3, 4]], [[5, 6]], [[7, 8]]]))
    assert results == [[[[0, 0]]], [[[5, 6]]], [[[5, 6]]], [[[0, 0]]]]


DYNAMIC_ROOT = f"{REPLICAS_01}, has_dynamic_root"


def test_collective_broadcast_takes_a_root_for_each_operand() -> None:
    types = "tensor<1xi64>, tensor<1xi64>, tensor<2xi32>"
    text = program(types, "tensor<1xi64>, tensor<1xi64>", "collective_broadcast", DYNAMIC_ROOT)
    results = lists(on_grid(text, Grid(2), [[1], [2]], [[10], [20]], [[1, 0], [1, 0]]))
    assert results == [[[2], [10]]] * 2


def test_a_root_outside_the_group_is_an_error() -> None:
    types = "tensor<1xi64>, tensor<1xi32>"
    text = program(types, "tensor<1xi64>", "collective_broadcast", DYNAMIC_ROOT)
    with pytest.raises(sm.EvaluationError, match="collective_broadcast C6"):
        on_grid(text, Grid(2), [[1], [2]], [[2], [2]])


def test_collective_permute_sends_from_source_to_target() -> None:
    pairs = "source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>"
    text = program("tensor<2x2xi64>", "tensor<2x2xi64>", "collective_permute", pairs)
    operands = [[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]]]
    assert lists(on_grid(text, Grid(3), operands)) == [
        [[[0, 0], [0, 0]]],
        [[[1, 2], [3, 4]]],
        [[[5, 6], [7, 8]]],
    ]


def test_zeros_of_quantized_results_are_their_zero_points() -> None:
    quantized = "tensor<1x!quant.uniform<i8:f32, 0.5:3>>"
    pairs = "source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>"
    text = program(quantized, quantized, "collective_permute", pairs)
    operands = [np.array([7], np.int8), np.array([8], np.int8)]
    assert lists(on_grid(text, Grid(2), operands)) == [[[3]], [[7]]]


FOUR_REPLICAS = "replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>"


def test_collective_reduce_gives_the_root_the_result() -> None:
    types = "tensor<1x2xi64>"
    text = program(types, types, "collective_reduce", FOUR_REPLICAS, adding("i64"))
    results = lists(on_grid(text, Grid(4), [[[1, 2]], [[3, 4]], [[5, 6]], [[7, 8]]]))
    assert results == [[[[16, 20]]], [[[0, 0]]], [[[0, 0]]], [[[0, 0]]]]


def test_collective_reduce_takes_the_root_from_its_last_operand() -> None:
    attributes = f"{FOUR_REPLICAS}, has_dynamic_root"
    types = "tensor<1x2xi64>, tensor<1xi32>"
    text = program(types, "tensor<1x2xi64>", "collective_reduce", attributes, adding("i64"))
    data, roots = [[[1, 2]], [[3, 4]], [[5, 6]], [[7, 8]]], [[3]] * 4
    results = lists(on_grid(text, Grid(4), data, roots))
    assert results == [[[[0, 0]]], [[[0, 0]]], [[[0, 0]]], [[[16, 20]]]]


def test_every_member_receives_its_part_of_reduce_scatter() -> None:
    attributes = f"{REPLICAS_01}, scatter_dimension = 1 : i64"
    text = program(
        "tensor<2x4xi64>", "tensor<2x2xi64>", "reduce_scatter", attributes, adding("i64")
    )
    operands = [[[1, 2, 3, 4], [5, 6, 7, 8]], [[9, 10, 11, 12], [13, 14, 15, 16]]]
    results = lists(on_grid(text, Grid(2), operands))
    assert results == [[[[10, 12], [18, 20]]], [[[14, 16], [22, 24]]]]


def test_reduce_scatter_divides_among_partitions_too() -> None:
    attributes = f"{REPLICAS_01}, {CHANNEL}, scatter_dimension = 0 : i64"
    text = program("tensor<2xi64>", "tensor<1xi64>", "reduce_scatter", attributes, adding("i64"))
    with pytest.raises(sm.EvaluationError, match="reduce_scatter C1") as caught:
        on_grid(text, Grid(2, 2), [[1, 2]] * 4)
    assert caught.value.diagnostics[0].values == {"size": 2, "group": 4}


@pytest.mark.parametrize("grid", [Grid(1), Grid(3)])
def test_groups_must_fit_the_grid(grid: Grid) -> None:
    text = program("tensor<2xi64>", "tensor<2xi64>", "all_reduce", REPLICAS_01, adding("i64"))
    with pytest.raises(sm.EvaluationError, match="all_reduce C2"):
        operation(text).process_groups(grid)


def test_partition_groups_must_fit_the_grid() -> None:
    attributes = (
        f"{REPLICAS_01}, split_dimension = 0 : i64, concat_dimension = 0 : i64, "
        "split_count = 2 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
    )
    text = program("tensor<2xi64>", "tensor<2xi64>", "all_to_all", attributes)
    assert operation(text).process_groups(Grid(1, 2)) == [((0, 0), (0, 1))]
    with pytest.raises(sm.EvaluationError, match="all_to_all C6"):
        operation(text).process_groups(Grid(2, 1))


def test_a_mesh_must_fit_the_grid() -> None:
    text = program("tensor<2xi64>", "tensor<2xi64>", "all_reduce", X_AXIS, adding("i64"))
    with pytest.raises(sm.EvaluationError, match=r"size\(mesh\)"):
        operation(text).process_groups(Grid(2))
