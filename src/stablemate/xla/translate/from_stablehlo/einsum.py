"""Einsums: dots, sums and transpositions.

Source: XLA, operation semantics, Einsum.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from stablemate.dialects.stablehlo.einsum import AnyEinsum, Einsum, UnaryEinsum, dimensions_by_label
from stablemate.ir.shapes import remaining_dimensions
from stablemate.xla.layout import Layout
from stablemate.xla.shape import Shape
from stablemate.xla.translate.from_stablehlo.body import BuiltInstruction, ComputationBuilder
from stablemate.xla.translate.from_stablehlo.program import Rule
from stablemate.xla.translate.from_stablehlo.regions import finish

Labels = tuple[str, ...]


def einsum(body: ComputationBuilder, operation: Einsum) -> BuiltInstruction:
    """``dot`` over the labels that both operands have and the result has not."""
    (lhs_labels, rhs_labels), result_labels = labels_of(body, operation)
    lhs, rhs = body.all_nodes(operation.operands)
    lhs, lhs_labels = sum_over_labels(body, lhs, lhs_labels, {*rhs_labels, *result_labels})
    rhs, rhs_labels = sum_over_labels(body, rhs, rhs_labels, {*lhs_labels, *result_labels})
    in_lhs, in_rhs, in_result = map(dimensions_by_label, (lhs_labels, rhs_labels, result_labels))
    shared = [label for label in lhs_labels if label in in_rhs]
    batch = [label for label in shared if label in in_result]
    contracted = [label for label in shared if label not in in_result]
    free = [
        *(label for label in lhs_labels if label not in in_rhs),
        *(label for label in rhs_labels if label not in in_lhs),
    ]
    rhs_sizes = dict(zip(rhs_labels, rhs.shape.dimensions, strict=True))
    sizes = {**rhs_sizes, **dict(zip(lhs_labels, lhs.shape.dimensions, strict=True))}
    if any(sizes[label] != rhs_sizes[label] for label in shared):
        raise body.refusal("dimensions of one name have different sizes")
    labels = (*batch, *free)
    element = body.shape(operation.results[0]).element_type
    shape = Shape(element, tuple(sizes[e] for e in labels), layout=Layout.row_major(len(labels)))
    attributes = {
        "lhs_batch_dims": tuple(in_lhs[label] for label in batch) or None,
        "lhs_contracting_dims": tuple(in_lhs[label] for label in contracted),
        "rhs_batch_dims": tuple(in_rhs[label] for label in batch) or None,
        "rhs_contracting_dims": tuple(in_rhs[label] for label in contracted),
    }
    return order_dimensions(
        body, body.emit("dot", shape, [lhs, rhs], attributes), labels, result_labels
    )


def unary_einsum(body: ComputationBuilder, operation: UnaryEinsum) -> BuiltInstruction:
    """A sum over the labels that the result has not, and a transposition."""
    (labels,), result_labels = labels_of(body, operation)
    operand, kept = sum_over_labels(body, body.node(operation.operand), labels, set(result_labels))
    return order_dimensions(body, operand, kept, result_labels)


def labels_of(body: ComputationBuilder, operation: AnyEinsum) -> tuple[tuple[Labels, ...], Labels]:
    """The names of the dimensions of operands and result."""
    labels: tuple[tuple[Labels, ...], Labels] | None = operation.labels()
    if labels is None or any(
        len(set(operand_labels)) < len(operand_labels) for operand_labels in labels[0]
    ):
        raise body.refusal("diagonals of an operand are taken")
    return labels


def sum_over_labels(
    body: ComputationBuilder, operand: BuiltInstruction, labels: Labels, needed: set[str]
) -> tuple[BuiltInstruction, Labels]:
    """An operand summed over the labels that occur nowhere else."""
    gone = [i for i, label in enumerate(labels) if label not in needed]
    if not gone:
        return operand, labels
    element = operand.shape.element_type
    scalar = Shape(element, layout=Layout.row_major(0))
    inner = ComputationBuilder(body.program, operation=body.operation)
    add = finish(
        inner, inner.emit("add", scalar, [inner.parameter_of(scalar, i) for i in range(2)])
    )
    kept = remaining_dimensions(len(labels), gone)
    sizes = tuple(operand.shape.dimensions[i] for i in kept)
    zero = body.constant(np.zeros((), element.dtype), element)
    shape = Shape(element, sizes, layout=Layout.row_major(len(sizes)))
    attributes = {"dimensions": tuple(gone), "to_apply": add}
    return body.emit("reduce", shape, [operand, zero], attributes), tuple(labels[i] for i in kept)


def order_dimensions(
    body: ComputationBuilder, node: BuiltInstruction, labels: Labels, result_labels: Labels
) -> BuiltInstruction:
    """The dimensions in the order that is wanted."""
    if labels == result_labels:
        return node
    dimensions = dimensions_by_label(labels)
    return body.transpose(node, [dimensions[label] for label in result_labels])


RULES: Final[dict[str, Rule]] = {
    "stablehlo.einsum": einsum,
    "stablehlo.unary_einsum": unary_einsum,
}
