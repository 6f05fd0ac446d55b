"""What a container of jax.export holds: a program, and how JAX calls it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from stablemate.formats.jax_export.dimensions import Dimension
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
    """What an element of a JAX array is.

    Attributes:
        name: JAX's name.
        element: The element type in the program.
        shape: Dimensions of the program after those of the array: a random key is several numbers.
    """

    name: str
    element: ElementType
    shape: tuple[int, ...] = ()


def plain_kinds(*names: str) -> list[ValueKind]:
    """Kinds that have the names of their element types."""
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
ABSTRACT_TOKEN: Final = 1  # the kind of a value that is no array


@dataclass(frozen=True, slots=True)
class Value:
    """What an argument or a result is.

    Attributes:
        shape: The sizes of its dimensions.
        kind: What its elements are.
        memory_space: Where it lives; empty if the container does not say so.
        is_token: Whether it is a token instead of an array.
    """

    shape: tuple[Dimension, ...]
    kind: ValueKind
    memory_space: str = ""
    is_token: bool = False

    @property
    def type(self) -> TensorType:
        """Its type in the program; sizes that are expressions are not known."""
        sizes = (DYNAMIC if dimension.size is None else dimension.size for dimension in self.shape)
        return TensorType((*sizes, *self.kind.shape), self.kind.element)

    def __str__(self) -> str:
        return f"{self.kind.name}[{', '.join(map(str, self.shape))}]"


@dataclass(frozen=True, slots=True)
class Device:
    """What a mesh is made of.

    Attributes:
        kind: The name of the hardware.
        cores: The number of its cores, 0 if that is not known.
        platform: Its platform; None in containers that do not say so.
    """

    kind: str
    cores: int
    platform: str | None


@dataclass(frozen=True, slots=True)
class Mesh:
    """Devices in a grid.

    Attributes:
        axes: The name of each dimension.
        sizes: The number of devices along each.
        types: ``auto``, ``explicit`` or ``manual`` for each.
        device: What the devices are, if that is known.
    """

    axes: tuple[str, ...]
    sizes: tuple[int, ...]
    types: tuple[str, ...]
    device: Device | None = None


@dataclass(frozen=True, slots=True)
class NamedSharding:
    """How a value is divided among the devices of a mesh.

    Attributes:
        mesh: The mesh.
        partitions: For each dimension of the value the axes that divide it.
        reduced: Axes along which it is reduced.
        unreduced: Axes along which it is not yet reduced.
        memory_kind: Where its pieces live; None if that is left open.
        mesh_number: The number of the mesh among those of the container.
        proto: The same as an ``xla.OpSharding`` message, where the container has that too.
    """

    mesh: Mesh
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
class HloSharding:
    """How a value is divided, as an ``xla.OpSharding`` message."""

    proto: bytes


Sharding = NamedSharding | HloSharding | None


@dataclass(frozen=True, slots=True, eq=False)
class Exported:
    """A function that ``jax.export`` made.

    Attributes:
        function_name: The name of the Python function.
        in_tree: The structure of ``(args, kwargs)``.
        in_values: The leaves of the arguments.
        out_tree: The structure of the result.
        out_values: The leaves of the result.
        in_shardings: How each leaf of the arguments is divided; None if that is left open.
        out_shardings: How each leaf of the result is divided.
        devices: How many devices the program is made for.
        platforms: The platforms it is made for, such as ``cpu`` and ``tpu``. If there are several,
            the program takes the number of one as its first argument.
        ordered_effects: Effects that happen in order; the program takes and gives a token for each.
        unordered_effects: Other effects.
        disabled_checks: Checks that were switched off: ``platform``, ``custom_call:TARGET``.
        calling_convention_version: The version of what the program takes besides the arguments.
        kept: Which leaves of the arguments the program takes; it uses no others.
        uses_global_constants: Whether it has symbolic sizes, or is made for several platforms.
        payload: The program: a portable artifact.
        vjp: The function that gives its gradient, if it was exported too.
        serialization_version: The version that the container states.
        present: The fields that the container has, by number.
    """

    function_name: str
    in_tree: Tree
    in_values: tuple[Value, ...]
    out_tree: Tree
    out_values: tuple[Value, ...]
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
        """What leads to each leaf of the arguments: ``args[0]['w']``, ``kwargs['scale']``."""
        args, kwargs = self.in_tree.children
        return args.paths("args") + kwargs.paths("kwargs")

    @property
    def result_names(self) -> list[str]:
        """What leads to each leaf of the result: ``result[0]``."""
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
