"""Describes the memory accesses that checked native code rejects."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.compiler.codegen.bounds_checks import ADDRESS, BUFFER, COUNT, EXTENT, INDEX
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.plan.plan import LaunchStep, Plan, step_text
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import CompileError

RULE = "check"


def violation(plan: Plan, step: int, report: Sequence[int]) -> CompileError:
    """The error of a launch that tried to access memory outside its buffers.

    Args:
        plan: The program.
        step: The number of the launch.
        report: The words of its report; see ``codegen.bounds_checks``.
    """
    launch = plan.steps[step]
    assert isinstance(launch, LaunchStep)
    kernel = launch.kernel
    buffers = [*kernel.arguments, *kernel.locals]
    number = report[BUFFER]
    buffer = buffers[number] if number < len(buffers) else "a table of constants"
    where = f"step {step} of the plan, {step_text(launch)}"
    span = next((n.operation.span for n in reversed(launch.nodes) if n.operation.span), None)
    return CompileError(Diagnostic(f"{where}: {message_of(buffer, report)}", RULE, span))


def message_of(buffer: Buffer | str, report: Sequence[int]) -> str:
    """Describes what is wrong with an access."""
    index, count, extent = report[INDEX], report[COUNT], report[EXTENT]
    if 0 <= index <= extent - count:
        size = BYTES[buffer.type] if isinstance(buffer, Buffer) else 8
        place = f"the address {report[ADDRESS]:#x} of index {index} of {buffer}"
        return f"{place} is not a multiple of {size}"
    first = index if index < 0 else max(index, extent)
    return f"index {first} is not inside {buffer}, of which there are {extent} elements"
