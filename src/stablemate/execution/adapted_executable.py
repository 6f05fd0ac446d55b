"""Adapts the calling convention of a function to that of the program that implements it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from os import PathLike

from stablemate.execution.collectives.data_movement import Mover
from stablemate.execution.executable import Executable
from stablemate.execution.signature import Signature
from stablemate.execution.streams import Streams
from stablemate.ir.core import Operation, Value
from stablemate.ir.request import Process
from stablemate.ir.types import Type


class AdaptedExecutable(Executable):
    """A calling convention around a program.

    Attributes:
        signature: What callers pass and get.
        program: What runs; its own signature says what it takes and gives.
    """

    def __init__(self, signature: Signature, program: Executable) -> None:
        super().__init__(signature, program.grid)
        self.program = program

    @property
    def mover(self) -> Mover:
        """Moves the elements of the program's collective operations."""
        return self.program.mover

    @abstractmethod
    def program_arguments(self, values: Sequence[object]) -> Sequence[object]:
        """The arguments of the program, for arguments that fit the signature."""

    @abstractmethod
    def caller_results(self, results: Sequence[object]) -> Sequence[object]:
        """The results of the function, from those of the program."""

    def run(
        self,
        values: Sequence[object],
        streams: Streams | None = None,
        probe_dir: str | PathLike[str] | None = None,
        seed: int = 0,
    ) -> Sequence[object]:
        """The results for arguments that fit the signature."""
        return self.caller_results(
            self.program.run(self.program_arguments(values), streams, probe_dir, seed)
        )

    def start(self, function: str, values: Sequence[object]) -> Process:
        """A process that runs the function, or another one of the program."""
        if function != self.signature.name:
            return (yield from self.program.start(function, values))
        own = self.program.signature.name
        return self.caller_results(
            (yield from self.program.start(own, self.program_arguments(values)))
        )

    def start_body(
        self, operation: Operation, values: Sequence[object], targets: Sequence[object] = ()
    ) -> Process:
        """A process that runs the body of an operation of the program."""
        return (yield from self.program.start_body(operation, values, targets))

    def emit(self, stage: str) -> str:
        """The result of a stage of the compiler, as text."""
        return self.program.emit(stage)

    def name_of(self, value: Value[Type]) -> str:
        """The name of a value in the printed program."""
        return self.program.name_of(value)
