"""Reads instructions: their fields, and what these refer to by number.

Source: XLA, ``HloInstructionProto``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.formats.hlo.proto.attributes import field_path, own_field_paths
from stablemate.formats.hlo.proto.devices import read_groups, read_sharding
from stablemate.formats.hlo.proto.messages import MessageError, Proto
from stablemate.formats.hlo.proto.metadata import read_metadata, read_statistics
from stablemate.formats.hlo.proto.shapes import read_shape
from stablemate.formats.hlo.proto.values import text_of
from stablemate.xla.backend_config import without_empty_queues
from stablemate.xla.kinds import ATTRIBUTES
from stablemate.xla.module import HloInstruction
from stablemate.xla.opcodes import OPCODES
from stablemate.xla.primitive_types import PRED, PrimitiveType
from stablemate.xla.values import HloDomain, ListedGroups, Metadata, Payload

# The attributes that name computations, in the order of the message.
CALLED: Final[Mapping[str, tuple[str, ...]]] = {
    "while": ("body", "condition"),
    "select-and-scatter": ("select", "scatter"),
    "fusion": ("calls",),
    "async-start": ("calls",),
    **{name: ("to_apply",) for name, row in OPCODES.items() if "to_apply" in row.required},
}
CALLERS: Final = frozenset({*CALLED, "conditional", "custom-call"})
BRANCHES: Final = ("true_computation", "false_computation")


@dataclass(frozen=True, slots=True)
class References:
    """The names and types that the ids in a module refer to.

    Attributes:
        computations: Names of the computations before this one.
        instructions: Names of the instructions of the computation that is being read.
        types: Types of their results.
        payloads: Bytes that the module holds for its metadata.
    """

    computations: Mapping[int, str]
    instructions: Mapping[int, str]
    types: Mapping[int, PrimitiveType]
    payloads: tuple[bytes, ...] = ()

    def instruction(self, number: int) -> str:
        """Returns the name of an instruction."""
        name = self.instructions.get(number)
        if name is None:
            raise MessageError(
                f"expected the id of an instruction of the computation, got {number}"
            )
        return name

    def computation(self, number: int) -> str:
        """Returns the name of a computation."""
        name = self.computations.get(number)
        if name is None:
            raise MessageError(f"expected the id of a computation above, got {number}")
        return name


def read_instruction(proto: Proto, numbers: References) -> HloInstruction:
    """Returns the instruction in a message.

    Raises:
        Fault: The message is none.
    """
    opcode: str = proto.opcode
    row = OPCODES.get(opcode)
    if row is None:
        raise MessageError(f"there is no opcode {opcode!r}")
    attributes: dict[str, object] = {}
    for own_place in own_field_paths(opcode):
        value = own_place.read(proto)
        if value is not None:
            attributes[own_place.attribute] = value
    for read in OTHERS[opcode]:
        read(attributes, proto, numbers)
    if opcode in CALLERS:
        read_computations(attributes, proto, numbers)
    read_common(attributes, proto, numbers)
    if not row.required <= attributes.keys():
        missing = sorted(row.required - attributes.keys())
        raise MessageError(f"expected {opcode} to have {', '.join(missing)}")
    instructions = numbers.instructions
    try:
        operands = tuple([instructions[operand] for operand in proto.operand_ids])
    except KeyError as error:
        raise MessageError(
            f"expected the id of an instruction of the computation, got {error}"
        ) from None
    if not row.least <= len(operands) <= row.most:
        raise MessageError(f"{opcode} has {len(operands)} operands")
    number = proto.id
    return HloInstruction(
        instructions[number], opcode, read_shape(proto.shape), operands, attributes, number
    )


def read_common(attributes: dict[str, object], proto: Proto, numbers: References) -> None:
    """Reads the attributes that every instruction may have."""
    has = proto.HasField
    for row in RARE_FIELDS:
        if has(row.path[0] if row.path else row.field):
            attributes[row.attribute] = row.read(proto)
    if has("frontend_attributes") and proto.frontend_attributes.map:
        attributes["frontend_attributes"] = dict(sorted(proto.frontend_attributes.map.items()))
    if has("statistics_viz") and proto.statistics_viz.statistics:
        attributes["statistics"] = read_statistics(proto.statistics_viz)
    if proto.backend_config:
        attributes["backend_config"] = without_empty_queues(text_of(proto.backend_config) or "")
    if proto.control_predecessor_ids:
        predecessors = tuple(
            numbers.instruction(before) for before in proto.control_predecessor_ids
        )
        attributes["control-predecessors"] = predecessors
    metadata = read_metadata(proto.metadata) if has("metadata") else NO_METADATA
    if metadata != NO_METADATA:
        attributes["metadata"] = with_payload(metadata, numbers.payloads)


def with_payload(metadata: Metadata, payloads: tuple[bytes, ...]) -> Metadata:
    """Returns metadata with its payload instead of the payload's number."""
    payload = metadata.payload
    if payload is None or payload.id is None or not 0 <= payload.id < len(payloads):
        return metadata
    return replace(metadata, payload=Payload(payloads[payload.id]))


