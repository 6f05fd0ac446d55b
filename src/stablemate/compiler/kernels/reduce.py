"""Reductions: by a monoid in any order, else in order."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Final

from stablemate.compiler.graph import Node, Tensor
from stablemate.compiler.kernels.drafts import Draft, Workshop, builds
from stablemate.compiler.kernels.folds import is_ordered_fold, reduce_in_order
from stablemate.compiler.lowering.elements import buffer_of, element_type, represented
from stablemate.compiler.lowering.elementwise import Category, category
from stablemate.compiler.nest.expressions import Expression
from stablemate.compiler.nest.statements import Statement, Store
from stablemate.compiler.schedule import Reduction
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


def is_fold(node: Node) -> bool:
    """Whether a node reduces one tensor by a monoid, in the element type of the operand."""
    return fold_operator(node) is not None


def fold_operator(node: Node) -> str | None:
    """The monoid of a reduction, on registers; None if it is something else."""
    operation = node.operation
    if operation.name != "stablehlo.reduce" or len(node.operands) != 2:
        return None
    elements = {element_type(each) for each in (*node.operands, *node.results)}
    name = monoid(operation.regions[0])
    if name is None or len(elements) != 1 or 0 in node.operands[0].shape:
        return None
    return MONOIDS[name].get(category(elements.pop()))


def is_known(node: Node) -> bool:
    """Whether a node reduces by a monoid, or by elementwise operations."""
    return is_fold(node) or is_ordered_fold(node)


@builds("stablehlo.reduce", admits=is_known, inlines=True)
def reduce(node: Node, kept: Container[Tensor], vector_bytes: int, name: str) -> Sequence[Draft]:
    """One kernel that folds the elements of each result."""
    if not is_fold(node):
        return reduce_in_order(node, kept, vector_bytes, name)
    operand, init = node.operands
    (result,) = node.results
    dimensions: list[int] = sorted(node.operation.dimensions)
    shop = Workshop(node.operands, kept, vector_bytes)
    output = buffer_of(result, "y")
    index, loops = shop.dimensions(result.shape)
    reduced, rows = shop.dimensions([operand.shape[d] for d in dimensions])
    outer, inner = iter(index), iter(reduced)
    place = [next(inner if d in dimensions else outer) for d in range(len(operand.shape))]
    kind = represented(result)

    def finish(value: Expression) -> Sequence[Statement]:
        stored = kind.narrow(kind.round(value))
        return [Store(output, shop.table.place(output, index), stored)]

    operator = fold_operator(node)
    assert operator is not None
    start, value = shop.elements.at(init, ())[0], shop.elements.at(operand, place)[0]
    reduction = Reduction(operator, kind.register, start, value, finish)
    body, own = shop.scheduler.reduction(loops, rows, reduction)
    return [shop.draft(name, body, [(result, output)], own)]
