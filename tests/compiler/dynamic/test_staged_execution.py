"""Programs whose sizes depend on data: compiled part by part, for the sizes that arise."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.dynamic.dynamic_executable import MAX_SPECIALIZATIONS
from stablemate.compiler.dynamic.staged_execution import StagedExecutable
from stablemate.compiler.executable import CompiledExecutable
from stablemate.execution.executable import Executable
from tests.compiler.result_comparison import arrays

Arguments = tuple[Any, ...]
# Programs that depend on a size in each way there is, with arguments for several sizes.
PROGRAMS: Final[dict[str, str]] = {
    "dynamic_iota": """(%n: tensor<1xi32>, %x: tensor<6xf32>) -> tensor<?xi32> {
      %0 = stablehlo.add %n, %n : tensor<1xi32>
      %1 = stablehlo.dynamic_iota %0, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
      %2 = stablehlo.multiply %1, %1 : tensor<?xi32>
      return %2 : tensor<?xi32>""",
    "dynamic_broadcast_in_dim": """(%n: tensor<1xi32>, %x: tensor<6xf32>) -> tensor<f32> {
      %six = stablehlo.constant dense<6> : tensor<1xi32>
      %s = stablehlo.concatenate %n, %six, dim = 0
        : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %1 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1]
        : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x6xf32>
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [0, 1]
        : (tensor<?x6xf32>, tensor<f32>) -> tensor<f32>
      return %2 : tensor<f32>""",
    "dynamic_pad": """(%n: tensor<1xi32>, %x: tensor<6xf32>) -> tensor<?xf32> {
      %z = stablehlo.constant dense<-1.0> : tensor<f32>
      %zero = stablehlo.constant dense<0> : tensor<1xi32>
      %1 = stablehlo.dynamic_pad %x, %z, %n, %zero, %zero
        : (tensor<6xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>)
        -> tensor<?xf32>
      return %1 : tensor<?xf32>""",
    "real_dynamic_slice": """(%n: tensor<1xi32>, %x: tensor<6xf32>) -> tensor<?xf32> {
      %zero = stablehlo.constant dense<0> : tensor<1xi32>
      %one = stablehlo.constant dense<1> : tensor<1xi32>
      %1 = stablehlo.real_dynamic_slice %x, %zero, %n, %one
        : (tensor<6xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
      %2 = stablehlo.reverse %1, dims = [0] : tensor<?xf32>
      return %2 : tensor<?xf32>""",
    "set_dimension_size": """(%n: tensor<1xi32>, %x: tensor<6xf32>)
        -> (tensor<f32>, tensor<i32>) {
      %k = stablehlo.reshape %n : (tensor<1xi32>) -> tensor<i32>
      %1 = stablehlo.set_dimension_size %x, %k, dim = 0
        : (tensor<6xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<6>>
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [0]
        : (tensor<?xf32, #stablehlo.bounds<6>>, tensor<f32>) -> tensor<f32>
      %3 = stablehlo.get_dimension_size %1, dim = 0
        : (tensor<?xf32, #stablehlo.bounds<6>>) -> tensor<i32>
      return %2, %3 : tensor<f32>, tensor<i32>""",
    "if": """(%n: tensor<1xi32>, %x: tensor<6xf32>) -> tensor<?xf32> {
      %k = stablehlo.reshape %n : (tensor<1xi32>) -> tensor<i32>
      %two = stablehlo.constant dense<2> : tensor<i32>
      %p = stablehlo.compare LT, %k, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %1 = "stablehlo.if"(%p) ({
        %a = stablehlo.slice %x [1:3] : (tensor<6xf32>) -> tensor<2xf32>
        %b = stablehlo.convert %a : (tensor<2xf32>) -> tensor<?xf32>
        stablehlo.return %b : tensor<?xf32>
      }, {
        %c = stablehlo.convert %x : (tensor<6xf32>) -> tensor<?xf32>
        stablehlo.return %c : tensor<?xf32>
      }) : (tensor<i1>) -> tensor<?xf32>
      return %1 : tensor<?xf32>""",
    "called": """(%n: tensor<1xi32>, %x: tensor<6xf32>) -> tensor<?xi32> {
      %1 = call @counted(%n) : (tensor<1xi32>) -> tensor<?xi32>
      %2 = stablehlo.negate %1 : tensor<?xi32>
      return %2 : tensor<?xi32>
    }
    func.func private @counted(%n: tensor<1xi32>) -> tensor<?xi32> {
      %0 = stablehlo.multiply %n, %n : tensor<1xi32>
      %1 = stablehlo.dynamic_iota %0, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
      return %1 : tensor<?xi32>""",
    "shapes": """(%n: tensor<1xi32>, %x: tensor<6xf32>) -> tensor<?xf32> {
      %s = shape.value_as_shape %n : tensor<1xi32> -> !shape.shape
      %six = shape.const_shape [6] : !shape.shape
      %both = shape.concat %s, %six : !shape.shape, !shape.shape -> !shape.shape
      %all = shape.num_elements %both : !shape.shape -> !shape.size
      %i = shape.size_to_index %all : !shape.size
      %e = tensor.from_elements %i : tensor<1xindex>
      %1 = stablehlo.dynamic_iota %e, dim = 0 : (tensor<1xindex>) -> tensor<?xf32>
      return %1 : tensor<?xf32>""",
}


def staged(text: str) -> StagedExecutable:
    """A program, compiled in parts."""
    executable = sm.compile(sm.load(text), backend="cpu")
    assert isinstance(executable, StagedExecutable)
    return executable


def parts_of(executable: Executable) -> list[Executable]:
    """All parts that have been made."""
    if not isinstance(executable, StagedExecutable):
        return [executable]
    collected = [executable.first, *executable.specializations.values()]
    return [part for item in collected for part in parts_of(item)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_sizes_are_constants_of_the_parts_behind_them(name: str) -> None:
    text = f"func.func @main{PROGRAMS[name]}\n}}"
    executable = staged(text)
    oracle = sm.compile(sm.load(text), backend="interpreter")
    x = np.random.default_rng(3).integers(-9, 9, 6).astype("f")
    for size in (3, 0, 3, 5):
        n = np.array([size], np.int32)
        value, expected = arrays(executable(n, x)), arrays(oracle(n, x))
        for one, other in zip(value, expected, strict=True):
            assert (one.dtype, one.shape, one.tolist()) == (
                (other.dtype, other.shape, other.tolist())
            )
        assert executable.fallback is None
    for part in parts_of(executable):
        assert isinstance(part, CompiledExecutable)
        assert "request" not in part.emit("plan")


def test_sizes_that_break_a_rule_are_the_interpreters_error() -> None:
    executable = staged(f"func.func @main{PROGRAMS['real_dynamic_slice']}\n}}")
    x = np.zeros(6, np.float32)
    with pytest.raises(sm.EvaluationError, match="real_dynamic_slice"):
        executable(np.array([7], np.int32), x)
    assert executable(np.array([6], np.int32), x).shape == (6,)


def test_only_the_latest_sizes_stay() -> None:
    executable = staged(f"func.func @main{PROGRAMS['dynamic_iota']}\n}}")
    for size in range(MAX_SPECIALIZATIONS + 2):
        assert executable(np.array([size], np.int32), np.zeros(6, np.float32)).size == 2 * size
    assert len(executable.specializations) == MAX_SPECIALIZATIONS


OPEN_CALL: Final = """
func.func @main(%x: tensor<6xf32>) -> tensor<?xf32> {
  %0 = stablehlo.exponential %x : tensor<6xf32>
  %1 = stablehlo.custom_call @test_staging_positive(%x, %0)
    : (tensor<6xf32>, tensor<6xf32>) -> tensor<?xf32>
  %2 = stablehlo.sqrt %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}"""


def test_results_of_python_have_the_sizes_that_arrive() -> None:
    @sm.custom_call("test_staging_positive")
    def positive(operands: Any, call: Any) -> Any:
        return operands[1][operands[0] > 0]

    assert positive is not None
    executable = staged(OPEN_CALL)
    for seed in range(3):
        x = np.random.default_rng(seed).standard_normal(6).astype("f")
        np.testing.assert_allclose(executable(x), np.exp(x[x > 0] / 2), rtol=1e-6)
    assert all(isinstance(part, CompiledExecutable) for part in parts_of(executable))


GROWING: Final = """
func.func @main(%n: tensor<i32>, %x: tensor<1xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %y = stablehlo.convert %x : (tensor<1xf32>) -> tensor<?xf32>
  %r:2 = stablehlo.while(%i = %zero, %a = %y) : tensor<i32>, tensor<?xf32>
  cond {
    %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k = stablehlo.add %i, %one : tensor<i32>
    %b = stablehlo.concatenate %a, %a, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    stablehlo.return %k, %b : tensor<i32>, tensor<?xf32>
  }
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%r#1 init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}"""


def test_what_grows_in_a_loop_is_one_interpreted_operation() -> None:
    executable = staged(GROWING)
    for count in (0, 1, 5):
        executable_result = executable(np.int32(count), np.array([1.5], np.float32))
        assert executable_result.tolist() == 1.5 * 2**count
    assert all(isinstance(part, CompiledExecutable) for part in parts_of(executable))


DRAWING: Final = """
func.func @main(%n: tensor<1xi32>) -> (tensor<?xf32>, tensor<3xf32>) {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.constant dense<1.0> : tensor<f32>
  %three = stablehlo.constant dense<3> : tensor<1xi64>
  %0 = stablehlo.rng %a, %b, %three, distribution = UNIFORM
    : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
  %1 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  %2 = stablehlo.rng %a, %b, %three, distribution = UNIFORM
    : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
  %3 = stablehlo.add %0, %2 : tensor<3xf32>
  return %1, %3 : tensor<?xf32>, tensor<3xf32>
}"""


def test_parts_draw_from_one_generator() -> None:
    n = np.array([4], np.int32)
    expected = arrays(sm.compile(sm.load(DRAWING), backend="interpreter")(n, seed=7))
    arrays_read = arrays(staged(DRAWING)(n, seed=7))
    assert [array.tolist() for array in arrays_read] == [array.tolist() for array in expected]


def test_stages_of_the_compiler_are_those_of_the_parts() -> None:
    executable = staged(f"func.func @main{PROGRAMS['dynamic_iota']}\n}}")
    assert "add" in executable.emit("fusion")
    executable(np.array([2], np.int32), np.zeros(6, np.float32))
    assert "multiply" in executable.emit("fusion")


def test_a_declaration_is_not_compiled() -> None:
    module = sm.load(
        "func.func private @f(tensor<2xf32>) -> tensor<2xf32>\n"
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
    )
    with pytest.raises(sm.EvaluationError, match="function @f has no body"):
        sm.compile(module, entry="f")
