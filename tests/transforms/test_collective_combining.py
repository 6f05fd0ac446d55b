"""Combined collective operations compute what they compute one by one; there are few of them."""

from __future__ import annotations

import random
from typing import Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.transforms.collective_combining import with_combined_collectives

DEVICES: Final = 2


def all_reduce(result: str, operand: str, monoid: str = "add", channel: int = 1) -> str:
    """The text of an all_reduce of both devices."""
    return f"""
  %{result} = "stablehlo.all_reduce"(%{operand}) <{{
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids,
    channel_handle = #stablehlo.channel_handle<handle = {channel}, type = 1>
  }}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.{monoid} %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }}) : (tensor<4xf32>) -> tensor<4xf32>"""


def program(body: str, result: str) -> sm.Module:
    """A program of one argument."""
    return sm.parse(
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {"
        f"{body}\n  return %{result} : tensor<4xf32>\n}}"
    )


def generated(seed: int) -> sm.Module:
    """A program of additions, negations and all_reduces."""
    chance = random.Random(seed)
    values, lines = ["x"], []
    for i in range(chance.randint(4, 16)):
        name, (lhs, rhs) = f"v{i}", chance.choices(values, k=2)
        match chance.randrange(3):
            case 0:
                lines.append(f"\n  %{name} = stablehlo.add %{lhs}, %{rhs} : tensor<4xf32>")
            case 1:
                lines.append(f"\n  %{name} = stablehlo.negate %{lhs} : tensor<4xf32>")
            case _:
                monoid = chance.choice(["add", "maximum"])
                lines.append(all_reduce(name, lhs, monoid, i + 1))
        values.append(name)
    total = values[-1]
    for i, value in enumerate(values[:-1]):
        lines.append(f"\n  %t{i} = stablehlo.add %{total}, %{value} : tensor<4xf32>")
        total = f"t{i}"
    return program("".join(lines), total)


def count(module: sm.Module) -> int:
    """How many all_reduces a program has."""
    return sum(op.name == "stablehlo.all_reduce" for op in module.ir.operation.walk())


@pytest.mark.parametrize("seed", range(20))
def test_combined_all_reduces_have_the_same_values(seed: int) -> None:
    module = generated(seed)
    combined = sm.Module(with_combined_collectives(module.ir))
    combined.verify()
    pieces = [(np.arange(4, dtype=np.float32) * i,) for i in range(1, DEVICES + 1)]
    expected = sm.run_grid(module, pieces, partitions=DEVICES)
    found = sm.run_grid(combined, pieces, partitions=DEVICES)
    np.testing.assert_array_equal(found, expected)
    assert count(combined) <= count(module)


def test_an_all_reduce_waits_for_one_that_becomes_available_later() -> None:
    body = (
        all_reduce("first", "x")
        + "\n  %n = stablehlo.negate %first : tensor<4xf32>"
        + "\n  %s = stablehlo.cosine %x : tensor<4xf32>"
        + all_reduce("second", "s", channel=2)
        + all_reduce("third", "n", channel=3)
        + "\n  %t = stablehlo.add %second, %third : tensor<4xf32>"
    )
    assert count(sm.Module(with_combined_collectives(program(body, "t").ir))) == 2


def test_equal_all_reduces_are_one() -> None:
    body = (
        all_reduce("first", "x")
        + all_reduce("second", "x", channel=2)
        + "\n  %t = stablehlo.add %first, %second : tensor<4xf32>"
    )
    (combined,) = (
        operation
        for operation in with_combined_collectives(program(body, "t").ir).operation.walk()
        if operation.name == "stablehlo.all_reduce"
    )
    assert len(combined.operands) == 1


REDUCE_SCATTER: Final = """"stablehlo.reduce_scatter"(%{operand}) <{{
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids,
    scatter_dimension = {dimension} : i64,
    channel_handle = #stablehlo.channel_handle<handle = {channel}, type = 1>
  }}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }}) : (tensor<4x6xf32>) -> tensor<{shape}xf32>"""
ALL_GATHER: Final = """"stablehlo.all_gather"(%{operand}) <{{
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids,
    all_gather_dim = 0 : i64,
    channel_handle = #stablehlo.channel_handle<handle = {channel}, type = 1>
  }}> : (tensor<4x6xf32>) -> tensor<8x6xf32>"""


def combined(text: str, name: str) -> int:
    """Checks that a program with combined operations has the same values; their number."""
    module = sm.parse(text)
    after = sm.Module(with_combined_collectives(module.ir))
    after.verify()
    pieces = [(np.arange(24, dtype=np.float32).reshape(4, 6) * i,) for i in (1, 3)]
    for one, other in zip(
        sm.run_grid(module, pieces, partitions=DEVICES),
        sm.run_grid(after, pieces, partitions=DEVICES),
        strict=True,
    ):
        for expected, found in zip(one, other, strict=True):
            np.testing.assert_array_equal(found, expected)
    return sum(op.name == name for op in after.ir.operation.walk())


def test_reduce_scatters_of_different_dimensions_are_one() -> None:
    one = REDUCE_SCATTER.format(operand="x", dimension=0, channel=1, shape="2x6")
    other = REDUCE_SCATTER.format(operand="n", dimension=1, channel=2, shape="4x3")
    text = f"""func.func @main(%x: tensor<4x6xf32>) -> (tensor<2x6xf32>, tensor<4x3xf32>) {{
  %n = stablehlo.negate %x : tensor<4x6xf32>
  %r = {one}
  %s = {other}
  return %r, %s : tensor<2x6xf32>, tensor<4x3xf32>
}}"""
    assert combined(text, "stablehlo.reduce_scatter") == 1


def test_short_all_gathers_are_one() -> None:
    one, other = (ALL_GATHER.format(operand=v, channel=i) for i, v in enumerate("xn", 1))
    text = f"""func.func @main(%x: tensor<4x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {{
  %n = stablehlo.negate %x : tensor<4x6xf32>
  %r = {one}
  %s = {other}
  return %r, %s : tensor<8x6xf32>, tensor<8x6xf32>
}}"""
    assert combined(text, "stablehlo.all_gather") == 1


def test_short_all_gathers_of_several_types_are_one() -> None:
    one, other = (ALL_GATHER.format(operand=v, channel=i) for i, v in enumerate("xb", 1))
    text = f"""func.func @main(%x: tensor<4x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xi32>) {{
  %b = stablehlo.convert %x : (tensor<4x6xf32>) -> tensor<4x6xi32>
  %r = {one}
  %s = {other.replace("xf32>", "xi32>")}
  return %r, %s : tensor<8x6xf32>, tensor<8x6xi32>
}}"""
    assert combined(text, "stablehlo.all_gather") == 1


def test_all_gathers_of_other_sizes_stay() -> None:
    one, other = (ALL_GATHER.format(operand=v, channel=i) for i, v in enumerate("xb", 1))
    text = f"""func.func @main(%x: tensor<4x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf64>) {{
  %b = stablehlo.convert %x : (tensor<4x6xf32>) -> tensor<4x6xf64>
  %r = {one}
  %s = {other.replace("xf32>", "xf64>")}
  return %r, %s : tensor<8x6xf32>, tensor<8x6xf64>
}}"""
    assert combined(text, "stablehlo.all_gather") == 2
