"""The interpreter as an Executable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.execution.executable import Executable
from stablemate.execution.signature import Signature
from stablemate.interpreter.prepare import Program
from stablemate.ir.core import Operation


class InterpretedExecutable(Executable):
    """A function that the interpreter runs.

    It may be called from several threads: each call in progress has frames of its own.
    """

    def __init__(
        self,
        functions: Mapping[str, Operation],
        entry: str,
        signature: Signature,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        super().__init__(signature)
        self.functions = functions
        self.entry = entry
        self.limits = limits
        self.idle: list[Program] = []
        self.idle.append(self.prepared())

    def prepared(self) -> Program:
        """A program whose entry is ready to run."""
        program = Program(self.functions, self.limits)
        program.function(self.entry)
        return program

    def run(self, values: Sequence[Any]) -> Sequence[Any]:
        """The results; floating-point exceptions give IEEE default results and no warning."""
        try:
            program = self.idle.pop()
        except IndexError:
            program = self.prepared()
        with np.errstate(all="ignore"):
            results = program.function(self.entry)(*values)
        self.idle.append(program)  # after an error the frames are not clean: they are dropped
        return results
