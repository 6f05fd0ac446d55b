"""The one IR: values, operations, blocks, regions, modules.

Types and attributes are immutable and compared by value; values and operations are mutable and
compared by identity. Existing IR is changed only through the rewriter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.source import Source, Span
from stablemate.ir.locations import UNKNOWN, Location
from stablemate.ir.types import Attribute, Type
from stablemate.numerics.elements import Array

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    # ``Value`` is a value of any type, ``Value[TensorType]`` one whose type is known to the reader.
    TypeT_co = TypeVar("TypeT_co", covariant=True, default=Any)
else:
    from typing import TypeVar

    TypeT_co = TypeVar("TypeT_co", covariant=True)


class Definition(Protocol):
    """The interface of a definition (``definition.OperationDefinition``) for the IR."""

    @property
    def name(self) -> str:
        """The full name of the operation, ``dialect.op``."""
        ...

    @property
    def terminator(self) -> bool:
        """Whether it ends a block."""
        ...

    @property
    def isolated(self) -> bool:
        """Whether its regions see no value from outside."""
        ...

    @property
    def effects(self) -> bool:
        """Whether it does more than compute results."""
        ...


class Value(Generic[TypeT_co]):
    """A value: the result of an operation, or the argument of a block."""

    __slots__ = ("type",)

    def __init__(self, value_type: TypeT_co) -> None:
        self.type = value_type


class OpResult(Value[TypeT_co]):
    """Result number ``index`` of ``operation``."""

    __slots__ = ("index", "operation")

    def __init__(self, operation: Operation, index: int, value_type: TypeT_co) -> None:
        self.type = value_type
        self.operation = operation
        self.index = index


class BlockArgument(Value[TypeT_co]):
    """Argument number ``index`` of ``block``."""

    __slots__ = ("block", "index", "location")

    def __init__(
        self, block: Block, index: int, value_type: TypeT_co, location: Location = UNKNOWN
    ) -> None:
        self.type = value_type
        self.block = block
        self.index = index
        self.location = location


def is_runtime_copy(value: Value) -> bool:
    """Whether this is a copy of a value that has the shape known at run time."""
    match value:
        case OpResult():
            return value.operation.results[value.index] is not value
        case BlockArgument():
            return value.block.arguments[value.index] is not value
        case _:
            return True


class Operation:
    """One operation. Its class, decorated with ``@op``, defines what is valid.

    Attributes:
        name: The full name, ``dialect.op``; that of its definition.
        operands: The values it takes, in the order of the definition.
        results: The values it produces.
        attributes: The attributes that its definition declares, by name, where they are present.
        discardable: All other attributes; they never change what it computes.
        regions: Its regions.
        successors: Blocks it may jump to.
        parent: The block that contains it.
        location: Its source location as the producer recorded it.
        span: Its name in the text it was read from.
        parts: Character ranges of its operands, attributes and types in that text, by name.
    """

    __slots__ = (
        "attributes",
        "discardable",
        "location",
        "operands",
        "parent",
        "parts",
        "regions",
        "results",
        "span",
        "successors",
    )
    definition: ClassVar[Definition]
    name: str

    def __init__(
        self,
        operands: Sequence[Value] = (),
        result_types: Sequence[Type] = (),
        attributes: Mapping[str, Attribute] | None = None,
        regions: Sequence[Region] = (),
        *,
        discardable: Mapping[str, Attribute] | None = None,
        successors: Sequence[Block] = (),
        location: Location = UNKNOWN,
        span: Span | None = None,
        parts: Mapping[str, tuple[int, int]] | None = None,
    ) -> None:
        self.operands = tuple(operands)
        self.attributes: dict[str, Attribute] = dict(attributes) if attributes else {}
        self.discardable: dict[str, Attribute] = dict(discardable) if discardable else {}
        self.regions = tuple(regions)
        self.successors = tuple(successors)
        self.location = location
        self.span = span
        self.parts = parts
        self.parent: Block | None = None
        self.results: tuple[OpResult, ...] = ()
        self.set_result_types(result_types)
        for region in self.regions:
            region.parent = self

    def set_result_types(self, result_types: Sequence[Type]) -> None:
        """Replaces the results by new ones of these types."""
        self.results = tuple(
            [OpResult(self, i, result_type) for i, result_type in enumerate(result_types)]
        )

    def clone(
        self, operands: tuple[Value, ...], location: Location, span: Span | None
    ) -> Operation:
        """A copy of an operation without regions, on other operands and in another place."""
        copy = object.__new__(type(self))
        copy.operands = operands
        copy.attributes = self.attributes.copy()
        copy.discardable = self.discardable.copy()
        copy.regions = ()
        copy.successors = self.successors
        copy.location = location
        copy.span = span
        copy.parts = None
        copy.parent = None
        copy.results = tuple([OpResult(copy, old.index, old.type) for old in self.results])
        return copy

    def part(self, name: str) -> Span | None:
        """The span of an operand, attribute or type; that of the operation's name if unknown."""
        if self.span is None or not self.parts or name not in self.parts:
            return self.span
        return Span(self.span.source, *self.parts[name])

    def parent_operation(self) -> Operation | None:
        """The operation whose region holds this one."""
        return self.parent.parent.parent if self.parent and self.parent.parent else None

    def walk(self) -> Iterator[Operation]:
        """This operation and all inside it, outermost first, in order of the text."""
        pending: list[Operation] = [self]
        while pending:
            operation = pending.pop()
            yield operation
            for region in reversed(operation.regions):
                for block in reversed(region.blocks):
                    pending += reversed(block.operations)

    def __repr__(self) -> str:
        operands = ", ".join(str(value.type) for value in self.operands)
        results = ", ".join(str(value.type) for value in self.results)
        return f"<{self.name} ({operands}) -> ({results})>"


