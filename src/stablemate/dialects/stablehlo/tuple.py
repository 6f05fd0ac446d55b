"""stablehlo.tuple (deprecated)."""

from __future__ import annotations

from stablemate.ir.definition import Op, define, op
from stablemate.ir.kinds import ANY_TENSOR, BUFFER_VALUE, TOKEN_VALUE, TUPLE_VALUE
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import TupleType


@op("stablehlo.tuple", family=Family.CONTROL, traits=Trait.FREE)
class Tuple(Op):
    """A tuple of values.

    result = (val[0], ..., val[N-1])

    Source: StableHLO specification, tuple.
    """

    __slots__ = ()
    val = define.variadic("I1", ANY_TENSOR | TOKEN_VALUE | TUPLE_VALUE | BUFFER_VALUE)
    result = define.result(TUPLE_VALUE, element_type="C1", shape="C1")
    assembly = "$val attr-dict `:` custom<TupleTypes>"

    def infer(self) -> TupleType:
        """C1: the tuple of the types."""
        return TupleType(tuple(value.type for value in self.val))

    def evaluate(self, *operands: object, **_: object) -> tuple[object, ...]:
        """The one result, a Python tuple."""
        return operands
