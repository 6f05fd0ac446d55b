"""Custom calls whose targets say themselves what each device computes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Final, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.func import FuncOp
from stablemate.dialects.sdy.attributes import OpShardingRule, TensorMapping
from stablemate.dialects.sdy.axes import AxisRange
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.ir.builder import Builder
from stablemate.ir.core import Module
from stablemate.ir.rewriter import Rewriting
from stablemate.transforms.partitioning import tiles
from stablemate.transforms.partitioning.division import divide_factors, dividing_axis
from stablemate.transforms.partitioning.partitioner import Partitioner
from stablemate.transforms.partitioning.placement import Axes, TensorPlacement
from stablemate.transforms.partitioning.rules import stated_rule
from stablemate.transforms.sharding_import.hlo_shardings import StatedSharding


@dataclass(frozen=True, slots=True)
class LocalProgram:
    """The computation of each device for a custom call.

    Attributes:
        module: Its only function takes the shards of the operands and returns those of the results.
        operands: How the operands are divided, as XLA spells shardings.
        results: How the results are divided.
    """

    module: Module
    operands: Sequence[str]
    results: Sequence[str]


# Takes the operation, the shardings of its operands, and those of its results if a rule says them.
CustomPartitioner: TypeAlias = Callable[[Any, Sequence[str], Sequence[str] | None], LocalProgram]
CUSTOM_PARTITIONERS: Final[dict[str, CustomPartitioner]] = {}


def partition_by_target(self: Partitioner, operation: CustomCall, builder: Builder) -> None:
    """Puts what the target of a custom call computes on shards in the place of the call."""
    devices = self.resharder.devices
    operands = [self.partitioned[value].placement.reduced for value in operation.operands]
    results: list[str] | None = None
    rule = stated_rule(operation)
    if rule is not None:
        pairs = zip(rule.operands, operands, strict=True)
        kept = [gather_undivided_factors(rule, *pair) for pair in pairs]
        axes = divide_factors(operation, rule, kept)
        operands = [axes.placement(mapping) for mapping in rule.operands]
        results = [
            tiles.sharding_text(devices, axes.placement(mapping)) for mapping in rule.results
        ]
    texts = [tiles.sharding_text(devices, placement) for placement in operands]
    program = CUSTOM_PARTITIONERS[operation.call_target_name](operation, texts, results)
    needed = [
        placement_of(self, text, value)
        for text, value in zip(program.operands, operation.operands, strict=True)
    ]
    values = self.shards(operation, builder, needed)
    (function,) = (f for f in program.module.body.operations if isinstance(f, FuncOp))
    block = function.body.block
    rewriting = Rewriting({})
    rewriting.values.update(zip(block.arguments, values, strict=True))
    for nested in block.operations[:-1]:
        rewriting.place(nested, builder.block)
    returned = zip(operation.results, block.terminator.operands, program.results, strict=True)
    for result, value, text in returned:
        local = rewriting.values.get(value, value)
        self.record(result, local, placement_of(self, text, result))


def gather_undivided_factors(
    rule: OpShardingRule, mapping: TensorMapping, placement: TensorPlacement
) -> TensorPlacement:
    """The placement without the axes of factors that must not be divided."""
    pairs = zip(mapping, placement.dimensions, strict=True)
    return placement.with_dimensions(tuple(divisible_axes(rule, *pair) for pair in pairs))


def divisible_axes(rule: OpShardingRule, factors: Sequence[int], axes: Axes) -> Axes:
    """The axes of a dimension that divide its factors in front of those that are not divided."""
    undivided = [factor in rule.need_replication for factor in factors]
    if not any(undivided):
        return axes
    size = prod(rule.sizes[factor] for factor in factors[: undivided.index(True)])
    kept: list[AxisRange] = []
    for axis in axes:
        part = dividing_axis(axis, size)
        if part is None or part.size == 1:
            break
        kept.append(part)
        size //= part.size
    return tuple(kept)


def placement_of(self: Partitioner, text: str, value: Any) -> TensorPlacement:
    """The placement that XLA's spelling of a sharding stands for."""
    stated = StatedSharding(text, self.shardings.operation)
    return tiles.placement_on(self.resharder.devices, tiles.read_tiles(stated), value.type.rank)
