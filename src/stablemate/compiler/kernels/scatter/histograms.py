"""Many single updates of a small tensor, by several threads with partial histograms.

Updates are cut into pieces, as many for any number of threads; each piece combines its own in
memory of its own, and these are combined with the tensor in order. A thread takes updates of a few
pieces in turn: where indices are sorted, one update would wait for the one before it.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from math import prod
from typing import Final

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, KernelBuilder, Scratch
from stablemate.compiler.kernels.reduction.monoids import MONOIDS
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import IDENTITIES, Loop, Statement, StoreElement
from stablemate.compiler.lowering.elements import buffer_of, element_type, represent_elements
from stablemate.compiler.lowering.elementwise import category
from stablemate.compiler.schedule.schedule import WIDE, LoopDimension, without_parallel
from stablemate.dialects.stablehlo.reducers import monoid

# ``python -m benchmarks.breadth`` measures what these trade: jnp.histogram and jax.ops.segment_sum.
MOST_PIECES: Final = 16  # with partial counts of their own, which are added in the end
FEWEST: Final = 1 << 15  # updates that are worth the work
OFTEN: Final = 8  # updates of an element by a piece, on average
IN_TURN: Final = (4, 2)  # pieces that a thread takes updates of in turn
NEAR: Final = 1 << 15  # bytes of the memory of these pieces


def combination(node: Node) -> str:
    """The monoid on registers that combines an update with an element; empty if it is none."""
    result, *others = node.results
    kind, name = represent_elements(result), monoid(node.operation.regions[0])
    if others or name is None or kind.parts > 1 or kind.storage != kind.register:
        return ""
    operator = MONOIDS[name].get(category(element_type(result)), "")
    return operator if kind.register in IDENTITIES.get(operator, {}) else ""


def partition_count(node: Node) -> int:
    """Into how many pieces the updates of a scatter are cut; 1 if they stay together."""
    shape = node.operands[-1].shape
    windows: Sequence[int] = node.operation.scatter_dimension_numbers.update_window_dims
    if any(shape[d] > 1 for d in windows) or not combination(node):
        return 1
    count, size = prod(shape), prod(node.results[0].shape)
    most = min(MOST_PIECES, count // max(OFTEN * size, 1))
    first = next((size for size in shape if size > 1), 1)
    if count < FEWEST:
        return 1
    return max((length for length in range(1, most + 1) if first % length == 0), default=1)


def pieces_in_turn(node: Node, partitions: int) -> int:
    """How many pieces each of the partitions is cut into, whose updates are made in turn."""
    shape = node.operands[-1].shape
    first = next((size for size in shape if size > 1), 1)
    result = node.results[0]
    size = prod(result.shape) * BYTES[represent_elements(result).register]
    fitting = [n for n in IN_TURN if first % (partitions * n) == 0 and n * size <= NEAR]
    return fitting[0] if fitting else 1


class PartialHistograms:
    """Builds the kernels of updates that are cut into pieces."""

    def __init__(self, node: Node, kept: Container[Tensor], vector_bytes: int) -> None:
        """Begins.

        Args:
            node: The scatter.
            kept: The values in memory.
            vector_bytes: The width of vectors.
        """
        self.node = node
        self.kept = kept
        self.vector_bytes = vector_bytes
        self.operator = combination(node)
        (self.result,) = node.results
        self.partitions = partition_count(node)
        self.in_turn = pieces_in_turn(node, self.partitions)
        self.count = self.partitions * self.in_turn
        self.type = represent_elements(self.result).register
        self.local_buffers = Buffer("own", self.type, (self.count, *self.result.shape))
        self.scratch = Scratch(self.local_buffers.bytes)

    def fill_piece(self, builder: KernelBuilder, piece: Expression) -> list[Statement]:
        """The memory of a piece before its first update."""
        identity = builder.table.bits(IDENTITIES[self.operator][self.type], self.type)
        index, loops = builder.dimensions(self.result.shape)
        store = StoreElement(
            self.local_buffers,
            builder.table.place(self.local_buffers, (piece, *index)),
            identity,
        )
        return [
            without_parallel(statement)
            for statement in builder.scheduler.elementwise(loops, [store])
        ]

    def split(
        self, builder: KernelBuilder, partition: Expression, loops: list[LoopDimension]
    ) -> list[tuple[Expression, Sequence[Expression]]]:
        """The pieces of a partition, with the indices of an update of each.

        The first loop becomes one over the updates of a piece.
        """
        first = next(d for d, loop in enumerate(loops) if loop.extent > 1)
        size = loops[first].extent // self.count
        loops[first] = LoopDimension(builder.scheduler.index(size), size)
        zero = builder.table.sum(0, ())
        index = [loop.index if loop.extent > 1 else zero for loop in loops]
        pieces = [partition * self.in_turn + k for k in range(self.in_turn)]
        return [
            (piece, [*index[:first], index[first] + piece * size, *index[first + 1 :]])
            for piece in pieces
        ]

    def change(
        self, builder: KernelBuilder, place: Sequence[Expression], update: Expression
    ) -> Statement:
        """Combines one update with the element at a place of a piece."""
        where = builder.table.place(self.local_buffers, place)
        old = builder.table.load_at(self.local_buffers, where)
        return StoreElement(
            self.local_buffers, where, builder.table.apply(self.operator, old, update)
        )

    def build_kernel(
        self, builder: KernelBuilder, partition: Expression, body: Sequence[Statement], name: str
    ) -> BuiltKernel:
        """The kernel of all pieces."""
        pieces = [partition * self.in_turn + k for k in range(self.in_turn)]
        statements = [s for piece in pieces for s in self.fill_piece(builder, piece)]
        statements += body
        loop = Loop(partition, self.partitions, "serial", statements, parallel=True)
        return builder.build_kernel(name, [loop], [(self.scratch, self.local_buffers)])

    def sums(self, name: str) -> BuiltKernel:
        """The kernel that combines the memory of all pieces with the tensor."""
        builder = KernelBuilder((), self.kept, self.vector_bytes)
        table, output, size = builder.table, buffer_of(self.result, "y"), prod(self.result.shape)
        width = self.vector_bytes // max(WIDE, BYTES[self.type])
        while size % width:  # in place: no element may be taken twice
            width //= 2
        step, lane = builder.scheduler.index(size // width), builder.scheduler.index(width)
        place = step * width + (lane if width > 1 else 0)
        value = table.load_at(output, place)
        for k in range(self.count):
            value = table.apply(
                self.operator, value, table.load_at(self.local_buffers, place + k * size)
            )
        body: list[Statement] = [StoreElement(output, place, value)]
        if width > 1:
            body = [Loop(lane, width, "vector", body)]
        loop = Loop(step, size // width, "serial", body, parallel=True)
        return builder.build_kernel(
            name, [loop], [(self.result, output), (self.scratch, self.local_buffers)]
        )
