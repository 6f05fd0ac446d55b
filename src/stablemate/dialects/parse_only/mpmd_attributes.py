"""Attributes and the type of MPMD: topologies, origins, reductions, tensors on a mesh.

Source: Shardy, MPMD dialect, attributes and types.
"""

from __future__ import annotations

from enum import Enum
from typing import ClassVar, Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.attributes import Mesh, TensorSharding
from stablemate.ir.attributes import quote
from stablemate.ir.kinds import enum_kind, instance_of, list_kind, struct_kind
from stablemate.ir.types import Attribute, DialectType, TensorType


@dataclass(frozen=True)
class NamedMesh(Attribute):
    """``#mpmd.named_mesh<"m1" : <["x"=2]>>``: a mesh of a topology."""

    name: str
    mesh: Mesh
    SYNTAX: ClassVar[str] = "mpmd.named_mesh"

    def inner_text(self) -> str:
        """``<"m1" : <["x"=2]>>``."""
        return f"<{quote(self.name)} : {self.mesh.inner_text()}>"

    def __str__(self) -> str:
        return f"#{self.SYNTAX}{self.inner_text()}"


@dataclass(frozen=True)
class Topology(Attribute):
    """``#mpmd.topology<<"m1" : <["x"=2]>>, ...>``: the meshes that a program runs on."""

    meshes: tuple[NamedMesh, ...]
    SYNTAX: ClassVar[str] = "mpmd.topology"

    def mesh(self, name: str) -> Mesh | None:
        """The mesh of this name."""
        return next((named.mesh for named in self.meshes if named.name == name), None)

    def __str__(self) -> str:
        return f"#{self.SYNTAX}<{', '.join(mesh.inner_text() for mesh in self.meshes)}>"


@dataclass(frozen=True)
class UserOrigin(Attribute):
    """``#mpmd.user_origin<"f"(1)>``: a named computation, and how often it was transposed."""

    user_name: str
    transpose_count: int = 0
    SYNTAX: ClassVar[str] = "mpmd.user_origin"

    def inner_text(self) -> str:
        """``"f"(1)``."""
        count = f"({self.transpose_count})" if self.transpose_count else ""
        return f"{quote(self.user_name)}{count}"

    def __str__(self) -> str:
        return f"#{self.SYNTAX}<{self.inner_text()}>"


class ReductionKind(Enum):
    """How tensors of different meshes are combined."""

    NONE = "none"
    ADD = "add"
    MAX = "max"
    MIN = "min"
    MUL = "mul"
    OR = "or"
    AND = "and"


@dataclass(frozen=True)
class MeshTensorType(DialectType):
    """``!mpmd.mesh_tensor<"m1", tensor<4xf32>, sharding=..., memory_kind="device">``.

    Attributes:
        mesh_name: The mesh of the topology that holds the tensor.
        tensor: The type of the whole tensor.
        sharding: How it is partitioned; None if each device holds all of it.
        memory_kind: In which memory it is; None if that is not said.
    """

    mesh_name: str
    tensor: TensorType
    sharding: TensorSharding | None = None
    memory_kind: str | None = None

    @property
    def is_replicated(self) -> bool:
        """Whether each device holds all of the tensor."""
        return self.sharding is None or not self.sharding.axes

    def __str__(self) -> str:
        sharding = "" if self.sharding is None else f", sharding={self.sharding.inner_text()}"
        kind = "" if self.memory_kind is None else f", memory_kind={quote(self.memory_kind)}"
        return f"!mpmd.mesh_tensor<{quote(self.mesh_name)}, {self.tensor}{sharding}{kind}>"


MESH_TENSOR: Final = instance_of("mesh tensor", MeshTensorType)
REDUCTION: Final = enum_kind(ReductionKind, "mpmd", "reduction", dotted=True)
USER_ORIGIN: Final = struct_kind(UserOrigin, "origin of a named computation")
ORIGINS: Final = list_kind(USER_ORIGIN)
