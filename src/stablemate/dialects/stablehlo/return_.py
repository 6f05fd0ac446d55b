"""stablehlo.return."""

from __future__ import annotations

from stablemate.ir.definition import Op, define, op
from stablemate.ir.kinds import ANY_TENSOR, BUFFER_VALUE, TOKEN_VALUE, TUPLE_VALUE


@op("stablehlo.return", terminator=True)
class Return(Op):
    """Ends a region and gives its results.

    The specification writes functions with it and does not describe it; its operands bear the name
    ``results`` there.

    Source: StableHLO specification, "Functions"; StableHLO dialect, return.
    """

    __slots__ = ()
    values = define.variadic("", ANY_TENSOR | TOKEN_VALUE | BUFFER_VALUE | TUPLE_VALUE)
    assembly = "$values attr-dict custom<OptionalTypes>"