def read_computations(attributes: dict[str, object], proto: Proto, numbers: References) -> None:
    """Reads the attributes that name computations."""
    names = tuple(
        numbers.computation(called_computation_id)
        for called_computation_id in proto.called_computation_ids
    )
    if not names:
        return  # missing attributes are reported later
    if proto.opcode == "custom-call":
        attributes["called_computations"] = names
    elif proto.opcode == "conditional":
        first = numbers.types.get(proto.operand_ids[0]) if proto.operand_ids else None
        if first is PRED and len(names) == len(BRANCHES):
            attributes.update(zip(BRANCHES, names, strict=True))
        else:
            attributes["branch_computations"] = names
    elif len(names) == len(CALLED[proto.opcode]):
        attributes.update(zip(CALLED[proto.opcode], names, strict=True))
    else:
        raise MessageError(f"{proto.opcode} has {len(names)} called computations")


def read_type(attributes: dict[str, object], proto: Proto, numbers: References) -> None:
    """Reads the comparison type, unless it follows from the operands."""
    first = numbers.types.get(proto.operand_ids[0]) if proto.operand_ids else None
    if proto.comparison_type and (first is None or proto.comparison_type != first.comparison):
        words = ATTRIBUTES["type"].words
        if proto.comparison_type not in words:
            raise MessageError(f"expected type to be one of {', '.join(words)}")
        attributes["type"] = proto.comparison_type


def read_channel(attributes: dict[str, object], proto: Proto, numbers: References) -> None:
    """Reads the channel; older files have it in another field."""
    channel = proto.channel_id or proto.all_reduce_id
    if channel > 0:
        attributes["channel_id"] = channel


def read_replica_groups(attributes: dict[str, object], proto: Proto, numbers: References) -> None:
    """Reads the replica groups, if there are any."""
    groups = read_groups(proto)
    if groups is not None and groups != ListedGroups():
        attributes["replica_groups"] = groups


def read_constraints(attributes: dict[str, object], proto: Proto, numbers: References) -> None:
    """Reads the layouts that a custom call requires, if there are any."""
    if proto.constrain_layout:
        constraints = tuple(read_shape(shape) for shape in proto.operand_shapes_with_layout)
        attributes["operand_layout_constraints"] = constraints


def read_domain(attributes: dict[str, object], proto: Proto, numbers: References) -> None:
    """Reads the shardings on both sides of a domain; text has them in the opposite order."""
    attributes["domain"] = HloDomain(
        "sharding",
        read_sharding(proto.domain_exit_sharding),
        read_sharding(proto.domain_entry_sharding),
    )


READERS: Final = {
    "type": read_type,
    "channel_id": read_channel,
    "replica_groups": read_replica_groups,
    "operand_layout_constraints": read_constraints,
    "domain": read_domain,
}
OTHERS: Final = {
    name: tuple(
        READERS[attribute.name] for attribute in row.attributes if attribute.name in READERS
    )
    for name, row in OPCODES.items()
}
# The common attributes that few instructions have.
RARE_FIELDS: Final = tuple(
    path
    for name in ("parameter_replication", "sharding", "origin")
    if (path := field_path(OPCODES["copy"], name)) is not None
)
NO_METADATA: Final = Metadata()
