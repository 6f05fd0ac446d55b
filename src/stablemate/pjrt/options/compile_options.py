"""Compile options: the fields of ``CompileOptionsProto`` that have an effect."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.deferred_dataclasses import dataclass
from stablemate.pjrt.options.wire_format import (
    Field,
    encoded_field,
    integers,
    message,
    packed_field,
)
from stablemate.pjrt.options.xla_dumps import ProgramDumps
from stablemate.pjrt.options.xla_options import check_options

# Fields of CompileOptionsProto, ExecutableBuildOptionsProto and DeviceAssignmentProto.
BUILD_OPTIONS, PORTABLE, OPTION_OVERRIDES, OPTION_NAME, OPTION_VALUE = 3, 4, 7, 1, 2
TEXT_VALUE, BOOL_VALUE, NUMBER_VALUE = 1, 2, 3  # of OptionOverrideProto
NUM_REPLICAS, NUM_PARTITIONS, SPMD, DEVICE_ASSIGNMENT = 4, 5, 6, 9
REPLICAS, COMPUTATIONS, COMPUTATION_DEVICES, DEVICE_IDS = 1, 2, 3, 1


@dataclass(frozen=True, slots=True)
class PjrtCompileOptions:
    """How a program is compiled.

    Attributes:
        raw: The serialized options.
        num_replicas: How many replicas there are.
        num_partitions: How many partitions each has.
        is_spmd: Whether the program is one of global tensors, to be partitioned.
        is_portable: Whether it runs on any device.
        devices: The devices by replica and partition; empty for those in order.
        dumps: Where the compiled program is written.
    """

    raw: bytes
    num_replicas: int
    num_partitions: int
    is_spmd: bool
    is_portable: bool
    devices: Sequence[int]
    dumps: ProgramDumps

    @staticmethod
    def read(raw: bytes) -> PjrtCompileOptions:
        """The options that the caller serialized.

        Raises:
            PjrtError: A compiler option is none of XLA's, or has a value that XLA rejects.
        """
        top = message(raw)
        overrides = option_overrides(top)
        if overrides:
            check_options([*overrides], raw)
        build = message(bytes_of(last(top, BUILD_OPTIONS, b"")))
        replicas = number(last(build, NUM_REPLICAS, 1)) or 1
        partitions = number(last(build, NUM_PARTITIONS, 1)) or 1
        rows = [
            list(integers(message(bytes_of(row)).get(DEVICE_IDS, [])))
            for row in message(bytes_of(last(build, DEVICE_ASSIGNMENT, b""))).get(
                COMPUTATION_DEVICES, []
            )
        ]
        devices = [row[replica] for replica in range(replicas) for row in rows] if rows else []
        return PjrtCompileOptions(
            raw, replicas, partitions, bool(last(build, SPMD, 0)), bool(last(top, PORTABLE, 0)),
            devices, ProgramDumps.of_options(overrides),
        )  # fmt: skip

    @property
    def num_devices(self) -> int:
        """How many devices it runs on."""
        return self.num_replicas * self.num_partitions


def device_assignment(replicas: int, partitions: int, devices: Sequence[int]) -> bytes:
    """A ``DeviceAssignmentProto``."""
    content = encoded_field(REPLICAS, replicas) + encoded_field(COMPUTATIONS, partitions)
    for partition in range(partitions):
        content += encoded_field(
            COMPUTATION_DEVICES, packed_field(DEVICE_IDS, devices[partition::partitions])
        )
    return content


def option_overrides(top: dict[int, list[Field]]) -> dict[str, str | int]:
    """The options of XLA by name; numbers that are no integers are left out as zero."""
    overrides: dict[str, str | int] = {}
    for override in top.get(OPTION_OVERRIDES, []):
        entry = message(bytes_of(override))
        value = message(bytes_of(last(entry, OPTION_VALUE, b"")))
        text = value.get(TEXT_VALUE)
        flags = [field for name in (BOOL_VALUE, NUMBER_VALUE) for field in value.get(name, [])]
        name = bytes_of(last(entry, OPTION_NAME, b"")).decode()
        overrides[name] = bytes_of(text[-1]).decode() if text else number((flags or [0])[-1])
    return overrides


def last(fields: dict[int, list[Field]], field: int, default: Field) -> Field:
    """The value of a field that is not repeated."""
    return fields.get(field, [default])[-1]


def bytes_of(value: Field) -> bytes:
    """A field that is a message."""
    assert isinstance(value, bytes)
    return value


def number(value: Field) -> int:
    """A field that is a number."""
    assert isinstance(value, int)
    return value
