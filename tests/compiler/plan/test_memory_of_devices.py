"""Memory of a program that devices share: what works in place, and the order of launches."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm
from stablemate.api.executables import function_operations
from stablemate.compiler.config.target import host
from stablemate.compiler.fusion.memory_order import (
    Launch,
    backward_order,
    forward_order,
    read_before_written,
)
from stablemate.compiler.graph.graph import Node
from stablemate.compiler.library_calls.calls import CallSequence
from stablemate.compiler.plan.buffer_assignment import assign_buffers, lifetimes
from stablemate.compiler.plan.in_place_chains import in_place_chains
from stablemate.compiler.plan.plan import (
    CopySlot,
    EndStep,
    LaunchStep,
    Plan,
    PlanBuffer,
    Request,
    SwapSlots,
)
from stablemate.compiler.plan.verifier import verify_plan
from stablemate.dialects.stablehlo.collectives import reduce_in_order, sequential_steps
from tests.compiler.plan.test_hosted_buffers import launch
from tests.compiler.plans import planned
from tests.compiler.result_comparison import same_bits

SUM = """"stablehlo.all_reduce"(%{}) <{{
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids
  }}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }}) : (tensor<64xf32>) -> tensor<64xf32>"""


def plan_of(body: str) -> Plan:
    """The plan of a program of one argument, whose result is called ``y``."""
    text = f"func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {{\n{body}\n"
    text += "  return %y : tensor<64xf32>\n}"
    functions = {f.symbol: f for f in function_operations(sm.load(text).ir)}
    return planned(functions, "main", host())


def sums(plan: Plan) -> list[Request]:
    """The all_reduces of a plan."""
    return [step for step in plan.steps if isinstance(step, Request)]


def test_a_sum_over_devices_is_written_over_its_operand() -> None:
    plan = plan_of(f"""
  %v = stablehlo.sine %x : tensor<64xf32>
  %s = {SUM.format("v")}
  %y = stablehlo.reverse %s, dims = [0] : tensor<64xf32>""")
    (request,) = sums(plan)
    assert request.operands == request.results
    assert plan.arena == 256


def test_a_result_that_devices_sum_hosts_its_operand() -> None:
    plan = plan_of(f"  %v = stablehlo.sine %x : tensor<64xf32>\n  %y = {SUM.format('v')}")
    (request,) = sums(plan)
    assert [slot.host for slot in request.operands] == request.results
    assert plan.arena == 0


def test_an_operand_that_is_read_later_is_not_overwritten() -> None:
    plan = plan_of(f"""
  %v = stablehlo.sine %x : tensor<64xf32>
  %s = {SUM.format("v")}
  %y = stablehlo.subtract %s, %v : tensor<64xf32>""")
    (request,) = sums(plan)
    assert request.operands != request.results


def test_a_sum_in_a_loop_is_written_where_the_loop_carries_it() -> None:
    plan = plan_of(f"""
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<100> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %o = %x) : tensor<i32>, tensor<64xf32>
  cond {{
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %v = stablehlo.reverse %o, dims = [0] : tensor<64xf32>
    %w = stablehlo.sine %v : tensor<64xf32>
    %t = stablehlo.reverse %w, dims = [0] : tensor<64xf32>
    %s = {SUM.format("t")}
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %s : tensor<i32>, tensor<64xf32>
  }}
  %y = stablehlo.negate %r#1 : tensor<64xf32>""")
    assert not any(isinstance(step, SwapSlots) for step in plan.steps)


def test_a_donated_argument_is_summed_in_place() -> None:
    from stablemate.compiler.plan.argument_reuse import reusable_arguments

    assert reusable_arguments(plan_of(f"  %y = {SUM.format('x')}")) == [(0, 0)]


@pytest.mark.parametrize("position", range(4))
def test_sums_in_order_may_be_written_over_any_piece(position: int) -> None:
    numbers = np.random.default_rng(0).standard_normal((4, 40000)).astype(np.float32)
    expected = ((numbers[0] + numbers[1]) + numbers[2]) + numbers[3]
    pieces = list(numbers.copy())
    reduce_in_order(np.add, pieces, pieces[position])
    np.testing.assert_array_equal(pieces[position], expected)
    pieces = list(numbers.copy())
    for step in sequential_steps(np.add, pieces, pieces[position]):
        step()
    np.testing.assert_array_equal(pieces[position], expected)


