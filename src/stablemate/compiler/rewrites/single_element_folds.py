"""Reductions of dimensions of one element, which combine each element with the initial value.

They fuse with their neighbors as elementwise operations do. Bounds checks of ``jnp.take`` are such
reductions: over the components of an index, of which there is one.
"""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.compiler.graph.expansion import NewTensor, NodeExpansion
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.reduction.monoids import is_monoid_reduction
from stablemate.dialects.registry import OPERATIONS
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.reducers import monoid
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.ir.attributes import dense_elements
from stablemate.ir.types import TensorType


def folds_single_elements(node: Node) -> bool:
    """Whether a node is a reduction by a monoid, of dimensions of one element alone.

    Where a size is known at run time alone, the program runs in parts, as its own operations.
    """
    if not is_monoid_reduction(node) or not node.results[0].is_static:
        return False
    shape = node.operands[0].shape
    dimensions: Sequence[int] = node.operation.dimensions
    return bool(dimensions) and all(shape[d] == 1 for d in dimensions)


def expand_single_fold(node: Node, new_tensor: NewTensor) -> list[Node]:
    """Expands such a reduction: the monoid of the initial value and each element."""
    expansion = NodeExpansion(node, new_tensor)
    (operand, init), (result,) = node.operands, node.results
    assert isinstance(result.type, TensorType)
    elements = expansion.create(result.type, Reshape, operand=operand)
    start = spread(expansion, init, result.type)
    combine = OPERATIONS[f"stablehlo.{monoid(node.operation.regions[0])}"]
    expansion.create_result(result, combine, lhs=start, rhs=elements)
    return expansion.nodes


def spread(expansion: NodeExpansion, init: Tensor, result_type: TensorType) -> Tensor:
    """The initial value for each element; a constant stays one, which simplifications know."""
    if init.node is not None and init.is_constant:
        data = init.node.operation.value.data
        return expansion.create(result_type, Constant, value=dense_elements(result_type, data))
    return expansion.create(result_type, BroadcastInDim, operand=init, broadcast_dimensions=())
