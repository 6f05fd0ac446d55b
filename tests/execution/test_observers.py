"""What a listener is told: the same by both executors, in the order of the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.analysis.operation_identity import Sites
from stablemate.api.inspection.observing import observable_function
from stablemate.execution.observe.listener import Computed
from stablemate.ir.core import Operation
from stablemate.ir.grid import Grid, ProcessId

BACKENDS: Final = ("interpreter", "cpu")
Line = tuple[ProcessId | None, int, str, Any]


class Log:
    """Writes down what it is told: process, depth, what, values."""

    def __init__(self, sites: Sites, process: ProcessId | None = None) -> None:
        self.sites = sites
        self.own = process
        self.depth = 0
        self.lines: list[Line] = []

    def watch(self, operation: Operation) -> Computed | None:
        observed_results = self.sites.results_of(operation)
        if observed_results is None:
            return None
        site = observed_results[0]

        def computed(operands: Sequence[Any], results: Sequence[Any]) -> None:
            values = [None if result is None else np.asarray(result).tolist() for result in results]
            self.lines.append((self.own, self.depth, site.name, values))

        return computed

    def enter(self, operation: Operation, region: int, arguments: Sequence[Any]) -> None:
        self.lines.append((self.own, self.depth, f"> {operation.name} {region}", None))
        self.depth += 1

    def leave(self) -> None:
        self.depth -= 1

    def process(self, process: ProcessId) -> Log:
        log = type(self)(self.sites, process)
        log.lines = self.lines
        return log


def observed_run(
    text: str, *arguments: Any, backend: str, **options: Any
) -> tuple[list[Line], Any]:
    """What a listener is told of a run, and what the run gives."""
    program = observable_function(sm.load(text), backend=backend)
    log = Log(program.sites)
    return log.lines, program.run(log, *arguments, **options)


def observed_lines(
    text: str, *arguments: Any, backend: str, **options: Any
) -> list[tuple[int, str, Any]]:
    """The same without processes."""
    lines, _ = observed_run(text, *arguments, backend=backend, **options)
    return [line[1:] for line in lines]


LOOP: Final = """
func.func @main(%x: tensor<2xf32>, %n: tensor<i32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<2xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %b = stablehlo.multiply %a, %a : tensor<2xf32>
    stablehlo.return %j, %b : tensor<i32>, tensor<2xf32>
  }
  return %r#1 : tensor<2xf32>
}"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_loop_is_told_iteration_by_iteration(backend: str) -> None:
    x = np.array([2, 3], np.float32)
    assert observed_lines(LOOP, x, np.int32(2), backend=backend) == [
        (0, "> func.func 0", None),
        (1, "> stablehlo.while 0", None),
        (2, "stablehlo.compare", [True]),
        (1, "> stablehlo.while 1", None),
        (2, "stablehlo.add", [1]),
        (2, "stablehlo.multiply", [[4.0, 9.0]]),
        (1, "> stablehlo.while 0", None),
        (2, "stablehlo.compare", [True]),
        (1, "> stablehlo.while 1", None),
        (2, "stablehlo.add", [2]),
        (2, "stablehlo.multiply", [[16.0, 81.0]]),
        (1, "> stablehlo.while 0", None),
        (2, "stablehlo.compare", [False]),
        (1, "stablehlo.while", [2, [16.0, 81.0]]),
    ]


