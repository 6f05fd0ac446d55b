"""Reads modules.

Source: XLA, ``hlo.proto``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError, ParseError
from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.diagnostics.source import Source, Span
from stablemate.formats.hlo.proto.devices import read_sharding
from stablemate.formats.hlo.proto.instructions import References, read_instruction
from stablemate.formats.hlo.proto.messages import MessageError, Proto, message_class
from stablemate.formats.hlo.proto.metadata import read_stack_frames
from stablemate.formats.hlo.proto.names import ProtoNameUniquer
from stablemate.formats.hlo.proto.recognition import module_bytes
from stablemate.formats.hlo.proto.shapes import read_program_shape
from stablemate.formats.hlo.proto.wire import WireError
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.xla.module import HloComputation, HloInstruction, HloModule, OriginRecovery
from stablemate.xla.names import NAMELESS, sanitize
from stablemate.xla.primitive_types import BY_NUMBER
from stablemate.xla.print_order import computation_order
from stablemate.xla.values import BufferDonor, CrossProgramPrefetch, HloSharding, InputOutputAlias

MUST_ALIAS: Final = 2
# Keys of ``HloModule.proto_only``: the order of computations in the file, and encoded fields.
ORDER: Final = "computations"
REST: Final = "encoded"
# Fields that text cannot express; a module keeps them in ``HloModule.proto_only``.
PROTO_ONLY: Final = (
    *("id", "profile_info", "device_assignment", "device_type", "payloads", "pjrt_id"),
)


def read_proto(
    data: bytes | memoryview[int], name: str = "<proto>", limits: Limits = DEFAULT_LIMITS
) -> HloModule:
    """Returns the module of an HLO protocol buffer.

    Args:
        data: A message ``HloModuleProto``, ``HloProto``, ``HloSnapshot`` or
            ``HloUnoptimizedSnapshot``; which one is seen from its content.
        name: Its name in messages.
        limits: The limits of reading.

    Returns:
        The module. Computations and instructions keep their order and ids; of scheduled
        computations the instructions are in the order of the schedule. Unknown fields are ignored.

    Raises:
        ParseError: It is no such message, or what it says does not fit together.
        LimitError: It is larger than the limits allow.
    """
    span = Span(Source("", name, binary=True), 0, 0)
    if len(data) > limits.input_bytes:
        raise LimitError(
            Diagnostic(f"{len(data)} bytes, more than the limit {limits.input_bytes}", span=span)
        )
    try:
        with without_garbage_collection():
            return read_module(decode(data))
    except MessageError as error:
        raise ParseError(Diagnostic(str(error), "HLO protocol buffer", span)) from None


def sharding_of_bytes(data: bytes) -> HloSharding:
    """The sharding in the bytes of an ``OpSharding``.

    Raises:
        ParseError: They are none.
    """
    from google.protobuf.message import DecodeError

    try:
        return read_sharding(message_class("OpSharding").FromString(data))
    except (MessageError, DecodeError):
        raise ParseError(Diagnostic("these bytes are no OpSharding")) from None


def decode(data: bytes | memoryview[int]) -> Proto:
    """Returns the message of a module.

    Raises:
        Fault: The bytes are none.
    """
    from google.protobuf.message import DecodeError

    try:
        inner = bytes(module_bytes(memoryview(data)))
        message = message_class("HloModuleProto").FromString(inner)
    except (WireError, DecodeError):
        raise MessageError(
            "these bytes are neither an HloModuleProto nor a message that wraps one"
        ) from None
    if not message.computations:
        raise MessageError("a module without computations")
    return message


def read_module(proto: Proto) -> HloModule:
    """Returns the module in a message.

    Raises:
        Fault: The message is none.
    """
    ids = [computation.id for computation in proto.computations]
    names = distinct_names(computation.name for computation in proto.computations)
    if len(set(ids)) < len(ids):
        raise MessageError("two computations have the same id")
    payloads = tuple(proto.payloads)
    above: dict[int, str] = {}  # a computation calls those above it
    computations: list[HloComputation] = []
    for computation, name in zip(proto.computations, names, strict=True):
        schedule = schedule_of(proto, computation.id)
        computations.append(read_computation(computation, name, above, payloads, schedule))
        above[computation.id] = name
    entry = above.get(proto.entry_computation_id)
    if entry is None:
        raise MessageError(
            f"there is no computation with the id {proto.entry_computation_id}, the entry"
        )
    frames = proto.HasField("stack_frame_index")
    module = HloModule(
        sanitize(proto.name) or NAMELESS,
        tuple(computations),
        entry,
        is_scheduled=proto.HasField("schedule"),
        entry_layout=(
            read_program_shape(proto.host_program_shape)
            if proto.HasField("host_program_shape")
            else None
        ),
        input_output_alias=tuple(
            InputOutputAlias(
                *(tuple(entry.output_shape_index), entry.parameter_number),
                *(tuple(entry.parameter_shape_index), entry.kind == MUST_ALIAS),
            )
            for entry in proto.input_output_alias.entries
        ),
        buffer_donors=tuple(
            BufferDonor(entry.parameter_number, tuple(entry.parameter_shape_index))
            for entry in proto.buffer_donor.entries
        ),
        frontend_attributes=dict(sorted(proto.frontend_attributes.map.items())),
        origin_recovery=tuple(
            read_recovery(entry) for entry in proto.original_value_recovery_table.entries
        ),
        stack_frames=read_stack_frames(proto.stack_frame_index) if frames else None,
        is_dynamic=proto.is_dynamic,
        use_auto_spmd_partitioning=proto.use_auto_spmd_partitioning,
        cross_program_prefetches=tuple(
            CrossProgramPrefetch(entry.parameter, tuple(entry.index), entry.offset)
            for entry in proto.cross_program_prefetches
        ),
        spmd_output_sharding=(
            read_sharding(proto.spmd_output_sharding)
            if proto.HasField("spmd_output_sharding")
            else None
        ),
        spmd_parameters_shardings=tuple(map(read_sharding, proto.spmd_parameters_shardings)),
        proto_only=proto_only_fields(proto),
    )
    return in_text_order(module)


def in_text_order(module: HloModule) -> HloModule:
    """Returns the module with its computations in the order of the calls, as in text.

    A file lists them in the order of creation, which is kept under the key ``ORDER``. If they are
    numbered from 0, the file was created from a text, which had them in this order.
    """
    if [computation.id for computation in module.computations] == list(
        range(len(module.computations))
    ):
        return module
    names = tuple(computation.name for computation in module.computations)
    in_id_order = replace(module, computations=tuple(map(in_creation_order, module.computations)))
    ordered = tuple(computation.name for computation in computation_order(in_id_order))
    if ordered == names:
        return module
    computations = tuple(module.by_name[name] for name in ordered)
    return replace(
        module, computations=computations, proto_only={**module.proto_only, ORDER: names}
    )


def in_creation_order(computation: HloComputation) -> HloComputation:
    """Returns a computation with its instructions in the order of their creation."""
    instructions = sorted(computation.instructions, key=lambda instruction: instruction.id or 0)
    return replace(computation, instructions=tuple(instructions))


def proto_only_fields(proto: Proto) -> dict[str, Any]:
    """Returns the fields of a module that text cannot express.

    Messages and repeated messages are kept encoded.
    """
    rest = message_class("HloModuleProto")()
    present = {field.name for field, _ in proto.ListFields()}
    for name in PROTO_ONLY:
        if name in present and name != "payloads":
            value = getattr(proto, name)
            if isinstance(value, bool | int | str):
                setattr(rest, name, value)
            elif hasattr(value, "MergeFrom"):
                getattr(rest, name).MergeFrom(value)
    return {REST: rest.SerializeToString()} if rest.ListFields() else {}


def read_recovery(proto: Proto) -> OriginRecovery:
    """Reads a row of the origin recovery table."""
    old, new = proto.old_original_array, proto.new_original_array
    return OriginRecovery(
        (old.instruction_name, tuple(old.shape_index)),
        (new.instruction_name, tuple(new.shape_index)),
        read_module(proto.recovery_module) if proto.HasField("recovery_module") else None,
    )


def schedule_of(proto: Proto, computation: int) -> Sequence[int] | None:
    """Returns the ids of the instructions of a computation in the order of execution."""
    sequences = proto.schedule.sequences
    if computation not in sequences:
        return None
    ids: Sequence[int] = sequences[computation].instruction_ids
    return ids


# ---- computations


def read_computation(
    proto: Proto,
    name: str,
    above: dict[int, str],
    payloads: tuple[bytes, ...],
    schedule: Sequence[int] | None,
) -> HloComputation:
    """Returns a computation, given the ids and names of the computations before it.

    Raises:
        Fault: The message is none.
    """
    messages = proto.instructions
    ids = [message.id for message in messages]
    by_id = dict(zip(ids, distinct_names(message.name for message in messages), strict=True))
    if len(by_id) < len(ids):
        raise MessageError(f"two instructions of computation {name} have the same id")
    types = {message.id: BY_NUMBER.get(message.shape.element_type) for message in messages}
    known_types = {
        number: value_type for number, value_type in types.items() if value_type is not None
    }
    numbers = References(above, by_id, known_types, payloads)
    instructions: list[HloInstruction] = []
    for message in messages:
        try:
            instructions.append(read_instruction(message, numbers))
        except MessageError as error:
            raise MessageError(
                f"instruction {by_id[message.id]} of computation {name}: {error}"
            ) from None
    if schedule is not None:
        instructions = in_schedule_order(instructions, schedule, name)
    check_order(instructions, name)
    if proto.root_id not in by_id:
        raise MessageError(
            f"computation {name} has no instruction with the id {proto.root_id}, its root"
        )
    return HloComputation(
        name,
        tuple(instructions),
        by_id[proto.root_id],
        None if schedule is None else tuple(instruction.name for instruction in instructions),
        proto.execution_thread or "main",
        proto.is_fusion_computation,
        id=proto.id,
    )


def in_schedule_order(
    instructions: list[HloInstruction], schedule: Sequence[int], name: str
) -> list[HloInstruction]:
    """Returns the instructions in the order of execution."""
    position = {number: i for i, number in enumerate(schedule)}
    if len(position) < len(schedule) or position.keys() != {
        instruction.id for instruction in instructions
    }:
        raise MessageError(
            f"the schedule of computation {name} does not name each instruction once"
        )
    return sorted(instructions, key=lambda instruction: position[instruction.id or 0])


def check_order(instructions: list[HloInstruction], name: str) -> None:
    """Rejects uses before definitions, and parameters that are not numbered from 0.

    Raises:
        Fault: There are such.
    """
    seen: set[str] = set()
    for instruction in instructions:
        if not seen.issuperset(instruction.operands):
            late = next(operand for operand in instruction.operands if operand not in seen)
            raise MessageError(
                f"instruction {instruction.name} of computation {name} stands before {late}"
            )
        seen.add(instruction.name)
    parameters = [e.attributes["parameter_number"] for e in instructions if e.opcode == "parameter"]
    if sorted(parameters) != list(range(len(parameters))):
        raise MessageError(f"the parameters of computation {name} are not numbered from 0")


def distinct_names(names: Iterable[str]) -> list[str]:
    """Returns the names as text can hold them; duplicates receive a number.

    Raises:
        Fault: A name is empty.
    """
    listed = list(map(sanitize, names))
    if not all(listed):
        raise MessageError("expected a name, got none")
    if len(set(listed)) == len(listed):
        return listed
    uniquer = ProtoNameUniquer()
    return [uniquer.name(name) for name in listed]
