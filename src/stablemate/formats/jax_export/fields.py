"""The numbers of the fields of each table, in the order in which the schema declares them.

Source: JAX, serialization of Exported, version 11.
"""

from __future__ import annotations

from enum import IntEnum, auto


class _Field(IntEnum):
    """A field; the first one has number 0."""

    @staticmethod
    def _generate_next_value_(name: str, start: int, count: int, last_values: list[int]) -> int:
        return count


class Root(_Field):
    """The fields of ``Exported``."""

    SERIALIZATION_VERSION = auto()
    FUNCTION_NAME = auto()
    IN_TREE = auto()
    IN_VALUES = auto()
    OUT_TREE = auto()
    OUT_VALUES = auto()
    DEVICES_SHORT = auto()
    IN_SHARDINGS = auto()
    OUT_SHARDINGS = auto()
    PLATFORMS = auto()
    ORDERED_EFFECTS = auto()
    UNORDERED_EFFECTS = auto()
    DISABLED_CHECKS = auto()
    PAYLOAD = auto()
    CALLING_CONVENTION_VERSION = auto()
    KEPT = auto()
    USES_GLOBAL_CONSTANTS = auto()
    VJP = auto()
    DEVICES = auto()
    UNIQUE_VALUES = auto()
    UNIQUE_MESHES = auto()
    UNIQUE_SHARDINGS = auto()
    IN_VALUE_NUMBERS = auto()
    OUT_VALUE_NUMBERS = auto()
    IN_SHARDING_NUMBERS = auto()
    OUT_SHARDING_NUMBERS = auto()


class TreeField(_Field):
    """The fields of ``PyTreeDef``."""

    KIND = auto()
    CHILDREN = auto()
    KEYS = auto()
    CUSTOM_NAME = auto()
    CUSTOM_DATA = auto()


class AbstractValueFields(_Field):
    """The fields of ``AbstractValue``."""

    KIND = auto()
    SHAPE = auto()
    ELEMENT = auto()
    MEMORY_SPACE = auto()


class ShardingField(_Field):
    """The fields of ``Sharding``."""

    KIND = auto()
    HLO = auto()
    NAMED = auto()


class NamedShardingField(_Field):
    """The fields of ``NamedSharding``."""

    MESH = auto()
    PARTITIONS = auto()
    MEMORY_KIND = auto()
    MESH_NUMBER = auto()


class PartitionsField(_Field):
    """The fields of ``PartitionSpec``."""

    DIMENSIONS = auto()
    REDUCED = auto()
    UNREDUCED = auto()


class MeshField(_Field):
    """The fields of ``AbstractMesh``."""

    SIZES = auto()
    AXES = auto()
    TYPES = auto()
    DEVICE = auto()


class DeviceField(_Field):
    """The fields of ``AbstractDevice``."""

    KIND = auto()
    CORES = auto()
    PLATFORM = auto()


class CheckField(_Field):
    """The fields of ``DisabledSafetyCheck``."""

    KIND = auto()
    TARGET = auto()
