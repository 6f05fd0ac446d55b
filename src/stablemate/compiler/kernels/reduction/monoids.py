"""Monoids: the reductions that combine elements with one associative operation."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.graph.graph import Node
from stablemate.compiler.lowering.elements import element_type
from stablemate.compiler.lowering.elementwise import Category, category
from stablemate.dialects.stablehlo.reducers import monoid

# The monoid on registers, by the operation of the region and the category of the element type.
MONOIDS: Final[dict[str, dict[Category, str]]] = {
    "add": {"boolean": "or", "signed": "add", "unsigned": "add", "float": "fadd"},
    "multiply": {"boolean": "and", "signed": "mul", "unsigned": "mul", "float": "fmul"},
    "maximum": {"boolean": "or", "signed": "smax", "unsigned": "umax", "float": "maximum"},
    "minimum": {"boolean": "and", "signed": "smin", "unsigned": "umin", "float": "minimum"},
    "and": {"boolean": "and", "signed": "and", "unsigned": "and"},
    "or": {"boolean": "or", "signed": "or", "unsigned": "or"},
    "xor": {"boolean": "xor", "signed": "xor", "unsigned": "xor"},
}


def is_monoid_reduction(node: Node) -> bool:
    """Whether a node reduces one tensor by a monoid, in the element type of the operand."""
    return monoid_operator(node) is not None


def monoid_operator(node: Node) -> str | None:
    """The monoid of a reduction, on registers; None if it is something else."""
    operation = node.operation
    if operation.name != "stablehlo.reduce" or len(node.operands) != 2:
        return None
    elements = {element_type(operand) for operand in (*node.operands, *node.results)}
    name = monoid(operation.regions[0])
    if name is None or len(elements) != 1 or 0 in node.operands[0].shape:
        return None
    return MONOIDS[name].get(category(elements.pop()))
