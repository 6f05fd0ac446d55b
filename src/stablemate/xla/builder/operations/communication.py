"""Operations that exchange data with the host or with other computations.

Source: XLA, operation semantics, "Infeed", "Outfeed", "Send", "Recv".
"""

from __future__ import annotations

from typing import Literal

from stablemate.deferred_dataclasses import dataclass
from stablemate.xla.builder.argument_types import Operand, ShapeLike
from stablemate.xla.builder.core import creates
from stablemate.xla.builder.handle import XlaOp
from stablemate.xla.builder.operations.collectives import Channel, channel_number
from stablemate.xla.builder.operations.control_flow import ControlFlow
from stablemate.xla.builder.operations.movement import Movement
from stablemate.xla.shape import TOKEN_SHAPE, Shape

CONTEXT = Shape("u32[]")


@dataclass(frozen=True, slots=True)
class ChannelHandle:
    """The channel that a send shares with the recv of its data.

    Attributes:
        handle: A number that no other pair has.
        type: Between devices, or between a device and the host.
    """

    handle: int
    type: Literal["DEVICE_TO_DEVICE", "DEVICE_TO_HOST", "HOST_TO_DEVICE"] = "DEVICE_TO_DEVICE"


class Communication(ControlFlow, Movement):
    """Methods that exchange data."""

    def infeed(self, shape: ShapeLike, config: str = "") -> XlaOp:
        """The next data from the host."""
        return self.get_tuple_element(self.infeed_with_token(self.create_token(), shape, config), 0)

    @creates("stablehlo.infeed")
    def infeed_with_token(self, token: XlaOp, shape: ShapeLike, config: str = "") -> XlaOp:
        """``(data, token)``: the next data from the host, ordered after a token."""
        data = self.as_shape(shape)
        nested = any(element.is_tuple for element in data.elements)
        self.require(not nested, "tuples of an infeed are not nested", "infeed", shape=data)
        result = Shape.tuple_of([data, TOKEN_SHAPE])
        return self.add_instruction("infeed", [token], {"infeed_config": config or None}, result)

    def outfeed(
        self, operand: Operand, shape_with_layout: ShapeLike | None = None, outfeed_config: str = ""
    ) -> XlaOp:
        """Data for the host; the result is a token."""
        token = self.create_token()
        return self.outfeed_with_token(operand, token, shape_with_layout, outfeed_config)

    @creates("stablehlo.outfeed")
    def outfeed_with_token(
        self,
        operand: Operand,
        token: XlaOp,
        shape_with_layout: ShapeLike | None = None,
        outfeed_config: str = "",
    ) -> XlaOp:
        """Sends data to the host, ordered after a token; the result is a token."""
        handle = self.root_of(operand)
        shape = self.shape(handle)
        declared = shape if shape_with_layout is None else self.as_shape(shape_with_layout)
        same = declared.to_text(layouts=False) == shape.to_text(layouts=False)
        message = "the shape is that of the operand but for layouts"
        self.require(same, message, "outfeed", operand=shape, shape_with_layout=declared)
        attributes = {"outfeed_shape": declared, "outfeed_config": outfeed_config or None}
        return self.add_instruction("outfeed", [handle, token], attributes, TOKEN_SHAPE)

    def send(self, operand: Operand, channel_handle: Channel) -> XlaOp:
        """Data for the recv of the same channel; the result is a token."""
        return self.send_with_token(operand, self.create_token(), channel_handle)

    @creates("stablehlo.send")
    def send_with_token(self, operand: Operand, token: XlaOp, channel_handle: Channel) -> XlaOp:
        """``send``, ordered after a token."""
        return self.emit_send(operand, token, channel_handle, host=False)

    def send_to_host(
        self,
        operand: Operand,
        token: XlaOp,
        shape_with_layout: ShapeLike | None = None,
        channel_handle: Channel = None,
    ) -> XlaOp:
        """Data for the host; the result is a token."""
        if channel_handle is None:
            channel_handle, shape_with_layout = shape_with_layout, None
        return self.emit_send(operand, token, channel_handle, host=True)

    def emit_send(self, operand: Operand, token: XlaOp, channel: object, *, host: bool) -> XlaOp:
        """A send and its completion."""
        handle = self.handle(operand)
        attributes = {"channel_id": self.channel(channel, "send"), "is_host_transfer": host}
        result = Shape.tuple_of([self.shape(handle), CONTEXT, TOKEN_SHAPE])
        started = self.add_instruction("send", [handle, token], attributes, result)
        return self.add_instruction("send-done", [started], attributes, TOKEN_SHAPE)

    def recv(self, shape: ShapeLike, channel_handle: Channel) -> XlaOp:
        """The data of the send of the same channel."""
        received = self.recv_with_token(self.create_token(), shape, channel_handle)
        return self.get_tuple_element(received, 0)

    @creates("stablehlo.recv")
    def recv_with_token(self, token: XlaOp, shape: ShapeLike, channel_handle: Channel) -> XlaOp:
        """``(data, token)``: ``recv``, ordered after a token."""
        return self.emit_recv(token, shape, channel_handle, host=False)

    def recv_from_host(self, token: XlaOp, shape: ShapeLike, channel_handle: Channel) -> XlaOp:
        """``(data, token)``: data of the host."""
        return self.emit_recv(token, shape, channel_handle, host=True)

    def emit_recv(self, token: XlaOp, shape: ShapeLike, channel: object, *, host: bool) -> XlaOp:
        """A recv and its completion."""
        data = self.as_shape(shape)
        attributes = {"channel_id": self.channel(channel, "recv"), "is_host_transfer": host}
        context = Shape.tuple_of([data, CONTEXT, TOKEN_SHAPE])
        started = self.add_instruction("recv", [token], attributes, context)
        result = Shape.tuple_of([data, TOKEN_SHAPE])
        return self.add_instruction("recv-done", [started], attributes, result)

    def channel(self, channel: object, rule: str) -> int:
        """The number of a channel."""
        try:
            number = channel_number(channel)
        except (TypeError, ValueError):
            number = None
        if number is None:
            self.refuse("a channel is a number, or has one as its handle", rule, channel=channel)
        return number
