"""Flattens tuples and drops tokens among arguments and results.

Native code has neither: a tuple is its parts, a token nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from stablemate.execution.adapted_executable import AdaptedExecutable
from stablemate.execution.executable import Executable
from stablemate.execution.signature import Argument, Signature
from stablemate.ir.types import TokenType, TupleType, Type


def has_tuples(signature: Signature) -> bool:
    """Whether a function takes or gives tuples or tokens."""
    values = (*signature.arguments, *signature.results)
    return any(isinstance(value.type, TokenType | TupleType) for value in values)


def flattened_signature(signature: Signature) -> Signature:
    """The same of a function that takes and gives the parts."""
    return Signature(
        signature.name,
        tuple(flattened_arguments(signature.arguments)),
        tuple(flattened_arguments(signature.results)),
    )


def flattened_arguments(values: Sequence[Argument]) -> Iterator[Argument]:
    """The parts of arguments or results."""
    for value in values:
        match value.type:
            case TokenType():
                pass
            case TupleType(types):
                inner = [Argument(f"{value.name}[{i}]", t) for i, t in enumerate(types)]
                yield from flattened_arguments(inner)
            case _:
                yield value


def flatten(values: Sequence[Any], types: Sequence[Type]) -> Iterator[Any]:
    """The parts of values of these types; a token has none."""
    for value, value_type in zip(values, types, strict=True):
        match value_type:
            case TokenType():
                pass
            case TupleType(inner):
                yield from flatten(value, inner)
            case _:
                yield value


def pack(rest: Iterator[Any], types: Sequence[Type]) -> tuple[Any, ...]:
    """Values of these types, made of their parts."""
    values_: list[Any] = []
    for value_type in types:
        match value_type:
            case TokenType():
                values_.append(None)
            case TupleType(inner):
                values_.append(pack(rest, inner))
            case _:
                values_.append(next(rest))
    return tuple(values_)


class TupleExecutable(AdaptedExecutable):
    """A function that takes or gives tuples or tokens; its program takes and gives their parts."""

    def __init__(self, signature: Signature, program: Executable) -> None:
        super().__init__(signature, program)
        self.fallback = program.fallback
        self.argument_types = [argument.type for argument in signature.arguments]
        self.result_types = [result.type for result in signature.results]

    def taken(self, values: Sequence[Any]) -> Sequence[Any]:
        """The parts of the arguments."""
        return list(flatten(values, self.argument_types))

    def given(self, results: Sequence[Any]) -> Sequence[Any]:
        """The results, of their parts."""
        return pack(iter(results), self.result_types)
