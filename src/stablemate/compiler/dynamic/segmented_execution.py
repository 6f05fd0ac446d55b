"""Runs programs whose sizes depend on data part by part, each compiled once for all sizes.

The sizes that a part computes are sizes of arguments of later ones, whose elements nothing reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate import transforms
from stablemate.compiler.dynamic.dynamic_executable import DynamicExecutable
from stablemate.compiler.dynamic.specialized_functions import SpecializedFunctions
from stablemate.dialects.func import FuncOp
from stablemate.execution.executable import Executable
from stablemate.execution.signature import Signature, declared_signature
from stablemate.execution.streams import Streams
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.numerics.elements import Array

Compile: TypeAlias = Callable[
    ["SpecializedFunctions", "Signature", "transforms.Segment"], Executable
]
LARGEST: Final = (1 << 31) - 1  # size of an argument


class SegmentedExecutable(DynamicExecutable):
    """A function in parts; ``fallback`` says why the last one that is interpreted is so.

    Attributes:
        parts: The parts.
        executables: Their executables.
        last_uses: The numbers of the values that each part is the last one to use.
        otherwise: Returns what runs the function where a number that becomes a size is none.
    """

    runs_as_process = False

    def __init__(
        self,
        interpreted: InterpretedExecutable,
        parts: transforms.SegmentedFunction,
        compile: Compile,
        otherwise: Callable[[], Executable],
    ) -> None:
        super().__init__(interpreted)
        self.parts = parts
        self.executables = [self.part(segment, compile) for segment in parts.segments]
        self.last_uses = last_uses(parts)
        self.otherwise = otherwise

    def part(self, segment: transforms.Segment, compile: Compile) -> Executable:
        """The executable of a part; its types are the declared ones, so that nothing is refined."""
        module = segment.module()
        declared = module.body.operations[-1]
        assert isinstance(declared, FuncOp), "the part is the last function"
        functions = SpecializedFunctions(lambda: module, segment.name)
        return compile(functions, declared_signature(declared), segment)

    def run(
        self,
        values: Sequence[object],
        streams: Streams | None = None,
        probe_dir: str | PathLike[str] | None = None,
        seed: int = 0,
    ) -> Sequence[Any]:
        """The results for arguments that fit the signature."""
        known: dict[int, Any] = dict(enumerate(values))
        for place, executable in enumerate(self.executables):
            arguments = self.arguments(self.parts.segments[place], known)
            if arguments is None:
                return self.exact.run(values, streams, probe_dir, seed)
            for number in self.last_uses[place]:
                del known[number]
            results = executable.run(arguments, streams, probe_dir, seed)
            known.update(zip(self.parts.segments[place].outputs, results, strict=True))
            self.fallback = executable.fallback or self.fallback
            del arguments, results  # not kept until the next part has run
        return [known[number] for number in self.parts.results]

    def arguments(
        self, segment: transforms.Segment, known: Mapping[int, object]
    ) -> list[Any] | None:
        """The arguments of a part; None if a number that becomes a size is none."""
        sized = sized_arguments([known[number] for number in segment.counts])
        if sized is None:
            return None
        return [*[known[number] for number in segment.inputs], *sized]

    @property
    def exact(self) -> Executable:
        """The executable of the whole function, for numbers that are no sizes."""
        return self.specialization("exact", self.otherwise)

    def emit(self, stage: str) -> str:
        """The result of a stage of the compiler, as text, for all parts that are compiled."""
        return "\n".join(
            executable.emit(stage) for executable in self.executables if executable.fallback is None
        )


def last_uses(parts: transforms.SegmentedFunction) -> list[list[int]]:
    """The numbers of the values that each part is the last one to use, results aside."""
    last = {
        number: place
        for place, segment in enumerate(parts.segments)
        for number in (*segment.inputs, *segment.counts)
    }
    results = frozenset(parts.results)
    freed: list[list[int]] = [[] for _ in parts.segments]
    for number, place in last.items():
        if number not in results:
            freed[place].append(number)
    return freed


def sized_arguments(values: Sequence[Any]) -> list[Array] | None:
    """Arrays of one dimension of these sizes; None if a number is no size."""
    numbers = [int(number) for value in values for number in np.reshape(value, -1)]
    if any(not 0 <= number <= LARGEST for number in numbers):
        return None
    return [np.zeros(number, np.bool_) for number in numbers]
