"""Reductions from rank to rank: the bits of lock-step, few messages, errors of operands."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.diagnostics.errors import EvaluationError
from stablemate.execution.collectives.chained_reductions import (
    ChainedReduction,
    is_chained,
    runs_of,
)
from stablemate.execution.collectives.messages import Contribution, Partial, pack_values
from stablemate.execution.placement import RankPlacement
from stablemate.execution.process import Fiber
from stablemate.ir.data_movement import DataMovement
from stablemate.ir.grid import Grid
from stablemate.ir.request import IN_TARGETS, CollectiveRequest

SIZE = 5000
GROUP = tuple((0, member) for member in range(4))


def summed(element: str = "f32", result: str = "f32", size: int = SIZE) -> Any:
    """An all_reduce of four partitions."""
    module = sm.load(f"""
func.func @main(%x: tensor<{size}x{element}>) -> tensor<{size}x{result}> {{
  %0 = "stablehlo.all_reduce"(%x) <{{
    replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>
  }}> ({{
  ^bb0(%a: tensor<{result}>, %b: tensor<{result}>):
    %r = stablehlo.add %a, %b : tensor<{result}>
    stablehlo.return %r : tensor<{result}>
  }}) : (tensor<{size}x{element}>) -> tensor<{size}x{result}>
  return %0 : tensor<{size}x{result}>
}}""")
    return next(op for op in module.ir.operation.walk() if op.name == "stablehlo.all_reduce")


def request_of(operation: Any, operand: Any, targets: Any = None) -> CollectiveRequest:
    """What a process asks for."""
    return CollectiveRequest(operation, [operand], [lambda a, b: (a + b,)], targets)


def exchanged(
    ranks: Sequence[int], chance: random.Random, pieces: Sequence[Any]
) -> tuple[list[Any], int]:
    """The results of the members, and how many messages there are; they arrive in any order."""
    operation, placement = summed(), RankPlacement(Grid(1, 4), tuple(ranks))
    targets = [np.empty_like(piece) for piece in pieces]
    requests = [
        request_of(operation, *pair) for pair in zip(pieces, [[t] for t in targets], strict=True)
    ]
    meetings = {
        rank: ChainedReduction(GROUP, requests[0], runs_of(GROUP, placement), rank)
        for rank in set(ranks)
    }
    events: list[Any] = list(GROUP)
    count = 0
    while events:
        event = events.pop(chance.randrange(len(events)))
        if isinstance(event, Partial):
            rank = event.visit
            meetings[rank].take(event)
        else:
            rank, member = placement.rank(event), event[1]
            meetings[rank].bring(event, [pieces[member]], operation)
            meetings[rank].waiting.append((Fiber(event, iter(())), requests[member]))  # type: ignore[arg-type]
        for receiver, run, arrays in meetings[rank].advance():
            wires = pack_values([array.copy() for array in arrays])
            events.append(Partial("sum", 0, receiver, run, meetings[rank].shapes, wires, ""))
            count += 1
    for meeting in meetings.values():
        assert meeting.is_complete
        assert not meeting.missing
        moves = DataMovement()
        assert all(answer is IN_TARGETS for _, answer in meeting.results_for(moves))
        for target, value in moves.copies:
            target[...] = value
    return targets, count


@pytest.mark.parametrize(
    ("ranks", "messages"),
    [((0, 0, 1, 1), 2), ((1, 1, 0, 0), 2), ((0, 1, 0, 1), 4), ((0, 1, 1, 2), 4), ((2, 0, 0, 1), 4)],
)
def test_results_have_the_bits_of_the_order_of_the_group(
    ranks: Sequence[int], messages: int
) -> None:
    numbers = np.random.default_rng(0).standard_normal((4, SIZE)).astype(np.float32)
    expected = ((numbers[0] + numbers[1]) + numbers[2]) + numbers[3]
    for seed in range(5):
        results, count = exchanged(ranks, random.Random(seed), list(numbers.copy()))
        assert count == messages
        for result in results:
            np.testing.assert_array_equal(result, expected)


def test_small_and_converted_operands_are_not_chained() -> None:
    runs = runs_of(GROUP, RankPlacement(Grid(1, 4), (0, 0, 1, 1)))
    alone = runs_of(GROUP, RankPlacement(Grid(1, 4), (0, 0, 0, 0)))
    large = request_of(summed(), np.zeros(SIZE, np.float32))
    assert is_chained(large, runs)
    assert not is_chained(large, alone)
    assert not is_chained(request_of(summed(size=8), np.zeros(8, np.float32)), runs)
    wider = summed("f32", "f64")
    assert not is_chained(request_of(wider, np.zeros(SIZE, np.float32)), runs)


@pytest.mark.parametrize("is_partial", [True, False])
def test_operands_of_other_shapes_are_an_error(is_partial: bool) -> None:
    operation, runs = summed(), runs_of(GROUP, RankPlacement(Grid(1, 4), (0, 0, 1, 1)))
    meeting = ChainedReduction(GROUP, request_of(operation, np.zeros(SIZE, np.float32)), runs, 1)
    assert meeting.missing == list(GROUP)
    meeting.waiting.append((Fiber(GROUP[2], iter(())), meeting.request))  # type: ignore[arg-type]
    values = pack_values([np.zeros(7, np.float32)])
    message = (
        Partial("sum", 0, 0, 0, ((7,),), values, "")
        if is_partial
        else Contribution("sum", 0, 0, GROUP[0], ((7,),), (), values, "")
    )
    meeting.take(message)
    assert meeting.is_complete
    ((_, error),) = meeting.results_for(DataMovement())
    assert isinstance(error, EvaluationError)
    assert "have the same shapes" in str(error)
