"""Cholesky decompositions by LAPACK: a custom call of potrf, whose factors are then completed.

The routine leaves the opposite triangle as it was, and a matrix that is not positive-definite half
factored. The operation has zeros and NaN there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from stablemate.compiler.graph.expansion import NewTensor, NodeExpansion
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.dialects.stablehlo.iota import Iota
from stablemate.dialects.stablehlo.select import Select
from stablemate.execution.custom_calls.registered import REGISTERED
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import create
from stablemate.ir.core import Value
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import (
    BOOLEAN,
    COMPLEX64,
    COMPLEX128,
    F32,
    F64,
    I32,
    ElementType,
)

TARGETS: Final[Mapping[ElementType, str]] = {
    F32: "lapack_spotrf_ffi",
    F64: "lapack_dpotrf_ffi",
    COMPLEX64: "lapack_cpotrf_ffi",
    COMPLEX128: "lapack_zpotrf_ffi",
}


def is_factored_by_library(node: Node) -> bool:
    """Whether an operation is a decomposition of matrices that LAPACK has a routine for."""
    if node.operation.name != "stablehlo.cholesky":
        return False
    matrices, result = node.operands[0].type, node.results[0].type
    if not isinstance(matrices, TensorType) or not matrices.is_static or matrices != result:
        return False
    target = TARGETS.get(matrices.element_type)
    if target is None or target in REGISTERED:
        return False
    from stablemate.compiler.library_calls.loading import find_routine  # few programs

    return find_routine(target.removeprefix("lapack_").removesuffix("_ffi")) is not None


def expand_cholesky(node: Node, new_tensor: NewTensor) -> list[Node]:
    """Expands a decomposition into the call of a routine and selections of what is left open."""
    (matrices,), (result,) = node.operands, node.results
    assert isinstance(matrices.type, TensorType)
    expansion, shape = NodeExpansion(node, new_tensor), matrices.type.shape
    lower, element = node.operation.lower, matrices.type.element_type
    factors, info = potrf(expansion, matrices, lower=lower)
    status_type = info.type
    assert isinstance(status_type, TensorType)
    zero = broadcast(expansion, scalar(expansion, 0, I32), status_type.shape)
    fine = compare(expansion, info, zero, ComparisonDirection.EQ)
    is_fine = expansion.create(
        TensorType(shape, BOOLEAN), BroadcastInDim, operand=fine,
        broadcast_dimensions=range(len(shape) - 2),
    )  # fmt: skip
    indices = [
        expansion.create(TensorType(shape, I32), Iota, iota_dimension=len(shape) - d)
        for d in (2, 1)
    ]
    direction = ComparisonDirection.GE if lower else ComparisonDirection.LE
    rows, columns = indices
    is_kept = compare(expansion, rows, columns, direction)
    zeros, nans = (
        broadcast(expansion, scalar(expansion, value, element), shape) for value in (0, np.nan)
    )
    triangle = expansion.create(
        matrices.type, Select, pred=is_kept, on_true=factors, on_false=zeros
    )
    expansion.create_result(result, Select, pred=is_fine, on_true=triangle, on_false=nans)
    return expansion.nodes


def potrf(expansion: NodeExpansion, matrices: Tensor, *, lower: bool) -> tuple[Tensor, Tensor]:
    """Adds the call of the routine; returns its factors, and whether it succeeded."""
    assert isinstance(matrices.type, TensorType)
    info = TensorType(matrices.type.shape[:-2], I32)
    call = create(
        CustomCall,
        results=[matrices.type, info],
        location=expansion.original.operation.location,
        span=expansion.original.operation.span,
        inputs=[Value(matrices.type)],
        call_target_name=TARGETS[matrices.type.element_type],
        backend_config=json.dumps({"uplo": ord("L" if lower else "U")}),
    )
    node = Node(call, (matrices,))
    node.results = tuple([expansion.new_tensor(t, node) for t in (matrices.type, info)])
    expansion.nodes.append(node)
    factors, status = node.results
    return factors, status


def scalar(expansion: NodeExpansion, value: float, element: ElementType) -> Tensor:
    """Adds a constant without dimensions."""
    scalar_type = TensorType((), element)
    literal = dense_elements(scalar_type, np.array(value, element.dtype))
    return expansion.create(scalar_type, Constant, value=literal)


def broadcast(expansion: NodeExpansion, value: Tensor, shape: Any) -> Tensor:
    """Adds a tensor whose elements are all the same."""
    assert isinstance(value.type, TensorType)
    broadcast_type = TensorType(shape, value.type.element_type)
    return expansion.create(broadcast_type, BroadcastInDim, operand=value, broadcast_dimensions=())


def compare(
    expansion: NodeExpansion, lhs: Tensor, rhs: Tensor, direction: ComparisonDirection
) -> Tensor:
    """Adds a comparison of elements."""
    assert isinstance(lhs.type, TensorType)
    return expansion.create(
        lhs.type.with_element(BOOLEAN), Compare, lhs=lhs, rhs=rhs, comparison_direction=direction
    )
