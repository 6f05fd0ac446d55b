"""Translates what instructions and modules say besides to attributes.

Shardings, frontend attributes and layouts become attributes of MHLO, by the names that XLA reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.builtin import grid_attributes
from stablemate.dialects.mhlo.frontend_attributes import FRONTEND_ATTRIBUTES
from stablemate.ir.attributes import (
    ArrayAttribute,
    DictionaryAttribute,
    OpaqueAttribute,
    StringAttribute,
    dense_elements,
    integer,
)
from stablemate.ir.grid import Grid
from stablemate.ir.kinds import BOOLEAN_KIND, SI64_ARRAY
from stablemate.ir.types import Attribute, TensorType
from stablemate.numerics.elements import IndexType
from stablemate.xla.layout import Layout
from stablemate.xla.mhlo_attributes import origin_text, prefetch_text
from stablemate.xla.module import HloInstruction, HloModule
from stablemate.xla.shape import Shape
from stablemate.xla.values import HloSharding, Index, InputOutputAlias, OriginalValue

COMPOSITE: Final = "composite."  # what the operation itself says
SHARDING: Final = "mhlo.sharding"
ORIGIN: Final = "mhlo.original_value"
REPLICATION: Final = "mhlo.parameter_replication"
CALL: Final = "call"
CONFIG: Final = "backend_config"
SCHEDULE: Final = "custom_call_schedule"
THREAD: Final = "execution_thread"
SHAPE: Final = "xla_shape"
RESULT_LAYOUT: Final = "result_layout"
LAYOUTS: Final = "mhlo.xla_entry_computation"
TRUE: Final = BOOLEAN_KIND.attribute(True)


@dataclass(frozen=True, slots=True)
class Spelling:
    """Readers and writers of texts inside attributes; None where there are none.

    Attributes:
        sharding: The text of a sharding; without it shardings are left out.
        attribute: The attribute of a text in MLIR's syntax; without it dictionaries of typed
            custom calls and composites are refused.
    """

    sharding: Callable[[HloSharding], str] | None = None
    attribute: Callable[[str], Attribute] | None = None


def discardable(instruction: HloInstruction, spelling: Spelling) -> dict[str, Attribute]:
    """The metadata of an instruction: sharding, frontend attributes, origin, layouts."""
    stated = instruction.attributes
    attributes: dict[str, Attribute] = {}
    sharding = stated.get("sharding")
    if sharding is not None and spelling.sharding is not None:
        attributes[SHARDING] = StringAttribute(spelling.sharding(sharding))
    if entries := frontend_entries(instruction):
        attributes[FRONTEND_ATTRIBUTES] = strings(entries)
    if "origin" in stated:
        attributes[ORIGIN] = OpaqueAttribute(origin_text(stated["origin"]))
    if "schedule" in stated:
        word = stated["schedule"].removeprefix("SCHEDULE_")
        attributes[SCHEDULE] = OpaqueAttribute(f"#mhlo<custom_call_schedule {word}>")
    if "async_execution_thread" in stated:
        attributes[THREAD] = StringAttribute(stated["async_execution_thread"])
    if not has_default_layouts(instruction.shape):
        attributes |= shape_attributes(instruction.shape)
    return attributes


def frontend_entries(instruction: HloInstruction) -> Mapping[str, str]:
    """The frontend attributes: of a composite not its own ones, of a call its configuration too."""
    entries: Mapping[str, str] = instruction.attributes.get("frontend_attributes", {})
    if not instruction.attributes.get("is_composite"):
        config = instruction.attributes.get(CONFIG) if instruction.opcode == CALL else None
        return entries if config is None else {**entries, CONFIG: config}
    return {key: text for key, text in entries.items() if not key.startswith(COMPOSITE)}


def has_default_layouts(shape: Shape) -> bool:
    """Whether all arrays in a shape are row-major, without tiles."""
    layouts = (leaf.layout for _, leaf in shape.leaves())
    return all(layout is None or layout.is_default for layout in layouts)


def shape_attributes(shape: Shape) -> dict[str, Attribute]:
    """A shape with layouts, as XLA's importer notes it."""
    orders = tuple(order_attribute(leaf) for _, leaf in shape.leaves())
    order: Attribute = ArrayAttribute(orders) if shape.is_tuple else orders[0]
    return {RESULT_LAYOUT: order, SHAPE: StringAttribute(str(shape))}


