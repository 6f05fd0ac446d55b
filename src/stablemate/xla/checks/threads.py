"""Checks that computations run on the execution thread of what calls them.

Source: XLA, ``HloVerifier``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.xla.kinds import called_computations
from stablemate.xla.module import HloComputation

MAIN = "main"


def thread_findings(
    computation: HloComputation, computations: Mapping[str, HloComputation]
) -> Iterator[Diagnostic]:
    """Whether each called computation is on the caller's thread, or that of its async-start."""
    for instruction in computation.instructions:
        expected = computation.execution_thread
        if instruction.opcode == "async-start":
            expected = instruction.attributes.get("async_execution_thread", MAIN)
        for name in called_computations(instruction.attributes):
            called = computations.get(name)
            if called is not None and called.execution_thread != expected:
                values = {"computation": name, "thread": called.execution_thread}
                message = f"a called computation runs on the thread '{expected}' of its caller"
                yield Diagnostic(message, instruction.opcode, instruction.span, values)
