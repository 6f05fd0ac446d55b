"""stablehlo.send."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stablemate.dialects.stablehlo.attributes import CHANNEL_HANDLE
from stablemate.dialects.stablehlo.channels import ChannelType, channel_type_fits
from stablemate.dialects.stablehlo.source_target_pairs import (
    have_two_columns,
    sources_are_unique,
    targets_are_unique,
    within_grid,
)
from stablemate.ir import request as requests
from stablemate.ir.definition import Check, RegionFunction, RequestOp, constraint, define, op
from stablemate.ir.kinds import ANY_TENSOR, BOOLEAN_KIND, SI64_MATRIX, TOKEN_VALUE
from stablemate.ir.types import TOKEN, TokenType


@op("stablehlo.send", effects=True)
class Send(RequestOp):
    """Sends ``inputs`` to a channel: to the host, or to the targets of ``source_target_pairs``.

    Source: StableHLO specification, send.
    """

    __slots__ = ()
    inputs = define.variadic("I1", ANY_TENSOR)
    token = define.operand("I2", TOKEN_VALUE)
    channel_handle = define.attribute("I3", CHANNEL_HANDLE)
    is_host_transfer = define.default_attribute("I5", BOOLEAN_KIND, False)
    source_target_pairs = define.default_attribute("I6", SI64_MATRIX, ())
    result = define.result(TOKEN_VALUE)

    @constraint
    def c1(self) -> Check:
        """dim(source_target_pairs, 1) = 2"""
        return have_two_columns(self)

    @constraint
    def c4(self) -> Check:
        """0 <= source_target_pairs < N"""
        return within_grid(self.source_target_pairs)

    @constraint
    def c2(self) -> Check:
        """is_unique(source_target_pairs[:, 0])"""
        return sources_are_unique(self.source_target_pairs)

    @constraint
    def c3(self) -> Check:
        """is_unique(source_target_pairs[:, 1])"""
        return targets_are_unique(self.source_target_pairs)

    @constraint
    def c5(self) -> Check:
        """channel_type = is_host_transfer ? DEVICE_TO_HOST : DEVICE_TO_DEVICE"""
        kind, to_host = self.channel_handle.type, ChannelType.DEVICE_TO_HOST
        return channel_type_fits(kind, self.is_host_transfer, to_host)

    def infer(self) -> TokenType:
        """A token."""
        return TOKEN

    def request(self, operands: Sequence[Any], regions: Sequence[RegionFunction]) -> requests.Send:
        """Requests that all operands but the token are sent."""
        channel = self.channel_handle.handle
        pairs = self.source_target_pairs
        return requests.Send(self, operands[:-1], channel, self.is_host_transfer, pairs)
