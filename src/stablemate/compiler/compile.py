"""Native: a function as native code, in whatever ways it takes; else as the interpreter runs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stablemate import transforms
from stablemate.compiler.config.options import DEFAULTS, CompileOptions
from stablemate.compiler.config.target import Target
from stablemate.compiler.dynamic.shape_specialization import SpecialisingExecutable, has_open_sizes
from stablemate.compiler.dynamic.specialized_functions import Specialised
from stablemate.compiler.dynamic.staged_execution import StagedExecutable
from stablemate.compiler.dynamic.tuple_packing import PackedExecutable, is_packed, unpacked
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.fallback import reason_of
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.execution.executable import Executable
from stablemate.execution.signature import Signature
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.ir.core import Operation
from stablemate.ir.types import TensorType, Type


def native_or_interpreted(
    interpreted: InterpretedExecutable, target: Target | None = None, *,
    threads: int | None = None, source: bytes | None = None, options: CompileOptions = DEFAULTS,
) -> Executable:  # fmt: skip
    """The function as native code; as the interpreter runs it if it is not one that is compiled.

    Then ``fallback`` of what is returned says why. One with open sizes is compiled when it is
    called.
    """

    def made(program: InterpretedExecutable, source: bytes | None) -> Executable:
        try:
            return CompiledExecutable(
                program, target, threads=threads, source=source, options=options
            )
        except UnsupportedError as error:
            staged = in_parts(program, source)
            if staged is not None:
                return staged
            why = reason_of(error)
        except Exception as error:
            why = reason_of(error)
        program.prepare()
        program.fallback = why
        return program

    def in_parts(program: InterpretedExecutable, source: bytes | None) -> Executable | None:
        """The program in parts, cut where sizes depend on data."""
        known = program.functions
        parts = None
        if isinstance(known, Specialised):
            parts = transforms.split(known.module, program.signature.name)
        if parts is None:
            return None

        def compile(functions: Specialised, signature: Signature, name: str) -> Executable:
            digest = None if source is None else source + name.encode("utf-8", "surrogateescape")
            return made(with_signature(program, signature, functions), digest)

        def interpret(functions: Specialised, signature: Signature) -> InterpretedExecutable:
            return with_signature(program, signature, functions)

        return StagedExecutable(program, parts, compile, interpret)

    functions = interpreted.functions
    if is_packed(interpreted.signature):
        inner = made(with_signature(interpreted, unpacked(interpreted.signature)), source)
        if inner.fallback is None:
            return PackedExecutable(interpreted.signature, inner)
        interpreted.prepare()
        interpreted.fallback = inner.fallback
        return interpreted
    if not isinstance(functions, Specialised):
        return made(interpreted, source)
    if not has_open_sizes(interpreted):
        if all(is_static(each.type) for each in interpreted.signature.results):
            return made(interpreted, source)
        return made(with_functions(interpreted, functions), source)

    def specialise(types: Sequence[Type]) -> Executable:
        known = Specialised(functions.original, functions.entry, types)
        digest = None if source is None else source + " ".join(map(str, types)).encode()
        return made(with_functions(interpreted, known), digest)

    return SpecialisingExecutable(interpreted, specialise)


def is_static(value_type: Type) -> bool:
    """Whether this is a tensor type of a known shape."""
    return isinstance(value_type, TensorType) and value_type.is_static


def with_functions(
    interpreted: InterpretedExecutable, functions: Specialised
) -> InterpretedExecutable:
    """The function as the interpreter runs it, specialised; with the types that follow."""
    return with_signature(interpreted, functions.signature, functions)


def with_signature(
    interpreted: InterpretedExecutable,
    signature: Signature,
    functions: Mapping[str, Operation] | None = None,
) -> InterpretedExecutable:
    """The function as the interpreter runs it, taken for one of another signature."""
    return InterpretedExecutable(
        functions or interpreted.functions,
        signature,
        interpreted.limits,
        interpreted.grid,
        interpreted.names,
        prepare=False,
    )
