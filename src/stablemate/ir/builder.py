"""Creates operations, inferring their result types."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from stablemate.diagnostics.source import Span
from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.ir.definition import (
    SEGMENT_SIZES,
    AttributeField,
    OperationDefinition,
    definition_of,
    inferred_types,
)
from stablemate.ir.locations import UNKNOWN, Location
from stablemate.ir.types import Attribute, Type

OpT = TypeVar("OpT", bound=Operation)


def create(
    cls: type[OpT],
    *,
    results: Sequence[Type] | None = None,
    regions: Sequence[Region] = (),
    discardable: Mapping[str, Attribute] | None = None,
    location: Location = UNKNOWN,
    span: Span | None = None,
    **fields: object,
) -> OpT:
    """A new operation that is in no block.

    Args:
        cls: Its class.
        results: Its result types; inferred if not given.
        regions: Its regions.
        discardable: Attributes that its definition does not declare.
        location: Its source location as the producer recorded it.
        span: Its place in the text.
        **fields: By the names of the definition: a Value for an operand, a sequence of them for a
            variadic one, a Python value (or the Attribute itself) for an attribute. None and
            attributes left out are absent.

    Raises:
        TypeError: A name that the definition does not have, or result types that neither the
            caller nor the operands determine.
    """
    definition = definition_of(cls)
    operands, sizes = operands_of(definition, fields)
    attributes = dict(definition.filled) | {
        name: to_attribute(definition.attributes[name], value)
        for name, value in fields.items()
        if name in definition.attributes and value is not None
    }
    unknown = fields.keys() - definition.attributes.keys() - {f.name for f in definition.operands}
    if unknown:
        raise TypeError(f"{definition.name} has no operand or attribute {min(unknown)!r}")
    if definition.segments == "sized":
        attributes[SEGMENT_SIZES] = definition.sizes_attribute(sizes)
    operation = cls(
        operands,
        results or (),
        attributes,
        regions,
        discardable=discardable,
        location=location,
        span=span,
    )
    if results is None:
        inferred = inferred_types(operation)
        if inferred is None and definition.results:
            raise TypeError(f"{definition.name} needs its result types")
        operation.set_result_types(inferred or ())
    return operation


def operands_of(
    definition: OperationDefinition, fields: Mapping[str, object]
) -> tuple[list[Value], list[int]]:
    """All operands in order, and how many each field takes."""
    operands: list[Value] = []
    sizes: list[int] = []
    for field in definition.operands:
        argument: object = fields.get(field.name)
        values = operand_tuple(argument)
        operands += values
        sizes.append(len(values))
    return operands, sizes


def operand_tuple(argument: object) -> tuple[Value, ...]:
    """The values for an operand field, from None, a value or a sequence of values."""
    if argument is None:
        return ()
    values: Any = [argument] if isinstance(argument, Value) else argument
    return tuple(values)


def to_attribute(field: AttributeField[object], value: object) -> Attribute:
    """The attribute of a Python value; an attribute is itself."""
    if isinstance(value, Attribute) and field.kind.accepts(value):
        return value
    return field.kind.attribute(value)


class Builder:
    """Appends operations to a block, all at one location."""

    def __init__(
        self, block: Block, location: Location = UNKNOWN, span: Span | None = None
    ) -> None:
        self.block = block
        self.location = location
        self.span = span

    def at(self, operation: Operation) -> Builder:
        """A builder at the end of the same block, for the replacement of an operation."""
        return Builder(self.block, operation.location, operation.span)

    def create(self, cls: type[OpT], **fields: object) -> OpT:
        """Creates an operation (see ``create``) at the end of the block."""
        arguments: dict[str, Any] = {"location": self.location, "span": self.span, **fields}
        operation = create(cls, **arguments)
        self.block.append(operation)
        return operation

    def region(self, argument_types: Sequence[Type], body: Callable[..., None]) -> Region:
        """A region of one block; ``body(builder, *arguments)`` fills it."""
        block = Block(argument_types)
        body(Builder(block, self.location, self.span), *block.arguments)
        return Region([block])
