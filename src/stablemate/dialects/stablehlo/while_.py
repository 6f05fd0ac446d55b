"""stablehlo.while."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stablemate.dialects.stablehlo.regions import function_type, same_types
from stablemate.ir.definition import (
    Check,
    Op,
    RegionFunction,
    constraint,
    define,
    holds,
    op,
    pack_results,
)
from stablemate.ir.kinds import ANY_TENSOR, BUFFER_VALUE, TOKEN_VALUE, TUPLE_VALUE
from stablemate.ir.request import Process, ProcessFunction
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import BOOLEAN_SCALAR, Type


@op("stablehlo.while", family=Family.CONTROL, traits=Trait.IMPLICIT_TERMINATOR | Trait.STRUCTURED)
class While(Op):
    """Executes ``body`` on its own results, initially ``operand``, while ``cond`` returns true.

    results = state; state = operand; while cond(state...): state = body(state...)

    Source: StableHLO specification, while.
    """

    __slots__ = ()
    operand = define.variadic("I1", ANY_TENSOR | TOKEN_VALUE | BUFFER_VALUE | TUPLE_VALUE)
    cond = define.region("I2")
    body = define.region("I3")
    outputs = define.variadic_result(
        ANY_TENSOR | TOKEN_VALUE | BUFFER_VALUE | TUPLE_VALUE, element_type="C3", shape="C3"
    ).with_name("results")
    assembly = "custom<While>"

    @constraint
    def c1(self) -> Check:
        """cond has type (T0, ..., TN-1) -> tensor<i1>, where Ti = type(operand[i])"""
        cond = function_type(self.cond)
        fits = same_types(self.state_types, cond.inputs) and same_types(
            cond.results, [BOOLEAN_SCALAR]
        )
        return holds(fits, cond=cond, operand=[str(value_type) for value_type in self.state_types])

    @constraint
    def c2(self) -> Check:
        """body has type (T0, ..., TN-1) -> (T0, ..., TN-1), where Ti = type(operand[i])"""
        body = function_type(self.body)
        types = self.state_types
        fits = same_types(types, body.inputs) and same_types(types, body.results)
        return holds(fits, body=body, operand=[str(value_type) for value_type in types])

    @property
    def state_types(self) -> list[Type]:
        """The types of the loop-carried values."""
        return [value.type for value in self.operand]

    def infer(self) -> Sequence[Type]:
        """C3: the types of the operands."""
        return self.state_types

    def evaluate(self, *operands: object, regions: Sequence[RegionFunction] = ()) -> object:
        """The loop of the formula."""
        return self.prepare(regions)(*operands)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """The loop; it calls ``cond`` once per iteration, so that a limit can count there."""
        cond, body = regions

        def loop(*state: object) -> object:
            while cond(*state)[0]:
                state = body(*state)
            return pack_results(state)

        return loop

    def prepare_process(self, regions: Sequence[ProcessFunction]) -> ProcessFunction:
        """The same loop, if a region issues requests."""
        cond, body = regions

        def loop(*state: object) -> Process:
            while (yield from cond(*state))[0]:
                state = yield from body(*state)
            return pack_results(state)

        return loop
