"""Programs whose sizes depend on data, in parts that are compiled once for all sizes."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any, Final, cast

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.dynamic.segmented_execution import SegmentedExecutable
from stablemate.compiler.dynamic.shape_specialization import SpecializingExecutable
from stablemate.compiler.size_versions import SizedExecutable
from stablemate.execution.executable import Executable
from stablemate.numerics.elements import Array
from tests.compiler.result_comparison import arrays

# The elements above 0, and the squares of those among them whose square is below 2.
CHAIN: Final = """
func.func @main(%x: tensor<8xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0:2 = call @compact8(%x) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<i32>)
  %zero = stablehlo.constant dense<0> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %n = stablehlo.reshape %0#1 : (tensor<i32>) -> tensor<1xi32>
  %a = stablehlo.real_dynamic_slice %0#0, %zero, %n, %one
    : (tensor<8xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  %b = stablehlo.multiply %a, %a : tensor<?xf32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %twos = stablehlo.dynamic_broadcast_in_dim %two, %n, dims = []
    : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %small = stablehlo.compare LT, %b, %twos : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %c = stablehlo.convert %small : (tensor<?xi1>) -> tensor<?xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %m = stablehlo.reduce(%c init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  %twice = stablehlo.add %m, %m : tensor<i32>
  %shape = stablehlo.reshape %twice : (tensor<i32>) -> tensor<1xi32>
  %d = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %b, %d : tensor<?xf32>, tensor<?xf32>
}
func.func private @compact8(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<8xf32>
  %k = stablehlo.compare GT, %x, %zero : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  %i = stablehlo.convert %k : (tensor<8xi1>) -> tensor<8xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.reduce(%i init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<8xi32>, tensor<i32>) -> tensor<i32>
  return %x, %n : tensor<8xf32>, tensor<i32>
}"""

# Sizes that do not depend on each other.
BESIDE: Final = """
func.func @main(%x: tensor<3xi32>, %y: tensor<2xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %y : tensor<2xf32>
  %f = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %s = stablehlo.multiply %x, %x : tensor<3xi32>
SUMS  return %r : tensor<f32>
}"""


def beside() -> str:
    """Three sums of as many numbers as elements say."""
    lines: list[str] = []
    total = "%f"
    for i in range(3):
        lines += [
            f"  %n{i} = stablehlo.slice %s [{i}:{i + 1}] : (tensor<3xi32>) -> tensor<1xi32>",
            f"  %m{i} = stablehlo.maximum %n{i}, %n{i} : tensor<1xi32>",
            f"  %i{i} = stablehlo.dynamic_iota %m{i}, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>",
            f"  %s{i} = stablehlo.reduce(%i{i} init: %z) applies stablehlo.add across "
            "dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>",
            f"  %t{i} = stablehlo.add {total}, %s{i} : tensor<f32>",
        ]
        total = f"%t{i}"
    return BESIDE.replace("SUMS", "\n".join(lines) + "\n").replace("%r", total)


def segmented(text: str) -> SegmentedExecutable:
    """A program, compiled in parts."""
    executable = sm.compile(sm.load(text), backend="cpu")
    assert isinstance(executable, SegmentedExecutable)
    return executable


def require_equal(text: str, executable: Any, *inputs: Any) -> None:
    """Compares results with the interpreter's."""
    expected = arrays(sm.compile(sm.load(text), backend="interpreter")(*inputs))
    for one, other in zip(arrays(executable(*inputs)), expected, strict=True):
        assert (one.dtype, one.shape, one.tolist()) == (other.dtype, other.shape, other.tolist())


def compacted(count: int) -> Array:
    """Eight numbers, of which some are positive."""
    return np.where(np.arange(8) < count, np.linspace(0.5, 2, 8), -1).astype(np.float32)


def test_parts_are_compiled_once_for_all_sizes() -> None:
    executable = segmented(CHAIN)
    for count in (5, 3, 7, 6, 4, 2):
        require_equal(CHAIN, executable, compacted(count))
    assert executable.fallback is None
    first = executable.executables[1]
    assert isinstance(first, SpecializingExecutable)
    sized = [x for x in first.specializations.values() if isinstance(x, SizedExecutable)]
    assert len(sized) == 6
    assert len({id(item.version) for item in sized}) <= 2
    for count in (0, 1, 8):  # sizes of which a program for all others assumes nothing
        require_equal(CHAIN, executable, compacted(count))


def test_sizes_beside_each_other_are_known_in_one_part() -> None:
    executable = segmented(beside())
    assert len(executable.executables) == 2
    for x in ([2, 3, 4], [0, 1, 5], [7, 2, 2]):
        require_equal(beside(), executable, np.array(x, np.int32), np.ones(2, np.float32))


def test_a_number_that_is_no_size_is_the_interpreters_error() -> None:
    text = beside().replace("stablehlo.multiply %x, %x", "stablehlo.add %x, %x")
    executable = segmented(text)
    y = np.ones(2, np.float32)
    require_equal(text, executable, np.array([1, 2, 3], np.int32), y)
    with pytest.raises(sm.EvaluationError, match="dynamic_iota"):
        executable(np.array([1, -2, 3], np.int32), y)
    require_equal(text, executable, np.array([3, 2, 1], np.int32), y)


INSIDE: Final = """
func.func @main(%x: tensor<4xf32>) -> tensor<?xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %e = stablehlo.exponential %x : tensor<4xf32>
  %r:2 = stablehlo.while(%i = %i0, %a = %z) : tensor<i32>, tensor<f32>
  cond {
    %four = stablehlo.constant dense<4> : tensor<i32>
    %go = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k = stablehlo.add %i, %one : tensor<i32>
    %n = stablehlo.reshape %k : (tensor<i32>) -> tensor<1xi32>
    %b = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    %s = stablehlo.reduce(%b init: %z) applies stablehlo.add across dimensions = [0]
      : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
    %t = stablehlo.add %a, %s : tensor<f32>
    stablehlo.return %k, %t : tensor<i32>, tensor<f32>
  }
  %c = stablehlo.convert %r#1 : (tensor<f32>) -> tensor<i32>
  %c2 = stablehlo.multiply %c, %c : tensor<i32>
  %m = stablehlo.reshape %c2 : (tensor<i32>) -> tensor<1xi32>
  %d = stablehlo.dynamic_iota %m, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %d : tensor<?xf32>
}"""


def test_values_are_released_after_the_last_part_that_uses_them() -> None:
    compiled = segmented(
        """
func.func @main(%x: tensor<8xf32>) -> tensor<?xf32> {
  %e = stablehlo.exponential %x : tensor<8xf32>
  %i = stablehlo.convert %e : (tensor<8xf32>) -> tensor<8xi32>
  %first = stablehlo.slice %i [0:1] : (tensor<8xi32>) -> tensor<1xi32>
  %a = stablehlo.dynamic_iota %first, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  %t = stablehlo.reduce(%e init: %s) applies stablehlo.add across dimensions = [0]
    : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %n = stablehlo.convert %t : (tensor<f32>) -> tensor<i32>
  %shape = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %b = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %b : tensor<?xf32>
}"""
    )
    held = Held()
    compiled.executables = [cast("Executable", Spy(e, held)) for e in compiled.executables]
    (result,) = compiled.run([np.zeros(8, np.float32)])
    assert np.asarray(result).shape == (8,)
    # Sizes are arguments without elements; the second part is the last that uses the exponentials.
    assert held.before == [0, 1, 0]


class Held:
    """Which results of parts are alive when the next part begins."""

    def __init__(self) -> None:
        self.results: list[weakref.ref[Array]] = []
        self.before: list[int] = []


class Spy:
    """An executable that counts the results of earlier parts that are alive when it begins."""

    fallback = None

    def __init__(self, executable: Executable, held: Held) -> None:
        self.executable = executable
        self.held = held

    def run(self, values: Sequence[Any], *rest: Any) -> list[Array]:
        self.held.before.append(sum(result() is not None for result in self.held.results))
        copies = [np.array(result) for result in self.executable.run(values, *rest)]
        self.held.results += map(weakref.ref, copies)
        return copies


def test_a_loop_in_which_sizes_depend_on_data_is_a_part_of_its_own() -> None:
    executable = segmented(INSIDE)
    require_equal(INSIDE, executable, np.ones(4, np.float32))
    assert [segment.is_interpreted for segment in executable.parts.segments] == [
        True, False, False,
    ]  # fmt: skip


def test_stages_of_the_compiler_are_those_of_the_parts() -> None:
    executable = segmented(CHAIN)
    executable(np.ones(8, np.float32))
    assert "multiply" in executable.emit("fusion")
