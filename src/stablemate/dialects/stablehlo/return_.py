"""stablehlo.return."""

from __future__ import annotations

from stablemate.ir.definition import Op, define, op
from stablemate.ir.kinds import ANY_TENSOR, BUFFER_VALUE, TOKEN_VALUE, TUPLE_VALUE
from stablemate.ir.traits import Family, Trait


@op("stablehlo.return", terminator=True, family=Family.CONTROL, traits=Trait.FREE)
class Return(Op):
    """Ends a region and returns its results.

    The specification uses it in functions without describing it; there its operands are called
    ``results``.

    Source: StableHLO specification, "Functions"; StableHLO dialect, return.
    """

    __slots__ = ()
    values = define.variadic("", ANY_TENSOR | TOKEN_VALUE | BUFFER_VALUE | TUPLE_VALUE)
    assembly = "$values attr-dict custom<OptionalTypes>"
