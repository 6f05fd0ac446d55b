"""The facts that StableHLO cannot express: found while a module is translated.

Tuples, their elements and the parameters of regions become no operations. What they say is lost
unless a neighbor says the same: the tuple that an element is taken from, the instruction that
takes the tuple, the instruction whose region it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.xla.module import Attributes, HloComputation, HloInstruction, HloModule
from stablemate.xla.shape import Shape
from stablemate.xla.translate.losses import Losses
from stablemate.xla.translate.to_stablehlo.metadata import (
    CONFIG,
    frontend_entries,
    has_default_layouts,
)
from stablemate.xla.values import HloSharding, Metadata

# Attributes that become a location, or attributes of MHLO, of the operation of an instruction.
NOTES: Final = (
    *("sharding", "frontend_attributes", "origin", "metadata", "schedule"),
    "async_execution_thread",
)
NO_OPERATION: Final = frozenset({"tuple", "get-tuple-element", "parameter"})
# Fields of metadata that locations do not have.
OF_METADATA: Final = ("profile_type", "deduplicated_name", "scheduling_name", "payload", "unknown")
NO_METADATA: Final = Metadata()


class ReadAttributes(dict[str, Any]):
    """The attributes of an instruction, which remember by which names they were asked for."""

    def __init__(self, attributes: Attributes) -> None:
        super().__init__(attributes)
        self.names: set[str] = set()

    def get(self, key: str, default: object = None, /) -> Any:
        """An attribute, or what its absence means."""
        self.names.add(key)
        return super().get(key, default)

    def __getitem__(self, key: str) -> object:
        self.names.add(key)
        return super().__getitem__(key)

    def unread(self) -> Iterator[str]:
        """The names of the attributes that nobody asked for."""
        return (name for name in self if name not in self.names)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The facts of an instruction that StableHLO cannot express.

    Attributes:
        computation: Its computation.
        users: The instructions that take each instruction, by name.
        caller: The attributes of the instruction whose region it is in; None in a function.
    """

    computation: HloComputation
    users: Mapping[str, Sequence[HloInstruction]]
    caller: Attributes | None

    def is_repeated(self, instruction: HloInstruction, key: str) -> bool:
        """Whether a neighbor of an instruction without an operation says the same."""
        value = instruction.attributes[key]
        if self.caller is not None and is_border(instruction, self.computation):
            return bool(self.caller.get(key) == value)
        match instruction.opcode:
            case "get-tuple-element":
                operand = self.computation.by_name[instruction.operands[0]]
                theirs = operand.attributes.get(key)
                if key == "sharding" and isinstance(theirs, HloSharding):
                    theirs = part_of(theirs, operand.shape, instruction.attributes["index"])
                return bool(theirs == value)
            case "tuple":
                by_users = (user.attributes.get(key) for user in self.users[instruction.name])
                return value in by_users or (
                    key == "sharding" and value == self.joined_sharding(instruction)
                )
            case _:
                return False

    def joined_sharding(self, instruction: HloInstruction) -> HloSharding | None:
        """The sharding of a tuple that follows from those of its parts."""
        parts: list[HloSharding] = []
        for name in instruction.operands:
            sharding: HloSharding | None = self.computation.by_name[name].attributes.get("sharding")
            if sharding is None:
                return None
            parts += sharding.elements if sharding.kind == "tuple" else (sharding,)
        return HloSharding("tuple", elements=tuple(parts))


def is_border(instruction: HloInstruction, computation: HloComputation) -> bool:
    """Whether an instruction is a parameter or the result of its computation."""
    return instruction.opcode == "parameter" or instruction.name == computation.root


def part_of(sharding: HloSharding, shape: Shape, index: int) -> HloSharding | None:
    """The sharding of an element of a tuple."""
    if sharding.kind != "tuple":
        return sharding
    first = sum(element.leaf_count for element in shape.elements[:index])
    count = shape.elements[index].leaf_count
    parts = sharding.elements[first : first + count]
    if shape.elements[index].is_tuple:
        return HloSharding("tuple", elements=parts)
    return parts[0] if parts else None


def surroundings(computation: HloComputation, caller: Attributes | None) -> Surroundings:
    """The facts of a computation that StableHLO cannot express."""
    users: dict[str, list[HloInstruction]] = {name: [] for name in computation.by_name}
    for instruction in computation.instructions:
        for operand in instruction.operands:
            users[operand].append(instruction)
    return Surroundings(computation, users, caller)


