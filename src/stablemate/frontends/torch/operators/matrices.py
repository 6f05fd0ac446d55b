"""Products of matrices and vectors.

Source: PyTorch, torch, "BLAS and LAPACK Operations".
"""

from __future__ import annotations

from stablemate.frontends.tensor_functions.contraction import dot_general, matmul
from stablemate.frontends.tensor_functions.elementwise import conjugate, sqrt
from stablemate.frontends.tensor_functions.floating_point import computed_element
from stablemate.frontends.tensor_functions.movement import expand_dims, reshape
from stablemate.frontends.tensor_functions.reductions import sum_over
from stablemate.frontends.tensor_functions.tensor import Tensor
from stablemate.frontends.torch.call import Call, Operand, is_number
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import BOOLEAN


@lowers("mm", "bmm", "mv", "dot", "matmul", "mm.dtype", "bmm.dtype", "_int_mm")
def product(call: Call, self: Tensor, other: Tensor, *_: object) -> Tensor:
    """The product of matrices; one of booleans says whether a term is true."""
    if self.is_boolean:
        return matmul(self.convert(INT64), other.convert(INT64)).convert(BOOLEAN)
    return matmul(self, other, call.element)


@lowers("vdot")
def vdot(call: Call, self: Tensor, other: Tensor) -> Tensor:
    """The product of vectors, of which the first is conjugated."""
    return matmul(conjugate(self), other)


@lowers("outer", "ger")
def outer(call: Call, self: Tensor, vec2: Tensor) -> Tensor:
    """All products of elements of two vectors."""
    x, y = call.tensors(self, vec2)
    return expand_dims(x, 1) * y


@lowers("addmm", "addmv", "baddbmm", "addmm.dtype", "baddbmm.dtype")
def addmm(
    call: Call, self: Tensor, mat1: Tensor, mat2: Tensor, *_: object, beta: Operand = 1,
    alpha: Operand = 1,
) -> Tensor:  # fmt: skip
    """beta * self + alpha * (mat1 @ mat2)."""
    total = call.scale(matmul(mat1, mat2, computed_element(mat1.element)), alpha)
    if is_number(beta, 0):
        return total.convert(call.element)
    added = call.scale(self.convert(total.element), beta)
    return (total + added.broadcast_to(call.shape)).convert(call.element)


@lowers("addbmm")
def addbmm(
    call: Call, self: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Operand, alpha: Operand
) -> Tensor:
    """beta * self + alpha * the sum of all batch1[i] @ batch2[i]."""
    total = call.scale(sum_over(matmul(batch1, batch2), [0]), alpha)
    return total if is_number(beta, 0) else total + call.scale(self, beta)


@lowers("addr")
def addr(
    call: Call, self: Tensor, vec1: Tensor, vec2: Tensor, *, beta: Operand, alpha: Operand
) -> Tensor:
    """beta * self + alpha * the outer product of two vectors."""
    x, y = call.tensors(vec1, vec2)
    total = call.scale(expand_dims(x, 1) * y, alpha)
    return total if is_number(beta, 0) else total + call.scale(call.tensor(self), beta)


@lowers("linear")
def linear(call: Call, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """input @ weight^T + bias."""
    dims = ([input.rank - 1], [weight.rank - 1])
    if bias is None:
        return dot_general(input, weight, dims)
    result = dot_general(input, weight, dims, element=computed_element(input.element))
    return (result + bias.convert(result.element)).convert(call.element)


@lowers("kron")
def kron(call: Call, self: Tensor, other: Tensor) -> Tensor:
    """The Kronecker product: each element times the other matrix."""
    rank = len(call.shape)
    x, y = (reshape(t, (1,) * (rank - t.rank) + t.shape) for t in call.tensors(self, other))
    x = expand_dims(x, *range(1, 2 * rank, 2))
    y = expand_dims(y, *range(0, 2 * rank, 2))
    return reshape(x * y, call.shape)


@lowers("_weight_norm_interface")
def weight_norm(call: Call, v: Tensor, g: Tensor, dim: int = 0) -> list[Tensor]:
    """v * g / |v|, and the norms |v|, over all dimensions but one."""
    x, scale = call.to_compute_type(v), call.to_compute_type(g)
    norms = sqrt(sum_of_slices(x * x, dim))
    return [(x * (scale / norms)).convert(v.element), norms.convert(g.element)]


@lowers("_weight_norm_interface_backward")
def weight_norm_backward(
    call: Call, grad_w: Tensor, saved_v: Tensor, saved_g: Tensor, saved_norms: Tensor, dim: int
) -> list[Tensor]:
    """The gradients of v and g: (g / |v|) (grad - v s / |v|^2) and s / |v|, s = sum(grad v)."""
    grad, v, g, norms = (call.to_compute_type(x) for x in (grad_w, saved_v, saved_g, saved_norms))
    total = sum_of_slices(grad * v, dim)
    grad_v = (g / norms) * (grad - v * (total / (norms * norms)))
    return [grad_v.convert(saved_v.element), (total / norms).convert(saved_g.element)]


def sum_of_slices(x: Tensor, dimension: int) -> Tensor:
    """The sum over all dimensions but one; they stay, with size 1."""
    others = [i for i in range(x.rank) if i != x.dimension(dimension)]
    return expand_dims(sum_over(x, others), *others)
