"""Reductions: by a monoid in any order, else in sequence."""

from __future__ import annotations

from collections.abc import Container, Sequence

from stablemate.compiler.graph.fusion_group import reduced_dimensions, single_member_group
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.fused import group_kernels
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, register_builder
from stablemate.compiler.kernels.reduction.monoids import is_monoid_reduction
from stablemate.compiler.kernels.reduction.ordered_reductions import (
    is_ordered_reduction,
    reduce_in_order,
)
from stablemate.compiler.kernels.reduction.split_reductions import SplitReductionKernels
from stablemate.compiler.schedule.reduction_order import RowSegments, row_segments
from stablemate.dialects.stablehlo.reducers import is_associative


def is_known(node: Node) -> bool:
    """Whether a node reduces by a monoid, or by elementwise operations."""
    return is_monoid_reduction(node) or is_ordered_reduction(node)


@register_builder("stablehlo.reduce", admits=is_known, inlines=True)
def reduce(
    node: Node, kept: Container[Tensor], vector_bytes: int, name: str
) -> Sequence[BuiltKernel]:
    """The kernels that reduce the elements of each result."""
    if is_monoid_reduction(node):
        return group_kernels(single_member_group(node), kept, vector_bytes, name)
    pieces = segments(node)
    if pieces is not None:
        return SplitReductionKernels(node, kept, vector_bytes, name, pieces).build_kernels()
    return reduce_in_order(node, kept, vector_bytes, name)


def segments(node: Node) -> RowSegments | None:
    """How the rows of a reduction are cut; None if they are not.

    Whatever is not associative is reduced in sequence, and has the bits of the interpreter.
    """
    shape = node.operands[0].shape
    if 0 in shape or not is_associative(node.operation.regions[0]):
        return None
    return row_segments(shape, reduced_dimensions(node))