def strings(entries: Mapping[str, str]) -> DictionaryAttribute:
    """Converts texts to a dictionary attribute, sorted by key."""
    return DictionaryAttribute({name: StringAttribute(entries[name]) for name in sorted(entries)})


# ---- arguments and results


def argument_attributes(
    parameter: HloInstruction, spelling: Spelling
) -> list[dict[str, Attribute]]:
    """The attributes of each leaf of a parameter."""
    rows = leaf_shardings(parameter, spelling)
    notes: dict[str, Attribute] = {}
    if entries := frontend_entries(parameter):
        notes[FRONTEND_ATTRIBUTES] = strings(entries)
    replication = parameter.attributes.get("parameter_replication", ())
    for number, row in enumerate(rows):
        row.update(notes)
        if number < len(replication) and replication[number]:
            row[REPLICATION] = ArrayAttribute((TRUE,))
    origin: OriginalValue | None = parameter.attributes.get("origin")
    if origin is not None and parameter.shape.is_array:
        rows[0][ORIGIN] = OpaqueAttribute(origin_text(origin))
    return rows


def leaf_shardings(instruction: HloInstruction, spelling: Spelling) -> list[dict[str, Attribute]]:
    """The attributes of each leaf of a value: its part of the sharding."""
    count = instruction.shape.leaf_count
    sharding: HloSharding | None = instruction.attributes.get("sharding")
    if sharding is None or spelling.sharding is None:
        return [{} for _ in range(count)]
    shardings = sharding.elements if sharding.kind == "tuple" else (sharding,) * count
    if len(shardings) != count:
        return [{} for _ in range(count)]
    return [{SHARDING: StringAttribute(spelling.sharding(part))} for part in shardings]


def optional_array_attribute(rows: Sequence[Mapping[str, Attribute]]) -> ArrayAttribute | None:
    """Attributes of arguments or results; None if none has any."""
    if not any(rows):
        return None
    return ArrayAttribute(tuple(DictionaryAttribute(dict(row)) for row in rows))


# ---- modules


def module_attributes(module: HloModule, spelling: Spelling) -> dict[str, Attribute]:
    """The attributes of the module; what says nothing is left out."""
    attributes: dict[str, Attribute] = {}
    if module.replica_count != 1 or module.num_partitions != 1:
        attributes |= grid_attributes(Grid(module.replica_count, module.num_partitions))
    if module.frontend_attributes:
        attributes[FRONTEND_ATTRIBUTES] = strings(module.frontend_attributes)
    if module.input_output_alias:
        attributes["mhlo.input_output_alias"] = aliases(module)
    if module.is_dynamic:
        attributes["mhlo.is_dynamic"] = TRUE
    if module.use_auto_spmd_partitioning:
        attributes["mhlo.use_auto_spmd_partitioning"] = TRUE
    if module.cross_program_prefetches:
        attributes["mhlo.cross_program_prefetches"] = prefetches(module)
    return attributes | partitioned_attributes(module, spelling) | layout_attributes(module)


def partitioned_attributes(module: HloModule, spelling: Spelling) -> dict[str, Attribute]:
    """The shardings that parameters and result had before the program was partitioned."""
    attributes: dict[str, Attribute] = {}
    write = spelling.sharding
    if write is None:
        return attributes
    if module.spmd_output_sharding is not None:
        text = StringAttribute(write(module.spmd_output_sharding))
        attributes["mhlo.spmd_output_sharding"] = text
    if module.spmd_parameters_shardings:
        leaves = (
            leaf
            for sharding in module.spmd_parameters_shardings
            for leaf in (sharding.elements if sharding.kind == "tuple" else (sharding,))
        )
        attributes["mhlo.spmd_parameters_shardings"] = ArrayAttribute(
            tuple(StringAttribute(write(leaf)) for leaf in leaves)
        )
    return attributes


