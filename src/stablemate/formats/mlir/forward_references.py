"""Uses of values that the text defines later: in another block, or in a graph region.

Source: MLIR language reference, "Control Flow and SSACFG Regions" and "Graph Regions".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.core import Operation, Value


class ForwardReference(Value):
    """Stands for a value until its definition has been read.

    Its type is None until a use declares it.

    Attributes:
        name: The name of the value.
        place: Its first use.
        notes: The notes of the error if it has no definition.
    """

    __slots__ = ("name", "notes", "place")

    def __init__(self, name: str, place: tuple[int, int]) -> None:
        super().__init__(None)
        self.name = name
        self.place = place
        self.notes: list[str] = []


@dataclass(slots=True)
class ForwardReferences:
    """The forward references in one region that sees no values from outside.

    Attributes:
        pending: References whose values have not been defined, by name.
        values: The values of the others.
        users: The operations with such operands.
    """

    pending: dict[str, ForwardReference] = field(default_factory=dict[str, ForwardReference])
    values: dict[Value, Value] = field(default_factory=dict[Value, Value])
    users: list[Operation] = field(default_factory=list[Operation])

    def use(self, name: str, place: tuple[int, int]) -> ForwardReference:
        """Returns the reference to a value that is not defined yet."""
        reference = self.pending.get(name)
        if reference is None:
            reference = self.pending[name] = ForwardReference(name, place)
        return reference

    def record(self, operation: Operation) -> None:
        """Records an operation that was read, if it has such operands."""
        if (self.pending or self.values) and any(references_in(operation)):
            self.users.append(operation)

    def resolve(self) -> None:
        """Gives the operations their operands; no reference is pending."""
        values = self.values
        for operation in self.users:
            operation.operands = tuple(values.get(value, value) for value in operation.operands)


def references_in(operation: Operation) -> Iterator[ForwardReference]:
    """The operands of an operation that were not defined when it was read."""
    for value in operation.operands:
        if isinstance(value, ForwardReference):
            yield value


def has_type(value: Value, value_type: object) -> bool:
    """Whether a value has a type; a forward reference receives it."""
    if value.type is None:
        value.type = value_type
    return value.type is value_type or bool(value.type == value_type)
