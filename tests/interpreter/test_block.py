"""Blocks as Python functions: their source, and the operation that an error names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.diagnostics.errors import EvaluationError
from stablemate.interpreter.block import (
    FIRST_STEP,
    BlockLayout,
    BlockStep,
    PreparedBlock,
    prepare_block,
)
from stablemate.interpreter.prepare import as_scalar
from stablemate.ir.core import Operation


def some_operation() -> Operation:
    """An operation with a place."""
    text = "func.func @main(%x: tensor<f32>) { %0 = stablehlo.negate %x : tensor<f32> return }"
    return next(x for x in sm.load(text).operation.walk() if x.name == "stablehlo.negate")


def step(function: Any, operands: list[int], results: list[int], dead: list[int]) -> BlockStep:
    """A step without requests."""
    return BlockStep(function, False, operands, results, dead, some_operation())


def test_a_dead_variable_takes_the_next_result() -> None:
    draft = BlockLayout(
        arguments=[0, 1],
        steps=[
            step(np.add, [0, 5], [2], [0]),
            step(divmod, [2, 1], [3, 4], [1, 2]),
            step(np.negative, [3], [6], [6]),
        ],
        returned=[4, 3],
        in_frame=set(),
        constants={5: 2},
    )
    assert list(draft.lines())[FIRST_STEP - 1 :] == [
        "  v0 = f0(v0, c5)",
        "  v0, v1 = f1(v0, v1)",
        "  v6 = f2(v0); v6 = None",
        "  return (v1, v0, )",
        " except failures as error: raise explain(error) from error.__cause__",
    ]
    block = prepare_block(draft, [None] * 7)
    assert isinstance(block, PreparedBlock)
    assert block(5, 3) == (1, 2)


def test_values_that_regions_use_are_in_the_frame() -> None:
    frame: list[Any] = [None] * 4
    inner = prepare_block(BlockLayout([], [step(np.negative, [1], [2], [])], [2], set(), {}), frame)
    steps = [step(np.square, [0], [1], []), step(lambda: inner()[0], [], [3], [1])]
    outer = prepare_block(BlockLayout([0], steps, [3, 0], {0, 1}, {}), frame)
    assert outer(np.float32(3)) == (-9, 3)
    assert frame == [None] * 4


def test_an_error_names_the_operation_of_its_line() -> None:
    def fail(x: Any) -> Any:
        raise EvaluationError("the value is bad")

    steps = [step(np.negative, [0], [1], [0]), step(fail, [1], [2], [1])]
    block = prepare_block(BlockLayout([0], steps, [2], set(), {}), [None] * 3)
    with pytest.raises(EvaluationError) as caught:
        block(1)
    diagnostic = caught.value.diagnostics[0]
    assert diagnostic.rule == "stablehlo.negate"
    assert diagnostic.span == steps[1].operation.span


def test_scalars_are_numpys() -> None:
    assert isinstance(as_scalar(np.array(1, np.int32)), np.int32)
    row = np.ones(1)
    assert as_scalar(row) is row
    assert as_scalar(None) is None
