"""Checks attributes that any instruction may have: shardings, frontend attributes, predecessors.

Source: XLA, ``HloSharding::Validate``, ``HloVerifier``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.xla.module import HloInstruction
from stablemate.xla.shape import Shape
from stablemate.xla.shape_inference.case import alike
from stablemate.xla.values import HloSharding, Index, OutputOperandAlias


def sharding_and_layout_findings(
    instruction: HloInstruction, operands: Sequence[Shape]
) -> Iterator[Diagnostic]:
    """Checks shardings, replication of leaves, and requested layouts."""
    attributes, span = instruction.attributes, instruction.span
    shape = instruction.shape
    leaves = shape.leaf_count
    replication = attributes.get("parameter_replication")
    if replication is not None and len(replication) not in (0, leaves):
        values: dict[str, object] = {"entries": len(replication), "leaves": leaves}
        message = "parameter_replication has an entry for each leaf"
        yield Diagnostic(message, instruction.opcode, span, values)
    constraints = attributes.get("operand_layout_constraints")
    if constraints is not None:
        fits = len(constraints) == len(operands) and all(map(alike, constraints, operands))
        if not fits:
            values = {
                "constraints": ", ".join(map(str, constraints)),
                "operands": ", ".join(operand.to_text(layouts=False) for operand in operands),
            }
            message = "operand_layout_constraints has the shape of each operand"
            yield Diagnostic(message, instruction.opcode, span, values)
    aliases: Sequence[OutputOperandAlias] = attributes.get("output_to_operand_aliasing", ())
    for alias in aliases:
        operand = operands[alias.operand] if 0 <= alias.operand < len(operands) else None
        source, target = subshape(operand, alias.operand_index), subshape(shape, alias.output_index)
        if source is None or target is None or not alike(source, target):
            message = "an alias pairs a part of the result with a part of an operand, of one shape"
            shapes: dict[str, object] = {"output": target, "operand": source}
            yield Diagnostic(message, instruction.opcode, span, shapes)
    sharding = attributes.get("sharding")
    if sharding is not None:
        for message, facts in sharding_findings(sharding, shape):
            yield Diagnostic(message, "sharding", span, facts)


def subshape(shape: Shape | None, index: Index) -> Shape | None:
    """A part of a shape; None if there is none."""
    for number in index:
        if shape is None or not 0 <= number < len(shape.elements):
            return None
        shape = shape.elements[number]
    return shape


def sharding_findings(
    sharding: HloSharding, shape: Shape
) -> Iterator[tuple[str, dict[str, object]]]:
    """The errors in the sharding of a value: messages and facts."""
    if sharding.kind == "tuple":
        leaves = [leaf for _, leaf in shape.leaves()]
        if not shape.is_tuple or len(sharding.elements) not in (len(leaves), 1 - bool(leaves)):
            values: dict[str, object] = {"shardings": len(sharding.elements)}
            yield "a sharding for each leaf of a tuple", {**values, "leaves": len(leaves)}
            return
        for element, leaf in zip(sharding.elements, leaves, strict=False):
            yield from sharding_findings(element, leaf)
    elif sharding.kind == "tiled" and sharding.named is None and shape.is_array:
        yield from tile_findings(sharding, shape)


def tile_findings(sharding: HloSharding, shape: Shape) -> Iterator[tuple[str, dict[str, object]]]:
    """The errors in the tile assignment of an array."""
    tiles, extra = sharding.dimensions, len(sharding.last_tile_dims)
    rank = len(tiles) - extra - sharding.replicate_on_last_tile_dim
    if rank != shape.rank:
        yield "a number of tiles for each dimension", {"tiles": list(tiles), "rank": shape.rank}
    if sharding.iota is None:
        devices = sharding.devices
        if len(devices) != math.prod(tiles):
            facts: dict[str, object] = {"devices": len(devices), "tiles": list(tiles)}
            yield "a device for each tile", facts
        if len(set(devices)) != len(devices):
            yield "each device has one tile", {"devices": list(devices)}
