"""Flattens tuples and drops tokens among arguments and results.

Native code has neither: a tuple is passed as its elements, a token is not passed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from stablemate.execution.adapted_executable import AdaptedExecutable
from stablemate.execution.executable import Executable
from stablemate.execution.signature import Argument, Signature
from stablemate.ir.types import TokenType, TupleType, Type


def has_tuples(signature: Signature) -> bool:
    """Whether a function has arguments or results that are tuples or tokens."""
    values = (*signature.arguments, *signature.results)
    return any(isinstance(value.type, TokenType | TupleType) for value in values)


def flattened_signature(signature: Signature) -> Signature:
    """The signature with tuples flattened and without tokens."""
    return Signature(
        signature.name,
        tuple(flattened_arguments(signature.arguments)),
        tuple(flattened_arguments(signature.results)),
    )


def flattened_arguments(values: Sequence[Argument]) -> Iterator[Argument]:
    """The arguments or results with tuples flattened and without tokens."""
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
    """Flattens values of these types; tokens are dropped."""
    for value, value_type in zip(values, types, strict=True):
        match value_type:
            case TokenType():
                pass
            case TupleType(inner):
                yield from flatten(value, inner)
            case _:
                yield value


def pack(flat_values: Iterator[object], types: Sequence[Type]) -> tuple[object, ...]:
    """Packs flattened values into values of these types."""
    packed_values: list[object] = []
    for value_type in types:
        match value_type:
            case TokenType():
                packed_values.append(None)
            case TupleType(inner):
                packed_values.append(pack(flat_values, inner))
            case _:
                packed_values.append(next(flat_values))
    return tuple(packed_values)


class TupleExecutable(AdaptedExecutable):
    """A function with tuples or tokens; its program takes and returns the flattened values."""

    def __init__(self, signature: Signature, program: Executable) -> None:
        super().__init__(signature, program)
        self.fallback = program.fallback
        self.argument_types = [argument.type for argument in signature.arguments]
        self.result_types = [result.type for result in signature.results]

    def program_arguments(self, values: Sequence[object]) -> Sequence[object]:
        """Flattens tuples among the arguments, as the program takes tensors only."""
        return list(flatten(values, self.argument_types))

    def caller_results(self, results: Sequence[object]) -> Sequence[object]:
        """Packs the flat results into the tuples that the caller expects."""
        return pack(iter(results), self.result_types)
