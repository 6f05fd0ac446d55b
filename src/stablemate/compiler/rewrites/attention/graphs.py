"""Replaces attention and its gradient in a graph and its regions."""

from __future__ import annotations

from stablemate.compiler.graph.expansion import NewTensor
from stablemate.compiler.graph.graph import Graph, Node, Tensor, all_nodes
from stablemate.compiler.rewrites.attention.forward import DOTS, Users, match_of
from stablemate.compiler.rewrites.attention.gradient import replace_clusters
from stablemate.compiler.rewrites.attention.normal_forms import normalize
from stablemate.compiler.rewrites.attention.saved_weights import recompute_saved_weights
from stablemate.compiler.rewrites.attention.subnormal_weights import round_subnormal_weights
from stablemate.compiler.rewrites.attention.wide_sums import widen_sums
from stablemate.compiler.rewrites.simplify import remove_dead_nodes
from stablemate.numerics.symbolic_sizes import has_symbolic


def replace_attention(graph: Graph, new_tensor: NewTensor) -> bool:
    """Replaces attention in a graph and its regions; returns whether there was some.

    In graphs with symbolic sizes gradients stay as they are.
    """
    normalize(graph, new_tensor, users_of(graph))
    remove_dead_nodes(graph, set())
    if has_symbolic_sizes(graph):
        return replace_in_graph(graph, new_tensor, users_of(graph))
    found = recompute_saved_weights(graph, new_tensor, users_of(graph))
    if found:
        remove_dead_nodes(graph, set())
    found |= replace_in_graph(graph, new_tensor, users_of(graph))
    if found:
        remove_dead_nodes(graph, set())
    round_subnormal_weights(graph, new_tensor, users_of(graph))
    return found


def has_symbolic_sizes(graph: Graph) -> bool:
    """Whether a dimension of a value has a symbolic size."""
    for node in all_nodes(graph):
        for tensor in (*node.operands, *node.results):
            if has_symbolic(tensor.shape):
                return True
    return False


def users_of(graph: Graph) -> Users:
    """The nodes that use each value; None for each time that it is returned."""
    users: dict[Tensor, list[Node | None]] = {}
    for node in all_nodes(graph):
        for operand in node.operands:
            users.setdefault(operand, []).append(node)
        for region in node.regions:
            for result in region.results:
                users.setdefault(result, []).append(None)
    for result in graph.results:
        users.setdefault(result, []).append(None)
    return users


def replace_in_graph(graph: Graph, new_tensor: NewTensor, users: Users) -> bool:
    """The same, given the users of all values."""
    replaced: dict[Node, Node] = {}
    removed: set[Node] = set()
    order = {node: number for number, node in enumerate(graph.nodes)}
    found = False
    for node in graph.nodes:
        for region in node.regions:
            found |= replace_in_graph(region, new_tensor, users)
        if node.operation.name in DOTS:
            match = match_of(node, order, new_tensor, users)
            if match is not None:
                replaced[node] = match.node
                removed |= match.replaced
                for one in match.replaced:
                    del order[one]
    if replaced:
        graph.nodes = [
            replaced.get(node, node)
            for node in graph.nodes
            if node in replaced or node not in removed
        ]
    if not has_symbolic_sizes(graph):
        is_widened = widen_sums(graph, new_tensor, users)
        found |= replace_clusters(graph, new_tensor, users_of(graph) if is_widened else users)
    return found or bool(replaced)
