"""Plans evaluated in Python: fusion, loops and buffers are right without any native code.

Examples of operations check their own results. Parallel iterations run backwards,
and memory that nothing was written to holds no zeros.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.api.executables import function_operations
from stablemate.compiler.evaluation import Answer, evaluate_plan
from stablemate.compiler.executable import planned
from stablemate.compiler.graph import Node
from stablemate.compiler.nest.buffers import Buffer
from stablemate.compiler.nest.evaluation import evaluate
from stablemate.compiler.nest.expressions import Expressions
from stablemate.compiler.nest.statements import Kernel, Loop, Store
from stablemate.compiler.options import CompileOptions
from stablemate.dialects.func import FuncOp
from stablemate.interpreter.prepare import FunctionPreparation, Program
from stablemate.numerics.elements import Array
from stablemate.transforms.legalization import legalized
from tests.compiler.test_examples import OWN_CHOICES
from tests.compiler.variants import MACHINES
from tests.ops import test_ops

EVALUATED: Final = [
    f"{name}.mlir"
    for name in (
        "add", "broadcast_in_dim", "case", "compare", "concatenate", "dot", "dynamic_slice",
        "dynamic_update_slice", "if", "maximum", "minimum", "pad", "reshape", "reverse", "select",
        "slice", "transpose", "while",
    )
]  # fmt: skip


class Asks(Exception):
    """An operation asks the world."""


def answering(functions: Mapping[str, FuncOp]) -> Answer:
    """Answers requests as the interpreter does."""

    def answer(node: Node, values: Sequence[Array]) -> Sequence[Array]:
        program = Program(functions, sm.Limits())
        function, asks = FunctionPreparation(program).function(node.operation)
        if asks:
            raise Asks
        results: Any = function(*values)
        if not node.results:
            return ()
        return results if len(node.results) > 1 else (results,)

    return answer


@pytest.mark.parametrize("fuse", [True, False], ids=["fused", "unfused"])
@pytest.mark.parametrize("file", EVALUATED)
def test_plans_of_examples_give_their_values(file: str, fuse: bool) -> None:
    module = sm.load(Path(test_ops.DIRECTORY) / file)
    functions = {each.symbol: each for each in function_operations(legalized(module.ir))}
    for name, function in functions.items():
        if function.sym_visibility not in (None, "public") or (file, name) in OWN_CHOICES:
            continue
        try:
            plan = planned(functions, name, MACHINES["sse2"], CompileOptions(fuse=fuse))
            evaluate_plan(plan, [], answering(functions))
        except (sm.UnsupportedError, Asks):
            continue


def test_iterations_that_depend_on_one_another_are_found() -> None:
    table, x = Expressions(), Buffer("x", "i32", (9,))
    i = table.loop_index("i", 8)
    for shift in (0, 1):
        store = Store(x, i + shift, table.load_at(x, i) + 1)
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
    store = Store(x, i, table.constant(1, "i32"))
    with pytest.raises(sm.EvaluationError, match="9 is not inside"):
        evaluate(
            Kernel("k", (x,), [Loop(i, 10, "serial", [store], parallel=True)]),
            {x: np.zeros(9, np.int32)},
        )
