"""stablehlo.recv."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.dialects.stablehlo.attributes import CHANNEL_HANDLE
from stablemate.dialects.stablehlo.channels import (
    RECEIVED,
    ChannelType,
    channel_type_fits,
    payload_then_token,
)
from stablemate.dialects.stablehlo.source_target_pairs import WithSourceTargetPairs
from stablemate.ir import request as requests
from stablemate.ir.definition import Check, RegionFunction, RequestOp, constraint, define, op
from stablemate.ir.kinds import BOOLEAN_KIND, SI64_MATRIX, TOKEN_VALUE
from stablemate.ir.traits import NO_WORK, Family


@op("stablehlo.recv", effects=True, family=Family.EXTERNAL, work=NO_WORK)
class Recv(WithSourceTargetPairs, RequestOp):
    """Receives ``results`` from a channel: from the host, or from the source of its pair.

    Source: StableHLO specification, recv.
    """

    __slots__ = ()
    opcodes = ("recv", "recv-done")
    token = define.operand("I1", TOKEN_VALUE)
    channel_handle = define.attribute("I2", CHANNEL_HANDLE)
    is_host_transfer = define.default_attribute("I4", BOOLEAN_KIND, False)
    source_target_pairs = define.default_attribute("I5", SI64_MATRIX, ())
    outputs = define.variadic_result(RECEIVED).with_name("results")

    @constraint
    def c5(self) -> Check:
        """channel_type = is_host_transfer ? HOST_TO_DEVICE : DEVICE_TO_DEVICE"""
        # The specification has DEVICE_TO_HOST here, as for send; but the data flows the other way.
        kind, from_host = self.channel_handle.type, ChannelType.HOST_TO_DEVICE
        return channel_type_fits(kind, self.is_host_transfer, from_host)

    @constraint("results")
    def payload(self) -> Check:
        """is_tensor(results[:-1]) and is_token(results[-1])"""
        return payload_then_token(self)

    def request(
        self, operands: Sequence[object], regions: Sequence[RegionFunction]
    ) -> requests.Receive:
        """Requests the values and a token."""
        channel = self.channel_handle.handle
        return requests.Receive(self, channel, self.is_host_transfer, self.source_target_pairs)
