"""The native program of an executable; refuses programs that need Python at run time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from stablemate.compiler.config.target import Target
from stablemate.compiler.dynamic.shape_specialization import SpecializingExecutable
from stablemate.compiler.dynamic.staged_execution import StagedExecutable
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.library_calls.names import PREFIX, is_library_function
from stablemate.compiler.program.image import ProgramImage
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
        image: Its image.
        objects: Its kernels, and the routines that it calls.
        signature: Its arguments and results, tuples flattened.
        target: The machine that it was compiled for.
    """

    image: ProgramImage
    objects: Sequence[bytes]
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
        arguments = compiled.signature.arguments
        example = ", ".join(str(argument.type) for argument in arguments).replace("?", "1")
        raise UnsupportedError(
            f"a library needs static shapes, but {name} takes ({types}); types with sizes, such as "
            f"--types='{example}', make them static: of `stablemate build`, or `Module.refine`"
        )
    if isinstance(compiled, StagedExecutable):
        raise UnsupportedError(f"a library needs static shapes, but those in {name} depend on data")
    if not isinstance(compiled, CompiledExecutable):
        reason = executable.fallback or Diagnostic("it runs in the interpreter")
        raise UnsupportedError([Diagnostic(f"{name} is not compiled: {reason.message}"), reason])
    obstacles = list(operations_in_python(compiled))
    if obstacles:
        raise UnsupportedError([obstacle(operation) for operation in obstacles])
    objects = [*compiled.program.objects, *library_objects(compiled)]
    return NativeProgram(compiled.program.image, objects, compiled.signature, compiled.target)


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


def library_objects(compiled: CompiledExecutable) -> list[bytes]:
    """The objects of the routines that a program calls: those for small matrices, for example.

    Raises:
        UnsupportedError: It calls LAPACK, whose code is SciPy's; the message names the functions.
    """
    functions = compiled.program.image.functions
    called = {name.removeprefix(PREFIX) for name in functions if is_library_function(name)}
    if not called:
        return []
    # Few programs need them.
    from stablemate.compiler.library_calls.loading import group_of, object_of

    groups = {name: group_of(name) for name in sorted(called)}
    foreign = [name for name, group in groups.items() if group is None]
    if foreign:
        raise UnsupportedError(
            f"{compiled.signature.name} calls LAPACK ({', '.join(foreign)}), whose code is "
            "part of SciPy and not of a library"
        )
    own = dict.fromkeys(group for group in groups.values() if group is not None)
    return [object_of(group, compiled.target) for group in own]