@pytest.mark.parametrize("size", [4, 5])
def test_an_update_of_a_slice_that_it_is_computed_from_stores_no_slice(size: int) -> None:
    text = f"""
func.func @main(%x: tensor<4x16xf32>, %i: tensor<i32>) -> tensor<4x16xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %j = stablehlo.add %i, %one : tensor<i32>
  %s = stablehlo.dynamic_slice %x, %zero, %j, sizes = [4, {size}]
    : (tensor<4x16xf32>, tensor<i32>, tensor<i32>) -> tensor<4x{size}xf32>
  %u = stablehlo.add %s, %s : tensor<4x{size}xf32>
  %k = stablehlo.add %i, %one : tensor<i32>
  %y = stablehlo.dynamic_update_slice %x, %u, %zero, %k
    : (tensor<4x16xf32>, tensor<4x{size}xf32>, tensor<i32>, tensor<i32>) -> tensor<4x16xf32>
  return %y : tensor<4x16xf32>
}}"""
    x = np.arange(64, dtype=np.float32).reshape(4, 16)
    executable = same_bits(text, x, np.int32(2))
    # vectors of 4 of 5 elements overlap, and would read what is replaced
    assert executable.plan.arena == (0 if size == 4 else 4 * 4 * size)


@pytest.mark.parametrize(("reverses", "arena"), [(False, 32), (True, 64)])
def test_a_slot_is_computed_in_the_place_of_another_one(reverses: bool, arena: int) -> None:
    x, y = PlanBuffer(0, 32, "argument"), PlanBuffer(1, 32, "result")
    a, b, c = (PlanBuffer(2 + i, 32, "local") for i in range(3))
    steps = [launch(x, a), launch(a, b, reverses=reverses), launch(b, c), launch(c, y)]
    plan = Plan([x, y, a, b, c], [CopySlot(x, y), *steps, EndStep()])
    assign_buffers(plan, shares_machine=True)
    assert plan.arena == arena
    assert b.offset == c.offset
    assert (a.offset == b.offset) is not reverses


def test_results_of_one_call_have_memory_of_their_own() -> None:
    x, y = PlanBuffer(0, 32, "argument"), PlanBuffer(1, 32, "result")
    a, b, c = (PlanBuffer(2 + i, 32, "local") for i in range(3))
    calls = CallSequence([], [], 0, 1, 1, 0.0, is_in_place=True)
    request = Request(Node(None, ()), [a], [b, c], calls)
    plan = Plan([x, y, a, b, c], [launch(x, a), request, launch(b, y), EndStep()])
    assert in_place_chains(plan.steps, lifetimes(plan)) == [[a, b], [c]]


def test_a_slot_over_one_that_is_needed_is_rejected() -> None:
    x, y = PlanBuffer(0, 32, "argument"), PlanBuffer(1, 32, "result")
    a, b = (PlanBuffer(2 + i, 32, "local", offset=0) for i in range(2))
    steps = [launch(x, a), launch(a, b), launch(a, y), launch(b, y)]
    with pytest.raises(sm.CompileError, match="s3 is written over s2"):
        verify_plan(Plan([x, y, a, b], [*steps, EndStep()], arena=32))


def test_buffers_are_placed_in_another_order_where_the_largest_first_leaves_gaps() -> None:
    x = PlanBuffer(0, 64, "argument")
    a, b, c, d = (PlanBuffer(1 + i, size, "local") for i, size in enumerate((256, 128, 192, 192)))
    last = LaunchStep(launch(x, a).kernel, [b, c, d])
    plan = Plan([x, a, b, c, d], [CopySlot(x, a), CopySlot(a, c), CopySlot(x, b), last, EndStep()])
    assign_buffers(plan)
    assert plan.arena == 512  # what is live at the end; 576 if a is placed before c


def test_launches_wait_until_they_need_little_memory() -> None:
    # two large values, each of which becomes a small one, are not made at the same time
    launches = [
        Launch((), (), ("a",)),
        Launch((), (), ("b",)),
        Launch((0,), ("a",), ("c",)),
        Launch((1,), ("b",), ("d",)),
        Launch((2, 3), ("c", "d"), ("e",)),
    ]
    sizes = {"a": 100, "b": 100, "c": 1, "d": 1}
    for order in (forward_order(launches, sizes), backward_order(launches, sizes)):
        places = [order.index(number) for number in range(5)]
        assert abs(places[0] - places[2]) == abs(places[1] - places[3]) == 1
        assert places[4] == 4


def test_what_a_loop_carries_is_read_before_the_next_value_is_made() -> None:
    launches = [
        Launch(before=(), reads=("carried",), writes=("a",)),
        Launch(before=(0,), reads=("a",), writes=("next",)),
        Launch(before=(0,), reads=("a", "carried"), writes=("b",)),
        Launch(before=(1, 2), reads=("next", "b"), writes=("other",)),
    ]
    ordered = read_before_written(launches, [("carried", "next"), ("b", "a")])
    assert [sorted(launch.before) for launch in ordered] == [[], [0, 2], [0], [1, 2]]


def test_a_carried_value_that_only_its_successor_can_be_read_after_keeps_its_order() -> None:
    launches = [
        Launch(before=(), reads=(), writes=("next",)),
        Launch(before=(0,), reads=("next", "carried"), writes=("sum",)),
    ]
    assert read_before_written(launches, [("carried", "next")]) == [
        Launch(set(), (), ("next",)), Launch({0}, ("next", "carried"), ("sum",)),
    ]  # fmt: skip
