"""Executables: a function of a program, made ready by a back end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from stablemate import compiler, transforms
from stablemate.api.backends import refuse_unknown
from stablemate.api.frozen_arguments import Frozen, FrozenExecutable, frozen_positions
from stablemate.api.program import Function, Program, UnreadProgram
from stablemate.compiler.config.options import CompileOptions, uses_attention
from stablemate.diagnostics.limits import Limits, limits_or_default
from stablemate.dialects.func import FuncOp
from stablemate.execution.executable import Executable
from stablemate.fork_safety import cached_property
from stablemate.formats.mlir.names import value_names
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.interpreter.summation_order import REFERENCE_ORDER, Order, refuse_unknown_order
from stablemate.ir import core
from stablemate.ir.types import Type
from stablemate.numerics.elements import Array
from stablemate.numerics.floating_point_environment import keeps_subnormals
from stablemate.transforms.elided import reject_elided

if TYPE_CHECKING:
    from stablemate.compiler.config.target import Target
    from stablemate.transforms.legalization import Executor


@keeps_subnormals
def executable_of(
    program: Program, backend: str, entry: str | None, limits: Limits | None,
    threads: int | None, *, check: bool = False, order: Order = REFERENCE_ORDER,
    target: Target | None = None, attention: bool | None = None, frozen: Frozen = (),
) -> Executable:  # fmt: skip
    """A function of a program, ready to be called; ``compile`` documents the options.

    With a target, native code is compiled for that machine and not loaded.
    """
    refuse_unknown(backend, threads)
    refuse_unknown_order(order)
    if frozen:
        compile = partial(
            executable_of, backend=backend, entry=entry, limits=limits, threads=threads,
            check=check, order=order, target=target, attention=attention,
        )  # fmt: skip
        return frozen_executable(program, program.entry(entry), frozen, compile, check=check)
    is_native = backend == "cpu"
    if not is_native or program.source_digest is None:
        verify_values(program)  # what the disk cache holds was valid
    function = program.declared(entry)
    interpreted = interpreted_of(
        program, function, limits_or_default(limits), native=is_native, order=order
    )
    executable: Executable = interpreted
    if is_native:
        executable = compiler.native_or_interpreted(
            interpreted,
            target,
            threads=threads,
            source=program.source_digest,
            options=CompileOptions(
                check=check, attention=uses_attention() if attention is None else attention
            ),
            load_code=target is None,
        )
    called = program.called_by(function, executable)
    called.fallback = executable.fallback
    del function  # which holds the module
    keep = program.keep
    if is_native and keep is not None and executable.fallback is None:
        forget_program(program, executable, keep)
    return called


def forget_program(
    program: Program, executable: Executable, keep: Callable[[], UnreadProgram | None]
) -> None:
    """Drops a program when an executable has been compiled from it and does not need it.

    Args:
        program: The program.
        executable: The executable; one for sizes that vary is compiled when it is called.
        keep: Says how the program is read again; None if it is better kept.
    """
    unread = keep()
    if unread is None:
        return
    if isinstance(executable, compiler.SpecializingExecutable):

        def forget(executable: compiler.SpecializingExecutable) -> None:
            again = None if program.is_unread else keep()
            if again is not None and executable.forget_functions():
                program.forget(again)

        executable.when_compiled = forget
        return
    if program.is_unread or not isinstance(executable, compiler.CompiledExecutable):
        return
    if executable.forget_functions():
        program.forget(unread)


def frozen_executable(
    program: Program, function: Function, frozen: Frozen, compile: Callable[[Program], Executable],
    *, check: bool,
) -> Executable:  # fmt: skip
    """A function some of whose arguments become constants in its first call."""
    verify_values(program)
    signature, ir, read_from = function.own_signature, program.ir, program.format

    def compile_frozen(values: Mapping[int, Array]) -> Executable:  # does not hold the model
        module = transforms.replace_arguments(ir, function.operation, values)
        return compile(Program(module, read_from))

    positions = frozen_positions(signature, frozen)
    executable = FrozenExecutable(signature, program.grid, positions, compile_frozen, check=check)
    return program.called_by(function, executable)


def interpreted_of(
    program: Program,
    function: Function,
    limits: Limits,
    *,
    native: bool,
    order: Order = REFERENCE_ORDER,
) -> InterpretedExecutable:
    """A function for the interpreter; not prepared if native code is compiled from it."""
    lowered = LegalizedFunctions(program, "native" if native else "interpreter")
    signature = function.own_signature
    return InterpretedExecutable(
        compiler.SpecializedFunctions(
            lambda: lowered.lowered, signature.name, forget=lowered.forget
        )
        if native
        else lowered,
        signature,
        limits,
        program.grid,
        lambda value: lowered.name_of(value),
        prepare=not native,
        order=order,
    )


def verify_values(program: Program) -> None:
    """Checks that a program can be executed, and that the values of its constants are known.

    Raises:
        VerifyError: It breaks rules without which it has no meaning.
        UnsupportedError: The values of a constant were left out of the text.
    """
    program.verify_executable()
    reject_elided(program.ir)


class LegalizedFunctions(Mapping[str, FuncOp]):
    """The functions of a program, legalized on demand."""

    def __init__(self, program: Program, executor: Executor) -> None:
        self.program = program
        self.executor: Executor = executor

    @cached_property
    def lowered(self) -> core.Module:
        """The module in those operations."""
        verify_values(self.program)
        return transforms.legalize_module(self.program.shardy, executor=self.executor)

    def forget(self) -> None:
        """Drops the module; it is legalized again when it is needed."""
        for name in ("lowered", "functions", "name_of"):
            self.__dict__.pop(name, None)

    @cached_property
    def functions(self) -> Mapping[str, FuncOp]:
        """Indexes the functions of the legalized module by name."""
        return {
            function_operation.symbol: function_operation
            for function_operation in function_operations(self.lowered)
        }

    @cached_property
    def name_of(self) -> Callable[[core.Value[Type]], str]:
        """The name of a value in the printed module."""
        return value_names(self.lowered)

    def __getitem__(self, name: str) -> FuncOp:
        return self.functions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.functions)

    def __len__(self) -> int:
        return len(self.functions)


def function_operations(module: core.Module) -> Iterator[FuncOp]:
    """The functions of a module."""
    return (operation for operation in module.body.operations if isinstance(operation, FuncOp))
