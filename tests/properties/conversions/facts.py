"""What modules say besides their computations, as facts that can be compared.

Operations and instructions are found by the frontend attribute ``tag``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from stablemate.analysis.structure.defaults import says_nothing
from stablemate.dialects.func import FuncOp
from stablemate.formats.hlo.text.attributes import WRITERS
from stablemate.formats.hlo.text.sharding.shardings import sharding_of_text, sharding_text
from stablemate.ir import core
from stablemate.ir.attributes import DictionaryAttribute, IntegerAttribute, StringAttribute
from stablemate.ir.equality import explicit_attributes
from stablemate.ir.locations import FileLocation, Location
from stablemate.ir.types import Attribute
from stablemate.numerics.elements import BOOLEAN
from stablemate.xla.kinds import Kind
from stablemate.xla.module import HloComputation, HloInstruction, HloModule
from stablemate.xla.opcodes import OPCODES
from stablemate.xla.translate.from_stablehlo.locations import (
    MetadataBuilder,
    frames_in,
    names_in,
    place_in,
)
from stablemate.xla.translate.to_stablehlo.metadata import leaf_numbers
from stablemate.xla.values import HloSharding, Metadata, StackFrames

Facts = dict[tuple[str, str], str]  # by tag and field
TAG: Final = "tag"
FRONTEND: Final = "mhlo.frontend_attributes"
SHARDING: Final = "mhlo.sharding"
SKIPPED: Final = frozenset({"tuple", "get-tuple-element"})
TUPLES: Final = frozenset({"stablehlo.tuple", "stablehlo.get_tuple_element"})
SYMBOLS: Final = frozenset({"callee", "decomposition", "called_computations"})
NAMING: Final = (Kind.COMPUTATION, Kind.COMPUTATIONS)
OF_HLO: Final = (
    *("input_output_alias", "buffer_donors", "frontend_attributes", "entry_layout", "is_dynamic"),
    *("use_auto_spmd_partitioning", "cross_program_prefetches", "spmd_output_sharding"),
    "spmd_parameters_shardings",
)
COUNTS: Final = ("replica_count", "num_partitions")  # which protocol buffers do not have
# What an absent attribute of a module means.
DEFAULTS: Final = {
    *("mhlo.is_dynamic = false", "mhlo.use_auto_spmd_partitioning = false"),
    *("mhlo.cross_program_prefetches = []", "mhlo.input_output_alias = []"),
}


# ---- HLO


def hlo_facts(module: HloModule) -> Facts:
    """The facts of a module of HLO."""
    facts: Facts = {("module", name): str(getattr(module, name)) for name in OF_HLO}
    facts |= {("module", name): text for name, text in by_leaves(module).items()}
    facts["module", "frontend_attributes"] = str(dict(sorted(module.frontend_attributes.items())))
    frames = module.stack_frames or StackFrames()
    for computation in module.computations:
        if computation.execution_thread != "main":
            continue  # XLA gives an asynchronous operation's attributes to what it computes
        for instruction in computation.instructions:
            tag = instruction.attributes.get("frontend_attributes", {}).get(TAG)
            if tag is not None and instruction.opcode not in SKIPPED:
                facts |= {(tag, name): text for name, text in of_instruction(instruction, frames)}
    entry = module.entry_computation
    for number, sharding in enumerate(result_shardings(entry)):
        if sharding is not None:
            facts["result", f"sharding {number}"] = sharding_text(sharding)
    return facts


def by_leaves(module: HloModule) -> dict[str, str]:
    """What a module says of parameters and results, which are numbered by leaves."""
    numbers = leaf_numbers(module)
    results = [index for index, _ in module.entry_computation.result.shape.leaves()]
    border = module.entry_layout
    shapes = () if border is None else (*border.parameters, border.result)
    return {
        "entry_layout": str([str(leaf) for shape in shapes for _, leaf in shape.leaves()]),
        "buffer_donors": str(
            [numbers[d.parameter, d.parameter_index] for d in module.buffer_donors]
        ),
        "input_output_alias": str(
            [
                (results.index(a.output_index), numbers[a.parameter, a.parameter_index], a.must)
                for a in module.input_output_alias
            ]
        ),
    }


def of_instruction(instruction: HloInstruction, frames: StackFrames) -> Iterator[tuple[str, str]]:
    """The fields of an instruction."""
    yield "opcode", instruction.opcode
    if any(
        leaf.layout is not None and not leaf.layout.is_default
        for _, leaf in instruction.shape.leaves()
    ):
        yield "layout", str(instruction.shape)
    for row in OPCODES[instruction.opcode].all_attributes:
        value = instruction.attributes.get(row.name)
        if value is None or row.kind in NAMING or row.name in ("literal", "parameter_number"):
            continue
        match row.name:
            case "metadata":
                yield from of_metadata(value, frames)
            case "control-predecessors":
                yield row.name, str(len(value))
            case "frontend_attributes":
                yield row.name, str({k: v for k, v in sorted(value.items()) if k != TAG})
            case _:
                yield row.name, WRITERS[row.kind](value)


def of_metadata(metadata: Metadata, frames: StackFrames) -> Iterator[tuple[str, str]]:
    """The fields of metadata, its frames spelled out."""
    for name in ("op_type", "op_name"):
        if value := getattr(metadata, name):
            yield name, value
    if metadata.source_file:
        end = (metadata.source_end_line, metadata.source_end_column)
        yield (
            "source",
            f"{metadata.source_file}:{metadata.source_line}:{metadata.source_column}-{end}",
        )
    stack: list[str] = []
    number = metadata.stack_frame_id
    while number:
        frame = frames.frames[number - 1]
        row = frames.locations[frame.location - 1]
        name = frames.functions[row.function - 1]
        file = frames.files[row.file - 1]
        stack.append(f"{name} {file}:{row.line}:{row.column}-{(row.end_line, row.end_column)}")
        number = frame.parent
    if stack:
        yield "frames", "; ".join(stack)


def result_shardings(entry: HloComputation) -> list[HloSharding | None]:
    """The sharding of each result; of an element of a tuple of one its own."""
    root = entry.result
    sharding: HloSharding | None = root.attributes.get("sharding")
    count = root.shape.leaf_count
    if sharding is None or sharding.kind != "tuple":
        return [sharding] * count
    return list(sharding.elements)


# ---- MLIR


def mlir_facts(module: core.Module) -> Facts:
    """The facts of a module of StableHLO."""
    facts: Facts = {}
    for name, attribute in module.operation.discardable.items():
        if not is_default(name, attribute):
            facts["module", name] = text_of(name, attribute)
    for operation in module.operation.walk():
        tag = tag_of(operation.discardable)
        is_inner = getattr(operation.parent_operation(), "name", "") == "stablehlo.async_start"
        if tag is not None and operation.name not in TUPLES and not is_inner:
            facts |= {(tag, name): text for name, text in of_operation(operation)}
        if isinstance(operation, FuncOp) and operation.body.blocks:
            for argument, attributes in zip(
                operation.body.blocks[0].arguments, operation.argument_attributes, strict=True
            ):
                tag = tag_of(attributes)
                if tag is not None:
                    fields = (*of_attributes(attributes), *of_location(argument.location))
                    facts |= {(tag, name): text for name, text in fields}
            if operation.sym_name == "main":
                for number, attributes in enumerate(operation.result_attributes):
                    for name, text in of_attributes(attributes):
                        facts["result", f"{name} {number}"] = text
    return facts


def is_default(name: str, attribute: Attribute) -> bool:
    """Whether an attribute of a module says nothing."""
    is_false = isinstance(attribute, IntegerAttribute) and attribute.type == BOOLEAN
    return f"{name} = {attribute}" in DEFAULTS or (is_false and not attribute.value)


def tag_of(attributes: Mapping[str, Attribute]) -> str | None:
    """The tag among attributes."""
    notes = attributes.get(FRONTEND)
    tag = notes.entries.get(TAG) if isinstance(notes, DictionaryAttribute) else None
    return tag.value if isinstance(tag, StringAttribute) else None


def of_operation(operation: core.Operation) -> Iterator[tuple[str, str]]:
    """The fields of an operation."""
    yield "operation", operation.name
    for name, attribute in explicit_attributes(operation).items():
        if name not in SYMBOLS and not says_nothing(operation, name, attribute):
            yield f"own {name}", str(attribute)
    yield from of_attributes(operation.discardable)
    yield from of_location(operation.location)


def of_attributes(attributes: Mapping[str, Attribute]) -> Iterator[tuple[str, str]]:
    """The attributes of MHLO and of producers."""
    for name, attribute in attributes.items():
        text = text_of(name, attribute)
        if text != "{}":
            yield name, text


def text_of(name: str, attribute: Attribute) -> str:
    """An attribute as text, without the tag."""
    if name == FRONTEND and isinstance(attribute, DictionaryAttribute):
        return str(DictionaryAttribute({k: v for k, v in attribute.entries.items() if k != TAG}))
    if name == SHARDING and isinstance(attribute, StringAttribute):
        return sharding_text(sharding_of_text(attribute.value))
    return str(attribute)


def of_location(location: Location) -> Iterator[tuple[str, str]]:
    """The fields of metadata that a location stands for."""
    types, names = names_in(location)
    if types:
        yield "op_type", types[0]
    if names:
        yield "op_name", ";".join(dict.fromkeys(names))
    place = place_in(location)
    if place is not None:
        yield "source", place_text(place)
    frames = [f"{frame.function} {place_text(frame.place)}" for frame in frames_in(location)]
    if frames:
        yield "frames", "; ".join(frames)
    if not MetadataBuilder().is_whole(location):
        yield "rest of location", str(location)


def place_text(place: FileLocation) -> str:
    """``f.py:3:4-(3, 4)``."""
    return f"{place.file}:{place.line}:{place.column}-{place.end or (place.line, place.column)}"


def named_by(losses: Any) -> set[str]:
    """The names that a conversion has warned of."""
    return {what for what, _ in losses.found}
