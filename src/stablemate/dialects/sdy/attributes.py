"""Attributes of Shardy: meshes, shardings, lists of axes, sharding rules.

Source: Shardy dialect, the attributes of the same names; spellings as upstream prints them.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import Enum
from typing import Any, ClassVar, Final, TypeVar

from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.attributes import IntegerAttribute, SymbolAttribute, quote
from stablemate.ir.kinds import AttributeKind, struct_kind
from stablemate.ir.types import Attribute
from stablemate.numerics.elements import I32

EnumT = TypeVar("EnumT", bound=Enum)


@dataclass(frozen=True)
class SdyAttribute(Attribute, ABC):
    """``#sdy.name<...>``; operations print the text in the brackets, without the name."""

    SYNTAX: ClassVar[str] = ""

    @abstractmethod
    def inner_text(self) -> str:
        """The text after the name."""

    def __str__(self) -> str:
        return f"#sdy.{self.SYNTAX}{self.inner_text()}"


@dataclass(frozen=True)
class SdyList(SdyAttribute):
    """``#sdy<name...>``."""

    def __str__(self) -> str:
        return f"#sdy<{self.SYNTAX}{self.inner_text()}>"


@dataclass(frozen=True)
class MeshAxis(Attribute):
    """``"x"=2``: a named axis of a mesh."""

    name: str
    size: int

    def __str__(self) -> str:
        return f"{quote(self.name)}={self.size}"


@dataclass(frozen=True)
class Mesh(SdyAttribute):
    """``#sdy.mesh<["x"=2], device_ids=[1, 0]>``: devices along named axes.

    Attributes:
        axes: The axes, the major one first.
        device_ids: The devices in row-major order; empty if they are 0, 1, ...
    """

    axes: tuple[MeshAxis, ...] = ()
    device_ids: tuple[int, ...] = ()
    SYNTAX: ClassVar[str] = "mesh"

    @property
    def sizes(self) -> dict[str, int]:
        """The size of each axis."""
        return {axis.name: axis.size for axis in self.axes}

    @property
    def size(self) -> int:
        """The number of devices, the product of the axes' sizes."""
        return math.prod(axis.size for axis in self.axes)

    @property
    def is_maximal(self) -> bool:
        """Whether it names one device instead of axes."""
        return not self.axes and len(self.device_ids) == 1

    def inner_text(self) -> str:
        """``<["x"=2]>``."""
        ids = f", device_ids=[{', '.join(map(str, self.device_ids))}]" if self.device_ids else ""
        return f"<[{', '.join(map(str, self.axes))}]{ids}>"


@dataclass(frozen=True)
class SubAxis(Attribute):
    """``(pre)size``: of ``axis = pre_size * size * rest``, the middle factor."""

    pre_size: int
    size: int

    def __str__(self) -> str:
        return f"({self.pre_size}){self.size}"


@dataclass(frozen=True)
class AxisRef(Attribute):
    """``"x"`` or ``"x":(1)2``: an axis of a mesh or a part of one."""

    name: str
    sub_axis: SubAxis | None = None

    def __str__(self) -> str:
        return quote(self.name) + ("" if self.sub_axis is None else f":{self.sub_axis}")


def in_braces(items: Sequence[object]) -> str:
    """``{a, b}``."""
    return f"{{{', '.join(map(str, items))}}}"


@dataclass(frozen=True)
class DimensionSharding(Attribute):
    """``{"x", ?}p1``: the axes that divide a dimension.

    Attributes:
        axes: The axes, the major one first.
        is_closed: Whether propagation must not add axes.
        priority: The round in which it is propagated.
    """

    axes: tuple[AxisRef, ...] = ()
    is_closed: bool = True
    priority: int | None = None

    def __str__(self) -> str:
        items = (*self.axes, *(() if self.is_closed else ("?",)))
        return in_braces(items) + ("" if self.priority is None else f"p{self.priority}")


class ReductionOp(Enum):
    """How pieces along unreduced axes are combined, in the order of the stored numbers."""

    SUM = "sum"
    MAX = "max"
    MIN = "min"


