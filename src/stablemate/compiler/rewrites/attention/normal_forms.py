"""Rewrites forms of a softmax into the ones that are recognized; results keep their bits.

``all(logits == -inf)`` is the comparison of the largest logit with minus infinity. Of
``jax.nn.softmax(where=mask)``, logits that the mask hides are minus infinity, so their exponentials
are zero, and the sum needs no second choice by the mask. Where a mask hides a whole row, the sum is
NaN instead of zero; the choice after the division hides both.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from stablemate.compiler.graph.expansion import NewTensor, NodeExpansion
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.kernels.reduction.monoids import monoid_operator
from stablemate.compiler.rewrites.attention.equal_values import are_equal
from stablemate.compiler.rewrites.attention.forward import Users
from stablemate.compiler.rewrites.attention.gradient import in_order
from stablemate.compiler.rewrites.attention.guards import (
    NOT,
    behind,
    compares_with_infinity,
    hides_logits,
    negates,
)
from stablemate.compiler.rewrites.attention.softmax import (
    SPREADING,
    behind_conversions,
    is_shift,
    splat_value,
    spread_of,
)
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.ir.attributes import dense_elements
from stablemate.ir.types import TensorType


def normalize(graph: Graph, new_tensor: NewTensor, users: Users) -> None:
    """Rewrites the forms in a graph and its regions.

    Args:
        graph: The graph.
        new_tensor: Makes values.
        users: The users of all values.
    """
    for node in graph.nodes:
        for region in node.regions:
            normalize(region, new_tensor, users)
    unify_logits(graph)
    strip_choices(graph, users)
    replace_guards(graph, new_tensor)


def unify_logits(graph: Graph) -> None:
    """Lets the largest logits be subtracted from the value that they are the largest of."""
    for node in graph.nodes:
        if node.operation.name != "stablehlo.subtract":
            continue
        logits, subtracted = node.operands
        largest = spread_of(subtracted, "maximum", is_shift)
        if largest is None or largest.reduced is logits:
            continue
        if are_equal(largest.reduced, logits):
            node.operands = (largest.reduced, subtracted)


def replace_guards(graph: Graph, new_tensor: NewTensor) -> None:
    """Replaces reductions of comparisons with minus infinity by comparisons of the largest ones."""
    largest = {
        (node.operands[0], tuple(map(int, node.operation.dimensions))): node.results[0]
        for node in graph.nodes
        if monoid_operator(node) == "maximum"
    }
    nodes: list[Node] = []
    for node in graph.nodes:
        compared = compared_logits(node)
        key = None if compared is None else (compared, tuple(map(int, node.operation.dimensions)))
        maximum = None if key is None else largest.get(key)
        nodes += [node] if maximum is None else comparison(node, maximum, new_tensor).nodes
    if len(nodes) > len(graph.nodes):
        graph.nodes = in_order(nodes)  # a maximum may stand after its guard


def compared_logits(reduction: Node) -> Tensor | None:
    """The logits of which a reduction tests whether all are minus infinity; None for others."""
    if reduction.operation.name != "stablehlo.reduce" or len(reduction.operands) != 2:
        return None
    after, inner = behind(reduction.operands[0], (NOT,))
    compare = inner.node
    if compare is None or not compares_with_infinity(compare):
        return None
    is_equality = compare.operation.comparison_direction is ComparisonDirection.EQ
    tests_infinity = is_equality is not negates(after)
    return (
        compare.operands[0]
        if monoid_operator(reduction) == ("and" if tests_infinity else "or")
        else None
    )


def comparison(reduction: Node, largest: Tensor, new_tensor: NewTensor) -> NodeExpansion:
    """The comparison of the largest logits that has the results of a reduction."""
    expansion = NodeExpansion(reduction, new_tensor)
    assert isinstance(largest.type, TensorType)
    scalar = largest.type.with_shape(())
    number = dense_elements(scalar, np.full((), -np.inf, scalar.element_type.dtype))
    infinity = expansion.create(scalar, Constant, value=number)
    spread = expansion.create(
        largest.type, BroadcastInDim, operand=infinity, broadcast_dimensions=[]
    )
    is_all = monoid_operator(reduction) == "and"
    expansion.create_result(
        reduction.results[0], Compare, lhs=largest, rhs=spread,
        comparison_direction=ComparisonDirection.EQ if is_all else ComparisonDirection.NE,
    )  # fmt: skip
    return expansion


def strip_choices(graph: Graph, users: Users) -> None:
    """Lets sums add exponentials, of which a mask chooses some, without that choice."""
    for node in graph.nodes:
        choice = node.operands[0].node if monoid_operator(node) == "fadd" else None
        exponentials = None if choice is None else chosen_exponentials(choice)
        if choice is None or exponentials is None:
            continue
        if all(map(partial(is_hidden, choice.operands[0], users), node.results)):
            node.operands = (exponentials, *node.operands[1:])


def is_hidden(mask: Tensor, users: Users, total: Tensor) -> bool:
    """Whether a sum is only divided by, and quotients are used only where a mask is true."""
    pending, seen = [total], set[Tensor]()
    while pending:
        tensor = pending.pop()
        for user in users.get(tensor, ()):
            name = None if user is None else user.operation.name
            if user is None or (name != "stablehlo.divide" and name not in SPREADING):
                return False
            if name == "stablehlo.divide":
                if user.operands[1] is not tensor or not chosen_by(mask, users, user.results[0]):
                    return False
            elif user.results[0] not in seen:
                seen.add(user.results[0])
                pending.append(user.results[0])
    return True


def chosen_by(mask: Tensor, users: Users, quotient: Tensor) -> bool:
    """Whether all uses of a value choose between it and zero by a mask."""
    return all(
        user is not None
        and user.operation.name == "stablehlo.select"
        and are_equal(user.operands[0], mask)
        and user.operands[1] is quotient
        and splat_value(user.operands[2]) == 0.0
        for user in users.get(quotient, ())
    )


def chosen_exponentials(choice: Node) -> Tensor | None:
    """The exponentials of logits that a choice, with the same mask as theirs, makes zero; or None.

    This is ``select(mask, exp(select(mask, logits, -inf) - largest), 0)``, where the exponentials
    may be converted.
    """
    if choice.operation.name != "stablehlo.select" or splat_value(choice.operands[2]) != 0.0:
        return None
    mask, exponentials, _ = choice.operands
    return exponentials if hides_logits(behind_conversions(exponentials).node, mask) else None
