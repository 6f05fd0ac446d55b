"""Compiles programs whose sizes depend on data stage by stage, as sizes become known.

The first part runs; the rest is compiled for the sizes that it computed, unless it was compiled
for these sizes before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Protocol, runtime_checkable

import numpy as np

from stablemate import transforms
from stablemate.compiler.dynamic.dynamic_executable import DynamicExecutable
from stablemate.compiler.dynamic.specialized_functions import SpecializedFunctions
from stablemate.dialects.calls import may_request
from stablemate.dialects.func import FuncOp
from stablemate.execution.backends import single_process
from stablemate.execution.executable import Executable
from stablemate.execution.host import host_of
from stablemate.execution.signature import Signature, declared_signature
from stablemate.execution.streams import Streams
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.ir.core import Module
from stablemate.ir.grid import Grid
from stablemate.ir.request import Process
from stablemate.ir.types import TensorType, Type

Compile = Callable[[SpecializedFunctions, Signature, str], Executable]
Interpret = Callable[[SpecializedFunctions, Signature], InterpretedExecutable]


@runtime_checkable
class RunsAsProcess(Protocol):
    """An executable that runs its own function as a process: natively, or part by part."""

    def process(self, values: Sequence[object]) -> Process:
        """A process that runs the function."""
        ...


class StagedExecutable(DynamicExecutable):
    """A function compiled in parts; ``fallback`` says why the last part is interpreted.

    Its specializations are the compiled rests.

    Attributes:
        parts: The parts.
        compile: Compiles a part.
        first: The part that computes the sizes, compiled.
        size_operation: The operation whose results have the sizes, if it is a part of its own.
        runs_as_process: Whether anything before the rest may make host requests.
    """

    def __init__(
        self,
        interpreted: InterpretedExecutable,
        parts: transforms.SplitFunction,
        compile: Compile,
        interpret: Interpret,
    ) -> None:
        super().__init__(interpreted)
        self.parts = parts
        self.compile = compile
        first = parts.first.symbol
        functions = self.single_function(parts.first)
        self.first = compile(functions, declared_signature(parts.first), first)
        self.fallback = self.first.fallback
        self.runs_as_process = any(map(may_request, (parts.first, parts.alone or parts.first)))
        self.size_operation: InterpretedExecutable | None = None
        if parts.alone is not None:
            functions = self.single_function(parts.alone)
            self.size_operation = interpret(functions, declared_signature(parts.alone))

    def single_function(self, part: FuncOp) -> SpecializedFunctions:
        """The functions of one part."""
        return SpecializedFunctions(lambda: transforms.module_of(self.parts, part), part.symbol)

    def run(
        self,
        values: Sequence[object],
        streams: Streams | None = None,
        probe_dir: str | PathLike[str] | None = None,
        seed: int = 0,
    ) -> Sequence[object]:
        """The results for arguments that fit the signature."""
        if self.runs_as_process:
            host = host_of([self], Grid(), streams, probe_dir, seed)
            return single_process.run(self.process(values), host, self.grid)
        results = self.first.run(values)
        size_operands, values_for_rest = results[: self.parts.count], results[self.parts.count :]
        if self.size_operation is None:
            rest = self.compiled_rest(size_operands, values_for_rest)
            return rest.run(values_for_rest, streams, probe_dir, seed)
        arguments = [*map(np.asarray, self.size_operation.run(size_operands)), *values_for_rest]
        return self.compiled_rest((), arguments).run(arguments, streams, probe_dir, seed)

    def process(self, values: Sequence[object]) -> Process:
        """A process that runs the parts, one after the other."""
        results = yield from process_of(self.first, values)
        count = self.parts.count
        size_operands, values_for_rest = results[:count], results[count:]
        if self.size_operation is None:
            rest = self.compiled_rest(size_operands, values_for_rest)
            return (yield from process_of(rest, values_for_rest))
        size_results = yield from process_of(self.size_operation, size_operands)
        arguments = [*map(np.asarray, size_results), *values_for_rest]
        return (yield from process_of(self.compiled_rest((), arguments), arguments))

    def compiled_rest(self, sizes: Sequence[Any], arguments: Sequence[Any]) -> Executable:
        """The rest, compiled for sizes and for arguments of these shapes."""
        size_numbers = tuple([tuple(np.reshape(size, -1).tolist()) for size in sizes])
        key = size_numbers, tuple([np.shape(argument) for argument in arguments])
        executable = self.specialization(key, lambda: self.compile_rest(sizes, arguments, str(key)))
        self.fallback = executable.fallback or self.first.fallback
        return executable

    def compile_rest(
        self, sizes: Sequence[object], arguments: Sequence[object], key: str
    ) -> Executable:
        """Compiles the part behind the sizes, now that these are known."""
        part = self.parts.rest
        declared = part.type.inputs[len(sizes) :]
        types = [static_type(t, argument) for t, argument in zip(declared, arguments, strict=True)]

        def module() -> Module:
            return transforms.fixed_rest(self.parts, sizes)

        functions = SpecializedFunctions(module, part.symbol, types)
        return self.compile(functions, functions.signature, f"{part.symbol} {key}")

    def emit(self, stage: str) -> str:
        """The result of a stage of the compiler, as text, for the parts that ran last."""
        executables = [self.first] if self.latest is None else [self.first, self.latest]
        return "\n".join(
            executable.emit(stage) for executable in executables if executable.fallback is None
        )


def process_of(executable: Executable, values: Sequence[object]) -> Process:
    """The process of one part."""
    if isinstance(executable, RunsAsProcess):
        return executable.process(values)
    return executable.start(executable.signature.name, values)


def static_type(declared: Type, value: Any) -> Type:
    """The static type of a value that has been computed."""
    if isinstance(declared, TensorType):
        return TensorType(np.shape(value), declared.element_type)
    return declared
