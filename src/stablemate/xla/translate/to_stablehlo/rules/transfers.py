"""Infeed and outfeed, send and recv.

A send is done where it starts, for it never waits; a recv where it ends, so that what the process
itself sends in between is on its way.

Source: XLA, operation semantics, Infeed, Outfeed, Send, Recv.
"""

from __future__ import annotations

import re
from typing import Final

from stablemate.diagnostics.integers import parse_integer
from stablemate.dialects.stablehlo.attributes import ChannelHandle
from stablemate.dialects.stablehlo.channels import ChannelType
from stablemate.ir.types import TOKEN
from stablemate.numerics.elements import UI32
from stablemate.xla.translate.to_stablehlo.step import Fields, Rules, TranslationStep, Values

PAIRS: Final = "_xla_send_recv_source_target_pairs"  # where a send between devices says them
PAIR: Final = re.compile(r"\{\s*(\d+)\s*,\s*(\d+)\s*\}")


def infeed(step: TranslationStep) -> Values:
    """``infeed``."""
    fields: Fields = {"token": step.value(0), "infeed_config": step.get("infeed_config", "")}
    return step.emit("stablehlo.infeed", results=step.result_types, **fields).results


def outfeed(step: TranslationStep) -> Values:
    """Translates to one ``outfeed`` of all leaves of the operand."""
    fields: Fields = {
        "inputs": step.leaves(0, 1),
        "token": step.value(1),
        "outfeed_config": step.get("outfeed_config", ""),
    }
    return [step.one("stablehlo.outfeed", **fields)]


def transfer(step: TranslationStep, with_host: ChannelType) -> Fields:
    """The attributes of a transfer."""
    is_host = step.get("is_host_transfer", False)
    kind = with_host if is_host else ChannelType.DEVICE_TO_DEVICE
    text = step.get("frontend_attributes", {}).get(PAIRS, "")
    pairs = [
        (parse_integer(source), parse_integer(target)) for source, target in PAIR.findall(text)
    ]
    return {
        "channel_handle": ChannelHandle(step.get("channel_id", 0), int(kind)),
        "is_host_transfer": is_host,
        "source_target_pairs": pairs or None,
    }


def send(step: TranslationStep) -> Values:
    """``send``: the data, a context without contents, a token."""
    fields = transfer(step, ChannelType.DEVICE_TO_HOST)
    data = step.leaves(0, 1)
    token = step.one("stablehlo.send", inputs=data, token=step.value(1), **fields)
    return [*data, step.constant(0, UI32), token]


def send_done(step: TranslationStep) -> Values:
    """The token of the send."""
    return step.operands[0].values[-1:]


def recv(step: TranslationStep) -> Values:
    """Nothing yet: each leaf is the token that is waited for."""
    return [step.value(0)] * step.declared_shape.leaf_count


def recv_done(step: TranslationStep) -> Values:
    """``recv``: the data and a token."""
    started = step.operands[0].shape.elements
    if len(started) < 3:
        step.refuse("the operand is what recv gives", operand=step.operands[0].shape)
    results = [step.type_of(leaf) for _, leaf in started[0].leaves()]
    fields = transfer(step, ChannelType.HOST_TO_DEVICE)
    token = step.operands[0].values[-1]
    return step.emit("stablehlo.recv", results=[*results, TOKEN], token=token, **fields).results


RULES: Final[Rules] = {
    "infeed": infeed,
    "outfeed": outfeed,
    "send": send,
    "send-done": send_done,
    "recv": recv,
    "recv-done": recv_done,
}
