"""Frozen arguments: their elements in the first call are constants of the compiled program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, TypeAlias

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from stablemate.execution.executable import Executable
from stablemate.execution.signature import Signature
from stablemate.execution.streams import Streams
from stablemate.fork_safety import fork_safe_lock
from stablemate.ir.core import Operation, Value
from stablemate.ir.grid import Grid
from stablemate.ir.request import Process
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import Array

Frozen: TypeAlias = Sequence[int | str]
Compile: TypeAlias = Callable[[Mapping[int, Array]], Executable]


def frozen_positions(signature: Signature, frozen: Frozen) -> tuple[int, ...]:
    """The positions of the arguments that a caller freezes.

    Args:
        signature: The signature of the function.
        frozen: Positions, or names as the program states them.

    Raises:
        ArgumentTypeError: One is neither, or what it names is not a tensor of known shape.
        ArgumentValueError: There is no such argument.
    """
    if isinstance(frozen, str):
        raise ArgumentTypeError(f"frozen is a sequence of arguments, such as [{frozen!r}]")
    positions = dict.fromkeys(frozen_position(signature, argument) for argument in frozen)
    for position in positions:
        argument = signature.arguments[position]
        if not (isinstance(argument.type, TensorType) and argument.type.is_static):
            raise ArgumentTypeError(
                f"argument {position} ({argument}) of {signature.name} cannot be frozen: "
                "only tensors of known shape are constants"
            )
    return tuple(positions)


def frozen_position(signature: Signature, argument: int | str) -> int:
    """The position of an argument that is given by position or name."""
    if type(argument) is int and 0 <= argument < len(signature.arguments):
        return argument
    if isinstance(argument, str):
        names = [a.name for a in signature.arguments]
        for name in (argument, f"%{argument}"):
            if name in names:
                return names.index(name)
    elif type(argument) is not int:
        kind = type(argument).__name__
        raise ArgumentTypeError(f"an argument is frozen by its position or its name, not by {kind}")
    raise ArgumentValueError(f"{signature.name} has no argument {argument!r}: {signature}")


@dataclass(frozen=True, slots=True)
class FrozenProgram:
    """A program with the elements that its frozen arguments have.

    Attributes:
        executable: The program, which takes all arguments and does not read these.
        elements: The elements by the positions of the arguments.
    """

    executable: Executable
    elements: Mapping[int, Array]


class FrozenExecutable(Executable):
    """A function some of whose arguments never change; it is compiled in its first call."""

    def __init__(
        self, signature: Signature, grid: Grid, positions: Sequence[int], compile: Compile, *,
        check: bool,
    ) -> None:  # fmt: skip
        """Notes what will be compiled.

        Args:
            signature: The signature of the function.
            grid: The processes that the module is made for.
            positions: Which arguments are frozen.
            compile: Compiles the function with these constants instead of arguments.
            check: Whether each call compares the frozen arguments with those of the first one.
        """
        super().__init__(signature, grid)
        self.positions = positions
        self.compile = compile
        self.check = check
        self.frozen: FrozenProgram | None = None
        self.lock = fork_safe_lock()

    def program_for(self, values: Sequence[object]) -> Executable:
        """The compiled program.

        Args:
            values: The arguments of a call.

        Raises:
            ArgumentValueError: Arguments are checked, and a frozen one has other elements.
        """
        with self.lock:
            if self.frozen is None:
                elements = {
                    position: self.constant(values[position]) for position in self.positions
                }
                self.frozen = FrozenProgram(self.compile(elements), elements)
                self.fallback = self.frozen.executable.fallback
        if self.check:
            self.compare(values, self.frozen.elements)
        return self.frozen.executable

    def constant(self, value: object) -> Array:
        """An argument as a read-only array; a copy only if later calls are compared with it."""
        elements: Array = np.array(value) if self.check else np.asarray(value).view()
        elements.flags.writeable = False
        return elements

    def compare(self, values: Sequence[object], elements: Mapping[int, Array]) -> None:
        """Rejects calls in which a frozen argument has changed."""
        for position, kept in elements.items():
            if np.asarray(values[position]).tobytes() != kept.tobytes():
                argument = self.signature.arguments[position]
                raise ArgumentValueError(
                    f"argument {position} ({argument}) of {self.signature.name} is frozen, but its "
                    "elements are not those of the first call"
                )

    def compiled_program(self, wanted: str) -> Executable:
        """The compiled program, if there was a call."""
        if self.frozen is None:
            raise UnsupportedError(
                f"a program with frozen arguments has {wanted} after its first call, which "
                "compiles it"
            )
        return self.frozen.executable

    def run(
        self, values: Sequence[object], streams: Streams | None = None,
        probe_dir: str | PathLike[str] | None = None, seed: int = 0,
    ) -> Sequence[Any]:  # fmt: skip
        """The results for arguments that fit the signature."""
        return self.program_for(values).run(values, streams, probe_dir, seed)

    def start(self, function: str, values: Sequence[object]) -> Process:
        """A process that runs the function, or another one of the program."""
        is_entry = function == self.signature.name
        program = self.program_for(values) if is_entry else self.compiled_program("other functions")
        return (yield from program.start(function, values))

    def start_body(
        self, operation: Operation, values: Sequence[object], targets: Sequence[object] = ()
    ) -> Process:
        """A process that runs the body of an operation of the program."""
        program = self.compiled_program("operations")
        return (yield from program.start_body(operation, values, targets))

    def emit(self, stage: str) -> str:
        """The result of a stage of the compiler, as text."""
        return self.compiled_program("stages").emit(stage)

    def name_of(self, value: Value[Type]) -> str:
        """The name of a value in the printed program."""
        return self.frozen.executable.name_of(value) if self.frozen else super().name_of(value)
