"""Translates what an operation says besides: its location, sharding, frontend attributes, layout.

Source: XLA, ``OpMetadata``, ``OpSharding``, ``FrontendAttributes``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ParseError, UnsupportedError
from stablemate.diagnostics.source import Span
from stablemate.dialects.func import Call
from stablemate.dialects.mhlo.frontend_attributes import FRONTEND_ATTRIBUTES, frontend_texts
from stablemate.dialects.stablehlo.async_ import AsyncStart
from stablemate.ir.attributes import (
    ArrayAttribute,
    DictionaryAttribute,
    IntegerAttribute,
    StringAttribute,
)
from stablemate.ir.core import Operation
from stablemate.ir.locations import UNKNOWN
from stablemate.ir.types import Attribute
from stablemate.xla.mhlo_attributes import origin_of_text
from stablemate.xla.module import HloInstruction
from stablemate.xla.shape import Shape, shape_of_text
from stablemate.xla.translate.from_stablehlo.program import HloModuleBuilder
from stablemate.xla.translate.losses import UNTRANSLATED, Losses
from stablemate.xla.values import HloSharding, OriginalValue

SHARDING: Final = "mhlo.sharding"
ORIGIN: Final = "mhlo.original_value"
SHAPE: Final = "xla_shape"
CONFIG: Final = "backend_config"  # of a call, among its frontend attributes
# Attributes of operations that are translated here, or that rules read.
KNOWN: Final = frozenset({FRONTEND_ATTRIBUTES, SHARDING, ORIGIN, SHAPE})
# What an attribute must be to be read.
FORMS: Final[Mapping[str, type[Attribute]]] = {
    SHARDING: StringAttribute,
    "execution_thread": StringAttribute,
    "mhlo.parameter_replication": ArrayAttribute,
    "tf.aliasing_output": IntegerAttribute,
}
OF_OPERATIONS: Final[Mapping[str, frozenset[str]]] = {
    "stablehlo.custom_call": frozenset(
        {"mhlo.backend_config", "mhlo.attributes", "custom_call_schedule"}
    ),
    "stablehlo.async_start": frozenset({"execution_thread"}),
    "mhlo.bitcast": frozenset({"source_layout", "result_layout"}),
    **dict.fromkeys(
        ("mhlo.async_update", "mhlo.async_done"),  # which repeat what the start says
        frozenset({"called_computation", "execution_thread"}),
    ),
}
NO_NAMES: Final[frozenset[str]] = frozenset()


def annotate_instructions(
    program: HloModuleBuilder, operation: Operation, fresh: Sequence[HloInstruction]
) -> list[HloInstruction]:
    """The instructions of an operation with what it says besides.

    Args:
        program: The program.
        operation: The operation.
        fresh: Its instructions.

    Raises:
        UnsupportedError: Its sharding is none, or does not fit its results.
    """
    if not operation.discardable and operation.location is UNKNOWN:
        return list(fresh)
    report_unknown(program.losses, operation)
    common = common_attributes(program, operation)
    sharding = operation_sharding(program, operation)
    shapes = stated_shapes(program.losses, operation, fresh)
    instructions: list[HloInstruction] = []
    is_placed = sharding is None
    for instruction in fresh:
        own = {**common, **instruction.attributes}
        if "frontend_attributes" in common:
            merged = {**common["frontend_attributes"], **own["frontend_attributes"]}
            own["frontend_attributes"] = merged
        part = None if sharding is None else sharding_for(sharding, instruction)
        if part is not None:
            own["sharding"] = part
            is_placed = True
        elif sharding is not None and "frontend_attributes" in own:
            own["frontend_attributes"] = without_shardy(own["frontend_attributes"])
        shape = shapes.get(instruction.name, instruction.shape)
        instructions.append(replace(instruction, attributes=own, shape=shape))
    if not is_placed:
        report_unplaced(program, operation, fresh)
    if not fresh:
        for name in operation.discardable.keys() & KNOWN - {SHARDING}:
            program.losses.add(name, UNTRANSLATED, operation.span)
    return instructions


def without_shardy(entries: Mapping[str, str]) -> dict[str, str]:
    """Frontend attributes for an instruction that is not sharded as its operation is."""
    return {name: text for name, text in entries.items() if not name.startswith(SHARDY)}


SHARDY: Final = "xla.sdy."


def report_unknown(losses: Losses, operation: Operation) -> None:
    """Records the attributes that HLO has no place for, and the parts of a location."""
    known = KNOWN | OF_OPERATIONS.get(operation.name, NO_NAMES)
    if SHAPE in operation.discardable:
        known |= {"result_layout"}  # which the importer of XLA writes beside it
    report_others(losses, operation.discardable, known, "operation", operation.span)
    report_entries(losses, operation.discardable, "operation", operation.span)


def report_entries(
    losses: Losses, attributes: Mapping[str, Attribute], holder: str, span: Span | None
) -> None:
    """Records the frontend attributes that are no strings."""
    notes = attributes.get(FRONTEND_ATTRIBUTES)
    if not isinstance(notes, DictionaryAttribute):
        if notes is not None:
            losses.add(f"{FRONTEND_ATTRIBUTES} (no dictionary)", holder, span, notes)
        return
    for name, value in notes.entries.items():
        if not isinstance(value, StringAttribute):
            losses.add(f"the frontend attribute {name} (no string)", holder, span, value)


def report_unplaced(
    program: HloModuleBuilder, operation: Operation, fresh: Sequence[HloInstruction]
) -> None:
    """Records a sharding without an instruction; refuses one that fits none.

    Raises:
        UnsupportedError: No instruction has as many dimensions or leaves.
    """
    text = operation.discardable[SHARDING]
    if not fresh:
        program.losses.add(SHARDING, UNTRANSLATED, operation.span, text)
        return
    if isinstance(operation, AsyncStart):  # whose instruction may have other parts
        program.losses.add(SHARDING, "start", operation.span, text)
        return
    types = ", ".join(str(value.type) for value in operation.results) or "no results"
    raise UnsupportedError(
        Diagnostic(
            "a sharding has a number of tiles for each dimension, and a part for each result",
            SHARDING,
            operation.span,
            {"sharding": text, "results": types},
        )
    )


def common_attributes(program: HloModuleBuilder, operation: Operation) -> dict[str, Any]:
    """The metadata, the frontend attributes and the origin of an operation."""
    location = operation.location
    if not program.locations.is_whole(location):
        program.losses.add("a part of the location", "operation", operation.span, location)
    entries = frontend_texts(operation.discardable)
    if isinstance(operation, Call):
        entries.pop(CONFIG, None)
    added: dict[str, object] = {
        "metadata": program.locations.metadata(location),
        "frontend_attributes": entries or None,
        "origin": origin_of(program, operation.discardable, "operation", operation.span),
    }
    return {name: value for name, value in added.items() if value is not None}


def origin_of(
    program: HloModuleBuilder, attributes: Mapping[str, Attribute], holder: str, span: Span | None
) -> OriginalValue | None:
    """The original value among attributes."""
    stated = attributes.get(ORIGIN)
    if stated is None:
        return None
    origin = origin_of_text(str(stated))
    if origin is None:
        program.losses.add(ORIGIN, holder, span, stated)
    return origin


# ---- shardings


def operation_sharding(program: HloModuleBuilder, operation: Operation) -> HloSharding | None:
    """The sharding of an operation; one for no results is that of a tuple of none."""
    sharding = sharding_of(program, operation.discardable, operation.span)
    if sharding is None or operation.results or sharding.kind == "tuple":
        return sharding
    return HloSharding("tuple", elements=(sharding,))


def sharding_of(
    program: HloModuleBuilder, attributes: Mapping[str, Attribute], span: Span | None
) -> HloSharding | None:
    """The sharding among attributes.

    Raises:
        UnsupportedError: It holds none.
    """
    return sharding_in(program, SHARDING, attributes.get(SHARDING), span)


def sharding_in(
    program: HloModuleBuilder, name: str, text: Attribute | None, span: Span | None
) -> HloSharding | None:
    """The sharding in an attribute.

    Raises:
        UnsupportedError: It holds none.
    """
    if program.read_sharding is None or not isinstance(text, StringAttribute):
        return None
    try:
        return program.read_sharding(text.value)
    except ParseError as error:
        message = f"this is no sharding of HLO: {error.diagnostics[0].message}"
        diagnostic = Diagnostic(message, name, span, {"sharding": text})
        raise UnsupportedError(diagnostic) from None


def sharding_for(sharding: HloSharding, instruction: HloInstruction) -> HloSharding | None:
    """The part of the sharding of an operation for one of its instructions; None if none fits."""
    shape = instruction.shape
    if sharding.kind != "tuple":
        if shape.is_tuple:
            leaves = shape.leaf_count
            listed = HloSharding("tuple", elements=(sharding,) * leaves)
            return listed if leaves and fits_all(listed, shape) else None
        return sharding if fits(sharding, shape) else None
    if instruction.opcode == "get-tuple-element":
        index: int = instruction.attributes["index"]
        is_known = index < len(sharding.elements) and fits(sharding.elements[index], shape)
        return sharding.elements[index] if is_known else None
    if not shape.is_tuple:
        return None
    missing = shape.leaf_count - len(sharding.elements)
    if missing > 0 and instruction.opcode in CARRYING:  # a loop takes values from outside along
        rest = (HloSharding("replicated"),) * missing
        sharding = replace(sharding, elements=(*sharding.elements, *rest))
    return sharding if fits_all(sharding, shape) else None


CARRYING: Final = ("while", "tuple", "parameter")


def fits_all(sharding: HloSharding, shape: Shape) -> bool:
    """Whether the parts of a sharding fit the leaves of a tuple; a tuple of none has one part."""
    leaves = [leaf for _, leaf in shape.leaves()]
    if not leaves:
        return len(sharding.elements) <= 1
    return len(leaves) == len(sharding.elements) and all(map(fits, sharding.elements, leaves))


def fits(sharding: HloSharding, shape: Shape) -> bool:
    """Whether a sharding has the dimensions of an array."""
    if shape.is_tuple or sharding.kind == "tuple":
        return False
    if sharding.named is not None:
        return sharding.named.whole != "" or len(sharding.named.dimensions) == shape.rank
    if sharding.kind != "tiled":
        return True
    tiled = len(sharding.dimensions) - len(sharding.last_tile_dims)
    return shape.rank == tiled - sharding.replicate_on_last_tile_dim


# ---- layouts


def stated_shapes(
    losses: Losses, operation: Operation, fresh: Sequence[HloInstruction]
) -> dict[str, Shape]:
    """The shapes of instructions in the layouts that the importer of XLA notes of an operation."""
    text = operation.discardable.get(SHAPE)
    if text is None:
        return {}
    stated = shape_in(text)
    shapes: dict[str, Shape] = {}
    for instruction in fresh:
        source = shapes.get(instruction.operands[0]) if instruction.operands else None
        if stated is not None and is_alike(instruction.shape, stated):
            shapes[instruction.name] = stated
        elif source is not None and instruction.opcode == "get-tuple-element":
            shapes[instruction.name] = source.elements[instruction.attributes["index"]]
    if fresh and not shapes:
        losses.add(SHAPE, "operation", operation.span, text)
    return shapes


def shape_in(text: Attribute) -> Shape | None:
    """The shape in an attribute; None if it is none."""
    if not isinstance(text, StringAttribute):
        return None
    try:
        return shape_of_text(text.value)
    except ParseError:
        return None


def is_alike(shape: Shape, other: Shape) -> bool:
    """Whether two shapes are the same but for layouts."""
    return shape.to_text(layouts=False) == other.to_text(layouts=False)


def report_others(
    losses: Losses,
    attributes: Mapping[str, Attribute],
    known: Collection[str],
    holder: str,
    span: Span | None,
) -> None:
    """Records the attributes that are not among those that HLO has a place for, or hold others."""
    for name, attribute in attributes.items():
        form = FORMS.get(name)
        if name not in known or not (form is None or isinstance(attribute, form)):
            losses.add(name, holder, span, attribute)
