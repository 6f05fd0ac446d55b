"""Plans evaluated in Python beside what native code makes of them, bit by bit.

What is compared is every result, and everything that a request is asked about: examples of
operations have no results, they ask whether values are the expected ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from stablemate.compiler.executable import CompiledExecutable, contiguous_array
from stablemate.compiler.graph.graph import Node
from stablemate.compiler.plan.evaluator import Answer, evaluate_plan
from stablemate.compiler.program.image import RequestRecord
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from stablemate.dialects.func import FuncOp
from stablemate.interpreter.prepare import FunctionPreparation, InterpretedProgram
from stablemate.numerics.elements import Array
from tests.properties.generation.tolerances import differs


class Asks(Exception):
    """An operation asks the world."""


class ObservedValues(NamedTuple):
    """Values at one point of a run.

    Attributes:
        what: The operation that asks about them, or ``results``.
        values: The values.
    """

    what: str
    values: list[Any]


def answering(functions: Mapping[str, FuncOp]) -> Answer:
    """Answers requests as the interpreter does."""

    def answer(node: Node, values: Sequence[Array]) -> Sequence[Array]:
        program = InterpretedProgram(functions, DEFAULT_LIMITS)
        function, asks = FunctionPreparation(program).function(node.operation)
        if asks:
            raise Asks
        results: Any = function(*values)
        if not node.results:
            return ()
        return results if len(node.results) > 1 else (results,)

    return answer


def evaluated(executable: CompiledExecutable, arguments: Sequence[Any]) -> list[ObservedValues]:
    """What is seen of the plan of a program when it is evaluated in Python.

    Raises:
        Asks: It asks the world.
    """
    functions: Any = executable.interpreted.functions
    item, observed = answering(functions), list[ObservedValues]()

    def answer(node: Node, values: Sequence[Array]) -> Sequence[Array]:
        observed.append(ObservedValues(node.operation.name, [value.copy() for value in values]))
        return item(node, values)

    operands = [contiguous_array(argument) for argument in executable.signature.take(arguments)]
    fuses = executable.target.has("fma")
    raw = evaluate_plan(executable.plan, operands, answer, fuses=fuses)
    shaped = zip(raw, executable.expected[len(operands) :], strict=True)
    observed.append(
        ObservedValues("results", [item.view(e.dtype).reshape(e.shape) for item, e in shaped])
    )
    return observed


def run(executable: CompiledExecutable, arguments: Sequence[Any]) -> list[ObservedValues]:
    """What is seen of a program when it runs as native code."""
    observed: list[ObservedValues] = []
    item: Any = executable.handlers

    class Recording:
        """Answers as before, and writes down what is asked about."""

        def __call__(self, asked: RequestRecord, values: Sequence[Any]) -> Sequence[Any]:
            copies = [np.array(value) for value in values if value is not None]
            observed.append(ObservedValues(item.operations[asked.operation].name, copies))
            answers: Sequence[Any] = item(asked, values)
            return answers

        def __getattr__(self, name: str) -> Callable[..., Any]:
            attribute: Callable[..., Any] = getattr(item, name)
            return attribute

    executable.handlers = Recording()  # type: ignore[assignment]
    executable.idle.clear()
    results = executable.run(executable.signature.take(arguments))
    observed.append(ObservedValues("results", [np.array(result) for result in results]))
    return observed


def difference(executable: CompiledExecutable, arguments: Sequence[Any]) -> str:
    """The first difference of native code from its plan; empty if there is none."""
    ours, theirs = evaluated(executable, arguments), run(executable, arguments)
    if [step.what for step in ours] != [step.what for step in theirs]:
        return f"evaluated: {[step.what for step in ours]}, run: {[step.what for step in theirs]}"
    for (what, values), (_, others) in zip(ours, theirs, strict=True):
        for number, (one, other) in enumerate(zip(values, others, strict=True)):
            wrong = differs(np.asarray(one), np.asarray(other))
            if wrong.any():
                place = tuple(int(i) for i in np.argwhere(wrong)[0])
                return f"{what} {number} at {place}: {one[place]} evaluated, {other[place]} run"
    return ""
