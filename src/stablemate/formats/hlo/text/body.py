"""Collects the instructions of the computation that is being read, by name.

Source: XLA, HLO text.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import field

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.source import Span
from stablemate.xla.module import HloComputation, HloInstruction


@dataclass(slots=True)
class NameUniquer:
    """Generates names that are not in use.

    Attributes:
        tried: The last suffix that was tried for each name.
    """

    tried: dict[str, int] = field(default_factory=dict[str, int])

    def unique(self, name: str, used: Container[str]) -> str:
        """Returns the name, or the name with the next free number if it is in use."""
        if name not in used:
            return name
        number = self.tried.get(name, 0) + 1
        while f"{name}.{number}" in used:
            number += 1
        self.tried[name] = number
        return f"{name}.{number}"


@dataclass(slots=True)
class ComputationReader:
    """The computation that is being read.

    Attributes:
        name: The name of the computation.
        instructions: By name, in the order of the text.
        root: The name of the root, if it is marked.
        implicit_parameters: Whether unknown names become parameters, as in a text of a single
            instruction.
        parameters: The number of implicit parameters.
        names: Generates names for instructions without one.
    """

    name: str
    instructions: dict[str, HloInstruction] = field(default_factory=dict[str, HloInstruction])
    root: str = ""
    implicit_parameters: bool = False
    parameters: int = 0
    names: NameUniquer = field(default_factory=NameUniquer)

    def free_name(self, name: str) -> str:
        """Returns the name, or the name with a number if it is in use."""
        return self.names.unique(name, self.instructions)

    def add(self, instruction: HloInstruction) -> None:
        """Appends an instruction whose name is not in use."""
        self.instructions[instruction.name] = instruction

    def to_computation(self, thread: str = "main", span: Span | None = None) -> HloComputation:
        """Returns the computation; the last instruction is the root if none is marked."""
        instructions = tuple(self.instructions.values())
        root = self.root or instructions[-1].name
        return HloComputation(self.name, instructions, root, execution_thread=thread, span=span)
