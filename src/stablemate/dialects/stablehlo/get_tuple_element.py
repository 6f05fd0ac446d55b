"""stablehlo.get_tuple_element (deprecated)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import SI32, TUPLE_ELEMENT, TUPLE_VALUE
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import Type


@op("stablehlo.get_tuple_element", family=Family.CONTROL, traits=Trait.FREE)
class GetTupleElement(Op):
    """The element of a tuple at position ``index``.

    result = operand[index]

    Source: StableHLO specification, get_tuple_element.
    """

    __slots__ = ()
    summary_attributes = ("index",)
    operand = define.operand("I1", TUPLE_VALUE)
    index = define.attribute("I2", SI32)
    result = define.result(TUPLE_ELEMENT | TUPLE_VALUE, element_type="C2", shape="C2")
    assembly = "$operand custom<TupleIndex> attr-dict `:` functional-type"

    @constraint
    def c1(self) -> Check:
        """0 <= index < size(operand)"""
        index, size = self.index, len(self.operand.type.types)
        return holds(0 <= index < size, index=index, size=size)

    def infer(self) -> Type:
        """C2: the type of that element."""
        return self.operand.type.types[self.index]

    def evaluate(self, *operands: Any, **_: object) -> object:
        """Returns element ``index`` of the tuple."""
        (operand,) = operands
        return operand[self.index]

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """Returns a function of the tuple, with the index bound."""
        return itemgetter(self.index)
