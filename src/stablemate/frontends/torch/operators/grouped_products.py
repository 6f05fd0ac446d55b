"""Products of matrices whose rows belong to groups: mixtures of experts.

``offs`` are the ends of groups along one dimension, which lie one behind another; what lies after
the last end belongs to no group.

Source: PyTorch, torch.nn.functional.grouped_mm; transformers, integrations.moe.
"""

from __future__ import annotations

from stablemate.frontends.tensor_functions.contraction import einsum, matmul
from stablemate.frontends.tensor_functions.elementwise import select
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.movement import (
    concatenate,
    expand_dims,
    iota,
    slice_dimension,
)
from stablemate.frontends.tensor_functions.tensor import Tensor, full
from stablemate.frontends.torch.call import Call
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers


@lowers("_grouped_mm")
def grouped_mm(
    call: Call, self: Tensor, mat2: Tensor, offs: Tensor | None, bias: Tensor | None, *_: object
) -> Tensor:
    """Products of the matrices of each group; the ragged dimension is the one that is shared."""
    if bias is not None:
        call.refuse("a bias of grouped products")
    if offs is None:
        return matmul(self, mat2, call.element)
    lhs, rhs = call.to_compute_type(self), call.to_compute_type(mat2)
    if mat2.rank == 3:
        result = row_products(lhs, rhs, offs)
    elif self.rank == 3:
        result = einsum(lhs, "gmk", group_parts(rhs, 1, offs), "gkn", "mn")
    else:
        result = einsum(group_parts(lhs, 1, offs), "gmk", rhs, "kn", "gmn")
    return result.convert(call.element)


@lowers("transformers.grouped_mm_fallback")
def rows_by_experts(call: Call, input: Tensor, weight: Tensor, offs: Tensor) -> Tensor:
    """Each row times the matrix of its group."""
    return row_products(call.to_compute_type(input), call.to_compute_type(weight), offs).convert(
        call.element
    )


@lowers("transformers.grouped_mm_fallback_backward")
def rows_by_experts_backward(
    call: Call, input: Tensor, weight: Tensor, offs: Tensor, grad_output: Tensor
) -> list[Tensor]:
    """The gradients of ``rows_by_experts`` for rows and matrices."""
    x, w, grad = (call.to_compute_type(operand) for operand in (input, weight, grad_output))
    grad_input = einsum(group_parts(grad, 0, offs), "gsn", w, "gkn", "sk")
    grad_weight = einsum(group_parts(x, 0, offs), "gsk", grad, "sn", "gkn")
    return [grad_input.convert(input.element), grad_weight.convert(weight.element)]


def row_products(rows: Tensor, matrices: Tensor, ends: Tensor) -> Tensor:
    """Rows of shape (s, k), each times that of the matrices (g, k, n) whose group it is in."""
    return einsum(group_parts(rows, 0, ends), "gsk", matrices, "gkn", "sn")


def group_parts(x: Tensor, dimension: int, ends: Tensor) -> Tensor:
    """For each group the tensor with zeros outside of it, as the first dimension of the result."""
    size = x.shape[dimension]
    mask = group_mask(ends, size)
    others = [i for i in range(1, x.rank + 1) if i != dimension + 1]
    return select(expand_dims(mask, *others), expand_dims(x, 0), 0)


def group_mask(ends: Tensor, size: SizeLike) -> Tensor:
    """Whether each of ``size`` places belongs to a group, of shape (groups, size)."""
    ends = ends.convert(INT64)
    count = ends.shape[0]
    first = full(ends.graph, (1,), 0, INT64)
    starts = concatenate([first, slice_dimension(ends, 0, 0, count - 1)], 0)
    place = iota(ends.graph, (1, size), 1, INT64)
    return (place >= expand_dims(starts, 1)) & (place < expand_dims(ends, 1))
