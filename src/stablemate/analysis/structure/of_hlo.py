"""The outline of an HLO module."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any, Final

from stablemate.analysis.structure.outline import (
    Body,
    Definition,
    Fact,
    Item,
    Outline,
    Slot,
    shortened,
)
from stablemate.formats.hlo.text.attributes import WRITERS
from stablemate.formats.hlo.text.sharding.shardings import sharding_text
from stablemate.xla.kinds import AttributeRow, Kind
from stablemate.xla.literal import Literal
from stablemate.xla.module import HloComputation, HloInstruction, HloModule
from stablemate.xla.opcodes import OPCODES
from stablemate.xla.program_shapes import program_shape_text

# What says where an instruction comes from, and what it is called.
OF_SOURCES: Final = frozenset({"metadata", "origin", "statistics"})
OF_ORDER: Final = "control-predecessors"
EFFECTS: Final = (
    "custom-call infeed outfeed send recv send-done recv-done rng rng-get-and-update-state "
    "all-reduce all-gather reduce-scatter all-to-all collective-permute collective-broadcast "
    "ragged-all-to-all all-reduce-start all-gather-start collective-permute-start async-start"
)
IMPURE: Final = frozenset(EFFECTS.split())
ROOT: Final = "ROOT"


def outline_of_hlo(module: HloModule) -> Outline:
    """The outline of an HLO module."""
    definitions = {
        each.name: Definition(each.name, computation(each), each.name == module.entry)
        for each in module.computations
    }
    span = module.entry_computation.span
    lines = [] if span is None or span.source.binary else span.source.text.split("\n")
    name = "" if span is None else span.source.name
    return Outline(name, "hlo", dict(facts_of_module(module)), definitions, (), lines)


def facts_of_module(module: HloModule) -> Iterator[tuple[str, Fact]]:
    """What a module says of itself."""
    if module.entry_layout is not None:
        yield "entry_computation_layout", plain(program_shape_text(module.entry_layout))
    stated: tuple[tuple[str, object, object], ...] = (
        ("is_scheduled", module.is_scheduled, False),
        ("input_output_alias", module.input_output_alias, ()),
        ("buffer_donors", module.buffer_donors, ()),
        ("alias_passthrough_params", module.alias_passthrough_params, False),
        ("replica_count", module.replica_count, 1),
        ("num_partitions", module.num_partitions, 1),
        ("frontend_attributes", dict(sorted(module.frontend_attributes.items())), {}),
        ("propagate_sharding_to_parameters", module.propagate_sharding_to_parameters, ()),
        ("propagate_sharding_to_output", module.propagate_sharding_to_output, ()),
    )
    for name, value, default in stated:
        if value != default:
            yield name, plain(str(value))


def plain(text: str) -> Fact:
    """A fact that names nothing."""
    return Fact(text, shortened(text))


def computation(made: HloComputation) -> Item:
    """The item of a computation, whose last item names its result."""
    line = None if made.span is None or made.span.source.binary else made.span.line
    facts = {} if made.execution_thread == "main" else {"thread": plain(made.execution_thread)}
    whole = Item("computation", facts, line)
    parameters = made.parameters
    body = Body([str(parameter.shape) for parameter in parameters])
    slots = {
        parameter.name: slot for parameter, slot in zip(parameters, body.arguments, strict=True)
    }
    for each in made.instructions:
        if each.opcode == "parameter" and not each.attributes.keys() - {
            "parameter_number",
            *OF_SOURCES,
        }:
            continue
        item = instruction(each)
        if each.opcode == "parameter":  # with facts of its own: a copy under the same name
            item.operands = (slots[each.name],)
        else:
            before = each.attributes.get(OF_ORDER, ())
            item.operands = tuple([slots[name] for name in (*each.operands, *before)])
        item.results = (Slot(item, 0, str(each.shape)),)
        slots[each.name] = item.results[0]
        body.items.append(item)
    root = Item(ROOT, {}, line_of(made.result))
    root.operands = (slots[made.root],)
    body.items.append(root)
    whole.bodies = (body,)
    return whole


def line_of(made: HloInstruction) -> int | None:
    """The line that an instruction stands in."""
    return None if made.span is None or made.span.source.binary else made.span.line


def instruction(made: HloInstruction) -> Item:
    """The item of an instruction, without operands."""
    item = Item(made.opcode, dict(facts_of(made)), line_of(made), made.opcode not in IMPURE)
    if made.opcode == "constant":
        item.constant = ("literal",)
    return item


def facts_of(made: HloInstruction) -> Iterator[tuple[str, Fact]]:
    """What an instruction says."""
    for row in OPCODES[made.opcode].all_attributes:
        value = made.attributes.get(row.name)
        if value is not None and row.name not in OF_SOURCES and row.name != OF_ORDER:
            yield row.name, fact(row, value)


def fact(row: AttributeRow, value: Any) -> Fact:
    """What an attribute says."""
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
        each = pending.pop()
        hashed.update(f"{each.shape.to_text(layouts=False)} {each.dynamic_sizes} ".encode())
        hashed.update(each.bits())
        pending += reversed(each.elements)
    shape = literal.shape.to_text(layouts=False)
    if literal.array is not None and literal.array.size == 1:
        return Fact(hashed.hexdigest(), f"{shape} {literal.array.reshape(-1)[0]}")
    return Fact(hashed.hexdigest(), f"{shape} {{{hashed.hexdigest()[:8]}...}}")
