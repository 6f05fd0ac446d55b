"""The kind of computation of the operations and instructions of a graph."""

from __future__ import annotations

from collections.abc import Iterable

from stablemate.analysis.explain.counterparts import operation_of_opcode
from stablemate.dialects.registry import OPERATIONS
from stablemate.explorer.graph import GraphNode
from stablemate.ir.definition import definition_of
from stablemate.ir.traits import Family


def families_of(nodes: Iterable[GraphNode]) -> dict[str, str]:
    """The family of each operation or opcode that declares one, by its name."""
    names = sorted({node.name for node in nodes if node.kind == "op"})
    families = {name: family_of(name) for name in names}
    return {name: family.value for name, family in families.items() if family is not None}


def family_of(name: str) -> Family | None:
    """The family of an operation, or of the operation that an opcode means."""
    own = name if "." in name else operation_of_opcode(name) or f"mhlo.{name}"
    operation = OPERATIONS.get(own)
    return None if operation is None else definition_of(operation).family
