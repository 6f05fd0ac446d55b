"""Compiled programs as Executables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any

import numpy as np

from stablemate.compiler.executable import Instance, emitted, planned
from stablemate.compiler.llvm.objects import Loaded, assembled, load
from stablemate.compiler.llvm.target import Target, host
from stablemate.compiler.llvm.walk import TEXT as WALK
from stablemate.compiler.plan import Launch, Plan, Request
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.execution.executable import Executable
from stablemate.execution.streams import Streams
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.interpreter.prepare import FunctionPreparation, Program
from stablemate.ir.core import Operation, Value
from stablemate.ir.request import Process
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array


class CompiledExecutable(Executable):
    """A function as native code; what native code does not know is asked of the operation itself.

    Attributes:
        plan: What runs when.
    """

    def __init__(self, interpreted: InterpretedExecutable, target: Target | None = None) -> None:
        """Compiles a function.

        Args:
            interpreted: The function as the interpreter runs it.
            target: The machine; by default this one.

        Raises:
            UnsupportedError: The program is not one that is compiled.
        """
        super().__init__(interpreted.signature, interpreted.grid)
        self.interpreted = interpreted
        target = target or host()
        self.plan: Plan = planned(interpreted.functions, self.signature.name, target)
        names = [step.kernel.name for step in self.plan.steps if isinstance(step, Launch)]
        self.text = emitted(self.plan, target)
        self.code: Loaded = load([assembled(self.text + WALK, target)], [*names, "walk"])
        self.idle: list[Instance] = []

    def instance(self) -> Instance:
        """Memory that nobody uses."""
        try:
            return self.idle.pop()
        except IndexError:
            program = Program(self.interpreted.functions, self.interpreted.limits)
            return Instance(self.plan, self.code, Answers(program))

    def run(
        self,
        values: Sequence[Any],
        streams: Streams | None = None,
        probe_dir: str | PathLike[str] | None = None,
        seed: int = 0,
    ) -> Sequence[Any]:
        """The results."""
        results = [empty(each.type) for each in self.signature.results]
        instance = self.instance()
        instance.run([contiguous(each) for each in values], results)
        self.idle.append(instance)
        return results

    def start(self, function: str, values: Sequence[Any]) -> Process:
        """A process that runs a function of the module."""
        return self.interpreted.start(function, values)

    def start_body(self, operation: Operation, values: Sequence[Any]) -> Process:
        """A process that runs the body of an operation, which uses no value from outside."""
        return self.interpreted.start_body(operation, values)

    def name_of(self, value: Value[Any]) -> str:
        """What the printed program calls a value."""
        return self.interpreted.name_of(value)


class Answers:
    """Answers requests by the operations themselves."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.functions: dict[Operation, Callable[..., Any]] = {}

    def __call__(self, request: Request, values: Sequence[Any]) -> Sequence[Any]:
        """The results of the operation of a request."""
        operation = request.node.operation
        function = self.functions.get(operation)
        if function is None:
            function, asks = FunctionPreparation(self.program).function(operation)
            assert not asks, "an operation that asks is no request of a plan"
            self.functions[operation] = function
        with np.errstate(all="ignore"):
            result = function(*values)
        if not request.results:
            return ()
        return result if len(request.results) > 1 else (result,)


def contiguous(value: Any) -> Array:
    """The value as an array whose elements follow one another in row-major order."""
    array: Array = np.asarray(value)
    return array if array.flags.c_contiguous else array.copy()


def empty(value_type: Any) -> Array:
    """An array for a result."""
    if not isinstance(value_type, TensorType) or not value_type.is_static:
        raise UnsupportedError(f"results of type {value_type} are not compiled")
    return np.empty(value_type.shape, value_type.element_type.dtype)


def compiled(interpreted: InterpretedExecutable, target: Target | None = None) -> Executable:
    """The function as native code; as the interpreter runs it if it is not one that is compiled."""
    try:
        return CompiledExecutable(interpreted, target)
    except UnsupportedError:
        return interpreted
