"""Programs of one device as XLA has them after its partitioner: attributes, and nothing of Shardy.

Source: XLA, ``mhlo_to_hlo/module_attributes_exporter``: the attributes of a partitioned module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from stablemate.dialects.builtin import grid_attributes
from stablemate.dialects.func import FuncOp
from stablemate.dialects.stablehlo.collectives import Collective
from stablemate.ir.attributes import (
    ArrayAttribute,
    DenseElementsAttribute,
    DictionaryAttribute,
    StringAttribute,
)
from stablemate.ir.builder import Builder
from stablemate.ir.core import Module, Operation, Value
from stablemate.ir.grid import Grid
from stablemate.ir.rewriter import Pattern, Rewriting
from stablemate.ir.types import Attribute, TensorType
from stablemate.numerics.elements import INDEX
from stablemate.transforms.vhlo.stablehlo_compatibility_expander import with_listed_groups

PARAMETERS: Final = "mhlo.spmd_parameters_shardings"
OUTPUT: Final = "mhlo.spmd_output_sharding"
PARAMETER_LAYOUTS: Final = "mhlo.xla_entry_computation_parameter_layouts"
RESULT_LAYOUTS: Final = "mhlo.xla_entry_computation_result_layout"
REPLICATED: Final = "{replicated}"
SHARDY: Final = "sdy."


def partition_attributes(
    grid: Grid, arguments: Sequence[str], results: Sequence[str]
) -> dict[str, Attribute]:
    """The attributes of a partitioned module.

    Args:
        grid: Its replicas and partitions.
        arguments: The sharding of each argument, in HLO's syntax.
        results: The sharding of each result.
    """
    attributes: dict[str, Attribute] = {
        **grid_attributes(grid),
        PARAMETERS: ArrayAttribute(tuple(map(StringAttribute, arguments))),
    }
    if results:  # XLA rejects a sharding of an empty tuple
        output = ", ".join(results)
        attributes[OUTPUT] = StringAttribute(output if len(results) == 1 else f"{{{output}}}")
    return attributes


def with_replicated_values(module: Module, function: FuncOp, grid: Grid) -> Module:
    """The module with the attributes of one whose arguments and results all devices have.

    Args:
        module: A program without shardings.
        function: Its entry function.
        grid: Its replicas and partitions.
    """
    sides = (function.type.inputs, function.type.results)
    attributes = partition_attributes(grid, *([REPLICATED] * len(side) for side in sides))
    return with_attributes(without_shardy(module), attributes)


def layout_attributes(
    arguments: Sequence[Sequence[int]], results: Sequence[Sequence[int]]
) -> dict[str, Attribute]:
    """The attributes that say in which layouts arguments and results are.

    Args:
        arguments: The dimensions of each argument, major to minor.
        results: Those of each result.
    """
    sides = {PARAMETER_LAYOUTS: arguments, RESULT_LAYOUTS: results}
    return {name: ArrayAttribute(tuple(map(minor_to_major, side))) for name, side in sides.items()}


def minor_to_major(order: Sequence[int]) -> DenseElementsAttribute:
    """Dimensions, major to minor, as XLA states them: minor to major."""
    dimensions = np.array([*reversed(order)], INDEX.dtype)
    return DenseElementsAttribute(TensorType((len(order),), INDEX), dimensions)


def with_attributes(module: Module, attributes: Mapping[str, Attribute]) -> Module:
    """The module with more attributes."""
    top = module.operation
    return module.with_operation(
        type(top)(
            (),
            (),
            top.attributes,
            top.regions,
            discardable={**top.discardable, **attributes},
            location=top.location,
            span=top.span,
        )
    )


def removal_pattern(operation: Operation, builder: Builder) -> tuple[()]:
    """The pattern that removes an operation without results."""
    return ()


def operand(operation: Operation, builder: Builder) -> Value:
    """The pattern that replaces an operation by its operand."""
    return operation.operands[0]


PATTERNS: Final[Mapping[str, Pattern]] = {
    "sdy.mesh": removal_pattern,
    "sdy.sharding_constraint": operand,
}


def without_shardy(module: Module) -> Module:
    """The module without meshes, constraints and attributes of Shardy: what a partitioner reads."""
    return module.with_operation(WithoutShardy(PATTERNS).copy_operation(module.operation))


def keep_attributes(attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
    """The attributes that are not of Shardy's dialect."""
    return {name: value for name, value in attributes.items() if not name.startswith(SHARDY)}


def kept_in_lists(attribute: Attribute) -> Attribute:
    """An attribute; dictionaries in a list (of arguments, say) without those of Shardy."""
    if not isinstance(attribute, ArrayAttribute):
        return attribute
    return ArrayAttribute(
        tuple(
            DictionaryAttribute(keep_attributes(entry.entries))
            if isinstance(entry, DictionaryAttribute)
            else entry
            for entry in attribute.items
        )
    )


class WithoutShardy(Rewriting):
    """Copies a module without attributes of Shardy's dialect, and without its meshes."""

    def copy_operation(self, operation: Operation) -> Operation:
        """A copy of an operation on the new values, without such attributes."""
        copy = super().copy_operation(operation)
        attributes = copy.attributes
        if isinstance(copy, FuncOp):
            attributes = {name: kept_in_lists(value) for name, value in attributes.items()}
        if isinstance(operation, Collective):  # its groups may be axes of a mesh, which goes
            attributes = with_listed_groups(operation, attributes)
        return type(copy)(
            copy.operands,
            [value.type for value in copy.results],
            attributes,
            copy.regions,
            discardable=keep_attributes(copy.discardable),
            successors=copy.successors,
            location=copy.location,
            span=copy.span,
            parts=copy.parts,
        )
