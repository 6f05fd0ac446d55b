"""Collective operations on quantized tensors; q stands for (q - 1) * 0.5."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm

NARROW: Final = "!quant.uniform<i8:f32, 0.5:1>"
WIDE: Final = "!quant.uniform<i32:f32, 0.5:1>"
PAIR: Final = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"


def adding(element: str) -> str:
    """The region that adds two elements."""
    scalar = f"tensor<{element}>"
    return f"""({{
    ^bb0(%a: {scalar}, %b: {scalar}):
      %c = stablehlo.add %a, %b : {scalar}
      stablehlo.return %c : {scalar}
    }})"""


def on_grid(
    name: str, attributes: str, result: str, *values: Any, region: str = "", replicas: int = 2
) -> list[Any]:
    """What each replica gets, as a list; ``values`` are what the replicas have."""
    arguments = [np.array(value, np.int8) for value in values]
    shape = "x".join(map(str, arguments[0].shape))
    operand = f"tensor<{shape}x{NARROW}>"
    text = f"""
func.func @main(%x: {operand}) -> {result} {{
  %0 = "stablehlo.{name}"(%x) <{{{attributes}}}> {region} : ({operand}) -> {result}
  return %0 : {result}
}}"""
    return [array.tolist() for array in sm.run_grid(sm.load(text), arguments, replicas=replicas)]


def test_all_gather_takes_stored_values() -> None:
    result = f"tensor<4x{NARROW}>"
    per_process = on_grid("all_gather", f"all_gather_dim = 0 : i64, {PAIR}", result, [3, 5], [7, 9])
    assert per_process == [[3, 5, 7, 9]] * 2


def test_all_to_all_takes_stored_values() -> None:
    attributes = (
        f"split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, {PAIR}"
    )
    per_process = on_grid("all_to_all", attributes, f"tensor<2x{NARROW}>", [3, 5], [7, 9])
    assert per_process == [[3, 7], [5, 9]]


def test_all_reduce_saturates_in_its_type() -> None:
    # 1 + 3 = 4 is stored as 9; 60 + 60 = 120 as 241, at most 127.
    per_process = on_grid(
        "all_reduce", PAIR, f"tensor<2x{NARROW}>", [3, 121], [7, 121], region=adding(NARROW)
    )
    assert per_process == [[9, 127]] * 2


def test_all_reduce_in_a_wider_type() -> None:
    per_process = on_grid(
        "all_reduce", PAIR, f"tensor<2x{WIDE}>", [3, 121], [7, 121], region=adding(WIDE)
    )
    assert per_process == [[9, 241]] * 2


def test_reduce_scatter_in_a_wider_type() -> None:
    attributes = f"scatter_dimension = 0 : i64, {PAIR}"
    result = f"tensor<1x{WIDE}>"
    per_process = on_grid(
        "reduce_scatter", attributes, result, [3, 121], [7, 121], region=adding(WIDE)
    )
    assert per_process == [[9], [241]]


def test_cross_replica_sum_is_quantized_once() -> None:
    per_process = on_grid("cross-replica-sum", PAIR, f"tensor<2x{NARROW}>", [3, 121], [7, 121])
    assert per_process == [[9, 127]] * 2


@pytest.mark.parametrize(
    ("name", "attributes", "expected"),
    [
        (
            "collective_permute",
            "source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>",
            [[1, 1], [3, 5], [1, 1]],
        ),
        ("collective_broadcast", PAIR, [[3, 5], [3, 5], [1, 1]]),
    ],
)
def test_what_nobody_sends_is_the_quantized_zero(
    name: str, attributes: str, expected: list[list[int]]
) -> None:
    values = [3, 5], [7, 9], [11, 13]
    assert on_grid(name, attributes, f"tensor<2x{NARROW}>", *values, replicas=3) == expected


def test_collective_reduce_gives_others_the_quantized_zero() -> None:
    per_process = on_grid(
        "collective_reduce", PAIR, f"tensor<2x{WIDE}>", [3, 121], [7, 121], region=adding(WIDE)
    )
    assert per_process == [[9, 241], [1, 1]]


def test_the_quantized_zero_is_rounded_as_every_other_number() -> None:
    # bf16 has eight significant bits: the zero point 301 is rounded to 300 where zero is stored.
    element = "!quant.uniform<i16:bf16, 1.0:301>"
    text = f"""
func.func @main(%x: tensor<{element}>) -> tensor<{element}> {{
  %0 = "stablehlo.collective_permute"(%x) <{{source_target_pairs = dense<[[0, 1]]>
    : tensor<1x2xi64>}}> : (tensor<{element}>) -> tensor<{element}>
  return %0 : tensor<{element}>
}}"""
    per_process = sm.run_grid(sm.load(text), [np.int16(5), np.int16(6)], replicas=2)
    assert [int(item) for item in per_process] == [300, 5]
