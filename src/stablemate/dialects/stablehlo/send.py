"""stablehlo.send."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.dialects.stablehlo.attributes import CHANNEL_HANDLE
from stablemate.dialects.stablehlo.channels import ChannelType, channel_type_fits
from stablemate.dialects.stablehlo.source_target_pairs import WithSourceTargetPairs
from stablemate.ir import request as requests
from stablemate.ir.definition import Check, RegionFunction, RequestOp, constraint, define, op
from stablemate.ir.kinds import ANY_TENSOR, BOOLEAN_KIND, SI64_MATRIX, TOKEN_VALUE
from stablemate.ir.traits import NO_WORK, Family
from stablemate.ir.types import TOKEN, TokenType


@op("stablehlo.send", effects=True, family=Family.EXTERNAL, work=NO_WORK)
class Send(WithSourceTargetPairs, RequestOp):
    """Sends ``inputs`` to a channel: to the host, or to the targets of ``source_target_pairs``.

    Source: StableHLO specification, send.
    """

    __slots__ = ()
    opcodes = ("send", "send-done")
    inputs = define.variadic("I1", ANY_TENSOR)
    token = define.operand("I2", TOKEN_VALUE)
    channel_handle = define.attribute("I3", CHANNEL_HANDLE)
    is_host_transfer = define.default_attribute("I5", BOOLEAN_KIND, False)
    source_target_pairs = define.default_attribute("I6", SI64_MATRIX, ())
    result = define.result(TOKEN_VALUE)

    @constraint
    def c5(self) -> Check:
        """channel_type = is_host_transfer ? DEVICE_TO_HOST : DEVICE_TO_DEVICE"""
        kind, to_host = self.channel_handle.type, ChannelType.DEVICE_TO_HOST
        return channel_type_fits(kind, self.is_host_transfer, to_host)

    def infer(self) -> TokenType:
        """Returns ``!stablehlo.token``: a value that orders side effects."""
        return TOKEN

    def request(
        self, operands: Sequence[object], regions: Sequence[RegionFunction]
    ) -> requests.SendRequest:
        """Requests that all operands but the token are sent."""
        channel = self.channel_handle.handle
        pairs = self.source_target_pairs
        return requests.SendRequest(self, operands[:-1], channel, self.is_host_transfer, pairs)
