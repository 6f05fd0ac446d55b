"""What processes have exchanged once, they exchange again by themselves: with other values, in
other memory, on other grids.

Every call is compared with the interpreter, which asks for every exchange anew.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.runtime.grid import replayed_exchanges as rounds
from stablemate.compiler.runtime.grid.replayed_exchanges import ReplayedExchanges
from stablemate.ir.grid import Grid
from stablemate.numerics.elements import Array
from tests.execution.grids import bits

ADD = """({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %z = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %z : tensor<f32>
    })"""
EVERYONE = "dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>"
EXCHANGES = {
    "all_reduce": f'"stablehlo.all_reduce"(%s) {ADD} {{replica_groups = {EVERYONE}}}',
    "all_to_all": '"stablehlo.all_to_all"(%s) {split_dimension = 1 : i64, concat_dimension = 1 '
    f": i64, split_count = 2 : i64, replica_groups = {EVERYONE}}}",
    "ring": '"stablehlo.collective_permute"(%s) {source_target_pairs = '
    "dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}",
    "line": '"stablehlo.collective_permute"(%s) {source_target_pairs = '
    "dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>}",
    "broadcast": f'"stablehlo.collective_broadcast"(%s) {{replica_groups = {EVERYONE}}}',
}


def looping(exchange: str, size: int) -> sm.Module:
    """A program of four replicas that exchanges as often as its second argument says."""
    tensor = f"tensor<{size}x8xf32>"
    return sm.load(
        f"""
module attributes {{mhlo.num_replicas = 4 : i32}} {{
func.func @main(%x: {tensor}, %n: tensor<i32>) -> {tensor} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : {tensor}
  %r:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, {tensor}
  cond {{
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %id = stablehlo.replica_id : tensor<ui32>
    %f = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
    %all = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> {tensor}
    %e = {EXCHANGES[exchange]} : ({tensor}) -> {tensor}
    %m = stablehlo.multiply %e, %half : {tensor}
    %u = stablehlo.add %m, %all : {tensor}
    %i2 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %i2, %u : tensor<i32>, {tensor}
  }}
  return %r#1 : {tensor}
}}}}"""
    )


def arguments(seed: int, size: int, iterations: int) -> list[tuple[Array, ...]]:
    """What four processes are given."""
    random = np.random.default_rng(seed)
    values = random.integers(-8, 8, (4, size, 8)).astype(np.float32)
    return [(item, np.array(iterations, np.int32)) for item in values]


def run(executable: Any, arguments: list[tuple[Array, ...]]) -> list[Any]:
    """The results of four replicas."""
    outcome: list[Any] = executable.run_grid(arguments, Grid(4, 1))
    return outcome


def both(exchange: str, size: int) -> tuple[CompiledExecutable, Any]:
    """Such a program as native code, and interpreted."""
    module = looping(exchange, size)
    compiled = sm.compile(module)
    assert isinstance(compiled, CompiledExecutable)
    return compiled, module.executable("main", backend="interpreter")


@pytest.fixture
def repeated(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether exchanges were repeated, in order."""
    seen: list[bool] = []
    asked: Callable[..., bool] = ReplayedExchanges.replay

    def replay(self: ReplayedExchanges, processes: Any) -> bool:
        seen.append(asked(self, processes))
        return seen[-1]

    monkeypatch.setattr(ReplayedExchanges, "replay", replay)
    return seen


@pytest.mark.parametrize("size", [1, 2000])
@pytest.mark.parametrize("exchange", EXCHANGES)
def test_exchanges_are_repeated_with_other_values(
    exchange: str, size: int, repeated: list[bool]
) -> None:
    compiled, interpreted = both(exchange, size)
    kept: list[Any] = []
    for seed, iterations in enumerate((5, 0, 7, 3, 3, 1)):
        argument_values = arguments(seed, size, iterations)
        completed = run(compiled, argument_values)
        if seed % 2:
            kept.append(completed)  # the next ones come into other memory
        assert [*map(bits, completed)] == [*map(bits, run(interpreted, argument_values))]
    assert (True in repeated) == ((exchange, size) != ("all_to_all", 2000))  # rows are short


