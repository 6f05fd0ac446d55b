"""chlo.top_k."""

from __future__ import annotations

from typing import Final

from stablemate.dialects.chlo.ranks import are_ranked, of_any_rank
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import ANY_TENSOR, BOOLEAN_KIND, INTEGER_TENSOR, SI64
from stablemate.ir.shapes import bound_dimensions
from stablemate.ir.traits import Family
from stablemate.ir.types import DYNAMIC, Type
from stablemate.numerics.elements import I32

UNKNOWN_COUNT: Final = -(2**63)  # MLIR reserves it for unknown sizes


class TopElements(Op):
    """Base of operations that select ``k`` elements along the last dimension."""

    __slots__ = ()
    operand = define.operand("", of_any_rank(ANY_TENSOR))
    k = define.attribute("", SI64)
    values = define.result(of_any_rank(ANY_TENSOR))
    indices = define.result(of_any_rank(INTEGER_TENSOR))

    @constraint("rank")
    def has_dimension(self) -> Check:
        """0 < rank(operand)"""
        if not are_ranked(self):
            return None
        rank = self.operand.type.rank
        return holds(rank > 0, rank=rank)

    @constraint("k")
    def enough_elements(self) -> Check:
        """0 <= k <= dim(operand, -1)"""
        # Upstream permits a negative k, which has no meaning.
        if not are_ranked(self):
            return holds(self.k >= 0, k=self.k)
        size, k = self.operand.type.shape[-1], self.k
        return holds(k >= 0 and (k <= size or size == DYNAMIC), k=k, size=size)

    def infer(self) -> tuple[Type, Type]:
        """The shape of the operand, but k along the last dimension."""
        operand = self.operand.type
        if not are_ranked(self):
            return operand, operand.with_element(I32)
        bounds = operand.bounds or (DYNAMIC,) * operand.rank
        size = DYNAMIC if self.k == UNKNOWN_COUNT else self.k
        values = bound_dimensions(operand.with_shape((*operand.shape[:-1], size)), bounds)
        return values, values.with_element(I32)


@op("chlo.top_k", family=Family.REDUCTION)
class TopK(TopElements):
    """The ``k`` largest elements along the last dimension, and their indices.

    values[..., j] = operand[..., indices[..., j]], where element j is the j-th largest one;
    in the total order of floats: NaN is larger than all others, or smaller
    if its sign is negative. Of equal elements the one with the lower index goes first.

    Source: CHLO dialect, top_k.
    """

    __slots__ = ()
    opcodes = ("topk",)
    is_stable = define.default_attribute("", BOOLEAN_KIND, True)
    assembly = (
        "`(` $operand `,` `k` `=` $k (`,` `is_stable` `=` $is_stable)? `)` "
        "attr-dict `:` custom<ChloTypes>"
    )


OPERATIONS: Final[tuple[type[Op], ...]] = (TopK,)
