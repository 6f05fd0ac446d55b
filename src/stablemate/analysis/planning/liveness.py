"""Liveness: the memory of a program whose operations run one by one, in order.

Each value has a buffer of its own from the operation that makes it to the last one that uses it.
What only gives a value another shape or name shares its buffer. The caller keeps arguments; a loop
takes over what is used no more, and its state has one buffer at a time. Constants are there from
the start. On the pieces of a manual computation, a process holds its own pieces only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final, NamedTuple

from stablemate.analysis.contents import line_of, literal_of
from stablemate.analysis.cost import bytes_of, functions_called, is_free, is_sized
from stablemate.analysis.operation_identity import producer_place
from stablemate.analysis.planning.buffers import Peak, PlannedBuffer, largest_first
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.calls import CALLS
from stablemate.dialects.func import FuncOp
from stablemate.dialects.sdy.computations import ManualComputation
from stablemate.dialects.stablehlo.while_ import While
from stablemate.formats.mlir.names import Namer
from stablemate.ir.core import Block, BlockArgument, Module, Operation, OpResult, Value
from stablemate.ir.definition import has_trait
from stablemate.ir.traits import Trait
from stablemate.ir.types import FutureType, Type

CONSTANTS: Final = frozenset({"stablehlo.constant", "chlo.constant"})
# What shares the buffers of its operands.
SAME_BUFFER: Final = frozenset(
    f"stablehlo.{name}"
    for name in ("reshape", "optimization_barrier", "tuple", "get_tuple_element", "async_done")
)


@dataclass(frozen=True, slots=True)
class PeakExtent:
    """The most that something holds.

    Attributes:
        bytes: The bytes of all values.
        values: The values, but for those inside.
        operation: The operation that runs then.
        inside: What that operation holds inside of it.
    """

    bytes: int = 0
    values: Sequence[Value] = ()
    operation: Operation | None = None
    inside: PeakExtent | None = None

    def all_values(self) -> Iterator[Value[Type]]:
        """Yields the values that are alive at the peak, those of outer blocks first."""
        extent: PeakExtent | None = self
        while extent is not None:
            yield from extent.values
            extent = extent.inside


class ModuleLiveness:
    """The values that functions of a module hold.

    Attributes:
        functions: The functions by name.
        extents: What calls of those that are known hold, arguments aside.
        pieces: The types of what a process holds in place of whole values.
    """

    def __init__(self, module: Module, functions: Mapping[str, FuncOp]) -> None:
        self.module = module
        self.functions = functions
        self.extents: dict[str, PeakExtent] = {}
        self.inner: dict[Operation, PeakExtent] = {}
        self.constants: dict[Operation, int] = {}
        self.unsized: set[Value[Type]] = set()
        self.pieces: dict[Value[Type], Type] = {}
        for operation in module.operation.walk():
            if isinstance(operation, ManualComputation):
                block = operation.body.block
                argument_types = (argument.type for argument in block.arguments)
                returned_types = (value.type for value in block.terminator.operands)
                self.pieces.update(zip(operation.operands, argument_types, strict=True))
                self.pieces.update(zip(operation.results, returned_types, strict=True))

    def peak(self, name: str) -> Peak:
        """The most memory of a call of a function, with arguments and constants."""
        extent = self.function(name)
        arguments = self.functions[name].body.block.arguments
        names = Namer(self.module.operation).names
        buffers = [self.buffer(argument, names) for argument in (*arguments, *extent.all_values())]
        for operation, size in self.constants.items():
            (result,) = operation.results
            buffers.append(replace(self.buffer(result, names), bytes=size, operation="constant"))
        last = extent.operation
        return Peak(
            "program",
            sum(buffer.bytes for buffer in buffers),
            largest_first(buffers),
            last.name if last else "",
            line_of(last) if last else None,
            unsized=len(self.unsized),
        )

    def buffer(self, value: Value[Type], names: Mapping[Value[Type], str]) -> PlannedBuffer:
        """The buffer of a value."""
        maker = value.operation if isinstance(value, OpResult) else None
        if isinstance(value, BlockArgument):
            parent = value.block.parent.parent if value.block.parent else None
            maker = None if isinstance(parent, FuncOp) else parent
        kind = maker.name if maker else "argument"
        line = line_of(maker) if maker else None
        file = producer_place(maker) if maker and line is None else ""
        value_type = self.piece_type(value)
        name = names.get(value, "%")
        return PlannedBuffer(name, str(value_type), self.size(value), kind, line, file)

    def piece_type(self, value: Value[Type]) -> Type:
        """The type of what a process holds of a value."""
        own: Type = value.type
        return self.pieces.get(value, own)

    def size(self, value: Value) -> int:
        """The bytes of a value."""
        value_type = self.piece_type(value)
        if isinstance(value_type, FutureType):
            return sum(map(bytes_of, value_type.types))
        if not is_sized(value_type):
            self.unsized.add(value)
        return bytes_of(value_type)

    def function(self, name: str) -> PeakExtent:
        """The peak of a call, arguments aside; a recursive call in it holds nothing."""
        for callee in functions_called(self.functions, [name]):
            if callee not in self.extents:
                block = self.functions[callee].body.block
                self.extents[callee] = LiveBlock(self, block, kept=block.arguments).extent()
        return self.extents[name]

    def inside(self, operation: Operation) -> PeakExtent:
        """The most that an operation holds inside of it."""
        if operation.name in CALLS:
            callee: str = getattr(operation, CALLS[operation.name])
            return self.extents.get(callee, PeakExtent())
        if not has_trait(operation, Trait.STRUCTURED):
            return PeakExtent()
        if operation not in self.inner:
            blocks = [block for region in operation.regions for block in region.blocks]
            own = takes_over(operation)
            scopes = [
                LiveBlock(self, block, kept=() if own else block.arguments) for block in blocks
            ]
            extents = [scope.extent() for scope in scopes]
            self.inner[operation] = max(
                extents, key=lambda extent: extent.bytes, default=PeakExtent()
            )
        return self.inner[operation]


def takes_over(operation: Operation) -> bool:
    """Whether the operands of an operation become its state, where nothing else uses them."""
    return isinstance(operation, While)


class Moment(NamedTuple):
    """The values that are live in a block while one of its operations runs.

    Attributes:
        bytes: The bytes of values outside of the operation.
        values: Which they are.
        inner: What the operation holds inside.
    """

    bytes: int
    values: Iterable[Value]
    inner: PeakExtent


class LiveBlock:
    """A block that runs from the top to the end.

    Attributes:
        shared: Values without buffers of their own, and the values in whose buffers they are; none
            for those that are held elsewhere.
        dying: The values that no operation after one uses, by the number of that operation.
    """

    def __init__(self, liveness: ModuleLiveness, block: Block, kept: Sequence[Value[Type]]) -> None:
        """A block, with arguments that the caller keeps alive."""
        self.liveness = liveness
        self.block = block
        self.operations = list(block.operations)
        self.shared: dict[Value[Type], Sequence[Value[Type]]] = dict.fromkeys(kept, ())
        last: dict[Value[Type], int] = dict.fromkeys(block.arguments, 0)
        for i, operation in enumerate(self.operations):
            self.record_aliases(operation)
            last.update(dict.fromkeys([*operation.results, *used_values(operation)], i))
        for value, others in reversed(self.shared.items()):
            last.update((other, max(last[other], last[value])) for other in others)
        self.dying: dict[int, list[Value[Type]]] = {}
        for value, number in last.items():
            if value not in self.shared:
                self.dying.setdefault(number, []).append(value)

    def record_aliases(self, operation: Operation) -> None:
        """Records which values share buffers, and which are constants."""
        results = operation.results
        if operation.name in CONSTANTS:
            literal = literal_of(operation)
            self.liveness.constants[operation] = literal.bytes if literal else 0
            self.shared.update(dict.fromkeys(results, ()))
            return
        is_shared = operation.name in SAME_BUFFER
        if (is_shared or is_annotation(operation)) and len(results) == len(operation.operands):
            pairs = zip(results, operation.operands, strict=True)
            self.shared.update((result, (operand,)) for result, operand in pairs)
        elif is_shared:
            self.shared.update(dict.fromkeys(results, operation.operands))

    def extent(self) -> PeakExtent:
        """The most that it holds."""
        sizes = [moment.bytes + moment.inner.bytes for moment in self.moments()]
        if not sizes:
            return PeakExtent()
        number = max(range(len(sizes)), key=sizes.__getitem__)
        moment = next(islice(self.moments(), number, None))
        operation = moment.inner.operation or self.operations[number]
        return PeakExtent(sizes[number], tuple(moment.values), operation, moment.inner)

    def moments(self) -> Iterator[Moment]:
        """The live bytes and values at each operation."""
        size = self.liveness.size
        live: dict[Value[Type], int] = {}
        live.update(
            (argument, size(argument))
            for argument in self.block.arguments
            if argument not in self.shared
        )
        total = sum(live.values())
        for i, operation in enumerate(self.operations):
            live_bytes: dict[Value[Type], int] = {}
            live_bytes.update(
                (result, size(result)) for result in operation.results if result not in self.shared
            )
            if takes_over(operation):
                for value in self.dying.get(i, ()):
                    total -= live.pop(value, 0)
            inner = self.liveness.inside(operation)
            is_inside = inner.bytes >= max(1, sum(live_bytes.values()))
            if is_inside:
                yield Moment(total, live, inner)
            live.update(live_bytes)
            total += sum(live_bytes.values())
            if not is_inside:
                yield Moment(total, live, PeakExtent())
            for value in self.dying.get(i, ()):
                total -= live.pop(value, 0)


def used_values(operation: Operation) -> Iterator[Value[Type]]:
    """The values that an operation uses, in its regions too."""
    if not operation.regions:
        yield from operation.operands
        return
    for nested in operation.walk():
        yield from nested.operands


def is_annotation(operation: Operation) -> bool:
    """Whether an operation annotates its operands and returns them."""
    return operation.name not in SAME_BUFFER and is_free(operation)
