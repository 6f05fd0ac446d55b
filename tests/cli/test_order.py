"""``order="fast"`` is known wherever the interpreter runs programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.diagnostics.errors import ArgumentValueError
from tests.cli.conftest import Invoke

SUM = """func.func @main(%x: tensor<1024xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<1024xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""
# 2^24 + 1 is no float of 32 bits: one by one, each 1 is lost. NumPy adds up the ones first.
VALUES = np.ones(1024, np.float32)
VALUES[0] = 2.0**24
IN_ORDER = 2.0**24


def traced(**options: Any) -> Any:
    """The sum in a trace."""
    trace = sm.trace(SUM, VALUES, backend="interpreter", keep=True, **options)
    return trace.results


def debugged(**options: Any) -> Any:
    """The sum of a run in the debugger."""
    lines = iter(["continue"])
    return sm.debug(SUM, VALUES, read=lambda: next(lines, None), write=lambda text: None, **options)


RUNS: dict[str, Callable[..., Any]] = {
    "run": lambda **o: sm.run(SUM, VALUES, backend="interpreter", **o),
    "compile": lambda **o: sm.compile(sm.load(SUM), backend="interpreter", **o)(VALUES),
    "run_grid": lambda **o: sm.run_grid(SUM, (VALUES,), 1, 1, backend="interpreter", **o)[0],
    "several": lambda **o: sm.run_grid(
        [SUM, SUM], [(VALUES,), (VALUES,)], backend="interpreter", **o
    )[1],
    "trace": traced,
    "debug": debugged,
}


@pytest.mark.parametrize("name", RUNS)
def test_functions_take_the_order(name: str) -> None:
    assert RUNS[name]() == IN_ORDER
    assert RUNS[name](order="fast") > IN_ORDER


@pytest.mark.parametrize("name", [*RUNS, "find_nan"])
def test_there_are_two_orders(name: str) -> None:
    run = RUNS.get(name, lambda **o: sm.find_nan(SUM, VALUES, **o))
    with pytest.raises(ArgumentValueError, match="order"):
        run(order="random")


@pytest.mark.parametrize(
    "command",
    [
        "run sum.mlir --backend=interpreter --grid=1x1",
        "run sum.mlir sum.mlir --backend=interpreter --input=@x.npy",
        "run sum.mlir --backend=interpreter",
        "trace sum.mlir --backend=interpreter",
        "dbg sum.mlir --command=step --command=step --command=continue",
    ],
)
def test_commands_take_the_order(
    command: str, stablemate: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sum.mlir").write_text(SUM)
    np.save("x.npy", VALUES)
    arguments = (*command.split(), "--input=@x.npy")
    reference, fast = stablemate(*arguments), stablemate(*arguments, "--order=fast")
    assert (reference.exit_code, fast.exit_code) == (0, 0), fast.output
    assert reference.stdout != fast.stdout


@pytest.mark.parametrize("verb", ["compare", "bisect"])
def test_native_sums_are_compared_with_an_order(
    verb: str, stablemate: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In order 1023 ones are lost; native code and NumPy add up most of them."""
    monkeypatch.chdir(tmp_path)
    Path("sum.mlir").write_text(SUM)
    np.save("x.npy", VALUES)
    arguments = (verb, "sum.mlir", "--input=@x.npy", "--atol=512", "--rtol=0")
    reference, fast = stablemate(*arguments), stablemate(*arguments, "--order=fast")
    assert (reference.exit_code, fast.exit_code) == (1, 0), fast.output


@pytest.mark.parametrize("function", [sm.compare, sm.bisect])
def test_comparisons_know_two_orders(function: Callable[..., Any]) -> None:
    with pytest.raises(ArgumentValueError, match="order"):
        function(SUM, VALUES, order="random")
