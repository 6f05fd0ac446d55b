"""Every collective operation, element type and way to form groups, by the specification's formulas.

The expected values are those of ``specified.py``, by hand; interpreted and compiled programs have
all their bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.execution.signature import is_tuple
from tests.execution.grids import bits
from tests.execution.reference_formulas import (
    FOLDS,
    MOVES,
    Grid,
    Line,
    Reducer,
    Setting,
    any_bits,
    region,
)
from tests.oracle.elements import DTYPES, Array

SQUARE: Final = Grid(2, 2)
BACKENDS: Final = ("interpreter", "cpu")


def program(lines: Sequence[Line], argument: str) -> str:
    """A function that gives the results of all operations."""
    rows: list[str] = []
    names: list[str] = []
    for i, line in enumerate(lines):
        count = len(line.results)
        rows.append(f"  %v{i}{f':{count}' if count > 1 else ''} = {line.text}")
        names += [f"%v{i}#{k}" for k in range(count)] if count > 1 else [f"%v{i}"]
    types = ", ".join(result for line in lines for result in line.results)
    body = "\n".join(rows)
    return (
        f"func.func @main(%x: {argument}) -> ({types}) {{\n{body}\n"
        f"  return {', '.join(names)} : {types}\n}}"
    )


def check(setting: Setting, lines: Sequence[Line]) -> None:
    """Runs a program of these operations; each has the bits that it should."""
    module = sm.load(program(lines, setting.type(4, 4)))
    assert isinstance(sm.compile(module), CompiledExecutable)
    grid = setting.grid
    expected = [[item for line in lines for item in line.expected[i]] for i in range(setting.count)]
    for backend in BACKENDS:
        per_process: list[Any] = sm.run_grid(
            module, list(setting.values), grid.replicas, grid.partitions, backend=backend
        )
        for process, (ours, theirs) in enumerate(zip(per_process, expected, strict=True)):
            results = ours if is_tuple(ours) else (ours,)
            wrong = [
                k
                for k, (a, b) in enumerate(zip(results, theirs, strict=True))
                if bits(a) != bits(b)
            ]
            assert not wrong, (backend, process, lines[wrong[0]].text)


@pytest.mark.parametrize("element", DTYPES)
def test_elements_of_every_type_travel_as_they_are(element: str) -> None:
    setting = Setting(SQUARE, element, [any_bits(element, seed) for seed in range(4)])
    check(setting, [line for item in MOVES for line in item(setting)])


@pytest.mark.parametrize("element", DTYPES)
def test_elements_of_every_type_are_combined(element: str) -> None:
    """The smallest numbers, of which sums are exact; the type without sums has the largest."""
    dtype = DTYPES[element]
    if element == "f8E8M0FNU":
        name, choices = "maximum", [1, 2]
    else:
        name, choices = "add", [0, 1]
    reducer: Reducer = largest if name == "maximum" else partial(added, dtype=dtype)
    generator = np.random.default_rng(1)
    pieces = [generator.choice(choices, (4, 4)).astype(dtype) for _ in range(4)]
    setting = Setting(SQUARE, element, pieces)
    body = f"%r = stablehlo.{name} %a, %b : tensor<{element}>"
    check(
        setting, [line for item in FOLDS for line in item(setting, region(element, body), reducer)]
    )


def added(x: Array, y: Array, dtype: Any) -> Array:
    """The sum of small numbers: integers wrap, of truth values it is whether one of them is."""
    if dtype.kind == "b":
        return x | y
    if dtype.kind == "c":
        return (x.astype(complex) + y.astype(complex)).astype(dtype)
    if dtype.kind in "iu":
        return x + y
    if dtype.name.startswith(("int", "uint")):  # not a number of NumPy's
        return (x.astype(np.int64) + y.astype(np.int64)).astype(dtype)
    return (x.astype(np.float64) + y.astype(np.float64)).astype(dtype)


def largest(x: Array, y: Array) -> Array:
    """The larger of two numbers."""
    return np.where(x.astype(np.float64) > y.astype(np.float64), x, y)


REGIONS: Final[dict[str, tuple[str, Reducer]]] = {
    "in order": (
        """%c = stablehlo.constant dense<3> : tensor<i32>
        %s = stablehlo.multiply %b, %c : tensor<i32>
        %r = stablehlo.subtract %a, %s : tensor<i32>""",
        lambda x, y: x - 3 * y,
    ),
    "by comparison": (
        """%m = stablehlo.abs %a : tensor<i32>
        %n = stablehlo.abs %b : tensor<i32>
        %p = stablehlo.compare GE, %m, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %r = stablehlo.select %p, %a, %b : tensor<i1>, tensor<i32>""",
        lambda x, y: np.where(abs(x) >= abs(y), x, y),
    ),
    "with a choice": (
        """%z = stablehlo.constant dense<0> : tensor<i32>
        %p = stablehlo.compare LT, %a, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %r = "stablehlo.if"(%p) ({
          %k = stablehlo.add %a, %b : tensor<i32>
          stablehlo.return %k : tensor<i32>
        }, {
          stablehlo.return %b : tensor<i32>
        }) : (tensor<i1>) -> tensor<i32>""",
        lambda x, y: np.where(x < 0, x + y, y),
    ),
    "the first": ("%r = stablehlo.optimization_barrier %a : tensor<i32>", lambda x, y: x),
}


@pytest.mark.parametrize("grid", [Grid(2, 2), Grid(4, 1), Grid(2, 3)], ids=str)
@pytest.mark.parametrize("name", REGIONS)
def test_any_region_combines_in_the_order_of_the_group(name: str, grid: Grid) -> None:
    body, reducer = REGIONS[name]
    generator = np.random.default_rng(2)
    count = grid.replicas * grid.partitions
    pieces = [generator.integers(-50, 50, (4, 4)).astype(np.int32) for _ in range(count)]
    setting = Setting(grid, "i32", pieces)
    folds = FOLDS if grid.partitions != 3 else (FOLDS[0], FOLDS[2])  # six parts are not even
    check(setting, [line for item in folds for line in item(setting, region("i32", body), reducer)])


def started(line: Line, number: int, operand: str) -> tuple[str, str]:
    """The operation as one that is started, and its end."""
    (result,) = line.results
    body = line.text.replace("(%x)", "(%y)", 1)
    return (
        f'  %f{number} = "stablehlo.async_start"(%x) ({{\n  ^bb0(%y: {operand}):\n'
        f"    %o = {body}\n    stablehlo.return %o : {result}\n"
        f"  }}) : ({operand}) -> !stablehlo.future<{result}>",
        f'  %v{number} = "stablehlo.async_done"(%f{number})'
        f" : (!stablehlo.future<{result}>) -> {result}",
    )


def test_every_collective_may_be_started_and_ended_later() -> None:
    pieces = [np.arange(16, dtype=np.float32).reshape(4, 4) * (k + 1) for k in range(4)]
    setting = Setting(SQUARE, "f32", pieces)
    sums = region("f32", "%r = stablehlo.add %a, %b : tensor<f32>")
    lines = [line for item in MOVES for line in item(setting)]
    lines += [line for formula in FOLDS for line in formula(setting, sums, lambda x, y: x + y)]
    argument = setting.type(4, 4)
    pairs = [started(line, i, argument) for i, line in enumerate(lines)]
    types = ", ".join(line.results[0] for line in lines)
    text = "\n".join(
        [
            f"func.func @main(%x: {argument}) -> ({types}) {{",
            *(start for start, _ in pairs),
            *(end for _, end in reversed(pairs)),
            f"  return {', '.join(f'%v{i}' for i in range(len(lines)))} : {types}\n}}",
        ]
    )
    for backend in BACKENDS:
        per_process = sm.run_grid(text, pieces, 2, 2, backend=backend)
        for process, results in enumerate(per_process):
            for line, result in zip(lines, results, strict=True):
                assert bits(result) == bits(line.expected[process][0]), (backend, line.text)
