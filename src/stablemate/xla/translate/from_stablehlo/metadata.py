"""Translates metadata of an operation: locations, shardings and discardable attributes.

Source: XLA, ``OpMetadata``; MLIR, locations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from stablemate.ir.attributes import DictionaryAttribute, StringAttribute
from stablemate.ir.core import Operation
from stablemate.ir.locations import (
    CallSiteLocation,
    FileLocation,
    FusedLocation,
    Location,
    NameLocation,
)
from stablemate.ir.types import Attribute
from stablemate.xla.module import HloInstruction
from stablemate.xla.values import Metadata, Sharding

FRONTEND: Final = "mhlo.frontend_attributes"
SHARDING: Final = "mhlo.sharding"
Reader = Callable[[str], Sharding] | None


def annotated(
    instruction: HloInstruction, operation: Operation, read_sharding: Reader
) -> HloInstruction:
    """An instruction with the metadata of its operation."""
    added: dict[str, Any] = {}
    metadata = metadata_of(operation.location)
    if metadata is not None and "metadata" not in instruction.attributes:
        added["metadata"] = metadata
    if operation.discardable:
        entries = strings(operation.discardable.get(FRONTEND))
        if entries:
            added["frontend_attributes"] = {
                **entries,
                **instruction.attributes.get("frontend_attributes", {}),
            }
        sharding = sharding_of(operation.discardable, read_sharding)
        if sharding is not None and fits(sharding, instruction):
            added["sharding"] = sharding
    if not added:
        return instruction
    return replace(instruction, attributes={**instruction.attributes, **added})


def fits(sharding: Sharding, instruction: HloInstruction) -> bool:
    """Whether a sharding fits an instruction: of a tuple it has one for each leaf."""
    leaves = [leaf for _, leaf in instruction.shape.leaves()]
    if sharding.kind == "tuple":
        return instruction.shape.is_tuple and len(leaves) == len(sharding.elements)
    if sharding.kind == "tiled" and sharding.named is None:
        tiled = len(sharding.dimensions) - len(sharding.last_tile_dims)
        tiled -= sharding.replicate_on_last_tile_dim
        return not instruction.shape.is_tuple and instruction.shape.rank == tiled
    return not instruction.shape.is_tuple


def sharding_of(attributes: Mapping[str, Attribute], read_sharding: Reader) -> Sharding | None:
    """The sharding among attributes."""
    text = attributes.get(SHARDING)
    if read_sharding is None or not isinstance(text, StringAttribute):
        return None
    return read_sharding(text.value)


def strings(attribute: Attribute | None) -> dict[str, str]:
    """The strings of a dictionary."""
    if not isinstance(attribute, DictionaryAttribute):
        return {}
    return {
        name: value.value
        for name, value in sorted(attribute.entries.items())
        if isinstance(value, StringAttribute)
    }


def metadata_of(location: Location) -> Metadata | None:
    """The name and the source line of a location; None if it has neither."""
    name, place = "", None
    pending = [location]
    while pending:
        match pending.pop():
            case NameLocation() as each:
                name = name or each.name
                pending.append(each.child)
            case CallSiteLocation() as each:
                pending.append(each.callee)
            case FusedLocation() as each:
                pending += reversed(each.locations)
            case FileLocation() as each:
                place = place or each
            case _:
                pass
    if place is None:
        return Metadata(op_name=name) if name else None
    end = place.end or (0, 0)
    return Metadata(
        op_name=name,
        source_file=place.file,
        source_line=place.line,
        source_end_line=end[0],
        source_column=place.column,
        source_end_column=end[1],
    )
