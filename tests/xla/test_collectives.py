"""Collective and transferring instructions, run on grids of processes; expected by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

import stablemate as sm
from stablemate.api.module import Module
from stablemate.execution.streams import Streams
from tests.xla.programs import ADD
from tests.xla.translation import translated


def run(
    body: str, *arguments: list[Any], replicas: int = 1, partitions: int = 1, **options: Any
) -> list[Any]:
    """The results of each process, the same ones on both back ends.

    ``arguments`` hold one entry for each process.
    """
    header = f"HloModule m, replica_count={replicas}, num_partitions={partitions}\n"
    module = Module(translated(header + ADD + body), "mlir")
    rows = list(zip(*arguments, strict=True)) or [()] * (replicas * partitions)
    value, native = (
        sm.run_grid(
            module, rows, replicas=replicas, partitions=partitions, backend=backend, **options
        )
        for backend in ("interpreter", "cpu")
    )
    for a, b in zip(value, native, strict=True):
        np.testing.assert_array_equal(a, b)
    return value


X = [np.arange(4, dtype=np.float32) + 10 * i for i in range(4)]


def alike(actual: list[Any], expected: list[Any]) -> None:
    """Each process has what it should."""
    assert len(actual) == len(expected)
    for a, b in zip(actual, expected, strict=True):
        np.testing.assert_array_equal(a, np.asarray(b, np.float32))


def test_all_reduce_in_groups() -> None:
    completed = run(
        """ENTRY e { x = f32[4] parameter(0)
        ROOT r = f32[4] all-reduce(x), replica_groups={{0,2},{1,3}}, to_apply=add }""",
        X,
        replicas=4,
    )
    alike(completed, [X[0] + X[2], X[1] + X[3]] * 2)


def test_all_reduce_of_several_arrays_in_halves() -> None:
    completed = run(
        """ENTRY e { x = f32[4] parameter(0)
        y = f32[4] negate(x)
        s = (f32[4], f32[4]) all-reduce-start(x, y), replica_groups=[2,2]<=[4], to_apply=add
        d = (f32[4], f32[4]) all-reduce-done(s)
        ROOT r = f32[4] get-tuple-element(d), index=1 }""",
        X,
        replicas=4,
    )
    low, high = -X[0] - X[1], -X[2] - X[3]
    alike(completed, [low, low, high, high])


def test_groups_along_the_axes_of_a_mesh() -> None:
    completed = run(
        """ENTRY e { x = f32[4] parameter(0)
        ROOT r = f32[4] all-reduce(x), channel_id=1, use_global_device_ids=true,
          replica_groups=mesh['x'=2,'y'=2] {'x'}, to_apply=add }""",
        X,
        partitions=4,
    )
    alike(completed, [X[0] + X[2], X[1] + X[3]] * 2)


def test_all_gather_of_partitions() -> None:
    completed = run(
        """ENTRY e { x = f32[4] parameter(0)
        ROOT r = f32[8] all-gather(x), channel_id=1, use_global_device_ids=true,
          replica_groups=[2,2]<=[2,2]T(1,0), dimensions={0} }""",
        X,
        partitions=4,
    )
    even, odd = np.concatenate(X[::2]), np.concatenate(X[1::2])
    alike(completed, [even, odd, even, odd])


def test_all_gather_in_halves() -> None:
    completed = run(
        """ENTRY e { x = f32[4] parameter(0)
        s = (f32[4], f32[8]) all-gather-start(x), replica_groups={{0,1},{2,3}}, dimensions={0}
        ROOT r = f32[8] all-gather-done(s) }""",
        X,
        replicas=4,
    )
    low, high = np.concatenate(X[:2]), np.concatenate(X[2:])
    alike(completed, [low, low, high, high])


def test_reduce_scatter() -> None:
    completed = run(
        """ENTRY e { x = f32[4] parameter(0)
        ROOT r = f32[2] reduce-scatter(x), replica_groups={{0,1}}, dimensions={0},
          to_apply=add }""",
        X[:2],
        replicas=2,
    )
    total = X[0] + X[1]
    alike(completed, [total[:2], total[2:]])


def test_all_to_all_of_an_array() -> None:
    completed = run(
        """ENTRY e { x = f32[4] parameter(0)
        ROOT r = f32[4] all-to-all(x), replica_groups={}, dimensions={0} }""",
        X,
        replicas=4,
    )
    alike(completed, np.stack(X).T.tolist())


def test_all_to_all_of_a_tuple() -> None:
    completed = run(
        """ENTRY e { x = f32[4] parameter(0)
        y = f32[4] negate(x)
        t = (f32[4], f32[4]) all-to-all(x, y), replica_groups={{0,1},{2,3}}
        a = f32[4] get-tuple-element(t), index=0
        b = f32[4] get-tuple-element(t), index=1
        ROOT r = f32[8] concatenate(a, b), dimensions={0} }""",
        X,
        replicas=4,
    )
    expected = [[X[0], X[1]], [-X[0], -X[1]], [X[2], X[3]], [-X[2], -X[3]]]
    alike(completed, [np.concatenate(item) for item in expected])


def test_collective_permute_in_halves() -> None:
    completed = run(
        """ENTRY e { x = f32[4] parameter(0)
        s = (f32[4], f32[4], u32[], u32[]) collective-permute-start(x),
          source_target_pairs={{0,1},{1,2}}
        ROOT r = f32[4] collective-permute-done(s) }""",
        X[:3],
        replicas=3,
    )
    alike(completed, [np.zeros(4), X[0], X[1]])


def test_collective_permute_of_a_slice_into_another_array() -> None:
    completed = run(
        """ENTRY e { x = f32[4] parameter(0)
        y = f32[4] negate(x)
        one = s32[] constant(1)
        two = s32[] constant(2)
        i = (s32[]) tuple(one)
        o = (s32[]) tuple(two)
        ROOT r = f32[4] collective-permute(x, y, i, o), source_target_pairs={{0,1}},
          slice_sizes={{2}} }""",
        X[:2],
        replicas=2,
    )
    alike(completed, [-X[0], [*-X[1][:2], *X[0][1:3]]])


def test_a_slice_is_permuted_in_halves() -> None:
    completed = run(
        """ENTRY e { x = f32[4] parameter(0)
        y = f32[4] negate(x)
        one = s32[] constant(1)
        i = (s32[]) tuple(one)
        s = (f32[4], f32[4], u32[], u32[]) collective-permute-start(x, y, i, i),
          source_target_pairs={{0,1}}, slice_sizes={{3}}
        ROOT r = f32[4] collective-permute-done(s) }""",
        X[:2],
        replicas=2,
    )
    alike(completed, [-X[0], [-X[1][0], *X[0][1:]]])


def test_collective_broadcast() -> None:
    completed = run(
        """ENTRY e { x = f32[4] parameter(0)
        ROOT r = f32[4] collective-broadcast(x), replica_groups={{2,1}} }""",
        X[:3],
        replicas=3,
    )
    alike(completed, [np.zeros(4), X[2], X[2]])


def test_ragged_all_to_all() -> None:
    """As the document has it: rows go where their senders say."""
    completed = run(
        """ENTRY e { x = f32[6] parameter(0)
        o = f32[6] parameter(1)
        starts = s32[2] parameter(2)
        sizes = s32[2] parameter(3)
        places = s32[2] parameter(4)
        got = s32[2] parameter(5)
        ROOT r = f32[6] ragged-all-to-all(x, o, starts, sizes, places, got),
          replica_groups={{0,1}} }""",
        [np.array([1, 2, 2, 0, 0, 0], np.float32), np.array([3, 4, 0, 0, 0, 0], np.float32)],
        [np.full(6, 9, np.float32)] * 2,
        [np.array([0, 1], np.int32), np.array([0, 1], np.int32)],
        [np.array([1, 2], np.int32), np.array([1, 1], np.int32)],
        [np.array([0, 0], np.int32), np.array([1, 2], np.int32)],
        [np.array([1, 1], np.int32), np.array([2, 1], np.int32)],
        replicas=2,
    )
    alike(completed, [[1, 3, 9, 9, 9, 9], [2, 2, 4, 9, 9, 9]])


def test_ids() -> None:
    completed = run(
        """ENTRY e { r = u32[] replica-id()
        p = u32[] partition-id()
        t = u32[] constant(10)
        m = u32[] multiply(r, t)
        ROOT s = u32[] add(m, p) }""",
        replicas=2,
        partitions=2,
    )
    assert [int(item) for item in completed] == [0, 1, 10, 11]


def test_processes_exchange_before_they_wait() -> None:
    """Both ask for data before they send theirs: neither waits for the other's send."""
    pairs = "frontend_attributes={_xla_send_recv_source_target_pairs={{0,1},{1,0}}}"
    completed = run(
        f"""ENTRY e {{ x = f32[4] parameter(0)
        t = token[] after-all()
        r = (f32[4], u32[], token[]) recv(t), channel_id=1, {pairs}
        s = (f32[4], u32[], token[]) send(x, t), channel_id=1, {pairs}
        d = (f32[4], token[]) recv-done(r), channel_id=1, {pairs}
        e = token[] send-done(s), channel_id=1, {pairs}
        ROOT v = f32[4] get-tuple-element(d), index=0 }}""",
        X[:2],
        replicas=2,
    )
    alike(completed, [X[1], X[0]])


def test_infeed_and_outfeed() -> None:
    streams = Streams(infeed=[[(X[1], np.int32(7))]])
    text = """ENTRY e { t = token[] after-all()
      i = ((f32[4], s32[]), token[]) infeed(t)
      d = (f32[4], s32[]) get-tuple-element(i), index=0
      k = token[] get-tuple-element(i), index=1
      o = token[] outfeed(d, k), outfeed_shape=(f32[4]{0}, s32[])
      ROOT x = f32[4] get-tuple-element(d), index=0 }"""
    module = Module(translated(text), "mlir").run(streams=streams)
    np.testing.assert_array_equal(module, X[1])
    (data,) = streams.outfeed[0]
    np.testing.assert_array_equal(data[0], X[1])
    assert int(data[1]) == 7
