"""Grids in one thread: who waits for whom, in which order things happen, what goes wrong where."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest

import stablemate as sm

SUM = """({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    })"""
PAIR = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>"


def all_reduce(operand: str, groups: str = PAIR, element: str = "tensor<f32>") -> str:
    """The operation, without a result."""
    return f'"stablehlo.all_reduce"({operand}) <{{{groups}}}> {SUM} : ({element}) -> {element}'


def by_replica(branches: Sequence[str]) -> str:
    """A program in which each replica executes a branch of its own, which gives ``%r``."""
    regions = ", ".join(
        f"{{\n    {branch}\n    stablehlo.return %r : tensor<f32>\n  }}" for branch in branches
    )
    return f"""
func.func @main(%x: tensor<f32>) -> tensor<f32> {{
  %i = stablehlo.replica_id : tensor<ui32>
  %k = stablehlo.convert %i : (tensor<ui32>) -> tensor<i32>
  %0 = "stablehlo.case"(%k) ({regions}) : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
}}"""


def floats(*values: float) -> list[np.float32]:
    """One argument for each process."""
    return [np.float32(value) for value in values]


def notes_of(error: sm.StablemateError) -> list[str]:
    """What the error says of each process, without positions."""
    return [re.sub(r" \(<text>:\d+:\d+\)", "", note.message) for note in error.diagnostics[0].notes]


# ---- order


def test_sixty_four_processes_sum_in_a_loop() -> None:
    groups = f"replica_groups = dense<[{list(range(8))}]> : tensor<1x8xi64>"
    channel = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
    text = f"""
func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<ui32>) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %scale = stablehlo.constant dense<0.015625> : tensor<f32>
  %0:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<f32>
  cond {{
    %1 = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = {all_reduce("%s", f"{groups}, {channel}")}
    %4 = stablehlo.multiply %3, %scale : tensor<f32>
    stablehlo.return %2, %4 : tensor<i32>, tensor<f32>
  }}
  %5 = stablehlo.partition_id : tensor<ui32>
  return %0#1, %5 : tensor<f32>, tensor<ui32>
}}"""
    results = sm.run_grid(text, floats(*range(64)), replicas=8, partitions=8)
    assert len(results) == 64
    assert all(mean == np.float32(31.5) for mean, _ in results)
    assert [int(partition) for _, partition in results] == list(range(8)) * 8


def test_a_run_is_always_the_same() -> None:
    """Rounding depends on the order of a sum: it is that of the group, not that of arrival."""
    groups = "replica_groups = dense<[[3, 1, 0, 2]]> : tensor<1x4xi64>"
    text = f"""
func.func @main(%x: tensor<f32>) -> tensor<f32> {{
  %0 = {all_reduce("%x", groups)}
  return %0 : tensor<f32>
}}"""
    values = floats(1e8, -1e8, 3.0, 0.1)
    expected = ((values[3] + values[1]) + values[0]) + values[2]
    runs = [sm.run_grid(text, values, 4) for _ in range(3)]
    assert all(result == expected for run in runs for result in run)


def test_groups_go_on_without_each_other() -> None:
    groups = "replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>"
    text = by_replica(
        [f"%r = {all_reduce('%x', PAIR)}"] * 2 + ["%r = stablehlo.negate %x : tensor<f32>"] * 2
    )
    with pytest.raises(sm.EvaluationError, match="all_reduce C2"):
        sm.run_grid(text, floats(1, 2, 3, 4), 4)
    loop = f"""
func.func @main(%x: tensor<f32>, %n: tensor<i32>) -> tensor<f32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<f32>
  cond {{
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = {all_reduce("%s", groups)}
    stablehlo.return %2, %3 : tensor<i32>, tensor<f32>
  }}
  return %0#1 : tensor<f32>
}}"""
    arguments = [(np.float32(1), np.int32(n)) for n in (1, 1, 3, 3)]
    assert sm.run_grid(loop, arguments, 4) == [2, 2, 8, 8]


def test_a_source_goes_on_without_its_target() -> None:
    """In a permutation only targets wait: here 1 needs 0, which has gone on to need 1."""
    first = "source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>"
    second = "source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>"
    text = f"""
