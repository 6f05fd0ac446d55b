"""Kernels of fusion groups, by the kind of their members."""

from __future__ import annotations

from collections.abc import Container, Sequence

from stablemate.compiler.graph.fusion_group import FusionGroup
from stablemate.compiler.graph.graph import Tensor
from stablemate.compiler.kernels.kernel_builder import BuiltKernel
from stablemate.compiler.kernels.reduction.blocked_reductions import BlockKernels
from stablemate.compiler.kernels.reduction.row_reductions import RowKernel
from stablemate.compiler.kernels.reduction.shared_loops import GroupKernel
from stablemate.compiler.schedule.column_reductions import ColumnReductions
from stablemate.compiler.schedule.reduction_order import reduction_order


def group_kernels(
    group: FusionGroup, kept: Container[Tensor], vector_bytes: int, name: str
) -> Sequence[BuiltKernel]:
    """The kernels of a group, in the order of their launches."""
    if not group.reductions:
        return [elementwise(GroupKernel(group, kept, vector_bytes, name))]
    order = reduction_order(group.shape, group.reduced)
    if order.is_blocked:
        return BlockKernels(group, kept, vector_bytes, name, order).build_kernels()
    if order.form == "rows":
        return [RowKernel(group, kept, vector_bytes, name).rows(order)]
    return [columns(GroupKernel(group, kept, vector_bytes, name))]


def elementwise(kernel: GroupKernel) -> BuiltKernel:
    """One nest that stores all results."""
    body = [store for member in kernel.group.members for store in kernel.stores(member)]
    loops = kernel.dimensions(reduced=False)
    return kernel.build_kernel(kernel.scheduler.elementwise(loops, body))


def columns(kernel: GroupKernel) -> BuiltKernel:
    """Neighboring results in lanes, each one element after the other."""
    reductions = [kernel.reduction(member) for member in kernel.group.reductions]
    nest = ColumnReductions(kernel.scheduler, reductions, kernel.store_results)
    body, local_buffers = nest.nest(
        kernel.dimensions(reduced=False), kernel.dimensions(reduced=True)
    )
    return kernel.build_kernel(body, local_buffers)
