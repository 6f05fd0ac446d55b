"""Fusion: which operations share a kernel, and for every value that is kept in memory the reason.

A value is kept if it is a result, if what takes it cannot ask for single elements, or if computing
it again would cost more than a store and its loads. Everything else is computed where it is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from stablemate.compiler.graph import Graph, Node, Tensor
from stablemate.compiler.kernels.table import BUILDERS
from stablemate.compiler.lowering.representation import representation
from stablemate.compiler.lowering.table import LOWERINGS
from stablemate.ir.types import TensorType

Kind = Literal["element", "kernel", "constant", "control", "request"]
CONTROL: Final = frozenset({"stablehlo.while", "stablehlo.if", "stablehlo.case"})
# What one element costs, in additions; what is not here costs 1.
COSTS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("stablehlo.divide", "stablehlo.sqrt", "stablehlo.rsqrt"), 8),
    **dict.fromkeys(("stablehlo.exponential", "stablehlo.log", "stablehlo.logistic"), 20),
    **dict.fromkeys(("stablehlo.exponential_minus_one", "stablehlo.log_plus_one"), 24),
    **dict.fromkeys(("stablehlo.tanh", "stablehlo.sine", "stablehlo.cosine"), 30),
    **dict.fromkeys(("stablehlo.tan", "stablehlo.atan2", "stablehlo.cbrt", "stablehlo.power"), 60),
    **dict.fromkeys(("stablehlo.concatenate", "stablehlo.pad", "stablehlo.remainder"), 8),
    "stablehlo.gather": 4,
}
CHEAP: Final = 6  # what may be computed twice
# Operations that take an element of the operand several times.
SPREADING: Final = frozenset({"stablehlo.broadcast_in_dim", "stablehlo.pad", "stablehlo.gather"})


def kind_of(node: Node) -> Kind:
    """How an operation is run."""
    name = node.operation.name
    if name == "stablehlo.constant":
        return "constant"
    if name in CONTROL:
        return "control"
    values = (*node.operands, *node.results)
    if not all(map(is_computed, values)):
        return "request"
    if name in LOWERINGS and LOWERINGS[name].admits(node):
        return "element"
    if name in BUILDERS and BUILDERS[name].admits(node):
        return "kernel"
    return "request"


def is_computed(tensor: Tensor) -> bool:
    """Whether native code computes with the elements of a value."""
    value_type = tensor.type
    return (
        isinstance(value_type, TensorType)
        and value_type.is_static
        and representation(value_type.element_type) is not None
    )


def kept_values(graph: Graph) -> dict[Tensor, str]:
    """The values of a graph that are kept in memory, each with the reason."""
    kinds: dict[Node, Kind] = {node: kind_of(node) for node in graph.nodes}
    kept: dict[Tensor, str] = {}
    costs: dict[Tensor, int] = {}
    for node in graph.nodes:
        for result in node.results:
            if kinds[node] == "element":
                costs[result] = COSTS.get(node.operation.name, 1) + sum(
                    [costs.get(each, 0) for each in node.operands]
                )
            reason = reason_to_keep(node, result, kinds, costs)
            if reason:
                kept[result] = reason
                costs[result] = 0
    return kept


def reason_to_keep(
    node: Node, result: Tensor, kinds: Mapping[Node, Kind], costs: Mapping[Tensor, int]
) -> str:
    """Why a value is kept in memory; empty if it is not."""
    if kinds[node] == "constant":
        return ""
    if kinds[node] != "element":
        return f"made by {node.operation.name}"
    for user in result.users:
        if user is None:
            return "a result"
        if not takes_elements(user, kinds):
            return f"taken by {user.operation.name}"
    cost = costs[result]
    if cost > CHEAP and len(result.users) > 1:
        return f"used {len(result.users)} times, costs {cost}"
    spreading = [u for u in result.users if u is not None and u.operation.name in SPREADING]
    if cost > CHEAP and spreading:
        return f"costs {cost}, spread by {spreading[0].operation.name}"
    return ""


def takes_elements(user: Node, kinds: Mapping[Node, Kind]) -> bool:
    """Whether a node asks for single elements of its operands."""
    kind = kinds.get(user, "request")
    return kind == "element" or (kind == "kernel" and BUILDERS[user.operation.name].inlines)
