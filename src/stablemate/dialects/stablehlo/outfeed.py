"""stablehlo.outfeed."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.ir import request as requests
from stablemate.ir.definition import RegionFunction, RequestOp, define, op
from stablemate.ir.kinds import ANY_TENSOR, STRING, TOKEN_VALUE
from stablemate.ir.traits import NO_WORK, Family
from stablemate.ir.types import TOKEN, TokenType


@op("stablehlo.outfeed", effects=True, family=Family.EXTERNAL, work=NO_WORK)
class Outfeed(RequestOp):
    """Writes ``inputs`` to the outfeed of the process.

    Source: StableHLO specification, outfeed.
    """

    __slots__ = ()
    inputs = define.variadic("I1", ANY_TENSOR)
    token = define.operand("I2", TOKEN_VALUE)
    outfeed_config = define.default_attribute("I3", STRING, "", filled=True)
    result = define.result(TOKEN_VALUE)

    def infer(self) -> TokenType:
        """Returns ``!stablehlo.token``: a value that orders side effects."""
        return TOKEN

    def request(
        self, operands: Sequence[object], regions: Sequence[RegionFunction]
    ) -> requests.OutfeedRequest:
        """Requests that all operands but the token are written."""
        return requests.OutfeedRequest(self, operands[:-1])
