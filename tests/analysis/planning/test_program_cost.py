"""What programs take on a network: by hand."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import stablemate as sm
from stablemate.analysis.planning.collectives import KINDS, CollectiveCost
from stablemate.analysis.planning.program_cost import ProgramCost
from stablemate.dialects.registry import OPERATIONS
from stablemate.dialects.stablehlo.collectives import Collective

SUM = """({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
  })"""
MIB = 1 << 20
BIG = f"tensor<{MIB // 4}xf32>"
FAST = "1PFLOP/s:1PB/s"  # computing takes no time


def all_reduce(groups: str, name: str = "%0", operand: str = "%x") -> str:
    return (
        f'{name} = "stablehlo.all_reduce"({operand}) {SUM} {{replica_groups = {groups}, '
        f"channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, "
        f"use_global_device_ids}} : ({BIG}) -> {BIG}"
    )


def main(body: str, returned: str = "%0") -> str:
    return f"func.func @main(%x: {BIG}) -> {BIG} {{\n{body}\nreturn {returned} : {BIG}\n}}"


ALL = "dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>"
PAIRS = "dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>"


def cost(
    text: str,
    network: str = "10us:1GB/s",
    grid: tuple[int, int] | None = (1, 4),
    machine: str = FAST,
) -> ProgramCost:
    return sm.cost(sm.load(text), network=network, grid=grid, machine=machine, plan=False)


def only(cost: ProgramCost) -> CollectiveCost:
    (collective,) = cost.collectives
    return collective


def seconds_of(collective: CollectiveCost) -> Mapping[str, float]:
    return {estimate.algorithm: estimate.seconds for estimate in collective.estimates}


def test_an_all_reduce_of_a_mebibyte() -> None:
    estimate = cost(main(all_reduce(ALL)))
    collective = only(estimate)
    assert (collective.operation, collective.line) == ("stablehlo.all_reduce", 2)
    assert (collective.bytes, collective.groups, collective.executions) == (MIB, {4: 1}, 1)
    seconds = seconds_of(collective)
    assert seconds["ring"] == pytest.approx(6 * 10e-6 + 1.5 * MIB / 1e9, rel=1e-4)
    assert seconds["recursive doubling"] == pytest.approx(2 * 10e-6 + 2 * MIB / 1e9, rel=1e-4)
    assert collective.best is not None
    assert collective.best.algorithm == "recursive halving and doubling"
    assert collective.carried == "block exchange"
    assert estimate.times is not None
    assert estimate.times.seconds == pytest.approx(collective.seconds)
    assert estimate.times.network == collective.seconds


def test_groups_pay_for_the_levels_that_they_cross() -> None:
    network = "2@1us:10GB/s,10us:1GB/s"
    inside = cost(main(all_reduce(PAIRS)), network)
    assert only(inside).groups == {2: 2}
    assert seconds_of(only(inside))["direct exchange"] == pytest.approx(1e-6 + MIB / 10e9, rel=1e-3)
    across = cost(main(all_reduce("dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>")), network)
    assert seconds_of(only(across))["direct exchange"] == pytest.approx(10e-6 + MIB / 1e9, rel=1e-3)


def test_loops_repeat_what_is_in_them() -> None:
    estimate = cost(
        main(
            f"""%zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<10> : tensor<i32>
  %i, %y = stablehlo.while(%a = %zero, %b = %x) : tensor<i32>, {BIG}
  cond {{
    %c = stablehlo.compare LT, %a, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %next = stablehlo.add %a, %one : tensor<i32>
    {all_reduce(ALL, "%r", "%b")}
    stablehlo.return %next, %r : tensor<i32>, {BIG}
  }}""",
            "%y",
        )
    )
    collective = only(estimate)
    assert collective.executions == 10
    assert collective.best is not None
    assert collective.seconds == pytest.approx(10 * collective.best.seconds)
    assert estimate.times is not None
    assert estimate.times.network == pytest.approx(collective.seconds)


ASYNC = f"""
  %f = "stablehlo.async_start"(%x) ({{
  ^bb0(%a: {BIG}):
    {all_reduce(ALL, "%r", "%a")}
    stablehlo.return %r : {BIG}
  }}) : ({BIG}) -> !stablehlo.future<{BIG}>
  %1 = stablehlo.add %x, %x : {BIG}
  %2 = stablehlo.multiply %1, %x : {BIG}
  %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<{BIG}>) -> {BIG}
