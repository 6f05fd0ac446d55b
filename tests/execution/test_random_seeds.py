"""Random numbers of a run: from its seed, a stream for each process."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import stablemate as sm

Array = npt.NDArray[Any]

TWO = """
func.func @main(%b: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<4> : tensor<1xi64>
  %0 = stablehlo.rng %a, %b, %n, distribution = NORMAL
    : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %1 = stablehlo.rng %a, %b, %n, distribution = NORMAL
    : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
"""
LOOP = """
func.func @main() -> tensor<3xf32> {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.constant dense<1.0> : tensor<f32>
  %n = stablehlo.constant dense<1> : tensor<1xi64>
  %zeros = stablehlo.constant dense<0.0> : tensor<3xf32>
  %0 = stablehlo.constant dense<0> : tensor<i64>
  %1 = stablehlo.constant dense<1> : tensor<i64>
  %3 = stablehlo.constant dense<3> : tensor<i64>
  %r:2 = stablehlo.while(%i = %0, %x = %zeros) : tensor<i64>, tensor<3xf32>
   cond {
    %c = stablehlo.compare LT, %i, %3 : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %d = stablehlo.rng %a, %b, %n, distribution = UNIFORM
      : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<1xf32>
    %y = stablehlo.dynamic_update_slice %x, %d, %i
      : (tensor<3xf32>, tensor<1xf32>, tensor<i64>) -> tensor<3xf32>
    %j = stablehlo.add %i, %1 : tensor<i64>
    stablehlo.return %j, %y : tensor<i64>, tensor<3xf32>
  }
  return %r#1 : tensor<3xf32>
}
"""
ONE = np.float32(1)


def random_numbers(**options: Any) -> Array:
    """What both operations draw."""
    return np.concatenate(sm.run(TWO, ONE, **options))


def test_every_operation_draws_other_numbers() -> None:
    assert len(np.unique(random_numbers())) == 8


def test_every_iteration_draws_other_numbers() -> None:
    assert len(np.unique(sm.run(LOOP))) == 3


def test_the_seed_decides() -> None:
    np.testing.assert_array_equal(random_numbers(seed=3), random_numbers(seed=3))
    np.testing.assert_array_equal(random_numbers(), random_numbers(seed=0))
    assert not np.isin(random_numbers(seed=3), random_numbers(seed=4)).any()


def test_an_executable_that_runs_again_begins_anew() -> None:
    program = sm.compile(sm.load(TWO))
    np.testing.assert_array_equal(program(ONE)[1], program(ONE)[1])
    assert (program(ONE, seed=1)[0] != program(ONE, seed=2)[0]).all()


def test_each_process_has_a_stream_of_its_own() -> None:
    processes = [np.concatenate(item) for item in sm.run_grid(TWO, (ONE,), 2, 2, seed=5)]
    assert len(np.unique(processes)) == 4 * 8
    np.testing.assert_array_equal(processes[0], random_numbers(seed=5))  # as if it were alone
    again = sm.run_grid(TWO, (ONE,), 2, 2, seed=5)
    np.testing.assert_array_equal([np.concatenate(item) for item in again], processes)


def test_processes_that_a_program_runs_have_streams_of_their_own() -> None:
    worker = TWO.replace("func.func @main(%b: tensor<f32>)", "func.func @worker()").replace(
        "%a =", "%b = stablehlo.constant dense<1.0> : tensor<f32>\n  %a ="
    )
    results = ", ".join(["tensor<4xf32>"] * 4)
    program = f"""
module {{
  {worker}
  func.func @main() -> ({results}) {{
    %0:4 = "interpreter.run_parallel"() {{programs = [[@worker], [@worker]]}} : () -> ({results})
    return %0#0, %0#1, %0#2, %0#3 : {results}
  }}
}}
"""
    assert len(np.unique(sm.run(program))) == 16


def test_a_negative_deviation_mirrors() -> None:
    np.testing.assert_array_equal(sm.run(TWO, -ONE)[0], -sm.run(TWO, ONE)[0])


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(sm.ArgumentError, match="a seed is at least 0, not -1"):
        random_numbers(seed=-1)
