"""Reads and writes metadata, statistics, origins and stack frames as messages.

Source: XLA, ``OpMetadata``, ``StatisticsViz``, ``OriginalValueProto``, ``StackFrameIndexProto``.
"""

from __future__ import annotations

from typing import Final

from stablemate.formats.hlo.proto.messages import Proto, message_class
from stablemate.xla.values import (
    FileLocationRow,
    HloStatistics,
    Index,
    Metadata,
    OriginalArray,
    OriginalValue,
    Payload,
    StackFrame,
    StackFrames,
)

# The fields of Metadata that are numbers and words, all of the same name in the message.
PLAIN: Final = (
    *("op_type", "op_name", "source_file", "source_line", "source_end_line", "source_column"),
    *("source_end_column", "stack_frame_id", "deduplicated_name", "scheduling_name"),
)


def read_metadata(proto: Proto) -> Metadata:
    """Reads the metadata of an instruction or a sharding."""
    return Metadata(
        *(proto.op_type, proto.op_name, proto.source_file, proto.source_line),
        *(proto.source_end_line, proto.source_column, proto.source_end_column),
        *(proto.stack_frame_id, tuple(proto.profile_type)),
        *(proto.deduplicated_name, proto.scheduling_name),
        read_payload(proto.metadata_payload) if proto.HasField("metadata_payload") else None,
        rest_of(proto) if has_rest(proto) else b"",
    )


def has_rest(proto: Proto) -> bool:
    """Whether there are fields that text cannot express."""
    return bool(
        proto.size_of_generated_code_in_bytes
        or proto.size_of_memory_working_set_in_bytes
        or proto.HasField("profile_info")
    )


def rest_of(proto: Proto) -> bytes:
    """Returns the fields that text cannot express, encoded."""
    rest = message_class("OpMetadata")()
    rest.CopyFrom(proto)
    for name in (*PLAIN, "profile_type", "metadata_payload"):
        rest.ClearField(name)
    data: bytes = rest.SerializeToString()
    return data


def write_metadata(proto: Proto, metadata: Metadata) -> None:
    """Writes the metadata of an instruction: names, source and profile."""
    for name in PLAIN:
        value = getattr(metadata, name)
        if value:
            setattr(proto, name, value)
    proto.profile_type.extend(metadata.profile_type)
    if metadata.payload is not None:
        write_payload(proto.metadata_payload, metadata.payload)
    if metadata.unknown:
        proto.MergeFromString(metadata.unknown)


def read_payload(proto: Proto) -> Payload:
    """Reads a payload: its bytes, or the number under which the module stores them."""
    return Payload(
        proto.value if proto.HasField("value") else None,
        proto.id if proto.HasField("id") else None,
    )


def write_payload(proto: Proto, payload: Payload) -> None:
    """Writes the bytes kept beside an instruction, or their number in the module."""
    if payload.value is not None:
        proto.value = payload.value
    if payload.id is not None:
        proto.id = payload.id


# ---- statistics, origins


def read_statistics(proto: Proto) -> HloStatistics | None:
    """Reads statistics; None if there are none."""
    if not proto.statistics:
        return None
    entries = tuple((statistic.stat_name, statistic.stat_val) for statistic in proto.statistics)
    return HloStatistics(proto.stat_index_to_visualize, entries)


def write_statistics(proto: Proto, statistics: HloStatistics) -> None:
    """Writes the statistics that a visualizer shows."""
    proto.stat_index_to_visualize = statistics.visualizing_index
    for name, value in statistics.entries:
        proto.statistics.add(stat_name=name, stat_val=value)


def read_origin(proto: Proto) -> OriginalValue:
    """Reads the origin of a value."""
    leaves: list[tuple[Index, OriginalArray | None]] = []
    for element in proto.elements:
        has_field = element.HasField("original_array")
        leaves.append(
            (
                tuple(element.shape_index),
                original_array(element.original_array) if has_field else None,
            )
        )
    return OriginalValue(tuple(leaves), proto.is_synthetic_call)


def original_array(proto: Proto) -> OriginalArray:
    """Reads an array of the original program, before any pass."""
    return OriginalArray(proto.instruction_name, tuple(proto.shape_index))


def write_origin(proto: Proto, origin: OriginalValue) -> None:
    """Writes the origin of a value."""
    proto.is_synthetic_call = origin.synthetic_call
    for index, array in origin.leaves:
        element = proto.elements.add(shape_index=index)
        if array is not None:
            element.original_array.instruction_name = array.instruction
            element.original_array.shape_index.extend(array.index)
    proto.SetInParent()


# ---- stack frames


def read_stack_frames(proto: Proto) -> StackFrames:
    """Reads the tables of stack frames."""
    return StackFrames(
        tuple(proto.file_names),
        tuple(proto.function_names),
        tuple(
            FileLocationRow(
                *(file_location.file_name_id, file_location.function_name_id),
                *(
                    file_location.line,
                    file_location.end_line,
                    file_location.column,
                    file_location.end_column,
                ),
            )
            for file_location in proto.file_locations
        ),
        tuple(
            StackFrame(stack_frame.file_location_id, stack_frame.parent_frame_id)
            for stack_frame in proto.stack_frames
        ),
    )


def write_stack_frames(proto: Proto, frames: StackFrames) -> None:
    """Writes the tables of stack frames."""
    proto.file_names.extend(frames.files)
    proto.function_names.extend(frames.functions)
    for location in frames.locations:
        proto.file_locations.add(
            file_name_id=location.file,
            function_name_id=location.function,
            line=location.line,
            end_line=location.end_line,
            column=location.column,
            end_column=location.end_column,
        )
    for frame in frames.frames:
        proto.stack_frames.add(file_location_id=frame.location, parent_frame_id=frame.parent)
