"""Epilogues of dots and convolutions: what is stored once a sum is complete.

That is the result, or a value that is computed from it element by element: then the result itself
never stands in memory. Sums are rounded to the type of the result first, so that bits do not
depend on whether there is such a value.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Final

from stablemate.compiler.graph.graph import Tensor
from stablemate.compiler.kernels.contraction.multiply_accumulate import Sums
from stablemate.compiler.kernels.elementwise import stores
from stablemate.compiler.kernels.kernel_builder import KernelBuilder, values_in_memory
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, terms_of
from stablemate.compiler.loops.statements import Statement
from stablemate.compiler.lowering.elements import buffer_of
from stablemate.compiler.lowering.representation import Parts
from stablemate.compiler.schedule.schedule import LoopDimension, substitute_indices
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.pad import Pad

PAD: Final = "stablehlo.pad"


@dataclass(frozen=True, slots=True)
class Epilogue:
    """The elementwise operations that are fused into the stores of a result.

    Attributes:
        result: The result of the operation.
        value: What is stored: the result, what is computed from it, or that with padding around it.
    """

    result: Tensor
    value: Tensor

    @property
    def padding(self) -> Pad | None:
        """The operation that pads what is computed, if that is stored with padding."""
        node = self.value.node
        return node.operation if node is not None and node.operation.name == PAD else None

    @property
    def is_plain(self) -> bool:
        """Whether the result itself is stored."""
        return self.value is self.result

    def inputs(self, kept: Container[Tensor]) -> list[Tensor]:
        """The values in memory that this is computed from besides the result."""
        if self.is_plain or self.value.node is None:
            return []
        inputs = values_in_memory(self.value.node.operands, ComputedValues(kept, self.result))
        return [tensor for tensor in inputs if tensor is not self.result]

    def accumulators(self, sums: Sums, *, is_partial: bool = False) -> Buffer:
        """Where complete sums are: in registers, if nothing is to be done but to store them.

        Args:
            sums: The arithmetic.
            is_partial: Whether a result is the sum of several.
        """
        is_short = self.is_plain and self.buffer.type == sums.register and not sums.is_in_tiles
        is_short = is_short and not is_partial
        return Buffer("shelf", sums.register, (), "register" if is_short else "stack")

    @property
    def buffer(self) -> Buffer:
        """The buffer that is stored to."""
        return buffer_of(self.value, "y")

    def store_result(
        self,
        builder: KernelBuilder,
        sums: Sums,
        index: Sequence[Expression],
        total: Expression,
        to: Buffer,
    ) -> list[Statement]:
        """Stores what is made of a complete sum, the result's element at an index."""
        parts: Parts = (sums.round_sum(total, self.result),)
        place = index
        if not self.is_plain:
            value = self.value
            if self.padding is not None:
                assert value.node is not None
                value = value.node.operands[0]
                lows = self.padding.edge_padding_low
                place = [number + low for number, low in zip(index, lows, strict=True)]
            elements = builder.elements
            values_of_others = dict(elements.cache)  # of this sum nothing is known where others end
            elements.cache[self.result, tuple(index)] = parts
            parts = elements.at(value, index)
            elements.cache = values_of_others
        return stores(builder.table, self.value, to, place, parts)


@dataclass(frozen=True, slots=True)
class ComputedValues:
    """Values in memory, and one more.

    Attributes:
        kept: The values in memory.
        value: The other.
    """

    kept: Container[Tensor]
    value: Tensor

    def __contains__(self, tensor: object) -> bool:
        return isinstance(tensor, Tensor) and (tensor is self.value or tensor in self.kept)


class Template:
    """An epilogue of any element, given the position of its sum.

    Attributes:
        body: The statements, for indices of loops that do not exist.
    """

    def __init__(
        self,
        builder: KernelBuilder,
        epilogue: Epilogue,
        sums: Sums,
        totals: Buffer,
        index: Sequence[Expression],
    ) -> None:
        """Writes the statements for an index and an unknown place among the sums."""
        slot = builder.scheduler.index(1 << 20)
        self.slot = terms_of(slot)[1][0][0]
        total = builder.table.load_at(totals, slot)
        self.buffer = epilogue.buffer
        self.body = epilogue.store_result(builder, sums, index, total, self.buffer)

    def at(
        self, total: Expression, replacements: Sequence[tuple[Expression, Expression]]
    ) -> list[Statement]:
        """The statements for a loaded sum, with indices substituted for those of the loops."""
        return substitute_indices(self.body, [(self.slot, total.operands[0]), *replacements])


def loops_of_index(
    loops: Sequence[LoopDimension], indices: Sequence[Expression]
) -> list[LoopDimension]:
    """Those loops whose index an index expression reads."""
    atoms = {atom for index in indices for atom, _ in terms_of(index)[1]}
    return [loop for loop in loops if loop.atom in atoms]
