"""stablehlo.broadcast (deprecated)."""

from __future__ import annotations

from stablemate.dialects.stablehlo.broadcast_in_dim import filler
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import PER_TENSOR_QUANTIZED, SI64_ARRAY, TENSOR
from stablemate.ir.traits import NO_WORK, Family, Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array


@op(
    "stablehlo.broadcast",
    family=Family.MOVEMENT,
    work=NO_WORK,
    traits=Trait.FOLDABLE | Trait.COMPOUND,
)
class Broadcast(Op):
    """Repeats ``operand`` along new leading dimensions.

    result[i0, ..., iN-1, j0, ..., jM-1] = operand[j0, ..., jM-1]

    Source: XLA operation semantics, Broadcast; the StableHLO specification lists it as deprecated
    and gives no rules, so the numbers are our own.
    """

    __slots__ = ()
    opcodes = ("broadcast",)
    operand = define.operand("I1", TENSOR | PER_TENSOR_QUANTIZED)
    broadcast_sizes = define.attribute("I2", SI64_ARRAY)
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED, element_type="C2", shape="C3")
    assembly = "$operand `,` `sizes` `=` $broadcast_sizes attr-dict `:` functional-type"

    @constraint
    def c1(self) -> Check:
        """0 <= broadcast_sizes"""
        sizes = self.broadcast_sizes
        return holds(all(size >= 0 for size in sizes), broadcast_sizes=sizes)

    def infer(self) -> TensorType:
        """C2, C3: the new sizes precede those of the operand."""
        operand = self.operand.type
        return operand.with_shape(self.broadcast_sizes + operand.shape)

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """A copy of the operand at every new index."""
        (operand,) = operands
        return filler(operand.shape, self.broadcast_sizes + operand.shape)(operand)
