"""Packing: tuples and tokens among what a program takes and gives.

Native code has neither: a tuple is its parts, a token nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike
from typing import Any

from stablemate.execution.executable import Executable
from stablemate.execution.signature import Argument, Signature
from stablemate.execution.streams import Streams
from stablemate.ir.core import Operation, Value
from stablemate.ir.request import Process
from stablemate.ir.types import TokenType, TupleType, Type


def is_packed(signature: Signature) -> bool:
    """Whether a function takes or gives tuples or tokens."""
    values = (*signature.arguments, *signature.results)
    return any(isinstance(each.type, TokenType | TupleType) for each in values)


def unpacked(signature: Signature) -> Signature:
    """The same of a function that takes and gives the parts."""
    return Signature(
        signature.name, tuple(parts(signature.arguments)), tuple(parts(signature.results))
    )


def parts(values: Sequence[Argument]) -> Iterator[Argument]:
    """The parts of arguments or results."""
    for each in values:
        match each.type:
            case TokenType():
                pass
            case TupleType(types):
                inner = [Argument(f"{each.name}[{i}]", t) for i, t in enumerate(types)]
                yield from parts(inner)
            case _:
                yield each


def flattened(values: Sequence[Any], types: Sequence[Type]) -> Iterator[Any]:
    """The parts of values of these types; a token has none."""
    for value, value_type in zip(values, types, strict=True):
        match value_type:
            case TokenType():
                pass
            case TupleType(inner):
                yield from flattened(value, inner)
            case _:
                yield value


def packed(rest: Iterator[Any], types: Sequence[Type]) -> tuple[Any, ...]:
    """Values of these types, made of their parts."""
    found: list[Any] = []
    for each in types:
        match each:
            case TokenType():
                found.append(None)
            case TupleType(inner):
                found.append(packed(rest, inner))
            case _:
                found.append(next(rest))
    return tuple(found)


class PackedExecutable(Executable):
    """A function that takes or gives tuples or tokens.

    Attributes:
        unpacked: The one that takes and gives their parts.
    """

    def __init__(self, signature: Signature, unpacked: Executable) -> None:
        super().__init__(signature, unpacked.grid)
        self.unpacked = unpacked
        self.fallback = unpacked.fallback
        self.taken = [each.type for each in signature.arguments]
        self.given = [each.type for each in signature.results]

    def run(
        self,
        values: Sequence[Any],
        streams: Streams | None = None,
        probe_dir: str | PathLike[str] | None = None,
        seed: int = 0,
    ) -> Sequence[Any]:
        """The results for arguments that fit the signature."""
        found = self.unpacked.run(list(flattened(values, self.taken)), streams, probe_dir, seed)
        return packed(iter(found), self.given)

    def start(self, function: str, values: Sequence[Any]) -> Process:
        """A process that runs a function of the module."""
        if function != self.signature.name:
            return self.unpacked.start(function, values)
        return self.process(values)

    def process(self, values: Sequence[Any]) -> Process:
        """A process that runs the function."""
        flat = list(flattened(values, self.taken))
        found = yield from self.unpacked.start(self.signature.name, flat)
        return packed(iter(found), self.given)

    def start_body(self, operation: Operation, values: Sequence[Any]) -> Process:
        """A process that runs the body of an operation, which uses no value from outside."""
        return self.unpacked.start_body(operation, values)

    def emit(self, stage: str) -> str:
        """What a stage of the compiler made of the program, as text."""
        return self.unpacked.emit(stage)

    def name_of(self, value: Value[Any]) -> str:
        """What the printed program calls a value."""
        return self.unpacked.name_of(value)
