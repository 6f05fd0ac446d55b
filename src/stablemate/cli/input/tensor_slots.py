"""The tensors among the arguments and results of a function, including those inside tuples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import stablemate as sm
from stablemate.cli.input.array_literals import has_storage
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentTypeError
from stablemate.execution.signature import Argument
from stablemate.ir.types import TensorType, TokenType, TupleType, Type
from stablemate.numerics.elements import Array

if TYPE_CHECKING:
    from stablemate.xla.shape import Shape


@dataclass(frozen=True, slots=True)
class TensorSlot:
    """A tensor among the arguments or results; each tensor inside a tuple has a slot of its own.

    Attributes:
        what: What messages call it.
        name: What the program calls it.
        type: Its type.
        buffer: Its shape in HLO, if that has a layout other than row by row.
    """

    what: str
    name: str
    type: TensorType
    buffer: Shape | None = None


def slot_types(module: sm.Module) -> tuple[Sequence[Shape], Sequence[Shape]]:
    """The arrays of the entry computation layout of HLO, tuples flattened.

    None for other programs.
    """
    if not isinstance(module, sm.HloModule):
        return (), ()
    border = module.entry_layout
    return arrays_in(border.parameters), arrays_in((border.result,))


def arrays_in(shapes: Sequence[Shape]) -> list[Shape]:
    """The arrays among shapes and in tuples of them."""
    return [leaf for shape in shapes for _, leaf in shape.leaves() if leaf.is_array]


def slots_of(
    arguments: Sequence[Argument], kind: str, function: str, shapes: Sequence[Shape] = ()
) -> list[TensorSlot]:
    """The tensors among arguments or results; tokens have none.

    Args:
        arguments: The arguments or results.
        kind: Which of them, in a word.
        function: The name of the function.
        shapes: The arrays among them as HLO has them; none of other programs.

    Raises:
        ArgumentTypeError: One of them is neither a tensor nor a tuple of tensors.
    """
    slots: list[TensorSlot] = []
    for i, argument in enumerate(arguments):
        name = f" ({argument.name})" if kind not in argument.name else ""
        what = f"{kind} {i}{name} of {function}"
        for leaf in leaves(argument.type):
            if not isinstance(leaf, TensorType) or not has_storage(leaf):
                raise ArgumentTypeError(f"{what} has type {leaf}, which no array holds")
            shape = shapes[len(slots)] if shapes else None
            is_plain = shape is None or shape.layout is None or shape.layout.is_default
            slots.append(TensorSlot(what, argument.name, leaf, None if is_plain else shape))
    return slots


def leaves(value_type: Type) -> Iterator[Type]:
    """A type, or the element types of a tuple type, without tokens."""
    match value_type:
        case TupleType():
            for member in value_type.types:
                yield from leaves(member)
        case TokenType():
            return
        case _:
            yield value_type


def assemble_value(value_type: Type, arrays: Iterator[Array]) -> object:
    """The value of a type, from the arrays for its leaves."""
    match value_type:
        case TupleType():
            return tuple(assemble_value(member, arrays) for member in value_type.types)
        case TokenType():
            return None
        case _:
            return next(arrays)


def tensors_of(value: Any) -> Iterator[Array]:
    """The arrays in a value: the value itself, or those inside a tuple."""
    match value:
        case None:
            return
        case tuple():
            for member in value:  # pyright: ignore[reportUnknownVariableType] of results
                yield from tensors_of(member)
        case _:
            yield value