func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {{
  %0 = "stablehlo.collective_permute"(%x) <{{{first}}}> : (tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.collective_permute"(%x) <{{{second}}}> : (tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}}"""
    assert sm.run_grid(text, floats(1, 2), 2) == [(0, 2), (1, 0)]


def test_started_operations_overlap() -> None:
    """Each replica waits for the two operations in an order of its own."""
    start = """
  %{name} = "stablehlo.async_start"(%x) ({{
  ^bb0(%y: tensor<f32>):
    %0 = {operation}
    stablehlo.return %0 : tensor<f32>
  }}) : (tensor<f32>) -> !stablehlo.future<tensor<f32>>"""
    broadcast = f'"stablehlo.collective_broadcast"(%y) <{{{PAIR}}}> : (tensor<f32>) -> tensor<f32>'
    done = '%{0} = "stablehlo.async_done"(%{1}) : (!stablehlo.future<tensor<f32>>) -> tensor<f32>\n'
    waits = [
        done.format("p", first) + done.format("q", second)
        for first, second in permutations(("sum", "copy"))
    ]
    branches = [f"{wait}\n    stablehlo.return %p, %q : tensor<f32>, tensor<f32>" for wait in waits]
    text = f"""
func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {{
  %i = stablehlo.replica_id : tensor<ui32>
  %k = stablehlo.convert %i : (tensor<ui32>) -> tensor<i32>
  {start.format(name="sum", operation=all_reduce("%y"))}
  {start.format(name="copy", operation=broadcast)}
  %r:2 = "stablehlo.case"(%k) ({{ {branches[0]} }}, {{ {branches[1]} }})
    : (tensor<i32>) -> (tensor<f32>, tensor<f32>)
  return %r#0, %r#1 : tensor<f32>, tensor<f32>
}}"""
    assert sm.run_grid(text, floats(5, 7), 2) == [(12, 5), (5, 12)]


def test_starting_does_not_wait() -> None:
    """Replica 0 starts a sum and sends; replica 1 receives before it starts its part."""
    pairs = "source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>"
    text = f"""
func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {{
  %i = stablehlo.replica_id : tensor<ui32>
  %k = stablehlo.convert %i : (tensor<ui32>) -> tensor<i1>
  %t = stablehlo.create_token : !stablehlo.token
  %v = "stablehlo.if"(%k) ({{
    %r:2 = "stablehlo.recv"(%t) <{{{CHANNEL}, {pairs}}}>
      : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
    stablehlo.return %r#0 : tensor<f32>
  }}, {{
    stablehlo.return %x : tensor<f32>
  }}) : (tensor<i1>) -> tensor<f32>
  %f = "stablehlo.async_start"(%v) ({{
  ^bb0(%y: tensor<f32>):
    %0 = {all_reduce("%y")}
    stablehlo.return %0 : tensor<f32>
  }}) : (tensor<f32>) -> !stablehlo.future<tensor<f32>>
  %s = "stablehlo.send"(%x, %t) <{{{CHANNEL}, {pairs}}}>
    : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  %d = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<f32>>) -> tensor<f32>
  return %v, %d : tensor<f32>, tensor<f32>
}}"""
    assert sm.run_grid(text, floats(5, 7), 2) == [(5, 10), (5, 10)]


def test_a_future_that_is_returned_is_handed_out_as_what_it_holds() -> None:
    text = f"""
func.func @main(%x: tensor<f32>) -> !stablehlo.future<tensor<f32>> {{
  %f = "stablehlo.async_start"(%x) ({{
  ^bb0(%y: tensor<f32>):
    %0 = {all_reduce("%y")}
    stablehlo.return %0 : tensor<f32>
  }}) : (tensor<f32>) -> !stablehlo.future<tensor<f32>>
  return %f : !stablehlo.future<tensor<f32>>
}}"""
    assert sm.run_grid(text, floats(1, 2), 2) == [3, 3]


# ---- deadlocks


def test_different_operations_are_a_deadlock_that_says_who_waits_where() -> None:
    broadcast = f'"stablehlo.collective_broadcast"(%x) <{{{PAIR}}}> : (tensor<f32>) -> tensor<f32>'
    text = by_replica([f"%r = {all_reduce('%x')}", f"%r = {broadcast}"])
    with pytest.raises(sm.DeadlockError) as caught:
        sm.run_grid(sm.load(text, name="m.mlir"), floats(1, 2), 2)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.render() == (
        "m.mlir:6:10: error: no process can go on\n"
        ' 6 |     %r = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> :'
        " tensor<1x2xi64>}> ({\n"
        "   |          ^^^^^^^^^^^^^^^^^^^^^^\n"
        "note: (0,0) waits at all_reduce (m.mlir:6:10) for (1,0)\n"
        "note: (1,0) waits at collective_broadcast (m.mlir:13:10) for (0,0)"
    )


def test_equal_operations_of_one_program_are_different_ones() -> None:
    text = by_replica([f"%r = {all_reduce('%x')}"] * 2)
    with pytest.raises(sm.DeadlockError) as caught:
        sm.run_grid(text, floats(1, 2), 2)
    assert notes_of(caught.value) == [
        "(0,0) waits at all_reduce for (1,0)",
        "(1,0) waits at all_reduce for (0,0)",
    ]


def test_a_process_that_has_ended_is_named() -> None:
    text = by_replica([f"%r = {all_reduce('%x')}", "%r = stablehlo.negate %x : tensor<f32>"])
    with pytest.raises(sm.DeadlockError) as caught:
        sm.run_grid(text, floats(1, 2), 2)
    assert notes_of(caught.value) == ["(0,0) waits at all_reduce for (1,0)", "(1,0) has ended"]


def test_receivers_that_wait_for_one_another() -> None:
    pairs = "source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>"
    text = f"""
func.func @main() -> tensor<f32> {{
  %t = stablehlo.create_token : !stablehlo.token
  %r:2 = "stablehlo.recv"(%t) <{{{CHANNEL}, {pairs}}}>
    : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return %r#0 : tensor<f32>
}}"""
    with pytest.raises(sm.DeadlockError) as caught:
        sm.run_grid(text, (), 1, 2)
    assert notes_of(caught.value) == [
        "(0,0) waits at recv for channel 5 from (0,1)",
        "(0,1) waits at recv for channel 5 from (0,0)",
    ]


def test_what_nobody_receives_is_an_error() -> None:
    pairs = "source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>"
    text = f"""
func.func @main(%x: tensor<f32>) {{
  %t = stablehlo.create_token : !stablehlo.token
  %s = "stablehlo.send"(%x, %t) <{{{CHANNEL}, {pairs}}}>
    : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  return
}}"""
    with pytest.raises(sm.DeadlockError, match="a partner is missing") as caught:
        sm.run_grid(text, floats(1, 2), 2)
    assert notes_of(caught.value) == [
        "(0,0) has ended",
        "(1,0) has ended",
        "(0,0) sent on channel 5 at send, not received by (1,0)",
    ]


def test_a_target_that_does_not_come_is_an_error() -> None:
    pairs = "source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>"
    permute = f'"stablehlo.collective_permute"(%x) <{{{pairs}}}> : (tensor<f32>) -> tensor<f32>'
    text = by_replica([f"%r = {permute}", "%r = stablehlo.negate %x : tensor<f32>"])
    with pytest.raises(sm.DeadlockError, match="a partner is missing") as caught:
        sm.run_grid(text, floats(1, 2), 2)
    assert notes_of(caught.value)[2:] == [
        "(0,0) gave its operands at collective_permute, not taken by (1,0)"
    ]


def test_who_waits_for_what_was_started() -> None:
    text = f"""
func.func @main(%x: tensor<f32>) -> tensor<f32> {{
  %i = stablehlo.replica_id : tensor<ui32>
  %k = stablehlo.convert %i : (tensor<ui32>) -> tensor<i1>
  %0 = "stablehlo.if"(%k) ({{
    stablehlo.return %x : tensor<f32>
  }}, {{
    %f = "stablehlo.async_start"(%x) ({{
    ^bb0(%y: tensor<f32>):
      %1 = {all_reduce("%y")}
      stablehlo.return %1 : tensor<f32>
    }}) : (tensor<f32>) -> !stablehlo.future<tensor<f32>>
    %d = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<f32>>) -> tensor<f32>
    stablehlo.return %d : tensor<f32>
  }}) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}}"""
    with pytest.raises(sm.DeadlockError) as caught:
        sm.run_grid(text, floats(1, 2), 2)
    assert notes_of(caught.value) == [
        "(0,0) waits at async_done for all_reduce",
        "(0,0) waits at all_reduce for (1,0)",
        "(1,0) has ended",
    ]


# ---- errors


def test_an_error_names_the_process() -> None:
    text = """
func.func @main(%x: tensor<2xf32>) {
  check.expect_eq_const %x, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}"""
    arguments = [np.float32([1, 2]), np.float32([1, 3])]
    with pytest.raises(sm.EvaluationError, match="lhs = value") as caught:
        sm.run_grid(text, arguments, 1, 2)
    assert notes_of(caught.value) == ["in process (0,1)"]
    with pytest.raises(sm.EvaluationError) as caught:
        sm.run(text, arguments[1])
    assert notes_of(caught.value) == []


def test_an_argument_that_does_not_fit_names_the_process() -> None:
    text = "func.func @main(%x: tensor<2xf32>) { return }"
    with pytest.raises(sm.ArgumentError, match="argument 0") as caught:
        sm.run_grid(text, [np.zeros(2, np.float32), np.zeros(3, np.float32)], 2)
    assert notes_of(caught.value) == ["in process (1,0)"]


def test_groups_that_are_not_for_the_grid() -> None:
    text = f"""
func.func @main(%x: tensor<f32>) -> tensor<f32> {{
  %0 = {all_reduce("%x")}
  return %0 : tensor<f32>
}}"""
    with pytest.raises(sm.EvaluationError, match="all_reduce C2"):
        sm.run_grid(text, floats(1, 2, 3), 3)
    with pytest.raises(sm.EvaluationError, match="all_reduce C2") as caught:
        sm.run(text, np.float32(1))
    assert notes_of(caught.value) == [
        "this runs one process; for more, see sm.run_grid, --grid=RxP on the command line"
    ]


def test_a_program_for_a_grid_that_is_run_alone() -> None:
    text = """
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 2 : i32} {
  func.func @main() -> tensor<ui32> {
    %0 = stablehlo.partition_id : tensor<ui32>
    return %0 : tensor<ui32>
  }
}"""
    with pytest.raises(sm.EvaluationError, match="made for 8 processes") as caught:
        sm.run(text)
    assert notes_of(caught.value) == ["run it with sm.run_grid, or --grid=2x4 on the command line"]
    assert sm.run_grid(text) == [0, 1, 2, 3] * 2  # the grid that the module states
    assert sm.run_grid(text, partitions=1) == [0, 0]


def test_shapes_that_differ_between_processes() -> None:
    text = f"""
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {{
  %0 = {all_reduce("%x", element="tensor<?xf32>")}
  return %0 : tensor<?xf32>
}}"""
    (first, second) = sm.run_grid(text, [np.ones(3, np.float32)] * 2, 2)
    assert first.tolist() == second.tolist() == [2, 2, 2]
    with pytest.raises(sm.EvaluationError, match="same shapes in all processes"):
        sm.run_grid(text, [np.ones(3, np.float32), np.ones(2, np.float32)], 2)


def test_an_error_of_the_formula_is_at_the_operation() -> None:
    text = f"""
func.func @main(%x: tensor<f32>, %root: tensor<1xi32>) -> tensor<f32> {{
  %0 = "stablehlo.collective_broadcast"(%x, %root) <{{{PAIR}, has_dynamic_root}}>
    : (tensor<f32>, tensor<1xi32>) -> tensor<f32>
  return %0 : tensor<f32>
}}"""
    arguments = [(np.float32(1), np.int32([1])), (np.float32(2), np.int32([2]))]
    with pytest.raises(sm.EvaluationError, match=r"<text>:3:8.*collective_broadcast C6") as caught:
        sm.run_grid(text, arguments, 2)
    assert notes_of(caught.value) == ["in process (1,0)"]


def test_pairs_outside_the_grid() -> None:
    pairs = "source_target_pairs = dense<[[0, 2]]> : tensor<1x2xi64>"
    text = f"""
func.func @main(%x: tensor<f32>) {{
  %t = stablehlo.create_token : !stablehlo.token
  %s = "stablehlo.send"(%x, %t) <{{{CHANNEL}, {pairs}}}>
    : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  return
}}"""
    with pytest.raises(sm.EvaluationError, match="send C4"):
        sm.run_grid(text, floats(1, 2), 2)


def test_what_is_received_must_be_what_was_sent() -> None:
    text = f"""
func.func private @sends(%x: tensor<2xf32>) {{
  %t = stablehlo.create_token : !stablehlo.token
  %s = "stablehlo.send"(%x, %t) <{{{CHANNEL}}}>
    : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}}
func.func private @receives() -> tensor<3xf32> {{
  %t = stablehlo.create_token : !stablehlo.token
  %r:2 = "stablehlo.recv"(%t) <{{{CHANNEL}}}>
    : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return %r#0 : tensor<3xf32>
}}
func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> {{
  %r = "interpreter.run_parallel"(%x) <{{programs = ORDER}}> : (tensor<2xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}}"""
    for order in ("[[@sends], [@receives]]", "[[@receives], [@sends]]"):
        with pytest.raises(sm.EvaluationError, match=r"tensor<3xf32>\) is expected, but \(\d,0\)"):
            sm.run(text.replace("ORDER", order), np.float32([1, 2]))


def test_a_loop_without_end_stops_at_the_limit() -> None:
    text = f"""
func.func @main(%x: tensor<f32>) -> tensor<f32> {{
  %0 = stablehlo.while(%s = %x) : tensor<f32>
  cond {{
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %2 = {all_reduce("%s")}
    stablehlo.return %2 : tensor<f32>
  }}
  return %0 : tensor<f32>
}}"""
    with pytest.raises(sm.LimitError, match="longer than 5 iterations") as caught:
        sm.run_grid(text, floats(1, 2), 2, max_iterations=5)
    assert notes_of(caught.value) == ["in process (0,0)"]


# ---- arguments and results


SWAP = """
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  return %y, %x : tensor<2xf32>, tensor<2xf32>
}"""


def test_a_tuple_holds_the_arguments_of_every_process() -> None:
    x, y = np.float32([1, 2]), np.float32([3, 4])
    for results in sm.run_grid(SWAP, (x, y), 2):
        assert [result.tolist() for result in results] == [[3, 4], [1, 2]]


def test_anything_else_has_an_entry_for_each_process() -> None:
    text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
    entries = np.float32([[1, 2], [3, 4], [5, 6]])
    for item in (entries, list(entries), [(entry,) for entry in entries], iter(entries)):
        assert [array.tolist() for array in sm.run_grid(text, item, 3)] == entries.tolist()
    with pytest.raises(sm.ArgumentError, match=r"2 processes of a grid 2x1 .* but 3 were given"):
        sm.run_grid(text, entries, 2)
    with pytest.raises(sm.ArgumentError, match="takes 1 argument"):
        sm.run_grid(text, tuple(entries), 3)


def test_results_are_the_callers_own() -> None:
    x = np.float32([1, 2])
    text = f"""
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {{
  %0 = "stablehlo.collective_broadcast"(%x) <{{{PAIR}}}> : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %x : tensor<2xf32>, tensor<2xf32>
}}"""
    results = [item for pair in sm.run_grid(text, (x,), 2) for item in pair]
    for result in results:
        result += 1
    assert all(result.tolist() == [2, 3] for result in results)
    assert x.tolist() == [1, 2]


def test_a_grid_has_a_process() -> None:
    with pytest.raises(sm.ArgumentError, match="a grid of 0x2 has no process"):
        sm.run_grid(SWAP, (), 0, 2)


def test_several_arguments_are_one_tuple() -> None:
    x = np.zeros(2, np.float32)
    with pytest.raises(TypeError, match=r"replicas is a number, but ndarray was given; .*\(x, y\)"):
        sm.run_grid(SWAP, x, x)  # type: ignore[arg-type]
