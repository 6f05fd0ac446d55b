"""Compiles programs with dynamic shapes for each combination of shapes they are called with."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.execution.executable import Executable
from stablemate.execution.streams import Streams
from stablemate.fork_safety import Lock
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.ir.core import Operation, Value
from stablemate.ir.request import Process
from stablemate.ir.types import TensorType, Type

Shapes: TypeAlias = tuple[tuple[int, ...], ...]
Specialization: TypeAlias = Callable[[Sequence[Type]], Executable]

MAX_SPECIALIZATIONS: Final = 32  # combinations of shapes for which a program stays compiled


def has_dynamic_shapes(interpreted: InterpretedExecutable) -> bool:
    """Whether the sizes of an argument are known only when it arrives."""
    return any(
        isinstance(argument.type, TensorType) and not argument.type.is_static
        for argument in interpreted.signature.arguments
    )


class SpecializingExecutable(Executable):
    """A function with open sizes.

    ``fallback`` says of the last combination of shapes that was compiled why it is none.

    Attributes:
        interpreted: The function as the interpreter runs it, for any shapes.
        compile: Makes the function for argument types.
        made: What was made, by the shapes of the arguments; the latest use last.
    """

    def __init__(self, interpreted: InterpretedExecutable, compile: Specialization) -> None:
        super().__init__(interpreted.signature, interpreted.grid)
        self.interpreted = interpreted
        self.compile = compile
        self.made: OrderedDict[Shapes, Executable] = OrderedDict()
        self.lock = Lock()

    def executable(self, values: Sequence[Any]) -> Executable:
        """The function for the shapes of arguments that fit the signature."""
        shapes = tuple([np.shape(value) for value in values])
        with self.lock:
            executable = self.made.get(shapes)
            if executable is None:
                executable = self.made[shapes] = self.compile(self.types(shapes))
                self.fallback = executable.fallback
                if len(self.made) > MAX_SPECIALIZATIONS:
                    self.made.popitem(last=False)
            self.made.move_to_end(shapes)
        return executable

    def types(self, shapes: Shapes) -> list[Type]:
        """The types of arguments of these shapes."""
        return [
            TensorType(shape, argument.type.element_type)
            if isinstance(argument.type, TensorType)
            else argument.type
            for argument, shape in zip(self.signature.arguments, shapes, strict=True)
        ]

    def run(
        self,
        values: Sequence[Any],
        streams: Streams | None = None,
        probe_dir: str | PathLike[str] | None = None,
        seed: int = 0,
    ) -> Sequence[Any]:
        """The results for arguments that fit the signature."""
        return self.executable(values).run(values, streams, probe_dir, seed)

    def start(self, function: str, values: Sequence[Any]) -> Process:
        """A process that runs a function of the module, interpreted.

        Processes that arrive with different shapes still meet at the same operations.
        """
        return self.interpreted.start(function, values)

    def start_body(
        self, operation: Operation, values: Sequence[Any], targets: Sequence[Any] = ()
    ) -> Process:
        """A process that runs the body of an operation, which uses no value from outside."""
        return self.interpreted.start_body(operation, values, targets)

    def emit(self, stage: str) -> str:
        """What a stage of the compiler made of the program for the shapes of the last call.

        Raises:
            ArgumentValueError: It has not been called, or there is no such stage.
        """
        if not self.made:
            raise ArgumentValueError("a program with open sizes is compiled when it is called")
        return next(reversed(self.made.values())).emit(stage)

    def name_of(self, value: Value[Any]) -> str:
        """What the printed program calls a value."""
        return self.interpreted.name_of(value)