@dataclass(frozen=True)
class TensorSharding(SdyAttribute):
    """``#sdy.sharding<@mesh, [{"x"}, {}], replicated={"y"}, unreduced=max{"z"}>``."""

    mesh: Mesh | SymbolAttribute
    dimensions: tuple[DimensionSharding, ...] = ()
    replicated: tuple[AxisRef, ...] = ()
    unreduced: tuple[AxisRef, ...] = ()
    reduction: ReductionOp = ReductionOp.SUM
    SYNTAX: ClassVar[str] = "sharding"

    @property
    def axes(self) -> tuple[AxisRef, ...]:
        """All axes that it names, in order of the text."""
        divided = (axis for dimension in self.dimensions for axis in dimension.axes)
        return (*divided, *self.replicated, *self.unreduced)

    def inner_text(self) -> str:
        """``<@mesh, [{"x"}, {}]>``."""
        mesh = f"mesh{self.mesh.inner_text()}" if isinstance(self.mesh, Mesh) else str(self.mesh)
        parts = [mesh, f"[{', '.join(map(str, self.dimensions))}]"]
        if self.replicated:
            parts.append(f"replicated={in_braces(self.replicated)}")
        if self.unreduced:
            word = "" if self.reduction is ReductionOp.SUM else self.reduction.value
            parts.append(f"unreduced={word}{in_braces(self.unreduced)}")
        return f"<{', '.join(parts)}>"


@dataclass(frozen=True)
class TensorShardingPerValue(SdyAttribute):
    """``#sdy.sharding_per_value<[<@mesh, [{}]>]>``: a sharding for each operand or result."""

    shardings: tuple[TensorSharding, ...] = ()
    SYNTAX: ClassVar[str] = "sharding_per_value"

    def list_text(self) -> str:
        """``[<@mesh, [{}]>]``."""
        return f"[{', '.join(sharding.inner_text() for sharding in self.shardings)}]"

    def inner_text(self) -> str:
        """``<[<@mesh, [{}]>]>``."""
        return f"<{self.list_text()}>"


@dataclass(frozen=True)
class ManualAxes(SdyList):
    """``#sdy<manual_axes{"x"}>``: axes along which a body is already partitioned."""

    axes: tuple[str, ...] = ()
    SYNTAX: ClassVar[str] = "manual_axes"

    def inner_text(self) -> str:
        """``{"x"}``."""
        return in_braces([quote(axis) for axis in self.axes])


@dataclass(frozen=True)
class AxisRefList(SdyList):
    """``#sdy<axis_ref_list{"x"}>``."""

    axes: tuple[AxisRef, ...] = ()
    SYNTAX: ClassVar[str] = "axis_ref_list"

    def inner_text(self) -> str:
        """``{"x"}``."""
        return in_braces(self.axes)


@dataclass(frozen=True)
class ListOfAxisRefLists(SdyList):
    """``#sdy<list_of_axis_ref_lists[{"x"}, {}]>``: axes for each dimension."""

    dimensions: tuple[tuple[AxisRef, ...], ...] = ()
    SYNTAX: ClassVar[str] = "list_of_axis_ref_lists"

    def inner_text(self) -> str:
        """``[{"x"}, {}]``."""
        return f"[{', '.join(map(in_braces, self.dimensions))}]"


@dataclass(frozen=True)
class AllToAllParam(Attribute):
    """``{"x"}: 0->1``: axes that move from one dimension to another."""

    axes: tuple[AxisRef, ...]
    source: int
    target: int

    def __str__(self) -> str:
        return f"{in_braces(self.axes)}: {self.source}->{self.target}"


@dataclass(frozen=True)
class AllToAllParamList(SdyList):
    """``#sdy<all_to_all_param_list[{"x"}: 0->1]>``."""

    params: tuple[AllToAllParam, ...] = ()
    SYNTAX: ClassVar[str] = "all_to_all_param_list"

    def inner_text(self) -> str:
        """``[{"x"}: 0->1]``."""
        return f"[{', '.join(map(str, self.params))}]"


FACTOR_LETTERS: Final = "ijklmnopqrstuvwxyz"


def factor_name(factor: int) -> str:
    """``i``, ``j``, ..., ``z``, ``z_1``, ``z_2``, ...; the number itself if it is out of range."""
    if factor < 0:
        return str(factor)
    last = len(FACTOR_LETTERS) - 1
    return FACTOR_LETTERS[factor] if factor <= last else f"z_{factor - last}"


