"""Makes weights of attention zero that would be subnormal, where attention is no tile.

A mask that adds -100 to a score leaves a weight of about 4e-44, of which processors multiply one in
the time of a hundred others. The largest weight of a row is 1 before the division: what is lost of
a sum of values is less than 2^-126 of the largest value for each key.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from stablemate.compiler.graph.expansion import NewTensor, NodeExpansion
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.lowering.table import LOWERINGS
from stablemate.compiler.rewrites.attention.forward import DOTS, Users
from stablemate.compiler.rewrites.attention.softmax import softmax_of
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.select import Select
from stablemate.ir.attributes import dense_elements
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import BOOLEAN, F32

LEAST: Final = np.float32(-87.3365)  # exponentials of what is not less are normal
PASSED: Final = ("stablehlo.reduce",)  # the sum of the weights; what it becomes is no weight
# It bounds the time of the search.
MOST_USERS: Final = 32  # operations between weights and the products that read them


def round_subnormal_weights(graph: Graph, new_tensor: NewTensor, users: Users) -> None:
    """Rounds the subnormal weights of attention in a graph and its regions to zero."""
    nodes: list[Node] = []
    for node in graph.nodes:
        for region in node.regions:
            round_subnormal_weights(region, new_tensor, users)
        nodes += flush_subnormals(node, new_tensor) if has_weights(node, users) else [node]
    graph.nodes = nodes


def has_weights(node: Node, users: Users) -> bool:
    """Whether a node has the weights of attention in ``f32``, of a softmax and nothing else."""
    if node.operation.name != "stablehlo.exponential":
        return False
    weights = node.results[0].type
    return (
        isinstance(weights, TensorType)
        and weights.is_static
        and weights.element_type == F32
        and softmax_of(node) is not None
        and are_multiplied(node.results[0], users)
    )


def are_multiplied(weights: Tensor, users: Users) -> bool:
    """Whether only products of matrices, and a sum, read what is computed of weights."""
    pending, seen, found = [weights], {weights}, False
    while pending:
        for user in users.get(pending.pop(), ()):
            if user is None or (user.regions and user.operation.name not in PASSED):
                return False
            found |= user.operation.name in DOTS
            if user.operation.name in (*DOTS, *PASSED):
                continue
            if user.operation.name not in LOWERINGS or len(seen) > MOST_USERS:
                return False
            pending += [result for result in user.results if result not in seen]
            seen.update(user.results)
    return found


def flush_subnormals(exponential: Node, new_tensor: NewTensor) -> list[Node]:
    """An exponential whose subnormal results are zero; those of NaN stay."""
    (operand,), (result,) = exponential.operands, exponential.results
    assert isinstance(operand.type, TensorType)
    assert isinstance(result.type, TensorType)
    expansion = NodeExpansion(exponential, new_tensor)
    weights = expansion.add(exponential.operation, (operand,), result.type)
    least = expansion.create(
        operand.type, Constant, value=dense_elements(operand.type, LEAST.reshape(1))
    )
    is_small = expansion.create(
        result.type.with_element(BOOLEAN), Compare, lhs=operand, rhs=least,
        comparison_direction=ComparisonDirection.LT,
    )  # fmt: skip
    zeros = expansion.zeros(result.type)
    expansion.create_result(result, Select, pred=is_small, on_true=zeros, on_false=weights)
    return expansion.nodes
