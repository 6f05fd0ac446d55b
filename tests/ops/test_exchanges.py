"""Exchanges give the results of ``evaluate_group``, by every algorithm."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.dialects.stablehlo.collectives import Collective, ReducingCollective
from stablemate.interpreter.prepare import FunctionPreparation, InterpretedProgram
from stablemate.ir.exchange import CollectiveExchange, algorithm_for, block_range, rounds
from stablemate.ir.grid import Grid
from stablemate.numerics.elements import F32
from tests.execution.grids import MAKERS, bits, case_on

GRIDS: Final = [(2, 1), (1, 4), (2, 2), (4, 2), (3, 1)]


def operation(module: sm.Module) -> Collective:
    """The collective operation of a program."""
    return next(
        operation for operation in module.operation.walk() if isinstance(operation, Collective)
    )


def regions_of(op: Collective) -> list[Any]:
    """Its regions as functions."""
    from stablemate.diagnostics.limits import DEFAULT_LIMITS

    preparation = FunctionPreparation(InterpretedProgram({}, DEFAULT_LIMITS))
    return [preparation.region(op, region).function for region in op.regions]


def directly(
    op: Collective, exchange: CollectiveExchange, operands: Sequence[Sequence[Any]], position: int
) -> tuple[list[Any], dict[tuple[int, int], int]]:
    """The results of a member after direct exchanges, and the number of bytes that were sent."""
    results: list[Any] = [None] * len(exchange.results)
    combined: dict[int, list[Any]] = {}
    sent: dict[tuple[int, int], int] = {}
    for sender, own in enumerate(operands):
        for piece in exchange.pieces(sender, position):
            array = piece.of(own)
            assert array.shape == piece.shape(exchange.shapes)
            if sender != position:
                sent[sender, position] = sent.get((sender, position), 0) + array.nbytes
            if piece.target is None:
                combined.setdefault(piece.operand, [None] * exchange.size)[sender] = array
                continue
            if results[piece.operand] is None:
                results[piece.operand] = np.empty(exchange.results[piece.operand], array.dtype)
            results[piece.operand][piece.target] = array
    for k, pieces in combined.items():
        results[k] = op.combiner(k, position, regions_of(op))(pieces)
    return results, sent


def in_blocks(op: Collective, operands: Sequence[Sequence[Any]], index: int) -> Any:
    """A result of which each member combines one block."""
    flat = [values[index].reshape(-1) for values in operands]
    count, size = flat[0].size, len(flat)
    blocks = [block_range(count, size, member) for member in range(size)]
    parts = [
        in_steps(op, index, [x[block] for x in flat])
        for block in blocks
        if block.stop > block.start
    ]
    assert sum(len(part) for part in parts) == count
    return np.concatenate(parts).reshape(operands[0][index].shape) if parts else None


def in_steps(op: Collective, index: int, pieces: list[Any]) -> Any:
    """The pieces that members send to one, combined in place."""
    out = np.empty(pieces[0].shape, op.results[index].type.element_type.dtype)
    for reduce_step in op.reduction_steps(index, 0, regions_of(op), pieces, out):
        reduce_step()
    return out


@pytest.mark.parametrize("members", range(2, 10))
def test_reductions_in_blocks_have_the_same_bits(members: int) -> None:
    op = operation(sm.load(case_on("all_reduce", 23, (2, 1)).text))
    assert isinstance(op, ReducingCollective)
    assert op.element == F32
    random = np.random.default_rng(members)
    pieces = [random.normal(size=70_001).astype(np.float32) for _ in range(members)]
    expected = op.combiner(0, 0, regions_of(op))(pieces)
    assert bits(in_steps(op, 0, pieces)) == bits(expected)


@pytest.mark.parametrize("grid", GRIDS, ids=str)
@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("seed", range(3))
def test_exchanges_give_the_results(name: str, grid: tuple[int, int], seed: int) -> None:
    case = case_on(name, seed, grid)
    op = operation(sm.load(case.text))
    arguments = dict(zip(Grid(*grid).processes, case.arguments, strict=True))
    for process in Grid(*grid).processes:
        group = op.group_of(process, Grid(*grid))
        if group is None:
            continue
        operands = [[np.asarray(arguments[member])] for member in group]
        position = group.index(process) if name != "collective_permute" else 1
        expected = op.evaluate_group(operands, position, regions_of(op))
        shapes, sizes = [np.shape(operands[0][0])], [operands[0][0].itemsize]
        exchange = op.exchange(shapes, len(group))
        (combined,), sent = directly(op, exchange, operands, position)
        assert bits(combined) == bits(expected)
        (planned,) = rounds(exchange, sizes, "direct")
        assert {k: v for k, v in planned.items() if k[1] == position} == {
            k: v for k, v in sent.items() if v
        }
        if exchange.is_splittable and prod(shapes[0]):
            assert bits(in_blocks(op, operands, 0)) == bits(expected)


def test_blocks_have_the_traffic_of_a_ring() -> None:
    case = case_on("all_reduce", 0, (4, 1))
    exchange = operation(sm.load(case.text)).exchange([(1 << 18,)], 4)
    assert algorithm_for(exchange, [4]) == "blocks"
    first, second = rounds(exchange, [4], "blocks")
    block_bytes = (1 << 20) // 4
    pairs = {(s, r): block_bytes for s in range(4) for r in range(4) if s != r}
    assert (first, second) == (pairs, pairs)
    assert algorithm_for(exchange, [0]) == "direct"
