"""Builds kernels with the values they receive; the registry of builders by operation."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Final

from stablemate.compiler.config.machine import Machine
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, Expressions
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Kernel, Statement, TileShape
from stablemate.compiler.lowering.elements import KernelElements, buffer_of, splat_of
from stablemate.compiler.schedule.schedule import LoopDimension, LoopScheduler
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.elements import Array


@dataclass(eq=False, slots=True)
class Scratch:
    """Memory that the kernels of one operation share.

    Attributes:
        bytes: How much.
    """

    bytes: int


@dataclass(eq=False, slots=True)
class ConstantTable:
    """Numbers that a kernel needs and the program does not have.

    Attributes:
        data: The numbers.
    """

    data: Array


@dataclass(frozen=True, slots=True)
class BuiltKernel:
    """A kernel that is to be launched.

    Attributes:
        kernel: The kernel.
        handed: What its arguments are, in order.
        moves: The operand and the result that this only copies to it, byte for byte: nothing is to
            be launched where both have the same memory.
    """

    kernel: Kernel
    handed: Sequence[Tensor | Scratch | ConstantTable]
    moves: tuple[Tensor, Tensor] | None = None


class KernelBuilder:
    """Builds one kernel of an operation: its expressions, elements and loops.

    Attributes:
        table: Makes expressions.
        elements: Elements of operands, loaded or computed.
        scheduler: Chooses loops.
        inputs: The values in memory that operands are computed from.
    """

    def __init__(
        self,
        operands: Sequence[Tensor],
        kept: Container[Tensor],
        vector_bytes: int,
        computed: Container[Tensor] = (),
    ) -> None:
        """Everything for a kernel that needs operands.

        Args:
            operands: What it computes from.
            kept: The values in memory.
            vector_bytes: The width of vectors.
            computed: The values that it computes itself.
        """
        self.table = Expressions()
        self.inputs = values_in_memory(operands, kept, computed)
        self.buffers = {tensor: buffer_of(tensor, f"x{i}") for i, tensor in enumerate(self.inputs)}
        self.elements = KernelElements(self.table, self.buffers)
        self.scheduler = LoopScheduler(self.table, vector_bytes)
        self.views: dict[Tensor, Buffer] = {}  # the same memory, as elements of another type

    def view(self, buffer: Buffer, element: str) -> Buffer:
        """The memory of a value as wider elements."""
        tensor = next(
            tensor for tensor, tensor_buffer in self.buffers.items() if tensor_buffer is buffer
        )
        shape = (buffer.bytes // BYTES[element],)
        view = self.views.setdefault(tensor, Buffer(f"{buffer.name}w", element, shape))
        assert view.type == element, "there is one view of a value"
        return view

    def dimensions(self, sizes: Sequence[int]) -> tuple[list[Expression], list[LoopDimension]]:
        """Indices for a shape, and the loops that they need: none where the size is 1."""
        loops = [LoopDimension(self.scheduler.index(size), size) for size in sizes]
        zero = self.table.sum(0, ())
        indices = [loop.index if loop.extent > 1 else zero for loop in loops]
        return indices, [loop for loop in loops if loop.extent > 1]

    def build_kernel(
        self,
        name: str,
        body: Sequence[Statement],
        computed: Sequence[tuple[Tensor | Scratch | ConstantTable, Buffer]],
        local_buffers: Sequence[Buffer] = (),
        tiles: Sequence[TileShape] = (),
    ) -> BuiltKernel:
        """The kernel with these statements.

        Args:
            name: What it is called.
            body: What it does.
            computed: The values that it writes, and memory that it receives, with their buffers.
            local_buffers: Buffers in registers and on the stack.
            tiles: The shapes of the tile registers.
        """
        memory = [
            *zip(self.inputs, self.buffers.values(), strict=True),
            *self.views.items(),
            *computed,
        ]
        kernel = Kernel(name, [buffer for _, buffer in memory], body, local_buffers, tiles)
        return BuiltKernel(kernel, [value for value, _ in memory])


BuilderTo = Callable[[Node, Tensor, Container[Tensor], Machine, str], Sequence[BuiltKernel]]
Builder = Callable[[Node, Container[Tensor], Machine, str], Sequence[BuiltKernel]]


@dataclass(frozen=True, slots=True)
class BuilderEntry:
    """How an operation becomes kernels.

    Attributes:
        build: The kernels, in the order of their launches.
        admits: Whether it knows such a node.
        inlines: Whether operands may be computed where they are read.
        updates: Whether results are the first operands, changed: they may take their memory.
        builds_to: The kernels for the result and what is computed from it element by element, of
            which only that is stored; None if there is no such thing.
    """

    build: Builder
    admits: Callable[[Node], bool]
    inlines: bool
    updates: bool
    builds_to: BuilderTo | None = None


BUILDERS: Final[dict[str, BuilderEntry]] = {}


def register_builder(
    *names: str,
    admits: Callable[[Node], bool],
    inlines: bool = False,
    updates: bool = False,
    builds_to: BuilderTo | None = None,
) -> Callable[[Builder], Builder]:
    """Registers how an operation becomes kernels."""

    def register(build: Builder) -> Builder:
        for name in names:
            assert name not in BUILDERS, name
            BUILDERS[name] = BuilderEntry(build, admits, inlines, updates, builds_to)
        return build

    return register


def values_in_memory(
    operands: Sequence[Tensor], kept: Container[Tensor], computed: Container[Tensor] = ()
) -> list[Tensor]:
    """The values in memory that operands are computed from, in order, without intermediate ones."""
    tensors: dict[Tensor, None] = {}
    seen: set[Tensor] = set()
    pending = list(reversed(operands))
    while pending:
        tensor = pending.pop()
        if tensor in seen or tensor in computed:
            continue
        seen.add(tensor)
        maker = tensor.node
        if maker is not None and splat_of(maker) is not None:
            continue
        if tensor in kept or maker is None:
            tensors[tensor] = None
        else:
            pending += reversed(maker.operands)
    return list(tensors)
