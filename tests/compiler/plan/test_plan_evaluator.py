"""Plans evaluated in Python: fusion, loops and buffers are right without any native code.

Examples of operations check their own results. Parallel iterations run backwards,
and memory that nothing was written to holds no zeros. Native code gives the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.api.executables import function_operations
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.evaluator import evaluate
from stablemate.compiler.loops.expressions import Expressions
from stablemate.compiler.loops.statements import Kernel, Loop, StoreElement
from stablemate.compiler.plan.evaluator import evaluate_plan
from stablemate.transforms.legalization import legalize_module
from tests.compiler.child_processes import Child
from tests.compiler.plan_evaluation import Asks, answering, difference
from tests.compiler.plans import planned
from tests.compiler.test_examples import FILES, check_examples, loaded
from tests.compiler.variants import Variant
from tests.machines import MACHINES
from tests.ops import test_ops
from tests.programs.program import load_program, programs

LONG: Final = frozenset({"chlo_polygamma.mlir", "chlo_zeta.mlir", "sort.mlir"})
SHORT: Final = frozenset(
    {"elementwise", "fft", "gnn", "histogram", "lstm", "nbody", "sort", "stencil", "threefry"}
)
NATIVE: Final = [
    Variant(fuse, 1, machine) for machine in ("", "avx2", "sse2") for fuse in (True, False)
]


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    """Where native code runs."""
    with Child(patience=900) as child:  # evaluation in Python is slow
        yield child


def marked(name: str, slow: bool) -> Any:
    """A case of a test, that may be run only when it is asked for."""
    return pytest.param(name, marks=pytest.mark.nightly if slow else ())


@pytest.mark.parametrize("fuse", [True, False], ids=["fused", "unfused"])
@pytest.mark.parametrize("file", [marked(file, file in LONG) for file in FILES])
def test_plans_of_examples_give_their_values(file: str, fuse: bool) -> None:
    module = sm.load(Path(test_ops.DIRECTORY) / file)
    functions = {
        function_operation.symbol: function_operation
        for function_operation in function_operations(legalize_module(module.ir))
    }
    for name, function in functions.items():
        if function.sym_visibility not in (None, "public"):
            continue
        try:
            plan = planned(functions, name, MACHINES["sse2"], CompileOptions(fuse=fuse))
            evaluate_plan(plan, [], answering(functions), fuses=False)
        except (sm.UnsupportedError, Asks):
            continue


def difference_of_example(file: str, name: str, variant: Variant) -> str:
    """How native code of an example differs from its plan."""
    executable = variant.compiled(loaded(file), name)
    if not isinstance(executable, CompiledExecutable) or executable.runs_as_process:
        return ""
    return difference(executable, ())


def difference_of_program(name: str, variant: Variant) -> str:
    """How native code of a program differs from its plan."""
    text, arguments = load_program(name)
    executable = variant.compiled(sm.load(text))
    assert isinstance(executable, CompiledExecutable), executable.fallback
    return difference(executable, arguments)


@pytest.mark.nightly
@pytest.mark.parametrize("variant", NATIVE, ids=str)
@pytest.mark.parametrize("file", FILES)
def test_native_examples_have_the_bits_of_their_plans(
    file: str, variant: Variant, child: Child
) -> None:
    check_examples(difference_of_example, file, variant, child)


@pytest.mark.parametrize("variant", NATIVE, ids=str)
@pytest.mark.parametrize("name", [marked(program, program not in SHORT) for program in programs()])
def test_native_programs_have_the_bits_of_their_plans(
    name: str, variant: Variant, child: Child
) -> None:
    if not variant.runs:
        pytest.skip(f"this machine has no {variant.machine}")
    assert not child.ask(difference_of_program, name, variant)


def test_iterations_that_depend_on_one_another_are_found() -> None:
    table, x = Expressions(), Buffer("x", "i32", (9,))
    i = table.loop_index("i", 8)
    for shift in (0, 1):
        store = StoreElement(x, i + shift, table.load_at(x, i) + 1)
        kernel = Kernel("k", (x,), [Loop(i, 8, "serial", [store], parallel=True)])
        values = np.zeros(9, np.int32)
        if shift:
            with pytest.raises(sm.EvaluationError, match="iterations meet"):
                evaluate(kernel, {x: values})
        else:
            evaluate(kernel, {x: values})
            assert values.tolist() == [1] * 8 + [0]


def test_accesses_beyond_a_buffer_are_found() -> None:
    table, x = Expressions(), Buffer("x", "i32", (9,))
    i = table.loop_index("i", 10)
    store = StoreElement(x, i, table.constant(1, "i32"))
    with pytest.raises(sm.EvaluationError, match="9 is not inside"):
        evaluate(
            Kernel("k", (x,), [Loop(i, 10, "serial", [store], parallel=True)]),
            {x: np.zeros(9, np.int32)},
        )
