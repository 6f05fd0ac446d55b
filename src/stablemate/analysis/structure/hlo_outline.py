"""The outline of an HLO module."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from typing import Any, Final

from stablemate.analysis.structure.outline import (
    Fact,
    OutlineBlock,
    OutlineOperation,
    OutlineValue,
    ProgramOutline,
    SymbolDefinition,
    abbreviate,
)
from stablemate.formats.hlo.text.attributes import WRITERS
from stablemate.formats.hlo.text.sharding.shardings import sharding_text
from stablemate.xla.kinds import AttributeRow, Kind
from stablemate.xla.literal import Literal
from stablemate.xla.module import HloComputation, HloInstruction, HloModule
from stablemate.xla.opcodes import OPCODES
from stablemate.xla.program_shapes import program_shape_text
from stablemate.xla.translate.to_stablehlo.locations import InstructionLocations
from stablemate.xla.values import Metadata

# What says where an instruction comes from, and what it is called.
OF_SOURCES: Final = frozenset({"metadata", "origin", "statistics"})
OF_ORDER: Final = "control-predecessors"
UNCOUNTED: Final = frozenset({*OF_SOURCES, OF_ORDER, "parameter_number"})
EFFECTS: Final = (
    "custom-call infeed outfeed send recv send-done recv-done rng rng-get-and-update-state "
    "all-reduce all-gather reduce-scatter all-to-all collective-permute collective-broadcast "
    "ragged-all-to-all all-reduce-start all-gather-start collective-permute-start async-start"
)
IMPURE: Final = frozenset(EFFECTS.split())
ROOT: Final = "ROOT"


def outline_of_hlo(module: HloModule, *, debug_info: bool = False) -> ProgramOutline:
    """The outline of an HLO module.

    Args:
        module: The module.
        debug_info: Whether metadata, origins and statistics count.
    """
    locations = InstructionLocations(module.stack_frames) if debug_info else None
    definitions = {
        hlo_computation.name: SymbolDefinition(
            hlo_computation.name,
            computation(hlo_computation, locations),
            hlo_computation.name == module.entry,
        )
        for hlo_computation in module.computations
    }
    span = module.entry_computation.span
    lines = [] if span is None or span.source.binary else span.source.text.split("\n")
    name = "" if span is None else span.source.name
    return ProgramOutline(name, "hlo", dict(facts_of_module(module)), definitions, (), lines)


def facts_of_module(module: HloModule) -> Iterator[tuple[str, Fact]]:
    """The attributes of a module."""
    if module.entry_layout is not None:
        yield "entry_computation_layout", plain(program_shape_text(module.entry_layout))
    module_facts: tuple[tuple[str, object, object], ...] = (
        ("is_scheduled", module.is_scheduled, False),
        ("input_output_alias", module.input_output_alias, ()),
        ("buffer_donors", module.buffer_donors, ()),
        ("alias_passthrough_params", module.alias_passthrough_params, False),
        ("replica_count", module.replica_count, 1),
        ("num_partitions", module.num_partitions, 1),
        ("frontend_attributes", dict(sorted(module.frontend_attributes.items())), {}),
        ("propagate_sharding_to_parameters", module.propagate_sharding_to_parameters, ()),
        ("propagate_sharding_to_output", module.propagate_sharding_to_output, ()),
        ("is_dynamic", module.is_dynamic, False),
        ("use_auto_spmd_partitioning", module.use_auto_spmd_partitioning, False),
        ("cross_program_prefetches", module.cross_program_prefetches, ()),
        ("spmd_output_sharding", module.spmd_output_sharding, None),
        ("spmd_parameters_shardings", module.spmd_parameters_shardings, ()),
    )
    for name, value, default in module_facts:
        if value != default:
            yield name, plain(str(value))


def plain(text: str) -> Fact:
    """A fact that names nothing."""
    return Fact(text, abbreviate(text))


def computation(
    hlo_computation: HloComputation, locations: InstructionLocations | None
) -> OutlineOperation:
    """The item of a computation, whose last item names its result."""
    line = (
        None
        if hlo_computation.span is None or hlo_computation.span.source.binary
        else hlo_computation.span.line
    )
    facts = (
        {}
        if hlo_computation.execution_thread == "main"
        else {"thread": plain(hlo_computation.execution_thread)}
    )
    computation_item = OutlineOperation("computation", facts, line)
    parameters = hlo_computation.parameters
    body = OutlineBlock([str(parameter.shape) for parameter in parameters])
    slots = {
        parameter.name: slot for parameter, slot in zip(parameters, body.arguments, strict=True)
    }
    for hlo_instruction in hlo_computation.instructions:
        item = instruction(hlo_instruction, locations)
        if hlo_instruction.opcode == "parameter" and not item.facts:
            continue
        if (
            hlo_instruction.opcode == "parameter"
        ):  # with facts of its own: a copy under the same name
            item.operands = (slots[hlo_instruction.name],)
        else:
            before = hlo_instruction.attributes.get(OF_ORDER, ())
            item.operands = tuple([slots[name] for name in (*hlo_instruction.operands, *before)])
        item.results = (OutlineValue(item, 0, str(hlo_instruction.shape)),)
        slots[hlo_instruction.name] = item.results[0]
        body.items.append(item)
    root = OutlineOperation(ROOT, {}, line_of(hlo_computation.result))
    root.operands = (slots[hlo_computation.root],)
    body.items.append(root)
    computation_item.bodies = (body,)
    return computation_item


def line_of(hlo_instruction: HloInstruction) -> int | None:
    """The line of an instruction."""
    return (
        None
        if hlo_instruction.span is None or hlo_instruction.span.source.binary
        else hlo_instruction.span.line
    )


def instruction(
    hlo_instruction: HloInstruction, locations: InstructionLocations | None
) -> OutlineOperation:
    """The item of an instruction, without operands; its source counts if locations are given."""
    facts = dict(facts_of(hlo_instruction))
    if locations is not None:
        facts |= dict(source_facts(hlo_instruction, locations))
    item = OutlineOperation(
        hlo_instruction.opcode,
        facts,
        line_of(hlo_instruction),
        hlo_instruction.opcode not in IMPURE,
    )
    if hlo_instruction.opcode == "constant":
        item.constant = ("literal",)
    return item


def facts_of(hlo_instruction: HloInstruction) -> Iterator[tuple[str, Fact]]:
    """The attributes of an instruction."""
    for row in OPCODES[hlo_instruction.opcode].all_attributes:
        value = hlo_instruction.attributes.get(row.name)
        if value is not None and row.name not in UNCOUNTED:
            yield row.name, fact(row, value)


def source_facts(
    hlo_instruction: HloInstruction, locations: InstructionLocations
) -> Iterator[tuple[str, Fact]]:
    """Where an instruction comes from; stack frames are spelled out, because their numbers vary."""
    for row in OPCODES[hlo_instruction.opcode].all_attributes:
        value = hlo_instruction.attributes.get(row.name)
        if value is None or row.name not in OF_SOURCES:
            continue
        if isinstance(value, Metadata):
            yield "location", plain(str(locations.of_instruction(hlo_instruction)))
            value = replace(value, stack_frame_id=0)
        yield row.name, plain(WRITERS[row.kind](value))


def fact(row: AttributeRow, value: Any) -> Fact:
    """The value of an attribute."""
    match row.kind:
        case Kind.COMPUTATION:
            return Fact("@", str(value), (value,))
        case Kind.COMPUTATIONS:
            return Fact("@" * len(value), ", ".join(value), tuple(value))
        case Kind.LITERAL:
            return literal_fact(value)
        case Kind.SHARDING:
            return plain(sharding_text(value, with_metadata=False))
        case _:
            return plain(WRITERS[row.kind](value))


def literal_fact(literal: Literal) -> Fact:
    """The fact of a constant."""
    hashed = blake2b(digest_size=16)
    pending = [literal]
    while pending:
        part = pending.pop()
        hashed.update(f"{part.shape.to_text(layouts=False)} {part.dynamic_sizes} ".encode())
        hashed.update(part.bits())
        pending += reversed(part.elements)
    shape = literal.shape.to_text(layouts=False)
    if literal.array is not None and literal.array.size == 1:
        return Fact(hashed.hexdigest(), f"{shape} {literal.array.reshape(-1)[0]}")
    return Fact(hashed.hexdigest(), f"{shape} {{{hashed.hexdigest()[:8]}...}}")