def test_processes_that_took_other_places_know_who_they_are() -> None:
    compiled, interpreted = both("ring", 3)
    for seed in range(6):
        argument_values = arguments(seed, 3, 4)
        assert [*map(bits, run(compiled, argument_values))] == [
            *map(bits, run(interpreted, argument_values))
        ]
        compiled.idle.append(compiled.idle.pop(0))


def test_callers_at_the_same_time_do_not_meet() -> None:
    compiled, interpreted = both("ring", 50)
    cases = [arguments(seed, 50, 9) for seed in range(24)]
    expected = [[*map(bits, run(interpreted, case))] for case in cases]
    with ThreadPoolExecutor(4) as pool:
        items = list(pool.map(lambda item: [*map(bits, run(compiled, item))], cases))
    assert items == expected


@pytest.mark.parametrize(("bound", "most"), [("MAX_EXCHANGES", 2), ("MAX_BYTES", 1)])
def test_what_is_known_is_bounded(bound: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, bound, most)
    compiled, interpreted = both("line", 3)
    for seed in range(4):
        argument_values = arguments(seed, 3, 6)
        assert [*map(bits, run(compiled, argument_values))] == [
            *map(bits, run(interpreted, argument_values))
        ]
        assert len(compiled.native_mover.replayed_exchanges.launches_by_key) <= 2


def test_one_program_on_several_grids() -> None:
    """The same memory, with other partners: what one grid has exchanged is none of the other's."""
    text = """
func.func @main(%x: tensor<6xf32>) -> tensor<6xf32> {
  %y = stablehlo.add %x, %x : tensor<6xf32>
  %e = "stablehlo.all_reduce"(%y) ADD {GROUPS}
    : (tensor<6xf32>) -> tensor<6xf32>
  %f = stablehlo.add %e, %y : tensor<6xf32>
  return %f : tensor<6xf32>
}""".replace("ADD", ADD)
    for groups in ("[[0, 1]]", "[[0], [1]]"):
        rows = groups.count("], [") + 1
        value = f"replica_groups = dense<{groups}> : tensor<{rows}x{2 // rows}xi64>"
        module = sm.load(text.replace("GROUPS", value))
        compiled = sm.compile(module)
        interpreted = module.executable("main", backend="interpreter")
        for turn in range(6):
            grid = (Grid(2, 1), Grid(2, 2), Grid(2, 3))[turn % 3]
            collected = [(np.full(6, turn + i, np.float32),) for i in range(grid.size)]
            outcome = compiled.run_grid(collected, grid)
            expected = interpreted.run_grid(collected, grid)
            assert [*map(bits, outcome)] == [*map(bits, expected)]


def test_a_process_that_does_not_come_is_missed_later_too() -> None:
    """Processes exchange twice as they are; then one of them leaves the loop before the others."""
    compiled, interpreted = both("ring", 3)
    for seed in range(3):
        run(compiled, arguments(seed, 3, 4))
    argument_values = arguments(4, 3, 4)
    argument_values[2] = argument_values[2][0], np.array(2, np.int32)
    with pytest.raises(sm.DeadlockError) as caught:
        run(compiled, argument_values)
    assert "(2,0) has ended" in str(caught.value)
    completed = run(compiled, arguments(5, 3, 4))
    assert [*map(bits, completed)] == [*map(bits, run(interpreted, arguments(5, 3, 4)))]


def test_scalars_are_exchanged_where_they_are() -> None:
    text = """
module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %limit = stablehlo.constant dense<1000.0> : tensor<f32>
  %0 = stablehlo.while(%s = %x) : tensor<f32>
  cond {
    %1 = "stablehlo.all_reduce"(%s) ADD {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<f32>) -> tensor<f32>
    %2 = stablehlo.compare LT, %1, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %3 = stablehlo.add %s, %x : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }
  return %0 : tensor<f32>
}}""".replace("ADD", ADD)
    compiled = sm.compile(sm.load(text))
    for first in (1.0, 3.0, 5.0):
        collected = [(np.array(item, np.float32),) for item in (first, 2 * first)]
        iterations = -(-1000 // (3 * first))  # until the sum of both is not less
        assert compiled.run_grid(collected, Grid(2, 1)) == [
            first * iterations,
            2 * first * iterations,
        ]
