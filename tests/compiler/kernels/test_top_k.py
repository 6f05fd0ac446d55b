"""The first elements of an order, selected: those of a stable sort, with their places."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from stablemate.compiler.plan.plan import LaunchStep
from tests.compiler.result_comparison import same_bits

FIRST = """
func.func @main(%x: tensor<{rows}x{count}x{type}>) -> ({results}) {{
  %i = stablehlo.iota dim = 1 : tensor<{rows}x{count}xi32>
  %s:2 = "stablehlo.sort"(%x, %i) ({{
  ^bb0(%a: tensor<{type}>, %b: tensor<{type}>, %c: tensor<i32>, %d: tensor<i32>):
    %r = stablehlo.compare {direction}, %a, %b : (tensor<{type}>, tensor<{type}>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }}) {{dimension = 1 : i64, is_stable = true}}
    : (tensor<{rows}x{count}x{type}>, tensor<{rows}x{count}xi32>)
    -> (tensor<{rows}x{count}x{type}>, tensor<{rows}x{count}xi32>)
  %y = stablehlo.slice %s#{result} [0:{rows}, 0:{size}]
    : (tensor<{rows}x{count}x{chosen}>) -> tensor<{rows}x{size}x{chosen}>
  return %y : {results}
}}"""


def program(rows: int, count: int, size: int, element: str, result: int, order: str) -> str:
    """A sort by the elements, of which the beginning of one result is used."""
    chosen = ("i32" if result else element).split(",", maxsplit=1)[0]
    return FIRST.format(
        rows=rows,
        count=count,
        size=size,
        type=element,
        result=result,
        chosen=chosen,
        direction=order,
        results=f"tensor<{rows}x{size}x{chosen}>",
    )


def is_selected(text: str, values: Any) -> bool:
    """Whether one kernel does it all; the bits are the interpreter's."""
    executable = same_bits(text, values)
    return sum(isinstance(step, LaunchStep) for step in executable.plan.steps) == 1


@pytest.mark.parametrize("result", [0, 1])
@pytest.mark.parametrize("order", ["GT", "LT"])
@pytest.mark.parametrize(
    ("rows", "count", "size"),
    [
        (8, 40, 4),
        (19, 160, 16),
        (9, 8, 1),
        (11, 300, 17),
        (1, 8, 1),
        (3, 80, 8),
        (5, 200, 7),
        (2, 1000, 3),
        (1, 4097, 64),
        (2, 72, 8),
        (1, 1024, 128),
    ],
)
def test_beginning_of_a_sort(rows: int, count: int, size: int, order: str, result: int) -> None:
    values = np.random.default_rng(count).integers(-50, 50, (rows, count), np.int32)
    values[-1] = np.sort(values[-1])
    assert is_selected(program(rows, count, size, "i32", result, order), values)


@pytest.mark.parametrize(
    ("element", "dtype"),
    [
        ("i8", np.int8),
        ("ui64", np.uint64),
        ("f64", np.float64),
        ("bf16", ml_dtypes.bfloat16),
    ],
)
def test_elements_of_other_types(element: str, dtype: Any) -> None:
    values = np.random.default_rng(1).integers(0, 100, (3, 300)).astype(dtype)
    assert is_selected(program(3, 300, 5, element, 1, "GT"), values)
    values = np.random.default_rng(1).integers(0, 100, (13, 40)).astype(dtype)
    assert is_selected(program(13, 40, 5, element, 1, "GT"), values)


def test_keys_that_are_all_the_greatest() -> None:
    values = np.full((2, 200), 2**32 - 1, np.uint32)
    assert is_selected(program(2, 200, 6, "ui32", 1, "LT"), values)
    assert is_selected(program(9, 48, 6, "ui32", 1, "LT"), np.tile(values[:1, :48], (9, 1)))


def test_many_elements_are_sorted() -> None:
    values = np.random.default_rng(2).integers(-9, 9, (2, 100), np.int32)
    assert not is_selected(program(2, 100, 60, "i32", 1, "LT"), values)
