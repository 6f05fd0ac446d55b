"""Programs with dynamic shapes, for each combination of shapes that they are called with.

Where there is native code for many sizes, a combination is an evaluation of its plan; else it is
compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

from stablemate.compiler.dynamic.dynamic_executable import DynamicExecutable
from stablemate.compiler.dynamic.specialized_functions import SpecializedFunctions
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.execution.executable import Executable
from stablemate.execution.streams import Streams
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.ir.types import TensorType, Type

Shapes: TypeAlias = tuple[tuple[int, ...], ...]
CompileForTypes: TypeAlias = Callable[[Sequence[Type]], Executable]


class CallArrays(Protocol):
    """Runs native code on arrays."""

    def __call__(
        self, arguments: tuple[object, ...],
        converted: Callable[[Sequence[object]], Sequence[object]] | None,
    ) -> object:  # fmt: skip
        """Runs it; arguments that do not fit are converted, or the result is NotImplemented."""
        ...


@runtime_checkable
class Forgetting(Protocol):
    """An executable that may drop what it was compiled from."""

    def forget_functions(self) -> bool:
        """Drops it if it is not needed; says whether it is dropped."""
        ...


class SizedVersions(Protocol):
    """Native code of a function for many sizes."""

    def executable(self, types: Sequence[Type]) -> Executable | None:
        """The function for arguments of these types; None if it is to be compiled for them."""
        ...

    def emit(self, stage: str) -> str:
        """The result of a stage of the compiler for all sizes, as text."""
        ...


def has_dynamic_shapes(interpreted: InterpretedExecutable) -> bool:
    """Whether the type of an argument has a dynamic size."""
    return any(
        isinstance(argument.type, TensorType) and not argument.type.is_static
        for argument in interpreted.signature.arguments
    )


class SpecializingExecutable(DynamicExecutable):
    """A function whose arguments have dynamic sizes.

    ``fallback`` is the reason why the shapes that were compiled last are interpreted, if they are.

    Attributes:
        compile: Compiles the function for argument types.
        versions: Native code for many sizes; None: each combination of sizes is compiled.
        when_compiled: Called with this object when it has been compiled for further shapes.
    """

    def __init__(
        self,
        interpreted: InterpretedExecutable,
        compile: CompileForTypes,
        versions: SizedVersions | None = None,
    ) -> None:
        super().__init__(interpreted)
        self.compile = compile
        self.versions = versions
        self.last: tuple[Shapes, CallArrays | None] = ((), None)
        self.when_compiled: Callable[[SpecializingExecutable], None] | None = None

    def __call__(
        self,
        *arguments: object,
        streams: Streams | None = None,
        probe_dir: str | PathLike[str] | None = None,
        seed: int = 0,
    ) -> object:
        """Runs the function; arrays of the latest shapes go straight to its native code."""
        shapes, call_arrays = self.last
        if call_arrays is not None and len(arguments) == len(shapes):
            results = call_arrays(arguments, None)
            if results is not NotImplemented:
                return results
            for argument, shape in zip(arguments, shapes, strict=True):
                if type(argument) is not np.ndarray or argument.shape != shape:
                    break
            else:
                return call_arrays(arguments, self.convert_arguments)
        return super().__call__(*arguments, streams=streams, probe_dir=probe_dir, seed=seed)

    def convert_arguments(self, arguments: Sequence[object]) -> Sequence[object]:
        """The arguments as contiguous arrays, checked against the signature."""
        return [
            np.require(value, requirements=("C", "A")) for value in self.signature.take(arguments)
        ]

    def executable(self, values: Sequence[Any]) -> Executable:
        """The function for the shapes of arguments that fit the signature."""
        shapes = tuple([np.shape(value) for value in values])
        compiled: list[Executable] = []

        def compile() -> Executable:
            executable = self.of_types(self.types(shapes))
            self.fallback = executable.fallback
            compiled.append(executable)
            return executable

        executable = self.specialization(shapes, compile)
        if compiled and self.when_compiled is not None:
            self.when_compiled(self)
        self.last = shapes, call_of_arrays(executable)
        return executable

    def forget_functions(self) -> bool:
        """Holds nothing of the functions but what was compiled, and its constants in their file.

        Returns:
            Whether this is so; see ``CompiledExecutable``.
        """
        functions = self.interpreted.functions
        with self.lock:
            executables = list(self.specializations.values())
        if not all(isinstance(x, Forgetting) and x.forget_functions() for x in executables):
            return False
        if isinstance(functions, SpecializedFunctions):
            functions.forget()
        return True

    def of_types(self, types: Sequence[Type]) -> Executable:
        """The function for arguments of static types, as native code for many sizes if possible."""
        executable = None if self.versions is None else self.versions.executable(types)
        return executable or self.compile(types)

    def specialize(self, values: Sequence[Any]) -> Executable:
        """The function compiled for the shapes of arguments alone."""
        shapes = tuple([np.shape(value) for value in values])
        return self.specialization(
            ("specialized", shapes), lambda: self.compile(self.types(shapes))
        )

    def types(self, shapes: Shapes) -> list[Type]:
        """The types of arguments of these shapes."""
        return [
            TensorType(shape, argument.type.element_type)
            if isinstance(argument.type, TensorType)
            else argument.type
            for argument, shape in zip(self.signature.arguments, shapes, strict=True)
        ]

    def run(
        self,
        values: Sequence[object],
        streams: Streams | None = None,
        probe_dir: str | PathLike[str] | None = None,
        seed: int = 0,
    ) -> Sequence[object]:
        """The results for arguments that fit the signature."""
        return self.executable(values).run(values, streams, probe_dir, seed)

    def emit(self, stage: str) -> str:
        """The result of a stage of the compiler, as text.

        Of native code for many sizes, it has variables for sizes; else, it is that for the shapes
        of the last call.

        Raises:
            ArgumentValueError: There is no such stage, or the program has not been called and is
                not compiled for many sizes.
        """
        if self.latest is not None:
            return self.latest.emit(stage)
        try:
            assert self.versions is not None
            return self.versions.emit(stage)
        except ArgumentValueError:
            raise
        except Exception as error:
            message = "a program with open sizes is compiled when it is called"
            raise ArgumentValueError(message) from error


def call_of_arrays(executable: Executable) -> CallArrays | None:
    """The native entry that takes arrays; None without native code, or in a process."""
    is_process: bool = getattr(executable, "runs_as_process", True)
    return None if is_process else getattr(executable, "call_with", None)