"""


@pytest.mark.parametrize(("rate", "hidden"), [(1.0, "compute"), (0.001, "network")])
def test_what_is_asynchronous_is_overlapped(rate: float, hidden: str) -> None:
    estimate = cost(main(ASYNC), machine=f"1PFLOP/s:{rate}TB/s")
    assert only(estimate).overlapped
    times = estimate.times
    assert times is not None
    assert times.compute == pytest.approx(2 * 3 * MIB / (rate * 1e12))
    assert times.overlapped == pytest.approx(getattr(times, hidden))
    assert times.seconds == pytest.approx(max(times.compute, times.network))


def test_local_time_is_the_roofline() -> None:
    text = """func.func @main(%x: tensor<100x100xf32>) -> tensor<100x100xf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
    : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
  %1 = stablehlo.add %0, %0 : tensor<100x100xf32>
  return %1 : tensor<100x100xf32>
}"""
    estimate = sm.cost(sm.load(text), machine="1:1", plan=False)
    assert estimate.times is not None
    # 2 MFLOP at 1 GFLOP/s; then 120 kB at 1 GB/s
    assert estimate.times.seconds == pytest.approx(2e-3 + 120e-6)
    assert [(operation.line, operation.seconds) for operation in estimate.operations] == [
        (2, pytest.approx(2e-3)),
        (4, pytest.approx(120e-6)),
    ]


OTHERS = f"""
func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {{
  %0 = "stablehlo.all_gather"(%x) {{all_gather_dim = 0 : i64, {{groups}}}}
    : (tensor<8x8xf32>) -> tensor<32x8xf32>
  %1 = "stablehlo.reduce_scatter"(%0) {SUM} {{scatter_dimension = 0 : i64, {{groups}}}}
    : (tensor<32x8xf32>) -> tensor<8x8xf32>
  %2 = "stablehlo.all_to_all"(%1) {{split_dimension = 0 : i64, concat_dimension = 0 : i64,
    split_count = 4 : i64, {{groups}}}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = "stablehlo.collective_permute"(%2) {{source_target_pairs = dense<[[0, 1], [1, 2]]>
    : tensor<2x2xi64>}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %4 = "stablehlo.collective_broadcast"(%3) {{{{groups}}}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = stablehlo.create_token : !stablehlo.token
  %s = "stablehlo.send"(%4, %t) {{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>,
    source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}}
    : (tensor<8x8xf32>, !stablehlo.token) -> !stablehlo.token
  %5, %6 = "stablehlo.recv"(%s) {{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>,
    source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}}
    : (!stablehlo.token) -> (tensor<8x8xf32>, !stablehlo.token)
  return %5 : tensor<8x8xf32>
}}
""".replace("{groups}", f"replica_groups = {ALL}")


def test_every_kind_is_counted_by_what_its_formulas_speak_of() -> None:
    estimate = cost(OTHERS, grid=(4, 1))
    block = 8 * 8 * 4
    assert [
        (collective.operation, collective.bytes, collective.groups)
        for collective in estimate.collectives
    ] == [
        ("stablehlo.all_gather", 4 * block, {4: 1}),
        ("stablehlo.reduce_scatter", 4 * block, {4: 1}),
        ("stablehlo.all_to_all", block, {4: 1}),
        ("stablehlo.collective_permute", block, {2: 2}),
        ("stablehlo.collective_broadcast", block, {4: 1}),
        ("stablehlo.recv", block, {2: 1}),
    ]
    alpha_beta = 10e-6 + block / 1e9
    permute, recv = estimate.collectives[3], estimate.collectives[5]
    assert permute.seconds == pytest.approx(alpha_beta)
    assert recv.seconds == pytest.approx(alpha_beta)


def test_every_collective_operation_has_formulas() -> None:
    collectives = {
        name
        for name in OPERATIONS
        if name.startswith("stablehlo.") and issubclass(OPERATIONS[name], Collective)
    }
    assert collectives | {"stablehlo.recv"} == set(KINDS)


def test_the_grid_must_be_one_that_the_program_is_made_for() -> None:
    with pytest.raises(sm.ArgumentError) as error:
        cost(main(all_reduce(ALL)), grid=(1, 8))
    assert "replica_groups hold every id once" in str(error.value)
    assert "the grid is 1x8; the grid is given with --grid=RxP" in str(error.value)
    with pytest.raises(sm.ArgumentError, match="a grid of 0x4 has no process"):
        cost(main(all_reduce(ALL)), grid=(0, 4))
    with pytest.raises(sm.ArgumentError, match="joins 2 processes, but the grid has 4"):
        cost(main(all_reduce(ALL)), "2@1us:1GB/s")


MANUAL = """
sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @main(%x: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a", "b"}, {}]>]
      out_shardings=[<@mesh, [{"a", "b"}, {}]>] manual_axes={"a", "b"} (%y: tensor<2x8xf32>) {
    %1 = stablehlo.add %y, %y : tensor<2x8xf32>
    %2 = stablehlo.multiply %1, %y : tensor<2x8xf32>
    sdy.return %2 : tensor<2x8xf32>
  } : (tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
"""


def test_a_manual_computation_is_counted_on_the_pieces_of_one_process() -> None:
    estimate = sm.cost(sm.load(MANUAL))
    assert (estimate.grid.num_replicas, estimate.grid.num_partitions) == (1, 8)
    piece = 2 * 8 * 4
    assert estimate.cost.flops == 2 * 2 * 8
    assert [(operation.name, operation.cost.bytes) for operation in estimate.operations] == [
        ("stablehlo.add", 3 * piece),
        ("stablehlo.multiply", 3 * piece),
    ]
    assert estimate.peak.bytes == 3 * piece
    plan = estimate.plan
    assert not isinstance(plan, sm.Diagnostic)
    # the argument and the result; the sum is never stored
    assert plan.bytes == 2 * piece


SHARDED = """
sdy.mesh @mesh = <["x"=4]>
func.func @main(
  %x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
  %w: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
"""


def test_a_program_with_shardings_is_counted_as_what_a_process_runs() -> None:
    module = sm.load(SHARDED)
    assert module.cost(grid=(1, 1), plan=False).cost.flops == 2 * 8 * 8 * 16
    assert module.cost(plan=False).cost == module.cost(grid=(1, 4), plan=False).cost
    estimate = module.cost(grid=(1, 4), network="1us:1GB/s", machine=FAST)
    products = [
        operation for operation in estimate.operations if operation.name == "stablehlo.dot_general"
    ]
    assert [product.cost.flops for product in products] == [2 * 8 * 8 * 4]
    assert (only(estimate).bytes, only(estimate).groups) == (8 * 8 * 4, {4: 1})
    # a quarter of each argument
    arguments = [buffer.bytes for buffer in estimate.peak.buffers if buffer.operation == "argument"]
    assert arguments == [8 * 4 * 4, 4 * 8 * 4]


def test_what_has_no_known_count_is_said() -> None:
    estimate = sm.cost(sm.load(main('%0 = "stablehlo.custom_call"(%x) {call_target_name = "f"} : '
                                 f"({BIG}) -> {BIG}")), plan=False)  # fmt: skip
    assert estimate.cost.opaque == {"stablehlo.custom_call @f": 1}


def test_hlo_is_a_program_like_any_other() -> None:
    text = """HloModule m, replica_count=4

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}

ENTRY main {
  x = f32[1024] parameter(0)
  ROOT r = f32[1024] all-reduce(x), replica_groups={{0,1},{2,3}}, to_apply=add
}
"""
    estimate = sm.cost(sm.load(text), network="1us:1GB/s", machine=FAST)
    assert estimate.grid.size == 4
    assert (only(estimate).bytes, only(estimate).groups) == (4096, {2: 2})
