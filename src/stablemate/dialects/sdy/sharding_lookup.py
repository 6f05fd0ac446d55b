"""Looks up the sharding that a program specifies for a value."""

from __future__ import annotations

from stablemate.dialects.func import FuncOp
from stablemate.dialects.sdy.attributes import TensorSharding, TensorShardingPerValue
from stablemate.ir.core import BlockArgument, OpResult, Value
from stablemate.ir.types import Type


def sharding_of(value: Value[Type]) -> TensorSharding | None:
    """The sharding of a value; None if the program specifies none."""
    match value:
        case OpResult():
            attributes = {**value.operation.discardable, **value.operation.attributes}
            for name in ("sdy.sharding", "out_sharding", "sharding", "out_shardings"):
                attribute = attributes.get(name)
                if isinstance(attribute, TensorSharding):
                    return attribute
                if isinstance(attribute, TensorShardingPerValue) and value.index < len(
                    attribute.shardings
                ):
                    return attribute.shardings[value.index]
        case BlockArgument():
            region = value.block.parent
            function = region.parent if region else None
            if isinstance(function, FuncOp) and value.index < len(function.argument_attributes):
                attribute = function.argument_attributes[value.index].get("sdy.sharding")
                return attribute if isinstance(attribute, TensorSharding) else None
        case _:
            pass
    return None
