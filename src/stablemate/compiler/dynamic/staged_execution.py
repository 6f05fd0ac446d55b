"""Compiles programs whose sizes depend on data stage by stage, as sizes become known.

The first part runs, the next one is compiled for the sizes that it gave, unless it was before.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from os import PathLike
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np

from stablemate import transforms
from stablemate.compiler.dynamic.specialized_functions import SpecializedFunctions
from stablemate.dialects.calls import may_request
from stablemate.dialects.func import FuncOp
from stablemate.execution.backends import single_process
from stablemate.execution.executable import Executable
from stablemate.execution.host import host_of
from stablemate.execution.signature import Signature, declared_signature
from stablemate.execution.streams import Streams
from stablemate.fork_safety import Lock
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.ir.core import Module, Operation, Value
from stablemate.ir.grid import Grid
from stablemate.ir.request import Process
from stablemate.ir.types import TensorType, Type

Compile = Callable[[SpecializedFunctions, Signature, str], Executable]
Interpret = Callable[[SpecializedFunctions, Signature], InterpretedExecutable]
MAX_SPECIALIZATIONS: Final = 32  # sizes for which the rest of a program stays compiled


@runtime_checkable
class RunsAsProcess(Protocol):
    """An executable whose native code, or whose parts, run as a process."""

    def process(self, values: Sequence[Any]) -> Process:
        """A process that runs the function."""
        ...


class StagedExecutable(Executable):
    """A function in parts; ``fallback`` says why the last part that was made is interpreted.

    Attributes:
        interpreted: The function as the interpreter runs it.
        parts: The parts.
        first: What comes before the sizes are known.
        alone: The operation that tells the sizes.
        made: What comes behind, by the sizes; the latest use last.
        runs_as_process: Whether what comes before the rest may ask the world.
    """

    def __init__(
        self,
        interpreted: InterpretedExecutable,
        parts: transforms.Split,
        compile: Compile,
        interpret: Interpret,
    ) -> None:
        super().__init__(interpreted.signature, interpreted.grid)
        self.interpreted = interpreted
        self.parts = parts
        self.compile = compile
        first = parts.first.symbol
        specialised = SpecializedFunctions(lambda: transforms.module_of(parts, parts.first), first)
        self.first = compile(specialised, declared_signature(parts.first), first)
        self.fallback = self.first.fallback
        self.runs_as_process = any(map(may_request, (parts.first, parts.alone or parts.first)))
        self.alone: InterpretedExecutable | None = None
        if parts.alone is not None:
            self.alone = interpret(self.single(parts.alone), declared_signature(parts.alone))
        self.made: OrderedDict[Hashable, Executable] = OrderedDict()
        self.lock = Lock()

    def single(self, part: FuncOp) -> SpecializedFunctions:
        """One part by itself."""
        return SpecializedFunctions(lambda: transforms.module_of(self.parts, part), part.symbol)

    def run(
        self,
        values: Sequence[Any],
        streams: Streams | None = None,
        probe_dir: str | PathLike[str] | None = None,
        seed: int = 0,
    ) -> Sequence[Any]:
        """The results for arguments that fit the signature."""
        if self.runs_as_process:
            host = host_of([self], Grid(), streams, probe_dir, seed)
            return single_process.run(self.process(values), host, self.grid)
        results = self.first.run(values)
        determining, handed = results[: self.parts.count], results[self.parts.count :]
        if self.alone is None:
            return self.rest(determining, handed).run(handed, streams, probe_dir, seed)
        arguments = [*map(np.asarray, self.alone.run(determining)), *handed]
        return self.rest((), arguments).run(arguments, streams, probe_dir, seed)

    def process(self, values: Sequence[Any]) -> Process:
        """A process that runs the parts, one after the other."""
        results = yield from process_of(self.first, values)
        count = self.parts.count
        determining, handed = results[:count], results[count:]
        if self.alone is None:
            rest = self.rest(determining, handed)
            return (yield from process_of(rest, handed))
        sizes_ = yield from process_of(self.alone, determining)
        arguments = [*map(np.asarray, sizes_), *handed]
        return (yield from process_of(self.rest((), arguments), arguments))

    def rest(self, sizes: Sequence[Any], arguments: Sequence[Any]) -> Executable:
        """What comes behind, for sizes and for arguments of these shapes."""
        numbers = tuple([tuple(np.reshape(size, -1).tolist()) for size in sizes])
        key = numbers, tuple([np.shape(argument) for argument in arguments])
        with self.lock:
            executable = self.made.get(key)
            if executable is None:
                executable = self.made[key] = self.specialised(sizes, arguments, str(key))
                if len(self.made) > MAX_SPECIALIZATIONS:
                    self.made.popitem(last=False)
            self.made.move_to_end(key)
        self.fallback = executable.fallback or self.first.fallback
        return executable

    def specialised(self, sizes: Sequence[Any], arguments: Sequence[Any], key: str) -> Executable:
        """What comes behind, compiled."""
        part = self.parts.rest
        declared = part.type.inputs[len(sizes) :]
        types = [static_type(t, argument) for t, argument in zip(declared, arguments, strict=True)]

        def module() -> Module:
            return transforms.fixed_rest(self.parts, sizes)

        specialised = SpecializedFunctions(module, part.symbol, types)
        return self.compile(specialised, specialised.signature, f"{part.symbol} {key}")

    def start(self, function: str, values: Sequence[Any]) -> Process:
        """A process that runs a function of the module, interpreted.

        Processes of different sizes still meet at the same operations.
        """
        return self.interpreted.start(function, values)

    def start_body(
        self, operation: Operation, values: Sequence[Any], targets: Sequence[Any] = ()
    ) -> Process:
        """A process that runs the body of an operation, which uses no value from outside."""
        return self.interpreted.start_body(operation, values, targets)

    def emit(self, stage: str) -> str:
        """What a stage of the compiler made of the parts that ran last."""
        latest = next(reversed(self.made.values()), None)
        executables = [self.first] if latest is None else [self.first, latest]
        return "\n".join(
            executable.emit(stage) for executable in executables if executable.fallback is None
        )

    def name_of(self, value: Value[Any]) -> str:
        """What the printed program calls a value."""
        return self.interpreted.name_of(value)


def process_of(executable: Executable, values: Sequence[Any]) -> Process:
    """A process that runs one part."""
    if isinstance(executable, RunsAsProcess):
        return executable.process(values)
    return executable.start(executable.signature.name, values)


def static_type(declared: Type, value: Any) -> Type:
    """The type of a value that has been computed."""
    if isinstance(declared, TensorType):
        return TensorType(np.shape(value), declared.element_type)
    return declared
