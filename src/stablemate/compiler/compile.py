"""Chooses how a function is executed: compiled as a whole, per shape, in stages, or interpreted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from stablemate import transforms
from stablemate.compiler.config.options import DEFAULTS, CompileOptions
from stablemate.compiler.config.target import Target, host
from stablemate.compiler.dynamic.shape_specialization import (
    SpecializingExecutable,
    has_dynamic_shapes,
)
from stablemate.compiler.dynamic.specialized_functions import SpecializedFunctions
from stablemate.compiler.dynamic.tuple_packing import (
    TupleExecutable,
    flattened_signature,
    has_tuples,
)
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.fallback import reason_of
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.execution.executable import Executable
from stablemate.execution.signature import Signature
from stablemate.fork_safety import cached_property
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.ir.core import Operation
from stablemate.ir.types import TensorType, Type

if TYPE_CHECKING:
    from stablemate.compiler.size_versions import SizeVersions


def native_or_interpreted(
    interpreted: InterpretedExecutable, target: Target | None = None, *,
    threads: int | None = None, source: bytes | None = None, options: CompileOptions = DEFAULTS,
    load_code: bool = True,
) -> Executable:  # fmt: skip
    """The function as native code, or as the interpreter runs it if it cannot be compiled.

    In the latter case, ``fallback`` of the result gives the reason. A function with dynamic shapes
    is compiled when it is called. What is compiled for another machine is not loaded.
    """
    return Compiler(target, threads, options, load_code).executable(interpreted, source)


@dataclass(frozen=True, slots=True)
class Compiler:
    """Compiles functions for one machine with the same options.

    Attributes:
        target: The machine; None: this one.
        threads: How many threads may work for a call; None: as many as there are.
        options: How functions are compiled.
        load_code: Whether code is loaded into this process.
    """

    target: Target | None
    threads: int | None
    options: CompileOptions
    load_code: bool = True

    def executable(self, interpreted: InterpretedExecutable, source: bytes | None) -> Executable:
        """The executable of a function; its types determine the kind."""
        functions = interpreted.functions
        if has_tuples(interpreted.signature):
            return self.with_tuples(interpreted, source)
        if not isinstance(functions, SpecializedFunctions):
            return self.compile_static(interpreted, source)
        if has_dynamic_shapes(interpreted):
            return SpecializingExecutable(
                interpreted,
                self.specializer(interpreted, source),
                self.size_versions(interpreted, source),
            )
        if all(is_static(result.type) for result in interpreted.signature.results):
            return self.compile_static(interpreted, source)
        return self.compile_static(with_functions(interpreted, functions), source)

    def with_tuples(self, interpreted: InterpretedExecutable, source: bytes | None) -> Executable:
        """A function with tuples or tokens among its arguments or results."""
        signature = flattened_signature(interpreted.signature)
        inner = self.compile_static(with_signature(interpreted, signature), source)
        if inner.fallback is None:
            return TupleExecutable(interpreted.signature, inner)
        return interpreted_because(interpreted, inner.fallback)

    def specializer(
        self, interpreted: InterpretedExecutable, source: bytes | None
    ) -> Callable[[Sequence[Type]], Executable]:
        """Compiles a function with dynamic shapes for the types that it is called with."""
        functions = interpreted.functions
        assert isinstance(functions, SpecializedFunctions)

        def specialize(types: Sequence[Type]) -> Executable:
            specialized = SpecializedFunctions(functions.original, functions.entry, types)
            key = None if source is None else source + " ".join(map(str, types)).encode()
            return self.compile_static(with_functions(interpreted, specialized), key)

        return specialize

    def size_versions(
        self, interpreted: InterpretedExecutable, source: bytes | None
    ) -> LateVersions | None:
        """The versions of a function for symbolic sizes; None if its sizes are specialized."""
        if interpreted.limits.iterations is not None:
            return None
        return LateVersions(self, interpreted, source)

    def compile_static(self, program: InterpretedExecutable, source: bytes | None) -> Executable:
        """A function without dynamic arguments: as native code, in stages, or interpreted."""
        try:
            return CompiledExecutable(
                program, self.target, threads=self.threads, source=source, options=self.options,
                load_code=self.load_code,
            )  # fmt: skip
        except UnsupportedError as error:
            staged = self.in_parts(program, source)
            if staged is not None:
                return staged
            reason = reason_of(error)
        except Exception as error:
            reason = reason_of(error)
        return interpreted_because(program, reason)

    def in_parts(self, program: InterpretedExecutable, source: bytes | None) -> Executable | None:
        """A function in which sizes depend on data, in segments or stages; None if it has none."""
        functions = program.functions
        if not isinstance(functions, SpecializedFunctions):
            return None
        whole = transforms.open_function(functions.module, program.signature.name)
        if whole is None:
            return None
        segmented = self.in_segments(program, whole, source)
        return segmented or self.in_stages(program, whole, source)

    def in_segments(
        self, program: InterpretedExecutable, whole: transforms.OpenFunction, source: bytes | None
    ) -> Executable | None:
        """The function in parts, each for all sizes that depend on data; None if it has none."""
        parts = transforms.segment_function(whole)
        if parts is None:
            return None
        from stablemate.compiler.dynamic.segmented_execution import (  # few programs
            SegmentedExecutable,
        )

        def compile(
            functions: SpecializedFunctions, signature: Signature, segment: transforms.Segment
        ) -> Executable:
            part = with_signature(program, signature, functions)
            if segment.is_interpreted:
                return part
            return self.executable(part, key_of_part(source, segment.name))

        def otherwise() -> Executable:
            return self.in_stages(program, whole, source) or program

        return SegmentedExecutable(program, parts, compile, otherwise)

    def in_stages(
        self, program: InterpretedExecutable, whole: transforms.OpenFunction, source: bytes | None
    ) -> Executable | None:
        """The function in stages, split where sizes depend on data; None if nowhere."""
        parts = transforms.split(whole)
        if parts is None:
            return None
        from stablemate.compiler.dynamic.staged_execution import StagedExecutable  # few programs

        def compile(functions: SpecializedFunctions, signature: Signature, name: str) -> Executable:
            part = with_signature(program, signature, functions)
            return self.compile_static(part, key_of_part(source, name))

        def interpret(
            functions: SpecializedFunctions, signature: Signature
        ) -> InterpretedExecutable:
            return with_signature(program, signature, functions)

        return StagedExecutable(program, parts, compile, interpret)


def key_of_part(source: bytes | None, name: str) -> bytes | None:
    """The key of a part of a program in the disk cache; None if the program has none."""
    return None if source is None else source + name.encode("utf-8", "surrogateescape")


class LateVersions:
    """The versions of a function, which are not imported before it is called."""

    def __init__(
        self, compiler: Compiler, interpreted: InterpretedExecutable, source: bytes | None
    ) -> None:
        self.compiler = compiler
        self.interpreted = interpreted
        self.source = source

    @cached_property
    def versions(self) -> SizeVersions:
        """The versions by size, created when the first one is asked for."""
        from stablemate.compiler.size_versions import SizeVersions

        compiler = self.compiler
        return SizeVersions(
            self.interpreted, compiler.target or host(), compiler.threads, compiler.options,
            self.source, load_code=compiler.load_code,
        )  # fmt: skip

    def executable(self, types: Sequence[Type]) -> Executable | None:
        """The function for arguments of these types; None if it is to be compiled for them."""
        return self.versions.executable(types)

    def emit(self, stage: str) -> str:
        """The result of a stage of the compiler for all sizes, as text."""
        return self.versions.emit(stage)


def interpreted_because(program: InterpretedExecutable, reason: Diagnostic) -> Executable:
    """The function as the interpreter runs it, with the reason why it is not compiled."""
    program.prepare()
    program.fallback = reason
    return program


def is_static(value_type: Type) -> bool:
    """Whether this is a tensor type of a known shape."""
    return isinstance(value_type, TensorType) and value_type.is_static


def with_functions(
    interpreted: InterpretedExecutable, functions: SpecializedFunctions
) -> InterpretedExecutable:
    """The function as the interpreter runs it, specialized; with the types that follow."""
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
        order=interpreted.order,
    )