def dimension_text(factors: Sequence[int]) -> str:
    """``jk``: the factors of a dimension, the major one first."""
    return "".join(map(factor_name, factors))


TensorMapping = tuple[tuple[int, ...], ...]  # the factors of each dimension of a tensor


def mappings_text(mappings: Sequence[TensorMapping]) -> str:
    """``([i, jk], [j, k])``."""
    tensors = [f"[{', '.join(map(dimension_text, mapping))}]" for mapping in mappings]
    return f"({', '.join(tensors)})"


@dataclass(frozen=True)
class OpShardingRule(SdyAttribute):
    """``#sdy.op_sharding_rule<([i, j], [j, k])->([i, k]) {i=8, j=2, k=4} reduction={j}>``.

    Attributes:
        sizes: The size of each factor.
        operands: Which factors make up the dimensions of each operand.
        results: Which factors make up the dimensions of each result.
        reduction: Factors over which the operation reduces.
        need_replication: Factors that must not be divided.
        permutation: Factors along which elements move.
        blocked_propagation: Factors along which shardings are not propagated.
        is_custom: Whether the user specified it.
    """

    sizes: tuple[int, ...]
    operands: tuple[TensorMapping, ...]
    results: tuple[TensorMapping, ...]
    reduction: tuple[int, ...] = ()
    need_replication: tuple[int, ...] = ()
    permutation: tuple[int, ...] = ()
    blocked_propagation: tuple[int, ...] = ()
    is_custom: bool = False
    SYNTAX: ClassVar[str] = "op_sharding_rule"
    FACTOR_LISTS: ClassVar[tuple[str, ...]] = (
        "reduction",
        "need_replication",
        "permutation",
        "blocked_propagation",
    )

    def inner_text(self) -> str:
        """``<([i])->([i]) {i=8}>``."""
        text = f"{mappings_text(self.operands)}->{mappings_text(self.results)}"
        if self.sizes:
            text += " " + in_braces([f"{factor_name(i)}={n}" for i, n in enumerate(self.sizes)])
        for name in self.FACTOR_LISTS:
            factors: tuple[int, ...] = getattr(self, name)
            text += f" {name}={in_braces([factor_name(i) for i in factors])}" if factors else ""
        return f"<{text}{', custom' if self.is_custom else ''}>"


class PropagationDirection(Enum):
    """``allowed_direction`` of propagation_barrier, in the order of the stored numbers."""

    NONE = "NONE"
    FORWARD = "FORWARD"
    BACKWARD = "BACKWARD"
    BOTH = "BOTH"


def enumeration_field(description: str, members: Sequence[EnumT]) -> AttributeKind[EnumT]:
    """Members of an enumeration, stored by their numbers."""

    def accepts(attribute: Attribute) -> bool:
        if not isinstance(attribute, IntegerAttribute) or attribute.type != I32:
            return False
        return 0 <= attribute.value < len(members)

    def member(attribute: Any) -> EnumT:
        position: int = attribute.value
        return members[position]

    def store(value: EnumT) -> Attribute:
        return IntegerAttribute(members.index(value), I32)

    return AttributeKind(description, accepts, member, store)


DIRECTIONS: Final = tuple(PropagationDirection)
REDUCTIONS: Final = tuple(ReductionOp)
PROPAGATION_DIRECTION: Final = enumeration_field("propagation direction", DIRECTIONS)
REDUCTION_OP: Final = enumeration_field("reduction", REDUCTIONS)
MESH: Final = struct_kind(Mesh, "mesh")
SHARDING: Final = struct_kind(TensorSharding, "sharding")
SHARDING_PER_VALUE: Final = struct_kind(TensorShardingPerValue, "list of shardings")
MANUAL_AXES: Final = struct_kind(ManualAxes, "list of names of axes")
AXIS_REF_LIST: Final = struct_kind(AxisRefList, "list of axes")
LIST_OF_AXIS_REF_LISTS: Final = struct_kind(ListOfAxisRefLists, "list of axes for each dimension")
ALL_TO_ALL_PARAM_LIST: Final = struct_kind(AllToAllParamList, "list of moves of axes")
