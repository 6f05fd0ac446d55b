"""Translates the attributes of a module, of its arguments and of its results.

Source: XLA, ``HloModuleProto``; StableHLO and JAX, attributes of functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from stablemate.dialects.func import FuncOp
from stablemate.ir.attributes import (
    ArrayAttribute,
    DenseElementsAttribute,
    DictionaryAttribute,
    IntegerAttribute,
    StringAttribute,
)
from stablemate.ir.core import Block, BlockArgument, Module
from stablemate.ir.kinds import SI64_ARRAY
from stablemate.ir.types import Attribute
from stablemate.xla.layout import Layout
from stablemate.xla.module import HloComputation, HloInstruction, HloModule
from stablemate.xla.names import NAMELESS, sanitized
from stablemate.xla.shape import Shape
from stablemate.xla.translate.from_stablehlo.metadata import (
    FRONTEND,
    metadata_of,
    sharding_of,
    strings,
)
from stablemate.xla.translate.from_stablehlo.program import Program
from stablemate.xla.values import BufferDonor, InputOutputAlias, ProgramShape, Sharding

LAYOUTS: Final = "mhlo.xla_entry_computation"
DONOR: Final = "jax.buffer_donor"
ALIASING: Final = "tf.aliasing_output"


def with_entry_interface(module: Module, entry: FuncOp, program: Program) -> HloModule:
    """The module of computations, the last of which is the entry."""
    discardable = module.operation.discardable
    root = program.computations[-1]
    named = module.operation.attributes.get("sym_name")
    border = ProgramShape(
        tuple(map(row_major, root.program_shape.parameters)), row_major(root.program_shape.result)
    )
    module_name = named.value if isinstance(named, StringAttribute) else entry.sym_name
    return HloModule(
        sanitized(module_name) or NAMELESS,
        tuple(program.computations),
        root.name,
        entry_layout=with_entry_layouts(border, discardable),
        input_output_alias=(*module_aliases(discardable), *argument_aliases(entry)),
        buffer_donors=tuple(
            BufferDonor(i)
            for i, argument_attribute in enumerate(entry.argument_attributes)
            if DONOR in argument_attribute and ALIASING not in argument_attribute
        ),
        replica_count=number(discardable.get("mhlo.num_replicas"), 1),
        num_partitions=number(discardable.get("mhlo.num_partitions"), 1),
        frontend_attributes=strings(discardable.get(FRONTEND)),
    )


def number(attribute: Attribute | None, default: int) -> int:
    """An integer, or the default."""
    return int(attribute.value) if isinstance(attribute, IntegerAttribute) else default


# ---- aliases


def argument_aliases(entry: FuncOp) -> tuple[InputOutputAlias, ...]:
    """Input-output aliases from the attributes of arguments, as JAX writes them."""
    single = len(entry.type.results) == 1
    return tuple(
        InputOutputAlias(() if single else (number(argument_attribute[ALIASING], 0),), i)
        for i, argument_attribute in enumerate(entry.argument_attributes)
        if ALIASING in argument_attribute
    )


def module_aliases(discardable: Mapping[str, Attribute]) -> tuple[InputOutputAlias, ...]:
    """Input-output aliases from the attributes of the module."""
    rows = discardable.get("mhlo.input_output_alias")
    aliases: list[InputOutputAlias] = []
    for row in rows.items if isinstance(rows, ArrayAttribute) else ():
        if not isinstance(row, DictionaryAttribute):
            continue
        inner = entries(row.entries.get("alias"))
        kind = inner.get("kind")
        aliases.append(
            InputOutputAlias(
                indices(row.entries.get("output_index")),
                number(inner.get("parameter_number"), 0),
                indices(inner.get("parameter_index")),
                must=isinstance(kind, StringAttribute) and kind.value == "must_alias",
            )
        )
    return tuple(aliases)


def entries(attribute: Attribute | None) -> Mapping[str, Attribute]:
    """The entries of a dictionary; of anything else none."""
    return attribute.entries if isinstance(attribute, DictionaryAttribute) else {}


def indices(attribute: Any) -> tuple[int, ...]:
    """The integers of an attribute that lists some."""
    if isinstance(attribute, DenseElementsAttribute):
        return tuple(int(number) for number in np.asarray(attribute.array).reshape(-1))
    if attribute is not None and SI64_ARRAY.accepts(attribute):
        return tuple(SI64_ARRAY.value(attribute))
    return ()


# ---- layouts


def row_major(shape: Shape) -> Shape:
    """The same shape, arrays in row-major order."""
    if shape.is_tuple:
        return Shape.tuple_of(list(map(row_major, shape.elements)))
    return replace(shape, layout=Layout.row_major(shape.rank)) if shape.is_array else shape


def with_entry_layouts(border: ProgramShape, discardable: Mapping[str, Attribute]) -> ProgramShape:
    """The shapes of the border in the layouts that the module states."""
    parameters = in_layouts(border.parameters, discardable, "parameter_layouts", "parameter_tiles")
    result = border.result
    parts = result.elements if result.is_tuple else (result,)
    laid = in_layouts(parts, discardable, "result_layout", "result_tiles")
    return ProgramShape(parameters, Shape.tuple_of(laid) if result.is_tuple else laid[0])


def in_layouts(
    shapes: Sequence[Shape], discardable: Mapping[str, Attribute], layouts: str, tiles: str
) -> tuple[Shape, ...]:
    """Shapes in the layouts of an attribute, if it has one for each."""
    orders = discardable.get(f"{LAYOUTS}_{layouts}")
    if not isinstance(orders, ArrayAttribute) or len(orders.items) != len(shapes):
        return tuple(shapes)
    tiled = discardable.get(f"{LAYOUTS}_{tiles}")
    rows: Sequence[Attribute | None] = (
        tiled.items
        if isinstance(tiled, ArrayAttribute) and len(tiled.items) == len(shapes)
        else (None,) * len(shapes)
    )
    return tuple(
        in_layout(shape, indices(order), row)
        for shape, order, row in zip(shapes, orders.items, rows, strict=True)
    )


def in_layout(shape: Shape, order: tuple[int, ...], tiles: Attribute | None) -> Shape:
    """An array in an order of dimensions, with tiles; what is no array as it is."""
    if not shape.is_array or len(order) != shape.rank:
        return shape
    rows = tiles.items if isinstance(tiles, ArrayAttribute) else ()
    return replace(shape, layout=Layout(order, tuple(map(indices, rows))))


# ---- shardings of arguments and results


def sharded(computation: HloComputation, entry: FuncOp, program: Program) -> HloComputation:
    """The entry with the attributes of arguments and results."""
    attributes = entry.argument_attributes
    block: Block = entry.body.blocks[0]
    changed: list[HloInstruction] = []
    for instruction in computation.instructions:
        added: dict[str, Any] = {}
        if instruction.opcode == "parameter":
            i: int = instruction.attributes["parameter_number"]
            argument: BlockArgument[Any] = block.arguments[i]
            metadata = metadata_of(argument.location)
            sharding = sharding_of(attributes[i], program.read_sharding)
            added = {
                "metadata": metadata,
                "sharding": sharding,
                "frontend_attributes": strings(attributes[i].get(FRONTEND)) or None,
            }
        elif instruction.name == computation.root:
            added = {"sharding": result_sharding(entry, program)}
        kept = {name: value for name, value in added.items() if value is not None}
        changed.append(
            replace(instruction, attributes={**instruction.attributes, **kept})
            if kept
            else instruction
        )
    return replace(computation, instructions=tuple(changed))


def result_sharding(entry: FuncOp, program: Program) -> Sharding | None:
    """The sharding of the result; of several a tuple, if all have one."""
    parts = [
        sharding_of(result_attribute, program.read_sharding)
        for result_attribute in entry.result_attributes
    ]
    known_shardings = [part for part in parts if part is not None]
    if len(known_shardings) < len(parts) or not known_shardings:
        return None
    return (
        known_shardings[0]
        if len(known_shardings) == 1
        else Sharding("tuple", elements=tuple(known_shardings))
    )
