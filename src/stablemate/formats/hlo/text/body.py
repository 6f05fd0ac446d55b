"""The computation that is being read: its instructions by name.

Source: XLA, HLO text.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field

from stablemate.diagnostics.source import Span
from stablemate.xla.module import HloComputation, HloInstruction


@dataclass(slots=True)
class Names:
    """Names that are not taken yet.

    Attributes:
        tried: The last number that was tried behind each name.
    """

    tried: dict[str, int] = field(default_factory=dict[str, int])

    def free(self, name: str, used: Container[str]) -> str:
        """The name, or with the next free number behind it if that is taken."""
        if name not in used:
            return name
        number = self.tried.get(name, 0) + 1
        while f"{name}.{number}" in used:
            number += 1
        self.tried[name] = number
        return f"{name}.{number}"


@dataclass(slots=True)
class Body:
    """Instructions as they are read.

    Attributes:
        name: Of the computation.
        instructions: By name, in the order of the text.
        root: The name of the result, when it is marked.
        invents_parameters: Whether names that are not known become parameters, as in a text that
            is a single instruction.
        parameters: How many were invented.
        names: Names for what has none in the text.
    """

    name: str
    instructions: dict[str, HloInstruction] = field(default_factory=dict[str, HloInstruction])
    root: str = ""
    invents_parameters: bool = False
    parameters: int = 0
    names: Names = field(default_factory=Names)

    def free_name(self, name: str) -> str:
        """The name, or with a number behind it if that is taken."""
        return self.names.free(name, self.instructions)

    def add(self, instruction: HloInstruction) -> None:
        """Appends an instruction whose name is free."""
        self.instructions[instruction.name] = instruction

    def finished(self, thread: str = "main", span: Span | None = None) -> HloComputation:
        """The computation; without a mark its last instruction is the result."""
        instructions = tuple(self.instructions.values())
        root = self.root or instructions[-1].name
        return HloComputation(self.name, instructions, root, execution_thread=thread, span=span)
