"""stablehlo.dot (deprecated)."""

from __future__ import annotations

from stablemate.dialects.stablehlo.attributes import PRECISION_CONFIG, DotDimensionNumbers
from stablemate.dialects.stablehlo.dot_general import AnyDot
from stablemate.ir.definition import Check, constraint, define, holds, op
from stablemate.ir.kinds import ANY_TENSOR
from stablemate.ir.shapes import same_size
from stablemate.ir.traits import EITHER, Family, Trait


@op("stablehlo.dot", family=Family.CONTRACTION, traits=Trait.REAL_VALUED)
class Dot(AnyDot):
    """Multiplies vectors or matrices, along the last dimension of lhs and the first of rhs.

    result[i..., j...] = sum over k of lhs[i..., k] * rhs[k, j...]

    Source: XLA operation semantics, Dot; the StableHLO specification lists it as deprecated and
    gives no rules, so the numbers are our own.
    """

    __slots__ = ()
    linearity = EITHER
    opcodes = ("dot",)
    precision_config = define.optional_attribute("I3", PRECISION_CONFIG)
    result = define.result(ANY_TENSOR, shape="C4")
    assembly = (
        "$lhs `,` $rhs (`,` `precision` `=` $precision_config)? attr-dict `:` functional-type"
    )

    @constraint
    def c1(self) -> Check:
        """1 <= rank(lhs) <= 2 and 1 <= rank(rhs) <= 2"""
        lhs, rhs = self.lhs.type.rank, self.rhs.type.rank
        return holds({lhs, rhs} <= {1, 2}, lhs=lhs, rhs=rhs)

    @constraint
    def c2(self) -> Check:
        """dim(lhs, -1) = dim(rhs, 0)"""
        lhs, rhs = self.lhs.type.shape[-1], self.rhs.type.shape[0]
        return holds(same_size(lhs, rhs), lhs=lhs, rhs=rhs)

    @constraint
    def c3(self) -> Check:
        """size(precision_config) <= 2"""
        size = len(self.precision_config or ())
        return holds(size <= 2, size=size)

    @property
    def numbers(self) -> DotDimensionNumbers:
        """The inner dimensions are contracted."""
        return DotDimensionNumbers(
            lhs_contracting_dimensions=(self.lhs.type.rank - 1,), rhs_contracting_dimensions=(0,)
        )
