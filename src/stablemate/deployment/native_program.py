"""The native program of an executable; refuses programs that need Python at run time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from stablemate.compiler.config.target import Target
from stablemate.compiler.dynamic.shape_specialization import SpecializingExecutable
from stablemate.compiler.dynamic.staged_execution import StagedExecutable
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.library_calls.names import PREFIX, is_library_function
from stablemate.compiler.program.serialization import CompiledProgram
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.execution.adapted_executable import AdaptedExecutable
from stablemate.execution.executable import Executable
from stablemate.execution.signature import Signature
from stablemate.ir.attributes import StringAttribute
from stablemate.ir.core import Operation

CUSTOM_CALL: Final = "stablehlo.custom_call"
TARGET: Final = "call_target_name"


class NativeProgram(NamedTuple):
    """A program that runs without Python.

    Attributes:
        program: Its image and its objects.
        signature: Its arguments and results, tuples flattened.
        target: The machine that it was compiled for.
    """

    program: CompiledProgram
    signature: Signature
    target: Target


def native_program(executable: Executable) -> NativeProgram:
    """The native program of an executable.

    Raises:
        UnsupportedError: It needs Python at run time; a diagnostic names each operation that does.
    """
    compiled = executable
    while isinstance(compiled, AdaptedExecutable):
        compiled = compiled.program
    name = executable.signature.name
    if isinstance(compiled, SpecializingExecutable):
        types = ", ".join(str(argument) for argument in compiled.signature.arguments)
        raise UnsupportedError(
            f"a library needs static shapes, but {name} takes ({types}); "
            "`stablemate refine` makes the shapes static"
        )
    if isinstance(compiled, StagedExecutable):
        raise UnsupportedError(f"a library needs static shapes, but those in {name} depend on data")
    if not isinstance(compiled, CompiledExecutable):
        reason = executable.fallback or Diagnostic("it runs in the interpreter")
        raise UnsupportedError([Diagnostic(f"{name} is not compiled: {reason.message}"), reason])
    obstacles = list(operations_in_python(compiled))
    if obstacles:
        raise UnsupportedError([obstacle(operation) for operation in obstacles])
    refuse_library_functions(compiled)
    return NativeProgram(compiled.program, compiled.signature, compiled.target)


def operations_in_python(compiled: CompiledExecutable) -> Iterator[Operation]:
    """The operations that Python carries out, each once, in the order of the program."""
    operations = compiled.handlers.operations
    numbers = {record.operation for record in compiled.program.image.requests.values()}
    yield from (operations[number] for number in sorted(numbers))


def obstacle(operation: Operation) -> Diagnostic:
    """Says that an operation needs Python at run time."""
    what = "the operation"
    target = operation.attributes.get(TARGET)
    if operation.name == CUSTOM_CALL and isinstance(target, StringAttribute):
        what = f"the call of {target.value}"
    return Diagnostic(
        f"{what} needs Python at run time, which a library does not have",
        operation.name,
        operation.span,
    )


def refuse_library_functions(compiled: CompiledExecutable) -> None:
    """Rejects a program that calls LAPACK, whose code is SciPy's.

    Raises:
        UnsupportedError: It does; the message names the functions.
    """
    functions = compiled.program.image.functions
    if not any(map(is_library_function, functions)):
        return
    from stablemate.compiler.library_calls.native_functions import NAMES  # few programs need it

    called = {name.removeprefix(PREFIX) for name in functions if is_library_function(name)}
    listed = ", ".join(sorted(called.difference(NAMES)))
    raise UnsupportedError(
        f"{compiled.signature.name} calls LAPACK ({listed}), whose code is part of SciPy and not "
        "of a library"
    )
