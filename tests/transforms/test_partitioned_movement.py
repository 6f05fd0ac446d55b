"""Programs that move rows of divided tensors compute what they compute on one device."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.transforms.sdy_partition import partition_program
from tests.sharded.partitioned_movement import check, on_devices

# A body, the shardings of its argument and its result, and the collective operations it needs.
PROGRAM: Final = """sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x16xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{before}]>}})
    -> (tensor<{shape}xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{after}]>}}) {{
  {body}
}}"""
X: Final = np.arange(128, dtype=np.float32).reshape(8, 16)
ROW, COLUMN = np.arange(8)[:, None], np.arange(16)

RESHARDINGS: Final = {
    "axes change places": ('{"x"}, {"y"}', '{"y"}, {"x"}', ["all_to_all", "collective_permute"]),
    "axes are in another order": ('{"x", "y"}, {}', '{"y", "x"}, {}', ["collective_permute"]),
    "an axis moves to the other dimension": ('{}, {"x"}', '{"x"}, {}', ["all_to_all"]),
    "another axis": ('{"x"}, {}', '{"y"}, {}', ["collective_permute"]),
    "an axis, and parts of what it divided": ('{}, {"x"}', '{"x"}, {"y"}', ["all_to_all"]),
    "half of an axis": ('{"y":(1)2}, {}', '{}, {"y":(1)2}', ["all_to_all"]),
}


# The sum of the columns of %s, of which there are some.
SUM: Final = """%r = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [1]
            : (tensor<8x{}xf32>, tensor<f32>) -> tensor<8xf32>"""

# Operations of rows that are divided by "y", the shape, the collective operations (by default
# so many collective_permutes), the result.
NEIGHBORS: Final[dict[str, tuple[str, str, Any, Any]]] = {
    "shifted rows": (
        """%b = stablehlo.pad %a, %z, low = [0, 1], high = [0, -1], interior = [0, 0]
            : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>""",
        "8x16", 1, np.pad(X, ((0, 0), (1, 0)))[:, :-1],
    ),
    "wider rows": (
        """%b = stablehlo.pad %a, %z, low = [0, 2], high = [0, 6], interior = [0, 0]
            : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x24xf32>""",
        "8x24", 1, np.pad(X, ((0, 0), (2, 6))),
    ),
    "every second one": (
        "%b = stablehlo.slice %a [0:8, 0:16:2] : (tensor<8x16xf32>) -> tensor<8x8xf32>",
        "8x8", 0, X[:, ::2],
    ),
    "zeros between rows": (
        """%b = stablehlo.pad %a, %z, low = [0, 0], high = [0, 1], interior = [0, 1]
            : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x32xf32>""",
        "8x32", 0, np.stack([X, 0 * X], 2).reshape(8, 32),
    ),
    "zeros between rows, and the first row elsewhere": (
        """%b = stablehlo.pad %a, %z, low = [0, 3], high = [0, -2], interior = [0, 1]
            : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x32xf32>""",
        "8x32", 1, np.pad(np.stack([X, 0 * X], 2).reshape(8, 32), ((0, 0), (3, 0)))[:, :32],
    ),
    "backwards": (
        "%b = stablehlo.reverse %a, dims = [1] : tensor<8x16xf32>", "8x16", 1, X[:, ::-1]
    ),
    "a roll": (
        """%l = stablehlo.slice %a [0:8, 13:16] : (tensor<8x16xf32>) -> tensor<8x3xf32>
        %r = stablehlo.slice %a [0:8, 0:13] : (tensor<8x16xf32>) -> tensor<8x13xf32>
        %b = stablehlo.concatenate %l, %r, dim = 1
            : (tensor<8x3xf32>, tensor<8x13xf32>) -> tensor<8x16xf32>""",
        "8x16", 1, np.roll(X, 3, 1),
    ),
    "differences of neighbors": (
        """%l = stablehlo.slice %a [0:8, 0:15] : (tensor<8x16xf32>) -> tensor<8x15xf32>
        %r = stablehlo.slice %a [0:8, 1:16] : (tensor<8x16xf32>) -> tensor<8x15xf32>
        %d = stablehlo.subtract %r, %l : tensor<8x15xf32>
        %b = stablehlo.pad %d, %z, low = [0, 1], high = [0, 0], interior = [0, 0]
            : (tensor<8x15xf32>, tensor<f32>) -> tensor<8x16xf32>""",
        "8x16", 1, np.pad(np.diff(X), ((0, 0), (1, 0))),
    ),
    "a running sum": (
        """%b = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 1, 16>,
            padding = dense<[[0, 0], [15, 0]]> : tensor<2x2xi64>}> ({
            ^bb0(%c: tensor<f32>, %d: tensor<f32>):
              %s = stablehlo.add %c, %d : tensor<f32>
              stablehlo.return %s : tensor<f32>
            }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>""",
        "8x16", ["all_gather"], np.cumsum(X, 1),
    ),
    "sums of neighbors": (
        """%b = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 1, 3>,
            padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}> ({
            ^bb0(%c: tensor<f32>, %d: tensor<f32>):
              %s = stablehlo.add %c, %d : tensor<f32>
              stablehlo.return %s : tensor<f32>
            }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>""",
        "8x16", 2, X + np.pad(X, ((0, 0), (1, 0)))[:, :-1] + np.pad(X, ((0, 0), (0, 1)))[:, 1:],
    ),
    "a convolution of stride 2": (
        """%k = stablehlo.constant dense<1.0> : tensor<3x1x1xf32>
        %r = stablehlo.reshape %a : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
        %c = stablehlo.convolution(%r, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
            window = {stride = [2], pad = [[0, 1]]}
            {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
            : (tensor<8x16x1xf32>, tensor<3x1x1xf32>) -> tensor<8x8x1xf32>
        %b = stablehlo.reshape %c : (tensor<8x8x1xf32>) -> tensor<8x8xf32>""",
        "8x8", 1, X[:, ::2] + X[:, 1::2] + np.pad(X, ((0, 0), (0, 1)))[:, 2::2],
    ),
    "a gradient of a kernel": (
        """%r = stablehlo.reshape %a : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
        %c = stablehlo.convolution(%r, %r) dim_numbers = [f, 0, b]x[i, 0, o]->[b, 0, f],
            window = {pad = [[0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
            : (tensor<8x16x1xf32>, tensor<8x16x1xf32>) -> tensor<1x2x1xf32>
        %s = stablehlo.reshape %c : (tensor<1x2x1xf32>) -> tensor<2xf32>
        %b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<2xf32>) -> tensor<2x8xf32>""",
        "2x8", ["all_reduce", "collective_permute"],
        np.repeat([[(X * X).sum()], [(X[:, 1:] * X[:, :-1]).sum()]], 8, 1),
    ),
    "a few columns": (
        """%s = stablehlo.slice %a [0:8, 5:7] : (tensor<8x16xf32>) -> tensor<8x2xf32>
        %b = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<8x2xf32>) -> tensor<8x2x4xf32>
        """,
        "8x2x4", ["all_reduce"], np.repeat(X[:, 5:7, None], 4, 2),
    ),
    "a few columns from an index": (
        """%i = stablehlo.constant dense<15> : tensor<i32>
        %n = stablehlo.constant dense<0> : tensor<i32>
        %s = stablehlo.dynamic_slice %a, %n, %i, sizes = [8, 2]
            : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
        %b = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<8x2xf32>) -> tensor<8x2x4xf32>
        """,
        "8x2x4", ["all_reduce"], np.repeat(X[:, 14:, None], 4, 2),
    ),
    "an update of columns of several devices": (
        """%i = stablehlo.constant dense<3> : tensor<i32>
        %n = stablehlo.constant dense<0> : tensor<i32>
        %u = stablehlo.constant dense<7.0> : tensor<8x6xf32>
        %b = stablehlo.dynamic_update_slice %a, %u, %n, %i
            : (tensor<8x16xf32>, tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>""",
        "8x16", 0, np.where((np.arange(16) >= 3) & (np.arange(16) < 9), np.float32(7), X),
    ),
    "an update of a column": (
        """%i = stablehlo.constant dense<40> : tensor<ui8>
        %n = stablehlo.constant dense<2> : tensor<ui8>
        %u = stablehlo.constant dense<7.0> : tensor<3x1xf32>
        %b = stablehlo.dynamic_update_slice %a, %u, %n, %i
            : (tensor<8x16xf32>, tensor<3x1xf32>, tensor<ui8>, tensor<ui8>) -> tensor<8x16xf32>""",
        "8x16", 0,
        np.where((COLUMN == 15) & (ROW >= 2) & (ROW < 5), np.float32(7), X),
    ),
    "the gradient of maxima of windows": (
        """%m = stablehlo.constant dense<1.0> : tensor<4x4xf32>
        %b = "stablehlo.select_and_scatter"(%a, %m, %z) ({
        ^bb0(%p: tensor<f32>, %q: tensor<f32>):
          %c = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        }, {
        ^bb0(%p: tensor<f32>, %q: tensor<f32>):
          %c = stablehlo.add %p, %q : tensor<f32>
          stablehlo.return %c : tensor<f32>
        }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 4>}
          : (tensor<8x16xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<8x16xf32>""",
        "8x16", 0, ((ROW % 2 == 1) & (COLUMN % 4 == 2)).astype(np.float32),
    ),
    "a tile": (
        """%t = stablehlo.broadcast_in_dim %a, dims = [0, 2]
            : (tensor<8x16xf32>) -> tensor<8x2x16xf32>
        %b = stablehlo.reshape %t : (tensor<8x2x16xf32>) -> tensor<8x32xf32>""",
        "8x32", ["all_gather", "collective_permute"], np.tile(X, (1, 2)),
    ),
    "the sum of the first columns": (
        f"""%s = stablehlo.slice %a [0:8, 0:13] : (tensor<8x16xf32>) -> tensor<8x13xf32>
        {SUM.format(13)}
        %b = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>""",
        "8x4", ["all_reduce"], np.repeat(X[:, :13].sum(1, keepdims=True), 4, 1),
    ),
    "the sum of every third column": (
        f"""%s = stablehlo.slice %a [0:8, 1:15:3] : (tensor<8x16xf32>) -> tensor<8x5xf32>
        {SUM.format(5)}
        %b = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>""",
        "8x4", ["all_reduce", "collective_permute"],
        np.repeat(X[:, 1:15:3].sum(1, keepdims=True), 4, 1),
    ),
    "the greatest difference of neighbors": (
        """%l = stablehlo.slice %a [0:8, 0:15] : (tensor<8x16xf32>) -> tensor<8x15xf32>
        %r = stablehlo.slice %a [0:8, 1:16] : (tensor<8x16xf32>) -> tensor<8x15xf32>
        %d = stablehlo.subtract %l, %r : tensor<8x15xf32>
        %i = stablehlo.constant dense<-9.0> : tensor<f32>
        %m = stablehlo.reduce(%d init: %i) applies stablehlo.maximum across dimensions = [1]
            : (tensor<8x15xf32>, tensor<f32>) -> tensor<8xf32>
        %b = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>""",
        "8x4", ["all_reduce", "collective_permute"], np.full((8, 4), -1, np.float32),
    ),
    "a product of columns that devices cannot share evenly": (
        """%s = stablehlo.slice %a [0:8, 1:16] : (tensor<8x16xf32>) -> tensor<8x15xf32>
        %p = stablehlo.dot_general %s, %s, contracting_dims = [1] x [1]
            : (tensor<8x15xf32>, tensor<8x15xf32>) -> tensor<8x8xf32>
        %q = stablehlo.slice %p [0:8, 0:4] : (tensor<8x8xf32>) -> tensor<8x4xf32>
        %b = stablehlo.negate %q : tensor<8x4xf32>""",
        "8x4", ["all_reduce"], -(X[:, 1:] @ X[:4, 1:].T),
    ),
    "sums of a tensor of columns that devices cannot share evenly": (
        """%s = stablehlo.slice %a [0:8, 3:16] : (tensor<8x16xf32>) -> tensor<8x13xf32>
        %r = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [0]
            : (tensor<8x13xf32>, tensor<f32>) -> tensor<13xf32>
        %b = stablehlo.pad %r, %z, low = [3], high = [0], interior = [0]
            : (tensor<13xf32>, tensor<f32>) -> tensor<16xf32>""",
        "16", 0, np.where(np.arange(16) < 3, 0, X.sum(0)),
    ),
    "the same twice": (
        """%b = stablehlo.concatenate %a, %a, dim = 1
            : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>""",
        "8x32", 2, np.concatenate([X, X], 1),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NEIGHBORS)
def test_devices_get_rows_of_their_neighbors(name: str) -> None:
    operations, shape, messages, expected = NEIGHBORS[name]
    body = f"""%z = stablehlo.constant dense<0.0> : tensor<f32>
    {operations}
    return %b : tensor<{shape}xf32>"""
    after = ", ".join(["{}"] * shape.count("x") + ['{"y"}'])
    text = PROGRAM.format(before='{}, {"y"}', after=after, shape=shape, body=body)
    found, result = collectives(text)
    if isinstance(messages, int):
        messages = ["collective_permute"] * messages
    assert found == messages
    np.testing.assert_array_equal(result, expected)


def collectives(text: str) -> tuple[list[str], np.ndarray]:
    """The collective operations of a partitioned program, and its result."""
    partition = partition_program(sm.load(text).ir, "main", gathers=True)
    names = Counter(op.name.removeprefix("stablehlo.") for op in partition.module.operation.walk())
    kinds = ("all_gather", "all_reduce", "all_to_all", "collective_permute", "reduce_scatter")
    (result,) = on_devices(partition, X)
    return [kind for kind in kinds for _ in range(names[kind])], result


def test_every_third_column_is_gathered_from_what_devices_have() -> None:
    body = """%b = stablehlo.slice %a [0:8, 0:16:3] : (tensor<8x16xf32>) -> tensor<8x6xf32>
    return %b : tensor<8x6xf32>"""
    text = PROGRAM.format(before='{}, {"y"}', after="{}, {}", shape="8x6", body=body)
    partition = partition_program(sm.load(text).ir, "main", gathers=True)
    gathers = [op for op in partition.module.operation.walk() if "all_gather" in op.name]
    assert [op.results[0].type.shape for op in gathers] == [(8, 8)]
    np.testing.assert_array_equal(on_devices(partition, X)[0], X[:, ::3])


def test_operands_that_disagree_are_divided_as_the_result_is() -> None:
    body = """%t = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %b = stablehlo.dot_general %t, %a, contracting_dims = [1] x [0]
        : (tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
    return %b : tensor<16x16xf32>"""
    text = PROGRAM.format(before='{}, {"y"}', after='{}, {"y"}', shape="16x16", body=body)
    found, result = collectives(text)
    assert found == ["all_gather"]
    np.testing.assert_array_equal(result, X.T @ X)


# The last two convolve sums of windows that devices cannot share evenly.
@pytest.mark.parametrize("seed", [*range(60), 60878, 61121])
def test_a_generated_program(seed: int) -> None:
    check(seed)


GROUPS: Final = """sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x16xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{image}]>}})
    -> (tensor<{shape}xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{after}]>}}) {{
  %r = stablehlo.reshape %a : (tensor<8x16xf32>) -> tensor<8x1x16xf32>
  %i = stablehlo.iota dim = {dimension} : tensor<1x{depth}x16xf32>
  %k = sdy.sharding_constraint %i <@mesh, [{{}}, {{}}, {kernel}]> : tensor<1x{depth}x16xf32>
  %b = stablehlo.convolution(%r, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}}
      {{batch_group_count = {batches} : i64, feature_group_count = {features} : i64}}
      : (tensor<8x1x16xf32>, tensor<1x{depth}x16xf32>) -> tensor<{shape}xf32>
  return %b : tensor<{shape}xf32>
}}"""
# The numbers of groups of batches and of features, how the image, the kernel and the result are
# divided, the collective operations.
GROUPED: Final = (
    (1, 16, '{}, {"y"}', '{"y"}', '{}, {}, {"y"}', []),
    (1, 16, '{"x"}, {"y"}', "{}", '{"x"}, {}, {"y"}', []),
    (1, 4, '{}, {"x", "y"}', "{}", '{}, {}, {"x", "y":(1)2}', ["all_reduce"]),
    (1, 4, '{}, {"x"}', '{"x", "y"}', '{}, {}, {"x", "y"}', []),
    (1, 2, '{"x"}, {"y"}', "{}", '{"x"}, {}, {}', ["all_gather", "all_reduce"]),
    (4, 1, '{"y"}, {}', '{"y"}', '{}, {}, {"y"}', []),
    (2, 1, '{"x", "y"}, {}', '{"x"}', '{"y"}, {}, {"x"}', []),
    (2, 1, '{"x"}, {"y"}', "{}", '{}, {}, {"x"}', ["all_reduce"]),
)


@pytest.mark.parametrize("case", GROUPED, ids=str)
def test_groups_of_convolutions_are_divided(case: tuple[Any, ...]) -> None:
    batches, features, image, kernel, after, expected = case
    text = GROUPS.format(
        batches=batches,
        features=features,
        image=image,
        kernel=kernel,
        after=after,
        depth=16 // features,
        dimension=2 if features == 16 else 1,
        shape=f"{8 // batches}x1x16",
    )
    found, result = collectives(text)
    np.testing.assert_array_equal(result, sm.run(sm.parse(text), X, backend="interpreter"))
    assert found == expected


@pytest.mark.parametrize("name", RESHARDINGS)
def test_reshardings_gather_nothing_that_is_divided_again(name: str) -> None:
    before, after, expected = RESHARDINGS[name]
    body = "return %a : tensor<8x16xf32>"
    text = PROGRAM.format(before=before, after=after, shape="8x16", body=body)
    found, result = collectives(text)
    assert found == expected
    np.testing.assert_array_equal(result, X)


def test_rows_are_sorted_along_a_dimension_that_was_divided() -> None:
    body = """%r = "stablehlo.sort"(%a) <{dimension = 1 : i64}> ({
    ^bb0(%b: tensor<f32>, %c: tensor<f32>):
      %p = stablehlo.compare GT, %b, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    return %r : tensor<8x16xf32>"""
    text = PROGRAM.format(before='{}, {"y"}', after='{}, {"y"}', shape="8x16", body=body)
    found, result = collectives(text)
    assert found == ["all_to_all", "all_to_all"]
    np.testing.assert_array_equal(result, X[:, ::-1])


def test_divided_dimensions_are_merged() -> None:
    body = """%r = stablehlo.reshape %a : (tensor<8x16xf32>) -> tensor<128xf32>
    return %r : tensor<128xf32>"""
    text = PROGRAM.format(before='{"x"}, {"y"}', after='{"x", "y"}', shape="128", body=body)
    found, result = collectives(text)
    assert found == ["all_to_all"]
    np.testing.assert_array_equal(result, X.reshape(-1))


def test_a_slice_without_elements_has_none() -> None:
    body = """%r = stablehlo.slice %a [0:8, 16:16] : (tensor<8x16xf32>) -> tensor<8x0xf32>
    return %r : tensor<8x0xf32>"""
    text = PROGRAM.format(before='{}, {"y"}', after='{}, {"y"}', shape="8x0", body=body)
    _, result = collectives(text)
    assert result.shape == (8, 0)


GRADIENT: Final = """sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x16xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{sharding}]>}})
    -> (tensor<8x16xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{sharding}]>}}) {{
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %w = stablehlo.pad %a, %i, low = [{low}], high = [{high}], interior = [0, 0]
    : (tensor<8x16xf32>, tensor<f32>) -> tensor<{wide}xf32>
  %m = "stablehlo.reduce_window"(%w, %i) ({{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.maximum %p, %q : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }}) {{window_dimensions = array<i64: {size}>, window_strides = array<i64: {stride}>}}
    : (tensor<{wide}xf32>, tensor<f32>) -> tensor<{windows}xf32>
  %s = "stablehlo.select_and_scatter"(%w, %m, %z) ({{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }}, {{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }}) {{window_dimensions = array<i64: {size}>, window_strides = array<i64: {stride}>}}
    : (tensor<{wide}xf32>, tensor<{windows}xf32>, tensor<f32>) -> tensor<{wide}xf32>
  %b = stablehlo.slice %s [{slice}] : (tensor<{wide}xf32>) -> tensor<8x16xf32>
  return %b : tensor<8x16xf32>
}}"""
# Sizes, strides and padding of windows, and the sharding.
OVERLAPS: Final = (
    ((1, 3), (1, 1), (0, 1), (0, 1), '{}, {"y"}'),
    ((1, 3), (1, 2), (0, 0), (0, 1), '{"x"}, {"y"}'),
    ((3, 4), (1, 2), (1, 1), (1, 1), '{"x"}, {"y"}'),
    ((4, 3), (2, 1), (1, 0), (1, 2), '{"x"}, {"y"}'),
    ((2, 2), (1, 2), (0, 0), (1, 0), '{}, {"x", "y"}'),
)


@pytest.mark.parametrize("case", OVERLAPS, ids=str)
def test_gradients_of_maxima_of_windows_that_overlap(case: tuple[Any, ...]) -> None:
    size, stride, low, high, sharding = case
    wide = [n + a + b for n, a, b in zip((8, 16), low, high, strict=True)]
    windows = [(n - k) // s + 1 for n, k, s in zip(wide, size, stride, strict=True)]
    slices = [f"{a}:{a + n}" for n, a in zip((8, 16), low, strict=True)]
    lists = {"low": low, "high": high, "size": size, "stride": stride, "slice": slices}
    text = GRADIENT.format(
        sharding=sharding,
        wide="x".join(map(str, wide)),
        windows="x".join(map(str, windows)),
        **{name: ", ".join(map(str, numbers)) for name, numbers in lists.items()},
    )
    image = np.random.default_rng(0).integers(1, 5, (8, 16)).astype(np.float32)  # with equal ones
    expected = sm.run(sm.parse(text), image, backend="interpreter")
    partition = partition_program(sm.load(text).ir, "main", gathers=True)
    assert not [op for op in partition.module.operation.walk() if "gather" in op.name]
    np.testing.assert_array_equal(on_devices(partition, image)[0], expected)