BRANCHES: Final = """
func.func private @half(%x: tensor<f32>) -> tensor<f32> {
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.divide %x, %two : tensor<f32>
  return %0 : tensor<f32>
}
func.func @main(%x: tensor<f32>, %i: tensor<i32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.compare GT, %x, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %0 = "stablehlo.if"(%p) ({
    %a = func.call @half(%x) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %a : tensor<f32>
  }, {
    %a = stablehlo.negate %x : tensor<f32>
    stablehlo.return %a : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %1 = "stablehlo.case"(%i) ({
    stablehlo.return %0 : tensor<f32>
  }, {
    %b = stablehlo.composite "my.half" %0 {decomposition = @half} : (tensor<f32>) -> tensor<f32>
    stablehlo.return %b : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %1 : tensor<f32>
}"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_branches_and_calls_are_told_as_they_are_taken(backend: str) -> None:
    assert observed_lines(BRANCHES, np.float32(8), np.int32(1), backend=backend) == [
        (0, "> func.func 0", None),
        (1, "stablehlo.compare", [True]),
        (1, "> stablehlo.if 0", None),
        (2, "> func.call 0", None),
        (3, "stablehlo.divide", [4.0]),
        (2, "func.call", [4.0]),
        (1, "stablehlo.if", [4.0]),
        (1, "> stablehlo.case 1", None),
        (2, "> stablehlo.composite 0", None),
        (3, "stablehlo.divide", [2.0]),
        (2, "stablehlo.composite", [2.0]),
        (1, "stablehlo.case", [2.0]),
    ]


SCALARS: Final = """
func.func private @plus(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %x, %y : tensor<f32>
  return %0 : tensor<f32>
}
func.func @main(%x: tensor<3xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = func.call @plus(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_computations_on_scalars_are_not_told(backend: str) -> None:
    lines = observed_lines(SCALARS, np.array([1, 2, 4], np.float32), backend=backend)
    assert lines == [(0, "> func.func 0", None), (1, "stablehlo.reduce", [7.0])]


DECOMPOSED: Final = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = chlo.square %x : tensor<2xf32> -> tensor<2xf32>
  %1 = chlo.sinh %0 : tensor<2xf32> -> tensor<2xf32>
  %2 = chlo.conj %1 : tensor<2xf32> -> tensor<2xf32>
  return %2 : tensor<2xf32>
}"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_legalized_is_told_as_the_operation_that_was_written(backend: str) -> None:
    lines = observed_lines(DECOMPOSED, np.array([0, 2], np.float32), backend=backend)
    assert [line[1] for line in lines] == ["> func.func 0", "chlo.square", "chlo.sinh"]
    assert lines[1][2] == [[0.0, 4.0]]
    np.testing.assert_allclose(lines[2][2], [np.sinh([0.0, 4.0])], rtol=1e-6)


FILLED: Final = """
func.func @main(%x: tensor<3xi32>) -> tensor<3xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<3xi32>
  cond {
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %v = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
    %b = stablehlo.dynamic_update_slice %a, %v, %i
      : (tensor<3xi32>, tensor<1xi32>, tensor<i32>) -> tensor<3xi32>
    stablehlo.return %j, %b : tensor<i32>, tensor<3xi32>
  }
  return %r#1 : tensor<3xi32>
}"""


class Keeper(Log):
    """Keeps the arrays themselves."""

    def watch(self, operation: Operation) -> Computed | None:
        def computed(operands: Sequence[Any], results: Sequence[Any]) -> None:
            self.lines.append((self.own, 0, operation.name, results))

        return computed


@pytest.mark.parametrize("backend", BACKENDS)
def test_values_may_be_kept(backend: str) -> None:
    program = observable_function(sm.load(FILLED), backend=backend)
    keeper = Keeper(program.sites)
    program.run(keeper, np.array([7, 8, 9], np.int32))
    kept = [np.asarray(line[3][0]).tolist() for line in keeper.lines if "update_slice" in line[2]]
    assert kept == [[0, 8, 9], [0, 1, 9], [0, 1, 2]]


FAILING: Final = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %a = %0) : tensor<i32>, tensor<2xf32>
  cond {
    %p = stablehlo.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %b = stablehlo.negate %a : tensor<2xf32>
    check.expect_eq_const %b, dense<0.0> : tensor<2xf32>
    %c = stablehlo.add %b, %b : tensor<2xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %c : tensor<i32>, tensor<2xf32>
  }
  return %r#1 : tensor<2xf32>
}"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_of_a_run_that_fails_everything_up_to_there_is_told(backend: str) -> None:
    program = observable_function(sm.load(FAILING), backend=backend)
    log = Log(program.sites)
    with pytest.raises(sm.EvaluationError):
        program.run(log, np.array([1, 2], np.float32))
    assert [line[1:] for line in log.lines][-2:] == [
        (1, "> stablehlo.while 1", None),
        (2, "stablehlo.negate", [[-2.0, -4.0]]),
    ]


SUM: Final = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.add %0, %x : tensor<f32>
  return %1 : tensor<f32>
}"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_each_process_of_a_grid_has_a_listener(backend: str) -> None:
    arguments = [np.float32(1), np.float32(2)]
    lines, results = observed_run(SUM, arguments, backend=backend, grid=Grid(2, 1))
    assert results == [4.0, 5.0]
    for process, last in (((0, 0), 4.0), ((1, 0), 5.0)):
        assert [line[1:] for line in lines if line[0] == process] == [
            (0, "> func.func 0", None),
            (1, "stablehlo.all_reduce", [3.0]),
            (1, "stablehlo.add", [last]),
        ]