def report_notes(losses: Losses, instruction: HloInstruction, around: Surroundings) -> None:
    """Records what an instruction says that became no operation."""
    holder = instruction.opcode if instruction.opcode in NO_OPERATION else UNTRANSLATED
    attributes = instruction.attributes
    is_result = around.caller is None and instruction.name == around.computation.root
    for key in NOTES:
        if key not in attributes or (key == "sharding" and is_result):
            continue  # the sharding of the results of a function
        value = frontend_entries(instruction) if key == "frontend_attributes" else attributes[key]
        if value and not around.is_repeated(instruction, key):
            losses.add(key, holder, instruction.span, instruction.name)
    if instruction.opcode == "parameter":
        for name in attributes.keys() - OF_PARAMETERS - set(NOTES):
            losses.add(name, holder, instruction.span, attributes[name])
    if holder == UNTRANSLATED and not has_default_layouts(instruction.shape):
        losses.add("the layout", holder, instruction.span, instruction.shape)


UNTRANSLATED: Final = "instruction that needs no operation"


def report_metadata(losses: Losses, instruction: HloInstruction) -> None:
    """Records the fields of metadata that locations do not have."""
    metadata: Metadata = instruction.attributes.get("metadata", NO_METADATA)
    for name in OF_METADATA:
        value = getattr(metadata, name)
        if value:
            losses.add(f"{name} in the metadata", "instruction", instruction.span, value)


def report_unread(losses: Losses, instruction: HloInstruction, attributes: ReadAttributes) -> None:
    """Records the attributes that no operation expresses."""
    for name in attributes.unread():
        is_noted = name == CONFIG and CONFIG in frontend_entries(instruction)
        if name not in NOTES and not is_noted:
            value = attributes[name]
            losses.add(name, instruction.opcode, instruction.span, value)


# ---- parameters and modules


OF_PARAMETERS: Final = frozenset({"parameter_number", "parameter_replication"})


def report_parameter(losses: Losses, parameter: HloInstruction, border: Shape | None) -> None:
    """Records what an argument of a function cannot say.

    Args:
        losses: Where to record it.
        parameter: The parameter.
        border: Its shape with the layout at the border of the module; None if it is not there.
    """
    report_metadata(losses, parameter)
    for name in parameter.attributes.keys() - OF_PARAMETERS - set(NOTES):
        losses.add(name, "parameter", parameter.span, parameter.attributes[name])
    if "origin" in parameter.attributes and not parameter.shape.is_array:
        losses.add("the origin", "tuple parameter", parameter.span, parameter.name)
    if not has_default_layouts(parameter.shape) and parameter.shape != border:
        losses.add("the layout", "parameter", parameter.span, parameter.shape)


MODULE_FLAGS: Final = (
    *("is_scheduled", "alias_passthrough_params", "propagate_sharding_to_parameters"),
    *("propagate_sharding_to_output", "origin_recovery", "proto_only"),
)
ENCODED_FIELDS: Final = "proto_only"
ENCODED: Final = "encoded"
# What only a protocol buffer holds, and what only text holds.
OF_PROTO: Final = (
    *("is_dynamic", "use_auto_spmd_partitioning", "cross_program_prefetches"),
    *("spmd_output_sharding", "spmd_parameters_shardings", "proto_only"),
)
OF_TEXT: Final = (
    *("replica_count", "num_partitions", "alias_passthrough_params"),
    *("propagate_sharding_to_parameters", "propagate_sharding_to_output"),
)
DEFAULTS: Final = {row.name: row.default for row in fields(HloModule)}
# The names of fields in text and in protocol buffers.
NAMES: Final = {
    "origin_recovery": "origin_recovery_table",
    "propagate_sharding_to_parameters": "allow_spmd_sharding_propagation_to_parameters",
    "propagate_sharding_to_output": "allow_spmd_sharding_propagation_to_output",
    "proto_only": "a profile, a device assignment or the like",
}


def report_module(losses: Losses, module: HloModule) -> None:
    """Records the fields of a module that StableHLO has no place for."""
    report_fields(losses, module, MODULE_FLAGS)
    if module.entry_layout is not None:
        report_layouts(losses, module, module.entry_layout.result)
        for shape in module.entry_layout.parameters:
            report_layouts(losses, module, shape)


def report_fields(losses: Losses, module: HloModule, names: Sequence[str]) -> None:
    """Records the fields of a module that say something."""
    span = module.entry_computation.span
    for name in names:
        value = getattr(module, name)
        if name == ENCODED_FIELDS:
            value = value.get(ENCODED)
        if value and value != DEFAULTS[name]:
            shown = "" if name == ENCODED_FIELDS else value
            losses.add(NAMES.get(name, name), "module", span, shown)


BORDER: Final = "entry_computation_layout (but for order and tiles)"


def report_layouts(losses: Losses, module: HloModule, shape: Shape) -> None:
    """Records what layouts at the border say besides the order of dimensions and tiles."""
    for _, leaf in shape.leaves():
        layout = leaf.layout
        if layout is not None and layout != type(layout)(layout.minor_to_major, layout.tiles):
            span = module.entry_computation.span
            losses.add(BORDER, "module", span, leaf)