def prefetches(module: HloModule) -> ArrayAttribute:
    """Prefetched parameters, numbered by leaves."""
    leaves = leaf_numbers(module)
    return ArrayAttribute(
        tuple(
            OpaqueAttribute(
                prefetch_text(
                    replace(prefetch, parameter=leaves[key], index=())
                    if (key := (prefetch.parameter, prefetch.index)) in leaves
                    else prefetch
                )
            )
            for prefetch in module.cross_program_prefetches
        )
    )


def leaf_numbers(module: HloModule) -> dict[tuple[int, Index], int]:
    """The argument for each leaf of a parameter."""
    pairs = (
        (number, index)
        for number, parameter in enumerate(module.entry_computation.parameters)
        for index, _ in parameter.shape.leaves()
    )
    return {pair: argument for argument, pair in enumerate(pairs)}


def aliases(module: HloModule) -> ArrayAttribute:
    """Input-output aliases; arguments and results are leaves."""
    leaves = leaf_numbers(module)
    results = [index for index, _ in module.entry_computation.result.shape.leaves()]
    rows: list[Attribute] = []
    for alias in module.input_output_alias:
        key = (alias.parameter, alias.parameter_index)
        if key not in leaves or alias.output_index not in results:
            rows.append(alias_attribute(alias))
            continue
        position = () if len(results) == 1 else (results.index(alias.output_index),)
        flat = InputOutputAlias(position, leaves[key], (), alias.must)
        rows.append(alias_attribute(flat))
    return ArrayAttribute(tuple(rows))


def alias_attribute(alias: InputOutputAlias) -> DictionaryAttribute:
    """Converts an input-output alias to a dictionary attribute."""
    parameter = {
        "kind": StringAttribute("must_alias" if alias.must else "may_alias"),
        "parameter_index": SI64_ARRAY.attribute(alias.parameter_index),
        "parameter_number": integer(alias.parameter),
    }
    output = SI64_ARRAY.attribute(alias.output_index)
    return DictionaryAttribute({"alias": DictionaryAttribute(parameter), "output_index": output})


def layout_attributes(module: HloModule) -> dict[str, Attribute]:
    """The layouts at the border that are not row-major, as XLA writes them.

    Those of results are written, too, where the entry computes them in another layout.
    """
    border = module.entry_layout
    if border is None:
        return {}
    computed = module.entry_computation.result.shape
    sides = (
        ("parameter_layouts", "parameter_tiles", border.parameters, ()),
        ("result_layout", "result_tiles", (border.result,), (computed,)),
    )
    attributes: dict[str, Attribute] = {}
    for orders, tiles, shapes, others in sides:
        leaves = leaves_of(shapes)
        if not all(map(has_default_layouts, [*leaves, *leaves_of(others)])):
            attributes[f"{LAYOUTS}_{orders}"] = ArrayAttribute(tuple(map(order_attribute, leaves)))
            attributes[f"{LAYOUTS}_{tiles}"] = ArrayAttribute(tuple(map(tiles_attribute, leaves)))
    return attributes


def leaves_of(shapes: Sequence[Shape]) -> list[Shape]:
    """Flattens shapes to those of their arrays."""
    return [leaf for shape in shapes for _, leaf in shape.leaves()]


def order_attribute(shape: Shape) -> Attribute:
    """The order of dimensions of an array; of anything else nothing."""
    layout = shape.layout or Layout.row_major(shape.rank)
    return indices(layout.minor_to_major if shape.is_array else ())


def tiles_attribute(shape: Shape) -> Attribute:
    """The tiles of an array."""
    tiles = shape.layout.tiles if shape.layout else ()
    return ArrayAttribute(tuple(map(indices, tiles)))


def indices(numbers: tuple[int, ...]) -> Attribute:
    """``dense<[1, 0]> : tensor<2xindex>``."""
    tensor = TensorType((len(numbers),), IndexType())
    return dense_elements(tensor, np.array(numbers, np.int64))