MANUAL: Final = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>]
    manual_axes={"x"} (%a: tensor<2xf32>) {
    %b = stablehlo.negate %a : tensor<2xf32>
    sdy.return %b : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_devices_inside_a_process_are_told(backend: str) -> None:
    lines, _ = observed_run(MANUAL, np.arange(4, dtype=np.float32), backend=backend)
    assert [line for line in lines if line[2] == "stablehlo.negate"] == [
        ((0, 0), 1, "stablehlo.negate", [[-0.0, -1.0]]),
        ((0, 1), 1, "stablehlo.negate", [[-2.0, -3.0]]),
    ]


DYNAMIC: Final = """
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  %1 = stablehlo.negate %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_open_sizes_are_told_as_they_are(backend: str) -> None:
    for size in (2, 3):
        x = np.ones(size, np.float32)
        lines = observed_lines(DYNAMIC, x, backend=backend)
        assert lines[1:] == [
            (1, "stablehlo.add", [[2.0] * size]),
            (1, "stablehlo.negate", [[-2.0] * size]),
        ]


HLO: Final = """HloModule m
ENTRY main {
  x = f32[2]{0} parameter(0)
  y = f32[2]{0} multiply(x, x)
  z = f32[2]{0} negate(y)
  ROOT t = (f32[2]{0}, f32[2]{0}) tuple(y, z)
}
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_hlo_is_told_as_its_translation(backend: str) -> None:
    program = observable_function(sm.load(HLO), backend=backend)
    log = Log(program.sites)
    program.run(log, np.array([1, 3], np.float32))
    assert [line[1:] for line in log.lines][1:3] == [
        (1, "stablehlo.multiply", [[1.0, 9.0]]),
        (1, "stablehlo.negate", [[-1.0, -9.0]]),
    ]
    places = [site.line for site in program.sites if site.name == "stablehlo.negate"]
    assert places == [5]


def test_without_a_listener_an_observed_program_runs() -> None:
    x = np.array([2, 3], np.float32)
    for backend in BACKENDS:
        program = observable_function(sm.load(LOOP), backend=backend)
        assert program.executable(x, np.int32(1)).tolist() == [4.0, 9.0]


def test_native_code_tells_what_is_watched_and_with_operands_if_asked() -> None:
    x = np.array([2, 3], np.float32)
    program = observable_function(
        sm.load(LOOP),
        backend="cpu",
        watched=lambda site: site.name == "stablehlo.multiply",
        operands=True,
    )
    operands_seen: list[Any] = []

    class Operands(Log):
        def watch(self, operation: Operation) -> Computed | None:
            def computed(operands: Sequence[Any], results: Sequence[Any]) -> None:
                operands_seen.append(
                    (operation.name, [np.asarray(operand).tolist() for operand in operands])
                )

            return computed

    program.run(Operands(program.sites), x, np.int32(1))
    assert operands_seen == [("stablehlo.multiply", [[2.0, 3.0], [2.0, 3.0]])]


def test_the_bits_are_those_of_the_program() -> None:
    """Markers keep values in memory; they change none."""
    text = """
func.func @main(%x: tensor<64x64xf32>) -> (tensor<64xf32>, tensor<64x64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %x : tensor<64x64xf32>
  %1 = stablehlo.dot_general %0, %x, contracting_dims = [1] x [0]
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.tanh %1 : tensor<64x64xf32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %4 = stablehlo.divide %2, %0 : tensor<64x64xf32>
  return %3, %4 : tensor<64xf32>, tensor<64x64xf32>
}"""
    module = sm.load(text)
    x = np.random.default_rng(0).standard_normal((64, 64)).astype(np.float32)
    plain = module.run(x)
    program = observable_function(module, backend="cpu")
    assert program.executable.fallback is None
    keeper = Keeper(program.sites)
    results = program.run(keeper, x)
    kept = {line[2]: np.asarray(line[3][0]) for line in keeper.lines if line[3]}
    for got, expected in zip(results, plain, strict=True):
        np.testing.assert_array_equal(got, expected)
    np.testing.assert_array_equal(kept["stablehlo.reduce"], plain[0])
    np.testing.assert_array_equal(kept["stablehlo.divide"], plain[1])
