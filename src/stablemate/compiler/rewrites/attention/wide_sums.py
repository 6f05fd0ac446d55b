"""Lets sums of matrices of scores be of ``f32`` where a program adds ``bf16`` or ``f16``.

Gradients of biases of these types are such sums. In tiles they are rounded once, at the end.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from stablemate.compiler.graph.expansion import NewTensor, NodeExpansion
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.kernels.reduction.monoids import monoid_operator
from stablemate.compiler.rewrites.attention.clusters import ScoreMatrixUses, cluster_of
from stablemate.compiler.rewrites.attention.forward import ScoreAxes, Users
from stablemate.compiler.rewrites.attention.gradient import is_large, possible_scores
from stablemate.compiler.rewrites.attention.softmax import softmax_of, starts_empty
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.ir.attributes import dense_elements
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import BF16, F16, F32

NARROW: Final = (BF16, F16)


def widen_sums(graph: Graph, new_tensor: NewTensor, users: Users) -> bool:
    """Widens the narrow sums of all clusters with a softmax; returns whether there were some."""
    order = {node: number for number, node in enumerate(graph.nodes)}
    narrow: set[Node] = set()
    for scores in possible_scores(graph):
        cluster = cluster_of(scores, users, order)
        if cluster is not None and has_large_softmax(cluster):
            narrow.update(sink.node for sink in cluster.sinks if is_narrow_sum(sink.node))
    if narrow:
        graph.nodes = [
            one
            for node in graph.nodes
            for one in (widen_sum(node, new_tensor) if node in narrow else [node])
        ]
    return bool(narrow)


def has_large_softmax(cluster: ScoreMatrixUses) -> bool:
    """Whether a cluster has one softmax, and so many scores that tiles pay."""
    axes = ScoreAxes.of(cluster.dots[0])
    exponentials = [n for n in cluster.inner if n.operation.name == "stablehlo.exponential"]
    softmaxes = [node for node in exponentials if softmax_of(node) is not None]
    return axes is not None and len(softmaxes) == 1 and is_large(axes, query_first=True)


def is_narrow_sum(node: Node) -> bool:
    """Whether a node adds floats of 16 bits."""
    if monoid_operator(node) != "fadd" or not starts_empty(node, "fadd"):
        return False
    (operand, _) = node.operands
    return isinstance(operand.type, TensorType) and operand.type.element_type in NARROW


def widen_sum(reduction: Node, new_tensor: NewTensor) -> list[Node]:
    """The nodes that convert what a reduction adds, add it, and convert the sums."""
    expansion = NodeExpansion(reduction, new_tensor)
    (operand, _), (result,) = reduction.operands, reduction.results
    assert isinstance(operand.type, TensorType)
    assert isinstance(result.type, TensorType)
    scalar = TensorType((), F32)
    wide = expansion.create(operand.type.with_element(F32), Convert, operand=operand)
    zero = expansion.create(
        scalar, Constant, value=dense_elements(scalar, np.zeros((), np.float32))
    )  # fmt: skip
    total = expansion.add(reduction.operation, (wide, zero), result.type.with_element(F32))
    assert total.node is not None
    total.node.regions = tuple([widened_body(region, new_tensor) for region in reduction.regions])
    expansion.create_result(result, Convert, operand=total)
    return expansion.nodes


def widened_body(region: Graph, new_tensor: NewTensor) -> Graph:
    """The body of a sum with scalars of ``f32``."""
    scalar = TensorType((), F32)
    copies = {argument: Tensor(scalar, None, argument.number) for argument in region.arguments}
    body = Graph(tuple(copies.values()))
    for node in region.nodes:
        copy = Node(node.operation, tuple([copies[operand] for operand in node.operands]))
        copy.results = (new_tensor(scalar, copy),)
        copies[node.results[0]] = copy.results[0]
        body.nodes.append(copy)
    body.results = tuple([copies[value] for value in region.results])
    return body
