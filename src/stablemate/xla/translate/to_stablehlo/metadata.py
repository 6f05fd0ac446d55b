"""Translates metadata of instructions and modules to locations and attributes.

Metadata becomes a location; shardings and frontend attributes become attributes of MHLO, by the
names that XLA reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from stablemate.ir.attributes import (
    ArrayAttribute,
    DictionaryAttribute,
    StringAttribute,
    dense_elements,
    integer,
)
from stablemate.ir.kinds import SI64_ARRAY
from stablemate.ir.locations import UNKNOWN, FileLocation, Location, NameLocation, fused
from stablemate.ir.types import Attribute, TensorType
from stablemate.numerics.elements import I32, IndexType
from stablemate.xla.layout import Layout
from stablemate.xla.module import HloInstruction, HloModule
from stablemate.xla.shape import Shape
from stablemate.xla.values import Metadata, ProgramShape, Sharding

FRONTEND: Final = "mhlo.frontend_attributes"
COMPOSITE: Final = "composite."  # what the operation itself says
SHARDING: Final = "mhlo.sharding"
LAYOUTS: Final = "mhlo.xla_entry_computation"
NO_METADATA: Final = Metadata()


@dataclass(frozen=True, slots=True)
class Spelling:
    """Readers and writers of texts inside attributes; None where there are none.

    Attributes:
        sharding: The text of a sharding; without it shardings are left out.
        attribute: The attribute of a text in MLIR's syntax; without it dictionaries of typed
            custom calls and composites are refused.
    """

    sharding: Callable[[Sharding], str] | None = None
    attribute: Callable[[str], Attribute] | None = None


def location_of(instruction: HloInstruction) -> Location:
    """The name that the producer gave to an instruction, and the place in its source."""
    metadata: Metadata = instruction.attributes.get("metadata", NO_METADATA)
    name = NameLocation(metadata.op_name or instruction.name, UNKNOWN)
    if not metadata.source_file:
        return name
    end = None
    if metadata.source_end_line:
        end = (metadata.source_end_line, metadata.source_end_column)
    place = FileLocation(metadata.source_file, metadata.source_line, metadata.source_column, end)
    return fused((name, place))


def discardable(instruction: HloInstruction, spelling: Spelling) -> dict[str, Attribute]:
    """The sharding and the frontend's attributes of an instruction."""
    attributes: dict[str, Attribute] = {}
    sharding = instruction.attributes.get("sharding")
    if sharding is not None and spelling.sharding is not None:
        attributes[SHARDING] = StringAttribute(spelling.sharding(sharding))
    entries: Mapping[str, str] = instruction.attributes.get("frontend_attributes", {})
    if instruction.attributes.get("is_composite"):
        entries = {key: text for key, text in entries.items() if not key.startswith(COMPOSITE)}
    if entries:
        attributes[FRONTEND] = strings(entries)
    return attributes


def strings(entries: Mapping[str, str]) -> DictionaryAttribute:
    """A dictionary of strings."""
    return DictionaryAttribute({name: StringAttribute(entries[name]) for name in sorted(entries)})


def leaf_shardings(
    instruction: HloInstruction, spelling: Spelling
) -> list[Mapping[str, Attribute]]:
    """The attributes of each leaf of a value: its part of the sharding."""
    count = instruction.shape.leaf_count
    sharding: Sharding | None = instruction.attributes.get("sharding")
    if sharding is None or spelling.sharding is None:
        return [{}] * count
    shardings = sharding.elements if sharding.kind == "tuple" else (sharding,) * count
    if len(shardings) != count:
        return [{}] * count
    return [{SHARDING: StringAttribute(spelling.sharding(part))} for part in shardings]


def module_attributes(module: HloModule) -> dict[str, Attribute]:
    """The attributes of the module."""
    attributes: dict[str, Any] = {}
    if module.replica_count != 1 or module.num_partitions != 1:
        attributes["mhlo.num_replicas"] = integer(module.replica_count, I32)
        attributes["mhlo.num_partitions"] = integer(module.num_partitions, I32)
    if module.frontend_attributes:
        attributes[FRONTEND] = strings(module.frontend_attributes)
    if module.input_output_alias:
        attributes["mhlo.input_output_alias"] = aliases(module)
    layout = module.entry_layout
    if layout is not None and not is_default(layout):
        attributes |= layout_attributes(layout)
    return attributes


def aliases(module: HloModule) -> ArrayAttribute:
    """Input-output aliases, in XLA's numbering."""
    return ArrayAttribute(
        tuple(
            DictionaryAttribute(
                {
                    "alias": DictionaryAttribute(
                        {
                            "kind": StringAttribute(
                                "must_alias" if input_output_alia.must else "may_alias"
                            ),
                            "parameter_index": SI64_ARRAY.attribute(
                                input_output_alia.parameter_index
                            ),
                            "parameter_number": integer(input_output_alia.parameter),
                        }
                    ),
                    "output_index": SI64_ARRAY.attribute(input_output_alia.output_index),
                }
            )
            for input_output_alia in module.input_output_alias
        )
    )


def is_default(layout: ProgramShape) -> bool:
    """Whether all arrays are row-major, without tiles."""
    shapes = (*layout.parameters, layout.result)
    leaves = [leaf for shape in shapes for _, leaf in shape.leaves()]
    return all(leaf.layout is None or leaf.layout.is_default for leaf in leaves)


def layout_attributes(layout: ProgramShape) -> dict[str, Attribute]:
    """The layouts of the leaves of parameters and result, as XLA writes them."""
    arguments = [leaf for shape in layout.parameters for _, leaf in shape.leaves()]
    results = [leaf for _, leaf in layout.result.leaves()]
    return {
        f"{LAYOUTS}_parameter_layouts": ArrayAttribute(tuple(map(order_attribute, arguments))),
        f"{LAYOUTS}_parameter_tiles": ArrayAttribute(tuple(map(tiles_attribute, arguments))),
        f"{LAYOUTS}_result_layout": ArrayAttribute(tuple(map(order_attribute, results))),
        f"{LAYOUTS}_result_tiles": ArrayAttribute(tuple(map(tiles_attribute, results))),
    }


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
