"""The content of a jax.export container: a program, and how JAX calls it."""

from __future__ import annotations

from typing import Final, NamedTuple

from stablemate.deferred_dataclasses import dataclass
from stablemate.formats.jax_export.dimensions import SymbolicDimension
from stablemate.formats.jax_export.trees import Tree
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import (
    BOOLEAN,
    COMPLEX64,
    COMPLEX128,
    SIMPLE_ELEMENTS,
    ElementType,
)


class ValueKind(NamedTuple):
    """The element type of a JAX array.

    Attributes:
        name: JAX's name.
        element: The element type in the program.
        shape: Further dimensions in the program: a random key consists of several numbers.
    """

    name: str
    element: ElementType
    shape: tuple[int, ...] = ()


def plain_kinds(*names: str) -> list[ValueKind]:
    """Returns kinds that are named like their element types."""
    return [ValueKind(name, SIMPLE_ELEMENTS[name]) for name in names]


# In the order of their numbers in the format.
VALUE_KINDS: Final = (
    ValueKind("bool", BOOLEAN),
    *plain_kinds("i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "f16", "f32", "f64"),
    ValueKind("c64", COMPLEX64),
    ValueKind("c128", COMPLEX128),
    *plain_kinds(
        "bf16", "i4", "ui4", "f8E4M3B11FNUZ", "f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ"
    ),
    ValueKind("float0", BOOLEAN),
    *plain_kinds("f8E4M3", "f8E3M4", "f8E8M0FNU", "f4E2M1FN"),
    ValueKind("key<fry>", SIMPLE_ELEMENTS["ui32"], (2,)),
    ValueKind("key<rbg>", SIMPLE_ELEMENTS["ui32"], (4,)),
    ValueKind("key<urbg>", SIMPLE_ELEMENTS["ui32"], (4,)),
)
MEMORY_SPACES: Final = ("", "device", "host", "any")
AXIS_TYPES: Final = ("", "auto", "explicit", "manual")
CHECKS: Final = ("platform", "custom_call", "shape_assertions")
ABSTRACT_TOKEN: Final = 1  # the kind of a value that is not an array


@dataclass(frozen=True, slots=True)
class ExportedValue:
    """The type of an argument or a result.

    Attributes:
        shape: The sizes of its dimensions.
        kind: The kind of its elements.
        memory_space: Its memory space; empty if the container does not specify it.
        is_token: Whether it is a token instead of an array.
    """

    shape: tuple[SymbolicDimension, ...]
    kind: ValueKind
    memory_space: str = ""
    is_token: bool = False

    @property
    def type(self) -> TensorType:
        """The type in the program; a size that is an expression is dynamic."""
        sizes = (DYNAMIC if dimension.size is None else dimension.size for dimension in self.shape)
        return TensorType((*sizes, *self.kind.shape), self.kind.element)

    def __str__(self) -> str:
        return f"{self.kind.name}[{', '.join(map(str, self.shape))}]"


@dataclass(frozen=True, slots=True)
class ExportedDevice:
    """The kind of device of a mesh.

    Attributes:
        kind: The name of the hardware.
        cores: The number of its cores, 0 if unknown.
        platform: Its platform; None if the container does not specify it.
    """

    kind: str
    cores: int
    platform: str | None


@dataclass(frozen=True, slots=True)
class ExportedMesh:
    """Devices in a grid.

    Attributes:
        axes: The name of each dimension.
        sizes: The number of devices along each.
        types: The type of each axis: ``auto``, ``explicit`` or ``manual``.
        device: The kind of the devices, if it is known.
    """

    axes: tuple[str, ...]
    sizes: tuple[int, ...]
    types: tuple[str, ...]
    device: ExportedDevice | None = None


@dataclass(frozen=True, slots=True)
class ExportedSharding:
    """The sharding of a value over the devices of a mesh.

    Attributes:
        mesh: The mesh.
        partitions: For each dimension of the value the axes that divide it.
        reduced: Axes along which it is reduced.
        unreduced: Axes along which it is not yet reduced.
        memory_kind: The memory kind of its shards; None if unspecified.
        mesh_number: The number of the mesh among those of the container.
        proto: The same as an ``xla.OpSharding`` message, where the container has that too.
    """

    mesh: ExportedMesh
    partitions: tuple[tuple[str, ...], ...]
    reduced: tuple[str, ...] = ()
    unreduced: tuple[str, ...] = ()
    memory_kind: str | None = None
    mesh_number: int = 0
    proto: bytes | None = None

    def __str__(self) -> str:
        axes = ", ".join(
            "None"
            if not partition
            else repr(partition[0])
            if len(partition) == 1
            else repr(partition)
            for partition in self.partitions
        )
        return f"P({axes})"


@dataclass(frozen=True, slots=True)
class SerializedSharding:
    """The sharding of a value, as an ``xla.OpSharding`` message."""

    proto: bytes


Sharding = ExportedSharding | SerializedSharding | None


@dataclass(frozen=True, slots=True, eq=False)
class Exported:
    """A function that ``jax.export`` has exported.

    Attributes:
        function_name: The name of the Python function.
        in_tree: The structure of ``(args, kwargs)``.
        in_values: The leaves of the arguments.
        out_tree: The structure of the result.
        out_values: The leaves of the result.
        in_shardings: The sharding of each leaf of the arguments; None if unspecified.
        out_shardings: The sharding of each leaf of the result.
        devices: The number of devices that the program is compiled for.
        platforms: The platforms that the program supports, such as ``cpu`` and ``tpu``. If there
            are several, the program takes the number of one as its first argument.
        ordered_effects: Effects that happen in order; the program has a token argument and a token
            result for each.
        unordered_effects: Other effects.
        disabled_checks: Checks that were disabled: ``platform``, ``custom_call:TARGET``.
        calling_convention_version: The version of the calling convention.
        kept: The leaves of the arguments that the program takes, which are those that it uses.
        uses_global_constants: Whether it has symbolic sizes, or supports several platforms.
        payload: The program: a portable artifact.
        vjp: The function that computes its gradient, if it was exported too.
        serialization_version: The version of the container.
        present: The fields that the container has, by number.
    """

    function_name: str
    in_tree: Tree
    in_values: tuple[ExportedValue, ...]
    out_tree: Tree
    out_values: tuple[ExportedValue, ...]
    in_shardings: tuple[Sharding, ...]
    out_shardings: tuple[Sharding, ...]
    devices: int
    platforms: tuple[str, ...]
    ordered_effects: tuple[str, ...]
    unordered_effects: tuple[str, ...]
    disabled_checks: tuple[str, ...]
    calling_convention_version: int
    kept: tuple[int, ...]
    uses_global_constants: bool
    payload: memoryview
    vjp: Exported | None
    serialization_version: int
    present: frozenset[int]

    @property
    def argument_names(self) -> list[str]:
        """The path to each leaf of the arguments: ``args[0]['w']``, ``kwargs['scale']``."""
        args, kwargs = self.in_tree.children
        return args.paths("args") + kwargs.paths("kwargs")

    @property
    def result_names(self) -> list[str]:
        """The path to each leaf of the result: ``result[0]``."""
        return self.out_tree.paths("result")

    @property
    def symbols(self) -> list[str]:
        """The variables of the sizes of arguments, in the order in which they occur."""
        names = {
            name: None
            for value in self.in_values
            for dimension in value.shape
            for name in sorted(dimension.variables)
        }
        return list(names)

    def __str__(self) -> str:
        arguments = ", ".join(
            f"{name}: {value}"
            for name, value in zip(self.argument_names, self.in_values, strict=True)
        )
        results = ", ".join(
            f"{name}: {value}"
            for name, value in zip(self.result_names, self.out_values, strict=True)
        )
        return f"{self.function_name}({arguments}) -> ({results})"
