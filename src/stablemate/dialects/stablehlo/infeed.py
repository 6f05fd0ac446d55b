"""stablehlo.infeed."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.dialects.stablehlo.channels import RECEIVED
from stablemate.ir import request as requests
from stablemate.ir.attributes import ArrayAttribute, IntegerAttribute
from stablemate.ir.definition import (
    Check,
    RegionFunction,
    RequestOp,
    constraint,
    define,
    holds,
    op,
)
from stablemate.ir.kinds import ARRAY, STRING, TOKEN_VALUE
from stablemate.ir.traits import NO_WORK, Family
from stablemate.ir.types import TensorType, TokenType


@op("stablehlo.infeed", effects=True, family=Family.EXTERNAL, work=NO_WORK)
class Infeed(RequestOp):
    """Reads ``results`` from the infeed of the process; the last result is a token.

    ``layout`` is not in the specification: a list of integers for each tensor.

    Source: StableHLO specification, infeed.
    """

    __slots__ = ()
    token = define.operand("I1", TOKEN_VALUE)
    infeed_config = define.default_attribute("I2", STRING, "", filled=True)
    layout = define.optional_attribute("", ARRAY)
    outputs = define.variadic_result(RECEIVED).with_name("results")

    @constraint
    def c1(self) -> Check:
        """0 < size(results)"""
        return holds(len(self.results) > 0, size=len(self.results))

    @constraint
    def c2(self) -> Check:
        """is_empty(results[:-1]) or is_tensor(type(results[:-1]))"""
        types = [value.type for value in self.results[:-1]]
        return holds(all(isinstance(value_type, TensorType) for value_type in types), results=types)

    @constraint
    def c3(self) -> Check:
        """is_token(type(results[-1]))"""
        last = self.results[-1].type
        return holds(isinstance(last, TokenType), result=last)

    @constraint("layout")
    def layouts(self) -> Check:
        """Layout has a list of integers for each tensor"""
        layout = self.layout
        fits = layout is None or (
            len(layout.items) == len(self.results) - 1
            and all(
                isinstance(entry, ArrayAttribute)
                and all(isinstance(item, IntegerAttribute) for item in entry.items)
                for entry in layout.items
            )
        )
        return holds(fits, layout=layout, tensors=len(self.results) - 1)

    def request(
        self, operands: Sequence[object], regions: Sequence[RegionFunction]
    ) -> requests.InfeedRequest:
        """Requests the next values of the infeed."""
        return requests.InfeedRequest(self)
