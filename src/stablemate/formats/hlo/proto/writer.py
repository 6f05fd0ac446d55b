"""Writes modules.

Source: XLA, ``hlo.proto``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any, Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.formats.hlo.proto.attributes import field_paths
from stablemate.formats.hlo.proto.defaults import write_defaults
from stablemate.formats.hlo.proto.devices import write_groups, write_sharding
from stablemate.formats.hlo.proto.instructions import BRANCHES, CALLED
from stablemate.formats.hlo.proto.messages import Proto, message_class
from stablemate.formats.hlo.proto.metadata import write_metadata, write_stack_frames
from stablemate.formats.hlo.proto.names import unique_names
from stablemate.formats.hlo.proto.reader import MUST_ALIAS, ORDER, REST
from stablemate.formats.hlo.proto.shapes import shape_proto, write_program_shape
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.xla.module import HloComputation, HloInstruction, HloModule, OriginRecovery
from stablemate.xla.print_order import instruction_order
from stablemate.xla.shape import Shape
from stablemate.xla.values import Metadata, Payload

MAY_ALIAS: Final = 1
ID_BITS: Final = 32  # the low bits of an id number the instruction, the high bits its computation
MAIN_THREAD: Final = "main"  # not written


def write_proto(module: HloModule) -> bytes:
    """Returns a module as an encoded ``HloModuleProto``.

    Ids are kept if all instructions and computations have one, else generated as XLA does for a
    module that was read from text. Instructions of different computations with the same name
    receive numbers, as in XLA.

    Raises:
        UnsupportedError: The module has a constant whose values were elided, or a name that is not
            UTF-8.
    """
    try:
        with without_garbage_collection():
            data: bytes = module_proto(module).SerializeToString(deterministic=True)
    except UnicodeEncodeError as error:
        raw = error.object.encode("utf-8", "surrogateescape")
        raise UnsupportedError(f"protos have no form for {raw!r}, which is not UTF-8") from error
    return data


@dataclass(slots=True)
class Ids:
    """The ids of a module that is written, and the payloads of its metadata.

    Attributes:
        computations: Ids of the computations.
        instructions: Ids of the instructions, by computation.
        names: Names of the instructions that are different in the whole module.
        payloads: Bytes that metadata refers to, with their numbers.
    """

    computations: Mapping[str, int]
    instructions: Mapping[str, Mapping[str, int]]
    names: Mapping[str, Mapping[str, str]]
    payloads: dict[bytes, int] = field(default_factory=dict[bytes, int])


def ids_of(module: HloModule) -> Ids:
    """Returns the stored ids, or consecutive ones."""
    own = {computation.name: computation.id for computation in module.computations}
    inner = {
        computation.name: {
            instruction.name: instruction.id for instruction in computation.instructions
        }
        for computation in module.computations
    }
    if not are_distinct(own, inner):
        own = {name: i for i, name in enumerate(own)}
        inner = {
            name: {
                inner_name: (own[name] or 0) << ID_BITS | i for i, inner_name in enumerate(names)
            }
            for name, names in inner.items()
        }
    kept = {name: {k: v or 0 for k, v in numbers.items()} for name, numbers in inner.items()}
    numbers = {name: number or 0 for name, number in own.items()}
    return Ids(numbers, kept, unique_names(module))


def are_distinct(
    own: Mapping[str, int | None], inner: Mapping[str, Mapping[str, int | None]]
) -> bool:
    """Whether every computation and instruction has an id, and all ids differ."""
    all_ids = [number for numbers in inner.values() for number in numbers.values()]
    return all(
        None not in numbers and len(set(numbers)) == len(numbers)
        for numbers in (all_ids, list(own.values()))
    )


def module_proto(module: HloModule) -> Proto:
    """Returns the message of a module."""
    ids = ids_of(module)
    proto = message_class("HloModuleProto").FromString(module.proto_only.get(REST, b""))
    proto.name = module.name
    proto.entry_computation_name = module.entry
    proto.entry_computation_id = ids.computations[module.entry]
    for computation in in_file_order(module):
        write_computation(proto.computations.add(), computation, ids, scheduled=module.is_scheduled)
        if module.is_scheduled and not computation.is_fusion:
            numbers = ids.instructions[computation.name]
            order = computation.schedule or [
                instruction.name for instruction in computation.instructions
            ]
            sequence = proto.schedule.sequences[ids.computations[computation.name]]
            sequence.instruction_ids.extend(numbers[name] for name in order)
    border = module.entry_layout or replace(module.entry_computation.program_shape, names=())
    write_program_shape(proto.host_program_shape, border)
    write_aliases(proto, module)
    proto.frontend_attributes.map.update(module.frontend_attributes)
    proto.frontend_attributes.SetInParent()
    for row in module.origin_recovery:
        write_recovery(proto.original_value_recovery_table.entries.add(), row)
    if module.stack_frames is not None:
        write_stack_frames(proto.stack_frame_index, module.stack_frames)
    proto.payloads.extend(ids.payloads)
    write_partitioning(proto, module)
    return proto


def write_partitioning(proto: Proto, module: HloModule) -> None:
    """Writes what text cannot express: prefetches, and how the program was or is partitioned."""
    proto.is_dynamic = module.is_dynamic
    proto.use_auto_spmd_partitioning = module.use_auto_spmd_partitioning
    for prefetch in module.cross_program_prefetches:
        proto.cross_program_prefetches.add(
            parameter=prefetch.parameter, index=prefetch.index, offset=prefetch.offset
        )
    if module.spmd_output_sharding is not None:
        write_sharding(proto.spmd_output_sharding, module.spmd_output_sharding)
    for sharding in module.spmd_parameters_shardings:
        write_sharding(proto.spmd_parameters_shardings.add(), sharding)


def in_file_order(module: HloModule) -> list[HloComputation]:
    """Returns the computations in the order of the file they came from, else as they are."""
    names: tuple[str, ...] = module.proto_only.get(ORDER, ())
    if sorted(names) != sorted(module.by_name):
        return list(module.computations)
    return [module.by_name[name] for name in names]


def write_aliases(proto: Proto, module: HloModule) -> None:
    """Writes which results use, or may use, the memory of arguments."""
    proto.input_output_alias.SetInParent()
    proto.buffer_donor.SetInParent()
    for alias in module.input_output_alias:
        proto.input_output_alias.entries.add(
            output_shape_index=alias.output_index,
            parameter_number=alias.parameter,
            parameter_shape_index=alias.parameter_index,
            kind=MUST_ALIAS if alias.must else MAY_ALIAS,
        )
    for donor in module.buffer_donors:
        proto.buffer_donor.entries.add(
            parameter_number=donor.parameter, parameter_shape_index=donor.parameter_index
        )


def write_recovery(proto: Proto, row: OriginRecovery) -> None:
    """Writes a row of the origin recovery table."""
    for array, (name, index) in (
        (proto.old_original_array, row.old),
        (proto.new_original_array, row.new),
    ):
        array.instruction_name = name
        array.shape_index.extend(index)
    if row.module is not None:
        proto.recovery_module.CopyFrom(module_proto(row.module))


def write_computation(
    proto: Proto, computation: HloComputation, ids: Ids, *, scheduled: bool
) -> None:
    """Writes a computation; if it is scheduled, its instructions are sorted by their operands."""
    numbers = ids.instructions[computation.name]
    proto.name = computation.name
    proto.id = ids.computations[computation.name]
    proto.root_id = numbers[computation.root]
    proto.is_fusion_computation = computation.is_fusion
    if computation.execution_thread != MAIN_THREAD:
        proto.execution_thread = computation.execution_thread
    names = ids.names[computation.name]
    border = computation.program_shape
    border = replace(border, names=tuple(names[name] for name in border.names))
    write_program_shape(proto.program_shape, border)
    ordered = computation.instructions
    if scheduled:
        by_id = sorted(ordered, key=lambda instruction: numbers[instruction.name])
        plain = replace(computation, instructions=tuple(by_id), schedule=None)
        ordered = tuple(instruction_order(plain, by_uses=True))
    by_name = computation.by_name
    for instruction in ordered:
        added = proto.instructions.add()
        added.name = names[instruction.name]
        write_instruction(added, instruction, numbers, ids)
        write_defaults(added, instruction, by_name)


def write_instruction(
    proto: Proto, instruction: HloInstruction, numbers: Mapping[str, int], ids: Ids
) -> None:
    """Writes an instruction: opcode, ids, shape and attributes."""
    attributes = instruction.attributes
    proto.opcode = instruction.opcode
    proto.id = numbers[instruction.name]
    proto.shape.CopyFrom(shape_proto(instruction.shape))
    proto.operand_ids.extend(numbers[name] for name in instruction.operands)
    if instruction.opcode in ("constant", "custom-call") and "literal" in attributes:
        reject_elided(instruction)
    for place in field_paths(instruction.opcode):
        value = attributes.get(place.attribute)
        if value is not None:
            place.write(proto, value)
    for name, write in OTHERS.items():
        if name in attributes:
            write(proto, attributes[name])
    before = attributes.get("control-predecessors", ())
    proto.control_predecessor_ids.extend(numbers[name] for name in before)
    called = (ids.computations[name] for name in called_computations(instruction))
    proto.called_computation_ids.extend(called)
    for common_field in ("metadata", "frontend_attributes", "statistics_viz"):
        getattr(proto, common_field).SetInParent()
    if "metadata" in attributes:
        write_metadata(proto.metadata, with_payload_number(attributes["metadata"], ids.payloads))


def reject_elided(instruction: HloInstruction) -> None:
    """Rejects a constant without values."""
    if instruction.attributes["literal"].is_elided:
        raise UnsupportedError(
            f"the values of {instruction.name}, {instruction.shape}, were left out of the text; a "
            "protocol buffer needs them: elided='zeros' or 'random:SEED' gives it some",
            span=instruction.span,
        )


def called_computations(instruction: HloInstruction) -> tuple[str, ...]:
    """Returns the names of the called computations, in the order in which a message lists them."""
    attributes = instruction.attributes
    if instruction.opcode == "custom-call":
        listed: tuple[str, ...] = attributes.get("called_computations", ())
        return listed or tuple(attributes[n] for n in ("to_apply",) if n in attributes)
    if instruction.opcode == "conditional":
        pair = tuple(attributes[name] for name in BRANCHES if name in attributes)
        return pair or attributes.get("branch_computations", ())
    names = CALLED.get(instruction.opcode, ())
    return tuple(attributes[name] for name in names if name in attributes)


def with_payload_number(metadata: Metadata, payloads: dict[bytes, int]) -> Metadata:
    """Returns metadata with the number of its payload, which the module stores."""
    if metadata.payload is None or metadata.payload.value is None:
        return metadata
    number = payloads.setdefault(metadata.payload.value, len(payloads))
    return replace(metadata, payload=Payload(id=number))


def write_domain(proto: Proto, domain: Any) -> None:
    """Writes the shardings on both sides of a domain; text has them in the opposite order."""
    write_sharding(proto.domain_exit_sharding, domain.entry)
    write_sharding(proto.domain_entry_sharding, domain.exit)


def write_type(proto: Proto, word: str) -> None:
    """Writes the comparison type of ``compare``."""
    proto.comparison_type = word


def write_constraints(proto: Proto, shapes: tuple[Shape, ...]) -> None:
    """Writes the layouts that a custom call requires."""
    proto.constrain_layout = True
    proto.operand_shapes_with_layout.extend(shape_proto(shape) for shape in shapes)


def write_channel(proto: Proto, number: int) -> None:
    """Writes the channel id of a collective."""
    proto.channel_id = number


OTHERS: Final[dict[str, Callable[[Proto, Any], None]]] = {
    "type": write_type,
    "channel_id": write_channel,
    "replica_groups": write_groups,
    "operand_layout_constraints": write_constraints,
    "domain": write_domain,
}
