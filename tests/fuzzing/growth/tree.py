"""Programs as plain trees of text, which grow to a megabyte faster than anything reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from stablemate.ir.core import Block, Operation

FUNCTION: Final = "func.func"


@dataclass(eq=False, slots=True)
class Value:
    """A value.

    Attributes:
        type: Its type as text.
    """

    type: str


@dataclass(eq=False, slots=True)
class BlockTree:
    """A block: its arguments and operations."""

    arguments: list[Value] = field(default_factory=list[Value])
    operations: list[OperationTree] = field(default_factory=list["OperationTree"])


@dataclass(eq=False, slots=True)
class OperationTree:
    """An operation, whose attributes and types are text.

    Attributes:
        name: Its name.
        operands: The values it takes.
        results: The values it gives.
        attributes: Its properties.
        discardable: Its other attributes.
        regions: The blocks of each region.
        successors: The blocks it jumps to.
        location: Its location; none if it is empty.
    """

    name: str
    operands: list[Value] = field(default_factory=list[Value])
    results: list[Value] = field(default_factory=list[Value])
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    discardable: dict[str, str] = field(default_factory=dict[str, str])
    regions: list[list[BlockTree]] = field(default_factory=list[list[BlockTree]])
    successors: list[BlockTree] = field(default_factory=list[BlockTree])
    location: str = ""

    def blocks(self) -> Iterator[BlockTree]:
        """The blocks of all regions."""
        return (block for region in self.regions for block in region)

    def walk(self) -> Iterator[OperationTree]:
        """This operation and all inside it."""
        pending = [self]
        while pending:
            operation = pending.pop()
            yield operation
            for block in operation.blocks():
                pending += reversed(block.operations)


def tree_of(operation: Operation, known: dict[Any, Any]) -> OperationTree:
    """The tree of an operation of an example.

    Args:
        operation: The operation.
        known: The values and blocks that have a tree already, and receives those of this one.
    """
    for region in operation.regions:
        for block in region.blocks:
            known[block] = BlockTree([value_of(value, known) for value in block.arguments])
    regions = [[block_of(block, known) for block in region.blocks] for region in operation.regions]
    return OperationTree(
        operation.name,
        [value_of(value, known) for value in operation.operands],
        [value_of(value, known) for value in operation.results],
        {name: str(attribute) for name, attribute in operation.attributes.items()},
        {name: str(attribute) for name, attribute in operation.discardable.items()},
        regions,
        [known[block] for block in operation.successors],
    )


def value_of(value: Any, known: dict[Any, Any]) -> Value:
    """The tree of a value."""
    if value not in known:
        known[value] = Value(str(value.type))
    found: Value = known[value]
    return found


def block_of(block: Block, known: dict[Any, Any]) -> BlockTree:
    """The tree of a block, whose arguments are known."""
    tree: BlockTree = known[block]
    tree.operations += [tree_of(operation, known) for operation in block.operations]
    return tree


def copied(operation: OperationTree, known: dict[Any, Any] | None = None) -> OperationTree:
    """A copy of an operation; values from outside are shared with the original."""
    known = {} if known is None else known

    def value(original: Value) -> Value:
        return known.get(original, original)

    for block in operation.blocks():
        known[block] = BlockTree([known.setdefault(v, Value(v.type)) for v in block.arguments])
    for block in operation.blocks():
        known[block].operations += [copied(inner, known) for inner in block.operations]
    return OperationTree(
        operation.name,
        [value(operand) for operand in operation.operands],
        [known.setdefault(result, Value(result.type)) for result in operation.results],
        dict(operation.attributes),
        dict(operation.discardable),
        [[known[block] for block in region] for region in operation.regions],
        [known.get(block, block) for block in operation.successors],
        operation.location,
    )


class Writer:
    """Writes operations in the generic form, in time linear in the text.

    Attributes:
        names: The names of values; a result of several is a pair of name and number.
        stem: What names of values begin with.
    """

    def __init__(self, stem: str = "v") -> None:
        self.stem = stem
        self.names: dict[Value, str] = {}
        self.labels: dict[BlockTree, str] = {}
        self.pieces: list[str] = []

    def text(self, operations: Sequence[OperationTree]) -> str:
        """The text of operations, one after the other."""
        pending: list[Any] = list(reversed(operations))
        while pending:
            item = pending.pop()
            if isinstance(item, str):
                self.pieces.append(item)
            else:
                pending += reversed(self.parts(item))
        return "".join(self.pieces)

    def parts(self, item: OperationTree | BlockTree) -> list[Any]:
        """The pieces of an operation or block: text, and what is inside."""
        return self.block_parts(item) if isinstance(item, BlockTree) else self.operation_parts(item)

    def block_parts(self, block: BlockTree) -> list[Any]:
        """The pieces of a block."""
        arguments = ", ".join(f"{self.named(value)}: {value.type}" for value in block.arguments)
        head = f"{self.label(block)}({arguments}):\n" if arguments else f"{self.label(block)}:\n"
        return [head, *block.operations]

    def operation_parts(self, operation: OperationTree) -> list[Any]:
        """The pieces of an operation."""
        parts: list[Any] = [self.head(operation)]
        for number, region in enumerate(operation.regions):
            parts += [", {\n" if number else " ({\n", *region, "}"]
        if operation.regions:
            parts.append(")")
        return [*parts, self.tail(operation)]

    def head(self, operation: OperationTree) -> str:
        """What is written before the regions."""
        left = self.left(operation.results)
        operands = ", ".join(map(self.named, operation.operands))
        jumps = ", ".join(map(self.label, operation.successors))
        attributes = dict(operation.attributes)
        if operation.name == FUNCTION:
            attributes["function_type"] = function_type(operation)
        properties = f" <{{{written(attributes)}}}>" if attributes else ""
        return f'{left}"{operation.name}"({operands}){f"[{jumps}]" if jumps else ""}{properties}'

    def tail(self, operation: OperationTree) -> str:
        """What is written after the regions."""
        attributes = f" {{{written(operation.discardable)}}}" if operation.discardable else ""
        operands = ", ".join(value.type for value in operation.operands)
        results = ", ".join(value.type for value in operation.results)
        location = f" loc({operation.location})" if operation.location else ""
        return f"{attributes} : ({operands}) -> ({results}){location}\n"

    def left(self, results: Sequence[Value]) -> str:
        """The names of results, and the sign between them and the operation."""
        if not results:
            return ""
        name = f"%{self.stem}{len(self.names)}"
        if len(results) == 1:
            self.names[results[0]] = name
            return f"{name} = "
        self.names.update((value, f"{name}#{i}") for i, value in enumerate(results))
        return f"{name}:{len(results)} = "

    def named(self, value: Value) -> str:
        """The name of a value."""
        return self.names.setdefault(value, f"%{self.stem}{len(self.names)}")

    def label(self, block: BlockTree) -> str:
        """The name of a block."""
        return self.labels.setdefault(block, f"^b{len(self.labels)}")


def written(attributes: Mapping[str, str]) -> str:
    """Attributes as a dictionary, without the brackets."""
    return ", ".join(
        key if value == "unit" else f"{key} = {value}" for key, value in attributes.items()
    )


def function_type(function: OperationTree) -> str:
    """The type of a function that follows from its body; declarations have their own."""
    if not function.regions or not function.regions[0]:
        return function.attributes["function_type"]
    entry, last = function.regions[0][0], function.regions[0][-1]
    inputs = ", ".join(value.type for value in entry.arguments)
    operands = last.operations[-1].operands if last.operations else []
    return f"({inputs}) -> ({', '.join(value.type for value in operands)})"
