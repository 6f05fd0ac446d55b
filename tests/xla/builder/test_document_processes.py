"""The documents' examples of several processes and of the host, run on grids."""

from __future__ import annotations

from typing import Any

import numpy as np

import stablemate as sm
from stablemate.xla.builder.handle import XlaOp

FIRST, SECOND = np.float32([1.0, 2.5]), np.float32([3.0, 5.25])


def on_replicas(b: sm.XlaBuilder, *arguments: Any, **options: Any) -> list[Any]:
    """The results of each replica."""
    rows = [argument if isinstance(argument, tuple) else (argument,) for argument in arguments]
    return [
        [array.tolist() for array in result] if isinstance(result, tuple) else result.tolist()
        for result in sm.run_grid(b.build(), rows, len(arguments), **options)
    ]


def test_all_gather() -> None:
    b = sm.XlaBuilder("all_gather")
    b.all_gather(b.parameter(0, "f32[2]"), all_gather_dim=0, shard_count=2)
    assert on_replicas(b, FIRST, SECOND) == [[1.0, 2.5, 3.0, 5.25]] * 2


def test_all_gather_in_groups() -> None:
    b = sm.XlaBuilder("all_gather")
    b.all_gather(b.parameter(0, "f32[1]"), 0, 2, [[0, 2], [1, 3]])
    values = [np.float32([n]) for n in range(4)]
    assert on_replicas(b, *values) == [[0.0, 2.0], [1.0, 3.0]] * 2


def test_all_reduce() -> None:
    b = sm.XlaBuilder("all_reduce")
    b.all_reduce(b.parameter(0, "f32[2]"), lambda x, y: x + y)
    assert on_replicas(b, FIRST, SECOND) == [[4.0, 7.75]] * 2


def test_all_reduce_of_a_tuple() -> None:
    b = sm.XlaBuilder("all_reduce")
    x = b.parameter(0, "f32[2]")
    result = b.all_reduce(b.tuple([x, x * 2.0]), lambda x, y: x + y)
    assert str(b.shape(result)) == "(f32[2]{0}, f32[2]{0})"
    assert on_replicas(b, FIRST, SECOND) == [[[4.0, 7.75], [8.0, 15.5]]] * 2


def test_cross_replica_sum() -> None:
    b = sm.XlaBuilder("cross_replica_sum")
    b.cross_replica_sum(b.parameter(0, "f32[2]"))
    assert on_replicas(b, FIRST, SECOND) == [[4.0, 7.75]] * 2


def test_reduce_scatter() -> None:
    # The document says that the second replica has 2.25, and 7.5 as the sum with 5.25.
    b = sm.XlaBuilder("reduce_scatter")
    b.reduce_scatter(b.parameter(0, "f32[2]"), lambda x, y: x + y, 0, 2)
    assert on_replicas(b, np.float32([1.0, 2.25]), SECOND) == [[4.0], [7.5]]


def test_all_to_all() -> None:
    # Four cores: split along dimension 1, joined along dimension 0.
    b = sm.XlaBuilder("alltoall")
    x = b.parameter(0, "f32[4,16]", "x")
    b.all_to_all(x, split_dimension=1, concat_dimension=0, split_count=4)
    values = [np.arange(64, dtype=np.float32).reshape(4, 16) + 100 * n for n in range(4)]
    expected = [
        np.concatenate([value[:, 4 * n : 4 * n + 4] for value in values]).tolist() for n in range(4)
    ]
    assert on_replicas(b, *values) == expected


def test_all_to_all_in_the_order_of_a_group() -> None:
    b = sm.XlaBuilder("alltoall")
    b.all_to_all(b.parameter(0, "s32[3]"), 0, 0, 3, replica_groups=[[1, 2, 3], [4, 5, 0]])
    values = [np.int32([10 * n, 10 * n + 1, 10 * n + 2]) for n in range(6)]
    on_replicas_result = on_replicas(b, *values)
    for group in ((1, 2, 3), (4, 5, 0)):
        for place, replica in enumerate(group):
            assert on_replicas_result[replica] == [10 * other + place for other in group]


def test_all_to_all_of_a_tuple() -> None:
    b = sm.XlaBuilder("alltoall")
    x = b.parameter(0, "f32[1]")
    b.all_to_all_tuple([x, x + 0.5], [[0, 1]])
    assert on_replicas(b, np.float32([1]), np.float32([2])) == [
        [[1.0], [2.0]],
        [[1.5], [2.5]],
    ]


def test_collective_permute() -> None:
    # Who is no target gets zeros.
    b = sm.XlaBuilder("permute")
    b.collective_permute(b.parameter(0, "f32[2]"), [(0, 1), (2, 0)])
    third = np.float32([7.0, 8.0])
    assert on_replicas(b, FIRST, SECOND, third) == [[7.0, 8.0], [1.0, 2.5], [0.0, 0.0]]


def test_collective_broadcast() -> None:
    b = sm.XlaBuilder("broadcast")
    b.collective_broadcast(b.parameter(0, "f32[2]"), [[1, 0]])
    assert on_replicas(b, FIRST, SECOND, FIRST) == [[3.0, 5.25], [3.0, 5.25], [0.0, 0.0]]


def test_ragged_all_to_all() -> None:
    b = sm.XlaBuilder("ragged")
    values, output = b.parameter(0, "f32[3]"), b.parameter(1, "f32[4]")
    sizes = [b.parameter(2 + n, "s32[2]") for n in range(4)]
    b.ragged_all_to_all(values, sizes[0], sizes[1], output, sizes[2], sizes[3], [[0, 1]])
    zeros = np.zeros(4, np.float32)
    offsets, send = np.int32([0, 1]), np.int32([1, 2])
    # Replica r sends one element to 0 and two to 1, which put them behind each other.
    first = (np.float32([1, 2, 3]), zeros, offsets, send, np.int32([0, 0]), np.int32([1, 1]))
    second = (np.float32([4, 5, 6]), zeros, offsets, send, np.int32([1, 2]), np.int32([2, 2]))
    assert on_replicas(b, first, second) == [[1.0, 4.0, 0.0, 0.0], [2.0, 3.0, 5.0, 6.0]]


def test_replica_id() -> None:
    b = sm.XlaBuilder("replica_id")
    b.convert_element_type(b.replica_id(), "s32") + b.parameter(0, "s32[]")
    assert on_replicas(b, *[np.int32(0)] * 3) == [0, 1, 2]


def test_infeed_in_loops_is_read_in_order() -> None:
    # result1 = while (condition, init = init_value) { Infeed(shape) }, then the same once more.
    b = sm.XlaBuilder("infeed")

    def condition(x: XlaOp) -> XlaOp:
        return x > 0

    def body(x: XlaOp, builder: Any) -> XlaOp:
        return builder.infeed("s32[]") + x * 0

    result1 = b.while_(condition, body, b.constant(1))
    result2 = b.while_(condition, body, result1 + 1)
    b.tuple([result1, result2])
    data = [np.int32(item) for item in (5, 3, 0, 9, -4, 100)]
    streams = sm.Streams(infeed=[data])
    assert [array.tolist() for array in b.build().run(streams=streams)] == [0, -4]


def test_outfeed() -> None:
    b = sm.XlaBuilder("outfeed")
    x = b.parameter(0, "f32[2]")
    b.outfeed(x * 2.0)
    streams = sm.Streams()
    b.build(x).run(FIRST, streams=streams)
    ((written,),) = streams.outfeed
    assert np.asarray(written).tolist() == [2.0, 5.0]
