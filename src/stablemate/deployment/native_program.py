"""The native program of an executable; refuses programs that need Python at run time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from typing import Final, NamedTuple

from stablemate.compiler.config.target import Target
from stablemate.compiler.dynamic.segmented_execution import SegmentedExecutable
from stablemate.compiler.dynamic.shape_specialization import SpecializingExecutable
from stablemate.compiler.dynamic.staged_execution import StagedExecutable
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.library_calls.names import PREFIX, is_library_function
from stablemate.compiler.program.image import ProgramImage
from stablemate.compiler.step_labels import StepLabel, image_labels, step_labels
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ArgumentValueError, UnsupportedError
from stablemate.execution.adapted_executable import AdaptedExecutable
from stablemate.execution.executable import Executable
from stablemate.execution.signature import Signature
from stablemate.ir.attributes import StringAttribute
from stablemate.ir.core import Operation
from stablemate.ir.types import DYNAMIC, TensorType, Type

CUSTOM_CALL: Final = "stablehlo.custom_call"
TARGET: Final = "call_target_name"


class NativeProgram(NamedTuple):
    """A program that runs without Python.

    Attributes:
        image: Its image.
        kernels: The objects of its kernels.
        routines: The objects of the routines that they call, which are the same in each program.
        signature: Its arguments and results, tuples flattened.
        target: The machine that it was compiled for.
        labels: What its steps are called in traces.
    """

    image: ProgramImage
    kernels: Sequence[bytes]
    routines: Sequence[bytes]
    signature: Signature
    target: Target
    labels: Mapping[int, StepLabel]


def native_programs(executable: Executable, most_batch: int | None) -> list[NativeProgram]:
    """The native program of an executable; of one with open sizes, one for each batch from 1 on.

    Args:
        executable: The function.
        most_batch: The largest batch: what open sizes may be; None: what the bounds of types say.

    Raises:
        ArgumentValueError: A batch does not go with the types.
        UnsupportedError: It needs Python at run time; a diagnostic names each operation that does.
            Or sizes are open, and nothing bounds them.
    """
    compiled = without_adapters(executable)
    if not isinstance(compiled, SpecializingExecutable):
        if most_batch is not None:
            raise ArgumentValueError(
                f"{executable.signature.name} takes no batch: its sizes are static"
            )
        program = native_program(executable)
        assert isinstance(compiled, CompiledExecutable)
        return [program._replace(labels=step_labels(compiled))]
    most = batch_bound(compiled.signature, most_batch)
    return [
        native_program(
            compiled.of_types([of_batch(a.type, n) for a in compiled.signature.arguments])
        )
        for n in range(1, most + 1)
    ]


def batch_bound(signature: Signature, asked: int | None) -> int:
    """The largest batch of a function with open sizes.

    Raises:
        ArgumentValueError: A type has a smaller bound than what is asked for.
        UnsupportedError: Nothing bounds the sizes.
    """
    types = [a.type for a in signature.arguments if isinstance(a.type, TensorType)]
    bounds = {
        bound
        for type_ in types
        for size, bound in zip(type_.shape, type_.bounds or repeat(DYNAMIC), strict=False)
        if size == DYNAMIC
    }
    known = bounds - {DYNAMIC}
    if asked is not None:
        if asked > min(known, default=asked):
            raise ArgumentValueError(f"the batch {asked} is larger than the bound {min(known)}")
        return asked
    if DYNAMIC not in bounds:
        return min(known)
    listed = ", ".join(map(str, signature.arguments))
    example = ", ".join(str(argument.type) for argument in signature.arguments).replace("?", "1")
    raise UnsupportedError(
        f"the sizes of a library have bounds, but {signature.name} takes ({listed}); --batch=8 "
        f"builds it for up to 8 rows, and --types='{example}' for static types"
    )


def of_batch(type_: Type, rows: int) -> Type:
    """A type whose open sizes are the batch."""
    if not isinstance(type_, TensorType):
        return type_
    return type_.with_shape([rows if size == DYNAMIC else size for size in type_.shape])


def without_adapters(executable: Executable) -> Executable:
    """The program of an executable, without what adapts its calling convention."""
    while isinstance(executable, AdaptedExecutable):
        executable = executable.program
    return executable


def native_program(executable: Executable) -> NativeProgram:
    """The native program of an executable with static sizes.

    Raises:
        UnsupportedError: It needs Python at run time; a diagnostic names each operation that does.
    """
    compiled = without_adapters(executable)
    name = executable.signature.name
    if isinstance(compiled, StagedExecutable | SegmentedExecutable):
        raise UnsupportedError(f"a library needs static shapes, but those in {name} depend on data")
    if not isinstance(compiled, CompiledExecutable):
        reason = executable.fallback or Diagnostic("it runs in the interpreter")
        raise UnsupportedError([Diagnostic(f"{name} is not compiled: {reason.message}"), reason])
    obstacles = list(operations_in_python(compiled))
    if obstacles:
        raise UnsupportedError([obstacle(operation) for operation in obstacles])
    program = compiled.program
    return NativeProgram(
        program.image, program.objects, library_objects(compiled), compiled.signature,
        compiled.target, image_labels(program.image),
    )  # fmt: skip


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