class Block:
    """A sequence of operations, the last of which is a terminator."""

    __slots__ = ("arguments", "operations", "parent")

    def __init__(
        self, argument_types: Sequence[Type] = (), locations: Sequence[Location] = ()
    ) -> None:
        self.parent: Region | None = None
        self.operations: list[Operation] = []
        self.arguments: tuple[BlockArgument, ...] = ()
        self.set_arguments(argument_types, locations)

    def set_arguments(
        self, argument_types: Sequence[Type], locations: Sequence[Location] = ()
    ) -> None:
        """Replaces the arguments by new ones of these types."""
        places = locations or (UNKNOWN,) * len(argument_types)
        self.arguments = tuple(
            BlockArgument(self, i, argument_type, place)
            for i, (argument_type, place) in enumerate(zip(argument_types, places, strict=True))
        )

    def add_argument(self, argument_type: Type, location: Location = UNKNOWN) -> BlockArgument:
        """Adds an argument after the others, and returns it."""
        argument = BlockArgument(self, len(self.arguments), argument_type, location)
        self.arguments = (*self.arguments, argument)
        return argument

    def append(self, operation: Operation) -> None:
        """Adds an operation at the end."""
        operation.parent = self
        self.operations.append(operation)

    @property
    def terminator(self) -> Operation:
        """The last operation; the verifier has checked that there is one."""
        return self.operations[-1]


class Region:
    """Blocks that belong to an operation; the first one is the entry."""

    __slots__ = ("blocks", "parent")

    def __init__(self, blocks: Sequence[Block] = ()) -> None:
        self.parent: Operation | None = None
        self.blocks: list[Block] = []
        for block in blocks:
            self.append(block)

    def append(self, block: Block) -> None:
        """Adds a block at the end."""
        block.parent = self
        self.blocks.append(block)

    @property
    def block(self) -> Block:
        """The entry block, the only one of a structured region."""
        return self.blocks[0]


@dataclass(frozen=True, slots=True)
class Resource:
    """A blob of the resource section: raw little-endian data, aligned when it was written."""

    data: Array = field(repr=False)
    alignment: int = 4


class UseOrder(NamedTuple):
    """The order in which a producer kept the uses of a value, where it is not that of the text.

    Attributes:
        numbers: New positions of the uses; with ``pairs``, old and new ones of those that move.
        pairs: Whether ``numbers`` holds (old, new) pairs.
    """

    numbers: tuple[int, ...]
    pairs: bool = False


@dataclass(eq=False, slots=True)
class BytecodeOrigin:
    """Facts that a bytecode file records besides the program.

    Attributes:
        version: The version of the format.
        producer: Who wrote it, e.g. ``StableHLO_v1.15.0``.
        dialect_versions: The version that each dialect recorded, as its raw bytes.
        unregistered: Operations that the writer had no definition of.
        use_orders: Values whose uses are not in the order of the text.
        extended: Operations whose properties held fields that older readers do not know.
    """

    version: int
    producer: str
    dialect_versions: dict[str, bytes] = field(default_factory=dict[str, bytes])
    unregistered: set[str] = field(default_factory=set[str])
    use_orders: dict[Value, UseOrder] = field(default_factory=dict[Value, UseOrder])
    extended: set[str] = field(default_factory=set[str])


@dataclass(eq=False, slots=True)
class Module:
    """A program: a ``builtin.module`` operation and the resources that its constants name.

    Attributes:
        operation: The top-level operation.
        resources: Blobs by key, for ``dense_resource`` attributes.
        external_resources: Further entries of the resource section, kept as they are.
        source: What it was read from.
        version: Advances with every rewrite, so that caches see it.
        origin: Facts from the bytecode file that it was read from; None for other sources.
        translated: Operations that were read as operations of other dialects, with their names.
    """

    operation: Operation
    resources: dict[str, Resource] = field(default_factory=dict[str, Resource])
    external_resources: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    source: Source | None = None
    version: int = 0
    origin: BytecodeOrigin | None = None
    translated: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def body(self) -> Block:
        """The block that holds functions and nested modules."""
        return self.operation.regions[0].block

    def with_operation(self, operation: Operation) -> Module:
        """The module after a rewrite: another top-level operation, the next version number."""
        return Module(
            operation, self.resources, self.external_resources, self.source, self.version + 1
        )
