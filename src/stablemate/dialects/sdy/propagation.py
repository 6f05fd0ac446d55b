"""The origin of shardings: the edges along which they were propagated.

Source: Shardy dialect, propagation_edges and its parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.attributes import AxisRef, SdyAttribute
from stablemate.dialects.sdy.mesh import mesh_of
from stablemate.dialects.sdy.sharding_lookup import sharding_of
from stablemate.ir.core import Operation
from stablemate.ir.definition import Check, constraint, holds
from stablemate.ir.types import Attribute


@dataclass(frozen=True)
class EdgeValue(Attribute):
    """``operand-0`` or ``result-1``: a value of the operation.

    Attributes:
        kind: ``operand`` or ``result``.
        index: Which one.
    """

    kind: str
    index: int

    def __str__(self) -> str:
        return f"{self.kind}-{self.index}"


@dataclass(frozen=True)
class AxisEdge(Attribute):
    """``{"x" = operand-0 -> [result-0]}``: the source and the targets of an axis."""

    axis: AxisRef
    source: EdgeValue
    targets: tuple[EdgeValue, ...]

    def __str__(self) -> str:
        return f"{{{self.axis} = {self.source} -> [{', '.join(map(str, self.targets))}]}}"


@dataclass(frozen=True)
class PropagationStep(Attribute):
    """``{step-0 = [...]}``: what happened in one step."""

    index: int
    edges: tuple[AxisEdge, ...]

    def __str__(self) -> str:
        return f"{{step-{self.index} = [{', '.join(map(str, self.edges))}]}}"


@dataclass(frozen=True)
class PropagationEdges(SdyAttribute):
    """``#sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>``."""

    steps: tuple[PropagationStep, ...] = ()
    SYNTAX: ClassVar[str] = "propagation_edges"

    def inner_text(self) -> str:
        """``<[{step-0 = [...]}]>``."""
        return f"<[{', '.join(map(str, self.steps))}]>"


@dataclass(frozen=True, slots=True)
class PropagationRules:
    """The constraints on the edges of an operation."""

    operation: Operation
    attribute: PropagationEdges

    def edges(self) -> Iterator[AxisEdge]:
        """The edges of all steps."""
        return (edge for step in self.attribute.steps for edge in step.edges)

    def values(self) -> Iterator[EdgeValue]:
        """The values that the edges join."""
        return (value for edge in self.edges() for value in (edge.source, *edge.targets))

    @constraint("steps")
    def steps_are_numbered(self) -> Check:
        """The steps have different numbers from 0"""
        numbers = [step.index for step in self.attribute.steps]
        fits = len(set(numbers)) == len(numbers) and all(number >= 0 for number in numbers)
        return holds(fits, steps=numbers)

    @constraint("edges")
    def edges_lead_elsewhere(self) -> Check:
        """An edge leads from one value to others, each named once"""
        broken = [
            str(edge)
            for edge in self.edges()
            if len({edge.source, *edge.targets}) != 1 + len(edge.targets)
        ]
        return holds(not broken, edges=broken)

    @constraint("edges")
    def values_exist(self) -> Check:
        """An edge joins operands and results of the operation"""
        at = self.operation
        counts = {"operand": len(at.operands), "result": len(at.results)}
        unknown = [
            str(value) for value in self.values() if not 0 <= value.index < counts[value.kind]
        ]
        return holds(not unknown, values=unknown)

    @constraint("axes")
    def axes_exist(self) -> Check:
        """The axes are axes of the one mesh over which the values are divided"""
        at = self.operation
        values = {"operand": at.operands, "result": at.results}
        named = [values[e.kind][e.index] for e in self.values() if e.index < len(values[e.kind])]
        shardings = [sharding for sharding in map(sharding_of, named) if sharding is not None]
        candidates = (mesh_of(at, sharding) for sharding in shardings)
        meshes = dict.fromkeys(mesh for mesh in candidates if mesh is not None)
        sizes = next(iter(meshes)).sizes if len(meshes) == 1 else {}
        unknown = [str(edge.axis) for edge in self.edges() if edge.axis.name not in sizes]
        fits = bool(sizes) and not unknown
        return holds(fits, axes=unknown, meshes=[mesh.inner_text() for mesh in meshes])
